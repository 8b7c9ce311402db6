//! Gaps, their gradients, rates and biases.

use super::common::{Random, rotation};
use cardan_shapes::primitive::{Circle, Line, Plane, Point};
use cardan_shapes::{Pose, Primitive, PrimitivePair, Twist, Vec3};

/// A random primitive of every kind, far enough from kinks of its gap.
fn random(kind: usize, rng: &mut Random, a: &Pose, b: &Pose) -> Primitive {
    loop {
        let point = |rng: &mut Random| Point { at: rng.vector(1.0), radius: rng.between(0.0, 0.3) };
        let line = |rng: &mut Random| Line {
            on: rng.vector(1.0),
            along: rng.direction(),
            radius: rng.between(0.0, 0.3),
        };
        let flat = |rng: &mut Random| Plane { on: rng.vector(1.0), normal: rng.direction() };
        let circle = |rng: &mut Random| Circle {
            center: rng.vector(1.0),
            axis: rng.direction(),
            radius: rng.between(0.2, 1.0),
        };
        let spoke = |c: &Circle, angle: f64| {
            let x = c.axis.any_perpendicular().expect("a direction");
            rotation(c.axis * angle) * x
        };
        let flipped = rng.unit() < 0.5;
        let (one, two) = if flipped { (b, a) } else { (a, b) };
        let pair = match kind {
            0 => PrimitivePair::PointPlane(point(rng), flat(rng)),
            1 => PrimitivePair::PointPoint(point(rng), point(rng)),
            2 => PrimitivePair::PointLine(point(rng), line(rng)),
            3 => PrimitivePair::LineLine(line(rng), line(rng), if rng.unit() < 0.5 { 1.0 } else { -1.0 }),
            4 => PrimitivePair::CirclePlane(circle(rng), flat(rng)),
            5 => PrimitivePair::PointCircle(point(rng), circle(rng)),
            6 => {
                // From the best of many places around the rim.
                let (l, c) = (line(rng), circle(rng));
                let (p, u) = (one.point(l.on), one.rot * l.along);
                let mut best = (f64::INFINITY, Vec3::X);
                for k in 0..60 {
                    let d = spoke(&c, f64::from(k) * 0.1);
                    let x = two.point(c.center + d * c.radius) - p;
                    let far = (x - u * u.dot(x)).norm();
                    if far < best.0 {
                        best = (far, d);
                    }
                }
                PrimitivePair::LineCircle(l, c, best.1, [-1.0, 0.0, 1.0][rng.bits() as usize % 3])
            }
            _ => {
                let (c, d) = (circle(rng), circle(rng));
                let mut best = (f64::INFINITY, [Vec3::X; 2]);
                for k in 0..60 {
                    for j in 0..60 {
                        let near = [spoke(&c, f64::from(k) * 0.1), spoke(&d, f64::from(j) * 0.1)];
                        let x = one.point(c.center + near[0] * c.radius)
                            - two.point(d.center + near[1] * d.radius);
                        if x.norm() < best.0 {
                            best = (x.norm(), near);
                        }
                    }
                }
                PrimitivePair::CircleCircle(c, d, best.1, [-1.0, 0.0, 1.0][rng.bits() as usize % 3])
            }
        };
        let primitive = Primitive { pair, flipped };
        // Away from places where the direction is undefined, so that finite differences are accurate.
        let w = primitive.at(a, b);
        if (w.point_b - w.point_a).norm() > 0.3 && w.gap.abs() < 3.0 && well(&pair, one, two) {
            return primitive;
        }
    }
}

fn well(pair: &PrimitivePair, one: &Pose, two: &Pose) -> bool {
    let sine = |u: Vec3, v: Vec3| (one.rot * u).cross(two.rot * v).norm();
    match pair {
        PrimitivePair::LineLine(l, m, _) => sine(l.along, m.along) > 0.5,
        PrimitivePair::CirclePlane(c, f) => sine(c.axis, f.normal) > 0.5,
        PrimitivePair::PointCircle(p, c) => {
            let d = two.point_inverse(one.point(p.at)) - c.center;
            d.cross(c.axis).norm() > 0.4
        }
        PrimitivePair::LineCircle(l, c, near, _) => {
            // The second derivative at the nearest place is large enough.
            let (u, k, d) = (one.rot * l.along, two.rot * c.axis, two.rot * *near);
            let e = k.cross(d);
            let q = two.point(c.center) + d * c.radius - one.point(l.on);
            let q = q - u * u.dot(q);
            let flat = e - u * u.dot(e);
            flat.dot(flat) * c.radius - q.dot(d) > 0.3 && flat.norm() > 0.4
        }
        PrimitivePair::CircleCircle(a, b, near, _) => {
            let (d1, d2) = (one.rot * near[0], two.rot * near[1]);
            let (e1, e2) = ((one.rot * a.axis).cross(d1), (two.rot * b.axis).cross(d2));
            let q = two.point(b.center) + d2 * b.radius - one.point(a.center) - d1 * a.radius;
            let (a11, a22) = (a.radius * (a.radius + q.dot(d1)), b.radius * (b.radius - q.dot(d2)));
            let a12 = a.radius * b.radius * e1.dot(e2);
            a11 * a22 - a12 * a12 > 0.2 && a11 > 0.3 && e1.cross(e2).norm() > 0.4
        }
        _ => true,
    }
}

fn moved(pose: &Pose, twist: &Twist, t: f64) -> Pose {
    Pose { pos: pose.pos + twist.vel * t, rot: rotation(twist.omega * t) * pose.rot }
}

#[test]
fn rate_and_bias_are_the_derivatives_of_the_gap_and_the_normal_its_gradient() {
    let mut rng = Random(1);
    for kind in 0..8 {
        let mut worst = [0.0_f64; 3];
        for _ in 0..200 {
            let (a, b) = (rng.pose(1.0), rng.pose(1.0));
            let twist = |rng: &mut Random| Twist { vel: rng.vector(1.0), omega: rng.vector(1.0) };
            let (ta, tb) = (twist(&mut rng), twist(&mut rng));
            let p = random(kind, &mut rng, &a, &b);
            let m = p.motion(&a, &ta, &b, &tb);
            let gap = |t: f64| p.at(&moved(&a, &ta, t), &moved(&b, &tb, t)).gap;
            assert_eq!(m.gap, gap(0.0), "{p:?}");
            let h = 5e-4;
            let [g2, g1, g0, h1, h2] = [gap(-2.0 * h), gap(-h), gap(0.0), gap(h), gap(2.0 * h)];
            let rate = (g2 - 8.0 * g1 + 8.0 * h1 - h2) / (12.0 * h);
            let bias = (-g2 + 16.0 * g1 - 30.0 * g0 + 16.0 * h1 - h2) / (12.0 * h * h);
            let at = |x: Vec3, f: &Pose, t: &Twist| t.vel + t.omega.cross(x - f.pos);
            let along = m.normal.dot(at(m.point_b, &b, &tb) - at(m.point_a, &a, &ta));
            for (worst, e) in worst.iter_mut().zip([m.rate - rate, m.bias - bias, m.rate - along]) {
                *worst = if e.abs() > *worst { e.abs() } else { *worst };
            }
            assert!((m.normal.norm() - 1.0).abs() < 1e-14);
            // The points are apart by the gap.
            assert!((m.normal.dot(m.point_b - m.point_a) - m.gap).abs() < 1e-13, "{p:?} {m:?}");
        }
        assert!(worst[0] < 2e-8 && worst[1] < 2e-6 && worst[2] < 1e-12, "kind {kind}: {worst:?}");
    }
}

#[test]
fn a_gap_is_the_same_from_other_frames_and_with_a_and_b_exchanged() {
    let mut rng = Random(2);
    for kind in 0..8 {
        for _ in 0..50 {
            let (a, b) = (rng.pose(1.0), rng.pose(1.0));
            let p = random(kind, &mut rng, &a, &b);
            let w = p.at(&a, &b);
            let (shape_a, shape_b) = (rng.pose(1.0), rng.pose(1.0));
            // Frames of bodies whose shapes are at a and b.
            let inverse = |p: &Pose| p.inverse_then(&Pose::IDENTITY);
            let (body_a, body_b) = (a.then(&inverse(&shape_a)), b.then(&inverse(&shape_b)));
            let other = p.rebased(&shape_a, &shape_b).at(&body_a, &body_b);
            let back = p.swapped().at(&b, &a);
            assert!((other.gap - w.gap).abs() < 1e-13 && (back.gap - w.gap).abs() < 1e-13);
            assert!((other.normal - w.normal).norm() < 1e-12 && (back.normal + w.normal).norm() < 1e-12);
            assert!((other.point_a - w.point_a).norm() < 1e-11 && (back.point_b - w.point_a).norm() < 1e-11);
            let far = Pose { pos: rng.vector(100.0), rot: rng.rotation() };
            let there = p.at(&far.then(&a), &far.then(&b));
            assert!((there.gap - w.gap).abs() < 1e-12);
            assert!((there.normal - far.rot * w.normal).norm() < 1e-11);
        }
    }
}

#[test]
fn coinciding_centres_and_crossing_axes_have_a_direction_all_the_same() {
    let ball = Point { at: Vec3::ZERO, radius: 1.0 };
    let axis = Line { on: Vec3::ZERO, along: Vec3::Z, radius: 0.5 };
    let rim = Circle { center: Vec3::ZERO, axis: Vec3::Z, radius: 1.0 };
    let floor = Plane { on: Vec3::ZERO, normal: Vec3::Z };
    let still = Twist { vel: Vec3::X, omega: Vec3::Y };
    for pair in [
        PrimitivePair::PointPoint(ball, ball),
        PrimitivePair::PointLine(ball, axis),
        PrimitivePair::LineLine(axis, axis, 1.0),
        PrimitivePair::CirclePlane(rim, floor),
        PrimitivePair::PointCircle(ball, rim),
        PrimitivePair::LineCircle(axis, rim, Vec3::X, 0.0),
        PrimitivePair::CircleCircle(rim, rim, [Vec3::X, Vec3::X], 1.0),
    ] {
        let (a, b) = (Pose::IDENTITY, Pose::IDENTITY);
        let m = Primitive::new(pair).motion(&a, &Twist::default(), &b, &still);
        assert!(m.gap.is_finite() && m.rate.is_finite() && m.bias.is_finite(), "{pair:?}: {m:?}");
        assert!((m.normal.norm() - 1.0).abs() < 1e-15, "{pair:?}: {m:?}");
    }
}
