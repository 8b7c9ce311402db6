//! From a description to a model: defaults filled in, frames made from anchors and axes, every mistake traced back to
//! its field.

use cardan::math::{Quat, Sym3, Vec3};
use cardan::{
    Body, BodyId, BuildError, Constant, Drag, End, Force, Frame, Gravity, GravityPoint, Heading, Joint,
    JointSpring, MassProperties, Model, ModelBuilder, PlacedShape, Placement, Probe, Settings, Shape,
    SolverChoice, Spring, Torsion,
};

use crate::document::{Document, FieldPath};
use crate::error::{ErrorKind, SceneError};
use crate::quantity::{Dimension, Length, Number, Quantity};
use crate::scene::{
    BodyDesc, BodyKind, ForceDesc, ForceFrame, ForceKind, FrameDesc, GROUND, Inertia, Integrator, JointDesc,
    JointKind, Orientation, Scene, ShapeDesc, ShapeKind, Simulation, Solver, Stabilization,
};

impl Scene {
    /// Builds the model. `document` is the text that this scene came from: mistakes are shown in it.
    pub fn to_model(&self, document: &Document) -> Result<Model, SceneError> {
        let lower = Lower { scene: self, document, ids: self.index_bodies() };
        lower.refuse_later_parts()?;
        let mut parts = ModelBuilder::new(Gravity(self.gravity().into()));
        for (name, body) in self.bodies.iter() {
            parts.body(lower.body(name, body)?);
        }
        for (name, joint) in self.joints.iter() {
            parts.joint(lower.joint(name, joint)?);
        }
        for (name, force) in self.forces.iter() {
            parts.force(lower.force(name, force)?);
        }
        for (name, probe) in self.probes.iter() {
            let point = point(probe.point.as_ref());
            parts.probe(Probe { name: name.into(), body: lower.end(&probe.body), point });
        }
        parts.build().map_err(|error| lower.build_error(error))
    }

    /// Integrator, stabilisation and solver.
    pub fn settings(&self, document: &Document) -> Result<Settings, SceneError> {
        self.simulation.settings(document)
    }

    fn index_bodies(&self) -> std::collections::BTreeMap<&str, usize> {
        self.bodies.iter().enumerate().map(|(i, (name, _))| (name, i)).collect()
    }
}

impl Simulation {
    fn settings(&self, document: &Document) -> Result<Settings, SceneError> {
        let later = |field: &str, what: &str, now: &str| {
            let path = FieldPath::item("simulation", field);
            let message = format!("`{what}` is not available in this version");
            SceneError::at(document, path, message, Some(now)).with_kind(ErrorKind::NotAvailable)
        };
        let integrator = match self.integrator.unwrap_or_default() {
            Integrator::ExplicitEuler => cardan::Integrator::ExplicitEuler,
            Integrator::SemiImplicitEuler => cardan::Integrator::SemiImplicitEuler,
            Integrator::Rk4 => cardan::Integrator::Rk4,
            other => {
                let name = match other {
                    Integrator::Dopri5 => "dopri5",
                    Integrator::Long => "long",
                    Integrator::Stepping => "stepping",
                    _ => "first-order",
                };
                return Err(later("integrator", name, "use rk4, semi-implicit-euler or explicit-euler"));
            }
        };
        let stabilization = match self.stabilization.unwrap_or_default() {
            Stabilization::Projection => cardan::Stabilization::Projection,
            Stabilization::Baumgarte => cardan::Stabilization::Baumgarte { alpha: None, beta: None },
            Stabilization::None => cardan::Stabilization::None,
        };
        let solver = match self.solver.unwrap_or_default() {
            Solver::Auto => SolverChoice::Auto,
            Solver::Tree => SolverChoice::Tree,
            Solver::Dense => SolverChoice::Dense,
            other => {
                let name = if other == Solver::Sparse { "sparse" } else { "conjugate-gradient" };
                return Err(later("solver", name, "use auto, tree or dense"));
            }
        };
        Ok(Settings { integrator, stabilization, solver, ..Settings::default() })
    }
}

struct Lower<'s> {
    scene: &'s Scene,
    document: &'s Document,
    ids: std::collections::BTreeMap<&'s str, usize>,
}

/// Position and orientation of a body frame in the pose of the file.
#[derive(Copy, Clone)]
struct Pose {
    pos: Vec3,
    rot: Quat,
}

impl Pose {
    fn point_to_world(&self, local: Vec3) -> Vec3 {
        self.pos + self.rot * local
    }
    fn frame_from_world(&self, pos: Vec3, rot: Quat) -> Frame {
        let back = self.rot.inverse();
        Frame { pos: back * (pos - self.pos), rot: back * rot }
    }
}

fn vector(v: &[Number; 3]) -> Vec3 {
    v.map(f64::from).into()
}
fn point(v: Option<&[Length; 3]>) -> Vec3 {
    v.map_or(Vec3::ZERO, |v| v.map(f64::from).into())
}
fn rotation(orientation: Option<&Orientation>) -> Quat {
    let rot = match orientation {
        None => Some(Quat::IDENTITY),
        Some(Orientation::Angle(angle)) => Quat::from_axis_angle(Vec3::Z, angle.0),
        Some(Orientation::AxisAngle { axis, angle }) => Quat::from_axis_angle(vector(axis), angle.0),
        Some(Orientation::Quaternion { quaternion: q }) => Quat::from_wxyz(q[0].0, q[1].0, q[2].0, q[3].0),
    };
    // Zero axes and quaternions were refused when the text was typed.
    rot.unwrap_or(Quat::IDENTITY)
}
fn frame(desc: &FrameDesc) -> Frame {
    Frame { pos: point(desc.position.as_ref()), rot: rotation(desc.orientation.as_ref()) }
}

impl Lower<'_> {
    fn bad(&self, path: FieldPath, message: impl Into<String>, help: &str) -> SceneError {
        SceneError::at(self.document, path, message, Some(help)).with_kind(ErrorKind::BadValue)
    }

    fn later(&self, path: FieldPath, what: &str) -> SceneError {
        let message = format!("{what} not available in this version");
        SceneError::at(self.document, path, message, None).with_kind(ErrorKind::NotAvailable)
    }

    /// What the format knows and the engine does not yet offer must not be ignored in silence.
    fn refuse_later_parts(&self) -> Result<(), SceneError> {
        if self.scene.contacts.is_some() {
            return Err(self.later(FieldPath::from("contacts"), "contacts are"));
        }
        if self.scene.ground.is_some() {
            return Err(self.later(FieldPath::from("ground"), "shapes of the ground (contacts) are"));
        }
        if let Some((name, _)) = self.scene.materials.iter().next() {
            return Err(self.later(FieldPath::item("materials", name), "materials (contacts) are"));
        }
        for (name, joint) in self.scene.joints.iter() {
            let path = FieldPath::item("joints", name);
            if joint.limits.is_some() {
                return Err(self.later(path.join("limits"), "joint limits are"));
            }
            if joint.restitution.is_some() {
                return Err(self.later(path.join("restitution"), "joint limits are"));
            }
            if joint.drive.is_some() {
                return Err(self.later(path.join("drive"), "drives are"));
            }
            let frictions = joint.friction.as_ref().map_or(&[][..], |f| f.as_slice());
            if frictions.iter().any(|f| f.coulomb.is_some() || f.static_.is_some()) {
                return Err(self.later(path.join("friction"), "dry friction (coulomb, static) is"));
            }
        }
        for (name, force) in self.scene.forces.iter() {
            let path = FieldPath::item("forces", name);
            if force.law.is_some() {
                return Err(self.later(path.join("law"), "a law over time is"));
            }
            if force.curve.is_some() {
                return Err(self.later(path.join("curve"), "a spring curve is"));
            }
        }
        Ok(())
    }

    fn end(&self, name: &str) -> End {
        if name == GROUND {
            return End::Ground;
        }
        // Unknown names were refused by the checks of the description.
        self.ids.get(name).map_or(End::Ground, |&i| End::Body(BodyId::of_index(i)))
    }

    fn pose(&self, name: &str) -> Pose {
        match self.ids.get(name).map(|&i| &self.scene.bodies.0[i].1) {
            None => Pose { pos: Vec3::ZERO, rot: Quat::IDENTITY },
            Some(body) => Pose {
                pos: body.position.map_or(Vec3::ZERO, |p| p.in_space().into()),
                rot: rotation(body.orientation.as_ref()),
            },
        }
    }

    // Bodies.

    fn body(&self, name: &str, desc: &BodyDesc) -> Result<Body, SceneError> {
        let path = FieldPath::item("bodies", name);
        let shapes: Vec<PlacedShape> = desc.all_shapes().iter().map(placed_shape).collect();
        let mass = self.mass_properties(&path, desc, &shapes)?;
        let pose = self.pose(name);
        Ok(Body {
            name: name.to_string(),
            kind: match desc.kind {
                BodyKind::Rigid => cardan::BodyKind::Rigid,
                BodyKind::Particle => cardan::BodyKind::Particle,
                BodyKind::Planar => cardan::BodyKind::Planar,
                BodyKind::PlanarParticle => cardan::BodyKind::PlanarParticle,
            },
            mass,
            pos: pose.pos,
            rot: pose.rot,
            vel: desc.velocity.map_or(Vec3::ZERO, |v| v.in_space().into()),
            omega: desc.angular_velocity.map_or(Vec3::ZERO, |w| w.in_space().into()),
            shapes,
            allow_unphysical_inertia: desc.allow_unphysical_inertia.unwrap_or(false),
        })
    }

    fn mass_properties(
        &self,
        path: &FieldPath,
        desc: &BodyDesc,
        shapes: &[PlacedShape],
    ) -> Result<MassProperties, SceneError> {
        let volume: f64 = shapes.iter().map(|s| s.shape.volume()).sum();
        let mass = match (desc.mass, desc.density) {
            (Some(mass), _) => mass.0,
            (None, Some(density)) if volume > 0.0 => density.0 * volume,
            (None, Some(_)) => {
                let help = "give a mass, or a shape with volume (a rod needs a radius, a plate a thickness)";
                return Err(self.bad(path.join("density"), "a density needs a shape with volume", help));
            }
            (None, None) => {
                let help = "add `mass = …` (kg), or `density = …` (kg/m³) with a shape";
                return Err(self.bad(path.clone(), "the body has no mass", help));
            }
        };
        let mut props = match shapes {
            [] => MassProperties::of_point(mass),
            // Several shapes share a mass by volume; one of them may be an ideal line or plate only if it is alone.
            [_, _, ..] if shapes.iter().any(|s| s.shape.volume() == 0.0) => {
                let help = "give every rod a radius and every plate a thickness";
                return Err(self.bad(path.join("shapes"), "a shape of a compound has no volume", help));
            }
            _ => MassProperties::of_shapes(shapes, mass),
        };
        if desc.kind.is_particle() {
            props = MassProperties::of_point(mass);
        }
        if let Some(center) = desc.center_of_mass {
            props.center = center.in_space().into();
        }
        match &desc.inertia {
            Some(Inertia::Planar(zz)) => props.inertia = Sym3::diagonal(0.0, 0.0, zz.0),
            Some(Inertia::Principal([xx, yy, zz])) => props.inertia = Sym3::diagonal(xx.0, yy.0, zz.0),
            Some(Inertia::Full([xx, yy, zz, xy, xz, yz])) => {
                props.inertia = Sym3 { xx: xx.0, yy: yy.0, zz: zz.0, xy: xy.0, xz: xz.0, yz: yz.0 };
            }
            None if shapes.is_empty() && !desc.kind.is_particle() => {
                let help = "add a `shape`, or `inertia = [xx, yy, zz]` (kg·m²; one number for a planar body)";
                return Err(self.bad(path.clone(), "the body has neither a shape nor an inertia", help));
            }
            None => {}
        }
        Ok(props)
    }

    // Joints.

    fn joint(&self, name: &str, desc: &JointDesc) -> Result<Joint, SceneError> {
        let path = FieldPath::item("joints", name);
        let (in_a, in_b) = self.joint_frames(&path, desc)?;
        let kind = match desc.kind {
            JointKind::Fixed => cardan::JointKind::Fixed,
            JointKind::Revolute => cardan::JointKind::Revolute,
            JointKind::Prismatic => cardan::JointKind::Prismatic,
            JointKind::Spherical => cardan::JointKind::Spherical,
            JointKind::Distance => {
                let length = desc.length.map_or_else(|| self.posed_shift(desc, in_a, in_b).norm(), |l| l.0);
                cardan::JointKind::Distance { length }
            }
            JointKind::BeadOnCircle => {
                let posed = || {
                    let shift = self.posed_shift(desc, in_a, in_b);
                    Vec3::new(shift.x, shift.y, 0.0).norm()
                };
                cardan::JointKind::BeadOnCircle { radius: desc.radius.map_or_else(posed, |r| r.0) }
            }
        };
        let mut joint = Joint {
            name: name.to_string(),
            kind,
            a: self.end(&desc.a),
            b: self.end(&desc.b),
            placement: Placement::Frames { in_a, in_b },
            zero: [0.0; 3],
            springs: Vec::new(),
        };
        let coordinates = kind.coordinates();
        let (measure, stiffness) = if kind.is_angle(0) {
            (Dimension::Angle, Dimension::Number)
        } else {
            (Dimension::Length, Dimension::Stiffness)
        };
        if let Some(zero) = &desc.zero {
            if zero.len() != coordinates {
                let message = format!("{} values for {coordinates} coordinates", zero.len());
                let help = "give one value per coordinate of the joint";
                return Err(self.bad(path.join("zero"), message, help));
            }
            for (k, value) in zero.iter().enumerate() {
                joint.zero[k] = self.quantity(path.join("zero").join(k), *value, measure)?;
            }
        }
        for (i, spring) in desc.spring.as_ref().map_or(&[][..], |s| s.as_slice()).iter().enumerate() {
            let path = self.list_item(path.join("spring"), i);
            joint.springs.push(JointSpring {
                coordinate: spring.coordinate as usize,
                stiffness: self.quantity(path.join("stiffness"), spring.stiffness, stiffness)?,
                damping: spring.damping.map_or(0.0, f64::from),
                rest: match spring.rest {
                    None => 0.0,
                    Some(rest) => self.quantity(path.join("rest"), rest, measure)?,
                },
                is_friction: false,
            });
        }
        for friction in desc.friction.as_ref().map_or(&[][..], |f| f.as_slice()) {
            joint.springs.push(JointSpring {
                coordinate: friction.coordinate as usize,
                stiffness: 0.0,
                damping: friction.viscous.map_or(0.0, f64::from),
                rest: 0.0,
                is_friction: true,
            });
        }
        Ok(joint)
    }

    /// A field that may be one table or a list of them: the path of item `i`.
    fn list_item(&self, path: FieldPath, i: usize) -> FieldPath {
        let indexed = path.join(i);
        if self.document.get(&indexed).is_some() { indexed } else { path }
    }

    fn quantity(&self, path: FieldPath, value: Quantity, want: Dimension) -> Result<f64, SceneError> {
        value.expect(want).map_err(|error| {
            SceneError::at(self.document, path, error.message, Some(&error.help))
                .with_kind(ErrorKind::BadValue)
        })
    }

    /// b's joint frame seen from a's in the pose of the file.
    fn posed_shift(&self, desc: &JointDesc, in_a: Frame, in_b: Frame) -> Vec3 {
        let (a, b) = (self.pose(&desc.a), self.pose(&desc.b));
        let offset = b.point_to_world(in_b.pos) - a.point_to_world(in_a.pos);
        (a.rot * in_a.rot).inverse() * offset
    }

    /// The joint frames on the two bodies, from whatever was given: frames, anchors and axes in the bodies, or anchor
    /// and axis in the world. What one side lacks it takes from the other, in the pose of the file.
    fn joint_frames(&self, path: &FieldPath, desc: &JointDesc) -> Result<(Frame, Frame), SceneError> {
        if let (Some(a), Some(b)) = (&desc.frame_in_a, &desc.frame_in_b) {
            return Ok((frame(a), frame(b)));
        }
        let (a, b) = (self.pose(&desc.a), self.pose(&desc.b));
        let two_points = matches!(desc.kind, JointKind::Distance | JointKind::BeadOnCircle);
        // Where the anchor is, in the world, as each side has it.
        let given_a = desc.frame_in_a.as_ref().map(|f| point(f.position.as_ref()));
        let given_a = given_a.or(desc.anchor_in_a.or(desc.point_in_a).map(|p| point(Some(&p))));
        let given_b = desc.frame_in_b.as_ref().map(|f| point(f.position.as_ref()));
        let given_b = given_b.or(desc.anchor_in_b.or(desc.point_in_b).map(|p| point(Some(&p))));
        let world = desc.anchor.as_ref().map(|p| point(Some(p)));
        let at_a = given_a.map(|p| a.point_to_world(p)).or(world);
        let at_b = given_b.map(|p| b.point_to_world(p)).or(if two_points { None } else { world });
        let (at_a, at_b) = match (at_a, at_b) {
            (Some(at_a), Some(at_b)) => (at_a, at_b),
            // Points of their own, each body's origin unless given.
            (at_a, at_b) if two_points => (at_a.unwrap_or(a.pos), at_b.unwrap_or(b.pos)),
            (Some(at), None) | (None, Some(at)) => (at, at),
            (None, None) if desc.kind == JointKind::Fixed => (b.pos, b.pos),
            (None, None) => {
                let help = "add `anchor = [x, y, z]` (world), or `anchor_in_a` and `anchor_in_b`";
                return Err(self.bad(path.clone(), "the joint has no anchor", help));
            }
        };
        // Axes, likewise.
        let side = |frame: &Option<FrameDesc>, pose: &Pose, axis: &Option<[Number; 3]>| match (frame, axis) {
            (Some(f), _) => Some(pose.rot * (rotation(f.orientation.as_ref()) * Vec3::Z)),
            (None, Some(axis)) => Some(pose.rot * vector(axis)),
            (None, None) => desc.axis.as_ref().map(vector),
        };
        let (axis_a, axis_b) =
            (side(&desc.frame_in_a, &a, &desc.axis_in_a), side(&desc.frame_in_b, &b, &desc.axis_in_b));
        let needs_axis = matches!(desc.kind, JointKind::Revolute | JointKind::Prismatic);
        let (axis_a, axis_b) = match (axis_a.or(axis_b), axis_b.or(axis_a)) {
            (Some(axis_a), Some(axis_b)) => (axis_a, axis_b),
            _ if needs_axis => {
                let help = "add `axis = [x, y, z]` (world), or `axis_in_a` and `axis_in_b`";
                return Err(self.bad(path.clone(), "the joint has no axis", help));
            }
            _ => (Vec3::Z, Vec3::Z),
        };
        let no_direction = |field: &str| {
            let fields = [field, "axis"];
            let present = fields.iter().find(|f| self.document.get(&path.join(**f)).is_some());
            let at = present.map_or(path.clone(), |f| path.join(*f));
            self.bad(at, "the axis has no length", "give a direction such as [0, 0, 1]")
        };
        let rot_a = Quat::with_z_along(axis_a, None).ok_or_else(|| no_direction("axis_in_a"))?;
        let rot_b =
            Quat::with_z_along(axis_b, Some(rot_a * Vec3::X)).ok_or_else(|| no_direction("axis_in_b"))?;
        Ok((a.frame_from_world(at_a, rot_a), b.frame_from_world(at_b, rot_b)))
    }

    // Forces.

    fn force(&self, name: &str, desc: &ForceDesc) -> Result<Force, SceneError> {
        let path = FieldPath::item("forces", name);
        let body = desc.body.as_deref().unwrap_or(GROUND);
        let (a, b) = (desc.a.as_deref().unwrap_or(GROUND), desc.b.as_deref().unwrap_or(GROUND));
        let (point_a, point_b) = (point(desc.point_in_a.as_ref()), point(desc.point_in_b.as_ref()));
        let number = |n: Option<Number>| n.map_or(0.0, f64::from);
        let stiffness = |dimension| match desc.stiffness {
            None => Ok(0.0),
            Some(k) => self.quantity(path.join("stiffness"), k, dimension),
        };
        let force = match desc.kind {
            ForceKind::Constant => {
                let at = match &desc.point {
                    Some(p) => point(Some(p)),
                    None => self.center_of(body)?,
                };
                Force::constant(
                    self.end(body),
                    at,
                    Constant {
                        force: desc.force.map_or(Vec3::ZERO, |f| f.map(f64::from).into()),
                        torque: desc.torque.map_or(Vec3::ZERO, |t| t.map(f64::from).into()),
                        heading: match desc.frame.unwrap_or_default() {
                            ForceFrame::World => Heading::World,
                            ForceFrame::Body => Heading::Body,
                        },
                    },
                )
            }
            ForceKind::Spring => {
                let law = Spring {
                    stiffness: stiffness(Dimension::Stiffness)?,
                    damping: number(desc.damping),
                    rest_length: desc.rest_length.map_or(0.0, f64::from),
                };
                Force::spring(self.end(a), point_a, self.end(b), point_b, law)
            }
            ForceKind::Torsion => {
                let axis = desc.axis_in_a.as_ref().map_or(Vec3::Z, vector);
                let rot = Quat::with_z_along(axis, None).ok_or_else(|| {
                    self.bad(
                        path.join("axis_in_a"),
                        "the axis has no length",
                        "give a direction such as [0, 0, 1]",
                    )
                })?;
                let law = Torsion {
                    stiffness: stiffness(Dimension::Number)?,
                    damping: number(desc.damping),
                    rest: desc.rest.map_or(0.0, f64::from),
                    about_axis: true,
                };
                // Parallel frames in the pose of the file: there the spring's angle is zero.
                let (pose_a, pose_b) = (self.pose(a), self.pose(b));
                let in_a = Frame { pos: Vec3::ZERO, rot };
                let in_b = Frame { pos: Vec3::ZERO, rot: pose_b.rot.inverse() * (pose_a.rot * rot) };
                Force::torsion(self.end(a), in_a, self.end(b), in_b, law)
            }
            ForceKind::Drag => {
                let law = Drag {
                    linear: number(desc.coefficient),
                    quadratic: number(desc.quadratic),
                    angular: number(desc.angular),
                };
                Force::drag(self.end(body), self.center_of(body)?, law)
            }
            ForceKind::GravityPoint => {
                let law = GravityPoint { strength: number(desc.strength) };
                Force::gravity_point(self.end(a), point_a, self.end(b), point_b, law)
            }
        };
        Ok(force.named(name))
    }

    /// Centre of mass of a body in its own frame.
    fn center_of(&self, name: &str) -> Result<Vec3, SceneError> {
        match self.ids.get(name).map(|&i| &self.scene.bodies.0[i].1) {
            None => Ok(Vec3::ZERO),
            Some(desc) => Ok(self.body(name, desc)?.mass.center),
        }
    }

    // Mistakes that only the engine sees.

    fn build_error(&self, error: BuildError) -> SceneError {
        let message = error.to_string();
        let table = |part: &str| match part {
            "body" | "bodies" => "bodies",
            "joint" | "joints" | "constraint" => "joints",
            "force" | "forces" => "forces",
            _ => "probes",
        };
        let path = match &error {
            BuildError::Mass { body, error } => {
                let path = FieldPath::item("bodies", body);
                let field = match error {
                    cardan::body::MassError::Mass(_) => ["mass", "density"],
                    _ => ["inertia", "shape"],
                };
                let given = field.iter().map(|f| path.join(*f)).find(|p| self.document.get(p).is_some());
                given.unwrap_or(path)
            }
            BuildError::Number { part, name, field, .. } => {
                let path = FieldPath::item(table(part), name);
                let field = path.join(*field);
                if self.document.get(&field).is_some() { field } else { path }
            }
            BuildError::DuplicateName { part, name } => FieldPath::item(table(part), name),
            BuildError::UnknownBody { part, name } => FieldPath::item(table(part), name),
            BuildError::SameBody { joint, .. } => FieldPath::item("joints", joint).join("b"),
            BuildError::NoAxis { joint, .. } => FieldPath::item("joints", joint),
            BuildError::DoesNotFit { part, name, .. } => FieldPath::item(table(part), name),
            BuildError::NotPlanar { joint, .. } => {
                let path = FieldPath::item("joints", joint);
                let axis = path.join("axis");
                if self.document.get(&axis).is_some() { axis } else { path }
            }
            BuildError::NoCoordinate { joint, .. } => FieldPath::item("joints", joint),
            _ => FieldPath::default(),
        };
        SceneError::at(self.document, path, message, None).with_kind(ErrorKind::BadValue)
    }
}

fn placed_shape(desc: &ShapeDesc) -> PlacedShape {
    let length = |l: Option<Length>| l.map_or(0.0, f64::from);
    let edge = |i: usize| desc.size.as_ref().and_then(|s| s.get(i)).map_or(0.0, |&l| l.into());
    let (radius, long) = (length(desc.radius), length(desc.length));
    let shape = match desc.kind {
        ShapeKind::Box => Shape::Box { size: [edge(0), edge(1), edge(2)] },
        ShapeKind::Sphere => Shape::Sphere { radius },
        ShapeKind::Cylinder => Shape::Cylinder { radius, length: long },
        ShapeKind::Capsule => Shape::Capsule { radius, length: long },
        ShapeKind::Rod => Shape::Rod { length: long, radius },
        ShapeKind::Plate => Shape::Plate { size: [edge(0), edge(1)], thickness: length(desc.thickness) },
    };
    let frame = Frame { pos: point(desc.position.as_ref()), rot: rotation(desc.orientation.as_ref()) };
    PlacedShape { shape, frame }
}
