//! Rank plan: which rows of the loop-closure joints are independent and kept.
//!
//! A row is kept if what is left of it, after its projection onto the rows that it depends on,
//! exceeds a tolerance. The remainder is relative to the row itself: a sine. Near a singular pose
//! it is the sine of an angle between links and vanishes with it.

use crate::math::larger;
use crate::model::Model;
use crate::step::articulated::coupling::RowsWanted;
use crate::step::articulated::loop_joint::row_gap;
use crate::step::articulated::redundant_rows;
use crate::step::articulated::system::ArticulatedSystem;
use crate::step::workspace::Workspace;
use crate::step::workspace::{Kinematics, Solvers};
use crate::tolerances::{LOOSEST_IN_ASSEMBLY, PLAN_DISAGREES, SMALL_PIVOT};
use cardan_solve::articulated::{NEARLY_SINGULAR, RANK_TOLERANCE};

/// Takes the kept rows from the state under evaluation, or decides them at the motions of `work`,
/// where all joints should be closed. Returns true if they were decided anew.
pub(crate) fn plan(model: &Model, work: &mut Workspace) -> bool {
    let Some(articulated) = &mut work.solvers.articulated else { return true };
    let count = articulated.forest.closures().len();
    if count == 0 {
        return true;
    }
    let plan = &work.stages.stage.plan;
    if (0..count).any(|c| articulated.planned_mask(model, c, plan).is_none()) {
        replan(model, work);
        return true;
    }
    articulated.redundant = 0;
    let mut is_new = false;
    for c in 0..count {
        let mask = articulated.planned_mask(model, c, plan).unwrap_or(0);
        let closure = &mut articulated.forest.closures_mut()[c];
        if closure.kept_mask() != mask {
            closure.keep(mask);
            is_new = true;
        }
        articulated.redundant += closure.len() - closure.kept().len();
    }
    if is_new {
        articulated.factored.clear();
    }
    work.solvers.plan.copy_from_slice(&work.stages.stage.plan);
    false
}

/// Decides the kept rows anew.
pub(crate) fn replan(model: &Model, work: &mut Workspace) {
    let tolerance = independence_tolerance(work);
    plan_with(model, work, tolerance);
}

/// Smallest remainder of an independent row.
fn independence_tolerance(work: &Workspace) -> f64 {
    larger(RANK_TOLERANCE, work.solvers.articulated.as_ref().map_or(0.0, |articulated| articulated.tolerance))
}

/// Smallest remainder of a row of a loop-closure joint, at the motions of `work`. Works on a copy,
/// since it serves error messages.
#[cold]
pub(crate) fn rank_margin(model: &Model, work: &Workspace) -> f64 {
    let Some(mut articulated) = work.solvers.articulated.clone() else { return 1.0 };
    articulated.write_closures(model, &work.kinematics.motions, RowsWanted::BiasOfOpen);
    let ArticulatedSystem { forest, body_nodes, length, .. } = &mut articulated;
    forest.plan(RANK_TOLERANCE, *length, |at, geometry| {
        body_nodes[at].write_geometry(model, &work.kinematics.motions, geometry);
    });
    // Dropped rows count if their remainder exceeds rounding.
    const ROUNDING: f64 = 1e-13;
    let mut least = 1.0;
    for (kept, dropped) in forest.closures().iter().map(|closure| closure.remainders()) {
        for left in [kept, if dropped > ROUNDING { dropped } else { 1.0 }] {
            least = if left < least { left } else { least };
        }
    }
    least
}

/// Smallest remainder of a row in the last elimination, as a sine; 1 without loop-closure joints.
pub(crate) fn min_pivot_sine(work: &Workspace) -> f64 {
    work.solvers.articulated.as_ref().map_or(1.0, |articulated| articulated.forest.least_pivot().sqrt())
}

/// Returns whether a loop may lose rank within a step of `h` from the pose of the last elimination,
/// and whether finding out has destroyed that elimination.
///
/// The sine of an angle between links changes by at most about 2 h ω, with ω the largest angular
/// velocity. Light bodies between heavy ones make the mass-weighted sine small everywhere, so that
/// the geometric one, that of the rank plan, decides.
pub(crate) fn may_lose_rank(model: &Model, work: &mut Workspace, h: f64) -> (bool, bool) {
    // A step that turns a body by more than this [rad] is too long anyway.
    const FAR: f64 = 0.2;
    let least = min_pivot_sine(work);
    if least >= FAR {
        return (false, false);
    }
    let mut fastest = 0.0;
    for motion in &work.kinematics.motions[..model.bodies.len()] {
        fastest = larger(fastest, motion.omega.dot(motion.omega));
    }
    let turn = 2.0 * h * fastest.sqrt();
    if least > turn {
        return (false, false);
    }
    (geometric_rank_margin(model, work) <= turn, true)
}

/// Smallest remainder of a kept row, by the geometry of the rank plan at the motions of `work`.
/// Destroys the last elimination.
pub(crate) fn geometric_rank_margin(model: &Model, work: &mut Workspace) -> f64 {
    let tolerance = independence_tolerance(work);
    let Workspace {
        solvers: Solvers { articulated, plan, .. }, kinematics: Kinematics { motions, .. }, ..
    } = work;
    let Some(articulated) = articulated else { return 1.0 };
    let ArticulatedSystem { forest, body_nodes, factored, length, .. } = articulated;
    factored.clear();
    forest.plan(tolerance, *length, |at, geometry| {
        body_nodes[at].write_geometry(model, motions, geometry);
    });
    let mut left = 1.0;
    for c in 0..articulated.forest.closures().len() {
        let mask = articulated.planned_mask(model, c, plan).unwrap_or(0);
        let closure = &mut articulated.forest.closures_mut()[c];
        closure.keep(mask);
        left = if closure.remainders().0 < left { closure.remainders().0 } else { left };
    }
    left
}

/// True if some row was nearly dependent in the last elimination, in a step that passes a singular
/// pose.
pub(crate) fn is_nearly_singular(work: &Workspace) -> bool {
    work.integrator.passes_singular_pose
        && work
            .solvers
            .articulated
            .as_ref()
            .is_some_and(|articulated| articulated.forest.least_pivot() < NEARLY_SINGULAR)
}

/// True if the solution shows that the rank plan is out of date: a kept row is nearly dependent, or
/// a dropped row has become independent.
pub(crate) fn is_out_of_date(work: &mut Workspace) -> bool {
    let allowed = larger(PLAN_DISAGREES, redundant_rows::allowance(work));
    let mut ratio = redundant_rows::disagreement_bound(work);
    if ratio > allowed || ratio.is_nan() {
        ratio = redundant_rows::worst_dropped(work).map_or(0.0, |w| w.ratio);
    }
    let Some(articulated) = &mut work.solvers.articulated else { return false };
    articulated.disagreement = Some(ratio);
    articulated.forest.least_pivot() < SMALL_PIVOT || ratio > allowed
}

/// Decides the kept rows at a pose whose joints are open by `gap`, relative to the terms of the
/// errors. Rows that are dependent at a closed pose are so only to about that accuracy here.
pub(crate) fn plan_open(model: &Model, work: &mut Workspace, gap: f64) {
    let tolerance = larger(independence_tolerance(work), 30.0 * gap);
    plan_with(model, work, if tolerance > LOOSEST_IN_ASSEMBLY { LOOSEST_IN_ASSEMBLY } else { tolerance });
}

/// Largest position error of the last measurement, relative to the terms that formed it. Dropped
/// rows do not count: an error that nothing corrects would keep its own row dropped. Velocities do
/// not count, since they say nothing about the pose.
pub(crate) fn kept_gap(work: &Workspace) -> f64 {
    let Some(articulated) = &work.solvers.articulated else { return 0.0 };
    let ArticulatedSystem { forest, body_nodes, loop_joints, gaps, loop_gaps, .. } = articulated;
    let ratio = |err: f64, size: f64| if err > 0.0 { err / size } else { 0.0 };
    let mut worst = 0.0;
    for (_, gap) in body_nodes.iter().zip(gaps).filter(|(body_node, _)| body_node.tree_joint.is_some()) {
        worst = larger(worst, larger(ratio(gap.shift.norm(), gap.reach), gap.turn.norm()));
    }
    for ((loop_joint, closure), gap) in loop_joints.iter().zip(forest.closures()).zip(loop_gaps) {
        for &r in closure.kept() {
            let (err, size) = row_gap(loop_joint, gap, true, r as usize);
            worst = larger(worst, ratio(err.abs(), size));
        }
    }
    for (rows, closure) in articulated.couplings() {
        for &r in closure.kept() {
            let (err, size) = rows.row_gap(true, r as usize);
            worst = larger(worst, ratio(err.abs(), size));
        }
    }
    worst
}

/// Writes the rows of the loop-closure joints and decides the kept ones with a tolerance.
fn plan_with(model: &Model, work: &mut Workspace, tolerance: f64) {
    let Workspace { solvers: Solvers { articulated, .. }, kinematics: Kinematics { motions, .. }, .. } = work;
    let Some(articulated) = articulated else { return };
    if articulated.forest.closures().is_empty() {
        return;
    }
    articulated.write_couplings(model, motions, RowsWanted::BiasOfOpen);
    let ArticulatedSystem { forest, body_nodes, loop_joints, redundant, factored, length, .. } = articulated;
    factored.clear();
    for (loop_joint, closure) in loop_joints.iter_mut().zip(forest.closures_mut()) {
        loop_joint.write(model, motions, closure);
    }
    *redundant = forest.plan(tolerance, *length, |at, geometry| {
        body_nodes[at].write_geometry(model, motions, geometry);
    });
    for c in 0..articulated.forest.closures().len() {
        articulated.write_planned(model, c, &mut work.solvers.plan);
    }
}
