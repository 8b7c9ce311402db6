//! Euler's method, explicit or semi-implicit (symplectic): order 1.

use crate::model::Model;
use crate::settings::{Fault, Settings};
use crate::state::State;
use crate::step::articulated;
use crate::step::dynamics::kinematics::{advance, write_motions};
use crate::step::dynamics::ledger::book;
use crate::step::evaluate::accelerations;
use crate::step::integrate::Integrated;
use crate::step::project::{euler, tree};
use crate::step::workspace::{Evaluation, MotionSource, Workspace};
use crate::step_error::{Stage, StepError};

/// v₁ = v₀ + h v̇₀;  q₁ = q₀ ⊕ h v₀ (explicit) or q₀ ⊕ h v₁ (semi-implicit).
///
/// C(q₁) = ± ½ h² c + O(h³), since J v₀ = 0 and J v̇₀ = −c. Where a projection follows, the
/// displacement that removes this error is added at once: it is solved for together with the
/// accelerations and replaces a round of the projection. Where the projection closes a forest joint
/// by joint, it moves the bodies itself, by `work.stages.shift`.
pub(crate) fn euler(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
    semi_implicit: bool,
) -> Result<Integrated, StepError> {
    let may_apply = euler::may_apply(model, settings, work);
    let motions =
        if may_apply { articulated::motion_source(model, work, state) } else { MotionSource::Stage };
    match motions {
        MotionSource::Stage => work.stages.stage.copy_from(state),
        MotionSource::Written { .. } => {
            work.stages.stage.copy_rest_from(state);
            write_motions(model, state, &mut work.kinematics.motions);
        }
    }
    // The displacement removes the joint errors of h v up to O(h³); the projection removes the
    // rest.
    let part = 0.5 * h * h * if semi_implicit { -1.0 } else { 1.0 };
    let at = Evaluation {
        motions,
        drift_part: may_apply.then_some(part),
        step: semi_implicit.then_some(h),
        ..Stage::First.into()
    };
    let rate = accelerations(model, settings, work, at)?;
    if motions == (MotionSource::Written { is_factored: false }) {
        articulated::note_factor_at(model, work, state);
    }
    work.stages.next.copy_from(state);
    let applies = euler::applies(model, settings, work);
    if !applies {
        work.stages.shift.fill(0.0);
    } else if settings.fault != Fault::None {
        articulated::predict(work, part);
    }
    let all = work
        .stages
        .next
        .v
        .iter_mut()
        .zip(&mut work.stages.shift)
        .zip(work.equations.acc.iter().zip(&state.v));
    for ((v, shift), (acc, before)) in all {
        *v += h * acc;
        *shift += h * if semi_implicit { *v } else { *before };
    }
    let poses_pending = applies && tree::closes_forest(work);
    if !poses_pending {
        advance(model, &state.q, &work.stages.shift, &mut work.stages.next.q);
    }
    work.stages.next.advance_time(h);
    book(&mut work.stages.next.ledger, h, &rate);
    Ok(Integrated { poses_pending, singular_stage: None })
}
