//! Rows with bounds alone, solved exactly: a dual active-set method (Goldfarb and Idnani 1983).
//!
//! ```text
//! max  −½ λᵀ A λ − bᵀ λ      lo ≤ λ ≤ hi          A symmetric, positive semidefinite, singular or not
//! ```
//!
//! has the conditions of `Held`, `OneSided` and `Bounded` rows as its optimality conditions. W is the set of
//! rows that are being solved for, a_W = 0; all others are at a bound (or at zero, before their turn). In
//! each round the row p that is violated most, in the metric of A (a_p² / A_pp), is moved along
//!
//! ```text
//! Δλ_p = ±1,   Δλ_W = ∓ A_WW⁻¹ A_Wp        so that a_W stays zero and   Δa_p = ± d,   d = A_pp − A_pW A_WW⁻¹ A_Wp
//! ```
//!
//! until a_p = 0 (p joins W), or p is at its own bound, or a row of W reaches a bound: it blocks and leaves
//! W, and p continues. A row that depends on W (d ≤ 1e-9 A_pp) moves without changing any a, until something
//! blocks. If nothing does, the rows with Δλ ≠ 0 contradict each other, and Δλ is the proof: A Δλ = 0 and bᵀ
//! Δλ < 0. The objective rises with every step of nonzero length, so no W occurs twice; after a number of
//! steps of zero length, Bland's rule of the least index takes over. The method is written for A instead of
//! its square root.
//!
//! a is unique whenever there is a solution. λ is not where rows depend on each other: [`ActiveSet::unique`]
//! tells row by row.

mod core;

use super::error::ComplementarityError;
use super::problem::{Group, Problem};
use crate::tolerances::{DEPENDENT_ROW, NULL_VECTOR_ENTRY};
use core::ActiveSetCore;

/// Final state of a row.
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

/// Workspace and solution of the method.
#[derive(Clone, Debug, Default)]
pub struct ActiveSet {
    core: ActiveSetCore,
    /// For uniqueness.
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

    /// Per row, the size of the terms whose sum a is; at least 1e-5 of that of the largest row, in the metric
    /// of A.
    pub fn sizes(&self) -> &[f64] {
        &self.core.size
    }

    /// Final state of each row.
    pub fn states(&self) -> &[RowState] {
        &self.states
    }

    /// Number of rows that were moved or removed.
    pub fn iterations(&self) -> usize {
        self.core.iterations
    }

    /// Whether λ of each row is unique, for the problem solved last.
    ///
    /// With Z the rows where a = 0, λ_i may change iff there is z with A_ZZ z = 0 and z_i ≠ 0 that keeps all
    /// rows within their bounds. If no row is at a bound, a basis of the null space decides it. Otherwise,
    /// for z_i = ±1, the least ½ zᵀ A z within the bounds is a problem of the same kind, and λ_i is unique
    /// iff the minimum is positive.
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
            if left > DEPENDENT_ROW * own {
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
                if step.abs() * matrix[w * k + w].sqrt() > NULL_VECTOR_ENTRY * longest {
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
                        // λ at both bounds is fixed; at one bound it may move away from it.
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
                    sign * probe.a[row] > DEPENDENT_ROW * matrix[row * k + row]
                }
            };
            self.unique[row] = stays(probe, 1.0) && stays(probe, -1.0);
        }
        &self.unique
    }
}
