//! Many contacts between free blocks, matrix-free or on a sparse factor.
//!
//! ```text
//! v = v_free + M⁻¹ Jᵀ λ,   a = J v + b          M block diagonal; each constraint has rows on one or two blocks
//! ```
//!
//! with the conditions of the [module above](super); joints are equality constraints. A = J M⁻¹ Jᵀ is never
//! formed. Three methods:
//!
//! * [`ContactMethod::GaussSeidel`]: constraint by constraint in a fixed order, each solved exactly with the
//!   present velocities. Cheap per sweep; slow to converge to the last digits, and where a heavy block rests
//!   on a light one.
//! * [`ContactMethod::Admm`]: alternating directions (ADMM) with De Saxcé's shift s = μ |a_t|, on one factor
//!   of M + Jᵀ ρ J:
//!
//!   ```text
//!   λ̂ = λ − ρ (J v + b + s),   λ ← P(λ̂),   z ← (λ − λ̂) / ρ
//!   (M + Jᵀ ρ J) v = M v_free + Jᵀ (λ + ρ (z − b − s))
//!   primal residual J v + b + s − z,  dual residual Jᵀ ρ (z − z_before)
//!   ```
//!
//! * [`ContactMethod::Newton`]: the augmented Lagrangian. For fixed λ and s, v minimises a smooth convex
//!   function,
//!
//!   ```text
//!   φ(v) = ½ |v − v_free|²_M + Σ |P(λ̂)|² / 2ρ,     ∇φ = M (v − v_free) − Jᵀ P(λ̂),     ∇²φ = M + Jᵀ ρ P'(λ̂) J
//!   ```
//!
//!   by Newton's method on the same sparse factor with an exact line search; then λ ← P(λ̂) and s is updated.
//!   Redundant contacts and mass ratios cause no singular matrix, since only M has to be regular.
//!
//! The residual is that of the natural map, as in [`super::cones`], of λ and of the v that follows from λ
//! alone. It is always reported; missing the tolerance is not an error.

mod admm;
mod anderson;
mod augmented_lagrangian;
mod block_cholesky;
mod contact_problem;
mod coulomb_newton;
mod sweep;

pub use contact_problem::{ConstraintKind, ContactProblem};

use super::cones::GroupState;
use super::error::ComplementarityError;
use block_cholesky::BlockCholesky;
use contact_problem::DIM;
use sweep::LocalDelassus;

/// The method.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ContactMethod {
    /// Gauss–Seidel first, then Newton if that does not converge.
    Auto,
    /// Gauss–Seidel alone.
    GaussSeidel,
    /// ADMM alone.
    Admm,
    /// The augmented Lagrangian alone.
    Newton,
}

/// Sweeps before Newton's method.
const FIRST: usize = 40;

/// How a solution was found, and its quality.
#[must_use = "the answer may not have reached the tolerance"]
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ContactOutcome {
    /// The residual of the natural map.
    pub residual: f64,
    /// Whether the residual is within the tolerance.
    pub converged: bool,
    /// Sweeps of Gauss–Seidel.
    pub sweeps: usize,
    /// Steps of ADMM.
    pub admm_steps: usize,
    /// Factorisations of Newton's method.
    pub newton_steps: usize,
    /// Last primal residual of ADMM, relative to the largest terms; zero if there were no steps.
    pub primal: f64,
    /// Last dual residual of ADMM, relative to the largest terms; zero if there were no steps.
    pub dual: f64,
}

/// Workspace and solution.
#[derive(Clone, Debug)]
pub struct ManyContacts {
    /// Residual to reach.
    pub tolerance: f64,
    /// The method to use.
    pub method: ContactMethod,
    /// Most sweeps of Gauss–Seidel, where it is alone.
    pub sweeps: usize,
    /// Most steps of ADMM.
    pub admm_steps: usize,
    /// Most factorisations of Newton's method.
    pub newton_steps: usize,
    /// A guess with at most this residual is returned as the solution.
    pub guess_tolerance: f64,
    /// A residual that suffices once Newton's method has made `relax_after` steps and converges slowly; zero
    /// to require the tolerance.
    pub relaxed_tolerance: f64,
    /// Steps of Newton's method before `relaxed_tolerance` suffices.
    pub relax_after: usize,
    local_delassus: Vec<LocalDelassus>,
    velocity: Vec<[f64; DIM]>,
    lambda: Vec<f64>,
    a: Vec<f64>,
    shift: Vec<f64>,
    sizes: Vec<f64>,
    best: Vec<f64>,
    factor: BlockCholesky,
    newton: augmented_lagrangian::AugmentedLagrangian,
    admm: admm::Admm,
    anderson: anderson::Anderson,
    states: Vec<GroupState>,
}

impl Default for ManyContacts {
    fn default() -> ManyContacts {
        ManyContacts {
            tolerance: 1e-8,
            method: ContactMethod::Auto,
            sweeps: 1000,
            admm_steps: 1000,
            newton_steps: 100,
            local_delassus: Vec::new(),
            velocity: Vec::new(),
            lambda: Vec::new(),
            a: Vec::new(),
            shift: Vec::new(),
            sizes: Vec::new(),
            best: Vec::new(),
            factor: BlockCholesky::default(),
            newton: augmented_lagrangian::AugmentedLagrangian::default(),
            admm: admm::Admm::default(),
            anderson: anderson::Anderson::default(),
            guess_tolerance: 0.0,
            relaxed_tolerance: 0.0,
            relax_after: 0,
            states: Vec::new(),
        }
    }
}

impl ManyContacts {
    /// An empty workspace: tolerance 1e-8, the method chosen automatically.
    pub fn new() -> ManyContacts {
        ManyContacts::default()
    }

    /// Solves a problem, from zero or from a guess of λ (all rows in order); a guess of another length or
    /// that is not finite is ignored.
    pub fn solve(
        &mut self,
        problem: &ContactProblem,
        guess: Option<&[f64]>,
    ) -> Result<ContactOutcome, ComplementarityError> {
        let rows = problem.rows();
        self.prepare(problem)?;
        self.lambda.clear();
        match guess.filter(|g| g.len() == rows && g.iter().all(|v| v.is_finite())) {
            Some(guess) => self.lambda.extend_from_slice(guess),
            None => self.lambda.resize(rows, 0.0),
        }
        for array in [&mut self.a, &mut self.shift] {
            array.clear();
            array.resize(rows, 0.0);
        }
        self.update_velocity(problem);
        let mut outcome = ContactOutcome {
            residual: f64::INFINITY,
            converged: false,
            sweeps: 0,
            admm_steps: 0,
            newton_steps: 0,
            primal: 0.0,
            dual: 0.0,
        };
        self.best.clear();
        self.best.extend_from_slice(&self.lambda);
        self.record_residual(problem, &mut outcome);
        outcome.converged |= outcome.residual <= self.guess_tolerance;
        match self.method {
            _ if outcome.converged => {}
            ContactMethod::GaussSeidel => self.solve_gauss_seidel(problem, self.sweeps, &mut outcome),
            ContactMethod::Admm => self.solve_admm(problem, &mut outcome),
            ContactMethod::Newton => self.solve_newton(problem, &mut outcome),
            ContactMethod::Auto => {
                // A guess that is near the solution is not improved by a few sweeps.
                if guess.is_none() || outcome.residual > 1e-4 {
                    let most = if self.sweeps < FIRST { self.sweeps } else { FIRST };
                    self.solve_gauss_seidel(problem, most, &mut outcome);
                }
                if !outcome.converged {
                    self.lambda.copy_from_slice(&self.best);
                    self.update_velocity(problem);
                    self.solve_newton(problem, &mut outcome);
                }
            }
        }
        self.lambda.copy_from_slice(&self.best);
        self.update_velocity(problem);
        self.update_rates(problem);
        if let Some(row) = self.a.iter().zip(&self.lambda).position(|(a, l)| !(a + l).is_finite()) {
            return Err(ComplementarityError::NotFinite { what: "the answer", row });
        }
        self.update_states(problem);
        Ok(outcome)
    }

    /// λ, all rows in order.
    pub fn lambda(&self) -> &[f64] {
        &self.lambda
    }

    /// a = J v + b, all rows in order.
    pub fn a(&self) -> &[f64] {
        &self.a
    }

    /// v of a block, padded with zeros to six.
    pub fn velocity(&self, block: usize) -> Option<&[f64; DIM]> {
        self.velocity.get(block)
    }

    /// State of each constraint.
    pub fn states(&self) -> &[GroupState] {
        &self.states
    }

    /// The residual of the present λ and v; the best λ is stored.
    fn record_residual(&mut self, problem: &ContactProblem, outcome: &mut ContactOutcome) -> f64 {
        self.update_rates(problem);
        let residual = self.residual(problem);
        if residual < outcome.residual {
            outcome.residual = residual;
            self.best.copy_from_slice(&self.lambda);
        }
        outcome.converged = outcome.residual <= self.tolerance;
        residual
    }

    fn solve_gauss_seidel(&mut self, problem: &ContactProblem, most: usize, outcome: &mut ContactOutcome) {
        self.reset_anderson(problem);
        for sweep in 1..=most {
            self.anderson.start.clear();
            self.anderson.start.extend_from_slice(&self.lambda);
            self.sweep(problem);
            outcome.sweeps += 1;
            if sweep % 5 == 0 || sweep == most {
                if sweep % 100 == 0 {
                    // Removes accumulated rounding.
                    self.update_velocity(problem);
                }
                self.record_residual(problem, outcome);
                if outcome.converged {
                    return;
                }
            }
            self.accelerate();
        }
    }
}
