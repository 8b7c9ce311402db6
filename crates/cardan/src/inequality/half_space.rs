//! Half-space: the origin of frame 1 stays on one side of a plane of frame 0.
//!
//!   g = n · d − r          d = p₁ − p₀ − c,  n = R₀ n₀,  c = R₀ c₀ a point of the plane, r the radius of a ball about p₁
//!
//!   ġ = n · ḋ + (ω₀ × n) · d
//!   g̈ = n · (p̈₁ − p̈₀) − ω̇₀ · ((c + d) × n) + 2 (ω₀ × n) · ḋ + (ω₀ × (ω₀ × n)) · d − n · (ω₀ × (ω₀ × c))

use crate::body::{FrameMotion, Wrench};
use crate::constraint::{Constraint, ConstraintRows};
use crate::math::Vec3;

/// A plane in frame 0 that the origin of frame 1 (or a ball about it) does not pass.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct HalfSpace {
    /// Normal of the plane in frame 0, of unit length, towards the allowed side.
    pub normal: Vec3,
    /// A point of the plane in frame 0 \[m\].
    pub point: Vec3,
    /// Radius of the ball \[m\], zero for a point.
    pub radius: f64,
}

impl HalfSpace {
    /// The half-space on the side of `normal` of a plane through the origin of frame 0; `None` if
    /// the normal has no direction.
    pub fn new(normal: impl Into<Vec3>) -> Option<Self> {
        let normal = normal.into().normalized()?;
        Some(HalfSpace { normal, point: Vec3::ZERO, radius: 0.0 })
    }
}

impl Constraint for HalfSpace {
    fn kind(&self) -> &'static str {
        "half-space"
    }

    fn rows(&self) -> usize {
        1
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (plane, ball) = (&frames[0], &frames[1]);
        let (n, c) = (plane.rot * self.normal, plane.rot * self.point);
        let d = ball.pos - plane.pos - c;
        let rate = ball.vel - plane.vel - plane.omega.cross(c);
        out.err[0] = n.dot(d) - self.radius;
        out.scale[0] = ball.reach + plane.reach + c.largest() + self.radius;
        let turning = plane.omega.cross(n);
        // The point c and the normal n turn with the plane: their accelerations.
        let point = plane.omega.cross(plane.omega.cross(c));
        out.jac_dot_v[0] = 2.0 * turning.dot(rate) + plane.omega.cross(turning).dot(d) - n.dot(point);
        *out.gradient(0, 1) = Wrench { force: n, torque: Vec3::ZERO };
        // The reaction acts on the plane at the point.
        *out.gradient(0, 0) = Wrench { force: -n, torque: -(c + d).cross(n) };
    }

    fn needs_orientation(&self, _end: usize) -> bool {
        false
    }
}
