//! Constraints that users write: conditions on any number of attached frames.
//!
//! A user constraint sees only the motion of its frames and gives, per row, C, one gradient per frame (a wrench at
//! that frame: `force` multiplies the velocity of its origin, `torque` its angular velocity, world axes), what is
//! left of C̈ when no frame accelerates, and ∂C/∂t if time enters. The engine does the rest on any body.

use crate::body::{Frame, FrameMotion, Wrench};
use crate::model::End;

/// A condition on attached frames.
pub trait Constraint: Send + Sync + core::fmt::Debug {
    /// Number of scalar conditions, at least one.
    fn rows(&self) -> usize;

    /// Writes the rows at this instant; `out` comes in filled with zeros.
    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>);

    /// Whether the frame number `end` must be able to turn.
    fn needs_orientation(&self, _end: usize) -> bool {
        false
    }
}

/// A user constraint with the frames it acts on.
#[derive(Debug)]
pub struct UserConstraint {
    /// Unique name; shares its names with the joints.
    pub name: String,
    /// The frames, in the order in which the constraint sees them.
    pub frames: Vec<(End, Frame)>,
    /// The condition.
    pub rule: Box<dyn Constraint>,
}

/// Where a user constraint writes its rows.
#[derive(Debug)]
pub struct ConstraintRows<'a> {
    pub(crate) ends: usize,
    /// C, one per row.
    pub err: &'a mut [f64],
    /// ∂C/∂t, one per row; zero unless time enters.
    pub err_time_rate: &'a mut [f64],
    /// What is left of C̈ when no frame accelerates, its own motion (centripetal terms) excluded, one per row.
    pub jac_dot_v: &'a mut [f64],
    /// Size of the numbers that formed C, one per row; the position error cannot fall below its rounding.
    pub scale: &'a mut [f64],
    pub(crate) gradient: &'a mut [Wrench],
}

impl ConstraintRows<'_> {
    /// The gradient of `row` with respect to the velocity of frame `end`.
    pub fn gradient(&mut self, row: usize, end: usize) -> &mut Wrench {
        &mut self.gradient[row * self.ends + end]
    }
}
