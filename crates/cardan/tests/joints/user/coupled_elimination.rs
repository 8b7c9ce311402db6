//! Couplers, gears and followed points on the articulated path: against the sparse solver of rows, closed forms, long runs,
//! redundancy and contradiction.

use super::user;
use cardan::End::Ground;
use cardan::constraint::{Coupler, CouplerEquation, CouplerTerm, Follow, Gear};
use cardan::joint::{EffortKind, Servo};
use cardan::law::Nurbs;
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, BodyId, BodyKind, End, Frame, Gravity, Integrator, Joint, JointId, JointKind, Law, Model,
    ModelBuilder, Settings, Simulation, SolidShape, SolverChoice, StepError,
};
use cardan_testkit::{Rng, Tolerance, assert_close, random_body};
use std::sync::Arc;

const KINDS: [JointKind; 4] =
    [JointKind::Revolute, JointKind::Prismatic, JointKind::Cylindrical, JointKind::Revolute];

/// A random tree of lower pairs, its joints in pairs or threes coupled, some with squares; every third one has a loop too, and one of
/// its coupled joints closes it.
fn coupled_tree(seed: u64, planar: bool) -> Model {
    let mut rng = Rng::new(seed);
    let kind = if planar { BodyKind::Planar } else { BodyKind::Rigid };
    let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
    let bodies: Vec<BodyId> = (0..7).map(|_| parts.add_body(random_body(&mut rng, kind))).collect();
    let mut joints: Vec<(JointId, usize)> = Vec::new();
    let count = |kind: JointKind| if kind == JointKind::Cylindrical { 2 } else { 1 };
    for (i, body) in bodies.iter().enumerate() {
        let kind = if planar { KINDS[rng.below(2)] } else { KINDS[rng.below(4)] };
        let a: End = if i == 0 || rng.below(4) == 0 { Ground } else { bodies[rng.below(i)].into() };
        let along = if kind == JointKind::Prismatic { vec3(1.0, 0.4, 0.0) } else { Vec3::Z };
        let axis = if planar { along } else { rng.vector(1.0) };
        // Some are described from the child.
        let joint = match rng.below(3) {
            0 => Joint::at(kind, *body, a, rng.vector(1.0), axis),
            _ => Joint::at(kind, a, *body, rng.vector(1.0), axis),
        };
        joints.push((parts.add_joint(joint), count(kind)));
    }
    if seed.is_multiple_of(3) && !planar {
        let closing = Joint::at(JointKind::Spherical, bodies[5], bodies[6], rng.vector(1.0), Vec3::Z);
        parts.add_joint(closing);
    }
    for c in 0..3 {
        let term = |rng: &mut Rng| {
            let (joint, count) = joints[rng.below(joints.len())];
            let polynomial = vec![0.0, rng.vector(2.0).x + 2.5, rng.vector(0.3).x];
            CouplerTerm { joint, coordinate: rng.below(count), polynomial }
        };
        let terms: Vec<_> = (0..2 + rng.below(2)).map(|_| term(&mut rng)).collect();
        parts.add_coupler(Coupler::new(format!("C{c}"), terms));
    }
    parts.build().expect("a random tree is a model")
}

/// Accelerations, multipliers and reactions of a model by both solvers, at a state with velocities.
fn compare(model: &Arc<Model>, what: &str) {
    let with = |solver| Settings { solver, ..Settings::default() };
    let mut articulated = Simulation::with_settings(model.clone(), with(SolverChoice::Auto)).unwrap();
    assert_eq!(articulated.diagnostics().solver_name(), "articulated", "{what}");
    articulated.assemble().unwrap();
    let mut sparse = Simulation::with_settings(model.clone(), with(SolverChoice::Sparse)).unwrap();
    sparse.restore(articulated.state()).unwrap();
    let (one, other) = (articulated.evaluate().unwrap(), sparse.evaluate().unwrap());
    assert_eq!(one.rank(), other.rank(), "{what}");
    let size = |all: &[f64]| all.iter().fold(1.0, |w: f64, x| w.max(x.abs()));
    // Two eliminations of a well-conditioned system.
    let scale = size(one.accelerations()) + size(other.multipliers());
    let near = Tolerance::because("two eliminations of one system", 1e-11 * scale);
    let accelerations = one.accelerations().iter().zip(other.accelerations());
    for (a, b) in accelerations.chain(one.multipliers().iter().zip(other.multipliers())) {
        assert_close(*a, *b, near);
    }
    for j in 0..model.joints().len() {
        let reaction = |at: &cardan::Instant<'_>| at.joint(JointId::of_index(j)).reaction.structural;
        let (a, b) = (reaction(&one), reaction(&other));
        assert_close((a.force - b.force).norm(), 0.0, near);
        assert_close((a.torque - b.torque).norm(), 0.0, near);
    }
}

#[test]
fn random_couplers_agree_with_the_solver_of_rows() {
    for seed in 0..24 {
        for planar in [false, true] {
            compare(&Arc::new(coupled_tree(seed, planar)), &format!("seed {seed}, planar {planar}"));
        }
    }
}

/// Wheels on an arm that turns on the ground: sun on the ground, planets on the arm.
fn planetary(gears: bool) -> ModelBuilder {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let wheel = |r: f64, x: f64| Body {
        pos: vec3(x, 0.0, 0.0),
        ..Body::solid(SolidShape::Box { size: [r, r, 0.02] }, 2.0 * r)
    };
    let (arm, sun, planet) =
        (parts.add_body(wheel(0.4, 0.1)), parts.add_body(wheel(0.2, 0.0)), parts.add_body(wheel(0.1, 0.3)));
    let z = [0.0, 0.0, 1.0];
    let on_arm = parts.add_joint(Joint::revolute(Ground, arm, [0.0; 3], z));
    let on_sun = parts.add_joint(Joint::revolute(Ground, sun, [0.0; 3], z));
    let on_planet = parts.add_joint(Joint::revolute(arm, planet, [0.3, 0.0, 0.0], z));
    // n_s ω_s + n_p ω_p = (n_s + n_p) ω_c; the angle of the planet is that on its carrier.
    let (n_s, n_p) = (20.0, 10.0);
    if gears {
        let frames = [sun, planet, arm].map(|body| (body.into(), Frame::default())).to_vec();
        parts.add_constraint(user(frames, Gear::new(vec![n_s, n_p, -(n_s + n_p)]).unwrap()));
    } else {
        let terms = vec![
            CouplerTerm::linear(on_sun, 0, n_s),
            CouplerTerm::linear(on_planet, 0, n_p),
            CouplerTerm::linear(on_arm, 0, -n_s),
        ];
        parts.add_coupler(Coupler::new("planet", terms));
    }
    parts
}

#[test]
fn a_gear_and_a_coupler_make_the_same_planetary_train() {
    let run = |gears: bool| {
        let mut sim = Simulation::new(planetary(gears).build().unwrap());
        assert_eq!(sim.diagnostics().solver_name(), "articulated");
        sim.run(2.0, 1e-3).unwrap();
        let mut angle = |j: usize| sim.kinematics().joint(JointId::of_index(j)).coordinates[0];
        let now = [angle(0), angle(1), angle(2)];
        (now, sim)
    };
    let ((coupled, sim), (geared, _)) = (run(false), run(true));
    for (a, b) in coupled.into_iter().zip(geared) {
        // A gear keeps speeds only: its angles drift by the truncation of RK4.
        assert_close(a, b, Tolerance::because("RK4 at 1 ms", 1e-9));
    }
    let [arm, sun, planet] = coupled;
    assert!((20.0 * sun + 10.0 * planet - 20.0 * arm).abs() < 1e-12, "closed to rounding");
    assert!(sim.certificate().max_equation_residual < 1e-12, "{:?}", sim.certificate());
}

#[test]
fn a_coupler_stays_closed_over_a_long_run_of_euler_steps() {
    let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
    let mut sim = Simulation::with_settings(planetary(false).build().unwrap(), settings).unwrap();
    sim.run(20.0, 1e-3).unwrap();
    // A sum of angles of a few rad, times teeth of 10 and 20: terms of 200, and a few roundings of these.
    assert!(sim.certificate().max_position_error < 2e-15 * 200.0, "{:?}", sim.certificate());
    assert!(sim.certificate().max_velocity_error < 1e-12, "{:?}", sim.certificate());
}

#[test]
fn a_coupler_that_repeats_others_is_redundant_and_one_that_contradicts_them_is_named() {
    let hinges = || {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let hinge = |parts: &mut ModelBuilder, x: f64| {
            let body = Body {
                pos: vec3(x + 0.2, 0.0, 0.0),
                ..Body::solid(SolidShape::Box { size: [0.4, 0.1, 0.1] }, 1.0)
            };
            let id = parts.add_body(body);
            parts.add_joint(Joint::revolute(Ground, id, [x, 0.0, 0.0], [0.0, 0.0, 1.0]))
        };
        let joints = [hinge(&mut parts, 0.0), hinge(&mut parts, 1.0), hinge(&mut parts, 2.0)];
        (parts, joints)
    };
    let couple = |name: &str, a: JointId, b: JointId, offset| Coupler {
        name: name.into(),
        kind: "coupler",
        equations: vec![CouplerEquation {
            terms: vec![CouplerTerm::linear(a, 0, 1.0), CouplerTerm::linear(b, 0, -1.0)],
            offset,
        }],
    };
    let (mut parts, [a, b, c]) = hinges();
    parts.add_coupler(couple("first", a, b, None));
    parts.add_coupler(couple("second", b, c, None));
    parts.add_coupler(couple("third", a, c, None));
    let mut sim = Simulation::new(parts.build().unwrap());
    assert_eq!(sim.diagnostics().solver_name(), "articulated");
    let (rank, rows) = (sim.evaluate().unwrap().rank(), sim.model().counts().rows);
    assert_eq!(rank, rows - 1);
    // Three equal pendulums: the torque of the couplers is none.
    assert!(sim.evaluate().unwrap().multipliers()[15..].iter().all(|mu| mu.abs() < 1e-12));
    sim.run(1.0, 1e-3).unwrap();
    assert!(sim.certificate().max_position_error < 1e-13, "{:?}", sim.certificate());

    let (mut parts, [a, b, c]) = hinges();
    parts.add_coupler(couple("first", a, b, Some(0.0)));
    parts.add_coupler(couple("second", b, c, Some(0.0)));
    parts.add_coupler(couple("third", a, c, Some(0.1)));
    let mut sim = Simulation::new(parts.build().unwrap());
    match sim.assemble() {
        Err(StepError::Conflict { joint, with, .. }) => {
            let mut names: Vec<String> = with.into_iter().chain([joint]).collect();
            names.sort();
            assert_eq!(names, ["first", "second", "third"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_followed_point_is_held_by_the_force_that_its_path_needs() {
    // From rest to rest along x: the force is m (ẍ − g).
    let points = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let path = Nurbs::even(3, 0.0, 2.0, &points, &[1.0; 5]).unwrap();
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let body = parts.add_body(Body::solid(SolidShape::Box { size: [0.3, 0.2, 0.1] }, 1.5));
    parts.add_constraint(user(vec![(body.into(), Frame::default())], Follow::new(path.clone()).unwrap()));
    let mut sim = Simulation::new(parts.build().unwrap());
    assert_eq!(sim.diagnostics().solver_name(), "articulated");
    sim.run(0.7, 1e-3).unwrap();
    let acceleration = path.at(0.7)[0].second;
    let now = sim.evaluate().unwrap();
    let held = vec3(now.multipliers()[0], now.multipliers()[1], now.multipliers()[2]);
    assert!((held - vec3(1.5 * acceleration, 0.0, 1.5 * 9.81)).norm() < 1e-10, "{held:?}");
    assert!((now.body(body).position.x - path.at(0.7)[0].value).abs() < 1e-14);
    // The path does the work, and gives the momentum.
    assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
    assert!(sim.balance().momentum_error < 1e-9, "{:?}", sim.balance());
}

/// A servo on a coupled joint is taken at the end of the step: a step far longer than its own time is stable, and the gear beyond it
/// follows.
#[test]
fn a_stiff_servo_on_a_coupled_joint_is_stable() {
    let (stiffness, damping, n) = (2e4, 400.0, 3.0);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let wheel = || Body::solid(SolidShape::Box { size: [0.2, 0.2, 0.05] }, 0.3);
    let bodies = [parts.add_body(wheel()), parts.add_body(wheel())];
    let servo = Servo { law: Law::Constant(0.7), stiffness, damping, limit: f64::INFINITY };
    let first = Joint::revolute(Ground, bodies[0], [0.0; 3], [0.0, 0.0, 1.0])
        .with_effort(0, EffortKind::Servo(servo));
    let joints = [
        parts.add_joint(first),
        parts.add_joint(Joint::revolute(Ground, bodies[1], [0.5, 0.0, 0.0], [0.0, 0.0, 1.0])),
    ];
    let terms = vec![CouplerTerm::linear(joints[0], 0, n), CouplerTerm::linear(joints[1], 0, -1.0)];
    parts.add_coupler(Coupler::new("gear", terms));
    let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
    let mut sim = Simulation::with_settings(parts.build().unwrap(), settings).unwrap();
    sim.run(1.0, 1e-3).unwrap();
    let mut angle = |j: JointId| sim.kinematics().joint(j).coordinates[0];
    assert_close(angle(joints[0]), 0.7, Tolerance::because("after 50 time constants", 1e-9));
    assert_close(angle(joints[1]), n * angle(joints[0]), Tolerance::because("closed to rounding", 1e-14));
}
