//! Ray casts.

use super::common::{Random, distance};
use cardan_shapes::{Pose, Shape, Vec3, vec3};

#[test]
fn a_ray_stops_at_the_surface_and_nowhere_before() {
    let mut rng = Random(50);
    let points: Vec<Vec3> = (0..20).map(|_| rng.direction()).collect();
    let shapes = [
        Shape::sphere(0.7).expect("a ball"),
        Shape::capsule(0.4, 1.3).expect("a capsule"),
        Shape::cuboid([1.0, 0.7, 1.4]).expect("a box"),
        Shape::cylinder(0.5, 0.8).expect("a cylinder"),
        Shape::hull(&points).expect("a hull"),
    ];
    for shape in &shapes {
        let (mut hits, mut misses) = (0, 0);
        for _ in 0..400 {
            let pose = rng.pose(0.5);
            let (from, to) = (rng.vector(3.0), rng.vector(1.2));
            let height = |t: f64| distance(&Shape::POINT, &Pose::at(from + (to - from) * t), shape, &pose);
            if height(0.0) < 0.0 {
                assert_eq!(shape.ray(&pose, from, to - from), None, "from inside");
                continue;
            }
            let hit = shape.ray(&pose, from, to - from);
            let stop = hit.map_or(2.0, |h| h.at);
            // Before the hit the ray is outside; steps of the distance never pass through.
            let mut t = 0.0;
            while t < stop - 1e-6 && t < 2.0 {
                let h = height(t);
                assert!(h > -1e-9, "{shape:?} at {t} of {stop}: {h}");
                t += if h > 0.03 { h } else { 0.03 } / (to - from).norm();
            }
            if let Some(h) = hit {
                assert!(height(h.at).abs() < 1e-7, "{shape:?}: {}", height(h.at));
                assert!(h.normal.dot(to - from) < 0.0 && (h.normal.norm() - 1.0).abs() < 1e-12);
                assert!(height(h.at + 1e-3 / (to - from).norm()) < 1e-3);
                hits += 1;
            } else {
                misses += 1;
            }
        }
        assert!(hits > 50 && misses > 20, "{shape:?} {hits} {misses}");
    }
    let down = Shape::Plane.ray(&Pose::at(vec3(0.0, 0.0, 1.0)), vec3(1.0, 2.0, 5.0), vec3(0.5, 0.0, -2.0));
    assert_eq!(down.map(|h| (h.at, h.point, h.normal)), Some((2.0, vec3(2.0, 2.0, 1.0), Vec3::Z)));
    assert_eq!(Shape::Plane.ray(&Pose::IDENTITY, Vec3::Z, vec3(f64::NAN, 0.0, 0.0)), None);
}

#[test]
fn a_ray_meets_hills_where_they_are() {
    let mut rng = Random(51);
    let rows: Vec<Vec<f64>> = (0..20).map(|_| (0..30).map(|_| rng.between(-0.4, 0.4)).collect()).collect();
    let terrain = Shape::terrain([-3.0, -2.0], [0.2, 0.2], &rows).expect("a terrain");
    let Shape::Terrain(ground) = &terrain else { panic!("a terrain") };
    let vertices = (0..20)
        .flat_map(|j| (0..30).map(move |i| (i, j)))
        .map(|(i, j)| vec3(0.2 * f64::from(i) - 3.0, 0.2 * f64::from(j) - 2.0, rows[j as usize][i as usize]))
        .collect();
    let mut triangles = Vec::new();
    for j in 0..19_u32 {
        for i in 0..29_u32 {
            let v = j * 30 + i;
            triangles.extend([[v, v + 1, v + 31], [v, v + 31, v + 30]]);
        }
    }
    let mesh = Shape::mesh(vertices, triangles).expect("a mesh");
    let mut hits = 0;
    for k in 0..500 {
        let pose = rng.pose(1.0);
        // Straight down, steeply, and almost along the ground.
        let (from, to) = (rng.vector(2.5) + Vec3::Z * [3.0, 3.0, 0.8][k % 3], rng.vector(1.5));
        let d = if k % 3 == 0 { -Vec3::Z } else { to - from };
        let (o, w) = (pose.point(from), pose.rot * d);
        let (a, b) = (terrain.ray(&pose, o, w), mesh.ray(&pose, o, w));
        match (a, b) {
            (Some(a), Some(b)) => {
                assert!((a.at - b.at).abs() < 1e-11);
                let p = pose.point_inverse(a.point);
                assert!((ground.height(p.x, p.y).expect("over it") - p.z).abs() < 1e-9);
                hits += 1;
            }
            (None, None) => {}
            _ => panic!("{a:?} {b:?}"),
        }
    }
    assert!(hits > 200, "{hits}");
}
