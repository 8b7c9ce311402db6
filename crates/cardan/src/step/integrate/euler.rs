//! Euler's rule, explicit or with the new velocity for the positions: order 1.

use crate::model::Model;
use crate::settings::Fault;
use crate::settings::Settings;
use crate::state::State;
use crate::step::Workspace;
use crate::step::articulated;
use crate::step::dynamics::forces::write_motions;
use crate::step::dynamics::multipliers::accelerations;
use crate::step::integrate::{advance, book};
use crate::step::project::euler;
use crate::step::project::tree;
use crate::step_error::Stage;
use crate::step_error::StepError;

/// v₁ = v₀ + h v̇₀;  q₁ = q₀ ⊕ h v₀ (explicit) or q₀ ⊕ h v₁ (semi-implicit).
///
/// C(q₁) = ± ½ h² c + O(h³), since J v₀ = 0 and J v̇₀ = −c. Where that is going to be projected, the displacement that takes it away is
/// added at once: solved for with the accelerations, in the place of a round that measures. Where the projection closes joints one after another, it moves the
/// bodies itself, by `work.shift`.
pub(crate) fn euler(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
    semi_implicit: bool,
) -> Result<(), StepError> {
    let may_settle = euler::may_apply(model, settings, work);
    work.direct_motions = if may_settle { articulated::skips_stage_copy(model, work, state) } else { None };
    let direct_motions = work.direct_motions;
    match direct_motions {
        None => work.stage.copy_from(state),
        Some(_) => {
            work.stage.copy_rest_from(state);
            write_motions(model, state, &mut work.motions);
        }
    }
    // What h v leaves of the joints up to h³ is taken away at once; the projection has the rest.
    let part = 0.5 * h * h * if semi_implicit { -1.0 } else { 1.0 };
    work.drift_prediction = may_settle.then_some(part);
    let outcome = accelerations(model, settings, work, Stage::First);
    (work.drift_prediction, work.direct_motions) = (None, None);
    let rate = outcome?;
    if direct_motions == Some(false) {
        articulated::note_factor_at(model, work, state);
    }
    work.next.copy_from(state);
    let settles = euler::applies(model, settings, work);
    if !settles {
        work.shift.fill(0.0);
    } else if settings.fault != Fault::None {
        articulated::predict(work, part);
    }
    let all = work.next.v.iter_mut().zip(&mut work.shift).zip(work.acc.iter().zip(&state.v));
    for ((v, shift), (acc, before)) in all {
        *v += h * acc;
        *shift += h * if semi_implicit { *v } else { *before };
    }
    work.pose_advance_pending = settles && tree::closes_forest(work);
    if !work.pose_advance_pending {
        advance(model, &state.q, &work.shift, &mut work.next.q);
    }
    work.next.advance_time(h);
    book(&mut work.next.ledger, h, &rate);
    Ok(())
}
