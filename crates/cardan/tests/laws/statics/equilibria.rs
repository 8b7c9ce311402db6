//! Static equilibria.

use super::parts::*;
use cardan::End::Ground;
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, BodyId, Constant, End, EquilibriumKind, Force, Gravity, Joint, JointId, JointKind, ModelBuilder,
    Simulation, Spring, Stability, StaticsError,
};

/// A rod of 1 m and 2 kg on a hinge, at an angle from straight down.
fn pendulum(angle: f64) -> Simulation {
    let mut parts = builder();
    rods(&mut parts, &[Vec3::ZERO, vec3(angle.sin(), -angle.cos(), 0.0)], &[2.0], false);
    Simulation::new(parts.build().expect("a pendulum"))
}

#[test]
fn a_pendulum_hangs_and_its_hinge_carries_its_weight() {
    // At a right angle the weight has no stiffness: Newton's method alone has no step length there.
    for angle in [0.1, 1.0, std::f64::consts::FRAC_PI_2, 3.0, -2.0] {
        let mut sim = pendulum(angle);
        let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it hangs");
        assert_eq!((rest.stability, rest.freedoms, rest.stable), (Stability::Stable, 1, 1));
        // Newton on the force ends at its rounding, 2 ε; energy and position follow to rounding.
        assert!(rest.residual < 1e-14, "{angle}: {}", rest.residual);
        assert!(rest.iterations < 20, "{angle}: {} iterations", rest.iterations);
        assert!((rest.potential + 2.0 * G * 0.5).abs() < 1e-13);
        let now = sim.evaluate().expect("solved");
        // Rounding of 0.5 m.
        assert!((now.body(BodyId::of_index(0)).position - vec3(0.0, -0.5, 0.0)).norm() < 1e-14);
        let hinge = now.joint(JointId::of_index(0)).reaction.total();
        // Roundings of the weight.
        assert!((hinge.force - vec3(0.0, 2.0 * G, 0.0)).norm() < 1e-13, "{:?}", hinge.force);
        assert_eq!(sim.time(), 0.0);
    }
}

#[test]
fn the_top_of_a_pendulum_is_an_equilibrium_and_is_called_unstable() {
    let mut sim = pendulum(std::f64::consts::PI);
    let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it stands");
    assert_eq!((rest.stability, rest.unstable), (Stability::Unstable, 1));
    assert!(sim.kinematics().body(BodyId::of_index(0)).position.y > 0.499_999);
    // Near the top, descent leads to the bottom and Newton to the top.
    let mut sim = pendulum(std::f64::consts::PI - 0.2);
    assert_eq!(sim.equilibrium(EquilibriumKind::Stable).expect("it falls").stability, Stability::Stable);
    assert!(sim.kinematics().body(BodyId::of_index(0)).position.y < -0.499_999);
    let mut sim = pendulum(std::f64::consts::PI - 0.2);
    assert_eq!(sim.equilibrium(EquilibriumKind::Nearest).expect("it stands").stability, Stability::Unstable);
    // Rounding of 0.5 m.
    assert!((sim.kinematics().body(BodyId::of_index(0)).position.y - 0.5).abs() < 1e-14);
}

/// A four-bar with weights and a spring from the ground to the middle of the rocker.
fn sprung_four_bar(crank: f64) -> Simulation {
    let mut parts = builder();
    let bars = rods(&mut parts, &four_bar_pins(crank), &[1.0, 2.0, 1.5], true);
    let spring = Spring { stiffness: 40.0, rest_length: 0.5, ..Spring::default() };
    parts.add_force(Force::spring(Ground, [1.8, 0.9, 0.0], bars[2], [0.0, 0.0, 0.0], spring));
    Simulation::new(parts.build().expect("a four-bar"))
}

/// Its energy from geometry alone.
fn four_bar_energy(crank: f64) -> f64 {
    let [a, b, c, d] = four_bar_pins(crank);
    let height = |p: Vec3, q: Vec3| 0.5 * (p.y + q.y);
    let stretch = ((c + d) * 0.5 - vec3(1.8, 0.9, 0.0)).norm() - 0.5;
    G * (height(a, b) + 2.0 * height(b, c) + 1.5 * height(c, d)) + 0.5 * 40.0 * stretch * stretch
}

#[test]
fn a_four_bar_rests_where_a_scan_of_its_energy_is_least() {
    let scanned = least(-std::f64::consts::PI, std::f64::consts::PI, four_bar_energy);
    for crank in [scanned - 1.0, scanned - 0.3, scanned + 0.5, scanned + 1.2] {
        let mut sim = sprung_four_bar(crank);
        let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it rests");
        assert_eq!((rest.stability, rest.freedoms), (Stability::Stable, 1));
        // The rounding of a solve with a loop.
        assert!(rest.residual < 1e-13, "{}", rest.residual);
        let middle = sim.kinematics().body(BodyId::of_index(0)).position;
        // A minimum is found to half of the digits: sqrt(1e-16 · energy / stiffness).
        assert!((middle - at(scanned, 0.2)).norm() < 1e-7, "{middle:?} beside {:?}", at(scanned, 0.2));
        assert!((rest.potential - four_bar_energy(scanned)).abs() < 1e-12);
        assert!(sim.kinematics().position_errors().iter().all(|e| e.abs() < 1e-14));
    }
}

#[test]
fn nothing_accelerates_at_an_equilibrium_and_reactions_are_those_of_a_plain_solve() {
    let mut sim = sprung_four_bar(0.7);
    let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it rests");
    let state = rest.state.clone();
    let loads: Vec<_> = {
        let now = sim.evaluate().expect("solved");
        let largest = now.accelerations().iter().fold(0.0f64, |w, a| w.max(a.abs()));
        // The residual of the search, 1e-13 of some ten newtons, over masses of about one kilogram.
        assert!(largest < 1e-11, "{largest}");
        (0..4).map(|j| now.joint(JointId::of_index(j)).reaction.total()).collect()
    };
    let mut other = sprung_four_bar(0.7);
    other.restore(&state).expect("the same model");
    let now = other.evaluate().expect("solved");
    for (j, load) in loads.iter().enumerate() {
        assert_eq!(now.joint(JointId::of_index(j)).reaction.total(), *load);
    }
    // The ground carries weight and spring.
    let ground = loads[0].force - loads[3].force;
    let c = now.body(BodyId::of_index(2)).position;
    let way = c - vec3(1.8, 0.9, 0.0);
    let spring = way * (-40.0 * (way.norm() - 0.5) / way.norm());
    // Rounding of weights and of a spring of some ten newtons.
    assert!((ground + spring + vec3(0.0, -4.5 * G, 0.0)).norm() < 1e-11);
}

/// n rods between two pins `span` apart at one height: horizontal tension H is the same everywhere,
/// and moments about the ends of a rod of weight w that carries V to its left and V + w to its
/// right give tan φ = (V + w/2) / H.
fn hanging_angles(n: usize, span: f64, length: f64, weight: f64) -> (f64, Vec<f64>) {
    let angles = |h: f64| -> Vec<f64> {
        (0..n).map(|i| (weight * (i as f64 - 0.5 * (n as f64 - 1.0)) / h).atan()).collect()
    };
    let reach = |h: f64| angles(h).iter().map(|a| length * a.cos()).sum::<f64>();
    let (mut low, mut high) = (1e-6, 1e9);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if reach(middle) < span { low = middle } else { high = middle }
    }
    (low, angles(low))
}

#[test]
fn a_chain_between_two_pins_hangs_as_statics_says() {
    for (n, span) in [(6, 0.8), (21, 0.7)] {
        let length = 1.0 / n as f64;
        let mass = 3.0 / n as f64;
        let (tension, want) = hanging_angles(n, span, length, mass * G);
        // Started as a zigzag below the pins.
        let rise = (length * length - (span / n as f64) * (span / n as f64)).sqrt();
        let pin = |i: usize| vec3(span * i as f64 / n as f64, if i % 2 == 1 { -rise } else { 0.0 }, 0.0);
        let pins: Vec<Vec3> = (0..=n).map(pin).collect();
        let mut parts = builder();
        // With an odd number of rods the last pin hangs below the first: the other pin is moved
        // there.
        let last = *pins.last().expect("pins");
        let closed = n % 2 == 0;
        let bodies = rods(&mut parts, &pins, &vec![mass; n], false);
        let end = if closed { last } else { vec3(span, 0.0, 0.0) };
        let half = vec3(0.5 * length, 0.0, 0.0);
        parts.add_joint(Joint::between(
            JointKind::Revolute,
            Ground,
            cardan::Frame::at(end),
            bodies[n - 1],
            cardan::Frame::at(half),
        ));
        let mut sim = Simulation::new(parts.build().expect("a chain"));
        let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it hangs");
        assert_eq!((rest.stability, rest.freedoms), (Stability::Stable, n - 2));
        // The rounding of a solve, amplified by the condition number of a chain.
        assert!(rest.residual < 1e-12, "{}", rest.residual);
        let now = sim.evaluate().expect("solved");
        for (i, want) in want.iter().enumerate() {
            let way = now.body(BodyId::of_index(i)).orientation * Vec3::X;
            let angle = way.y.atan2(way.x);
            // The condition number of a chain grows with n²; the root for the tension is at
            // rounding.
            assert!((angle - want).abs() < 1e-11, "rod {i} of {n}: {angle} instead of {want}");
            let pull = now.joint(JointId::of_index(i)).reaction.total().force;
            assert!((pull.x + tension).abs() < 1e-10 * tension, "pin {i}: {} and {tension}", pull.x);
        }
    }
}

#[test]
fn an_unsupported_body_is_reported_as_falling() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) }.named("rod"));
    let loose = parts.add_body(Body { pos: vec3(3.0, 0.0, 0.0), ..Body::particle(1.0) }.named("loose"));
    parts.add_joint(Joint::revolute(Ground, cardan::BodyId::of_index(0), [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
    let mut sim = Simulation::new(parts.build().expect("two bodies"));
    let before = sim.state_hash();
    match sim.equilibrium(EquilibriumKind::Stable) {
        Err(StaticsError::FallsForEver { body, along, moved, force }) => {
            assert_eq!((body.as_str(), loose.index()), ("loose", 1));
            // The direction is shown with six digits; the force is that of the last pose, before
            // the fall was noticed.
            assert!((along + Vec3::Z).norm() < 1e-6 && moved > 1e3 && (force - G).abs() < 0.1 * G);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(sim.state_hash(), before);
    assert!(
        matches!(sim.equilibrium(EquilibriumKind::Nearest), Err(StaticsError::NotSettled { body, .. }) if body == "loose")
    );
}

#[test]
fn a_torque_turns_a_hinge_until_a_spring_holds_it() {
    let wheel = |stiffness: f64, torque: f64| {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let wheel = parts.add_body(Body::rod(1.0, 1.0, 0.01).named("wheel"));
        let hinge = Joint::revolute(Ground, wheel, Vec3::ZERO, Vec3::Z);
        parts.add_joint(if stiffness > 0.0 { hinge.with_spring(stiffness, 0.0, 0.0) } else { hinge });
        let law = Constant { torque: vec3(0.0, 0.0, torque), ..Constant::default() };
        parts.add_force(Force::constant(wheel, Vec3::ZERO, law));
        Simulation::new(parts.build().expect("a wheel"))
    };
    for torque in [0.3, 40.0] {
        let mut sim = wheel(2.0, torque);
        let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it rests");
        assert_eq!(rest.stability, Stability::Stable);
        // 20 rad are three turns, which are counted.
        assert!((sim.kinematics().joint(JointId::of_index(0)).coordinates[0] - torque / 2.0).abs() < 1e-12);
    }
    let error = wheel(0.0, 1.0).equilibrium(EquilibriumKind::Stable).expect_err("nothing holds it");
    assert!(matches!(&error, StaticsError::NotSettled { body, .. } if body == "wheel"), "{error}");
    // Without a torque it stays in any pose.
    let rest = wheel(0.0, 0.0).equilibrium(EquilibriumKind::Stable).expect("it rests");
    assert_eq!((rest.stability, rest.neutral, rest.residual), (Stability::Neutral, 1, 0.0));
}

#[test]
fn freedoms_without_stiffness_are_neutral_and_do_not_move() {
    // A ball joint: two oscillations, and a free spin about the vertical.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) });
    parts.add_joint(Joint::spherical(Ground, rod, [0.0, 0.0, 0.0]));
    let mut sim = Simulation::new(parts.build().expect("a rod"));
    let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it hangs");
    assert_eq!((rest.stability, rest.stable, rest.neutral), (Stability::Neutral, 2, 1));
    // A door on two hinges, one of them redundant, with a vertical axis: every pose is an
    // equilibrium.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let door = parts.add_body(Body { pos: vec3(0.4, 0.1, 0.0), ..Body::rod(5.0, 0.8, 0.02) });
    for z in [0.5, -0.5] {
        parts.add_joint(Joint::revolute(Ground, door, vec3(0.0, 0.0, z), Vec3::Z));
    }
    let mut sim = Simulation::new(parts.build().expect("a door"));
    let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it rests");
    assert_eq!((rest.stability, rest.freedoms, rest.iterations), (Stability::Neutral, 1, 0));
    // No step was taken.
    assert!((sim.kinematics().body(BodyId::of_index(0)).position - vec3(0.4, 0.1, 0.0)).norm() < 1e-14);
    // Welded: it cannot move.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let door = parts.add_body(Body::rod(5.0, 0.8, 0.02));
    parts.add_joint(Joint::fixed(Ground, door));
    let rest = Simulation::new(parts.build().expect("a shelf"))
        .equilibrium(EquilibriumKind::Stable)
        .expect("it rests");
    assert_eq!((rest.stability, rest.freedoms), (Stability::Rigid, 0));
}

#[test]
fn a_damped_mechanism_runs_down_to_the_equilibrium_that_is_found_without_running() {
    let pins = four_bar_pins(0.4);
    let make = |damping: f64| {
        let mut parts = builder();
        let bars = rods(&mut parts, &pins, &[1.0, 2.0, 1.5], true);
        let spring = Spring { stiffness: 60.0, damping, rest_length: 0.4 };
        parts.add_force(Force::spring(Ground, [0.2, 1.2, 0.0], bars[1], [0.1, 0.0, 0.0], spring));
        // A rod that swings on the coupler: three freedoms minus two.
        let tail = parts.add_body(planar_rod(0.5, pins[2], pins[2] + vec3(0.1, -0.3, 0.0)));
        parts.add_force(Force::drag(
            bars[0],
            [0.0, 0.0, 0.0],
            cardan::Drag { angular: 0.02 * damping, ..Default::default() },
        ));
        parts.add_joint(Joint::revolute(End::Body(bars[1]), tail, pins[2], Vec3::Z).with_spring(
            0.2,
            0.002 * damping,
            0.1,
        ));
        Simulation::new(parts.build().expect("a mechanism"))
    };
    let mut still = make(40.0);
    let rest = still.equilibrium(EquilibriumKind::Stable).expect("it rests");
    assert_eq!((rest.stability, rest.freedoms), (Stability::Stable, 2));
    let mut running = make(40.0);
    running.run(60.0, 2e-3).expect("it runs");
    for body in 0..4 {
        let (a, b) = (
            still.kinematics().body(BodyId::of_index(body)).position,
            running.kinematics().body(BodyId::of_index(body)).position,
        );
        // The rest of the oscillation after a minute.
        assert!((a - b).norm() < 1e-9, "body {body}: {a:?} and {b:?}");
    }
}

#[test]
fn a_pose_that_cannot_be_closed_or_is_too_large_is_refused() {
    let mut parts = builder();
    let rod = parts.add_body(Body::planar(1.0, 1.0));
    parts.add_joint(Joint::revolute(Ground, rod, Vec3::ZERO, Vec3::Z));
    let far = cardan::Frame::at([3.0, 0.0, 0.0]);
    parts.add_joint(
        Joint::between(JointKind::Revolute, Ground, far, rod, cardan::Frame::at([1.0, 0.0, 0.0]))
            .named("far"),
    );
    let error = Simulation::new(parts.build().expect("a rod"))
        .equilibrium(EquilibriumKind::Stable)
        .expect_err("open");
    assert!(matches!(error, StaticsError::Step(_)), "{error}");
    let mut parts = builder();
    for _ in 0..700 {
        parts.add_body(Body::planar(1.0, 1.0));
    }
    let error = Simulation::new(parts.build().expect("many"))
        .equilibrium(EquilibriumKind::Stable)
        .expect_err("too many");
    assert!(matches!(error, StaticsError::TooLarge { coordinates: 2100, .. }), "{error}");
    // An infinite weight, on a hinge.
    for seek in [EquilibriumKind::Stable, EquilibriumKind::Nearest] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -1e300, 0.0));
        rods(&mut parts, &[Vec3::ZERO, vec3(1.0, 0.1, 0.0)], &[1e10], false);
        let Ok(model) = parts.build() else { continue };
        assert!(Simulation::new(model).equilibrium(seek).is_err());
    }
}

#[test]
fn a_heavy_ball_on_a_taut_chain_of_light_links_comes_to_rest_in_few_steps() {
    // A mass ratio of a million, straight: projection by mass would turn the links in random
    // directions.
    let mut parts = builder();
    let n = 11;
    let pins: Vec<Vec3> = (0..=n).map(|i| at(-0.9, 0.5 * i as f64)).collect();
    let masses: Vec<f64> = (0..n).map(|i| if i == n - 1 { 1000.0 } else { 1e-3 }).collect();
    rods(&mut parts, &pins, &masses, false);
    let mut sim = Simulation::new(parts.build().expect("a chain"));
    let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it hangs");
    assert_eq!((rest.stability, rest.stable), (Stability::Stable, n));
    assert!(rest.iterations < 40, "{} iterations", rest.iterations);
    for i in 0..n {
        let place = sim.kinematics().body(BodyId::of_index(i)).position;
        // Residuals of 1e-9 relative to a weight of 10 kN, and a chain of 5.5 m.
        assert!((place - vec3(0.0, -0.5 * i as f64 - 0.25, 0.0)).norm() < 1e-9, "{place:?}");
    }
}
