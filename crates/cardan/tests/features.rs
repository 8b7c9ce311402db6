//! What the features `serde`, `glam` and `nalgebra` add.

use cardan::contact::Material;
use cardan::joint::{Motor, Servo, SpeedCurve};
use cardan::law::{Nurbs, Ramp, Sine, Table, TableEnds};
use cardan::math::Mat3;
use cardan::prelude::*;
use cardan::{Frame, JointLimit, Law, Probe, Wrench};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("plain data");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn laws() -> Vec<Law> {
    let rows = [[0.0, 1.0], [0.5, 2.0], [2.0, -0.25]];
    vec![
        Law::Constant(0.5),
        Law::Ramp(Ramp { from: 0.0, to: 2.0, start: 0.25, duration: 1.0 }),
        Law::Sine(Sine { amplitude: 1.5, frequency: 2.0, phase: 0.0, offset: 0.5 }),
        Law::Table(Table::new(TableEnds::Rest, &rows).expect("a table")),
        Law::Nurbs(Nurbs::even(2, 0.0, 1.0, &[[0.0], [1.0], [0.5], [0.25]], &[]).expect("a spline")),
        Law::expression("0.5*sin(2*t)").expect("a formula"),
    ]
}

#[test]
fn descriptions_that_were_saved_build_a_mechanism_of_the_same_bits() {
    let mut hashes = Vec::new();
    let rod = Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.125) }.named("rod");
    let build = |body: Body, save: bool| {
        let keep = |joint: Joint| if save { again(&joint) } else { joint };
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.75));
        let first = parts.add_body(body);
        let mut hinge =
            Joint::revolute(Ground, first, [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]).with_spring(2.0, 0.125, 0.5);
        hinge.limits.push(JointLimit { coordinate: 0, low: f64::NEG_INFINITY, high: 1.5, restitution: 0.5 });
        parts.add_joint(keep(hinge));
        let spring = Spring { stiffness: 8.0, damping: 0.5, rest_length: 0.25 };
        let force = Force::spring(Ground, [0.5, 0.0, 0.5], first, [0.0, 0.0, 0.0], spring);
        parts.add_force(if save { again(&force) } else { force });
        let probe = Probe { name: "tip".into(), body: first.into(), point: vec3(0.5, 0.0, 0.0) };
        parts.add_probe(if save { again(&probe) } else { probe });
        parts.build().expect("a model")
    };
    let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
    assert_eq!(again(&settings), settings);
    for (model, settings) in
        [(build(rod.clone(), false), settings), (build(again(&rod), true), again(&settings))]
    {
        let mut sim = Simulation::with_settings(model, settings).expect("set up");
        sim.run(0.25, 1.0 / 256.0).expect("steps");
        hashes.push(sim.state_hash());
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn laws_and_efforts_are_read_back_as_they_were() {
    for law in laws() {
        assert_eq!(again(&law), law);
    }
    let servo = Servo { stiffness: 2.0, damping: 0.5, law: Law::Constant(1.0), limit: f64::INFINITY };
    assert_eq!(again(&servo), servo);
    let curve = SpeedCurve::new(&[[0.0, 4.0], [8.0, 0.0]]).expect("a curve");
    let motor = Motor { curve, law: Law::Constant(1.0), limit: 2.0 };
    assert_eq!(again(&motor), motor);
    assert_eq!(again(&Material::rough(0.5)), Material::rough(0.5));
    assert_eq!(again(&cardan::JointKind::Lock { locks: cardan::Locks::OLDHAM }).name(), "oldham");
}

#[test]
fn what_cannot_be_is_refused_and_what_only_code_says_is_not_saved() {
    assert!(serde_json::from_str::<SpeedCurve>("[[1.0, 2.0], [0.5, 1.0]]").is_err());
    assert!(serde_json::from_str::<Law>(r#"{"Expression": "sin("}"#).is_err());
    let table = r#"{"Table": {"ends": "Rest", "pieces": {"knots": [1.0, 0.0], "terms": [[0.0,0.0,0.0,0.0,0.0,0.0]], "slopes": [0.0, 0.0]}}}"#;
    assert!(serde_json::from_str::<Law>(table).is_err());
    let shaft = Body::shaft(cardan::MassProperties::default(), Vec3::Z);
    assert!(serde_json::to_string(&shaft).is_err());
}

#[test]
fn an_id_that_was_read_names_the_part_of_that_number_in_any_model() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let first = parts.add_body(Body::particle(1.0));
    let read = again(&first);
    let mut other = ModelBuilder::new(Gravity::ZERO);
    other.add_body(Body::particle(2.0));
    let other = other.build().expect("a model");
    assert!(other.body(first).is_none(), "an id of another builder");
    assert_eq!(other.body(read).map(|body| body.mass.mass), Some(2.0));
}

#[test]
fn vectors_matrices_and_orientations_survive_other_libraries() {
    let (v, q) = (vec3(1.0, -2.0, 3.0), Quat::exp(vec3(0.1, 0.2, -0.3)));
    let m = Mat3 { x: vec3(1.0, 2.0, 3.0), y: vec3(4.0, 5.0, 6.0), z: vec3(7.0, 8.0, 10.0) };
    assert_eq!(Vec3::from(glam::DVec3::from(v)), v);
    assert_eq!(Vec3::from(nalgebra::Vector3::from(v)), v);
    assert_eq!(Mat3::from(glam::DMat3::from(m)), m);
    assert_eq!(Mat3::from(nalgebra::Matrix3::from(m)), m);
    // The same product, and the same rotation, by whichever library; a few roundings of numbers up to 60.
    let close = |a: Vec3, b: Vec3| assert!((a - b).norm() < 1e-13, "{a:?} {b:?}");
    close((glam::DMat3::from(m) * glam::DVec3::from(v)).into(), m * v);
    close((nalgebra::Matrix3::from(m) * nalgebra::Vector3::from(v)).into(), m * v);
    close((glam::DQuat::from(q) * glam::DVec3::from(v)).into(), q * v);
    close((nalgebra::UnitQuaternion::from(q) * nalgebra::Vector3::from(v)).into(), q * v);
    assert_eq!(Quat::from(glam::DQuat::from(q)), q);
    close(Quat::from(nalgebra::UnitQuaternion::from(q)).v, q.v);
    let (frame, wrench) = (Frame { pos: v, rot: Quat::IDENTITY }, Wrench { force: v, torque: v });
    assert_eq!((again(&frame), again(&wrench)), (frame, wrench));
}
