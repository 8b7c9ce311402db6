//! Positions and directions of joints that constrain frames.

use cardan::math::{Quat, Vec3};

use crate::document::FieldPath;
use crate::error::SceneError;
use crate::lower::{Lower, Pose, point};
use crate::scene::JointDesc;

impl Lower<'_> {
    /// The anchor in the world: as b has it, as the world has it, or b's origin.
    pub(crate) fn anchor_on_b(&self, desc: &JointDesc, b: &Pose) -> Vec3 {
        match (&desc.anchor_in_b, &desc.anchor) {
            (Some(own), _) => b.point_to_world(point(Some(own))),
            (None, Some(world)) => point(Some(world)),
            (None, None) => b.pos,
        }
    }

    /// An orientation with z, and x if given, along directions of the world.
    pub(crate) fn along(&self, path: FieldPath, z: Vec3, x: Option<Vec3>) -> Result<Quat, SceneError> {
        Quat::with_z_along(z, x).ok_or_else(|| {
            self.bad(path, "the direction has zero length", "give a direction such as [0, 0, 1]")
        })
    }

    /// The first of these fields that the file has, or the table itself.
    pub(crate) fn first_given(&self, path: &FieldPath, fields: &[&str]) -> FieldPath {
        let mut given = fields.iter().map(|f| path.join(*f)).filter(|p| self.document.get(p).is_some());
        given.next().unwrap_or_else(|| path.clone())
    }
}
