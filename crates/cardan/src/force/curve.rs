//! Nonlinear spring between two points: F is the cubic spline through rows of \[extension, force\],
//! linear beyond its ends.
//!
//!   f = −(F(ℓ − ℓ₀) + c ℓ̇) n  on b,   n = d/ℓ,   V = ∫₀ F,   heat c ℓ̇²

use super::ForceOutput;
use crate::body::{FrameMotion, Wrench};
use crate::law::{LawError, Table, TableEnds};
use crate::math::Vec3;

/// A nonlinear spring and damper between two points: the force is a curve through rows of
/// \[extension, force\].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CurveSpring {
    curve: Table,
    /// Damping \[N·s/m\].
    pub damping: f64,
    /// Length at zero extension \[m\].
    pub rest_length: f64,
}

impl CurveSpring {
    /// A spring from rows of \[extension, force\]; a positive force pulls the points together.
    ///
    /// # Errors
    /// For fewer than two rows, extensions that do not increase, or numbers that are not finite.
    pub fn new(rows: &[[f64; 2]], damping: f64, rest_length: f64) -> Result<Self, LawError> {
        Ok(CurveSpring { curve: Table::new(TableEnds::Free, rows)?, damping, rest_length })
    }

    pub(super) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        vec![("damping", self.damping, true), ("rest_length", self.rest_length, true)]
    }

    pub(super) fn apply(&self, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        let d = frames[1].pos - frames[0].pos;
        let length = d.norm();
        // Coincident ends have no direction between them: the force is zero.
        let n = if length > 0.0 { d / length } else { Vec3::ZERO };
        let rate = n.dot(frames[1].vel - frames[0].vel);
        let extension = length - self.rest_length;
        let pull = n * -(self.curve.at(extension).value + self.damping * rate);
        out.wrench[1] = Wrench { force: pull, torque: Vec3::ZERO };
        out.wrench[0] = Wrench { force: -pull, torque: Vec3::ZERO };
        out.potential = Some(self.curve.integrals(extension)[0]);
        out.dissipated_power = self.damping * rate * rate;
    }
}
