//! A ball, an ellipsoid or a curve of b that is tangent to a surface of a. Equations: `cardan::constraint::Tangent`.

use cardan::ModelBuilder;
use cardan::constraint::{Feature, Tangent as TangentConstraint};

use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::Lower;
use crate::lower::point as lower_point;
use crate::scene::FeatureDesc;

pub(crate) struct Tangent;

impl JointKindSpec for Tangent {
    fn name(&self) -> &'static str {
        "tangent"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["a", "b", "frame_in_a", "frame_in_b", "surface", "feature", "inside"]
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
            lower.field(path, "surface", desc.surface.as_ref(), "{ ellipsoid = [0.3, 0.2, 0.1] }")?;
        let surface = lower.surface(&at, given)?;
        let (at, given) = lower.field(path, "feature", desc.feature.as_ref(), "{ ball = 0.1 }")?;
        let feature = match given {
            FeatureDesc::Ball(radius) => Feature::Ball { radius: radius.0 },
            FeatureDesc::Ellipsoid(radii) => Feature::Ellipsoid { radii: lower_point(Some(radii)) },
            FeatureDesc::Curve(curve) => Feature::Curve(lower.curve(&at.join("curve"), curve)?),
        };
        let mut rule = TangentConstraint::new(surface, feature).map_err(|e| lower.misfit(&at, &e))?;
        if desc.inside == Some(true) {
            rule = rule.inside();
        }
        joint.constrain(parts, lower.frames(desc), rule)
    }
}
