//! Inequalities: conditions g ≥ 0 on attached frames that push when they are reached, and never pull.
//!
//! | kind | file | condition |
//! |---|---|---|
//! | limit of a joint coordinate | `limit.rs` | s − low ≥ 0, high − s ≥ 0, turns counted |
//! | half-space | `half_space.rs` | n · (p − c) − r ≥ 0 |
//! | formula | `formula.rs` | g(x, t) ≥ 0 as the user writes it |
//! | distance | `distance_bound.rs` | \|p_b − p_a\| − l ≥ 0, or l − \|p_b − p_a\| ≥ 0 (a rope) |
//!
//! The condition itself is a [`Constraint`] of one row, so whatever can be written as one can be an inequality too. At any time
//! it is in one of three states: **violated** (g < 0), **satisfied** (g > 0), or **active** (g = 0). While it is active and would be violated, a
//! multiplier λ ≥ 0 holds it:
//!
//! ```text
//! g̈ ≥ 0,   λ ≥ 0,   λ g̈ = 0                       as long as it is active and at rest (step/touch/react.rs)
//! ġ⁺ ≥ −e ġ⁻,   p ≥ 0,   p (ġ⁺ + e ġ⁻) = 0          when it is reached at speed ġ⁻ < 0 (step/touch/impact.rs)
//! ```
//!
//! λ is the *strain*: how hard the condition has to push to be kept.

mod distance_bound;
mod formula;
mod half_space;
pub(crate) mod limit;

pub use distance_bound::DistanceBound;
pub use formula::{Formula, FormulaError};
pub use half_space::HalfSpace;

use crate::body::Frame;
use crate::constraint::Constraint;
use crate::model::End;
use std::sync::Arc;

/// A condition g ≥ 0, as a description.
#[derive(Clone, Debug)]
pub struct Inequality {
    /// Unique name, among joints, constraints and inequalities.
    pub name: String,
    /// The frames, in the order in which the condition sees them.
    pub frames: Vec<(End, Frame)>,
    /// g, as a condition of one row.
    pub rule: Arc<dyn Constraint>,
    /// What is left of the speed after a blow, from 0 to 1.
    pub restitution: f64,
}

impl Inequality {
    /// A condition without rebound.
    pub fn new(name: impl Into<String>, frames: Vec<(End, Frame)>, rule: impl Constraint + 'static) -> Self {
        Inequality { name: name.into(), frames, rule: Arc::new(rule), restitution: 0.0 }
    }
    /// The same with rebound.
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
    /// Which coordinate.
    pub coordinate: usize,
    /// The least value, `−∞` for none.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub low: f64,
    /// The largest value, `∞` for none.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub high: f64,
    /// What is left of the speed after a blow, from 0 to 1.
    pub restitution: f64,
}

/// Which limit of a coordinate.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LimitSide {
    /// The least value.
    Low,
    /// The largest.
    High,
}

/// What an inequality of a model comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum InequalityOrigin {
    /// It was described as such.
    Declared,
    /// A limit of a joint coordinate.
    Limit {
        /// Index of the joint.
        joint: usize,
        /// Which coordinate.
        coordinate: usize,
        /// Which end of its range.
        side: LimitSide,
    },
}
