//! Right-hand sides for the factor at hand.

use crate::body::Motion;
use crate::math::{Lane, Six, Sym3, Sym6, Vec3};
use crate::model::Model;
use crate::step::Workspace;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::fill::BodyNode;
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::workspace::{Equations, Solvers, StageBuffers};
use cardan_solve::System;
use cardan_solve::articulated::{ALL_LOADS, NO_LOADS, Node, NodeExtra};

impl BodyNode {
    /// Writes the factored part of the input: M, shift, and motion subspace (or rows).
    #[inline(never)]
    pub(crate) fn write_subspace(
        &self,
        model: &Model,
        motions: &[Motion],
        node: &mut Node,
        node_extra: &mut NodeExtra,
    ) {
        (node.diag, node.force) = self.mass_and_weight(model.gravity, &motions[self.body as usize]);
        if let Some(tree_joint) = &self.tree_joint {
            tree_joint.write_subspace(model, motions, node, node_extra);
        }
    }

    /// Writes F and γ (or biases), bit by bit those of `write`. `closed` says whether all joints
    /// are closed; I and the joint frames may be `known`.
    #[inline(always)]
    pub(crate) fn write_rhs(
        &self,
        model: &Model,
        motions: &[Motion],
        extra: Option<&System>,
        (closed, known): (bool, Option<(&Sym3, &JointFrames)>),
        node: &mut Node,
        node_extra: &mut NodeExtra,
    ) -> MassAndForce {
        let motion = &motions[self.body as usize];
        let (mass, mut force) = match known {
            // All bodies are rigid then.
            Some((inertia, _)) => {
                let weight = self.weight_of_rigid(inertia, model.gravity, motion);
                (Sym6::of_mass(self.mass, *inertia), weight)
            }
            None => self.mass_and_weight(model.gravity, motion),
        };
        if let Some(system) = extra {
            force += self.extra(model, system);
        }
        node.force = force;
        let mut joint_bias = None;
        match (&self.tree_joint, known) {
            (Some(tree_joint), Some((_, frames))) if closed && tree_joint.is_hinge_or_ball() => {
                let (gamma, bias, turn) = tree_joint.closed_gamma(motions, frames.arm_b);
                node.gamma = gamma;
                joint_bias = Some((bias, turn));
            }
            (Some(tree_joint), Some((_, frames))) if closed && tree_joint.is_closed_pair() => {
                let (gamma, bias, turn) = tree_joint.gamma_of_closed(frames, motions);
                node.gamma = gamma;
                joint_bias = Some((bias, turn));
            }
            (Some(tree_joint), _) if self.is_free_hinge => {
                node.gamma = tree_joint.write_hinge(motions, closed).2
            }
            (Some(tree_joint), _) if closed && self.is_slide => {
                node.gamma = tree_joint.write_slide(motions).2
            }
            (Some(tree_joint), _) => tree_joint.write_rhs(model, motions, node, node_extra),
            (None, _) => {}
        }
        MassAndForce { mass: mass.a.xx, inertia: mass.c, force, joint_bias }
    }
}

/// Data of a node's equations: M and F, and for a closed joint its biases b_d and −b_w, if known.
#[derive(Copy, Clone, Debug)]
pub(crate) struct MassAndForce<T: Lane = f64> {
    pub(crate) mass: T,
    pub(crate) inertia: Sym3<T>,
    pub(crate) force: Six<T>,
    pub(crate) joint_bias: Option<(Vec3<T>, Vec3<T>)>,
}

/// Solves M̂⁻¹ f with the factor at hand, f the force of the system, and computes the joint loads.
pub(crate) fn solve_for_force(model: &Model, work: &mut Workspace, out: &mut [f64]) {
    let Workspace { solvers: Solvers { articulated, .. }, equations: Equations { system, .. }, .. } = work;
    let Some(ArticulatedSystem { forest, body_nodes, .. }) = articulated else { return };
    for closure in forest.closures_mut() {
        closure.bias.iter_mut().for_each(|c| *c = 0.0);
    }
    let fill = |at: usize, node: &mut Node, node_extra: &mut NodeExtra| {
        node.force = body_nodes[at].extra(model, system);
        node.gamma = Six::ZERO;
        if let cardan_solve::articulated::Form::Rows(_) = node.form() {
            node_extra.bias.iter_mut().for_each(|c| *c = 0.0);
        }
    };
    forest.solve_to::<ALL_LOADS>(fill, |at, x| body_nodes[at].write_x(x, out));
}

/// Drift prediction: the displacement δ with J δ = −`part` c that is mass-orthogonal to the motions
/// that the joints allow, in `work.stages.shift`. It is the error that a step of constant velocities
/// leaves in the joints, up to O(h³), known before the step. To be called right after an
/// acceleration solve, whose γ and biases it uses. That solve computes it along the way if a drift
/// prediction is requested and no fault is planted.
pub(crate) fn predict(work: &mut Workspace, part: f64) {
    let Workspace {
        solvers: Solvers { articulated, .. }, stages: StageBuffers { shift, .. }, counts, ..
    } = work;
    let Some(ArticulatedSystem { forest, body_nodes, .. }) = articulated else { return };
    counts.solves += 1;
    for closure in forest.closures_mut() {
        closure.bias.iter_mut().for_each(|c| *c *= part);
    }
    let fill = |_: usize, node: &mut Node, node_extra: &mut NodeExtra| {
        node.force = Six::ZERO;
        node.gamma = node.gamma.scaled(part);
        if let cardan_solve::articulated::Form::Rows(_) = node.form() {
            node_extra.bias.iter_mut().for_each(|c| *c *= part);
        }
    };
    forest.solve_to::<NO_LOADS>(fill, |at, x| body_nodes[at].write_x(x, shift));
}
