//! Knife edges: a point of b moves along a direction of its own or across the surface, but not sideways. Equations:
//! `cardan::constraint::KnifeEdge`.

use cardan::ModelBuilder;
use cardan::constraint::KnifeEdge as KnifeEdgeConstraint;
use cardan::math::Vec3;

use crate::error::SceneError;
use crate::kind::{JointKindSpec, NO_GAP, NamedJoint};
use crate::lower::{Lower, vector};
use crate::tolerances::PERPENDICULAR;

pub(crate) struct KnifeEdge;

impl JointKindSpec for KnifeEdge {
    fn name(&self) -> &'static str {
        "knife-edge"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["a", "b", "anchor", "anchor_in_b", "axis", "direction"]
    }
    fn cannot_close(&self) -> &'static str {
        NO_GAP
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let NamedJoint { path, desc, .. } = at;
        let Some(direction) = &desc.direction else {
            let help = "add `direction = [x, y, z]` (world), the way it can run";
            return Err(lower.bad(path.clone(), "the knife edge has no direction", help));
        };
        let normal = desc.axis.as_ref().map_or(Vec3::Z, vector);
        let (a, b) = lower.poses(desc);
        let place = lower.anchor_on_b(desc, &b);
        let (x, z) = (vector(direction), normal);
        if x.normalized().zip(z.normalized()).is_some_and(|(x, z)| x.dot(z).abs() > PERPENDICULAR) {
            let message = "the direction does not lie in the surface";
            let help =
                "it must be perpendicular to `axis`, the normal of the surface, which is z unless given";
            return Err(lower.bad(path.join("direction"), message, help));
        }
        let rot = lower.along(path.join("direction"), z, Some(x))?;
        let (on_a, on_b) = desc.ends();
        let frames = vec![
            (lower.end(on_a), a.frame_from_world(place, rot)),
            (lower.end(on_b), b.frame_from_world(place, rot)),
        ];
        at.constrain(parts, frames, KnifeEdgeConstraint)
    }
}
