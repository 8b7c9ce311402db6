//! Racks and pinions: the second of two joints shifts by the radius times the angle of the first.

use cardan::ModelBuilder;

use crate::check::{Check, CheckResult};
use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::Lower;

pub(crate) struct RackPinion;

impl JointKindSpec for RackPinion {
    fn name(&self) -> &'static str {
        "rack-pinion"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["joints", "radius"]
    }
    fn has_two_ends(&self) -> bool {
        false
    }
    fn equations(&self) -> String {
        "crates/cardan/src/constraint/coupler.rs".into()
    }

    fn check(&self, check: &Check<'_>, NamedJoint { path, desc, .. }: &NamedJoint<'_>) -> CheckResult {
        check.coupled_joints(path, desc, 2, "the pinion's hinge and the rack's slide")?;
        check.given(path, "radius", desc.radius.is_some(), "of the pinion: radius = \"20 mm\"")
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let desc = at.desc;
        let radius = desc.radius.map_or(0.0, f64::from);
        let factors = [(radius, true), (-1.0, false)];
        at.couple(parts, self.name(), lower.sum_of_joints(at, &factors)?);
        Ok(())
    }
}
