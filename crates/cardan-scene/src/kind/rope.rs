//! Ropes: taut, through points of bodies and the ground. Equations: `cardan::constraint::Rope`.

use cardan::constraint::Rope as RopeConstraint;
use cardan::math::Vec3;
use cardan::{End, Frame, ModelBuilder};

use crate::check::{Check, CheckResult};
use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::{Lower, count, point};
use crate::scene::GROUND;

pub(crate) struct Rope;

impl JointKindSpec for Rope {
    fn name(&self) -> &'static str {
        "rope"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["points", "weights", "length"]
    }
    fn has_two_ends(&self) -> bool {
        false
    }

    fn check(&self, check: &Check<'_>, NamedJoint { path, desc: rope, .. }: &NamedJoint<'_>) -> CheckResult {
        let help = "where it runs: points = [{ body = \"ground\", point = [0, 0, 2] }, { body = \"load\" }]";
        check.given(path, "points", rope.points.is_some(), help)?;
        let points = rope.points.as_deref().unwrap_or_default();
        if points.len() < 2 || points.iter().all(|at| at.body == GROUND) {
            let message = "a rope has two ends or more points, and a body among them";
            return Err(check.bad(path.join("points"), message, help));
        }
        for (i, at) in points.iter().enumerate() {
            check.known_body(&path.join("points").join(i), "body", &at.body)?;
        }
        let Some(weights) = &rope.weights else { return Ok(()) };
        if weights.len() + 1 != points.len() {
            let message =
                format!("{} for {}", count(weights.len(), "weight"), count(points.len() - 1, "part"));
            return Err(check.bad(path.join("weights"), message, "give one per part between two points"));
        }
        if let Some(i) = weights.iter().position(|w| w.0 <= 0.0) {
            let help = "how many parallel lines there are between the two points";
            return Err(check.bad(path.join("weights").join(i), "a weight must be positive", help));
        }
        Ok(())
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        joint: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let NamedJoint { path, desc, .. } = joint;
        let points = desc.points.as_deref().unwrap_or_default();
        let (mut frames, mut places): (Vec<(End, Frame)>, Vec<Vec3>) = (Vec::new(), Vec::new());
        for end in points {
            let own = point(end.point.as_ref());
            frames.push((lower.end(&end.body), Frame::at(own)));
            places.push(lower.pose(&end.body).point_to_world(own));
        }
        let weights: Vec<f64> = match &desc.weights {
            Some(weights) => weights.iter().map(|w| w.0).collect(),
            None => vec![1.0; points.len().saturating_sub(1)],
        };
        let lengths: Vec<f64> = places.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
        if let Some(i) = lengths.iter().position(|length| *length == 0.0) {
            let message = "this point is where the one before it is: the rope has no direction there";
            return Err(lower.bad(
                path.join("points").join(i + 1),
                message,
                "move one of them, or leave it out",
            ));
        }
        let posed: f64 = lengths.iter().zip(&weights).map(|(length, weight)| length * weight).sum();
        let length = desc.length.map_or(posed, f64::from);
        let rule = RopeConstraint::new(length, weights).map_err(|i| {
            lower.bad(
                path.join("weights").join(i),
                "this cannot be a number of parallel lines",
                "give a positive number",
            )
        })?;
        joint.constrain(parts, frames, rule)
    }
}
