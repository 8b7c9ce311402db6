//! One row of a study: what went in, what came out, as a line of JSON, and the digest of all rows.

use serde_json::{Map, Value};

/// Results of a row by name, in the order of their names.
pub type Results = std::collections::BTreeMap<String, f64>;

/// What came of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyRow {
    /// Its number, from 0.
    pub row: usize,
    /// The values of the parameters, as TOML.
    pub values: Vec<String>,
    /// Results and the hash of the last state; or the text of the error.
    pub outcome: Result<(Results, u64), String>,
}

impl StudyRow {
    /// The row as one line of JSON, without the end of the line.
    pub(super) fn to_json(&self) -> String {
        let mut object = Map::new();
        object.insert("row".into(), self.row.into());
        object.insert("values".into(), self.values.iter().map(|value| Value::from(value.as_str())).collect());
        match &self.outcome {
            Ok((results, hash)) => {
                let results = results.iter().map(|(name, x)| (name.clone(), number(*x))).collect();
                object.insert("results".into(), Value::Object(results));
                object.insert("state_hash".into(), format!("{hash:016x}").into());
            }
            Err(error) => {
                object.insert("error".into(), error.as_str().into());
            }
        }
        Value::Object(object).to_string()
    }

    /// The row of a line; `None` if it is none.
    pub(super) fn from_json(text: &str) -> Option<Self> {
        let object = serde_json::from_str::<Value>(text).ok()?;
        let row = usize::try_from(object.get("row")?.as_u64()?).ok()?;
        let texts = object.get("values")?.as_array()?;
        let values =
            texts.iter().map(|text| text.as_str().map(str::to_string)).collect::<Option<Vec<_>>>()?;
        let outcome = match object.get("error") {
            Some(error) => Err(error.as_str()?.to_string()),
            None => {
                let hash = u64::from_str_radix(object.get("state_hash")?.as_str()?, 16).ok()?;
                let all = object.get("results")?.as_object()?;
                let read = all.iter().map(|(name, x)| Some((name.clone(), read_number(x)?)));
                Ok((read.collect::<Option<Results>>()?, hash))
            }
        };
        Some(StudyRow { row, values, outcome })
    }
}

/// A number; NaN and infinity as text.
fn number(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or_else(|| Value::from(format!("{x:?}")), Value::Number)
}

fn read_number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.parse().ok(),
        other => other.as_f64(),
    }
}

/// The bits of a number as the digest has them: a log keeps neither the sign nor the payload of a NaN.
fn canonical_bits(x: f64) -> u64 {
    match x {
        0.0 => 0,
        x if x.is_nan() => 0x7ff8_0000_0000_0000,
        x => x.to_bits(),
    }
}

/// FNV-1a, 64 bits.
#[derive(Copy, Clone)]
pub(super) struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    pub(super) fn of(bytes: &[u8]) -> u64 {
        let mut sum = Checksum::default();
        sum.add(bytes);
        sum.0
    }
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    /// A text and its end.
    pub(super) fn word(&mut self, text: &str) {
        self.add(text.as_bytes());
        self.add(&[0]);
    }
    pub(super) fn bits(&mut self, bits: u64) {
        self.add(&bits.to_le_bytes());
    }
    pub(super) fn value(self) -> u64 {
        self.0
    }
}

/// The digest of rows: FNV-1a (64 bits) over numbers, values, names and bits of results, state hashes and
/// errors, in the order of the row numbers, whatever the order is in which they were run. −0 counts as 0, and
/// all NaNs are one.
pub fn digest<'r>(rows: impl IntoIterator<Item = &'r StudyRow>) -> u64 {
    let mut sorted: Vec<&StudyRow> = rows.into_iter().collect();
    sorted.sort_by_key(|row| row.row);
    let mut sum = Checksum::default();
    for row in sorted {
        sum.bits(row.row as u64);
        row.values.iter().for_each(|value| sum.word(value));
        match &row.outcome {
            Ok((results, hash)) => {
                for (name, x) in results {
                    sum.word(name);
                    sum.bits(canonical_bits(*x));
                }
                sum.bits(*hash);
            }
            Err(error) => sum.word(error),
        }
    }
    sum.value()
}
