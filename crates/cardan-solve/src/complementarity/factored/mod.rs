//! Contacts of one mechanism: A = C Cᵀ is given by its factor, and Newton's method has the size of its rank.
//!
//! The bodies of a mechanism that are touched move with v = v_free + G Jᵀ λ, where G is the inverse inertia of
//! these bodies with all joints held, 6 × 6 for each pair of them. G is singular where joints take freedoms
//! away; with G = B Bᵀ and C = J B
//!
//! ```text
//! a = C z + b,   z = Cᵀ λ                 C: rows × rank; many rows may act through few columns
//! ```
//!
//! so that sixteen contacts on two feet are a problem of twelve unknowns z. The conditions are those of the
//! [module above](super). In turn:
//!
//! 1. Newton's method on the map of Alart and Curnier (`newton.rs`), first in whole steps from the guess, then with a
//!    line search, then from some sweeps of Gauss–Seidel;
//! 2. the proximal point method on λ with De Saxcé's shift (`proximal.rs`), and Newton's method from where it leads;
//! 3. [`ConeSolver`] with the dense A, also for `Scaled` rows.
//!
//! No system is singular, whatever rows depend on each other.

mod body_rows;
mod lu;
mod newton;
mod proximal;
mod scaled;
#[cfg(test)]
mod tests;

use super::cones::{ConeSolver, Method};
use super::error::ComplementarityError;
use super::problem::{Group, Problem};
use body_rows::{NO_BODY, SIX};
use scaled::FactoredRows;

/// a = C Cᵀ λ + b, and the conditions on its rows.
#[derive(Copy, Clone, Debug)]
pub struct FactoredProblem<'a> {
    /// In the order of rows.
    pub groups: &'a [Group],
    /// C, row by row, of groups that act on no body of `body_rows`.
    pub factor: &'a [f64],
    /// Number of columns of C.
    pub rank: usize,
    /// b.
    pub bias: &'a [f64],
    /// C = J B of the other groups; by default there are none.
    pub body_rows: BodyRows<'a>,
}

/// Rows that act through the numbers of a body: C = J B. It pays for bodies with more rows than numbers.
#[derive(Copy, Clone, Debug, Default)]
pub struct BodyRows<'a> {
    /// B, row by row, with as many columns as C.
    pub lines: &'a [f64],
    /// Of each body its first row of B, and how many it has: six at most.
    pub bodies: &'a [(u32, u32)],
    /// The body of each group, or [`BodyRows::NONE`]; empty if no group has one.
    pub of_group: &'a [u32],
    /// J of the rows of groups with a body; zero beyond the rows of B.
    pub jacobian: &'a [[f64; 6]],
}

impl BodyRows<'_> {
    /// The body of a group with rows of its own.
    pub const NONE: u32 = NO_BODY;

    /// The body of a group: its first row of B, and how many it has.
    fn body(&self, group: usize) -> Option<(usize, usize)> {
        let body = *self.of_group.get(group)?;
        self.bodies.get(body as usize).map(|(first, count)| (*first as usize, *count as usize))
    }

    /// Checks shapes. Returns the rows with a body.
    fn check(&self, groups: &[Group], rank: usize) -> Result<usize, ComplementarityError> {
        let shape = |what, expected, found| Err(ComplementarityError::Shape { what, expected, found });
        if !self.of_group.is_empty() && self.of_group.len() != groups.len() {
            return shape("the list of bodies", groups.len(), self.of_group.len());
        }
        let mut rows = 0;
        for (&body, group) in self.of_group.iter().zip(groups) {
            match self.bodies.get(body as usize) {
                None if body == NO_BODY => continue,
                None => return shape("the list of blocks", body as usize + 1, self.bodies.len()),
                Some(_) => rows += group.rows(),
            }
        }
        for &(first, count) in self.bodies {
            let end = (first as usize + count as usize).checked_mul(rank);
            if count as usize > SIX || end.is_none_or(|end| end > self.lines.len()) {
                return shape("the rows of a body", SIX, count as usize);
            }
        }
        if self.jacobian.len() != rows {
            return shape("the Jacobian of bodies", rows, self.jacobian.len());
        }
        Ok(rows)
    }
}

impl FactoredProblem<'_> {
    /// Checks shapes, b and groups; [`FactoredRows::take`] checks the numbers of C.
    fn check(&self) -> Result<(), ComplementarityError> {
        let rows: usize = self.groups.iter().map(|group| group.rows()).sum();
        let shape = |what, expected, found| Err(ComplementarityError::Shape { what, expected, found });
        if self.bias.len() != rows {
            return shape("the bias", rows, self.bias.len());
        }
        let own = rows - self.body_rows.check(self.groups, self.rank)?;
        if Some(self.factor.len()) != own.checked_mul(self.rank) {
            return shape("the factor", own.saturating_mul(self.rank), self.factor.len());
        }
        if let Some(row) = self.bias.iter().position(|b| !b.is_finite()) {
            return Err(ComplementarityError::NotFinite { what: "the bias", row });
        }
        // The conditions themselves are those of a problem without a matrix.
        Problem::new(self.groups, &[], self.bias).check_groups()
    }
}

/// How a solution was found, and its quality.
#[must_use = "the answer may not have reached the tolerance"]
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct FactoredOutcome {
    /// The residual of the natural map, relative to the largest impulse or bias, in the metric of A.
    pub residual: f64,
    /// Whether the residual is within the tolerance.
    pub converged: bool,
    /// Updates of λ.
    pub updates: usize,
    /// Linear systems solved by Newton's method.
    pub newton_steps: usize,
    /// The method that finished, if it was that of another solver.
    pub other: Option<Method>,
}

/// Workspace and solution.
#[derive(Clone, Debug)]
pub struct FactoredCones {
    /// Residual to reach.
    pub tolerance: f64,
    /// Most Newton steps before another solver is asked.
    pub newton_steps: usize,
    rows: FactoredRows,
    newton: newton::RankNewton,
    proximal: proximal::ProximalPoint,
    best: Vec<f64>,
    lambda: Vec<f64>,
    a: Vec<f64>,
    other: ConeSolver,
    matrix: Vec<f64>,
    dense: Vec<f64>,
}

impl Default for FactoredCones {
    fn default() -> FactoredCones {
        FactoredCones {
            tolerance: 1e-9,
            newton_steps: 120,
            rows: FactoredRows::default(),
            newton: newton::RankNewton::default(),
            proximal: proximal::ProximalPoint::default(),
            best: Vec::new(),
            lambda: Vec::new(),
            a: Vec::new(),
            other: ConeSolver::new(),
            matrix: Vec::new(),
            dense: Vec::new(),
        }
    }
}

/// ρ of the proximal point method in units of 1 / A_ii: the first one of each round, and its bounds.
const FIRST_WEIGHTS: [f64; 4] = [10.0, 30.0, 100.0, 300.0];
const WEIGHTS: (f64, f64) = (1.0, 1e5);
/// Most Newton steps of a round of the proximal point method.
const PROXIMAL_STEPS: usize = 20;
/// Sweeps of Gauss–Seidel before Newton's method.
const SWEEPS: usize = 10;
/// Most steps of Newton's method from one start, and most of them that gain little.
const NEWTON_STEPS: usize = 15;
const SLOW_STEPS: usize = 4;
/// Most steps of Newton's method without a line search from a guess.
const WHOLE_STEPS: usize = 5;
/// Residual of a guess from which Newton's method starts without sweeps.
const NEAR: f64 = 0.1;

impl FactoredCones {
    /// An empty workspace, tolerance 1e-9.
    pub fn new() -> FactoredCones {
        FactoredCones::default()
    }

    /// Solves a problem, from zero or from a guess of λ; a guess of another length or that is not finite is
    /// ignored.
    pub fn solve(
        &mut self,
        problem: &FactoredProblem,
        guess: Option<&[f64]>,
    ) -> Result<FactoredOutcome, ComplementarityError> {
        problem.check()?;
        let guess = guess
            .filter(|guess| guess.len() == problem.bias.len() && guess.iter().all(|value| value.is_finite()));
        let mut outcome = FactoredOutcome {
            residual: f64::INFINITY,
            converged: false,
            updates: 0,
            newton_steps: 0,
            other: None,
        };
        // Where nothing moves a guess would stay.
        if let Some(row) = self.rows.take(problem, guess.filter(|_| problem.rank > 0)) {
            return Err(ComplementarityError::NotFinite { what: "the factor", row });
        }
        if problem.groups.iter().any(|group| matches!(group, Group::Scaled { .. })) {
            self.solve_otherwise(problem, guess, &mut outcome)?;
            return Ok(outcome);
        }
        self.iterate(problem, &mut outcome);
        if self.rows.y != self.best {
            self.restart();
        }
        self.rows.write(&mut self.lambda, &mut self.a);
        if !outcome.converged && problem.rank > 0 {
            let start = std::mem::take(&mut self.lambda);
            let (residual, a) = (outcome.residual, std::mem::take(&mut self.a));
            self.solve_otherwise(problem, Some(&start), &mut outcome)?;
            // Both are judged by one residual.
            self.rows.load(&self.lambda);
            outcome.residual = self.rows.residual();
            outcome.converged = outcome.residual <= self.tolerance;
            if residual <= outcome.residual {
                (self.lambda, self.a, outcome.residual, outcome.other) = (start, a, residual, None);
                outcome.converged = residual <= self.tolerance;
            }
        }
        Ok(outcome)
    }

    /// λ.
    pub fn lambda(&self) -> &[f64] {
        &self.lambda
    }

    /// a = C Cᵀ λ + b.
    pub fn a(&self) -> &[f64] {
        &self.a
    }

    /// The methods in turn, until the tolerance is reached; the best y is kept.
    fn iterate(&mut self, problem: &FactoredProblem, outcome: &mut FactoredOutcome) {
        let FactoredRows { rank, y, groups, .. } = &self.rows;
        self.newton.begin(*rank, y.len(), groups.len());
        self.proximal.begin(*rank, y.len());
        self.best.clear();
        self.best.extend_from_slice(y);
        let residual = self.note(outcome);
        if self.rows.rank == 0 {
            // Nothing moves.
            outcome.converged = outcome.residual <= self.tolerance;
            return;
        }
        if residual < NEAR {
            let residual = self.run_whole_steps(residual, outcome);
            self.run_newton(residual, outcome);
        }
        if self.is_done(outcome) {
            return;
        }
        self.rows.complete(problem);
        self.sweeps();
        let residual = self.note(outcome);
        self.run_newton(residual, outcome);
        for weight in FIRST_WEIGHTS {
            if self.is_done(outcome) {
                return;
            }
            self.restart();
            self.run_proximal(weight, outcome);
            if self.is_done(outcome) {
                return;
            }
            self.sweeps();
            self.run_newton(self.rows.residual(), outcome);
        }
        outcome.converged = outcome.residual <= self.tolerance;
    }

    fn is_done(&self, outcome: &mut FactoredOutcome) -> bool {
        outcome.converged = outcome.residual <= self.tolerance;
        outcome.converged || outcome.residual.is_nan() || outcome.newton_steps >= self.newton_steps
    }

    /// Continues from the best y.
    fn restart(&mut self) {
        self.rows.y.copy_from_slice(&self.best);
        self.rows.evaluate();
    }

    fn sweeps(&mut self) {
        for _ in 0..SWEEPS {
            self.rows.sweep();
        }
        self.rows.evaluate();
    }

    /// The residual of the present y, which is kept if it is the best.
    fn note(&mut self, outcome: &mut FactoredOutcome) -> f64 {
        let residual = self.rows.residual();
        if residual < outcome.residual || outcome.residual == f64::INFINITY {
            outcome.residual = residual;
            self.best.copy_from_slice(&self.rows.y);
        }
        residual
    }

    /// Whole steps of Newton's method from a guess, whose residual is `last`: contacts that change from sticking to
    /// sliding make F larger before it vanishes, so that a line search would stop them. Returns the residual of the
    /// best y, which is the present one then.
    fn run_whole_steps(&mut self, last: f64, outcome: &mut FactoredOutcome) -> f64 {
        if last <= self.tolerance {
            return last;
        }
        for _ in 0..WHOLE_STEPS {
            if !self.newton.whole_step(&mut self.rows, &mut outcome.newton_steps) {
                break;
            }
            if self.note(outcome) <= self.tolerance {
                return outcome.residual;
            }
        }
        self.restart();
        outcome.residual
    }

    /// Newton's method from the present y, whose residual is `last`.
    fn run_newton(&mut self, mut last: f64, outcome: &mut FactoredOutcome) {
        let mut slow = 0;
        for _ in 0..NEWTON_STEPS {
            if last <= self.tolerance || !self.newton.step(&mut self.rows, &mut outcome.newton_steps) {
                return;
            }
            let residual = self.note(outcome);
            slow = if residual > 0.9 * last { slow + 1 } else { 0 };
            if slow > SLOW_STEPS {
                return;
            }
            last = residual;
        }
    }

    fn run_proximal(&mut self, mut weight: f64, outcome: &mut FactoredOutcome) {
        let last = outcome.newton_steps + PROXIMAL_STEPS;
        let mut idle = 0;
        while outcome.newton_steps < last {
            let before = outcome.residual;
            let solved = self.proximal.solve(&mut self.rows, weight, last, &mut outcome.newton_steps);
            outcome.updates += 1;
            self.rows.y.copy_from_slice(&self.proximal.projected);
            self.rows.evaluate();
            self.note(outcome);
            if self.is_done(outcome) {
                return;
            }
            idle = if outcome.residual > 0.5 * before { idle + 1 } else { 0 };
            if idle > 2 {
                return;
            }
            weight *= match solved {
                proximal::Solved::Coulomb { steps } if steps <= 4 => 4.0,
                proximal::Solved::Coulomb { .. } => 1.0,
                proximal::Solved::Convex => 0.3,
            };
            weight = scaled::clamp(weight, WEIGHTS.0, WEIGHTS.1);
        }
    }

    /// Solves with the dense A.
    fn solve_otherwise(
        &mut self,
        problem: &FactoredProblem,
        guess: Option<&[f64]>,
        outcome: &mut FactoredOutcome,
    ) -> Result<(), ComplementarityError> {
        let (k, rank) = (problem.bias.len(), problem.rank);
        let mut factor = std::mem::take(&mut self.dense);
        problem.write_rows(&mut factor);
        self.matrix.clear();
        self.matrix.resize(k * k, 0.0);
        for i in 0..k {
            for j in 0..=i {
                let pairs = factor[i * rank..][..rank].iter().zip(&factor[j * rank..][..rank]);
                let sum: f64 = pairs.map(|(a, b)| a * b).sum();
                (self.matrix[i * k + j], self.matrix[j * k + i]) = (sum, sum);
            }
        }
        self.dense = factor;
        let dense = Problem::new(problem.groups, &self.matrix, problem.bias);
        let found = self.other.solve(&dense, guess)?;
        self.lambda.clear();
        self.lambda.extend_from_slice(self.other.lambda());
        self.a.clear();
        self.a.extend_from_slice(self.other.a());
        outcome.newton_steps += found.newton_steps;
        outcome.residual = found.residual;
        outcome.converged = found.residual <= self.tolerance;
        outcome.other = Some(found.method);
        Ok(())
    }
}
