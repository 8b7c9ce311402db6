//! Cost is counted, not timed; and everything that the articulated path remembers is in the state.

use super::linkages::*;
use cardan::End::Ground;
use cardan::math::{Quat, Vec3, vec3};
use cardan::{Body, Gravity, Integrator, Joint, Model, ModelBuilder, Settings, Simulation};
use std::sync::Arc;

/// IFToMM's row of n four-bars: cranks upright at x = 0, 1, …, n, couplers between their tips.
fn row_of_four_bars(n: usize) -> Model {
    let mut drawing = Drawing::new(vec3(0.0, -9.81, 0.0), Quat::IDENTITY);
    let mut coupler = None;
    for i in 0..=n {
        let (foot, tip) = (vec3(i as f64, 0.0, 0.0), vec3(i as f64, 1.0, 0.0));
        let crank = drawing.rod(1.0, foot, tip, Vec3::Z * -1.0);
        drawing.hinge(Ground, crank, foot, Vec3::Z);
        if let Some(coupler) = coupler {
            drawing.hinge(coupler, crank, tip, Vec3::Z);
        }
        if i < n {
            let rod = drawing.rod(1.0, tip, tip + Vec3::X, Vec3::ZERO);
            drawing.hinge(crank, rod, tip, Vec3::Z);
            coupler = Some(rod);
        }
    }
    drawing.build()
}

/// n boxes on a circle, each on a ball joint to the next; it floats.
fn ring_of_balls(n: usize) -> Model {
    spinning_ring(n, 0.0)
}

/// A ring of bodies that turn at about `speed`, each in its own direction.
fn spinning_ring(n: usize, speed: f64) -> Model {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let angle = core::f64::consts::TAU / n as f64;
    let radius = n as f64 / core::f64::consts::TAU;
    // In no plane and along no axis: an entry that happens to be zero saves a reflection.
    let at = |k: f64| {
        heading() * vec3(radius * (k * angle).cos(), radius * (k * angle).sin(), 0.3 * (7.0 * k + 0.3).sin())
    };
    let spin = |k: f64| vec3((3.0 * k).sin(), (5.0 * k + 1.0).sin(), (7.0 * k + 2.0).sin()) * speed;
    let body = |i: usize| Body { pos: at(i as f64), omega: spin(i as f64), ..Body::rod(1.0, 0.8, 0.05) };
    let bodies: Vec<_> = (0..n).map(|i| parts.add_body(body(i))).collect();
    for i in 0..n {
        parts.add_joint(Joint::spherical(bodies[i], bodies[(i + 1) % n], at(i as f64 + 0.5)));
    }
    parts.build().unwrap()
}

fn operations(model: Model) -> u64 {
    let mut sim = Simulation::new(model);
    sim.evaluate().unwrap();
    sim.diagnostics().elimination_operations().expect("solved by the articulated path").total()
}

/// Operations at some sizes: beyond the ends each further piece costs the same, to the last
/// operation.
fn is_exactly_linear(name: &str, build: fn(usize) -> Model) {
    let sizes = [10, 20, 40, 80, 1000];
    let counts = sizes.map(|n| operations(build(n)));
    let per_piece = (counts[1] - counts[0]) / 10;
    println!("{name}: {per_piece} operations a piece, {counts:?}");
    for (pair, n) in counts.windows(2).zip(sizes.windows(2)) {
        assert_eq!(pair[1] - pair[0], per_piece * (n[1] - n[0]) as u64, "{name}: {counts:?}");
    }
}

#[test]
fn a_row_of_four_bars_costs_the_same_for_each() {
    is_exactly_linear("four-bars", row_of_four_bars);
}

#[test]
fn a_ring_of_balls_costs_linear_time() {
    // To two in a thousand, not to the last operation as above: some operations depend on the
    // numbers.
    let sizes = [10, 20, 40, 80, 1000];
    let counts = sizes.map(|n| operations(ring_of_balls(n)));
    let per_piece = (counts[4] - counts[0]) as f64 / 990.0;
    println!("ring: {per_piece} operations a piece, {counts:?}");
    for (count, n) in counts.iter().zip(sizes) {
        let line = counts[0] as f64 + per_piece * (n - 10) as f64;
        assert!((*count as f64 - line).abs() < 2e-3 * line, "{n} pieces: {count} operations, not {line}");
    }
}

#[test]
fn a_loop_goes_on_in_the_same_bits_from_any_snapshot_and_with_any_workspace() {
    // Redundant rows, and at the parallelogram's flat pose a plan that changes during the run.
    for model in [four_bar([0.8, 2.2, 1.8], 60.0), parallelogram(0.7, down(), heading(), 40.0)] {
        let model = Arc::new(model);
        let mut whole = Simulation::new(model.clone());
        let mut state = whole.state().clone();
        for k in 0..3000 {
            let before = whole.state().clone();
            whole.step(1e-3).unwrap();
            // A new workspace at every step.
            let mut fresh = Simulation::with_settings(model.clone(), Settings::default()).unwrap();
            fresh.restore(&state).unwrap();
            fresh.step(1e-3).unwrap();
            state = fresh.state().clone();
            assert_eq!(&state, whole.state(), "step {k}");
            assert_eq!(fresh.state_hash(), whole.state_hash(), "step {k}");
            if k % 7 == 0 {
                // An evaluation elsewhere in between, and back.
                whole.evaluate().unwrap();
                whole.step(3e-3).unwrap();
                whole.restore(&before).unwrap();
                whole.step(1e-3).unwrap();
                assert_eq!(&state, whole.state(), "step {k}, again");
            }
        }
    }
}

/// The cost of a step of an Euler integrator, joints closed to rounding: one factorisation, one
/// solve for accelerations, one to three for poses, one for velocities. The factor is that of the
/// next step, so that another workspace must compute the same one.
#[test]
fn a_step_of_eulers_rule_makes_one_factor() {
    const STEPS: u64 = 100;
    let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
    for (name, model, solves) in
        [("four-bars", row_of_four_bars(20), 3), ("ring", spinning_ring(20, 1.0), 5), ("tree", comb(20), 5)]
    {
        let model = Arc::new(model);
        let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
        // The first step decides which rows are kept; the second may continue with subtrees in
        // lanes, which have a factor of their own.
        sim.step(1e-3).unwrap();
        sim.step(1e-3).unwrap();
        let before = sim.diagnostics().work_counts();
        for _ in 0..STEPS {
            sim.step(1e-3).unwrap();
        }
        let (after, worst) = (sim.diagnostics().work_counts(), sim.certificate());
        let factors = after.factorizations - before.factorizations;
        let solved = after.solves - before.solves;
        println!("{name}: {factors} factors and {solved} solves in {STEPS} steps, {worst:?}");
        assert!(factors <= STEPS, "{name}: {factors} factors");
        assert!(solved <= solves * STEPS, "{name}: {solved} solves");
        // Projection ends at rounding of positions and speeds of about one.
        assert!(worst.max_position_error < 1e-13 && worst.max_velocity_error < 1e-13, "{name}: {worst:?}");
        let mut other = Simulation::with_settings(model, settings).unwrap();
        other.restore(sim.state()).unwrap();
        for k in 0..10 {
            // Another evaluation in between discards the factor.
            if k == 5 {
                sim.accelerations().unwrap();
                other.evaluate().unwrap();
            }
            sim.step(1e-3).unwrap();
            other.step(1e-3).unwrap();
            assert_eq!(sim.state_hash(), other.state_hash(), "{name}: step {k}");
        }
    }
}

/// A chain of perpendicular hinges, with a ball joint at every third: no loop.
fn comb(n: usize) -> Model {
    let mut parts = ModelBuilder::new(Gravity(vec3(0.0, 0.0, -9.81)));
    let mut last: cardan::End = Ground;
    for i in 0..n {
        let (foot, centre) = (vec3(i as f64, 0.0, 0.0), vec3(i as f64 + 0.5, 0.0, 0.0));
        let body = parts.add_body(Body { pos: centre, ..Body::rod(1.0, 0.8, 0.05) });
        let axis = if i % 2 == 0 { Vec3::Y } else { Vec3::Z };
        parts.add_joint(match i % 3 {
            2 => Joint::spherical(last, body, foot),
            _ => Joint::revolute(last, body, foot, axis),
        });
        last = body.into();
    }
    parts.build().unwrap()
}
