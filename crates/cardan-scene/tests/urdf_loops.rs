//! Robots with several loops, driven by motors: they stay closed at rounding.

use cardan::Simulation;
use cardan_scene::{ImportOptions, Scene, import_robot};
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
