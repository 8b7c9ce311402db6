//! Where the time of auxiliary rows goes (Baraff 1996, §9): factor, columns, products, the small system, two solves.

use cardan::LinearSolve;
use cardan::solve::{FactorError, SolveStage};
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

/// Repetitions, of each of which every piece is timed.
const REPEATS: usize = 2000;

/// The pieces of one linear solve with auxiliary rows [ns], of the repetition that took least.
#[derive(Copy, Clone, Debug, Default, Serialize)]
pub(crate) struct AuxiliarySplit {
    #[serde(rename = "factor_ns")]
    factor: f64,
    #[serde(rename = "without_ns")]
    without: f64,
    #[serde(rename = "columns_ns")]
    columns: f64,
    #[serde(rename = "products_ns")]
    products: f64,
    #[serde(rename = "small_ns")]
    small: f64,
    #[serde(rename = "with_ns")]
    with: f64,
}

/// `None` without auxiliary rows.
pub(super) fn split(solve: &mut LinearSolve) -> Result<Option<AuxiliarySplit>, FactorError> {
    let mut least: Option<[f64; 6]> = None;
    for _ in 0..REPEATS {
        let mut spent = [0.0; 6];
        let mut last = Instant::now();
        let any = solve.solve_in_stages(&mut |piece| {
            let now = Instant::now();
            spent[place(piece)] += (now - last).as_nanos() as f64;
            last = now;
        })?;
        if !any {
            return Ok(None);
        }
        let total = |pieces: &[f64; 6]| pieces.iter().sum::<f64>();
        if least.as_ref().is_none_or(|least| total(&spent) < total(least)) {
            least = Some(spent);
        }
    }
    Ok(least.map(|[factor, without, columns, products, small, with]| AuxiliarySplit {
        factor,
        without,
        columns,
        products,
        small,
        with,
    }))
}

fn place(piece: SolveStage) -> usize {
    match piece {
        SolveStage::Factor => 0,
        SolveStage::Without => 1,
        SolveStage::Column => 2,
        SolveStage::Products => 3,
        SolveStage::Schur => 4,
        SolveStage::With => 5,
    }
}

impl AuxiliarySplit {
    /// A table; `whole` is the least time of an acceleration solve with everything [ns].
    pub(super) fn table(&self, name: &str, whole: f64) -> String {
        let linear = self.factor + self.without + self.columns + self.products + self.small + self.with;
        let rows = (whole - linear).max(0.0);
        let title = format!("{name}: where the time goes");
        let mut text = format!("\n{title:44} {:>9}  {:>7}\n", "[µs]", "share");
        for (what, ns) in [
            ("   poses, forces, rows: M, F, J, c", rows),
            ("1  factor of the primary rows", self.factor),
            ("2  solve without auxiliary forces", self.without),
            ("3  responses to auxiliary forces", self.columns),
            ("3  their products with the rows: A", self.products),
            ("4  A and its multipliers", self.small),
            ("5  solve with auxiliary forces", self.with),
        ] {
            let share = 100.0 * ns / (linear + rows);
            let _ = writeln!(text, "  {what:42} {:>9.2}  {share:>5.1} %", ns / 1e3);
        }
        text
    }
}
