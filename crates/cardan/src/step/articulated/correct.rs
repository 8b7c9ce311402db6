//! Part of the articulated-body solver.

use crate::math::{Six, Vec3};
use crate::model::Model;
use crate::step::articulated::measure::BOTH;
use crate::step::articulated::plan::is_nearly_singular;
use crate::step::articulated::system::ArticulatedSystem;
use crate::step::articulated::tree_joint::JointGap;
use crate::step::workspace::Workspace;
use cardan_solve::articulated::{ALL_LOADS, NO_LOADS, Node, NodeExtra, ROOT_LOADS};

/// What is to be corrected.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Correction {
    Positions,
    Velocities,
}

/// Solves for a correction with the factor at hand: the errors of the last measurement are to vanish, those that are as
/// good as zero excepted. The displacement is left in `work.shift`, and loads on the ground and
/// of drives in their places if they are asked for.
///
/// Near a singular pose a closing row says little: an error of e asks for a correction of e/s, s the sine that is left of the row, and
/// velocities, J v with a J that is known to ε/s, for one of (ε/s)/s. Errors that are no more than that noise, and ask for more than
/// the `worst` error of all, are left alone there; followed, they throw the mechanism off its branch. Returns whether any were.
pub(crate) fn correct(
    model: &Model,
    work: &mut Workspace,
    (what, loads): (Correction, bool),
    worst: f64,
    bound: impl Fn(f64) -> f64,
) -> bool {
    let nearly_singular = is_nearly_singular(work);
    let is_driven = !work.targets.is_empty();
    let Workspace { articulated, motions, shift, .. } = work;
    let Some(ArticulatedSystem { spatial, body_nodes, loop_joints, gaps, loop_gaps, .. }) = articulated
    else {
        return false;
    };
    let above = |v: Vec3, size: f64| {
        let least = bound(size);
        if v.dot(v) > least * least { v } else { Vec3::ZERO }
    };
    let wrong = |gap: &JointGap| match what {
        Correction::Positions => (above(gap.shift, gap.reach), above(gap.turn, 1.0)),
        Correction::Velocities => {
            (above(gap.shift_rate, gap.reach_rate), above(gap.turn_rate, gap.reach_spin))
        }
    };
    for ((closure, loop_joint), gap) in spatial.closures_mut().iter_mut().zip(loop_joints).zip(loop_gaps) {
        let (shift, turn) = wrong(gap);
        loop_joint.rows_of(shift, turn, &mut closure.bias);
        if nearly_singular {
            closure.noise = Some(loop_joint.noise(gap, what, worst, &bound));
        }
    }
    let fill = |at: usize, limb: &mut Node, more: &mut NodeExtra| {
        limb.force = Six::ZERO;
        limb.gamma = Six::ZERO;
        if let Some(tree_joint) = &body_nodes[at].tree_joint {
            let (shift, turn) = match gaps.get(at) {
                Some(gap) => wrong(gap),
                None => {
                    let mut gap = JointGap::default();
                    tree_joint.write_gap::<BOTH>(model, motions, &mut gap);
                    wrong(&gap)
                }
            };
            tree_joint.write_gap_gamma(motions, shift, turn, limb, more);
        }
    };
    let mut answer = |at: usize, x: &Six| body_nodes[at].write_x(x, shift);
    match loads {
        false => spatial.solve_to::<NO_LOADS>(fill, &mut answer),
        true if is_driven => spatial.solve_to::<ALL_LOADS>(fill, &mut answer),
        true => spatial.solve_to::<ROOT_LOADS>(fill, &mut answer),
    }
    if nearly_singular {
        spatial.closures_mut().iter_mut().for_each(|closure| closure.noise = None);
    }
    spatial.ignored_noisy_rows()
}
