//! Substitution with a factor: from the leaves to the roots, then back.

use super::{NodeFactor, Tree, TreeNode};
use crate::graph::{NONE, packed_len};
use crate::kernel::{add_scaled, backward, dot, forward, subtract_scaled};
use crate::lane::Lane;

/// The stored matrices of one node.
struct NodeFactorView<'a, T> {
    r: &'a [T],
    b: &'a [T],
    c: &'a [T],
    t: &'a [T],
    w: &'a [T],
}

impl<'a, T> NodeFactorView<'a, T> {
    fn of(node: &TreeNode, part: &NodeFactor, diag: &'a [T], values: &'a [T]) -> NodeFactorView<'a, T> {
        let (dim, parent_dim) = (node.dim as usize, node.parent_dim as usize);
        let accepted = part.accepted as usize;
        let (b, rest) = values[part.values..].split_at(accepted * dim);
        let (c, rest) = rest.split_at(accepted * parent_dim);
        let (t, rest) = rest.split_at(packed_len(accepted));
        let w = &rest[..(part.handed + part.dropped) as usize * part.rigid as usize];
        NodeFactorView { r: &diag[node.diag..][..packed_len(dim)], b, c, t, w }
    }
}

/// Row `i` of a row-major matrix.
fn row<T>(matrix: &[T], i: usize, width: usize) -> &[T] {
    &matrix[i * width..][..width]
}

impl<T: Lane> Tree<T> {
    /// Solves H (x, λ) = (F, c) with the last factor. Rows that were dropped get λ = 0.
    ///
    /// Allocates nothing. Without a successful [`factor`](Tree::factor) before it, the result is NaN.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn solve(&mut self, force: &[T], bias: &[T], x: &mut [T], lambda: &mut [T]) {
        self.substitute(force, bias, x, lambda, true);
    }

    /// Solves for a correction: the leftovers of dropped rows keep their values.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn correct(&mut self, force: &[T], bias: &[T], x: &mut [T], lambda: &mut [T]) {
        self.substitute(force, bias, x, lambda, false);
    }

    fn substitute(&mut self, force: &[T], bias: &[T], x: &mut [T], lambda: &mut [T], note: bool) {
        let (unknowns, rows) = (self.graph.unknowns(), self.graph.rows());
        assert_eq!((force.len(), x.len()), (unknowns, unknowns), "length of force, x");
        assert_eq!((bias.len(), lambda.len()), (rows, rows), "length of bias, lambda");
        if !self.ready {
            x.fill(T::splat(f64::NAN));
            lambda.fill(T::splat(f64::NAN));
            return;
        }
        for node in &self.nodes {
            if let Some(block) = node.block {
                self.work[node.work..][..node.dim as usize]
                    .copy_from_slice(&force[self.graph.block_range(block)]);
            }
        }
        for at in 0..self.nodes.len() {
            self.forward_pass(at, bias, note);
        }
        for at in (0..self.nodes.len()).rev() {
            self.backward_pass(at, lambda);
            let node = &self.nodes[at];
            if let Some(block) = node.block {
                x[self.graph.block_range(block)]
                    .copy_from_slice(&self.work[node.work..][..node.dim as usize]);
            }
        }
    }

    /// The λ that the `k`-th dropped row leaves free: Jᵀ λ = 0 with λ = 1 on that row.
    ///
    /// # Panics
    /// If there is no such dropped row or `lambda` has the wrong length.
    pub fn null_vector(&mut self, k: usize, lambda: &mut [T]) {
        assert!(k < self.dropped.len(), "only {} rows were dropped", self.dropped.len());
        assert_eq!(lambda.len(), self.graph.rows(), "length of lambda");
        for at in (0..self.nodes.len()).rev() {
            let part = self.parts[at];
            self.multiplier[part.multiplier..][..part.accepted as usize].fill(T::ZERO);
            self.return_multipliers(at, lambda, Some(k));
        }
    }

    /// y = R⁻¹ F_c,  u = T⁻¹ (c + Bᵀ y),  F_p −= Cᵀ u.
    fn forward_pass(&mut self, at: usize, bias: &[T], note: bool) {
        self.take_biases(at, bias, note);
        self.forward_node(at);
    }

    /// u and F_p of a node whose accepted rows have their c in `multiplier`.
    pub(super) fn forward_node(&mut self, at: usize) {
        let (node, part) = (&self.nodes[at], &self.parts[at]);
        let (dim, parent_dim) = (node.dim as usize, node.parent_dim as usize);
        let blocks = NodeFactorView::of(node, part, &self.diag, &self.values);
        let (done, parents) = self.work.split_at_mut(node.work + dim);
        let y = &mut done[node.work..];
        forward(blocks.r, y);
        let u = &mut self.multiplier[part.multiplier..][..part.accepted as usize];
        for (i, u) in u.iter_mut().enumerate() {
            *u += dot(row(blocks.b, i, dim), y);
        }
        forward(blocks.t, u);
        if node.parent != NONE {
            let parent = self.nodes[node.parent as usize].work - (node.work + dim);
            let force = &mut parents[parent..][..parent_dim];
            for (i, &u) in u.iter().enumerate() {
                subtract_scaled(force, u, row(blocks.c, i, parent_dim));
            }
        }
    }

    /// Takes the biases of the accepted rows, in their order; those of dependent rows are handed on: c' =
    /// c_dep − W c_acc.
    ///
    /// With `note`, those of dropped rows are stored as leftovers.
    fn take_biases(&mut self, at: usize, bias: &[T], note: bool) {
        let (node, part) = (&self.nodes[at], &self.parts[at]);
        let own = &self.own[node.own.start as usize..node.own.end as usize];
        let taken = &mut self.multiplier[part.multiplier..][..part.accepted as usize];
        if !part.split {
            let mut start = 0;
            for own in own {
                let rows = own.rows as usize;
                taken[start..start + rows].copy_from_slice(&bias[own.start..own.start + rows]);
                start += rows;
            }
            return;
        }
        let (stacked, formed) = (&mut self.stacked, &mut self.stacked_formed);
        let mut start = 0;
        for own in own {
            for &bias in &bias[own.start..own.start + own.rows as usize] {
                stacked[start] = bias;
                formed[start] = bias.magnitude();
                start += 1;
            }
        }
        let (slot, pending) = (part.slot as usize, part.pending as usize);
        stacked[start..start + pending].copy_from_slice(&self.pending.value[slot..slot + pending]);
        formed[start..start + pending].copy_from_slice(&self.pending.value_formed[slot..slot + pending]);

        let (accepted, rigid) = (part.accepted as usize, part.rigid as usize);
        let (handed, dependent) = (part.handed as usize, (part.handed + part.dropped) as usize);
        let order = &self.orders[part.orders..][..accepted + dependent];
        for (taken, &row) in taken.iter_mut().zip(order) {
            *taken = stacked[row as usize];
        }
        let blocks = NodeFactorView::of(node, part, &self.diag, &self.values);
        for k in 0..dependent {
            let dependent_row = order[accepted + k] as usize;
            let (mut left, mut left_formed) = (stacked[dependent_row], formed[dependent_row]);
            for (&weight, &other) in row(blocks.w, k, rigid).iter().zip(order) {
                left -= weight * stacked[other as usize];
                left_formed += weight.magnitude() * formed[other as usize];
            }
            if k < handed {
                self.pending.value[slot + k] = left;
                self.pending.value_formed[slot + k] = left_formed;
            } else if note {
                let dropped = &mut self.dropped[part.first_dropped as usize + k - handed];
                (dropped.leftover, dropped.formed) = (left, left_formed);
            }
        }
    }

    /// λ' = −T⁻ᵀ (u + C x_p),  x_c = R⁻ᵀ (y + B λ'), then λ from λ'.
    fn backward_pass(&mut self, at: usize, lambda: &mut [T]) {
        self.backward_node(at);
        self.return_multipliers(at, lambda, None);
    }

    /// λ' and x_c of a node, without λ.
    pub(super) fn backward_node(&mut self, at: usize) {
        let (node, part) = (&self.nodes[at], &self.parts[at]);
        let (dim, parent_dim) = (node.dim as usize, node.parent_dim as usize);
        let blocks = NodeFactorView::of(node, part, &self.diag, &self.values);
        let (done, parents) = self.work.split_at_mut(node.work + dim);
        let multiplier = &mut self.multiplier[part.multiplier..][..part.accepted as usize];
        if node.parent != NONE {
            let parent = self.nodes[node.parent as usize].work - (node.work + dim);
            let x_parent = &parents[parent..][..parent_dim];
            for (i, u) in multiplier.iter_mut().enumerate() {
                *u += dot(row(blocks.c, i, parent_dim), x_parent);
            }
        }
        for u in multiplier.iter_mut() {
            *u = -*u;
        }
        backward(blocks.t, multiplier);
        let y = &mut done[node.work..];
        for (i, &lambda) in multiplier.iter().enumerate() {
            add_scaled(y, lambda, row(blocks.b, i, dim));
        }
        backward(blocks.r, y);
    }

    /// λ_acc = λ' − Wᵀ μ, λ_dep = μ: own rows to `lambda`, pending ones back to the children.
    ///
    /// μ of a dropped row is zero, except one for the row `free` when a null vector is wanted.
    fn return_multipliers(&mut self, at: usize, lambda: &mut [T], free: Option<usize>) {
        let (node, part) = (&self.nodes[at], &self.parts[at]);
        let own = &self.own[node.own.start as usize..node.own.end as usize];
        let multiplier = &mut self.multiplier[part.multiplier..][..part.accepted as usize];
        if !part.split {
            let mut start = 0;
            for own in own {
                let rows = own.rows as usize;
                lambda[own.start..own.start + rows].copy_from_slice(&multiplier[start..start + rows]);
                start += rows;
            }
            return;
        }
        let blocks = NodeFactorView::of(node, part, &self.diag, &self.values);
        let (accepted, rigid, handed) = (part.accepted as usize, part.rigid as usize, part.handed as usize);
        let dependent = handed + part.dropped as usize;
        let (slot, pending) = (part.slot as usize, part.pending as usize);
        let order = &self.orders[part.orders..][..accepted + dependent];
        let stacked = &mut self.stacked;
        for k in 0..dependent {
            let mu = if k < handed {
                self.pending.value[slot + k]
            } else if free == Some(part.first_dropped as usize + k - handed) {
                T::ONE
            } else {
                T::ZERO
            };
            subtract_scaled(&mut multiplier[..rigid], mu, row(blocks.w, k, rigid));
            stacked[order[accepted + k] as usize] = mu;
        }
        for (&value, &row) in multiplier.iter().zip(order) {
            stacked[row as usize] = value;
        }
        let mut start = 0;
        for own in own {
            let rows = own.rows as usize;
            lambda[own.start..own.start + rows].copy_from_slice(&stacked[start..start + rows]);
            start += rows;
        }
        self.pending.value[slot..slot + pending].copy_from_slice(&stacked[start..start + pending]);
    }
}
