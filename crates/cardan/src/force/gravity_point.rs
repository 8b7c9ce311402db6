//! Attraction toward a point of the world:  f = −μ m d/|d|³,  energy −μ m/|d|.

use super::{ForceOutput, components};
use crate::body::{FrameMotion, Wrench};
use crate::math::Vec3;

/// Inverse-square attraction.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct GravityPoint {
    /// Where it pulls to.
    pub center: Vec3,
    /// μ = G M [m³/s²].
    pub strength: f64,
    /// Mass that is pulled [kg].
    pub mass: f64,
}

impl GravityPoint {
    pub(super) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        let mut all = components("center", self.center).to_vec();
        all.extend([("strength", self.strength, false), ("mass", self.mass, true)]);
        all
    }
    pub(super) fn apply(&self, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        let d = frames[0].pos - self.center;
        let r2 = d.dot(d);
        let r = r2.sqrt();
        out.wrench[0] = Wrench { force: d * -(self.strength * self.mass / (r2 * r)), torque: Vec3::ZERO };
        out.potential = Some(-self.strength * self.mass / r);
    }
}
