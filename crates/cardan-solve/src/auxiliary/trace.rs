//! The six steps of Baraff 1996, §8.2, in order, each with its residual.

use crate::tolerances::ROUNDING_OF_ELIMINATION;
use std::fmt::Write;

use super::{AuxiliarySchur, Visits};
use crate::error::FactorError;
use crate::graph::Link;
use crate::refine::Refiner;
use crate::residual::{Residual, residual_relative_to_forces};
use crate::solver::Solver;
use crate::system::System;

/// An auxiliary row in the six steps.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedRow {
    /// The link of the row.
    pub link: Link,
    /// Index of the row in its link.
    pub row: usize,
    /// Whether its link has force columns of its own: K ≠ Jᵀ.
    pub pushed: bool,
    /// Whether it was dropped because it depends on others.
    pub dropped: bool,
    /// Step 2: Jᵃ x̂ + cᵃ, the error of the row with the primary links alone.
    pub missed_by: f64,
    /// Step 3: residual of the primary equations for its column M̂⁻¹ k.
    pub column: Residual,
    /// Step 3: its entry on the diagonal of A.
    pub response: f64,
    /// Step 4: its multiplier.
    pub mu: f64,
    /// Step 5: |Jᵃ x + Eᵃ μ + cᵃ| relative to the terms that form it, which are those of A μ + b too.
    pub left: f64,
}

/// Record of the six steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Name of the solver of the primary links.
    pub primary: &'static str,
    /// Number of unknowns.
    pub unknowns: usize,
    /// Number of rows of the primary links.
    pub primary_rows: usize,
    /// Number of redundant rows among them.
    pub redundant: usize,
    /// Blocks that step 3 visits on a tree.
    pub visits: Option<Visits>,
    /// Step 2: residual of the primary links without the auxiliary ones.
    pub without: Residual,
    /// The auxiliary rows in the order of their links.
    pub rows: Vec<TracedRow>,
    /// Step 3: largest |A_ij − A_ji| relative to the largest entry; zero if no link has force columns of its
    /// own.
    pub asymmetry: f64,
    /// Step 4: the smallest pivot of the scaled A.
    pub least_pivot: f64,
    /// Step 4: |A μ + b| relative to its largest terms.
    pub small: f64,
    /// Step 5: residual of the primary links with the auxiliary forces.
    pub with: Residual,
    /// Step 6: residual of all equations.
    pub whole: Residual,
    /// Number of rounds of iterative refinement that helped, and the residual after them. Multipliers are
    /// those after refinement.
    pub refined: Option<(u32, Residual)>,
}

impl AuxiliarySchur {
    /// Performs the six steps for the right-hand side of `system` and measures each. Leaves the factor for
    /// further solves. Slower than a solve, since the residual of every column is computed.
    ///
    /// # Errors
    /// As [`factor`](AuxiliarySchur::factor).
    pub fn trace(&mut self, system: &System) -> Result<Trace, FactorError> {
        self.factor(system)?;
        let (force, bias) = (system.force(), system.bias());
        let (mut x, mut lambda) = (vec![0.0; force.len()], vec![0.0; bias.len()]);

        self.take_biases(bias);
        self.primary.correct(force, &self.bias, &mut x, &mut self.lambda);
        let without = judge(&self.system, force, &self.bias, &x, &self.lambda);
        self.open_by(bias, &x);
        let missed = self.gap.clone();

        let columns: Vec<Residual> = (0..self.columns()).map(|i| self.judge_column(i)).collect();
        self.solve(force, bias, &mut x, &mut lambda);
        let with = judge(&self.system, &self.force, &self.bias, &x, &self.lambda);
        let whole = judge(system, force, bias, &x, &lambda);
        let lefts: Vec<f64> = (0..self.columns()).map(|i| self.judge_row(i, system, &x, &missed)).collect();
        let small = self.judge_small(&missed);
        let refined = self.refine(system, whole, &mut x, &mut lambda);
        let rows = (0..self.columns())
            .map(|i| {
                let (aux, row) = self.row_of(i);
                let (link, at) = (aux.link, aux.at + row);
                TracedRow {
                    link,
                    row,
                    pushed: aux.pushed,
                    dropped: self.dropped.iter().any(|d| (d.link, d.row) == (link, row)),
                    missed_by: missed[i],
                    column: columns[i],
                    response: self.small.a[i * self.columns() + i],
                    mu: lambda[at],
                    left: lefts[i],
                }
            })
            .collect();
        let redundant = match &*self.primary {
            Solver::ConjugateGradient(_) => 0,
            direct => direct.dropped().len(),
        };
        Ok(Trace {
            primary: self.primary.name(),
            unknowns: force.len(),
            primary_rows: self.bias.len(),
            redundant,
            visits: self.visits(),
            without,
            rows,
            asymmetry: self.asymmetry(),
            least_pivot: self.small.least_pivot(),
            small,
            with,
            whole,
            refined,
        })
    }

    /// Residual of a column M̂⁻¹ k in the primary equations.
    fn judge_column(&mut self, i: usize) -> Residual {
        let nothing = vec![0.0; self.force.len()];
        self.mu.fill(0.0);
        self.mu[i] = 1.0;
        self.push_on(&nothing);
        let (mut x, mut lambda) = (nothing, vec![0.0; self.bias.len()]);
        self.primary.correct(&self.force, &self.zero_bias, &mut x, &mut lambda);
        judge(&self.system, &self.force, &self.zero_bias, &x, &lambda)
    }

    /// Residual of an auxiliary row, relative to what formed it.
    fn judge_row(&self, i: usize, system: &System, x: &[f64], missed: &[f64]) -> f64 {
        let ((aux, row), k) = (self.row_of(i), self.columns());
        let bias = system.bias()[aux.at + row];
        let give = system.compliance(aux.link)[row] * self.mu[i];
        let (value, terms) = self.row_times(aux, row, x);
        let pushed: f64 = (0..k).map(|j| (self.small.a[i * k + j] * self.mu[j]).abs()).sum();
        let formed = terms + bias.abs() + give.abs() + missed[i].abs() + pushed;
        if formed > 0.0 { (value + bias + give).abs() / formed } else { 0.0 }
    }

    /// At most three rounds of refinement, as long as they help, if the residual is above rounding.
    fn refine(
        &self,
        system: &System,
        whole: Residual,
        x: &mut [f64],
        lambda: &mut [f64],
    ) -> Option<(u32, Residual)> {
        if whole.worst() <= ROUNDING_OF_ELIMINATION {
            return None;
        }
        let mut solver = Solver::WithAuxiliary(Box::new(self.clone()));
        let mut refiner = Refiner::new(&self.graph);
        let (mut rounds, mut left) = (0, whole);
        while rounds < 3 && left.worst() > ROUNDING_OF_ELIMINATION {
            let after = refiner.refine(&mut solver, system, (system.force(), system.bias()), x, lambda);
            if after.worst() >= left.worst() {
                break;
            }
            (rounds, left) = (rounds + 1, after);
        }
        (rounds > 0).then_some((rounds, left))
    }

    fn asymmetry(&self) -> f64 {
        let (k, a) = (self.columns(), &self.small.a);
        let (mut off, mut largest) = (0.0, 0.0);
        for i in 0..k {
            for j in 0..k {
                let (size, difference) = (a[i * k + j].abs(), (a[i * k + j] - a[j * k + i]).abs());
                largest = if size > largest { size } else { largest };
                off = if difference > off { difference } else { off };
            }
        }
        if largest > 0.0 { off / largest } else { 0.0 }
    }

    /// Worst |A μ + b| of the rows in use, scaled, relative to the largest terms of all rows: those of one
    /// row may be rounding.
    fn judge_small(&self, b: &[f64]) -> f64 {
        let (k, mut worst, mut largest) = (self.columns(), 0.0, 0.0);
        let dropped: Vec<usize> = self.small.left_over().collect();
        for i in (0..k).filter(|i| !dropped.contains(i)) {
            let (mut sum, mut formed) = (b[i], b[i].abs());
            for j in 0..k {
                let term = self.small.a[i * k + j] * self.mu[j];
                sum += term;
                formed += term.abs();
            }
            let scale = self.small.row_scale[i];
            let (left, formed) = (sum.abs() / scale, formed / scale);
            worst = if left > worst { left } else { worst };
            largest = if formed > largest { formed } else { largest };
        }
        if worst > 0.0 { worst / largest } else { 0.0 }
    }
}

/// Residual of a solution, meaningful for entries that are zero but for rounding.
fn judge(system: &System, force: &[f64], bias: &[f64], x: &[f64], lambda: &[f64]) -> Residual {
    residual_relative_to_forces(system, (force, bias), x, lambda, &mut vec![0.0; x.len()])
}

impl Trace {
    /// The six steps in words; `name` gives the name of a link.
    pub fn text(&self, name: impl Fn(Link) -> String) -> String {
        let mut text = String::new();
        let k = self.rows.len();
        let worst = |value: &dyn Fn(&TracedRow) -> f64| {
            self.rows.iter().map(value).fold(0.0, |w, v| if v > w || v.is_nan() { v } else { w })
        };
        let column = worst(&|row| row.column.worst());
        let missed = worst(&|row| row.missed_by.abs());
        let left = worst(&|row| if row.dropped { 0.0 } else { row.left });
        let _ = writeln!(text, "auxiliary constraints (Baraff 1996, §8.2)");
        let _ = writeln!(
            text,
            "  1  factor H of the primary rows: {} unknowns, {} rows, {} redundant ({})",
            self.unknowns, self.primary_rows, self.redundant, self.primary
        );
        let _ = writeln!(
            text,
            "  2  v' without auxiliary forces: primary equations left over {:.1e}; auxiliary rows missed by up to {missed:.3e}",
            self.without.worst()
        );
        let _ = writeln!(
            text,
            "  3  {k} responses to auxiliary forces: primary equations left over {column:.1e}; A is {k} × {k}, asymmetry {:.1e}",
            self.asymmetry
        );
        if let Some(Visits { up, down, all }) = self.visits {
            let _ = writeln!(text, "     passing {up} places up and {down} down, of {all} each way");
        }
        let dropped = self.rows.iter().filter(|row| row.dropped).count();
        let _ = writeln!(
            text,
            "  4  A μ = −b: left over {:.1e}; least pivot {:.1e}; {dropped} redundant rows dropped",
            self.small, self.least_pivot
        );
        let _ = writeln!(
            text,
            "  5  primary response to all forces: primary equations left over {:.1e}; auxiliary rows left over {left:.1e}",
            self.with.worst()
        );
        let _ = writeln!(
            text,
            "  6  net acceleration: M v' − F − Jᵀλ − K μ left over {:.1e}, all rows {:.1e}",
            self.whole.balance, self.whole.rows
        );
        if let Some((rounds, left)) = self.refined {
            let _ = writeln!(
                text,
                "     after {rounds} rounds of refinement {:.1e} and {:.1e}",
                left.balance, left.rows
            );
        }
        if k > 0 {
            let width = self.rows.iter().map(|row| name(row.link).chars().count()).fold(14, usize::max);
            let _ = writeln!(
                text,
                "\n{:width$}  row  force     missed by      response             μ  left over",
                "auxiliary row"
            );
            for row in &self.rows {
                let force = match (row.dropped, row.pushed) {
                    (true, _) => "dropped",
                    (_, true) => "K",
                    _ => "Jᵀ",
                };
                let _ = writeln!(
                    text,
                    "{:width$}  {:>3}  {force:7} {:>12.4e}  {:>12.4e}  {:>12.6}  {:>9.1e}",
                    name(row.link),
                    row.row,
                    row.missed_by,
                    row.response,
                    row.mu,
                    row.left
                );
            }
        }
        text
    }
}
