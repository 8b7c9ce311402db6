//! Propagate: the integrators. They see the mechanism only as accelerations at a state.
//!
//! Coordinates live on a manifold (orientations), so a displacement is a vector u in velocity space and
//! q₀ ⊕ u the coordinates it leads to. Runge–Kutta integrates u̇ = dexp⁻¹_u(v) (Munthe-Kaas), which keeps the
//! classical order and never leaves the manifold.

use super::multipliers::accelerations;
use super::{Integrator, LedgerRate, Settings, Stage, StepError, Workspace};
use crate::model::Model;
use crate::state::{Ledger, State};

/// From `state`, the state after `h`, in `work.next`; not yet projected.
pub(super) fn propagate(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    match settings.integrator {
        Integrator::ExplicitEuler => euler(model, settings, state, h, work, false),
        Integrator::SemiImplicitEuler => euler(model, settings, state, h, work, true),
        Integrator::Rk4 => rk4(model, settings, state, h, work),
    }
}

/// v₁ = v₀ + h v̇₀;  q₁ = q₀ ⊕ h v₀ (explicit) or q₀ ⊕ h v₁ (semi-implicit).
fn euler(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
    semi_implicit: bool,
) -> Result<(), StepError> {
    work.stage.copy_from(state);
    let rate = accelerations(model, settings, work, Stage::First)?;
    work.next.copy_from(state);
    for i in 0..model.v_len {
        work.next.v[i] += h * work.acc[i];
        work.shift[i] = h * if semi_implicit { work.next.v[i] } else { state.v[i] };
    }
    advance(model, &state.q, &work.shift, &mut work.next.q);
    work.next.advance_time(h);
    book(&mut work.next.ledger, h, &rate);
    Ok(())
}

/// The classical rule: k₁ … k₄ at 0, ½, ½, 1 with weights 1, 2, 2, 1 over 6.
fn rk4(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    const REACH: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
    const WEIGHT: [f64; 4] = [1.0, 2.0, 2.0, 1.0];
    let mut ledger = state.ledger;
    work.stage.copy_from(state);
    work.shift.fill(0.0);
    work.shift_sum.fill(0.0);
    work.acc_sum.fill(0.0);
    for s in 0..4 {
        if s > 0 {
            // shift_rate and acc still hold the previous stage.
            let reach = REACH[s] * h;
            for i in 0..model.v_len {
                work.shift[i] = reach * work.shift_rate[i];
                work.stage.v[i] = state.v[i] + reach * work.acc[i];
            }
            advance(model, &state.q, &work.shift, &mut work.stage.q);
            work.stage.time = state.time + reach;
        }
        let stage = if s == 0 { Stage::First } else { Stage::Inner(s as u8 + 1) };
        let rate = accelerations(model, settings, work, stage)?;
        for body in &model.bodies {
            let v = body.v_range();
            let (u, rates) = (&work.shift[v.clone()], &mut work.shift_rate[v.clone()]);
            body.kind.chart_rate(u, &work.stage.v[v], rates);
        }
        for i in 0..model.v_len {
            work.shift_sum[i] += WEIGHT[s] * work.shift_rate[i];
            work.acc_sum[i] += WEIGHT[s] * work.acc[i];
        }
        book(&mut ledger, WEIGHT[s] * (h / 6.0), &rate);
    }
    work.next.copy_from(state);
    for i in 0..model.v_len {
        work.shift[i] = h / 6.0 * work.shift_sum[i];
        work.next.v[i] += h / 6.0 * work.acc_sum[i];
    }
    advance(model, &state.q, &work.shift, &mut work.next.q);
    work.next.advance_time(h);
    work.next.ledger = ledger;
    Ok(())
}

/// out = q ⊕ u, body by body.
pub(super) fn advance(model: &Model, q: &[f64], u: &[f64], out: &mut [f64]) {
    for body in &model.bodies {
        let range = body.q_range();
        body.kind.advance(&q[range.clone()], &u[body.v_range()], &mut out[range]);
    }
}

fn book(ledger: &mut Ledger, h: f64, rate: &LedgerRate) {
    ledger.work += h * rate.work;
    ledger.dissipated += h * rate.dissipated;
    ledger.impulse += rate.force * h;
    ledger.angular_impulse += rate.moment * h;
}
