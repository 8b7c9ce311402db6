//! The bundled mechanisms with loops do what such mechanisms are built for.

use crate::support;

use crate::support::math::{Q, V, axis_angle, norm, quat_mul, rotate, sub};
use crate::support::{bundled_scenes, run, solve};
use serde_json::{Value, json};

fn text(name: &str) -> String {
    let scenes = bundled_scenes();
    scenes.into_iter().find(|s| s.0 == name).unwrap_or_else(|| panic!("no scene {name}")).1
}

fn value(name: &str) -> Value {
    support::scene::to_value(&text(name))
}

fn real(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("not a number: {v}"))
}

fn vec3(v: &Value) -> V {
    [0, 1, 2].map(|i| real(&v[i]))
}

/// Freedoms and redundant rows, known by thinking: a loop of hinges about parallel axes repeats three rows, a second hinge
/// on the line of the first five; see the heads of the files for the others.
#[test]
fn freedoms_and_redundant_rows_are_those_of_the_mechanism() {
    let known = [
        ("four-bar", 1, 3),
        ("heavy-four-bar", 1, 3),
        ("slider-crank", 1, 3),
        ("five-bar", 2, 3),
        ("andrews", 1, 0),
        ("strandbeest", 1, 0),
        ("scott-russell", 1, 7),
        ("double-cardan", 1, 3),
        ("three-hinge-door", 1, 10),
        ("kettle-handle", 4, 5),
        ("excavator", 4, 12),
        ("stewart-platform", 6, 0),
        ("delta-robot", 9, 0),
        ("heavy-chain", 33, 0),
    ];
    for (name, freedoms, redundant) in known {
        let counts = &solve(&text(name))["counts"];
        let found = (counts["freedoms"].as_u64(), counts["redundant_rows"].as_u64());
        assert_eq!(found, (Some(freedoms), Some(redundant)), "{name}");
    }
}

/// The whole file turned about the vertical.
fn turned(scene: &Value, angle: f64) -> Value {
    let turn: Q = axis_angle([0.0, 0.0, 1.0], angle);
    let mut scene = scene.clone();
    let tables = ["bodies", "joints"].map(|table| scene[table].as_object().expect("a table").clone());
    for (table, entries) in ["bodies", "joints"].into_iter().zip(tables) {
        for name in entries.keys() {
            let entry = &mut scene[table][name];
            for key in ["position", "velocity", "angular_velocity", "anchor", "axis"] {
                if entry.get(key).is_some() {
                    entry[key] = json!(rotate(turn, vec3(&entry[key])));
                }
            }
            if entry.get("orientation").is_some() {
                let q = &entry["orientation"]["quaternion"];
                let q = [0, 1, 2, 3].map(|i| real(&q[i]));
                entry["orientation"] = json!({ "quaternion": quat_mul(turn, q) });
            }
        }
    }
    scene
}

/// A heading is nothing but a choice of axes. In 300 steps rounding grows to some thousand roundings of a metre.
#[test]
fn a_five_bar_moves_alike_at_every_heading() {
    let scene = value("five-bar");
    let after = |heading: f64| {
        let text = toml::to_string(&turned(&scene, heading.to_radians())).expect("a TOML table");
        let out = run(&text, 0.3, 1e-3);
        let gap = real(&out["certificate"]["max_position_error"]);
        assert!(gap < 1e-13, "{heading}°: gap {gap:.1e}");
        assert_eq!(out["counts"]["redundant_rows"], 3, "{heading}°");
        let head = vec3(&out["probes"]["head"]["position"]);
        rotate(axis_angle([0.0, 0.0, 1.0], -heading.to_radians()), head)
    };
    let first = after(0.0);
    for heading in [10.0, 45.0, 55.0, 90.0, 123.0, 180.0, 235.0, 270.0, 301.0] {
        let away = norm(sub(after(heading), first));
        assert!(away < 1e-12, "{heading}°: {away:.1e} m from where it is without a turn");
    }
}

/// The second cross undoes what the first does; the middle shaft alone runs unevenly.
#[test]
fn two_universal_joints_in_phase_have_the_ratio_one() {
    let text = text("double-cardan");
    let mut uneven: f64 = 0.0;
    for t in [0.05, 0.1, 0.15, 0.2] {
        let out = run(&text, t, 5e-4);
        let joint = |name: &str, what: &str| real(&out["joints"][name][what][0]);
        let (front, rear) = (joint("front", "rates"), joint("rear", "rates"));
        assert!((front - rear).abs() < 1e-12 * front.abs(), "speeds {front} and {rear}");
        let angle = joint("front", "coordinates") - joint("rear", "coordinates");
        assert!(angle.abs() < 1e-12, "angles apart by {angle:.1e}");
        let [middle, tube] =
            ["middle", "tube"].map(|name| norm(vec3(&out["bodies"][name]["angular_velocity"])));
        assert!((middle - tube).abs() < 1e-12 * front.abs());
        uneven = uneven.max((middle / front - 1.0).abs());
    }
    assert!(uneven > 0.1, "a bend of 30° makes the middle shaft uneven by up to 15 %, not {uneven}");
}

/// Parallelograms do not turn what they carry, wherever they take it.
#[test]
fn a_delta_robot_moves_its_platform_without_turning_it() {
    let out = run(&text("delta-robot"), 0.4, 2e-3);
    let platform = &out["bodies"]["platform"];
    let tilt = norm([1, 2, 3].map(|i| real(&platform["orientation"][i])));
    assert!(tilt < 1e-13, "tilted by {tilt:.1e}");
    let start = vec3(&value("delta-robot")["bodies"]["platform"]["position"]);
    assert!(norm(sub(vec3(&platform["position"]), start)) > 0.01, "it moves");
}

#[test]
fn a_scott_russell_lift_goes_straight_up() {
    let out = run(&text("scott-russell"), 0.2, 2e-3);
    let table = &out["bodies"]["table"];
    let at = vec3(&table["position"]);
    let aside = norm([at[0], at[1], 0.0]) + norm([1, 2, 3].map(|i| real(&table["orientation"][i])));
    assert!(aside < 1e-13, "aside or turned by {aside:.1e}");
    let start = real(&value("scott-russell")["bodies"]["table"]["position"][2]);
    assert!((at[2] - start).abs() > 0.01, "it moves");
}

/// Hinges that only repeat each other change nothing but how the load is shared.
#[test]
fn a_door_on_three_hinges_moves_as_on_one() {
    let three = value("three-hinge-door");
    let mut one = three.clone();
    let joints = one["joints"].as_object_mut().expect("joints");
    joints.remove("middle-hinge");
    let lower = joints.remove("lower-hinge").expect("a hinge");
    joints["upper-hinge"]["friction"] = lower["friction"].clone();
    let [three, one] = [three, one].map(|scene| run(&toml::to_string(&scene).expect("TOML"), 2.0, 2e-3));
    let door = |out: &Value, what: &str| vec3(&out["bodies"]["door"][what]);
    for what in ["position", "velocity", "acceleration", "angular_velocity"] {
        let apart = norm(sub(door(&three, what), door(&one, what)));
        assert!(apart < 1e-12, "{what} differs by {apart:.1e}");
    }
    let carried = |out: &Value| {
        let joints = out["joints"].as_object().expect("joints").values();
        joints.fold([0.0; 3], |sum: V, j| [0, 1, 2].map(|i| sum[i] + real(&j["force"][i])))
    };
    let apart = norm(sub(carried(&three), carried(&one)));
    assert!(apart < 1e-10, "the sum of the reactions differs by {apart:.1e} N"); // of some 240 N
}
