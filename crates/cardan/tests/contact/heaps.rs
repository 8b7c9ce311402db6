//! Many contacts with time stepping: stacks, heaps, and mechanisms that fall on them.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::contact::Shape;
use cardan::math::{Quat, Vec3, vec3};
use cardan::step::step;
use cardan::{
    Body, ContactShape, End, Frame, Gravity, Integrator, Joint, Material, ModelBuilder, Settings, Simulation,
    Workspace,
};
use std::sync::Arc;

fn on_a_plane(material: Material) -> ModelBuilder {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    parts.add_shape(ContactShape {
        body: End::Ground,
        frame: Frame::default(),
        shape: Shape::Plane,
        material,
    });
    parts
}

fn add_box(parts: &mut ModelBuilder, pos: Vec3, size: [f64; 3], mass: f64, material: Material) -> End {
    let body = Body { pos, ..Body::solid(cardan::SolidShape::Box { size }, mass) };
    let body = parts.add_body(body);
    let shape = Shape::cuboid(size).expect("a box");
    parts.add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material });
    body.into()
}

fn total(sim: &mut Simulation) -> f64 {
    let energy = sim.energy();
    energy.kinetic + energy.potential
}

fn stepping(parts: ModelBuilder) -> Simulation {
    let settings = Settings { integrator: Integrator::TimeStepping, ..Settings::default() };
    Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings that go together")
}

/// Ten boxes, the topmost a hundred times as heavy: each carries the weight above it, and at rest
/// no bit changes any more.
#[test]
fn a_stack_with_the_heaviest_on_top_stands_still() {
    let wood = Material::rough(0.5);
    let mut parts = on_a_plane(wood);
    for i in 0..10 {
        let mass = if i < 9 { 1.0 } else { 100.0 };
        add_box(&mut parts, vec3(0.0, 0.0, 0.1 + 0.2 * f64::from(i)), [0.2; 3], mass, wood);
    }
    let mut sim = stepping(parts);
    let start = sim.state().coordinates().to_vec();
    sim.run(0.5, 5e-3).expect("steps");
    let settled = sim.state().coordinates().to_vec();
    let moved = start.iter().zip(&settled).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    println!("moved {moved:e}");
    // A stack at rest: overlaps of rounding size are removed in the first steps.
    assert!(moved < 1e-9);
    sim.run(1.0, 5e-3).expect("steps");
    assert_eq!(sim.state().coordinates(), &settled[..]);
    assert!(sim.state().velocities().iter().all(|v| *v == 0.0));
    // The contacts below box i carry the weight above: 10 levels of four contacts.
    let instant = sim.evaluate().expect("an answer");
    let mut levels = [0.0; 10];
    for contact in instant.contacts() {
        let level = (contact.point.z / 0.2).round() as usize;
        levels[level] += contact.force.z.abs();
    }
    for (level, force) in levels.iter().enumerate() {
        let wanted = 9.81 * (100.0 + 9.0 - level as f64);
        // The contact problem is solved to 1e-9 or better.
        assert!((force - wanted).abs() < 1e-6 * wanted, "level {level}: {force} N, not {wanted} N");
    }
}

/// Boxes dropped on each other: energy never grows, nothing overlaps, everything comes to rest.
#[test]
fn a_heap_comes_to_rest_without_overlap() {
    let wood = Material::rough(0.5);
    let mut parts = on_a_plane(wood);
    for i in 0..8_u32 {
        let (column, level) = (f64::from(i % 2), f64::from(i / 2));
        let body = Body {
            pos: vec3(0.21 * column + 0.03 * level, 0.02 * level * column, 0.12 + 0.25 * level),
            rot: cardan::math::Quat::exp(vec3(0.3 * column, 0.4, 0.1 * level) * (0.2 + 0.1 * level)),
            ..Body::solid(cardan::SolidShape::Box { size: [0.2; 3] }, 1.0)
        };
        let body = parts.add_body(body);
        let shape = Shape::cuboid([0.2; 3]).expect("a box");
        parts.add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material: wood });
    }
    let mut sim = stepping(parts);
    let mut highest = total(&mut sim);
    for step in 1..=500 {
        sim.run(4e-3 * f64::from(step), 4e-3).expect("a step");
        let now = total(&mut sim);
        // Impulses take energy away up to the residual of the contact problem.
        assert!(now <= highest + 1e-9 * highest.abs(), "step {step}: {now} J after {highest} J");
        highest = now;
    }
    let certificate = sim.certificate();
    println!("{certificate:?}, kinetic {:e}", sim.energy().kinetic);
    // Overlaps below 1e-10 of the length are left; at rest speeds are of the residual's size.
    assert!(certificate.max_overlap < 1e-8);
    assert!(sim.energy().kinetic < 1e-12);
}

/// A chain of boxes hinged in a row falls flat: joints stay closed to rounding with a dozen
/// contacts at corners.
#[test]
fn a_chain_falls_on_the_floor_and_stays_whole() {
    let wood = Material::rough(0.4);
    let mut parts = on_a_plane(wood);
    let mut before: Option<End> = None;
    for i in 0..8 {
        let body = add_box(&mut parts, vec3(0.3 * f64::from(i), 0.0, 0.3), [0.28, 0.1, 0.1], 1.0, wood);
        if let Some(before) = before {
            parts.add_joint(Joint::spherical(before, body, [0.3 * f64::from(i) - 0.15, 0.0, 0.3]));
        }
        before = Some(body);
    }
    let mut sim = stepping(parts);
    sim.run(1.0, 2e-3).expect("steps");
    let certificate = sim.certificate();
    println!("{certificate:?}");
    // Joints are projected to rounding; velocities to the residual of the contact problem.
    assert!(certificate.max_position_error < 1e-12 && certificate.max_velocity_error < 1e-10);
    assert!(certificate.max_overlap < 1e-8);
    let heights = sim.state().coordinates().chunks(7).map(|q| q[2]).collect::<Vec<_>>();
    assert!(heights.iter().all(|z| (z - 0.05).abs() < 1e-8), "{heights:?}");
    assert!(sim.energy().kinetic < 1e-12, "{:e}", sim.energy().kinetic);
}

/// Overlaps at the start are named with time stepping, too, and not removed silently.
#[test]
fn overlaps_at_the_start_are_named() {
    let wood = Material::rough(0.5);
    let mut parts = on_a_plane(wood);
    add_box(&mut parts, vec3(0.0, 0.0, 0.1), [0.2; 3], 1.0, wood);
    add_box(&mut parts, vec3(0.0, 0.0, 0.29), [0.2; 3], 1.0, wood);
    let mut sim = stepping(parts);
    let before = sim.state().clone();
    let error = sim.run(0.1, 5e-3).expect_err("an overlap").to_string();
    assert!(error.contains("overlaps by 0.01"), "{error}");
    assert_eq!(sim.state().coordinates(), before.coordinates());
}

/// A heavy ball hits a light one at rest just before a thin wall: within the step the light one
/// would pass the wall, although it did not move at the start of the step.
#[test]
fn bodies_hit_within_a_step_do_not_pass_a_wall() {
    let hard = Material::default();
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let shape = Shape::cuboid([1e-3, 1.0, 1.0]).expect("a plate");
    parts.add_shape(ContactShape {
        body: End::Ground,
        frame: Frame { pos: vec3(0.06, 0.0, 0.0), ..Frame::default() },
        shape,
        material: hard,
    });
    for (x, v, mass) in [(-0.101, 20.0, 10.0), (0.0, 0.0, 0.1)] {
        let body = Body::solid(cardan::SolidShape::Sphere { radius: 0.05 }, mass);
        let body = parts.add_body(Body { pos: vec3(x, 0.0, 0.0), vel: vec3(v, 0.0, 0.0), ..body });
        let shape = Shape::Sphere { radius: 0.05 };
        parts.add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material: hard });
    }
    let mut sim = stepping(parts);
    for _ in 0..20 {
        let report = sim.step(5e-3).expect("a step");
        // Depenetration leaves 1e-10 of the length.
        assert!(report.overlap < 1e-9, "{:e}", report.overlap);
        let light = sim.state().coordinates()[7];
        assert!(light < 0.0095 + 1e-9, "passed: {light}");
    }
}

/// A ball that falls by 1 m rises again to e², for any phase of the impact within a step.
#[test]
fn elastic_rebounds_keep_their_height() {
    for (dt, close) in [(3e-3, 1e-2), (1e-3, 3e-3), (3e-4, 1e-3)] {
        let rubber = Material { restitution: 0.7, ..Material::default() };
        let mut parts = on_a_plane(rubber);
        let ball = Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 1.0);
        let body = parts.add_body(Body { pos: vec3(0.0, 0.0, 1.1), ..ball });
        let shape = Shape::Sphere { radius: 0.1 };
        parts.add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material: rubber });
        let mut sim = stepping(parts);
        let (mut highest, mut hit) = (0.0_f64, false);
        while sim.time() < 1.0 {
            sim.step(dt).expect("a step");
            hit |= sim.state().velocities()[2] > 0.0;
            let height = sim.state().coordinates()[2] - 0.1;
            highest = if hit { highest.max(height) } else { highest };
        }
        assert!((highest - 0.49).abs() < close, "{dt}: {highest}");
    }
}

/// A box of twelve triangles.
fn box_of_triangles(size: [f64; 3]) -> Shape {
    let side = |i: usize, k: usize| if i >> k & 1 == 0 { -0.5 * size[k] } else { 0.5 * size[k] };
    let corners = (0..8).map(|i| vec3(side(i, 0), side(i, 1), side(i, 2))).collect();
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Shape::mesh(corners, triangles).expect("a closed mesh")
}

/// A cube of twelve triangles stands on a box as on a plane: faces that only graze the box give no
/// contact; and dropped on a plane so that it tumbles it comes to rest.
#[test]
fn a_closed_mesh_stands_on_a_box_and_tumbles_on_a_plane() {
    let stone = Material::rough(0.5);
    for on_box in [true, false] {
        let mut parts =
            if on_box { ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81)) } else { on_a_plane(stone) };
        if on_box {
            let shape = Shape::cuboid([4.0, 4.0, 0.2]).expect("a box");
            let frame = Frame { pos: vec3(0.0, 0.0, -0.1), ..Frame::default() };
            parts.add_shape(ContactShape { body: End::Ground, frame, shape, material: stone });
        }
        let cube = Body::solid(cardan::SolidShape::Box { size: [0.1; 3] }, 1.0);
        let (height, omega) = if on_box { (0.05, Vec3::ZERO) } else { (0.4, vec3(1.0, 2.0, 3.0)) };
        let body = parts.add_body(Body { pos: vec3(0.1, 0.07, height), omega, ..cube });
        let shape = box_of_triangles([0.1; 3]);
        parts.add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material: stone });
        let mut sim = stepping(parts);
        let mut last = total(&mut sim);
        while sim.time() < 1.5 {
            sim.step(2e-3).expect("a step");
            let now = total(&mut sim);
            // A tumbling mesh may gain by the residual of unfinished contact problems.
            assert!(now <= last + 1e-4, "energy rises from {last} to {now} at {}", sim.time());
            last = now;
        }
        assert!(sim.state().velocities().iter().all(|v| *v == 0.0));
        // Depenetration leaves 1e-10 of the length.
        assert!((sim.state().coordinates()[2] - 0.05).abs() < 1e-9);
    }
}

/// Dropped so that it tumbles, a cube of triangles or of corners falls as a box does, on a floor of
/// any kind: energy does not grow, it does not sink, and comes to rest on four corners. (With its
/// lowest corner alone it gained 1 J and more each second.)
#[test]
fn a_closed_mesh_tumbles_as_the_box_that_it_is() {
    let (size, slab) = ([0.1; 3], [1.0, 1.0, 0.2]);
    let cuboid = |size: [f64; 3]| Shape::cuboid(size).expect("a box");
    let hull = |size: [f64; 3]| {
        let side = |i: usize, k: usize| if i >> k & 1 == 0 { -0.5 * size[k] } else { 0.5 * size[k] };
        let corners: Vec<Vec3> = (0..8).map(|i| vec3(side(i, 0), side(i, 1), side(i, 2))).collect();
        Shape::hull(&corners).expect("a hull")
    };
    let terrain = Shape::terrain([-0.5, -0.5], [0.5, 0.5], &vec![vec![0.0; 3]; 3]).expect("a terrain");
    let drum = Shape::cylinder(0.5, 0.2).expect("a cylinder");
    let level = Frame { pos: vec3(0.0, 0.0, -0.1), ..Frame::default() };
    let upright = Frame { rot: Quat::exp(vec3(0.0, std::f64::consts::FRAC_PI_2, 0.0)), ..level };
    let fall = |floor: &(Shape, Frame), shape: Shape, integrator: Integrator, until: f64| {
        let stone = Material::rough(0.5);
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let (ground, frame) = floor.clone();
        parts.add_shape(ContactShape { body: End::Ground, frame, shape: ground, material: stone });
        let cube = Body::solid(cardan::SolidShape::Box { size }, 1.0);
        let (rot, omega) = (Quat::exp(vec3(0.3, 0.2, 0.1)), vec3(0.0, 10.0, 0.3));
        let body = parts.add_body(Body { pos: vec3(0.1, 0.07, 0.15), rot, omega, ..cube });
        let at = ContactShape { body: body.into(), frame: Frame::default(), shape, material: stone };
        parts.add_shape(at);
        let settings = Settings { integrator, ..Settings::default() };
        let mut sim = Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings");
        let mut last = total(&mut sim);
        while sim.time() < until {
            let report = sim.step(2e-3).expect("a step");
            // Depenetration leaves 1e-10 of the length.
            assert!(report.overlap < 1e-10, "sunk by {:e}", report.overlap);
            let now = total(&mut sim);
            // Rounding of some joules.
            assert!(now <= last + 1e-14, "energy rises from {last} to {now} at {}", sim.time());
            last = now;
        }
        sim.state().coordinates().to_vec()
    };
    let rests = fall(&(cuboid(slab), level), cuboid(size), Integrator::TimeStepping, 0.7);
    // At rest on four corners: overlaps are removed to rounding.
    assert!((rests[2] - 0.05).abs() < 1e-11, "it is not at rest on a side: {rests:?}");
    for floor in [(cuboid(slab), level), (hull(slab), level), (drum, upright)] {
        let end = fall(&floor, box_of_triangles(size), Integrator::TimeStepping, 0.7);
        let off = end.iter().zip(&rests).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        // The same fall, with contacts in another order: rounding, amplified by the tumbling.
        assert!(off < 1e-9, "off by {off:e} on {:?}", floor.0);
    }
    // Surfaces on surfaces: until it has tumbled.
    let tumbled = fall(&(cuboid(slab), level), cuboid(size), Integrator::TimeStepping, 0.3);
    for floor in [(box_of_triangles(slab), level), (terrain, Frame::default())] {
        let end = fall(&floor, box_of_triangles(size), Integrator::TimeStepping, 0.3);
        let off = end.iter().zip(&tumbled).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        // The same fall, with contacts in another order: rounding, amplified by the tumbling.
        assert!(off < 1e-9, "off by {off:e} on {:?}", floor.0);
    }
    // With event location: two impacts and a slide.
    let [exact, meshed] = [cuboid(size), box_of_triangles(size)]
        .map(|shape| fall(&(cuboid(slab), level), shape, Integrator::Rk4, 0.2));
    let off = exact.iter().zip(&meshed).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(off < 1e-12, "off by {off:e}");
}

/// Five boxes float; the sixth, last of all islands, hits another body and is separated from it
/// after the step. The islands before it are skipped then, and it still needs a solver.
#[test]
fn an_island_after_skipped_ones_is_depenetrated() {
    let smooth = Material::default();
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let (frame, shape) = (Frame::default(), Shape::Plane);
    parts.add_shape(ContactShape { body: End::Ground, frame, shape, material: smooth });
    for i in 0..5 {
        add_box(&mut parts, vec3(f64::from(i), 0.0, 0.1 + 3e-3), [0.2; 3], 1.0, smooth);
    }
    // A face that turns over a ball penetrates it, by ½ r (ω h)².
    let ball = Shape::sphere(0.1).expect("a ball");
    let at = Frame { pos: vec3(0.05, 1.0, 0.1), ..Frame::default() };
    parts.add_shape(ContactShape { body: End::Ground, frame: at, shape: ball, material: smooth });
    let (vel, omega) = (vec3(0.0, 0.0, -2.0), vec3(0.0, 50.0, 0.0));
    let solid = Body::solid(cardan::SolidShape::Box { size: [0.2; 3] }, 1.0);
    let body = parts.add_body(Body { pos: vec3(0.0, 1.0, 0.304), vel, omega, ..solid });
    let shape = Shape::cuboid([0.2; 3]).expect("a box");
    parts.add_shape(ContactShape { body: body.into(), frame, shape, material: smooth });
    let mut sim = stepping(parts);
    let before = sim.state().coordinates().to_vec();
    for _ in 0..4 {
        let report = sim.step(4e-3).expect("a step");
        // Depenetration leaves 1e-10 of the length.
        assert!(report.overlap < 1e-9, "sunk by {:e}", report.overlap);
    }
    assert_eq!(sim.state().coordinates()[..35], before[..35], "what hovers was moved");
    assert!(sim.state().velocities()[32] > -1.9, "it did not hit");
}

/// Data kept between steps save time and change nothing: with a new workspace in every step all
/// bits are equal, in sticking, sliding, impact and rest.
#[test]
fn a_workspace_can_be_dropped_during_friction() {
    let wood =
        Material { static_friction: 0.5, kinetic_friction: 0.4, restitution: 0.2, ..Material::default() };
    let build = |count: u32, apart: f64, integrator: Integrator| {
        let mut parts = on_a_plane(wood);
        for i in 0..count {
            let level = f64::from(i);
            let pos = vec3(0.02 * level, -0.01 * level, 0.1 + (0.2 + apart) * level + apart);
            let rot = Quat::exp(vec3(0.3, 0.2, 0.1 * level) * apart * 10.0);
            let slow = if i + 1 == count { 0.1 } else { 0.0 };
            let vel = if apart > 0.0 { vec3(0.3 * level, 0.1, 0.0) } else { vec3(slow, 0.0, 0.0) };
            let body = Body {
                pos,
                rot,
                vel,
                ..Body::solid(cardan::SolidShape::Box { size: [0.2; 3] }, 1.0 + level)
            };
            let body = parts.add_body(body);
            let (frame, shape) = (Frame::default(), Shape::cuboid([0.2; 3]).expect("a box"));
            parts.add_shape(ContactShape { body: body.into(), frame, shape, material: wood });
        }
        (Arc::new(parts.build().expect("a model")), Settings { integrator, ..Settings::default() })
    };
    // Few contacts and many, with time stepping and with event location; the last has more rows
    // than a dense problem is used for.
    for (count, apart, integrator, h, steps) in [
        (1, 0.02, Integrator::TimeStepping, 4e-3, 100),
        (5, 0.02, Integrator::TimeStepping, 4e-3, 100),
        (1, 0.02, Integrator::Rk4, 4e-3, 40),
        (6, 0.0, Integrator::Rk4, 2e-3, 3),
    ] {
        let (model, settings) = build(count, apart, integrator);
        let mut kept_state = model.initial_state().clone();
        let mut fresh_state = kept_state.clone();
        let mut kept = Workspace::new(&model, &settings).expect("settings");
        for k in 0..steps {
            step(&model, &settings, &mut kept_state, h, &mut kept).expect("a step");
            let mut fresh = Workspace::new(&model, &settings).expect("settings");
            step(&model, &settings, &mut fresh_state, h, &mut fresh).expect("a step");
            assert_eq!(kept_state, fresh_state, "{count} boxes, step {k} of {integrator:?}");
        }
    }
}
