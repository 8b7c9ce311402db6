//! Every bundled scene, run for its whole time, obeys the laws that it lists.

mod support;

use serde_json::Value;
use support::math::{V, norm, sub};
use support::scene::Scene;
use support::{bundled_scenes, run, solve};

/// Joints closed: projection stops at 32 roundings of the numbers that form a gap, and these scenes are metres across;
/// speeds reach 10 m/s, the top turns at 240 rad/s.
const GAP: f64 = 1e-13;
const GAP_RATE: f64 = 1e-12;

/// Energy: the truncation error of the fourth-order method at the step in the file, largest for the top (a twentieth of a
/// radian per step) and for the cracking tip of the chain.
const ENERGY: f64 = 1e-7;

/// Momentum of a floating scene, relative to its terms: no method of the Runge-Kutta family changes it, so what remains is
/// rounding, 10⁴ steps of a few 1e-16.
const MOMENTUM: f64 = 1e-11;

/// Angular momentum, relative to its terms: quadratic in the state, so it has a truncation error, largest for the top again.
const ANGULAR_MOMENTUM: f64 = 2e-8;

fn real(v: &Value) -> f64 {
    v.as_f64().unwrap_or(f64::NAN)
}

fn vec3(v: &Value) -> V {
    [0, 1, 2].map(|i| real(&v[i]))
}

/// Σ m |v| and Σ (|x| m |v| + I |ω|): what the sums for the momenta are made of.
fn momentum_sizes(scene: &Scene, out: &Value) -> (f64, f64) {
    let mut sizes = (0.0, 0.0);
    for (name, body) in &scene.bodies {
        let get = |key: &str| norm(vec3(&out["bodies"][name][key]));
        let greatest = body.inertia.map(norm).into_iter().fold(0.0, f64::max);
        let turning = if greatest > 0.0 { greatest * get("angular_velocity") } else { 0.0 };
        sizes.0 += body.mass * get("velocity");
        sizes.1 += body.mass * get("position") * get("velocity") + turning;
    }
    sizes
}

/// What a law says against the end of the run, or nothing if it holds.
fn broken(law: &str, text: &str, scene: &Scene, end: &Value) -> Option<String> {
    let beyond = |what: &str, value: f64, bound: f64| {
        (value.is_nan() || value > bound).then(|| format!("{what} is {value:.2e}, beyond {bound:.1e}"))
    };
    let change = |which: &str| {
        let start = solve(text);
        sub(vec3(&end["momentum"][which]), vec3(&start["momentum"][which]))
    };
    let (linear, angular) = momentum_sizes(scene, end);
    let energy = |out: &Value| real(&out["energy"]["kinetic"]) + real(&out["energy"]["potential"]);
    match law {
        "energy" => beyond("the energy balance", real(&end["energy"]["balance_error"]), ENERGY),
        "closed" => {
            let certificate = &end["certificate"];
            beyond("the largest gap", real(&certificate["max_position_error"]), GAP).or_else(|| {
                beyond("the largest gap's rate", real(&certificate["max_velocity_error"]), GAP_RATE)
            })
        }
        "linear-momentum" => beyond("the change", norm(change("linear")), MOMENTUM * linear),
        "angular-momentum" => beyond("the change", norm(change("angular")), ANGULAR_MOMENTUM * angular),
        "angular-momentum-z" => beyond("the change", change("angular")[2].abs(), ANGULAR_MOMENTUM * angular),
        "energy-decreases" => {
            let middle = run(text, 0.5 * scene.until, scene.dt);
            let falls = [solve(text), middle, end.clone()].map(|out| energy(&out));
            let rise = (falls[1] - falls[0]).max(falls[2] - falls[1]);
            beyond("the rise of energy", rise, 0.0)
        }
        other => Some(format!("no such law: {other}")),
    }
}

#[test]
fn every_bundled_scene_obeys_its_laws() {
    let mut failures = Vec::new();
    for (name, text) in bundled_scenes() {
        let scene = Scene::parse(&text);
        assert!(!scene.laws.is_empty(), "{name} lists no laws");
        let end = run(&text, scene.until, scene.dt);
        for law in &scene.laws {
            failures.extend(broken(law, &text, &scene, &end).map(|why| format!("{name}: {law}: {why}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What the file says is what is solved: nothing is silently moved at the start.
#[test]
fn every_bundled_scene_starts_closed() {
    for (name, text) in bundled_scenes() {
        let certificate = &solve(&text)["certificate"];
        let (gap, rate) =
            (real(&certificate["max_position_error"]), real(&certificate["max_velocity_error"]));
        // the pose is given to 16 digits of numbers near 1, the top's spin to 16 digits of 240 rad/s
        assert!(gap <= 1e-15, "{name}: gap {gap:.1e} at the start");
        assert!(rate <= 3e-14, "{name}: gap's rate {rate:.1e} at the start");
    }
}

/// Every scene says what it is, in its first line and in its fields.
#[test]
fn every_bundled_scene_introduces_itself() {
    for (name, text) in bundled_scenes() {
        assert!(text.starts_with("# "), "{name} does not open with a comment");
        let file = support::scene::to_value(&text);
        for field in ["title", "description", "laws"] {
            assert!(file.get(field).is_some(), "{name} has no {field}");
        }
    }
}
