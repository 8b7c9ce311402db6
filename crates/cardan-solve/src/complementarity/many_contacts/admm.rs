//! Alternating direction method of multipliers (ADMM) on one factor of M + Jᵀ ρ J; the module page has the
//! equations.

use super::augmented_lagrangian::onto;
use super::contact_problem::{ContactProblem, DIM};
use super::sweep::dot;
use super::{ContactOutcome, ManyContacts};

#[derive(Clone, Debug)]
pub(super) struct Admm {
    /// ρ in units of 1 / W.
    pub(super) weight: f64,
    z: Vec<f64>,
    right: Vec<[f64; DIM]>,
}

impl Default for Admm {
    fn default() -> Admm {
        Admm { weight: 1.0, z: Vec::new(), right: Vec::new() }
    }
}

impl ManyContacts {
    pub(super) fn solve_admm(&mut self, problem: &ContactProblem, outcome: &mut ContactOutcome) {
        self.plan(problem);
        self.admm.weight = 1.0;
        self.admm.z.clear();
        self.admm.z.resize(problem.rows(), 0.0);
        self.fill(problem, false);
        if !self.factor.factor() {
            return;
        }
        self.update_rates(problem);
        for step in 1..=self.admm_steps {
            self.update_shift(problem);
            let (mut primal, mut dual, mut size) = (0.0, 0.0, 0.0);
            let admm = &mut self.admm;
            admm.right.clear();
            for (mass, free) in problem.mass.iter().zip(&problem.free) {
                admm.right.push(std::array::from_fn(|i| dot(&mass[i], free)));
            }
            for (slot, contact) in problem.slots.iter().zip(&self.local_delassus) {
                let rho = admm.weight * contact.inverse_mean_diagonal;
                let root = contact.inverse_mean_diagonal.sqrt();
                let row = slot.row;
                let rows = slot.kind.rows();
                let mut hat = [0.0; 6];
                for r in 0..rows {
                    hat[r] = self.lambda[row + r] - rho * (self.a[row + r] + self.shift[row + r]);
                }
                let onto = onto(slot.kind, &hat);
                for r in 0..rows {
                    let z = if rho > 0.0 { (onto[r] - hat[r]) / rho } else { 0.0 };
                    let off = (self.a[row + r] + self.shift[row + r] - z).abs() * root;
                    let moved = (z - admm.z[row + r]).abs() * root * admm.weight;
                    primal = if off > primal { off } else { primal };
                    dual = if moved > dual { moved } else { dual };
                    size = if contact.size > size { contact.size } else { size };
                    admm.z[row + r] = z;
                    self.lambda[row + r] = onto[r];
                    let push = onto[r] + rho * (z - problem.bias[row + r] - self.shift[row + r]);
                    for e in 0..2 {
                        if let Some(right) = admm.right.get_mut(slot.ends[e] as usize) {
                            for i in 0..DIM {
                                right[i] += problem.jac[row + r][e][i] * push;
                            }
                        }
                    }
                }
            }
            self.factor.solve(&mut self.admm.right);
            self.velocity.copy_from_slice(&self.admm.right);
            self.update_rates(problem);
            outcome.admm_steps += 1;
            if size > 0.0 {
                (outcome.primal, outcome.dual) = (primal / size, dual / size);
            }
            if step % 10 == 0 {
                // The residual is that of the v that follows from λ; the iteration then continues with its
                // own v.
                self.update_velocity(problem);
                self.record_residual(problem, outcome);
                if outcome.converged {
                    return;
                }
                self.velocity.copy_from_slice(&self.admm.right);
                self.update_rates(problem);
                let ratio = primal / dual;
                if step % 50 == 0 && !(0.1..=10.0).contains(&ratio) && ratio > 0.0 && ratio < f64::INFINITY {
                    let factor = if ratio > 1.0 { 3.0 } else { 1.0 / 3.0 };
                    self.admm.weight *= factor;
                    self.fill(problem, false);
                    if !self.factor.factor() {
                        return;
                    }
                }
            }
        }
    }
}
