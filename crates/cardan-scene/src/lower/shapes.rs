//! Shapes with corners, for the engine: hulls, meshes and terrains, inline or from files beside the scene.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use cardan::Polyhedron;
use cardan::contact::{Hull, Mesh, Shape, ShapeError};
use cardan::math::{Vec3, vec3};

use crate::document::FieldPath;
use crate::error::{ErrorKind, SceneError};
use crate::lower::Lower;
use crate::mesh_file::MeshFile;
use crate::scene::{MeshScale, Planar, ShapeDesc, ShapeKind};

/// Name of a file, and the bits of its scale.
type ScaledFile = (String, [u64; 3]);

/// Cache of shapes and of files, so that each is made once.
#[derive(Default)]
pub(crate) struct ShapeCache {
    shapes: RefCell<BTreeMap<String, FacetedShape>>,
    files: RefCell<BTreeMap<ScaledFile, Rc<MeshFile>>>,
}

/// A shape with corners: its contact geometry and its solid.
#[derive(Clone)]
pub(crate) struct FacetedShape {
    pub(crate) shape: Shape,
    pub(crate) solid: Option<Arc<Polyhedron>>,
}

impl Lower<'_> {
    /// A hull, mesh or terrain; `None` if the shape is none of these.
    pub(crate) fn faceted(
        &self,
        path: &FieldPath,
        desc: &ShapeDesc,
        is_flat: bool,
    ) -> Result<Option<FacetedShape>, SceneError> {
        if !matches!(desc.kind, ShapeKind::Hull | ShapeKind::Mesh | ShapeKind::Terrain) {
            return Ok(None);
        }
        let key = match (&desc.file, &desc.vertices) {
            // What comes from a file does not depend on who uses it.
            (Some(file), None) => format!("{:?} {file} {:?}", desc.kind, desc.scale),
            _ => path.to_string(),
        };
        if let Some(made) = self.shape_cache.shapes.borrow().get(&key) {
            return Ok(Some(made.clone()));
        }
        let faceted = match desc.kind {
            ShapeKind::Hull => self.hull_shape(path, desc, is_flat)?,
            ShapeKind::Mesh => self.mesh_shape(path, desc)?,
            _ => self.terrain_shape(path, desc)?,
        };
        self.shape_cache.shapes.borrow_mut().insert(key, faceted.clone());
        Ok(Some(faceted))
    }

    fn hull_shape(
        &self,
        path: &FieldPath,
        desc: &ShapeDesc,
        is_flat: bool,
    ) -> Result<FacetedShape, SceneError> {
        if let Some(file) = self.file(path, desc)? {
            let points: Vec<Vec3> = file.vertices.iter().map(|&v| v.into()).collect();
            let hull = Hull::new(&points).map_err(|error| self.faulty_file(path, desc, &file, &error))?;
            let solid = Some(Arc::new(Polyhedron::of_hull(&hull)));
            return Ok(FacetedShape { shape: Shape::Hull(Arc::new(hull)), solid });
        }
        let corners = desc.vertices.as_deref().unwrap_or_default();
        let is_prism = corners.iter().any(|v| matches!(v, Planar::Plane(_)));
        let points: Vec<Vec3> = corners.iter().map(|v| v.in_space().into()).collect();
        let reach = points.iter().fold(0.0_f64, |most, p| if p.norm() > most { p.norm() } else { most });
        let prism = |thickness: f64| -> Vec<Vec3> {
            let up = vec3(0.0, 0.0, 0.5 * thickness);
            points.iter().flat_map(|&p| [p - up, p + up]).collect()
        };
        let made = |points: &[Vec3]| {
            Hull::new(points).map_err(|error| {
                let at = match error {
                    ShapeError::NotFinite { vertex } => path.join("vertices").join(vertex),
                    _ => path.join("vertices"),
                };
                let (message, help) = match is_prism {
                    true => (
                        format!("the {} points lie on a line", points.len() / 2),
                        "a polygon needs three that do not",
                    ),
                    false => (error.to_string(), "to switch it off, say `collide = false`"),
                };
                self.bad(at, message, help)
            })
        };
        let thickness = desc.thickness.map(f64::from);
        let (shape, solid) = match (is_prism, is_flat) {
            (false, _) => {
                let hull = made(&points)?;
                (hull.clone(), hull)
            }
            // Among planar bodies the thickness does not matter; bodies in space meet the one that is given.
            (true, true) if !self.has_shapes_in_space() || desc.collide == Some(false) => {
                (made(&prism(4.0 * reach))?, made(&prism(thickness.unwrap_or(1.0)))?)
            }
            (true, _) => {
                let Some(thickness) = thickness else {
                    let message = "corners [x, y] without a thickness";
                    let help = "give `thickness` along z, half of it on either side, or corners [x, y, z]";
                    let error = self.bad(path.join("vertices"), message, help);
                    return Err(error.with_kind(ErrorKind::MissingField));
                };
                let hull = made(&prism(thickness))?;
                (hull.clone(), hull)
            }
        };
        Ok(FacetedShape {
            shape: Shape::Hull(Arc::new(shape)),
            solid: Some(Arc::new(Polyhedron::of_hull(&solid))),
        })
    }

    fn mesh_shape(&self, path: &FieldPath, desc: &ShapeDesc) -> Result<FacetedShape, SceneError> {
        let mesh = match self.file(path, desc)? {
            Some(file) => {
                let vertices = file.vertices.iter().map(|&v| v.into()).collect();
                Mesh::new(vertices, file.triangles.clone())
                    .map_err(|error| self.faulty_file(path, desc, &file, &error))?
            }
            None => {
                let corners = desc.vertices.as_deref().unwrap_or_default();
                let vertices = corners.iter().map(|v| v.in_space().into()).collect();
                let triangles = desc.triangles.clone().unwrap_or_default();
                Mesh::new(vertices, triangles).map_err(|error| {
                    let at = match error {
                        ShapeError::NoArea { triangle, .. }
                        | ShapeError::NoSuchVertex { triangle, .. }
                        | ShapeError::InsideOut { second: triangle, .. } => {
                            path.join("triangles").join(triangle)
                        }
                        ShapeError::NotFinite { vertex } => path.join("vertices").join(vertex),
                        _ => path.join("triangles"),
                    };
                    let help = "three corners by number, from 0, counter-clockwise seen from outside";
                    self.bad(at, error.to_string(), help)
                })?
            }
        };
        let solid = Polyhedron::of_mesh(&mesh);
        Ok(FacetedShape { shape: Shape::Mesh(Arc::new(mesh)), solid: Some(Arc::new(solid)) })
    }

    fn terrain_shape(&self, path: &FieldPath, desc: &ShapeDesc) -> Result<FacetedShape, SceneError> {
        let corner = desc.corner.map_or([0.0; 2], |corner| corner.map(f64::from));
        let spacing = desc.spacing.map_or([0.0; 2], |spacing| spacing.map(f64::from));
        let rows = desc.heights.as_deref().unwrap_or_default();
        let rows: Vec<Vec<f64>> =
            rows.iter().map(|row| row.iter().map(|&h| f64::from(h)).collect()).collect();
        let shape = Shape::terrain(corner, spacing, &rows).map_err(|error| {
            let at = match error {
                ShapeError::NotPositive { .. } => path.join("spacing"),
                ShapeError::NotRectangular { row, .. } => path.join("heights").join(row),
                _ => path.join("heights"),
            };
            self.bad(at, error.to_string(), "a row of heights per y, a number per x, two or more of each")
        })?;
        Ok(FacetedShape { shape, solid: None })
    }

    /// The mesh in the file of a shape, if it has one.
    fn file(&self, path: &FieldPath, desc: &ShapeDesc) -> Result<Option<Rc<MeshFile>>, SceneError> {
        let Some(name) = &desc.file else { return Ok(None) };
        let scale = desc.scale.map_or([1.0; 3], MeshScale::factors);
        let key = (name.clone(), scale.map(f64::to_bits));
        if let Some(known) = self.shape_cache.files.borrow().get(&key) {
            return Ok(Some(known.clone()));
        }
        let place = self.document.beside(name);
        let mesh_file = match self.document.provided(name) {
            Some(bytes) => MeshFile::of_bytes(Path::new(name), || bytes, scale, usize::MAX),
            None => MeshFile::read(&place, scale, usize::MAX),
        };
        let mesh_file = mesh_file.map_err(|message| {
            let help = "an .obj or .stl file, its path from the folder of the scene";
            self.bad(path.join("file"), message, help).with_kind(ErrorKind::Io)
        })?;
        let mesh_file = Rc::new(mesh_file);
        self.shape_cache.files.borrow_mut().insert(key, mesh_file.clone());
        Ok(Some(mesh_file))
    }

    fn faulty_file(
        &self,
        path: &FieldPath,
        desc: &ShapeDesc,
        file: &MeshFile,
        error: &ShapeError,
    ) -> SceneError {
        let place = match *error {
            ShapeError::NoArea { triangle, .. }
            | ShapeError::NoSuchVertex { triangle, .. }
            | ShapeError::InsideOut { second: triangle, .. } => format!("{}: ", file.place(triangle)),
            _ => String::new(),
        };
        let name = desc.file.as_deref().unwrap_or_default();
        let message = format!("{name}, {place}{error}");
        let message = if place.is_empty() { format!("{name}: {error}") } else { message };
        self.bad(path.join("file"), message, "repair the file first")
    }
}
