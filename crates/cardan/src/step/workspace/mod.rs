//! Scratch of a step and results of its last evaluation, in parts by purpose. `setup.rs` chooses the solver.

mod memory;
mod parts;
mod setup;

pub(crate) use parts::{
    ContactWork, Equations, EvaluationExtent, IntegratorWork, Kinematics, Solvers, StageBuffers,
};
pub(crate) use setup::write_units;

use crate::body::{FrameMotion, MAX_DIM, Wrench};
use crate::joint::Relative;
use crate::model::{Attachment, Model};
use crate::state::State;
use crate::step::dynamics::kinematics::frame;
use crate::step::report::StepReport;
use crate::step_error::{Stage, StepError};
use cardan_solve::{Dropped, Solver};

/// Work done since the workspace was made.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Matrices factored.
    pub factorizations: u64,
    /// Right-hand sides solved for.
    pub solves: u64,
    /// Rounds of projection, and iterations of conjugate gradients.
    pub iterations: u64,
    /// Steps of an adaptive integrator that were rejected and repeated with a smaller size.
    pub rejected: u64,
    /// Steps of a fixed size that were divided into parts, because they were too long for the mechanism.
    pub divided: u64,
    /// Steps with so many events that the rest of them was taken by time stepping.
    pub handed_over: u64,
}

impl WorkCounts {
    /// Adds the counts of `other`.
    pub(crate) fn include(&mut self, other: &WorkCounts) {
        self.factorizations = self.factorizations.saturating_add(other.factorizations);
        self.solves = self.solves.saturating_add(other.solves);
        self.iterations = self.iterations.saturating_add(other.iterations);
        self.rejected = self.rejected.saturating_add(other.rejected);
        self.divided = self.divided.saturating_add(other.divided);
        self.handed_over = self.handed_over.saturating_add(other.handed_over);
    }
}

/// What an evaluation has to compute, passed to all of its stages.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Evaluation {
    /// The stage of the step.
    pub(crate) stage: Stage,
    pub(crate) response: ForceResponse,
    pub(crate) motions: MotionSource,
    /// The part of c [s²] whose displacement is solved for in the same sweep, to be taken away before it is measured
    /// (`integrate/euler.rs`).
    pub(crate) drift_part: Option<f64>,
    /// Size \[s\] of the step that it is for, of semi-implicit Euler or time stepping, whose joint efforts may be implicit.
    pub(crate) step: Option<f64>,
    /// Whether the joint efforts of the step are those of the evaluation before, with other ones at their limits.
    pub(crate) keeps_efforts: bool,
}

impl From<Stage> for Evaluation {
    fn from(stage: Stage) -> Self {
        Evaluation {
            stage,
            response: ForceResponse::Acceleration,
            motions: MotionSource::Stage,
            drift_part: None,
            step: None,
            keeps_efforts: false,
        }
    }
}

/// The response to forces: accelerations or velocities.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ForceResponse {
    /// Accelerations: f = m a.
    Acceleration,
    /// Velocities, f = m v: everything is at rest, and ∂C/∂t stands for J̇ v.
    Velocity,
}

/// Where the poses and velocities of an evaluation are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum MotionSource {
    /// In the coordinates of `StageBuffers::stage`.
    Stage,
    /// In `Kinematics::motions` already, without a copy of the coordinates; whether the factor at hand is of their pose.
    Written { is_factored: bool },
}

/// Scratch and results of the last evaluation. It may be dropped between steps: the next step then makes it again, and
/// leads to the same bits.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) stages: StageBuffers,
    pub(crate) kinematics: Kinematics,
    pub(crate) equations: Equations,
    pub(crate) solvers: Solvers,
    pub(crate) contact: ContactWork,
    pub(crate) integrator: IntegratorWork,
    pub(crate) counts: WorkCounts,
}

impl Workspace {
    /// Allocates the arrays of rows, if that was not done yet. On the articulated path a step does not need them.
    pub(crate) fn open_rows(&mut self, model: &Model) {
        if self.kinematics.relatives.len() < model.joints.len()
            || self.equations.err.len() < self.equations.rows
        {
            self.make_rows(model);
        }
    }

    /// Allocates M, F, J and c, if that was not done yet.
    pub(crate) fn open_system(&mut self, model: &Model) {
        if !self.equations.system.is_open() {
            self.equations.system.open();
            write_units(model, self.solvers.length, &mut self.equations.system);
        }
    }

    #[cold]
    fn make_rows(&mut self, model: &Model) {
        let nothing = Relative::new(&FrameMotion::default(), &FrameMotion::default());
        self.kinematics.relatives.resize(model.joints.len(), nothing);
        for numbers in [
            &mut self.equations.err,
            &mut self.equations.err_rate,
            &mut self.equations.err_scale,
            &mut self.equations.err_rate_scale,
            &mut self.equations.time_rate,
            &mut self.equations.lambda,
            &mut self.equations.row_rhs,
            &mut self.equations.row_solution,
        ] {
            numbers.resize(self.equations.rows, 0.0);
        }
    }

    /// Allocates the sums over the stages of an integrator, if that was not done yet.
    pub(crate) fn open_stages(&mut self, model: &Model) {
        let [first, second, third] = &mut self.stages.stage_acc;
        for numbers in [
            &mut self.stages.shift_rate,
            &mut self.stages.shift_sum,
            &mut self.stages.acc_sum,
            first,
            second,
            third,
        ] {
            numbers.resize(model.v_len, 0.0);
        }
    }

    /// Relative pose and velocity of a joint, by the rows that were written last, or by the motions where none were.
    pub(crate) fn relative(&self, model: &Model, j: usize) -> Relative {
        if self.solvers.articulated.is_none() || self.equations.has_rows {
            return self.kinematics.relatives[j];
        }
        let joint = &model.joints[j];
        Relative::new(&frame(&self.kinematics.motions, &joint.a), &frame(&self.kinematics.motions, &joint.b))
    }

    /// Marks what was computed for reading as out of date.
    pub(crate) fn forget_rows(&mut self) {
        if let (Some(rows), Ok(spare_rows)) =
            (self.equations.lazy_rows.take(), self.equations.spare_rows.get_mut())
        {
            *spare_rows = Some(rows);
        }
        self.equations.lazy_system.take();
        self.equations.lazy_residual.take();
        self.equations.extent = EvaluationExtent::Equations;
    }

    /// Passes through the graph that one solve makes.
    pub(crate) fn passes(&self) -> u64 {
        self.solvers.solver.as_ref().map_or(1, |solver| solver.passes_per_solve() as u64)
    }

    /// Name of the solver in use; without one the articulated path solves.
    pub(crate) fn solver_name(&self) -> &'static str {
        self.solvers.solver.as_ref().map_or("articulated", Solver::name)
    }

    /// Rows less those that depend on others, by the last factorisation.
    pub(crate) fn rank(&self) -> usize {
        let rows = self.equations.rows;
        match (&self.solvers.articulated, &self.solvers.solver) {
            (Some(articulated), _) => rows - articulated.redundant(),
            // Conjugate gradients drop nothing besides.
            (None, Some(Solver::ConjugateGradient(_))) => {
                rows - self.solvers.idle.iter().filter(|&&idle| idle).count()
            }
            (None, Some(solver)) => solver.rank(),
            (None, None) => rows,
        }
    }

    /// Rows that the solver found redundant besides those that it was told to do without.
    pub(crate) fn dropped(&self) -> &[Dropped] {
        self.solvers.solver.as_ref().map_or(&[], Solver::dropped)
    }

    /// How much work was done since the workspace was made.
    pub fn counts(&self) -> WorkCounts {
        let iterations = self.solvers.solver.as_ref().map_or(0, Solver::iterations);
        WorkCounts { iterations: self.counts.iterations + iterations, ..self.counts }
    }

    /// Adds the generalised force of `wrench` acting at the end of `arm`, as it is for an attachment; nothing if that is on the ground.
    #[inline]
    pub(crate) fn push(&mut self, model: &Model, at: &Attachment, arm: crate::math::Vec3, wrench: Wrench) {
        let Some(body) = at.body() else { return };
        if at.carrier().is_some() {
            let dim = model.bodies[body].kind.dim();
            let Workspace {
                kinematics: Kinematics { motions, pull, .. },
                equations: Equations { system, .. },
                ..
            } = self;
            motions.pull_back(model, at, arm, wrench, &mut pull[..dim]);
            let force = system.force_of_mut(model.bodies[body].block);
            return force.iter_mut().zip(&pull[..dim]).for_each(|(f, x)| *f += x);
        }
        self.push_on_plain(model, body, arm, wrench);
    }

    /// Whether anything but gravity acts, or may act, on the state of the stage: forces of the model, or commands.
    pub(crate) fn has_forces(&self, model: &Model) -> bool {
        model.has_forces() || self.stages.stage.commands.is_some()
    }

    /// Adds the generalised force of `wrench` at the end of `arm` from the centre of mass of a body that is not general.
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
        for (f, x) in self.equations.system.force_of_mut(entry.block).iter_mut().zip(out) {
            *f += x;
        }
    }
}

/// Runs `go`; on failure restores the state, the event log and the records of impulses.
pub(crate) fn undone_on_failure(
    state: &mut State,
    work: &mut Workspace,
    go: impl FnOnce(&mut State, &mut Workspace) -> Result<StepReport, StepError>,
) -> Result<StepReport, StepError> {
    let (before, impulse_records) = (state.clone(), work.contact.impulse_records.len());
    let logged = work.contact.events.as_ref().map_or(0, |events| events.log.len());
    let outcome = go(state, work);
    if outcome.is_err() {
        state.clone_from(&before);
        work.contact.impulse_records.truncate(impulse_records);
        work.contact.events.iter_mut().for_each(|events| events.log.truncate(logged));
    }
    outcome
}
