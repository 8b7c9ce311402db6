//! Joints of a description that are constraints of the engine: on any number of bodies, or on velocities only.

use cardan::constraint::{Assemble, Gear, KnifeEdge, Orient, OrientError, Turn};
use cardan::math::{Quat, Vec3};
use cardan::{Constraint, End, Frame, UserConstraint};

use crate::document::FieldPath;
use crate::error::SceneError;
use crate::lower::{Lower, Pose, point, vector};
use crate::quantity::Dimension;
use crate::scene::{JointDesc, JointKind};

/// What a kind makes: the frames that it sees, and its condition.
pub(crate) type Made = (Vec<(End, Frame)>, Box<dyn Constraint>);

impl Lower<'_> {
    /// The constraint that a joint of the file stands for; none if it is a joint of the engine.
    pub(crate) fn constraint(
        &self,
        name: &str,
        desc: &JointDesc,
    ) -> Result<Option<UserConstraint>, SceneError> {
        let path = FieldPath::item("joints", name);
        let (frames, rule) = match desc.kind {
            JointKind::Gear => self.gear(&path, desc)?,
            JointKind::KnifeEdge => self.knife_edge(&path, desc)?,
            JointKind::Orient => self.orient(&path, desc)?,
            JointKind::Rolling => self.rolling(&path, desc)?,
            JointKind::PointOnCurve => self.point_on_curve(&path, desc)?,
            JointKind::PointOnSurface => self.point_on_surface(&path, desc)?,
            JointKind::Tangent => self.tangent(&path, desc)?,
            JointKind::Cam => self.cam(&path, desc)?,
            _ => match desc.close_in {
                Some(duration) => self.closing(&path, desc, duration.0)?,
                None => return Ok(None),
            },
        };
        Ok(Some(UserConstraint { name: name.to_string(), frames, rule }))
    }

    fn gear(&self, path: &FieldPath, desc: &JointDesc) -> Result<Made, SceneError> {
        let (bodies, axes) = (desc.bodies.iter().flatten(), desc.axes.iter().flatten());
        let mut frames = Vec::new();
        for (i, (body, axis)) in bodies.zip(axes).enumerate() {
            let pose = self.pose(body);
            let rot = self.along(path.join("axes").join(i), vector(axis), None)?;
            frames.push((self.end(body), pose.frame_from_world(pose.pos, rot)));
        }
        let ratios = desc.ratios.iter().flatten().map(|r| r.0).collect();
        let gear = Gear::new(ratios).map_err(|i| {
            let help = "give a number that is not zero";
            self.bad(path.join("ratios").join(i), "this cannot be a ratio", help)
        })?;
        Ok((frames, Box::new(gear)))
    }

    fn knife_edge(&self, path: &FieldPath, desc: &JointDesc) -> Result<Made, SceneError> {
        let Some(direction) = &desc.direction else {
            let help = "add `direction = [x, y, z]` (world), the way it can run";
            return Err(self.bad(path.clone(), "the knife edge has no direction", help));
        };
        let normal = desc.axis.as_ref().map_or(Vec3::Z, vector);
        let (a, b) = self.poses(desc);
        let at = self.anchor_on_b(desc, &b);
        let (x, z) = (vector(direction), normal);
        if x.normalized().zip(z.normalized()).is_some_and(|(x, z)| x.dot(z).abs() > 1e-6) {
            let message = "the direction does not lie in the surface";
            let help =
                "it must be perpendicular to `axis`, the normal of the surface, which is z unless given";
            return Err(self.bad(path.join("direction"), message, help));
        }
        let rot = self.along(path.join("direction"), z, Some(x))?;
        let (on_a, on_b) = desc.ends();
        let frames = vec![
            (self.end(on_a), a.frame_from_world(at, rot)),
            (self.end(on_b), b.frame_from_world(at, rot)),
        ];
        Ok((frames, Box::new(KnifeEdge)))
    }

    /// Both frames stand along the world's axes in the pose of the file.
    fn orient(&self, path: &FieldPath, desc: &JointDesc) -> Result<Made, SceneError> {
        let at = path.join("turns");
        let mut turns = Vec::new();
        for (i, turn) in desc.turns.iter().flatten().enumerate() {
            let law = self.law(&at.join(i).join("law"), &turn.law, Dimension::Angle)?;
            turns.push(Turn { axis: vector(&turn.axis), law });
        }
        let rule = Orient::new(turns).map_err(|error| {
            let (place, help) = match &error {
                OrientError::Axis(i) => (at.join(*i).join("axis"), "for example [0, 0, 1]"),
                OrientError::NotSmooth { turn, .. } => (
                    at.join(*turn).join("law"),
                    "take `cubic`, `quintic`, `sine`, `table` or a smoother formula",
                ),
                _ => {
                    (at.clone(), "three turns about axes that are not all in one plane make any orientation")
                }
            };
            self.bad(place, error.to_string(), help)
        })?;
        let (a, b) = self.poses(desc);
        let (on_a, on_b) = desc.ends();
        for (field, name) in [("a", on_a), ("b", on_b)] {
            if self.kind_of(name).is_some_and(|kind| kind.is_planar()) {
                let help = "drive the angle of its hinge: drive = { level = \"position\", law = … }";
                return Err(self.bad(path.join(field), "a body in the plane has one angle only", help));
            }
        }
        let frames = vec![
            (self.end(on_a), a.frame_from_world(a.pos, Quat::IDENTITY)),
            (self.end(on_b), b.frame_from_world(b.pos, Quat::IDENTITY)),
        ];
        Ok((frames, Box::new(rule)))
    }

    /// A joint that starts open and closes in time.
    fn closing(&self, path: &FieldPath, desc: &JointDesc, duration: f64) -> Result<Made, SceneError> {
        let moves = ["drive", "servo", "motor", "spring", "friction", "zero"];
        if let Some(field) = moves.iter().find(|f| self.document.get(&path.join(**f)).is_some()) {
            let message = "a joint that closes in time has no coordinates yet";
            return Err(self.bad(path.join(*field), message, "leave it out, or leave out `close_in`"));
        }
        let (on_a, on_b) = desc.ends();
        for name in [on_a, on_b] {
            if self.scene.bodies.get(name).is_some_and(|body| body.kind.is_planar()) {
                let message = "joints that close in time are for bodies in space";
                return Err(self.bad(path.join("close_in"), message, "give the bodies the kind `rigid`"));
            }
        }
        let (in_a, in_b) = self.joint_frames(path, desc)?;
        let kind = self.pair(path, desc, in_a, in_b)?;
        let (a, b) = self.poses(desc);
        let (frame_a, frame_b) = (a.frame_to_world(&in_a), b.frame_to_world(&in_b));
        let rule = Assemble::new(kind, &frame_a, &frame_b, duration).map_err(|error| {
            let help = "a fixed, revolute, spherical or universal joint can close in time, such as \"2 s\"";
            self.bad(path.join("close_in"), error.to_string(), help)
        })?;
        Ok((vec![(self.end(on_a), in_a), (self.end(on_b), in_b)], Box::new(rule)))
    }

    /// The anchor in the world: as b has it, as the world has it, or b's origin.
    pub(crate) fn anchor_on_b(&self, desc: &JointDesc, b: &Pose) -> Vec3 {
        match (&desc.anchor_in_b, &desc.anchor) {
            (Some(own), _) => b.point_to_world(point(Some(own))),
            (None, Some(world)) => point(Some(world)),
            (None, None) => b.pos,
        }
    }

    /// An orientation with z, and x if given, along directions of the world.
    pub(crate) fn along(&self, path: FieldPath, z: Vec3, x: Option<Vec3>) -> Result<Quat, SceneError> {
        Quat::with_z_along(z, x).ok_or_else(|| {
            self.bad(path, "the direction has no length", "give a direction such as [0, 0, 1]")
        })
    }
}
