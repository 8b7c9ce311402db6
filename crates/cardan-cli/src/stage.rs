//! What a scene is run as: one simulation, or a world if parts of it come and go, or if islands are to be stepped on several threads.

use crate::Failure;
use crate::load::Loaded;
use crate::report::Books;
use crate::touching::EventJson;
use cardan::{Energy, Gravity, Model, PartId, Simulation, State, World, WorldError};
use cardan_scene::{PartName, ScriptAct};
use std::sync::Arc;

/// Steps end at the times of acts, up to rounding.
const SAME: f64 = 1e-12;

/// A scene that runs.
pub(crate) enum Stage {
    One(Box<Simulation>),
    Many(Box<Play>),
}

/// A world with its script.
pub(crate) struct Play {
    world: World,
    acts: Vec<ScriptAct>,
    /// Which of them come next.
    next: usize,
    /// What was switched when, for the log.
    log: Vec<EventJson>,
}

impl Loaded {
    /// A scene at the start.
    pub(crate) fn stage(&self, threads: Option<usize>) -> Result<Stage, Failure> {
        if self.script.is_empty() && threads.is_none() {
            return Ok(Stage::One(Box::new(self.start()?)));
        }
        let bad = |error: WorldError| Failure::Input(format!("error: {}: {error}", self.name));
        let mut play = self.play().map_err(|error| Failure::Input(error.render()))?.map_err(bad)?;
        play.world.set_threads(threads.unwrap_or(1)).map_err(bad)?;
        Ok(Stage::Many(Box::new(play)))
    }
}

impl Play {
    /// A world at the start: what happens at 0 is so from the start.
    pub(crate) fn new(world: World, acts: Vec<ScriptAct>) -> Result<Self, WorldError> {
        let mut play = Play { world, acts, next: 0, log: Vec::new() };
        play.act()?;
        play.log.clear();
        Ok(play)
    }

    /// All parts that are on, as a model.
    pub(crate) fn model(&mut self) -> Result<Arc<Model>, WorldError> {
        self.world.whole().map(|sim| sim.model().clone())
    }

    /// Does what is due.
    fn act(&mut self) -> Result<(), WorldError> {
        let now = self.world.time();
        while let Some(act) = self.acts.get(self.next).filter(|act| act.at <= now + SAME * (1.0 + now)) {
            for (names, on) in [(&act.disable, false), (&act.enable, true)] {
                for name in names {
                    for part in parts_of(&self.world, name) {
                        if on { self.world.enable(part)? } else { self.world.disable(part)? }
                    }
                    let (PartName::Body(word)
                    | PartName::Joint(word)
                    | PartName::Force(word)
                    | PartName::Inequality(word)) = name;
                    let what = if on { "enabled" } else { "disabled" };
                    self.log.push(EventJson::plain(now, word.clone(), what));
                }
            }
            if let Some([x, y, z]) = act.gravity {
                self.world.set_gravity(Gravity::new(x, y, z))?;
            }
            self.next += 1;
        }
        Ok(())
    }

    fn step_toward(&mut self, until: f64, dt: f64) -> Result<(), WorldError> {
        self.act()?;
        let goal = self.acts.get(self.next).map_or(until, |act| act.at.min(until));
        if let Some(h) = self.world.next_step(goal, dt) {
            self.world.step(h)?;
            if self.world.next_step(goal, dt).is_none() {
                self.world.set_time(goal);
            }
        }
        Ok(())
    }

    /// What all islands have seen, and the script did.
    fn books(&mut self) -> Books {
        let world = &mut self.world;
        let mut events: Vec<EventJson> = world.events().iter().map(EventJson::new).collect();
        events.extend(self.log.iter().cloned());
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        Books {
            steps: world.steps(),
            certificate: world.certificate(),
            energy: world.energy(),
            momentum: world.momentum(),
            balance: world.balance(),
            state_hash: world.state_hash(),
            events,
            work: world.work_counts(),
        }
    }
}

/// The parts of a world that a name of a scene stands for: a screw is two.
fn parts_of(world: &World, name: &PartName) -> Vec<PartId> {
    let mut all: Vec<PartId> = Vec::new();
    match name {
        PartName::Body(name) => all.extend(world.find_body(name).map(PartId::from)),
        PartName::Force(name) => all.extend(world.find_force(name).map(PartId::from)),
        PartName::Inequality(name) => all.extend(world.find_inequality(name).map(PartId::from)),
        PartName::Joint(name) => {
            all.extend(world.find_joint(name).map(PartId::from));
            all.extend(world.find_constraint(name).map(PartId::from));
            all.extend(world.find_constraint(&format!("{name}-thread")).map(PartId::from));
        }
    }
    all
}

impl Stage {
    pub(crate) fn time(&self) -> f64 {
        match self {
            Stage::One(sim) => sim.time(),
            Stage::Many(play) => play.world.time(),
        }
    }
    pub(crate) fn steps(&self) -> u64 {
        match self {
            Stage::One(sim) => sim.steps(),
            Stage::Many(play) => play.world.steps(),
        }
    }
    /// Whether there is a step left on the way.
    pub(crate) fn has_next(&self, until: f64, dt: f64) -> bool {
        match self {
            Stage::One(sim) => sim.next_step(until, dt).is_some(),
            Stage::Many(play) => play.world.next_step(until, dt).is_some(),
        }
    }
    /// Like the step of a run that does not end there: the last one is not shortened or stretched by the rounding of times.
    pub(crate) fn step_past(&mut self, until: f64, dt: f64) -> Result<(), WorldError> {
        let is_whole = |h: Option<f64>| h.is_some_and(|h| (h - dt).abs() <= 1e-6 * dt);
        match self {
            Stage::One(sim)
                if !sim.settings().integrator.is_adaptive() && is_whole(sim.next_step(until, dt)) =>
            {
                sim.step(dt)?;
                if sim.next_step(until, dt).is_none() {
                    sim.set_time(until);
                }
                Ok(())
            }
            Stage::Many(play) => {
                play.act()?;
                let is_next = play.acts.get(play.next).is_none_or(|act| act.at > until);
                if !(is_next && is_whole(play.world.next_step(until, dt))) {
                    return play.step_toward(until, dt);
                }
                play.world.step(dt)?;
                if play.world.next_step(until, dt).is_none() {
                    play.world.set_time(until);
                }
                Ok(())
            }
            Stage::One(_) => self.step_toward(until, dt),
        }
    }
    pub(crate) fn step_toward(&mut self, until: f64, dt: f64) -> Result<(), WorldError> {
        match self {
            Stage::One(sim) => sim.step_toward(until, dt).map(|_| ()).map_err(WorldError::from),
            Stage::Many(play) => play.step_toward(until, dt),
        }
    }
    pub(crate) fn assemble(&mut self) -> Result<(), WorldError> {
        match self {
            Stage::One(sim) => sim.assemble().map_err(WorldError::from),
            Stage::Many(_) => self.catch_up(),
        }
    }
    /// Does what the script wants done by now.
    pub(crate) fn catch_up(&mut self) -> Result<(), WorldError> {
        match self {
            Stage::One(_) => Ok(()),
            Stage::Many(play) => {
                play.act()?;
                play.world.settle()
            }
        }
    }
    pub(crate) fn energy(&mut self) -> Energy {
        match self {
            Stage::One(sim) => sim.energy(),
            Stage::Many(play) => play.world.energy(),
        }
    }
    /// The present state, for another run.
    pub(crate) fn save(&mut self) -> Result<Vec<u8>, WorldError> {
        match self {
            Stage::One(sim) => Ok(sim.state().to_bytes()),
            Stage::Many(play) => play.world.to_bytes(),
        }
    }
    /// Goes on from a state that was saved. The script has done by then what was due before.
    pub(crate) fn go_on_from(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        match self {
            Stage::One(sim) => {
                let state = State::from_bytes(sim.model(), bytes)?;
                sim.restore(&state)?;
            }
            Stage::Many(play) => {
                play.world.restore_bytes(bytes)?;
                let now = play.world.time();
                play.next = play.acts.partition_point(|act| act.at <= now + SAME * (1.0 + now));
            }
        }
        Ok(())
    }
    /// Whether states between steps may be known.
    pub(crate) fn is_dense(&self) -> bool {
        matches!(self, Stage::One(_))
    }
    /// What a world has seen; one simulation has its own books.
    pub(crate) fn books(&mut self) -> Option<Books> {
        match self {
            Stage::One(_) => None,
            Stage::Many(play) => Some(play.books()),
        }
    }
    /// Everything as it stands, as one simulation; of a world a copy.
    pub(crate) fn sim(&mut self) -> Result<&mut Simulation, WorldError> {
        match self {
            Stage::One(sim) => Ok(sim),
            Stage::Many(play) => play.world.whole(),
        }
    }
}
