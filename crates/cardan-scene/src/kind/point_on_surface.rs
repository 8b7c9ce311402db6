//! A point of b on a surface of a. Equations: `cardan::constraint::Tangent`.

use cardan::ModelBuilder;
use cardan::constraint::{Feature, Tangent as TangentConstraint};

use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::Lower;

pub(crate) struct PointOnSurface;

impl JointKindSpec for PointOnSurface {
    fn name(&self) -> &'static str {
        "point-on-surface"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["a", "b", "frame_in_a", "point_in_b", "surface"]
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
        let (at, given) = lower.field(path, "surface", desc.surface.as_ref(), "{ sphere = 0.5 }")?;
        let surface = lower.surface(&at, given)?;
        let rule = TangentConstraint::new(surface, Feature::Point).map_err(|e| lower.misfit(&at, &e))?;
        joint.constrain(parts, lower.frames(desc), rule)
    }
}
