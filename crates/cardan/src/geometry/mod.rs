//! Curves and surfaces that constraints run along: places, tangents, normals and curvatures, no
//! bodies.
//!
//! | what | gives |
//! |---|---|
//! | [`Curve`] | place and two derivatives in its parameter; the foot of a point; normals that do not twist |
//! | [`Surface`] | the height of a point over it, with gradient and Hessian in the place |
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
