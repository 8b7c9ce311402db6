//! Machines with servos on the ground, by time stepping: efforts of joints and contacts in one problem.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::contact::Shape;
use cardan::joint::effort::{EffortKind, Servo};
use cardan::law::Law;
use cardan::prelude::*;
use cardan::{ContactShape, End, Frame, Integrator, Material, Settings, SolidShape};
use cardan_testkit::{Tolerance, assert_close};

const H: f64 = 1e-3;
const G: f64 = 9.81;

fn on_a_plane(material: Material) -> ModelBuilder {
    let mut builder = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    builder.add_shape(ContactShape {
        body: End::Ground,
        frame: Frame::default(),
        shape: Shape::Plane,
        material,
    });
    builder
}

fn stepping(builder: ModelBuilder) -> Simulation {
    let settings = Settings { integrator: Integrator::TimeStepping, ..Settings::default() };
    Simulation::with_settings(builder.build().expect("a model"), settings).expect("settings that go together")
}

fn servo(stiffness: f64, damping: f64, target: f64, limit: f64) -> EffortKind {
    EffortKind::Servo(Servo { stiffness, damping, law: Law::Constant(target), limit })
}

/// Sum of the contact forces at the present state [N].
fn contact_force(sim: &mut Simulation) -> cardan::math::Vec3 {
    let instant = sim.evaluate().expect("an evaluation");
    instant.contacts().fold(cardan::math::Vec3::ZERO, |sum, contact| sum + contact.force)
}

/// A rod of 0.5 kg and 0.4 m, hinged at one end and with a ball at the other, is pressed on the floor by
/// a servo that is far too stiff for explicit steps. It pushes with its limit: N l = τ + m g l / 2.
#[test]
fn a_saturated_servo_presses_with_its_limit() {
    let smooth = Material::rough(0.0);
    for limit in [0.5, 3.0, 40.0] {
        let mut builder = on_a_plane(smooth);
        let rod = Body::solid(SolidShape::Box { size: [0.4, 0.02, 0.02] }, 0.5);
        let rod = builder.add_body(Body { pos: vec3(0.2, 0.0, 0.05), ..rod });
        builder.add_shape(ContactShape {
            body: rod.into(),
            frame: Frame { pos: vec3(0.2, 0.0, 0.0), ..Frame::default() },
            shape: Shape::sphere(0.05).expect("a ball"),
            material: smooth,
        });
        // A body that is joined to the ground does not touch it: the hinge is on a post.
        let post = Body::solid(SolidShape::Box { size: [0.1; 3] }, 1.0);
        let post = builder.add_body(Body { pos: vec3(-0.1, 0.0, 0.05), ..post });
        builder.add_joint(Joint::fixed(Ground, post));
        let hinge = Joint::revolute(post, rod, [0.0, 0.0, 0.05], [0.0, 1.0, 0.0]);
        builder.add_joint(hinge.with_effort(0, servo(1e6, 1e4, 1.0, limit)));
        let mut sim = stepping(builder);
        sim.run(0.1, H).expect("steps");
        let normal = (limit + 0.5 * G * 0.2) / 0.4;
        let force = contact_force(&mut sim);
        assert_close(force.z, normal, Tolerance::because("the residual of contacts", 1e-8 * normal));
    }
}

/// A table of four legs with flat feet, each leg on two stiff servos: 16 contacts that depend on each
/// other many times over.
fn table(stiffness: f64, target: f64) -> (Simulation, f64) {
    let rubber = Material::rough(0.7);
    let mut builder = on_a_plane(rubber);
    let top = Body::solid(SolidShape::Box { size: [0.6, 0.4, 0.1] }, 12.0);
    let top = builder.add_body(Body { pos: vec3(0.0, 0.0, 0.55), ..top });
    let mut mass = 12.0;
    for (x, y) in [(0.25, 0.15), (0.25, -0.15), (-0.25, 0.15), (-0.25, -0.15)] {
        let thigh = Body::solid(SolidShape::Box { size: [0.05, 0.05, 0.2] }, 1.0);
        let thigh = builder.add_body(Body { pos: vec3(x, y, 0.4), ..thigh });
        let size = [0.08, 0.06, 0.3];
        let shank =
            builder.add_body(Body { pos: vec3(x, y, 0.15), ..Body::solid(SolidShape::Box { size }, 0.8) });
        mass += 1.8;
        let shape = Shape::cuboid(size).expect("a box");
        builder.add_shape(ContactShape {
            body: shank.into(),
            frame: Frame::default(),
            shape,
            material: rubber,
        });
        let hip = Joint::revolute(top, thigh, [x, y, 0.5], [0.0, 1.0, 0.0]);
        let knee = Joint::revolute(thigh, shank, [x, y, 0.3], [1.0, 0.0, 0.0]);
        for joint in [hip, knee] {
            builder
                .add_joint(joint.with_effort(0, servo(stiffness, 0.02 * stiffness, target, f64::INFINITY)));
        }
    }
    (stepping(builder), mass)
}

#[test]
fn a_table_on_stiff_servos_stands_still_and_carries_its_weight() {
    for stiffness in [1e4, 1e6] {
        let (mut sim, mass) = table(stiffness, 0.0);
        sim.run(1.0, H).expect("steps");
        let settled = sim.state().coordinates().to_vec();
        sim.run(2.0, H).expect("steps");
        let now = sim.state().coordinates();
        let moved = settled.iter().zip(now).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        assert!(moved < 1e-9, "{stiffness}: moved by {moved:e}");
        let force = contact_force(&mut sim);
        let weight = mass * G;
        assert_close(force.z, weight, Tolerance::because("the residual of contacts", 1e-7 * weight));
        let certificate = sim.certificate();
        assert!(certificate.max_contact_residual <= 1e-9, "{:e}", certificate.max_contact_residual);
        assert!(certificate.max_position_error <= 1e-12);
    }
}

/// What servos, impacts and friction take and give is all accounted for: the balance of a move to another
/// pose vanishes with h.
#[test]
fn the_balance_of_a_move_on_servos_vanishes_with_the_step() {
    let balance = |h: f64| {
        let (mut sim, _) = table(2e3, 0.1);
        let energy = |sim: &mut Simulation| {
            let e = sim.energy();
            e.kinetic + e.potential + e.dissipated + e.integration_loss - e.work
        };
        let before = energy(&mut sim);
        sim.run(0.3, h).expect("steps");
        (energy(&mut sim) - before).abs()
    };
    let (long, short) = (balance(1e-3), balance(2.5e-4));
    assert!(short < 0.5 * long, "{long:e} J at 1 ms, {short:e} J at a quarter of it");
}

/// A box slides and swings an arm on a servo that goes from one limit to the other, so that some steps
/// are solved again: in every step friction is μ N against the motion, and the contact forces and the
/// weight are all that changes the momentum.
#[test]
fn a_sliding_box_has_its_friction_while_a_servo_saturates() {
    let slippery = Material::rough(0.3);
    let mut builder = on_a_plane(slippery);
    let size = [0.4, 0.4, 0.1];
    let velocity = vec3(1.0, 0.0, 0.0);
    let (mass, arm_mass) = (4.0, 0.5);
    let sled = Body::solid(SolidShape::Box { size }, mass);
    let sled = builder.add_body(Body { pos: vec3(0.0, 0.0, 0.05), vel: velocity, ..sled });
    let shape = Shape::cuboid(size).expect("a box");
    builder.add_shape(ContactShape { body: sled.into(), frame: Frame::default(), shape, material: slippery });
    let arm = Body::solid(SolidShape::Box { size: [0.04, 0.3, 0.04] }, arm_mass);
    let arm = builder.add_body(Body { pos: vec3(0.0, 0.15, 0.2), vel: velocity, ..arm });
    let hinge = Joint::revolute(sled, arm, [0.0, 0.0, 0.2], [1.0, 0.0, 0.0]);
    let law = Law::Sine(cardan::law::Sine { amplitude: 0.05, frequency: 40.0, ..Default::default() });
    let servo = Servo { stiffness: 2e3, damping: 20.0, law, limit: 1.5 };
    let hinge = builder.add_joint(hinge.with_effort(0, EffortKind::Servo(servo)));
    let mut sim = stepping(builder);
    let momentum = |sim: &mut Simulation| {
        let all = [(sled, mass), (arm, arm_mass)];
        all.iter().fold(cardan::math::Vec3::ZERO, |sum, (body, mass)| {
            sum + sim.kinematics().body(*body).velocity * *mass
        })
    };
    let (mut before, mut flips, mut last) = (momentum(&mut sim), 0, 0.0);
    for step in 0..150 {
        sim.step(H).expect("a step");
        let after = momentum(&mut sim);
        let force = contact_force(&mut sim);
        let weight = (mass + arm_mass) * G;
        let change = (after - before - vec3(0.0, 0.0, -weight * H)) * (1.0 / H);
        let off = (change - force).norm();
        assert!(off <= 1e-7 * weight, "step {step}: {change:?} by {force:?}");
        assert!((force.x + 0.3 * force.z).abs() <= 1e-3 * force.z, "step {step}: {force:?}");
        let (phase, turns) = (80.0 * core::f64::consts::PI * sim.time(), 80.0 * core::f64::consts::PI);
        let (value, rate) = (0.05 * libm::sin(phase), 0.05 * turns * libm::cos(phase));
        let torque = 2e3 * (value - sim.angle(hinge)) + 20.0 * (rate - sim.rate(hinge, 0));
        flips += usize::from(torque * last < 0.0);
        last = torque;
        before = after;
    }
    assert!(flips > 5, "the servo went from one limit to the other {flips} times");
}
