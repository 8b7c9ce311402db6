//! Cholesky factor of a sparse symmetric positive definite matrix of 6 × 6 blocks, in an order of least fill.
//!
//! The sparse solver of this crate decides rank row by row, which M + Jᵀ D J with positive M does not need;
//! this one only eliminates. Blocks are eliminated in order of minimum degree, ties to the lower number:
//!
//! ```text
//! L_pp L_ppᵀ = A_pp,   L_ip = A_ip L_pp⁻ᵀ,   A_ij −= L_ip L_jpᵀ      i, j: neighbours of p
//! ```
//!
//! and without symmetry, on the same pattern,
//!
//! ```text
//! L_ip = A_ip A_pp⁻¹,   A_ij −= L_ip A_pj
//! ```
//!
//! Which block is updated by which is computed once per pattern.

use super::contact_problem::{DIM, NONE};

/// A 6 × 6 block.
pub(super) type Block6 = [[f64; DIM]; DIM];

#[derive(Clone, Debug, Default)]
pub(super) struct BlockCholesky {
    /// Pairs of blocks that the pattern was made of, to see whether it has changed.
    pairs: Vec<(u32, u32)>,
    count: usize,
    /// Blocks in the order of elimination, and the index of each in it.
    order: Vec<u32>,
    place: Vec<u32>,
    /// Per column, where its entries below the diagonal start; rows of these.
    start: Vec<usize>,
    rows: Vec<u32>,
    /// Per column, where its updates start; the entry updated by each pair of its entries, `NONE` for
    /// diagonals.
    update_start: Vec<usize>,
    updates: Vec<u32>,
    /// Per pair, its entry, and whether its first block is the row.
    entries: Vec<(u32, bool)>,
    pub(super) diagonal: Vec<Block6>,
    pub(super) below: Vec<Block6>,
    /// Mirrors of `below` across the diagonal, for matrices without symmetry.
    above: Vec<Block6>,
    bits: Vec<u64>,
    x: Vec<[f64; DIM]>,
}

impl BlockCholesky {
    /// Computes the pattern of blocks coupled in pairs (either may be `NONE`), unless it is the same as
    /// before.
    pub(super) fn plan(&mut self, count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) {
        if self.count == count && self.pairs.iter().copied().eq(pairs.clone()) {
            return;
        }
        self.count = count;
        self.pairs.clear();
        self.pairs.extend(pairs);
        let words = count.div_ceil(64);
        self.bits.clear();
        self.bits.resize(count * words, 0);
        for &(a, b) in &self.pairs {
            if a != NONE && b != NONE && a != b {
                self.bits[a as usize * words + b as usize / 64] |= 1 << (b % 64);
                self.bits[b as usize * words + a as usize / 64] |= 1 << (a % 64);
            }
        }
        self.order.clear();
        self.place.clear();
        self.place.resize(count, NONE);
        self.start.clear();
        self.rows.clear();
        for step in 0..count {
            let mut best = (u32::MAX, 0);
            for block in 0..count {
                if self.place[block] == NONE {
                    let degree = self.bits[block * words..][..words].iter().map(|w| w.count_ones()).sum();
                    if degree < best.0 {
                        best = (degree, block);
                    }
                }
            }
            let p = best.1;
            self.place[p] = step as u32;
            self.order.push(p as u32);
            self.start.push(self.rows.len());
            for block in 0..count {
                if self.bits[p * words + block / 64] >> (block % 64) & 1 == 1 {
                    self.rows.push(block as u32);
                }
            }
            // All neighbours of p become coupled, and p is eliminated.
            for at in self.start[step]..self.rows.len() {
                let block = self.rows[at] as usize;
                for w in 0..words {
                    let joined = self.bits[p * words + w];
                    self.bits[block * words + w] |= joined;
                }
                self.bits[block * words + block / 64] &= !(1 << (block % 64));
                self.bits[block * words + p / 64] &= !(1 << (p % 64));
            }
        }
        self.start.push(self.rows.len());
        // Rows by their index in the order.
        for row in &mut self.rows {
            *row = self.place[*row as usize];
        }
        for column in 0..count {
            self.rows[self.start[column]..self.start[column + 1]].sort_unstable();
        }
        self.update_start.clear();
        self.updates.clear();
        for column in 0..count {
            self.update_start.push(self.updates.len());
            let range = self.start[column]..self.start[column + 1];
            for at in range.clone() {
                for other in range.start..at {
                    let entry = self.find(self.rows[other] as usize, self.rows[at]);
                    self.updates.push(entry);
                }
            }
        }
        self.entries.clear();
        for index in 0..self.pairs.len() {
            let (a, b) = self.pairs[index];
            let entry = if a == NONE || b == NONE || a == b {
                (NONE, true)
            } else {
                let (a, b) = (self.place[a as usize], self.place[b as usize]);
                let (column, row) = if a < b { (a, b) } else { (b, a) };
                (self.find(column as usize, row), row == a)
            };
            self.entries.push(entry);
        }
        self.diagonal.resize(count, [[0.0; DIM]; DIM]);
        self.below.resize(self.rows.len(), [[0.0; DIM]; DIM]);
        self.above.resize(self.rows.len(), [[0.0; DIM]; DIM]);
        self.x.resize(count, [0.0; DIM]);
    }

    fn find(&self, column: usize, row: u32) -> u32 {
        let range = self.start[column]..self.start[column + 1];
        match self.rows[range.clone()].binary_search(&row) {
            Ok(at) => (range.start + at) as u32,
            Err(_) => NONE,
        }
    }

    /// Sets all entries to zero.
    pub(super) fn clear(&mut self) {
        self.diagonal.fill([[0.0; DIM]; DIM]);
        self.below.fill([[0.0; DIM]; DIM]);
    }

    /// The diagonal block of a block.
    pub(super) fn diagonal_of(&mut self, block: usize) -> &mut Block6 {
        &mut self.diagonal[self.place[block] as usize]
    }

    /// The block of a pair of the plan, and whether its rows are those of the first of the pair.
    pub(super) fn pair(&mut self, pair: usize) -> Option<(&mut Block6, bool)> {
        let (entry, first) = *self.entries.get(pair)?;
        Some((self.below.get_mut(entry as usize)?, first))
    }

    /// Sets all entries to zero, on both sides of the diagonal.
    pub(super) fn clear_both(&mut self) {
        self.clear();
        self.above.fill([[0.0; DIM]; DIM]);
    }

    /// The block of a pair of the plan, its mirror, and whether the rows of the former are those of the first of the pair.
    pub(super) fn both(&mut self, pair: usize) -> Option<(&mut Block6, &mut Block6, bool)> {
        let (entry, first) = *self.entries.get(pair)?;
        let below = self.below.get_mut(entry as usize)?;
        Some((below, self.above.get_mut(entry as usize)?, first))
    }

    /// Eliminates in place, without symmetry; pivots are stored inverted. False if one is singular.
    pub(super) fn factor_both(&mut self) -> bool {
        for column in 0..self.count {
            let Some(pivot) = inverse(&self.diagonal[column]) else { return false };
            self.diagonal[column] = pivot;
            let range = self.start[column]..self.start[column + 1];
            for entry in &mut self.below[range.clone()] {
                *entry = product(entry, &pivot);
            }
            let mut update = self.update_start[column];
            for at in range.clone() {
                let row = self.rows[at] as usize;
                subtract_product(&mut self.diagonal[row], &self.below[at], &self.above[at]);
                for other in range.start..at {
                    let target = self.updates[update] as usize;
                    update += 1;
                    // Of (row at, column other) and its mirror. The updated entry is in a later column.
                    let (done, rest) = self.below.split_at_mut(range.end);
                    let (done_above, rest_above) = self.above.split_at_mut(range.end);
                    subtract_product(&mut rest[target - range.end], &done[at], &done_above[other]);
                    subtract_product(&mut rest_above[target - range.end], &done[other], &done_above[at]);
                }
            }
        }
        true
    }

    /// x ← A⁻¹ x after [`factor_both`](Self::factor_both).
    pub(super) fn solve_both(&mut self, x: &mut [[f64; DIM]]) {
        for (column, &block) in self.order.iter().enumerate() {
            self.x[column] = x[block as usize];
        }
        for column in 0..self.count {
            let own = self.x[column];
            for at in self.start[column]..self.start[column + 1] {
                let target = &mut self.x[self.rows[at] as usize];
                for (target, row) in target.iter_mut().zip(&self.below[at]) {
                    for j in 0..DIM {
                        *target -= row[j] * own[j];
                    }
                }
            }
        }
        for column in (0..self.count).rev() {
            let mut own = self.x[column];
            for at in self.start[column]..self.start[column + 1] {
                let from = self.x[self.rows[at] as usize];
                for (own, row) in own.iter_mut().zip(&self.above[at]) {
                    for j in 0..DIM {
                        *own -= row[j] * from[j];
                    }
                }
            }
            let pivot = &self.diagonal[column];
            for (x, row) in self.x[column].iter_mut().zip(pivot) {
                *x = 0.0;
                for j in 0..DIM {
                    *x += row[j] * own[j];
                }
            }
        }
        for (column, &block) in self.order.iter().enumerate() {
            x[block as usize] = self.x[column];
        }
    }

    /// Eliminates in place. False if a pivot is not positive.
    pub(super) fn factor(&mut self) -> bool {
        for column in 0..self.count {
            let pivot = &mut self.diagonal[column];
            if !cholesky(pivot) {
                return false;
            }
            let pivot = *pivot;
            let range = self.start[column]..self.start[column + 1];
            for entry in &mut self.below[range.clone()] {
                // L_ip = A_ip L⁻ᵀ, row by row.
                for row in entry.iter_mut() {
                    for j in 0..DIM {
                        let mut sum = row[j];
                        for c in 0..j {
                            sum -= row[c] * pivot[j][c];
                        }
                        // The diagonal of a pivot is stored inverted.
                        row[j] = sum * pivot[j][j];
                    }
                }
            }
            let mut update = self.update_start[column];
            for at in range.clone() {
                let row = self.rows[at] as usize;
                subtract_product_transposed(&mut self.diagonal[row], &self.below[at], &self.below[at]);
                for other in range.start..at {
                    let target = self.updates[update] as usize;
                    update += 1;
                    // The updated entry is in a later column.
                    let (done, rest) = self.below.split_at_mut(range.end);
                    subtract_product_transposed(&mut rest[target - range.end], &done[at], &done[other]);
                }
            }
        }
        true
    }

    /// x ← A⁻¹ x, by blocks in the caller's numbering.
    pub(super) fn solve(&mut self, x: &mut [[f64; DIM]]) {
        for (column, &block) in self.order.iter().enumerate() {
            self.x[column] = x[block as usize];
        }
        for column in 0..self.count {
            let pivot = &self.diagonal[column];
            let mut own = self.x[column];
            for i in 0..DIM {
                let mut sum = own[i];
                for j in 0..i {
                    sum -= pivot[i][j] * own[j];
                }
                own[i] = sum * pivot[i][i];
            }
            self.x[column] = own;
            for at in self.start[column]..self.start[column + 1] {
                let entry = &self.below[at];
                let target = &mut self.x[self.rows[at] as usize];
                for i in 0..DIM {
                    let mut sum = 0.0;
                    for j in 0..DIM {
                        sum += entry[i][j] * own[j];
                    }
                    target[i] -= sum;
                }
            }
        }
        for column in (0..self.count).rev() {
            let mut own = self.x[column];
            for at in self.start[column]..self.start[column + 1] {
                let entry = &self.below[at];
                let from = &self.x[self.rows[at] as usize];
                for i in 0..DIM {
                    for j in 0..DIM {
                        own[j] -= entry[i][j] * from[i];
                    }
                }
            }
            let pivot = &self.diagonal[column];
            for i in (0..DIM).rev() {
                own[i] *= pivot[i][i];
                for j in 0..i {
                    own[j] -= pivot[i][j] * own[i];
                }
            }
            self.x[column] = own;
        }
        for (column, &block) in self.order.iter().enumerate() {
            x[block as usize] = self.x[column];
        }
    }
}

/// L in the lower triangle, its diagonal inverted. False if it is not positive definite.
pub(super) fn cholesky(matrix: &mut Block6) -> bool {
    for i in 0..DIM {
        for j in 0..=i {
            let mut sum = matrix[i][j];
            for c in 0..j {
                sum -= matrix[i][c] * matrix[j][c];
            }
            if i > j {
                matrix[i][j] = sum * matrix[j][j];
            } else if sum > 0.0 {
                matrix[i][i] = 1.0 / sum.sqrt();
            } else {
                return false;
            }
        }
    }
    true
}

/// The inverse, by Gauss–Jordan elimination with row pivoting. `None` if it is singular.
fn inverse(matrix: &Block6) -> Option<Block6> {
    let mut a = *matrix;
    let mut out = [[0.0; DIM]; DIM];
    for (i, row) in out.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    for column in 0..DIM {
        let mut best = column;
        for row in column + 1..DIM {
            if a[row][column].abs() > a[best][column].abs() {
                best = row;
            }
        }
        a.swap(column, best);
        out.swap(column, best);
        let scale = 1.0 / a[column][column];
        if !scale.is_finite() {
            return None;
        }
        for j in 0..DIM {
            a[column][j] *= scale;
            out[column][j] *= scale;
        }
        let (own, own_out) = (a[column], out[column]);
        for row in 0..DIM {
            let factor = a[row][column];
            if row != column && factor != 0.0 {
                for j in 0..DIM {
                    a[row][j] -= factor * own[j];
                    out[row][j] -= factor * own_out[j];
                }
            }
        }
    }
    Some(out)
}

fn product(left: &Block6, right: &Block6) -> Block6 {
    let mut out = [[0.0; DIM]; DIM];
    for (out, left) in out.iter_mut().zip(left) {
        for (factor, row) in left.iter().zip(right) {
            for j in 0..DIM {
                out[j] += factor * row[j];
            }
        }
    }
    out
}

/// target −= left right.
#[inline]
fn subtract_product(target: &mut Block6, left: &Block6, right: &Block6) {
    for (target, left) in target.iter_mut().zip(left) {
        let mut row = *target;
        for (factor, right) in left.iter().zip(right) {
            for j in 0..DIM {
                row[j] -= factor * right[j];
            }
        }
        *target = row;
    }
}

/// target −= left rightᵀ.
#[inline]
fn subtract_product_transposed(target: &mut Block6, left: &Block6, right: &Block6) {
    let mut turned = [[0.0; DIM]; DIM];
    for i in 0..DIM {
        for j in 0..DIM {
            turned[j][i] = right[i][j];
        }
    }
    for i in 0..DIM {
        let mut row = target[i];
        for c in 0..DIM {
            let factor = left[i][c];
            for j in 0..DIM {
                row[j] -= factor * turned[c][j];
            }
        }
        target[i] = row;
    }
}
