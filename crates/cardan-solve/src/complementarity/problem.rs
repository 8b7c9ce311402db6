//! A complementarity problem, and checks of its numbers.

use super::error::ComplementarityError;
use crate::tolerances::{LEAST_TERMS, ZERO_DIAGONAL};

/// One or more rows that are complementary together; the [module page](super) has the conditions.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Group {
    /// a = 0, λ free. May depend on other rows.
    Held,
    /// a ≥ 0 ⟂ λ ≥ 0.
    OneSided,
    /// lo ≤ λ ≤ hi, either may be infinite.
    Bounded {
        /// Least λ.
        lo: f64,
        /// Greatest λ.
        hi: f64,
    },
    /// Normal and two tangents, |λ_t| ≤ μ λ_n.
    Cone {
        /// μ ≥ 0.
        mu: f64,
    },
    /// Normal and one tangent, |λ_t| ≤ μ λ_n.
    Wedge {
        /// μ ≥ 0.
        mu: f64,
    },
    /// |λ| ≤ μ λ_n, with λ_n of another row: a `OneSided` one, or the first of a `Cone` or `Wedge`.
    Scaled {
        /// The row of λ_n.
        normal_row: usize,
        /// μ ≥ 0.
        mu: f64,
    },
}

impl Group {
    /// Number of rows.
    pub fn rows(self) -> usize {
        match self {
            Group::Cone { .. } => 3,
            Group::Wedge { .. } => 2,
            _ => 1,
        }
    }
}

/// a = A λ + b, and the conditions on its rows.
#[derive(Copy, Clone, Debug)]
pub struct Problem<'a> {
    /// In the order of rows.
    pub groups: &'a [Group],
    /// A, row by row.
    pub matrix: &'a [f64],
    /// b.
    pub bias: &'a [f64],
    /// Per row, the size of the terms whose sum A_ii is. Empty: A_ii itself.
    pub matrix_formed: &'a [f64],
    /// Per row, the size of the terms whose sum b_i is. Empty: |b_i|.
    pub bias_formed: &'a [f64],
}

/// Off-diagonal entries agree to this part of the geometric mean of their diagonals. A larger difference is an
/// error of the caller, not rounding.
const SYMMETRY: f64 = 1e-6;

impl<'a> Problem<'a> {
    /// A problem whose numbers are as large as the terms that formed them.
    pub fn new(groups: &'a [Group], matrix: &'a [f64], bias: &'a [f64]) -> Problem<'a> {
        Problem { groups, matrix, bias, matrix_formed: &[], bias_formed: &[] }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.bias.len()
    }

    /// The size of the terms that formed A_ii.
    #[inline]
    pub(crate) fn diagonal_formed(&self, row: usize) -> f64 {
        let own = self.matrix[row * self.rows() + row].abs();
        match self.matrix_formed.get(row) {
            Some(&formed) if formed > own => formed,
            _ => own,
        }
    }

    /// The size of the terms that formed b_i.
    #[inline]
    pub(crate) fn size(&self, row: usize) -> f64 {
        let own = self.bias[row].abs();
        match self.bias_formed.get(row) {
            Some(&formed) if formed > own => formed,
            _ => own,
        }
    }

    /// Whether A_ii is zero to rounding: no impulse moves the row.
    #[inline]
    pub(crate) fn is_immovable(&self, row: usize) -> bool {
        self.matrix[row * self.rows() + row] <= ZERO_DIAGONAL * self.diagonal_formed(row)
    }

    /// Checks shapes, numbers and groups; A of any kind.
    pub fn check(&self) -> Result<(), ComplementarityError> {
        let k: usize = self.groups.iter().map(|group| group.rows()).sum();
        let shape = |what, expected, found| Err(ComplementarityError::Shape { what, expected, found });
        if self.bias.len() != k {
            return shape("the bias", k, self.bias.len());
        }
        if Some(self.matrix.len()) != k.checked_mul(k) {
            return shape("the matrix", k.saturating_mul(k), self.matrix.len());
        }
        let sizes =
            [("the size of the matrix", self.matrix_formed), ("the size of the bias", self.bias_formed)];
        for (what, values) in sizes {
            if !values.is_empty() && values.len() != k {
                return shape(what, k, values.len());
            }
            if let Some(row) = values.iter().position(|v| !v.is_finite()) {
                return Err(ComplementarityError::NotFinite { what, row });
            }
        }
        for row in 0..k {
            // A sum of finite numbers that overflows is refused as well.
            let sum: f64 = self.matrix[row * k..][..k].iter().map(|v| v.abs()).sum();
            if !sum.is_finite() {
                return Err(ComplementarityError::NotFinite { what: "the matrix", row });
            }
            if !self.bias[row].is_finite() {
                return Err(ComplementarityError::NotFinite { what: "the bias", row });
            }
        }
        self.check_groups()
    }

    /// Checks the numbers of the groups.
    pub(crate) fn check_groups(&self) -> Result<(), ComplementarityError> {
        let k = self.rows();
        let mut row = 0;
        for (group, &kind) in self.groups.iter().enumerate() {
            let bad = |why| Err(ComplementarityError::BadGroup { group, why });
            match kind {
                Group::Held | Group::OneSided => {}
                Group::Bounded { lo, hi } => {
                    if lo.is_nan() || hi.is_nan() || lo == f64::INFINITY || hi == f64::NEG_INFINITY {
                        return bad("a bound is not a number to stay below or above of");
                    }
                    if lo > hi {
                        return bad("its lower bound is above its upper bound");
                    }
                }
                Group::Cone { mu } | Group::Wedge { mu } | Group::Scaled { mu, .. }
                    if !(mu >= 0.0 && mu.is_finite()) =>
                {
                    return bad("its coefficient is negative or not finite");
                }
                Group::Cone { .. } | Group::Wedge { .. } => {}
                Group::Scaled { normal_row, .. } => {
                    if normal_row >= k || normal_row == row || !self.is_normal(normal_row) {
                        return bad("what it is a multiple of is not a row that pushes one way only");
                    }
                }
            }
            row += kind.rows();
        }
        Ok(())
    }

    /// Whether a row is one-sided, or the first of a cone or wedge.
    fn is_normal(&self, row: usize) -> bool {
        let mut start = 0;
        for &group in self.groups {
            if start == row {
                return matches!(group, Group::OneSided | Group::Cone { .. } | Group::Wedge { .. });
            }
            start += group.rows();
        }
        false
    }

    /// [`Problem::check`], and that A is symmetric with a nonnegative diagonal.
    pub fn check_semidefinite(&self) -> Result<(), ComplementarityError> {
        self.check()?;
        let k = self.rows();
        for row in 0..k {
            if self.matrix[row * k + row] < -ZERO_DIAGONAL * self.diagonal_formed(row) {
                return Err(ComplementarityError::NotSemidefinite { row });
            }
        }
        for row in 0..k {
            let own = self.diagonal_formed(row).sqrt();
            for column in row + 1..k {
                let (upper, lower) = (self.matrix[row * k + column], self.matrix[column * k + row]);
                let size = own * self.diagonal_formed(column).sqrt();
                if (upper - lower).abs() > SYMMETRY * size {
                    return Err(ComplementarityError::NotSymmetric { row, column });
                }
                if upper.abs() > (1.0 + SYMMETRY) * size {
                    return Err(ComplementarityError::NotSemidefinite { row });
                }
            }
        }
        Ok(())
    }
}

/// Rows are coupled, so none is known better than to the rounding of the largest: sizes s_i are raised to at
/// least [`LEAST_TERMS`] √A_ii max_j s_j / √A_jj.
pub(crate) fn floor(diagonal: &[f64], sizes: &mut [f64]) {
    let mut most = 0.0;
    for (size, diagonal) in sizes.iter().zip(diagonal) {
        let ratio = size / diagonal.sqrt();
        if *diagonal > 0.0 && ratio > most {
            most = ratio;
        }
    }
    for (size, diagonal) in sizes.iter_mut().zip(diagonal) {
        let least = LEAST_TERMS * most * diagonal.sqrt();
        if least > *size {
            *size = least;
        }
    }
}
