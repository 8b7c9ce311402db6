//! Forces and applied impulses.

use cardan::math::{Quat, Vec3};
use cardan::{
    Constant, CurveSpring, Drag, Force, Frame, GravityPoint, Heading, Impulse, Spring, TimedImpulse, Torsion,
};

use super::{Lower, point, vector};
use crate::document::FieldPath;
use crate::error::SceneError;
use crate::quantity::{Dimension, Number};
use crate::scene::{BodyKindDesc, ForceDesc, ForceFrame, ForceKindDesc, GROUND, ImpulseDesc};

/// The axes that something is given in.
fn heading(frame: Option<ForceFrame>) -> Heading {
    match frame.unwrap_or_default() {
        ForceFrame::World => Heading::World,
        ForceFrame::Body => Heading::Body,
    }
}

impl Lower<'_> {
    pub(super) fn force(&self, name: &str, desc: &ForceDesc) -> Result<Force, SceneError> {
        let path = FieldPath::item("forces", name);
        let body = desc.body.as_deref().unwrap_or(GROUND);
        let (a, b) = (desc.a.as_deref().unwrap_or(GROUND), desc.b.as_deref().unwrap_or(GROUND));
        let (point_a, point_b) = (point(desc.point_in_a.as_ref()), point(desc.point_in_b.as_ref()));
        let number = |n: Option<Number>| n.map_or(0.0, f64::from);
        let stiffness = |dimension| match desc.stiffness {
            None => Ok(0.0),
            Some(k) => self.quantity(path.join("stiffness"), k, dimension),
        };
        let damping = |dimension| match desc.damping {
            None => Ok(0.0),
            Some(c) => self.quantity(path.join("damping"), c, dimension),
        };
        let force = match desc.kind {
            ForceKindDesc::Constant => {
                let at = match &desc.point {
                    Some(p) => point(Some(p)),
                    None => self.center_of(body)?,
                };
                let full = Constant {
                    force: desc.force.map_or(Vec3::ZERO, |f| f.map(f64::from).into()),
                    torque: desc.torque.map_or(Vec3::ZERO, |t| t.map(f64::from).into()),
                    heading: heading(desc.frame),
                };
                match &desc.law {
                    None => Force::constant(self.end(body), at, full),
                    Some(law) => {
                        let law = self.law(&path.join("law"), law, Dimension::Number)?;
                        Force::scheduled(self.end(body), at, full, law)
                    }
                }
            }
            ForceKindDesc::Spring if desc.curve.is_some() => {
                if desc.stiffness.is_some() {
                    let message = "a spring has a stiffness or a curve, not both";
                    return Err(self.bad(path.join("curve"), message, "leave one of them out"));
                }
                let rows: Vec<[f64; 2]> =
                    desc.curve.iter().flatten().map(|(x, f)| [f64::from(*x), f64::from(*f)]).collect();
                let rest = desc.rest_length.map_or(0.0, f64::from);
                let damping = damping(Dimension::Damping)?;
                let law = CurveSpring::new(&rows, damping, rest)
                    .map_err(|error| self.bad_rows(path.join("curve"), &error))?;
                Force::curve_spring(self.end(a), point_a, self.end(b), point_b, law)
            }
            ForceKindDesc::Spring => {
                let law = Spring {
                    stiffness: stiffness(Dimension::Stiffness)?,
                    damping: damping(Dimension::Damping)?,
                    rest_length: desc.rest_length.map_or(0.0, f64::from),
                };
                Force::spring(self.end(a), point_a, self.end(b), point_b, law)
            }
            ForceKindDesc::Torsion => {
                let axis = desc.axis_in_a.as_ref().map_or(Vec3::Z, vector);
                let rot = Quat::with_z_along(axis, None).ok_or_else(|| {
                    self.bad(
                        path.join("axis_in_a"),
                        "the axis has zero length",
                        "give a direction such as [0, 0, 1]",
                    )
                })?;
                let law = Torsion {
                    stiffness: stiffness(Dimension::AngularStiffness)?,
                    damping: damping(Dimension::AngularDamping)?,
                    rest: desc.rest.map_or(0.0, f64::from),
                    about_axis: true,
                };
                // Parallel frames in the pose of the file: there the spring's angle is zero.
                let (pose_a, pose_b) = (self.pose(a), self.pose(b));
                let in_a = Frame { pos: Vec3::ZERO, rot };
                let in_b = Frame { pos: Vec3::ZERO, rot: pose_b.rot.inverse() * (pose_a.rot * rot) };
                Force::torsion(self.end(a), in_a, self.end(b), in_b, law)
            }
            ForceKindDesc::Drag => {
                let law = Drag {
                    linear: number(desc.coefficient),
                    quadratic: number(desc.quadratic),
                    angular: number(desc.angular),
                };
                Force::drag(self.end(body), self.center_of(body)?, law)
            }
            ForceKindDesc::GravityPoint => {
                let law = GravityPoint { strength: number(desc.strength) };
                Force::gravity_point(self.end(a), point_a, self.end(b), point_b, law)
            }
        };
        Ok(force.named(name))
    }

    pub(super) fn impulse(&self, name: &str, desc: &ImpulseDesc) -> Result<TimedImpulse, SceneError> {
        let point = match &desc.point {
            Some(p) => point(Some(p)),
            None => self.center_of(&desc.body)?,
        };
        let vector = |v: &Option<[Number; 3]>| v.map_or(Vec3::ZERO, |v| v.map(f64::from).into());
        let impulse = Impulse {
            body: self.end(&desc.body),
            point,
            linear: vector(&desc.impulse),
            angular: vector(&desc.angular_impulse),
            heading: heading(desc.frame),
        };
        Ok(TimedImpulse { name: name.into(), time: desc.time.into(), impulse })
    }

    /// Centre of mass of a body in its own frame.
    fn center_of(&self, name: &str) -> Result<Vec3, SceneError> {
        match self.find(name).map(|(i, _)| &self.scene.bodies.0[i].1) {
            None => Ok(Vec3::ZERO),
            Some(desc) if desc.kind == BodyKindDesc::Formula => Ok(Vec3::ZERO),
            Some(desc) => Ok(self.body(name, desc)?.mass.center),
        }
    }
}
