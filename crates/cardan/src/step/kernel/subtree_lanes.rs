//! Euler steps with identical subtrees of one mechanism in SIMD lanes.
//!
//! Example: forty four-bar linkages on the ground are forty trees of a crank and a coupler,
//! connected by loop-closure joints. Four trees at a time go through a step as four mechanisms do
//! (`sweep/mod.rs`), with the same arithmetic in the same order. Loop-closure joints are eliminated
//! in lanes along the trees, and joint by joint on the ground
//! (`cardan_solve::articulated::GroundLoops`). State, errors and ledger have the bits of the scalar
//! path. The residual of the equations is summed in another order and may differ in its last
//! digits.
//!
//! Forces are evaluated by the scalar code once per step. Implicit efforts of tree joints enter as
//! effort and joint inertia of their nodes (`dynamics/joint_efforts.rs`); everything else that acts
//! (point-to-point springs, drag, efforts of loop-closure joints, user forces) enters as a wrench on
//! the node of its body. A step in which an effort comes to its limit or leaves it is declined.
//!
//! If a step needs more than this (a new rank plan, iterative refinement, a loop near a singular
//! pose), it is declined without side effects and taken on the scalar path.
//!
//! This file is one kernel and longer than 600 lines: the data layouts that share the sweeps are to
//! be merged first, then it is split.

use crate::body::{BodyKind, Motion};
use crate::math::{Mat3, Quat, Six, Vec3, larger};
use crate::model::Model;
use crate::settings::{Integrator, Settings};
use crate::state::{PLANNED, State};
use crate::step::articulated::fill::BodyNode;
use crate::step::articulated::residual::{LoadSum, WorstResidual};
use crate::step::articulated::{ArticulatedSystem, ConstraintErrors};
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::dynamics::step_efforts::{evaluate_joint_efforts, has_room_for_commands, write_wrenches};
use crate::step::kernel::level_lanes::write_bodies_at;
use crate::step::kernel::loop_lanes::{CountedHinges, LoopLanes};
use crate::step::kernel::sweep::{
    CorrectionSweep, ExternalLoads, LaneErrors, LaneFill, LaneNode, LaneVelocityFill, MoveSweep,
    NodeCertifier, NodeParams, NodeTopology, SameLane, SweepCertifier, TurnCounting,
    suits_pose_lanes_with_forces, write_frames,
};
use crate::step::project::euler::{self, LoopProjection};
use crate::step::project::tree::{carried_displacement, rotated_by};
use crate::step::report::StepReport;
use crate::step::workspace::{Evaluation, Kinematics, Solvers, StageBuffers, Workspace};
use crate::step_error::Stage;
use crate::tolerances::{CERTIFIED_BY_ELIMINATION, CERTIFIED_IN_LANES, NOISE, PLAN_DISAGREES, SMALL_PIVOT};
use cardan_solve::Task;
use cardan_solve::articulated::{
    ArticulatedForest, Form, GroundLoops, LoopEnd, Node, NodeExtra, ROOT_LOADS, TwoRhs,
};
use cardan_solve::simd::{Mask, Simd, Simd4, Simd4Task, run_simd4_avx2};
use std::fmt::Debug;

/// Exponential backoff after steps that the lanes declined: the next steps are likely to be
/// declined too.
#[derive(Debug, Default)]
pub(crate) struct RetryBackoff {
    /// Steps still to be skipped, and how many were skipped after the last declined step.
    skips_left: u32,
    last_skips: u32,
}

impl RetryBackoff {
    /// Largest number of steps that are skipped in a row.
    const MAX_SKIPS: u32 = 64;

    /// True if the next step is to be skipped.
    pub(crate) fn skips(&mut self) -> bool {
        let skips = self.skips_left > 0;
        self.skips_left -= u32::from(skips);
        skips
    }
    /// Notes whether a step was taken in lanes.
    pub(crate) fn note(&mut self, was_taken: bool) {
        self.last_skips = if was_taken { 0 } else { (2 * self.last_skips + 1).min(Self::MAX_SKIPS) };
        self.skips_left = self.last_skips.saturating_sub(1);
    }
}

/// Step kernel in lanes, independent of the SIMD type.
pub(crate) trait StepKernel: Debug + Send + Sync {
    /// Takes one step of `h` seconds from `state` into `work.stages.next` and `work.kinematics.motions`, up to the
    /// conclusion of [`step`](crate::step). Returns `None` if the step is declined; its results are
    /// then invalid.
    fn step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport>;
    /// Number of steps that this kernel has taken.
    fn steps(&self) -> u64;
    /// Whether commands on poses are taken too.
    fn takes_forces(&self) -> bool {
        false
    }
    /// Number of those steps that were taken in lanes; `None` if the kernel has no lanes.
    fn steps_in_lanes(&self) -> Option<u64> {
        Some(self.steps())
    }
    /// Bytes that a step reads and writes per body, by the sizes of its arrays; `None` if that is not known.
    fn bytes_moved_per_body(&self) -> Option<usize> {
        None
    }
    /// Allocated memory in bytes.
    fn bytes(&self) -> usize;
}

/// Step kernel with the subtrees of a mechanism in lanes. `None` if too few of them are identical,
/// or without AVX2.
pub(crate) fn subtree_kernel(
    model: &Model,
    settings: &Settings,
    articulated: &ArticulatedSystem,
) -> Option<Box<dyn StepKernel>> {
    run_simd4_avx2(MakeSubtreeLanes(model, settings, articulated))?
}

/// Makes the kernel for the SIMD type of the machine.
struct MakeSubtreeLanes<'m>(&'m Model, &'m Settings, &'m ArticulatedSystem);

impl Simd4Task for MakeSubtreeLanes<'_> {
    type Output = Option<Box<dyn StepKernel>>;
    fn run<T: Simd4>(self) -> Self::Output {
        SubtreeLanes::<T>::new(self.0, self.1, self.2)
            .map(|subtree_lanes| Box::new(subtree_lanes) as Box<dyn StepKernel>)
    }
}

/// Structure that trees in one register share: node topologies with parents relative to the first
/// node, and the nodes with an end of a loop-closure joint, with its number of rows.
#[derive(PartialEq)]
struct SubtreeShape {
    topologies: Vec<NodeTopology>,
    loop_ends: Vec<(u32, u8)>,
}

/// A tree of the forest: its first node, and the ends of loop-closure joints in it.
struct Subtree {
    first: usize,
    shape: SubtreeShape,
    loop_ends: Vec<LoopEnd>,
}

/// Step kernel with identical subtrees in lanes.
#[derive(Debug)]
struct SubtreeLanes<T: Simd4> {
    /// Nodes in elimination order; the last entry is the ground.
    lane_nodes: Vec<LaneNode<T>>,
    /// Index (0 or 1) of the buffer that has the present state.
    now: usize,
    forest: ArticulatedForest<T>,
    ground_loops: GroundLoops,
    gravity: Vec3<T>,
    semi_implicit: bool,
    /// Scalar node of every lane of every lane node; and lane node and lane of every scalar node.
    scalar_node_of: Vec<u32>,
    lane_node_of: Vec<(u32, u32)>,
    /// Of every lane node: where the coordinates and velocities of its bodies begin in the state, and their
    /// indices.
    body_places: Vec<[[u32; 4]; 3]>,
    external_loads: LoopEndLoads<T>,
    pending: Vec<LoadSum<T>>,
    /// Displacements of a correction, and displacements with the tree joints kept closed.
    corrections: Vec<Six<T>>,
    displacements: Vec<Six<T>>,
    /// Loop-closure joints, and hinges whose turns are counted.
    loop_lanes: LoopLanes<T>,
    turns: Option<CountedHinges<T>>,
    /// Efforts along the freedoms of the lane nodes in this step; empty if there are none.
    efforts: Vec<T>,
    /// True if the model has forces besides gravity.
    has_forces: bool,
    /// Coordinates and velocities of the factor at hand, if there is one.
    q: Vec<f64>,
    v: Vec<f64>,
    is_factored: bool,
    backoff: RetryBackoff,
    steps: u64,
}

/// Loads of loop-closure joints on the lane nodes of their ends.
#[derive(Debug)]
struct LoopEndLoads<T: Simd> {
    has_end: Vec<bool>,
    load_sums: Vec<LoadSum<T>>,
    reach: Vec<T>,
}

impl<T: Simd> ExternalLoads<T> for &mut LoopEndLoads<T> {
    #[inline(always)]
    fn load(&self, at: usize) -> LoadSum<T> {
        if self.has_end[at] { self.load_sums[at] } else { LoadSum::default() }
    }
    #[inline(always)]
    fn note_reach(&mut self, at: usize, reach: T) {
        self.reach[at] = reach;
    }
}

/// Trees of a forest on the ground. `None` if a tree floats, or if a joint closes a loop within one
/// tree.
fn subtrees(articulated: &ArticulatedSystem) -> Option<Vec<Subtree>> {
    let solver_nodes = articulated.forest.nodes();
    let mut trees: Vec<Subtree> = Vec::new();
    let mut tree_of = vec![0; solver_nodes.len()];
    let mut first = 0;
    for (at, node) in solver_nodes.iter().enumerate() {
        tree_of[at] = trees.len();
        if node.parent().is_some() {
            continue;
        }
        let topology = |p: usize| {
            let parent = solver_nodes[p].parent().map_or(u32::MAX, |parent| (parent - first) as u32);
            NodeTopology { body: 0, ..NodeTopology::of(&articulated.body_nodes[p], parent) }
        };
        let shape = SubtreeShape { topologies: (first..=at).map(topology).collect(), loop_ends: Vec::new() };
        trees.push(Subtree { first, shape, loop_ends: Vec::new() });
        first = at + 1;
    }
    for (c, closure) in (0u32..).zip(articulated.forest.closures()) {
        let ends = closure.places();
        if let [Some(a), Some(b)] = ends
            && tree_of[a] == tree_of[b]
        {
            return None;
        }
        for (end, body_node) in (0u8..).zip(ends) {
            let Some(body_node) = body_node else { continue };
            let tree = &mut trees[tree_of[body_node]];
            tree.shape.loop_ends.push(((body_node - tree.first) as u32, closure.len() as u8));
            tree.loop_ends.push(LoopEnd { closure: c, end });
        }
    }
    Some(trees)
}

impl<T: Simd4> SubtreeLanes<T> {
    fn new(model: &Model, settings: &Settings, articulated: &ArticulatedSystem) -> Option<Self> {
        let is_rigid = |body_node: &BodyNode| body_node.kind == BodyKind::Rigid;
        let is_simple = suits_pose_lanes_with_forces(model, settings)
            && articulated.is_small
            && articulated.are_hinges_or_balls
            && articulated.loops_are_hinges_or_balls
            && articulated.closes_forest
            && !articulated.floats
            && articulated.body_nodes.iter().all(is_rigid);
        if !is_simple {
            return None;
        }
        let trees = subtrees(articulated)?;
        // Identical trees share registers; spare lanes repeat the last tree of a kind.
        let mut kinds: Vec<Vec<&Subtree>> = Vec::new();
        for tree in &trees {
            match kinds.iter_mut().find(|kind| kind[0].shape == tree.shape) {
                Some(kind) => kind.push(tree),
                None => kinds.push(vec![tree]),
            }
        }
        let groups: Vec<&[&Subtree]> = kinds.iter().flat_map(|kind| kind.chunks(T::LANES)).collect();
        let count: usize = groups.iter().map(|group| group[0].shape.topologies.len()).sum();
        // A lane node costs about as much as a scalar node.
        if 2 * count > articulated.body_nodes.len() {
            return None;
        }
        let (mut lane_nodes, mut scalar_node_of, mut loop_ends, mut lanes) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut counts = Vec::new();
        let mut lane_node_of = vec![(0, 0); articulated.body_nodes.len()];
        let mut has_end = vec![false; count + 1];
        for group in groups {
            let first = lane_nodes.len();
            let lane = |i: usize| group[i.min(group.len() - 1)];
            let SubtreeShape { topologies, loop_ends: begins } = &group[0].shape;
            for (i, topology) in topologies.iter().enumerate() {
                let parent =
                    if topology.parent == u32::MAX { count } else { first + topology.parent as usize };
                let params = NodeParams::of(|l| &articulated.body_nodes[lane(l).first + i]);
                let body = articulated.body_nodes[group[0].first + i].body;
                lane_nodes
                    .push(LaneNode::new(NodeTopology { body, parent: parent as u32, ..*topology }, params));
                scalar_node_of.extend((0..T::LANES).map(|l| (lane(l).first + i) as u32));
                for (l, tree) in (0u32..).zip(group) {
                    lane_node_of[tree.first + i] = ((first + i) as u32, l);
                }
            }
            for (k, &(body_node, rows)) in begins.iter().enumerate() {
                has_end[first + body_node as usize] = true;
                loop_ends.push(((first + body_node as usize) as u32, rows as usize));
                counts.push(group.len());
                lanes.extend((0..T::LANES).map(|l| lane(l).loop_ends[k]));
            }
        }
        let parents: Vec<Option<u32>> = lane_nodes
            .iter()
            .map(|lane_node| {
                (lane_node.topology.parent as usize != count).then_some(lane_node.topology.parent)
            })
            .collect();
        let form =
            |lane_node: &LaneNode<T>| Form::Freedoms(if lane_node.topology.joint.is_hinge { 1 } else { 3 });
        let forms: Vec<Form> = lane_nodes.iter().map(form).collect();
        let mut forest: ArticulatedForest<T> =
            ArticulatedForest::with_loop_ends(&parents, &forms, &loop_ends);
        for (at, lane_node) in lane_nodes.iter().enumerate() {
            forest.use_leaf_kernel(at);
            if lane_node.topology.joint.is_hinge {
                forest.use_one_dof_kernel(at);
            } else if !forest.use_ball_kernel(at) {
                // Only hinges may be on the path of a loop.
                return None;
            }
            if !lane_node.topology.joint.onto_b {
                forest.set_reversed(at);
            }
        }
        let begins: Vec<u32> = loop_ends.iter().map(|&(lane_node, _)| lane_node).collect();
        let loop_lanes = LoopLanes::new(articulated, &begins, &counts, &lanes, &lane_node_of)?;
        let turns = CountedHinges::new(model, |body| {
            Some(lane_node_of[*articulated.node_of_body.get(body as usize)? as usize])
        });
        let ground_loops = GroundLoops::new(&forest, &articulated.forest, lanes, |body_node| {
            let (lane_node, lane) = lane_node_of[body_node];
            (lane_node as usize, lane as usize)
        })?;
        let place_of = |nodes: &[u32]| {
            let entry = |lane: usize| {
                let body = articulated.body_nodes[nodes[lane] as usize].body;
                (&model.bodies[body as usize], body)
            };
            let (q, v) = (|lane: usize| entry(lane).0.q_at, |lane: usize| entry(lane).0.v_at);
            [std::array::from_fn(q), std::array::from_fn(v), std::array::from_fn(|lane| entry(lane).1)]
        };
        let body_places = scalar_node_of.chunks_exact(T::LANES).map(place_of).collect();
        lane_nodes.push(LaneNode::new(NodeTopology::default(), NodeParams::default()));
        let g = model.gravity;
        Some(SubtreeLanes {
            now: 0,
            pending: vec![LoadSum::default(); forest.depth() + 1],
            ground_loops,
            gravity: Vec3::new(T::splat(g.x), T::splat(g.y), T::splat(g.z)),
            semi_implicit: settings.integrator == Integrator::SemiImplicitEuler,
            scalar_node_of,
            lane_node_of,
            body_places,
            external_loads: LoopEndLoads {
                load_sums: vec![LoadSum::default(); count],
                reach: vec![T::ZERO; count],
                has_end,
            },
            corrections: vec![Six::ZERO; count],
            displacements: vec![Six::ZERO; count],
            loop_lanes,
            turns,
            efforts: Vec::new(),
            has_forces: model.has_forces(),
            q: Vec::with_capacity(model.q_len),
            v: Vec::with_capacity(model.v_len),
            is_factored: false,
            backoff: RetryBackoff::default(),
            steps: 0,
            lane_nodes,
            forest,
        })
    }

    /// Loads poses and velocities of `motions` into the lanes.
    #[inline(always)]
    fn load(&mut self, articulated: &ArticulatedSystem, motions: &[Motion]) {
        let SubtreeLanes { lane_nodes, scalar_node_of, now, .. } = self;
        for (lane_node, body_nodes) in lane_nodes.iter_mut().zip(scalar_node_of.chunks_exact(T::LANES)) {
            let of = |l: usize| &motions[articulated.body_nodes[body_nodes[l] as usize].body as usize];
            let vector = |f: fn(&Motion) -> Vec3| {
                Vec3::new(
                    T::from_lanes(|l| f(of(l)).x),
                    T::from_lanes(|l| f(of(l)).y),
                    T::from_lanes(|l| f(of(l)).z),
                )
            };
            lane_node.motion[*now & 1] = Motion {
                pos: vector(|m| m.pos),
                rot: Quat { w: T::from_lanes(|l| of(l).rot.w), v: vector(|m| m.rot.v) },
                axes: Mat3 { x: vector(|m| m.axes.x), y: vector(|m| m.axes.y), z: vector(|m| m.axes.z) },
                vel: vector(|m| m.vel),
                omega: vector(|m| m.omega),
            };
        }
    }

    /// Factors at the present poses, those of `work.kinematics.motions`; false if a pivot vanishes.
    fn factor(&mut self, work: &mut Workspace) -> bool {
        let Workspace {
            solvers: Solvers { articulated: Some(articulated), .. },
            kinematics: Kinematics { motions, .. },
            ..
        } = work
        else {
            return false;
        };
        self.load(articulated, motions);
        let SubtreeLanes { lane_nodes, forest, now, ground_loops, gravity, loop_lanes, .. } = self;
        if !loop_lanes.plan(articulated.forest.closures()) || !ground_loops.plan(&articulated.forest) {
            return false;
        }
        loop_lanes.begin(lane_nodes, *now & 1, forest);
        T::run_vectorized(SubtreeFactorTask { lane_nodes, now: *now & 1, gravity: *gravity, forest })
            && ground_loops.eliminate(forest, &mut articulated.forest)
    }

    /// Efforts and wrenches at the start of a step. Returns whether there are wrenches, and whether
    /// the joint inertias are still those of the factor at hand; `None` if the step is to be declined.
    fn begin_forces(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        work: &mut Workspace,
        rate: &mut LedgerRate,
    ) -> Option<(bool, bool)> {
        work.stages.stage.copy_rest_from(state);
        let at = Evaluation { step: self.semi_implicit.then_some(h), ..Stage::First.into() };
        let is_implicit = work.solvers.joint_efforts.as_ref().is_none_or(|efforts| efforts.is_implicit);
        if !has_room_for_commands(work, at) || !is_implicit {
            return None;
        }
        // What is wrong is for the scalar path to say.
        evaluate_joint_efforts(model, work, at).ok()?;
        let has_wrenches = write_wrenches(model, work, at, rate).ok()?;
        let articulated = work.solvers.articulated.as_mut()?;
        let SubtreeLanes { forest, efforts, scalar_node_of, .. } = self;
        let count = if articulated.efforts.is_empty() { 0 } else { self.corrections.len() };
        efforts.resize(count, T::ZERO);
        let ArticulatedSystem { forest: scalar_forest, efforts: scalar_efforts, .. } = articulated;
        let (scalar_inertias, inertias) = (scalar_forest.joint_inertias_mut(), forest.joint_inertias_mut());
        let mut is_same = inertias.len() == count;
        inertias.resize(count, T::ZERO);
        let nodes = efforts.iter_mut().zip(inertias).zip(scalar_node_of.chunks_exact(T::LANES));
        for ((effort, inertia), scalar_nodes) in nodes {
            *effort = T::from_lanes(|l| scalar_efforts[scalar_nodes[l] as usize]);
            let new = T::from_lanes(|l| scalar_inertias[scalar_nodes[l] as usize]);
            is_same &= !(new - *inertia).abs().above(T::ZERO).any();
            *inertia = new;
        }
        Some((has_wrenches, is_same))
    }

    /// Adds the wrenches on the bodies of all nodes.
    fn add_wrenches(&mut self, model: &Model, work: &Workspace) -> Option<()> {
        let (articulated, system) = (work.solvers.articulated.as_ref()?, &work.equations.system);
        let SubtreeLanes { lane_nodes, scalar_node_of, .. } = self;
        for (lane_node, scalar_nodes) in lane_nodes.iter_mut().zip(scalar_node_of.chunks_exact(T::LANES)) {
            let mut wrench = Six::ZERO;
            for (lane, &node) in scalar_nodes.iter().enumerate() {
                set_lane_six(&mut wrench, lane, &articulated.body_nodes[node as usize].extra(model, system));
            }
            lane_node.add_force(wrench);
        }
        Some(())
    }

    /// Books the joint efforts of the step. False if one came to its limit or left it.
    fn book_efforts(&self, h: f64, work: &mut Workspace, rate: &mut LedgerRate) -> bool {
        let Workspace {
            solvers: Solvers { articulated: Some(articulated), joint_efforts: Some(joint_efforts), .. },
            ..
        } = work
        else {
            return true;
        };
        if self.efforts.is_empty() {
            return true;
        }
        let acc_of = |body: usize, _: usize| {
            let (lane_node, lane) = self.lane_node_of[articulated.node_of_body[body] as usize];
            lane_six(&self.forest.nodes()[lane_node as usize].x, lane as usize & 3)
        };
        let has_changed = joint_efforts.update_limits_by(h, acc_of);
        joint_efforts.book_by(h, rate, acc_of);
        !has_changed
    }

    /// Solves for accelerations and moves the bodies.
    fn solve_and_move(&mut self, scalar_forest: &ArticulatedForest, half_h_squared: f64, h: f64) -> bool {
        let SubtreeLanes { lane_nodes, forest, now, ground_loops, semi_implicit, efforts, .. } = self;
        let moving = MoveSweep {
            lane_nodes,
            now: *now & 1,
            h: T::splat(h),
            semi_implicit: *semi_implicit,
            floats: false,
            is_far: T::Mask::NONE,
            moment: Vec3::ZERO,
            mass: T::ZERO,
            layout: SameLane,
        };
        let mut moving = MoveWithEfforts { moving, efforts };
        T::run_vectorized(SubtreeForwardTask(forest, T::splat(half_h_squared), &mut moving));
        ground_loops.solve_two_rhs(forest, scalar_forest, half_h_squared);
        ground_loops.scatter_answers::<T, 2>(forest);
        T::run_vectorized(SubtreeBackwardTask(forest, T::splat(half_h_squared), &mut moving));
        !moving.moving.is_far.any()
    }

    /// Computes the residual of the equations, and the joint loads. `None` if a row that the rank
    /// plan dropped disagrees with the solution, so that the plan is out of date.
    fn certify(&mut self, scalar_forest: &ArticulatedForest) -> Option<f64> {
        let SubtreeLanes {
            lane_nodes, now, forest, pending, external_loads, loop_lanes, ground_loops, ..
        } = self;
        let dropped = loop_lanes.write_residual(ground_loops, forest, &mut external_loads.load_sums);
        let certified = T::run_vectorized(SubtreeResidualTask {
            lane_nodes,
            now: *now & 1,
            forest,
            pending,
            external_loads,
        });
        let ratio = if dropped == 0.0 { 0.0 } else { dropped / certified.largest.magnitude() };
        // False for NaN.
        let agrees = ratio <= PLAN_DISAGREES && scalar_forest.least_pivot() >= SMALL_PIVOT;
        // NaN in a lane counts as the largest.
        let (mut worst, loop_joints) = (WorstResidual(0.0), loop_lanes.worst(&external_loads.reach));
        for lane in 0..T::LANES {
            worst.0 = larger(worst.0, certified.worst.lane(lane));
            worst.0 = larger(worst.0, loop_joints.lane(lane));
        }
        agrees.then(|| worst.0.sqrt())
    }

    /// Force of the ground and its moment about the origin.
    fn ground_load(&self, articulated: &ArticulatedSystem, motions: &[Motion]) -> (Vec3, Vec3) {
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        let mut add_load = |load: &Six, body: usize| {
            force += load.lin;
            moment += motions[body].pos.cross(load.lin) + load.ang;
        };
        for &at in &articulated.on_ground {
            let (lane_node, lane) = self.lane_node_of[at as usize];
            let load = lane_six(&self.forest.loads()[lane_node as usize], lane as usize & 3);
            add_load(&load, articulated.body_nodes[at as usize].body as usize);
        }
        self.loop_lanes.add_ground_loads(&self.ground_loops, add_load);
        (force, moment)
    }

    /// Stores poses and velocities at the end of the step into motions and state.
    fn store(&self, work: &mut Workspace) {
        let SubtreeLanes { lane_nodes, now, body_places, .. } = self;
        let Workspace { kinematics, stages: StageBuffers { next: to, .. }, .. } = work;
        let (next, motions) = ((*now & 1) ^ 1, &mut kinematics.motions);
        T::run_vectorized(SubtreeStoreTask { lane_nodes, body_places, next, to, motions });
    }

    /// Factors at the new poses, and removes velocities along the locked directions of the joints.
    /// Returns the remaining errors of the tree joints, squared.
    fn correct_velocities(&mut self, work: &mut Workspace) -> Option<LaneErrors<T>> {
        let Workspace { solvers: Solvers { articulated: Some(articulated), .. }, counts, .. } = work else {
            return None;
        };
        counts.factorizations += 1;
        counts.solves += 1;
        let scalar_forest = &mut articulated.forest;
        let SubtreeLanes { lane_nodes, forest, now, ground_loops, gravity, loop_lanes, .. } = self;
        let next = (*now & 1) ^ 1;
        loop_lanes.write_velocity_bias(lane_nodes, next, forest, ground_loops);
        let is_fine = T::run_vectorized(SubtreeVelocityFactorTask { lane_nodes, now: *now & 1, forest })
            && ground_loops.eliminate(forest, scalar_forest);
        if !is_fine {
            return None;
        }
        ground_loops.scatter_answers::<T, 1>(forest);
        let mut measured = LaneErrors::default();
        T::run_vectorized(SubtreeCorrectionTask {
            lane_nodes,
            next,
            gravity: *gravity,
            forest,
            out: &mut measured,
        });
        Some(measured)
    }

    /// Takes a step if the state allows it; `None` otherwise.
    fn try_step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
        let articulated = work.solvers.articulated.as_mut()?;
        // The rank plan must be that of the last factor; otherwise a new factor is made.
        let mut is_planned = state.assembled && !state.still;
        for (loop_joint, closure) in articulated.loop_joints.iter().zip(articulated.forest.closures()) {
            let mask = state.plan[loop_joint.index()];
            is_planned &= mask != 0 && closure.kept_mask() == mask & !PLANNED;
        }
        if !is_planned {
            return None;
        }
        crate::step::dynamics::kinematics::write_motions(model, state, &mut work.kinematics.motions);
        let has_own_factor = articulated.factored.len() == KERNEL_FACTOR.len()
            && self.is_factored
            && have_same_bits(&self.q, &state.q)
            && have_same_bits(&self.v, &state.v);
        self.is_factored = false;
        let counts = work.counts;
        let mut report = StepReport { size: h, steps: 1, ..StepReport::default() };
        let outcome = self.step_with_forces(model, state, (h, has_own_factor), work, &mut report);
        if outcome.is_none() {
            // The loop closures are now those of another pose, or invalid.
            work.counts = counts;
            crate::step::articulated::forget_factor(work);
        }
        outcome?;
        Some(report)
    }

    /// Takes a step under the forces of its start.
    fn step_with_forces(
        &mut self,
        model: &Model,
        state: &State,
        (h, mut has_own_factor): (f64, bool),
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Option<()> {
        let mut rate = LedgerRate::default();
        let mut has_wrenches = false;
        if self.has_forces || state.commands.is_some() || !self.efforts.is_empty() {
            let is_same;
            (has_wrenches, is_same) = self.begin_forces(model, state, h, work, &mut rate)?;
            has_own_factor &= is_same;
        }
        work.counts.factorizations += u64::from(!has_own_factor);
        if !has_own_factor && !self.factor(work) {
            return None;
        }
        if has_wrenches {
            self.add_wrenches(model, work)?;
        }
        self.regular_step(model, state, (h, has_own_factor), work, (&mut rate, report))
    }

    fn regular_step(
        &mut self,
        model: &Model,
        state: &State,
        (h, has_own_factor): (f64, bool),
        work: &mut Workspace,
        (rate, report): (&mut LedgerRate, &mut StepReport),
    ) -> Option<()> {
        let Workspace { solvers: Solvers { articulated: Some(articulated), .. }, counts, .. } = &mut *work
        else {
            return None;
        };
        if articulated.forest.least_pivot().sqrt() < euler::SINGULAR {
            return None;
        }
        self.loop_lanes.write_bias(&mut self.ground_loops);
        counts.solves += 2;
        let half_h_squared = 0.5 * h * h * if self.semi_implicit { -1.0 } else { 1.0 };
        if !self.solve_and_move(&articulated.forest, half_h_squared, h) {
            return None;
        }
        // Near its bound the residual of the scalar path decides. So it does without known joint
        // frames, since its formula is another then.
        let least = if has_own_factor { CERTIFIED_IN_LANES } else { CERTIFIED_BY_ELIMINATION };
        let residual = self.certify(&articulated.forest)?;
        if residual.is_nan() || residual > least {
            return None;
        }
        if !self.book_efforts(h, work, rate) {
            return None;
        }
        let (articulated, motions) = (work.solvers.articulated.as_ref()?, &work.kinematics.motions);
        for (force, moment) in
            [crate::step::articulated::weight(model, motions), self.ground_load(articulated, motions)]
        {
            rate.force += force;
            rate.moment += moment;
        }
        (work.equations.equation_residual, report.equation_residual) = (residual, residual);
        // Poses and velocities are written at the end.
        work.stages.next.q.resize(state.q.len(), 0.0);
        work.stages.next.v.resize(state.v.len(), 0.0);
        work.stages.next.copy_rest_from(state);
        work.stages.next.advance_time(h);
        crate::step::dynamics::ledger::book(&mut work.stages.next.ledger, h, rate);
        work.stages.next.forget_joints();
        let articulated = work.solvers.articulated.as_ref()?;
        // The rank plan is adopted as on the scalar path.
        if !articulated.loop_joints.is_empty() {
            work.solvers.plan.copy_from_slice(&state.plan);
        }
        let poses = euler::close_loops(&mut SubtreeLoops { subtree_lanes: self, work, report })?;
        let trees = self.correct_velocities(work)?;
        self.store(work);
        let (force, moment) = self.ground_load(work.solvers.articulated.as_ref()?, &work.kinematics.motions);
        work.stages.next.ledger.impulse += force;
        work.stages.next.ledger.angular_impulse += moment;
        euler::count_round(work, report);
        let rates = self.loop_lanes.measure_rates(&self.lane_nodes, self.now ^ 1);
        let measured = worst_of(&poses, &rates, &trees);
        let is_closed = measured.position_excess <= NOISE && measured.velocity_excess <= NOISE;
        if !(is_closed && (measured.position + measured.velocity + measured.velocity_size).is_finite()) {
            return None;
        }
        (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
        work.integrator.passes_singular_pose = false;
        if let Some(turns) = &self.turns {
            turns.follow(&self.lane_nodes, self.now ^ 1, h, &state.turns, &mut work.stages.next.turns);
            work.kinematics.turns_are_current = true;
        }
        Some(())
    }
}

/// Stands for the coordinates of the factor at hand while the factor belongs to this kernel. NaN
/// equals no pose.
const KERNEL_FACTOR: [f64; 1] = [f64::NAN];

impl<T: Simd4> StepKernel for SubtreeLanes<T> {
    fn step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
        if self.backoff.skips() {
            return None;
        }
        let outcome = self.try_step(model, state, h, work);
        self.backoff.note(outcome.is_some());
        let report = outcome?;
        self.steps += 1;
        self.now ^= 1;
        self.is_factored = true;
        self.q.clone_from(&work.stages.next.q);
        self.v.clone_from(&work.stages.next.v);
        // The scalar path must begin with a factor of its own.
        let articulated = work.solvers.articulated.as_mut()?;
        articulated.factored.clear();
        articulated.factored.extend_from_slice(&KERNEL_FACTOR);
        articulated.knows_pose = false;
        Some(report)
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn takes_forces(&self) -> bool {
        true
    }

    fn bytes(&self) -> usize {
        self.lane_nodes.capacity() * size_of::<LaneNode<T>>()
            + self.forest.bytes()
            + self.scalar_node_of.capacity() * size_of::<u32>()
            + self.lane_node_of.capacity() * size_of::<(u32, u32)>()
            + self.body_places.capacity() * size_of::<[[u32; 4]; 3]>()
            + self.external_loads.load_sums.capacity() * (size_of::<LoadSum<T>>() + size_of::<T>() + 1)
            + self.pending.capacity() * size_of::<LoadSum<T>>()
            + self.efforts.capacity() * size_of::<T>()
            + self.loop_lanes.bytes()
            + self.turns.as_ref().map_or(0, CountedHinges::bytes)
            + self.ground_loops.bytes()
            + (self.corrections.capacity() + self.displacements.capacity()) * size_of::<Six<T>>()
            + (self.q.capacity() + self.v.capacity()) * size_of::<f64>()
    }
}

/// Projection of the loop-closure joints, with the trees in lanes.
struct SubtreeLoops<'w, T: Simd4> {
    subtree_lanes: &'w mut SubtreeLanes<T>,
    work: &'w mut Workspace,
    report: &'w mut StepReport,
}

impl<T: Simd4> LoopProjection for SubtreeLoops<'_, T> {
    fn measure(&mut self) -> ConstraintErrors {
        let SubtreeLanes { lane_nodes, now, loop_lanes, .. } = &mut *self.subtree_lanes;
        loop_lanes.measure_poses(lane_nodes, *now ^ 1)
    }
    fn correct(&mut self, is_additional: bool) {
        self.work.counts.solves += 1;
        let Some(articulated) = &mut self.work.solvers.articulated else { return };
        let SubtreeLanes { forest, ground_loops, corrections, loop_lanes, .. } = &mut *self.subtree_lanes;
        loop_lanes.write_gap_bias(ground_loops);
        ground_loops.solve_biases(&articulated.forest);
        ground_loops.scatter_answers::<T, 1>(forest);
        T::run_vectorized(SubtreeShiftTask { forest, corrections, is_additional });
        euler::count_round(self.work, self.report);
    }
    fn predict_residual(&mut self) -> Option<f64> {
        let SubtreeLanes { lane_nodes, forest, now, displacements, loop_lanes, .. } =
            &mut *self.subtree_lanes;
        T::run_vectorized(SubtreeCarryTask { lane_nodes, next: (*now & 1) ^ 1, forest, displacements });
        Some(loop_lanes.predict_loop_errors(displacements))
    }
    fn advance(&mut self) -> bool {
        let SubtreeLanes { lane_nodes, now, corrections, .. } = &mut *self.subtree_lanes;
        let moving = MoveSweep {
            lane_nodes,
            now: *now & 1,
            h: T::ZERO,
            semi_implicit: false,
            floats: false,
            is_far: T::Mask::NONE,
            moment: Vec3::ZERO,
            mass: T::ZERO,
            layout: SameLane,
        };
        T::run_vectorized(SubtreeMoveTask(moving, corrections))
    }
}

/// True if both slices are equal bit by bit.
pub(crate) fn have_same_bits(a: &[f64], b: &[f64]) -> bool {
    let differ = |(a, b): (&f64, &f64)| a.to_bits() ^ b.to_bits();
    a.len() == b.len() && a.iter().zip(b).map(differ).fold(0, |all, x| all | x) == 0
}

/// Largest errors of the loop-closure joints (positions and velocities) and of the tree joints,
/// whose errors are squares.
fn worst_of<T: Simd>(
    poses: &ConstraintErrors,
    rates: &ConstraintErrors,
    trees: &LaneErrors<T>,
) -> ConstraintErrors {
    let ConstraintErrors { position, position_excess, position_size, .. } = *poses;
    let mut out = ConstraintErrors { position, position_excess, position_size, ..*rates }.squared();
    for lane in 0..T::LANES {
        out.position = larger(out.position, trees.position.lane(lane));
        out.velocity = larger(out.velocity, trees.velocity.lane(lane));
        out.position_excess = larger(out.position_excess, trees.position_excess.lane(lane));
        out.velocity_excess = larger(out.velocity_excess, trees.velocity_excess.lane(lane));
        out.velocity_size += trees.finite_check.lane(lane);
    }
    out.done()
}

/// One lane of a 3-vector.
#[inline(always)]
pub(crate) fn lane_vec<T: Simd>(v: &Vec3<T>, lane: usize) -> Vec3 {
    Vec3::new(v.x.at(lane), v.y.at(lane), v.z.at(lane))
}
/// One lane of a 6-vector.
#[inline(always)]
pub(crate) fn lane_six<T: Simd>(v: &Six<T>, lane: usize) -> Six {
    Six::new(lane_vec(&v.lin, lane), lane_vec(&v.ang, lane))
}

/// Sets one lane of a 6-vector.
#[inline(always)]
fn set_lane_six<T: Simd>(out: &mut Six<T>, lane: usize, v: &Six) {
    for (out, v) in [(&mut out.lin, v.lin), (&mut out.ang, v.ang)] {
        out.x.set_lane(lane, v.x);
        out.y.set_lane(lane, v.y);
        out.z.set_lane(lane, v.z);
    }
}

/// Moves the bodies under efforts along the freedoms of the nodes; there may be none.
struct MoveWithEfforts<'s, 'w, T: Simd> {
    moving: MoveSweep<'w, T>,
    efforts: &'s [T],
}

impl<T: Simd> TwoRhs<T> for MoveWithEfforts<'_, '_, T> {
    #[inline(always)]
    fn write_rhs(&mut self, at: usize, node: &mut Node<T>, node_extra: &mut NodeExtra<T>) {
        self.moving.write_rhs(at, node, node_extra);
        if let Some(effort) = self.efforts.get(at) {
            node.effort = *effort;
        }
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six<T>, predicted: &Six<T>) {
        self.moving.answer(at, x, predicted);
    }
}

/// Factors at the present poses.
struct SubtreeFactorTask<'s, T: Simd> {
    lane_nodes: &'s mut [LaneNode<T>],
    now: usize,
    gravity: Vec3<T>,
    forest: &'s mut ArticulatedForest<T>,
}
impl<T: Simd> Task for SubtreeFactorTask<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let SubtreeFactorTask { lane_nodes, now, gravity, forest } = self;
        write_frames(lane_nodes, now, gravity, &SameLane);
        let (acc, finite_check) = (&mut [][..], Six::ZERO);
        forest
            .factor(&mut LaneFill::<T, false> {
                lane_nodes,
                now,
                gravity,
                efforts: (&[], &mut []),
                acc,
                finite_check,
                layout: SameLane,
            })
            .is_ok()
    }
}

/// Factors at the new poses, with the velocity errors as right-hand side.
struct SubtreeVelocityFactorTask<'s, T: Simd> {
    lane_nodes: &'s [LaneNode<T>],
    now: usize,
    forest: &'s mut ArticulatedForest<T>,
}
impl<T: Simd> Task for SubtreeVelocityFactorTask<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        self.forest
            .factor(&mut LaneVelocityFill {
                lane_nodes: self.lane_nodes,
                now: self.now,
                certifier: (),
                layout: SameLane,
            })
            .is_ok()
    }
}

/// Writes coordinates, velocities and motions of all bodies.
struct SubtreeStoreTask<'s, T: Simd4> {
    lane_nodes: &'s [LaneNode<T>],
    body_places: &'s [[[u32; 4]; 3]],
    next: usize,
    to: &'s mut State,
    motions: &'s mut [Motion],
}
impl<T: Simd4> Task for SubtreeStoreTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let SubtreeStoreTask { lane_nodes, body_places, next, to: State { q, v, .. }, motions } = self;
        write_bodies_at(lane_nodes, body_places.iter().copied(), next, (q, v), motions);
    }
}

/// Corrects the velocities and measures the tree joints.
struct SubtreeCorrectionTask<'s, T: Simd> {
    lane_nodes: &'s mut [LaneNode<T>],
    next: usize,
    gravity: Vec3<T>,
    forest: &'s mut ArticulatedForest<T>,
    out: &'s mut LaneErrors<T>,
}
impl<T: Simd> Task for SubtreeCorrectionTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let SubtreeCorrectionTask { lane_nodes, next, gravity, forest, out } = self;
        // Turns are counted for all joints together, later.
        let counting = TurnCounting { hinges: &[], before: &[], after: &mut [] };
        forest.backward::<ROOT_LOADS>(CorrectionSweep::new(
            lane_nodes,
            next,
            (gravity, T::ZERO),
            counting,
            out,
            SameLane,
        ));
    }
}

/// First half of the solve for accelerations and drift prediction: leaves to roots.
struct SubtreeForwardTask<'s, 'e, 'w, T: Simd>(
    &'s mut ArticulatedForest<T>,
    T,
    &'s mut MoveWithEfforts<'e, 'w, T>,
);
impl<T: Simd> Task for SubtreeForwardTask<'_, '_, '_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.forward_two_rhs(self.1, self.2);
    }
}

/// Second half of the solve for accelerations and drift prediction: roots to leaves.
struct SubtreeBackwardTask<'s, 'e, 'w, T: Simd>(
    &'s mut ArticulatedForest<T>,
    T,
    &'s mut MoveWithEfforts<'e, 'w, T>,
);
impl<T: Simd> Task for SubtreeBackwardTask<'_, '_, '_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.backward_two_rhs(self.1, self.2);
    }
}

/// Computes the residual of the equations.
struct SubtreeResidualTask<'s, T: Simd> {
    lane_nodes: &'s [LaneNode<T>],
    now: usize,
    forest: &'s mut ArticulatedForest<T>,
    pending: &'s mut [LoadSum<T>],
    external_loads: &'s mut LoopEndLoads<T>,
}

/// Residual of the equations, squared, and the largest acceleration.
struct SubtreeResidual<T> {
    worst: T,
    largest: T,
}

impl<T: Simd> Task for SubtreeResidualTask<'_, T> {
    type Output = SubtreeResidual<T>;
    #[inline(always)]
    fn run(self) -> SubtreeResidual<T> {
        let SubtreeResidualTask { lane_nodes, now, forest, pending, external_loads } = self;
        let mut largest = T::ZERO;
        for node in forest.nodes() {
            let Six { lin, ang } = &node.x;
            for x in [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z] {
                largest = T::select(x.abs().above(largest), x.abs(), largest);
            }
        }
        let mut certifier = SweepCertifier::new(pending, external_loads);
        let results = forest.results_mut();
        for (at, load) in results.loads.iter_mut().enumerate() {
            let joint = lane_nodes[at].topology.joint;
            let node = (&results.nodes[at], results.extra.of(at));
            *load = certifier.certify_node::<true>((lane_nodes, now), at, joint, node, &SameLane);
        }
        SubtreeResidual { worst: certifier.worst.0, largest }
    }
}

/// Displacements of a correction of loop-closure joints.
struct SubtreeShiftTask<'s, T: Simd> {
    forest: &'s mut ArticulatedForest<T>,
    corrections: &'s mut [Six<T>],
    is_additional: bool,
}
impl<T: Simd> Task for SubtreeShiftTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let SubtreeShiftTask { forest, corrections, is_additional } = self;
        forest.solve_closures(|_: usize, _: &Six<T>| {});
        for (shift, node) in corrections.iter_mut().zip(forest.nodes()) {
            *shift = if is_additional { *shift + node.x } else { node.x };
        }
    }
}

/// Displacements of all bodies with the tree joints kept closed.
struct SubtreeCarryTask<'s, T: Simd> {
    lane_nodes: &'s [LaneNode<T>],
    next: usize,
    forest: &'s ArticulatedForest<T>,
    displacements: &'s mut [Six<T>],
}
impl<T: Simd> Task for SubtreeCarryTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let SubtreeCarryTask { lane_nodes, next, forest, displacements } = self;
        for at in (0..displacements.len()).rev() {
            let LaneNode { topology, frames, .. } = &lane_nodes[at];
            let parent = displacements.get(topology.parent as usize).copied().unwrap_or(Six::ZERO);
            displacements[at] =
                carried_displacement(topology.joint, &frames[next & 1], &parent, forest.nodes()[at].x.ang);
        }
    }
}

/// Moves the new poses by displacements, and closes the tree joints. False if closing moved a body
/// by more than the bound.
struct SubtreeMoveTask<'s, T: Simd>(MoveSweep<'s, T>, &'s [Six<T>]);
impl<T: Simd> Task for SubtreeMoveTask<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let SubtreeMoveTask(mut moving, corrections) = self;
        let next = (moving.now & 1) ^ 1;
        for (at, shift) in corrections.iter().enumerate().rev() {
            let Motion { pos, rot, vel, omega, .. } = moving.lane_nodes[at].motion[next];
            moving.place_moved(at, (pos + shift.lin, rotated_by(shift.ang, rot)), (vel, omega));
        }
        !moving.is_far.any()
    }
}
