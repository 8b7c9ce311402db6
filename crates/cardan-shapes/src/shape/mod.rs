//! Shapes, each in a frame of its own.

mod bvh;
mod hull;
mod mesh;
mod outline;
mod surface;
mod terrain;

pub use hull::Hull;
pub use mesh::Mesh;
pub(crate) use surface::Surface;
pub use terrain::Terrain;

use crate::aabb::Aabb;
use crate::error::{ShapeError, not_negative, positive};
use crate::pose::Pose;
use cardan_solve::math::{Vec3, vec3};
use std::sync::Arc;

/// A collision shape. Constructors check their numbers; invalid numbers in the fields give no contacts.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// The half-space z ≤ 0.
    Plane,
    /// A sphere; of radius zero, a point.
    Sphere {
        /// Radius \[m\].
        radius: f64,
    },
    /// A cylinder along x with a hemisphere at each end.
    Capsule {
        /// Radius \[m\].
        radius: f64,
        /// Length of the cylindrical part along x, without the caps \[m\].
        length: f64,
    },
    /// A box about the origin.
    Box {
        /// Full edge lengths along x, y, z \[m\].
        size: [f64; 3],
    },
    /// A circular cylinder along x.
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Length along x \[m\].
        length: f64,
    },
    /// The convex hull of points. Copies of the shape share it, as they do a mesh and a terrain.
    Hull(Arc<Hull>),
    /// A surface of triangles.
    Mesh(Arc<Mesh>),
    /// A height field z = h(x, y), solid below.
    Terrain(Arc<Terrain>),
}

impl Shape {
    /// A point: a sphere of radius zero.
    pub const POINT: Shape = Shape::Sphere { radius: 0.0 };

    /// A sphere of this radius \[m\].
    ///
    /// # Errors
    /// If the radius is negative or not finite.
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        Ok(Shape::Sphere { radius: not_negative("radius", radius)? })
    }

    /// A capsule along x; `length` is that of the cylindrical part \[m\].
    ///
    /// # Errors
    /// If the radius or the length is negative or not finite.
    pub fn capsule(radius: f64, length: f64) -> Result<Self, ShapeError> {
        Ok(Shape::Capsule {
            radius: not_negative("radius", radius)?,
            length: not_negative("length", length)?,
        })
    }

    /// A box with these full edge lengths \[m\].
    ///
    /// # Errors
    /// If an edge is not positive.
    pub fn cuboid(size: [f64; 3]) -> Result<Self, ShapeError> {
        for edge in size {
            positive("size", edge)?;
        }
        Ok(Shape::Box { size })
    }

    /// A cylinder along x \[m\].
    ///
    /// # Errors
    /// If the radius or the length is not positive.
    pub fn cylinder(radius: f64, length: f64) -> Result<Self, ShapeError> {
        Ok(Shape::Cylinder { radius: positive("radius", radius)?, length: positive("length", length)? })
    }

    /// The convex hull of points \[m\].
    ///
    /// # Errors
    /// If they are not finite, or all in a plane.
    pub fn hull(points: &[Vec3]) -> Result<Self, ShapeError> {
        Ok(Shape::Hull(Arc::new(Hull::new(points)?)))
    }

    /// A surface of triangles, counter-clockwise seen from outside.
    ///
    /// # Errors
    /// For vertices that are not finite or do not exist, and for triangles without an area; the error names
    /// the first such.
    pub fn mesh(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        Ok(Shape::Mesh(Arc::new(Mesh::new(vertices, triangles)?)))
    }

    /// A height field, a row per y and a number per x \[m\].
    ///
    /// # Errors
    /// For rows of different length, fewer than two each way, a spacing that is not positive, heights that
    /// are not finite.
    pub fn terrain(corner: [f64; 2], spacing: [f64; 2], rows: &[Vec<f64>]) -> Result<Self, ShapeError> {
        Ok(Shape::Terrain(Arc::new(Terrain::new(corner, spacing, rows)?)))
    }

    /// Name of the kind in scene files.
    pub fn kind(&self) -> &'static str {
        match self {
            Shape::Plane => "plane",
            Shape::Sphere { .. } => "sphere",
            Shape::Capsule { .. } => "capsule",
            Shape::Box { .. } => "box",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Hull(_) => "hull",
            Shape::Mesh(_) => "mesh",
            Shape::Terrain(_) => "terrain",
        }
    }

    /// Its axis-aligned bounding box in the world. That of a plane is all of space.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        match *self {
            Shape::Plane => Aabb::EVERYWHERE,
            Shape::Sphere { radius } => Aabb::about(pose.pos, vec3(radius, radius, radius)),
            Shape::Capsule { radius, length } => {
                Aabb::of_box(vec3(0.5 * length, 0.0, 0.0), pose).grown(radius)
            }
            Shape::Box { size } => Aabb::of_box(Vec3::from(size) * 0.5, pose),
            Shape::Cylinder { radius, length } => {
                let u = pose.rot.x;
                let reach = |k: f64| {
                    let rest = 1.0 - k * k;
                    0.5 * length * k.abs() + radius * if rest > 0.0 { rest.sqrt() } else { 0.0 }
                };
                Aabb::about(pose.pos, vec3(reach(u.x), reach(u.y), reach(u.z)))
            }
            Shape::Hull(ref hull) => Aabb::of(hull.vertices().iter().map(|&v| pose.point(v))),
            Shape::Mesh(ref mesh) => boxed(&mesh.bvh().bounds(), pose),
            Shape::Terrain(ref terrain) => boxed(&terrain.bounds(), pose),
        }
    }
}

/// The bounding box of a box in another frame.
pub(crate) fn boxed(b: &Aabb, pose: &Pose) -> Aabb {
    Aabb::of_box(b.half(), &Pose { pos: pose.point(b.center()), rot: pose.rot })
}
