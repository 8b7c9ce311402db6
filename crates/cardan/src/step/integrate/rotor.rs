//! A free rigid body turned by h, from its angular momentum: symplectic, reversible, momentum kept to rounding.
//!
//! With Π the angular momentum in principal axes, I₁ ≤ I₂ ≤ I₃, the kinetic energy is split as
//!
//! ```text
//! T = |Π|² / (2 I₂)  +  ½ (1/I₁ − 1/I₂) Π₁²  +  ½ (1/I₃ − 1/I₂) Π₃²
//! ```
//!
//! The first part turns the body about its momentum in space and commutes with the other two; these turn it about axes 1 and 3
//! and are composed symmetrically, half of 1, all of 3, half of 1 (Dullweber, Leimkuhler and McLachlan 1997, with
//! the spherical part taken out). Every part is an exact rotation. The whole is of second order, its error in proportion to
//! (1/I₁ − 1/I₂) (1/I₃ − 1/I₂): a symmetric top turns exactly.

use crate::math::{Quat, Sym3, Vec3, vec3};

/// What a rigid body needs to turn by itself.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Rotor {
    /// Principal axes in the body.
    axes: Quat,
    /// Principal moments, ascending.
    moments: Vec3,
}

fn times(a: Vec3, b: Vec3) -> Vec3 {
    vec3(a.x * b.x, a.y * b.y, a.z * b.z)
}
fn over(a: Vec3, b: Vec3) -> Vec3 {
    vec3(a.x / b.x, a.y / b.y, a.z / b.z)
}

impl Rotor {
    pub(crate) fn new(inertia: &Sym3) -> Self {
        let ([x, y, z], axes) = inertia.principal();
        Rotor { axes: Quat::from_matrix(&axes), moments: vec3(x, y, z) }
    }

    /// I⁻¹ (ω × I ω), world axes: what turning adds to I⁻¹ torque to make ω̇, with the opposite sign.
    pub(crate) fn gyroscopic(&self, rot: Quat, omega: Vec3) -> Vec3 {
        let frame = rot * self.axes;
        let w = frame.inverse() * omega;
        frame * over(w.cross(times(self.moments, w)), self.moments)
    }

    /// Orientation and angular velocity after `h` without torque.
    pub(crate) fn turn(&self, rot: Quat, omega: Vec3, h: f64) -> (Quat, Vec3) {
        let Vec3 { x: least, y: middle, z: most } = self.moments;
        // Of unit length to the last digit: the rounding of `axes` would otherwise act the same way in every step.
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
