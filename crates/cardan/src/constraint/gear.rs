//! Gear: speeds of bodies about axes of their own, in a fixed ratio.
//!
//!   Σ_i r_i s_i = 0        s_i = ω_i · z_i        z_i = R_i e_z
//!
//!   h_i = r_i z_i          rest = Σ r_i ω_i · (ω_i × z_i) = 0
//!
//! The ratios are divided by the largest of them, so that the error is a speed and the multiplier
//! the torque on that body. One row, on velocities only: a model of any gear box between any number
//! of bodies, with axes in any direction.
//!
//! | train | bodies | ratios |
//! |---|---|---|
//! | external pair, teeth n₁ and n₂ | 1, 2 | n₁, n₂ |
//! | internal pair, belt or chain | 1, 2 | n₁, −n₂ |
//! | planetary: sun, ring, carrier | s, r, c | n_s, n_r, −(n_s + n_r) |
//! | planet on its carrier: sun, planet, carrier | s, p, c | n_s, n_p, −(n_s + n_p) |
//! | differential: two half shafts, cage | 1, 2, c | 1, 1, −2 |
//!
//! The torques are r_i λ about the axes. Between parallel axes the angles keep the ratio, too,
//! since each step changes them by the ratio.

use super::{Constraint, ConstraintRows, outline};
use crate::body::FrameMotion;
use crate::math::{Vec3, larger};

/// The speeds about the z axes of its frames, each times its ratio, sum to zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Gear {
    ratios: Vec<f64>,
}

impl Gear {
    /// A gear with one ratio per frame.
    ///
    /// # Errors
    /// With the index of the first ratio that is zero or not finite.
    pub fn new(ratios: Vec<f64>) -> Result<Self, usize> {
        if let Some(bad) = ratios.iter().position(|r| !r.is_finite() || *r == 0.0) {
            return Err(bad);
        }
        let largest = ratios.iter().fold(0.0, |w, r| larger(w, r.abs()));
        Ok(Gear { ratios: ratios.into_iter().map(|r| r / largest).collect() })
    }
}

impl Constraint for Gear {
    fn kind(&self) -> &'static str {
        "gear"
    }

    fn rows(&self) -> usize {
        1
    }

    fn has_position(&self, _row: usize) -> bool {
        false
    }

    fn needs_orientation(&self, _end: usize) -> bool {
        true
    }

    fn marks(&self) -> usize {
        usize::MAX
    }

    fn outline(&self, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        // The first two wheels mesh; a carrier or a cage is last.
        outline::pitch_circles(&frames[0], &frames[1], [self.ratios[0], self.ratios[1]])
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        for (k, (frame, ratio)) in frames.iter().zip(&self.ratios).enumerate() {
            out.gradient(0, k).torque = frame.rot * Vec3::Z * *ratio;
        }
    }
}
