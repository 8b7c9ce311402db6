//! Robot files that are parts of a scene.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Orientation;
use crate::quantity::Length;

/// A robot file that is put into the scene, as often as it is named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RobotDesc {
    /// The robot file (.urdf, .sdf, or .xml of MuJoCo), its path from the folder of the scene.
    pub file: String,
    /// Position of its root link, or of the world of a MuJoCo model. Default zero.
    pub position: Option<[Length; 3]>,
    /// Orientation of its root link, or of the world of a MuJoCo model. Default none.
    pub orientation: Option<Orientation>,
    /// Put before the names of its links and joints. Default the name of the robot and a slash.
    pub prefix: Option<String>,
    /// Whether its root link is free. Default false: it is a part of the ground. Of a MuJoCo model the bodies of its world
    /// that have no joint.
    pub floating: Option<bool>,
}
