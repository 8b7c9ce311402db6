//! The run driver: one simulation, or a world if a script switches parts or islands are stepped on several threads.

use crate::Failure;
use crate::load::LoadedScene;
use crate::report::WorldTotals;
use crate::report::contacts::EventJson;
use crate::tolerances::STEP_TIME;
use cardan::{Energy, Model, Simulation, State, World, WorldError};
use cardan_scene::{ScriptEntry, ScriptedWorld};
use std::sync::Arc;

/// A scene that runs.
pub(crate) enum Runner {
    Single(Box<Simulation>),
    World(Box<LoggedWorld>),
}

/// A world with its script, and a log of it.
pub(crate) struct LoggedWorld {
    script: ScriptedWorld,
    /// Switched parts with their times.
    log: Vec<EventJson>,
}

impl LoadedScene {
    /// A scene at the start.
    pub(crate) fn runner(&self, threads: Option<usize>) -> Result<Runner, Failure> {
        if self.script.is_empty() && threads.is_none() {
            return Ok(Runner::Single(Box::new(self.simulation()?)));
        }
        let bad = |error: WorldError| Failure::Input(format!("error: {}: {error}", self.name));
        let mut scripted =
            self.scripted_world().map_err(|error| Failure::Input(error.render()))?.map_err(bad)?;
        scripted.script.world.set_threads(threads.unwrap_or(1)).map_err(bad)?;
        Ok(Runner::World(Box::new(scripted)))
    }
}

impl LoggedWorld {
    /// A world at the start, with the entries at 0 applied.
    pub(crate) fn new(world: World, entries: Vec<ScriptEntry>) -> Result<Self, WorldError> {
        Ok(LoggedWorld { script: ScriptedWorld::new(world, entries)?, log: Vec::new() })
    }

    /// All parts that are on, as a model.
    pub(crate) fn model(&mut self) -> Result<Arc<Model>, WorldError> {
        self.script.world.combined().map(|sim| sim.model().clone())
    }

    /// Applies the entries that are due, and logs them.
    fn apply_due_entries(&mut self) -> Result<(), WorldError> {
        let now = self.script.world.time();
        for entry in self.script.apply_due()? {
            for (names, what) in [(&entry.disable, "disabled"), (&entry.enable, "enabled")] {
                let events =
                    names.iter().map(|part| EventJson::without_impulse(now, part.name().to_string(), what));
                self.log.extend(events);
            }
        }
        Ok(())
    }

    fn step_toward(&mut self, until: f64, dt: f64) -> Result<(), WorldError> {
        self.apply_due_entries()?;
        self.script.step_toward(until, dt)
    }

    /// Totals of all islands, and of the script.
    fn totals(&mut self) -> WorldTotals {
        let world = &mut self.script.world;
        let mut events: Vec<EventJson> = world.events().iter().map(EventJson::new).collect();
        events.extend(self.log.iter().cloned());
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        WorldTotals {
            steps: world.steps(),
            certificate: world.certificate(),
            energy: world.energy(),
            momentum: world.momentum(),
            balance: world.balance(),
            state_hash: world.state_hash(),
            events,
            work: world.diagnostics().work_counts(),
            coordinates: world.diagnostics().coordinates(),
        }
    }
}

impl Runner {
    pub(crate) fn time(&self) -> f64 {
        match self {
            Runner::Single(sim) => sim.time(),
            Runner::World(scripted) => scripted.script.world.time(),
        }
    }
    pub(crate) fn steps(&self) -> u64 {
        match self {
            Runner::Single(sim) => sim.steps(),
            Runner::World(scripted) => scripted.script.world.steps(),
        }
    }
    /// Whether there is a step left on the way.
    pub(crate) fn has_next(&self, until: f64, dt: f64) -> bool {
        match self {
            Runner::Single(sim) => sim.next_step(until, dt).is_some(),
            Runner::World(scripted) => scripted.script.world.next_step(until, dt).is_some(),
        }
    }
    /// Like the step of a run that does not end there: the last one is not shortened or stretched by the rounding of times.
    pub(crate) fn step_past(&mut self, until: f64, dt: f64) -> Result<(), WorldError> {
        let is_whole = |h: Option<f64>| h.is_some_and(|h| (h - dt).abs() <= STEP_TIME * dt);
        match self {
            Runner::Single(sim)
                if !sim.settings().integrator.is_adaptive() && is_whole(sim.next_step(until, dt)) =>
            {
                sim.step(dt)?;
                if sim.next_step(until, dt).is_none() {
                    sim.set_time(until);
                }
                Ok(())
            }
            Runner::World(scripted) => {
                scripted.apply_due_entries()?;
                let is_next = scripted.script.next_entry().is_none_or(|entry| entry.at > until);
                if !(is_next && is_whole(scripted.script.world.next_step(until, dt))) {
                    return scripted.step_toward(until, dt);
                }
                scripted.script.world.step(dt)?;
                if scripted.script.world.next_step(until, dt).is_none() {
                    scripted.script.world.set_time(until);
                }
                Ok(())
            }
            Runner::Single(_) => self.step_toward(until, dt),
        }
    }
    pub(crate) fn step_toward(&mut self, until: f64, dt: f64) -> Result<(), WorldError> {
        match self {
            Runner::Single(sim) => sim.step_toward(until, dt).map(|_| ()).map_err(WorldError::from),
            Runner::World(scripted) => scripted.step_toward(until, dt),
        }
    }
    pub(crate) fn assemble(&mut self) -> Result<(), WorldError> {
        match self {
            Runner::Single(sim) => sim.assemble().map_err(WorldError::from),
            Runner::World(_) => self.apply_script(),
        }
    }
    /// Applies the entries of the script that are due.
    pub(crate) fn apply_script(&mut self) -> Result<(), WorldError> {
        match self {
            Runner::Single(_) => Ok(()),
            Runner::World(scripted) => {
                scripted.apply_due_entries()?;
                scripted.script.world.assemble()
            }
        }
    }
    /// Takes the accounts of the present state.
    pub(crate) fn certify_now(&mut self) -> Result<(), WorldError> {
        match self {
            Runner::Single(sim) => sim.certify_now().map_err(WorldError::from),
            Runner::World(scripted) => scripted.script.world.certify_now(),
        }
    }
    pub(crate) fn energy(&mut self) -> Energy {
        match self {
            Runner::Single(sim) => sim.energy(),
            Runner::World(scripted) => scripted.script.world.energy(),
        }
    }
    /// The present state, for another run.
    pub(crate) fn save(&mut self) -> Result<Vec<u8>, WorldError> {
        match self {
            Runner::Single(sim) => Ok(sim.state().to_bytes()),
            Runner::World(scripted) => scripted.script.world.to_bytes(),
        }
    }
    /// Continues from a saved state. Entries of the script before its time are taken as applied.
    pub(crate) fn restore(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        match self {
            Runner::Single(sim) => {
                let state = State::from_bytes(sim.model(), bytes)?;
                sim.restore(&state)?;
            }
            Runner::World(scripted) => {
                scripted.script.world.restore_bytes(bytes)?;
                scripted.script.skip_due();
            }
        }
        Ok(())
    }
    /// Whether the integrator interpolates within steps (dense output).
    pub(crate) fn has_dense_output(&self) -> bool {
        matches!(self, Runner::Single(_))
    }
    /// Totals of a world; `None` for one simulation, which has its own.
    pub(crate) fn totals(&mut self) -> Option<WorldTotals> {
        match self {
            Runner::Single(_) => None,
            Runner::World(scripted) => Some(scripted.totals()),
        }
    }
    /// Everything as it stands, as one simulation; of a world a copy.
    pub(crate) fn sim(&mut self) -> Result<&mut Simulation, WorldError> {
        match self {
            Runner::Single(sim) => Ok(sim),
            Runner::World(scripted) => scripted.script.world.combined(),
        }
    }
}
