//! Constant velocity: two shafts that meet in a point and turn alike, at any angle between them. Equations:
//! `cardan::constraint::ConstantVelocity`.

use cardan::ModelBuilder;
use cardan::constraint::ConstantVelocity as ConstantVelocityConstraint;
use cardan::math::{Quat, Vec3};

use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::{Lower, point, vector};
use crate::tolerances::FOLDED_SHAFTS;

pub(crate) struct ConstantVelocity;

impl JointKindSpec for ConstantVelocity {
    fn name(&self) -> &'static str {
        "constant-velocity"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["a", "b", "anchor", "axis", "axis2"]
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let NamedJoint { path, desc, .. } = at;
        let (Some(anchor), Some(axis)) = (&desc.anchor, &desc.axis) else {
            let what = if desc.anchor.is_none() { "anchor" } else { "axis" };
            let help = "add `anchor`, where the shafts meet, and `axis`, along a's shaft (world); `axis2` is along b's";
            return Err(lower.bad(path.clone(), format!("the joint has no {what}"), help));
        };
        let place = point(Some(anchor));
        let first = lower.along(path.join("axis"), vector(axis), None)?;
        let bent = desc.axis2.as_ref().map_or(vector(axis), vector);
        let (z, bent) = (first * Vec3::Z, bent.normalized().unwrap_or(first * Vec3::Z));
        // The shortest turn from a's shaft to b's: no twist between them.
        let half = 1.0 + z.dot(bent);
        if half < FOLDED_SHAFTS {
            let message = "the shafts are folded back onto each other";
            return Err(lower.bad(
                path.join("axis2"),
                message,
                "both axes point the way the drive goes: from a to b",
            ));
        }
        let turn = Quat { w: half, v: z.cross(bent) };
        let size = libm::sqrt(turn.w * turn.w + turn.v.dot(turn.v));
        let second = Quat { w: turn.w / size, v: turn.v / size } * first;
        let (a, b) = lower.poses(desc);
        let (on_a, on_b) = desc.ends();
        let frames = vec![
            (lower.end(on_a), a.frame_from_world(place, first)),
            (lower.end(on_b), b.frame_from_world(place, second)),
        ];
        at.constrain(parts, frames, ConstantVelocityConstraint)
    }
}
