//! The frame of b seen from the frame of a: d, q, ḋ, w and the biases of d̈ and ẇ (equations at the
//! head of `mod.rs`).

use crate::body::{Frame, FrameMotion, Motion, Wrench};
use crate::math::{Mat3, Quat, Vec3};

/// b's frame seen from a's frame: pose, velocity, and acceleration bias (the acceleration at zero
/// generalised acceleration).
#[derive(Copy, Clone, Debug)]
pub struct Relative {
    /// d: origin of b's frame \[m\].
    pub shift: Vec3,
    /// q: orientation of b's frame, scalar part not negative.
    pub turn: Quat,
    /// ḋ \[m/s\].
    pub rate: Vec3,
    /// w: relative angular velocity \[rad/s\].
    pub spin: Vec3,
    /// d̈ at zero generalised acceleration \[m/s²\].
    pub bias: Vec3,
    /// ẇ at zero generalised acceleration \[rad/s²\].
    pub bias_spin: Vec3,
    /// Axes of a's frame in the world.
    pub axes_a: Mat3,
    /// Δ: from a's origin to b's origin, world axes \[m\].
    pub offset: Vec3,
    /// Size of the numbers that formed the shift \[m\]: rounding of C is proportional to it.
    pub reach: f64,
}

impl Relative {
    /// Relative motion from the kinematics of the two frames.
    #[inline]
    pub fn new(a: &FrameMotion, b: &FrameMotion) -> Self {
        let axes_a = a.rot.matrix();
        let offset = b.pos - a.pos;
        let offset_rate = b.vel - a.vel;
        let carried = a.omega.cross(offset);
        let turn = a.rot.inverse() * b.rot;
        let bias = b.bias - a.bias - a.bias_omega.cross(offset) - a.omega.cross(offset_rate) * 2.0
            + a.omega.cross(carried);
        let bias_spin = b.bias_omega - a.bias_omega - a.omega.cross(b.omega);
        Relative {
            shift: axes_a.transpose_mul(offset),
            turn: if turn.w < 0.0 { -turn } else { turn },
            rate: axes_a.transpose_mul(offset_rate - carried),
            spin: axes_a.transpose_mul(b.omega - a.omega),
            bias: axes_a.transpose_mul(bias),
            bias_spin: axes_a.transpose_mul(bias_spin),
            axes_a,
            offset,
            reach: a.reach + b.reach,
        }
    }

    /// Relative rotation alone, from orientations and angular velocities of the two frames, with the bits of
    /// [`new`](Relative::new); all translations are zero.
    #[inline]
    pub(crate) fn of_rotations((rot_a, omega_a): (Quat, Vec3), (rot_b, omega_b): (Quat, Vec3)) -> Self {
        let axes_a = rot_a.matrix();
        let turn = rot_a.inverse() * rot_b;
        Relative {
            shift: Vec3::ZERO,
            turn: if turn.w < 0.0 { -turn } else { turn },
            rate: Vec3::ZERO,
            spin: axes_a.transpose_mul(omega_b - omega_a),
            bias: Vec3::ZERO,
            bias_spin: Vec3::ZERO,
            axes_a,
            offset: Vec3::ZERO,
            reach: 0.0,
        }
    }

    /// n = z_a × x_b: the direction about which a universal joint cannot turn; of unit length where
    /// closed.
    pub(super) fn cross_axis(&self) -> Vec3 {
        let x = self.turn * Vec3::X;
        Vec3::new(-x.y, x.x, 0.0)
    }

    /// λ with (q_w + [q_v]×) λ = torque.
    pub(super) fn turn_multipliers(&self, torque: Vec3) -> Vec3 {
        let q = self.turn;
        torque * q.w - q.v.cross(torque) + q.v * (q.v.dot(torque) / q.w)
    }

    /// A wrench given in a's axes, expressed in world axes.
    #[inline]
    pub(crate) fn to_world(self, w: Wrench) -> Wrench {
        Wrench { force: self.axes_a * w.force, torque: self.axes_a * w.torque }
    }

    /// The reaction at a's frame to a wrench (world axes) that acts at b's frame.
    #[inline]
    pub(crate) fn carried_to_a(self, at_b: Wrench) -> Wrench {
        Wrench { force: -at_b.force, torque: -(at_b.torque + self.offset.cross(at_b.force)) }
    }
}

/// Motion along the one freedom of a revolute or prismatic joint: what its coordinates are, without the
/// rest of
/// [`Relative`].
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct AxisMotion {
    /// The axis, world axes.
    pub(crate) axis: Vec3,
    /// The coordinate, without turns \[rad or m\], and its rate.
    pub(crate) value: f64,
    pub(crate) rate: f64,
    /// Acceleration of the coordinate when no body accelerates; zero for an angle.
    pub(crate) bias: f64,
    /// b's origin, seen from the centres of mass of a and b; zero for an angle \[m\].
    pub(crate) arms: [Vec3; 2],
}

impl AxisMotion {
    /// Sets axis and rate of a revolute joint between two bodies, with its axis in b. The angle is left to
    /// `HingeTurns`; bias and arms are zero at all times.
    #[inline(always)]
    pub(crate) fn set_hinge(&mut self, a: &Motion, b: &Motion, axis_in_b: Vec3) {
        self.axis = b.axes * axis_in_b;
        self.rate = self.axis.dot(b.omega - a.omega);
    }

    /// Of a prismatic joint.
    #[inline]
    pub(crate) fn of_slide([a, b]: [(&Motion, &Frame); 2]) -> Self {
        let axis = a.0.axes * (a.1.rot * Vec3::Z);
        let [(a, arm_a), (b, arm_b)] = [a, b].map(|(motion, frame)| (motion, motion.axes * frame.pos));
        let (to_anchor, spin_b) = (b.pos + arm_b - a.pos, b.omega.cross(arm_b));
        // ṗ_b seen from a's centre of mass; b_d of the tree joints (`step/articulated/tree_joint`).
        let seen = b.vel + spin_b - a.vel;
        let carried = a.omega.cross(to_anchor);
        let bias = b.omega.cross(spin_b) - a.omega.cross(seen + seen - carried);
        AxisMotion {
            axis,
            value: axis.dot(to_anchor - arm_a),
            rate: axis.dot(seen - carried),
            bias: axis.dot(bias),
            arms: [to_anchor, arm_b],
        }
    }
}
