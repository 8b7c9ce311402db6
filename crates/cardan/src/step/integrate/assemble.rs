//! Assembly: projects a state onto its joints, poses first, then velocities.

use crate::model::Model;
use crate::settings::{Coordinates, Integrator, Overlaps, Settings};
use crate::state::State;
use crate::step::integrate::{first_order, joint_coordinates};
use crate::step::project::general;
use crate::step::workspace::Workspace;
use crate::step::{StepReport, articulated, contact};
use crate::step_error::{Stage, StepError};

/// Projects `state` onto its joints, poses first, then velocities, in place.
pub(crate) fn assemble(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let mut report = StepReport::default();
    work.stages.next.copy_from(state);
    if settings.integrator == Integrator::FirstOrder {
        // With f = m v the velocities follow from the forces.
        work.stages.next.v.fill(0.0);
    }
    match settings.coordinates {
        Coordinates::Bodies | Coordinates::Auto => {
            general::assemble(model, settings, work, &mut report)?;
            if settings.overlaps == Overlaps::Resolve {
                contact::depenetrate::resolve(model, settings, work, &mut report)?;
            }
        }
        Coordinates::Joints => joint_coordinates::enter(model, settings, work, &mut report)?,
    }
    // The ledger starts with the assembled state.
    work.stages.next.ledger = state.ledger;
    // The rank plan of the open pose does not hold for the closed one.
    work.stages.next.plan.fill(0);
    if settings.integrator == Integrator::FirstOrder {
        first_order::set_velocities(model, settings, work, &mut report, Stage::First)?;
    }
    core::mem::swap(state, &mut work.stages.next);
    let is_euler = matches!(settings.integrator, Integrator::ExplicitEuler | Integrator::SemiImplicitEuler);
    if is_euler && let Some(articulated) = &mut work.solvers.articulated {
        articulated.release_gaps();
        if model.bodies.len() >= articulated::LARGE_SYSTEM {
            work.stages.stage.release();
        }
    }
    Ok(report)
}
