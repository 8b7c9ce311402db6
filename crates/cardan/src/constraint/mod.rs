//! Constraints of curves and surfaces.

mod pair;
mod point_on_curve;
mod tangent;

pub use point_on_curve::PointOnCurve;
pub use tangent::{Feature, Tangent};
