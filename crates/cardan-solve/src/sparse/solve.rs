//! Solves with the factor: right-hand sides up to the roots, solutions back down.

use super::factor::{solve_r, solve_r_transposed};
use super::{FrontFactor, Sparse};
use crate::graph::packed_len;
use crate::kernel::{add_scaled, backward, dot, forward, subtract_scaled};
use crate::lane::Lane;

/// Redundant rows whose leftovers are below this part of the largest bias agree with the others: 1e4
/// roundings.
const AGREES: f64 = 1e-12;

/// Numbers of one front.
struct FrontFactorView<'a, T> {
    r: &'a [T],
    w: &'a [T],
    k: &'a [T],
    d: &'a [T],
    t: &'a [T],
    y: &'a [T],
}

impl FrontFactor {
    /// Columns that are eliminated here, and delayed ones.
    fn ids<'a>(&self, ids: &'a [u32], border_dim: u32) -> (&'a [u32], &'a [u32]) {
        let here = (self.rank + self.free) as usize;
        ids[self.ids..][..here + (self.border - border_dim) as usize].split_at(here)
    }

    fn numbers<'a, T>(&self, values: &'a [T]) -> FrontFactorView<'a, T> {
        let (rank, free, border) = (self.rank as usize, self.free as usize, self.border as usize);
        let (r, rest) = values[self.values..].split_at(packed_len(rank));
        let (w, rest) = rest.split_at((free + border) * rank);
        let (k, rest) = rest.split_at((free + border) * rank);
        let (d, rest) = rest.split_at(rank * rank);
        let (t, rest) = rest.split_at(packed_len(free));
        FrontFactorView { r, w, k, d, t, y: &rest[..border * free] }
    }
}

impl<T: Lane> Sparse<T> {
    /// Solves H (x, λ) = (F, c) with the last factor; the leftovers of dropped rows keep their values.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn correct(&mut self, force: &[T], bias: &[T], x: &mut [T], lambda: &mut [T]) {
        let (unknowns, rows) = (self.graph.unknowns(), self.graph.rows());
        assert_eq!((force.len(), x.len()), (unknowns, unknowns), "length of force, x");
        assert_eq!((bias.len(), lambda.len()), (rows, rows), "length of bias, lambda");
        if !self.ready {
            x.fill(T::splat(f64::NAN));
            lambda.fill(T::splat(f64::NAN));
            return;
        }
        self.rank.transform(bias);
        self.force.fill(T::ZERO);
        for ((to, &force), &unit) in self.force.iter_mut().zip(force).zip(&self.factor.units) {
            *to = force * T::splat(unit);
        }
        self.forward_pass();
        self.backward_pass();
        for ((to, &x), &unit) in x.iter_mut().zip(&self.x).zip(&self.factor.units) {
            *to = x * T::splat(unit);
        }
        self.rank.clear_redundant();
        self.rank.transform_back(lambda);
    }

    /// h, F_1 and T⁻¹ F_2 of every front.
    fn forward_pass(&mut self) {
        let Sparse { graph, rank: geometry, factor, force, h, force_1, force_2, own, .. } = self;
        h.clear();
        force_1.clear();
        force_2.clear();
        h.extend_from_slice(&geometry.accepted);
        for (at, part) in factor.parts.iter().enumerate() {
            let (rank, free) = (part.rank as usize, part.free as usize);
            let numbers = part.numbers(&factor.values);
            let (here, delayed) = part.ids(&factor.ids, geometry.fronts.fronts[at].border_dim);
            own.clear();
            own.extend(here.iter().map(|&id| force[id as usize]));
            let h = &mut h[part.first..][..rank];
            solve_r(numbers.r, h);
            let (first, second) = own.split_at_mut(rank);
            let change = |i: usize| {
                let row = i * rank..(i + 1) * rank;
                dot(&numbers.k[row.clone()], h) - dot(&numbers.w[row], first)
            };
            for (i, value) in second.iter_mut().enumerate() {
                *value += change(i);
            }
            forward(numbers.t, second);
            let mut i = 0;
            let mut add = |value: &mut T| {
                let along = dot(&numbers.y[i * free..(i + 1) * free], second);
                *value += change(free + i) - along;
                i += 1;
            };
            for bordering in geometry.fronts.border_of(at) {
                force[graph.block_range(bordering.block)].iter_mut().for_each(&mut add);
            }
            delayed.iter().for_each(|&id| add(&mut force[id as usize]));
            force_1.extend_from_slice(first);
            force_2.extend_from_slice(second);
        }
    }

    /// x of every block, and the multipliers of accepted combinations.
    fn backward_pass(&mut self) {
        let Sparse { graph, rank: geometry, factor, x, h, force_1, force_2, y, own, .. } = self;
        for (at, part) in factor.parts.iter().enumerate().rev() {
            let (rank, free) = (part.rank as usize, part.free as usize);
            let numbers = part.numbers(&factor.values);
            let (h, force_1) = (&h[part.first..][..rank], &force_1[part.first..][..rank]);
            // y = (x₂, x_o)
            y.clear();
            y.extend_from_slice(&force_2[part.second..][..free]);
            for bordering in geometry.fronts.border_of(at) {
                y.extend_from_slice(&x[graph.block_range(bordering.block)]);
            }
            let (here, delayed) = part.ids(&factor.ids, geometry.fronts.fronts[at].border_dim);
            y.extend(delayed.iter().map(|&id| x[id as usize]));
            let (second, border) = y.split_at_mut(free);
            for (i, &value) in border.iter().enumerate() {
                subtract_scaled(second, value, &numbers.y[i * free..(i + 1) * free]);
            }
            backward(numbers.t, second);
            // x₁ = −h − W y,   R₁ᵀ λ' = Kᵀ y − D_11 h − F_1
            own.clear();
            own.extend(h.iter().map(|&h| -h));
            let lambda = &mut geometry.accepted[part.first..][..rank];
            for (row, value) in lambda.iter_mut().enumerate() {
                *value = -force_1[row] - dot(&numbers.d[row * rank..(row + 1) * rank], h);
            }
            for (i, &value) in y.iter().enumerate() {
                subtract_scaled(own, value, &numbers.w[i * rank..(i + 1) * rank]);
                add_scaled(lambda, value, &numbers.k[i * rank..(i + 1) * rank]);
            }
            solve_r_transposed(numbers.r, lambda);
            own.extend_from_slice(&y[..free]);
            for (&id, &value) in here.iter().zip(own.iter()) {
                x[id as usize] = value;
            }
        }
    }
}

impl Sparse<f64> {
    /// Solves H (x, λ) = (F, c) with the last factor, and stores the leftovers of redundant rows.
    ///
    /// Where λ is not unique it is the one with the least Σ (λ × what formed the row)².
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn solve(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        self.correct(force, bias, x, lambda);
        if self.ready && !self.dropped.is_empty() {
            self.note_leftovers(bias);
        }
    }

    /// Σ n_i c_i over each circuit. Circuits are computed only if some redundant combination disagrees.
    fn note_leftovers(&mut self, bias: &[f64]) {
        self.rank.transform(bias);
        let mut size = 0.0;
        for (bias, formed) in bias.iter().zip(self.rank.formed()) {
            let share = bias.abs() / formed;
            size = if share > size || share.is_nan() { share } else { size };
        }
        let agree = self.rank.leftovers().iter().all(|left| left.abs() <= AGREES * size);
        if agree {
            for (k, dropped) in self.dropped.iter_mut().enumerate() {
                let row = self.graph.row_range(dropped.link).start + dropped.row;
                let formed = self.rank.formed()[row];
                dropped.leftover = self.rank.leftovers()[k] * formed;
                dropped.formed = size * formed;
            }
            return;
        }
        self.rank.refresh_circuits();
        self.list_dropped();
        for (k, dropped) in self.dropped.iter_mut().enumerate() {
            for (row, value) in self.rank.circuit(k) {
                dropped.leftover += value * bias[row];
                dropped.formed += (value * bias[row]).abs();
            }
        }
    }

    /// The λ that the `k`-th dropped row leaves free: Jᵀ λ = 0 with λ = 1 on that row.
    ///
    /// # Panics
    /// If there is no such dropped row or `lambda` has the wrong length.
    pub fn null_vector(&mut self, k: usize, lambda: &mut [f64]) {
        self.rank.null_vector(k, lambda);
        let (leftovers, count) = (std::mem::take(&mut self.dropped), self.rank.redundant());
        self.list_dropped();
        for (dropped, old) in self.dropped.iter_mut().zip(leftovers).take(count) {
            (dropped.leftover, dropped.formed) = (old.leftover, old.formed);
        }
    }
}
