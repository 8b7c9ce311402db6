//! The certificate of the articulated path is independent of the elimination: it detects faults
//! planted there.

use cardan::math::{Quat, vec3};
use cardan::{
    Body, End, End::Ground, Fault, Gravity, Joint, JointKind, ModelBuilder, Settings, Simulation, SolidShape,
};

/// Three bars on hinges that are not parallel, in motion: every term of the equations contributes.
fn arm(fault: Fault) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let bar = || Body::solid(SolidShape::Box { size: [0.6, 0.1, 0.04] }, 1.5);
    let first = parts.add_body(Body { pos: vec3(0.3, 0.0, 0.0), omega: vec3(0.0, 2.0, 0.0), ..bar() });
    let turned = Quat::exp(vec3(0.0, 0.0, 0.7));
    let second =
        parts.add_body(Body { pos: vec3(0.8, 0.2, 0.0), rot: turned, omega: vec3(3.0, 1.0, 0.0), ..bar() });
    let third = parts.add_body(Body { pos: vec3(1.2, 0.5, 0.1), omega: vec3(0.0, 0.0, 5.0), ..bar() });
    parts.add_joint(Joint::revolute(Ground, first, [0.0, 0.0, 0.0], [0.0, 1.0, 0.2]));
    parts.add_joint(Joint::at(JointKind::Revolute, second, first, [0.6, 0.0, 0.0], [1.0, 0.3, 0.0]));
    parts.add_joint(Joint::spherical(second, third, [1.0, 0.4, 0.05]));
    let settings = Settings { fault, ..Settings::default() };
    Simulation::with_settings(parts.build().unwrap(), settings).unwrap()
}

#[test]
fn a_sound_run_is_certified_to_rounding_and_a_planted_mistake_is_not() {
    for (fault, noticed) in [
        (Fault::None, false),
        (Fault::FlippedBias, true),
        (Fault::NoGyroscopic, true),
        (Fault::LopsidedRow, true),
    ] {
        let mut sim = arm(fault);
        for _ in 0..20 {
            sim.step(1e-3).unwrap();
        }
        let residual = sim.certificate().max_equation_residual;
        // Rounding leaves 1e-14; the smallest planted fault is 1e-6.
        let shown = if noticed { residual > 1e-9 } else { residual < 1e-13 };
        assert!(shown, "{fault:?}: {residual:e}");
    }
}

/// Far from its fixed end, a chain that is released at rest falls freely: its loads are rounding of
/// differences of weights, and must not be judged relative to themselves.
#[test]
fn a_falling_chain_is_not_certified_as_wrong() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut last = Ground;
    for i in 0..400 {
        let (x, side) = (f64::from(i) * 0.5, if i % 2 == 0 { 0.1 } else { -0.1 });
        let bar = Body::solid(SolidShape::Box { size: [0.6, 0.1, 0.04] }, 1.5);
        let body = parts.add_body(Body { pos: vec3(x + 0.25, side, 0.3 * side), ..bar });
        parts.add_joint(Joint::revolute(last, body, [x, 0.0, 0.0], [0.3, 1.0, f64::from(i % 7)]));
        last = End::Body(body);
    }
    let mut sim = Simulation::new(parts.build().unwrap());
    for _ in 0..3 {
        sim.step(1e-3).unwrap();
    }
    let residual = sim.certificate().max_equation_residual;
    // Elimination leaves 1e-14 of the weights; the bound is ten times that.
    assert!(residual < 1e-13, "{residual:e}");
}

/// A bob on a rod, one revolution in about ten steps: RK4 loses nearly all of its energy.
fn bob(mass: f64, length: f64) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let bob = parts.add_body(Body { pos: vec3(length, 0.0, 0.0), ..Body::particle(mass) });
    parts.add_joint(Joint::distance(Ground, [0.0; 3], bob, [0.0; 3], length));
    Simulation::new(parts.build().unwrap())
}

#[test]
fn lost_energy_is_detected_in_small_mechanisms_as_in_large_ones() {
    let mut errors = Vec::new();
    for (mass, length) in [(1.0, 1.0), (1e-6, 0.01), (1e-15, 1e-6), (1e6, 100.0)] {
        let mut sim = bob(mass, length);
        let period = (length / 9.81_f64).sqrt();
        sim.run(900.0 * period, period).unwrap();
        let balance = sim.balance();
        assert!(balance.energy_error > 0.5, "{mass} kg, {length} m: {balance:?}");
        errors.push(balance.energy_error);
        // With fine steps both balances hold.
        let mut fine = bob(mass, length);
        fine.run(10.0 * period, period / 200.0).unwrap();
        let balance = fine.balance();
        assert!(balance.energy_error < 1e-8 && balance.momentum_error < 1e-8, "{mass} kg: {balance:?}");
    }
    // Equal runs in other units, up to the rounding of a chaotic path.
    assert!(errors.iter().all(|e| (e - errors[0]).abs() < 0.2), "{errors:?}");
}

/// Bodies at rest: every scale for comparison is rounding.
#[test]
fn a_mechanism_at_rest_is_not_certified_as_wrong() {
    let aligned = |parts: &mut ModelBuilder, body| {
        parts.add_joint(Joint::at(JointKind::Aligned, Ground, body, [0.0; 3], [0.0, 0.0, 1.0]));
    };
    for (pos, anchor) in [
        ([0.3, 0.1, 0.2], [0.4, -0.5, 0.3]),
        ([0.0, 0.0, 0.0], [0.4, -0.5, 0.3]),
        // Vertically above and below the centre of mass.
        ([0.3, 0.1, 0.2], [0.3, 0.1, 0.9]),
        ([0.3, 0.1, 0.0], [0.3, 0.1, -0.7]),
    ] {
        for mass in [1.0, 1e-9] {
            for tilt in [0.0, 0.3] {
                let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
                let rot = Quat::exp(vec3(0.2 * tilt, tilt, 0.5 * tilt));
                let body =
                    Body { pos: pos.into(), rot, ..Body::solid(SolidShape::Sphere { radius: 0.1 }, mass) };
                let lamp = parts.add_body(body);
                aligned(&mut parts, lamp);
                parts.add_joint(Joint::at(JointKind::Fixed, Ground, lamp, anchor, [0.0, 0.0, 1.0]));
                let mut sim = Simulation::new(parts.build().unwrap());
                for _ in 0..50 {
                    sim.step(1e-3).unwrap();
                }
                let (certificate, balance) = (sim.certificate(), sim.balance());
                let what = format!("{pos:?}, {anchor:?}, {mass} kg, {tilt}: {certificate:?}, {balance:?}");
                // Elimination leaves 1e-14 of the weight, whatever is at rest; sums over 50 steps
                // ten times that.
                assert!(certificate.max_equation_residual < 1e-13, "{what}");
                assert!(balance.energy_error < 1e-12 && balance.momentum_error < 1e-12, "{what}");
                let instant = sim.evaluate().unwrap();
                assert!(instant.equation_residual() < 1e-13, "{what}");
            }
        }
    }
}
