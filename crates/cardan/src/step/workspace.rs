//! Scratch of a step: reusable, and may be dropped at any time without losing a bit of the result.

use crate::body::general::Motions;
use crate::body::{FrameMotion, MAX_DIM, Wrench};
use crate::joint::Relative;
use crate::law::Jet;
use crate::math::Six;
use crate::measure::coordinates::TurnCounters;
use crate::model::{Attachment, Model, ModelBody};
use crate::settings::{Coordinates, Elimination, Integrator, RestitutionLaw, Settings, SolverChoice};
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::self_stress::SelfStressBasis;
use crate::step::contact::{ContactSet, EventSubject};
use crate::step::dynamics::joint_coordinates::JointChart;
use crate::step::dynamics::kinematics::frame;
use crate::step::dynamics::lazy_rows::LazyRows;
use crate::step::integrate::dopri5::Dopri5Stages;
use crate::step::integrate::events::EventLocator;
use crate::step::integrate::rattle::RattleScratch;
use crate::step::kernel::level_accel::AccelKernel;
use crate::step::kernel::level_lanes::level_kernel;
use crate::step::kernel::subtree_lanes::{StepKernel, subtree_kernel};
use crate::step::kernel::sweep::reduced::reduced_kernel;
use crate::step_error::{Stage, StepError};
use cardan_solve::{
    AuxiliarySchur, ConjugateGradient, Dense, Dropped, NotATree, ROUNDING_OF_GEOMETRY, Rank, Refiner, Role,
    Solver, Sparse, System, Tree,
};
use std::sync::{Mutex, OnceLock};

/// How much work was done since the workspace was made.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Matrices factored.
    pub factorizations: u64,
    /// Right sides solved for.
    pub solves: u64,
    /// Rounds of projection, and iterations of conjugate gradients.
    pub iterations: u64,
    /// Steps of an adaptive integrator that were tried and done again with a smaller size.
    pub rejected: u64,
    /// Steps of a fixed size that were taken in parts, since as a whole they were too long for the mechanism.
    pub divided: u64,
}

impl WorkCounts {
    /// Both together.
    pub(crate) fn include(&mut self, other: &WorkCounts) {
        self.factorizations = self.factorizations.saturating_add(other.factorizations);
        self.solves = self.solves.saturating_add(other.solves);
        self.iterations = self.iterations.saturating_add(other.iterations);
        self.rejected = self.rejected.saturating_add(other.rejected);
        self.divided = self.divided.saturating_add(other.divided);
    }
}

/// What one evaluation is asked for, handed down to all of its stages.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Evaluation {
    /// Where in the step it is.
    pub(crate) stage: Stage,
    pub(crate) law: MotionLaw,
    pub(crate) motions: MotionSource,
    /// The part of c [s²] whose displacement is solved for in the same sweep, to be taken away before it is measured (`integrate/euler.rs`).
    pub(crate) drift_part: Option<f64>,
}

impl From<Stage> for Evaluation {
    fn from(stage: Stage) -> Self {
        Evaluation { stage, law: MotionLaw::Acceleration, motions: MotionSource::Stage, drift_part: None }
    }
}

/// What forces give.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum MotionLaw {
    /// Accelerations: f = m a.
    Acceleration,
    /// Velocities, f = m v: everything is at rest, and ∂C/∂t stands for J̇ v.
    Velocity,
}

/// Where the poses and velocities of an evaluation are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum MotionSource {
    /// In the coordinates of `Workspace::stage`.
    Stage,
    /// In `Workspace::motions` already, without a copy of the coordinates; whether the factor at hand is of their pose.
    Written { is_factored: bool },
}

/// Scratch and results of the last evaluation.
#[derive(Debug)]
pub struct Workspace {
    /// What is evaluated: coordinates and velocities of one stage.
    pub(crate) stage: State,
    /// What the step leads to.
    pub(crate) next: State,
    // computed by accumulate
    pub(crate) motions: Motions,
    // computed by aim, one per drive
    pub(crate) targets: Vec<Jet>,
    /// Scratch for the integrals of laws.
    pub(crate) sums: Vec<[f64; 2]>,
    // computed by constrain, one per joint
    pub(crate) relatives: Vec<Relative>,
    // computed by accumulate (M, F) and constrain (J, c); on the articulated path there is room for it only once it is written (`open_rows`)
    pub(crate) system: System,
    /// Whether rows (errors, multipliers, one end beside the other, J and c) are those of the last evaluation; after the articulated path they are written when
    /// they are read (`lazy_rows.rs`).
    pub(crate) has_rows: bool,
    pub(crate) lazy_rows: OnceLock<Box<LazyRows>>,
    /// Room for the next ones.
    pub(crate) spare_rows: Mutex<Option<Box<LazyRows>>>,
    pub(crate) lazy_system: OnceLock<Box<System>>,
    /// The articulated path; `solver` answers where there is none.
    pub(crate) articulated: Option<ArticulatedSystem>,
    /// Trees of it side by side, where they are alike.
    pub(crate) step_kernel: Option<Box<dyn StepKernel>>,
    /// Whether that has counted the turns of `next`, too.
    pub(crate) turns_are_current: bool,
    /// Bodies of it side by side, where enough of them can be; once accelerations alone were asked for.
    pub(crate) accel_kernel: Option<Option<Box<dyn AccelKernel>>>,
    /// Which rows (of loop-closure joints, on the articulated path) are kept in this step; goes into its outcome.
    pub(crate) plan: Vec<u8>,
    pub(crate) solver: Option<Solver>,
    /// Which rows `solver` does without, by the plan; what was tolerated when that was decided.
    pub(crate) idle: Vec<bool>,
    pub(crate) tolerance: f64,
    /// For questions about redundant rows, made when first needed.
    pub(crate) geometry: Option<Box<Rank>>,
    /// Scratch of the plan: dependencies of rows.
    pub(crate) circuits: Vec<f64>,
    /// A length of the mechanism, beside which angles are judged [m].
    pub(crate) length: f64,
    /// The way between joint coordinates and poses, where the former are integrated.
    pub(crate) chart: Option<Box<JointChart>>,
    pub(crate) refiner: Option<Refiner>,
    /// Number of rows.
    rows: usize,
    // computed by constrain, one per row
    pub(crate) err: Vec<f64>,
    pub(crate) err_rate: Vec<f64>,
    pub(crate) err_scale: Vec<f64>,
    pub(crate) err_rate_scale: Vec<f64>,
    pub(crate) time_rate: Vec<f64>,
    // computed by multipliers
    pub(crate) acc: Vec<f64>,
    pub(crate) lambda: Vec<f64>,
    pub(crate) equation_residual: f64,
    // computed after the articulated path, where rows are redundant
    pub(crate) stresses: SelfStressBasis,
    pub(crate) pushes: Vec<Six>,
    // scratch of multipliers
    pub(crate) sizes: Vec<f64>,
    // scratch of propagate and stabilise
    pub(crate) shift: Vec<f64>,
    pub(crate) shift_rate: Vec<f64>,
    pub(crate) shift_sum: Vec<f64>,
    pub(crate) acc_sum: Vec<f64>,
    /// Accelerations of the first three stages of the last step of RK4.
    pub(crate) stage_acc: [Vec<f64>; 3],
    /// Whether that is the law of motion.
    pub(crate) is_first_order: bool,
    /// Scratch of it: a state at rest.
    pub(crate) rest_state: Option<Box<State>>,
    /// Whether `motions` are those of the state that the last step led to.
    pub(crate) motions_are_current: bool,
    /// Whether a constraint moves in time.
    pub(crate) has_timed_constraints: bool,
    /// Whether the step under way passes a pose where a loop loses rank.
    pub(crate) passes_singular_pose: bool,
    /// Where a step began that is taken in parts; made when first needed.
    pub(crate) substep_origin: Option<Box<State>>,
    pub(crate) zero_force: Vec<f64>,
    pub(crate) row_rhs: Vec<f64>,
    pub(crate) row_solution: Vec<f64>,
    /// Inequalities: what presses, and scratch; none if the model has none.
    pub(crate) contacts: Option<Box<ContactSet>>,
    /// Scratch of events, made when first needed, and what happened.
    pub(crate) events: Option<Box<EventLocator>>,
    /// What blows of the model did, since it was last asked.
    pub(crate) impulse_records: Vec<crate::impulse::ImpulseRecord>,
    // scratch of integrators, made when first needed
    pub(crate) dopri5: Option<Box<Dopri5Stages>>,
    pub(crate) rattle: Option<Box<RattleScratch>>,
    // what of the model the turns are followed by
    pub(crate) turning: TurnCounters,
    // scratch of user constraints and forces
    pub(crate) frames: Vec<FrameMotion>,
    pub(crate) wrenches: Vec<Wrench>,
    /// Scratch as long as the widest general body, or a plain one.
    pub(crate) pull: Vec<f64>,
    pub(crate) counts: WorkCounts,
}

/// A system without numbers whose unknowns compare: turns beside displacements at the end of an arm of `length`, rounded to a
/// power of two so that nothing else is.
fn system(model: &Model, length: f64) -> System {
    let mut system = System::new(model.graph.clone());
    write_units(model, length, &mut system);
    system
}

/// The units of its unknowns alone.
pub(crate) fn write_units(model: &Model, length: f64, system: &mut System) {
    let turn = 1.0 / libm::exp2(libm::round(libm::log2(length)));
    for body in &model.bodies {
        let units = &mut system.units_mut()[model.graph.block_range(body.block)];
        if let Some(general) = &body.general {
            for (out, unit) in units.iter_mut().zip(&general.units) {
                *out = 1.0 / libm::exp2(libm::round(libm::log2(*unit)));
            }
            continue;
        }
        let linear = if body.kind.is_planar() { 2 } else { 3 };
        units[linear..].fill(if turn.is_finite() && turn > 0.0 { turn } else { 1.0 });
    }
}

/// The sparse solver, where loops share so much that the articulated path would cost more. By counts alone.
fn cheaper_sparse(articulated: &ArticulatedSystem, model: &Model) -> Option<Solver> {
    // Multiplications of loops per body up to which nothing is compared: the articulated path is then surely the better one.
    const LITTLE: u64 = 50_000;
    // What one multiplication of the sparse solver costs beside one in the fronts of loops, which are small and dense: measured on
    // nets of 256 to 1024 bodies.
    const DEARER: u64 = 5;
    let cost = articulated.cost_of_loops();
    if cost <= LITTLE * model.bodies.len() as u64 {
        return None;
    }
    let sparse = Sparse::new(&model.graph);
    (DEARER * sparse.predicted_cost() < cost).then_some(Solver::Sparse(sparse))
}

/// What pushes and never pulls, by its name.
fn first_inequality(model: &Model) -> String {
    let declared = model.inequalities.first().map(|_| EventSubject::Inequality(0));
    let rubs = || model.frictions.first().map(|_| EventSubject::Friction(0));
    declared.or_else(rubs).unwrap_or(EventSubject::Contact([0, 1])).name(model)
}

impl Workspace {
    /// Scratch for a model; fails only if a solver is asked for that cannot answer it.
    pub fn new(model: &Model, settings: &Settings) -> Result<Self, StepError> {
        settings.check_geometry()?;
        if settings.restitution_law == RestitutionLaw::Poisson
            && settings.integrator == Integrator::TimeStepping
        {
            return Err(StepError::OnlyNewton);
        }
        if !model.impulses.is_empty() && settings.integrator == Integrator::FirstOrder {
            return Err(StepError::NoImpulses);
        }
        if model.has_inequalities() {
            let with = match settings {
                Settings { coordinates: Coordinates::Joints, .. } => Some("joint coordinates"),
                Settings { integrator: Integrator::Rattle, .. } => Some("the integrator `rattle`"),
                _ => None,
            };
            if let Some(with) = with {
                let name = first_inequality(model);
                return Err(StepError::NoInequalities { name, with });
            }
        }
        if let Some(body) = unsupported_body(model, settings) {
            let what = match settings {
                Settings { coordinates: Coordinates::Joints, .. } => "joint coordinates",
                _ => "the integrator `rattle`",
            };
            return Err(StepError::NotForKind { what, body: body.name.clone(), kind: body.kind.name() });
        }
        let fast = matches!(settings.solver, SolverChoice::Auto | SolverChoice::Tree)
            && settings.elimination == Elimination::Freedoms;
        let graph = &model.graph;
        if fast && let Some(articulated) = ArticulatedSystem::new(model, settings) {
            let is_free = settings.solver == SolverChoice::Auto;
            if is_free && let Some(sparse) = cheaper_sparse(&articulated, model) {
                return Ok(Workspace::with_solver(model, Some(sparse), None).for_coordinates(model, settings));
            }
            let step_kernel = match settings.coordinates {
                Coordinates::Bodies => subtree_kernel(model, settings, &articulated)
                    .or_else(|| level_kernel(model, settings, &articulated)),
                Coordinates::Joints => reduced_kernel(model, settings, &articulated),
            };
            let work = Workspace { step_kernel, ..Workspace::with_solver(model, None, Some(articulated)) };
            return Ok(work.for_coordinates(model, settings));
        }
        let solver = match settings.solver {
            SolverChoice::Auto => Ok(Solver::auto(graph)),
            SolverChoice::Sparse => Solver::on(graph, |graph| Ok(Solver::Sparse(Sparse::new(graph)))),
            SolverChoice::ConjugateGradient => {
                Solver::on(graph, |graph| Ok(Solver::ConjugateGradient(ConjugateGradient::new(graph))))
            }
            SolverChoice::Dense => Solver::on(graph, |graph| Ok(Solver::Dense(Dense::new(graph)))),
            SolverChoice::Tree => tree(model),
        };
        let solver = solver.map_err(|not| {
            let link = not.loops.first().or(not.auxiliary.first());
            let joint = link.map_or(String::new(), |&l| model.name_of_link(l).to_string());
            StepError::NotATree { joint }
        })?;
        if settings.geometry_tolerance > 0.0 {
            return Err(StepError::NoGeometryTolerance { solver: solver.name() });
        }
        Ok(Workspace::with_solver(model, Some(solver), None).for_coordinates(model, settings))
    }

    fn for_coordinates(mut self, model: &Model, settings: &Settings) -> Self {
        self.is_first_order = settings.integrator == Integrator::FirstOrder;
        if settings.coordinates == Coordinates::Joints {
            self.chart = Some(Box::new(JointChart::new(model)));
        }
        self
    }

    /// With the usual settings, which every model can be answered with.
    pub(crate) fn with_default_settings(model: &Model) -> Self {
        match ArticulatedSystem::new(model, &Settings::default()) {
            Some(articulated) => match cheaper_sparse(&articulated, model) {
                Some(sparse) => Workspace::with_solver(model, Some(sparse), None),
                None => Workspace::with_solver(model, None, Some(articulated)),
            },
            None => Workspace::with_solver(model, Some(Solver::auto(&model.graph)), None),
        }
    }

    fn with_solver(model: &Model, solver: Option<Solver>, articulated: Option<ArticulatedSystem>) -> Self {
        let graph = &model.graph;
        let (q, v, rows) = (model.q_len, model.v_len, graph.rows());
        let state = State::zeros(q, v, model.turn_len, model.sum_len, model.plan_len());
        let length = model.length();
        let is_fast = articulated.is_some();
        let sizes = model.constraints.iter().map(|c| (c.frames.len(), c.rows));
        let sizes = sizes.chain(model.forces.iter().map(|f| (f.frames.len(), 1)));
        let widest = sizes.fold((2, 1), |(f, r), (frames, rows)| (f.max(frames), r.max(rows)));
        let mut work = Workspace {
            stage: match is_fast && model.bodies.len() >= crate::step::articulated::LARGE_SYSTEM {
                // Most are asked for what goes straight.
                true => State::zeros(0, 0, model.turn_len, model.sum_len, model.plan_len()),
                false => state.clone(),
            },
            next: state,
            motions: Motions::new(model),
            targets: vec![Jet::default(); model.drives.len()],
            sums: vec![[0.0; 2]; model.sum_len],
            relatives: Vec::new(),
            system: match &articulated {
                Some(_) => System::closed(graph.clone()),
                None => system(model, length),
            },
            has_rows: false,
            lazy_rows: OnceLock::new(),
            spare_rows: Mutex::new(None),
            lazy_system: OnceLock::new(),
            rows,
            articulated,
            step_kernel: None,
            turns_are_current: false,
            accel_kernel: None,
            plan: vec![0; model.plan_len()],
            idle: vec![false; if solver.is_some() { rows } else { 0 }],
            tolerance: ROUNDING_OF_GEOMETRY,
            geometry: None,
            circuits: Vec::new(),
            length,
            refiner: solver.is_some().then(|| Refiner::new(graph)),
            solver,
            chart: None,
            err: Vec::new(),
            err_rate: Vec::new(),
            err_scale: Vec::new(),
            err_rate_scale: Vec::new(),
            time_rate: Vec::new(),
            acc: vec![0.0; v],
            lambda: Vec::new(),
            equation_residual: 0.0,
            stresses: SelfStressBasis::default(),
            pushes: Vec::new(),
            sizes: Vec::new(),
            shift: vec![0.0; v],
            shift_rate: Vec::new(),
            shift_sum: Vec::new(),
            acc_sum: Vec::new(),
            stage_acc: [const { Vec::new() }; 3],
            is_first_order: false,
            rest_state: None,
            motions_are_current: false,
            has_timed_constraints: model.constraints.iter().any(|c| c.rule.is_timed()),
            passes_singular_pose: false,
            contacts: ContactSet::new(model),
            events: None,
            impulse_records: Vec::new(),
            substep_origin: None,
            zero_force: Vec::new(),
            row_rhs: Vec::new(),
            row_solution: Vec::new(),
            dopri5: None,
            rattle: None,
            turning: TurnCounters::new(model),
            frames: vec![FrameMotion::default(); widest.0],
            // Gradients, and what is pushed with.
            wrenches: vec![Wrench::ZERO; 2 * widest.0 * widest.1],
            pull: vec![0.0; model.bodies.iter().map(|body| body.kind.dim()).fold(MAX_DIM, Ord::max)],
            counts: WorkCounts::default(),
        };
        if !is_fast {
            work.open_rows(model);
            work.open_system(model);
        } else if model.has_forces() {
            work.system.open_force();
        }
        if !is_fast || work.contacts.is_some() {
            work.zero_force.resize(v, 0.0);
            work.sizes.resize(v, 0.0);
        }
        work
    }

    /// Makes room for what is written row by row, if there is none yet. On the articulated path a step does without.
    pub(crate) fn open_rows(&mut self, model: &Model) {
        if self.relatives.len() < model.joints.len() || self.err.len() < self.rows {
            self.make_rows(model);
        }
    }

    /// The same for M, F, J and c.
    pub(crate) fn open_system(&mut self, model: &Model) {
        if !self.system.is_open() {
            self.system.open();
            write_units(model, self.length, &mut self.system);
        }
    }

    #[cold]
    fn make_rows(&mut self, model: &Model) {
        let nothing = Relative::new(&FrameMotion::default(), &FrameMotion::default());
        self.relatives.resize(model.joints.len(), nothing);
        for numbers in [
            &mut self.err,
            &mut self.err_rate,
            &mut self.err_scale,
            &mut self.err_rate_scale,
            &mut self.time_rate,
            &mut self.lambda,
            &mut self.row_rhs,
            &mut self.row_solution,
        ] {
            numbers.resize(self.rows, 0.0);
        }
    }

    /// Makes room for the stages of an integrator that sums them up, if there is none yet.
    pub(crate) fn open_stages(&mut self, model: &Model) {
        let [first, second, third] = &mut self.stage_acc;
        for numbers in [&mut self.shift_rate, &mut self.shift_sum, &mut self.acc_sum, first, second, third] {
            numbers.resize(model.v_len, 0.0);
        }
    }

    /// One end of a joint beside the other, by the rows that were written last, or by the motions where none were.
    pub(crate) fn relative(&self, model: &Model, j: usize) -> Relative {
        if self.articulated.is_none() || self.has_rows {
            return self.relatives[j];
        }
        let joint = &model.joints[j];
        Relative::new(&frame(&self.motions, &joint.a), &frame(&self.motions, &joint.b))
    }

    /// What was read of the last evaluation is no longer so.
    pub(crate) fn forget_rows(&mut self) {
        if let (Some(rows), Ok(spare_rows)) = (self.lazy_rows.take(), self.spare_rows.get_mut()) {
            *spare_rows = Some(rows);
        }
        self.lazy_system.take();
    }

    /// Passes through the graph that one solve makes.
    pub(crate) fn passes(&self) -> u64 {
        self.solver.as_ref().map_or(1, |solver| solver.passes_per_solve() as u64)
    }

    /// Memory held by the solver in use, in bytes.
    pub fn solver_bytes(&self) -> usize {
        self.articulated.as_ref().map_or(0, ArticulatedSystem::bytes)
            + self.solver.as_ref().map_or(0, Solver::bytes)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Memory by what it is for.
    pub(crate) fn bytes_by_part(&self) -> Vec<(&'static str, usize)> {
        let numbers = |all: &[&Vec<f64>]| all.iter().map(|v| v.capacity() * size_of::<f64>()).sum::<usize>();
        let rows = [
            &self.err,
            &self.err_rate,
            &self.err_scale,
            &self.err_rate_scale,
            &self.time_rate,
            &self.lambda,
            &self.row_rhs,
            &self.row_solution,
        ];
        let unknowns = [
            &self.acc,
            &self.sizes,
            &self.shift,
            &self.shift_rate,
            &self.shift_sum,
            &self.acc_sum,
            &self.stage_acc[0],
            &self.stage_acc[1],
            &self.stage_acc[2],
            &self.zero_force,
        ];
        let laws = self.targets.capacity() * size_of::<Jet>() + self.sums.capacity() * size_of::<[f64; 2]>();
        let plan = self.plan.capacity()
            + self.idle.capacity()
            + self.circuits.capacity() * size_of::<f64>()
            + self.geometry.as_ref().map_or(0, |geometry| geometry.bytes());
        let integrators = self.dopri5.as_ref().map_or(0, |l| l.bytes())
            + self.rattle.as_ref().map_or(0, |s| s.bytes())
            + self.chart.as_ref().map_or(0, |chart| chart.bytes())
            + self.turning.bytes();
        let kept = [&self.substep_origin, &self.rest_state]
            .into_iter()
            .flatten()
            .map(|state| state.bytes())
            .sum::<usize>();
        let states = self.stage.bytes() + self.next.bytes() + kept;
        let kept_rows = self.lazy_rows.get().map_or(0, |rows| rows.bytes())
            + self.lazy_system.get().map_or(0, |system| system.bytes());
        let mut parts = vec![
            ("states of the stages", states),
            ("poses and velocities of bodies", self.motions.bytes()),
            ("joints: one end beside the other", self.relatives.capacity() * size_of::<Relative>()),
            ("M, F, J, c", self.system.bytes() + self.refiner.as_ref().map_or(0, Refiner::bytes) + kept_rows),
            ("numbers per row", numbers(&rows)),
            ("numbers per unknown", numbers(&unknowns)),
            ("solver", self.solver.as_ref().map_or(0, Solver::bytes)),
            (
                "plan, laws, integrators",
                plan + laws + integrators + self.stresses.bytes() + self.pushes.capacity() * size_of::<Six>(),
            ),
        ];
        parts.extend(self.articulated.iter().flat_map(ArticulatedSystem::bytes_by_part));
        parts.push((
            "trees side by side",
            self.step_kernel.as_ref().map_or(0, |step_kernel| step_kernel.bytes()),
        ));
        parts.push((
            "bodies side by side",
            self.accel_kernel.iter().flatten().map(|accel_kernel| accel_kernel.bytes()).sum(),
        ));
        parts
    }

    /// Name of the solver in use.
    pub(crate) fn solver_name(&self) -> &'static str {
        self.solver.as_ref().map_or("tree", Solver::name)
    }

    /// Rows less those that depend on others, by the last factorisation.
    pub(crate) fn rank(&self) -> usize {
        let rows = self.rows;
        match (&self.articulated, &self.solver) {
            (Some(articulated), _) => rows - articulated.redundant(),
            // Conjugate gradients drop nothing besides.
            (None, Some(Solver::ConjugateGradient(_))) => {
                rows - self.idle.iter().filter(|&&idle| idle).count()
            }
            (None, Some(solver)) => solver.rank(),
            (None, None) => rows,
        }
    }

    /// Rows that the solver found redundant besides those that it was told to do without.
    pub(crate) fn dropped(&self) -> &[Dropped] {
        self.solver.as_ref().map_or(&[], Solver::dropped)
    }

    /// How much work was done since the workspace was made.
    pub fn counts(&self) -> WorkCounts {
        let iterations = self.solver.as_ref().map_or(0, Solver::iterations);
        WorkCounts { iterations: self.counts.iterations + iterations, ..self.counts }
    }

    /// Adds the generalised force of `wrench` acting at the end of `arm`, as it is for an attachment; nothing if that is on the ground.
    #[inline]
    pub(crate) fn push(&mut self, model: &Model, at: &Attachment, arm: crate::math::Vec3, wrench: Wrench) {
        let Some(body) = at.body() else { return };
        if at.carrier().is_some() {
            let dim = model.bodies[body].kind.dim();
            let Workspace { motions, pull, system, .. } = self;
            motions.pull_back(model, at, arm, wrench, &mut pull[..dim]);
            let force = system.force_of_mut(model.bodies[body].block);
            return force.iter_mut().zip(&pull[..dim]).for_each(|(f, x)| *f += x);
        }
        self.push_on_plain(model, body, arm, wrench);
    }

    /// The same on a body that is not general, at the end of an arm from its centre of mass.
    #[inline]
    pub(crate) fn push_on_plain(
        &mut self,
        model: &Model,
        body: usize,
        arm: crate::math::Vec3,
        wrench: Wrench,
    ) {
        let entry = &model.bodies[body];
        let mut out = [0.0; MAX_DIM];
        let dim = entry.kind.dim();
        entry.kind.pull_back(arm, wrench, &mut out[..dim]);
        for (f, x) in self.system.force_of_mut(entry.block).iter_mut().zip(out) {
            *f += x;
        }
    }
}

/// The first body that the settings cannot do: joint coordinates know no general bodies, `long` none whose mass matrix changes.
fn unsupported_body<'m>(model: &'m Model, settings: &Settings) -> Option<&'m ModelBody> {
    let changes = |body: &&ModelBody| body.general.as_ref().is_some_and(|general| !general.is_linear());
    match settings {
        Settings { coordinates: Coordinates::Joints, .. } => model.first_general(),
        Settings { integrator: Integrator::Rattle, .. } => model.bodies.iter().find(changes),
        _ => None,
    }
}

/// The tree, with what does not belong to it on top.
fn tree(model: &Model) -> Result<Solver, NotATree> {
    let (graph, forest) = (&model.graph, &model.forest);
    if forest.links_with(Role::Auxiliary).next().is_none() {
        return Ok(Solver::Tree(Tree::new(graph)?));
    }
    let apart = |link| forest.role(link) == Role::Auxiliary;
    let anticipated = AuxiliarySchur::on(graph, apart, |graph| Ok(Solver::Tree(Tree::new(graph)?)))?;
    Ok(Solver::WithAuxiliary(Box::new(anticipated)))
}
