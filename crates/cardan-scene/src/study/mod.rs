//! Studies: one scene run many times, each time with values of its own, and a log from which a study that
//! was interrupted goes on. docs/studies.md describes the format.
//!
//! | type | what it is |
//! |---|---|
//! | [`Study`] | the scene as text, the names of the parameters, the values of every row, what is measured |
//! | [`Measure`] | a number of a run: the last value of a column, its peak, extremes or root mean square |
//! | [`StudyRow`] | what came of a row: results and state hash, or the error |
//! | [`StudyLog`] | the append-only file of rows, each with a checksum |
//!
//! ```
//! use cardan_scene::study::{Study, digest};
//!
//! let text = "gravity = [0, 0, 0]\n[bodies.bob]\nkind = 'particle'\nmass = 1\nvelocity = [1, 0, 0]\n[simulation]\nuntil = 0.1\n";
//! let rows = ["1", "2", "4"].map(|mass| vec![mass.to_string()]).to_vec();
//! let measures = vec!["peak:energy.kinetic".to_string()];
//! let study = Study::new("bob.toml", text, vec!["bodies.bob.mass".into()], rows, measures)?;
//! let done: Vec<_> = (0..study.rows().len()).map(|row| study.run(row)).collect();
//! let (results, _hash) = done[2].outcome.clone()?;
//! assert!((results["peak:energy.kinetic"] - 2.0).abs() < 1e-12); // m v² / 2
//! println!("{:016x}", digest(&done));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod log;
mod measure;
mod row;
mod run;

pub use log::{LogError, StudyLog};
pub use measure::Measure;
pub use row::{Results, StudyRow, digest};
pub use run::{MOST_STEPS, RowRun};

use crate::document::Document;
use crate::error::SceneError;
use std::path::PathBuf;

/// One scene, and the values that it is run with.
#[derive(Clone, Debug)]
pub struct Study {
    name: String,
    text: String,
    folder: Option<PathBuf>,
    parameters: Vec<String>,
    rows: Vec<Vec<String>>,
    measures: Vec<String>,
    until: Option<f64>,
    dt: Option<f64>,
    /// The checksum of the files that it names, once it was asked for.
    files: std::sync::OnceLock<u64>,
}

/// A study that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// A row with too many or too few values.
    #[error("row {row} has {have} values; there are {want} parameters")]
    RowLength {
        /// Which row, from 0.
        row: usize,
        /// How many values it has.
        have: usize,
        /// How many parameters there are.
        want: usize,
    },
    /// A parameter that is named twice.
    #[error("parameter `{name}` is named twice")]
    Twice {
        /// Its path.
        name: String,
    },
    /// What is measured is not understood.
    #[error("measure `{text}`: {why}")]
    Measure {
        /// What was given.
        text: String,
        /// Why not.
        why: String,
    },
    /// A time that is not positive and finite.
    #[error("{what} must be a positive number of seconds, not {value}")]
    Time {
        /// Which.
        what: &'static str,
        /// What it is.
        value: f64,
    },
}

impl Study {
    /// A study of a scene given as text (TOML or JSON): the paths of its parameters, as `--set` takes
    /// them, the values of every row as TOML, and what is measured. A measure that is no [`Measure`]
    /// (`name` alone is the last value of a column) is taken as the label of a function of the caller's
    /// own.
    ///
    /// # Errors
    /// If a row has too many or too few values, or a parameter is named twice.
    pub fn new(
        name: impl Into<String>,
        text: impl Into<String>,
        parameters: Vec<String>,
        rows: Vec<Vec<String>>,
        measures: Vec<String>,
    ) -> Result<Self, StudyError> {
        let study = Study {
            name: name.into(),
            text: text.into(),
            folder: None,
            parameters: Vec::new(),
            rows: Vec::new(),
            measures,
            until: None,
            dt: None,
            files: std::sync::OnceLock::new(),
        };
        study.with_names(parameters, rows)
    }

    /// The study with other parameters.
    ///
    /// # Errors
    /// As [`Study::new`].
    pub fn with_names(mut self, parameters: Vec<String>, rows: Vec<Vec<String>>) -> Result<Self, StudyError> {
        for (k, name) in parameters.iter().enumerate() {
            if parameters[..k].contains(name) {
                return Err(StudyError::Twice { name: name.clone() });
            }
        }
        let want = parameters.len();
        if let Some((row, values)) = rows.iter().enumerate().find(|(_, values)| values.len() != want) {
            return Err(StudyError::RowLength { row, have: values.len(), want });
        }
        self.parameters = parameters;
        self.rows = rows.into_iter().map(|row| row.iter().map(|text| canonical(text)).collect()).collect();
        Ok(self)
    }

    /// The study of a scene whose files are in a folder.
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }
    /// The study with a time to run to \[s\], in the place of the scene's.
    pub fn until(mut self, until: f64) -> Self {
        self.until = Some(until);
        self
    }
    /// The study with a step size \[s\], in the place of the scene's.
    pub fn dt(mut self, dt: f64) -> Self {
        self.dt = Some(dt);
        self
    }

    /// What errors call the scene.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The paths of the parameters.
    pub fn parameters(&self) -> &[String] {
        &self.parameters
    }
    /// The values of every row, as TOML; numbers in their shortest form.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }
    /// What is measured.
    pub fn measures(&self) -> &[String] {
        &self.measures
    }

    /// The scene of a row.
    ///
    /// # Errors
    /// If the text is wrong, or a value does not fit; the error shows the place.
    pub fn document(&self, row: usize) -> Result<Document, SceneError> {
        self.document_of(row, true)
    }

    /// The scene of a row, or the scene alone without its values.
    fn document_of(&self, row: usize, with_values: bool) -> Result<Document, SceneError> {
        let mut document = Document::parse(self.name.clone(), self.text.clone())?;
        if let Some(folder) = &self.folder {
            document = document.in_folder(folder.clone());
        }
        document.include_robots(&crate::import::ImportOptions::default())?;
        let values = self.rows.get(row).filter(|_| with_values).map_or(&[][..], |row| &row[..]);
        for (name, value) in self.parameters.iter().zip(values) {
            document.set(&format!("{name}={value}"))?;
        }
        Ok(document)
    }
}

/// An integer as it is, since some fields take nothing else; another number in its shortest form that reads
/// back to the same bits; another value without blanks around it.
fn canonical(text: &str) -> String {
    let text = text.trim();
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(integer), _) => integer.to_string(),
        (_, Ok(x)) if is_number => format!("{x:?}"),
        _ => text.to_string(),
    }
}
