//! Dense solver for any graph, in cubic time. The reference for the other solvers.
//!
//! Rank is decided by geometry here too. The rigid rows, each divided by what formed it, are the columns of
//!
//! ```text
//! (J_s)ᵀ P = Q [R₁ R₂]         Householder, largest remainder first; remainders up to 1e-9 are dropped
//! J_s,dep  = W J_s,acc         W = R₂ᵀ R₁⁻ᵀ
//! ```
//!
//! Q spans the forces of the rigid rows, p are its coordinates, and the accepted rows are satisfied if and
//! only if −Qᵀ x = z with z = R₁⁻ᵀ c_s,acc. With the compliant rows J_c the whole matrix is
//!
//! ```text
//! ⎡  M   −Q   −J_cᵀ ⎤ ⎡ x   ⎤   ⎡ F   ⎤
//! ⎢ −Qᵀ   0     0   ⎥ ⎢ p   ⎥ = ⎢ z   ⎥      LU with pivoting, refined twice
//! ⎣ −J_c  0    −E   ⎦ ⎣ λ_c ⎦   ⎣ c_c ⎦
//! ```
//!
//! and Jᵀλ = Q p has a λ of least norm: λ = Q₂ T⁻ᵀ p, where Kᵀ = Q₂ T and K takes λ to p. Unknowns are in the
//! units of [`System::units`]: J, M, F and x stand for J U, U M U, U F and U⁻¹ x.

mod matrix;

use crate::tolerances::{LEAST_PIVOT, LOST_PIVOT, ROUNDING_OF_GEOMETRY};
use std::sync::Arc;

use crate::dropped::Dropped;
use crate::error::{FactorError, SystemEntry};
use crate::graph::{Graph, Link, packed_len};
use crate::system::System;
use matrix::{Lu, Matrix, PivotedQr};

/// Dense solver for any graph: loops, links on many blocks, redundant rows.
#[derive(Clone, Debug)]
pub struct Dense {
    graph: Arc<Graph>,
    /// Rows with E = 0 and their formed magnitudes (one for a row of zeros); rows with E > 0.
    rigid: Vec<usize>,
    formed: Vec<f64>,
    compliant: Vec<usize>,
    /// All rows of J U, and U.
    jac: Matrix,
    units: Vec<f64>,
    /// QR of the scaled rigid rows, transposed.
    geometry: PivotedQr,
    /// W: dependent × accepted.
    weight: Matrix,
    /// The whole matrix and its factor.
    whole: Matrix,
    lu: Lu,
    /// QR of Kᵀ, for the λ of least norm.
    spread: PivotedQr,
    right: Vec<f64>,
    answer: Vec<f64>,
    change: Vec<f64>,
    dropped: Vec<Dropped>,
    ready: bool,
}

impl Dense {
    /// Reserves memory for a graph.
    pub fn new(graph: &Arc<Graph>) -> Dense {
        let (unknowns, rows) = (graph.unknowns(), graph.rows());
        let all = unknowns + rows;
        let largest_mass = graph.all_blocks().map(|b| packed_len(graph.block_dim(b))).max().unwrap_or(0);
        Dense {
            graph: Arc::clone(graph),
            rigid: Vec::with_capacity(rows),
            formed: Vec::with_capacity(rows),
            compliant: Vec::with_capacity(rows),
            jac: Matrix::with_capacity(rows * unknowns),
            units: vec![1.0; unknowns],
            geometry: PivotedQr::with_capacity(unknowns, rows),
            weight: Matrix::with_capacity(rows * rows),
            whole: Matrix::with_capacity(all * all),
            lu: Lu::with_capacity(all),
            spread: PivotedQr::with_capacity(rows, rows),
            right: Vec::with_capacity(all),
            answer: Vec::with_capacity(all),
            change: Vec::with_capacity(all.max(largest_mass)),
            dropped: Vec::with_capacity(rows),
            ready: false,
        }
    }

    /// The graph this solver was built for.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Factors M, J and E of `system`.
    ///
    /// # Errors
    /// When a mass is not positive definite or a number is not finite; until the next success,
    /// [`solve`](Dense::solve) then returns NaN.
    pub fn factor(&mut self, system: &System) -> Result<(), FactorError> {
        self.factor_rows(system, None, ROUNDING_OF_GEOMETRY)
    }

    /// Factors `system` without the rows that are `idle`, one entry per row: their λ is zero. The others
    /// should be independent; only those that depend on others to 1e-12 are dropped too.
    ///
    /// # Errors
    /// As [`factor`](Dense::factor).
    ///
    /// # Panics
    /// If there is not one entry per row.
    pub fn factor_without(&mut self, system: &System, idle: &[bool]) -> Result<(), FactorError> {
        assert_eq!(idle.len(), self.graph.rows(), "length of idle");
        self.factor_rows(system, Some(idle), LOST_PIVOT)
    }

    /// Decides which rows are redundant: those with remainders up to `rounding`. Their entry of `idle`
    /// becomes true, that of the others false. Nothing is factored.
    ///
    /// # Errors
    /// When a number of a row is not finite.
    ///
    /// # Panics
    /// If there is not one entry per row.
    pub fn decide(&mut self, system: &System, rounding: f64, idle: &mut [bool]) -> Result<(), FactorError> {
        assert_eq!(idle.len(), self.graph.rows(), "length of idle");
        self.ready = false;
        self.dropped.clear();
        if self.graph != *system.graph() {
            return Err(FactorError::OtherGraph);
        }
        self.sort_rows(system, None)?;
        self.decide_rank(rounding);
        idle.fill(false);
        for dropped in &self.dropped {
            idle[self.graph.row_range(dropped.link).start + dropped.row] = true;
        }
        Ok(())
    }

    fn factor_rows(
        &mut self,
        system: &System,
        idle: Option<&[bool]>,
        rounding: f64,
    ) -> Result<(), FactorError> {
        self.ready = false;
        self.dropped.clear();
        if !Arc::ptr_eq(&self.graph, system.graph()) && self.graph != *system.graph() {
            return Err(FactorError::OtherGraph);
        }
        if let Some(link) = system.graph().first_with_force_columns() {
            return Err(FactorError::OwnForceColumns { link });
        }
        check_masses(system, &mut self.change)?;
        self.sort_rows(system, idle)?;
        self.decide_rank(rounding);
        self.assemble(system);
        self.factor_whole(system)?;
        self.factor_spread();
        self.ready = true;
        Ok(())
    }

    /// Solves H (x, λ) = (F, c) with the last factor; λ of least norm where it is not unique.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn solve(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        self.correct(force, bias, x, lambda);
        self.note_leftovers(bias);
    }

    /// Solves for a correction: the leftovers of dropped rows keep their values.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn correct(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        let (unknowns, rows) = (self.graph.unknowns(), self.graph.rows());
        assert_eq!((force.len(), x.len()), (unknowns, unknowns), "length of force, x");
        assert_eq!((bias.len(), lambda.len()), (rows, rows), "length of bias, lambda");
        if !self.ready {
            x.fill(f64::NAN);
            lambda.fill(f64::NAN);
            return;
        }
        let rank = self.geometry.rank;
        self.right.clear();
        self.right.extend(force.iter().zip(&self.units).map(|(force, unit)| force * unit));
        let accepted = &self.geometry.order[..rank];
        self.right.extend(accepted.iter().map(|&k| bias[self.rigid[k]] / self.formed[k]));
        self.geometry.solve_rt(&mut self.right[unknowns..]);
        self.right.extend(self.compliant.iter().map(|&row| bias[row]));
        self.solve_refined();
        for ((x, answer), unit) in x.iter_mut().zip(&self.answer).zip(&self.units) {
            *x = answer * unit;
        }

        lambda.fill(0.0);
        for (&row, &value) in self.compliant.iter().zip(&self.answer[unknowns + rank..]) {
            lambda[row] = value;
        }
        // K has full rank, but its columns may have been exchanged: T⁻ᵀ takes p in that order.
        self.change.clear();
        self.change.extend(self.spread.order.iter().map(|&k| self.answer[unknowns + k]));
        self.spread.solve_rt(&mut self.change);
        for (k, &row) in self.rigid.iter().enumerate() {
            lambda[row] = self.spread.q.row(k).iter().zip(&self.change).map(|(q, c)| q * c).sum();
        }
    }

    /// Smallest remainder that was accepted, relative to what formed its row; infinite without rows.
    pub fn smallest_accepted(&self) -> f64 {
        let last = self.geometry.rank.checked_sub(1);
        last.map_or(f64::INFINITY, |last| self.geometry.r[(last, last)].abs())
    }

    /// Number of rows that are solved for: independent rigid rows and compliant rows.
    pub fn rank(&self) -> usize {
        self.geometry.rank + self.compliant.len()
    }

    /// Redundant rows of the last factorisation, with their leftovers after a solve.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// Whether a row was dropped as redundant.
    pub fn row_is_dropped(&self, link: Link, row: usize) -> bool {
        self.dropped.iter().any(|dropped| (dropped.link, dropped.row) == (link, row))
    }

    /// Whether λ of a row is the same in every solution: whether all null vectors of Jᵀ are zero there.
    pub fn lambda_is_unique(&self, link: Link, row: usize) -> bool {
        let at = self.graph.row_range(link).start + row;
        let Some(place) = self.geometry.order.iter().position(|&k| self.rigid[k] == at) else {
            return true; // compliant
        };
        place < self.geometry.rank
            && (0..self.weight.rows).all(|k| self.weight[(k, place)].abs() <= ROUNDING_OF_GEOMETRY)
    }

    /// The λ that the `k`-th dropped row leaves free: Jᵀ λ = 0 with λ = 1 on that row.
    ///
    /// # Panics
    /// If there is no such dropped row or `lambda` has the wrong length.
    pub fn null_vector(&self, k: usize, lambda: &mut [f64]) {
        assert!(k < self.dropped.len(), "only {} rows were dropped", self.dropped.len());
        assert_eq!(lambda.len(), self.graph.rows(), "length of lambda");
        lambda.fill(0.0);
        let dependent = self.geometry.order[self.geometry.rank + k];
        lambda[self.rigid[dependent]] = 1.0;
        for (place, accepted) in self.accepted().enumerate() {
            let ratio = self.formed[dependent] / self.formed[accepted];
            lambda[self.rigid[accepted]] = -self.weight[(k, place)] * ratio;
        }
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let numbers = [&self.formed, &self.units, &self.right, &self.answer, &self.change];
        self.jac.bytes()
            + self.geometry.bytes()
            + self.weight.bytes()
            + self.whole.bytes()
            + self.lu.bytes()
            + self.spread.bytes()
            + numbers.into_iter().map(Vec::capacity).sum::<usize>() * size_of::<f64>()
            + (self.rigid.capacity() + self.compliant.capacity()) * size_of::<usize>()
            + self.dropped.capacity() * size_of::<Dropped>()
    }

    /// Positions in `rigid` of the accepted rows, in their order.
    fn accepted(&self) -> impl Iterator<Item = usize> + '_ {
        self.geometry.order[..self.geometry.rank].iter().copied()
    }

    /// Copies all rows of J, and sorts them into rigid and compliant.
    fn sort_rows(&mut self, system: &System, idle: Option<&[bool]>) -> Result<(), FactorError> {
        let graph = &*self.graph;
        self.units.copy_from_slice(system.units());
        self.jac.reset(graph.rows(), graph.unknowns());
        self.rigid.clear();
        self.formed.clear();
        self.compliant.clear();
        for link in graph.all_links() {
            for (row, at) in graph.row_range(link).enumerate() {
                for (end, block) in graph.ends(link).iter().enumerate() {
                    let columns = block.map_or(0..0, |block| graph.block_range(block));
                    let dim = columns.len();
                    for (j, column) in columns.enumerate() {
                        self.jac[(at, column)] += system.jac(link, end)[row * dim + j] * self.units[column];
                    }
                }
                let (formed, compliance) = (system.formed(link, row), system.compliance(link)[row]);
                if !formed.is_finite() || !compliance.is_finite() {
                    return Err(FactorError::NotFinite { place: SystemEntry::Row(link, row) });
                }
                if compliance < 0.0 {
                    return Err(FactorError::NegativeCompliance { link, row });
                }
                if idle.is_some_and(|idle| idle[at]) {
                    continue;
                }
                if compliance > 0.0 {
                    self.compliant.push(at);
                } else {
                    self.rigid.push(at);
                    self.formed.push(if formed == 0.0 { 1.0 } else { formed });
                }
            }
        }
        Ok(())
    }

    fn decide_rank(&mut self, rounding: f64) {
        let unknowns = self.graph.unknowns();
        self.geometry.r.reset(unknowns, self.rigid.len());
        for (k, &row) in self.rigid.iter().enumerate() {
            for i in 0..unknowns {
                self.geometry.r[(i, k)] = self.jac[(row, i)] / self.formed[k];
            }
        }
        self.geometry.factor(rounding);
        let rank = self.geometry.rank;
        self.weight.reset(self.rigid.len() - rank, rank);
        for k in 0..self.weight.rows {
            // R₁ Wᵀ = R₂, column by column
            self.change.clear();
            self.change.extend((0..rank).map(|i| self.geometry.r[(i, rank + k)]));
            self.geometry.solve_r(&mut self.change);
            for j in 0..rank {
                self.weight[(k, j)] = self.change[j];
            }
            let (link, row) = self.graph.link_of_row(self.rigid[self.geometry.order[rank + k]]);
            self.dropped.push(Dropped { link, row, leftover: 0.0, formed: 0.0 });
        }
    }

    fn assemble(&mut self, system: &System) {
        let (unknowns, rank) = (self.graph.unknowns(), self.geometry.rank);
        let all = unknowns + rank + self.compliant.len();
        self.whole.reset(all, all);
        for block in self.graph.all_blocks() {
            let start = self.graph.block_range(block).start;
            for i in 0..self.graph.block_dim(block) {
                for j in 0..=i {
                    let unit = self.units[start + i] * self.units[start + j];
                    let entry = system.mass(block)[packed_len(i) + j] * unit;
                    self.whole[(start + i, start + j)] = entry;
                    self.whole[(start + j, start + i)] = entry;
                }
            }
        }
        for i in 0..unknowns {
            for k in 0..rank {
                self.whole[(i, unknowns + k)] = -self.geometry.q[(i, k)];
                self.whole[(unknowns + k, i)] = -self.geometry.q[(i, k)];
            }
            for (k, &row) in self.compliant.iter().enumerate() {
                self.whole[(i, unknowns + rank + k)] = -self.jac[(row, i)];
                self.whole[(unknowns + rank + k, i)] = -self.jac[(row, i)];
            }
        }
        for (k, &at) in self.compliant.iter().enumerate() {
            let (link, row) = self.graph.link_of_row(at);
            self.whole[(unknowns + rank + k, unknowns + rank + k)] = -system.compliance(link)[row];
        }
    }

    /// Scales every unknown by its own mass, every row by what the masses make of it, and factors.
    fn factor_whole(&mut self, system: &System) -> Result<(), FactorError> {
        let (all, unknowns) = (self.whole.rows, self.graph.unknowns());
        self.lu.scale.clear();
        for i in 0..unknowns {
            self.lu.scale.push(1.0 / self.whole[(i, i)].sqrt());
        }
        for k in unknowns..all {
            let mut square = self.whole[(k, k)].abs();
            for i in 0..unknowns {
                let entry = self.whole[(k, i)] * self.lu.scale[i];
                square += entry * entry;
            }
            self.lu.scale.push(if square > 0.0 { 1.0 / square.sqrt() } else { 1.0 });
        }
        let factored = self.lu.factor(&self.whole);
        if factored.is_ok() && self.lu.matrix.is_finite() {
            return Ok(());
        }
        // Masses and geometry were sound: only under- or overflow leads here. The error names a block or row
        // nearby.
        let position = factored.err().unwrap_or(0);
        match self.graph.all_blocks().find(|&b| self.graph.block_range(b).contains(&position)) {
            Some(block) => Err(FactorError::NotFinite { place: SystemEntry::Mass(block) }),
            None => {
                let rigid = self.accepted().map(|k| self.rigid[k]);
                let row = rigid.chain(self.compliant.iter().copied()).nth(position - unknowns);
                let (link, row) = system.graph().link_of_row(row.unwrap_or(0));
                Err(FactorError::Vanished { link, row })
            }
        }
    }

    /// Kᵀ = (Pᵀ D)ᵀ [R₁ R₂]ᵀ: takes raw multipliers of rigid rows to coordinates p.
    fn factor_spread(&mut self) {
        let rank = self.geometry.rank;
        self.spread.r.reset(self.rigid.len(), rank);
        for (place, &k) in self.geometry.order.iter().enumerate() {
            for i in 0..rank.min(place + 1) {
                self.spread.r[(k, i)] = self.geometry.r[(i, place)] * self.formed[k];
            }
        }
        self.spread.factor(0.0);
    }

    /// `answer` = whole⁻¹ `right`, with two rounds of refinement.
    fn solve_refined(&mut self) {
        self.answer.clear();
        self.answer.resize(self.right.len(), 0.0);
        for _ in 0..3 {
            self.change.clear();
            self.change.extend_from_slice(&self.right);
            for (i, change) in self.change.iter_mut().enumerate() {
                for (entry, answer) in self.whole.row(i).iter().zip(&self.answer) {
                    *change -= entry * answer;
                }
            }
            self.lu.solve(&mut self.change);
            for (answer, change) in self.answer.iter_mut().zip(&self.change) {
                *answer += change;
            }
        }
    }

    /// c_dep − W c_acc for the dropped rows, unscaled.
    fn note_leftovers(&mut self, bias: &[f64]) {
        let rank = self.geometry.rank;
        for (k, dropped) in self.dropped.iter_mut().enumerate() {
            let row = self.geometry.order[rank + k];
            (dropped.leftover, dropped.formed) = (bias[self.rigid[row]], bias[self.rigid[row]].abs());
            for (j, &other) in self.geometry.order[..rank].iter().enumerate() {
                let weight = self.weight[(k, j)] * (self.formed[row] / self.formed[other]);
                dropped.leftover -= weight * bias[self.rigid[other]];
                dropped.formed += (weight * bias[self.rigid[other]]).abs();
            }
        }
    }
}

/// Checks that each mass has a Cholesky factor.
fn check_masses(system: &System, factor: &mut Vec<f64>) -> Result<(), FactorError> {
    let graph = &**system.graph();
    for block in graph.all_blocks() {
        factor.clear();
        factor.extend_from_slice(system.mass(block));
        if factor.iter().any(|entry| !entry.is_finite()) {
            return Err(FactorError::NotFinite { place: SystemEntry::Mass(block) });
        }
        for i in 0..graph.block_dim(block) {
            for j in 0..=i {
                let (row_i, row_j) = (packed_len(i), packed_len(j));
                let sum: f64 = (0..j).map(|k| factor[row_i + k] * factor[row_j + k]).sum();
                let left = factor[row_i + j] - sum;
                if i == j && (left.is_nan() || left <= LEAST_PIVOT * factor[row_i + i]) {
                    return Err(FactorError::NotPositive { block });
                }
                factor[row_i + j] = if i == j { left.sqrt() } else { left / factor[row_j + j] };
            }
        }
    }
    Ok(())
}
