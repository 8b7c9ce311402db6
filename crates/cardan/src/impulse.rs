//! Applied impulses: they act at one instant, and joints and constraints react.
//!
//! ```text
//! M Δv = P + Jᵀ p          J v⁺ + ∂C/∂t = 0
//! ```
//!
//! P: the applied impulse; p: reaction impulses of joints and constraints. For a free body m Δv = P
//! (Baraff 1996 has the inverse).

use crate::body::Wrench;
use crate::force::Heading;
use crate::math::Vec3;
use crate::model::{Attachment, BodyId, End, ImpulseId};

/// An impulse and an angular impulse at a point of a body.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Impulse {
    /// The body that the impulse acts on.
    pub body: End,
    /// Point of application, in the body's frame \[m\].
    pub point: Vec3,
    /// Linear impulse \[N·s\].
    #[cfg_attr(feature = "serde", serde(alias = "impulse"))]
    pub linear: Vec3,
    /// Angular impulse \[N·m·s\].
    #[cfg_attr(feature = "serde", serde(alias = "angular_impulse"))]
    pub angular: Vec3,
    /// The axes in which both are given.
    pub heading: Heading,
}

impl Impulse {
    /// An impulse \[N·s\] at a point of a body, world axes.
    pub fn at(body: impl Into<End>, point: impl Into<Vec3>, impulse: impl Into<Vec3>) -> Self {
        let (point, linear) = (point.into(), impulse.into());
        Impulse { body: body.into(), point, linear, angular: Vec3::ZERO, heading: Heading::World }
    }
    /// An angular impulse \[N·m·s\], world axes.
    pub fn turning(body: impl Into<End>, angular_impulse: impl Into<Vec3>) -> Self {
        Impulse { angular: angular_impulse.into(), ..Impulse::at(body, Vec3::ZERO, Vec3::ZERO) }
    }
    pub(crate) fn needs_orientation(&self) -> bool {
        self.angular != Vec3::ZERO || self.heading == Heading::Body
    }
}

/// Description of an impulse that is applied at a given time, for any step size.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedImpulse {
    /// Unique name; `k0`, `k1`, … if empty.
    pub name: String,
    /// Time \[s\], not before the start.
    pub time: f64,
    /// The impulse.
    pub impulse: Impulse,
}

/// A timed impulse of a model.
#[derive(Clone, Debug)]
pub struct ModelImpulse {
    /// Its id: the order of adding, while a model lists its impulses by time.
    pub id: ImpulseId,
    /// Its name.
    pub name: String,
    /// Time \[s\].
    pub time: f64,
    /// The impulse.
    pub impulse: Impulse,
    pub(crate) at: Attachment,
}

/// Effects of an applied impulse.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImpulseRecord {
    /// Its name, if it belongs to the model.
    pub name: String,
    /// Time \[s\].
    pub time: f64,
    /// Jump of the velocity of every body, in id order.
    pub bodies: Vec<VelocityJump>,
    /// Reaction of every joint, in id order.
    pub joints: Vec<JointImpulse>,
    /// Reaction of every constraint.
    pub constraints: Vec<ConstraintImpulse>,
    /// Reactions of the limits, inequalities and contacts that took part.
    pub contacts: Vec<ContactImpulse>,
    /// Work of the impulse, before contacts react \[J\]; negative if it slows the mechanism down.
    pub work: f64,
    /// Energy lost in contacts \[J\].
    pub dissipated: f64,
}

/// Jump of the velocity of a body, world axes.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct VelocityJump {
    /// Of the centre of mass \[m/s\].
    pub velocity: Vec3,
    /// Of the angular velocity \[rad/s\].
    pub angular_velocity: Vec3,
}

/// Reaction of a joint to an impulse.
#[derive(Clone, Debug, PartialEq)]
pub struct JointImpulse {
    /// Its name.
    pub name: String,
    /// On b, at b's frame, world axes: impulse \[N·s\] as force, angular impulse \[N·m·s\] as
    /// torque.
    pub on_b: Wrench,
    /// The part of its drives.
    pub by_drives: Wrench,
}

/// Reaction of a constraint to an impulse.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintImpulse {
    /// Its name.
    pub name: String,
    /// p of its rows.
    pub multipliers: Vec<f64>,
    /// On its bodies, at their centres of mass, world axes.
    pub on: Vec<(BodyId, Wrench)>,
}

/// Reaction of a contact, limit or other inequality to an impulse.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactImpulse {
    /// Name of the inequality, of the joint of a limit, or of the two bodies.
    pub name: String,
    /// Along its normal \[N·s, N·m·s\].
    pub normal: f64,
    /// For a contact: the whole impulse on the second body, with friction, world axes \[N·s\].
    pub impulse: Vec3,
}
