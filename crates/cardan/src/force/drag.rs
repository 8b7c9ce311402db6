//! Drag of a medium at rest: f = −(c₁ + c₂ |v|) v, τ = −c_ω ω. All of its power is heat.

use super::ForceOutput;
use crate::body::{FrameMotion, Wrench};

/// Linear, quadratic and angular drag.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drag {
    /// c₁ \[N·s/m\].
    pub linear: f64,
    /// c₂ \[N·s²/m²\].
    pub quadratic: f64,
    /// c_ω \[N·m·s/rad\].
    pub angular: f64,
}

impl Drag {
    pub(super) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        vec![
            ("linear", self.linear, true),
            ("quadratic", self.quadratic, true),
            ("angular", self.angular, true),
        ]
    }
    pub(super) fn apply(&self, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        let (vel, omega) = (frames[0].vel, frames[0].omega);
        let force = vel * -(self.linear + self.quadratic * vel.norm());
        let torque = omega * -self.angular;
        out.wrench[0] = Wrench { force, torque };
        out.dissipated_power = -(force.dot(vel) + torque.dot(omega));
    }
}
