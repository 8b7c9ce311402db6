//! Factors of a small square matrix: LU with pivots in the column, or L D Lᵀ of a symmetric one that is positive
//! definite, from its upper triangle.

use crate::simd::lines::{LANES, add_scaled, dot};

/// A matrix, row by row, and its factors. The size is a multiple of [`LANES`].
#[derive(Clone, Debug, Default)]
pub(super) struct SmallLu {
    pub(super) size: usize,
    /// The matrix; after [`SmallLu::factor`] its upper factor without the diagonal.
    pub(super) matrix: Vec<f64>,
    /// The lower factor without its diagonal of ones, by columns.
    lower: Vec<f64>,
    /// One over the diagonal.
    over: Vec<f64>,
    /// Rows that changed places with each column's.
    pivots: Vec<usize>,
}

impl SmallLu {
    /// Makes room; the numbers are undefined.
    pub(super) fn resize(&mut self, size: usize) {
        self.size = size;
        self.matrix.resize(size * size, 0.0);
        self.lower.resize(size * size, 0.0);
        self.over.resize(size, 0.0);
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
        let SmallLu { size: n, matrix, lower, over, pivots } = self;
        let (n, groups) = (*n, *n / LANES);
        let all = matrix.as_chunks_mut::<LANES>().0;
        for c in 0..n {
            let (group, lane) = (c / LANES, c % LANES);
            let (mut best, mut most) = (c, all[c * groups + group][lane].abs());
            for (r, row) in (c + 1..n).zip(all[(c + 1) * groups..].chunks_exact(groups)) {
                let own = row[group][lane].abs();
                if own > most {
                    (best, most) = (r, own);
                }
            }
            pivots[c] = best;
            if best != c {
                // What stands before the diagonal is read no more.
                for g in group..groups {
                    all.swap(c * groups + g, best * groups + g);
                }
                for j in 0..c {
                    lower.swap(j * n + c, j * n + best);
                }
            }
            let (head, tail) = all.split_at_mut((c + 1) * groups);
            let upper = &mut head[c * groups..];
            let pivot = upper[group][lane];
            if pivot == 0.0 || !pivot.is_finite() {
                return false;
            }
            let inverse = 1.0 / pivot;
            over[c] = inverse;
            // Whole groups of four: zeros stand up to the diagonal in the first of them.
            let first = (c + 1) / LANES;
            let column = &mut lower[c * n..(c + 1) * n];
            if first == group {
                column[first * LANES..=c].fill(0.0);
                upper[first][..=lane].fill(0.0);
            }
            let upper = &upper[first.min(groups)..];
            for (row, factor) in tail.chunks_exact_mut(groups).zip(&mut column[c + 1..]) {
                *factor = row[group][lane] * inverse;
                // Columns of other bodies' joints are zero.
                if *factor != 0.0 {
                    for (out, upper) in row[first..].iter_mut().zip(upper) {
                        *out = less(out, *factor, upper);
                    }
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
        for c in 0..n {
            let first = (c + 1) & !(LANES - 1);
            let factor = x[c];
            if factor != 0.0 {
                add_scaled(&mut x[first..], -factor, &self.lower[c * n + first..(c + 1) * n]);
            }
        }
        for c in (0..n).rev() {
            let first = (c + 1) & !(LANES - 1);
            x[c] = (x[c] - dot(&self.matrix[c * n + first..(c + 1) * n], &x[first..])) * self.over[c];
        }
        x.iter().all(|value| value.is_finite())
    }

    /// L D Lᵀ of the upper triangle: D Lᵀ in its place. Returns false if the matrix is not positive definite.
    #[inline(always)]
    pub(super) fn factor_symmetric(&mut self) -> bool {
        let n = self.size;
        let groups = n / LANES;
        let all = self.matrix.as_chunks_mut::<LANES>().0;
        for c in 0..n {
            let (head, tail) = all.split_at_mut((c - c % LANES + LANES) * groups);
            let (own, line) = (c / LANES, c * groups);
            let pivot = head[line + own][c % LANES];
            if !(pivot > 0.0 && pivot < f64::INFINITY) {
                return false;
            }
            let over = 1.0 / pivot;
            self.over[c] = over;
            // Rows of the same group of four, then whole groups of rows.
            for r in c + 1..(own + 1) * LANES {
                let factor = head[line + own][r % LANES] * over;
                for g in own..groups {
                    let upper = head[line + g];
                    let out = &mut head[r * groups + g];
                    *out = less(out, factor, &upper);
                }
            }
            let upper = &head[line..line + groups];
            for (rows, own) in tail.chunks_exact_mut(LANES * groups).zip(own + 1..groups) {
                let s = upper[own];
                let s = [s[0] * over, s[1] * over, s[2] * over, s[3] * over];
                let (first, rows) = rows.split_at_mut(groups);
                let (second, rows) = rows.split_at_mut(groups);
                let (third, fourth) = rows.split_at_mut(groups);
                let (upper, fourth) = (&upper[own..], &mut fourth[own..]);
                let lines =
                    first[own..].iter_mut().zip(&mut second[own..]).zip(&mut third[own..]).zip(fourth);
                for ((((a, b), c), d), upper) in lines.zip(upper) {
                    *a = less(a, s[0], upper);
                    *b = less(b, s[1], upper);
                    *c = less(c, s[2], upper);
                    *d = less(d, s[3], upper);
                }
            }
        }
        true
    }

    /// x ← A⁻¹ x by the factors of [`SmallLu::factor_symmetric`]. Returns false if that is not finite.
    #[inline(always)]
    pub(super) fn solve_symmetric(&self, x: &mut [f64]) -> bool {
        let n = self.size;
        for c in 0..n {
            let factor = x[c] * self.over[c];
            let from = c + 1 - (c + 1) % LANES;
            let (head, line) = (&self.matrix[c * n..][..n], &mut x[..n]);
            for i in c + 1..if from + LANES < n { from + LANES } else { n } {
                line[i] -= factor * head[i];
            }
            if from + LANES < n {
                add_scaled(&mut line[from + LANES..], -factor, &head[from + LANES..]);
            }
            x[c] = factor;
        }
        for c in (0..n).rev() {
            x[c] -= dot(&self.matrix[c * n + c + 1..(c + 1) * n], &x[c + 1..]) * self.over[c];
        }
        x.iter().all(|value| value.is_finite())
    }
}

/// x − s y.
#[inline(always)]
fn less(x: &[f64; LANES], s: f64, y: &[f64; LANES]) -> [f64; LANES] {
    [x[0] - s * y[0], x[1] - s * y[1], x[2] - s * y[2], x[3] - s * y[3]]
}
