//! Circles: the rims of cylinders.
//!
//! ```text
//! q·e = 0        d′ = e,  e′ = −d        e = k × d
//! ```
//!
//! The nearest points of a line and a circle, or of two circles, are where the connection q is normal to both
//! tangents e. d: direction from the centre to the point; k: axis of the circle; prime: derivative by the
//! angle φ. Newton's method starts from a direction that is stored with the primitive. Over a
//! [`Jet`](crate::Jet) every iteration doubles the number of exact derivatives too.

use super::{Circle, Line, Plane, Point, Witness, ZERO_SQUARE, length, place, turn};
use crate::pose::Pose;
use cardan_solve::Lane;
use cardan_solve::math::Vec3;

const ROUNDS: usize = 5;
/// A curvature below this part of the circle's is zero: the start is not improved.
const FLAT: f64 = 1e-6;
/// Tangent of half an angle beyond which a step would lead to another place.
const FAR: f64 = 0.25;

#[inline]
pub(super) fn circle_plane<T: Lane>(
    circle: &Circle,
    flat: &Plane,
    one: &Pose<T>,
    two: &Pose<T>,
) -> Witness<T> {
    let (c, k) = (place(one, circle.center), turn(one, circle.axis));
    let (p, n) = (place(two, flat.on), turn(two, flat.normal));
    let r = T::splat(circle.radius);
    // The part of n in the circle's plane; the lowest point is against it.
    let w = n - k * n.dot(k);
    let (len, d) = length(w, one.rot.z);
    let low = c - d * r;
    let height = n.dot(c - p) - r * len;
    Witness { gap: height, normal: -n, point_a: low, point_b: low - n * height }
}

#[inline]
pub(super) fn point_circle<T: Lane>(
    point: &Point,
    circle: &Circle,
    one: &Pose<T>,
    two: &Pose<T>,
) -> Witness<T> {
    let x = place(one, point.at);
    let (c, k) = (place(two, circle.center), turn(two, circle.axis));
    let d = x - c;
    let (_, out) = length(d - k * d.dot(k), two.rot.z);
    let near = c + out * T::splat(circle.radius);
    let (len, n) = length(near - x, -out);
    let r = T::splat(point.radius);
    Witness { gap: len - r, normal: n, point_a: x + n * r, point_b: near }
}

pub(super) fn line_circle<T: Lane>(
    line: &Line,
    circle: &Circle,
    near: Vec3,
    side: f64,
    one: &Pose<T>,
    two: &Pose<T>,
) -> Witness<T> {
    let (p, u) = (place(one, line.on), turn(one, line.along));
    let (c, k) = (place(two, circle.center), turn(two, circle.axis));
    let r = T::splat(circle.radius);
    let across = |v: Vec3<T>| v - u * v.dot(u);
    let mut d = turn(two, near);
    for _ in 0..ROUNDS {
        let e = k.cross(d);
        let q = across(c + d * r - p);
        let flat = across(e * r);
        let slope = flat.dot(q);
        let curve = flat.dot(flat) - q.dot(d) * r;
        d = turned(d, e, slope, curve, r * r);
    }
    let x = c + d * r;
    let q = across(x - p);
    let (gap, n) = signed(q, u.cross(k.cross(d)), side, d);
    let radius = T::splat(line.radius);
    Witness { gap: gap - radius, normal: n, point_a: x - q + n * radius, point_b: x }
}

pub(super) fn circle_circle<T: Lane>(
    a: &Circle,
    b: &Circle,
    near: &[Vec3; 2],
    side: f64,
    one: &Pose<T>,
    two: &Pose<T>,
) -> Witness<T> {
    let (c1, k1, r1) = (place(one, a.center), turn(one, a.axis), T::splat(a.radius));
    let (c2, k2, r2) = (place(two, b.center), turn(two, b.axis), T::splat(b.radius));
    let (mut d1, mut d2) = (turn(one, near[0]), turn(two, near[1]));
    for _ in 0..ROUNDS {
        let (e1, e2) = (k1.cross(d1), k2.cross(d2));
        let q = c2 + d2 * r2 - c1 - d1 * r1;
        // −q·e₁ = 0 and q·e₂ = 0: the gradient of |q|²/2 over radius, and its symmetric matrix.
        let (f1, f2) = (-q.dot(e1) * r1, q.dot(e2) * r2);
        let a11 = r1 * (r1 + q.dot(d1));
        let a22 = r2 * (r2 - q.dot(d2));
        let a12 = -(r1 * r2) * e1.dot(e2);
        let det = a11 * a22 - a12 * a12;
        d1 = turned(d1, e1, f1 * a22 - f2 * a12, det, r1 * r1 * r2 * r2);
        d2 = turned(d2, e2, f2 * a11 - f1 * a12, det, r1 * r1 * r2 * r2);
    }
    let (x, y) = (c1 + d1 * r1, c2 + d2 * r2);
    let (gap, n) = signed(y - x, k1.cross(d1).cross(k2.cross(d2)), side, d1);
    Witness { gap, normal: n, point_a: x, point_b: y }
}

/// d rotated in the plane of d and e by about −slope/curve; not at all where the curvature is too small for a
/// step.
fn turned<T: Lane>(d: Vec3<T>, e: Vec3<T>, slope: T, curve: T, scale: T) -> Vec3<T> {
    if curve.magnitude() <= FLAT * scale.magnitude() {
        return d;
    }
    // With the tangent of half the angle: a rotation without sines, accurate to third order.
    let t = -slope / (curve + curve);
    if t.magnitude() > FAR {
        return d;
    }
    let tt = t * t;
    (d * (T::ONE - tt) + e * (t + t)) / (T::ONE + tt)
}

/// Length and direction of a connection q that is normal to two tangents, by their product and the side, or
/// by q itself.
fn signed<T: Lane>(q: Vec3<T>, product: Vec3<T>, side: f64, fallback: Vec3<T>) -> (T, Vec3<T>) {
    let square = product.dot(product);
    if side == 0.0 || square.magnitude() <= ZERO_SQUARE {
        return length(q, fallback);
    }
    let n = product * (T::splat(side) / square.sqrt());
    (q.dot(n), n)
}
