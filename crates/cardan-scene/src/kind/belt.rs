//! Belts: angles of two joints, each times its radius, are the same; opposite if crossed.

use cardan::ModelBuilder;

use crate::check::{Check, CheckResult};
use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::Lower;

pub(crate) struct Belt;

impl JointKindSpec for Belt {
    fn name(&self) -> &'static str {
        "belt"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["joints", "radii", "crossed"]
    }
    fn has_two_ends(&self) -> bool {
        false
    }
    fn equations(&self) -> String {
        "crates/cardan/src/constraint/coupler.rs".into()
    }

    fn check(&self, check: &Check<'_>, NamedJoint { path, desc, .. }: &NamedJoint<'_>) -> CheckResult {
        check.coupled_joints(path, desc, 2, "the hinges of the two pulleys")?;
        check.given(path, "radii", desc.radii.is_some(), "one per pulley: radii = [0.1, 0.2]")?;
        let radii = desc.radii.as_deref().unwrap_or_default();
        if radii.len() != 2 {
            let message = format!("{} for two pulleys", crate::lower::count(radii.len(), "radius"));
            return Err(check.bad(path.join("radii"), message, "one per pulley: radii = [0.1, 0.2]"));
        }
        if let Some(i) = radii.iter().position(|r| r.0 <= 0.0) {
            let message = "a radius must be positive";
            return Err(check.bad(path.join("radii").join(i), message, "in metres, or \"10 mm\""));
        }
        Ok(())
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let desc = at.desc;
        let radius = |i: usize| desc.radii.as_ref().and_then(|r| r.get(i)).map_or(0.0, |&r| r.into());
        let way = if desc.crossed == Some(true) { 1.0 } else { -1.0 };
        let factors = [(radius(0), true), (way * radius(1), true)];
        at.couple(parts, self.name(), lower.sum_of_joints(at, &factors)?);
        Ok(())
    }
}
