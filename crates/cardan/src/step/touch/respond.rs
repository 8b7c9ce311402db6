//! Respond: how the mechanism answers pushes along the rows, once joints and loops have reacted.
//!
//! ```text
//! M̂⁻¹ f      the x of H (x, ·) = (f, 0) with the factor at hand: one solve
//! A = J M̂⁻¹ Jᵀ
//! ```

use super::Touch;
use super::rows::Sheet;
use crate::model::Model;
use crate::step::{StepError, Workspace, limbs};
use cardan_solve::cone::{ConeError, Group, Problem};

/// The small problem a = A λ + b of the rows of a sheet.
#[derive(Debug, Default)]
pub(super) struct Small {
    pub(super) matrix: Vec<f64>,
    pub(super) bias: Vec<f64>,
    /// Sizes of what formed both.
    pub(super) matrix_formed: Vec<f64>,
    bias_formed: Vec<f64>,
    pub(super) groups: Vec<Group>,
}

impl Small {
    pub(super) fn problem(&self) -> Problem<'_> {
        Problem {
            groups: &self.groups,
            matrix: &self.matrix,
            bias: &self.bias,
            matrix_formed: &self.matrix_formed,
            bias_formed: &self.bias_formed,
        }
    }

    /// Room for rows whose biases follow; all of them push one way.
    pub(super) fn begin(&mut self, rows: usize) {
        self.bias.clear();
        self.bias_formed.clear();
        self.groups.clear();
        self.groups.resize(rows, Group::OneSided);
    }

    /// b of the next row.
    pub(super) fn push(&mut self, bias: f64, formed: f64) {
        self.bias.push(bias);
        self.bias_formed.push(formed);
    }
}

/// out = M̂⁻¹ f with the factor at hand, f being what stands in `work.system.force()`.
pub(super) fn respond(model: &Model, work: &mut Workspace, out: &mut [f64]) {
    work.counts.solves += work.passes();
    if work.limbs.is_some() {
        limbs::respond(model, work, out);
        return;
    }
    let Workspace { solver, system, row_side, row_answer, .. } = work;
    if let Some(solver) = solver {
        row_side.fill(0.0);
        solver.solve(system.force(), row_side, out, row_answer);
    }
}

impl Touch {
    /// M̂⁻¹ Jᵀ and A of the rows of the sheet. F of the system is spoiled.
    pub(super) fn write_matrix(&mut self, model: &Model, work: &mut Workspace) {
        let (k, n) = (self.sheet.rows.len(), model.v_len);
        self.columns.resize(k * n, 0.0);
        for (row, column) in self.columns.chunks_exact_mut(n).take(k).enumerate() {
            let force = work.system.force_mut();
            force.fill(0.0);
            self.sheet.add_to(model, row, 1.0, force);
            respond(model, work, column);
        }
        let small = &mut self.problem;
        small.matrix.clear();
        small.matrix_formed.clear();
        for i in 0..k {
            for j in 0..k {
                let (a, size) = self.sheet.dot(model, i, &self.columns[j * n..(j + 1) * n]);
                small.matrix.push(a);
                if i == j {
                    small.matrix_formed.push(size);
                }
            }
        }
        // Symmetric up to rounding; then exactly.
        for i in 0..k {
            for j in 0..i {
                let mean = 0.5 * (small.matrix[i * k + j] + small.matrix[j * k + i]);
                (small.matrix[i * k + j], small.matrix[j * k + i]) = (mean, mean);
            }
        }
    }

    /// Answers the small problem; λ and a are the solver's.
    pub(super) fn solve_small(&mut self, model: &Model, time: f64) -> Result<(), StepError> {
        let outcome = self.solver.solve(&self.problem.problem());
        outcome.map_err(|error| said(model, &self.set, time, error))
    }

    /// Σ Jᵀ x of all rows, added to `out`.
    pub(super) fn add_pushes(&self, model: &Model, sheet: &Sheet, x: &[f64], out: &mut [f64]) {
        for (row, &x) in x.iter().enumerate() {
            if x != 0.0 {
                sheet.add_to(model, row, x, out);
            }
        }
    }
}

/// What the small solver says, in words of the model.
#[cold]
pub(super) fn said(model: &Model, set: &[super::Key], time: f64, error: ConeError) -> StepError {
    let name = |row: &usize| {
        set.get(*row).map_or_else(String::new, |key| model.inequalities[key.0 as usize].name.clone())
    };
    match error {
        ConeError::Infeasible { rows } => {
            let mut names: Vec<String> = rows.iter().map(name).collect();
            names.dedup();
            StepError::Contradiction { inequalities: names, time }
        }
        error => StepError::Complementarity { error: error.to_string(), time },
    }
}
