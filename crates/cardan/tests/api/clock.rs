//! The clock of a simulation, and what else is set from outside.

use cardan::joint_space::OrderedPart;
use cardan::law::{Law, Sine};
use cardan::math::vec3;
use cardan::{
    Body, DriveMode, End::Ground, Gravity, Impulse, Joint, JointLimit, ModelBuilder, Simulation, TimedImpulse,
};
use cardan_testkit::{Tolerance, assert_close};

/// A rod on a hinge with a drive or a limit.
fn rod(joint: impl FnOnce(Joint) -> Joint) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.02) });
    parts.add_joint(joint(Joint::revolute(Ground, rod, [0.0; 3], [0.0, 1.0, 0.0])));
    Simulation::new(parts.build().unwrap())
}

#[test]
fn a_clock_that_is_put_ahead_has_driven_joints_where_their_law_is() {
    let law = || Law::Sine(Sine { amplitude: 0.8, frequency: 0.3, phase: 0.0, offset: 0.0 });
    let mut sim = rod(|joint| joint.driven(0, DriveMode::Position, law()));
    let hinge = sim.model().joint_ids().next().unwrap();
    sim.set_clock(1.5).unwrap();
    assert_eq!(sim.time(), 1.5);
    let mut run = rod(|joint| joint.driven(0, DriveMode::Position, law()));
    run.run(1.5, 1e-3).unwrap();
    let rounding = Tolerance::because("a pose projected onto the law of its drive", 1e-11);
    let other = run.model().joint_ids().next().unwrap();
    assert_close(sim.angle(hinge), run.angle(other), rounding);
    assert_close(sim.rate(hinge, 0), run.rate(other, 0), rounding);
    let before = sim.state_hash();
    assert!(sim.set_clock(f64::NAN).is_err());
    assert_eq!(sim.state_hash(), before);
}

#[test]
fn a_clock_moves_nothing_that_no_law_prescribes() {
    let mut sim = rod(|joint| joint);
    sim.run(0.2, 1e-3).unwrap();
    let (q, v) = (sim.joint_positions(), sim.joint_rates());
    sim.set_clock(7.0).unwrap();
    assert_eq!((sim.time(), sim.joint_positions(), sim.joint_rates()), (7.0, q, v));
    assert!(sim.balance().energy_error < 1e-12);
}

#[test]
fn limits_and_names_of_joints_are_read_from_the_model() {
    let sim = rod(|joint| Joint {
        limits: vec![JointLimit { coordinate: 0, low: -0.5, high: 1.25, restitution: 0.0 }],
        ..joint
    });
    let model = sim.model();
    let hinge = model.joint_ids().next().unwrap();
    assert_eq!(model.joint_limits(hinge, 0), (-0.5, 1.25));
    assert_eq!(model.joint_limits(hinge, 3), (f64::NEG_INFINITY, f64::INFINITY));
    let entry = &model.joint_order().entries()[0];
    assert_eq!((entry.part, entry.name(model)), (OrderedPart::Joint(hinge), &*model.joints()[0].name));
}

#[test]
fn impulses_before_the_time_of_the_clock_count_as_applied() {
    let build = || {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let stone = parts.add_body(Body { pos: vec3(0.0, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.02) });
        let impulse = Impulse::at(stone, [0.0; 3], [4.0, 0.0, 0.0]);
        parts.add_impulse(TimedImpulse { name: String::new(), time: 1.0, impulse });
        Simulation::new(parts.build().unwrap())
    };
    let (mut early, mut late) = (build(), build());
    early.set_clock(0.5).unwrap();
    late.set_clock(1.5).unwrap();
    for sim in [&mut early, &mut late] {
        let until = sim.time() + 1.0;
        sim.run(until, 1e-2).unwrap();
    }
    let rounding = Tolerance::because("an impulse of 4 N·s on 2 kg", 1e-12);
    for (mut sim, speed) in [(early, 2.0), (late, 0.0)] {
        let stone = sim.model().body_ids().next().unwrap();
        assert_close(sim.body(stone).velocity.x, speed, rounding);
    }
}
