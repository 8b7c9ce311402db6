//! Single rigid bodies: free ones, and heavy tops on a ball joint.

use super::{Expectation, Model, list, numbers, real, vec3};
use crate::support::math::{Q, V, cross, dot, normalized, rotate, rotate_back, scale};
use serde_json::{Value, json};

pub(super) fn free_scene(problem: &Value, model: Model) -> Value {
    let (p, start) = (&problem["parameters"], &problem["initial_conditions"]);
    json!({
        "gravity": [0.0, 0.0, 0.0],
        "bodies": { "top": { "kind": model.body_kind(), "mass": p["mass"], "inertia": p["I"],
                             "orientation": { "quaternion": start["q"] },
                             "angular_velocity": start["w_body"] } } // starts with body axes = world axes
    })
}

pub(super) fn free_read(_: &Value, _: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let top = &out["bodies"]["top"];
    match expected.quantity.as_str() {
        "angular velocity in body axes" => {
            rotate_back(quaternion(&top["orientation"]), vec3(&top["angular_velocity"])).to_vec()
        }
        q if q.starts_with("orientation quaternion") => numbers(&top["orientation"]),
        q if q.starts_with("angular momentum") => numbers(&out["momentum"]["angular"]),
        other => panic!("no reading of {other}"),
    }
}

pub(super) fn heavy_scene(problem: &Value, model: Model) -> Value {
    let (p, start) = (&problem["parameters"], &problem["initial_conditions"]);
    let (m, l, axial) = (real(&p["mass"]), real(&p["l"]), real(&p["I_axial"]));
    let across = real(&p["I_transverse_pivot"]) - m * l * l; // about the centre of mass
    let omega = vec3(&start["omega_world"]);
    let center = scale(l, spin_axis(&start["quaternion"]));
    json!({
        "gravity": [0.0, 0.0, -real(&p["g"])],
        "bodies": { "top": { "kind": model.body_kind(), "mass": m, "inertia": [across, across, axial],
                             "position": center, "orientation": { "quaternion": start["quaternion"] },
                             "velocity": cross(omega, center), "angular_velocity": omega } },
        "joints": { "point": { "kind": "spherical", "a": "ground", "b": "top",
                               "anchor_in_a": [0.0, 0.0, 0.0], "anchor_in_b": [0.0, 0.0, -l] } }
    })
}

pub(super) fn heavy_read(problem: &Value, _: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let top = &out["bodies"]["top"];
    match expected.quantity.as_str() {
        "centre of mass position" => numbers(&top["position"]),
        "cos(nutation angle)" => vec![spin_axis(&top["orientation"])[2]],
        "angular velocity in world axes" => numbers(&top["angular_velocity"]),
        "support force at t=0 (world)" => numbers(&out["joints"]["point"]["force"]),
        "conserved: energy, vertical and axial angular momentum" => {
            // the file's energy leaves out the spin's, which is constant by itself
            let axial = real(&problem["parameters"]["I_axial"]);
            let spin = dot(vec3(&top["angular_velocity"]), spin_axis(&top["orientation"]));
            let energy = real(&out["energy"]["kinetic"]) + real(&out["energy"]["potential"]);
            vec![energy - 0.5 * axial * spin * spin, real(&out["momentum"]["angular"][2]), axial * spin]
        }
        other => panic!("no reading of {other}"),
    }
}

/// Tops start at one limit of their nutation; half a period later they are at the other.
pub(super) fn other_limit(problem: &Value, limits: &Expectation) -> Expectation {
    let start = real(&problem["initial_conditions"]["theta"]).cos();
    let far = limits.value.iter().copied().max_by(|x, y| (x - start).abs().total_cmp(&(y - start).abs()));
    let period = list(&problem["reference"]).iter().find(|e| e["quantity"] == "nutation period");
    let period = real(&period.expect("the file has the period")["value"]);
    Expectation::derived(0.5 * period, "cos(nutation angle)", vec![far.expect("two limits")])
}

/// The energy of a top is read as a difference from that of its spin, which may be thousands of joules.
pub(super) fn rounding(problem: &Value, quantity: &str) -> f64 {
    if !quantity.starts_with("conserved: energy") {
        return 0.0;
    }
    let spin = real(&problem["initial_conditions"]["psi_dot"]);
    1e-14 * 0.5 * real(&problem["parameters"]["I_axial"]) * spin * spin
}

fn spin_axis(orientation: &Value) -> V {
    rotate(quaternion(orientation), [0.0, 0.0, 1.0])
}

fn quaternion(v: &Value) -> Q {
    let q = numbers(v);
    normalized([q[0], q[1], q[2], q[3]])
}
