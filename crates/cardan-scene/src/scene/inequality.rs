//! Conditions g ≥ 0 by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Named, ProbeDesc};
use crate::quantity::{Length, Number};

/// The form of the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InequalityKind {
    /// A point stays on one side of a plane: `body`, `point`, `normal`, `offset`, `radius`; the plane belongs to `of`.
    HalfPlane,
    /// Two points stay at least `min` or at most `max` apart: `a`, `b`, `point_in_a`, `point_in_b`.
    Distance,
    /// A formula in the places of points and in t is not negative: `expression`; of one `body` and `point` in x, y, z, of several `points` in `NAME.x`
    /// and so on, world axes.
    Expression,
}

/// A unilateral constraint g ≥ 0, with a multiplier λ ≥ 0. Its fields depend on its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InequalityDesc {
    /// The form of the condition.
    pub kind: InequalityKind,
    /// Of a half-plane: the body whose point stays on one side. Of an expression: the body whose point is at x, y, z.
    pub body: Option<String>,
    /// That point in the body frame. Default its origin.
    pub point: Option<[Length; 3]>,
    /// The body that the plane belongs to. Default "ground".
    pub of: Option<String>,
    /// The plane's normal in the frame of that body, towards the allowed side. Its length counts: g = normal · position − offset.
    pub normal: Option<[Number; 3]>,
    /// normal · position at the plane. Default 0.
    pub offset: Option<Number>,
    /// Radius of a ball about the point. Default 0.
    pub radius: Option<Length>,
    /// Of a distance: the first body, or "ground".
    pub a: Option<String>,
    /// Of a distance: the second body, or "ground".
    pub b: Option<String>,
    /// Its point in the frame of a. Default the origin.
    pub point_in_a: Option<[Length; 3]>,
    /// Its point in the frame of b. Default the origin.
    pub point_in_b: Option<[Length; 3]>,
    /// The smallest distance allowed.
    pub min: Option<Length>,
    /// The largest distance allowed, as of a rope.
    pub max: Option<Length>,
    /// Of an expression: the formula g in t and in the places of points, such as "y - x^2".
    pub expression: Option<String>,
    /// Of an expression: points by name; their places are `NAME.x`, `NAME.y`, `NAME.z`.
    pub points: Option<Named<ProbeDesc>>,
    /// Coefficient of restitution, 0 to 1. Default 0.
    pub restitution: Option<Number>,
}
