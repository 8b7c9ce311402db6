//! From a description to a model: defaults filled in, frames made from anchors and axes, every mistake traced back to
//! its field.

use cardan::body::MassError;
use cardan::joint::ClosedForm;
use cardan::math::{Quat, Sym3, Vec3};
use cardan::{
    Body, BodyId, BuildError, Constant, Drag, End, ErrorControl, Force, Frame, Gravity, GravityPoint,
    Heading, Impulse, MassProperties, Model, ModelBuilder, PlacedShape, Probe, Settings, SolidShape,
    SolverChoice, Spring, TableSpring, TimedImpulse, Torsion,
};

use crate::document::{Document, FieldPath, Value};
use crate::error::{ErrorKind, SceneError};
use crate::kind::{JointIds, NamedJoint, index_joints};
use crate::lower_shapes::{FacetedShape, ShapeCache};
use crate::quantity::{Dimension, Length, Number, Quantity};
use crate::scene::{
    BodyDesc, BodyKind, Coordinates, ForceDesc, ForceFrame, ForceKind, FrameDesc, GROUND, Impacts,
    ImpulseDesc, InequalityStudy, Inertia, Integrator, JointDesc, Orientation, Overlaps, Planar,
    RestitutionLaw, Scene, ShapeDesc, ShapeKind, Simulation, Solver, Stabilization,
};

impl Scene {
    /// Builds the model of all parts, whatever the script switches off. `document` is the text that this scene came from: mistakes are shown in it.
    pub fn to_model(&self, document: &Document) -> Result<Model, SceneError> {
        self.lowered(document, |lower, parts| parts.build().map_err(|error| lower.build_error(error)))
    }

    /// The parts of the model, to be put together by [`cardan::World::of`].
    pub fn to_parts(&self, document: &Document) -> Result<ModelBuilder, SceneError> {
        self.lowered(document, |_, parts| Ok(parts))
    }

    fn lowered<T>(
        &self,
        document: &Document,
        finish: impl FnOnce(&Lower<'_>, ModelBuilder) -> Result<T, SceneError>,
    ) -> Result<T, SceneError> {
        let (ids, joint_ids) = (self.index_bodies(), index_joints(self));
        let posed = std::collections::BTreeMap::new();
        let mut lower =
            Lower { scene: self, document, ids, joint_ids, shape_cache: ShapeCache::default(), posed };
        lower.pose_general()?;
        let lower = lower;
        let mut parts = ModelBuilder::new(Gravity(self.gravity().into()));
        for (name, body) in self.bodies.iter() {
            parts.add_body(lower.body(name, body)?);
        }
        for (name, joint) in self.joints.iter() {
            joint.kind.about().lower(&lower, &NamedJoint::new(name, joint), &mut parts)?;
        }
        for (name, inequality) in self.inequalities.iter() {
            lower.inequality(name, inequality, &mut parts)?;
        }
        lower.contacts(&mut parts)?;
        for (name, force) in self.forces.iter() {
            parts.add_force(lower.force(name, force)?);
        }
        for (name, impulse) in self.impulses.iter() {
            parts.add_impulse(lower.impulse(name, impulse)?);
        }
        for (name, probe) in self.probes.iter() {
            let point = point(probe.point.as_ref());
            parts.add_probe(Probe { name: name.into(), body: lower.end(&probe.body), point });
        }
        finish(&lower, parts)
    }

    /// Integrator, stabilisation, solver and coordinates.
    pub fn settings(&self, document: &Document) -> Result<Settings, SceneError> {
        self.simulation.settings(document)
    }

    fn index_bodies(&self) -> std::collections::BTreeMap<&str, usize> {
        self.bodies.iter().enumerate().map(|(i, (name, _))| (name, i)).collect()
    }
}

/// The axes that something is given in.
fn heading(frame: Option<ForceFrame>) -> Heading {
    match frame.unwrap_or_default() {
        ForceFrame::World => Heading::World,
        ForceFrame::Body => Heading::Body,
    }
}

impl Simulation {
    fn settings(&self, document: &Document) -> Result<Settings, SceneError> {
        let integrator = match self.integrator.unwrap_or_default() {
            Integrator::ExplicitEuler => cardan::Integrator::ExplicitEuler,
            Integrator::SemiImplicitEuler => cardan::Integrator::SemiImplicitEuler,
            Integrator::Rk4 => cardan::Integrator::Rk4,
            Integrator::Dopri5 => cardan::Integrator::Dopri5,
            Integrator::Rattle => cardan::Integrator::Rattle,
            Integrator::TimeStepping => cardan::Integrator::TimeStepping,
            Integrator::FirstOrder => cardan::Integrator::FirstOrder,
        };
        let stabilization = match self.stabilization.unwrap_or_default() {
            Stabilization::Projection => cardan::Stabilization::Projection,
            Stabilization::Baumgarte => cardan::Stabilization::baumgarte(self.dt()),
            Stabilization::None => cardan::Stabilization::None,
        };
        let solver = match self.solver.unwrap_or_default() {
            Solver::Auto => SolverChoice::Auto,
            Solver::Tree => SolverChoice::Tree,
            Solver::Sparse => SolverChoice::Sparse,
            Solver::ConjugateGradient => SolverChoice::ConjugateGradient,
            Solver::Dense => SolverChoice::Dense,
        };
        let coordinates = match self.coordinates.unwrap_or_default() {
            Coordinates::Bodies => cardan::Coordinates::Bodies,
            Coordinates::Joints => cardan::Coordinates::Joints,
        };
        let usual = ErrorControl::default();
        let control = ErrorControl {
            relative: self.relative_tolerance.map_or(usual.relative, f64::from),
            absolute: self.absolute_tolerance.map_or(usual.absolute, f64::from),
            max_step: self.max_dt.map_or(usual.max_step, f64::from),
        };
        let geometry_tolerance = self.geometry_tolerance.map_or(0.0, f64::from);
        let settings =
            Settings { integrator, control, stabilization, solver, coordinates, ..Settings::default() };
        let impacts = match self.impacts.unwrap_or_default() {
            Impacts::Propagating => cardan::Impacts::Propagating,
            Impacts::Sequential => cardan::Impacts::Sequential,
            Impacts::Simultaneous => cardan::Impacts::Simultaneous,
        };
        let restitution_law = match self.restitution_law.unwrap_or_default() {
            RestitutionLaw::Newton => cardan::RestitutionLaw::Newton,
            RestitutionLaw::Poisson => cardan::RestitutionLaw::Poisson,
        };
        if restitution_law == cardan::RestitutionLaw::Poisson
            && integrator == cardan::Integrator::TimeStepping
        {
            let path = FieldPath::item("simulation", "restitution_law");
            let message = "`stepping` answers blows by Newton's law alone";
            let help = "take another integrator, or `newton`";
            return Err(SceneError::at(document, path, message, Some(help)).with_kind(ErrorKind::BadValue));
        }
        let rest_speed = self.rest_speed.map_or(settings.rest_speed, f64::from);
        let rule = match self.inequality_study.unwrap_or(InequalityStudy::Exact) {
            InequalityStudy::Exact => None,
            InequalityStudy::Platt1 => Some(cardan::StudyRule::Platt),
            InequalityStudy::Platt2 => Some(cardan::StudyRule::PlattImproved),
            InequalityStudy::Algorithm3 => Some(cardan::StudyRule::InsertOnly),
        };
        let inequality_study = rule.map(|rule| cardan::InequalityStudy { rule, rate: 1.0 / self.dt() });
        let overlaps = match self.overlaps.unwrap_or_default() {
            Overlaps::Refuse => cardan::Overlaps::Refuse,
            Overlaps::Resolve => cardan::Overlaps::Resolve,
        };
        let settings = Settings { restitution_law, ..settings };
        Ok(Settings { geometry_tolerance, impacts, rest_speed, inequality_study, overlaps, ..settings })
    }
}

pub(crate) struct Lower<'s> {
    pub(crate) scene: &'s Scene,
    pub(crate) document: &'s Document,
    ids: std::collections::BTreeMap<&'s str, usize>,
    /// Joints that have coordinates.
    pub(crate) joint_ids: JointIds<'s>,
    pub(crate) shape_cache: ShapeCache,
    /// Pieces of general bodies in the pose of the file, by body and piece.
    pub(crate) posed: std::collections::BTreeMap<(usize, u32), Pose>,
}

/// Position and orientation of a body frame in the pose of the file.
#[derive(Copy, Clone)]
pub(crate) struct Pose {
    pub(crate) pos: Vec3,
    pub(crate) rot: Quat,
    /// By how much a body that scales does, along its axes; `None` for all others.
    pub(crate) scale: Option<Vec3>,
}

impl Pose {
    pub(crate) fn point_to_world(&self, local: Vec3) -> Vec3 {
        let local = self.scale.map_or(local, |s| Vec3::new(s.x * local.x, s.y * local.y, s.z * local.z));
        self.pos + self.rot * local
    }
    pub(crate) fn frame_to_world(self, local: &Frame) -> Frame {
        Frame { pos: self.point_to_world(local.pos), rot: self.rot * local.rot }
    }
    pub(crate) fn frame_from_world(&self, pos: Vec3, rot: Quat) -> Frame {
        let back = self.rot.inverse();
        let local = back * (pos - self.pos);
        let local = self.scale.map_or(local, |s| Vec3::new(local.x / s.x, local.y / s.y, local.z / s.z));
        Frame { pos: local, rot: back * rot }
    }
}

pub(crate) fn vector(v: &[Number; 3]) -> Vec3 {
    v.map(f64::from).into()
}
pub(crate) fn point(v: Option<&[Length; 3]>) -> Vec3 {
    v.map_or(Vec3::ZERO, |v| v.map(f64::from).into())
}
pub(crate) fn rotation(orientation: Option<&Orientation>) -> Quat {
    let rot = match orientation {
        None => Some(Quat::IDENTITY),
        Some(Orientation::Angle(angle)) => Quat::from_axis_angle(Vec3::Z, angle.0),
        Some(Orientation::AxisAngle { axis, angle }) => Quat::from_axis_angle(vector(axis), angle.0),
        Some(Orientation::Quaternion { quaternion: q }) => Quat::from_wxyz(q[0].0, q[1].0, q[2].0, q[3].0),
    };
    // Zero axes and quaternions were refused when the text was typed.
    rot.unwrap_or(Quat::IDENTITY)
}
pub(crate) fn frame(desc: &FrameDesc) -> Frame {
    Frame { pos: point(desc.position.as_ref()), rot: rotation(desc.orientation.as_ref()) }
}

/// A name of a piece, "body/1": the body and the number.
pub(crate) fn split_piece(name: &str) -> Option<(&str, u32)> {
    let (body, piece) = name.rsplit_once('/')?;
    let plain = !piece.is_empty() && piece.bytes().all(|b| b.is_ascii_digit());
    Some((body, if plain { piece.parse().ok()? } else { return None }))
}

impl Lower<'_> {
    pub(crate) fn bad(&self, path: FieldPath, message: impl Into<String>, help: &str) -> SceneError {
        SceneError::at(self.document, path, message, Some(help)).with_kind(ErrorKind::BadValue)
    }

    pub(crate) fn end(&self, name: &str) -> End {
        if name == GROUND {
            return End::Ground;
        }
        // Unknown names were refused by the checks of the description.
        self.find(name).map_or(End::Ground, |(i, piece)| match piece {
            None => End::Body(BodyId::of_index(i)),
            Some(piece) => End::Piece(BodyId::of_index(i), piece),
        })
    }

    pub(crate) fn pose(&self, name: &str) -> Pose {
        let found = self.find(name);
        if let Some(pose) = found.and_then(|(i, piece)| self.posed.get(&(i, piece.unwrap_or(0)))) {
            return *pose;
        }
        match found.map(|(i, _)| &self.scene.bodies.0[i].1) {
            None => Pose { pos: Vec3::ZERO, rot: Quat::IDENTITY, scale: None },
            Some(body) => Pose {
                scale: None,
                pos: body.position.map_or(Vec3::ZERO, |p| p.in_space().into()),
                rot: rotation(body.orientation.as_ref()),
            },
        }
    }

    /// What a body is; none for the ground.
    pub(crate) fn kind_of(&self, name: &str) -> Option<crate::scene::BodyKind> {
        self.find(name).map(|(i, _)| self.scene.bodies.0[i].1.kind)
    }

    /// The index of a body, and the piece that is named after a slash.
    pub(crate) fn find(&self, name: &str) -> Option<(usize, Option<u32>)> {
        if let Some(&i) = self.ids.get(name) {
            return Some((i, None));
        }
        let (body, piece) = split_piece(name)?;
        Some((*self.ids.get(body)?, Some(piece)))
    }

    /// Whether a body stays in the x–y plane; the ground may.
    pub(crate) fn is_flat(&self, name: &str) -> bool {
        let kind = self.kind_of(name);
        kind.is_none_or(|kind| matches!(kind, BodyKind::Planar | BodyKind::PlanarParticle))
    }

    /// Of the bodies a and b of a joint.
    pub(crate) fn poses(&self, desc: &JointDesc) -> (Pose, Pose) {
        let (a, b) = desc.ends();
        (self.pose(a), self.pose(b))
    }

    // Bodies.

    pub(crate) fn body(&self, name: &str, desc: &BodyDesc) -> Result<Body, SceneError> {
        let path = FieldPath::item("bodies", name);
        let mut shapes: Vec<PlacedShape> = Vec::new();
        for (i, shape) in desc.all_shapes().iter().enumerate() {
            let at = desc.path_of_shape(&path, i);
            shapes.push(self.placed_shape(&at, name, desc, shape)?);
        }
        if desc.kind.is_general() {
            return self.general_body(name, desc, shapes);
        }
        let mass = self.mass_properties(&path, desc, &shapes)?;
        let pose = self.pose(name);
        Ok(Body {
            name: name.to_string(),
            kind: match desc.kind {
                BodyKind::Rigid => cardan::BodyKind::Rigid,
                BodyKind::Particle => cardan::BodyKind::Particle,
                BodyKind::Planar => cardan::BodyKind::Planar,
                BodyKind::PlanarParticle => cardan::BodyKind::PlanarParticle,
                // Made in `lower_bodies.rs`.
                _ => cardan::BodyKind::Rigid,
            },
            mass,
            pos: pose.pos,
            rot: pose.rot,
            vel: desc.velocity.map_or(Vec3::ZERO, |v| v.in_space().into()),
            omega: desc.angular_velocity.map_or(Vec3::ZERO, |w| w.in_space().into()),
            shapes,
            allow_unphysical_inertia: desc.allow_unphysical_inertia.unwrap_or(false),
            form: None,
            start: Vec::new(),
            start_rate: Vec::new(),
        })
    }

    pub(crate) fn mass_properties(
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

    /// Springs and friction act along one free coordinate.
    pub(crate) fn coordinate(
        &self,
        path: &FieldPath,
        kind: cardan::JointKind,
        coordinate: u32,
    ) -> Result<usize, SceneError> {
        let have = kind.acting();
        if (coordinate as usize) < have {
            return Ok(coordinate as usize);
        }
        if have == 0 {
            let message = format!("{} joint has no coordinate to act along", with_article(kind.name()));
            let help = if kind.about().closed_form == ClosedForm::Spherical {
                "a joint of kind `orient` beside it drives its orientation; a force of kind `torsion` or `drag` may act on it"
            } else {
                "use a force of kind `spring`, `torsion` or `drag`"
            };
            return Err(self.bad(path.clone(), message, help));
        }
        let message = format!("there is no coordinate {coordinate}");
        let help =
            format!("{} joint has {}, counted from 0", with_article(kind.name()), count(have, "coordinate"));
        Err(self.bad(path.join("coordinate"), message, &help))
    }

    /// A field that may be one table or a list of them: the path of item `i`.
    pub(crate) fn list_item(&self, path: FieldPath, i: usize) -> FieldPath {
        let indexed = path.join(i);
        if self.document.get(&indexed).is_some() { indexed } else { path }
    }

    pub(crate) fn quantity(
        &self,
        path: FieldPath,
        value: Quantity,
        want: Dimension,
    ) -> Result<f64, SceneError> {
        value.expect(want).map_err(|error| {
            SceneError::at(self.document, path, error.message, Some(&error.help))
                .with_kind(ErrorKind::BadValue)
        })
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
        let damping = |dimension| match desc.damping {
            None => Ok(0.0),
            Some(c) => self.quantity(path.join("damping"), c, dimension),
        };
        let force = match desc.kind {
            ForceKind::Constant => {
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
            ForceKind::Spring if desc.curve.is_some() => {
                if desc.stiffness.is_some() {
                    let message = "a spring has a stiffness or a curve, not both";
                    return Err(self.bad(path.join("curve"), message, "leave one of them out"));
                }
                let rows: Vec<[f64; 2]> =
                    desc.curve.iter().flatten().map(|(x, f)| [f64::from(*x), f64::from(*f)]).collect();
                let rest = desc.rest_length.map_or(0.0, f64::from);
                let damping = damping(Dimension::Damping)?;
                let law = TableSpring::new(&rows, damping, rest)
                    .map_err(|error| self.bad_rows(path.join("curve"), &error))?;
                Force::table_spring(self.end(a), point_a, self.end(b), point_b, law)
            }
            ForceKind::Spring => {
                let law = Spring {
                    stiffness: stiffness(Dimension::Stiffness)?,
                    damping: damping(Dimension::Damping)?,
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

    fn impulse(&self, name: &str, desc: &ImpulseDesc) -> Result<TimedImpulse, SceneError> {
        let point = match &desc.point {
            Some(p) => point(Some(p)),
            None => self.center_of(&desc.body)?,
        };
        let vector = |v: &Option<[Number; 3]>| v.map_or(Vec3::ZERO, |v| v.map(f64::from).into());
        let impulse = Impulse {
            body: self.end(&desc.body),
            point,
            impulse: vector(&desc.impulse),
            angular_impulse: vector(&desc.angular_impulse),
            heading: heading(desc.frame),
        };
        Ok(TimedImpulse { name: name.into(), time: desc.time.into(), impulse })
    }

    /// Centre of mass of a body in its own frame.
    fn center_of(&self, name: &str) -> Result<Vec3, SceneError> {
        match self.find(name).map(|(i, _)| &self.scene.bodies.0[i].1) {
            None => Ok(Vec3::ZERO),
            Some(desc) if desc.kind == BodyKind::Formula => Ok(Vec3::ZERO),
            Some(desc) => Ok(self.body(name, desc)?.mass.center),
        }
    }

    // Mistakes that only the engine sees.

    fn build_error(&self, error: BuildError) -> SceneError {
        let table = |part: &str| match part {
            "body" | "bodies" => "bodies",
            "joint" | "joints" | "constraint" | "limit of joint" | "dry friction of joint" => "joints",
            "force" | "forces" => "forces",
            "inequality" => "inequalities",
            "blow" | "blows" => "blows",
            "shape" => "bodies",
            _ => "probes",
        };
        let given = |path: FieldPath, fields: &[&str]| {
            let mut found = fields.iter().map(|f| path.join(*f)).filter(|p| self.document.get(p).is_some());
            found.next().unwrap_or(path)
        };
        let joint = |name: &str| FieldPath::item("joints", name);
        let (path, message, help) = match &error {
            BuildError::Mass { body, error } => {
                let path = FieldPath::item("bodies", body);
                let (fields, message, help): (&[&str], _, _) = match error {
                    MassError::Mass(mass) => {
                        (&["mass", "density"][..], format!("the mass is {mass} kg"), "it must be positive")
                    }
                    MassError::Indefinite { smallest } => {
                        let given = self.document.get(&path.join("inertia")).is_some();
                        let kind = self.document.get(&path.join("shape").join("kind"));
                        let rod =
                            kind.is_some_and(|k| matches!(&k.value, Value::Text(kind) if **kind == *"rod"));
                        let help = match (given, rod) {
                            (true, _) => "every principal moment must be positive",
                            (false, true) => "a thin rod in space needs a `radius`",
                            (false, false) => "the mass or the sizes are too small",
                        };
                        let text = "the inertia is not positive definite: its smallest principal moment is";
                        (&["inertia", "shape"], format!("{text} {} kg·m²", rounded(*smallest)), help)
                    }
                    MassError::Triangle { moments } => {
                        let [x, y, z] = moments.map(rounded);
                        let message = format!(
                            "no real body has this inertia: its largest principal moment, {z} kg·m², exceeds the \
                             sum of the other two, {x} + {y}"
                        );
                        let help = "check the units; `allow_unphysical_inertia = true` accepts it as it is";
                        (&["inertia", "shape", "shapes"], message, help)
                    }
                    MassError::NotFinite(what) => (
                        &["inertia", "shape", "shapes"],
                        format!("the {what} is not finite"),
                        "check the sizes",
                    ),
                };
                (given(path, fields), message, help)
            }
            BuildError::Number { part, name, field, value, want } => {
                let path = given(FieldPath::item(table(part), name), &[field]);
                (path, format!("{field} is {value}"), *want)
            }
            BuildError::DoesNotFit { part, name, kind, body, body_kind, why } => {
                let path = FieldPath::item(table(part), name);
                let named = |field: &&str| {
                    let node = self.document.get(&path.join(*field));
                    node.is_some_and(|n| matches!(&n.value, Value::Text(own) if **own == **body))
                };
                let end = ["a", "b", "body"].into_iter().find(named);
                let path = end.map_or(path.clone(), |field| path.join(field));
                let message = format!(
                    "{} {part} does not fit `{body}`, {}: {why}",
                    with_article(kind),
                    with_article(body_kind)
                );
                let help = match *part {
                    "joint" => "a spherical or a distance joint at its origin fits; or make the body `rigid`",
                    "limit of joint" | "dry friction of joint" => {
                        "give the body the kind `rigid` or `planar`"
                    }
                    _ => "give the body the kind `rigid` or `planar`, or leave the point out",
                };
                (path, message, help)
            }
            BuildError::NotPlanar { joint: name, kind, why } => {
                let path =
                    given(joint(name), &["axis", "axis_in_a", "frame_in_a", "axis_in_b", "frame_in_b"]);
                let message = format!("{} joint between planar bodies: {why}", with_article(kind));
                (path, message, "planar bodies stay in x–y")
            }
            BuildError::ForceOnItself { force: name, end } => {
                let message = format!("the force acts between `{end}` and itself");
                (FieldPath::item("forces", name).join("b"), message, "a and b must differ")
            }
            BuildError::SameBody { joint: name, end } => {
                let message = format!("the joint connects `{end}` with itself");
                (joint(name).join("b"), message, "a and b must differ")
            }
            BuildError::NoAxis { joint: name, kind } => {
                let message = format!("{} joint needs a direction", with_article(kind));
                (given(joint(name), &["axis"]), message, "for example axis = [0, 0, 1]")
            }
            // The description was checked for the rest before; should one get through, it says what it knows.
            other => {
                let path = match other {
                    BuildError::DuplicateName { part, name } | BuildError::UnknownBody { part, name } => {
                        FieldPath::item(table(part), name)
                    }
                    BuildError::NoCoordinate { joint: name, .. } => {
                        given(joint(name), &["drive", "servo", "motor", "spring", "friction"])
                    }
                    BuildError::NotSmooth { joint: name, .. } | BuildError::TwoDrives { joint: name, .. } => {
                        joint(name).join("drive")
                    }
                    BuildError::GeneralForm { body, .. } => FieldPath::item("bodies", body),
                    BuildError::Law { part, name, .. } => FieldPath::item(table(part), name),
                    BuildError::NoSuchJoint { name }
                    | BuildError::CouplesNothing { name, .. }
                    | BuildError::MotorCount { name, .. }
                    | BuildError::NoCoupledCoordinate { name, .. } => joint(name),
                    BuildError::NoCross { joint: name } | BuildError::LocksNothing { joint: name } => {
                        joint(name)
                    }
                    _ => FieldPath::default(),
                };
                let message = other.to_string();
                return SceneError::at(self.document, path, message, None).with_kind(ErrorKind::BadValue);
            }
        };
        self.bad(path, message, help)
    }
}

/// To six digits: eigenvalues carry rounding that the file has not.
fn rounded(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

/// `1 value`, `2 values`.
pub(crate) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

impl Lower<'_> {
    fn placed_shape(
        &self,
        path: &FieldPath,
        name: &str,
        body: &BodyDesc,
        desc: &ShapeDesc,
    ) -> Result<PlacedShape, SceneError> {
        let Some(FacetedShape { solid: Some(solid), .. }) = self.faceted(path, desc, self.is_flat(name))?
        else {
            return Ok(plain_shape(desc));
        };
        if body.inertia.is_none() && !body.kind.is_particle() && solid.volume() <= 0.0 {
            let (message, help) = if solid.volume() < 0.0 {
                ("the mesh is inside out", "turn its triangles around: counter-clockwise seen from outside")
            } else {
                ("an open mesh encloses nothing", "close it, or give the body an `inertia`")
            };
            return Err(self.bad(path.clone(), message, help));
        }
        let is_prism = desc.vertices.iter().flatten().any(|v| matches!(v, Planar::Plane(_)));
        let shares = body.density.is_some() || body.all_shapes().len() > 1;
        if is_prism && desc.thickness.is_none() && shares {
            let help = "give the hull a `thickness`";
            let message = "corners [x, y] without a thickness have no volume";
            return Err(self.bad(path.join("vertices"), message, help));
        }
        let frame = Frame { pos: point(desc.position.as_ref()), rot: rotation(desc.orientation.as_ref()) };
        Ok(PlacedShape { shape: SolidShape::Polyhedron(solid), frame })
    }
}

fn plain_shape(desc: &ShapeDesc) -> PlacedShape {
    let length = |l: Option<Length>| l.map_or(0.0, f64::from);
    let edge = |i: usize| desc.size.as_ref().and_then(|s| s.get(i)).map_or(0.0, |&l| l.into());
    let (radius, long) = (length(desc.radius), length(desc.length));
    let shape = match desc.kind {
        ShapeKind::Box => SolidShape::Box { size: [edge(0), edge(1), edge(2)] },
        ShapeKind::Sphere => SolidShape::Sphere { radius },
        ShapeKind::Cylinder => SolidShape::Cylinder { radius, length: long },
        ShapeKind::Capsule => SolidShape::Capsule { radius, length: long },
        ShapeKind::Rod => SolidShape::Rod { length: long, radius },
        ShapeKind::Plate => SolidShape::Plate { size: [edge(0), edge(1)], thickness: length(desc.thickness) },
        // Bodies have none.
        ShapeKind::Plane | ShapeKind::Terrain | ShapeKind::Hull | ShapeKind::Mesh => {
            SolidShape::Plate { size: [0.0; 2], thickness: 0.0 }
        }
    };
    let frame = Frame { pos: point(desc.position.as_ref()), rot: rotation(desc.orientation.as_ref()) };
    PlacedShape { shape, frame }
}

/// "a revolute", "an oldham"; "a universal" too.
pub(crate) fn with_article(kind: &str) -> String {
    let vowel = kind.starts_with(['a', 'e', 'i', 'o']);
    format!("{} {kind}", if vowel { "an" } else { "a" })
}
