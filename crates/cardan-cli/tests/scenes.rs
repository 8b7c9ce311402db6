//! Every bundled scene, run for its whole time, obeys the laws that it lists.

mod support;

use serde_json::Value;
use support::laws::{Books, Trial, broken};
use support::math::{V, norm};
use support::scene::Scene;
use support::{bundled_scenes, run, solve};

fn real(v: &Value) -> f64 {
    v.as_f64().unwrap_or(f64::NAN)
}

fn vec3(v: &Value) -> V {
    [0, 1, 2].map(|i| real(&v[i]))
}

fn books(out: &Value) -> Books {
    Books {
        energy: real(&out["energy"]["kinetic"]) + real(&out["energy"]["potential"]),
        linear: vec3(&out["momentum"]["linear"]),
        angular: vec3(&out["momentum"]["angular"]),
    }
}

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

/// Runs a scene as a user would, to its end.
fn trial(text: &str, scene: &Scene) -> Trial {
    let end = run(text, scene.until, scene.dt);
    let (linear_size, angular_size) = momentum_sizes(scene, &end);
    let halfway = scene.laws.iter().any(|law| law == "energy-decreases");
    Trial {
        start: books(&solve(text)),
        middle: books(&if halfway { run(text, 0.5 * scene.until, scene.dt) } else { end.clone() }),
        end: books(&end),
        energy_balance: real(&end["energy"]["balance_error"]),
        gap: real(&end["certificate"]["max_position_error"]),
        gap_rate: real(&end["certificate"]["max_velocity_error"]),
        linear_size,
        angular_size,
    }
}

#[test]
fn every_bundled_scene_obeys_its_laws() {
    let mut failures = Vec::new();
    for (name, text) in bundled_scenes() {
        let scene = Scene::parse(&text);
        assert!(!scene.laws.is_empty(), "{name} lists no laws");
        let run = trial(&text, &scene);
        for law in &scene.laws {
            failures.extend(broken(law, &run).map(|why| format!("{name}: {law}: {why}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The scene with `dopri5`, as a file.
fn adaptive(text: &str) -> String {
    let mut file = support::scene::to_value(text);
    let table = file["simulation"].as_object_mut().expect("a [simulation] table");
    table.insert("integrator".into(), "dopri5".into());
    table.insert("relative_tolerance".into(), 1e-11.into());
    table.insert("absolute_tolerance".into(), 1e-11.into());
    file.to_string()
}

/// The same laws, with steps of whatever size: the tolerance is that of the bounds on energy, two digits to spare.
#[test]
fn every_bundled_scene_obeys_its_laws_with_adaptive_steps() {
    let mut failures = Vec::new();
    for (name, text) in bundled_scenes() {
        let scene = Scene::parse(&text);
        let run = trial(&adaptive(&text), &scene);
        for law in &scene.laws {
            failures.extend(broken(law, &run).map(|why| format!("{name}: {law}: {why}")));
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
