//! Step-size control from error estimates: proportional–integral control (Gustafsson 1991, with the
//! constants of Hairer's DOPRI5).
//!
//! ```text
//! accepted:  h ← h · 0.9 · err^−0.17 · err_before^0.04     factor within 0.2 … 10
//! rejected:  h ← h · 0.9 · err^−0.17                       factor within 0.2 … 1; repeated
//! ```
//!
//! A stage that cannot be evaluated, or a step that cannot be projected, is a rejection with factor
//! ¼. The memory of the controller is in the state ([`StepSizeMemory`]), so that a run continues
//! from a snapshot as if it had not been interrupted.

use crate::math::larger;
use crate::measure::coordinates::align_turns;
use crate::model::Model;
use crate::settings::{Coordinates, Settings};
use crate::state::{State, StepSizeMemory};
use crate::step::dynamics::drive_targets::carry_sums;
use crate::step::dynamics::joint_coordinates;
use crate::step::integrate::dopri5::{Dopri5Stages, ErrorEstimate};
use crate::step::project::general;
use crate::step::project::general::DriftCheck;
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;

/// Safety factor of the controller.
const SAFETY: f64 = 0.9;
/// Exponent of the error.
const PROPORTIONAL: f64 = 0.17;
/// Exponent of the error before.
const INTEGRAL: f64 = 0.04;
/// Lower bound of the remembered error, so that one very accurate step does not count too much.
const LEAST_ERROR: f64 = 1e-4;
/// Consecutive rejections after which the step size has collapsed: each is a factor of ¼ at least,
/// together 24 decades.
const MAX_REJECTED: u32 = 40;

/// The smaller of two numbers; `a` if `b` is not a number.
fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// One step of the controller's size, but at most `most`; `first` is the size of the very first
/// \[s\]. The report has the size taken.
pub(crate) fn step_within(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    (first, most): (f64, f64),
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    settings.control.check()?;
    for h in [first, most] {
        if !(h > 0.0 && h.is_finite()) {
            return Err(StepError::BadStep { h });
        }
    }
    let mut dopri5 = work.integrator.dopri5.take().unwrap_or_else(|| Box::new(Dopri5Stages::new(model)));
    let outcome = controlled(model, settings, state, (first, most), work, &mut dopri5);
    dopri5.accepted = outcome.is_ok();
    work.integrator.dopri5 = Some(dopri5);
    outcome
}

/// Advances by `h` \[s\] exactly, in as many steps as needed. If one of them fails the state is
/// that of the start.
pub(crate) fn step_exactly(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let mut origin =
        work.integrator.dopri5.get_or_insert_with(|| Box::new(Dopri5Stages::new(model))).take_origin();
    origin.copy_from(state);
    let mut total = StepReport::default();
    let mut left = h;
    let outcome = loop {
        match step_within(model, settings, state, (h, left), work) {
            Ok(report) => {
                total.include(&report);
                if report.size >= left {
                    break Ok(total);
                }
                left -= report.size;
            }
            Err(error) => break Err(error),
        }
    };
    match outcome {
        Ok(_) => {
            // The end time is one sum, without the rounding of the parts.
            (state.time, state.time_remainder) = (origin.time, origin.time_remainder);
            state.advance_time(h);
        }
        Err(_) => state.copy_from(&origin),
    }
    if let Some(dopri5) = &mut work.integrator.dopri5 {
        dopri5.accepted &= outcome.is_ok();
        dopri5.origin = origin;
    }
    outcome
}

/// Repeats a step with smaller sizes until its error is accepted.
fn controlled(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    (first, most): (f64, f64),
    work: &mut Workspace,
    dopri5: &mut Dopri5Stages,
) -> Result<StepReport, StepError> {
    let StepSizeMemory { size, error: before } = state.step_size_memory;
    let wish = smaller(if size > 0.0 { size } else { first }, settings.control.max_step);
    dopri5.begin(model, settings, state, work)?;
    let equation_residual = work.equations.equation_residual;
    let mut h = smaller(larger(wish, dopri5.size_to_pass(model)), dopri5.chart_limit(model));
    // Avoids a very short last step.
    let mut shortened = h > most;
    if h > most / 1.01 {
        h = most;
    }
    let (mut rejected, mut avoided) = (0, 0);
    loop {
        let (worst, failure) = match attempt(model, settings, h, work, dopri5) {
            // A shorter step keeps its stages away from the singular pose.
            Ok((ErrorEstimate { error, .. }, _))
                if error <= 1.0 && avoided < 4 && dopri5.meets_singular_pose() =>
            {
                avoided += 1;
                work.counts.rejected += 1;
                h *= 0.9;
                shortened = false;
                continue;
            }
            Ok((ErrorEstimate { error, .. }, report)) if error <= 1.0 => {
                let shrink = libm::pow(error, PROPORTIONAL) / libm::pow(before, INTEGRAL) / SAFETY;
                let mut next = h / larger(0.1, smaller(shrink, 5.0));
                if rejected > 0 {
                    next = smaller(next, h);
                }
                carry_sums(model, work);
                work.stages.next.plan.copy_from_slice(&work.solvers.plan);
                core::mem::swap(state, &mut work.stages.next);
                state.step_size_memory = if shortened {
                    // Shortened by the caller: the size and error known before still apply.
                    StepSizeMemory { size: larger(next, wish), error: before }
                } else {
                    StepSizeMemory { size: next, error: larger(error, LEAST_ERROR) }
                };
                return Ok(StepReport { equation_residual, size: h, steps: 1, ..report });
            }
            Ok((worst, _)) => (worst, None),
            Err(failure) => (ErrorEstimate { error: f64::NAN, body: 0 }, Some(failure)),
        };
        rejected += 1;
        shortened = false;
        work.counts.rejected += 1;
        let tried = h;
        // NaN fails the comparison and gives a quarter, too.
        h *= if worst.error < f64::INFINITY {
            larger(0.2, smaller(1.0, SAFETY / libm::pow(worst.error, PROPORTIONAL)))
        } else {
            0.25
        };
        if rejected >= MAX_REJECTED || h <= 16.0 * f64::EPSILON * state.time.abs() {
            return Err(failure.unwrap_or_else(|| {
                let ErrorEstimate { error, body } = worst;
                let body = model.bodies[body].name.clone();
                StepError::Collapsed { body, time: state.time, h: tried, error }
            }));
        }
    }
}

/// One trial step: its error and, if that is accepted, `work.stages.next` projected onto the joints.
fn attempt(
    model: &Model,
    settings: &Settings,
    h: f64,
    work: &mut Workspace,
    dopri5: &mut Dopri5Stages,
) -> Result<(ErrorEstimate, StepReport), StepError> {
    dopri5.run_stages(model, settings, h, work)?;
    let worst = dopri5.estimate(model, settings, work);
    let mut report = StepReport::default();
    if worst.error <= 1.0 {
        general::project_general(model, settings, None, work, &mut report, &mut DriftCheck::default())?;
        align_turns(model, work);
        if settings.coordinates == Coordinates::Joints {
            joint_coordinates::keep_turns(model, work);
        }
    }
    Ok((worst, report))
}
