//! Polyhedral view of a shape: vertices, edges, faces; of a capsule one edge, of a sphere one vertex.

use crate::aabb::{greater, lesser};
use cardan_solve::math::{Vec3, vec3};

/// An edge: its ends, and the vertex that follows it in either of its faces.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Edge {
    pub(crate) ends: [u32; 2],
    pub(crate) wings: [u32; 2],
}

/// A polyhedron with a radius around it. Loops are counter-clockwise seen from outside.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Solid<'s> {
    pub(crate) vertices: &'s [Vec3],
    pub(crate) normals: &'s [Vec3],
    pub(crate) edges: &'s [Edge],
    /// Where the vertices of each face begin in `loops`, and where the last ends.
    pub(crate) starts: &'s [u32],
    pub(crate) loops: &'s [u32],
    /// The edge after each vertex of a loop.
    pub(crate) loop_edges: &'s [u32],
    pub(crate) radius: f64,
    /// About half its extent: the scale of tolerances.
    pub(crate) size: f64,
}

/// Vertices around a face, or of the only edge or point.
#[derive(Copy, Clone, Debug)]
pub(crate) struct FaceLoop<'s> {
    pub(crate) face: Option<usize>,
    pub(crate) corners: &'s [u32],
    pub(crate) sides: &'s [u32],
}

impl<'s> Solid<'s> {
    pub(crate) fn vertex(&self, i: u32) -> Vec3 {
        self.vertices[i as usize]
    }

    pub(crate) fn ends(&self, edge: usize) -> [Vec3; 2] {
        self.edges[edge].ends.map(|i| self.vertex(i))
    }

    /// A point of a face.
    pub(crate) fn on_face(&self, f: usize) -> Vec3 {
        self.vertex(self.loops[self.starts[f] as usize])
    }

    pub(crate) fn face_loop(&self, f: usize) -> FaceLoop<'s> {
        let range = self.starts[f] as usize..self.starts[f + 1] as usize;
        FaceLoop { face: Some(f), corners: &self.loops[range.clone()], sides: &self.loop_edges[range] }
    }

    /// The face whose normal is most along n, or the only edge or point if there are no faces.
    pub(crate) fn facing(&self, n: Vec3) -> FaceLoop<'s> {
        let mut best = (0, f64::NEG_INFINITY);
        for (f, normal) in self.normals.iter().enumerate() {
            let d = normal.dot(n);
            // Ties, within rounding, go to the first.
            if d > best.1 + 1e-9 {
                best = (f, d);
            }
        }
        if self.normals.is_empty() {
            let corners: &'static [u32] = if self.vertices.len() > 1 { &[0, 1] } else { &[0] };
            let sides: &'static [u32] = if self.vertices.len() > 1 { &[0] } else { &[] };
            return FaceLoop { face: None, corners, sides };
        }
        self.face_loop(best.0)
    }

    /// Greatest n·x.
    pub(crate) fn support(&self, n: Vec3) -> f64 {
        self.vertices.iter().fold(f64::NEG_INFINITY, |m, &v| greater(m, n.dot(v)))
    }

    /// Least n·x.
    pub(crate) fn floor(&self, n: Vec3) -> f64 {
        self.vertices.iter().fold(f64::INFINITY, |m, &v| lesser(m, n.dot(v)))
    }

    /// True if the foot of x on a face is in it, or outside by at most `tol`.
    #[inline]
    pub(crate) fn above(&self, f: usize, x: Vec3, tol: f64) -> bool {
        let (n, face_loop) = (self.normals[f], self.face_loop(f).corners);
        let mut p = self.vertex(face_loop[face_loop.len() - 1]);
        for &i in face_loop {
            let q = self.vertex(i);
            let out = (q - p).cross(n);
            let beyond = out.dot(x - p);
            if beyond > 0.0 && beyond > tol * out.norm() {
                return false;
            }
            p = q;
        }
        true
    }
}

/// Where two lines, through the origin along u and through `d` along v, are nearest to each other, as distances along
/// unit vectors; `None` if they are parallel.
pub(crate) fn foot(u: Vec3, v: Vec3, d: Vec3) -> Option<[f64; 2]> {
    let c = u.cross(v);
    let square = c.dot(c);
    if square > 1e-18 { Some([d.cross(v).dot(c) / square, d.cross(u).dot(c) / square]) } else { None }
}

/// Vertex of a box by its bits: set means the positive side of x (1), y (2), z (4).
pub(crate) fn box_vertex(half: Vec3, v: u32) -> Vec3 {
    let side = |k: u32, h: f64| if v >> k & 1 == 1 { h } else { -h };
    vec3(side(0, half.x), side(1, half.y), side(2, half.z))
}

/// The edge of a box along axis k through a vertex.
pub(crate) fn box_edge(k: usize, v: u32) -> u32 {
    let bit = |i: u32| v >> i & 1;
    match k {
        0 => bit(1) + 2 * bit(2),
        1 => 4 + bit(0) + 2 * bit(2),
        _ => 8 + bit(0) + 2 * bit(1),
    }
}

const fn edge(a: u32, b: u32, w0: u32, w1: u32) -> Edge {
    Edge { ends: [a, b], wings: [w0, w1] }
}

/// Edges of a box: four along x, four along y, four along z.
pub(crate) const BOX_EDGES: [Edge; 12] = [
    edge(0, 1, 2, 4),
    edge(2, 3, 0, 6),
    edge(4, 5, 6, 0),
    edge(6, 7, 4, 2),
    edge(0, 2, 1, 4),
    edge(1, 3, 0, 5),
    edge(4, 6, 5, 0),
    edge(5, 7, 4, 1),
    edge(0, 4, 1, 2),
    edge(1, 5, 0, 3),
    edge(2, 6, 3, 0),
    edge(3, 7, 2, 1),
];
/// Faces of a box: +x, −x, +y, −y, +z, −z.
pub(crate) const BOX_NORMALS: [Vec3; 6] = [
    vec3(1.0, 0.0, 0.0),
    vec3(-1.0, 0.0, 0.0),
    vec3(0.0, 1.0, 0.0),
    vec3(0.0, -1.0, 0.0),
    vec3(0.0, 0.0, 1.0),
    vec3(0.0, 0.0, -1.0),
];
pub(crate) const BOX_STARTS: [u32; 7] = [0, 4, 8, 12, 16, 20, 24];
pub(crate) const BOX_LOOPS: [u32; 24] =
    [1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3, 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1];
pub(crate) const BOX_LOOP_EDGES: [u32; 24] =
    [5, 11, 7, 9, 8, 6, 10, 4, 10, 3, 11, 1, 0, 9, 2, 8, 2, 7, 3, 6, 4, 1, 5, 0];

pub(crate) fn box_vertices(half: Vec3) -> [Vec3; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|v| box_vertex(half, v))
}

pub(crate) fn box_solid<'s>(vertices: &'s [Vec3], normals: &'s [Vec3], half: Vec3) -> Solid<'s> {
    Solid {
        vertices,
        normals,
        edges: &BOX_EDGES,
        starts: &BOX_STARTS,
        loops: &BOX_LOOPS,
        loop_edges: &BOX_LOOP_EDGES,
        radius: 0.0,
        size: half.norm(),
    }
}

/// One edge, or with a single vertex one point.
pub(crate) fn thin_solid(vertices: &[Vec3], radius: f64, size: f64) -> Solid<'_> {
    const SEGMENT: [Edge; 1] = [edge(0, 1, 0, 0)];
    let edges: &'static [Edge] = if vertices.len() > 1 { &SEGMENT } else { &[] };
    Solid { vertices, normals: &[], edges, starts: &[0], loops: &[], loop_edges: &[], radius, size }
}
