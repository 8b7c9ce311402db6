//! Part of the articulated-body solver.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Lane, Six, Vec3, larger};
use crate::model::Model;
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::residual::{WorstResidual, square};
use crate::step::articulated::tree_joint::bias::axis_curvature;
use crate::step::articulated::tree_joint::{BodyPair, TreeJoint, perpendicular_part};
use cardan_solve::simd::Simd;

/// What accelerations of a and b leave of b_y and of b_w − u, with squares of the terms that form each of them.
#[derive(Copy, Clone, Debug)]
pub(crate) struct JointResidual<T: Lane> {
    shift: Vec3<T>,
    bias: Vec3<T>,
    spin: Vec3<T>,
    size: T,
    turns: T,
}

impl<T: Simd> JointResidual<T> {
    /// With b's anchor from the centres of a and b, and b_y and −(b_w − u) as `held`. `reach` is the square of a linear acceleration below whose rounding nothing
    /// can fall.
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
    /// The same where a is the ground, which does not accelerate.
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
    /// For a joint that locks all shifts, and turns across `z`; `arms` are the squares of its arms.
    #[inline(always)]
    pub(crate) fn note_hinge(&self, z: Vec3<T>, arms: T, worst: &mut WorstResidual<T>) {
        let spin = perpendicular_part(self.spin, z);
        worst.note_both((square(self.shift + self.bias), self.size), self.scaled_spin(spin, arms));
    }
    /// For a joint that locks all shifts and no turn.
    #[inline(always)]
    pub(crate) fn note_ball(&self, worst: &mut WorstResidual<T>) {
        worst.note(square(self.shift + self.bias), self.size);
    }
    /// For a joint that locks what `part` takes out of a shift and a turn.
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
    /// A turn about nothing but rounding is judged beside the shift that it would make at the arm.
    #[inline(always)]
    fn scaled_spin(&self, spin: Vec3<T>, arms: T) -> (T, T) {
        let arm = T::select(arms.above(T::ZERO), arms, T::ONE);
        (square(spin) * arm, self.turns * arm + self.size)
    }
}

impl TreeJoint {
    /// Worst relative acceleration along what the joint locks, relative to the terms that form it; `reach` is the square of a linear
    /// acceleration below whose rounding nothing can fall. Formed from the motions again, not from what was eliminated
    /// with; where all joints are `closed` the curvature of an axis is rounding.
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

    /// The same for any joint.
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

    /// What accelerations leave of these.
    #[inline(always)]
    pub(crate) fn note_simple_residual(
        &self,
        motions: &[Motion],
        x: (&Six, &Six),
        (held, frames, reach): ((Vec3, Vec3), &JointFrames, f64),
        worst: &mut WorstResidual,
    ) {
        let left = if self.on_ground {
            JointResidual::on_ground(frames.arm_b, held, x.1, reach)
        } else {
            let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
            JointResidual::of((b.pos + frames.arm_b - a.pos, frames.arm_b), held, x, reach)
        };
        match self.shape {
            ClosedForm::Revolute => left.note_hinge(frames.z_b, self.arms(), worst),
            _ => left.note_ball(worst),
        }
    }

    /// What of a shift and a turn of b against a the joint locks.
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
                let n = z_a.cross(self.x_b(model, pair.b));
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
            let size = g.force.largest() * size + g.torque.largest() * spin + rows.rest[r].abs();
            if left != 0.0 {
                worst = larger(worst, left.abs() / size);
            }
        }
        worst
    }
}
