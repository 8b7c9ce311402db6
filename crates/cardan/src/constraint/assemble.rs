//! Self-assembling joint: it starts open and closes in a set time (Barzel and Barr's
//! self-assembly).
//!
//!   p_b − p_a = f(t) (p_b − p_a)₀        C(q) = f(t) C(q₀)        f from 1 to 0 over the given time, at rest at both ends
//!
//! p: the joint points in world axes, so that each body is pulled at its own point; C: the turns
//! that the joint kind locks. Both equations are satisfied at t = 0 in any pose, and the joint is
//! an ordinary one afterwards:
//!
//!   Ċ = G·(ḋ, w) − ḟ C₀        C̈ = G·(d̈, ẇ) + h − f̈ C₀
//!
//! The work of its forces is booked as work put in.

use super::{Constraint, ConstraintRows};
use crate::body::{Frame, FrameMotion, Motion};
use crate::joint::{ClosedForm, JointKind, JointRows, MAX_ROWS, Relative};
use crate::law::{Blend, Law, LawError, Segments};
use crate::math::Vec3;

/// A joint kind between two frames that starts open and closes in a given time.
#[derive(Clone, Debug, PartialEq)]
pub struct Assemble {
    kind: JointKind,
    /// Errors at t = 0: the vector from a's point to b's, then C of the turns.
    open: [f64; MAX_ROWS],
    law: Law,
}

/// Why a joint cannot assemble itself.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AssembleError {
    /// The kind does not keep two points together.
    #[error("{0} does not hold two points together")]
    Kind(JointKind),
    /// The duration is not positive.
    #[error("`assembly_time` is {0} s; it must be positive")]
    Duration(f64),
    /// The axes point away from each other: the joint would close the wrong way round.
    #[error("the axes are {0:.1} deg apart at the start, 90 deg or more: it would close the wrong way round")]
    Axes(f64),
    /// The law of time cannot be made.
    #[error(transparent)]
    Law(#[from] LawError),
}

impl Assemble {
    /// A joint of a kind that closes within `duration` \[s\] from the poses of its frames at t = 0,
    /// given in the world.
    ///
    /// # Errors
    /// If the kind does not keep two points together, if the duration is not positive, or if the
    /// axes are not within a right angle of each other.
    pub fn new(kind: JointKind, a: &Frame, b: &Frame, duration: f64) -> Result<Self, AssembleError> {
        let has_form = kind.about().closed_form != ClosedForm::Rows;
        if !(has_form && kind.about().locks.shifts() == 3) {
            return Err(AssembleError::Kind(kind));
        }
        if !(duration.is_finite() && duration > 0.0) {
            return Err(AssembleError::Duration(duration));
        }
        let at = Relative::new(&Motion::GROUND.attach(a), &Motion::GROUND.attach(b));
        if let Some(axis) = kind.aligned_axis() {
            let cosine = axis.dot(at.turn * axis);
            if cosine <= 0.0 {
                return Err(AssembleError::Axes(libm::acos(cosine) * 180.0 / core::f64::consts::PI));
            }
        }
        let mut rows = JointRows::default();
        kind.write_rows(&at, None, &mut rows);
        let law = Law::Segments(Segments::new(Blend::Quintic, &[[0.0, 1.0], [duration, 0.0]])?);
        let mut open = rows.err;
        open[..3].copy_from_slice(&at.offset.to_array());
        Ok(Assemble { kind, open, law })
    }
}

impl Constraint for Assemble {
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    fn rows(&self) -> usize {
        self.kind.rows()
    }

    fn needs_orientation(&self, end: usize) -> bool {
        let (a, b) = self.kind.needs_orientation();
        if end == 0 { a } else { b }
    }

    fn is_timed(&self) -> bool {
        true
    }

    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        // The engine adds the frames' accelerations at zero generalised acceleration through the
        // gradients.
        let [a, b] =
            [frames[0], frames[1]].map(|f| FrameMotion { bias: Vec3::ZERO, bias_omega: Vec3::ZERO, ..f });
        let at = Relative::new(&a, &b);
        let mut rows = JointRows::default();
        self.kind.write_rows(&at, None, &mut rows);
        let left = self.law.at(time);
        let gap = at.offset.to_array();
        for r in 0..rows.count {
            out.err_time_rate[r] = -left.rate * self.open[r];
            let moved = -left.second * self.open[r];
            if r < 3 {
                let e = [Vec3::X, Vec3::Y, Vec3::Z][r];
                out.err[r] = gap[r] - left.value * self.open[r];
                out.jac_dot_v[r] = moved;
                out.scale[r] = at.reach + self.open[r].abs();
                out.gradient(r, 0).force = -e;
                out.gradient(r, 1).force = e;
                continue;
            }
            out.err[r] = rows.err[r] - left.value * self.open[r];
            out.jac_dot_v[r] = rows.jac_dot_v(r, &at) + moved;
            out.scale[r] = rows.scale[r];
            let on_b = at.to_world(rows.gradient[r]);
            *out.gradient(r, 0) = at.carried_to_a(on_b);
            *out.gradient(r, 1) = on_b;
        }
    }

    fn outline(&self, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        vec![vec![frames[0].pos, frames[1].pos]]
    }
}
