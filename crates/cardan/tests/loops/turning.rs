//! Loops in continued rotation: closed at every step, energy conserved, for any masses.

use super::linkages::*;
use cardan::End::Ground;
use cardan::math::{Vec3, vec3};
use cardan::{BodyId, End, JointId, JointKind, Model, Simulation};
use core::f64::consts::TAU;

/// Runs at 1 ms; returns the largest energy error relative to the largest energy, and the turns of
/// joint 0 in both directions.
fn stays_closed(name: &str, model: Model, steps: usize) -> (f64, f64) {
    let mut sim = Simulation::new(model);
    assert_eq!(sim.diagnostics().solver_name(), "articulated", "{name}");
    sim.assemble().unwrap_or_else(|e| panic!("{name}: {e}"));
    let (mut worst, mut travel): (f64, f64) = (0.0, 0.0);
    let mut last = sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
    for k in 0..steps {
        let report = sim.step(1e-3).unwrap_or_else(|e| panic!("{name}, step {k}: {e}"));
        let (pos, vel) = (report.position_error, report.velocity_error);
        // Projection ends at rounding of metres and some ten m/s, over the remaining sine of the
        // loop.
        assert!(pos < 1e-10 && vel < 1e-10, "{name}, step {k}: gaps of {pos:e} and {vel:e}");
        if k % 64 == 63 || k + 1 == steps {
            worst = worst.max(sim.balance().energy_error);
            let now = sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
            travel += (now - last).abs();
            last = now;
        }
    }
    let turns = travel / TAU;
    println!("{name}: {:?}, energy {worst:e}, {turns} turns in {steps} steps", sim.certificate());
    (worst, turns)
}

/// Name, mechanism, bound of the energy error in 20 000 steps, least turns per second. The bounds
/// are ten times the measured errors of RK4 at 1 ms; that of the five-bar, which is chaotic, is
/// three times the measured one.
fn mechanisms() -> Vec<(&'static str, Model, f64, f64)> {
    vec![
        ("four-bar", four_bar([0.8, 2.2, 1.8], 60.0), 5e-8, 0.5),
        ("parallelogram", parallelogram(0.7, down(), heading(), 40.0), 1e-7, 1.0),
        ("slider-crank", slider_crank(18.0), 2e-8, 0.5),
        ("five-bar", five_bar(4.0), 1e-5, 0.0),
        ("double pendulum", double_pendulum(9.0), 3e-8, 0.05),
        ("Scotch yoke", scotch_yoke(20.0), 5e-8, 0.5),
        ("spatial four-bar", spatial_four_bar(40.0), 5e-7, 0.5),
    ]
}

fn all_stay_closed(steps: usize) {
    for (name, model, energy, turns_per_second) in mechanisms() {
        let (worst, turns) = stays_closed(name, model, steps);
        // The loss of RK4 grows with time.
        let bound = energy * (steps as f64 / 20_000.0);
        assert!(worst < bound, "{name}: energy off by {worst:e}, more than {bound:e}");
        assert!(turns >= turns_per_second * 1e-3 * steps as f64, "{name}: {turns} turns");
    }
}

#[test]
fn seven_mechanisms_stay_closed_over_twenty_thousand_steps() {
    all_stay_closed(20_000);
}

#[test]
#[ignore = "soak: a million steps of seven mechanisms"]
fn seven_mechanisms_stay_closed_over_a_million_steps() {
    all_stay_closed(1_000_000);
}

/// One tonne between bars of one gram.
#[test]
fn a_coupler_a_million_times_heavier_than_its_cranks_opens_no_pin() {
    let mut sim = Simulation::new(four_bar([1e-3, 1e3, 1e-3], 9.0));
    for k in 0..5000 {
        let gap = sim.step(1e-3).unwrap_or_else(|e| panic!("step {k}: {e}")).position_error;
        // Rounding of metres, amplified by a mass ratio of 1e6: the cranks' rows lose six digits.
        assert!(gap < 1e-9, "step {k}: a gap of {gap:e} m");
    }
    println!("{:?}, {:?}", sim.certificate(), sim.balance());
}

/// Ten links of one gram carry one tonne: they oscillate at more than 10 000 rad/s.
fn heavy_chain() -> Model {
    let mut drawing = Drawing::new(down(), heading());
    let way = vec3(0.64, -0.77, 0.0) / vec3(0.64, -0.77, 0.0).norm();
    let spin = Vec3::Y * 0.3;
    let mut last = Ground;
    for i in 0..10 {
        let (p, q) = (way * (0.5 * f64::from(i)), way * (0.5 * f64::from(i + 1)));
        let rod = drawing.rod_of(1e-3, p, q, spin);
        drawing.joint(JointKind::Spherical, last, rod, p, Vec3::Z);
        last = End::Body(rod);
    }
    let ball = drawing.rod_of(1e3, way * 5.0, way * 5.7, spin);
    drawing.joint(JointKind::Spherical, last, ball, way * 5.0, Vec3::Z);
    drawing.build()
}

#[test]
fn a_chain_that_bears_a_million_times_its_links_stays_closed_at_a_millisecond() {
    let mut sim = Simulation::new(heavy_chain());
    let mut parts = 0;
    for k in 0..5000 {
        let report = sim.step(1e-3).unwrap_or_else(|e| panic!("step {k}: {e}"));
        // As for the coupler: a mass ratio of 1e6.
        assert!(report.position_error < 1e-9, "step {k}: {report:?}");
        parts += report.steps;
    }
    // The sum of steps is compensated: one rounding of 5 s per step at most.
    assert!((sim.time() - 5.0).abs() < 1e-12);
    let (divided, balance) = (sim.diagnostics().work_counts().divided, sim.balance());
    println!("{:?}, {balance:?}, {divided} steps divided, {parts} parts", sim.certificate());
    // The steps are too long for the links, and the report states it.
    assert!(divided > 1000 && parts == sim.steps() && parts > 5000);
    // Oscillations of the links are damped, never amplified: less than 1e-4 J of 40 kJ.
    assert!(balance.energy_error < 3e-9, "{balance:?}");
    // Equal to a run with steps that resolve the oscillation.
    let mut fine = Simulation::new(heavy_chain());
    fine.run(5.0, 1e-4).unwrap();
    assert_eq!(fine.diagnostics().work_counts().divided, 0);
    let (x, y) = (
        sim.kinematics().body(BodyId::of_index(10)).position,
        fine.kinematics().body(BodyId::of_index(10)).position,
    );
    // Ringing links displace the ball by their part of the mass, 1e-6 of their motion.
    assert!((x - y).norm() < 1e-6, "the ball is {:e} m off", (x - y).norm());
}
