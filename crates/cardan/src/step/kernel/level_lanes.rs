//! Euler steps with the bodies of one tree in SIMD lanes, by level scheduling.
//!
//! Four bodies of which none is an ancestor of another share a register, wherever in the tree they
//! are (as in `level_accel.rs`). The sweeps are those of `sweep/mod.rs`. They reach the parent of a
//! body through [`Layout`]; here the parent may be in any node and lane, and its data are gathered.
//! Poses and velocities of all bodies are stored as rows of numbers; each lane node scatters its
//! own rows and gathers those of its parents and children.
//!
//! Sums over bodies are formed body by body, so that a step has the bits of the scalar path. Only
//! the residual of the equations may differ in its last digits. Steps that need more than these
//! sweeps are taken on the scalar path.
//!
//! Steps on joint coordinates use the sweeps of `sweep/reduced.rs`.
//!
//! This file is one kernel and longer than 600 lines: the data layouts that share the sweeps are to
//! be merged first, then it is split.

use crate::body::{BodyKind, Motion};
use crate::math::{Mat3, Quat, Six, Vec3, larger};
use crate::model::Model;
use crate::settings::{Coordinates, Integrator, Settings};
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::fill::BodyNode;
use crate::step::articulated::joint_frames::SquaredSizes;
use crate::step::articulated::residual::{LoadSum, WorstResidual};
use crate::step::articulated::tree_joint::{HingeOrBall, TreeJoint};
use crate::step::dynamics::joint_efforts::initial_inertias;
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::kernel::level_accel::LevelPlan;
use crate::step::kernel::subtree_lanes::{RetryBackoff, StepKernel, have_same_bits, lane_six, lane_vec};
use crate::step::kernel::sweep::efforts::{EffortEnergy, LaneEfforts};
use crate::step::kernel::sweep::reduced::{
    ByRef, PlacedNode, ReducedFill, ReducedJoint, ReducedMoveSweep, refresh_floating,
};
use crate::step::kernel::sweep::{
    CorrectionSweep, LaneErrors, LaneFill, LaneNode, LaneVelocityFill, Layout, MoveSweep, NodeCertifier,
    NodeParams, NodeTopology, TurnCounting, certifies, node_residual, suits_lanes, write_frames,
};
use crate::step::project::euler;
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step::workspace::{Kinematics, Solvers, StageBuffers};
use crate::tolerances::{CERTIFIED_BY_ELIMINATION, CERTIFIED_IN_LANES, NOISE};
use cardan_solve::Task;
use cardan_solve::articulated::level_schedule::{ParentLink, SOLUTION_LEN, ScheduledForest};
use cardan_solve::articulated::{Node, NodeExtra, ROOT_LOADS};
use cardan_solve::simd::{Mask, Simd, Simd4, Simd4Task, has_fast_lanes, run_simd4_avx2};
use std::ops::Deref;

/// Cost of a lane node of four bodies, in tenths of the cost of one body on the scalar path.
const LANE_COST_TENTHS: usize = 15;

/// Step kernel with the bodies of a mechanism in lanes. `None` if too few of them can share
/// registers, or without AVX2.
pub(crate) fn level_kernel(
    model: &Model,
    settings: &Settings,
    articulated: &ArticulatedSystem,
) -> Option<Box<dyn StepKernel>> {
    if !has_fast_lanes() {
        return None;
    }
    let is_hinge_or_ball = |body_node: &BodyNode| {
        body_node.kind == BodyKind::Rigid
            && body_node.tree_joint.as_ref().is_none_or(TreeJoint::is_hinge_or_ball)
    };
    let is_simple = suits_lanes(model, settings)
        && articulated.is_small
        && articulated.closes_forest
        && articulated.loop_joints.is_empty()
        && articulated.body_nodes.iter().all(is_hinge_or_ball);
    if !is_simple {
        return None;
    }
    let level_plan = LevelPlan::new(model, articulated);
    if LANE_COST_TENTHS * level_plan.schedule.lane_nodes.len() > 10 * articulated.body_nodes.len() {
        return None;
    }
    run_simd4_avx2(MakeLevelLanes(&level_plan, settings))
}

/// Makes the kernel for the SIMD type of the machine.
struct MakeLevelLanes<'m>(&'m LevelPlan<'m>, &'m Settings);

impl Simd4Task for MakeLevelLanes<'_> {
    type Output = Box<dyn StepKernel>;
    fn run<T: Simd4>(self) -> Self::Output {
        Box::new(LevelLanes::<T>::new(self.0, self.1))
    }
}

/// Addresses of the rows of a lane node's bodies, and of their parents and children.
#[derive(Clone, Debug)]
struct NodeAddresses {
    own: [u32; 4],
    parents: [u32; 4],
    children: Vec<[u32; 4]>,
    /// Start of its bodies' coordinates and velocities in the state.
    q: [u32; 4],
    v: [u32; 4],
    bodies: [u32; 4],
    has_children: bool,
}

/// Numbers of all bodies, one row per body; the last row is the ground.
#[derive(Debug)]
struct BodyRows {
    /// Positions and rotation matrices, double buffered.
    poses: [Vec<f64>; 2],
    /// Velocities, and accelerations v̇.
    rates: Vec<f64>,
    /// Loads that bodies pass to their parents in the residual. The last row is −0.0, the neutral
    /// element of addition.
    load_sums: Vec<f64>,
    /// Displacements that put floating trees back to their centres of mass.
    recentring: Vec<f64>,
    /// Orientations, double buffered; only for steps on joint coordinates.
    rots: [Vec<f64>; 2],
}

impl BodyRows {
    fn new(count: usize, is_reduced: bool) -> Self {
        let ground = count * SOLUTION_LEN;
        let mut pose = vec![0.0; ground + SOLUTION_LEN];
        // Axes of the ground, after its position.
        for k in 0..3 {
            pose[ground + 3 + 4 * k] = 1.0;
        }
        let mut load_sums = vec![0.0; ground + SOLUTION_LEN];
        load_sums[ground..].fill(-0.0);
        let mut rot = vec![0.0; if is_reduced { ground + SOLUTION_LEN } else { 0 }];
        if let Some(w) = rot.get_mut(ground) {
            *w = 1.0;
        }
        BodyRows {
            rots: [rot.clone(), rot],
            poses: [pose.clone(), pose],
            rates: vec![0.0; ground + SOLUTION_LEN],
            load_sums,
            recentring: vec![0.0; ground],
        }
    }
    fn bytes(&self) -> usize {
        let both = |[a, b]: &[Vec<f64>; 2]| a.capacity() + b.capacity();
        let numbers =
            both(&self.poses) + both(&self.rots) + self.rates.capacity() + self.load_sums.capacity();
        (numbers + self.recentring.capacity()) * size_of::<f64>()
    }
}

/// Step kernel with the bodies of one tree in lanes.
#[derive(Debug)]
struct LevelLanes<T: Simd4> {
    /// Nodes in elimination order; the last entry is the ground.
    lane_nodes: Vec<LaneNode<T>>,
    /// Joint coordinates of the nodes; empty if the state consists of body poses.
    reduced_joints: Vec<ReducedJoint<T>>,
    /// Efforts and limits of hinges, with the inertias that decide which springs are implicit; only for steps on joint
    /// coordinates.
    efforts: Option<(LaneEfforts<T>, Vec<T>)>,
    /// Whether steps are certified: the residual of their equations is computed.
    certifies: bool,
    /// Whether the last step on joint coordinates ended with the elimination that the next one begins with.
    eliminates_ahead: bool,
    /// Index (0 or 1) of the buffer that has the present state.
    now: usize,
    scheduled: ScheduledForest<T>,
    addresses_of: Vec<NodeAddresses>,
    rows: BodyRows,
    gravity: Vec3<T>,
    semi_implicit: bool,
    /// Lane node and lane of every node of the tree.
    lane_node_of: Vec<(u32, u32)>,
    /// First node and root of every floating tree.
    floating: Vec<(u32, u32)>,
    /// Counted turns, and the body whose joint has them; only for steps on joint coordinates.
    turns: Vec<(u32, u32)>,
    /// Mass times closing displacement; loads of joints on the ground.
    moved: Vec<Vec3<T>>,
    loads: Vec<Six<T>>,
    /// Coordinates and velocities of the factor at hand, if there is one.
    q: Vec<f64>,
    v: Vec<f64>,
    is_factored: bool,
    backoff: RetryBackoff,
    steps: u64,
}

/// Efforts of the hinges of a mechanism by lane node, and the inertias that decide which springs are implicit.
fn level_efforts<T: Simd4>(level_plan: &LevelPlan<'_>) -> (LaneEfforts<T>, Vec<T>) {
    let LevelPlan { model, articulated, schedule, .. } = level_plan;
    let mut efforts = LaneEfforts::new(schedule.lane_nodes.len(), true);
    for (at, lanes) in schedule.lane_nodes.iter().enumerate() {
        for (lane, &node) in lanes.iter().enumerate() {
            let is_hinge = |joint: &TreeJoint| joint.hinge_or_ball().is_hinge;
            let joint =
                articulated.body_nodes[node as usize].tree_joint.as_ref().filter(|joint| is_hinge(joint));
            if let Some(joint) = joint {
                let body = articulated.body_nodes[node as usize].body;
                efforts.add_hinge((at, lane), (0, body), model, joint.index as usize);
            }
        }
    }
    let inertias = match efforts.has_springs() {
        true => initial_inertias(model, &mut (*articulated).clone()),
        false => vec![0.0; articulated.body_nodes.len()],
    };
    let of = |lanes: &[u32; 4]| T::from_lanes(|lane| inertias[lanes[lane] as usize]);
    (efforts, schedule.lane_nodes.iter().map(of).collect())
}

/// Layout in which the data of parents are gathered from any node and lane.
struct Gathered<'k, T: Simd> {
    addresses_of: &'k [NodeAddresses],
    poses: [&'k mut [f64]; 2],
    rates: &'k mut [f64],
    /// Mass times closing displacement, if requested.
    moved: Option<&'k mut [Vec3<T>]>,
    /// Orientations, for steps on joint coordinates.
    rots: Option<[&'k mut [f64]; 2]>,
}

/// A value behind the interface of a reference.
#[derive(Copy, Clone)]
struct ByValue<X>(X);
impl<X> Deref for ByValue<X> {
    type Target = X;
    #[inline(always)]
    fn deref(&self) -> &X {
        &self.0
    }
}

impl<T: Simd4> Layout<T> for Gathered<'_, T> {
    #[inline(always)]
    fn parent_motion<'s>(
        &'s self,
        _: &'s [LaneNode<T>],
        at: usize,
        buffer: usize,
    ) -> impl Deref<Target = Motion<T>> + Copy + 's {
        let parents = self.addresses_of[at].parents;
        let [x, y, z, xx, xy, xz, yx, yy, yz, zx, zy, zz] =
            T::gather::<SOLUTION_LEN>(self.poses[buffer & 1], parents);
        let [vx, vy, vz, wx, wy, wz] = T::gather::<6>(self.rates, parents);
        // Nothing else reads it.
        let mut rot = Quat::IDENTITY;
        if let Some(rots) = &self.rots {
            let [w, x, y, z] = T::gather::<4>(rots[buffer & 1], parents);
            rot = Quat { w, v: Vec3::new(x, y, z) };
        }
        ByValue(Motion {
            pos: Vec3::new(x, y, z),
            rot,
            axes: Mat3 { x: Vec3::new(xx, xy, xz), y: Vec3::new(yx, yy, yz), z: Vec3::new(zx, zy, zz) },
            vel: Vec3::new(vx, vy, vz),
            omega: Vec3::new(wx, wy, wz),
        })
    }
    #[inline(always)]
    fn parent_acceleration<'s>(
        &'s self,
        _: &'s [LaneNode<T>],
        at: usize,
    ) -> impl Deref<Target = Six<T>> + Copy + 's {
        let [a, b, c, d] = self.addresses_of[at].parents;
        ByValue(six(T::gather::<6>(self.rates, [a + 6, b + 6, c + 6, d + 6])))
    }
    #[inline(always)]
    fn parent_sizes(&self, _: &[LaneNode<T>], _: usize, motion: &Motion<T>) -> SquaredSizes<T> {
        SquaredSizes::of(motion)
    }
    #[inline(always)]
    fn store_acceleration(&mut self, lane_node: &LaneNode<T>, at: usize) {
        let addresses = &self.addresses_of[at];
        if addresses.has_children {
            let Six { lin, ang } = &lane_node.x;
            let [a, b, c, d] = addresses.own;
            let x = [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z];
            T::scatter(x, self.rates, [a + 6, b + 6, c + 6, d + 6]);
        }
    }
    #[inline(always)]
    fn store_pose(&mut self, lane_node: &LaneNode<T>, at: usize, buffer: usize, by: Vec3<T>) {
        let addresses = &self.addresses_of[at];
        if let Some(moved) = &mut self.moved {
            moved[at] = by * lane_node.params.mass;
        }
        if addresses.has_children {
            let Motion { pos, rot, axes: Mat3 { x, y, z }, vel, omega } = &lane_node.motion[buffer & 1];
            if let Some(rots) = &mut self.rots {
                T::scatter([rot.w, rot.v.x, rot.v.y, rot.v.z], rots[buffer & 1], addresses.own);
            }
            let pose = [pos.x, pos.y, pos.z, x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z];
            T::scatter(pose, self.poses[buffer & 1], addresses.own);
            let Six { lin, ang } = &lane_node.x;
            let rates =
                [vel.x, vel.y, vel.z, omega.x, omega.y, omega.z, lin.x, lin.y, lin.z, ang.x, ang.y, ang.z];
            T::scatter(rates, self.rates, addresses.own);
        }
    }
    #[inline(always)]
    fn store_velocity(&mut self, lane_node: &LaneNode<T>, at: usize, buffer: usize) {
        let addresses = &self.addresses_of[at];
        if addresses.has_children {
            let Motion { vel, omega, .. } = &lane_node.motion[buffer & 1];
            T::scatter([vel.x, vel.y, vel.z, omega.x, omega.y, omega.z], self.rates, addresses.own);
        }
    }
}

#[inline(always)]
fn six<T: Simd>([a, b, c, d, e, f]: [T; 6]) -> Six<T> {
    Six::new(Vec3::new(a, b, c), Vec3::new(d, e, f))
}

/// Residual of the equations along a sweep from leaves to roots, with gathered loads.
struct LevelCertifier<'w, T: Simd> {
    addresses_of: &'w [NodeAddresses],
    load_sums: &'w mut [f64],
    loads: &'w mut [Six<T>],
    worst: WorstResidual<T>,
}

impl<T: Simd4> NodeCertifier<T> for LevelCertifier<'_, T> {
    #[inline(always)]
    fn certify_node<const HAS_JOINT: bool>(
        &mut self,
        lane_nodes: (&[LaneNode<T>], usize),
        at: usize,
        joint: HingeOrBall,
        (node, node_extra): (&Node<T>, &NodeExtra<T>),
        layout: &impl Layout<T>,
    ) -> Six<T> {
        let addresses = &self.addresses_of[at];
        let mut load_sum = LoadSum::default();
        if addresses.has_children {
            let [a, b, c, d, e, f, forces, moments] =
                T::gather_sums::<8>(self.load_sums, &addresses.children);
            load_sum.add(&LoadSum { sum: six([a, b, c, d, e, f]), forces, moments });
        }
        let (load, _, on) = node_residual::<T, HAS_JOINT>(
            lane_nodes,
            at,
            joint,
            (node, node_extra),
            (layout, load_sum),
            &mut self.worst,
        );
        if node.parent().is_some() {
            let Six { lin, ang } = on.sum;
            let numbers = [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z, on.forces, on.moments];
            T::scatter(numbers, self.load_sums, addresses.own);
        } else {
            self.loads[at] = load;
        }
        load
    }
}

impl<T: Simd4> LevelLanes<T> {
    fn new(level_plan: &LevelPlan<'_>, settings: &Settings) -> Self {
        let body_nodes = &level_plan.articulated.body_nodes;
        let scheduled: ScheduledForest<T> =
            ScheduledForest::new(&level_plan.parents, &level_plan.kinds, &level_plan.schedule);
        let count = level_plan.schedule.lane_nodes.len();
        let is_reduced = settings.coordinates == Coordinates::Joints;
        let mut reduced_joints = Vec::new();
        let mut lane_nodes = Vec::with_capacity(count + 1);
        let mut addresses_of = Vec::with_capacity(count);
        let mut lane_node_of = vec![(0, 0); body_nodes.len()];
        for (at, lanes) in level_plan.schedule.lane_nodes.iter().enumerate() {
            let of = |lane: usize| &body_nodes[lanes[lane] as usize];
            // Parents are reached through their rows.
            let topology = NodeTopology { body: 0, ..NodeTopology::of(of(0), count as u32) };
            if is_reduced {
                let joint = |lane: usize| level_plan.articulated.forest.at(lanes[lane] as usize).1;
                let joint = |lane: usize| level_plan.model.joints.get(joint(lane)?.0 as usize);
                reduced_joints.push(ReducedJoint::of(&topology, joint));
            }
            lane_nodes.push(LaneNode::new(topology, NodeParams::of(of)));
            for (lane, &body_node) in (0u32..).zip(lanes) {
                lane_node_of[body_node as usize] = (at as u32, lane);
            }
            let (own, parents) = scheduled.offsets(at);
            addresses_of.push(NodeAddresses {
                own,
                parents,
                children: scheduled.children(at).collect(),
                q: std::array::from_fn(|lane| of(lane).q_at),
                v: std::array::from_fn(|lane| of(lane).v_at),
                bodies: std::array::from_fn(|lane| of(lane).body),
                has_children: scheduled.nodes()[at].has_children(),
            });
        }
        lane_nodes.push(LaneNode::new(NodeTopology::default(), NodeParams::default()));
        let (mut floating, mut first) = (Vec::new(), 0);
        for (at, parent) in level_plan.parents.iter().enumerate() {
            if parent.is_none() {
                if level_plan.kinds[at].parent_link == ParentLink::Floating {
                    floating.push((first, at as u32));
                }
                first = at as u32 + 1;
            }
        }
        let g = level_plan.model.gravity;
        let turn = |(at, body_node): (usize, &BodyNode)| {
            let joint = &level_plan.model.joints[level_plan.articulated.forest.at(at).1?.0 as usize];
            Some((joint.turns_at().first().copied()?? as u32, body_node.body))
        };
        let turns = body_nodes.iter().enumerate().filter_map(turn).filter(|_| is_reduced).collect();
        let has_efforts = level_plan.model.has_forces() || level_plan.model.has_armature();
        let efforts = (is_reduced && has_efforts).then(|| level_efforts(level_plan));
        LevelLanes {
            efforts,
            certifies: certifies(settings, level_plan.articulated) || !is_reduced,
            eliminates_ahead: false,
            turns,
            now: 0,
            rows: BodyRows::new(body_nodes.len(), is_reduced),
            reduced_joints,
            gravity: Vec3::new(T::splat(g.x), T::splat(g.y), T::splat(g.z)),
            semi_implicit: settings.integrator == Integrator::SemiImplicitEuler,
            moved: vec![Vec3::ZERO; if floating.is_empty() { 0 } else { count }],
            loads: vec![Six::ZERO; count],
            q: Vec::with_capacity(level_plan.model.q_len),
            v: Vec::with_capacity(level_plan.model.v_len),
            is_factored: false,
            backoff: RetryBackoff::default(),
            steps: 0,
            lane_nodes,
            scheduled,
            addresses_of,
            lane_node_of,
            floating,
        }
    }

    /// Shifts floating trees back, so that their centres of mass stay. The closing displacements
    /// are summed body by body.
    fn keep_centres(&mut self, body_nodes: &[BodyNode]) {
        let LevelLanes { floating, rows, moved, lane_node_of, now, .. } = self;
        let BodyRows { poses, recentring, .. } = rows;
        let next = (*now & 1) ^ 1;
        for &(first, root) in &*floating {
            let (mut moment, mut mass) = (Vec3::ZERO, 0.0);
            for at in (first as usize..=root as usize).rev() {
                let (lane_node, lane) = lane_node_of[at];
                moment += lane_vec(&moved[lane_node as usize], lane as usize);
                mass += body_nodes[at].mass;
            }
            let back = moment / mass;
            for at in first as usize..=root as usize {
                recentring[at * SOLUTION_LEN..][..3].copy_from_slice(&back.to_array());
                let pos = &mut poses[next][at * SOLUTION_LEN..][..3];
                pos.iter_mut().zip(back.to_array()).for_each(|(x, back)| *x -= back);
            }
        }
    }

    /// Force of the ground and its moment about the origin, from the joint loads and the bodies in
    /// a buffer.
    fn ground_load(&self, articulated: &ArticulatedSystem, loads: &[Six<T>], buffer: usize) -> (Vec3, Vec3) {
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for &at in &articulated.on_ground {
            let (lane_node, lane) = self.lane_node_of[at as usize];
            let (lane_node, lane) = (lane_node as usize, lane as usize);
            let load = lane_six(&loads[lane_node], lane);
            force += load.lin;
            moment +=
                lane_vec(&self.lane_nodes[lane_node].motion[buffer & 1].pos, lane).cross(load.lin) + load.ang;
        }
        (force, moment)
    }

    /// Takes a step if the state allows it; `None` otherwise.
    fn try_step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
        if !state.assembled || state.still {
            return None;
        }
        let counts = work.counts;
        let report = match self.reduced_joints.is_empty() {
            true => self.regular_step(model, state, h, work),
            false => self.reduced_step(model, state, h, work),
        };
        if report.is_none() {
            work.counts = counts;
            self.is_factored = false;
        }
        report
    }

    /// Takes a step on body poses.
    fn regular_step(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        work: &mut Workspace,
    ) -> Option<StepReport> {
        let Workspace {
            solvers: Solvers { articulated: Some(articulated), .. },
            kinematics: Kinematics { motions, .. },
            stages: StageBuffers { next: to, .. },
            counts,
            ..
        } = &mut *work
        else {
            return None;
        };
        let has_own_factor = core::mem::take(&mut self.is_factored)
            && have_same_bits(&self.q, &state.q)
            && have_same_bits(&self.v, &state.v);
        if !has_own_factor {
            counts.factorizations += 1;
            if !T::run_vectorized(LevelFactorTask { level_lanes: self, state }) {
                return None;
            }
        }
        counts.solves += 2;
        if !T::run_vectorized(LevelMoveTask { level_lanes: self, h }) {
            return None;
        }
        if !self.floating.is_empty() {
            self.keep_centres(&articulated.body_nodes);
            T::run_vectorized(LevelRecentreTask(self));
        }
        let residual = T::run_vectorized(LevelResidualFactorTask(self))?;
        // Near its bound the residual of the scalar path decides. So it does without known joint
        // frames, since its formula is another then.
        if residual.is_nan()
            || residual > if has_own_factor { CERTIFIED_IN_LANES } else { CERTIFIED_BY_ELIMINATION }
        {
            return None;
        }
        let mut rate = LedgerRate::default();
        for (force, moment) in
            [weight(model, positions_of(state)), self.ground_load(articulated, &self.loads, self.now)]
        {
            rate.force += force;
            rate.moment += moment;
        }
        counts.factorizations += 1;
        counts.solves += 1;
        to.copy_from(state);
        to.advance_time(h);
        crate::step::dynamics::ledger::book(&mut to.ledger, h, &rate);
        to.forget_joints();
        let measured =
            T::run_vectorized(LevelCorrectionTask { level_lanes: self, q: &mut to.q, v: &mut to.v, motions });
        let (force, moment) = self.ground_load(articulated, self.scheduled.loads(), self.now ^ 1);
        to.ledger.impulse += force;
        to.ledger.angular_impulse += moment;
        let mut report = report(h, &measured, residual)?;
        work.equations.equation_residual = residual;
        euler::count_round(work, &mut report);
        work.integrator.passes_singular_pose = false;
        Some(report)
    }

    /// Takes a step on joint coordinates.
    fn reduced_step(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        work: &mut Workspace,
    ) -> Option<StepReport> {
        let Workspace {
            solvers: Solvers { articulated: Some(articulated), .. },
            kinematics: Kinematics { motions, .. },
            stages: StageBuffers { next: to, .. },
            counts,
            ..
        } = &mut *work
        else {
            return None;
        };
        if state.commands.is_some() && self.efforts.is_none() {
            return None;
        }
        let has_poses = core::mem::take(&mut self.is_factored)
            && have_same_bits(&self.q, &state.joint_q)
            && have_same_bits(&self.v, &state.joint_v);
        let mut has_own_factor = has_poses && self.eliminates_ahead;
        let mut has_new_efforts = false;
        if let Some((efforts, inertias)) = &mut self.efforts {
            has_own_factor &= !efforts.limits.set_held(0, state, &mut efforts.nodes);
            let fits = efforts.limits.is_known(0)
                && (0..T::LANES).all(|lane| efforts.prepare(lane, state.time + h, state.commands.as_deref()));
            has_new_efforts = efforts.take_changes();
            has_own_factor &= !(has_new_efforts | efforts.set_step(h, inertias));
            if !fits {
                return None;
            }
        }
        // As for mechanisms in lanes.
        self.eliminates_ahead = self.certifies && !has_new_efforts;
        if !has_own_factor {
            counts.factorizations += 1;
            if !T::run_vectorized(LevelBeginTask { level_lanes: self, state, h, has_poses }) {
                return None;
            }
        }
        let (measured, is_far) = T::run_vectorized(LevelMoveReducedTask { level_lanes: self, h });
        if is_far {
            return None;
        }
        // From the solve, so that the ledger has the same bits with a certificate and without.
        let ground = self.ground_load(articulated, self.scheduled.loads(), self.now);
        let mut residual = 0.0;
        if self.eliminates_ahead {
            residual = T::run_vectorized(LevelResidualEliminateTask(self, h))?;
            counts.factorizations += 1;
        } else if self.certifies {
            residual = T::run_vectorized(LevelResidualTask(self));
        }
        // Near its bound the residual of the scalar path decides.
        if residual.is_nan() || residual > CERTIFIED_IN_LANES {
            return None;
        }
        let report = report(h, &measured, residual)?;
        counts.solves += 1;
        let weight = self.weight_here(model, &articulated.node_of_body);
        let mut rate = LedgerRate::default();
        for (force, moment) in [weight, ground] {
            rate.force += force;
            rate.moment += moment;
        }
        to.copy_from(state);
        to.advance_time(h);
        crate::step::dynamics::ledger::book(&mut to.ledger, h, &rate);
        if let Some(EffortEnergy { work, heat, integration_loss }) = self.effort_energy() {
            to.ledger.work += work;
            to.ledger.dissipated += heat;
            to.ledger.integration_loss += integration_loss;
        }
        T::run_vectorized(LevelWriteTask { level_lanes: self, to, motions });
        if let Some((efforts, _)) = &self.efforts {
            efforts.limits.store_forces(0, true, to);
        }
        for &(at, body) in &self.turns {
            to.turns[at as usize] = to.joint_q[7 * body as usize];
        }
        work.kinematics.turns_are_current = true;
        let residual = if self.certifies { residual } else { f64::NAN };
        work.equations.equation_residual = residual;
        work.integrator.passes_singular_pose = false;
        Some(StepReport { equation_residual: residual, ..report })
    }

    /// Energy of efforts in the last step, summed as on the scalar path.
    fn effort_energy(&self) -> Option<EffortEnergy<f64>> {
        let (efforts, _) = self.efforts.as_ref()?;
        let mut sum = EffortEnergy::default();
        for &(lane_node, lane) in self.lane_node_of.iter().rev() {
            let (spent, lane) = (&efforts.energies[lane_node as usize], lane as usize);
            sum.add(&EffortEnergy {
                work: spent.work.lane(lane),
                heat: spent.heat.lane(lane),
                integration_loss: spent.integration_loss.lane(lane),
            });
        }
        Some(sum)
    }

    /// [`weight`] of bodies at the poses of their joint coordinates.
    fn weight_here(&self, model: &Model, node_of_body: &[u32]) -> (Vec3, Vec3) {
        let pos = |body: usize| {
            let (lane_node, lane) = self.lane_node_of[node_of_body[body] as usize];
            lane_vec(&self.lane_nodes[lane_node as usize].motion[self.now & 1].pos, lane as usize)
        };
        weight(model, (0..model.bodies.len()).map(pos))
    }
}

/// Report of a step, if all joints are closed and all numbers finite. Errors are squares.
fn report<T: Simd>(h: f64, measured: &LaneErrors<T>, residual: f64) -> Option<StepReport> {
    let mut worst = [0.0; 4];
    let mut lost = 0.0;
    for lane in 0..T::LANES {
        let LaneErrors { position, velocity, position_excess, velocity_excess, finite_check } = measured;
        let all = [position, velocity, position_excess, velocity_excess];
        for (worst, x) in worst.iter_mut().zip(all) {
            *worst = larger(*worst, x.lane(lane));
        }
        lost += finite_check.lane(lane);
    }
    let [position, velocity, position_excess, velocity_excess] = worst.map(f64::sqrt);
    let is_closed = position_excess <= NOISE && velocity_excess <= NOISE;
    (is_closed && (position + velocity + lost).is_finite()).then(|| StepReport {
        size: h,
        steps: 1,
        equation_residual: residual,
        position_error: position,
        velocity_error: velocity,
        ..StepReport::default()
    })
}

/// Positions of the bodies of a state, all of them rigid.
fn positions_of(state: &State) -> impl Iterator<Item = Vec3> + '_ {
    state.q.as_chunks::<7>().0.iter().map(|q| Vec3::new(q[0], q[1], q[2]))
}

/// Total weight and its moment about the origin, summed body by body; all bodies are rigid.
fn weight(model: &Model, positions: impl Iterator<Item = Vec3>) -> (Vec3, Vec3) {
    let (mut mass, mut moment) = (0.0, Vec3::ZERO);
    for (body, pos) in model.bodies.iter().zip(positions) {
        mass += body.mass.mass;
        moment += pos * body.mass.mass;
    }
    // The formula of the scalar path, which allows for planar bodies.
    let along = Vec3::new(model.gravity.x, model.gravity.y, 0.0);
    (model.gravity * mass + along * 0.0, moment.cross(model.gravity) + Vec3::ZERO.cross(along))
}

impl<T: Simd4> StepKernel for LevelLanes<T> {
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
        let at = &work.stages.next;
        let (q, v) = if self.reduced_joints.is_empty() { (&at.q, &at.v) } else { (&at.joint_q, &at.joint_v) };
        self.q.clone_from(q);
        self.v.clone_from(v);
        Some(report)
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn bytes(&self) -> usize {
        let children: usize = self.addresses_of.iter().map(|addresses| addresses.children.capacity()).sum();
        self.lane_nodes.capacity() * size_of::<LaneNode<T>>()
            + self.reduced_joints.capacity() * size_of::<ReducedJoint<T>>()
            + self.scheduled.bytes()
            + self
                .efforts
                .as_ref()
                .map_or(0, |(efforts, inertias)| efforts.bytes() + inertias.capacity() * size_of::<T>())
            + self.addresses_of.capacity() * size_of::<NodeAddresses>()
            + children * size_of::<[u32; 4]>()
            + self.rows.bytes()
            + (self.lane_node_of.capacity() + self.floating.capacity() + self.turns.capacity())
                * size_of::<(u32, u32)>()
            + self.moved.capacity() * size_of::<Vec3<T>>()
            + self.loads.capacity() * size_of::<Six<T>>()
            + (self.q.capacity() + self.v.capacity()) * size_of::<f64>()
    }
}

/// Factors at the poses of a state, and computes joint frames, inertias and right-hand sides there.
/// False if a pivot vanishes.
struct LevelFactorTask<'w, T: Simd4> {
    level_lanes: &'w mut LevelLanes<T>,
    state: &'w State,
}
impl<T: Simd4> Task for LevelFactorTask<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let LevelFactorTask { level_lanes, state } = self;
        let LevelLanes { lane_nodes, now, scheduled, addresses_of, rows, gravity, .. } = level_lanes;
        let BodyRows { poses: [one, other], rates, .. } = rows;
        let now = *now & 1;
        let mut layout: Gathered<'_, T> =
            Gathered { addresses_of, poses: [one, other], rates, moved: None, rots: None };
        for at in 0..addresses_of.len() {
            let addresses = &addresses_of[at];
            let [x, y, z, w, i, j, k] = T::gather::<7>(&state.q, addresses.q);
            let Six { lin: vel, ang: omega } = six(T::gather::<6>(&state.v, addresses.v));
            let rot = Quat { w, v: Vec3::new(i, j, k) };
            lane_nodes[at].motion[now] =
                Motion { pos: Vec3::new(x, y, z), rot, axes: rot.matrix(), vel, omega };
            layout.store_pose(&lane_nodes[at], at, now, Vec3::ZERO);
        }
        write_frames(lane_nodes, now, *gravity, &layout);
        let (acc, finite_check) = (&mut [][..], Six::ZERO);
        scheduled.factor(
            &mut LaneFill::<T, false, _> {
                lane_nodes,
                now,
                gravity: *gravity,
                efforts: (&[], &mut []),
                acc,
                finite_check,
                layout,
            },
            &mut (),
        )
    }
}

/// Solves for accelerations, moves all bodies and closes the joints. False if closing moved a body
/// by more than the bound.
struct LevelMoveTask<'w, T: Simd4> {
    level_lanes: &'w mut LevelLanes<T>,
    h: f64,
}
impl<T: Simd4> Task for LevelMoveTask<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let LevelMoveTask { level_lanes, h } = self;
        let LevelLanes {
            lane_nodes, now, scheduled, addresses_of, rows, semi_implicit, moved, floating, ..
        } = level_lanes;
        let BodyRows { poses: [one, other], rates, .. } = rows;
        let half_h_squared = 0.5 * h * h * if *semi_implicit { -1.0 } else { 1.0 };
        let moved = (!floating.is_empty()).then_some(&mut moved[..]);
        let mut moving = MoveSweep {
            lane_nodes,
            now: *now & 1,
            h: T::splat(h),
            semi_implicit: *semi_implicit,
            floats: false,
            is_far: T::Mask::NONE,
            moment: Vec3::ZERO,
            mass: T::ZERO,
            layout: Gathered { addresses_of, poses: [one, other], rates, moved, rots: None },
        };
        scheduled.solve_two_rhs(T::splat(half_h_squared), &mut moving);
        !moving.is_far.any()
    }
}

/// Subtracts the recentring of floating trees from the new positions.
struct LevelRecentreTask<'w, T: Simd4>(&'w mut LevelLanes<T>);
impl<T: Simd4> Task for LevelRecentreTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let LevelLanes { lane_nodes, now, addresses_of, rows, .. } = self.0;
        let next = (*now & 1) ^ 1;
        for (lane_node, addresses) in lane_nodes.iter_mut().zip(&*addresses_of) {
            let [x, y, z] = T::gather::<3>(&rows.recentring, addresses.own);
            lane_node.motion[next].pos -= Vec3::new(x, y, z);
        }
    }
}

/// Computes the residual of the equations, and the factor at the new poses; `None` if a pivot
/// vanishes.
struct LevelResidualFactorTask<'w, T: Simd4>(&'w mut LevelLanes<T>);
impl<T: Simd4> Task for LevelResidualFactorTask<'_, T> {
    type Output = Option<f64>;
    #[inline(always)]
    fn run(self) -> Option<f64> {
        let LevelLanes { lane_nodes, now, scheduled, addresses_of, rows, loads, .. } = self.0;
        let BodyRows { poses: [one, other], rates, load_sums, .. } = rows;
        let certifier = LevelCertifier { addresses_of, load_sums, loads, worst: WorstResidual::default() };
        let layout = Gathered { addresses_of, poses: [one, other], rates, moved: None, rots: None };
        let mut rates = LaneVelocityFill { lane_nodes, now: *now & 1, certifier, layout };
        let is_fine = scheduled.factor(&mut rates, &mut ());
        let mut worst = 0.0;
        for lane in 0..T::LANES {
            worst = larger(worst, rates.certifier.worst.0.lane(lane));
        }
        is_fine.then(|| worst.sqrt())
    }
}

/// Removes velocities along the locked directions of the joints. Returns the remaining joint
/// errors, squared. Writes coordinates, velocities and motions.
struct LevelCorrectionTask<'w, T: Simd4> {
    level_lanes: &'w mut LevelLanes<T>,
    q: &'w mut [f64],
    v: &'w mut [f64],
    motions: &'w mut [Motion],
}
impl<T: Simd4> Task for LevelCorrectionTask<'_, T> {
    type Output = LaneErrors<T>;
    #[inline(always)]
    fn run(self) -> LaneErrors<T> {
        let LevelCorrectionTask { level_lanes, q, v, motions } = self;
        let LevelLanes { lane_nodes, now, scheduled, addresses_of, rows, gravity, .. } = level_lanes;
        let BodyRows { poses: [one, other], rates, .. } = rows;
        let next = (*now & 1) ^ 1;
        let mut measured = LaneErrors::default();
        // Turns are counted for all joints together, later.
        let counting = TurnCounting { hinges: &[], before: &[], after: &mut [] };
        let layout: Gathered<'_, T> =
            Gathered { addresses_of, poses: [one, other], rates, moved: None, rots: None };
        let corrected =
            CorrectionSweep::new(lane_nodes, next, (*gravity, T::ZERO), counting, &mut measured, layout);
        scheduled.backward::<ROOT_LOADS>(corrected, &mut ());
        write_bodies(lane_nodes, addresses_of, next, (q, v), motions);
        measured
    }
}

/// Writes coordinates, velocities and motions of the bodies in a buffer.
#[inline(always)]
fn write_bodies<T: Simd4>(
    lane_nodes: &[LaneNode<T>],
    addresses_of: &[NodeAddresses],
    buffer: usize,
    qv: (&mut [f64], &mut [f64]),
    motions: &mut [Motion],
) {
    let places = addresses_of.iter().map(|NodeAddresses { q, v, bodies, .. }| [*q, *v, *bodies]);
    write_bodies_at(lane_nodes, places, buffer, qv, motions);
}

/// [`write_bodies`], with where the coordinates and velocities of the bodies of each lane node begin, and the
/// indices of the bodies.
#[inline(always)]
pub(crate) fn write_bodies_at<T: Simd4>(
    lane_nodes: &[LaneNode<T>],
    places: impl Iterator<Item = [[u32; 4]; 3]>,
    buffer: usize,
    (q, v): (&mut [f64], &mut [f64]),
    motions: &mut [Motion],
) {
    for (lane_node, [q_at, v_at, bodies]) in lane_nodes.iter().zip(places) {
        let Motion { pos, rot, axes: Mat3 { x, y, z }, vel, omega } = &lane_node.motion[buffer & 1];
        T::scatter([pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z], q, q_at);
        T::scatter([vel.x, vel.y, vel.z, omega.x, omega.y, omega.z], v, v_at);
        let mut axes = [0.0; 36];
        T::scatter([x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z], &mut axes, [0, 9, 18, 27]);
        for (lane, body) in bodies.into_iter().enumerate() {
            let (q, v) = (&q[q_at[lane] as usize..][..7], &v[v_at[lane] as usize..][..6]);
            let a = &axes[9 * lane..][..9];
            motions[body as usize] = Motion {
                pos: Vec3::new(q[0], q[1], q[2]),
                rot: Quat { w: q[3], v: Vec3::new(q[4], q[5], q[6]) },
                axes: Mat3 {
                    x: Vec3::new(a[0], a[1], a[2]),
                    y: Vec3::new(a[3], a[4], a[5]),
                    z: Vec3::new(a[6], a[7], a[8]),
                },
                vel: Vec3::new(v[0], v[1], v[2]),
                omega: Vec3::new(v[3], v[4], v[5]),
            };
        }
    }
}

/// Poses at the joint coordinates of a state, and the elimination there; false if a pivot vanishes.
struct LevelBeginTask<'w, T: Simd4> {
    level_lanes: &'w mut LevelLanes<T>,
    state: &'w State,
    h: f64,
    /// Whether the poses are those of the state already.
    has_poses: bool,
}
impl<T: Simd4> Task for LevelBeginTask<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let LevelBeginTask { level_lanes, state, h, has_poses } = self;
        let LevelLanes {
            lane_nodes,
            reduced_joints,
            efforts,
            now,
            scheduled,
            addresses_of,
            rows,
            gravity,
            ..
        } = level_lanes;
        let efforts = efforts.as_mut().map_or(&mut [][..], |(efforts, _)| &mut efforts.nodes);
        let BodyRows { poses: [one, other], rates, rots: [rot, next_rot], .. } = rows;
        let buffer = *now & 1;
        let rots = Some([&mut rot[..], next_rot]);
        let mut layout: Gathered<'_, T> =
            Gathered { addresses_of, poses: [one, other], rates, moved: None, rots };
        let out_of_date = if has_poses { 0 } else { addresses_of.len() };
        for at in (0..out_of_date).rev() {
            let addresses = &addresses_of[at];
            let (p, rate) =
                (T::gather::<7>(&state.joint_q, addresses.q), T::gather::<6>(&state.joint_v, addresses.v));
            if lane_nodes[at].topology.has_joint {
                reduced_joints[at].set(buffer, lane_nodes[at].topology.joint.is_hinge, &p, &rate);
                reduced_joints[at].refresh_rotation(buffer, lane_nodes[at].topology.joint.is_hinge);
                let placed = PlacedNode::new(
                    &lane_nodes[at],
                    &reduced_joints[at],
                    buffer,
                    &layout.parent_motion(lane_nodes, at, buffer),
                );
                placed.store(&mut lane_nodes[at], buffer);
            } else {
                let [x, y, z, w, i, j, k] = p;
                let motion = &mut lane_nodes[at].motion[buffer];
                (motion.pos, motion.rot) = (Vec3::new(x, y, z), Quat { w, v: Vec3::new(i, j, k) });
                let Six { lin, ang } = six(rate);
                (motion.vel, motion.omega) = (lin, ang);
                refresh_floating(&mut lane_nodes[at], buffer);
            }
            layout.store_pose(&lane_nodes[at], at, buffer, Vec3::ZERO);
        }
        scheduled.factor(
            &mut ReducedFill {
                lane_nodes,
                buffer,
                gravity: *gravity,
                efforts: (reduced_joints, efforts, T::splat(h)),
                certifier: (),
                layout,
            },
            &mut (),
        )
    }
}

/// Solves for accelerations and moves the bodies. Returns the joint errors at the new poses,
/// squared, and whether the step is declined: an angle is too large, a servo comes to its limit, or
/// active limits change.
struct LevelMoveReducedTask<'w, T: Simd4> {
    level_lanes: &'w mut LevelLanes<T>,
    h: f64,
}
impl<T: Simd4> Task for LevelMoveReducedTask<'_, T> {
    type Output = (LaneErrors<T>, bool);
    #[inline(always)]
    fn run(self) -> Self::Output {
        let LevelMoveReducedTask { level_lanes, h } = self;
        let LevelLanes {
            lane_nodes,
            reduced_joints,
            efforts,
            now,
            scheduled,
            addresses_of,
            rows,
            semi_implicit,
            ..
        } = level_lanes;
        let (efforts, limits): ((&[_], &mut [_]), _) = match efforts {
            Some((LaneEfforts { nodes, energies, limits, .. }, _)) => ((nodes, energies), Some(limits)),
            None => ((&[], &mut []), None),
        };
        let BodyRows { poses: [one, other], rates, rots: [rot, next_rot], .. } = rows;
        let rots = Some([&mut rot[..], next_rot]);
        let layout: Gathered<'_, T> =
            Gathered { addresses_of, poses: [one, other], rates, moved: None, rots };
        let mut sweep = ReducedMoveSweep::new(
            (lane_nodes, reduced_joints),
            *now & 1,
            (T::splat(h), *semi_implicit),
            efforts,
            layout,
        );
        scheduled.backward::<ROOT_LOADS>(ByRef(&mut sweep), &mut ());
        let is_declined =
            limits.is_some_and(|limits| limits.note_forces(sweep.efforts.0, scheduled.nodes()).any());
        sweep.place_all();
        (sweep.out, is_declined || sweep.is_far.any() || sweep.at_limits.any())
    }
}

/// Computes the residual of the equations, and the elimination at the new poses; `None` if a pivot
/// vanishes.
struct LevelResidualEliminateTask<'w, T: Simd4>(&'w mut LevelLanes<T>, f64);
impl<T: Simd4> Task for LevelResidualEliminateTask<'_, T> {
    type Output = Option<f64>;
    #[inline(always)]
    fn run(self) -> Option<f64> {
        let LevelLanes {
            lane_nodes,
            reduced_joints,
            efforts,
            now,
            scheduled,
            addresses_of,
            rows,
            loads,
            gravity,
            ..
        } = self.0;
        let efforts = efforts.as_mut().map_or(&mut [][..], |(efforts, _)| &mut efforts.nodes);
        let BodyRows { poses: [one, other], rates, load_sums, .. } = rows;
        let certifier = LevelCertifier { addresses_of, load_sums, loads, worst: WorstResidual::default() };
        // Orientations are not needed here.
        let layout = Gathered { addresses_of, poses: [one, other], rates, moved: None, rots: None };
        let mut fill = ReducedFill {
            lane_nodes,
            buffer: (*now & 1) ^ 1,
            gravity: *gravity,
            efforts: (reduced_joints, efforts, T::splat(self.1)),
            certifier,
            layout,
        };
        let is_fine = scheduled.factor(&mut fill, &mut ());
        let worst = fill.certifier.worst.0;
        is_fine.then(|| (0..T::LANES).fold(0.0, |most, lane| larger(most, worst.lane(lane))).sqrt())
    }
}

/// Computes the residual of the equations.
struct LevelResidualTask<'w, T: Simd4>(&'w mut LevelLanes<T>);
impl<T: Simd4> Task for LevelResidualTask<'_, T> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        let LevelLanes { lane_nodes, now, scheduled, addresses_of, rows, loads, .. } = self.0;
        let BodyRows { poses: [one, other], rates, load_sums, .. } = rows;
        let mut certifier =
            LevelCertifier { addresses_of, load_sums, loads, worst: WorstResidual::default() };
        let layout = Gathered { addresses_of, poses: [one, other], rates, moved: None, rots: None };
        for at in 0..addresses_of.len() {
            let (topology, node) = (lane_nodes[at].topology, scheduled.node_with_extra(at));
            let nodes = (&lane_nodes[..], *now & 1);
            match topology.has_joint {
                true => certifier.certify_node::<true>(nodes, at, topology.joint, node, &layout),
                false => certifier.certify_node::<false>(nodes, at, HingeOrBall::default(), node, &layout),
            };
        }
        let worst = certifier.worst.0;
        (0..T::LANES).fold(0.0, |most, lane| larger(most, worst.lane(lane))).sqrt()
    }
}

/// Writes coordinates, velocities and motions of bodies, and joint coordinates.
struct LevelWriteTask<'w, T: Simd4> {
    level_lanes: &'w mut LevelLanes<T>,
    to: &'w mut State,
    motions: &'w mut [Motion],
}
impl<T: Simd4> Task for LevelWriteTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let LevelWriteTask {
            level_lanes: LevelLanes { lane_nodes, reduced_joints, now, addresses_of, .. },
            to,
            motions,
        } = self;
        let buffer = (*now & 1) ^ 1;
        write_bodies(lane_nodes, addresses_of, buffer, (&mut to.q, &mut to.v), motions);
        for ((lane_node, reduced_joint), addresses) in
            lane_nodes.iter().zip(&*reduced_joints).zip(&*addresses_of)
        {
            let (p, rate) = if lane_node.topology.has_joint {
                reduced_joint.get(buffer, lane_node.topology.joint.is_hinge)
            } else {
                let Motion { pos, rot, vel, omega, .. } = &lane_node.motion[buffer];
                (
                    [pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z],
                    [vel.x, vel.y, vel.z, omega.x, omega.y, omega.z],
                )
            };
            T::scatter(p, &mut to.joint_q, addresses.q);
            T::scatter(rate, &mut to.joint_v, addresses.v);
        }
    }
}
