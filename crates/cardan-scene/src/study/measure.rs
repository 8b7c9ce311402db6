//! Numbers of a run: the last value of a column, its peak, its extremes, its root mean square.

use super::{Results, StudyError};
use crate::columns::Columns;

/// How a column becomes one number.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Statistic {
    Last,
    Peak,
    Max,
    Min,
    Rms,
}

/// What is measured of a run: `peak:joints.A.drive.0`. Without a word before the colon the last value;
/// with a prefix of column names (`last:bodies.rod.position`) all columns below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    statistic: Statistic,
    column: String,
}

impl Measure {
    /// Reads `last:COLUMN`, `peak:`, `max:`, `min:`, `rms:` or a column alone.
    ///
    /// # Errors
    /// If the word before the colon is none of these.
    pub fn read(text: &str) -> Result<Self, StudyError> {
        let (word, column) = text.split_once(':').unwrap_or(("last", text));
        let statistic = match word {
            "last" => Statistic::Last,
            "peak" => Statistic::Peak,
            "max" => Statistic::Max,
            "min" => Statistic::Min,
            "rms" => Statistic::Rms,
            _ => {
                let why = format!("`{word}` is none of last, peak, max, min, rms");
                return Err(StudyError::Measure { text: text.into(), why });
            }
        };
        Ok(Measure { statistic, column: column.into() })
    }
}

/// Measures of one run.
pub(super) struct Measures {
    /// Name of the result, column, what is wanted of it.
    wanted: Vec<(String, usize, Statistic)>,
    /// Of each: greatest, least, ∫ x² dt, last value.
    sums: Vec<[f64; 4]>,
    from: f64,
    last: f64,
}

impl Measures {
    pub(super) fn new(columns: &Columns, measures: &[String]) -> Result<Self, StudyError> {
        let mut wanted = Vec::new();
        for text in measures {
            let measure = Measure::read(text)?;
            let found = columns.select([measure.column.as_str()]);
            let found =
                found.map_err(|why| StudyError::Measure { text: text.clone(), why: why.to_string() })?;
            let word = text.split_once(':').map_or("", |(word, _)| word);
            for at in found {
                let name = &columns.all()[at].name;
                let name = if word.is_empty() { name.clone() } else { format!("{word}:{name}") };
                wanted.push((name, at, measure.statistic));
            }
        }
        let sums = vec![[f64::NEG_INFINITY, f64::INFINITY, 0.0, f64::NAN]; wanted.len()];
        Ok(Measures { wanted, sums, from: f64::NAN, last: f64::NAN })
    }

    /// Whether values before the last one count.
    pub(super) fn needs_every_step(&self) -> bool {
        self.wanted.iter().any(|(_, _, statistic)| *statistic != Statistic::Last)
    }

    /// Takes a row of columns into account; time is its first number.
    pub(super) fn record(&mut self, row: &[f64]) {
        let time = row[0];
        let passed = time - self.last;
        for ((_, at, _), [greatest, least, squares, before]) in self.wanted.iter().zip(&mut self.sums) {
            let x = row[*at];
            // A sample that is no number is no reason to praise the others: NaN stays.
            *greatest = if x > *greatest || x.is_nan() { x } else { *greatest };
            *least = if x < *least || x.is_nan() { x } else { *least };
            if passed > 0.0 {
                *squares += 0.5 * passed * (x * x + *before * *before);
            }
            *before = x;
        }
        if self.from.is_nan() {
            self.from = time;
        }
        self.last = time;
    }

    pub(super) fn finish(&self) -> Results {
        let time = self.last - self.from;
        let of = |((name, _, statistic), [greatest, least, squares, last]): (
            &(String, usize, Statistic),
            &[f64; 4],
        )| {
            let x = match statistic {
                Statistic::Last => *last,
                Statistic::Max => *greatest,
                Statistic::Min => *least,
                Statistic::Peak if -least > *greatest => -least,
                Statistic::Peak => *greatest,
                Statistic::Rms if time > 0.0 => (squares / time).sqrt(),
                Statistic::Rms => last.abs(),
            };
            (name.clone(), x)
        };
        self.wanted.iter().zip(&self.sums).map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_that_is_nan_makes_the_result_nan() {
        let all = [Statistic::Peak, Statistic::Max, Statistic::Min, Statistic::Rms];
        let of = |samples: [f64; 3]| {
            let wanted = all.iter().map(|statistic| (format!("{statistic:?}"), 1, *statistic)).collect();
            let sums = vec![[f64::NEG_INFINITY, f64::INFINITY, 0.0, f64::NAN]; all.len()];
            let mut measures = Measures { wanted, sums, from: f64::NAN, last: f64::NAN };
            samples.iter().enumerate().for_each(|(k, x)| measures.record(&[k as f64, *x]));
            measures.finish()
        };
        assert!(of([1.0, f64::NAN, 2.0]).values().all(|x| x.is_nan()));
        assert!(of([1.0, -3.0, 2.0]).values().all(|x| x.is_finite()));
        assert_eq!(of([1.0, -3.0, 2.0])["Peak"], 3.0);
    }
}
