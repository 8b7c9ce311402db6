//! Redundant rows of loop-closure joints: do the dropped rows agree with the kept ones?
//!
//! A dropped row r is a combination of the kept rows, so that J_r v̇ + c_r = 0 must hold in any
//! solution. If it does not, the rank plan is out of date, or the joints contradict each other.

use crate::math::larger;
use crate::model::Model;
use crate::step::articulated::coupling::coupling_residual;
use crate::step::articulated::loop_joint::{row_gap, row_residual};
use crate::step::articulated::rank_plan::rank_margin;
use crate::step::articulated::residual::{acceleration_scale, is_rounding, x_of};
use crate::step::articulated::system::ArticulatedSystem;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;
use crate::tolerances::{CONFLICTS, CONFLICTS_WHEN_CLOSING};

/// A dropped row, and how far the solution is from obeying it.
pub(crate) struct WorstDropped {
    closure: usize,
    row: usize,
    left: f64,
    size: f64,
    /// Residual relative to the terms that form it plus the largest acceleration, since its own
    /// terms may be rounding.
    pub(crate) ratio: f64,
}

/// Dropped row with the largest disagreement.
pub(crate) fn worst_dropped(work: &Workspace) -> Option<WorstDropped> {
    let articulated = work.solvers.articulated.as_ref()?;
    let ArticulatedSystem { forest, loop_joints, redundant, node_of_body, .. } = articulated;
    if *redundant == 0 {
        return None;
    }
    let largest = largest_of(&work.equations.acc);
    let mut worst: Option<WorstDropped> = None;
    let mut note = |closure: usize, row: usize, (left, size): (f64, f64)| {
        let (left, size) = (left.abs(), size.sqrt());
        let ratio = if left == 0.0 { 0.0 } else { left / (size + largest) };
        if worst.as_ref().is_none_or(|w| ratio > w.ratio) {
            worst = Some(WorstDropped { closure, row, left, size, ratio });
        }
    };
    for (c, (loop_joint, closure)) in loop_joints.iter().zip(forest.closures()).enumerate() {
        let mask = closure.kept_mask();
        if closure.kept().len() == closure.len() {
            continue;
        }
        let x = loop_joint.ends().map(|motion| x_of(forest, node_of_body, motion));
        for r in (0..closure.len()).filter(|r| mask & 1 << r == 0) {
            note(c, r, row_residual(closure, r, [&x[0], &x[1]]));
        }
    }
    for (c, (_, closure)) in articulated.couplings().enumerate() {
        for r in (0..closure.len()).filter(|&r| !closure.kept().contains(&(r as u8))) {
            let residual = coupling_residual(closure, r, |at| (forest.nodes()[at].x, 0.0));
            note(loop_joints.len() + c, r, residual);
        }
    }
    worst
}

/// Largest residual of the dropped rows relative to the largest acceleration. An upper bound of
/// [`worst_dropped`], cheaper and mostly sufficient.
pub(crate) fn disagreement_bound(work: &Workspace) -> f64 {
    let Some(articulated) = &work.solvers.articulated else { return 0.0 };
    let ArticulatedSystem { forest, loop_joints, redundant, node_of_body, loop_frames, .. } = articulated;
    if *redundant == 0 {
        return 0.0;
    }
    let mut worst = 0.0;
    let knows_pose = articulated.knows_pose && !articulated.factored.is_empty();
    for ((loop_joint, closure), frames) in loop_joints.iter().zip(forest.closures()).zip(loop_frames) {
        let mask = closure.kept_mask();
        let x = loop_joint.ends().map(|motion| x_of(forest, node_of_body, motion));
        if articulated.loops_are_hinges_or_balls {
            let frames = if knows_pose { *frames } else { loop_joint.joint.frames(&work.kinematics.motions) };
            let (left, ..) =
                loop_joint.hinge_or_ball_residual(&work.kinematics.motions, &frames, closure, [&x[0], &x[1]]);
            for (r, left) in left[..closure.len()].iter().enumerate() {
                if mask & 1 << r == 0 {
                    worst = larger(worst, left.abs());
                }
            }
            continue;
        }
        for r in 0..closure.len() {
            if mask & 1 << r == 0 {
                let left = closure.bias[r] + closure.rows[0][r].dot(&x[0]) + closure.rows[1][r].dot(&x[1]);
                worst = larger(worst, left.abs());
            }
        }
    }
    for (_, closure) in articulated.couplings() {
        for r in (0..closure.len()).filter(|&r| !closure.kept().contains(&(r as u8))) {
            let left = coupling_residual(closure, r, |at| (forest.nodes()[at].x, 0.0)).0;
            worst = larger(worst, left.abs());
        }
    }
    if worst == 0.0 { 0.0 } else { worst / largest_of(&work.equations.acc) }
}

/// Largest magnitude of finite numbers, four at a time.
fn largest_of(numbers: &[f64]) -> f64 {
    let (fours, rest) = numbers.as_chunks::<4>();
    let mut most = [0.0; 4];
    for four in fours {
        for (most, x) in most.iter_mut().zip(four) {
            let x = x.abs();
            *most = if x > *most { x } else { *most };
        }
    }
    most.iter().chain(rest).fold(0.0, |w, x| larger(w, x.abs()))
}

/// Disagreement allowed for rows that a geometry tolerance has dropped: they are not exactly
/// redundant, in any pose.
pub(crate) fn allowance(work: &Workspace) -> f64 {
    work.solvers.articulated.as_ref().map_or(0.0, |articulated| 10.0 * articulated.tolerance)
}

/// Error if a row that was dropped as redundant contradicts the kept rows; it names the joints.
pub(crate) fn conflict(model: &Model, work: &mut Workspace) -> Result<(), StepError> {
    let disagrees = larger(CONFLICTS, allowance(work));
    if work
        .solvers
        .articulated
        .as_ref()
        .is_some_and(|articulated| articulated.disagreement.is_some_and(|d| d <= disagrees))
    {
        return Ok(());
    }
    match worst_dropped(work) {
        Some(WorstDropped { closure, row, left, size, ratio })
            if ratio > disagrees && !is_rounding(left, acceleration_scale(model, work)) =>
        {
            Err(named_conflict(model, work, work.stages.stage.time, (closure, row), left, size))
        }
        _ => Ok(()),
    }
}

/// Error if the joints cannot all be closed: a row that was dropped as redundant is open while the
/// rows that it depends on are closed.
pub(crate) fn open_conflict(model: &Model, work: &mut Workspace, position: bool) -> Option<StepError> {
    let disagrees = larger(CONFLICTS_WHEN_CLOSING, allowance(work));
    let articulated = work.solvers.articulated.as_ref()?;
    let ArticulatedSystem { forest, loop_joints, loop_gaps, .. } = articulated;
    let all = forest.closures().iter().zip(loop_joints).zip(loop_gaps);
    for (c, ((closure, loop_joint), gap)) in all.enumerate() {
        for r in (0..closure.len()).filter(|&r| !closure.kept().contains(&(r as u8))) {
            let (err, scale) = row_gap(loop_joint, gap, position, r);
            if err.abs() > disagrees * scale {
                return Some(named_conflict(model, work, work.stages.next.time, (c, r), err.abs(), scale));
            }
        }
    }
    for (c, (rows, closure)) in articulated.couplings().enumerate() {
        for r in (0..closure.len()).filter(|&r| !closure.kept().contains(&(r as u8))) {
            let (err, scale) = rows.row_gap(position, r);
            if err.abs() > disagrees * scale {
                let at = (loop_joints.len() + c, r);
                return Some(named_conflict(model, work, work.stages.next.time, at, err.abs(), scale));
            }
        }
    }
    None
}

/// Error that names a dropped row's joint and the joints that it depends on.
fn named_conflict(
    model: &Model,
    work: &Workspace,
    time: f64,
    (closure, row): (usize, usize),
    by: f64,
    size: f64,
) -> StepError {
    // On a copy: the failed step must leave everything as it was.
    let (joint, with) = match work.solvers.articulated.clone() {
        None => (String::new(), Vec::new()),
        Some(mut articulated) => {
            (articulated.name_of_closure(model, closure), articulated.circuit(model, closure, row))
        }
    };
    let left = rank_margin(model, work);
    StepError::Conflict { joint, with, time, by, size, left }
}
