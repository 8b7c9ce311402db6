//! Corrections of positions and velocities with the factor at hand.
//!
//! ```text
//! [ M  −Jᵀ ] [ Δ ]   [  0 ]
//! [ J   0  ] [ λ ] = [ −e ]          e: C or Ċ of the last measurement
//! ```

use crate::math::{Six, Vec3};
use crate::model::Model;
use crate::step::articulated::measure::BOTH;
use crate::step::articulated::rank_plan::is_nearly_singular;
use crate::step::articulated::system::ArticulatedSystem;
use crate::step::articulated::tree_joint::JointGap;
use crate::step::workspace::Workspace;
use crate::step::workspace::{Kinematics, Solvers, StageBuffers};
use cardan_solve::articulated::{ALL_LOADS, NO_LOADS, Node, NodeExtra, ROOT_LOADS};

/// What is corrected.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Correction {
    Positions,
    Velocities,
}

impl ArticulatedSystem {
    /// Writes the last measured errors of constraints as biases of their rows, errors within their bounds as zero. Near a singular
    /// pose the largest error is given, and noise is marked.
    pub(crate) fn write_coupling_errors(
        &mut self,
        what: Correction,
        bound: impl Fn(f64) -> f64,
        worst: Option<f64>,
    ) {
        let ArticulatedSystem { forest, loop_joints, coupling_rows, .. } = self;
        for (closure, rows) in forest.closures_mut()[loop_joints.len()..].iter_mut().zip(coupling_rows) {
            closure.bias = rows.errors_above(what, &bound);
            closure.noise = worst.map(|worst| rows.noise(what, worst, &bound));
        }
    }
}

/// Solves for the correction Δ that removes the errors of the last measurement, except for those
/// within their bounds. The correction is left in `work.stages.shift`; loads on the ground and of drives
/// are computed on request.
///
/// Near a singular pose a loop-closure row has a small remainder s (a sine): an error e requires a
/// correction of e/s. For velocities J v, with J known to ε/s, the noise of the correction is ε/s².
/// Errors below that noise that would require more than the `worst` error are ignored there, since
/// following them would throw the mechanism off its branch. Returns true if any error was ignored.
pub(crate) fn correct(
    model: &Model,
    work: &mut Workspace,
    (what, loads): (Correction, bool),
    worst: f64,
    bound: impl Fn(f64) -> f64,
) -> bool {
    let nearly_singular = is_nearly_singular(work);
    let is_driven = !work.kinematics.targets.is_empty();
    let Workspace {
        solvers: Solvers { articulated, .. },
        kinematics: Kinematics { motions, .. },
        stages: StageBuffers { shift, .. },
        ..
    } = work;
    let Some(articulated) = articulated else { return false };
    articulated.write_coupling_errors(what, &bound, nearly_singular.then_some(worst));
    let ArticulatedSystem { forest, body_nodes, loop_joints, gaps, loop_gaps, .. } = articulated;
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
    for ((closure, loop_joint), gap) in forest.closures_mut().iter_mut().zip(loop_joints).zip(loop_gaps) {
        let (shift, turn) = wrong(gap);
        loop_joint.rows_of(shift, turn, &mut closure.bias);
        if nearly_singular {
            closure.noise = Some(loop_joint.noise(gap, what, worst, &bound));
        }
    }
    let fill = |at: usize, node: &mut Node, node_extra: &mut NodeExtra| {
        node.force = Six::ZERO;
        node.gamma = Six::ZERO;
        if let Some(tree_joint) = &body_nodes[at].tree_joint {
            let (shift, turn) = match gaps.get(at) {
                Some(gap) => wrong(gap),
                None => {
                    let mut gap = JointGap::default();
                    tree_joint.write_gap::<BOTH>(model, motions, &mut gap);
                    wrong(&gap)
                }
            };
            tree_joint.write_gap_gamma(motions, shift, turn, node, node_extra);
        }
    };
    let mut answer = |at: usize, x: &Six| body_nodes[at].write_x(x, shift);
    match loads {
        false => forest.solve_to::<NO_LOADS>(fill, &mut answer),
        true if is_driven => forest.solve_to::<ALL_LOADS>(fill, &mut answer),
        true => forest.solve_to::<ROOT_LOADS>(fill, &mut answer),
    }
    if nearly_singular {
        forest.closures_mut().iter_mut().for_each(|closure| closure.noise = None);
    }
    forest.ignored_noisy_rows()
}
