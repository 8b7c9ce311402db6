//! Solids with flat faces: volume, centre and inertia by tetrahedra from one point to every
//! triangle of the surface.
//!
//! ```text
//! V = Σ d/6              d = a · (b × c) of each triangle a, b, c, counter-clockwise from outside
//! V x̄ = Σ d/24 (a + b + c)
//! I = Σ d/120 [ P(a) + P(b) + P(c) + P(a + b + c) ]           P(r) = |r|² 1 − r rᵀ, per unit of density, about that point
//! ```

use crate::math::{Sym3, Vec3, larger};
use cardan_shapes::{Hull, Mesh};

/// A homogeneous solid with flat faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    kind: &'static str,
    vertices: Vec<Vec3>,
    /// Corners of all faces in sequence, counter-clockwise from outside, and the start of each
    /// face.
    loops: Vec<u32>,
    starts: Vec<u32>,
    volume: f64,
    center: Vec3,
    /// Inertia per unit of mass, about the centre \[m²\].
    inertia: Sym3,
}

impl Polyhedron {
    /// The solid of a convex hull.
    pub fn of_hull(hull: &Hull) -> Self {
        let vertices = hull.vertices().to_vec();
        let (mut loops, mut starts) = (Vec::new(), vec![0]);
        for f in 0..hull.faces() {
            loops.extend_from_slice(hull.corners(f));
            starts.push(loops.len() as u32);
        }
        Polyhedron::new("hull", vertices, loops, starts, true)
    }

    /// The solid that a mesh encloses. An open mesh has volume zero, one turned inside out a
    /// negative volume.
    pub fn of_mesh(mesh: &Mesh) -> Self {
        let loops: Vec<u32> = mesh.triangles().iter().flatten().copied().collect();
        let starts = (0..=mesh.triangles().len() as u32).map(|t| 3 * t).collect();
        Polyhedron::new("mesh", mesh.vertices().to_vec(), loops, starts, mesh.is_closed())
    }

    fn new(
        kind: &'static str,
        vertices: Vec<Vec3>,
        loops: Vec<u32>,
        starts: Vec<u32>,
        is_closed: bool,
    ) -> Self {
        let count = larger(1.0, vertices.len() as f64);
        // Relative to the middle, so that a solid far from its origin loses no digits.
        let middle = vertices.iter().fold(Vec3::ZERO, |sum, v| sum + *v) / count;
        let (mut volume, mut center, mut inertia) = (0.0, Vec3::ZERO, Sym3::default());
        for face in starts.windows(2).filter(|_| is_closed) {
            let ring = &loops[face[0] as usize..face[1] as usize];
            let at = |i: usize| vertices[ring[i] as usize] - middle;
            for k in 2..ring.len() {
                let (a, b, c) = (at(0), at(k - 1), at(k));
                let d = a.dot(b.cross(c));
                volume += d / 6.0;
                center += (a + b + c) * (d / 24.0);
                let squares =
                    Sym3::of_point(a) + Sym3::of_point(b) + Sym3::of_point(c) + Sym3::of_point(a + b + c);
                inertia = inertia + squares.scaled(d / 120.0);
            }
        }
        if volume != 0.0 {
            center = center / volume;
            inertia = inertia.scaled(1.0 / volume) + Sym3::of_point(center).scaled(-1.0);
            center += middle;
        }
        Polyhedron { kind, vertices, loops, starts, volume, center, inertia }
    }

    /// The kind of surface: "hull" or "mesh".
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The corners \[m\].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The faces, as corners counter-clockwise from outside.
    pub fn faces(&self) -> impl Iterator<Item = impl Iterator<Item = Vec3> + '_> {
        let ring = |face: &[u32]| {
            self.loops[face[0] as usize..face[1] as usize].iter().map(|&v| self.vertices[v as usize])
        };
        self.starts.windows(2).map(ring)
    }

    /// Volume \[m³\].
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Centre of mass \[m\]; the origin if the volume is zero.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Inertia per unit of mass about the centre \[m²\].
    pub fn inertia(&self) -> Sym3 {
        self.inertia
    }

    /// Half of the extent along x, y and z \[m\].
    pub(crate) fn half(&self) -> [f64; 3] {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for v in &self.vertices {
            for k in 0..3 {
                low[k] = if v[k] < low[k] { v[k] } else { low[k] };
                high[k] = if v[k] > high[k] { v[k] } else { high[k] };
            }
        }
        [0, 1, 2].map(|k| 0.5 * (high[k] - low[k]))
    }
}
