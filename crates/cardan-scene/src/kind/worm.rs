//! Worm gears: `starts` times the angle of the worm is `teeth` times that of the wheel.

use cardan::ModelBuilder;

use crate::check::{Check, CheckResult};
use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::Lower;

pub(crate) struct Worm;

impl JointKindSpec for Worm {
    fn name(&self) -> &'static str {
        "worm"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["joints", "starts", "teeth"]
    }
    fn has_two_ends(&self) -> bool {
        false
    }
    fn equations(&self) -> String {
        "crates/cardan/src/constraint/coupler.rs".into()
    }

    fn check(&self, check: &Check<'_>, NamedJoint { path, desc, .. }: &NamedJoint<'_>) -> CheckResult {
        check.coupled_joints(path, desc, 2, "the worm's hinge and the wheel's")?;
        check.given(path, "teeth", desc.teeth.is_some(), "of the wheel: teeth = 40")?;
        for (field, value) in [("starts", desc.starts), ("teeth", desc.teeth)] {
            if value.is_some_and(|n| n.0 == 0.0) {
                let message = format!("a worm gear cannot have no {field}");
                return Err(check.bad(path.join(field), message, "give a number that is not zero"));
            }
            if value.is_some_and(|n| n.0.fract() != 0.0) {
                let message = format!("a worm gear has whole {field}");
                return Err(check.bad(
                    path.join(field),
                    message,
                    "a ratio that is none of teeth is a `coupler`",
                ));
            }
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
        let number = |n: Option<crate::quantity::Number>| n.map_or(1.0, f64::from);
        let (starts, teeth) = (number(desc.starts), number(desc.teeth));
        // As an angle of the slower one, so that the gap is one.
        let most = if starts.abs() > teeth.abs() { starts.abs() } else { teeth.abs() };
        let factors = [(starts / most, true), (-teeth / most, true)];
        at.couple(parts, self.name(), lower.sum_of_joints(at, &factors)?);
        Ok(())
    }
}
