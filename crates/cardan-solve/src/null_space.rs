//! Range and null space of dense rows J by Householder reflections:
//!
//! ```text
//! Jᵀ P = [ Y  Z ] ⎡ R ⎤         Y, Z orthonormal;   J Z = 0,   Yᵀ Y = 1
//!                 ⎣ 0 ⎦
//! ```
//!
//! The row with the largest remainder is reflected first (ties to the first). Rows are divided by their
//! lengths before, and remainders up to 1e-9 are rounding of the geometry, as in [`Rank`](crate::Rank). Dense
//! and without a graph: for small problems that need Z itself.

use crate::tolerances::ROUNDING_OF_GEOMETRY;

/// Orthonormal bases of the row space of J and of its null space.
#[derive(Clone, Debug, Default)]
pub struct NullSpaceBasis {
    unknowns: usize,
    /// Lengths of the rows; 1 for a row of zeros.
    lengths: Vec<f64>,
    /// Reflectors, contiguous, each of n numbers with zeros before its own index.
    reflectors: Vec<f64>,
    /// Rows of J in the order of their pivots; entry k of row i ≥ k is R_ki once reflected.
    rows: Vec<f64>,
    order: Vec<usize>,
    rank: usize,
}

impl NullSpaceBasis {
    /// Bases for rows of `unknowns` numbers each; `None` if a number is not finite.
    pub fn of(rows: &[f64], unknowns: usize) -> Option<NullSpaceBasis> {
        let n = unknowns;
        if !rows.iter().all(|x| x.is_finite()) {
            return None;
        }
        let count = rows.len().checked_div(n).unwrap_or(0);
        let mut split = NullSpaceBasis {
            unknowns,
            order: (0..count).collect(),
            rows: rows.to_vec(),
            ..NullSpaceBasis::default()
        };
        for row in split.rows.chunks_exact_mut(n.max(1)) {
            let length = norm(row);
            let length = if length > 0.0 { length } else { 1.0 };
            row.iter_mut().for_each(|x| *x /= length);
            split.lengths.push(length);
        }
        for k in 0..count.min(n) {
            let (mut best, mut largest) = (k, -1.0);
            for i in k..count {
                let left = norm(&split.rows[i * n + k..(i + 1) * n]);
                if left > largest {
                    (best, largest) = (i, left);
                }
            }
            if largest <= ROUNDING_OF_GEOMETRY {
                break;
            }
            split.exchange(k, best);
            let mut v = vec![0.0; n];
            v[k..].copy_from_slice(&split.rows[k * n + k..(k + 1) * n]);
            v[k] -= if v[k] > 0.0 { -largest } else { largest };
            let size = norm(&v[k..]);
            v[k..].iter_mut().for_each(|x| *x /= size);
            for row in split.rows[k * n..].chunks_exact_mut(n) {
                reflect(&v[k..], &mut row[k..]);
            }
            split.reflectors.extend_from_slice(&v);
            split.rank += 1;
        }
        Some(split)
    }

    fn exchange(&mut self, i: usize, j: usize) {
        let n = self.unknowns;
        self.order.swap(i, j);
        if i != j {
            let (head, tail) = self.rows.split_at_mut(j * n);
            head[i * n..(i + 1) * n].swap_with_slice(&mut tail[..n]);
        }
    }

    /// Number of independent rows.
    pub fn rank(&self) -> usize {
        self.rank
    }
    /// Dimension of the null space.
    pub fn nullity(&self) -> usize {
        self.unknowns - self.rank
    }

    /// Column k of Z.
    pub fn null_vector(&self, k: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.unknowns];
        out[self.rank + k] = 1.0;
        for (at, v) in self.reflectors.chunks_exact(self.unknowns).enumerate().rev() {
            reflect(&v[at..], &mut out[at..]);
        }
        out
    }

    /// The shortest x with J x = −c; redundant rows are ignored.
    pub fn least_norm(&self, c: &[f64]) -> Vec<f64> {
        let n = self.unknowns;
        let mut x = vec![0.0; n];
        // Rᵀ y = −c, then x = Y y.
        for i in 0..self.rank {
            let row = &self.rows[i * n..];
            let sum: f64 = (0..i).map(|k| row[k] * x[k]).sum();
            x[i] = -(c[self.order[i]] / self.lengths[self.order[i]] + sum) / row[i];
        }
        for (at, v) in self.reflectors.chunks_exact(n.max(1)).enumerate().rev() {
            reflect(&v[at..], &mut x[at..]);
        }
        x
    }

    /// λ that makes f + Jᵀ λ shortest; zero for redundant rows. `out` has one number per row.
    pub fn multipliers(&self, f: &[f64], out: &mut [f64]) {
        let n = self.unknowns;
        let mut y = f.to_vec();
        for (at, v) in self.reflectors.chunks_exact(n.max(1)).enumerate() {
            reflect(&v[at..], &mut y[at..]);
        }
        out.fill(0.0);
        // R λ = −Yᵀ f; R_ki is entry k of row i.
        let mut lambda = vec![0.0; self.rank];
        for k in (0..self.rank).rev() {
            let sum: f64 = (k + 1..self.rank).map(|i| self.rows[i * n + k] * lambda[i]).sum();
            lambda[k] = -(y[k] + sum) / self.rows[k * n + k];
            out[self.order[k]] = lambda[k] / self.lengths[self.order[k]];
        }
    }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// x ← (1 − 2 v vᵀ) x.
fn reflect(v: &[f64], x: &mut [f64]) {
    let along: f64 = v.iter().zip(&*x).map(|(v, x)| v * x).sum();
    x.iter_mut().zip(v).for_each(|(x, v)| *x -= 2.0 * along * v);
}
