//! Limits of joints and walls in statics.

use super::parts::*;
use cardan::End::Ground;
use cardan::contact::Shape;
use cardan::inequality::HalfSpace;
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, BodyId, ContactShape, End, EquilibriumKind, Frame, Goal, Inequality, InequalityId, Joint, JointId,
    JointLimit, Material, Simulation, Stability, StaticsError,
};

/// Rods of 1 m and 0.7 m at given angles; the elbow may bend from `low` to `high`, counted from
/// straight.
fn arm(shoulder: f64, elbow: f64, [low, high]: [f64; 2]) -> (Simulation, BodyId) {
    let mut parts = builder();
    let (pin, tip) = (at(shoulder, 1.0), at(shoulder, 1.0) + at(shoulder + elbow, 0.7));
    let upper = parts.add_body(planar_rod(2.0, Vec3::ZERO, pin));
    let fore = parts.add_body(planar_rod(1.0, pin, tip));
    parts.add_joint(Joint::revolute(Ground, upper, Vec3::ZERO, Vec3::Z));
    let mut hinge = Joint::revolute(upper, fore, pin, Vec3::Z);
    hinge.zero[0] = elbow;
    hinge.limits.push(JointLimit { coordinate: 0, low, high, restitution: 0.0 });
    parts.add_joint(hinge);
    (Simulation::new(parts.build().expect("an arm")), fore)
}

const TIP: [f64; 3] = [0.35, 0.0, 0.0];

/// Distance of the tip from the shoulder with the elbow at an angle.
fn stretch(elbow: f64) -> f64 {
    (1.0 + 0.49 + 1.4 * elbow.cos()).sqrt()
}

#[test]
fn an_arm_reaches_with_its_elbow_within_its_limits() {
    // Within the ring that a limited elbow can reach: to rounding, and on the allowed side.
    for (range, start) in [([0.2f64, 2.0], 0.8), ([-2.5, 0.0], -0.4), ([-2.5, 0.0], 0.0), ([0.0, 2.5], 0.0)] {
        for target in [vec3(0.9, 0.9, 0.0), vec3(-0.8, 0.7, 0.0), at(0.3, stretch(range[0].max(-range[1])))] {
            let (mut sim, fore) = arm(0.3, start, range);
            let found = sim.reach(&Goal::point(fore, TIP, target)).expect("an answer");
            assert!(found.reached, "{range:?} {start} {target:?}: {:?}, {}", found.miss, found.iterations);
            let elbow = sim.kinematics().joint(JointId::of_index(1)).coordinates[0];
            // The active set accepts a violation of up to 1e-9 rad.
            assert!(elbow > range[0] - 1e-9 && elbow < range[1] + 1e-9, "{range:?} {start}: {elbow}");
        }
    }
    // Outside of it: the elbow stops at its limit, and the arm points at the target.
    for (range, target, stop) in [
        ([0.5, 1.2], at(-0.4, 3.0), 0.5),
        ([0.5, 1.2], at(2.0, 0.4), 1.2),
        ([-1.2, -0.5], at(2.0, 0.4), -1.2),
        ([-1.2, -0.5], at(0.1, 1.699), -0.5),
    ] {
        let (mut sim, fore) = arm(0.3, 0.5 * (range[0] + range[1]), range);
        let found = sim.reach(&Goal::point(fore, TIP, target)).expect("an answer");
        let now = sim.kinematics();
        let elbow = now.joint(JointId::of_index(1)).coordinates[0];
        // The limit and the direction to the target are solved to rounding.
        assert!(!found.reached && (elbow - stop).abs() < 1e-12, "{range:?}: {elbow}");
        let want = (target.norm() - stretch(stop)).abs();
        assert!((found.miss.norm() - want).abs() < 1e-12, "{} {want}", found.miss.norm());
        // One inequality is active, and it is the expected one: low comes first.
        assert_eq!(found.held, [InequalityId::of_index(usize::from(stop == range[1]))], "{range:?}");
    }
}

#[test]
fn a_pose_beyond_its_limit_is_brought_back_first() {
    let (mut sim, fore) = arm(0.3, 1.5, [0.2, 1.0]);
    let target = at(1.0, stretch(0.6));
    let found = sim.reach(&Goal::point(fore, TIP, target)).expect("an answer");
    assert!(found.reached, "{:?}", found.miss);
    // `reached` allows a miss of 1e-9 of the arm's length.
    assert!((sim.kinematics().joint(JointId::of_index(1)).coordinates[0] - 0.6).abs() < 1e-9);
    // A limit that no closed pose satisfies: a rocker of a rigid triangle.
    let mut parts = builder();
    let bar = parts.add_body(planar_rod(1.0, Vec3::ZERO, vec3(1.0, 0.0, 0.0)));
    let mut hinge = Joint::revolute(Ground, bar, Vec3::ZERO, Vec3::Z).named("hinge");
    hinge.limits.push(JointLimit { coordinate: 0, low: 0.5, high: 1.0, restitution: 0.0 });
    parts.add_joint(hinge);
    parts.add_joint(Joint::fixed(Ground, bar));
    let mut sim = Simulation::new(parts.build().expect("a bar"));
    match sim.equilibrium(EquilibriumKind::Stable) {
        Err(StaticsError::Beyond { inequality }) => assert_eq!(inequality, "hinge"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_pendulum_leans_on_its_stop_with_the_moment_of_its_weight() {
    for (low, start) in [(-0.6f64, 0.4), (-0.6, -0.6), (-0.6, -0.9)] {
        let mut parts = builder();
        let bar = parts.add_body(planar_rod(3.0, Vec3::ZERO, at(start, 1.0)));
        let mut hinge = Joint::revolute(Ground, bar, Vec3::ZERO, Vec3::Z);
        hinge.zero[0] = start;
        hinge.limits.push(JointLimit { coordinate: 0, low, high: f64::INFINITY, restitution: 0.0 });
        parts.add_joint(hinge);
        let mut sim = Simulation::new(parts.build().expect("a bar"));
        for seek in [EquilibriumKind::Stable, EquilibriumKind::Nearest] {
            let rest = sim.equilibrium(seek).expect("it rests");
            assert_eq!(
                (rest.stability, rest.freedoms, rest.held.len()),
                (Stability::Stable, 0, 1),
                "{start}"
            );
            let now = sim.evaluate().expect("solved");
            // Rounding of the limit; the torque to rounding of 15 N·m in a solve; accelerations are
            // its residual over the inertia.
            assert!((now.joint(JointId::of_index(0)).coordinates[0] - low).abs() < 1e-14);
            let torque = now.joint(JointId::of_index(0)).reaction.limit.torque.z;
            assert!((torque - 3.0 * G * 0.5 * low.cos()).abs() < 1e-11, "{torque}");
            assert!(now.accelerations().iter().all(|a| a.abs() < 1e-10));
        }
    }
    // Beyond the lowest point the stop is left: no force pulls it there.
    let mut parts = builder();
    let bar = parts.add_body(planar_rod(3.0, Vec3::ZERO, at(-2.5, 1.0)));
    let mut hinge = Joint::revolute(Ground, bar, Vec3::ZERO, Vec3::Z);
    hinge.zero[0] = -2.5;
    hinge.limits.push(JointLimit { coordinate: 0, low: -2.5, high: 1.0, restitution: 0.0 });
    parts.add_joint(hinge);
    let mut sim = Simulation::new(parts.build().expect("a bar"));
    let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it rests");
    assert!(rest.held.is_empty() && rest.freedoms == 1);
    // The energy is flat at its minimum, but Newton on the force finds the angle to rounding.
    assert!(
        (sim.kinematics().joint(JointId::of_index(0)).coordinates[0] + core::f64::consts::FRAC_PI_2).abs()
            < 1e-12
    );
}

#[test]
fn a_mechanism_at_a_limit_has_the_modes_of_one_welded_there() {
    // The knee bends in one direction only and gravity pushes it in the other: a bent pendulum on
    // its hip.
    let (mut sim, _) = arm(-1.0, 0.8, [0.7, 2.0]);
    let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it rests");
    assert_eq!((rest.stability, rest.freedoms), (Stability::Stable, 1));
    assert!((sim.kinematics().joint(JointId::of_index(1)).coordinates[0] - 0.7).abs() < 1e-12);
    let modes = sim.modes().expect("modes");
    assert_eq!(modes.freedoms, 1);
    // Two rods welded at 0.7 rad: moment of inertia and centre of mass about the hip.
    let (upper, fore) = (at(0.0, 0.5), at(0.0, 1.0) + at(0.7, 0.35));
    let inertia = 2.0 / 3.0 + 0.49 / 12.0 + fore.dot(fore);
    let lever = (upper * 2.0 + fore).norm();
    let want = (G * lever / inertia).sqrt() / core::f64::consts::TAU;
    // Four-point differences leave 1e-12 of the stiffness, half of it in the frequency.
    assert!((modes.modes[0].frequency / want - 1.0).abs() < 1e-9, "{} {want}", modes.modes[0].frequency);
}

#[test]
fn a_chain_of_rods_lies_on_the_floor_that_it_is_let_down_to() {
    // Four rods of 0.5 m from a pin 0.8 m above a floor; every lower end stays above it.
    let angles = [-0.6f64, -0.3, 0.1, -0.2];
    let mut pins = vec![vec3(0.0, 0.8, 0.0)];
    angles.iter().for_each(|&a| pins.push(pins[pins.len() - 1] + at(a, 0.5)));
    let mut parts = builder();
    let bodies = rods(&mut parts, &pins, &[1.0; 4], false);
    for (k, &body) in bodies.iter().enumerate() {
        let floor = HalfSpace::new(Vec3::Y).expect("a normal");
        let frames = vec![(Ground, Frame::default()), (End::Body(body), Frame::at([0.25, 0.0, 0.0]))];
        parts.add_inequality(Inequality::new(format!("floor-{k}"), frames, floor));
    }
    let mut sim = Simulation::new(parts.build().expect("a chain"));
    let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it rests");
    assert!(!rest.held.is_empty(), "{rest:?}");
    let now = sim.evaluate().expect("solved");
    // The search ends at a residual of 1e-9 of the weights or better.
    assert!(now.accelerations().iter().all(|a| a.abs() < 1e-9), "{:?}", now.accelerations());
    // The floor and the pin carry the whole weight, and no contact pulls.
    let (mut floor, ends) = (0.0, 4);
    for k in 0..ends {
        let end = now.body(BodyId::of_index(k)).position
            + now.body(BodyId::of_index(k)).orientation * vec3(0.25, 0.0, 0.0);
        assert!(end.y > -1e-9, "{k}: {}", end.y);
        assert!(now.inequality_multiplier(InequalityId::of_index(k)) >= 0.0);
        floor += now.inequality_multiplier(InequalityId::of_index(k));
    }
    let pin = now.joint(JointId::of_index(0)).reaction.total().force.y;
    // Contacts are found to the residual of the search, 1e-9 of the weights.
    assert!(floor > 1.0 && (floor + pin - 4.0 * G).abs() < 1e-9, "{floor} {pin}");
    // It is a minimum: no small motion above the floor lowers the energy.
    let energy = rest.potential;
    let mut seed = 1u64;
    for _ in 0..200 {
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / (1u64 << 24) as f64 - 0.5
        };
        let (mut pin, mut potential, mut inside) = (vec3(0.0, 0.8, 0.0), 0.0, true);
        for k in 0..4 {
            let along = now.body(BodyId::of_index(k)).orientation * vec3(0.5, 0.0, 0.0);
            let turned = turn(1e-3 * random()) * along;
            potential += G * (pin.y + 0.5 * turned.y);
            pin += turned;
            inside &= pin.y >= 0.0;
        }
        assert!(!inside || potential > energy - 1e-9, "{potential} {energy}");
    }
}

#[test]
fn contacts_of_shapes_are_refused() {
    let mut parts = builder();
    let ball = parts.add_body(Body { pos: vec3(0.0, 1.0, 0.0), ..Body::rod(1.0, 1.0, 0.1) });
    for body in [End::Body(ball), Ground] {
        let (frame, shape) = (Frame::default(), Shape::sphere(0.1).expect("a ball"));
        parts.add_shape(ContactShape { body, frame, shape, material: Material::default() });
    }
    let mut sim = Simulation::new(parts.build().expect("two balls"));
    assert_eq!(sim.equilibrium(EquilibriumKind::Stable).unwrap_err(), StaticsError::Contacts);
}
