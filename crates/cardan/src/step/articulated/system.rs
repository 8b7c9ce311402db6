//! Part of the articulated-body solver.

use crate::body::Motion;
use crate::law::Jet;
use crate::math::{Six, Sym3};
use crate::model::Model;
use crate::settings::Fault;
use crate::step::articulated::fill::{BodyNode, NO_INDEX, NodeInertia, ResultSlot};
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::loop_joint::LoopJoint;
use crate::step::articulated::residual::LoadSum;
use crate::step::articulated::rhs::MassAndForce;
use crate::step::articulated::self_stress;
use crate::step::articulated::tree_joint::JointGap;
use crate::step::workspace::Workspace;
use cardan_solve::articulated::{ArticulatedForest, Node, NodeExtra, NodeSolution};

/// From so many bodies on, what a step can do without, or hardly ever needs, is not kept ready: their numbers come from memory, not from a cache, and
/// making a few of them anew takes less time than to fetch more.
pub(crate) const LARGE_SYSTEM: usize = 10_000;

/// The fast way, prepared for one model.
#[derive(Clone, Debug)]
pub(crate) struct ArticulatedSystem {
    pub(crate) spatial: ArticulatedForest,
    pub(crate) body_nodes: Vec<BodyNode>,
    /// Of each place, what answers are read and written by.
    pub(crate) result_slots: Vec<ResultSlot>,
    pub(crate) loop_joints: Vec<LoopJoint>,
    /// Rows that depend on others, by the last plan.
    pub(crate) redundant: usize,
    /// How far the worst of them disagrees with the last answer, if that is known.
    pub(crate) disagreement: Option<f64>,
    /// Of the last measurement.
    pub(crate) gaps: Vec<JointGap>,
    /// Whether they are kept until they are corrected; of [`LARGE_SYSTEM`] they are made anew for that, where the motions are still the same.
    pub(crate) keeps_gaps: bool,
    pub(crate) loop_gaps: Vec<JointGap>,
    /// Scratch of the certificate: what closing joints and contacts hand to the places, where there are any; and what children hand to parents that wait for more.
    pub(crate) scratch: Vec<LoadSum>,
    pub(crate) pending: Vec<LoadSum>,
    pub(crate) answers: Vec<NodeSolution>,
    /// Whether the joints of the forest can be closed one after another (`tree.rs`), and whether a tree of it floats.
    pub(crate) closes_forest: bool,
    pub(crate) floats: bool,
    /// Whether all joints, of the forest and beyond it, are hinges and balls between bodies in space that nothing drives; and how such a forest
    /// is displaced.
    pub(crate) are_hinges_or_balls: bool,
    pub(crate) displacements: Vec<Six>,
    /// M and F of every place, where a right side was written for the factor at hand; empty where they are not known. Of [`LARGE_SYSTEM`] they are not kept.
    pub(crate) mass_forces: Vec<MassAndForce>,
    /// Whether there are fewer than [`LARGE_SYSTEM`].
    pub(crate) is_small: bool,
    /// Whether all joints are hinges and balls in space between parents and children that are their b, with nothing but weight besides (`state_accel.rs`).
    pub(crate) accelerates_from_state: bool,
    /// Arms and axes of the joints of the forest, world axes, and I of the bodies there: of the pose of the factor at hand where this `knows_pose`. Of [`LARGE_SYSTEM`]
    /// they are not kept.
    pub(crate) joint_frames: Vec<JointFrames>,
    pub(crate) inertias: Vec<Sym3>,
    pub(crate) knows_pose: bool,
    /// The same of joints that close loops, where all of them are hinges and balls that nothing drives.
    pub(crate) loop_frames: Vec<JointFrames>,
    pub(crate) loops_are_hinges_or_balls: bool,
    /// The place of each body, and the places whose joints are on the ground.
    pub(crate) node_of_body: Vec<u32>,
    pub(crate) on_ground: Vec<u32>,
    /// The coordinates of the pose that the factor at hand belongs to; empty where there is none to go on with.
    pub(crate) factored: Vec<f64>,
    /// The geometry tolerance of the settings.
    pub(crate) tolerance: f64,
    /// A length of the mechanism: arms that are nothing beside it are rounding.
    pub(crate) length: f64,
    /// Whether the loads of the last solve for accelerations were found there; otherwise the certificate finds them.
    pub(crate) has_loads: bool,
    /// A mistake to plant, for tests of the tests.
    pub(crate) fault: Fault,
}

/// Jᵀ λ of a closing joint on one of its ends.
fn loop_wrench(closure: &cardan_solve::articulated::LoopClosure, end: usize) -> Six {
    let mut push = Six::ZERO;
    for (row, &answer) in closure.rows[end].iter().zip(&closure.answers).take(closure.len()) {
        push += row.scaled(answer);
    }
    push
}

impl ArticulatedSystem {
    /// Joint, body and load at that body's centre of mass of the last solve: joints of the forest on their child, in
    /// elimination order, then those that close loops.
    pub(crate) fn loads(&self) -> impl Iterator<Item = (usize, usize, Six)> + '_ {
        let placed = self.result_slots.iter().zip(self.spatial.loads());
        let held = placed
            .filter(|(slot, _)| slot.joint != NO_INDEX)
            .map(|(slot, load)| (slot.joint as usize, slot.body as usize, *load));
        let closed = self.loop_joints.iter().zip(self.spatial.closures()).map(|(loop_joint, closure)| {
            let end = usize::from(closure.places()[1].is_some());
            (loop_joint.index(), loop_joint.ends()[end], loop_wrench(closure, end))
        });
        held.chain(closed)
    }

    /// Where drives aim.
    pub(crate) fn aim(&mut self, targets: &[Jet]) {
        self.body_nodes
            .iter_mut()
            .filter_map(|body_node| body_node.tree_joint.as_mut())
            .for_each(|tree_joint| tree_joint.aim(targets));
        self.loop_joints.iter_mut().for_each(|loop_joint| loop_joint.joint.aim(targets));
    }

    /// Rows of the closing joints at given motions.
    pub(crate) fn write_closures(&mut self, model: &Model, motions: &[Motion]) {
        for (loop_joint, closure) in self.loop_joints.iter_mut().zip(self.spatial.closures_mut()) {
            loop_joint.write(model, motions, closure);
            if self.fault == Fault::FlippedBias {
                closure.bias.iter_mut().for_each(|c| *c = -*c);
            }
        }
    }

    /// Biases of the closing joints alone: their rows are of the same pose.
    pub(crate) fn write_biases(&mut self, model: &Model, motions: &[Motion]) {
        let all = self.loop_joints.iter_mut().zip(self.spatial.closures_mut()).zip(&self.loop_frames);
        for ((loop_joint, closure), frames) in all {
            if self.knows_pose && self.loops_are_hinges_or_balls {
                loop_joint.write_hinge_or_ball_bias(motions, frames, closure);
            } else {
                loop_joint.write_bias(model, motions, closure);
            }
        }
    }

    /// What goes into the elimination of the last evaluation, place by place.
    pub(crate) fn inputs(&self, model: &Model, work: &Workspace) -> Vec<(Node, NodeExtra)> {
        let extra = model.has_forces().then_some(&work.system);
        let input = |(at, body_node): (usize, &BodyNode)| {
            let (mut limb, mut more) = (self.spatial.nodes()[at], *self.spatial.extra(at));
            body_node.write(model, &work.motions, extra, &mut limb, &mut more);
            (limb, more)
        };
        self.body_nodes.iter().enumerate().map(input).collect()
    }

    /// Gives the memory of gaps back if it is much: where all joints of the forest are closed one after another, a step does without.
    pub(crate) fn release_gaps(&mut self) {
        if self.gaps.len() >= LARGE_SYSTEM && self.closes_forest {
            self.gaps = Vec::new();
        }
    }

    pub(crate) fn spatial_mut(&mut self) -> &mut ArticulatedForest {
        &mut self.spatial
    }

    /// The unknowns of the last solve, as the bodies' own.
    pub(crate) fn write_x(&self, out: &mut [f64]) {
        for (body_node, limb) in self.body_nodes.iter().zip(self.spatial.nodes()) {
            body_node.write_x(&limb.x, out);
        }
    }

    /// The joints that a dropped row of a closing joint depends on.
    pub(crate) fn circuit(&mut self, model: &Model, loop_joint: usize, row: usize) -> Vec<usize> {
        self_stress::circuit(model, self, loop_joint, row)
    }

    /// Multiplications that loops add to an elimination, roughly; none in a tree.
    pub(crate) fn cost_of_loops(&self) -> u64 {
        self.spatial.predicted_cost_of_closures()
    }

    /// Joints that close loops.
    pub(crate) fn loops(&self) -> usize {
        self.loop_joints.len()
    }

    /// Rows that depend on others, by the last plan.
    pub(crate) fn redundant(&self) -> usize {
        self.redundant
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    pub(crate) fn bytes_by_part(&self) -> Vec<(&'static str, usize)> {
        let measured =
            self.gaps.capacity() * size_of::<JointGap>() + self.loop_gaps.capacity() * size_of::<JointGap>();
        let pose = self.factored.capacity() * size_of::<f64>()
            + self.mass_forces.capacity() * size_of::<MassAndForce>()
            + self.joint_frames.capacity() * size_of::<JointFrames>()
            + self.inertias.capacity() * size_of::<Sym3>()
            + self.loop_frames.capacity() * size_of::<JointFrames>();
        let order = self.result_slots.capacity() * size_of::<ResultSlot>()
            + self.node_of_body.capacity() * size_of::<u32>()
            + self.on_ground.capacity() * size_of::<u32>();
        let scratch = (self.scratch.capacity() + self.pending.capacity()) * size_of::<LoadSum>()
            + self.answers.capacity() * size_of::<NodeSolution>()
            + self.displacements.capacity() * size_of::<Six>();
        // What is shared counts where it was made.
        let is_new = |at: &usize| *at == 0 || !self.body_nodes[at - 1].shares_inertia(&self.body_nodes[*at]);
        let inertia_count = (0..self.body_nodes.len()).filter(is_new).count();
        let body_nodes =
            self.body_nodes.capacity() * size_of::<BodyNode>() + inertia_count * size_of::<NodeInertia>();
        let mut parts = self.spatial.bytes_by_part().to_vec();
        parts.extend([
            ("places: masses and joints of the tree", body_nodes),
            ("places: joints that close loops", self.loop_joints.capacity() * size_of::<LoopJoint>()),
            ("places: gaps as measured", measured),
            ("places: pose of the factor", pose),
            ("places: order", order),
            ("places: scratch", scratch),
        ]);
        parts
    }

    /// What joints that close loops on the ground, whose motion is `ground`, exert on their bodies.
    pub(crate) fn add_ground_loop_loads(&self, ground: usize, mut add_load: impl FnMut(&Six, usize)) {
        for (loop_joint, closure) in self.loop_joints.iter().zip(self.spatial.closures()) {
            if let Some(end) = loop_joint.ends().iter().position(|&e| e == ground) {
                add_load(&loop_wrench(closure, 1 - end), loop_joint.ends()[1 - end]);
            }
        }
    }

    /// Notes the pose of a new factor. Where laws of time drive joints it is good for that time alone.
    pub(crate) fn note_factor(&mut self, model: &Model, q: &[f64]) {
        self.factored.clear();
        self.knows_pose = false;
        if model.drives.is_empty() && self.fault == Fault::None {
            self.factored.extend_from_slice(q);
        }
    }

    /// Whether the factor at hand is that of these coordinates, to the last bit.
    pub(crate) fn is_factored_at(&self, q: &[f64]) -> bool {
        // All at once: mostly they are the same.
        let differ = |(a, b): (&f64, &f64)| a.to_bits() ^ b.to_bits();
        !q.is_empty()
            && self.factored.len() == q.len()
            && self.factored.iter().zip(q).map(differ).fold(0, |all, x| all | x) == 0
    }
}
