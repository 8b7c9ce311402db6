//! How a scene is shown: colours, and where from it is looked at. The motion does not depend on it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{Angle, Length, Number};

/// How a body or a shape is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LookDesc {
    /// Its colour, "#rrggbb". Default: one of the page's, by body.
    pub color: Option<String>,
    /// From 0, invisible, to 1. Default 1.
    pub opacity: Option<Number>,
    /// False hides it at first. Default true.
    pub visible: Option<bool>,
}

/// Where from a scene is looked at, in a window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CameraDesc {
    /// Where the camera is, world axes. Default: such that everything is in the picture.
    pub position: Option<[Length; 3]>,
    /// What it looks at, world axes. Default the middle of the mechanism.
    pub target: Option<[Length; 3]>,
    /// What is up. Default against gravity.
    pub up: Option<[Number; 3]>,
    /// Vertical angle of view.
    pub angle: Option<Angle>,
    /// Height of the picture, for parallel projection instead of an angle.
    pub height: Option<Length>,
    /// Name of a body that the camera moves along with.
    pub follow: Option<String>,
}
