//! Inequalities against closed forms and reference numbers: times, positions and forces of contact.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::constraint::{Constraint, ConstraintRows};
use cardan::contact::Shape;
use cardan::inequality::{DistanceBound, HalfSpace};
use cardan::math::{Vec3, vec3};
use cardan::step::EventKind;
use cardan::{
    Body, BodyId, ContactShape, End, Event, Frame, FrameMotion, Gravity, Impacts, Inequality, InequalityId,
    Integrator, Joint, JointId, JointLimit, Material, ModelBuilder, Settings, Simulation, Wrench,
};

fn ground() -> (End, Frame) {
    (End::Ground, Frame::default())
}

fn floor(name: &str, body: End, radius: f64) -> Inequality {
    let half = HalfSpace { radius, ..HalfSpace::new([0.0, 1.0, 0.0]).expect("a normal") };
    Inequality::new(name, vec![ground(), (body, Frame::default())], half)
}

fn times(sim: &Simulation, what: EventKind) -> Vec<f64> {
    sim.events().iter().filter(|e| e.kind == what).map(|e| e.time).collect()
}

#[track_caller]
fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted} (off by {:e})", found - wanted);
}

/// With smooth steps and events, whatever it rests on.
fn smooth(parts: ModelBuilder) -> Simulation {
    let settings = Settings { integrator: Integrator::Rk4, ..Settings::default() };
    Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings")
}

/// reference/bouncing_ball_e08: impacts, heights, and rest after the sum of all bounces.
#[test]
fn a_ball_bounces_at_the_times_of_the_closed_form() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let ball = parts.add_body(Body { pos: vec3(0.0, 1.0, 0.0), ..Body::particle(1.0) });
    parts.add_inequality(floor("floor", ball.into(), 0.0).with_restitution(0.8));
    let mut sim = Simulation::new(parts.build().expect("a model"));
    let root = (2.0 / 9.81_f64).sqrt();
    let mut lowest = f64::INFINITY;
    while sim.next_step(4.5, 1e-2).is_some() {
        sim.step_toward(4.5, 1e-2).expect("a step");
        lowest = lowest.min(sim.state().coordinates()[1]);
    }
    println!("{:?}", sim.events());
    let found = times(&sim, EventKind::Impact);
    let mut wanted = root;
    for k in 0..40 {
        // Parabolas are exact for RK4; events are located to rounding of the gap over the speed,
        // which falls to 1e-4 of the first.
        near(found[k], wanted, 1e-11);
        wanted += 2.0 * 0.8_f64.powi(k as i32 + 1) * root;
    }
    let rest = times(&sim, EventKind::Activated);
    assert_eq!(rest.len(), 1, "{rest:?}");
    // It counts as rest below `restitution_threshold`, 1e-6 m/s: the remaining bounces take up to 2e-6 s.
    near(rest[0], root * 1.8 / 0.2, 2e-6);
    assert!(lowest >= -1e-15, "{lowest}");
    near(sim.state().coordinates()[1], 0.0, 1e-16);
    near(sim.state().velocities()[1], 0.0, 1e-16);
    // At last the floor carries m g.
    let balance = sim.balance();
    assert!(balance.energy_error < 1e-12 && balance.momentum_error < 1e-12, "{balance:?}");
}

/// reference/particle_leaves_sphere: it leaves where cos θ = 2/3 + v₀²/(3 g R), and then falls.
#[test]
fn a_particle_leaves_a_sphere() {
    for (radius, speed, left_at, fast, lands) in [
        (2.0, 0.5, 1.224705570824285, 3.628130831893102, 1.8202396271785533),
        (0.8, 1.1, 0.4088414394361198, 2.3738857035108776, 0.7959216583261082),
    ] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let bead = parts.add_body(Body {
            pos: vec3(0.0, radius, 0.0),
            vel: vec3(speed, 0.0, 0.0),
            ..Body::particle(1.0)
        });
        let rule = DistanceBound { length: radius, at_most: false };
        parts.add_inequality(Inequality::new(
            "sphere",
            vec![ground(), (bead.into(), Frame::default())],
            rule,
        ));
        let plane =
            HalfSpace { point: vec3(0.0, -radius, 0.0), ..HalfSpace::new([0.0, 1.0, 0.0]).expect("up") };
        parts.add_inequality(Inequality::new(
            "plane",
            vec![ground(), (bead.into(), Frame::default())],
            plane,
        ));
        let mut sim = Simulation::new(parts.build().expect("a model"));
        sim.run(lands + 0.01, 1e-3).expect("a run");
        let events: Vec<&Event> = sim.events().iter().collect();
        let left = events.iter().find(|e| e.kind == EventKind::Released).expect("it leaves");
        // Truncation of RK4 at 1 ms on the sphere; events are located to rounding of the force over
        // its rate.
        near(left.time, left_at, 1e-10);
        let landed = events.iter().find(|e| e.kind == EventKind::Impact).expect("it lands");
        near(landed.time, lands, 1e-10);
        let fall = (fast * fast
            + 2.0 * 9.81 * (radius + radius * (2.0 / 3.0 + speed * speed / (3.0 * 9.81 * radius))))
            .sqrt();
        assert!(landed.speed.abs() < fall && landed.speed < 0.0);
    }
}

fn double_pendulum(restitution: f64) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let rod = |angle: f64, pivot: Vec3, mass: f64| {
        let along = vec3(angle.sin(), -angle.cos(), 0.0);
        let body = Body {
            pos: pivot + along * 0.25,
            rot: cardan::math::Quat::exp(vec3(0.0, 0.0, angle - std::f64::consts::FRAC_PI_2)),
            ..Body::planar(mass, mass * 0.25 / 12.0)
        };
        (body, pivot + along * 0.5)
    };
    let (first, knee) = rod(0.6, Vec3::ZERO, 2.0);
    let (second, _) = rod(1.4, knee, 1.5);
    let (first, second) = (parts.add_body(first), parts.add_body(second));
    parts.add_joint(Joint::revolute(End::Ground, first, [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]));
    let mut stop = Joint::revolute(first, second, knee, [0.0, 0.0, 1.0]);
    stop.name = "knee".into();
    stop.zero[0] = 0.8;
    stop.limits.push(JointLimit { coordinate: 0, low: 0.0, high: f64::INFINITY, restitution });
    parts.add_joint(stop);
    Simulation::new(parts.build().expect("a model"))
}

/// Angles from the downward vertical and their rates.
fn angles(sim: &mut Simulation) -> [f64; 4] {
    let at = sim.observe();
    let (first, second) = (at.joint(JointId::of_index(0)), at.joint(JointId::of_index(1)));
    let q1 = 0.6 + first.coordinates[0];
    [q1, q1 + second.coordinates[0], first.rates[0], first.rates[0] + second.rates[0]]
}

/// reference/double_pendulum_stop: a knee that rebounds.
#[test]
fn a_knee_stop_rebounds() {
    let mut sim = double_pendulum(0.5);
    for (t, q, v) in [
        (0.2, [0.48015896167616445, 0.9542795043818301], [-0.8806841412516554, -4.666945454866763]),
        (0.4, [0.029719113482678364, 0.2772818198428326], [-3.4760543552812604, -1.9454099853611044]),
        (0.6, [-0.4814923910104496, -0.42423963937548], [-2.8019691712030363, -1.386222820648624]),
        (0.8, [-0.7737950761921446, -0.7524212200184585], [-0.38366444494030194, -0.869464157600698]),
    ] {
        sim.run(t, 1e-3).expect("a run");
        let found = angles(&mut sim);
        for (found, wanted) in found.iter().zip([q[0], q[1], v[0], v[1]]) {
            // Truncation of RK4 at 1 ms of a double pendulum at some rad/s, amplified by its
            // impacts.
            near(*found, wanted, 2e-9);
        }
    }
    let hits: Vec<&Event> = sim.events().iter().filter(|e| e.kind == EventKind::Limit).collect();
    for (hit, (t, speed, impulse)) in hits.iter().zip([
        (0.2986923446250404, -5.152262092373494, 0.24151228558000756),
        (0.5671212467524077, -4.030950952259531, 0.1889508258871655),
        (0.7362343315704606, -2.2524130415093637, 0.10558186132075144),
    ]) {
        // Times and impulses of impacts follow from that motion; speeds lose a digit.
        near(hit.time, t, 1e-9);
        near(hit.speed, speed, 1e-8);
        near(hit.impulse, impulse, 1e-9);
    }
    assert_eq!(hits.len(), 3);
    let balance = sim.balance();
    // Truncation of RK4, as above.
    assert!(balance.energy_error < 1e-8 && balance.momentum_error < 1e-8, "{balance:?}");
}

/// reference/double_pendulum_stop_plastic: it stays closed until its multiplier is zero.
#[test]
fn a_knee_stop_stays_closed() {
    let mut sim = double_pendulum(0.0);
    for (t, q, v) in [
        (0.4, [0.0905957570509935, 0.13716970728707328], [-3.19032841691985, -2.559773914186649]),
        (0.8, [-0.7773650780342954, -0.7773650780342951], [-0.5671357997925591, -0.5671357997925591]),
    ] {
        sim.run(t, 1e-3).expect("a run");
        let found = angles(&mut sim);
        for (found, wanted) in found.iter().zip([q[0], q[1], v[0], v[1]]) {
            // Truncation of RK4 at 1 ms of a double pendulum at some rad/s, amplified by its
            // impact.
            near(*found, wanted, 2e-9);
        }
    }
    let hits: Vec<&Event> = sim.events().iter().filter(|e| e.kind == EventKind::Limit).collect();
    for (hit, (t, impulse)) in hits
        .iter()
        .zip([(0.2986923446250404, 0.1610081903866717), (0.5651441286559907, 0.046169774728681966)])
    {
        // Times and impulses of impacts follow from that motion.
        near(hit.time, t, 1e-9);
        near(hit.impulse, impulse, 1e-9);
    }
    println!("{:?}", sim.events());
}

/// A row of balls on a line, just in contact.
fn row(masses: &[f64], speeds: &[f64], e: f64, impacts: Impacts) -> (Vec<f64>, Simulation) {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let balls: Vec<_> = masses
        .iter()
        .zip(speeds)
        .enumerate()
        .map(|(i, (&mass, &speed))| {
            parts.add_body(Body {
                pos: vec3(0.1 * i as f64, 0.0, 0.0),
                vel: vec3(speed, 0.0, 0.0),
                ..Body::particle(mass)
            })
        })
        .collect();
    for pair in balls.windows(2) {
        let rule = DistanceBound { length: 0.1, at_most: false };
        let frames = vec![(pair[0].into(), Frame::default()), (pair[1].into(), Frame::default())];
        parts.add_inequality(Inequality::new("", frames, rule).with_restitution(e));
    }
    let settings = Settings { impacts, ..Settings::default() };
    let mut sim = Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings");
    sim.run(1e-3, 1e-3).expect("a run");
    let speeds = sim.state().velocities().chunks(3).map(|v| v[0]).collect();
    (speeds, sim)
}

/// reference/newton_cradle_5, newton_cradle_6_three, ball_row_unequal: successive impacts; and
/// simultaneous ones.
#[test]
fn rows_of_balls_pass_impacts_on() {
    for impacts in [Impacts::Propagating, Impacts::Sequential] {
        let (found, mut sim) = row(&[1.0; 5], &[1.0, 1.0, 0.0, 0.0, 0.0], 1.0, impacts);
        for (found, wanted) in found.iter().zip([0.0, 0.0, 0.0, 1.0, 1.0]) {
            // Rational numbers of the closed form: some roundings.
            near(*found, wanted, 1e-14);
        }
        assert!(sim.balance().energy_error < 1e-14);
    }
    let (found, _) =
        row(&[1.0, 1.0, 1.0, 1.0, 1.0, 2.0], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], 1.0, Impacts::Sequential);
    for (found, wanted) in found.iter().zip([-1.0 / 3.0, 0.0, 0.0, 5.0 / 9.0, 23.0 / 27.0, 26.0 / 27.0]) {
        // Rational numbers of the closed form: some roundings.
        near(*found, wanted, 1e-14);
    }
    let (found, _) = row(&[2.0, 1.0, 3.0, 1.0], &[3.0, 0.0, 0.0, 0.0], 0.9, Impacts::Sequential);
    for (found, wanted) in found.iter().zip([-0.6195, 0.593424328125, 1.353530015625, 2.584985625]) {
        near(*found, wanted, 1e-14);
    }
    // Simultaneously, a row of four reacts as a whole: the last three leave together.
    let (found, mut sim) = row(&[1.0; 4], &[1.0, 0.0, 0.0, 0.0], 1.0, Impacts::Simultaneous);
    near(found.iter().sum(), 1.0, 1e-14);
    near(found[0], -0.5, 1e-14);
    near(found[3], 0.5, 1e-14);
    assert!(sim.balance().energy_error < 1e-14);
}

/// reference/billiard_symmetric_break: one ball hits two that are in contact.
#[test]
fn a_billiard_break_stays_symmetric() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let r = 0.03;
    let ball = |pos: Vec3, speed: f64| Body { pos, vel: vec3(speed, 0.0, 0.0), ..Body::particle(1.0) };
    let away = 2.0 * r * (std::f64::consts::FRAC_PI_6).cos();
    let cue = parts.add_body(ball(vec3(-away - 0.01, 0.0, 0.0), 2.0));
    let left = parts.add_body(ball(vec3(0.0, r, 0.0), 0.0));
    let right = parts.add_body(ball(vec3(0.0, -r, 0.0), 0.0));
    for (a, b) in [(cue, left), (cue, right), (left, right)] {
        let frames = vec![(a.into(), Frame::default()), (b.into(), Frame::default())];
        parts.add_inequality(
            Inequality::new("", frames, DistanceBound { length: 2.0 * r, at_most: false })
                .with_restitution(1.0),
        );
    }
    let mut sim = Simulation::new(parts.build().expect("a model"));
    sim.run(0.02, 1e-3).expect("a run");
    let v = sim.state().velocities().to_vec();
    // One impact, located to rounding; symmetric to the last bits.
    near(v[0], -0.4, 1e-12);
    near((v[3] * v[3] + v[4] * v[4]).sqrt(), 4.0 * 3.0_f64.sqrt() / 5.0, 1e-12);
    near(v[4], -v[7], 1e-15);
    assert!(sim.balance().energy_error < 1e-13);
}

/// One row g = n · x of a particle.
#[derive(Debug)]
struct Wall([f64; 2]);

impl Constraint for Wall {
    fn rows(&self) -> usize {
        1
    }
    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let n = vec3(self.0[0], self.0[1], 0.0);
        out.err[0] = n.dot(frames[0].pos);
        *out.gradient(0, 0) = Wrench { force: n, torque: Vec3::ZERO };
    }
}

fn corner(mass: f64, force: [f64; 2], walls: [[f64; 2]; 2]) -> (Vec3, Vec<f64>) {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let point = parts.add_body(Body::planar_particle(mass));
    for wall in walls {
        parts.add_inequality(Inequality::new("", vec![(point.into(), Frame::default())], Wall(wall)));
    }
    let push = cardan::Constant { force: vec3(force[0], force[1], 0.0), ..Default::default() };
    parts.add_force(cardan::Force::constant(point, [0.0; 3], push));
    let mut sim = Simulation::new(parts.build().expect("a model"));
    let at = sim.evaluate().expect("an answer");
    (
        at.body(BodyId::of_index(0)).acceleration,
        (0..2).map(|i| at.inequality_multiplier(InequalityId::of_index(i))).collect(),
    )
}

/// reference/grapp_acute_corner, and the obtuse corner in which the paper's third algorithm lets
/// the particle stick.
#[test]
fn contacts_at_corners_are_solved_exactly() {
    let acute = [[1.0, -1.0], [0.0, 1.0]];
    for (mass, force, acc, strain) in [
        (2.0, [2.0, -1.0], [1.0, 0.0], [0.0, 1.0]),
        (3.0, [2.0, -1.0], [2.0 / 3.0, 0.0], [0.0, 1.0]),
        (2.0, [-1.0, -2.0], [0.0, 0.0], [1.0, 3.0]),
        (3.0, [-1.0, -2.0], [0.0, 0.0], [1.0, 3.0]),
        (2.0, [1.0, 3.0], [1.0, 1.0], [1.0, 0.0]),
        (2.0, [3.0, 1.0], [1.5, 0.5], [0.0, 0.0]),
    ] {
        let (found, strains) = corner(mass, force, acute);
        // One solve with two inequalities: some roundings of numbers up to 3.
        near(found.x, acc[0], 1e-15);
        near(found.y, acc[1], 1e-15);
        near(strains[0], strain[0], 4e-15);
        near(strains[1], strain[1], 4e-15);
    }
    let (found, strains) = corner(1.0, [1.8353, -1.0], [[0.0, 1.0], [0.4359, 0.9]]);
    near(found.x, 1.8353, 1e-15);
    near(found.y, 0.0, 1e-15);
    near(strains[0], 1.0, 1e-15);
    near(strains[1], 0.0, 0.0);
}

/// A plane of the ground with its normal along y, turned by `angle` about z.
fn ground_plane(angle: f64, material: Material) -> ContactShape {
    let up = cardan::math::Quat::exp(vec3(-std::f64::consts::FRAC_PI_2, 0.0, 0.0));
    let rot = cardan::math::Quat::exp(vec3(0.0, 0.0, angle)) * up;
    ContactShape { body: End::Ground, frame: Frame { pos: Vec3::ZERO, rot }, shape: Shape::Plane, material }
}

fn carried(body: impl Into<End>, shape: Shape, material: Material) -> ContactShape {
    ContactShape { body: body.into(), frame: Frame::default(), shape, material }
}

/// reference/brick_on_incline: sticks, slides, comes to rest; as a point, and as a box on its
/// corners, in the plane and in space.
#[test]
fn a_brick_sticks_and_slides() {
    let cases = [
        (20.0, 0.4, 0.0, 1.0, 2.0, 0.0, 0.0, 6.710435212049621, None),
        (30.0, 0.4, 0.0, 1.0, 2.0, -0.7533581577749309, -1.5067163155498617, 6.796567368900275, None),
        (21.8, 0.4, 0.0, 1.0, 2.0, 0.0, 0.0, 7.286236933495608, None),
        (21.9, 0.4, 0.0, 1.0, 2.0, -0.009090343384661526, -0.01818068676932305, 7.2816589205987245, None),
        (15.0, 0.5, 3.0, 1.0, 1.0, 0.6183968095075956, 0.0, 2.5390148324557287, Some(0.41226453967173043)),
        (
            35.0,
            0.25,
            4.0,
            1.5,
            1.0,
            -0.675944327182902,
            -3.5315250178544098,
            2.0089703886187524,
            Some(0.5238512602776669),
        ),
    ];
    for (degrees, mu, v0, until, mass, shift, speed, friction, stop) in cases {
        for body in 0..3 {
            let angle = f64::to_radians(degrees);
            let along = vec3(angle.cos(), angle.sin(), 0.0);
            let normal = vec3(-angle.sin(), angle.cos(), 0.0);
            let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
            let rot = cardan::math::Quat::exp(vec3(0.0, 0.0, angle));
            let (made, shape, height) = match body {
                0 => (Body::particle(mass), Shape::POINT, 0.0),
                1 => (
                    Body { rot, ..Body::planar(mass, mass * 0.05 / 12.0) },
                    Shape::cuboid([0.2, 0.1, 0.4]).expect("a box"),
                    0.05,
                ),
                _ => (
                    Body { rot, ..Body::solid(cardan::SolidShape::Box { size: [0.2, 0.1, 0.3] }, mass) },
                    Shape::cuboid([0.2, 0.1, 0.3]).expect("a box"),
                    0.05,
                ),
            };
            let brick = parts.add_body(Body { pos: normal * height + along, vel: along * v0, ..made });
            parts.add_shape(carried(brick, shape, Material::rough(mu)));
            parts.add_shape(ground_plane(angle, Material::rough(mu)));
            let mut sim = Simulation::new(parts.build().expect("a model"));
            sim.run(until, 1e-3)
                .unwrap_or_else(|error| panic!("{degrees} {body}: {error} {:?}", sim.events()));
            let at = sim.observe();
            let brick = at.body(BodyId::of_index(0));
            // Constant acceleration is exact for RK4; on its corners the box divides its weight
            // among four contacts.
            near((brick.position - normal * height - along).dot(along), shift, 1e-10);
            near(brick.velocity.dot(along), speed, 1e-10);
            near(brick.position.dot(normal), height, 1e-14);
            let force: f64 = at.contacts().map(|contact| contact.force.dot(along)).sum();
            near(force.abs(), friction, 1e-9);
            let first = sim
                .events()
                .iter()
                .find(|e| matches!(e.kind, EventKind::Stick | EventKind::Slip))
                .map(|e| e.time);
            if let (Some(stop), true) = (stop, v0 > 0.0) {
                near(first.expect("it stops"), stop, 1e-9);
            }
            let balance = sim.balance();
            // Work and momentum of constant forces; rounding of the contact problem.
            assert!(
                balance.energy_error < 1e-9 && balance.momentum_error < 1e-9,
                "{degrees} {body} {balance:?}"
            );
        }
    }
}

/// reference/box_stack_5 and three_cylinders: contact forces.
#[test]
fn stacks_and_cylinders_rest() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    parts.add_shape(ground_plane(0.0, Material::rough(0.5)));
    for i in 0..5 {
        let size = [0.4, 0.2, 0.3];
        let body = Body::solid(cardan::SolidShape::Box { size }, 1.0 + i as f64);
        let made = parts.add_body(Body { pos: vec3(0.0, 0.1 + 0.2 * i as f64, 0.0), ..body });
        parts.add_shape(carried(made, Shape::cuboid(size).expect("a box"), Material::rough(0.5)));
    }
    let mut sim = smooth(parts);
    for _ in 0..2 {
        let at = sim.evaluate().expect("an answer");
        let mut carry = [0.0; 5];
        for contact in at.contacts() {
            let upper = contact.bodies.iter().filter_map(|b| *b).max().expect("a body");
            carry[upper.index()] += contact.force.dot(vec3(0.0, 1.0, 0.0)).abs();
        }
        for (found, wanted) in carry.iter().zip([147.15, 137.34, 117.72, 88.29, 49.05]) {
            // One solve with ten contacts: rounding of 147 N; at rest speeds are rounding.
            near(*found, wanted, 1e-10);
        }
        sim.run(0.05, 1e-3).expect("a run");
    }
    for (i, v) in sim.state().velocities().iter().enumerate() {
        near(*v, 0.0, 1e-14 * (1.0 + i as f64));
    }

    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let (r, gap, mass) = (0.1_f64, 0.05, 2.0);
    let up = (4.0 * r * r - (r + 0.5 * gap) * (r + 0.5 * gap)).sqrt();
    let smooth = Material::default();
    let wall = |x: f64, turn: f64| ContactShape {
        body: End::Ground,
        frame: Frame { pos: vec3(x, 0.0, 0.0), rot: cardan::math::Quat::exp(vec3(0.0, turn, 0.0)) },
        shape: Shape::Plane,
        material: smooth,
    };
    parts.add_shape(ground_plane(0.0, smooth));
    let half = std::f64::consts::FRAC_PI_2;
    parts.add_shape(wall(-2.0 * r - 0.5 * gap, half));
    parts.add_shape(wall(2.0 * r + 0.5 * gap, -half));
    for pos in [vec3(-r - 0.5 * gap, r, 0.0), vec3(r + 0.5 * gap, r, 0.0), vec3(0.0, r + up, 0.0)] {
        let disc = parts.add_body(Body { pos, ..Body::planar(mass, 0.01) });
        parts.add_shape(carried(disc, Shape::sphere(r).expect("a disc"), smooth));
    }
    let mut sim = Simulation::new(parts.build().expect("a model"));
    let at = sim.evaluate().expect("an answer");
    let mut found: Vec<f64> = at.contacts().map(|contact| contact.force.norm()).collect();
    found.sort_by(f64::total_cmp);
    let wanted = [7.854285944139524, 7.854285944139524, 12.566857510623239, 12.566857510623239, 29.43, 29.43];
    assert_eq!(found.len(), 6);
    for (found, wanted) in found.iter().zip(wanted) {
        // One solve with six contacts: rounding of 30 N; at rest speeds are rounding.
        near(*found, wanted, 1e-11);
    }
    sim.run(0.1, 1e-3).expect("a run");
    assert!(sim.state().velocities().iter().all(|v| v.abs() < 1e-13));
}

/// reference/ladder_wall_floor: it leaves the wall where sin θ = 2/3 sin θ₀.
#[test]
fn a_ladder_leaves_the_wall() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let (angle, length, mass) = (f64::to_radians(70.0), 4.0, 10.0);
    let rot = cardan::math::Quat::exp(vec3(0.0, 0.0, -angle));
    let pos = vec3(0.5 * length * angle.cos(), 0.5 * length * angle.sin(), 0.0);
    let ladder = parts.add_body(Body { pos, rot, ..Body::planar(mass, mass * length * length / 12.0) });
    let smooth = Material::default();
    for x in [-0.5 * length, 0.5 * length] {
        parts.add_shape(ContactShape {
            body: ladder.into(),
            frame: Frame::at(vec3(x, 0.0, 0.0)),
            shape: Shape::POINT,
            material: smooth,
        });
    }
    parts.add_shape(ground_plane(0.0, smooth));
    parts.add_shape(ContactShape {
        body: End::Ground,
        frame: Frame {
            pos: Vec3::ZERO,
            rot: cardan::math::Quat::exp(vec3(0.0, std::f64::consts::FRAC_PI_2, 0.0)),
        },
        shape: Shape::Plane,
        material: smooth,
    });
    let mut sim = Simulation::new(parts.build().expect("a model"));
    let forces = |sim: &mut Simulation| {
        let mut forces: Vec<f64> =
            sim.evaluate().expect("an answer").contacts().map(|contact| contact.force.norm()).collect();
        forces.sort_by(f64::total_cmp);
        forces
    };
    let start = forces(&mut sim);
    // One solve with two contacts: rounding of 90 N.
    near(start[0], 23.646549191343567, 1e-11);
    near(start[1], 89.49335995123941, 1e-11);
    sim.run(0.4225159636204415, 1e-3).expect("a run");
    let later = forces(&mut sim);
    // Truncation of RK4 at 1 ms of a fall of 0.4 s; forces are accelerations times some kilograms.
    near(later[0], 26.480585616710904, 1e-8);
    near(later[1], 77.01709359536365, 1e-8);
    sim.run(1.18, 1e-3).expect("a run");
    let left = times(&sim, EventKind::Released);
    near(left[0], 0.845031927240883, 1e-9);
    near(sim.state().velocities()[0], 1.9020501754606582, 1e-9);
    let balance = sim.balance();
    assert!(balance.energy_error < 1e-9, "{balance:?}");
}

fn painleve(angle: f64, speed: f64, mu: f64) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let (length, mass) = (1.0, 1.0);
    // Its tip is the lower left end, at the origin.
    let pos = vec3(angle.cos(), angle.sin(), 0.0) * (0.5 * length);
    let rot = cardan::math::Quat::exp(vec3(0.0, 0.0, angle));
    let rod = parts.add_body(Body {
        pos,
        rot,
        vel: vec3(speed, 0.0, 0.0),
        ..Body::planar(mass, mass * length * length / 12.0)
    });
    parts.add_shape(ContactShape {
        body: rod.into(),
        frame: Frame::at(vec3(-0.5 * length, 0.0, 0.0)),
        shape: Shape::POINT,
        material: Material::rough(mu),
    });
    parts.add_shape(ground_plane(0.0, Material::rough(mu)));
    Simulation::new(parts.build().expect("a model"))
}

/// reference/painleve_rod: between 0.8208 and 1.3086 rad a rod that slides towards its upper end
/// has no contact force, or two, at μ = 1.6; the run reports it and continues.
#[test]
fn a_rod_that_jams_is_reported_and_the_run_continues() {
    let mut sim = painleve(1.1, -3.0, 1.6);
    let energy = sim.energy().kinetic + sim.energy().potential;
    sim.run(0.3, 1e-3).expect("a run");
    assert!(sim.events().iter().any(|e| e.kind == EventKind::Paradox), "{:?}", sim.events());
    let after = sim.energy();
    // Impulses take energy away up to rounding.
    assert!(after.kinetic + after.potential <= energy * (1.0 + 1e-9), "{after:?}");
    assert!(sim.state().coordinates().iter().all(|x| x.is_finite()));
    // Outside of that range, and in the other direction, nothing is reported.
    for angle in [0.5, 1.1] {
        let mut sim = painleve(angle, 3.0, 1.6);
        sim.run(0.05, 1e-3).expect("a run");
        assert_eq!(sim.events().len(), 1, "{:?}", sim.events());
    }
}

/// reference/painleve_rod: the range without a solution starts and ends where it should, and below
/// μ = 4/3 there is none.
#[test]
fn a_rod_jams_in_the_range_of_painleves_paradox() {
    let jams = |angle: f64, mu: f64| painleve(angle, -3.0, mu).evaluate().is_err();
    let (first, last) = (0.8207609834100306, 1.3086346587284285);
    for off in [1e-3, 1e-6, 1e-9] {
        assert!(!jams(first - off, 1.6) && jams(first + off, 1.6), "{off}");
        assert!(jams(last - off, 1.6) && !jams(last + off, 1.6), "{off}");
        let critical = 2.0_f64.atan();
        assert!(!jams(critical, 4.0 / 3.0 - off) && jams(critical, 4.0 / 3.0 + off), "{off}");
    }
    let error = painleve(1.1, -3.0, 1.6).evaluate().expect_err("no forces").to_string();
    assert!(error.contains("friction"), "{error}");
    // From any start within it, a run reports it and ends.
    for k in 1..20 {
        let mut sim = painleve(first + (last - first) * f64::from(k) / 20.0, -3.0, 1.6);
        sim.run(0.05, 1e-3).expect("a run");
        assert!(sim.events().iter().any(|e| e.kind == EventKind::Paradox), "{k}: {:?}", sim.events());
    }
}

/// A box at rest does not creep in a minute, to the last bit of its speed.
#[test]
fn a_box_at_rest_does_not_creep() {
    let angle = f64::to_radians(20.0);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let rot = cardan::math::Quat::exp(vec3(0.0, 0.0, angle));
    let normal = vec3(-angle.sin(), angle.cos(), 0.0);
    let brick = parts.add_body(Body {
        pos: normal * 0.05,
        rot,
        ..Body::solid(cardan::SolidShape::Box { size: [0.2, 0.1, 0.3] }, 2.0)
    });
    parts.add_shape(carried(brick, Shape::cuboid([0.2, 0.1, 0.3]).expect("a box"), Material::rough(0.4)));
    parts.add_shape(ground_plane(angle, Material::rough(0.4)));
    let mut sim = Simulation::new(parts.build().expect("a model"));
    sim.run(60.0, 2e-2).expect("a run");
    let at = sim.observe().body(BodyId::of_index(0));
    // At rest nothing moves: rounding of 0.05 m.
    assert!((at.position - normal * 0.05).norm() < 1e-14, "{:?}", at.position);
    assert!(at.velocity.norm() < 1e-15);
}

/// A state contains everything that later steps depend on: a run from a snapshot in another
/// simulation has equal bits.
#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    let build = || {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let wood =
            Material { static_friction: 0.5, kinetic_friction: 0.4, restitution: 0.3, ..Material::default() };
        let size = [0.4, 0.2, 0.3];
        let body = Body {
            pos: vec3(0.0, 0.5, 0.0),
            rot: cardan::math::Quat::exp(vec3(0.3, 0.2, 0.5)),
            vel: vec3(1.0, 0.0, 0.3),
            ..Body::solid(cardan::SolidShape::Box { size }, 1.0)
        };
        let made = parts.add_body(body);
        parts.add_shape(carried(made, Shape::cuboid(size).expect("a box"), wood));
        parts.add_shape(ground_plane(0.0, wood));
        Simulation::new(parts.build().expect("a model"))
    };
    let steps = |sim: &mut Simulation, count: usize| {
        for _ in 0..count {
            sim.step(2e-3).expect("a step");
        }
    };
    let mut whole = build();
    steps(&mut whole, 500);
    for cut in [100, 187, 250, 400] {
        let mut first = build();
        steps(&mut first, cut);
        let mut second = build();
        second.restore(first.state()).expect("a state of the same model");
        steps(&mut second, 500 - cut);
        assert_eq!(second.state_hash(), whole.state_hash(), "cut after {cut} steps");
    }
    // Its corners rattle without end, and an eighth of a step of 2 ms is taken by time stepping, to
    // first order.
    let balance = whole.balance();
    assert!(balance.energy_error < 1e-6, "{balance:?}");
}

/// An overlap at the start is named, with its depth.
#[test]
fn an_overlap_at_the_start_is_named() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let ball = parts.add_body(Body {
        pos: vec3(0.0, 0.05, 0.0),
        ..Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 1.0)
    });
    parts.add_shape(carried(ball, Shape::sphere(0.1).expect("a ball"), Material::default()));
    parts.add_shape(ground_plane(0.0, Material::default()));
    let mut sim = Simulation::new(parts.build().expect("a model"));
    let error = sim.step(1e-3).expect_err("it overlaps").to_string();
    assert!(error.contains("b0") && error.contains("ground") && error.contains("0.05"), "{error}");
}

/// A four-bar with a motor, a limit and a contact, in one solve; the joints stay closed and the
/// accounts balance.
#[test]
fn a_four_bar_with_a_motor_a_limit_and_a_contact() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let bar = |from: Vec3, to: Vec3| {
        let d = to - from;
        let angle = libm_atan2(d.y, d.x);
        Body {
            pos: (from + to) * 0.5,
            rot: cardan::math::Quat::exp(vec3(0.0, 0.0, angle)),
            ..Body::rod(1.0, d.norm(), 0.01)
        }
    };
    let [a, b, c, d] = [vec3(0.0, 0.0, 0.0), vec3(0.2, 0.3, 0.0), vec3(0.9, 0.5, 0.0), vec3(1.0, 0.0, 0.0)];
    let crank = parts.add_body(bar(a, b));
    let coupler = parts.add_body(bar(b, c));
    let rocker = parts.add_body(bar(d, c));
    let z = [0.0, 0.0, 1.0];
    let mut motor = Joint::revolute(End::Ground, crank, a, z);
    motor.name = "motor".into();
    motor.limits.push(JointLimit { coordinate: 0, low: -0.4, high: 2.0, restitution: 0.0 });
    motor.efforts.push(cardan::Effort {
        coordinate: 0,
        kind: cardan::joint::EffortKind::Law(cardan::Law::Constant(-1.0)),
    });
    parts.add_joint(motor);
    parts.add_joint(Joint::revolute(crank, coupler, b, z));
    parts.add_joint(Joint::revolute(coupler, rocker, c, z));
    parts.add_joint(Joint::revolute(End::Ground, rocker, d, z));
    // A ball that lies on the floor, below the coupler's end.
    let ball = parts.add_body(Body {
        pos: vec3(0.5, -0.3, 0.0),
        ..Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 0.5)
    });
    parts.add_shape(carried(ball, Shape::sphere(0.1).expect("a ball"), Material::rough(0.3)));
    parts.add_shape(carried(coupler, Shape::capsule(0.02, 0.7).expect("a capsule"), Material::rough(0.3)));
    let floor = ContactShape {
        frame: Frame { pos: vec3(0.0, -0.4, 0.0), ..ground_plane(0.0, Material::rough(0.3)).frame },
        ..ground_plane(0.0, Material::rough(0.3))
    };
    parts.add_shape(floor);
    let mut sim = Simulation::new(parts.build().expect("a model"));
    sim.run(1.0, 1e-3).expect("a run");
    assert!(sim.events().iter().any(|e| e.kind == EventKind::Limit), "{:?}", sim.events());
    let certificate = sim.certificate();
    // Joints are projected to rounding; the motion between events is RK4's at 1 ms.
    assert!(
        certificate.max_position_error < 1e-13 && certificate.max_velocity_error < 1e-12,
        "{certificate:?}"
    );
    let balance = sim.balance();
    assert!(balance.energy_error < 1e-8 && balance.momentum_error < 1e-8, "{balance:?}");
    let limit = sim.observe().joint(JointId::of_index(0)).reaction.limit;
    assert!(limit.torque.norm() > 0.1, "{limit:?}");
}

/// A parallelogram of four hinges (three redundant rows) with a motor, the stop of its crank, and a
/// box on its coupler with friction: closed forms for the forces of the stop and of the contacts,
/// while the motor presses it against the stop and when it lifts off.
#[test]
fn a_loop_a_motor_a_limit_and_contacts_in_one_solve() {
    let (g, a, theta, mu) = (9.81, 0.3, 0.5_f64, 0.6);
    let (bar, coupler_mass, load) = (1.0, 2.0, 3.0);
    let build = |torque: f64| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -g, 0.0));
        let up = vec3(a * theta.cos(), a * theta.sin(), 0.0);
        let right = vec3(1.0, 0.0, 0.0);
        let rot = cardan::math::Quat::exp(vec3(0.0, 0.0, theta));
        let crank = parts.add_body(Body { pos: up * 0.5, rot, ..Body::rod(bar, a, 0.01) });
        let rocker = parts.add_body(Body { pos: right + up * 0.5, rot, ..Body::rod(bar, a, 0.01) });
        let coupler = parts.add_body(Body { pos: up + right * 0.5, ..Body::rod(coupler_mass, 1.0, 0.01) });
        let z = [0.0, 0.0, 1.0];
        let mut motor = Joint::revolute(End::Ground, crank, [0.0; 3], z);
        motor.limits.push(JointLimit { coordinate: 0, low: 0.0, high: f64::INFINITY, restitution: 0.0 });
        let law = cardan::joint::EffortKind::Law(cardan::Law::Constant(torque));
        motor.efforts.push(cardan::Effort { coordinate: 0, kind: law });
        parts.add_joint(motor);
        parts.add_joint(Joint::revolute(crank, coupler, up, z));
        parts.add_joint(Joint::revolute(coupler, rocker, up + right, z));
        parts.add_joint(Joint::revolute(End::Ground, rocker, right, z));
        let size = [0.2; 3];
        let pos = up + vec3(0.5, 0.11, 0.0);
        let block = parts.add_body(Body { pos, ..Body::solid(cardan::SolidShape::Box { size }, load) });
        parts.add_shape(carried(block, Shape::cuboid(size).expect("a box"), Material::rough(mu)));
        let beam = Shape::cuboid([1.0, 0.02, 0.2]).expect("a beam");
        parts.add_shape(carried(coupler, beam, Material::rough(mu)));
        smooth(parts)
    };
    // Forces on the block, which is the last body.
    let on_block = |sim: &mut Simulation| {
        let now = sim.evaluate().expect("an answer");
        let sign =
            |bodies: [Option<BodyId>; 2]| if bodies[1] == Some(BodyId::of_index(3)) { 1.0 } else { -1.0 };
        let force = now.contacts().fold(Vec3::ZERO, |sum, c| sum + c.force * sign(c.bodies));
        (force, now.inequality_multiplier(InequalityId::of_index(0)), now.contacts().count())
    };
    // The weights about the crank: bars at their middles, the rest where the crank ends.
    let weight = g * a * theta.cos() * (bar + coupler_mass + load);
    let mut sim = build(-2.0);
    for _ in 0..2 {
        let (force, stop, touching) = on_block(&mut sim);
        // One solve with a loop, a stop and contacts: rounding of some hundred newtons; at rest
        // speeds are rounding.
        near(stop, weight + 2.0, 1e-11);
        near(force.x, 0.0, 1e-11);
        near(force.y, load * g, 1e-11);
        assert!(touching >= 3, "{touching}");
        sim.run(0.2, 1e-3).expect("a run");
    }
    assert!(sim.state().velocities().iter().all(|v| v.abs() < 1e-12));
    let certificate = sim.certificate();
    assert!(certificate.max_position_error < 1e-13 && certificate.max_overlap < 1e-12, "{certificate:?}");
    // More than the weights: the stop is left, and the block is lifted and carried by friction.
    let mut sim = build(weight + 5.0);
    let inertia = a * a * (2.0 * bar / 3.0 + coupler_mass + load);
    let turn = 5.0 / inertia;
    let (force, stop, _) = on_block(&mut sim);
    near(stop, 0.0, 0.0);
    // One solve, as above.
    near(force.y, load * (g + a * turn * theta.cos()), 1e-10);
    near(force.x, -load * a * turn * theta.sin(), 1e-10);
    sim.run(0.05, 1e-3).expect("a run");
    let balance = sim.balance();
    // The motion is smooth after the start: RK4 at 1 ms over 50 ms.
    assert!(balance.energy_error < 1e-10 && balance.momentum_error < 1e-9, "{balance:?}");
    assert!(sim.certificate().max_overlap < 1e-12, "{:?}", sim.certificate());
}

/// Baraff 1996, §8: k constraints on a chain of n links cost k + 2 solves with one factor, each of
/// which grows with n alone.
#[test]
fn three_contacts_on_a_chain_cost_five_solves() {
    let mut forces = Vec::new();
    for n in [32, 64, 128_u32] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let mut before = End::Ground;
        let mut links = Vec::new();
        for i in 0..n {
            let rod = Body::rod(1.0, 0.5, 0.02);
            let link = parts.add_body(Body { pos: vec3(0.25 + 0.5 * f64::from(i), 0.0, 0.0), ..rod });
            let anchor = [0.5 * f64::from(i), 0.0, 0.0];
            parts.add_joint(Joint::revolute(before, link, anchor, [0.0, 0.0, 1.0]));
            before = link.into();
            links.push(link);
        }
        // Three floors just under links a quarter, a half and all the way along.
        for at in [n / 4, n / 2, n - 1] {
            parts.add_inequality(floor(&format!("floor{at}"), links[at as usize].into(), 0.0));
        }
        let mut sim = Simulation::new(parts.build().expect("a model"));
        let before = sim.diagnostics().work_counts();
        let now = sim.evaluate().expect("an answer");
        let strains: Vec<f64> =
            (0..3).map(|i| now.inequality_multiplier(InequalityId::of_index(i))).collect();
        let after = sim.diagnostics().work_counts();
        println!("{n}: {strains:?} {before:?} {after:?}");
        assert!(strains.iter().all(|strain| *strain > 0.0));
        assert!(after.factorizations - before.factorizations <= 2);
        // Once to find the active contacts, once for the solution.
        assert_eq!(after.solves - before.solves, 2 * 5);
        forces.push(strains[2]);
    }
    assert!(forces.iter().all(|force| *force > 1.0), "{forces:?}");
}

fn libm_atan2(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

/// A ball before a wall of the ground, flying along x.
fn shot(radius: f64, wall: [f64; 3], at: Vec3, speed: f64, material: Material) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let ball = parts.add_body(Body {
        pos: at,
        vel: vec3(speed, 0.0, 0.0),
        ..Body::solid(cardan::SolidShape::Sphere { radius }, 0.1)
    });
    parts.add_shape(carried(ball, Shape::sphere(radius).expect("a ball"), material));
    parts.add_shape(carried(End::Ground, Shape::cuboid(wall).expect("a wall"), material));
    Simulation::new(parts.build().expect("a model"))
}

/// 1000 m/s against a plate of 1 mm, steps of 1 ms: a step is a thousand times as long as the plate
/// is thick, and yet the impact has the right time and position.
#[test]
fn fast_bodies_do_not_pass_a_thin_wall() {
    let (radius, material) = (0.002, Material { restitution: 0.5, ..Material::default() });
    for distance in [0.3, 2.7317, 10.0] {
        let at = vec3(-distance, 0.1, 0.05);
        let mut sim = shot(radius, [1e-3, 1.0, 1.0], at, 1000.0, material);
        sim.run(0.03, 1e-3).expect("a run");
        let hits = times(&sim, EventKind::Impact);
        let wanted = (distance - radius - 0.5e-3) / 1000.0;
        assert_eq!(hits.len(), 1, "{distance}: {:?}", sim.events());
        // The event is located to rounding of the gap over 1000 m/s; later positions follow from
        // it.
        near(hits[0], wanted, 1e-12);
        let (x, v) = (sim.state().coordinates()[0], sim.state().velocities()[0]);
        near(v, -500.0, 1e-9);
        near(x, -radius - 0.5e-3 - 500.0 * (0.03 - wanted), 1e-9);
    }
}

/// A ball grazes the top of a post within one step, at whose ends they are apart: it hits the post
/// if it is lower by a fiftieth of a millimetre, and not if it is higher.
#[test]
fn a_near_miss_within_a_step_is_found() {
    let (r, w, speed) = (0.01, 1e-3, 3.0);
    let material = Material { restitution: 1.0, ..Material::default() };
    for (low, hits) in [(2e-5, 1), (-2e-5, 0)] {
        for start in [0.0305, 0.0314, 0.0322] {
            let mut sim = shot(r, [w, 0.2, 0.2], vec3(-start, 0.1 + r - low, 0.0), speed, material);
            sim.run(0.02, 2e-3).expect("a run");
            let found = times(&sim, EventKind::Impact);
            assert_eq!(found.len(), hits, "{low} {start} {:?}", sim.events());
            if hits > 0 {
                let reach = (r * r - (r - low) * (r - low)).sqrt();
                // A grazing contact: its time has the square root of the gap's rounding, over the
                // speed.
                near(found[0], (start - 0.5 * w - reach) / speed, 1e-9);
            }
        }
    }
}

/// Four boxes that fall on each other with event location: the run ends, they rest, and energy does
/// not grow.
#[test]
fn a_heap_falls_with_event_location() {
    // The uppermost has reached the others after 0.32 s.
    falls_in_a_heap(0.4);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan -p cardan-cli -- --ignored"]
fn a_heap_falls_in_smooth_mode_for_longer() {
    falls_in_a_heap(0.5);
}

fn falls_in_a_heap(until: f64) {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let material = Material::rough(0.5);
    parts.add_shape(ground_plane(0.0, material));
    for i in 0..4 {
        let size = [0.3, 0.2, 0.3];
        let turn = vec3(0.0, 0.3 * f64::from(i), 0.1 * f64::from(i % 3));
        let block = parts.add_body(Body {
            pos: vec3(0.03 * f64::from(i % 2), 0.25 + 0.32 * f64::from(i), 0.02 * f64::from(i % 3)),
            rot: cardan::math::Quat::exp(turn),
            ..Body::solid(cardan::SolidShape::Box { size }, 1.0)
        });
        parts.add_shape(carried(block, Shape::cuboid(size).expect("a box"), material));
    }
    let mut sim = Simulation::new(parts.build().expect("a model"));
    let before = sim.energy().kinetic + sim.energy().potential;
    sim.run(until, 2e-3).expect("a run");
    println!("{} events, {:?}, {:?}", sim.events().len(), sim.balance(), sim.energy());
    let after = sim.energy().kinetic + sim.energy().potential;
    // Where the boxes rattle, parts of steps are taken by time stepping, to first order.
    assert!(after < before && sim.balance().energy_error < 1e-3, "{:?}", sim.balance());
}

/// A thin rod falls about its rough tip, which slips backwards when the friction that holds it is used up. Against the two
/// equations of motion of a rod with a given direction of friction, in steps of 1 µs.
#[test]
fn a_tip_that_begins_to_slip_slips_in_the_direction_of_its_acceleration() {
    let (g, m, l, mu) = (9.81, 1.0, 1.0, 0.25);
    let (half, inertia) = (0.5 * l, m * l * l / 12.0);
    let theta0 = 0.2_f64;
    // Angle from upright, its rate, and the speed of the tip.
    let held = |x: [f64; 3]| [x[1], 1.5 * g / l * x[0].sin(), 0.0];
    let needed = |x: [f64; 3]| {
        let (s, c, turn) = (x[0].sin(), x[0].cos(), 1.5 * g / l * x[0].sin());
        let normal = g - half * (s * turn + c * x[1] * x[1]);
        half * (c * turn - s * x[1] * x[1]) / normal
    };
    let slipping = |x: [f64; 3]| {
        let (s, c) = (x[0].sin(), x[0].cos());
        let lever = half * (s - mu * c);
        let normal = m * (g - half * c * x[1] * x[1]) / (1.0 + m * half * s * lever / inertia);
        let turn = normal * lever / inertia;
        [x[1], turn, mu * normal / m - half * (c * turn - s * x[1] * x[1])]
    };
    let h = 1e-6;
    let step = |x: [f64; 3], rate: &dyn Fn([f64; 3]) -> [f64; 3]| {
        let add = |a: [f64; 3], b: [f64; 3], t: f64| core::array::from_fn(|i| a[i] + t * b[i]);
        let middle = rate(add(x, rate(x), 0.5 * h));
        add(x, middle, h)
    };
    let (mut x, mut time) = ([theta0, 0.0, 0.0], 0.0);
    while needed(x) < mu {
        x = step(x, &held);
        time += h;
    }
    let onset = time;
    let mut at_onset = Vec::new();
    for after in [0.002, 0.01, 0.05] {
        while time < onset + after {
            x = step(x, &slipping);
            time += h;
        }
        at_onset.push((time, x));
    }
    assert!(at_onset[0].1[2] < 0.0, "it slips backwards: {at_onset:?}");
    for direction in [0.0_f64, 0.7, 2.0] {
        let (along, across) =
            (vec3(direction.cos(), direction.sin(), 0.0), vec3(-direction.sin(), direction.cos(), 0.0));
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -g));
        parts.add_shape(ContactShape {
            body: End::Ground,
            frame: Frame::default(),
            shape: Shape::Plane,
            material: Material::rough(mu),
        });
        // Inertia about its own axis does not matter.
        let solid = Body::rigid(cardan::MassProperties {
            mass: m,
            center: Vec3::ZERO,
            inertia: cardan::math::Sym3::diagonal(inertia, inertia, 1e-3),
        });
        let pos = along * (half * theta0.sin()) + vec3(0.0, 0.0, half * theta0.cos());
        let rod = parts.add_body(Body { pos, rot: cardan::math::Quat::exp(across * theta0), ..solid });
        parts.add_shape(ContactShape {
            body: rod.into(),
            frame: Frame { pos: vec3(0.0, 0.0, -half), ..Frame::default() },
            shape: Shape::POINT,
            material: Material::rough(mu),
        });
        let mut sim = smooth(parts);
        for (time, x) in &at_onset {
            sim.run(*time, 1e-3).expect("a run");
            let v = sim.state().velocities();
            let spin = vec3(v[3], v[4], v[5]);
            let (speed, centre) = (spin.dot(across), vec3(v[0], v[1], v[2]));
            let arm = -(along * (half * x[0].sin()) + vec3(0.0, 0.0, half * x[0].cos()));
            let tip = (centre + spin.cross(arm)).dot(along);
            // The event is found to rounding; what is left is the error of RK4 over a step.
            near(speed, x[1], 2e-6);
            near(tip, x[2], 2e-5);
        }
    }
}
