//! The lock family: every mask of six against the named kinds, against counting, work, Newton and
//! Euler, and the solvers against each other.

#![allow(clippy::disallowed_methods, reason = "the expected values need no reproducible bits")]

use cardan::law::Sine;
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, BodyId, BodyKind, BuildError, DriveMode, Elimination, End, End::Ground, Frame, Gravity, Joint,
    JointId, JointKind, Law, Locks, Model, ModelBuilder, Placement, Settings, Simulation, SolverChoice,
    Stabilization, State,
};
use cardan_testkit::{Parts, Rng, random_body, random_pose_of_locks};
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

fn kind(locks: Locks) -> JointKind {
    JointKind::Lock { locks }
}

/// Two rigid bodies, the second posed so that the joint is closed; the first is on a ball joint to
/// the ground if `held`.
fn pair(rng: &mut Rng, joint: JointKind, locks: Locks, held: bool) -> Parts {
    let gravity = rng.vector(10.0);
    let a = random_body(rng, BodyKind::Rigid);
    let (in_a, in_b) = (frame(rng), frame(rng));
    let between = random_pose_of_locks(rng, locks);
    let rot = (a.rot * in_a.rot * between.rot * in_b.rot.inverse()).renormalized();
    let pos = a.pos + a.rot * (in_a.pos + in_a.rot * between.pos) - rot * in_b.pos;
    let b = Body { pos, rot, ..random_body(rng, BodyKind::Rigid) };
    let ball = a.pos + vec3(0.3, -0.2, 0.5);
    let id = |i: usize| End::Body(BodyId::of_index(i));
    let mut joints = vec![Joint::between(joint, id(0), in_a, id(1), in_b).named("lock")];
    if held {
        joints.insert(0, Joint::spherical(Ground, id(0), ball));
    }
    Parts { gravity, bodies: vec![a, b], joints }
}

fn frame(rng: &mut Rng) -> Frame {
    Frame { pos: rng.vector(0.6), rot: rng.rotation() }
}

#[test]
fn locks_with_a_name_are_the_kinds_of_that_name() {
    let settings = Settings { stabilization: Stabilization::None, ..Settings::default() };
    let mut built_in = 0;
    for (shifts, names) in Locks::NAMES.iter().enumerate() {
        for (turns, name) in names.iter().enumerate().filter(|(turns, _)| shifts + turns > 0) {
            let locks = Locks::of_counts(shifts, turns);
            assert_eq!((locks.shifts(), locks.turns()), (shifts, turns));
            let named = locks.kind();
            assert_eq!(named.name(), *name);
            assert_eq!(named.rows(), shifts + turns);
            if matches!(named, JointKind::Lock { .. }) {
                assert!(JointKind::LOCKS.contains(&named), "{name}");
                continue;
            }
            built_in += 1;
            assert_eq!(kind(locks).name(), "lock");
            // Far from closed, too: equal rows in equal order.
            for seed in 0..10 {
                let rows = |joint: JointKind| {
                    let mut rng = Rng::new(seed);
                    let model = pair(&mut rng, joint, Locks::OLDHAM, false).build().unwrap();
                    let mut sim = Simulation::with_settings(model, settings).unwrap();
                    let now = sim.evaluate().unwrap();
                    let system = now.system();
                    let link = system.graph().all_links().next().unwrap();
                    let jac = [system.jac(link, 0), system.jac(link, 1)].concat();
                    [now.position_errors(), now.velocity_errors(), system.bias(), &jac[..]].concat()
                };
                for (x, y) in rows(named).iter().zip(rows(kind(locks))) {
                    // The same formulas with axes renamed: a few roundings.
                    assert!((x - y).abs() <= 1e-15 * (1.0 + x.abs()), "{name}: {x} against {y}");
                }
            }
        }
    }
    assert_eq!(built_in, 10);
}

#[test]
fn a_lock_leaves_six_minus_its_rows() {
    for locks in Locks::all() {
        for seed in 0..3 {
            let model = pair(&mut Rng::new(seed), kind(locks), locks, false).build().unwrap();
            let mut sim = Simulation::new(model);
            sim.assemble().unwrap();
            let found = sim.diagnose().unwrap().unwrap();
            assert_eq!(found.mobility(), Some(12 - locks.shifts() - locks.turns()), "{locks:?}");
            assert_eq!(found.redundant_rows(), 0, "{locks:?}");
            // Three free turns are not reported.
            let joint = sim.evaluate().unwrap().joint(JointId::of_index(0));
            let free = 6 - locks.shifts() - locks.turns();
            assert_eq!(joint.count, if locks.turns() == 0 { free - 3 } else { free }, "{locks:?}");
        }
    }
}

/// Each body alone obeys Newton and Euler under its weight and the reported reaction; together the
/// two reactions do no work on motions that the lock allows.
#[test]
fn reactions_balance_each_body_and_do_no_work() {
    for locks in Locks::all() {
        for seed in 0..4 {
            let model = Arc::new(pair(&mut Rng::new(seed), kind(locks), locks, false).build().unwrap());
            let mut sim = Simulation::new(model.clone());
            sim.assemble().unwrap();
            let gravity = model.gravity();
            let now = sim.evaluate().unwrap();
            let joint = now.joint(JointId::of_index(0));
            let (mut power, mut terms) = (0.0, 0.0);
            for (i, sign) in [(0, -1.0), (1, 1.0)] {
                let body = now.body(BodyId::of_index(i));
                let entry = &model.bodies()[i];
                let whole = joint.reaction.structural;
                let (force, torque) = (whole.force * sign, whole.torque * sign);
                let moment = torque + (joint.position - body.position).cross(force);
                let (mass, inertia) =
                    (entry.mass.mass, entry.mass.inertia.rotated(&body.orientation.matrix()));
                let omega = body.angular_velocity;
                let left = body.acceleration * mass - gravity * mass - force;
                let spin = inertia * body.angular_acceleration + omega.cross(inertia * omega) - moment;
                let size = 1.0 + force.norm() + moment.norm() + mass * gravity.norm();
                // The residual of one solve, relative to the largest load; power is a sum that
                // cancels.
                assert!(left.norm() < 1e-12 * size, "{locks:?}: force {left:?}");
                assert!(spin.norm() < 1e-12 * size, "{locks:?}: moment {spin:?}");
                let velocity = body.velocity;
                power += force.dot(velocity) + moment.dot(omega);
                terms += force.norm() * velocity.norm() + moment.norm() * omega.norm();
            }
            assert!(power.abs() < 1e-14 * (1.0 + terms), "{locks:?}: power {power:e} of {terms}");
        }
    }
}

/// The joint's own coordinates measure its freedoms: their rates are their derivatives, and the
/// locks stay closed over a run.
#[test]
fn every_lock_stays_closed_and_conserves_energy() {
    for locks in Locks::all() {
        let model = pair(&mut Rng::new(11), kind(locks), locks, true).build().unwrap();
        let mut sim = Simulation::new(model);
        sim.assemble().unwrap();
        sim.run(0.3, 5e-4).unwrap();
        let (certificate, balance) = (sim.certificate(), sim.balance());
        // Projection ends at rounding of positions of some metres and speeds of some ten m/s;
        // energy has the truncation of RK4 at 0.5 ms.
        assert!(certificate.max_position_error < 1e-12, "{locks:?}: {certificate:?}");
        assert!(certificate.max_velocity_error < 1e-11, "{locks:?}: {certificate:?}");
        assert!(balance.energy_error < 1e-8, "{locks:?}: {balance:?}");
        let before = sim.evaluate().unwrap().joint(JointId::of_index(1));
        let (values, rates) = (before.coordinates, before.rates);
        let h = 1e-5;
        sim.step(h).unwrap();
        let after = sim.evaluate().unwrap().joint(JointId::of_index(1));
        for k in 0..after.count {
            let mean = 0.5 * (rates[k] + after.rates[k]);
            let slope = (after.coordinates[k] - values[k]) / h;
            // The trapezoidal rule leaves h² of the third derivative, and rounding over h = 1e-5
            // leaves 1e-11.
            assert!(
                (slope - mean).abs() < 1e-6 * (1.0 + mean.abs()),
                "{locks:?}: coordinate {k}: {slope} {mean}"
            );
        }
    }
}

fn solved(
    model: &Arc<Model>,
    state: &State,
    solver: SolverChoice,
    elimination: Elimination,
) -> Vec<Vec<f64>> {
    let settings =
        Settings { solver, elimination, stabilization: Stabilization::None, ..Settings::default() };
    let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
    sim.restore(state).unwrap();
    let now = sim.evaluate().unwrap();
    // Open rows with large terms: rounding of these.
    assert!(now.equation_residual() < 1e-11, "{:e}", now.equation_residual());
    vec![now.accelerations().to_vec(), now.multipliers().to_vec()]
}

fn assert_solvers_agree(model: &Arc<Model>, state: &State, what: &str) {
    let dense = solved(model, state, SolverChoice::Dense, Elimination::Rows);
    for (solver, elimination) in [
        (SolverChoice::Tree, Elimination::Freedoms),
        (SolverChoice::Tree, Elimination::Rows),
        (SolverChoice::Sparse, Elimination::Rows),
    ] {
        for (found, wanted) in solved(model, state, solver, elimination).iter().zip(&dense) {
            let size = wanted.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            for (x, y) in found.iter().zip(wanted) {
                let off = (x - y).abs() / size;
                // Rounding times the condition number of random pairs, open ones included.
                assert!(off < 1e-9, "{what}, {solver:?}, {elimination:?}: {x} against {y}");
            }
        }
    }
}

#[test]
fn tree_and_dense_agree_for_every_mask_open_or_driven() {
    let mut driven = 0;
    for locks in Locks::all() {
        for seed in 0..4 {
            let mut rng = Rng::new(seed);
            let mut parts = pair(&mut rng, kind(locks), locks, true);
            if seed % 2 == 1 {
                // Some of its free coordinates follow laws.
                for k in (0..kind(locks).coordinates()).filter(|_| rng.below(2) == 0) {
                    let law = Sine { amplitude: 0.2, frequency: 0.7, phase: 0.3 * k as f64, offset: 0.0 };
                    parts.joints[1] = parts.joints[1].clone().driven(k, DriveMode::Position, law);
                    driven += 1;
                }
            }
            let model = Arc::new(parts.build().unwrap());
            let mut state = model.initial_state().clone();
            let shift: Vec<f64> = (0..model.counts().coordinates).map(|_| rng.range(-0.2, 0.2)).collect();
            state.displace(&model, &shift);
            assert_solvers_agree(&model, &state, &format!("{locks:?}, seed {seed}"));
        }
    }
    assert!(driven > 100, "{driven}");
}

/// Three bodies on universal joints, the last tied to the ground by a lock.
#[test]
fn a_loop_of_locks_is_solved_by_all_solvers_alike() {
    for (seed, joint) in JointKind::LOCKS.into_iter().enumerate() {
        let mut rng = Rng::new(seed as u64);
        let mut parts = ModelBuilder::new(Gravity(rng.vector(5.0)));
        let ids: Vec<_> = (0..3).map(|_| parts.add_body(random_body(&mut rng, BodyKind::Rigid))).collect();
        // All placed in the starting pose: every joint is closed there.
        let at = |rng: &mut Rng| {
            let rot = rng.rotation();
            let (axis, axis2) = (Some(rot * Vec3::Z), Some(rot * Vec3::X));
            Placement::World { anchor: Some(rng.vector(1.0)), axis, axis2 }
        };
        let end = |i: usize| End::Body(ids[i]);
        for (a, b) in [(Ground, end(0)), (end(0), end(1)), (end(1), end(2))] {
            let placement = at(&mut rng);
            parts.add_joint(Joint { placement, ..Joint::at(JointKind::Universal, a, b, [0.0; 3], Vec3::Z) });
        }
        let placement = at(&mut rng);
        parts.add_joint(Joint { placement, ..Joint::at(joint, ids[2], Ground, [0.0; 3], Vec3::Z) });
        let model = Arc::new(parts.build().unwrap());
        let answers = |solver, elimination| {
            let settings = Settings { solver, elimination, ..Settings::default() };
            let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
            sim.assemble().unwrap();
            sim.evaluate().unwrap().accelerations().to_vec()
        };
        let dense = answers(SolverChoice::Dense, Elimination::Rows);
        let size = dense.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for elimination in [Elimination::Freedoms, Elimination::Rows] {
            for (x, y) in answers(SolverChoice::Auto, elimination).iter().zip(&dense) {
                // Rounding times the condition number of a loop of three bodies.
                assert!((x - y).abs() < 1e-9 * size, "{joint}, {elimination:?}: {x} against {y}");
            }
        }
    }
}

/// The middle disc of an Oldham coupling between shafts e apart: it turns with them, and its centre
/// runs twice per turn round the circle whose diameter is e (the slots stay at right angles:
/// Thales).
#[test]
fn the_disc_of_an_oldham_coupling_runs_twice_round() {
    let (e, speed) = (0.06, 3.0);
    let omega = vec3(0.0, 0.0, speed);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let left = parts.add_body(Body { omega, ..Body::rod(1.0, 0.2, 0.05) });
    let right = parts.add_body(Body { pos: vec3(e, 0.0, 0.2), omega, ..Body::rod(1.0, 0.2, 0.05) });
    // The first slot along x, the second along y: at the start the centre is on x through the left
    // shaft and on y through the right one.
    let vel = vec3(0.0, -speed * e, 0.0) + omega.cross(vec3(e, 0.0, 0.0)) * 2.0;
    let disc = parts.add_body(Body {
        pos: vec3(e, 0.0, 0.1),
        vel: vec3(0.0, vel.y, 0.0),
        omega,
        ..Body::rod(0.5, 0.1, 0.04)
    });
    let law = || Law::expression(&format!("{speed}*t")).unwrap();
    parts.add_joint(Joint::revolute(Ground, left, [0.0; 3], [0.0, 0.0, 1.0]).driven(
        0,
        DriveMode::Position,
        law(),
    ));
    parts.add_joint(Joint::revolute(Ground, right, [e, 0.0, 0.2], [0.0, 0.0, 1.0]));
    // Each slot locks the shift across it and all turns, the right one also the position along the
    // shafts.
    let slot = Locks::new([true, false, false], [true; 3]);
    let frames = |rot: Quat, at: Vec3| Placement::Frames {
        in_a: Frame { pos: at, rot },
        in_b: Frame { pos: Vec3::ZERO, rot },
    };
    let of = |locks, a: cardan::BodyId, placement| Joint {
        placement,
        ..Joint::at(JointKind::Lock { locks }, a, disc, [0.0; 3], Vec3::Z)
    };
    // Left: locked across x, which is y: frame with its x along y.
    let turn = |angle: f64| Quat::exp(vec3(0.0, 0.0, angle));
    parts.add_joint(of(slot, left, frames(turn(FRAC_PI_2), vec3(0.0, 0.0, 0.1))));
    let only_shifts = Locks::new([true, false, true], [false; 3]);
    parts.add_joint(of(only_shifts, right, frames(turn(0.0), vec3(0.0, 0.0, -0.1))));
    parts.add_joint(Joint {
        placement: Placement::World { anchor: None, axis: Some(Vec3::Z), axis2: None },
        ..Joint::at(kind(Locks::ORIENTATION), right, disc, [0.0; 3], Vec3::Z)
    });
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    sim.run(1.0, 1e-3).unwrap();
    let now = sim.evaluate().unwrap();
    let (body, right) = (now.body(BodyId::of_index(2)), now.joint(JointId::of_index(1)).coordinates[0]);
    let angle = speed;
    // Centre at the left slot's line and the right slot's: e cos θ (cos θ, sin θ).
    let wanted = vec3(angle.cos(), angle.sin(), 0.0) * (e * angle.cos());
    assert!((body.position - wanted - vec3(0.0, 0.0, 0.1)).norm() < 1e-12, "{:?} {wanted:?}", body.position);
    let centre = vec3(0.5 * e, 0.0, 0.1);
    assert!(((body.position - centre).norm() - 0.5 * e).abs() < 1e-13);
    let twice = 0.5 * e * 2.0 * speed;
    // Position and angles are constraints, to rounding; the velocity follows from a solve.
    assert!((body.velocity.norm() - twice).abs() < 1e-10, "{}", body.velocity.norm());
    assert!((right - angle).abs() < 1e-12, "{right}");
    // An Oldham coupling turns both shafts at equal speeds.
    assert!((now.joint(JointId::of_index(1)).rates[0] - speed).abs() < 1e-11);
}

/// A tray that does not turn while its position is driven round a circle: the motor forces are m (a
/// − g).
#[test]
fn a_driven_orientation_lock_reads_the_force_of_the_motion() {
    let (mass, radius, frequency) = (2.0, 0.3, 0.5);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let tray = parts.add_body(Body { pos: vec3(radius, 0.0, 0.0), ..Body::rod(mass, 0.4, 0.1) });
    let rate = 2.0 * PI * frequency;
    let sine = |phase| Sine { amplitude: radius, frequency, phase, offset: 0.0 };
    let placement = Placement::World { anchor: Some(Vec3::ZERO), axis: Some(Vec3::Z), axis2: None };
    let joint = Joint::at(kind(Locks::ORIENTATION), Ground, tray, [0.0; 3], Vec3::Z);
    let mut joint = Joint { placement, ..joint };
    joint = joint.driven(0, DriveMode::Position, sine(FRAC_PI_2));
    joint = joint.driven(1, DriveMode::Position, sine(0.0)).driven(
        2,
        DriveMode::Position,
        Law::expression("0").unwrap(),
    );
    joint.zero = [radius, 0.0, 0.0, 0.0, 0.0];
    parts.add_joint(joint);
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(0.7, 1e-3).unwrap();
    let now = sim.evaluate().unwrap();
    let (forces, phase) = (now.joint(JointId::of_index(0)).drives, rate * 0.7);
    let pull = mass * radius * rate * rate;
    // Three driven coordinates leave no freedom: forces are those of one solve.
    assert!((forces[0] + pull * phase.cos()).abs() < 1e-11 * pull, "{forces:?}");
    assert!((forces[1] + pull * phase.sin()).abs() < 1e-11 * pull, "{forces:?}");
    assert!((forces[2] - mass * 9.81).abs() < 1e-11 * mass * 9.81, "{forces:?}");
}

#[test]
fn invalid_locks_are_refused_with_the_reason() {
    let error = |locks: Locks, body: Body, rot: Quat| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let body = parts.add_body(body);
        let placement =
            Placement::Frames { in_a: Frame { pos: Vec3::ZERO, rot }, in_b: Frame { pos: Vec3::ZERO, rot } };
        let joint = Joint { placement, ..Joint::at(kind(locks), Ground, body, [0.0; 3], Vec3::Z) };
        parts.add_joint(joint.named("J")).index();
        parts.build().map(|model| model.counts().rows).map_err(|error| error.to_string())
    };
    let nothing = Locks::new([false; 3], [false; 3]);
    let text = error(nothing, Body::rod(1.0, 1.0, 0.1), Quat::IDENTITY).unwrap_err();
    assert_eq!(text, "joint `J` locks nothing: name at least one shift or turn");
    let text = error(Locks::OLDHAM, Body::particle(1.0), Quat::IDENTITY).unwrap_err();
    assert!(text.contains("a point mass has no orientation") && text.contains("oldham"), "{text}");
    // Locks of shifts alone are for point masses, too.
    let edge = Locks::new([true, false, true], [false; 3]);
    assert_eq!(error(edge, Body::particle(1.0), Quat::IDENTITY), Ok(2));
    let flat = || Body::planar(1.0, 0.1);
    let text =
        error(Locks::new([false, false, true], [true, true, false]), flat(), Quat::IDENTITY).unwrap_err();
    assert!(text.contains("it would hold nothing"), "{text}");
    let tilted = Quat::exp(vec3(0.3, 0.0, 0.0));
    let text = error(Locks::OLDHAM, flat(), tilted).unwrap_err();
    assert!(text.contains("the shifts that it locks must be along z or in the x–y plane"), "{text}");
    let text = error(Locks::PERPENDICULAR, flat(), tilted).unwrap_err();
    assert!(text.contains("the axes of the turns that it locks"), "{text}");
    // In the plane: the shift along the axis and the turn; or the turn alone.
    let lying = Quat::exp(vec3(0.0, FRAC_PI_2, 0.0));
    assert_eq!(error(Locks::OLDHAM, flat(), lying), Ok(2));
    assert_eq!(error(Locks::ORIENTATION, flat(), Quat::IDENTITY), Ok(1));
    let along_normal = Quat::exp(vec3(-FRAC_PI_2, 0.0, 0.0));
    assert_eq!(error(Locks::PERPENDICULAR, flat(), along_normal), Ok(1));
    let wrong_axis: Result<Model, BuildError> = {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
        let body = parts.add_body(Body::rod(1.0, 1.0, 0.1));
        parts.add_joint(Joint::at(kind(Locks::PERPENDICULAR), Ground, body, [0.0; 3], Vec3::Z));
        parts.build()
    };
    assert!(matches!(wrong_axis, Err(BuildError::NoCross { .. })), "{wrong_axis:?}");
}

/// Whichever axis of the frames is along the plane's normal: the rows are the locks of motions in
/// the plane, and the joint is refused only if there are none.
#[test]
fn between_planar_bodies_the_locks_of_the_plane_are_left() {
    let upright =
        [Quat::exp(vec3(0.0, -FRAC_PI_2, 0.0)), Quat::exp(vec3(FRAC_PI_2, 0.0, 0.0)), Quat::IDENTITY];
    let mut refused = 0;
    for locks in Locks::all() {
        for (n, &rot) in upright.iter().enumerate() {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][n];
            assert!((rot * axis).z.abs() > 1.0 - 1e-15);
            let mut rng = Rng::new(n as u64);
            let spun = |rng: &mut Rng| Quat::exp(vec3(0.0, 0.0, rng.range(-3.0, 3.0)));
            let at = |rng: &mut Rng| vec3(rng.range(-0.5, 0.5), rng.range(-0.5, 0.5), 0.0);
            let a = random_body(&mut rng, BodyKind::Planar);
            let in_a = Frame { pos: at(&mut rng), rot: spun(&mut rng) * rot };
            let in_b = Frame { pos: at(&mut rng), rot: spun(&mut rng) * rot };
            // The frames coincide at the start.
            let turn = (in_a.rot * in_b.rot.inverse()).twist_angle(Vec3::Z);
            let turned = a.rot * Quat::exp(vec3(0.0, 0.0, turn));
            let pos = a.pos + a.rot * in_a.pos - turned * in_b.pos;
            let b = Body { pos, rot: turned, ..random_body(&mut rng, BodyKind::Planar) };
            let mut parts = ModelBuilder::new(Gravity::new(1.0, -9.0, 0.0));
            let (a, b) = (parts.add_body(a), parts.add_body(b));
            parts.add_joint(Joint::between(kind(locks), a, in_a, b, in_b));
            let rows = (0..3).filter(|&i| i != n && locks.shift(i)).count() + locks.turn(n) as usize;
            let built = parts.build();
            if rows == 0 {
                let text = built.unwrap_err().to_string();
                assert!(text.contains("it would hold nothing"), "{text}");
                refused += 1;
                continue;
            }
            let model = Arc::new(built.unwrap());
            assert_eq!(model.counts().rows, rows, "{locks:?}, normal {n}");
            let mut state = model.initial_state().clone();
            let shift: Vec<f64> = (0..6).map(|_| rng.range(-0.2, 0.2)).collect();
            state.displace(&model, &shift);
            assert_solvers_agree(&model, &state, &format!("{locks:?}, normal {n}"));
            let mut sim = Simulation::new(model);
            sim.assemble().unwrap();
            assert_eq!(sim.diagnose().unwrap().unwrap().mobility(), Some(6 - rows), "{locks:?}, normal {n}");
            sim.run(0.2, 5e-4).unwrap();
            let (certificate, balance) = (sim.certificate(), sim.balance());
            // Projection ends at rounding of positions of some metres and speeds of some ten m/s;
            // energy has the truncation of RK4 at 0.5 ms.
            assert!(certificate.max_position_error < 1e-12, "{locks:?}: {certificate:?}");
            assert!(certificate.max_velocity_error < 1e-11, "{locks:?}: {certificate:?}");
            assert!(balance.energy_error < 1e-8, "{locks:?}: {balance:?}");
        }
    }
    // Of the six, three are in the plane: 7 masks of the other three, each way round.
    assert_eq!(refused, 3 * 7);
}

/// Shifts may be locked on a point mass, here on a swinging body: all solvers agree, and on a body
/// at rest it falls freely along the remaining line.
#[test]
fn a_point_mass_is_held_by_its_shifts() {
    for locks in Locks::all().filter(|locks| locks.turns() == 0 && locks.shifts() < 3) {
        for seed in 0..6 {
            let mut rng = Rng::new(seed);
            let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
            let body = random_body(&mut rng, BodyKind::Rigid);
            let in_a = frame(&mut rng);
            let pos = body.pos + body.rot * (in_a.pos + in_a.rot * random_pose_of_locks(&mut rng, locks).pos);
            let point = Body { pos, vel: rng.vector(2.0), ..Body::particle(0.3) };
            let hinge = body.pos + rng.vector(0.5);
            let (a, b) = (parts.add_body(body), parts.add_body(point));
            parts.add_joint(Joint::revolute(Ground, a, hinge, rng.direction()));
            parts.add_joint(Joint::between(kind(locks), a, in_a, b, Frame::default()));
            let model = Arc::new(parts.build().unwrap());
            assert_solvers_agree(&model, model.initial_state(), &format!("{locks:?}, seed {seed}"));
            let mut sim = Simulation::new(model);
            sim.assemble().unwrap();
            assert_eq!(sim.diagnose().unwrap().unwrap().mobility(), Some(4 - locks.shifts()));
            sim.run(0.2, 2e-4).unwrap();
            let (certificate, balance) = (sim.certificate(), sim.balance());
            // Projection ends at rounding of positions of some metres; energy has the truncation of
            // RK4 at 0.2 ms.
            assert!(certificate.max_position_error < 1e-12, "{locks:?}: {certificate:?}");
            assert!(balance.energy_error < 1e-8, "{locks:?}: {balance:?}");
        }
    }
    let mut parts = ModelBuilder::new(Gravity::new(3.0, -9.81, 2.0));
    let bead = parts.add_body(Body::particle(0.2));
    let line = Locks::new([true, false, true], [false; 3]);
    parts.add_joint(Joint::at(kind(line), Ground, bead, [0.0; 3], Vec3::Z));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(0.8, 1e-3).unwrap();
    let now = sim.evaluate().unwrap();
    // RK4 is exact for a parabola: 800 steps of rounding; the force is constant.
    assert!((now.body(BodyId::of_index(0)).position - vec3(0.0, -0.5 * 9.81 * 0.64, 0.0)).norm() < 1e-12);
    assert!((now.joint(JointId::of_index(0)).coordinates[0] + 0.5 * 9.81 * 0.64).abs() < 1e-12);
    assert!(
        (now.joint(JointId::of_index(0)).reaction.structural.force - vec3(-0.6, 0.0, -0.4)).norm() < 1e-14
    );
}
