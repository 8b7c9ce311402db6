//! Planes, spheres, capsules.

use super::common::{Random, contacts, corners, distance, least};
use cardan_shapes::{FeatureId, Pose, Shape, Vec3, vec3};

fn capsule() -> Shape {
    Shape::capsule(0.3, 1.4).expect("a capsule")
}

#[test]
fn gaps_above_a_plane_are_heights_of_corners() {
    let mut rng = Random(3);
    let shapes = [
        Shape::POINT,
        Shape::sphere(0.4).expect("a ball"),
        capsule(),
        Shape::cuboid([1.0, 0.6, 0.8]).expect("a box"),
        Shape::hull(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]).expect("a hull"),
    ];
    for shape in &shapes {
        for _ in 0..300 {
            let (floor, pose) = (rng.pose(2.0), rng.pose(2.0));
            let found = contacts(&Shape::Plane, &floor, shape, &pose, 10.0);
            let (points, radius) = corners(shape);
            assert_eq!(found.len(), points.len());
            let low = points
                .iter()
                .map(|&p| floor.point_inverse(pose.point(p)).z - radius)
                .fold(f64::INFINITY, |a, b| if b < a { b } else { a });
            assert!((least(&found) - low).abs() < 1e-14);
            for c in &found {
                assert!((c.normal - floor.rot.z).norm() < 1e-15, "from the plane up");
                assert!(floor.point_inverse(c.point_a).z.abs() < 1e-14);
            }
            // A margin leaves out what is higher, and nothing else.
            let few = contacts(&Shape::Plane, &floor, shape, &pose, 0.1);
            assert_eq!(few, found.into_iter().filter(|c| c.gap <= 0.1).collect::<Vec<_>>());
        }
    }
}

#[test]
fn balls_and_capsules_are_as_far_apart_as_their_axes_less_their_radii() {
    let mut rng = Random(4);
    let shapes =
        [Shape::sphere(0.4).expect("a ball"), capsule(), Shape::capsule(0.1, 0.5).expect("a capsule")];
    for a in &shapes {
        for b in &shapes {
            for _ in 0..300 {
                let (pa, pb) = (rng.pose(1.5), rng.pose(1.5));
                let found = contacts(a, &pa, b, &pb, 20.0);
                let want = distance(a, &pa, b, &pb);
                assert!((least(&found) - want).abs() < 1e-11, "{a:?} {b:?}: {} {want}", least(&found));
            }
        }
    }
}

#[test]
fn parallel_capsules_have_contacts_at_two_ends() {
    let a = capsule();
    let beside = |x: f64, y: f64| Pose::at(vec3(x, y, 0.0));
    for shift in [0.0, 1e-13, 0.2, -0.7] {
        let found = contacts(&a, &Pose::IDENTITY, &a, &beside(shift, 0.65), 0.1);
        assert_eq!(found.len(), 2, "{shift}: {found:?}");
        for c in &found {
            assert!((c.gap - 0.05).abs() < 1e-14 && (c.normal - Vec3::Y).norm() < 1e-9);
        }
        assert!((found[0].point_a.x - found[1].point_a.x).abs() > 0.6);
    }
    // End to end: one.
    let found = contacts(&a, &Pose::IDENTITY, &a, &beside(2.05, 0.0), 0.1);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].feature.a, found[0].feature.b), (FeatureId::Vertex(1), FeatureId::Vertex(0)));
    assert!((found[0].gap - 0.05).abs() < 1e-14);
}

#[test]
fn a_ball_meets_the_face_edge_or_corner_of_a_box_that_is_nearest() {
    let mut rng = Random(5);
    let (ball, block) = (Shape::sphere(0.2).expect("a ball"), Shape::cuboid([1.0, 2.0, 3.0]).expect("a box"));
    let half = [0.5, 1.0, 1.5];
    for _ in 0..3000 {
        let (pa, pb) = (rng.pose(2.0), rng.pose(1.0));
        let found = contacts(&ball, &pa, &block, &pb, 20.0);
        assert_eq!(found.len(), 1);
        let c = pb.point_inverse(pa.pos);
        let out = [c.x, c.y, c.z].iter().zip(half).map(|(x, h)| x.abs() - h).collect::<Vec<_>>();
        let want = if out.iter().all(|&d| d < 0.0) {
            out.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a })
        } else {
            out.iter().map(|&d| if d > 0.0 { d * d } else { 0.0 }).sum::<f64>().sqrt()
        };
        assert!((found[0].gap - (want - 0.2)).abs() < 1e-13);
        let want = distance(&ball, &pa, &block, &pb);
        if want > -0.2 {
            assert!((found[0].gap - want).abs() < 1e-11);
        }
    }
}

#[test]
fn numbers_that_are_no_poses_or_shapes_give_no_contacts() {
    let nan = Shape::Sphere { radius: f64::NAN };
    let ball = Shape::sphere(1.0).expect("a ball");
    assert!(contacts(&nan, &Pose::IDENTITY, &ball, &Pose::IDENTITY, 1.0).is_empty());
    let nowhere = Pose::at(vec3(f64::NAN, 0.0, 0.0));
    let block = Shape::cuboid([1.0, 1.0, 1.0]).expect("a box");
    for shape in [&Shape::Plane, &ball, &block] {
        assert!(contacts(shape, &nowhere, &block, &Pose::IDENTITY, 1.0).is_empty());
        assert!(contacts(shape, &Pose::IDENTITY, &block, &Pose::IDENTITY, f64::NAN).is_empty());
    }
    assert!(Shape::sphere(-1.0).is_err() && Shape::capsule(f64::NAN, 1.0).is_err());
    assert!(Shape::cuboid([1.0, 0.0, 1.0]).is_err() && Shape::cylinder(1.0, f64::INFINITY).is_err());
}
