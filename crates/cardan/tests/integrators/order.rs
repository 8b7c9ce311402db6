//! Time: order of the integrators, stabilisation of joints, and what a step changes and leaves
//! unchanged.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::End::Ground;
use cardan::math::{Quat, Vec3, vec3};
use cardan::step::{Stage, step};
use cardan::{
    Body, BodyId, End, Force, ForceLaw, ForceOutput, Frame, FrameMotion, Gravity, Integrator, Joint,
    JointKind, Model, ModelBuilder, Settings, Simulation, SolidShape, Stabilization, State, StepError,
    Workspace, Wrench,
};
use cardan_testkit::{MotionSpace, Parts, Rng, closed_tree, largest_difference};
use nalgebra::DVector;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::common;

/// Three bodies in space: a ball joint, an oblique hinge, a slider; all of them tumbling.
fn spatial_mechanism() -> Parts {
    let mut rng = Rng::new(5);
    let body = |rng: &mut Rng| cardan_testkit::random_body(rng, cardan::BodyKind::Rigid);
    let mut parts = Parts { gravity: vec3(1.0, -2.0, -9.0), bodies: Vec::new(), joints: Vec::new() };
    let mut before = End::Ground;
    for (i, kind) in [JointKind::Spherical, JointKind::Revolute, JointKind::Prismatic].into_iter().enumerate()
    {
        let mut next = body(&mut rng);
        let in_b = Frame { pos: rng.vector(0.4), rot: rng.rotation() };
        let (pos, rot) = parts.bodies.last().map_or((Vec3::ZERO, Quat::IDENTITY), |b: &Body| (b.pos, b.rot));
        let in_a = Frame { pos: rng.vector(0.4), rot: rng.rotation() };
        next.rot = (rot * in_a.rot * in_b.rot.inverse()).renormalized();
        next.pos = pos + rot * in_a.pos - next.rot * in_b.pos;
        let id = End::Body(cardan::BodyId::of_index(i));
        let mut joint = Joint::between(kind, before, in_a, id, in_b);
        if kind == JointKind::Prismatic {
            joint = joint.with_spring(200.0, 0.0, 0.1);
        }
        parts.joints.push(joint);
        parts.bodies.push(next);
        before = id;
    }
    parts
}

fn run(model: &Arc<Model>, integrator: Integrator, until: f64, h: f64) -> Vec<f64> {
    let settings = Settings { integrator, ..Settings::default() };
    let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
    sim.run(until, h).unwrap();
    [sim.state().coordinates(), sim.state().velocities()].concat()
}

#[test]
fn halving_the_step_divides_the_error_by_two_to_the_order() {
    let model = Arc::new(spatial_mechanism().build().unwrap());
    let until = 0.25;
    let exact = run(&model, Integrator::Rk4, until, until / 8192.0);
    for (integrator, divisions, order) in [
        (Integrator::ExplicitEuler, 4096, 1.0),
        (Integrator::SemiImplicitEuler, 4096, 1.0),
        (Integrator::Rk4, 128, 4.0),
    ] {
        let error = |n: u32| largest_difference(&run(&model, integrator, until, until / n as f64), &exact);
        let (coarse, fine) = (error(divisions), error(2 * divisions));
        let measured = (coarse / fine).log2();
        println!("{integrator:?}: {coarse:e} → {fine:e}, order {measured:.3}");
        // One part in eight of 2ᵖ, as higher terms have not quite vanished.
        assert!((measured - order).abs() < 0.17, "{integrator:?}: order {measured}, not {order}");
    }
}

#[test]
fn tumbling_knows_no_singular_orientation() {
    // The same tumbling seen from many directions, including the singular ones of every set of
    // Euler angles: the motion must be equal up to the rotation. Rounding grows along the path;
    // 1e-9 is far below the effect of any singularity.
    let parts = spatial_mechanism();
    let until = 2.0;
    let poses = |parts: &Parts| -> Vec<(Vec3, Vec3)> {
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.run(until, 1e-3).unwrap();
        let now = sim.kinematics();
        (0..parts.bodies.len())
            .map(|i| {
                (
                    now.body(BodyId::of_index(i)).position,
                    now.body(BodyId::of_index(i)).orientation * vec3(0.3, -0.5, 0.8),
                )
            })
            .collect()
    };
    let plain = poses(&parts);
    let quarter = core::f64::consts::FRAC_PI_2;
    let mut turns: Vec<Quat> = Vec::new();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for k in 1..4 {
            turns.push(Quat::exp(axis * (quarter * k as f64)));
        }
    }
    turns.extend((0..6).map(|seed| Rng::new(seed).rotation()));
    for turn in turns {
        for (i, (x, y)) in poses(&parts.moved(Vec3::ZERO, turn)).iter().zip(&plain).enumerate() {
            let off = (x.0 - turn * y.0).largest().max((x.1 - turn * y.1).largest());
            assert!(off < 1e-9, "turned by {turn:?}, body {i} is off by {off:e}");
        }
    }
}

#[test]
fn a_free_body_passes_every_orientation_without_losing_energy_or_momentum() {
    // Asymmetric, tumbling about the middle axis: it turns over repeatedly (Dzhanibekov) and so
    // visits all orientations.
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let mut body = Body::solid(cardan::SolidShape::Box { size: [0.3, 0.2, 0.1] }, 2.0);
    body.omega = vec3(1.0, 8.0, 2.0);
    parts.add_body(body);
    let mut sim = Simulation::new(parts.build().unwrap());
    let (energy, momentum) = (sim.energy().kinetic, sim.momentum().angular);
    // The octants that the three body axes have visited.
    let mut seen = [[false; 8]; 3];
    for _ in 0..40_000 {
        sim.step(1e-3).unwrap();
        let axes = sim.kinematics().body(BodyId::of_index(0)).orientation.matrix();
        for (axis, seen) in [axes.x, axes.y, axes.z].iter().zip(&mut seen) {
            let octant = (axis.x > 0.0) as usize + 2 * (axis.y > 0.0) as usize + 4 * (axis.z > 0.0) as usize;
            seen[octant] = true;
        }
    }
    // One of the outer axes circles around the angular momentum and never points away from it.
    let visited = seen.iter().flatten().filter(|&&s| s).count();
    assert!(visited >= 20, "only {visited} of 24 octants: {seen:?}");
    let (off, off_momentum) = (
        (sim.energy().kinetic - energy) / energy,
        (sim.momentum().angular - momentum).norm() / momentum.norm(),
    );
    // (ω h)⁴ of local error, 40 000 steps, at ω = 8 rad/s and h = 1 ms: some 1e-10 · 40.
    assert!(off.abs() < 1e-8 && off_momentum < 1e-8, "energy off by {off:e}, momentum by {off_momentum:e}");
    let [w, x, y, z] = sim.kinematics().body(BodyId::of_index(0)).orientation.to_wxyz();
    assert!((w * w + x * x + y * y + z * z - 1.0).abs() < 4.0 * f64::EPSILON);
}

/// A bead of 1 kg in the x–y plane on a circle of radius 1 about the origin, no gravity.
fn bead(pos: Vec3, vel: Vec3) -> Model {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let bead = parts.add_body(Body { pos, vel, ..Body::planar_particle(1.0) });
    parts.add_joint(Joint::at(JointKind::BeadOnCircle { radius: 1.0 }, Ground, bead, Vec3::ZERO, Vec3::Z));
    parts.build().unwrap()
}

#[test]
fn baumgarte_feedback_closes_an_open_bead_as_the_closed_form_says() {
    // C̈ = −2 α Ċ − β² C holds exactly for C itself (S2.9), for any motion along the wire.
    for (alpha, beta) in [(5.0, 5.0), (2.0, 7.0), (9.0, 6.0)] {
        let stabilization = Stabilization::Baumgarte { alpha, beta };
        let settings = Settings { stabilization, ..Settings::default() };
        let (x, v) = (vec3(1.1, 0.2, 0.0), vec3(-0.3, 0.8, 0.0));
        let (c0, c1) = (0.5 * (x.dot(x) - 1.0), x.dot(v));
        let exact = |t: f64| -> f64 {
            let disc = alpha * alpha - beta * beta;
            let k = (c1 + alpha * c0, disc.abs().sqrt());
            let shape = if disc == 0.0 {
                c0 + k.0 * t
            } else if disc < 0.0 {
                c0 * (k.1 * t).cos() + k.0 / k.1 * (k.1 * t).sin()
            } else {
                c0 * (k.1 * t).cosh() + k.0 / k.1 * (k.1 * t).sinh()
            };
            (-alpha * t).exp() * shape
        };
        let mut sim = Simulation::with_settings(bead(x, v), settings).unwrap();
        let mut worst: f64 = 0.0;
        for _ in 0..3000 {
            sim.step(1e-3).unwrap();
            let q = sim.state().coordinates();
            let c = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
            worst = worst.max((c - exact(sim.time())).abs());
        }
        // RK4 on rates of 10/s: (10 · 1e-3)⁴/120 per unit of time.
        assert!(worst < 1e-9, "alpha {alpha}, beta {beta}: C is off its law by {worst:e}");
        assert!(exact(3.0).abs() < 3e-3, "the law itself returns to the wire");
    }
}

#[test]
fn without_feedback_the_circle_becomes_an_outward_spiral_and_projection_stays_on_it() {
    let run = |stabilization| {
        let settings =
            Settings { integrator: Integrator::ExplicitEuler, stabilization, ..Settings::default() };
        let mut sim = Simulation::with_settings(bead(Vec3::X, Vec3::Y), settings).unwrap();
        let mut radii = Vec::new();
        for _ in 0..2000 {
            sim.step(5e-3).unwrap();
            let q = sim.state().coordinates();
            radii.push((q[0] * q[0] + q[1] * q[1]).sqrt());
        }
        radii
    };
    let free = run(Stabilization::None);
    assert!(free.windows(2).all(|r| r[1] > r[0]), "every turn leads further out");
    assert!(free[1999] > 1.02, "only to {}", free[1999]);
    let held = run(Stabilization::Projection);
    let worst = held.iter().map(|r| (r - 1.0).abs()).fold(0.0, f64::max);
    // Projection ends at rounding of 1 m.
    assert!(worst < 1e-14, "projected bead leaves the wire by {worst:e}");
}

/// A closed tree under the default settings, its velocities not yet consistent.
fn tree(seed: u64) -> Arc<Model> {
    Arc::new(closed_tree(&mut Rng::new(seed), 6, MotionSpace::Space, false).build().unwrap())
}

fn assembled(model: &Arc<Model>, state: &State) -> State {
    let mut sim = Simulation::new(model.clone());
    sim.restore(state).unwrap();
    sim.assemble().unwrap();
    sim.state().clone()
}

#[test]
fn projection_leaves_velocities_along_the_freedoms_unchanged() {
    for seed in 0..40 {
        let model = tree(seed);
        let fits = assembled(&model, model.initial_state());
        let mut sim = Simulation::new(model.clone());
        sim.restore(&fits).unwrap();
        let now = sim.evaluate().unwrap();
        let (mass, jac) = common::dense(now.system());
        // A velocity jump by joint impulses alone: M⁻¹ Jᵀ μ. Projection must remove all of it, and
        // nothing else.
        let mut rng = Rng::new(seed + 1000);
        let mu = DVector::from_fn(jac.nrows(), |_, _| rng.range(-1.0, 1.0));
        let kick = mass.cholesky().unwrap().solve(&(jac.transpose() * mu));
        let mut kicked = fits.clone();
        kicked.velocities_mut().iter_mut().zip(kick.iter()).for_each(|(v, k)| *v += k);
        let after = assembled(&model, &kicked);
        let off = largest_difference(after.velocities(), fits.velocities());
        // Rounding of speeds of about 10 m/s times the condition number of six bodies.
        assert!(off < 1e-11 * (1.0 + kick.amax()), "seed {seed}: freedoms moved by {off:e}");
        assert!(kick.amax() > 0.1, "a kick worth the name");
    }
}

#[test]
fn projection_makes_the_smallest_correction_in_the_mass_metric() {
    // min ½ Δᵀ M Δ  with  J Δ = −e:  the KKT matrix, solved by another library.
    let smallest = |sim: &mut Simulation, velocity: bool| -> DVector<f64> {
        let now = sim.evaluate().unwrap();
        let (mass, jac) = common::dense(now.system());
        let (n, m) = (mass.nrows(), jac.nrows());
        let mut kkt = nalgebra::DMatrix::<f64>::zeros(n + m, n + m);
        kkt.view_mut((0, 0), (n, n)).copy_from(&mass);
        kkt.view_mut((0, n), (n, m)).copy_from(&jac.transpose());
        kkt.view_mut((n, 0), (m, n)).copy_from(&jac);
        let error = if velocity { now.velocity_errors() } else { now.position_errors() };
        let mut right = DVector::zeros(n + m);
        for (r, e) in error.iter().enumerate() {
            right[n + r] = -e;
        }
        kkt.full_piv_lu().solve(&right).unwrap().rows(0, n).into_owned()
    };
    for seed in 0..40 {
        let model = tree(seed);
        let mut sim = Simulation::new(model.clone());
        let change = smallest(&mut sim, true);
        let expected: Vec<f64> =
            model.initial_state().velocities().iter().zip(change.iter()).map(|(v, d)| v + d).collect();
        let fits = assembled(&model, model.initial_state());
        let off = largest_difference(fits.velocities(), &expected);
        // A dense solve of another library: rounding of speeds of some ten m/s times the condition
        // number of six bodies.
        assert!(off < 1e-10, "seed {seed}: velocities off the smallest correction by {off:e}");

        // Positions: equal to first order; the remainder is the curvature times the square of the
        // displacement.
        let mut rng = Rng::new(seed + 500);
        let size = 1e-5;
        let mut open = fits.clone();
        let shift: Vec<f64> = (0..model.counts().coordinates).map(|_| rng.range(-size, size)).collect();
        open.displace(&model, &shift);
        sim.restore(&open).unwrap();
        let change = smallest(&mut sim, false);
        let mut expected = open.clone();
        expected.displace(&model, change.as_slice());
        let closed = assembled(&model, &open);
        let off = largest_difference(closed.coordinates(), expected.coordinates());
        assert!(off < 300.0 * size * size, "seed {seed}: poses off the smallest correction by {off:e}");
        assert!(change.amax() > 0.1 * size, "seed {seed}: there was something to correct");
    }
}

/// Returns NaN once its countdown has reached zero.
#[derive(Debug)]
struct Faulty(Arc<AtomicI64>);

impl ForceLaw for Faulty {
    fn apply(&self, _time: f64, _frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            out.wrench[0] = Wrench { force: vec3(f64::NAN, 0.0, 0.0), torque: Vec3::ZERO };
        }
    }
}

fn faulty_pendulum(start: Vec3) -> (Simulation, Arc<AtomicI64>) {
    let countdown = Arc::new(AtomicI64::new(0));
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let ball = parts.add_body(Body { pos: start, ..Body::particle(1.0) });
    parts.add_joint(Joint::distance(Ground, [0.0; 3], ball, [0.0; 3], 1.0));
    let frames = vec![(End::Body(ball), Frame::default())];
    parts.add_force(Force::user(frames, Faulty(countdown.clone())).named("thruster"));
    (Simulation::new(parts.build().unwrap()), countdown)
}

fn bits(state: &State) -> Vec<u64> {
    let numbers = state.coordinates().iter().chain(state.velocities()).chain([&state.time]);
    numbers.map(|x| x.to_bits()).collect()
}

#[test]
fn a_failed_step_leaves_the_state_bit_for_bit_and_names_the_force() {
    let (mut sim, countdown) = faulty_pendulum(vec3(0.6, 0.0, -0.8));
    for _ in 0..10 {
        sim.step(1e-3).unwrap();
    }
    let before = sim.state().clone();
    countdown.store(3, Ordering::Relaxed);
    match sim.step(1e-3) {
        Err(StepError::ForceNotFinite { force, stage, .. }) => {
            assert_eq!((force.as_str(), stage), ("thruster", Stage::Inner(3)));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!((bits(sim.state()), sim.state()), (bits(&before), &before));
    // The run continues as if it had never happened.
    let (mut twin, _) = faulty_pendulum(vec3(0.6, 0.0, -0.8));
    for _ in 0..20 {
        twin.step(1e-3).unwrap();
    }
    for _ in 0..10 {
        sim.step(1e-3).unwrap();
    }
    assert_eq!(sim.state(), twin.state());
}

#[test]
fn a_failed_first_step_does_not_even_assemble() {
    let (mut sim, countdown) = faulty_pendulum(vec3(0.7, 0.0, -0.8));
    let before = sim.state().clone();
    let balance = sim.balance();
    // The energy of the assembled state is measured first; the step itself comes second.
    countdown.store(2, Ordering::Relaxed);
    sim.step(1e-3).unwrap_err();
    assert_eq!(sim.balance(), balance);
    assert_eq!(sim.state(), &before);
    sim.step(0.0).unwrap_err();
    assert_eq!(sim.state(), &before);
    assert_eq!(sim.certificate(), cardan::Certificate::default());
    sim.step(1e-3).unwrap();
    // Projection ends at rounding of 1 m.
    assert!(sim.certificate().max_position_error < 1e-14);
}

#[test]
fn an_energy_that_is_not_a_number_is_a_failed_step_too() {
    #[derive(Debug)]
    struct Lost;
    impl ForceLaw for Lost {
        fn apply(&self, time: f64, _frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
            out.dissipated_power = if time > 0.5 { f64::NAN } else { 0.0 };
        }
    }
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = parts.add_body(Body::particle(1.0));
    parts.add_force(Force::user(vec![(End::Body(ball), Frame::default())], Lost).named("brake"));
    let mut sim = Simulation::new(parts.build().unwrap());
    let error = sim.run(1.0, 1e-2).unwrap_err();
    assert!(matches!(&error, StepError::ForceNotFinite { force, .. } if force == "brake"), "{error}");
    assert!(sim.energy().dissipated == 0.0 && sim.time() > 0.45);
}

#[test]
fn a_step_that_is_not_a_positive_number_is_an_error() {
    let (mut sim, _) = faulty_pendulum(vec3(0.6, 0.0, -0.8));
    sim.assemble().unwrap();
    let before = sim.state().clone();
    for h in [0.0, -1e-3, f64::NAN, f64::INFINITY, -0.0] {
        let error = sim.step(h).unwrap_err();
        assert!(matches!(error, StepError::BadStep { .. }), "{h}: {error}");
        assert_eq!(sim.state(), &before);
    }
}

#[test]
fn a_workspace_can_be_dropped_at_any_time() {
    for seed in 0..5 {
        let model = Arc::new(closed_tree(&mut Rng::new(seed), 6, MotionSpace::Flat, false).build().unwrap());
        let settings = Settings::default();
        let mut kept_state = assembled(&model, model.initial_state());
        let mut fresh_state = kept_state.clone();
        let mut kept = Workspace::new(&model, &settings).unwrap();
        for _ in 0..50 {
            step(&model, &settings, &mut kept_state, 1e-3, &mut kept).unwrap();
            let mut fresh = Workspace::new(&model, &settings).unwrap();
            step(&model, &settings, &mut fresh_state, 1e-3, &mut fresh).unwrap();
        }
        assert_eq!((bits(&kept_state), &kept_state), (bits(&fresh_state), &fresh_state), "seed {seed}");
    }
}

#[test]
fn going_on_from_a_snapshot_is_the_unbroken_run_bit_for_bit() {
    for seed in 0..5 {
        let model = tree(seed);
        let mut unbroken = Simulation::new(model.clone());
        unbroken.run(0.05, 1e-3).unwrap();
        let snapshot = unbroken.state().clone();
        unbroken.run(0.1, 1e-3).unwrap();
        let end = unbroken.state().clone();

        // Restored, and in a simulation that has never run.
        for mut sim in [unbroken, Simulation::new(model.clone())] {
            sim.restore(&snapshot).unwrap();
            sim.run(0.1, 1e-3).unwrap();
            assert_eq!((bits(sim.state()), sim.state()), (bits(&end), &end), "seed {seed}");
            // Truncation of RK4 at 1 ms of tumbling trees.
            assert!(
                sim.balance().energy_error < 1e-6 && sim.balance().momentum_error < 1e-6,
                "{:?}",
                sim.balance()
            );
        }
    }
}

#[test]
fn assembly_is_no_impulse_from_outside() {
    // Inconsistent velocities of a pendulum are projected before accounting starts.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let ball =
        parts.add_body(Body { pos: vec3(0.6, 0.0, -0.8), vel: vec3(3.0, 1.0, 2.0), ..Body::particle(1.0) });
    parts.add_joint(Joint::distance(Ground, [0.0; 3], ball, [0.0; 3], 1.0));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(0.1, 1e-3).unwrap();
    let balance = sim.balance();
    // Truncation of RK4 at 1 ms and 3 rad/s over 0.1 s: (3e-3)⁴/120, and rounding.
    assert!(balance.momentum_error < 1e-10 && balance.energy_error < 1e-10, "{balance:?}");
}

/// Equal sizes do not mean that a state belongs to a model.
#[test]
fn a_state_of_another_structure_is_refused_and_of_other_numbers_taken() {
    let model = |kind: JointKind, mass: f64, swapped: bool| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let ball = || Body::solid(SolidShape::Sphere { radius: 0.1 }, mass);
        let first = parts.add_body(Body { pos: vec3(1.0, 0.0, 0.0), ..ball() });
        let second = parts.add_body(Body { pos: vec3(2.0, 0.0, 0.0), ..ball() });
        let (near, far) = if swapped { (second, first) } else { (first, second) };
        parts.add_joint(Joint::at(kind, Ground, near, [0.0; 3], [0.0, 1.0, 0.0]));
        parts.add_joint(Joint::at(kind, near, far, [1.5, 0.0, 0.0], [0.0, 1.0, 0.0]));
        parts.build().unwrap()
    };
    let of = |kind, mass, swapped| Simulation::new(model(kind, mass, swapped));
    let mut sim = of(JointKind::Revolute, 1.0, false);
    sim.step(1e-3).unwrap();
    let state = sim.state().clone();
    let refused = |mut other: Simulation| {
        let before = other.state().clone();
        let error = other.restore(&state).unwrap_err();
        assert!(matches!(error, StepError::OtherModel), "{error}");
        assert_eq!(*other.state(), before);
    };
    // All of these have equal numbers of coordinates, velocities, turns and joints.
    refused(of(JointKind::Revolute, 1.0, true));
    refused(of(JointKind::Aligned, 1.0, false));
    let mut heavier = of(JointKind::Revolute, 2.0, false);
    heavier.restore(&state).unwrap();
    assert_eq!(heavier.state_hash(), sim.state_hash());
    heavier.step(1e-3).unwrap();
}

#[test]
fn a_time_that_never_comes_is_an_error() {
    let (mut sim, _) = faulty_pendulum(vec3(0.6, 0.0, -0.8));
    for until in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = sim.run(until, 1e-3).unwrap_err();
        assert!(matches!(error, StepError::BadTime { .. }), "{until}: {error}");
    }
    assert_eq!(sim.run(-1.0, 1e-3).unwrap(), 0);
}
