//! Adding parts.

use super::EditEffect;
use crate::body::Body;
use crate::constraint::{Coupler, MotorFollow, UserConstraint};
use crate::contact::ContactShape;
use crate::force::Force;
use crate::impulse::TimedImpulse;
use crate::inequality::Inequality;
use crate::joint::{Joint, Placement};
use crate::model::{
    BodyId, ConstraintId, ConstraintSpec, End, ForceId, Id, ImpulseId, InequalityId, JointId, ModelBuilder,
    Probe, ProbeId, ShapeId,
};
use crate::world::parts::{BodyPart, ConstraintPart, Entry, ImpulsePart, JointPart, take_name};
use crate::world::{World, WorldError};

impl World {
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
        let entry = BodyPart { body, q: Vec::new(), v: Vec::new(), natural_frequency: 0.0, commands: None };
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

    /// Adds a joint. A placement in the world refers to the present poses.
    ///
    /// # Errors
    /// If the description is wrong, does not fit its bodies, or one of these does not exist.
    pub fn add_joint(&mut self, mut joint: Joint) -> Result<JointId, WorldError> {
        let from = self.parts.joints.places();
        take_name(&mut self.parts.names.joints, &mut joint.name, ("joints", 'j', from))?;
        let name = joint.name.clone();
        let outcome = self.place_joint(&mut joint).and_then(|()| {
            let part = JointPart { joint, auxiliary: false, memory: None, commands: None };
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
    pub(super) fn place_joint(&mut self, joint: &mut Joint) -> Result<(), WorldError> {
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
                commands: None,
            })))
        };
        let (a, b) = (now(joint.a)?, now(joint.b)?);
        let (in_a, in_b) = ModelBuilder::frames_of(joint, a.as_ref(), b.as_ref())?;
        joint.placement = Placement::Frames { in_a, in_b };
        Ok(())
    }

    /// Makes the rows of a joint auxiliary, see [`ModelBuilder::make_auxiliary`].
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

    pub(super) fn add(&mut self, mut added: ConstraintSpec) -> Result<ConstraintId, WorldError> {
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

    /// Adds a user constraint.
    ///
    /// # Errors
    /// If it does not fit its bodies, or one of these does not exist.
    pub fn add_constraint(&mut self, constraint: UserConstraint) -> Result<ConstraintId, WorldError> {
        self.add(ConstraintSpec::User(constraint))
    }

    /// Adds conditions between joint coordinates; offsets as posed are those of now.
    ///
    /// # Errors
    /// If it does not fit its joints, or one of these does not exist.
    pub fn add_coupler(&mut self, coupler: Coupler) -> Result<ConstraintId, WorldError> {
        self.add(ConstraintSpec::Coupler(coupler))
    }

    /// Adds a point that follows a path, held there by motors at joints.
    ///
    /// # Errors
    /// If it does not fit its bodies and joints, or one of these does not exist.
    pub fn add_follow(&mut self, follow: MotorFollow) -> Result<ConstraintId, WorldError> {
        self.add(ConstraintSpec::Follow(follow))
    }

    /// Adds a condition g ≥ 0.
    ///
    /// # Errors
    /// If it does not fit its bodies, or one of these does not exist.
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

    /// Adds a contact shape.
    ///
    /// # Errors
    /// If it does not fit its body, or that does not exist.
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
    /// If it does not fit its bodies, or one of these does not exist.
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
    /// If it does not fit its body, or that does not exist.
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
    /// If it does not fit its body, that does not exist, or the time is past.
    pub fn add_impulse(&mut self, mut impulse: TimedImpulse) -> Result<ImpulseId, WorldError> {
        if impulse.time < self.time {
            let want = "it must not be in the past";
            let (part, name, field, value) = ("impulse", impulse.name, "time", impulse.time);
            return Err(crate::BuildError::Number { part, name, field, value, want }.into());
        }
        if self.settings.integrator == crate::step::Integrator::FirstOrder {
            return Err(crate::step::StepError::NoImpulses.into());
        }
        let from = self.parts.impulses.places();
        take_name(&mut self.parts.names.impulses, &mut impulse.name, ("impulses", 'k', from))?;
        let name = impulse.name.clone();
        let part = ImpulsePart { timed: impulse, applied: false };
        let id: ImpulseId = self.parts.impulses.insert(Entry { part, enabled: true }, self.parts.id_source);
        self.check_new(id.into(), EditEffect::Nothing).inspect_err(|_| {
            self.parts.impulses.remove(id);
            self.parts.names.impulses.remove(&name);
        })?;
        Ok(id)
    }
}
