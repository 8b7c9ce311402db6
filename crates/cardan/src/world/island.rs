//! An island: parts that act only on each other, as one simulation.

use super::parts::{JointMemory, LocalIndices, Members, Parts};
use super::{WorldError, commands};
use crate::inequality::{InequalityOrigin, LimitSide};
use crate::model::{JointId, Model};
use crate::simulation::{Checkpoint, Simulation};
use crate::step::{ActiveContact, ContactKey, Settings, StepError, StepReport};
use cardan_shapes::FeaturePair;

/// Key of an inequality or contact in terms of the parts of the world, independent of the model that is built.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A declared inequality.
    Declared(u32),
    /// A limit of a joint coordinate.
    Limit(u32, u32, LimitSide),
    /// Dry friction of a joint coordinate.
    Friction(u32, u32),
    /// Two shapes.
    Contact(u32, u32, FeaturePair),
}

/// An active inequality or contact, by its key.
pub(crate) type ActiveCondition = (Condition, ActiveContact);

/// Parts that are stepped together.
#[derive(Debug)]
pub(crate) struct Island {
    pub(crate) members: Members,
    pub(crate) sim: Simulation,
    /// Outcome of the last step.
    pub(crate) outcome: Option<Result<StepReport, StepError>>,
    pub(crate) checkpoint: Option<Checkpoint>,
    /// Time at rest \[s\], and whether it sleeps.
    pub(crate) rested: f64,
    pub(crate) asleep: bool,
}

impl Island {
    /// Builds the members in their present poses. `active_conditions` includes the active conditions of these parts.
    pub(crate) fn new(
        parts: &mut Parts,
        members: Members,
        local: &mut LocalIndices,
        (time, settings): ((f64, f64), &Settings),
        (active_conditions, assembled): (&[ActiveCondition], bool),
    ) -> Result<Island, WorldError> {
        let mut model = parts.build(&members, local, time)?;
        store_coupler_offsets(parts, &members, &model);
        restore_memory(parts, &members, &mut model);
        commands::restore(parts, &members, &mut model);
        let held = active_conditions.iter().filter_map(|(condition, held)| {
            Some(ActiveContact { key: key_of(*condition, &members, &model)?, ..*held })
        });
        model.initial.held = held.collect();
        model.initial.held.sort_by_key(|held| held.key);
        model.initial.assembled = assembled;
        let sim = Simulation::with_settings(model, *settings)?;
        Ok(Island { members, sim, outcome: None, checkpoint: None, rested: 0.0, asleep: false })
    }

    /// Writes poses, velocities and active conditions back to the parts.
    pub(crate) fn write_back(&self, parts: &mut Parts, active_conditions: &mut Vec<ActiveCondition>) {
        let (model, state) = (self.sim.model(), self.sim.state());
        for (body, &place) in model.bodies.iter().zip(&self.members.bodies) {
            let part = &mut parts.bodies.at_mut(place).part;
            part.q.copy_from_slice(&state.q[body.q_range()]);
            part.v.copy_from_slice(&state.v[body.v_range()]);
        }
        for (j, &place) in self.members.joints.iter().enumerate() {
            let turns = model.joints[j].turns_at().map(|at| at.map_or(0.0, |at| state.turns[at]));
            let mine = model.drives.iter().filter(|drive| drive.joint == j);
            let drives = match model.joints[j].driven.is_some() {
                true => mine.map(|d| (d.start, d.sums_at.map_or([0.0; 2], |at| state.sums[at]))).collect(),
                false => Vec::new(),
            };
            parts.joints.at_mut(place).part.memory = Some(JointMemory { turns, drives });
        }
        for &place in self.members.impulses.iter().take(state.impulses_applied) {
            parts.impulses.at_mut(place).part.applied = true;
        }
        commands::write_back(parts, &self.members, &self.sim);
        active_conditions.extend(self.active_conditions());
    }

    /// Active conditions, by their keys.
    pub(crate) fn active_conditions(&self) -> impl Iterator<Item = ActiveCondition> + '_ {
        let (model, state) = (self.sim.model(), self.sim.state());
        state.held.iter().map(|held| (condition_of(held.key, &self.members, model), *held))
    }

    /// Estimated cost of a step.
    pub(crate) fn size(&self) -> usize {
        if self.asleep { 0 } else { self.members.bodies.len() }
    }

    /// One step, or none if it sleeps, after a checkpoint.
    pub(crate) fn step(&mut self, h: f64) {
        self.sim.save_checkpoint(&mut self.checkpoint);
        if self.asleep {
            self.sim.pass_time(h);
            self.outcome = Some(Ok(StepReport { size: h, ..StepReport::default() }));
            return;
        }
        self.outcome = Some(self.sim.step(h));
    }

    /// Restores the last checkpoint.
    pub(crate) fn rewind(&mut self) {
        if let Some(checkpoint) = &self.checkpoint {
            self.sim.rewind(checkpoint);
        }
    }

    /// Whether nothing in it depends on time.
    pub(crate) fn is_autonomous(&self) -> bool {
        let model = self.sim.model();
        model.is_autonomous()
            && !self.sim.state().has_commands()
            && model.impulses.len() == self.sim.state().impulses_applied
            && !model.joints.iter().any(|joint| joint.efforts.iter().any(|effort| effort.is_active()))
    }
}

/// Stores the offsets of couplers whose offsets follow from the pose.
fn store_coupler_offsets(parts: &mut Parts, members: &Members, model: &Model) {
    for (index, offsets) in &model.coupler_offsets {
        parts.constraints.at_mut(members.constraints[*index]).part.coupler_offsets.clone_from(offsets);
    }
}

/// Continues the drives of joints that were in an island before.
fn restore_memory(parts: &Parts, members: &Members, model: &mut Model) {
    for (j, &place) in members.joints.iter().enumerate() {
        let Some(memory) = &parts.joints.at(place).part.memory else { continue };
        if model.joints[j].driven.is_none() {
            continue;
        }
        let mine = model.drives.iter_mut().filter(|drive| drive.joint == j);
        for (drive, (start, sums)) in mine.zip(&memory.drives) {
            drive.start = *start;
            if let Some(at) = drive.sums_at {
                model.initial.sums[at] = *sums;
            }
        }
    }
}

/// The key in the world of a key of a model.
pub(crate) fn condition_of(key: ContactKey, members: &Members, model: &Model) -> Condition {
    match key {
        ContactKey::Declared(i) => match model.inequalities[i as usize].origin {
            InequalityOrigin::Limit { joint, coordinate, side } => {
                Condition::Limit(members.joints[joint.index()], coordinate as u32, side)
            }
            InequalityOrigin::Declared => {
                let limits = model.inequalities.iter().take(i as usize);
                let before = limits.filter(|other| other.origin != InequalityOrigin::Declared).count();
                Condition::Declared(members.inequalities[i as usize - before])
            }
        },
        ContactKey::Joint(i) => {
            let friction = &model.frictions[i as usize];
            Condition::Friction(members.joints[friction.joint.index()], friction.coordinate as u32)
        }
        ContactKey::Contact(a, b, feature) => {
            Condition::Contact(members.shapes[a as usize], members.shapes[b as usize], feature)
        }
    }
}

/// The key in a model of a key of the world, if the model has it.
fn key_of(condition: Condition, members: &Members, model: &Model) -> Option<ContactKey> {
    let among = |list: &[u32], place: u32| list.binary_search(&place).ok();
    match condition {
        Condition::Declared(place) => {
            let at = among(&members.inequalities, place)?;
            let limits = model.inequalities.iter().filter(|i| i.origin != InequalityOrigin::Declared).count();
            Some(ContactKey::Declared((limits + at) as u32))
        }
        Condition::Limit(place, k, side) => {
            let wanted = InequalityOrigin::Limit {
                joint: JointId::of_index(among(&members.joints, place)?),
                coordinate: k as usize,
                side,
            };
            let at = model.inequalities.iter().position(|i| i.origin == wanted)?;
            Some(ContactKey::Declared(at as u32))
        }
        Condition::Friction(place, k) => {
            let joint = JointId::of_index(among(&members.joints, place)?);
            let at = model.frictions.iter().position(|f| (f.joint, f.coordinate) == (joint, k as usize))?;
            Some(ContactKey::Joint(at as u32))
        }
        Condition::Contact(a, b, feature) => {
            let (a, b) = (among(&members.shapes, a)?, among(&members.shapes, b)?);
            Some(ContactKey::Contact(a as u32, b as u32, feature))
        }
    }
}
