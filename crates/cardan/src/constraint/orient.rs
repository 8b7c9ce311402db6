//! Prescribed orientation: b's frame, seen from a's, is turned about successive axes by laws of
//! time.
//!
//!   C = 2 d_v = 0        d the quaternion of Q R*(t)ᵀ        R*(t) = Π_i exp(e_i θ_i(t))
//!
//! Three axes make any Euler or Cardan angles, one axis a turn about it. With u_i = R_1 … R_{i−1}
//! e_i the axes in their current directions,
//!
//!   ω* = Σ u_i θ̇_i        α* = Σ u_i θ̈_i + ω_{i−1} × u_i θ̇_i        ω_{i−1} = Σ_{k<i} u_k θ̇_k
//!
//! and with Δ = Q R*ᵀ the orientation error, d its quaternion, and s = w − Δ ω* the angular
//! velocity relative to the law,
//!
//!   G = d_w e + d_v × e        ∂C/∂t = −G·Δ ω*        rest = −½ |s|² e·d_v − G·(s × Δ ω* + Δ α*)
//!
//! Three rows, constraints on poses that depend on time; the multipliers are the torque on b about
//! a's axes. It drives a spherical joint, whose own coordinates are not three separate freedoms, or
//! the orientation of any other body.

use super::frame_pair::{FramePair, FrameRow};
use super::{Constraint, ConstraintRows};
use crate::body::{FrameMotion, Wrench};
use crate::law::{Law, Smoothness};
use crate::math::{Quat, Vec3};

/// A turn about an axis over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// In the axes after the preceding turns; any length but zero.
    pub axis: Vec3,
    /// The angle \[rad\].
    pub law: Law,
}

/// Why turns do not make an orientation over time.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OrientError {
    /// No turn, or more than six.
    #[error("an orientation is one to six turns, not {0}")]
    Count(usize),
    /// An axis without length.
    #[error("the axis of turn {0} has no length")]
    Axis(usize),
    /// A law whose rate jumps.
    #[error("the law of turn {turn} is not smooth enough to drive an orientation: {has}")]
    NotSmooth {
        /// Index of the turn.
        turn: usize,
        /// Smoothness of the law.
        has: Smoothness,
    },
}

/// The orientation of b follows laws of time; frames: a, b.
#[derive(Clone, Debug, PartialEq)]
pub struct Orient {
    turns: Vec<Turn>,
}

impl Orient {
    /// Turns, each about an axis that the preceding turns carry.
    ///
    /// # Errors
    /// For no turns, axes without length, and laws whose rates jump.
    pub fn new(mut turns: Vec<Turn>) -> Result<Self, OrientError> {
        if turns.is_empty() || turns.len() > 6 {
            return Err(OrientError::Count(turns.len()));
        }
        for (i, turn) in turns.iter_mut().enumerate() {
            turn.axis = turn.axis.normalized().ok_or(OrientError::Axis(i))?;
            let has = turn.law.smoothness();
            if has < Smoothness::Rate {
                return Err(OrientError::NotSmooth { turn: i, has });
            }
        }
        Ok(Orient { turns })
    }

    /// R*, ω* and α* in a's axes.
    pub fn at(&self, time: f64) -> (Quat, Vec3, Vec3) {
        let (mut rot, mut omega, mut alpha) = (Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO);
        for turn in &self.turns {
            let law = turn.law.at(time);
            let axis = rot * turn.axis;
            alpha += axis * law.second + omega.cross(axis) * law.rate;
            omega += axis * law.rate;
            rot = rot * Quat::exp(turn.axis * law.value);
        }
        (rot, omega, alpha)
    }
}

impl Constraint for Orient {
    fn kind(&self) -> &'static str {
        "orient"
    }

    fn rows(&self) -> usize {
        3
    }

    fn needs_orientation(&self, _end: usize) -> bool {
        true
    }

    fn is_timed(&self) -> bool {
        true
    }

    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let pair = FramePair::new(frames, [0, 1]);
        let (target, omega, alpha) = self.at(time);
        let missing = pair.at.turn * target.inverse();
        let d = if missing.w < 0.0 { -missing } else { missing };
        let (omega, alpha) = (d * omega, d * alpha);
        let s = pair.at.spin - omega;
        let moved = s.cross(omega) + alpha;
        for (r, e) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            let torque = e * d.w + d.v.cross(e);
            let row = FrameRow {
                err: 2.0 * e.dot(d.v),
                gradient: Wrench { force: Vec3::ZERO, torque },
                velocity_term: -0.5 * s.dot(s) * e.dot(d.v) - torque.dot(moved),
                size: 0.0,
            };
            pair.write(r, row, out);
            out.err_time_rate[r] = -torque.dot(omega);
            out.scale[r] = 1.0;
        }
    }
}
