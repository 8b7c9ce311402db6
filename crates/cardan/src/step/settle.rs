//! Settle: the projection of a step of Euler's rules, with one factor a step.
//!
//! Such a step opens the joints by ½ h² c, which is taken away before it is measured (`propagate/euler.rs`). What is left, O(h³), is
//! closed with the factor of its start, h v off, by a factor of about h ω a round: one or two that measure nothing but poses. Hinges and
//! balls of the forest are closed one after another in between (`limbs/forest.rs`), so that only loops take rounds. Velocities are then projected with a factor of the new
//! pose, in one round; it is the one that the next step begins with, so that no step makes more than one.
//!
//! Whatever does not go that way is left to `stabilise.rs`, which goes on from where this ended.

use super::accumulate::{motions, write_rates};
use super::limbs::{self, CLOSINGS, Measured, POSES, RATES};
use super::propagate::advance;
use super::stabilise::{NOISE, are_finite, bound, correct, is_divided, lost};
use super::{Coordinates, Integrator, Settings, Stage, StepError, StepReport, Workspace};
use crate::model::Model;

/// An error of this many bounds is too far for a factor of another pose: about a ten-thousandth of what formed it.
const FAR: f64 = 1e11;
/// Errors up to this many bounds, some 1e-8 of what formed them, may be closed without regard to masses.
const NEAR: f64 = 1e7;
/// Errors up to this many are below that after a round.
const QUITE_NEAR: f64 = 2e10;
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
        let closes_forest = limbs::closes_forest(work);
        if off > NEAR || !closes_forest {
            correct(model, work, Some(measured.position), None, false);
            work.stage.q.copy_from_slice(&work.next.q);
            count_round(work, report);
            last = off;
        }
        // One round has brought h² to h³.
        if closes_forest && off <= QUITE_NEAR {
            return Ok(settle_closings(model, work, report));
        }
    }
}

/// The same where gaps are small: the joints of the forest are closed one after another, and only those that close loops take rounds.
fn settle_closings(model: &Model, work: &mut Workspace, report: &mut StepReport) -> Option<Measured> {
    let mut last = f64::INFINITY;
    loop {
        limbs::close_forest(model, work);
        work.stage.q.copy_from_slice(&work.next.q);
        let off = limbs::measure::<{ POSES | CLOSINGS }>(model, work, false, bound).position_excess;
        let is_first = last == f64::INFINITY;
        if off <= 1.0 || (!is_first && off <= NOISE) {
            break;
        }
        let contraction = off / last;
        if off.is_nan() || (!is_first && contraction * contraction * contraction * off > NOISE) {
            return None;
        }
        limbs::correct_closings(work, bound);
        advance(model, &work.stage.q, &work.shift, &mut work.next.q);
        count_round(work, report);
        last = off;
    }
    // All joints are looked at in the end.
    let measured = limbs::measure::<POSES>(model, work, false, bound);
    (measured.position_excess <= NOISE).then_some(measured)
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
