//! Where the time of auxiliary rows goes (Baraff 1996, §9): factor, columns, products, the small system, two solves.

use cardan::LinearSolve;
use cardan::solve::{FactorError, Piece};
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

/// Repetitions, of each of which every piece is timed.
const REPEATS: usize = 2001;

/// Medians [ns] of the pieces of one linear solve with auxiliary rows.
#[derive(Copy, Clone, Debug, Default, Serialize)]
pub(crate) struct Split {
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

/// `None` where no row is anticipated.
pub(super) fn split(solve: &mut LinearSolve) -> Result<Option<Split>, FactorError> {
    let mut samples: [Vec<f64>; 6] = [(); 6].map(|()| Vec::with_capacity(REPEATS));
    for _ in 0..REPEATS {
        let mut spent = [0.0; 6];
        let mut last = Instant::now();
        let any = solve.anticipate(&mut |piece| {
            let now = Instant::now();
            spent[place(piece)] += (now - last).as_nanos() as f64;
            last = now;
        })?;
        if !any {
            return Ok(None);
        }
        samples.iter_mut().zip(spent).for_each(|(list, spent)| list.push(spent));
    }
    let [factor, without, columns, products, small, with] = samples.map(|mut list| {
        list.sort_by(f64::total_cmp);
        list[REPEATS / 2]
    });
    Ok(Some(Split { factor, without, columns, products, small, with }))
}

fn place(piece: Piece) -> usize {
    match piece {
        Piece::Factor => 0,
        Piece::Without => 1,
        Piece::Column => 2,
        Piece::Products => 3,
        Piece::Small => 4,
        Piece::With => 5,
    }
}

impl Split {
    /// A table; `whole` is the time of an acceleration solve with everything, in ns.
    pub(super) fn table(&self, name: &str, whole: f64) -> String {
        let linear = self.factor + self.without + self.columns + self.products + self.small + self.with;
        let mut text = format!("\n{name}: where the time goes{:>14}{:>8}\n", "[µs]", "share");
        let mut line = |what: &str, ns: f64| {
            let _ = writeln!(text, "  {what:42} {:>9.2}  {:>5.1} %", ns / 1e3, 100.0 * ns / (linear + (whole - linear).max(0.0)));
        };
        line("   poses, forces, rows: M, F, J, c", (whole - linear).max(0.0));
        line("1  factor of the primary rows", self.factor);
        line("2  solve without auxiliary forces", self.without);
        line("3  responses to auxiliary forces", self.columns);
        line("3  their products with the rows: A", self.products);
        line("4  A and its multipliers", self.small);
        line("5  solve with auxiliary forces", self.with);
        text
    }
}
