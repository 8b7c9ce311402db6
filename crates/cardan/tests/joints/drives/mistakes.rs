//! Invalid drives, and laws that fail during a run.

use cardan::End::Ground;
use cardan::law::{Blend, Ramp, Segments};
use cardan::math::vec3;
use cardan::{
    Body, BuildError, Coordinates, DriveMode, Gravity, Integrator, Joint, JointKind, Law, Model,
    ModelBuilder, Settings, Simulation, StepError,
};

fn built(kind: JointKind, change: impl FnOnce(Joint) -> Joint) -> Result<Model, BuildError> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let bar = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) });
    parts.add_joint(change(Joint::at(kind, Ground, bar, [0.0; 3], [0.0, 1.0, 0.0]).named("motor")));
    parts.build()
}

#[test]
fn laws_that_are_not_smooth_enough_are_refused_by_name() {
    let refused = |mode: DriveMode, law: Law| match built(JointKind::Revolute, |j| j.driven(0, mode, law)) {
        Err(error @ BuildError::NotSmooth { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let ramp: Law = Ramp { from: 0.0, to: 1.0, start: 0.0, duration: 1.0 }.into();
    let text = refused(DriveMode::Position, ramp.clone());
    assert_eq!(
        text,
        "joint `motor`: its ramp law is not smooth enough to drive a position: its value is continuous but its rate jumps, and a \
         position needs a continuous rate; take `cubic`, `quintic`, `table` or a smoother formula, or drive the speed"
    );
    let step = Law::expression("step(t - 1)").unwrap();
    assert!(refused(DriveMode::Position, step.clone()).contains("its value jumps"));
    assert!(refused(DriveMode::Speed, step.clone()).contains("expression law"));
    let fine: [(DriveMode, Law); 5] = [
        (DriveMode::Speed, ramp),
        (DriveMode::Acceleration, step.clone()),
        (DriveMode::Force, step),
        (DriveMode::Position, Segments::new(Blend::Cubic, &[[0.0, 0.0], [1.0, 1.0]]).unwrap().into()),
        (DriveMode::Position, Law::Constant(1.0)),
    ];
    for (mode, law) in fine {
        assert!(built(JointKind::Revolute, |j| j.driven(0, mode, law)).is_ok(), "{mode}");
    }
}

#[test]
fn drives_on_coordinates_that_are_not_there_are_refused() {
    for (kind, k, have) in [
        (JointKind::Revolute, 1, 1),
        (JointKind::Fixed, 0, 0),
        (JointKind::Spherical, 0, 0),
        (JointKind::Cylindrical, 2, 2),
        (JointKind::Planar, 3, 3),
        (JointKind::Revolute, usize::MAX, 1),
    ] {
        for mode in [DriveMode::Position, DriveMode::Force] {
            let error = built(kind, |j| j.driven(k, mode, 0.0)).unwrap_err();
            let joint = "motor".to_string();
            assert_eq!(error, BuildError::NoCoordinate { joint, kind: kind.name(), coordinate: k, have });
        }
    }
}

#[test]
fn two_drives_on_one_coordinate_are_refused() {
    let error = built(JointKind::Cylindrical, |j| {
        j.driven(1, DriveMode::Speed, 1.0).driven(0, DriveMode::Speed, 1.0).driven(
            1,
            DriveMode::Position,
            1.0,
        )
    });
    assert_eq!(error.unwrap_err(), BuildError::TwoDrives { joint: "motor".into(), coordinate: 1 });
    // A force and a motion on one coordinate do not contradict each other.
    assert!(
        built(JointKind::Revolute, |j| j.driven(0, DriveMode::Speed, 1.0).driven(0, DriveMode::Force, 1.0))
            .is_ok()
    );
}

#[test]
fn bad_numbers_in_a_law_name_the_joint() {
    let error = built(JointKind::Revolute, |j| j.driven(0, DriveMode::Speed, f64::NAN)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "joint `motor`: its constant law cannot be: the value is NaN; it must be a finite number"
    );
    let ramp = Ramp { duration: -1.0, ..Ramp::default() };
    assert!(built(JointKind::Revolute, |j| j.driven(0, DriveMode::Speed, ramp)).is_err());
}

#[test]
fn a_law_that_stops_being_a_number_fails_the_step_and_leaves_the_state() {
    // t until 0.25 s, then not a number.
    let law = Law::expression("t + 0*ln(0.25 - t)").unwrap();
    for settings in [
        Settings::default(),
        Settings { integrator: Integrator::Dopri5, ..Settings::default() },
        Settings { integrator: Integrator::Rattle, ..Settings::default() },
        Settings { coordinates: Coordinates::Joints, ..Settings::default() },
        Settings { solver: cardan::SolverChoice::Dense, ..Settings::default() },
    ] {
        for mode in [DriveMode::Position, DriveMode::Speed, DriveMode::Acceleration, DriveMode::Force] {
            let model = built(JointKind::Revolute, |j| j.driven(0, mode, law.clone())).unwrap();
            let mut sim = Simulation::with_settings(model, settings).unwrap();
            sim.assemble().unwrap();
            let error = loop {
                let before = sim.state().clone();
                if let Err(error) = sim.step(1e-2) {
                    assert_eq!(*sim.state(), before, "{settings:?}, {mode}");
                    break error;
                }
                assert!(sim.time() < 0.3, "{settings:?}, {mode}: nothing happened");
            };
            let StepError::LawNotFinite { joint, law, time, .. } = error else {
                panic!("{settings:?}, {mode}: {error}")
            };
            assert!(
                joint == "motor" && law == "expression" && time > 0.2 && time < 0.27,
                "{joint} {law} {time}"
            );
        }
    }
    // Not a number from the start: assembly fails, and the state is that of the model.
    let model =
        built(JointKind::Revolute, |j| j.driven(0, DriveMode::Position, Law::expression("ln(t)").unwrap()))
            .unwrap();
    let mut sim = Simulation::new(model);
    let before = sim.state().clone();
    assert!(matches!(sim.step(1e-3), Err(StepError::LawNotFinite { .. })));
    assert_eq!(*sim.state(), before);
    assert!(sim.evaluate().is_err());
    let _ = sim.observe();
}

#[test]
fn drives_that_contradict_a_loop_are_named() {
    // Two bars that form a rigid triangle with the ground; the drive wants to turn it.
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let (a, b, c) = ([0.0, 0.0, 0.0], [0.5, 0.8, 0.0], [1.0, 0.0, 0.0]);
    let bar = |x: f64| Body { pos: vec3(x, 0.4, 0.0), ..Body::rod(1.0, 1.0, 0.01) };
    let (left, right) = (parts.add_body(bar(0.25)), parts.add_body(bar(0.75)));
    let z = [0.0, 0.0, 1.0];
    parts.add_joint(Joint::revolute(Ground, left, a, z).named("A").driven(0, DriveMode::Speed, 1.0));
    parts.add_joint(Joint::revolute(left, right, b, z).named("B"));
    parts.add_joint(Joint::revolute(Ground, right, c, z).named("C"));
    let mut sim = Simulation::new(parts.build().unwrap());
    let error = sim.step(1e-3).unwrap_err();
    assert!(matches!(error, StepError::Conflict { .. } | StepError::CannotClose { .. }), "{error}");
}
