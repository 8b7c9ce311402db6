//! Armature: the reflected inertia of a rotor along a joint coordinate, with the kinetic energy ½ A q̇² and
//! no gyroscopic effect (the convention of MuJoCo and Pinocchio).
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::joint::effort::{EffortKind, Servo};
use cardan::law::Law;
use cardan::math::Sym3;
use cardan::prelude::*;
use cardan::{
    Accounts, Batch, BodyKind, BuildError, Coordinates, DriveMode, Elimination, End, Frame, Impulse,
    Integrator, JointKind, JointLimit, MassProperties, Model, Settings, SolverChoice, StepError,
};
use cardan_testkit::{Rng, Tolerance, assert_close, random_body};
use std::sync::Arc;

const G: f64 = 9.81;
/// Mass, length and inertia about the hinge of [`rod`], and the armature of its motor.
const MASS: f64 = 2.0;
const LENGTH: f64 = 0.5;
const ARMATURE: f64 = 0.3;

fn inertia() -> f64 {
    let rod = Body::rod(MASS, LENGTH, 0.02);
    rod.mass.inertia.yy + MASS * (0.5 * LENGTH) * (0.5 * LENGTH)
}

/// A rod along x on a hinge about −y, so that weight pulls its angle down.
fn rod(gravity: f64, change: impl Fn(Joint) -> Joint) -> (ModelBuilder, cardan::JointId) {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -gravity));
    let body = parts.add_body(Body { pos: vec3(0.5 * LENGTH, 0.0, 0.0), ..Body::rod(MASS, LENGTH, 0.02) });
    let joint = Joint::revolute(Ground, body, [0.0; 3], [0.0, -1.0, 0.0]).with_armature(ARMATURE);
    let hinge = parts.add_joint(change(joint));
    (parts, hinge)
}

/// A body with these principal moments.
fn block(mass: f64, [x, y, z]: [f64; 3]) -> Body {
    Body::rigid(MassProperties { mass, center: Vec3::ZERO, inertia: Sym3::diagonal(x, y, z) })
}

const INTEGRATORS: [Integrator; 5] = [
    Integrator::Rk4,
    Integrator::Dopri5,
    Integrator::ExplicitEuler,
    Integrator::SemiImplicitEuler,
    Integrator::TimeStepping,
];

#[test]
fn a_rod_with_a_rotor_is_slower_by_its_inertia() {
    // (I + A) p̈ = −m g l/2 cos p
    let expected = -MASS * G * 0.5 * LENGTH / (inertia() + ARMATURE);
    for integrator in INTEGRATORS {
        for coordinates in [Coordinates::Bodies, Coordinates::Joints] {
            let (parts, hinge) = rod(G, |joint| joint);
            let settings = Settings { integrator, coordinates, ..Settings::default() };
            if (integrator, coordinates) == (Integrator::TimeStepping, Coordinates::Joints) {
                continue;
            }
            let mut sim = Simulation::with_settings(parts.build().unwrap(), settings).unwrap();
            let found = sim.joint_accelerations().unwrap()[0];
            assert_close(found, expected, Tolerance::rounding(20, expected.abs()));
            let h = 1e-4;
            sim.step(h).unwrap();
            // The second order of the step: p̈ changes by ½ p̈ ∂p̈/∂p h², which is zero where cos is flat.
            let bound = Tolerance::because("curvature of the fall over one short step", 1e-6);
            assert_close(sim.rate(hinge, 0) / h, expected, bound);
        }
    }
}

#[test]
fn two_coaxial_discs_and_a_motor_between_them_feel_the_rotor_along_their_relative_angle() {
    // I₁ α₁ = −(τ − A p̈), I₂ α₂ = τ − A p̈, p̈ = α₂ − α₁: p̈ = τ / (A + I₁ I₂ / (I₁ + I₂)).
    let (i1, i2, armature, torque) = (0.4, 0.1, 0.7, 3.0);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let disc = |i: f64| block(1.0, [i; 3]);
    let (first, second) = (parts.add_body(disc(i1)), parts.add_body(disc(i2)));
    let motor = EffortKind::Law(Law::Constant(torque));
    let joint = Joint::revolute(first, second, [0.0; 3], [0.0, 0.0, 1.0]);
    let joint = parts.add_joint(joint.with_armature(armature).with_effort(0, motor));
    let mut sim = Simulation::new(parts.build().unwrap());
    let found = sim.joint_accelerations().unwrap();
    let expected = torque / (armature + i1 * i2 / (i1 + i2));
    assert_close(found[6], expected, Tolerance::rounding(20, expected));
    // The momentum of the discs is kept: the rotor's effort acts on both, and the rotor has none of its own.
    for _ in 0..100 {
        sim.step(1e-3).unwrap();
    }
    assert_close(sim.rate(joint, 0), 0.1 * expected, Tolerance::rounding(2000, expected));
    let momentum = sim.momentum();
    assert!(momentum.angular.norm() <= 1e-13 * torque, "{:?}", momentum.angular);
}

#[test]
fn a_slider_on_a_turntable_feels_the_centrifugal_force_on_its_mass_alone() {
    // L = ½ I ω² + ½ m (ṙ² + r² ω²) + ½ A ṙ²: (m + A) r̈ = m r ω².
    let (mass, armature, radius, omega) = (1.5, 2.5, 0.4, 3.0);
    for backward in [false, true] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
        let spin = vec3(0.0, 0.0, omega);
        let table = parts.add_body(Body { omega: spin, ..block(5.0, [1.0, 1.0, 2.0]) });
        let slider = parts.add_body(Body {
            pos: vec3(radius, 0.0, 0.0),
            vel: spin.cross(vec3(radius, 0.0, 0.0)),
            omega: spin,
            ..block(mass, [0.01; 3])
        });
        parts.add_joint(Joint::revolute(Ground, table, [0.0; 3], [0.0, 0.0, 1.0]));
        let ends: (End, End) = (table.into(), slider.into());
        let (a, b) = if backward { (ends.1, ends.0) } else { ends };
        let axis = if backward { [-1.0, 0.0, 0.0] } else { [1.0, 0.0, 0.0] };
        let slide = Joint::prismatic(a, b, [radius, 0.0, 0.0], axis);
        parts.add_joint(slide.with_armature(armature));
        let mut sim = Simulation::new(parts.build().unwrap());
        let expected = mass * radius * omega * omega / (mass + armature);
        let found = sim.joint_accelerations().unwrap()[1];
        assert_close(found, expected, Tolerance::rounding(50, expected));
    }
}

/// A random tree of hinges and sliders with rotors, some of which hang by their other end, and a ball.
fn tree(rng: &mut Rng, floats: bool, rotors: bool) -> Model {
    // What floats keeps its momentum, without weight.
    let gravity = rng.vector(10.0) * if floats { 0.0 } else { 1.0 };
    let mut parts = ModelBuilder::new(Gravity(gravity));
    let mut ids: Vec<End> = Vec::new();
    for i in 0..6 {
        let id: End = parts.add_body(random_body(rng, BodyKind::Rigid)).into();
        let parent = match i {
            0 if floats => None,
            0 => Some(Ground),
            _ => Some(ids[rng.below(i)]),
        };
        ids.push(id);
        let Some(parent) = parent else { continue };
        let (a, b) = if rng.below(3) > 0 { (parent, id) } else { (id, parent) };
        let mut frame = || Frame { pos: rng.vector(0.5), rot: rng.rotation() };
        let (in_a, in_b) = (frame(), frame());
        let kind =
            [JointKind::Revolute, JointKind::Prismatic, JointKind::Revolute, JointKind::Spherical][i % 4];
        let armature = rng.range(0.1, 3.0);
        let joint = Joint::between(kind, a, in_a, b, in_b);
        let has_rotor = rotors && kind != JointKind::Spherical;
        parts.add_joint(if has_rotor { joint.with_armature(armature) } else { joint });
    }
    parts.build().unwrap()
}

fn posed(rng: &mut Rng, model: Model, settings: Settings) -> Simulation {
    let mut sim = Simulation::with_settings(model, settings).unwrap();
    let mut q = sim.joint_positions();
    for entry in sim.model().clone().joint_order().entries() {
        // Quaternions stay as they are.
        if entry.positions.len() == 1 {
            q[entry.positions.start] = rng.range(-1.0, 1.0);
        }
    }
    sim.set_joint_positions(&q).unwrap();
    let n = sim.model().joint_order().rate_count();
    let rates: Vec<f64> = (0..n).map(|_| rng.range(-1.0, 1.0)).collect();
    sim.set_joint_rates(&rates).unwrap();
    sim
}

#[test]
fn joint_space_and_the_engine_have_the_same_rotors() {
    for seed in 0..24 {
        let rng = &mut Rng::new(seed);
        let (plain, model) =
            (tree(&mut Rng::new(seed), seed % 2 == 0, false), tree(rng, seed % 2 == 0, true));
        let armatures: Vec<f64> = model.joints().iter().map(|joint| joint.armature).collect();
        let rng = &mut Rng::new(100 + seed);
        let mut sim = posed(rng, model, Settings::default());
        let without = posed(&mut Rng::new(100 + seed), plain, Settings::default());
        let (space, bare) = (sim.joint_space().unwrap(), without.joint_space().unwrap());
        let n = space.rate_count();
        // H = H₀ + diag(A); b is the same. Both are posed by projections whose metric has the rotors.
        let poses = |x: f64| Tolerance::because("rounding of poses", 1e-13 * (1.0 + x.abs()));
        let (h, h0) = (space.mass_matrix(), bare.mass_matrix());
        let mut diagonal = vec![0.0; n];
        for entry in sim.model().joint_order().entries() {
            if let cardan::joint_space::OrderedPart::Joint(joint) = entry.part {
                diagonal[entry.rates.start] = armatures[joint.index()];
            }
        }
        for r in 0..n {
            for c in 0..n {
                let expected = h0[r * n + c] + if r == c { diagonal[r] } else { 0.0 };
                assert_close(h[r * n + c], expected, poses(expected));
            }
        }
        for (x, y) in space.bias().iter().zip(bare.bias()) {
            assert_close(*x, y, poses(10.0 + y));
        }
        // ½ q̇ᵀ H q̇ is the kinetic energy.
        let rates = sim.joint_rates();
        let momenta: Vec<f64> =
            h.chunks_exact(n).map(|row| row.iter().zip(&rates).map(|(h, v)| h * v).sum()).collect();
        let kinetic = 0.5 * momenta.iter().zip(&rates).map(|(p, v)| p * v).sum::<f64>();
        assert_close(sim.energy().kinetic, kinetic, Tolerance::rounding(5000, kinetic));
        // q̈ of the engine is that of articulated bodies in joint space, and inverse dynamics gives back no
        // efforts.
        let acc = sim.joint_accelerations().unwrap();
        let size = acc.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let own = space.accelerations(&vec![0.0; n]).unwrap();
        let efforts = space.inverse_dynamics(&acc).unwrap();
        let terms = space.bias().iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let (mut workspace, mut into) = (space.clone(), vec![0.0; n]);
        workspace.write_inverse_dynamics(&acc, &mut into).unwrap();
        assert_eq!(into, efforts);
        sim.inverse_dynamics(&acc, &mut into).unwrap();
        for k in 0..n {
            assert_close(acc[k], own[k], Tolerance::because("rounding of two eliminations", 1e-10 * size));
            assert_close(efforts[k], 0.0, Tolerance::because("rounding of b", 1e-10 * (terms + size)));
            assert_close(into[k], efforts[k], Tolerance::because("rounding of b", 1e-10 * (terms + size)));
        }
    }
}

#[test]
fn energy_and_momentum_are_kept_over_long_runs() {
    for (seed, integrator, coordinates) in [
        (1, Integrator::Rk4, Coordinates::Bodies),
        (2, Integrator::Rk4, Coordinates::Joints),
        (3, Integrator::Dopri5, Coordinates::Bodies),
        (4, Integrator::Rk4, Coordinates::Bodies),
    ] {
        let rng = &mut Rng::new(seed);
        let model = tree(rng, true, true);
        let mut sim = posed(rng, model, Settings { integrator, coordinates, ..Settings::default() });
        let (before, scale, start) = (sim.energy().balance(), sim.energy().kinetic, sim.momentum());
        for _ in 0..5000 {
            sim.step(1e-3).unwrap();
        }
        let drift = (sim.energy().balance() - before).abs() / scale;
        assert!(drift < 1e-8, "seed {seed}: {drift:e}");
        let certificate = sim.certificate();
        assert!(certificate.max_equation_residual < 1e-10, "{:e}", certificate.max_equation_residual);
        // Sizes of the momenta are about one; 5000 steps round.
        let (end, bound) = (sim.momentum(), 1e-10);
        assert!(
            (end.linear - start.linear).norm() < bound,
            "seed {seed}: {:?} {:?}",
            start.linear,
            end.linear
        );
        assert!(
            (end.angular - start.angular).norm() < bound,
            "seed {seed}: {:?} {:?}",
            start.angular,
            end.angular
        );
    }
}

/// Solves H x = b by Gaussian elimination without pivoting; H is positive definite.
fn solved(h: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let (mut h, mut x) = (h.to_vec(), b.to_vec());
    for c in 0..n {
        for r in c + 1..n {
            let part = h[r * n + c] / h[c * n + c];
            (c..n).for_each(|k| h[r * n + k] -= part * h[c * n + k]);
            x[r] -= part * x[c];
        }
    }
    for r in (0..n).rev() {
        let known: f64 = (r + 1..n).map(|k| h[r * n + k] * x[k]).sum();
        x[r] = (x[r] - known) / h[r * n + r];
    }
    x
}

const SERVO: [f64; 2] = [70.0, 3.0];

/// An arm of hinges with rotors and servos; with `branches` wide enough for bodies in lanes.
pub(crate) fn arm(branches: usize, seed: u64) -> Arc<Model> {
    let rng = &mut Rng::new(seed);
    let mut parts = ModelBuilder::new(Gravity::new(0.3, 0.0, -9.81));
    for branch in 0..branches {
        let mut last = Ground;
        for k in 0..4 {
            let (x, y) = (0.3 * f64::from(k), branch as f64);
            let link = parts.add_body(Body { pos: vec3(x + 0.15, y, 0.0), ..Body::rod(1.0, 0.3, 0.03) });
            let axis = if k % 2 == 0 { [0.0, 1.0, 0.0] } else { [0.0, 0.6, 0.8] };
            let servo = Servo {
                stiffness: SERVO[0],
                damping: SERVO[1],
                law: Law::Constant(0.2),
                limit: f64::INFINITY,
            };
            let joint = Joint::revolute(last, link, [x, y, 0.0], axis).with_armature(rng.range(0.01, 0.2));
            parts.add_joint(joint.with_effort(0, EffortKind::Servo(servo)));
            last = link.into();
        }
    }
    Arc::new(parts.build().unwrap())
}

#[test]
fn kernels_of_joint_coordinates_take_the_step_of_the_dense_equations() {
    let h = 1e-3;
    for (branches, accounts) in
        [(1, Accounts::Off), (1, Accounts::EveryStep), (6, Accounts::Off), (6, Accounts::EveryStep)]
    {
        let model = arm(branches, 5);
        let settings = Settings {
            integrator: Integrator::SemiImplicitEuler,
            coordinates: Coordinates::Joints,
            accounts,
            ..Settings::default()
        };
        let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
        let mut dense = Simulation::new(model.clone());
        let n = 4 * branches;
        let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
        let efforts: Vec<f64> = (0..n).map(|k| 0.1 * k as f64 - 0.2).collect();
        for step in 0..60 {
            // The step after a command, and the one after it is taken back, have their efforts at once.
            match step {
                20 => sim.set_efforts(&efforts).unwrap(),
                40 => sim.clear_commands(),
                _ => {}
            }
            sim.step(h).unwrap();
            dense.set_joint_positions(&q).unwrap();
            dense.set_joint_rates(&v).unwrap();
            let space = dense.joint_space().unwrap();
            let (mut mass, bias) = (space.mass_matrix(), space.bias());
            let mut force = vec![0.0; n];
            for k in 0..n {
                // (H + A + h C + h² K) p̈ = f − K h ṗ − b
                mass[k * (n + 1)] += h * SERVO[1] + h * h * SERVO[0];
                force[k] = SERVO[0] * (0.2 - q[k] - h * v[k]) - SERVO[1] * v[k] - bias[k];
                force[k] += if (20..40).contains(&step) { efforts[k] } else { 0.0 };
            }
            for (k, acc) in solved(&mass, &force).into_iter().enumerate() {
                v[k] += h * acc;
                q[k] += h * v[k];
            }
        }
        assert_eq!(sim.diagnostics().specialized_step_count(), Some(60), "the kernel took the steps");
        for (k, (angle, rate)) in sim.joint_positions().into_iter().zip(sim.joint_rates()).enumerate() {
            assert_close(angle, q[k], Tolerance::because("rounding of 60 steps", 1e-11));
            assert_close(rate, v[k], Tolerance::because("rounding of 60 steps", 1e-10));
        }
    }
}

#[test]
fn rotors_in_lanes_have_the_bits_of_mechanisms_alone() {
    let settings = Settings {
        integrator: Integrator::SemiImplicitEuler,
        coordinates: Coordinates::Joints,
        ..Settings::default()
    };
    let models: Vec<Arc<Model>> = (0..6).map(|seed| arm(1, seed)).collect();
    let mut batch = Batch::of_models(models.clone(), settings).unwrap();
    assert_eq!(batch.in_lanes(), 6);
    batch.steps(50, 1e-3).unwrap();
    for (index, model) in models.iter().enumerate() {
        let mut alone = Simulation::with_settings(model.clone(), settings).unwrap();
        for _ in 0..50 {
            alone.step(1e-3).unwrap();
        }
        assert_eq!(batch.state(index).unwrap().hash(model), alone.state_hash());
        assert!(alone.certificate().max_equation_residual < 1e-11);
    }
}

#[test]
fn impulses_limits_and_modes_feel_the_rotor() {
    // Δω = P l / (I + A)
    let (parts, hinge) = rod(0.0, |joint| joint);
    let mut sim = Simulation::new(parts.build().unwrap());
    let body = sim.model().body_ids().next().unwrap();
    sim.apply_impulse(&Impulse::at(body, [0.5 * LENGTH, 0.0, 0.0], [0.0, 0.0, 2.0])).unwrap();
    let expected = 2.0 * LENGTH / (inertia() + ARMATURE);
    assert_close(sim.rate(hinge, 0), expected, Tolerance::rounding(20, expected));

    // A limit with restitution e turns the rate into −e times itself, and takes (1 − e²) of the energy, the
    // rotor's included.
    let limit = JointLimit { coordinate: 0, low: -0.3, high: 1.0, restitution: 0.5 };
    let (parts, hinge) = rod(G, |mut joint| {
        joint.limits.push(limit);
        joint
    });
    let model = Arc::new(parts.build().unwrap());
    let at_limit = 2.0 * MASS * G * 0.5 * LENGTH * 0.3_f64.sin() / (inertia() + ARMATURE);
    let lost = 0.5 * (inertia() + ARMATURE) * at_limit * (1.0 - 0.25);
    let euler = Settings {
        integrator: Integrator::SemiImplicitEuler,
        coordinates: Coordinates::Joints,
        ..Settings::default()
    };
    // Of rk4 the location of the event counts, of Euler's rule the speed at which it arrives: h over 0.3 s.
    for (settings, bound) in [(Settings::default(), 1e-8), (euler, 1e-2)] {
        let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
        let before = sim.energy().balance();
        while sim.rate(hinge, 0) <= 0.0 && sim.time() < 2.0 {
            sim.step(1e-3).unwrap();
        }
        assert_close(sim.energy().dissipated, lost, Tolerance::because("order of the rule", bound * lost));
        let left = Tolerance::because("order of the rule", bound * lost);
        assert_close(sim.energy().balance(), before, left);
    }

    // A spring k on the hinge: ω² = k / (I + A).
    let stiffness = 40.0;
    let (parts, _) = rod(0.0, |joint| joint.with_spring(stiffness, 0.0, 0.0));
    let modes = Simulation::new(parts.build().unwrap()).modes().unwrap();
    let expected = (stiffness / (inertia() + ARMATURE)).sqrt() / std::f64::consts::TAU;
    assert_close(modes.modes[0].frequency, expected, Tolerance::because("differences of K", 1e-7 * expected));
}

#[test]
fn armatures_that_nothing_can_take_are_refused_with_the_joint() {
    let build = |change: &dyn Fn(Joint) -> Joint| rod(G, change).0.build().map(|_| ());
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        let error = build(&|joint| joint.with_armature(bad)).unwrap_err();
        assert!(matches!(error, BuildError::Number { field: "armature", .. }), "{error}");
    }
    let error = build(&|joint| joint.driven(0, DriveMode::Speed, Law::Constant(1.0))).unwrap_err();
    assert!(matches!(error, BuildError::Armature { .. }), "{error}");
    let error = build(&|joint| Joint { kind: JointKind::Spherical, ..joint }).unwrap_err();
    assert!(error.to_string().contains("revolute or prismatic"), "{error}");
    let armature = || Arc::new(rod(G, |joint| joint).0.build().unwrap());
    for settings in [
        Settings { solver: SolverChoice::Dense, ..Settings::default() },
        Settings { integrator: Integrator::Rattle, ..Settings::default() },
        Settings { elimination: Elimination::Rows, ..Settings::default() },
    ] {
        let error = Simulation::with_settings(armature(), settings).unwrap_err();
        assert!(matches!(error, StepError::NoArmature { .. }), "{error}");
    }
}
