//! Joint (reduced) coordinates as the integrated variables: converted before a step, and back to
//! poses after it.

use crate::model::Model;
use crate::settings::Settings;
use crate::state::State;
use crate::step::dynamics::joint_coordinates::{JointChart, rebuild_next, set_driven};
use crate::step::integrate::Integrated;
use crate::step::project::general;
use crate::step::workspace::Workspace;
use crate::step::workspace::{Kinematics, StageBuffers};
use crate::step::{StepReport, integrate};
use crate::step_error::StepError;

/// Gives `work.stages.next` joint coordinates, after assembly if it has not been assembled yet.
pub(crate) fn enter(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<(), StepError> {
    if !work.stages.next.assembled {
        general::assemble(model, settings, work, report)?;
    }
    let Workspace {
        kinematics: Kinematics { chart, motions, .. }, stages: StageBuffers { next, .. }, ..
    } = work;
    let chart = chart.get_or_insert_with(|| Box::new(JointChart::new(model)));
    chart.read(model, next, motions);
    chart.rebuild(model, next, motions);
    Ok(())
}

/// From `state`, the state after `h` \[s\] in `work.stages.next`, integrated in joint coordinates; loops
/// are not yet projected.
pub(crate) fn integrate_joints(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<Integrated, StepError> {
    begin(model, settings, state, work)?;
    let Workspace { kinematics: Kinematics { chart, .. }, stages: StageBuffers { next, .. }, .. } = work;
    let chart = chart.get_or_insert_with(|| Box::new(JointChart::new(model)));
    let mut start = core::mem::take(&mut chart.start);
    start.copy_from(next);
    start.exchange_joints();
    chart.integrating = true;
    let outcome = integrate::integrate(model, settings, &start, h, work);
    if let Some(chart) = &mut work.kinematics.chart {
        chart.integrating = false;
        chart.start = start;
    }
    let integrated = outcome?;
    leave(model, work);
    Ok(integrated)
}

/// Writes the start of a step to `work.stages.next`: `state` with joint coordinates.
pub(crate) fn begin(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if !settings.integrator.carries_joints() {
        return Err(StepError::NotForJoints { integrator: settings.integrator });
    }
    work.stages.next.copy_from(state);
    if !state.has_joints() {
        enter(model, settings, work, &mut StepReport::default())?;
        work.stages.next.plan.fill(0);
    }
    work.kinematics.chart.get_or_insert_with(|| Box::new(JointChart::new(model)));
    Ok(())
}

/// Converts `work.stages.next` from joint coordinates to poses and velocities.
pub(crate) fn leave(model: &Model, work: &mut Workspace) {
    work.stages.next.exchange_joints();
    rebuild_next(model, work);
    if !model.drives.is_empty() {
        set_driven(model, work);
        rebuild_next(model, work);
    }
}
