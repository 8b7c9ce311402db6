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
    /// What the coordinate (m or rad) is multiplied with. Default 1, without a polynomial.
    pub factor: Option<Number>,
    /// Instead of a factor: p0, p1, p2, … of p0 + p1 s + p2 s² + …
    pub polynomial: Option<Vec<Number>>,
}

/// One condition of a coupler: the sum of its terms is the offset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EquationDesc {
    /// What is summed.
    pub terms: Vec<TermDesc>,
    /// What the sum is. Default: as posed.
    pub offset: Option<Number>,
}

/// A point of a rope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RopePointDesc {
    /// A body, or "ground".
    pub body: String,
    /// In its body frame; in the world for the ground. Default its origin.
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
    /// The control points, world axes. Where the first two, and the last two, are the same it starts and ends at rest.
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
