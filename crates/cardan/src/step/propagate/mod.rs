//! Propagate: the integrators. They see the mechanism only as accelerations at a state.
//!
//! Coordinates live on a manifold (orientations), so a displacement is a vector u in velocity space and
//! q₀ ⊕ u the coordinates it leads to. Runge–Kutta integrates u̇ = dexp⁻¹_u(v) (Munthe-Kaas), which keeps the
//! classical order and never leaves the manifold.

pub(super) mod adapt;
mod dopri5;
mod euler;
mod long;
mod rk4;
mod rotor;

pub(super) use dopri5::Ladder;
pub(super) use long::Scratch as LongScratch;

use super::{Integrator, LedgerRate, Settings, StepError, Workspace};
use crate::model::Model;
use crate::state::{Ledger, State};

/// From `state`, the state after `h`, in `work.next`; not yet projected. Steps whose size follows from their error are in
/// `adapt.rs`.
pub(super) fn propagate(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    match settings.integrator {
        Integrator::ExplicitEuler => euler::euler(model, settings, state, h, work, false),
        Integrator::SemiImplicitEuler => euler::euler(model, settings, state, h, work, true),
        Integrator::Long => long::long(model, settings, state, h, work),
        // An adaptive rule comes here only if its caller forgot; one step of RK4 is a step, too.
        Integrator::Rk4 | Integrator::Dopri5 => rk4::rk4(model, settings, state, h, work),
    }
}

/// out = q ⊕ u, body by body.
pub(super) fn advance(model: &Model, q: &[f64], u: &[f64], out: &mut [f64]) {
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
fn book(ledger: &mut Ledger, h: f64, rate: &LedgerRate) {
    ledger.work += h * rate.work;
    ledger.dissipated += h * rate.dissipated;
    ledger.impulse += rate.force * h;
    ledger.angular_impulse += rate.moment * h;
}
