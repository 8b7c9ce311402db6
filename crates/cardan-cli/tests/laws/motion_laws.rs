//! Laws of motion besides f = m a: f = m v against the reference problems, and applied impulses, through the command.

use crate::support::math::{V, norm, sub};
use crate::support::{bundled_scenes, cardan, command, run, solve};
use cardan_testkit::{Tolerance, assert_close};
use serde_json::{Value, json};

fn problem(id: &str) -> Value {
    let path = format!("{}/tests/laws/reference/{id}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).expect("a problem")
}

fn bundled(name: &str) -> String {
    bundled_scenes().into_iter().find(|s| s.0 == name).unwrap_or_else(|| panic!("no scene {name}")).1
}

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn vector(v: &Value) -> V {
    [0, 1, 2].map(|i| v[i].as_f64().unwrap_or_else(|| panic!("not a number: {v}")))
}

/// A scene of particles in the plane by f = m v.
fn particles(places: &[[f64; 2]], case: &Value, joints: Value) -> String {
    let (masses, forces) = (numbers(&case["masses"]), numbers(&case["forces"]));
    let (mut bodies, mut pulls) = (json!({}), json!({}));
    for (i, place) in places.iter().enumerate() {
        let name = format!("p{i}");
        bodies[&name] = json!({ "kind": "planar-particle", "mass": masses[i], "position": place });
        let force = [forces[2 * i], forces[2 * i + 1], 0.0];
        pulls[&name] = json!({ "kind": "constant", "body": name, "force": force });
    }
    json!({
        "format": 1, "gravity": [0, 0, 0], "simulation": { "integrator": "first-order" },
        "bodies": bodies, "forces": pulls, "joints": joints,
    })
    .to_string()
}

/// reference/first_order_drag: velocities nearest to f/m, and the least multipliers where rows repeat each other.
#[test]
fn dragged_particles_have_the_velocities_of_least_norm() {
    let problem = problem("first_order_drag");
    let wire = json!({ "kind": "bead-on-circle", "a": "ground", "b": "p0", "radius": 1.0 });
    let rod = |a: &str, b: &str| json!({ "kind": "distance", "a": a, "b": b });
    // vx = 1 in the middle, after one second, of a path that starts and ends at rest.
    let points = [[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 0]];
    let path = json!({ "nurbs": { "points": points, "degree": 2, "duration": 2.0 } });
    let led = json!({ "kind": "follow", "b": "p0", "directions": [[1, 0, 0]], "path": path });
    let scenes: [(&[[f64; 2]], Value); 5] = [
        (&[[0.6, 0.8]], json!({ "a": wire })),
        (&[[0.6, 0.8]], json!({ "a": wire, "b": wire })),
        (&[[0.0, 0.0], [1.0, 0.0]], json!({ "a": rod("p0", "p1") })),
        (
            &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
            json!({ "nail": { "kind": "spherical", "a": "ground", "b": "p0", "anchor": [0, 0, 0] }, "a": rod("p0", "p1"), "b": rod("p1", "p2") }),
        ),
        (&[[0.0, 0.0]], json!({ "a": led })),
    ];
    let cases = problem["reference"].as_array().expect("a list");
    assert_eq!(cases.len(), scenes.len());
    for (case, (places, joints)) in cases.iter().zip(scenes) {
        let what = case["case"].as_str().expect("a name");
        let scene = particles(places, case, joints);
        let out = if case["rhs"][0] == 1 { run(&scene, 1.0, 0.01) } else { solve(&scene) };
        let allowed = case["abs_err"].as_f64().expect("a number");
        let wanted = numbers(&case["velocity"]);
        for i in 0..places.len() {
            let body = &out["bodies"][format!("p{i}")];
            let velocity = vector(&body["velocity"]);
            let off = norm(sub(velocity, [wanted[2 * i], wanted[2 * i + 1], 0.0]));
            assert!(off <= allowed, "{what}: p{i} moves with {velocity:?}");
            assert!(body["acceleration"].as_array().expect("three").iter().all(Value::is_null), "{what}");
        }
        // Rows of the engine are of unit length, but may look the other way.
        let rows: Vec<f64> = out["joints"]
            .as_object()
            .expect("joints")
            .values()
            .flat_map(|j| numbers(&j["multipliers"]))
            .collect();
        let mut sizes: Vec<f64> = rows.iter().map(|x| x.abs()).collect();
        let mut least: Vec<f64> = numbers(&case["least_norm_multipliers"]).iter().map(|x| x.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        least.sort_by(f64::total_cmp);
        assert_eq!(sizes.len(), least.len(), "{what}: {rows:?}");
        assert!(sizes.iter().zip(&least).all(|(a, b)| (a - b).abs() <= allowed), "{what}: {rows:?}");
    }
}

/// reference/first_order_bead_circle: the closed form, at 1 ms by a method of fourth order: (1.6e-3)⁴ of a radian, about.
#[test]
fn a_dragged_bead_creeps_round_its_circle() {
    let problem = problem("first_order_bead_circle");
    let (force, angle) =
        (numbers(&problem["parameters"]["F"]), problem["initial_conditions"]["theta"].as_f64());
    let (sin, cos) = angle.expect("an angle").sin_cos();
    let case = json!({ "masses": [problem["parameters"]["m"]], "forces": force });
    let wire = json!({ "kind": "bead-on-circle", "a": "ground", "b": "p0", "radius": 1.0 });
    let scene = particles(&[[cos, sin]], &case, json!({ "wire": wire }));
    let (mut worst, mut met) = (0.0_f64, 0);
    for t in [0.1, 0.5, 1.0, 3.0] {
        let out = run(&scene, t, 1e-3);
        let (body, wire) = (&out["bodies"]["p0"], &out["joints"]["wire"]);
        for entry in problem["reference"].as_array().expect("a list").iter().filter(|e| e["t"] == t) {
            let value = match entry["quantity"].as_str().expect("a name") {
                "bead position" => numbers(&body["position"])[..2].to_vec(),
                "bead velocity" => numbers(&body["velocity"])[..2].to_vec(),
                "bead angle" => {
                    let place = vector(&body["position"]);
                    vec![place[1].atan2(place[0])]
                }
                // λ of C = (x·x − 1)/2, whose gradient is x.
                _ => numbers(&wire["multipliers"]),
            };
            let wanted = if entry["value"].is_array() {
                numbers(&entry["value"])
            } else {
                vec![entry["value"].as_f64().expect("a number")]
            };
            for (a, b) in value.iter().zip(&wanted) {
                worst = worst.max((a - b).abs());
                met += 1;
            }
        }
        assert!(out["energy"]["balance_error"].as_f64().expect("a number") < 1e-11, "{}", out["energy"]);
    }
    assert_eq!(met, 24);
    assert!(worst < 1e-11, "{worst:e}");
}

#[test]
fn a_dragged_linkage_stops_dead_when_it_is_let_go() {
    let text = bundled("drag-linkage");
    let still = |t: f64| {
        let out = run(&text, t, 5e-3);
        let bodies = out["bodies"].as_object().expect("bodies").clone();
        let all =
            bodies.values().map(|b| norm(vector(&b["velocity"])) + norm(vector(&b["angular_velocity"])));
        (all.fold(0.0, f64::max), out)
    };
    let (fast, _) = still(2.995);
    let (stopped, there) = still(3.0);
    let (later, same) = still(3.9);
    assert!(fast > 0.3 && stopped == 0.0 && later == 0.0, "{fast} {stopped} {later}");
    for (name, body) in there["bodies"].as_object().expect("bodies") {
        let off = norm(sub(vector(&body["position"]), vector(&same["bodies"][name]["position"])));
        assert!(off < 1e-15, "{name} crept by {off:e}");
    }
    assert_eq!(same["energy"]["kinetic"], 0.0);
    let (work, heat) = (same["energy"]["work"].as_f64(), same["energy"]["dissipated"].as_f64());
    assert!(work > Some(0.5), "{work:?}");
    let sums = Tolerance::because("work and heat are sums over hundreds of steps", 1e-12);
    assert_close(work.expect("a number"), heat.expect("a number"), sums);
}

/// The impulses that are listed balance every bar's jump, and the loop is closed afterwards.
#[test]
fn applied_impulses_are_listed_joint_by_joint() {
    let text = bundled("hammer-blow");
    let out = run(&text, 1.0, 1e-3);
    let events = out["events"].as_array().expect("a list");
    let named: Vec<_> =
        events.iter().map(|e| (e["constraint"].as_str(), e["what"].as_str(), e["time"].as_f64())).collect();
    assert_eq!(
        named,
        [
            (Some("from-below"), Some("impulse"), Some(0.25)),
            (Some("from-the-side"), Some("impulse"), Some(0.8035))
        ]
    );
    let impulses = out["impulses"].as_array().expect("a list");
    let struck = [("bottom", [0.0, 0.0, 3.0]), ("lower-right", [-2.0, 0.0, 0.0])];
    let chain = [
        ("left", 0.8, "pin-left", "knee-left"),
        ("lower-left", 0.8, "knee-left", "corner-left"),
        ("bottom", 2.0, "corner-left", "corner-right"),
        ("lower-right", 0.8, "corner-right", "knee-right"),
    ];
    for (applied, (body, impulse)) in impulses.iter().zip(struck) {
        let at = |joint: &str| vector(&applied["joints"][joint]["impulse"]);
        for (bar, mass, before, after) in chain {
            // m Δv = P + what the joint before exerts on it − what it hands on.
            let jump = vector(&applied["bodies"][bar]["velocity"]);
            let given = if bar == body { impulse } else { [0.0; 3] };
            let left: V = std::array::from_fn(|k| mass * jump[k] - given[k] - at(before)[k] + at(after)[k]);
            assert!(norm(left) < 1e-12, "{bar}: {left:?}");
        }
    }
    // Alike on both sides.
    let below = &impulses[0]["joints"];
    let (left, right) = (vector(&below["pin-left"]["impulse"]), vector(&below["pin-right"]["impulse"]));
    let symmetry =
        || Tolerance::because("the pose after 0.25 s is symmetric to the error of the steps", 1e-9);
    assert_close(left[0], -right[0], symmetry());
    assert_close(left[2], right[2], symmetry());
    assert!(out["certificate"]["max_velocity_error"].as_f64() < Some(1e-13));
    let given: f64 = impulses.iter().map(|applied| applied["work"].as_f64().expect("a number")).sum();
    let work = out["energy"]["work"].as_f64().expect("a number");
    assert_close(given, work, Tolerance::rounding(1000, 4.0));
    // The text names them too.
    let printed = command(&["run", "-", "--until", "0.3"], text.as_bytes());
    assert!(printed.stdout.contains("impulse from-below at t = 0.250000000 s"), "{}", printed.stdout);
    // By joint coordinates as well.
    let other = cardan(
        &["run", "-", "--until", "1", "--dt", "0.001", "--json", "--set", "simulation.coordinates=joints"],
        &text,
    );
    let off = norm(sub(
        vector(&out["bodies"]["bottom"]["position"]),
        vector(&other["bodies"]["bottom"]["position"]),
    ));
    assert!(off < 1e-8 && other["events"].as_array().map(Vec::len) == Some(2), "{off:e}");
}

#[test]
fn bad_impulses_are_named_with_their_place() {
    let scene = |applied: &str, more: &str| {
        format!(
            "gravity = [0, 0, 0]\n[simulation]\nuntil = 0.01\n{more}\n[bodies.bob]\nkind = \"particle\"\nmass = 1\n[impulses.tap]\n{applied}\n"
        )
    };
    for (applied, more, words) in [
        ("body = \"bub\"\ntime = 0\nimpulse = [1, 0, 0]", "", &["impulses.tap.body", "bob"][..]),
        ("body = \"ground\"\ntime = 0\nimpulse = [1, 0, 0]", "", &["impulses.tap.body", "never moves"]),
        ("body = \"bob\"\ntime = -1\nimpulse = [1, 0, 0]", "", &["impulses.tap.time", "before the start"]),
        ("body = \"bob\"\ntime = \"1 kg\"\nimpulse = [1, 0, 0]", "", &["impulses.tap.time"]),
        ("body = \"bob\"\nimpulse = [1, 0, 0]", "", &["impulses.tap", "time"]),
        ("body = \"bob\"\ntime = 0", "", &["impulses.tap", "angular_impulse"]),
        ("body = \"bob\"\ntime = 0\nimpuls = [1, 0, 0]", "", &["impulses.tap", "impulse"]),
        ("body = \"bob\"\ntime = 0\nangular_impulse = [1, 0, 0]", "", &["impulses.tap", "no orientation"]),
        (
            "body = \"bob\"\ntime = 0\npoint = [1, 0, 0]\nimpulse = [1, 0, 0]",
            "",
            &["impulses.tap", "point mass"],
        ),
        (
            "body = \"bob\"\ntime = 0\nimpulse = [1, 0, 0]",
            "integrator = \"first-order\"",
            &["impulses.tap", "first-order"],
        ),
    ] {
        let out = command(&["run", "-"], scene(applied, more).as_bytes());
        assert_eq!(out.code, 2, "{applied}: {}", out.stderr);
        assert!(words.iter().all(|word| out.stderr.contains(word)), "{applied}: {}", out.stderr);
    }
    // One that is well.
    let out =
        cardan(&["run", "-", "--json"], &scene("body = \"bob\"\ntime = \"5 ms\"\nimpulse = [1, 0, 0]", ""));
    // Ten steps of 1 ms, five of them at 1 m/s.
    assert_close(vector(&out["bodies"]["bob"]["position"])[0], 0.005, Tolerance::rounding(1000, 0.005));
}
