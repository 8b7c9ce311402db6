//! Edits between steps. Each is checked at once, with the bodies it needs, and either done or refused with nothing changed. Islands that it touches
//! are taken apart; the next step puts them together again.

use super::island::Island;
use super::parts::{BodyPart, ConstraintPart, Entry, ImpulsePart, JointPart, Members, take_name};
use super::{PartId, World, WorldError};
use crate::body::{Body, Frame};
use crate::constraint::{Coupler, MotorFollow, UserConstraint};
use crate::contact::{ContactShape, Material, PairRule};
use crate::force::{Force, Gravity};
use crate::impulse::{Impulse, ImpulseRecord, TimedImpulse};
use crate::inequality::Inequality;
use crate::joint::{Joint, Placement};
use crate::math::Quat;
use crate::model::{
    BodyId, ConstraintId, ConstraintSpec, End, ForceId, Id, ImpulseId, InequalityId, JointId, ModelBuilder,
    Probe, ProbeId, ShapeId,
};

/// What an edit means for the joints of the bodies that it touches.
#[derive(Copy, Clone, PartialEq, Eq)]
enum EditEffect {
    /// They hold as before.
    Nothing,
    /// They may have to be closed.
    Joints,
}

impl World {
    /// All parts of a description, in their order.
    pub(super) fn add_all(&mut self, parts: ModelBuilder) -> Result<(), WorldError> {
        for (body, visual) in parts.bodies.into_iter().zip(parts.visuals) {
            self.add_body(Body { shapes: visual.to_vec(), ..body })?;
        }
        for joint in parts.joints {
            self.add_joint(joint)?;
        }
        for id in parts.auxiliary {
            self.make_auxiliary(id)?;
        }
        for added in parts.constraints {
            self.add(added)?;
        }
        for inequality in parts.inequalities {
            self.add_inequality(inequality)?;
        }
        for shape in parts.shapes {
            self.add_shape(shape)?;
        }
        for force in parts.forces {
            self.add_force(force)?;
        }
        for probe in parts.probes {
            self.add_probe(probe)?;
        }
        for impulse in parts.impulses {
            self.add_impulse(impulse)?;
        }
        for (a, b, rule) in parts.pair_rules {
            self.rule(a, b, rule)?;
        }
        Ok(())
    }

    /// Takes the islands of bodies apart.
    fn touch(&mut self, bodies: &[BodyId], what: EditEffect) {
        let island_of = |id: &BodyId| self.island_of_body.get(id.index()).copied().flatten();
        let mut islands: Vec<u32> = bodies.iter().filter_map(island_of).map(|(number, _)| number).collect();
        islands.sort_unstable();
        islands.dedup();
        self.combined = None;
        self.dissolve(&islands, what == EditEffect::Nothing);
        if what == EditEffect::Joints {
            for body in bodies {
                if let Some(fits) = self.fits.get_mut(body.index()) {
                    *fits = false;
                }
            }
        }
        self.needs_grouping = true;
    }

    /// Checks a part that has just been put in its place.
    fn check_new(&mut self, id: PartId, what: EditEffect) -> Result<(), WorldError> {
        self.parts.check(id, &mut self.local)?;
        let (bodies, _) = self.parts.needs(id);
        self.touch(&bodies, what);
        if has_rows(id) {
            self.note_new_condition(id);
        }
        Ok(())
    }

    /// Adds a body, where its description says.
    ///
    /// # Errors
    /// If the description is wrong or the name is taken.
    pub fn add_body(&mut self, mut body: Body) -> Result<BodyId, WorldError> {
        if body.name == "ground" {
            return Err(crate::BuildError::ReservedName.into());
        }
        let from = self.parts.bodies.places();
        take_name(&mut self.parts.names.bodies, &mut body.name, ("bodies", 'b', from))?;
        let name = body.name.clone();
        let entry = BodyPart { body, q: Vec::new(), v: Vec::new(), natural_frequency: 0.0 };
        let id: BodyId = self.parts.bodies.insert(Entry { part: entry, enabled: true }, self.parts.id_source);
        match self.start_body(id) {
            Ok(()) => {
                self.island_of_body.resize(self.parts.bodies.places(), None);
                self.fits.resize(self.parts.bodies.places(), false);
                self.fits[id.index()] = false;
                self.touch(&[], EditEffect::Nothing);
                Ok(id)
            }
            Err(error) => {
                self.parts.bodies.remove(id);
                self.parts.names.bodies.remove(&name);
                Err(error)
            }
        }
    }

    /// Checks a body, and puts it where its description says.
    fn start_body(&mut self, id: BodyId) -> Result<(), WorldError> {
        let mut alone = ModelBuilder::unnumbered(self.parts.gravity);
        alone.add_body(self.parts.bodies.at(id.place()).part.body.clone());
        let model = alone.build()?;
        let state = model.initial_state();
        let part = &mut self.parts.bodies.at_mut(id.place()).part;
        // With a quaternion of unit length.
        part.body.rot = part.body.rot.renormalized();
        part.q.extend_from_slice(&state.q);
        part.v.extend_from_slice(&state.v);
        part.natural_frequency = model.stiffest_body.map_or(0.0, |(_, omega)| omega);
        Ok(())
    }

    /// Adds a joint. A place in the world is one of now: bodies are held as they stand.
    ///
    /// # Errors
    /// If the description is wrong, does not fit its bodies, or these are not there.
    pub fn add_joint(&mut self, mut joint: Joint) -> Result<JointId, WorldError> {
        let from = self.parts.joints.places();
        take_name(&mut self.parts.names.joints, &mut joint.name, ("joints", 'j', from))?;
        let name = joint.name.clone();
        let outcome = self.place_joint(&mut joint).and_then(|()| {
            let part = JointPart { joint, auxiliary: false, memory: None };
            let id: JointId = self.parts.joints.insert(Entry { part, enabled: true }, self.parts.id_source);
            self.check_new(id.into(), EditEffect::Joints).map(|()| id).inspect_err(|_| {
                self.parts.joints.remove(id);
            })
        });
        outcome.inspect_err(|_| {
            self.parts.names.joints.remove(&name);
        })
    }

    /// Frames in the bodies in the place of one in the world.
    fn place_joint(&mut self, joint: &mut Joint) -> Result<(), WorldError> {
        let now = |end: End| {
            let Some(id) = end.body() else { return Ok(None) };
            let gone = || self.parts.gone(id, joint.name.clone());
            let entry = self.parts.bodies.get(id).ok_or_else(gone)?;
            let (q, v) = self.numbers(id.place());
            let (body, q, v) = (entry.part.body.clone(), q.to_vec(), v.to_vec());
            Ok::<_, WorldError>(Some(self.parts.posed(&BodyPart {
                body,
                q,
                v,
                natural_frequency: entry.part.natural_frequency,
            })))
        };
        let (a, b) = (now(joint.a)?, now(joint.b)?);
        let (in_a, in_b) = ModelBuilder::frames_of(joint, a.as_ref(), b.as_ref())?;
        joint.placement = Placement::Frames { in_a, in_b };
        Ok(())
    }

    /// Has a joint solved apart from the others, see [`ModelBuilder::make_auxiliary`].
    ///
    /// # Errors
    /// If there is no such joint.
    pub fn make_auxiliary(&mut self, id: JointId) -> Result<(), WorldError> {
        let missing = self.parts.missing(id);
        self.parts.joints.get_mut(id).ok_or(missing)?.part.auxiliary = true;
        let (bodies, _) = self.parts.needs(id.into());
        self.touch(&bodies, EditEffect::Nothing);
        Ok(())
    }

    fn add(&mut self, mut added: ConstraintSpec) -> Result<ConstraintId, WorldError> {
        let from = self.parts.constraints.places();
        take_name(&mut self.parts.names.joints, added.name_mut(), ("joints", 'c', from))?;
        let name = added.name().clone();
        let part = ConstraintPart { added, coupler_offsets: Vec::new() };
        let id: ConstraintId =
            self.parts.constraints.insert(Entry { part, enabled: true }, self.parts.id_source);
        self.check_new(id.into(), EditEffect::Joints).inspect_err(|_| {
            self.parts.constraints.remove(id);
            self.parts.names.joints.remove(&name);
        })?;
        Ok(id)
    }

    /// Adds a constraint of the user's.
    ///
    /// # Errors
    /// If it does not fit its bodies, or these are not there.
    pub fn add_constraint(&mut self, constraint: UserConstraint) -> Result<ConstraintId, WorldError> {
        self.add(ConstraintSpec::User(constraint))
    }

    /// Adds conditions between joint coordinates; offsets as posed are those of now.
    ///
    /// # Errors
    /// If it does not fit its joints, or these are not there.
    pub fn add_coupler(&mut self, coupler: Coupler) -> Result<ConstraintId, WorldError> {
        self.add(ConstraintSpec::Coupler(coupler))
    }

    /// Adds a point that follows a path, held there by motors at joints.
    ///
    /// # Errors
    /// If it does not fit its bodies and joints, or these are not there.
    pub fn add_follow(&mut self, follow: MotorFollow) -> Result<ConstraintId, WorldError> {
        self.add(ConstraintSpec::Follow(follow))
    }

    /// Adds a condition g ≥ 0.
    ///
    /// # Errors
    /// If it does not fit its bodies, or these are not there.
    pub fn add_inequality(&mut self, mut inequality: Inequality) -> Result<InequalityId, WorldError> {
        let from = self.parts.inequalities.places();
        take_name(&mut self.parts.names.joints, &mut inequality.name, ("joints", 'i', from))?;
        let name = inequality.name.clone();
        let id: InequalityId =
            self.parts.inequalities.insert(Entry { part: inequality, enabled: true }, self.parts.id_source);
        self.check_new(id.into(), EditEffect::Nothing).inspect_err(|_| {
            self.parts.inequalities.remove(id);
            self.parts.names.joints.remove(&name);
        })?;
        Ok(id)
    }

    /// Adds a shape that keeps others away.
    ///
    /// # Errors
    /// If it does not fit its body, or that is not there.
    pub fn add_shape(&mut self, shape: ContactShape) -> Result<ShapeId, WorldError> {
        let on_ground = shape.body == End::Ground;
        let id: ShapeId =
            self.parts.shapes.insert(Entry { part: shape, enabled: true }, self.parts.id_source);
        self.check_new(id.into(), EditEffect::Nothing).inspect_err(|_| {
            self.parts.shapes.remove(id);
        })?;
        if on_ground {
            self.touch_shapes();
        }
        Ok(id)
    }

    /// Adds a force.
    ///
    /// # Errors
    /// If it does not fit its bodies, or these are not there.
    pub fn add_force(&mut self, mut force: Force) -> Result<ForceId, WorldError> {
        let from = self.parts.forces.places();
        take_name(&mut self.parts.names.forces, &mut force.name, ("forces", 'f', from))?;
        let name = force.name.clone();
        let id: ForceId =
            self.parts.forces.insert(Entry { part: force, enabled: true }, self.parts.id_source);
        self.check_new(id.into(), EditEffect::Nothing).inspect_err(|_| {
            self.parts.forces.remove(id);
            self.parts.names.forces.remove(&name);
        })?;
        Ok(id)
    }

    /// Adds a named point to report.
    ///
    /// # Errors
    /// If it does not fit its body, or that is not there.
    pub fn add_probe(&mut self, mut probe: Probe) -> Result<ProbeId, WorldError> {
        let from = self.parts.probes.places();
        take_name(&mut self.parts.names.probes, &mut probe.name, ("probes", 'p', from))?;
        let name = probe.name.clone();
        let id: ProbeId =
            self.parts.probes.insert(Entry { part: probe, enabled: true }, self.parts.id_source);
        self.check_new(id.into(), EditEffect::Nothing).inspect_err(|_| {
            self.parts.probes.remove(id);
            self.parts.names.probes.remove(&name);
        })?;
        Ok(id)
    }

    /// Adds an impulse for a time to come; the step is cut there.
    ///
    /// # Errors
    /// If it does not fit its body, that is not there, or the time is past.
    pub fn add_impulse(&mut self, mut impulse: TimedImpulse) -> Result<ImpulseId, WorldError> {
        if impulse.time < self.time {
            let want = "it must not be in the past";
            let (part, name, field, value) = ("blow", impulse.name, "time", impulse.time);
            return Err(crate::BuildError::Number { part, name, field, value, want }.into());
        }
        if self.settings.integrator == crate::step::Integrator::FirstOrder {
            return Err(crate::step::StepError::NoImpulses.into());
        }
        let from = self.parts.impulses.len();
        take_name(&mut self.parts.names.impulses, &mut impulse.name, ("blows", 'k', from))?;
        let name = impulse.name.clone();
        self.parts.impulses.push(ImpulsePart { impulse, applied: false });
        self.check_last_impulse().inspect_err(|_| {
            self.parts.impulses.pop();
            self.parts.names.impulses.remove(&name);
        })?;
        // An impulse keeps its place, so its generation is zero.
        Ok(ImpulseId::new(from as u32, 0, self.parts.id_source))
    }

    fn check_last_impulse(&mut self) -> Result<(), WorldError> {
        let impulse = &self.parts.impulses[self.parts.impulses.len() - 1].impulse;
        let mut members = Members::default();
        if let Some(id) = impulse.impulse.body.body() {
            self.parts.bodies.get(id).ok_or_else(|| self.parts.gone(id, impulse.name.clone()))?;
            members.bodies.push(id.place());
        }
        members.impulses.push(self.parts.impulses.len() as u32 - 1);
        let bodies: Vec<BodyId> = impulse.impulse.body.body().into_iter().collect();
        self.parts.build(&members, &mut self.local, (0.0, 0.0))?;
        self.touch(&bodies, EditEffect::Nothing);
        Ok(())
    }

    /// Strikes a body now, and with it all that is connected to it: velocities jump, poses do not. What came of it is told in the order of the bodies and joints of
    /// its island.
    ///
    /// # Errors
    /// If there is no such body, it is switched off, or the equations have no answer. Nothing has changed then.
    pub fn apply_impulse(&mut self, impulse: &Impulse) -> Result<ImpulseRecord, WorldError> {
        let body = impulse.body.body().ok_or(WorldError::NoSuchPart { what: BodyId::WHAT })?;
        let (island, index) = self.island_of(body)?;
        let here = Impulse { body: impulse.body.moved_to(BodyId::of_index(index)), ..*impulse };
        let done = island.sim.apply_impulse(&here)?;
        (island.asleep, island.rested) = (false, 0.0);
        Ok(done)
    }

    /// Says whether two bodies meet; by default they do, unless a joint connects them.
    ///
    /// # Errors
    /// If one of them is not there.
    pub fn set_collision(
        &mut self,
        a: impl Into<End>,
        b: impl Into<End>,
        meets: bool,
    ) -> Result<(), WorldError> {
        self.rule(a.into(), b.into(), PairRule { meets: Some(meets), material: None })
    }

    /// Says what counts between two bodies, in the place of what their materials say.
    ///
    /// # Errors
    /// If one of them is not there, or a number of the material is out of range.
    pub fn material_between(
        &mut self,
        a: impl Into<End>,
        b: impl Into<End>,
        material: Material,
    ) -> Result<(), WorldError> {
        let mut alone = ModelBuilder::unnumbered(Gravity::ZERO);
        let bodies = [alone.add_body(Body::particle(1.0)), alone.add_body(Body::particle(1.0))];
        alone.material_between(bodies[0], bodies[1], material);
        alone.build()?;
        self.rule(a.into(), b.into(), PairRule { meets: None, material: Some(material) })
    }

    fn rule(&mut self, a: End, b: End, rule: PairRule) -> Result<(), WorldError> {
        let bodies: Vec<BodyId> = [a, b].into_iter().filter_map(End::body).collect();
        if let Some(id) = bodies.iter().find(|id| self.parts.bodies.get(**id).is_none()) {
            return Err(self.parts.missing(*id));
        }
        // What is said last counts; what it does not speak of stays.
        let meets = &mut self.parts.pair_rules;
        let of_pair = |(x, y, _): &(End, End, PairRule)| [(a, b), (b, a)].contains(&(*x, *y));
        let known = meets.iter().position(of_pair).map(|at| meets.remove(at).2).unwrap_or_default();
        let (meeting, material) = (rule.meets.or(known.meets), rule.material.or(known.material));
        meets.push((a, b, PairRule { meets: meeting, material }));
        self.touch(&bodies, EditEffect::Nothing);
        Ok(())
    }

    fn touch_all(&mut self) {
        let all: Vec<u32> = (0..self.islands.len() as u32).collect();
        self.dissolve(&all, true);
        self.needs_grouping = true;
    }

    /// A shape of the ground is everyone's who has shapes.
    fn touch_shapes(&mut self) {
        let has = |(i, island): (u32, &Island)| (!island.members.shapes.is_empty()).then_some(i);
        let all: Vec<u32> = (0..).zip(&self.islands).filter_map(has).collect();
        self.dissolve(&all, true);
        self.needs_grouping = true;
    }

    /// Another gravity from now on.
    pub fn set_gravity(&mut self, gravity: Gravity) -> Result<(), WorldError> {
        if !gravity.0.is_finite() {
            let (part, name, field) = ("model", "gravity".to_string(), "gravity");
            let (value, want) = (gravity.0.norm(), "it must be a finite number");
            return Err(crate::BuildError::Number { part, name, field, value, want }.into());
        }
        self.touch_all();
        self.parts.gravity = gravity;
        Ok(())
    }

    /// Removes a part, and with a body or joint what is attached to it. Tells what is gone, the part itself last.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn remove(&mut self, id: impl Into<PartId>) -> Result<Vec<PartId>, WorldError> {
        let id = id.into();
        self.exists(id)?;
        let mut gone = self.attached(id);
        gone.push(id);
        let bodies: Vec<BodyId> = gone.iter().flat_map(|id| self.parts.needs(*id).0).collect();
        let on_ground = matches!(id, PartId::Shape(_)) && bodies.is_empty();
        self.touch(
            &bodies,
            if gone.iter().any(|id| has_rows(*id)) { EditEffect::Joints } else { EditEffect::Nothing },
        );
        if on_ground {
            self.touch_shapes();
        }
        let parts = &mut self.parts;
        for id in &gone {
            let name = parts.name_of(*id);
            match *id {
                PartId::Body(id) => {
                    parts.bodies.remove(id);
                    parts.names.bodies.remove(&name);
                    let mine = |end: &End| end.body() == Some(id);
                    parts
                        .impulses
                        .iter_mut()
                        .filter(|b| mine(&b.impulse.impulse.body))
                        .for_each(|b| b.applied = true);
                    parts.pair_rules.retain(|(a, b, _)| !mine(a) && !mine(b));
                    self.proximity.pairs.retain(|(a, b)| *a != id.place() && *b != id.place());
                }
                PartId::Joint(id) => {
                    parts.joints.remove(id);
                    parts.names.joints.remove(&name);
                }
                PartId::Constraint(id) => {
                    parts.constraints.remove(id);
                    parts.names.joints.remove(&name);
                }
                PartId::Inequality(id) => {
                    parts.inequalities.remove(id);
                    parts.names.joints.remove(&name);
                }
                PartId::Shape(id) => drop(parts.shapes.remove(id)),
                PartId::Force(id) => {
                    parts.forces.remove(id);
                    parts.names.forces.remove(&name);
                }
                PartId::Probe(id) => {
                    parts.probes.remove(id);
                    parts.names.probes.remove(&name);
                }
            }
        }
        self.forget_active_conditions(&gone);
        Ok(gone)
    }

    /// What was pressed by parts that are gone, or are no longer what they were, presses no more.
    fn forget_active_conditions(&mut self, gone: &[PartId]) {
        use super::island::Condition;
        let joint = |place: u32| gone.iter().any(|id| matches!(id, PartId::Joint(j) if j.place() == place));
        let shape = |place: u32| gone.iter().any(|id| matches!(id, PartId::Shape(s) if s.place() == place));
        let declared =
            |place: u32| gone.iter().any(|id| matches!(id, PartId::Inequality(i) if i.place() == place));
        self.active_conditions.retain(|(condition, _)| match *condition {
            Condition::Declared(place) => !declared(place),
            Condition::Limit(place, ..) | Condition::Friction(place, _) => !joint(place),
            Condition::Contact(a, b, _) => !shape(a) && !shape(b),
        });
    }

    /// Everything attached to a body or joint, in an order in which it can be removed.
    fn attached(&self, to: PartId) -> Vec<PartId> {
        let parts = &self.parts;
        let mut all: Vec<PartId> = Vec::new();
        if !matches!(to, PartId::Body(_) | PartId::Joint(_)) {
            return all;
        }
        all.extend(parts.probes.ids::<ProbeId>().map(PartId::from));
        all.extend(parts.forces.ids::<ForceId>().map(PartId::from));
        all.extend(parts.shapes.ids::<ShapeId>().map(PartId::from));
        all.extend(parts.inequalities.ids::<InequalityId>().map(PartId::from));
        all.extend(parts.constraints.ids::<ConstraintId>().map(PartId::from));
        all.extend(parts.joints.ids::<JointId>().map(PartId::from));
        all.retain(|id| {
            let (bodies, joints) = parts.needs(*id);
            match to {
                PartId::Body(body) => bodies.contains(&body),
                PartId::Joint(joint) => joints.contains(&joint),
                _ => false,
            }
        });
        all
    }

    fn exists(&self, id: PartId) -> Result<(), WorldError> {
        let parts = &self.parts;
        match id {
            PartId::Body(id) => parts.bodies.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Joint(id) => parts.joints.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Constraint(id) => parts.constraints.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Inequality(id) => parts.inequalities.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Shape(id) => parts.shapes.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Force(id) => parts.forces.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Probe(id) => parts.probes.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
        }
    }

    /// Switches a part on again. A body comes back where it was; a joint closes by its frames, as it was described; a coupler whose offsets are as posed takes
    /// hold of what is posed now, like a clutch.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn enable(&mut self, id: impl Into<PartId>) -> Result<(), WorldError> {
        self.switch(id.into(), true)
    }

    /// Switches a part off: it keeps its place and acts on nothing. What is attached to a body that is off acts on nothing either.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn disable(&mut self, id: impl Into<PartId>) -> Result<(), WorldError> {
        self.switch(id.into(), false)
    }

    /// Whether a part is switched on; false if there is none.
    pub fn is_enabled(&self, id: impl Into<PartId>) -> bool {
        let parts = &self.parts;
        let on = match id.into() {
            PartId::Body(id) => parts.bodies.get(id).map(|e| e.enabled),
            PartId::Joint(id) => parts.joints.get(id).map(|e| e.enabled),
            PartId::Constraint(id) => parts.constraints.get(id).map(|e| e.enabled),
            PartId::Inequality(id) => parts.inequalities.get(id).map(|e| e.enabled),
            PartId::Shape(id) => parts.shapes.get(id).map(|e| e.enabled),
            PartId::Force(id) => parts.forces.get(id).map(|e| e.enabled),
            PartId::Probe(id) => parts.probes.get(id).map(|e| e.enabled),
        };
        on.unwrap_or(false)
    }

    fn switch(&mut self, id: PartId, on: bool) -> Result<(), WorldError> {
        self.exists(id)?;
        if self.is_enabled(id) == on {
            return Ok(());
        }
        let mut bodies = self.parts.needs(id).0;
        let attached = self.attached(id);
        bodies.extend(attached.iter().flat_map(|id| self.parts.needs(*id).0));
        let conditions: Vec<PartId> = attached.into_iter().chain([id]).filter(|id| has_rows(*id)).collect();
        let rows = !conditions.is_empty();
        if on {
            conditions.into_iter().for_each(|id| self.note_new_condition(id));
        }
        let on_ground = matches!(id, PartId::Shape(_)) && bodies.is_empty();
        self.touch(&bodies, if rows { EditEffect::Joints } else { EditEffect::Nothing });
        if on_ground {
            self.touch_shapes();
        }
        let parts = &mut self.parts;
        let entry = match id {
            PartId::Body(id) => parts.bodies.get_mut(id).map(|e| &mut e.enabled),
            PartId::Joint(id) => parts.joints.get_mut(id).map(|e| &mut e.enabled),
            PartId::Constraint(id) => parts.constraints.get_mut(id).map(|e| &mut e.enabled),
            PartId::Inequality(id) => parts.inequalities.get_mut(id).map(|e| &mut e.enabled),
            PartId::Shape(id) => parts.shapes.get_mut(id).map(|e| &mut e.enabled),
            PartId::Force(id) => parts.forces.get_mut(id).map(|e| &mut e.enabled),
            PartId::Probe(id) => parts.probes.get_mut(id).map(|e| &mut e.enabled),
        };
        if let Some(enabled) = entry {
            *enabled = on;
        }
        // What keeps what was posed takes hold where it is.
        match id {
            PartId::Joint(id) => {
                // Turns stay counted, since couplers may count on them; laws begin anew.
                if let Some(memory) = &mut self.parts.joints.at_mut(id.place()).part.memory {
                    memory.drives.clear();
                }
            }
            PartId::Body(id) if !on => {
                self.proximity.pairs.retain(|(a, b)| *a != id.place() && *b != id.place());
            }
            PartId::Constraint(id) => self.parts.constraints.at_mut(id.place()).part.coupler_offsets.clear(),
            _ => {}
        }
        Ok(())
    }

    /// Puts a joint between other bodies or at another place, by a description like that of a new one; name and switch stay.
    ///
    /// # Errors
    /// If the description is wrong. The joint is as it was then.
    pub fn reattach(&mut self, id: JointId, joint: Joint) -> Result<(), WorldError> {
        let entry = self.parts.joints.get(id).ok_or_else(|| self.parts.missing(id))?;
        let old = entry.part.clone();
        let mut joint = Joint { name: old.joint.name.clone(), ..joint };
        self.place_joint(&mut joint)?;
        let (mut bodies, _) = self.parts.needs(id.into());
        let auxiliary = old.auxiliary;
        self.parts.joints.at_mut(id.place()).part = JointPart { joint, auxiliary, memory: None };
        // Couplers may need the joint to be of its kind.
        let couplers = self.attached(id.into());
        let check = [PartId::from(id)].into_iter().chain(couplers.iter().copied());
        for part in check.collect::<Vec<_>>() {
            if let Err(error) = self.parts.check(part, &mut self.local) {
                self.parts.joints.at_mut(id.place()).part = old;
                return Err(error);
            }
        }
        self.note_new_condition(id.into());
        bodies.extend(self.parts.needs(id.into()).0);
        bodies.extend(couplers.iter().flat_map(|part| self.parts.needs(*part).0));
        self.touch(&bodies, EditEffect::Joints);
        // What was counted was counted elsewhere; couplers that keep what was posed take hold of what is.
        self.parts.joints.at_mut(id.place()).part.memory = None;
        for part in couplers {
            if let PartId::Constraint(id) = part {
                self.parts.constraints.at_mut(id.place()).part.coupler_offsets.clear();
            }
        }
        self.forget_active_conditions(&[id.into()]);
        Ok(())
    }

    /// Has a force act with another law or at other frames; name and switch stay.
    ///
    /// # Errors
    /// If the description is wrong. The force is as it was then.
    pub fn replace_force(&mut self, id: ForceId, force: Force) -> Result<(), WorldError> {
        let entry = self.parts.forces.get(id).ok_or_else(|| self.parts.missing(id))?;
        let old = entry.part.clone();
        let (bodies, _) = self.parts.needs(id.into());
        self.parts.forces.at_mut(id.place()).part = Force { name: old.name.clone(), ..force };
        self.check_new(id.into(), EditEffect::Nothing).inspect_err(|_| {
            self.parts.forces.at_mut(id.place()).part = old;
        })?;
        self.touch(&bodies, EditEffect::Nothing);
        Ok(())
    }

    /// Has a constraint of the user's ask for something else; name and switch stay.
    ///
    /// # Errors
    /// If the description is wrong. The constraint is as it was then.
    pub fn replace_constraint(
        &mut self,
        id: ConstraintId,
        constraint: UserConstraint,
    ) -> Result<(), WorldError> {
        let entry = self.parts.constraints.get(id).ok_or_else(|| self.parts.missing(id))?;
        let old = entry.part.clone();
        let name = old.added.name().clone();
        let (bodies, _) = self.parts.needs(id.into());
        let added = ConstraintSpec::User(UserConstraint { name, ..constraint });
        self.parts.constraints.at_mut(id.place()).part =
            ConstraintPart { added, coupler_offsets: Vec::new() };
        self.check_new(id.into(), EditEffect::Joints).inspect_err(|_| {
            self.parts.constraints.at_mut(id.place()).part = old;
        })?;
        self.touch(&bodies, EditEffect::Joints);
        Ok(())
    }

    /// Moves one of the frames of a force, for example the end of a spring that a hand holds.
    ///
    /// # Errors
    /// If there is no such force or frame, or a number is not finite. The force is as it was then.
    pub fn move_force(&mut self, id: ForceId, frame: usize, to: Frame) -> Result<(), WorldError> {
        let entry = self.parts.forces.get(id).ok_or_else(|| self.parts.missing(id))?;
        let mut force = entry.part.clone();
        let place = force.frames.get_mut(frame).ok_or(WorldError::NoSuchPart { what: "frame of a force" })?;
        place.1 = to;
        self.replace_force(id, force)
    }

    /// Sets coordinates and velocities of a body, as a state has them ([`World::state_of`]). What it is jointed to follows at the next step, by
    /// as little as the joints ask for.
    ///
    /// # Errors
    /// If there is no such body, or it has not so many numbers, or one is not finite.
    pub fn set_state_of(&mut self, id: BodyId, q: &[f64], v: &[f64]) -> Result<(), WorldError> {
        let (old_q, old_v) = self.state_of(id).ok_or_else(|| self.parts.missing(id))?;
        let (want_q, want_v) = (old_q.len(), old_v.len());
        let body = || self.parts.name_of(id.into());
        for (what, have, want) in [("coordinates", q.len(), want_q), ("velocities", v.len(), want_v)] {
            if have != want {
                return Err(WorldError::Length { body: body(), what, have, want });
            }
        }
        for (what, numbers) in [("coordinates", q), ("velocities", v)] {
            if numbers.iter().any(|x| !x.is_finite()) {
                return Err(WorldError::NotFinite { body: body(), what });
            }
        }
        let mut q = q.to_vec();
        if self.parts.bodies.at(id.place()).part.body.kind.moves_freely() {
            let Some(rot) = Quat::from_wxyz(q[3], q[4], q[5], q[6]) else {
                let value = q[3..7].iter().fold(0.0, |sum, x| sum + x * x).sqrt();
                let (what, want) = ("the length of its quaternion", "such that it can be made one");
                return Err(WorldError::Number { body: body(), what, value, want });
            };
            q[3..7].copy_from_slice(&rot.to_wxyz());
        }
        self.touch(&[id], EditEffect::Joints);
        let part = &mut self.parts.bodies.at_mut(id.place()).part;
        part.q.copy_from_slice(&q);
        part.v.copy_from_slice(v);
        Ok(())
    }
}

/// Whether joints have to be closed again when it comes, goes or changes.
fn has_rows(id: PartId) -> bool {
    matches!(id, PartId::Joint(_) | PartId::Constraint(_))
}
