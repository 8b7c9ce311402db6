//! Chains: planar ones of particles or rods, and three bodies on ball joints.

use super::{Expectation, Model, id, list, numbers, real, vec3};
use serde_json::{Map, Value, json};

/// A link: its length, mass, distance of its centre of mass from its inner end, and inertia about that centre.
struct Link {
    length: f64,
    mass: f64,
    reach: f64,
    inertia: f64,
}

fn links(problem: &Value) -> Vec<Link> {
    let p = &problem["parameters"];
    if id(problem).starts_with("chain_release") {
        let (mass, length) = (real(&p["mass"]), real(&p["length"]));
        let rod = || Link { length, mass, reach: 0.5 * length, inertia: mass * length * length / 12.0 };
        return (0..p["n"].as_u64().expect("a count")).map(|_| rod()).collect();
    }
    let (masses, lengths) = (numbers(&p["masses"]), numbers(&p["lengths"]));
    if p["inertias"].is_null() {
        return point_mass_links([masses[0], masses[1]], [lengths[0], lengths[1]]);
    }
    let inertias = numbers(&p["inertias"]);
    let link = |i: usize| Link {
        length: lengths[i],
        mass: masses[i],
        reach: 0.5 * lengths[i],
        inertia: inertias[i],
    };
    (0..masses.len()).map(link).collect()
}

/// Two point masses as rigid dumbbells with the same motion: the inner mass is shared between the ends that meet there,
/// and what sits at the pivot does not move.
fn point_mass_links(masses: [f64; 2], lengths: [f64; 2]) -> Vec<Link> {
    let shared = 0.4 * masses[0];
    let ends = [[masses[0] - shared; 2], [shared, masses[1]]];
    let link = |i: usize| {
        let ([inner, outer], length) = (ends[i], lengths[i]);
        let mass = inner + outer;
        Link { length, mass, reach: outer * length / mass, inertia: inner * outer * length * length / mass }
    };
    vec![link(0), link(1)]
}

fn angles(problem: &Value, n: usize) -> Vec<f64> {
    let start = &problem["initial_conditions"];
    start.get("angles").map_or(vec![0.0; n], numbers)
}

/// Links from the origin, at rest (as in every chain here), gravity along −y.
pub(super) fn scene(problem: &Value, model: Model) -> Value {
    let g = real(&problem["parameters"]["g"]);
    let links = links(problem);
    let angles = angles(problem, links.len());
    let (mut bodies, mut joints) = (Map::new(), Map::new());
    let (mut inner, mut before) = ([0.0, 0.0, 0.0], 0.0);
    for (i, (link, angle)) in links.iter().zip(angles).enumerate() {
        let (sin, cos) = angle.sin_cos();
        let at = |r: f64| [inner[0] + r * cos, inner[1] + r * sin, 0.0];
        let a = if i == 0 { "ground".to_string() } else { format!("b{}", i - 1) };
        let (body, joint) = if model.has_frames() {
            let (inertia, orientation) = match model {
                Model::Planar => (json!(link.inertia), json!(angle)),
                // nothing turns about a link's own line
                _ => (
                    json!([0.1 * link.inertia, link.inertia, link.inertia]),
                    json!({ "axis": [0, 0, 1], "angle": angle }),
                ),
            };
            let body = json!({ "kind": model.body_kind(), "mass": link.mass, "position": at(link.reach),
                               "inertia": inertia, "orientation": orientation });
            let joint =
                json!({ "kind": "revolute", "anchor": inner, "axis": [0, 0, 1], "zero": [angle - before] });
            (body, joint)
        } else {
            let mass = &problem["parameters"]["masses"][i];
            let body = json!({ "kind": model.body_kind(), "mass": mass, "position": at(link.length) });
            let joint = json!({ "kind": "distance", "length": link.length, "point_in_a": [0, 0, 0],
                                "point_in_b": [0, 0, 0] });
            (body, joint)
        };
        let mut joint = joint;
        joint["a"] = json!(a);
        joint["b"] = json!(format!("b{i}"));
        bodies.insert(format!("b{i}"), body);
        joints.insert(format!("j{i}"), joint);
        (inner, before) = (at(link.length), angle);
    }
    let last = links.last().expect("a chain has links");
    let beyond = if model.has_frames() { last.length - last.reach } else { 0.0 };
    json!({
        "gravity": [0.0, -g, 0.0],
        "bodies": bodies,
        "joints": joints,
        "probes": { "tip": { "body": format!("b{}", links.len() - 1), "point": [beyond, 0.0, 0.0] } }
    })
}

pub(super) fn read(problem: &Value, model: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let tip = &out["probes"]["tip"];
    let body = |i: usize, what: &str| vec3(&out["bodies"][format!("b{i}")][what]);
    let n = links(problem).len();
    // Along and across each link of particles, by the ends' positions, velocities and accelerations.
    let relative = |what: &str, i: usize| {
        let (outer, inner) = (body(i, what), if i == 0 { [0.0; 3] } else { body(i - 1, what) });
        [outer[0] - inner[0], outer[1] - inner[1]]
    };
    let across = |what: &str, i: usize| {
        let (d, v) = (relative("position", i), relative(what, i));
        (d[0] * v[1] - d[1] * v[0]) / (d[0] * d[0] + d[1] * d[1])
    };
    let summed = |what: &str| {
        let mut total = 0.0;
        let mut add = |i| {
            total += real(&out["joints"][format!("j{i}")][what][0]);
            total
        };
        (0..n).map(&mut add).collect::<Vec<f64>>()
    };
    match expected.quantity.as_str() {
        "link angles from +x (absolute, unwrapped)" if model.has_frames() => summed("coordinates"),
        "link angles from +x (absolute, unwrapped)" => {
            let angle = |d: [f64; 2]| d[1].atan2(d[0]);
            (0..n).map(|i| angle(relative("position", i))).collect()
        }
        "link rates" if model.has_frames() => summed("rates"),
        "link rates" => (0..n).map(|i| across("velocity", i)).collect(),
        // d × d'' of a rigid link has no part from its turning: d'' = α × d − ω² d
        q if q.starts_with("link angular acceleration") => {
            let alpha = |i: usize| match model.has_frames() {
                true => body(i, "angular_acceleration")[2],
                false => across("acceleration", i),
            };
            expected.link.map_or_else(|| (0..n).map(alpha).collect(), |i| vec![alpha(i)])
        }
        "vertical force on link at its inner pin" => {
            let i = expected.link.expect("the entry names a link");
            vec![real(&out["joints"][format!("j{i}")]["force"][1])]
        }
        "tip position" => numbers(&tip["position"])[..2].to_vec(),
        "tip vertical acceleration" => vec![real(&tip["acceleration"][1])],
        other => panic!("no reading of {other}"),
    }
}

pub(super) fn ball_joint_scene(problem: &Value, model: Model) -> Value {
    let (p, start) = (&problem["parameters"], &problem["initial_conditions"]);
    let (mut bodies, mut joints) = (Map::new(), Map::new());
    for (i, (b, s)) in list(&p["bodies"]).iter().zip(list(&start["bodies"])).enumerate() {
        let moment = |k: usize| real(&b["J_body"][k][k]);
        let body = json!({
            "kind": model.body_kind(), "mass": b["mass"], "inertia": [moment(0), moment(1), moment(2)],
            "position": s["position"], "orientation": { "quaternion": s["quaternion"] },
            "velocity": s["velocity"], "angular_velocity": s["angular_velocity_world"]
        });
        let parent = b["parent"].as_i64().expect("an index");
        let a = if parent < 0 { "ground".to_string() } else { format!("b{parent}") };
        let joint = json!({ "kind": "spherical", "a": a, "b": format!("b{i}"),
                            "anchor_in_a": b["joint_point_in_parent"], "anchor_in_b": b["joint_point_in_body"] });
        bodies.insert(format!("b{i}"), body);
        joints.insert(format!("j{i}"), joint);
    }
    json!({ "gravity": [0.0, 0.0, -real(&p["g"])], "bodies": bodies, "joints": joints })
}

/// Quantities are named `body 1 velocity` and so on.
pub(super) fn ball_joint_read(_: &Value, _: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let words: Vec<&str> = expected.quantity.splitn(3, ' ').collect();
    let body = &out["bodies"][format!("b{}", words[1])];
    numbers(match words[2] {
        "centre of mass" => &body["position"],
        "quaternion (w,x,y,z), sign free" => &body["orientation"],
        "velocity" => &body["velocity"],
        "angular velocity (world)" => &body["angular_velocity"],
        "linear acceleration at t=0" => &body["acceleration"],
        "angular acceleration at t=0 (world)" => &body["angular_acceleration"],
        other => panic!("no reading of {other}"),
    })
}
