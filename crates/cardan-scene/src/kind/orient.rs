//! Orientation drive: the orientation of b relative to a is given over time by `turns`; its position is free. Equations: `cardan::constraint::Orient`.

use cardan::ModelBuilder;
use cardan::constraint::{Orient as OrientConstraint, OrientError, Turn};
use cardan::math::Quat;

use crate::check::{Check, CheckResult};
use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::{Lower, vector};
use crate::quantity::Dimension;

pub(crate) struct Orient;

impl JointKindSpec for Orient {
    fn name(&self) -> &'static str {
        "orient"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["a", "b", "turns"]
    }

    fn check(&self, check: &Check<'_>, NamedJoint { path, desc, .. }: &NamedJoint<'_>) -> CheckResult {
        let help = "turns = [{ axis = [0, 0, 1], law = { sine = { amplitude = 0.3, frequency = 1 } } }]";
        check.given(path, "turns", desc.turns.is_some(), help)
    }

    /// Both frames stand along the world's axes in the pose of the file.
    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let NamedJoint { path, desc, .. } = at;
        let field = path.join("turns");
        let mut turns = Vec::new();
        for (i, turn) in desc.turns.iter().flatten().enumerate() {
            let law = lower.law(&field.join(i).join("law"), &turn.law, Dimension::Angle)?;
            turns.push(Turn { axis: vector(&turn.axis), law });
        }
        let rule = OrientConstraint::new(turns).map_err(|error| {
            let (place, help) = match &error {
                OrientError::Axis(i) => (field.join(*i).join("axis"), "for example [0, 0, 1]"),
                OrientError::NotSmooth { turn, .. } => (
                    field.join(*turn).join("law"),
                    "take `cubic`, `quintic`, `sine`, `table` or a smoother formula",
                ),
                _ => (
                    field.clone(),
                    "three turns about axes that are not all in one plane make any orientation",
                ),
            };
            lower.bad(place, error.to_string(), help)
        })?;
        let (a, b) = lower.poses(desc);
        let (on_a, on_b) = desc.ends();
        for (field, name) in [("a", on_a), ("b", on_b)] {
            if lower.kind_of(name).is_some_and(|kind| kind.is_planar()) {
                let help = "drive the angle of its hinge: drive = { level = \"position\", law = … }";
                return Err(lower.bad(path.join(field), "a body in the plane has one angle only", help));
            }
        }
        let frames = vec![
            (lower.end(on_a), a.frame_from_world(a.pos, Quat::IDENTITY)),
            (lower.end(on_b), b.frame_from_world(b.pos, Quat::IDENTITY)),
        ];
        at.constrain(parts, frames, rule)
    }
}
