//! Euler steps in joint coordinates (reduced coordinates), in SIMD lanes.
//!
//! Applies where all joints are revolute or spherical: the joint coordinates are integrated, and
//! every body follows from its parent (Baraff 1996 on combining both formulations; see
//! `integrate/joint_coordinates.rs`).
//!
//! ```text
//! hinge   p̈ = z·(ω̇_b − ω̇_a)                    rot_c = rot_p (c 1 + s k)
//! ball    ẇ = Aᵀ (ω̇_b − ω̇_a − ω_a × ω_b)        rot_c = rot_p P turn C
//! both    pos_c = pos_p + arm_p − arm_c          vel_c = vel_p + ω_p × arm_p − ω_c × arm_c
//! ```
//!
//! p: hinge angle; c, s: cosine and sine of p/2; 1, k: constant quaternions; A: axes of a's joint
//! frame; w: relative angular velocity in a's joint frame; P, C: joint frame on parent and child;
//! indices p, c: parent and child.
//!
//! Nothing has to be projected, so that a step is two sweeps. From roots to leaves: accelerations,
//! and the bodies at the new joint coordinates. From leaves to roots: the residual of the
//! equations, and the elimination at the new poses with its right-hand side, which the next step
//! begins with. Poses are a function of the joint coordinates alone, computed by the same code at
//! all times. A step that starts without an elimination therefore has the same bits. A single
//! mechanism (`f64`) uses this code too.
//!
//! This file is one kernel and longer than 600 lines: the data layouts that share it are to be
//! merged first, then it is split.

use crate::body::Motion;
use crate::math::{Lane, MOST_ANGLE, Quat, Six, Sym3, Sym6, Vec3, sin_cos};
use crate::model::{Model, ModelJoint};
use crate::settings::Integrator;
use crate::settings::Settings;
use crate::state::State;
use crate::step::StepReport;
use crate::step::Workspace;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::fill::{inertia_along, weight_of_rigid};
use crate::step::articulated::joint_frames::{JointFrames, SquaredSizes};
use crate::step::articulated::tree_joint::HingeOrBall;
use crate::step::kernel::level_lanes::level_kernel;
use crate::step::kernel::subtree_lanes::{StepKernel, have_same_bits};
use crate::step::kernel::sweep::efforts::{EffortEnergy, LaneEfforts, NodeEffort};
use crate::step::kernel::sweep::touched_limits::TouchedLimits;
use crate::step::kernel::sweep::{
    ErrorBounds, GroundLoad, LaneErrors, LaneGap, LaneNode, LaneOutcome, Layout, MechanismLanes,
    NoExternalLoads, NodeCertifier, NodeTopology, SameLane, SweepCertifier, TreeStructure, freedom,
};
use crate::step::project::tree::{rotated_by, unit};
use crate::tolerances::{CERTIFIED, NOISE};
use cardan_solve::articulated::{FillNodes, Node, NodeExtra, NodeInput, ROOT_LOADS, TakeSolution};
use cardan_solve::simd::{Mask, Simd};

/// Joint coordinates of a node, and the constants by which its child follows from them.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ReducedJoint<T: Lane> {
    /// Double buffered like [`LaneNode::motion`]: the angle of a hinge in `w`, or the rotation of a
    /// ball.
    value: [Quat<T>; 2],
    /// Its rate: of a hinge in `x`, of a ball the relative angular velocity in the axes of a's
    /// joint frame.
    rate: [Vec3<T>; 2],
    /// Hinge: rotation of the child relative to its parent at angle zero. Ball: joint frame on the
    /// parent.
    one: Quat<T>,
    /// Hinge: that rotation after half a turn. Ball: the child body relative to its joint frame.
    other: Quat<T>,
    /// Hinge: rotation of the child relative to its parent at the coordinates of the last
    /// `refresh_rotation`.
    rotation: Quat<T>,
}

impl<T: Simd> ReducedJoint<T> {
    /// Gathers the constants of a joint from all lanes; default values for a floating body.
    pub(crate) fn of<'m>(topology: &NodeTopology, joint: impl Fn(usize) -> Option<&'m ModelJoint>) -> Self {
        let HingeOrBall { is_hinge, onto_b, .. } = topology.joint;
        let fixed = |lane: usize| {
            let Some(joint) = joint(lane) else { return (Quat::IDENTITY, Quat::IDENTITY) };
            let (a, b) = (joint.a.local.rot, joint.b.local.rot);
            let (parent, child) = if onto_b { (a, b.inverse()) } else { (b, a.inverse()) };
            let axis = if onto_b { Vec3::Z } else { -Vec3::Z };
            match is_hinge {
                true => (parent * child, parent * Quat { w: 0.0, v: axis } * child),
                false => (parent, child),
            }
        };
        let pack = |f: &dyn Fn(usize) -> Quat| {
            let number = |g: fn(Quat) -> f64| T::from_lanes(|lane| g(f(lane)));
            Quat { w: number(|q| q.w), v: Vec3::new(number(|q| q.v.x), number(|q| q.v.y), number(|q| q.v.z)) }
        };
        ReducedJoint {
            one: pack(&|lane| fixed(lane).0),
            other: pack(&|lane| fixed(lane).1),
            ..ReducedJoint::default()
        }
    }

    /// Loads the coordinates of a joint in a lane; the layout is that of its body's coordinates.
    pub(crate) fn load(
        &mut self,
        (lane, buffer): (usize, usize),
        is_hinge: bool,
        p: &[f64; 7],
        rate: &[f64; 6],
    ) {
        let (value, to) = (&mut self.value[buffer & 1], &mut self.rate[buffer & 1]);
        let (p, rate) = match is_hinge {
            true => ([p[0], 0.0, 0.0, 0.0], [rate[0], 0.0, 0.0]),
            false => ([p[3], p[4], p[5], p[6]], [rate[3], rate[4], rate[5]]),
        };
        value.w.set_lane(lane, p[0]);
        crate::step::kernel::sweep::set(&mut value.v, lane, [p[1], p[2], p[3]]);
        crate::step::kernel::sweep::set(to, lane, rate);
    }

    /// Stores the coordinates of a joint in a lane. Entries that the joint does not use are left as
    /// they are.
    pub(crate) fn store(
        &self,
        (lane, buffer): (usize, usize),
        is_hinge: bool,
        p: &mut [f64],
        rate: &mut [f64],
    ) {
        let (value, from) =
            (&self.value[buffer & 1], crate::step::kernel::sweep::get(self.rate[buffer & 1], lane));
        if is_hinge {
            (p[0], rate[0]) = (value.w.lane(lane), from[0]);
        } else {
            p[3] = value.w.lane(lane);
            p[4..7].copy_from_slice(&crate::step::kernel::sweep::get(value.v, lane));
            rate[3..6].copy_from_slice(&from);
        }
    }

    /// Sets the coordinates of all lanes; the layout is that of body coordinates.
    #[inline(always)]
    pub(crate) fn set(&mut self, buffer: usize, is_hinge: bool, p: &[T; 7], rate: &[T; 6]) {
        let (value, to) = (&mut self.value[buffer & 1], &mut self.rate[buffer & 1]);
        if is_hinge {
            (value.w, to.x) = (p[0], rate[0]);
        } else {
            *value = Quat { w: p[3], v: Vec3::new(p[4], p[5], p[6]) };
            *to = Vec3::new(rate[3], rate[4], rate[5]);
        }
    }

    /// Returns the coordinates of all lanes, with default values in entries that the joint does not
    /// use.
    #[inline(always)]
    pub(crate) fn get(&self, buffer: usize, is_hinge: bool) -> ([T; 7], [T; 6]) {
        let (value, rate) = (&self.value[buffer & 1], &self.rate[buffer & 1]);
        let (zero, one) = (T::ZERO, T::ONE);
        match is_hinge {
            true => ([value.w, zero, zero, one, zero, zero, zero], [rate.x, zero, zero, zero, zero, zero]),
            false => {
                let Vec3 { x, y, z } = value.v;
                ([zero, zero, zero, value.w, x, y, z], [zero, zero, zero, rate.x, rate.y, rate.z])
            }
        }
    }

    /// Angle and rate of a hinge in a buffer.
    #[inline(always)]
    pub(crate) fn hinge(&self, buffer: usize) -> (T, T) {
        (self.value[buffer & 1].w, self.rate[buffer & 1].x)
    }

    /// Sets the angle of a hinge in a buffer.
    pub(crate) fn set_angle(&mut self, buffer: usize, angle: T) {
        self.value[buffer & 1].w = angle;
    }

    /// Rate in a buffer: of a hinge in `x`.
    pub(crate) fn rate(&self, buffer: usize) -> Vec3<T> {
        self.rate[buffer & 1]
    }

    /// Sets the rate in a buffer.
    pub(crate) fn set_rate(&mut self, buffer: usize, rate: Vec3<T>) {
        self.rate[buffer & 1] = rate;
    }

    /// Angle of a hinge in a lane (rad).
    pub(crate) fn angle(&self, lane: usize, buffer: usize) -> f64 {
        self.value[buffer & 1].w.lane(lane)
    }

    /// Refreshes the relative rotation from the coordinates in a buffer.
    #[inline(always)]
    pub(crate) fn refresh_rotation(&mut self, buffer: usize, is_hinge: bool) {
        if is_hinge {
            let (s, c) = sin_cos(self.value[buffer & 1].w * T::splat(0.5));
            let ReducedJoint { one, other, .. } = self;
            self.rotation = Quat { w: one.w * c + other.w * s, v: one.v * c + other.v * s };
        }
    }

    /// Orientation of a's joint frame of a ball, from the orientations of the bodies at its ends.
    #[inline(always)]
    pub(crate) fn frame_of_a(&self, joint: HingeOrBall, own: Quat<T>, parent: Quat<T>) -> Quat<T> {
        if joint.onto_b { parent * self.one } else { own * self.other.inverse() }
    }
}

impl<T: Lane> Default for ReducedJoint<T> {
    fn default() -> Self {
        let one = Quat::IDENTITY;
        ReducedJoint { value: [one; 2], rate: [Vec3::ZERO; 2], one, other: one, rotation: one }
    }
}

/// Rotates v by the quaternion q.
#[inline(always)]
pub(crate) fn turned<T: Lane>(q: Quat<T>, v: Vec3<T>) -> Vec3<T> {
    let t = q.v.cross(v);
    let t = t + t;
    v + t * q.w + q.v.cross(t)
}

/// Pose and velocity of a body by its joint coordinates, and the joint error that rounding leaves.
pub(crate) struct PlacedNode<T: Lane> {
    motion: Motion<T>,
    frames: JointFrames<T>,
    inertia: Sym3<T>,
    sizes: SquaredSizes<T>,
    gaps: LaneGap<T>,
}

impl<T: Simd> PlacedNode<T> {
    /// From the refreshed coordinates in a buffer and the motion of the parent.
    #[inline(always)]
    pub(crate) fn new(
        lane_node: &LaneNode<T>,
        reduced_joint: &ReducedJoint<T>,
        buffer: usize,
        parent: &Motion<T>,
    ) -> Self {
        let LaneNode { topology: NodeTopology { joint, is_principal, .. }, params, .. } = lane_node;
        let (value, rate) = (&reduced_joint.value[buffer & 1], reduced_joint.rate[buffer & 1]);
        let arm_parent = parent.axes * params.parent_frame.0;
        let (rot, mut turns) = if joint.is_hinge {
            (unit(parent.rot * reduced_joint.rotation), Vec3::ZERO)
        } else {
            let near = parent.rot * reduced_joint.one;
            let far = near * if joint.onto_b { *value } else { value.inverse() };
            (unit(far * reduced_joint.other), turned(if joint.onto_b { near } else { far }, rate))
        };
        let axes = rot.matrix();
        let arm = axes * params.child_frame.0;
        let (arm_a, arm_b) = joint.sides(arm, arm_parent);
        let mut frames = JointFrames { arm_a, arm_b, ..JointFrames::default() };
        let mut turn = Vec3::ZERO;
        if joint.is_hinge {
            (frames.z_a, frames.z_b) =
                joint.sides(axes * params.child_frame.1, parent.axes * params.parent_frame.1);
            turns = frames.z_b * rate.x;
            turn = frames.z_b - frames.z_a;
        }
        let omega = if joint.onto_b { parent.omega + turns } else { parent.omega - turns };
        let anchor = parent.pos + arm_parent;
        let carried = parent.vel + parent.omega.cross(arm_parent);
        let swings = omega.cross(arm);
        let (pos, vel) = (anchor - arm, carried - swings);
        let spin = omega - parent.omega;
        PlacedNode {
            motion: Motion { pos, rot, axes, vel, omega },
            frames,
            inertia: inertia_along(*is_principal, &params.inertia, &axes),
            sizes: SquaredSizes { pos: pos.dot(pos), vel: vel.dot(vel), omega: omega.dot(omega) },
            gaps: LaneGap {
                offset: (pos + arm) - anchor,
                rate: (vel + swings) - carried,
                turn,
                slip: if joint.onto_b { spin - turns } else { spin + turns },
            },
        }
    }

    /// Stores the pose into a buffer of its lane node. Field by field: a struct assignment would go
    /// through the stack.
    #[inline(always)]
    pub(crate) fn store(self, lane_node: &mut LaneNode<T>, buffer: usize) {
        let PlacedNode { motion, frames, inertia, sizes, .. } = self;
        let to = &mut lane_node.motion[buffer & 1];
        to.pos = motion.pos;
        to.rot = motion.rot;
        to.axes = motion.axes;
        to.vel = motion.vel;
        to.omega = motion.omega;
        let to = &mut lane_node.frames[buffer & 1];
        to.arm_a = frames.arm_a;
        to.arm_b = frames.arm_b;
        if lane_node.topology.joint.is_hinge {
            to.z_a = frames.z_a;
            to.z_b = frames.z_b;
        }
        lane_node.inertia[buffer & 1] = inertia;
        lane_node.sizes = sizes;
    }
}

/// Refreshes the joint frames of a floating body, whose pose and velocities are set already.
#[inline(always)]
pub(crate) fn refresh_floating<T: Simd>(lane_node: &mut LaneNode<T>, buffer: usize) {
    let motion = &mut lane_node.motion[buffer & 1];
    motion.axes = motion.rot.matrix();
    lane_node.sizes = SquaredSizes::of(motion);
    lane_node.inertia[buffer & 1] =
        inertia_along(lane_node.topology.is_principal, &lane_node.params.inertia, &motion.axes);
}

/// Motion that accelerations lead to.
pub(crate) struct ReducedMoveSweep<'w, T: Simd, K = SameLane> {
    lane_nodes: &'w mut [LaneNode<T>],
    reduced_joints: &'w mut [ReducedJoint<T>],
    now: usize,
    h: T,
    semi_implicit: bool,
    error_bounds: ErrorBounds<T>,
    pub(crate) out: LaneErrors<T>,
    /// Efforts of hinges by node, none if it is empty; and their energies in this step.
    pub(crate) efforts: (&'w [NodeEffort<T>], &'w mut [EffortEnergy<T>]),
    /// Lanes with an angle too large for the range reduction of sine and cosine, or a servo that comes
    /// to its limit or leaves it.
    pub(crate) is_far: T::Mask,
    /// Lanes in which an angle passes a limit.
    pub(crate) at_limits: T::Mask,
    layout: K,
}

impl<'w, T: Simd, K> ReducedMoveSweep<'w, T, K> {
    /// For a step of `h` seconds by the semi-implicit or the explicit Euler rule.
    #[inline(always)]
    pub(crate) fn new(
        (lane_nodes, reduced_joints): (&'w mut [LaneNode<T>], &'w mut [ReducedJoint<T>]),
        now: usize,
        (h, semi_implicit): (T, bool),
        efforts: (&'w [NodeEffort<T>], &'w mut [EffortEnergy<T>]),
        layout: K,
    ) -> Self {
        let (out, is_far) = (LaneErrors::default(), T::Mask::NONE);
        ReducedMoveSweep {
            efforts,
            lane_nodes,
            reduced_joints,
            now,
            h,
            semi_implicit,
            error_bounds: ErrorBounds::new(),
            out,
            is_far,
            at_limits: T::Mask::NONE,
            layout,
        }
    }
}

/// Applies accelerations to the joint coordinates. The poses are computed afterwards, in a loop of
/// their own: each is a long chain of dependent operations, and chains of successive nodes overlap
/// there.
impl<T: Simd, K: Layout<T>> TakeSolution<T> for ReducedMoveSweep<'_, T, K> {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        let lane_node = &mut self.lane_nodes[at];
        lane_node.x = *x;
        let topology = lane_node.topology;
        self.layout.store_acceleration(lane_node, at);
        match (topology.has_joint, topology.joint.onto_b) {
            (false, _) => {}
            (true, true) => self.advance_joint::<true>(at, topology, x),
            (true, false) => self.advance_joint::<false>(at, topology, x),
        }
    }
}

impl<T: Simd, K: Layout<T>> ReducedMoveSweep<'_, T, K> {
    /// Integrates the coordinates of a joint over the step.
    #[inline(always)]
    fn advance_joint<const ONTO_B: bool>(&mut self, at: usize, topology: NodeTopology, x: &Six<T>) {
        let (now, next, h) = (self.now & 1, (self.now & 1) ^ 1, self.h);
        let joint = topology.joint.with_child::<ONTO_B>();
        let (lane_node, reduced_joint) = (&self.lane_nodes[at], &mut self.reduced_joints[at]);
        let parent = self.layout.parent_acceleration(self.lane_nodes, at).ang;
        let (a, b) = joint.sides(x.ang, parent);
        let along = b - a;
        let before = (reduced_joint.value[now], reduced_joint.rate[now]);
        if joint.is_hinge {
            let rate = before.1.x + lane_node.frames[now].z_b.dot(along) * h;
            let angle = before.0.w + if self.semi_implicit { rate } else { before.1.x } * h;
            let mut end = (angle, rate);
            if let (Some(effort), Some(energy)) = (self.efforts.0.get(at), self.efforts.1.get_mut(at)) {
                end = effort.on_limit(end);
                let ([has_changed, is_passed], spent) = effort.end(h, end);
                self.is_far = self.is_far | has_changed;
                self.at_limits = self.at_limits | is_passed;
                *energy = spent;
            }
            (reduced_joint.value[next].w, reduced_joint.rate[next].x) = end;
            self.is_far = self.is_far | end.0.abs().above(T::splat(MOST_ANGLE));
        } else {
            let own = &lane_node.motion[now];
            let frame = reduced_joint.frame_of_a(
                joint,
                own.rot,
                self.layout.parent_motion(self.lane_nodes, at, now).rot,
            );
            let rate = before.1 + turned(frame.inverse(), along - lane_node.joint_bias.1) * h;
            let used = if self.semi_implicit { rate } else { before.1 };
            (reduced_joint.value[next], reduced_joint.rate[next]) = (rotated_by(used * h, before.0), rate);
        }
        reduced_joint.refresh_rotation(next, joint.is_hinge);
    }

    /// Computes the poses of all bodies from the new joint coordinates, roots to leaves.
    #[inline(always)]
    pub(crate) fn place_all(&mut self) {
        for at in (0..self.reduced_joints.len()).rev() {
            match (self.lane_nodes[at].topology.has_joint, self.lane_nodes[at].topology.joint.onto_b) {
                (false, _) => self.move_floating(at),
                (true, true) => self.place_child::<true>(at),
                (true, false) => self.place_child::<false>(at),
            }
            let next = (self.now & 1) ^ 1;
            self.layout.store_pose(&self.lane_nodes[at], at, next, Vec3::ZERO);
        }
    }

    /// Computes the pose of a body on a joint.
    #[inline(always)]
    fn place_child<const ONTO_B: bool>(&mut self, at: usize) {
        let next = (self.now & 1) ^ 1;
        let lane_node = &self.lane_nodes[at];
        let joint = lane_node.topology.joint.with_child::<ONTO_B>();
        let parent_motion = &*self.layout.parent_motion(self.lane_nodes, at, next);
        let placed = PlacedNode::new(lane_node, &self.reduced_joints[at], next, parent_motion);
        let parent = self.layout.parent_sizes(self.lane_nodes, at, parent_motion);
        self.out.finite_check += (placed.sizes.pos + placed.sizes.vel + placed.sizes.omega) * T::ZERO;
        self.error_bounds.note_gap(
            joint,
            &lane_node.params,
            &placed.gaps,
            (placed.sizes, parent),
            &mut self.out,
        );
        placed.store(&mut self.lane_nodes[at], next);
    }

    /// Moves a floating body by the step.
    #[inline(always)]
    fn move_floating(&mut self, at: usize) {
        let (now, next, h) = (self.now & 1, (self.now & 1) ^ 1, self.h);
        let lane_node = &mut self.lane_nodes[at];
        let (before, x) = (&lane_node.motion[now], &lane_node.x);
        let (vel, omega) = (before.vel + x.lin * h, before.omega + x.ang * h);
        let (used, spin) = if self.semi_implicit { (vel, omega) } else { (before.vel, before.omega) };
        let (pos, rot) = (before.pos + used * h, rotated_by(spin * h, before.rot));
        let motion = &mut lane_node.motion[next];
        (motion.pos, motion.rot) = (pos, rot);
        (motion.vel, motion.omega) = (vel, omega);
        refresh_floating(lane_node, next);
        let own = lane_node.sizes;
        self.out.finite_check += (own.pos + own.vel + own.omega) * T::ZERO;
    }
}

/// Input of the elimination at the poses of a buffer, right-hand sides included. The solution at
/// the other buffer may be checked before.
pub(crate) struct ReducedFill<'w, T: Lane, J, K = SameLane> {
    pub(crate) lane_nodes: &'w mut [LaneNode<T>],
    pub(crate) buffer: usize,
    pub(crate) gravity: Vec3<T>,
    /// Joint coordinates and efforts by node, for steps of this size; no efforts if it is empty.
    pub(crate) efforts: (&'w [ReducedJoint<T>], &'w mut [NodeEffort<T>], T),
    pub(crate) certifier: J,
    pub(crate) layout: K,
}

impl<T: Simd, J: NodeCertifier<T>, K: Layout<T>> FillNodes<T> for ReducedFill<'_, T, J, K> {
    /// Floating bodies. All other nodes take the kernels for plain hinges or balls.
    #[inline(always)]
    fn fill_node(&mut self, at: usize, node: &mut Node<T>, node_extra: &mut NodeExtra<T>) {
        let buffer = self.buffer & 1;
        self.certifier.certify_node::<false>(
            (self.lane_nodes, buffer ^ 1),
            at,
            HingeOrBall::default(),
            (node, node_extra),
            &self.layout,
        );
        let lane_node = &mut self.lane_nodes[at];
        lane_node.force = weight_of_rigid(
            lane_node.params.mass,
            &lane_node.inertia[buffer],
            self.gravity,
            &lane_node.motion[buffer],
        );
        (node.diag, node.force) =
            (Sym6::of_mass(lane_node.params.mass, lane_node.inertia[buffer]), lane_node.force);
    }
    #[inline(always)]
    fn input<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        node: &mut Node<T>,
        node_extra: &mut NodeExtra<T>,
    ) -> NodeInput<T> {
        let buffer = self.buffer & 1;
        let joint = HingeOrBall { is_hinge: !BALL, onto_b: !TURNED, ..self.lane_nodes[at].topology.joint };
        self.certifier.certify_node::<true>(
            (self.lane_nodes, buffer ^ 1),
            at,
            joint,
            (node, node_extra),
            &self.layout,
        );
        let lane_node = &self.lane_nodes[at];
        let (own, parent) =
            (&lane_node.motion[buffer], &*self.layout.parent_motion(self.lane_nodes, at, buffer));
        let (frames, (a, b)) = (&lane_node.frames[buffer], joint.sides(own, parent));
        let (gamma, bias, turn) = joint.closed_gamma(a, b, frames.arm_b);
        let (mut effort, mut joint_inertia) = (T::ZERO, T::ZERO);
        if let (false, Some(efforts)) = (BALL, self.efforts.1.get_mut(at)) {
            let (p, rate) = self.efforts.0[at].hinge(buffer);
            (effort, joint_inertia) = efforts.begin(self.efforts.2, p, rate);
        }
        let input = NodeInput {
            effort,
            joint_inertia,
            mass: lane_node.params.mass,
            inertia: lane_node.inertia[buffer],
            force: weight_of_rigid(lane_node.params.mass, &lane_node.inertia[buffer], self.gravity, own),
            gamma,
            shift: own.pos - parent.pos,
            first: freedom(joint, frames, a, b),
        };
        let lane_node = &mut self.lane_nodes[at];
        (lane_node.force, lane_node.joint_bias) = (input.force, (bias, turn));
        input
    }
}

impl<T: Simd> MechanismLanes<T> {
    /// True if the state consists of joint coordinates.
    #[inline(always)]
    pub(crate) fn is_reduced(&self) -> bool {
        !self.reduced_joints.is_empty()
    }

    /// Takes one step of `h` seconds on joint coordinates into the other buffer.
    #[inline(always)]
    pub(crate) fn reduced_step(&mut self, h: f64, semi_implicit: bool) -> LaneOutcome<T> {
        let mut has_new_efforts = false;
        if let Some(efforts) = &mut self.efforts {
            has_new_efforts = efforts.take_changes();
            if has_new_efforts | efforts.set_step(h, &self.reference_inertias) {
                self.is_factored = false;
            }
        }
        // Where commands or laws of time changed the efforts, they will do so before the next step too: an
        // elimination with these would be void.
        self.eliminates_ahead = self.certifies && !has_new_efforts;
        if !self.is_factored && !self.begin(h) {
            return LaneOutcome::all_fallback();
        }
        self.is_factored = false;
        let (measured, [is_far, at_limits], energy) = self.move_bodies(T::splat(h), semi_implicit);
        // From the solve, so that the ledger has the same bits with a certificate and without.
        self.book_forces(h, self.ground_load());
        let mut residual = T::ZERO;
        if self.eliminates_ahead {
            let Some(found) = self.certify_and_eliminate(h) else { return LaneOutcome::all_fallback() };
            residual = found;
        } else if self.certifies {
            residual = self.certify();
        }
        self.next_ledger.energy.add(&energy);
        let lost = (measured.position + measured.velocity + measured.finite_check) * T::ZERO;
        let (least, noise) = (T::splat(CERTIFIED), T::splat(NOISE));
        LaneOutcome {
            fallback: residual.above(least)
                | residual.is_nan()
                | is_far
                | measured.position_excess.above(noise)
                | measured.velocity_excess.above(noise)
                | lost.is_nan(),
            at_limits,
            position_error: measured.position,
            velocity_error: measured.velocity,
            equation_residual: if self.certifies { residual } else { T::splat(f64::NAN) },
        }
    }

    /// Poses at the present joint coordinates, and the elimination there for a step of `h`; false if a
    /// pivot vanishes.
    #[inline(always)]
    fn begin(&mut self, h: f64) -> bool {
        self.refresh_poses();
        let MechanismLanes { lane_nodes, reduced_joints, now, forest, gravity, efforts, .. } = self;
        let buffer = *now & 1;
        let efforts = efforts.as_mut().map_or(&mut [][..], |efforts| &mut efforts.nodes);
        forest
            .factor(&mut ReducedFill {
                lane_nodes,
                buffer,
                gravity: *gravity,
                efforts: (reduced_joints, efforts, T::splat(h)),
                certifier: (),
                layout: SameLane,
            })
            .is_ok()
    }

    /// Poses at the present joint coordinates, unless a step has left those that belong to them.
    #[inline(always)]
    pub(crate) fn refresh_poses(&mut self) {
        let MechanismLanes { lane_nodes, reduced_joints, now, .. } = self;
        let buffer = *now & 1;
        let out_of_date = if self.knows_axes { 0 } else { reduced_joints.len() };
        for at in (0..out_of_date).rev() {
            if lane_nodes[at].topology.has_joint {
                reduced_joints[at].refresh_rotation(buffer, lane_nodes[at].topology.joint.is_hinge);
                let placed = PlacedNode::new(
                    &lane_nodes[at],
                    &reduced_joints[at],
                    buffer,
                    &SameLane.parent_motion(lane_nodes, at, buffer),
                );
                placed.store(&mut lane_nodes[at], buffer);
            } else {
                refresh_floating(&mut lane_nodes[at], buffer);
            }
        }
    }

    /// Solves for accelerations and moves the bodies. Returns the joint errors at the new pose,
    /// the lanes with too large an angle or a servo that comes to its limit, those in which a limit of
    /// an angle is passed or an active one pulls, and the energy of efforts.
    #[inline(always)]
    fn move_bodies(&mut self, h: T, semi_implicit: bool) -> (LaneErrors<T>, [T::Mask; 2], EffortEnergy<T>) {
        let MechanismLanes { lane_nodes, reduced_joints, now, forest, efforts, .. } = self;
        let (efforts, limits): ((&[_], &mut [_]), _) = match efforts.as_deref_mut() {
            Some(LaneEfforts { nodes, energies, limits, .. }) => ((nodes, energies), Some(limits)),
            None => ((&[], &mut []), None),
        };
        let mut sweep = ReducedMoveSweep::new(
            (lane_nodes, reduced_joints),
            *now & 1,
            (h, semi_implicit),
            efforts,
            SameLane,
        );
        forest.backward::<ROOT_LOADS>(ByRef(&mut sweep));
        if let Some(limits) = limits {
            let pulls = limits.note_forces(sweep.efforts.0, forest.nodes());
            sweep.at_limits = sweep.at_limits | pulls;
        }
        sweep.place_all();
        let mut energy = EffortEnergy::default();
        // Roots first, as bodies in lanes sum them too.
        sweep.efforts.1.iter().rev().for_each(|spent| energy.add(spent));
        (sweep.out.square_roots(), [sweep.is_far, sweep.at_limits], energy)
    }

    /// The load of the ground at the start of the step, after the solve.
    #[inline(always)]
    pub(crate) fn ground_load(&self) -> GroundLoad<T> {
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for &at in &self.ground_nodes {
            let load = &self.forest.loads()[at as usize];
            force += load.lin;
            moment += self.lane_nodes[at as usize].motion[self.now & 1].pos.cross(load.lin) + load.ang;
        }
        (force, moment)
    }

    /// Computes the residual of the equations.
    #[inline(always)]
    fn certify(&mut self) -> T {
        let MechanismLanes { lane_nodes, now, forest, pending, .. } = self;
        let (mut certifier, now) = (SweepCertifier::new(pending, NoExternalLoads), *now & 1);
        let results = forest.results_mut();
        for (at, node) in results.nodes.iter().enumerate() {
            let (topology, node) = (lane_nodes[at].topology, (node, results.extra.of(at)));
            match topology.has_joint {
                true => {
                    certifier.certify_node::<true>((lane_nodes, now), at, topology.joint, node, &SameLane)
                }
                false => certifier.certify_node::<false>(
                    (lane_nodes, now),
                    at,
                    HingeOrBall::default(),
                    node,
                    &SameLane,
                ),
            };
        }
        certifier.worst.0.sqrt()
    }

    /// Computes the residual of the equations, and the elimination at the new poses. `None` if a pivot
    /// vanishes.
    #[inline(always)]
    fn certify_and_eliminate(&mut self, h: f64) -> Option<T> {
        let MechanismLanes { lane_nodes, reduced_joints, now, forest, pending, gravity, efforts, .. } = self;
        let efforts = efforts.as_mut().map_or(&mut [][..], |efforts| &mut efforts.nodes);
        let certifier = SweepCertifier::new(pending, NoExternalLoads);
        let mut fill = ReducedFill {
            lane_nodes,
            buffer: (*now & 1) ^ 1,
            gravity: *gravity,
            efforts: (reduced_joints, efforts, T::splat(h)),
            certifier,
            layout: SameLane,
        };
        forest.factor(&mut fill).ok()?;
        Some(fill.certifier.worst.0.sqrt())
    }
}

/// Passes a consumer by reference.
pub(crate) struct ByRef<'t, A>(pub(crate) &'t mut A);
impl<T: Lane, A: TakeSolution<T>> TakeSolution<T> for ByRef<'_, A> {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        self.0.take(at, x);
    }
}

/// Step kernel of one mechanism in joint coordinates.
#[derive(Debug)]
struct ReducedKernel {
    /// Its bodies in lanes, by level scheduling.
    level_kernel: Option<Box<dyn StepKernel>>,
    lanes: MechanismLanes<f64>,
    semi_implicit: bool,
    /// Joint coordinates of the elimination at hand.
    q: Vec<f64>,
    v: Vec<f64>,
    is_current: bool,
    /// Steps in which active limits change.
    touched: TouchedLimits,
    steps: u64,
}

/// Makes the kernel for steps on joint coordinates, where all joints are revolute or spherical and
/// only gravity, and efforts and limits of hinges act. Bodies go in lanes where that is faster, otherwise on the scalar
/// path, as do steps that the lanes decline. The bits are the same.
pub(crate) fn reduced_kernel(
    model: &Model,
    settings: &Settings,
    articulated: &ArticulatedSystem,
) -> Option<Box<dyn StepKernel>> {
    let structure = TreeStructure::of_articulated(model, settings, articulated)
        .filter(|structure| structure.is_reduced)?;
    Some(Box::new(ReducedKernel {
        level_kernel: level_kernel(model, settings, articulated),
        lanes: MechanismLanes::new(&structure, &[model])?,
        semi_implicit: settings.integrator == Integrator::SemiImplicitEuler,
        q: Vec::with_capacity(model.q_len),
        v: Vec::with_capacity(model.v_len),
        is_current: false,
        touched: TouchedLimits::new(settings),
        steps: 0,
    }))
}

impl StepKernel for ReducedKernel {
    fn step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
        if !(state.assembled && state.has_joints()) || state.still {
            return None;
        }
        if let Some(level_kernel) = &mut self.level_kernel
            && let Some(report) = level_kernel.step(model, state, h, work)
        {
            self.is_current = false;
            self.steps += 1;
            return Some(report);
        }
        let has_own_factor = core::mem::take(&mut self.is_current)
            && have_same_bits(&self.q, &state.joint_q)
            && have_same_bits(&self.v, &state.joint_v);
        match has_own_factor {
            true => {
                self.lanes.load_limits(0, state);
                self.lanes.load_ledger(0, state);
            }
            false => self.lanes.load(0, state),
        }
        // Contacts of other kinds are not in lanes.
        if self.lanes.efforts.is_none() && !state.held.is_empty() {
            return None;
        }
        if !self.lanes.prepare(0, model, state, state.time + h) {
            return None;
        }
        let taken = self.lanes.step(h, self.semi_implicit);
        let report = if taken.at_limits {
            // Its impacts do not know the inertia of rotors.
            if model.has_armature() {
                return None;
            }
            self.touched.step(&mut self.lanes, (model, state), h)?
        } else if taken.fallback {
            return None;
        } else {
            self.lanes.accept();
            StepReport {
                size: h,
                steps: 1,
                equation_residual: taken.equation_residual,
                position_error: taken.position_error,
                velocity_error: taken.velocity_error,
                ..StepReport::default()
            }
        };
        work.counts.factorizations += 1 + u64::from(self.lanes.eliminates_ahead && !has_own_factor);
        work.counts.solves += 1;
        let next = &mut work.stages.next;
        next.copy_from(state);
        next.advance_time(h);
        if taken.at_limits {
            work.counts.factorizations += self.touched.solves;
            work.counts.solves += self.touched.solves;
            next.held.clear();
            next.held.extend(self.lanes.efforts.iter().flat_map(|efforts| efforts.limits.held(0)));
            work.contact.events.get_or_insert_default().log.append(&mut self.touched.log);
        }
        self.lanes.store(0, next);
        for (motion, &at) in work.kinematics.motions.iter_mut().zip(&self.lanes.node_of_body) {
            *motion = self.lanes.lane_nodes[at as usize].motion[self.lanes.now & 1];
        }
        self.q.clone_from(&next.joint_q);
        self.v.clone_from(&next.joint_v);
        (self.is_current, self.steps) = (true, self.steps + 1);
        work.kinematics.turns_are_current = true;
        work.equations.equation_residual = report.equation_residual;
        work.integrator.passes_singular_pose = false;
        Some(report)
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn steps_in_lanes(&self) -> Option<u64> {
        self.level_kernel.as_ref().map(|level_kernel| level_kernel.steps())
    }

    fn bytes(&self) -> usize {
        let level_kernel = self.level_kernel.as_ref().map_or(0, |level_kernel| level_kernel.bytes());
        level_kernel
            + self.lanes.bytes()
            + self.touched.bytes()
            + (self.q.capacity() + self.v.capacity()) * size_of::<f64>()
    }
}
