//! Joint coordinates in place of poses: joints of the tree cannot open, and all results agree.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::End::Ground;
use cardan::math::{Quat, Vec3, vec3};
use cardan::step::step;
use cardan::{
    Body, BodyId, BodyKind, Constraint, ConstraintRows, Coordinates, Elimination, End, Force, ForceLaw,
    ForceOutput, Frame, FrameMotion, Gravity, Integrator, Joint, JointId, JointKind, JointSpring, Model,
    ModelBuilder, Settings, Simulation, SolidShape, SolverChoice, Stabilization, StepError, UserConstraint,
    Workspace,
};
use cardan_testkit::{MotionSpace, Parts, Rng, closed_tree, largest_difference, random_body};
use core::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

const PAIRS: [JointKind; 7] = [
    JointKind::Fixed,
    JointKind::Revolute,
    JointKind::Prismatic,
    JointKind::Cylindrical,
    JointKind::Universal,
    JointKind::Planar,
    JointKind::Spherical,
];

fn joints() -> Settings {
    Settings { coordinates: Coordinates::Joints, ..Settings::default() }
}

fn start(model: &Arc<Model>, settings: Settings) -> Simulation {
    Simulation::with_settings(model.clone(), settings).unwrap()
}

fn about_z(angle: f64) -> Quat {
    Quat::exp(vec3(0.0, 0.0, angle))
}

/// A pose of b's frame seen from a's that the joint allows.
fn allowed(rng: &mut Rng, kind: JointKind, planar: bool) -> Frame {
    let shift = rng.vector(0.4);
    let turn = about_z(rng.range(-3.0, 3.0));
    let (pos, rot) = match kind {
        JointKind::Revolute => (Vec3::ZERO, turn),
        JointKind::Prismatic => (vec3(0.0, 0.0, shift.z), Quat::IDENTITY),
        JointKind::Cylindrical if planar => (vec3(0.0, 0.0, shift.z), Quat::IDENTITY),
        JointKind::Cylindrical => (vec3(0.0, 0.0, shift.z), turn),
        JointKind::Universal => (Vec3::ZERO, turn * Quat::exp(vec3(shift.x, 0.0, 0.0))),
        // The plane's normal is y of a frame whose z lies in it: see `in_plane`.
        JointKind::Planar if planar => (vec3(shift.x, 0.0, 0.0), Quat::IDENTITY),
        JointKind::Planar => (vec3(shift.x, shift.y, 0.0), turn),
        JointKind::Spherical if planar => (Vec3::ZERO, turn),
        JointKind::Spherical => (Vec3::ZERO, rng.rotation()),
        _ => (Vec3::ZERO, Quat::IDENTITY),
    };
    Frame { pos, rot }
}

/// A frame on a planar body: z along the plane's normal, or, for sliders in the plane, y along the
/// normal.
fn in_plane(rng: &mut Rng, kind: JointKind) -> Frame {
    let slides = matches!(kind, JointKind::Prismatic | JointKind::Cylindrical | JointKind::Planar);
    let tilt = if slides { Quat::exp(vec3(-FRAC_PI_2, 0.0, 0.0)) } else { Quat::IDENTITY };
    let p = rng.vector(0.5);
    Frame { pos: vec3(p.x, p.y, 0.0), rot: about_z(rng.range(-3.0, 3.0)) * tilt }
}

/// A chain on the ground (or floating), joined by the given kinds in turn, closed at the start; the
/// child is b or a alternately.
fn chain(seed: u64, kinds: &[JointKind], body: BodyKind, floating: bool) -> Parts {
    let rng = &mut Rng::new(seed);
    let planar = body == BodyKind::Planar;
    let gravity = if planar { vec3(1.0, -9.0, 0.0) } else { vec3(1.0, -2.0, -9.0) };
    let mut parts = Parts { gravity, bodies: Vec::new(), joints: Vec::new() };
    let mut before = End::Ground;
    if floating {
        parts.bodies.push(random_body(rng, body));
        before = End::Body(BodyId::of_index(0));
    }
    for (i, &kind) in kinds.iter().enumerate() {
        let mut next = random_body(rng, body);
        let on = |rng: &mut Rng| {
            if planar { in_plane(rng, kind) } else { Frame { pos: rng.vector(0.4), rot: rng.rotation() } }
        };
        let (near, far) = (on(rng), on(rng));
        let between = allowed(rng, kind, planar);
        let (pos, rot) = parts.bodies.last().map_or((Vec3::ZERO, Quat::IDENTITY), |b| (b.pos, b.rot));
        let id = End::Body(BodyId::of_index(parts.bodies.len()));
        let (origin, frame_rot) = (pos + rot * near.pos, rot * near.rot);
        let joint = if i % 2 == 0 {
            next.rot = (frame_rot * between.rot * far.rot.inverse()).renormalized();
            next.pos = origin + frame_rot * between.pos - next.rot * far.pos;
            Joint::between(kind, before, near, id, far)
        } else {
            let rot_a = frame_rot * between.rot.inverse();
            next.rot = (rot_a * far.rot.inverse()).renormalized();
            next.pos = origin - rot_a * between.pos - next.rot * far.pos;
            Joint::between(kind, id, far, before, near)
        };
        if planar {
            next.rot = about_z(next.rot.twist_angle(Vec3::Z));
            next.pos.z = 0.0;
        }
        // Springs bound the sliding coordinates.
        let mut joint = joint;
        let free = if kind == JointKind::Spherical { 0 } else { kind.coordinates() };
        let spring =
            JointSpring { coordinate: 0, stiffness: 60.0, damping: 0.2, rest: 0.1, is_friction: false };
        joint.springs.extend((0..free).map(|coordinate| JointSpring { coordinate, ..spring }));
        parts.joints.push(joint);
        parts.bodies.push(next);
        before = id;
    }
    parts
}

/// Poses and velocities at the end of a run; a quaternion by its action on two vectors, since its
/// sign is arbitrary.
fn end_of(model: &Arc<Model>, settings: Settings, until: f64, h: f64) -> Vec<f64> {
    let mut sim = start(model, settings);
    sim.run(until, h).unwrap();
    let now = sim.kinematics();
    let mut out = Vec::new();
    for i in 0..model.bodies().len() {
        let at = now.body(BodyId::of_index(i));
        for v in [at.position, at.orientation * Vec3::X, at.orientation * Vec3::Y, at.velocity] {
            out.extend(v.to_array());
        }
        out.extend(at.angular_velocity.to_array());
    }
    for j in 0..model.joints().len() {
        let joint = now.joint(JointId::of_index(j));
        out.extend_from_slice(&joint.coordinates[..joint.count]);
        out.extend_from_slice(&joint.rates[..joint.count]);
    }
    out
}

/// The largest speed and reach in a mechanism: the scale of rounding of its joints.
fn sizes(sim: &mut Simulation) -> (f64, f64) {
    let n = sim.model().bodies().len();
    let now = sim.kinematics();
    (0..n).map(|i| now.body(BodyId::of_index(i))).fold((1.0, 1.0), |(reach, speed), at| {
        (reach.max(at.position.norm()), speed.max(at.velocity.norm()).max(at.angular_velocity.norm()))
    })
}

/// Runs steps, and checks after each that all rows are at rounding without projection.
fn holds_by_construction(sim: &mut Simulation, steps: usize, h: f64, what: &str) {
    sim.assemble().unwrap();
    let iterations = sim.diagnostics().work_counts().iterations;
    for k in 0..steps {
        let report = sim.step(h).unwrap();
        assert_eq!(report.rounds, 0, "{what}: step {k} was projected");
        if k % 100 == 0 || k + 1 == steps {
            // A row is the difference of two points or axes that are some products each: some ten
            // roundings of their sizes, arms of 1 m included.
            let (reach, speed) = sizes(sim);
            let bound = 32.0 * f64::EPSILON * (1.0 + reach);
            assert!(report.position_error <= bound, "{what}, step {k}: open by {:e}", report.position_error);
            let bound = bound * (1.0 + speed);
            assert!(report.velocity_error <= bound, "{what}, step {k}: parts at {:e}", report.velocity_error);
        }
    }
    assert_eq!(sim.diagnostics().work_counts().iterations, iterations, "{what}");
}

#[test]
fn joints_of_a_tree_hold_over_10_000_steps_without_a_round_of_projection() {
    for floating in [false, true] {
        let model = Arc::new(chain(3, &PAIRS, BodyKind::Rigid, floating).build().unwrap());
        let mut sim = start(&model, joints());
        holds_by_construction(&mut sim, 10_000, 1e-3, &format!("floating {floating}"));
    }
    let flat = [1, 2, 0, 5, 3, 6].map(|k| PAIRS[k]);
    let model = Arc::new(chain(4, &flat, BodyKind::Planar, false).build().unwrap());
    holds_by_construction(&mut start(&model, joints()), 10_000, 1e-3, "planar");
}

#[test]
fn every_pair_converges_to_the_motion_of_the_bodies_with_order_4() {
    let until = 0.25;
    for (body, kinds) in [(BodyKind::Rigid, &PAIRS[..]), (BodyKind::Planar, &PAIRS[..])] {
        for &kind in kinds.iter().filter(|&&k| body == BodyKind::Rigid || k != JointKind::Universal) {
            // Twice, so that the child is b once and a once; and a hinge or weld, so that the
            // parent moves.
            let model = Arc::new(chain(11, &[kind, kind, JointKind::Revolute], body, false).build().unwrap());
            let exact = end_of(&model, Settings::default(), until, until / 4096.0);
            let error =
                |n: u32| largest_difference(&end_of(&model, joints(), until, until / n as f64), &exact);
            let (coarse, fine, finest) = (error(128), error(256), error(1024));
            let order = (coarse / fine).log2();
            println!("{body} {kind}: {coarse:.2e} → {fine:.2e} → {finest:.2e}, order {order:.2}");
            // A step 8 times finer gives an error 4096 times smaller; a third of that is allowed
            // for higher terms.
            assert!(finest < coarse / 1400.0 + 1e-11, "{body} {kind}: another motion, by {finest:e}");
            // Below this the error is rounding rather than truncation.
            assert!(coarse < 1e-10 || (order > 3.8 && order < 4.6), "{body} {kind}: order {order}");
        }
    }
}

#[test]
fn integrators_keep_their_order() {
    let kinds = [JointKind::Spherical, JointKind::Universal, JointKind::Revolute, JointKind::Spherical];
    let model = Arc::new(chain(5, &kinds, BodyKind::Rigid, false).build().unwrap());
    let until = 0.25;
    let exact = end_of(&model, joints(), until, until / 8192.0);
    for (integrator, divisions, order) in [
        (Integrator::ExplicitEuler, 4096, 1.0),
        (Integrator::SemiImplicitEuler, 4096, 1.0),
        (Integrator::Rk4, 128, 4.0),
    ] {
        let settings = Settings { integrator, ..joints() };
        let error = |n: u32| largest_difference(&end_of(&model, settings, until, until / n as f64), &exact);
        let (coarse, fine) = (error(divisions), error(2 * divisions));
        let measured = (coarse / fine).log2();
        println!("{integrator:?}: {coarse:e} → {fine:e}, order {measured:.3}");
        assert!((measured - order).abs() < 0.17, "{integrator:?}: order {measured}, not {order}");
    }
}

#[test]
fn trees_of_anything_move_as_they_do_by_their_poses() {
    // Rods, beads and particles have no coordinates that determine a body's pose: they keep poses,
    // and joints beyond the lower pairs are projected.
    for world in [MotionSpace::Rigid, MotionSpace::Space, MotionSpace::Flat] {
        for seed in 0..12 {
            let rng = &mut Rng::new(100 + seed);
            let parts = closed_tree(rng, 7, world, seed % 3 == 0);
            let model = Arc::new(parts.build().unwrap());
            let until = 0.05;
            let bodies = end_of(&model, Settings::default(), until, until / 256.0);
            let by_joints = end_of(&model, joints(), until, until / 256.0);
            let off = largest_difference(&bodies, &by_joints);
            // Two methods of order 4, whose errors differ.
            let rough = end_of(&model, Settings::default(), until, until / 128.0);
            let truncation = largest_difference(&bodies, &rough);
            assert!(off <= 8.0 * truncation + 1e-11, "{world:?} {seed}: {off:e}, truncation {truncation:e}");
            let mut sim = start(&model, joints());
            sim.run(0.1, 1e-3).unwrap();
            let (reach, speed) = sizes(&mut sim);
            let c = sim.certificate();
            // Projection of loops, and construction of the rest, end at rounding of reach and
            // speed.
            assert!(c.max_position_error < 1e-13 * (1.0 + reach), "{world:?} {seed}: {c:?}");
            assert!(c.max_velocity_error < 1e-13 * (1.0 + reach) * (1.0 + speed), "{world:?} {seed}: {c:?}");
        }
    }
}

#[test]
fn the_solver_makes_no_difference() {
    let model = Arc::new(chain(8, &PAIRS, BodyKind::Rigid, false).build().unwrap());
    let fast = end_of(&model, joints(), 0.2, 1e-3);
    for settings in [
        Settings { elimination: Elimination::Rows, ..joints() },
        Settings { solver: SolverChoice::Dense, ..joints() },
        Settings { stabilization: Stabilization::None, ..joints() },
        Settings { stabilization: Stabilization::baumgarte(1e-3), ..joints() },
    ] {
        let other = end_of(&model, settings, 0.2, 1e-3);
        let off = largest_difference(&fast, &other);
        // The same motion by another solver: rounding, which 200 steps of a chaotic chain amplify.
        assert!(off < 1e-9, "{settings:?}: {off:e}");
    }
}

#[test]
fn a_chain_of_100_balls_does_not_drift() {
    let model = Arc::new(chain(21, &[JointKind::Spherical; 100], BodyKind::Rigid, false).build().unwrap());
    let mut sim = start(&model, joints());
    sim.assemble().unwrap();
    let h = 2e-4;
    let mut worst: f64 = 0.0;
    for _ in 0..2000 {
        let report = sim.step(h).unwrap();
        assert_eq!(report.rounds, 0);
        worst = worst.max(report.position_error);
    }
    let (reach, _) = sizes(&mut sim);
    println!("100 balls: open by {worst:e}, reach {reach}, balance {:?}", sim.balance());
    assert!(worst < 16.0 * f64::EPSILON * reach, "open by {worst:e} in a reach of {reach} m");
}

#[test]
fn a_hinge_counts_thousands_of_turns_exactly() {
    let axis = vec3(2.0, -1.0, 2.0) / 3.0;
    let (h, omega) = (1e-3, 700.0);
    for planar in [false, true] {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let axis = if planar { Vec3::Z } else { axis };
        let body = if planar {
            Body::planar(1.0, 0.4)
        } else {
            Body::solid(SolidShape::Sphere { radius: 1.0 }, 1.0)
        };
        let wheel = parts.add_body(Body { omega: axis * omega, ..body });
        parts.add_joint(Joint::revolute(Ground, wheel, [0.0; 3], axis));
        let mut sim = start(&Arc::new(parts.build().unwrap()), joints());
        for k in 1..=12_000 {
            sim.step(h).unwrap();
            let angle = sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
            let expected = omega * h * k as f64;
            // The sum of k equal steps: a rounding of the sum each, and the angle shown is one turn
            // of the pose.
            let rounding = f64::EPSILON * expected * (2.0 + 0.5 * k as f64);
            assert!(
                (angle - expected).abs() < rounding,
                "planar {planar}: {angle}, not {expected}, step {k}"
            );
        }
        assert!(sim.kinematics().joint(JointId::of_index(0)).coordinates[0] > 2.0 * PI * 1300.0);
    }
}

#[test]
fn energy_is_kept_as_well_as_with_poses() {
    // Two rods started upright with enough energy to turn over repeatedly, 1e5 steps.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let down = Quat::from_axis_angle(vec3(0.0, 1.0, 0.0), FRAC_PI_2).unwrap();
    let omega = vec3(0.0, 9.0, 0.0);
    let rod = |z: f64| {
        let (pos, vel) = (vec3(0.0, 0.0, z), omega.cross(vec3(0.0, 0.0, z)));
        Body { pos, rot: down, omega, vel, ..Body::rod(1.0, 1.0, 0.02) }
    };
    let (upper, lower) = (parts.add_body(rod(-0.5)), parts.add_body(rod(-1.5)));
    parts.add_joint(Joint::revolute(Ground, upper, [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
    parts.add_joint(Joint::revolute(upper, lower, [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]));
    let model = Arc::new(parts.build().unwrap());
    let mut sim = start(&model, joints());
    let before = sim.energy().mechanical();
    holds_by_construction(&mut sim, 100_000, 1e-3, "double pendulum");
    let off = (sim.energy().mechanical() - before).abs();
    println!("energy off by {off:e} J of {before}; {:?}", sim.balance());
    // With poses it is 2.5e-8 J (`laws/long_runs.rs`); the error differs but has the same order.
    assert!(off < 2.5e-7, "energy off by {off:e} J");
    let balance = sim.balance();
    assert!(balance.momentum_error < 1e-8, "{balance:?}");
}

#[test]
fn poses_off_the_joints_are_assembled_first() {
    let mut parts = chain(2, &[JointKind::Spherical, JointKind::Universal], BodyKind::Rigid, false);
    parts.bodies[1].pos += vec3(0.02, -0.03, 0.01);
    let model = Arc::new(parts.build().unwrap());
    // The same start as with poses, for every stabilisation.
    let mut bodies = start(&model, Settings::default());
    bodies.assemble().unwrap();
    for stabilization in [Stabilization::Projection, Stabilization::None] {
        let mut sim = start(&model, Settings { stabilization, ..joints() });
        assert!(sim.kinematics().position_errors().iter().any(|c| c.abs() > 1e-3));
        sim.assemble().unwrap();
        let off = largest_difference(sim.state().coordinates(), bodies.state().coordinates());
        // Assembly is the same for all: equal bits but for the order of some operations.
        assert!(off < 1e-14, "assembled elsewhere by {off:e}");
        holds_by_construction(&mut sim, 100, 1e-3, "assembled");
    }
    // The free function does so, too.
    let mut state = model.initial_state().clone();
    let mut work = Workspace::new(&model, &joints()).unwrap();
    let report = step(&model, &joints(), &mut state, 1e-3, &mut work).unwrap();
    assert!(report.position_error < 1e-14, "{report:?}");
    let mut sim = start(&model, joints());
    sim.step(1e-3).unwrap();
    assert_eq!(sim.state_hash(), state.hash(&model));
}

/// A four-bar in an oblique plane: crank, coupler, rocker on hinges; the last hinge closes the
/// loop.
fn four_bar() -> Arc<Model> {
    let turn = Quat::exp(vec3(0.3, -0.5, 0.7));
    let at = |x: f64, y: f64| turn * vec3(x, y, 0.0);
    let points = [at(0.0, 0.0), at(0.0, 0.4), at(1.2, 1.0), at(1.4, 0.0)];
    let axis = turn * Vec3::Z;
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let ids: Vec<BodyId> = (0..3)
        .map(|i| {
            let (a, b) = (points[i], points[i + 1]);
            let x = (b - a).normalized().unwrap();
            let frame = cardan::math::Mat3::from_columns(x, axis.cross(x), axis);
            let body = Body::rod(1.0 + i as f64, (b - a).norm(), 0.02);
            parts.add_body(Body { pos: (a + b) * 0.5, rot: Quat::from_matrix(&frame), ..body })
        })
        .collect();
    parts.add_joint(Joint::revolute(Ground, ids[0], points[0], axis));
    parts.add_joint(Joint::revolute(ids[0], ids[1], points[1], axis));
    parts.add_joint(Joint::revolute(ids[1], ids[2], points[2], axis));
    parts.add_joint(Joint::revolute(ids[2], Ground, points[3], axis));
    Arc::new(parts.build().unwrap())
}

#[test]
fn a_four_bar_stays_closed_and_moves_as_it_does_by_poses() {
    let model = four_bar();
    let mut sim = start(&model, joints());
    let before = sim.energy().mechanical();
    sim.run(10.0, 1e-3).unwrap();
    let c = sim.certificate();
    let off = (sim.energy().mechanical() - before).abs();
    println!("{c:?}, energy off by {off:e}, {:?}", sim.diagnostics().work_counts());
    // The loop's projection ends at rounding over the remaining sine of the four-bar.
    assert!(c.max_position_error < 1e-10 && c.max_velocity_error < 1e-10, "{c:?}");
    // Truncation of RK4 at 1 ms over 10 s.
    assert!(off < 1e-7, "energy off by {off:e} J");
    let until = 0.5;
    let exact = end_of(&model, Settings::default(), until, until / 2048.0);
    let error = |n: u32| largest_difference(&end_of(&model, joints(), until, until / n as f64), &exact);
    let (coarse, fine) = (error(64), error(128));
    println!("four-bar: {coarse:e} → {fine:e}");
    // Order 4, with some allowance for higher terms, or rounding.
    assert!((coarse / fine).log2() > 3.5 || fine < 1e-11, "{coarse:e} → {fine:e}");
}

/// A point that is driven up and down, z = 0.3 sin t.
#[derive(Debug)]
struct Led;

impl Constraint for Led {
    fn rows(&self) -> usize {
        1
    }
    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        out.err[0] = frames[0].pos.z - 0.3 * time.sin();
        out.err_time_rate[0] = -0.3 * time.cos();
        out.gradient(0, 0).force = Vec3::Z;
        out.jac_dot_v[0] = 0.3 * time.sin();
    }
}

#[test]
fn a_hinge_in_joint_coordinates_follows_a_user_constraint() {
    // The tip of a rod on a hinge is driven: the angle has a closed form, and the hinge's
    // coordinate must equal it.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
    parts.add_joint(Joint::revolute(Ground, rod, [0.0; 3], [0.0, 1.0, 0.0]));
    let frames = vec![(End::Body(rod), Frame::at([0.5, 0.0, 0.0]))];
    parts.add_constraint(UserConstraint { name: "led".into(), frames, rule: Arc::new(Led) });
    let mut sim = start(&Arc::new(parts.build().unwrap()), joints());
    for _ in 0..5000 {
        sim.step(1e-3).unwrap();
        let (t, joint) = (sim.time(), sim.kinematics().joint(JointId::of_index(0)));
        let angle = -(0.3 * t.sin()).asin();
        let rate = -0.3 * t.cos() / angle.cos();
        let off = (joint.coordinates[0] - angle).abs().max((joint.rates[0] - rate).abs());
        // The angle is prescribed by a constraint: rounding.
        assert!(off < 1e-14, "t = {t}: off by {off:e}");
    }
    let balance = sim.balance();
    // The work of the constraint is integrated by RK4 at 1 ms and 1 rad/s.
    assert!(balance.energy_error < 1e-10, "the work of leading is booked: {balance:?}");
}

#[test]
fn two_joints_between_the_same_bodies_hold_both() {
    // A pin in a slot: the planar joint leaves three freedoms, the hinge one; the rod parallel to
    // them closes a loop of two.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
    let next = parts.add_body(Body { pos: vec3(1.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
    parts.add_joint(Joint::spherical(Ground, rod, [0.0; 3]));
    parts.add_joint(Joint::planar(rod, next, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
    parts.add_joint(Joint::spherical(rod, next, [1.0, 0.0, 0.0]));
    let model = Arc::new(parts.build().unwrap());
    let mut sim = start(&model, joints());
    sim.run(2.0, 1e-3).unwrap();
    let c = sim.certificate();
    // Projection ends at rounding.
    assert!(c.max_position_error < 1e-12 && c.max_velocity_error < 1e-12, "{c:?}");
    let off = largest_difference(
        &end_of(&model, Settings::default(), 1.0, 5e-4),
        &end_of(&model, joints(), 1.0, 5e-4),
    );
    // Both have the truncation of RK4 at 0.5 ms, in different coordinates.
    assert!(off < 1e-9, "another motion, by {off:e}");
}

#[test]
fn snapshots_continue_bit_for_bit_and_a_new_workspace_changes_nothing() {
    let kinds = [JointKind::Spherical, JointKind::Revolute, JointKind::Universal, JointKind::Cylindrical];
    for model in [Arc::new(chain(6, &kinds, BodyKind::Rigid, true).build().unwrap()), four_bar()] {
        let mut sim = start(&model, joints());
        let on = |sim: &mut Simulation, steps: usize| {
            for _ in 0..steps {
                sim.step(1e-3).unwrap();
            }
        };
        on(&mut sim, 300);
        let snapshot = sim.state().clone();
        on(&mut sim, 300);
        // Another simulation, from the middle of the run.
        let mut other = start(&model, joints());
        other.restore(&snapshot).unwrap();
        on(&mut other, 300);
        assert_eq!(sim.state(), other.state());
        // The same simulation, restored.
        sim.restore(&snapshot).unwrap();
        on(&mut sim, 300);
        assert_eq!(sim.state(), other.state());
        // A workspace of its own for every step.
        let mut state = snapshot.clone();
        for _ in 0..300 {
            let mut work = Workspace::new(&model, &joints()).unwrap();
            step(&model, &joints(), &mut state, 1e-3, &mut work).unwrap();
        }
        assert_eq!(state, *other.state());
        // States can be used in both modes; the poses define them.
        let mut bodies = start(&model, Settings::default());
        bodies.restore(&snapshot).unwrap();
        on(&mut bodies, 100);
        let mut back = start(&model, joints());
        back.restore(bodies.state()).unwrap();
        on(&mut back, 200);
        let off = largest_difference(back.state().coordinates(), state.coordinates());
        // 100 steps in poses have another truncation than 100 in joint coordinates; the rest of the
        // run amplifies it.
        assert!(off < 1e-6, "off by {off:e}");
    }
}

/// Pushes until a given time and then returns NaN.
#[derive(Debug)]
struct Breaks(f64);

impl ForceLaw for Breaks {
    fn apply(&self, time: f64, _frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        let x = if time > self.0 { f64::NAN } else { 1.0 };
        out.wrench[0].force = vec3(x, 0.0, 0.0);
    }
}

#[test]
fn a_failed_step_leaves_the_state_alone() {
    // Fails between the start and the end of a step, the first one and a later one.
    for at in [0.4e-3, 10.4e-3] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
        parts.add_joint(Joint::between(
            JointKind::Spherical,
            Ground,
            Frame::default(),
            rod,
            Frame::at([-0.6, 0.0, 0.0]),
        ));
        parts.add_force(Force::user(vec![(End::Body(rod), Frame::default())], Breaks(at)));
        let mut sim = start(&Arc::new(parts.build().unwrap()), joints());
        let mut before = sim.state().clone();
        let error = loop {
            match sim.step(1e-3) {
                Ok(_) => before = sim.state().clone(),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, StepError::ForceNotFinite { .. }), "{error}");
        assert_eq!(*sim.state(), before);
        assert!(sim.step(1e-3).is_err());
        assert_eq!(*sim.state(), before);
    }
}

#[test]
fn a_changed_state_is_read_again() {
    let model = Arc::new(
        chain(9, &[JointKind::Revolute, JointKind::Spherical], BodyKind::Rigid, false).build().unwrap(),
    );
    let mut sim = start(&model, joints());
    sim.run(0.1, 1e-3).unwrap();
    let mut state = sim.state().clone();
    state.velocities_mut().iter_mut().for_each(|v| *v = 0.0);
    sim.restore(&state).unwrap();
    assert_eq!(sim.energy().kinetic, 0.0);
    sim.step(1e-6).unwrap();
    // In 1 µs gravity gives 10 µm/s: 1e-10 J per kilogram; old rates would be joules.
    assert!(sim.energy().kinetic < 1e-6, "the old rates came back: {:?}", sim.energy());
    assert_eq!(sim.state().coordinates().len(), state.coordinates().len());
}

#[test]
fn integrators_without_joint_coordinates_refuse_them() {
    let model = four_bar();
    let mut sim = start(&model, Settings { integrator: Integrator::Rattle, ..joints() });
    let before = sim.state().clone();
    let error = sim.step(1e-3).unwrap_err();
    assert_eq!(error, StepError::NotForJoints { integrator: Integrator::Rattle });
    assert_eq!(*sim.state(), before);
}

#[test]
fn adaptive_steps_that_fail_leave_the_state_alone_and_rejected_ones_no_trace() {
    // A force that fails within a step: steps are reduced to the limit, and the state is the last
    // valid one.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
    parts.add_joint(Joint::spherical(Ground, rod, [0.0; 3]));
    parts.add_force(Force::user(vec![(End::Body(rod), Frame::default())], Breaks(0.1)));
    let model = Arc::new(parts.build().unwrap());
    let settings = Settings { integrator: Integrator::Dopri5, ..joints() };
    let mut sim = start(&model, settings);
    sim.step(0.05).unwrap();
    let before = sim.state().clone();
    let error = sim.step(0.1).unwrap_err();
    assert!(matches!(error, StepError::ForceNotFinite { .. }), "{error}");
    assert_eq!(*sim.state(), before);
    let mut fresh = start(&model, settings);
    fresh.restore(&before).unwrap();
    for sim in [&mut sim, &mut fresh] {
        sim.step(0.04).unwrap();
    }
    assert_eq!(sim.state(), fresh.state());
}
