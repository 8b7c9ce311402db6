//! Settle: the projection of a step of Euler's rules, with one factor a step.
//!
//! Such a step opens the joints by ½ h² c, which is taken away before it is measured (`propagate/euler.rs`). What is left, O(h³), is
//! closed with the factor of its start, h v off, by a factor of about h ω a round: one or two that measure nothing but poses. Velocities are then projected with a factor of the new
//! pose, in one round; it is the one that the next step begins with, so that no step makes more than one.
//!
//! Whatever does not go that way is left to `stabilise.rs`, which goes on from where this ended.

use super::accumulate::{motions, write_rates};
use super::limbs::{self, Measured, POSES, RATES};
use super::stabilise::{NOISE, are_finite, bound, correct, is_divided, lost};
use super::{Coordinates, Integrator, Settings, Stage, StepError, StepReport, Workspace};
use crate::model::Model;

/// An error of this many bounds is too far for a factor of another pose: about a ten-thousandth of what formed it.
const FAR: f64 = 1e11;

/// Where a loop has less of a row left than this (a sine), a step may turn it by as much: only a factor of the new pose closes it.
const SINGULAR: f64 = 0.02;

/// Whether a step is projected this way, as far as its start can tell: by one of Euler's rules, on the fast path, with a factor that is
/// of its pose and no other time, and no loop about to lose rank.
pub(super) fn applies(model: &Model, settings: &Settings, work: &Workspace) -> bool {
    let is_euler = matches!(settings.integrator, Integrator::ExplicitEuler | Integrator::SemiImplicitEuler);
    is_euler
        && settings.projects()
        && settings.coordinates == Coordinates::Bodies
        && work.limbs.is_some()
        && model.drives.is_empty()
        && limbs::least_sine(work) >= SINGULAR
}

/// Projects `work.next`, if it can be done this way; `None` if not, and then it may be nearer than it was.
pub(super) fn settle(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<Option<Measured>, StepError> {
    if !applies(model, settings, work) {
        return Ok(None);
    }
    let Some(poses) = settle_poses(model, settings, work, report)? else { return Ok(None) };
    if work.division.is_some() {
        return Ok(Some(poses));
    }
    let rates = settle_rates(model, work, report)?;
    Ok(rates.map(|rates| poses.with_rates_of(&rates)))
}

fn settle_poses(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<Option<Measured>, StepError> {
    work.stage.copy_from(&work.next);
    let mut last = f64::INFINITY;
    loop {
        if !(are_finite(&work.next.v) && are_finite(&work.next.q)) {
            return Err(lost(model, work));
        }
        motions(model, work);
        let measured = limbs::measure::<POSES>(model, work, false, bound);
        let off = measured.position_excess;
        if report.rounds == 0 {
            if is_divided(settings, &measured, work) {
                return Ok(Some(measured));
            }
            // What comes after the first round tells nothing about the step.
            work.may_divide = None;
        }
        // What one round has left of far more is noise.
        if off <= 1.0 || (report.rounds > 0 && off <= NOISE) {
            return Ok(Some(measured));
        }
        // Three more rounds cost less than a factor.
        let contraction = off / last;
        let is_slow = report.rounds > 0 && contraction * contraction * contraction * off > NOISE;
        if is_slow || off.is_nan() || off > FAR {
            return Ok(None);
        }
        correct(model, work, Some(measured.position), None, false);
        work.stage.q.copy_from_slice(&work.next.q);
        count_round(work, report);
        last = off;
    }
}

/// The same for velocities, at the pose of `work.motions`.
fn settle_rates(
    model: &Model,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<Option<Measured>, StepError> {
    let mut measured = limbs::measure::<RATES>(model, work, false, bound);
    if measured.velocity_excess <= 1.0 {
        return Ok(Some(measured));
    }
    limbs::factor(model, work, Stage::Projection)?;
    work.counts.factorizations += 1;
    // One round does it; the second is for loops that leave little of a row.
    for _ in 0..2 {
        correct(model, work, None, Some(measured.velocity), false);
        work.stage.v.copy_from_slice(&work.next.v);
        if !are_finite(&work.next.v) {
            return Err(lost(model, work));
        }
        write_rates(model, work);
        count_round(work, report);
        measured = limbs::measure::<RATES>(model, work, false, bound);
        if measured.velocity_excess <= NOISE {
            return Ok(Some(measured));
        }
    }
    Ok(None)
}

fn count_round(work: &mut Workspace, report: &mut StepReport) {
    work.counts.iterations += 1;
    report.rounds += 1;
}
