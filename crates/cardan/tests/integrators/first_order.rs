//! First-order dynamics f = m v: forces give velocities, and without force nothing moves.
#![allow(clippy::disallowed_methods, reason = "what is expected needs no reproducible bits")]

use crate::common::dense;
use cardan::End::Ground;
use cardan::contact::Shape;
use cardan::joint::EffortKind;
use cardan::joint::effort::{DryFriction, Servo};
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, BodyId, Constant, ContactShape, Coordinates, Drag, Drive, DriveMode, Effort, Elimination, Force,
    Goal, Gravity, Heading, Integrator, Joint, JointId, JointLimit, JointSpring, Law, Material, Model,
    ModelBuilder, Settings, Simulation, SolverChoice, Spring, Stabilization, StepError,
};
use cardan_testkit::{CountingAllocator, MotionSpace, Rng, closed_loops, largest, largest_difference};
use nalgebra::DVector;
use std::sync::Arc;

fn first_order() -> Settings {
    Settings { integrator: Integrator::FirstOrder, ..Settings::default() }
}

fn start(parts: ModelBuilder) -> Simulation {
    Simulation::with_settings(parts.build().expect("a model"), first_order()).expect("a solver")
}

fn still() -> ModelBuilder {
    ModelBuilder::new(Gravity::ZERO)
}

fn at(angle: f64, r: f64) -> Vec3 {
    vec3(r * angle.cos(), r * angle.sin(), 0.0)
}

/// A slender rod in the plane from p to q.
fn rod(mass: f64, p: Vec3, q: Vec3) -> Body {
    let (way, middle) = (q - p, (p + q) * 0.5);
    let rot = Quat::exp(vec3(0.0, 0.0, way.y.atan2(way.x)));
    Body { pos: middle, rot, ..Body::planar(mass, mass * way.dot(way) / 12.0) }
}

/// A closed chain of rods: a five-bar, with two freedoms.
fn five_bar(parts: &mut ModelBuilder) -> Vec<BodyId> {
    let pins =
        [Vec3::ZERO, vec3(-0.3, 0.5, 0.0), vec3(0.4, 1.0, 0.0), vec3(1.2, 0.55, 0.0), vec3(1.0, 0.0, 0.0)];
    let mut last = Ground;
    let mut bars = Vec::new();
    for pair in pins.windows(2) {
        let bar = parts.add_body(rod(1.0 + bars.len() as f64, pair[0], pair[1]));
        parts.add_joint(Joint::revolute(last, bar, pair[0], Vec3::Z));
        last = bar.into();
        bars.push(bar);
    }
    parts.add_joint(Joint::revolute(last, Ground, pins[4], Vec3::Z));
    bars
}

/// The velocity nearest to M⁻¹ F among those with J v = 0, in the norm of M, by singular values.
fn nearest(sim: &mut Simulation) -> Vec<f64> {
    let now = sim.evaluate().expect("an answer");
    let (mass, jac) = dense(now.system());
    let force = DVector::from_column_slice(now.system().force());
    let inverse = mass.try_inverse().expect("masses");
    let free = &inverse * force;
    let across = &jac * &inverse * jac.transpose();
    let size = across.iter().fold(0.0_f64, |w, x| w.max(x.abs()));
    let push = across.svd(true, true).solve(&(&jac * &free), 1e-11 * size).expect("both sides");
    (free - inverse * jac.transpose() * push).as_slice().to_vec()
}

#[test]
fn velocities_are_the_nearest_to_f_over_m_that_joints_allow_by_every_solver() {
    for seed in 0..24 {
        let mut rng = Rng::new(seed);
        let world = [
            MotionSpace::Space,
            MotionSpace::Rigid,
            MotionSpace::Flat,
            MotionSpace::Planar,
            MotionSpace::FlatRigid,
        ][seed as usize % 5];
        let model = Arc::new(closed_loops(&mut rng, 7, 2, world, seed % 3 == 0).build().expect("a model"));
        let usual = first_order();
        let mut wanted: Option<Vec<f64>> = None;
        for settings in [
            usual,
            Settings { elimination: Elimination::Rows, ..usual },
            Settings { solver: SolverChoice::Sparse, ..usual },
            Settings { solver: SolverChoice::Dense, ..usual },
        ] {
            let mut sim = Simulation::with_settings(model.clone(), settings).expect("a solver");
            if let Err(error) = sim.assemble() {
                panic!("seed {seed}: {error}");
            }
            let wanted = wanted.get_or_insert_with(|| nearest(&mut sim));
            let off = largest_difference(sim.state().velocities(), wanted);
            // Rounding times the condition number of random mechanisms, by singular values.
            assert!(
                off < 1e-8 * (1.0 + largest(wanted)),
                "seed {seed}, {world:?}: {off:e} by {}",
                sim.diagnostics().solver_name()
            );
            let now = sim.evaluate().expect("an answer");
            assert!(now.accelerations().iter().all(|a| a.is_nan()), "there are none");
            // The residual of one solve; velocities are on the rows to rounding.
            assert!(now.equation_residual() < 1e-11, "seed {seed}: {:e}", now.equation_residual());
            assert!(largest(now.velocity_errors()) < 1e-12 * (1.0 + largest(wanted)), "seed {seed}");
        }
    }
}

#[test]
fn velocities_of_the_start_mean_nothing() {
    let make = |spin: f64| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let omega = vec3(spin, 2.0 * spin, -spin);
        let top = Body { rot: Quat::exp(vec3(0.3, 0.4, 0.5)), omega, ..Body::rod(1.0, 0.5, 0.05) };
        let id = parts.add_body(top.clone());
        parts.add_joint(Joint::spherical(Ground, id, vec3(-0.2, 0.1, 0.0)));
        let mut sim = start(parts);
        sim.run(0.2, 1e-3).expect("a run");
        sim.state_hash()
    };
    assert_eq!(make(0.0), make(30.0));
}

/// x = x∞ + (x₀ − x∞) exp(−k t/m) for any damper: dampers belong to second-order dynamics.
#[test]
fn a_spring_decays_at_k_over_m_and_dashpots_are_absent() {
    for damping in [0.0, 7.0] {
        let mut parts = still();
        let bead = parts.add_body(Body { pos: vec3(1.0, 0.0, 0.0), ..Body::particle(2.0) });
        let spring = Spring { stiffness: 6.0, damping, rest_length: 0.25 };
        parts.add_force(Force::spring(Ground, Vec3::ZERO, bead, Vec3::ZERO, spring));
        parts.add_force(Force::drag(bead, Vec3::ZERO, Drag { linear: damping, ..Drag::default() }));
        let mut sim = start(parts);
        sim.run(0.5, 1e-2).expect("a run");
        let wanted = 0.25 + 0.75 * (-3.0_f64 * 0.5).exp();
        let now = sim.evaluate().expect("an answer");
        // k h/m = 0.03: RK4 leaves (0.03)⁵/120 a step, fifty times, of 0.75 m.
        assert!(
            (now.body(BodyId::of_index(0)).position.x - wanted).abs() < 2e-8,
            "{}",
            now.body(BodyId::of_index(0)).position.x - wanted
        );
        assert!((now.body(BodyId::of_index(0)).velocity.x + 3.0 * (wanted - 0.25)).abs() < 6e-8);
        let (energy, balance) = (sim.energy(), sim.balance());
        assert_eq!((energy.kinetic, energy.work), (0.0, 0.0));
        // The energy that the spring has lost is ∫ m v², known to the same order.
        assert!((energy.dissipated - 3.0 * (0.75_f64.powi(2) - (wanted - 0.25_f64).powi(2))).abs() < 1e-6);
        assert!(balance.energy_error < 1e-7 && balance.momentum_error == 0.0, "{balance:?}");
    }
}

#[test]
fn a_step_too_long_for_a_stiff_spring_is_taken_in_parts() {
    let mut parts = still();
    let bead = parts.add_body(Body { pos: vec3(1.0, 0.0, 0.0), ..Body::particle(1e-3) });
    let spring = Spring { stiffness: 500.0, damping: 0.0, rest_length: 0.0 };
    parts.add_force(Force::spring(Ground, Vec3::ZERO, bead, Vec3::ZERO, spring));
    let mut sim = start(parts);
    // k h/m = 500.
    sim.run(0.01, 1e-3).expect("a run");
    assert!(sim.diagnostics().work_counts().divided > 0);
    assert!(sim.evaluate().expect("an answer").body(BodyId::of_index(0)).position.x.abs() < 1e-6);
}

#[test]
fn a_linkage_falls_downhill_only_and_accounts_for_it() {
    let run = |h: f64, settings: Settings| {
        let mut parts = ModelBuilder::new(Gravity::new(0.3, -0.5, 0.0));
        five_bar(&mut parts);
        let mut sim =
            Simulation::with_settings(parts.build().expect("a five-bar"), settings).expect("a solver");
        let mut last = sim.energy().potential;
        while sim.next_step(0.5, h).is_some() {
            sim.step_toward(0.5, h).expect("a step");
            let potential = sim.energy().potential;
            assert!(potential < last);
            last = potential;
        }
        let certificate = sim.certificate();
        // Projection ends at rounding of positions and speeds of about one.
        assert!(
            certificate.max_position_error < 1e-14 && certificate.max_velocity_error < 1e-13,
            "{certificate:?}"
        );
        assert!(certificate.max_equation_residual < 1e-12, "{certificate:?}");
        (sim.state().coordinates().to_vec(), sim.balance().energy_error)
    };
    let usual = first_order();
    let (exact, _) = run(1e-3, usual);
    let errors: Vec<(f64, f64)> =
        [0.05, 0.025].map(|h| run(h, usual)).map(|(q, e)| (largest_difference(&q, &exact), e)).into();
    // Of fourth order, for poses and accounts alike.
    let [order, of_energy] = [errors[0].0 / errors[1].0, errors[0].1 / errors[1].1].map(f64::log2);
    assert!((3.6..4.6).contains(&order) && of_energy > 3.6, "order {order}, {of_energy}: {errors:?}");
    for other in [
        Settings { solver: SolverChoice::Sparse, ..usual },
        Settings { solver: SolverChoice::Dense, ..usual },
        Settings { solver: SolverChoice::ConjugateGradient, ..usual },
    ] {
        let (q, _) = run(0.025, other);
        // The same motion by other solvers: 20 steps of rounding, and the bound of conjugate
        // gradients.
        assert!(largest_difference(&q, &run(0.025, usual).0) < 1e-11);
    }
    // Feedback in place of projection: Ċ = −β C.
    let mut parts = ModelBuilder::new(Gravity::new(0.3, -0.5, 0.0));
    five_bar(&mut parts);
    let settings = Settings { stabilization: Stabilization::baumgarte(1e-3), ..usual };
    let mut sim = Simulation::with_settings(parts.build().expect("a five-bar"), settings).expect("a solver");
    sim.run(0.5, 1e-3).expect("a run");
    // Feedback leaves Ċ = −β C, of the order of the step's truncation.
    assert!(largest_difference(sim.state().coordinates(), &exact) < 1e-7);
}

/// A force until a given time.
fn pull(body: BodyId, point: Vec3, force: Vec3, until: f64) -> Force {
    let law = cardan::law::Expression::parse(&format!("1 - step(t - {until})")).expect("a law");
    let force = Constant { force, torque: Vec3::ZERO, heading: Heading::World };
    Force::scheduled(body, point, force, Law::Expression(law))
}

#[test]
fn without_force_first_order_motion_stops_at_once() {
    let mut parts = still();
    let bars = five_bar(&mut parts);
    parts.add_force(pull(bars[1], vec3(0.2, 0.1, 0.0), vec3(3.0, -1.0, 0.0), 0.4));
    let mut sim = start(parts);
    sim.run(0.39, 1e-2).expect("a run");
    assert!(largest(sim.state().velocities()) > 0.1);
    sim.run(0.4, 1e-2).expect("a run");
    assert!(sim.state().velocities().iter().all(|v| *v == 0.0), "{:?}", sim.state().velocities());
    let there = sim.state().coordinates().to_vec();
    sim.run(1.0, 1e-2).expect("a run");
    // Without force nothing moves; the balance is that of the motion before, to RK4 at 10 ms over
    // the energy of the start.
    assert!(largest_difference(sim.state().coordinates(), &there) < 1e-15);
    assert!(sim.balance().energy_error < 1e-12, "{:?}", sim.balance());
}

/// A driven mechanism of one freedom follows its drive in both dynamics; only the forces differ.
#[test]
fn a_driven_linkage_moves_as_with_accelerations() {
    let make = |settings: Settings| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let (b, c, d) = (at(0.7, 0.4), vec3(1.1, 0.95, 0.0), vec3(1.0, 0.0, 0.0));
        let [crank, coupler, rocker] =
            [(Vec3::ZERO, b), (b, c), (d, c)].map(|(p, q)| parts.add_body(rod(1.0, p, q)));
        let mut motor = Joint::revolute(Ground, crank, Vec3::ZERO, Vec3::Z);
        motor.drives.push(Drive { coordinate: 0, mode: DriveMode::Speed, law: Law::Constant(2.0) });
        parts.add_joint(motor);
        parts.add_joint(Joint::revolute(crank, coupler, b, Vec3::Z));
        parts.add_joint(Joint::revolute(coupler, rocker, c, Vec3::Z));
        parts.add_joint(Joint::revolute(Ground, rocker, d, Vec3::Z));
        let mut sim =
            Simulation::with_settings(parts.build().expect("a four-bar"), settings).expect("a solver");
        sim.run(1.0, 1e-3).expect("a run");
        sim
    };
    let mut exact = make(Settings::default());
    for settings in [first_order(), Settings { elimination: Elimination::Rows, ..first_order() }] {
        let mut sim = make(settings);
        // One freedom, and that is driven: poses are constraints; velocities follow from a solve.
        assert!(largest_difference(sim.state().coordinates(), exact.state().coordinates()) < 1e-10);
        assert!(largest_difference(sim.state().velocities(), exact.state().velocities()) < 1e-9);
        assert!(
            (sim.evaluate().expect("an answer").joint(JointId::of_index(0)).rates[0] - 2.0).abs() < 1e-12
        );
        // The drive's work becomes potential energy and heat.
        assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
        assert!((sim.energy().work - exact.energy().work).abs() > 0.1);
        assert!(sim.certificate().max_velocity_error < 1e-12);
    }
}

/// An arm whose hand is pulled to a point by a spring.
fn arm(target: Vec3) -> (ModelBuilder, BodyId) {
    let mut parts = still();
    let elbow = at(0.3, 1.0);
    let hand = elbow + at(1.1, 0.7);
    let upper = parts.add_body(rod(2.0, Vec3::ZERO, elbow));
    let fore = parts.add_body(rod(1.0, elbow, hand));
    parts.add_joint(Joint::revolute(Ground, upper, Vec3::ZERO, Vec3::Z));
    parts.add_joint(Joint::revolute(upper, fore, elbow, Vec3::Z));
    let spring = Spring { stiffness: 20.0, damping: 0.0, rest_length: 0.0 };
    parts.add_force(Force::spring(Ground, target, fore, vec3(0.35, 0.0, 0.0), spring));
    (parts, fore)
}

#[test]
fn dragging_an_arm_by_a_spring_is_inverse_kinematics() {
    for target in [vec3(1.2, 0.4, 0.0), vec3(-0.5, 0.9, 0.0), vec3(0.9, -0.6, 0.0)] {
        let (parts, _) = arm(target);
        let mut sim = start(parts);
        sim.run(20.0, 0.01).expect("a run");
        let elbow = sim.kinematics().joint(JointId::of_index(1)).coordinates[0] + 0.8;
        // The law of cosines, and the same pose by `reach`.
        let wanted = ((target.dot(target) - 1.0 - 0.49) / 1.4).acos();
        assert!((elbow.abs() - wanted).abs() < 1e-9, "{target:?}: {elbow} instead of {wanted}");
        let (parts, fore) = arm(target);
        let mut search = Simulation::new(parts.build().expect("an arm"));
        let found = search.reach(&Goal::point(fore, vec3(0.35, 0.0, 0.0), target)).expect("an answer");
        assert!(found.reached);
        for body in 0..2 {
            let off = sim.kinematics().body(BodyId::of_index(body)).position
                - search.kinematics().body(BodyId::of_index(body)).position;
            // The spring's motion has decayed to below 1e-9 m.
            assert!(off.norm() < 1e-9, "{target:?}: {off:?}");
        }
    }
    // Out of reach: stretched towards the target, and the joints carry the force.
    let (parts, _) = arm(vec3(1.5, 2.0, 0.0));
    let mut sim = start(parts);
    sim.run(40.0, 0.01).expect("a run");
    let now = sim.evaluate().expect("an answer");
    let pull = now.joint(JointId::of_index(0)).reaction.structural.force;
    // The remaining motion times the spring's stiffness, 20 N/m.
    assert!((pull + vec3(0.6, 0.8, 0.0) * (20.0 * 0.8)).norm() < 1e-7, "{pull:?}");
}

#[test]
fn efforts_of_joints_act_as_at_rest_and_their_work_is_booked() {
    let mut parts = still();
    let wheel = parts.add_body(Body::planar(1.0, 0.5));
    let mut hinge = Joint::revolute(Ground, wheel, Vec3::ZERO, Vec3::Z);
    let law = Law::Constant(1.0);
    hinge.efforts.push(Effort {
        coordinate: 0,
        kind: EffortKind::Servo(Servo { stiffness: 2.0, damping: 9.0, law, limit: 100.0 }),
    });
    hinge.efforts.push(Effort { coordinate: 0, kind: EffortKind::Law(Law::Constant(0.5)) });
    let viscous = DryFriction { viscous: 4.0, ..DryFriction::default() };
    hinge.efforts.push(Effort { coordinate: 0, kind: EffortKind::Friction(viscous) });
    hinge.springs.push(JointSpring {
        coordinate: 0,
        stiffness: 1.0,
        damping: 3.0,
        rest: 0.0,
        is_friction: false,
    });
    parts.add_joint(hinge);
    let mut sim = start(parts);
    // I ω = 2 (1 − x) + 0.5 − x: x = 2.5/3 (1 − exp(−6 t)).
    sim.run(0.3, 1e-3).expect("a run");
    let wanted = 2.5 / 3.0 * (1.0 - (-1.8_f64).exp());
    let now = sim.evaluate().expect("an answer").joint(JointId::of_index(0));
    assert!((now.coordinates[0] - wanted).abs() < 1e-11, "{}", now.coordinates[0]);
    // Truncation of RK4 at 6/s and 1 ms: (6e-3)⁴/120 = 1e-11 per unit of time, times the rate.
    assert!((now.rates[0] - (2.5 - 3.0 * wanted) / 0.5).abs() < 1e-10);
    assert_eq!(now.reaction.friction.torque, Vec3::ZERO);
    assert!((now.drives[0] - (2.5 - 2.0 * wanted)).abs() < 1e-10);
    // The work is integrated to the order of RK4.
    assert!(sim.balance().energy_error < 1e-9 && sim.energy().work > 0.1, "{:?}", sim.balance());
}

/// I ω = M − F_c while it slides, or zero.
#[test]
fn dry_friction_of_a_joint_holds_what_is_pulled_less() {
    for (torque, wanted) in [(5.0, 6.0), (1.5, 0.0), (-2.5, -1.0)] {
        let mut parts = still();
        let wheel = parts.add_body(Body::planar(1.0, 0.5));
        let mut hinge = Joint::revolute(Ground, wheel, Vec3::ZERO, Vec3::Z);
        hinge.efforts.push(Effort { coordinate: 0, kind: EffortKind::Law(Law::Constant(torque)) });
        let dry = DryFriction { coulomb: 2.0, breakaway: 2.0, ..DryFriction::default() };
        hinge.efforts.push(Effort { coordinate: 0, kind: EffortKind::Friction(dry) });
        parts.add_joint(hinge);
        let mut sim = start(parts);
        sim.run(0.1, 1e-3).expect("a run");
        let now = sim.evaluate().expect("an answer").joint(JointId::of_index(0));
        // Friction is solved by iteration, with steps of impulses: its residual.
        assert!((now.coordinates[0] - 0.1 * wanted).abs() < 1e-8, "{torque}: {}", now.coordinates[0]);
        assert!((now.rates[0] - wanted).abs() < 1e-7, "{torque}: {}", now.rates[0]);
        assert!(sim.balance().energy_error < 1e-7, "{:?}", sim.balance());
    }
}

#[test]
fn limits_stop_first_order_motion_and_report_their_force() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -2.0, 0.0));
    let pole = parts.add_body(rod(3.0, Vec3::ZERO, vec3(1.0, 0.0, 0.0)));
    let mut hinge = Joint::revolute(Ground, pole, Vec3::ZERO, Vec3::Z);
    hinge.limits.push(JointLimit { coordinate: 0, low: -0.6, high: f64::INFINITY, restitution: 0.9 });
    parts.add_joint(hinge);
    let mut sim = start(parts);
    sim.run(1.0, 1e-3).expect("a run");
    let (there, energy) = (sim.state().coordinates().to_vec(), sim.energy());
    let now = sim.evaluate().expect("an answer").joint(JointId::of_index(0));
    // Closed up to 1e-10 of the length.
    assert!((now.coordinates[0] + 0.6).abs() < 1e-10, "{}", now.coordinates[0]);
    // m g cos/2 against it, by iteration; and no rebound.
    assert!((now.reaction.limit.torque.z - 3.0 * (0.6_f64).cos()).abs() < 1e-7, "{:?}", now.reaction.limit);
    assert_eq!(sim.events().len(), 1, "{:?}", sim.events());
    sim.run(2.0, 1e-3).expect("a run");
    assert!(largest_difference(sim.state().coordinates(), &there) < 1e-15);
    // It rests on its limit: speeds of rounding size.
    assert!(largest(sim.state().velocities()) < 1e-12);
    // Steps are of first order where contacts are possible.
    assert!(sim.balance().energy_error < 2e-2, "{:?}", sim.balance());
    assert!((sim.energy().dissipated - energy.dissipated).abs() < 1e-7);
}

#[test]
fn a_block_is_dragged_over_the_floor_against_friction() {
    for (pull, wanted) in [(4.0, 0.0), (9.0, (9.0 - 0.3 * 20.0) / 2.0)] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -10.0));
        let floor =
            Material { static_friction: 0.3, kinetic_friction: 0.3, restitution: 0.5, ..Material::default() };
        let block = parts.add_body(Body {
            pos: vec3(0.0, 0.0, 0.1),
            ..Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 2.0)
        });
        for (x, y) in [(0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)] {
            let ball = Shape::sphere(0.1).expect("a ball");
            parts.add_shape(ContactShape {
                body: block.into(),
                frame: cardan::Frame::at(vec3(x, y, 0.0)),
                shape: ball,
                material: floor,
            });
        }
        let ground = Shape::Plane;
        parts.add_shape(ContactShape {
            body: Ground,
            frame: cardan::Frame::default(),
            shape: ground,
            material: floor,
        });
        let law = Constant { force: vec3(pull, 0.0, 0.0), torque: Vec3::ZERO, heading: Heading::World };
        parts.add_force(Force::constant(block, vec3(0.0, 0.0, -0.1), law));
        let mut sim = start(parts);
        sim.run(0.2, 1e-3).expect("a run");
        let now = sim.evaluate().expect("an answer");
        // Contacts are solved by iteration, with steps of impulses: their residual.
        assert!(
            (now.body(BodyId::of_index(0)).velocity.x - wanted).abs() < 1e-6,
            "{} instead of {wanted}",
            now.body(BodyId::of_index(0)).velocity.x
        );
        assert!(
            (now.body(BodyId::of_index(0)).position - vec3(0.2 * wanted, 0.0, 0.1)).norm() < 1e-6,
            "{:?}",
            now.body(BodyId::of_index(0)).position
        );
        let push: f64 = now.contacts().map(|contact| contact.force.z.abs()).sum();
        assert!((push - 20.0).abs() < 1e-6, "{push}");
        assert!(sim.balance().energy_error < 1e-6, "{:?}", sim.balance());
    }
}

#[test]
fn unsupported_settings_are_refused_by_name() {
    let mut parts = still();
    five_bar(&mut parts);
    let settings = Settings { coordinates: Coordinates::Joints, ..first_order() };
    let mut sim = Simulation::with_settings(parts.build().expect("a five-bar"), settings).expect("a solver");
    for error in [sim.step(1e-3).err(), sim.evaluate().err()] {
        assert_eq!(error, Some(StepError::NotForJoints { integrator: Integrator::FirstOrder }));
    }
}

#[test]
fn steps_allocate_nothing_and_depend_on_the_state_alone() {
    let mut parts = ModelBuilder::new(Gravity::new(0.3, -0.5, 0.0));
    let bars = five_bar(&mut parts);
    parts.add_force(pull(bars[2], Vec3::ZERO, vec3(1.0, 0.0, 0.0), 0.2));
    let model: Arc<Model> = Arc::new(parts.build().expect("a five-bar"));
    let mut sim = Simulation::with_settings(model.clone(), first_order()).expect("a solver");
    for _ in 0..10 {
        sim.step(1e-3).expect("a step");
    }
    let middle = sim.state().clone();
    assert_eq!(
        CountingAllocator::count(|| (0..100).for_each(|_| sim.step(1e-3).map(|_| ()).expect("a step"))),
        0
    );
    // Another workspace continues with the same bits.
    let mut other = Simulation::with_settings(model, first_order()).expect("a solver");
    other.restore(&middle).expect("the same model");
    (0..100).for_each(|_| other.step(1e-3).map(|_| ()).expect("a step"));
    assert_eq!(sim.state_hash(), other.state_hash());
}
