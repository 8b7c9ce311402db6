//! Evaluation of a state that is not moved: accelerations, multipliers, rows, rank margin; and states within the last step.

use crate::model::Model;
use crate::settings::{Coordinates, Integrator, Settings};
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::dynamics::constraint_rows::{RowContent, check_finite, write_constraint_rows};
use crate::step::dynamics::drive_targets::{refresh_targets, write_targets};
use crate::step::dynamics::forces::{accumulate_forces, forces};
use crate::step::dynamics::kinematics::refresh_motions;
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::dynamics::rank_plan;
use crate::step::evaluate::{self, accelerations, bare_accelerations, complete, move_on};
use crate::step::integrate::events;
use crate::step::workspace::{Evaluation, EvaluationExtent, ForceResponse, Workspace};
use crate::step::{articulated, kernel};
use crate::step_error::{Stage, StepError};
use crate::tolerances::CERTIFIED;

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

/// Accelerations and multipliers at a state with their residual, in the workspace; the state does not change.
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
    events::choose(model, settings, state, work, ForceResponse::Acceleration)?;
    work.forget_rows();
    work.stages.stage.copy_from(state);
    accelerations(model, settings, work, Stage::First)?;
    rank_plan::least_norm_rows(model, work);
    complete(model, settings, work, ForceResponse::Acceleration)
}

/// Accelerations and joint loads at a state at the lowest cost, in the workspace.
pub(crate) fn evaluate_bare(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if settings.integrator == Integrator::FirstOrder {
        return evaluate_velocities_only(model, settings, state, work);
    }
    events::choose(model, settings, state, work, ForceResponse::Acceleration)?;
    bare_accelerations(model, settings, state, work, ForceResponse::Acceleration)
}

/// Accelerations and joint loads alone, without other results in the workspace: the fastest evaluation.
pub(crate) fn accelerate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    // What is looked at must not change the bits of the next step.
    let kept = work.solvers.articulated.as_mut().and_then(ArticulatedSystem::set_factor_aside);
    let outcome = match accelerate_by_kernel(model, settings, state, work) {
        true => Ok(()),
        false => evaluate_bare(model, settings, state, work),
    };
    if let (Some(knew_pose), Some(articulated)) = (kept, &mut work.solvers.articulated) {
        articulated.take_factor_back(knew_pose);
    }
    outcome
}

/// Accelerations and joint loads by a kernel, if there is one that takes what acts at this state.
fn accelerate_by_kernel(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) -> bool {
    let is_found = kernel::state_efforts::write(model, settings, state, work)
        && (kernel::level_accel::accelerate(model, settings, state, work)
            || articulated::state_accel::accelerate(model, state, work));
    if is_found {
        kernel::state_efforts::take_from_loads(work);
    }
    is_found
}

/// Like [`evaluate`], for an [`Instant`](crate::Instant): accelerations and joint loads come from a kernel where
/// there is one. What else can be read (rows, multipliers, forces, the residual) is then computed when it is.
/// A solution whose residual might ask for refinement is measured at once.
pub(crate) fn evaluate_lazily(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    let is_exact = settings.inequality_study.is_none();
    // What is looked at must not change the bits of the next step.
    let may_look = is_exact && kernel::level_accel::keeps_factor(model, settings, work);
    if !(may_look && accelerate_by_kernel(model, settings, state, work)) {
        return evaluate(model, settings, state, work);
    }
    work.forget_rows();
    work.stages.stage.copy_rest_from(state);
    refresh_motions(model, state, work);
    if let Some(contacts) = &mut work.contact.contacts {
        contacts.clear_active();
    }
    work.equations.stresses.clear();
    work.equations.has_rows = false;
    work.equations.extent = EvaluationExtent::Accelerations;
    let is_refined = |work: &Workspace| work.residual(model) > CERTIFIED;
    if !articulated::may_skip_residual(work) && is_refined(work) {
        return evaluate(model, settings, state, work);
    }
    Ok(())
}

/// Kinematics alone, for a state whose equations have no solution.
///
/// On the articulated path errors of rows are computed when they are read.
pub(crate) fn observe_unsolved(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) {
    work.forget_rows();
    refresh_motions(model, state, work);
    write_targets(model, state, &mut work.kinematics.targets);
    match work.solvers.articulated.is_some() {
        true => {
            work.stages.stage.copy_rest_from(state);
            work.equations.has_rows = false;
        }
        false => {
            work.stages.stage.copy_from(state);
            write_constraint_rows(model, settings, work, RowContent::Errors);
            work.equations.lambda.fill(f64::NAN);
        }
    }
    work.equations.acc.fill(f64::NAN);
    work.equations.equation_residual = f64::NAN;
    work.equations.extent = EvaluationExtent::Motions;
}

/// Kinematics of a state with J and c of all rows; nothing is solved.
pub(crate) fn observe_rows(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) {
    work.stages.stage.copy_from(state);
    refresh_motions(model, state, work);
    write_targets(model, state, &mut work.kinematics.targets);
    write_constraint_rows(model, settings, work, RowContent::Full);
}

/// The rank margin: smallest relative norm of a row that is not redundant, after the rows it depends on are projected out.
pub(crate) fn rank_margin(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) -> f64 {
    if work.solvers.articulated.is_some() {
        work.stages.stage.copy_from(state);
        refresh_motions(model, state, work);
        if let Some(articulated) = &mut work.solvers.articulated {
            articulated.set_instant(state, ForceResponse::Acceleration);
        }
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

/// F of everything but weight and gyroscopic terms at a state, in the workspace: forces of the model and commands.
pub(crate) fn accumulate_applied(
    model: &Model,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    work.forget_rows();
    work.stages.stage.copy_from(state);
    refresh_motions(model, state, work);
    work.equations.system.open_force();
    work.equations.system.force_mut().fill(0.0);
    forces(model, work, Stage::First, &mut LedgerRate::default())
}

/// Velocities, multipliers and reactions of a state with f = m v, for reports; there are no accelerations.
pub(crate) fn evaluate_velocities(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    solve_velocities(model, settings, state, work, |work| {
        rank_plan::least_norm_rows(model, work);
        evaluate::write_rows(model, settings, work, ForceResponse::Velocity)
    })?;
    move_on(model, work, Stage::First)?;
    write_constraint_rows(model, settings, work, RowContent::Errors);
    work.equations.acc.fill(f64::NAN);
    Ok(())
}

/// Velocities and joint loads of a state with f = m v at the lowest cost; velocities are stored in place of accelerations.
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
    if settings.coordinates == Coordinates::Joints {
        return Err(StepError::NotForJoints { integrator: settings.integrator });
    }
    let mut rest = work.stages.rest_state.take().unwrap_or_else(|| Box::new(state.clone()));
    rest.copy_from(state);
    rest.v.fill(0.0);
    let response = ForceResponse::Velocity;
    let outcome = events::choose(model, settings, &rest, work, response).and_then(|()| {
        work.stages.stage.copy_from(&rest);
        accelerations(model, settings, work, Evaluation { response, ..Stage::First.into() })?;
        then(work)
    });
    work.stages.rest_state = Some(rest);
    outcome
}

/// Writes M, F, J, c and λ of the last evaluation, if the articulated path did not form them.
pub(crate) fn write_rows(model: &Model, settings: &Settings, work: &mut Workspace) -> Result<(), StepError> {
    evaluate::write_rows(model, settings, work, ForceResponse::Acceleration)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::{EffortKind, Servo};
    use crate::law::Law;
    use crate::math::{Six, vec3};
    use crate::{Body, End, Gravity, Joint, ModelBuilder, Simulation};

    #[test]
    fn wrong_accelerations_and_loads_are_noticed() {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let mut last = End::Ground;
        for i in 0..5 {
            let x = f64::from(i);
            let rod = parts.add_body(Body { pos: vec3(x + 0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.1) });
            let joint = Joint::revolute(last, rod, [x, 0.0, 0.0], [0.0, 1.0, 0.3 * x]);
            let law = Law::Constant(0.4);
            let servo = Servo { stiffness: 30.0, damping: 1.0, law, limit: f64::INFINITY };
            parts.add_joint(joint.with_effort(0, EffortKind::Servo(servo)));
            last = rod.into();
        }
        let mut sim = Simulation::new(parts.build().expect("a chain"));
        sim.run(0.01, 1e-3).expect("it runs");
        let (model, state, settings) = (sim.model().clone(), sim.state().clone(), Settings::default());
        let mut work = Workspace::with_default_settings(&model);
        evaluate_lazily(&model, &settings, &state, &mut work).expect("a solve");
        if work.equations.extent != EvaluationExtent::Accelerations {
            // Without AVX2 there is no kernel for a chain.
            return;
        }
        // Rounding leaves 1e-15.
        assert!(work.residual(&model) < 1e-13);
        for i in 0..work.equations.acc.len() + 6 * model.bodies.len() {
            evaluate_lazily(&model, &settings, &state, &mut work).expect("a solve");
            let change = 1e-6 * (1.0 + work.equations.acc.iter().fold(0.0, |a, b| a + b.abs()));
            match i.checked_sub(work.equations.acc.len()) {
                None => work.equations.acc[i] += change,
                Some(k) => {
                    let articulated = work.solvers.articulated.as_mut().expect("the articulated path");
                    let load = &mut articulated.forest.results_mut().loads[k / 6];
                    let mut numbers = [0.0; 6];
                    load.write(&mut numbers);
                    numbers[k % 6] += change;
                    *load = Six::from_slice(&numbers);
                }
            }
            // A part in a million of the largest terms, four digits above rounding.
            assert!(work.residual(&model) > 1e-9, "{i}: {:e}", work.residual(&model));
        }
    }
}
