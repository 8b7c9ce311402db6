//! RATTLE: the energy error stays bounded over any time; the method is symmetric, of second order,
//! and closes every joint.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::End::{self, Ground};
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, BodyId, Constraint, ConstraintRows, Drag, Force, Frame, FrameMotion, Gravity, Integrator, Joint,
    JointKind, Model, ModelBuilder, Settings, Simulation, SolidShape, Spring, State, StepError,
    UserConstraint,
};
use cardan_testkit::{MotionSpace, Rng, closed_tree, largest_difference};
use std::sync::Arc;

fn start(model: impl Into<Arc<Model>>, integrator: Integrator) -> Simulation {
    let settings = Settings { integrator, ..Settings::default() };
    let mut sim = Simulation::with_settings(model, settings).unwrap();
    sim.assemble().unwrap();
    sim
}

/// Two point masses of 1 kg on massless rods of 1 m, both started horizontal.
fn double_pendulum() -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let ball = |x: f64| Body { pos: vec3(x, 0.0, 0.0), ..Body::planar_particle(1.0) };
    let (upper, lower) = (parts.add_body(ball(1.0)), parts.add_body(ball(2.0)));
    parts.add_joint(Joint::distance(Ground, [0.0; 3], upper, [0.0; 3], 1.0));
    parts.add_joint(Joint::distance(upper, [0.0; 3], lower, [0.0; 3], 1.0));
    parts.build().unwrap()
}

/// The double pendulum of rigid rods on hinges.
fn double_pendulum_of_rods() -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = |x: f64| Body { pos: vec3(x, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) };
    let (upper, lower) = (parts.add_body(rod(0.5)), parts.add_body(rod(1.5)));
    parts.add_joint(Joint::revolute(Ground, upper, [0.0; 3], [0.0, 1.0, 0.0]));
    parts.add_joint(Joint::revolute(upper, lower, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
    parts.build().unwrap()
}

/// The largest energy error in each of `windows` parts of the run.
fn envelope(sim: &mut Simulation, h: f64, steps: usize, windows: usize) -> Vec<f64> {
    let begin = sim.energy().mechanical();
    (0..windows)
        .map(|_| {
            (0..steps / windows).fold(0.0, |worst: f64, _| {
                sim.step(h).unwrap();
                worst.max((sim.energy().mechanical() - begin).abs())
            })
        })
        .collect()
}

/// Slope of the straight line through y over 0, 1, 2, …, and its standard error.
fn slope(y: &[f64]) -> (f64, f64) {
    let n = y.len() as f64;
    let (mx, my) = ((n - 1.0) / 2.0, y.iter().sum::<f64>() / n);
    let sxx: f64 = (0..y.len()).map(|i| (i as f64 - mx).powi(2)).sum();
    let b = y.iter().enumerate().map(|(i, v)| (i as f64 - mx) * (v - my)).sum::<f64>() / sxx;
    let rest: f64 = y.iter().enumerate().map(|(i, v)| (v - my - b * (i as f64 - mx)).powi(2)).sum();
    (b, (rest / (n - 2.0) / sxx).sqrt())
}

/// Within three standard errors of zero: a slope that chance explains.
fn is_flat(errors: &[f64]) -> bool {
    let (b, sigma) = slope(errors);
    b.abs() < 3.0 * sigma
}

#[test]
fn energy_of_a_double_pendulum_has_no_trend_over_100_000_coarse_steps() {
    for (name, model) in [("points", double_pendulum()), ("rods", double_pendulum_of_rods())] {
        let mut sim = start(model, Integrator::Rattle);
        let errors = envelope(&mut sim, 0.01, 100_000, 100);
        let worst = errors.iter().copied().fold(0.0, f64::max);
        let certificate = sim.certificate();
        println!("{name}: worst {worst:.3} J, slope {:?} J per 1000 steps, {certificate:?}", slope(&errors));
        assert!(is_flat(&errors), "{name}: slope {:?}", slope(&errors));
        // (h ω)²/24 of the energy that is exchanged, some 20 J, with ω up to 13 rad/s.
        assert!(worst < 0.2, "{name}: {worst} J");
        // Roundings of lengths of 2 m and speeds of 10 m/s, joint frames turned by quaternions.
        assert!(certificate.max_position_error < 1e-14, "{name}: {certificate:?}");
        assert!(certificate.max_velocity_error < 1e-13, "{name}: {certificate:?}");
        assert!(sim.balance().momentum_error < 1e-9, "{name}: {:?}", sim.balance());
    }
    // The measure is sensitive: the same run with RK4 loses energy at every turn.
    let mut sim = start(double_pendulum(), Integrator::Rk4);
    let errors = envelope(&mut sim, 0.01, 100_000, 100);
    let (b, sigma) = slope(&errors);
    println!("rk4: {:.3} J at the end, slope {b:.2e} ± {sigma:.1e} J per 1000 steps", errors[99]);
    assert!(b > 20.0 * sigma, "RK4 drifts: {b:e} ± {sigma:e}");
}

/// A box that tumbles about its middle axis, without forces.
fn tumbler() -> Model {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let mut body = Body::solid(SolidShape::Box { size: [0.3, 0.2, 0.1] }, 2.0);
    body.omega = vec3(0.1, 8.0, 0.02);
    body.rot = Rng::new(3).rotation();
    body.mass.inertia = body.mass.inertia.rotated(&Rng::new(4).rotation().matrix());
    parts.add_body(body);
    parts.build().unwrap()
}

#[test]
fn a_tumbling_box_keeps_momentum_to_rounding_and_energy_within_a_band_over_100_000_steps() {
    let mut sim = start(tumbler(), Integrator::Rattle);
    let (momentum, energy) = (sim.momentum().angular, sim.energy().kinetic);
    let errors = envelope(&mut sim, 0.01, 100_000, 100);
    let off = (sim.momentum().angular - momentum).norm() / momentum.norm();
    let worst = errors.iter().copied().fold(0.0, f64::max) / energy;
    println!("momentum {off:.1e}, energy {worst:.1e}, slope {:?}", slope(&errors));
    // 10⁵ steps of some roundings each, adding up like a random walk or at worst all with one sign.
    assert!(off < 1e5 * 1e-15, "momentum off by {off:e}");
    // (ω h)²/12 · (differences of moments): below 8e-4.
    assert!(worst < 1e-3 && worst > 1e-8, "energy off by {worst:e}");
    // The motion is periodic and the band as sharp as rounding, so that even a trend of rounding
    // would show.
    let trend = slope(&errors).0 * 100.0 / energy;
    assert!(trend.abs() < 1e5 * 1e-15, "energy changes by {trend:e} over the run");
}

#[test]
fn a_symmetric_top_without_torque_turns_exactly_whatever_the_step() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let mut body = Body::solid(SolidShape::Cylinder { length: 0.1, radius: 0.2 }, 3.0);
    body.omega = vec3(5.0, 3.0, -2.0);
    let inertia = body.mass.inertia;
    parts.add_body(body.clone());
    let mut sim = start(parts.build().unwrap(), Integrator::Rattle);
    sim.run(2.0, 0.1).unwrap();
    // R(t) = exp(t π/I₂) exp(t (1 − I₁/I₂) w₁ e₁), the axis of symmetry being x.
    let momentum = inertia * body.omega;
    let spin = body.omega.x * (1.0 - inertia.xx / inertia.yy);
    let exact = Quat::exp(momentum * (2.0 / inertia.yy)) * Quat::exp(vec3(2.0 * spin, 0.0, 0.0));
    let off = (exact.inverse() * sim.kinematics().body(BodyId::of_index(0)).orientation).log().norm();
    assert!(off < 1e-13, "off by {off:e} rad"); // 20 steps of a few roundings
}

/// A four-bar linkage in its plane, driven by its weight; `spatial` of rigid bars on hinges
/// (redundant), else of planar bodies.
fn four_bar(spatial: bool) -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let at = [vec3(0.0, 0.0, 0.0), vec3(0.3, 0.4, 0.0), vec3(1.3, 0.8, 0.0), vec3(1.5, 0.0, 0.0)];
    let mut ends: Vec<End> = vec![Ground];
    for pair in at.windows(2) {
        let d = pair[1] - pair[0];
        let (length, pos) = (d.norm(), (pair[0] + pair[1]) * 0.5);
        let rot = Quat::exp(vec3(0.0, 0.0, d.y.atan2(d.x)));
        let shape = if spatial {
            Body::rod(length, length, 0.02)
        } else {
            Body::planar(length, length.powi(3) / 12.0)
        };
        ends.push(parts.add_body(Body { pos, rot, ..shape }).into());
    }
    ends.push(Ground);
    for (pair, at) in ends.windows(2).zip(at) {
        parts.add_joint(Joint::revolute(pair[0], pair[1], at, Vec3::Z));
    }
    parts.build().unwrap()
}

#[test]
fn a_four_bar_keeps_its_energy_and_its_loop_over_100_000_steps() {
    // The redundant one in space costs ten times as much: a tenth of the steps, about 30 passes of
    // each dead centre.
    for (spatial, steps) in [(false, 100_000), (true, 10_000)] {
        let mut sim = start(four_bar(spatial), Integrator::Rattle);
        let errors = envelope(&mut sim, 5e-3, steps, 100);
        let finer = envelope(&mut start(four_bar(spatial), Integrator::Rattle), 2.5e-3, 2000, 1)[0];
        let worst = errors.iter().copied().fold(0.0, f64::max);
        let certificate = sim.certificate();
        println!("spatial {spatial}: {worst:.1e} J, slope {:?}, {certificate:?}", slope(&errors));
        assert!(is_flat(&errors), "spatial {spatial}: {:?}", slope(&errors));
        // The band is that of a symmetric method: a quarter as wide at half the step (from the
        // start, so without a drift).
        assert!(
            (3.0..5.0).contains(&(worst / finer)),
            "spatial {spatial}: {worst:e} J, at half the step {finer:e} J"
        );
        // The Newton iteration of RATTLE ends at rounding of metres and some m/s.
        assert!(certificate.max_position_error < 1e-13, "spatial {spatial}: {certificate:?}");
        assert!(certificate.max_velocity_error < 1e-12, "spatial {spatial}: {certificate:?}");
    }
}

fn end(model: &Arc<Model>, integrator: Integrator, until: f64, steps: u32) -> Vec<f64> {
    let mut sim = start(model.clone(), integrator);
    sim.run(until, until / steps as f64).unwrap();
    [sim.state().coordinates(), sim.state().velocities()].concat()
}

/// Random trees in space and in the plane, the four-bars, a free body, springs, dampers and drag.
fn problems() -> Vec<(String, Arc<Model>)> {
    let mut all = vec![
        ("tumbler".to_string(), tumbler()),
        ("rods".to_string(), double_pendulum_of_rods()),
        ("four-bar".to_string(), four_bar(false)),
        ("four-bar in space".to_string(), four_bar(true)),
        ("damped".to_string(), damped()),
        ("shaken".to_string(), shaken()),
    ];
    for seed in 0..4 {
        for world in [MotionSpace::Space, MotionSpace::Flat, MotionSpace::Rigid] {
            let name = format!("tree {seed} {world:?}");
            all.push((name, closed_tree(&mut Rng::new(seed), 4, world, false).build().unwrap()));
        }
    }
    all.into_iter().map(|(name, model)| (name, Arc::new(model))).collect()
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

/// A rod on a ball joint with a spring, a damper and drag.
fn damped() -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut rod = Body { pos: vec3(0.5, 0.0, 0.0), omega: vec3(3.0, 1.0, 2.0), ..Body::rod(1.0, 1.0, 0.1) };
    rod.vel = rod.omega.cross(rod.pos);
    let rod = parts.add_body(rod);
    parts.add_joint(Joint::at(JointKind::Spherical, Ground, rod, Vec3::ZERO, Vec3::Z));
    let law = Spring { stiffness: 40.0, damping: 3.0, rest_length: 0.5 };
    parts.add_force(Force::spring(Ground, [0.5, 1.0, 0.5], rod, [0.5, 0.0, 0.0], law));
    parts.add_force(Force::drag(
        rod,
        [0.5, 0.0, 0.0],
        Drag { linear: 0.3, quadratic: 0.2, ..Drag::default() },
    ));
    parts.build().unwrap()
}

#[test]
fn halving_the_step_divides_the_error_by_four() {
    let until = 0.1;
    for (name, model) in problems() {
        let exact = end(&model, Integrator::Rk4, until, 2000);
        let error = |n: u32| largest_difference(&end(&model, Integrator::Rattle, until, n), &exact);
        let (coarse, fine) = (error(400), error(800));
        let order = (coarse / fine).log2();
        println!("{name}: {coarse:.2e} → {fine:.2e}, order {order:.3}");
        assert!((order - 2.0).abs() < 0.05, "{name}: order {order}");
    }
}

#[test]
fn running_back_returns_to_the_start() {
    for (name, model) in problems() {
        if name == "damped" || name == "shaken" {
            continue; // heat does not flow back, nor does the time of the shaker
        }
        let mut sim = start(model.clone(), Integrator::Rattle);
        let begin = sim.state().clone();
        let reverse = |sim: &mut Simulation| {
            let mut state: State = sim.state().clone();
            state.velocities_mut().iter_mut().for_each(|v| *v = -*v);
            sim.restore(&state).unwrap();
        };
        let energy = sim.energy().mechanical();
        for _ in 0..200 {
            sim.step(2e-3).unwrap();
        }
        let broken = (sim.energy().mechanical() - energy).abs();
        let away = largest_difference(sim.state().coordinates(), begin.coordinates());
        reverse(&mut sim);
        for _ in 0..200 {
            sim.step(2e-3).unwrap();
        }
        reverse(&mut sim);
        let off = largest_difference(sim.state().coordinates(), begin.coordinates())
            .max(largest_difference(sim.state().velocities(), begin.velocities()));
        println!("{name}: went {away:.2}, energy off by {broken:.1e}, came back to {off:.1e}");
        // Roundings of 400 steps (velocities: of positions, over h), as far as the motion amplifies
        // them.
        assert!(off < 1e-9, "{name}: came back to {off:e}");
        assert!(away > 1e-2, "{name}: it moved");
    }
}

#[test]
fn energy_and_momentum_add_up_with_dampers() {
    let balance = |h: f64| {
        let mut sim = start(damped(), Integrator::Rattle);
        sim.run(2.0, h).unwrap();
        assert!(sim.energy().dissipated > 1.0);
        sim.balance()
    };
    let (coarse, fine) = (balance(4e-3), balance(2e-3));
    println!("{coarse:?}\n{fine:?}");
    // Impulses are booked exactly as they act: rounding.
    assert!(coarse.momentum_error < 1e-12, "momentum flows only as booked: {coarse:?}");
    let ratio = coarse.energy_error / fine.energy_error;
    assert!((3.5..4.5).contains(&ratio), "heat is booked to second order: {ratio}");
}

#[test]
fn a_damper_too_strong_for_the_step_is_an_error_that_names_the_body() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = parts.add_body(Body { vel: Vec3::X, ..Body::particle(1.0) }.named("ball"));
    parts.add_force(Force::drag(ball, [0.0; 3], Drag { linear: 1e5, ..Drag::default() }));
    let mut sim = start(parts.build().unwrap(), Integrator::Rattle);
    let before = sim.state().clone();
    match sim.step(1e-3) {
        Err(StepError::Unsettled { body, .. }) => assert_eq!(body, "ball"),
        other => panic!("{other:?}"),
    }
    assert_eq!(sim.state(), &before);
    sim.step(1e-6).unwrap();
}

#[test]
fn a_step_too_long_for_the_joints_is_an_error_that_leaves_the_state() {
    let mut sim = start(double_pendulum_of_rods(), Integrator::Rattle);
    sim.run(0.5, 1e-2).unwrap();
    let before = sim.state().clone();
    let error = sim.step(5.0).unwrap_err();
    assert!(matches!(error, StepError::CannotClose { .. } | StepError::NotFinite { .. }), "{error}");
    assert_eq!(sim.state(), &before);
}

#[test]
fn a_workspace_can_be_dropped_and_rods_and_rows_agree() {
    let model = Arc::new(double_pendulum_of_rods());
    let settings = Settings { integrator: Integrator::Rattle, ..Settings::default() };
    let mut kept = start(model.clone(), Integrator::Rattle);
    let mut state = kept.state().clone();
    for _ in 0..50 {
        kept.step(1e-3).unwrap();
        let mut fresh = Simulation::with_settings(model.clone(), settings).unwrap();
        fresh.restore(&state).unwrap();
        fresh.step(1e-3).unwrap();
        state = fresh.state().clone();
    }
    assert_eq!(kept.state(), &state);
    // The elimination by rows gives the same motion.
    let rows = Settings { elimination: cardan::Elimination::Rows, ..settings };
    let mut sim = Simulation::with_settings(model, rows).unwrap();
    sim.assemble().unwrap();
    for _ in 0..50 {
        sim.step(1e-3).unwrap();
    }
    let off = largest_difference(sim.state().velocities(), state.velocities());
    // Fifty steps of rounding, with two eliminations.
    assert!(off < 1e-11, "{off:e}");
}

/// A constant force on a free body: its work is the kinetic energy, for any step.
#[test]
fn the_work_of_a_force_is_booked_to_the_order_of_the_rule() {
    use cardan::{Constant, Heading};
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let body = parts.add_body(Body::particle(1.0));
    let law = Constant { force: vec3(1.0, 0.0, 0.0), torque: Vec3::ZERO, heading: Heading::World };
    parts.add_force(Force::constant(body, Vec3::ZERO, law));
    let mut sim = start(parts.build().unwrap(), Integrator::Rattle);
    sim.run(1.0, 0.01).unwrap();
    let energy = sim.energy();
    // Constant force: a symmetric method of second order is exact; 100 steps of rounding.
    assert!((energy.kinetic - 0.5).abs() < 1e-13 && (energy.work - 0.5).abs() < 1e-13, "{energy:?}");
}
