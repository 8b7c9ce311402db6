//! Rolling through the command: the bundled scenes against what is known of them.

use crate::support::math::{V, cross, norm, sub};
use crate::support::{bundled_scenes, cardan, run};
use serde_json::Value;
use std::f64::consts::TAU;

fn bundled(name: &str) -> String {
    bundled_scenes().into_iter().find(|s| s.0 == name).unwrap_or_else(|| panic!("no scene {name}")).1
}

fn real(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("not a number: {v}"))
}

fn vector(v: &Value) -> V {
    [0, 1, 2].map(|i| real(&v[i]))
}

/// What rolls is eliminated with the joints of the tree, not apart from them.
#[test]
fn rolling_contacts_are_primary() {
    for name in ["rolling-coin", "ball-in-shell", "ackermann", "rocker-bogie", "rocker-bogie-side"] {
        let checked = cardan(&["check", "-", "--json"], &bundled(name));
        let joints = checked["joints"].as_array().expect("a list");
        let mut contacts = joints.iter().filter(|joint| joint["kind"] == "rolling").peekable();
        assert!(contacts.peek().is_some(), "{name}");
        assert!(contacts.all(|joint| joint["role"] == "primary"), "{name}: {joints:?}");
    }
}

/// Once round the circle at the rate of the closed form (at the head of the scene), and everything is as it was.
#[test]
fn the_coin_rolls_in_its_steady_circle() {
    let text = bundled("rolling-coin");
    let (start, end) = (run(&text, 0.01, 1e-3), run(&text, 0.01 + TAU / 2.5, 1e-3));
    for field in ["position", "velocity", "angular_velocity"] {
        let [was, is] = [&start, &end].map(|out| vector(&out["bodies"]["coin"][field]));
        // Of a fourth-order method at 1 ms, where a hundredth of a radian is turned per step.
        assert!(norm(sub(was, is)) < 1e-8, "{field}: {was:?}, {is:?}");
    }
    // The ground gives what the circle takes, and carries the coin.
    let force = vector(&end["joints"]["rim"]["force"]);
    assert!((force[2] - 0.05 * 9.81).abs() < 1e-9, "{force:?}");
    let radius = norm([force[0], force[1], 0.0]) / (0.05 * 2.5 * 2.5);
    let place = vector(&end["bodies"]["coin"]["position"]);
    assert!((radius - norm([place[0], place[1], 0.0])).abs() < 1e-9, "{radius}");
}

/// ω² = 5 g / (7 (R − r)), twice, and a spin that feels nothing.
#[test]
fn a_ball_in_a_shell_has_the_modes_of_a_longer_pendulum() {
    let found = cardan(&["modes", "-", "--json"], &bundled("ball-in-shell"));
    let frequencies: Vec<f64> =
        found["modes"].as_array().expect("a list").iter().map(|mode| real(&mode["frequency"])).collect();
    let wanted = (5.0 * 9.81 / (7.0 * 0.42_f64)).sqrt() / TAU;
    assert_eq!(frequencies.len(), 3);
    assert_eq!(frequencies[0], 0.0);
    assert!(frequencies[1..].iter().all(|f| (f - wanted).abs() < 1e-8), "{frequencies:?}, {wanted}");
    // It rests at the bottom of the shell, wherever it was put and however it had to roll there.
    let rest = cardan(&["equilibrium", "-", "--json"], &bundled("ball-in-shell"));
    let place = vector(&rest["bodies"]["ball"]["position"]);
    assert!(norm(sub(place, [0.0, 0.0, -0.42])) < 1e-8, "{place:?}");
    assert!((real(&rest["joints"]["shell"]["force"][2]) - 9.81).abs() < 1e-9);
}

/// Reached by rolling, not by sliding: the spin about the normal was not used, and the ball turned as far as its way asks.
#[test]
fn a_ball_is_rolled_to_a_place_on_the_shell() {
    let text = bundled("ball-in-shell");
    let args = ["reach", "-", "--probe", "centre", "--target", "0,0.252,-0.336", "--json"];
    let out = cardan(&args, &text);
    let place = vector(&out["bodies"]["ball"]["position"]);
    assert!(norm(sub(place, [0.0, 0.252, -0.336])) < 1e-9, "{place:?}");
    assert!(real(&out["certificate"]["max_position_error"]) < 1e-14);
    let turned = vector(&out["bodies"]["ball"]["orientation"]);
    assert!(turned[0].abs() < 0.99, "it did not turn: {turned:?}");
    // Off the shell there is no way, and it says by how much it misses.
    let args = ["reach", "-", "--probe", "centre", "--target", "0,0,0", "--json"];
    let missed = &cardan(&args, &text)["reach"];
    assert_eq!(missed["reached"], false);
    assert!((real(&missed["miss_distance"]) - 0.42).abs() < 1e-9, "{missed}");
}

/// Every point of the car turns about the place where the axles meet, and every wheel as fast as it is far from there.
#[test]
fn the_car_turns_about_the_meeting_of_its_axles() {
    let out = run(&bundled("ackermann"), 1.5, 1e-3);
    let centre = [0.0, 0.6, 0.0];
    let rate = vector(&out["bodies"]["chassis"]["angular_velocity"]);
    assert!(rate[2] > 0.3 && norm(sub(rate, [0.0, 0.0, rate[2]])) < 1e-12, "{rate:?}");
    for (name, body) in out["bodies"].as_object().expect("a table") {
        let (place, velocity) = (vector(&body["position"]), vector(&body["velocity"]));
        let wanted = cross(rate, sub(place, centre));
        // The place itself is found by integration, to the order of the method.
        assert!(norm(sub(velocity, wanted)) < 1e-10, "{name}: {velocity:?}, {wanted:?}");
        if !name.contains("knuckle") && name != "chassis" {
            let spin = real(&out["joints"][format!("{name}-axle")]["rates"][0]);
            assert!((0.04 * spin - norm(velocity)).abs() < 1e-12, "{name}: {spin}");
        }
    }
    let contacts: Vec<V> = out["joints"]
        .as_object()
        .expect("a table")
        .iter()
        .filter(|(name, _)| name.ends_with("contact"))
        .map(|(_, joint)| vector(&joint["force"]))
        .collect();
    assert_eq!(contacts.len(), 4);
    assert!(contacts.iter().all(|force| force[2] > 0.0), "a wheel lifts off: {contacts:?}");
    let weight: f64 = contacts.iter().map(|force| force[2]).sum();
    assert!((weight - 1.7 * 9.81).abs() < 1e-9, "{weight}");
}

/// It drives on, and all its wheels press on their ground.
#[test]
fn every_wheel_of_the_rover_presses() {
    let out = run(&bundled("rocker-bogie-side"), 0.8, 1e-3);
    assert!(real(&out["bodies"]["rocker"]["velocity"][0]) > 0.5);
    for contact in ["rear", "middle", "front"] {
        // Gap first, then slip.
        let rows = out["joints"][format!("{contact}-contact")]["multipliers"].as_array().expect("a list");
        assert_eq!(rows.len(), 2);
        assert!(real(&rows[0]) > 5.0, "{contact}: {rows:?}");
        let wheel = &out["bodies"][format!("{contact}-wheel")];
        let (velocity, spin) = (vector(&wheel["velocity"]), real(&wheel["angular_velocity"][2]));
        assert!((norm(velocity) + 0.1 * spin).abs() < 1e-13, "{contact}: {velocity:?}, {spin}");
    }
}

/// Six wheels on bumps: all press, together they carry what the rover weighs and is thrown up by, and the rockers turn against each other.
#[test]
fn six_wheels_carry_a_rover_over_bumps() {
    let out = run(&bundled("rocker-bogie"), 0.4, 2e-3);
    assert_eq!(out["counts"]["freedoms"], 1);
    assert!(real(&out["bodies"]["chassis"]["velocity"][0]) > 0.3, "{}", out["bodies"]["chassis"]);
    let (mut carried, mut wheels) = (0.0, 0);
    for (name, joint) in out["joints"].as_object().expect("a table") {
        if joint["kind"] == "rolling" {
            let rows = joint["multipliers"].as_array().expect("a list");
            assert!(real(&rows[0]) > 5.0, "{name}: {rows:?}");
            carried += real(&joint["force"][2]);
            wheels += 1;
        }
    }
    assert_eq!(wheels, 6);
    let needed: f64 = out["bodies"]
        .as_object()
        .expect("a table")
        .iter()
        .map(|(name, body)| {
            let mass = match name.split('-').next_back() {
                Some("chassis") => 18.0,
                Some("rocker") => 2.0,
                Some("bogie") => 1.2,
                _ => 1.0,
            };
            mass * (real(&body["acceleration"][2]) + 9.81)
        })
        .sum();
    assert!((carried - needed).abs() < 1e-9 * needed, "{carried} N carry {needed} N");
    let angle = |side: &str| real(&out["joints"][format!("{side}-shoulder")]["coordinates"][0]);
    assert!((angle("left") + angle("right")).abs() < 1e-14 && angle("left").abs() > 1e-3);
}
