//! Lower pairs against motions known in closed form, or from Lagrange's equations of their own
//! coordinates.

#![allow(clippy::disallowed_methods, reason = "the expected values need no reproducible bits")]

use cardan::joint::PlanarFit;
use cardan::math::{Quat, Sym3, Vec3, vec3};
use cardan::{
    Body, BodyId, BuildError, End::Ground, Frame, Gravity, Joint, JointId, JointKind, JointSpring,
    MassProperties, ModelBuilder, Placement, Simulation,
};
use std::f64::consts::{FRAC_PI_2, PI};

fn close(what: &str, found: f64, expected: f64, bound: f64) {
    assert!((found - expected).abs() <= bound, "{what}: {found}, expected {expected}");
}

fn rigid(mass: f64, center: Vec3, inertia: Sym3) -> Body {
    Body::rigid(MassProperties { mass, center, inertia })
}

fn spring(coordinate: usize, stiffness: f64) -> JointSpring {
    JointSpring { coordinate, stiffness, damping: 0.0, rest: 0.0, is_friction: false }
}

fn coordinates(sim: &mut Simulation) -> Vec<(f64, f64)> {
    let at = sim.evaluate().unwrap().joint(JointId::of_index(0));
    (0..at.count).map(|k| (at.coordinates[k], at.rates[k])).collect()
}

/// A nut whose centre is off the axis slides on a vertical spring and turns on a torsion spring:
/// two uncoupled oscillators, z'' = −(k/m) z − g and θ'' = −(κ/J) θ with J about the axis.
#[test]
fn a_nut_on_two_springs_is_two_separate_oscillators() {
    let (mass, off, k, kappa, g) = (1.5, 0.2, 60.0, 0.4, 9.81);
    let nut = rigid(mass, vec3(off, 0.0, 0.0), Sym3::diagonal(0.02, 0.03, 0.04));
    let spin = 25.0; // enough for several turns either way
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -g));
    let omega = vec3(0.0, 0.0, spin);
    let nut = parts.add_body(Body { vel: vec3(0.0, spin * off, 0.7), omega, ..nut });
    let mut joint = Joint::cylindrical(Ground, nut, [0.0; 3], [0.0, 0.0, 1.0]);
    joint.springs = vec![spring(0, k), spring(1, kappa)];
    parts.add_joint(joint);
    let mut sim = Simulation::new(parts.build().unwrap());
    let inertia = 0.04 + mass * off * off;
    let (nu, rate) = ((kappa / inertia).sqrt(), (k / mass).sqrt());
    assert!(spin / nu > 3.0 * PI, "turns must be counted: amplitude {}", spin / nu);
    let sag = mass * g / k;
    for t in [0.3, 0.7, 1.1, 1.5] {
        sim.run(t, 1e-4).unwrap();
        let now = coordinates(&mut sim);
        // Fourth order: (ν h)⁴ of the amplitude over some ten radians of phase.
        close("shift", now[0].0, sag * ((rate * t).cos() - 1.0) + 0.7 / rate * (rate * t).sin(), 1e-10);
        close("angle", now[1].0, spin / nu * (nu * t).sin(), 1e-9);
        close("angular speed", now[1].1, spin * (nu * t).cos(), 1e-8);
    }
    // Projection ends at rounding of positions below 2 m.
    assert!(sim.certificate().max_position_error < 1e-13);
}

/// Without forces along the axis a cylindrical joint changes neither the momentum along it nor the
/// angular momentum about it, of the bodies on it.
#[test]
fn a_cylindrical_joint_takes_no_momentum_along_or_about_its_axis() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let inertia = Sym3 { xx: 0.03, yy: 0.05, zz: 0.04, xy: 0.004, xz: -0.006, yz: 0.003 };
    let omega = vec3(0.0, 0.0, 3.0);
    let nut = rigid(1.0, vec3(0.15, 0.05, 0.0), inertia);
    let nut =
        parts.add_body(Body { vel: omega.cross(vec3(0.15, 0.05, 0.0)) + vec3(0.0, 0.0, 0.4), omega, ..nut });
    // A bob on a ball joint at the nut's rim, thrown upwards, so that both momenta are exchanged
    // between the two.
    let at = vec3(0.4, 0.0, 0.0);
    let spin = vec3(2.0, -5.0, 1.0);
    let bob = rigid(0.6, Vec3::ZERO, Sym3::diagonal(0.004, 0.005, 0.006));
    let arm = vec3(0.2, 0.0, -0.1);
    let vel = omega.cross(at) + vec3(0.0, 0.0, 0.4) + spin.cross(arm);
    let bob = parts.add_body(Body { pos: at + arm, vel, omega: spin, ..bob });
    parts.add_joint(Joint::cylindrical(Ground, nut, [0.0; 3], [0.0, 0.0, 1.0]));
    parts.add_joint(Joint::spherical(nut, bob, at));
    let mut sim = Simulation::new(parts.build().unwrap());
    let before = sim.momentum();
    let speed = coordinates(&mut sim)[1].1;
    sim.run(1.3, 1e-3).unwrap();
    let after = sim.momentum();
    let turned = coordinates(&mut sim)[1].1 - speed;
    assert!(turned.abs() > 0.1, "the nut's own speed must change, not by {turned}");
    // Linear: rounding only. Angular: quadratic in the state, truncation of fourth order.
    close("along", after.linear.z, before.linear.z, 1e-13);
    close("about", after.angular.z, before.angular.z, 1e-10);
}

/// A puck on an inclined table: its centre falls with the component of gravity in the table, its
/// spin is constant.
#[test]
fn a_puck_on_a_table_falls_freely_in_it() {
    let tilt = 0.5_f64;
    let rot = Quat::from_axis_angle(Vec3::Y, tilt).unwrap();
    let normal = rot * Vec3::Z;
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let omega = normal * 11.0;
    let vel = rot * vec3(0.3, -0.8, 0.0);
    let puck = rigid(0.7, Vec3::ZERO, Sym3::diagonal(0.01, 0.02, 0.025));
    let puck = parts.add_body(Body { rot, vel, omega, ..puck });
    let edge = vec3(0.1, 0.0, -0.02);
    let in_a = Frame { pos: rot * vec3(0.0, 0.0, -0.02), rot };
    parts.add_joint(Joint::between(JointKind::Planar, Ground, in_a, puck, Frame::at(edge)));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(1.3, 1e-3).unwrap();
    let t = sim.time();
    let now = coordinates(&mut sim);
    let (s, c) = (11.0 * t).sin_cos();
    let down = 9.81 * tilt.sin();
    // RK4 is exact for the parabola; a constant spin is exact in the exponential map: 1300 steps of
    // rounding at 11 rad/s.
    close("x", now[0].0, 0.3 * t + 0.5 * down * t * t + 0.1 * c, 1e-11);
    close("y", now[1].0, -0.8 * t + 0.1 * s, 1e-11);
    close("angle", now[2].0, 11.0 * t, 1e-10);
    close("x rate", now[0].1, 0.3 + down * t - 1.1 * s, 1e-10);
    let reaction = sim.evaluate().unwrap().joint(JointId::of_index(0)).reaction.total();
    close("the table carries", reaction.force.dot(normal), 0.7 * 9.81 * tilt.cos(), 1e-11);
}

/// Springs along all three coordinates of a planar joint at the puck's centre: three separate
/// oscillators.
#[test]
fn a_puck_on_three_springs_is_three_separate_oscillators() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let normal = vec3(2.0, -1.0, 2.0) / 3.0;
    let rot = Quat::with_z_along(normal, None).unwrap();
    let (mass, inertia) = (0.8, 0.03);
    let puck = rigid(mass, Vec3::ZERO, Sym3::diagonal(0.02, 0.015, inertia));
    let puck = parts.add_body(Body { rot, vel: rot * vec3(0.4, 0.9, 0.0), omega: normal * 7.0, ..puck });
    let mut joint = Joint::planar(Ground, puck, [0.0; 3], normal);
    joint.springs = vec![spring(0, 20.0), spring(1, 35.0), spring(2, 0.1)];
    parts.add_joint(joint);
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(2.0, 5e-4).unwrap();
    let t = sim.time();
    let now = coordinates(&mut sim);
    for (k, (stiffness, mass, speed)) in
        [(20.0, mass, 0.4), (35.0, mass, 0.9), (0.1, inertia, 7.0)].into_iter().enumerate()
    {
        let rate = f64::sqrt(stiffness / mass);
        // Phase error of RK4: (ω h)⁴/120 = 1e-11 per radian at 12 rad/s and 0.5 ms, over 24 rad, of
        // 0.1 to 0.6.
        close("coordinate", now[k].0, speed / rate * (rate * t).sin(), 1e-10);
    }
}

/// A heavy body on a cross: first axis level and fixed, second in the body. Its frame is R_z(α)
/// R_x(β) of the fixed one, its centre is at (0, −l, 0) of it, gravity along −y of the fixed frame.
/// With A, B, C the moments about the pivot,
///
///   D(β) = B sin²β + C cos²β       (D α')' = −m g l sin α cos β       A β'' = ½ D'(β) α'² − m g l cos α sin β
#[test]
fn a_pendulum_on_a_cross_obeys_its_lagrange_equations() {
    let (mass, l, g) = (1.3, 0.25, 9.81);
    let (ixx, iyy, izz) = (0.02, 0.015, 0.03);
    let start = [0.9, -0.4, 2.0, 7.0]; // α, β, α', β'
    // The fixed frame: z along the world's x, y up.
    let frame = Quat::with_z_along(Vec3::X, Some(Vec3::Y)).unwrap();
    let turn = |angle: f64, axis: Vec3| Quat::from_axis_angle(axis, angle).unwrap();
    let rot = frame * turn(start[0], Vec3::Z) * turn(start[1], Vec3::X);
    let omega = frame * Vec3::Z * start[2] + rot * Vec3::X * start[3];
    let center = vec3(0.0, -l, 0.0);
    let body = rigid(mass, center, Sym3::diagonal(ixx, iyy, izz));
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -g));
    let body = parts.add_body(Body { rot, omega, vel: omega.cross(rot * center), ..body });
    let in_a = Frame { pos: Vec3::ZERO, rot: frame };
    parts.add_joint(Joint::between(JointKind::Universal, Ground, in_a, body, Frame::default()));
    let mut sim = Simulation::new(parts.build().unwrap());
    // The frames are given closed.
    assert!(sim.certificate().max_position_error < 1e-15);

    let (a, b, c) = (ixx + mass * l * l, iyy, izz + mass * l * l);
    let slope = |[alpha, beta, va, vb]: [f64; 4]| {
        let (sb, cb) = beta.sin_cos();
        let d = b * sb * sb + c * cb * cb;
        let d_slope = 2.0 * (b - c) * sb * cb;
        let weight = mass * g * l;
        let acc_a = (-weight * alpha.sin() * cb - d_slope * vb * va) / d;
        let acc_b = (0.5 * d_slope * va * va - weight * alpha.cos() * sb) / a;
        [va, vb, acc_a, acc_b]
    };
    let h = 1e-4;
    let plus = |x: [f64; 4], f: f64, k: [f64; 4]| [0, 1, 2, 3].map(|i| x[i] + f * k[i]);
    let mut x = start;
    for _ in 0..30_000 {
        let k1 = slope(x);
        let k2 = slope(plus(x, h / 2.0, k1));
        let k3 = slope(plus(x, h / 2.0, k2));
        let k4 = slope(plus(x, h, k3));
        x = [0, 1, 2, 3].map(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    let before = coordinates(&mut sim);
    // The pose is read back from the quaternion: rounding.
    close("first at the start", before[0].0, start[0], 1e-14);
    close("second at the start", before[1].0, start[1], 1e-14);
    close("first rate at the start", before[0].1, start[2], 1e-14);
    close("second rate at the start", before[1].1, start[3], 1e-13);
    sim.run(3.0, h).unwrap();
    let now = coordinates(&mut sim);
    // Both are of fourth order at 1e-4 s; the motion is a tumbling one that lets differences grow.
    for (what, found, expected) in [
        ("first", now[0].0, x[0]),
        ("second", now[1].0, x[1]),
        ("first rate", now[0].1, x[2]),
        ("second rate", now[1].1, x[3]),
    ] {
        close(what, found, expected, 1e-8);
    }
    // Projection ends at rounding.
    assert!(sim.certificate().max_position_error < 1e-13);
}

/// Without gravity the cross transmits no moment about its first, fixed axis: D(β) α' is constant.
/// Both angles count turns.
#[test]
fn a_cross_keeps_the_momentum_about_its_fixed_axis_and_counts_turns_about_both() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let omega = vec3(9.0, 0.0, 4.0);
    let body = rigid(1.0, Vec3::ZERO, Sym3::diagonal(0.02, 0.03, 0.04));
    let body = parts.add_body(Body { omega, ..body });
    parts.add_joint(Joint::universal(Ground, body, [0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]));
    let mut sim = Simulation::new(parts.build().unwrap());
    let before = sim.momentum().angular.z;
    sim.run(5.0, 1e-3).unwrap();
    // A quadratic invariant of RK4 at 1 ms and 10 rad/s: (ω h)⁵ per radian, over 50 rad.
    close("momentum", sim.momentum().angular.z, before, 1e-9 * before);
    let now = coordinates(&mut sim);
    let beta = now[1].0;
    let d = 0.03 * beta.sin() * beta.sin() + 0.04 * beta.cos() * beta.cos();
    close("D α'", d * now[0].1, before, 1e-9 * before);
    assert!(now[0].0 > 3.0 * PI && now[1].0 > 10.0 * PI, "turns: {now:?}");
}

/// Springs about both arms of a cross. Small angles: the two oscillators of the moments about them.
#[test]
fn springs_on_a_cross_turn_it_about_its_arms() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let body = rigid(1.0, Vec3::ZERO, Sym3::diagonal(0.02, 0.03, 0.04));
    let tiny = 1e-6;
    let body = parts.add_body(Body { omega: vec3(tiny, 0.0, 2.0 * tiny), ..body });
    let mut joint = Joint::universal(Ground, body, [0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
    joint.springs = vec![spring(0, 0.9), spring(1, 0.5)];
    parts.add_joint(joint);
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(1.0, 1e-3).unwrap();
    let now = coordinates(&mut sim);
    for (k, (stiffness, inertia, speed)) in
        [(0.9, 0.04, 2.0 * tiny), (0.5, 0.02, tiny)].into_iter().enumerate()
    {
        let rate = f64::sqrt(stiffness / inertia);
        // Phase error of RK4: (ω h)⁴/120 = 5e-12 per radian at 5 rad/s, over 5 rad; the coupling of
        // both angles is of second order in `tiny`.
        close("angle", now[k].0, speed / rate * rate.sin(), 1e-10 * tiny);
    }
}

/// Large oscillations on the springs of a cross, with the second angle beyond a right angle:
/// energy.
#[test]
fn springs_on_a_cross_keep_the_energy() {
    let mut parts = ModelBuilder::new(Gravity::new(0.3, -2.0, -9.81));
    let body = rigid(1.0, vec3(0.1, -0.2, 0.05), Sym3::diagonal(0.02, 0.03, 0.04));
    let omega = vec3(6.0, 0.0, -3.0);
    let body = parts.add_body(Body { omega, vel: omega.cross(vec3(0.1, -0.2, 0.05)), ..body });
    let mut joint = Joint::universal(Ground, body, [0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
    joint.springs = vec![spring(0, 0.9), spring(1, 0.5)];
    parts.add_joint(joint);
    let mut sim = Simulation::new(parts.build().unwrap());
    let before = sim.energy().mechanical();
    sim.run(2.0, 2e-4).unwrap();
    // Truncation of RK4 at 0.2 ms and some ten rad/s.
    close("energy", sim.energy().mechanical(), before, 1e-10);
}

#[test]
fn a_particle_slides_down_a_line_and_flies_over_a_plane() {
    let along = vec3(0.6, 0.0, -0.8);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let on_line = parts.add_body(Body { pos: along * 0.5, vel: along * -1.0, ..Body::particle(0.4) });
    parts.add_joint(Joint::at(JointKind::PointOnLine, Ground, on_line, [0.0; 3], along));
    let rot = Quat::from_axis_angle(Vec3::Y, 0.4).unwrap();
    let on_plane = parts.add_body(Body { vel: rot * vec3(0.2, 1.5, 0.0), ..Body::particle(2.0) });
    let frame = Frame { pos: Vec3::ZERO, rot };
    parts.add_joint(Joint::between(JointKind::PointOnPlane, Ground, frame, on_plane, Frame::default()));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(1.0, 1e-2).unwrap();
    // Motions of second degree in time: no truncation error.
    let now = sim.evaluate().unwrap();
    close("shift", now.joint(JointId::of_index(0)).coordinates[0], 0.5 - 1.0 + 0.5 * 9.81 * 0.8, 1e-12);
    close("x", now.joint(JointId::of_index(1)).coordinates[0], 0.2 + 0.5 * 9.81 * 0.4_f64.sin(), 1e-12);
    close("y", now.joint(JointId::of_index(1)).coordinates[1], 1.5, 1e-12);
    let push = now.joint(JointId::of_index(0)).reaction.total().force;
    // A constant force: rounding.
    close("the line pushes across", push.norm(), 0.4 * 9.81 * 0.6, 1e-12);
}

/// An unbalanced body that is kept upright only: its centre falls freely, it spins steadily, and
/// the joint's torque is that of a steady spin about an axis that is not principal, ω × I ω.
#[test]
fn an_aligned_body_falls_freely_and_spins_steadily() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let inertia = Sym3 { xx: 0.03, yy: 0.05, zz: 0.04, xy: 0.004, xz: -0.006, yz: 0.003 };
    let omega = vec3(0.0, 0.0, 12.0);
    let body = rigid(1.0, vec3(0.1, 0.0, 0.0), inertia);
    let body = parts.add_body(Body { omega, vel: vec3(0.5, 0.25, 3.0), ..body });
    parts.add_joint(Joint::aligned(Ground, body, [0.0, 0.0, 1.0]));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(1.0, 1e-3).unwrap();
    // A constant spin about the axis: 1000 steps of rounding of 12 rad.
    close("angle", coordinates(&mut sim)[0].0, 12.0, 1e-11);
    let now = sim.evaluate().unwrap();
    let at = now.body(BodyId::of_index(0));
    let expected = vec3(0.1 + 0.5, 0.25, 3.0 - 0.5 * 9.81);
    assert!((at.position - expected).norm() < 1e-12, "{:?}", at.position);
    let spun = at.orientation * (inertia * (at.orientation.inverse() * omega));
    let torque = now.joint(JointId::of_index(0)).reaction.total().torque;
    // The torque is that of one solve: rounding.
    assert!((torque - omega.cross(spun)).norm() < 1e-11, "{torque:?}");
}

/// Between planar bodies, with the axis in the plane, a cylindrical joint is a slider, and so is a
/// planar joint.
#[test]
fn in_the_plane_a_sleeve_and_a_table_are_sliders() {
    let build = |kind: JointKind, rot: Quat| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let wheel = parts.add_body(Body { omega: vec3(0.0, 0.0, 4.0), ..Body::planar(2.0, 0.1) });
        let pos = vec3(0.3, 0.0, 0.0);
        let vel = vec3(0.5, 1.2, 0.0);
        let block = Body { pos, vel, omega: vec3(0.0, 0.0, 4.0), ..Body::planar(0.5, 0.01) };
        let block = parts.add_body(block);
        parts.add_joint(Joint::revolute(Ground, wheel, [0.0; 3], [0.0, 0.0, 1.0]));
        let in_a = Frame { pos: Vec3::ZERO, rot };
        let in_b = Frame { pos: -pos, rot };
        parts.add_joint(Joint::between(kind, wheel, in_a, block, in_b));
        let mut sim = Simulation::new(parts.build().unwrap());
        assert_eq!(sim.model().joints()[1].rows(), 2);
        sim.run(0.5, 1e-3).unwrap();
        let now = sim.evaluate().unwrap();
        (
            now.body(BodyId::of_index(1)).position,
            now.joint(JointId::of_index(1)).reaction.total().torque.z,
            now.joint(JointId::of_index(1)).coordinates[0],
        )
    };
    let along_x = Quat::from_axis_angle(Vec3::Y, FRAC_PI_2).unwrap();
    let across = Quat::with_z_along(Vec3::Y, Some(Vec3::X)).unwrap(); // the normal; x is the way to slide
    let slider = build(JointKind::Prismatic, along_x);
    for (kind, rot) in [(JointKind::Cylindrical, along_x), (JointKind::Planar, across)] {
        let other = build(kind, rot);
        assert!((other.0 - slider.0).norm() < 1e-12, "{kind}: {:?} against {:?}", other.0, slider.0);
        // Equal rows in another order: rounding, and that of a solve.
        close("torque", other.1, slider.1, 1e-11);
        close("shift", other.2, slider.2, 1e-12);
    }
}

#[test]
fn a_kind_that_makes_no_sense_in_the_plane_says_so() {
    let build = |kind: JointKind, axis: Vec3| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let body = parts.add_body(Body::planar(1.0, 0.1));
        let placement = Placement::World { anchor: Some(Vec3::ZERO), axis: Some(axis), axis2: Some(Vec3::Y) };
        parts.add_joint(Joint { placement, ..Joint::at(kind, Ground, body, [0.0; 3], axis) });
        parts.build().map(|_| ())
    };
    let text = |kind, axis| match build(kind, axis) {
        Err(error @ BuildError::NotPlanar { .. }) => error.to_string(),
        other => panic!("{kind} with axis {axis:?}: {other:?}"),
    };
    let universal = text(JointKind::Universal, Vec3::Z);
    assert!(universal.contains("use a revolute joint"), "{universal}");
    for kind in [JointKind::Planar, JointKind::PointOnPlane, JointKind::Aligned] {
        let message = text(kind, Vec3::Z);
        assert!(message.contains("hold nothing"), "{message}");
    }
    for kind in [JointKind::Cylindrical, JointKind::PointOnLine] {
        let message = text(kind, Vec3::Z);
        assert!(message.contains("must lie in the x–y plane"), "{message}");
    }
    for kind in JointKind::ALL.into_iter().filter(|k| k.planar_rows() > 0 && k.needs_axis()) {
        let axis = match kind.about().planar.fit {
            PlanarFit::AlongNormal(_) => Vec3::Z,
            _ => vec3(0.6, 0.8, 0.0),
        };
        assert!(build(kind, axis).is_ok(), "{kind}");
    }
}

#[test]
fn the_axes_of_a_cross_must_be_perpendicular() {
    let build = |axis2: Option<Vec3>| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let body = parts.add_body(Body::rod(1.0, 0.5, 0.01));
        let placement = Placement::World { anchor: Some(Vec3::ZERO), axis: Some(Vec3::Z), axis2 };
        parts.add_joint(Joint {
            placement,
            ..Joint::at(JointKind::Universal, Ground, body, [0.0; 3], Vec3::Z)
        });
        parts.build().map(|_| ())
    };
    assert!(build(Some(vec3(3.0, -4.0, 0.0))).is_ok());
    for wrong in [None, Some(Vec3::Z), Some(vec3(1.0, 0.0, 0.1)), Some(Vec3::ZERO)] {
        assert!(matches!(build(wrong), Err(BuildError::NoCross { .. })), "{wrong:?}");
    }
}

#[test]
fn a_point_mass_may_be_on_a_line_but_not_on_a_shaft() {
    let build = |kind: JointKind| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
        let body = parts.add_body(Body::particle(1.0));
        parts.add_joint(Joint::at(kind, Ground, body, [0.0; 3], Vec3::Z));
        parts.build().map(|_| ())
    };
    assert!(build(JointKind::PointOnLine).is_ok() && build(JointKind::PointOnPlane).is_ok());
    for kind in [JointKind::Cylindrical, JointKind::Planar, JointKind::Universal, JointKind::Aligned] {
        assert!(matches!(build(kind), Err(BuildError::DoesNotFit { .. })), "{kind}");
    }
}
