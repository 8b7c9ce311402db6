//! Robots with several loops, driven by motors: they stay closed at rounding.

use crate::robots::{built, model};
use cardan::Simulation;
use cardan_scene::{ImportOptions, Scene, bundled_robots, import_robot};
use cardan_testkit::{Tolerance, assert_close};
use std::path::Path;

/// A leg with a rod from the thigh to a sprung heel, a shin on a spring, and a foot that a crank turns.
fn leg() -> Simulation {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"));
    let text = include_str!("data/compliant-leg.urdf");
    let imported = import_robot("compliant-leg.urdf", text, folder, &ImportOptions::default());
    let imported = imported.unwrap_or_else(|e| panic!("{}", e.render()));
    assert_eq!(imported.scene.bodies.len(), 12);
    let mut document = imported.into_document("compliant-leg.urdf", folder).expect("a document");
    for (joint, stiffness) in [("shin-spring", 1500.0), ("heel-spring", 1250.0)] {
        let spring = format!("{{ coordinate = 0, stiffness = {stiffness} }}");
        document.set(&format!("joints.{joint}.spring={spring}")).expect("a spring");
    }
    for (joint, amplitude, frequency, phase) in [
        ("hip-roll", 0.12, 0.7, 0.0),
        ("hip-yaw", 0.03, 0.9, 0.5),
        ("hip-pitch", 0.15, 0.8, 1.0),
        ("knee", 0.1, 1.1, 2.0),
        ("foot-motor", 0.03, 1.7, 0.0),
    ] {
        let law =
            format!("{{ sine = {{ amplitude = {amplitude}, frequency = {frequency}, phase = {phase} }} }}");
        document.set(&format!("joints.{joint}.motor.law={law}")).expect("a law");
    }
    let scene = Scene::from_document(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    Simulation::new(scene.to_model(&document).unwrap_or_else(|e| panic!("{}", e.render())))
}

/// The largest opening of any joint during a run, in m and rad, and the range of every motor.
fn opening(seconds: f64, dt: f64) -> (f64, Vec<f64>) {
    let mut sim = leg();
    let motors =
        ["hip-roll", "hip-yaw", "hip-pitch", "knee", "foot-motor", "toe", "shin-spring", "heel-spring"];
    let motors = motors.map(|name| sim.model().find_joint(name).expect("a joint"));
    let (mut open, mut low, mut high) = (0.0, vec![0.0; motors.len()], vec![0.0; motors.len()]);
    let more = |a: f64, b: f64| if a > b { a } else { b };
    while sim.time() < seconds {
        sim.step(dt).unwrap_or_else(|e| panic!("at {} s: {e}", sim.time()));
        open = sim.kinematics().position_errors().iter().fold(open, |most, e| more(e.abs(), most));
        for (k, motor) in motors.iter().enumerate() {
            let angle = sim.angle(*motor);
            (low[k], high[k]) = (-more(-angle, -low[k]), more(angle, high[k]));
        }
    }
    (open, low.iter().zip(&high).map(|(low, high)| high - low).collect())
}

#[test]
fn a_leg_of_two_loops_and_springs_stays_closed() {
    // The ball joint takes 3 rows, the hinge of the foot 5, of which 3 repeat that the linkage is planar.
    let mut sim = leg();
    let open = sim.kinematics().position_errors().iter().fold(0.0, |most: f64, e| most + e.abs());
    assert!(open < 1e-14, "open by {open:e} at the start");
    let (open, ranges) = opening(0.8, 2e-3);
    assert!(open < 1e-13, "open by {open:e} m or rad");
    assert!(ranges[..6].iter().all(|range| *range > 0.05), "something does not move: {ranges:?}");
    assert!(ranges[6..].iter().all(|range| *range > 1e-4), "a spring does not move: {ranges:?}");
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-scene -- --ignored"]
fn a_leg_of_two_loops_and_springs_stays_closed_for_a_minute() {
    let (open, ranges) = opening(60.0, 1e-3);
    assert!(open < 1e-13, "open by {open:e} m or rad");
    assert!(ranges[..6].iter().all(|range| *range > 0.05), "something does not move: {ranges:?}");
}

/// Arrays in joint order have the joints of the file but those that close loops, which docs/robots.md says.
#[test]
fn joints_that_close_loops_have_no_place_in_joint_order() {
    for name in ["five-bar-walker", "four-bar-walker"] {
        let robot = bundled_robots().iter().find(|robot| robot.name == name).expect("a robot").text;
        let options = ImportOptions { floating: true, ..ImportOptions::default() };
        let imported = import_robot("r.urdf", robot, Path::new(""), &options).expect("a robot");
        let model = model(imported);
        let mut before = None;
        for (j, joint) in model.joints().iter().enumerate() {
            let id = model.find_joint(&joint.name).expect("a joint");
            let place = model.joint_order().joint(id).map(|entry| entry.rates.start);
            assert_eq!(place.is_none(), joint.name.ends_with("closure"), "{name}: {}", joint.name);
            assert!(place.is_none() || place > before, "{name}: joint {j} is out of order");
            before = place.or(before);
        }
    }
}

/// The parallelogram of a leg: the shank turns as the crank does, and the leg stays closed while motors move it.
#[test]
fn a_four_bar_leg_carries_the_turn_of_its_motor_to_the_knee() {
    let robot = bundled_robots().iter().find(|robot| robot.name == "four-bar-walker").expect("a robot").text;
    let imported = import_robot("r.urdf", robot, Path::new(""), &ImportOptions::default()).expect("a robot");
    let mut document = imported.into_document("r.urdf", Path::new("")).expect("a document");
    let law = "{ sine = { amplitude = 0.2, frequency = 1.5 } }";
    for joint in ["hip", "knee-motor"] {
        document.set(&format!("joints.front-left-{joint}.motor.law={law}")).expect("a law");
    }
    let mut sim = Simulation::new(built(&document).unwrap_or_else(|e| panic!("{}", e.render())));
    let [hip, crank, knee] = ["hip", "knee-motor", "knee"]
        .map(|name| sim.model().find_joint(&format!("front-left-{name}")).expect("a joint"));
    let mut moved: f64 = 0.0;
    for _ in 0..400 {
        sim.step(1e-3).expect("a step");
        let [hip, crank, knee] = [hip, crank, knee].map(|joint| sim.angle(joint));
        // The turn of the shank against the trunk is that of the crank.
        assert_close(hip + knee, crank, Tolerance::rounding(400, 1.0));
        moved = if (crank - hip).abs() > moved { (crank - hip).abs() } else { moved };
    }
    assert!(moved > 0.1, "the leg bends by {moved} rad");
    assert_close(sim.certificate().max_position_error, 0.0, Tolerance::rounding(400, 1.0));
}

const ONE: &str = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";

fn two_links(second: &str) -> String {
    format!(
        "<robot name=\"r\"><link name=\"base\"/><link name=\"a\">{ONE}</link><link name=\"b\">{ONE}</link>\n\
         <joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/></joint>\n\
         <joint name=\"k\" type=\"{second}\"><parent link=\"a\"/><child link=\"b\"/></joint>\n"
    )
}

/// A mistake of the robot file is shown in it, not in the scene that it becomes.
#[test]
fn a_loop_joint_inside_one_body_is_refused_at_its_line() {
    let text = two_links("fixed")
        + "<loop_joint name=\"l\" type=\"revolute\"><link1 link=\"a\"/><link2 link=\"b\"/></loop_joint></robot>";
    let error =
        import_robot("r.urdf", &text, Path::new(""), &ImportOptions::default()).expect_err("one body");
    assert!(error.message().contains("move as one body"), "{error}");
    assert!(error.render().to_string().contains("r.urdf:4:"), "{error}");
}

#[test]
fn a_floating_joint_to_a_link_that_is_held_is_reported() {
    let text = two_links("continuous")
        + "<joint name=\"f\" type=\"floating\"><parent link=\"base\"/><child link=\"b\"/></joint></robot>";
    let imported = import_robot("r.urdf", &text, Path::new(""), &ImportOptions::default()).expect("a robot");
    let report = imported.report.to_text();
    assert!(report.contains("floating joint to a link that another joint holds (line 4)"), "{report}");
    assert_eq!(imported.scene.joints.len(), 2);
}
