//! A scene in one line of Rust.

use cardan::{Model, Settings, Simulation, StepError};

use crate::document::{Document, OldWord};
use crate::error::SceneError;
use crate::scene::Scene;
use crate::script::ScriptedWorld;
use crate::source::Source;

/// A scene that was read, checked and built.
#[derive(Debug)]
pub struct Loaded {
    /// All parts of the scene, whatever its script switches off.
    pub model: Model,
    /// Integrator, stabilisation, solver and coordinates.
    pub settings: Settings,
    /// The typed description; `scene.simulation` has the step and the time to run.
    pub scene: Scene,
    /// Words of earlier versions in the file; they were read as the words that replaced them.
    pub old_words: Vec<OldWord>,
    document: Document,
}

/// Reads a scene: a path to a `.toml` or `.json` file, or the name of a bundled scene. Words of earlier versions are read, and
/// listed in [`Loaded::old_words`].
///
/// ```
/// let scene = cardan_scene::load("../../scenes/four-bar.toml")?;
/// let crank = scene.model.find_joint("A").or(scene.model.joint_ids().next());
/// let (until, dt) = (scene.scene.simulation.until(), scene.scene.simulation.dt());
/// let mut sim = scene.simulation()?;
/// sim.run(until.min(0.1), dt)?;
/// assert!(crank.is_some_and(|crank| sim.angle(crank).is_finite()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the scene cannot be read or is wrong; the error shows the place in the file and a remedy.
pub fn load(source: &str) -> Result<Loaded, SceneError> {
    let document = Source::resolve(source).read()?;
    let scene = Scene::from_document(&document)?;
    let (model, settings) = (scene.to_model(&document)?, scene.settings(&document)?);
    let old_words = document.old_words();
    Ok(Loaded { model, settings, scene, old_words, document })
}

impl Loaded {
    /// A simulation of the model with the settings of the scene. All parts take part all the time: a `[[script]]` of the scene
    /// is ignored. [`Loaded::world`] follows it.
    ///
    /// # Errors
    /// If the solver that the scene asks for cannot solve the model.
    pub fn simulation(self) -> Result<Simulation, StepError> {
        Simulation::with_settings(self.model, self.settings)
    }

    /// A world of the parts of the scene, which its `[[script]]` changes while it runs.
    ///
    /// # Errors
    /// If the script cannot be applied at the start.
    pub fn world(&self) -> Result<ScriptedWorld, SceneError> {
        let world = self.scene.to_world(&self.document, self.settings)?;
        world
            .and_then(|world| ScriptedWorld::new(world, self.scene.script()))
            .map_err(|error| SceneError::at(&self.document, "script", error.to_string(), None))
    }
}
