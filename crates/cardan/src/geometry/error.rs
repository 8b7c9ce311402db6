//! What can be wrong with a curve or surface. Every message says which field, and what would be
//! right.

use crate::law::{LawError, Smoothness};

/// A curve or surface that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// A length, an angle or a ratio out of its range.
    #[error("`{field}` is {value}; it must be {want}")]
    Number {
        /// Which field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        want: &'static str,
    },
    /// Too few points or rows.
    #[error("`{field}` has {have} entries; at least {need} are needed")]
    TooFew {
        /// Which field.
        field: &'static str,
        /// How many there are.
        have: usize,
        /// How many there must be.
        need: usize,
    },
    /// Neighbouring points that coincide.
    #[error("`points`: number {point} coincides with the one before; a spline must go somewhere")]
    SamePoint {
        /// Which point, counted from 0.
        point: usize,
    },
    /// A NURBS or a formula that cannot be.
    #[error("{0}")]
    Law(#[from] LawError),
    /// A formula with a kink or jump.
    #[error("`formula` is not smooth enough for a curve: {has}")]
    NotSmooth {
        /// How smooth it is.
        has: Smoothness,
    },
    /// The curve stands still in its parameter.
    #[error("the curve has no direction at parameter {at}: its derivative vanishes there")]
    ZeroTangent {
        /// The parameter.
        at: f64,
    },
    /// The tangent jumps.
    #[error("the curve has a kink at parameter {at}: its direction jumps by {angle:.3} rad")]
    Kink {
        /// The parameter.
        at: f64,
        /// By how much.
        angle: f64,
    },
    /// A closed curve that ends elsewhere than it starts.
    #[error("the curve is to be closed, but ends {gap:e} m from where it starts")]
    NotClosed {
        /// Distance of the ends.
        gap: f64,
    },
    /// A curve that should be in the plane.
    #[error("the curve must lie in the x–y plane of its frame, but has z = {z} at parameter {at}")]
    NotFlat {
        /// The parameter.
        at: f64,
        /// How far it is off.
        z: f64,
    },
    /// A profile that should be closed.
    #[error("the curve is open; a profile must be closed, so that it has an inside")]
    Open,
    /// The curve comes back to where it has been, so that a point there has no place along it.
    #[error(
        "the curve crosses or touches itself, at parameters {first} and {second}; a point there would not know its way"
    )]
    Crosses {
        /// First parameter.
        first: f64,
        /// Second parameter.
        second: f64,
    },
    /// A grid whose rows differ in length.
    #[error("`heights`: row {row} has {have} numbers, the first has {want}; the grid must be rectangular")]
    NotRectangular {
        /// Which row, counted from 0.
        row: usize,
        /// Its length.
        have: usize,
        /// The length of the first.
        want: usize,
    },
}

/// Complains unless a number is positive and finite.
pub(super) fn positive(field: &'static str, value: f64) -> Result<f64, GeometryError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(GeometryError::Number { field, value, want: "positive" })
    }
}

/// Complains unless a number is finite.
pub(super) fn finite(field: &'static str, value: f64) -> Result<f64, GeometryError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(GeometryError::Number { field, value, want: "a finite number" })
    }
}
