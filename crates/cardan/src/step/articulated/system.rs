//! The articulated-body solver of one model: nodes, loop-closure joints, caches and scratch.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::law::Jet;
use crate::math::{Six, Sym3};
use crate::model::Model;
use crate::settings::Fault;
use crate::state::{PLANNED, State};
use crate::step::articulated::coupling::{CouplingInstant, CouplingRows, RowsWanted};
use crate::step::articulated::fill::{BodyNode, NO_INDEX, NodeInertia, ResultSlot};
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::loop_joint::LoopJoint;
use crate::step::articulated::residual::LoadSum;
use crate::step::articulated::rhs::MassAndForce;
use crate::step::articulated::self_stress;
use crate::step::articulated::tree_joint::JointGap;
use crate::step::workspace::{ForceResponse, Workspace};
use cardan_solve::articulated::{ArticulatedForest, LoopClosure, Node, NodeExtra, NodeSolution};

/// Number of bodies from which optional caches are not kept. The data of such a system come from
/// memory instead of the CPU cache, and recomputing a few numbers is faster than loading more.
pub(crate) const LARGE_SYSTEM: usize = 10_000;

/// Articulated-body solver, prepared for one model.
#[derive(Clone, Debug)]
pub(crate) struct ArticulatedSystem {
    pub(crate) forest: ArticulatedForest,
    pub(crate) body_nodes: Vec<BodyNode>,
    /// Per node: what is needed to read and write its solution.
    pub(crate) result_slots: Vec<ResultSlot>,
    pub(crate) loop_joints: Vec<LoopJoint>,
    /// Rows of constraints; their closures follow those of the loop-closure joints.
    pub(crate) coupling_rows: Vec<CouplingRows>,
    pub(crate) instant: CouplingInstant,
    /// Number of redundant rows, by the last rank plan.
    pub(crate) redundant: usize,
    /// Largest disagreement of redundant rows with the last solution, if known.
    pub(crate) disagreement: Option<f64>,
    /// Errors of the tree joints at the last measurement.
    pub(crate) gaps: Vec<JointGap>,
    /// True if the errors are kept until they are corrected. A [`LARGE_SYSTEM`] recomputes them for
    /// the correction if the motions are still those of the measurement.
    pub(crate) keeps_gaps: bool,
    pub(crate) loop_gaps: Vec<JointGap>,
    /// Scratch of the residual. `scratch`: loads of loop-closure joints and contacts on the nodes,
    /// if there are any. `pending`: stack of loads passed to parents with further children to come.
    pub(crate) scratch: Vec<LoadSum>,
    pub(crate) pending: Vec<LoadSum>,
    pub(crate) answers: Vec<NodeSolution>,
    /// True if the tree joints can be closed one by one from the roots (`tree.rs`); true if some
    /// tree floats.
    pub(crate) closes_forest: bool,
    pub(crate) floats: bool,
    /// True if all joints are revolute or spherical joints between rigid bodies, without drives;
    /// and the displacements of such a forest.
    pub(crate) are_hinges_or_balls: bool,
    /// True if all tree joints can be closed one by one from their arms and axes
    /// (`tree_joint/closed_pair.rs`), and the errors that a displacement leaves in loops are known
    /// before it is made.
    pub(crate) predicts_loops: bool,
    pub(crate) displacements: Vec<Six>,
    /// M and F of every node, if a right-hand side was written for the factor at hand; otherwise
    /// empty. Not kept for a [`LARGE_SYSTEM`].
    pub(crate) mass_forces: Vec<MassAndForce>,
    /// True if there are fewer bodies than [`LARGE_SYSTEM`].
    pub(crate) is_small: bool,
    /// True if all joints are revolute or spherical joints between rigid bodies whose child is b,
    /// with gravity as the only force (`state_accel.rs`).
    pub(crate) accelerates_from_state: bool,
    /// Arms and axes of the tree joints, and rotational inertias I of the bodies, in world axes.
    /// They belong to the pose of the factor at hand if `knows_pose`. Not kept for a
    /// [`LARGE_SYSTEM`].
    pub(crate) joint_frames: Vec<JointFrames>,
    pub(crate) inertias: Vec<Sym3>,
    pub(crate) knows_pose: bool,
    /// Arms and axes of the loop-closure joints, if all of them are revolute or spherical joints
    /// without drives.
    pub(crate) loop_frames: Vec<JointFrames>,
    pub(crate) loops_are_hinges_or_balls: bool,
    /// Node of each body, and the nodes whose joint is on the ground.
    pub(crate) node_of_body: Vec<u32>,
    pub(crate) on_ground: Vec<u32>,
    /// Efforts along the one freedom of each node, for the next acceleration solve; empty if there are none.
    pub(crate) efforts: Vec<f64>,
    /// Reflected inertias of rotors by node; empty if there are none.
    pub(crate) armatures: Vec<f64>,
    /// Coordinates of the pose of the factor at hand; empty if there is no factor that can be
    /// reused.
    pub(crate) factored: Vec<f64>,
    /// A second forest, and the coordinates of its factor, for evaluations that must leave the factor at
    /// hand as it is (`set_factor_aside`); made when one is first asked for.
    pub(crate) aside: Option<Box<(ArticulatedForest, Vec<f64>)>>,
    /// Geometry tolerance of the settings.
    pub(crate) tolerance: f64,
    /// A length of the mechanism (m): arms that vanish beside it are rounding.
    pub(crate) length: f64,
    /// True if the last acceleration solve computed the joint loads; otherwise the residual
    /// computes them.
    pub(crate) has_loads: bool,
    /// True if elimination of this mechanism leaves far less than `CERTIFIED`, so that no solve without contacts is ever refined
    /// (`unrefined.rs`).
    pub(crate) is_never_refined: bool,
    /// A planted fault, for tests of the tests.
    pub(crate) fault: Fault,
}

/// Load Jᵀλ of a loop-closure joint on one of its ends.
fn loop_wrench(closure: &LoopClosure, end: usize) -> Six {
    let mut push = Six::ZERO;
    for (row, &answer) in closure.rows[end].iter().zip(&closure.answers).take(closure.len()) {
        push += row.scaled(answer);
    }
    push
}

impl ArticulatedSystem {
    /// Exchanges the forest with a second one, so that what follows leaves the factor at hand as it is.
    /// Returns what [`take_factor_back`](ArticulatedSystem::take_factor_back) needs.
    ///
    /// `None` where nothing is done. A tree of revolute and spherical joints makes the same bits again. The
    /// factor of other closed pairs is made of the arms and axes that the projection had, and a new one is
    /// rounded otherwise. With loops the factor at hand is lost, with bits of the next step.
    pub(crate) fn set_factor_aside(&mut self) -> Option<bool> {
        if self.are_hinges_or_balls || !self.forest.closures().is_empty() || !self.is_small {
            return None;
        }
        let ArticulatedSystem { forest, factored, aside, .. } = self;
        let other =
            aside.get_or_insert_with(|| Box::new((forest.clone(), Vec::with_capacity(factored.len()))));
        core::mem::swap(forest, &mut other.0);
        core::mem::swap(factored, &mut other.1);
        self.factored.clear();
        Some(core::mem::take(&mut self.knows_pose))
    }

    /// Takes back the factor that was set aside; the loads of the last solve stay.
    pub(crate) fn take_factor_back(&mut self, knew_pose: bool) {
        let Some(other) = &mut self.aside else { return };
        core::mem::swap(&mut self.forest, &mut other.0);
        core::mem::swap(&mut self.factored, &mut other.1);
        self.forest.results_mut().loads.copy_from_slice(other.0.loads());
        self.knows_pose = knew_pose;
    }

    /// Joint, body, and load at that body's centre of mass, by the last solve. Tree joints come
    /// first, each on its child, in elimination order; then loop-closure joints.
    pub(crate) fn loads(&self) -> impl Iterator<Item = (usize, usize, Six)> + '_ {
        let slots = self.result_slots.iter().zip(self.forest.loads());
        let tree = slots
            .filter(|(slot, _)| slot.joint != NO_INDEX)
            .map(|(slot, load)| (slot.joint as usize, slot.body as usize, *load));
        let loops = self.loop_joints.iter().zip(self.forest.closures()).map(|(loop_joint, closure)| {
            let end = usize::from(closure.places()[1].is_some());
            (loop_joint.index(), loop_joint.ends()[end], loop_wrench(closure, end))
        });
        tree.chain(loops)
    }

    /// Takes the efforts of joints away, and all inertias of joints but those of rotors; a factor with them is void.
    pub(crate) fn clear_joint_efforts(&mut self) {
        self.efforts.clear();
        let inertias = self.forest.joint_inertias_mut();
        if *inertias != self.armatures {
            inertias.clone_from(&self.armatures);
            self.factored.clear();
        }
    }

    /// Adds to the efforts what rotors of prismatic joints need: there the elimination solves for s = p̈ − c with the inertia
    /// A, c being the bias along the axis, which γ leaves out. A p̈ = A s + A c.
    pub(crate) fn add_armature_efforts(&mut self, motions: &[Motion]) {
        for (at, &armature) in self.armatures.iter().enumerate() {
            let joint = self.body_nodes[at].tree_joint.as_ref();
            let Some(joint) = joint.filter(|joint| armature != 0.0 && joint.shape() == ClosedForm::Prismatic)
            else {
                continue;
            };
            self.efforts.resize(self.body_nodes.len(), 0.0);
            self.efforts[at] -= armature * joint.bias_along_slide(motions);
        }
    }

    /// Sets the targets of the drives.
    pub(crate) fn set_targets(&mut self, targets: &[Jet]) {
        self.body_nodes
            .iter_mut()
            .filter_map(|body_node| body_node.tree_joint.as_mut())
            .for_each(|tree_joint| tree_joint.set_targets(targets));
        self.loop_joints.iter_mut().for_each(|loop_joint| loop_joint.joint.set_targets(targets));
    }

    /// Sets the instant at which constraints are evaluated.
    pub(crate) fn set_instant(&mut self, state: &State, response: ForceResponse) {
        if self.coupling_rows.is_empty() {
            return;
        }
        let CouplingInstant { time, is_still, solves_velocities, turns } = &mut self.instant;
        (*time, *is_still) = (state.time, state.still);
        *solves_velocities = response == ForceResponse::Velocity;
        turns.clear();
        turns.extend_from_slice(&state.turns);
    }

    /// Writes the rows of the loop-closure joints and of constraints at given motions.
    pub(crate) fn write_closures(&mut self, model: &Model, motions: &[Motion], want: RowsWanted) {
        for (loop_joint, closure) in self.loop_joints.iter_mut().zip(self.forest.closures_mut()) {
            loop_joint.write(model, motions, closure);
        }
        self.write_couplings(model, motions, want);
        if self.fault == Fault::FlippedBias {
            for closure in self.forest.closures_mut() {
                closure.bias.iter_mut().for_each(|c| *c = -*c);
            }
        }
    }

    /// Writes the rows and biases of constraints at given motions.
    pub(crate) fn write_couplings(&mut self, model: &Model, motions: &[Motion], want: RowsWanted) {
        let ArticulatedSystem { forest, loop_joints, coupling_rows, instant, .. } = self;
        let closures = &mut forest.closures_mut()[loop_joints.len()..];
        for (rows, closure) in coupling_rows.iter_mut().zip(closures) {
            rows.evaluate(model, motions, instant, (Some(closure), want));
        }
    }

    /// Measures the errors of constraints at given motions.
    pub(crate) fn measure_couplings(&mut self, model: &Model, motions: &[Motion]) {
        let ArticulatedSystem { coupling_rows, instant, .. } = self;
        for rows in coupling_rows {
            rows.evaluate(model, motions, instant, (None, RowsWanted::BiasOfClosed));
        }
    }

    /// The rows of constraints with their closures.
    pub(crate) fn couplings(&self) -> impl Iterator<Item = (&CouplingRows, &LoopClosure)> {
        self.coupling_rows.iter().zip(&self.forest.closures()[self.loop_joints.len()..])
    }

    /// The rows that a plan of a state keeps of a closure, one bit each; `None` if it was not decided there.
    pub(crate) fn planned_mask(&self, model: &Model, closure: usize, plan: &[u8]) -> Option<u8> {
        let Some(rows) = closure.checked_sub(self.loop_joints.len()) else {
            let mask = plan[self.loop_joints[closure].index()];
            return (mask != 0).then_some(mask & !PLANNED);
        };
        let rows = &self.coupling_rows[rows];
        let bytes = &plan[model.joints.len() + self.first_constraint_row(model, rows)..][..rows.count];
        let mask = bytes.iter().enumerate().fold(0, |mask, (r, byte)| mask | (byte & 1) << r);
        (!bytes.contains(&0)).then_some(mask)
    }

    /// Writes the kept rows of a closure into the plan of a state.
    pub(crate) fn write_planned(&self, model: &Model, closure: usize, plan: &mut [u8]) {
        let mask = self.forest.closures()[closure].kept_mask();
        let Some(rows) = closure.checked_sub(self.loop_joints.len()) else {
            plan[self.loop_joints[closure].index()] = mask | PLANNED;
            return;
        };
        let rows = &self.coupling_rows[rows];
        let at = model.joints.len() + self.first_constraint_row(model, rows);
        for (r, byte) in plan[at..at + rows.count].iter_mut().enumerate() {
            *byte = PLANNED | (mask >> r & 1);
        }
    }

    /// Index of the first row of a coupling among the rows of constraints.
    fn first_constraint_row(&self, model: &Model, rows: &CouplingRows) -> usize {
        rows.row_at(model, 0) - model.constraints[0].row_at
    }

    /// Writes the biases of the loop-closure joints; their rows are those of the same pose.
    pub(crate) fn write_biases(&mut self, model: &Model, motions: &[Motion], want: RowsWanted) {
        let all = self.loop_joints.iter_mut().zip(self.forest.closures_mut()).zip(&self.loop_frames);
        for ((loop_joint, closure), frames) in all {
            if self.knows_pose && self.loops_are_hinges_or_balls {
                loop_joint.write_hinge_or_ball_bias(motions, frames, closure);
            } else {
                loop_joint.write_bias(model, motions, closure);
            }
        }
        self.write_couplings(model, motions, want);
    }

    /// Input of the elimination of the last evaluation, node by node.
    pub(crate) fn inputs(&self, model: &Model, work: &Workspace) -> Vec<(Node, NodeExtra)> {
        let extra = work.has_forces(model).then_some(&work.equations.system);
        let input = |(at, body_node): (usize, &BodyNode)| {
            let (mut node, mut node_extra) = (self.forest.nodes()[at], *self.forest.extra(at));
            body_node.write(model, &work.kinematics.motions, extra, &mut node, &mut node_extra);
            (node, node_extra)
        };
        self.body_nodes.iter().enumerate().map(input).collect()
    }

    /// Frees the memory of the joint errors of a large system: if all tree joints can be closed one
    /// by one, a step does not need it.
    pub(crate) fn release_gaps(&mut self) {
        if self.gaps.len() >= LARGE_SYSTEM && self.closes_forest {
            self.gaps = Vec::new();
        }
    }

    /// The elimination on the spanning forest.
    pub(crate) fn spatial_mut(&mut self) -> &mut ArticulatedForest {
        &mut self.forest
    }

    /// Writes the unknowns of the last solve in the coordinates of each body.
    pub(crate) fn write_x(&self, out: &mut [f64]) {
        for (body_node, node) in self.body_nodes.iter().zip(self.forest.nodes()) {
            body_node.write_x(&node.x, out);
        }
    }

    /// Names of the joints and constraints that a dropped row of a closure depends on.
    pub(crate) fn circuit(&mut self, model: &Model, closure: usize, row: usize) -> Vec<String> {
        self_stress::circuit(model, self, closure, row)
    }

    /// Name of the joint or constraint of a closure.
    pub(crate) fn name_of_closure(&self, model: &Model, closure: usize) -> String {
        match closure.checked_sub(self.loop_joints.len()) {
            None => model.joints[self.loop_joints[closure].index()].name.clone(),
            Some(rows) => model.constraints[self.coupling_rows[rows].constraint].name.clone(),
        }
    }

    /// Approximate number of multiplications that loops add to an elimination; zero for a tree.
    pub(crate) fn cost_of_loops(&self) -> u64 {
        self.forest.predicted_cost_of_closures()
    }

    /// Number of loop-closure joints.
    pub(crate) fn loops(&self) -> usize {
        self.loop_joints.len()
    }

    /// Number of redundant rows, by the last rank plan.
    pub(crate) fn redundant(&self) -> usize {
        self.redundant
    }

    /// Allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Allocated memory in bytes, by purpose.
    pub(crate) fn bytes_by_part(&self) -> Vec<(&'static str, usize)> {
        let measured =
            self.gaps.capacity() * size_of::<JointGap>() + self.loop_gaps.capacity() * size_of::<JointGap>();
        let aside = self.aside.as_ref().map_or(0, |other| {
            other.0.bytes_by_part().iter().map(|(_, bytes)| bytes).sum::<usize>()
                + other.1.capacity() * size_of::<f64>()
        });
        let pose = self.factored.capacity() * size_of::<f64>()
            + aside
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
        // Shared data count for the node that allocated them.
        let is_new = |at: &usize| *at == 0 || !self.body_nodes[at - 1].shares_inertia(&self.body_nodes[*at]);
        let inertia_count = (0..self.body_nodes.len()).filter(is_new).count();
        let body_nodes =
            self.body_nodes.capacity() * size_of::<BodyNode>() + inertia_count * size_of::<NodeInertia>();
        let couplings = self.coupling_rows.capacity() * size_of::<CouplingRows>()
            + self.coupling_rows.iter().map(CouplingRows::bytes).sum::<usize>()
            + self.instant.turns.capacity() * size_of::<f64>();
        let mut parts = self.forest.bytes_by_part().to_vec();
        parts.extend([
            ("nodes: masses and joints of the tree", body_nodes),
            ("loop-closure joints", self.loop_joints.capacity() * size_of::<LoopJoint>()),
            ("couplings", couplings),
            ("nodes: constraint errors", measured),
            ("nodes: pose of the factor", pose),
            ("nodes: order", order),
            ("nodes: scratch", scratch),
        ]);
        parts
    }

    /// Passes on the loads of loop-closure joints on the ground on their bodies. `ground` is the
    /// index of the ground's motion.
    pub(crate) fn add_ground_loop_loads(&self, ground: usize, mut add_load: impl FnMut(&Six, usize)) {
        for (loop_joint, closure) in self.loop_joints.iter().zip(self.forest.closures()) {
            if let Some(end) = loop_joint.ends().iter().position(|&e| e == ground) {
                add_load(&loop_wrench(closure, 1 - end), loop_joint.ends()[1 - end]);
            }
        }
        // What the forces of a constraint on all bodies do not balance, the world does.
        for (_, closure) in self.couplings() {
            for (at, rows) in closure.each_end() {
                let mut push = Six::ZERO;
                for (row, &answer) in rows.iter().zip(&closure.answers).take(closure.len()) {
                    push += row.scaled(answer);
                }
                add_load(&push, self.body_nodes[at].body as usize);
            }
        }
    }

    /// Notes the pose of a new factor. With drives, which depend on time, the factor is good for
    /// that time only and is not noted.
    pub(crate) fn note_factor(&mut self, model: &Model, q: &[f64]) {
        self.factored.clear();
        self.knows_pose = false;
        let is_timed = model.constraints.iter().any(|constraint| constraint.rule.is_timed());
        if model.drives.is_empty() && !is_timed && self.fault == Fault::None {
            self.factored.extend_from_slice(q);
        }
    }

    /// True if the factor at hand is that of these coordinates, bit by bit.
    pub(crate) fn is_factored_at(&self, q: &[f64]) -> bool {
        // Without an early exit: mostly they are equal.
        let differ = |(a, b): (&f64, &f64)| a.to_bits() ^ b.to_bits();
        !q.is_empty()
            && self.factored.len() == q.len()
            && self.factored.iter().zip(q).map(differ).fold(0, |all, x| all | x) == 0
    }
}
