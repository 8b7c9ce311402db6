//! Constraint errors: C and Ċ of all joints, absolute and relative to their rounding bounds.

use crate::math::{Vec3, larger};
use crate::model::Model;
use crate::step::articulated::coupling::CouplingRows;
use crate::step::articulated::loop_joint::{LoopJoint, row_gap};
use crate::step::articulated::system::ArticulatedSystem;
use crate::step::articulated::tree_joint::JointGap;
use crate::step::workspace::Workspace;
use crate::step::workspace::{Kinematics, Solvers};

/// C and Ċ of all joints at the motions of `work`: the largest of each [m, rad; m/s, rad/s], and
/// the largest relative to its bound.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct ConstraintErrors {
    pub(crate) position: f64,
    pub(crate) velocity: f64,
    pub(crate) position_excess: f64,
    pub(crate) velocity_excess: f64,
    /// Sizes of the largest terms.
    pub(crate) position_size: f64,
    pub(crate) velocity_size: f64,
}

/// What is measured: positions, velocities or both; with `LOOPS_ONLY` loop-closure joints only.
pub(crate) const POSES: u8 = 1;
pub(crate) const RATES: u8 = 2;
pub(crate) const BOTH: u8 = POSES | RATES;
pub(crate) const LOOPS_ONLY: u8 = 4;

/// Measures the errors of all joints. `bound` maps the size of the terms of an error to the error
/// that counts as zero. With `carried` joint coordinates, joints that follow from them count as
/// closed, whatever rounding they show.
pub(crate) fn measure<const WHAT: u8>(
    model: &Model,
    work: &mut Workspace,
    carried: bool,
    bound: impl Fn(f64) -> f64,
) -> ConstraintErrors {
    let Workspace {
        solvers: Solvers { articulated, .. }, kinematics: Kinematics { motions, chart, .. }, ..
    } = work;
    let chart = chart.as_ref().filter(|_| carried);
    let excused = |joint: usize| chart.is_some_and(|chart| chart.holds(joint));
    let mut out = ConstraintErrors::default();
    let Some(articulated) = articulated else { return out };
    articulated.measure_couplings(model, motions);
    for (rows, closure) in articulated.couplings() {
        let skips_dropped = articulated.tolerance > 0.0;
        out.note_coupling::<WHAT>(rows, |r| !skips_dropped || closure.kept().contains(&r), &bound);
    }
    let ArticulatedSystem { forest, body_nodes, loop_joints, gaps, keeps_gaps, loop_gaps, tolerance, .. } =
        articulated;
    let is_kept = *keeps_gaps || chart.is_some();
    if WHAT & LOOPS_ONLY == 0 && !is_kept {
        gaps.clear();
        for tree_joint in body_nodes.iter().filter_map(|body_node| body_node.tree_joint.as_ref()) {
            let mut gap = JointGap::default();
            tree_joint.write_gap::<WHAT>(model, motions, &mut gap);
            out.note::<WHAT>(&mut gap, false, &bound);
        }
    } else if WHAT & LOOPS_ONLY == 0 {
        gaps.resize(body_nodes.len(), JointGap::default());
        for (body_node, gap) in body_nodes.iter().zip(gaps) {
            let Some(tree_joint) = &body_node.tree_joint else { continue };
            tree_joint.write_gap::<WHAT>(model, motions, gap);
            out.note::<WHAT>(gap, excused(tree_joint.index as usize), &bound);
        }
    }
    for ((loop_joint, gap), closure) in loop_joints.iter().zip(loop_gaps).zip(forest.closures()) {
        loop_joint.joint.write_gap::<WHAT>(model, motions, gap);
        if *tolerance > 0.0 && closure.kept().len() < closure.len() {
            out.note_kept::<WHAT>(loop_joint, gap, closure.kept(), &bound);
        } else {
            out.note::<WHAT>(gap, excused(loop_joint.index()), &bound);
        }
    }
    out.done()
}

/// From now on, errors are kept: they will be corrected at other motions than they were measured
/// at.
pub(crate) fn keep_gaps(work: &mut Workspace) {
    if let Some(articulated) = &mut work.solvers.articulated {
        articulated.keeps_gaps = true;
    }
}

/// Largest error relative to its bound, at the last measurement, over the rows that the rank plan
/// keeps. Infinite if all rows are kept.
#[cold]
pub(crate) fn excess_of_kept<const WHAT: u8>(work: &Workspace, bound: impl Fn(f64) -> f64) -> f64 {
    let Some(articulated) = &work.solvers.articulated else { return f64::INFINITY };
    let ArticulatedSystem { forest, body_nodes, loop_joints, gaps, loop_gaps, redundant, .. } = articulated;
    if *redundant == 0 {
        return f64::INFINITY;
    }
    let mut out = ConstraintErrors::default();
    for (_, gap) in body_nodes.iter().zip(gaps).filter(|(body_node, _)| body_node.tree_joint.is_some()) {
        out.note::<WHAT>(&mut gap.clone(), false, &bound);
    }
    for ((loop_joint, gap), closure) in loop_joints.iter().zip(loop_gaps).zip(forest.closures()) {
        out.note_kept::<WHAT>(loop_joint, gap, closure.kept(), &bound);
    }
    for (rows, closure) in articulated.couplings() {
        out.note_coupling::<WHAT>(rows, |r| closure.kept().contains(&r), &bound);
    }
    let out = out.done();
    larger(out.position_excess, out.velocity_excess)
}

/// [`larger`] in place; it mostly writes nothing.
#[inline(always)]
pub(crate) fn keep_larger(most: &mut f64, x: f64) {
    if x > *most || x.is_nan() {
        *most = x;
    }
}

impl ConstraintErrors {
    /// Notes the errors of a joint. An excused joint counts as closed, and its errors are set to
    /// zero. Until [`done`](ConstraintErrors::done), everything but the sizes is a square.
    #[inline(always)]
    pub(crate) fn note<const WHAT: u8>(
        &mut self,
        gap: &mut JointGap,
        excused: bool,
        bound: impl Fn(f64) -> f64,
    ) {
        let square = |v: Vec3| v.dot(v);
        // The ratio to the bound is needed only if the error exceeds it.
        let exceed = |worst: &mut f64, error: f64, size: f64| {
            let bound = bound(size) * bound(size);
            if error > bound || error.is_nan() {
                *worst = larger(*worst, error / bound);
            }
        };
        if WHAT & POSES != 0 {
            let (shift, turn) = (square(gap.shift), square(gap.turn));
            [shift, turn].into_iter().for_each(|error| keep_larger(&mut self.position, error));
            keep_larger(&mut self.position_size, gap.reach);
            if !excused {
                exceed(&mut self.position_excess, shift, gap.reach);
                exceed(&mut self.position_excess, turn, 1.0);
            }
        }
        if WHAT & RATES != 0 {
            let (shift, turn) = (square(gap.shift_rate), square(gap.turn_rate));
            [shift, turn].into_iter().for_each(|error| keep_larger(&mut self.velocity, error));
            [gap.reach_rate, gap.reach_spin]
                .into_iter()
                .for_each(|size| keep_larger(&mut self.velocity_size, size));
            if !excused {
                exceed(&mut self.velocity_excess, shift, gap.reach_rate);
                exceed(&mut self.velocity_excess, turn, gap.reach_spin);
            }
        }
        if excused {
            *gap = JointGap::default();
        }
    }

    /// Takes the square roots, after all joints were noted.
    pub(crate) fn done(mut self) -> Self {
        for square in
            [&mut self.position, &mut self.velocity, &mut self.position_excess, &mut self.velocity_excess]
        {
            *square = square.sqrt();
        }
        self
    }
}

impl ConstraintErrors {
    /// Notes the errors of a coupling. Only rows that `counts` accepts count relative to the bounds.
    pub(crate) fn note_coupling<const WHAT: u8>(
        &mut self,
        rows: &CouplingRows,
        counts: impl Fn(u8) -> bool,
        bound: impl Fn(f64) -> f64,
    ) {
        for r in 0..rows.count {
            for (is_measured, position) in [(WHAT & POSES != 0, true), (WHAT & RATES != 0, false)] {
                if !is_measured {
                    continue;
                }
                let (err, scale) = rows.row_gap(position, r);
                let (worst, excess, size) = match position {
                    true => (&mut self.position, &mut self.position_excess, &mut self.position_size),
                    false => (&mut self.velocity, &mut self.velocity_excess, &mut self.velocity_size),
                };
                keep_larger(worst, err * err);
                keep_larger(size, scale);
                if counts(r as u8) {
                    let ratio = err / bound(scale);
                    keep_larger(excess, ratio * ratio);
                }
            }
        }
    }

    /// Notes the errors of a joint some of whose rows a geometry tolerance has dropped. Dropped
    /// rows count in the errors, but not relative to the bounds.
    #[cold]
    fn note_kept<const WHAT: u8>(
        &mut self,
        loop_joint: &LoopJoint,
        gap: &JointGap,
        kept: &[u8],
        bound: impl Fn(f64) -> f64,
    ) {
        self.note::<WHAT>(&mut gap.clone(), true, &bound);
        let exceed = |worst: &mut f64, (err, scale): (f64, f64)| {
            let ratio = err / bound(scale);
            *worst = larger(*worst, ratio * ratio);
        };
        for &r in kept {
            if WHAT & POSES != 0 {
                exceed(&mut self.position_excess, row_gap(loop_joint, gap, true, r as usize));
            }
            if WHAT & RATES != 0 {
                exceed(&mut self.velocity_excess, row_gap(loop_joint, gap, false, r as usize));
            }
        }
    }
}
