//! Meshes and terrains.

use super::common::{Random, contacts, distance, least, rotation};
use cardan_shapes::{Mesh, Pose, Shape, ShapeError, Terrain, Vec3, vec3};
use std::f64::consts::FRAC_PI_2;

/// A box as twelve triangles.
fn crate_mesh(size: [f64; 3]) -> Shape {
    let corner = |i: u32| {
        let side = |k: u32| if i >> k & 1 == 1 { 0.5 } else { -0.5 };
        vec3(side(0) * size[0], side(1) * size[1], side(2) * size[2])
    };
    let quads = [[1, 3, 7, 5], [0, 4, 6, 2], [2, 6, 7, 3], [0, 1, 5, 4], [4, 5, 7, 6], [0, 2, 3, 1]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Shape::mesh((0..8).map(corner).collect(), triangles).expect("a mesh")
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::sphere(0.2).expect("a ball"),
        Shape::capsule(0.1, 1.1).expect("a capsule"),
        Shape::cuboid([1.0, 0.7, 0.4]).expect("a box"),
        Shape::hull(&[vec3(0.5, 0.0, 0.0), vec3(-0.3, 0.4, 0.0), vec3(-0.2, -0.4, 0.1), vec3(0.0, 0.0, 0.6)])
            .expect("a hull"),
        Shape::cylinder(0.4, 0.5).expect("a cylinder"),
    ]
}

#[test]
fn a_box_of_triangles_is_as_far_away_as_a_box() {
    let mut rng = Random(40);
    let size = [1.2, 0.8, 0.6];
    let (mesh, block) = (crate_mesh(size), Shape::cuboid(size).expect("a box"));
    for shape in shapes() {
        let mut seen = 0;
        for _ in 0..500 {
            let (pa, pb) = (rng.pose(1.0), rng.pose(1.0));
            let want = distance(&shape, &pa, &block, &pb);
            if want > 1e-6 {
                let found = contacts(&shape, &pa, &mesh, &pb, 3.0);
                let direct = contacts(&shape, &pa, &block, &pb, 3.0);
                assert!(
                    (least(&found) - least(&direct)).abs() < 1e-11,
                    "{shape:?}\n{pa:?}\n{pb:?}\n{found:?}\n{direct:?}"
                );
                assert!((least(&found) - want).abs() < 1e-7);
                if let Shape::Sphere { .. } = shape {
                    assert!((found[0].gap - direct[0].gap).abs() < 1e-12);
                    assert!((found[0].normal - direct[0].normal).norm() < 1e-9);
                }
                seen += 1;
            }
        }
        assert!(seen > 100);
    }
}

#[test]
fn a_ball_half_sunk_into_a_mesh_is_pushed_out_of_the_face_it_came_through() {
    let mesh = crate_mesh([2.0, 2.0, 2.0]);
    let ball = Shape::sphere(0.3).expect("a ball");
    for (x, y) in [(0.1, 0.2), (0.4, 0.4), (0.0, 0.0), (-0.3, 0.6)] {
        let found = contacts(&mesh, &Pose::IDENTITY, &ball, &Pose::at(vec3(x, y, 0.9)), 0.0);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].gap + 0.4).abs() < 1e-14 && (found[0].normal - Vec3::Z).norm() < 1e-14);
    }
}

/// A flat floor of many triangles, as a mesh and as a terrain.
fn floors() -> [Shape; 2] {
    let n = 12;
    let vertices = (0..=n)
        .flat_map(|j| (0..=n).map(move |i| vec3(f64::from(i) - 6.0, f64::from(j) - 6.0, 0.0)))
        .collect();
    let mut triangles = Vec::new();
    for j in 0..n as u32 {
        for i in 0..n as u32 {
            let v = j * 13 + i;
            triangles.extend([[v, v + 1, v + 14], [v, v + 14, v + 13]]);
        }
    }
    let heights = vec![vec![0.0; 13]; 13];
    [
        Shape::mesh(vertices, triangles).expect("a mesh"),
        Shape::terrain([-6.0, -6.0], [1.0, 1.0], &heights).expect("a terrain"),
    ]
}

#[test]
fn internal_edges_of_a_flat_floor_make_no_contacts() {
    let mut rng = Random(41);
    for floor in floors() {
        // The whole floor is one face: contacts that slide on it keep their identity.
        let mut names = Vec::new();
        for _ in 0..200 {
            let at = vec3(rng.between(-3.0, 3.0), rng.between(-3.0, 3.0), 0.0);
            let turn = rotation(vec3(0.0, 0.0, rng.between(-3.0, 3.0)));
            let lying = |z: f64| Pose { pos: at + Vec3::Z * z, rot: turn };
            for lift in [0.0, 1e-3, -1e-3] {
                let up = rotation(vec3(0.0, -FRAC_PI_2, 0.0));
                for (shape, pose, want) in [
                    (Shape::sphere(0.3).expect("a ball"), lying(0.3 + lift), 1),
                    (Shape::capsule(0.3, 1.7).expect("a capsule"), lying(0.3 + lift), 2),
                    (Shape::cuboid([2.5, 1.5, 0.4]).expect("a box"), lying(0.2 + lift), 4),
                    (Shape::cuboid([0.2, 0.2, 0.4]).expect("a box"), lying(0.2 + lift), 4),
                    (Shape::cylinder(0.7, 1.5).expect("a cylinder"), lying(0.7 + lift), 2),
                    (
                        Shape::cylinder(0.7, 1.0).expect("a cylinder"),
                        Pose { rot: turn * up, ..lying(0.5 + lift) },
                        4,
                    ),
                ] {
                    let found = contacts(&floor, &Pose::IDENTITY, &shape, &pose, 0.01);
                    assert_eq!(found.len(), want, "{shape:?} {pose:?} {found:#?}");
                    for c in &found {
                        if !names.contains(&c.feature.a) {
                            names.push(c.feature.a);
                        }
                        assert!((c.gap - lift).abs() < 1e-14 && (c.normal - Vec3::Z).norm() < 1e-12, "{c:?}");
                    }
                }
            }
        }
        assert_eq!(names.len(), 1, "{names:?}");
    }
}

/// Distance of a point from a triangle, by its parts.
fn to_triangle(x: Vec3, [a, b, c]: [Vec3; 3]) -> f64 {
    let n = (b - a).cross(c - a);
    let n = n / n.norm();
    let inside = |p: Vec3, q: Vec3| (q - p).cross(x - p).dot(n) >= 0.0;
    if inside(a, b) && inside(b, c) && inside(c, a) {
        return n.dot(x - a).abs();
    }
    [(a, b), (b, c), (c, a)]
        .map(|(p, q)| {
            let e = q - p;
            let t = (x - p).dot(e) / e.dot(e);
            let low = if t < 0.0 { 0.0 } else { t };
            let t = if low > 1.0 { 1.0 } else { low };
            (x - p - e * t).norm()
        })
        .into_iter()
        .fold(f64::INFINITY, |m, d| if d < m { d } else { m })
}

#[test]
fn a_ball_over_hills_is_as_high_as_all_triangles_say() {
    let mut rng = Random(42);
    let rows: Vec<Vec<f64>> = (0..15).map(|_| (0..17).map(|_| rng.between(-0.5, 0.5)).collect()).collect();
    let terrain = Shape::terrain([-4.0, -3.5], [0.5, 0.5], &rows).expect("a terrain");
    let Shape::Terrain(ground) = &terrain else { panic!("a terrain") };
    let vertex = |i: usize, j: usize| vec3(0.5 * i as f64 - 4.0, 0.5 * j as f64 - 3.5, rows[j][i]);
    let mut triangles = Vec::new();
    let mut names = Vec::new();
    for j in 0..14 {
        for i in 0..16 {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
            let v = (j * 17 + i) as u32;
            names.extend([[v, v + 1, v + 18], [v, v + 18, v + 17]]);
        }
    }
    let vertices = (0..15).flat_map(|j| (0..17).map(move |i| (i, j))).map(|(i, j)| vertex(i, j)).collect();
    let mesh = Shape::mesh(vertices, names).expect("a mesh");
    let ball = Shape::sphere(0.1).expect("a ball");
    let place = rng.pose(3.0);
    for _ in 0..400 {
        let (x, y) = (rng.between(-3.5, 3.5), rng.between(-3.0, 3.0));
        let z = ground.height(x, y).expect("on the terrain") + rng.between(0.01, 0.6);
        let center = vec3(x, y, z);
        let want = triangles
            .iter()
            .map(|t| to_triangle(center, *t) - 0.1)
            .fold(f64::INFINITY, |m, d| if d < m { d } else { m });
        for shape in [&terrain, &mesh] {
            let found = contacts(shape, &place, &ball, &Pose::at(place.point(center)), 2.0);
            assert!((least(&found) - want).abs() < 1e-13, "{} {want}", least(&found));
        }
        // A point of the surface is where the heights say.
        let low = vec3(x, y, ground.height(x, y).expect("on the terrain"));
        let touching = contacts(&terrain, &Pose::IDENTITY, &Shape::POINT, &Pose::at(low), 1e-9);
        assert!(least(&touching).abs() < 1e-14);
        // Below it, at any depth, there is a contact that leads up.
        let sunk = contacts(&terrain, &Pose::IDENTITY, &ball, &Pose::at(low - Vec3::Z * 0.05), 0.0);
        assert!(sunk.iter().any(|c| c.gap < -0.1 && c.normal.z > 0.0));
    }
}

#[test]
fn a_vertex_in_a_groove_has_contacts_with_both_sides() {
    let fold = |slope: f64| {
        let vertices = vec![
            vec3(-2.0, -5.0, 2.0 * slope),
            vec3(-2.0, 5.0, 2.0 * slope),
            vec3(0.0, -5.0, 0.0),
            vec3(0.0, 5.0, 0.0),
            vec3(2.0, -5.0, 2.0 * slope),
            vec3(2.0, 5.0, 2.0 * slope),
        ];
        Shape::mesh(vertices, vec![[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]]).expect("a groove")
    };
    for slope in [0.3, 1.0, 1.5] {
        for sunk in [0.0, 1e-12, 1e-6, 1e-3, 0.05] {
            for x in [0.0, 1e-7, -1e-4] {
                // A vertex that points down.
                let tip =
                    [vec3(0.0, 0.0, 0.0), vec3(0.1, 0.0, 1.0), vec3(-0.1, 0.1, 1.0), vec3(-0.1, -0.1, 1.0)];
                let tip = Shape::hull(&tip).expect("a tip");
                let found =
                    contacts(&fold(slope), &Pose::IDENTITY, &tip, &Pose::at(vec3(x, 0.1, -sunk)), 1e-3);
                let held = |side: f64| found.iter().any(|c| c.normal.x * side > 0.0 && c.gap <= 0.0);
                assert!(held(-1.0) || held(1.0), "{slope} {sunk} {x}: {found:#?}");
                if slope * sunk > x.abs() {
                    assert!(held(-1.0) && held(1.0), "{slope} {sunk} {x}: {found:#?}");
                }
            }
        }
    }
}

#[test]
fn meshes_meet_meshes_and_terrains_like_the_boxes_they_are() {
    let mut rng = Random(43);
    let (small, large) = ([0.7, 0.5, 0.6], [1.2, 0.8, 0.6]);
    let (a, b) = (crate_mesh(small), crate_mesh(large));
    let (box_a, box_b) = (Shape::cuboid(small).expect("a box"), Shape::cuboid(large).expect("a box"));
    let mut seen = 0;
    for _ in 0..300 {
        let (pa, pb) = (rng.pose(0.8), rng.pose(0.8));
        let want = distance(&box_a, &pa, &box_b, &pb);
        if want > 1e-6 {
            let found = contacts(&a, &pa, &b, &pb, 3.0);
            assert!((least(&found) - want).abs() < 1e-10, "{} {want} {found:#?}", least(&found));
            let back = contacts(&b, &pb, &a, &pa, 3.0);
            assert!((least(&back) - want).abs() < 1e-10);
            seen += 1;
        }
    }
    assert!(seen > 50);
    // Lying on it: its vertices, from above, whatever is below. On a mesh of its own kind, the vertices of
    // the overlap.
    for lift in [0.0, 1e-4, -1e-4] {
        for floor in floors() {
            let at = Pose { pos: vec3(0.3, 0.2, 0.3 + lift), rot: rotation(vec3(0.0, 0.0, 0.4)) };
            let found = contacts(&floor, &Pose::IDENTITY, &a, &at, 1e-3);
            assert_eq!(found.len(), 4, "{lift} {found:#?}");
            assert!(
                found.iter().all(|c| (c.gap - lift).abs() < 1e-14 && (c.normal - Vec3::Z).norm() < 1e-14)
            );
        }
        let upper = Pose::at(vec3(0.4, 0.3, 0.6 + lift));
        let found = contacts(&b, &Pose::IDENTITY, &b, &upper, 1e-3);
        let faces = contacts(&box_b, &Pose::IDENTITY, &box_b, &upper, 1e-3);
        assert_eq!((found.len(), faces.len()), (4, 4), "{lift} {found:#?}");
        assert!(found.iter().all(|c| (c.gap - lift).abs() < 1e-14 && (c.normal - Vec3::Z).norm() < 1e-14));
    }
}

/// Meshes of boxes in contact, or nearly, overlap where boxes do and not where they do not; also where a
/// vertex is in grazing contact and edges have passed each other.
#[test]
fn meshes_overlap_where_boxes_do() {
    let mut rng = Random(46);
    let (small, large) = ([0.7, 0.5, 0.6], [1.2, 0.8, 0.6]);
    let (a, b) = (crate_mesh(small), crate_mesh(large));
    let (box_a, box_b) = (Shape::cuboid(small).expect("a box"), Shape::cuboid(large).expect("a box"));
    let (mut apart, mut sunk) = (0, 0);
    for k in 0..2000 {
        let (pa, mut pb) = (rng.pose(0.8), rng.pose(0.8));
        // Every second pair is nearly flat on each other.
        if k % 2 == 0 {
            pb.rot = rotation(rng.direction() * rng.between(0.0, 0.1)) * pa.rot;
        }
        let found = contacts(&box_a, &pa, &box_b, &pb, 3.0);
        let nearest = least(&found);
        for c in &found {
            for lift in [1e-2, 1e-4, 1e-7, 1e-10, 0.0, -1e-10, -1e-7, -1e-5, -1e-4] {
                let at = Pose { pos: pb.pos + c.normal * (lift - c.gap), ..pb };
                let want = least(&contacts(&box_a, &pa, &box_b, &at, 0.1));
                if !(-1e-3..=0.1).contains(&want) || (c.gap > nearest && lift != 0.0) {
                    continue;
                }
                for found in [contacts(&a, &pa, &b, &at, 0.1), contacts(&b, &at, &a, &pa, 0.1)] {
                    let have = least(&found);
                    let what = || format!("{k} {lift}: {have} {want} {pa:?} {at:?} {found:#?}");
                    if want > -1e-14 {
                        // Boxes prefer faces to edges that are nearer by less than 1e-9 of the size.
                        assert!((have - want).abs() < 1e-10 && have > -1e-14, "{}", what());
                        apart += 1;
                    } else if want < -1e-8 {
                        // The depth is not decided by one vertex, which may leave by another face; but the
                        // overlap is found.
                        assert!(have < -1e-12 && have > 20.0 * want, "{}", what());
                        sunk += 1;
                    }
                }
            }
        }
    }
    assert!(apart > 5_000 && sunk > 5_000, "{apart} {sunk}");
}

#[test]
fn invalid_meshes_are_refused_by_name() {
    let square = vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y, Vec3::X * 2.0];
    let make = |t: &[[u32; 3]]| Mesh::new(square.clone(), t.to_vec()).map(|_| ());
    assert_eq!(make(&[[0, 1, 2], [0, 2, 3]]), Ok(()));
    assert_eq!(make(&[]), Err(ShapeError::Empty));
    assert_eq!(make(&[[0, 1, 2], [0, 1, 4]]), Err(ShapeError::NoArea { triangle: 1, corners: [0, 1, 4] }));
    assert_eq!(make(&[[0, 1, 2], [3, 3, 0]]), Err(ShapeError::NoArea { triangle: 1, corners: [3, 3, 0] }));
    assert_eq!(make(&[[0, 1, 7]]), Err(ShapeError::NoSuchVertex { triangle: 0, vertex: 7, vertices: 5 }));
    assert_eq!(make(&[[0, 1, 2], [0, 3, 2]]), Err(ShapeError::InsideOut { first: 0, second: 1 }));
    let mut bad = square.clone();
    bad[3].y = f64::INFINITY;
    assert_eq!(Mesh::new(bad, vec![[0, 1, 2]]), Err(ShapeError::NotFinite { vertex: 3 }));
    let text = make(&[[0, 1, 2], [0, 1, 4]]).expect_err("no area").to_string();
    assert!(text.contains("triangle 1") && text.contains("no area"), "{text}");
    let terrain =
        |spacing: f64, rows: &[Vec<f64>]| Terrain::new([0.0, 0.0], [spacing, 1.0], rows).map(|_| ());
    let good = vec![vec![0.0, 1.0], vec![2.0, 3.0]];
    assert_eq!(terrain(1.0, &good), Ok(()));
    assert_eq!(terrain(0.0, &good), Err(ShapeError::NotPositive { field: "spacing", value: 0.0 }));
    assert_eq!(terrain(1.0, &good[..1]), Err(ShapeError::TooFew { axis: "y", have: 1 }));
    let ragged = [vec![0.0, 1.0], vec![2.0]];
    assert_eq!(terrain(1.0, &ragged), Err(ShapeError::NotRectangular { row: 1, have: 1, want: 2 }));
    let holes = [vec![0.0, 1.0], vec![2.0, f64::NAN]];
    assert_eq!(terrain(1.0, &holes), Err(ShapeError::Height { row: 1, column: 1 }));
}

/// A shape on a closed mesh is as deep in it as in the equal box: triangles in contact from the side do not
/// count.
#[test]
fn a_cylinder_sinks_into_a_box_of_triangles_as_into_a_box() {
    let mut rng = Random(44);
    let size = [1.2, 0.8, 0.6];
    let (mesh, block) = (crate_mesh(size), Shape::cuboid(size).expect("a box"));
    let up = rotation(vec3(0.0, -FRAC_PI_2, 0.0));
    // A small shape on a large one, or vice versa.
    for (round, k) in (0..600).map(|k| (if k % 2 == 0 { 1.0 } else { 8.0 }, k)) {
        let drum = Shape::cylinder(0.1 * round, 0.3 * round).expect("a cylinder");
        let at = vec3(rng.between(-0.45, 0.45), rng.between(-0.3, 0.3), 0.0);
        let turn = rotation(vec3(0.0, 0.0, rng.between(-3.0, 3.0)));
        for lift in [0.0, 1e-3, 1e-12, -1e-12, -1e-9, -1e-6, -1e-3] {
            for (rot, height) in [(turn, 0.1 * round), (turn * up, 0.15 * round)] {
                let pose = Pose { pos: at + Vec3::Z * (0.3 + height + lift), rot };
                let found = contacts(&drum, &pose, &mesh, &Pose::IDENTITY, 0.01);
                let direct = contacts(&drum, &pose, &block, &Pose::IDENTITY, 0.01);
                assert!(
                    (least(&found) - least(&direct)).abs() < 1e-13,
                    "{k} {pose:?} {lift:e}\n{found:#?}\n{direct:#?}"
                );
            }
        }
    }
}

/// Whichever vertex is lowest now, another may be soon: a mesh of a box has the contacts of the box.
#[test]
fn a_tilted_box_mesh_has_contacts_at_all_its_vertices_and_edges() {
    let mut rng = Random(45);
    let (size, floor) = ([0.3, 0.2, 0.4], [1.2, 0.8, 0.6]);
    let (mesh, block) = (crate_mesh(size), Shape::cuboid(size).expect("a box"));
    let drum = Pose { pos: Vec3::ZERO, rot: rotation(vec3(0.0, -FRAC_PI_2, 0.0)) };
    let floors = [
        (Shape::cuboid(floor).expect("a box"), Pose::IDENTITY),
        (crate_mesh(floor), Pose::IDENTITY),
        (Shape::cylinder(0.5, 0.6).expect("a cylinder"), drum),
    ];
    let mut seen = 0;
    for _ in 0..300 {
        let tilt = rotation(rng.direction() * rng.between(0.0, 0.1));
        let turn = rotation(vec3(0.0, 0.0, rng.between(-3.0, 3.0)));
        let mut pose =
            Pose { pos: vec3(rng.between(-0.7, 0.7), rng.between(-0.5, 0.5), 0.6), rot: tilt * turn };
        // Just above the floor.
        let low = contacts(&Shape::Plane, &Pose::at(vec3(0.0, 0.0, 0.3)), &block, &pose, 1.0);
        pose.pos.z -= least(&low) - rng.between(1e-6, 1e-2);
        for (floor, place) in &floors {
            let direct = contacts(&block, &pose, floor, place, 0.04);
            let found = contacts(&mesh, &pose, floor, place, 0.04);
            for c in direct {
                let same = |d: &cardan_shapes::Contact| {
                    (c.gap - d.gap).abs() < 1e-12
                        && (c.normal - d.normal).norm() < 1e-9
                        && (c.point_a - d.point_a).norm() < 1e-9
                };
                assert!(found.iter().any(same), "{floor:?} {pose:?} lacks {c:#?}\n{found:#?}");
                seen += 1;
            }
        }
    }
    assert!(seen > 1000);
}
