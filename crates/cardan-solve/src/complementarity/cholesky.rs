//! Cholesky factor of some rows and columns of A, with rows added and removed.
//!
//! ```text
//! L Lᵀ = A_WW          W in the order in which rows were added
//! add p:     L l = A_Wp,   d = A_pp − |l|²,   (L 0; lᵀ √d)          d: remainder of p beside W
//! remove p:  the column below its row is added back:  L₃ L₃ᵀ += l₃₂ l₃₂ᵀ     (stable)
//! ```

/// The set W and its factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cholesky {
    /// W.
    pub(crate) rows: Vec<usize>,
    /// L, in rows of `width`.
    lower: Vec<f64>,
    width: usize,
    /// l of the last [`Cholesky::remainder`].
    column: Vec<f64>,
    spare: Vec<f64>,
}

impl Cholesky {
    /// Empties W, with memory for `width` rows.
    pub(crate) fn clear(&mut self, width: usize) {
        self.rows.clear();
        self.rows.reserve(width);
        self.width = width;
        self.lower.clear();
        self.lower.resize(width * width, 0.0);
        self.column.clear();
        self.column.resize(width, 0.0);
        self.spare.clear();
        self.spare.resize(width, 0.0);
    }

    /// Remainder d of row p of A (k × k) beside W. Keeps l for [`Cholesky::add_row`].
    pub(crate) fn remainder(&mut self, matrix: &[f64], k: usize, p: usize) -> f64 {
        let mut left = matrix[p * k + p];
        for (i, &row) in self.rows.iter().enumerate() {
            let lower = &self.lower[i * self.width..][..=i];
            let mut sum = matrix[p * k + row];
            for j in 0..i {
                sum -= lower[j] * self.column[j];
            }
            self.column[i] = sum / lower[i];
            left -= self.column[i] * self.column[i];
        }
        left
    }

    /// −A_WW⁻¹ A_Wp: the change of λ_W that keeps a_W while λ_p grows by one, from the l of the last
    /// [`Cholesky::remainder`].
    pub(crate) fn answer(&mut self, out: &mut [f64]) {
        let n = self.rows.len();
        for i in 0..n {
            out[i] = -self.column[i];
        }
        self.back(out);
    }

    /// x = L⁻ᵀ x.
    fn back(&self, x: &mut [f64]) {
        for i in (0..self.rows.len()).rev() {
            let lower = &self.lower[i * self.width..][..=i];
            x[i] /= lower[i];
            for j in 0..i {
                x[j] -= lower[j] * x[i];
            }
        }
    }

    /// x = A_WW⁻¹ x.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        for i in 0..self.rows.len() {
            let lower = &self.lower[i * self.width..][..=i];
            for j in 0..i {
                x[i] -= lower[j] * x[j];
            }
            x[i] /= lower[i];
        }
        self.back(x);
    }

    /// Adds row p, with the l and the d of the last [`Cholesky::remainder`].
    pub(crate) fn add_row(&mut self, p: usize, left: f64) {
        let n = self.rows.len();
        let lower = &mut self.lower[n * self.width..][..=n];
        lower[..n].copy_from_slice(&self.column[..n]);
        lower[n] = left.sqrt();
        self.rows.push(p);
    }

    /// Removes the row at a place in W.
    pub(crate) fn remove_row(&mut self, place: usize) {
        let n = self.rows.len();
        let width = self.width;
        // x: the column of L below the removed row.
        for i in place + 1..n {
            self.spare[i] = self.lower[i * width + place];
        }
        for i in place + 1..n {
            // Rows move up by one, columns left by one.
            for j in 0..i {
                let from = if j < place { j } else { j + 1 };
                self.lower[(i - 1) * width + j] = self.lower[i * width + from];
            }
        }
        self.rows.remove(place);
        // Rank-one update of the columns right of `place`, by rotations.
        for j in place..n - 1 {
            let (pivot, x) = (self.lower[j * width + j], self.spare[j + 1]);
            if x == 0.0 {
                continue;
            }
            let length = (pivot * pivot + x * x).sqrt();
            let (cos, sin) = (pivot / length, x / length);
            self.lower[j * width + j] = length;
            for i in j + 1..n - 1 {
                let (entry, x) = (self.lower[i * width + j], self.spare[i + 1]);
                self.lower[i * width + j] = cos * entry + sin * x;
                self.spare[i + 1] = cos * x - sin * entry;
            }
        }
    }
}
