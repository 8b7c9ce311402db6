//! Rows and biases of a lower pair as a loop-closure joint (see `loop_joint.rs` for the equations).

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Lane, Six, Vec3};
use crate::model::Model;
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::tree_joint::bias::axis_curvature;
use crate::step::articulated::tree_joint::{BodyPair, TreeJoint};
use cardan_solve::articulated::LoopClosure;

/// Locked directions of a joint in world axes: translations first, then rotations.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct LockedDirections {
    pub(crate) shifts: usize,
    pub(crate) turns: usize,
    pub(crate) directions: [Vec3; 6],
}

/// Two directions that form an orthonormal basis with a unit vector (Duff et al. 2017).
#[inline(always)]
pub(crate) fn perpendicular_basis<T: Lane>(z: Vec3<T>) -> (Vec3<T>, Vec3<T>) {
    let sign = T::ONE.with_sign_of(z.z);
    let a = T::splat(-1.0) / (sign + z.z);
    let b = z.x * z.y * a;
    (
        Vec3::new(T::ONE + sign * z.x * z.x * a, sign * b, -sign * z.x),
        Vec3::new(b, sign + z.y * z.y * a, -z.y),
    )
}

impl TreeJoint {
    /// Writes the locked directions in world axes, the rows on a and b, and with `BIASES` their
    /// biases.
    #[inline(always)]
    pub(crate) fn write_closure<const BIASES: bool>(
        &self,
        model: &Model,
        motions: &[Motion],
        locked: &mut LockedDirections,
        out: &mut LoopClosure,
    ) {
        if self.is_hinge_or_ball() && !self.in_plane {
            let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
            let (arm_b, z_b) = (b.axes * self.pos_b, b.axes * self.z_b);
            self.write_hinge_or_ball_closure((b.pos + arm_b - a.pos, arm_b), z_b, locked, out);
            if BIASES {
                self.write_closure_bias(model, motions, locked, out);
            }
            return;
        }
        let pair = &BodyPair::new(self, motions);
        let (z_a, z_b) = (pair.a.axes * self.z_a, pair.b.axes * self.z_b);
        let all = [Vec3::X, Vec3::Y, Vec3::Z];
        let perpendicular_to_a = || {
            let (u, w) = perpendicular_basis(z_a);
            [u, w, Vec3::ZERO]
        };
        let perpendicular_to_b = || {
            let (u, w) = perpendicular_basis(z_b);
            [u, w, Vec3::ZERO]
        };
        let one = |e: Vec3| [e, Vec3::ZERO, Vec3::ZERO];
        let (mut shifts, mut turns) = if self.in_plane {
            match self.shape {
                ClosedForm::Fixed => ((all, 2), (one(Vec3::Z), 1)),
                ClosedForm::Prismatic | ClosedForm::Cylindrical => {
                    ((one(Vec3::Z.cross(z_a)), 1), (one(Vec3::Z), 1))
                }
                ClosedForm::Planar => ((one(z_a), 1), (one(Vec3::Z), 1)),
                _ => ((all, 2), (all, 0)),
            }
        } else {
            match self.shape {
                ClosedForm::Revolute => ((all, 3), (perpendicular_to_b(), 2)),
                ClosedForm::Prismatic => ((perpendicular_to_a(), 2), (all, 3)),
                ClosedForm::Cylindrical => ((perpendicular_to_a(), 2), (perpendicular_to_b(), 2)),
                ClosedForm::Universal => {
                    let n = z_a.cross(self.x_b(pair.b));
                    ((all, 3), (one(n / n.norm()), 1))
                }
                ClosedForm::Planar => ((one(z_a), 1), (perpendicular_to_b(), 2)),
                ClosedForm::Fixed => ((all, 3), (all, 3)),
                _ => ((all, 3), (all, 0)),
            }
        };
        if let Some(drives) = &self.drives {
            for driven_row in drives.rows_in_world(&self.relative(model, pair)) {
                let is_turn = driven_row.gradient.force == Vec3::ZERO;
                let (list, e) = if is_turn {
                    (&mut turns, driven_row.gradient.torque)
                } else {
                    (&mut shifts, driven_row.gradient.force)
                };
                list.0[list.1] = e;
                list.1 += 1;
            }
        }
        *locked = LockedDirections { shifts: shifts.1, turns: turns.1, directions: [Vec3::ZERO; 6] };
        let (bias, turn) = self.bias(model, pair, z_a, z_b);
        let mut r = 0;
        for &e in &shifts.0[..shifts.1] {
            locked.directions[r] = e;
            out.rows[0][r] = -Six::new(e, pair.to_anchor.cross(e));
            out.rows[1][r] = Six::new(e, pair.arm_b.cross(e));
            out.bias[r] = e.dot(bias);
            r += 1;
        }
        for &e in &turns.0[..turns.1] {
            locked.directions[r] = e;
            out.rows[0][r] = Six::new(Vec3::ZERO, -e);
            out.rows[1][r] = Six::new(Vec3::ZERO, e);
            out.bias[r] = -e.dot(turn);
            r += 1;
        }
        for (end, force_mask) in self.force_masks.iter().enumerate() {
            if !force_mask.all {
                out.rows[end][..r].iter_mut().for_each(|row| *row = force_mask.masked(row));
            }
        }
    }

    /// Writes the rows of a revolute or spherical joint between rigid bodies, or one and the
    /// ground: (e, r × e) for translations along the world axes, and rotations across b's axis.
    #[inline(always)]
    fn write_hinge_or_ball_closure(
        &self,
        (to_anchor, arm_b): (Vec3, Vec3),
        z_b: Vec3,
        locked: &mut LockedDirections,
        out: &mut LoopClosure,
    ) {
        locked.shifts = 3;
        [locked.directions[0], locked.directions[1], locked.directions[2]] = [Vec3::X, Vec3::Y, Vec3::Z];
        let ends = [(-to_anchor, -1.0, self.force_masks[0]), (arm_b, 1.0, self.force_masks[1])];
        for (rows, (r, sign, force_mask)) in out.rows.iter_mut().zip(ends) {
            // Nothing acts on the ground.
            let (r, sign) = if force_mask.is_ground { (Vec3::ZERO, 0.0) } else { (r, sign) };
            rows[0] = Six::new(Vec3::new(sign, 0.0, 0.0), Vec3::new(0.0, r.z, -r.y));
            rows[1] = Six::new(Vec3::new(0.0, sign, 0.0), Vec3::new(-r.z, 0.0, r.x));
            rows[2] = Six::new(Vec3::new(0.0, 0.0, sign), Vec3::new(r.y, -r.x, 0.0));
        }
        locked.turns = 0;
        if self.shape == ClosedForm::Revolute {
            locked.turns = 2;
            let (u, w) = perpendicular_basis(z_b);
            for (k, e) in [u, w].into_iter().enumerate() {
                locked.directions[3 + k] = e;
                for (rows, (_, sign, force_mask)) in out.rows.iter_mut().zip(ends) {
                    let sign = if force_mask.is_ground { 0.0 } else { sign };
                    rows[3 + k] = Six::new(Vec3::ZERO, e * sign);
                }
            }
        }
    }

    /// Writes the rows of a revolute or spherical joint with given joint frames.
    #[inline(always)]
    pub(crate) fn write_closure_of(
        &self,
        motions: &[Motion],
        frames: &JointFrames,
        locked: &mut LockedDirections,
        out: &mut LoopClosure,
    ) {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let to_anchor = b.pos + frames.arm_b - a.pos;
        self.write_hinge_or_ball_closure((to_anchor, frames.arm_b), frames.z_b, locked, out);
    }

    /// Writes the biases of the rows of [`write_closure`](TreeJoint::write_closure) at the same
    /// pose.
    #[inline(always)]
    pub(crate) fn write_closure_bias(
        &self,
        model: &Model,
        motions: &[Motion],
        locked: &LockedDirections,
        out: &mut LoopClosure,
    ) {
        let pair = &BodyPair::new(self, motions);
        let (z_a, z_b) = (pair.a.axes * self.z_a, pair.b.axes * self.z_b);
        let (bias, turn) = self.bias(model, pair, z_a, z_b);
        let LockedDirections { shifts, turns, directions } = locked;
        for r in 0..*shifts {
            out.bias[r] = directions[r].dot(bias);
        }
        for r in *shifts..shifts + turns {
            out.bias[r] = -directions[r].dot(turn);
        }
    }

    /// Writes the biases of a revolute or spherical joint with given joint frames, as
    /// [`write_closure_bias`](TreeJoint::write_closure_bias) does.
    #[inline(always)]
    pub(crate) fn write_hinge_or_ball_bias(
        &self,
        motions: &[Motion],
        frames: &JointFrames,
        locked: &LockedDirections,
        out: &mut LoopClosure,
    ) {
        let pair = &BodyPair::on(self, motions, frames.arm_b);
        let (a, b) = (pair.a.omega, pair.b.omega);
        let bias = pair.bias();
        // The translations are along the world axes.
        [out.bias[0], out.bias[1], out.bias[2]] = bias.to_array();
        if self.shape == ClosedForm::Revolute {
            let turn = a.cross(b) + axis_curvature(frames.z_a, frames.z_b, b - a);
            out.bias[3] = -locked.directions[3].dot(turn);
            out.bias[4] = -locked.directions[4].dot(turn);
        }
    }
}
