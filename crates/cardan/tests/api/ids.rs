//! Ids: what is added is read by what adding returned, and nothing is taken for a part of another model.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::constraint::{Coupler, CouplerEquation, CouplerTerm};
use cardan::inequality::{HalfSpace, InequalityOrigin};
use cardan::math::{Quat, Vec3};
use cardan::prelude::*;
use cardan::step::{EventKind, EventSubject};
use cardan::{
    BodyId, BuildError, ContactShape, Event, Frame, Goal, Impulse, Inequality, InequalityId, JointId,
    JointLimit, Material, Probe, Shape, TimedImpulse,
};

struct Pendulum {
    sim: Simulation,
    rod: BodyId,
    hinge: JointId,
    tip: cardan::ProbeId,
    wall: InequalityId,
}

/// A rod on a hinge with a limit, a wall, a probe, a shape and two impulses, the later one first.
fn pendulum() -> Pendulum {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) }.named("rod"));
    let mut hinge = Joint::revolute(Ground, rod, [0.0; 3], [0.0, 1.0, 0.0]).named("hinge");
    hinge.limits.push(JointLimit { coordinate: 0, low: -3.0, high: 3.0, restitution: 0.0 });
    let hinge = parts.add_joint(hinge);
    let tip = parts.add_probe(Probe { name: "tip".into(), body: rod.into(), point: vec3(0.5, 0.0, 0.0) });
    let plane = HalfSpace { point: vec3(-2.0, 0.0, 0.0), normal: Vec3::X, radius: 0.0 };
    let frames = vec![(Ground, Frame::default()), (rod.into(), Frame::default())];
    let wall = parts.add_inequality(Inequality::new("wall", frames, plane));
    let ball = Shape::sphere(0.1).expect("a ball");
    let shape = parts.add_shape(ContactShape {
        body: rod.into(),
        frame: Frame::default(),
        shape: ball,
        material: Material::default(),
    });
    let push = |time: f64| TimedImpulse {
        name: String::new(),
        time,
        impulse: Impulse::at(rod, [0.0; 3], [0.0, 0.0, 0.5]),
    };
    let (late, early) = (parts.add_impulse(push(0.2)), parts.add_impulse(push(0.1)));
    let model = parts.build().expect("a model");
    assert_eq!(model.impulses()[0].id, early);
    assert_eq!(model.impulse(late).map(|impulse| impulse.time), Some(0.2));
    assert_eq!(model.shape(shape).and_then(|shape| shape.body()), Some(rod));
    Pendulum { sim: Simulation::new(model), rod, hinge, tip, wall }
}

#[test]
fn a_name_finds_the_id_that_adding_returned() {
    let Pendulum { sim, rod, hinge, tip, wall } = pendulum();
    let model = sim.model();
    assert_eq!((model.find_body("rod"), model.find_joint("hinge")), (Some(rod), Some(hinge)));
    assert_eq!((model.find_probe("tip"), model.find_inequality("wall")), (Some(tip), Some(wall)));
    assert_eq!(
        (model.find_body("no"), model.find_force("no"), model.find_constraint("no")),
        (None, None, None)
    );
    assert!(model.body_ids().eq([rod]) && model.joint_ids().eq([hinge]) && model.probe_ids().eq([tip]));
    assert_eq!(model[hinge].name, "hinge");
}

#[test]
fn inequalities_that_were_added_and_limits_of_joints_have_ids_of_their_own() {
    let Pendulum { mut sim, wall, .. } = pendulum();
    let model = sim.model().clone();
    let ids: Vec<InequalityId> = model.inequality_ids().collect();
    assert_eq!(ids.len(), 3);
    for (id, listed) in ids.iter().zip(model.inequalities()) {
        assert!(std::ptr::eq(model.inequality(*id).expect("listed"), listed));
    }
    assert!(matches!(model.inequality(ids[0]).expect("a limit").origin, InequalityOrigin::Limit { .. }));
    assert_eq!((ids[2], model.inequality(wall).expect("a wall").name.as_str()), (wall, "wall"));
    // The origin of the rod is at 0.5 m, the wall at −2 m; the limits are at −3 and 3 rad.
    let now = sim.evaluate().expect("solved");
    assert!((now.inequality(wall).gap - 2.5).abs() < 1e-14);
    assert!(
        (now.inequality(ids[0]).gap - 3.0).abs() < 1e-14 && (now.inequality(ids[1]).gap - 3.0).abs() < 1e-14
    );
}

#[test]
fn coordinates_are_those_of_the_report_and_nothing_is_solved_for_them() {
    let Pendulum { mut sim, hinge, rod, .. } = pendulum();
    sim.run(0.5, 1e-3).expect("steps");
    let (angle, rate) = (sim.angle(hinge), sim.rate(hinge, 0));
    let report = sim.joint(hinge).expect("solved").clone();
    assert_eq!((angle, rate), (report.coordinates[0], report.rates[0]));
    assert!(sim.coordinate(hinge, 1).is_nan(), "a hinge has one coordinate");
    let turned = sim.body(rod).orientation * Vec3::X;
    assert!((turned.x - angle.cos()).abs() < 1e-12);
}

#[test]
fn an_id_of_another_model_is_never_taken_for_one_of_this() {
    let Pendulum { mut sim, rod, hinge, tip, wall } = pendulum();
    let mut other = pendulum();
    let model = other.sim.model().clone();
    assert!(model.body(rod).is_none() && model.joint(hinge).is_none() && model.probe(tip).is_none());
    assert!(model.inequality(wall).is_none() && model.joint_role(hinge).is_none());
    let now = other.sim.evaluate().expect("solved");
    assert!(now.body(rod).position.x.is_nan() && now.joint(hinge).reaction.total().force.x.is_nan());
    assert!(now.probe(tip).position.x.is_nan() && now.inequality(wall).gap.is_nan());
    assert!(other.sim.angle(hinge).is_nan());
    // Neither an impulse nor a goal acts on the body of the same number.
    let before = other.sim.state_hash();
    other.sim.apply_impulse(&Impulse::at(rod, [0.0; 3], [0.0, 0.0, 0.5])).expect_err("a foreign body");
    let goals = [
        Goal::point(rod, [0.5, 0.0, 0.0], [0.0, 0.0, -1.0]),
        Goal::frame(rod, Frame::default(), [0.0, 0.0, -0.5], Quat::IDENTITY),
        Goal::orientation(rod, Quat::IDENTITY),
    ];
    for goal in goals {
        other.sim.reach(&goal).expect_err("a foreign body");
    }
    assert!(Goal::probe(&model, tip, [0.0, 0.0, -1.0]).is_none());
    let own = Goal::probe(sim.model(), tip, [0.0, 0.0, -1.0]).expect("its own probe");
    other.sim.reach(&own).expect_err("a foreign body");
    assert_eq!(other.sim.state_hash(), before);
    // One that was made of a number alone is good in both.
    let first = BodyId::of_index(0);
    assert_eq!(sim.body(first).position, sim.body(rod).position);
    assert_eq!(other.sim.body(first).position, other.sim.body(other.rod).position);
    assert!(sim.body(BodyId::of_index(7)).position.x.is_nan());
}

#[test]
fn a_world_is_read_like_a_simulation() {
    let mut world = World::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) };
    let rod = world.add_body(rod).expect("a rod");
    let hinge = world.add_joint(Joint::revolute(Ground, rod, [0.0; 3], [0.0, 1.0, 0.0])).expect("a hinge");
    let probe = Probe { name: "tip".into(), body: rod.into(), point: vec3(0.5, 0.0, 0.0) };
    let tip = world.add_probe(probe).expect("a probe");
    let impulse = Impulse::at(rod, [0.0; 3], [0.0, 0.0, 0.5]);
    let push = TimedImpulse { name: "push".into(), time: 0.1, impulse };
    let push = world.add_impulse(push).expect("an impulse");
    world.run(0.3, 1e-3).expect("steps");
    assert_eq!((world.find_probe("tip"), world.find_impulse("push")), (Some(tip), Some(push)));
    let report = world.impulse(push).expect("an impulse");
    assert_eq!((report.name, report.time, report.is_past), ("push", 0.1, true));
    let angle = world.angle(hinge).expect("an angle");
    let place = world.probe(tip).expect("a tip").position;
    assert!((place - vec3(angle.cos(), 0.0, -angle.sin())).norm() < 1e-12, "{angle} {place:?}");
    assert_eq!(world.rate(hinge, 0).expect("a rate"), world.joint(hinge).expect("a hinge").rates[0]);
    assert!(world.diagnostics().work_counts().solves > 0);
}

#[test]
fn a_builder_refuses_ids_of_another_builder() {
    let rod = || Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) };
    let hinge = |body: BodyId| Joint::revolute(Ground, body, [0.0; 3], [0.0, 1.0, 0.0]);
    let mut other = ModelBuilder::default();
    let their_rod = other.add_body(rod());
    let their_hinge = other.add_joint(hinge(their_rod));
    let refused = |add: &dyn Fn(&mut ModelBuilder)| {
        let mut parts = ModelBuilder::default();
        let own = parts.add_body(rod());
        parts.add_joint(hinge(own));
        add(&mut parts);
        parts.build().expect_err("a foreign id")
    };
    for error in [
        refused(&|parts| {
            parts.add_joint(Joint::spherical(Ground, their_rod, [1.0, 0.0, 0.0]));
        }),
        refused(&|parts| {
            let probe = Probe { name: "tip".into(), body: their_rod.into(), point: Vec3::ZERO };
            parts.add_probe(probe);
        }),
        refused(&|parts| parts.set_collision(Ground, their_rod, false)),
    ] {
        assert!(matches!(error, BuildError::UnknownBody { .. }), "{error}");
    }
    let auxiliary = refused(&|parts| parts.make_auxiliary(their_hinge));
    assert_eq!(auxiliary, BuildError::UnknownJoint);
    let coupled = refused(&|parts| {
        let term = CouplerTerm { joint: their_hinge, coordinate: 0, polynomial: vec![0.0, 1.0] };
        let equations = vec![CouplerEquation { terms: vec![term], offset: None }];
        parts.add_coupler(Coupler { name: "held".into(), kind: "coupler", equations });
    });
    assert!(matches!(coupled, BuildError::NoSuchJoint { .. }), "{coupled}");
    // A number alone is good in every builder.
    let mut parts = ModelBuilder::default();
    parts.add_body(rod());
    parts.add_joint(hinge(BodyId::of_index(0)));
    parts.build().expect("a model");
}

#[test]
fn events_carry_ids() {
    let Pendulum { mut sim, wall, .. } = pendulum();
    sim.run(0.15, 1e-3).expect("steps");
    let model = sim.model().clone();
    let applied: Vec<&Event> = sim.events().iter().filter(|event| event.kind == EventKind::Impulse).collect();
    let EventSubject::Impulse(id) = applied[0].subject else { panic!("{:?}", applied[0]) };
    assert_eq!((id, applied[0].time), (model.impulses()[0].id, 0.1));
    assert_eq!(applied[0].name(&model), model.impulse(id).expect("an impulse").name);
    // Limits come first in the list of inequalities, and their ids last.
    let subject = EventSubject::Inequality(wall);
    assert_eq!((subject.name(&model), subject.name(pendulum().sim.model())), ("wall".into(), String::new()));
}
