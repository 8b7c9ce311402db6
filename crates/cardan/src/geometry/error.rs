//! Errors of curves and surfaces. Every message names the field and a valid value.

use crate::law::{LawError, Smoothness};

/// Why a curve or surface is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// A length, an angle or a ratio out of its range.
    #[error("`{field}` is {value}; it must be {want}")]
    Number {
        /// The field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What a valid value is.
        want: &'static str,
    },
    /// Too few points or rows.
    #[error("`{field}` has {have} entries; at least {need} are needed")]
    TooFew {
        /// The field.
        field: &'static str,
        /// The number given.
        have: usize,
        /// The number needed.
        need: usize,
    },
    /// Neighbouring points that coincide.
    #[error("`points`: number {point} coincides with the one before; a spline must go somewhere")]
    SamePoint {
        /// Index of the point, from 0.
        point: usize,
    },
    /// A NURBS or a formula is refused.
    #[error("{0}")]
    Law(#[from] LawError),
    /// A formula has a kink or a jump.
    #[error("`formula` is not smooth enough for a curve: {has}")]
    NotSmooth {
        /// Smoothness of the formula.
        has: Smoothness,
    },
    /// The derivative of the curve by its parameter vanishes.
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
        /// Angle of the jump \[rad\].
        angle: f64,
    },
    /// A closed curve whose ends do not meet.
    #[error("the curve is to be closed, but ends {gap:e} m from where it starts")]
    NotClosed {
        /// Distance of the ends \[m\].
        gap: f64,
    },
    /// A curve that must lie in the x–y plane does not.
    #[error("the curve must lie in the x–y plane of its frame, but has z = {z} at parameter {at}")]
    NotFlat {
        /// The parameter.
        at: f64,
        /// Distance from the plane \[m\].
        z: f64,
    },
    /// A profile that must be closed is open.
    #[error("the curve is open; a profile must be closed, so that it has an inside")]
    Open,
    /// The curve crosses or touches itself, so that a point there has no unique parameter.
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
        /// Index of the row, from 0.
        row: usize,
        /// Its length.
        have: usize,
        /// The length of the first.
        want: usize,
    },
}

/// An error unless a number is positive and finite.
pub(super) fn positive(field: &'static str, value: f64) -> Result<f64, GeometryError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(GeometryError::Number { field, value, want: "positive" })
    }
}

/// An error unless a number is finite.
pub(super) fn finite(field: &'static str, value: f64) -> Result<f64, GeometryError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(GeometryError::Number { field, value, want: "a finite number" })
    }
}
