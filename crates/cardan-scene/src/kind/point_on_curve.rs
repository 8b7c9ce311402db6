//! A point of b on a curve of a. Equations: `cardan::constraint::PointOnCurve`.

use cardan::ModelBuilder;
use cardan::constraint::PointOnCurve as PointOnCurveConstraint;

use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::Lower;

pub(crate) struct PointOnCurve;

impl JointKindSpec for PointOnCurve {
    fn name(&self) -> &'static str {
        "point-on-curve"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["a", "b", "frame_in_a", "point_in_b", "curve"]
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        joint: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let NamedJoint { path, desc, .. } = joint;
        let (at, given) = lower.field(path, "curve", desc.curve.as_ref(), "{ circle = 0.1 }")?;
        let curve = lower.curve(&at, given)?;
        let rule = if lower.both_flat(desc) {
            PointOnCurveConstraint::planar(curve).map_err(|e| lower.misfit(&at, &e))?
        } else {
            PointOnCurveConstraint::new(curve)
        };
        joint.constrain(parts, lower.frames(desc), rule)
    }
}
