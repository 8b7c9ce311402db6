//! Conditions on velocities: gears, knife edges, rolling balls.

use super::{Expectation, Model, id, numbers, real, vec3};
use crate::support::math::{dot, rotate};
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// Two wheels on hinges, geared: a torque on one, for one problem a spring on the other.
pub(super) fn gear_scene(problem: &Value, model: Model) -> Value {
    let p = &problem["parameters"];
    let wheel = |inertia: &Value, x: f64| {
        let inertia =
            if model == Model::Planar { json!(inertia) } else { json!([inertia, inertia, inertia]) };
        json!({ "kind": model.body_kind(), "mass": 1.0, "inertia": inertia, "position": [x, 0.0, 0.0] })
    };
    let distance = real(&p["r1"]) + real(&p["r2"]);
    let hinge = |b: &str, x: f64| json!({ "kind": "revolute", "a": "ground", "b": b, "anchor": [x, 0.0, 0.0], "axis": [0, 0, 1] });
    let (mut first, mut second) = (hinge("first", 0.0), hinge("second", distance));
    first["drive"] = json!({ "level": "force", "law": { "constant": p["torque1"] } });
    if real(&p["spring2"]) != 0.0 {
        second["spring"] = json!({ "stiffness": p["spring2"] });
    }
    json!({
        "gravity": [0, 0, 0],
        "bodies": { "first": wheel(&p["I1"], 0.0), "second": wheel(&p["I2"], distance) },
        "joints": {
            "one": first,
            "two": second,
            "teeth": { "kind": "gear", "bodies": ["first", "second"], "axes": [[0, 0, 1], [0, 0, 1]],
                       "ratios": [p["r1"], p["r2"]] },
        },
    })
}

pub(super) fn gear_read(problem: &Value, _model: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let joints = &out["joints"];
    let both = |field: &str| ["one", "two"].iter().map(|j| real(&joints[j][field][0])).collect();
    match expected.quantity.as_str() {
        "wheel angles" => both("coordinates"),
        "wheel speeds" => both("rates"),
        q if q.starts_with("tooth force") => {
            let on_first = &joints["teeth"]["loads"][0];
            assert_eq!(on_first["body"], "first");
            vec![real(&on_first["torque"][2]) / real(&problem["parameters"]["r1"])]
        }
        other => panic!("no reading of {other}"),
    }
}

/// A body on a blade, its centre of mass ahead of it or on it, flat or on a plane in space.
pub(super) fn blade_scene(problem: &Value, model: Model) -> Value {
    let (p, start) = (&problem["parameters"], &problem["initial_conditions"]);
    let on_slope = id(problem).starts_with("knife");
    let ahead = if on_slope { 0.0 } else { real(&p["a"]) };
    let (speed, rate) = if on_slope { ("speed", "turn_rate") } else { ("v", "w") };
    let (heading, speed, rate) = (real(&start["heading"]), real(&start[speed]), real(&start[rate]));
    let (sin, cos) = heading.sin_cos();
    let gravity = if on_slope {
        let (down, across) = real(&p["alpha_deg"]).to_radians().sin_cos();
        let g = real(&p["g"]);
        [g * down, 0.0, if model == Model::Planar { 0.0 } else { -g * across }]
    } else {
        [0.0; 3]
    };
    let inertia = real(&p[if on_slope { "I" } else { "I_com" }]);
    let mut sleigh = json!({
        "kind": model.body_kind(), "mass": p["mass"], "center_of_mass": [ahead, 0.0, 0.0], "position": [0.0, 0.0, 0.0],
        "velocity": [speed * cos - ahead * rate * sin, speed * sin + ahead * rate * cos, 0.0],
        "angular_velocity": [0.0, 0.0, rate],
    });
    let mut joints = json!({
        "blade": { "kind": "knife-edge", "a": "ground", "b": "sleigh", "anchor": [0.0, 0.0, 0.0],
                   "direction": [cos, sin, 0.0] },
    });
    if model == Model::Planar {
        sleigh["inertia"] = json!(inertia);
        sleigh["orientation"] = json!(heading);
    } else {
        sleigh["inertia"] = json!([0.6 * inertia, 0.7 * inertia, inertia]);
        sleigh["orientation"] = json!({ "axis": [0, 0, 1], "angle": heading });
        joints["surface"] = json!({ "kind": "planar", "a": "ground", "b": "sleigh", "anchor": [0.0, 0.0, 0.0],
                                    "axis": [0, 0, 1] });
    }
    json!({
        "gravity": gravity, "bodies": { "sleigh": sleigh }, "joints": joints,
        "probes": { "blade": { "body": "sleigh", "point": [0.0, 0.0, 0.0] } },
    })
}

pub(super) fn blade_read(_problem: &Value, model: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let (sleigh, probe) = (&out["bodies"]["sleigh"], &out["probes"]["blade"]);
    let q = numbers(&sleigh["orientation"]);
    let rot = [q[0], q[1], q[2], q[3]];
    let (along, side) = (rotate(rot, [1.0, 0.0, 0.0]), rotate(rot, [0.0, 1.0, 0.0]));
    match expected.quantity.as_str() {
        "blade point position" | "position (x down-slope, y across)" => {
            numbers(&probe["position"])[..2].to_vec()
        }
        "heading" | "total heading change as t -> infinity" => vec![along[1].atan2(along[0])],
        "forward speed of the blade point" | "speed along the blade" | "limit speed" => {
            vec![dot(along, vec3(&probe["velocity"]))]
        }
        "turn rate" => vec![real(&sleigh["angular_velocity"][2])],
        q if q.starts_with("side force") => {
            // In space the plane carries weight only, but the blade alone must hold sideways.
            let surface = if model == Model::Planar {
                0.0
            } else {
                dot(side, vec3(&out["joints"]["surface"]["force"]))
            };
            assert!(surface.abs() < 1e-9, "the plane pushes sideways: {surface}");
            vec![dot(side, vec3(&out["joints"]["blade"]["force"]))]
        }
        other => panic!("no reading of {other}"),
    }
}

/// What values without a time tell: the sleigh glides straight in the end, and a skate on a slope is back at its height after a turn.
pub(super) fn limits(problem: &Value, quantity: &str, value: f64) -> Option<Vec<Expectation>> {
    match quantity {
        // The turn rate falls by e every 1.2 s.
        "limit speed" | "total heading change as t -> infinity" => {
            Some(vec![Expectation::derived(40.0, quantity, vec![value])])
        }
        q if q.starts_with("mean drift speed") => {
            let turn = (TAU / real(&problem["initial_conditions"]["turn_rate"])).abs();
            let place = vec![0.0, value * turn];
            Some(vec![Expectation::derived(turn, "position (x down-slope, y across)", place)])
        }
        // Back where it was: what the ball started with.
        q if q.starts_with("circling rate") && value != 0.0 => {
            let place = numbers(&problem["initial_conditions"]["position"]);
            let velocity = numbers(&problem["initial_conditions"]["velocity"]);
            let turn = (TAU / value).abs();
            Some(vec![
                Expectation::derived(turn, "centre position in the plane", place),
                Expectation::derived(turn, "centre velocity", velocity),
            ])
        }
        q if q.starts_with("circling rate") || q.starts_with("friction coefficient needed") => {
            Some(Vec::new())
        }
        _ => None,
    }
}

/// A ball on a slope, or on a table that turns.
pub(super) fn ball_scene(problem: &Value, _model: Model) -> Value {
    let (p, start) = (&problem["parameters"], &problem["initial_conditions"]);
    let (down, across) = real(&p["alpha_deg"]).to_radians().sin_cos();
    let (g, omega, inertia) = (real(&p["g"]), real(&p["Omega"]), &p["I"]);
    let (place, velocity) = (numbers(&start["position"]), numbers(&start["velocity"]));
    let mut bodies = json!({
        "ball": { "mass": p["mass"], "inertia": [inertia, inertia, inertia],
                  "position": [place[0], place[1], p["radius"]],
                  "velocity": [velocity[0], velocity[1], 0.0], "angular_velocity": start["angular_velocity"] },
    });
    let mut joints = json!({});
    let mut under = "ground";
    if omega != 0.0 {
        under = "table";
        bodies["table"] =
            json!({ "mass": 3.0, "inertia": [0.1, 0.1, 0.2], "angular_velocity": [0.0, 0.0, omega] });
        joints["spindle"] = json!({ "kind": "revolute", "a": "ground", "b": "table", "anchor": [0, 0, 0], "axis": [0, 0, 1],
                                    "drive": { "level": "speed", "law": { "constant": omega } } });
    }
    joints["contact"] =
        json!({ "kind": "rolling", "a": under, "b": "ball", "radius": p["radius"], "anchor": [0, 0, 0] });
    json!({ "gravity": [g * down, 0.0, -g * across], "bodies": bodies, "joints": joints })
}

pub(super) fn ball_read(_problem: &Value, _model: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let (ball, contact) = (&out["bodies"]["ball"], &out["joints"]["contact"]);
    match expected.quantity.as_str() {
        "centre position in the plane" => numbers(&ball["position"])[..2].to_vec(),
        "centre velocity" => numbers(&ball["velocity"])[..2].to_vec(),
        "friction force on the ball" => numbers(&contact["force"])[..2].to_vec(),
        "normal force" => vec![real(&contact["force"][2])],
        "angular velocity (x, y, normal), inertial axes" => numbers(&ball["angular_velocity"]),
        other => panic!("no reading of {other}"),
    }
}
