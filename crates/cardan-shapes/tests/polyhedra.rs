//! Boxes and hulls, and capsules on them.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use super::common::{Random, contacts, corners, distance, least, rotation};
use cardan_shapes::{Contact, Hull, Pose, PrimitivePair, Shape, ShapeError, Vec3, vec3};

fn block(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid([x, y, z]).expect("a box")
}

fn cloud(rng: &mut Random, n: usize) -> Shape {
    let points: Vec<Vec3> = (0..n).map(|_| rng.direction() * 0.7).collect();
    Shape::hull(&points).expect("a hull")
}

fn shapes(rng: &mut Random) -> Vec<Shape> {
    vec![
        Shape::sphere(0.2).expect("a ball"),
        Shape::capsule(0.1, 1.1).expect("a capsule"),
        block(1.0, 0.7, 0.4),
        block(0.3, 1.5, 0.9),
        cloud(rng, 4),
        cloud(rng, 30),
    ]
}

#[test]
fn the_least_gap_is_the_distance_of_shapes_that_are_apart() {
    let mut rng = Random(6);
    let all = shapes(&mut rng);
    for a in &all {
        for b in &all {
            let mut seen = 0;
            for _ in 0..120 {
                let (pa, pb) = (rng.pose(1.0), rng.pose(1.0));
                let want = distance(a, &pa, b, &pb);
                let radii = corners(a).1 + corners(b).1;
                if want > 1e-6 - radii {
                    let found = contacts(a, &pa, b, &pb, 5.0);
                    assert!(
                        (least(&found) - want).abs() < 1e-10,
                        "{a:?}\n{pa:?}\n{b:?}\n{pb:?}: {} {want}",
                        least(&found)
                    );
                    // Nothing is found beyond the margin, and nothing is lost within it.
                    assert!(contacts(a, &pa, b, &pb, want - 1e-9).is_empty());
                    assert!(!contacts(a, &pa, b, &pb, want + 1e-9).is_empty());
                    seen += 1;
                }
            }
            assert!(seen > 20, "{seen}");
        }
    }
}

/// Penetration depth over all directions that can matter, by projecting all vertices.
fn depth(a: &Shape, pa: &Pose, b: &Shape, pb: &Pose) -> (f64, f64) {
    let world = |s: &Shape, p: &Pose| corners(s).0.iter().map(|&v| p.point(v)).collect::<Vec<_>>();
    let (va, vb) = (world(a, pa), world(b, pb));
    let apart = |n: Vec3| {
        let most = |v: &[Vec3], n: Vec3| {
            v.iter().map(|x| x.dot(n)).fold(f64::NEG_INFINITY, |m, d| if d > m { d } else { m })
        };
        -most(&vb, -n) - most(&va, n)
    };
    let axes = |p: &Pose| [p.rot.x, p.rot.y, p.rot.z];
    let (mut faces, mut edges) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for n in axes(pa).into_iter().chain(axes(pb)) {
        for n in [n, -n] {
            faces = if apart(n) > faces { apart(n) } else { faces };
        }
    }
    for u in axes(pa) {
        for v in axes(pb) {
            let c = u.cross(v);
            for n in [c / c.norm(), -c / c.norm()] {
                edges = if apart(n) > edges { apart(n) } else { edges };
            }
        }
    }
    (faces, edges)
}

#[test]
fn the_least_gap_of_boxes_that_overlap_is_the_shortest_way_out() {
    let mut rng = Random(7);
    let (a, b) = (block(1.0, 0.7, 0.4), block(0.3, 1.5, 0.9));
    let (mut seen, mut crossed) = (0, 0);
    for _ in 0..3000 {
        let (pa, pb) = (rng.pose(0.4), rng.pose(0.4));
        let (faces, edges) = depth(&a, &pa, &b, &pb);
        if faces > 0.0 || edges > 0.0 {
            continue;
        }
        let want = if edges > faces { edges } else { faces };
        // A face is preferred to edges that are better by less than the tolerance.
        if edges > faces && edges < faces + 1e-5 {
            continue;
        }
        let found = contacts(&a, &pa, &b, &pb, 0.0);
        // The direction of least penetration is among them, and nothing is much deeper.
        let nearest =
            found.iter().map(|c| (c.gap - want).abs()).fold(f64::INFINITY, |m, d| if d < m { d } else { m });
        assert!(nearest < 1e-12, "{nearest:e} {want} {found:?}");
        assert!(least(&found) > 1.6 * want);
        assert!(found.len() <= 8);
        seen += 1;
        crossed += usize::from(edges > faces + 1e-5);
    }
    assert!(seen > 500 && crossed > 50, "{seen} {crossed}");
}

fn sorted(contacts: &[Contact]) -> bool {
    contacts.windows(2).all(|w| w[0].feature < w[1].feature)
}

#[test]
fn exchanging_a_and_b_or_moving_both_changes_nothing() {
    let mut rng = Random(8);
    let all = shapes(&mut rng);
    for a in &all {
        for b in &all {
            for _ in 0..30 {
                let (pa, pb) = (rng.pose(0.7), rng.pose(0.7));
                let found = contacts(a, &pa, b, &pb, 0.1);
                assert!(sorted(&found));
                let mut back = contacts(b, &pb, a, &pa, 0.1);
                back.sort_by_key(|c| c.feature.swapped());
                let far = rng.pose(10.0);
                let there = contacts(a, &far.then(&pa), b, &far.then(&pb), 0.1);
                assert_eq!(found.len(), back.len(), "{found:?} {back:?}");
                assert_eq!(found.len(), there.len());
                for ((c, d), e) in found.iter().zip(&back).zip(&there) {
                    assert_eq!(c.feature, d.feature.swapped());
                    assert_eq!(c.feature, e.feature);
                    assert!((c.gap - d.gap).abs() < 1e-12 && (c.gap - e.gap).abs() < 1e-12);
                    assert!((c.normal + d.normal).norm() < 1e-9);
                    assert!((far.rot * c.normal - e.normal).norm() < 1e-9);
                    assert!((far.point(c.point_a) - e.point_a).norm() < 1e-9);
                }
            }
        }
    }
}

fn noise(rng: &mut Random, pose: &Pose, size: f64) -> Pose {
    Pose { pos: pose.pos + rng.vector(size), rot: rotation(rng.vector(size)) * pose.rot }
}

/// Area of the hull of the contact points, projected along z.
fn spread(contacts: &[Contact]) -> f64 {
    let mut points: Vec<(f64, f64)> = contacts.iter().map(|c| (c.point_a.x, c.point_a.y)).collect();
    points.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
    let cross =
        |o: (f64, f64), p: (f64, f64), q: (f64, f64)| (p.0 - o.0) * (q.1 - o.1) - (p.1 - o.1) * (q.0 - o.0);
    let half = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let mut chain: Vec<(f64, f64)> = Vec::new();
        for p in points {
            while chain.len() > 1 && cross(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0.0 {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut ring = half(&mut points.iter().copied());
    ring.extend(half(&mut points.iter().rev().copied()));
    let n = ring.len();
    (0..n).map(|i| ring[i].0 * ring[(i + 1) % n].1 - ring[(i + 1) % n].0 * ring[i].1).sum::<f64>() * 0.5
}

#[test]
fn a_box_on_a_box_rests_on_the_corners_of_where_they_overlap_whatever_the_rounding() {
    let mut rng = Random(9);
    let turn = |angle: f64| rotation(vec3(0.0, 0.0, angle));
    // The lower and upper box, shift and rotation of the upper one, area of the overlap, vertices.
    let eighth = 0.5_f64.sqrt();
    let cases = [
        (block(1.0, 1.0, 1.0), block(1.0, 1.0, 1.0), [0.0, 0.0], 0.0, 1.0, 4),
        (block(1.0, 1.0, 1.0), block(4.0, 4.0, 1.0), [0.3, 0.2], 0.0, 1.0, 4),
        (block(4.0, 4.0, 1.0), block(1.0, 1.0, 1.0), [0.3, 0.2], 0.0, 1.0, 4),
        (block(4.0, 4.0, 1.0), block(1.0, 1.0, 1.0), [1.5, 1.5], 0.0, 1.0, 4),
        (block(1.0, 1.0, 1.0), block(1.0, 1.0, 1.0), [0.5, 0.25], 0.0, 0.375, 4),
        (block(1.0, 1.0, 1.0), block(1.0, 1.0, 1.0), [0.5, 0.0], 0.0, 0.5, 4),
        (block(3.0, 1.0, 1.0), block(1.0, 3.0, 1.0), [0.0, 0.0], 0.0, 1.0, 4),
        (block(1.0, 1.0, 1.0), block(1.0, 1.0, 1.0), [0.0, 0.0], FRAC_PI_4, 2.0 * (2.0 * eighth - 1.0), 8),
        (block(4.0, 4.0, 1.0), block(1.0, 1.0, 1.0), [1.6, 0.0], 0.4, f64::NAN, 5),
    ];
    for (k, (a, b, [x, y], angle, area, corners)) in cases.iter().enumerate() {
        for size in [0.0, 1e-16, 1e-15, 1e-13, 1e-11] {
            for (lift, scale) in [(0.0, 1.0), (-1e-4, 1.0), (1e-3, 1.0)] {
                let mut features = Vec::new();
                for _ in 0..20 {
                    let pa = noise(&mut rng, &Pose::IDENTITY, size);
                    let pb =
                        noise(&mut rng, &Pose { pos: vec3(*x, *y, scale + lift), rot: turn(*angle) }, size);
                    let found = contacts(a, &pa, b, &pb, 0.01);
                    assert_eq!(found.len(), *corners, "case {k}, noise {size:e}, lift {lift}: {found:#?}");
                    for c in &found {
                        assert!((c.gap - lift).abs() < 20.0 * size + 1e-15, "{c:?}");
                        assert!((c.normal - Vec3::Z).norm() < 20.0 * size + 1e-14, "{c:?}");
                    }
                    if !area.is_nan() {
                        assert!((spread(&found) - area).abs() < 1e-9, "case {k}: {}", spread(&found));
                    }
                    features.push(found.iter().map(|c| c.feature).collect::<Vec<_>>());
                }
                assert!(features.iter().all(|f| *f == features[0]), "case {k} {size:e} {features:?}");
            }
        }
    }
}

#[test]
fn crossed_edges_are_one_contact_with_the_sign_that_separates() {
    let a = block(1.0, 1.0, 1.0);
    let on_edge = rotation(vec3(FRAC_PI_4, 0.0, 0.0));
    let across = rotation(vec3(0.0, 0.0, FRAC_PI_2)) * on_edge;
    for gap in [0.02, 0.0, -0.02] {
        let pb = Pose { pos: vec3(0.1, 0.05, 2.0 * 0.5_f64.sqrt() + gap), rot: across };
        let found = contacts(&a, &Pose { pos: Vec3::ZERO, rot: on_edge }, &a, &pb, 0.05);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].gap - gap).abs() < 1e-14 && (found[0].normal - Vec3::Z).norm() < 1e-14);
        assert!(matches!(found[0].primitive.pair, PrimitivePair::LineLine(..)));
    }
}

#[test]
fn a_box_that_stands_on_an_edge_or_a_corner_has_two_contacts_or_one() {
    let (floor, a) = (block(10.0, 10.0, 2.0), block(1.0, 1.0, 1.0));
    let on_edge = rotation(vec3(FRAC_PI_4, 0.0, 0.0));
    for turn in [0.0, 1e-14, -1e-14] {
        let pose = Pose {
            pos: vec3(0.0, 0.0, 1.0 + 0.5_f64.sqrt()),
            rot: rotation(vec3(turn, 0.0, turn)) * on_edge,
        };
        let found = contacts(&floor, &Pose::IDENTITY, &a, &pose, 0.01);
        assert_eq!(found.len(), 2, "{found:?}");
    }
    let n = vec3(1.0, 1.0, 1.0) / 3.0_f64.sqrt();
    let axis = n.cross(Vec3::Z);
    let on_corner = rotation(axis / axis.norm() * 0.955_316_618_124_509_3);
    let pose = Pose { pos: vec3(0.0, 0.0, 1.0 + 0.5 * 3.0_f64.sqrt() + 0.003), rot: on_corner };
    let found = contacts(&floor, &Pose::IDENTITY, &a, &pose, 0.01);
    assert_eq!(found.len(), 1);
    assert!((found[0].gap - 0.003).abs() < 1e-14);
}

#[test]
fn a_capsule_lies_on_a_box_with_two_contacts_also_across_its_edge() {
    let (a, b) = (Shape::capsule(0.1, 2.0).expect("a capsule"), block(3.0, 1.0, 1.0));
    for (x, ends) in [(0.0, [-1.0, 1.0]), (1.0, [0.0, 1.5])] {
        let found = contacts(&a, &Pose::at(vec3(x, 0.1, 0.6)), &b, &Pose::IDENTITY, 0.01);
        assert_eq!(found.len(), 2, "{found:?}");
        let mut at: Vec<f64> = found.iter().map(|c| c.point_a.x).collect();
        at.sort_by(f64::total_cmp);
        assert!((at[0] - ends[0]).abs() < 1e-14 && (at[1] - ends[1]).abs() < 1e-14, "{at:?}");
        assert!(found.iter().all(|c| c.gap.abs() < 1e-15 && (c.normal + Vec3::Z).norm() < 1e-15));
    }
}

#[test]
fn hulls_have_the_faces_edges_and_corners_that_they_should() {
    // A box with points on its faces, its edges and inside.
    let mut points = Vec::new();
    for i in 0..5 {
        for j in 0..5 {
            for k in 0..5 {
                points.push(vec3(f64::from(i) * 0.1, f64::from(j) * 0.3, f64::from(k) * 0.7));
            }
        }
    }
    let hull = Hull::new(&points).expect("a hull");
    assert_eq!((hull.vertices().len(), hull.edges(), hull.faces()), (8, 12, 6));
    let mut rng = Random(10);
    for n in [4, 5, 8, 20, 60, 200] {
        for _ in 0..5 {
            let points: Vec<Vec3> = (0..n).map(|_| rng.direction()).collect();
            let hull = Hull::new(&points).expect("a hull");
            assert_eq!(hull.vertices().len(), n, "points of a sphere are all corners");
            assert_eq!(hull.vertices().len() + hull.faces(), hull.edges() + 2, "Euler");
            for f in 0..hull.faces() {
                let (normal, mut ring) = hull.face(f);
                let on = ring.next().expect("a corner");
                assert!(points.iter().all(|&p| normal.dot(p - on) < 1e-12));
            }
        }
    }
}

#[test]
fn points_that_are_no_hull_are_refused_by_name() {
    let flat = |points: &[Vec3]| matches!(Hull::new(points), Err(ShapeError::Plane { .. }));
    assert!(flat(&[]) && flat(&[Vec3::X]) && flat(&[Vec3::X; 9]));
    assert!(flat(&[Vec3::X, Vec3::Y, Vec3::Z]));
    assert!(flat(&(0..9).map(|i| Vec3::X * f64::from(i)).collect::<Vec<_>>()));
    assert!(flat(&(0..9).map(|i| vec3(f64::from(i % 3), f64::from(i / 3), 1.0)).collect::<Vec<_>>()));
    let bad = [Vec3::X, Vec3::Y, vec3(f64::NAN, 0.0, 0.0), Vec3::Z];
    assert_eq!(Hull::new(&bad), Err(ShapeError::NotFinite { vertex: 2 }));
}
