//! A hundred thousand bodies: linear memory, no recursion, and the precision of a few.

use cardan::math::{Sym3, Vec3};
use cardan::{
    Body, Elimination, End, Gravity, Joint, MassProperties, Model, ModelBuilder, Settings, Simulation,
};
use cardan_testkit::Rng;

const BODIES: usize = 100_000;
/// A small stack by any platform's measure; recursion along a chain would take hundreds of times as much.
const STACK: usize = 256 * 1024;

/// Bodies at rest under gravity, each on a hinge or, every third, on a ball joint to its parent; the first on the
/// ground. Places follow a random walk, so that a chain of 10⁵ bodies spans some hundred metres.
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
        let body = parts.body(Body { pos, rot: rng.rotation(), mass, ..Body::rod(1.0, 1.0, 0.1) });
        parts.joint(match i % 3 {
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
        assert_eq!(sim.solver_name(), "tree", "{what}");
        let residual = sim.evaluate().unwrap().equation_residual();
        for _ in 0..steps {
            sim.step(1e-3).unwrap();
        }
        let (certificate, balance, bytes) = (sim.certificate(), sim.balance(), sim.bytes() / BODIES);
        println!(
            "{what}, {elimination:?}: {residual:e}, {certificate:?}, {balance:?}, {bytes} bytes per body"
        );
        // As of a few bodies: every equation is local, and so is its rounding.
        assert!(residual < 1e-12 && certificate.max_equation_residual < 1e-12, "{what}: {certificate:?}");
        // Places reach some hundred metres: a hundred roundings of these.
        assert!(certificate.max_position_error < 1e-11, "{what}: {certificate:?}");
        assert!(balance.energy_error < 1e-9, "{what}: {balance:?}");
        assert!(bytes < 10_000, "{what}: {bytes} bytes per body");
        let fell =
            sim.state().velocities().iter().fold(0.0, |w: f64, v| if v.abs() > w { v.abs() } else { w });
        assert!(fell > 1e-3, "{what}: nothing moves");
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

/// One after the other, since each holds half a gigabyte.
#[test]
fn trees_of_a_hundred_thousand_bodies_need_no_stack() {
    lives_in_a_small_stack("chain", |i| i - 1, Elimination::Freedoms, 3);
    lives_in_a_small_stack("chain", |i| i - 1, Elimination::Rows, 1);
    lives_in_a_small_stack("binary tree", |i| (i - 1) / 2, Elimination::Freedoms, 1);
    lives_in_a_small_stack("star", |_| 0, Elimination::Freedoms, 1);
}
