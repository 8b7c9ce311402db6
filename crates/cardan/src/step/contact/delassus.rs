//! Respond: how the mechanism answers pushes along the rows, once joints and loops have reacted.
//!
//! ```text
//! M̂⁻¹ f      the x of H (x, ·) = (f, 0) with the factor at hand: one solve
//! A = J M̂⁻¹ Jᵀ
//! ```

use crate::model::Model;
use crate::step::Workspace;
use crate::step::articulated;
use crate::step::contact::ContactSet;

/// out = M̂⁻¹ f with the factor at hand, f being what stands in `work.system.force()`.
pub(crate) fn constrained_response(model: &Model, work: &mut Workspace, out: &mut [f64]) {
    work.counts.solves += work.passes();
    if work.articulated.is_some() {
        articulated::solve_for_force(model, work, out);
        return;
    }
    let Workspace { solver, system, row_rhs, row_solution, .. } = work;
    if let Some(solver) = solver {
        row_rhs.fill(0.0);
        solver.solve(system.force(), row_rhs, out, row_solution);
    }
}

impl ContactSet {
    /// M̂⁻¹ Jᵀ and A of the rows of the sheet. F of the system is spoiled.
    pub(crate) fn write_delassus(&mut self, model: &Model, work: &mut Workspace) {
        let (k, n) = (self.contact_rows.rows.len(), model.v_len);
        self.columns.resize(k * n, 0.0);
        for (row, column) in self.columns.chunks_exact_mut(n).take(k).enumerate() {
            let force = work.system.force_mut();
            force.fill(0.0);
            self.contact_rows.add_to(model, row, 1.0, force);
            constrained_response(model, work, column);
        }
        self.matrix.clear();
        self.matrix_formed.clear();
        self.responses.clear();
        for i in 0..k {
            for j in 0..k {
                let (a, size) = self.contact_rows.dot(model, i, &self.columns[j * n..(j + 1) * n]);
                self.matrix.push(a);
                if i == j {
                    self.matrix_formed.push(size);
                    self.responses.push(a);
                }
            }
        }
        // Symmetric up to rounding; then exactly.
        for i in 0..k {
            for j in 0..i {
                let mean = 0.5 * (self.matrix[i * k + j] + self.matrix[j * k + i]);
                (self.matrix[i * k + j], self.matrix[j * k + i]) = (mean, mean);
            }
        }
    }

    /// F of the system becomes Σ Jᵀ x of all rows, and `work.shift` the response to it.
    pub(crate) fn respond_to(&self, model: &Model, work: &mut Workspace, x: &[f64]) {
        let force = work.system.force_mut();
        force.fill(0.0);
        self.add_row_forces(model, x, force);
        let mut shift = std::mem::take(&mut work.shift);
        constrained_response(model, work, &mut shift);
        work.shift = shift;
    }

    /// Σ Jᵀ x of all rows, added to `out`.
    pub(crate) fn add_row_forces(&self, model: &Model, x: &[f64], out: &mut [f64]) {
        for (row, &x) in x.iter().enumerate() {
            if x != 0.0 {
                self.contact_rows.add_to(model, row, x, out);
            }
        }
    }
}
