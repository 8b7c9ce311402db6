//! Driven mechanisms in motion, against closed forms.

use cardan::End::Ground;
use cardan::constraint::Follow;
use cardan::joint::{Axes, DryFriction, EffortKind, JointCurveSpring, JointSpring, Motor, Servo, SpeedCurve};
use cardan::law::{Blend, Nurbs, Ramp, Segments, Sine, Table, TableEnds};
use cardan::math::vec3;
use cardan::{
    Body, BodyId, Constant, ConstraintId, Coordinates, CurveSpring, DriveMode, EquilibriumKind, ErrorControl,
    Force, Frame, Gravity, Integrator, Joint, JointId, JointKind, Law, Model, ModelBuilder, Probe, ProbeId,
    Settings, Simulation, SolverChoice, StepError, UserConstraint,
};
use std::sync::Arc;

/// A bar on a driven hinge about y, horizontal at rest where it starts.
fn arm(mode: DriveMode, law: impl Into<Law>) -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let bar = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) });
    parts.add_joint(
        Joint::revolute(Ground, bar, [0.0, 0.0, 0.0], [0.0, -1.0, 0.0]).driven(0, mode, law).named("hinge"),
    );
    parts.build().unwrap()
}

fn laws() -> Vec<Law> {
    vec![
        Sine { amplitude: 0.8, frequency: 0.7, phase: 0.4, offset: 0.1 }.into(),
        Segments::new(Blend::Quintic, &[[0.1, 0.0], [0.7, 1.5], [1.5, -0.5]]).unwrap().into(),
        Table::new(TableEnds::Free, &[[0.0, 0.0], [0.5, 1.0], [1.0, 0.3], [2.0, 2.0]]).unwrap().into(),
        Nurbs::even(5, 0.0, 2.0, &[[0.0], [0.0], [0.0], [2.0], [-1.0], [0.5], [0.5], [0.5]], &[])
            .unwrap()
            .into(),
        Law::expression("0.4*sin(3*t) + t^2*exp(-t)").unwrap(),
    ]
}

/// Every integrator in poses and in joint coordinates, and every solver.
fn ways() -> Vec<Settings> {
    let usual = Settings::default();
    let mut all = vec![
        usual,
        Settings { integrator: Integrator::Dopri5, control: ErrorControl::of(1e-10), ..usual },
        Settings { integrator: Integrator::Rattle, ..usual },
        Settings { integrator: Integrator::SemiImplicitEuler, ..usual },
        Settings { coordinates: Coordinates::Joints, ..usual },
        Settings {
            coordinates: Coordinates::Joints,
            integrator: Integrator::Dopri5,
            control: ErrorControl::of(1e-10),
            ..usual
        },
    ];
    all.extend(
        [SolverChoice::Sparse, SolverChoice::Dense, SolverChoice::ConjugateGradient]
            .map(|solver| Settings { solver, ..usual }),
    );
    all
}

#[test]
fn a_driven_hinge_follows_its_law_and_reports_the_torque() {
    for law in laws() {
        for settings in ways() {
            let model = Arc::new(arm(DriveMode::Position, law.clone()));
            assert_eq!(model.counts().rows, 6);
            let inertia = model.bodies()[0].mass.inertia.yy + 2.0 * 0.25;
            let mut sim = Simulation::with_settings(model, settings).unwrap();
            for until in [0.31, 0.97, 1.6] {
                sim.run(until, 1e-3).unwrap();
                let wanted = law.at(until);
                let (start, certificate) = (sim.balance(), sim.certificate());
                let joint = sim.evaluate().unwrap().joint(JointId::of_index(0));
                let what = format!("{} at {until} by {settings:?}", law.name());
                // The law is followed to rounding by every integrator.
                assert!(
                    (joint.coordinates[0] - wanted.value).abs() < 1e-14,
                    "{what}: {} {wanted:?}",
                    joint.coordinates[0]
                );
                // Rates are followed to rounding of some rad/s.
                assert!(
                    (joint.rates[0] - wanted.rate).abs() < 1e-13,
                    "{what}: {} {wanted:?}",
                    joint.rates[0]
                );
                // I θ̈ = τ − m g r cos θ, about −y: a positive angle lifts the bar.
                let torque = inertia * wanted.second + 2.0 * 9.81 * 0.5 * wanted.value.cos();
                let seen = joint.reaction.drive.torque;
                assert!(
                    (-seen.y - torque).abs() < 1e-12 * (1.0 + torque.abs()),
                    "{what}: {seen:?} is not {torque}"
                );
                // A hinge about y has no drive torque about other axes; the torque is reported
                // once, and the multiplier is the same number.
                assert!(
                    seen.x.abs() + seen.z.abs() < 1e-12 && joint.reaction.drive.force.norm() == 0.0,
                    "{what}: {seen:?}"
                );
                assert!((joint.multipliers[5] - torque).abs() < 1e-12 * (1.0 + torque.abs()));
                assert!((joint.reaction.total().torque.y - seen.y).abs() < 1e-12, "{what}: reported once");
                // Projection ends at rounding.
                assert!(
                    certificate.max_position_error < 1e-14 && certificate.max_velocity_error < 1e-13,
                    "{what}"
                );
                let bound = match settings.integrator {
                    Integrator::SemiImplicitEuler => 2e-2,
                    Integrator::Rattle => 1e-5,
                    // Some hundred steps of 1e-10 each.
                    Integrator::Dopri5 => 1e-8,
                    _ => 1e-9,
                };
                assert!(start.energy_error < bound, "{what}: energy {:e}", start.energy_error);
                // Adaptive steps book no impulses of projection, and the largest momentum is of the
                // order of one.
                let bound = if settings.integrator == Integrator::Dopri5 { 1e-5 } else { 10.0 * bound };
                assert!(start.momentum_error < bound, "{what}: momentum {:e}", start.momentum_error);
            }
        }
    }
}

#[test]
fn speeds_and_accelerations_are_integrated_and_the_coordinate_is_held_to_the_integral() {
    // The same motion prescribed three ways: θ = 0.4 (1 − cos 3t), from rest at zero.
    let position = Law::expression("0.4*(1 - cos(3*t))").unwrap();
    let cases: [(DriveMode, Law); 5] = [
        (DriveMode::Position, position.clone()),
        (
            DriveMode::Speed,
            Sine { amplitude: 1.2, frequency: 1.5 / core::f64::consts::PI, ..Sine::default() }.into(),
        ),
        (DriveMode::Speed, Law::expression("1.2*sin(3*t)").unwrap()),
        (
            DriveMode::Acceleration,
            Sine {
                amplitude: 3.6,
                frequency: 1.5 / core::f64::consts::PI,
                phase: core::f64::consts::FRAC_PI_2,
                offset: 0.0,
            }
            .into(),
        ),
        (DriveMode::Acceleration, Law::expression("3.6*cos(3*t)").unwrap()),
    ];
    for (mode, law) in cases {
        for settings in ways() {
            let mut sim = Simulation::with_settings(arm(mode, law.clone()), settings).unwrap();
            sim.run(2.0, 1e-3).unwrap();
            let wanted = position.at(2.0);
            let joint = sim.evaluate().unwrap().joint(JointId::of_index(0));
            let what = format!("{mode} {} by {settings:?}", law.name());
            // The integral of the law is a sum over 2000 steps, by quadrature of order ten:
            // rounding of each.
            assert!(
                (joint.coordinates[0] - wanted.value).abs() < 2e-13,
                "{what}: {} {wanted:?}",
                joint.coordinates[0]
            );
            assert!((joint.rates[0] - wanted.rate).abs() < 2e-13, "{what}: {} {wanted:?}", joint.rates[0]);
        }
    }
}

#[test]
fn starting_values_of_integrated_drives_are_those_of_the_pose() {
    // Given as posed: 0.3 rad at 0.7 rad/s.
    for (mode, law, value, rate) in [
        (DriveMode::Speed, 0.5, 0.3 + 0.5 * 2.0, 0.5),
        (DriveMode::Acceleration, 0.25, 0.3 + 0.7 * 2.0 + 0.5, 0.7 + 0.5),
    ] {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let bar = parts.add_body(Body {
            pos: vec3(0.5, 0.0, 0.0),
            omega: vec3(0.0, 0.0, 0.7),
            vel: vec3(0.0, 0.35, 0.0),
            ..Body::rod(2.0, 1.0, 0.01)
        });
        let mut joint = Joint::revolute(Ground, bar, [0.0; 3], [0.0, 0.0, 1.0]).driven(0, mode, law);
        joint.zero[0] = 0.3;
        parts.add_joint(joint);
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.run(2.0, 1e-3).unwrap();
        let joint = sim.evaluate().unwrap().joint(JointId::of_index(0));
        // A constant rate is integrated exactly; rounding of 2 rad.
        assert!(
            (joint.coordinates[0] - value).abs() < 1e-14 && (joint.rates[0] - rate).abs() < 1e-14,
            "{joint:?}"
        );
    }
}

#[test]
fn turns_are_those_of_the_law_at_any_step() {
    // 50 rad/s at 0.1 s: five radians a step, and a start three turns off the pose.
    let law = Law::expression("50*t + 18.85").unwrap();
    for settings in ways() {
        let mut sim = Simulation::with_settings(arm(DriveMode::Position, law.clone()), settings).unwrap();
        sim.run(3.0, 0.1).unwrap();
        let joint = sim.evaluate().unwrap().joint(JointId::of_index(0));
        // Rounding of 169 rad.
        assert!(
            (joint.coordinates[0] - 168.85).abs() < 1e-13 * 168.85,
            "{settings:?}: {}",
            joint.coordinates[0]
        );
    }
}

/// Every coordinate of every joint that can be driven, on a bar, by a law of its own.
#[test]
fn every_coordinate_can_be_driven_alone_and_together() {
    all_can_be_driven(0.4);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan -p cardan-cli -- --ignored"]
fn every_coordinate_can_be_driven_for_a_second() {
    all_can_be_driven(1.0);
}

fn all_can_be_driven(until: f64) {
    let kinds = JointKind::ALL.into_iter().chain(JointKind::LOCKS);
    for kind in kinds.filter(|kind| kind.can_be_driven(0, false)) {
        let is_lock = matches!(kind, JointKind::Lock { .. });
        for mask in 1..1usize << kind.coordinates() {
            // Of locks, which have many coordinates: one, or all.
            if is_lock && mask.count_ones() > 1 && mask + 1 < 1 << kind.coordinates() {
                continue;
            }
            for coordinates in [Coordinates::Bodies, Coordinates::Joints] {
                let mut parts = ModelBuilder::new(Gravity::new(0.3, -0.2, -9.81));
                let bar = parts.add_body(Body { pos: vec3(0.5, 0.1, 0.2), ..Body::rod(2.0, 1.0, 0.05) });
                let mut joint = Joint::at(kind, Ground, bar, [0.1, 0.2, 0.0], [0.0, 0.0, 1.0]);
                if matches!(kind.about().axes, Axes::Cross | Axes::Two) {
                    joint = Joint {
                        kind,
                        ..Joint::universal(Ground, bar, [0.1, 0.2, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
                    };
                }
                if let JointKind::BeadOnCircle { .. } = kind {
                    // From the axis to the bead: polar angle zero.
                    joint = Joint::at(
                        JointKind::BeadOnCircle { radius: 0.4 },
                        Ground,
                        bar,
                        [0.1, 0.1, 0.2],
                        [0.0, 0.0, 1.0],
                    );
                }
                let driven: Vec<usize> = (0..kind.coordinates()).filter(|k| mask & 1 << k != 0).collect();
                let law = |k: usize| Law::expression(&format!("0.{}*sin(2*t)^2", 3 + k)).unwrap();
                for &k in &driven {
                    joint = joint.driven(k, DriveMode::Position, law(k));
                }
                parts.add_joint(joint);
                let settings = Settings { coordinates, ..Settings::default() };
                let mut sim = Simulation::with_settings(parts.build().unwrap(), settings).unwrap();
                // The remaining freedoms move fast: the truncation of a step of 1 ms shows, and
                // with many of them that of 0.1 ms.
                let step = match driven.len() == kind.coordinates() {
                    true => 1e-3,
                    false if is_lock => 4e-5,
                    false => 1e-4,
                };
                sim.run(until, step).unwrap();
                let (balance, certificate) = (sim.balance(), sim.certificate());
                let now = sim.evaluate().unwrap();
                let joint = now.joint(JointId::of_index(0));
                let what = format!("{kind}, {driven:?}, {coordinates:?}");
                for &k in &driven {
                    let off = joint.coordinates[k] - law(k).at(until).value;
                    // The law is a constraint: rounding.
                    assert!(off.abs() < 1e-14, "{what}: {off:e}");
                }
                // The residual of a solve with one joint.
                assert!(now.equation_residual() < 1e-12, "{what}: {:e}", now.equation_residual());
                // Truncation of RK4 at the step chosen above, of motions of about 10 rad/s.
                assert!(balance.energy_error < 1e-9 && balance.momentum_error < 1e-8, "{what}: {balance:?}");
                // Projection ends at rounding of positions and speeds.
                assert!(
                    certificate.max_position_error < 1e-13 && certificate.max_velocity_error < 1e-12,
                    "{what}"
                );
            }
        }
    }
}

/// A planar four-bar with hinges in space; crank 1, coupler 4, rocker 3, base 4.
fn four_bar(mode: DriveMode, law: impl Into<Law>, driven: usize) -> ModelBuilder {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    // Crank up: A (0, 0), B (0, 1); D (4, 0); C where 4 from B and 3 from D.
    let (b, d) = (vec3(0.0, 1.0, 0.0), vec3(4.0, 0.0, 0.0));
    let apart = (d - b).norm();
    let along = (16.0 + apart * apart - 9.0) / (2.0 * apart);
    let side = (16.0 - along * along).sqrt();
    let way = (d - b) / apart;
    let c = b + way * along + vec3(-way.y, way.x, 0.0) * side;
    let mut bar = |from: cardan::math::Vec3, to: cardan::math::Vec3, mass: f64| {
        let way = to - from;
        let angle = libm::atan2(way.y, way.x);
        let rot = cardan::math::Quat::from_axis_angle(vec3(0.0, 0.0, 1.0), angle).unwrap();
        parts.add_body(Body { pos: (from + to) * 0.5, rot, ..Body::rod(mass, way.norm(), 0.02) })
    };
    let zero = cardan::math::Vec3::ZERO;
    let (crank, coupler, rocker) = (bar(zero, b, 1.0), bar(b, c, 2.0), bar(d, c, 1.5));
    let z = [0.0, 0.0, 1.0];
    let mut joints = vec![
        Joint::revolute(Ground, crank, zero, z).named("A"),
        Joint::revolute(crank, coupler, b, z).named("B"),
        Joint::revolute(coupler, rocker, c, z).named("C"),
        Joint::revolute(Ground, rocker, d, z).named("D"),
    ];
    joints[driven] = joints[driven].clone().driven(0, mode, law);
    for joint in joints {
        parts.add_joint(joint);
    }
    parts
}

#[test]
fn a_driven_four_bar_has_no_freedom_left_and_its_torque_is_its_power() {
    for settings in ways() {
        let model = four_bar(DriveMode::Speed, 6.0, 0).build().unwrap();
        let mut sim = Simulation::with_settings(model, settings).unwrap();
        sim.run(0.8, 1e-3).unwrap();
        let (balance, certificate) = (sim.balance(), sim.certificate());
        let (energy, now) = (sim.energy(), sim.evaluate().unwrap());
        assert_eq!(sim_freedoms(&now), 0);
        let what = format!("{settings:?}");
        // dE/dt = τ ω: by differences of a continued run.
        let torque = now.joint(JointId::of_index(0)).reaction.drive.torque.z;
        let state = sim.state().clone();
        let at = |h: f64| {
            let mut sim = Simulation::with_settings(sim.model().clone(), *sim.settings()).unwrap();
            sim.restore(&state).unwrap();
            sim.run(0.8 + h, 1e-4).unwrap();
            sim.energy().mechanical()
        };
        // Forward differences of third order.
        let gain = |k: f64| at(k * 1e-3) - energy.mechanical();
        let power = (18.0 * gain(1.0) - 9.0 * gain(2.0) + 2.0 * gain(3.0)) / 6e-3;
        if settings.integrator == Integrator::Rk4 {
            // The difference over 3 ms leaves h³ E⁗/4 of an energy that changes at 6 rad/s.
            assert!(
                (torque * 6.0 - power).abs() < 1e-3 * (1.0 + power.abs()),
                "{what}: {} {power}",
                torque * 6.0
            );
        }
        let bound = match settings.integrator {
            Integrator::SemiImplicitEuler => 5e-2,
            Integrator::Rattle => 1e-4,
            Integrator::Dopri5 => 1e-8,
            _ => 1e-9,
        };
        assert!(balance.energy_error < bound, "{what}: {:e}", balance.energy_error);
        // Projection ends at rounding of positions of 5 m and speeds of 6 m/s.
        assert!(
            certificate.max_position_error < 2e-14 && certificate.max_velocity_error < 2e-13,
            "{what}: {certificate:?}"
        );
    }
}

fn sim_freedoms(now: &cardan::Instant<'_>) -> usize {
    now.accelerations().len() - now.rank()
}

#[test]
fn it_does_not_matter_which_joint_of_a_loop_closes_it_or_is_driven() {
    // Drive A and read the others; drive each of the others by the values read: equal accelerations
    // and power.
    let model = four_bar(DriveMode::Speed, 6.0, 0).build().unwrap();
    let mut sim = Simulation::new(model);
    sim.run(0.3, 1e-3).unwrap();
    let state = sim.state().clone();
    let now = sim.evaluate().unwrap();
    let acc = now.accelerations().to_vec();
    let power = now.joint(JointId::of_index(0)).reaction.drive.torque.z * 6.0;
    for j in 1..4 {
        let joint = now.joint(JointId::of_index(j));
        // Second derivative of the angle: relative angular acceleration about z.
        let spin = |b: Option<BodyId>| b.map_or(0.0, |b| now.body(b).angular_acceleration.z);
        let entry = &now.model().joints()[j];
        let second = spin(entry.body_b()) - spin(entry.body_a());
        let law = Law::Constant(second);
        let model = four_bar(DriveMode::Acceleration, law, j).build().unwrap();
        let mut other = Simulation::new(model);
        other.restore(&state).unwrap();
        let seen = other.evaluate().unwrap();
        for (x, y) in seen.accelerations().iter().zip(&acc) {
            // Rounding of accelerations of some hundred m/s² in a loop.
            assert!((x - y).abs() < 1e-10 * 100.0, "joint {j}: {x} {y}");
        }
        let drive = seen.joint(JointId::of_index(j)).reaction.drive.torque.z;
        // Power is torque times rate: rounding of both, in a loop.
        assert!(
            (drive * joint.rates[0] - power).abs() < 1e-9 * (1.0 + power.abs()),
            "joint {j}: {drive} {power}"
        );
    }
}

#[test]
fn a_ramp_of_speed_spins_up_a_fan_of_known_inertia() {
    // τ = I α while it speeds up, none after that.
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let fan = parts.add_body(Body::rod(2.0, 1.0, 0.01));
    let law = Ramp { from: 0.0, to: 10.0, start: 0.5, duration: 2.0 };
    parts.add_joint(Joint::revolute(Ground, fan, [0.0; 3], [0.0, 1.0, 0.0]).driven(0, DriveMode::Speed, law));
    let mut sim = Simulation::new(parts.build().unwrap());
    let inertia = sim.model().bodies()[0].mass.inertia.yy;
    for (until, torque, angle) in [(0.4, 0.0, 0.0), (1.5, 5.0 * inertia, 2.5), (3.0, 0.0, 10.0 + 5.0)] {
        sim.run(until, 1e-3).unwrap();
        let joint = sim.evaluate().unwrap().joint(JointId::of_index(0));
        // The law is linear there: torque and angle to rounding.
        assert!(
            (joint.reaction.drive.torque.y - torque).abs() < 1e-13,
            "{until}: {:?}",
            joint.reaction.drive
        );
        assert!((joint.coordinates[0] - angle).abs() < 1e-13, "{until}: {:?}", joint.coordinates);
    }
    let energy = sim.energy();
    // The kinks of the ramp are hit by steps of 1 ms: RK4 integrates the power of a linear speed
    // exactly.
    assert!((energy.work - 0.5 * inertia * 100.0).abs() < 1e-9, "{energy:?}");
}

/// A hinge about z without gravity, inertia I about it, with one effort along its angle.
fn wheel(kind: EffortKind, spin: f64) -> (Simulation, f64) {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let wheel = parts.add_body(Body { omega: vec3(0.0, 0.0, spin), ..Body::rod(3.0, 2.0, 0.1) });
    parts.add_joint(Joint::revolute(Ground, wheel, [0.0; 3], [0.0, 0.0, 1.0]).with_effort(0, kind));
    let sim = Simulation::new(parts.build().unwrap());
    let inertia = sim.model().bodies()[0].mass.inertia.zz;
    (sim, inertia)
}

#[test]
fn a_hinge_under_a_motor_of_two_newton_metres_reports_two() {
    for solver in [SolverChoice::Auto, SolverChoice::Sparse, SolverChoice::Dense] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let wheel = parts.add_body(Body::rod(3.0, 2.0, 0.1));
        parts.add_joint(Joint::revolute(Ground, wheel, [0.0; 3], [0.0, 0.0, 1.0]).driven(
            0,
            DriveMode::Force,
            2.0,
        ));
        let model = parts.build().unwrap();
        assert_eq!(model.counts().rows, 5, "a force is no row");
        let inertia = model.bodies()[0].mass.inertia.zz;
        let mut sim = Simulation::with_settings(model, Settings { solver, ..Settings::default() }).unwrap();
        sim.run(1.0, 1e-3).unwrap();
        let energy = sim.energy();
        let now = sim.evaluate().unwrap();
        let joint = now.joint(JointId::of_index(0));
        assert_eq!(joint.reaction.drive.torque.z, 2.0);
        assert_eq!((joint.reaction.total().torque.z - 2.0).abs(), 0.0);
        // Constant torque: exact up to rounding.
        assert!((now.body(BodyId::of_index(0)).angular_acceleration.z - 2.0 / inertia).abs() < 1e-14);
        assert!((energy.work - 2.0 * joint.coordinates[0]).abs() < 1e-12, "{energy:?}");
        assert_eq!(joint.drives[0], 2.0);
    }
}

#[test]
fn a_servo_is_a_damped_oscillator_about_its_law() {
    // I θ̈ + c θ̇ + k θ = k s + c ṡ with s = 1 + t: θ = s + e^(−γt) (A cos ωt + B sin ωt), θ(0) =
    // θ̇(0) = 0.
    let (k, c) = (40.0, 3.0);
    let law = Law::expression("1 + t").unwrap();
    let (mut sim, inertia) =
        wheel(EffortKind::Servo(Servo { stiffness: k, damping: c, law, limit: f64::INFINITY }), 0.0);
    sim.run(1.3, 1e-3).unwrap();
    let (balance, joint) = (sim.balance(), sim.evaluate().unwrap().joint(JointId::of_index(0)));
    let gamma: f64 = c / (2.0 * inertia);
    let omega = (k / inertia - gamma * gamma).sqrt();
    let t: f64 = 1.3;
    let (a, b) = (-1.0, (-1.0 - gamma) / omega);
    let exact = 1.0 + t + (-gamma * t).exp() * (a * (omega * t).cos() + b * (omega * t).sin());
    // Phase error of RK4: (ω h)⁴/120 = 1e-11 per radian at 6 rad/s, over 8 rad.
    assert!((joint.coordinates[0] - exact).abs() < 1e-9, "{} {exact}", joint.coordinates[0]);
    assert!(balance.energy_error < 1e-9, "{balance:?}");
    // The limit is respected.
    let law = Law::Constant(100.0);
    let (mut sim, inertia) =
        wheel(EffortKind::Servo(Servo { stiffness: k, damping: c, law, limit: 5.0 }), 0.0);
    sim.run(0.5, 1e-3).unwrap();
    let joint = sim.evaluate().unwrap().joint(JointId::of_index(0));
    assert_eq!(joint.drives[0], 5.0);
    // A constant torque: 500 steps of rounding.
    assert!((joint.rates[0] - 2.5 / inertia).abs() < 1e-12);
}

#[test]
fn a_motor_runs_up_to_its_no_load_speed() {
    // τ = T (1 − ω/ω₀):  ω = ω₀ (1 − e^(−T t/(I ω₀))), and backwards with the command reversed.
    let curve = SpeedCurve::new(&[[0.0, 8.0], [20.0, 0.0]]).unwrap();
    for way in [1.0, -1.0] {
        let motor = Motor { curve: curve.clone(), law: Law::Constant(3.0 * way), limit: f64::INFINITY };
        let (mut sim, inertia) = wheel(EffortKind::Motor(motor), 0.0);
        sim.run(2.0, 1e-3).unwrap();
        let balance = sim.balance();
        let joint = sim.evaluate().unwrap().joint(JointId::of_index(0));
        let exact = way * 20.0 * (1.0 - libm::exp(-8.0 * 2.0 / (inertia * 20.0)));
        // The truncation of RK4 for a rate of 0.4/s is below rounding: 2000 steps of it, of 20
        // rad/s.
        assert!((joint.rates[0] - exact).abs() < 1e-11, "{} {exact}", joint.rates[0]);
        assert!((joint.drives[0] - way * 8.0 * (1.0 - exact.abs() / 20.0)).abs() < 1e-10);
        assert!(balance.energy_error < 1e-10);
    }
    let limited = Motor { curve, law: Law::Constant(1.0), limit: 2.0 };
    let (mut sim, inertia) = wheel(EffortKind::Motor(limited), 0.0);
    sim.run(1.0, 1e-3).unwrap();
    // A constant torque: 1000 steps of rounding.
    assert!((sim.evaluate().unwrap().joint(JointId::of_index(0)).rates[0] - 2.0 / inertia).abs() < 1e-12);
    for rows in [&[[0.0, 1.0]][..], &[[0.0, 1.0], [0.0, 2.0]], &[[0.0, f64::NAN], [1.0, 2.0]]] {
        assert!(SpeedCurve::new(rows).is_err());
    }
}

#[test]
fn dry_friction_slows_down_evenly_and_makes_heat() {
    let friction =
        DryFriction { coulomb: 0.7, breakaway: 0.7, regularization_speed: 1e-3, ..DryFriction::default() };
    let (mut sim, inertia) = wheel(EffortKind::Friction(friction), 5.0);
    sim.run(1.0, 1e-3).unwrap();
    let (energy, balance) = (sim.energy(), sim.balance());
    let joint = sim.evaluate().unwrap().joint(JointId::of_index(0));
    let exact = 5.0 - 0.7 / inertia;
    // Far above the regularization speed the torque is constant: rounding, and that of its heat.
    assert!((joint.rates[0] - exact).abs() < 1e-12, "{} {exact}", joint.rates[0]);
    assert!((joint.reaction.friction.torque.z + 0.7).abs() < 1e-15 && joint.drives[0] == 0.0);
    assert!((energy.dissipated - 0.5 * inertia * (25.0 - exact * exact)).abs() < 1e-10);
    assert!(balance.energy_error < 1e-11);
    // It comes to rest, up to the regularization, and stays at rest.
    sim.run(1.2 * 5.0 * inertia / 0.7, 1e-4).unwrap();
    assert!(sim.evaluate().unwrap().joint(JointId::of_index(0)).rates[0].abs() < 1e-6);
}

#[test]
fn a_spring_by_a_table_is_the_spring_that_it_tabulates() {
    // F = 10 x: the spline of a straight line is that line, also beyond its ends. k = 10 rests at
    // 0.2.
    let rows = [[-0.3, -3.0], [0.0, 0.0], [0.1, 1.0], [0.4, 4.0]];
    let spring = JointCurveSpring::new(&rows, 0.0, 0.2).unwrap();
    let (mut sim, inertia) = wheel(EffortKind::Curve(spring), 4.0);
    sim.run(1.7, 1e-3).unwrap();
    let balance = sim.balance();
    let joint = sim.evaluate().unwrap().joint(JointId::of_index(0));
    let omega = (10.0 / inertia).sqrt();
    let exact = 0.2 - 0.2 * (omega * 1.7).cos() + 4.0 / omega * (omega * 1.7).sin();
    // Phase error of RK4: (ω h)⁴/120 = 8e-13 per radian at 3.2 rad/s, over 5 rad, of 1.3 rad.
    assert!((joint.coordinates[0] - exact).abs() < 1e-10, "{} {exact}", joint.coordinates[0]);
    assert!(balance.energy_error < 1e-11, "{balance:?}");
    assert!((joint.reaction.drive.torque.z + 10.0 * (exact - 0.2)).abs() < 1e-9);
    assert!(JointCurveSpring::new(&[[0.0, 1.0], [0.0, 2.0]], 0.0, 0.0).is_err());
    // A preload is a force where the coordinate is at `rest`.
    let preloaded = JointSpring::preloaded(0, 10.0, 0.0, 0.2, 1.5);
    assert!((preloaded.rest - 0.35).abs() < 1e-15);
}

#[test]
fn forces_take_laws_and_tables_too() {
    // A kilogram pushed by 3 sin 2t; another on a table that is a straight line.
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = parts.add_body(Body::particle(1.0));
    let full = Constant { force: vec3(3.0, 0.0, 0.0), ..Constant::default() };
    parts.add_force(Force::scheduled(ball, [0.0; 3], full, Law::expression("sin(2*t)").unwrap()));
    let other = parts.add_body(Body { pos: vec3(0.0, 1.5, 0.0), ..Body::particle(1.0) });
    let spring = CurveSpring::new(&[[-1.0, -9.0], [0.0, 0.0], [1.0, 9.0]], 0.0, 1.0).unwrap();
    parts.add_force(Force::curve_spring(Ground, [0.0; 3], other, [0.0; 3], spring));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(1.0, 1e-3).unwrap();
    let (balance, now) = (sim.balance(), sim.evaluate().unwrap());
    let exact = 1.5 * (1.0 - libm::sin(2.0) / 2.0);
    // Truncation of RK4 at 1 ms for rates of 2 and 3 rad/s: (3e-3)⁴/120 = 7e-13 per radian.
    assert!((now.body(BodyId::of_index(0)).position.x - exact).abs() < 1e-12);
    assert!((now.body(BodyId::of_index(1)).position.y - (1.0 + 0.5 * libm::cos(3.0))).abs() < 1e-11);
    assert!(balance.energy_error < 1e-11);
    // A law that becomes not a number is named.
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = parts.add_body(Body::particle(1.0));
    parts.add_force(
        Force::scheduled(ball, [0.0; 3], full, Law::expression("ln(0.5 - t)").unwrap()).named("push"),
    );
    let mut sim = Simulation::new(parts.build().unwrap());
    assert!(matches!(sim.run(1.0, 1e-2), Err(StepError::ForceNotFinite { force, .. }) if force == "push"));
}

/// An hour, at 60 rpm; half a minute of it in the usual tests.
fn hour_of_a_four_bar(seconds: f64) {
    let model = four_bar(DriveMode::Speed, core::f64::consts::TAU, 0).build().unwrap();
    let mut sim = Simulation::new(model);
    sim.assemble().unwrap();
    let start = sim.evaluate().unwrap().joint(JointId::of_index(0)).coordinates[0];
    let mut torque = 0.0f64;
    while sim.time() < seconds - 0.5 {
        sim.run(sim.time() + 10.0, 1e-3).unwrap();
        torque = torque.max(sim.evaluate().unwrap().joint(JointId::of_index(0)).drives[0].abs());
    }
    let (balance, certificate) = (sim.balance(), sim.certificate());
    let (time, angle) = (sim.time(), sim.evaluate().unwrap().joint(JointId::of_index(0)).coordinates[0]);
    let turned = angle - start - core::f64::consts::TAU * time;
    println!("{time} s: turned by {turned:e} too far, {balance:?}, {certificate:?}, torque {torque}");
    assert!(turned.abs() < 4.0 * f64::EPSILON * angle);
    // Projection ends at rounding of positions of 4 m and speeds of 2π m/s, over any time.
    assert!(
        certificate.max_position_error < 1e-14 && certificate.max_velocity_error < 1e-12,
        "{certificate:?}"
    );
    // The work is integrated by the rule of the steps, of fourth order: 1.6e-11 of the energy per
    // turn at 1 ms; the bound is about twice that, at one turn per second.
    assert!(balance.energy_error < 3e-11 * seconds, "{balance:?}");
}

#[test]
fn half_a_minute_of_a_driven_four_bar_keeps_its_law_and_its_accounts() {
    hour_of_a_four_bar(30.0);
}

#[test]
#[ignore = "soak: an hour of a driven four-bar"]
fn an_hour_of_a_driven_four_bar_keeps_its_law_and_its_accounts() {
    hour_of_a_four_bar(3600.0);
}

#[test]
fn a_point_on_a_path_through_space_reports_the_force_that_it_takes() {
    let points =
        [[0.0; 3], [0.0; 3], [0.0; 3], [1.0, 0.5, 0.2], [0.3, 1.0, 0.8], [1.0; 3], [1.0; 3], [1.0; 3]];
    let path = Nurbs::even(5, 0.0, 2.0, &points, &[1.0, 1.0, 1.0, 2.0, 0.5, 1.0, 1.0, 1.0]).unwrap();
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let bar = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.05) });
    let held = Frame::at([-0.5, 0.0, 0.0]);
    let rule = std::sync::Arc::new(Follow::new(path.clone()).unwrap());
    parts.add_constraint(UserConstraint { name: "wrist".into(), frames: vec![(bar.into(), held)], rule });
    parts.add_probe(Probe { name: "end".into(), body: bar.into(), point: held.pos });
    let mut sim = Simulation::new(parts.build().unwrap());
    for until in [0.4, 1.1, 1.7] {
        sim.run(until, 2e-4).unwrap();
        let balance = sim.balance();
        let now = sim.evaluate().unwrap();
        let (end, wanted) = (now.probe(ProbeId::of_index(0)), path.at(until));
        let lambda = now.constraint_multipliers(ConstraintId::of_index(0));
        for k in 0..3 {
            // Position and rate are constraints: rounding; the acceleration is that of the solve.
            assert!((end.position[k] - wanted[k].value).abs() < 1e-14, "{until}: {end:?}");
            assert!((end.velocity[k] - wanted[k].rate).abs() < 1e-13, "{until}: {end:?}");
            assert!((end.acceleration[k] - wanted[k].second).abs() < 1e-11, "{until}: {end:?}");
            // Newton for the whole bar: the path's force and gravity are the only external forces.
            let weight = if k == 2 { 2.0 * 9.81 } else { 0.0 };
            assert!(
                (lambda[k] - 2.0 * now.body(BodyId::of_index(0)).acceleration[k] - weight).abs() < 1e-11,
                "{until}: {lambda:?}"
            );
        }
        // The work of the path is integrated by RK4 at 0.2 ms.
        assert!(balance.energy_error < 1e-9, "{until}: {balance:?}");
    }
    let straight = Nurbs::even(1, 0.5, 1.0, &[[0.0; 3], [1.0; 3]], &[]).unwrap();
    assert!(Follow::new(straight).is_err(), "it starts with a jerk");
}

#[test]
fn a_mechanism_rests_where_its_drives_and_servos_hold_it() {
    // A servo under the weight of its arm: k (s − θ) = m g r cos θ.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let bar = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) });
    let servo = Servo { stiffness: 40.0, damping: 1.0, law: Law::Constant(0.3), limit: f64::INFINITY };
    parts.add_joint(
        Joint::revolute(Ground, bar, [0.0; 3], [0.0, -1.0, 0.0]).with_effort(0, EffortKind::Servo(servo)),
    );
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.equilibrium(EquilibriumKind::Stable).unwrap();
    let angle = sim.evaluate().unwrap().joint(JointId::of_index(0)).coordinates[0];
    // The equilibrium is solved to 1e-9 of the weight or better.
    assert!((40.0 * (0.3 - angle) - 9.81 * angle.cos()).abs() < 1e-9, "{angle}");
    // A bar that hangs from a driven arm: the arm stays at its law, the bar hangs straight down.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let arm = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) });
    let bar = parts.add_body(Body { pos: vec3(1.3, 0.0, 0.0), ..Body::rod(1.0, 0.6, 0.01) });
    let y = [0.0, -1.0, 0.0];
    let law = Sine { amplitude: 0.0, frequency: 1.0, phase: 0.0, offset: 0.25 };
    parts.add_joint(Joint::revolute(Ground, arm, [0.0; 3], y).driven(0, DriveMode::Position, law));
    parts.add_joint(Joint::revolute(arm, bar, [1.0, 0.0, 0.0], y));
    let mut sim = Simulation::new(parts.build().unwrap());
    let found = sim.equilibrium(EquilibriumKind::Stable).unwrap();
    assert_eq!(found.freedoms, 1);
    let now = sim.evaluate().unwrap();
    // The law is a constraint: rounding; the hanging bar to the residual of the equilibrium, 1e-9.
    assert!((now.joint(JointId::of_index(0)).coordinates[0] - 0.25).abs() < 1e-13);
    let turned = now.joint(JointId::of_index(1)).coordinates[0] + 0.25 + core::f64::consts::FRAC_PI_2;
    assert!(turned.abs() < 1e-9, "{turned:e}");
    // The torque of the drive there: both weights.
    let torque = 9.81 * (2.0 * 0.5 + 1.0) * 0.25f64.cos();
    assert!(
        (now.joint(JointId::of_index(0)).drives[0] - torque).abs() < 1e-8,
        "{} {torque}",
        now.joint(JointId::of_index(0)).drives[0]
    );
}

/// A bar supported by a servo, a drive or a path whose law changes in time: at an equilibrium it
/// carries the bar's weight and no inertia. In a continued run the law moves again.
#[test]
fn time_stands_still_at_an_equilibrium() {
    let moving = || Sine { amplitude: 0.3, frequency: 1.5, phase: 0.7, offset: 0.1 };
    let now = moving().amplitude * 0.7f64.sin() + 0.1;
    let bar = |parts: &mut ModelBuilder| {
        parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) })
    };
    let hinge = |bar| Joint::revolute(Ground, bar, [0.0; 3], [0.0, -1.0, 0.0]);
    let weight = |angle: f64| 2.0 * 9.81 * 0.5 * angle.cos();
    // A servo: k (s − θ) is the moment of the weight; c ṡ, which would be 0.3 · 3 π · cos 0.7 = 2.2
    // N·m, does not act.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let b = bar(&mut parts);
    let servo = Servo { stiffness: 40.0, damping: 1.0, law: moving().into(), limit: f64::INFINITY };
    parts.add_joint(hinge(b).with_effort(0, EffortKind::Servo(servo)));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.equilibrium(EquilibriumKind::Stable).unwrap();
    let at = sim.evaluate().unwrap();
    let (angle, torque) =
        (at.joint(JointId::of_index(0)).coordinates[0], at.joint(JointId::of_index(0)).drives[0]);
    // The equilibrium is solved to 1e-9 of the weight or better.
    assert!((40.0 * (now - angle) - weight(angle)).abs() < 1e-9, "{angle}");
    assert!((torque - weight(angle)).abs() < 1e-9, "{torque}");
    // Drives of every mode carry the weight, not the inertia.
    for mode in [DriveMode::Position, DriveMode::Speed, DriveMode::Acceleration] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let b = bar(&mut parts);
        parts.add_joint(hinge(b).driven(0, mode, moving()));
        let mut sim = Simulation::new(parts.build().unwrap());
        assert_eq!(sim.equilibrium(EquilibriumKind::Stable).unwrap().freedoms, 0);
        let held = sim.evaluate().unwrap().joint(JointId::of_index(0)).drives[0];
        let angle = if mode == DriveMode::Position { now } else { 0.0 };
        // No freedom is left: the torque is that of one solve.
        assert!((held - weight(angle)).abs() < 1e-12, "{mode}: {held}");
        // Released, it follows its law at once.
        sim.run(0.25, 1e-3).unwrap();
        let rate = sim.kinematics().joint(JointId::of_index(0)).rates[0];
        let want = match mode {
            DriveMode::Position => {
                moving().amplitude * 3.0 * core::f64::consts::PI * (0.7 + 0.75 * core::f64::consts::PI).cos()
            }
            DriveMode::Speed => moving().amplitude * (0.7 + 0.75 * core::f64::consts::PI).sin() + 0.1,
            _ => continue,
        };
        // The rate is a constraint: rounding.
        assert!((rate - want).abs() < 1e-12, "{mode}: {rate} {want}");
    }
    // A path that starts with an acceleration: its force is the weight alone.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let b = parts.add_body(Body::particle(2.0));
    let points = [[0.0; 3], [0.0; 3], [1.0, 0.0, 2.0], [2.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    let path = Follow::new(Nurbs::even(3, 0.0, 1.0, &points, &[]).unwrap()).unwrap();
    parts.add_constraint(UserConstraint {
        name: "path".into(),
        frames: vec![(b.into(), Frame::at([0.0; 3]))],
        rule: Arc::new(path),
    });
    let mut sim = Simulation::new(parts.build().unwrap());
    let moving = sim.evaluate().unwrap().constraint_multipliers(ConstraintId::of_index(0)).to_vec();
    assert!((moving[2] - 2.0 * 9.81).abs() > 1.0, "{moving:?}");
    sim.equilibrium(EquilibriumKind::Stable).unwrap();
    let at = sim.evaluate().unwrap();
    let held = at.constraint_multipliers(ConstraintId::of_index(0));
    // No freedom is left: forces are those of one solve.
    assert!(held[0].abs() < 1e-12 && (held[2] - 2.0 * 9.81).abs() < 1e-12, "{held:?}");
    assert!(at.accelerations().iter().all(|a| a.abs() < 1e-12));
}
