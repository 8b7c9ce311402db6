//! Rope through several points: the lengths of its parts, each times its number of strands, sum to
//! a constant.
//!
//!   C = Σ_k w_k |d_k| − ℓ          d_k = p_{k+1} − p_k
//!
//!   g_{k+1} = w_k n_k − w_{k+1} n_{k+1}        n = d/|d|
//!   rest = Σ_k w_k (|ḋ_k|² − (n_k·ḋ_k)²)/|d_k|
//!
//! One row. The points are on bodies or on the ground; the rope runs through them without friction
//! and weight, and is taut. The multiplier is minus its tension: a positive one shows that the rope
//! would have to push. A tackle with n strands between two points is one part with w = n. Around a
//! pulley the point is that of the axle, since the part on the rim does not change.

use super::{Constraint, ConstraintRows};
use crate::body::FrameMotion;
use crate::math::Vec3;

/// A taut rope through the origins of its frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    length: f64,
    weights: Vec<f64>,
}

impl Rope {
    /// A rope of a length \[m\], with the number of strands of each part between two points.
    ///
    /// # Errors
    /// With the index of the first weight that is not positive and finite, or the number of weights
    /// if it is the length.
    pub fn new(length: f64, weights: Vec<f64>) -> Result<Self, usize> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        match weights.iter().position(|w| !positive(*w)) {
            Some(bad) => Err(bad),
            None if !positive(length) => Err(weights.len()),
            None => Ok(Rope { length, weights }),
        }
    }
}

impl Constraint for Rope {
    fn kind(&self) -> &'static str {
        "rope"
    }

    fn rows(&self) -> usize {
        1
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        out.err[0] = -self.length;
        out.scale[0] = self.length;
        for (k, (pair, weight)) in frames.windows(2).zip(&self.weights).enumerate() {
            let (d, rate) = (pair[1].pos - pair[0].pos, pair[1].vel - pair[0].vel);
            let length = d.norm();
            let n = d / length;
            out.err[0] += weight * length;
            out.scale[0] += weight * (pair[0].reach + pair[1].reach);
            let along = n.dot(rate);
            out.jac_dot_v[0] += weight * (rate.dot(rate) - along * along) / length;
            for (end, pull) in [(k, -n), (k + 1, n)] {
                let force = &mut out.gradient(0, end).force;
                *force += pull * *weight;
            }
        }
    }

    fn outline(&self, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        vec![frames.iter().map(|f| f.pos).collect()]
    }
}
