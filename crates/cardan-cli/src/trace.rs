//! `cardan solve --trace`: the six steps of Baraff 1996, §8.2, with their residuals.

use cardan::Model;
use cardan::solve::{Residual, Trace};
use serde::Serialize;

/// The steps in words.
pub(crate) fn text(model: &Model, trace: &Trace) -> String {
    format!("\n{}", trace.text(|link| model.name_of_link(link).to_string()))
}

/// What `--json` shows under `trace`. Residuals are relative to the terms that form the equations.
#[derive(Serialize)]
pub(crate) struct TraceJson<'a> {
    primary_solver: &'a str,
    primary_rows: usize,
    primary_redundant_rows: usize,
    /// Steps 2, 3, 5 and 6: the primary equations without auxiliary forces, in the columns, with them; all equations.
    without_residual: f64,
    column_residual: f64,
    small_residual: f64,
    with_residual: f64,
    whole_residual: f64,
    /// After rounds of iterative refinement, if these were needed.
    refined_residual: Option<f64>,
    least_pivot: f64,
    asymmetry: f64,
    visits_up: Option<usize>,
    visits_down: Option<usize>,
    auxiliary: Vec<AuxiliaryRowJson<'a>>,
}

#[derive(Serialize)]
struct AuxiliaryRowJson<'a> {
    name: &'a str,
    row: usize,
    force_elsewhere: bool,
    dropped: bool,
    missed_by: f64,
    response: f64,
    multiplier: f64,
    residual: f64,
}

impl<'a> TraceJson<'a> {
    pub(crate) fn new(model: &'a Model, trace: &'a Trace) -> Self {
        let worst =
            |of: &dyn Fn(&Residual) -> f64| trace.rows.iter().map(|row| of(&row.column)).fold(0.0, f64::max);
        TraceJson {
            primary_solver: trace.primary,
            primary_rows: trace.primary_rows,
            primary_redundant_rows: trace.redundant,
            without_residual: trace.without.worst(),
            column_residual: worst(&|column| column.worst()),
            small_residual: trace.small,
            with_residual: trace.with.worst(),
            whole_residual: trace.whole.worst(),
            refined_residual: trace.refined.map(|(_, left)| left.worst()),
            least_pivot: trace.least_pivot,
            asymmetry: trace.asymmetry,
            visits_up: trace.visits.map(|visits| visits.up),
            visits_down: trace.visits.map(|visits| visits.down),
            auxiliary: trace
                .rows
                .iter()
                .map(|row| AuxiliaryRowJson {
                    name: model.name_of_link(row.link),
                    row: row.row,
                    force_elsewhere: row.pushed,
                    dropped: row.dropped,
                    missed_by: row.missed_by,
                    response: row.response,
                    multiplier: row.mu,
                    residual: row.left,
                })
                .collect(),
        }
    }
}
