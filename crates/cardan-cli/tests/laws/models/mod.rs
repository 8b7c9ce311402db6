//! The reference problems as scenes: how each is built from its file, and where its quantities stand in the JSON.

mod chains;
pub(crate) mod loops;
mod pendulum;
mod rolling;
mod tops;

use crate::support::math::V;
use serde_json::Value;
use std::f64::consts::TAU;

/// What the bodies of a problem are made of; several models of one problem must give the same motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Model {
    /// Particles in space, kept apart by `distance` joints.
    Particles,
    /// Particles in the plane, kept apart by `distance` joints.
    PlanarParticles,
    /// Rigid bodies in space with `revolute` or `spherical` joints.
    Rigid,
    /// Rigid bodies in the plane with `revolute` joints.
    Planar,
}

impl Model {
    fn body_kind(self) -> &'static str {
        match self {
            Model::Particles => "particle",
            Model::PlanarParticles => "planar-particle",
            Model::Rigid => "rigid",
            Model::Planar => "planar",
        }
    }

    fn has_frames(self) -> bool {
        matches!(self, Model::Rigid | Model::Planar)
    }
}

/// One known value: at time 0 it is read from `solve`, later from `run`.
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    pub t: f64,
    pub quantity: String,
    pub link: Option<usize>,
    pub value: Vec<f64>,
    /// Bound on the error of the reference itself.
    pub abs_err: f64,
    /// Constant in time: left out where the order of the method is measured.
    pub conserved: bool,
}

impl Expectation {
    fn at(&self, t: f64) -> Expectation {
        Expectation { t, ..self.clone() }
    }

    fn derived(t: f64, quantity: &str, value: Vec<f64>) -> Expectation {
        // known to 1e-13 s; no rate here is faster than 100 per second
        Expectation { t, quantity: quantity.into(), link: None, value, abs_err: 1e-11, conserved: false }
    }
}

/// Every value of the file that can be read from the JSON. Values without a time become runs to a telling time.
pub(crate) fn expectations(problem: &Value) -> Vec<Expectation> {
    let entries: Vec<Expectation> = list(&problem["reference"]).iter().map(entry).collect();
    let mut times: Vec<f64> = entries.iter().map(|e| e.t).filter(|t| *t >= 0.0).collect();
    times.push(0.0);
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut out = Vec::new();
    for entry in entries {
        if entry.t >= 0.0 {
            out.push(entry);
            continue;
        }
        let q = entry.quantity.as_str();
        if q.starts_with("period") || q.starts_with("time for one") || q == "nutation period" {
            out.extend(after_one_period(problem, q, entry.value[0]));
        } else if q.starts_with("limits of cos") {
            out.push(tops::other_limit(problem, &entry));
        } else if let Some(known) = loops::crank_angle(problem, q, entry.value[0]) {
            out.extend(known);
        } else if let Some(known) = rolling::limits(problem, q, entry.value[0]) {
            out.extend(known);
        } else if q.starts_with("modulus") {
            // a parameter of the closed form, not of the motion
        } else {
            let abs_err = entry.abs_err.max(tops::rounding(problem, q));
            let conserved = Expectation { conserved: true, abs_err, ..entry };
            out.extend(times.iter().map(|t| conserved.at(*t)));
        }
    }
    out
}

fn entry(e: &Value) -> Expectation {
    let released = e.get("link").is_some();
    Expectation {
        t: e.get("t").map_or(if released { 0.0 } else { -1.0 }, real),
        quantity: e["quantity"].as_str().expect("a name").into(),
        link: e.get("link").and_then(Value::as_u64).map(|i| i as usize),
        value: if e["value"].is_array() { numbers(&e["value"]) } else { vec![real(&e["value"])] },
        abs_err: e["abs_err"].as_f64().unwrap_or(1e-13),
        conserved: false,
    }
}

/// A period is the time after which the start comes back.
fn after_one_period(problem: &Value, quantity: &str, period: f64) -> Vec<Expectation> {
    let start = &problem["initial_conditions"];
    match quantity {
        "nutation period" => {
            let cos = real(&start["theta"]).cos();
            vec![Expectation::derived(period, "cos(nutation angle)", vec![cos])]
        }
        "period of the body-frame angular velocity" => {
            vec![Expectation::derived(period, "angular velocity in body axes", numbers(&start["w_body"]))]
        }
        _ => {
            let turn = if quantity.starts_with("time for one") { TAU } else { 0.0 };
            let (angle, rate) = (real(&start["theta"]) + turn, real(&start["theta_dot"]));
            vec![
                Expectation::derived(period, "theta", vec![angle]),
                Expectation::derived(period, "theta_dot", vec![rate]),
            ]
        }
    }
}

/// Whether a model of the problem has the quantity: some are about rows in space, or about a solver's choice.
pub(crate) fn applies(model: Model, expected: &Expectation) -> bool {
    let q = expected.quantity.as_str();
    let in_space = !q.starts_with("3D model") || model == Model::Rigid;
    in_space && !q.starts_with("vertical split if") && !q.starts_with("published vector")
}

/// The scene of a problem, ready to be written as TOML.
pub(crate) fn scene(problem: &Value, model: Model) -> Value {
    let build = match id(problem) {
        "a01_simple_pendulum" | "pendulum_170deg" | "pendulum_rotating" => pendulum::scene,
        "double_pendulum_point" | "planar_chain_5" | "chain_release_n008" | "chain_release_n033" => {
            chains::scene
        }
        "spatial_chain_3_ball" => chains::ball_joint_scene,
        "free_top_general" | "free_top_intermediate_axis" => tops::free_scene,
        "heavy_top_cusp" | "heavy_top_fast" => tops::heavy_scene,
        "bead_on_wire" => pendulum::bead_scene,
        id if id.starts_with("a02_nfourbar") => loops::n_four_bar_scene,
        "four_bar_3d_redundant" => loops::four_bar_scene,
        "a03_andrews_squeezer" => loops::squeezer_scene,
        "a05_flyball_governor" => loops::governor_scene,
        "door_two_hinges" => loops::door_scene,
        "truss_warren_7" => loops::truss_scene,
        "gear_pair" | "gear_pair_spring" => rolling::gear_scene,
        "chaplygin_sleigh" | "knife_edge_incline" | "knife_edge_incline_b" => rolling::blade_scene,
        "ball_incline" | "ball_turntable" => rolling::ball_scene,
        other => panic!("no model of {other}"),
    };
    build(problem, model)
}

/// An expected quantity as the command printed it.
pub(crate) fn read(problem: &Value, model: Model, expected: &Expectation, out: &Value) -> Vec<f64> {
    let q = expected.quantity.as_str();
    if q.starts_with("total energy") || q == "kinetic energy" {
        let potential = if q.starts_with("total energy") { real(&out["energy"]["potential"]) } else { 0.0 };
        return vec![real(&out["energy"]["kinetic"]) + potential];
    }
    let read = match id(problem) {
        "a01_simple_pendulum" | "pendulum_170deg" | "pendulum_rotating" => pendulum::read,
        "double_pendulum_point" | "planar_chain_5" | "chain_release_n008" | "chain_release_n033" => {
            chains::read
        }
        "spatial_chain_3_ball" => chains::ball_joint_read,
        "free_top_general" | "free_top_intermediate_axis" => tops::free_read,
        "heavy_top_cusp" | "heavy_top_fast" => tops::heavy_read,
        "bead_on_wire" => pendulum::bead_read,
        id if id.starts_with("a02_nfourbar") => loops::n_four_bar_read,
        "four_bar_3d_redundant" => loops::four_bar_read,
        "a03_andrews_squeezer" => loops::squeezer_read,
        "a05_flyball_governor" => loops::governor_read,
        "door_two_hinges" => loops::door_read,
        "gear_pair" | "gear_pair_spring" => rolling::gear_read,
        "chaplygin_sleigh" | "knife_edge_incline" | "knife_edge_incline_b" => rolling::blade_read,
        "ball_incline" | "ball_turntable" => rolling::ball_read,
        other => panic!("no model of {other}"),
    };
    let value = read(problem, model, expected, out);
    if q.contains("quaternion") {
        return same_sign(&value, &expected.value);
    }
    if !model.has_frames() && (q == "theta" || q.contains("angles")) {
        // a particle has no turns to count
        return value.iter().zip(&expected.value).map(|(x, y)| x + TAU * ((y - x) / TAU).round()).collect();
    }
    value
}

/// q and −q are the same orientation.
fn same_sign(q: &[f64], like: &[f64]) -> Vec<f64> {
    let sign = q.iter().zip(like).map(|(x, y)| x * y).sum::<f64>().signum();
    q.iter().map(|x| sign * x).collect()
}

fn id(problem: &Value) -> &str {
    problem["id"].as_str().expect("an id")
}

fn real(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("not a number: {v}"))
}

fn list(v: &Value) -> &[Value] {
    v.as_array().unwrap_or_else(|| panic!("not a list: {v}"))
}

fn numbers(v: &Value) -> Vec<f64> {
    list(v).iter().map(real).collect()
}

fn vec3(v: &Value) -> V {
    let n = numbers(v);
    [n[0], n[1], n[2]]
}
