//! Paths over time: a point of b follows one, pushed there or held by motors at other joints. Equations: `cardan::constraint::Follow`.

use cardan::constraint::{Follow as FollowConstraint, MotorFollow};
use cardan::math::Vec3;
use cardan::{Constraint, Frame, ModelBuilder};

use crate::check::{Check, CheckResult};
use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::{Lower, count, point, vector};
use crate::scene::{GROUND, NurbsPath, PathDesc};

pub(crate) struct Follow;

impl JointKindSpec for Follow {
    fn name(&self) -> &'static str {
        "follow"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["a", "b", "point_in_b", "path", "directions", "motors"]
    }
    fn has_two_ends(&self) -> bool {
        false
    }

    fn check(
        &self,
        check: &Check<'_>,
        NamedJoint { path, desc: follow, .. }: &NamedJoint<'_>,
    ) -> CheckResult {
        check.given(path, "b", follow.b.is_some(), "the body whose point follows the path")?;
        for (field, end) in [("a", &follow.a), ("b", &follow.b)] {
            if let Some(end) = end {
                check.known_body(path, field, end)?;
            }
        }
        if follow.a.as_ref().is_some_and(|a| a != GROUND) {
            let help = "leave `a` out: the path is in the world";
            return Err(check.bad(path.join("a"), "a path that moves with a body is not available", help));
        }
        if follow.b.as_deref() == Some(GROUND) {
            return Err(check.bad(path.join("b"), "the ground cannot follow a path", "name a body"));
        }
        let help = "path = { nurbs = { points = [[x, y, z], …], duration = 2 } }";
        check.given(path, "path", follow.path.is_some(), help)?;
        if let Some(directions) = &follow.directions {
            if directions.is_empty() || directions.len() > 3 {
                let message = format!("{} to follow", count(directions.len(), "direction"));
                return Err(check.bad(path.join("directions"), message, "give one to three"));
            }
            if let Some(i) = directions.iter().position(|e| e.iter().all(|c| c.0 == 0.0)) {
                let message = "the direction is zero";
                return Err(check.bad(path.join("directions").join(i), message, "for example [0, 0, 1]"));
            }
        }
        for (i, motor) in follow.motors.iter().flatten().enumerate() {
            check.known_joint(path, path.join("motors").join(i), motor)?;
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
        let Some(PathDesc::Nurbs(NurbsPath { points, degree, weights, knots, start, duration })) = &desc.path
        else {
            let help = "add `path = { nurbs = { points = [[x, y, z], …], duration = 2 } }`";
            return Err(lower.bad(path.clone(), "there is no path to follow", help));
        };
        let at = path.join("path").join("nurbs");
        let points: Vec<[f64; 3]> = points.iter().map(|p| p.map(f64::from)).collect();
        let times = (knots.as_deref(), *start, *duration);
        let spline = lower.spline(&at, &points, (*degree, weights.as_deref()), times)?;
        let mut follow = FollowConstraint::new(spline).map_err(|has| {
            let message = format!("the path is not smooth enough to be followed: {has}");
            let help = "its velocity must not jump: take degree 2 or more, simple knots, and the first two and the last two points the same";
            lower.bad(at.join("points"), message, help)
        })?;
        if let Some(directions) = &desc.directions {
            let directions: Vec<Vec3> = directions.iter().map(vector).collect();
            follow = follow.along(&directions).map_err(|i| {
                let message = "a direction has zero length or is missing";
                lower.bad(path.join("directions").join(i), message, "for example [[1, 0, 0], [0, 0, 1]]")
            })?;
        }
        let body = lower.end(desc.ends().1);
        let place = point(desc.point_in_b.as_ref());
        let Some(motors) = &desc.motors else {
            return joint.constrain(parts, vec![(body, Frame::at(place))], follow);
        };
        if motors.len() != follow.rows() {
            let message =
                format!("{} for {}", count(motors.len(), "motor"), count(follow.rows(), "direction"));
            let help = "give as many motors as `directions`, which are x, y and z unless given";
            return Err(lower.bad(path.join("motors"), message, help));
        }
        let mut ids = Vec::new();
        for (i, motor) in motors.iter().enumerate() {
            let at = path.join("motors").join(i);
            let id = lower.coupled(&at, motor, 0)?.0;
            if ids.contains(&(id, 0)) {
                return Err(lower.bad(at, format!("`{motor}` is named twice"), "name every motor once"));
            }
            ids.push((id, 0));
        }
        parts.add_follow(MotorFollow {
            name: joint.name.to_string(),
            body,
            point: place,
            follow,
            motors: ids,
        });
        Ok(())
    }
}
