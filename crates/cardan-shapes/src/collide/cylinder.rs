//! Cylinders against spheres, capsules, boxes, hulls and triangles.
//!
//! A cylinder is an axis with a radius (its side), two flat end caps and two rims. Every vertex, edge and
//! face of the other shape is tested against the feature of the cylinder that it can be nearest to:
//!
//! ```text
//! vertex   side: point – line      cap: point – plane      rim: point – circle
//! edge     side: line – line                               rim: line – circle
//! face                                                     rim: circle – plane, or points of an upright rim
//! ```
//!
//! Each candidate is the distance of two features, so the least is that of the shapes if they are separate. A
//! separating direction shows whether they are: that of a candidate, a face normal, the axis, or normal to
//! the axis and an edge. If there is none, contacts are kept whose normals are along the direction of least
//! penetration.

use super::manifold::Patch;
use super::plane::{STANDING, TILTED, end, rim_points};
use super::rim::{nearest_on_rim, side_of_rim};
use super::round::CROSSED;
use super::solid::{Solid, foot};
use super::{ContactCollector, Scratch};
use crate::aabb::{greater, lesser};
use crate::contact::{FeatureId, FeaturePair};
use crate::pose::Pose;
use crate::primitive::{Circle, Line, Plane, Point, Primitive, PrimitivePair};
use cardan_solve::math::{Vec3, vec3};

/// A candidate contact between the other shape (a) and the cylinder (b).
#[derive(Copy, Clone, Debug)]
pub(crate) struct Candidate {
    pub(super) primitive: Primitive,
    pub(super) feature: FeaturePair,
    pub(super) gap: f64,
    /// From the cylinder to the other shape, in the cylinder's frame.
    pub(super) n: Vec3,
    /// Separation of the shapes along it.
    pub(super) separation: f64,
}

/// A cylinder along x.
#[derive(Copy, Clone, Debug)]
pub(super) struct Cylinder {
    pub(super) radius: f64,
    pub(super) length: f64,
}

/// Tolerance on directions, as a sine: 1e7 roundings.
const LEAN: f64 = 1e-9;

impl Cylinder {
    pub(super) fn half(&self) -> f64 {
        0.5 * self.length
    }

    pub(super) fn size(&self) -> f64 {
        self.half() + self.radius
    }

    pub(super) fn axis(&self) -> Line {
        Line { on: Vec3::ZERO, along: Vec3::X, radius: self.radius }
    }

    pub(super) fn rim(&self, k: u32) -> Circle {
        Circle { center: end(self.length, k), axis: Vec3::X, radius: self.radius }
    }

    pub(super) fn cap(&self, k: u32) -> Plane {
        Plane { on: end(self.length, k), normal: outward(k) }
    }

    /// A support point along n.
    pub(super) fn foremost(&self, n: Vec3) -> Vec3 {
        let out = (n.y * n.y + n.z * n.z).sqrt();
        let across = if out > 0.0 { vec3(0.0, n.y, n.z) * (self.radius / out) } else { Vec3::ZERO };
        end(self.length, u32::from(n.x > 0.0)) + across
    }

    /// Greatest n·x.
    pub(super) fn support(&self, n: Vec3) -> f64 {
        self.half() * n.x.abs() + self.radius * (n.y * n.y + n.z * n.z).sqrt()
    }
}

pub(super) fn outward(k: u32) -> Vec3 {
    if k == 0 { -Vec3::X } else { Vec3::X }
}

/// True if a rim can be in contact with normal n at its point in direction d.
pub(super) fn rim_pushes(n: Vec3, d: Vec3, k: u32) -> bool {
    n.dot(d) >= -LEAN && n.dot(outward(k)) >= -LEAN
}

/// Collects candidates.
pub(super) struct Candidates<'c> {
    pub(super) list: &'c mut Vec<Candidate>,
    /// The other shape, relative to the cylinder.
    pub(super) rel: &'c Pose,
    pub(super) reach: f64,
    /// A distance between the two that is known already.
    pub(super) known: f64,
}

impl Candidates<'_> {
    /// Adds a pair whose first feature is on the other shape, unless flipped. Returns the gap.
    pub(super) fn add(
        &mut self,
        primitive: Primitive,
        other: FeatureId,
        on_cylinder: FeatureId,
        nth: u8,
    ) -> f64 {
        let w = primitive.at(self.rel, &Pose::IDENTITY);
        let feature = FeaturePair { a: other, b: on_cylinder, nth };
        self.list.push(Candidate { primitive, feature, gap: w.gap, n: -w.normal, separation: 0.0 });
        w.gap
    }

    /// A vertex of the other shape (in its frame, and in the cylinder's) against the nearest feature.
    fn corner(&mut self, cylinder: &Cylinder, point: Point, x: Vec3, part: FeatureId) {
        let k = u32::from(x.x > 0.0);
        let beyond = x.x.abs() - cylinder.half();
        let out = (x.y * x.y + x.z * x.z).sqrt() - cylinder.radius;
        let gap = if beyond > 0.0 && out > 0.0 {
            self.add(
                Primitive::new(PrimitivePair::PointCircle(point, cylinder.rim(k))),
                part,
                FeatureId::Rim(k),
                0,
            )
        } else if beyond > out {
            self.add(
                Primitive::new(PrimitivePair::PointPlane(point, cylinder.cap(k))),
                part,
                FeatureId::Face(k),
                0,
            )
        } else {
            self.add(
                Primitive::new(PrimitivePair::PointLine(point, cylinder.axis())),
                part,
                FeatureId::Whole,
                0,
            )
        };
        self.known = lesser(self.known, gap);
    }

    /// An edge of the other shape between two points in the cylinder's frame.
    fn edge(&mut self, cylinder: &Cylinder, local: Line, [p, q]: [Vec3; 2], part: FeatureId) {
        let e = q - p;
        let len = e.norm();
        let u = e / len;
        if let Some([s, t]) = foot(u, Vec3::X, -p)
            && s > 0.0
            && s < len
            && t.abs() < cylinder.half()
            && u.y * u.y + u.z * u.z > CROSSED
        {
            // From the edge to the axis: u × x along −p, or any direction if they meet.
            let side = if u.cross(Vec3::X).dot(-p) >= 0.0 { 1.0 } else { -1.0 };
            self.add(
                Primitive::new(PrimitivePair::LineLine(local, cylinder.axis(), side)),
                part,
                FeatureId::Whole,
                0,
            );
        }
        for k in 0..2 {
            let rim = cylinder.rim(k);
            // The rim is inside a sphere; if that is farther than the known distance, it cannot matter.
            let near = clamped(u.dot(rim.center - p), len);
            let least = (p + u * near - rim.center).norm() - rim.radius - local.radius;
            if least > self.reach && least > self.known {
                continue;
            }
            for (nth, d) in nearest_on_rim(p, u, &rim).into_iter().flatten().enumerate() {
                let x = rim.center + d * rim.radius;
                let along = u.dot(x - p);
                if along > 0.0 && along < len {
                    let from = p + u * along - x;
                    if let Some((side, n)) = side_of_rim(u.cross(Vec3::X.cross(d)), from, d + outward(k))
                        && rim_pushes(n, d, k)
                    {
                        let pair = PrimitivePair::LineCircle(local, rim, d, side);
                        self.add(Primitive::new(pair), part, FeatureId::Rim(k), nth as u8);
                    }
                }
            }
        }
    }

    /// A face of the other shape, with its normal and its test for points above it in the cylinder's frame.
    fn face(
        &mut self,
        cylinder: &Cylinder,
        local: &Solid<'_>,
        here: &Solid<'_>,
        f: usize,
        tol: f64,
        part: FeatureId,
    ) {
        let n = here.normals[f];
        let flat = Plane { on: local.on_face(f), normal: local.normals[f] };
        let lean = (n.y * n.y + n.z * n.z).sqrt();
        for k in 0..2 {
            let rim = cylinder.rim(k);
            if lean > TILTED {
                let low = rim.center - vec3(0.0, n.y, n.z) * (rim.radius / lean);
                if here.above(f, low, tol) {
                    self.add(
                        Primitive::flipped(PrimitivePair::CirclePlane(rim, flat)),
                        part,
                        FeatureId::Rim(k),
                        0,
                    );
                }
            }
            // A rim that lies flat, on the cap that faces the face.
            if lean < STANDING && outward(k).dot(n) < 0.0 {
                for (i, at) in rim_points(rim.center, rim.radius).into_iter().enumerate() {
                    if here.above(f, at, tol) {
                        let pair = PrimitivePair::PointPlane(Point { at, radius: 0.0 }, flat);
                        self.add(Primitive::flipped(pair), part, FeatureId::RimPoint(k, i as u32), 0);
                    }
                }
            }
        }
    }
}

fn clamped(x: f64, high: f64) -> f64 {
    if x > 0.0 { if x < high { x } else { high } } else { 0.0 }
}

/// Contacts of the cylinder and a solid in its own frame, which is at `rel` relative to the cylinder;
/// `solid_first`: the solid is one, the cylinder two.
pub(super) fn meet(
    cylinder: &Cylinder,
    local: Solid<'_>,
    rel: &Pose,
    solid_first: bool,
    patch: Option<&dyn Patch>,
    scratch: &mut Scratch,
    collector: &mut ContactCollector<'_>,
) {
    let Scratch { vertices, normals, candidates, .. } = scratch;
    vertices.clear();
    vertices.extend(local.vertices.iter().map(|&v| rel.point(v)));
    normals.clear();
    normals.extend(local.normals.iter().map(|&n| rel.rot * n));
    let here = Solid { vertices: &vertices[..], normals: &normals[..], ..local };
    candidates.clear();
    let reach = collector.margin;
    let size = cylinder.size() + local.size;
    let tol = super::manifold::SAME * size;
    let separation = |n: Vec3| here.floor(n) - local.radius - cylinder.support(n);
    // Out of a surface only along its front.
    let front = patch.map(|_| here.normals[0]);
    let out = |d: f64, n: Vec3| d > tol || front.is_none_or(|front| n.dot(front) < -0.1);
    // Directions that are known beforehand.
    let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
    // Separation in any direction, out of the surface or not.
    let mut most = f64::NEG_INFINITY;
    let mut direction = |n: Vec3| {
        let d = separation(n);
        most = greater(most, d);
        if d > best.0 + tol && out(d, n) {
            best = (d, n);
        }
        d > reach
    };
    for &n in here.normals {
        if direction(-n) {
            return;
        }
    }
    if direction(Vec3::X) || direction(-Vec3::X) {
        return;
    }
    for i in 0..here.edges.len() {
        let [p, q] = here.ends(i);
        if let Some(n) = (q - p).cross(Vec3::X).normalized()
            && (direction(n) || direction(-n))
        {
            return;
        }
    }
    let mut all = Candidates { list: candidates, rel, reach, known: f64::INFINITY };
    for (i, &x) in here.vertices.iter().enumerate() {
        let point = Point { at: local.vertices[i], radius: local.radius };
        all.corner(cylinder, point, x, FeatureId::Vertex(i as u32));
    }
    for i in 0..here.edges.len() {
        let [p, q] = local.ends(i);
        let e = q - p;
        let line = Line { on: p, along: e / e.norm(), radius: local.radius };
        all.edge(cylinder, line, here.ends(i), FeatureId::Edge(i as u32));
    }
    for f in 0..here.normals.len() {
        all.face(cylinder, &local, &here, f, tol, FeatureId::Face(f as u32));
    }
    for c in candidates.iter_mut() {
        let d = separation(c.n);
        c.separation = d;
        most = greater(most, d);
        if d > best.0 + tol && out(d, c.n) {
            best = (d, c.n);
        }
    }
    if let Some(patch) = patch {
        // Contact from the side: the depth is decided by another triangle of the surface, for which that
        // direction leads out.
        if best.0 < 4.0 * most - 4.0 * tol && most <= tol {
            return;
        }
        candidates.retain_mut(|c| {
            let away = -rel.rot.transpose_mul(c.n);
            match &mut c.feature.a {
                FeatureId::Vertex(i) if patch.vertex_sticks_out(*i, away) => *i = patch.vertex(*i),
                FeatureId::Edge(i) if patch.edge_sticks_out(*i, away) => *i = patch.edge(*i),
                FeatureId::Face(i) => {
                    if c.gap < -tol {
                        let w = c.primitive.at(rel, &Pose::IDENTITY);
                        if !patch.inside(rel.point_inverse(w.point_b), rel.point_inverse(w.point_a)) {
                            return false;
                        }
                    }
                    *i = patch.face();
                }
                _ => return false,
            }
            true
        });
    }
    let deepest = |n: Vec3| {
        let lowest = here
            .vertices
            .iter()
            .enumerate()
            .fold((f64::INFINITY, 0), |low, (i, v)| if n.dot(*v) < low.0 { (n.dot(*v), i) } else { low });
        Point { at: local.vertices[lowest.1], radius: local.radius }
    };
    let deepest = patch.is_none().then_some(deepest);
    choose(cylinder, candidates, best, tol, deepest, solid_first, collector);
}

/// Keeps candidates along the separating direction, or along that of least penetration. `deepest`: the point
/// of the other shape that is farthest against n, in case no candidate fits.
pub(super) fn choose(
    cylinder: &Cylinder,
    candidates: &[Candidate],
    (depth, n): (f64, Vec3),
    tol: f64,
    deepest: Option<impl Fn(Vec3) -> Point>,
    other_first: bool,
    collector: &mut ContactCollector<'_>,
) {
    let mut emit = |primitive: Primitive, feature: FeaturePair| {
        if other_first {
            collector.propose(primitive, feature);
        } else {
            collector.propose(primitive.swapped(), feature.swapped());
        }
    };
    let lowest = if depth > 0.0 { -tol } else { 1.5 * depth - tol };
    let mut least = f64::INFINITY;
    // A direction out of the overlap, or one that is nearly as short.
    let fits = |c: &Candidate| depth > tol || c.n.dot(n) >= 0.5 || c.separation >= 1.5 * depth - tol;
    for c in candidates.iter().filter(|c| c.gap >= lowest && fits(c)) {
        least = lesser(least, c.gap);
        emit(c.primitive, c.feature);
    }
    if let Some(deepest) = deepest
        && depth <= tol
        && least > 0.5 * depth + 2.0 * tol
    {
        // They overlap where no two features face each other: the deepest point below a tangent plane of the
        // cylinder.
        let flat = Plane { on: cylinder.foremost(n), normal: n };
        let pair = PrimitivePair::PointPlane(deepest(n), flat);
        emit(Primitive::new(pair), FeaturePair { a: FeatureId::Whole, b: FeatureId::Whole, nth: u8::MAX });
    }
}
