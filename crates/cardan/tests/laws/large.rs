//! A hundred thousand bodies: linear memory, no recursion, and the precision of small mechanisms.

use cardan::math::{Sym3, Vec3};
use cardan::{
    Body, Elimination, End, Gravity, Integrator, Joint, MassProperties, Model, ModelBuilder, Settings,
    Simulation,
};
use cardan_testkit::Rng;

const BODIES: usize = 100_000;
/// A small stack on any platform; recursion along a chain would take hundreds of times as much.
const STACK: usize = 256 * 1024;

/// Bodies at rest under gravity, each on a hinge or, every third, on a ball joint to its parent;
/// the first on the ground. Places follow a random walk, so that a chain of 10⁵ bodies spans some
/// hundred metres.
fn tree(parent: fn(usize) -> usize) -> Model {
    let mut rng = Rng::new(1);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut places: Vec<(End, Vec3)> = Vec::with_capacity(BODIES);
    for i in 0..BODIES {
        let (end, from) = if i == 0 { (End::Ground, Vec3::ZERO) } else { places[parent(i)] };
        let anchor = from + rng.vector(0.3);
        let pos = anchor + rng.vector(0.3);
        let mass = rng.range(0.5, 2.0);
        let inertia = Sym3::diagonal(0.02, 0.03, 0.04).scaled(mass);
        let mass = MassProperties { mass, center: Vec3::ZERO, inertia };
        let body = parts.add_body(Body { pos, rot: rng.rotation(), mass, ..Body::rod(1.0, 1.0, 0.1) });
        parts.add_joint(match i % 3 {
            2 => Joint::spherical(end, body, anchor),
            _ => Joint::revolute(end, body, anchor, rng.direction()),
        });
        places.push((End::Body(body), pos));
    }
    parts.build().unwrap()
}

/// Evaluates and steps in a thread with a small stack.
fn lives_in_a_small_stack(
    what: &'static str,
    parent: fn(usize) -> usize,
    elimination: Elimination,
    steps: usize,
) {
    let work = move || {
        let settings = Settings { elimination, ..Settings::default() };
        let mut sim = Simulation::with_settings(tree(parent), settings).unwrap();
        let solver = if elimination == Elimination::Freedoms { "articulated" } else { "tree" };
        assert_eq!(sim.diagnostics().solver_name(), solver, "{what}");
        let residual = sim.evaluate().unwrap().equation_residual();
        for _ in 0..steps {
            sim.step(1e-3).unwrap();
        }
        let (certificate, balance, bytes) =
            (sim.certificate(), sim.balance(), sim.diagnostics().bytes() / BODIES);
        println!(
            "{what}, {elimination:?}: {residual:e}, {certificate:?}, {balance:?}, {bytes} bytes per body"
        );
        // As for small mechanisms: every equation is local, and so is its rounding.
        assert!(residual < 1e-12 && certificate.max_equation_residual < 1e-12, "{what}: {certificate:?}");
        // Positions reach some hundred metres: a hundred roundings of these.
        assert!(certificate.max_position_error < 1e-11, "{what}: {certificate:?}");
        assert!(balance.energy_error < 1e-9, "{what}: {balance:?}");
        assert!(bytes < 10_000, "{what}: {bytes} bytes per body");
        let fell =
            sim.state().velocities().iter().fold(0.0, |w: f64, v| if v.abs() > w { v.abs() } else { w });
        assert!(fell > 1e-3, "{what}: nothing moves");
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

/// In sequence, since each needs half a gigabyte.
#[test]
fn trees_of_a_hundred_thousand_bodies_need_no_stack() {
    lives_in_a_small_stack("chain", |i| i - 1, Elimination::Freedoms, 3);
    lives_in_a_small_stack("chain", |i| i - 1, Elimination::Rows, 1);
    lives_in_a_small_stack("binary tree", |i| (i - 1) / 2, Elimination::Freedoms, 1);
    lives_in_a_small_stack("star", |_| 0, Elimination::Freedoms, 1);
}

/// `count` identical chains of hinges, the first joints of each on the ground.
fn chains(count: usize, length: usize) -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    for _ in 0..count {
        let (mut end, mut anchor) = (End::Ground, Vec3::ZERO);
        for i in 0..length {
            let angle = 0.37 * i as f64;
            let along = Vec3::new(libm::cos(angle), libm::sin(angle), -0.2);
            let rot = cardan::math::Quat::exp(Vec3::new(0.0, 0.0, angle));
            let body = parts.add_body(Body { pos: anchor + along * 0.05, rot, ..Body::rod(0.1, 0.1, 0.005) });
            let axis = Vec3::new(libm::sin(angle), 1.0, 0.5 * libm::cos(angle));
            parts.add_joint(Joint::revolute(end, body, anchor, axis));
            (end, anchor) = (End::Body(body), anchor + along * 0.1);
        }
    }
    parts.build().unwrap()
}

fn by_euler(model: Model, integrator: Integrator) -> Simulation {
    Simulation::with_settings(model, Settings { integrator, ..Settings::default() }).unwrap()
}

/// With very many bodies less is stored and more recomputed: one chain of a hundred moves like a
/// chain alone, to the last bit. Long steps are those that joint-by-joint closing does not handle;
/// some are divided.
#[test]
fn one_chain_of_very_many_moves_like_one_alone() {
    const LENGTH: usize = 100;
    for (integrator, sizes) in [
        (Integrator::SemiImplicitEuler, &[1e-3, 1e-3, 1e-2, 0.03, 1e-3][..]),
        (Integrator::ExplicitEuler, &[1e-3, 1e-2, 0.03][..]),
        (Integrator::Rk4, &[1e-3, 1e-2][..]),
        (Integrator::Rattle, &[1e-3, 5e-3][..]),
    ] {
        let mut alone = by_euler(chains(1, LENGTH), integrator);
        let mut many = by_euler(chains(100, LENGTH), integrator);
        for (i, &h) in sizes.iter().enumerate() {
            let outcomes = [alone.step(h), many.step(h)];
            let [Ok(one), Ok(all)] = outcomes else { panic!("{integrator:?}, step {i}: {outcomes:?}") };
            assert_eq!(one.steps, all.steps, "{integrator:?}, step {i}");
            let (one, all) = (alone.state(), many.state());
            let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
            for copy in all.coordinates().chunks(one.coordinates().len()) {
                assert!(same(copy, one.coordinates()), "{integrator:?}, step {i}: poses");
            }
            for copy in all.velocities().chunks(one.velocities().len()) {
                assert!(same(copy, one.velocities()), "{integrator:?}, step {i}: velocities");
            }
        }
    }
}

/// Their steps are refined in existing memory, and a new workspace changes nothing.
#[test]
fn a_very_long_chain_is_refined_to_rounding() {
    let (length, steps) = (20_000, 4);
    let mut sim = by_euler(chains(1, length), Integrator::SemiImplicitEuler);
    let mut other = by_euler(chains(1, length), Integrator::SemiImplicitEuler);
    for _ in 0..steps {
        sim.step(1e-3).unwrap();
        let mut fresh = by_euler(chains(1, length), Integrator::SemiImplicitEuler);
        fresh.restore(other.state()).unwrap();
        fresh.step(1e-3).unwrap();
        other.restore(fresh.state()).unwrap();
        assert_eq!(sim.state(), other.state());
    }
    let solves = sim.diagnostics().work_counts().solves;
    assert!(solves > 3 * steps, "nothing was refined: {solves} solves in {steps} steps");
    let certificate = sim.certificate();
    // As for small mechanisms: refinement ends below 1e-12, and positions reach some hundred
    // metres.
    assert!(certificate.max_equation_residual < 1e-12, "{certificate:?}");
    assert!(certificate.max_position_error < 1e-11, "{certificate:?}");
    let bytes = sim.diagnostics().bytes() / length;
    assert!(bytes < 1950, "{bytes} bytes per body");
}

/// A failed first step restores the state of the model, which is not copied if it is unchanged.
#[test]
fn a_first_step_that_fails_leaves_the_state_of_the_model() {
    let mut sim = by_euler(chains(1, 5), Integrator::SemiImplicitEuler);
    let start = sim.state().clone();
    assert!(sim.step(f64::NAN).is_err());
    assert_eq!(*sim.state(), start);
    // A state that differs from the model's.
    let mut moved = start.clone();
    moved.velocities_mut()[5] = 0.25;
    sim.restore(&moved).unwrap();
    assert!(sim.step(f64::NAN).is_err());
    assert_eq!(*sim.state(), moved);
}

/// The kernel of large trees against the general path of joint coordinates, which steps with commands take.
#[test]
fn large_trees_on_joint_coordinates_move_as_on_the_general_path() {
    let mut rng = Rng::new(5);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.3, -9.81));
    let mut places: Vec<(End, Vec3)> = Vec::new();
    for i in 0..10_050 {
        // A comb: long spine, short teeth.
        let (end, from) = match i {
            0 => (End::Ground, Vec3::ZERO),
            _ if i % 3 == 0 => places[i - 3],
            _ => places[i - 1],
        };
        let (anchor, turn) = (from + rng.vector(0.3), rng.rotation());
        let pos = anchor + rng.vector(0.3);
        let body = parts.add_body(Body { pos, rot: turn, ..Body::rod(1.0, 1.0, 0.1) });
        parts.add_joint(Joint::revolute(end, body, anchor, rng.direction()));
        places.push((End::Body(body), pos));
    }
    let model = std::sync::Arc::new(parts.build().unwrap());
    let settings = Settings {
        integrator: Integrator::SemiImplicitEuler,
        coordinates: cardan::Coordinates::Joints,
        ..Settings::default()
    };
    let mut large = Simulation::with_settings(model.clone(), settings).unwrap();
    let mut general = Simulation::with_settings(model.clone(), settings).unwrap();
    let first = model.joint_ids().next().unwrap();
    for sim in [&mut large, &mut general] {
        // The first step finds the joint coordinates.
        sim.step(1e-3).unwrap();
    }
    // A command of nothing is a command: no kernel takes it here.
    general.set_effort(first, 0, 0.0).unwrap();
    let before = general.diagnostics().specialized_step_count();
    for _ in 0..3 {
        let (ours, theirs) = (large.step(1e-3).unwrap(), general.step(1e-3).unwrap());
        assert!(ours.equation_residual < 1e-12 && theirs.equation_residual < 1e-12);
        // Rounding of places some ten metres away.
        assert!(ours.position_error < 1e-13 && ours.velocity_error < 1e-12, "{ours:?}");
    }
    assert_eq!(general.diagnostics().specialized_step_count(), before);
    assert!(large.diagnostics().specialized_step_count() >= Some(3));
    let apart = |a: &[f64], b: &[f64]| {
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, |most: f64, x| if x > most { x } else { most })
    };
    let (a, b) = (large.state(), general.state());
    // Three steps of rounding, carried along a spine of 3350 bodies.
    assert!(apart(a.coordinates(), b.coordinates()) < 1e-9, "{}", apart(a.coordinates(), b.coordinates()));
    assert!(apart(a.velocities(), b.velocities()) < 1e-7, "{}", apart(a.velocities(), b.velocities()));
    let impulse = (a.ledger.impulse - b.ledger.impulse).norm();
    assert!(impulse < 1e-9 * b.ledger.impulse.norm(), "{impulse}");
    let angular = (a.ledger.angular_impulse - b.ledger.angular_impulse).norm();
    assert!(angular < 1e-9 * b.ledger.angular_impulse.norm(), "{angular}");
    // The kernel remembers nothing: a restored state goes on with the same bits.
    let saved = large.state().to_bytes();
    large.step(1e-3).unwrap();
    let mut other = Simulation::with_settings(model.clone(), settings).unwrap();
    other.restore(&cardan::State::from_bytes(&model, &saved).unwrap()).unwrap();
    other.step(1e-3).unwrap();
    assert_eq!(other.state().to_bytes(), large.state().to_bytes());
}
