//! From a description to a model: defaults filled in, frames made from anchors and axes, every mistake traced back to
//! its field.

mod build_error;
mod contacts;
mod curves;
mod drives;
mod forces;
mod frames;
mod general_bodies;
mod settings;
mod shapes;
mod start;

use cardan::joint::ClosedForm;
use cardan::math::{Quat, Sym3, Vec3};
use cardan::{
    Body, BodyId, End, Frame, Gravity, MassProperties, Model, ModelBuilder, PlacedShape, Probe, Settings,
    SolidShape,
};

use crate::document::{Document, FieldPath};
use crate::error::{ErrorKind, SceneError};
use crate::kind::{JointIds, NamedJoint, index_joints};
use crate::quantity::{Dimension, Length, Number, Quantity};
use crate::scene::{
    BodyDesc, BodyKindDesc, FrameDesc, GROUND, Inertia, JointDesc, Orientation, Planar, Scene, ShapeDesc,
    ShapeKind,
};
use shapes::{FacetedShape, ShapeCache};

impl Scene {
    /// Builds the model of all parts, also of those that the script switches off. `document` is the text of this scene:
    /// mistakes are shown in it.
    pub fn to_model(&self, document: &Document) -> Result<Model, SceneError> {
        let model =
            self.lowered(document, |lower, parts| parts.build().map_err(|error| lower.build_error(error)))?;
        start::placed(self, document, model)
    }

    /// The parts of the model as the scene poses them, to be put together by [`cardan::World::of`].
    pub fn to_parts(&self, document: &Document) -> Result<ModelBuilder, SceneError> {
        self.lowered(document, |_, parts| Ok(parts))
    }

    pub(crate) fn lowered<T>(
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

    /// Integrator, stabilisation, solver and coordinates. The document is where a mistake would be shown.
    pub fn settings(&self, _document: &Document) -> Result<Settings, SceneError> {
        Ok(self.simulation.settings())
    }

    fn index_bodies(&self) -> std::collections::BTreeMap<&str, usize> {
        self.bodies.iter().enumerate().map(|(i, (name, _))| (name, i)).collect()
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
    /// Scales of a body along its axes; `None` for bodies that do not scale.
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
    // Zero axes and quaternions were refused when the document was typed.
    rot.unwrap_or(Quat::IDENTITY)
}
/// Where a shape sits in its body.
pub(crate) fn frame_of_shape(desc: &ShapeDesc) -> Frame {
    frame(&FrameDesc { position: desc.position, orientation: desc.orientation })
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

    /// The kind of a body; `None` for the ground.
    pub(crate) fn kind_of(&self, name: &str) -> Option<crate::scene::BodyKindDesc> {
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
        kind.is_none_or(|kind| matches!(kind, BodyKindDesc::Planar | BodyKindDesc::PlanarParticle))
    }

    /// Whether there are bodies, and all of them stay in the x–y plane.
    pub(crate) fn all_flat(&self) -> bool {
        let mut bodies = self.scene.bodies.iter().map(|(name, _)| name).peekable();
        bodies.peek().is_some() && bodies.all(|name| self.is_flat(name))
    }

    /// Whether a body in space has shapes that may touch others.
    pub(crate) fn has_shapes_in_space(&self) -> bool {
        let touches = |body: &BodyDesc| body.all_shapes().iter().any(|shape| shape.collide != Some(false));
        let mut bodies = self.scene.bodies.iter();
        self.scene.has_contacts() && bodies.any(|(name, body)| !self.is_flat(name) && touches(body))
    }

    /// Poses of the bodies a and b of a joint.
    pub(crate) fn poses(&self, desc: &JointDesc) -> (Pose, Pose) {
        let (a, b) = desc.ends();
        (self.pose(a), self.pose(b))
    }

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
                BodyKindDesc::Rigid => cardan::BodyKind::Rigid,
                BodyKindDesc::Particle => cardan::BodyKind::Particle,
                BodyKindDesc::Planar => cardan::BodyKind::Planar,
                BodyKindDesc::PlanarParticle => cardan::BodyKind::PlanarParticle,
                // Made in `general_bodies.rs`.
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
            // Everything is given: the shapes are geometry alone.
            _ if desc.inertia.is_some() && desc.center_of_mass.is_some() => MassProperties::of_point(mass),
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
