//! Residual of a joint: relative acceleration of its bodies along the locked directions.
//!
//! ```text
//! locked part of   ẍ_b + ω̇_b × r_b − ẍ_a − ω̇_a × t + b_d     and of     ω̇_b − ω̇_a + b_w − u
//! ```
//!
//! t = p_b − x_a; other symbols as in `tree_joint/mod.rs`. Formed from the motions, not from the
//! eliminated numbers.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Lane, Six, Vec3, larger};
use crate::model::Model;
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::residual::{WorstResidual, square};
use crate::step::articulated::tree_joint::bias::axis_curvature;
use crate::step::articulated::tree_joint::{BodyPair, TreeJoint, perpendicular_part};
use cardan_solve::simd::Simd;

/// Relative accelerations at a joint: translation, bias b_d and rotation, with squares of the terms
/// that form them.
#[derive(Copy, Clone, Debug)]
pub(crate) struct JointResidual<T: Lane> {
    shift: Vec3<T>,
    bias: Vec3<T>,
    spin: Vec3<T>,
    size: T,
    turns: T,
}

impl<T: Simd> JointResidual<T> {
    /// From b's anchor relative to the centres of a and b, and the biases b_d and −(b_w − u).
    /// `reach` is the square of a linear acceleration whose rounding is a lower bound of any
    /// residual.
    #[inline(always)]
    pub(crate) fn of(
        (to_anchor, arm_b): (Vec3<T>, Vec3<T>),
        (bias, turn): (Vec3<T>, Vec3<T>),
        (x_a, x_b): (&Six<T>, &Six<T>),
        reach: T,
    ) -> Self {
        let carried = x_a.ang.cross(to_anchor);
        let moved = x_b.ang.cross(arm_b);
        let sizes = square(x_a.lin) + square(carried) + square(x_b.lin) + square(moved);
        JointResidual {
            shift: x_b.lin + moved - x_a.lin - carried,
            bias,
            spin: x_b.ang - x_a.ang - turn,
            size: sizes + square(bias) + reach,
            turns: square(x_a.ang) + square(x_b.ang) + square(turn),
        }
    }
    /// From the arm on b, where a is the ground, which does not accelerate.
    #[inline(always)]
    pub(crate) fn on_ground(
        arm_b: Vec3<T>,
        (bias, turn): (Vec3<T>, Vec3<T>),
        x_b: &Six<T>,
        reach: T,
    ) -> Self {
        let moved = x_b.ang.cross(arm_b);
        JointResidual {
            shift: x_b.lin + moved,
            bias,
            spin: x_b.ang - turn,
            size: square(x_b.lin) + square(moved) + square(bias) + reach,
            turns: square(x_b.ang) + square(turn),
        }
    }
    /// Notes the residual of a joint that locks all translations, and rotations across `z`. `arms`
    /// is the sum of the squared arms.
    #[inline(always)]
    pub(crate) fn note_hinge(&self, z: Vec3<T>, arms: T, worst: &mut WorstResidual<T>) {
        let spin = perpendicular_part(self.spin, z);
        worst.note_both((square(self.shift + self.bias), self.size), self.scaled_spin(spin, arms));
    }
    /// Notes the residual of a joint that locks all translations and no rotation.
    #[inline(always)]
    pub(crate) fn note_ball(&self, worst: &mut WorstResidual<T>) {
        worst.note(square(self.shift + self.bias), self.size);
    }
    /// Notes the residual of a joint whose locked part of a translation and a rotation is given by
    /// `part`.
    #[inline(always)]
    fn note_part(
        &self,
        part: impl FnOnce(Vec3<T>, Vec3<T>) -> (Vec3<T>, Vec3<T>),
        arms: T,
        worst: &mut WorstResidual<T>,
    ) {
        let (shift, spin) = part(self.shift, self.spin);
        worst.note_both((square(shift + self.bias), self.size), self.scaled_spin(spin, arms));
    }
    /// A rotation is compared with the translation that it causes at the arm too, since its own
    /// terms may be rounding.
    #[inline(always)]
    fn scaled_spin(&self, spin: Vec3<T>, arms: T) -> (T, T) {
        let arm = T::select(arms.above(T::ZERO), arms, T::ONE);
        (square(spin) * arm, self.turns * arm + self.size)
    }
}

impl TreeJoint {
    /// Notes the largest acceleration along the locked directions, relative to the terms that form
    /// it. `reach` is the square of a linear acceleration whose rounding is a lower bound. If all
    /// joints are `closed`, the curvature of an axis is rounding and left out.
    #[inline(always)]
    pub(crate) fn note_residual(
        &self,
        model: &Model,
        motions: &[Motion],
        x: (&Six, &Six),
        (closed, reach): (bool, f64),
        worst: &mut WorstResidual,
    ) {
        if !self.is_hinge_or_ball() {
            return self.note_general_residual(model, motions, x, reach, worst);
        }
        let pair = &BodyPair::without_a(self, motions);
        let mut turn = pair.a.omega.cross(pair.b.omega);
        if self.shape == ClosedForm::Spherical {
            return JointResidual::of(pair.anchor(), (pair.bias(), turn), x, reach).note_ball(worst);
        }
        let z_b = pair.b.axes * self.z_b;
        if !closed {
            turn += axis_curvature(pair.a.axes * self.z_a, z_b, pair.b.omega - pair.a.omega);
        }
        JointResidual::of(pair.anchor(), (pair.bias(), turn), x, reach).note_hinge(z_b, self.arms(), worst);
    }

    /// Notes the residual of any joint.
    #[inline(never)]
    fn note_general_residual(
        &self,
        model: &Model,
        motions: &[Motion],
        x: (&Six, &Six),
        reach: f64,
        worst: &mut WorstResidual,
    ) {
        if !self.is_lower_pair() {
            let left = self.row_residual(model, motions, x.0, x.1, reach.sqrt());
            return worst.note(left * left, 1.0);
        }
        let pair = &BodyPair::new(self, motions);
        let (z_a, z_b) = (pair.a.axes * self.z_a, pair.b.axes * self.z_b);
        let (bias, turn) = self.bias(model, pair, z_a, z_b);
        let part = |shift, spin| self.locked_part(model, pair, (z_a, z_b), shift, spin);
        JointResidual::of(pair.anchor(), (bias, turn), x, reach).note_part(part, self.arms(), worst);
    }

    /// Notes the residual of a closed pair (`closed_pair.rs`) whose biases and frames are known.
    #[inline(always)]
    pub(crate) fn note_simple_residual(
        &self,
        motions: &[Motion],
        x: (&Six, &Six),
        (joint_bias, frames, reach): ((Vec3, Vec3), &JointFrames, f64),
        worst: &mut WorstResidual,
    ) {
        let left = if self.on_ground {
            JointResidual::on_ground(frames.arm_b, joint_bias, x.1, reach)
        } else {
            let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
            JointResidual::of((b.pos + frames.arm_b - a.pos, frames.arm_b), joint_bias, x, reach)
        };
        match self.shape {
            ClosedForm::Revolute => left.note_hinge(frames.z_b, self.arms(), worst),
            ClosedForm::Spherical => left.note_ball(worst),
            _ => {
                let part = |shift, spin| (self.locked_shift(frames, shift), self.locked_turn(frames, spin));
                left.note_part(part, self.arms(), worst);
            }
        }
    }

    /// Locked part of a translation and a rotation of b relative to a.
    fn locked_part(
        &self,
        model: &Model,
        pair: &BodyPair<'_>,
        (z_a, z_b): (Vec3, Vec3),
        mut shift: Vec3,
        mut spin: Vec3,
    ) -> (Vec3, Vec3) {
        let whole = (shift, spin);
        match self.shape {
            ClosedForm::Revolute => spin = perpendicular_part(spin, z_b),
            ClosedForm::Prismatic => shift = perpendicular_part(shift, z_a),
            ClosedForm::Cylindrical => {
                (shift, spin) = (perpendicular_part(shift, z_a), perpendicular_part(spin, z_b))
            }
            ClosedForm::Universal => {
                let n = z_a.cross(self.x_b(pair.b));
                spin = n * (n.dot(spin) / n.dot(n));
            }
            ClosedForm::Planar => (shift, spin) = (z_a * z_a.dot(shift), perpendicular_part(spin, z_b)),
            ClosedForm::Fixed => {}
            _ => spin = Vec3::ZERO,
        }
        if let Some(drives) = &self.drives {
            drives.add_residual(&self.relative(model, pair), whole, &mut shift, &mut spin);
        }
        if self.force_masks[0].planar || self.force_masks[1].planar {
            (shift.z, spin.x, spin.y) = (0.0, 0.0, 0.0);
        }
        (shift, spin)
    }

    /// Largest residual of a joint given by its rows, relative to the terms that form it.
    fn row_residual(&self, model: &Model, motions: &[Motion], x_a: &Six, x_b: &Six, reach: f64) -> f64 {
        let (relative, rows) = self.rows(model, motions);
        let pair = &BodyPair::new(self, motions);
        let (lin_a, lin_b) = (x_a.lin + x_a.ang.cross(pair.arm_a), x_b.lin + x_b.ang.cross(pair.arm_b));
        let carried = x_a.ang.cross(relative.offset);
        let shift = relative.axes_a.transpose_mul(lin_b - lin_a - carried);
        let turn = relative.axes_a.transpose_mul(x_b.ang - x_a.ang);
        let size = lin_a.largest() + lin_b.largest() + carried.largest() + relative.bias.largest() + reach;
        let spin = x_a.ang.largest() + x_b.ang.largest() + relative.bias_spin.largest();
        let arm = pair.arm_a.largest() + pair.arm_b.largest();
        let spin = if arm > 0.0 { larger(spin, size / arm) } else { spin + size };
        let mut worst = 0.0;
        for r in 0..rows.count {
            let g = &rows.gradient[r];
            let left = g.force.dot(shift) + g.torque.dot(turn) + rows.jac_dot_v(r, &relative);
            let size = g.force.largest() * size + g.torque.largest() * spin + rows.velocity_term[r].abs();
            if left != 0.0 {
                worst = larger(worst, left.abs() / size);
            }
        }
        worst
    }
}
