//! Descriptions of the parts of a world, by id. Frames are those that the parts have by now: a joint that was placed in
//! the world has frames on its bodies.

use super::World;
use crate::body::{Body, Frame};
use crate::contact::ContactShape;
use crate::force::{Force, Gravity};
use crate::inequality::Inequality;
use crate::joint::{Joint, Placement};
use crate::model::{BodyId, End, ForceId, InequalityId, JointId, Probe, ProbeId, ShapeId};
use crate::step::Settings;

impl World {
    /// The description of a body, with the pose and velocity that it was added with.
    pub fn describe_body(&self, id: BodyId) -> Option<&Body> {
        self.parts.bodies.get(id).map(|entry| &entry.part.body)
    }
    /// The description of a joint.
    pub fn describe_joint(&self, id: JointId) -> Option<&Joint> {
        self.parts.joints.get(id).map(|entry| &entry.part.joint)
    }
    /// The frames of a joint on its bodies, from the origins of the body frames; from that of the world on the ground.
    pub fn frames_of_joint(&self, id: JointId) -> Option<[(End, Frame); 2]> {
        let joint = self.describe_joint(id)?;
        match joint.placement {
            Placement::Frames { in_a, in_b } => Some([(joint.a, in_a), (joint.b, in_b)]),
            // Joints get frames when they are added.
            Placement::World { .. } => None,
        }
    }
    /// The description of a contact shape.
    pub fn describe_shape(&self, id: ShapeId) -> Option<&ContactShape> {
        self.parts.shapes.get(id).map(|entry| &entry.part)
    }
    /// The description of a force.
    pub fn describe_force(&self, id: ForceId) -> Option<&Force> {
        self.parts.forces.get(id).map(|entry| &entry.part)
    }
    /// The description of a probe.
    pub fn describe_probe(&self, id: ProbeId) -> Option<&Probe> {
        self.parts.probes.get(id).map(|entry| &entry.part)
    }
    /// The description of an inequality.
    pub fn describe_inequality(&self, id: InequalityId) -> Option<&Inequality> {
        self.parts.inequalities.get(id).map(|entry| &entry.part)
    }
    /// Gravity.
    pub fn gravity(&self) -> Gravity {
        self.parts.gravity
    }
    /// The settings, as they were given.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
