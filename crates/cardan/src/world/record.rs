//! Recordings: edits and steps in their order with a hash of the state after each step, to be replayed and compared.

use super::{GrabHandle, GrabMode, PartId, Sleep, Snapshot, World, WorldError};
use crate::body::{Body, Frame, Wrench};
use crate::constraint::{Coupler, MotorFollow, UserConstraint};
use crate::contact::{ContactShape, Material};
use crate::force::{Force, Gravity};
use crate::impulse::{Impulse, TimedImpulse};
use crate::inequality::Inequality;
use crate::joint::Joint;
use crate::math::Vec3;
use crate::model::{BodyId, ConstraintId, End, ForceId, JointId, Probe};
use crate::step::{StepError, StepReport};

/// An edit as a value. Its ids are those of the world it is meant for; edits replayed from the same start give the same ids.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each is the method of the same name")]
pub enum Edit {
    AddBody(Body),
    AddJoint(Joint),
    AddConstraint(UserConstraint),
    AddCoupler(Coupler),
    AddFollow(MotorFollow),
    AddInequality(Inequality),
    AddShape(ContactShape),
    AddForce(Force),
    AddProbe(Probe),
    SetCollision(End, End, bool),
    Remove(PartId),
    Enable(PartId),
    Disable(PartId),
    Reattach(JointId, Joint),
    ReplaceForce(ForceId, Force),
    MoveForce(ForceId, usize, Frame),
    ReplaceConstraint(ConstraintId, UserConstraint),
    SetStateOf(BodyId, Vec<f64>, Vec<f64>),
    SetGravity(Gravity),
    SetSleep(Option<Sleep>),
    MakeAuxiliary(JointId),
    MaterialBetween(End, End, Material),
    AddImpulse(TimedImpulse),
    ApplyImpulse(Impulse),
    Grab(End, Vec3, GrabMode),
    Drag(GrabHandle, Vec3, f64),
    Nail(End, Vec3),
    SetEffort(JointId, usize, f64),
    SetEfforts(Vec<f64>),
    SetTarget(JointId, usize, f64, f64),
    ClearTarget(JointId, usize),
    SetWrench(BodyId, Wrench),
    ClearCommands,
    SetPositionsOf(JointId, Vec<f64>),
    SetRatesOf(JointId, Vec<f64>),
    SetJointPositions(Vec<f64>),
    SetJointRates(Vec<f64>),
    Restore(Box<Snapshot>),
}

impl World {
    /// Applies an edit; returns the id of the part that it added.
    ///
    /// # Errors
    /// Those of the method of the same name.
    pub fn apply(&mut self, edit: Edit) -> Result<Option<PartId>, WorldError> {
        let added = match edit {
            Edit::AddBody(body) => self.add_body(body)?.into(),
            Edit::AddJoint(joint) => self.add_joint(joint)?.into(),
            Edit::AddConstraint(constraint) => self.add_constraint(constraint)?.into(),
            Edit::AddCoupler(coupler) => self.add_coupler(coupler)?.into(),
            Edit::AddFollow(follow) => self.add_follow(follow)?.into(),
            Edit::AddInequality(inequality) => self.add_inequality(inequality)?.into(),
            Edit::AddShape(shape) => self.add_shape(shape)?.into(),
            Edit::AddForce(force) => self.add_force(force)?.into(),
            Edit::AddProbe(probe) => self.add_probe(probe)?.into(),
            Edit::AddImpulse(impulse) => self.add_impulse(impulse)?.into(),
            Edit::Grab(end, point, mode) => self.grab(end, point, mode)?.part(),
            Edit::Nail(end, point) => self.nail(end, point)?.into(),
            other => return self.change(other).map(|()| None),
        };
        Ok(Some(added))
    }

    fn change(&mut self, edit: Edit) -> Result<(), WorldError> {
        match edit {
            Edit::SetCollision(a, b, meets) => self.set_collision(a, b, meets),
            Edit::Remove(id) => self.remove(id).map(|_| ()),
            Edit::Enable(id) => self.enable(id),
            Edit::Disable(id) => self.disable(id),
            Edit::Reattach(id, joint) => self.reattach(id, joint),
            Edit::ReplaceForce(id, force) => self.replace_force(id, force),
            Edit::MoveForce(id, frame, to) => self.move_force(id, frame, to),
            Edit::ReplaceConstraint(id, constraint) => self.replace_constraint(id, constraint),
            Edit::SetStateOf(id, q, v) => self.set_state_of(id, &q, &v),
            Edit::SetGravity(gravity) => self.set_gravity(gravity),
            Edit::MakeAuxiliary(id) => self.make_auxiliary(id),
            Edit::MaterialBetween(a, b, material) => self.material_between(a, b, material),
            Edit::ApplyImpulse(impulse) => self.apply_impulse(&impulse).map(|_| ()),
            Edit::Drag(grab, to, over) => self.drag(&grab, to, over),
            Edit::SetEffort(joint, k, effort) => self.set_effort(joint, k, effort),
            Edit::SetEfforts(efforts) => self.set_efforts(&efforts),
            Edit::SetTarget(joint, k, value, rate) => self.set_target(joint, k, value, rate),
            Edit::ClearTarget(joint, k) => self.clear_target(joint, k),
            Edit::SetWrench(body, wrench) => self.set_wrench(body, wrench),
            Edit::SetPositionsOf(joint, positions) => self.set_positions_of(joint, &positions),
            Edit::SetRatesOf(joint, rates) => self.set_rates_of(joint, &rates),
            Edit::SetJointPositions(positions) => self.set_joint_positions(&positions).map(|_| ()),
            Edit::SetJointRates(rates) => self.set_joint_rates(&rates).map(|_| ()),
            Edit::ClearCommands => {
                self.clear_commands();
                Ok(())
            }
            Edit::SetSleep(sleep) => {
                self.set_sleep(sleep);
                Ok(())
            }
            Edit::Restore(snapshot) => {
                self.restore(&snapshot);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// An edit or step, and its result.
#[derive(Clone, Debug)]
enum RecordedAction {
    /// An edit with the id of the added part; `None` if it was refused.
    Edit(Box<Edit>, Option<Option<PartId>>),
    Step {
        h: f64,
        succeeded: bool,
        after: Hashes,
    },
    /// The end of a run: the time is set to exactly this value.
    Arrive(f64),
}

/// Hashes of a world: of everything, and of every body by its place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hashes {
    all: u64,
    bodies: Vec<(BodyId, u64)>,
}

impl Hashes {
    fn of(world: &World) -> Self {
        let bodies = world.body_ids().filter_map(|id| Some((id, world.hash_of(id)?))).collect();
        Hashes { all: world.state_hash(), bodies }
    }
}

/// Edits and steps from a snapshot on.
#[derive(Clone, Debug)]
pub struct Recording {
    start: Snapshot,
    acts: Vec<RecordedAction>,
}

/// Records edits and steps of a world.
#[derive(Clone, Debug)]
pub struct Recorder(Recording);

/// Where a replay differs from the recording.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("step {step} (to t = {time} s) came out otherwise than recorded: {subject}{}", hashes(*wanted, *found))]
pub struct Divergence {
    /// Number of the step, from one.
    pub step: u64,
    /// Time after it \[s\].
    pub time: f64,
    /// The first difference: a body by its name, the time, or the result of the step or of an edit before it.
    pub subject: String,
    /// The hash of the body, or of everything, as recorded.
    pub wanted: u64,
    /// The hash in the replay; equal to the recorded one if the difference is not in numbers.
    pub found: u64,
}

fn hashes(wanted: u64, found: u64) -> String {
    match wanted == found {
        true => String::new(),
        false => format!(" has the hash {found:016x}, and had {wanted:016x}"),
    }
}

impl Recorder {
    /// Starts a recording at the present state.
    ///
    /// # Errors
    /// If its parts cannot be put together, see [`World::assemble`].
    pub fn new(world: &mut World) -> Result<Self, WorldError> {
        Ok(Recorder(Recording { start: world.snapshot()?, acts: Vec::new() }))
    }

    /// Applies and records an edit, also one that is refused.
    ///
    /// # Errors
    /// Those of the edit.
    pub fn apply(&mut self, world: &mut World, edit: Edit) -> Result<Option<PartId>, WorldError> {
        let outcome = world.apply(edit.clone());
        self.0.acts.push(RecordedAction::Edit(Box::new(edit), outcome.as_ref().ok().copied()));
        outcome
    }

    /// Grabs a point of a body and records that; dragging and releasing are edits.
    ///
    /// # Errors
    /// Those of [`World::grab`].
    pub fn grab(
        &mut self,
        world: &mut World,
        end: impl Into<End>,
        in_body: impl Into<Vec3>,
        mode: GrabMode,
    ) -> Result<GrabHandle, WorldError> {
        let (end, in_body) = (end.into(), in_body.into());
        let outcome = world.grab(end, in_body, mode);
        let part = outcome.as_ref().ok().map(|grab| Some(grab.part()));
        self.0.acts.push(RecordedAction::Edit(Box::new(Edit::Grab(end, in_body, mode)), part));
        outcome
    }

    /// Takes and records a step.
    ///
    /// # Errors
    /// Those of the step, which is recorded too.
    pub fn step(&mut self, world: &mut World, h: f64) -> Result<StepReport, WorldError> {
        let outcome = world.step(h);
        self.0.acts.push(RecordedAction::Step { h, succeeded: outcome.is_ok(), after: Hashes::of(world) });
        outcome
    }

    /// Takes steps of `h` up to time `until` and records them, as [`World::run`] takes them; returns their number.
    ///
    /// # Errors
    /// Those of the first step that fails, which is recorded too.
    pub fn run(&mut self, world: &mut World, until: f64, h: f64) -> Result<u64, WorldError> {
        let before = world.steps();
        if !until.is_finite() {
            return Err(StepError::BadTime { until }.into());
        }
        while let Some(size) = world.next_step(until, h) {
            self.step(world, size)?;
            if world.next_step(until, h).is_none() {
                world.set_time(until);
                self.0.acts.push(RecordedAction::Arrive(until));
            }
        }
        Ok(world.steps() - before)
    }

    /// The recording.
    pub fn finish(self) -> Recording {
        self.0
    }
}

impl Recording {
    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.acts.iter().filter(|act| matches!(act, RecordedAction::Step { .. })).count()
    }

    /// Replays the recording and compares after every step. Returns the number of steps.
    ///
    /// # Errors
    /// At the first step that differs. The world is in the state after that step.
    pub fn replay(&self, world: &mut World) -> Result<u64, Divergence> {
        self.replay_with(world, |_, _| {})
    }

    /// Replays the recording, and calls `look` after every step, before it is compared.
    ///
    /// # Errors
    /// At the first step that differs. The world is in the state after that step.
    pub fn replay_with(
        &self,
        world: &mut World,
        mut look: impl FnMut(&mut World, u64),
    ) -> Result<u64, Divergence> {
        world.restore(&self.start);
        // Parts get the ids by which the edits that follow name them.
        let own = world.give_as(self.start.id_source());
        let outcome = self.redo(world, &mut look);
        world.give_as(own);
        outcome
    }

    /// Does all acts, with the ids of the recording.
    fn redo(&self, world: &mut World, look: &mut impl FnMut(&mut World, u64)) -> Result<u64, Divergence> {
        let mut step = 0;
        for act in &self.acts {
            match act {
                // What was refused is refused again, and ids are given in the same order.
                RecordedAction::Edit(edit, wanted) => {
                    let found = world.apply((**edit).clone());
                    if found.as_ref().ok() != wanted.as_ref() {
                        let subject = other_outcome(edit, found.as_ref().err());
                        let (time, hash) = (world.time(), world.state_hash());
                        return Err(Divergence { step: step + 1, time, subject, wanted: hash, found: hash });
                    }
                }
                RecordedAction::Arrive(time) => world.set_time(*time),
                RecordedAction::Step { h, succeeded, after } => {
                    step += 1;
                    let outcome = world.step(*h);
                    look(world, step);
                    let found = Hashes::of(world);
                    if outcome.is_ok() != *succeeded {
                        let subject = match outcome {
                            Ok(_) => "it was taken, and had been refused".to_string(),
                            Err(error) => format!("it was refused, and had been taken ({error})"),
                        };
                        let (time, hash) = (world.time(), found.all);
                        return Err(Divergence { step, time, subject, wanted: hash, found: hash });
                    }
                    if found != *after {
                        return Err(divergence(world, step, after, &found));
                    }
                }
            }
        }
        Ok(step)
    }
}

/// The difference for an edit with another result.
fn other_outcome(edit: &Edit, error: Option<&WorldError>) -> String {
    let shown = format!("{edit:?}");
    let name = shown.split('(').next().unwrap_or_default();
    match error {
        Some(error) => format!("the edit {name} before it was refused, and had been done ({error})"),
        None => format!("the edit {name} before it was done, and had been refused or had given another id"),
    }
}

/// The first difference.
fn divergence(world: &World, step: u64, wanted: &Hashes, found: &Hashes) -> Divergence {
    let time = world.time();
    let other = wanted.bodies.iter().find_map(|&(id, hash)| {
        let now = found.bodies.iter().find(|(other, _)| *other == id)?.1;
        (now != hash).then(|| (format!("body `{}`", world.name(id)), hash, now))
    });
    let others = || match wanted.bodies.len() == found.bodies.len() {
        true => ("the time".into(), wanted.all, found.all),
        false => {
            let subject =
                format!("there are {} bodies, and were {}", found.bodies.len(), wanted.bodies.len());
            (subject, found.all, found.all)
        }
    };
    let (subject, wanted, found) = other.unwrap_or_else(others);
    Divergence { step, time, subject, wanted, found }
}
