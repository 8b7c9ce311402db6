//! Propagate: the integrators. They see the mechanism only as accelerations at a state.
//!
//! Coordinates live on a manifold (orientations), so a displacement is a vector u in velocity space and
//! q₀ ⊕ u the coordinates it leads to. Runge–Kutta integrates u̇ = dexp⁻¹_u(v) (Munthe-Kaas), which keeps the
//! classical order and never leaves the manifold.

pub(crate) mod assemble;
pub(crate) mod dopri5;
mod euler;
pub(crate) mod events;
pub(crate) mod first_order;
pub(crate) mod impulse;
pub(crate) mod joint_coordinates;
pub(crate) mod rattle;
mod rk4;
mod rotor;
pub(crate) mod step_size;
pub(crate) mod study;
pub(crate) mod time_stepping;

use crate::model::Model;
use crate::settings::{Coordinates, Integrator, Settings};
use crate::state::State;
use crate::step::dynamics::drive_targets;
use crate::step::project::general;
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;

/// What an integrator leaves to the projection besides `work.next`.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Integrated {
    /// Whether `work.next` still has the poses of the start, to be moved by `work.shift` and closed in one sweep (`project/euler.rs`).
    pub(crate) poses_pending: bool,
    /// Which stages were at a pose where a loop loses rank.
    pub(crate) singular_stage: Option<SingularStage>,
}

/// From `state`, the state after `h`, in `work.next`, with poses as what is integrated; not yet projected.
pub(crate) fn integrate_bodies(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<Integrated, StepError> {
    let integrated = integrate(model, settings, state, h, work)?;
    work.next.forget_joints();
    Ok(integrated)
}

/// From `state`, the state after `h`, in `work.next`; not yet projected. Steps whose size follows from their error are in
/// `step_size.rs`.
pub(crate) fn integrate(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<Integrated, StepError> {
    work.passes_singular_pose = false;
    match settings.integrator {
        Integrator::ExplicitEuler => euler::euler(model, settings, state, h, work, false),
        Integrator::SemiImplicitEuler => euler::euler(model, settings, state, h, work, true),
        Integrator::Rattle => {
            rattle::rattle_step(model, settings, state, h, work).map(|()| Integrated::default())
        }
        Integrator::FirstOrder => {
            first_order::first_order(model, settings, state, h, work).map(|()| Integrated::default())
        }
        // An adaptive rule comes here only if its caller forgot; one step of RK4 is a step, too.
        Integrator::Rk4 | Integrator::Dopri5 | Integrator::TimeStepping => {
            rk4::rk4(model, settings, state, h, work)
        }
    }
}

/// Brings a stage onto the joints, if it can be.
///
/// The stages of a step are open by O(h²). Where a loop passes a singular pose that is a linkage of other lengths, which
/// would turn back or take another branch: its accelerations there have little to do with the real ones.
fn close_stage(model: &Model, settings: &Settings, work: &mut Workspace) {
    if settings.coordinates != Coordinates::Bodies {
        return;
    }
    work.next.copy_from(&work.stage);
    // The rates of the last stage are done with.
    work.shift_rate.clone_from(&work.shift);
    let closed = general::project(model, settings, work, &mut StepReport::default(), false);
    if closed.is_ok() {
        work.stage.q.copy_from_slice(&work.next.q);
        work.stage.v.copy_from_slice(&work.next.v);
    }
    work.shift.copy_from_slice(&work.shift_rate);
}

/// Where in a step a loop loses rank.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum SingularStage {
    /// At its first stage.
    First,
    /// At those in the middle.
    Middle,
    /// At its last.
    Last,
}

/// The state that a step led to takes the place of the one it began with.
pub(crate) fn conclude(model: &Model, settings: &Settings, state: &mut State, h: f64, work: &mut Workspace) {
    crate::measure::coordinates::follow_turns(model, state, h, work);
    if settings.coordinates == Coordinates::Joints {
        crate::step::dynamics::joint_coordinates::keep_turns(model, work);
    }
    drive_targets::carry_sums(model, work);
    work.next.plan.copy_from_slice(&work.plan);

    // The projection has measured them; events look at other poses after it.
    work.motions_are_current = settings.coordinates == Coordinates::Bodies && !model.has_inequalities();
    core::mem::swap(state, &mut work.next);
}

/// What lies before the present state is no longer known.
pub(crate) fn forget_last(work: &mut Workspace) {
    if let Some(dopri5) = &mut work.dopri5 {
        dopri5.accepted = false;
    }
}
