//! Efforts of joints in semi-implicit Euler steps: implicit by default, refused where an explicit step is too long.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::joint::effort::{DryFriction, EffortKind, Motor, Servo, SpeedCurve};
use cardan::law::{Law, Sine};
use cardan::prelude::*;
use cardan::{Coordinates, EffortRule, Integrator, JointId, JointLimit, Model, Settings, StepError};
use cardan_testkit::{Rng, Tolerance, assert_close};
use std::sync::Arc;

const H: f64 = 1e-3;
/// Inertia of [`rod`] about its hinge [kg·m²].
const INERTIA: f64 = 0.3 * 0.3 * 0.3 / 3.0;

fn settings(coordinates: Coordinates) -> Settings {
    Settings { integrator: Integrator::SemiImplicitEuler, coordinates, ..Settings::default() }
}

/// A rod of 0.3 kg, 0.3 m and a radius of 1 mm that turns about an axis at its end; nothing else acts along the axis.
fn rod(rate: f64, joint: impl FnOnce(Joint) -> Joint) -> (Arc<Model>, JointId) {
    let mut builder = ModelBuilder::new(Gravity::ZERO);
    let rod = builder.add_body(Body {
        pos: vec3(0.15, 0.0, 0.0),
        vel: vec3(0.0, 0.15 * rate, 0.0),
        omega: vec3(0.0, 0.0, rate),
        ..Body::rod(0.3, 0.3, 1e-3)
    });
    let hinge = builder.add_joint(joint(Joint::revolute(Ground, rod, [0.0; 3], [0.0, 0.0, 1.0])));
    (Arc::new(builder.build().expect("a rod on a hinge")), hinge)
}

fn both() -> [Coordinates; 2] {
    [Coordinates::Bodies, Coordinates::Joints]
}

fn viscous(viscous: f64) -> EffortKind {
    EffortKind::Friction(DryFriction { viscous, ..DryFriction::default() })
}

fn servo(stiffness: f64, damping: f64, target: f64, limit: f64) -> EffortKind {
    EffortKind::Servo(Servo { stiffness, damping, law: Law::Constant(target), limit })
}

#[test]
fn damping_of_any_size_is_stable_and_leads_to_the_exact_speed() {
    for coordinates in both() {
        for damping in [0.04, 4.0, 40.0, 400.0] {
            let torque = EffortKind::Law(Law::Constant(0.02));
            let (model, hinge) =
                rod(2.0, |joint| joint.with_effort(0, viscous(damping)).with_effort(0, torque));
            let mut sim = Simulation::with_settings(model, settings(coordinates)).unwrap();
            let mut fastest: f64 = 2.0;
            for _ in 0..3000 {
                sim.step(H).unwrap();
                fastest = fastest.max(sim.rate(hinge, 0).abs());
            }
            let (time, lag) = (sim.time(), INERTIA / damping);
            let terminal = 0.02 / damping;
            assert!(fastest <= 2.0f64.max(terminal) + 1e-9, "{damping}: {fastest}");
            let decay = libm::exp(-time / lag);
            let rate = terminal + (2.0 - terminal) * decay;
            let angle = terminal * time + (2.0 - terminal) * lag * (1.0 - decay);
            // The rule is of order 1: the transient of INERTIA / damping is shifted by about one step.
            assert!(
                (sim.rate(hinge, 0) - rate).abs() < 0.01 * rate.abs(),
                "{damping}: {} {rate}",
                sim.rate(hinge, 0)
            );
            let shift = 1.5 * H * 2.0;
            assert!(
                (sim.angle(hinge) - angle).abs() < 0.01 * angle + shift,
                "{damping}: {}",
                sim.angle(hinge)
            );
        }
    }
}

#[test]
fn servos_of_any_stiffness_settle_and_never_gain_energy() {
    for coordinates in both() {
        for stiffness in [1.0, 1e2, 1e4, 1e6] {
            let damping = 2.0 * libm::sqrt(stiffness * INERTIA);
            let (model, hinge) =
                rod(3.0, |joint| joint.with_effort(0, servo(stiffness, damping, 0.5, f64::INFINITY)));
            let mut sim = Simulation::with_settings(model, settings(coordinates)).unwrap();
            let own = |sim: &mut Simulation| {
                let (angle, rate) = (sim.angle(hinge) - 0.5, sim.rate(hinge, 0));
                0.5 * INERTIA * rate * rate + 0.5 * stiffness * angle * angle
            };
            let mut before = own(&mut sim);
            for step in 0..3000 {
                sim.step(H).unwrap();
                let now = own(&mut sim);
                assert!(now <= before * (1.0 + 1e-12) + 1e-18, "{stiffness}: step {step}: {before} → {now}");
                before = now;
            }
            assert_close(sim.angle(hinge), 0.5, Tolerance::because("e⁻³⁰ of the start is left", 1e-9));
        }
    }
}

#[test]
fn an_explicit_step_that_is_too_long_is_refused_with_the_one_that_would_do() {
    let explicit = Settings { efforts: EffortRule::Explicit, ..settings(Coordinates::Bodies) };
    let (model, _) = rod(10.0, |joint| joint.with_effort(0, viscous(40.0)));
    let mut sim = Simulation::with_settings(model.clone(), explicit).unwrap();
    let hash = sim.state_hash();
    let error = sim.step(H).unwrap_err();
    let StepError::StiffJoint { most, .. } = error else { panic!("{error}") };
    assert_eq!(sim.state_hash(), hash);
    assert_close(most, 2.0 * INERTIA / 40.0, Tolerance::because("rounding", 1e-12 * most));
    let mut sim = Simulation::with_settings(model, explicit).unwrap();
    for _ in 0..100 {
        sim.step(0.9 * most).unwrap();
    }
    assert!(sim.rate(JointId::of_index(0), 0).abs() < 1e-3);
}

#[test]
fn a_servo_at_its_limit_pushes_with_the_limit_and_lets_go_in_time() {
    // On poses the rule has errors of h ω² of its own at such speeds.
    for coordinates in [Coordinates::Joints] {
        let (stiffness, limit) = (1e5, 2.0);
        // So much damping that the limit is enough to brake in time.
        let damping = 0.3 * stiffness;
        let (model, hinge) = rod(0.0, |joint| joint.with_effort(0, servo(stiffness, damping, 1.0, limit)));
        let mut sim = Simulation::with_settings(model, settings(coordinates)).unwrap();
        for k in 1..=10 {
            sim.step(H).unwrap();
            let rate = limit / INERTIA * H * f64::from(k);
            assert_close(sim.rate(hinge, 0), rate, Tolerance::because("constant torque", 1e-9 * rate));
        }
        let most = limit / INERTIA * H * (1.0 + 1e-9);
        let mut before = sim.rate(hinge, 0);
        for _ in 0..6000 {
            sim.step(H).unwrap();
            let now = sim.rate(hinge, 0);
            assert!((now - before).abs() <= most, "more than the limit pushed: {before} → {now}");
            before = now;
        }
        assert_close(sim.angle(hinge), 1.0, Tolerance::because("it has settled", 1e-6));
    }
}

#[test]
fn a_motor_with_a_steep_curve_runs_up_to_its_no_load_speed() {
    let curve = SpeedCurve::new(&[[0.0, 5000.0], [20.5, 0.0]]).unwrap();
    let motor = EffortKind::Motor(Motor { curve, law: Law::Constant(1.0), limit: 5.0 });
    for coordinates in [Coordinates::Joints] {
        let (model, hinge) = rod(0.0, |joint| joint.with_effort(0, motor.clone()));
        let mut sim = Simulation::with_settings(model, settings(coordinates)).unwrap();
        for _ in 0..500 {
            sim.step(H).unwrap();
            assert!(sim.rate(hinge, 0) < 20.5 + 1e-9);
        }
        assert_close(sim.rate(hinge, 0), 20.5, Tolerance::because("a stiff approach", 1e-6));
    }
}

#[test]
fn an_undamped_spring_keeps_its_energy_over_a_hundred_periods() {
    for coordinates in both() {
        // ω h = 0.05: explicit. The symplectic rule keeps the energy within ω h / 2 + O(ω² h²) of itself.
        let omega = 50.0;
        let (model, hinge) = rod(1.0, |joint| joint.with_spring(INERTIA * omega * omega, 0.0, 0.0));
        let mut sim = Simulation::with_settings(model, settings(coordinates)).unwrap();
        let first = 0.5 * INERTIA;
        for _ in 0..(100.0 * core::f64::consts::TAU / omega / H) as usize {
            sim.step(H).unwrap();
            let (angle, rate) = (sim.angle(hinge), sim.rate(hinge, 0));
            let energy = 0.5 * INERTIA * (rate * rate + omega * omega * angle * angle);
            assert!(
                (energy / first - 1.0).abs() < 0.5 * omega * H + 2.0 * omega * H * omega * H,
                "{coordinates:?}: {energy} {first}"
            );
        }
        assert_eq!(sim.energy().integration_loss, 0.0);
    }
}

/// A chain of hinges with servos, springs and friction. With `plain` false one motor that does nothing keeps it out of the
/// kernel, so that the same equations are solved on the scalar path.
fn arm(joints: usize, plain: bool, seed: u64) -> Arc<Model> {
    let mut rng = Rng::new(seed);
    let mut builder = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut below = Ground;
    let axes = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.3, 0.0]];
    for k in 0..joints {
        let z = 0.3 * k as f64;
        let body = builder.add_body(Body { pos: vec3(0.05, 0.02, z + 0.15), ..Body::rod(1.0, 0.3, 0.04) });
        let mut joint = Joint::revolute(below, body, [0.0, 0.0, z], axes[k % 3]);
        joint = match k % 3 {
            0 => joint.with_effort(0, servo(80.0, 4.0, rng.range(-1.0, 1.0), f64::INFINITY)),
            1 => joint
                .with_effort(0, servo(60.0, 2.0, rng.range(-1.0, 1.0), 30.0))
                .with_effort(0, viscous(0.3)),
            _ => joint.with_spring(20.0, 0.1, 0.2).with_effort(0, EffortKind::Law(Law::Constant(0.4))),
        };
        joint.limits.push(JointLimit { coordinate: 0, low: -30.0, high: 30.0, restitution: 0.0 });
        if !plain && k == 0 {
            let curve = SpeedCurve::new(&[[0.0, 1.0], [10.0, 0.0]]).unwrap();
            joint =
                joint.with_effort(0, EffortKind::Motor(Motor { curve, law: Law::Constant(0.0), limit: 1.0 }));
        }
        builder.add_joint(joint);
        below = body.into();
    }
    Arc::new(builder.build().expect("an arm"))
}

#[test]
fn the_kernel_and_the_scalar_path_agree() {
    for seed in 0..4 {
        let mut sims = [true, false].map(|plain| {
            Simulation::with_settings(arm(7, plain, seed), settings(Coordinates::Joints)).unwrap()
        });
        for _ in 0..1000 {
            for sim in &mut sims {
                sim.step(H).unwrap();
            }
        }
        let [kernel, scalar] = &mut sims;
        // A servo that comes to its limit within a step is a step of the scalar path.
        assert!(kernel.diagnostics().specialized_step_count() >= Some(990), "the kernel took the steps");
        let ids: Vec<JointId> = kernel.model().joint_ids().collect();
        let others: Vec<JointId> = scalar.model().joint_ids().collect();
        for (id, other) in ids.into_iter().zip(others) {
            let (angle, rate) = (scalar.angle(other), scalar.rate(other, 0));
            let bound = |part: f64| Tolerance::because("rounding of 1000 steps", part * (1.0 + rate.abs()));
            assert_close(kernel.angle(id), angle, bound(1e-10));
            assert_close(kernel.rate(id, 0), rate, bound(1e-9));
        }
        let (one, other) = (kernel.energy(), scalar.energy());
        assert_close(one.work, other.work, Tolerance::because("rounding of 1000 steps", 1e-8));
        assert_close(one.dissipated, other.dissipated, Tolerance::because("rounding of 1000 steps", 1e-8));
    }
}

/// As [`arm`], with targets that move, and limits that some arms reach.
fn moving_arm(seed: u64) -> Arc<Model> {
    let mut rng = Rng::new(seed);
    let mut builder = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut below = Ground;
    for k in 0..5 {
        let z = 0.3 * k as f64;
        let body = builder.add_body(Body { pos: vec3(0.05, 0.02, z + 0.15), ..Body::rod(1.0, 0.3, 0.04) });
        let law = Law::Sine(Sine {
            amplitude: rng.range(0.2, 1.0),
            frequency: rng.range(0.5, 2.0),
            ..Sine::default()
        });
        let limit = if k == 1 { 40.0 } else { f64::INFINITY };
        let servo = EffortKind::Servo(Servo { stiffness: 90.0, damping: 5.0, law, limit });
        let axis = if k % 2 == 0 { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
        let mut joint = Joint::revolute(below, body, [0.0, 0.0, z], axis).with_effort(0, servo);
        let reach = if k == 2 { rng.range(0.1, 2.0) } else { 50.0 };
        joint.limits.push(JointLimit { coordinate: 0, low: -reach, high: reach, restitution: 0.2 });
        builder.add_joint(joint);
        below = body.into();
    }
    Arc::new(builder.build().expect("an arm"))
}

#[test]
fn a_batch_has_the_bits_of_its_mechanisms_alone() {
    let settings = settings(Coordinates::Auto);
    let models: Vec<Arc<Model>> = (0..10).map(moving_arm).collect();
    assert!(cardan::Batch::takes(&models[0], &settings));
    let mut batch = cardan::Batch::of_models(models.clone(), settings).unwrap();
    let mut alone: Vec<Simulation> =
        models.into_iter().map(|model| Simulation::with_settings(model, settings).unwrap()).collect();
    let mut touched = 0;
    for step in 0..400 {
        batch.step(H).unwrap();
        for (i, sim) in alone.iter_mut().enumerate() {
            sim.step(H).unwrap();
            if step % 20 == 19 {
                let state = batch.state(i).unwrap();
                assert_eq!(state.hash(sim.model()), sim.state_hash(), "arm {i} at step {step}");
            }
        }
    }
    for sim in &alone {
        touched += usize::from(!sim.events().is_empty());
    }
    assert!((1..alone.len()).contains(&touched), "{touched} of {} arms reached a limit", alone.len());
}

#[test]
fn a_run_that_is_interrupted_has_the_same_bits() {
    let model = arm(7, true, 3);
    let settings = settings(Coordinates::Joints);
    let mut whole = Simulation::with_settings(model.clone(), settings).unwrap();
    let mut parts = Simulation::with_settings(model.clone(), settings).unwrap();
    for step in 0..200 {
        whole.step(H).unwrap();
        if step % 7 == 3 {
            let mut fresh = Simulation::with_settings(model.clone(), settings).unwrap();
            fresh.restore(parts.state()).unwrap();
            parts = fresh;
        }
        parts.step(H).unwrap();
        assert_eq!(whole.state_hash(), parts.state_hash(), "step {step}");
    }
}

#[test]
fn auto_takes_joint_coordinates_for_trees_alone() {
    let chosen = |model: Arc<Model>, settings: Settings| {
        Simulation::with_settings(model, settings).unwrap().settings().coordinates
    };
    let auto = settings(Coordinates::Auto);
    assert_eq!(chosen(arm(3, true, 0), auto), Coordinates::Joints);
    let rattle = Settings { integrator: Integrator::Rattle, ..auto };
    let (pendulum, _) = rod(1.0, |joint| joint);
    assert_eq!(chosen(pendulum.clone(), rattle), Coordinates::Bodies);
    assert_eq!(chosen(pendulum, auto), Coordinates::Joints);
}

/// Four arms of hinges with servos, springs and friction on a floating body: enough alike for bodies in lanes.
fn figure(plain: bool) -> Arc<Model> {
    let mut rng = Rng::new(5);
    let mut builder = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let trunk = builder.add_body(Body { pos: vec3(0.0, 0.0, 1.0), ..Body::rod(8.0, 0.5, 0.2) });
    for (k, side) in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]].into_iter().enumerate() {
        let mut inner = trunk;
        for link in 0..4 {
            let (near, middle) = (0.2 + 0.3 * link as f64, 0.35 + 0.3 * link as f64);
            let body = builder.add_body(Body {
                pos: vec3(side[0] * middle, side[1] * middle, 1.0),
                ..Body::rod(1.0, 0.3, 0.04)
            });
            let axis = if link % 2 == 0 { [side[1], side[0], 0.0] } else { [0.0, 0.0, 1.0] };
            let anchor = [side[0] * near, side[1] * near, 1.0];
            let mut joint = Joint::revolute(inner, body, anchor, axis)
                .with_effort(0, servo(rng.range(10.0, 60.0), 2.0, rng.range(-0.5, 0.5), f64::INFINITY))
                .with_effort(0, viscous(rng.range(0.0, 0.2)));
            if link == 2 {
                joint = joint.with_spring(3.0, 0.0, 0.1);
            }
            joint.limits.push(JointLimit { coordinate: 0, low: -3.0, high: 3.0, restitution: 0.0 });
            if !plain && k == 0 && link == 0 {
                let curve = SpeedCurve::new(&[[0.0, 1.0], [10.0, 0.0]]).unwrap();
                joint = joint
                    .with_effort(0, EffortKind::Motor(Motor { curve, law: Law::Constant(0.0), limit: 1.0 }));
            }
            builder.add_joint(joint);
            inner = body;
        }
    }
    Arc::new(builder.build().expect("a figure"))
}

#[test]
fn bodies_in_lanes_and_the_scalar_path_agree() {
    let mut sims = [true, false]
        .map(|plain| Simulation::with_settings(figure(plain), settings(Coordinates::Joints)).unwrap());
    for _ in 0..500 {
        for sim in &mut sims {
            sim.step(H).unwrap();
        }
    }
    let [lanes, scalar] = &mut sims;
    if crate::simd::machine_has_avx2() {
        assert!(lanes.diagnostics().simd_step_count() >= Some(490), "bodies are in lanes");
    }
    let ids: Vec<JointId> = lanes.model().joint_ids().collect();
    let others: Vec<JointId> = scalar.model().joint_ids().collect();
    for (id, other) in ids.into_iter().zip(others) {
        let (angle, rate) = (scalar.angle(other), scalar.rate(other, 0));
        let bound = |part: f64| Tolerance::because("rounding of 500 steps", part * (1.0 + rate.abs()));
        assert_close(lanes.angle(id), angle, bound(1e-10));
        assert_close(lanes.rate(id, 0), rate, bound(1e-9));
    }
    let (one, other) = (lanes.energy(), scalar.energy());
    assert_close(one.work, other.work, Tolerance::because("rounding of 500 steps", 1e-8));
    assert_close(one.dissipated, other.dissipated, Tolerance::because("rounding of 500 steps", 1e-8));
}
