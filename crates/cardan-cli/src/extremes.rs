//! Least and greatest values of columns over the recorded rows, and root mean squares.

use crate::report::{format_number, table_of};
use cardan_scene::{Column, Columns};
use serde::Serialize;

/// Columns that the summary shows; JSON has them all.
const SHOWN: usize = 40;

/// Columns whose extremes are followed.
pub(crate) struct Extremes {
    selected: Vec<usize>,
    sums: Vec<Sums>,
    from: f64,
    last: f64,
}

/// Of one column: values with their times, ∫ x² dt, and the last value.
#[derive(Clone)]
struct Sums {
    least: [f64; 2],
    greatest: [f64; 2],
    squares: f64,
    last: f64,
}

/// One column over a run, as reports have it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ColumnExtremes {
    #[serde(skip)]
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) least: f64,
    pub(crate) least_time: f64,
    pub(crate) greatest: f64,
    pub(crate) greatest_time: f64,
    /// √(∫ x² dt / T), by the trapezoidal rule.
    pub(crate) rms: f64,
    pub(crate) last: f64,
}

impl ColumnExtremes {
    /// Name and unit.
    pub(crate) fn head(&self) -> String {
        Column { name: self.name.clone(), unit: self.unit }.head()
    }
}

impl Extremes {
    pub(crate) fn new(selected: Vec<usize>) -> Self {
        let nothing = [f64::NAN; 2];
        let sums = Sums { least: nothing, greatest: nothing, squares: 0.0, last: f64::NAN };
        Extremes { sums: vec![sums; selected.len()], selected, from: f64::NAN, last: f64::NAN }
    }

    /// What a report shows unless columns are named: forces of drives, forces and contacts, and reactions.
    pub(crate) fn usual(columns: &Columns) -> Vec<usize> {
        let is_usual = |column: &Column| {
            let name = column.name.as_str();
            match name.split('.').next() {
                Some("forces") => {
                    name.ends_with(".force") || name.ends_with(".torque") || name.ends_with("force.norm")
                }
                Some("contacts") => name.ends_with(".normal"),
                Some("joints") => name.contains(".drive.") || name.ends_with(".force.norm"),
                _ => false,
            }
        };
        (0..columns.all().len()).filter(|&i| is_usual(&columns.all()[i])).collect()
    }

    /// Takes a row; time is its first number.
    pub(crate) fn take(&mut self, row: &[f64]) {
        let time = row[0];
        let passed = time - self.last;
        for (sums, &i) in self.sums.iter_mut().zip(&self.selected) {
            let x = row[i];
            // A part that is switched off has no number.
            if x < sums.least[1] || sums.least[1].is_nan() {
                sums.least = [time, x];
            }
            if x > sums.greatest[1] || sums.greatest[1].is_nan() {
                sums.greatest = [time, x];
            }
            if passed > 0.0 && !x.is_nan() && !sums.last.is_nan() {
                sums.squares += 0.5 * passed * (x * x + sums.last * sums.last);
            }
            sums.last = x;
        }
        if self.from.is_nan() {
            self.from = time;
        }
        self.last = time;
    }

    pub(crate) fn of(&self, columns: &[Column]) -> Vec<ColumnExtremes> {
        let time = self.last - self.from;
        let of = |(&i, sums): (&usize, &Sums)| ColumnExtremes {
            name: columns[i].name.clone(),
            unit: columns[i].unit,
            least: sums.least[1],
            least_time: sums.least[0],
            greatest: sums.greatest[1],
            greatest_time: sums.greatest[0],
            rms: if time > 0.0 { (sums.squares / time).sqrt() } else { sums.last.abs() },
            last: sums.last,
        };
        self.selected.iter().zip(&self.sums).map(of).collect()
    }
}

/// A table of extremes.
pub(crate) fn text(all: &[ColumnExtremes]) -> String {
    let mut text = String::new();
    let heads = ["least", "at [s]", "greatest", "at [s]", "root mean square"];
    let names: Vec<String> = all.iter().map(ColumnExtremes::head).collect();
    table_of(SHOWN, &mut text, "over the run", &heads, names.iter().map(String::as_str), |i| {
        let c = &all[i];
        // Zero beside the peak is rounding.
        let size = c.least.abs().max(c.greatest.abs());
        let clean = |x: f64| if x.abs() < 1e-12 * size { 0.0 } else { x };
        [clean(c.least), c.least_time, clean(c.greatest), c.greatest_time, c.rms].map(format_number).to_vec()
    });
    text
}
