//! Rows between two frames: rows in d = R_aᵀ (p_b − p_a) and Q = R_aᵀ R_b become rows in the
//! motions of the frames.
//!
//!   Ċ = γ·ḋ + μ·w        C̈ = γ·d̈ + μ·ẇ + h
//!
//! With no frame accelerating and Δ = p_b − p_a, d̈ = R_aᵀ (ω_a × (ω_a × Δ) − 2 ω_a × Δ̇) and
//! ẇ = −R_aᵀ (ω_a × ω_b). γ and μ act at b's origin; the opposite wrench, carried over, acts at a.

use super::ConstraintRows;
use crate::body::{FrameMotion, Wrench};
use crate::joint::Relative;
use crate::math::Vec3;

/// One row in a's axes.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct FrameRow {
    /// C.
    pub err: f64,
    /// γ as force and μ as torque.
    pub gradient: Wrench,
    /// h.
    pub velocity_term: f64,
    /// Size of the lengths that formed C, besides those of the frames.
    pub size: f64,
}

/// b's frame seen from a's.
pub(super) struct FramePair {
    ends: [usize; 2],
    pub at: Relative,
}

impl FramePair {
    /// From the frames number `a` and `b`.
    pub(super) fn new(frames: &[FrameMotion], [a, b]: [usize; 2]) -> Self {
        let still = |f: &FrameMotion| FrameMotion { bias: Vec3::ZERO, bias_omega: Vec3::ZERO, ..*f };
        FramePair { ends: [a, b], at: Relative::new(&still(&frames[a]), &still(&frames[b])) }
    }

    pub(super) fn write(&self, number: usize, row: FrameRow, out: &mut ConstraintRows<'_>) {
        let [a, b] = self.ends;
        out.err[number] = row.err;
        out.scale[number] = self.at.reach + row.size;
        out.jac_dot_v[number] = row.gradient.force.dot(self.at.bias)
            + row.gradient.torque.dot(self.at.bias_spin)
            + row.velocity_term;
        let on_b = self.at.to_world(row.gradient);
        *out.gradient(number, b) = on_b;
        *out.gradient(number, a) = self.at.carried_to_a(on_b);
    }
}
