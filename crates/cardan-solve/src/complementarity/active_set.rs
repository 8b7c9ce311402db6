//! Rows with bounds alone, answered exactly: a dual active set.
//!
//! ```text
//! max  −½ λᵀ A λ − bᵀ λ      lo ≤ λ ≤ hi          A symmetric, positive semidefinite, singular or not
//! ```
//!
//! has the conditions of `Held`, `OneSided` and `Bounded` rows for its own. W is the set of rows that are being solved for,
//! a_W = 0; all others rest at a bound (or at zero, before their turn). In each round the row p that is off most, in the metric
//! of A (a_p² / A_pp), is moved along
//!
//! ```text
//! Δλ_p = ±1,   Δλ_W = ∓ A_WW⁻¹ A_Wp        so that a_W stays zero and   Δa_p = ± d,   d = A_pp − A_pW A_WW⁻¹ A_Wp
//! ```
//!
//! until a_p = 0 (p joins W), or p is at its own bound, or a row of W comes to a bound: it blocks, leaves W, and p goes on. A
//! row of which nothing is left beside W (d ≤ 1e-9 A_pp) moves without changing any a, until something blocks. If nothing
//! does, the rows with Δλ ≠ 0 contradict each other, and Δλ is the proof: A Δλ = 0 and bᵀ Δλ < 0. What is maximised
//! rises with every step of some length, so no W comes twice; where steps have no length, Bland's rule of the least row takes over
//! after a while. This is the method of Goldfarb and Idnani 1983, written for A in the place of its square root.
//!
//! a is unique whenever there is an answer. λ is not where rows depend on each other: [`ActiveSet::unique`] tells row by row.

use super::cholesky::Cholesky;
use super::error::ComplementarityError;
use super::problem::{Group, Problem, floor};

/// A row is dependent when this part of its diagonal is left beside others.
pub(crate) const DEPENDENT: f64 = 1e-9;
/// A quadratic form is zero to this part of its terms.
const ROUNDING: f64 = 1e-14;
/// a is zero to this part of the terms that form it.
const ZERO: f64 = 1e-11;
/// A dependent row is content when it is off by this part of the terms of all rows involved.
const NOISE: f64 = 1e-12;
/// A dependent row that wants something else is a contradiction from here on, beside the terms of all rows involved.
const CONTRADICTION: f64 = 1e-9;
/// A state is called degenerate when neither a nor the distance of λ to its bound is beyond this part of the terms.
const DEGENERATE: f64 = 1e-10;

/// Where a row ended up.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RowState {
    /// a = 0, λ inside its bounds.
    Active,
    /// λ at its lower bound (zero for one-sided rows), a > 0.
    AtLo,
    /// λ at its upper bound, a < 0.
    AtHi,
    /// λ at a bound and a = 0.
    Degenerate,
}

/// Workspace and answer of the method.
#[derive(Clone, Debug, Default)]
pub struct ActiveSet {
    core: ActiveSetCore,
    /// For questions of uniqueness.
    probe: ActiveSetCore,
    states: Vec<RowState>,
    unique: Vec<bool>,
}

impl ActiveSet {
    /// An empty workspace.
    pub fn new() -> ActiveSet {
        ActiveSet::default()
    }

    /// Solves a problem of `Held`, `OneSided` and `Bounded` rows.
    pub fn solve(&mut self, problem: &Problem) -> Result<(), ComplementarityError> {
        problem.check_semidefinite()?;
        let k = problem.rows();
        self.states.clear();
        self.unique.clear();
        let core = &mut self.core;
        core.reset(k);
        for (row, &group) in problem.groups.iter().enumerate() {
            let (lo, hi) = match group {
                Group::Held => (f64::NEG_INFINITY, f64::INFINITY),
                Group::OneSided => (0.0, f64::INFINITY),
                Group::Bounded { lo, hi } => (lo, hi),
                _ => return Err(ComplementarityError::Unsupported { group: row }),
            };
            core.set_bounds(row, lo, hi);
            core.bias[row] = problem.bias[row];
            core.formed[row] = problem.size(row);
            core.diagonal[row] = problem.diagonal_formed(row);
            core.immovable[row] = problem.is_immovable(row);
        }
        core.run(problem.matrix)?;
        for row in 0..k {
            let state = core.state(problem.matrix, row);
            self.states.push(state);
        }
        Ok(())
    }

    /// λ.
    pub fn lambda(&self) -> &[f64] {
        &self.core.lambda
    }

    /// a = A λ + b.
    pub fn a(&self) -> &[f64] {
        &self.core.a
    }

    /// Per row, the size of the terms whose sum a is; at least 1e-5 of what it is for the largest row, in the metric of A.
    pub fn sizes(&self) -> &[f64] {
        &self.core.size
    }

    /// Where each row ended up.
    pub fn states(&self) -> &[RowState] {
        &self.states
    }

    /// Rows that were moved or left, all told.
    pub fn iterations(&self) -> usize {
        self.core.iterations
    }

    /// Whether λ of each row is the only one possible; of the problem solved last.
    ///
    /// With Z the rows where a = 0, λ_i may change iff there is z with A_ZZ z = 0 and z_i ≠ 0 that leads no row out of its
    /// bounds. A basis of the null space tells it if no row is at a bound. Otherwise, for z_i = ±1, the least ½ zᵀ A z within the
    /// bounds is a problem of the same kind, and λ_i is unique iff something remains of it.
    pub fn unique(&mut self, problem: &Problem) -> &[bool] {
        let k = self.states.len();
        if self.unique.len() == k || problem.rows() != k || problem.matrix.len() != k * k {
            return &self.unique;
        }
        self.unique.resize(k, true);
        let matrix = problem.matrix;
        let core = &self.core;
        let probe = &mut self.probe;
        probe.reset(k);
        let in_z = |row: usize| matches!(self.states[row], RowState::Active | RowState::Degenerate);
        let mut any_at_bound = false;
        for row in (0..k).filter(|&row| in_z(row)) {
            any_at_bound |= self.states[row] == RowState::Degenerate;
            if core.immovable[row] {
                self.unique[row] = false;
                continue;
            }
            let left = probe.factor.remainder(matrix, k, row);
            let own = matrix[row * k + row];
            if left > DEPENDENT * own {
                probe.factor.add_row(row, left);
                continue;
            }
            // e_row + answer is a null vector; rows are compared in the metric of A.
            probe.factor.answer(&mut probe.step);
            let mut longest = own.sqrt();
            for (&w, step) in probe.factor.rows.iter().zip(&probe.step) {
                let length = step.abs() * matrix[w * k + w].sqrt();
                longest = if length > longest { length } else { longest };
            }
            self.unique[row] = false;
            for (&w, step) in probe.factor.rows.iter().zip(&probe.step) {
                if step.abs() * matrix[w * k + w].sqrt() > 1e-7 * longest {
                    self.unique[w] = false;
                }
            }
        }
        if !any_at_bound {
            return &self.unique;
        }
        for row in 0..k {
            if self.unique[row] || core.immovable[row] && self.states[row] == RowState::Active {
                continue;
            }
            let stays = |probe: &mut ActiveSetCore, sign: f64| -> bool {
                probe.reset(k);
                for other in 0..k {
                    let (lo, hi) = match self.states[other] {
                        RowState::Active => (f64::NEG_INFINITY, f64::INFINITY),
                        RowState::AtLo | RowState::AtHi => (0.0, 0.0),
                        // λ at both bounds stays, at one may move away from it.
                        RowState::Degenerate if core.lo[other] == core.hi[other] => (0.0, 0.0),
                        RowState::Degenerate if core.is_near_lo(matrix, other) => (0.0, f64::INFINITY),
                        RowState::Degenerate => (f64::NEG_INFINITY, 0.0),
                    };
                    if other == row && !(lo <= sign && sign <= hi) {
                        return true;
                    }
                    let (lo, hi) = if other == row { (sign, sign) } else { (lo, hi) };
                    probe.set_bounds(other, lo, hi);
                    probe.bias[other] = 0.0;
                    probe.formed[other] = 0.0;
                    probe.diagonal[other] = core.diagonal[other];
                    probe.immovable[other] = core.immovable[other];
                }
                // zᵀ A z = z_i a_i, since all others are complementary.
                core.immovable[row] || probe.run(matrix).is_err() || {
                    sign * probe.a[row] > DEPENDENT * matrix[row * k + row]
                }
            };
            self.unique[row] = stays(probe, 1.0) && stays(probe, -1.0);
        }
        &self.unique
    }
}

/// The method itself, for rows that are bounds and numbers.
#[derive(Clone, Debug, Default)]
struct ActiveSetCore {
    lo: Vec<f64>,
    hi: Vec<f64>,
    bias: Vec<f64>,
    /// The size of what formed b.
    formed: Vec<f64>,
    /// The size of what formed A_ii.
    diagonal: Vec<f64>,
    /// Rows that nothing moves.
    immovable: Vec<bool>,
    lambda: Vec<f64>,
    a: Vec<f64>,
    /// The size of the terms that form a.
    size: Vec<f64>,
    /// Rows in W.
    inside: Vec<bool>,
    /// Dependent rows that are off by less than a contradiction.
    ignored: Vec<bool>,
    factor: Cholesky,
    step: Vec<f64>,
    iterations: usize,
}

impl ActiveSetCore {
    fn reset(&mut self, k: usize) {
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
    fn set_bounds(&mut self, row: usize, lo: f64, hi: f64) {
        (self.lo[row], self.hi[row]) = (lo, hi);
        self.lambda[row] = if lo > 0.0 {
            lo
        } else if hi < 0.0 {
            hi
        } else {
            0.0
        };
    }

    fn is_near_lo(&self, matrix: &[f64], row: usize) -> bool {
        (self.lambda[row] - self.lo[row]) * matrix[row * self.lo.len() + row] <= DEGENERATE * self.size[row]
    }

    fn state(&self, matrix: &[f64], row: usize) -> RowState {
        let own = matrix[row * self.lo.len() + row];
        let near_lo = self.is_near_lo(matrix, row);
        let near_hi = (self.hi[row] - self.lambda[row]) * own <= DEGENERATE * self.size[row];
        if self.immovable[row] {
            // Nothing moves it: λ stays where it was put.
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

    /// Which way λ of a row has to go: ±1, or 0 where the row is content.
    fn wants(&self, row: usize) -> f64 {
        let tolerance = ZERO * self.size[row];
        if self.a[row] < -tolerance && self.lambda[row] < self.hi[row] {
            1.0
        } else if self.a[row] > tolerance && self.lambda[row] > self.lo[row] {
            -1.0
        } else {
            0.0
        }
    }

    /// The row to move next: equalities first, then by a² / A_ii; in `plain` order the least row.
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

    fn run(&mut self, matrix: &[f64]) -> Result<(), ComplementarityError> {
        let k = self.lo.len();
        let (plain_after, cap) = (10 * k + 50, 100 * k + 500);
        let (mut polished, mut rebased) = (0, 0);
        self.evaluate(matrix);
        loop {
            self.finite()?;
            let Some(p) = self.next(matrix, self.iterations > plain_after) else {
                // a_W is zero to rounding only after a look at what is left of it.
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

    /// Moves row p until it is content.
    fn advance(&mut self, matrix: &[f64], p: usize) -> Result<(), ComplementarityError> {
        let k = self.lo.len();
        let sign = self.wants(p);
        let own = matrix[p * k + p];
        let mut off = self.a[p].abs();
        loop {
            self.iterations += 1;
            let left = self.factor.remainder(matrix, k, p);
            let dependent =
                self.immovable[p] || left <= DEPENDENT * own || left <= ROUNDING * self.diagonal[p];
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
                    // Rounding: the row was content just when another blocked.
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

    /// Δλᵀ A Δλ where row p pushes with 1, if that is more than rounding of its terms: what nearly depends, and would
    /// contradict others, may still be free to move.
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

    /// What a row that depends on W is known beside, since none of these is zero exactly.
    fn terms(&self, p: usize) -> f64 {
        let mut terms = self.size[p];
        for (&row, step) in self.factor.rows.iter().zip(&self.step) {
            terms += step.abs() * self.size[row];
        }
        terms
    }

    /// Nothing blocks a dependent row: the rows that it depends on want something else.
    fn contradiction(&self, matrix: &[f64], p: usize) -> Result<(), ComplementarityError> {
        let k = self.lo.len();
        let mut longest = matrix[p * k + p].abs().sqrt();
        for (&row, step) in self.factor.rows.iter().zip(&self.step) {
            let length = step.abs() * matrix[row * k + row].sqrt();
            longest = if length > longest { length } else { longest };
        }
        let mut rows = vec![p];
        for (&row, step) in self.factor.rows.iter().zip(&self.step) {
            if step.abs() * matrix[row * k + row].sqrt() > 1e-7 * longest {
                rows.push(row);
            }
        }
        rows.sort_unstable();
        Err(ComplementarityError::Infeasible { rows })
    }

    /// One round of refinement of a_W = 0. Whether there was anything to refine.
    fn polish(&mut self, matrix: &[f64]) -> bool {
        let rows = &self.factor.rows;
        if rows.iter().all(|&row| self.a[row].abs() <= 0.01 * ZERO * self.size[row]) {
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

    /// Solves for the best conditioned of the rows that are zero, in the place of those that came first.
    ///
    /// A row p = Σ r_j j of W with large r_j is zero only to |r| times rounding. The other way round nothing is amplified, so rows
    /// are taken by what is left of them, the most first.
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
        // Toward a_W = 0, without leaving any bounds: what blocks leaves W.
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

    /// What the worst row is off by, beside its terms.
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

/// How many steps λ may go before it comes to a bound.
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
