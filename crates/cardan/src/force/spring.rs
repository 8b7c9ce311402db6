//! Linear spring and damper between two points.
//!
//!   f = −(k (ℓ − ℓ₀) + c ℓ̇) n  on b,   n = d/ℓ,   V = ½ k (ℓ − ℓ₀)²,   heat c ℓ̇²

use super::ForceOutput;
use crate::body::{FrameMotion, Wrench};
use crate::math::Vec3;

/// A linear spring and damper between two points.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spring {
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Damping \[N·s/m\].
    pub damping: f64,
    /// Slack length \[m\].
    pub rest_length: f64,
}

impl Spring {
    pub(super) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        vec![
            ("stiffness", self.stiffness, true),
            ("damping", self.damping, true),
            ("rest_length", self.rest_length, true),
        ]
    }
    pub(super) fn apply(&self, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        let d = frames[1].pos - frames[0].pos;
        let length = d.norm();
        // Coincident ends have no direction between them: the force is zero.
        let n = if length > 0.0 { d / length } else { Vec3::ZERO };
        let rate = n.dot(frames[1].vel - frames[0].vel);
        let stretch = length - self.rest_length;
        let pull = n * -(self.stiffness * stretch + self.damping * rate);
        out.wrench[1] = Wrench { force: pull, torque: Vec3::ZERO };
        out.wrench[0] = Wrench { force: -pull, torque: Vec3::ZERO };
        out.potential = Some(0.5 * self.stiffness * stretch * stretch);
        out.dissipated_power = self.damping * rate * rate;
    }
}
