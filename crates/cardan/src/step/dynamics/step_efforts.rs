//! Joint efforts of a step and wrenches on bodies, as the elimination takes them.
//!
//! Efforts that are taken at the end of the step (`joint_efforts.rs`) act along the freedoms of nodes;
//! all other forces are wrenches on bodies (`forces.rs`).

use crate::body::Motion;
use crate::model::Model;
use crate::settings::Settings;
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::dynamics::forces::forces;
use crate::step::dynamics::joint_efforts::JointEfforts;
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::workspace::{Evaluation, Solvers, Workspace};
use crate::step_error::StepError;

/// Whether forces besides gravity act as wrenches on bodies. Efforts of joints that are taken at the end of
/// a step do not.
pub(crate) fn has_wrenches(model: &Model, work: &Workspace, at: Evaluation) -> bool {
    let are_efforts = at.step.is_some()
        && work.stages.stage.commands.is_none()
        && work.solvers.joint_efforts.as_ref().is_some_and(|joint_efforts| joint_efforts.are_all_forces);
    !are_efforts && work.has_forces(model)
}

/// Whether joints that may get commands have a place among the joint efforts of a step, if there are
/// commands.
pub(crate) fn has_room_for_commands(work: &Workspace, at: Evaluation) -> bool {
    let has_commands = at.step.is_some() && work.stages.stage.commands.is_some();
    !has_commands || work.solvers.joint_efforts.as_ref().is_some_and(|joint_efforts| joint_efforts.has_all)
}

/// Evaluates the joint efforts that are taken at the end of the step; without a step there are none.
pub(crate) fn begin_joint_efforts(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    at: Evaluation,
) -> Result<(), StepError> {
    if !has_room_for_commands(work, at)
        && let Some(articulated) = &mut work.solvers.articulated
    {
        work.solvers.joint_efforts = JointEfforts::new(model, settings, articulated, true);
    }
    evaluate_joint_efforts(model, work, at)
}

/// Evaluates joint efforts, and hands them to the elimination.
pub(crate) fn evaluate_joint_efforts(
    model: &Model,
    work: &mut Workspace,
    at: Evaluation,
) -> Result<(), StepError> {
    let Solvers { articulated: Some(articulated), joint_efforts, .. } = &mut work.solvers else {
        return Ok(());
    };
    match (joint_efforts, at.step) {
        (Some(_), Some(_)) if at.keeps_efforts => return Ok(()),
        (Some(joint_efforts), Some(h)) if joint_efforts.has_any(&work.stages.stage) => {
            joint_efforts.evaluate(model, &work.kinematics.motions, &work.stages.stage, h)?;
            write_joint_efforts(articulated, joint_efforts, h);
        }
        (Some(_), _) => articulated.clear_joint_efforts(),
        (None, _) => articulated.efforts.clear(),
    }
    articulated.add_armature_efforts(&work.kinematics.motions);
    Ok(())
}

/// Hands the joint efforts of a step to the elimination. A factor with other joint inertias is void.
fn write_joint_efforts(articulated: &mut ArticulatedSystem, joint_efforts: &JointEfforts, h: f64) {
    let nodes = articulated.body_nodes.len();
    let inertias = articulated.forest.joint_inertias_mut();
    if joint_efforts.write(h, &mut articulated.efforts, (inertias, &articulated.armatures), nodes) {
        articulated.factored.clear();
    }
}

/// Moves joint efforts to and from their limits by the accelerations `acc`. Returns whether these must be
/// solved for again.
pub(crate) fn joint_efforts_change(
    solvers: &mut Solvers,
    motions: &[Motion],
    state: &State,
    at: Evaluation,
    acc: &[f64],
) -> bool {
    let Solvers { articulated: Some(articulated), joint_efforts: Some(joint_efforts), .. } = solvers else {
        return false;
    };
    let Some(h) = at.step.filter(|_| joint_efforts.has_any(state)) else { return false };
    let has_changed = joint_efforts.update_limits(acc, h);
    if has_changed {
        write_joint_efforts(articulated, joint_efforts, h);
        articulated.add_armature_efforts(motions);
    }
    has_changed
}

/// Books the power of the joint efforts of a step, and refuses one that is too long for explicit efforts.
pub(crate) fn book_joint_efforts(
    model: &Model,
    work: &Workspace,
    at: Evaluation,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let Solvers { articulated: Some(articulated), joint_efforts: Some(joint_efforts), .. } = &work.solvers
    else {
        return Ok(());
    };
    let Some(h) = at.step.filter(|_| joint_efforts.has_any(&work.stages.stage)) else { return Ok(()) };
    joint_efforts.check_explicit(model, articulated.forest.nodes(), h, work.stages.stage.time)?;
    joint_efforts.book(&work.equations.acc, h, rate);
    Ok(())
}

/// Writes all forces that act as wrenches on bodies, booked in `rate`. False if there are none.
pub(crate) fn write_wrenches(
    model: &Model,
    work: &mut Workspace,
    at: Evaluation,
    rate: &mut LedgerRate,
) -> Result<bool, StepError> {
    let has_wrenches = has_wrenches(model, work, at);
    if has_wrenches {
        // Commands may be the first forces of all.
        work.equations.system.open_force();
        work.equations.system.force_mut().fill(0.0);
        forces(model, work, at, rate)?;
    }
    Ok(has_wrenches)
}
