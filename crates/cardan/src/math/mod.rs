//! Small vectors, matrices and quaternions, generic over the lane type.
//!
//! Everything here is plain arithmetic in a fixed order, so that one source gives the same bits for one
//! mechanism (`f64`) or for several side by side. Elementary functions come from `libm`, which gives the same
//! bits on every platform.

mod mat3;
mod quat;
#[cfg(test)]
mod tests;
mod vec3;

pub use cardan_solve::Lane;
pub use mat3::{Mat3, Sym3};
pub use quat::Quat;
pub use vec3::{Vec3, vec3};

/// The larger of two numbers; NaN if either is NaN, so that a lost number is never hidden.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// The angle congruent to `angle` (modulo one turn) that lies nearest to `near`.
pub(crate) fn unwrap_near(angle: f64, near: f64) -> f64 {
    const TURN: f64 = 2.0 * core::f64::consts::PI;
    angle + TURN * libm::round((near - angle) / TURN)
}
