//! Constant force and torque at a point, fixed in the world or in the body.

use super::{ForceOutput, components};
use crate::body::{FrameMotion, Wrench};
use crate::math::Vec3;

/// The axes in which a force is constant.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Heading {
    /// World axes.
    #[default]
    World,
    /// Axes of the body, as for a thruster.
    Body,
}

/// A constant force and torque.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Constant {
    /// Force \[N\].
    pub force: Vec3,
    /// Torque \[N·m\].
    pub torque: Vec3,
    /// The axes in which both are constant.
    pub heading: Heading,
}

impl Constant {
    pub(super) fn needs_orientation(&self) -> bool {
        self.torque != Vec3::ZERO || self.heading == Heading::Body
    }
    pub(super) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        [components("force", self.force), components("torque", self.torque)].concat()
    }
    pub(super) fn apply(&self, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        out.wrench[0] = match self.heading {
            Heading::World => Wrench { force: self.force, torque: self.torque },
            Heading::Body => {
                Wrench { force: frames[0].rot * self.force, torque: frames[0].rot * self.torque }
            }
        };
    }
}
