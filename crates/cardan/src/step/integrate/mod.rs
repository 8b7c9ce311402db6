//! The integrators. They see the mechanism only as accelerations at a state (`evaluate.rs`).
//!
//! Coordinates live on a manifold (orientations). A displacement is a vector u in velocity space,
//! and q₀ ⊕ u are the coordinates it leads to. Runge–Kutta methods integrate
//!
//! ```text
//! u̇ = dexp⁻¹_u(v)        (Munthe-Kaas)
//! ```
//!
//! which keeps the classical order and never leaves the manifold.
//!
//! | file or folder | what is in it |
//! |---|---|
//! | `euler.rs` | explicit and semi-implicit Euler: order 1 |
//! | `rk4.rs` | classical Runge–Kutta: order 4 |
//! | `dopri5.rs`, `step_size.rs` | Dormand–Prince pair 5(4), dense output; step-size control |
//! | `rattle.rs`, `rotor.rs` | RATTLE: symplectic, order 2; free rotation of a rigid body |
//! | `first_order.rs` | f = m v: velocities from forces, poses by Runge–Kutta |
//! | `joint_coordinates.rs` | joint (reduced) coordinates as the integrated variables |
//! | `events/` | event location and rewind for unilateral constraints |
//! | `time_stepping/` | steps at the level of velocities and impulses |
//! | `study.rs` | steps by historical active-set rules |
//! | `impulse.rs` | applied impulses |
//! | `assemble.rs` | assembly: a state is brought onto its joints |

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

/// What an integrator leaves to the projection besides `work.stages.next`.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Integrated {
    /// Whether `work.stages.next` still has the poses of the start, to be moved by `work.stages.shift` and
    /// projected in one sweep (`project/euler.rs`).
    pub(crate) poses_pending: bool,
    /// Which stages were close to a singular pose, where a loop loses rank.
    pub(crate) singular_stage: Option<SingularStage>,
}

/// From `state`, the state after `h` \[s\] in `work.stages.next`, with poses as the integrated variables;
/// not yet projected.
pub(crate) fn integrate_bodies(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<Integrated, StepError> {
    let integrated = integrate(model, settings, state, h, work)?;
    work.stages.next.forget_joints();
    Ok(integrated)
}

/// From `state`, the state after `h` \[s\] in `work.stages.next`, not yet projected. Adaptive steps are in
/// `step_size.rs`.
pub(crate) fn integrate(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<Integrated, StepError> {
    work.integrator.passes_singular_pose = false;
    match settings.integrator {
        Integrator::ExplicitEuler => euler::euler(model, settings, state, h, work, false),
        Integrator::SemiImplicitEuler => euler::euler(model, settings, state, h, work, true),
        Integrator::Rattle => {
            rattle::rattle_step(model, settings, state, h, work).map(|()| Integrated::default())
        }
        Integrator::FirstOrder => {
            first_order::first_order(model, settings, state, h, work).map(|()| Integrated::default())
        }
        // Adaptive and time-stepping integrators have their own entries; here they take a step of
        // RK4, and so do settings for which nothing was chosen.
        Integrator::Rk4 | Integrator::Dopri5 | Integrator::TimeStepping | Integrator::Auto => {
            rk4::rk4(model, settings, state, h, work)
        }
    }
}

/// Projects a stage onto the joints, if possible.
///
/// The stages of a step violate the joints by O(h²). Near a singular pose of a loop that is a
/// linkage of other lengths, which would reverse or take another branch; its accelerations would be
/// wrong.
fn close_stage(model: &Model, settings: &Settings, work: &mut Workspace) {
    if settings.coordinates == Coordinates::Joints {
        return;
    }
    work.stages.next.copy_from(&work.stages.stage);
    // The rates of the last stage are no longer needed.
    work.stages.shift_rate.clone_from(&work.stages.shift);
    let closed = general::project(model, settings, work, &mut StepReport::default(), false);
    if closed.is_ok() {
        work.stages.stage.q.copy_from_slice(&work.stages.next.q);
        work.stages.stage.v.copy_from_slice(&work.stages.next.v);
    }
    work.stages.shift.copy_from_slice(&work.stages.shift_rate);
}

/// Which stage of a step is close to a pose where a loop loses rank.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum SingularStage {
    /// The first stage.
    First,
    /// A stage in the middle.
    Middle,
    /// The last stage.
    Last,
}

/// Replaces `state` by the result of the step in `work.stages.next`.
pub(crate) fn conclude(model: &Model, settings: &Settings, state: &mut State, h: f64, work: &mut Workspace) {
    // A kernel of joint coordinates has written their angles.
    let has_turns = work.kinematics.turns_are_current;
    crate::measure::coordinates::follow_turns(model, state, h, work);
    if settings.coordinates == Coordinates::Joints && !has_turns {
        crate::step::dynamics::joint_coordinates::keep_turns(model, work);
    }
    drive_targets::carry_sums(model, work);
    work.stages.next.plan.copy_from_slice(&work.solvers.plan);

    // The projection has evaluated them; event location evaluates other poses after it.
    work.kinematics.motions_are_current =
        settings.coordinates != Coordinates::Joints && !model.has_inequalities();
    core::mem::swap(state, &mut work.stages.next);
}

/// Forgets the last step: there is no dense output before the current state.
pub(crate) fn forget_last(work: &mut Workspace) {
    if let Some(dopri5) = &mut work.integrator.dopri5 {
        dopri5.accepted = false;
    }
}
