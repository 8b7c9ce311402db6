//! Linear complementarity with a matrix of any kind: Lemke's method with lexicographic pivoting.
//!
//! ```text
//! w = M z + q,   w ≥ 0 ⟂ z ≥ 0
//! ```
//!
//! A sliding row also acts along its tangent (K ≠ Jᵀ); A is then not symmetric and may have negative minors:
//! there may be no solution, or several (Painlevé). The method follows the path of solutions of w = M z + d
//! z₀ + q with d > 0, from a large z₀ on; where z₀ reaches zero, a solution is found. If the path runs to
//! infinity (a *ray*), none is found; for semidefinite and for copositive-plus M that proves that there is
//! none.
//!
//! `Held` rows are eliminated first, λ_h = −A_hh⁻¹ (A_hr λ_r + b_h). λ = lo + z (or hi − z) makes a bounded
//! row one-sided, and a second bound is one more row, u = hi − lo − z ⟂ v with a = w − v. Rows and columns
//! are scaled to size one; pivots and ties are judged relative to that. Ties are broken by the lexicographic
//! rule (the basis inverse, row by row), so that no basis occurs twice. In the end the rows with λ ≠ 0 are
//! solved for from the original numbers.

use super::error::ComplementarityError;
use super::problem::{Group, Problem, floor};

/// A pivot is zero, and ratios tie, at this size relative to 1, the size of scaled entries: 1e5 roundings.
const ZERO: f64 = 1e-11;

/// Where Lemke's path led.
#[must_use = "there may be no answer"]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LemkeOutcome {
    /// To a solution.
    Solved,
    /// To infinity: no solution found; λ is zero.
    Ray,
}

/// Workspace and solution.
#[derive(Clone, Debug, Default)]
pub struct Lemke {
    lambda: Vec<f64>,
    a: Vec<f64>,
    pivots: usize,
    residual: f64,
    held: Vec<usize>,
    /// Rows that are not held; then A and b of these.
    rest: Vec<usize>,
    reduced: Vec<f64>,
    bias: Vec<f64>,
    /// [A_hh | A_hr | b_h] while eliminating, then A_hh⁻¹ times the rest.
    solved: Vec<f64>,
    size_held: Vec<f64>,
    /// Per unknown of the LCP.
    unknowns: Vec<Unknown>,
    scale: Vec<f64>,
    tableau: Vec<f64>,
    basis: Vec<usize>,
    z: Vec<f64>,
    system: Vec<f64>,
    pushing: Vec<usize>,
    sizes: Vec<f64>,
    diagonal: Vec<f64>,
}

/// What z stands for.
#[derive(Copy, Clone, Debug)]
enum Unknown {
    /// λ = from + sign × z of a row of the reduced problem.
    Row { row: usize, from: f64, sign: f64 },
    /// The multiplier at the second bound, `room` away, of an unknown.
    Far { of: usize, room: f64, bound: f64 },
}

impl Lemke {
    /// An empty workspace.
    pub fn new() -> Lemke {
        Lemke::default()
    }

    /// Solves a problem of `Held`, `OneSided` and `Bounded` rows, A of any kind.
    pub fn solve(&mut self, problem: &Problem) -> Result<LemkeOutcome, ComplementarityError> {
        problem.check()?;
        let k = problem.rows();
        self.lambda.clear();
        self.lambda.resize(k, 0.0);
        self.a.clear();
        self.a.extend_from_slice(problem.bias);
        self.pivots = 0;
        self.residual = f64::INFINITY;
        self.eliminate_held(problem)?;
        self.name_unknowns(problem)?;
        self.fill_tableau();
        let path = self.follow()?;
        if path == LemkeOutcome::Solved {
            self.write(problem)?;
        }
        Ok(path)
    }

    /// λ; zero after a ray.
    pub fn lambda(&self) -> &[f64] {
        &self.lambda
    }

    /// a = A λ + b.
    pub fn a(&self) -> &[f64] {
        &self.a
    }

    /// Number of pivots.
    pub fn pivots(&self) -> usize {
        self.pivots
    }

    /// Worst violation of a row's conditions, relative to the size of its terms; infinite after a ray.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// Eliminates the held rows by Gaussian elimination with row pivoting.
    fn eliminate_held(&mut self, problem: &Problem) -> Result<(), ComplementarityError> {
        let k = problem.rows();
        self.held.clear();
        self.rest.clear();
        for (row, &group) in problem.groups.iter().enumerate() {
            match group {
                Group::Held => self.held.push(row),
                Group::Bounded { lo, hi } if lo == f64::NEG_INFINITY && hi == f64::INFINITY => {
                    self.held.push(row);
                }
                Group::OneSided | Group::Bounded { .. } => self.rest.push(row),
                _ => return Err(ComplementarityError::Unsupported { group: row }),
            }
        }
        let (h, r) = (self.held.len(), self.rest.len());
        let width = h + r + 1;
        let at = |i: usize, j: usize| problem.matrix[i * k + j];
        self.solved.clear();
        self.size_held.clear();
        for &row in &self.held {
            let start = self.solved.len();
            self.solved.extend(self.held.iter().chain(&self.rest).map(|&column| at(row, column)));
            let size = self.solved[start..].iter().fold(0.0, |s, v| if v.abs() > s { v.abs() } else { s });
            self.size_held.push(size);
            self.solved.push(problem.bias[row]);
        }
        for c in 0..h {
            let mut best = c;
            for i in c + 1..h {
                if self.solved[i * width + c].abs() * self.size_held[best]
                    > self.solved[best * width + c].abs() * self.size_held[i]
                {
                    best = i;
                }
            }
            let pivot = self.solved[best * width + c].abs();
            if pivot <= ZERO * self.size_held[best] || pivot.is_nan() {
                // The row depends on the others, or no impulse moves it.
                return Err(ComplementarityError::Infeasible { rows: vec![self.held[c]] });
            }
            for j in 0..width {
                self.solved.swap(c * width + j, best * width + j);
            }
            self.size_held.swap(c, best);
            let pivot = self.solved[c * width + c];
            for j in c..width {
                self.solved[c * width + j] /= pivot;
            }
            for i in (0..h).filter(|&i| i != c) {
                let factor = self.solved[i * width + c];
                if factor != 0.0 {
                    for j in c..width {
                        self.solved[i * width + j] -= factor * self.solved[c * width + j];
                    }
                }
            }
        }
        self.reduced.clear();
        self.bias.clear();
        for &row in &self.rest {
            for (j, &column) in self.rest.iter().enumerate() {
                let mut sum = at(row, column);
                for (i, &held) in self.held.iter().enumerate() {
                    sum -= at(row, held) * self.solved[i * width + h + j];
                }
                self.reduced.push(sum);
            }
            let mut sum = problem.bias[row];
            for (i, &held) in self.held.iter().enumerate() {
                sum -= at(row, held) * self.solved[i * width + h + r];
            }
            self.bias.push(sum);
        }
        Ok(())
    }

    fn name_unknowns(&mut self, problem: &Problem) -> Result<(), ComplementarityError> {
        self.unknowns.clear();
        for (row, &from) in self.rest.iter().enumerate() {
            let (lo, hi) = match problem.groups[from] {
                Group::Bounded { lo, hi } => (lo, hi),
                _ => (0.0, f64::INFINITY),
            };
            let (from, sign) = if lo > f64::NEG_INFINITY { (lo, 1.0) } else { (hi, -1.0) };
            self.unknowns.push(Unknown::Row { row, from, sign });
            if lo > f64::NEG_INFINITY && hi < f64::INFINITY {
                let of = self.unknowns.len() - 1;
                self.unknowns.push(Unknown::Far { of, room: hi - lo, bound: hi });
            }
        }
        let n = self.unknowns.len();
        match n.checked_mul(2 * n + 2) {
            Some(_) => Ok(()),
            None => Err(ComplementarityError::Shape { what: "the problem", expected: 0, found: n }),
        }
    }

    /// M_ij of the LCP, before scaling.
    fn entry(&self, i: usize, j: usize) -> f64 {
        let r = self.rest.len();
        match (self.unknowns[i], self.unknowns[j]) {
            (Unknown::Row { row, sign, .. }, Unknown::Row { row: column, sign: other, .. }) => {
                sign * self.reduced[row * r + column] * other
            }
            // a = w − v, with the sign of the unknown: w = sign a + v.
            (Unknown::Row { .. }, Unknown::Far { of, .. }) => {
                if of == i {
                    1.0
                } else {
                    0.0
                }
            }
            // u = room − z.
            (Unknown::Far { of, .. }, Unknown::Row { .. }) => {
                if of == j {
                    -1.0
                } else {
                    0.0
                }
            }
            (Unknown::Far { .. }, Unknown::Far { .. }) => 0.0,
        }
    }

    /// q of the LCP, before scaling.
    fn constant(&self, i: usize) -> f64 {
        let r = self.rest.len();
        match self.unknowns[i] {
            Unknown::Row { row, sign, .. } => {
                let mut sum = self.bias[row];
                for unknown in &self.unknowns {
                    if let &Unknown::Row { row: column, from, .. } = unknown {
                        sum += self.reduced[row * r + column] * from;
                    }
                }
                sign * sum
            }
            Unknown::Far { room, .. } => room,
        }
    }

    /// Columns: n of w, n of z, z₀, the constant. Rows: w − M z − d z₀ = q, scaled.
    fn fill_tableau(&mut self) {
        let n = self.unknowns.len();
        self.scale.clear();
        for i in 0..n {
            let scale = match self.unknowns[i] {
                Unknown::Row { .. } => {
                    let own = self.entry(i, i).abs();
                    let most = (0..n).filter(|&j| matches!(self.unknowns[j], Unknown::Row { .. })).fold(
                        own,
                        |most, j| if self.entry(i, j).abs() > most { self.entry(i, j).abs() } else { most },
                    );
                    // A diagonal entry far below the others of its row does not determine its scale.
                    let size = if own > 1e-6 * most { own } else { most };
                    if size > 0.0 { 1.0 / size.sqrt() } else { 1.0 }
                }
                // Scaled so that its entries are ±1.
                Unknown::Far { of, .. } => 1.0 / self.scale[of],
            };
            self.scale.push(if scale > 0.0 && scale.is_finite() { scale } else { 1.0 });
        }
        let width = 2 * n + 2;
        self.tableau.clear();
        self.tableau.resize(n * width, 0.0);
        let mut most = 0.0;
        for i in 0..n {
            for j in 0..n {
                let entry = self.scale[i] * self.entry(i, j) * self.scale[j];
                self.tableau[i * width + n + j] = -entry;
            }
            let constant = self.scale[i] * self.constant(i);
            most = if constant.abs() > most { constant.abs() } else { most };
            self.tableau[i * width + i] = 1.0;
            self.tableau[i * width + 2 * n] = -1.0;
            self.tableau[i * width + 2 * n + 1] = constant;
        }
        // Constants in units of the largest.
        if most > 0.0 {
            for i in 0..n {
                self.tableau[i * width + 2 * n + 1] /= most;
            }
        }
        self.basis.clear();
        self.basis.extend(0..n);
    }

    /// Follows the path. Afterwards the basis has the solution.
    fn follow(&mut self) -> Result<LemkeOutcome, ComplementarityError> {
        let n = self.unknowns.len();
        let width = 2 * n + 2;
        let constant = 2 * n + 1;
        let mut worst: Option<usize> = None;
        for i in 0..n {
            let value = self.tableau[i * width + constant];
            if value < worst.map_or(-ZERO, |w| self.tableau[w * width + constant]) {
                worst = Some(i);
            }
        }
        let Some(mut row) = worst else { return Ok(LemkeOutcome::Solved) };
        let mut entering = 2 * n;
        let cap = 200 * (n + 10);
        loop {
            let leaving = self.basis[row];
            self.exchange(row, entering);
            self.pivots += 1;
            if leaving == 2 * n {
                return Ok(LemkeOutcome::Solved);
            }
            if self.pivots > cap {
                return Err(ComplementarityError::Stalled {
                    iterations: self.pivots,
                    residual: f64::INFINITY,
                });
            }
            // The complement of the leaving unknown enters next.
            entering = if leaving < n { leaving + n } else { leaving - n };
            match self.ratio(entering) {
                Some(next) => row = next,
                None => return Ok(LemkeOutcome::Ray),
            }
        }
    }

    /// The row that blocks the entering unknown first: least (constant, B⁻¹) / entry, lexicographically; z₀
    /// if it is among the ties.
    fn ratio(&self, entering: usize) -> Option<usize> {
        let n = self.unknowns.len();
        let width = 2 * n + 2;
        let constant = 2 * n + 1;
        let mut best: Option<usize> = None;
        for i in 0..n {
            let entry = self.tableau[i * width + entering];
            if entry <= ZERO || entry.is_nan() {
                continue;
            }
            let Some(b) = best else {
                best = Some(i);
                continue;
            };
            let other = self.tableau[b * width + entering];
            let mut order =
                self.tableau[i * width + constant] / entry - self.tableau[b * width + constant] / other;
            if order.abs() <= ZERO {
                if self.basis[b] == 2 * n {
                    continue;
                }
                if self.basis[i] == 2 * n {
                    best = Some(i);
                    continue;
                }
                order = 0.0;
                for j in 0..n {
                    let difference =
                        self.tableau[i * width + j] / entry - self.tableau[b * width + j] / other;
                    if difference.abs() > ZERO {
                        order = difference;
                        break;
                    }
                }
            }
            if order < 0.0 {
                best = Some(i);
            }
        }
        best
    }

    fn exchange(&mut self, row: usize, entering: usize) {
        let n = self.unknowns.len();
        let width = 2 * n + 2;
        let pivot = self.tableau[row * width + entering];
        for j in 0..width {
            self.tableau[row * width + j] /= pivot;
        }
        for i in (0..n).filter(|&i| i != row) {
            let factor = self.tableau[i * width + entering];
            if factor == 0.0 {
                continue;
            }
            for j in 0..width {
                self.tableau[i * width + j] -= factor * self.tableau[row * width + j];
            }
        }
        self.basis[row] = entering;
    }

    /// Computes λ of the basis from the original numbers.
    fn write(&mut self, problem: &Problem) -> Result<(), ComplementarityError> {
        let n = self.unknowns.len();
        self.pushing.clear();
        self.pushing.extend((0..n).filter(|&j| self.basis.contains(&(n + j))));
        let count = self.pushing.len();
        let width = count + 1;
        self.system.clear();
        for i in 0..count {
            for j in 0..count {
                let (row, column) = (self.pushing[i], self.pushing[j]);
                let entry = self.scale[row] * self.entry(row, column) * self.scale[column];
                self.system.push(entry);
            }
            let row = self.pushing[i];
            let constant = -self.scale[row] * self.constant(row);
            self.system.push(constant);
        }
        for c in 0..count {
            let mut best = c;
            for i in c + 1..count {
                if self.system[i * width + c].abs() > self.system[best * width + c].abs() {
                    best = i;
                }
            }
            for j in 0..width {
                self.system.swap(c * width + j, best * width + j);
            }
            let pivot = self.system[c * width + c];
            for i in c + 1..count {
                let factor = self.system[i * width + c] / pivot;
                for j in c..width {
                    self.system[i * width + j] -= factor * self.system[c * width + j];
                }
            }
        }
        self.z.clear();
        self.z.resize(n, 0.0);
        for c in (0..count).rev() {
            let mut sum = self.system[c * width + count];
            for j in c + 1..count {
                sum -= self.system[c * width + j] * self.z[self.pushing[j]];
            }
            self.z[self.pushing[c]] = sum / self.system[c * width + c];
        }
        for (index, &unknown) in self.unknowns.iter().enumerate() {
            if let Unknown::Row { row, from, sign } = unknown {
                let z = self.scale[index] * self.z[index];
                self.lambda[self.rest[row]] = from + sign * if z > 0.0 { z } else { 0.0 };
            }
        }
        // Exactly at the second bound, not by rounding of z.
        for (index, &unknown) in self.unknowns.iter().enumerate() {
            if let Unknown::Far { of, bound, .. } = unknown
                && self.z[index] > 0.0
                && let Unknown::Row { row, .. } = self.unknowns[of]
            {
                self.lambda[self.rest[row]] = bound;
            }
        }
        let (h, r) = (self.held.len(), self.rest.len());
        for (i, &held) in self.held.iter().enumerate() {
            let solved = &self.solved[i * (h + r + 1)..][..h + r + 1];
            let mut sum = -solved[h + r];
            for (j, &row) in self.rest.iter().enumerate() {
                sum -= solved[h + j] * self.lambda[row];
            }
            self.lambda[held] = sum;
        }
        self.judge(problem)
    }

    /// Computes a and the residual of the conditions.
    fn judge(&mut self, problem: &Problem) -> Result<(), ComplementarityError> {
        let k = problem.rows();
        self.sizes.clear();
        self.diagonal.clear();
        for row in 0..k {
            let (mut a, mut size) = (problem.bias[row], problem.size(row));
            for (entry, lambda) in problem.matrix[row * k..][..k].iter().zip(&self.lambda) {
                a += entry * lambda;
                size += (entry * lambda).abs();
            }
            // λ = bound ± z is known to the rounding of the bound.
            for unknown in &self.unknowns {
                if let &Unknown::Row { row: column, from, .. } = unknown {
                    size += (problem.matrix[row * k + self.rest[column]] * from).abs();
                }
            }
            if !size.is_finite() {
                return Err(ComplementarityError::NotFinite { what: "the answer", row });
            }
            self.a[row] = a;
            self.sizes.push(size);
            self.diagonal.push(problem.diagonal_formed(row));
        }
        floor(&self.diagonal, &mut self.sizes);
        self.residual = 0.0;
        for row in 0..k {
            let (lo, hi) = match problem.groups[row] {
                Group::OneSided => (0.0, f64::INFINITY),
                Group::Bounded { lo, hi } => (lo, hi),
                _ => (f64::NEG_INFINITY, f64::INFINITY),
            };
            let (a, lambda) = (self.a[row], self.lambda[row]);
            // a relative to how far λ is from the bound that allows it.
            let room = if a > 0.0 { lambda - lo } else { hi - lambda };
            let off = if a == 0.0 { 0.0 } else { room * problem.matrix[row * k + row].abs() };
            let off = if a.abs() < off { a.abs() } else { off };
            if off > self.residual * self.sizes[row] {
                self.residual = off / self.sizes[row];
            }
        }
        Ok(())
    }
}
