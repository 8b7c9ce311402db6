//! One swinging point: the pendulums, and the bead on a circle.

use super::{Expectation, Model, numbers, real, vec3};
use crate::support::math::{add, dot, scale};
use serde_json::{Value, json};

/// A particle on a distance joint, or a rigid dumbbell on a hinge: one copy of the mass at the far end, which moves as the
/// particle does, and one at the pivot, which does not move.
pub(super) fn scene(problem: &Value, model: Model) -> Value {
    let p = &problem["parameters"];
    let (m, l, g) = (real(&p["mass"]), real(&p["length"]), real(&p["g"]));
    let start = &problem["initial_conditions"];
    let (theta, rate) = (real(&start["theta"]), real(&start["theta_dot"]));
    let (sin, cos) = theta.sin_cos();
    let kind = model.body_kind();
    if !model.has_frames() {
        return json!({
            "gravity": [0.0, -g, 0.0],
            "bodies": { "bob": { "kind": kind, "mass": m, "position": [l * sin, -l * cos, 0.0],
                                 "velocity": [l * rate * cos, l * rate * sin, 0.0] } },
            "joints": { "pivot": { "kind": "distance", "a": "ground", "b": "bob", "length": l,
                                   "point_in_a": [0.0, 0.0, 0.0], "point_in_b": [0.0, 0.0, 0.0] } },
            "probes": { "tip": { "body": "bob", "point": [0.0, 0.0, 0.0] } }
        });
    }
    let (half, inertia) = (0.5 * l, 0.5 * m * l * l);
    let mut bob = json!({
        "kind": kind, "mass": 2.0 * m, "center_of_mass": [0.0, -half, 0.0], "position": [0.0, 0.0, 0.0],
        "velocity": [half * rate * cos, half * rate * sin, 0.0], "angular_velocity": [0.0, 0.0, rate]
    });
    if model == Model::Planar {
        bob["inertia"] = json!(inertia);
        bob["orientation"] = json!(theta);
    } else {
        bob["inertia"] = json!([inertia, 0.1 * inertia, inertia]); // nothing turns about the rod itself
        bob["orientation"] = json!({ "axis": [0, 0, 1], "angle": theta });
    }
    json!({
        "gravity": [0.0, -g, 0.0],
        "bodies": { "bob": bob },
        "joints": { "pivot": { "kind": "revolute", "a": "ground", "b": "bob", "anchor": [0.0, 0.0, 0.0],
                               "axis": [0.0, 0.0, 1.0], "zero": [theta] } },
        "probes": { "tip": { "body": "bob", "point": [0.0, -l, 0.0] } }
    })
}

pub(super) fn read(problem: &Value, model: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let p = &problem["parameters"];
    let (m, l, g) = (real(&p["mass"]), real(&p["length"]), real(&p["g"]));
    let (tip, vel) = (vec3(&out["probes"]["tip"]["position"]), vec3(&out["probes"]["tip"]["velocity"]));
    let pivot = &out["joints"]["pivot"];
    match expected.quantity.as_str() {
        "theta" if model.has_frames() => vec![real(&pivot["coordinates"][0])],
        "theta" => vec![tip[0].atan2(-tip[1])],
        "theta_dot" if model.has_frames() => vec![real(&pivot["rates"][0])],
        "theta_dot" => vec![(tip[0] * vel[1] - tip[1] * vel[0]) / (l * l)],
        "bob position (x, y)" => vec![tip[0], tip[1]],
        "rod tension (positive = pulls the bob towards the pivot)" => {
            // the hinge also carries the copy of the mass that sits at the pivot
            let extra = if model.has_frames() { [0.0, -m * g, 0.0] } else { [0.0; 3] };
            vec![-dot(scale(1.0 / l, tip), add(vec3(&pivot["force"]), extra))]
        }
        other => panic!("no reading of {other}"),
    }
}

pub(super) fn bead_scene(problem: &Value, model: Model) -> Value {
    let (p, start) = (&problem["parameters"], &problem["initial_conditions"]);
    let (force, x, v) = (numbers(&p["F"]), numbers(&start["x"]), numbers(&start["v"]));
    json!({
        "gravity": [0.0, 0.0, 0.0],
        "bodies": { "bead": { "kind": model.body_kind(), "mass": p["m"], "position": [x[0], x[1], 0.0],
                              "velocity": [v[0], v[1], 0.0] } },
        "joints": { "wire": { "kind": "bead-on-circle", "a": "ground", "b": "bead", "radius": 1.0 } },
        "forces": { "push": { "kind": "constant", "body": "bead", "force": [force[0], force[1], 0.0] } }
    })
}

pub(super) fn bead_read(_: &Value, _: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let bead = &out["bodies"]["bead"];
    match expected.quantity.as_str() {
        "position" => numbers(&bead["position"])[..2].to_vec(),
        "velocity" => numbers(&bead["velocity"])[..2].to_vec(),
        q if q.starts_with("multiplier") => vec![real(&out["joints"]["wire"]["multipliers"][0])],
        other => panic!("no reading of {other}"),
    }
}
