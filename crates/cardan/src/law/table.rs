//! Cubic spline through rows \[tᵢ, vᵢ\]. With hᵢ the intervals and Mᵢ the second derivatives at the
//! rows,
//!
//!   hᵢ₋₁ Mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) Mᵢ + hᵢ Mᵢ₊₁ = 6 ((vᵢ₊₁ − vᵢ)/hᵢ − (vᵢ − vᵢ₋₁)/hᵢ₋₁)
//!
//! | ends | first and last equation | beyond |
//! |---|---|---|
//! | at rest | rate zero: 2 h₀ M₀ + h₀ M₁ = 6 (v₁ − v₀)/h₀, and likewise at the end | constant; the second derivative jumps |
//! | free | M = 0 | linear; two derivatives are continuous |
//!
//! The system is tridiagonal and diagonally dominant: elimination without pivoting.

use super::piecewise::PiecewisePolynomial;
use super::segments::checked;
use super::{Jet, LawError, Smoothness};

/// End conditions of the spline.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TableEnds {
    /// Rate zero at the ends, constant beyond.
    #[default]
    Rest,
    /// Second derivative zero at the ends, linear beyond.
    Free,
}

/// A cubic spline through rows of \[time, value\].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Table {
    ends: TableEnds,
    pieces: PiecewisePolynomial,
}

impl Table {
    /// A spline through rows of \[time, value\].
    ///
    /// # Errors
    /// For fewer than two rows, times that do not increase, or numbers that are not finite.
    pub fn new(ends: TableEnds, rows: &[[f64; 2]]) -> Result<Self, LawError> {
        let (knots, values) = checked(rows)?;
        let last = knots.len() - 1;
        let h = |i: usize| knots[i + 1] - knots[i];
        let slope = |i: usize| (values[i + 1] - values[i]) / h(i);
        // Rows (below, diagonal, above, right-hand side) of the system, eliminated from the first
        // to the last.
        let row = |i: usize| match (i, ends) {
            (0, TableEnds::Free) => (0.0, 1.0, 0.0, 0.0),
            (0, TableEnds::Rest) => (0.0, 2.0 * h(0), h(0), 6.0 * slope(0)),
            (i, TableEnds::Free) if i == last => (0.0, 1.0, 0.0, 0.0),
            (i, TableEnds::Rest) if i == last => (h(i - 1), 2.0 * h(i - 1), 0.0, -6.0 * slope(i - 1)),
            (i, _) => (h(i - 1), 2.0 * (h(i - 1) + h(i)), h(i), 6.0 * (slope(i) - slope(i - 1))),
        };
        let mut above = vec![0.0; knots.len()];
        let mut bend = vec![0.0; knots.len()];
        for i in 0..=last {
            let (below, diagonal, over, right) = row(i);
            let (ratio, done) = if i == 0 { (0.0, 0.0) } else { (above[i - 1], bend[i - 1]) };
            let pivot = diagonal - below * ratio;
            above[i] = over / pivot;
            bend[i] = (right - below * done) / pivot;
        }
        for i in (0..last).rev() {
            bend[i] -= above[i] * bend[i + 1];
        }
        let piece = |i: usize| {
            let (m0, m1, d) = (bend[i], bend[i + 1], h(i));
            [values[i], slope(i) - d * (2.0 * m0 + m1) / 6.0, 0.5 * m0, (m1 - m0) / (6.0 * d), 0.0, 0.0]
        };
        let mut terms: Vec<[f64; 6]> = (0..last).map(piece).collect();
        let slopes = match ends {
            TableEnds::Rest => {
                // Rounding of the end rate would be a speed for ever after.
                terms[0][1] = 0.0;
                [0.0; 2]
            }
            TableEnds::Free => {
                [terms[0][1], slope(last - 1) + h(last - 1) * (2.0 * bend[last] + bend[last - 1]) / 6.0]
            }
        };
        Ok(Table { ends, pieces: PiecewisePolynomial::new(knots, terms, slopes) })
    }

    pub(crate) fn at(&self, t: f64) -> Jet {
        self.pieces.at(t)
    }
    /// ∫ and ∫∫ from zero to t.
    pub(crate) fn integrals(&self, t: f64) -> [f64; 2] {
        self.pieces.integrals(t)
    }
    pub(super) fn smoothness(&self) -> Smoothness {
        match self.ends {
            TableEnds::Rest => Smoothness::Rate,
            TableEnds::Free => Smoothness::Second,
        }
    }
    pub(crate) fn bytes(&self) -> usize {
        self.pieces.bytes()
    }
}
