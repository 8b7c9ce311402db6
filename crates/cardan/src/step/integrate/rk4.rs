//! The classical Runge–Kutta method in the chart u: order 4.

use crate::math::larger;
use crate::model::Model;
use crate::settings::Settings;
use crate::state::State;
use crate::step::articulated;
use crate::step::dynamics::kinematics::{advance, chart_rates};
use crate::step::dynamics::ledger::book;
use crate::step::evaluate::accelerations;
use crate::step::integrate::{Integrated, SingularStage, close_stage};
use crate::step::workspace::Workspace;
use crate::step_error::{Stage, StepError};

/// Classical Runge–Kutta: k₁ … k₄ at 0, ½, ½, 1 with weights 1, 2, 2, 1 over 6.
pub(crate) fn rk4(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<Integrated, StepError> {
    const REACH: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
    const WEIGHT: [f64; 4] = [1.0, 2.0, 2.0, 1.0];
    const SINGULAR_STAGE: [SingularStage; 4] =
        [SingularStage::First, SingularStage::Middle, SingularStage::Middle, SingularStage::Last];
    let mut ledger = state.ledger;
    let mut sines = [1.0; 4];
    work.stages.stage.copy_from(state);
    work.open_stages(model);
    work.stages.shift.fill(0.0);
    work.stages.shift_sum.fill(0.0);
    work.stages.acc_sum.fill(0.0);
    for s in 0..4 {
        if s > 0 {
            // `shift_rate` and `acc` are those of the previous stage.
            let reach = REACH[s] * h;
            for i in 0..model.v_len {
                work.stages.shift[i] = reach * work.stages.shift_rate[i];
                work.stages.stage.v[i] = state.v[i] + reach * work.equations.acc[i];
            }
            advance(model, &state.q, &work.stages.shift, &mut work.stages.stage.q);
            work.stages.stage.time = state.time + reach;
            if work.integrator.passes_singular_pose {
                close_stage(model, settings, work);
            }
        }
        let stage = if s == 0 { Stage::First } else { Stage::Inner(s as u8 + 1) };
        let mut rate = accelerations(model, settings, work, stage)?;
        sines[s] = articulated::min_pivot_sine(work);
        if s == 0 && settings.projects() {
            let (may, undone) = articulated::may_lose_rank(model, work, h);
            work.integrator.passes_singular_pose = may;
            if undone {
                rate = accelerations(model, settings, work, stage)?;
            }
        }
        if let Some(kept) = work.stages.stage_acc.get_mut(s) {
            kept.copy_from_slice(&work.equations.acc);
        }
        chart_rates(model, &work.stages.shift, &work.stages.stage.v, &mut work.stages.shift_rate);
        for i in 0..model.v_len {
            work.stages.shift_sum[i] += WEIGHT[s] * work.stages.shift_rate[i];
            work.stages.acc_sum[i] += WEIGHT[s] * work.equations.acc[i];
        }
        book(&mut ledger, WEIGHT[s] * (h / 6.0), &rate);
    }
    let mut singular_stage = None;
    if work.integrator.passes_singular_pose {
        // So close that the substeps (`substep.rs`) keep a distance.
        let most = sines.into_iter().fold(0.0, larger);
        singular_stage = sines.iter().position(|s| *s < 0.01 * most).map(|s| SINGULAR_STAGE[s]);
    }
    work.stages.next.copy_from(state);
    for i in 0..model.v_len {
        work.stages.shift[i] = h / 6.0 * work.stages.shift_sum[i];
        work.stages.next.v[i] += h / 6.0 * work.stages.acc_sum[i];
    }
    advance(model, &state.q, &work.stages.shift, &mut work.stages.next.q);
    work.stages.next.advance_time(h);
    work.stages.next.ledger = ledger;
    Ok(Integrated { poses_pending: false, singular_stage })
}
