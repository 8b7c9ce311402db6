//! Force laws against closed forms, and their accounts of energy and momentum.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::End::Ground;
use cardan::math::{Quat, Sym3, Vec3, vec3};
use cardan::{
    Body, BodyId, BodyKind, Constant, Drag, End, Force, Frame, Gravity, GravityPoint, Heading, Joint,
    JointId, JointKind, JointSpring, MassProperties, ModelBuilder, ProbeId, Simulation, Spring, Torsion,
};
use cardan_testkit::{Rng, random_body};
use core::f64::consts::PI;

/// Runs `steps` steps of `h`.
fn march(sim: &mut Simulation, steps: usize, h: f64) {
    for _ in 0..steps {
        sim.step(h).unwrap();
    }
}

#[test]
fn a_mass_on_a_spring_swings_with_the_period_of_the_closed_form() {
    let (m, k, rest) = (0.7, 30.0, 0.5);
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = parts.add_body(Body { pos: vec3(0.8, 0.0, 0.0), ..Body::particle(m) });
    let law = Spring { stiffness: k, damping: 0.0, rest_length: rest };
    parts.add_force(Force::spring(Ground, [0.0; 3], ball, [0.0; 3], law));
    let mut sim = Simulation::new(parts.build().unwrap());
    // After ten periods it is at its start; half a period later at the other end.
    let period = 2.0 * PI * f64::sqrt(m / k);
    for (turns, expected) in [(10.0, 0.8), (10.5, 0.2)] {
        sim.run(turns * period, 1e-3).unwrap();
        let x = sim.state().coordinates()[0];
        // Phase error of RK4: (ω h)⁴/120 per radian, over 66 rad and with ω = 6.5 rad/s some 1e-9;
        // at a turning point it enters squared.
        assert!((x - expected).abs() < 1e-9, "after {turns} periods at {x}");
    }
    assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
}

#[test]
fn a_damped_oscillator_decays_as_the_closed_form_and_accounts_for_the_heat() {
    let (m, k, c) = (0.7, 30.0, 1.1);
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = parts.add_body(Body { pos: vec3(0.0, 0.8, 0.0), ..Body::planar_particle(m) });
    let law = Spring { stiffness: k, damping: c, rest_length: 0.5 };
    parts.add_force(Force::spring(Ground, [0.0; 3], ball, [0.0; 3], law));
    let mut sim = Simulation::new(parts.build().unwrap());
    let (d, start) = (c / (2.0 * m), sim.energy().mechanical());
    let w = f64::sqrt(k / m - d * d);
    for _ in 0..3000 {
        sim.step(1e-3).unwrap();
        let t = sim.time();
        let exact = 0.5 + 0.3 * (-d * t).exp() * ((w * t).cos() + d / w * (w * t).sin());
        // Phase error of RK4: (ω h)⁴/120 = 1.5e-11 per radian at 6.5 rad/s, over 20 rad, of 0.3 m.
        assert!((sim.state().coordinates()[1] - exact).abs() < 1e-9, "t = {t}");
    }
    let energy = sim.energy();
    // The heat is integrated by RK4, to the order of the motion.
    assert!((energy.dissipated - (start - energy.mechanical())).abs() < 1e-9 * start, "{energy:?}");
    assert!(energy.dissipated > 0.9 * start && energy.work == 0.0, "{energy:?}");
}

#[test]
fn a_torsion_spring_about_an_axis_swings_a_disc_with_the_closed_period() {
    let (inertia, k, rest) = (0.3, 4.0, 0.4);
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let props = MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.2, 0.2, inertia) };
    let disc = parts.add_body(Body { rot: Quat::exp(vec3(0.0, 0.0, 1.4)), ..Body::rigid(props) });
    parts.add_joint(Joint::revolute(Ground, disc, [0.0; 3], [0.0, 0.0, 1.0]));
    let law = Torsion { stiffness: k, damping: 0.0, rest, about_axis: true };
    parts.add_force(Force::torsion(Ground, Frame::default(), disc, Frame::default(), law));
    let mut sim = Simulation::new(parts.build().unwrap());
    let period = 2.0 * PI * f64::sqrt(inertia / k);
    for (turns, expected) in [(5.0, 1.4), (5.5, rest - 1.0)] {
        sim.run(turns * period, 1e-3).unwrap();
        let angle = sim.kinematics().body(BodyId::of_index(0)).orientation.twist_angle(Vec3::Z);
        // Phase error of RK4: (ω h)⁴/120 = 1.5e-12 per radian at 3.7 rad/s; at a turning point it
        // enters squared.
        assert!((angle - expected).abs() < 1e-9, "after {turns} periods at {angle}");
    }
}

#[test]
fn torsion_springs_between_tumbling_bodies_conserve_energy() {
    // Both laws on free bodies in space: the gradient of the twist about an axis is not the axis,
    // and that of the rotation vector is not the identity; only the right gradients conserve
    // energy, to the order of RK4.
    for (about_axis, seeds) in [(false, 0..6), (true, 6..12)] {
        for seed in seeds {
            let energy_drift = |h: f64| {
                let mut rng = Rng::new(seed);
                let mut parts = ModelBuilder::new(Gravity::ZERO);
                let mut body = |rng: &mut Rng| {
                    let b = random_body(rng, BodyKind::Rigid);
                    // Slow, and starting parallel, so that the angle stays below half a turn.
                    parts.add_body(Body { rot: Quat::IDENTITY, omega: rng.vector(0.5), ..b })
                };
                let (a, b) = (body(&mut rng), body(&mut rng));
                let turn = Quat::exp(rng.direction() * 0.6);
                let law = Torsion { stiffness: 0.5, about_axis, ..Torsion::default() };
                let frame = Frame { pos: Vec3::ZERO, rot: rng.rotation() };
                let turned = Frame { pos: Vec3::ZERO, rot: (turn * frame.rot).renormalized() };
                parts.add_force(Force::torsion(a, frame, b, turned, law));
                let mut sim = Simulation::new(parts.build().unwrap());
                let (start, momentum) = (sim.energy().mechanical(), sim.momentum().angular);
                sim.run(1.0, h).unwrap();
                let turning = (sim.momentum().angular - momentum).largest();
                // Angular momentum is conserved to the order of RK4: (ω h)⁴ = 3e-10 at 4 ms and 1
                // rad/s, with arms of some metres.
                assert!(turning < 1e-7, "seed {seed}: action is not reaction, by {turning:e}");
                (sim.energy().mechanical() - start).abs() / start
            };
            let (coarse, fine) = (energy_drift(4e-3), energy_drift(2e-3));
            // Order 4 divides the error by 16, a quadratic invariant by 32; half of that is
            // required, down to rounding.
            assert!(fine < 1e-9 && fine < coarse / 8.0 + 1e-14, "seed {seed}: {coarse:e} → {fine:e}");
        }
    }
}

#[test]
fn torsion_damping_makes_as_much_heat_as_energy_is_lost() {
    for about_axis in [false, true] {
        let mut rng = Rng::new(3);
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let a = parts.add_body(Body { rot: Quat::IDENTITY, ..random_body(&mut rng, BodyKind::Rigid) });
        let b = parts.add_body(Body { rot: Quat::IDENTITY, ..random_body(&mut rng, BodyKind::Rigid) });
        let law = Torsion { stiffness: 0.5, damping: 0.1, rest: 0.0, about_axis };
        parts.add_force(Force::torsion(a, Frame::default(), b, Frame::default(), law));
        let mut sim = Simulation::new(parts.build().unwrap());
        let start = sim.energy();
        march(&mut sim, 200, 1e-3);
        let end = sim.energy();
        let lost = start.mechanical() - end.mechanical();
        // Energy and heat are integrated by RK4, to (ω h)⁴ at some rad/s and 1 ms.
        assert!(end.dissipated > 0.1 && (end.dissipated - lost).abs() < 1e-9, "{end:?}, lost {lost}");
    }
}

#[test]
fn a_falling_body_reaches_the_terminal_velocity_of_its_drag_and_heats_what_it_loses() {
    let (m, g) = (2.0, 9.81);
    for (linear, quadratic) in [(0.8, 0.0), (0.0, 0.3), (0.5, 0.2)] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -g));
        let ball = parts.add_body(Body::particle(m));
        parts.add_force(Force::drag(ball, [0.0; 3], Drag { linear, quadratic, angular: 0.0 }));
        let mut sim = Simulation::new(parts.build().unwrap());
        let start = sim.energy().mechanical();
        sim.run(60.0, 1e-2).unwrap();
        // m g = c₁ v + c₂ v²
        let terminal = if quadratic == 0.0 {
            m * g / linear
        } else {
            (-linear + f64::sqrt(linear * linear + 4.0 * quadratic * m * g)) / (2.0 * quadratic)
        };
        let speed = -sim.state().velocities()[2];
        // The transient has decayed by exp(−c t/m) in 60 s; a fixed point has no truncation error.
        assert!((speed - terminal).abs() < 1e-8 * terminal, "{speed} against {terminal}");
        let energy = sim.energy();
        let lost = start - energy.mechanical();
        // The heat is an integral by RK4 at 10 ms of a decay that takes seconds.
        assert!((energy.dissipated - lost).abs() < 1e-9 * lost, "{energy:?}, lost {lost}");
    }
}

#[test]
fn angular_drag_stops_a_ball_exponentially() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let mut ball = Body::solid(cardan::SolidShape::Sphere { radius: 0.3 }, 1.0);
    ball.omega = vec3(1.0, -2.0, 3.0);
    let inertia = 0.4 * 0.09;
    let ball = parts.add_body(ball);
    parts.add_force(Force::drag(ball, [0.0; 3], Drag { linear: 0.0, quadratic: 0.0, angular: 0.05 }));
    let mut sim = Simulation::new(parts.build().unwrap());
    march(&mut sim, 1000, 1e-3);
    let expected = vec3(1.0, -2.0, 3.0) * (-0.05_f64 / inertia).exp();
    let off = (sim.kinematics().body(BodyId::of_index(0)).angular_velocity - expected).largest();
    // Truncation of RK4 at a decay rate of 1.4/s: (c h/I)⁴/120 = 3e-14 per unit of time; and
    // rounding of 1000 steps.
    assert!(off < 1e-10, "off by {off:e}");
    assert!(sim.balance().energy_error < 1e-10);
}

#[test]
fn a_thruster_turns_with_its_body_and_a_weight_does_not() {
    // A disc spinning steadily at ω about z: thrust f in its own axes makes a velocity that
    // circulates, v = f/(m ω) (sin ωt, 1 − cos ωt); a force fixed in the world makes f t/m.
    let (m, f, omega, t) = (2.0, 3.0, 4.0, 1.3);
    for heading in [Heading::Body, Heading::World] {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let disc = parts.add_body(Body { omega: vec3(0.0, 0.0, omega), ..Body::planar(m, 0.5) });
        let law = Constant { force: vec3(f, 0.0, 0.0), heading, ..Constant::default() };
        parts.add_force(Force::constant(disc, [0.0; 3], law));
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.run(t, 1e-3).unwrap();
        let v = sim.kinematics().body(BodyId::of_index(0)).velocity;
        let expected = match heading {
            Heading::Body => vec3((omega * t).sin(), 1.0 - (omega * t).cos(), 0.0) * (f / (m * omega)),
            Heading::World => vec3(f * t / m, 0.0, 0.0),
        };
        // Phase error of RK4: (ω h)⁴/120 = 2e-12 per radian at 4 rad/s, over 5 rad.
        assert!((v - expected).largest() < 1e-10, "{heading:?}: {v:?} against {expected:?}");
        // No potential: its power is work put in.
        let energy = sim.energy();
        let gained = energy.kinetic - 0.5 * 0.5 * omega * omega;
        assert!((energy.work - gained).abs() < 1e-10, "{energy:?}");
    }
}

#[test]
fn an_off_centre_thrust_turns_the_body_by_its_arm() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let mut disc = Body::planar(2.0, 0.5);
    disc.mass.center = vec3(0.2, 0.0, 0.0);
    let disc = parts.add_body(disc);
    let law = Constant { force: vec3(0.0, 3.0, 0.0), torque: vec3(0.0, 0.0, 0.4), heading: Heading::World };
    parts.add_force(Force::constant(disc, [0.7, 0.0, 0.0], law));
    let mut sim = Simulation::new(parts.build().unwrap());
    let now = sim.evaluate().unwrap();
    // α = (arm × f + τ)/I with the arm from the centre of mass.
    assert!((now.body(BodyId::of_index(0)).angular_acceleration.z - (0.5 * 3.0 + 0.4) / 0.5).abs() < 1e-14);
    assert!((now.body(BodyId::of_index(0)).acceleration.y - 1.5).abs() < 1e-15);
}

#[test]
fn a_kepler_orbit_closes_and_conserves_energy_and_angular_momentum() {
    let (k, m) = (5.0, 0.8);
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let vel = vec3(0.0, 1.6, 1.0);
    let moon = parts.add_body(Body { pos: vec3(1.2, 0.0, 0.0), vel, ..Body::particle(m) });
    parts.add_force(Force::gravity_point(Ground, [0.0; 3], moon, [0.0; 3], GravityPoint { strength: k }));
    let mut sim = Simulation::new(parts.build().unwrap());
    let (energy, turning) = (sim.energy().mechanical(), sim.momentum().angular);
    // Kepler's third law: a = −k/(2 E), T = 2π √(m a³/k).
    let a = -k / (2.0 * energy);
    let period = 2.0 * PI * f64::sqrt(m * a * a * a / k);
    sim.run(3.0 * period, 1e-3).unwrap();
    let body = sim.kinematics().body(BodyId::of_index(0));
    let (off, off_vel) = ((body.position - vec3(1.2, 0.0, 0.0)).norm(), (body.velocity - vel).norm());
    // RK4 at some 1e4 steps per turn; the error of the phase dominates.
    assert!(off < 1e-8 && off_vel < 1e-8, "after three turns off by {off:e} m, {off_vel:e} m/s");
    let drift = (sim.energy().mechanical() - energy).abs() / energy.abs();
    let turn = (sim.momentum().angular - turning).norm() / turning.norm();
    assert!(drift < 1e-10 && turn < 1e-10, "energy {drift:e}, angular momentum {turn:e}");
}

#[test]
fn two_bodies_that_attract_each_other_keep_their_common_centre() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let a =
        parts.add_body(Body { pos: vec3(-0.5, 0.0, 0.0), vel: vec3(0.0, -1.0, 0.2), ..Body::particle(1.0) });
    let b =
        parts.add_body(Body { pos: vec3(1.0, 0.0, 0.0), vel: vec3(0.0, 1.5, 0.1), ..Body::particle(2.0) });
    parts.add_force(Force::gravity_point(a, [0.0; 3], b, [0.0; 3], GravityPoint { strength: 6.0 }));
    let mut sim = Simulation::new(parts.build().unwrap());
    let before = sim.momentum();
    sim.run(2.0, 1e-3).unwrap();
    let after = sim.momentum();
    // Action and reaction cancel exactly; 2000 steps of rounding are left.
    assert!((after.linear - before.linear).largest() < 1e-12);
    // The truncation of RK4 at 1 ms on an orbit of about 2 rad/s.
    assert!((after.angular - before.angular).largest() < 1e-9);
}

/// A wheel on a hinge about an oblique axis, with a spring and a damper that counts as friction.
fn wound_wheel(turns: f64, stiffness: f64, damping: f64, friction: f64) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let axis = vec3(1.0, 2.0, -0.5);
    let inertia = Sym3::diagonal(0.3, 0.3, 0.5).rotated(&Quat::with_z_along(axis, None).unwrap().matrix());
    let wheel = parts.add_body(Body::rigid(MassProperties { mass: 2.0, center: Vec3::ZERO, inertia }));
    let mut joint = Joint::revolute(Ground, wheel, [0.0; 3], axis).with_spring(stiffness, damping, 0.0);
    joint.springs.push(JointSpring {
        coordinate: 0,
        stiffness: 0.0,
        damping: friction,
        rest: 0.0,
        is_friction: true,
    });
    joint.zero[0] = turns * 2.0 * PI;
    parts.add_joint(joint);
    Simulation::new(parts.build().unwrap())
}

#[test]
fn a_hinge_spring_wound_through_several_turns_unwinds_as_the_closed_form() {
    // Wound by 5 turns: released, the wheel oscillates to −5 turns and back with one period,
    // counting every turn.
    let (inertia, k) = (0.5, 0.05);
    let mut sim = wound_wheel(5.0, k, 0.0, 0.0);
    let start = 10.0 * PI;
    let w = f64::sqrt(k / inertia);
    let mut lowest: f64 = 0.0;
    let steps = (2.0 * PI / w / 1e-2) as usize;
    for _ in 0..steps {
        sim.step(1e-2).unwrap();
        let t = sim.time();
        let report = sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
        // Phase error of RK4: (ω h)⁴/120 = 8e-13 per radian at 0.32 rad/s and 10 ms, of 31 rad; the
        // pose itself turns at 10 rad/s: (0.1)⁴/120 = 8e-7.
        assert!((report - start * (w * t).cos()).abs() < 1e-6, "t = {t}: {report}");
        lowest = lowest.min(report);
    }
    // The largest sample misses the turning point by up to ½ ω² a (h/2)² = 4e-5 rad.
    assert!((lowest + start).abs() < 1e-3, "turned back at {} turns", lowest / (2.0 * PI));
    // Truncation of RK4 at 10 ms and up to 10 rad/s, over the energy of the spring.
    assert!(sim.balance().energy_error < 1e-7, "{:?}", sim.balance());
}

#[test]
fn a_slider_spring_pushes_along_the_axis_and_swings_with_the_closed_period() {
    let (m, k, rest) = (1.5, 40.0, 0.3);
    let axis = vec3(2.0, 1.0, 2.0) / 3.0;
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let block = parts.add_body(Body::solid(cardan::SolidShape::Box { size: [0.1, 0.2, 0.3] }, m));
    parts.add_joint(Joint::prismatic(Ground, block, [0.3, 0.1, -0.2], axis).with_spring(k, 0.0, rest));
    let mut sim = Simulation::new(parts.build().unwrap());
    let w = f64::sqrt(k / m);
    for _ in 0..2000 {
        sim.step(1e-3).unwrap();
        let exact = rest - rest * (w * sim.time()).cos();
        let off = (sim.kinematics().body(BodyId::of_index(0)).position - axis * exact).largest();
        // Phase error of RK4: (ω h)⁴/120 = 6e-12 per radian at 5.2 rad/s, over 10 rad, of 0.3 m.
        assert!(off < 1e-10, "t = {}: off by {off:e}", sim.time());
    }
}

#[test]
fn the_parts_of_a_reaction_add_up_to_the_balance_of_the_free_body() {
    // m a = m g + force,   I α + ω × I ω = torque + arm × force: for any spring, damper and
    // friction.
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let gravity = rng.vector(10.0);
        for kind in [JointKind::Revolute, JointKind::Prismatic] {
            let mut parts = ModelBuilder::new(Gravity(gravity));
            let body = random_body(&mut rng, BodyKind::Rigid);
            let (mass, rot) = (body.mass, body.rot);
            let id = parts.add_body(body);
            let anchor = rng.vector(1.0);
            let mut joint = Joint::at(kind, Ground, id, anchor, rng.direction()).with_spring(20.0, 0.7, 0.4);
            joint.springs.push(JointSpring {
                coordinate: 0,
                stiffness: 0.0,
                damping: 1.3,
                rest: 0.0,
                is_friction: true,
            });
            parts.add_joint(joint);
            let mut sim = Simulation::new(parts.build().unwrap());
            sim.assemble().unwrap();
            let rate = sim.kinematics().joint(JointId::of_index(0)).rates[0];
            let now = sim.evaluate().unwrap();
            let (b, j) = (now.body(BodyId::of_index(0)), now.joint(JointId::of_index(0)));
            let total = j.reaction.total();
            let inertia = mass.inertia.rotated(&rot.matrix());
            let force = b.acceleration * mass.mass - gravity * mass.mass;
            let arm = j.position - b.position;
            let turning = inertia * b.angular_acceleration
                + b.angular_velocity.cross(inertia * b.angular_velocity)
                - arm.cross(total.force);
            let size = 1.0 + force.largest() + total.torque.largest();
            let off = (total.force - force).largest().max((total.torque - turning).largest());
            // Some hundred operations, relative to the largest force.
            assert!(off < 1e-12 * size, "seed {seed}, {kind}: off by {off:e}");

            // The parts of the reaction: spring and damper act along the axis, friction against the
            // rate, and the structural part has no component along the freedom.
            let along = |w: cardan::Wrench| match kind {
                JointKind::Revolute => w.torque.dot(j.axis),
                _ => w.force.dot(j.axis),
            };
            let drive = -(20.0 * (j.coordinates[0] - 0.4) + 0.7 * rate);
            // Some ten operations, relative to the largest force.
            assert!((along(j.reaction.drive) - drive).abs() < 1e-12 * size, "seed {seed}, {kind}");
            assert!((along(j.reaction.friction) + 1.3 * rate).abs() < 1e-12 * size, "seed {seed}, {kind}");
            assert!(along(j.reaction.structural).abs() < 1e-12 * size, "seed {seed}, {kind}");
            assert!(rate.abs() > 1e-3, "seed {seed}, {kind}: nothing moves");
        }
    }
}

#[test]
fn a_hinge_damper_heats_what_the_wheel_loses() {
    let mut sim = wound_wheel(2.0, 0.4, 0.05, 0.03);
    let start = sim.energy().mechanical();
    sim.run(20.0, 5e-3).unwrap();
    let energy = sim.energy();
    let lost = start - energy.mechanical();
    // The heat is integrated by RK4 at 5 ms and up to some rad/s.
    assert!(lost > 0.5 * start && (energy.dissipated - lost).abs() < 1e-8 * start, "{energy:?}, lost {lost}");
}

#[test]
fn work_of_a_constant_force_is_force_times_displacement() {
    let mut rng = Rng::new(9);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let body = parts.add_body(random_body(&mut rng, BodyKind::Rigid));
    let (force, point) = (rng.vector(5.0), rng.vector(0.5));
    parts.add_force(Force::constant(body, point, Constant { force, ..Constant::default() }));
    parts.add_probe(cardan::Probe { name: "hook".into(), body: End::Body(body), point });
    let mut sim = Simulation::new(parts.build().unwrap());
    let start = sim.kinematics().probe(ProbeId::of_index(0)).position;
    sim.run(1.0, 1e-3).unwrap();
    let way = sim.kinematics().probe(ProbeId::of_index(0)).position - start;
    let (work, expected) = (sim.energy().work, force.dot(way));
    // The hook swings on a tumbling body: RK4's quadrature of the power against its own path.
    assert!((work - expected).abs() < 1e-8 * expected.abs().max(1.0), "{work} J against {expected} J");
}

#[test]
fn every_account_balances_with_all_forces_at_once() {
    let mut rng = Rng::new(21);
    let mut parts = ModelBuilder::new(Gravity::new(0.5, 0.0, -9.81));
    let mut ids = Vec::new();
    for kind in
        [BodyKind::Rigid, BodyKind::Rigid, BodyKind::Particle, BodyKind::Planar, BodyKind::PlanarParticle]
    {
        ids.push(parts.add_body(random_body(&mut rng, kind)));
    }
    let (r0, r1, p, planar, pp) = (ids[0], ids[1], ids[2], ids[3], ids[4]);
    let spring = Spring { stiffness: 30.0, damping: 0.6, rest_length: 0.8 };
    parts.add_force(Force::spring(r0, [0.1, 0.2, 0.0], r1, [0.0, -0.3, 0.1], spring));
    parts.add_force(Force::spring(planar, [0.2, 0.0, 0.0], pp, [0.0; 3], spring));
    parts.add_force(Force::spring(r1, [0.2, 0.0, 0.1], planar, [0.0, 0.1, 0.0], spring));
    parts.add_force(Force::torsion(
        r0,
        Frame::default(),
        Ground,
        Frame::default(),
        Torsion { damping: 0.2, ..Torsion::default() },
    ));
    parts.add_force(Force::drag(p, [0.0; 3], Drag { linear: 0.3, quadratic: 0.2, angular: 0.0 }));
    parts.add_force(Force::drag(r1, [0.3, 0.0, 0.0], Drag { linear: 0.3, quadratic: 0.2, angular: 0.1 }));
    let thrust = Constant { force: vec3(1.0, 2.0, 3.0), torque: vec3(0.1, 0.0, 0.2), heading: Heading::Body };
    parts.add_force(Force::constant(r0, [0.0, 0.0, 0.2], thrust));
    parts.add_force(Force::gravity_point(p, [0.0; 3], r0, [0.1, 0.0, 0.0], GravityPoint { strength: 2.0 }));
    parts.add_joint(Joint::spherical(Ground, r0, [0.0, 0.0, 0.0]));
    parts.add_joint(
        Joint::revolute(Ground, planar, [0.3, 0.0, 0.0], [0.0, 0.0, 1.0]).with_spring(3.0, 0.1, 0.2),
    );
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(0.5, 1e-3).unwrap();
    let (balance, energy) = (sim.balance(), sim.energy());
    println!("{balance:?} {energy:?}");
    assert!(energy.work.abs() > 0.1 && energy.dissipated > 0.1, "{energy:?}");
    // The order of RK4 at 1 ms and rates of some 10/s.
    assert!(balance.energy_error < 1e-8 && balance.momentum_error < 1e-8, "{balance:?}");
}

#[test]
fn a_joint_spring_between_two_free_bodies_pushes_both_and_neither_from_outside() {
    for kind in [JointKind::Revolute, JointKind::Prismatic] {
        for seed in 0..5 {
            let mut rng = Rng::new(seed);
            let mut parts = ModelBuilder::new(Gravity::ZERO);
            let a = parts.add_body(random_body(&mut rng, BodyKind::Rigid));
            let b = parts.add_body(random_body(&mut rng, BodyKind::Rigid));
            parts.add_joint(
                Joint::at(kind, a, b, rng.vector(1.0), rng.direction()).with_spring(15.0, 0.3, 0.5),
            );
            let mut sim = Simulation::new(parts.build().unwrap());
            sim.assemble().unwrap();
            let before = sim.momentum();
            march(&mut sim, 300, 1e-3);
            let (after, balance) = (sim.momentum(), sim.balance());
            let off =
                (after.linear - before.linear).largest().max((after.angular - before.angular).largest());
            // The order of RK4 at 1 ms; a wrench without a reaction would leave newtons times 0.3
            // s.
            assert!(off < 1e-6 && balance.energy_error < 1e-6, "{kind}, seed {seed}: {off:e}, {balance:?}");
            assert!(sim.energy().dissipated > 1e-3, "{kind}, seed {seed}: nothing moved");
        }
    }
}
