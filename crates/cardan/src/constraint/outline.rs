//! Polylines that show transmissions and contacts in drawings.
//!
//! A pair of gears has ratios only; the sizes of the wheels follow from their places. With D the
//! distance of parallel axes, and n the teeth,
//!
//!   r₁ = D n₁/(n₁ ± n₂)        plus outside, minus inside
//!
//! With axes that meet at the angle Σ, tan γ₁ = sin Σ/(n₂/n₁ + cos Σ) is the half angle of a pitch
//! cone, whose circle is drawn at the wheel.

use crate::body::FrameMotion;
use crate::math::Vec3;
use crate::tolerances::DRAWN_PARALLEL;
use core::f64::consts::TAU;

/// Corners of a drawn circle.
const CORNERS: u32 = 48;

/// A circle about an axis.
pub(super) fn ring(center: Vec3, axis: Vec3, radius: f64) -> Vec<Vec3> {
    let Some(x) = axis.any_perpendicular() else { return Vec::new() };
    let y = axis.cross(x);
    let corner = |i: u32| {
        let (sin, cos) = libm::sincos(TAU * f64::from(i) / f64::from(CORNERS));
        center + (x * cos + y * sin) * radius
    };
    (0..=CORNERS).map(corner).collect()
}

/// A cross with a bar along each axis.
pub(super) fn mark(at: Vec3, size: f64) -> Vec<Vec<Vec3>> {
    [Vec3::X, Vec3::Y, Vec3::Z].map(|e| vec![at - e * size, at + e * size]).to_vec()
}

/// Pitch circles of two wheels about z of their frames, with `ratios` for teeth; empty if they are
/// on one axis.
pub(super) fn pitch_circles(a: &FrameMotion, b: &FrameMotion, [first, second]: [f64; 2]) -> Vec<Vec<Vec3>> {
    let (za, zb) = (a.rot * Vec3::Z, b.rot * Vec3::Z);
    let offset = b.pos - a.pos;
    let (n1, n2) = (first.abs(), second.abs());
    let cross = za.cross(zb);
    if cross.norm() < DRAWN_PARALLEL {
        let across = offset - za * za.dot(offset);
        let apart = across.norm();
        let outside = first * second * za.dot(zb) > 0.0;
        let sum = if outside { n1 + n2 } else { n1 - n2 };
        if apart <= 1e-9 * (a.pos.norm() + b.pos.norm()) || sum.abs() <= 1e-9 * (n1 + n2) {
            return Vec::new();
        }
        let size = apart / sum.abs();
        let (ra, rb) = (size * n1, size * n2);
        // The pitch point: towards the other wheel, or away from it inside of a larger one.
        let toward = if outside || n1 > n2 { across / apart } else { -across / apart };
        let mut all = vec![ring(a.pos, za, ra), ring(b.pos, zb, rb)];
        all.extend(mark(a.pos + toward * ra, 0.08 * if ra < rb { ra } else { rb }));
        return all;
    }
    // Axes that meet: the distance of the apex along each.
    let square = cross.dot(cross);
    let (along_a, along_b) = (offset.cross(zb).dot(cross) / square, offset.cross(za).dot(cross) / square);
    let meet = (a.pos + za * along_a - b.pos - zb * along_b).norm();
    if meet > 1e-6 * offset.norm() || along_a == 0.0 || along_b == 0.0 {
        return Vec::new();
    }
    // From the apex towards the wheels.
    let (ea, eb) = (za * -along_a.signum(), zb * -along_b.signum());
    let (cos, sin) = (ea.dot(eb), cross.norm());
    let radius = |own: f64, other: f64, far: f64| far.abs() * sin / (other / own + cos);
    let (ra, rb) = (radius(n1, n2, along_a), radius(n2, n1, along_b));
    if !(ra > 0.0 && rb > 0.0) {
        return Vec::new();
    }
    vec![ring(a.pos, za, ra), ring(b.pos, zb, rb)]
}

/// A belt about two pulleys: their circles and its two straight spans.
pub(super) fn belt(a: &FrameMotion, b: &FrameMotion, [ra, rb]: [f64; 2], crossed: bool) -> Vec<Vec<Vec3>> {
    let (za, zb) = (a.rot * Vec3::Z, b.rot * Vec3::Z);
    let mut all = vec![ring(a.pos, za, ra), ring(b.pos, zb, rb)];
    let offset = b.pos - a.pos;
    let across = offset - za * za.dot(offset);
    let apart = across.norm();
    let reach = if crossed { ra + rb } else { ra - rb };
    if za.cross(zb).norm() > DRAWN_PARALLEL || apart <= reach.abs() {
        return all;
    }
    // The spans leave the circles where the radius has the angle φ to the line of centres, cos φ =
    // (r_a ∓ r_b)/D.
    let (cos, x) = (reach / apart, across / apart);
    let (sin, y) = ((1.0 - cos * cos).sqrt(), za.cross(across) / apart);
    for side in [1.0, -1.0] {
        let out = x * cos + y * (side * sin);
        let on_b = if crossed { -out } else { out };
        all.push(vec![a.pos + out * ra, b.pos + on_b * rb]);
    }
    all
}

/// A pinion about z of its frame, and the rack along z of the other frame, on its side of the
/// pinion.
pub(super) fn rack(pinion: &FrameMotion, rack: &FrameMotion, radius: f64) -> Vec<Vec<Vec3>> {
    let (axis, along) = (pinion.rot * Vec3::Z, rack.rot * Vec3::Z);
    let mut all = vec![ring(pinion.pos, axis, radius)];
    if let Some(side) = axis.cross(along).normalized() {
        let way = if side.dot(rack.pos - pinion.pos) < 0.0 { -side } else { side };
        let contact_point = pinion.pos + way * radius;
        all.push(vec![contact_point - along * (1.5 * radius), contact_point + along * (1.5 * radius)]);
    }
    all
}

/// A thread about z of the first frame, from one end to the other.
pub(super) fn thread(a: &FrameMotion, b: &FrameMotion, lead: f64) -> Vec<Vec<Vec3>> {
    let axis = a.rot * Vec3::Z;
    let Some(x) = axis.any_perpendicular() else { return Vec::new() };
    let y = axis.cross(x);
    let length = axis.dot(b.pos - a.pos);
    // Three to thirty turns are drawn; the radius follows from the lead.
    let lead = lead.abs();
    let length = if length.abs() < 3.0 * lead { 3.0 * lead } else { length };
    let turns = length.abs() / lead;
    let turns = if turns > 30.0 { 30.0 } else { turns };
    let count = (turns * 16.0) as u32;
    let at = |i: u32| {
        let share = f64::from(i) / f64::from(count);
        let (sin, cos) = libm::sincos(TAU * turns * share);
        a.pos + axis * (length * share) + (x * cos + y * sin) * lead
    };
    vec![(0..=count).map(at).collect()]
}
