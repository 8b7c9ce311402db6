//! Contact geometry does not allocate once its buffers have grown.

use cardan_shapes::{Bounds, BroadPhase, Pose, Scratch, Shape, ShapeError, Vec3, collide, vec3};
use cardan_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn shapes() -> Result<Vec<Shape>, ShapeError> {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, vec3(1.0, 1.0, 1.0)];
    let hills: Vec<Vec<f64>> =
        (0..8).map(|j| (0..8).map(|i| 0.1 * f64::from((3 * i + 5 * j) % 4)).collect()).collect();
    Ok(vec![
        Shape::Plane,
        Shape::sphere(0.5)?,
        Shape::capsule(0.3, 1.0)?,
        Shape::cuboid([1.0, 0.8, 0.6])?,
        Shape::hull(&corners)?,
        Shape::cylinder(0.4, 0.9)?,
        Shape::mesh(corners[..4].to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?,
        Shape::terrain([-2.0, -2.0], [0.5, 0.5], &hills)?,
    ])
}

#[test]
fn collision_and_pair_search_allocate_only_once() -> Result<(), ShapeError> {
    let shapes = shapes()?;
    let (mut scratch, mut out) = (Scratch::default(), Vec::new());
    let mut broad = BroadPhase::new(0.05);
    let mut round = |broad: &mut BroadPhase| {
        for (i, a) in shapes.iter().enumerate() {
            for (j, b) in shapes.iter().enumerate() {
                for k in 0..20 {
                    let at = vec3(0.11 * f64::from(k) - 1.0, 0.07 * i as f64, 0.05 * j as f64);
                    collide(a, &Pose::IDENTITY, b, &Pose::at(at), 0.1, &mut scratch, &mut out);
                }
            }
            for step in 0..10 {
                let at = Pose::at(vec3(0.2 * f64::from(step), 0.1 * i as f64, 0.0));
                broad.set(i as u32, Bounds::of(a, &at, 0.01));
                broad.pairs(|_, _| false);
            }
        }
    };
    round(&mut broad);
    assert_eq!(CountingAllocator::count(|| round(&mut broad)), 0);
    Ok(())
}
