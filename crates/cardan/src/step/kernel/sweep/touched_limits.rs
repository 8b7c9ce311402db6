//! Steps on joint coordinates in which limits of hinges become active or are released.
//!
//! A step is taken in phases, as in `integrate/events/`, but on joint coordinates and without a Delassus
//! matrix: active limits are locked freedoms (`dynamics/locked_freedoms.rs`).
//!
//! ```text
//! impact    hinges that reached a limit at speed: velocities jump, other active limits locked
//! set       of the limits on which a hinge rests: 0 ≤ λ ⟂ a ≥ 0 for the rest of the step, by principal pivoting
//! rewind    if another limit is passed: to the first activation, where its hinge is put onto the limit
//! ```
//!
//! **First activation.** A step of length t leads to the gap g + t ġ + t² a, with an acceleration a that
//! depends on t by implicit efforts alone. The first trials give a, and the least root of all limits is the
//! next t: without implicit efforts that is it. With them the root is bracketed and found by chords.
//!
//! **Impact.** Velocity jumps solve the equations of accelerations without forces. A locked freedom of which
//! γ = N Δ has the jump Δ, and its impulse is read like the force of a limit. Newton's law with Δ = −(1 + e)
//! ṗ is exact for one limit, and for several without restitution. Other impacts (several limits of which one
//! rebounds, Poisson's law) are left to the general path, as are steps that it takes many phases to finish.

use crate::math::{Six, Sym6, Vec3, larger};
use crate::model::Model;
use crate::settings::{RestitutionLaw, Settings};
use crate::state::State;
use crate::step::StepReport;
use crate::step::articulated::tree_joint::HingeOrBall;
use crate::step::contact::{ContactKey, Event, EventKind};
use crate::step::dynamics::locked_freedoms::{Exchange, LOCKED, PULLS, Pivoting};
use crate::step::kernel::sweep::efforts::LaneEfforts;
use crate::step::kernel::sweep::limits::{HingeLimit, force_of};
use crate::step::kernel::sweep::reduced::turned;
use crate::step::kernel::sweep::{LaneNode, LaneOutcome, Layout, MechanismLanes, SameLane, freedom};
use crate::tolerances::{CONTACT_GAP, NO_TIME};
use cardan_solve::articulated::{FillNodes, Node, NodeExtra, NodeInput, ROOT_LOADS};

/// Phases after which the general path takes the step.
const MOST_PHASES: u32 = 40;
/// Trials to find the first activation.
const MOST_TRIALS: u32 = 48;
/// A gap up to this is closed at any speed; the hinge is then put onto its limit \[rad\].
const ARRIVED: f64 = 1e-13;
/// A rate up to this is rest \[rad/s\].
const REST: f64 = 1e-13;
/// Phases of one step after which rates up to the threshold of restitution are rest; after twice and three
/// times as many up to ten and a hundred times that (as in `integrate/events/chatter.rs`). Impacts that open
/// other limits, which close again at once, have no last one.
const CHATTER: u32 = 6;

/// Scratch of such steps.
#[derive(Debug)]
pub(super) struct TouchedLimits {
    restitution_threshold: f64,
    is_newton: bool,
    /// The rate up to which a hinge rests in this phase \[rad/s\].
    rest: f64,
    /// By limit: whether its gap is closed in this phase; whether its hinge may rest on it; whether it was
    /// active.
    closed: Vec<bool>,
    candidates: Vec<bool>,
    was_active: Vec<bool>,
    /// By limit: rate of its gap before an impact.
    approach: Vec<f64>,
    /// By node: velocity jumps of locked freedoms.
    jumps: Vec<f64>,
    /// Events of this step.
    pub(super) log: Vec<Event>,
    /// Eliminations of this step.
    pub(super) solves: u64,
}

impl TouchedLimits {
    pub(super) fn new(settings: &Settings) -> Self {
        TouchedLimits {
            restitution_threshold: settings.restitution_threshold,
            is_newton: settings.restitution_law == RestitutionLaw::Newton,
            rest: REST,
            closed: Vec::new(),
            candidates: Vec::new(),
            was_active: Vec::new(),
            approach: Vec::new(),
            jumps: Vec::new(),
            log: Vec::new(),
            solves: 0,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.closed.capacity()
            + self.candidates.capacity()
            + self.was_active.capacity()
            + (self.approach.capacity() + self.jumps.capacity()) * size_of::<f64>()
            + self.log.capacity() * size_of::<Event>()
    }

    /// Takes a step of `h` from a state that is loaded. `None` if it is left to the general path; the lanes
    /// must be loaded again then.
    pub(super) fn step(
        &mut self,
        lanes: &mut MechanismLanes<f64>,
        (model, state): (&Model, &State),
        h: f64,
    ) -> Option<StepReport> {
        let report = self.take_phases(lanes, (model, state), h);
        lanes.list_active();
        // A hinge may have been put onto its limit at the very end.
        lanes.refresh_poses();
        report
    }

    fn take_phases(
        &mut self,
        lanes: &mut MechanismLanes<f64>,
        (model, state): (&Model, &State),
        h: f64,
    ) -> Option<StepReport> {
        self.log.clear();
        self.solves = 0;
        let limits = lanes.efforts.as_ref()?.limits.of(0).len();
        for flags in [&mut self.closed, &mut self.candidates, &mut self.was_active] {
            flags.clear();
            flags.resize(limits, false);
        }
        for i in 0..limits {
            self.was_active[i] = lanes.is_active(i);
        }
        let (mut report, mut left) = (StepReport::default(), h);
        for phase in 0..MOST_PHASES {
            self.rest = match phase / CHATTER {
                0 => REST,
                1 => self.restitution_threshold,
                2 => 10.0 * self.restitution_threshold,
                _ => 100.0 * self.restitution_threshold,
            };
            let now = state.time + (h - left);
            self.find_closed(lanes)?;
            self.resolve_impacts(lanes, model, now)?;
            self.find_candidates(lanes);
            self.stop_chatter(lanes)?;
            let (passed, taken) = self.advance(lanes, (model, state), (h, left))?;
            self.record_changes(lanes, model, now);
            report.include(&StepReport {
                position_error: taken.position_error,
                velocity_error: taken.velocity_error,
                equation_residual: taken.equation_residual,
                size: passed,
                steps: 1,
                ..StepReport::default()
            });
            left -= passed;
            if left <= NO_TIME * h {
                report.size = h;
                if !lanes.certifies {
                    report.equation_residual = f64::NAN;
                }
                return Some(report);
            }
        }
        None
    }

    /// Finds the limits that are closed at the present state; `None` if one is violated.
    fn find_closed(&mut self, lanes: &mut MechanismLanes<f64>) -> Option<()> {
        for i in 0..self.closed.len() {
            let (gap, rate) = lanes.gap(i, lanes.now);
            let is_fast = rate < -self.restitution_threshold;
            if gap < -CONTACT_GAP || lanes.range(i) <= 4.0 * CONTACT_GAP {
                return None;
            }
            self.closed[i] = gap <= if is_fast { ARRIVED } else { CONTACT_GAP };
        }
        Some(())
    }

    /// Lets hinges that approach a closed limit collide with it.
    fn resolve_impacts(&mut self, lanes: &mut MechanismLanes<f64>, model: &Model, now: f64) -> Option<()> {
        self.approach.clear();
        self.approach.extend((0..self.closed.len()).map(|i| lanes.gap(i, lanes.now).1));
        let hits = |it: &Self, i: usize| it.closed[i] && it.approach[i] < -it.rest;
        if !(0..self.closed.len()).any(|i| hits(self, i)) {
            return Some(());
        }
        let mut touching = (0..self.closed.len()).filter(|&i| self.closed[i]);
        let is_single = self.closed.iter().filter(|closed| **closed).count() == 1;
        if !self.is_newton || (!is_single && touching.any(|i| lanes.limit(i).restitution > 0.0)) {
            return None;
        }
        for i in 0..self.closed.len() {
            lanes.set_active(i, self.closed[i] && self.approach[i] <= REST);
        }
        let mut pivoting = Pivoting::new();
        loop {
            self.write_jumps(lanes);
            self.solves += 1;
            lanes.solve_impact(&self.jumps)?;
            let most = (0..self.closed.len()).filter(|&i| lanes.is_active(i));
            let most = most.fold(0.0, |most, i| larger(most, lanes.impulse(i).abs()));
            let is_wrong = |lanes: &MechanismLanes<f64>, i: usize| match lanes.is_active(i) {
                true => lanes.impulse(i) < -PULLS * most,
                false => self.closed[i] && self.approach[i] + lanes.limit(i).side * lanes.jump(i) < -REST,
            };
            if !lanes.exchange(&mut pivoting, self.closed.len(), is_wrong)? {
                break;
            }
        }
        for i in 0..self.closed.len() {
            if self.closed[i] && self.approach[i] < -self.restitution_threshold {
                let key = ContactKey::Declared(lanes.limit(i).inequality);
                let impulse = if lanes.is_active(i) { lanes.impulse(i) } else { 0.0 };
                let speed = self.approach[i];
                let (subject, kind) = (key.subject(model), EventKind::Limit);
                self.log.push(Event { time: now, subject, kind, speed, impulse });
            }
        }
        lanes.apply_impact(&self.jumps);
        Some(())
    }

    /// Writes the jumps of locked freedoms: to rest, or to what restitution leaves.
    fn write_jumps(&mut self, lanes: &MechanismLanes<f64>) {
        self.jumps.clear();
        self.jumps.resize(lanes.acc.len(), 0.0);
        for i in (0..self.closed.len()).filter(|&i| lanes.is_active(i)) {
            let limit = lanes.limit(i);
            let is_fast = self.approach[i] < -self.restitution_threshold;
            let e = if is_fast { limit.restitution } else { 0.0 };
            self.jumps[limit.node as usize] = -(1.0 + e) * self.approach[i] * limit.side;
        }
    }

    /// Finds the limits on which a hinge may rest in this phase. The others are not active.
    fn find_candidates(&mut self, lanes: &mut MechanismLanes<f64>) {
        for i in 0..self.closed.len() {
            self.candidates[i] = self.closed[i] && lanes.gap(i, lanes.now).1 <= self.rest;
            if !self.candidates[i] {
                lanes.set_active(i, false);
            }
        }
    }

    /// Stops hinges that count as resting on their limits though they move: an impact without rebound, in which the
    /// limits may pull, so that what they lose is booked as heat and as impulse of the ground.
    fn stop_chatter(&mut self, lanes: &mut MechanismLanes<f64>) -> Option<()> {
        let moves = |it: &Self, lanes: &MechanismLanes<f64>, i: usize| {
            it.candidates[i] && lanes.gap(i, lanes.now).1.abs() > REST
        };
        if self.rest <= REST || !(0..self.candidates.len()).any(|i| moves(self, lanes, i)) {
            return Some(());
        }
        self.jumps.clear();
        self.jumps.resize(lanes.acc.len(), 0.0);
        for i in 0..self.candidates.len() {
            if self.candidates[i] {
                let limit = lanes.limit(i);
                self.jumps[limit.node as usize] = -limit.side * lanes.gap(i, lanes.now).1;
                lanes.set_active(i, true);
            }
        }
        self.solves += 1;
        lanes.solve_impact(&self.jumps)?;
        lanes.apply_impact(&self.jumps);
        Some(())
    }

    /// Advances to the first activation within `left`, or to its end. Returns the time that has passed.
    fn advance(
        &mut self,
        lanes: &mut MechanismLanes<f64>,
        (model, state): (&Model, &State),
        (h, left): (f64, f64),
    ) -> Option<(f64, LaneOutcome<f64>)> {
        let mut passed = left;
        // Ends of the bracket: time and least gap of the limits that are not active.
        let (mut low, mut high) = ((0.0, self.least_gap(lanes, lanes.now)), None);
        let mut was_passed = None;
        for trial in 0..MOST_TRIALS {
            let end = state.time + if passed == left { h } else { (h - left) + passed };
            let taken = self.trial(lanes, (model, state), (passed, end))?;
            let next = lanes.now ^ 1;
            let arrives = |lanes: &MechanismLanes<f64>, i: usize| {
                let (gap, rate) = lanes.gap(i, next);
                gap <= ARRIVED && rate < 0.0
            };
            let least = self.least_gap(lanes, next);
            let has_arrived = self.others().any(|i| arrives(lanes, i));
            if least >= -ARRIVED && (passed == left || has_arrived) {
                if taken.fallback {
                    return None;
                }
                for i in self.others() {
                    if arrives(lanes, i) {
                        lanes.put_onto(i, next);
                    }
                }
                lanes.accept();
                if has_arrived {
                    (lanes.knows_axes, lanes.is_factored) = (false, false);
                }
                return Some((passed, taken));
            }
            let root = |i: usize| first_root(lanes.gap(i, lanes.now), lanes.gap(i, next).1, passed);
            let roots = self.others().filter_map(root);
            let first = roots.fold(f64::INFINITY, |first, root| if root < first { root } else { first });
            // Illinois: the value of an end that stays a second time is halved.
            let weight = if was_passed == Some(least < 0.0) { 0.5 } else { 1.0 };
            was_passed = Some(least < 0.0);
            if least < 0.0 {
                low.1 *= weight;
                high = Some((passed, least));
            } else {
                high = high.map(|(at, gap)| (at, weight * gap));
                low = (passed, least);
            }
            let (to, below) = high?;
            let by_chord = low.0 + (to - low.0) * (low.1 / (low.1 - below));
            let middle = 0.5 * (low.0 + to);
            passed = if trial < 2 { first } else { by_chord };
            if trial % 6 == 5 || !(passed > low.0 && passed < to) {
                passed = middle;
            }
        }
        None
    }

    /// Limits on which no hinge may rest in this phase.
    fn others(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.closed.len()).filter(|&i| !self.candidates[i])
    }

    /// The least gap of these in a buffer.
    fn least_gap(&self, lanes: &MechanismLanes<f64>, buffer: usize) -> f64 {
        let gaps = self.others().map(|i| lanes.gap(i, buffer).0);
        gaps.fold(f64::INFINITY, |least, gap| if gap < least { gap } else { least })
    }

    /// One step of `passed` that ends at the time `end`, with the active set that belongs to it.
    fn trial(
        &mut self,
        lanes: &mut MechanismLanes<f64>,
        (model, state): (&Model, &State),
        (passed, end): (f64, f64),
    ) -> Option<LaneOutcome<f64>> {
        let mut pivoting = Pivoting::new();
        loop {
            if !lanes.prepare_efforts(model, state, end) {
                return None;
            }
            self.solves += 1;
            let taken = lanes.step(passed, true);
            if taken.fallback && !taken.at_limits {
                return None;
            }
            let next = lanes.now ^ 1;
            let is_wrong = |lanes: &MechanismLanes<f64>, i: usize| match lanes.is_active(i) {
                true => lanes.pulls(i),
                false => self.candidates[i] && lanes.gap(i, next).0 < 0.0,
            };
            if !lanes.exchange(&mut pivoting, self.candidates.len(), is_wrong)? {
                return Some(taken);
            }
        }
    }

    /// Logs which limits became active and which were released.
    fn record_changes(&mut self, lanes: &MechanismLanes<f64>, model: &Model, now: f64) {
        for kind in [EventKind::Released, EventKind::Activated] {
            for i in 0..self.was_active.len() {
                let (was, is) = (self.was_active[i], lanes.is_active(i));
                let has_changed = if kind == EventKind::Released { was && !is } else { is && !was };
                if has_changed {
                    let subject = ContactKey::Declared(lanes.limit(i).inequality).subject(model);
                    self.log.push(Event { time: now, subject, kind, speed: 0.0, impulse: 0.0 });
                    self.was_active[i] = is;
                }
            }
        }
    }
}

/// The least time at which a gap and its rate lead to zero, if a step of `passed` ends with the rate `end`:
/// the least positive root of g + t ġ + t² a.
fn first_root((gap, rate): (f64, f64), end: f64, passed: f64) -> Option<f64> {
    let a = (end - rate) / passed;
    let discriminant = rate * rate - 4.0 * a * gap;
    if discriminant < 0.0 || discriminant.is_nan() {
        return None;
    }
    let q = -0.5 * (rate + if rate < 0.0 { -discriminant.sqrt() } else { discriminant.sqrt() });
    let roots = [q / a, gap / q].into_iter().filter(|root| *root > 0.0);
    roots.reduce(|least, root| if root < least { root } else { least })
}

/// One mechanism in a lane, limit by limit.
impl MechanismLanes<f64> {
    /// Its efforts and limits; there are some.
    fn limit(&self, i: usize) -> HingeLimit {
        self.efforts.as_ref().map_or_else(HingeLimit::default, |efforts| efforts.limits.of(0)[i])
    }
    /// Value of the angle at a limit (rad).
    fn limit_value(&self, limit: &HingeLimit) -> f64 {
        self.efforts.as_ref().map_or(f64::NAN, |efforts| {
            let entry = &efforts.nodes[limit.node as usize];
            if limit.side > 0.0 { entry.low } else { entry.high }
        })
    }
    /// Range of the angle at the hinge of a limit (rad).
    fn range(&self, i: usize) -> f64 {
        let node = self.limit(i).node as usize;
        self.efforts.as_ref().map_or(0.0, |efforts| efforts.nodes[node].high - efforts.nodes[node].low)
    }
    /// Gap of a limit and its rate in a buffer.
    fn gap(&self, i: usize, buffer: usize) -> (f64, f64) {
        let limit = self.limit(i);
        let (angle, rate) = self.reduced_joints[limit.node as usize].hinge(buffer);
        (limit.side * (angle - self.limit_value(&limit)), limit.side * rate)
    }
    /// Puts the hinge of a limit onto it, in a buffer.
    fn put_onto(&mut self, i: usize, buffer: usize) {
        let limit = self.limit(i);
        let value = self.limit_value(&limit);
        self.reduced_joints[limit.node as usize].set_angle(buffer, value);
    }
    fn is_active(&self, i: usize) -> bool {
        let limit = self.limit(i);
        self.efforts.as_ref().is_some_and(|efforts| efforts.nodes[limit.node as usize].side == limit.side)
    }
    /// Makes a limit active or not; the other limit of its hinge is left as it is if this one is not active.
    fn set_active(&mut self, i: usize, is_active: bool) {
        let limit = self.limit(i);
        if self.is_active(i) != is_active
            && let Some(efforts) = &mut self.efforts
        {
            efforts.nodes[limit.node as usize].side = if is_active { limit.side } else { 0.0 };
            self.is_factored = false;
        }
    }
    /// Exchanges limits on the wrong side. Returns whether there were some; `None` if that does not end.
    fn exchange(
        &mut self,
        pivoting: &mut Pivoting,
        count: usize,
        is_wrong: impl Fn(&Self, usize) -> bool,
    ) -> Option<bool> {
        let wrong = (0..count).filter(|&i| is_wrong(self, i)).count();
        let most = match pivoting.next(wrong)? {
            Exchange::Nothing => return Some(false),
            Exchange::All => usize::MAX,
            Exchange::First => 1,
        };
        let mut done = 0;
        // By the solution, which the exchange does not touch.
        for i in 0..count {
            if done < most && is_wrong(self, i) {
                self.set_active(i, !self.is_active(i));
                done += 1;
            }
        }
        Some(true)
    }
    /// Lists the active limits.
    fn list_active(&mut self) {
        if let Some(LaneEfforts { limits, nodes, .. }) = self.efforts.as_deref_mut() {
            limits.take_sides(0, nodes);
        }
    }
    /// Prepares the efforts for a step that ends at `end`, and the list of active limits.
    fn prepare_efforts(&mut self, model: &Model, state: &State, end: f64) -> bool {
        self.list_active();
        self.prepare(0, model, state, end)
    }
    /// Whether an active limit pulled in the last step.
    fn pulls(&self, i: usize) -> bool {
        let limit = self.limit(i);
        let (force, noise) = force_of(limit.side, &self.forest.nodes()[limit.node as usize]);
        -force > noise
    }
    /// Jump of an angle's rate in the last impact.
    fn jump(&self, i: usize) -> f64 {
        self.forest.nodes()[self.limit(i).node as usize].first_answer
    }
    /// Impulse of an active limit in the last impact \[N·m·s\].
    fn impulse(&self, i: usize) -> f64 {
        let limit = self.limit(i);
        -limit.side * LOCKED * self.forest.nodes()[limit.node as usize].first_answer
    }

    /// Solves for velocity jumps at the present pose, those of locked freedoms given. `None` if a pivot
    /// vanishes.
    fn solve_impact(&mut self, jumps: &[f64]) -> Option<()> {
        self.refresh_poses();
        self.is_factored = false;
        let MechanismLanes { lane_nodes, forest, efforts, now, .. } = self;
        let efforts = efforts.as_deref()?;
        forest.factor(&mut ImpactFill { lane_nodes, buffer: *now & 1, jumps, efforts }).ok()?;
        forest.backward::<ROOT_LOADS>(|at: usize, x: &Six| lane_nodes[at].x = *x);
        Some(())
    }

    /// Applies the jumps of the last impact, and books the energy that is lost and the impulse of the ground.
    fn apply_impact(&mut self, jumps: &[f64]) {
        let (force, moment) = self.ground_load();
        self.ledger.impulse += force;
        self.ledger.angular_impulse += moment;
        let now = self.now & 1;
        for at in 0..self.reduced_joints.len() {
            let topology = self.lane_nodes[at].topology;
            let x = self.lane_nodes[at].x;
            if !topology.has_joint {
                let motion = &mut self.lane_nodes[at].motion[now];
                motion.vel += x.lin;
                motion.omega += x.ang;
                continue;
            }
            if topology.joint.is_hinge {
                let side = self.efforts.as_ref().map_or(0.0, |efforts| efforts.nodes[at].side);
                let answer = self.forest.nodes()[at].first_answer;
                let (_, before) = self.reduced_joints[at].hinge(now);
                let mut after = before + answer;
                if side != 0.0 {
                    after = before + jumps[at];
                    // Rest is exact.
                    after = if after.abs() <= REST { 0.0 } else { after };
                    // Half the impulse times both rates: kinetic energy that the limit takes.
                    self.ledger.energy.heat += 0.5 * LOCKED * answer * (before + after);
                }
                self.reduced_joints[at].set_rate(now, Vec3::new(after, 0.0, 0.0));
            } else {
                let parent = SameLane.parent_acceleration(&self.lane_nodes, at).ang;
                let (a, b) = topology.joint.sides(x.ang, parent);
                let parent = SameLane.parent_motion(&self.lane_nodes, at, now).rot;
                let frame = self.reduced_joints[at].frame_of_a(
                    topology.joint,
                    self.lane_nodes[at].motion[now].rot,
                    parent,
                );
                let rate = self.reduced_joints[at].rate(now) + turned(frame.inverse(), b - a);
                self.reduced_joints[at].set_rate(now, rate);
            }
        }
        (self.knows_axes, self.is_factored) = (false, false);
    }
}

/// Input of the elimination for velocity jumps: no forces, and γ = N Δ of locked freedoms.
struct ImpactFill<'w> {
    lane_nodes: &'w [LaneNode<f64>],
    buffer: usize,
    jumps: &'w [f64],
    efforts: &'w LaneEfforts<f64>,
}

impl FillNodes<f64> for ImpactFill<'_> {
    fn fill_node(&mut self, at: usize, node: &mut Node, _: &mut NodeExtra) {
        let lane_node = &self.lane_nodes[at];
        (node.diag, node.force) =
            (Sym6::of_mass(lane_node.params.mass, lane_node.inertia[self.buffer]), Six::ZERO);
    }
    fn input<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        _: &mut Node,
        _: &mut NodeExtra,
    ) -> NodeInput {
        let lane_node = &self.lane_nodes[at];
        let joint = HingeOrBall { is_hinge: !BALL, onto_b: !TURNED, ..lane_node.topology.joint };
        let own = &lane_node.motion[self.buffer];
        let parent = &*SameLane.parent_motion(self.lane_nodes, at, self.buffer);
        let (a, b) = joint.sides(own, parent);
        let first = freedom(joint, &lane_node.frames[self.buffer], a, b);
        let mut input = NodeInput {
            mass: lane_node.params.mass,
            inertia: lane_node.inertia[self.buffer],
            shift: own.pos - parent.pos,
            first,
            ..NodeInput::default()
        };
        if !BALL {
            input.gamma = first.scaled(self.jumps[at]);
            input.joint_inertia = self.efforts.nodes[at].side.abs() * LOCKED;
        }
        input
    }
}
