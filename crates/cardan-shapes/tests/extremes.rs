//! Extreme numbers: nothing panics, nothing loops forever, no contact has a gap or a normal that is NaN.

use super::common::{Random, contacts};
use cardan_shapes::{Bounds, BroadPhase, Pose, Shape, Twist, Vec3, vec3};

fn shapes() -> Vec<Shape> {
    let mut all = vec![Shape::Plane, Shape::POINT];
    for s in [1e-300, 1e-12, 1.0, 1e12, 1e150, 1e300] {
        all.extend([
            Shape::Sphere { radius: s },
            Shape::Capsule { radius: 0.0, length: 0.0 },
            Shape::Capsule { radius: s, length: 1.0 },
            Shape::Box { size: [s, 1.0, 1.0] },
            Shape::Box { size: [s, s, s] },
            Shape::Cylinder { radius: s, length: 1.0 },
            Shape::Cylinder { radius: 1.0, length: s },
        ]);
        let corners = [Vec3::ZERO, Vec3::X * s, Vec3::Y * s, Vec3::Z * s];
        all.extend(Shape::hull(&corners));
        all.extend(Shape::mesh(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]));
        all.extend(Shape::terrain(
            [-s, -s],
            [s, s],
            &[vec![0.0, s, 0.0], vec![0.0, 0.0, -s], vec![s, 0.0, s]],
        ));
    }
    all.extend([
        Shape::Box { size: [0.0, 0.0, 0.0] },
        Shape::Box { size: [f64::NAN, 1.0, -1.0] },
        Shape::Cylinder { radius: 0.0, length: 0.0 },
        Shape::Cylinder { radius: f64::INFINITY, length: 1.0 },
        Shape::Capsule { radius: -1.0, length: f64::NAN },
    ]);
    all
}

#[test]
fn absurd_shapes_and_places_give_contacts_that_are_numbers_or_none() {
    let mut rng = Random(70);
    let all = shapes();
    let poses: Vec<Pose> = [0.0, 1e-300, 0.4, 1e9, 1e160, 1e300]
        .into_iter()
        .map(|far| Pose {
            pos: vec3(far, -far, far),
            ..if far == 0.4 { rng.pose(0.1) } else { Pose::IDENTITY }
        })
        .collect();
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            let (p, q) = (&poses[(i + j) % poses.len()], &poses[(i * 7 + j * 3) % poses.len()]);
            for margin in [-0.1, 0.0, 0.1, 1e300, f64::INFINITY] {
                for c in contacts(a, p, b, q, margin) {
                    assert!(!c.gap.is_nan() && c.gap <= margin, "{a:?} {b:?} {c:?}");
                    c.primitive.motion(p, &Twist::default(), q, &Twist::default());
                }
            }
        }
        for pose in &poses {
            a.aabb(pose);
            for d in [Vec3::X, Vec3::Z * -1e300, Vec3::ZERO, vec3(1e-300, -1.0, f64::NAN)] {
                if let Some(hit) = a.ray(pose, vec3(0.1, 0.2, 3.0), d) {
                    assert!(hit.at.is_finite());
                }
            }
        }
    }
    let mut broad = BroadPhase::new(f64::NAN);
    for (i, a) in all.iter().enumerate() {
        for (k, pose) in poses.iter().enumerate() {
            broad.set((i * poses.len() + k) as u32, Bounds::of(a, pose, 0.1));
        }
    }
    assert!(!broad.pairs(|_, _| false).is_empty());
}
