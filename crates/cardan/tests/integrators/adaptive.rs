//! `dopri5`: the error follows the tolerance, the step follows the error, and dense output is
//! available at every instant.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::End::{self, Ground};
use cardan::math::{Quat, Vec3, vec3};
use cardan::step::{step, step_within};
use cardan::{
    Body, Constraint, ConstraintRows, Coordinates, ErrorControl, Force, ForceLaw, ForceOutput, Frame,
    FrameMotion, Gravity, GravityPoint, Integrator, Joint, JointId, JointKind, Model, ModelBuilder, Settings,
    Simulation, SolidShape, Spring, State, StepError, UserConstraint, Workspace, Wrench,
};
use cardan_testkit::{MotionSpace, Rng, closed_tree, largest_difference};
use std::sync::Arc;

fn settings(tolerance: f64) -> Settings {
    let control = ErrorControl::of(tolerance);
    Settings { integrator: Integrator::Dopri5, control, ..Settings::default() }
}

fn start(model: &Arc<Model>, tolerance: f64) -> Simulation {
    Simulation::with_settings(model.clone(), settings(tolerance)).unwrap()
}

/// Both sets of coordinates; a tolerance means the same for both.
const BOTH: [Coordinates; 2] = [Coordinates::Bodies, Coordinates::Joints];

fn start_by(coordinates: Coordinates, model: &Arc<Model>, tolerance: f64) -> Simulation {
    Simulation::with_settings(model.clone(), Settings { coordinates, ..settings(tolerance) }).unwrap()
}

fn numbers(state: &State) -> Vec<f64> {
    [state.coordinates(), state.velocities()].concat()
}

fn double_pendulum() -> Arc<Model> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = |x: f64| Body { pos: vec3(x, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) };
    let (upper, lower) = (parts.add_body(rod(0.5)), parts.add_body(rod(1.5)));
    parts.add_joint(Joint::revolute(Ground, upper, [0.0; 3], [0.0, 1.0, 0.0]).named("shoulder"));
    parts.add_joint(Joint::revolute(upper, lower, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
    Arc::new(parts.build().unwrap())
}

/// An asymmetric body that tumbles without forces.
fn tumbler() -> Arc<Model> {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let mut body = Body::solid(SolidShape::Box { size: [0.3, 0.2, 0.1] }, 2.0);
    body.omega = vec3(1.0, 8.0, 2.0);
    parts.add_body(body);
    Arc::new(parts.build().unwrap())
}

/// A body on a ball joint, spinning in all directions.
fn spherical_pendulum() -> Arc<Model> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut body =
        Body { pos: vec3(0.4, 0.1, 0.2), ..Body::solid(SolidShape::Box { size: [0.3, 0.2, 0.1] }, 2.0) };
    body.omega = vec3(3.0, -2.0, 6.0);
    body.vel = body.omega.cross(body.pos);
    let body = parts.add_body(body);
    parts.add_joint(Joint::at(JointKind::Spherical, Ground, body, Vec3::ZERO, Vec3::Z));
    Arc::new(parts.build().unwrap())
}

/// A planet on an eccentric orbit: fast at one end, slow at the other.
fn orbit() -> Arc<Model> {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let planet =
        parts.add_body(Body { pos: Vec3::X, vel: vec3(0.0, 0.4, 0.0), ..Body::planar_particle(1.0) });
    parts.add_force(Force::gravity_point(Ground, [0.0; 3], planet, [0.0; 3], GravityPoint { strength: 1.0 }));
    Arc::new(parts.build().unwrap())
}

/// A point whose x is driven: x = 0.3 sin 4t.
#[derive(Debug)]
struct Shaken;

impl Constraint for Shaken {
    fn rows(&self) -> usize {
        1
    }
    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (sin, cos) = (4.0 * time).sin_cos();
        out.err[0] = frames[0].pos.x - 0.3 * sin;
        out.gradient(0, 0).force = Vec3::X;
        out.err_time_rate[0] = -1.2 * cos;
        out.jac_dot_v[0] = 4.8 * sin;
    }
}

/// A cart that is shaken, with a rod hanging from it.
fn shaken() -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let cart = parts.add_body(Body { vel: Vec3::X * 1.2, ..Body::planar(2.0, 1.0) });
    let rod =
        parts.add_body(Body { pos: vec3(0.0, -0.5, 0.0), vel: Vec3::X * 1.2, ..Body::planar(1.0, 0.1) });
    parts.add_joint(Joint::prismatic(Ground, cart, [0.0; 3], [1.0, 0.0, 0.0]));
    parts.add_joint(Joint::revolute(cart, rod, [0.0; 3], [0.0, 0.0, 1.0]));
    let frames = vec![(End::Body(cart), Frame::default())];
    parts.add_constraint(UserConstraint { name: "shaker".into(), frames, rule: Arc::new(Shaken) });
    parts.build().unwrap()
}

fn problems() -> Vec<(&'static str, Arc<Model>, f64)> {
    let tree = |seed, world| Arc::new(closed_tree(&mut Rng::new(seed), 5, world, false).build().unwrap());
    vec![
        ("tumbler", tumbler(), 3.0),
        ("spherical pendulum", spherical_pendulum(), 1.0),
        ("double pendulum", double_pendulum(), 1.0),
        ("orbit", orbit(), 4.0),
        ("shaken", Arc::new(shaken()), 1.0),
        ("tree in space", tree(1, MotionSpace::Space), 0.3),
        ("tree of all kinds", tree(2, MotionSpace::Flat), 0.3),
    ]
}

/// In poses and in joint coordinates.
fn problems_by_both() -> Vec<(String, Arc<Model>, f64, Coordinates)> {
    let each = |(name, model, until): (&str, Arc<Model>, f64)| {
        BOTH.map(|by| (format!("{name}, {by:?}"), model.clone(), until, by))
    };
    problems().into_iter().flat_map(each).collect()
}

fn reference(model: &Arc<Model>, until: f64) -> Vec<f64> {
    let mut sim = start(model, 1e-14);
    sim.run(until, 1e-4).unwrap();
    numbers(sim.state())
}

#[test]
fn steps_of_one_size_have_order_five() {
    // A tolerance that accepts every step, and a largest step: then all steps are equal.
    for (name, model, until, coordinates) in problems_by_both() {
        let exact = reference(&model, until);
        let error = |n: f64| {
            let control = ErrorControl { relative: 0.1, absolute: 1e3, max_step: until / n };
            let settings = Settings { control, coordinates, ..settings(1.0) };
            let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
            let steps = sim.run(until, until / n).unwrap();
            assert!((steps as f64 - n).abs() <= 1.0, "{name}: {steps} steps instead of {n}");
            largest_difference(&numbers(sim.state()), &exact)
        };
        // Steps small enough for the order to show, large enough to stay above rounding.
        let mut n = 16.0;
        while error(n) > 1e-7 {
            n *= 2.0;
        }
        let (coarse, fine) = (error(n), error(2.0 * n));
        let order = (coarse / fine).log2();
        println!("{name}: {n} steps, {coarse:.2e} → {fine:.2e}, order {order:.3}");
        assert!((4.6..6.2).contains(&order), "{name}: order {order}");
    }
}

#[test]
fn the_error_follows_the_tolerance_over_eight_decades() {
    for (name, model, until, by) in problems_by_both() {
        let exact = reference(&model, until);
        let mut ratios = Vec::new();
        for exponent in 4..=12 {
            let tolerance = 10.0f64.powi(-exponent);
            let mut sim = start_by(by, &model, tolerance);
            sim.run(until, 1e-4).unwrap();
            assert_eq!(sim.time(), until);
            let error = largest_difference(&numbers(sim.state()), &exact);
            let (steps, rejected) = (sim.steps(), sim.diagnostics().work_counts().rejected);
            println!("{name}: {tolerance:.0e}: error {error:.2e}, {steps} steps, {rejected} rejected");
            ratios.push(error / tolerance);
            let c = sim.certificate();
            // Projection ends at rounding of positions and speeds, at any tolerance.
            assert!(c.max_position_error < 1e-13 && c.max_velocity_error < 1e-12, "{name}: {c:?}");
        }
        // Errors accumulate along the path in the same way at every tolerance (err ∝ tol with local
        // extrapolation to the power 6/5): over eight decades of tolerance the ratio stays within a
        // factor of two.
        let (least, most) = ratios.iter().fold((f64::INFINITY, 0.0f64), |(l, m), &r| (l.min(r), m.max(r)));
        assert!(most / least < 300.0, "{name}: error over tolerance from {least:.1e} to {most:.1e}");
        assert!(most < 1e4, "{name}: error over tolerance up to {most:.1e}");
    }
}

#[test]
fn at_tight_tolerance_it_takes_fewer_evaluations_than_rk4() {
    let (model, until) = (double_pendulum(), 1.0);
    let exact = reference(&model, until);
    let mut sim = start(&model, 1e-11);
    sim.run(until, 1e-3).unwrap();
    let (error, cost) =
        (largest_difference(&numbers(sim.state()), &exact), sim.diagnostics().work_counts().factorizations);
    let mut n = 100.0;
    let rk4 = loop {
        let mut sim = Simulation::new(model.clone());
        sim.run(until, until / n).unwrap();
        if largest_difference(&numbers(sim.state()), &exact) <= error {
            break sim.diagnostics().work_counts().factorizations;
        }
        n *= 1.25;
    };
    println!("{error:.1e}: dopri5 {cost} factorisations, RK4 {rk4} with {n} steps");
    assert!(rk4 > 2 * cost, "RK4 reaches {error:e} with {rk4} factorisations, dopri5 with {cost}");
}

#[test]
fn steps_lengthen_and_shorten_with_the_motion() {
    // Near the centre the planet is ten times as fast, on a path ten times as narrow.
    let model = orbit();
    let mut sim = start(&model, 1e-8);
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    while sim.next_step(3.0, 1e-3).is_some() {
        let size = sim.step_toward(3.0, 1e-3).unwrap().size;
        if sim.time() > 0.1 && sim.time() < 2.9 {
            (least, most) = (least.min(size), most.max(size));
        }
    }
    assert!(most > 10.0 * least, "from {least} to {most}");
    // A tolerance of 1e-8 per step, over some hundred steps.
    assert!(sim.balance().energy_error < 1e-6, "{:?}", sim.balance());
}

#[test]
fn a_step_of_h_advances_by_h_and_run_ends_where_it_should() {
    let model = double_pendulum();
    let mut sim = start(&model, 1e-9);
    for k in 1..=10 {
        let report = sim.step(0.1).unwrap();
        // Projection ends at rounding; the time is set exactly.
        assert!(report.steps > 1 && report.position_error < 1e-13);
        assert!((sim.time() - 0.1 * k as f64).abs() < 1e-15, "{}", sim.time());
    }
    let mut twin = start(&model, 1e-9);
    let steps = twin.run(1.0, 0.1).unwrap();
    assert_eq!((twin.time(), twin.steps()), (1.0, steps));
    // Nine intermediate stops cost some steps and change the result by the tolerance only.
    let off = largest_difference(&numbers(sim.state()), &numbers(twin.state()));
    assert!(sim.steps() >= steps && off < 1e-6, "{off:e}");
    // A run to the present time: no step.
    assert_eq!(twin.run(1.0, 0.1).unwrap(), 0);
}

#[test]
fn rows_within_a_step_lie_on_the_path_and_on_the_joints() {
    for (name, model, until, by) in problems_by_both() {
        let tolerance = 1e-8;
        let mut sim = start_by(by, &model, tolerance);
        let mut exact = start(&model, 1e-13);
        let (mut worst, mut at_ends) = (0.0f64, 0.0f64);
        let mut last = 0.0;
        while sim.next_step(until, 1e-3).is_some() {
            sim.step_toward(until, 1e-3).unwrap();
            let now = sim.time();
            for part in [0.25, 0.5, 0.8] {
                let time = last + part * (now - last);
                let state = sim.state_at(time).unwrap().expect("within the step");
                assert_eq!(state.time, time);
                if time > exact.time() {
                    exact.run(time, 1e-4).unwrap();
                    worst = worst.max(largest_difference(&numbers(&state), &numbers(exact.state())));
                }
                let seen = sim.observe_at(&state);
                let open = |e: &[f64]| e.iter().fold(0.0f64, |w, x| w.max(x.abs()));
                // Dense output is projected, too: rounding of positions and speeds.
                assert!(open(seen.position_errors()) < 1e-13, "{name}: {:e}", open(seen.position_errors()));
                assert!(open(seen.velocity_errors()) < 1e-12, "{name}: {:e}", open(seen.velocity_errors()));
            }
            exact.run(now, 1e-4).unwrap();
            at_ends = at_ends.max(largest_difference(&numbers(sim.state()), &numbers(exact.state())));
            assert!(
                sim.state_at(last - 1e-3).unwrap().is_none() && sim.state_at(now + 1e-3).unwrap().is_none()
            );
            last = now;
        }
        println!("{name}: {} steps, within {worst:.1e}, at their ends {at_ends:.1e}", sim.steps());
        // Dense output is of order 4, so its local error is larger than that of the step, but
        // bounded by it.
        assert!(
            worst < 10.0 * at_ends + 100.0 * tolerance,
            "{name}: within {worst:e}, at the ends {at_ends:e}"
        );
    }
}

#[test]
fn energy_and_turns_are_known_within_a_step() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    // A wheel with viscous friction in its bearing: ω = 200 e^(−t c/I), about 30 turns in a second,
    // in few steps.
    let (c, inertia) = (0.5, 1.0);
    let mut wheel = Body::planar(1.0, inertia);
    wheel.omega = vec3(0.0, 0.0, 200.0);
    let wheel = parts.add_body(wheel);
    parts.add_joint(Joint::revolute(Ground, wheel, [0.0; 3], [0.0, 0.0, 1.0]).with_spring(0.0, c, 0.0));
    let model = Arc::new(parts.build().unwrap());
    for by in BOTH {
        let mut sim = start_by(by, &model, 1e-6);
        let angle = |t: f64| 200.0 * (inertia / c) * (1.0 - (-t * c / inertia).exp());
        let (mut longest, mut last) = (0.0f64, 0.0);
        // Tolerances of 1e-6 per rad or of 200 rad/s and 20 000 J; the continuous extension has one
        // order less.
        while sim.next_step(2.0, 1e-3).is_some() {
            longest = longest.max(sim.step_toward(2.0, 1e-3).unwrap().size);
            let middle = 0.5 * (last + sim.time());
            let state = sim.state_at(middle).unwrap().unwrap();
            let energy = sim.energy_at(&state);
            assert!((energy.balance() - 20_000.0).abs() < 0.1, "{}", energy.balance() - 20_000.0);
            let seen = sim.observe_at(&state).joint(JointId::of_index(0)).coordinates[0];
            // The tolerance of 1e-6 is relative to 200 rad/s, summed over the steps, with one order
            // less between them.
            assert!((seen - angle(middle)).abs() < 1e-3, "{seen} at {middle}, not {}", angle(middle));
            let seen = sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
            assert!((seen - angle(sim.time())).abs() < 1e-3, "{seen}");
            last = sim.time();
        }
        assert!(longest > 0.05, "{by:?}: steps of more than a turn and a half: {longest}");
    }
}

#[test]
fn a_workspace_can_be_dropped_after_any_step() {
    let model = double_pendulum();
    for coordinates in BOTH {
        let settings = Settings { coordinates, ..settings(1e-8) };
        let mut sim = start_by(coordinates, &model, 1e-8);
        sim.assemble().unwrap();
        let mut kept_state = sim.state().clone();
        let mut fresh_state = kept_state.clone();
        let mut kept = Workspace::new(&model, &settings).unwrap();
        for _ in 0..200 {
            step_within(&model, &settings, &mut kept_state, 1e-3, 10.0, &mut kept).unwrap();
            let mut fresh = Workspace::new(&model, &settings).unwrap();
            step_within(&model, &settings, &mut fresh_state, 1e-3, 10.0, &mut fresh).unwrap();
        }
        assert_eq!(kept_state, fresh_state);
        step(&model, &settings, &mut kept_state, 0.3, &mut kept).unwrap();
        let mut fresh = Workspace::new(&model, &settings).unwrap();
        step(&model, &settings, &mut fresh_state, 0.3, &mut fresh).unwrap();
        assert_eq!(kept_state, fresh_state);
    }
}

#[test]
fn going_on_from_a_snapshot_is_the_unbroken_run_bit_for_bit() {
    for (name, model, until, by) in problems_by_both() {
        let mut unbroken = start_by(by, &model, 1e-7);
        for _ in 0..10 {
            unbroken.step_toward(until, 1e-3).unwrap();
        }
        let snapshot = unbroken.state().clone();
        unbroken.run(until, 1e-3).unwrap();
        let end = unbroken.state().clone();
        for mut sim in [unbroken, start_by(by, &model, 1e-7)] {
            sim.restore(&snapshot).unwrap();
            assert!(
                sim.state_at(snapshot.time).unwrap().is_none(),
                "the step before belongs to another path"
            );
            // Reading intermediate states changes nothing.
            while sim.next_step(until, 1e-3).is_some() {
                sim.step_toward(until, 1e-3).unwrap();
                let time = sim.time();
                let _ = (sim.state_at(time - 1e-9).unwrap(), sim.observe().time());
            }
            assert_eq!(sim.state(), &end, "{name}");
        }
    }
}

#[test]
fn turning_and_moving_the_world_does_not_change_the_steps() {
    // The error norm does not depend on axes and origin: equal steps, up to rounding relative to
    // errors of 1e-6. (The first step is about right, so that its error is not rounding itself.)
    let parts = closed_tree(&mut Rng::new(7), 4, MotionSpace::Rigid, false);
    for by in BOTH {
        let sizes = |parts: &cardan_testkit::Parts| -> Vec<f64> {
            let mut sim = start_by(by, &Arc::new(parts.build().unwrap()), 1e-6);
            (0..30).map(|_| sim.step_toward(1e3, 8e-3).unwrap().size).collect()
        };
        let plain = sizes(&parts);
        let moved = sizes(&parts.moved(vec3(30.0, -20.0, 10.0), Quat::exp(vec3(0.3, -1.2, 0.7))));
        for (x, y) in plain.iter().zip(&moved) {
            // Rounding of positions of 40 m relative to errors of 1e-6.
            assert!((x - y).abs() < 1e-6 * x, "{by:?}: {x} and {y}");
        }
    }
}

/// A force that jumps at x = 0.
#[derive(Debug)]
struct Jump(f64);

impl ForceLaw for Jump {
    fn apply(&self, _time: f64, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        let size = if frames[0].pos.x > 0.0 { -self.0 } else { self.0 };
        out.wrench[0] = Wrench { force: vec3(size, 0.0, 0.0), torque: Vec3::ZERO };
    }
}

/// A law that becomes NaN.
#[derive(Debug)]
struct Lost;

impl ForceLaw for Lost {
    fn apply(&self, time: f64, _frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        out.dissipated_power = if time > 0.5 { f64::NAN } else { 0.0 };
    }
}

fn particle_with(law: impl ForceLaw + 'static) -> Arc<Model> {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = parts.add_body(Body { pos: vec3(0.3, 0.0, 0.0), ..Body::particle(1.0) }.named("ball"));
    parts.add_force(Force::user(vec![(End::Body(ball), Frame::default())], law).named("law"));
    Arc::new(parts.build().unwrap())
}

#[test]
fn a_force_that_jumps_is_crossed_or_named_but_never_hangs() {
    // Each crossing costs some rejections, down to steps whose error in the velocity is within the
    // tolerance.
    let mut sim = start(&particle_with(Jump(1.0)), 1e-6);
    sim.run(5.0, 1e-3).unwrap();
    println!("{} steps, {} rejected", sim.steps(), sim.diagnostics().work_counts().rejected);
    assert!(sim.steps() < 5000 && sim.diagnostics().work_counts().rejected > 0);
    // A jump too large for any step that the time resolves, late enough that time is coarse.
    let mut sim = start(&particle_with(Jump(1e12)), 1e-12);
    match sim.run(1e3, 1e-3) {
        Err(StepError::Collapsed { body, time, h, error }) => {
            assert!(body == "ball" && time >= 0.0 && h > 0.0 && error > 1.0);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_law_that_stops_making_sense_is_named_and_leaves_the_last_good_state() {
    let mut sim = start(&particle_with(Lost), 1e-8);
    let error = sim.run(1.0, 1e-2).unwrap_err();
    assert!(matches!(&error, StepError::ForceNotFinite { force, .. } if force == "law"), "{error}");
    assert!(sim.time() > 0.49 && sim.time() <= 0.5, "{}", sim.time());
    // A step that cannot be finished leaves the state unchanged.
    let before = sim.state().clone();
    assert!(sim.step(0.1).is_err());
    assert_eq!(sim.state(), &before);
}

#[test]
fn a_stiff_spring_is_followed_in_short_steps() {
    // ω = 1e4 rad/s: the stability of the method, not the accuracy, limits the step to some 3/ω.
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = parts.add_body(Body { pos: vec3(1.0 + 1e-9, 0.0, 0.0), ..Body::particle(1.0) });
    let law = Spring { stiffness: 1e8, damping: 2e4, rest_length: 1.0 };
    parts.add_force(Force::spring(Ground, [0.0; 3], ball, [0.0; 3], law));
    let mut sim = start(&Arc::new(parts.build().unwrap()), 1e-6);
    sim.run(0.5, 1e-3).unwrap();
    println!("{} steps, {} rejected", sim.steps(), sim.diagnostics().work_counts().rejected);
    assert!(sim.steps() < 5000);
}

#[test]
fn tolerances_that_cannot_be_kept_are_refused() {
    let model = orbit();
    let good = ErrorControl::default();
    for control in [
        ErrorControl { relative: 0.0, ..good },
        ErrorControl { relative: -1e-6, ..good },
        ErrorControl { relative: f64::NAN, ..good },
        ErrorControl { relative: 1e-15, ..good },
        ErrorControl { relative: 1.0, ..good },
        ErrorControl { absolute: 0.0, ..good },
        ErrorControl { absolute: f64::INFINITY, ..good },
        ErrorControl { max_step: 0.0, ..good },
        ErrorControl { max_step: f64::NAN, ..good },
    ] {
        let all = Settings { control, ..settings(1e-6) };
        let mut sim = Simulation::with_settings(model.clone(), all).unwrap();
        let error = sim.step(1e-3).unwrap_err();
        assert!(matches!(error, StepError::BadTolerance { .. }), "{control:?}: {error}");
    }
    let mut sim = start(&model, 1e-6);
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(sim.step(h).unwrap_err(), StepError::BadStep { .. }));
        assert!(sim.step_toward(1.0, h).is_err());
    }
    assert_eq!(sim.time(), 0.0);
}

#[test]
fn a_tolerance_asks_for_about_the_same_steps_of_joint_coordinates() {
    // A long chain of hinges: an error of the first angle moves the last body most. With the error
    // norm of the bodies the steps are equal.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut before = Ground;
    for i in 0..12 {
        let x = i as f64;
        let rod = parts.add_body(Body { pos: vec3(x + 0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
        parts.add_joint(Joint::revolute(before, rod, [x, 0.0, 0.0], [0.0, 1.0, 0.0]));
        before = End::Body(rod);
    }
    let model = Arc::new(parts.build().unwrap());
    let exact = reference(&model, 1.0);
    let found = BOTH.map(|by| {
        let mut sim = start_by(by, &model, 1e-8);
        let steps = sim.run(1.0, 1e-4).unwrap();
        (steps as f64, largest_difference(&numbers(sim.state()), &exact))
    });
    let [(bodies, off), (joints, off_by_joints)] = found;
    println!("{bodies} steps, off by {off:.1e}; by joint coordinates {joints}, {off_by_joints:.1e}");
    assert!(joints < 2.0 * bodies && bodies < 2.0 * joints, "{bodies} and {joints} steps");
    // A tolerance of 1e-8, amplified along the path of a long chain.
    assert!(off < 1e-5 && off_by_joints < 1e-5, "{off:e} and {off_by_joints:e}");
}
