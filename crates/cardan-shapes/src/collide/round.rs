//! Spheres and capsules: a point or a segment with a radius.

use super::ContactCollector;
use super::plane::end;
use super::solid::{box_edge, box_vertex, foot};
use crate::contact::FeatureId;
use crate::pose::Pose;
use crate::primitive::{Line, Plane, Point, PrimitivePair};
use cardan_solve::math::{Vec3, vec3};

const CENTER: Vec3 = Vec3::ZERO;
/// Squared sine below which axes count as parallel, with contacts at their ends. Their gap is then too large
/// by at most half the squared overlap times this over the distance of the axes; the place where they cross
/// would move along them at the smallest rotation.
pub(super) const CROSSED: f64 = 1e-10;

pub(super) fn spheres(one: f64, two: f64, collector: &mut ContactCollector<'_>) {
    let ball = |radius| Point { at: CENTER, radius };
    collector.add(PrimitivePair::PointPoint(ball(one), ball(two)), FeatureId::Whole, FeatureId::Whole);
}

/// The sphere against the nearest of side and ends; `rel` is the capsule relative to the sphere.
pub(super) fn sphere_capsule(
    radius: f64,
    rel: &Pose,
    other: f64,
    length: f64,
    collector: &mut ContactCollector<'_>,
) {
    let ball = Point { at: CENTER, radius };
    let along = -rel.rot.x.dot(rel.pos);
    if along.abs() < 0.5 * length {
        let axis = Line { on: Vec3::ZERO, along: Vec3::X, radius: other };
        collector.add(PrimitivePair::PointLine(ball, axis), FeatureId::Whole, FeatureId::Edge(0));
    } else {
        let k = u32::from(along > 0.0);
        let tip = Point { at: end(length, k), radius: other };
        collector.add(PrimitivePair::PointPoint(ball, tip), FeatureId::Whole, FeatureId::Vertex(k));
    }
}

/// The sphere, with its centre in the frame of the box, against the nearest face, edge or vertex; from
/// inside, the nearest face.
pub(super) fn sphere_box(radius: f64, c: Vec3, half: Vec3, collector: &mut ContactCollector<'_>) {
    let ball = Point { at: CENTER, radius };
    let beyond: [f64; 3] = [0, 1, 2].map(|k| c[k].abs() - half[k]);
    let outside = beyond.map(|d| d > 0.0);
    let positive: [bool; 3] = [0, 1, 2].map(|k| c[k] > 0.0);
    match outside.iter().filter(|&&o| o).count() {
        0 | 1 => {
            // The face that the centre is beyond, or least far behind.
            let mut k = 0;
            for i in 1..3 {
                if beyond[i] > beyond[k] {
                    k = i;
                }
            }
            let mut normal = Vec3::ZERO;
            normal[k] = if positive[k] { 1.0 } else { -1.0 };
            let mut on = Vec3::ZERO;
            on[k] = if positive[k] { half[k] } else { -half[k] };
            let face = FeatureId::Face(2 * k as u32 + u32::from(!positive[k]));
            collector.add(PrimitivePair::PointPlane(ball, Plane { on, normal }), FeatureId::Whole, face);
        }
        2 => {
            let k = if !outside[0] {
                0
            } else if !outside[1] {
                1
            } else {
                2
            };
            let mut at = 0;
            for i in 0..3 {
                if i != k && positive[i] {
                    at |= 1 << i;
                }
            }
            let mut along = Vec3::ZERO;
            along[k] = 1.0;
            let edge = Line { on: box_vertex(half, at), along, radius: 0.0 };
            collector.add(
                PrimitivePair::PointLine(ball, edge),
                FeatureId::Whole,
                FeatureId::Edge(box_edge(k, at)),
            );
        }
        _ => {
            let v = u32::from(positive[0]) + 2 * u32::from(positive[1]) + 4 * u32::from(positive[2]);
            let corner = Point { at: box_vertex(half, v), radius: 0.0 };
            collector.add(PrimitivePair::PointPoint(ball, corner), FeatureId::Whole, FeatureId::Vertex(v));
        }
    }
}

/// Two capsules; `rel` is two relative to one.
///
/// The axes where they cross, and every end against the other's side or end: each is the distance of two
/// features, and the least of them that of the capsules. Parallel capsules have two contacts at their ends,
/// which keeps them stable.
pub(super) fn capsules(one: (f64, f64), two: (f64, f64), rel: &Pose, collector: &mut ContactCollector<'_>) {
    let ((r, l), (s, m)) = (one, two);
    let axis = |radius| Line { on: Vec3::ZERO, along: Vec3::X, radius };
    let ends = |length: f64| [end(length, 0), end(length, 1)];
    let (of_one, of_two) = (ends(l), ends(m).map(|x| rel.point(x)));
    let v = rel.rot.x;
    // Position along two of each end of one, and vice versa.
    let on_two = of_one.map(|x| v.dot(x - rel.pos));
    let on_one = of_two.map(|x| x.x);
    let tol = 1e-9 * (l + m);
    for i in 0..2 {
        let k = i as u32;
        if on_two[i].abs() < 0.5 * m - tol {
            let tip = Point { at: end(l, k), radius: r };
            collector.add(PrimitivePair::PointLine(tip, axis(s)), FeatureId::Vertex(k), FeatureId::Edge(0));
        }
        if on_one[i].abs() < 0.5 * l - tol {
            let tip = Point { at: end(m, k), radius: s };
            collector.add_flipped(
                PrimitivePair::PointLine(tip, axis(r)),
                FeatureId::Edge(0),
                FeatureId::Vertex(k),
            );
        }
        for j in 0..2 {
            // Two ends, if neither has a nearer point along the other's axis.
            let beyond = |t: f64, length: f64, upper: bool| {
                if upper { t >= 0.5 * length - tol } else { t <= -0.5 * length + tol }
            };
            if beyond(on_two[i], m, j == 1) && beyond(on_one[j], l, i == 1) {
                let tip = Point { at: end(l, k), radius: r };
                let other = Point { at: end(m, j as u32), radius: s };
                collector.add(
                    PrimitivePair::PointPoint(tip, other),
                    FeatureId::Vertex(k),
                    FeatureId::Vertex(j as u32),
                );
            }
        }
    }
    // The crossing of the axes.
    if let Some([s_at, t_at]) = foot(Vec3::X, v, rel.pos)
        && v.y * v.y + v.z * v.z > CROSSED
        && s_at.abs() <= 0.5 * l
        && t_at.abs() <= 0.5 * m
    {
        let c = vec3(0.0, -v.z, v.y); // x × v
        let side = if c.dot(rel.pos) >= 0.0 { 1.0 } else { -1.0 };
        collector.add(
            PrimitivePair::LineLine(axis(r), axis(s), side),
            FeatureId::Edge(0),
            FeatureId::Edge(0),
        );
    }
}
