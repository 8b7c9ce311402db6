//! Parts of couplers, ropes and paths.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{Length, Number, Time};

/// One summand of a coupler: a factor times a joint coordinate, or a polynomial of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TermDesc {
    /// The name of a joint.
    pub joint: String,
    /// Which coordinate of it, from 0. Default 0.
    #[serde(default)]
    pub coordinate: u32,
    /// Factor of the coordinate (m or rad). Default 1, without a polynomial.
    pub factor: Option<Number>,
    /// Instead of a factor: p0, p1, p2, … of p0 + p1 s + p2 s² + …
    pub polynomial: Option<Vec<Number>>,
}

/// One equation of a coupler: the sum of its terms equals the offset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EquationDesc {
    /// The terms of the sum.
    pub terms: Vec<TermDesc>,
    /// Value of the sum. Default: its value in the pose of the file.
    pub offset: Option<Number>,
}

/// A point of a rope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RopePointDesc {
    /// A body, or "ground".
    pub body: String,
    /// The point, in the body frame; in the world for the ground. Default the origin.
    pub point: Option<[Length; 3]>,
}

/// A path over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PathDesc {
    /// A rational B-spline through space.
    Nurbs(NurbsPath),
}

/// A rational B-spline through space over time. It rests before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NurbsPath {
    /// The control points, world axes. The motion starts (ends) at rest if the first (last) two points are equal.
    pub points: Vec<[Length; 3]>,
    /// Default 3.
    pub degree: Option<u32>,
    /// One per point. Default all 1.
    pub weights: Option<Vec<Number>>,
    /// Times: as many as points + degree + 1, the first and the last degree + 1 of them equal. Default even, over `duration`.
    pub knots: Option<Vec<Time>>,
    /// When it starts, without knots. Default 0 s.
    pub start: Option<Time>,
    /// How long it takes, without knots.
    pub duration: Option<Time>,
}
