//! Triangles with neighbours: the common interface of meshes and terrains.
//!
//! An edge between two triangles can be in contact only where the surface is convex, and only in directions
//! between the two normals; a vertex only in directions that point away from all its neighbours. Elsewhere a
//! face is nearer. So a shape slides over the internal edges of a flat floor without extra contacts. Against
//! a face of the other shape the rule is wider, since the lowest feature may change with a small rotation:
//! all convex vertices and edges that face it count.

use crate::aabb::{Aabb, greater};
use cardan_solve::math::Vec3;

/// Tolerance of directions, as a sine: 1e7 roundings.
const SLACK: f64 = 1e-9;
/// Edges at a smaller angle are flat.
const BENT: f64 = 1e-7;

/// Most corrections of a direction in the search for one in which a vertex is extreme.
const TURNS: u32 = 64;

/// An edge and the vertices opposite to it; without the second, the surface ends there; without both, more
/// than two triangles meet.
pub(crate) struct WingedEdge {
    pub(crate) ends: [Vec3; 2],
    pub(crate) opposite: [Option<Vec3>; 2],
}

/// Points this close to a plane, relative to the size of the surface, are in it: a thousand roundings.
const IN_PLANE: f64 = 1e-13;

/// For each triangle the first one of its connected coplanar group. `across`: the triangles beside its three
/// sides.
pub(super) fn planes(
    surface: &dyn Surface,
    count: u32,
    is_there: &dyn Fn(u32) -> bool,
    across: &dyn Fn(u32) -> [Option<u32>; 3],
) -> Vec<u32> {
    let b = surface.bounds();
    let farthest = greater(b.min.largest(), b.max.largest());
    let tol = IN_PLANE * b.half().norm() + 8.0 * f64::EPSILON * farthest;
    let mut first = vec![u32::MAX; count as usize];
    let mut stack = Vec::new();
    for seed in (0..count).filter(|&t| is_there(t)) {
        if first[seed as usize] != u32::MAX {
            continue;
        }
        let (n, p) = (surface.normal(seed), surface.vertex(surface.corners(seed)[0]));
        first[seed as usize] = seed;
        stack.push(seed);
        while let Some(t) = stack.pop() {
            for other in across(t).into_iter().flatten() {
                let in_plane = || {
                    let corners = surface.corners(other).map(|v| surface.vertex(v));
                    corners.iter().all(|&x| n.dot(x - p).abs() <= tol) && surface.normal(other).dot(n) > 0.0
                };
                if first[other as usize] == u32::MAX && in_plane() {
                    first[other as usize] = seed;
                    stack.push(other);
                }
            }
        }
    }
    first
}

/// Whether there is a direction in which a vertex is in front of all its neighbours (Rosenblatt's
/// perceptron): start away from all of them, then correct by the foremost one. A nearly flat tip may be
/// missed.
pub(super) fn has_supporting_direction(surface: &dyn Surface, v: u32) -> bool {
    let x = surface.vertex(v);
    let mut out = Vec3::ZERO;
    surface.neighbours(v, &mut |w| out -= (w - x).normalized().unwrap_or(Vec3::ZERO));
    for _ in 0..TURNS {
        let mut foremost = (f64::NEG_INFINITY, Vec3::ZERO);
        surface.neighbours(v, &mut |w| {
            if let Some(d) = (w - x).normalized()
                && out.dot(d) > foremost.0
            {
                foremost = (out.dot(d), d);
            }
        });
        if foremost.0 < -BENT * out.norm() {
            return true;
        }
        out -= foremost.1;
    }
    false
}

pub(crate) trait Surface {
    fn corners(&self, triangle: u32) -> [u32; 3];
    fn vertex(&self, v: u32) -> Vec3;
    fn normal(&self, triangle: u32) -> Vec3;
    /// The edge after each vertex.
    fn sides(&self, triangle: u32) -> [u32; 3];
    fn winged_edge(&self, edge: u32) -> WingedEdge;
    fn neighbours(&self, v: u32, see: &mut dyn FnMut(Vec3));
    /// True if the surface ends at this vertex.
    fn on_border(&self, v: u32) -> bool;
    /// True if everything behind a triangle, however far, is inside.
    fn solid_below(&self) -> bool;
    /// Triangles whose boxes meet a box, each once, in an order that depends on the surface alone.
    fn near(&self, b: &Aabb, see: &mut dyn FnMut(u32));

    /// The first triangle of the connected coplanar group: the face that it belongs to.
    fn plane_of(&self, triangle: u32) -> u32;

    /// Whether this edge can be in contact in direction `out`.
    fn edge_pushes(&self, edge: u32, out: Vec3) -> bool {
        let WingedEdge { ends: [p, q], opposite } = self.winged_edge(edge);
        let e = q - p;
        let ee = e.dot(e);
        // From the edge away from a triangle, within it.
        let away = |o: Vec3| {
            let d = p - o;
            d - e * (d.dot(e) / ee)
        };
        let leaves = |o: Vec3| {
            let t = away(o);
            out.dot(t) >= -SLACK * t.norm()
        };
        match opposite {
            [Some(a), Some(b)] => {
                let (s, t) = (away(a), away(b));
                // Flat if the two are opposite; convex if their sum points out of both.
                let bend = s / s.norm() + t / t.norm();
                bend.norm() > BENT && leaves(a) && leaves(b)
            }
            [Some(a), None] => leaves(a),
            _ => true,
        }
    }

    /// Whether this vertex can be in contact in direction `out`.
    fn vertex_pushes(&self, v: u32, out: Vec3) -> bool {
        let x = self.vertex(v);
        let (mut foremost, mut bent) = (true, self.on_border(v));
        self.neighbours(v, &mut |w| {
            let d = w - x;
            let (along, len) = (out.dot(d), d.norm());
            foremost &= along <= SLACK * len;
            bent |= along < -BENT * len;
        });
        foremost && bent
    }

    /// Whether this vertex is convex: there is a direction in which it is in front of all its neighbours.
    fn is_tip(&self, v: u32) -> bool;

    /// Whether this vertex of a triangle can be in contact in some orientation. Vertices in a plane and in
    /// saddles cannot: others are in front of them in every orientation.
    fn sticks_out(&self, v: u32, triangle: u32) -> bool {
        self.is_tip(v) || self.vertex_pushes(v, self.normal(triangle))
    }

    /// Its bounding box.
    fn bounds(&self) -> Aabb;

    /// Whether a point is inside, if the surface can decide it directly.
    fn holds(&self, _x: Vec3) -> Option<bool> {
        None
    }

    /// For a point inside, by `depth` behind a triangle, with this foot on its plane: whether the foot is in
    /// the triangle, or just beyond an edge behind which the surface rises. There the edge is nearest, and
    /// the point would be missed between the two feet.
    fn below(&self, triangle: u32, foot: Vec3, depth: f64) -> bool {
        let (n, corners, sides) = (self.normal(triangle), self.corners(triangle), self.sides(triangle));
        (0..3).all(|k| {
            let (p, q) = (self.vertex(corners[k]), self.vertex(corners[(k + 1) % 3]));
            let out = (q - p).cross(n);
            let beyond = out.dot(foot - p) / out.norm();
            beyond <= SLACK * depth
                || beyond <= 3.0 * depth
                    && self
                        .winged_edge(sides[k])
                        .opposite
                        .into_iter()
                        .flatten()
                        .any(|o| n.dot(o - p) > BENT * (o - p).norm())
        })
    }

    /// The point of a triangle nearest to a point of its plane.
    fn nearest_in(&self, triangle: u32, x: Vec3) -> Vec3 {
        let n = self.normal(triangle);
        let corners = self.corners(triangle).map(|v| self.vertex(v));
        let mut best = (f64::INFINITY, x);
        for k in 0..3 {
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            let e = q - p;
            if e.cross(n).dot(x - p) > 0.0 {
                let t = e.dot(x - p) / e.dot(e);
                let on = p + e * if t > 0.0 { if t < 1.0 { t } else { 1.0 } } else { 0.0 };
                let d = (x - on).norm();
                if d < best.0 {
                    best = (d, on);
                }
            }
        }
        best.1
    }

    /// Whether x, behind a triangle, is in front of another triangle on the way to the nearest point of the
    /// first.
    fn between(&self, x: Vec3, triangle: u32, foot: Vec3) -> bool {
        // A point of the triangle that is not on its edge: edges and vertices have several normals.
        let near = self.nearest_in(triangle, foot);
        let [a, b, c] = self.corners(triangle).map(|v| self.vertex(v));
        let foot = near + ((a + b + c) / 3.0 - near) * 1e-6;
        let e = foot - x;
        let slack = SLACK * e.norm();
        let mut hit = false;
        self.near(&Aabb::of([x, foot]).grown(slack), &mut |t| {
            let n = self.normal(t);
            let [a, b, c] = self.corners(t).map(|v| self.vertex(v));
            let (start, stop) = (n.dot(x - a), n.dot(foot - a));
            if start > slack && stop < -slack {
                let at = x + e * (start / (start - stop));
                let inside = |p: Vec3, q: Vec3| (q - p).cross(at - p).dot(n) >= 0.0;
                hit |= inside(a, b) && inside(b, c) && inside(c, a);
            }
        });
        hit
    }
}
