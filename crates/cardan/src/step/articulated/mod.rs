//! Limbs: the fast way for mechanisms of rigid bodies, planar bodies and particles, with or without loops.
//!
//! Joints of the spanning forest are given by what they leave free (`tree_joint.rs`), joints beyond it close loops and are given by
//! their rows (`loop_joint.rs`); `cardan_solve::articulated` eliminates both in time that grows with the number of bodies and the
//! lengths of the loops.
//!
//! Every body is six-dimensional here. A planar one has freedoms besides that nothing moves, and a particle does not turn.
//! Neither is seen outside this folder.

pub(crate) mod fill;
pub(crate) mod joint_drives;
pub(crate) mod joint_frames;
pub(crate) mod loop_joint;
pub(crate) mod null_basis;
pub(crate) mod residual;
pub(crate) mod rhs;
pub(crate) mod self_stress;
pub(crate) mod state_accel;
pub(crate) mod tree_joint;

use crate::body::{Motion, Wrench};
use crate::joint::{ClosedForm, Relative};
use crate::law::Jet;
use crate::math::{Six, Sym3, Sym6, Vec3, larger};
use crate::model::{Model, ModelJoint};
use crate::settings::{Fault, Settings, Stabilization};
use crate::state::{PLANNED, State};
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::workspace::{Evaluation, MotionSource, Workspace};
use crate::step_error::{Stage, StepError};
use residual::LoadSum;
pub(crate) use residual::{acceleration_scale, certify, conflict, open_conflict};
use rhs::MassAndForce;
pub(crate) use rhs::{predict, solve_for_force};
pub(crate) use self_stress::least_norm_multipliers;
pub(crate) use tree_joint::JointGap;

use cardan_solve::articulated::f64x3::run_vectorized;
use cardan_solve::articulated::{
    ALL_LOADS, ArticulatedForest, FillNodes, FillWith, Form, NEARLY_SINGULAR, NO_LOADS, Node, NodeExtra,
    NodeSolution, RANK_TOLERANCE, ROOT_LOADS, TwoRhs, child_of,
};
use cardan_solve::{Counted, Lane, Operations, Task};
use fill::{
    BodyNode, CLOSED_JOINTS, FACTOR_ONLY, FaultyFill, FiniteCheck, MotionFill, NO_INDEX, NodeInertia,
    OPEN_JOINTS, ResultSlot,
};
pub(crate) use loop_joint::{LoopJoint, row_gap, rows_of_wrench};
pub(crate) use tree_joint::{TreeJoint, form_of};

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

/// Whether every joint is between bodies that move in the same space, all of it or the plane.
fn is_of_one_kind(model: &Model) -> bool {
    model.joints.iter().all(|joint| {
        let planar = |body: Option<usize>| body.map(|i| model.bodies[i].kind.is_planar());
        match (planar(joint.a.body()), planar(joint.b.body())) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    })
}

/// The form of every joint, as one of the forest.
fn forms(model: &Model) -> Vec<Option<Form>> {
    let form = |joint: &ModelJoint| {
        let child = child_of(&model.graph, &model.forest, joint.link);
        let turns = child.is_none_or(|c| model.bodies[c.0 as usize].kind.has_orientation());
        match form_of(joint.kind) {
            // In the plane there are fewer.
            Form::Rows(_) => Form::Rows(joint.row_count),
            // What a point could turn about is nothing to it.
            Form::Freedoms(_) if !turns => Form::Freedoms(0),
            // Drives take freedoms away.
            Form::Freedoms(f) => Form::Freedoms(f - joint.driven_count() as u8),
        }
    };
    model.joints.iter().map(|joint| Some(form(joint))).collect()
}

/// The forest of a model, with its points.
pub(crate) fn spanning_forest<T: Lane>(model: &Model) -> Option<ArticulatedForest<T>> {
    let mut spatial = ArticulatedForest::new(&model.graph, &model.forest, &forms(model))?;
    for (i, body) in model.bodies.iter().enumerate() {
        if !model.bodies[i].kind.has_orientation() {
            spatial.make_point(spatial.place(body.block));
        }
    }
    Some(spatial)
}

impl ArticulatedSystem {
    /// Prepares the fast way, if the model and the settings allow it: bodies of one space, joints between two of them, no
    /// user constraints, nothing to be solved apart, no locks of more than three rows, no feedback in the right side.
    pub(crate) fn new(model: &Model, settings: &Settings) -> Option<Self> {
        let feedback = matches!(settings.stabilization, Stabilization::Baumgarte { .. });
        let apart = !model.constraints.is_empty() || model.graph.has_auxiliary();
        if model.first_general().is_some() {
            return None;
        }
        if feedback || apart || model.bodies.is_empty() || !is_of_one_kind(model) {
            return None;
        }
        // Such a joint has up to three rows here, and no freedoms of its own.
        let wide =
            |joint: &ModelJoint| joint.kind.about().closed_form == ClosedForm::Rows && joint.rows() > 3;
        if model.joints.iter().any(wide) {
            return None;
        }
        let mut spatial = spanning_forest(model)?;
        let mut body_nodes: Vec<BodyNode> = Vec::with_capacity(spatial.len());
        for at in 0..spatial.len() {
            let (block, link) = spatial.at(at);
            let body_node =
                BodyNode::new(model, block.0 as usize, link.map(|l| l.0 as usize), body_nodes.last());
            body_nodes.push(body_node);
        }
        for (at, body_node) in body_nodes.iter().enumerate() {
            spatial.use_leaf_kernel(at);
            if body_node.is_free_hinge {
                spatial.use_one_dof_kernel(at);
            }
            if body_node.is_ball {
                spatial.use_ball_kernel(at);
            }
            if body_node.tree_joint.as_ref().is_some_and(|tree_joint| !tree_joint.onto_b()) {
                spatial.set_reversed(at);
            }
        }
        spatial.trim();
        let loop_joints: Vec<LoopJoint> =
            spatial.closures().iter().map(|c| LoopJoint::new(model, c.link().0 as usize)).collect();
        let few = body_nodes.len() < LARGE_SYSTEM;
        Some(ArticulatedSystem {
            redundant: 0,
            disagreement: None,
            keeps_gaps: few || !loop_joints.is_empty() || model.has_inequalities(),
            gaps: if few { vec![JointGap::default(); body_nodes.len()] } else { Vec::new() },
            loop_gaps: vec![JointGap::default(); loop_joints.len()],
            scratch: match loop_joints.is_empty() && !model.has_inequalities() {
                true => Vec::new(),
                false => vec![LoadSum::default(); body_nodes.len()],
            },
            pending: vec![LoadSum::default(); spatial.depth()],
            answers: Vec::with_capacity(if few { body_nodes.len() } else { 0 }),
            factored: Vec::with_capacity(model.q_len),
            mass_forces: Vec::with_capacity(if few { body_nodes.len() } else { 0 }),
            is_small: few,
            accelerates_from_state: state_accel::applies(model, settings, &body_nodes, &loop_joints),
            joint_frames: Vec::new(),
            inertias: Vec::new(),
            knows_pose: false,
            loop_frames: vec![JointFrames::default(); loop_joints.len()],
            loops_are_hinges_or_balls: settings.geometry_tolerance == 0.0
                && loop_joints.iter().all(|loop_joint| loop_joint.joint.is_hinge_or_ball()),
            closes_forest: body_nodes.iter().all(BodyNode::closes),
            are_hinges_or_balls: settings.geometry_tolerance == 0.0
                && body_nodes
                    .iter()
                    .all(|body_node| body_node.tree_joint.as_ref().is_none_or(TreeJoint::is_hinge_or_ball))
                && loop_joints.iter().all(|loop_joint| loop_joint.joint.is_hinge_or_ball()),
            displacements: vec![Six::ZERO; if loop_joints.is_empty() { 0 } else { body_nodes.len() }],
            floats: body_nodes.iter().any(|body_node| body_node.tree_joint.is_none()),
            on_ground: (0u32..)
                .zip(&body_nodes)
                .filter(|(_, body_node)| body_node.tree_joint.is_some() && body_node.is_root(model))
                .map(|(at, _)| at)
                .collect(),
            node_of_body: model.bodies.iter().map(|body| spatial.place(body.block) as u32).collect(),
            tolerance: settings.geometry_tolerance,
            length: model.length(),
            has_loads: true,
            fault: settings.fault,
            spatial,
            result_slots: body_nodes.iter().map(ResultSlot::of).collect(),
            body_nodes,
            loop_joints,
        })
    }

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
    fn write_closures(&mut self, model: &Model, motions: &[Motion]) {
        for (loop_joint, closure) in self.loop_joints.iter_mut().zip(self.spatial.closures_mut()) {
            loop_joint.write(model, motions, closure);
            if self.fault == Fault::FlippedBias {
                closure.bias.iter_mut().for_each(|c| *c = -*c);
            }
        }
    }

    /// Biases of the closing joints alone: their rows are of the same pose.
    fn write_biases(&mut self, model: &Model, motions: &[Motion]) {
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
    fn circuit(&mut self, model: &Model, loop_joint: usize, row: usize) -> Vec<usize> {
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
    fn add_ground_loop_loads(&self, ground: usize, mut add_load: impl FnMut(&Six, usize)) {
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
    fn is_factored_at(&self, q: &[f64]) -> bool {
        // All at once: mostly they are the same.
        let differ = |(a, b): (&f64, &f64)| a.to_bits() ^ b.to_bits();
        !q.is_empty()
            && self.factored.len() == q.len()
            && self.factored.iter().zip(q).map(differ).fold(0, |all, x| all | x) == 0
    }
}

/// Jᵀ λ of a closing joint on one of its ends.
fn loop_wrench(closure: &cardan_solve::articulated::LoopClosure, end: usize) -> Six {
    let mut push = Six::ZERO;
    for (row, &answer) in closure.rows[end].iter().zip(&closure.answers).take(closure.len()) {
        push += row.scaled(answer);
    }
    push
}

/// Takes over which rows of the closing joints are kept from the state under evaluation, or decides it at the motions of
/// `work`, where all joints should be closed. True if it was decided anew.
pub(crate) fn plan(model: &Model, work: &mut Workspace) -> bool {
    let Some(ArticulatedSystem { spatial, loop_joints, redundant, factored, .. }) = &mut work.articulated
    else {
        return true;
    };
    if loop_joints.is_empty() {
        return true;
    }
    if loop_joints.iter().any(|loop_joint| work.stage.plan[loop_joint.index()] == 0) {
        replan(model, work);
        return true;
    }
    *redundant = 0;
    let mut is_new = false;
    for (loop_joint, closure) in loop_joints.iter().zip(spatial.closures_mut()) {
        let mask = work.stage.plan[loop_joint.index()];
        if closure.kept_mask() != mask & !PLANNED {
            closure.keep(mask);
            is_new = true;
        }
        *redundant += closure.len() - closure.kept().len();
    }
    if is_new {
        factored.clear();
    }
    work.plan.copy_from_slice(&work.stage.plan);
    false
}

/// Decides anew.
pub(crate) fn replan(model: &Model, work: &mut Workspace) {
    let tolerance = independence_tolerance(work);
    plan_with(model, work, tolerance);
}

/// What must be left of a row for it to be independent.
fn independence_tolerance(work: &Workspace) -> f64 {
    larger(RANK_TOLERANCE, work.articulated.as_ref().map_or(0.0, |articulated| articulated.tolerance))
}

/// The least that is left of a row of a closing joint when those it depends on are taken away, at the motions of `work`. On a copy: errors
/// ask for it.
#[cold]
pub(crate) fn rank_margin(model: &Model, work: &Workspace) -> f64 {
    let Some(mut articulated) = work.articulated.clone() else { return 1.0 };
    articulated.write_closures(model, &work.motions);
    let ArticulatedSystem { spatial, body_nodes, length, .. } = &mut articulated;
    spatial.plan(RANK_TOLERANCE, *length, |at, geometry| {
        if let Some(tree_joint) = &body_nodes[at].tree_joint {
            tree_joint.write_geometry(model, &work.motions, body_nodes[at].body as usize, geometry);
        }
    });
    // Rows that were dropped count if they have more left than rounding.
    const ROUNDING: f64 = 1e-13;
    let mut least = 1.0;
    for (kept, dropped) in spatial.closures().iter().map(|closure| closure.remainders()) {
        for left in [kept, if dropped > ROUNDING { dropped } else { 1.0 }] {
            least = if left < least { left } else { least };
        }
    }
    least
}

/// The least that was left of a row of a closing joint in the last elimination, as a sine; 1 without such joints. Near a pose where a
/// loop loses rank it is the sine of an angle between links and vanishes with it.
pub(crate) fn min_pivot_sine(work: &Workspace) -> f64 {
    work.articulated.as_ref().map_or(1.0, |articulated| articulated.spatial.least_pivot().sqrt())
}

/// Whether a loop may lose rank within a step of `h` from the pose of the last elimination, which is undone if this is looked into: the
/// second answer says so.
///
/// A sine s of an angle between links changes by at most about twice the largest angular velocity. Light bodies between heavy
/// ones make s small everywhere; so geometry alone, that of the plan, has the last word.
pub(crate) fn may_lose_rank(model: &Model, work: &mut Workspace, h: f64) -> (bool, bool) {
    // Who turns by more in a step has other troubles.
    const FAR: f64 = 0.2;
    let least = min_pivot_sine(work);
    if least >= FAR {
        return (false, false);
    }
    let mut fastest = 0.0;
    for motion in &work.motions[..model.bodies.len()] {
        fastest = larger(fastest, motion.omega.dot(motion.omega));
    }
    let turn = 2.0 * h * fastest.sqrt();
    if least > turn {
        return (false, false);
    }
    (geometric_rank_margin(model, work) <= turn, true)
}

/// What is left of the closing row that is kept and has least left, by the geometry of the plan at the motions of `work`. The last elimination is undone.
pub(crate) fn geometric_rank_margin(model: &Model, work: &mut Workspace) -> f64 {
    let tolerance = independence_tolerance(work);
    let Workspace { articulated, motions, plan, .. } = work;
    let Some(ArticulatedSystem { spatial, body_nodes, loop_joints, factored, length, .. }) = articulated
    else {
        return 1.0;
    };
    factored.clear();
    spatial.plan(tolerance, *length, |at, geometry| {
        if let Some(tree_joint) = &body_nodes[at].tree_joint {
            tree_joint.write_geometry(model, motions, body_nodes[at].body as usize, geometry);
        }
    });
    let mut left = 1.0;
    for (loop_joint, closure) in loop_joints.iter().zip(spatial.closures_mut()) {
        closure.keep(plan[loop_joint.index()]);
        left = if closure.remainders().0 < left { closure.remainders().0 } else { left };
    }
    left
}

/// True if the last elimination was at a pose where some row of a loop has nearly lost its independence, in a step that passes such a
/// pose.
pub(crate) fn is_nearly_singular(work: &Workspace) -> bool {
    work.passes_singular_pose
        && work
            .articulated
            .as_ref()
            .is_some_and(|articulated| articulated.spatial.least_pivot() < NEARLY_SINGULAR)
}

/// True if the answer shows that the plan is out of date: a kept row has nearly lost its independence, or a dropped one
/// gained it.
pub(crate) fn is_out_of_date(work: &mut Workspace) -> bool {
    const SMALL_PIVOT: f64 = 1e-8;
    const DISAGREES: f64 = 1e-12;
    let allowed = larger(DISAGREES, residual::allowance(work));
    let mut ratio = residual::disagreement_bound(work);
    if ratio > allowed || ratio.is_nan() {
        ratio = residual::worst_dropped(work).map_or(0.0, |w| w.ratio);
    }
    let Some(articulated) = &mut work.articulated else { return false };
    articulated.disagreement = Some(ratio);
    articulated.spatial.least_pivot() < SMALL_PIVOT || ratio > allowed
}

/// The same where joints gape by `gap`, relative to what formed it: rows that depend on each other in a closed pose do so
/// only about that well.
pub(crate) fn plan_open(model: &Model, work: &mut Workspace, gap: f64) {
    const LOOSEST: f64 = 1e-2;
    let tolerance = larger(independence_tolerance(work), 30.0 * gap);
    plan_with(model, work, if tolerance > LOOSEST { LOOSEST } else { tolerance });
}

/// How far joints gape at the last measurement, relative to what formed the gap. Rows that the plan dropped have no part in it: an
/// error that nothing corrects would keep its own row dropped. Nor have velocities, which say nothing about the pose.
pub(crate) fn kept_gap(work: &Workspace) -> f64 {
    let Some(ArticulatedSystem { spatial, body_nodes, loop_joints, gaps, loop_gaps, .. }) = &work.articulated
    else {
        return 0.0;
    };
    let ratio = |err: f64, size: f64| if err > 0.0 { err / size } else { 0.0 };
    let mut worst = 0.0;
    for (_, gap) in body_nodes.iter().zip(gaps).filter(|(body_node, _)| body_node.tree_joint.is_some()) {
        worst = larger(worst, larger(ratio(gap.shift.norm(), gap.reach), gap.turn.norm()));
    }
    for ((loop_joint, closure), gap) in loop_joints.iter().zip(spatial.closures()).zip(loop_gaps) {
        for &r in closure.kept() {
            let (err, size) = row_gap(loop_joint, gap, true, r as usize);
            worst = larger(worst, ratio(err.abs(), size));
        }
    }
    worst
}

fn plan_with(model: &Model, work: &mut Workspace, tolerance: f64) {
    let Workspace { articulated, motions, .. } = work;
    let Some(ArticulatedSystem { spatial, body_nodes, loop_joints, redundant, factored, length, .. }) =
        articulated
    else {
        return;
    };
    if loop_joints.is_empty() {
        return;
    }
    factored.clear();
    for (loop_joint, closure) in loop_joints.iter_mut().zip(spatial.closures_mut()) {
        loop_joint.write(model, motions, closure);
    }
    *redundant = spatial.plan(tolerance, *length, |at, geometry| {
        if let Some(tree_joint) = &body_nodes[at].tree_joint {
            tree_joint.write_geometry(model, motions, body_nodes[at].body as usize, geometry);
        }
    });
    for (loop_joint, closure) in loop_joints.iter().zip(spatial.closures()) {
        work.plan[loop_joint.index()] = closure.kept_mask() | PLANNED;
    }
}

/// The next evaluation begins with a factor of its own.
pub(crate) fn forget_factor(work: &mut Workspace) {
    if let Some(articulated) = &mut work.articulated {
        articulated.factored.clear();
    }
}

/// Where a step of Euler's rules from `state` has its motions: written directly, without a copy in `work.stage`, where there are [`LARGE_SYSTEM`] bodies and
/// nothing that asks for more.
pub(crate) fn motion_source(model: &Model, work: &Workspace, state: &State) -> MotionSource {
    let Some(articulated) = &work.articulated else { return MotionSource::Stage };
    let is_simple = articulated.loop_joints.is_empty() && !model.has_forces() && model.drives.is_empty();
    match is_simple && !articulated.is_small {
        true => MotionSource::Written { is_factored: articulated.is_factored_at(&state.q) },
        false => MotionSource::Stage,
    }
}

/// Notes the pose of the factor that was made meanwhile.
pub(crate) fn note_factor_at(model: &Model, work: &mut Workspace, state: &State) {
    if let Some(articulated) = &mut work.articulated {
        articulated.note_factor(model, &state.q);
    }
}

/// Accelerations of all bodies from their motions; F is gravity, gyroscopic terms and what `extra` says. A factor of this very pose is
/// gone on with: it has the bits that a new one would have, so it does not matter where it was made. Where a drift prediction is asked for, that displacement
/// is left in `work.shift`.
pub(crate) fn accelerations(
    model: &Model,
    work: &mut Workspace,
    extra: bool,
    Evaluation { stage, motions: source, drift_part, .. }: Evaluation,
) -> Result<(), StepError> {
    let Workspace { articulated, motions, system, acc, .. } = work;
    let Some(articulated) = articulated else { return Ok(()) };
    work.counts.solves += 1;
    articulated.disagreement = None;
    articulated.mass_forces.clear();
    let extra = extra.then_some(&*system);
    let closed = stage == Stage::First && work.stage.assembled;
    let is_factored = match source {
        MotionSource::Stage => articulated.is_factored_at(&work.stage.q),
        MotionSource::Written { is_factored } => is_factored,
    };
    let drift_part = drift_part.filter(|_| articulated.fault == Fault::None);
    work.counts.solves += u64::from(drift_part.is_some());
    articulated.has_loads = drift_part.is_none();
    if is_factored {
        articulated.write_biases(model, motions);
    } else {
        articulated.factored.clear();
        articulated.write_closures(model, motions);
    }
    let knows_pose = is_factored && articulated.knows_pose;
    let is_small = articulated.is_small;
    let ArticulatedSystem {
        spatial,
        body_nodes,
        result_slots,
        fault,
        mass_forces,
        joint_frames,
        inertias,
        ..
    } = articulated;
    let finite_check = FiniteCheck::default();
    let mut anywhere =
        MotionFill::<OPEN_JOINTS> { model, body_nodes, result_slots, motions, extra, acc, finite_check };
    let rhs = |at: usize, limb: &mut Node, more: &mut NodeExtra| {
        let known = knows_pose.then(|| (&inertias[at], &joint_frames[at]));
        let known = body_nodes[at].write_rhs(model, motions, extra, (closed, known), limb, more);
        if is_small {
            mass_forces.push(known);
        }
    };
    let (outcome, finite_check) = if let Some(part) = drift_part {
        let mut outcome = Ok(());
        if !is_factored {
            let acc = &mut [];
            outcome = spatial.factor(&mut MotionFill::<FACTOR_ONLY> {
                model,
                body_nodes,
                result_slots,
                motions,
                extra,
                acc,
                finite_check,
            });
        }
        if outcome.is_ok() {
            let shift = &mut work.shift;
            let answer = |at: usize, x: &Six, predicted: &Six| {
                anywhere.answer(at, x);
                body_nodes[at].write_x(predicted, shift);
            };
            run_vectorized(SolvePair(spatial, part, (rhs, answer)));
        }
        (outcome, anywhere.finite_check)
    } else if is_factored {
        spatial.solve_to::<ALL_LOADS>(rhs, |at: usize, x: &Six| anywhere.answer(at, x));
        (Ok(()), anywhere.finite_check)
    } else if *fault != Fault::None {
        let outcome = spatial.factor_and_solve(&mut FaultyFill { fill: &mut anywhere, fault: *fault });
        (outcome, anywhere.finite_check)
    } else if !closed {
        (spatial.factor_and_solve(&mut anywhere), anywhere.finite_check)
    } else {
        let mut fill = MotionFill::<CLOSED_JOINTS> {
            model,
            body_nodes,
            result_slots,
            motions,
            extra,
            acc,
            finite_check,
        };
        (spatial.factor_and_solve(&mut fill), fill.finite_check)
    };
    outcome.map_err(|error| crate::step_error::solver_error(model, work.stage.time, error, stage))?;
    if !finite_check.is_finite()
        && let Some(i) = acc.iter().position(|a| !a.is_finite())
    {
        return Err(crate::step_error::not_finite(model, i, work.stage.time, stage));
    }
    if !is_factored {
        work.counts.factorizations += 1;
        if source == MotionSource::Stage {
            articulated.note_factor(model, &work.stage.q);
        }
    }
    Ok(())
}

struct SolvePair<'s, S>(&'s mut ArticulatedForest, f64, S);

impl<S: TwoRhs<f64>> Task for SolvePair<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(mut self) {
        self.0.solve_two_rhs(self.1, &mut self.2);
    }
}

/// Whether the factor at hand is that of the stage's coordinates.
pub(crate) fn is_factored(work: &Workspace) -> bool {
    work.articulated.as_ref().is_some_and(|articulated| articulated.is_factored_at(&work.stage.q))
}

/// Factors at the motions of `work`, those of `work.next`; right sides come later.
pub(crate) fn factor(model: &Model, work: &mut Workspace, stage: Stage) -> Result<(), StepError> {
    let Workspace { articulated, motions, .. } = work;
    let Some(articulated) = articulated else { return Ok(()) };
    articulated.factored.clear();
    articulated.write_closures(model, motions);
    let ArticulatedSystem { spatial, body_nodes, result_slots, .. } = articulated;
    let outcome = spatial.factor(&mut MotionFill::<FACTOR_ONLY> {
        model,
        body_nodes,
        result_slots,
        motions,
        extra: None,
        acc: &mut [],
        finite_check: FiniteCheck::default(),
    });
    outcome.map_err(|error| crate::step_error::solver_error(model, work.next.time, error, stage))?;
    articulated.note_factor(model, &work.next.q);
    Ok(())
}

/// C and Ċ of all joints at the motions of `work`: the worst of either, and the worst relative to what formed it.
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

/// What is measured: poses, rates, or both; of joints that close loops alone.
pub(crate) const POSES: u8 = 1;
pub(crate) const RATES: u8 = 2;
pub(crate) const BOTH: u8 = POSES | RATES;
pub(crate) const LOOPS_ONLY: u8 = 4;

/// Measures how far all joints are from closed; `bound` turns the size of what formed an error into what is as good as
/// zero. Where joint coordinates are `carried`, joints that follow from them count as closed, whatever rounding they show.
pub(crate) fn measure<const WHAT: u8>(
    model: &Model,
    work: &mut Workspace,
    carried: bool,
    bound: impl Fn(f64) -> f64,
) -> ConstraintErrors {
    let Workspace { articulated, motions, chart, .. } = work;
    let chart = chart.as_ref().filter(|_| carried);
    let excused = |joint: usize| chart.is_some_and(|chart| chart.holds(joint));
    let mut out = ConstraintErrors::default();
    let Some(ArticulatedSystem {
        spatial,
        body_nodes,
        loop_joints,
        gaps,
        keeps_gaps,
        loop_gaps,
        tolerance,
        ..
    }) = articulated
    else {
        return out;
    };
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
    for ((loop_joint, gap), closure) in loop_joints.iter().zip(loop_gaps).zip(spatial.closures()) {
        loop_joint.joint.write_gap::<WHAT>(model, motions, gap);
        if *tolerance > 0.0 && closure.kept().len() < closure.len() {
            out.note_kept::<WHAT>(loop_joint, gap, closure.kept(), &bound);
        } else {
            out.note::<WHAT>(gap, excused(loop_joint.index()), &bound);
        }
    }
    out.done()
}

/// Gaps are kept from now on, for whoever corrects them with other motions than they were measured at.
pub(crate) fn keep_gaps(work: &mut Workspace) {
    if let Some(articulated) = &mut work.articulated {
        articulated.keeps_gaps = true;
    }
}

/// The largest error in units of its bound, at the last measurement, of rows that the plan has kept. Infinite if all are.
#[cold]
pub(crate) fn excess_of_kept<const WHAT: u8>(work: &Workspace, bound: impl Fn(f64) -> f64) -> f64 {
    let Some(ArticulatedSystem { spatial, body_nodes, loop_joints, gaps, loop_gaps, redundant, .. }) =
        &work.articulated
    else {
        return f64::INFINITY;
    };
    if *redundant == 0 {
        return f64::INFINITY;
    }
    let mut out = ConstraintErrors::default();
    for (_, gap) in body_nodes.iter().zip(gaps).filter(|(body_node, _)| body_node.tree_joint.is_some()) {
        out.note::<WHAT>(&mut gap.clone(), false, &bound);
    }
    for ((loop_joint, gap), closure) in loop_joints.iter().zip(loop_gaps).zip(spatial.closures()) {
        out.note_kept::<WHAT>(loop_joint, gap, closure.kept(), &bound);
    }
    let out = out.done();
    larger(out.position_excess, out.velocity_excess)
}

/// [`larger`] in place: mostly nothing is written.
#[inline(always)]
pub(crate) fn keep_larger(most: &mut f64, x: f64) {
    if x > *most || x.is_nan() {
        *most = x;
    }
}

impl ConstraintErrors {
    /// Takes a gap into account; one that is excused becomes nothing after that. Until [`done`](ConstraintErrors::done) everything but the
    /// sizes is a square.
    #[inline(always)]
    pub(crate) fn note<const WHAT: u8>(
        &mut self,
        gap: &mut JointGap,
        excused: bool,
        bound: impl Fn(f64) -> f64,
    ) {
        let square = |v: Vec3| v.dot(v);
        // How far beyond its bound an error is matters only where it is.
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
    /// The same for a joint some of whose rows a geometry tolerance has dropped: these count as errors, but not as something to close.
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

/// λ of all rows from the loads of the last solve; `relatives` must be those of the same instant.
pub(crate) fn write_multipliers(model: &Model, work: &mut Workspace) {
    let Workspace { articulated, motions, relatives, lambda, .. } = work;
    let Some(articulated) = articulated else { return };
    multipliers(model, articulated, motions, |j| relatives[j], lambda);
}

/// The same into `lambda`; of a joint `relative` has one end beside the other.
pub(crate) fn multipliers(
    model: &Model,
    ArticulatedSystem { spatial, body_nodes, loop_joints, .. }: &ArticulatedSystem,
    motions: &[Motion],
    relative: impl Fn(usize) -> Relative,
    lambda: &mut [f64],
) {
    for (at, body_node) in body_nodes.iter().enumerate() {
        let Some(tree_joint) = &body_node.tree_joint else { continue };
        let entry = &model.joints[tree_joint.index as usize];
        let out = &mut lambda[entry.row_range()];
        let (limb, more) = (&spatial.nodes()[at], spatial.extra(at));
        if let Form::Rows(m) = limb.form() {
            let answers = [limb.first_answer, more.answers[0], more.answers[1]];
            out.copy_from_slice(&answers[..m as usize]);
            continue;
        }
        let wrench = wrench_on_b(tree_joint, motions, &spatial.loads()[at]);
        rows_of_wrench(model, tree_joint.index as usize, &relative(tree_joint.index as usize), wrench, out);
    }
    for (loop_joint, closure) in loop_joints.iter().zip(spatial.closures()) {
        let entry = &model.joints[loop_joint.index()];
        let out = &mut lambda[entry.row_range()];
        loop_joint.multipliers(model, &relative(loop_joint.index()), &closure.answers, out);
    }
}

/// What a joint exerts on b at b's anchor, world axes, from the load on its child.
fn wrench_on_b(tree_joint: &TreeJoint, motions: &[Motion], load: &Six) -> Wrench {
    let arm = tree_joint.child_arm(motions);
    let at_anchor = Wrench { force: load.lin, torque: load.ang - arm.cross(load.lin) };
    if tree_joint.onto_b() { at_anchor } else { -at_anchor }
}

/// Force and moment about the world's origin that the ground exerts in the last solve.
pub(crate) fn ground_load(model: &Model, work: &Workspace) -> (Vec3, Vec3) {
    let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
    let Some(articulated) = &work.articulated else { return (force, moment) };
    let ArticulatedSystem { spatial, body_nodes, on_ground, .. } = articulated;
    let mut add_load = |load: &Six, body: usize| {
        force += load.lin;
        moment += work.motions[body].pos.cross(load.lin) + load.ang;
    };
    for &at in on_ground {
        add_load(&spatial.loads()[at as usize], body_nodes[at as usize].body as usize);
    }
    articulated.add_ground_loop_loads(model.bodies.len(), add_load);
    (force, moment)
}

/// Work that drives do in the last solve, or with impulses in the place of forces: Σ λ ṡ.
pub(crate) fn drive_work(model: &Model, work: &Workspace) -> f64 {
    let (mut sum, motions) = (0.0, &work.motions);
    let Some(ArticulatedSystem { spatial, body_nodes, loop_joints, .. }) = &work.articulated else {
        return sum;
    };
    if model.drives.is_empty() {
        return sum;
    }
    let mut add_load = |tree_joint: &TreeJoint, wrench: Wrench, answers: &[f64]| {
        let Some(drives) = &tree_joint.drives else { return };
        if tree_joint.is_lower_pair() {
            let at = tree_joint.relative_at(model, motions);
            for (driven_row, target) in drives.rows_in_world(&at).zip(drives.targets()) {
                let force =
                    driven_row.column.force.dot(wrench.force) + driven_row.column.torque.dot(wrench.torque);
                sum += force * target.rate;
            }
        } else {
            let first = model.joints[tree_joint.index as usize].structural_rows();
            sum +=
                answers[first..].iter().zip(drives.targets()).map(|(l, target)| l * target.rate).sum::<f64>();
        }
    };
    for (at, body_node) in body_nodes.iter().enumerate() {
        let Some(tree_joint) = body_node.tree_joint.as_ref().filter(|tree_joint| tree_joint.drives.is_some())
        else {
            continue;
        };
        let (limb, more) = (&spatial.nodes()[at], spatial.extra(at));
        let answers = [limb.first_answer, more.answers[0], more.answers[1]];
        add_load(tree_joint, wrench_on_b(tree_joint, motions, &spatial.loads()[at]), &answers);
    }
    for (loop_joint, closure) in loop_joints.iter().zip(spatial.closures()) {
        if loop_joint.joint.drives.is_some() {
            add_load(&loop_joint.joint, loop_joint.wrench(&closure.answers), &closure.answers);
        }
    }
    sum
}

/// Weight and its moment about the world's origin, as the bodies feel them.
pub(crate) fn weight(model: &Model, motions: &[Motion]) -> (Vec3, Vec3) {
    // Σ m and Σ m x, of bodies in space and of those in the plane, who feel nothing across it.
    let mut sums = [(0.0, Vec3::ZERO); 2];
    for (body, at) in model.bodies.iter().zip(motions) {
        let (mass, moment) = &mut sums[usize::from(body.kind.is_planar())];
        *mass += body.mass.mass;
        *moment += at.pos * body.mass.mass;
    }
    let [(mass, moment), (mass_in_plane, moment_in_plane)] = sums;
    let gravity = model.gravity;
    let along = Vec3::new(gravity.x, gravity.y, 0.0);
    (gravity * mass + along * mass_in_plane, moment.cross(gravity) + moment_in_plane.cross(along))
}

/// What the elimination of one acceleration solve computes, counted by doing it again with numbers that count.
pub(crate) fn operations(model: &Model, work: &Workspace) -> Option<Operations> {
    // On a copy, with the rows of these motions and a plan for them.
    let mut articulated = work.articulated.clone()?;
    articulated.write_closures(model, &work.motions);
    let ArticulatedSystem { spatial, body_nodes, tolerance, length, .. } = &mut articulated;
    spatial.plan(larger(RANK_TOLERANCE, *tolerance), *length, |at, geometry| {
        if let Some(tree_joint) = &body_nodes[at].tree_joint {
            tree_joint.write_geometry(model, &work.motions, body_nodes[at].body as usize, geometry);
        }
    });
    let mut counting: ArticulatedForest<Counted> = spanning_forest(model)?;
    spatial.adopt_plan(&mut counting);
    for (at, body_node) in body_nodes.iter().enumerate() {
        if body_node.is_ball {
            counting.use_ball_kernel(at);
        }
    }
    let vec = |v: Vec3| Vec3::new(Counted(v.x), Counted(v.y), Counted(v.z));
    let six = |v: &Six| Six::new(vec(v.lin), vec(v.ang));
    for (from, to) in spatial.closures().iter().zip(counting.closures_mut()) {
        to.rows = from.rows.map(|rows| rows.map(|row| six(&row)));
        to.bias = from.bias.map(Counted);
    }
    Counted::reset();
    let outcome = counting.factor_and_solve(&mut FillWith(
        |at: usize, limb: &mut Node<Counted>, more: &mut NodeExtra<Counted>| {
            let (mut plain, mut plain_more) = (spatial.nodes()[at], *spatial.extra(at));
            body_nodes[at].write(model, &work.motions, None, &mut plain, &mut plain_more);
            let (m, i) = (plain.diag.a.xx, plain.diag.c);
            let [xx, yy, zz, xy, xz, yz] = [i.xx, i.yy, i.zz, i.xy, i.xz, i.yz].map(Counted::splat);
            limb.diag = Sym6::of_mass(Counted(m), Sym3 { xx, yy, zz, xy, xz, yz });
            (limb.force, limb.gamma) = (six(&plain.force), six(&plain.gamma));
            (limb.shift, limb.first) = (vec(plain.shift), six(&plain.first));
            more.columns = plain_more.columns.map(|c| six(&c));
            more.bias = plain_more.bias.map(Counted);
        },
    ));
    let counted = Counted::operations();
    outcome.ok().map(|()| counted)
}
