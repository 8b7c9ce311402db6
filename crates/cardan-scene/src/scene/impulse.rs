//! Applied impulses, each at one instant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ForceFrame;
use crate::quantity::{Length, Number, Time};

/// An impulse on a body at one instant. The step is cut there; joints, loops and contacts react at the same instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImpulseDesc {
    /// The body that it acts on.
    pub body: String,
    /// When. An impulse at the very end of a run is not applied.
    pub time: Time,
    /// Where, in the body frame. Default: at the centre of mass.
    pub point: Option<[Length; 3]>,
    /// In N·s. Default zero.
    pub impulse: Option<[Number; 3]>,
    /// In N·m·s. Default zero.
    pub angular_impulse: Option<[Number; 3]>,
    /// The axes of `impulse` and `angular_impulse`. Default world.
    pub frame: Option<ForceFrame>,
}
