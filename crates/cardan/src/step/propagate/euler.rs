//! Euler's rule, explicit or with the new velocity for the positions: order 1.

use super::super::accumulate::write_motions;
use super::super::multipliers::accelerations;
use super::super::{Fault, Settings, Stage, StepError, Workspace, limbs, settle};
use super::{advance, book};
use crate::model::Model;
use crate::state::State;

/// v₁ = v₀ + h v̇₀;  q₁ = q₀ ⊕ h v₀ (explicit) or q₀ ⊕ h v₁ (semi-implicit).
///
/// C(q₁) = ± ½ h² c + O(h³), since J v₀ = 0 and J v̇₀ = −c. Where that is going to be projected, the displacement that takes it away is
/// added at once: solved for with the accelerations, in the place of a round that measures. Where the projection closes joints one after another, it moves the
/// bodies itself, by `work.shift`.
pub(super) fn euler(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
    semi_implicit: bool,
) -> Result<(), StepError> {
    let may_settle = settle::may_apply(model, settings, work);
    work.straight = if may_settle { limbs::goes_straight(model, work, state) } else { None };
    let straight = work.straight;
    match straight {
        None => work.stage.copy_from(state),
        Some(_) => {
            work.stage.copy_rest_from(state);
            write_motions(model, state, &mut work.motions);
        }
    }
    // What h v leaves of the joints up to h³ is taken away at once; the projection has the rest.
    let part = 0.5 * h * h * if semi_implicit { -1.0 } else { 1.0 };
    work.predicts = may_settle.then_some(part);
    let outcome = accelerations(model, settings, work, Stage::First);
    (work.predicts, work.straight) = (None, None);
    let rate = outcome?;
    if straight == Some(false) {
        limbs::note_straight(model, work, state);
    }
    work.next.copy_from(state);
    let settles = settle::applies(model, settings, work);
    if !settles {
        work.shift.fill(0.0);
    } else if settings.fault != Fault::None {
        limbs::predict(work, part);
    }
    let all = work.next.v.iter_mut().zip(&mut work.shift).zip(work.acc.iter().zip(&state.v));
    for ((v, shift), (acc, before)) in all {
        *v += h * acc;
        *shift += h * if semi_implicit { *v } else { *before };
    }
    work.is_to_move = settles && limbs::closes_forest(work);
    if !work.is_to_move {
        advance(model, &state.q, &work.shift, &mut work.next.q);
    }
    work.next.advance_time(h);
    book(&mut work.next.ledger, h, &rate);
    Ok(())
}
