//! Cones, bounds and equalities together, to a stated residual.
//!
//! The unknowns are scaled, λ = s y with one s for each group so that its diagonal of A is about 1; then a
//! and y are in the same unit (the root of an energy), and the *natural map*
//!
//! ```text
//! r = y − P(y − â)          â = (a_n + μ |a_t|, a_t) for cones, a for all others;  P projects onto the set of y
//! ```
//!
//! is zero exactly where all conditions are satisfied. The residual of a solution is the largest |r| of a
//! group, relative to the size of the terms that form its a (no smaller than 1e-5 of the largest of these).
//! Three methods are tried in turn:
//!
//! 1. Gauss–Seidel, group by group, each solved exactly (`local.rs`). Finds out in few sweeps which groups
//!    are open, slip and stick.
//! 2. Semismooth Newton on the map of Alart and Curnier 1991 with a line search (`newton.rs`). Quadratic
//!    convergence; where A is singular, a proximal term chooses the nearest of many solutions.
//! 3. The fixed point of Acary and Cadoux 2011 (`fixed_point.rs`): with a fixed shift μ |a_t| the problem is
//!    convex and is solved by an interior-point method (`interior_point.rs`), whatever the condition number
//!    of A; then the shift is updated, and Newton's method finishes.
//!
//! Where all three fail, and rows can be lifted, the solution is continued from b + ε on all rows that can
//! open, ε → 0: with ε there is a motion that opens all of them at once, which guarantees a solution (Acary,
//! Cadoux, Lemaréchal and Malick 2011).
//!
//! Multipliers of rows that contradict each other can grow until the violation is small relative to them. So
//! the size that a group is judged by is at most 1e7 times what is to be balanced: b, and multipliers that
//! bounds keep from zero.
//!
//! The result is the best y that was found, with its residual and its method: missing the tolerance is not an
//! error, and is always reported.

mod fixed_point;
mod interior_point;
mod newton;
mod scaled;

use super::error::ComplementarityError;
use super::problem::Problem;
use scaled::ScaledProblem;

/// Largest lift of rows relative to what is to be balanced; reduction per round; number of rounds.
const LIFT: f64 = 0.1;
const LOWER: f64 = 0.1;
const LIFTS: usize = 12;

/// State of a group.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum GroupState {
    /// λ = 0.
    Open,
    /// a = 0, inside of its cone or bounds.
    Stick,
    /// At the boundary of its cone, or at a bound other than zero.
    Slip,
}

/// The method that found the solution.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// Gauss–Seidel, group by group.
    GaussSeidel,
    /// Semismooth Newton.
    Newton,
    /// The fixed point of convex problems.
    FixedPoint,
}

/// How a solution was found, and its quality.
#[must_use = "the answer may not have reached the tolerance"]
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The residual of the natural map.
    pub residual: f64,
    /// Whether the residual is within the tolerance.
    pub converged: bool,
    /// The method that found it.
    pub method: Method,
    /// Sweeps of Gauss–Seidel.
    pub sweeps: usize,
    /// Linear systems solved by Newton's method.
    pub newton_steps: usize,
    /// Steps of the interior point method.
    pub fixed_steps: usize,
}

/// Workspace and solution.
#[derive(Clone, Debug)]
pub struct ConeSolver {
    /// Residual to reach.
    pub tolerance: f64,
    /// Residual to reach while Newton's method converges fast.
    pub target_residual: f64,
    scaled: ScaledProblem,
    newton: newton::SemismoothNewton,
    fixed: fixed_point::FixedPointIteration,
    best: Vec<f64>,
    best_residual: f64,
    best_method: Method,
    /// The best y that satisfies all bounds.
    inside: Vec<f64>,
    lambda: Vec<f64>,
    a: Vec<f64>,
    states: Vec<GroupState>,
}

impl Default for ConeSolver {
    fn default() -> ConeSolver {
        ConeSolver {
            tolerance: 1e-10,
            target_residual: 1e-13,
            scaled: ScaledProblem::default(),
            newton: newton::SemismoothNewton::default(),
            fixed: fixed_point::FixedPointIteration::default(),
            best: Vec::new(),
            best_residual: f64::INFINITY,
            best_method: Method::GaussSeidel,
            inside: Vec::new(),
            lambda: Vec::new(),
            a: Vec::new(),
            states: Vec::new(),
        }
    }
}

impl ConeSolver {
    /// An empty workspace, tolerance 1e-10.
    pub fn new() -> ConeSolver {
        ConeSolver::default()
    }

    /// Solves a problem, from zero or from a guess of λ; a guess of another length or that is not finite is
    /// ignored.
    pub fn solve(
        &mut self,
        problem: &Problem,
        guess: Option<&[f64]>,
    ) -> Result<Outcome, ComplementarityError> {
        problem.check_semidefinite()?;
        self.scaled.take(problem);
        let k = problem.rows();
        if let Some(guess) = guess.filter(|g| g.len() == k && g.iter().all(|v| v.is_finite())) {
            self.scaled.guess(guess);
        }
        self.best_residual = f64::INFINITY;
        self.best.clear();
        self.best.extend_from_slice(&self.scaled.y);
        let mut outcome = Outcome {
            residual: f64::INFINITY,
            converged: false,
            method: Method::GaussSeidel,
            sweeps: 0,
            newton_steps: 0,
            fixed_steps: 0,
        };
        self.run_methods(&mut outcome);
        if self.best_residual > self.tolerance {
            self.follow_lifted(&mut outcome);
        }
        self.finish();
        if let Some(row) = self.a.iter().zip(&self.lambda).position(|(a, l)| !(a + l).is_finite()) {
            return Err(ComplementarityError::NotFinite { what: "the answer", row });
        }
        outcome.residual = self.best_residual;
        outcome.method = self.best_method;
        outcome.converged = outcome.residual <= self.tolerance;
        Ok(outcome)
    }

    /// λ.
    pub fn lambda(&self) -> &[f64] {
        &self.lambda
    }

    /// a = A λ + b.
    pub fn a(&self) -> &[f64] {
        &self.a
    }

    /// State of each group.
    pub fn states(&self) -> &[GroupState] {
        &self.states
    }

    fn run_methods(&mut self, outcome: &mut Outcome) {
        if self.note(Method::GaussSeidel) <= self.target_residual {
            return;
        }
        for (sweeps, newton) in [(20, 30), (100, 30), (400, 60)] {
            for sweep in 1..=sweeps {
                self.scaled.sweep();
                outcome.sweeps += 1;
                if sweep % 5 == 0 && self.note(Method::GaussSeidel) <= self.target_residual {
                    return;
                }
            }
            self.newton(newton, false, outcome);
            if self.best_residual <= self.tolerance {
                return;
            }
            // If Newton's method failed, continue from the best y before it.
            self.scaled.y.copy_from_slice(&self.best);
            self.scaled.evaluate();
        }
        for round in 0..30 {
            let steps = self.fixed.run(&mut self.scaled, round);
            outcome.fixed_steps += steps;
            self.note(Method::FixedPoint);
            self.newton(15, false, outcome);
            if self.best_residual <= self.tolerance || steps == 0 {
                return;
            }
            // Restart from a nearby point.
            self.fixed.restore(&mut self.scaled);
            for _ in 0..20 {
                self.scaled.sweep();
            }
            outcome.sweeps += 20;
            self.note(Method::GaussSeidel);
            self.newton(15, round % 2 == 1, outcome);
            if self.best_residual <= self.tolerance {
                return;
            }
            self.fixed.restore(&mut self.scaled);
        }
    }

    /// Continues the solution of lifted rows while the lift is reduced. The best y before is kept unless a
    /// better one is found.
    fn follow_lifted(&mut self, outcome: &mut Outcome) {
        let kept = (self.best.clone(), self.best_residual, self.best_method);
        let mut start = vec![0.0; kept.0.len()];
        let mut lift = LIFT;
        for _ in 0..LIFTS {
            self.best_residual = f64::INFINITY;
            self.scaled.y.copy_from_slice(&start);
            self.scaled.lift(lift);
            self.run_methods(outcome);
            let is_found = self.best_residual <= self.tolerance;
            if is_found {
                start.copy_from_slice(&self.best);
            }
            self.scaled.y.copy_from_slice(&start);
            self.scaled.lift(0.0);
            self.best_residual = f64::INFINITY;
            if is_found {
                self.newton(30, false, outcome);
                if self.best_residual <= self.tolerance {
                    return;
                }
            }
            lift *= LOWER;
        }
        (self.best, self.best_residual, self.best_method) = kept;
    }

    fn newton(&mut self, most: usize, bold: bool, outcome: &mut Outcome) {
        let mut last = f64::INFINITY;
        let mut slow = 0;
        for _ in 0..most {
            outcome.newton_steps += 1;
            if !self.newton.step(&mut self.scaled, bold) {
                return;
            }
            let residual = self.note(Method::Newton);
            if residual <= self.target_residual || (residual <= self.tolerance && residual > 0.5 * last) {
                return;
            }
            slow = if residual > 0.9 * last && !bold { slow + 1 } else { 0 };
            if slow > 8 {
                return;
            }
            last = residual;
        }
    }

    /// The residual of the present y, which is stored if it is the best so far.
    fn note(&mut self, method: Method) -> f64 {
        self.scaled.evaluate();
        let residual = self.scaled.residual();
        if residual < self.best_residual {
            self.best_residual = residual;
            self.best_method = method;
            self.best.copy_from_slice(&self.scaled.y);
        }
        residual
    }

    /// Projects the solution onto its cones and bounds, if it is no worse there: a small multiplier outside
    /// of its cone by rounding of the largest would be wrong by much relative to itself.
    fn finish(&mut self) {
        self.scaled.y.copy_from_slice(&self.best);
        self.scaled.evaluate();
        let mut inside = f64::INFINITY;
        self.inside.clear();
        self.inside.extend_from_slice(&self.best);
        for _ in 0..4 {
            self.scaled.tidy();
            self.scaled.evaluate();
            let residual = self.scaled.residual();
            if residual < inside {
                inside = residual;
                self.inside.clear();
                self.inside.extend_from_slice(&self.scaled.y);
            }
            let enough = if self.best_residual > self.target_residual {
                self.best_residual
            } else {
                self.target_residual
            };
            if inside <= 2.0 * enough || !self.newton.step(&mut self.scaled, false) {
                break;
            }
        }
        let from = if inside <= self.best_residual || inside <= self.tolerance {
            self.best_residual = inside;
            &self.inside
        } else {
            &self.best
        };
        self.scaled.y.copy_from_slice(from);
        self.scaled.evaluate();
        self.scaled.write(&mut self.lambda, &mut self.a, &mut self.states);
    }
}
