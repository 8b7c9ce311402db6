//! The rounds of the dual active set method: which row moves, how far, and what blocks it.

use super::RowState;
use crate::complementarity::cholesky::Cholesky;
use crate::complementarity::error::ComplementarityError;
use crate::complementarity::problem::floor;
use crate::tolerances::{DEPENDENT_ROW, NULL_VECTOR_ENTRY, ZERO_RESIDUAL};

/// A quadratic form is zero up to this part of its terms: a hundred roundings.
const ROUNDING: f64 = 1e-14;
/// A dependent row is satisfied up to this part of the terms of all rows involved: 1e4 roundings.
const NOISE: f64 = 1e-12;
/// A dependent row that is violated by more than this part of the terms of all rows involved contradicts the
/// others. Between [`NOISE`] and this it is ignored.
const CONTRADICTION: f64 = 1e-9;
/// A row is degenerate when neither a nor the distance of λ to its bound exceeds this part of the terms.
const DEGENERATE: f64 = 1e-10;

/// The state of the method, for rows with bounds.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSetCore {
    pub(super) lo: Vec<f64>,
    pub(super) hi: Vec<f64>,
    pub(super) bias: Vec<f64>,
    /// The size of the terms that formed b.
    pub(super) formed: Vec<f64>,
    /// The size of the terms that formed A_ii.
    pub(super) diagonal: Vec<f64>,
    /// Rows that no impulse moves.
    pub(super) immovable: Vec<bool>,
    pub(super) lambda: Vec<f64>,
    pub(super) a: Vec<f64>,
    /// The size of the terms that form a.
    pub(super) size: Vec<f64>,
    /// Rows in W.
    pub(super) inside: Vec<bool>,
    /// Dependent rows that are violated by less than a contradiction.
    pub(super) ignored: Vec<bool>,
    pub(super) factor: Cholesky,
    pub(super) step: Vec<f64>,
    pub(super) iterations: usize,
}

impl ActiveSetCore {
    pub(super) fn reset(&mut self, k: usize) {
        let numbers = [
            &mut self.lo,
            &mut self.hi,
            &mut self.bias,
            &mut self.formed,
            &mut self.diagonal,
            &mut self.lambda,
            &mut self.a,
            &mut self.size,
            &mut self.step,
        ];
        for array in numbers {
            array.clear();
            array.resize(k, 0.0);
        }
        for array in [&mut self.immovable, &mut self.inside, &mut self.ignored] {
            array.clear();
            array.resize(k, false);
        }
        self.factor.clear(k);
        self.iterations = 0;
    }

    /// Bounds of a row, and λ as near to zero as they allow.
    pub(super) fn set_bounds(&mut self, row: usize, lo: f64, hi: f64) {
        (self.lo[row], self.hi[row]) = (lo, hi);
        self.lambda[row] = if lo > 0.0 {
            lo
        } else if hi < 0.0 {
            hi
        } else {
            0.0
        };
    }

    pub(super) fn is_near_lo(&self, matrix: &[f64], row: usize) -> bool {
        (self.lambda[row] - self.lo[row]) * matrix[row * self.lo.len() + row] <= DEGENERATE * self.size[row]
    }

    pub(super) fn state(&self, matrix: &[f64], row: usize) -> RowState {
        let own = matrix[row * self.lo.len() + row];
        let near_lo = self.is_near_lo(matrix, row);
        let near_hi = (self.hi[row] - self.lambda[row]) * own <= DEGENERATE * self.size[row];
        if self.immovable[row] {
            // No impulse moves it: λ keeps its value.
            let (lo, hi) = (self.lambda[row] <= self.lo[row], self.lambda[row] >= self.hi[row]);
            return match self.a[row] {
                a if lo && a > DEGENERATE * self.size[row] => RowState::AtLo,
                a if hi && a < -DEGENERATE * self.size[row] => RowState::AtHi,
                _ if lo || hi => RowState::Degenerate,
                _ => RowState::Active,
            };
        }
        match self.a[row] {
            a if near_lo && !self.inside[row] && a > DEGENERATE * self.size[row] => RowState::AtLo,
            a if near_hi && !self.inside[row] && a < -DEGENERATE * self.size[row] => RowState::AtHi,
            _ if near_lo || near_hi => RowState::Degenerate,
            _ => RowState::Active,
        }
    }

    /// a = A λ + b and the size of its terms.
    fn evaluate(&mut self, matrix: &[f64]) {
        let k = self.lo.len();
        for row in 0..k {
            let (mut a, mut size) = (self.bias[row], self.formed[row]);
            for (entry, lambda) in matrix[row * k..][..k].iter().zip(&self.lambda) {
                let term = entry * lambda;
                a += term;
                size += term.abs();
            }
            (self.a[row], self.size[row]) = (a, size);
        }
        floor(&self.diagonal, &mut self.size);
    }

    /// Direction in which λ of a row has to move: ±1, or 0 if the row is satisfied.
    fn wants(&self, row: usize) -> f64 {
        let tolerance = ZERO_RESIDUAL * self.size[row];
        if self.a[row] < -tolerance && self.lambda[row] < self.hi[row] {
            1.0
        } else if self.a[row] > tolerance && self.lambda[row] > self.lo[row] {
            -1.0
        } else {
            0.0
        }
    }

    /// The row to move next: equalities first, then by a² / A_ii; with `plain` the least index (Bland).
    fn next(&self, matrix: &[f64], plain: bool) -> Option<usize> {
        let k = self.lo.len();
        let mut best: Option<(usize, u8, f64)> = None;
        for row in 0..k {
            if self.inside[row] || self.ignored[row] || self.wants(row) == 0.0 {
                continue;
            }
            let held = self.lo[row] == f64::NEG_INFINITY && self.hi[row] == f64::INFINITY;
            let rank = u8::from(held);
            let own = matrix[row * k + row];
            let off = if self.immovable[row] || own <= 0.0 {
                f64::INFINITY
            } else {
                self.a[row] * self.a[row] / own
            };
            let better = match best {
                None => true,
                Some((_, was, was_off)) => rank > was || (rank == was && !plain && off > was_off),
            };
            if better {
                best = Some((row, rank, off));
            }
        }
        best.map(|(row, ..)| row)
    }

    pub(super) fn run(&mut self, matrix: &[f64]) -> Result<(), ComplementarityError> {
        let k = self.lo.len();
        let (plain_after, cap) = (10 * k + 50, 100 * k + 500);
        let (mut polished, mut rebased) = (0, 0);
        self.evaluate(matrix);
        loop {
            self.finite()?;
            let Some(p) = self.next(matrix, self.iterations > plain_after) else {
                // a_W is zero only to rounding: refine it before the last check.
                if polished < 3 && self.polish(matrix) {
                    polished += 1;
                    continue;
                }
                if rebased < 4 && (0..k).any(|row| self.ignored[row] && self.wants(row) != 0.0) {
                    self.rebase(matrix);
                    (rebased, polished) = (rebased + 1, 0);
                    continue;
                }
                return self.finite();
            };
            self.advance(matrix, p)?;
            self.evaluate(matrix);
            self.polish(matrix);
            if self.iterations > cap {
                return Err(ComplementarityError::Stalled {
                    iterations: self.iterations,
                    residual: self.worst(),
                });
            }
        }
    }

    /// Moves row p until it is satisfied.
    fn advance(&mut self, matrix: &[f64], p: usize) -> Result<(), ComplementarityError> {
        let k = self.lo.len();
        let sign = self.wants(p);
        let own = matrix[p * k + p];
        let mut off = self.a[p].abs();
        loop {
            self.iterations += 1;
            let left = self.factor.remainder(matrix, k, p);
            let dependent =
                self.immovable[p] || left <= DEPENDENT_ROW * own || left <= ROUNDING * self.diagonal[p];
            let count = self.factor.rows.len();
            self.factor.answer(&mut self.step);
            if self.immovable[p] {
                self.step[..count].fill(0.0);
            }
            let full = if dependent { f64::INFINITY } else { off / left };
            if dependent && off <= NOISE * self.terms(p) {
                self.ignored[p] = true;
                return Ok(());
            }
            let to_bound = if sign > 0.0 { self.hi[p] - self.lambda[p] } else { self.lambda[p] - self.lo[p] };
            let mut block: Option<(usize, f64)> = None;
            for (place, &row) in self.factor.rows.iter().enumerate() {
                let room = room(self.lambda[row], self.lo[row], self.hi[row], sign * self.step[place]);
                let sooner = match block {
                    None => room.is_finite(),
                    Some((other, least)) => room < least || (room == least && row < self.factor.rows[other]),
                };
                if sooner {
                    block = Some((place, room));
                }
            }
            let blocked = block.map_or(f64::INFINITY, |(_, room)| room);
            let mut full = full;
            if full == f64::INFINITY && to_bound == f64::INFINITY && blocked == f64::INFINITY {
                match self.strength(matrix, p) {
                    Some(strength) => full = off / strength,
                    None if off <= CONTRADICTION * self.terms(p) => {
                        self.ignored[p] = true;
                        return Ok(());
                    }
                    None => return self.contradiction(matrix, p),
                }
            }
            if full <= to_bound && full <= blocked {
                self.move_by(full, sign, p);
                self.factor.add_row(p, off / full);
                self.inside[p] = true;
                return Ok(());
            }
            if to_bound <= blocked {
                self.move_by(to_bound, sign, p);
                self.lambda[p] = if sign > 0.0 { self.hi[p] } else { self.lo[p] };
                return Ok(());
            }
            let Some((place, room)) = block else { return Ok(()) };
            let (row, step) = (self.factor.rows[place], sign * self.step[place]);
            self.move_by(room, sign, p);
            self.lambda[row] = if step < 0.0 { self.lo[row] } else { self.hi[row] };
            self.inside[row] = false;
            self.factor.remove_row(place);
            self.ignored.fill(false);
            if !dependent {
                off -= room * left;
                if off <= 0.0 {
                    // By rounding, the row was satisfied when another one blocked.
                    return Ok(());
                }
            }
        }
    }

    fn move_by(&mut self, length: f64, sign: f64, p: usize) {
        self.lambda[p] += sign * length;
        for (&row, step) in self.factor.rows.iter().zip(&self.step) {
            self.lambda[row] += length * sign * step;
        }
    }

    /// Δλᵀ A Δλ where λ_p grows by one, if that is more than rounding of its terms: a row that nearly depends
    /// on others, and would contradict them, may still be able to move.
    fn strength(&self, matrix: &[f64], p: usize) -> Option<f64> {
        if self.immovable[p] {
            return None;
        }
        let k = self.lo.len();
        let rows = &self.factor.rows;
        let (mut sum, mut terms) = (matrix[p * k + p], self.diagonal[p]);
        for (i, &row) in rows.iter().enumerate() {
            let mut part = 2.0 * matrix[p * k + row];
            for (&other, step) in rows.iter().zip(&self.step) {
                part += matrix[row * k + other] * step;
            }
            sum += self.step[i] * part;
            terms += self.step[i] * self.step[i] * self.diagonal[row];
        }
        (sum > ROUNDING * terms).then_some(sum)
    }

    /// The terms that a row which depends on W is judged by: those of all rows involved, since none of them
    /// is exactly zero.
    fn terms(&self, p: usize) -> f64 {
        let mut terms = self.size[p];
        for (&row, step) in self.factor.rows.iter().zip(&self.step) {
            terms += step.abs() * self.size[row];
        }
        terms
    }

    /// Nothing blocks a dependent row: it contradicts the rows that it depends on.
    fn contradiction(&self, matrix: &[f64], p: usize) -> Result<(), ComplementarityError> {
        let k = self.lo.len();
        let mut longest = matrix[p * k + p].abs().sqrt();
        for (&row, step) in self.factor.rows.iter().zip(&self.step) {
            let length = step.abs() * matrix[row * k + row].sqrt();
            longest = if length > longest { length } else { longest };
        }
        let mut rows = vec![p];
        for (&row, step) in self.factor.rows.iter().zip(&self.step) {
            if step.abs() * matrix[row * k + row].sqrt() > NULL_VECTOR_ENTRY * longest {
                rows.push(row);
            }
        }
        rows.sort_unstable();
        Err(ComplementarityError::Infeasible { rows })
    }

    /// One round of refinement of a_W = 0. True if anything was refined.
    fn polish(&mut self, matrix: &[f64]) -> bool {
        let rows = &self.factor.rows;
        if rows.iter().all(|&row| self.a[row].abs() <= 0.01 * ZERO_RESIDUAL * self.size[row]) {
            return false;
        }
        for (step, &row) in self.step.iter_mut().zip(rows) {
            *step = -self.a[row];
        }
        self.factor.solve(&mut self.step);
        for (step, &row) in self.step.iter().zip(rows) {
            let lambda = self.lambda[row] + step;
            let lambda = if lambda < self.lo[row] { self.lo[row] } else { lambda };
            self.lambda[row] = if lambda > self.hi[row] { self.hi[row] } else { lambda };
        }
        self.evaluate(matrix);
        true
    }

    /// Replaces W by the best conditioned of the rows with a = 0.
    ///
    /// A row p = Σ r_j j of W with large r_j is zero only to |r| times rounding. With p in W nothing is
    /// amplified, so rows are added in the order of their remainders, the largest first.
    fn rebase(&mut self, matrix: &[f64]) {
        let k = self.lo.len();
        for row in 0..k {
            self.ignored[row] |= self.inside[row];
            self.inside[row] = false;
        }
        self.factor.clear(k);
        loop {
            let mut best: Option<(usize, f64)> = None;
            for row in (0..k).filter(|&row| self.ignored[row] && !self.inside[row] && !self.immovable[row]) {
                let left = self.factor.remainder(matrix, k, row) / matrix[row * k + row];
                if left > ROUNDING && best.is_none_or(|(_, most)| left > most) {
                    best = Some((row, left));
                }
            }
            let Some((row, left)) = best else { break };
            let _ = self.factor.remainder(matrix, k, row);
            self.factor.add_row(row, left * matrix[row * k + row]);
            self.inside[row] = true;
        }
        self.ignored.fill(false);
        // Toward a_W = 0 within the bounds: a row that blocks leaves W.
        while !self.factor.rows.is_empty() {
            for (step, &row) in self.step.iter_mut().zip(&self.factor.rows) {
                *step = -self.a[row];
            }
            self.factor.solve(&mut self.step);
            let mut block: Option<(usize, f64)> = None;
            for (place, &row) in self.factor.rows.iter().enumerate() {
                let part = room(self.lambda[row], self.lo[row], self.hi[row], self.step[place]);
                if part < block.map_or(1.0, |(_, least)| least) {
                    block = Some((place, part));
                }
            }
            let length = block.map_or(1.0, |(_, part)| part);
            for (&row, step) in self.factor.rows.iter().zip(&self.step) {
                self.lambda[row] += length * step;
            }
            if let Some((place, _)) = block {
                let row = self.factor.rows[place];
                self.lambda[row] = if self.step[place] < 0.0 { self.lo[row] } else { self.hi[row] };
                self.inside[row] = false;
                self.factor.remove_row(place);
                self.iterations += 1;
            }
            self.evaluate(matrix);
            if block.is_none() {
                break;
            }
        }
    }

    /// Violation of the worst row, relative to its terms.
    fn worst(&self) -> f64 {
        let mut worst = 0.0;
        for row in 0..self.lo.len() {
            if self.wants(row) != 0.0 {
                let off = self.a[row].abs() / self.size[row];
                worst = if off > worst { off } else { worst };
            }
        }
        worst
    }

    fn finite(&self) -> Result<(), ComplementarityError> {
        match self.size.iter().position(|size| !size.is_finite()) {
            Some(row) => Err(ComplementarityError::NotFinite { what: "the answer", row }),
            None => Ok(()),
        }
    }
}

/// Number of steps that λ may take before it reaches a bound.
fn room(lambda: f64, lo: f64, hi: f64, step: f64) -> f64 {
    let room = if step < 0.0 {
        (lambda - lo) / -step
    } else if step > 0.0 {
        (hi - lambda) / step
    } else {
        return f64::INFINITY;
    };
    if room > 0.0 { room } else { 0.0 }
}
