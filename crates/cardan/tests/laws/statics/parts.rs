//! Mechanisms in the x–y plane, gravity down along −y.

use cardan::End::Ground;
use cardan::math::{Quat, Vec3, vec3};
use cardan::{Body, BodyId, End, Gravity, Joint, MassProperties, ModelBuilder};

pub(crate) const G: f64 = 9.81;

pub(crate) fn builder() -> ModelBuilder {
    ModelBuilder::new(Gravity::new(0.0, -G, 0.0))
}

pub(crate) fn turn(angle: f64) -> Quat {
    Quat::exp(vec3(0.0, 0.0, angle))
}

pub(crate) fn at(angle: f64, r: f64) -> Vec3 {
    vec3(r * angle.cos(), r * angle.sin(), 0.0)
}

/// A slender rod in the plane from p to q.
pub(crate) fn planar_rod(mass: f64, p: Vec3, q: Vec3) -> Body {
    let way = q - p;
    let length = way.norm();
    Body {
        pos: (p + q) * 0.5,
        rot: turn(way.y.atan2(way.x)),
        ..Body::planar(mass, mass * length * length / 12.0)
    }
}

/// Rods in the plane from pin to pin; the first hangs on the ground, and so does the last if
/// `closed`.
pub(crate) fn rods(parts: &mut ModelBuilder, pins: &[Vec3], masses: &[f64], closed: bool) -> Vec<BodyId> {
    let (mut last, mut all) = (Ground, Vec::new());
    for (pair, &mass) in pins.windows(2).zip(masses) {
        let rod = parts.add_body(planar_rod(mass, pair[0], pair[1]));
        parts.add_joint(Joint::revolute(last, rod, pair[0], Vec3::Z));
        last = End::Body(rod);
        all.push(rod);
    }
    if closed {
        parts.add_joint(Joint::revolute(last, Ground, pins[pins.len() - 1], Vec3::Z));
    }
    all
}

/// Point masses in a vertical chain on massless rods: planar bodies with their masses at the lower
/// ends and negligible inertia.
pub(crate) fn point_pendulum(
    parts: &mut ModelBuilder,
    angles: &[f64],
    lengths: &[f64],
    masses: &[f64],
) -> Vec<BodyId> {
    let (mut last, mut pin, mut all) = (Ground, Vec3::ZERO, Vec::new());
    for ((&angle, &length), &mass) in angles.iter().zip(lengths).zip(masses) {
        let end = pin + vec3(length * angle.sin(), -length * angle.cos(), 0.0);
        let body = parts.add_body(Body { pos: end, rot: turn(angle), ..Body::planar(mass, 1e-12 * mass) });
        parts.add_joint(Joint::revolute(last, body, pin, Vec3::Z));
        (last, pin) = (End::Body(body), end);
        all.push(body);
    }
    all
}

/// The intersection of circles about p and q, to the left of the line from p to q.
pub(crate) fn meet(p: Vec3, r: f64, q: Vec3, s: f64) -> Vec3 {
    let way = q - p;
    let d = way.norm();
    let (x, along) = ((d * d + r * r - s * s) / (2.0 * d), way / d);
    p + along * x + Vec3::Z.cross(along) * (r * r - x * x).sqrt()
}

/// A four-bar with pins on the ground at 0 and (1, 0): crank 0.4, coupler 1.1, rocker 0.9.
pub(crate) fn four_bar_pins(crank: f64) -> [Vec3; 4] {
    let (b, d) = (at(crank, 0.4), vec3(1.0, 0.0, 0.0));
    [Vec3::ZERO, b, meet(b, 1.1, d, 0.9), d]
}

/// A body of a mass with an inertia about its centre, for sliding along x.
pub(crate) fn block(mass: f64) -> Body {
    Body::rigid(MassProperties {
        mass,
        center: Vec3::ZERO,
        inertia: cardan::math::Sym3::diagonal(0.1, 0.1, 0.1),
    })
}

/// The minimum of a function of one variable on an interval: a fine scan, then golden sections.
pub(crate) fn least(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    const SCAN: usize = 20_000;
    let point = |i: usize| from + (to - from) * i as f64 / SCAN as f64;
    let best = (0..=SCAN).min_by(|&i, &j| f(point(i)).total_cmp(&f(point(j)))).expect("points");
    let (mut a, mut b) = (point(best.saturating_sub(1)), point((best + 1).min(SCAN)));
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    for _ in 0..60 {
        let (x, y) = (b - golden * (b - a), a + golden * (b - a));
        if f(x) < f(y) { b = y } else { a = x }
    }
    0.5 * (a + b)
}
