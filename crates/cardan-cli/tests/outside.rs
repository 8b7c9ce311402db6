//! Every bundled scene obeys Newton, Euler and its joints, judged from the scene's text and the printed JSON alone.

mod support;

use serde_json::{Value, json};
use support::outside::check_outside;
use support::{bundled_scenes, run, solve};

/// Relative to the terms of each equation. A solve leaves some tens of roundings (1e-15 to 1e-13); the rest is room for
/// mechanisms whose terms nearly cancel.
const BOUND: f64 = 1e-11;

fn assert_holds(what: &str, scene: &str, printed: &Value) {
    let report = check_outside(scene, printed);
    assert!(report.beyond(BOUND).is_empty(), "{what}:\n{}", report.beyond(BOUND).join("\n"));
    assert!(report.skipped.is_empty(), "{what}: joints that the check does not know: {:?}", report.skipped);
}

#[test]
fn every_bundled_scene_balances_at_the_start() {
    for (name, text) in bundled_scenes() {
        assert_holds(&format!("{name}, solve"), &text, &solve(&text));
    }
}

#[test]
fn every_bundled_scene_balances_after_half_a_second() {
    for (name, text) in bundled_scenes() {
        assert_holds(&format!("{name}, run"), &text, &run(&text, 0.5, 1e-3));
    }
}

/// Changes one number of the JSON, found by its pointer.
fn with(printed: &Value, pointer: &str, change: impl Fn(f64) -> f64) -> Value {
    let mut copy = printed.clone();
    let slot = copy.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}"));
    *slot = json!(change(slot.as_f64().expect("a number")));
    copy
}

/// The check itself: a wrong digit must not pass.
fn assert_notices(what: &str, scene: &str, printed: &Value) {
    let (item, residual) = {
        let report = check_outside(scene, printed);
        let (item, residual) = report.worst();
        (item.to_string(), residual)
    };
    assert!(residual > BOUND, "{what} went unnoticed; the worst was {item} at {residual:.2e}");
}

#[test]
fn one_changed_digit_of_a_printed_result_is_noticed() {
    let scenes = bundled_scenes();
    let scene = |wanted: &str| {
        &scenes.iter().find(|s| s.0 == wanted).unwrap_or_else(|| panic!("no scene {wanted}")).1
    };
    let text = scene("double-pendulum");
    let printed = run(text, 0.5, 1e-3);
    let joints: Vec<&String> = printed["joints"].as_object().expect("joints").keys().collect();
    let bodies: Vec<&String> = printed["bodies"].as_object().expect("bodies").keys().collect();
    for joint in joints {
        let force = printed["joints"][joint]["force"].as_array().expect("a force");
        let size = |i: &usize| force[*i].as_f64().expect("a number").abs();
        let largest = (0..3).max_by(|i, j| size(i).total_cmp(&size(j))).expect("three");
        let changed = with(&printed, &format!("/joints/{joint}/force/{largest}"), |f| f * (1.0 + 1e-9));
        assert_notices(&format!("a force of {joint} off by 1e-9"), text, &changed);
    }
    for body in bodies {
        let acceleration = printed["bodies"][body]["acceleration"].as_array().expect("three numbers");
        let size = |i: &usize| acceleration[*i].as_f64().expect("a number").abs();
        let largest = (0..3).max_by(|i, j| size(i).total_cmp(&size(j))).expect("three");
        let changed = with(&printed, &format!("/bodies/{body}/acceleration/{largest}"), |a| -a);
        assert_notices(&format!("an acceleration of {body} turned round"), text, &changed);
    }
}

/// A bar of 2 kg and 1 m, hinged at one end, horizontal, turning at 3 rad/s: everything known by hand.
fn hinged_bar() -> (&'static str, Value) {
    let scene = r#"
        gravity = [0, -9.8, 0]
        [bodies.bar]
        mass = 2.0
        inertia = [0.1, 0.2, 0.25]
        position = [0.5, 0, 0]
        velocity = [0, 1.5, 0]
        angular_velocity = [0, 0, 3]
        [joints.hinge]
        kind = "revolute"
        a = "ground"
        b = "bar"
        anchor = [0, 0, 0]
        axis = [0, 0, 1]
        [probes.tip]
        body = "bar"
        point = [0.5, 0, 0]
    "#;
    // (I + m d²) α = −m g d: 0.75 α = −9.8; the centre is pulled in by m ω² d and falls with α d.
    let alpha = -9.8 / 0.75;
    let (pull, lift) = (-2.0 * 9.0 * 0.5, 2.0 * (0.5 * alpha + 9.8));
    let wrench = json!({ "force": [pull, lift, 0.0], "torque": [0.0, 0.0, 0.0] });
    let nothing = json!({ "force": [0.0, 0.0, 0.0], "torque": [0.0, 0.0, 0.0] });
    let printed = json!({
        "time": 0.0,
        "bodies": { "bar": {
            "position": [0.5, 0.0, 0.0], "frame_position": [0.5, 0.0, 0.0], "orientation": [1.0, 0.0, 0.0, 0.0],
            "velocity": [0.0, 1.5, 0.0], "angular_velocity": [0.0, 0.0, 3.0],
            "acceleration": [-4.5, 0.5 * alpha, 0.0], "angular_acceleration": [0.0, 0.0, alpha] } },
        "joints": { "hinge": {
            "force": wrench["force"], "torque": wrench["torque"],
            "parts": { "structural": wrench, "drive": nothing, "limit": nothing, "friction": nothing } } },
        "probes": { "tip": { "position": [1.0, 0.0, 0.0], "velocity": [0.0, 3.0, 0.0], "acceleration": [-9.0, alpha, 0.0] } }
    });
    (scene, printed)
}

#[test]
fn a_hinged_bar_worked_out_by_hand_passes() {
    let (scene, printed) = hinged_bar();
    assert_holds("hinged bar", scene, &printed);
}

#[test]
fn every_wrong_number_of_the_hinged_bar_is_noticed() {
    let (scene, printed) = hinged_bar();
    let slightly = |x: f64| x * (1.0 + 1e-9);
    let fields = [
        "/joints/hinge/force/0",
        "/joints/hinge/force/1",
        "/joints/hinge/parts/structural/force/1",
        "/bodies/bar/acceleration/0",
        "/bodies/bar/acceleration/1",
        "/bodies/bar/angular_acceleration/2",
        "/bodies/bar/velocity/1",
        "/bodies/bar/angular_velocity/2",
        "/probes/tip/acceleration/1",
    ];
    for field in fields {
        assert_notices(&format!("{field} off by 1e-9"), scene, &with(&printed, field, slightly));
        assert_notices(&format!("{field} turned round"), scene, &with(&printed, field, |x| -x));
    }
    for field in ["/joints/hinge/torque/2", "/bodies/bar/angular_acceleration/0", "/bodies/bar/position/2"] {
        assert_notices(&format!("{field} not zero"), scene, &with(&printed, field, |x| x + 1e-6));
    }
    for body_kind in ["planar", "particle", "planar-particle"] {
        // the kinds that leave equations out must not leave these out
        let scene = scene.replace("mass = 2.0", &format!("kind = \"{body_kind}\"\n mass = 2.0"));
        let changed = with(&printed, "/bodies/bar/acceleration/1", |x| -x);
        assert_notices(&format!("a {body_kind} body's acceleration turned round"), &scene, &changed);
    }
}
