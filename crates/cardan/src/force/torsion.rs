//! Torsional spring and damper between two frames.
//!
//!   τ = −k θ − c (ω_b − ω_a)  on b,   V = ½ k |θ|²
//!
//! About all axes θ is the rotation vector of b's frame seen from a's (world axes); about the z
//! axis of a's frame alone it is the twist about it, minus the rest angle. θ lies within half a
//! turn; a spring that winds further belongs on a joint, whose coordinate counts turns.

use super::ForceOutput;
use crate::body::{FrameMotion, Wrench};
use crate::math::Vec3;

/// A torsional spring and damper.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Torsion {
    /// Stiffness \[N·m/rad\].
    pub stiffness: f64,
    /// Damping \[N·m·s/rad\].
    pub damping: f64,
    /// Slack angle about the axis \[rad\]; needs `about_axis`.
    pub rest: f64,
    /// Acts about the z axis of a's frame alone, instead of about all axes.
    pub about_axis: bool,
}

impl Torsion {
    pub(super) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        vec![("stiffness", self.stiffness, true), ("damping", self.damping, true), ("rest", self.rest, false)]
    }
    pub(super) fn apply(&self, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        let (a, b) = (&frames[0], &frames[1]);
        let turn = a.rot.inverse() * b.rot;
        let spin = b.omega - a.omega;
        let (angle, rate) = if self.about_axis {
            // If b is tilted, the gradient of the twist angle is not the axis itself: dφ/dt = w·(z
            // + z_b)/(1 + z·z_b).
            let (z, zb) = (a.rot * Vec3::Z, b.rot * Vec3::Z);
            let gradient = (z + zb) / (1.0 + z.dot(zb));
            let angle = turn.twist_angle(Vec3::Z) - self.rest;
            (gradient * angle, gradient * gradient.dot(spin))
        } else {
            (a.rot * turn.log(), spin)
        };
        let torque = -(angle * self.stiffness + rate * self.damping);
        out.wrench[1] = Wrench { force: Vec3::ZERO, torque };
        out.wrench[0] = Wrench { force: Vec3::ZERO, torque: -torque };
        let size2 = if self.about_axis {
            let twist = turn.twist_angle(Vec3::Z) - self.rest;
            twist * twist
        } else {
            angle.dot(angle)
        };
        out.potential = Some(0.5 * self.stiffness * size2);
        out.dissipated_power = self.damping * rate.dot(spin);
    }
}
