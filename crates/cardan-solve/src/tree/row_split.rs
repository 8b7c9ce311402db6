//! Which of a block's rows are eliminated at it, and how the others depend on these.
//!
//! Rank is decided by geometry: by the rows A on the block alone, each divided by the magnitude that formed
//! it, and by no mass. Gram–Schmidt, largest remainder first (ties to the lower index), twice:
//!
//! ```text
//! accepted   A_acc = G Q          Q orthonormal rows, G lower triangular
//! dependent  A_dep = W A_acc      W = g G⁻¹, where g are the coefficients of A_dep on Q
//! ```
//!
//! Compliant rows (E > 0) are always accepted. They are not used in W: subtracting a compliant row from
//! another would add its E to that.

use crate::error::FactorError;
use crate::graph::{Link, packed_len};
use crate::kernel::{dot, subtract_scaled};
use crate::lane::Lane;
use crate::tolerances::ROUNDING_OF_GEOMETRY;

/// Stacked rows of one block, and the decision on them. Scratch, reused from block to block.
#[derive(Clone, Debug, Default)]
pub(super) struct RowSplit<T> {
    /// In: rows on the block (count × dim) and on its parent (count × parent_dim).
    pub(super) on_child: Vec<T>,
    pub(super) on_parent: Vec<T>,
    /// In: per row, what formed it, its compliance and its link.
    pub(super) formed: Vec<f64>,
    pub(super) compliance: Vec<T>,
    pub(super) origin: Vec<(Link, u32)>,
    /// Out: rows in the order accepted rigid, compliant, dependent.
    pub(super) order: Vec<u32>,
    /// Out: number of rows in `order` that are accepted and rigid; number that are accepted.
    pub(super) rigid: usize,
    pub(super) accepted: usize,
    /// Out: W, one row of length `rigid` for each dependent row.
    pub(super) weight: Vec<T>,
    /// Scaled rows, reduced to their remainders and, once accepted, to Q.
    remainder: Vec<T>,
    /// Coefficients on Q: G for accepted rows, g for dependent ones (count × dim).
    coefficient: Vec<T>,
    waiting: Vec<u32>,
    /// Rows of B with the square roots of E.
    basis: Vec<T>,
}

impl<T: Lane> RowSplit<T> {
    pub(super) fn clear(&mut self) {
        self.on_child.clear();
        self.on_parent.clear();
        self.formed.clear();
        self.compliance.clear();
        self.origin.clear();
    }

    pub(super) fn count(&self) -> usize {
        self.formed.len()
    }

    /// Fills `order`, `rigid`, `accepted` and `weight` for a block with these units of its unknowns.
    pub(super) fn decide(&mut self, units: &[f64]) {
        let dim = units.len();
        self.start(units);
        while self.order.len() < dim {
            let Some(position) = self.largest_remainder(dim) else { break };
            if !self.accept(position, dim) {
                break;
            }
        }
        self.rigid = self.order.len();
        for row in 0..self.count() as u32 {
            if self.is_compliant(row) {
                self.order.push(row);
            }
        }
        self.accepted = self.order.len();
        self.weigh(dim);
    }

    /// T with T Tᵀ = S = BᵀB + E, from [B; √E]: S, whose condition number is the square, is not formed.
    pub(super) fn root_of_s(&mut self, b: &[T], dim: usize, t: &mut [T]) -> Result<(), FactorError> {
        let width = dim + self.accepted - self.rigid;
        self.basis.clear();
        self.basis.resize(self.accepted * width, T::ZERO);
        for i in 0..self.accepted {
            let row = &mut self.basis[i * width..][..width];
            row[..dim].copy_from_slice(&b[i * dim..][..dim]);
            if i >= self.rigid {
                row[dim + i - self.rigid] = self.compliance[self.order[i] as usize].sqrt();
            }
        }
        orthogonalise(&mut self.basis, width, t).map_err(|i| {
            let (link, row) = self.origin[self.order[i] as usize];
            FactorError::Vanished { link, row: row as usize }
        })
    }

    fn is_compliant(&self, row: u32) -> bool {
        self.compliance[row as usize] != T::ZERO
    }

    fn start(&mut self, units: &[f64]) {
        let (count, dim) = (self.count(), units.len());
        self.order.clear();
        self.waiting.clear();
        self.remainder.clear();
        self.remainder.extend_from_slice(&self.on_child);
        for row in 0..count {
            let scale = if self.formed[row] == 0.0 { 0.0 } else { 1.0 / self.formed[row] };
            for (entry, unit) in self.remainder[row * dim..(row + 1) * dim].iter_mut().zip(units) {
                *entry *= T::splat(scale * unit);
            }
        }
        self.coefficient.clear();
        self.coefficient.resize(count * dim, T::ZERO);
        for row in 0..count as u32 {
            if !self.is_compliant(row) {
                self.waiting.push(row);
            }
        }
    }

    /// Position in `waiting` of the largest remainder above rounding.
    fn largest_remainder(&self, dim: usize) -> Option<usize> {
        let (mut best, mut largest) = (None, ROUNDING_OF_GEOMETRY * ROUNDING_OF_GEOMETRY);
        for (position, &row) in self.waiting.iter().enumerate() {
            let row = &self.remainder[row as usize * dim..][..dim];
            let square = dot(row, row).magnitude();
            if square > largest {
                (best, largest) = (Some(position), square);
            }
        }
        best
    }

    /// Makes the waiting row a row of Q and subtracts its direction from the others.
    fn accept(&mut self, position: usize, dim: usize) -> bool {
        let row = self.waiting[position];
        self.project_again(row, dim);
        let start = row as usize * dim;
        let remainder = &mut self.remainder[start..start + dim];
        let length = dot(remainder, remainder).sqrt();
        // The remainder of the first pass may have been rounding.
        if length.magnitude().is_nan() || length.magnitude() <= ROUNDING_OF_GEOMETRY {
            return false;
        }
        let reciprocal = T::ONE / length;
        for entry in remainder {
            *entry *= reciprocal;
        }
        let k = self.order.len();
        self.coefficient[start + k] = length;
        self.waiting.remove(position);
        self.order.push(row);
        for at in 0..self.waiting.len() {
            self.project(self.waiting[at], k, dim);
        }
        true
    }

    /// The second pass of Gram–Schmidt for one row.
    fn project_again(&mut self, row: u32, dim: usize) {
        for k in 0..self.order.len() {
            self.project(row, k, dim);
        }
    }

    /// Subtracts the direction of Q's row `k` from `row`.
    fn project(&mut self, row: u32, k: usize, dim: usize) {
        let (row, accepted) = (row as usize * dim, self.order[k] as usize * dim);
        let (row_entries, q) = two(&mut self.remainder, row, accepted, dim);
        let along = dot(row_entries, q);
        subtract_scaled(row_entries, along, q);
        self.coefficient[row + k] += along;
    }

    /// Solves W G = g for every dependent row, then scales back.
    fn weigh(&mut self, dim: usize) {
        let rigid = self.rigid;
        self.weight.clear();
        for at in 0..self.waiting.len() {
            let row = self.waiting[at];
            for k in 0..rigid {
                self.project(row, k, dim);
            }
            let start = self.weight.len();
            self.weight.extend_from_slice(&self.coefficient[row as usize * dim..][..rigid]);
            let weight = &mut self.weight[start..];
            for k in (0..rigid).rev() {
                let g = &self.coefficient[self.order[k] as usize * dim..][..rigid];
                weight[k] = weight[k] / g[k];
                let solved = weight[k];
                subtract_scaled(&mut weight[..k], solved, &g[..k]);
            }
            for k in 0..rigid {
                weight[k] *= T::splat(self.formed[row as usize] / self.formed[self.order[k] as usize]);
            }
            self.order.push(row);
        }
    }
}

/// Gram–Schmidt, twice, on the rows of `v`: v = T Q with T packed, reciprocals on its diagonal.
fn orthogonalise<T: Lane>(v: &mut [T], width: usize, t: &mut [T]) -> Result<(), usize> {
    if width == 0 {
        return Ok(());
    }
    for i in 0..v.len() / width {
        let (above, rest) = v.split_at_mut(i * width);
        let (row, t) = (&mut rest[..width], &mut t[packed_len(i)..packed_len(i + 1)]);
        for _ in 0..2 {
            for (k, q) in above.chunks_exact(width).enumerate() {
                let along = dot(row, q);
                t[k] += along;
                subtract_scaled(row, along, q);
            }
        }
        let reciprocal = T::ONE / dot(row, row).sqrt();
        if !reciprocal.magnitude().is_finite() || reciprocal.magnitude() == 0.0 {
            return Err(i);
        }
        t[i] = reciprocal;
        for entry in row {
            *entry *= reciprocal;
        }
    }
    Ok(())
}

/// Two different slices of one array, the first for writing.
fn two<T>(values: &mut [T], write: usize, read: usize, len: usize) -> (&mut [T], &[T]) {
    if write < read {
        let (low, high) = values.split_at_mut(read);
        (&mut low[write..write + len], &high[..len])
    } else {
        let (low, high) = values.split_at_mut(write);
        (&mut high[..len], &low[read..read + len])
    }
}

impl<T> RowSplit<T> {
    /// Allocated memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        let RowSplit { on_child, on_parent, compliance, weight, remainder, coefficient, basis, .. } = self;
        let lanes = [on_child, on_parent, compliance, weight, remainder, coefficient, basis];
        lanes.into_iter().map(Vec::capacity).sum::<usize>() * size_of::<T>()
            + self.formed.capacity() * size_of::<f64>()
            + self.origin.capacity() * size_of::<(Link, u32)>()
            + (self.order.capacity() + self.waiting.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that differ by 1e-6 to 1e-7.
    fn nearly_alike(dim: usize) -> Vec<f64> {
        let mut rows = vec![1.0; dim * dim];
        for i in 0..dim {
            for j in 0..dim {
                rows[i * dim + j] +=
                    1e-6 / (1.0 + i as f64 + 2.0 * j as f64) + if i == j { 1e-7 } else { 0.0 };
            }
        }
        rows
    }

    /// Largest |q_i · q_j|, i ≠ j.
    fn skew(rows: &[f64], dim: usize) -> f64 {
        let mut worst = 0.0;
        for i in 0..rows.len() / dim {
            for j in 0..i {
                let along = dot(&rows[i * dim..][..dim], &rows[j * dim..][..dim]).abs();
                worst = if along > worst { along } else { worst };
            }
        }
        worst
    }

    #[test]
    fn rows_that_are_nearly_alike_become_orthogonal() {
        let dim = 5;
        let mut split = RowSplit { on_child: nearly_alike(dim), ..RowSplit::default() };
        split.formed = vec![1.0; dim];
        split.compliance = vec![0.0; dim];
        split.origin = vec![(Link(0), 0); dim];
        split.decide(&vec![1.0; dim]);
        assert_eq!((split.rigid, split.accepted), (dim, dim));
        assert!(skew(&split.remainder, dim) < 1e-14, "{:e}", skew(&split.remainder, dim));

        let (mut rows, mut t) = (nearly_alike(dim), vec![0.0; packed_len(dim)]);
        orthogonalise(&mut rows, dim, &mut t).unwrap();
        assert!(skew(&rows, dim) < 1e-14, "{:e}", skew(&rows, dim));
    }

    #[test]
    fn dependent_rows_are_rebuilt_from_the_accepted() {
        // Rows 0 and 2 span the plane; row 1 = 3 × row 0 − 1e-3 × row 2; row 3 is compliant; row 4 is zero.
        let on_child = vec![1.0, 0.0, 2.0, 2.9, -0.1, 5.9, 100.0, 100.0, 100.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        let mut split = RowSplit { on_child: on_child.clone(), ..RowSplit::default() };
        split.formed = vec![2.0, 5.9, 100.0, 1.0, 0.0];
        split.compliance = vec![0.0, 0.0, 0.0, 0.5, 0.0];
        split.origin = vec![(Link(0), 0); 5];
        split.decide(&[1.0; 3]);
        assert_eq!((split.rigid, split.accepted, split.order[2], split.order[4]), (2, 3, 3, 4));
        for (k, &row) in split.order[3..].iter().enumerate() {
            for j in 0..3 {
                let rebuilt: f64 =
                    (0..2).map(|i| split.weight[k * 2 + i] * on_child[split.order[i] as usize * 3 + j]).sum();
                assert!((rebuilt - on_child[row as usize * 3 + j]).abs() < 1e-14, "row {row}, column {j}");
            }
        }
    }
}
