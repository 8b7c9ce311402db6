//! Mechanisms with loops: rows of four-bars, one four-bar with hinges in space, Andrews' squeezer; and the governor, whose
//! loops are stiff springs.

use super::{Expectation, Model, id, numbers, real, vec3};
use serde_json::{Map, Value, json};
use std::f64::consts::FRAC_PI_2;

/// A body made of one bar of a linkage in the x–y plane, from `from` to `to`, turning at `rate`.
struct Bar {
    mass: f64,
    from: [f64; 2],
    to: [f64; 2],
    angle: f64,
    rate: f64,
    /// Velocity of `from`.
    carried: [f64; 2],
}

impl Bar {
    /// A uniform thin rod.
    fn body(&self, model: Model) -> Value {
        let d = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        let across = self.mass * (d[0] * d[0] + d[1] * d[1]) / 12.0;
        let middle = |i: usize| 0.5 * (self.from[i] + self.to[i]);
        let velocity =
            [self.carried[0] - 0.5 * self.rate * d[1], self.carried[1] + 0.5 * self.rate * d[0], 0.0];
        let (inertia, orientation, omega) = match model {
            Model::Planar => (json!(across), json!(self.angle), json!(self.rate)),
            _ => (
                json!([0.01 * across, across, across]),
                json!({ "axis": [0, 0, 1], "angle": self.angle }),
                json!([0.0, 0.0, self.rate]),
            ),
        };
        json!({ "kind": model.body_kind(), "mass": self.mass, "position": [middle(0), middle(1), 0.0],
                "inertia": inertia, "orientation": orientation, "velocity": velocity, "angular_velocity": omega })
    }
}

fn hinge(a: &str, b: &str, at: [f64; 2], zero: f64) -> Value {
    json!({ "kind": "revolute", "a": a, "b": b, "anchor": [at[0], at[1], 0.0], "axis": [0, 0, 1], "zero": [zero] })
}

/// Cranks c0, c1, … upright on the ground, couplers k0, k1, … between their tips.
pub(super) fn n_four_bar_scene(problem: &Value, model: Model) -> Value {
    let p = &problem["parameters"];
    let n = p["N"].as_u64().expect("a count") as usize;
    let (mass, l) = (real(&p["link_mass"]), real(&p["link_length"]));
    let clockwise = real(&problem["initial_conditions"]["phi_dot"]);
    let (mut bodies, mut joints) = (Map::new(), Map::new());
    for i in 0..=n {
        let x = l * i as f64;
        let crank =
            Bar { mass, from: [x, 0.0], to: [x, l], angle: FRAC_PI_2, rate: -clockwise, carried: [0.0, 0.0] };
        bodies.insert(format!("c{i}"), crank.body(model));
        joints.insert(format!("g{i}"), hinge("ground", &format!("c{i}"), [x, 0.0], 0.0));
        if i < n {
            let coupler = Bar {
                mass,
                from: [x, l],
                to: [x + l, l],
                angle: 0.0,
                rate: 0.0,
                carried: [clockwise * l, 0.0],
            };
            bodies.insert(format!("k{i}"), coupler.body(model));
            joints.insert(format!("l{i}"), hinge(&format!("c{i}"), &format!("k{i}"), [x, l], 0.0));
            joints.insert(format!("r{i}"), hinge(&format!("k{i}"), &format!("c{}", i + 1), [x + l, l], 0.0));
        }
    }
    json!({
        "gravity": [0.0, -real(&p["g"]), 0.0],
        "bodies": bodies,
        "joints": joints,
        "probes": { "B0": { "body": "c0", "point": [0.5 * l, 0.0, 0.0] } }
    })
}

pub(super) fn n_four_bar_read(_: &Value, _: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let probe = |what: &str| numbers(&out["probes"]["B0"][what])[..2].to_vec();
    match expected.quantity.as_str() {
        q if q.starts_with("crank angle") => vec![-real(&out["joints"]["g0"]["coordinates"][0])],
        "B0 position" => probe("position"),
        "B0 velocity" => probe("velocity"),
        other => panic!("no reading of {other}"),
    }
}

/// A time in the file at which the cranks stand at a known angle. The passage through the singular position, where all bars
/// lie on one line, becomes a look at δ = 1 ms before and after it: with w² from the energy and φ'' = k sin φ,
///
///   φ(t ± δ) = π/2 ± w δ + k δ²/2 − k w² δ⁴/24        (the fifth order is 1e-14)
pub(super) fn crank_angle(problem: &Value, quantity: &str, t: f64) -> Option<Vec<Expectation>> {
    let known = |t: f64, angle: f64| Expectation::derived(t, "crank angle", vec![angle]);
    if quantity.starts_with("time of one full crank turn") {
        return Some(vec![known(t, 4.0 * FRAC_PI_2)]);
    }
    if !quantity.starts_with("first passage through the singular") {
        return None;
    }
    let n = real(&problem["parameters"]["N"]);
    let start = real(&problem["initial_conditions"]["phi_dot"]);
    let k = (1.5 * n + 0.5) / ((4.0 * n + 1.0) / 3.0) * real(&problem["parameters"]["g"]);
    let square = start * start + 2.0 * k;
    let beside = |d: f64| {
        let angle = FRAC_PI_2 + square.sqrt() * d + k * d * d / 2.0 - k * square * d * d * d * d / 24.0;
        known(t + d, angle)
    };
    Some(vec![beside(-1e-3), beside(1e-3)])
}

pub(super) fn four_bar_scene(problem: &Value, model: Model) -> Value {
    let (p, start) = (&problem["parameters"], &problem["initial_conditions"]);
    let get = |key: &str| real(&p[key]);
    let (angles, rates) = (numbers(&start["angles"]), numbers(&start["rates"]));
    let reach = |from: [f64; 2], length: f64, angle: f64| {
        [from[0] + length * angle.cos(), from[1] + length * angle.sin()]
    };
    let (a, d) = ([0.0, 0.0], [get("ground"), 0.0]);
    let b = reach(a, get("crank"), angles[0]);
    let c = reach(b, get("coupler"), angles[1]);
    let carried = [-rates[0] * b[1], rates[0] * b[0]];
    let bar = |name: &str, from, to, i: usize, carried| {
        let mass = get("mass_per_length") * get(name);
        Bar { mass, from, to, angle: angles[i], rate: rates[i], carried }.body(model)
    };
    json!({
        "gravity": [0.0, -get("g"), 0.0],
        "bodies": {
            "crank": bar("crank", a, b, 0, [0.0, 0.0]),
            "coupler": bar("coupler", b, c, 1, carried),
            "rocker": bar("rocker", d, c, 2, [0.0, 0.0]),
        },
        "joints": {
            "A": hinge("ground", "crank", a, angles[0]),
            "B": hinge("crank", "coupler", b, angles[1] - angles[0]),
            "C": hinge("coupler", "rocker", c, 0.0),
            "D": hinge("ground", "rocker", d, angles[2]),
        }
    })
}

pub(super) fn four_bar_read(_: &Value, _: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let joint = |name: &str, what: &str| real(&out["joints"][name][what][0]);
    let three = |what: &str| vec![joint("A", what), joint("A", what) + joint("B", what), joint("D", what)];
    match expected.quantity.as_str() {
        "angles of crank, coupler, rocker" => three("coordinates"),
        "rates" => three("rates"),
        "accelerations" => ["crank", "coupler", "rocker"]
            .iter()
            .map(|body| real(&out["bodies"][body]["angular_acceleration"][2]))
            .collect(),
        q if q.starts_with("force of the coupler on the rocker") => {
            numbers(&out["joints"]["C"]["force"])[..2].to_vec()
        }
        q if q.starts_with("3D model") => {
            ["rows", "rank", "redundant_rows"].iter().map(|key| real(&out["counts"][key])).collect()
        }
        other => panic!("no reading of {other}"),
    }
}

/// Frames at pins: K1 at O, K2 at E, K3 at B, K4 at G, K5 and K7 at A, K6 at H. K4 and K7 are measured from −y in the file.
pub(super) fn squeezer_scene(problem: &Value, _: Model) -> Value {
    let p = |key: &str| real(&problem["parameters"][key]);
    let q = numbers(&problem["initial_conditions"]["q"]);
    let [beta, theta, gamma, phi, delta, omega, epsilon] = [0, 1, 2, 3, 4, 5, 6].map(|i| q[i]);
    let e = [
        p("rr") * beta.cos() - p("d") * (beta + theta).cos(),
        p("rr") * beta.sin() - p("d") * (beta + theta).sin(),
    ];
    let (a, b) = ([p("xa"), p("ya")], [p("xb"), p("yb")]);
    let g = [a[0] + p("zt") * delta.cos(), a[1] + p("zt") * delta.sin()];
    let h = [a[0] + p("u") * epsilon.sin(), a[1] - p("u") * epsilon.cos()];
    let body = |n: usize, at: [f64; 2], angle: f64, com: [f64; 2]| {
        json!({ "kind": "planar", "mass": p(&format!("m{n}")), "inertia": p(&format!("i{n}")),
                "position": at, "orientation": angle, "center_of_mass": com })
    };
    let pin = |a: &str, b: &str, in_a: [f64; 2], in_b: [f64; 2], zero: f64| {
        json!({ "kind": "revolute", "a": a, "b": b, "anchor_in_a": [in_a[0], in_a[1], 0.0],
                "anchor_in_b": [in_b[0], in_b[1], 0.0], "axis_in_a": [0, 0, 1], "zero": [zero] })
    };
    let (o, knee) = ([0.0, 0.0], [0.0, -p("ss")]);
    json!({
        "gravity": [0.0, 0.0, 0.0],
        "bodies": {
            "K1": body(1, o, beta, [p("ra"), 0.0]),
            "K2": body(2, e, beta + theta, [p("d") - p("da"), 0.0]),
            "K3": body(3, b, gamma, [p("sb"), -p("sa")]),
            "K4": body(4, g, phi + delta - FRAC_PI_2, [p("e") - p("ea"), 0.0]),
            "K5": body(5, a, delta, [p("ta"), p("tb")]),
            "K6": body(6, h, omega + epsilon, [p("zf") - p("fa"), 0.0]),
            "K7": body(7, a, epsilon - FRAC_PI_2, [p("ua"), -p("ub")]),
        },
        "joints": {
            "O": pin("ground", "K1", o, o, beta),
            "F": pin("K1", "K2", [p("rr"), 0.0], [p("d"), 0.0], theta),
            "B": pin("ground", "K3", b, o, gamma),
            "G": pin("K5", "K4", [p("zt"), 0.0], o, phi),
            "A5": pin("ground", "K5", a, o, delta),
            "H": pin("K7", "K6", [p("u"), 0.0], o, omega),
            "A7": pin("ground", "K7", a, o, epsilon),
            "E2": pin("K3", "K2", knee, o, 0.0),
            "E4": pin("K3", "K4", knee, [p("e"), 0.0], 0.0),
            "E6": pin("K3", "K6", knee, [p("zf"), 0.0], 0.0),
        },
        "forces": {
            "spring": { "kind": "spring", "a": "ground", "b": "K3", "point_in_a": [p("xc"), p("yc"), 0.0],
                        "point_in_b": [p("sd"), -p("sc"), 0.0], "stiffness": p("c0"), "rest_length": p("l0") },
            "motor": { "kind": "constant", "body": "K1", "torque": [0.0, 0.0, p("mom")] },
        }
    })
}

pub(super) fn squeezer_read(_: &Value, _: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let joints = |what: &str| -> Vec<f64> {
        ["O", "F", "B", "G", "A5", "H", "A7"].iter().map(|j| real(&out["joints"][j][what][0])).collect()
    };
    let accelerations = || -> Vec<f64> {
        let alpha = |n: usize| real(&out["bodies"][format!("K{n}")]["angular_acceleration"][2]);
        vec![
            alpha(1),
            alpha(2) - alpha(1),
            alpha(3),
            alpha(4) - alpha(5),
            alpha(5),
            alpha(6) - alpha(7),
            alpha(7),
        ]
    };
    // The loop-closure constraints are those of K3, K4 and K6 onto K2: the first multiplier is what K3 gives to the others.
    let multipliers = || -> Vec<f64> {
        let force = |name: &str| vec3(&out["joints"][name]["force"]);
        let (e2, e4, e6) = (force("E2"), force("E4"), force("E6"));
        vec![e2[0] + e4[0] + e6[0], e2[1] + e4[1] + e6[1], -e4[0], -e4[1], -e6[0], -e6[1]]
    };
    match expected.quantity.as_str() {
        q if q.starts_with("positions") => joints("coordinates"),
        "velocities" => joints("rates"),
        "accelerations" => accelerations(),
        q if q.starts_with("multipliers") => multipliers(),
        // As printed there, with multipliers of the other sign.
        q if q.starts_with("published vector") => {
            let opposite = multipliers().into_iter().map(|x| -x);
            [joints("coordinates"), joints("rates"), accelerations(), opposite.collect()].concat()
        }
        other => panic!("no reading of {other}"),
    }
}

pub(super) fn governor_scene(problem: &Value, _: Model) -> Value {
    let p = |key: &str| real(&problem["parameters"][key]);
    let (l, w, spin) = (p("rod_length"), p("rod_width"), p("omega0"));
    let (shaft, slider, rod, ball) = (p("shaft_mass"), p("slider_mass"), p("rod_mass"), p("ball_mass"));
    let mass = rod + ball;
    let reach = (0.5 * rod + ball) * l / mass; // from the hinge to the centre of mass
    let across = rod * (l * l + w * w) / 12.0
        + rod * (reach - 0.5 * l) * (reach - 0.5 * l)
        + ball * (l - reach) * (l - reach);
    let thin = rod * w * w / 6.0;
    let cube = slider * p("slider_side") * p("slider_side") / 6.0;
    let tall = shaft * (l * l + w * w) / 12.0;
    let angle = p("angle0_deg").to_radians();
    let (mut bodies, mut joints, mut forces) = (Map::new(), Map::new(), Map::new());
    let turning = json!([0.0, 0.0, spin]);
    bodies.insert(
        "shaft".into(),
        json!({ "mass": shaft, "inertia": [tall, tall, shaft * w * w / 6.0], "position": [0, 0, 0.5],
                "angular_velocity": turning }),
    );
    bodies.insert(
        "slider".into(),
        json!({ "mass": slider, "inertia": [cube, cube, cube], "position": [0.0, 0.0, p("s0")],
                "angular_velocity": turning }),
    );
    joints.insert(
        "spindle".into(),
        json!({ "kind": "revolute", "a": "ground", "b": "shaft", "anchor": [0, 0, 0], "axis": [0, 0, 1] }),
    );
    joints.insert(
        "sleeve".into(),
        json!({ "kind": "prismatic", "a": "shaft", "b": "slider", "anchor": [0.0, 0.0, p("s0")],
                "axis": [0, 0, 1] }),
    );
    for (name, side) in [("right", 1.0), ("left", -1.0)] {
        let hinge = [side * p("hinge_offset"), 0.0, p("hinge_height")];
        let turn = if side > 0.0 { angle } else { 2.0 * FRAC_PI_2 - angle };
        let x = hinge[0] + reach * turn.cos();
        bodies.insert(
            name.into(),
            json!({ "mass": mass, "inertia": [thin, across, across], "position": [x, 0.0, hinge[2] - reach * turn.sin()],
                    "orientation": { "axis": [0, 1, 0], "angle": turn },
                    "velocity": [0.0, spin * x, 0.0], "angular_velocity": turning }),
        );
        joints.insert(
            format!("hinge-{name}"),
            json!({ "kind": "revolute", "a": "shaft", "b": name, "anchor": hinge, "axis": [0, 1, 0], "zero": [turn] }),
        );
        forces.insert(
            format!("link-{name}"),
            json!({ "kind": "spring", "a": name, "b": "slider", "point_in_a": [0.5 * l - reach, 0.0, 0.0],
                    "point_in_b": [hinge[0], 0.0, 0.0], "stiffness": p("stiffness"), "damping": p("damping"),
                    "rest_length": p("rest_length") }),
        );
    }
    json!({ "gravity": [0.0, 0.0, -p("g")], "bodies": bodies, "joints": joints, "forces": forces })
}

pub(super) fn governor_read(_: &Value, _: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let spindle = |what: &str| real(&out["joints"]["spindle"][what][0]);
    vec![match expected.quantity.as_str() {
        "slider height s" => real(&out["bodies"]["slider"]["position"][2]),
        "slider speed s_dot" => real(&out["bodies"]["slider"]["velocity"][2]),
        "rod angle below horizontal" => real(&out["joints"]["hinge-right"]["coordinates"][0]),
        "shaft speed phi_dot" => spindle("rates"),
        "shaft angle phi (unwrapped)" => spindle("coordinates"),
        q if q.starts_with("angular momentum about the shaft") => real(&out["momentum"]["angular"][2]),
        other => panic!("no reading of {other}"),
    }]
}

/// Two ball joints on the hinge line; whatever solver.
pub(super) fn door_scene(problem: &Value, model: Model) -> Value {
    let p = |key: &str| real(&problem["parameters"][key]);
    let ball = |z: f64| json!({ "kind": "spherical", "a": "ground", "b": "door", "anchor": [0.0, 0.0, z] });
    json!({
        "gravity": [0.0, 0.0, -p("g")],
        "bodies": { "door": { "kind": model.body_kind(), "mass": p("mass"), "position": [0.5 * p("width"), 0.0, 0.0],
                              "shape": { "kind": "box", "size": [p("width"), 0.04, p("height")] } } },
        "joints": { "upper": ball(0.5 * p("hinge_distance")), "lower": ball(-0.5 * p("hinge_distance")) }
    })
}

pub(super) fn door_read(_: &Value, _: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let force = |name: &str| vec3(&out["joints"][name]["force"]);
    let (upper, lower) = (force("upper"), force("lower"));
    match expected.quantity.as_str() {
        q if q.starts_with("horizontal force of the upper") => vec![upper[0]],
        q if q.starts_with("horizontal force of the lower") => vec![lower[0]],
        "sum of vertical hinge forces" => vec![upper[2] + lower[2]],
        q if q.starts_with("vertical split if the least-norm") => vec![upper[2]],
        other => panic!("no reading of {other}"),
    }
}

/// Bars are distance joints between particles; node 0 is a ball joint, node 2 rolls on the x axis.
pub(super) fn truss_scene(problem: &Value, model: Model) -> Value {
    let h = 0.75_f64.sqrt();
    let nodes = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.5, h], [1.5, h]];
    let load = real(&problem["parameters"]["P"]);
    let (mut bodies, mut joints) = (Map::new(), Map::new());
    for (i, [x, y]) in nodes.into_iter().enumerate() {
        let body = json!({ "kind": model.body_kind(), "mass": problem["parameters"]["node_mass"], "position": [x, y, 0.0] });
        bodies.insert(format!("n{i}"), body);
    }
    for (i, k) in bars(problem) {
        let joint = json!({ "kind": "distance", "a": format!("n{i}"), "b": format!("n{k}"), "length": 1.0 });
        joints.insert(format!("bar{i}{k}"), joint);
    }
    joints
        .insert("pin".into(), json!({ "kind": "spherical", "a": "ground", "b": "n0", "anchor": [0, 0, 0] }));
    joints.insert(
        "roller".into(),
        json!({ "kind": "point-on-line", "a": "ground", "b": "n2", "anchor": [2, 0, 0], "axis": [1, 0, 0] }),
    );
    json!({
        "gravity": [0, 0, 0],
        "bodies": bodies,
        "joints": joints,
        "forces": { "load": { "kind": "constant", "body": "n1", "force": [0.0, -load, 0.0] } }
    })
}

fn bars(problem: &Value) -> Vec<(u64, u64)> {
    let entries = super::list(&problem["reference"]).iter().filter_map(|e| e.get("bar"));
    entries.map(|bar| (bar[0].as_u64().expect("a node"), bar[1].as_u64().expect("a node"))).collect()
}

/// Known and found: bars (tension positive), left pin, right roller, and every acceleration.
pub(crate) fn truss_forces(problem: &Value, out: &Value) -> Vec<(String, f64, f64)> {
    assert_eq!(id(problem), "truss_warren_7");
    let mut found = Vec::new();
    for entry in super::list(&problem["reference"]) {
        if let Some(bar) = entry.get("bar") {
            let name = format!("bar{}{}", bar[0], bar[1]);
            let pull = -real(&out["joints"][&name]["multipliers"][0]); // a multiplier is positive when it pushes
            found.push((name, real(&entry["force"]), pull));
        } else if entry["reaction"] == "left pin (x, y)" {
            for i in 0..2 {
                let force = real(&out["joints"]["pin"]["force"][i]);
                found.push((format!("pin {i}"), real(&entry["value"][i]), force));
            }
        } else {
            let force = real(&out["joints"]["roller"]["force"][1]);
            found.push(("roller".into(), real(&entry["value"]), force));
        }
    }
    for i in 0..5 {
        for x in vec3(&out["bodies"][format!("n{i}")]["acceleration"]) {
            found.push((format!("acceleration of node {i}"), 0.0, x));
        }
    }
    found
}
