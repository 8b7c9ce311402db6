//! Vectors, matrices and quaternions in three dimensions.
//!
//! They are generic over the lane type and use plain arithmetic in a fixed order, so that one
//! source gives the same bits for one mechanism (`f64`) and for several in SIMD lanes. Elementary
//! functions come from `libm`, which gives the same bits on every platform.

mod angle;
mod convert;
mod quat;
#[cfg(test)]
mod tests;

pub(crate) use angle::{MOST_ANGLE, line_angle, sin_cos};
pub use cardan_solve::Lane;
pub(crate) use cardan_solve::math::larger;
pub use cardan_solve::math::{Mat3, Six, Sym3, Sym6, Vec3, vec3};
use cardan_solve::simd::{Mask, Simd};
pub use quat::Quat;

/// The angle congruent to `angle` (modulo one turn) that lies nearest to `near`.
#[inline(always)]
pub(crate) fn unwrap_near<T: Simd>(angle: T, near: T) -> T {
    let turn = T::splat(2.0 * core::f64::consts::PI);
    let turns = (near - angle) / turn;
    let is_other = !T::splat(0.5).above(turns.abs());
    if is_other.any() {
        let round = T::from_lanes(|i| libm::round(turns.lane(i)));
        return T::select(is_other, angle + turn * round, angle);
    }
    angle
}
