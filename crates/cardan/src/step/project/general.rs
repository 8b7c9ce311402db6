//! Projection of positions and velocities onto the constraints, mass-orthogonally, with the factor
//! at hand.
//!
//! ```text
//! H (Δx, τ) = (0, C)          q ← q ⊕ Δx                          (Tasora eq. 30, 36)
//! H (Δv, π) = (0, J v + C_t)  v ← v + Δv                          (Tasora eq. 31, 37)
//! ```
//!
//! H: matrix of the constrained system; C: constraint error; C_t: its partial time derivative. The
//! corrections are mass-orthogonal to the motions that the joints allow, which therefore stay as
//! they are. The factor is that of the last evaluation, near the new pose, so that the rounds
//! contract fast but not at once. A row is done when its error is at the rounding of the terms that
//! form it, and is then left alone.

use crate::math::{Lane, Vec3, larger};
use crate::model::{Model, ModelBody};
use crate::settings::Settings;
use crate::state::State;
use crate::step::articulated;
use crate::step::articulated::{ConstraintErrors, Correction};
use crate::step::dynamics::constraint_rows::{
    RowContent, check_finite, check_followed, write_constraint_rows,
};
use crate::step::dynamics::drive_targets::refresh_targets;
use crate::step::dynamics::forces::accumulate_forces;
use crate::step::dynamics::kinematics::{advance, motions};
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::dynamics::multipliers::{factor, world_reactions};
use crate::step::dynamics::{conflict, joint_coordinates, rank_plan};
use crate::step::project::euler;
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step_error::{Stage, StepError, not_finite};
use crate::tolerances::{CONFLICTS_WHEN_CLOSING, NOISE, ZERO_ERROR};
use cardan_solve::ROUNDING_OF_GEOMETRY;

/// Absolute bound in metres, radians or their rates. It keeps a mechanism at rest from correcting
/// rounding of rounding.
const ZERO_GAP: f64 = 1e-30;
/// An error of this many [`ZERO_ERROR`]s is far from closed.
const FAR: f64 = 1e6;
/// Largest number of rounds.
const MAX_ROUNDS: u32 = 60;

/// Bound below which an error counts as zero; `size` is that of the terms that form it.
#[inline(always)]
pub(crate) fn bound(size: f64) -> f64 {
    ZERO_ERROR * size + ZERO_GAP
}
/// [`bound`] in SIMD lanes.
#[inline(always)]
pub(crate) fn bounds<T: Lane>(size: T) -> T {
    T::splat(ZERO_ERROR) * size + T::splat(ZERO_GAP)
}

/// Judges the relative drift of a step: true if the step is too long.
type DriftJudge<'c> = &'c dyn Fn(f64, &Workspace) -> bool;

/// Watches how far a step has opened the joints, measured before they are closed: a step that is
/// too long for the mechanism is left undone.
#[derive(Default)]
pub(crate) struct DriftCheck<'c> {
    /// Judges the drift relative to the terms that form the error. `None` if the step is not to be
    /// divided, or was judged already.
    judge: Option<DriftJudge<'c>>,
    /// True if the step was judged too long.
    pub(crate) is_too_long: bool,
}

impl<'c> DriftCheck<'c> {
    /// A check with the given judgement.
    pub(crate) fn by(judge: DriftJudge<'c>) -> Self {
        DriftCheck { judge: Some(judge), is_too_long: false }
    }

    /// True if the step is too long, by the errors before its projection.
    pub(crate) fn is_too_long(&mut self, at: &ConstraintErrors, work: &Workspace) -> bool {
        // Relative to the terms of the joint itself, and to the largest terms of all.
        let (own, all) = (ZERO_ERROR * at.position_excess, at.position / larger(at.position_size, ZERO_GAP));
        let drift = if own < all { own } else { all };
        self.is_too_long = self.judge.is_some_and(|judge| judge(drift, work));
        self.is_too_long
    }

    /// Errors that are measured from now on say nothing about the step.
    pub(crate) fn end(&mut self) {
        self.judge = None;
    }
}

/// Projects `work.stages.next`, or only measures it if the settings say so. An Euler step passes its
/// start.
pub(crate) fn project_general(
    model: &Model,
    settings: &Settings,
    start: Option<(&State, bool)>,
    work: &mut Workspace,
    report: &mut StepReport,
    drift: &mut DriftCheck<'_>,
) -> Result<(), StepError> {
    let measured = if settings.projects() {
        match euler::project_euler(model, settings, start, work, report, drift)? {
            Some(measured) => measured,
            None => project_with(model, settings, work, report, (false, drift))?,
        }
    } else {
        work.stages.next.assembled = false;
        measure(model, settings, work)?
    };
    // A step that is left undone is taken again in parts.
    if !drift.is_too_long {
        check_followed(model, work)?;
    }
    (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
    Ok(())
}

/// Projects `work.stages.next` from any pose, with a new factor in every round.
pub(crate) fn assemble(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let measured = project(model, settings, work, report, true)?;
    if work.solvers.articulated.is_none() {
        write_constraint_rows(model, settings, work, RowContent::Errors);
    }
    work.equations.has_rows = work.solvers.articulated.is_none();
    // The rows of an axis vanish also where b's axis points the other way, and coordinates mean
    // nothing there.
    let opposed = |j: usize, e: Vec3| (work.relative(model, j).turn * e).dot(e) < 0.0;
    let mut joints = model.joints.iter().enumerate();
    if let Some((_, joint)) =
        joints.find(|(j, joint)| joint.kind.aligned_axis().is_some_and(|e| opposed(*j, e)))
    {
        return Err(StepError::OppositeAxes { joint: joint.name.clone() });
    }
    check_followed(model, work)?;
    work.stages.next.assembled = true;
    (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
    Ok(())
}

/// Measures C and Ċ of `work.stages.next`. A joint that follows from joint coordinates needs no correction
/// and must not get one: it counts as closed, but its errors are in the largest ones.
pub(crate) fn measure(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
) -> Result<ConstraintErrors, StepError> {
    work.stages.stage.copy_from(&work.stages.next);
    refresh_targets(model, work, Stage::Projection)?;
    if !(are_finite(&work.stages.next.v) && are_finite(&work.stages.next.q)) {
        return Err(lost(model, work));
    }
    motions(model, work);
    let carried = joint_coordinates::are_carried(settings, work);
    if work.solvers.articulated.is_some() {
        let measured = articulated::measure::<{ articulated::BOTH }>(model, work, carried, bound);
        if (measured.position_excess + measured.velocity_excess).is_finite() {
            return Ok(measured);
        }
    }
    write_constraint_rows(model, settings, work, RowContent::Errors);
    check_finite(model, work, Stage::Projection)?;
    let worst = |v: &[f64]| v.iter().fold(0.0, |w, x| larger(w, x.abs()));
    let (position_size, velocity_size) =
        (worst(&work.equations.err_scale), worst(&work.equations.err_rate_scale));
    if carried {
        joint_coordinates::excuse_tree_rows(model, work);
    }
    Ok(ConstraintErrors {
        position: worst(&work.equations.err),
        velocity: worst(&work.equations.err_rate),
        position_excess: excess(&work.equations.err, &work.equations.err_scale),
        velocity_excess: excess(&work.equations.err_rate, &work.equations.err_rate_scale),
        position_size,
        velocity_size,
    })
}

/// True if all numbers are finite: times zero they are zero. Four sums at a time.
pub(crate) fn are_finite(numbers: &[f64]) -> bool {
    let (fours, rest) = numbers.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for four in fours {
        for (sum, x) in sums.iter_mut().zip(four) {
            *sum += x * 0.0;
        }
    }
    sums.iter().chain(rest).all(|x| x.is_finite())
}

/// Error that names the body whose state is not finite.
#[cold]
pub(crate) fn lost(model: &Model, work: &Workspace) -> StepError {
    if let Some(i) = work.stages.next.v.iter().position(|x| !x.is_finite()) {
        return not_finite(model, i, work.stages.next.time, Stage::Projection);
    }
    let astray = |body: &&ModelBody| !work.stages.next.q[body.q_range()].iter().all(|x| x.is_finite());
    let body = model.bodies.iter().find(astray).map_or_else(String::new, |body| body.name.clone());
    StepError::NotFinite { body, time: work.stages.next.time, stage: Stage::Projection }
}

/// Largest error relative to its bound: at most 1 means done.
fn excess(err: &[f64], scale: &[f64]) -> f64 {
    err.iter().zip(scale).fold(0.0, |w, (e, s)| larger(w, e.abs() / bound(*s)))
}

/// True if every error is at the rounding of the largest terms of the mechanism.
///
/// The terms of a row may themselves be rounding, for example those of a slider that is kept from
/// rotating. If such a row is redundant, no correction can bring its error to the rounding of
/// rounding. The same happens at the dead point of a rocker.
fn whole_is_closed(at: &ConstraintErrors) -> bool {
    const ALL: f64 = 8.0 * NOISE * ZERO_ERROR;
    at.position <= ALL * at.position_size && at.velocity <= ALL * at.velocity_size
}

/// True if only redundant rows are open, by no more than the rounding of geometry up to which they
/// are redundant.
///
/// A row that depends on others only to 1e-12, because some anchor is off by as much, is open by as
/// much when these are closed. Rows whose own terms are such rounding are compared with the size of
/// the mechanism.
fn only_redundant_rows_are_open(work: &Workspace, at: &ConstraintErrors) -> bool {
    only_redundant_poses_are_open(work, at) && at.velocity <= ROUNDING_OF_GEOMETRY * at.velocity_size && {
        let bound = |size| bound(larger(size, at.velocity_size));
        match work.solvers.articulated.is_some() {
            true => articulated::excess_of_kept::<{ articulated::RATES }>(work, bound) <= 8.0 * NOISE,
            false => {
                used_rows_are_within(work, &work.equations.err_rate, &work.equations.err_rate_scale, bound)
            }
        }
    }
}

/// True if only redundant rows have position errors, by no more than the rounding of geometry.
fn only_redundant_poses_are_open(work: &Workspace, at: &ConstraintErrors) -> bool {
    let size = larger(at.position_size, work.solvers.length);
    if at.position > ROUNDING_OF_GEOMETRY * size || work.integrator.passes_singular_pose {
        return false;
    }
    let bound = |own| bound(larger(own, size));
    match work.solvers.articulated.is_some() {
        true => articulated::excess_of_kept::<{ articulated::POSES }>(work, bound) <= 8.0 * NOISE,
        false => used_rows_are_within(work, &work.equations.err, &work.equations.err_scale, bound),
    }
}

/// True if the rank plan drops rows, and the errors of the kept rows are within a few bounds.
fn used_rows_are_within(work: &Workspace, err: &[f64], scale: &[f64], bound: impl Fn(f64) -> f64) -> bool {
    let used = |row: &usize| !work.solvers.idle[*row];
    work.solvers.idle.contains(&true)
        && (0..err.len()).filter(used).all(|row| err[row].abs() <= 8.0 * NOISE * bound(scale[row]))
}

/// The error of each row that is not yet at rounding, zero for the others.
fn above_zero(err: &[f64], scale: &[f64], out: &mut [f64]) {
    for ((out, &e), &s) in out.iter_mut().zip(err).zip(scale) {
        *out = if e.abs() > bound(s) { e } else { 0.0 };
    }
}

/// Projects `work.stages.next` onto the constraints. The rank plan may have to be decided while joints are
/// open; such a plan is good for this projection only, and is decided again at its end.
pub(crate) fn project(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
    fresh_factor: bool,
) -> Result<ConstraintErrors, StepError> {
    project_with(model, settings, work, report, (fresh_factor, &mut DriftCheck::default()))
}

/// Projects `work.stages.next` with a drift check, and decides the rank plan again if it was decided at an
/// open pose.
fn project_with(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
    (fresh_factor, drift): (bool, &mut DriftCheck<'_>),
) -> Result<ConstraintErrors, StepError> {
    let mut replanned = false;
    let outcome = contract(model, settings, work, report, (fresh_factor, drift), &mut replanned);
    if replanned {
        articulated::replan(model, work);
    }
    outcome
}

/// Rounds of corrections until all errors are at rounding, or no longer decrease.
fn contract(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
    (mut fresh_factor, drift): (bool, &mut DriftCheck<'_>),
    replanned: &mut bool,
) -> Result<ConstraintErrors, StepError> {
    let always_fresh = fresh_factor;
    let joints = joint_coordinates::are_carried(settings, work);
    let mut last = f64::INFINITY;
    let mut fresh_since = 0;
    let mut round = 0;
    let mut left_alone = false;
    loop {
        let measured = measure(model, settings, work)?;
        let (off, off_rate) = (measured.position_excess, measured.velocity_excess);
        let now = larger(off, off_rate);
        let is_far = off > FAR && !only_redundant_poses_are_open(work, &measured);
        report.rounds = round;
        if round == 0 && drift.is_too_long(&measured, work) {
            return Ok(measured);
        }
        if now <= 1.0 {
            return Ok(measured);
        }
        let contraction = now / last;
        if now <= NOISE && contraction > 0.5 {
            return Ok(measured);
        }
        // Errors that were ignored near a singular pose are noise, and the rest has had its rounds.
        if left_alone && round > 1 && contraction > 0.5 {
            return Ok(measured);
        }
        // The measured contraction predicts the number of further rounds; if it exceeds two, a new
        // factor is cheaper.
        let slow = round > 0 && contraction * contraction * now > NOISE;
        if slow && fresh_since > 0 && contraction > 0.25 {
            // Even a factor near this pose does not help: this is as close as it gets. Dropped rows
            // are only as good as the rows that they depend on, so that the rank plan is decided
            // anew before giving up.
            let is_final =
                work.solvers.articulated.is_some() || fresh_since > 2 || !work.solvers.idle.contains(&true);
            if is_final
                && (now <= 1e3 * NOISE
                    || whole_is_closed(&measured)
                    || only_redundant_rows_are_open(work, &measured))
            {
                return Ok(measured);
            }
            if fresh_since > 8 && contraction > 0.9 {
                return Err(cannot_close(model, settings, work, off >= off_rate, round));
            }
        }
        // From far off, the factor of the start of the step would need more rounds than a new one
        // costs. Near a singular pose only a factor of this very pose gives the right correction.
        if slow || always_fresh || (round == 0 && is_far) || articulated::is_nearly_singular(work) {
            fresh_factor = true;
        }
        if round + 1 == MAX_ROUNDS {
            return Err(cannot_close(model, settings, work, off >= off_rate, round + 1));
        }
        if fresh_factor {
            let stalls = fresh_since > 4 && contraction > 0.9;
            let replan = always_fresh || fresh_since > 1;
            refactor(model, settings, work, replan.then_some(stalls))?;
            *replanned |= replan;
            fresh_factor = false;
            fresh_since += 1;
        }
        // Velocities are corrected once the pose is nearly right.
        let positions = (off > 1.0).then_some(measured.position);
        let velocities = (off_rate > 1.0 && !is_far).then_some(measured.velocity);
        left_alone = correct(model, work, positions, velocities, joints);
        work.counts.iterations += 1;
        // A round for positions alone says nothing about the contraction of both.
        last = if is_far { f64::INFINITY } else { now };
        round += 1;
    }
}

/// One round: positions, then velocities, both with the factor at hand. Their largest errors are
/// given. Returns true if errors were ignored, as noise near a singular pose.
pub(crate) fn correct(
    model: &Model,
    work: &mut Workspace,
    positions: Option<f64>,
    velocities: Option<f64>,
    joints: bool,
) -> bool {
    let mut left_alone = false;
    if let Some(worst) = positions {
        left_alone |= solve_correction(model, work, (Correction::Positions, false), worst);
        if joints {
            joint_coordinates::correct_positions(model, work);
        } else {
            advance(model, &work.stages.stage.q, &work.stages.shift, &mut work.stages.next.q);
        }
    }
    if let Some(worst) = velocities {
        left_alone |= solve_correction(model, work, (Correction::Velocities, true), worst);
        if joints {
            joint_coordinates::correct_rates(model, work);
        } else {
            for (v, dv) in work.stages.next.v.iter_mut().zip(&work.stages.shift) {
                *v += dv;
            }
        }
        book_impulse(model, work);
    }
    if joints {
        joint_coordinates::rebuild_next(model, work);
    }
    left_alone
}

/// Adds the external impulse of a velocity correction to the ledger.
pub(crate) fn book_impulse(model: &Model, work: &mut Workspace) {
    let mut impulse = LedgerRate::default();
    if work.solvers.articulated.is_some() {
        (impulse.force, impulse.moment) = articulated::ground_load(model, work);
        impulse.work = articulated::drive_work(model, work);
    } else {
        world_reactions(model, work, &work.equations.row_solution, &mut impulse);
        impulse.book_grounded(model, &work.kinematics.motions, &work.stages.shift, true);
    }
    work.stages.next.ledger.work += impulse.work;
    work.stages.next.ledger.impulse += impulse.force;
    work.stages.next.ledger.angular_impulse += impulse.moment;
}

/// Solves for the displacement that removes the errors, into `work.stages.shift`, with or without the
/// joint loads. Returns true if errors were ignored, as noise near a singular pose.
pub(crate) fn solve_correction(
    model: &Model,
    work: &mut Workspace,
    what: (Correction, bool),
    worst: f64,
) -> bool {
    work.counts.solves += work.passes();
    if work.solvers.articulated.is_some() {
        return articulated::correct(model, work, what, worst, bound);
    }
    let (err, scale) = match what.0 {
        Correction::Positions => (&work.equations.err, &work.equations.err_scale),
        Correction::Velocities => (&work.equations.err_rate, &work.equations.err_rate_scale),
    };
    above_zero(err, scale, &mut work.equations.row_rhs);
    if let Some(solver) = &mut work.solvers.solver {
        solver.solve(
            &work.equations.zero_force,
            &work.equations.row_rhs,
            &mut work.stages.shift,
            &mut work.equations.row_solution,
        );
    }
    false
}

/// Factors H at the pose of `work.stages.stage`. With `replan`, the rank plan is decided anew. At an open
/// pose, rank is known only to about the size of the joint errors, and the tolerance allows for
/// that (`Some(false)`). If this leads nowhere, the articulated path uses the tolerance of a closed
/// pose (`Some(true)`).
pub(crate) fn refactor(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    replan: Option<bool>,
) -> Result<(), StepError> {
    if work.solvers.articulated.is_some() {
        match replan {
            Some(true) => articulated::replan(model, work),
            Some(false) => articulated::plan_open(model, work, articulated::kept_gap(work)),
            None => {}
        }
        articulated::factor(model, work, Stage::Projection)?;
        work.counts.factorizations += 1;
        return Ok(());
    }
    accumulate_forces(model, work, Stage::Projection, &mut LedgerRate::default())?;
    write_constraint_rows(model, settings, work, RowContent::Full);
    if replan.is_some() {
        rank_plan::decide_open(model, work)?;
    }
    factor(model, work, Stage::Projection)
}

/// Error that names the cause: a redundant row that contradicts the rows that it depends on, or
/// else the joint that is farthest from closed.
pub(crate) fn cannot_close(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    position: bool,
    rounds: u32,
) -> StepError {
    if work.solvers.articulated.is_none() {
        let what = if position { Correction::Positions } else { Correction::Velocities };
        solve_correction(model, work, (what, false), f64::INFINITY);
        let disagreement = rank_plan::worst_open(work, &work.equations.row_rhs);
        if let Some(row) = disagreement.filter(|row| row.ratio > CONFLICTS_WHEN_CLOSING) {
            let scale = if position { &work.equations.err_scale } else { &work.equations.err_rate_scale };
            let at = work.equations.system.graph().row_range(row.link).start + row.row;
            let size = larger(row.size, scale[at]);
            return conflict::named(model, work, &row, size, work.stages.next.time);
        }
    }
    if let Some(conflict) = articulated::open_conflict(model, work, position) {
        return conflict;
    }
    // Nearly dependent rows that cannot all be closed were all kept, without success.
    articulated::plan_open(model, work, f64::INFINITY);
    if let Some(conflict) = articulated::open_conflict(model, work, position) {
        return conflict;
    }
    write_constraint_rows(model, settings, work, RowContent::Errors);
    let (err, scale) = if position {
        (&work.equations.err, &work.equations.err_scale)
    } else {
        (&work.equations.err_rate, &work.equations.err_rate_scale)
    };
    // The terms of a row may be rounding, or zero: such a row counts as closed.
    let rounding = 1e-9 * scale.iter().fold(0.0, |w, s| larger(w, *s)) + ZERO_GAP;
    let off = |r: usize| err[r].abs() / (scale[r] + rounding);
    let row = (1..err.len()).fold(0, |row, r| if off(r) > off(row) { r } else { row });
    let joint = model.owner_of_row(row).0.to_string();
    let error = err[row].abs();
    let left = articulated::rank_margin(model, work);
    StepError::CannotClose { joint, time: work.stages.next.time, error, rounds, too_long: None, left }
}
