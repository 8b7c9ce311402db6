//! Expansion phase of an impact by Poisson's law of restitution.
//!
//! ```text
//! ġ⁺ = A p + ġ_c
//! e c ≤ p_n ⟂ ġ⁺ ≥ 0      |p_t| ≤ μ p_n, opposite to the sliding velocity at the end
//! ```
//!
//! c, ġ_c: impulses and gap rates of the compression; p: impulses of the expansion; e: restitution.
//!
//! With p_n = e c + x this is a cone problem in x ≥ 0, except for the friction bound μ (e c + x).
//! That bound is the sum of two cones with the same sliding velocity: one on x, and one on a
//! separate row that is coupled to nothing and held at e c. If the contact slides, both forces have
//! the same direction and add up to μ e c + μ x; if it sticks, they share a force of at most that.

use crate::model::Model;
use crate::step::contact::complementarity::complementarity_error;
use crate::step::contact::{ContactSet, FrictionMode};
use crate::step_error::StepError;
use cardan_solve::complementarity::Group;

/// A row of the problem: a contact row, or the row of an item that is held at e c.
#[derive(Copy, Clone, PartialEq)]
enum ExpansionRow {
    Row(usize),
    Prescribed { normal: usize, push: f64 },
}

impl ContactSet {
    /// From the compression in `lambda` to the whole impact: adds the expansion impulses of the
    /// items numbered in `part`.
    pub(crate) fn expand(
        &mut self,
        model: &Model,
        part: &[usize],
        rates: &[f64],
        e: &[f64],
        time: f64,
    ) -> Result<(), StepError> {
        let all = self.contact_rows.rows.len();
        let ContactSet { set, contact_rows, matrix, matrix_formed, complementarity: w, lambda, .. } = self;
        let given = |i: usize| e[i] * lambda[set[i].row];
        if !part.iter().any(|&i| given(i) > 0.0) {
            return Ok(());
        }
        let pushed = |row: usize| -> f64 {
            let compressed = lambda.iter().enumerate().map(|(j, p)| matrix[row * all + j] * p).sum::<f64>();
            let back = part.iter().map(|&i| matrix[row * all + set[i].row] * given(i)).sum::<f64>();
            rates[row] + compressed + back
        };
        w.groups.clear();
        let mut lines = Vec::new();
        for &i in part {
            let item = &set[i];
            let across = item.row + 1..item.row + 1 + item.tangents;
            let mu = item.static_friction();
            let group = match (item.mode, item.tangents) {
                (FrictionMode::Stick, 1) => Group::Wedge { mu },
                (FrictionMode::Stick, 2) => Group::Cone { mu },
                _ => Group::OneSided,
            };
            w.groups.push(group);
            lines.push(ExpansionRow::Row(item.row));
            if group != Group::OneSided {
                lines.extend(across.clone().map(ExpansionRow::Row));
                if given(i) > 0.0 {
                    w.groups.push(group);
                    lines.push(ExpansionRow::Prescribed { normal: item.row, push: given(i) });
                    lines.extend(across.map(ExpansionRow::Row));
                }
            }
        }
        w.rows.clear();
        w.guess.clear();
        for out in [&mut w.matrix, &mut w.matrix_formed, &mut w.bias, &mut w.bias_formed] {
            out.clear();
        }
        for line in &lines {
            let (row, bias, formed) = match *line {
                ExpansionRow::Row(row) => (row, pushed(row), contact_rows.rows[row].rate_scale),
                ExpansionRow::Prescribed { normal, push } => {
                    let own = matrix[normal * all + normal];
                    (normal, -own * push, own * push)
                }
            };
            w.rows.push(row);
            w.matrix_formed.push(matrix_formed[row]);
            w.bias.push(bias);
            w.bias_formed.push(formed);
            w.matrix.extend(lines.iter().map(|other| match (*line, *other) {
                (ExpansionRow::Row(row), ExpansionRow::Row(other)) => matrix[row * all + other],
                (one, other) if one == other => matrix[row * all + row],
                _ => 0.0,
            }));
        }
        let has_cones = w.groups.iter().any(|group| *group != Group::OneSided);
        let outcome = if has_cones { w.solve_cones() } else { w.solve_frictionless() };
        outcome.map_err(|error| complementarity_error(model, set, &w.rows, time, error))?;
        let back: Vec<(usize, f64)> = part.iter().map(|&i| (set[i].row, given(i))).collect();
        for (row, push) in back {
            lambda[row] += push;
        }
        let x = if has_cones { w.cones.lambda() } else { w.exact.lambda() };
        for (line, x) in lines.iter().zip(x) {
            if let ExpansionRow::Row(row) = line {
                lambda[*row] += x;
            }
        }
        Ok(())
    }
}
