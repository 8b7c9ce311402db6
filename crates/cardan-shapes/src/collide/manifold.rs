//! Which corners, edges and faces of two polyhedra hold them apart, once a direction is known.
//!
//! The face of one that looks at two and the face of two that looks at one are laid over each other. Where they overlap is a polygon, and
//! its corners are the contacts: a corner of the one over the face of the other (point – plane), or two edges that cross (line – line).
//! Each is tested in its own geometry, so its gap is the distance of the two parts. Where polyhedra are apart and nearest at a corner or
//! at edges that these faces do not show, the nearest pair of all is searched for and added.

use super::ContactCollector;
use super::solid::{FaceLoop, Solid, foot};
use crate::contact::FeatureId;
use crate::pose::Pose;
use crate::primitive::{Line, Plane, Point, PrimitivePair};
use cardan_solve::math::Vec3;

/// Positions are told apart by this, beside the size of both.
pub(super) const SAME: f64 = 1e-9;
/// Edges that make a smaller sine do not cross: their common perpendicular is not worth holding on to.
const CROSSING: f64 = 1e-3;

/// From where a direction is known.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum AxisSource {
    /// A face of one.
    One(usize),
    /// A face of two.
    Two(usize),
    /// An edge of each.
    Edges(usize, usize),
}

/// A direction and how far apart the two are along it.
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
    /// One, in its own frame, which is the one everything is computed in.
    pub(super) one: Solid<'m>,
    /// Two, in the frame of one.
    pub(super) two: Solid<'m>,
    /// Two in its own frame.
    pub(super) local: Solid<'m>,
    /// The frame of two in that of one.
    pub(super) rel: &'m Pose,
    pub(super) tol: f64,
    /// If two is a triangle of a surface.
    pub(super) patch: Option<&'m dyn Patch>,
    /// If one is an edge of a surface.
    pub(super) mine: Option<&'m dyn Patch>,
    /// Least gap of the bare polyhedra so far.
    pub(super) least: f64,
    pub(super) collector: &'m mut ContactCollector<'f>,
}

/// A triangle as a part of a surface: how its parts are called, and which directions its edges and corners can push in.
pub(super) trait Patch {
    fn vertex(&self, i: u32) -> u32;
    fn edge(&self, i: u32) -> u32;
    fn face(&self) -> u32;
    /// True if corner i can be what is nearest in direction `out`, away from the surface, in its frame.
    fn vertex_pushes(&self, i: u32, out: Vec3) -> bool;
    fn edge_pushes(&self, i: u32, out: Vec3) -> bool;
    /// True if corner i sticks out, and is seen from where `out` leads to: turned a little it may be what is nearest.
    fn vertex_sticks_out(&self, i: u32, out: Vec3) -> bool;
    fn edge_sticks_out(&self, i: u32, out: Vec3) -> bool;
    /// True if a point behind the face is inside there, and not in front of another piece that lies in between.
    fn inside(&self, x: Vec3, foot: Vec3) -> bool;
    /// True if a point that is inside by `depth` has its foot in the face, or leaves by it all the same.
    fn below(&self, foot: Vec3, depth: f64) -> bool;
}

impl PolyhedronPair<'_, '_> {
    /// Contacts along `axis`; `widest` is the largest distance along any direction (with its direction), so a bound for the true one.
    pub(super) fn contacts(&mut self, axis: &SeparatingAxis, widest: &SeparatingAxis) {
        let before = self.collector.count();
        let mine = match axis.origin {
            AxisSource::One(f) => self.one.face_loop(f),
            _ => self.one.facing(axis.n),
        };
        let theirs = match axis.origin {
            AxisSource::Two(f) => self.two.face_loop(f),
            _ => self.two.facing(-axis.n),
        };
        // What lies deeper than the way out is on the far side.
        let deepest = if axis.separation < 0.0 { 1.5 * axis.separation - self.tol } else { -self.tol };
        self.corners(mine, theirs, deepest);
        for &i in mine.sides {
            for &j in theirs.sides {
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
                // A point or an edge beside a triangle, in its plane: no direction knows of that.
                self.nearest(widest);
            }
        }
    }

    /// Corners of either over the face of the other.
    fn corners(&mut self, mine: FaceLoop<'_>, theirs: FaceLoop<'_>, deepest: f64) {
        let reach = self.collector.margin + self.one.radius + self.two.radius;
        let low = |gap: f64| gap >= deepest && gap <= reach;
        let mut taken = 0_u64;
        if let Some(f) = theirs.face {
            let (n, on) = (self.two.normals[f], self.two.on_face(f));
            for (k, &i) in mine.corners.iter().enumerate() {
                let x = self.one.vertex(i);
                let gap = n.dot(x - on);
                let below = |patch: &dyn Patch| patch.below(self.rel.point_inverse(x - n * gap), -gap);
                // How deep inside a surface is not for one triangle to say.
                if (low(gap) || gap <= reach && self.patch.is_some())
                    && (self.two.above(f, x, self.tol) || gap < 0.0 && self.patch.is_some_and(below))
                {
                    self.corner_of_one(i, f, gap);
                    taken |= 1 << (k & 63);
                }
            }
        }
        if let Some(f) = mine.face {
            let (n, on) = (self.one.normals[f], self.one.on_face(f));
            for &j in theirs.corners {
                let y = self.two.vertex(j);
                let gap = n.dot(y - on);
                if low(gap) && self.one.above(f, y, self.tol) {
                    // A corner on a corner is one contact, not two.
                    let twice = mine.corners.iter().enumerate().any(|(k, &i)| {
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
        if self.mine.is_some_and(|p| !p.vertex_sticks_out(i, -self.two.normals[f])) {
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

    /// Two edges whose common perpendicular meets both between their ends; `sine`: how much they must cross.
    fn crossing(&mut self, i: usize, j: usize, n: Vec3, deepest: f64, sine: f64) {
        let ([p, p1], [q, q1]) = (self.one.ends(i), self.two.ends(j));
        let (e, g) = (p1 - p, q1 - q);
        let c = e.cross(g);
        let (ee, gg, cc) = (e.dot(e), g.dot(g), c.dot(c));
        if cc <= sine * sine * ee * gg || cc <= 1e-24 * ee * gg {
            return;
        }
        let d = q - p;
        // Parts of the edges at which they are nearest; most are not between the ends.
        let (s, t) = (d.cross(g).dot(c), d.cross(e).dot(c));
        if s <= 0.0 || s >= cc || t <= 0.0 || t >= cc {
            return;
        }
        let inside = |at: f64, len: f64| at * len > self.tol * cc && (cc - at) * len > self.tol * cc;
        if !inside(s, ee.sqrt()) || !inside(t, gg.sqrt()) {
            return;
        }
        // What cuts an edge of a surface goes through a face beside it, and leaves by its front.
        let front = self.two.normals.first().copied().unwrap_or(n);
        let is_cut = self.mine.is_some() && pierces([p, p1], self.two.vertices, front, self.tol);
        let along = if is_cut { -c.dot(front) } else { c.dot(n) } / cc.sqrt();
        if along.abs() < 0.3 && !is_cut {
            return;
        }
        let side = if along > 0.0 { 1.0 } else { -1.0 };
        let gap = side * c.dot(d) / cc.sqrt();
        if (gap < deepest && !is_cut) || gap > self.collector.margin + self.one.radius + self.two.radius {
            return;
        }
        if let (Some(patch), Some(_)) = (self.patch, self.mine)
            && gap < -self.tol
        {
            // Elsewhere the two only lie over each other. Behind an edge, or beyond the whole of what it belongs to?
            let (x, y) = (p + e * (s / cc), q + g * (t / cc));
            if !is_cut || !patch.inside(self.rel.point_inverse(x), self.rel.point_inverse(y)) {
                return;
            }
        }
        let n = c * (side / cc.sqrt());
        if self.patch.is_none_or(|p| p.edge_sticks_out(j as u32, self.rel.rot.transpose_mul(-n)))
            && self.mine.is_none_or(|p| p.edge_sticks_out(i as u32, n))
        {
            self.edges(i, j, side, gap);
        }
    }

    fn edges(&mut self, i: usize, j: usize, side: f64, gap: f64) {
        self.note(gap);
        let mine = line(self.one.ends(i), self.one.radius);
        let theirs = line(self.local.ends(j), self.two.radius);
        self.collector.add(
            PrimitivePair::LineLine(mine, theirs, side),
            self.edge_of_one(i as u32),
            self.edge_of_two(j as u32),
        );
    }

    /// Parts that overlap although no two of them lie over each other: the deepest corner below the face in question.
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

    /// The nearest two parts of polyhedra that are apart.
    ///
    /// Along n they are `separation`, so a point that lies h behind the foremost one is at least apart + h away from the other polyhedron:
    /// with a first guess for the distance most parts need not be looked at.
    fn nearest(&mut self, axis: &SeparatingAxis) {
        let n = axis.n;
        let (one, two) = (self.one, self.two);
        let (front, back) = (one.support(n), two.floor(n));
        // Nothing that is as near as what is there already, but for rounding.
        let enough = self.least - 1e-3 * self.tol;
        let mut best: (f64, Option<NearestFeatures>) = (enough * enough, None);
        // Any pair bounds the distance: that of the foremost corners.
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
        // Corners against faces, corners and edges.
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
        let mine = |i: u32| Point { at: self.one.vertex(i), radius: self.one.radius };
        let theirs = |j: u32| Point { at: self.local.vertex(j), radius: self.two.radius };
        match near {
            NearestFeatures::CornerFace(i, f) => self.corner_of_one(i, f, gap),
            NearestFeatures::FaceCorner(f, j) => self.corner_of_two(f, j, gap),
            NearestFeatures::Corners(i, j) => {
                let d = self.two.vertex(j) - self.one.vertex(i);
                if self.vertex_pushes(j, d / gap) && self.vertex_of_one_pushes(i, d / gap) {
                    self.collector.add(
                        PrimitivePair::PointPoint(mine(i), theirs(j)),
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
                        PrimitivePair::PointLine(mine(i), edge),
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
                        PrimitivePair::PointLine(theirs(j), edge),
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
        FeatureId::Vertex(self.mine.map_or(i, |p| p.vertex(i)))
    }

    fn edge_of_one(&self, i: u32) -> FeatureId {
        FeatureId::Edge(self.mine.map_or(i, |p| p.edge(i)))
    }

    fn vertex_of_one_pushes(&self, i: u32, n: Vec3) -> bool {
        self.mine.is_none_or(|p| p.vertex_pushes(i, n))
    }

    fn edge_of_one_pushes(&self, i: u32, n: Vec3) -> bool {
        self.mine.is_none_or(|p| p.edge_pushes(i, n))
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

    /// May corner j of two push against n, which leads from one to two?
    fn vertex_pushes(&self, j: u32, n: Vec3) -> bool {
        self.patch.is_none_or(|p| p.vertex_pushes(j, self.rel.rot.transpose_mul(-n)))
    }

    fn edge_pushes(&self, j: u32, n: Vec3) -> bool {
        self.patch.is_none_or(|p| p.edge_pushes(j, self.rel.rot.transpose_mul(-n)))
    }
}

/// Two parts that are nearest to each other, of one and of two.
#[derive(Copy, Clone, Debug)]
enum NearestFeatures {
    CornerFace(u32, usize),
    FaceCorner(usize, u32),
    Corners(u32, u32),
    CornerEdge(u32, u32),
    EdgeCorner(u32, u32),
    Edges(u32, u32),
}

/// Square of the distance of a point from an edge, if its foot is between the ends.
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

/// True if a segment goes through a triangle, by more than `tol` on all sides.
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
