//! Collision shapes of robot files as shapes of a scene, and what may touch what.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use cardan::Frame;
use cardan::contact::Hull;
use cardan::math::{Quat, Vec3};

use super::paths::{FileFinder, FoundFile, outside, relative};
use super::report::ImportReport;
use super::space::{lengths, numbers, orientation};
use super::urdf::{Form, Geometry, Link};
use super::xml::XmlText;
use super::{ImportOptions, MeshUse};
use crate::document::clip;
use crate::error::SceneError;
use crate::mesh_file::MeshFile;
use crate::quantity::{Length, Number};
use crate::scene::{
    BodyDesc, ContactFriction, ContactsDesc, GroundDesc, IntegratorDesc, MaterialDesc, MeshScale,
    OverlapsDesc, Scene, ShapeDesc, ShapeKind,
};

/// The friction of a floor that is asked for: rubber on concrete.
pub(crate) const FLOOR_FRICTION: f64 = 0.8;

/// The material of a robot on a floor.
const MATERIAL: &str = "contact";

/// A floor at a height.
pub(crate) fn floor_plane(height: f64, material: String) -> ShapeDesc {
    let position = (height != 0.0).then(|| lengths([0.0, 0.0, height]));
    // A plane without a normal would turn with gravity.
    let normal = Some(numbers([0.0, 0.0, 1.0]));
    ShapeDesc { position, normal, material: Some(material), ..ShapeDesc::new(ShapeKind::Plane) }
}

/// The collision group of a robot's links, or of those of one of its trees: they do not touch each other.
pub(crate) fn group_name(options: &ImportOptions, tree: Option<&str>) -> String {
    let of = tree.map_or(String::new(), |tree| format!(" of {tree}"));
    format!("{}links{of}", options.prefix)
}

/// Most triangles of a mesh that is read.
const MAX_TRIANGLES: usize = 2_000_000;

/// Collects the shapes of a robot.
pub(crate) struct ShapeWriter<'o> {
    finder: &'o FileFinder<'o>,
    options: &'o ImportOptions,
    ground: Vec<ShapeDesc>,
    /// Whether a body has shapes that collide.
    is_colliding: bool,
    /// What each mesh file gives, by the bits of its scale.
    meshes: BTreeMap<(PathBuf, [u64; 3]), MeshOutcome>,
}

impl<'o> ShapeWriter<'o> {
    pub(crate) fn new(finder: &'o FileFinder<'o>, options: &'o ImportOptions) -> Self {
        Self { finder, options, ground: Vec::new(), is_colliding: false, meshes: BTreeMap::new() }
    }

    /// Shapes of a link whose frame in its body is given: those of contact, or without them the simple ones of its
    /// picture, which touch nothing.
    pub(crate) fn add_link(
        &mut self,
        text: &XmlText<'_>,
        link: &Link,
        frame: &Frame,
        found: &mut Vec<ShapeDesc>,
        report: &mut ImportReport,
    ) -> Result<(), SceneError> {
        for geometry in &link.collisions {
            if let Some(shape) = self.shape(text, geometry, frame, report)? {
                report.used("collision shape", text.line(geometry.at.start));
                found.push(shape);
            }
        }
        for geometry in &link.visuals {
            let line = text.line(geometry.at.start);
            if !link.collisions.is_empty() {
                report.ignored("<visual> of a link with a <collision>", line);
            } else if matches!(geometry.form, Form::Mesh { .. }) {
                report.ignored("mesh of a <visual>", line);
            } else if let Some(mut shape) = self.shape(text, geometry, frame, report)? {
                report.used("shape of a <visual>: drawn, without contact", line);
                shape.collide = Some(false);
                found.push(shape);
            }
        }
        Ok(())
    }

    /// A shape in the frame of a body; `frame` is that of its link in the body.
    pub(crate) fn shape(
        &mut self,
        text: &XmlText<'_>,
        geometry: &Geometry,
        frame: &Frame,
        report: &mut ImportReport,
    ) -> Result<Option<ShapeDesc>, SceneError> {
        let mut at = super::space::compose(frame, &geometry.frame);
        // Cylinders lie along z in a robot file and along x in a scene.
        let upright = Quat::from_axis_angle(Vec3::Y, -0.5 * core::f64::consts::PI).unwrap_or(Quat::IDENTITY);
        let shape = match &geometry.form {
            Form::Box(size) => {
                let size = Some(size.iter().map(|&edge| Length(edge)).collect());
                ShapeDesc { size, ..ShapeDesc::new(ShapeKind::Box) }
            }
            Form::Sphere(radius) => {
                ShapeDesc { radius: Some(Length(*radius)), ..ShapeDesc::new(ShapeKind::Sphere) }
            }
            Form::Capsule { radius, length } if *length == 0.0 => {
                ShapeDesc { radius: Some(Length(*radius)), ..ShapeDesc::new(ShapeKind::Sphere) }
            }
            Form::Cylinder { radius, length } | Form::Capsule { radius, length } => {
                at.rot = at.rot * upright;
                let is_capsule = matches!(geometry.form, Form::Capsule { .. });
                let kind = if is_capsule { ShapeKind::Capsule } else { ShapeKind::Cylinder };
                let (radius, length) = (Some(Length(*radius)), Some(Length(*length)));
                ShapeDesc { radius, length, ..ShapeDesc::new(kind) }
            }
            Form::Mesh { uri, scale } => {
                let Some((shape, center)) = self.mesh(text, geometry, uri, *scale, report)? else {
                    return Ok(None);
                };
                at.pos += at.rot * center;
                shape
            }
        };
        let position = (at.pos != Vec3::ZERO).then(|| lengths(at.pos.to_array()));
        Ok(Some(ShapeDesc { position, orientation: orientation(at.rot), ..shape }))
    }

    /// A mesh by its file, and where the shape's centre is in its frame; `None` if it is left out.
    fn mesh(
        &mut self,
        text: &XmlText<'_>,
        geometry: &Geometry,
        uri: &str,
        scale: [f64; 3],
        report: &mut ImportReport,
    ) -> Result<Option<(ShapeDesc, Vec3)>, SceneError> {
        let line = text.line(geometry.at.start);
        if self.options.meshes == MeshUse::Leave {
            report.ignored("mesh, as asked", line);
            return Ok(None);
        }
        let file = match self.finder.find(uri) {
            FoundFile::At(file) => file,
            FoundFile::Missing(why) => {
                report.ignored(format!("mesh that cannot be found: {why}"), line);
                return Ok(None);
            }
            FoundFile::Outside(folder) => {
                let (message, help) = outside(uri, &folder);
                return Err(text.bad(geometry.at.clone(), message, &help));
            }
        };
        let ending = file.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        if !["stl", "obj", "dae"].contains(&ending.as_str()) {
            report.ignored(format!("mesh in a .{} file (.stl, .obj and .dae are read)", clip(&ending)), line);
            return Ok(None);
        }
        let name = match self.path_from_output(&file) {
            Ok(name) => name,
            Err(why) => {
                report.ignored(why, line);
                return Ok(None);
            }
        };
        let made = match self.meshes.entry((file, scale.map(f64::to_bits))) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let made = mesh_use(self.finder, &place.key().0, scale, self.options.meshes);
                place.insert(made)
            }
        };
        let kind = match made {
            MeshOutcome::Fits(kind) => *kind,
            MeshOutcome::Box { why, center, size } => {
                report.approximated(why.clone(), line);
                let size = Some(size.iter().map(|&edge| Length(edge)).collect());
                return Ok(Some((ShapeDesc { size, ..ShapeDesc::new(ShapeKind::Box) }, *center)));
            }
            MeshOutcome::Ignored(why) => {
                report.ignored(why.clone(), line);
                return Ok(None);
            }
        };
        if kind == ShapeKind::Hull {
            report.approximated("mesh: its convex hull", line);
        }
        let scale = match scale {
            [x, y, z] if x == y && y == z && x > 0.0 => (x != 1.0).then_some(MeshScale::All(Number(x))),
            each => Some(MeshScale::Each(numbers(each))),
        };
        Ok(Some((ShapeDesc { file: Some(name), scale, ..ShapeDesc::new(kind) }, Vec3::ZERO)))
    }

    /// The path that the scene names a file by, or why it cannot.
    fn path_from_output(&self, file: &Path) -> Result<String, String> {
        let folder = match &self.options.output_folder {
            // The paths are those from the folder of the scene.
            _ if self.finder.is_provided() => Ok(PathBuf::new()),
            None => Ok(self.finder.folder().to_path_buf()),
            Some(folder) if folder.as_os_str().is_empty() => Path::new(".").canonicalize(),
            Some(folder) => folder.canonicalize(),
        };
        let folder = folder.map_err(|why| format!("mesh: the folder of the scene cannot be found: {why}"))?;
        let path = relative(file, &folder);
        path.to_str().map(str::to_string).ok_or_else(|| "mesh whose path is not UTF-8".to_string())
    }

    pub(crate) fn add_ground(&mut self, mut found: Vec<ShapeDesc>) {
        if !self.is_touched() {
            for shape in &mut found {
                shape.collide = Some(false);
            }
        }
        self.finish_shapes(&mut found);
        self.ground.extend(found);
    }

    pub(crate) fn add_body(&mut self, name: &str, body: BodyDesc, found: Vec<ShapeDesc>, scene: &mut Scene) {
        self.is_colliding |= found.iter().any(|shape| shape.collide != Some(false));
        let mut body = body;
        let mut found = found;
        self.finish_shapes(&mut found);
        match found.len() {
            0 => {}
            1 => body.shape = found.pop(),
            _ => body.shapes = Some(found),
        }
        scene.bodies.push(name, body);
    }

    /// Whether anything can touch the robot.
    fn is_touched(&self) -> bool {
        self.options.floor.is_some() || self.options.is_part || self.options.self_collision
    }

    /// Material and collision group of the shapes that collide. One group for all links, those of a fixed root too, which
    /// are shapes of the ground: its shapes meet everything but the robot itself.
    fn finish_shapes(&self, found: &mut [ShapeDesc]) {
        for shape in found.iter_mut().filter(|shape| shape.collide != Some(false)) {
            if self.options.floor.is_some() {
                shape.material = Some(format!("{}{MATERIAL}", self.options.prefix));
            }
            if self.is_touched() && !self.options.self_collision {
                shape.group = Some(group_name(self.options, None));
            }
        }
    }

    /// The ground, and what does not collide: a robot's links with each other, unless asked.
    pub(crate) fn finish(mut self, scene: &mut Scene) {
        if let Some(height) = self.options.floor {
            let material = format!("{}{MATERIAL}", self.options.prefix);
            let friction = Some(ContactFriction::Both(Number(FLOOR_FRICTION)));
            scene.materials.push(material.clone(), MaterialDesc { friction, ..MaterialDesc::default() });
            self.ground.push(floor_plane(height, material));
            // Many contacts at once, some of them redundant: one problem per step.
            scene.simulation.integrator = Some(IntegratorDesc::TimeStepping);
        }
        if !self.ground.is_empty() {
            scene.ground = Some(GroundDesc { shapes: self.ground });
        }
        if self.options.self_collision && !self.options.is_part {
            // Shapes of real robots overlap where they start.
            scene.simulation.overlaps = Some(OverlapsDesc::Resolve);
        }
        if self.options.self_collision || (self.options.is_part && self.is_colliding) {
            scene.contacts = Some(ContactsDesc::default());
        }
    }
}

/// What a mesh file gives.
enum MeshOutcome {
    /// A shape by its file.
    Fits(ShapeKind),
    /// The box around it, and why.
    Box { why: String, center: Vec3, size: [f64; 3] },
    /// Nothing, and why.
    Ignored(String),
}

/// Reads a mesh and tries its shape.
fn mesh_use(finder: &FileFinder<'_>, file: &Path, scale: [f64; 3], wanted: MeshUse) -> MeshOutcome {
    if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("dae")) {
        return match super::dae::points(finder, file) {
            Err(why) => {
                MeshOutcome::Ignored(format!("mesh in a .dae file that cannot be read: {}", clip(&why)))
            }
            Ok(points) => {
                let scaled =
                    points.iter().map(|p| Vec3::from([p.x * scale[0], p.y * scale[1], p.z * scale[2]]));
                bounding_box(&scaled.collect::<Vec<_>>(), "a .dae file is read for its points alone")
            }
        };
    }
    let mesh = match MeshFile::found(finder, file, scale, MAX_TRIANGLES) {
        Ok(mesh) => mesh,
        Err(why) => return MeshOutcome::Ignored(format!("mesh that cannot be read: {}", clip(&why))),
    };
    let points: Vec<Vec3> = mesh.vertices.iter().map(|&v| v.into()).collect();
    let kind = if wanted == MeshUse::Exact { ShapeKind::Mesh } else { ShapeKind::Hull };
    let fits = match kind {
        ShapeKind::Mesh => cardan::contact::Mesh::new(points.clone(), mesh.triangles).err(),
        _ => Hull::new(&points).err(),
    };
    match fits {
        None => MeshOutcome::Fits(kind),
        Some(error) => bounding_box(&points, &error.to_string()),
    }
}

/// The box around a mesh that has no hull (too many corners) or is not read as one; nothing for one without volume.
fn bounding_box(points: &[Vec3], error: &str) -> MeshOutcome {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in points {
        for (k, x) in p.to_array().into_iter().enumerate() {
            low[k] = if x < low[k] { x } else { low[k] };
            high[k] = if x > high[k] { x } else { high[k] };
        }
    }
    let size = [0, 1, 2].map(|k| high[k] - low[k]);
    if !size.iter().all(|edge| *edge > 0.0 && edge.is_finite()) {
        return MeshOutcome::Ignored(format!("mesh without contact geometry: {error}"));
    }
    let center = Vec3::from([0, 1, 2].map(|k| 0.5 * (low[k] + high[k])));
    MeshOutcome::Box { why: format!("mesh: the box around it, since {error}"), center, size }
}
