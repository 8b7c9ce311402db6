//! Delassus operator: response to forces along contact rows, with joints and loops held.
//!
//! ```text
//! M̂⁻¹ f       x of H (x, ·) = (f, 0), one solve with the current factor
//! A = J_c M̂⁻¹ J_cᵀ
//! ```
//!
//! J_c: contact rows. H = [[M, −Jᵀ], [−J, 0]] with J: rows of joints and loops. Baraff 1996, §8.

use crate::math::larger;
use crate::model::Model;
use crate::step::Workspace;
use crate::step::articulated;
use crate::step::contact::ContactSet;
use crate::step::workspace::{Equations, Solvers};

/// A row whose A is below this part of what it would be without joints is held by them.
const HELD_ROW: f64 = 1e-13;

/// out = M̂⁻¹ f with the current factor, f being `work.equations.system.force()`.
pub(crate) fn constrained_response(model: &Model, work: &mut Workspace, out: &mut [f64]) {
    work.counts.solves += work.passes();
    if work.solvers.articulated.is_some() {
        articulated::solve_for_force(model, work, out);
        return;
    }
    let Workspace {
        solvers: Solvers { solver, .. },
        equations: Equations { system, row_rhs, row_solution, .. },
        ..
    } = work;
    if let Some(solver) = solver {
        row_rhs.fill(0.0);
        solver.solve(system.force(), row_rhs, out, row_solution);
    }
}

impl ContactSet {
    /// Writes M̂⁻¹ Jᵀ and A of the rows of the set. Overwrites F of the system.
    pub(crate) fn write_delassus(&mut self, model: &Model, work: &mut Workspace) {
        let (k, n) = (self.contact_rows.rows.len(), model.v_len);
        self.columns.resize(k * n, 0.0);
        for (row, column) in self.columns.chunks_exact_mut(n).take(k).enumerate() {
            let force = work.equations.system.force_mut();
            force.fill(0.0);
            self.contact_rows.add_to(row, 1.0, force);
            constrained_response(model, work, column);
        }
        self.matrix.clear();
        self.matrix_formed.clear();
        self.responses.clear();
        for i in 0..k {
            for j in 0..k {
                let (a, size) = self.contact_rows.dot_with_size(i, &self.columns[j * n..(j + 1) * n]);
                self.matrix.push(a);
                if i == j {
                    // Where joints and drives hold the row, A is rounding, and so are its terms.
                    let free = self.contact_rows.free_response(model, i);
                    self.matrix_formed.push(if a <= HELD_ROW * free { larger(size, free) } else { size });
                    self.responses.push(a);
                }
            }
        }
        // A is symmetric up to rounding; make it exactly so.
        for i in 0..k {
            for j in 0..i {
                let mean = 0.5 * (self.matrix[i * k + j] + self.matrix[j * k + i]);
                (self.matrix[i * k + j], self.matrix[j * k + i]) = (mean, mean);
            }
        }
    }

    /// Sets F of the system to Σ Jᵀ x of all rows, and `work.stages.shift` to the response.
    pub(crate) fn respond_to(&self, model: &Model, work: &mut Workspace, x: &[f64]) {
        let force = work.equations.system.force_mut();
        force.fill(0.0);
        self.add_row_forces(x, force);
        let mut shift = std::mem::take(&mut work.stages.shift);
        constrained_response(model, work, &mut shift);
        work.stages.shift = shift;
    }

    /// Adds Σ Jᵀ x of all rows to `out`.
    pub(crate) fn add_row_forces(&self, x: &[f64], out: &mut [f64]) {
        for (row, &x) in x.iter().enumerate() {
            if x != 0.0 {
                self.contact_rows.add_to(row, x, out);
            }
        }
    }
}
