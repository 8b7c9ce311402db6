//! Machines with servos on the ground, by time stepping: efforts of joints and contacts in one problem.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::SolidShape;
use cardan::contact::Shape;
use cardan::joint::effort::{EffortKind, Servo};
use cardan::law::Law;
use cardan::prelude::*;
use cardan::{Batch, CommandSequence, ContactShape, Coordinates, End, Frame, Integrator, Material, Settings};
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

const BOTH: [Coordinates; 2] = [Coordinates::Bodies, Coordinates::Joints];

fn stepping(builder: ModelBuilder, coordinates: Coordinates) -> Simulation {
    let settings = Settings { integrator: Integrator::TimeStepping, coordinates, ..Settings::default() };
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
    for (limit, coordinates) in [0.5, 3.0, 40.0].into_iter().flat_map(|x| BOTH.map(|c| (x, c))) {
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
        let mut sim = stepping(builder, coordinates);
        sim.run(0.1, H).expect("steps");
        let normal = (limit + 0.5 * G * 0.2) / 0.4;
        let force = contact_force(&mut sim);
        assert_close(force.z, normal, Tolerance::because("the residual of contacts", 1e-8 * normal));
    }
}

/// A table of four legs with flat feet, each leg on two stiff servos: 16 contacts that depend on each
/// other many times over.
fn table(stiffness: f64, target: f64, coordinates: Coordinates) -> (Simulation, f64) {
    let (builder, mass) = raised_table(stiffness, target, 0.0);
    (stepping(builder, coordinates), mass)
}

/// The table above the floor by `height`.
fn raised_table(stiffness: f64, target: f64, height: f64) -> (ModelBuilder, f64) {
    let rubber = Material::rough(0.7);
    let mut builder = on_a_plane(rubber);
    let top = Body::solid(SolidShape::Box { size: [0.6, 0.4, 0.1] }, 12.0);
    let top = builder.add_body(Body { pos: vec3(0.0, 0.0, height + 0.55), ..top });
    let mut mass = 12.0;
    for (x, y) in [(0.25, 0.15), (0.25, -0.15), (-0.25, 0.15), (-0.25, -0.15)] {
        let thigh = Body::solid(SolidShape::Box { size: [0.05, 0.05, 0.2] }, 1.0);
        let thigh = builder.add_body(Body { pos: vec3(x, y, height + 0.4), ..thigh });
        let size = [0.08, 0.06, 0.3];
        let shank = Body { pos: vec3(x, y, height + 0.15), ..Body::solid(SolidShape::Box { size }, 0.8) };
        let shank = builder.add_body(shank);
        mass += 1.8;
        let shape = Shape::cuboid(size).expect("a box");
        builder.add_shape(ContactShape {
            body: shank.into(),
            frame: Frame::default(),
            shape,
            material: rubber,
        });
        let hip = Joint::revolute(top, thigh, [x, y, height + 0.5], [0.0, 1.0, 0.0]);
        let knee = Joint::revolute(thigh, shank, [x, y, height + 0.3], [1.0, 0.0, 0.0]);
        for joint in [hip, knee] {
            builder
                .add_joint(joint.with_effort(0, servo(stiffness, 0.02 * stiffness, target, f64::INFINITY)));
        }
    }
    (builder, mass)
}

/// Tables that stand, fall and land beside each other in one batch, with new targets before every step: each has the
/// bits that it has alone, whatever the number of threads, and however many steps one call takes.
#[test]
fn a_batch_of_machines_with_contacts_has_the_bits_of_each_alone() {
    const STEPS: usize = 40;
    let heights = [0.0, 2e-3, 0.0, 0.1, 1e-3];
    for coordinates in BOTH {
        let settings = Settings { integrator: Integrator::TimeStepping, coordinates, ..Settings::default() };
        let models = heights.map(|height| {
            std::sync::Arc::new(raised_table(2e3, 0.0, height).0.build().expect("a model of the table"))
        });
        let servos = models[0].joint_order().servos().len();
        let target = |at: usize| 0.02 * libm::sin(0.37 * at as f64);
        let targets: Vec<f64> = (0..heights.len() * STEPS * servos).map(target).collect();
        let mut alone = Vec::new();
        let (mut landed, mut falling) = (0, 0);
        for (model, of_one) in models.iter().zip(targets.chunks_exact(STEPS * servos)) {
            let mut sim =
                Simulation::with_settings(model.clone(), settings).expect("settings that go together");
            for targets in of_one.chunks_exact(servos) {
                sim.set_targets(targets, None).expect("targets");
                sim.step(H).expect("a step");
            }
            alone.push(sim.state_hash());
            match sim.evaluate().expect("an evaluation").contacts().count() {
                0 => falling += 1,
                _ => landed += 1,
            }
        }
        assert!(landed >= 3 && falling >= 1, "{landed} stand, {falling} fall");
        for (threads, calls) in [(1, 1), (2, 1), (5, 4)] {
            let mut batch = Batch::of_models(models.iter().cloned(), settings).expect("a batch");
            assert_eq!(batch.set_threads(threads).is_ok(), threads == 1 || cfg!(feature = "parallel"));
            for call in 0..calls {
                let part = STEPS / calls;
                let of_call =
                    |of_one: &[f64]| of_one[call * part * servos..(call + 1) * part * servos].to_vec();
                let targets: Vec<f64> = targets.chunks_exact(STEPS * servos).flat_map(of_call).collect();
                let sequence = CommandSequence { targets: Some(&targets), ..CommandSequence::default() };
                batch.steps_with(part, H, sequence).expect("steps");
            }
            for (index, hash) in alone.iter().enumerate() {
                let state = batch.state(index).expect("a state");
                assert_eq!(
                    state.hash(&models[index]),
                    *hash,
                    "{coordinates:?}, table {index}, {threads} threads"
                );
            }
        }
    }
}

#[test]
fn a_table_on_stiff_servos_stands_still_and_carries_its_weight() {
    for (stiffness, coordinates) in [1e4, 1e6].into_iter().zip(BOTH).chain([(1e6, Coordinates::Bodies)]) {
        let (mut sim, mass) = table(stiffness, 0.0, coordinates);
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
    let balance = |h: f64, coordinates: Coordinates| {
        let (mut sim, _) = table(2e3, 0.1, coordinates);
        let energy = |sim: &mut Simulation| {
            let e = sim.energy();
            e.kinetic + e.potential + e.dissipated + e.integration_loss - e.work
        };
        let before = energy(&mut sim);
        sim.run(0.3, h).expect("steps");
        (energy(&mut sim) - before).abs()
    };
    for coordinates in BOTH {
        let (long, short) = (balance(1e-3, coordinates), balance(2.5e-4, coordinates));
        assert!(short < 0.5 * long, "{long:e} J at 1 ms, {short:e} J at a quarter of it");
    }
}

/// A box slides and swings an arm on a servo that goes from one limit to the other, so that some steps
/// are solved again: in every step friction is μ N against the motion, and the contact forces and the
/// weight are all that changes the momentum.
#[test]
fn a_sliding_box_has_its_friction_while_a_servo_saturates() {
    BOTH.into_iter().for_each(check_sliding_box);
}

fn check_sliding_box(coordinates: Coordinates) {
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
    let mut sim = stepping(builder, coordinates);
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
        // On joint coordinates velocities follow the turning links, which changes the momentum by O(h).
        let most = if coordinates == Coordinates::Bodies { 1e-7 } else { 1e-2 };
        assert!(off <= most * weight, "step {step}: {change:?} by {force:?}");
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

/// A creature on the floor or above it: a box with a hinge, a spherical joint, a slider, a universal joint and a cylindrical joint, and
/// a ball at the end of each limb.
fn creature(height: f64, touches: bool) -> ModelBuilder {
    let rubber = Material::rough(0.6);
    let air = || ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let mut builder = if touches { on_a_plane(rubber) } else { air() };
    let spin = vec3(0.4, -0.3, 0.8);
    let trunk_at = vec3(0.0, 0.0, height);
    let limb_at = |k: usize| {
        let (s, c) = libm::sincos(1.256 * k as f64);
        vec3(0.3 * c, 0.3 * s, height - if k < 2 { 0.1 } else { 0.24 })
    };
    let velocity = |at: cardan::math::Vec3| vec3(0.5, 0.1, -0.2) + spin.cross(at - trunk_at);
    let trunk = Body::solid(SolidShape::Box { size: [0.3, 0.2, 0.1] }, 3.0);
    let trunk = builder.add_body(Body { pos: trunk_at, vel: velocity(trunk_at), omega: spin, ..trunk });
    for k in 0..5 {
        let at = limb_at(k);
        let limb = Body::solid(SolidShape::Box { size: [0.1, 0.06, 0.04] }, 0.4 + 0.1 * k as f64);
        let limb = builder.add_body(Body { pos: at, vel: velocity(at), omega: spin, ..limb });
        if touches {
            builder.add_shape(ContactShape {
                body: limb.into(),
                frame: Frame { pos: vec3(0.02, 0.01, -0.03), ..Frame::default() },
                shape: Shape::sphere(0.03).expect("a ball"),
                material: rubber,
            });
        }
        let anchor = (trunk_at + at) * 0.5;
        let joint = match k {
            0 => Joint::revolute(trunk, limb, anchor, [0.2, 1.0, 0.1]),
            1 => Joint::spherical(trunk, limb, anchor),
            2 => Joint::prismatic(trunk, limb, anchor, [0.3, -0.2, 1.0]),
            3 => Joint::universal(trunk, limb, anchor, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
            _ => Joint::cylindrical(trunk, limb, anchor, [0.1, 0.3, 1.0]),
        };
        builder.add_joint(joint);
    }
    builder
}

/// Impulses of a step by the propagated forces of the touched bodies, and those by the rows of all joints and contacts.
#[test]
fn the_inverse_inertia_of_touched_bodies_gives_the_velocities_of_the_whole_system() {
    use cardan::SolverChoice;
    let step = |solver: SolverChoice, coordinates: Coordinates| {
        let settings =
            Settings { integrator: Integrator::TimeStepping, solver, coordinates, ..Settings::default() };
        let model = creature(0.300_001, true).build().expect("a model");
        let mut sim = Simulation::with_settings(model, settings).expect("settings");
        let before = sim.state().velocities().to_vec();
        sim.step(H).expect("a step");
        assert!(sim.evaluate().expect("an evaluation").contacts().count() >= 2);
        let changes = sim.state().velocities().iter().zip(before).map(|(after, before)| after - before);
        changes.collect::<Vec<f64>>()
    };
    let exact = step(SolverChoice::Dense, Coordinates::Bodies);
    let size = exact.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    assert!(size > 0.1, "the impact changes velocities by {size}");
    for found in [step(SolverChoice::Auto, Coordinates::Bodies)] {
        for (a, b) in found.iter().zip(&exact) {
            assert_close(*a, *b, Tolerance::because("the residual of both solvers", 1e-8 * size));
        }
    }
}

/// Without contacts a step is the semi-implicit Euler step on the same coordinates.
#[test]
fn time_stepping_on_joint_coordinates_in_the_air_is_the_semi_implicit_rule() {
    let run = |integrator: Integrator| {
        let settings = Settings { integrator, coordinates: Coordinates::Joints, ..Settings::default() };
        let model = creature(3.0, false).build().expect("a model");
        let mut sim = Simulation::with_settings(model, settings).expect("settings");
        sim.run(0.1, H).expect("steps");
        sim.state().coordinates().to_vec()
    };
    let (a, b) = (run(Integrator::TimeStepping), run(Integrator::SemiImplicitEuler));
    for (a, b) in a.iter().zip(&b) {
        assert_close(*a, *b, Tolerance::because("roundings of a hundred steps", 1e-11));
    }
}

/// Falling, touching and sliding: poses and joint coordinates are two discretisations of one motion, which approach each
/// other with the step. Joint coordinates keep the joints closed without a projection, and no overlap is left.
#[test]
fn time_stepping_on_joint_coordinates_approaches_that_on_poses() {
    let run = |coordinates: Coordinates, h: f64| {
        let mut sim = stepping(creature(0.36, true), coordinates);
        sim.run(0.25, h).expect("steps");
        let certificate = sim.certificate();
        assert!(certificate.max_position_error < 1e-12, "{:e}", certificate.max_position_error);
        assert!(certificate.max_overlap < 1e-9, "{:e}", certificate.max_overlap);
        sim.state().coordinates().to_vec()
    };
    let apart = |h: f64| {
        let (a, b) = (run(Coordinates::Bodies, h), run(Coordinates::Joints, h));
        a.iter().zip(&b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
    };
    let (long, short) = (apart(1e-3), apart(2.5e-4));
    assert!(short < 0.5 * long && long < 0.05, "{long:e} at 1 ms, {short:e} at a quarter of it");
}

/// A drive that pushes a body through the floor leaves nothing to give way: that is an error, not a body under the floor.
#[test]
fn a_drive_into_the_floor_is_an_error() {
    for coordinates in BOTH {
        let mut builder = on_a_plane(Material::rough(0.3));
        let post = Body::solid(SolidShape::Box { size: [0.1; 3] }, 1.0);
        let post = builder.add_body(Body { pos: vec3(0.0, 0.0, 1.0), ..post });
        builder.add_joint(Joint::fixed(Ground, post));
        let foot = Body::solid(SolidShape::Sphere { radius: 0.1 }, 1.0);
        let foot = builder.add_body(Body { pos: vec3(0.0, 0.0, 0.2), ..foot });
        let shape = Shape::sphere(0.1).expect("a ball");
        let material = Material::rough(0.3);
        builder.add_shape(ContactShape { body: foot.into(), frame: Frame::default(), shape, material });
        let slide = Joint::prismatic(post, foot, [0.0, 0.0, 0.5], [0.0, 0.0, 1.0]);
        builder.add_joint(slide.driven(0, DriveMode::Speed, -1.0));
        let mut sim = stepping(builder, coordinates);
        let error = sim.run(0.3, H).expect_err("nothing gives way");
        assert!(sim.time() < 0.2, "{error}");
        assert!(sim.kinematics().body(foot).position.z > 0.1 - 1e-2, "{error}");
    }
}

/// A table that stands still is not solved again; its states have the bits of one that is solved at every step,
/// each in a workspace of its own, and so have its accounts.
#[test]
fn standing_still_takes_no_solves_and_changes_no_bits() {
    for coordinates in BOTH {
        let (mut sim, _) = table(1e5, 0.0, coordinates);
        sim.run(1.0, H).expect("steps");
        // The last step of a run ends at its time, and may be shorter by rounding; forces follow in the next one.
        sim.step(H).expect("a step");
        sim.step(H).expect("a step");
        let before = sim.diagnostics().work_counts();
        for _ in 0..20 {
            let (mut other, _) = table(1e5, 0.0, coordinates);
            other.restore(sim.state()).expect("a state of this model");
            other.step(H).expect("a step");
            sim.step(H).expect("a step");
            assert_eq!(other.state(), sim.state());
            assert_eq!(other.energy(), sim.energy());
        }
        assert_eq!(sim.diagnostics().work_counts(), before, "{coordinates:?}");
        let balance = sim.balance();
        assert!(balance.energy_error < 1e-9 && balance.momentum_error < 1e-9, "{balance:?}");
    }
}

#[test]
fn what_stands_still_wakes_by_commands_impulses_and_states() {
    for coordinates in BOTH {
        let (mut sim, _) = table(1e5, 0.0, coordinates);
        sim.run(1.0, H).expect("steps");
        let (rest, model) = (sim.state().clone(), sim.model().clone());
        let moved = |sim: &Simulation| sim.state().velocities().iter().any(|v| *v != 0.0);
        sim.step(H).expect("a step");
        assert!(!moved(&sim));
        // A target of the first servo.
        let joint = model.joint_ids().next().expect("a joint");
        sim.set_target(joint, 0, 0.01, 0.0).expect("a servo");
        sim.step(H).expect("a step");
        assert!(moved(&sim));
        // An impulse from the side.
        sim.restore(&rest).expect("a state of this model");
        sim.step(H).expect("a step");
        assert!(!moved(&sim));
        let top = model.body_ids().next().expect("a body");
        sim.apply_impulse(&cardan::Impulse::at(top, [0.0; 3], [5.0, 0.0, 0.0])).expect("an impulse");
        sim.step(H).expect("a step");
        assert!(moved(&sim));
        // A step of another size is another step.
        sim.restore(&rest).expect("a state of this model");
        sim.step(H).expect("a step");
        let before = sim.diagnostics().work_counts().solves;
        sim.step(0.5 * H).expect("a step");
        assert!(sim.diagnostics().work_counts().solves > before);
    }
}
