//! Homogeneous solids. Long shapes lie along the body's x axis.

use super::{Frame, Polyhedron};
use crate::math::{Sym3, Vec3};
use std::sync::Arc;

/// A solid of constant density, for mass, inertia and drawings; centred on its own origin but for those with corners. It keeps nothing away:
/// that is a [`contact::Shape`](crate::contact::Shape).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SolidShape {
    /// A box with full edge lengths.
    Box {
        /// Edge lengths along x, y, z \[m\].
        size: [f64; 3],
    },
    /// A ball.
    Sphere {
        /// Radius \[m\].
        radius: f64,
    },
    /// A circular cylinder along x.
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Length along x \[m\].
        length: f64,
    },
    /// A cylinder along x with a half ball at each end.
    Capsule {
        /// Radius \[m\].
        radius: f64,
        /// Length of the cylindrical part along x, without the caps \[m\].
        length: f64,
    },
    /// A thin rod along x: m l²/12 across; along it m r²/2, nothing if the radius is zero.
    Rod {
        /// Length along x \[m\].
        length: f64,
        /// Radius \[m\]; used only for the inertia along x and for drawing. Zero: an ideal line.
        radius: f64,
    },
    /// A thin rectangular plate in the x–y plane.
    Plate {
        /// Edge lengths along x and y \[m\].
        size: [f64; 2],
        /// Thickness along z \[m\], used only for the volume; zero: an ideal plate, whose mass must be given.
        thickness: f64,
    },
    /// A hull, or what a mesh encloses; its origin is wherever its corners are given from.
    #[cfg_attr(feature = "serde", serde(skip))]
    Polyhedron(Arc<Polyhedron>),
}

impl SolidShape {
    /// The name used in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            SolidShape::Box { .. } => "box",
            SolidShape::Sphere { .. } => "sphere",
            SolidShape::Cylinder { .. } => "cylinder",
            SolidShape::Capsule { .. } => "capsule",
            SolidShape::Rod { .. } => "rod",
            SolidShape::Plate { .. } => "plate",
            SolidShape::Polyhedron(solid) => solid.kind(),
        }
    }

    /// The dimensions, for checks: each must be finite and not negative.
    pub fn lengths(&self) -> [f64; 3] {
        match *self {
            SolidShape::Box { size } => size,
            SolidShape::Sphere { radius } => [radius, radius, radius],
            SolidShape::Cylinder { radius, length }
            | SolidShape::Capsule { radius, length }
            | SolidShape::Rod { length, radius } => [length, radius, radius],
            SolidShape::Plate { size: [x, y], thickness } => [x, y, thickness],
            SolidShape::Polyhedron(ref solid) => solid.half(),
        }
    }

    /// Volume \[m³\]; zero for an ideal line or plate.
    pub fn volume(&self) -> f64 {
        use core::f64::consts::PI;
        match *self {
            SolidShape::Box { size: [x, y, z] } => x * y * z,
            SolidShape::Sphere { radius: r } => 4.0 / 3.0 * PI * r * r * r,
            SolidShape::Cylinder { radius: r, length: l } | SolidShape::Rod { radius: r, length: l } => {
                PI * r * r * l
            }
            SolidShape::Capsule { radius: r, length: l } => PI * r * r * l + 4.0 / 3.0 * PI * r * r * r,
            SolidShape::Plate { size: [x, y], thickness } => x * y * thickness,
            SolidShape::Polyhedron(ref solid) => solid.volume(),
        }
    }

    /// Its centre of mass, from its own origin.
    pub fn center(&self) -> Vec3 {
        match self {
            SolidShape::Polyhedron(solid) => solid.center(),
            _ => Vec3::ZERO,
        }
    }

    /// Inertia about its centre of mass for a total mass of `mass`.
    pub fn inertia(&self, mass: f64) -> Sym3 {
        let (xx, yy, zz) = match *self {
            SolidShape::Box { size: [x, y, z] } => {
                ((y * y + z * z) / 12.0, (x * x + z * z) / 12.0, (x * x + y * y) / 12.0)
            }
            SolidShape::Sphere { radius: r } => {
                let i = 0.4 * r * r;
                (i, i, i)
            }
            SolidShape::Cylinder { radius: r, length: l } => {
                let across = (3.0 * r * r + l * l) / 12.0;
                (0.5 * r * r, across, across)
            }
            SolidShape::Capsule { radius: r, length: l } => capsule(r, l),
            SolidShape::Rod { length: l, radius: r } => {
                let across = l * l / 12.0;
                (0.5 * r * r, across, across)
            }
            SolidShape::Plate { size: [x, y], .. } => (y * y / 12.0, x * x / 12.0, (x * x + y * y) / 12.0),
            SolidShape::Polyhedron(ref solid) => return solid.inertia().scaled(mass),
        };
        Sym3::diagonal(xx * mass, yy * mass, zz * mass)
    }
}

/// Inertia per unit mass of a capsule: a cylinder of length l and two half balls whose centroids lie 3r/8 beyond
/// its ends. A half ball about its own centroid, across: 83/320 r²; along: 2/5 r².
fn capsule(r: f64, l: f64) -> (f64, f64, f64) {
    // Shares of the volume, both divided by π r².
    let (cylinder, balls) = (l, 4.0 / 3.0 * r);
    let total = cylinder + balls;
    if total == 0.0 {
        return (0.0, 0.0, 0.0);
    }
    let arm = 0.5 * l + 3.0 / 8.0 * r;
    let along = (cylinder * 0.5 * r * r + balls * 0.4 * r * r) / total;
    let across =
        (cylinder * (3.0 * r * r + l * l) / 12.0 + balls * (83.0 / 320.0 * r * r + arm * arm)) / total;
    (along, across, across)
}

/// A shape somewhere in its body.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlacedShape {
    /// The solid.
    pub shape: SolidShape,
    /// Where it sits in the body frame.
    pub frame: Frame,
}

impl PlacedShape {
    /// At the body frame's origin, along its axes.
    pub fn at_origin(shape: SolidShape) -> Self {
        PlacedShape { shape, frame: Frame::default() }
    }

    /// Its centre of mass in the body frame.
    pub fn center(&self) -> Vec3 {
        match &self.shape {
            SolidShape::Polyhedron(solid) => self.frame.pos + self.frame.rot * solid.center(),
            _ => self.frame.pos,
        }
    }
}
