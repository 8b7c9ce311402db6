//! Hulls, meshes and terrains in contact: equal to boxes and planes where they are such, and by
//! closed forms otherwise.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::contact::{Hull, Mesh, Shape};
use cardan::math::{Quat, Vec3, vec3};
use cardan::step::EventKind;
use cardan::{
    Body, BodyId, ContactShape, End, Frame, Gravity, JointId, Material, ModelBuilder, PlacedShape,
    Polyhedron, Simulation,
};
use std::sync::Arc;

#[track_caller]
fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted} (off by {:e})", found - wanted);
}

fn wood() -> Material {
    Material { static_friction: 0.4, kinetic_friction: 0.3, ..Material::default() }
}

fn corners(size: Vec3) -> Vec<Vec3> {
    let side = |i: usize, k: usize| if i >> k & 1 == 0 { -0.5 * size[k] } else { 0.5 * size[k] };
    (0..8).map(|i| vec3(side(i, 0), side(i, 1), side(i, 2))).collect()
}

/// A box of twelve triangles.
fn box_mesh(size: Vec3) -> Mesh {
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new(corners(size), triangles).expect("a box")
}

/// A floor of n × n squares of two triangles each, turned by `rot`.
fn floor_mesh(n: u32, cell: f64, rot: Quat) -> Shape {
    let at = |i: u32| (f64::from(i) - 0.5 * f64::from(n)) * cell;
    let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| rot * vec3(at(i), at(j), 0.0))).collect();
    let mut triangles = Vec::new();
    for v in (0..n).flat_map(|j| (0..n).map(move |i| j * (n + 1) + i)) {
        triangles.extend([[v, v + 1, v + n + 2], [v, v + n + 2, v + n + 1]]);
    }
    Shape::mesh(vertices, triangles).expect("a floor")
}

fn scene(floor: (Shape, Frame), body: Body, shape: Shape, material: Material) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let body = parts.add_body(body);
    parts.add_shape(ContactShape { body: End::Ground, frame: floor.1, shape: floor.0, material });
    parts.add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material });
    Simulation::new(parts.build().expect("a model"))
}

/// Above atan(μ_s) a brick slides by ½ g (sin − μ_k cos) t², for every representation: a box,
/// corners, triangles.
#[test]
fn a_brick_of_corners_or_triangles_slides_as_a_box_does() {
    let (size, angle) = (vec3(0.2, 0.1, 0.06), 30.0_f64.to_radians());
    let tilt = Quat::exp(vec3(0.0, angle, 0.0));
    let (hull, mesh) = (Hull::new(&corners(size)).expect("a hull"), box_mesh(size));
    let solid = |p: Polyhedron| cardan::SolidShape::Polyhedron(Arc::new(p));
    let kinds = [
        (cardan::SolidShape::Box { size: size.to_array() }, Shape::cuboid(size.to_array()).expect("a box")),
        (solid(Polyhedron::of_hull(&hull)), Shape::Hull(hull.into())),
        (solid(Polyhedron::of_mesh(&mesh)), Shape::Mesh(mesh.into())),
    ];
    let slid = 0.5 * 9.81 * (angle.sin() - 0.3 * angle.cos());
    for (mass, shape) in kinds {
        let start = tilt * vec3(0.0, 0.0, 0.03);
        let body = Body { pos: start, rot: tilt, ..Body::solid(mass.clone(), 2.0) };
        let floor = (Shape::Plane, Frame { pos: Vec3::ZERO, rot: tilt });
        let mut sim = scene(floor, body, shape, wood());
        sim.run(1.0, 2e-3).expect("a run");
        let at = sim.observe().body(BodyId::of_index(0)).position - start;
        // Five hundred steps of constant acceleration: rounding alone.
        assert!((at - tilt * vec3(slid, 0.0, 0.0)).norm() < 1e-12, "{mass:?}: {at:?}");
        assert_eq!(sim.events().iter().filter(|e| e.kind != EventKind::Activated).count(), 0);
        assert!(sim.balance().energy_error < 1e-12);
        assert!(*sim.model().bodies()[0].shapes == [PlacedShape::at_origin(mass)]);
    }
}

/// A ball that starts to slide rolls after 2 v/(7 μ g) with 5/7 of its speed, and then without end;
/// after forty seams it is where it would be on a plane.
#[test]
fn a_ball_rolls_over_the_seams_of_a_floor_as_over_a_plane() {
    let (radius, velocity) = (0.1, vec3(1.3, 0.9, 0.0));
    let tilts = [Quat::IDENTITY, Quat::exp(vec3(0.3, 0.0, 0.2)) * Quat::exp(vec3(-0.3, 0.0, 0.0))];
    for (flat, tilt) in tilts.into_iter().enumerate() {
        let heights = vec![vec![0.0; 21]; 21];
        let terrain = Shape::terrain([-1.5, -1.5], [0.15, 0.15], &heights).expect("a terrain");
        let floors = [
            (Shape::Plane, Frame { pos: Vec3::ZERO, rot: tilt }),
            (floor_mesh(20, 0.15, tilt), Frame::default()),
            (terrain, Frame { pos: Vec3::ZERO, rot: tilt }),
        ];
        let mut ends = Vec::new();
        for floor in floors {
            let start = tilt * vec3(-0.9, -0.53, radius);
            let ball = cardan::SolidShape::Sphere { radius };
            let body = Body { pos: start, vel: tilt * velocity, ..Body::solid(ball, 1.0) };
            let shape = Shape::sphere(radius).expect("a ball");
            let mut sim = scene(floor, body, shape, Material::rough(0.7));
            sim.run(1.0, 4e-3).expect("a run");
            let end = sim.observe().body(BodyId::of_index(0));
            ends.push(end.position);
            if flat == 0 {
                let slide = 2.0 * velocity.norm() / (7.0 * 0.7 * 9.81);
                let way = velocity * (slide - 0.5 * slide * (2.0 / 7.0) + (1.0 - slide) * (5.0 / 7.0));
                // ½ μ g t² is v t/7 in that time.
                assert!((end.position - start - way).norm() < 1e-12, "{:?}", end.position - start - way);
                let sticks: Vec<f64> =
                    sim.events().iter().filter(|e| e.kind == EventKind::Stick).map(|e| e.time).collect();
                assert_eq!(sim.events().len(), 2, "it begins to touch, and to roll: {:?}", sim.events());
                // Events are located to rounding of the slip over its rate of change.
                near(sticks[0], slide, 1e-9);
            }
            // On the slope the direction of sliding turns, which steps follow to their order.
            assert!(sim.balance().energy_error < [1e-13, 1e-6][flat], "{:?}", sim.balance());
        }
        assert!((ends[1] - ends[0]).norm() < 1e-12 && (ends[2] - ends[0]).norm() < 1e-12, "{ends:?}");
    }
}

/// A rolling ball has no sideways load: rounding must not cause slip.
#[test]
fn a_ball_that_rolls_does_not_begin_to_slide() {
    let ball = cardan::SolidShape::Sphere { radius: 0.1 };
    let body = Body {
        pos: vec3(0.0, 0.0, 0.1),
        vel: vec3(1.3, 0.9, 0.0),
        omega: vec3(-9.0, 13.0, 0.0),
        ..Body::solid(ball, 1.0)
    };
    let shape = Shape::sphere(0.1).expect("a ball");
    let mut sim = scene((Shape::Plane, Frame::default()), body, shape, Material::rough(0.7));
    sim.run(1.0, 1e-3).expect("a run");
    assert_eq!(sim.events().len(), 1, "{:?}", sim.events());
    // A steady roll: 1000 steps of rounding.
    assert!((sim.observe().body(BodyId::of_index(0)).position - vec3(1.3, 0.9, 0.1)).norm() < 1e-12);
    assert!(sim.balance().energy_error < 1e-13);
}

/// Between two slopes at ±α a ball of radius r comes to rest r/cos α above the bottom, on two
/// forces m g/(2 cos α).
#[test]
fn a_ball_settles_in_a_valley() {
    let (slope, radius) = (0.5_f64, 0.1);
    let row: Vec<f64> = (0..9).map(|i| slope * (f64::from(i) * 0.25 - 1.0).abs()).collect();
    let terrain = Shape::terrain([-1.0, -1.0], [0.25, 0.25], &vec![row; 9]).expect("a valley");
    let ball = cardan::SolidShape::Sphere { radius };
    let body = Body { pos: vec3(-0.4, 0.05, 0.42), ..Body::solid(ball, 1.5) };
    let shape = Shape::sphere(radius).expect("a ball");
    let mut sim = scene((terrain, Frame::default()), body, shape, Material::default());
    sim.run(3.0, 1e-2).expect("a run");
    let cos = 1.0 / (1.0 + slope * slope).sqrt();
    let now = sim.observe();
    // It rests where both gaps are below 1e-9 m, the bound of an active contact; forces are those
    // of one solve.
    assert!(
        (now.body(BodyId::of_index(0)).position - vec3(0.0, 0.05, radius / cos)).norm() < 1e-9,
        "{:?}",
        now.body(BodyId::of_index(0)).position
    );
    assert!(now.body(BodyId::of_index(0)).velocity.norm() < 1e-9);
    let forces: Vec<Vec3> = now.contacts().map(|c| c.force).collect();
    assert_eq!(forces.len(), 2, "{forces:?}");
    for force in forces {
        near(force.norm(), 1.5 * 9.81 / (2.0 * cos), 1e-9);
        near(force.z, 0.5 * 1.5 * 9.81, 1e-9);
    }
    // The heat of the impacts is booked exactly; the fall is a parabola.
    assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
}

/// Two balls that overlap by d separate along their centres by d m₂/(m₁ + m₂) and d m₁/(m₁ + m₂); a
/// hinged rod that is in the floor turns out of it.
#[test]
fn overlaps_are_resolved_by_the_smallest_motion() {
    use cardan::{Joint, Overlaps, Settings};
    let settings = Settings { overlaps: Overlaps::Resolve, ..Settings::default() };
    let mut parts = ModelBuilder::new(Gravity(Vec3::ZERO));
    let along = vec3(0.6, 0.0, 0.8);
    for (mass, pos) in [(1.0, Vec3::ZERO), (3.0, along * 0.5)] {
        let body =
            parts.add_body(Body { pos, ..Body::solid(cardan::SolidShape::Sphere { radius: 0.3 }, mass) });
        let shape = Shape::sphere(0.3).expect("a ball");
        let (frame, material) = (Frame::default(), wood());
        parts.add_shape(ContactShape { body: body.into(), frame, shape, material });
    }
    let mut sim = Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings");
    assert_eq!(sim.overlaps().len(), 1);
    sim.assemble().expect("room");
    let now = sim.observe();
    // The correction is solved to rounding of 0.5 m.
    assert!((now.body(BodyId::of_index(0)).position - along * -0.075).norm() < 1e-14);
    assert!((now.body(BodyId::of_index(1)).position - along * 0.525).norm() < 1e-14);
    assert!(sim.overlaps().is_empty());

    // A rod of 1 m from a hinge 0.3 m above the floor, 0.02 m thick, whose tip is 0.06 m below it:
    // it turns to where 0.3 − sin α = 0.01.
    let mut parts = ModelBuilder::new(Gravity(Vec3::ZERO));
    let angle = 0.35_f64.asin();
    let rot = Quat::exp(vec3(0.0, angle, 0.0));
    let solid = cardan::SolidShape::Capsule { radius: 0.01, length: 1.0 };
    let pos = vec3(0.0, 0.0, 0.3) + rot * vec3(0.5, 0.0, 0.0);
    let rod = parts.add_body(Body { pos, rot, ..Body::solid(solid, 1.0) });
    parts.add_joint(Joint::revolute(End::Ground, rod, [0.0, 0.0, 0.3], [0.0, 1.0, 0.0]));
    parts.set_collision(End::Ground, rod, true);
    let (frame, material) = (Frame::default(), wood());
    parts.add_shape(ContactShape { body: End::Ground, frame, shape: Shape::Plane, material });
    let shape = Shape::capsule(0.01, 1.0).expect("a capsule");
    parts.add_shape(ContactShape { body: rod.into(), frame, shape, material });
    let mut sim = Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings");
    // Rounding of lengths of 1 m; the rod turns to the corrected pose and rests there.
    near(sim.overlaps()[0].depth, 0.06, 1e-14);
    sim.assemble().expect("room");
    let turned = sim.observe().joint(JointId::of_index(0)).coordinates[0];
    near(turned, 0.29_f64.asin() - angle, 1e-13);
    sim.run(0.1, 1e-2).expect("a run");
    near(sim.observe().body(BodyId::of_index(0)).velocity.norm(), 0.0, 1e-14);
}
