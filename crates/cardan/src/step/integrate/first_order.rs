//! First-order motion f = m v: velocities follow from the pose, and poses are integrated by the
//! classical Runge–Kutta method in the chart u, of order 4.
//!
//!   u̇ = dexp⁻¹_u(v(q₀ ⊕ u, t))

use crate::model::Model;
use crate::settings::Settings;
use crate::state::State;
use crate::step::articulated;
use crate::step::dynamics::kinematics::{advance, chart_rates};
use crate::step::dynamics::ledger::book;
use crate::step::evaluate::velocities;
use crate::step::integrate::{close_stage, first_order};
use crate::step::project::general;
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step_error::{Stage, StepError};

/// One step of the poses; their velocities are found after the projection.
pub(crate) fn first_order(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    const REACH: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
    const WEIGHT: [f64; 4] = [1.0, 2.0, 2.0, 1.0];
    let mut ledger = state.ledger;
    work.stages.stage.copy_from(state);
    work.open_stages(model);
    work.stages.shift.fill(0.0);
    work.stages.shift_sum.fill(0.0);
    for s in 0..4 {
        if s > 0 {
            // `shift_rate` is that of the previous stage.
            let reach = REACH[s] * h;
            for (shift, rate) in work.stages.shift.iter_mut().zip(&work.stages.shift_rate) {
                *shift = reach * rate;
            }
            advance(model, &state.q, &work.stages.shift, &mut work.stages.stage.q);
            work.stages.stage.time = state.time + reach;
            if work.integrator.passes_singular_pose {
                close_stage(model, settings, work);
            }
        }
        let stage = if s == 0 { Stage::First } else { Stage::Inner(s as u8 + 1) };
        let mut rate = first_order::velocities(model, settings, work, stage)?;
        if s == 0 && settings.projects() {
            let (may, undone) = articulated::may_lose_rank(model, work, h);
            work.integrator.passes_singular_pose = may;
            if undone {
                rate = first_order::velocities(model, settings, work, stage)?;
            }
        }
        if let Some(kept) = work.stages.stage_acc.get_mut(s) {
            kept.copy_from_slice(&work.equations.acc);
        }
        chart_rates(model, &work.stages.shift, &work.equations.acc, &mut work.stages.shift_rate);
        for (sum, rate) in work.stages.shift_sum.iter_mut().zip(&work.stages.shift_rate) {
            *sum += WEIGHT[s] * rate;
        }
        book(&mut ledger, WEIGHT[s] * (h / 6.0), &rate);
    }
    work.stages.next.copy_from(state);
    work.stages.next.v.copy_from_slice(&work.equations.acc);
    for (shift, sum) in work.stages.shift.iter_mut().zip(&work.stages.shift_sum) {
        *shift = h / 6.0 * sum;
    }
    advance(model, &state.q, &work.stages.shift, &mut work.stages.next.q);
    work.stages.next.advance_time(h);
    work.stages.next.ledger = ledger;
    Ok(())
}

/// Sets the velocities of `work.stages.next`, which is on its joints, and reports the errors of the
/// joints.
pub(crate) fn set_velocities(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
    stage: Stage,
) -> Result<(), StepError> {
    work.stages.stage.copy_from(&work.stages.next);
    velocities(model, settings, work, stage)?;
    work.stages.next.v.copy_from_slice(&work.equations.acc);
    let measured = general::measure(model, settings, work)?;
    (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
    Ok(())
}
