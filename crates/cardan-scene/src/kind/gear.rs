//! Gears: speeds of bodies about axes of their own, each times its ratio, sum to zero. Equations: `cardan::constraint::Gear`.

use cardan::ModelBuilder;
use cardan::constraint::Gear as GearConstraint;

use crate::check::{Check, CheckResult};
use crate::error::SceneError;
use crate::kind::{JointKindSpec, NO_GAP, NamedJoint};
use crate::lower::{Lower, vector};

pub(crate) struct Gear;

impl JointKindSpec for Gear {
    fn name(&self) -> &'static str {
        "gear"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["bodies", "axes", "ratios"]
    }
    fn has_two_ends(&self) -> bool {
        false
    }
    fn cannot_close(&self) -> &'static str {
        NO_GAP
    }

    fn check(&self, check: &Check<'_>, NamedJoint { path, desc: gear, .. }: &NamedJoint<'_>) -> CheckResult {
        let list = |field: &str, example: &str| {
            let message = format!("the field `{field}` is missing");
            check.missing(path, message, &format!("one per body: {example}"))
        };
        let bodies = gear.bodies.as_ref().ok_or_else(|| list("bodies", "bodies = [\"sun\", \"planet\"]"))?;
        let axes = gear.axes.as_ref().ok_or_else(|| list("axes", "axes = [[0, 0, 1], [0, 0, 1]]"))?;
        let ratios = gear.ratios.as_ref().ok_or_else(|| list("ratios", "ratios = [20, 40]"))?;
        if bodies.len() < 2 {
            let help = "name two bodies or more; \"ground\" may be one";
            return Err(check.bad(path.join("bodies"), "a gear connects bodies", help));
        }
        for (i, body) in bodies.iter().enumerate() {
            check.known_body(&path.join("bodies"), &i.to_string(), body)?;
            if bodies[..i].contains(body) {
                let message = format!("`{body}` is named twice");
                return Err(check.bad(path.join("bodies").join(i), message, "name every body once"));
            }
        }
        for (field, count) in [("axes", axes.len()), ("ratios", ratios.len())] {
            if count != bodies.len() {
                let message = format!("{count} for {} bodies", bodies.len());
                return Err(check.bad(path.join(field), message, "give one per body"));
            }
        }
        for (i, axis) in axes.iter().enumerate() {
            if axis.iter().all(|c| c.0 == 0.0) {
                let at = path.join("axes").join(i);
                return Err(check.bad(at, "the axis is zero", "for example [0, 0, 1]"));
            }
        }
        if let Some(i) = ratios.iter().position(|r| r.0 == 0.0) {
            let help = "teeth or radii, negative where the bodies turn the same way; leave out a body that does not take part";
            return Err(check.bad(path.join("ratios").join(i), "a ratio cannot be zero", help));
        }
        Ok(())
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let NamedJoint { path, desc, .. } = at;
        let (bodies, axes) = (desc.bodies.iter().flatten(), desc.axes.iter().flatten());
        let mut frames = Vec::new();
        for (i, (body, axis)) in bodies.zip(axes).enumerate() {
            let pose = lower.pose(body);
            let rot = lower.along(path.join("axes").join(i), vector(axis), None)?;
            frames.push((lower.end(body), pose.frame_from_world(pose.pos, rot)));
        }
        let ratios = desc.ratios.iter().flatten().map(|r| r.0).collect();
        let gear = GearConstraint::new(ratios).map_err(|i| {
            let help = "give a number that is not zero";
            lower.bad(path.join("ratios").join(i), "this cannot be a ratio", help)
        })?;
        at.constrain(parts, frames, gear)
    }
}
