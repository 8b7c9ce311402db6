//! One row of a study, run to its end.

use super::measure::Measures;
use super::{Study, StudyError, StudyRow};
use crate::columns::Columns;
use crate::document::Document;
use crate::error::SceneError;
use crate::scene::Scene;
use cardan::{Settings, Simulation, Stabilization, StepError};

/// A row that is set up: a simulation at its start, the time to run to and the step.
#[derive(Debug)]
pub struct RowRun {
    /// The simulation.
    pub simulation: Simulation,
    /// The end of the run \[s\].
    pub until: f64,
    /// The step \[s\].
    pub dt: f64,
}

/// Steps of one size that a run takes at most unless it is forced: a mechanism of ten bodies takes some minutes for them.
pub const MOST_STEPS: f64 = 1e8;

/// Why a row failed; only the text is kept.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowError {
    #[error("{}", .0.without_file())]
    Scene(#[from] SceneError),
    #[error(transparent)]
    Step(#[from] StepError),
    #[error("at {time} s: {error}")]
    During { time: f64, error: StepError },
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error("the scene has a script, which studies do not follow; leave it out")]
    Script,
    #[error("{steps:.3e} steps of {dt} s lead to t = {until} s, and more than {MOST_STEPS:e} are refused")]
    Endless { steps: f64, dt: f64, until: f64 },
}

impl Study {
    /// Sets up the simulation of a row.
    ///
    /// # Errors
    /// The text of what is wrong with the scene, a value or a time.
    pub fn start(&self, row: usize) -> Result<RowRun, String> {
        self.set_up(&self.document(row).map_err(|error| error.to_string())?)
            .map_err(|error| error.to_string())
    }

    fn set_up(&self, document: &Document) -> Result<RowRun, RowError> {
        let scene = Scene::from_document(document)?;
        if !scene.script().is_empty() {
            return Err(RowError::Script);
        }
        let until = self.until.unwrap_or(scene.simulation.until());
        let dt = self.dt.unwrap_or(scene.simulation.dt());
        for (what, value) in [("the time to run to", until), ("the step", dt)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(StudyError::Time { what, value }.into());
            }
        }
        let mut settings: Settings = scene.settings(document)?;
        let steps = until / dt;
        if steps > MOST_STEPS && !settings.integrator.is_adaptive() {
            return Err(RowError::Endless { steps, dt, until });
        }
        if let Stabilization::Baumgarte { .. } = settings.stabilization {
            settings.stabilization = Stabilization::baumgarte(dt);
        }
        let simulation = Simulation::with_settings(scene.to_model(document)?, settings)?;
        Ok(RowRun { simulation, until, dt })
    }

    /// Runs a row to its end and measures it. An error is the outcome of its row.
    pub fn run(&self, row: usize) -> StudyRow {
        let outcome = self.measured(row).map_err(|error| error.to_string());
        StudyRow { row, values: self.rows().get(row).cloned().unwrap_or_default(), outcome }
    }

    fn measured(&self, row: usize) -> Result<(super::Results, u64), RowError> {
        let RowRun { mut simulation, until, dt } = self.set_up(&self.document(row)?)?;
        let measured =
            self.measures().iter().map(|text| text.split_once(':').map_or(&text[..], |(_, column)| column));
        let columns = Columns::naming(simulation.model(), measured);
        let mut measures = Measures::new(&columns, self.measures())?;
        let every_step = measures.needs_every_step();
        let (model, mut numbers) = (simulation.model().clone(), Vec::new());
        let mut record = |simulation: &mut Simulation| {
            let energy = simulation.energy();
            numbers.clear();
            columns.write_row(&model, &simulation.observe(), &energy, &mut numbers);
            measures.record(&numbers);
        };
        if every_step {
            simulation.assemble()?;
            record(&mut simulation);
        }
        while simulation.next_step(until, dt).is_some() {
            let time = simulation.time();
            simulation.step_toward(until, dt).map_err(|error| RowError::During { time, error })?;
            if every_step {
                record(&mut simulation);
            }
        }
        if !every_step {
            record(&mut simulation);
        }
        Ok((measures.finish(), simulation.state_hash()))
    }
}
