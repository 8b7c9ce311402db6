//! Bound of a distance: bodies that stay apart, or a rope between them.
//!
//!   g = σ (|d| − l)           d = p₁ − p₀,  σ = 1 for at least, −1 for at most
//!
//!   ġ = σ u · ḋ               u = d / |d|
//!   g̈ = σ (u · d̈ + (ḋ² − (u · ḋ)²) / |d|)
//!
//! Where both points coincide u is along x: a slack rope has no direction yet.

use crate::body::{FrameMotion, Wrench};
use crate::constraint::{Constraint, ConstraintRows};
use crate::math::Vec3;

/// The distance of the origins of two frames is at least, or at most, a length.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct DistanceBound {
    /// The length \[m\].
    pub length: f64,
    /// Whether the distance is at most the length, as with a rope.
    pub at_most: bool,
}

impl Constraint for DistanceBound {
    fn kind(&self) -> &'static str {
        if self.at_most { "rope" } else { "apart" }
    }

    fn rows(&self) -> usize {
        1
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (a, b) = (&frames[0], &frames[1]);
        let (d, rate) = (b.pos - a.pos, b.vel - a.vel);
        let distance = d.norm();
        let sign = if self.at_most { -1.0 } else { 1.0 };
        let u = if distance > 0.0 { d * (1.0 / distance) } else { Vec3::new(1.0, 0.0, 0.0) };
        let along = u.dot(rate);
        let across = rate - u * along;
        out.err[0] = sign * (distance - self.length);
        out.scale[0] = a.reach + b.reach + self.length;
        out.jac_dot_v[0] = if distance > 0.0 { sign * across.dot(across) / distance } else { 0.0 };
        *out.gradient(0, 1) = Wrench { force: u * sign, torque: Vec3::ZERO };
        *out.gradient(0, 0) = Wrench { force: u * -sign, torque: Vec3::ZERO };
    }
}
