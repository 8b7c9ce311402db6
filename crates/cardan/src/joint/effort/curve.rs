//! A spring by a table: the cubic spline F through rows of [deflection, force], straight beyond its ends,
//!
//!   f = −F(x − rest) − c ẋ          energy ∫₀ F

use crate::law::{LawError, Table, TableEnds};

/// A spring by a table.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CurveSpring {
    pub(super) curve: Table,
    /// N·s/m or N·m·s/rad.
    pub damping: f64,
    /// Value of the coordinate at deflection zero.
    pub rest: f64,
}

impl CurveSpring {
    /// From rows of [deflection, force], the force being the one that pulls back.
    ///
    /// # Errors
    /// For fewer than two rows, deflections that do not grow, numbers that are not finite.
    pub fn new(rows: &[[f64; 2]], damping: f64, rest: f64) -> Result<Self, LawError> {
        Ok(CurveSpring { curve: Table::new(TableEnds::Free, rows)?, damping, rest })
    }
    pub(super) fn force(&self, value: f64, rate: f64) -> f64 {
        -self.curve.at(value - self.rest).value - self.damping * rate
    }
    pub(super) fn energy(&self, value: f64) -> f64 {
        self.curve.integrals(value - self.rest)[0]
    }
}
