//! The small dense system of the auxiliary multipliers: A μ = −b, symmetric or not.
//!
//! A is first scaled to entries of at most about one, by what its rows and columns would be without any other
//! link:
//!
//! ```text
//! Ã = S⁻¹ A T⁻¹,   s_i² = J_i diag(M)⁻¹ J_iᵀ + E_i,   t_j² = K_jᵀ diag(M)⁻¹ K_j + E_j
//! ```
//!
//! and factored P Ã Q = L U. The pivot is the largest entry on the diagonal of A, unless another one is more
//! than ten times larger: a symmetric A then keeps its symmetry, and its rows and columns without a pivot are
//! the same. Ties go to the lower index.

/// An off-diagonal entry must be larger by this factor to be preferred.
const PREFERRED: f64 = 10.0;

/// A, its scales and its factor.
#[derive(Clone, Debug, Default)]
pub(super) struct SchurLu {
    k: usize,
    /// A, row-major.
    pub(super) a: Vec<f64>,
    /// Scales s of the rows and t of the columns.
    pub(super) row_scale: Vec<f64>,
    pub(super) col_scale: Vec<f64>,
    /// L below the diagonal (its own is one), U on and above it, both permuted.
    lu: Vec<f64>,
    /// Which row and which column of A is at each place.
    rows: Vec<u32>,
    cols: Vec<u32>,
    /// Number of pivots that are used.
    pub(super) rank: usize,
    scratch: Vec<f64>,
}

impl SchurLu {
    pub(super) fn new(k: usize) -> SchurLu {
        SchurLu {
            k,
            a: vec![0.0; k * k],
            row_scale: vec![0.0; k],
            col_scale: vec![0.0; k],
            lu: vec![0.0; k * k],
            rows: vec![0; k],
            cols: vec![0; k],
            rank: 0,
            scratch: vec![0.0; k],
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let numbers = [&self.a, &self.row_scale, &self.col_scale, &self.lu, &self.scratch];
        numbers.iter().map(|v| v.capacity() * size_of::<f64>()).sum::<usize>()
            + (self.rows.capacity() + self.cols.capacity()) * size_of::<u32>()
    }

    /// Factors A as far as there are pivots; all of them are used until `rank` is lowered.
    pub(super) fn factor(&mut self) {
        let k = self.k;
        for i in 0..k {
            (self.rows[i], self.cols[i]) = (i as u32, i as u32);
            for j in 0..k {
                self.lu[i * k + j] = self.a[i * k + j] / (self.row_scale[i] * self.col_scale[j]);
            }
        }
        self.rank = k;
        for step in 0..k {
            let Some((row, col)) = self.largest_from(step) else {
                self.rank = step;
                return;
            };
            self.exchange(step, row, col);
            let (above, below) = self.lu.split_at_mut((step + 1) * k);
            let pivot_row = &above[step * k..];
            for row in below.chunks_exact_mut(k) {
                row[step] /= pivot_row[step];
                let factor = row[step];
                for j in step + 1..k {
                    row[j] -= factor * pivot_row[j];
                }
            }
        }
    }

    /// Place of the next pivot; `None` where only zeros are left.
    fn largest_from(&self, step: usize) -> Option<(usize, usize)> {
        let (mut any, mut at) = (0.0, None);
        let (mut own, mut own_at) = (0.0, None);
        for i in step..self.k {
            for j in step..self.k {
                let size = self.lu[i * self.k + j].abs();
                if size > any {
                    (any, at) = (size, Some((i, j)));
                }
                if self.rows[i] == self.cols[j] && size > own {
                    (own, own_at) = (size, Some((i, j)));
                }
            }
        }
        if own * PREFERRED >= any && own_at.is_some() { own_at } else { at }
    }

    fn exchange(&mut self, step: usize, row: usize, col: usize) {
        let k = self.k;
        self.rows.swap(step, row);
        self.cols.swap(step, col);
        for j in 0..k {
            self.lu.swap(step * k + j, row * k + j);
        }
        for i in 0..k {
            self.lu.swap(i * k + step, i * k + col);
        }
    }

    /// |pivot| of scaled A at a place; zero where there is none.
    pub(super) fn pivot(&self, place: usize) -> f64 {
        if place < self.rank { self.lu[place * self.k + place].abs() } else { 0.0 }
    }

    /// The least pivot that is used; one if there is none.
    pub(super) fn least_pivot(&self) -> f64 {
        (0..self.rank).map(|place| self.pivot(place)).fold(1.0, |least, p| if p < least { p } else { least })
    }

    /// The row of A at a place.
    pub(super) fn row_at(&self, place: usize) -> usize {
        self.rows[place] as usize
    }

    /// The column of A at a place.
    pub(super) fn col_at(&self, place: usize) -> usize {
        self.cols[place] as usize
    }

    /// Rows of A without a pivot.
    pub(super) fn left_over(&self) -> impl Iterator<Item = usize> + '_ {
        self.rows[self.rank..].iter().map(|&row| row as usize)
    }

    /// Whether rows and columns without a pivot are the same.
    pub(super) fn leaves_pairs(&self) -> bool {
        let (rows, cols) = (&self.rows[self.rank..], &self.cols[self.rank..]);
        rows.iter().all(|row| cols.contains(row))
    }

    /// Whether a row of A is rounding relative to its scales.
    pub(super) fn is_empty_row(&self, i: usize, rounding: f64) -> bool {
        (0..self.k).all(|j| self.a[i * self.k + j].abs() <= rounding * self.row_scale[i] * self.col_scale[j])
    }

    /// μ with A μ = −b in the rows that are used; zero for the columns without a pivot. b keeps its values.
    pub(super) fn solve(&mut self, b: &[f64], mu: &mut [f64]) {
        let (k, rank) = (self.k, self.rank);
        let y = &mut self.scratch;
        for i in 0..rank {
            let row = self.rows[i] as usize;
            let mut sum = -b[row] / self.row_scale[row];
            for j in 0..i {
                sum -= self.lu[i * k + j] * y[j];
            }
            y[i] = sum;
        }
        for i in (0..rank).rev() {
            let mut sum = y[i];
            for j in i + 1..rank {
                sum -= self.lu[i * k + j] * y[j];
            }
            y[i] = sum / self.lu[i * k + i];
        }
        mu.fill(0.0);
        for i in 0..rank {
            let col = self.cols[i] as usize;
            mu[col] = y[i] / self.col_scale[col];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SchurLu;

    fn of(k: usize, a: &[f64]) -> SchurLu {
        let mut small = SchurLu::new(k);
        small.a.copy_from_slice(a);
        small.row_scale.fill(1.0);
        small.col_scale.fill(1.0);
        small.factor();
        small
    }

    #[test]
    fn a_matrix_without_a_diagonal_is_solved_by_exchanging() {
        let mut small = of(3, &[0.0, 2.0, 0.0, 0.0, 0.0, 4.0, 8.0, 0.0, 0.0]);
        let mut mu = [0.0; 3];
        small.solve(&[-2.0, -8.0, -24.0], &mut mu);
        assert_eq!((mu, small.rank), ([3.0, 1.0, 2.0], 3));
    }

    #[test]
    fn a_symmetric_matrix_keeps_its_pairs_and_leaves_the_dependent_one_over() {
        // Rows 0 and 2 are the same.
        let mut small = of(3, &[2.0, 1.0, 2.0, 1.0, 3.0, 1.0, 2.0, 1.0, 2.0]);
        assert!(small.pivot(2) < 1e-15 && small.pivot(1) > 0.1);
        small.rank = 2;
        assert!(small.leaves_pairs() && small.left_over().eq([2]));
        let mut mu = [0.0; 3];
        small.solve(&[-2.0, -1.0, -2.0], &mut mu);
        assert!((mu[0] - 1.0).abs() < 1e-15 && mu[1].abs() < 1e-15 && mu[2] == 0.0, "{mu:?}");
    }

    #[test]
    fn zeros_and_infinities_do_no_harm() {
        assert_eq!(of(2, &[0.0; 4]).rank, 0);
        assert_eq!(of(0, &[]).least_pivot(), 1.0);
        let mut small = of(2, &[f64::NAN, 0.0, 0.0, 1.0]);
        small.solve(&[1.0, 1.0], &mut [0.0; 2]);
    }
}
