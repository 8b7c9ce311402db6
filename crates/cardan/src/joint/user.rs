//! Constraints that users write: conditions on any number of attached frames.
//!
//! A user constraint sees only the motion of its frames (origin p, orientation, velocity ṗ, angular velocity ω; world
//! axes), and the engine does the rest on any body. With f the frames, a row C(p, R, t) has
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
//! If time enters, the rest has 2 (∂g/∂t · ṗ + ∂h/∂t · ω) + ∂²C/∂t² beside the quadratic terms in the velocities: one
//! time the gradient's own change, once more that of ∂C/∂t along the motion. Accelerations that frames have while
//! their bodies have none (the centripetal ω × (ω × arm)) are not part of the rest: the engine adds them through the
//! gradient. The work that a moving condition does, −λ ∂C/∂t per second, is booked as work put in.
//!
//! Test a constraint of your own as the ones here are tested: differences of `err` along each freedom give the
//! gradient, differences of Ċ along the motion give the rest.

use crate::body::{Frame, FrameMotion, Wrench};
use crate::model::End;

/// A condition on attached frames.
pub trait Constraint: Send + Sync + core::fmt::Debug {
    /// Number of scalar conditions, at least one.
    fn rows(&self) -> usize;

    /// Writes the rows at this instant; `out` comes in filled with zeros (`scale` with ones).
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
    /// ∂C/∂t at fixed poses, one per row; zero unless time enters.
    pub err_time_rate: &'a mut [f64],
    /// C̈ when no frame accelerates, one per row: ġ·ṗ + ḣ·ω + d/dt(∂C/∂t); see the module's page.
    pub jac_dot_v: &'a mut [f64],
    /// Size of the numbers that formed C, one per row; comes in as one. The error cannot fall below its rounding.
    pub scale: &'a mut [f64],
    pub(crate) gradient: &'a mut [Wrench],
}

impl ConstraintRows<'_> {
    /// The gradient of `row` with respect to the velocity of frame `end`.
    pub fn gradient(&mut self, row: usize, end: usize) -> &mut Wrench {
        &mut self.gradient[row * self.ends + end]
    }
}
