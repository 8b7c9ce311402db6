//! Small vectors and matrices, generic over the lane type.
//!
//! Everything here is plain arithmetic in a fixed order, so that one source gives the same bits for one
//! system (`f64`) or for several in SIMD lanes.

mod convert;
mod mat3;
mod six;
mod vec3;

pub use mat3::{Mat3, Sym3};
pub(crate) use six::minus_outer3;
pub use six::{Six, Sym6};
pub use vec3::{Vec3, vec3};

/// The larger of two numbers; NaN if either is NaN, so that a NaN is never hidden.
#[inline]
pub fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}
