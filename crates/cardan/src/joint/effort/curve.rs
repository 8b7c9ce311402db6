//! Nonlinear spring along a joint coordinate: F is the cubic spline through rows of \[deflection,
//! force\], linear beyond its ends.
//!
//!   f = −F(x − rest) − c ẋ          V = ∫₀ F

use crate::law::{LawError, Table, TableEnds};

/// A nonlinear spring along a joint coordinate: the force is a curve through rows of \[deflection,
/// force\].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointCurveSpring {
    pub(super) curve: Table,
    /// Damping \[N·s/m or N·m·s/rad\].
    pub damping: f64,
    /// Value of the coordinate at zero deflection \[m or rad\].
    pub rest: f64,
}

impl JointCurveSpring {
    /// A spring from rows of \[deflection, force\]; a positive force pulls back.
    ///
    /// # Errors
    /// For fewer than two rows, deflections that do not increase, or numbers that are not finite.
    pub fn new(rows: &[[f64; 2]], damping: f64, rest: f64) -> Result<Self, LawError> {
        Ok(JointCurveSpring { curve: Table::new(TableEnds::Free, rows)?, damping, rest })
    }
    pub(super) fn force(&self, value: f64, rate: f64) -> f64 {
        -self.curve.at(value - self.rest).value - self.damping * rate
    }
    /// Slope of the restoring force over the coordinate.
    pub(super) fn slope(&self, value: f64) -> f64 {
        self.curve.at(value - self.rest).rate
    }
    pub(super) fn energy(&self, value: f64) -> f64 {
        self.curve.integrals(value - self.rest)[0]
    }
}
