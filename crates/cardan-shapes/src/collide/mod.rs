//! Contacts of two shapes (narrow phase).
//!
//! Every pair of kinds has one routine, written for one order of the two; for the other order everything is
//! exchanged. Each proposes gap functions; those with a gap of at most the margin become contacts, sorted by
//! feature.

mod cuboid;
mod cylinder;
mod cylinders;
mod manifold;
mod plane;
mod polytope;
mod rim;
mod round;
mod solid;
mod surface;

pub(crate) use solid::{Edge, Solid};

use crate::contact::{Contact, FeatureId, FeaturePair};
use crate::pose::Pose;
use crate::primitive::{Primitive, PrimitivePair};
use crate::shape::Shape;
use cardan_solve::math::Vec3;
use cylinder::Cylinder;

/// Buffers that grow as needed and are then reused.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
    candidates: Vec<cylinder::Candidate>,
    contacts: Vec<Contact>,
}

/// Contacts of shapes a and b with a gap of at most `margin` \[m\] near these poses; `out` is cleared first.
///
/// The least gap is the distance of the shapes if they are separate. Overlapping shapes have negative gaps:
/// for spheres, capsules and planes the exact penetration depth, for polyhedra and cylinders the depth along
/// the direction of least penetration. Contacts are sorted by feature, and no feature occurs twice. Two
/// planes, a plane and a terrain, and two terrains have no contacts.
pub fn collide(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<Contact>,
) {
    out.clear();
    if !pose_a.is_finite() || !pose_b.is_finite() {
        return;
    }
    let swapped = order(a) > order(b);
    let (one, two) = if swapped { ((b, pose_b), (a, pose_a)) } else { ((a, pose_a), (b, pose_b)) };
    let mut collector = ContactCollector { pose_a, pose_b, margin, swapped, out };
    pair(one, two, scratch, &mut collector);
    if collector.count() > 1 {
        collector.remove_duplicates();
    }
}

/// The distance of two shapes \[m\], negative if they overlap; infinite if the pair has no contacts, such as
/// two planes.
///
/// It is the least gap of all contacts, so it costs as much as [`collide`] with an infinite margin.
pub fn distance(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, scratch: &mut Scratch) -> f64 {
    let mut out = std::mem::take(&mut scratch.contacts);
    collide(a, pose_a, b, pose_b, f64::MAX, scratch, &mut out);
    let least = out.iter().fold(f64::INFINITY, |m, c| if c.gap < m { c.gap } else { m });
    scratch.contacts = out;
    least
}

/// Rank of a kind: the lower one comes first.
fn order(shape: &Shape) -> u8 {
    match shape {
        Shape::Plane => 0,
        Shape::Sphere { .. } => 1,
        Shape::Capsule { .. } => 2,
        Shape::Box { .. } => 3,
        Shape::Hull(_) => 4,
        Shape::Cylinder { .. } => 5,
        Shape::Mesh(_) => 6,
        Shape::Terrain(_) => 7,
    }
}

fn pair(
    one: (&Shape, &Pose),
    two: (&Shape, &Pose),
    scratch: &mut Scratch,
    collector: &mut ContactCollector<'_>,
) {
    let ((s, p), (t, q)) = (one, two);
    match (s, t) {
        (Shape::Plane, _) => plane::any(t, q, p, collector),
        (&Shape::Sphere { radius }, &Shape::Sphere { radius: other }) => {
            round::spheres(radius, other, collector)
        }
        (&Shape::Sphere { radius }, &Shape::Capsule { radius: other, length }) => {
            round::sphere_capsule(radius, &p.inverse_then(q), other, length, collector);
        }
        (&Shape::Sphere { radius }, &Shape::Box { size }) => {
            round::sphere_box(radius, q.point_inverse(p.pos), Vec3::from(size) * 0.5, collector);
        }
        (&Shape::Capsule { radius, length }, &Shape::Capsule { radius: r, length: l }) => {
            round::capsules((radius, length), (r, l), &p.inverse_then(q), collector);
        }
        (&Shape::Box { size }, &Shape::Box { size: other }) => {
            cuboid::boxes(size, other, &p.inverse_then(q), collector)
        }
        (&Shape::Cylinder { radius, length }, &Shape::Cylinder { radius: other, length: l }) => {
            let (one, two) = (Cylinder { radius, length }, Cylinder { radius: other, length: l });
            cylinders::meet(&one, &two, &q.inverse_then(p), scratch, collector);
        }
        (_, &Shape::Cylinder { radius, length }) => {
            let mut buffer = [Vec3::ZERO; 8];
            if let Some(solid) = polytope::solid_of(s, &mut buffer) {
                cylinder::meet(
                    &Cylinder { radius, length },
                    solid,
                    &q.inverse_then(p),
                    true,
                    None,
                    scratch,
                    collector,
                );
            }
        }
        (Shape::Mesh(one), Shape::Mesh(two)) => {
            surface::surfaces(&**one, &**two, &p.inverse_then(q), &q.inverse_then(p), collector);
        }
        (Shape::Mesh(one), Shape::Terrain(two)) => {
            surface::surfaces(&**one, &**two, &p.inverse_then(q), &q.inverse_then(p), collector);
        }
        (Shape::Terrain(_), _) => {}
        (_, Shape::Mesh(mesh)) => {
            surface::meet(s, &**mesh, &p.inverse_then(q), &q.inverse_then(p), scratch, collector)
        }
        (_, Shape::Terrain(terrain)) => {
            surface::meet(s, &**terrain, &p.inverse_then(q), &q.inverse_then(p), scratch, collector);
        }
        _ => polytope::solids(s, t, &p.inverse_then(q), scratch, collector),
    }
}

/// Collects contacts. The routines name the shapes one and two; here they become a and b.
pub(crate) struct ContactCollector<'o> {
    pose_a: &'o Pose,
    pose_b: &'o Pose,
    pub(crate) margin: f64,
    swapped: bool,
    out: &'o mut Vec<Contact>,
}

impl ContactCollector<'_> {
    /// Adds a gap between a feature of one (the first of the pair) and a feature of two.
    #[inline]
    pub(crate) fn add(&mut self, pair: PrimitivePair, one: FeatureId, two: FeatureId) {
        self.propose(Primitive::new(pair), FeaturePair { a: one, b: two, nth: 0 });
    }

    /// Adds a gap whose first feature is on two; `one` and `two` keep their order.
    #[inline]
    pub(crate) fn add_flipped(&mut self, pair: PrimitivePair, one: FeatureId, two: FeatureId) {
        self.propose(Primitive::flipped(pair), FeaturePair { a: one, b: two, nth: 0 });
    }

    pub(crate) fn propose(&mut self, primitive: Primitive, feature: FeaturePair) {
        let (primitive, feature) =
            if self.swapped { (primitive.swapped(), feature.swapped()) } else { (primitive, feature) };
        let w = primitive.at(self.pose_a, self.pose_b);
        if w.gap <= self.margin {
            let (normal, point_a, point_b) = (w.normal, w.point_a, w.point_b);
            self.out.push(Contact { feature, primitive, gap: w.gap, normal, point_a, point_b });
        }
    }

    pub(crate) fn pose_two(&self) -> &Pose {
        if self.swapped { self.pose_a } else { self.pose_b }
    }

    /// Exchanges one and two.
    pub(crate) fn exchange(&mut self) {
        self.swapped = !self.swapped;
    }

    /// Sorts, and keeps one contact per feature pair.
    pub(crate) fn remove_duplicates(&mut self) {
        self.out.sort_unstable_by(|c, d| c.feature.cmp(&d.feature).then(c.gap.total_cmp(&d.gap)));
        self.out.dedup_by_key(|c| c.feature);
    }

    /// Number of contacts.
    pub(crate) fn count(&self) -> usize {
        self.out.len()
    }

    /// A vertex over the common edge of two coplanar triangles is in contact with both; one contact is kept.
    pub(crate) fn remove_seam_duplicates(&mut self) {
        let mut i = 0;
        while i < self.out.len() {
            let c = self.out[i];
            let mut j = i + 1;
            while j < self.out.len() {
                let d = &self.out[j];
                let (same_on_one, other) = if self.swapped {
                    (c.feature.b == d.feature.b, d.feature.a)
                } else {
                    (c.feature.a == d.feature.a, d.feature.b)
                };
                let face = matches!(other, FeatureId::Face(_));
                if same_on_one && face && (c.normal - d.normal).norm() < 1e-9 && (c.gap - d.gap).abs() < 1e-9
                {
                    // The same one is kept in any order of the triangles.
                    if d.feature < self.out[i].feature {
                        self.out[i] = *d;
                    }
                    self.out.swap_remove(j);
                } else {
                    j += 1;
                }
            }
            i += 1;
        }
    }

    /// Coplanar faces of two get one identity, so that a contact sliding over their common edge stays the
    /// same.
    pub(crate) fn merge_coplanar_faces(&mut self, plane_of: impl Fn(u32) -> u32) {
        for c in self.out.iter_mut() {
            let part = if self.swapped { &mut c.feature.a } else { &mut c.feature.b };
            if let FeatureId::Face(t) = part {
                *t = plane_of(*t);
            }
        }
    }

    /// A vertex inside a surface leaves by the nearest face: contacts with other faces are dropped unless the
    /// path passes them. `nearest`: the point of a face nearest to a point of its plane.
    pub(crate) fn remove_detours(&mut self, nearest: impl Fn(u32, Vec3) -> Vec3) {
        // Height of the vertex without radius above the face; the vertex, the face, its outward normal and
        // the foot on it.
        let height = |c: &Contact| match c.primitive.pair {
            PrimitivePair::PointPlane(point, _) => c.gap + point.radius,
            _ => c.gap,
        };
        let swapped = self.swapped;
        let seen = |c: &Contact| {
            if swapped {
                (c.feature.b, c.feature.a, c.normal, c.point_a)
            } else {
                (c.feature.a, c.feature.b, -c.normal, c.point_b)
            }
        };
        if self.out.len() < 2 || !self.out.iter().any(|c| height(c) < 0.0) {
            return;
        }
        // Least deep first; each drops those that it makes unnecessary.
        self.out.sort_unstable_by(|c, d| d.gap.total_cmp(&c.gap).then(c.feature.cmp(&d.feature)));
        let mut i = 0;
        while i < self.out.len() {
            let c = self.out[i];
            let (corner, face, _, foot) = seen(&c);
            if let FeatureId::Face(t) = face {
                let foot = nearest(t, foot);
                let mut index = 0;
                self.out.retain(|d| {
                    index += 1;
                    let (other, face, out, on) = seen(d);
                    let deep = height(d);
                    let same = index > i + 1 && other == corner && matches!(face, FeatureId::Face(_));
                    let leaves = deep < 0.0
                        && height(&c) <= -1e-6 * deep
                        && out.dot(foot - on) < 1e-2 * deep - 1e-14 * foot.reach();
                    !(same && leaves)
                });
            }
            i += 1;
        }
    }

    /// Drops crossing edges that are twice as deep as vertices, or as the shallowest crossing of either edge:
    /// their normals point the wrong way. Depths below `tol` are grazing contacts and do not count.
    pub(crate) fn remove_deep_edge_crossings(&mut self, tol: f64) {
        let edges =
            |c: &Contact| matches!((c.feature.a, c.feature.b), (FeatureId::Edge(_), FeatureId::Edge(_)));
        let is_sunk = |c: &Contact| c.gap < -tol;
        if !self.out.iter().any(|c| edges(c) && is_sunk(c)) {
            return;
        }
        // Deepest first: whether one is kept depends on shallower ones, which are all still there.
        self.out.sort_unstable_by(|c, d| c.gap.total_cmp(&d.gap).then(c.feature.cmp(&d.feature)));
        let corners = self.out.iter().find(|c| !edges(c) && is_sunk(c)).map(|c| c.gap);
        let mut i = 0;
        while i < self.out.len() {
            let c = self.out[i];
            let shares = |d: &Contact| d.feature.a == c.feature.a || d.feature.b == c.feature.b;
            let is_deep = |d: &Contact| edges(d) && is_sunk(d) && shares(d) && c.gap < 2.0 * d.gap;
            let is_deepest = corners.is_some_and(|corners| c.gap < 2.0 * corners - tol);
            if edges(&c) && is_sunk(&c) && (is_deepest || self.out.iter().any(is_deep)) {
                self.out.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Keeps only the nearest contacts.
    pub(crate) fn keep_closest(&mut self, most: usize) {
        if self.out.len() > most {
            self.remove_duplicates();
            self.out.sort_unstable_by(|c, d| c.gap.total_cmp(&d.gap).then(c.feature.cmp(&d.feature)));
            self.out.truncate(most);
        }
    }
}
