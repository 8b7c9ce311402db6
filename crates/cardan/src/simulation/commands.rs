//! Commands of a controller: joint efforts, targets of servos, wrenches on bodies. See
//! [`joint_space`](crate::joint_space).

use super::Simulation;
use crate::body::Wrench;
use crate::joint_space::{CommandError, Commands};
use crate::model::{BodyId, Id, JointId, Model, ModelJoint};
use crate::state::State;

impl Simulation {
    /// Commands the effort along coordinate `k` of a joint \[N, N·m\]: on b, and the opposite on a. It holds
    /// until it is changed, and adds to what springs, servos and motors of the joint do. Any joint can have
    /// one, also one that closes a loop. Of a spherical joint the coordinates are the axes of a's frame.
    ///
    /// # Errors
    /// If there is no such joint, the joint has no such coordinate, or the number is not finite. Nothing has
    /// changed then.
    pub fn set_effort(&mut self, joint: JointId, k: usize, effort: f64) -> Result<(), CommandError> {
        let (j, at) = coordinate(&self.model, joint, k)?;
        check_finite("effort", &self.model.joints[j].name, &[(k, effort)])?;
        commands(&mut self.state).efforts_mut(&self.model)[at] = effort;
        Ok(())
    }

    /// Commands all efforts in joint order \[N, N·m\]: one entry per rate of [`Model::joint_order`]. Those of
    /// a floating body are force and torque at its centre of mass, world axes. Efforts of joints that close
    /// loops stay as they are.
    ///
    /// # Errors
    /// If the length is not [`JointOrder::rate_count`](crate::joint_space::JointOrder::rate_count), or a
    /// number is not finite (the joint is named). Nothing has changed then.
    pub fn set_efforts(&mut self, efforts: &[f64]) -> Result<(), CommandError> {
        check_efforts(&self.model, efforts)?;
        self.write_efforts(0..efforts.len(), efforts);
        Ok(())
    }

    /// Commands the set point of the servo on coordinate `k` of a joint: value [m, rad] and rate [m/s,
    /// rad/s], in the place of the servo's law, until [`Simulation::clear_target`].
    ///
    /// # Errors
    /// If there is no such joint, no servo on that coordinate, or a number is not finite. Nothing has changed
    /// then.
    pub fn set_target(
        &mut self,
        joint: JointId,
        k: usize,
        value: f64,
        rate: f64,
    ) -> Result<(), CommandError> {
        let (j, at) = servo(&self.model, joint, k)?;
        check_finite("target", &self.model.joints[j].name, &[(k, value), (k, rate)])?;
        commands(&mut self.state).targets_mut(&self.model)[at] = Some([value, rate]);
        Ok(())
    }

    /// Commands the set points of all servos: values [m, rad] in the order of
    /// [`JointOrder::servos`](crate::joint_space::JointOrder::servos), and their rates [m/s, rad/s], which
    /// are zero if they are left out.
    ///
    /// # Errors
    /// If a length is not that of the servos, or a number is not finite (the joint is named). Nothing has
    /// changed then.
    pub fn set_targets(&mut self, values: &[f64], rates: Option<&[f64]>) -> Result<(), CommandError> {
        check_targets(&self.model, values)?;
        rates.map_or(Ok(()), |rates| check_targets(&self.model, rates))?;
        commands(&mut self.state).write_targets(&self.model, values, rates);
        Ok(())
    }

    /// The servo on coordinate `k` of a joint follows its own law again.
    ///
    /// # Errors
    /// If there is no such joint, or no servo on that coordinate.
    pub fn clear_target(&mut self, joint: JointId, k: usize) -> Result<(), CommandError> {
        let (_, at) = servo(&self.model, joint, k)?;
        if self.state.commands.is_some() {
            commands(&mut self.state).targets_mut(&self.model)[at] = None;
        }
        Ok(())
    }

    /// Commands a force and torque on a body at its centre of mass, world axes. It holds until it is changed.
    ///
    /// # Errors
    /// If there is no such body, its kind has coordinates of its own, or a number is not finite. Nothing has
    /// changed then.
    pub fn set_wrench(&mut self, body: BodyId, wrench: Wrench) -> Result<(), CommandError> {
        let i = body_index(&self.model, body)?;
        let entry = &self.model.bodies[i];
        if entry.general.is_some() {
            let (body, kind) = (entry.name.clone(), entry.kind.name());
            return Err(CommandError::GeneralBody { body, kind, what: "wrenches" });
        }
        let numbers = [wrench.force.to_array(), wrench.torque.to_array()];
        let numbers: Vec<_> = numbers.as_flattened().iter().copied().enumerate().collect();
        check_finite("wrench", &entry.name, &numbers)?;
        commands(&mut self.state).wrenches_mut(&self.model)[i] = wrench;
        Ok(())
    }

    /// Writes efforts of a range of the joint order that was checked.
    pub(crate) fn write_efforts(&mut self, range: core::ops::Range<usize>, efforts: &[f64]) {
        commands(&mut self.state).efforts_mut(&self.model)[range].copy_from_slice(efforts);
    }

    /// The model, and the state for commands that were checked.
    pub(crate) fn model_and_state(&mut self) -> (&std::sync::Arc<Model>, &mut State) {
        (&self.model, &mut self.state)
    }

    /// Takes back all commands: efforts and wrenches are zero, servos follow their laws.
    pub fn clear_commands(&mut self) {
        self.state.commands = None;
    }

    /// The commanded effort along coordinate `k` of a joint \[N, N·m\]; zero if none was set.
    ///
    /// # Errors
    /// If there is no such joint, or it has no such coordinate.
    pub fn effort(&self, joint: JointId, k: usize) -> Result<f64, CommandError> {
        let (_, at) = coordinate(&self.model, joint, k)?;
        Ok(self.state.efforts().get(at).copied().unwrap_or(0.0))
    }
}

/// Refuses efforts of a wrong length, numbers that are not finite, and efforts on bodies of general kinds.
pub(crate) fn check_efforts(model: &Model, efforts: &[f64]) -> Result<(), CommandError> {
    let order = model.joint_order();
    check_length("efforts", efforts.len(), order.rate_count())?;
    for (at, effort) in efforts.iter().enumerate() {
        let Some((entry, k)) = order.owner(at) else { continue };
        check_finite("effort", entry.name(model), &[(k, *effort)])?;
        let body = &model.bodies[entry.body];
        if *effort != 0.0 && entry.joint.is_none() && body.general.is_some() {
            let (body, kind) = (body.name.clone(), body.kind.name());
            return Err(CommandError::GeneralBody { body, kind, what: "efforts" });
        }
    }
    Ok(())
}

/// Refuses targets of a wrong number, and numbers that are not finite.
pub(crate) fn check_targets(model: &Model, numbers: &[f64]) -> Result<(), CommandError> {
    let servos = model.joint_order().servos();
    check_length("targets", numbers.len(), servos.len())?;
    for (servo, x) in servos.iter().zip(numbers) {
        check_finite("target", &model.joints[servo.joint.index()].name, &[(servo.coordinate, *x)])?;
    }
    Ok(())
}

/// The commands of a state, which has some from now on.
pub(crate) fn commands(state: &mut State) -> &mut Commands {
    state.commands.get_or_insert_default()
}

pub(crate) fn joint_index(model: &Model, joint: JointId) -> Result<usize, CommandError> {
    let known = model.index_of(joint).filter(|j| *j < model.joints.len());
    known.ok_or(CommandError::NoSuchPart { what: JointId::WHAT })
}

pub(crate) fn body_index(model: &Model, body: BodyId) -> Result<usize, CommandError> {
    let known = model.index_of(body).filter(|i| *i < model.bodies.len());
    known.ok_or(CommandError::NoSuchPart { what: BodyId::WHAT })
}

/// A joint, and where the effort along its coordinate `k` is stored.
fn coordinate(model: &Model, joint: JointId, k: usize) -> Result<(usize, usize), CommandError> {
    let j = joint_index(model, joint)?;
    let (order, entry) = (model.joint_order(), &model.joints[j]);
    let range = order.efforts_of(j);
    // In the tree every stored effort is one along a freedom; beyond it coordinates say so themselves.
    let acts = order.joint_at(j).is_some() || acts(entry, k);
    if k >= range.len() || !acts {
        let (joint, kind, have) = (entry.name.clone(), entry.kind.name(), range.len());
        return Err(CommandError::NoSuchCoordinate { joint, kind, coordinate: k, have });
    }
    Ok((j, range.start + k))
}

/// Whether coordinate `k` of a joint beyond the tree measures a freedom.
fn acts(joint: &ModelJoint, k: usize) -> bool {
    let is_ball = crate::joint_space::is_ball(joint.kind);
    joint.kind.about().coordinate(k).is_some_and(|c| match joint.plane {
        Some(_) => c.acts_in_plane,
        None => c.acts || is_ball,
    })
}

/// A joint with a servo on coordinate `k`, and where its target is stored.
fn servo(model: &Model, joint: JointId, k: usize) -> Result<(usize, usize), CommandError> {
    let j = joint_index(model, joint)?;
    let entry = &model.joints[j];
    if !entry.efforts.iter().any(|effort| effort.is_servo_of(k)) {
        return Err(CommandError::NoServo { joint: entry.name.clone(), coordinate: k });
    }
    Ok((j, model.joint_order().efforts_of(j).start + k))
}

pub(crate) fn check_length(what: &str, have: usize, want: usize) -> Result<(), CommandError> {
    if have == want { Ok(()) } else { Err(CommandError::Length { what: what.into(), have, want }) }
}

/// Refuses NaN and infinity, with the name of the joint or body and the number of the entry.
pub(crate) fn check_finite(
    what: &'static str,
    part: &str,
    numbers: &[(usize, f64)],
) -> Result<(), CommandError> {
    match numbers.iter().find(|(_, x)| !x.is_finite()) {
        None => Ok(()),
        Some(&(index, value)) => Err(CommandError::NotFinite { what, part: part.into(), index, value }),
    }
}

/// Refuses NaN and infinity in the numbers of a joint or body, with the number of the entry.
pub(crate) fn check_all_finite(what: &'static str, part: &str, numbers: &[f64]) -> Result<(), CommandError> {
    match numbers.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(index) => Err(CommandError::NotFinite { what, part: part.into(), index, value: numbers[index] }),
    }
}
