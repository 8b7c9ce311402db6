//! Contact manifold of two polyhedra along a known direction.
//!
//! The face of one that faces two, and the face of two that faces one, are projected onto each other. Their
//! overlap is a polygon, and its vertices are the contacts: a vertex of one over the face of the other (point
//! – plane), or two crossing edges (line – line). Each is tested in its own geometry, so its gap is the
//! distance of the two features. Where polyhedra are separate and nearest at a vertex or at edges that are
//! not on these faces, the nearest pair of features is searched for and added.

use super::ContactCollector;
use super::solid::{FaceLoop, Solid, foot};
use crate::contact::FeatureId;
use crate::pose::Pose;
use crate::primitive::{Line, Plane, Point, PrimitivePair};
use cardan_solve::math::Vec3;

/// Positions closer than this part of the size of both are the same.
pub(super) const SAME: f64 = 1e-9;
/// Edges at a smaller sine do not count as crossing: their common perpendicular changes too fast with the
/// pose.
const CROSSING: f64 = 1e-3;

/// Origin of a direction.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum AxisSource {
    /// Normal of a face of one.
    One(usize),
    /// Normal of a face of two.
    Two(usize),
    /// Normal to an edge of each.
    Edges(usize, usize),
}

/// A direction and the separation along it.
#[derive(Copy, Clone, Debug)]
pub(super) struct SeparatingAxis {
    /// Negative if they overlap.
    pub(super) separation: f64,
    /// Unit vector from one to two.
    pub(super) n: Vec3,
    pub(super) origin: AxisSource,
}

/// The two polyhedra.
pub(super) struct PolyhedronPair<'m, 'f> {
    /// One, in its own frame, in which everything is computed.
    pub(super) one: Solid<'m>,
    /// Two, in the frame of one.
    pub(super) two: Solid<'m>,
    /// Two, in its own frame.
    pub(super) local: Solid<'m>,
    /// The frame of two in that of one.
    pub(super) rel: &'m Pose,
    pub(super) tol: f64,
    /// Set if two is a triangle of a surface.
    pub(super) patch: Option<&'m dyn Patch>,
    /// Set if one is an edge of a surface.
    pub(super) edge_patch: Option<&'m dyn Patch>,
    /// Least gap of the polyhedra without radii so far.
    pub(super) least: f64,
    pub(super) collector: &'m mut ContactCollector<'f>,
}

/// A triangle as a part of a surface: identities of its features, and the directions in which its edges and
/// vertices can be in contact.
pub(super) trait Patch {
    fn vertex(&self, i: u32) -> u32;
    fn edge(&self, i: u32) -> u32;
    fn face(&self) -> u32;
    /// True if vertex i can be the nearest feature in direction `out`, away from the surface, in its frame.
    fn vertex_pushes(&self, i: u32, out: Vec3) -> bool;
    fn edge_pushes(&self, i: u32, out: Vec3) -> bool;
    /// True if vertex i is convex and faces direction `out`: after a small rotation it may be the nearest
    /// feature.
    fn vertex_sticks_out(&self, i: u32, out: Vec3) -> bool;
    fn edge_sticks_out(&self, i: u32, out: Vec3) -> bool;
    /// True if a point behind the face is inside there, and not in front of another triangle in between.
    fn inside(&self, x: Vec3, foot: Vec3) -> bool;
    /// True if a point that is inside by `depth` has its foot in the face, or leaves through it nevertheless.
    fn below(&self, foot: Vec3, depth: f64) -> bool;
}

impl PolyhedronPair<'_, '_> {
    /// Contacts along `axis`; `widest` is the largest separation along any direction, a bound of the
    /// distance.
    pub(super) fn contacts(&mut self, axis: &SeparatingAxis, widest: &SeparatingAxis) {
        let before = self.collector.count();
        let of_one = match axis.origin {
            AxisSource::One(f) => self.one.face_loop(f),
            _ => self.one.facing(axis.n),
        };
        let of_two = match axis.origin {
            AxisSource::Two(f) => self.two.face_loop(f),
            _ => self.two.facing(-axis.n),
        };
        // Points deeper than the penetration are on the far side.
        let deepest = if axis.separation < 0.0 { 1.5 * axis.separation - self.tol } else { -self.tol };
        self.corners(of_one, of_two, deepest);
        for &i in of_one.sides {
            for &j in of_two.sides {
                self.crossing(i as usize, j as usize, axis.n, deepest, CROSSING);
            }
        }
        if let AxisSource::Edges(i, j) = axis.origin {
            self.crossing(i, j, axis.n, deepest, 0.0);
        }
        if widest.separation > self.tol {
            if self.least > widest.separation + 0.1 * self.tol {
                self.nearest(widest);
            }
        } else if self.collector.count() == before {
            if self.patch.is_none() {
                self.deepest_corner(axis);
            } else if self.one.normals.is_empty() {
                // A point or an edge beside a triangle, in its plane: the separating directions do not cover
                // that.
                self.nearest(widest);
            }
        }
    }

    /// Vertices of either over the face of the other.
    fn corners(&mut self, of_one: FaceLoop<'_>, of_two: FaceLoop<'_>, deepest: f64) {
        let reach = self.collector.margin + self.one.radius + self.two.radius;
        let low = |gap: f64| gap >= deepest && gap <= reach;
        let mut taken = 0_u64;
        if let Some(f) = of_two.face {
            let (n, on) = (self.two.normals[f], self.two.on_face(f));
            for (k, &i) in of_one.corners.iter().enumerate() {
                let x = self.one.vertex(i);
                let gap = n.dot(x - on);
                let below = |patch: &dyn Patch| patch.below(self.rel.point_inverse(x - n * gap), -gap);
                // The depth inside a surface cannot be decided by one triangle.
                if (low(gap) || gap <= reach && self.patch.is_some())
                    && (self.two.above(f, x, self.tol) || gap < 0.0 && self.patch.is_some_and(below))
                {
                    self.corner_of_one(i, f, gap);
                    taken |= 1 << (k & 63);
                }
            }
        }
        if let Some(f) = of_one.face {
            let (n, on) = (self.one.normals[f], self.one.on_face(f));
            for &j in of_two.corners {
                let y = self.two.vertex(j);
                let gap = n.dot(y - on);
                if low(gap) && self.one.above(f, y, self.tol) {
                    // A vertex on a vertex is one contact, not two.
                    let twice = of_one.corners.iter().enumerate().any(|(k, &i)| {
                        let d = y - self.one.vertex(i);
                        let across = d - n * n.dot(d);
                        taken >> (k & 63) & 1 == 1 && across.dot(across) <= 16.0 * self.tol * self.tol
                    });
                    if !twice {
                        self.corner_of_two(f, j, gap);
                    }
                }
            }
        }
    }

    fn corner_of_one(&mut self, i: u32, f: usize, gap: f64) {
        if let Some(patch) = self.patch
            && gap < -self.tol
        {
            let x = self.one.vertex(i);
            let foot = x - self.two.normals[f] * gap;
            if !patch.inside(self.rel.point_inverse(x), self.rel.point_inverse(foot)) {
                return;
            }
        }
        if self.edge_patch.is_some_and(|p| !p.vertex_sticks_out(i, -self.two.normals[f])) {
            return;
        }
        self.note(gap);
        let point = Point { at: self.one.vertex(i), radius: self.one.radius };
        let flat = Plane { on: self.local.on_face(f), normal: self.local.normals[f] };
        self.collector.add(
            PrimitivePair::PointPlane(point, flat),
            self.vertex_of_one(i),
            self.face_of_two(f),
        );
    }

    fn corner_of_two(&mut self, f: usize, j: u32, gap: f64) {
        let n = self.one.normals[f];
        if self.patch.is_none_or(|p| p.vertex_sticks_out(j, self.rel.rot.transpose_mul(-n))) {
            self.note(gap);
            let point = Point { at: self.local.vertex(j), radius: self.two.radius };
            let flat = Plane { on: self.one.on_face(f), normal: n };
            self.collector.add_flipped(
                PrimitivePair::PointPlane(point, flat),
                FeatureId::Face(f as u32),
                self.vertex_of_two(j),
            );
        }
    }

    /// Two edges whose common perpendicular meets both between their ends; `sine`: the least sine at which
    /// they cross.
    fn crossing(&mut self, i: usize, j: usize, n: Vec3, deepest: f64, sine: f64) {
        let ([p, p1], [q, q1]) = (self.one.ends(i), self.two.ends(j));
        let (e, g) = (p1 - p, q1 - q);
        let c = e.cross(g);
        let (ee, gg, cc) = (e.dot(e), g.dot(g), c.dot(c));
        if cc <= sine * sine * ee * gg || cc <= 1e-24 * ee * gg {
            return;
        }
        let d = q - p;
        // Positions on the edges at which they are nearest; most are not between the ends.
        let (s, t) = (d.cross(g).dot(c), d.cross(e).dot(c));
        if s <= 0.0 || s >= cc || t <= 0.0 || t >= cc {
            return;
        }
        let inside = |at: f64, len: f64| at * len > self.tol * cc && (cc - at) * len > self.tol * cc;
        if !inside(s, ee.sqrt()) || !inside(t, gg.sqrt()) {
            return;
        }
        // A shape that cuts an edge of a surface passes through an adjacent face, and leaves by its front.
        let front = self.two.normals.first().copied().unwrap_or(n);
        let is_cut = self.edge_patch.is_some() && pierces([p, p1], self.two.vertices, front, self.tol);
        let along = if is_cut { -c.dot(front) } else { c.dot(n) } / cc.sqrt();
        if along.abs() < 0.3 && !is_cut {
            return;
        }
        let side = if along > 0.0 { 1.0 } else { -1.0 };
        let gap = side * c.dot(d) / cc.sqrt();
        if (gap < deepest && !is_cut) || gap > self.collector.margin + self.one.radius + self.two.radius {
            return;
        }
        if let (Some(patch), Some(_)) = (self.patch, self.edge_patch)
            && gap < -self.tol
        {
            // Elsewhere the two overlap only in projection. Behind an edge, or beyond the whole of its shape?
            let (x, y) = (p + e * (s / cc), q + g * (t / cc));
            if !is_cut || !patch.inside(self.rel.point_inverse(x), self.rel.point_inverse(y)) {
                return;
            }
        }
        let n = c * (side / cc.sqrt());
        if self.patch.is_none_or(|p| p.edge_sticks_out(j as u32, self.rel.rot.transpose_mul(-n)))
            && self.edge_patch.is_none_or(|p| p.edge_sticks_out(i as u32, n))
        {
            self.edges(i, j, side, gap);
        }
    }

    fn edges(&mut self, i: usize, j: usize, side: f64, gap: f64) {
        self.note(gap);
        let of_one = line(self.one.ends(i), self.one.radius);
        let of_two = line(self.local.ends(j), self.two.radius);
        self.collector.add(
            PrimitivePair::LineLine(of_one, of_two, side),
            self.edge_of_one(i as u32),
            self.edge_of_two(j as u32),
        );
    }

    /// Shapes that overlap although no two features face each other: the deepest vertex below the face in
    /// question.
    fn deepest_corner(&mut self, axis: &SeparatingAxis) {
        let lowest = |solid: &Solid<'_>, n: Vec3| {
            let mut best = (0, f64::INFINITY);
            for (i, v) in solid.vertices.iter().enumerate() {
                let d = n.dot(*v);
                if d < best.1 {
                    best = (i as u32, d);
                }
            }
            best.0
        };
        match axis.origin {
            AxisSource::One(f) => self.corner_of_two(f, lowest(&self.two, axis.n), axis.separation),
            AxisSource::Two(f) => self.corner_of_one(lowest(&self.one, -axis.n), f, axis.separation),
            AxisSource::Edges(i, j) => {
                let ([p, p1], [q, q1]) = (self.one.ends(i), self.two.ends(j));
                let side = if (p1 - p).cross(q1 - q).dot(axis.n) >= 0.0 { 1.0 } else { -1.0 };
                self.edges(i, j, side, axis.separation);
            }
        }
    }

    /// The nearest features of separate polyhedra.
    ///
    /// Along n their distance is `separation`, so a point that is h behind the support point is at least
    /// separation + h from the other polyhedron: with an upper bound of the distance most features can be
    /// skipped.
    fn nearest(&mut self, axis: &SeparatingAxis) {
        let n = axis.n;
        let (one, two) = (self.one, self.two);
        let (front, back) = (one.support(n), two.floor(n));
        // Nothing nearer than what was found, but for rounding.
        let enough = self.least - 1e-3 * self.tol;
        let mut best: (f64, Option<NearestFeatures>) = (enough * enough, None);
        // Any pair bounds the distance: that of the support points.
        let first = |solid: &Solid<'_>, sign: f64| {
            let mut at = (f64::NEG_INFINITY, Vec3::ZERO);
            for &v in solid.vertices {
                if sign * n.dot(v) > at.0 {
                    at = (sign * n.dot(v), v);
                }
            }
            at.1
        };
        let d = first(&two, -1.0) - first(&one, 1.0);
        let mut bound = d.norm();
        if self.least < bound {
            bound = self.least;
        }
        let slack = bound - (back - front) + self.tol;
        let near_one = |v: Vec3| front - n.dot(v) <= slack;
        let near_two = |v: Vec3| n.dot(v) - back <= slack;
        let mut take = |square: f64, near: NearestFeatures| {
            if square < best.0 {
                best = (square, Some(near));
            }
        };
        // Vertices against faces, vertices and edges.
        for (i, &x) in one.vertices.iter().enumerate().filter(|(_, v)| near_one(**v)) {
            for f in 0..two.normals.len() {
                let h = two.normals[f].dot(x - two.on_face(f));
                if h > 0.0 && h <= bound && two.above(f, x, 0.0) {
                    take(h * h, NearestFeatures::CornerFace(i as u32, f));
                }
            }
            for (j, &y) in two.vertices.iter().enumerate().filter(|(_, v)| near_two(**v)) {
                let d = y - x;
                take(d.dot(d), NearestFeatures::Corners(i as u32, j as u32));
            }
            for j in 0..two.edges.len() {
                let ends = two.ends(j);
                if (near_two(ends[0]) || near_two(ends[1]))
                    && let Some(square) = squared_distance_to_edge(x, ends)
                {
                    take(square, NearestFeatures::CornerEdge(i as u32, j as u32));
                }
            }
        }
        for (j, &y) in two.vertices.iter().enumerate().filter(|(_, v)| near_two(**v)) {
            for f in 0..one.normals.len() {
                let h = one.normals[f].dot(y - one.on_face(f));
                if h > 0.0 && h <= bound && one.above(f, y, 0.0) {
                    take(h * h, NearestFeatures::FaceCorner(f, j as u32));
                }
            }
            for i in 0..one.edges.len() {
                let ends = one.ends(i);
                if (near_one(ends[0]) || near_one(ends[1]))
                    && let Some(square) = squared_distance_to_edge(y, ends)
                {
                    take(square, NearestFeatures::EdgeCorner(i as u32, j as u32));
                }
            }
        }
        for i in 0..one.edges.len() {
            let [p, p1] = one.ends(i);
            if !near_one(p) && !near_one(p1) {
                continue;
            }
            for j in 0..two.edges.len() {
                let [q, q1] = two.ends(j);
                if !near_two(q) && !near_two(q1) {
                    continue;
                }
                let (e, g) = (p1 - p, q1 - q);
                let (el, gl) = (e.norm(), g.norm());
                let Some([s, t]) = foot(e / el, g / gl, q - p) else { continue };
                if s > 0.0 && s < el && t > 0.0 && t < gl {
                    let d = q + g * (t / gl) - p - e * (s / el);
                    take(d.dot(d), NearestFeatures::Edges(i as u32, j as u32));
                }
            }
        }
        if let (square, Some(near)) = best {
            self.add_near(near, square.sqrt());
        }
    }

    fn add_near(&mut self, near: NearestFeatures, gap: f64) {
        let of_one = |i: u32| Point { at: self.one.vertex(i), radius: self.one.radius };
        let of_two = |j: u32| Point { at: self.local.vertex(j), radius: self.two.radius };
        match near {
            NearestFeatures::CornerFace(i, f) => self.corner_of_one(i, f, gap),
            NearestFeatures::FaceCorner(f, j) => self.corner_of_two(f, j, gap),
            NearestFeatures::Corners(i, j) => {
                let d = self.two.vertex(j) - self.one.vertex(i);
                if self.vertex_pushes(j, d / gap) && self.vertex_of_one_pushes(i, d / gap) {
                    self.collector.add(
                        PrimitivePair::PointPoint(of_one(i), of_two(j)),
                        self.vertex_of_one(i),
                        self.vertex_of_two(j),
                    );
                }
            }
            NearestFeatures::CornerEdge(i, j) => {
                let x = self.one.vertex(i);
                let [q, q1] = self.two.ends(j as usize);
                let g = q1 - q;
                let d = q + g * (g.dot(x - q) / g.dot(g)) - x;
                if self.edge_pushes(j, d / gap) && self.vertex_of_one_pushes(i, d / gap) {
                    let edge = line(self.local.ends(j as usize), self.two.radius);
                    self.collector.add(
                        PrimitivePair::PointLine(of_one(i), edge),
                        self.vertex_of_one(i),
                        self.edge_of_two(j),
                    );
                }
            }
            NearestFeatures::EdgeCorner(i, j) => {
                let y = self.two.vertex(j);
                let [p, p1] = self.one.ends(i as usize);
                let e = p1 - p;
                let d = y - (p + e * (e.dot(y - p) / e.dot(e)));
                if self.vertex_pushes(j, d / gap) && self.edge_of_one_pushes(i, d / gap) {
                    let edge = line(self.one.ends(i as usize), self.one.radius);
                    self.collector.add_flipped(
                        PrimitivePair::PointLine(of_two(j), edge),
                        self.edge_of_one(i),
                        self.vertex_of_two(j),
                    );
                }
            }
            NearestFeatures::Edges(i, j) => {
                let ([p, p1], [q, q1]) = (self.one.ends(i as usize), self.two.ends(j as usize));
                let c = (p1 - p).cross(q1 - q);
                let side = if c.dot(q - p) >= 0.0 { 1.0 } else { -1.0 };
                let n = c * (side / c.norm());
                if self.edge_pushes(j, n) && self.edge_of_one_pushes(i, n) {
                    self.edges(i as usize, j as usize, side, gap);
                }
            }
        }
    }

    fn note(&mut self, gap: f64) {
        if gap < self.least {
            self.least = gap;
        }
    }

    fn vertex_of_one(&self, i: u32) -> FeatureId {
        FeatureId::Vertex(self.edge_patch.map_or(i, |p| p.vertex(i)))
    }

    fn edge_of_one(&self, i: u32) -> FeatureId {
        FeatureId::Edge(self.edge_patch.map_or(i, |p| p.edge(i)))
    }

    fn vertex_of_one_pushes(&self, i: u32, n: Vec3) -> bool {
        self.edge_patch.is_none_or(|p| p.vertex_pushes(i, n))
    }

    fn edge_of_one_pushes(&self, i: u32, n: Vec3) -> bool {
        self.edge_patch.is_none_or(|p| p.edge_pushes(i, n))
    }

    fn vertex_of_two(&self, j: u32) -> FeatureId {
        FeatureId::Vertex(self.patch.map_or(j, |p| p.vertex(j)))
    }

    fn edge_of_two(&self, j: u32) -> FeatureId {
        FeatureId::Edge(self.patch.map_or(j, |p| p.edge(j)))
    }

    fn face_of_two(&self, f: usize) -> FeatureId {
        FeatureId::Face(self.patch.map_or(f as u32, |p| p.face()))
    }

    /// Whether vertex j of two can be in contact against n, which points from one to two.
    fn vertex_pushes(&self, j: u32, n: Vec3) -> bool {
        self.patch.is_none_or(|p| p.vertex_pushes(j, self.rel.rot.transpose_mul(-n)))
    }

    fn edge_pushes(&self, j: u32, n: Vec3) -> bool {
        self.patch.is_none_or(|p| p.edge_pushes(j, self.rel.rot.transpose_mul(-n)))
    }
}

/// The nearest features, of one and of two.
#[derive(Copy, Clone, Debug)]
enum NearestFeatures {
    CornerFace(u32, usize),
    FaceCorner(usize, u32),
    Corners(u32, u32),
    CornerEdge(u32, u32),
    EdgeCorner(u32, u32),
    Edges(u32, u32),
}

/// Squared distance of a point from an edge, if its foot is between the ends.
fn squared_distance_to_edge(x: Vec3, [p, q]: [Vec3; 2]) -> Option<f64> {
    let (e, d) = (q - p, x - p);
    let (along, square) = (e.dot(d), e.dot(e));
    if along > 0.0 && along < square {
        let across = d - e * (along / square);
        Some(across.dot(across))
    } else {
        None
    }
}

/// The line through two points.
fn line([p, q]: [Vec3; 2], radius: f64) -> Line {
    let e = q - p;
    Line { on: p, along: e / e.norm(), radius }
}

/// True if a segment passes through a triangle, by more than `tol` on all sides.
fn pierces(ends: [Vec3; 2], corners: &[Vec3], normal: Vec3, tol: f64) -> bool {
    let [from, to] = ends.map(|x| normal.dot(x - corners[0]));
    if !(from > tol && to < -tol || from < -tol && to > tol) {
        return false;
    }
    let x = ends[0] + (ends[1] - ends[0]) * (from / (from - to));
    (0..corners.len()).all(|k| {
        let side = corners[(k + 1) % corners.len()] - corners[k];
        normal.dot(side.cross(x - corners[k])) > tol * side.norm()
    })
}
