//! Commanded efforts, targets and wrenches do what laws of the model do, in every integrator, and are booked
//! as work.

use super::{four_bar, posed, tree_of_pairs};
use cardan::joint::{EffortKind, Servo};
use cardan::joint_space::CommandError;
use cardan::math::vec3;
use cardan::{
    Body, Coordinates, DriveMode, End::Ground, Gravity, Integrator, Joint, JointKind, Law, Model,
    ModelBuilder, Settings, Simulation, Wrench,
};
use cardan_testkit::{Rng, Tolerance, assert_close, largest_difference};

const INTEGRATORS: [Integrator; 6] = [
    Integrator::Rk4,
    Integrator::ExplicitEuler,
    Integrator::SemiImplicitEuler,
    Integrator::Dopri5,
    Integrator::Rattle,
    Integrator::TimeStepping,
];

fn settings(integrator: Integrator) -> Settings {
    Settings { integrator, ..Settings::default() }
}

/// A double pendulum in space, with torque laws or without.
fn double(laws: Option<[f64; 2]>) -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let (mut last, mut x) = (Ground, 0.0);
    for k in 0..2 {
        let rod = parts.add_body(Body { pos: vec3(x + 0.3, 0.0, 0.0), ..Body::rod(1.0, 0.6, 0.02) });
        let mut joint =
            Joint::revolute(last, rod, [x, 0.0, 0.0], [0.0, 1.0, 0.2 * k as f64]).named(format!("j{k}"));
        if let Some(laws) = laws {
            joint = joint.driven(0, DriveMode::Force, laws[k]);
        }
        parts.add_joint(joint);
        (last, x) = (rod.into(), x + 0.6);
    }
    parts.build().unwrap()
}

#[test]
fn a_commanded_torque_moves_as_a_torque_law_of_the_model_does() {
    for integrator in INTEGRATORS {
        let mut law = Simulation::with_settings(double(Some([0.8, -0.3])), settings(integrator)).unwrap();
        let mut own = Simulation::with_settings(double(None), settings(integrator)).unwrap();
        let joints: Vec<_> = own.model().joint_ids().collect();
        own.set_efforts(&[0.8, 0.0]).unwrap();
        own.set_effort(joints[1], 0, -0.3).unwrap();
        assert_eq!(own.effort(joints[1], 0).unwrap(), -0.3);
        for _ in 0..200 {
            law.step(1e-3).unwrap();
            own.step(1e-3).unwrap();
        }
        let off = largest_difference(law.state().coordinates(), own.state().coordinates());
        assert_close(off, 0.0, Tolerance::because("the same forces, summed in another order", 1e-11));
        let (a, b) = (law.energy(), own.energy());
        assert_close(a.work, b.work, Tolerance::because("the same work", 1e-11));
        assert!(b.work.abs() > 1e-3, "{integrator:?}");
        // The joint's report shows the command as it shows the law.
        let driven = law.model().joint_ids().next().unwrap();
        let (x, y) = (law.joint(driven).unwrap().drives[0], own.joint(joints[0]).unwrap().drives[0]);
        assert_eq!((x, y), (0.8, 0.8));
    }
}

#[test]
fn work_of_commands_is_the_change_of_energy() {
    for (seed, coordinates) in [(1, Coordinates::Bodies), (2, Coordinates::Joints), (3, Coordinates::Bodies)]
    {
        let rng = &mut Rng::new(seed);
        let model = tree_of_pairs(rng, 5, true);
        let start = posed(rng, model);
        let mut sim =
            Simulation::with_settings(start.model().clone(), Settings { coordinates, ..Settings::default() })
                .unwrap();
        sim.restore(start.state()).unwrap();
        let efforts: Vec<f64> = (0..sim.joint_order().rate_count()).map(|_| rng.range(-1.0, 1.0)).collect();
        sim.set_efforts(&efforts).unwrap();
        let body = sim.model().body_ids().next().unwrap();
        sim.set_wrench(body, Wrench { force: rng.vector(1.0), torque: rng.vector(0.2) }).unwrap();
        sim.run(0.2, 1e-3).unwrap();
        let balance = sim.balance();
        // RK4 integrates the work to the order of the motion.
        assert!(balance.energy_error < 1e-7 && balance.momentum_error < 1e-7, "{balance:?}");
        assert!(sim.energy().work.abs() > 1e-3);
    }
}

#[test]
fn a_wrench_on_a_free_body_gives_force_over_mass() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let body = parts.add_body(Body::rod(2.0, 1.0, 0.02));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.set_wrench(body, Wrench { force: vec3(1.0, 2.0, -3.0), torque: vec3(0.0, 0.0, 0.0) }).unwrap();
    let off =
        |sim: &mut Simulation| (sim.accelerations().unwrap().body(body).0 - vec3(0.5, 1.0, -1.5)).norm();
    assert_close(off(&mut sim), 0.0, Tolerance::rounding(10, 1.5));
    sim.run(1.0, 0.01).unwrap();
    assert_close(sim.body(body).position.x, 0.25, Tolerance::rounding(1000, 1.0));
    sim.clear_commands();
    assert_eq!(sim.accelerations().unwrap().body(body).0.to_array(), [0.0; 3]);
    // Efforts of a floating body are the same force.
    sim.set_efforts(&[1.0, 2.0, -3.0, 0.0, 0.0, 0.0]).unwrap();
    assert_close(off(&mut sim), 0.0, Tolerance::rounding(10, 1.5));
}

/// A rod on a hinge with a servo.
fn servo(law: Law) -> (Model, cardan::JointId) {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
    let servo = EffortKind::Servo(Servo { stiffness: 20.0, damping: 2.0, law, limit: f64::INFINITY });
    let hinge = Joint::revolute(Ground, rod, [0.0; 3], [0.0, 1.0, 0.0]).named("hinge").with_effort(0, servo);
    let hinge = parts.add_joint(hinge);
    (parts.build().unwrap(), hinge)
}

#[test]
fn a_commanded_target_takes_the_place_of_the_law_of_a_servo_until_it_is_taken_back() {
    let (model, hinge) = servo(0.7.into());
    let mut law = Simulation::new(model);
    let (model, other) = servo(0.0.into());
    let mut own = Simulation::new(model);
    own.set_target(other, 0, 0.7, 0.0).unwrap();
    law.run(0.5, 1e-3).unwrap();
    own.run(0.5, 1e-3).unwrap();
    assert_eq!(law.state_hash(), own.state_hash());
    assert_eq!(law.joint(hinge).unwrap().drives[0], own.joint(other).unwrap().drives[0]);
    own.clear_target(other, 0).unwrap();
    law.run(0.6, 1e-3).unwrap();
    own.run(0.6, 1e-3).unwrap();
    assert_ne!(law.state_hash(), own.state_hash());
}

#[test]
fn commands_are_part_of_the_state_and_of_its_bytes() {
    for integrator in [Integrator::Rk4, Integrator::SemiImplicitEuler] {
        let mut sim = Simulation::with_settings(double(None), settings(integrator)).unwrap();
        sim.set_efforts(&[1.0, 0.2]).unwrap();
        sim.run(0.1, 1e-3).unwrap();
        let saved = sim.state().clone();
        let bytes = sim.state().to_bytes();
        sim.run(0.2, 1e-3).unwrap();
        let end = sim.state_hash();
        sim.clear_commands();
        sim.restore(&saved).unwrap();
        assert_eq!(sim.state().efforts(), &[1.0, 0.2]);
        sim.run(0.2, 1e-3).unwrap();
        assert_eq!(sim.state_hash(), end);
        let read = cardan::State::from_bytes(sim.model(), &bytes).unwrap();
        assert_eq!(read, saved);
        let mut fresh = Simulation::with_settings(double(None), settings(integrator)).unwrap();
        fresh.restore(&read).unwrap();
        fresh.run(0.2, 1e-3).unwrap();
        assert_eq!(fresh.state_hash(), end);
    }
}

#[test]
fn commands_that_are_taken_back_leave_no_trace_in_the_bits() {
    for integrator in INTEGRATORS {
        let mut plain = Simulation::with_settings(double(None), settings(integrator)).unwrap();
        let mut other = Simulation::with_settings(double(None), settings(integrator)).unwrap();
        plain.assemble().unwrap();
        let start = plain.state().clone();
        other.set_efforts(&[3.0, 1.0]).unwrap();
        other.run(0.05, 1e-3).unwrap();
        other.clear_commands();
        other.restore(&start).unwrap();
        plain.run(0.05, 1e-3).unwrap();
        other.run(0.05, 1e-3).unwrap();
        assert_eq!(plain.state_hash(), other.state_hash(), "{integrator:?}");
    }
}

#[test]
fn an_effort_on_any_joint_of_a_loop_does_the_work_that_its_report_says() {
    let mut sim = Simulation::new(four_bar().build().unwrap());
    sim.assemble().unwrap();
    let start = sim.state().clone();
    for joint in sim.model().clone().joint_ids() {
        sim.clear_commands();
        sim.restore(&start).unwrap();
        let before = sim.angle(joint);
        sim.set_effort(joint, 0, 0.4).unwrap();
        sim.run(0.1, 1e-3).unwrap();
        let turned = sim.angle(joint) - before;
        // A constant torque: work is torque times angle; RK4 to fifth order in the step.
        assert_close(sim.energy().work, 0.4 * turned, Tolerance::because("RK4", 1e-9));
        assert!(sim.balance().energy_error < 1e-8);
    }
}

#[test]
fn steps_with_commands_allocate_nothing() {
    let mut sim = Simulation::with_settings(double(None), settings(Integrator::SemiImplicitEuler)).unwrap();
    sim.set_efforts(&[0.1, 0.2]).unwrap();
    for _ in 0..10 {
        sim.step(1e-3).unwrap();
    }
    let count = cardan_testkit::CountingAllocator::count(|| {
        for k in 0..10 {
            sim.set_efforts(&[0.1 * k as f64, 0.2]).unwrap();
            sim.step(1e-3).unwrap();
        }
    });
    assert_eq!(count, 0);
    // A control loop: positions and rates out, inverse dynamics, efforts in.
    let (mut q, mut v, mut efforts) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    sim.inverse_dynamics(&[0.0; 2], &mut efforts).unwrap();
    let count = cardan_testkit::CountingAllocator::count(|| {
        for _ in 0..10 {
            sim.copy_joint_state(&mut q, &mut v).unwrap();
            sim.inverse_dynamics(&[-q[0], -v[1]], &mut efforts).unwrap();
            sim.set_efforts(&efforts).unwrap();
            sim.step(1e-3).unwrap();
        }
    });
    assert_eq!(count, 0);
}

/// The tree that a simulation keeps for inverse dynamics is the one that is made anew, hinges written in
/// place included.
#[test]
fn inverse_dynamics_of_a_simulation_is_that_of_joint_space() {
    for seed in 0..20 {
        let rng = &mut Rng::new(300 + seed);
        let model = super::tree_of_pairs(rng, 7, seed % 2 == 0);
        let mut sim = super::posed(rng, model);
        let n = sim.model().joint_order().rate_count();
        let mut own = vec![0.0; n];
        for _ in 0..3 {
            let acc: Vec<f64> = (0..n).map(|_| rng.range(-1.0, 1.0)).collect();
            sim.inverse_dynamics(&acc, &mut own).unwrap();
            let expected = sim.joint_space().unwrap().inverse_dynamics(&acc).unwrap();
            let size = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            for (x, y) in own.iter().zip(&expected) {
                assert_close(*x, *y, Tolerance::rounding(200, size));
            }
            sim.step(1e-3).unwrap();
        }
        let error = sim.inverse_dynamics(&vec![0.0; n + 1], &mut own).unwrap_err();
        assert!(matches!(error, CommandError::Length { .. }), "{error}");
    }
}

/// On joint coordinates positions are those that are carried, to the bit, with turns counted.
#[test]
fn positions_and_rates_of_joint_coordinates_are_those_of_poses() {
    let rng = &mut Rng::new(77);
    let model = std::sync::Arc::new(super::tree_of_pairs(rng, 6, true));
    let joints = Settings { coordinates: Coordinates::Joints, ..settings(Integrator::SemiImplicitEuler) };
    let mut sim = Simulation::with_settings(model.clone(), joints).unwrap();
    sim.set_joint_positions(&super::random_positions(rng, &model)).unwrap();
    sim.set_joint_rates(&super::random_rates(rng, &model)).unwrap();
    for _ in 0..50 {
        sim.step(1e-3).unwrap();
    }
    let (q, v) = (sim.joint_positions(), sim.joint_rates());
    for entry in model.joint_order().entries() {
        let cardan::joint_space::OrderedPart::Joint(joint) = entry.part else { continue };
        // By id they come from poses.
        let (by_id, rates) = (sim.positions_of(joint).unwrap(), sim.rates_of(joint).unwrap());
        for (x, y) in q[entry.positions.clone()].iter().zip(&by_id) {
            assert_close(*x, *y, Tolerance::because("rounding of poses of size 1", 1e-13));
        }
        for (x, y) in v[entry.rates.clone()].iter().zip(&rates) {
            assert_close(*x, *y, Tolerance::because("rounding of velocities of size 10", 1e-12));
        }
    }
}

#[test]
fn first_order_motion_follows_commanded_forces() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let body = parts.add_body(Body::particle(2.0));
    let mut sim =
        Simulation::with_settings(parts.build().unwrap(), settings(Integrator::FirstOrder)).unwrap();
    sim.set_wrench(body, Wrench { force: vec3(1.0, 0.0, 0.0), torque: vec3(0.0, 0.0, 0.0) }).unwrap();
    sim.run(1.0, 0.1).unwrap();
    assert_close(sim.body(body).position.x, 0.5, Tolerance::rounding(100, 1.0));
    assert!(sim.balance().energy_error < 1e-12);
}

#[test]
fn efforts_on_balls_are_torques_in_the_frame_of_a() {
    let rng = &mut Rng::new(5);
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let body = parts.add_body(Body::rod(1.0, 1.0, 0.1));
    let in_a = cardan::Frame { pos: rng.vector(1.0), rot: rng.rotation() };
    let at = cardan::Frame { pos: [0.0; 3].into(), rot: rng.rotation() };
    let ball = parts.add_joint(Joint::between(JointKind::Spherical, Ground, in_a, body, at));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    let torque = vec3(0.3, -0.2, 0.5);
    for k in 0..3 {
        sim.set_effort(ball, k, torque[k]).unwrap();
    }
    let (_, alpha) = sim.accelerations().unwrap().body(body);
    sim.clear_commands();
    sim.set_wrench(body, Wrench { force: vec3(0.0, 0.0, 0.0), torque: in_a.rot * torque }).unwrap();
    let (_, same) = sim.accelerations().unwrap().body(body);
    assert_close((alpha - same).norm(), 0.0, Tolerance::rounding(100, alpha.norm()));
}
