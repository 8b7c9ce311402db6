//! Projection of an Euler step on the articulated path, with one factorization per step.
//!
//! An Euler step opens the joints by ½ h² c, which is removed before it is measured
//! (`integrate/euler.rs`). The O(h³) that is left is closed joint by joint along the forest while
//! the bodies are moved (`tree.rs`). Only loops need rounds of corrections; these use the factor of
//! the start of the step, which is h v off, and contract by about h ω each. Velocities are then
//! projected with a factor of the new pose, in the sweep that makes it (`velocity.rs`). The next
//! step begins with that factor, so that a step makes one only. Where the tree joints cannot be
//! closed one by one, positions take rounds of corrections.
//!
//! Steps that do not fit this scheme are left to `general.rs`, which continues from where this
//! ended.

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
use crate::step::project::general::{DriftCheck, are_finite, book_impulse, bound, correct, lost};
use crate::step::project::tree;
use crate::step::project::velocity;
use crate::step_error::Stage;
use crate::step_error::StepError;
use crate::tolerances::NOISE;

/// An error of this many bounds, about 1e-4 of the terms that form it, is too far for a factor of
/// another pose.
const FAR: f64 = 1e11;
/// If the smallest remainder of a loop-closure row (a sine) is below this, a step may change it by
/// as much: only a factor of the new pose closes it.
pub(crate) const SINGULAR: f64 = 0.02;

/// True if a step is projected this way, as far as its start tells: an Euler step on the
/// articulated path, with a factor of its pose that does not depend on time, and no loop near a
/// singular pose.
pub(crate) fn applies(model: &Model, settings: &Settings, work: &Workspace) -> bool {
    may_apply(model, settings, work) && articulated::min_pivot_sine(work) >= SINGULAR
}

/// True if a step may be projected this way, judged before there is a factor. Drives and constraints
/// that depend on time are measured at the time of the end of the step, which only `general.rs` does.
pub(crate) fn may_apply(model: &Model, settings: &Settings, work: &Workspace) -> bool {
    let is_euler = matches!(settings.integrator, Integrator::ExplicitEuler | Integrator::SemiImplicitEuler);
    is_euler
        && settings.projects()
        && settings.coordinates != Coordinates::Joints
        && work.solvers.articulated.is_some()
        && model.drives.is_empty()
        && !work.integrator.has_timed_constraints
}

/// Projects `work.stages.next`, if this scheme applies. If the bodies are still to be moved, they start
/// from `start`, or from `work.stages.stage`. `None` if it does not apply; `work.stages.next` may then be nearer
/// than before.
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
            // The joints have not opened far.
            drift.end();
            let poses = close_loops(&mut WorkspaceLoops { model, work, report });
            let Some(poses) = poses else { return Ok(None) };
            return close_loop_velocities(model, work, report, &poses);
        }
        advance(model, &start.q, &work.stages.shift, &mut work.stages.next.q);
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

/// Closes positions, however far they are open, in rounds of corrections. Returns false if that
/// fails. `drift` says whether the step is to be divided instead.
fn close_poses(
    model: &Model,
    work: &mut Workspace,
    report: &mut StepReport,
    drift: &mut DriftCheck<'_>,
) -> Result<bool, StepError> {
    work.stages.stage.copy_from(&work.stages.next);
    let mut last = f64::INFINITY;
    loop {
        if !(are_finite(&work.stages.next.v) && are_finite(&work.stages.next.q)) {
            return Err(lost(model, work));
        }
        motions(model, work);
        let measured = articulated::measure::<POSES>(model, work, false, bound);
        let off = measured.position_excess;
        if report.rounds == 0 {
            if drift.is_too_long(&measured, work) {
                return Ok(true);
            }
            // Errors after the first round say nothing about the step.
            drift.end();
        }
        // What one round leaves of a much larger error is noise.
        if off <= 1.0 || (report.rounds > 0 && off <= NOISE) {
            return Ok(true);
        }
        // Three more rounds cost less than a factorization.
        let contraction = off / last;
        let is_slow = report.rounds > 0 && contraction * contraction * contraction * off > NOISE;
        if is_slow || off.is_nan() || off > FAR {
            return Ok(false);
        }
        correct(model, work, Some(measured.position), None, false);
        work.stages.stage.q.copy_from_slice(&work.stages.next.q);
        count_round(work, report);
        last = off;
    }
}

/// Moves bodies and measures loop-closure joints, where all tree joints are closed and stay so.
pub(crate) trait LoopProjection {
    /// Measures the errors of the loop-closure joints.
    fn measure(&mut self) -> ConstraintErrors;
    /// Solves for the displacement that removes the last errors, or for an additional one: one
    /// round.
    fn correct(&mut self, is_additional: bool);
    /// Largest error relative to its bound that the displacement of the last
    /// [`correct`](LoopProjection::correct) leaves, to first order; `None` if unknown.
    fn predict_residual(&mut self) -> Option<f64>;
    /// Largest such error that is left as it is. Joints other than revolute and spherical ones are
    /// closed with more roundings each, so that a further solve would correct noise.
    fn accepted_residual(&self) -> f64 {
        1.0
    }
    /// Moves all bodies by that displacement; false if this scheme does not apply.
    fn advance(&mut self) -> bool;
}

/// Loop-closure joints of a workspace.
struct WorkspaceLoops<'w> {
    model: &'w Model,
    work: &'w mut Workspace,
    report: &'w mut StepReport,
}

impl LoopProjection for WorkspaceLoops<'_> {
    fn measure(&mut self) -> ConstraintErrors {
        velocity::measure_loops(self.model, self.work, bound)
    }
    fn correct(&mut self, is_additional: bool) {
        tree::correct_loops(self.work, is_additional, bound);
        count_round(self.work, self.report);
    }
    fn predict_residual(&mut self) -> Option<f64> {
        tree::predicted_loop_errors(self.work, bound)
    }
    fn accepted_residual(&self) -> f64 {
        let articulated = self.work.solvers.articulated.as_ref();
        let are_simple = articulated.is_some_and(|articulated| articulated.are_hinges_or_balls);
        if are_simple { 1.0 } else { NOISE }
    }
    fn advance(&mut self) -> bool {
        tree::advance_closed(self.model, self.work)
    }
}

/// Closes loops; `None` if that fails.
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

/// The error that the factor of another pose leaves in a correction of loops that were `off` is
/// known to first order before anything is moved. It is corrected too, as long as that helps.
fn refine_correction(loops: &mut impl LoopProjection, off: f64) {
    let mut before = off;
    for _ in 0..3 {
        let Some(left) = loops.predict_residual() else { return };
        if left <= loops.accepted_residual() || left.is_nan() || left > 0.25 * before {
            return;
        }
        loops.correct(true);
        // Another reduction by the same factor leaves nothing.
        if left * left <= 0.5 * before {
            return;
        }
        before = left;
    }
}

/// Projects velocities at a pose whose tree joints are closed, in one round. A second round serves
/// loops near a singular pose.
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
    if !(are_finite(&work.stages.next.v) && are_finite(&work.stages.next.q)) {
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

/// Projects velocities at the pose of `work.kinematics.motions`. All joints are measured at the end; `None` if
/// one is left open.
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
    // One round suffices; the second serves loops near a singular pose.
    for _ in 0..2 {
        if worst > 0.0 {
            correct(model, work, None, Some(worst), false);
            if !(are_finite(&work.stages.next.v) && are_finite(&work.stages.next.q)) {
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

/// True if the largest errors are finite: then all errors are.
fn is_all_finite(measured: &ConstraintErrors) -> bool {
    (measured.position + measured.velocity + measured.velocity_size).is_finite()
}

/// Counts a round of corrections.
pub(crate) fn count_round(work: &mut Workspace, report: &mut StepReport) {
    work.counts.iterations += 1;
    report.rounds += 1;
}
