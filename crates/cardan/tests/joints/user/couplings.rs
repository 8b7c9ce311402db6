//! Couplers, ropes, constant-velocity joints and points that motors keep on a path: derivatives
//! against finite differences, closed forms, refusals.

use super::{matches_differences, user};
use cardan::End::Ground;
use cardan::constraint::{
    ConstantVelocity, Coupler, CouplerEquation, CouplerTerm, Follow, MotorFollow, Rope,
};
use cardan::law::{Nurbs, Segments};
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, BodyId, BodyKind, BuildError, ConstraintId, Coordinates, DriveMode, Force, Frame, Gravity,
    Integrator, Joint, JointId, JointKind, Model, ModelBuilder, Settings, Simulation, SolidShape,
    SolverChoice, State,
};
use cardan_testkit::{Rng, random_body};
use std::f64::consts::TAU;
use std::sync::Arc;

const G: f64 = 9.81;

fn solid_box(mass: f64, size: [f64; 3]) -> Body {
    Body::solid(SolidShape::Box { size }, mass)
}

/// A state near the constraints, not on them, with other velocities.
fn off(rng: &mut Rng, model: &Model) -> State {
    let mut state = model.initial_state().clone();
    let n = model.counts().coordinates;
    let shift: Vec<f64> = (0..n).map(|_| rng.vector(0.1).x).collect();
    state.displace(model, &shift);
    state.velocities_mut().iter_mut().for_each(|v| *v = rng.vector(1.0).x);
    state
}

#[test]
fn couplings_match_finite_differences_off_the_constraint() {
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
        let bodies: Vec<_> = (0..4).map(|_| parts.add_body(random_body(&mut rng, BodyKind::Rigid))).collect();
        let kinds = [JointKind::Revolute, JointKind::Prismatic, JointKind::Cylindrical, JointKind::Planar];
        let mut joints: Vec<JointId> = Vec::new();
        for (i, kind) in kinds.into_iter().enumerate() {
            let a = if i == 0 { Ground } else { bodies[i - 1].into() };
            let (anchor, axis) = (rng.vector(1.0), rng.vector(1.0));
            joints.push(parts.add_joint(Joint::at(kind, a, bodies[i], anchor, axis)));
        }
        let (x, y) = (vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0));
        let more = parts.add_body(random_body(&mut rng, BodyKind::Rigid));
        joints.push(parts.add_joint(Joint::universal(bodies[3], more, rng.vector(1.0), x, y)));
        let term = |joint: usize, coordinate, polynomial: &[f64]| CouplerTerm {
            joint: joints[joint],
            coordinate,
            polynomial: polynomial.to_vec(),
        };
        let first = vec![term(0, 0, &[0.3, 1.5]), term(1, 0, &[0.0, 0.0, 2.0]), term(4, 1, &[0.0, -0.7])];
        let second = vec![
            term(2, 0, &[0.0, 1.0, 0.5, -0.4]),
            term(2, 1, &[0.0, 0.3]),
            term(3, 2, &[0.0, 1.0]),
            term(0, 0, &[0.0, 0.2, 0.1]),
            term(4, 0, &[0.0, 0.6]),
        ];
        let equation = |terms, offset| CouplerEquation { terms, offset };
        let equations = vec![equation(first, None), equation(second, Some(0.2))];
        parts.add_coupler(Coupler { name: "C".into(), kind: "coupler", equations });
        let model = Arc::new(parts.build().unwrap());
        matches_differences(&model, &off(&mut rng, &model), &format!("coupler, seed {seed}"));

        let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
        let (a, b) = (random_body(&mut rng, BodyKind::Rigid), random_body(&mut rng, BodyKind::Particle));
        let (a, b) = (parts.add_body(a), parts.add_body(b));
        let frames = vec![
            (Ground, Frame::at(rng.vector(2.0))),
            (a.into(), Frame::at(rng.vector(0.5))),
            (Ground, Frame::at(rng.vector(2.0))),
            (a.into(), Frame::at(rng.vector(0.5))),
            (b.into(), Frame::default()),
        ];
        parts.add_constraint(user(frames, Rope::new(3.0, vec![1.0, 2.0, 1.0, 3.0]).unwrap()));
        let model = Arc::new(parts.build().unwrap());
        matches_differences(&model, model.initial_state(), &format!("rope, seed {seed}"));

        let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
        let (a, b) = (random_body(&mut rng, BodyKind::Rigid), random_body(&mut rng, BodyKind::Rigid));
        let rot = rng.rotation();
        // Bent by less than half a turn, open and twisted.
        let frame = |rng: &mut Rng, body: &Body| {
            let near = Quat::from_axis_angle(rng.vector(1.0), 0.7).unwrap_or(Quat::IDENTITY);
            Frame { pos: rng.vector(0.5), rot: body.rot.inverse() * rot * near }
        };
        let frames = vec![frame(&mut rng, &a), frame(&mut rng, &b)];
        let ends = [parts.add_body(a), parts.add_body(b)];
        let frames = ends.iter().zip(frames).map(|(id, frame)| ((*id).into(), frame)).collect();
        parts.add_constraint(user(frames, ConstantVelocity));
        let model = Arc::new(parts.build().unwrap());
        matches_differences(&model, model.initial_state(), &format!("constant velocity, seed {seed}"));

        let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
        let body = parts.add_body(random_body(&mut rng, BodyKind::Rigid));
        let mut points: Vec<[f64; 3]> = (0..6).map(|_| rng.vector(1.0).to_array()).collect();
        // From rest to rest.
        (points[1], points[5]) = (points[0], points[4]);
        let path = Nurbs::even(4, 0.0, 2.0, &points, &[1.0, 2.0, 0.5, 1.0, 3.0, 1.0]).unwrap();
        let follow = Follow::new(path).unwrap().along(&[rng.vector(1.0), rng.vector(1.0)]).unwrap();
        parts.add_constraint(user(vec![(body.into(), Frame::at(rng.vector(0.5)))], follow));
        let model = Arc::new(parts.build().unwrap());
        let mut state = model.initial_state().clone();
        state.time = 0.77;
        matches_differences(&model, &state, &format!("follow, seed {seed}"));
    }
}

/// A slider along x and one along z; z is −c times the square of x.
fn parabola(c: f64) -> ModelBuilder {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let cart = parts.add_body(Body { vel: vec3(0.5, 0.0, 0.0), ..solid_box(2.0, [0.1, 0.1, 0.1]) });
    let weight = parts.add_body(Body { pos: vec3(1.0, 0.0, 0.0), ..solid_box(3.0, [0.1, 0.1, 0.1]) });
    let mut along = Joint::prismatic(Ground, cart, [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]).named("along");
    along.zero[0] = 0.4;
    let along = parts.add_joint(along);
    let mut up = Joint::prismatic(Ground, weight, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]).named("up");
    up.zero[0] = c * 0.16;
    let up = parts.add_joint(up);
    let square = CouplerTerm { joint: along, coordinate: 0, polynomial: vec![0.0, 0.0, -c] };
    parts.add_coupler(Coupler {
        name: "curve".into(),
        kind: "coupler",
        equations: vec![CouplerEquation {
            terms: vec![CouplerTerm::linear(up, 0, 1.0), square],
            offset: Some(0.0),
        }],
    });
    parts
}

#[test]
fn a_coupler_with_a_square_moves_as_minimal_coordinates_do() {
    // s = c x²: (m + 4 M c² x²) ẍ + 4 M c² x ẋ² + 2 M g c x = 0.
    let (m, big, c) = (2.0, 3.0, 0.8);
    let model = parabola(c).build().unwrap();
    let mut sim = Simulation::new(model);
    sim.assemble().unwrap();
    let (start, end) = (sim.kinematics().joint(JointId::of_index(0)).rates[0], 1.5);
    sim.run(end, 1e-3).unwrap();
    let acceleration = |x: f64, v: f64| {
        -(4.0 * big * c * c * x * v * v + 2.0 * big * G * c * x) / (m + 4.0 * big * c * c * x * x)
    };
    let (mut x, mut v, h) = (0.4, start, 1e-4);
    for _ in 0..(end / h).round() as usize {
        let k1 = (v, acceleration(x, v));
        let k2 = (v + 0.5 * h * k1.1, acceleration(x + 0.5 * h * k1.0, v + 0.5 * h * k1.1));
        let k3 = (v + 0.5 * h * k2.1, acceleration(x + 0.5 * h * k2.0, v + 0.5 * h * k2.1));
        let k4 = (v + h * k3.1, acceleration(x + h * k3.0, v + h * k3.1));
        x += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        v += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    let now = sim.kinematics();
    let (cart, weight) = (now.joint(JointId::of_index(0)), now.joint(JointId::of_index(1)));
    // RK4 at 1 ms on a swing of half a second.
    assert!((cart.coordinates[0] - x).abs() < 1e-9, "{} or {x}", cart.coordinates[0]);
    assert!((cart.rates[0] - v).abs() < 1e-8);
    assert!((weight.coordinates[0] - c * x * x).abs() < 1e-9);
    assert!(sim.certificate().max_position_error < 1e-14, "{:?}", sim.certificate());
    // Truncation of RK4 at 1 ms, as above.
    assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
}

#[test]
fn every_integrator_solver_and_choice_of_coordinates_agrees_on_a_coupler() {
    let usual = {
        let mut sim = Simulation::new(parabola(0.8).build().unwrap());
        sim.run(0.3, 5e-4).unwrap();
        sim.kinematics().joint(JointId::of_index(0)).coordinates[0]
    };
    let settings = Settings::default;
    for (what, settings, bound) in [
        ("dense", Settings { solver: SolverChoice::Dense, ..settings() }, 1e-12),
        ("sparse", Settings { solver: SolverChoice::Sparse, ..settings() }, 1e-12),
        ("gradients", Settings { solver: SolverChoice::ConjugateGradient, ..settings() }, 1e-12),
        ("joints", Settings { coordinates: Coordinates::Joints, ..settings() }, 1e-9),
        ("dopri5", Settings { integrator: Integrator::Dopri5, ..settings() }, 1e-6),
        ("long", Settings { integrator: Integrator::Rattle, ..settings() }, 1e-5),
    ] {
        let mut sim = Simulation::with_settings(parabola(0.8).build().unwrap(), settings).unwrap();
        sim.run(0.3, 5e-4).unwrap();
        let at = sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
        assert!((at - usual).abs() < bound, "{what}: {at} or {usual}");
        // The coupler is closed to rounding by projection in every way of stepping.
        assert!(sim.certificate().max_position_error < 1e-12, "{what}: {:?}", sim.certificate());
    }
}

#[test]
fn a_nut_falls_on_its_screw_by_the_closed_form_and_turns_a_thousand_times() {
    // m (1 + I/(m p²)) s̈ = −m g, p = lead/2π; the nut turns with its fall.
    let (lead, mass) = (0.02, 0.5);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let nut = Body { ..solid_box(mass, [0.2, 0.3, 0.05]) };
    let inertia = nut.mass.inertia.zz;
    let nut = parts.add_body(nut);
    let joint = parts.add_joint(Joint::cylindrical(Ground, nut, [0.0; 3], [0.0, 0.0, 1.0]));
    let terms = vec![CouplerTerm::linear(joint, 0, 1.0), CouplerTerm::linear(joint, 1, -lead / TAU)];
    parts.add_coupler(Coupler::new("thread", terms));
    let mut sim = Simulation::new(parts.build().unwrap());
    let p = lead / TAU;
    let a = -G / (1.0 + inertia / (mass * p * p));
    // One solve: rounding of g.
    assert!((sim.evaluate().unwrap().body(BodyId::of_index(0)).acceleration.z - a).abs() < 1e-13 * G);
    // Until it has turned a thousand times: 20 m of thread. RK4 is exact for the fall, and nearly
    // so for the rotation.
    let end = (2.0 * 1000.0 * lead / -a).sqrt();
    let steps = 20_000.0;
    sim.run(end, end / steps).unwrap();
    let now = sim.kinematics().joint(JointId::of_index(0));
    // 20 000 steps of rounding of 20 m, and of 6283 rad.
    assert!((now.coordinates[0] + 1000.0 * lead).abs() < 1e-9, "{:?}", now.coordinates);
    assert!((now.coordinates[1] + 1000.0 * TAU).abs() < 1e-6, "{:?}", now.coordinates);
    let gap = now.coordinates[0] - p * now.coordinates[1];
    // The thread is closed to rounding of 20 m.
    assert!(gap.abs() < 1e-13 * 20.0, "open by {gap:e} m");
}

#[test]
fn rack_belt_and_worm_move_by_their_closed_forms() {
    // A pinion with a torque moves a rack uphill; a belt turns a drum; a worm on the drum turns a
    // wheel.
    let (r, r1, r2, starts, teeth, torque) = (0.05, 0.04, 0.1, 2.0, 40.0, 3.0);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let wheel = |mass: f64, x: f64| Body { pos: vec3(x, 0.0, 0.0), ..solid_box(mass, [0.1, 0.1, 0.02]) };
    let inertia = |body: &Body| body.mass.inertia.zz;
    let all = [wheel(1.0, 0.0), wheel(2.0, 1.0), wheel(3.0, 2.0)];
    let inertias = [inertia(&all[0]), inertia(&all[1]), inertia(&all[2])];
    let rack = parts.add_body(Body { pos: vec3(0.0, 0.05, 0.0), ..solid_box(1.5, [0.5, 0.02, 0.02]) });
    let hinges: Vec<JointId> = all
        .into_iter()
        .map(|body| {
            let at = body.pos;
            let id = parts.add_body(body);
            parts.add_joint(Joint::revolute(Ground, id, at, [0.0, 0.0, 1.0]))
        })
        .collect();
    let uphill = vec3(0.8, 0.0, 0.6);
    let slide = parts.add_joint(Joint::prismatic(Ground, rack, [0.0, 0.05, 0.0], uphill));
    let couple = |a, fa: f64, b, fb: f64| vec![CouplerTerm::linear(a, 0, fa), CouplerTerm::linear(b, 0, fb)];
    parts.add_coupler(Coupler::new("rack", couple(slide, 1.0, hinges[0], -r)));
    parts.add_coupler(Coupler::new("belt", couple(hinges[0], r1, hinges[1], -r2)));
    parts.add_coupler(Coupler::new("worm", couple(hinges[1], starts, hinges[2], -teeth)));
    let push = cardan::Constant { torque: vec3(0.0, 0.0, torque), ..cardan::Constant::default() };
    parts.add_force(Force::constant(cardan::BodyId::of_index(1), [0.0; 3], push));
    let mut sim = Simulation::new(parts.build().unwrap());
    let (n1, n2) = (r1 / r2, r1 / r2 * starts / teeth);
    let moved = inertias[0] + 1.5 * r * r + inertias[1] * n1 * n1 + inertias[2] * n2 * n2;
    let a = (torque - 1.5 * G * 0.6 * r) / moved;
    let (rank, counts) = (sim.evaluate().unwrap().rank(), sim.model().counts());
    assert_eq!((rank, counts.coordinates - rank), (counts.rows, 1));
    let alpha = sim.evaluate().unwrap().body(BodyId::of_index(1)).angular_acceleration.z;
    // One solve with couplers: rounding.
    assert!((alpha - a).abs() < 1e-12 * a.abs(), "{alpha} or {a}");
    sim.run(1.0, 1e-3).unwrap();
    let now = sim.kinematics();
    let angle = |j: usize| now.joint(JointId::of_index(j)).coordinates[0];
    let expected = 0.5 * a;
    // RK4 is exact for a parabola, up to the poses' rotation; couplers are closed to rounding.
    assert!((angle(0) - expected).abs() < 1e-9 * expected, "{} or {expected}", angle(0));
    assert!((angle(3) - r * angle(0)).abs() < 1e-13 * expected);
    assert!((r2 * angle(1) - r1 * angle(0)).abs() < 1e-13 * expected);
    assert!((teeth * angle(2) - starts * angle(1)).abs() < 1e-11 * expected);
    // Constant torques: the work is exact up to rounding of the path.
    assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
}

/// Two shafts at an angle of `bend`, connected in the origin by `join`, the first driven.
fn bent(bend: f64, join: impl FnOnce(&mut ModelBuilder, [cardan::BodyId; 2], [Vec3; 2])) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let axes = [vec3(1.0, 0.0, 0.0), vec3(bend.cos(), bend.sin(), 0.0)];
    let places = [axes[0] * -0.3, axes[1] * 0.3];
    let shaft = |i: usize| {
        let rot = Quat::from_axis_angle(Vec3::Z, if i == 0 { 0.0 } else { bend }).unwrap();
        Body { pos: places[i], rot, ..solid_box(1.0, [0.5, 0.05, 0.08]) }
    };
    let ends = [parts.add_body(shaft(0)), parts.add_body(shaft(1))];
    let drive = Segments::new(cardan::law::Blend::Quintic, &[[0.0, 0.0], [2.0, 40.0]]).unwrap();
    let first = Joint::revolute(Ground, ends[0], places[0], axes[0]).driven(0, DriveMode::Position, drive);
    parts.add_joint(first);
    // The joint in the origin fixes both points: the second bearing has to slide.
    parts.add_joint(Joint::cylindrical(Ground, ends[1], places[1], axes[1]));
    join(&mut parts, ends, axes);
    Simulation::new(parts.build().unwrap())
}

#[test]
fn a_constant_velocity_joint_turns_its_shafts_alike_at_any_angle() {
    for bend in [0.0, 0.3, 0.9, 1.5] {
        let mut sim = bent(bend, |parts, ends, axes| {
            let frame = |i: usize| {
                let straight = Quat::with_z_along(axes[0], Some(Vec3::Z)).unwrap();
                let bent = Quat::from_axis_angle(Vec3::Z, bend).unwrap();
                let (rot, back) =
                    if i == 0 { (straight, Quat::IDENTITY) } else { (bent * straight, bent.inverse()) };
                let pos = if i == 0 { vec3(0.3, 0.0, 0.0) } else { vec3(-0.3, 0.0, 0.0) };
                (ends[i].into(), Frame { pos, rot: back * rot })
            };
            parts.add_constraint(user(vec![frame(0), frame(1)], ConstantVelocity));
        });
        let mut worst = [0.0_f64; 2];
        for i in 1..=200 {
            sim.run(0.01 * f64::from(i), 1e-3).unwrap();
            let now = sim.kinematics();
            let (a, b) = (now.joint(JointId::of_index(0)), now.joint(JointId::of_index(1)));
            worst[0] = worst[0].max((a.coordinates[0] - b.coordinates[1]).abs());
            worst[1] = worst[1].max((a.rates[0] - b.rates[1]).abs());
        }
        // Angles of up to 40 rad, speeds of up to 40 rad/s.
        assert!(worst[0] < 1e-12 && worst[1] < 1e-12, "bent by {bend}: {worst:?}");
        let (counts, rank) = (sim.model().counts(), sim.evaluate().unwrap().rank());
        // 5 + 1 rows of the driven hinge, 4 of the cylindrical joint, 4 of the joint; two of these
        // repeat that its point is on the cylindrical joint's axis.
        assert_eq!((counts.rows, rank), (14, 12), "bent by {bend}");
    }
    // A universal joint does not have equal speeds.
    let mut sim = bent(0.9, |parts, ends, axes| {
        parts.add_joint(Joint::universal(ends[0], ends[1], [0.0; 3], Vec3::Z, axes[1].cross(Vec3::Z)));
    });
    sim.run(0.5, 1e-3).unwrap();
    let now = sim.kinematics();
    assert!(
        (now.joint(JointId::of_index(0)).rates[0] - now.joint(JointId::of_index(1)).rates[1]).abs() > 0.1
    );
}

#[test]
fn the_weight_on_a_rope_falls_with_two_thirds_of_g_and_the_pulley_rises_with_one_third() {
    // A rope from the ceiling round a pulley of mass m, over a fixed one, to a weight of mass 2 m.
    for by_weights in [false, true] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
        let block = parts.add_body(Body { pos: vec3(0.0, 0.0, 1.0), ..Body::particle(1.5) });
        let weight = parts.add_body(Body { pos: vec3(0.5, 0.0, 1.2), ..Body::particle(3.0) });
        let at = |x: f64| (Ground, Frame::at([x, 0.0, 2.0]));
        let (block, weight) = ((block.into(), Frame::default()), (weight.into(), Frame::default()));
        let (frames, weights) = if by_weights {
            (vec![block, at(0.0), at(0.5), weight], vec![2.0, 1.0, 1.0])
        } else {
            (vec![at(0.0), block, at(0.0), at(0.5), weight], vec![1.0; 4])
        };
        parts.add_constraint(user(frames, Rope::new(2.0 + 0.5 + 0.8, weights).unwrap()));
        let mut sim = Simulation::new(parts.build().unwrap());
        let now = sim.evaluate().unwrap();
        let fall = |i: usize| now.body(BodyId::of_index(i)).acceleration.z;
        // One solve: rounding of g.
        assert!((fall(0) - G / 3.0).abs() < 1e-14 * G, "{}", fall(0));
        assert!((fall(1) + 2.0 * G / 3.0).abs() < 1e-14 * G, "{}", fall(1));
        // The tension is 2 m (g − 2 g/3).
        assert!((now.multipliers()[0] + 3.0 * G / 3.0).abs() < 1e-13 * G);
        sim.step(1e-3).unwrap();
        let now = sim.kinematics();
        assert!((now.body(BodyId::of_index(0)).velocity.z - G / 3.0 * 1e-3).abs() < 1e-15 * G);
        // One step of constant acceleration: rounding of the velocity.
        assert!((now.body(BodyId::of_index(1)).velocity.z + 2.0 * G / 3.0 * 1e-3).abs() < 1e-15 * G);
    }
}

#[test]
fn motors_at_the_joints_of_an_arm_keep_its_tip_on_a_path() {
    // Two thin links, with the textbook equations of motion.
    let (m1, m2, l1, l2) = (2.0, 1.5, 0.6, 0.5);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -G, 0.0));
    let (q1, q2) = (0.4_f64, 1.1_f64);
    let along = |angle: f64| vec3(angle.cos(), angle.sin(), 0.0);
    let link = |mass: f64, length: f64, angle: f64, from: Vec3| Body {
        pos: from + along(angle) * (0.5 * length),
        rot: Quat::from_axis_angle(Vec3::Z, angle).unwrap(),
        ..solid_box(mass, [length, 0.02, 0.02])
    };
    let elbow = along(q1) * l1;
    let (one, two) = (link(m1, l1, q1, Vec3::ZERO), link(m2, l2, q1 + q2, elbow));
    let (i1, i2) = (one.mass.inertia.zz, two.mass.inertia.zz);
    let (one, two) = (parts.add_body(one), parts.add_body(two));
    let z = [0.0, 0.0, 1.0];
    let mut shoulder = Joint::revolute(Ground, one, [0.0; 3], z).named("shoulder");
    shoulder.zero[0] = q1;
    let shoulder = parts.add_joint(shoulder);
    let mut elbow_joint = Joint::revolute(one, two, elbow, z).named("elbow");
    elbow_joint.zero[0] = q2;
    let elbow_joint = parts.add_joint(elbow_joint);
    let tip = elbow + along(q1 + q2) * l2;
    let by = |x: f64, y: f64| [tip.x + x, tip.y + y, 0.0];
    let points = [
        by(0.0, 0.0),
        by(0.0, 0.0),
        by(0.0, 0.0),
        by(0.2, 0.05),
        by(0.1, -0.2),
        by(0.1, -0.2),
        by(0.1, -0.2),
    ];
    let path = Nurbs::even(4, 0.0, 1.0, &points, &[]).unwrap();
    let follow = Follow::new(path.clone()).unwrap().along(&[Vec3::X, Vec3::Y]).unwrap();
    let motors = vec![(shoulder, 0), (elbow_joint, 0)];
    let point = vec3(0.5 * l2, 0.0, 0.0);
    parts.add_follow(MotorFollow { name: "path".into(), body: two.into(), point, follow, motors });
    let mut sim = Simulation::new(parts.build().unwrap());
    for i in 1..=10 {
        sim.run(0.09 * f64::from(i), 1e-3).unwrap();
        let time = sim.state().time;
        let now = sim.evaluate().unwrap();
        let (a, b) = (now.joint(JointId::of_index(0)), now.joint(JointId::of_index(1)));
        let (q1, q2, w1, w2) = (a.coordinates[0], b.coordinates[0], a.rates[0], b.rates[0]);
        let alpha = |i: usize| now.body(BodyId::of_index(i)).angular_acceleration.z;
        let (dw1, dw2) = (alpha(0), alpha(1) - alpha(0));
        let (c1, c2, s2, c12) = (q1.cos(), q2.cos(), q2.sin(), (q1 + q2).cos());
        let h = m2 * l1 * 0.5 * l2;
        let m22 = i2 + m2 * 0.25 * l2 * l2;
        let m12 = m22 + h * c2;
        let m11 = i1 + m1 * 0.25 * l1 * l1 + m2 * l1 * l1 + m22 + 2.0 * h * c2;
        let g2 = m2 * G * 0.5 * l2 * c12;
        let g1 = (m1 * 0.5 + m2) * G * l1 * c1 + g2;
        let torque = [
            m11 * dw1 + m12 * dw2 - h * s2 * (2.0 * w1 * w2 + w2 * w2) + g1,
            m12 * dw1 + m22 * dw2 + h * s2 * w1 * w1 + g2,
        ];
        for (given, torque) in [a.drives[0], b.drives[0]].into_iter().zip(torque) {
            // One solve: rounding of torques of up to 30 N·m.
            assert!((given - torque).abs() < 1e-11 * 30.0, "t = {time}: {given} N·m or {torque}");
        }
        // The motors act about z, and no force is reported twice.
        assert!((a.reaction.drive.torque.z - a.drives[0]).abs() < 1e-14 * 30.0);
        assert!(now.constraint_loads(ConstraintId::of_index(0)).all(|load| load.wrench.force == Vec3::ZERO));
        // The tip is on the path.
        let tip = now.body(BodyId::of_index(1)).position + now.body(BodyId::of_index(1)).orientation * point;
        let wanted = path.at(time);
        assert!((tip.x - wanted[0].value).abs() < 1e-13 && (tip.y - wanted[1].value).abs() < 1e-13);
    }
    // The motors' work is integrated to the order of RK4.
    assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
}

#[test]
fn mistakes_in_couplings_are_named() {
    let build = |change: &dyn Fn(&mut ModelBuilder, JointId) -> cardan::model::ConstraintId| {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let body = parts.add_body(solid_box(1.0, [1.0, 1.0, 1.0]));
        let joint = parts.add_joint(Joint::revolute(Ground, body, [0.0; 3], [0.0, 0.0, 1.0]).named("hinge"));
        change(&mut parts, joint);
        parts.build().map(|_| ())
    };
    let one = |terms: Vec<CouplerTerm>| Coupler::new("C", terms);
    let nothing = Err(BuildError::CouplesNothing { name: "C".into(), equation: 0 });
    assert_eq!(build(&|parts, _| parts.add_coupler(one(vec![]))), nothing);
    let zero = |joint| one(vec![CouplerTerm { joint, coordinate: 0, polynomial: vec![3.0, 0.0] }]);
    assert_eq!(build(&|parts, joint| parts.add_coupler(zero(joint))), nothing);
    let missing =
        build(&|parts, _| parts.add_coupler(one(vec![CouplerTerm::linear(JointId::of_index(7), 0, 1.0)])));
    assert_eq!(missing, Err(BuildError::NoSuchJoint { name: "C".into() }));
    let beyond = build(&|parts, joint| parts.add_coupler(one(vec![CouplerTerm::linear(joint, 1, 1.0)])));
    let (name, joint, kind) = ("C".to_string(), "hinge".to_string(), "revolute");
    assert_eq!(beyond, Err(BuildError::NoCoupledCoordinate { name, joint, kind, coordinate: 1, have: 1 }));
    let lost = build(&|parts, joint| parts.add_coupler(one(vec![CouplerTerm::linear(joint, 0, f64::NAN)])));
    assert!(matches!(lost, Err(BuildError::Number { field: "polynomial", .. })), "{lost:?}");
    let empty = Coupler { name: "C".into(), kind: "coupler", equations: vec![] };
    let empty = build(&|parts, _| parts.add_coupler(empty.clone()));
    assert_eq!(empty, Err(BuildError::EmptyConstraint { name: "C".into(), what: "rows" }));

    let path = || Nurbs::even(2, 0.0, 1.0, &[[0.0; 3], [0.0; 3], [1.0; 3], [1.0; 3]], &[]).unwrap();
    let follow = |motors: Vec<(JointId, usize)>| MotorFollow {
        name: "P".into(),
        body: cardan::BodyId::of_index(0).into(),
        point: Vec3::X,
        follow: Follow::new(path()).unwrap().along(&[Vec3::X]).unwrap(),
        motors,
    };
    let none = build(&|parts, _| parts.add_follow(follow(vec![])));
    assert_eq!(none, Err(BuildError::MotorCount { name: "P".into(), motors: 0, rows: 1 }));
    let twice = |parts: &mut ModelBuilder, joint| {
        parts.add_follow(follow(vec![(joint, 0)]));
        parts.add_follow(MotorFollow { name: "Q".into(), ..follow(vec![(joint, 0)]) })
    };
    assert_eq!(build(&twice), Err(BuildError::TwoDrives { joint: "hinge".into(), coordinate: 0 }));
    assert_eq!(Rope::new(1.0, vec![1.0, 0.0]), Err(1));
    assert_eq!(Rope::new(0.0, vec![1.0]), Err(1));
    assert_eq!(Follow::new(path()).unwrap().along(&[]), Err(0));
    assert_eq!(Follow::new(path()).unwrap().along(&[Vec3::X, Vec3::ZERO]), Err(1));
}
