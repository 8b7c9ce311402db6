//! Constraints on any number of attached frames, built in or written by users.
//!
//! A constraint between two frames that leaves the freedoms of a lower pair is a joint (`joint`).
//! All others are here, one file per kind:
//!
//! | kind | file | condition |
//! |---|---|---|
//! | a joint with `close_in` | `assemble.rs` | a joint kind that starts open and closes in a set time |
//! | constant-velocity | `constant_velocity.rs` | two shafts meet in a point and turn at equal speeds |
//! | coupler | `coupler.rs` | Σ f(joint coordinate) = constant, any number of joints |
//! | follow | `follow.rs` | a point follows a path over time, pushed there or by motors elsewhere |
//! | gear | `gear.rs` | Σ ratio · speed about an own axis = 0, any number of bodies |
//! | knife-edge | `knife_edge.rs` | a point does not slip sideways |
//! | orient | `orient.rs` | the orientation of a body relative to another follows laws of time |
//! | rolling | `rolling/mod.rs` | a ball or a disc rolls on a plane or another surface without slipping |
//! | rope | `rope.rs` | Σ distance of consecutive points = constant |
//!
//! A constraint uses only the motion of its frames (origin p, orientation, velocity ṗ, angular
//! velocity ω; world axes), so that it works on any body. With f the frames, a row C(p, R, t) has
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
//! If time enters, the rest contains 2 (∂g/∂t · ṗ + ∂h/∂t · ω) + ∂²C/∂t² besides the terms
//! quadratic in the velocities: once for the change of the gradient, once for the change of ∂C/∂t
//! along the motion. Accelerations of frames at zero generalised acceleration (the centripetal ω ×
//! (ω × arm)) are not part of the rest: the engine adds them through the gradient. The work of a
//! moving constraint, −λ ∂C/∂t per second, is booked as work put in.
//!
//! # Constraints on velocities only
//!
//! A constraint that is not the rate of a function of the poses (rolling, a skate, a ratio of
//! speeds) is nonholonomic: it writes `err` = 0 and returns false from
//! [`Constraint::has_position`]. Its rows restrict velocities, accelerations and corrections like
//! any other, without position errors.
//!
//! # Forces that act elsewhere
//!
//! The force of a row acts along its gradient and does no work on motions that the row allows,
//! unless [`Constraint::pushes_elsewhere`] returns true. Then `evaluate` also writes
//!
//! | field | what |
//! |---|---|
//! | `push(row, f)` | the wrench at frame f that a multiplier of one exerts, in place of the gradient; frames without a gradient may be pushed, and the other way round |
//!
//! and the engine finds the multiplier with which this force maintains the row: for example the
//! thrust of a jet, the tension of a tendon or the torque of a motor that keeps a point on a path.
//! Such a force does work, λ (push · velocity) per second, which is booked as work put in.
//! Positions and velocities are corrected along the same force. If it cannot act on the row, the
//! step is an error that names the constraint.
//!
//! # Auxiliary constraints
//!
//! Constraints on one or two bodies are eliminated like joints. Constraints on three or more
//! bodies, those with forces that act elsewhere, and those that ask for it
//! ([`Constraint::is_auxiliary`]) are auxiliary: their Schur complement is formed with the factor
//! of all other rows, at one solve per row (Baraff 1996, §8). The primary system stays a tree if it
//! is one. On the articulated path couplers, gears and followed points are rows of the elimination
//! instead, on any number of bodies (`step/articulated/coupling.rs`).
//!
//! Test a constraint of your own as the built-in ones are tested: finite differences of `err` along
//! each freedom give the gradient, differences of Ċ along the motion give the rest.

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
pub(crate) use coupler::{CoupledCoordinate, ModelCoupler, horner};
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

/// A constraint on attached frames.
pub trait Constraint: Send + Sync + core::fmt::Debug {
    /// Number of rows (scalar constraints), at least one.
    fn rows(&self) -> usize;

    /// Writes the rows at this instant; `out` is initialised with zeros (`scale` with ones).
    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>);

    /// Kind, as reports name it.
    fn kind(&self) -> &'static str {
        "user"
    }

    /// Whether `row` is a constraint on poses; if not, its `err` is zero and it restricts
    /// velocities only.
    fn has_position(&self, _row: usize) -> bool {
        true
    }

    /// Polylines in the world that drawings show besides the bodies \[m\].
    fn outline(&self, _frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        Vec::new()
    }

    /// Number of lines at the end of the outline that are marks, which a drawing shows over the
    /// bodies.
    fn marks(&self) -> usize {
        0
    }

    /// Why the constraint cannot be continued from these poses, if so: for example a point that has
    /// left its curve. A step that ends there is an error with this text.
    fn lost(&self, _frames: &[FrameMotion]) -> Option<String> {
        None
    }

    /// Whether the body of frame number `end` must have an orientation.
    fn needs_orientation(&self, _end: usize) -> bool {
        false
    }

    /// Whether the forces of the rows act elsewhere than along their gradients; `evaluate` then
    /// writes `push`, too.
    fn pushes_elsewhere(&self) -> bool {
        false
    }

    /// Whether the constraint depends on time. The check of the step size by changes of the
    /// acceleration then does not apply.
    fn is_timed(&self) -> bool {
        false
    }

    /// Whether the rows are solved as auxiliary rows, even on one or two bodies.
    fn is_auxiliary(&self) -> bool {
        false
    }
}

/// A user constraint with the frames it acts on.
#[derive(Clone, Debug)]
pub struct UserConstraint {
    /// Unique name, among joints, constraints and inequalities.
    pub name: String,
    /// The frames, in the order of the constraint's arguments.
    pub frames: Vec<(End, Frame)>,
    /// The constraint.
    pub rule: Arc<dyn Constraint>,
}

/// Output of a user constraint: its rows.
#[derive(Debug)]
pub struct ConstraintRows<'a> {
    pub(crate) ends: usize,
    /// C, one per row.
    pub err: &'a mut [f64],
    /// ∂C/∂t at fixed poses, one per row; zero unless time enters.
    pub err_time_rate: &'a mut [f64],
    /// C̈ when no frame accelerates, one per row: ġ·ṗ + ḣ·ω + d/dt(∂C/∂t); see the module page.
    pub jac_dot_v: &'a mut [f64],
    /// Size of the numbers that formed C, one per row; initialised with one. The error cannot fall
    /// below its rounding.
    pub scale: &'a mut [f64],
    pub(crate) gradient: &'a mut [Wrench],
    pub(crate) push: &'a mut [Wrench],
    /// The angles with the turns that the state has counted, for couplers.
    pub(crate) turns: &'a [f64],
}

impl ConstraintRows<'_> {
    /// The gradient of `row` with respect to the velocity of frame `end`.
    pub fn gradient(&mut self, row: usize, end: usize) -> &mut Wrench {
        &mut self.gradient[row * self.ends + end]
    }

    /// The wrench at frame `end` of a multiplier of one of `row`, for constraints whose forces act
    /// elsewhere.
    ///
    /// # Panics
    /// If [`Constraint::pushes_elsewhere`] is false.
    pub fn push(&mut self, row: usize, end: usize) -> &mut Wrench {
        assert!(!self.push.is_empty(), "a constraint that writes `push` must say that it pushes elsewhere");
        &mut self.push[row * self.ends + end]
    }
}
