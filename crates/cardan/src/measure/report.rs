//! What an instant says of its parts.

use crate::body::Wrench;
use crate::joint::MAX_COORDINATES;
use crate::math::{Quat, Vec3};
use crate::model::BodyId;
use crate::tolerances::CONTACT_GAP;

/// A body at one instant, world axes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct BodyReport {
    /// Centre of mass.
    pub position: Vec3,
    /// Origin of the body frame.
    pub frame_position: Vec3,
    /// Orientation of the body frame.
    pub orientation: Quat,
    /// Velocity of the centre of mass.
    pub velocity: Vec3,
    /// Angular velocity.
    pub angular_velocity: Vec3,
    /// Acceleration of the centre of mass.
    pub acceleration: Vec3,
    /// Angular acceleration.
    pub angular_acceleration: Vec3,
}

/// What a joint exerts on b at b's frame, world axes, split by cause.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct ReactionParts {
    /// From the joint's conditions: Jᵀ λ.
    pub structural: Wrench,
    /// From springs and drives along its coordinates.
    pub drive: Wrench,
    /// From its stops.
    pub limit: Wrench,
    /// From friction in it.
    pub friction: Wrench,
}

impl ReactionParts {
    /// All four together.
    pub fn total(&self) -> Wrench {
        self.structural + self.drive + self.limit + self.friction
    }
}

/// A joint at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct JointReport<'a> {
    /// Free coordinates, turns counted.
    pub coordinates: [f64; MAX_COORDINATES],
    /// Their rates.
    pub rates: [f64; MAX_COORDINATES],
    /// How many coordinates there are.
    pub count: usize,
    /// The reaction by cause.
    pub reaction: ReactionParts,
    /// λ, one per row; those of drives come last.
    pub multipliers: &'a [f64],
    /// Force or torque of the drives, servos and motors along each coordinate, on b.
    pub drives: [f64; MAX_COORDINATES],
    /// Where a's frame is.
    pub position_a: Vec3,
    /// Where b's frame is.
    pub position: Vec3,
    /// The z axis of a's frame, world axes.
    pub axis: Vec3,
}

/// What a user constraint exerts at one of its frames.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ConstraintLoad {
    /// The body; `None` is the ground, of which nothing is said.
    pub body: Option<BodyId>,
    /// At the body's centre of mass, world axes; what the body cannot follow is left out.
    pub wrench: Wrench,
    /// Where the frame is.
    pub position: Vec3,
    /// This load at the frame.
    pub at_frame: Wrench,
}

/// Where an inequality g ≥ 0 stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum InequalityState {
    /// g > 0.
    Satisfied,
    /// g = 0, to a billionth: of a metre, or of a radian.
    Active,
    /// g < 0.
    Violated,
}

impl InequalityState {
    /// Of a gap [m, rad].
    pub(super) fn of(gap: f64) -> Self {
        match gap {
            gap if gap > CONTACT_GAP => InequalityState::Satisfied,
            gap if gap >= -CONTACT_GAP => InequalityState::Active,
            _ => InequalityState::Violated,
        }
    }

    /// One word for it.
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
    /// g: negative where it is violated [m, rad].
    pub gap: f64,
    /// ġ.
    pub rate: f64,
    /// λ: how hard it pushes.
    pub multiplier: f64,
    /// Whether g is above, at or below zero.
    pub state: InequalityState,
    /// Whether it is in F⁺, what the equations hold as if it were an equality. The others are in F⁻ and push with nothing. In the exact answer F⁺ is what
    /// pushes; a rule to study may hold what pulls.
    pub in_active_set: bool,
    /// What it exerts on bodies, at their centres of mass, world axes.
    pub loads: Vec<(BodyId, Wrench)>,
}

/// Where two bodies press against each other, world axes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ContactReport {
    /// The bodies; `None` is the ground.
    pub bodies: [Option<BodyId>; 2],
    /// Where, on the second.
    pub point: Vec3,
    /// Unit normal, from the first to the second.
    pub normal: Vec3,
    /// What acts on the second; the opposite acts on the first.
    pub force: Vec3,
    /// The moment on the second body that resists rolling and spinning [N·m].
    pub moment: Vec3,
    /// Whether it slides.
    pub slides: bool,
}

/// A probe at one instant, world axes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ProbeReport {
    /// Where it is.
    pub position: Vec3,
    /// Its velocity.
    pub velocity: Vec3,
    /// Its acceleration.
    pub acceleration: Vec3,
}
