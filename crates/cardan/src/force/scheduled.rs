//! Constant force and torque times a law of time: f = u(t) f₀. It has no potential; its power is
//! work.

use super::{Constant, ForceOutput};
use crate::body::{FrameMotion, Wrench};
use crate::law::Law;

/// A force and torque times a law of time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scheduled {
    /// The force and torque where the law is one.
    pub full: Constant,
    /// The factor u over time.
    pub law: Law,
}

impl Scheduled {
    pub(super) fn apply(&self, time: f64, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        self.full.apply(frames, out);
        let Wrench { force, torque } = out.wrench[0];
        let factor = self.law.at(time).value;
        out.wrench[0] = Wrench { force: force * factor, torque: torque * factor };
    }
}
