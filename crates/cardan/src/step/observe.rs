//! What a state shows without being moved: accelerations, multipliers, rows, rank margin; and states within the last step.

use crate::model::Model;
use crate::settings::{Coordinates, Integrator, Settings};
use crate::state::State;
use crate::step::dynamics::constraint_rows::{RowContent, check_finite, write_constraint_rows};
use crate::step::dynamics::drive_targets::{refresh_targets, write_targets};
use crate::step::dynamics::forces::accumulate_forces;
use crate::step::dynamics::kinematics::refresh_motions;
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::dynamics::rank_plan;
use crate::step::evaluate::{self, accelerations, bare_accelerations, complete, move_on};
use crate::step::integrate::events;
use crate::step::workspace::{Evaluation, MotionLaw, Workspace};
use crate::step::{articulated, kernel};
use crate::step_error::{Stage, StepError};

/// The state at a time within the last step, in `work.stages.next`; false if that is not known.
pub(crate) fn interpolate(
    model: &Model,
    settings: &Settings,
    time: f64,
    work: &mut Workspace,
) -> Result<bool, StepError> {
    let Some(mut dopri5) = work.integrator.dopri5.take() else { return Ok(false) };
    let known = dopri5.accepted && dopri5.spans(time);
    let outcome = if known { dopri5.interpolate(model, settings, time, work) } else { Ok(()) };
    work.integrator.dopri5 = Some(dopri5);
    outcome.map(|()| known)
}

/// Accelerations and multipliers at a state, left in the workspace, with their residual; nothing moves.
pub(crate) fn evaluate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    let settings = &settings.certified();
    if settings.integrator == Integrator::FirstOrder {
        return evaluate_velocities(model, settings, state, work);
    }
    events::choose(model, settings, state, work, MotionLaw::Acceleration)?;
    work.forget_rows();
    work.stages.stage.copy_from(state);
    accelerations(model, settings, work, Stage::First)?;
    rank_plan::least_norm_rows(model, work);
    complete(model, settings, work, MotionLaw::Acceleration)
}

/// Accelerations and joint loads at a state, as cheaply as they can be had; left in the workspace.
pub(crate) fn evaluate_bare(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if settings.integrator == Integrator::FirstOrder {
        return evaluate_velocities_only(model, settings, state, work);
    }
    events::choose(model, settings, state, work, MotionLaw::Acceleration)?;
    bare_accelerations(model, settings, state, work, MotionLaw::Acceleration)
}

/// The same, and nothing but accelerations and loads is left in the workspace: the fastest way there is to them.
pub(crate) fn accelerate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if kernel::level_accel::accelerate(model, settings, state, work)
        || articulated::state_accel::accelerate(model, state, work)
    {
        return Ok(());
    }
    evaluate_bare(model, settings, state, work)
}

/// Kinematics alone of a state whose equations have no answer.
pub(crate) fn observe_unsolved(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) {
    work.forget_rows();
    work.stages.stage.copy_from(state);
    refresh_motions(model, state, work);
    write_targets(model, state, &mut work.kinematics.targets);
    write_constraint_rows(model, settings, work, RowContent::Errors);
    work.equations.acc.fill(f64::NAN);
    work.equations.lambda.fill(f64::NAN);
    work.equations.equation_residual = f64::NAN;
}

/// Kinematics of a state with J and c of all rows; nothing is solved.
pub(crate) fn observe_rows(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) {
    work.stages.stage.copy_from(state);
    refresh_motions(model, state, work);
    write_targets(model, state, &mut work.kinematics.targets);
    write_constraint_rows(model, settings, work, RowContent::Full);
}

/// What is left of the row that has least left when those it depends on are taken away, of rows that are not redundant.
pub(crate) fn rank_margin(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) -> f64 {
    if work.solvers.articulated.is_some() {
        work.stages.stage.copy_from(state);
        refresh_motions(model, state, work);
        return articulated::rank_margin(model, work);
    }
    observe_rows(model, settings, state, work);
    let geometry =
        work.solvers.geometry.get_or_insert_with(|| Box::new(cardan_solve::Rank::new(&model.graph)));
    let left = geometry.decide(&work.equations.system).map_or(1.0, |()| geometry.smallest_accepted());
    if left < 1.0 { left } else { 1.0 }
}

/// M, F, J and c of a state, in the workspace; nothing is solved.
pub(crate) fn write_equations(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    work.stages.stage.copy_from(state);
    refresh_motions(model, state, work);
    refresh_targets(model, work, Stage::First)?;
    accumulate_forces(model, work, Stage::First, &mut LedgerRate::default())?;
    write_constraint_rows(model, settings, work, RowContent::Full);
    check_finite(model, work, Stage::First)
}

/// Velocities, multipliers and reactions of a state, as reports show them: its motions have the velocities, and there are no accelerations.
pub(crate) fn evaluate_velocities(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    solve_velocities(model, settings, state, work, |work| {
        rank_plan::least_norm_rows(model, work);
        evaluate::write_rows(model, settings, work, MotionLaw::Velocity)
    })?;
    move_on(model, work, Stage::First)?;
    write_constraint_rows(model, settings, work, RowContent::Errors);
    work.equations.acc.fill(f64::NAN);
    Ok(())
}

/// The same as cheaply as can be had; velocities are left in the place of accelerations.
pub(crate) fn evaluate_velocities_only(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    solve_velocities(model, settings, state, work, |_| Ok(()))
}

fn solve_velocities(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    then: impl FnOnce(&mut Workspace) -> Result<(), StepError>,
) -> Result<(), StepError> {
    if settings.coordinates != Coordinates::Bodies {
        return Err(StepError::NotForJoints { integrator: settings.integrator });
    }
    let mut rest = work.stages.rest_state.take().unwrap_or_else(|| Box::new(state.clone()));
    rest.copy_from(state);
    rest.v.fill(0.0);
    let law = MotionLaw::Velocity;
    let outcome = events::choose(model, settings, &rest, work, law).and_then(|()| {
        work.stages.stage.copy_from(&rest);
        accelerations(model, settings, work, Evaluation { law, ..Stage::First.into() })?;
        then(work)
    });
    work.stages.rest_state = Some(rest);
    outcome
}

/// Rows of the last evaluation, M, F, J, c and λ, where the articulated path did without them.
pub(crate) fn write_rows(model: &Model, settings: &Settings, work: &mut Workspace) -> Result<(), StepError> {
    evaluate::write_rows(model, settings, work, MotionLaw::Acceleration)
}
