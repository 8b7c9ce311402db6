//! Reports on the parts of a mechanism at one instant.

use crate::body::general::Motions;
use crate::body::{Motion, Wrench};
use crate::joint::MAX_COORDINATES;
use crate::math::{Quat, Vec3};
use crate::model::{BodyId, Model, ModelBody, ShapeId};
use crate::tolerances::CONTACT_GAP;

/// Pose and velocity of a body at one instant, world axes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct BodyMotion {
    /// Position of the centre of mass \[m\].
    pub position: Vec3,
    /// Origin of the body frame \[m\].
    pub frame_position: Vec3,
    /// Orientation of the body frame.
    pub orientation: Quat,
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: Vec3,
    /// Angular velocity \[rad/s\].
    pub angular_velocity: Vec3,
}

impl BodyMotion {
    /// Of a body whose centre of mass is fixed in its frame.
    #[inline]
    pub(crate) fn of_plain(body: &ModelBody, at: &Motion) -> Self {
        BodyMotion {
            position: at.pos,
            frame_position: at.pos - at.axes * body.mass.center,
            orientation: at.rot,
            velocity: at.vel,
            angular_velocity: at.omega,
        }
    }

    /// Of any body, from the motions of all.
    #[inline]
    pub(crate) fn of(model: &Model, motions: &Motions, index: usize) -> Self {
        let plain = BodyMotion::of_plain(&model.bodies[index], &motions[index]);
        match motions.general(index) {
            Some(general) => BodyMotion { frame_position: general.origin(), ..plain },
            None => plain,
        }
    }
}

/// A body at one instant, world axes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct BodyReport {
    /// Position of the centre of mass \[m\].
    pub position: Vec3,
    /// Origin of the body frame \[m\].
    pub frame_position: Vec3,
    /// Orientation of the body frame.
    pub orientation: Quat,
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: Vec3,
    /// Angular velocity \[rad/s\].
    pub angular_velocity: Vec3,
    /// Acceleration of the centre of mass \[m/s²\].
    pub acceleration: Vec3,
    /// Angular acceleration \[rad/s²\].
    pub angular_acceleration: Vec3,
}

/// The reaction of a joint: the wrench on body b at b's frame, world axes, split by cause \[N, N·m\].
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct ReactionParts {
    /// From the constraint rows of the joint: Jᵀ λ.
    pub structural: Wrench,
    /// From springs, drives and motors along its coordinates.
    pub drive: Wrench,
    /// From its limits.
    pub limit: Wrench,
    /// From its friction.
    pub friction: Wrench,
}

impl BodyReport {
    /// A motion with accelerations.
    pub(crate) fn of(motion: BodyMotion, acceleration: Vec3, angular_acceleration: Vec3) -> Self {
        let BodyMotion { position, frame_position, orientation, velocity, angular_velocity } = motion;
        BodyReport {
            position,
            frame_position,
            orientation,
            velocity,
            angular_velocity,
            acceleration,
            angular_acceleration,
        }
    }
}

impl ReactionParts {
    /// The sum of the four parts.
    pub fn total(&self) -> Wrench {
        self.structural + self.drive + self.limit + self.friction
    }
}

/// A joint at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct JointReport<'a> {
    /// Coordinates \[m or rad\], turns counted; the first `count` are used.
    pub coordinates: [f64; MAX_COORDINATES],
    /// Rates of the coordinates \[m/s or rad/s\].
    pub rates: [f64; MAX_COORDINATES],
    /// Number of coordinates.
    pub count: usize,
    /// The reaction on b at b's frame, by cause.
    pub reaction: ReactionParts,
    /// Multipliers λ, one per row; those of drives come last.
    pub multipliers: &'a [f64],
    /// Force or torque of drives, servos and motors along each coordinate, on b \[N or N·m\].
    pub drives: [f64; MAX_COORDINATES],
    /// Origin of a's frame \[m\].
    pub position_a: Vec3,
    /// Origin of b's frame \[m\].
    pub position: Vec3,
    /// The z axis of a's frame, world axes.
    pub axis: Vec3,
}

/// The load of a user constraint at one of its frames.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ConstraintLoad {
    /// The body; `None` for the ground, on which no load is reported.
    pub body: Option<BodyId>,
    /// The load at the body's centre of mass, world axes \[N, N·m\]; components along which the body has no freedom are left
    /// out.
    pub wrench: Wrench,
    /// Origin of the frame \[m\].
    pub position: Vec3,
    /// The load at the frame, world axes \[N, N·m\].
    pub at_frame: Wrench,
}

/// State of an inequality g ≥ 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum InequalityState {
    /// g > 0.
    Satisfied,
    /// |g| ≤ 1e-9 m or rad.
    Active,
    /// g < 0.
    Violated,
}

impl InequalityState {
    /// The state for a gap [m, rad].
    pub(super) fn of(gap: f64) -> Self {
        match gap {
            gap if gap > CONTACT_GAP => InequalityState::Satisfied,
            gap if gap >= -CONTACT_GAP => InequalityState::Active,
            _ => InequalityState::Violated,
        }
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            InequalityState::Satisfied => "satisfied",
            InequalityState::Active => "active",
            InequalityState::Violated => "violated",
        }
    }
}

/// An inequality at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct InequalityReport {
    /// Gap g; negative if violated [m, rad].
    pub gap: f64,
    /// Rate of the gap ġ [m/s, rad/s].
    pub rate: f64,
    /// Multiplier λ [N, N·m].
    pub multiplier: f64,
    /// Whether g is above, at or below zero.
    pub state: InequalityState,
    /// Whether it is in the active set, the inequalities that the equations treat as equalities. The others have λ = 0. In the
    /// exact solution members have λ ≥ 0; with a rule for study ([`InequalityStudy`](crate::InequalityStudy)) λ may be negative.
    pub in_active_set: bool,
    /// Its loads on bodies, at their centres of mass, world axes \[N, N·m\].
    pub loads: Vec<(BodyId, Wrench)>,
}

/// A contact point with a contact force, world axes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ContactReport {
    /// The bodies; `None` is the ground.
    pub bodies: [Option<BodyId>; 2],
    /// The shapes that touch.
    pub shapes: [ShapeId; 2],
    /// The contact point, on the second body \[m\].
    pub point: Vec3,
    /// Unit normal, from the first to the second.
    pub normal: Vec3,
    /// Contact force on the second body \[N\]; the opposite acts on the first.
    pub force: Vec3,
    /// The moment on the second body that resists rolling and spinning [N·m].
    pub moment: Vec3,
    /// Whether the contact slides.
    pub slides: bool,
}

/// A probe at one instant, world axes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ProbeReport {
    /// Position \[m\].
    pub position: Vec3,
    /// Velocity \[m/s\].
    pub velocity: Vec3,
    /// Acceleration \[m/s²\].
    pub acceleration: Vec3,
}
