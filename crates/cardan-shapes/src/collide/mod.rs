//! What keeps two shapes apart.
//!
//! Every pair of kinds has one routine, written for one order of the two; the other order is the same with everything exchanged. Each
//! proposes primitives; those with a gap of at most the margin become contacts, sorted by feature.

mod cuboid;
mod manifold;
mod plane;
mod polytope;
mod round;
mod solid;

pub(crate) use solid::{Edge, Solid};

use crate::contact::{Contact, Feature, Part};
use crate::pose::Pose;
use crate::primitive::{Pair, Primitive};
use crate::shape::Shape;
use cardan_solve::math::Vec3;

/// Buffers that grow to what is needed and are then used again.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
}

/// Everything with a gap of at most `margin` that keeps shape a and shape b apart near these poses; `out` is cleared first.
///
/// The least gap is the distance of the shapes if they are apart. Shapes that overlap have negative gaps: of balls, capsules and planes the
/// exact depth, of polyhedra and cylinders the depth along the direction in which they are apart soonest. Contacts are sorted by feature, and no
/// feature comes twice. Two planes, a plane and a terrain, and surfaces among each other give none.
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
    let mut found = Found { pose_a, pose_b, margin, swapped, out };
    pair(one, two, scratch, &mut found);
    out.sort_unstable_by(|c, d| c.feature.cmp(&d.feature).then(c.gap.total_cmp(&d.gap)));
    out.dedup_by_key(|c| c.feature);
}

/// Which of two kinds comes first.
fn order(shape: &Shape) -> u8 {
    match shape {
        Shape::Plane => 0,
        Shape::Sphere { .. } => 1,
        Shape::Capsule { .. } => 2,
        Shape::Box { .. } => 3,
        Shape::Hull(_) => 4,
        Shape::Cylinder { .. } => 5,
    }
}

fn pair(one: (&Shape, &Pose), two: (&Shape, &Pose), scratch: &mut Scratch, found: &mut Found<'_>) {
    let ((s, p), (t, q)) = (one, two);
    match (s, t) {
        (Shape::Plane, _) => plane::any(t, q, p, found),
        (&Shape::Sphere { radius }, &Shape::Sphere { radius: other }) => round::spheres(radius, other, found),
        (&Shape::Sphere { radius }, &Shape::Capsule { radius: other, length }) => {
            round::sphere_capsule(radius, &p.inverse_then(q), other, length, found);
        }
        (&Shape::Sphere { radius }, &Shape::Box { size }) => {
            round::sphere_box(radius, q.point_inverse(p.pos), Vec3::from(size) * 0.5, found);
        }
        (&Shape::Capsule { radius, length }, &Shape::Capsule { radius: r, length: l }) => {
            round::capsules((radius, length), (r, l), &p.inverse_then(q), found);
        }
        (&Shape::Box { size }, &Shape::Box { size: other }) => {
            cuboid::boxes(size, other, &p.inverse_then(q), found)
        }
        _ => polytope::solids(s, t, &p.inverse_then(q), scratch, found),
    }
}

/// Contacts that are found. The routines speak of one and two; here that becomes a and b.
pub(crate) struct Found<'o> {
    pose_a: &'o Pose,
    pose_b: &'o Pose,
    pub(crate) margin: f64,
    swapped: bool,
    out: &'o mut Vec<Contact>,
}

impl Found<'_> {
    /// A gap between a part of one (the first of the pair) and a part of two.
    #[inline]
    pub(crate) fn add(&mut self, pair: Pair, one: Part, two: Part) {
        self.propose(Primitive::new(pair), Feature { a: one, b: two, nth: 0 });
    }

    /// The same with the first of the pair on two; the parts are still in the order one, two.
    #[inline]
    pub(crate) fn add_flipped(&mut self, pair: Pair, one: Part, two: Part) {
        self.propose(Primitive::flipped(pair), Feature { a: one, b: two, nth: 0 });
    }

    pub(crate) fn propose(&mut self, primitive: Primitive, feature: Feature) {
        let (primitive, feature) =
            if self.swapped { (primitive.swapped(), feature.swapped()) } else { (primitive, feature) };
        let w = primitive.at(self.pose_a, self.pose_b);
        if w.gap <= self.margin {
            let (normal, point_a, point_b) = (w.normal, w.point_a, w.point_b);
            self.out.push(Contact { feature, primitive, gap: w.gap, normal, point_a, point_b });
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.out.len()
    }

    /// Keeps the closest ones only.
    pub(crate) fn keep_closest(&mut self, most: usize) {
        if self.out.len() > most {
            self.out.sort_unstable_by(|c, d| c.feature.cmp(&d.feature).then(c.gap.total_cmp(&d.gap)));
            self.out.dedup_by_key(|c| c.feature);
            self.out.sort_by(|c, d| c.gap.total_cmp(&d.gap));
            self.out.truncate(most);
        }
    }
}
