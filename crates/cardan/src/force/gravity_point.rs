//! Inverse-square attraction between two points.
//!
//!   f = −k d/|d|³ on b, the opposite on a,   V = −k/|d|

use super::ForceOutput;
use crate::body::{FrameMotion, Wrench};
use crate::math::Vec3;

/// Inverse-square attraction.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GravityPoint {
    /// k \[N·m²\]: G m₁ m₂ for gravity; a negative value repels.
    pub strength: f64,
}

impl GravityPoint {
    pub(super) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        vec![("strength", self.strength, false)]
    }
    pub(super) fn apply(&self, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        let d = frames[1].pos - frames[0].pos;
        let r2 = d.dot(d);
        let r = r2.sqrt();
        let pull = d * -(self.strength / (r2 * r));
        out.wrench[1] = Wrench { force: pull, torque: Vec3::ZERO };
        out.wrench[0] = Wrench { force: -pull, torque: Vec3::ZERO };
        out.potential = Some(-self.strength / r);
    }
}
