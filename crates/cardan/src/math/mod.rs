//! Small vectors, matrices and quaternions.
//!
//! Vectors and matrices are generic over the lane type and plain arithmetic in a fixed order, so that one source
//! gives the same bits for one mechanism (`f64`) or for several side by side. Elementary functions come from `libm`,
//! which gives the same bits on every platform.

mod quat;
#[cfg(test)]
mod tests;

pub use cardan_solve::Lane;
pub(crate) use cardan_solve::math::larger;
pub use cardan_solve::math::{Mat3, Six, Sym3, Sym6, Vec3, vec3};
pub use quat::Quat;

/// The angle congruent to `angle` (modulo one turn) that lies nearest to `near`.
#[inline]
pub(crate) fn unwrap_near(angle: f64, near: f64) -> f64 {
    const TURN: f64 = 2.0 * core::f64::consts::PI;
    let turns = (near - angle) / TURN;
    if turns.abs() < 0.5 { angle } else { angle + TURN * libm::round(turns) }
}
