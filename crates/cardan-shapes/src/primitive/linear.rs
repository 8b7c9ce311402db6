//! Gaps of points, lines and planes; the module page has the equations.

use super::{Line, Plane, Point, Witness, length, place, turn};
use crate::pose::Pose;
use cardan_solve::Lane;
use cardan_solve::math::Vec3;

#[inline]
pub(super) fn point_plane<T: Lane>(point: &Point, flat: &Plane, one: &Pose<T>, two: &Pose<T>) -> Witness<T> {
    let (x, n) = (place(one, point.at), turn(two, flat.normal));
    let height = n.dot(x - place(two, flat.on));
    let r = T::splat(point.radius);
    Witness { gap: height - r, normal: -n, point_a: x - n * r, point_b: x - n * height }
}

#[inline]
pub(super) fn point_point<T: Lane>(a: &Point, b: &Point, one: &Pose<T>, two: &Pose<T>) -> Witness<T> {
    let (x, y) = (place(one, a.at), place(two, b.at));
    let (len, n) = length(y - x, one.rot.z);
    let (ra, rb) = (T::splat(a.radius), T::splat(b.radius));
    Witness { gap: len - (ra + rb), normal: n, point_a: x + n * ra, point_b: y - n * rb }
}

#[inline]
pub(super) fn point_line<T: Lane>(point: &Point, line: &Line, one: &Pose<T>, two: &Pose<T>) -> Witness<T> {
    let (x, u) = (place(one, point.at), turn(two, line.along));
    let p = place(two, line.on);
    let d = p - x;
    let along = d.dot(u);
    // From the point to its foot on the line.
    let across = d - u * along;
    let (len, n) = length(across, across_of(u, one, two));
    let (ra, rb) = (T::splat(point.radius), T::splat(line.radius));
    Witness { gap: len - (ra + rb), normal: n, point_a: x + n * ra, point_b: x + across - n * rb }
}

/// Lines that are parallel to within this sine have no reliable common perpendicular.
const PARALLEL: f64 = 1e-12;

#[inline]
pub(super) fn line_line<T: Lane>(a: &Line, b: &Line, side: f64, one: &Pose<T>, two: &Pose<T>) -> Witness<T> {
    let (u, v) = (turn(one, a.along), turn(two, b.along));
    let (p, q) = (place(one, a.on), place(two, b.on));
    let d = q - p;
    let c = u.cross(v);
    let square = c.dot(c);
    let (ra, rb) = (T::splat(a.radius), T::splat(b.radius));
    if square.magnitude() <= PARALLEL * PARALLEL {
        let across = d - u * d.dot(u);
        let (len, n) = length(across, across_of(u, one, two));
        return Witness {
            gap: len - (ra + rb),
            normal: n,
            point_a: p + n * ra,
            point_b: p + across - n * rb,
        };
    }
    let n = c * (T::splat(side) / square.sqrt());
    // p + s u and q + t v differ by a multiple of c.
    let s = d.cross(v).dot(c) / square;
    let t = d.cross(u).dot(c) / square;
    let (x, y) = (p + u * s, q + v * t);
    Witness { gap: n.dot(d) - (ra + rb), normal: n, point_a: x + n * ra, point_b: y - n * rb }
}

/// A direction normal to a line that passes through the point: fixed in one of the frames, and never along
/// the line.
fn across_of<T: Lane>(u: Vec3<T>, one: &Pose<T>, two: &Pose<T>) -> Vec3<T> {
    let try_one = one.rot.z.cross(u);
    let c = if try_one.dot(try_one).magnitude() > 0.1 { try_one } else { one.rot.x.cross(u) };
    length(c, two.rot.y).1
}
