//! Rotation of a free rigid body over h: symplectic, reversible, angular momentum kept to rounding.
//!
//! With the angular momentum Π in principal axes and moments I₁ ≤ I₂ ≤ I₃, the kinetic energy is
//! split
//!
//! ```text
//! T = |Π|² / (2 I₂)  +  ½ (1/I₁ − 1/I₂) Π₁²  +  ½ (1/I₃ − 1/I₂) Π₃²
//! ```
//!
//! The first part rotates the body about its momentum in space and commutes with the other two.
//! These rotate it about axes 1 and 3 and are composed symmetrically: half of 1, all of 3, half of
//! 1 (Dullweber, Leimkuhler and McLachlan 1997, with the spherical part separated). Each part is an
//! exact rotation. The method has order 2, with an error proportional to (1/I₁ − 1/I₂) (1/I₃ −
//! 1/I₂): a symmetric top is exact.

use crate::math::{Quat, Sym3, Vec3, vec3};

/// Principal axes and moments of a rigid body.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Rotor {
    /// Principal axes in the body.
    axes: Quat,
    /// Principal moments, ascending.
    moments: Vec3,
}

/// Product by components.
fn times(a: Vec3, b: Vec3) -> Vec3 {
    vec3(a.x * b.x, a.y * b.y, a.z * b.z)
}
/// Quotient by components.
fn over(a: Vec3, b: Vec3) -> Vec3 {
    vec3(a.x / b.x, a.y / b.y, a.z / b.z)
}

impl Rotor {
    /// Principal axes and moments of an inertia tensor.
    pub(crate) fn new(inertia: &Sym3) -> Self {
        let ([x, y, z], axes) = inertia.principal();
        Rotor { axes: Quat::from_matrix(&axes), moments: vec3(x, y, z) }
    }

    /// I⁻¹ (ω × I ω), world axes: the gyroscopic part of −ω̇ [rad/s²].
    pub(crate) fn gyroscopic(&self, rot: Quat, omega: Vec3) -> Vec3 {
        let frame = rot * self.axes;
        let w = frame.inverse() * omega;
        frame * over(w.cross(times(self.moments, w)), self.moments)
    }

    /// Orientation and angular velocity after `h` without torque.
    pub(crate) fn turn(&self, rot: Quat, omega: Vec3, h: f64) -> (Quat, Vec3) {
        let Vec3 { x: least, y: middle, z: most } = self.moments;
        // Unit length to the last digit: otherwise the rounding of `axes` would add up over the
        // steps.
        let mut frame = (rot * self.axes).renormalized();
        let mut spin = times(self.moments, frame.inverse() * omega);
        let momentum = frame * spin;
        let mut about = |rate: fn(Vec3) -> Vec3, h: f64| {
            let turn = Quat::exp(rate(spin) * h);
            frame = frame * turn;
            spin = turn.inverse() * spin;
        };
        let (first, third) = (1.0 / least - 1.0 / middle, 1.0 / most - 1.0 / middle);
        about(|s| vec3(s.x, 0.0, 0.0), 0.5 * h * first);
        about(|s| vec3(0.0, 0.0, s.z), h * third);
        about(|s| vec3(s.x, 0.0, 0.0), 0.5 * h * first);
        let frame = (Quat::exp(momentum * (h / middle)) * frame).renormalized();
        let omega = frame * over(frame.inverse() * momentum, self.moments);
        ((frame * self.axes.inverse()).renormalized(), omega)
    }
}
