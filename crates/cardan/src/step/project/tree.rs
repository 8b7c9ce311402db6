//! Position projection of tree joints, joint by joint from the roots: every body is put where its
//! parent requires it.
//!
//! In contrast to a correction this is exact and needs no solve, but it moves bodies without regard
//! to their masses. It therefore serves errors of O(h³) and less, and a floating tree is shifted
//! back so that its centre of mass stays. Loop-closure joints are left for corrections.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Lane, Mat3, Quat, Six, Vec3};
use crate::model::Model;
use crate::step::Workspace;
use crate::step::articulated::joint_frames::{JointFrames, frames_at};
use crate::step::articulated::tree_joint::{HingeOrBall, JointGap, TreeJoint};
use crate::step::articulated::{ArticulatedSystem, ConstraintErrors, Correction, POSES};
use crate::step::workspace::{Kinematics, Solvers, StageBuffers};
use cardan_solve::Task;
use cardan_solve::articulated::f64x3::run_vectorized;
use cardan_solve::simd::{Mask, Simd};

/// A closing displacement above this, relative to the body's position and arms, is too large for a
/// projection without regard to masses.
pub(crate) const SMALL_MOVE: f64 = 1e-6;

/// True if all tree joints can be closed one by one.
pub(crate) fn closes_forest(work: &Workspace) -> bool {
    work.solvers.articulated.as_ref().is_some_and(|articulated| articulated.closes_forest)
}

/// A floating tree: sum of mass times closing displacement (kg·m), and its mass (kg).
#[derive(Default)]
struct FloatingTree {
    moment: Vec3,
    mass: f64,
}

/// Moves all bodies of `work.stages.next` by `work.stages.shift` and closes the tree joints. Writes the
/// coordinates of `work.stages.next`, and `work.kinematics.motions`. False if closing took more than [`SMALL_MOVE`],
/// or a number is not finite.
pub(crate) fn advance_closed(model: &Model, work: &mut Workspace) -> bool {
    run_vectorized(AdvanceClosedTask(model, work))
}

/// [`advance_closed`], compiled for the vector unit.
struct AdvanceClosedTask<'w>(&'w Model, &'w mut Workspace);

impl Task for AdvanceClosedTask<'_> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        advance(self.0, self.1)
    }
}

#[inline(always)]
fn advance(model: &Model, work: &mut Workspace) -> bool {
    let Workspace {
        solvers: Solvers { articulated, .. },
        kinematics: Kinematics { motions, .. },
        stages: StageBuffers { next, shift, .. },
        ..
    } = work;
    let Some(articulated) = articulated else { return false };
    articulated.knows_pose = false;
    if articulated.is_small {
        articulated.joint_frames.resize(articulated.body_nodes.len(), JointFrames::default());
    }
    let mut is_near = true;
    let mut floating = FloatingTree::default();
    // In elimination order a parent comes after its children, and a tree is contiguous.
    for (at, body_node) in articulated.body_nodes.iter().enumerate().rev() {
        let body = body_node.body as usize;
        let (q_at, v_at) = (body_node.q_at as usize, body_node.v_at as usize);
        let (Some(q), Some(u), Some(v)) = (
            next.q[q_at..].first_chunk_mut::<7>(),
            shift[v_at..].first_chunk::<6>(),
            next.v[v_at..].first_chunk::<6>(),
        ) else {
            continue;
        };
        let moved = Vec3::new(q[0] + u[0], q[1] + u[1], q[2] + u[2]);
        let turned = Quat { w: q[3], v: Vec3::new(q[4], q[5], q[6]) };
        let turned = rotated_by(Vec3::new(u[3], u[4], u[5]), turned);
        let (mut pos, mut rot, mut axes) = (moved, turned, turned.matrix());
        let (vel, omega) = (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]));
        if let Some(tree_joint) = &body_node.tree_joint {
            let (parent, child_frame, parent_frame) = tree_joint.sides();
            let mut turn = Vec3::ZERO;
            if let ClosedForm::Revolute | ClosedForm::Spherical = tree_joint.shape() {
                let parent: &Motion = &motions[parent];
                let on_ground = tree_joint.on_ground();
                let (mut z, mut z_parent) = (Vec3::ZERO, Vec3::ZERO);
                if tree_joint.shape() == ClosedForm::Revolute {
                    z_parent = if on_ground { parent_frame.1 } else { parent.axes * parent_frame.1 };
                    z = axes * child_frame.1;
                    // Rotates one axis onto the other, up to third order.
                    turn = z.cross(z_parent);
                    // Less than the rounding of an axis is no rotation.
                    if turn.dot(turn) > f64::EPSILON * f64::EPSILON {
                        rot = rotated_by_small(turn, rot);
                        axes = rot.matrix();
                        z = axes * child_frame.1;
                    }
                }
                let arm = axes * child_frame.0;
                let arm_parent = if on_ground { parent_frame.0 } else { parent.axes * parent_frame.0 };
                pos = parent.pos + arm_parent - arm;
                if let Some(frames) = articulated.joint_frames.get_mut(at) {
                    *frames = if tree_joint.onto_b() {
                        JointFrames { arm_a: arm_parent, arm_b: arm, z_a: z_parent, z_b: z }
                    } else {
                        JointFrames { arm_a: arm, arm_b: arm_parent, z_a: z, z_b: z_parent }
                    };
                }
            } else if tree_joint.is_closed_pair() {
                let placed = place_child(model, tree_joint, &motions[parent], (moved, turned, axes));
                let frames;
                ((pos, rot, axes), frames, turn) = placed;
                if let Some(kept) = articulated.joint_frames.get_mut(at) {
                    *kept = frames;
                }
            } else {
                // A Newton step, whose square is below rounding.
                motions[body] = Motion { pos, rot, axes, vel, omega };
                let mut gap = JointGap::default();
                tree_joint.write_gap::<POSES>(model, motions, &mut gap);
                let sign = if tree_joint.onto_b() { -1.0 } else { 1.0 };
                turn = gap.turn * sign;
                let anchor = pos + axes * child_frame.0 + gap.shift * sign;
                rot = (Quat::exp(turn) * rot).renormalized();
                axes = rot.matrix();
                pos = anchor - axes * child_frame.0;
            }
            let (by, size) = (pos - moved, pos.dot(pos) + tree_joint.own_arm_squared());
            is_near &=
                by.dot(by) <= SMALL_MOVE * SMALL_MOVE * size && turn.dot(turn) <= SMALL_MOVE * SMALL_MOVE;
        }
        *q = [pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z];
        motions[body] = Motion { pos, rot, axes, vel, omega };
        if articulated.floats {
            floating.moment += (pos - moved) * body_node.mass;
            floating.mass += body_node.mass;
            if at == 0 || articulated.body_nodes[at - 1].is_root(model) {
                articulated.restore_centre(model, at, &mut floating, &mut next.q, motions);
            }
        }
    }
    is_near
}

/// Puts the child of a closed pair where its parent requires it, from its own pose near there. Returns the
/// pose, the joint's arms and axes there, and the rotation that it took.
#[inline(always)]
fn place_child(
    model: &Model,
    tree_joint: &TreeJoint,
    parent: &Motion,
    (moved, turned, axes): (Vec3, Quat, Mat3),
) -> ((Vec3, Quat, Mat3), JointFrames, Vec3) {
    let (_, child_frame, parent_frame) = tree_joint.sides();
    let (arm_parent, z_parent) = (parent.axes * parent_frame.0, parent.axes * parent_frame.1);
    let (mut rot, mut axes, turn) = (turned, axes, Vec3::ZERO);
    let (turn, z) = if tree_joint.shape() == ClosedForm::Prismatic {
        rot = unit(parent.rot * tree_joint.locked_orientation(model));
        axes = rot.matrix();
        ((rot * turned.inverse()).v * 2.0, z_parent)
    } else {
        let z = axes * child_frame.1;
        let turn = match tree_joint.shape() {
            ClosedForm::Spherical => turn,
            // Keeps the axes of the cross perpendicular.
            ClosedForm::Universal => {
                let n = z.cross(z_parent);
                n * (-z_parent.dot(z) / n.dot(n))
            }
            // Rotates one axis onto the other, up to third order.
            _ => z.cross(z_parent),
        };
        // Less than the rounding of an axis is no rotation.
        if turn.dot(turn) > f64::EPSILON * f64::EPSILON {
            rot = rotated_by_small(turn, rot);
            axes = rot.matrix();
            (turn, axes * child_frame.1)
        } else {
            (turn, z)
        }
    };
    let arm = axes * child_frame.0;
    let mut pos = parent.pos + arm_parent - arm;
    if let ClosedForm::Prismatic | ClosedForm::Cylindrical = tree_joint.shape() {
        // Free along the axis.
        pos += z_parent * z_parent.dot(moved - pos);
    }
    let frames = match tree_joint.onto_b() {
        true => JointFrames { arm_a: arm_parent, arm_b: arm, z_a: z_parent, z_b: z },
        false => JointFrames { arm_a: arm, arm_b: arm_parent, z_a: z, z_b: z_parent },
    };
    ((pos, rot, axes), frames, turn)
}

/// exp(θ) q, for θ of any size.
#[inline(always)]
pub(crate) fn rotated_by<T: Simd>(theta: Vec3<T>, q: Quat<T>) -> Quat<T> {
    let half = theta * T::splat(0.5);
    let n2 = half.dot(half);
    if (!T::splat(1e-3).above(n2)).any() {
        return lane_by_lane(theta, q);
    }
    // The next terms are below rounding.
    const S: [f64; 4] = [1.0 / 6.0, 1.0 / 20.0, 1.0 / 42.0, 1.0 / 72.0];
    const C: [f64; 4] = [0.5, 1.0 / 12.0, 1.0 / 30.0, 1.0 / 56.0];
    let (mut cos, mut sin) = (series(n2, [C[0], C[1]]), series(n2, [S[0], S[1]]));
    let is_more = !T::splat(1e-6).above(n2);
    if is_more.any() {
        cos = T::select(is_more, series(n2, C), cos);
        sin = T::select(is_more, series(n2, S), sin);
    }
    unit(Quat { w: cos, v: half * sin } * q)
}

/// 1 − a n (1 − b n (1 − …)).
#[inline(always)]
fn series<T: Lane, const N: usize>(n: T, c: [f64; N]) -> T {
    let mut sum = T::ONE;
    for k in (0..N).rev() {
        sum = T::ONE - n * T::splat(c[k]) * sum;
    }
    sum
}

/// exp(θ) q for a large θ in some lane.
#[inline(never)]
fn lane_by_lane<T: Simd>(theta: Vec3<T>, q: Quat<T>) -> Quat<T> {
    let mut out = q;
    for i in 0..T::LANES {
        let lane = |v: Vec3<T>| Vec3::new(v.x.lane(i), v.y.lane(i), v.z.lane(i));
        let (theta, q) = (lane(theta), Quat { w: q.w.lane(i), v: lane(q.v) });
        let half = theta * 0.5;
        let n2 = half.dot(half);
        let turned = if n2 < 1e-3 { rotated_by(theta, q) } else { (Quat::exp(theta) * q).renormalized() };
        out.w.set_lane(i, turned.w);
        out.v.x.set_lane(i, turned.v.x);
        out.v.y.set_lane(i, turned.v.y);
        out.v.z.set_lane(i, turned.v.z);
    }
    out
}

/// exp(θ) q for a θ of about [`SMALL_MOVE`], whose fourth power vanishes.
#[inline(always)]
pub(crate) fn rotated_by_small<T: Simd>(theta: Vec3<T>, q: Quat<T>) -> Quat<T> {
    let half = theta * T::splat(0.5);
    unit(Quat { w: T::ONE - T::splat(0.5) * half.dot(half), v: half } * q)
}

/// Normalizes a quaternion of nearly unit length: 1/√n ≈ (3 − n)/2.
#[inline(always)]
pub(crate) fn unit<T: Simd>(q: Quat<T>) -> Quat<T> {
    let n = q.w * q.w + q.v.dot(q.v);
    let scale = T::splat(1.5) - T::splat(0.5) * n;
    let near = Quat { w: q.w * scale, v: q.v * scale };
    let is_far = (n - T::ONE).abs().above(T::splat(1e-8)) | n.is_nan();
    if is_far.any() {
        let far = q.renormalized();
        let (w, x) = (T::select(is_far, far.w, near.w), T::select(is_far, far.v.x, near.v.x));
        let (y, z) = (T::select(is_far, far.v.y, near.v.y), T::select(is_far, far.v.z, near.v.z));
        return Quat { w, v: Vec3::new(x, y, z) };
    }
    near
}

impl ArticulatedSystem {
    /// Writes the position errors of loop-closure joints and constraints as biases of their rows,
    /// errors within their bounds as zero.
    pub(crate) fn write_loop_gap_biases(&mut self, bound: impl Fn(f64) -> f64) {
        let above = |v: Vec3, size: f64| {
            let least = bound(size);
            if v.dot(v) > least * least { v } else { Vec3::ZERO }
        };
        self.write_coupling_errors(Correction::Positions, &bound, None);
        let ArticulatedSystem { forest, loop_joints, loop_gaps, loops_are_hinges_or_balls, .. } = self;
        for ((closure, loop_joint), gap) in forest.closures_mut().iter_mut().zip(loop_joints).zip(loop_gaps) {
            let (shift, turn) = (above(gap.shift, gap.reach), above(gap.turn, 1.0));
            if *loops_are_hinges_or_balls {
                loop_joint.hinge_or_ball_rows_of(shift, turn, &mut closure.bias);
            } else {
                loop_joint.rows_of(shift, turn, &mut closure.bias);
            }
        }
    }

    /// Adds the first-order effect of displacements of their ends to the position errors of
    /// loop-closure joints, all of which are revolute or spherical. Returns the largest error
    /// relative to its bound.
    #[inline(always)]
    pub(crate) fn predict_loop_errors(
        &mut self,
        moved: impl Fn(usize) -> Six,
        bound: impl Fn(f64) -> f64,
    ) -> f64 {
        let ArticulatedSystem { forest, loop_joints, loop_frames, loop_gaps, .. } = self;
        let mut out = ConstraintErrors::default();
        let all = loop_joints.iter().zip(forest.closures()).zip(loop_frames).zip(loop_gaps);
        for (((loop_joint, closure), frames), gap) in all {
            let [a, b] = closure.places().map(|node| node.map_or(Six::ZERO, &moved));
            gap.shift += (b.lin + b.ang.cross(frames.arm_b)) - (a.lin + a.ang.cross(frames.arm_a));
            if loop_joint.joint.shape() == ClosedForm::Revolute {
                let turn = b.ang - a.ang;
                gap.turn += turn - frames.z_b * frames.z_b.dot(turn);
            }
            out.note::<POSES>(gap, false, &bound);
        }
        out.done().position_excess
    }

    /// Shifts the tree that begins at a node back, so that its centre of mass stays, if the tree
    /// floats.
    #[cold]
    fn restore_centre(
        &self,
        model: &Model,
        first: usize,
        floating: &mut FloatingTree,
        q: &mut [f64],
        motions: &mut [Motion],
    ) {
        let FloatingTree { moment, mass } = core::mem::take(floating);
        let back = moment / mass;
        let root = self.body_nodes[first..].iter().position(|body_node| body_node.is_root(model));
        let Some(root) = root.filter(|&root| self.body_nodes[first + root].tree_joint.is_none()) else {
            return;
        };
        for body_node in &self.body_nodes[first..=first + root] {
            let motion = &mut motions[body_node.body as usize];
            motion.pos -= back;
            q[body_node.q_at as usize..][..3].copy_from_slice(&motion.pos.to_array());
        }
    }
}

/// Solves for the displacement that removes the last measured errors of loop-closure joints, except
/// for those within their bounds, and opens no other joint; into `work.stages.shift`, or added to it.
pub(crate) fn correct_loops(work: &mut Workspace, is_added: bool, bound: impl Fn(f64) -> f64) {
    let Workspace {
        solvers: Solvers { articulated, .. }, stages: StageBuffers { shift, .. }, counts, ..
    } = work;
    let Some(articulated) = articulated else { return };
    counts.solves += 1;
    articulated.write_loop_gap_biases(bound);
    let ArticulatedSystem { forest, body_nodes, .. } = articulated;
    forest.solve_closures(|at, x| {
        let body_node = &body_nodes[at];
        match shift[body_node.v_at as usize..].first_chunk::<6>() {
            Some(before) if is_added => {
                let sum = Six::from_slice(before) + *x;
                body_node.write_x(&sum, shift);
            }
            _ => body_node.write_x(x, shift),
        }
    });
}

/// Adds the first-order effect of the displacement of the last [`correct_loops`] to the errors of
/// loop-closure joints, at the pose of `work.kinematics.motions` and with the forest kept closed:
///
/// ```text
/// x_c = X x_p + N s
/// ```
///
/// This is J x with J of this pose, not of the factor, and moves no body. Returns the largest error
/// relative to its bound; `None` if there are constraints, or joints for which it is not known.
pub(crate) fn predicted_loop_errors(work: &mut Workspace, bound: impl Fn(f64) -> f64) -> Option<f64> {
    let articulated = work
        .solvers
        .articulated
        .as_mut()
        .filter(|articulated| articulated.predicts_loops && articulated.closes_forest)
        .filter(|articulated| articulated.coupling_rows.is_empty())?;
    let motions = &work.kinematics.motions;
    let mut displacements = core::mem::take(&mut articulated.displacements);
    let ArticulatedSystem { forest, body_nodes, joint_frames, .. } = &*articulated;
    for ((at, body_node), node) in body_nodes.iter().enumerate().zip(forest.nodes()).rev() {
        let Some(tree_joint) = &body_node.tree_joint else {
            displacements[at] = node.x;
            continue;
        };
        let parent = node.parent().map_or(Six::ZERO, |parent| displacements[parent]);
        let frames = &frames_at(joint_frames, at, tree_joint, motions);
        displacements[at] = match tree_joint.is_hinge_or_ball() {
            true => carried_displacement(tree_joint.hinge_or_ball(), frames, &parent, node.x.ang),
            false => tree_joint.carried(frames, motions, &parent, &node.x),
        };
    }
    let left = articulated.predict_loop_errors(|node| displacements[node], bound);
    articulated.displacements = displacements;
    Some(left)
}

/// Displacement of a body that rotates on its parent, for a hinge about its axis only; the joint
/// stays closed.
#[inline(always)]
pub(crate) fn carried_displacement<T: Lane>(
    joint: HingeOrBall,
    frames: &JointFrames<T>,
    parent: &Six<T>,
    mut turn: Vec3<T>,
) -> Six<T> {
    let JointFrames { arm_a, arm_b, z_b, .. } = frames;
    let (arm, arm_parent) = if joint.onto_b { (arm_b, arm_a) } else { (arm_a, arm_b) };
    if joint.is_hinge {
        turn = parent.ang + *z_b * z_b.dot(turn - parent.ang);
    }
    Six::new(parent.lin + parent.ang.cross(*arm_parent) - turn.cross(*arm), turn)
}
