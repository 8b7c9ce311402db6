//! Changing existing parts.

use super::EditEffect;
use crate::body::{Body, Frame};
use crate::constraint::UserConstraint;
use crate::contact::{Material, PairRule};
use crate::force::{Force, Gravity};
use crate::impulse::{Impulse, ImpulseRecord};
use crate::joint::Joint;
use crate::math::Quat;
use crate::model::{BodyId, ConstraintId, ConstraintSpec, End, ForceId, Id, JointId, ModelBuilder};
use crate::step::Settings;
use crate::world::parts::{ConstraintPart, JointPart};
use crate::world::{PartId, World, WorldError};

impl World {
    /// Re-attaches a joint to other bodies or at another position, by a description like that of a new one; name and switch stay.
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
        self.parts.joints.at_mut(id.place()).part =
            JointPart { joint, auxiliary, memory: None, commands: None };
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

    /// Replaces the law or the frames of a force; name and switch stay.
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

    /// Replaces the condition of a user constraint; name and switch stay.
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

    /// Sets coordinates and velocities of a body, as a state has them ([`World::state_of`]). Connected bodies follow at the
    /// next step, by the smallest projection onto the joints.
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

    /// Changes gravity.
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

    /// Changes the settings: integrator, solver, stabilisation, accounts. All islands are built anew with them.
    ///
    /// # Errors
    /// If an island cannot be solved with these settings. The world is then unchanged.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), WorldError> {
        let before = self.snapshot()?;
        self.touch_all();
        self.settings = settings;
        self.assemble().inspect_err(|_| self.restore(&before))
    }

    /// Sets whether two bodies can come into contact; by default they can, unless a joint connects them.
    ///
    /// # Errors
    /// If one of them is not there.
    pub fn set_collision(
        &mut self,
        a: impl Into<End>,
        b: impl Into<End>,
        meets: bool,
    ) -> Result<(), WorldError> {
        self.rule(a.into(), b.into(), PairRule { meets: Some(meets), ..PairRule::default() })
    }

    /// Sets the contact material between two bodies, instead of the combination of their materials.
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
        self.rule(a.into(), b.into(), PairRule { material: Some(material), ..PairRule::default() })
    }

    pub(super) fn rule(&mut self, a: End, b: End, rule: PairRule) -> Result<(), WorldError> {
        let bodies: Vec<BodyId> = [a, b].into_iter().filter_map(End::body).collect();
        if let Some(id) = bodies.iter().find(|id| self.parts.bodies.get(**id).is_none()) {
            return Err(self.parts.missing(*id));
        }
        // What is said last counts; what it does not speak of stays.
        let meets = &mut self.parts.pair_rules;
        let of_pair = |(x, y, _): &(End, End, PairRule)| [(a, b), (b, a)].contains(&(*x, *y));
        let known = meets.iter().position(of_pair).map(|at| meets.remove(at).2).unwrap_or_default();
        let (meeting, material) = (rule.meets.or(known.meets), rule.material.or(known.material));
        meets.push((a, b, PairRule { meets: meeting, material, ..PairRule::default() }));
        self.touch(&bodies, EditEffect::Nothing);
        Ok(())
    }

    /// Applies an impulse to a body now: velocities of all connected bodies jump, poses do not. The record is in the order of the bodies and joints of
    /// its island.
    ///
    /// # Errors
    /// If there is no such body, it is switched off, or the equations have no solution. The world is then unchanged.
    pub fn apply_impulse(&mut self, impulse: &Impulse) -> Result<ImpulseRecord, WorldError> {
        let body = impulse.body.body().ok_or(WorldError::NoSuchPart { what: BodyId::WHAT })?;
        let (island, index) = self.island_of(body)?;
        let here = Impulse { body: impulse.body.moved_to(BodyId::of_index(index)), ..*impulse };
        let done = island.sim.apply_impulse(&here)?;
        (island.asleep, island.rested) = (false, 0.0);
        Ok(done)
    }
}
