//! Applied impulses at one instant, solved with the factor of the forces.
#![allow(clippy::disallowed_methods, reason = "what is expected needs no reproducible bits")]

use crate::common::dense;
use cardan::End::Ground;
use cardan::contact::Shape;
use cardan::math::{Quat, Sym3, Vec3, vec3};
use cardan::step::EventKind;
use cardan::{
    Body, BodyId, BodyKind, BuildError, ContactShape, Coordinates, Drive, DriveMode, Elimination, End, Frame,
    Gravity, Heading, Impulse, Integrator, Joint, JointId, JointLimit, Law, MassProperties, Material,
    ModelBuilder, Settings, Simulation, SolverChoice, StepError, TimedImpulse,
};
use cardan_testkit::{MotionSpace, Rng, closed_loops, largest, largest_difference};
use nalgebra::DVector;
use std::sync::Arc;

fn weightless() -> ModelBuilder {
    ModelBuilder::new(Gravity::ZERO)
}

fn start(parts: ModelBuilder) -> Simulation {
    Simulation::new(parts.build().expect("a model"))
}

/// A slender rod in the plane from p to q.
fn rod(mass: f64, p: Vec3, q: Vec3) -> Body {
    let (way, middle) = (q - p, (p + q) * 0.5);
    let rot = Quat::exp(vec3(0.0, 0.0, way.y.atan2(way.x)));
    Body { pos: middle, rot, ..Body::planar(mass, mass * way.dot(way) / 12.0) }
}

fn block(mass: f64, inertia: [f64; 3]) -> Body {
    let [xx, yy, zz] = inertia;
    Body::rigid(MassProperties { mass, center: Vec3::ZERO, inertia: Sym3::diagonal(xx, yy, zz) })
}

/// m Δv = P and I Δω = r × P (trap T1).
#[test]
fn a_heavy_body_jumps_less_than_a_light_one() {
    let mut parts = weightless();
    let rot = Quat::exp(vec3(0.4, -0.3, 0.9));
    let id = parts.add_body(Body { rot, vel: vec3(0.1, 0.2, 0.3), ..block(4.0, [2.0, 3.0, 4.0]) });
    let mut sim = start(parts);
    let (point, impulse) = (vec3(0.5, -0.2, 0.1), vec3(3.0, 2.0, -1.0));
    let done = sim.apply_impulse(&Impulse::at(id, point, impulse)).expect("a blow");
    // One solve on one body: rounding of speeds of about one.
    assert!((done.bodies[0].velocity - impulse / 4.0).norm() < 1e-15);
    let spin = rot * {
        let moment = point.cross(rot.inverse() * impulse);
        vec3(moment.x / 2.0, moment.y / 3.0, moment.z / 4.0)
    };
    assert!((done.bodies[0].angular_velocity - spin).norm() < 1e-15);
    assert!((done.work - sim.energy().work).abs() < 1e-15 && done.work > 0.0);
    // The same impulse in the body's axes.
    let before = sim.state().clone();
    let again = Impulse {
        heading: Heading::Body,
        linear: rot.inverse() * impulse,
        ..Impulse::at(id, point, impulse)
    };
    let turned = sim.apply_impulse(&again).expect("a blow");
    // Rounding of the rotation into the body's axes.
    assert!((turned.bodies[0].angular_velocity - spin).norm() < 1e-14);
    sim.restore(&before).expect("the same model");
    sim.apply_impulse(&Impulse::turning(id, rot * vec3(0.0, 0.0, 2.0))).expect("a blow");
    // Impulses are booked exactly as they act.
    assert!(
        sim.balance().energy_error < 1e-15 && sim.balance().momentum_error < 1e-15,
        "{:?}",
        sim.balance()
    );
}

/// R = P (3 a / 2 l − 1) of a rod on a hinge with an impulse at a: zero at the centre of
/// percussion.
#[test]
fn an_impulse_at_the_centre_of_percussion_does_not_load_the_hinge() {
    let length = 1.2;
    for (at, wanted) in [(0.8, 0.0), (0.6, -0.25), (1.2, 0.5), (0.0, -1.0)] {
        for planar in [true, false] {
            let mut parts = weightless();
            let far = vec3(length, 0.0, 0.0);
            let body = if planar {
                rod(2.0, Vec3::ZERO, far)
            } else {
                let across = 2.0 * length * length / 12.0;
                Body { pos: far * 0.5, ..block(2.0, [0.01, across, across]) }
            };
            let id = parts.add_body(body);
            parts.add_joint(Joint::revolute(Ground, id, Vec3::ZERO, Vec3::Z).named("hinge"));
            let mut sim = start(parts);
            let applied = Impulse::at(id, vec3(at - 0.5 * length, 0.0, 0.0), vec3(0.0, 5.0, 0.0));
            let done = sim.apply_impulse(&applied).expect("a blow");
            assert_eq!(done.joints[0].name, "hinge");
            let reaction = done.joints[0].on_b.force;
            // One solve with one joint: rounding.
            assert!((reaction - vec3(0.0, 5.0 * wanted, 0.0)).norm() < 1e-14, "at {at}: {reaction:?}");
            let omega = 5.0 * at / (2.0 * length * length / 3.0);
            assert!((done.bodies[0].angular_velocity.z - omega).abs() < 1e-14);
        }
    }
}

/// M Δv = P + Jᵀ p with J Δv = 0, by singular values of another library; and the balance of every
/// body by the reported reactions.
#[test]
fn impulses_on_random_mechanisms_equal_a_dense_solve_for_every_solver() {
    for seed in 0..24 {
        let mut rng = Rng::new(seed);
        let world = [
            MotionSpace::Space,
            MotionSpace::Rigid,
            MotionSpace::Flat,
            MotionSpace::Planar,
            MotionSpace::FlatRigid,
        ][seed as usize % 5];
        let floating = seed % 3 == 0;
        let parts = closed_loops(&mut rng, 7, 2, world, floating);
        let model = Arc::new(parts.build().expect("a model"));
        let struck = rng.below(7);
        let kind = model.bodies()[struck].kind;
        let flat = world.is_flat();
        let on_plane = |v: Vec3| if flat { vec3(v.x, v.y, 0.0) } else { v };
        let impulse = on_plane(rng.vector(4.0));
        let point = if kind.has_orientation() { on_plane(rng.vector(0.3)) } else { Vec3::ZERO };
        let turning = if kind.has_orientation() { vec3(0.0, 0.0, rng.range(-1.0, 1.0)) } else { Vec3::ZERO };
        let id = BodyId::of_index(struck);
        let applied = Impulse { angular: turning, ..Impulse::at(id, point, impulse) };
        for settings in [
            Settings::default(),
            Settings { elimination: Elimination::Rows, ..Settings::default() },
            Settings { solver: SolverChoice::Sparse, ..Settings::default() },
            Settings { solver: SolverChoice::Dense, ..Settings::default() },
        ] {
            let mut sim = Simulation::with_settings(model.clone(), settings).expect("a solver");
            sim.assemble().expect("closed");
            let before = sim.state().velocities().to_vec();
            let (mass, jac) = {
                let now = sim.evaluate().expect("an answer");
                dense(now.system())
            };
            let momentum = sim.momentum();
            let now = sim.kinematics();
            let arm =
                now.body(BodyId::of_index(struck)).orientation * (point - model.bodies()[struck].mass.center);
            let moment = arm.cross(impulse) + turning;
            let center = now.body(BodyId::of_index(struck)).position;
            let mut push = DVector::zeros(before.len());
            let at = model.graph().block_range(cardan::solve::Block(struck as u32)).start;
            let entries: Vec<f64> = match kind {
                BodyKind::Rigid => [impulse.to_array(), moment.to_array()].concat(),
                BodyKind::Particle => impulse.to_array().to_vec(),
                BodyKind::Planar => vec![impulse.x, impulse.y, moment.z],
                _ => vec![impulse.x, impulse.y],
            };
            entries.iter().enumerate().for_each(|(k, x)| push[at + k] = *x);
            let inverse = mass.clone().try_inverse().expect("masses");
            let free = &inverse * &push;
            let across = &jac * &inverse * jac.transpose();
            let size = across.iter().fold(0.0_f64, |w, x| w.max(x.abs()));
            let answer = across.svd(true, true).solve(&(&jac * &free), 1e-11 * size).expect("both sides");
            let wanted: Vec<f64> = (free - inverse * jac.transpose() * answer).as_slice().to_vec();

            let done = sim.apply_impulse(&applied).expect("a blow");
            let jump: Vec<f64> = sim.state().velocities().iter().zip(&before).map(|(a, b)| a - b).collect();
            let scale = 1.0 + largest(&wanted) + largest(&before);
            let off = largest_difference(&jump, &wanted);
            // Rounding times the condition number of random mechanisms; velocities end on the rows
            // to rounding.
            assert!(
                off < 1e-9 * scale,
                "seed {seed}, {world:?}: {off:e} by {}",
                sim.diagnostics().solver_name()
            );
            assert!(largest(sim.kinematics().velocity_errors()) < 1e-13 * scale, "seed {seed}: J v");
            // Poses do not change.
            assert!(sim.kinematics().position_errors().iter().all(|e| e.abs() < 1e-13));
            // The balance of every body with reported joints: m Δv = P + Σ reactions.
            let mut left: Vec<Vec3> =
                (0..7).map(|i| done.bodies[i].velocity * model.bodies()[i].mass.mass).collect();
            left[struck] -= impulse;
            for (joint, answered) in parts.joints.iter().zip(&done.joints) {
                let index = |end: End| match end {
                    End::Body(id) | End::Piece(id, _) => Some(id.index()),
                    Ground => None,
                };
                let (a, b) = (index(joint.a), index(joint.b));
                if let Some(b) = b {
                    left[b] -= answered.on_b.force;
                }
                if let Some(a) = a {
                    left[a] += answered.on_b.force;
                }
            }
            for (i, left) in left.iter().enumerate() {
                // The plane takes the components out of it without a joint.
                let left = if model.bodies()[i].kind.is_planar() { vec3(left.x, left.y, 0.0) } else { *left };
                assert!(left.norm() < 1e-8 * scale * 10.0, "seed {seed}: body {i} lacks {left:?}");
            }
            if floating && !flat {
                // The applied impulse is the only external one.
                let change = sim.momentum();
                assert!((change.linear - momentum.linear - impulse).norm() < 1e-11 * scale);
                let whole = center.cross(impulse) + moment;
                assert!((change.angular - momentum.angular - whole).norm() < 1e-10 * scale);
            }
            let balance = sim.balance();
            // Work and momentum of an impulse are booked from the jump itself, up to the rounding
            // of the solve.
            assert!(
                balance.energy_error < 1e-10 && balance.momentum_error < 1e-9,
                "seed {seed}: {balance:?}"
            );
        }
    }
}

/// A four-bar, in the plane or in space (where it has three redundant rows).
fn four_bar(parts: &mut ModelBuilder, planar: bool, motor: Option<f64>) -> [BodyId; 3] {
    let (a, b, c, d) = (Vec3::ZERO, vec3(0.1, 0.4, 0.0), vec3(1.1, 0.9, 0.0), vec3(1.0, 0.0, 0.0));
    let [crank, coupler, rocker] = [(a, b), (b, c), (c, d)].map(|(p, q)| {
        let mut bar = rod(1.0, p, q);
        if !planar {
            let across = (q - p).dot(q - p) / 12.0;
            bar = Body { pos: bar.pos, rot: bar.rot, ..block(1.0, [0.001, across, across]) };
        }
        parts.add_body(bar)
    });
    let ends: [(End, End, Vec3, &str); 4] = [
        (Ground, crank.into(), a, "A"),
        (crank.into(), coupler.into(), b, "B"),
        (coupler.into(), rocker.into(), c, "C"),
        (rocker.into(), Ground, d, "D"),
    ];
    for (p, q, at, name) in ends {
        let mut hinge = Joint::revolute(p, q, at, Vec3::Z).named(name);
        if let Some(speed) = motor.filter(|_| name == "A") {
            hinge.drives.push(Drive { coordinate: 0, mode: DriveMode::Speed, law: Law::Constant(speed) });
        }
        parts.add_joint(hinge);
    }
    [crank, coupler, rocker]
}

#[test]
fn a_closed_chain_is_as_closed_after_an_impulse() {
    let mut listed = Vec::new();
    for planar in [true, false] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let bars = four_bar(&mut parts, planar, None);
        let mut sim = start(parts);
        sim.run(0.3, 1e-3).expect("a run");
        let done = sim
            .apply_impulse(&Impulse::at(bars[1], vec3(0.1, 0.05, 0.0), vec3(2.0, -3.0, 0.0)))
            .expect("a blow");
        // One solve: rounding of speeds of some m/s.
        assert!(largest(sim.kinematics().velocity_errors()) < 1e-14);
        assert_eq!(done.joints.iter().map(|j| j.name.as_str()).collect::<Vec<_>>(), ["A", "B", "C", "D"]);
        assert!(done.joints.iter().all(|joint| joint.on_b.force.norm() > 0.1), "{:?}", done.joints);
        listed.push(done.joints.iter().map(|joint| joint.on_b.force).collect::<Vec<_>>());
        sim.run(0.6, 1e-3).expect("a run");
        // Truncation of RK4 at 1 ms.
        assert!(sim.balance().energy_error < 1e-8 && sim.certificate().max_velocity_error < 1e-13);
        assert!(sim.balance().momentum_error < 1e-8, "{:?}", sim.balance());
    }
    // Redundant rows change nothing in the plane.
    for (a, b) in listed[0].iter().zip(&listed[1]) {
        assert!((*a - *b).norm() < 1e-8, "{a:?} {b:?}");
    }
}

#[test]
fn a_motor_keeps_its_speed_and_pays_for_the_impulse() {
    for elimination in [Elimination::Freedoms, Elimination::Rows] {
        let mut parts = weightless();
        let bars = four_bar(&mut parts, true, Some(3.0));
        let settings = Settings { elimination, ..Settings::default() };
        let mut sim = Simulation::with_settings(parts.build().expect("a model"), settings).expect("a solver");
        sim.assemble().expect("closed");
        let before = sim.state().velocities().to_vec();
        let done =
            sim.apply_impulse(&Impulse::at(bars[2], Vec3::ZERO, vec3(-4.0, 1.0, 0.0))).expect("a blow");
        // One freedom, and that is driven.
        assert!(largest_difference(sim.state().velocities(), &before) < 1e-13);
        assert!(done.joints[0].by_drives.torque.z.abs() > 0.1);
        assert!((sim.kinematics().joint(JointId::of_index(0)).rates[0] - 3.0).abs() < 1e-13);
        assert!(sim.balance().energy_error < 1e-13, "{:?}", sim.balance());
    }
}

/// A ball on the floor.
fn on_floor(restitution: f64, friction: f64) -> (ModelBuilder, BodyId) {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let material = Material { restitution, ..Material::rough(friction) };
    let ball = parts.add_body(Body {
        pos: vec3(0.0, 0.0, 0.1),
        ..Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 2.0).named("ball")
    });
    let shape = Shape::sphere(0.1).expect("a ball");
    parts.add_shape(ContactShape { body: ball.into(), frame: Frame::default(), shape, material });
    parts.add_shape(ContactShape { body: Ground, frame: Frame::default(), shape: Shape::Plane, material });
    (parts, ball)
}

#[test]
fn contacts_react_to_an_impulse() {
    for restitution in [0.0, 0.5] {
        let (parts, ball) = on_floor(restitution, 0.1);
        let mut sim = start(parts);
        // Down and sideways, at the centre: the floor reacts with 6 (1 + e) N·s, and friction with
        // a tenth of that, too small to roll.
        let done = sim.apply_impulse(&Impulse::at(ball, Vec3::ZERO, vec3(4.0, 0.0, -6.0))).expect("a blow");
        let floor = 6.0 * (1.0 + restitution);
        let wanted = vec3((4.0 - 0.1 * floor) / 2.0, 0.0, 3.0 * restitution);
        assert!((done.bodies[0].velocity - wanted).norm() < 1e-9, "{:?}", done.bodies[0]);
        let [touch] = &done.contacts[..] else { panic!("{:?}", done.contacts) };
        assert!(touch.name.contains("ball") && (touch.normal - floor).abs() < 1e-9, "{touch:?}");
        assert!((touch.impulse.x.abs() - 0.1 * floor).abs() < 1e-9, "{touch:?}");
        // Energy and momentum of an impact are booked from the jump itself.
        assert!(done.dissipated > 0.0 && sim.balance().energy_error < 1e-12, "{:?}", sim.balance());
        assert!(sim.balance().momentum_error < 1e-12, "{:?}", sim.balance());
        // Upwards: the floor does not react.
        let done = sim.apply_impulse(&Impulse::at(ball, Vec3::ZERO, vec3(0.0, 0.0, 30.0))).expect("a blow");
        assert!(done.contacts.is_empty() && done.dissipated == 0.0);
    }
    // A limit that is reached reacts.
    let mut parts = weightless();
    let pole = parts.add_body(rod(3.0, Vec3::ZERO, vec3(1.0, 0.0, 0.0)));
    let mut hinge = Joint::revolute(Ground, pole, Vec3::ZERO, Vec3::Z).named("stop");
    hinge.limits.push(JointLimit { coordinate: 0, low: 0.0, high: 1.0, restitution: 0.0 });
    parts.add_joint(hinge);
    let mut sim = start(parts);
    let done =
        sim.apply_impulse(&Impulse::at(pole, vec3(0.5, 0.0, 0.0), vec3(0.0, -2.0, 0.0))).expect("a blow");
    assert!(
        // One solve with one inequality: rounding.
        largest(sim.state().velocities()) < 1e-14 && (done.contacts[0].normal - 2.0).abs() < 1e-12,
        "{done:?}"
    );
    assert!(sim.events().iter().any(|event| event.kind == EventKind::Limit), "{:?}", sim.events());
    sim.apply_impulse(&Impulse::at(pole, vec3(0.5, 0.0, 0.0), vec3(0.0, 2.0, 0.0))).expect("a blow");
    // One solve: rounding.
    assert!((sim.kinematics().joint(JointId::of_index(0)).rates[0] - 2.0).abs() < 1e-14);
}

fn hammer(bar: BodyId, time: f64) -> TimedImpulse {
    TimedImpulse {
        name: "hammer".into(),
        time,
        impulse: Impulse::at(bar, vec3(0.1, 0.05, 0.0), vec3(2.0, -3.0, 0.0)),
    }
}

#[test]
fn a_timed_impulse_cuts_the_step_and_is_named() {
    let gravity = Gravity::new(0.0, -9.81, 0.0);
    // Applied by the caller, at its time to the last bit.
    let mut parts = ModelBuilder::new(gravity);
    let bars = four_bar(&mut parts, true, None);
    let mut exact = start(parts);
    exact.run(0.1234, 1e-4).expect("a run");
    let by_hand = exact.apply_impulse(&hammer(bars[1], 0.0).impulse).expect("a blow");
    exact.run(0.3, 1e-4).expect("a run");
    for (settings, h, off) in [
        (Settings::default(), 1e-3, 1e-8),
        (Settings { coordinates: Coordinates::Joints, ..Settings::default() }, 1e-3, 1e-8),
        (Settings { integrator: Integrator::Dopri5, ..Settings::default() }, 1e-3, 1e-6),
        (Settings { integrator: Integrator::Rattle, ..Settings::default() }, 1e-3, 1e-4),
        (Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() }, 1e-4, 5e-3),
        (Settings { integrator: Integrator::TimeStepping, ..Settings::default() }, 1e-4, 5e-3),
    ] {
        let mut parts = ModelBuilder::new(gravity);
        let bars = four_bar(&mut parts, true, None);
        parts.add_impulse(hammer(bars[1], 0.1234));
        let mut sim = Simulation::with_settings(parts.build().expect("a model"), settings).expect("a solver");
        sim.run(0.3, h).expect("a run");
        let apart = largest_difference(sim.state().coordinates(), exact.state().coordinates());
        assert!(apart < off, "{:?}: {apart:e}", settings.integrator);
        let [event] = sim.events() else { panic!("{:?}", sim.events()) };
        assert_eq!((event.name(sim.model()).as_str(), event.kind), ("hammer", EventKind::Impulse));
        // The time is that of the model, to the bit; the impulse is a norm.
        assert!((event.time - 0.1234).abs() < 1e-15 && (event.impulse - 13f64.sqrt()).abs() < 1e-14);
        let [strike] = sim.impulse_records() else { panic!("one") };
        assert_eq!(strike.name, "hammer");
        let far = (strike.joints[2].on_b.force - by_hand.joints[2].on_b.force).norm();
        assert!(far < 100.0 * off, "{:?}: {far:e}", settings.integrator);
        assert_eq!(sim.time(), 0.3);
    }
}

#[test]
fn timed_impulses_are_applied_once_in_order_and_the_state_records_which() {
    let make = || {
        let mut parts = weightless();
        let bead = parts.add_body(Body::particle(2.0));
        for (name, time, x) in
            [("late", 0.5, 4.0), ("first", 0.0, 2.0), ("second", 0.0, -1.0), ("never", 1.0, 9.0)]
        {
            parts.add_impulse(TimedImpulse {
                name: name.into(),
                time,
                impulse: Impulse::at(bead, Vec3::ZERO, vec3(x, 0.0, 0.0)),
            });
        }
        start(parts)
    };
    let mut sim = make();
    sim.run(0.25, 0.1).expect("a run");
    let middle = sim.state().clone();
    // The end time of a run is not part of it.
    sim.run(1.0, 0.3).expect("a run");
    let names: Vec<_> = sim.impulse_records().iter().map(|strike| strike.name.as_str()).collect();
    assert_eq!(names, ["first", "second", "late"]);
    assert!((sim.kinematics().body(BodyId::of_index(0)).position.x - (0.5 * 0.5 + 0.5 * 2.5)).abs() < 1e-15);
    // Uniform motion between impulses: rounding.
    assert!(sim.balance().energy_error < 1e-15 && sim.balance().momentum_error < 1e-15);
    let mut other = make();
    other.restore(&middle).expect("the same model");
    other.run(1.0, 0.3).expect("a run");
    assert_eq!(other.state_hash(), sim.state_hash());
    assert_eq!(other.impulse_records().len(), 1);
}

#[test]
fn invalid_impulses_are_refused_and_change_nothing() {
    let mut parts = weightless();
    let bead = parts.add_body(Body::particle(2.0).named("bead"));
    let jelly = parts.add_body(
        Body::scaled(
            MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.1, 0.1, 0.1) },
            cardan::body::ScaleSpring { stiffness: 1.0, damping: 0.0 },
        )
        .named("jelly"),
    );
    let model = Arc::new(parts.build().expect("a model"));
    let mut sim = Simulation::new(model.clone());
    let before = sim.state_hash();
    let mut refused = |applied: Impulse| match sim.apply_impulse(&applied) {
        Err(StepError::BadImpulse { what }) => what,
        other => panic!("{other:?}"),
    };
    assert!(refused(Impulse::at(Ground, Vec3::ZERO, Vec3::X)).contains("ground"));
    assert!(refused(Impulse::at(BodyId::of_index(9), Vec3::ZERO, Vec3::X)).contains("does not exist"));
    assert!(refused(Impulse::at(bead, Vec3::X, Vec3::X)).contains("`bead` is a point mass"));
    assert!(refused(Impulse::turning(bead, Vec3::X)).contains("`bead`"));
    assert!(refused(Impulse::at(bead, Vec3::ZERO, vec3(f64::NAN, 0.0, 0.0))).contains("finite"));
    assert!(refused(Impulse::at(End::Piece(bead, 1), Vec3::ZERO, Vec3::X)).contains("one piece"));
    assert!(refused(Impulse::at(jelly, Vec3::ZERO, Vec3::X)).contains("`jelly`"));
    assert_eq!(sim.state_hash(), before);
    // Beyond the largest number.
    let enormous = Impulse::at(bead, Vec3::ZERO, vec3(1e308, 0.0, 0.0));
    sim.apply_impulse(&enormous).expect("still finite");
    sim.apply_impulse(&enormous).expect("still finite");

    let first_order = Settings { integrator: Integrator::FirstOrder, ..Settings::default() };
    let mut sim = Simulation::with_settings(model, first_order).expect("a solver");
    assert_eq!(sim.apply_impulse(&Impulse::at(bead, Vec3::ZERO, Vec3::X)).err(), Some(StepError::NoImpulses));
    // An id that every builder accepts.
    let bead = BodyId::of_index(bead.index());
    let timed = |body: End, time: f64, impulse: Vec3| {
        let mut parts = weightless();
        parts.add_body(Body::particle(2.0));
        parts.add_impulse(TimedImpulse {
            name: "tap".into(),
            time,
            impulse: Impulse::at(body, Vec3::ZERO, impulse),
        });
        parts.build()
    };
    assert_eq!(timed(Ground, 0.0, Vec3::X).err(), Some(BuildError::ImpulseOnGround { name: "tap".into() }));
    for (body, time, impulse, word) in [
        (End::Body(bead), -1.0, Vec3::X, "negative"),
        (End::Body(bead), f64::NAN, Vec3::X, "finite"),
        (End::Body(bead), 0.0, vec3(f64::INFINITY, 0.0, 0.0), "finite"),
        (End::Body(BodyId::of_index(5)), 0.0, Vec3::X, "does not have"),
    ] {
        let error = timed(body, time, impulse).expect_err("refused").to_string();
        assert!(error.contains("`tap`") && error.contains(word), "{error}");
    }
    let known = timed(End::Body(bead), 0.5, Vec3::X).expect("a model");
    let error = Simulation::with_settings(known, first_order).expect_err("refused");
    assert_eq!(error, StepError::NoImpulses);
}

/// General bodies: timed impulses may act on any of their points.
#[test]
fn impulses_act_on_general_bodies() {
    let mut parts = weightless();
    let elastic = cardan::body::ScaleSpring { stiffness: 5.0, damping: 0.0 };
    let mass = MassProperties { mass: 2.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.2, 0.3, 0.4) };
    let cube = parts.add_body(Body::scaled(mass, elastic));
    parts.add_joint(Joint::spherical(Ground, cube, vec3(-0.2, 0.0, 0.0)));
    parts.add_impulse(TimedImpulse {
        name: String::new(),
        time: 0.01,
        impulse: Impulse::at(cube, vec3(0.3, 0.1, 0.0), vec3(0.5, 2.0, 1.0)),
    });
    let mut sim = start(parts);
    sim.run(0.2, 1e-3).expect("a run");
    assert_eq!(sim.impulse_records()[0].name, "k0");
    assert!(sim.impulse_records()[0].work > 0.0);
    let balance = sim.balance();
    // Truncation of RK4 at 1 ms of a deformable body; velocities end on the rows to rounding.
    assert!(balance.energy_error < 1e-8 && balance.momentum_error < 1e-8, "{balance:?}");
    assert!(sim.certificate().max_velocity_error < 1e-13);
}
