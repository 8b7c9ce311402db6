//! LU factors of a small square matrix, with pivots in the column.

use crate::simd::lines::{LANES, add_scaled, dot};

/// A matrix, row by row, and its factors. The size is a multiple of [`LANES`].
#[derive(Clone, Debug, Default)]
pub(super) struct SmallLu {
    pub(super) size: usize,
    /// The matrix; after [`SmallLu::factor`] its upper factor.
    pub(super) matrix: Vec<f64>,
    /// The lower factor without its diagonal of ones.
    lower: Vec<f64>,
    /// Rows that changed places with each column's.
    pivots: Vec<usize>,
}

impl SmallLu {
    /// Makes room; the numbers are undefined.
    pub(super) fn resize(&mut self, size: usize) {
        self.size = size;
        self.matrix.resize(size * size, 0.0);
        self.lower.resize(size * size, 0.0);
        self.pivots.resize(size, 0);
    }

    /// The unit matrix.
    pub(super) fn set_to_one(&mut self) {
        self.matrix.fill(0.0);
        for i in 0..self.size {
            self.matrix[i * self.size + i] = 1.0;
        }
    }

    /// Factors the matrix. Returns false if it is singular or not finite.
    #[inline(always)]
    pub(super) fn factor(&mut self) -> bool {
        let SmallLu { size: n, matrix, lower, pivots } = self;
        let n = *n;
        for c in 0..n {
            let (mut best, mut most) = (c, matrix[c * n + c].abs());
            for r in c + 1..n {
                let own = matrix[r * n + c].abs();
                if own > most {
                    (best, most) = (r, own);
                }
            }
            pivots[c] = best;
            if best != c {
                for j in c..n {
                    matrix.swap(c * n + j, best * n + j);
                }
                for j in 0..c {
                    lower.swap(c * n + j, best * n + j);
                }
            }
            let pivot = matrix[c * n + c];
            if pivot == 0.0 || !pivot.is_finite() {
                return false;
            }
            let over = 1.0 / pivot;
            let (head, tail) = matrix.split_at_mut((c + 1) * n);
            // Whole groups of four: what stands left of the pivot is not read again.
            let first = (c + 1) & !(LANES - 1);
            let upper = &head[c * n + first..];
            for (r, line) in tail.chunks_exact_mut(n).enumerate() {
                let factor = line[c] * over;
                lower[(c + 1 + r) * n + c] = factor;
                if factor != 0.0 {
                    add_scaled(&mut line[first..], -factor, upper);
                }
            }
        }
        true
    }

    /// x ← A⁻¹ x by the factors. Returns false if that is not finite.
    #[inline(always)]
    pub(super) fn solve(&self, x: &mut [f64]) -> bool {
        let n = self.size;
        for (c, &pivot) in self.pivots.iter().enumerate() {
            x.swap(c, pivot);
        }
        for r in 1..n {
            x[r] -= dot(&self.lower[r * n..r * n + r], &x[..r]);
        }
        for c in (0..n).rev() {
            let sum = x[c] - dot(&self.matrix[c * n + c + 1..(c + 1) * n], &x[c + 1..]);
            x[c] = sum / self.matrix[c * n + c];
        }
        x.iter().all(|value| value.is_finite())
    }
}
