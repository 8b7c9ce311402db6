//! Settle: the projection of a step of Euler's rules, with one factor a step.
//!
//! Such a step opens the joints by ½ h² c, which is taken away before it is measured (`integrate/euler.rs`). What is left, O(h³), is closed
//! joint by joint along the forest while the bodies are moved (`articulated/forest.rs`), so that only loops take rounds, with the factor of the start of the
//! step, h v off, by a factor of about h ω each. Velocities are then projected with a factor of the new pose, in the sweep that makes it
//! (`articulated/rates.rs`); it is the one that the next step begins with, so that no step makes more than one. Where joints do not close that
//! way, poses take rounds of corrections.
//!
//! Whatever does not go that way is left to `general.rs`, which goes on from where this ended.

use crate::model::Model;
use crate::settings::Coordinates;
use crate::settings::Integrator;
use crate::settings::Settings;
use crate::state::State;
use crate::step::StepReport;
use crate::step::Workspace;
use crate::step::articulated::{self, BOTH, ConstraintErrors, POSES, RATES};
use crate::step::dynamics::kinematics::advance;
use crate::step::dynamics::kinematics::{motions, write_rates};
use crate::step::project::general::{DriftCheck, NOISE, are_finite, book_impulse, bound, correct, lost};
use crate::step::project::tree;
use crate::step::project::velocity;
use crate::step_error::Stage;
use crate::step_error::StepError;

/// An error of this many bounds is too far for a factor of another pose: about a ten-thousandth of what formed it.
const FAR: f64 = 1e11;
/// Where a loop has less of a row left than this (a sine), a step may turn it by as much: only a factor of the new pose closes it.
pub(crate) const SINGULAR: f64 = 0.02;

/// Whether a step is projected this way, as far as its start can tell: by one of Euler's rules, on the fast path, with a factor that is
/// of its pose and no other time, and no loop about to lose rank.
pub(crate) fn applies(model: &Model, settings: &Settings, work: &Workspace) -> bool {
    may_apply(model, settings, work) && articulated::min_pivot_sine(work) >= SINGULAR
}

/// The same before there is a factor.
pub(crate) fn may_apply(model: &Model, settings: &Settings, work: &Workspace) -> bool {
    let is_euler = matches!(settings.integrator, Integrator::ExplicitEuler | Integrator::SemiImplicitEuler);
    is_euler
        && settings.projects()
        && settings.coordinates == Coordinates::Bodies
        && work.articulated.is_some()
        && model.drives.is_empty()
}

/// Projects `work.next`, if it can be done this way; from `start`, or what `work.stage` has, if it is still to be moved. `None` if not, and then it may be nearer than it was.
pub(crate) fn project_euler(
    model: &Model,
    settings: &Settings,
    start: Option<(&State, bool)>,
    work: &mut Workspace,
    report: &mut StepReport,
    drift: &mut DriftCheck<'_>,
) -> Result<Option<ConstraintErrors>, StepError> {
    if let Some((start, true)) = start {
        if tree::advance_closed(model, work) {
            // Nothing has opened far.
            drift.end();
            let poses = close_loops(&mut WorkspaceLoops { model, work, report });
            let Some(poses) = poses else { return Ok(None) };
            return close_loop_velocities(model, work, report, &poses);
        }
        advance(model, &start.q, &work.shift, &mut work.next.q);
    } else if !applies(model, settings, work) {
        return Ok(None);
    }
    if !close_poses(model, work, report, drift)? {
        return Ok(None);
    }
    if drift.is_too_long {
        return Ok(Some(ConstraintErrors::default()));
    }
    close_velocities(model, work, report)
}

/// Closes poses, wherever they are, in rounds; whether it can be done. `drift` says if the step is to be divided instead.
fn close_poses(
    model: &Model,
    work: &mut Workspace,
    report: &mut StepReport,
    drift: &mut DriftCheck<'_>,
) -> Result<bool, StepError> {
    work.stage.copy_from(&work.next);
    let mut last = f64::INFINITY;
    loop {
        if !(are_finite(&work.next.v) && are_finite(&work.next.q)) {
            return Err(lost(model, work));
        }
        motions(model, work);
        let measured = articulated::measure::<POSES>(model, work, false, bound);
        let off = measured.position_excess;
        if report.rounds == 0 {
            if drift.is_too_long(&measured, work) {
                return Ok(true);
            }
            // What comes after the first round tells nothing about the step.
            drift.end();
        }
        // What one round has left of far more is noise.
        if off <= 1.0 || (report.rounds > 0 && off <= NOISE) {
            return Ok(true);
        }
        // Three more rounds cost less than a factor.
        let contraction = off / last;
        let is_slow = report.rounds > 0 && contraction * contraction * contraction * off > NOISE;
        if is_slow || off.is_nan() || off > FAR {
            return Ok(false);
        }
        correct(model, work, Some(measured.position), None, false);
        work.stage.q.copy_from_slice(&work.next.q);
        count_round(work, report);
        last = off;
    }
}

/// Whoever moves bodies and measures joints that close loops, where all joints of the forest are closed and stay so.
pub(crate) trait LoopProjection {
    /// How far they are from closed.
    fn measure(&mut self) -> ConstraintErrors;
    /// Solves for the displacement that takes the last gaps away, or for one more; a round.
    fn correct(&mut self, is_more: bool);
    /// The worst gap, in units of its bound, that the displacement of the last [`correct`](LoopProjection::correct) leaves, to first order; `None` if that is not known.
    fn predict_residual(&mut self) -> Option<f64>;
    /// Moves all bodies by that displacement; false if it cannot be done this way.
    fn advance(&mut self) -> bool;
}

/// Those of a workspace.
struct WorkspaceLoops<'w> {
    model: &'w Model,
    work: &'w mut Workspace,
    report: &'w mut StepReport,
}

impl LoopProjection for WorkspaceLoops<'_> {
    fn measure(&mut self) -> ConstraintErrors {
        velocity::measure_loops(self.model, self.work, bound)
    }
    fn correct(&mut self, is_more: bool) {
        tree::correct_loops(self.work, is_more, bound);
        count_round(self.work, self.report);
    }
    fn predict_residual(&mut self) -> Option<f64> {
        tree::foresee_loops(self.work, bound)
    }
    fn advance(&mut self) -> bool {
        tree::advance_closed(self.model, self.work)
    }
}

/// Closes loops; `None` if it cannot be done.
pub(crate) fn close_loops(loops: &mut impl LoopProjection) -> Option<ConstraintErrors> {
    let mut last = f64::INFINITY;
    loop {
        let measured = loops.measure();
        let (off, is_first) = (measured.position_excess, last == f64::INFINITY);
        if off <= 1.0 || (!is_first && off <= NOISE) {
            return Some(measured);
        }
        let contraction = off / last;
        let is_slow = !is_first && contraction * contraction * contraction * off > NOISE;
        if off > FAR || off.is_nan() || is_slow {
            return None;
        }
        loops.correct(false);
        refine_correction(loops, off);
        last = off;
        if !loops.advance() {
            return None;
        }
    }
}

/// What the factor of another pose leaves of a correction of loops that were `off` is known to first order before anything is moved: it is
/// corrected too, as long as that helps.
fn refine_correction(loops: &mut impl LoopProjection, off: f64) {
    let mut before = off;
    for _ in 0..3 {
        let Some(left) = loops.predict_residual() else { return };
        if left <= 1.0 || left.is_nan() || left > 0.25 * before {
            return;
        }
        loops.correct(true);
        // As much again, and nothing will be left.
        if left * left <= 0.5 * before {
            return;
        }
        before = left;
    }
}

/// Closes velocities at a pose whose forest is closed, in one round; the second is for loops that leave little of a row.
fn close_loop_velocities(
    model: &Model,
    work: &mut Workspace,
    report: &mut StepReport,
    poses: &ConstraintErrors,
) -> Result<Option<ConstraintErrors>, StepError> {
    velocity::correct_velocities(model, work, bound)?;
    book_impulse(model, work);
    count_round(work, report);
    let measured = velocity::measure_closed(model, work, poses, bound);
    let is_closed = measured.position_excess <= NOISE;
    if is_closed && measured.velocity_excess <= NOISE && is_all_finite(&measured) {
        return Ok(Some(measured));
    }
    if !(are_finite(&work.next.v) && are_finite(&work.next.q)) {
        return Err(lost(model, work));
    }
    if !is_closed {
        return Ok(None);
    }
    articulated::measure::<RATES>(model, work, false, bound);
    correct(model, work, None, Some(measured.velocity), false);
    write_rates(model, work);
    count_round(work, report);
    let measured = articulated::measure::<BOTH>(model, work, false, bound);
    Ok((measured.position_excess <= NOISE && measured.velocity_excess <= NOISE).then_some(measured))
}

/// Closes velocities, at the pose of `work.motions`. All joints are looked at in the end; `None` if something is left open.
fn close_velocities(
    model: &Model,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<Option<ConstraintErrors>, StepError> {
    let rates = articulated::measure::<RATES>(model, work, false, bound);
    let mut worst = rates.velocity;
    if rates.velocity_excess > 1.0 || rates.velocity_excess.is_nan() {
        articulated::factor(model, work, Stage::Projection)?;
        work.counts.factorizations += 1;
    } else {
        worst = 0.0;
    }
    // One round does it; the second is for loops that leave little of a row.
    for _ in 0..2 {
        if worst > 0.0 {
            correct(model, work, None, Some(worst), false);
            if !(are_finite(&work.next.v) && are_finite(&work.next.q)) {
                return Err(lost(model, work));
            }
            write_rates(model, work);
            count_round(work, report);
        }
        let measured = articulated::measure::<BOTH>(model, work, false, bound);
        if measured.position_excess > NOISE || measured.position_excess.is_nan() {
            return Ok(None);
        }
        if measured.velocity_excess <= NOISE {
            return Ok(Some(measured));
        }
        worst = measured.velocity;
    }
    Ok(None)
}

/// Whether the worst of all is finite: then everything is.
fn is_all_finite(measured: &ConstraintErrors) -> bool {
    (measured.position + measured.velocity + measured.velocity_size).is_finite()
}

pub(crate) fn count_round(work: &mut Workspace, report: &mut StepReport) {
    work.counts.iterations += 1;
    report.rounds += 1;
}
