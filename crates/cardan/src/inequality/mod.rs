//! Inequalities: unilateral constraints g ≥ 0 on attached frames, which push and never pull.
//!
//! | kind | file | condition |
//! |---|---|---|
//! | limit of a joint coordinate | `limit.rs` | s − low ≥ 0, high − s ≥ 0, turns counted |
//! | half-space | `half_space.rs` | n · (p − c) − r ≥ 0 |
//! | formula | `formula.rs` | g(x, t) ≥ 0 as the user writes it |
//! | distance | `distance_bound.rs` | \|p_b − p_a\| − l ≥ 0, or l − \|p_b − p_a\| ≥ 0 (a rope) |
//!
//! g is a [`Constraint`] of one row, so any constraint of one row can be an inequality, too. An
//! inequality is **violated** (g < 0), **satisfied** (g > 0), or **active** (g = 0). An active
//! inequality has a multiplier λ ≥ 0:
//!
//! ```text
//! g̈ ≥ 0,   λ ≥ 0,   λ g̈ = 0                       while it is active and at rest: contact forces
//! ġ⁺ ≥ −e ġ⁻,   p ≥ 0,   p (ġ⁺ + e ġ⁻) = 0          when it is reached at speed ġ⁻ < 0: impact
//! ```
//!
//! λ is the reaction \[N or N·m\], p an impulse, e the restitution; the solvers are in
//! `step/contact/`.

mod distance_bound;
mod formula;
mod half_space;
pub(crate) mod limit;

pub use distance_bound::DistanceBound;
pub use formula::{Formula, FormulaError};
pub use half_space::HalfSpace;

use crate::body::Frame;
use crate::constraint::Constraint;
use crate::model::{End, JointId};
use std::sync::Arc;

/// Description of an inequality g ≥ 0.
#[derive(Clone, Debug)]
pub struct Inequality {
    /// Unique name, among joints, constraints and inequalities.
    pub name: String,
    /// The frames, in the order of the constraint's arguments.
    pub frames: Vec<(End, Frame)>,
    /// g, as a constraint of one row.
    pub rule: Arc<dyn Constraint>,
    /// Coefficient of restitution of an impact, from 0 to 1.
    pub restitution: f64,
}

impl Inequality {
    /// An inequality with restitution zero.
    pub fn new(name: impl Into<String>, frames: Vec<(End, Frame)>, rule: impl Constraint + 'static) -> Self {
        Inequality { name: name.into(), frames, rule: Arc::new(rule), restitution: 0.0 }
    }
    /// Returns the inequality with a coefficient of restitution.
    #[must_use]
    pub fn with_restitution(mut self, restitution: f64) -> Self {
        self.restitution = restitution;
        self
    }
}

/// Limits of one coordinate of a joint.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointLimit {
    /// Index of the coordinate.
    pub coordinate: usize,
    /// The smallest value \[m or rad\], `−∞` for none.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub low: f64,
    /// The largest value \[m or rad\], `∞` for none.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub high: f64,
    /// Coefficient of restitution of an impact, from 0 to 1.
    pub restitution: f64,
}

/// One of the two limits of a coordinate.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LimitSide {
    /// The smallest value.
    Low,
    /// The largest value.
    High,
}

/// Origin of an inequality of a model.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum InequalityOrigin {
    /// Described as an inequality.
    Declared,
    /// A limit of a joint coordinate.
    Limit {
        /// The joint.
        joint: JointId,
        /// Index of the coordinate.
        coordinate: usize,
        /// The end of its range.
        side: LimitSide,
    },
}
