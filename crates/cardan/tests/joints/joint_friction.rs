//! Dry friction in joints: sticking, breakaway, where it stops, and its heat.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::joint::{DryFriction, EffortKind, Servo};
use cardan::math::{Quat, vec3};
use cardan::step::EventKind;
use cardan::{
    Body, Drive, DriveMode, End, Gravity, Integrator, Joint, JointId, Law, ModelBuilder, Settings, Simulation,
};

#[track_caller]
fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted} (off by {:e})", found - wanted);
}

fn dry(coulomb: f64, breakaway: f64) -> EffortKind {
    EffortKind::Friction(DryFriction { coulomb, breakaway, ..DryFriction::default() })
}

fn with(parts: ModelBuilder, integrator: Integrator) -> Simulation {
    let settings = Settings { integrator, ..Settings::default() };
    Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings")
}

const G: f64 = 9.81;
const MASS: f64 = 1.5;
const LENGTH: f64 = 0.8;

/// A pendulum φ away from hanging, in space, at rest.
fn pendulum(phi: f64, kind: EffortKind, integrator: Integrator) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -G, 0.0));
    let along = vec3(phi.sin(), -phi.cos(), 0.0);
    let bob = parts.add_body(Body {
        pos: along * LENGTH,
        rot: Quat::exp(vec3(0.0, 0.0, phi)),
        ..Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, MASS)
    });
    let mut hinge = Joint::revolute(End::Ground, bob, [0.0; 3], [0.0, 0.0, 1.0]).with_effort(0, kind);
    hinge.zero[0] = phi;
    parts.add_joint(hinge);
    with(parts, integrator)
}

fn angle(sim: &mut Simulation) -> (f64, f64) {
    let at = sim.observe();
    (at.joint(JointId::of_index(0)).coordinates[0], at.joint(JointId::of_index(0)).rates[0])
}

/// Below its friction a pendulum stays at rest, and the hinge reports the friction torque; above it
/// moves.
#[test]
fn a_pendulum_stays_below_its_friction_and_not_above() {
    let weight = MASS * G * LENGTH;
    for integrator in
        [Integrator::Rk4, Integrator::Dopri5, Integrator::TimeStepping, Integrator::SemiImplicitEuler]
    {
        for phi in [0.3_f64, -0.7] {
            let load = weight * phi.sin();
            let mut sim = pendulum(phi, dry(1.001 * load.abs(), 0.0), integrator);
            let before = sim.state().coordinates().to_vec();
            sim.run(2.0, 1e-2).expect("a run");
            for (now, was) in sim.state().coordinates().iter().zip(&before) {
                // It sticks: the pose does not change but for rounding.
                near(*now, *was, 1e-15);
            }
            assert!(sim.events().is_empty(), "{:?}", sim.events());
            let friction = sim.observe().joint(JointId::of_index(0)).reaction.friction.torque.z;
            // The friction balances the weight in one solve: rounding of 10 N·m.
            near(friction, load, 1e-11);
            let mut sim = pendulum(phi, dry(0.999 * load.abs(), 0.0), integrator);
            sim.run(0.5, 1e-2).expect("a run");
            assert!((angle(&mut sim).0 - phi).abs() > 1e-5, "{integrator:?}");
        }
    }
}

/// Each half swing ends where the weight's work is the friction's heat: m g l (cos φ₁ − cos φ₀) =
/// ∓T (φ₁ − φ₀); until T holds it.
#[test]
fn a_pendulum_stops_where_its_energy_says() {
    let (torque, weight, start) = (0.9, MASS * G * LENGTH, 1.2_f64);
    // The turning points, by bisection of the balance.
    let mut turns = vec![start];
    while weight * turns[turns.len() - 1].abs().sin() > torque {
        let from = turns[turns.len() - 1];
        let left = |to: f64| weight * (to.cos() - from.cos()) - torque * (to - from).abs();
        // On the other side, between the lowest point and the height of the last turning point.
        let (mut near, mut far) = (0.0, -from);
        for _ in 0..200 {
            let middle = 0.5 * (near + far);
            *(if left(middle) > 0.0 { &mut near } else { &mut far }) = middle;
        }
        turns.push(near);
    }
    let last = turns[turns.len() - 1];
    assert!(turns.len() > 4);
    for (integrator, tolerance) in
        [(Integrator::Rk4, 1e-9), (Integrator::Dopri5, 1e-8), (Integrator::TimeStepping, 2e-2)]
    {
        let mut sim = pendulum(start, dry(torque, 0.0), integrator);
        sim.run(12.0, 2e-3).expect("a run");
        let (found, rate) = angle(&mut sim);
        near(found, last, tolerance);
        // It sticks: the rate is zero to rounding.
        near(rate, 0.0, 1e-14);
        let stops: Vec<_> = sim.events().iter().filter(|event| event.kind == EventKind::Stick).collect();
        // A time step at the velocity level may end at the turning point itself.
        let is_one = stops.len() == 1 || integrator == Integrator::TimeStepping;
        assert!(is_one && !stops.is_empty(), "{integrator:?} {:?}", sim.events());
        let path: f64 = turns.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum();
        near(sim.energy().dissipated, torque * path, 50.0 * tolerance * torque);
        let friction = sim.observe().joint(JointId::of_index(0)).reaction.friction.torque.z;
        // The friction balances the weight of the pose found, to one solve with inequalities.
        near(friction, weight * found.sin(), 1e-9);
        if integrator == Integrator::Rk4 {
            // Events are located to rounding, and the motion between them is RK4's at 2 ms.
            assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
            // It turns back once for every swing but the last.
            let slips = sim.events().iter().filter(|event| event.kind == EventKind::Slip).count();
            assert_eq!(slips, turns.len() - 2, "{:?}", sim.events());
        }
    }
}

/// A slider that coasts to rest on an incline: v₀²/(2 (g sin α + F/m)) up, in v₀/(g sin α + F/m);
/// it stays if F > m g sin α, and comes back if not.
#[test]
fn a_slider_coasts_to_rest() {
    let (mass, speed, slope) = (2.0, 3.0, 0.4_f64);
    for (force, stays) in [(9.0, true), (6.0, false)] {
        for integrator in [Integrator::Rk4, Integrator::Dopri5] {
            let along = vec3(slope.cos(), slope.sin(), 0.0);
            let mut parts = ModelBuilder::new(Gravity::new(0.0, -G, 0.0));
            let block = parts.add_body(Body { vel: along * speed, ..Body::planar(mass, 0.1) });
            let joint =
                Joint::prismatic(End::Ground, block, [0.0; 3], along).with_effort(0, dry(force, force));
            parts.add_joint(joint);
            let mut sim = with(parts, integrator);
            sim.run(2.0, 1e-2).expect("a run");
            let decel = G * slope.sin() + force / mass;
            let (top, time) = (0.5 * speed * speed / decel, speed / decel);
            let at = sim.observe();
            let (place, friction) = (
                at.joint(JointId::of_index(0)).coordinates[0],
                at.joint(JointId::of_index(0)).reaction.friction.force.dot(along),
            );
            let wanted = match stays {
                true => top,
                false => top - 0.5 * (G * slope.sin() - force / mass) * (2.0 - time) * (2.0 - time),
            };
            // RK4 is exact for parabolas, and the event between them is located to rounding of the
            // rate.
            near(place, wanted, 1e-10);
            near(friction, if stays { mass * G * slope.sin() } else { force }, 1e-10);
            let event = &sim.events()[0];
            near(event.time, time, 1e-9);
            assert_eq!(event.kind, if stays { EventKind::Stick } else { EventKind::Slip });
            let path = top + (top - wanted);
            // Constant force times the path, to the location of the event.
            near(sim.energy().dissipated, force * path, 1e-9);
        }
    }
}

/// A servo pulls against friction whose breakaway force is larger: it slips when k s(t) reaches
/// F_s, and stops short of the target by F_s/k at most.
#[test]
fn a_servo_pulls_against_friction() {
    let (stiffness, coulomb, breakaway) = (50.0, 2.0, 5.0);
    for integrator in [Integrator::Rk4, Integrator::TimeStepping] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
        let block = parts.add_body(Body::planar(1.0, 0.1));
        let law = Law::Ramp(cardan::law::Ramp { from: 0.0, to: 0.2, start: 0.0, duration: 1.0 });
        let servo = Servo { stiffness, damping: 5.0, law, limit: f64::INFINITY };
        let joint = Joint::prismatic(End::Ground, block, [0.0; 3], [1.0, 0.0, 0.0]);
        parts.add_joint(
            joint.with_effort(0, EffortKind::Servo(servo)).with_effort(0, dry(coulomb, breakaway)),
        );
        let mut sim = with(parts, integrator);
        let h = 1e-3;
        sim.run(0.1, h).expect("a run");
        // Sticking: the friction equals the servo's force, k s + c ṡ.
        let pull = stiffness * 0.2 * sim.time() + 5.0 * 0.2;
        near(
            sim.observe().joint(JointId::of_index(0)).reaction.friction.force.x,
            -pull,
            1e-9 + if integrator == Integrator::Rk4 { 0.0 } else { 2e-2 },
        );
        sim.run(3.0, h).expect("a run");
        let first = sim.events().iter().find(|event| event.kind == EventKind::Slip).expect("it starts");
        let wanted = (breakaway - 1.0) / (stiffness * 0.2);
        // RK4 locates the event to rounding; time stepping has steps of h.
        near(first.time, wanted, if integrator == Integrator::Rk4 { 1e-9 } else { 2.0 * h });
        let at = sim.observe();
        let (place, rate) =
            (at.joint(JointId::of_index(0)).coordinates[0], at.joint(JointId::of_index(0)).rates[0]);
        // It sticks at the end: rate zero, friction equal to the servo's force.
        near(rate, 0.0, 1e-12);
        assert!((place - 0.2).abs() <= breakaway / stiffness && place > 0.1, "{place}");
        near(at.joint(JointId::of_index(0)).reaction.friction.force.x, -stiffness * (0.2 - place), 1e-9);
        let limit = if integrator == Integrator::Rk4 { 1e-6 } else { 1e-2 };
        assert!(sim.balance().energy_error < limit, "{integrator:?} {:?}", sim.balance());
    }
}

/// Several joints with friction in one chain, in a solve with every joint, one of them sticking
/// while others slide; energy is balanced, and the chain comes to rest for good.
#[test]
fn a_chain_with_joint_friction_comes_to_rest() {
    for integrator in [Integrator::Rk4, Integrator::TimeStepping] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -G, 0.0));
        let mut last = End::Ground;
        for i in 0..4 {
            let pos = vec3(0.25 + 0.5 * f64::from(i), 0.0, 0.0);
            let link = parts.add_body(Body { pos, ..Body::planar(0.4, 0.4 * 0.25 / 12.0) });
            let joint = Joint::revolute(last, link, [0.5 * f64::from(i), 0.0, 0.0], [0.0, 0.0, 1.0]);
            parts.add_joint(joint.with_effort(0, dry(1.2 - 0.2 * f64::from(i), 0.0)));
            last = link.into();
        }
        let mut sim = with(parts, integrator);
        sim.run(12.0, 4e-3).expect("a run");
        // All joints stick: rates are zero to rounding.
        assert!(sim.state().velocities().iter().all(|v| v.abs() < 1e-12), "{:?}", sim.state().velocities());
        let limit = if integrator == Integrator::Rk4 { 1e-6 } else { 5e-2 };
        assert!(sim.balance().energy_error < limit, "{integrator:?} {:?}", sim.balance());
        // And poses do not change.
        let before = sim.state().coordinates().to_vec();
        sim.run(14.0, 4e-3).expect("a run");
        sim.state().coordinates().iter().zip(&before).for_each(|(now, was)| near(*now, *was, 1e-14));
    }
}

/// A four-bar whose crank a drive turns has no freedom left, so that no force moves the rocker's hinge. Its
/// friction still takes F |Δφ| along the way, in both directions, on every path.
#[test]
fn friction_in_a_driven_loop_takes_its_heat() {
    const TORQUE: f64 = 0.7;
    // Crank, coupler and rocker from (0, 0) to (4, 0), with the crank upright.
    let (a, b, c) = (vec3(0.0, 1.0, 0.0), vec3(4.0, 0.0, 0.0), [3.5_f64, 3.0]);
    let span = b - a;
    let far = span.norm();
    let along = (far * far + c[0] * c[0] - c[1] * c[1]) / (2.0 * far);
    let off = (c[0] * c[0] - along * along).sqrt();
    let unit = span * (1.0 / far);
    let tip = a + unit * along + vec3(-unit.y, unit.x, 0.0) * off;
    for integrator in [Integrator::Rk4, Integrator::Dopri5, Integrator::TimeStepping] {
        for friction in [0.0, TORQUE] {
            let mut parts = ModelBuilder::new(Gravity::new(0.0, -G, 0.0));
            let ends = [(vec3(0.0, 0.0, 0.0), a), (a, tip), (b, tip)];
            let [crank, coupler, rocker] = ends.map(|(from, to)| {
                let body = Body::solid(cardan::SolidShape::Sphere { radius: 0.2 }, MASS);
                parts.add_body(Body { pos: (from + to) * 0.5, ..body })
            });
            let axis = [0.0, 0.0, 1.0];
            let drive =
                Drive { coordinate: 0, mode: DriveMode::Position, law: Law::expression("3*t").unwrap() };
            let mut first = Joint::revolute(End::Ground, crank, [0.0; 3], axis);
            first.drives.push(drive);
            parts.add_joint(first);
            parts.add_joint(Joint::revolute(crank, coupler, a, axis));
            let last = Joint::revolute(End::Ground, rocker, b, axis);
            let hinge = parts.add_joint(last.with_effort(0, dry(friction, friction)));
            parts.add_joint(Joint::revolute(coupler, rocker, tip, axis));
            let mut sim = with(parts, integrator);
            let (mut path, mut before) = (0.0, sim.observe().joint(hinge).coordinates[0]);
            while sim.time() < 4.2 {
                sim.step(1e-3).unwrap_or_else(|error| panic!("{integrator:?}: {error}"));
                let now = sim.observe().joint(hinge).coordinates[0];
                path += (now - before).abs();
                before = now;
            }
            // Two turns, four reversals; a sum of steps misses h² of each.
            assert!(path > 2.0, "{path}");
            let bound = if integrator == Integrator::TimeStepping { 5e-3 } else { 1e-4 };
            near(sim.energy().dissipated, friction * path, bound);
            let certificate = sim.certificate();
            assert!(certificate.max_position_error < 1e-12 && sim.balance().energy_error < 1e-2);
        }
    }
}

/// Friction that falls from rest to sliding (Stribeck): a pendulum that breaks loose follows its own equation,
/// I φ̈ = −m g l sin φ − F(φ̇) sign φ̇ − c φ̇, integrated here on its own.
#[test]
fn a_pendulum_follows_the_stribeck_curve() {
    let (coulomb, breakaway, speed, viscous) = (1.0, 4.0, 0.7, 0.2);
    let law = DryFriction { coulomb, breakaway, stribeck_speed: speed, viscous, ..DryFriction::default() };
    let (phi, until) = (1.2_f64, 0.55); // 55 000 steps of 1e-5 s
    let inertia = MASS * (LENGTH * LENGTH + 0.4 * 0.1 * 0.1);
    let acc = |phi: f64, rate: f64| {
        let dry = coulomb + (breakaway - coulomb) * (-(rate / speed) * (rate / speed)).exp();
        // It swings down all the while.
        (-MASS * G * LENGTH * phi.sin() + dry - viscous * rate) / inertia
    };
    let (mut x, mut v, h) = (phi, 0.0, 1e-5);
    for _ in 0..55_000 {
        let (a, b) = (v, acc(x, v));
        let (c, d) = (v + 0.5 * h * b, acc(x + 0.5 * h * a, v + 0.5 * h * b));
        let (e, f) = (v + 0.5 * h * d, acc(x + 0.5 * h * c, v + 0.5 * h * d));
        let (g, i) = (v + h * f, acc(x + h * e, v + h * f));
        x += h / 6.0 * (a + 2.0 * c + 2.0 * e + g);
        v += h / 6.0 * (b + 2.0 * d + 2.0 * f + i);
    }
    assert!(v < -1.0 && x > -0.5, "it is still on its way: {x} {v}");
    // RK4 to fourth order at 1 ms; time stepping to first order, with errors of h times accelerations of 15 rad/s².
    for (integrator, off) in
        [(Integrator::Rk4, 1e-9), (Integrator::Dopri5, 1e-7), (Integrator::TimeStepping, 2e-2)]
    {
        let mut sim = pendulum(phi, EffortKind::Friction(law), integrator);
        sim.run(until, 1e-3).expect("a run");
        let (found, rate) = angle(&mut sim);
        near(found, x, off);
        near(rate, v, off);
        assert!(sim.balance().energy_error < off, "{integrator:?}: {:e}", sim.balance().energy_error);
    }
    // Without the curve it would be elsewhere.
    let mut sim =
        pendulum(phi, EffortKind::Friction(DryFriction { stribeck_speed: 0.0, ..law }), Integrator::Rk4);
    sim.run(until, 1e-3).expect("a run");
    assert!((angle(&mut sim).0 - x).abs() > 0.02);
    // It sticks up to all of its friction at rest.
    let held = (0.99 * breakaway / (MASS * G * LENGTH)).asin();
    let mut sim = pendulum(held, EffortKind::Friction(law), Integrator::TimeStepping);
    sim.run(0.1, 1e-3).expect("a run");
    near(angle(&mut sim).0, held, 1e-12);
}
