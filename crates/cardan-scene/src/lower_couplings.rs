//! Joints of a description that couple joint coordinates, or hang bodies on a rope or a point on a path.

use cardan::constraint::{
    ConstantVelocity, Coupler, CouplerEquation, CouplerTerm, Follow, MotorFollow, Rope,
};
use cardan::math::{Quat, Vec3};
use cardan::{Constraint, End, Frame, JointId, ModelBuilder, UserConstraint};
use std::collections::BTreeMap;

use crate::document::FieldPath;
use crate::error::SceneError;
use crate::lower::{Lower, count, point, vector, with_article};
use crate::scene::{JointDesc, JointKind, NurbsPath, PathDesc, TermDesc};

/// Joints of the file that are joints of the engine, by name.
pub(crate) type Pairs<'s> = BTreeMap<&'s str, JointId>;

impl<'s> Lower<'s> {
    /// The joints that have coordinates, in the order in which the engine gets them.
    pub(crate) fn index_joints(&self) -> Pairs<'s> {
        let pairs =
            self.scene.joints.iter().filter(|(_, desc)| desc.kind.is_pair() && desc.close_in.is_none());
        pairs.enumerate().map(|(i, (name, _))| (name, JointId::of_index(i))).collect()
    }
}

impl Lower<'_> {
    /// Adds what a joint of the file stands for, if that is one of the kinds here.
    pub(crate) fn coupling(
        &self,
        name: &str,
        desc: &JointDesc,
        pairs: &Pairs<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<bool, SceneError> {
        let path = FieldPath::item("joints", name);
        let equations = match desc.kind {
            JointKind::Coupler => self.equations(&path, desc, pairs)?,
            JointKind::RackPinion => {
                let radius = desc.radius.map_or(0.0, f64::from);
                self.two(&path, desc, pairs, [(radius, true), (-1.0, false)])?
            }
            JointKind::Worm => {
                let number = |n: Option<crate::quantity::Number>| n.map_or(1.0, f64::from);
                let (starts, teeth) = (number(desc.starts), number(desc.teeth));
                // As an angle of the slower one, so that the gap is one.
                let most = if starts.abs() > teeth.abs() { starts.abs() } else { teeth.abs() };
                self.two(&path, desc, pairs, [(starts / most, true), (-teeth / most, true)])?
            }
            JointKind::Belt => {
                let radius = |i: usize| desc.radii.as_ref().and_then(|r| r.get(i)).map_or(0.0, |&r| r.into());
                let way = if desc.crossed == Some(true) { 1.0 } else { -1.0 };
                self.two(&path, desc, pairs, [(radius(0), true), (way * radius(1), true)])?
            }
            JointKind::Screw => {
                let joint = parts.joint(self.joint(name, desc)?);
                let pitch = desc.lead.map_or(0.0, f64::from) / core::f64::consts::TAU;
                let terms = vec![CouplerTerm::linear(joint, 0, 1.0), CouplerTerm::linear(joint, 1, -pitch)];
                let equations = vec![CouplerEquation { terms, offset: None }];
                parts.coupler(Coupler { name: format!("{name}-thread"), kind: "screw", equations });
                return Ok(true);
            }
            JointKind::ConstantVelocity => {
                parts.constraint(self.constant_velocity(name, &path, desc)?);
                return Ok(true);
            }
            JointKind::Rope => {
                parts.constraint(self.rope(name, &path, desc)?);
                return Ok(true);
            }
            JointKind::Follow => {
                self.follow(name, &path, desc, pairs, parts)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let kind = match desc.kind {
            JointKind::RackPinion => "rack-pinion",
            JointKind::Worm => "worm",
            JointKind::Belt => "belt",
            _ => "coupler",
        };
        parts.coupler(Coupler { name: name.to_string(), kind, equations });
        Ok(true)
    }

    /// The joint behind a name, if its coordinate `k` can be acted along; `field` is where the name stands.
    fn coupled(
        &self,
        field: &FieldPath,
        name: &str,
        k: u32,
        pairs: &Pairs<'_>,
    ) -> Result<(JointId, cardan::JointKind), SceneError> {
        let other = self.scene.joints.iter().find(|(own, _)| *own == name).map(|(_, desc)| desc);
        let (Some(&id), Some(other)) = (pairs.get(name), other) else {
            let message = format!("`{}` has no coordinates", crate::document::clip(name));
            return Err(self.bad(
                field.clone(),
                message,
                "name a joint between two bodies, such as a revolute one",
            ));
        };
        let kind = self.joint(name, other)?.kind;
        let flat = |body: &str| {
            let desc = self.scene.bodies.iter().find(|(own, _)| *own == body).map(|(_, desc)| desc);
            desc.is_none_or(|desc| desc.kind.is_planar())
        };
        let in_plane = flat(other.ends().0) && flat(other.ends().1);
        if kind.can_be_driven(k as usize, in_plane) {
            return Ok((id, kind));
        }
        let have = (0..kind.coordinates()).filter(|&k| kind.can_be_driven(k, in_plane)).count();
        let message = format!("joint `{name}` has no coordinate {k} to act along");
        let help = format!(
            "{} joint has {} here, counted from 0",
            with_article(kind.name()),
            count(have, "such coordinate")
        );
        Err(self.bad(field.clone(), message, &help))
    }

    fn equations(
        &self,
        path: &FieldPath,
        desc: &JointDesc,
        pairs: &Pairs<'_>,
    ) -> Result<Vec<CouplerEquation>, SceneError> {
        if let Some(terms) = &desc.terms {
            let terms = self.terms(&path.join("terms"), terms, pairs)?;
            return Ok(vec![CouplerEquation { terms, offset: desc.offset.map(f64::from) }]);
        }
        let mut all = Vec::new();
        for (i, equation) in desc.equations.iter().flatten().enumerate() {
            let terms = self.terms(&path.join("equations").join(i).join("terms"), &equation.terms, pairs)?;
            all.push(CouplerEquation { terms, offset: equation.offset.map(f64::from) });
        }
        Ok(all)
    }

    fn terms(
        &self,
        path: &FieldPath,
        terms: &[TermDesc],
        pairs: &Pairs<'_>,
    ) -> Result<Vec<CouplerTerm>, SceneError> {
        let term = |(i, term): (usize, &TermDesc)| {
            let path = path.join(i);
            let at = if term.coordinate > 0 { "coordinate" } else { "joint" };
            let (joint, _) = self.coupled(&path.join(at), &term.joint, term.coordinate, pairs)?;
            let polynomial = match &term.polynomial {
                Some(polynomial) => polynomial.iter().map(|p| p.0).collect(),
                None => vec![0.0, term.factor.map_or(1.0, f64::from)],
            };
            Ok(CouplerTerm { joint, coordinate: term.coordinate as usize, polynomial })
        };
        let terms: Vec<CouplerTerm> =
            terms.iter().enumerate().map(term).collect::<Result<_, SceneError>>()?;
        if terms.iter().all(|t| t.polynomial.iter().skip(1).all(|p| *p == 0.0)) {
            let message = "no coordinate has a part in the sum";
            return Err(self.bad(
                path.clone(),
                message,
                "give a `factor` that is not zero, or a `polynomial` with more than a constant",
            ));
        }
        Ok(terms)
    }

    /// Two joints by their first angle or shift, each with a factor.
    fn two(
        &self,
        path: &FieldPath,
        desc: &JointDesc,
        pairs: &Pairs<'_>,
        factors: [(f64, bool); 2],
    ) -> Result<Vec<CouplerEquation>, SceneError> {
        let mut terms = Vec::new();
        for (i, (name, (factor, angle))) in desc.joints.iter().flatten().zip(factors).enumerate() {
            let path = path.join("joints").join(i);
            let (joint, kind) = self.coupled(&path, name, 0, pairs)?;
            let fits = |k: &usize| kind.is_angle(*k) == angle;
            let Some(k) = (0..kind.coordinates()).find(fits) else {
                let (does, help) = if angle {
                    ("turn", "name a revolute joint, or another that turns")
                } else {
                    ("slide", "name a prismatic joint, or another that slides")
                };
                return Err(self.bad(path, format!("joint `{name}` does not {does}"), help));
            };
            self.coupled(&path, name, k as u32, pairs)?;
            terms.push(CouplerTerm::linear(joint, k, factor));
        }
        Ok(vec![CouplerEquation { terms, offset: None }])
    }

    fn constant_velocity(
        &self,
        name: &str,
        path: &FieldPath,
        desc: &JointDesc,
    ) -> Result<UserConstraint, SceneError> {
        let (Some(anchor), Some(axis)) = (&desc.anchor, &desc.axis) else {
            let what = if desc.anchor.is_none() { "anchor" } else { "axis" };
            let help = "add `anchor`, where the shafts meet, and `axis`, along a's shaft (world); `axis2` is along b's";
            return Err(self.bad(path.clone(), format!("the joint has no {what}"), help));
        };
        let at = point(Some(anchor));
        let first = self.along(path.join("axis"), vector(axis), None)?;
        let bent = desc.axis2.as_ref().map_or(vector(axis), vector);
        let (z, bent) = (first * Vec3::Z, bent.normalized().unwrap_or(first * Vec3::Z));
        // The shortest turn from a's shaft to b's: no twist between them.
        let half = 1.0 + z.dot(bent);
        if half < 1e-6 {
            let message = "the shafts are folded back onto each other";
            return Err(self.bad(
                path.join("axis2"),
                message,
                "both axes point the way the drive goes: from a to b",
            ));
        }
        let turn = Quat { w: half, v: z.cross(bent) };
        let size = libm::sqrt(turn.w * turn.w + turn.v.dot(turn.v));
        let second = Quat { w: turn.w / size, v: turn.v / size } * first;
        let (a, b) = self.poses(desc);
        let (on_a, on_b) = desc.ends();
        let frames = vec![
            (self.end(on_a), a.frame_from_world(at, first)),
            (self.end(on_b), b.frame_from_world(at, second)),
        ];
        Ok(UserConstraint { name: name.to_string(), frames, rule: Box::new(ConstantVelocity) })
    }

    fn rope(&self, name: &str, path: &FieldPath, desc: &JointDesc) -> Result<UserConstraint, SceneError> {
        let points = desc.points.as_deref().unwrap_or_default();
        let (mut frames, mut places): (Vec<(End, Frame)>, Vec<Vec3>) = (Vec::new(), Vec::new());
        for at in points {
            let own = point(at.point.as_ref());
            frames.push((self.end(&at.body), Frame::at(own)));
            places.push(self.pose(&at.body).point_to_world(own));
        }
        let weights: Vec<f64> = match &desc.weights {
            Some(weights) => weights.iter().map(|w| w.0).collect(),
            None => vec![1.0; points.len().saturating_sub(1)],
        };
        let parts: Vec<f64> = places.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
        if let Some(i) = parts.iter().position(|length| *length == 0.0) {
            let message = "this point is where the one before it is: the rope has no direction there";
            return Err(self.bad(
                path.join("points").join(i + 1),
                message,
                "move one of them, or leave it out",
            ));
        }
        let posed: f64 = parts.iter().zip(&weights).map(|(length, weight)| length * weight).sum();
        let length = desc.length.map_or(posed, f64::from);
        let rule = Rope::new(length, weights).map_err(|i| {
            self.bad(
                path.join("weights").join(i),
                "this cannot be a number of strands",
                "give a positive number",
            )
        })?;
        Ok(UserConstraint { name: name.to_string(), frames, rule: Box::new(rule) })
    }

    fn follow(
        &self,
        name: &str,
        path: &FieldPath,
        desc: &JointDesc,
        pairs: &Pairs<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let Some(PathDesc::Nurbs(NurbsPath { points, degree, weights, knots, start, duration })) = &desc.path
        else {
            let help = "add `path = { nurbs = { points = [[x, y, z], …], duration = 2 } }`";
            return Err(self.bad(path.clone(), "there is no path to follow", help));
        };
        let at = path.join("path").join("nurbs");
        let points: Vec<[f64; 3]> = points.iter().map(|p| p.map(f64::from)).collect();
        let times = (knots.as_deref(), *start, *duration);
        let spline = self.spline(&at, &points, (*degree, weights.as_deref()), times)?;
        let mut follow = Follow::new(spline).map_err(|has| {
            let message = format!("the path is not smooth enough to be followed: {has}");
            let help = "its velocity must not jump: take degree 2 or more, simple knots, and the first two and the last two points the same";
            self.bad(at.join("points"), message, help)
        })?;
        if let Some(directions) = &desc.directions {
            let directions: Vec<Vec3> = directions.iter().map(vector).collect();
            follow = follow.along(&directions).map_err(|i| {
                let message = "a direction has no length, or there is none";
                self.bad(path.join("directions").join(i), message, "for example [[1, 0, 0], [0, 0, 1]]")
            })?;
        }
        let (name, body) = (name.to_string(), self.end(desc.ends().1));
        let place = point(desc.point_in_b.as_ref());
        let Some(motors) = &desc.motors else {
            let frames = vec![(body, Frame::at(place))];
            parts.constraint(UserConstraint { name, frames, rule: Box::new(follow) });
            return Ok(());
        };
        if motors.len() != follow.rows() {
            let message =
                format!("{} for {}", count(motors.len(), "motor"), count(follow.rows(), "direction"));
            let help = "give as many motors as `directions`, which are x, y and z unless given";
            return Err(self.bad(path.join("motors"), message, help));
        }
        let mut ids = Vec::new();
        for (i, motor) in motors.iter().enumerate() {
            let at = path.join("motors").join(i);
            let id = self.coupled(&at, motor, 0, pairs)?.0;
            if ids.contains(&(id, 0)) {
                return Err(self.bad(at, format!("`{motor}` is named twice"), "name every motor once"));
            }
            ids.push((id, 0));
        }
        parts.follow(MotorFollow { name, body, point: place, follow, motors: ids });
        Ok(())
    }
}
