//! Islands that come into contact: merged in time, and split again.

use super::DOWN;
use cardan::contact::Shape;
use cardan::math::vec3;
use cardan::{
    Body, BodyId, ContactShape, End, Frame, Gravity, Integrator, Material, ModelBuilder, Settings,
    Simulation, Sleep, World,
};

fn ball(parts: &mut ModelBuilder, x: f64, v: f64) -> BodyId {
    let round = Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 1.0);
    let ball = parts.add_body(Body { pos: vec3(x, 0.0, 0.0), vel: vec3(v, 0.0, 0.0), ..round });
    let material = Material { restitution: 1.0, ..Material::default() };
    parts.add_shape(ContactShape {
        body: ball.into(),
        frame: Frame::default(),
        shape: Shape::Sphere { radius: 0.1 },
        material,
    });
    ball
}

/// Of three balls in a row the first two are one collision group: the first passes through the second and stops at the
/// third, in a world of islands and in one simulation.
#[test]
fn shapes_of_a_group_pass_through_each_other() {
    let describe = || {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let material = Material { restitution: 1.0, ..Material::default() };
        let balls = [0.0, 1.0, 2.0].map(|x| {
            let round = Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 1.0);
            let vel = vec3(if x == 0.0 { 3.0 } else { 0.0 }, 0.0, 0.0);
            let ball = parts.add_body(Body { pos: vec3(x, 0.0, 0.0), vel, ..round });
            let (frame, shape) = (Frame::default(), Shape::Sphere { radius: 0.1 });
            let id = parts.add_shape(ContactShape { body: ball.into(), frame, shape, material });
            parts.set_shape_group(id, if x < 2.0 { 7 } else { 8 });
            ball
        });
        (parts, balls)
    };
    let (parts, balls) = describe();
    let mut world = World::of(parts, Settings::default()).expect("a world");
    let mut sim = Simulation::new(describe().0.build().expect("a model"));
    world.run(1.0, 0.01).expect("a run");
    sim.run(1.0, 0.01).expect("a run");
    // The centres are 0.2 m apart at the impact, after 0.6 s.
    for (i, wanted) in [1.8, 1.0, 2.0 + 3.0 * 0.4].into_iter().enumerate() {
        let found = [
            world.body(balls[i]).expect("a body").position.x,
            sim.kinematics().body(BodyId::of_index(i)).position.x,
        ];
        assert!(found.iter().all(|x| (x - wanted).abs() < 1e-9), "{i}: {found:?}, not {wanted}");
    }
}

/// Five balls in a row, the first one fast: the impulse is passed on, however the islands are
/// split.
#[test]
fn balls_collide_across_islands() {
    let describe = || {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let balls: Vec<BodyId> =
            (0..5).map(|i| ball(&mut parts, f64::from(i), if i == 0 { 3.0 } else { 0.0 })).collect();
        (parts, balls)
    };
    let (parts, balls) = describe();
    let mut world = World::of(parts, Settings::default()).expect("a world");
    let mut sim = Simulation::new(describe().0.build().expect("a model"));
    let mut least = usize::MAX;
    while world.next_step(2.0, 0.01).is_some() {
        world.step(0.01).expect("a step");
        least = least.min(world.islands().0);
    }
    sim.run(2.0, 0.01).expect("a run");
    // Never more than two of them were one island.
    assert_eq!(least, 4);
    assert_eq!(world.islands(), (5, 0));
    for (i, body) in balls.iter().enumerate() {
        let found = world.body(*body).expect("a body");
        let wanted = sim.kinematics().body(BodyId::of_index(i));
        // The same impacts in islands and in one simulation: rounding of their sums.
        assert!((found.position - wanted.position).norm() < 1e-13, "{i}: {found:?}");
        assert!((found.velocity - wanted.velocity).norm() < 1e-13, "{i}: {found:?}");
    }
    let hits: Vec<_> = world.events().iter().map(|event| (event.name.clone(), event.time)).collect();
    let wanted: Vec<_> = sim.events().iter().map(|event| (event.name(sim.model()), event.time)).collect();
    assert_eq!(hits.len(), 4);
    for (hit, want) in hits.iter().zip(&wanted) {
        assert_eq!(hit.0, want.0);
        assert!((hit.1 - want.1).abs() < 1e-13);
    }
}

/// Fast bodies are detected in time even with steps in which they would pass each other.
#[test]
fn fast_balls_do_not_pass_each_other() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let (a, b) = (ball(&mut parts, -50.0, 400.0), ball(&mut parts, 50.0, -400.0));
    let mut world = World::of(parts, Settings::default()).expect("a world");
    world.run(0.2, 0.02).expect("a run");
    // Rounding of 400 m/s in an impact.
    assert!((world.body(a).expect("a body").velocity.x + 400.0).abs() < 1e-9);
    assert!((world.body(b).expect("a body").velocity.x - 400.0).abs() < 1e-9);
}

fn boxed(parts: &mut ModelBuilder, name: &str, at: cardan::math::Vec3) -> BodyId {
    let cube = Body::solid(cardan::SolidShape::Box { size: [0.2, 0.2, 0.2] }, 1.0);
    let body = parts.add_body(Body { name: name.into(), pos: at, ..cube });
    let shape = Shape::Box { size: [0.2, 0.2, 0.2] };
    parts.add_shape(ContactShape {
        body: body.into(),
        frame: Frame::default(),
        shape,
        material: Material::rough(0.5),
    });
    body
}

/// Boxes on a floor come to rest and sleep; one that falls on another wakes that one only.
#[test]
fn bodies_at_rest_sleep_and_wake_on_contact() {
    let mut parts = ModelBuilder::new(DOWN);
    parts.add_shape(ContactShape {
        body: End::Ground,
        frame: Frame::default(),
        shape: Shape::Plane,
        material: Material::rough(0.5),
    });
    let first = boxed(&mut parts, "first", vec3(0.0, 0.0, 0.1));
    let second = boxed(&mut parts, "second", vec3(3.0, 0.0, 0.1));
    // The heat of impacts is exact with events.
    let settings = Settings { integrator: Integrator::Rk4, ..Settings::default() };
    let mut world = World::of(parts, settings).expect("a world");
    world.set_sleep(Some(Sleep::default()));
    world.run(0.4, 0.01).expect("a run");
    assert_eq!(world.islands(), (2, 0));
    world.run(1.0, 0.01).expect("a run");
    assert_eq!(world.islands(), (2, 2));
    let (one, two) = (world.hash_of(first), world.hash_of(second));
    world.run(2.0, 0.01).expect("a run");
    assert_eq!((world.hash_of(first), world.hash_of(second)), (one, two));
    let third = {
        let cube = Body::solid(cardan::SolidShape::Box { size: [0.2, 0.2, 0.2] }, 1.0);
        let body =
            world.add_body(Body { name: "third".into(), pos: vec3(0.0, 0.0, 0.8), ..cube }).expect("a box");
        let shape = Shape::Box { size: [0.2, 0.2, 0.2] };
        let material = Material::rough(0.5);
        world
            .add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material })
            .expect("a shape");
        body
    };
    // The others sleep while it falls: 0.5 m take 0.32 s.
    world.run(2.2, 0.01).expect("a run");
    assert_eq!(world.islands(), (3, 2));
    world.run(2.5, 0.01).expect("a run");
    assert_eq!(world.islands(), (2, 1));
    world.run(5.0, 0.01).expect("a run");
    assert_eq!(world.islands(), (2, 2));
    let height = world.body(third).expect("a body").position.z;
    // The boxes rest within the bound of an active contact, 1e-9 m; heat of impacts is booked from
    // the jump.
    assert!((height - 0.3).abs() < 1e-9, "{height}");
    assert_eq!(world.hash_of(second), two);
    let balance = world.balance();
    assert!(balance.energy_error < 1e-9, "{balance:?}");
}

/// Switched off while in contact, read, and switched on again: the neighbours continue.
#[test]
fn a_neighbour_that_returns_is_in_contact_again() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let (a, b) = (ball(&mut parts, 0.0, 1.0), ball(&mut parts, 0.21, 0.0));
    let mut world = World::of(parts, Settings::default()).expect("a world");
    world.step(1e-3).expect("a step");
    assert_eq!(world.islands(), (1, 0));
    world.disable(b).expect("a ball");
    world.body(a).expect("a ball");
    world.enable(b).expect("a ball");
    world.run(0.1, 1e-3).expect("a run");
    // Equal masses, no loss: the second ball continues with the whole momentum.
    assert!((world.body(b).expect("a ball").velocity.x - 1.0).abs() < 1e-12);
    assert!(world.body(a).expect("a ball").velocity.norm() < 1e-12);
}

/// Bodies that overlap at the start are separated on request, though each is an island of its own.
#[test]
fn overlaps_are_resolved_across_islands() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let (a, b) = (ball(&mut parts, 0.0, 0.0), ball(&mut parts, 0.15, 0.0));
    let settings = Settings { overlaps: cardan::Overlaps::Resolve, ..Settings::default() };
    let mut world = World::of(parts, settings).expect("a world");
    world.step(1e-3).expect("a step");
    let gap = world.body(b).expect("a ball").position.x - world.body(a).expect("a ball").position.x;
    // Depenetration leaves 1e-10 of the length.
    assert!((gap - 0.2).abs() < 1e-9, "{gap}");
}

/// A sleeping world is restored asleep, with its sleep settings.
#[test]
fn sleep_is_part_of_a_snapshot() {
    let mut parts = ModelBuilder::new(DOWN);
    let material = Material::rough(0.5);
    parts.add_shape(ContactShape {
        body: End::Ground,
        frame: Frame::default(),
        shape: Shape::Plane,
        material,
    });
    boxed(&mut parts, "first", vec3(0.0, 0.0, 0.1));
    let mut world = World::of(parts, Settings::default()).expect("a world");
    world.set_sleep(Some(Sleep { after: 0.1, ..Sleep::default() }));
    world.run(0.5, 0.01).expect("a run");
    assert_eq!(world.islands(), (1, 1));
    let (snapshot, bytes) = (world.snapshot().expect("a snapshot"), world.to_bytes().expect("bytes"));
    world.set_sleep(None);
    assert_eq!(world.islands(), (1, 0));
    world.restore(&snapshot);
    assert_eq!(world.islands(), (1, 1));
    world.set_sleep(None);
    world.restore_bytes(&bytes).expect("a state");
    assert_eq!(world.islands(), (1, 1));
    world.run(0.6, 0.01).expect("a run");
    assert_eq!(world.islands(), (1, 1));
}

/// A ball falls on the arm of a shaft, an island of its own until then: as in one simulation of
/// both.
#[test]
fn general_bodies_are_in_contact_across_islands() {
    use cardan::math::{Sym3, Vec3};
    let describe = || {
        let mut parts = ModelBuilder::new(DOWN);
        let mass =
            cardan::MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.1, 0.1, 0.1) };
        let shaft = parts.add_body(Body::shaft(mass, vec3(0.0, 1.0, 0.0)));
        let shape = Shape::Box { size: [0.4, 0.2, 0.05] };
        let frame = Frame::at(vec3(0.5, 0.0, 0.0));
        let material = Material { restitution: 1.0, ..Material::default() };
        parts.add_shape(ContactShape { body: shaft.into(), frame, shape, material });
        let ball = ball(&mut parts, 0.5, 0.0);
        (parts, [shaft, ball])
    };
    let (parts, ids) = describe();
    let mut world = World::of(parts, Settings::default()).expect("a world");
    world.set_state_of(ids[1], &[0.5, 0.0, 0.6, 1.0, 0.0, 0.0, 0.0], &[0.0; 6]).expect("a state");
    let mut sim = {
        let model = std::sync::Arc::new(describe().0.build().expect("a model"));
        let mut sim = Simulation::new(model.clone());
        let mut state = sim.state().clone();
        state.displace(&model, &[0.0, 0.0, 0.0, 0.6, 0.0, 0.0, 0.0]);
        sim.restore(&state).expect("a state");
        sim
    };
    world.step(1e-3).expect("a step");
    assert_eq!(world.islands(), (2, 0));
    world.run(0.6, 1e-3).expect("a run");
    sim.run(0.6, 1e-3).expect("a run");
    assert_eq!((world.events().len(), sim.events().len()), (1, 1));
    // 0.475 m down: √(2 · 0.475/9.81) s.
    assert!((world.events()[0].time - (0.95_f64 / 9.81).sqrt()).abs() < 1e-12, "{:?}", world.events());
    for (i, id) in ids.into_iter().enumerate() {
        let (found, wanted) = (world.body(id).expect("a body"), sim.kinematics().body(BodyId::of_index(i)));
        assert!((found.position - wanted.position).norm() < 1e-12, "{found:?} {wanted:?}");
        assert!((found.angular_velocity - wanted.angular_velocity).norm() < 1e-12, "{found:?} {wanted:?}");
    }
    assert!(world.body(ids[0]).expect("a shaft").angular_velocity.norm() > 1.0);
    // Truncation of RK4 at the world's step, between one impact.
    assert!(world.balance().energy_error < 1e-10);
}

/// Rest counted before sleep was disabled was once continued when it was enabled again.
#[test]
fn rest_is_counted_from_when_sleep_is_allowed() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    ball(&mut parts, 0.0, 0.0);
    let mut world = World::of(parts, Settings::default()).expect("a world");
    let rule = Some(Sleep { after: 0.5, ..Sleep::default() });
    world.set_sleep(rule);
    world.run(0.4, 0.01).expect("a run");
    world.set_sleep(None);
    world.run(1.0, 0.01).expect("a run");
    world.set_sleep(rule);
    world.run(1.4, 0.01).expect("a run");
    assert_eq!(world.islands(), (1, 0));
    world.run(1.6, 0.01).expect("a run");
    assert_eq!(world.islands(), (1, 1));
}
