//! Loop-closure joint (a joint that the spanning tree left out): its rows and biases.
//!
//! ```text
//! J_a x_a + J_b x_b + c = 0
//! locked translation along e:   J_b = (e, r_b × e),   J_a = −(e, t × e),   c = e·b_d
//! locked rotation about e:      J_b = (0, e),         J_a = −(0, e),       c = e·(b_w − u)
//! ```
//!
//! r_b: arm of b's anchor; t = p_b − x_a; b_d, b_w, u: see `tree_joint/`. A lower pair is given by
//! the directions that it locks, in world axes; any other joint by its own rows.

use crate::body::{Motion, Wrench};
use crate::joint::{JointRows, Relative};
use crate::math::{Six, Vec3};
use crate::model::Model;
use crate::step::articulated::Correction;
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::tree_joint::{JointGap, LockedDirections, TreeJoint};
use cardan_solve::articulated::{LoopClosure, MAX_LOOP_ROWS, Noise};

/// A joint outside the spanning forest.
#[derive(Clone, Debug)]
pub(crate) struct LoopJoint {
    pub(crate) joint: TreeJoint,
    /// Locked directions of a lower pair when its rows were written.
    locked: LockedDirections,
}

impl LoopJoint {
    /// Makes the loop-closure joint of a joint of the model.
    pub(crate) fn new(model: &Model, index: usize) -> Self {
        let joint = &model.joints[index];
        let child = joint.b.body().or(joint.a.body()).unwrap_or(0);
        LoopJoint { joint: TreeJoint::new(model, index, child), locked: LockedDirections::default() }
    }

    /// Index of the joint in the model.
    pub(crate) fn index(&self) -> usize {
        self.joint.index as usize
    }

    /// Indices of the motions of a and b; the last motion is the ground's.
    pub(crate) fn ends(&self) -> [usize; 2] {
        let (a, b) = self.joint.ends();
        [a, b]
    }

    /// Squared distance from the centre of mass of an end to the point where the joint acts.
    #[inline(always)]
    pub(crate) fn arm_squared(&self, model: &Model, motions: &[Motion], end: usize) -> f64 {
        let joint = &model.joints[self.index()];
        if end == 1 {
            return joint.b.local.pos.dot(joint.b.local.pos);
        }
        let [a, b] = self.ends().map(|end| &motions[end]);
        let arm = b.pos + b.axes * joint.b.local.pos - a.pos;
        arm.dot(arm)
    }

    /// Writes the rows on both ends, and the biases.
    #[inline(always)]
    pub(crate) fn write(&mut self, model: &Model, motions: &[Motion], out: &mut LoopClosure) {
        if self.joint.is_lower_pair() {
            return self.joint.write_closure::<true>(model, motions, &mut self.locked, out);
        }
        let (relative, rows) = self.joint.rows(model, motions);
        let joint = &model.joints[self.index()];
        let [a, b] = self.ends().map(|end| &motions[end]);
        let arm_b = b.axes * joint.b.local.pos;
        let to_anchor = b.pos + arm_b - a.pos;
        for r in 0..joint.rows() {
            let w = relative.to_world(rows.gradient[r]);
            for (end, (arm, sign)) in [(to_anchor, -1.0), (arm_b, 1.0)].into_iter().enumerate() {
                let row = Six::new(w.force, w.torque + arm.cross(w.force)).scaled(sign);
                out.rows[end][r] = self.joint.force_masks[end].masked(&row);
            }
            out.bias[r] = rows.jac_dot_v(r, &relative);
        }
    }

    /// Writes the rows of a lower pair on both ends, without biases.
    #[inline(always)]
    pub(crate) fn write_rows(&mut self, model: &Model, motions: &[Motion], out: &mut LoopClosure) {
        if self.joint.is_lower_pair() {
            return self.joint.write_closure::<false>(model, motions, &mut self.locked, out);
        }
        self.write(model, motions, out);
    }

    /// Writes the rows of a revolute or spherical joint whose frames are known.
    #[inline(always)]
    pub(crate) fn write_hinge_or_ball_rows(
        &mut self,
        motions: &[Motion],
        frames: &JointFrames,
        out: &mut LoopClosure,
    ) {
        self.joint.write_closure_of(motions, frames, &mut self.locked, out);
    }

    /// Writes the biases, at the pose where the rows were last written.
    #[inline(always)]
    pub(crate) fn write_bias(&mut self, model: &Model, motions: &[Motion], out: &mut LoopClosure) {
        if self.joint.is_lower_pair() {
            return self.joint.write_closure_bias(model, motions, &self.locked, out);
        }
        self.write(model, motions, out);
    }

    /// Writes the biases of a revolute or spherical joint whose frames are known.
    #[inline(always)]
    pub(crate) fn write_hinge_or_ball_bias(
        &self,
        motions: &[Motion],
        frames: &JointFrames,
        out: &mut LoopClosure,
    ) {
        self.joint.write_hinge_or_ball_bias(motions, frames, &self.locked, out);
    }

    /// Joint error as errors of the rows last written.
    #[inline(always)]
    pub(crate) fn rows_of(&self, shift: Vec3, turn: Vec3, out: &mut [f64; 6]) {
        if !self.joint.is_lower_pair() {
            out[..3].copy_from_slice(&shift.to_array());
            return;
        }
        let LockedDirections { shifts, turns, directions } = &self.locked;
        for r in 0..*shifts {
            out[r] = directions[r].dot(shift);
        }
        for r in *shifts..shifts + turns {
            out[r] = directions[r].dot(turn);
        }
    }

    /// Joint error as errors of the rows of a revolute or spherical joint between rigid bodies,
    /// whose translations are along the world axes.
    #[inline(always)]
    pub(crate) fn hinge_or_ball_rows_of(&self, shift: Vec3, turn: Vec3, out: &mut [f64; 6]) {
        [out[0], out[1], out[2]] = shift.to_array();
        if self.locked.turns == 2 {
            (out[3], out[4]) = (self.locked.directions[3].dot(turn), self.locked.directions[4].dot(turn));
        }
    }

    /// J x + c of all rows of such a joint, from its arms and directions, and squares of the terms
    /// that form the rows of translations and of rotations. x is zero for the ground.
    #[inline(always)]
    pub(crate) fn hinge_or_ball_residual(
        &self,
        motions: &[Motion],
        frames: &JointFrames,
        closure: &LoopClosure,
        [x_a, x_b]: [&Six; 2],
    ) -> ([f64; 6], f64, f64) {
        let square = |v: Vec3| v.dot(v);
        let (a, b) = self.joint.ends();
        let to_anchor = motions[b].pos + frames.arm_b - motions[a].pos;
        let (carried, moved) = (x_a.ang.cross(to_anchor), x_b.ang.cross(frames.arm_b));
        let bias = Vec3::new(closure.bias[0], closure.bias[1], closure.bias[2]);
        let [x, y, z] = (x_b.lin + moved - x_a.lin - carried + bias).to_array();
        let size = square(x_a.lin) + square(carried) + square(x_b.lin) + square(moved) + square(bias);
        let mut left = [x, y, z, 0.0, 0.0, 0.0];
        let mut spin_size = 0.0;
        if self.locked.turns == 2 {
            let spin = x_b.ang - x_a.ang;
            left[3] = self.locked.directions[3].dot(spin) + closure.bias[3];
            left[4] = self.locked.directions[4].dot(spin) + closure.bias[4];
            spin_size = square(x_a.ang) + square(x_b.ang);
            spin_size += closure.bias[3] * closure.bias[3] + closure.bias[4] * closure.bias[4];
        }
        (left, size, spin_size)
    }

    /// Loads of such a joint on its ends at their centres of mass, and squares of the terms that
    /// form its forces and moments there.
    #[inline(always)]
    pub(crate) fn hinge_or_ball_wrenches(
        &self,
        motions: &[Motion],
        frames: &JointFrames,
        closure: &LoopClosure,
    ) -> [(Six, f64, f64); 2] {
        let square = |v: Vec3| v.dot(v);
        let (a, b) = self.joint.ends();
        let to_anchor = motions[b].pos + frames.arm_b - motions[a].pos;
        let answers = &closure.answers;
        let force = Vec3::new(answers[0], answers[1], answers[2]);
        let mut torque = Vec3::ZERO;
        if self.locked.turns == 2 {
            torque = self.locked.directions[3] * answers[3] + self.locked.directions[4] * answers[4];
        }
        let (size, turning) = (square(force), square(torque));
        let on = |arm: Vec3, sign: f64| {
            let push = Six::new(force, torque + arm.cross(force)).scaled(sign);
            (push, size, turning + 2.0 * square(arm) * size)
        };
        [on(to_anchor, -1.0), on(frames.arm_b, 1.0)]
    }

    /// Part of the rows' errors that is noise near a singular pose. `bound` maps the size of the
    /// terms of an error to the error that counts as zero. Errors up to `meant` are corrected in
    /// any case.
    pub(crate) fn noise(
        &self,
        gap: &JointGap,
        what: Correction,
        meant: f64,
        bound: impl Fn(f64) -> f64,
    ) -> Noise {
        let (shift, turn) = match what {
            Correction::Positions => (bound(gap.reach), bound(1.0)),
            Correction::Velocities => (bound(gap.reach_rate), bound(gap.reach_spin)),
        };
        let shifts = if self.joint.is_lower_pair() { self.locked.shifts } else { MAX_LOOP_ROWS };
        let size = core::array::from_fn(|r| if r < shifts { shift } else { turn });
        Noise { size, over_sine: what == Correction::Velocities, meant }
    }

    /// The joint's own multipliers, from those of the rows.
    pub(crate) fn multipliers(
        &self,
        model: &Model,
        relative: &Relative,
        answers: &[f64; 6],
        out: &mut [f64],
    ) {
        if !self.joint.is_lower_pair() {
            return out.copy_from_slice(&answers[..out.len()]);
        }
        rows_of_wrench(model, self.index(), relative, self.wrench(answers), out);
    }

    /// Wrench of a lower pair on b at b's anchor, world axes.
    pub(crate) fn wrench(&self, answers: &[f64; 6]) -> Wrench {
        let LockedDirections { shifts, turns, directions } = &self.locked;
        let mut wrench = Wrench::ZERO;
        for r in 0..*shifts {
            wrench.force += directions[r] * answers[r];
        }
        for r in *shifts..shifts + turns {
            wrench.torque += directions[r] * answers[r];
        }
        wrench
    }
}

/// Multipliers λ of a lower pair from its wrench on b at b's anchor, world axes.
pub(crate) fn rows_of_wrench(
    model: &Model,
    joint: usize,
    relative: &Relative,
    wrench: Wrench,
    out: &mut [f64],
) {
    let joint = &model.joints[joint];
    let (mut force, mut torque) =
        (relative.axes_a.transpose_mul(wrench.force), relative.axes_a.transpose_mul(wrench.torque));
    if joint.plane.is_none() {
        let (structural, driven) = out.split_at_mut(joint.structural_rows());
        // Drives first: along a driven column nothing else has a component.
        let (whole_force, whole_torque) = (force, torque);
        for ((k, _), out) in joint.each_driven().zip(driven) {
            let row = joint.kind.coordinate_row(k, relative);
            *out = row.column.force.dot(whole_force) + row.column.torque.dot(whole_torque);
            force -= row.gradient.force * *out;
            torque -= row.gradient.torque * *out;
        }
        return joint.kind.multipliers(relative, force, torque, structural);
    }
    // The rows of a planar joint are perpendicular to each other.
    let mut rows = JointRows::default();
    joint.write_rows(relative, &[], &mut rows);
    for (r, out) in out.iter_mut().enumerate() {
        let g = &rows.gradient[r];
        let size = g.force.dot(g.force) + g.torque.dot(g.torque);
        *out = (g.force.dot(force) + g.torque.dot(torque)) / size;
    }
}

/// J x + c of a row, and the squared size of the terms that form it. x is zero for the ground.
#[inline(always)]
pub(crate) fn row_residual(closure: &LoopClosure, r: usize, x: [&Six; 2]) -> (f64, f64) {
    let square = |v: Vec3| v.dot(v);
    let mut left = closure.bias[r];
    let mut size = left * left;
    for (end, x) in x.into_iter().enumerate() {
        let row = &closure.rows[end][r];
        left += row.dot(x);
        size += square(row.lin) * square(x.lin) + square(row.ang) * square(x.ang);
    }
    (left, size)
}

/// Error of a row and the size of the terms that form it: of positions, or of velocities.
pub(crate) fn row_gap(loop_joint: &LoopJoint, gap: &JointGap, position: bool, r: usize) -> (f64, f64) {
    let mut rows = [0.0; 6];
    let is_turn = loop_joint.joint.is_lower_pair() && r >= loop_joint.locked.shifts;
    let (shift, turn, sizes) = match position {
        true => (gap.shift, gap.turn, (gap.reach, 1.0)),
        false => (gap.shift_rate, gap.turn_rate, (gap.reach_rate, gap.reach_spin)),
    };
    loop_joint.rows_of(shift, turn, &mut rows);
    (rows[r], if is_turn { sizes.1 } else { sizes.0 })
}
