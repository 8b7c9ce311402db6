//! Implicit efforts of revolute and prismatic tree joints, for steps of semi-implicit Euler and of time
//! stepping.
//!
//! The springs, servos, motors and friction of such a joint are lines near the start of the step
//! (`joint/effort/line.rs`). Taken at the rates and coordinates of its end,
//!
//! ```text
//! f_end = f − K h (ṗ + h p̈) − C h p̈          p̈ = s + β
//! ```
//!
//! with s from the accelerations of the bodies alone and β what p̈ is without them: zero for an angle, and
//! the centripetal and Coriolis terms along the axis for a sliding body. So the elimination
//! (`cardan_solve::articulated`) gets τ = f − K h ṗ − E β as the effort and E = h C + h² K as the inertia
//! of the joint itself. Damping is implicit for every effort. Stiffness is implicit for servos, and for
//! springs that are stiff beside the step: an implicit spring loses energy, which one that the step
//! resolves must not.
//!
//! Efforts of a joint that closes a loop are wrenches on its bodies, taken at the start of the step
//! (`forces.rs`).
//!
//! An effort with a limit ends the step within it. Which efforts are at their limit is found by an active
//! set: those whose end would be beyond it push with the limit, without slopes, and the step is solved
//! again.

use crate::body::general::Motions;
use crate::body::{BodyKind, Motion};
use crate::joint::effort::{EffortAccount, EffortKind, EffortLine};
use crate::joint::{AxisMotion, ClosedForm};
use crate::math::{Six, Vec3};
use crate::measure::coordinates::HingeTurns;
use crate::model::{Model, ModelJoint};
use crate::settings::{EffortRule, Integrator, Settings};
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::coupling::RowsWanted;
use crate::step::articulated::fill::{FACTOR_ONLY, FiniteCheck, MotionFill};
use crate::step::dynamics::kinematics::write_motions;
use crate::step::dynamics::ledger::LedgerRate;
use crate::step_error::{Stage, StepError};
use cardan_solve::Task;
use cardan_solve::articulated::f64x3::run_vectorized;
use cardan_solve::articulated::{Form, Node};

/// h² K beside the inertia along the freedom above which the stiffness of a spring is implicit: ω h = ½,
/// where the phase of the explicit rule is wrong by one per cent.
pub(crate) const STIFF_SPRING: f64 = 0.25;
/// h C beside the inertia along the freedom above which an explicit step lets the rate grow.
const UNSTABLE_DAMPING: f64 = 2.0;
/// h² K beside the inertia along the freedom above which an explicit step lets the oscillation grow.
const UNSTABLE_STIFFNESS: f64 = 4.0;
/// Most rounds of the active set of limits.
const MOST_ROUNDS: usize = 12;

/// Joints with efforts that are taken at the end of the step, or refused where they cannot be taken at
/// its start.
#[derive(Clone, Debug)]
pub(crate) struct JointEfforts {
    joints: Vec<EffortJoint>,
    /// By joint of the model: whether it is one of these.
    is_member: Vec<bool>,
    /// Whether joints without efforts of their own are among them, for commands.
    pub(crate) has_all: bool,
    /// Whether nothing but these and gravity acts, apart from commands.
    pub(crate) are_all_forces: bool,
    pub(crate) is_implicit: bool,
    /// Whether some effort of this step has a limit.
    has_limits: bool,
    rounds: usize,
}

/// A joint with its efforts in this step.
#[derive(Clone, Debug)]
struct EffortJoint {
    joint: usize,
    /// Whether it has efforts besides commands.
    has_own: bool,
    node: usize,
    /// Whether its coordinate is a length; otherwise it is an angle.
    slides: bool,
    /// The z axis of a hinge, in b.
    axis_in_b: Vec3,
    /// The angle of a hinge, where some effort depends on it and not on its rate alone.
    angle: Option<HingeTurns>,
    /// Bodies at its ends, and the start of their velocities; `None` for the ground.
    ends: [Option<(usize, usize)>; 2],
    /// Inertia along the freedom at the initial pose \[kg or kg·m²\].
    inertia: f64,
    /// Axis, coordinate and rate at the start of the step.
    motion: AxisMotion,
    lines: Vec<LineInStep>,
}

impl EffortJoint {
    /// Acceleration p̈ of the coordinate, from those of bodies: a function of the body and the start of its
    /// velocities.
    #[inline(always)]
    fn acceleration(&self, acc_of: impl Fn(usize, usize) -> Six) -> f64 {
        let of = |end: Option<(usize, usize)>| end.map_or(Six::ZERO, |(body, at)| acc_of(body, at));
        let AxisMotion { axis, bias, arms: [arm_a, arm_b], .. } = &self.motion;
        let (a, b) = (of(self.ends[0]), of(self.ends[1]));
        if !self.slides {
            return axis.dot(b.ang - a.ang);
        }
        let (arm_a, arm_b) = (*arm_a, *arm_b);
        axis.dot(b.lin + b.ang.cross(arm_b) - (a.lin + a.ang.cross(arm_a))) + bias
    }
}

/// An effort in this step.
#[derive(Copy, Clone, Debug)]
struct LineInStep {
    line: EffortLine,
    /// K and C as they act in this step: zero where they are explicit.
    stiffness: f64,
    damping: f64,
    /// The limit that it is at, if it is at one.
    limit: Option<f64>,
}

impl LineInStep {
    /// An effort at the start of the active set.
    fn new(line: EffortLine, is_implicit: bool, h: f64, rate: f64, inertia: f64) -> Self {
        let is_stiff = line.is_servo || h * h * line.stiffness > STIFF_SPRING * inertia;
        let mut in_step = LineInStep {
            line,
            stiffness: if is_implicit && is_stiff { line.stiffness } else { 0.0 },
            damping: if is_implicit { line.damping } else { 0.0 },
            limit: None,
        };
        if line.limit < f64::INFINITY {
            in_step.limit = in_step.limit_beyond(h, rate, 0.0);
        }
        in_step
    }
    /// τ and E.
    fn effort_and_inertia(&self, h: f64, rate: f64) -> (f64, f64) {
        match self.limit {
            Some(limit) => (limit, 0.0),
            None => {
                (self.line.force - self.stiffness * (h * rate), h * self.damping + h * h * self.stiffness)
            }
        }
    }
    /// The effort at the end of the step, as if it had no limit.
    fn unlimited_end(&self, h: f64, rate: f64, s: f64) -> f64 {
        self.line.force - self.stiffness * (h * (rate + h * s)) - self.damping * (h * s)
    }
    /// The limit that the effort would end beyond, if it would.
    fn limit_beyond(&self, h: f64, rate: f64, s: f64) -> Option<f64> {
        let (end, limit) = (self.unlimited_end(h, rate, s), self.line.limit);
        if end > limit {
            Some(limit)
        } else if end < -limit {
            Some(-limit)
        } else {
            None
        }
    }
    /// Adds the power of the effort, at the rate of the end of the step.
    fn book(&self, h: f64, rate: f64, s: f64, out: &mut LedgerRate) {
        let end_rate = rate + h * s;
        let force = self.limit.unwrap_or_else(|| self.unlimited_end(h, rate, s));
        match self.line.account {
            EffortAccount::Work => out.work += force * end_rate,
            EffortAccount::Heat => out.dissipated -= force * end_rate,
            EffortAccount::Spring => {
                out.dissipated += self.line.damping * end_rate * end_rate;
                // h ṗ² K / 2 more than the spring stores.
                out.integration_loss += 0.5 * h * self.stiffness * end_rate * end_rate;
            }
        }
    }
}

impl JointEfforts {
    /// The joints of a model whose efforts these settings take so; `None` if there are none. `has_all`:
    /// those that may get commands too.
    pub(crate) fn new(
        model: &Model,
        settings: &Settings,
        articulated: &mut ArticulatedSystem,
        has_all: bool,
    ) -> Option<Box<Self>> {
        if !matches!(settings.integrator, Integrator::SemiImplicitEuler | Integrator::TimeStepping) {
            return None;
        }
        let mut joints = Vec::new();
        for (node, body_node) in articulated.body_nodes.iter().enumerate() {
            let Some(tree_joint) = &body_node.tree_joint else { continue };
            let index = tree_joint.index as usize;
            let joint = &model.joints[index];
            let slides = tree_joint.shape() == ClosedForm::Prismatic;
            let angle = HingeTurns::new(model, index).filter(|_| tree_joint.shape() == ClosedForm::Revolute);
            let has_one_freedom = (slides || angle.is_some())
                && articulated.forest.nodes()[node].form() == Form::Freedoms(1)
                && body_node.kind == BodyKind::Rigid
                && joint.driven.is_none();
            if has_one_freedom && (has_all || joint.has_forces()) {
                let ends = [&joint.a, &joint.b]
                    .map(|end| end.body().map(|body| (body, model.bodies[body].v_range().start)));
                let reads_value =
                    |kind: &EffortKind| matches!(kind, EffortKind::Servo(_) | EffortKind::Curve(_));
                let needs_value = joint.springs.iter().any(|spring| spring.stiffness != 0.0)
                    || joint.efforts.iter().any(|effort| reads_value(&effort.kind));
                joints.push(EffortJoint {
                    joint: index,
                    has_own: joint.has_forces(),
                    node,
                    slides,
                    axis_in_b: joint.b.local.rot * Vec3::Z,
                    angle: angle.filter(|_| needs_value),
                    ends,
                    inertia: 0.0,
                    motion: AxisMotion::default(),
                    lines: Vec::new(),
                });
            }
        }
        if joints.is_empty() {
            return None;
        }
        let mut is_member = vec![false; model.joints.len()];
        joints.iter().for_each(|joint| is_member[joint.joint] = true);
        let is_implicit = settings.efforts == EffortRule::Implicit;
        if joints.iter().any(|joint| joint.has_own) {
            let inertias = initial_inertias(model, articulated);
            joints.iter_mut().for_each(|joint| joint.inertia = inertias[joint.node]);
        }
        let is_here = |(joint, is_member): (&ModelJoint, &bool)| *is_member || !joint.has_forces();
        let are_all_forces = model.forces.is_empty()
            && !model.has_inequalities()
            && model.joints.iter().zip(&is_member).all(is_here);
        Some(Box::new(JointEfforts {
            joints,
            is_member,
            has_all,
            are_all_forces,
            is_implicit,
            has_limits: false,
            rounds: 0,
        }))
    }

    /// Whether some joint has an effort or a command at a state.
    pub(crate) fn has_any(&self, state: &State) -> bool {
        state.commands.is_some() || self.joints.iter().any(|joint| joint.has_own)
    }

    /// Whether the efforts of a joint of the model are taken here.
    pub(crate) fn has(&self, joint: usize) -> bool {
        self.is_member[joint]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.joints.capacity() * size_of::<EffortJoint>()
            + self.is_member.capacity()
            + self.joints.iter().map(|joint| joint.lines.capacity() * size_of::<LineInStep>()).sum::<usize>()
    }

    /// Evaluates all efforts at the start of a step of `h` from `state`, whose motions are given.
    pub(crate) fn evaluate(
        &mut self,
        model: &Model,
        motions: &Motions,
        state: &State,
        h: f64,
    ) -> Result<(), StepError> {
        run_vectorized(EvaluateEfforts { efforts: self, model, motions, state, h })
    }

    #[inline(always)]
    fn evaluate_within(
        &mut self,
        model: &Model,
        motions: &[Motion],
        state: &State,
        h: f64,
    ) -> Result<(), StepError> {
        (self.rounds, self.has_limits) = (0, false);
        let end = if state.still { state.time } else { state.time + h };
        let commands = state.commands.as_ref().map_or(&[][..], |commands| commands.efforts());
        for entry in &mut self.joints {
            entry.lines.clear();
            let slot =
                if commands.is_empty() { 0 } else { model.joint_order().efforts_of(entry.joint).start };
            let command = commands.get(slot).copied().unwrap_or(0.0);
            if !entry.has_own && command == 0.0 {
                continue;
            }
            let joint = &model.joints[entry.joint];
            let [a, b] = entry.ends.map(|end| end.map_or(&Motion::GROUND, |(body, _)| &motions[body]));
            if entry.slides {
                entry.motion = AxisMotion::of_slide([(a, &joint.a.local), (b, &joint.b.local)]);
            } else {
                entry.motion.set_hinge(a, b, entry.axis_in_b);
            }
            if let Some(angle) = &entry.angle {
                entry.motion.value = angle.angle_at(&a.rot, &b.rot, state.turns[angle.at as usize]);
            }
            let (value, rate) = (entry.motion.value + joint.zero(0), entry.motion.rate);
            if command != 0.0 {
                let line = EffortLine { force: command, limit: f64::INFINITY, ..EffortLine::default() };
                entry.lines.push(LineInStep::new(line, self.is_implicit, h, rate, entry.inertia));
            }
            let springs = joint.springs.iter().map(|spring| (spring.line(value, rate), "spring"));
            let efforts = joint.efforts.iter().map(|effort| {
                let target = effort.target(model, entry.joint, state);
                (effort.line(end, target, value, rate), effort.name())
            });
            for (line, law) in springs.chain(efforts) {
                if !line.force.is_finite() {
                    let (joint, time, stage) = (joint.name.clone(), state.time, Stage::First);
                    return Err(StepError::LawNotFinite { joint, law, time, stage });
                }
                self.has_limits |= line.limit < f64::INFINITY;
                entry.lines.push(LineInStep::new(line, self.is_implicit, h, rate, entry.inertia));
            }
        }
        Ok(())
    }

    /// Writes efforts and inertias by node; those of rotors are in `armatures`, if there are any. Returns
    /// whether the inertias changed, so that a factor with the former ones is void.
    pub(crate) fn write(
        &self,
        h: f64,
        efforts: &mut Vec<f64>,
        (inertias, armatures): (&mut Vec<f64>, &[f64]),
        nodes: usize,
    ) -> bool {
        efforts.clear();
        efforts.resize(nodes, 0.0);
        let mut has_changed = inertias.len() != nodes;
        inertias.resize(nodes, 0.0);
        for entry in &self.joints {
            let (mut effort, mut inertia) = (0.0, armatures.get(entry.node).copied().unwrap_or(0.0));
            for line in &entry.lines {
                let (own, own_inertia) = line.effort_and_inertia(h, entry.motion.rate);
                effort += own - own_inertia * entry.motion.bias;
                inertia += own_inertia;
            }
            efforts[entry.node] = effort;
            has_changed |= inertias[entry.node] != inertia;
            inertias[entry.node] = inertia;
        }
        has_changed
    }

    /// Moves efforts to and from their limits by the solution of the last solve. Returns whether it must
    /// be repeated.
    pub(crate) fn update_limits(&mut self, acc: &[f64], h: f64) -> bool {
        self.update_limits_by(h, of_slice(acc))
    }

    /// [`update_limits`](JointEfforts::update_limits) by the accelerations that a function of a body and of
    /// the start of its velocities gives.
    #[inline(always)]
    pub(crate) fn update_limits_by(&mut self, h: f64, acc_of: impl Fn(usize, usize) -> Six) -> bool {
        self.rounds += 1;
        if self.rounds > MOST_ROUNDS || !self.has_limits {
            return false;
        }
        let mut has_changed = false;
        let is_limited = |line: &LineInStep| line.line.limit.is_finite();
        for entry in self.joints.iter_mut().filter(|entry| entry.lines.iter().any(is_limited)) {
            let s = entry.acceleration(&acc_of);
            for line in entry.lines.iter_mut().filter(|line| line.line.limit.is_finite()) {
                let limit = line.limit_beyond(h, entry.motion.rate, s);
                if limit != line.limit {
                    // From one limit to the other the way leads over the line between them.
                    line.limit = if line.limit.is_none() { limit } else { None };
                    has_changed = true;
                }
            }
        }
        has_changed
    }

    /// Refuses an explicit step that is too long for the damping or stiffness of a joint.
    pub(crate) fn check_explicit(
        &self,
        model: &Model,
        nodes: &[Node],
        h: f64,
        time: f64,
    ) -> Result<(), StepError> {
        if self.is_implicit {
            return Ok(());
        }
        for entry in &self.joints {
            let inertia = nodes[entry.node].inertia_along_freedom();
            let sum = |each: fn(&EffortLine) -> f64| {
                entry
                    .lines
                    .iter()
                    .filter(|line| line.limit.is_none())
                    .map(|line| each(&line.line))
                    .sum::<f64>()
            };
            let (stiffness, damping) = (sum(|line| line.stiffness), sum(|line| line.damping));
            let by_damping = UNSTABLE_DAMPING * inertia / damping;
            let by_stiffness = libm::sqrt(UNSTABLE_STIFFNESS * inertia / stiffness);
            let most = if by_damping < by_stiffness { by_damping } else { by_stiffness };
            if h > most {
                return Err(StepError::StiffJoint {
                    joint: model.joints[entry.joint].name.clone(),
                    h,
                    most,
                    time,
                });
            }
        }
        Ok(())
    }

    /// Adds the powers of all efforts at the solution.
    pub(crate) fn book(&self, acc: &[f64], h: f64, out: &mut LedgerRate) {
        self.book_by(h, out, of_slice(acc));
    }

    /// [`book`](JointEfforts::book) by the accelerations that a function of a body and of the start of its
    /// velocities gives.
    #[inline(always)]
    pub(crate) fn book_by(&self, h: f64, out: &mut LedgerRate, acc_of: impl Fn(usize, usize) -> Six) {
        for entry in self.joints.iter().filter(|entry| !entry.lines.is_empty()) {
            let s = entry.acceleration(&acc_of);
            entry.lines.iter().for_each(|line| line.book(h, entry.motion.rate, s, out));
        }
    }
}

/// [`JointEfforts::evaluate`], compiled for the vector unit.
struct EvaluateEfforts<'w> {
    efforts: &'w mut JointEfforts,
    model: &'w Model,
    motions: &'w [Motion],
    state: &'w State,
    h: f64,
}

impl Task for EvaluateEfforts<'_> {
    type Output = Result<(), StepError>;
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.efforts.evaluate_within(self.model, self.motions, self.state, self.h)
    }
}

/// Accelerations in an array of all velocities.
#[inline(always)]
fn of_slice(acc: &[f64]) -> impl Fn(usize, usize) -> Six {
    |_, at| acc.get(at..at + 6).map_or(Six::ZERO, Six::from_slice)
}

/// The system with its legs, if an elimination at the initial pose of the model finds that their freedoms span
/// the rows of their loop-closure joints (`cardan_solve`, `loops/symbolic.rs`), otherwise without. A rod between
/// two spherical joints is no leg: its own rotation does not move its end.
pub(crate) fn with_spanning_legs(
    model: &Model,
    settings: &Settings,
    mut articulated: ArticulatedSystem,
) -> Option<ArticulatedSystem> {
    if !articulated.forest.may_have_legs() {
        return Some(articulated);
    }
    initial_inertias(model, &mut articulated);
    match articulated.forest.has_legs() {
        true => Some(articulated),
        false => ArticulatedSystem::without_legs(model, settings),
    }
}

/// Inertia along the first freedom of each node at the initial pose of a model, from an elimination
/// there; zero where there is none.
pub(crate) fn initial_inertias(model: &Model, articulated: &mut ArticulatedSystem) -> Vec<f64> {
    let mut motions = Motions::new(model);
    write_motions(model, model.initial_state(), &mut motions);
    articulated.clear_joint_efforts();
    articulated.factored.clear();
    articulated.write_closures(model, &motions, RowsWanted::BiasOfOpen);
    let ArticulatedSystem { forest, body_nodes, result_slots, .. } = articulated;
    let outcome = forest.factor(&mut MotionFill::<FACTOR_ONLY> {
        model,
        body_nodes,
        result_slots,
        motions: &motions,
        extra: None,
        efforts: &[],
        acc: &mut [],
        finite_check: FiniteCheck::default(),
    });
    let inertia = |node: &Node| {
        let inertia = node.inertia_along_freedom();
        if outcome.is_ok() && inertia.is_finite() { inertia } else { 0.0 }
    };
    forest.nodes().iter().map(inertia).collect()
}
