//! Numeric factorisation of a forest, leaves first.

use std::sync::Arc;

use super::{NodeFactor, PLAINLY_INDEPENDENT, Tree, TreeNode};
use crate::dropped::Dropped;
use crate::error::{FactorError, SystemEntry};
use crate::graph::{Block, Link, NONE, index_u32, packed_len};
use crate::kernel::{add, add_outer, cholesky, dot, forward, forward_rows, subtract_scaled};
use crate::lane::Lane;
use crate::system::System;
use crate::tolerances::{LEAST_PIVOT, ROUNDING_OF_GEOMETRY};

impl<T: Lane> Tree<T> {
    /// Factors M, J and E of `system`. Any number of right-hand sides can then be solved.
    ///
    /// Allocates only when more rows are handed up or dropped than ever before.
    ///
    /// # Errors
    /// When a mass is not positive definite or a number is not finite; until the next success,
    /// [`solve`](Tree::solve) then returns NaN.
    pub fn factor(&mut self, system: &System<T>) -> Result<(), FactorError> {
        self.idle.fill(false);
        self.factor_active(system)
    }

    /// Factors `system` without the rows that are `idle`, one entry per row: they count as dropped.
    ///
    /// # Errors
    /// As [`factor`](Tree::factor).
    ///
    /// # Panics
    /// If there is not one entry per row.
    pub fn factor_without(&mut self, system: &System<T>, idle: &[bool]) -> Result<(), FactorError> {
        self.idle.copy_from_slice(idle);
        self.factor_active(system)
    }

    fn factor_active(&mut self, system: &System<T>) -> Result<(), FactorError> {
        self.reset();
        if !Arc::ptr_eq(&self.graph, system.graph()) && self.graph != *system.graph() {
            return Err(FactorError::OtherGraph);
        }
        for node in &self.nodes {
            if let Some(block) = node.block {
                self.diag[node.diag..][..packed_len(node.dim as usize)].copy_from_slice(system.mass(block));
            }
        }
        for at in 0..self.nodes.len() {
            self.eliminate(at, system)?;
        }
        self.rank = self.multiplier.len();
        self.ready = true;
        Ok(())
    }

    fn reset(&mut self) {
        self.ready = false;
        self.rank = 0;
        self.parts.clear();
        self.values.clear();
        self.multiplier.clear();
        self.orders.clear();
        self.dropped.clear();
        self.pending.rows.clear();
        self.pending.formed.clear();
        self.pending.origin.clear();
        self.pending.count.fill(0);
    }

    fn eliminate(&mut self, at: usize, system: &System<T>) -> Result<(), FactorError> {
        let node = &self.nodes[at];
        let dim = node.dim as usize;
        if let Some(block) = node.block {
            let diag = &mut self.diag[node.diag..][..packed_len(dim)];
            cholesky(diag, dim, LEAST_PIVOT).map_err(|_| {
                let sick = |entry: &T| !entry.magnitude().is_finite();
                if diag.iter().any(sick) || system.mass(block).iter().any(sick) {
                    FactorError::NotFinite { place: SystemEntry::Mass(block) }
                } else {
                    FactorError::NotPositive { block }
                }
            })?;
        }
        let mut part = NodeFactor {
            values: self.values.len(),
            multiplier: self.multiplier.len(),
            orders: self.orders.len(),
            pending: self.pending.count[at],
            first_dropped: index_u32(self.dropped.len()),
            slot: index_u32(self.pending.formed.len()) - self.pending.count[at],
            ..NodeFactor::default()
        };
        let quick = part.pending == 0 && self.accept_all(at, system)?;
        if quick {
            part.accepted = self.nodes[at].rows;
        } else {
            self.values.truncate(part.values);
            self.split(at, &mut part, system)?;
        }
        self.multiplier.resize(part.multiplier + part.accepted as usize, T::ZERO);
        self.add_to_parent(at, &part);
        self.parts.push(part);
        Ok(())
    }

    /// Fast test: accepts all own rows, with T from S. False if some row is not clearly independent.
    fn accept_all(&mut self, at: usize, system: &System<T>) -> Result<bool, FactorError> {
        let node = &self.nodes[at];
        let (dim, parent_dim, rows) = (node.dim as usize, node.parent_dim as usize, node.rows as usize);
        let start = self.values.len();
        self.values.resize(start + node.regular_len(), T::ZERO);
        let (b, rest) = self.values[start..].split_at_mut(rows * dim);
        let (c, t) = rest.split_at_mut(rows * parent_dim);

        let mut row = 0;
        let mut independent = true;
        for own in &self.own[node.own.start as usize..node.own.end as usize] {
            if self.idle[own.start..][..own.rows as usize].contains(&true) {
                return Ok(false);
            }
            gather(system, own.link, node, &mut b[row * dim..], &mut c[row * parent_dim..]);
            for i in 0..own.rows as usize {
                let formed = check_row(system, own.link, i)?;
                let enough = formed * PLAINLY_INDEPENDENT;
                let mut entries = b[row * dim..][..dim].iter().zip(units_of(system, node.block));
                independent &= entries.any(|(entry, unit)| entry.magnitude() * unit > enough)
                    || system.compliance(own.link)[i] != T::ZERO;
                t[packed_len(row) + row] = system.compliance(own.link)[i];
                row += 1;
            }
        }
        if !independent {
            return Ok(false);
        }
        // B = R⁻¹ A_cᵀ (stored by rows of A_c), S = BᵀB + E, C = T⁻¹ A_p
        let r = &self.diag[node.diag..][..packed_len(dim)];
        for i in 0..rows {
            forward(r, &mut b[i * dim..][..dim]);
            for j in 0..=i {
                t[packed_len(i) + j] += dot(&b[i * dim..][..dim], &b[j * dim..][..dim]);
            }
        }
        if cholesky(t, rows, PLAINLY_INDEPENDENT).is_err() {
            return Ok(false);
        }
        forward_rows(t, c, parent_dim);
        Ok(true)
    }

    /// Decision by geometry: which rows are solved for at this block.
    fn split(&mut self, at: usize, part: &mut NodeFactor, system: &System<T>) -> Result<(), FactorError> {
        self.stack_rows(at, part, system)?;
        let node = &self.nodes[at];
        let (dim, parent_dim, diag) = (node.dim as usize, node.parent_dim as usize, node.diag);
        self.split.decide(units_of(system, node.block));
        part.split = true;
        part.rigid = index_u32(self.split.rigid);
        part.accepted = index_u32(self.split.accepted);
        self.hand_up(at, part, system);

        // Accepted rows in their order: A_c becomes B, then T from B and E, and A_p becomes C.
        let split = &mut self.split;
        let accepted = split.accepted;
        for &row in &split.order[..accepted] {
            self.values.extend_from_slice(&split.on_child[row as usize * dim..][..dim]);
        }
        for &row in &split.order[..accepted] {
            self.values.extend_from_slice(&split.on_parent[row as usize * parent_dim..][..parent_dim]);
        }
        self.values.resize(self.values.len() + packed_len(accepted), T::ZERO);
        let (b, rest) = self.values[part.values..].split_at_mut(accepted * dim);
        let (c, t) = rest.split_at_mut(accepted * parent_dim);
        let r = &self.diag[diag..][..packed_len(dim)];
        for i in 0..accepted {
            forward(r, &mut b[i * dim..][..dim]);
        }
        split.root_of_s(b, dim, t)?;
        forward_rows(t, c, parent_dim);
        self.values.extend_from_slice(&split.weight);
        self.orders.extend_from_slice(&split.order);
        self.make_room(part);
        Ok(())
    }

    /// Reserves memory for solves.
    fn make_room(&mut self, part: &NodeFactor) {
        let depth = (part.slot + part.pending.max(part.handed)) as usize;
        if self.pending.value.len() < depth {
            self.pending.value.resize(depth, T::ZERO);
            self.pending.value_formed.resize(depth, 0.0);
        }
        let count = self.split.count();
        if self.stacked.len() < count {
            self.stacked.resize(count, T::ZERO);
            self.stacked_formed.resize(count, 0.0);
        }
    }

    /// Copies own rows, then pending ones, into the scratch of the split.
    fn stack_rows(&mut self, at: usize, part: &NodeFactor, system: &System<T>) -> Result<(), FactorError> {
        let (node, split, pending) = (&self.nodes[at], &mut self.split, &mut self.pending);
        let (dim, parent_dim) = (node.dim as usize, node.parent_dim as usize);
        let (own_rows, waiting) = (node.rows as usize, part.pending as usize);
        split.clear();
        split.on_child.resize(own_rows * dim, T::ZERO);
        split.on_parent.resize((own_rows + waiting) * parent_dim, T::ZERO);
        let mut row = 0;
        for own in &self.own[node.own.start as usize..node.own.end as usize] {
            let (on_child, on_parent) =
                (&mut split.on_child[row * dim..], &mut split.on_parent[row * parent_dim..]);
            gather(system, own.link, node, on_child, on_parent);
            for i in 0..own.rows as usize {
                let formed = check_row(system, own.link, i)?;
                if self.idle[own.start + i] {
                    split.on_child[row * dim..][..dim].fill(T::ZERO);
                    split.on_parent[row * parent_dim..][..parent_dim].fill(T::ZERO);
                    split.formed.push(0.0);
                    split.compliance.push(T::ZERO);
                } else {
                    split.formed.push(formed);
                    split.compliance.push(system.compliance(own.link)[i]);
                }
                split.origin.push((own.link, index_u32(i)));
                row += 1;
            }
        }
        let keep = pending.formed.len() - waiting;
        let keep_entries = pending.rows.len() - waiting * dim;
        split.on_child.extend(pending.rows.drain(keep_entries..));
        split.formed.extend(pending.formed.drain(keep..));
        split.origin.extend(pending.origin.drain(keep..));
        split.compliance.resize(own_rows + waiting, T::ZERO);
        Ok(())
    }

    /// Hands the remainder of the dependent rows to the parent, or drops them when nothing is left.
    ///
    /// The handed rows come before the dropped ones in the split's order and weights.
    fn hand_up(&mut self, at: usize, part: &mut NodeFactor, system: &System<T>) {
        let above = self.nodes.get(self.nodes[at].parent as usize).and_then(|parent| parent.block);
        let units = units_of(system, above);
        let (node, split, pending) = (&self.nodes[at], &mut self.split, &mut self.pending);
        let (rigid, accepted, width) = (split.rigid, split.accepted, node.parent_dim as usize);
        for k in 0..split.order.len() - accepted {
            let row = split.order[accepted + k] as usize;
            let weight = &split.weight[k * rigid..(k + 1) * rigid];
            let mut formed = split.formed[row];
            let start = pending.rows.len();
            pending.rows.extend_from_slice(&split.on_parent[row * width..][..width]);
            let left = &mut pending.rows[start..];
            for (&weight, &other) in weight.iter().zip(&split.order) {
                subtract_scaled(left, weight, &split.on_parent[other as usize * width..][..width]);
                formed += weight.magnitude() * split.formed[other as usize];
            }
            let (link, origin_row) = split.origin[row];
            let square = |(entry, unit): (&T, &f64)| (entry.magnitude() * unit) * (entry.magnitude() * unit);
            let size = left.iter().zip(units).map(square).sum::<f64>().sqrt();
            if size > ROUNDING_OF_GEOMETRY * formed {
                pending.formed.push(formed);
                pending.origin.push((link, origin_row));
                let handed = part.handed as usize;
                split.order[accepted + handed..=accepted + k].rotate_right(1);
                split.weight[handed * rigid..(k + 1) * rigid].rotate_right(rigid);
                part.handed += 1;
            } else {
                pending.rows.truncate(start);
                part.dropped += 1;
            }
        }
        for &row in &split.order[accepted + part.handed as usize..] {
            let (link, row) = split.origin[row as usize];
            self.dropped.push(Dropped { link, row: row as usize, leftover: T::ZERO, formed: 0.0 });
        }
        if part.handed > 0 {
            pending.count[node.parent as usize] += part.handed;
        }
    }

    /// D_p += CᵀC.
    fn add_to_parent(&mut self, at: usize, part: &NodeFactor) {
        let node = &self.nodes[at];
        if node.parent == NONE {
            return;
        }
        let (dim, parent_dim, accepted) =
            (node.dim as usize, node.parent_dim as usize, part.accepted as usize);
        let c = &self.values[part.values + accepted * dim..][..accepted * parent_dim];
        let d = &mut self.diag[self.nodes[node.parent as usize].diag..][..packed_len(parent_dim)];
        if parent_dim > 0 {
            for row in c.chunks_exact(parent_dim) {
                add_outer(d, row);
            }
        }
    }
}

/// Adds a link's Jacobian blocks to the rows on the node's block and on its parent.
fn gather<T: Lane>(system: &System<T>, link: Link, node: &TreeNode, on_child: &mut [T], on_parent: &mut [T]) {
    for (end, block) in system.graph().ends(link).iter().enumerate() {
        if block.is_some() {
            let rows = if *block == node.block { &mut *on_child } else { &mut *on_parent };
            add(rows, system.jac(link, end));
        }
    }
}

/// Units of a block's unknowns; empty for the ground.
fn units_of<T: Lane>(system: &System<T>, block: Option<Block>) -> &[f64] {
    block.map_or(&[], |block| &system.units()[system.graph().block_range(block)])
}

/// The magnitude that formed a row, if its numbers are valid.
fn check_row<T: Lane>(system: &System<T>, link: Link, row: usize) -> Result<f64, FactorError> {
    let formed = system.formed(link, row);
    let compliance = system.compliance(link)[row];
    if !(formed.is_finite() && compliance.magnitude().is_finite()) {
        return Err(FactorError::NotFinite { place: SystemEntry::Row(link, row) });
    }
    if compliance != compliance.abs() {
        return Err(FactorError::NegativeCompliance { link, row });
    }
    Ok(formed)
}
