//! Motion laws: functions of time, with their first two derivatives.
//!
//! | law | what | continuous |
//! |---|---|---|
//! | [`Law::Constant`] | c | smooth |
//! | [`Ramp`] | linear between two constants | value |
//! | [`Sine`] | offset + amplitude · sin(2π f t + phase) | smooth |
//! | [`Segments`] | from rest to rest between given values, cubic or quintic | speed (cubic), acceleration (quintic) |
//! | [`Table`] | cubic spline through given values | speed (ends at rest), acceleration (free ends) |
//! | [`Nurbs`] | rational B-spline over time | by degree, knots and ends |
//! | [`Expression`] | a formula in t | by the functions in it |
//!
//! Derivatives are exact: closed forms, or arithmetic on [`Jet`]s. A law states its smoothness for
//! t ≥ 0, so that a use that needs more can refuse it with a message. Laws of polynomial pieces,
//! constants and sines also have their integrals in closed form.

mod constant;
mod expression;
mod jet;
mod nurbs;
mod piecewise;
mod ramp;
mod segments;
mod sine;
mod table;

pub use expression::{Expression, ExpressionError, ExpressionFault};
pub use jet::Jet;
pub use nurbs::{MAX_DEGREE, Nurbs};
pub use ramp::Ramp;
pub use segments::{Blend, Segments};
pub use sine::Sine;
pub use table::{Table, TableEnds};

#[cfg(test)]
mod tests;

/// A function of time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Law {
    /// A constant.
    Constant(f64),
    /// Linear between two constants.
    Ramp(Ramp),
    /// A harmonic.
    Sine(Sine),
    /// From rest to rest, cubic or quintic.
    Segments(Segments),
    /// A cubic spline through given values.
    Table(Table),
    /// A rational B-spline over time.
    Nurbs(Nurbs<1>),
    /// A formula in t.
    Expression(Expression),
}

/// How many derivatives of a law are continuous.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Smoothness {
    /// The value itself jumps.
    Jumps,
    /// The value is continuous, its rate jumps.
    Value,
    /// Value and rate are continuous, the second derivative jumps.
    Rate,
    /// Value, rate and second derivative are continuous.
    Second,
    /// All derivatives are continuous.
    All,
}

impl core::fmt::Display for Smoothness {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Smoothness::Jumps => "its value jumps",
            Smoothness::Value => "its value is continuous but its rate jumps",
            Smoothness::Rate => "its value and rate are continuous but its second derivative jumps",
            Smoothness::Second => "its value and two derivatives are continuous",
            Smoothness::All => "it is smooth",
        })
    }
}

/// Why a law is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LawError {
    /// A number of the law is NaN or infinite.
    #[error("the {what} is {value}; it must be a finite number")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A ramp with a duration that is not positive.
    #[error("the duration is {value} s; it must be positive")]
    NoDuration {
        /// The duration \[s\].
        value: f64,
    },
    /// A table with fewer than two rows.
    #[error("there are {have} rows; a law through rows of [time, value] needs at least two")]
    TooFewRows {
        /// The number of rows.
        have: usize,
    },
    /// Times of a table that do not increase.
    #[error("row {row} is at {time} s, not after the one before at {before} s; times must grow")]
    Unsorted {
        /// Index of the row, from 0.
        row: usize,
        /// Its time \[s\].
        time: f64,
        /// The time of the preceding row \[s\].
        before: f64,
    },
    /// A degree that is out of range.
    #[error(
        "the degree is {degree}; it must be from 1 to {MAX_DEGREE}, and below the number of points, {points}"
    )]
    Degree {
        /// The degree.
        degree: usize,
        /// The number of points.
        points: usize,
    },
    /// Too many or too few knots.
    #[error("there are {have} knots; {points} points of degree {degree} need {} (points + degree + 1)", points + degree + 1)]
    KnotCount {
        /// The number of knots.
        have: usize,
        /// The number of points.
        points: usize,
        /// The degree.
        degree: usize,
    },
    /// Knots that decrease, or an end or inner knot of the wrong multiplicity.
    #[error("knot {knot} is {value}: {why}")]
    Knot {
        /// Index of the knot, from 0.
        knot: usize,
        /// Its value.
        value: f64,
        /// What is wrong.
        why: &'static str,
    },
    /// Weights that are not one per point, or not positive.
    #[error("{why}")]
    Weights {
        /// What is wrong.
        why: String,
    },
    /// A formula that cannot be parsed.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
}

/// An error unless a number is finite.
fn finite(what: &'static str, value: f64) -> Result<f64, LawError> {
    if value.is_finite() { Ok(value) } else { Err(LawError::NotFinite { what, value }) }
}

impl Law {
    /// A formula in `t`, such as `0.1*sin(3*t)`.
    ///
    /// # Errors
    /// If it cannot be parsed, with the column.
    pub fn expression(text: &str) -> Result<Self, LawError> {
        Ok(Law::Expression(Expression::parse(text)?))
    }

    /// The name used in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Law::Constant(_) => "constant",
            Law::Ramp(_) => "ramp",
            Law::Sine(_) => "sine",
            Law::Segments(law) => law.name(),
            Law::Table(_) => "table",
            Law::Nurbs(_) => "nurbs",
            Law::Expression(_) => "expression",
        }
    }

    /// Value, rate and second derivative at a time \[s\]; NaN or infinite where a formula is.
    pub fn at(&self, t: f64) -> Jet {
        match self {
            Law::Constant(c) => Jet::constant(*c),
            Law::Ramp(law) => law.at(t),
            Law::Sine(law) => law.at(t),
            Law::Segments(law) => law.at(t),
            Law::Table(law) => law.at(t),
            Law::Nurbs(law) => law.at(t)[0],
            Law::Expression(law) => law.at(t),
        }
    }

    /// Smoothness for t ≥ 0.
    pub fn smoothness(&self) -> Smoothness {
        match self {
            Law::Constant(_) | Law::Sine(_) => Smoothness::All,
            Law::Ramp(law) => law.smoothness(),
            Law::Segments(law) => law.smoothness(),
            Law::Table(law) => law.smoothness(),
            Law::Nurbs(law) => law.smoothness(),
            Law::Expression(law) => law.smoothness(),
        }
    }

    /// ∫₀ᵗ and ∫₀ᵗ∫₀ᵗ of the law, if they have closed forms.
    pub fn integrals(&self, t: f64) -> Option<[f64; 2]> {
        match self {
            Law::Constant(c) => Some(constant::integrals(*c, t)),
            Law::Ramp(law) => Some(law.integrals(t)),
            Law::Sine(law) => Some(law.integrals(t)),
            Law::Segments(law) => Some(law.integrals(t)),
            Law::Table(law) => Some(law.integrals(t)),
            Law::Nurbs(_) | Law::Expression(_) => None,
        }
    }

    /// Increments of the integrals from `from` to `to`, the second one for a first integral that is
    /// zero at `from`; by Gauss–Legendre quadrature of order ten.
    ///
    ///   ∫ f ≈ h/2 Σ w f(x)             ∫∫ f = ∫ (to − τ) f(τ) dτ ≈ h/2 Σ w (to − x) f(x)
    pub fn quadrature(&self, from: f64, to: f64) -> [f64; 2] {
        const NODES: [(f64, f64); 5] = [
            (-0.906179845938664, 0.2369268850561891),
            (-0.5384693101056831, 0.4786286704993665),
            (0.0, 0.5688888888888889),
            (0.5384693101056831, 0.4786286704993665),
            (0.906179845938664, 0.2369268850561891),
        ];
        let half = 0.5 * (to - from);
        let mut sums = [0.0; 2];
        for (x, w) in NODES {
            let tau = from + half * (1.0 + x);
            let f = w * self.at(tau).value;
            sums[0] += f;
            sums[1] += f * (to - tau);
        }
        sums.map(|sum| half * sum)
    }

    /// Checks that numbers are finite; constructors have checked the rest.
    pub fn check(&self) -> Result<(), LawError> {
        match self {
            Law::Constant(c) => finite("value", *c).map(|_| ()),
            Law::Ramp(law) => law.check(),
            Law::Sine(law) => law.check(),
            Law::Segments(_) | Law::Table(_) | Law::Nurbs(_) | Law::Expression(_) => Ok(()),
        }
    }

    /// Heap memory \[bytes\].
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Law::Constant(_) | Law::Ramp(_) | Law::Sine(_) => 0,
            Law::Segments(law) => law.bytes(),
            Law::Table(law) => law.bytes(),
            Law::Nurbs(law) => law.bytes(),
            Law::Expression(law) => law.bytes(),
        }
    }
}

impl From<f64> for Law {
    fn from(value: f64) -> Self {
        Law::Constant(value)
    }
}
impl From<Ramp> for Law {
    fn from(law: Ramp) -> Self {
        Law::Ramp(law)
    }
}
impl From<Sine> for Law {
    fn from(law: Sine) -> Self {
        Law::Sine(law)
    }
}
impl From<Segments> for Law {
    fn from(law: Segments) -> Self {
        Law::Segments(law)
    }
}
impl From<Table> for Law {
    fn from(law: Table) -> Self {
        Law::Table(law)
    }
}
impl From<Nurbs<1>> for Law {
    fn from(law: Nurbs<1>) -> Self {
        Law::Nurbs(law)
    }
}
impl From<Expression> for Law {
    fn from(law: Expression) -> Self {
        Law::Expression(law)
    }
}
