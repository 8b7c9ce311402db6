//! Triangle meshes.

use super::bvh::Bvh;
use super::surface::{Surface, WingedEdge, has_supporting_direction, planes};
use crate::aabb::Aabb;
use crate::error::ShapeError;
use cardan_solve::math::Vec3;

/// A surface of triangles, each counter-clockwise seen from outside. Only its front collides: a shape
/// entirely behind a triangle is not in contact with it. A closed mesh should be thicker than the penetration
/// of shapes on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<Vec3>,
    /// The edge after each vertex of each triangle.
    sides: Vec<[u32; 3]>,
    /// Ends, and the triangles on either side; the second may be missing, and both are where more than two
    /// meet.
    edges: Vec<([u32; 2], [Option<u32>; 2])>,
    /// Neighbours of each vertex: where they start, and their indices.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// Vertices of edges without two triangles.
    border: Vec<bool>,
    /// Vertices that are convex.
    tips: Vec<bool>,
    /// For each triangle the first one in its plane.
    planes: Vec<u32>,
    bvh: Bvh,
}

/// A triangle whose height is below this part of its longest side has no area.
const THIN: f64 = 1e-10;

impl Mesh {
    /// A mesh of vertices \[m\] and triples of their indices.
    ///
    /// # Errors
    /// For vertices that are not finite, indices of vertices that do not exist, triangles without an area or
    /// turned inside out; the error names the first such.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        let most = (u32::MAX / 4) as usize;
        for (what, count) in [("vertices", vertices.len()), ("triangles", triangles.len())] {
            if count > most {
                return Err(ShapeError::TooMany { what, count, most });
            }
        }
        if triangles.is_empty() {
            return Err(ShapeError::Empty);
        }
        if let Some(vertex) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(ShapeError::NotFinite { vertex });
        }
        let mut normals = Vec::with_capacity(triangles.len());
        for (t, corners) in triangles.iter().enumerate() {
            if let Some(&v) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
                let (vertex, vertices) = (v as usize, vertices.len());
                return Err(ShapeError::NoSuchVertex { triangle: t, vertex, vertices });
            }
            let [a, b, c] = corners.map(|v| vertices[v as usize]);
            let normal = (b - a).cross(c - a);
            let longest =
                [b - a, c - b, a - c].iter().fold(0.0, |m, e| if e.dot(*e) > m { e.dot(*e) } else { m });
            let thin = normal.norm().is_nan() || normal.norm() <= THIN * longest;
            match normal.normalized().filter(|_| !thin) {
                Some(n) => normals.push(n),
                None => return Err(ShapeError::NoArea { triangle: t, corners: *corners }),
            }
        }
        let (edges, sides) = edges(&triangles)?;
        let mut border = vec![false; vertices.len()];
        let mut links: Vec<[u32; 2]> = Vec::with_capacity(2 * edges.len());
        for &([a, b], both) in &edges {
            links.extend([[a, b], [b, a]]);
            if both[1].is_none() {
                border[a as usize] = true;
                border[b as usize] = true;
            }
        }
        links.sort_unstable();
        let mut starts = vec![0; vertices.len() + 1];
        for &[a, _] in &links {
            starts[a as usize + 1] += 1;
        }
        for v in 0..vertices.len() {
            starts[v + 1] += starts[v];
        }
        let neighbours = links.iter().map(|l| l[1]).collect();
        let boxes: Vec<Aabb> =
            triangles.iter().map(|t| Aabb::of(t.iter().map(|&v| vertices[v as usize]))).collect();
        let bvh = Bvh::new(&boxes);
        let planes_of = Vec::new();
        let mut mesh = Mesh {
            vertices,
            triangles,
            normals,
            sides,
            edges,
            starts,
            neighbours,
            border,
            tips: Vec::new(),
            planes: planes_of,
            bvh,
        };
        let across = |t: u32| {
            mesh.sides[t as usize].map(|edge| {
                let both = mesh.edges[edge as usize].1;
                both.into_iter().flatten().find(|&other| other != t)
            })
        };
        mesh.planes = planes(&mesh, mesh.triangles.len() as u32, &|_| true, &across);
        mesh.tips = (0..mesh.vertices.len() as u32).map(|v| has_supporting_direction(&mesh, v)).collect();
        Ok(mesh)
    }

    /// Its vertices \[m\].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Its triangles, as vertex indices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// True if every edge has a triangle on either side.
    pub fn is_closed(&self) -> bool {
        !self.border.contains(&true)
    }

    /// Ends of the edges whose triangles are not coplanar.
    pub(crate) fn bends(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        let bends = |both: &[Option<u32>; 2]| match *both {
            [Some(one), Some(two)] => self.planes[one as usize] != self.planes[two as usize],
            _ => true,
        };
        let edges = self.edges.iter().filter(move |(_, both)| bends(both));
        edges.map(|(ends, _)| ends.map(|v| self.vertices[v as usize]))
    }

    pub(crate) fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    fn opposite(&self, triangle: u32, ends: [u32; 2]) -> Option<Vec3> {
        let corners = self.triangles[triangle as usize];
        corners.iter().find(|v| !ends.contains(v)).map(|&v| self.vertices[v as usize])
    }
}

impl Surface for Mesh {
    fn corners(&self, triangle: u32) -> [u32; 3] {
        self.triangles[triangle as usize]
    }

    fn vertex(&self, v: u32) -> Vec3 {
        self.vertices[v as usize]
    }

    fn normal(&self, triangle: u32) -> Vec3 {
        self.normals[triangle as usize]
    }

    fn sides(&self, triangle: u32) -> [u32; 3] {
        self.sides[triangle as usize]
    }

    fn winged_edge(&self, edge: u32) -> WingedEdge {
        let (ends, [one, two]) = self.edges[edge as usize];
        let opposite = |t: Option<u32>| t.and_then(|t| self.opposite(t, ends));
        WingedEdge { ends: ends.map(|v| self.vertices[v as usize]), opposite: [opposite(one), opposite(two)] }
    }

    fn neighbours(&self, v: u32, see: &mut dyn FnMut(Vec3)) {
        let range = self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize;
        for &w in &self.neighbours[range] {
            see(self.vertices[w as usize]);
        }
    }

    fn on_border(&self, v: u32) -> bool {
        self.border[v as usize]
    }

    fn is_tip(&self, v: u32) -> bool {
        self.tips[v as usize]
    }

    fn solid_below(&self) -> bool {
        false
    }

    fn plane_of(&self, triangle: u32) -> u32 {
        self.planes[triangle as usize]
    }

    fn bounds(&self) -> Aabb {
        self.bvh.bounds()
    }

    fn near(&self, b: &Aabb, see: &mut dyn FnMut(u32)) {
        self.bvh.query(b, see);
    }
}

type Edges = Vec<([u32; 2], [Option<u32>; 2])>;

/// Edges with the triangles beside them, and the edges of each triangle.
fn edges(triangles: &[[u32; 3]]) -> Result<(Edges, Vec<[u32; 3]>), ShapeError> {
    let mut all: Vec<([u32; 2], u32, u32, bool)> = Vec::with_capacity(3 * triangles.len());
    for (t, c) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (c[k], c[(k + 1) % 3]);
            all.push((if a < b { [a, b] } else { [b, a] }, t as u32, k as u32, a < b));
        }
    }
    all.sort_unstable();
    let mut sides = vec![[0; 3]; triangles.len()];
    let mut edges: Edges = Vec::new();
    for same in all.chunk_by(|a, b| a.0 == b.0) {
        for &(_, t, k, _) in same {
            sides[t as usize][k as usize] = edges.len() as u32;
        }
        let both = match same {
            [one] => [Some(one.1), None],
            [one, two] => {
                if one.3 == two.3 {
                    return Err(ShapeError::InsideOut { first: one.1 as usize, second: two.1 as usize });
                }
                [Some(one.1), Some(two.1)]
            }
            _ => [None, None],
        };
        edges.push((same[0].0, both));
    }
    Ok((edges, sides))
}
