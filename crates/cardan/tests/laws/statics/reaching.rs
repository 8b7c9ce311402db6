//! Inverse kinematics.

use super::parts::*;
use cardan::End::Ground;
use cardan::math::{Quat, Vec3, vec3};
use cardan::statics::Metric;
use cardan::{Body, BodyId, Frame, Goal, Gravity, Joint, JointId, ModelBuilder, Simulation, StaticsError};

/// Rods of 1 m and 0.7 m on hinges, at given angles.
fn arm(shoulder: f64, elbow: f64) -> (Simulation, BodyId) {
    let elbow_at = at(shoulder, 1.0);
    let mut parts = builder();
    let rods =
        rods(&mut parts, &[Vec3::ZERO, elbow_at, elbow_at + at(shoulder + elbow, 0.7)], &[2.0, 1.0], false);
    (Simulation::new(parts.build().expect("an arm")), rods[1])
}

const TIP: [f64; 3] = [0.35, 0.0, 0.0];

#[test]
fn an_arm_of_two_rods_reaches_what_the_law_of_cosines_says() {
    for target in [vec3(1.2, 0.4, 0.0), vec3(-0.5, 0.9, 0.0), vec3(0.4, -0.1, 0.0), vec3(0.0, 1.5, 0.0)] {
        let (mut sim, fore) = arm(0.3, 0.8);
        let found = sim.reach(&Goal::point(fore, TIP, target)).expect("an answer");
        assert!(found.reached, "{target:?}: {:?} after {}", found.miss, found.iterations);
        // Newton ends at rounding of metres.
        assert!(found.miss.norm() < 1e-12 && found.iterations < 40, "{} iterations", found.iterations);
        let now = sim.kinematics();
        let elbow = now.joint(JointId::of_index(1)).coordinates[0];
        // The elbow was bent to the left and stays so: its zero is 0.8.
        let d2 = target.dot(target);
        let want = ((d2 - 1.0 - 0.49) / 1.4).acos();
        let got = (elbow + 0.8).abs();
        assert!((got - want).abs() < 1e-10, "{target:?}: {got} instead of {want}");
    }
}

#[test]
fn a_target_out_of_reach_gives_the_nearest_pose_and_says_by_how_much() {
    let (mut sim, fore) = arm(0.3, 0.8);
    let target = vec3(1.5, 2.0, 0.0);
    let found = sim.reach(&Goal::point(fore, TIP, target)).expect("an answer");
    assert!(!found.reached);
    // Stretched towards the target: 2.5 m away, 1.7 m long.
    assert!((found.miss - target * (0.8 / 2.5)).norm() < 1e-8, "{:?}", found.miss);
    // Too near: folded, 0.3 m from the shoulder at least.
    let (mut sim, fore) = arm(0.3, 0.8);
    let found = sim.reach(&Goal::point(fore, TIP, vec3(0.1, 0.0, 0.0))).expect("an answer");
    assert!(!found.reached && (found.miss.norm() - 0.2).abs() < 1e-8, "{:?}", found.miss);
}

#[test]
fn a_stretched_arm_gets_away_from_its_singular_pose() {
    // Straight, and the target on its line: the first derivative vanishes.
    let (mut sim, fore) = arm(0.5, 0.0);
    let target = at(0.5, 1.1);
    let found = sim.reach(&Goal::point(fore, TIP, target)).expect("an answer");
    assert!(found.reached, "{:?}", found.miss);
    // A target exactly at the end of its reach.
    let (mut sim, fore) = arm(0.3, 0.8);
    let found = sim.reach(&Goal::point(fore, TIP, at(1.0, 1.7))).expect("an answer");
    assert!(found.miss.norm() < 1e-7, "{:?} after {}", found.miss, found.iterations);
}

#[test]
fn the_coupler_of_a_four_bar_comes_as_near_as_a_scan_says() {
    let coupler = |crank: f64| {
        let [_, b, c, _] = four_bar_pins(crank);
        let along = (c - b) / (c - b).norm();
        b + along * 0.55 + Vec3::Z.cross(along) * 0.3
    };
    for (start, target) in [(0.3, vec3(0.9, 0.6, 0.0)), (2.0, vec3(-0.2, 1.4, 0.0))] {
        let mut parts = builder();
        let bars = rods(&mut parts, &four_bar_pins(start), &[1.0, 2.0, 1.5], true);
        let mut sim = Simulation::new(parts.build().expect("a four-bar"));
        let found = sim.reach(&Goal::point(bars[1], [0.0, 0.3, 0.0], target)).expect("an answer");
        let scanned = least(0.0, std::f64::consts::TAU, |crank| (coupler(crank) - target).norm());
        let want = (coupler(scanned) - target).norm();
        // A scan finds the minimum to half of the digits, and the distance to twice that; loops are
        // closed to rounding.
        assert!((found.miss.norm() - want).abs() < 1e-9, "{} instead of {want}", found.miss.norm());
        assert!(sim.kinematics().position_errors().iter().all(|e| e.abs() < 1e-14));
    }
    // A point that it passes is reached.
    let mut parts = builder();
    let bars = rods(&mut parts, &four_bar_pins(0.3), &[1.0, 2.0, 1.5], true);
    let mut sim = Simulation::new(parts.build().expect("a four-bar"));
    let found = sim.reach(&Goal::point(bars[1], [0.0, 0.3, 0.0], coupler(1.3))).expect("an answer");
    assert!(found.reached && found.freedoms == 1, "{:?}", found.miss);
}

/// A platform on six legs, each a ball joint, a slide, and a ball joint.
fn hexapod() -> (Simulation, BodyId) {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let platform = parts.add_body(Body {
        pos: vec3(0.0, 0.0, 1.0),
        ..Body::solid(cardan::SolidShape::Sphere { radius: 0.3 }, 10.0)
    });
    for i in 0..6 {
        let low =
            at(std::f64::consts::TAU * (i / 2 * 2) as f64 / 6.0 + if i % 2 == 0 { 0.2 } else { -0.2 }, 0.8);
        let j = (i + 1) / 2 * 2 % 6;
        let high =
            at(std::f64::consts::TAU * (j as f64 - 1.0) / 6.0 + if i % 2 == 0 { -0.2 } else { 0.2 }, 0.4);
        let high = high + vec3(0.0, 0.0, 1.0);
        let along = (high - low) / (high - low).norm();
        let turn = Quat::with_z_along(along, None).expect("a direction")
            * Quat::exp(vec3(0.0, -std::f64::consts::FRAC_PI_2, 0.0));
        let leg = |middle: Vec3| Body { pos: middle, rot: turn, ..Body::rod(1.0, 0.5, 0.02) };
        let lower = parts.add_body(leg(low + along * 0.25));
        let upper = parts.add_body(leg(high - along * 0.25));
        parts.add_joint(Joint::universal(
            Ground,
            lower,
            low,
            along.any_perpendicular().expect("one"),
            along.cross(along.any_perpendicular().expect("one")),
        ));
        parts.add_joint(Joint::prismatic(lower, upper, low, along));
        parts.add_joint(Joint::spherical(upper, platform, high));
    }
    (Simulation::new(parts.build().expect("a hexapod")), platform)
}

#[test]
fn a_platform_on_six_legs_takes_any_small_pose() {
    let (mut sim, platform) = hexapod();
    let place = vec3(0.1, -0.05, 1.15);
    let turn = Quat::exp(vec3(0.1, 0.2, -0.15));
    let found = sim.reach(&Goal::frame(platform, Frame::default(), place, turn)).expect("an answer");
    assert!(found.reached, "{:?} {:?} after {}", found.miss, found.miss_turn, found.iterations);
    assert_eq!(found.freedoms, 6);
    let now = sim.kinematics();
    // `reached` allows 1e-9 of the length; Newton's last step leaves the square of that before it.
    // Loops are closed to rounding.
    assert!((now.body(BodyId::of_index(0)).position - place).norm() < 1e-10);
    assert!((now.body(BodyId::of_index(0)).orientation.inverse() * turn).log().norm() < 1e-10);
    assert!(now.position_errors().iter().all(|e| e.abs() < 1e-14));
    // The orientation alone.
    let (mut sim, platform) = hexapod();
    let found = sim.reach(&Goal::orientation(platform, turn)).expect("an answer");
    assert!(
        found.reached
            && (sim.kinematics().body(BodyId::of_index(0)).orientation.inverse() * turn).log().norm() < 1e-10
    );
}

#[test]
fn motion_is_as_small_as_it_can_be_in_the_measure_asked_for() {
    // Five rods for two coordinates. If the second one is heavy, the mass metric moves it less.
    let make = || {
        let mut parts = builder();
        let mut pins = vec![Vec3::ZERO];
        for i in 0..5 {
            let last = *pins.last().expect("a pin");
            pins.push(last + at(0.5 - 0.25 * i as f64, 0.4));
        }
        let all = rods(&mut parts, &pins, &[1.0, 50.0, 1.0, 1.0, 1.0], false);
        (Simulation::new(parts.build().expect("an arm")), all[4], pins[5])
    };
    let mut moved = Vec::new();
    for metric in [Metric::Geometry, Metric::Mass] {
        let (mut sim, last, tip) = make();
        let before = sim.state().clone();
        let target = tip + vec3(-0.01, 0.02, 0.0);
        let found =
            sim.reach(&Goal::point(last, [0.2, 0.0, 0.0], target).with_metric(metric)).expect("an answer");
        assert!(found.reached, "{:?}", found.miss);
        // A small motion: its size in both metrics, as kinetic energy and as a sum of squares.
        let way: Vec<f64> =
            found.state.coordinates().iter().zip(before.coordinates()).map(|(a, b)| a - b).collect();
        let mut moving = before.clone();
        moving.velocities_mut().copy_from_slice(&way);
        moved.push((sim.energy_at(&moving).kinetic, way.iter().map(|x| x * x).sum::<f64>()));
    }
    let [(energy, squares), (least_energy, more_squares)] = moved[..] else { panic!("two") };
    assert!(least_energy < 0.7 * energy && more_squares > 1.1 * squares, "{moved:?}");
}

#[test]
fn invalid_goals_are_refused() {
    let (mut sim, fore) = arm(0.3, 0.8);
    let before = sim.state_hash();
    let mut refused = |goal: Goal| match sim.reach(&goal) {
        Err(StaticsError::BadGoal { what }) => what,
        other => panic!("{other:?}"),
    };
    assert!(refused(Goal::point(fore, TIP, [f64::NAN, 0.0, 0.0])).contains("b1"));
    assert!(refused(Goal::point(fore, [f64::INFINITY, 0.0, 0.0], [0.0; 3])).contains("finite"));
    assert!(refused(Goal::point(BodyId::of_index(7), TIP, [0.0; 3])).contains("does not exist"));
    assert_eq!(sim.state_hash(), before);
    let mut parts = builder();
    let speck = parts.add_body(Body::particle(1.0).named("speck"));
    let mut sim = Simulation::new(parts.build().expect("a speck"));
    for goal in [Goal::orientation(speck, Quat::IDENTITY), Goal::point(speck, TIP, [0.0; 3])] {
        assert!(matches!(sim.reach(&goal), Err(StaticsError::BadGoal { what }) if what.contains("speck")));
    }
    let found = sim.reach(&Goal::point(speck, [0.0; 3], [1.0, 2.0, 3.0])).expect("an answer");
    assert!(found.reached);
}
