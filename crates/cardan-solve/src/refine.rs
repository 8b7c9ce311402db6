//! One round of iterative refinement with the factor of a solver:
//!
//! ```text
//! H (δx, δλ) = (F − M x + Jᵀ λ,  c + J x + E λ),   x += δx,  λ += δλ
//! ```
//!
//! Elimination is accurate relative to the largest numbers that it meets. Where a light block is on a row
//! that is nearly dependent, these are larger than the entries of the solution; a round of refinement brings
//! every entry back to rounding relative to its own terms.

use crate::graph::{Graph, packed_len};
use crate::residual::{Residual, residual_relative_to_forces};
use crate::solver::Solver;
use crate::system::System;

/// Memory for refinement on one graph.
#[derive(Clone, Debug)]
pub struct Refiner {
    force: Vec<f64>,
    bias: Vec<f64>,
    x: Vec<f64>,
    lambda: Vec<f64>,
}

impl Refiner {
    /// Reserves the memory.
    pub fn new(graph: &Graph) -> Refiner {
        let (unknowns, rows) = (vec![0.0; graph.unknowns()], vec![0.0; graph.rows()]);
        Refiner { force: unknowns.clone(), bias: rows.clone(), x: unknowns, lambda: rows }
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let numbers = [&self.force, &self.bias, &self.x, &self.lambda];
        numbers.iter().map(|v| v.capacity() * size_of::<f64>()).sum()
    }

    /// Improves `x` and `lambda` by one round, unless that would make them worse; returns the remaining
    /// residual, by [`residual_relative_to_forces`].
    ///
    /// `solver` must have the factor of `system`. The leftovers of its dropped rows keep their values.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn refine(
        &mut self,
        solver: &mut Solver,
        system: &System,
        right: (&[f64], &[f64]),
        x: &mut [f64],
        lambda: &mut [f64],
    ) -> Residual {
        let (force, bias) = right;
        let before = residual_relative_to_forces(system, right, x, lambda, &mut self.x);
        self.fill(system, force, bias, x, lambda);
        solver.correct(&self.force, &self.bias, &mut self.x, &mut self.lambda);
        self.add_to(x, lambda);
        let after = residual_relative_to_forces(system, right, x, lambda, &mut self.x);
        // The sum, so that a row that cannot be satisfied (a conflict) does not hide what the others gain.
        if after.balance + after.rows < before.balance + before.rows {
            return after;
        }
        // Not better: `force` and `bias` have the old solution.
        x.copy_from_slice(&self.force);
        lambda.copy_from_slice(&self.bias);
        before
    }

    /// Adds the correction, and stores the old solution in its place.
    fn add_to(&mut self, x: &mut [f64], lambda: &mut [f64]) {
        for (value, (change, old)) in x.iter_mut().zip(self.x.iter().zip(&mut self.force)) {
            *old = *value;
            *value += change;
        }
        for (value, (change, old)) in lambda.iter_mut().zip(self.lambda.iter().zip(&mut self.bias)) {
            *old = *value;
            *value += change;
        }
    }

    /// Computes the residual of the equations.
    fn fill(&mut self, system: &System, force: &[f64], bias: &[f64], x: &[f64], lambda: &[f64]) {
        let graph = &**system.graph();
        self.force.copy_from_slice(force);
        self.bias.copy_from_slice(bias);
        for block in graph.all_blocks() {
            let range = graph.block_range(block);
            let (left, x, mass) = (&mut self.force[range.clone()], &x[range], system.mass(block));
            for i in 0..x.len() {
                for j in 0..x.len() {
                    let (low, high) = if i < j { (i, j) } else { (j, i) };
                    left[i] -= mass[packed_len(high) + low] * x[j];
                }
            }
        }
        for link in graph.all_links() {
            let rows = graph.row_range(link);
            let (left, lambda) = (&mut self.bias[rows.clone()], &lambda[rows]);
            for (end, block) in graph.ends(link).iter().enumerate() {
                let Some(block) = *block else { continue };
                let columns = graph.block_range(block);
                let (x, force) = (&x[columns.clone()], &mut self.force[columns]);
                let (jac, push) = (system.jac(link, end), system.force_columns(link, end));
                for row in 0..left.len() {
                    for j in 0..x.len() {
                        left[row] += jac[row * x.len() + j] * x[j];
                        force[j] += push[row * x.len() + j] * lambda[row];
                    }
                }
            }
            for (row, compliance) in system.compliance(link).iter().enumerate() {
                left[row] += compliance * lambda[row];
            }
        }
    }
}
