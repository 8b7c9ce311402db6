//! Revolute, spherical and prismatic joints without drives: N and γ in closed form.
//!
//! ```text
//! revolute    N = σ (r × z_b, z_b)       γ = σ (r × τ − b_d, τ),   τ = u − b_w
//! spherical   N = σ (−skew(r), 1)        γ = −σ (b_d, 0)           (any γ_ω will do)
//! prismatic   N = σ (z_a, 0)             γ = σ (r × τ − b_d⊥, τ)   b_d⊥: part of b_d across z_a
//! ```
//!
//! Symbols as in `tree_joint/mod.rs`. The functions are generic over the lane type.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Lane, Six, Vec3};
use crate::step::articulated::tree_joint::bias::{axis_curvature, bias_of_anchor};
use crate::step::articulated::tree_joint::{BodyPair, TreeJoint, perpendicular_part};

/// Kind of a revolute or spherical joint without drive.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct HingeOrBall {
    pub(crate) is_hinge: bool,
    /// True if b is the child; otherwise a is.
    pub(crate) onto_b: bool,
    /// True if b is the child and a is the ground.
    pub(crate) on_ground: bool,
}

impl HingeOrBall {
    /// The joint with a child end that is known at compile time.
    #[inline(always)]
    pub(crate) fn with_child<const B: bool>(self) -> Self {
        HingeOrBall { onto_b: B, ..self }
    }
    /// Orders values of the child and of its parent as (a, b).
    #[inline(always)]
    pub(crate) fn sides<X>(self, own: X, parent: X) -> (X, X) {
        if self.onto_b { (parent, own) } else { (own, parent) }
    }
    /// Motion subspace N of a revolute joint: rotation about z_b through b's anchor, which is `arm`
    /// from the child's centre. For a spherical joint the arm is returned instead.
    #[inline(always)]
    pub(crate) fn freedom<T: Lane>(self, arm: Vec3<T>, z_b: Vec3<T>) -> Six<T> {
        match (self.is_hinge, self.onto_b) {
            (false, _) => Six::new(arm, Vec3::ZERO),
            (true, true) => Six::new(arm.cross(z_b), z_b),
            (true, false) => -Six::new(arm.cross(z_b), z_b),
        }
    }
    /// γ from b_d and u − b_w. All rotations of a spherical joint are free, so that γ_ω is
    /// arbitrary.
    #[inline(always)]
    pub(crate) fn gamma<T: Lane>(self, arm: Vec3<T>, bias: Vec3<T>, turn: Vec3<T>) -> Six<T> {
        match (self.is_hinge, self.onto_b) {
            (false, true) => Six::new(-bias, Vec3::ZERO),
            (false, false) => Six::new(bias, Vec3::ZERO),
            (true, true) => Six::new(arm.cross(turn) - bias, turn),
            (true, false) => Six::new(bias - arm.cross(turn), -turn),
        }
    }
    /// γ of a closed joint with the arm on b given; and b_d and −b_w.
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

/// N and γ of a closed prismatic joint along `z_a`.
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
    /// Kind of the joint, if it [is revolute or spherical](TreeJoint::is_hinge_or_ball).
    #[inline(always)]
    pub(crate) fn hinge_or_ball(&self) -> HingeOrBall {
        HingeOrBall {
            is_hinge: self.shape == ClosedForm::Revolute,
            onto_b: self.onto_b,
            on_ground: self.on_ground,
        }
    }

    /// Shift d, N and γ of a revolute joint. If it is `closed` to rounding, its axes agree and w is
    /// along them; u is then rounding and left out.
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

    /// Shift d and N of a revolute joint.
    #[inline(always)]
    pub(crate) fn write_hinge_geometry(&self, motions: &[Motion]) -> (Vec3, Six) {
        let pair = &BodyPair::without_a(self, motions);
        (self.shift(pair), self.hinge_or_ball().freedom(self.arm(pair), pair.b.axes * self.z_b))
    }

    /// Shift d, N and γ of a prismatic joint that is closed to rounding. Its bodies have the same
    /// angular velocity, so that the curvature term is rounding and left out.
    #[inline(always)]
    pub(crate) fn write_slide(&self, motions: &[Motion]) -> (Vec3, Six, Six) {
        let pair = &BodyPair::without_a(self, motions);
        let (first, gamma) = closed_slide(self.onto_b, (pair.a, pair.b), pair.arm_b, pair.a.axes * self.z_a);
        (self.shift(pair), first, gamma)
    }

    /// Bias along the axis of a prismatic joint, which its γ leaves out: p̈ = s + this.
    pub(crate) fn bias_along_slide(&self, motions: &[Motion]) -> f64 {
        let pair = &BodyPair::without_a(self, motions);
        (pair.a.axes * self.z_a).dot(pair.bias())
    }

    /// Shift d, the arm (in place of N) and γ of a spherical joint.
    #[inline(always)]
    pub(crate) fn write_ball(&self, motions: &[Motion]) -> (Vec3, Six, Six) {
        let pair = &BodyPair::without_a(self, motions);
        let (arm, hinge_or_ball) = (self.arm(pair), self.hinge_or_ball());
        (self.shift(pair), Six::new(arm, Vec3::ZERO), hinge_or_ball.gamma(arm, pair.bias(), Vec3::ZERO))
    }

    /// Shift d and the arm of a spherical joint.
    #[inline(always)]
    pub(crate) fn write_ball_geometry(&self, motions: &[Motion]) -> (Vec3, Six) {
        let pair = &BodyPair::without_a(self, motions);
        (self.shift(pair), Six::new(self.arm(pair), Vec3::ZERO))
    }

    /// γ of a closed revolute or spherical joint with the arm on b given; and b_d and −b_w.
    #[inline(always)]
    pub(crate) fn closed_gamma(&self, motions: &[Motion], arm_b: Vec3) -> (Six, Vec3, Vec3) {
        self.hinge_or_ball().closed_gamma(&motions[self.a as usize], &motions[self.b as usize], arm_b)
    }
}
