//! `start = "equilibrium"`: the model starts where it would rest.

use std::sync::Arc;

use cardan::{EquilibriumKind, Model, Settings, Simulation, World, WorldError};

use crate::document::{Document, FieldPath};
use crate::error::SceneError;
use crate::scene::{Scene, StartDesc};

/// The model with the start that the scene asks for.
pub(super) fn placed(scene: &Scene, document: &Document, model: Model) -> Result<Model, SceneError> {
    if scene.simulation.start.unwrap_or_default() == StartDesc::Pose {
        return Ok(model);
    }
    let bad = |message: String, help: &str| {
        SceneError::at(document, FieldPath::item("simulation", "start"), message, Some(help))
    };
    if model.initial_state().velocities().iter().any(|v| *v != 0.0) {
        let message = "the scene gives velocities, and an equilibrium is at rest".to_string();
        return Err(bad(message, "leave the velocities out; `[impulses]` set it in motion"));
    }
    let mut sim = Simulation::new(model);
    let found = sim.equilibrium(EquilibriumKind::Stable).map_err(|error| {
        bad(error.to_string(), "`cardan equilibrium` says more; without `start` it starts as posed")
    })?;
    let model: Arc<Model> = sim.model().clone();
    drop(sim);
    Arc::unwrap_or_clone(model).starting_from(&found.state).map_err(|error| bad(error.to_string(), ""))
}

impl Scene {
    /// A world of all parts, at the start that the scene asks for.
    ///
    /// # Errors
    /// The outer one if the scene is wrong, the inner one if no world can be made of its parts.
    pub fn to_world(
        &self,
        document: &Document,
        settings: Settings,
    ) -> Result<Result<World, WorldError>, SceneError> {
        let world = World::of(self.to_parts(document)?, settings);
        if self.simulation.start.unwrap_or_default() == StartDesc::Pose {
            return Ok(world);
        }
        let model = self.to_model(document)?;
        let start = model.initial_state();
        Ok(world.and_then(|mut world| {
            // Bodies of a state are in the order of their ids.
            let (mut q, mut v) = (start.coordinates(), start.velocities());
            for id in world.body_ids().collect::<Vec<_>>() {
                let (own_q, own_v) = world.state_of(id).map_or((0, 0), |(q, v)| (q.len(), v.len()));
                let ((this_q, next_q), (this_v, next_v)) = (q.split_at(own_q), v.split_at(own_v));
                world.set_state_of(id, this_q, this_v)?;
                (q, v) = (next_q, next_v);
            }
            Ok(world)
        }))
    }
}
