//! Changes while a scene runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{Number, Time};

/// What changes at one time of a run. Bodies, joints, forces and inequalities are named; where a name is in several tables, as
/// "bodies.NAME", "joints.NAME", "forces.NAME" or "inequalities.NAME".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptDesc {
    /// When; what happens at 0 is so from the start.
    pub at: Option<Time>,
    /// What is switched on. A body comes back where it was; a joint closes by its frames, and what that changes of velocities is a blow; a coupler whose
    /// offset is as posed takes hold of what is posed then, like a clutch.
    #[serde(default)]
    pub enable: Vec<String>,
    /// What is switched off: it is as if it were not there. What is attached to a body that is off is off with it.
    #[serde(default)]
    pub disable: Vec<String>,
    /// Gravity from then on.
    pub gravity: Option<[Number; 3]>,
}
