//! Numbers of a user constraint at one instant: C, ∂C/∂t, gradients and c.

use crate::body::{FrameMotion, Wrench};
use crate::constraint::ConstraintRows;
use crate::model::ModelConstraint;
use crate::step::workspace::ForceResponse;

/// Sizes of the terms of velocity and angular velocity of an attached frame.
pub(crate) fn speed_reach(f: &FrameMotion) -> (f64, f64) {
    let spin = f.omega.largest();
    (f.vel.largest() + spin * f.arm.largest() + f.flow, spin)
}

/// Instant of an evaluation of constraints.
#[derive(Copy, Clone)]
pub(crate) struct RowInstant<'a> {
    pub(crate) time: f64,
    /// A static state: nothing moves, not even with time.
    pub(crate) is_still: bool,
    /// Velocities are solved for instead of accelerations.
    pub(crate) response: ForceResponse,
    /// The angles with the turns that the state has counted.
    pub(crate) turns: &'a [f64],
}

/// Numbers of one constraint, each slice one entry per row.
pub(crate) struct ConstraintNumbers<'a> {
    pub(crate) err: &'a mut [f64],
    pub(crate) scale: &'a mut [f64],
    pub(crate) time_rate: &'a mut [f64],
    /// c without the accelerations of frames at zero generalised acceleration.
    pub(crate) bias: &'a mut [f64],
}

/// Evaluates a constraint. `frames` are those that it is attached to; `wrenches` takes the gradients, row by row, and
/// then what rows push with, if that is elsewhere.
pub(crate) fn evaluate_constraint(
    constraint: &ModelConstraint,
    at: RowInstant<'_>,
    (frames, wrenches): (&[FrameMotion], &mut [Wrench]),
    numbers: ConstraintNumbers<'_>,
) {
    let (n, rows) = (frames.len(), constraint.rows);
    let ConstraintNumbers { err, scale, time_rate, bias } = numbers;
    [&mut *err, &mut *time_rate, &mut *bias].into_iter().for_each(|numbers| numbers.fill(0.0));
    scale.fill(1.0);
    wrenches[..2 * n * rows].fill(Wrench::ZERO);
    let (gradient, push) = wrenches.split_at_mut(n * rows);
    let mut out = ConstraintRows {
        ends: n,
        err,
        err_time_rate: &mut *time_rate,
        jac_dot_v: &mut *bias,
        scale,
        gradient,
        push: if constraint.pushed { &mut push[..n * rows] } else { &mut [] },
        turns: at.turns,
    };
    constraint.rule.evaluate(at.time, frames, &mut out);
    if at.is_still {
        // At rest J̇v is only due to time.
        time_rate.fill(0.0);
        bias.fill(0.0);
    }
    if at.response == ForceResponse::Velocity {
        // Velocities are solved for instead of accelerations: J v + ∂C/∂t = 0.
        bias.copy_from_slice(time_rate);
    }
}

/// Ċ of a row, the size of its terms, and the whole c, from the gradients of all frames.
pub(crate) fn rates_of_row(
    frames: &[FrameMotion],
    gradients: &[Wrench],
    (time_rate, bias): (f64, f64),
) -> [f64; 3] {
    let (mut rate, mut bias, mut size) = (time_rate, bias, time_rate.abs());
    for (f, g) in frames.iter().zip(gradients) {
        rate += g.force.dot(f.vel) + g.torque.dot(f.omega);
        bias += g.force.dot(f.bias) + g.torque.dot(f.bias_omega);
        let reach = speed_reach(f);
        size += g.force.largest() * reach.0 + g.torque.largest() * reach.1;
    }
    [rate, size, bias]
}
