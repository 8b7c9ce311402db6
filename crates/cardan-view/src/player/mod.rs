//! The player: a scene that runs in a window. It steps, goes back, is touched by a hand, and is read for every picture.
//!
//! | file | |
//! |---|---|
//! | `mod.rs` | loading, time |
//! | `history.rs` | snapshots for stepping back, undo and redo, saved states |
//! | `hand.rs` | picking, dragging, nails, set points, joint coordinates |
//! | `manipulate.rs` | dragging while time stands still, by f = m v |
//! | `nails.rs` | numbers of nails, nails of a reloaded scene |
//! | `arrays.rs` | the present instant as arrays of numbers |
//! | `stats.rs` | measures, events, the report of the doctor |
//! | `recording.rs` | what a hand did, with hashes, to be replayed |
//!
//! Parts are named by their index in the scene, which is that of the model of all parts: what a hand adds comes after them.

mod arrays;
mod hand;
mod history;
mod manipulate;
mod nails;
mod recording;
mod stats;

pub use hand::Action;
pub use recording::Replayed;

use crate::error::ViewError;
use crate::info;
use crate::load::{Built, SceneText};
use arrays::{ColumnIndex, Solved};
use cardan::step::StepReport;
use cardan::{Model, Sleep, World, WorldError, WorldEvent};
use cardan_scene::{Document, Scene, ScriptedWorld};
use hand::Hand;
use history::{History, Mark};
use manipulate::Manipulation;
use recording::{Playback, Recorder};
use serde_json::{Value, json};
use std::sync::Arc;

/// A scene that runs in a window.
#[derive(Debug)]
pub struct Player {
    source: SceneText,
    document: Document,
    scene: Scene,
    /// All parts of the scene.
    model: Arc<Model>,
    scripted: ScriptedWorld,
    dt: f64,
    hand: Hand,
    history: History,
    recorder: Option<Recorder>,
    /// A recording that is replayed.
    playback: Option<Box<Playback>>,
    /// Dragging while time stands still.
    manipulation: Option<Box<Manipulation>>,
    /// Events that were not taken yet.
    events: Vec<WorldEvent>,
    last_step: StepReport,
    /// What was solved for the present instant.
    solved: Option<Box<Solved>>,
    /// Names of channels; none before they are asked for.
    columns: Option<Box<ColumnIndex>>,
}

/// How many events are kept if nobody takes them.
const MOST_EVENTS: usize = 10_000;

impl Player {
    /// Reads, checks and builds a scene.
    ///
    /// # Errors
    /// If the scene is wrong, or names a file that is not there.
    pub fn new(source: SceneText) -> Result<Self, ViewError> {
        let Built { document, scene, model, scripted, .. } = source.build()?;
        let (dt, drives) = (scene.simulation.dt(), info::drives(&model, &scripted.world).len());
        let mut player = Player {
            history: History::new(source.options.ring, dt),
            source,
            document,
            scene,
            model,
            scripted,
            dt,
            hand: Hand::new(drives),
            recorder: None,
            playback: None,
            manipulation: None,
            events: Vec::new(),
            last_step: StepReport::default(),
            solved: None,
            columns: None,
        };
        let sleeps = player.source.options.sleep.unwrap_or(true);
        player.scripted.world.set_sleep(sleeps.then(Sleep::default));
        // Without sleep and script everything is stepped together, as the command does.
        player.scripted.world.set_one_island(!sleeps && player.scene.script.is_empty());
        player.world().assemble()?;
        player.begin_history()?;
        Ok(player)
    }

    /// The world.
    pub fn world(&mut self) -> &mut World {
        self.solved = None;
        &mut self.scripted.world
    }

    /// The model of all parts of the scene.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// What errors call the scene.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// How it was loaded.
    pub fn options(&self) -> &crate::load::Options {
        &self.source.options
    }

    /// The text of the scene.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The scene as JSON: everything that does not change from frame to frame.
    pub fn scene_info(&mut self) -> Result<Value, ViewError> {
        let motions = self.motions_by_body()?;
        Ok(info::scene(&self.source, &self.document, &self.scene, &self.model, &self.scripted, &motions))
    }

    /// Replaces the scene by another text; states go on by name, time is kept. Returns what was kept, as JSON.
    ///
    /// # Errors
    /// If the text is wrong; the old scene goes on then.
    pub fn reload(&mut self, source: SceneText) -> Result<Value, ViewError> {
        let mut fresh = Player::new(source)?;
        let start = fresh.mark()?;
        // Parts are switched as they are at that time, before they take over their states.
        let switched = fresh.scripted.apply_until(self.time()).map(|_| ());
        let adopted = switched.and_then(|()| fresh.scripted.world.adopt(&self.scripted.world));
        let summary = match &adopted {
            Ok(adopted) => {
                let (nails, lost) = fresh.take_nails(self)?;
                json!({
                    "kept": adopted.kept.len(), "fresh": adopted.fresh, "time": fresh.time(),
                    "nails": nails, "lostNails": lost,
                })
            }
            Err(error) => {
                // A scene that cannot go on from here begins anew.
                fresh.restore_mark(&start);
                let all: Vec<&str> = fresh.model.bodies().iter().map(|body| body.name.as_str()).collect();
                json!({ "kept": 0, "fresh": all, "time": fresh.time(), "why": error.to_string() })
            }
        };
        fresh.begin_history()?;
        *self = fresh;
        Ok(summary)
    }

    /// Back to the start of the scene.
    ///
    /// # Errors
    /// None in a scene that was loaded before; those of loading it.
    pub fn reset(&mut self) -> Result<(), ViewError> {
        *self = Player::new(self.source.clone())?;
        Ok(())
    }

    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.scripted.world.time()
    }
    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.scripted.world.steps()
    }
    /// Time step \[s\].
    pub fn dt(&self) -> f64 {
        self.dt
    }
    /// Sets the time step \[s\].
    ///
    /// # Errors
    /// If it is not a positive number.
    pub fn set_dt(&mut self, dt: f64) -> Result<(), ViewError> {
        self.act(Action::SetDt { dt }).map(|_| ())
    }
    /// The state hash, as `cardan run` prints it.
    pub fn hash(&self) -> String {
        format!("{:016x}", self.scripted.world.state_hash())
    }
    /// End of the scene's own run \[s\].
    pub fn until(&self) -> f64 {
        self.scene.simulation.until()
    }

    /// One step of dt, or a shorter one to the next entry of the script.
    ///
    /// # Errors
    /// If it is refused; the state is then that of before.
    pub fn step(&mut self) -> Result<(), ViewError> {
        self.advance(None)
    }

    /// Steps to a time as `cardan run` does: the last one is shortened. Returns the number of steps.
    ///
    /// # Errors
    /// Those of the first step that is refused.
    pub fn run(&mut self, until: f64) -> Result<u64, ViewError> {
        let before = self.steps();
        while self.scripted.world.next_step(until, self.dt).is_some() {
            self.advance(Some(until))?;
        }
        self.apply_script()?;
        Ok(self.steps() - before)
    }

    /// Whole steps until the next would pass `t`, as long as `goes_on` says so. Returns the number of steps.
    ///
    /// # Errors
    /// Those of the first step that is refused.
    pub fn step_to(&mut self, t: f64, mut goes_on: impl FnMut() -> bool) -> Result<u64, ViewError> {
        let before = self.steps();
        // The clock of a page is no multiple of a step: half a rounding early is in time.
        while self.time() + self.dt <= t + 1e-9 * self.dt && !self.is_replayed() && goes_on() {
            self.step()?;
        }
        Ok(self.steps() - before)
    }

    fn apply_script(&mut self) -> Result<(), WorldError> {
        self.solved = None;
        self.scripted.apply_due().map(|_| ())
    }

    fn advance(&mut self, until: Option<f64>) -> Result<(), ViewError> {
        self.manipulation = None;
        self.play_due();
        self.apply_script()?;
        let taken = self.take_step(until);
        let taken = match taken {
            Err(_) if self.hand.holds_exactly() => {
                // A hand that asks for the impossible holds what it has.
                self.hold_still()?;
                self.take_step(until)
            }
            taken => taken,
        };
        self.last_step = taken?;
        self.events.append(&mut self.scripted.world.take_events());
        let surplus = self.events.len().saturating_sub(MOST_EVENTS);
        self.events.drain(..surplus);
        self.note_step()?;
        self.compare_playback();
        Ok(())
    }

    fn take_step(&mut self, until: Option<f64>) -> Result<StepReport, WorldError> {
        let (dt, script) = (self.dt, &mut self.scripted);
        let next = script.next_entry().map(|entry| entry.at);
        let goal = match (until, next) {
            (Some(until), Some(at)) => Some(until.min(at)),
            (until, at) => until.or(at),
        };
        let Some(goal) = goal else { return script.world.step(dt) };
        let Some(h) = script.world.next_step(goal, dt) else { return script.world.step(dt) };
        let report = script.world.step(h)?;
        if script.world.next_step(goal, dt).is_none() {
            script.world.set_time(goal);
        }
        Ok(report)
    }

    fn mark(&mut self) -> Result<Mark, ViewError> {
        Ok(Mark {
            steps: self.steps(),
            time: self.time(),
            world: self.scripted.world.snapshot()?,
            place: self.scripted.place(),
            hand: self.hand.clone(),
            dt: self.dt,
            is_alone: false,
        })
    }

    fn restore_mark(&mut self, mark: &Mark) {
        (self.solved, self.manipulation) = (None, None);
        self.scripted.restore(&mark.world, mark.place);
        self.hand = mark.hand.clone();
        self.dt = mark.dt;
        self.last_step = StepReport::default();
    }
}
