//! Segments from rest to rest: between two rows \[t₀, v₀\], \[t₁, v₁\], with σ = (t − t₀)/(t₁ −
//! t₀),
//!
//!   cubic     f = v₀ + (v₁ − v₀) (3σ² − 2σ³)                rate zero at every row, acceleration jumps there
//!   quintic   f = v₀ + (v₁ − v₀) (10σ³ − 15σ⁴ + 6σ⁵)        rate and acceleration zero at every row
//!
//! Before the first row and after the last one it is constant.

use super::piecewise::PiecewisePolynomial;
use super::{Jet, LawError, Smoothness, finite};

/// The polynomial of a segment.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Blend {
    /// 3σ² − 2σ³.
    Cubic,
    /// 10σ³ − 15σ⁴ + 6σ⁵.
    Quintic,
}

/// Segments from rest to rest.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Segments {
    blend: Blend,
    pieces: PiecewisePolynomial,
}

/// Times and values of rows, checked.
pub(super) fn checked(rows: &[[f64; 2]]) -> Result<(Vec<f64>, Vec<f64>), LawError> {
    if rows.len() < 2 {
        return Err(LawError::TooFewRows { have: rows.len() });
    }
    for (row, &[time, value]) in rows.iter().enumerate() {
        finite("time of a row", time)?;
        finite("value of a row", value)?;
        if row > 0 && time <= rows[row - 1][0] {
            return Err(LawError::Unsorted { row, time, before: rows[row - 1][0] });
        }
    }
    Ok(rows.iter().map(|&[t, v]| (t, v)).unzip())
}

impl Segments {
    /// Segments through rows of \[time, value\], at rest at each row.
    ///
    /// # Errors
    /// For fewer than two rows, times that do not increase, or numbers that are not finite.
    pub fn new(blend: Blend, rows: &[[f64; 2]]) -> Result<Self, LawError> {
        let (knots, values) = checked(rows)?;
        let piece = |i: usize| {
            let (start, height, d) = (values[i], values[i + 1] - values[i], knots[i + 1] - knots[i]);
            let (d2, d3) = (d * d, d * d * d);
            match blend {
                Blend::Cubic => [start, 0.0, 3.0 * height / d2, -2.0 * height / d3, 0.0, 0.0],
                Blend::Quintic => {
                    let (d4, d5) = (d2 * d2, d2 * d3);
                    [start, 0.0, 0.0, 10.0 * height / d3, -15.0 * height / d4, 6.0 * height / d5]
                }
            }
        };
        let terms = (0..knots.len() - 1).map(piece).collect();
        Ok(Segments { blend, pieces: PiecewisePolynomial::new(knots, terms, [0.0; 2]) })
    }

    pub(super) fn name(&self) -> &'static str {
        match self.blend {
            Blend::Cubic => "cubic",
            Blend::Quintic => "quintic",
        }
    }
    pub(super) fn at(&self, t: f64) -> Jet {
        self.pieces.at(t)
    }
    pub(super) fn integrals(&self, t: f64) -> [f64; 2] {
        self.pieces.integrals(t)
    }
    pub(super) fn smoothness(&self) -> Smoothness {
        match self.blend {
            Blend::Cubic => Smoothness::Rate,
            Blend::Quintic => Smoothness::Second,
        }
    }
    pub(super) fn bytes(&self) -> usize {
        self.pieces.bytes()
    }
}
