//! Curves and surfaces for constraints: points, tangents, normals and curvatures.
//!
//! | type | provides |
//! |---|---|
//! | [`Curve`] | point and two derivatives by its parameter; the foot of a point; normals without twist |
//! | [`Surface`] | the height of a point over it, with gradient and Hessian |
//!
//! All lengths are in metres, in the frame that the curve or surface is attached to.

mod curve;
mod ellipsoid;
mod error;
mod spline_terrain;
mod surface;
mod terrain_foot;
#[cfg(test)]
mod tests;

pub use curve::{Curve, CurveEnd, CurvePoint, Foot};
pub use error::GeometryError;
pub use spline_terrain::SplineTerrain;
pub use surface::{Height, Surface};
