//! Accelerations with the bodies of one tree in SIMD lanes, by level scheduling.
//!
//! Bodies of which none is an ancestor of another are independent until their parents are
//! eliminated. Four of them at a time share a register in the elimination
//! (`cardan_solve::articulated::level_schedule`), for example the links of four fingers. The
//! arithmetic and its order are those of the scalar path (`fill.rs`), so that accelerations and
//! loads have the same bits.
//!
//! Applies to forests of rigid bodies on revolute, spherical and prismatic joints without drives,
//! under gravity and efforts of joints with one freedom (`state_efforts.rs`), with enough branches: a
//! chain has no independent bodies. Bodies on other joints are eliminated on the scalar path in
//! between.

use crate::body::general::Motions;
use crate::body::{BodyKind, Motion};
use crate::math::{Quat, Six, Sym6, Vec3};
use crate::measure::coordinates::HingeTurns;
use crate::model::Model;
use crate::settings::{Integrator, Settings};
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::fill::{
    BodyNode, CLOSED_JOINTS, FiniteCheck, MotionFill, ResultSlot, inertia_along, weight_of_rigid,
};
use crate::step::articulated::state_accel::is_plain;
use crate::step::articulated::tree_joint::{HingeOrBall, TreeJoint, closed_slide};
use crate::step::kernel::state_efforts::{HingeAngles, OneFreedomNode};
use crate::step::kernel::sweep::efforts::LaneEfforts;
use crate::step::kernel::sweep::{NodeParams, frames, freedom};
use crate::step::workspace::Workspace;
use crate::step::workspace::{Equations, IntegratorWork, Kinematics, Solvers};
use cardan_solve::Task;
use cardan_solve::articulated::level_schedule::{
    LevelSchedule, NodeKind, ParentLink, ScalarNodes, ScheduledForest,
};
use cardan_solve::articulated::{ArticulatedForest, FillNodes, Node, NodeExtra, NodeInput};
use cardan_solve::simd::{Mask, Simd, Simd4, Simd4Task, has_fast_lanes, run_simd4_avx2};
use std::fmt::Debug;

/// Cost of a lane node of four bodies, in tenths of the cost of one body on the scalar path.
const LANE_COST_TENTHS: usize = 22;

/// Data of the scalar path.
pub(crate) struct ScalarWork<'w> {
    forest: &'w mut ArticulatedForest,
    body_nodes: &'w [BodyNode],
    result_slots: &'w [ResultSlot],
    motions: &'w mut Motions,
    /// Efforts along the one freedom of each node; empty if there are none.
    efforts: &'w [f64],
    acc: &'w mut [f64],
}

/// Acceleration kernel with bodies in lanes, independent of the SIMD type.
pub(crate) trait AccelKernel: Debug + Send + Sync {
    /// Computes accelerations and loads at a state whose joints are closed. False if a pivot
    /// vanishes or a number is not finite.
    fn accelerations(&mut self, model: &Model, state: &State, work: ScalarWork<'_>) -> bool;
    /// Takes no efforts any more.
    fn begin_efforts(&mut self);
    /// Takes efforts and limits of a hinge; the efforts are lines. False if the hinge is not
    /// in lanes.
    fn add_hinge(&mut self, model: &Model, hinge: &OneFreedomNode, turns: &HingeTurns) -> bool;
    /// True if some bodies have joints that the lanes do not support and are eliminated on the
    /// scalar path.
    fn has_scalar_nodes(&self) -> bool;
    /// Allocated memory in bytes.
    fn bytes(&self) -> usize;
}

/// Computes accelerations and loads of a state, if bodies can go in lanes for it. The factor at
/// hand stays valid.
pub(crate) fn accelerate(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) -> bool {
    let Workspace {
        solvers: Solvers { articulated: Some(articulated), .. },
        integrator: IntegratorWork { accel_kernel: all, .. },
        equations: Equations { acc, .. },
        kinematics: Kinematics { motions, .. },
        counts,
        ..
    } = work
    else {
        return false;
    };
    let Some(all) = all.get_or_insert_with(|| level_accel_kernel(model, settings, articulated)) else {
        return false;
    };
    if !state.assembled {
        return false;
    }
    if all.has_scalar_nodes() {
        // Scalar nodes have overwritten their part of the factor at hand.
        articulated.factored.clear();
    }
    let ArticulatedSystem { forest, body_nodes, result_slots, efforts, .. } = articulated;
    let is_found = all.accelerations(
        model,
        state,
        ScalarWork { forest, body_nodes, result_slots, motions, efforts, acc },
    );
    if is_found {
        counts.factorizations += 1;
        counts.solves += 1;
        (articulated.disagreement, articulated.has_loads) = (None, true);
        articulated.mass_forces.clear();
    }
    is_found
}

/// Whether acceleration kernels leave a factor at hand that the next step begins with, or one that is made again with the
/// same bits. Nodes on the scalar path do neither.
pub(crate) fn keeps_factor(model: &Model, settings: &Settings, work: &mut Workspace) -> bool {
    let Some(articulated) = &work.solvers.articulated else { return false };
    let kernel = &mut work.integrator.accel_kernel;
    let kernel = kernel.get_or_insert_with(|| level_accel_kernel(model, settings, articulated));
    kernel.as_ref().is_none_or(|kernel| !kernel.has_scalar_nodes())
}

/// Acceleration kernel with the bodies of a mechanism in lanes. `None` if too few of them can share
/// registers, or without AVX2.
pub(crate) fn level_accel_kernel(
    model: &Model,
    settings: &Settings,
    articulated: &ArticulatedSystem,
) -> Option<Box<dyn AccelKernel>> {
    if !has_fast_lanes() {
        return None;
    }
    if settings.integrator == Integrator::FirstOrder
        || !is_plain(model, settings)
        || !articulated.is_small
        || !articulated.loop_joints.is_empty()
        || articulated.body_nodes.iter().any(|body_node| body_node.kind != BodyKind::Rigid)
    {
        return None;
    }
    let level_plan = LevelPlan::new(model, articulated);
    if LANE_COST_TENTHS * level_plan.schedule.lane_nodes.len() > 10 * articulated.body_nodes.len() {
        return None;
    }
    run_simd4_avx2(MakeLevelAccel(&level_plan))
}

/// Properties that bodies in one register must share.
fn kind(body_node: &BodyNode, parent: Option<u32>) -> NodeKind {
    let joint = body_node.tree_joint.as_ref().map_or(HingeOrBall::default(), TreeJoint::hinge_or_ball);
    NodeKind {
        parent_link: match &body_node.tree_joint {
            None => ParentLink::Floating,
            Some(_) if body_node.is_slide => ParentLink::Hinge,
            Some(tree_joint) if !tree_joint.is_hinge_or_ball() => ParentLink::Other,
            Some(_) if joint.is_hinge => ParentLink::Hinge,
            Some(_) => ParentLink::Ball,
        },
        is_reversed: body_node.tree_joint.is_some() && !joint.onto_b,
        on_ground: parent.is_none(),
        class: u32::from(body_node.is_principal) | u32::from(body_node.is_slide) << 1,
    }
}

/// Level schedule of a mechanism: which bodies share a register.
pub(crate) struct LevelPlan<'m> {
    pub(crate) model: &'m Model,
    pub(crate) articulated: &'m ArticulatedSystem,
    pub(crate) parents: Vec<Option<u32>>,
    pub(crate) kinds: Vec<NodeKind>,
    pub(crate) schedule: LevelSchedule,
}

impl<'m> LevelPlan<'m> {
    /// Schedules the bodies of a mechanism.
    pub(crate) fn new(model: &'m Model, articulated: &'m ArticulatedSystem) -> Self {
        let parents: Vec<Option<u32>> =
            articulated.forest.nodes().iter().map(|node| node.parent().map(|parent| parent as u32)).collect();
        let kinds: Vec<NodeKind> = articulated
            .body_nodes
            .iter()
            .zip(&parents)
            .map(|(body_node, parent)| kind(body_node, *parent))
            .collect();
        let schedule = LevelSchedule::new(&parents, &kinds);
        LevelPlan { model, articulated, parents, kinds, schedule }
    }
}

/// Makes the kernel for the SIMD type of the machine.
struct MakeLevelAccel<'m>(&'m LevelPlan<'m>);

impl Simd4Task for MakeLevelAccel<'_> {
    type Output = Box<dyn AccelKernel>;
    fn run<T: Simd4>(self) -> Self::Output {
        Box::new(LevelAccel::<T>::new(self.0))
    }
}

/// Four bodies in one register.
#[derive(Clone, Debug)]
struct LevelNode<T: Simd> {
    joint: HingeOrBall,
    is_principal: bool,
    /// The joint is prismatic.
    is_slide: bool,
    on_ground: bool,
    is_scalar: bool,
    nodes: [u32; 4],
    /// Start of the coordinates and velocities of the bodies in the state, and of those of their
    /// parents.
    q: [u32; 4],
    v: [u32; 4],
    parent_q: [u32; 4],
    parent_v: [u32; 4],
    params: NodeParams<T>,
}

impl<T: Simd> LevelNode<T> {
    fn new(level_plan: &LevelPlan<'_>, nodes: [u32; 4]) -> Self {
        let all = &level_plan.articulated.body_nodes;
        let of = |lane: usize| &all[nodes[lane] as usize];
        // The ground has no coordinates; its entry is not read.
        let parent =
            |lane: usize| level_plan.parents[nodes[lane] as usize].map_or(of(lane), |at| &all[at as usize]);
        let first = of(0);
        LevelNode {
            joint: first.tree_joint.as_ref().map_or(HingeOrBall::default(), TreeJoint::hinge_or_ball),
            is_principal: first.is_principal,
            is_slide: first.is_slide,
            on_ground: level_plan.parents[nodes[0] as usize].is_none(),
            is_scalar: level_plan.kinds[nodes[0] as usize].parent_link == ParentLink::Other,
            nodes,
            q: std::array::from_fn(|lane| of(lane).q_at),
            v: std::array::from_fn(|lane| of(lane).v_at),
            parent_q: std::array::from_fn(|lane| parent(lane).q_at),
            parent_v: std::array::from_fn(|lane| parent(lane).v_at),
            params: NodeParams::of(of),
        }
    }
}

/// Efforts of the hinges of all lane nodes.
#[derive(Debug)]
struct LevelEfforts<T: Simd4> {
    lanes: LaneEfforts<T>,
    /// By lane node: how the angles of its hinges follow; `None` if it has no efforts.
    angles: Vec<Option<HingeAngles<T>>>,
    /// By lane node: the efforts of the last evaluation.
    found: Vec<T>,
}

/// Acceleration kernel with bodies in lanes.
#[derive(Debug)]
struct LevelAccel<T: Simd4> {
    efforts: Option<LevelEfforts<T>>,
    scheduled: ScheduledForest<T>,
    level_nodes: Vec<LevelNode<T>>,
    /// Nodes on the scalar path, and the bodies whose motions they need.
    scalar_nodes: Vec<u32>,
    scalar_bodies: Vec<u32>,
    gravity: Vec3<T>,
}

impl<T: Simd4> LevelAccel<T> {
    fn new(level_plan: &LevelPlan<'_>) -> Self {
        let g = level_plan.model.gravity;
        let is_scalar = |&at: &u32| level_plan.kinds[at as usize].parent_link == ParentLink::Other;
        let scalar_nodes: Vec<u32> = (0..level_plan.kinds.len() as u32).filter(is_scalar).collect();
        let ends = |&at: &u32| [Some(at), level_plan.parents[at as usize]];
        let body = |at: u32| level_plan.articulated.body_nodes[at as usize].body;
        let mut scalar_bodies: Vec<u32> = scalar_nodes.iter().flat_map(ends).flatten().map(body).collect();
        scalar_bodies.sort_unstable();
        scalar_bodies.dedup();
        LevelAccel {
            efforts: None,
            scalar_nodes,
            scalar_bodies,
            scheduled: ScheduledForest::new(&level_plan.parents, &level_plan.kinds, &level_plan.schedule),
            level_nodes: level_plan
                .schedule
                .lane_nodes
                .iter()
                .map(|&nodes| LevelNode::new(level_plan, nodes))
                .collect(),
            gravity: Vec3::new(T::splat(g.x), T::splat(g.y), T::splat(g.z)),
        }
    }
}

impl<T: Simd4> AccelKernel for LevelAccel<T> {
    fn accelerations(&mut self, model: &Model, state: &State, work: ScalarWork<'_>) -> bool {
        let ScalarWork { forest, body_nodes, result_slots, motions, efforts, acc } = work;
        for &body in &self.scalar_bodies {
            let entry = &model.bodies[body as usize];
            motions[body as usize] = entry.kind.motion(&state.q[entry.q_range()], &state.v[entry.v_range()]);
        }
        let fill = MotionFill::<CLOSED_JOINTS> {
            model,
            body_nodes,
            result_slots,
            motions,
            extra: None,
            efforts,
            acc: &mut [],
            finite_check: FiniteCheck::default(),
        };
        if let Some(own) = &mut self.efforts {
            for lane in 0..T::LANES {
                own.lanes.prepare(lane, state.time, state.commands.as_deref());
            }
        }
        let mut scalar_part = ScalarPart { forest, fill };
        let has_efforts = self.efforts.is_some() || !efforts.is_empty();
        let (level_accel, scalar_part) = (&mut *self, &mut scalar_part);
        let task = LevelAccelTask { level_accel, state, efforts, acc, scalar_part };
        let is_fine = match has_efforts {
            true => T::run_vectorized(WithEfforts::<_, true>(task)),
            false => T::run_vectorized(WithEfforts::<_, false>(task)),
        };
        let mut sum = 0.0;
        for &at in &self.scalar_nodes {
            let x = &forest.nodes()[at as usize].x;
            body_nodes[at as usize].write_x(x, acc);
            sum += [x.lin.x, x.lin.y, x.lin.z, x.ang.x, x.ang.y, x.ang.z]
                .iter()
                .fold(0.0, |sum, x| sum + x * 0.0);
        }
        is_fine && sum == 0.0
    }
    fn begin_efforts(&mut self) {
        self.efforts = None;
    }
    fn add_hinge(&mut self, model: &Model, hinge: &OneFreedomNode, turns: &HingeTurns) -> bool {
        let is_here = |level_node: &LevelNode<T>| {
            level_node.joint.is_hinge && !level_node.is_scalar && level_node.nodes.contains(&hinge.node)
        };
        let Some(at) = self.level_nodes.iter().position(is_here) else { return false };
        let nodes = self.level_nodes.len();
        let efforts = self.efforts.get_or_insert_with(|| LevelEfforts {
            lanes: LaneEfforts::new(nodes, true),
            angles: vec![None; nodes],
            found: vec![T::ZERO; nodes],
        });
        let angles = efforts.angles[at].get_or_insert_with(HingeAngles::none);
        // Lanes that are left over repeat a body.
        for (lane, _) in
            self.level_nodes[at].nodes.iter().enumerate().filter(|(_, node)| **node == hinge.node)
        {
            efforts.lanes.add_hinge((at, lane), (0, hinge.body), model, hinge.joint);
            angles.set(lane, turns);
        }
        true
    }
    fn has_scalar_nodes(&self) -> bool {
        !self.scalar_nodes.is_empty()
    }
    fn bytes(&self) -> usize {
        self.scheduled.bytes()
            + self.level_nodes.capacity() * size_of::<LevelNode<T>>()
            + (self.scalar_nodes.capacity() + self.scalar_bodies.capacity()) * size_of::<u32>()
            + self.efforts.as_ref().map_or(0, |efforts| {
                efforts.lanes.bytes()
                    + efforts.angles.capacity() * size_of::<Option<HingeAngles<T>>>()
                    + efforts.found.capacity() * size_of::<T>()
            })
    }
}

/// Acceleration solve, compiled for the vector unit.
struct LevelAccelTask<'w, 'o, T: Simd4> {
    level_accel: &'w mut LevelAccel<T>,
    state: &'w State,
    efforts: &'w [f64],
    acc: &'w mut [f64],
    scalar_part: &'w mut ScalarPart<'o>,
}

/// The solve with efforts, or without any: then nothing looks for them.
struct WithEfforts<W, const EFFORTS: bool>(W);

impl<T: Simd4, const EFFORTS: bool> Task for WithEfforts<LevelAccelTask<'_, '_, T>, EFFORTS> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let LevelAccelTask {
            level_accel: LevelAccel { scheduled, level_nodes, gravity, efforts: own_efforts, .. },
            state,
            efforts,
            acc,
            scalar_part,
        } = self.0;
        let mut fill = LevelFill::<T, EFFORTS> {
            level_nodes,
            q: &state.q,
            v: &state.v,
            efforts,
            own_efforts: own_efforts.as_mut(),
            state,
            reached: T::Mask::NONE,
            gravity: *gravity,
            acc,
            finite_check: Six::ZERO,
        };
        let is_fine = scheduled.factor_and_solve(&mut fill, scalar_part) && fill.finite_check == Six::ZERO;
        let is_fine = is_fine && !fill.reached.any();
        let loads = scalar_part.forest.results_mut().loads;
        for (at, (level_node, load)) in level_nodes.iter().zip(scheduled.loads()).enumerate() {
            if level_node.is_scalar {
                continue;
            }
            let mut rows = [0.0; 24];
            let Six { lin, mut ang } = *load;
            if EFFORTS
                && let Some(own) = own_efforts
                && own.angles[at].is_some()
            {
                ang -= scheduled.nodes()[at].first.ang * own.found[at];
            }
            T::scatter([lin.x, lin.y, lin.z, ang.x, ang.y, ang.z], &mut rows, [0, 6, 12, 18]);
            for (row, &node) in rows.as_chunks::<6>().0.iter().zip(&level_node.nodes) {
                loads[node as usize] = Six::from_slice(row);
            }
        }
        is_fine
    }
}

/// Nodes that are eliminated on the scalar path.
struct ScalarPart<'w> {
    forest: &'w mut ArticulatedForest,
    fill: MotionFill<'w, CLOSED_JOINTS>,
}

impl ScalarNodes for ScalarPart<'_> {
    fn eliminate(&mut self, body_node: usize, sum: Option<(Sym6, Six)>) -> (bool, Sym6, Six) {
        self.forest.eliminate_node(body_node, sum, &mut self.fill)
    }
    fn back(&mut self, body_node: usize, parent: Six) -> Six {
        self.forest.back_node(body_node, parent)
    }
}

/// Input of the elimination at closed poses, read from coordinates and velocities.
struct LevelFill<'w, T: Simd4, const EFFORTS: bool> {
    level_nodes: &'w [LevelNode<T>],
    q: &'w [f64],
    v: &'w [f64],
    /// Efforts along the one freedom of each node; empty if there are none.
    efforts: &'w [f64],
    /// Efforts that are evaluated here, and where a limit is reached.
    own_efforts: Option<&'w mut LevelEfforts<T>>,
    state: &'w State,
    reached: T::Mask,
    gravity: Vec3<T>,
    acc: &'w mut [f64],
    /// Zero unless an acceleration is not finite.
    finite_check: Six<T>,
}

impl<T: Simd4, const EFFORTS: bool> LevelFill<'_, T, EFFORTS> {
    /// Efforts of four hinges with the motions of their bodies and σ z.
    #[inline(always)]
    fn effort(&mut self, at: usize, onto_b: bool, own: &Motion<T>, parent: &Motion<T>, axis: Vec3<T>) -> T {
        let level_node = &self.level_nodes[at];
        let mut effort = match self.efforts.is_empty() {
            true => T::ZERO,
            false => T::gather::<1>(self.efforts, level_node.nodes)[0],
        };
        let Some(own_efforts) = &mut self.own_efforts else { return effort };
        let Some(angles) = &own_efforts.angles[at] else { return effort };
        let (p, rate) = match self.state.has_joints() {
            true => {
                let [p] = T::gather::<1>(&self.state.joint_q, level_node.q);
                let [rate] = T::gather::<1>(&self.state.joint_v, level_node.v);
                (p, rate)
            }
            false => {
                let turn = match (level_node.on_ground, onto_b) {
                    (true, true) => own.rot,
                    (true, false) => own.rot.inverse(),
                    (false, true) => parent.rot.inverse() * own.rot,
                    (false, false) => own.rot.inverse() * parent.rot,
                };
                (angles.at(&turn, &self.state.turns), axis.dot(own.omega - parent.omega))
            }
        };
        let node_effort = &own_efforts.lanes.nodes[at];
        own_efforts.found[at] = node_effort.now(p, rate);
        self.reached = self.reached | node_effort.is_at_limit(p);
        effort += own_efforts.found[at];
        effort
    }

    /// Poses and velocities of four bodies.
    #[inline(always)]
    fn motion(&self, q: [u32; 4], v: [u32; 4]) -> Motion<T> {
        let [x, y, z, w, i, j, k] = T::gather::<7>(self.q, q);
        let [vx, vy, vz, wx, wy, wz] = T::gather::<6>(self.v, v);
        let rot = Quat { w, v: Vec3::new(i, j, k) };
        Motion {
            pos: Vec3::new(x, y, z),
            rot,
            axes: rot.matrix(),
            vel: Vec3::new(vx, vy, vz),
            omega: Vec3::new(wx, wy, wz),
        }
    }
}

impl<T: Simd4, const EFFORTS: bool> FillNodes<T> for LevelFill<'_, T, EFFORTS> {
    /// Floating bodies. All other nodes take the kernels for plain hinges or balls.
    #[inline(always)]
    fn fill_node(&mut self, at: usize, node: &mut Node<T>, _: &mut NodeExtra<T>) {
        let level_node = &self.level_nodes[at];
        let own = self.motion(level_node.q, level_node.v);
        let inertia = inertia_along(level_node.is_principal, &level_node.params.inertia, &own.axes);
        node.diag = Sym6::of_mass(level_node.params.mass, inertia);
        node.force = weight_of_rigid(level_node.params.mass, &inertia, self.gravity, &own);
    }
    #[inline(always)]
    fn input<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        _: &mut Node<T>,
        _: &mut NodeExtra<T>,
    ) -> NodeInput<T> {
        let level_node = &self.level_nodes[at];
        let params = &level_node.params;
        let own = self.motion(level_node.q, level_node.v);
        let parent = match level_node.on_ground {
            true => Motion::GROUND,
            false => self.motion(level_node.parent_q, level_node.parent_v),
        };
        let inertia = inertia_along(level_node.is_principal, &params.inertia, &own.axes);
        let joint = HingeOrBall { is_hinge: !BALL, onto_b: !TURNED, ..level_node.joint };
        let frames = frames(joint, params, &own, &parent);
        let (a, b) = joint.sides(&own, &parent);
        let (first, gamma) = match !BALL && level_node.is_slide {
            true => closed_slide(!TURNED, (a, b), frames.arm_b, frames.z_a),
            false => (freedom(joint, &frames, a, b), joint.closed_gamma(a, b, frames.arm_b).0),
        };
        let force = weight_of_rigid(params.mass, &inertia, self.gravity, &own);
        let effort = match BALL || !EFFORTS {
            true => T::ZERO,
            false => self.effort(at, !TURNED, &own, &parent, first.ang),
        };
        let shift = own.pos - parent.pos;
        NodeInput { mass: params.mass, inertia, force, gamma, shift, first, effort, joint_inertia: T::ZERO }
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six<T>) {
        T::scatter([x.lin.x, x.lin.y, x.lin.z, x.ang.x, x.ang.y, x.ang.z], self.acc, self.level_nodes[at].v);
        self.finite_check += x.scaled(T::ZERO);
    }
}
