//! Curves and surfaces of joints, and the features of b that are tangent to them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{Angle, Length, Number};

/// A smooth curve in the frame of the joint on a.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CurveDesc {
    /// A cubic spline through points.
    Through(ThroughDesc),
    /// A rational B-spline.
    Nurbs(CurveNurbs),
    /// Formulas for x, y and z in a parameter t.
    Formula(FormulaDesc),
    /// Radii at even angles about z, from x towards y; a closed spline between them.
    Polar(Vec<Length>),
    /// A circle of this radius about z.
    Circle(Length),
}

/// A cubic spline through points, parametrised by chord length. Its curvature is continuous.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThroughDesc {
    /// [x, y, z] or [x, y] each.
    pub points: Vec<Vec<Length>>,
    /// Whether it goes back to the first point, which is not repeated. Default false.
    pub closed: Option<bool>,
}

/// A rational B-spline in space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CurveNurbs {
    /// Control points, [x, y, z] or [x, y] each.
    pub points: Vec<Vec<Length>>,
    /// Default 3.
    pub degree: Option<u32>,
    /// One per point. Default all 1.
    pub weights: Option<Vec<Number>>,
    /// As many as points + degree + 1, the first and the last degree + 1 of them equal. Default even, from 0 to 1.
    pub knots: Option<Vec<Number>>,
    /// Whether it ends where it starts, in the same direction. Default false.
    pub closed: Option<bool>,
}

/// Formulas for the coordinates in metres, with a parameter that they call t.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FormulaDesc {
    /// Such as "0.2*cos(t)".
    pub x: String,
    /// Such as "0.2*sin(t)".
    pub y: String,
    /// Default "0".
    pub z: Option<String>,
    /// First value of t. Default 0.
    pub from: Option<Number>,
    /// Last value of t.
    pub to: Number,
    /// Whether it ends where it starts, in the same direction. Default false.
    pub closed: Option<bool>,
}

/// A surface in the frame of the joint on a.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SurfaceDesc {
    /// The x–y plane; outside is where z points.
    Plane,
    /// A sphere of this radius about the origin.
    Sphere(Length),
    /// A cylinder of this radius about z.
    Cylinder(Length),
    /// A cone about z with its apex in the origin, open towards z; the angle between axis and surface.
    Cone(Angle),
    /// An ellipsoid about the origin with these half axes.
    Ellipsoid([Length; 3]),
    /// A torus about z.
    Torus(TorusDesc),
    /// A height field z = h(x, y).
    Terrain(TerrainDesc),
    /// One of the scene's `surfaces`.
    Named(String),
}

/// A torus about z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorusDesc {
    /// From the axis to the middle of the tube.
    pub ring: Length,
    /// Radius of the tube.
    pub tube: Length,
}

/// Heights over a grid, joined by a bicubic spline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TerrainDesc {
    /// [x, y] of the first height.
    pub corner: [Length; 2],
    /// Distance between heights, along x and along y.
    pub spacing: [Length; 2],
    /// A row per y, a number per x.
    pub heights: Vec<Vec<Length>>,
}

/// The feature of b that is tangent to the surface, in the frame of the joint on b.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FeatureDesc {
    /// A ball of this radius about the origin.
    Ball(Length),
    /// An ellipsoid about the origin with these half axes.
    Ellipsoid([Length; 3]),
    /// A curve, such as the rim of a disc.
    Curve(CurveDesc),
}

/// The follower of a cam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FollowerDesc {
    /// A point of b.
    Knife,
    /// A roller of this radius about a point of b.
    Roller(Length),
    /// A flat face of b, whose normal is `direction`.
    Flat,
    /// Another profile, in the frame of the joint on b.
    Cam(CurveDesc),
}
