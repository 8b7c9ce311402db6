//! Residual of accelerations and loads that a kernel found without one: the equations of `residual.rs`, from
//! the motions, the solution and the wrenches of joint efforts alone, for forests of rigid bodies.
//!
//! Efforts are wrenches on both bodies of a joint here, not a load along its freedom: loads are those of the
//! constraints.

use crate::body::Motion;
use crate::math::Six;
use crate::model::Model;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::residual::{LoadSum, WorstResidual, balance};
use crate::step::articulated::rhs::MassAndForce;
use cardan_solve::Task;
use cardan_solve::articulated::NodeExtra;
use cardan_solve::articulated::f64x3::run_vectorized;

/// Scratch of the residual.
#[derive(Debug, Default)]
pub(crate) struct ResidualScratch {
    /// Wrenches of joint efforts on bodies, at their centres of mass.
    pub(crate) pushes: Vec<Six>,
    /// Stack of loads passed to parents with further children to come.
    pending: Vec<LoadSum>,
}

/// The worst residual of accelerations `acc` with the loads in the forest, relative to the terms that form
/// each equation. The joints are closed, and all bodies rigid.
pub(crate) fn state_residual(
    model: &Model,
    articulated: &ArticulatedSystem,
    motions: &[Motion],
    acc: &[f64],
    scratch: &mut ResidualScratch,
) -> f64 {
    scratch.pending.resize(articulated.pending.len(), LoadSum::default());
    run_vectorized(StateResidual { model, articulated, motions, acc, scratch })
}

struct StateResidual<'w> {
    model: &'w Model,
    articulated: &'w ArticulatedSystem,
    motions: &'w [Motion],
    acc: &'w [f64],
    scratch: &'w mut ResidualScratch,
}

impl Task for StateResidual<'_> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        let StateResidual { model, articulated, motions, acc, scratch } = self;
        let ArticulatedSystem { forest, body_nodes, .. } = articulated;
        let ResidualScratch { pushes, pending } = scratch;
        let (mut worst, mut depth) = (WorstResidual::default(), 0);
        // Columns beyond the first, of joints that have them.
        let mut node_extra = NodeExtra::default();
        for (at, body_node) in body_nodes.iter().enumerate() {
            let mut node = forest.nodes()[at];
            body_node.write_subspace(model, motions, &mut node, &mut node_extra);
            if let Some(push) = pushes.get(body_node.body as usize) {
                node.force += *push;
            }
            (node.effort, node.joint_inertia) = (0.0, 0.0);
            node.x = Six::from_slice(&acc[body_node.v_at as usize..][..6]);
            let mass_force = MassAndForce {
                mass: node.diag.a.xx,
                inertia: node.diag.c,
                force: node.force,
                joint_bias: None,
            };
            let mut load_sum = LoadSum::default();
            if node.has_children() {
                depth -= 1;
                load_sum = pending[depth];
            }
            let (reach, load_on_parent) = balance::<f64, true>(
                (&mass_force, body_node.balance()),
                (&node, &node_extra),
                &mut forest.loads()[at].clone(),
                load_sum,
                &mut worst,
            );
            let mut x_parent = Six::ZERO;
            if let Some(parent) = node.parent() {
                if node.is_first_child() {
                    pending[depth] = LoadSum::default();
                    depth += 1;
                }
                pending[depth - 1].add(&load_on_parent);
                x_parent = Six::from_slice(&acc[body_nodes[parent].v_at as usize..][..6]);
            }
            let Some(tree_joint) = &body_node.tree_joint else { continue };
            let x = match tree_joint.onto_b() {
                true => (&x_parent, &node.x),
                false => (&node.x, &x_parent),
            };
            tree_joint.note_residual(model, motions, x, (true, reach), &mut worst);
        }
        worst.0.sqrt()
    }
}
