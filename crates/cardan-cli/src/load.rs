//! From a word on the command line to a model that can run.

use crate::Failure;
use crate::args::SceneArgs;
use crate::runner::LoggedWorld;
use cardan::{Model, Settings, Simulation, Stabilization, WorldError};
use cardan_scene::{
    Document, Exported, ImportReport, OldWord, RobotFormat, Scene, SceneError, ScriptEntry, Source,
};
use std::io::IsTerminal;
use std::sync::Arc;

/// A mistake in a scene, with its place.
pub(crate) fn show(error: SceneError) -> Failure {
    let coloured = std::io::stderr().is_terminal();
    Failure::Input(if coloured { error.render_coloured() } else { error.render() })
}

/// A scene with its model.
pub(crate) struct LoadedScene {
    /// The bundled name, or the file name.
    pub(crate) name: String,
    pub(crate) scene: Scene,
    /// Model of the parts that are on at the start.
    pub(crate) model: Arc<Model>,
    /// Model of all parts, also of those that the script switches off.
    pub(crate) all: Arc<Model>,
    pub(crate) settings: Settings,
    pub(crate) script: Vec<ScriptEntry>,
    document: Document,
}

impl LoadedScene {
    /// Reads, overrides, types, checks and builds.
    pub(crate) fn new(args: &SceneArgs) -> Result<Self, Failure> {
        let source = Source::resolve(&args.scene);
        let name = source.name();
        let (document, scene, model, settings) = build(&source, args).map_err(show)?;
        let (all, script) = (Arc::new(model), scene.script());
        let mut loaded = LoadedScene { name, scene, model: all.clone(), all, settings, script, document };
        if loaded.script.iter().any(|entry| entry.at == 0.0) {
            let start = loaded.scripted_world().map_err(show)?.and_then(|mut scripted| scripted.model());
            loaded.model =
                start.map_err(|error| Failure::Input(format!("error: {}: {error}", loaded.name)))?;
        }
        Ok(loaded)
    }

    /// A world with its script.
    pub(crate) fn scripted_world(&self) -> Result<Result<LoggedWorld, WorldError>, SceneError> {
        let world = self.scene.to_world(&self.document, self.settings)?;
        Ok(world.and_then(|world| LoggedWorld::new(world, self.script.clone())))
    }

    /// The scene as a robot file.
    pub(crate) fn export(&self, format: RobotFormat) -> Result<Exported, SceneError> {
        self.scene.export(&self.document, format)
    }

    /// Words of earlier versions in the scene and its overrides.
    pub(crate) fn old_words(&self) -> Vec<OldWord> {
        self.document.old_words()
    }

    /// What became of the robot file that the scene is, or of those that it has as parts: each with its path.
    pub(crate) fn import_reports(&self) -> impl Iterator<Item = (&str, &ImportReport)> {
        let own = self.document.import_report().map(|report| (self.name.as_str(), report));
        own.into_iter()
            .chain(self.document.robot_reports().iter().map(|(file, report)| (file.as_str(), report)))
    }

    /// The title, or the name.
    pub(crate) fn title(&self) -> &str {
        self.scene.title.as_deref().unwrap_or(&self.name)
    }

    /// The time step of the command line, or of the scene. Baumgarte feedback depends on it.
    pub(crate) fn set_time_step(&mut self, given: Option<f64>) -> f64 {
        let dt = given.unwrap_or(self.scene.simulation.dt());
        if let Stabilization::Baumgarte { .. } = self.settings.stabilization {
            self.settings.stabilization = Stabilization::baumgarte(dt);
        }
        dt
    }

    /// The mechanism at the start, for statics: with f = m v accelerations would be velocities.
    pub(crate) fn static_simulation(&self) -> Result<Simulation, Failure> {
        let integrator = match self.settings.integrator {
            cardan::Integrator::FirstOrder => cardan::Integrator::Rk4,
            other => other,
        };
        Simulation::with_settings(self.model.clone(), Settings { integrator, ..self.settings })
            .map_err(|error| Failure::Input(format!("error: {}: {error}", self.name)))
    }

    /// A mechanism at the start.
    pub(crate) fn simulation(&self) -> Result<Simulation, Failure> {
        Simulation::with_settings(self.model.clone(), self.settings)
            .map_err(|error| Failure::Input(format!("error: {}: {error}", self.name)))
    }
}

fn build(source: &Source, args: &SceneArgs) -> Result<(Document, Scene, Model, Settings), SceneError> {
    let mut document: Document = source.read_with(&args.robot.options())?;
    for set in &args.set {
        document.set(set)?;
    }
    if let Some(tolerance) = args.geometry_tolerance {
        document.set(&format!("simulation.geometry_tolerance={tolerance:e}"))?;
    }
    let scene = Scene::from_document(&document)?;
    let settings = scene.settings(&document)?;
    let model = scene.to_model(&document)?;
    Ok((document, scene, model, settings))
}
