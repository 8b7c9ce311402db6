//! Changes during a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{Number, Time};

/// Changes at one time of a run. Bodies, joints, forces and inequalities are named; a name that is in several tables is
/// written "bodies.NAME", "joints.NAME", "forces.NAME" or "inequalities.NAME".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptDesc {
    /// When. Changes at 0 hold from the start.
    pub at: Option<Time>,
    /// Parts that are switched on. A body comes back where it was. A joint closes by its frames; its velocity error is
    /// removed by an impulse. A coupler without `offset` takes the coordinates of that time, like a clutch.
    #[serde(default)]
    pub enable: Vec<String>,
    /// Parts that are switched off, as if they were not in the scene. Parts that are attached to a body go off with it.
    #[serde(default)]
    pub disable: Vec<String>,
    /// Gravity from then on.
    pub gravity: Option<[Number; 3]>,
}
