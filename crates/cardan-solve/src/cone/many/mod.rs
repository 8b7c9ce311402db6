//! Many touches between free blocks, matrix-free or on a sparse factor.
//!
//! ```text
//! v = v_free + M⁻¹ Jᵀ λ,   a = J v + b          M block diagonal; each touch has rows on one or two blocks
//! ```
//!
//! with the conditions of the [module above](super), and joints as touches that hold. A = J M⁻¹ Jᵀ is never formed. Three ways:
//!
//! * [`Way::GaussSeidel`]: touch by touch in a fixed order, each solved exactly on the velocities as they are. Cheap per sweep,
//!   slow to the last digits, slow where a heavy block rests on a light one.
//! * [`Way::Alternate`]: alternating directions (ADMM) with De Saxcé's shift s = μ |a_t|, on one factor of M + Jᵀ ρ J:
//!
//!   ```text
//!   λ̂ = λ − ρ (J v + b + s),   λ ← P(λ̂),   z ← (λ − λ̂) / ρ
//!   (M + Jᵀ ρ J) v = M v_free + Jᵀ (λ + ρ (z − b − s))
//!   primal residual J v + b + s − z,  dual residual Jᵀ ρ (z − z_before)
//!   ```
//!
//! * [`Way::Newton`]: the augmented Lagrangian. With λ and s held, v is the least of a smooth convex function,
//!
//!   ```text
//!   φ(v) = ½ |v − v_free|²_M + Σ |P(λ̂)|² / 2ρ,     ∇φ = M (v − v_free) − Jᵀ P(λ̂),     ∇²φ = M + Jᵀ ρ P'(λ̂) J
//!   ```
//!
//!   found by Newton's method on the same sparse factor with an exact line search; then λ ← P(λ̂) and s follows. Redundant touches and mass
//!   ratios do no harm, since only M has to be regular.
//!
//! The residual is that of the natural map, as in [`super::cones`], of λ and of the v that follows from λ alone. It is always stated;
//! not reaching the tolerance is not an error.

mod alternate;
mod factor;
mod mix;
mod newton;
mod pile;
mod sweep;
mod whole;

pub use pile::{Pile, Touch};

use super::cones::GroupState;
use super::error::ConeError;
use factor::Factor;
use pile::DIM;
use sweep::Contact;

/// Which method is used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Some sweeps of Gauss–Seidel, then Newton if these do not do.
    Auto,
    /// Gauss–Seidel alone.
    GaussSeidel,
    /// Alternating directions alone.
    Alternate,
    /// The augmented Lagrangian alone.
    Newton,
}

/// Sweeps before Newton's method.
const FIRST: usize = 40;

/// How an answer came about and how good it is.
#[must_use = "the answer may not have reached the tolerance"]
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Reached {
    /// The residual of the natural map.
    pub residual: f64,
    /// Whether that is within the tolerance.
    pub converged: bool,
    /// Sweeps of Gauss–Seidel.
    pub sweeps: usize,
    /// Steps of alternating directions.
    pub alternations: usize,
    /// Systems factored by Newton's method.
    pub newton_steps: usize,
    /// The last primal and dual residual of alternating directions, beside the largest terms; zero if none were made.
    pub primal: f64,
    /// See `primal`.
    pub dual: f64,
}

/// Workspace and answer.
#[derive(Clone, Debug)]
pub struct Many {
    /// Residual to reach.
    pub tolerance: f64,
    /// Which method is used.
    pub way: Way,
    /// Sweeps of Gauss–Seidel at most, where it is alone.
    pub sweeps: usize,
    /// Steps of alternating directions at most.
    pub alternations: usize,
    /// Factorisations of Newton's method at most.
    pub newton_steps: usize,
    /// A guess with a residual of at most this is the answer.
    pub accept: f64,
    /// A residual that is good enough once Newton's method has made `patience` steps and gets on slowly; zero if only the tolerance is.
    pub enough: f64,
    /// See `enough`.
    pub patience: usize,
    contacts: Vec<Contact>,
    velocity: Vec<[f64; DIM]>,
    lambda: Vec<f64>,
    a: Vec<f64>,
    shift: Vec<f64>,
    sizes: Vec<f64>,
    best: Vec<f64>,
    factor: Factor,
    newton: newton::Newton,
    alternate: alternate::Alternate,
    mix: mix::Mix,
    states: Vec<GroupState>,
}

impl Default for Many {
    fn default() -> Many {
        Many {
            tolerance: 1e-8,
            way: Way::Auto,
            sweeps: 1000,
            alternations: 1000,
            newton_steps: 100,
            contacts: Vec::new(),
            velocity: Vec::new(),
            lambda: Vec::new(),
            a: Vec::new(),
            shift: Vec::new(),
            sizes: Vec::new(),
            best: Vec::new(),
            factor: Factor::default(),
            newton: newton::Newton::default(),
            alternate: alternate::Alternate::default(),
            mix: mix::Mix::default(),
            accept: 0.0,
            enough: 0.0,
            patience: 0,
            states: Vec::new(),
        }
    }
}

impl Many {
    /// An empty workspace: tolerance 1e-8, the method chosen as it goes.
    pub fn new() -> Many {
        Many::default()
    }

    /// Solves a pile, from zero or from a guess of λ (all rows in order); a guess of another length or that is not finite is not used.
    pub fn solve(&mut self, pile: &Pile, guess: Option<&[f64]>) -> Result<Reached, ConeError> {
        let rows = pile.rows();
        self.prepare(pile)?;
        self.lambda.clear();
        match guess.filter(|g| g.len() == rows && g.iter().all(|v| v.is_finite())) {
            Some(guess) => self.lambda.extend_from_slice(guess),
            None => self.lambda.resize(rows, 0.0),
        }
        for array in [&mut self.a, &mut self.shift] {
            array.clear();
            array.resize(rows, 0.0);
        }
        self.follow(pile);
        let mut reached = Reached {
            residual: f64::INFINITY,
            converged: false,
            sweeps: 0,
            alternations: 0,
            newton_steps: 0,
            primal: 0.0,
            dual: 0.0,
        };
        self.best.clear();
        self.best.extend_from_slice(&self.lambda);
        self.note(pile, &mut reached);
        reached.converged |= reached.residual <= self.accept;
        match self.way {
            _ if reached.converged => {}
            Way::GaussSeidel => self.by_sweeps(pile, self.sweeps, &mut reached),
            Way::Alternate => self.by_alternating(pile, &mut reached),
            Way::Newton => self.by_newton(pile, &mut reached),
            Way::Auto => {
                // A guess that is near is not improved by a few sweeps.
                if guess.is_none() || reached.residual > 1e-4 {
                    let most = if self.sweeps < FIRST { self.sweeps } else { FIRST };
                    self.by_sweeps(pile, most, &mut reached);
                }
                if !reached.converged {
                    self.lambda.copy_from_slice(&self.best);
                    self.follow(pile);
                    self.by_newton(pile, &mut reached);
                }
            }
        }
        self.lambda.copy_from_slice(&self.best);
        self.follow(pile);
        self.take_rates(pile);
        if let Some(row) = self.a.iter().zip(&self.lambda).position(|(a, l)| !(a + l).is_finite()) {
            return Err(ConeError::NotFinite { what: "the answer", row });
        }
        self.take_states(pile);
        Ok(reached)
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

    /// What each touch does.
    pub fn states(&self) -> &[GroupState] {
        &self.states
    }

    /// The residual of λ as it is, with v as it is; the best λ is kept.
    fn note(&mut self, pile: &Pile, reached: &mut Reached) -> f64 {
        self.take_rates(pile);
        let residual = self.residual(pile);
        if residual < reached.residual {
            reached.residual = residual;
            self.best.copy_from_slice(&self.lambda);
        }
        reached.converged = reached.residual <= self.tolerance;
        residual
    }

    fn by_sweeps(&mut self, pile: &Pile, most: usize, reached: &mut Reached) {
        self.forget_sweeps(pile);
        for sweep in 1..=most {
            self.mix.start.clear();
            self.mix.start.extend_from_slice(&self.lambda);
            self.sweep(pile);
            reached.sweeps += 1;
            if sweep % 5 == 0 || sweep == most {
                if sweep % 100 == 0 {
                    // What rounding has added up.
                    self.follow(pile);
                }
                self.note(pile, reached);
                if reached.converged {
                    return;
                }
            }
            self.mix();
        }
    }
}
