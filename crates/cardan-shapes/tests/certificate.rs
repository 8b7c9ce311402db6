//! A gap proves itself: along its normal the shapes are separate by exactly that distance, which no other
//! pair of points can undercut.

use super::common::{Random, contacts, corners, distance, rotation, support};
use cardan_shapes::{Contact, Mat3, Pose, Scratch, Shape, Vec3, vec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

fn shapes() -> Vec<Shape> {
    let prism: Vec<Vec3> = (0..6)
        .flat_map(|k| {
            let r = rotation(vec3(0.0, 0.0, f64::from(k) * FRAC_PI_2 / 1.5)) * Vec3::X;
            [r * 0.5 + Vec3::Z * 0.25, r * 0.5 - Vec3::Z * 0.25]
        })
        .collect();
    vec![
        Shape::POINT,
        Shape::sphere(0.25).expect("a ball"),
        Shape::capsule(0.25, 0.5).expect("a capsule"),
        Shape::cuboid([1.0, 0.5, 0.5]).expect("a box"),
        Shape::cuboid([0.5, 0.5, 0.5]).expect("a box"),
        Shape::hull(&prism).expect("a prism"),
        Shape::cylinder(0.25, 0.5).expect("a cylinder"),
        Shape::cylinder(0.5, 0.25).expect("a cylinder"),
    ]
}

/// Separation of the shapes along a unit vector from a to b.
fn apart(a: &Shape, pa: &Pose, b: &Shape, pb: &Pose, n: Vec3) -> f64 {
    (support(b, pb, -n) - support(a, pa, n)).dot(n) - corners(a).1 - corners(b).1
}

fn nearest(found: &[Contact]) -> Option<&Contact> {
    found.iter().reduce(|c, d| if d.gap < c.gap { d } else { c })
}

#[test]
fn the_nearest_contact_is_its_own_proof() {
    let mut rng = Random(60);
    let all = shapes();
    for a in &all {
        for b in &all {
            for _ in 0..60 {
                let (pa, pb) = (rng.pose(0.7), rng.pose(0.7));
                let found = contacts(a, &pa, b, &pb, 3.0);
                let c = nearest(&found).expect("a contact");
                let mut scratch = Scratch::default();
                assert_eq!(cardan_shapes::distance(a, &pa, b, &pb, &mut scratch), c.gap);
                if c.gap > 1e-6 {
                    let proof = apart(a, &pa, b, &pb, c.normal);
                    assert!((proof - c.gap).abs() < 1e-11, "{a:?} {b:?}\n{pa:?}\n{pb:?}\n{c:?} {proof}");
                }
            }
        }
    }
}

/// Rotations by quarters and eighths of a turn, positions on a grid: parallel edges, flush faces, coinciding
/// vertices, intersecting axes.
fn aligned(rng: &mut Random) -> Pose {
    let pick = |rng: &mut Random, n: f64| (rng.unit() * n) as i32;
    let axis = [Vec3::X, Vec3::Y, Vec3::Z];
    let mut rot = Mat3::IDENTITY;
    for _ in 0..3 {
        rot = rotation(axis[pick(rng, 3.0) as usize] * (FRAC_PI_2 * f64::from(pick(rng, 4.0)))) * rot;
    }
    if rng.unit() < 0.3 {
        rot = rotation(axis[pick(rng, 3.0) as usize] * FRAC_PI_4) * rot;
    }
    let place = |rng: &mut Random| 0.125 * f64::from(pick(rng, 11.0) - 5);
    Pose { pos: vec3(place(rng), place(rng), place(rng)), rot }
}

#[test]
fn the_nearest_contact_is_its_own_proof_for_aligned_shapes() {
    let mut rng = Random(61);
    let all = shapes();
    let (mut open, mut touching, mut sunk) = (0, 0, 0);
    for a in &all {
        for b in &all {
            for _ in 0..60 {
                let (pa, pb) = (aligned(&mut rng), aligned(&mut rng));
                let found = contacts(a, &pa, b, &pb, 5.0);
                let Some(c) = nearest(&found) else { panic!("{a:?} {b:?} {pa:?} {pb:?}") };
                let want = distance(a, &pa, b, &pb);
                if want > 1e-6 {
                    open += 1;
                    let proof = apart(a, &pa, b, &pb, c.normal);
                    // A rim in grazing contact along a line turns its normal by the square root of an error
                    // of its gap.
                    let close = (proof - c.gap).abs() < 2e-9 || (c.gap - want).abs() < 1e-9;
                    assert!(close, "{a:?} {b:?}\n{pa:?}\n{pb:?}\n{c:?} {proof} {want}");
                } else {
                    // In contact or overlapping; for overlapping cores the oracle knows no more than that.
                    assert!(c.gap < 1e-6, "{a:?} {b:?}\n{pa:?}\n{pb:?}\n{c:?} {want}");
                    *(if c.gap.abs() < 1e-9 { &mut touching } else { &mut sunk }) += 1;
                }
                for c in &found {
                    let m = c.primitive.motion(&pa, &Default::default(), &pb, &Default::default());
                    assert!(m.gap.is_finite() && (m.normal.norm() - 1.0).abs() < 1e-12);
                    assert!((m.normal.dot(m.point_b - m.point_a) - m.gap).abs() < 1e-12, "{c:?}");
                }
            }
        }
    }
    assert!(open > 1000 && touching > 50 && sunk > 300, "{open} {touching} {sunk}");
}
