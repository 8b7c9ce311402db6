//! A follower of b on the profile of a. Equations: `cardan::constraint::Tangent`.

use cardan::ModelBuilder;
use cardan::constraint::{Feature, Tangent};
use cardan::geometry::{GeometryError, Surface};

use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::Lower;
use crate::lower::vector;
use crate::scene::FollowerDesc;

pub(crate) struct Cam;

impl JointKindSpec for Cam {
    fn name(&self) -> &'static str {
        "cam"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["a", "b", "frame_in_a", "frame_in_b", "point_in_b", "curve", "follower", "direction"]
    }
    fn equations(&self) -> String {
        "crates/cardan/src/constraint/tangent/mod.rs".into()
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        joint: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let NamedJoint { path, desc, .. } = joint;
        let (at, given) =
            lower.field(path, "curve", desc.curve.as_ref(), "{ polar = [0.05, 0.06, 0.05] }")?;
        let curve = lower.curve(&at, given)?;
        if !curve.is_closed() {
            return Err(lower.misfit(&at, &GeometryError::Open));
        }
        let (on, follower) = lower.field(path, "follower", desc.follower.as_ref(), "{ roller = 0.01 }")?;
        let mut frames = lower.frames(desc);
        let feature = match follower {
            FollowerDesc::Knife => Feature::Point,
            FollowerDesc::Roller(radius) => Feature::Ball { radius: radius.0 },
            FollowerDesc::Cam(other) => Feature::Curve(lower.curve(&on.join("cam"), other)?),
            FollowerDesc::Flat => {
                let (at_direction, direction) = lower.field(
                    path,
                    "direction",
                    desc.direction.as_ref(),
                    "[0, -1, 0], from the face to the cam",
                )?;
                let pose = lower.pose(desc.ends().1);
                let place = pose.frame_to_world(&frames[1].1).pos;
                let rot = lower.along(at_direction, vector(direction), None)?;
                frames[1].1 = pose.frame_from_world(place, rot);
                let rule = Tangent::flat_follower(curve).map_err(|e| lower.misfit(&at, &e))?;
                return joint.constrain(parts, frames, rule);
            }
        };
        let profile = Surface::profile(curve).map_err(|e| lower.misfit(&at, &e))?;
        let rule = Tangent::new(profile, feature).map_err(|e| lower.misfit(&on, &e))?;
        joint.constrain(parts, frames, rule)
    }
}
