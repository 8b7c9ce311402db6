//! Two cylinders: sides, end caps and rims of either.

use super::cylinder::{Candidates, Cylinder, choose, outward, rim_pushes};
use super::plane::{STANDING, TILTED, rim_points};
use super::rim::{local_minima, nearest_on_rim, plane_of, side_of_rim};
use super::round::CROSSED;
use super::solid::foot;
use super::{ContactCollector, Scratch};
use crate::contact::FeatureId;
use crate::pose::Pose;
use crate::primitive::{Circle, Plane, Point, Primitive, PrimitivePair};
use cardan_solve::math::{Vec3, vec3};

/// Contacts of one at `rel`, relative to two.
pub(super) fn meet(
    one: &Cylinder,
    two: &Cylinder,
    rel: &Pose,
    scratch: &mut Scratch,
    collector: &mut ContactCollector<'_>,
) {
    let tol = super::manifold::SAME * (one.size() + two.size());
    let separation = |n: Vec3| {
        // Along n from two to one.
        let in_one = rel.rot.transpose_mul(n);
        n.dot(rel.pos) - one.support(in_one) - two.support(n)
    };
    let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
    let crossed = rel.rot.x.cross(Vec3::X).normalized();
    let between = vec3(0.0, rel.pos.y, rel.pos.z).normalized();
    for n in [Some(Vec3::X), Some(rel.rot.x), crossed, between].into_iter().flatten() {
        for n in [n, -n] {
            let d = separation(n);
            if d > collector.margin {
                return;
            }
            if d > best.0 + tol {
                best = (d, n);
            }
        }
    }
    scratch.candidates.clear();
    let mut all = Candidates { list: &mut scratch.candidates, rel, reach: collector.margin, known: 0.0 };
    // Side against side.
    let u = rel.rot.x;
    if let Some([s, t]) = foot(u, Vec3::X, -rel.pos)
        && s.abs() < one.half()
        && t.abs() < two.half()
        && u.y * u.y + u.z * u.z > CROSSED
    {
        let side = if u.cross(Vec3::X).dot(-rel.pos) >= 0.0 { 1.0 } else { -1.0 };
        all.add(
            Primitive::new(PrimitivePair::LineLine(one.axis(), two.axis(), side)),
            FeatureId::Whole,
            FeatureId::Whole,
            0,
        );
    }
    // Rims of two against side and caps of one, and vice versa; of rims on rims those of two.
    let back = rel.inverse_then(&Pose::IDENTITY);
    rims(two, one, &back, tol, &mut |pair, first, rim, part, nth| {
        all.add(Primitive { pair, flipped: first }, part, rim, nth);
    });
    rims(one, two, rel, -tol, &mut |pair, first, rim, part, nth| {
        all.add(Primitive { pair, flipped: !first }, rim, part, nth);
    });
    for i in 0..2 {
        for j in 0..2 {
            rim_rim(one, two, rel, [i, j], &mut all);
        }
    }
    let deepest = |n: Vec3| Point { at: one.foremost(-rel.rot.transpose_mul(n)), radius: 0.0 };
    for c in all.list.iter_mut() {
        let d = separation(c.n);
        c.separation = d;
        if d > best.0 + tol {
            best = (d, c.n);
        }
    }
    choose(two, all.list, best, tol, Some(deepest), true, collector);
}

/// Rims of `a`, which is at `rel` relative to `b`, against side and caps of `b`. `add`: the pair, whether its
/// first feature belongs to a, the rim, the feature of b, and the index among several places.
fn rims(
    a: &Cylinder,
    b: &Cylinder,
    rel: &Pose,
    tol: f64,
    add: &mut dyn FnMut(PrimitivePair, bool, FeatureId, FeatureId, u8),
) {
    let over = |x: Vec3| {
        let high = b.radius + tol;
        x.y * x.y + x.z * x.z <= high * high
    };
    for k in 0..2 {
        let rim = a.rim(k);
        let here = Circle { center: rel.point(rim.center), axis: rel.rot.x, radius: rim.radius };
        let out = rel.rot * outward(k);
        for (nth, d) in nearest_on_rim(Vec3::ZERO, Vec3::X, &here).into_iter().flatten().enumerate() {
            let x = here.center + d * here.radius;
            if x.x.abs() < b.half() + tol {
                let from = vec3(0.0, -x.y, -x.z);
                // The axis with its radius is never on the wrong side: the distance is smooth here.
                let n = from.normalized();
                if n.is_some_and(|n| n.dot(d) >= -1e-9 && n.dot(out) >= -1e-9) {
                    let near = rel.rot.transpose_mul(d);
                    add(
                        PrimitivePair::LineCircle(b.axis(), rim, near, 0.0),
                        false,
                        FeatureId::Rim(k),
                        FeatureId::Whole,
                        nth as u8,
                    );
                }
            }
        }
        for j in 0..2 {
            let flat: Plane = b.cap(j);
            let n = flat.normal;
            let w = n - here.axis * here.axis.dot(n);
            let lean = w.norm();
            if lean > TILTED && over(here.center - w * (here.radius / lean)) {
                add(PrimitivePair::CirclePlane(rim, flat), true, FeatureId::Rim(k), FeatureId::Face(j), 0);
            }
            if lean < STANDING && out.dot(n) < 0.0 {
                for (i, at) in rim_points(rim.center, rim.radius).into_iter().enumerate() {
                    if over(rel.point(at)) {
                        let point = Point { at, radius: 0.0 };
                        add(
                            PrimitivePair::PointPlane(point, flat),
                            true,
                            FeatureId::RimPoint(k, i as u32),
                            FeatureId::Face(j),
                            0,
                        );
                    }
                }
            }
        }
    }
}

/// Two rims where they cross or are near each other.
fn rim_rim(one: &Cylinder, two: &Cylinder, rel: &Pose, [i, j]: [u32; 2], all: &mut Candidates<'_>) {
    let (of_one, of_two) = (one.rim(i), two.rim(j));
    let here = Circle { center: rel.point(of_one.center), axis: rel.rot.x, radius: of_one.radius };
    // The nearest place on two's rim to a point.
    let near = |x: Vec3| {
        let d = x - of_two.center;
        vec3(0.0, d.y, d.z).normalized().unwrap_or(Vec3::Y)
    };
    let [a, b] = plane_of(&here);
    let places = local_minima(|[c, s]| {
        let x = here.center + (a * c + b * s) * here.radius;
        (x - of_two.center - near(x) * of_two.radius).dot(b * c - a * s)
    })
    .map(|place| place.map(|[c, s]| a * c + b * s));
    for (nth, d1) in places.into_iter().flatten().enumerate() {
        let x = here.center + d1 * here.radius;
        let d2 = near(x);
        let y = of_two.center + d2 * of_two.radius;
        let product = here.axis.cross(d1).cross(Vec3::X.cross(d2));
        let out = d2 + outward(j);
        if let Some((side, n)) = side_of_rim(product, x - y, out)
            && rim_pushes(n, d2, j)
            && n.dot(d1) <= 1e-9
            && n.dot(rel.rot * outward(i)) <= 1e-9
        {
            let spokes = [rel.rot.transpose_mul(d1), d2];
            let pair = PrimitivePair::CircleCircle(of_one, of_two, spokes, side);
            all.add(Primitive::new(pair), FeatureId::Rim(i), FeatureId::Rim(j), nth as u8);
        }
    }
}
