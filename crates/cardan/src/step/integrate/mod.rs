//! Propagate: the integrators. They see the mechanism only as accelerations at a state.
//!
//! Coordinates live on a manifold (orientations), so a displacement is a vector u in velocity space and
//! q₀ ⊕ u the coordinates it leads to. Runge–Kutta integrates u̇ = dexp⁻¹_u(v) (Munthe-Kaas), which keeps the
//! classical order and never leaves the manifold.

mod dopri5;
mod euler;
pub(crate) mod events;
pub(crate) mod first_order;
pub(crate) mod impulse;
mod rattle;
mod rk4;
mod rotor;
pub(crate) mod step_size;
pub(crate) mod study;
pub(crate) mod time_stepping;

pub(crate) use dopri5::Dopri5Stages;
pub(crate) use rattle::RattleScratch;

use crate::model::Model;
use crate::settings::Coordinates;
use crate::settings::Integrator;
use crate::settings::Settings;
use crate::state::{Ledger, State};
use crate::step::StepReport;
use crate::step::Workspace;
use crate::step::dynamics::multipliers::LedgerRate;
use crate::step::project::general;
use crate::step_error::StepError;

/// From `state`, the state after `h`, in `work.next`; not yet projected. Steps whose size follows from their error are in
/// `step_size.rs`.
pub(crate) fn integrate(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    (work.passes_singular_pose, work.meets_singular_pose) = (false, None);
    match settings.integrator {
        Integrator::ExplicitEuler => euler::euler(model, settings, state, h, work, false),
        Integrator::SemiImplicitEuler => euler::euler(model, settings, state, h, work, true),
        Integrator::Rattle => rattle::rattle_step(model, settings, state, h, work),
        Integrator::FirstOrder => first_order::first_order(model, settings, state, h, work),
        // An adaptive rule comes here only if its caller forgot; one step of RK4 is a step, too.
        Integrator::Rk4 | Integrator::Dopri5 | Integrator::TimeStepping => {
            rk4::rk4(model, settings, state, h, work)
        }
    }
}

/// out = q ⊕ u, body by body.
pub(crate) fn advance(model: &Model, q: &[f64], u: &[f64], out: &mut [f64]) {
    for body in &model.bodies {
        let range = body.q_range();
        body.kind.advance(&q[range.clone()], &u[body.v_range()], &mut out[range]);
    }
}

/// out = dexp⁻¹_u(v), body by body.
fn chart_rates(model: &Model, u: &[f64], v: &[f64], out: &mut [f64]) {
    for body in &model.bodies {
        let range = body.v_range();
        body.kind.chart_rate(&u[range.clone()], &v[range.clone()], &mut out[range]);
    }
}

/// Rates from outside times their share of the step, onto the account.
pub(crate) fn book(ledger: &mut Ledger, h: f64, rate: &LedgerRate) {
    ledger.work += h * rate.work;
    ledger.dissipated += h * rate.dissipated;
    ledger.impulse += rate.force * h;
    ledger.angular_impulse += rate.moment * h;
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
