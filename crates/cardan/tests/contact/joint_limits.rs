//! Limits of hinges on joint coordinates: active limits are locked freedoms of the kernel.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::joint::effort::{EffortKind, Servo};
use cardan::law::{Law, Ramp, Sine};
use cardan::prelude::*;
use cardan::step::{Event, EventKind};
use cardan::{Coordinates, Integrator, JointId, JointLimit, Model, Settings};
use cardan_testkit::{Rng, Tolerance, assert_close};
use std::sync::Arc;

const H: f64 = 1e-3;
/// Inertia of [`rod`] about its hinge [kg·m²].
const INERTIA: f64 = 0.3 * 0.3 * 0.3 / 3.0;

fn settings(coordinates: Coordinates) -> Settings {
    Settings { integrator: Integrator::SemiImplicitEuler, coordinates, ..Settings::default() }
}

/// A rod of 0.3 kg and 0.3 m that turns about an axis at its end from the angle 0, with limits and a torque.
fn rod(rate: f64, (low, high): (f64, f64), restitution: f64, torque: Law) -> (Arc<Model>, JointId) {
    let mut builder = ModelBuilder::new(Gravity::ZERO);
    let rod = builder.add_body(Body {
        pos: vec3(0.15, 0.0, 0.0),
        vel: vec3(0.0, 0.15 * rate, 0.0),
        omega: vec3(0.0, 0.0, rate),
        ..Body::rod(0.3, 0.3, 1e-3)
    });
    let mut joint =
        Joint::revolute(Ground, rod, [0.0; 3], [0.0, 0.0, 1.0]).with_effort(0, EffortKind::Law(torque));
    joint.limits.push(JointLimit { coordinate: 0, low, high, restitution });
    let hinge = builder.add_joint(joint);
    (Arc::new(builder.build().expect("a rod on a hinge")), hinge)
}

fn of_kind(sim: &Simulation, kind: EventKind) -> Vec<Event> {
    sim.events().iter().filter(|event| event.kind == kind).copied().collect()
}

#[test]
fn a_free_rod_meets_its_stops_at_the_exact_time_and_leaves_them_as_restitution_says() {
    for restitution in [0.0, 0.5, 1.0] {
        let (model, hinge) = rod(-2.0, (-0.2505, 0.3), restitution, Law::Constant(0.0));
        let mut sim = Simulation::with_settings(model, settings(Coordinates::Joints)).unwrap();
        let start = sim.energy().kinetic;
        for _ in 0..300 {
            sim.step(H).unwrap();
        }
        let hits = of_kind(&sim, EventKind::Limit);
        let back = 2.0 * restitution;
        assert_close(hits[0].time, 0.12525, Tolerance::because("rounding", 1e-12));
        assert_close(hits[0].speed, -2.0, Tolerance::because("rounding", 1e-12));
        let impulse = INERTIA * (2.0 + back);
        assert_close(hits[0].impulse, impulse, Tolerance::because("a rod of radius 1 mm", 1e-4 * impulse));
        assert_close(sim.rate(hinge, 0), back, Tolerance::because("rounding", 1e-11));
        let angle = -0.2505 + back * (sim.time() - 0.12525);
        assert_close(sim.angle(hinge), angle, Tolerance::because("rounding", 1e-11));
        assert_eq!(of_kind(&sim, EventKind::Activated).len(), usize::from(restitution == 0.0));
        let lost = start * (1.0 - restitution * restitution);
        assert_close(sim.energy().dissipated, lost, Tolerance::because("rounding", 1e-12 * start));
    }
}

#[test]
fn a_pushed_rod_falls_on_its_stop_bounces_and_comes_to_rest() {
    let torque = 0.02;
    let pushed = torque / INERTIA;
    for h in [1e-3, 5e-4] {
        for restitution in [0.0, 0.5] {
            let (model, hinge) = rod(0.0, (-3.0, 0.4), restitution, Law::Constant(torque));
            let mut sim = Simulation::with_settings(model, settings(Coordinates::Joints)).unwrap();
            while sim.time() < 3.0 {
                sim.step(h).unwrap();
                assert!(sim.angle(hinge) <= 0.4 + 1e-12);
            }
            let hits = of_kind(&sim, EventKind::Limit);
            let fall = (2.0 * 0.4 / pushed).sqrt();
            let first_order = |scale: f64| Tolerance::because("the rule is of order 1", 3.0 * h * scale);
            assert_close(hits[0].time, fall, first_order(1.0));
            assert_close(hits[0].speed, -pushed * fall, first_order(pushed));
            let mut time = fall;
            for (k, pair) in hits.windows(2).enumerate().take(4) {
                let speed = pushed * fall * libm::pow(restitution, k as f64 + 1.0);
                time += 2.0 * speed / pushed;
                // A flight is shorter by h and ends slower by α h; restitution hands half of that on.
                assert_close(pair[1].time, time, first_order(2.0 * (k as f64 + 2.0)));
                assert_close(pair[1].speed, -speed, first_order(2.0 * pushed));
            }
            assert!((hits.len() > 4) == (restitution > 0.0));
            // At rest the limit bears the torque.
            assert_close(sim.angle(hinge), 0.4, Tolerance::because("rounding", 1e-12));
            assert_close(sim.rate(hinge, 0), 0.0, Tolerance::because("rounding", 1e-12));
            let borne = sim.observe().joint(hinge).reaction.limit.torque.norm();
            assert_close(borne, torque, Tolerance::because("rounding", 1e-10));
            let energy = sim.energy();
            let put_in = torque * 0.4;
            assert_close(energy.work, put_in, Tolerance::because("the rule is of order 1", 3.0 * h * torque));
            assert_close(energy.kinetic, 0.0, Tolerance::because("rest", 1e-15));
            assert_close(energy.dissipated, put_in, Tolerance::because("order 1", 5.0 * h * torque));
        }
    }
}

#[test]
fn a_rod_leaves_its_stop_when_the_torque_turns() {
    // −0.01 + 0.02 t: it pushes onto the low stop until 0.5 s.
    let torque = Law::Ramp(Ramp { from: -0.01, to: 0.03, start: 0.0, duration: 2.0 });
    for h in [1e-3, 2.5e-4] {
        let (model, hinge) = rod(0.0, (0.0, 9.0), 0.0, torque.clone());
        let mut sim = Simulation::with_settings(model, settings(Coordinates::Joints)).unwrap();
        while sim.time() < 1.2 - 0.5 * h {
            sim.step(h).unwrap();
        }
        let released = of_kind(&sim, EventKind::Released);
        assert_eq!(released.len(), 1);
        assert_close(released[0].time, 0.5, Tolerance::because("torques of the end of the step", 1.001 * h));
        let t: f64 = 0.7;
        let (angle, rate) = (0.02 * t * t * t / 6.0 / INERTIA, 0.02 * t * t / 2.0 / INERTIA);
        assert_close(sim.rate(hinge, 0), rate, Tolerance::because("order 1", 3.0 * h * rate / t));
        assert_close(sim.angle(hinge), angle, Tolerance::because("order 1", 5.0 * h * angle / t));
    }
}

/// Four arms of four hinges on a floating body. Twelve hinges start on a limit, and their servos push against
/// it with targets that may swing beyond the other end of their range.
fn figure(seed: u64, swing: f64) -> Arc<Model> {
    let mut rng = Rng::new(seed);
    let mut builder = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let trunk = builder.add_body(Body { pos: vec3(0.0, 0.0, 1.0), ..Body::rod(8.0, 0.5, 0.2) });
    for side in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] {
        let mut inner = trunk;
        for link in 0..4 {
            let (near, middle) = (0.2 + 0.3 * link as f64, 0.35 + 0.3 * link as f64);
            let body = builder.add_body(Body {
                pos: vec3(side[0] * middle, side[1] * middle, 1.0),
                ..Body::rod(1.0, 0.3, 0.04)
            });
            let axis = if link % 2 == 0 { [side[1], side[0], 0.0] } else { [0.0, 0.0, 1.0] };
            let anchor = [side[0] * near, side[1] * near, 1.0];
            let is_pushed = link > 0;
            let law = Law::Sine(Sine {
                amplitude: swing,
                frequency: rng.range(3.0, 5.0),
                phase: core::f64::consts::PI,
                offset: if is_pushed { 0.8 } else { 0.1 },
            });
            let servo = EffortKind::Servo(Servo { stiffness: 60.0, damping: 0.5, law, limit: f64::INFINITY });
            let mut joint = Joint::revolute(inner, body, anchor, axis).with_effort(0, servo);
            let high = if is_pushed { 0.0 } else { 3.0 };
            joint.limits.push(JointLimit { coordinate: 0, low: -1.0, high, restitution: 0.0 });
            builder.add_joint(joint);
            inner = body;
        }
    }
    Arc::new(builder.build().expect("a figure"))
}

fn angles(sim: &mut Simulation) -> Vec<f64> {
    let ids: Vec<JointId> = sim.model().joint_ids().collect();
    ids.into_iter().map(|id| sim.angle(id)).collect()
}

#[test]
fn a_dozen_limits_are_held_over_a_long_run() {
    let mut sim = Simulation::with_settings(figure(3, 0.0), settings(Coordinates::Joints)).unwrap();
    for _ in 0..5000 {
        sim.step(H).unwrap();
    }
    for (k, angle) in angles(&mut sim).into_iter().enumerate() {
        if k % 4 > 0 {
            assert_close(angle, 0.0, Tolerance::because("limits are exact on joint coordinates", 1e-12));
        }
    }
    assert_eq!(of_kind(&sim, EventKind::Activated).len(), 12);
    assert_eq!(of_kind(&sim, EventKind::Released).len(), 0);
    assert!(sim.certificate().max_overlap < 1e-9);
    if cardan::solve::articulated::f64x3::Avx2::detect().is_some() {
        assert!(sim.diagnostics().simd_step_count() >= Some(4990), "they stay in lanes");
    }
}

/// An arm of three hinges with servos; that of the middle one swings beyond both ends of its range.
fn arm() -> Arc<Model> {
    let mut builder = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut below = Ground;
    for k in 0..3 {
        let z = 0.3 * k as f64;
        let body = builder.add_body(Body { pos: vec3(0.05, 0.02, z + 0.15), ..Body::rod(1.0, 0.3, 0.04) });
        let amplitude = if k == 1 { 0.8 } else { 0.2 };
        let law = Law::Sine(Sine { amplitude, frequency: 2.0 + 0.3 * k as f64, ..Sine::default() });
        let servo = EffortKind::Servo(Servo { stiffness: 90.0, damping: 5.0, law, limit: f64::INFINITY });
        let axis = if k == 0 { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
        let mut joint = Joint::revolute(below, body, [0.0, 0.0, z], axis).with_effort(0, servo);
        let reach = if k == 1 { 0.25 } else { 3.0 };
        joint.limits.push(JointLimit { coordinate: 0, low: -reach, high: reach, restitution: 0.0 });
        builder.add_joint(joint);
        below = body.into();
    }
    Arc::new(builder.build().expect("an arm"))
}

#[test]
fn motion_converges_to_that_of_events_on_poses() {
    let end = |h: f64, coordinates: Coordinates| {
        let mut sim = Simulation::with_settings(arm(), settings(coordinates)).unwrap();
        while sim.time() < 0.6 - 0.5 * h {
            sim.step(h).unwrap();
        }
        assert!(!of_kind(&sim, EventKind::Released).is_empty(), "limits are left");
        assert!(of_kind(&sim, EventKind::Limit).len() > 1, "and reached again");
        angles(&mut sim)
    };
    // Errors of both rules at one step nearly cancel, so that the order shows against a fine step alone.
    let reference = end(1.25e-4, Coordinates::Bodies);
    let error = |h: f64| {
        let angles = end(h, Coordinates::Joints);
        angles.iter().zip(&reference).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
    };
    let (coarse, fine) = (error(2e-3), error(5e-4));
    // Order 1: a quarter of the step leaves a quarter of the error, less that of the reference.
    assert!(fine < 0.35 * coarse, "{coarse} → {fine}");
}

#[test]
fn bits_are_the_same_in_a_batch_and_in_a_run_that_is_interrupted() {
    let settings = settings(Coordinates::Auto);
    let models: Vec<Arc<Model>> = (0..3).map(|seed| figure(seed, 1.2)).collect();
    let mut batch = cardan::Batch::of_models(models.clone(), settings).unwrap();
    let mut alone: Vec<Simulation> =
        models.iter().map(|model| Simulation::with_settings(model.clone(), settings).unwrap()).collect();
    let mut parts = Simulation::with_settings(models[0].clone(), settings).unwrap();
    for step in 0..300 {
        batch.step(H).unwrap();
        for sim in &mut alone {
            sim.step(H).unwrap();
        }
        if step % 7 == 3 {
            let saved = parts.state().to_bytes();
            let state = cardan::State::from_bytes(&models[0], &saved).unwrap();
            let mut fresh = Simulation::with_settings(models[0].clone(), settings).unwrap();
            fresh.restore(&state).unwrap();
            parts = fresh;
        }
        parts.step(H).unwrap();
        assert_eq!(parts.state_hash(), alone[0].state_hash(), "step {step}");
        for (i, sim) in alone.iter().enumerate() {
            let state = batch.state(i).unwrap();
            assert_eq!(state.hash(sim.model()), sim.state_hash(), "figure {i} at step {step}");
        }
    }
    let changes =
        |sim: &Simulation| of_kind(sim, EventKind::Released).len() + of_kind(sim, EventKind::Limit).len();
    assert!(alone.iter().all(|sim| changes(sim) > 3), "limits are left and reached");
}

#[test]
fn the_ledger_closes_through_impacts_and_releases() {
    let errors = |h: f64| {
        let mut sim = Simulation::with_settings(figure(8, 1.2), settings(Coordinates::Joints)).unwrap();
        let start = sim.energy().balance();
        while sim.time() < 0.4 - 0.5 * h {
            sim.step(h).unwrap();
        }
        assert!(sim.energy().dissipated > 0.0, "impacts cost energy");
        let impulse = sim.state().ledger.impulse;
        ((sim.energy().balance() - start).abs(), (sim.momentum().linear - impulse).norm())
    };
    let (coarse, fine) = (errors(1e-3), errors(2.5e-4));
    // The rule is of order 1 in the energy that the servos exchange, and in the momentum on joint
    // coordinates: a quarter of the step leaves a quarter of the error. An impact that is not booked would not.
    assert!(fine.0 < 0.4 * coarse.0, "{coarse:?} → {fine:?}");
    assert!(fine.1 < 0.4 * coarse.1, "{coarse:?} → {fine:?}");
}

/// A rod between two stops that are near to each other bounces many times in one step, until it counts as resting:
/// what it has left is booked like the heat of every impact before.
#[test]
fn chatter_between_two_stops_ends_in_heat() {
    let settings = Settings { restitution_threshold: 1e-3, ..settings(Coordinates::Joints) };
    let (rate, range) = (0.05, 1e-7);
    let (model, hinge) = rod(rate, (-range, range), 0.9, Law::Constant(0.0));
    let mut sim = Simulation::with_settings(model, settings).unwrap();
    let start = sim.energy().kinetic;
    sim.step(H).unwrap();
    // It has not lost all speed by restitution alone: ten impacts leave more than a tenth of its energy.
    assert!(of_kind(&sim, EventKind::Limit).len() < 20, "{:?}", sim.events().len());
    assert_eq!(sim.rate(hinge, 0), 0.0);
    let heat = sim.energy().dissipated;
    assert_close(heat, start, Tolerance::because("rounding of some twenty impacts", 1e-12 * start));

    // With a second rod on the first, which goes on swinging: the stop is an impact for both.
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let bar = |x: f64| Body {
        pos: vec3(x, 0.0, 0.0),
        vel: vec3(0.0, x * rate, 0.0),
        omega: vec3(0.0, 0.0, rate),
        ..Body::rod(0.3, 0.3, 1e-3)
    };
    let (first, second) = (parts.add_body(bar(0.15)), parts.add_body(bar(0.45)));
    let mut joint = Joint::revolute(Ground, first, [0.0; 3], [0.0, 0.0, 1.0])
        .with_effort(0, EffortKind::Law(Law::Constant(0.0)));
    joint.limits.push(JointLimit { coordinate: 0, low: -range, high: range, restitution: 0.9 });
    let hinge = parts.add_joint(joint);
    parts.add_joint(Joint::revolute(first, second, [0.3, 0.0, 0.0], [0.0, 0.0, 1.0]));
    let mut sim = Simulation::with_settings(parts.build().unwrap(), settings).unwrap();
    let (start, momentum) = (sim.energy().kinetic, sim.balance().momentum_error);
    assert!(momentum == 0.0);
    sim.step(H).unwrap();
    // The second rod may pull the first off its stop again, with ω² of an angle of 1e-5 rad over the step.
    assert!(sim.rate(hinge, 0).abs() < 1e-8, "{}", sim.rate(hinge, 0));
    let (energy, balance) = (sim.energy(), sim.balance());
    let left = energy.kinetic + energy.dissipated - start;
    // Angles turn by 5e-5 rad in the step: h ω of the energy of Euler's rule, and of momentum about the hinge.
    assert_close(left, 0.0, Tolerance::because("Euler's rule over one step", 1e-4 * start));
    assert!(energy.kinetic > 0.01 * start && balance.momentum_error < 1e-3, "{energy:?}, {balance:?}");
}
