//! Hinge angles count turns and never jump, at any speed a step can follow.

use cardan::End::Ground;
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, Constant, Force, Gravity, Joint, JointId, JointKind, ModelBuilder, Simulation, SolidShape,
};
use core::f64::consts::PI;

/// A wheel spinning freely about a hinge, in space or in the plane.
fn wheel(omega: f64, planar: bool, torque: f64) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let axis = if planar { Vec3::Z } else { vec3(2.0, -1.0, 2.0) / 3.0 };
    let body =
        if planar { Body::planar(1.0, 0.4) } else { Body::solid(SolidShape::Sphere { radius: 1.0 }, 1.0) };
    let wheel = parts.add_body(Body { omega: axis * omega, ..body });
    parts.add_joint(Joint::revolute(Ground, wheel, [0.0; 3], axis));
    if torque != 0.0 {
        parts.add_force(Force::constant(
            wheel,
            [0.0; 3],
            Constant { torque: axis * torque, ..Constant::default() },
        ));
    }
    Simulation::new(parts.build().unwrap())
}

#[test]
fn a_thousand_turns_at_high_speed_are_counted_exactly_and_without_a_jump() {
    let h = 1e-3;
    for planar in [false, true] {
        // Just below half a turn per step, in both directions; and beyond it, where the rate
        // determines the turn.
        for per_step in [0.7, 2.9, 3.1, -3.1, 5.0] {
            let mut sim = wheel(per_step / h, planar, 0.0);
            let steps = (2.0 * PI * 1000.0 / f64::abs(per_step)) as usize + 1;
            let mut before = 0.0;
            for _ in 0..steps {
                sim.step(h).unwrap();
                let angle = sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
                let off = (angle - before - per_step).abs();
                // Rounding of ω h and of the pose; a missed turn would be 2π.
                assert!(off < 1e-9, "planar {planar}, {per_step} rad per step: jumped by {off:e}");
                before = angle;
            }
            let expected = per_step * steps as f64;
            // Rounding of ω and of the pose, step by step: 9000 steps of some ε of one turn.
            assert!((before - expected).abs() < 1e-8, "planar {planar}: {before} against {expected}");
            assert!(before.abs() >= 2.0 * PI * 1000.0);
        }
    }
}

#[test]
fn turns_are_counted_while_the_wheel_speeds_up_and_turns_back() {
    // From 40 rad/s in one direction to 40 rad/s in the other: the angle is a parabola, and returns
    // to its start.
    for planar in [false, true] {
        let (omega, alpha) = (40.0, -20.0);
        let mut sim = wheel(omega, planar, alpha * 0.4);
        for _ in 0..4000 {
            sim.step(1e-3).unwrap();
            let t = sim.time();
            let expected = omega * t + 0.5 * alpha * t * t;
            let report = sim.kinematics().joint(JointId::of_index(0));
            // RK4 is exact for a parabola: 4000 steps of rounding of up to 40 rad.
            assert!((report.coordinates[0] - expected).abs() < 1e-9, "t = {t}: {}", report.coordinates[0]);
            assert!((report.rates[0] - (omega + alpha * t)).abs() < 1e-10, "t = {t}: {}", report.rates[0]);
        }
        // Back at the start, as above.
        assert!(sim.kinematics().joint(JointId::of_index(0)).coordinates[0].abs() < 1e-9);
    }
}

#[test]
fn a_bead_counts_its_rounds() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let bead = parts.add_body(Body { pos: Vec3::X * 2.0, vel: vec3(0.0, 6.0, 0.0), ..Body::particle(1.0) });
    parts.add_joint(Joint::at(JointKind::BeadOnCircle { radius: 2.0 }, Ground, bead, Vec3::ZERO, Vec3::Z));
    let mut sim = Simulation::new(parts.build().unwrap());
    let start = sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
    let mut before = start;
    for _ in 0..30_000 {
        sim.step(1e-3).unwrap();
        let angle = sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
        // Truncation of RK4 on a circle at 3e-3 rad per step: (3e-3)⁵/120 per step, and rounding.
        assert!((angle - before - 3e-3).abs() < 1e-10, "jumped by {}", angle - before);
        before = angle;
    }
    // 30 000 steps of 2e-15 each of truncation, and rounding of 90 rad.
    assert!((before - start - 90.0).abs() < 1e-8, "{} rad after 30 s at 3 rad/s", before - start);
}

#[test]
fn a_snapshot_remembers_the_turns() {
    let mut sim = wheel(50.0, false, 0.0);
    sim.run(1.0, 1e-3).unwrap();
    let snapshot = sim.state().clone();
    let mut other = wheel(50.0, false, 0.0);
    other.restore(&snapshot).unwrap();
    // 1000 steps of rounding of 50 rad.
    assert!((other.kinematics().joint(JointId::of_index(0)).coordinates[0] - 50.0).abs() < 1e-9);
}
