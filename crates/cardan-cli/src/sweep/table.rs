//! What came of a study: a table, a plot of results against a parameter, JSON.

use crate::Failure;
use crate::output::cannot_write;
use crate::picture::chart::{Chart, Panel, Series};
use crate::report::{format_number, plural, table_of};
use cardan_scene::study::{Study, StudyRow};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

/// Rows and failures that the summary shows; the table and JSON have them all.
const SHOWN: usize = 40;
const SHOWN_FAILURES: usize = 5;

pub(crate) struct Summary<'s> {
    pub(crate) study: &'s Study,
    /// Which parameters vary.
    pub(crate) varied: Range<usize>,
    pub(crate) rows: &'s [StudyRow],
    pub(crate) digest: u64,
    /// Rows that were run now, not taken from the log.
    pub(crate) ran: usize,
    pub(crate) wall: f64,
    pub(crate) threads: usize,
}

impl Summary<'_> {
    /// Names of all results, in order.
    fn results(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (results, _) in self.rows.iter().filter_map(|row| row.outcome.as_ref().ok()) {
            // All rows of a study have the same, but for parts that a value adds.
            if results.len() > names.len() || names.is_empty() {
                names = results.keys().map(String::as_str).collect();
            }
        }
        names
    }

    /// Parameters, results, state hash and error of every row, in their order. The file appears at once.
    pub(crate) fn write_csv(&self, path: &Path) -> Result<(), Failure> {
        let cannot = |error: &dyn std::fmt::Display| cannot_write(path, error);
        let results = self.results();
        let mut table = csv::Writer::from_writer(Vec::new());
        let heads = self.study.parameters().iter().map(String::as_str).chain(results.iter().copied());
        table.write_record(heads.chain(["state_hash", "error"])).map_err(|error| cannot(&error))?;
        for row in self.rows {
            let mut cells = row.values.clone();
            match &row.outcome {
                Ok((found, hash)) => {
                    cells.extend(
                        results
                            .iter()
                            .map(|name| found.get(*name).map_or(String::new(), |x| format!("{x:e}"))),
                    );
                    cells.extend([format!("{hash:016x}"), String::new()]);
                }
                Err(error) => {
                    cells.extend(results.iter().map(|_| String::new()));
                    cells.extend([String::new(), first_line(error).to_string()]);
                }
            }
            table.write_record(&cells).map_err(|error| cannot(&error))?;
        }
        let bytes = table.into_inner().map_err(|error| cannot(&error))?;
        crate::output::replace(path, &bytes)
    }

    pub(crate) fn text(&self) -> String {
        let results = self.results();
        let heads: Vec<&str> =
            self.study.parameters()[self.varied.clone()].iter().skip(1).map(String::as_str).collect();
        let heads: Vec<&str> = heads.into_iter().chain(results.iter().copied()).collect();
        let first = self.study.parameters().get(self.varied.start).map_or("row", String::as_str);
        let numbers: Vec<String> = self.rows.iter().map(|row| row.row.to_string()).collect();
        let names =
            self.rows.iter().zip(&numbers).map(|(row, number)| {
                row.values.get(self.varied.start).map_or(number.as_str(), String::as_str)
            });
        let mut text = String::new();
        table_of(SHOWN, &mut text, first, &heads, names, |i| {
            let row = &self.rows[i];
            let others = row.values[self.varied.clone()].iter().skip(1).cloned();
            let cells = results.iter().map(|name| match &row.outcome {
                Ok((found, _)) => found.get(*name).map_or("–".to_string(), |x| format_number(*x)),
                Err(_) => "failed".to_string(),
            });
            others.chain(cells).collect()
        });
        let failures: Vec<&StudyRow> = self.rows.iter().filter(|row| row.outcome.is_err()).collect();
        if !failures.is_empty() {
            let _ =
                writeln!(text, "\n{} of {} failed", plural(failures.len(), "row", "rows"), self.rows.len());
        }
        for row in failures.iter().take(SHOWN_FAILURES) {
            let values = self.study.parameters().iter().zip(&row.values).skip(self.varied.start);
            let values: Vec<String> = values.map(|(name, value)| format!("{name}={value}")).collect();
            let why = row.outcome.as_ref().err().map_or("", |error| first_line(error));
            let _ = writeln!(text, "  {}: {why}", values.join(", "));
        }
        let from_log = self.rows.len() - self.ran.min(self.rows.len());
        let from_log = if from_log > 0 { format!(" ({from_log} from the log)") } else { String::new() };
        let _ = writeln!(
            text,
            "\n{}{from_log} in {} s on {}; digest {:016x}",
            plural(self.rows.len(), "row", "rows"),
            format_number((self.wall * 1e3).round() / 1e3),
            plural(self.threads, "thread", "threads"),
            self.digest
        );
        text
    }

    pub(crate) fn json(&self) -> String {
        let row = |row: &StudyRow| {
            let names = self.study.parameters().iter();
            let values: Map<String, Value> =
                names.zip(&row.values).map(|(name, value)| (name.clone(), value_of(value))).collect();
            match &row.outcome {
                Ok((results, hash)) => {
                    json!({ "row": row.row, "values": values, "results": results, "state_hash": format!("{hash:016x}") })
                }
                Err(error) => json!({ "row": row.row, "values": values, "error": error }),
            }
        };
        let all = json!({
            "scene": self.study.name(),
            "parameters": self.study.parameters(),
            "measures": self.study.measures(),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "failed": self.rows.iter().filter(|row| row.outcome.is_err()).count(),
            "wall_seconds": self.wall,
            "digest": format!("{:016x}", self.digest),
        });
        format!("{all}\n")
    }

    /// A panel per result, against the first parameter that varies; a curve for every combination of the others.
    pub(crate) fn chart(&self) -> Result<Chart, Failure> {
        let at = self.varied.start;
        let mut panels = Vec::new();
        for name in self.results() {
            let mut series: Vec<Series> = Vec::new();
            for row in self.rows {
                let Ok((results, _)) = &row.outcome else { continue };
                let (Some(x), Some(&y)) = (number_of(&row.values[at]), results.get(name)) else { continue };
                let others =
                    self.study.parameters()[self.varied.clone()].iter().zip(&row.values[self.varied.clone()]);
                let others: Vec<String> =
                    others.skip(1).map(|(name, value)| format!("{name} = {value}")).collect();
                let label = if others.is_empty() { name.to_string() } else { others.join(", ") };
                match series.iter_mut().find(|series| series.name == label) {
                    Some(series) => series.points.push([x, y]),
                    None => series.push(Series { name: label, points: vec![[x, y]] }),
                }
            }
            for series in &mut series {
                series.points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            }
            panels.push(Panel { y_label: name.to_string(), series });
        }
        if panels.is_empty() {
            return Err(Failure::Run("no row came to its end: there is nothing to plot".to_string()));
        }
        let x_label = match self.rows.first().map_or("", |row| unit_of(&row.values[at])) {
            "" => self.study.parameters()[at].clone(),
            unit => format!("{} [{unit}]", self.study.parameters()[at]),
        };
        Ok(Chart { title: self.study.name().to_string(), x_label, panels })
    }
}

/// The number of a value, with or without a unit behind it.
fn number_of(value: &str) -> Option<f64> {
    value.trim_matches('"').split_whitespace().next().and_then(|word| word.parse().ok())
}

fn unit_of(value: &str) -> &str {
    value.trim_matches('"').split_once(' ').map_or("", |(_, unit)| unit.trim())
}

/// Whether the first parameter that varies can be the axis of a plot, before anything is run.
pub(crate) fn check_axis(study: &Study, varied: &Range<usize>) -> Result<(), Failure> {
    let bad = |why: &str| Err(Failure::Input(format!("error: --plot: {why}, since it is the axis")));
    if varied.is_empty() {
        return bad("a parameter must vary");
    }
    let values = || study.rows().iter().filter_map(|row| row.get(varied.start));
    if !values().all(|value| number_of(value).is_some()) {
        return bad("the first parameter that varies must have numbers");
    }
    let units: std::collections::BTreeSet<&str> = values().map(|value| unit_of(value)).collect();
    match units.len() {
        0 | 1 => Ok(()),
        _ => bad("the values of the first parameter that varies must have one unit"),
    }
}

/// A number where a value is one, else its text.
fn value_of(text: &str) -> Value {
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(integer), _) => integer.into(),
        (_, Ok(x)) if x.is_finite() => x.into(),
        _ => text.into(),
    }
}

/// The sentence of an error; what follows shows the place in a file.
fn first_line(error: &str) -> &str {
    error.lines().next().unwrap_or_default()
}
