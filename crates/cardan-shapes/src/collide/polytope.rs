//! Polyhedra, capsules and spheres against each other, by separating axes.
//!
//! Two separate convex polyhedra have a separating axis that is a face normal of either or a common
//! perpendicular of two edges; for two edges only if the perpendicular points out of both, which the
//! neighbouring vertices show. The greatest separation along any of these is the distance, unless the
//! polyhedra are nearest at a vertex or along an edge; the least overlap is the penetration depth.

use super::manifold::{AxisSource, PolyhedronPair, SAME, SeparatingAxis};
use super::plane::end;
use super::solid::{BOX_NORMALS, Solid, box_solid, box_vertices, thin_solid};
use super::{ContactCollector, Scratch};
use crate::aabb::greater;
use crate::pose::Pose;
use crate::shape::Shape;
use cardan_solve::math::Vec3;

/// An edge direction must be better than a face by this part of the size to be chosen: faces give stable
/// manifolds.
pub(super) const FACES_FIRST: f64 = 1e-6;

/// Any two of sphere, capsule, box and hull; `rel` is two relative to one.
pub(super) fn solids(
    one: &Shape,
    two: &Shape,
    rel: &Pose,
    scratch: &mut Scratch,
    collector: &mut ContactCollector<'_>,
) {
    let (mut here, mut there) = ([Vec3::ZERO; 8], [Vec3::ZERO; 8]);
    let (Some(one), Some(local)) = (solid_of(one, &mut here), solid_of(two, &mut there)) else { return };
    meet(one, local, rel, scratch, collector);
}

/// The solid of a shape; `buffer` is for vertices of a shape that does not store them.
pub(super) fn solid_of<'s>(shape: &'s Shape, buffer: &'s mut [Vec3; 8]) -> Option<Solid<'s>> {
    match *shape {
        Shape::Sphere { radius } => Some(thin_solid(&buffer[..1], radius, radius)),
        Shape::Capsule { radius, length } => {
            buffer[0] = end(length, 0);
            buffer[1] = end(length, 1);
            let n = if length > 0.0 { 2 } else { 1 };
            Some(thin_solid(&buffer[..n], radius, 0.5 * length + radius))
        }
        Shape::Box { size } => {
            let half = Vec3::from(size) * 0.5;
            *buffer = box_vertices(half);
            Some(box_solid(&buffer[..], &BOX_NORMALS, half))
        }
        Shape::Hull(ref hull) => Some(hull.solid()),
        Shape::Plane | Shape::Cylinder { .. } | Shape::Mesh(_) | Shape::Terrain(_) => None,
    }
}

fn meet(
    one: Solid<'_>,
    local: Solid<'_>,
    rel: &Pose,
    scratch: &mut Scratch,
    collector: &mut ContactCollector<'_>,
) {
    let Scratch { vertices, normals, .. } = scratch;
    vertices.clear();
    vertices.extend(local.vertices.iter().map(|&v| rel.point(v)));
    normals.clear();
    normals.extend(local.normals.iter().map(|&n| rel.rot * n));
    let two = Solid { vertices: &vertices[..], normals: &normals[..], ..local };
    let size = one.size + two.size;
    let reach = collector.margin + one.radius + two.radius;
    let Some((axis, widest)) = directions(&one, &two, reach, size, None) else { return };
    let tol = SAME * size;
    PolyhedronPair {
        one,
        two,
        local,
        rel,
        tol,
        patch: None,
        edge_patch: None,
        least: f64::INFINITY,
        collector,
    }
    .contacts(&axis, &widest);
}

/// The contact direction, and the direction of greatest separation; `None` if that exceeds `reach`.
///
/// With a `front`, the outward normal of a surface that two is a triangle of, only directions against it lead
/// out of an overlap. If one is only a part of a shape (`true`), its separation in another direction is not
/// conclusive.
pub(super) fn directions(
    one: &Solid<'_>,
    two: &Solid<'_>,
    reach: f64,
    size: f64,
    front: Option<(Vec3, bool)>,
) -> Option<(SeparatingAxis, SeparatingAxis)> {
    const NONE: SeparatingAxis =
        SeparatingAxis { separation: f64::NEG_INFINITY, n: Vec3::ZERO, origin: AxisSource::One(0) };
    let mut best = NONE;
    // Separation in any direction, out of the surface or not.
    let mut most = f64::NEG_INFINITY;
    let same = SAME * size;
    let out = |separation: f64, n: Vec3| {
        front.is_none_or(|(front, part)| n.dot(front) < -0.1 || separation > same && !part)
    };
    for (f, &n) in one.normals.iter().enumerate() {
        let separation = two.floor(n) - n.dot(one.on_face(f));
        if separation > reach {
            return None;
        }
        most = greater(most, separation);
        if separation > best.separation + same && out(separation, n) {
            best = SeparatingAxis { separation, n, origin: AxisSource::One(f) };
        }
    }
    for (f, &n) in two.normals.iter().enumerate() {
        let separation = one.floor(n) - n.dot(two.on_face(f));
        if separation > reach {
            return None;
        }
        if separation > best.separation + same {
            best = SeparatingAxis { separation, n: -n, origin: AxisSource::Two(f) };
        }
    }
    let mut crossed = NONE;
    for i in 0..one.edges.len() {
        let [p, p1] = one.ends(i);
        let e = p1 - p;
        let wings = one.edges[i].wings.map(|w| one.vertex(w) - p);
        for j in 0..two.edges.len() {
            let [q, q1] = two.ends(j);
            let g = q1 - q;
            let c = e.cross(g);
            // Out of one: none of its vertices beyond the edge. Out of two: likewise, reversed. Most pairs
            // fail here.
            let (a, b) = (c.dot(wings[0]), c.dot(wings[1]));
            if a * b < 0.0 {
                continue;
            }
            let [v, w] = two.edges[j].wings.map(|w| c.dot(two.vertex(w) - q));
            let cc = c.dot(c);
            if v * w < 0.0 || cc <= 1e-12 * e.dot(e) * g.dot(g) {
                continue;
            }
            let d = c.dot(q - p);
            let (forth, back) =
                (a <= 0.0 && b <= 0.0 && v >= 0.0 && w >= 0.0, a >= 0.0 && b >= 0.0 && v <= 0.0 && w <= 0.0);
            let sign = match (forth, back) {
                (true, false) => 1.0,
                (false, true) => -1.0,
                (false, false) => continue,
                // Face on face: out of the surface, or the direction of separation.
                (true, true) => {
                    let forth = front.map_or(d >= 0.0, |(front, _)| c.dot(front) <= 0.0);
                    if forth { 1.0 } else { -1.0 }
                }
            };
            let len = cc.sqrt();
            let separation = sign * d / len;
            if separation > reach {
                return None;
            }
            if separation > crossed.separation + same && out(separation, c * (sign / len)) {
                crossed = SeparatingAxis { separation, n: c * (sign / len), origin: AxisSource::Edges(i, j) };
            }
        }
    }
    if best.separation == f64::NEG_INFINITY && crossed.separation == f64::NEG_INFINITY {
        return None;
    }
    // Contact from the side: the depth is decided by another triangle of the surface, for which that
    // direction leads out.
    let way = greater(best.separation, crossed.separation);
    if front.is_some_and(|(_, part)| !part) && way < 4.0 * most - 4.0 * same && most <= same {
        return None;
    }
    let axis = if crossed.separation > best.separation + FACES_FIRST * size { crossed } else { best };
    let widest = if crossed.separation > best.separation { crossed } else { best };
    Some((axis, widest))
}
