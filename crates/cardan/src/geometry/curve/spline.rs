//! Cubic splines through rows of N numbers, with two continuous derivatives. With h the intervals,
//! v the rows and M the second derivatives there,
//!
//!   hᵢ₋₁ Mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) Mᵢ + hᵢ Mᵢ₊₁ = 6 ((vᵢ₊₁ − vᵢ)/hᵢ − (vᵢ − vᵢ₋₁)/hᵢ₋₁)
//!
//! | ends | equations |
//! |---|---|
//! | open | M = 0 at both ends (natural) |
//! | closed | the last row is the first again: indices are modulo the number of rows |
//!
//! The system is diagonally dominant, so that elimination without pivoting is stable. The closed
//! system is the open one bordered by a row and a column: solved for two right-hand sides, then
//! joined (Temperton).

use crate::law::Jet;

/// A cubic spline through rows of N numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spline<const N: usize> {
    /// Parameters in increasing order; one more than there are pieces.
    knots: Vec<f64>,
    rows: Vec<[f64; N]>,
    /// Second derivatives.
    bends: Vec<[f64; N]>,
}

impl<const N: usize> Spline<N> {
    /// An open spline through rows at increasing knots, with zero second derivative at its ends.
    pub(crate) fn open(knots: Vec<f64>, rows: Vec<[f64; N]>) -> Self {
        let n = rows.len();
        let mut bends = vec![[0.0; N]; n];
        if n > 2 {
            let h = |i: usize| knots[i + 1] - knots[i];
            for k in 0..N {
                let right: Vec<f64> =
                    (1..n - 1).map(|i| bend_at(&rows, k, i - 1, i, i + 1, h(i - 1), h(i))).collect();
                let between: Vec<f64> = (1..n - 2).map(h).collect();
                let diagonal: Vec<f64> = (1..n - 1).map(|i| 2.0 * (h(i - 1) + h(i))).collect();
                for (i, m) in tridiagonal(&between, &diagonal, &right).into_iter().enumerate() {
                    bends[i + 1][k] = m;
                }
            }
        }
        Spline { knots, rows, bends }
    }

    /// A closed spline through rows and back to the first; one more knot than rows, at least three
    /// rows.
    pub(crate) fn closed(knots: Vec<f64>, mut rows: Vec<[f64; N]>) -> Self {
        let n = rows.len();
        let h = |i: usize| knots[i % n + 1] - knots[i % n];
        let mut bends = vec![[0.0; N]; n + 1];
        // Unknowns 0 … n−2, bordered by the last.
        let between: Vec<f64> = (0..n - 2).map(h).collect();
        let diagonal: Vec<f64> = (0..n - 1).map(|i| 2.0 * (h(i + n - 1) + h(i))).collect();
        let mut border = vec![0.0; n - 1];
        border[0] += h(n - 1);
        border[n - 2] += h(n - 2);
        let answer = tridiagonal(&between, &diagonal, &border);
        for k in 0..N {
            let force = |i: usize| bend_at(&rows, k, (i + n - 1) % n, i, (i + 1) % n, h(i + n - 1), h(i));
            let right: Vec<f64> = (0..n - 1).map(force).collect();
            let free = tridiagonal(&between, &diagonal, &right);
            let along = |x: &[f64]| h(n - 1) * x[0] + h(n - 2) * x[n - 2];
            let last = (force(n - 1) - along(&free)) / (2.0 * (h(n - 2) + h(n - 1)) - along(&answer));
            for i in 0..n - 1 {
                bends[i][k] = free[i] - answer[i] * last;
            }
            bends[n - 1][k] = last;
            bends[n][k] = bends[0][k];
        }
        rows.push(rows[0]);
        Spline { knots, rows, bends }
    }

    pub(crate) fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Value and two derivatives; the first and last piece continue beyond the ends.
    pub(crate) fn at(&self, s: f64) -> [Jet; N] {
        let last = self.knots.len() - 2;
        let i = self.knots.partition_point(|&k| k <= s).saturating_sub(1).min(last);
        let h = self.knots[i + 1] - self.knots[i];
        let (x, y) = (s - self.knots[i], self.knots[i + 1] - s);
        core::array::from_fn(|k| {
            let (v0, v1) = (self.rows[i][k], self.rows[i + 1][k]);
            let (m0, m1) = (self.bends[i][k], self.bends[i + 1][k]);
            // Exact for a straight line; the cubic part vanishes at both ends.
            let value = (v0 * y + v1 * x) / h - x * y * (m0 * (h + y) + m1 * (h + x)) / (6.0 * h);
            let rate = (v1 - v0) / h + (m1 * (3.0 * x * x - h * h) - m0 * (3.0 * y * y - h * h)) / (6.0 * h);
            Jet::new(value, rate, (m0 * y + m1 * x) / h)
        })
    }
}

/// Six times the jump of slope at row `b`: the right-hand side.
fn bend_at<const N: usize>(
    rows: &[[f64; N]],
    k: usize,
    a: usize,
    b: usize,
    c: usize,
    before: f64,
    after: f64,
) -> f64 {
    6.0 * ((rows[c][k] - rows[b][k]) / after - (rows[b][k] - rows[a][k]) / before)
}

/// Solves a symmetric, diagonally dominant tridiagonal system.
pub(crate) fn tridiagonal(between: &[f64], diagonal: &[f64], right: &[f64]) -> Vec<f64> {
    let n = diagonal.len();
    let mut ratio = vec![0.0; n];
    let mut x = vec![0.0; n];
    for i in 0..n {
        let below = if i == 0 { 0.0 } else { between[i - 1] };
        let (r, done) = if i == 0 { (0.0, 0.0) } else { (ratio[i - 1], x[i - 1]) };
        let pivot = diagonal[i] - below * r;
        ratio[i] = if i + 1 < n { between[i] / pivot } else { 0.0 };
        x[i] = (right[i] - below * done) / pivot;
    }
    for i in (0..n.saturating_sub(1)).rev() {
        x[i] -= ratio[i] * x[i + 1];
    }
    x
}
