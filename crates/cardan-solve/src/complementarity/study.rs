//! Three historical rules for simultaneous inequalities, kept for study: they fail in corners that
//! [`super::active_set`] solves.
//!
//! From "Inequality constraints with Lagrange multipliers" (GRAPP 2007), which compares Platt's rule of 1992
//! with an improved one and with its own. Rows are the active constraints; F⁺ are those that are handled as
//! equalities, and F⁻ the others:
//!
//! ```text
//! a = A λ + b,   a_k = 0 for k in F⁺,   λ_k = 0 for k in F⁻          (equation 6 there; b_k = J_k ẍ_free − d_k, so J_k ẍ < d_k is a_k < 0)
//! ```
//!
//! * [`platt`], algorithm 1: after the step, a handled row with λ ≤ 0 is moved to F⁻, an ignored one that is
//!   violated to F⁺. In an acute corner it fixes what should slide, and releases everything one step later.
//! * [`platt_improved`], algorithm 2: an ignored row is moved to F⁺ by its tendency a < 0. Too late where one
//!   row acts on another.
//! * [`insert_only`], algorithm 3: from an empty F⁺, solve and insert rows that tend to be violated, until
//!   there are none. No row is ever removed, so that in an obtuse corner λ < 0 stays: the particle sticks to
//!   the corner.
//!
//! The paper prints the test of a multiplier as λ < 0 in its listing and as "negative or null" in its text;
//! this code follows the text. Where handled rows depend on each other the later ones get λ = 0.

use super::cholesky::Cholesky;
use super::error::ComplementarityError;
use super::problem::Problem;
use crate::tolerances::{DEPENDENT_ROW, ZERO_RESIDUAL};

/// Workspace and solution of the rules.
#[derive(Clone, Debug, Default)]
pub struct Study {
    factor: Cholesky,
    part: Vec<f64>,
    lambda: Vec<f64>,
    a: Vec<f64>,
    rounds: usize,
}

impl Study {
    /// An empty workspace.
    pub fn new() -> Study {
        Study::default()
    }

    /// λ.
    pub fn lambda(&self) -> &[f64] {
        &self.lambda
    }

    /// a = A λ + b.
    pub fn a(&self) -> &[f64] {
        &self.a
    }

    /// Number of systems solved by the last call.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Solves with the rows of F⁺ handled as equalities.
    pub fn hold(&mut self, problem: &Problem, handled: &[bool]) -> Result<(), ComplementarityError> {
        problem.check_semidefinite()?;
        let k = problem.rows();
        if handled.len() != k {
            return Err(ComplementarityError::Shape {
                what: "the set of handled rows",
                expected: k,
                found: handled.len(),
            });
        }
        self.factor.clear(k);
        for row in (0..k).filter(|&row| handled[row] && !problem.is_immovable(row)) {
            let left = self.factor.remainder(problem.matrix, k, row);
            if left > DEPENDENT_ROW * problem.matrix[row * k + row] {
                self.factor.add_row(row, left);
            }
        }
        self.part.clear();
        self.part.extend(self.factor.rows.iter().map(|&row| -problem.bias[row]));
        self.factor.solve(&mut self.part);
        self.lambda.clear();
        self.lambda.resize(k, 0.0);
        for (&row, part) in self.factor.rows.iter().zip(&self.part) {
            self.lambda[row] = *part;
        }
        self.a.clear();
        for row in 0..k {
            let mut a = problem.bias[row];
            for (entry, lambda) in problem.matrix[row * k..][..k].iter().zip(&self.lambda) {
                a += entry * lambda;
            }
            self.a.push(a);
        }
        self.rounds = 1;
        Ok(())
    }

    /// Whether a row tends to be violated, beyond rounding.
    fn tends(&self, problem: &Problem, row: usize) -> bool {
        let k = problem.rows();
        let mut size = problem.size(row);
        for (entry, lambda) in problem.matrix[row * k..][..k].iter().zip(&self.lambda) {
            size += (entry * lambda).abs();
        }
        self.a[row] < -ZERO_RESIDUAL * size
    }
}

/// Algorithm 1, Platt 1992: solves with the given F⁺. After the state is integrated, [`platt_after`] updates
/// F⁺.
pub fn platt(study: &mut Study, problem: &Problem, handled: &[bool]) -> Result<(), ComplementarityError> {
    study.hold(problem, handled)
}

/// Lines 3 to 9 of algorithm 1: F⁺ for the next step, from the multipliers and from which rows are violated now.
pub fn platt_after(study: &Study, violated: &[bool], handled: &mut [bool]) {
    for ((handled, lambda), violated) in handled.iter_mut().zip(study.lambda()).zip(violated) {
        *handled = if *handled { *lambda > 0.0 } else { *violated };
    }
}

/// F⁺ at the start of algorithm 2: the rows that tend to be violated while none is handled.
pub fn platt_improved_start(
    study: &mut Study,
    problem: &Problem,
    handled: &mut [bool],
) -> Result<(), ComplementarityError> {
    handled.fill(false);
    study.hold(problem, handled)?;
    for (row, handled) in handled.iter_mut().enumerate() {
        *handled = study.tends(problem, row);
    }
    Ok(())
}

/// Algorithm 2, Platt improved: solves with the given F⁺. Then [`platt_improved_after`] updates F⁺.
pub fn platt_improved(
    study: &mut Study,
    problem: &Problem,
    handled: &[bool],
) -> Result<(), ComplementarityError> {
    study.hold(problem, handled)
}

/// Lines 3 to 9 of algorithm 2: F⁺ for the next step, from multipliers and tendencies.
pub fn platt_improved_after(study: &Study, problem: &Problem, handled: &mut [bool]) {
    if study.a.len() != problem.rows() {
        return;
    }
    for (row, handled) in handled.iter_mut().enumerate().take(study.a.len()) {
        *handled = if *handled { study.lambda[row] > 0.0 } else { study.tends(problem, row) };
    }
}

/// Algorithm 3: from an empty F⁺, solves and inserts until no row tends to be violated. Leaves F⁺ in
/// `handled`; at most one round more than there are rows.
pub fn insert_only(
    study: &mut Study,
    problem: &Problem,
    handled: &mut [bool],
) -> Result<(), ComplementarityError> {
    handled.fill(false);
    let mut rounds = 0;
    loop {
        study.hold(problem, handled)?;
        rounds += 1;
        study.rounds = rounds;
        let mut inserted = false;
        for (row, handled) in handled.iter_mut().enumerate() {
            if !*handled && study.tends(problem, row) {
                *handled = true;
                inserted = true;
            }
        }
        if !inserted {
            return Ok(());
        }
    }
}
