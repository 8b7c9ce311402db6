//! The parts of a world: descriptions, and which island has them.
//!
//! Every part is kept as a description with ids of the world. Data that depend on the pose when a part was added are computed then and stored:
//! the frames of a joint placed in the world, the offsets of a coupler, the start values of a driven coordinate. Any subset of the parts
//! can therefore be rebuilt later with the same meaning.

use super::arena::Arena;
use super::commands::{BodyCommands, JointCommands};
use super::{PartId, WorldError};
use crate::body::{Body, Frame};
use crate::contact::{ContactShape, PairRule, ShapeTags};
use crate::force::{Force, Gravity};
use crate::impulse::{Impulse, TimedImpulse};
use crate::inequality::Inequality;
use crate::joint::{Joint, MAX_COORDINATES};
use crate::math::{Quat, Vec3};
use crate::model::{
    BodyId, BuildError, ConstraintId, ConstraintSpec, End, ForceId, Id, IdSource, ImpulseId, InequalityId,
    JointId, ModelBuilder, Probe, ProbeId, RunningState, ShapeId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A part, and whether it is switched on.
#[derive(Clone, Debug)]
pub(crate) struct Entry<T> {
    pub(crate) part: T,
    pub(crate) enabled: bool,
}

/// A body with its coordinates and velocities, which are valid while it has no island.
#[derive(Clone, Debug)]
pub(crate) struct BodyPart {
    pub(crate) body: Body,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    /// Its highest natural frequency, as described [rad/s].
    pub(crate) natural_frequency: f64,
    /// What a controller has set, while it is in no island.
    pub(crate) commands: Option<Box<BodyCommands>>,
}

/// A joint with its memory.
#[derive(Clone, Debug)]
pub(crate) struct JointPart {
    pub(crate) joint: Joint,
    /// Whether its rows are auxiliary.
    pub(crate) auxiliary: bool,
    pub(crate) memory: Option<JointMemory>,
    /// What a controller has set, while it is in no island.
    pub(crate) commands: Option<Box<JointCommands>>,
}

/// A constraint with the offsets that follow from the pose when it was switched on: one per row of a coupler, or none yet.
#[derive(Clone, Debug)]
pub(crate) struct ConstraintPart {
    pub(crate) added: ConstraintSpec,
    pub(crate) coupler_offsets: Vec<f64>,
}

/// Memory of a joint while it has no island.
#[derive(Clone, Debug)]
pub(crate) struct JointMemory {
    pub(crate) turns: [f64; MAX_COORDINATES],
    /// Value and rate at the start of every driven coordinate, and integrals of its law.
    pub(crate) drives: Vec<([f64; 2], [f64; 2])>,
}

/// An impulse, and whether it has acted or never will.
#[derive(Clone, Debug)]
pub(crate) struct ImpulsePart {
    pub(crate) timed: TimedImpulse,
    pub(crate) applied: bool,
}

/// All parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) gravity: Gravity,
    pub(crate) bodies: Arena<Entry<BodyPart>>,
    pub(crate) joints: Arena<Entry<JointPart>>,
    pub(crate) constraints: Arena<Entry<ConstraintPart>>,
    pub(crate) inequalities: Arena<Entry<Inequality>>,
    pub(crate) shapes: Arena<Entry<ContactShape>>,
    pub(crate) forces: Arena<Entry<Force>>,
    pub(crate) probes: Arena<Entry<Probe>>,
    pub(crate) pair_rules: Vec<(End, End, PairRule)>,
    /// Place of a shape → its collision group and its name.
    pub(crate) shape_tags: BTreeMap<u32, ShapeTags>,
    pub(crate) impulses: Arena<Entry<ImpulsePart>>,
    pub(crate) names: Names,
    /// Whether all bodies are one island, whatever connects them.
    pub(crate) one_island: bool,
    /// Sources of ids: of new parts, of the description that the world was made of, and of the world that it was restored from.
    pub(crate) id_source: IdSource,
    pub(crate) described_by: IdSource,
    pub(crate) came_from: IdSource,
}

/// Names in use, by table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) bodies: BTreeSet<String>,
    /// Joints, constraints and inequalities.
    pub(crate) joints: BTreeSet<String>,
    pub(crate) forces: BTreeSet<String>,
    pub(crate) probes: BTreeSet<String>,
    pub(crate) impulses: BTreeSet<String>,
}

/// Takes a name, or makes one of a letter and the first free number from `from` on.
pub(crate) fn take_name(
    names: &mut BTreeSet<String>,
    name: &mut String,
    (part, letter, from): (&'static str, char, usize),
) -> Result<(), BuildError> {
    if name.is_empty() {
        let free = (from..).map(|i| format!("{letter}{i}")).find(|name| !names.contains(name));
        *name = free.unwrap_or_default();
    }
    if !names.insert(name.clone()) {
        return Err(BuildError::DuplicateName { part, name: name.clone() });
    }
    Ok(())
}

/// Places of parts that are built together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members {
    pub(crate) bodies: Vec<u32>,
    pub(crate) joints: Vec<u32>,
    pub(crate) constraints: Vec<u32>,
    pub(crate) inequalities: Vec<u32>,
    pub(crate) shapes: Vec<u32>,
    pub(crate) forces: Vec<u32>,
    pub(crate) probes: Vec<u32>,
    /// In the order of time.
    pub(crate) impulses: Vec<u32>,
}

/// Where places of the world are among members.
#[derive(Debug, Default)]
pub(crate) struct LocalIndices {
    bodies: Vec<u32>,
    joints: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl LocalIndices {
    /// It is empty between two descriptions, so it only has to be large enough.
    fn enter(&mut self, parts: &Parts, members: &Members) {
        self.bodies.resize(parts.bodies.places().max(self.bodies.len()), NOWHERE);
        self.joints.resize(parts.joints.places().max(self.joints.len()), NOWHERE);
        for (i, &body) in members.bodies.iter().enumerate() {
            self.bodies[body as usize] = i as u32;
        }
        for (i, &joint) in members.joints.iter().enumerate() {
            self.joints[joint as usize] = i as u32;
        }
    }
    fn end(&self, end: End) -> End {
        end.body().map_or(End::Ground, |id| {
            end.moved_to(BodyId::of_index(self.bodies[id.place() as usize] as usize))
        })
    }
    fn has(&self, end: End) -> bool {
        end.body().is_none_or(|id| self.bodies.get(id.place() as usize).is_some_and(|i| *i != NOWHERE))
    }
    fn joint(&self, id: JointId) -> JointId {
        JointId::of_index(self.joints[id.place() as usize] as usize)
    }
    fn leave(&mut self, members: &Members) {
        members.bodies.iter().for_each(|&body| self.bodies[body as usize] = NOWHERE);
        members.joints.iter().for_each(|&joint| self.joints[joint as usize] = NOWHERE);
    }
}

/// Ids of parts that are kept in an arena.
pub(crate) trait ArenaId: Id {
    /// How many owners a place has had before, if there is such a place.
    fn owners(parts: &Parts, place: u32) -> Option<u32>;
}

macro_rules! arena_ids {
    ($($id:ty: $arena:ident),+) => {
        $(impl ArenaId for $id {
            fn owners(parts: &Parts, place: u32) -> Option<u32> {
                parts.$arena.generation(place)
            }
        })+
    };
}
arena_ids!(
    BodyId: bodies,
    JointId: joints,
    ConstraintId: constraints,
    InequalityId: inequalities,
    ShapeId: shapes,
    ForceId: forces,
    ProbeId: probes,
    ImpulseId: impulses
);

impl Parts {
    /// Whether an id belongs to this world. Ids of a world that it was restored from are valid if they were given before the snapshot.
    fn knows<I: ArenaId>(&self, id: I) -> bool {
        [IdSource::ANY, self.id_source, self.described_by].contains(&id.id_source())
            || (id.id_source() == self.came_from
                && I::owners(self, id.place()).is_some_and(|now| id.generation() < now))
    }
    /// The error for an id that names nothing.
    pub(crate) fn missing<I: ArenaId>(&self, id: I) -> WorldError {
        match self.knows(id) {
            true => WorldError::NoSuchPart { what: I::WHAT },
            false => WorldError::OtherWorld { what: I::WHAT },
        }
    }
    /// The error for a part that needs what an id does not name.
    pub(crate) fn gone<I: ArenaId>(&self, id: I, of: String) -> WorldError {
        match self.knows(id) {
            true => WorldError::Gone { what: I::WHAT, of },
            false => WorldError::NeedsOtherWorld { what: I::WHAT, of },
        }
    }

    /// The description of a body in its present pose, for parts that are placed in the world.
    pub(crate) fn posed(&self, body: &BodyPart) -> Body {
        let (described, q) = (&body.body, &body.q);
        let at = |i: usize| Vec3::new(q[i], q[i + 1], q[i + 2]);
        let mut now = described.clone();
        match &described.form {
            None => {
                let motion = described.kind.motion(q, &body.v);
                now.rot = motion.rot;
                now.pos = motion.pos - motion.axes * described.mass.center;
            }
            Some(_) if described.kind.moves_freely() => {
                now.pos = at(0);
                now.rot = Quat { w: q[3], v: at(4) };
                now.start = q[7..].to_vec();
            }
            Some(_) => now.start.clone_from(q),
        }
        now
    }

    /// The bodies that a part needs, and the joints that a constraint between coordinates does.
    pub(crate) fn needs(&self, id: PartId) -> (Vec<BodyId>, Vec<JointId>) {
        let of = |frames: &[(End, Frame)]| frames.iter().map(|frame| frame.0).collect::<Vec<End>>();
        let ends = match id {
            PartId::Body(id) => vec![End::Body(id)],
            PartId::Joint(id) => {
                self.joints.get(id).map_or(Vec::new(), |e| vec![e.part.joint.a, e.part.joint.b])
            }
            PartId::Constraint(id) => {
                return self
                    .constraints
                    .get(id)
                    .map_or_else(Default::default, |e| self.needs_of(&e.part.added));
            }
            PartId::Inequality(id) => self.inequalities.get(id).map_or(Vec::new(), |e| of(&e.part.frames)),
            PartId::Shape(id) => self.shapes.get(id).map_or(Vec::new(), |e| vec![e.part.body]),
            PartId::Force(id) => self.forces.get(id).map_or(Vec::new(), |e| of(&e.part.frames)),
            PartId::Probe(id) => self.probes.get(id).map_or(Vec::new(), |e| vec![e.part.body]),
            PartId::Impulse(id) => {
                self.impulses.get(id).map_or(Vec::new(), |e| vec![e.part.timed.impulse.body])
            }
        };
        (ends.into_iter().filter_map(End::body).collect(), Vec::new())
    }

    fn needs_of(&self, constraint: &ConstraintSpec) -> (Vec<BodyId>, Vec<JointId>) {
        let (mut bodies, joints): (Vec<BodyId>, Vec<JointId>) = match constraint {
            ConstraintSpec::User(user) => {
                (user.frames.iter().filter_map(|f| f.0.body()).collect(), Vec::new())
            }
            ConstraintSpec::Coupler(coupler) => {
                let terms = coupler.equations.iter().flat_map(|equation| &equation.terms);
                (Vec::new(), terms.map(|term| term.joint).collect())
            }
            ConstraintSpec::Follow(follow) => {
                (follow.body.body().into_iter().collect(), follow.motors.iter().map(|m| m.0).collect())
            }
        };
        for joint in &joints {
            if let Some(entry) = self.joints.get(*joint) {
                bodies.extend([entry.part.joint.a, entry.part.joint.b].into_iter().filter_map(End::body));
            }
        }
        (bodies, joints)
    }

    fn is_on(&self, end: End) -> bool {
        end.body().is_none_or(|id| self.bodies.get(id).is_some_and(|entry| entry.enabled))
    }
    fn joint_is_on(&self, entry: &Entry<JointPart>) -> bool {
        entry.enabled && self.is_on(entry.part.joint.a) && self.is_on(entry.part.joint.b)
    }
    fn constraint_is_on(&self, entry: &Entry<ConstraintPart>) -> bool {
        let (bodies, joints) = self.needs_of(&entry.part.added);
        entry.enabled
            && bodies.into_iter().all(|id| self.is_on(End::Body(id)))
            && joints.into_iter().all(|id| self.joints.get(id).is_some_and(|e| self.joint_is_on(e)))
    }

    /// Tells of every part that takes part which bodies it connects, and the part's place in the list that `of` picks.
    pub(crate) fn each_active(
        &self,
        mut tell: impl FnMut(&[BodyId], fn(&mut Members) -> &mut Vec<u32>, u32),
    ) {
        let mut ids: Vec<BodyId> = Vec::new();
        let take = |ids: &mut Vec<BodyId>, ends: &mut dyn Iterator<Item = End>| {
            ids.clear();
            ids.extend(ends.filter_map(End::body));
        };
        for (place, entry) in self.joints.iter().filter(|(_, e)| self.joint_is_on(e)) {
            take(&mut ids, &mut [entry.part.joint.a, entry.part.joint.b].into_iter());
            tell(&ids, |m| &mut m.joints, place);
        }
        for (place, entry) in self.constraints.iter().filter(|(_, e)| self.constraint_is_on(e)) {
            tell(&self.needs_of(&entry.part.added).0, |m| &mut m.constraints, place);
        }
        let on = |frames: &[(End, Frame)]| frames.iter().all(|f| self.is_on(f.0));
        for (place, entry) in self.inequalities.iter().filter(|(_, e)| e.enabled && on(&e.part.frames)) {
            take(&mut ids, &mut entry.part.frames.iter().map(|f| f.0));
            tell(&ids, |m| &mut m.inequalities, place);
        }
        for (place, entry) in self.forces.iter().filter(|(_, e)| e.enabled && on(&e.part.frames)) {
            take(&mut ids, &mut entry.part.frames.iter().map(|f| f.0));
            tell(&ids, |m| &mut m.forces, place);
        }
        for (place, entry) in self.shapes.iter().filter(|(_, e)| e.enabled && self.is_on(e.part.body)) {
            take(&mut ids, &mut [entry.part.body].into_iter());
            tell(&ids, |m| &mut m.shapes, place);
        }
        for (place, entry) in self.probes.iter().filter(|(_, e)| e.enabled && self.is_on(e.part.body)) {
            take(&mut ids, &mut [entry.part.body].into_iter());
            tell(&ids, |m| &mut m.probes, place);
        }
        let mut due: Vec<(u32, &ImpulsePart)> = self
            .impulses
            .iter()
            .filter(|(_, e)| e.enabled && !e.part.applied)
            .map(|(i, e)| (i, &e.part))
            .collect();
        due.sort_by(|a, b| a.1.timed.time.total_cmp(&b.1.timed.time));
        for (place, part) in due.into_iter().filter(|(_, part)| self.is_on(part.timed.impulse.body)) {
            take(&mut ids, &mut [part.timed.impulse.body].into_iter());
            tell(&ids, |m| &mut m.impulses, place);
        }
    }

    /// The descriptions of members, with ids of their own.
    pub(crate) fn describe(&self, members: &Members, local: &mut LocalIndices) -> ModelBuilder {
        local.enter(self, members);
        let mut out = ModelBuilder::unnumbered(self.gravity);
        for &place in &members.bodies {
            out.add_body(self.bodies.at(place).part.body.clone());
        }
        for (j, &place) in members.joints.iter().enumerate() {
            let part = &self.joints.at(place).part;
            let joint = &part.joint;
            out.joints.push(Joint { a: local.end(joint.a), b: local.end(joint.b), ..joint.clone() });
            if part.auxiliary {
                out.auxiliary.push(JointId::of_index(j));
            }
        }
        let frames = |frames: &mut Vec<(End, Frame)>| {
            frames.iter_mut().for_each(|frame| frame.0 = local.end(frame.0));
        };
        for &place in &members.constraints {
            let ConstraintPart { mut added, coupler_offsets } = self.constraints.at(place).part.clone();
            match &mut added {
                ConstraintSpec::User(user) => frames(&mut user.frames),
                ConstraintSpec::Coupler(coupler) => {
                    let terms = coupler.equations.iter_mut().flat_map(|equation| &mut equation.terms);
                    terms.for_each(|term| term.joint = local.joint(term.joint));
                    for (equation, offset) in coupler.equations.iter_mut().zip(coupler_offsets) {
                        equation.offset = Some(offset);
                    }
                }
                ConstraintSpec::Follow(follow) => {
                    follow.body = local.end(follow.body);
                    follow.motors.iter_mut().for_each(|motor| motor.0 = local.joint(motor.0));
                }
            }
            out.constraints.push(added);
        }
        for &place in &members.inequalities {
            let mut inequality = self.inequalities.at(place).part.clone();
            frames(&mut inequality.frames);
            out.inequalities.push(inequality);
        }
        for &place in &members.shapes {
            if let Some(tags) = self.shape_tags.get(&place) {
                out.shape_tags.insert(out.shapes.len() as u32, tags.clone());
            }
            let shape = self.shapes.at(place).part.clone();
            out.shapes.push(ContactShape { body: local.end(shape.body), ..shape });
        }
        for &place in &members.forces {
            let mut force = self.forces.at(place).part.clone();
            frames(&mut force.frames);
            out.forces.push(force);
        }
        for &place in &members.probes {
            let probe = self.probes.at(place).part.clone();
            out.probes.push(Probe { body: local.end(probe.body), ..probe });
        }
        for &place in &members.impulses {
            let TimedImpulse { name, time, impulse } = self.impulses.at(place).part.timed.clone();
            out.impulses.push(TimedImpulse {
                name,
                time,
                impulse: Impulse { body: local.end(impulse.body), ..impulse },
            });
        }
        if !members.shapes.is_empty() {
            let meets = self.pair_rules.iter().filter(|(a, b, _)| local.has(*a) && local.has(*b));
            out.pair_rules.extend(meets.map(|&(a, b, rule)| (local.end(a), local.end(b), rule)));
        }
        local.leave(members);
        out
    }

    /// A model of the members in their present poses.
    pub(crate) fn build(
        &self,
        members: &Members,
        local: &mut LocalIndices,
        now: (f64, f64),
    ) -> Result<crate::model::Model, BuildError> {
        self.build_with(members, local, now, |_| {})
    }

    /// A model of the members in their present poses, with changes to the descriptions.
    pub(crate) fn build_with(
        &self,
        members: &Members,
        local: &mut LocalIndices,
        (time, time_remainder): (f64, f64),
        change: impl FnOnce(&mut ModelBuilder),
    ) -> Result<crate::model::Model, BuildError> {
        let states: Vec<(&[f64], &[f64])> = members
            .bodies
            .iter()
            .map(|&i| {
                let part = &self.bodies.at(i).part;
                (&part.q[..], &part.v[..])
            })
            .collect();
        let memory = |place: &u32| self.joints.at(*place).part.memory.as_ref().map(|memory| memory.turns);
        let turns: Vec<_> = members.joints.iter().map(memory).collect();
        let natural_frequencies: Vec<f64> =
            members.bodies.iter().map(|&i| self.bodies.at(i).part.natural_frequency).collect();
        let now = RunningState {
            time,
            time_remainder,
            bodies: &states,
            natural_frequencies: &natural_frequencies,
            turns: &turns,
        };
        let mut described = self.describe(members, local);
        change(&mut described);
        described.build_at(Some(now))
    }

    /// Whether a part can be built together with the bodies and joints that it needs.
    pub(crate) fn check(&self, id: PartId, local: &mut LocalIndices) -> Result<(), WorldError> {
        let (bodies, joints) = self.needs(id);
        for body in &bodies {
            if self.bodies.get(*body).is_none() {
                return Err(self.gone(*body, self.name_of(id)));
            }
        }
        for joint in &joints {
            if self.joints.get(*joint).is_none() {
                return Err(self.gone(*joint, self.name_of(id)));
            }
        }
        let mut members = Members::default();
        members.bodies.extend(bodies.iter().map(|id| id.place()));
        members.joints.extend(joints.iter().map(|id| id.place()));
        members.bodies.sort_unstable();
        members.bodies.dedup();
        members.joints.sort_unstable();
        members.joints.dedup();
        match id {
            PartId::Body(_) => {}
            PartId::Joint(id) => members.joints.push(id.place()),
            PartId::Constraint(id) => members.constraints.push(id.place()),
            PartId::Inequality(id) => members.inequalities.push(id.place()),
            PartId::Shape(id) => members.shapes.push(id.place()),
            PartId::Force(id) => members.forces.push(id.place()),
            PartId::Probe(id) => members.probes.push(id.place()),
            PartId::Impulse(id) => members.impulses.push(id.place()),
        }
        self.build(&members, local, (0.0, 0.0))?;
        Ok(())
    }

    /// The name of a part, or what it is.
    pub(crate) fn name_of(&self, id: PartId) -> String {
        let name = match id {
            PartId::Body(id) => self.bodies.get(id).map(|e| e.part.body.name.clone()),
            PartId::Joint(id) => self.joints.get(id).map(|e| e.part.joint.name.clone()),
            PartId::Constraint(id) => self.constraints.get(id).map(|e| e.part.added.name().clone()),
            PartId::Inequality(id) => self.inequalities.get(id).map(|e| e.part.name.clone()),
            PartId::Shape(id) => self.shapes.get(id).map(|e| e.part.shape.kind().to_string()),
            PartId::Force(id) => self.forces.get(id).map(|e| e.part.name.clone()),
            PartId::Probe(id) => self.probes.get(id).map(|e| e.part.name.clone()),
            PartId::Impulse(id) => self.impulses.get(id).map(|e| e.part.timed.name.clone()),
        };
        name.unwrap_or_else(|| id.kind_name().to_string())
    }
}
