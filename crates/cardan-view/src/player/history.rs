//! The past: snapshots at regular steps, and what the hand did between them. A state of the past is the snapshot before it
//! and the same steps again, which have the same bits.

use super::hand::{Action, Hand, SavedHand};
use super::{Player, ViewError};
use cardan::Snapshot;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A world, its script and its hand at one time.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) steps: u64,
    pub(super) time: f64,
    pub(super) world: Snapshot,
    /// Entries of the script that have been applied.
    pub(super) place: usize,
    pub(super) hand: Hand,
    pub(super) dt: f64,
    /// Whether what is remembered before it is the past of another state.
    pub(super) is_alone: bool,
}

/// Snapshots, and the actions since the first of them.
#[derive(Debug)]
pub(super) struct History {
    marks: VecDeque<Mark>,
    /// After how many steps, and what.
    actions: VecDeque<(u64, Action)>,
    /// What the hand did last.
    last: Option<Action>,
    /// Steps between snapshots.
    every: u64,
    /// Most bytes, and bytes of a snapshot, by estimate.
    most: usize,
    size: usize,
    undo: Vec<Mark>,
    redo: Vec<Mark>,
    /// While the past is computed again nothing is noted.
    replays: bool,
}

/// Default of the memory for snapshots, in bytes.
const RING: usize = 64 << 20;
/// Time between snapshots \[s\], and most steps between them: so many are done again to step back once.
const INTERVAL: (f64, u64) = (1.0 / 30.0, 64);
/// Most snapshots: ten seconds and more.
const MOST: usize = 330;
/// Most things that can be undone.
const MOST_UNDO: usize = 50;

impl History {
    pub(super) fn new(ring: Option<usize>, dt: f64) -> Self {
        let every = (INTERVAL.0 / dt).round().clamp(1.0, INTERVAL.1 as f64) as u64;
        History {
            marks: VecDeque::new(),
            actions: VecDeque::new(),
            last: None,
            every,
            most: ring.unwrap_or(RING),
            size: 1,
            undo: Vec::new(),
            redo: Vec::new(),
            replays: false,
        }
    }

    fn push(&mut self, mark: Mark) {
        self.marks.push_back(mark);
        while self.marks.len() > 2 && (self.marks.len() > MOST || self.marks.len() * self.size > self.most) {
            self.marks.pop_front();
        }
        let first = self.marks.front().map_or(0, |mark| mark.steps);
        while self.actions.front().is_some_and(|(step, _)| *step < first) {
            self.actions.pop_front();
        }
    }

    /// Number of snapshots and of actions since, and the bytes of snapshots, by estimate.
    pub(super) fn size(&self) -> (usize, usize, usize) {
        (self.marks.len(), self.actions.len(), self.marks.len() * self.size)
    }
}

/// A saved state: what the hand added, and the bytes of the world.
#[derive(Serialize, Deserialize)]
struct Saved {
    hand: SavedHand,
    dt: f64,
}

/// What a saved state of a window begins with.
const MAGIC: &[u8; 8] = b"cardanV1";

impl Player {
    /// The past begins here.
    pub(super) fn begin_history(&mut self) -> Result<(), ViewError> {
        let ring = self.source.options.ring;
        self.history = History::new(ring, self.dt);
        let model = &self.model;
        // Descriptions, names, numbers and what islands keep of them, within a factor of two (a test measures it).
        // Meshes, hulls and terrains are shared by all snapshots.
        self.history.size = 2_000
            + 1_600 * model.bodies().len()
            + 1_400 * model.joints().len()
            + 700 * (model.constraints().len() + model.forces().len() + model.shapes().len());
        let mark = self.mark()?;
        self.history.push(mark);
        Ok(())
    }

    /// After a step: a snapshot, if one is due.
    pub(super) fn note_step(&mut self) -> Result<(), ViewError> {
        let steps = self.steps();
        let due = self.history.marks.back().is_none_or(|last| steps >= last.steps + self.history.every);
        if due && !self.history.replays && self.history.most > 0 {
            let mark = self.mark()?;
            self.history.push(mark);
        }
        self.record_step();
        Ok(())
    }

    /// Whether the hand goes on with what it did last, as with a slider: it is undone as a whole.
    pub(super) fn goes_on_with(&self, action: &Action) -> bool {
        match (self.history.last.as_ref(), action) {
            (Some(Action::SetDrive { drive: a, .. }), Action::SetDrive { drive: b, .. })
            | (
                Some(Action::SetCoordinate { coordinate: a, .. }),
                Action::SetCoordinate { coordinate: b, .. },
            ) => a == b,
            _ => false,
        }
    }

    /// After something that the hand did.
    pub(super) fn note_action(&mut self, action: &Action) -> Result<(), ViewError> {
        if self.history.replays {
            return Ok(());
        }
        let steps = self.steps();
        self.history.last = Some(action.clone());
        if !matches!(action, Action::SetPoses { .. }) {
            self.history.actions.push_back((steps, action.clone()));
            return Ok(());
        }
        // A hand that poses does so in every frame while time stands still: the pose is kept, not the way to it.
        let mark = self.mark()?;
        self.history.actions.retain(|(step, _)| *step < steps);
        self.history.marks.retain(|kept| kept.steps < steps);
        self.history.push(mark);
        Ok(())
    }

    /// After something that can be undone, with what was before.
    pub(super) fn note_undo(&mut self, before: Mark) {
        if self.history.replays || self.history.most == 0 {
            return;
        }
        self.history.undo.push(before);
        // They share what the snapshots may take: a quarter of it.
        let most = (self.history.most / (4 * self.history.size)).clamp(1, MOST_UNDO);
        let surplus = self.history.undo.len().saturating_sub(most);
        self.history.undo.drain(..surplus);
        self.history.redo.clear();
    }

    /// Back to the state before what the hand did last; false if there is nothing.
    ///
    /// # Errors
    /// If the present state cannot be kept for [`Player::redo`].
    pub fn undo(&mut self) -> Result<bool, ViewError> {
        let Some(mark) = self.history.undo.pop() else { return Ok(false) };
        let now = self.mark()?;
        self.history.redo.push(now);
        self.jump(&mark);
        Ok(true)
    }

    /// To the state that [`Player::undo`] left; false if there is none.
    ///
    /// # Errors
    /// If the present state cannot be kept.
    pub fn redo(&mut self) -> Result<bool, ViewError> {
        let Some(mark) = self.history.redo.pop() else { return Ok(false) };
        // What came before one of them did not come before the other.
        let now = Mark { is_alone: true, ..self.mark()? };
        self.history.undo.push(now);
        self.jump(&Mark { is_alone: true, ..mark });
        Ok(true)
    }

    /// Restores a state that does not follow from the one before it: the past begins there, unless it is of the past.
    fn jump(&mut self, mark: &Mark) {
        self.restore_mark(mark);
        self.history.marks.retain(|kept| !mark.is_alone && kept.steps < mark.steps);
        self.history.actions.retain(|(step, _)| !mark.is_alone && *step < mark.steps);
        self.history.last = None;
        self.history.push(mark.clone());
        (self.recorder, self.playback) = (None, None);
    }

    /// Earliest time that can be gone back to \[s\].
    pub fn earliest(&self) -> f64 {
        self.history.marks.front().map_or(self.time(), |mark| mark.time)
    }

    /// One step back; false at the beginning of the past.
    ///
    /// # Errors
    /// Those of steps that are taken again, which were taken before.
    pub fn step_back(&mut self) -> Result<bool, ViewError> {
        let steps = self.steps();
        if steps == 0 || self.history.marks.front().is_none_or(|first| first.steps >= steps) {
            return Ok(false);
        }
        self.back_to(steps - 1)?;
        Ok(true)
    }

    /// To the state after so many steps, with everything that the hand did by then; what came after is forgotten.
    fn back_to(&mut self, goal: u64) -> Result<(), ViewError> {
        self.history.marks.retain(|mark| mark.steps <= goal);
        let Some(mark) = self.history.marks.back().cloned() else {
            return Err(ViewError::request("the past does not reach so far back"));
        };
        self.history.actions.retain(|(step, _)| *step <= goal);
        // Actions at the step of a snapshot may have come before it or after it: one was taken after the step.
        let mut actions: VecDeque<(u64, Action)> =
            self.history.actions.iter().filter(|(step, _)| *step >= mark.steps).cloned().collect();
        self.restore_mark(&mark);
        (self.recorder, self.playback) = (None, None);
        self.history.last = None;
        self.history.replays = true;
        let outcome = self.again(goal, &mut actions);
        self.history.replays = false;
        let kept: Vec<Mark> = std::mem::take(&mut self.history.undo);
        self.history.undo = kept.into_iter().filter(|mark| mark.steps <= goal).collect();
        self.history.redo.clear();
        self.events.retain(|event| event.time <= self.scripted.world.time());
        outcome
    }

    fn again(&mut self, goal: u64, actions: &mut VecDeque<(u64, Action)>) -> Result<(), ViewError> {
        loop {
            while let Some((_, action)) =
                actions.pop_front_if(|(step, _)| *step <= self.scripted.world.steps())
            {
                // What was refused then is refused again.
                let _ = self.act(action);
            }
            if self.steps() >= goal {
                return Ok(());
            }
            self.step()?;
        }
    }

    /// To the last step at or before a time: back through the past, or forward as long as `goes_on` says so. Returns the
    /// time reached.
    ///
    /// # Errors
    /// Those of a step that is refused.
    pub fn seek(&mut self, t: f64, goes_on: impl FnMut() -> bool) -> Result<f64, ViewError> {
        if t >= self.time() {
            self.step_to(t, goes_on)?;
            return Ok(self.time());
        }
        let slack = 1e-9 * self.dt;
        let last = self.history.marks.iter().rev().find(|mark| mark.time <= t + slack);
        let Some(mark) = last.or(self.history.marks.front()) else { return Ok(self.time()) };
        let goal = mark.steps;
        self.back_to(goal)?;
        self.step_to(t, goes_on)?;
        Ok(self.time())
    }

    /// The state with nails, for another window on the same scene.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn save(&mut self) -> Result<Vec<u8>, ViewError> {
        let saved = Saved { hand: self.hand.saved(), dt: self.dt };
        let bytes = match self.hand.is_held() {
            false => self.scripted.world.to_bytes(),
            true => {
                // A grip is a part of this world only: it is let go, and taken again.
                let (before, step) = (self.mark()?, self.last_step);
                let bytes = self.let_go().map(|()| self.scripted.world.to_bytes());
                self.restore_mark(&before);
                self.last_step = step;
                bytes?
            }
        };
        let head = serde_json::to_vec(&saved).map_err(|error| ViewError::request(error.to_string()))?;
        let mut out = MAGIC.to_vec();
        out.extend((head.len() as u32).to_le_bytes());
        out.extend(head);
        out.extend(bytes?);
        Ok(out)
    }

    /// Continues from a saved state of the same scene.
    ///
    /// # Errors
    /// If the bytes are damaged or belong to another scene. The state is then as it was.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), ViewError> {
        let bad = || ViewError::request("these bytes are no saved state of a window");
        let rest = bytes.strip_prefix(MAGIC.as_slice()).ok_or_else(bad)?;
        let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(bad)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (head, world) = rest.split_at_checked(length).ok_or_else(bad)?;
        let Saved { hand, dt } = serde_json::from_slice(head).map_err(|_| bad())?;
        let mut fresh = Player::new(self.source.clone())?;
        fresh.take_hand(&hand)?;
        fresh.scripted.world.restore_bytes(world)?;
        fresh.command_servos()?;
        fresh.scripted.skip_due();
        fresh.set_dt(dt)?;
        fresh.begin_history()?;
        *self = fresh;
        Ok(())
    }
}
