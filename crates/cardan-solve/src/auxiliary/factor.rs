//! Steps 1 and 3: the factor of the primary links, the columns of A, and which of its rows are used.

use crate::tolerances::NULL_VECTOR_ENTRY;
use std::sync::Arc;

use super::{AuxiliaryLink, AuxiliarySchur, SolveStage};
use crate::dropped::Dropped;
use crate::error::{FactorError, SystemEntry};
use crate::graph::{Link, packed_len};
use crate::rank::Rank;
use crate::solver::Solver;
use crate::system::System;

/// Pivots of the scaled A above this are not rounding, which is some 1e-16 and grows slowly.
const PLAIN: f64 = 1e-9;
/// Below this a pivot is rounding.
const LEAST: f64 = 1e-13;

impl AuxiliarySchur {
    /// Steps 1 and 3: factors the primary links and A.
    ///
    /// # Errors
    /// When the numbers cannot be factored, or the auxiliary forces cannot satisfy their rows; until the next
    /// success, [`solve`](AuxiliarySchur::solve) then returns NaN.
    pub fn factor(&mut self, system: &System) -> Result<(), FactorError> {
        self.factor_marked(system, &mut |_| {})
    }

    /// [`factor`](AuxiliarySchur::factor); `mark` is called after each part of the work.
    ///
    /// # Errors
    /// As [`factor`](AuxiliarySchur::factor).
    pub fn factor_marked(
        &mut self,
        system: &System,
        mark: &mut impl FnMut(SolveStage),
    ) -> Result<(), FactorError> {
        self.idle.fill(false);
        self.has_idle = false;
        self.factor_as_told(system, mark)
    }

    /// Decides which primary rows are redundant (see [`Solver::decide`]). Auxiliary ones are decided by the
    /// pivots of A in every factorisation.
    ///
    /// # Errors
    /// Those of the primary solver.
    pub fn decide(&mut self, system: &System, rounding: f64, idle: &mut [bool]) -> Result<(), FactorError> {
        self.ready = false;
        if !Arc::ptr_eq(&self.graph, system.graph()) && self.graph != *system.graph() {
            return Err(FactorError::OtherGraph);
        }
        self.system.copy_links(system, &self.links);
        let decided = self.primary.decide(&self.system, rounding, &mut self.idle);
        decided.map_err(|error| self.in_full_graph(error))?;
        idle.fill(false);
        for (own, &link) in self.system.graph().all_links().zip(&self.links) {
            let (from, to) = (self.system.graph().row_range(own), self.graph.row_range(link));
            idle[to].copy_from_slice(&self.idle[from]);
        }
        Ok(())
    }

    /// [`factor`](AuxiliarySchur::factor) without the primary rows that are `idle`, one entry per row of the
    /// whole graph.
    ///
    /// # Errors
    /// As [`factor`](AuxiliarySchur::factor).
    pub fn factor_without(&mut self, system: &System, idle: &[bool]) -> Result<(), FactorError> {
        for (own, &link) in self.system.graph().all_links().zip(&self.links) {
            let (to, from) = (self.system.graph().row_range(own), self.graph.row_range(link));
            self.idle[to].copy_from_slice(&idle[from]);
        }
        self.has_idle = true;
        self.factor_as_told(system, &mut |_| {})
    }

    fn factor_as_told(
        &mut self,
        system: &System,
        mark: &mut impl FnMut(SolveStage),
    ) -> Result<(), FactorError> {
        self.factor_primary(system)?;
        mark(SolveStage::Factor);
        self.form_schur_complement(mark);
        self.factor_small(system)?;
        mark(SolveStage::Schur);
        self.ready = true;
        Ok(())
    }

    /// Step 1: the factor of the primary links.
    fn factor_primary(&mut self, system: &System) -> Result<(), FactorError> {
        self.ready = false;
        self.dropped.clear();
        self.small.rank = 0;
        if !Arc::ptr_eq(&self.graph, system.graph()) && self.graph != *system.graph() {
            return Err(FactorError::OtherGraph);
        }
        self.system.copy_links(system, &self.links);
        let factored = match self.has_idle {
            true => self.primary.factor_without(&self.system, &self.idle),
            false => self.primary.factor(&self.system),
        };
        factored.map_err(|error| self.in_full_graph(error))?;
        self.dropped.extend(self.primary.dropped());
        for dropped in &mut self.dropped {
            dropped.link = self.links[dropped.link.0 as usize];
        }
        self.take_rows(system)
    }

    /// An error of the primary solver in terms of the whole graph.
    fn in_full_graph(&self, error: FactorError) -> FactorError {
        let whole = |link: Link| self.links[link.0 as usize];
        match error {
            FactorError::NotFinite { place: SystemEntry::Row(link, row) } => {
                FactorError::NotFinite { place: SystemEntry::Row(whole(link), row) }
            }
            FactorError::NegativeCompliance { link, row } => {
                FactorError::NegativeCompliance { link: whole(link), row }
            }
            FactorError::Vanished { link, row } => FactorError::Vanished { link: whole(link), row },
            other => other,
        }
    }

    /// Jᵃ, K and the scales of A.
    fn take_rows(&mut self, system: &System) -> Result<(), FactorError> {
        for aux in &self.auxiliary {
            let compliance = system.compliance(aux.link);
            for row in 0..aux.rows.len() {
                let (mut held, mut pushed) = (compliance[row], compliance[row]);
                let mut at = aux.row_start(row);
                for (end, block) in self.graph.ends(aux.link).iter().enumerate() {
                    let Some(block) = *block else { continue };
                    let (dim, mass) = (self.graph.block_dim(block), system.mass(block));
                    let entries = row * dim..(row + 1) * dim;
                    let jac = &system.jac(aux.link, end)[entries.clone()];
                    let push = &system.force_columns(aux.link, end)[entries];
                    for i in 0..dim {
                        let unit = mass[packed_len(i) + i];
                        held += jac[i] * jac[i] / unit;
                        pushed += push[i] * push[i] / unit;
                        (self.jac[at], self.push[at]) = (jac[i], push[i]);
                        at += 1;
                    }
                }
                if compliance[row] < 0.0 {
                    return Err(FactorError::NegativeCompliance { link: aux.link, row });
                }
                if !(held.is_finite() && pushed.is_finite() && system.formed(aux.link, row).is_finite()) {
                    return Err(FactorError::NotFinite { place: SystemEntry::Row(aux.link, row) });
                }
                let scale = |square: f64| if square > 0.0 { square.sqrt() } else { 1.0 };
                self.small.row_scale[aux.rows.start + row] = scale(held);
                self.small.col_scale[aux.rows.start + row] = scale(pushed);
                self.gap[aux.rows.start + row] = compliance[row];
            }
        }
        Ok(())
    }

    /// Step 3: A, column by column; Eᵃ is in `gap` meanwhile.
    fn form_schur_complement(&mut self, mark: &mut impl FnMut(SolveStage)) {
        let k = self.columns();
        for a in 0..self.auxiliary.len() {
            for row in 0..self.auxiliary[a].rows.len() {
                self.solve_column(a, row);
                mark(SolveStage::Column);
                let aux = &self.auxiliary[a];
                let j = aux.rows.start + row;
                for other in &self.auxiliary {
                    let symmetric = !aux.pushed && !other.pushed;
                    for (r, i) in other.rows.clone().enumerate() {
                        if symmetric && i < j {
                            continue;
                        }
                        let mut entry = if i == j { self.gap[j] } else { 0.0 };
                        let jac = &self.jac[other.row_start(r)..][..other.width];
                        for end in &other.ends {
                            let x = match &*self.primary {
                                Solver::Tree(tree) => tree.response(end.block),
                                _ => &self.x[end.unknowns.clone()],
                            };
                            for (jac, x) in jac[end.offset..].iter().zip(x) {
                                entry += jac * x;
                            }
                        }
                        self.small.a[i * k + j] = entry;
                        if symmetric {
                            self.small.a[j * k + i] = entry;
                        }
                    }
                }
                mark(SolveStage::Products);
            }
        }
    }

    /// M̂⁻¹ k of one auxiliary row, in the tree or in `x`.
    fn solve_column(&mut self, a: usize, row: usize) {
        let aux = &self.auxiliary[a];
        let push = &self.push[aux.row_start(row)..][..aux.width];
        if let Solver::Tree(tree) = &mut *self.primary {
            let force = aux.ends.iter().map(|end| (end.block, &push[end.offset..][..end.unknowns.len()]));
            tree.solve_response(force, &aux.up, &aux.down);
            return;
        }
        self.force.fill(0.0);
        for end in &aux.ends {
            for (force, push) in self.force[end.unknowns.clone()].iter_mut().zip(&push[end.offset..]) {
                *force += push;
            }
        }
        self.primary.correct(&self.force, &self.zero_bias, &mut self.x, &mut self.lambda);
    }

    /// The link of an auxiliary row, and the row's index in it.
    pub(super) fn row_of(&self, i: usize) -> (&AuxiliaryLink, usize) {
        let a = self.auxiliary.partition_point(|aux| aux.rows.end <= i);
        let aux = &self.auxiliary[a];
        (aux, i - aux.rows.start)
    }

    /// The factor of A, and which rows are dropped.
    fn factor_small(&mut self, system: &System) -> Result<(), FactorError> {
        let k = self.columns();
        if let Some(at) = self.small.a.iter().position(|entry| !entry.is_finite()) {
            let (aux, row) = self.row_of(at / k);
            return Err(FactorError::NotFinite { place: SystemEntry::Row(aux.link, row) });
        }
        self.small.factor();
        let pivots = self.small.rank;
        if pivots == k && self.small.least_pivot() > PLAIN {
            return Ok(());
        }
        let dependent = self.dependent_rows(system)?;
        let rank = k - dependent.min(k);
        if let Some(place) = (0..rank).find(|&place| self.small.pivot(place) <= LEAST) {
            return Err(self.cannot_hold(place));
        }
        self.small.rank = rank;
        self.check_left_over()?;
        for i in rank..k {
            let (aux, row) = self.row_of(self.small.row_at(i));
            let link = aux.link;
            self.dropped.push(Dropped { link, row, leftover: 0.0, formed: 0.0 });
        }
        Ok(())
    }

    /// Number of auxiliary rows that depend on others, by geometry.
    fn dependent_rows(&mut self, system: &System) -> Result<usize, FactorError> {
        let geometry = self.geometry.get_or_insert_with(|| Box::new(Rank::new(&self.graph)));
        geometry.decide(system)?;
        let primary = match &*self.primary {
            Solver::ConjugateGradient(_) => {
                let mut primary = Rank::new(self.system.graph());
                primary.decide(&self.system)?;
                primary.redundant()
            }
            direct => self.system.graph().rows() - direct.rank(),
        };
        Ok(geometry.redundant().saturating_sub(primary))
    }

    /// The error for a vanishing pivot whose row is independent by geometry.
    fn cannot_hold(&self, place: usize) -> FactorError {
        let k = self.columns();
        // First choice is a row on which nothing acts; else one with force columns of its own, whose force
        // does not reach it.
        let rows = || (place..k).map(|place| self.small.row_at(place));
        let empty = rows().find(|&i| self.small.is_empty_row(i, LEAST));
        let cols = (place..k).map(|place| self.small.col_at(place));
        let pushed = rows().chain(cols).find(|&i| self.row_of(i).0.pushed);
        let i = empty.or(pushed).unwrap_or(self.small.row_at(place));
        let (aux, row) = self.row_of(i);
        let link = aux.link;
        if self.auxiliary.iter().any(|aux| aux.pushed) {
            FactorError::Powerless { link, row }
        } else {
            FactorError::Vanished { link, row }
        }
    }

    /// A row may be dropped only if no link with force columns of its own is part of the dependence: x is
    /// then still determined.
    fn check_left_over(&mut self) -> Result<(), FactorError> {
        let (k, rank) = (self.columns(), self.small.rank);
        if rank == k || !self.auxiliary.iter().any(|aux| aux.pushed) {
            return Ok(());
        }
        let pushed = (rank..k).map(|p| self.small.row_at(p)).find(|&i| self.row_of(i).0.pushed);
        if let Some(i) = pushed.or((!self.small.leaves_pairs()).then(|| self.small.row_at(rank))) {
            let (aux, row) = self.row_of(i);
            return Err(FactorError::Dependent { link: aux.link, row });
        }
        for place in rank..k {
            let i = self.small.row_at(place);
            self.balance_column(i);
            let scaled = |j: usize| (self.mu[j] * self.small.col_scale[j]).abs();
            let largest = (0..k).map(scaled).fold(self.small.col_scale[i], |w, m| if m > w { m } else { w });
            if let Some(j) =
                (0..k).find(|&j| self.row_of(j).0.pushed && scaled(j) > NULL_VECTOR_ENTRY * largest)
            {
                let (aux, row) = self.row_of(j);
                return Err(FactorError::Dependent { link: aux.link, row });
            }
        }
        Ok(())
    }

    /// μ of the rows in use that cancels the effect of column `i` of A on them.
    pub(super) fn balance_column(&mut self, i: usize) {
        let k = self.columns();
        for row in 0..k {
            self.gap[row] = self.small.a[row * k + i];
        }
        self.small.solve(&self.gap, &mut self.mu);
    }
}
