//! Newton's method on the whole Coulomb law: v for fixed λ, with the shift s = μ |a_t| that belongs to it.
//!
//! ```text
//! F(v) = M (v − v_free) − Jᵀ P(λ̂),     λ̂ = λ − ρ (a + s(a)),     F' = M + Jᵀ ρ P'(λ̂) (1 + ∂s/∂a) J
//! ```
//!
//! F' is not symmetric and F is not a gradient, so there is no merit function to lead from afar. Near the
//! solution the convergence is quadratic, where alternating updates of s are linear. Where a step does not
//! help, the caller continues with a fixed s.

use super::contact_problem::{ConstraintKind, ContactProblem, DIM, NONE};
use super::sweep::dot;
use super::{ContactOutcome, ManyContacts};
use crate::tolerances::ZERO_GRADIENT;

impl ManyContacts {
    /// Looks for v with F = 0. False, with v restored, if that did not help; else P(λ̂) is left in
    /// `projected`, and s belongs to v.
    pub(super) fn coulomb_newton(&mut self, problem: &ContactProblem, outcome: &mut ContactOutcome) -> bool {
        let newton = &mut self.newton;
        newton.start.clear();
        newton.start.extend_from_slice(&self.velocity);
        newton.start_a.clear();
        newton.start_a.extend_from_slice(&self.a);
        self.update_shift(problem);
        let mut size = self.slope(problem);
        let mut length = self.length();
        let first = length;
        for _ in 0..MAX_NEWTON_STEPS {
            if length <= ZERO_GRADIENT * size
                || length <= 1e-3 * first
                || outcome.newton_steps >= self.newton_steps
            {
                break;
            }
            self.fill_coulomb_jacobian(problem);
            outcome.newton_steps += 1;
            if !self.factor.factor_both() {
                break;
            }
            let newton = &mut self.newton;
            newton.step.copy_from_slice(&newton.gradient);
            self.factor.solve_both(&mut newton.step);
            newton.before.clear();
            newton.before.extend_from_slice(&self.velocity);
            newton.before_a.clear();
            newton.before_a.extend_from_slice(&self.a);
            self.update_step_rates(problem);
            let mut helped = false;
            for t in LENGTHS {
                let newton = &self.newton;
                for (block, velocity) in self.velocity.iter_mut().enumerate() {
                    for i in 0..DIM {
                        velocity[i] = newton.before[block][i] - t * newton.step[block][i];
                    }
                }
                for (row, a) in self.a.iter_mut().enumerate() {
                    *a = newton.before_a[row] + t * newton.along[row];
                }
                self.update_shift(problem);
                size = self.slope(problem);
                let now = self.length();
                if now <= (1.0 - 0.5 * t) * length {
                    (length, helped) = (now, true);
                    break;
                }
            }
            if !helped {
                self.velocity.copy_from_slice(&self.newton.before);
                self.a.copy_from_slice(&self.newton.before_a);
                self.update_shift(problem);
                size = self.slope(problem);
                break;
            }
        }
        let helped = length <= 0.1 * first || length <= ZERO_GRADIENT * size;
        if !helped {
            self.velocity.copy_from_slice(&self.newton.start);
            self.a.copy_from_slice(&self.newton.start_a);
        }
        helped
    }

    /// |F|.
    fn length(&self) -> f64 {
        self.newton.gradient.iter().flatten().fold(0.0, |sum: f64, g| sum + g * g).sqrt()
    }

    /// J of the step, per row.
    pub(super) fn update_step_rates(&mut self, problem: &ContactProblem) {
        for slot in &problem.slots {
            for row in slot.row..slot.row + slot.kind.rows() {
                let mut along = 0.0;
                for e in 0..2 {
                    if let Some(step) = self.newton.step.get(slot.ends[e] as usize) {
                        along -= dot(&problem.jac[row][e], step);
                    }
                }
                self.newton.along[row] = along;
            }
        }
    }

    /// F'.
    fn fill_coulomb_jacobian(&mut self, problem: &ContactProblem) {
        self.factor.clear_both();
        for (block, mass) in problem.mass.iter().enumerate() {
            *self.factor.diagonal_of(block) = *mass;
        }
        for (index, slot) in problem.slots.iter().enumerate() {
            let rho = self.newton.weight * self.local_delassus[index].inverse_mean_diagonal;
            let (row, rows) = (slot.row, slot.kind.rows());
            let mut hat = [0.0; 6];
            for r in 0..rows {
                hat[r] = self.lambda[row + r] - rho * (self.a[row + r] + self.shift[row + r]);
            }
            let mut d = super::augmented_lagrangian::project(slot.kind, &hat, rho).1;
            if d.iter().flatten().all(|d| *d == 0.0) {
                continue;
            }
            if let ConstraintKind::Cone { mu } | ConstraintKind::Wedge { mu } = slot.kind {
                // D (1 + n μ uᵀ) with u the direction of a_t.
                let a = &self.a[row..];
                let length = match rows {
                    2 => a[1].abs(),
                    _ => (a[1] * a[1] + a[2] * a[2]).sqrt(),
                };
                if length > 0.0 {
                    for line in &mut d {
                        for c in 1..rows {
                            line[c] += line[0] * mu * a[c] / length;
                        }
                    }
                }
            }
            match rows {
                3 => self.add_coulomb_block::<3>(problem, index, &d),
                2 => self.add_coulomb_block::<2>(problem, index, &d),
                1 => self.add_coulomb_block::<1>(problem, index, &d),
                _ => self.add_coulomb_block::<6>(problem, index, &d),
            }
        }
    }

    /// Adds Jᵀ D J of one contact of at most R rows, D without symmetry.
    fn add_coulomb_block<const R: usize>(
        &mut self,
        problem: &ContactProblem,
        index: usize,
        d: &[[f64; 6]; 6],
    ) {
        let slot = &problem.slots[index];
        let rows = if R < 6 { R } else { slot.kind.rows() };
        let jac = &problem.jac[slot.row..slot.row + rows];
        // D J, per end.
        let mut weighted = [[[0.0; DIM]; R]; 2];
        for e in 0..2 {
            if slot.ends[e] == NONE {
                continue;
            }
            for r in 0..rows {
                for (c, jac) in jac.iter().enumerate() {
                    for i in 0..DIM {
                        weighted[e][r][i] += d[r][c] * jac[e][i];
                    }
                }
            }
            let target = self.factor.diagonal_of(slot.ends[e] as usize);
            for r in 0..rows {
                super::augmented_lagrangian::add_outer(target, &jac[r][e], &weighted[e][r]);
            }
        }
        if let Some((below, above, first_is_row)) = self.factor.both(index) {
            let (i, j) = if first_is_row { (0, 1) } else { (1, 0) };
            for r in 0..rows {
                super::augmented_lagrangian::add_outer(below, &jac[r][i], &weighted[j][r]);
                super::augmented_lagrangian::add_outer(above, &jac[r][j], &weighted[i][r]);
            }
        }
    }
}

/// Most steps before λ is updated.
const MAX_NEWTON_STEPS: usize = 12;
/// Step lengths that are tried.
const LENGTHS: [f64; 3] = [1.0, 0.5, 0.25];
