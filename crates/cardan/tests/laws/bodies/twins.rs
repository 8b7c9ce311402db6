//! One mechanism twice: by minimal coordinates, and by bodies and constraints.

use cardan::body::{InternalMass, ScaleSpring};
use cardan::math::{Sym3, Vec3, vec3};
use cardan::{
    Body, BodyId, End, End::Ground, Frame, Gravity, Joint, JointId, JointKind, MassProperties, ModelBuilder,
    Probe, ProbeId, Simulation,
};
use cardan_testkit::TwoAngles;

pub(super) const G: Gravity = Gravity(Vec3::new(0.0, -9.81, 0.0));
pub(super) const LENGTH: f64 = 0.9;

fn rod() -> MassProperties {
    let inertia = Sym3::diagonal(0.08, 0.002, 0.08);
    MassProperties { mass: 1.2, center: vec3(0.0, -0.5 * LENGTH, 0.0), inertia }
}

pub(super) const START: [f64; 2] = [1.1, 0.3];
const RATES: [f64; 2] = [0.4, -1.5];

pub(super) fn by_angles(parts: &mut ModelBuilder) -> [End; 2] {
    let rule = TwoAngles { length: LENGTH, rods: [rod(); 2] };
    let body = parts.add_body(Body::parametric(rule).starting(&START, &RATES));
    [End::Piece(body, 0), End::Piece(body, 1)]
}

pub(super) fn by_joints(parts: &mut ModelBuilder) -> [End; 2] {
    use cardan::math::Quat;
    let turned = |i: usize| Quat::exp(vec3(0.0, 0.0, START[i]));
    let knee = turned(0) * vec3(0.0, -LENGTH, 0.0);
    let arms = [0, 1].map(|i| turned(i) * rod().center);
    let omega = RATES.map(|rate| vec3(0.0, 0.0, rate));
    let upper = Body { rot: turned(0), vel: omega[0].cross(arms[0]), omega: omega[0], ..Body::rigid(rod()) };
    let vel = omega[0].cross(knee) + omega[1].cross(arms[1]);
    let lower = Body { pos: knee, rot: turned(1), vel, omega: omega[1], ..Body::rigid(rod()) };
    let (upper, lower) = (parts.add_body(upper), parts.add_body(lower));
    parts.add_joint(Joint::revolute(Ground, upper, [0.0; 3], [0.0, 0.0, 1.0]));
    parts.add_joint(Joint::revolute(upper, lower, knee, [0.0, 0.0, 1.0]));
    [upper.into(), lower.into()]
}

/// Both with the same additions: positions of a probe, loads of the added joints, energies, at
/// several times.
fn compare(add: impl Fn(&mut ModelBuilder, [End; 2]), (until, h): (f64, f64), bound: f64) {
    let make = |rods: fn(&mut ModelBuilder) -> [End; 2]| {
        let mut parts = ModelBuilder::new(G);
        let ends = rods(&mut parts);
        add(&mut parts, ends);
        let point = vec3(0.1, -0.7, 0.05);
        parts.add_probe(Probe { name: "tip".into(), body: ends[1], point });
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.assemble().unwrap();
        sim
    };
    let (mut few, mut many) = (make(by_angles), make(by_joints));
    for part in 0..=4 {
        let time = until * f64::from(part) / 4.0;
        if part > 0 {
            few.run(time, h).unwrap();
            many.run(time, h).unwrap();
        }
        let (a, b) = (
            few.evaluate().unwrap().probe(ProbeId::of_index(0)),
            many.evaluate().unwrap().probe(ProbeId::of_index(0)),
        );
        let off = [a.position - b.position, a.velocity - b.velocity, a.acceleration - b.acceleration];
        let off = off.map(|off| off.norm());
        let joints = few.model().joints().len();
        let force = |sim: &mut Simulation, j: usize| {
            sim.evaluate().unwrap().joint(JointId::of_index(j)).reaction.total()
        };
        let mut loads = 0.0_f64;
        for j in 0..joints {
            let (x, y) = (force(&mut few, j), force(&mut many, j + 2));
            loads = loads.max((x.force - y.force).norm()).max((x.torque - y.torque).norm());
        }
        let (e, f) = (few.energy(), many.energy());
        let energy = (e.kinetic - f.kinetic).abs().max((e.potential - f.potential).abs());
        println!("t = {time}: {off:?}, loads {loads:.1e}, energy {energy:.1e}");
        // At the start nothing is integrated yet.
        let bound = if part == 0 { 1e-12 } else { bound };
        assert!(off[0] < bound && off[1] < 10.0 * bound && off[2] < 100.0 * bound, "t = {time}: {off:?}");
        assert!(loads < 200.0 * bound && energy < 20.0 * bound, "t = {time}: {loads:e} {energy:e}");
    }
    for sim in [&mut few, &mut many] {
        let balance = sim.balance();
        // The order of RK4 at steps of 1 ms or less and rates of some rad/s; joints are closed to
        // rounding.
        assert!(balance.energy_error < 1e-8 && balance.momentum_error < 1e-8, "{balance:?}");
        assert!(sim.certificate().max_position_error < 1e-12);
    }
}

#[test]
fn a_double_pendulum_by_two_angles_moves_like_two_bodies_with_hinges() {
    compare(|_, _| {}, (2.0, 1e-3), 1e-8);
}

/// A rigid block on a ball joint, and a rod from the tip to the ground, on a parametric body.
#[test]
fn joints_on_a_parametric_body_act_as_on_its_constrained_twin() {
    let add = |parts: &mut ModelBuilder, ends: [End; 2]| {
        let tip = |i: usize| match i {
            0 => vec3(START[0].sin(), -START[0].cos(), 0.0) * LENGTH,
            _ => vec3(START[0].sin() + START[1].sin(), -START[0].cos() - START[1].cos(), 0.0) * LENGTH,
        };
        let mass =
            MassProperties { mass: 0.4, center: Vec3::ZERO, inertia: Sym3::diagonal(0.01, 0.02, 0.03) };
        let at = tip(1) + vec3(0.3, 0.0, 0.0);
        let block = parts.add_body(Body { pos: at, omega: vec3(0.5, 1.0, 0.0), ..Body::rigid(mass) });
        parts.add_joint(Joint::spherical(ends[1], block, tip(1)));
        let bob = parts.add_body(Body { pos: tip(0) + vec3(0.5, 0.0, 0.2), ..Body::particle(0.3) });
        let knee = Frame::at(vec3(0.0, -LENGTH, 0.0));
        let kind = JointKind::Distance { length: 0.29_f64.sqrt() };
        parts.add_joint(Joint::between(kind, ends[0], knee, bob, Frame::default()));
    };
    compare(add, (1.0, 5e-4), 1e-7);
    // A closed loop: the tip pinned to the ground leaves one freedom.
    let close = |parts: &mut ModelBuilder, ends: [End; 2]| {
        let at = |f: fn(f64) -> f64| (f(START[0]) + f(START[1])) * LENGTH;
        let length = (vec3(1.4, -2.2, 0.0) - vec3(at(f64::sin), -at(f64::cos), 0.0)).norm();
        let kind = JointKind::Distance { length };
        let tip = Frame::at(vec3(0.0, -LENGTH, 0.0));
        let far = Frame::at(vec3(1.4, -2.2, 0.0));
        parts.add_joint(Joint::between(kind, ends[1], tip, Ground, far));
    };
    compare(close, (1.0, 5e-4), 1e-7);
}

#[test]
fn a_shaft_is_a_rigid_body_on_a_hinge() {
    let mass =
        MassProperties { mass: 2.0, center: vec3(0.3, 0.1, 0.2), inertia: Sym3::diagonal(0.2, 0.3, 0.25) };
    let axis = vec3(0.2, 0.1, 1.0).normalized().unwrap();
    let omega = axis * 1.5;
    let at = vec3(0.4, -0.2, 0.1);
    let make = |is_shaft: bool| {
        let mut parts = ModelBuilder::new(Gravity::new(2.0, -9.81, 1.0));
        let main = if is_shaft {
            parts.add_body(Body { pos: at, omega, ..Body::shaft(mass, axis) })
        } else {
            let body = Body { pos: at, omega, vel: omega.cross(mass.center), ..Body::rigid(mass) };
            let body = parts.add_body(body);
            parts.add_joint(Joint::revolute(Ground, body, at, axis));
            body
        };
        let hung = parts.add_body(Body { pos: at + vec3(0.6, 0.4, 0.0), ..Body::rod(0.5, 0.4, 0.02) });
        parts.add_joint(Joint::universal(
            main,
            hung,
            at + vec3(0.4, 0.4, 0.0),
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ));
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.assemble().unwrap();
        sim
    };
    let (mut shaft, mut hinge) = (make(true), make(false));
    shaft.run(1.0, 5e-4).unwrap();
    hinge.run(1.0, 5e-4).unwrap();
    for body in 0..2 {
        let (a, b) = (
            shaft.evaluate().unwrap().body(BodyId::of_index(body)),
            hinge.evaluate().unwrap().body(BodyId::of_index(body)),
        );
        let off = [
            a.position - b.position,
            a.velocity - b.velocity,
            a.angular_velocity - b.angular_velocity,
            a.acceleration - b.acceleration,
            a.angular_acceleration - b.angular_acceleration,
        ];
        let off = off.map(|off| off.norm());
        // Both runs have the truncation of RK4 at 0.5 ms, in different coordinates: (ω h)⁴ with ω
        // of about 10 rad/s.
        assert!(off.iter().all(|off| *off < 1e-7), "body {body}: {off:?}");
    }
    let load =
        |sim: &mut Simulation, j: usize| sim.evaluate().unwrap().joint(JointId::of_index(j)).reaction.total();
    let (a, b) = (load(&mut shaft, 0), load(&mut hinge, 1));
    // Loads are accelerations times some kilograms.
    assert!((a.force - b.force).norm() < 1e-6 && (a.torque - b.torque).norm() < 1e-6, "{a:?} {b:?}");
    let (mine, its) = (shaft.momentum(), hinge.momentum());
    assert!((mine.angular - its.angular).norm() < 1e-7 && (mine.linear - its.linear).norm() < 1e-7);
    // The work and the impulse are integrated to the order of RK4.
    assert!(shaft.balance().momentum_error < 1e-9 && shaft.balance().energy_error < 1e-9);
}

#[test]
fn a_mass_inside_is_a_second_body_on_a_slide() {
    let mass =
        MassProperties { mass: 2.0, center: vec3(0.1, 0.0, 0.0), inertia: Sym3::diagonal(0.2, 0.3, 0.25) };
    let (axis, origin) = (vec3(0.0, 1.0, 0.0), vec3(0.2, 0.0, 0.1));
    let omega = vec3(1.0, 2.0, 3.0);
    let inside = InternalMass { mass: 0.6, origin, axis, stiffness: 80.0, damping: 0.5, rest: 0.05 };
    let u = 0.15;
    let mut parts = ModelBuilder::new(G);
    let common = (mass.center * 2.0 + (origin + axis * u) * 0.6) / 2.6;
    let one = parts.add_body(Body { omega, ..Body::with_internal_mass(mass, inside) }.starting(&[u], &[0.0]));
    parts.add_joint(Joint::spherical(Ground, one, [0.0, 0.3, 0.0]));
    let mut few = Simulation::new(parts.build().unwrap());

    let about = |c: Vec3| omega.cross(c - common);
    let at = origin + axis * u;
    let slide = Frame::with_axis(origin, axis).unwrap();
    // A spring along the line from the shell's rest point; a force between the two would also have
    // a transverse part.
    let mut parts = ModelBuilder::new(G);
    let shell = parts.add_body(Body { omega, vel: about(mass.center), ..Body::rigid(mass) });
    let slug = parts.add_body(Body { pos: at, vel: about(at), ..Body::particle(0.6) });
    parts.add_joint(Joint::spherical(Ground, shell, [0.0, 0.3, 0.0]));
    let line = Joint::between(JointKind::PointOnLine, shell, slide, slug, Frame::default());
    parts.add_joint(line.with_spring(80.0, 0.5, 0.05));
    let mut many = Simulation::new(parts.build().unwrap());
    for sim in [&mut few, &mut many] {
        sim.assemble().unwrap();
        sim.run(1.0, 5e-4).unwrap();
    }
    let (a, b) = (few.energy(), many.energy());
    // Both runs have the truncation of RK4 at 0.5 ms, in different coordinates: (ω h)⁴ with ω = 12
    // rad/s.
    assert!((a.dissipated - b.dissipated).abs() < 1e-7 && a.dissipated > 1e-3, "{a:?} {b:?}");
    assert!((a.kinetic - b.kinetic).abs() < 1e-6 && (a.potential - b.potential).abs() < 1e-6, "{a:?} {b:?}");
    let frame = |sim: &mut Simulation| sim.evaluate().unwrap().body(BodyId::of_index(0)).frame_position;
    // As above; and the balances of one run alone, to the order of RK4.
    assert!((frame(&mut few) - frame(&mut many)).norm() < 1e-7);
    assert!(few.balance().momentum_error < 1e-9 && few.balance().energy_error < 1e-9, "{:?}", few.balance());
}

/// The stiffer its scale, the smaller the difference to a rigid body, in proportion to 1/k.
#[test]
fn a_stiff_scale_is_a_rigid_body_in_the_limit() {
    let mass = MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.02, 0.03, 0.04) };
    let hinge = |parts: &mut ModelBuilder, body: Body| {
        let id = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..body });
        parts.add_joint(Joint::revolute(Ground, id, [0.0; 3], [0.0, 0.0, 1.0]));
    };
    let mut last = f64::INFINITY;
    for stiffness in [1e2, 1e4, 1e6] {
        let mut ends = Vec::new();
        for body in [
            Body::rigid(mass),
            Body::scaled(mass, ScaleSpring { stiffness, damping: 0.02 * stiffness.sqrt() }),
        ] {
            let mut parts = ModelBuilder::new(G);
            hinge(&mut parts, body);
            let mut sim = Simulation::new(parts.build().unwrap());
            sim.assemble().unwrap();
            sim.run(0.5, 1e-4).unwrap();
            ends.push(sim.evaluate().unwrap().body(BodyId::of_index(0)).position);
        }
        let off = (ends[0] - ends[1]).norm();
        println!("k = {stiffness:e}: {off:.2e}");
        assert!(off < 0.05 * last, "{off} after {last}");
        last = off;
    }
}
