//! Constraints: conditions on any number of attached frames, built in or written by users.
//!
//! What connects two frames and leaves lower-pair freedoms is a joint (`joint`). Everything else is
//! here, one file per kind:
//!
//! | kind | file | condition |
//! |---|---|---|
//! | a joint with `close_in` | `assemble.rs` | a joint kind that starts open and closes in a set time |
//! | constant-velocity | `constant_velocity.rs` | two shafts meet in a point and turn alike |
//! | coupler | `coupler.rs` | Σ f(joint coordinate) = constant, any number of joints |
//! | follow | `follow.rs` | a point follows a path over time, pushed there or by motors elsewhere |
//! | gear | `gear.rs` | Σ ratio · speed about an own axis = 0, any number of bodies |
//! | knife-edge | `knife_edge.rs` | a point does not slip sideways |
//! | orient | `orient.rs` | a body turns against another as laws of time say |
//! | rolling | `rolling/mod.rs` | a ball or a disc touches a plane or another surface without slipping |
//! | rope | `rope.rs` | Σ distance of consecutive points = constant |
//!
//! A constraint sees only the motion of its frames (origin p, orientation, velocity ṗ, angular
//! velocity ω; world axes), and the engine does the rest on any body. With f the frames, a row C(p,
//! R, t) has
//!
//!   Ċ = Σ_f (g_f · ṗ_f + h_f · ω_f) + ∂C/∂t
//!   C̈ = Σ_f (g_f · p̈_f + h_f · ω̇_f) + rest
//!
//! and its `evaluate` writes
//!
//! | field | what |
//! |---|---|
//! | `err` | C |
//! | `gradient(row, f)` | g_f as `force` and h_f as `torque`: the wrench at frame f that a multiplier of one exerts |
//! | `jac_dot_v` | the rest: Σ_f (ġ_f · ṗ_f + ḣ_f · ω_f) + d/dt(∂C/∂t), with ġ and ḣ along the motion **and** in time |
//! | `err_time_rate` | ∂C/∂t, if time enters |
//! | `scale` | the size of the numbers that C is the difference of, if that is far from 1 |
//!
//! If time enters, the rest has 2 (∂g/∂t · ṗ + ∂h/∂t · ω) + ∂²C/∂t² beside the quadratic terms in
//! the velocities: one time the gradient's own change, once more that of ∂C/∂t along the motion.
//! Accelerations that frames have while their bodies have none (the centripetal ω × (ω × arm)) are
//! not part of the rest: the engine adds them through the gradient. The work that a moving
//! condition does, −λ ∂C/∂t per second, is booked as work put in.
//!
//! # Velocities only
//!
//! A condition that no function of the poses has for its rate (rolling, a skate, a ratio of speeds)
//! writes `err` = 0 and says so ([`Constraint::has_position`]). Its rows then restrict velocities,
//! accelerations and corrections like any other, and what cannot be closed is not asked to be.
//!
//! # Held by a force elsewhere
//!
//! The force of a row acts along its gradient and does no work on motions that the row allows,
//! unless the constraint says otherwise ([`Constraint::pushes_elsewhere`]). Then `evaluate` also
//! writes
//!
//! | field | what |
//! |---|---|
//! | `push(row, f)` | the wrench at frame f that a multiplier of one exerts, in the place of the gradient; frames without gradient may be pushed, and the other way round |
//!
//! and the engine finds the multiplier with which this force keeps the row: how hard must a jet
//! blow, a tendon pull, a motor turn, so that something else stays where it should? Such a force
//! does work, λ (push · velocity) per second, which is booked as work put in. Positions and
//! velocities are corrected along the same force. If it cannot act on the row, the step is an error
//! that names the constraint.
//!
//! # Solved apart
//!
//! Constraints on one or two bodies are eliminated like joints. Those on three or more bodies,
//! those held by a force elsewhere, and those that ask for it ([`Constraint::is_auxiliary`]) are
//! solved by anticipation (Baraff 1996, §8): with the factor of everything else, at one solve per
//! row. The mechanism below stays a tree if it is one.
//!
//! Test a constraint of your own as the ones here are tested: differences of `err` along each
//! freedom give the gradient, differences of Ċ along the motion give the rest.

mod assemble;
mod constant_velocity;
mod coupler;
mod follow;
mod frame_pair;
mod gear;
mod knife_edge;
mod orient;
mod outline;
mod point_on_curve;
mod rolling;
mod rope;
mod tangent;

pub use assemble::{Assemble, AssembleError};
pub use constant_velocity::ConstantVelocity;
pub(crate) use coupler::{CoupledCoordinate, ModelCoupler};
pub use coupler::{Coupler, CouplerEquation, CouplerTerm};
pub use follow::{Follow, MotorFollow};
pub use gear::Gear;
pub use knife_edge::KnifeEdge;
pub use orient::{Orient, OrientError, Turn};
pub use point_on_curve::PointOnCurve;
pub use rolling::{Rolling, RollingError, Track, Wheel};
pub use rope::Rope;
pub use tangent::{Feature, Tangent};

use crate::body::{Frame, FrameMotion, Wrench};
use crate::math::Vec3;
use crate::model::End;
use std::sync::Arc;

/// A condition on attached frames.
pub trait Constraint: Send + Sync + core::fmt::Debug {
    /// Number of scalar conditions, at least one.
    fn rows(&self) -> usize;

    /// Writes the rows at this instant; `out` comes in filled with zeros (`scale` with ones).
    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>);

    /// The name that reports give it.
    fn kind(&self) -> &'static str {
        "user"
    }

    /// Whether `row` is a condition on poses; if not, its `err` is zero and it restricts velocities
    /// only.
    fn has_position(&self, _row: usize) -> bool {
        true
    }

    /// What a drawing shows beside the bodies: lines through points of the world.
    fn outline(&self, _frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        Vec::new()
    }

    /// How many of the last lines of the outline are marks, which a drawing shows over the bodies.
    fn marks(&self) -> usize {
        0
    }

    /// Why the condition cannot be followed from these poses on, if so: a point that left its
    /// curve. A step that ends there is an error with this text.
    fn lost(&self, _frames: &[FrameMotion]) -> Option<String> {
        None
    }

    /// Whether the frame number `end` must be able to turn.
    fn needs_orientation(&self, _end: usize) -> bool {
        false
    }

    /// Whether the rows are held by a force elsewhere than along their gradients; `evaluate` then
    /// writes `push` too.
    fn pushes_elsewhere(&self) -> bool {
        false
    }

    /// Whether time enters: the condition moves. A step is then not taken for too long because of
    /// how accelerations change in it.
    fn is_timed(&self) -> bool {
        false
    }

    /// Whether the rows are to be solved apart from the others, even on one or two bodies.
    fn is_auxiliary(&self) -> bool {
        false
    }
}

/// A user constraint with the frames it acts on.
#[derive(Clone, Debug)]
pub struct UserConstraint {
    /// Unique name; shares its names with the joints.
    pub name: String,
    /// The frames, in the order in which the constraint sees them.
    pub frames: Vec<(End, Frame)>,
    /// The condition.
    pub rule: Arc<dyn Constraint>,
}

/// Where a user constraint writes its rows.
#[derive(Debug)]
pub struct ConstraintRows<'a> {
    pub(crate) ends: usize,
    /// C, one per row.
    pub err: &'a mut [f64],
    /// ∂C/∂t at fixed poses, one per row; zero unless time enters.
    pub err_time_rate: &'a mut [f64],
    /// C̈ when no frame accelerates, one per row: ġ·ṗ + ḣ·ω + d/dt(∂C/∂t); see the module's page.
    pub jac_dot_v: &'a mut [f64],
    /// Size of the numbers that formed C, one per row; comes in as one. The error cannot fall below
    /// its rounding.
    pub scale: &'a mut [f64],
    pub(crate) gradient: &'a mut [Wrench],
    pub(crate) push: &'a mut [Wrench],
    /// The angles that the state has counted, for couplers.
    pub(crate) turns: &'a [f64],
}

impl ConstraintRows<'_> {
    /// The gradient of `row` with respect to the velocity of frame `end`.
    pub fn gradient(&mut self, row: usize, end: usize) -> &mut Wrench {
        &mut self.gradient[row * self.ends + end]
    }

    /// What a multiplier of one of `row` exerts at frame `end`, for constraints that push
    /// elsewhere.
    ///
    /// # Panics
    /// If [`Constraint::pushes_elsewhere`] is false.
    pub fn push(&mut self, row: usize, end: usize) -> &mut Wrench {
        assert!(!self.push.is_empty(), "a constraint that writes `push` must say that it pushes elsewhere");
        &mut self.push[row * self.ends + end]
    }
}
