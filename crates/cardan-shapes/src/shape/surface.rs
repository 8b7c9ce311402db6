//! What meshes and terrains have in common: triangles with neighbours.
//!
//! An edge between two triangles holds a shape only where the surface is convex, and only in directions between the two normals; a corner only
//! in directions that leave all its neighbours behind. Elsewhere a face is nearer. So a shape slides over the seams of a flat floor
//! without noticing them. Over a face of the other shape the rule is wider, since what is lowest may change as it turns: all corners and edges hold
//! that stick out and are seen from there.

use crate::aabb::{Aabb, greater};
use cardan_solve::math::Vec3;

/// Slack of directions, as a sine.
const SLACK: f64 = 1e-9;
/// Edges that bend less than this are flat.
const BENT: f64 = 1e-7;

/// How often a direction in which a corner is foremost is corrected before there is none.
const TURNS: u32 = 64;

/// An edge and the corners opposite to it; without the second, the surface ends there; without both, more than two triangles meet.
pub(crate) struct WingedEdge {
    pub(crate) ends: [Vec3; 2],
    pub(crate) opposite: [Option<Vec3>; 2],
}

/// Beside the size of the surface, what lies this close to a plane lies in it.
const IN_PLANE: f64 = 1e-13;

/// Of each triangle the first that lies in one plane with it and hangs together with it. `across`: the triangles beside its three sides.
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

/// Is there a direction in which a corner is in front of all its neighbours? Rosenblatt's perceptron: away from all of them, then ever again
/// from the one that is foremost. A flat tip may be missed.
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
    /// The edge after each corner.
    fn sides(&self, triangle: u32) -> [u32; 3];
    fn winged_edge(&self, edge: u32) -> WingedEdge;
    fn neighbours(&self, v: u32, see: &mut dyn FnMut(Vec3));
    /// True if the surface ends at this corner.
    fn on_border(&self, v: u32) -> bool;
    /// True if what is behind a triangle, however far, is inside.
    fn solid_below(&self) -> bool;
    /// Triangles whose boxes meet a box, each once, in an order that depends on the surface alone.
    fn near(&self, b: &Aabb, see: &mut dyn FnMut(u32));

    /// The first of the triangles that lie in one plane with this one and hang together: one face in all but name.
    fn plane_of(&self, triangle: u32) -> u32;

    /// May this edge push in direction `out`?
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
                // Flat if the two lead in opposite directions; convex if their sum leads out of both.
                let bend = s / s.norm() + t / t.norm();
                bend.norm() > BENT && leaves(a) && leaves(b)
            }
            [Some(a), None] => leaves(a),
            _ => true,
        }
    }

    /// May this corner push in direction `out`?
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

    /// Is this corner a tip: is there a direction in which it is in front of all its neighbours?
    fn is_tip(&self, v: u32) -> bool;

    /// May this corner of a triangle push in some direction that it may be turned to? Corners in a plane and in saddles may not: others
    /// are in front of them however they are turned.
    fn sticks_out(&self, v: u32, triangle: u32) -> bool {
        self.is_tip(v) || self.vertex_pushes(v, self.normal(triangle))
    }

    /// The box around it.
    fn bounds(&self) -> Aabb;

    /// Whether a point is inside, if the surface can tell at once.
    fn holds(&self, _x: Vec3) -> Option<bool> {
        None
    }

    /// For a point inside, by `depth` behind a triangle, with this foot on its plane: is the foot in the triangle, or just beyond an
    /// edge behind which the surface rises? There the edge is nearest, and a point below it would slip between the two feet.
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

    /// The point of a triangle that is nearest to a point of its plane.
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

    /// Is there a piece of the surface in between, in front of which x is, on the way from x behind a triangle to what is nearest of it?
    fn between(&self, x: Vec3, triangle: u32, foot: Vec3) -> bool {
        // A point of the triangle that is not on its edge: edges and corners have several sides.
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
