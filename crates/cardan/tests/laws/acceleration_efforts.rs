//! Accelerations and joint loads with efforts of every kind, by the kernels of `Simulation::accelerations`,
//! against the general path by rows and against differences of velocities.

use cardan::joint::{DryFriction, EffortKind, JointCurveSpring, Motor, Servo, SpeedCurve};
use cardan::law::{Law, Sine};
use cardan::math::vec3;
use cardan::{
    Body, BodyKind, Coordinates, End, End::Ground, Gravity, Integrator, Joint, JointLimit, Model,
    ModelBuilder, Settings, Simulation, SolverChoice,
};
use cardan_testkit::{Rng, Tolerance, assert_close, largest, random_body};
use std::sync::Arc;

/// Adds an effort of a random kind to a joint with one coordinate.
fn with_some_effort(rng: &mut Rng, joint: Joint) -> Joint {
    let law = match rng.below(2) {
        0 => Law::Constant(rng.range(-1.0, 1.0)),
        _ => Law::Sine(Sine { amplitude: 0.7, frequency: 3.0, phase: rng.range(0.0, 6.0), offset: 0.2 }),
    };
    let (stiffness, damping) = (rng.range(0.0, 40.0), rng.range(0.0, 2.0));
    let kind = match rng.below(8) {
        0 => return joint.with_spring(stiffness, damping, rng.range(-1.0, 1.0)),
        1 => EffortKind::Law(law),
        2 => EffortKind::Servo(Servo { stiffness, damping, law, limit: f64::INFINITY }),
        3 => EffortKind::Servo(Servo { stiffness, damping, law, limit: 1.5 }),
        4 => {
            let curve = SpeedCurve::new(&[[-6.0, 5.0], [0.0, 4.0], [5.0, -3.0]]).expect("a curve");
            EffortKind::Motor(Motor { curve, law, limit: 2.5 })
        }
        5 => EffortKind::Friction(DryFriction { viscous: 0.8, ..DryFriction::default() }),
        6 => EffortKind::Friction(DryFriction {
            coulomb: 0.9,
            breakaway: 0.9,
            regularization_speed: 0.3,
            stribeck_speed: 0.0,
            viscous: 0.1,
        }),
        _ => {
            let rows = [[-2.0, -9.0], [0.0, 0.0], [1.0, 3.0], [3.0, 20.0]];
            EffortKind::Curve(JointCurveSpring::new(&rows, 0.4, 0.3).expect("a curve"))
        }
    };
    joint.with_effort(0, kind)
}

/// A wide tree of hinges goes in lanes.
pub(super) const WIDE: usize = 1000;

/// A tree of hinges, ball joints and sliders, joints in both directions; `reach`: a body hangs on one of
/// the last so many, so that one makes a chain. A [`WIDE`] tree has hinges alone, five on every body.
pub(super) fn forest(seed: u64, bodies: usize, reach: usize) -> Arc<Model> {
    let mut rng = Rng::new(seed);
    let is_wide = reach == WIDE;
    let (floats, backward, others) =
        (rng.below(2) == 0, reach > 1 && !is_wide && rng.below(2) == 0, reach > 1);
    let mut parts = ModelBuilder::new(Gravity::new(0.3, rng.range(-1.0, 1.0), -9.81));
    let mut ids: Vec<End> = Vec::new();
    for i in 0..bodies {
        let id = parts.add_body(random_body(&mut rng, BodyKind::Rigid));
        let on = match i {
            0 => Ground,
            _ if is_wide => ids[(i - 1) / 5],
            _ => ids[i - 1 - rng.below(reach.min(i))],
        };
        ids.push(id.into());
        if i == 0 && floats {
            continue;
        }
        let (anchor, axis) = (rng.vector(1.0), rng.direction());
        let (a, b) = if backward && rng.below(3) == 0 { (id.into(), on) } else { (on, id.into()) };
        let mut joint = match rng.below(if others { 8 } else { 6 }) {
            _ if is_wide => Joint::revolute(a, b, anchor, axis),
            0 => {
                parts.add_joint(Joint::spherical(a, b, anchor));
                continue;
            }
            7 => Joint::prismatic(a, b, anchor, axis),
            _ => Joint::revolute(a, b, anchor, axis),
        };
        joint.zero[0] = rng.range(-9.0, 9.0);
        for _ in 0..rng.below(3) {
            joint = with_some_effort(&mut rng, joint);
        }
        parts.add_joint(joint);
    }
    Arc::new(parts.build().expect("a forest"))
}

/// Accelerations, and loads in the order of the joints.
fn solved(sim: &mut Simulation) -> (Vec<f64>, Vec<[f64; 6]>) {
    let answer = sim.accelerations().expect("it can be solved");
    let mut loads: Vec<_> = answer.joint_loads().collect();
    loads.sort_by_key(|load| load.joint);
    let six = |load: &cardan::JointLoad| {
        let (f, t) = (load.wrench.force, load.wrench.torque);
        [f.x, f.y, f.z, t.x, t.y, t.z]
    };
    (answer.values().to_vec(), loads.iter().map(six).collect())
}

/// Loads are those on the child; the general path gives those on b, or on a at the ground.
fn assert_same(sim: &mut Simulation, general: &mut Simulation, what: &str) {
    general.restore(sim.state()).expect("a state of the same model");
    let children: Vec<_> =
        sim.accelerations().expect("a solve").joint_loads().map(|load| (load.joint, load.body)).collect();
    let ((ours, our_loads), (theirs, their_loads)) = (solved(sim), solved(general));
    let size = largest(&theirs);
    // Elimination of at most forty bodies with random masses beside a block-sparse factorisation.
    for (i, (x, y)) in ours.iter().zip(&theirs).enumerate() {
        assert!((x - y).abs() <= 1e-12 * size, "{what}: acceleration {i}: {x} {y}, largest {size}");
    }
    let size = their_loads.iter().map(|load| largest(load)).fold(0.0, |a: f64, b| if b > a { b } else { a });
    for (joint, child) in children {
        let entry = &sim.model().joints()[joint.index()];
        if entry.body_b() != Some(child) && entry.body_b().is_some() {
            continue;
        }
        for (x, y) in our_loads[joint.index()].iter().zip(&their_loads[joint.index()]) {
            assert!((x - y).abs() <= 1e-12 * size, "{what}: load of {joint:?}: {x} {y}, largest {size}");
        }
    }
}

#[test]
fn efforts_of_every_kind_in_kernels_are_those_of_the_general_path() {
    let mut in_lanes = 0;
    for seed in 0..24 {
        let (bodies, reach) = match seed % 3 {
            0 => (6 + seed as usize % 7, 1),
            1 => (16 + seed as usize, 7),
            _ => (31 + seed as usize % 4, WIDE),
        };
        let model = forest(seed, bodies, reach);
        for coordinates in [Coordinates::Bodies, Coordinates::Joints] {
            let settings =
                Settings { coordinates, integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
            let mut sim = Simulation::with_settings(model.clone(), settings).expect("a simulation");
            let dense = Settings { solver: SolverChoice::Sparse, ..Settings::default() };
            let mut general = Simulation::with_settings(model.clone(), dense).expect("a simulation");
            sim.assemble().expect("it closes");
            for step in 0..3 {
                assert_same(&mut sim, &mut general, &format!("seed {seed}, {coordinates:?}, step {step}"));
                sim.run(sim.time() + 0.004, 1e-3).expect("it runs");
            }
            in_lanes += usize::from(sim.diagnostics().accelerations_use_simd());
            // Commands: efforts of all hinges and sliders, targets of all servos.
            let mut rng = Rng::new(seed);
            for id in model.joint_ids() {
                let joint = &model.joints()[id.index()];
                if joint.kind.coordinates() == 1 {
                    sim.set_effort(id, 0, rng.range(-2.0, 2.0)).expect("a coordinate");
                    let _ = sim.set_target(id, 0, rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
                }
            }
            assert_same(&mut sim, &mut general, &format!("seed {seed}, {coordinates:?}, commands"));
        }
    }
    if cardan_solve::articulated::f64x3::Avx2::detect().is_some() {
        assert!(in_lanes > 8, "{in_lanes} in lanes");
    }
}

#[test]
fn many_turns_and_far_and_touched_limits_are_those_of_the_general_path() {
    for (seed, touched) in [(1, false), (2, false), (3, true)] {
        let mut rng = Rng::new(seed);
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let mut before = Ground;
        for i in 0..8 {
            let x = f64::from(i);
            let rod = parts.add_body(Body { pos: vec3(x + 0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.05) });
            let mut joint = Joint::revolute(before, rod, [x, 0.0, 0.0], rng.direction());
            let servo =
                Servo { stiffness: 30.0, damping: 0.5, law: Law::Constant(25.0), limit: f64::INFINITY };
            joint = joint.with_effort(0, EffortKind::Servo(servo));
            let low = if touched && i == 3 { 0.0 } else { -300.0 };
            joint.limits.push(JointLimit { coordinate: 0, low, high: 300.0, restitution: 0.0 });
            parts.add_joint(joint);
            before = rod.into();
        }
        let model = Arc::new(parts.build().expect("a chain"));
        let mut sim = Simulation::new(model.clone());
        let dense = Settings { solver: SolverChoice::Sparse, ..Settings::default() };
        let mut general = Simulation::with_settings(model, dense).expect("a simulation");
        sim.assemble().expect("it closes");
        assert_same(&mut sim, &mut general, "at the start");
        sim.run(0.6, 1e-3).expect("it runs");
        let hinges: Vec<_> = sim.model().joint_ids().collect();
        let turned =
            hinges.iter().map(|id| sim.angle(*id).abs()).fold(0.0, |a: f64, b| if b > a { b } else { a });
        assert!(turned > 7.0, "{turned}");
        assert_same(&mut sim, &mut general, "after some turns");
    }
}

#[test]
fn accelerations_with_efforts_are_differences_of_velocities() {
    for seed in [1, 4, 6, 7] {
        let model = forest(seed, 12, 4);
        let settings = Settings { integrator: Integrator::Rk4, ..Settings::default() };
        let mut sim = Simulation::with_settings(model, settings).expect("a simulation");
        sim.run(0.01, 1e-3).expect("it runs");
        let start = sim.state().clone();
        let acc = sim.accelerations().expect("a solve").values().to_vec();
        let mut after = |h: f64| {
            sim.restore(&start).expect("its own state");
            sim.step(h).expect("a step");
            let v: Vec<f64> =
                sim.state().velocities().iter().zip(start.velocities()).map(|(a, b)| (a - b) / h).collect();
            v
        };
        let h = 1e-5;
        let (whole, half) = (after(h), after(0.5 * h));
        let size = largest(&acc);
        for ((acc, whole), half) in acc.iter().zip(&whole).zip(&half) {
            // (v(h) − v)/h without its error of first order; what is left is h² of the third derivative and
            // rounding of v.
            let differences = Tolerance::because("h² and rounding of v over h", 1e-6 * size);
            assert_close(*acc, 2.0 * half - whole, differences);
        }
    }
}
