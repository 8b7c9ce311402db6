//! Cylinders: on planes, against every convex shape, lying and standing.

use super::common::{Random, contacts, distance, least, rotation, support};
use cardan_shapes::{Contact, Pose, Shape, Vec3, vec3};
use std::f64::consts::FRAC_PI_2;

fn drum(radius: f64, length: f64) -> Shape {
    Shape::cylinder(radius, length).expect("a cylinder")
}

/// A pose with the axis up.
fn upright(pos: Vec3) -> Pose {
    Pose { pos, rot: rotation(vec3(0.0, -FRAC_PI_2, 0.0)) }
}

#[test]
fn the_lowest_point_of_a_cylinder_is_its_gap_above_a_plane() {
    let mut rng = Random(30);
    let a = drum(0.4, 1.3);
    for _ in 0..1000 {
        let (floor, mut pose) = (rng.pose(2.0), rng.pose(2.0));
        if rng.unit() < 0.3 {
            // Nearly upright.
            let tilt = rotation(rng.vector(1.0) * 10.0_f64.sqrt() * rng.unit() * rng.unit() * 1e-3);
            pose.rot = floor.rot * tilt * upright(Vec3::ZERO).rot;
        }
        let found = contacts(&Shape::Plane, &floor, &a, &pose, 20.0);
        let low = floor.point_inverse(support(&a, &pose, -floor.rot.z)).z;
        assert!((least(&found) - low).abs() < 1e-9, "{} {low}", least(&found));
        if found.len() == 2 {
            assert!((least(&found) - low).abs() < 1e-14);
        }
    }
}

#[test]
fn the_least_gap_is_the_distance_of_shapes_that_are_apart() {
    let mut rng = Random(31);
    let points: Vec<Vec3> = (0..12).map(|_| rng.direction() * 0.6).collect();
    let others = [
        Shape::POINT,
        Shape::sphere(0.2).expect("a ball"),
        Shape::capsule(0.1, 1.1).expect("a capsule"),
        Shape::cuboid([1.0, 0.7, 0.4]).expect("a box"),
        Shape::hull(&points).expect("a hull"),
        drum(0.3, 1.0),
        drum(0.8, 0.2),
    ];
    let a = drum(0.5, 0.8);
    for b in &others {
        let mut seen = 0;
        for _ in 0..300 {
            let (pa, pb) = (rng.pose(1.0), rng.pose(1.0));
            let want = distance(&a, &pa, b, &pb);
            if want > 1e-5 {
                let found = contacts(&a, &pa, b, &pb, 5.0);
                // The oracle converges slowly on curved shapes.
                assert!(
                    (least(&found) - want).abs() < 1e-7,
                    "{b:?}\n{pa:?}\n{pb:?}: {} {want}",
                    least(&found)
                );
                seen += 1;
                let mut back = contacts(b, &pb, &a, &pa, 0.3);
                back.sort_by_key(|c| c.feature.swapped());
                let near: Vec<Contact> = found.into_iter().filter(|c| c.gap <= 0.3).collect();
                if !matches!(b, Shape::Cylinder { .. }) {
                    assert_eq!(near.len(), back.len());
                }
            }
        }
        assert!(seen > 40, "{seen}");
    }
}

#[test]
fn overlapping_cylinders_have_contacts_that_separate_them() {
    let mut rng = Random(32);
    let others = [
        Shape::sphere(0.2).expect("a ball"),
        Shape::capsule(0.1, 1.1).expect("a capsule"),
        Shape::cuboid([1.0, 0.7, 0.4]).expect("a box"),
        drum(0.3, 1.0),
    ];
    let a = drum(0.5, 0.8);
    for b in &others {
        let mut seen = 0;
        for _ in 0..300 {
            let (pa, mut pb) = (rng.pose(0.5), rng.pose(0.5));
            if distance(&a, &pa, b, &pb) > 0.0 {
                continue;
            }
            seen += 1;
            assert!(least(&contacts(&a, &pa, b, &pb, 0.0)) < 1e-9, "{b:?} {pa:?} {pb:?}");
            // Moved repeatedly along the deepest contact until it is open, they become separate.
            for _ in 0..60 {
                let found = contacts(&a, &pa, b, &pb, 0.0);
                let Some(c) = found.into_iter().reduce(|c, d| if d.gap < c.gap { d } else { c }) else {
                    break;
                };
                pb.pos += c.normal * (-c.gap + 1e-9);
            }
            assert!(contacts(&a, &pa, b, &pb, 0.0).is_empty(), "{b:?}");
            assert!(distance(&a, &pa, b, &pb) > -1e-8);
        }
        assert!(seen > 50);
    }
}

#[test]
fn a_cylinder_stands_on_four_points_and_lies_on_two() {
    let mut rng = Random(33);
    let a = drum(0.5, 1.0);
    let plate = Shape::cuboid([4.0, 4.0, 2.0]).expect("a box");
    let floors = [(Shape::Plane, Pose::at(vec3(0.0, 0.0, 1.0))), (plate, Pose::IDENTITY)];
    for (floor, at) in &floors {
        for noise in [0.0, 1e-15, 1e-13] {
            for _ in 0..10 {
                let shake = |p: Pose, rng: &mut Random| Pose {
                    pos: p.pos + rng.vector(noise),
                    rot: rotation(rng.vector(noise)) * p.rot,
                };
                let standing = shake(upright(vec3(0.1, 0.2, 1.5)), &mut rng);
                let found = contacts(floor, at, &a, &standing, 0.01);
                assert_eq!(found.len(), 4, "{floor:?} {found:#?}");
                assert!(found.iter().all(|c| c.gap.abs() < 1e-12 && (c.normal - Vec3::Z).norm() < 1e-12));
                let lying = shake(Pose::at(vec3(0.1, 0.2, 1.5)), &mut rng);
                let found = contacts(floor, at, &a, &lying, 0.01);
                assert_eq!(found.len(), 2, "{floor:?} {found:#?}");
                assert!(found.iter().all(|c| c.gap.abs() < 1e-12 && (c.normal - Vec3::Z).norm() < 1e-12));
            }
        }
    }
    // On a smaller box: its vertices. Over its edge: where the rim crosses it.
    let small = Shape::cuboid([0.4, 0.4, 2.0]).expect("a box");
    let found = contacts(&small, &Pose::IDENTITY, &a, &upright(vec3(0.0, 0.0, 1.5)), 0.01);
    assert_eq!(found.len(), 4, "{found:#?}");
    let over = Pose::at(vec3(-2.0, 0.0, 0.0));
    let found = contacts(&floors[1].0, &over, &a, &upright(vec3(0.2, 0.0, 1.5)), 0.01);
    assert!(found.len() >= 3 && found.iter().all(|c| c.gap.abs() < 1e-14), "{found:#?}");
    assert!(found.iter().any(|c| c.point_a.x > -0.01 && c.point_a.y > 0.4));
    assert!(found.iter().any(|c| c.point_a.x > -0.01 && c.point_a.y < -0.4));
}

#[test]
fn parallel_and_stacked_cylinders_have_contacts_along_their_overlap() {
    let (a, b) = (drum(0.5, 1.0), drum(0.3, 0.6));
    // Parallel: the ends of the shorter one.
    let found = contacts(&a, &Pose::IDENTITY, &b, &Pose::at(vec3(0.1, 0.0, 0.8)), 0.01);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().all(|c| c.gap.abs() < 1e-15 && (c.normal - Vec3::Z).norm() < 1e-14));
    // Cap on cap, centred and shifted.
    for x in [0.0, 0.4] {
        let found = contacts(&a, &upright(Vec3::ZERO), &b, &upright(vec3(x, 0.0, 0.8)), 0.01);
        assert!(found.len() >= 4, "{found:#?}");
        assert!(
            found.iter().all(|c| c.gap.abs() < 1e-14 && (c.normal - Vec3::Z).norm() < 1e-14),
            "{found:#?}"
        );
    }
    // Crossed.
    let across = Pose { pos: vec3(0.0, 0.0, 0.81), rot: rotation(vec3(0.0, 0.0, 1.0)) };
    let found = contacts(&a, &Pose::IDENTITY, &b, &across, 0.02);
    assert_eq!(found.len(), 1);
    assert!((found[0].gap - 0.01).abs() < 1e-15);
}
