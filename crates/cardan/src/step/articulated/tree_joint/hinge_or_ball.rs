//! Part of the articulated-body solver.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Lane, Six, Vec3};
use crate::step::articulated::tree_joint::bias::{axis_curvature, bias_of_anchor};
use crate::step::articulated::tree_joint::{BodyPair, TreeJoint, perpendicular_part};

/// What a hinge or a ball that nothing drives is.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct HingeOrBall {
    pub(crate) is_hinge: bool,
    /// b is the child; otherwise a.
    pub(crate) onto_b: bool,
    /// And a is the ground.
    pub(crate) on_ground: bool,
}

impl HingeOrBall {
    /// The same, where it is known at which end its child is.
    #[inline(always)]
    pub(crate) fn with_child<const B: bool>(self) -> Self {
        HingeOrBall { onto_b: B, ..self }
    }
    /// a and b, of the child and its parent.
    #[inline(always)]
    pub(crate) fn sides<X>(self, own: X, parent: X) -> (X, X) {
        if self.onto_b { (parent, own) } else { (own, parent) }
    }
    /// N: a turn about z through b's anchor, `arm` from the child's centre; of a ball the arm.
    #[inline(always)]
    pub(crate) fn freedom<T: Lane>(self, arm: Vec3<T>, z_b: Vec3<T>) -> Six<T> {
        match (self.is_hinge, self.onto_b) {
            (false, _) => Six::new(arm, Vec3::ZERO),
            (true, true) => Six::new(arm.cross(z_b), z_b),
            (true, false) => -Six::new(arm.cross(z_b), z_b),
        }
    }
    /// γ, with b_y and u − b_w. All turns of a ball are free, so that any will do for it.
    #[inline(always)]
    pub(crate) fn gamma<T: Lane>(self, arm: Vec3<T>, bias: Vec3<T>, turn: Vec3<T>) -> Six<T> {
        match (self.is_hinge, self.onto_b) {
            (false, true) => Six::new(-bias, Vec3::ZERO),
            (false, false) => Six::new(bias, Vec3::ZERO),
            (true, true) => Six::new(arm.cross(turn) - bias, turn),
            (true, false) => Six::new(bias - arm.cross(turn), -turn),
        }
    }
    /// γ where it is closed, with its arm on b; and b_y and −b_w.
    #[inline(always)]
    pub(crate) fn closed_gamma<T: Lane>(
        self,
        a: &Motion<T>,
        b: &Motion<T>,
        arm_b: Vec3<T>,
    ) -> (Six<T>, Vec3<T>, Vec3<T>) {
        let spin = b.omega.cross(arm_b);
        if self.on_ground {
            let bias = b.omega.cross(spin);
            return (Six::new(-bias, Vec3::ZERO), bias, Vec3::ZERO);
        }
        let turn = a.omega.cross(b.omega);
        let to_anchor = b.pos + arm_b - a.pos;
        let bias = bias_of_anchor(a, b, to_anchor, spin);
        (self.gamma(if self.onto_b { arm_b } else { to_anchor }, bias, turn), bias, turn)
    }
}

/// N and γ of a slide along `z_a` that is closed.
#[inline(always)]
pub(crate) fn closed_slide<T: Lane>(
    onto_b: bool,
    (a, b): (&Motion<T>, &Motion<T>),
    arm_b: Vec3<T>,
    z_a: Vec3<T>,
) -> (Six<T>, Six<T>) {
    let sign = T::splat(if onto_b { 1.0 } else { -1.0 });
    let (to_anchor, spin_b) = (b.pos + arm_b - a.pos, b.omega.cross(arm_b));
    let arm = if onto_b { arm_b } else { to_anchor };
    let locked = perpendicular_part(bias_of_anchor(a, b, to_anchor, spin_b), z_a);
    let turn = a.omega.cross(b.omega) * sign;
    (Six::new(z_a, Vec3::ZERO).scaled(sign), Six::new(locked * -sign + arm.cross(turn), turn))
}

impl TreeJoint {
    /// What it is, if it [is common](TreeJoint::is_hinge_or_ball).
    #[inline(always)]
    pub(crate) fn hinge_or_ball(&self) -> HingeOrBall {
        HingeOrBall {
            is_hinge: self.shape == ClosedForm::Revolute,
            onto_b: self.onto_b,
            on_ground: self.on_ground,
        }
    }

    /// d, N and γ of such a hinge. Where it is `closed` to rounding its axes are one and w lies along them, so that u is
    /// rounding and left out.
    #[inline(always)]
    pub(crate) fn write_hinge(&self, motions: &[Motion], closed: bool) -> (Vec3, Six, Six) {
        let pair = &BodyPair::without_a(self, motions);
        let (z_b, arm, hinge_or_ball) = (pair.b.axes * self.z_b, self.arm(pair), self.hinge_or_ball());
        let (a, b) = (pair.a.omega, pair.b.omega);
        let mut turn = a.cross(b);
        if !closed {
            turn += axis_curvature(pair.a.axes * self.z_a, z_b, b - a);
        }
        (self.shift(pair), hinge_or_ball.freedom(arm, z_b), hinge_or_ball.gamma(arm, pair.bias(), turn))
    }

    /// d and N alone.
    #[inline(always)]
    pub(crate) fn write_hinge_geometry(&self, motions: &[Motion]) -> (Vec3, Six) {
        let pair = &BodyPair::without_a(self, motions);
        (self.shift(pair), self.hinge_or_ball().freedom(self.arm(pair), pair.b.axes * self.z_b))
    }

    /// d, N and γ of such a slide that is closed to rounding: its bodies turn alike then, and what its curvature would add is rounding.
    #[inline(always)]
    pub(crate) fn write_slide(&self, motions: &[Motion]) -> (Vec3, Six, Six) {
        let pair = &BodyPair::without_a(self, motions);
        let (first, gamma) = closed_slide(self.onto_b, (pair.a, pair.b), pair.arm_b, pair.a.axes * self.z_a);
        (self.shift(pair), first, gamma)
    }

    /// d, the arm in the place of N, and γ of such a ball.
    #[inline(always)]
    pub(crate) fn write_ball(&self, motions: &[Motion]) -> (Vec3, Six, Six) {
        let pair = &BodyPair::without_a(self, motions);
        let (arm, hinge_or_ball) = (self.arm(pair), self.hinge_or_ball());
        (self.shift(pair), Six::new(arm, Vec3::ZERO), hinge_or_ball.gamma(arm, pair.bias(), Vec3::ZERO))
    }

    /// d and the arm alone.
    #[inline(always)]
    pub(crate) fn write_ball_geometry(&self, motions: &[Motion]) -> (Vec3, Six) {
        let pair = &BodyPair::without_a(self, motions);
        (self.shift(pair), Six::new(self.arm(pair), Vec3::ZERO))
    }

    /// γ of a common joint that is closed, with its arm on b; and b_y and −b_w.
    #[inline(always)]
    pub(crate) fn closed_gamma(&self, motions: &[Motion], arm_b: Vec3) -> (Six, Vec3, Vec3) {
        self.hinge_or_ball().closed_gamma(&motions[self.a as usize], &motions[self.b as usize], arm_b)
    }
}
