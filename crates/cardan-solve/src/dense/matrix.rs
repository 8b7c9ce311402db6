//! Dense matrices. They share nothing with the kernels of the other solvers, so that the two can disagree.

/// A row-major matrix that keeps its memory when it changes size.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrix {
    pub(super) rows: usize,
    pub(super) cols: usize,
    data: Vec<f64>,
}

impl std::ops::Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

impl std::ops::IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}

impl Matrix {
    pub(super) fn with_capacity(len: usize) -> Matrix {
        Matrix { rows: 0, cols: 0, data: Vec::with_capacity(len) }
    }

    /// Becomes a zero matrix of the given size.
    pub(super) fn reset(&mut self, rows: usize, cols: usize) {
        (self.rows, self.cols) = (rows, cols);
        self.data.clear();
        self.data.resize(rows * cols, 0.0);
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }

    pub(super) fn is_finite(&self) -> bool {
        self.data.iter().all(|entry| entry.is_finite())
    }

    pub(super) fn bytes(&self) -> usize {
        self.data.capacity() * size_of::<f64>()
    }

    fn swap_cols(&mut self, a: usize, b: usize) {
        for i in 0..self.rows {
            self.data.swap(i * self.cols + a, i * self.cols + b);
        }
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        for j in 0..self.cols {
            self.data.swap(a * self.cols + j, b * self.cols + j);
        }
    }
}

/// Householder's A P = Q R, the column with the largest remainder first (ties to the first).
#[derive(Clone, Debug, Default)]
pub(super) struct PivotedQr {
    /// R above and on the diagonal; the first `rank` rows count.
    pub(super) r: Matrix,
    /// The first `rank` columns of Q.
    pub(super) q: Matrix,
    /// Which column of A is at each place.
    pub(super) order: Vec<usize>,
    pub(super) rank: usize,
    reflector: Matrix,
}

impl PivotedQr {
    pub(super) fn with_capacity(rows: usize, cols: usize) -> PivotedQr {
        PivotedQr {
            r: Matrix::with_capacity(rows * cols),
            q: Matrix::with_capacity(rows * cols),
            order: Vec::with_capacity(cols),
            rank: 0,
            reflector: Matrix::with_capacity(rows * cols),
        }
    }

    /// Factors the matrix that was put into `r`. Remainders up to `tolerance` end the rank.
    pub(super) fn factor(&mut self, tolerance: f64) {
        let (rows, cols) = (self.r.rows, self.r.cols);
        let steps = rows.min(cols);
        self.order.clear();
        self.order.extend(0..cols);
        self.reflector.reset(steps, rows);
        self.rank = 0;
        for k in 0..steps {
            let (mut best, mut largest) = (k, -1.0);
            for j in k..cols {
                let remainder = (k..rows).map(|i| self.r[(i, j)] * self.r[(i, j)]).sum::<f64>().sqrt();
                if remainder > largest {
                    (best, largest) = (j, remainder);
                }
            }
            if largest <= tolerance {
                break;
            }
            self.r.swap_cols(k, best);
            self.order.swap(k, best);
            // v = a ∓ |a| e_k, unit length
            let head = self.r[(k, k)];
            let target = if head > 0.0 { -largest } else { largest };
            let mut square = 0.0;
            for i in k..rows {
                let v = self.r[(i, k)] - if i == k { target } else { 0.0 };
                self.reflector[(k, i)] = v;
                square += v * v;
            }
            let length = square.sqrt();
            for i in k..rows {
                self.reflector[(k, i)] /= length;
            }
            for j in k..cols {
                reflect(self.reflector.row(k), &mut self.r, k, j);
            }
            self.rank += 1;
        }
        // Q e_k: the reflections in reverse on columns of the identity.
        self.q.reset(rows, self.rank);
        for j in 0..self.rank {
            self.q[(j, j)] = 1.0;
            for k in (0..self.rank).rev() {
                reflect(self.reflector.row(k), &mut self.q, k, j);
            }
        }
    }

    /// v ← R₁⁻¹ v, R₁ the leading rank × rank triangle.
    pub(super) fn solve_r(&self, v: &mut [f64]) {
        for k in (0..self.rank).rev() {
            for j in k + 1..self.rank {
                v[k] -= self.r[(k, j)] * v[j];
            }
            v[k] /= self.r[(k, k)];
        }
    }

    /// v ← R₁⁻ᵀ v.
    pub(super) fn solve_rt(&self, v: &mut [f64]) {
        for k in 0..self.rank {
            for j in 0..k {
                v[k] -= self.r[(j, k)] * v[j];
            }
            v[k] /= self.r[(k, k)];
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.r.bytes() + self.q.bytes() + self.reflector.bytes() + self.order.capacity() * size_of::<usize>()
    }
}

/// Column `j` of `m` ← (I − 2 v vᵀ) column, where v is zero before `from`.
fn reflect(v: &[f64], m: &mut Matrix, from: usize, j: usize) {
    let along: f64 = (from..m.rows).map(|i| v[i] * m[(i, j)]).sum();
    for i in from..m.rows {
        m[(i, j)] -= 2.0 * along * v[i];
    }
}

/// P A = L U with row pivoting, on a matrix scaled to H_ij s_i s_j.
#[derive(Clone, Debug, Default)]
pub(super) struct Lu {
    pub(super) matrix: Matrix,
    pub(super) scale: Vec<f64>,
    swaps: Vec<usize>,
}

impl Lu {
    pub(super) fn with_capacity(n: usize) -> Lu {
        Lu {
            matrix: Matrix::with_capacity(n * n),
            scale: Vec::with_capacity(n),
            swaps: Vec::with_capacity(n),
        }
    }

    /// Factors `original` scaled by `scale` on both sides; the error is the index of a vanishing pivot.
    pub(super) fn factor(&mut self, original: &Matrix) -> Result<(), usize> {
        let n = original.rows;
        self.matrix.reset(n, n);
        for i in 0..n {
            for j in 0..n {
                self.matrix[(i, j)] = original[(i, j)] * self.scale[i] * self.scale[j];
            }
        }
        self.swaps.clear();
        for k in 0..n {
            let mut best = k;
            for i in k + 1..n {
                if self.matrix[(i, k)].abs() > self.matrix[(best, k)].abs() {
                    best = i;
                }
            }
            self.matrix.swap_rows(k, best);
            self.swaps.push(best);
            let pivot = self.matrix[(k, k)];
            if pivot == 0.0 || !pivot.is_finite() {
                return Err(k);
            }
            for i in k + 1..n {
                let factor = self.matrix[(i, k)] / pivot;
                self.matrix[(i, k)] = factor;
                if factor != 0.0 {
                    for j in k + 1..n {
                        self.matrix[(i, j)] -= factor * self.matrix[(k, j)];
                    }
                }
            }
        }
        Ok(())
    }

    /// v ← original⁻¹ v.
    pub(super) fn solve(&self, v: &mut [f64]) {
        let n = v.len();
        for i in 0..n {
            v[i] *= self.scale[i];
        }
        for k in 0..n {
            v.swap(k, self.swaps[k]);
        }
        for i in 0..n {
            for j in 0..i {
                v[i] -= self.matrix[(i, j)] * v[j];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                v[i] -= self.matrix[(i, j)] * v[j];
            }
            v[i] /= self.matrix[(i, i)];
        }
        for i in 0..n {
            v[i] *= self.scale[i];
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.matrix.bytes()
            + self.scale.capacity() * size_of::<f64>()
            + self.swaps.capacity() * size_of::<usize>()
    }
}
