//! Constraints on velocities: gears and knife edges. J against the motion of material points, J̇v
//! against finite differences, power, freedoms, roles.

use super::{common, matches_differences};
use cardan::constraint::{Gear, KnifeEdge};
use cardan::math::{Quat, Vec3, vec3};
use cardan::solve::Role;
use cardan::{
    Body, BodyId, BodyKind, Constraint, ConstraintId, End, Frame, Gravity, Joint, JointId, Model,
    ModelBuilder, Simulation, SolidShape, State, UserConstraint,
};
use cardan_testkit::{Rng, random_body, slopes};
use std::sync::Arc;

/// A constraint on bodies of random kinds, `None` for the ground, in random poses and in motion. In
/// the plane its frames are `upright`, turned in the plane.
pub(crate) fn random_model(
    rng: &mut Rng,
    kinds: &[Option<BodyKind>],
    upright: Quat,
    rule: impl Constraint + 'static,
) -> (Arc<Model>, Vec<Frame>) {
    let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
    let frames: Vec<(End, Frame)> = kinds
        .iter()
        .map(|kind| {
            let end = kind.map_or(End::Ground, |kind| parts.add_body(random_body(rng, kind)).into());
            // In the plane the normal stays the normal.
            let planar = kinds.iter().flatten().all(|kind| kind.is_planar());
            let rot = if planar {
                Quat::exp(vec3(0.0, 0.0, rng.range(-3.0, 3.0))) * upright
            } else {
                rng.rotation()
            };
            let pos = rng.vector(0.5);
            (end, Frame { pos: if planar { vec3(pos.x, pos.y, 0.0) } else { pos }, rot })
        })
        .collect();
    let locals = frames.iter().map(|(_, frame)| *frame).collect();
    parts.add_constraint(UserConstraint { name: "rule".into(), frames, rule: Arc::new(rule) });
    (Arc::new(parts.build().unwrap()), locals)
}

/// Position and orientation of the frames of the only constraint after a displacement from the
/// start.
pub(crate) fn poses(model: &Arc<Model>, locals: &[Frame], shift: &[f64]) -> Vec<(Vec3, Quat)> {
    let mut state: State = model.initial_state().clone();
    state.displace(model, shift);
    let mut sim = Simulation::new(model.clone());
    sim.restore(&state).unwrap();
    let now = sim.kinematics();
    model.constraints()[0]
        .bodies()
        .zip(locals)
        .zip(now.constraint_points(ConstraintId::of_index(0)))
        .map(|((body, local), pos)| {
            let rot = body.map_or(Quat::IDENTITY, |body| now.body(body).orientation);
            (pos, rot * local.rot)
        })
        .collect()
}

/// Compares `rows` of J with derivatives of numbers along displacements.
pub(crate) fn rows_are_slopes(
    model: &Arc<Model>,
    rows: core::ops::Range<usize>,
    what: &str,
    of: impl Fn(&[f64]) -> Vec<f64>,
) {
    let mut sim = Simulation::new(model.clone());
    let (_, jac) = common::dense(sim.evaluate().unwrap().system());
    let n = model.counts().coordinates;
    for c in 0..n {
        let slope = slopes(|t| {
            let mut shift = vec![0.0; n];
            shift[c] = t;
            of(&shift)
        });
        assert_eq!(slope.len(), rows.len());
        for (r, slope) in rows.clone().zip(slope) {
            // Differences of fourth order: ε⁴ f⁽⁵⁾/30 + rounding/ε at ε = 2e-4.
            assert!(
                (slope - jac[(r, c)]).abs() < 1e-9,
                "{what}: J[{r}][{c}]: {slope} is not {}",
                jac[(r, c)]
            );
        }
    }
}

/// Closed, with forces on all freedoms: the load of the constraint does no work. False if it has no
/// load.
pub(crate) fn is_workless(model: &Arc<Model>, what: &str) -> bool {
    let mut sim = Simulation::new(model.clone());
    sim.assemble().unwrap_or_else(|e| panic!("{what}: {e}"));
    let now = sim.evaluate().unwrap();
    let worst = now.velocity_errors().iter().fold(0.0, |w: f64, e| w.max(e.abs()));
    // Projection ends at rounding of speeds of about one.
    assert!(worst < 1e-13, "{what}: velocities are off by {worst:e}");
    let (mut power, mut size) = (0.0, 0.0);
    for load in now.constraint_loads(ConstraintId::of_index(0)) {
        let Some(body) = load.body else { continue };
        let motion = now.body(body);
        // At the centre of mass.
        power += load.wrench.force.dot(motion.velocity) + load.wrench.torque.dot(motion.angular_velocity);
        size += load.wrench.force.norm() * motion.velocity.norm()
            + load.wrench.torque.norm() * motion.angular_velocity.norm();
    }
    // A sum of products that cancel, with arms of some metres.
    assert!(power.abs() <= 1e-12 * size, "{what}: a power of {power:e} beside {size:e}");
    size > 0.0
}

/// Number of freedoms that J leaves.
pub(crate) fn freedoms(model: &Arc<Model>) -> usize {
    let mut sim = Simulation::new(model.clone());
    let (_, jac) = common::dense(sim.evaluate().unwrap().system());
    model.counts().coordinates - jac.rank(1e-9)
}

pub(crate) const ENDS: [Option<BodyKind>; 3] = [None, Some(BodyKind::Planar), Some(BodyKind::Rigid)];

#[test]
fn a_gear_is_a_ratio_of_speeds_on_every_body_that_turns() {
    for seed in 0..6 {
        for (a, b) in ENDS.into_iter().flat_map(|a| ENDS.map(|b| (a, b))).filter(|(_, b)| b.is_some()) {
            let mut rng = Rng::new(seed);
            for third in [false, true] {
                let kinds: Vec<_> =
                    [a, b].into_iter().chain(third.then_some(Some(BodyKind::Rigid))).collect();
                let ratios = [20.0, -50.0, 30.0];
                let rule = Gear::new(ratios[..kinds.len()].to_vec()).unwrap();
                let (model, locals) = random_model(&mut rng, &kinds, Quat::IDENTITY, rule);
                let what = format!("gear on {kinds:?}, seed {seed}");
                matches_differences(&model, model.initial_state(), &what);
                // A small turn δ about the axis moves x of the frame to y by δ.
                let start = poses(&model, &locals, &vec![0.0; model.counts().coordinates]);
                rows_are_slopes(&model, 0..1, &what, |shift| {
                    let now = poses(&model, &locals, shift);
                    // Relative to the largest ratio.
                    let turn = |k: usize| (now[k].1 * Vec3::X).dot(start[k].1 * Vec3::Y) * ratios[k] / 50.0;
                    vec![(0..kinds.len()).map(turn).sum()]
                });
                // Weight has no torque: in the plane the gear has no load.
                assert!(is_workless(&model, &what) || kinds.iter().flatten().all(|kind| kind.is_planar()));
                assert_eq!(freedoms(&model), model.counts().coordinates - 1, "{what}");
                let apart = kinds.iter().flatten().count() > 2;
                let role = if apart { Role::Auxiliary } else { Role::Primary };
                assert_eq!(model.constraint_role(ConstraintId::of_index(0)), Some(role), "{what}");
            }
        }
    }
}

#[test]
fn ratios_that_cannot_be_are_refused_by_number() {
    assert_eq!(Gear::new(vec![1.0, 0.0]).err(), Some(1));
    assert_eq!(Gear::new(vec![f64::NAN, 1.0]).err(), Some(0));
    assert_eq!(Gear::new(vec![1.0, 2.0, f64::INFINITY]).err(), Some(2));
}

#[test]
fn a_knife_edge_keeps_its_point_from_sliding_sideways_on_ground_and_bodies() {
    for seed in 0..8 {
        for (a, b) in ENDS.into_iter().flat_map(|a| ENDS.map(|b| (a, b))).filter(|(_, b)| b.is_some()) {
            let mut rng = Rng::new(seed);
            let (model, locals) = random_model(&mut rng, &[a, b], Quat::IDENTITY, KnifeEdge);
            let what = format!("knife edge on {a:?} and {b:?}, seed {seed}");
            matches_differences(&model, model.initial_state(), &what);
            // The material point of a under the edge, and the edge.
            let start = poses(&model, &locals, &vec![0.0; model.counts().coordinates]);
            let side = start[1].1 * Vec3::Y;
            let under = start[0].1.inverse() * (start[1].0 - start[0].0);
            rows_are_slopes(&model, 0..1, &what, |shift| {
                let now = poses(&model, &locals, shift);
                vec![side.dot(now[1].0 - now[0].0 - now[0].1 * under)]
            });
            assert!(is_workless(&model, &what), "{what}: nothing is exerted");
            assert_eq!(freedoms(&model), model.counts().coordinates - 1, "{what}");
            assert_eq!(model.constraint_role(ConstraintId::of_index(0)), Some(Role::Primary), "{what}");
        }
    }
}

/// Two perpendicular rotors, each on its own hinge of a floating frame, 2 : 1 in world axes: the
/// ratio holds to rounding, and energy is conserved. The torques of a gear without a housing do not
/// cancel; their sum is booked as external.
#[test]
fn two_free_rotors_keep_two_to_one() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let solid = |size: [f64; 3]| Body::solid(SolidShape::Box { size }, 2.0);
    let frame = parts.add_body(Body { omega: vec3(0.3, 1.0, -0.7), ..solid([0.5, 0.4, 0.3]) });
    let mut rotor = |x: f64, axis: Vec3, speed: f64| {
        let pos = vec3(x, 0.0, 0.0);
        let body = parts.add_body(Body { pos, omega: axis * speed, ..solid([0.1, 0.2, 0.15]) });
        parts.add_joint(Joint::revolute(frame, body, pos, axis));
        let rot = Quat::with_z_along(axis, None).unwrap();
        (End::from(body), Frame { pos: Vec3::ZERO, rot })
    };
    let frames = vec![rotor(0.4, Vec3::Z, 3.0), rotor(-0.4, vec3(0.6, 0.8, 0.0), 6.0)];
    let rule = std::sync::Arc::new(Gear::new(vec![2.0, -1.0]).unwrap());
    parts.add_constraint(UserConstraint { name: "gear".into(), frames, rule });
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    let energy = sim.energy().mechanical();
    let mut worst: f64 = 0.0;
    for _ in 0..1000 {
        sim.step(1e-3).unwrap();
        worst = worst.max(sim.kinematics().velocity_errors().iter().fold(0.0, |w: f64, e| w.max(e.abs())));
    }
    // Projection ends at rounding of speeds of some rad/s; energy and momentum have the truncation
    // of RK4 at 1 ms.
    assert!(worst < 1e-12, "the ratio is off by {worst:e}");
    assert!(sim.balance().momentum_error < 1e-9, "{:?}", sim.balance());
    assert!((sim.energy().mechanical() - energy).abs() < 1e-9, "{:e}", sim.energy().mechanical() - energy);
}

/// Orientations by laws: rows against finite differences with time passing, also away from the law;
/// a body turned about one axis moves as a driven hinge.
#[test]
fn an_orientation_follows_its_laws_and_one_about_an_axis_is_a_driven_hinge() {
    use cardan::constraint::{Orient, OrientError, Turn};
    use cardan::{DriveMode, Law};
    let turn = |axis: Vec3, text: &str| Turn { axis, law: Law::expression(text).unwrap() };
    for seed in 0..4 {
        for a in [None, Some(BodyKind::Rigid)] {
            let turns = vec![
                turn(vec3(0.0, 0.0, 2.0), "0.3 + 0.7*sin(2*t)"),
                turn(vec3(1.0, 0.2, 0.0), "t^2"),
                turn(vec3(0.0, 1.0, 1.0), "0.5*cos(3*t)"),
            ];
            let rule = Orient::new(turns).unwrap();
            let kinds = [a, Some(BodyKind::Rigid)];
            let (model, _) = random_model(&mut Rng::new(seed), &kinds, Quat::IDENTITY, rule);
            let mut start = model.initial_state().clone();
            start.time = 0.37;
            matches_differences(&model, &start, &format!("orientation of {a:?}, seed {seed}"));
            assert_eq!(freedoms(&model), model.counts().coordinates - 3);
        }
    }
    // About one axis of a body on a ball joint: motion and torque equal those of a hinge driven by
    // the same law.
    let law = "0.8*t^2*sin(3*t)";
    let pos = vec3(0.3, 0.1, 0.2);
    let shape = || Body { pos, ..Body::solid(SolidShape::Box { size: [0.5, 0.2, 0.1] }, 2.0) };
    let gravity = || Gravity::new(0.0, 0.0, -9.81);
    let mut parts = ModelBuilder::new(gravity());
    let body = parts.add_body(shape());
    parts.add_joint(Joint::spherical(End::Ground, body, Vec3::ZERO));
    let frames = vec![(End::Ground, Frame::default()), (body.into(), Frame::default())];
    let rule = std::sync::Arc::new(Orient::new(vec![turn(Vec3::Y, law)]).unwrap());
    parts.add_constraint(UserConstraint { name: "aim".into(), frames, rule });
    let mut ball = Simulation::new(parts.build().unwrap());
    let mut parts = ModelBuilder::new(gravity());
    let body = parts.add_body(shape());
    let hinge = Joint::revolute(End::Ground, body, Vec3::ZERO, Vec3::Y);
    parts.add_joint(hinge.driven(0, DriveMode::Position, Law::expression(law).unwrap()));
    let mut hinge = Simulation::new(parts.build().unwrap());
    for sim in [&mut ball, &mut hinge] {
        sim.assemble().unwrap();
        sim.run(1.0, 1e-3).unwrap();
    }
    let places = [&mut ball, &mut hinge].map(|sim| sim.kinematics().body(BodyId::of_index(0)).position);
    // The pose follows one law in both: rounding. Work and torque have the truncation of RK4, in
    // different constraints.
    assert!((places[0] - places[1]).largest() < 1e-12, "{places:?}");
    let work = [ball.energy().work, hinge.energy().work];
    assert!((work[0] - work[1]).abs() < 1e-9, "{work:?}");
    let torque =
        ball.evaluate().unwrap().constraint_loads(ConstraintId::of_index(0)).nth(1).unwrap().at_frame.torque;
    let now = hinge.evaluate().unwrap();
    let driven = now.joint(JointId::of_index(0)).reaction.total().torque;
    assert!((torque - driven).largest() < 1e-9, "{torque:?} is not {driven:?}");

    assert_eq!(Orient::new(Vec::new()), Err(OrientError::Count(0)));
    assert_eq!(Orient::new(vec![turn(Vec3::ZERO, "t")]), Err(OrientError::Axis(0)));
    let kink = Orient::new(vec![turn(Vec3::X, "t"), turn(Vec3::Y, "abs(t - 1)")]);
    assert!(matches!(kink, Err(OrientError::NotSmooth { turn: 1, .. })), "{kink:?}");
}
