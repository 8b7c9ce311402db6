//! Bad commands are refused with the joint or body named, and nothing changes.

use super::{four_bar, tree_of_pairs};
use cardan::joint_space::CommandError;
use cardan::math::vec3;
use cardan::{
    Body, End::Ground, Frame, Gravity, Joint, JointId, JointKind, ModelBuilder, Simulation, Wrench,
};
use cardan_testkit::Rng;

fn sim() -> Simulation {
    let mut sim = Simulation::new(four_bar().build().unwrap());
    sim.assemble().unwrap();
    sim
}

#[test]
fn wrong_numbers_are_refused_and_leave_the_state_untouched() {
    let mut sim = sim();
    sim.set_efforts(&[0.1, 0.2, 0.3]).unwrap();
    let (before, crank) = (sim.state().clone(), sim.model().find_joint("crank").unwrap());
    let body = sim.model().body_ids().next().unwrap();

    let error = sim.set_efforts(&[1.0, 2.0]).unwrap_err();
    assert_eq!(error, CommandError::Length { what: "efforts".into(), have: 2, want: 3 });
    assert_eq!(error.to_string(), "2 efforts are given; it takes 3");
    let error = sim.set_efforts(&[1.0, 2.0, f64::NAN]).unwrap_err();
    assert!(error.to_string().starts_with("effort 0 of `"), "{error}");
    assert!(matches!(error, CommandError::NotFinite { what: "effort", index: 0, .. }));
    let error = sim.set_effort(crank, 0, f64::INFINITY).unwrap_err();
    assert_eq!(error.to_string(), "effort 0 of `crank` is inf; it must be a finite number");
    let error = sim.set_effort(crank, 1, 1.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "revolute joint `crank` has no coordinate 1 for an effort: it has 1, coordinate 0"
    );
    let error = sim.set_effort(JointId::of_index(17), 0, 1.0).unwrap_err();
    assert_eq!(error, CommandError::NoSuchPart { what: "joint" });
    let other = four_bar();
    let foreign = other.build().unwrap().joint_ids().next().unwrap();
    assert_eq!(sim.set_effort(foreign, 0, 1.0).unwrap_err(), CommandError::NoSuchPart { what: "joint" });
    let error = sim.set_target(crank, 0, 1.0, 0.0).unwrap_err();
    assert_eq!(error, CommandError::NoServo { joint: "crank".into(), coordinate: 0 });
    let error = sim.set_wrench(body, Wrench { force: vec3(0.0, f64::NAN, 0.0), torque: vec3(0.0, 0.0, 0.0) });
    assert!(matches!(error, Err(CommandError::NotFinite { what: "wrench", index: 1, .. })));

    assert!(matches!(sim.set_joint_positions(&[0.0]), Err(CommandError::Length { have: 1, want: 3, .. })));
    assert!(matches!(sim.set_joint_rates(&[0.0; 4]), Err(CommandError::Length { have: 4, want: 3, .. })));
    assert!(matches!(sim.set_positions_of(crank, &[]), Err(CommandError::Length { have: 0, want: 1, .. })));
    assert!(matches!(sim.set_positions_of(crank, &[f64::NAN]), Err(CommandError::NotFinite { .. })));
    assert!(matches!(sim.set_rates_of(crank, &[f64::NAN]), Err(CommandError::NotFinite { .. })));
    assert_eq!(*sim.state(), before);
}

#[test]
fn a_joint_that_closes_a_loop_is_read_and_not_set() {
    let mut sim = sim();
    let model = sim.model().clone();
    let closing = model.joint_ids().find(|joint| model.joint_order().joint(*joint).is_none()).unwrap();
    let name = model.joint(closing).unwrap().name.clone();
    assert!(model.joint_order().joint(closing).is_none());
    assert_eq!(sim.positions_of(closing).unwrap(), [sim.angle(closing)]);
    assert_eq!(sim.set_positions_of(closing, &[0.1]), Err(CommandError::NotInTree { joint: name }));
}

#[test]
fn positions_that_cannot_be_closed_are_refused_with_a_joint_named() {
    // Two rods of 1 m between pins that are 5 m apart.
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let mut rod = |x: f64| parts.add_body(Body { pos: vec3(x, 0.0, 0.0), ..Body::planar(1.0, 0.1) });
    let (first, second) = (rod(0.5), rod(1.5));
    let at = |x: f64| Frame::at([x, 0.0, 0.0]);
    for (name, a, in_a, b, in_b) in [
        ("left", Ground, 0.0, first.into(), -0.5),
        ("knee", first.into(), 0.5, second.into(), -0.5),
        ("right", second.into(), 0.5, Ground, 5.0),
    ] {
        parts.add_joint(Joint::between(JointKind::Revolute, a, at(in_a), b, at(in_b)).named(name));
    }
    let mut sim = Simulation::new(parts.build().unwrap());
    let before = sim.state().clone();
    let error = sim.set_joint_positions(&[0.3, 0.2]).unwrap_err();
    assert!(matches!(error, CommandError::Step(_)), "{error}");
    let names = ["`left`", "`knee`", "`right`"];
    assert!(names.iter().any(|name| error.to_string().contains(name)), "{error}");
    assert_eq!(*sim.state(), before);
}

#[test]
fn a_joint_that_a_loop_holds_fast_is_refused_by_name() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let body = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 0.2, 0.02) });
    parts.add_joint(Joint::prismatic(Ground, body, [0.0; 3], [1.0, 0.0, 0.0]).named("rail"));
    parts.add_joint(Joint::distance(Ground, [0.0; 3], body, [0.0; 3], 0.5).named("rod"));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    let (before, place) = (sim.state().clone(), sim.joint_positions()[0]);
    // By id: no freedom is left along which it could go.
    let rail = sim.model().find_joint("rail").unwrap();
    let error = sim.set_positions_of(rail, &[place - 0.1]).unwrap_err();
    assert!(matches!(&error, CommandError::OutOfReach { joint, .. } if joint == "rail"), "{error}");
    let error = sim.set_rates_of(rail, &[1.0]).unwrap_err();
    assert!(matches!(&error, CommandError::OutOfReach { joint, .. } if joint == "rail"), "{error}");
    assert_eq!(*sim.state(), before);
}

#[test]
fn a_quaternion_that_is_no_rotation_is_refused() {
    let rng = &mut Rng::new(3);
    let mut sim = Simulation::new(tree_of_pairs(rng, 3, true));
    let mut q = super::random_positions(rng, sim.model());
    q[3..7].copy_from_slice(&[0.5, 0.0, 0.0, 0.0]);
    let before = sim.state().clone();
    let error = sim.set_joint_positions(&q).unwrap_err();
    assert!(matches!(error, CommandError::Quaternion { length: 0.5, .. }), "{error}");
    assert_eq!(*sim.state(), before);
}
