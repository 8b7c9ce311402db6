//! Convex polyhedra.
//!
//! The hull is built incrementally: faces visible from a new point are removed, and the border of the rest is
//! joined to it by triangles. Coplanar triangles are then merged into faces, and vertices of fewer than three
//! faces are dropped.

use super::super::collide::{Edge, Solid};
use crate::aabb::greater;
use crate::error::ShapeError;
use cardan_solve::math::Vec3;

/// A convex polyhedron: vertices, edges, and plane faces with any number of sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
    edges: Vec<Edge>,
    starts: Vec<u32>,
    loops: Vec<u32>,
    loop_edges: Vec<u32>,
    size: f64,
}

/// Most points of a hull.
const MAX_POINTS: usize = 20_000;
/// Points nearer to a face than this part of the size of the hull are in its plane.
const FLAT: f64 = 1e-10;

type Triangle = [usize; 3];

impl Hull {
    /// The convex hull of points; those inside or on faces are dropped.
    ///
    /// # Errors
    /// If a point is not finite, or all of them are in a plane.
    pub fn new(points: &[Vec3]) -> Result<Self, ShapeError> {
        if points.len() > MAX_POINTS {
            return Err(ShapeError::TooMany {
                what: "points of a hull",
                count: points.len(),
                most: MAX_POINTS,
            });
        }
        if let Some(vertex) = points.iter().position(|p| !p.is_finite()) {
            return Err(ShapeError::NotFinite { vertex });
        }
        let far = |from: &dyn Fn(Vec3) -> f64| {
            let mut best = (0, f64::NEG_INFINITY);
            for (i, &p) in points.iter().enumerate() {
                let d = from(p);
                if d > best.1 {
                    best = (i, d);
                }
            }
            best
        };
        let flat = |lie| ShapeError::Plane { points: points.len(), lie };
        let Some(&first) = points.first() else { return Err(flat("are none")) };
        // An initial tetrahedron, as large as is easy to find.
        let (i0, _) = far(&|p| (p - first).norm());
        let p0 = points[i0];
        let (i1, size) = far(&|p| (p - p0).norm());
        let tol = FLAT * size;
        let Some(along) = (points[i1] - p0).normalized() else { return Err(flat("are one and the same")) };
        let (i2, width) = far(&|p| (p - p0).cross(along).norm());
        if width <= tol {
            return Err(flat("lie on a line"));
        }
        let Some(normal) = (points[i1] - p0).cross(points[i2] - p0).normalized() else {
            return Err(flat("lie on a line"));
        };
        let (i3, depth) = far(&|p| normal.dot(p - p0).abs());
        if depth <= tol {
            return Err(flat("lie in a plane"));
        }
        let (i1, i2) = if normal.dot(points[i3] - p0) > 0.0 { (i2, i1) } else { (i1, i2) };
        let mut faces: Vec<(Triangle, Vec3)> = Vec::new();
        for t in [[i0, i1, i2], [i0, i3, i1], [i1, i3, i2], [i2, i3, i0]] {
            faces.push((t, normal_of(points, t)));
        }
        // Farthest points first make few slivers; the order is the same every time.
        let middle = (points[i0] + points[i1] + points[i2] + points[i3]) * 0.25;
        let mut order: Vec<usize> = (0..points.len()).collect();
        let distance: Vec<f64> = points.iter().map(|&p| (p - middle).norm()).collect();
        order.sort_by(|&i, &j| distance[j].total_cmp(&distance[i]).then(i.cmp(&j)));
        for i in order {
            if ![i0, i1, i2, i3].contains(&i) {
                add(points, &mut faces, i, tol);
            }
        }
        let hull = merge(points, &faces, size)?;
        for (i, &p) in points.iter().enumerate() {
            for f in 0..hull.normals.len() {
                let outside = hull.normals[f].dot(p - hull.corner(f));
                if outside.is_nan() || outside > 1e-7 * size {
                    return Err(ShapeError::NotConvex { point: i, outside });
                }
            }
        }
        Ok(hull)
    }

    /// Its vertices \[m\].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Number of faces.
    pub fn faces(&self) -> usize {
        self.normals.len()
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// Outward unit normal of a face, and its vertices, counter-clockwise from outside.
    pub fn face(&self, f: usize) -> (Vec3, impl Iterator<Item = Vec3> + '_) {
        let range = self.starts[f] as usize..self.starts[f + 1] as usize;
        (self.normals[f], self.loops[range].iter().map(|&i| self.vertices[i as usize]))
    }

    /// Indices of the vertices of a face, counter-clockwise from outside.
    pub fn corners(&self, f: usize) -> &[u32] {
        &self.loops[self.starts[f] as usize..self.starts[f + 1] as usize]
    }

    fn corner(&self, f: usize) -> Vec3 {
        self.vertices[self.loops[self.starts[f] as usize] as usize]
    }

    pub(crate) fn solid(&self) -> Solid<'_> {
        Solid {
            vertices: &self.vertices,
            normals: &self.normals,
            edges: &self.edges,
            starts: &self.starts,
            loops: &self.loops,
            loop_edges: &self.loop_edges,
            radius: 0.0,
            size: self.size,
        }
    }
}

fn normal_of(points: &[Vec3], [i, j, k]: Triangle) -> Vec3 {
    (points[j] - points[i]).cross(points[k] - points[i]).normalized().unwrap_or(Vec3::ZERO)
}

/// Adds a point to a hull of triangles.
fn add(points: &[Vec3], faces: &mut Vec<(Triangle, Vec3)>, i: usize, tol: f64) {
    let p = points[i];
    let sees: Vec<bool> = faces.iter().map(|(t, n)| n.dot(p - points[t[0]]) > tol).collect();
    if !sees.contains(&true) {
        return;
    }
    // The border: sides of visible faces whose other face is not visible.
    let mut sides: Vec<[usize; 2]> = Vec::new();
    for (f, (t, _)) in faces.iter().enumerate() {
        if sees[f] {
            sides.extend([[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]);
        }
    }
    let border: Vec<[usize; 2]> = sides.iter().copied().filter(|&[a, b]| !sides.contains(&[b, a])).collect();
    let mut keep = sees.iter().map(|s| !s);
    faces.retain(|_| keep.next().unwrap_or(true));
    for [a, b] in border {
        faces.push(([a, b, i], normal_of(points, [a, b, i])));
    }
}

/// Merges coplanar triangles into faces.
fn merge(points: &[Vec3], triangles: &[(Triangle, Vec3)], size: f64) -> Result<Hull, ShapeError> {
    let broken = || ShapeError::NotConvex { point: 0, outside: 0.0 };
    let n = triangles.len();
    // Neighbours by side: sorted sides instead of a search for each.
    let mut sides: Vec<([usize; 2], usize)> = Vec::with_capacity(3 * n);
    for (f, (t, _)) in triangles.iter().enumerate() {
        for k in 0..3 {
            sides.push(([t[k], t[(k + 1) % 3]], f));
        }
    }
    sides.sort_unstable();
    let across =
        |a: usize, b: usize| sides.binary_search_by(|(s, _)| s.cmp(&[b, a])).ok().map(|at| sides[at].1);
    // Largest triangles first: their normals are most accurate.
    let area = |f: usize| {
        let [i, j, k] = triangles[f].0;
        (points[j] - points[i]).cross(points[k] - points[i]).norm()
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&f, &g| area(g).total_cmp(&area(f)).then(f.cmp(&g)));
    let mut group = vec![usize::MAX; n];
    let mut normals: Vec<Vec3> = Vec::new();
    for &seed in &order {
        if group[seed] != usize::MAX {
            continue;
        }
        let ([i, ..], normal) = triangles[seed];
        let id = normals.len();
        let mut stack = vec![seed];
        group[seed] = id;
        while let Some(f) = stack.pop() {
            let t = triangles[f].0;
            for k in 0..3 {
                let Some(g) = across(t[k], t[(k + 1) % 3]) else { return Err(broken()) };
                let in_plane =
                    triangles[g].0.iter().all(|&v| normal.dot(points[v] - points[i]).abs() <= 1e-9 * size);
                if group[g] == usize::MAX && in_plane {
                    group[g] = id;
                    stack.push(g);
                }
            }
        }
        normals.push(normal);
    }
    // A vertex belongs to three faces or more.
    let mut meeting: Vec<Vec<usize>> = vec![Vec::new(); points.len()];
    for (f, (t, _)) in triangles.iter().enumerate() {
        for &v in t {
            if !meeting[v].contains(&group[f]) {
                meeting[v].push(group[f]);
            }
        }
    }
    let mut name = vec![u32::MAX; points.len()];
    let mut vertices = Vec::new();
    for v in 0..points.len() {
        if meeting[v].len() >= 3 {
            name[v] = vertices.len() as u32;
            vertices.push(points[v]);
        }
    }
    let (mut starts, mut loops) = (vec![0_u32], Vec::new());
    for id in 0..normals.len() {
        // The border of the group, in one loop.
        let mut border: Vec<[usize; 2]> = Vec::new();
        for &([a, b], f) in &sides {
            if group[f] == id && across(a, b).is_none_or(|g| group[g] != id) {
                border.push([a, b]);
            }
        }
        let Some(&[begin, _]) = border.first() else { return Err(broken()) };
        let (mut at, from) = (begin, loops.len());
        for _ in 0..border.len() {
            if name[at] != u32::MAX {
                loops.push(name[at]);
            }
            at = border.iter().find(|s| s[0] == at).ok_or_else(broken)?[1];
        }
        if loops.len() < from + 3 || at != begin {
            return Err(broken());
        }
        starts.push(loops.len() as u32);
    }
    let (edges, loop_edges) = edges(&starts, &loops).ok_or_else(broken)?;
    let middle = vertices.iter().fold(Vec3::ZERO, |s, &v| s + v) / greater(1.0, vertices.len() as f64);
    let reach = vertices.iter().fold(0.0, |r, &v| greater(r, (v - middle).norm()));
    Ok(Hull { vertices, normals, edges, starts, loops, loop_edges, size: reach })
}

/// Edges of loops: each side once, with the vertex after it in either face.
fn edges(starts: &[u32], loops: &[u32]) -> Option<(Vec<Edge>, Vec<u32>)> {
    let mut sides: Vec<([u32; 2], u32, usize)> = Vec::new();
    for face in starts.windows(2) {
        let ring = &loops[face[0] as usize..face[1] as usize];
        for k in 0..ring.len() {
            let (a, b, c) = (ring[k], ring[(k + 1) % ring.len()], ring[(k + 2) % ring.len()]);
            let key = if a < b { [a, b] } else { [b, a] };
            sides.push((key, c, face[0] as usize + k));
        }
    }
    sides.sort_unstable();
    let (mut edges, mut loop_edges) = (Vec::new(), vec![0; loops.len()]);
    for pair in sides.chunks(2) {
        let [(ends, w0, l0), (same, w1, l1)] = pair else { return None };
        if ends != same {
            return None;
        }
        loop_edges[*l0] = edges.len() as u32;
        loop_edges[*l1] = edges.len() as u32;
        edges.push(Edge { ends: *ends, wings: [*w0, *w1] });
    }
    Some((edges, loop_edges))
}
