//! The time step, one file per stage.
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | propagate | `propagate.rs` | the integrator: asks for accelerations, moves the state along the manifold |
//! | accumulate | `accumulate.rs` | poses; gravity, forces, gyroscopic terms: F and M |
//! | constrain | `constrain.rs` | every joint writes its rows: C, Ċ, J, c |
//! | multipliers | `multipliers.rs`, `limbs.rs` | factor H, solve for v̇ and λ; `limbs.rs` is the fast way for rigid trees |
//! | stabilise | `stabilise.rs` | projects positions and velocities back onto the joints with the factor at hand |
//!
//! A step that fails leaves the state as it was.

mod accumulate;
mod constrain;
mod error;
mod limbs;
mod multipliers;
mod propagate;
mod settings;
mod stabilise;
mod workspace;

pub(crate) use accumulate::{frame, write_motions};
pub use error::{Stage, StepError};
pub(crate) use limbs::operations;
pub(crate) use multipliers::{LedgerRate, structural};
#[doc(hidden)]
pub use settings::Fault;
pub use settings::{Elimination, Integrator, Settings, SolverChoice, Stabilization};
pub use workspace::{WorkCounts, Workspace};

use crate::model::Model;
use crate::state::State;

/// What one step did.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Worst |C| over all rows at the end of the step [m, rad].
    pub position_error: f64,
    /// Worst |J v| over all rows at the end of the step [m/s, rad/s].
    pub velocity_error: f64,
    /// Worst residual of the equations of motion at the start of the step, relative to the terms that form them.
    pub equation_residual: f64,
    /// Rounds of projection.
    pub rounds: u32,
}

/// Advances `state` by `h`.
pub fn step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    if !(h > 0.0 && h.is_finite()) {
        return Err(StepError::BadStep { h });
    }
    propagate::propagate(model, settings, state, h, work)?;
    let mut report = StepReport { equation_residual: work.equation_residual, ..StepReport::default() };
    stabilise::stabilise(model, settings, work, &mut report)?;
    crate::measure::coordinates::follow_turns(model, state, h, work);

    core::mem::swap(state, &mut work.next);
    Ok(report)
}

/// Accelerations and multipliers at a state, left in the workspace; nothing moves.
pub(crate) fn evaluate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    work.stage.copy_from(state);
    multipliers::accelerations(model, settings, work, Stage::First)?;
    if work.limbs.is_none() {
        // Reports show the least multipliers where redundant rows share a load.
        work.solver.level(&mut work.lambda, &mut work.row_answer);
    }
    multipliers::complete(model, settings, work)
}

/// Accelerations and joint loads at a state, as cheaply as they can be had; left in the workspace.
pub(crate) fn evaluate_bare(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    work.stage.copy_from(state);
    multipliers::bare_accelerations(model, settings, work)
}

/// Kinematics alone of a state whose equations have no answer.
pub(crate) fn observe_unsolved(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) {
    work.stage.copy_from(state);
    refresh_motions(model, state, work);
    constrain::constrain(model, settings, work, constrain::Want::Errors);
    work.acc.fill(f64::NAN);
    work.lambda.fill(f64::NAN);
    work.equation_residual = f64::NAN;
}

/// Pose and velocity of every body of `state`, in the workspace.
pub(crate) fn refresh_motions(model: &Model, state: &State, work: &mut Workspace) {
    accumulate::write_motions(model, state, &mut work.motions);
}

/// Brings a state onto its joints, poses first, then velocities; the result is in the same state.
pub(crate) fn assemble(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let mut report = StepReport::default();
    work.next.copy_from(state);
    stabilise::assemble(model, settings, work, &mut report)?;
    // Nothing has flowed yet: the account opens with the assembled state.
    work.next.ledger = state.ledger;
    core::mem::swap(state, &mut work.next);
    Ok(report)
}
