//! Impulses that act at one instant, and how the mechanism responds.
//!
//! ```text
//! M Δv = P + Jᵀ p          J v⁺ + ∂C/∂t = 0
//! ```
//!
//! P is the applied impulse, p the impulses of joints and constraints. So m Δv = P of a free body (Baraff 1996 has it upside down).

use crate::body::Wrench;
use crate::force::Heading;
use crate::math::Vec3;
use crate::model::{Attachment, BodyId, End, ImpulseId};

/// An impulse and an angular impulse at a point of a body.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Impulse {
    /// The body that it acts on.
    pub body: End,
    /// Where, in its frame.
    pub point: Vec3,
    /// [N·s].
    pub impulse: Vec3,
    /// [N·m·s].
    pub angular_impulse: Vec3,
    /// In which axes both are given.
    pub heading: Heading,
}

impl Impulse {
    /// An impulse at a point of a body, world axes.
    pub fn at(body: impl Into<End>, point: impl Into<Vec3>, impulse: impl Into<Vec3>) -> Self {
        let (point, impulse) = (point.into(), impulse.into());
        Impulse { body: body.into(), point, impulse, angular_impulse: Vec3::ZERO, heading: Heading::World }
    }
    /// An angular impulse, world axes.
    pub fn turning(body: impl Into<End>, angular_impulse: impl Into<Vec3>) -> Self {
        Impulse { angular_impulse: angular_impulse.into(), ..Impulse::at(body, Vec3::ZERO, Vec3::ZERO) }
    }
    pub(crate) fn needs_orientation(&self) -> bool {
        self.angular_impulse != Vec3::ZERO || self.heading == Heading::Body
    }
}

/// An impulse of a model: it acts when its time comes, whatever the step.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedImpulse {
    /// Unique name; `k0`, `k1`, … if empty.
    pub name: String,
    /// When \[s\]: not before the start.
    pub time: f64,
    /// What.
    pub impulse: Impulse,
}

/// An impulse of a model.
#[derive(Clone, Debug)]
pub struct ModelImpulse {
    /// Its id: the order of adding, while a model lists its impulses by time.
    pub id: ImpulseId,
    /// Its name.
    pub name: String,
    /// When \[s\].
    pub time: f64,
    /// What.
    pub impulse: Impulse,
    pub(crate) at: Attachment,
}

/// What an impulse did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImpulseRecord {
    /// Its name, if the model knows it.
    pub name: String,
    /// When \[s\].
    pub time: f64,
    /// By how much the velocity of every body jumped, in id order.
    pub bodies: Vec<VelocityJump>,
    /// The impulse of every joint, in id order.
    pub joints: Vec<JointImpulse>,
    /// The impulse of every constraint, in id order.
    pub constraints: Vec<ConstraintImpulse>,
    /// The impulses of what was closed and took part: limits, inequalities, contacts.
    pub contacts: Vec<ContactImpulse>,
    /// Energy that the impulse gave, before contacts have responded \[J\]; less than zero if it brakes.
    pub work: f64,
    /// Energy that contacts dissipated \[J\].
    pub dissipated: f64,
}

/// By how much the velocity of a body changed, world axes.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct VelocityJump {
    /// Of its centre of mass [m/s].
    pub velocity: Vec3,
    /// Of its angular velocity [rad/s].
    pub angular_velocity: Vec3,
}

/// The impulse of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointImpulse {
    /// Its name.
    pub name: String,
    /// On b, at b's frame, world axes: impulse [N·s] as force, angular impulse [N·m·s] as torque.
    pub on_b: Wrench,
    /// What of it is its drives'.
    pub by_drives: Wrench,
}

/// The impulse of a constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintImpulse {
    /// Its name.
    pub name: String,
    /// p of its rows.
    pub multipliers: Vec<f64>,
    /// On its bodies, at their centres of mass, world axes.
    pub on: Vec<(BodyId, Wrench)>,
}

/// The impulse of a limit, an inequality or a contact.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactImpulse {
    /// The inequality, the joint whose limit it is, or the two bodies.
    pub name: String,
    /// Along its normal [N·s, N·m·s].
    pub normal: f64,
    /// Of a contact: all of it, with friction, on the second body, world axes [N·s].
    pub impulse: Vec3,
}
