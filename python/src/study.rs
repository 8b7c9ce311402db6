//! Studies and their logs, for `cardan.sweep`.

use crate::errors;
use crate::model::{Model, Origin};
use cardan_scene::study::{Results, StudyRow};
use pyo3::prelude::*;

/// One scene as text and the values of every row.
#[pyclass(frozen, module = "cardan")]
#[derive(Debug)]
pub(crate) struct Study {
    inner: cardan_scene::study::Study,
    origin: Origin,
    /// Time to run to and step, in the place of the scene's.
    times: Vec<(&'static str, f64)>,
}

type RowTuple = (usize, Vec<String>, Option<(Results, String)>, Option<String>);

fn tuple_of(row: &StudyRow) -> RowTuple {
    let (results, error) = match &row.outcome {
        Ok((results, hash)) => (Some((results.clone(), format!("{hash:016x}"))), None),
        Err(error) => (None, Some(error.clone())),
    };
    (row.row, row.values.clone(), results, error)
}

#[pymethods]
impl Study {
    #[new]
    #[pyo3(signature = (model, parameters, rows, measures, until=None, dt=None))]
    fn new(
        model: &Bound<'_, Model>,
        parameters: Vec<String>,
        rows: Vec<Vec<String>>,
        measures: Vec<String>,
        until: Option<f64>,
        dt: Option<f64>,
    ) -> PyResult<Self> {
        let origin = model.get().origin.clone();
        let (mut parameters, mut rows) = (parameters, rows);
        // What was set in the model is a parameter of one value, set before those that vary; of what was
        // set twice the last counts.
        let mut first: Vec<(&str, &str)> = Vec::new();
        for (path, value) in origin.sets.iter().rev().filter_map(|set| set.split_once('=')) {
            if !parameters.iter().any(|name| name == path) && !first.iter().any(|(name, _)| *name == path) {
                first.push((path, value));
            }
        }
        first.reverse();
        parameters.splice(0..0, first.iter().map(|(path, _)| (*path).to_string()));
        for row in &mut rows {
            row.splice(0..0, first.iter().map(|(_, value)| (*value).to_string()));
        }
        let made = cardan_scene::study::Study::new(&origin.name, &origin.text, parameters, rows, measures);
        let mut inner = made.map_err(|error| errors::study(error.to_string()))?;
        if let Some(folder) = &origin.folder {
            inner = inner.in_folder(folder);
        }
        let mut times = Vec::new();
        if let Some(until) = until {
            inner = inner.until(until);
            times.push(("simulation.until", until));
        }
        if let Some(dt) = dt {
            inner = inner.dt(dt);
            times.push(("simulation.dt", dt));
        }
        Ok(Study { inner, origin, times })
    }
    /// Number of rows.
    fn __len__(&self) -> usize {
        self.inner.rows().len()
    }
    /// The paths of the parameters.
    #[getter]
    fn parameters(&self) -> Vec<String> {
        self.inner.parameters().to_vec()
    }
    /// Values of a row.
    fn values(&self, row: usize) -> Vec<String> {
        self.inner.rows().get(row).cloned().unwrap_or_default()
    }
    /// Runs a row and measures it: (row, values, (results, state hash) or None, error or None).
    fn run(&self, py: Python<'_>, row: usize) -> RowTuple {
        let study = &self.inner;
        tuple_of(&py.detach(|| study.run(row)))
    }
    /// The model of a row.
    fn model(&self, row: usize) -> PyResult<Model> {
        let mut origin = self.origin.clone();
        for (name, value) in self.inner.parameters().iter().zip(self.values(row)) {
            origin.sets.push(format!("{name}={value}"));
        }
        for (name, value) in &self.times {
            origin.sets.push(format!("{name}={value:?}"));
        }
        let model = Model::build(origin, Vec::new())?;
        match model.scene.script().is_empty() {
            true => Ok(model),
            false => {
                Err(errors::study("the scene has a script, which studies do not follow; leave it out".into()))
            }
        }
    }
}

/// The log of a study, open for writing.
#[pyclass(module = "cardan")]
#[derive(Debug)]
pub(crate) struct StudyLog {
    log: Option<cardan_scene::study::StudyLog>,
}

impl StudyLog {
    fn open_log(&mut self) -> PyResult<&mut cardan_scene::study::StudyLog> {
        self.log.as_mut().ok_or_else(|| errors::study("the log is closed".into()))
    }
}

#[pymethods]
impl StudyLog {
    #[new]
    fn new(path: std::path::PathBuf, study: &Study, resume: bool) -> PyResult<Self> {
        let log = cardan_scene::study::StudyLog::open(path, &study.inner, resume);
        Ok(StudyLog { log: Some(log.map_err(|error| errors::io(&error))?) })
    }
    /// Adds a finished row.
    fn append(
        &mut self,
        row: usize,
        values: Vec<String>,
        outcome: Option<(Results, String)>,
        error: Option<String>,
    ) -> PyResult<()> {
        let outcome = match outcome {
            Some((results, hash)) => {
                let hash = u64::from_str_radix(&hash, 16)
                    .map_err(|_| errors::study(format!("`{hash}` is no state hash")))?;
                Ok((results, hash))
            }
            None => Err(error.unwrap_or_default()),
        };
        self.open_log()?.append(StudyRow { row, values, outcome }).map_err(|error| errors::io(&error))
    }
    /// Waits until the disk has all rows.
    fn sync(&mut self) -> PyResult<()> {
        self.open_log()?.sync().map_err(|error| errors::io(&error))
    }
    /// Numbers of the rows that are missing.
    fn missing(&mut self) -> PyResult<Vec<usize>> {
        Ok(self.open_log()?.missing().collect())
    }
    /// How many rows are finished.
    #[getter]
    fn done(&mut self) -> PyResult<usize> {
        Ok(self.open_log()?.done())
    }
    /// Whether a torn last line was cut off.
    #[getter]
    fn was_torn(&mut self) -> PyResult<bool> {
        Ok(self.open_log()?.was_torn())
    }
    /// The digest of all finished rows.
    #[getter]
    fn digest(&mut self) -> PyResult<String> {
        Ok(format!("{:016x}", self.open_log()?.digest()))
    }
    /// The finished rows, in the order of their numbers.
    fn rows(&mut self) -> PyResult<Vec<RowTuple>> {
        Ok(self.open_log()?.rows().iter().flatten().map(tuple_of).collect())
    }
    /// Closes the file, so that others can open it.
    fn close(&mut self) {
        self.log = None;
    }
}

/// The digest of rows that are in no log.
#[pyfunction]
pub(crate) fn digest_of(rows: Vec<RowTuple>) -> PyResult<String> {
    let mut all = Vec::with_capacity(rows.len());
    for (row, values, results, error) in rows {
        let outcome = match results {
            Some((results, hash)) => {
                let hash = u64::from_str_radix(&hash, 16)
                    .map_err(|_| errors::study(format!("`{hash}` is no state hash")))?;
                Ok((results, hash))
            }
            None => Err(error.unwrap_or_default()),
        };
        all.push(StudyRow { row, values, outcome });
    }
    Ok(format!("{:016x}", cardan_scene::study::digest(&all)))
}
