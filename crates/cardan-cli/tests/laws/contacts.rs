//! Limits, contacts and impacts against the reference problems, as a user would run them; what scenes that touch must keep; every shape on every other.
//!
//! Tolerances are those of the method at the default step of 1 ms, and stand beside what they are for.

use crate::support::{bundled_scenes, cardan, command, has_contacts, scratch, takes_impulses};
use serde_json::{Value, json};

fn problem(id: &str) -> Value {
    let path = format!("{}/tests/laws/reference/{id}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn real(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("{v} is not a number"))
}

fn reals(v: &Value) -> Vec<f64> {
    v.as_array().unwrap_or_else(|| panic!("{v} is not a list")).iter().map(real).collect()
}

/// The entry of a reference whose quantity begins with these words; at a time, if one is given.
fn known<'p>(problem: &'p Value, quantity: &str, t: Option<f64>) -> &'p Value {
    let entries = problem["reference"].as_array().expect("a list");
    let is = |entry: &&Value| {
        entry["quantity"].as_str().is_some_and(|name| name.starts_with(quantity))
            && t.is_none_or(|t| entry["t"].as_f64() == Some(t))
    };
    &entries.iter().find(is).unwrap_or_else(|| panic!("nothing begins with `{quantity}`"))["value"]
}

#[track_caller]
fn near(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let off = (found - wanted).abs();
    assert!(off <= tolerance, "{what}: {found} is not {wanted}, off by {off:.1e}");
}

fn run(scene: &Value, until: f64) -> Value {
    let out = cardan(&["run", "-", "--json", "--until", &format!("{until:?}")], &scene.to_string());
    assert_eq!(out["status"], "completed", "{scene}");
    out
}

fn solve(scene: &Value) -> Value {
    cardan(&["solve", "-", "--json"], &scene.to_string())
}

/// Events of a kind: time, speed, impulse.
fn events(out: &Value, constraint: &str, what: &str) -> Vec<[f64; 3]> {
    let all = out["events"].as_array().expect("events").iter();
    let ours = all.filter(|event| event["constraint"] == constraint && event["what"] == what);
    let number = |v: &Value| v.as_f64().unwrap_or(0.0);
    ours.map(|e| [number(&e["time"]), number(&e["speed"]), number(&e["impulse"])]).collect()
}

fn strain(out: &Value, name: &str) -> f64 {
    let all = out["inequalities"].as_array().expect("inequalities");
    real(&all.iter().find(|i| i["name"] == name).expect("the inequality")["strain"])
}

/// Where there are no forces from outside but those in the books, they add up to rounding and to the error of the method.
#[track_caller]
fn balanced(out: &Value, energy: f64, momentum: f64) {
    near("the energy balance", real(&out["energy"]["balance_error"]), 0.0, energy);
    near("the momentum balance", real(&out["momentum"]["balance_error"]), 0.0, momentum);
}

#[test]
fn a_ball_bounces_as_the_reference_has_it() {
    let p = problem("bouncing_ball_e08");
    let scene = json!({
        "gravity": [0, -9.81, 0], "simulation": { "until": 1 },
        "bodies": { "ball": { "kind": "particle", "mass": 1, "position": [0, 1, 0] } },
        "inequalities": { "floor": { "kind": "half-plane", "body": "ball", "normal": [0, 1, 0], "restitution": 0.8 } }
    });
    let out = run(&scene, 4.5);
    let hits = events(&out, "floor", "impact");
    let times = reals(known(&p, "impact times", None));
    let speeds = reals(known(&p, "speed just before", None));
    for (hit, (time, speed)) in hits.iter().zip(times.iter().zip(&speeds)) {
        near("time", hit[0], *time, 1e-11);
        near("speed", -hit[1], *speed, 1e-11);
    }
    // Highest half-way between two impacts; a parabola is exact for the method.
    for (pair, apex) in times.windows(2).zip(reals(known(&p, "apex heights", None))) {
        let middle = run(&scene, 0.5 * (pair[0] + pair[1]));
        near("apex", real(&middle["bodies"]["ball"]["position"][1]), apex, 1e-11);
    }
    // What is left of infinitely many bounces below 1e-6 m/s is over within 2 µs.
    let rest = events(&out, "floor", "activated");
    assert_eq!(rest.len(), 1);
    near("rest", rest[0][0], real(known(&p, "accumulation", None)), 2e-6);
    near("height", real(&out["bodies"]["ball"]["position"][1]), 0.0, 1e-14);
    balanced(&out, 1e-12, 1e-12);
}

#[test]
fn a_brick_on_an_incline_as_the_reference_has_it() {
    let p = problem("brick_on_incline");
    for entry in p["reference"].as_array().expect("cases") {
        let case = &entry["case"];
        let (angle, mass, v0) = (real(&case["angle_deg"]).to_radians(), real(&case["m"]), real(&case["v0"]));
        let scene = json!({
            "gravity": [-9.81 * angle.sin(), 0, -9.81 * angle.cos()], "simulation": { "until": 1 },
            "ground": { "shapes": [{ "kind": "plane", "normal": [0, 0, 1], "material": "m" }] },
            "materials": { "m": { "friction": case["mu"] } },
            "bodies": { "brick": {
                "shape": { "kind": "box", "size": [0.2, 0.3, 0.1], "material": "m" }, "mass": mass,
                "position": [0, 0, 0.05], "velocity": [v0, 0, 0]
            } }
        });
        let out = run(&scene, real(&case["T"]));
        let brick = &out["bodies"]["brick"];
        near("shift", real(&brick["position"][0]), real(&entry["displacement_up_slope"]), 1e-10);
        near("speed", real(&brick["velocity"][0]), real(&entry["velocity_up_slope"]), 1e-10);
        near("height", real(&brick["position"][2]), 0.05, 1e-14);
        let contacts = out["contacts"].as_array().expect("contacts");
        let sum = |k: usize| contacts.iter().map(|c| real(&c["force"][k])).sum::<f64>();
        near("normal force", sum(2), real(&entry["normal_force"]), 1e-10);
        near("friction", sum(0).abs(), real(&entry["friction_force_magnitude"]), 1e-10);
        let sticks = entry["final_state"] == "stick";
        assert!(contacts.iter().all(|c| c["slides"] == !sticks), "{case} {contacts:?}");
        for stop in entry["events"].as_array().expect("events") {
            // It comes to rest there, or turns: one corner after another, at the same time.
            let all = out["events"].as_array().expect("events").iter();
            let stops = all.filter(|e| e["what"] == "stick" || e["what"] == "slip");
            let times: Vec<f64> = stops.map(|e| real(&e["time"])).collect();
            assert!(!times.is_empty(), "{case}");
            times.iter().for_each(|time| near("stop", *time, real(&stop["t"]), 1e-9));
        }
        balanced(&out, 1e-12, 1e-12);
    }
}

#[test]
fn a_ladder_leaves_the_wall_as_the_reference_has_it() {
    let p = problem("ladder_wall_floor");
    let angle = 70f64.to_radians();
    let scene = json!({
        "gravity": [0, -9.81, 0], "simulation": { "until": 1 },
        "bodies": { "ladder": {
            "kind": "planar", "shape": { "kind": "rod", "length": 4 }, "mass": 10,
            "position": [2.0 * angle.cos(), 2.0 * angle.sin()], "orientation": -angle
        } },
        "inequalities": {
            "floor": { "kind": "half-plane", "body": "ladder", "point": [2, 0, 0], "normal": [0, 1, 0] },
            "wall": { "kind": "half-plane", "body": "ladder", "point": [-2, 0, 0], "normal": [1, 0, 0] }
        }
    });
    let value = |name: &str, t: Option<f64>| real(known(&p, name, t));
    let start = solve(&scene);
    near("wall at first", strain(&start, "wall"), value("wall force at t=0+", None), 1e-12);
    near("floor at first", strain(&start, "floor"), value("floor force at t=0+", None), 1e-12);
    // How far it leans, from the floor: its turn is half in w and z.
    let lean = |out: &Value| {
        let q = reals(&out["bodies"]["ladder"]["orientation"]);
        -2.0 * q[3].atan2(q[0])
    };
    let spin = |out: &Value| real(&out["bodies"]["ladder"]["angular_velocity"][2]);
    for t in [0.4225159636204415, 0.7605287345167947] {
        let out = run(&scene, t);
        near("angle", lean(&out), value("angle", Some(t)), 1e-10);
        near("wall", strain(&out, "wall"), value("wall force", Some(t)), 1e-8);
        near("floor", strain(&out, "floor"), value("floor force", Some(t)), 1e-8);
    }
    let leaves = value("time of wall detachment", None);
    let out = run(&scene, leaves);
    near("angle", lean(&out), value("angle at which the wall", None), 1e-10);
    // It leans by less and less: the turn is the other way round here.
    near("rate", -spin(&out), value("angular velocity at detachment", None), 1e-9);
    near("floor", strain(&out, "floor"), value("floor force at detachment", None), 1e-8);
    let flat = run(&scene, value("time at which the ladder lies flat", None));
    near("detachment", events(&flat, "wall", "released")[0][0], leaves, 1e-9);
    near("speed", real(&flat["bodies"]["ladder"]["velocity"][0]), value("horizontal speed", None), 1e-10);
    near("flat", lean(&flat), 0.0, 1e-9);
    near("rate when flat", -spin(&flat), value("angular velocity when flat", None), 1e-9);
    balanced(&flat, 1e-10, 1e-10);
}

#[test]
fn a_particle_leaves_a_sphere_as_the_reference_has_it() {
    for id in ["particle_leaves_sphere", "particle_leaves_sphere_fast"] {
        let p = problem(id);
        let (radius, v0) = (real(&p["parameters"]["R"]), real(&p["parameters"]["v0"]));
        let value = |name: &str| real(known(&p, name, None));
        let scene = |angle: f64, speed: f64| {
            json!({
                "gravity": [0, -9.81, 0], "simulation": { "until": 1 },
                "bodies": { "bead": {
                    "kind": "planar-particle", "mass": 1,
                    "position": [radius * angle.sin(), radius * angle.cos()],
                    "velocity": [speed * angle.cos(), -speed * angle.sin()]
                } },
                "inequalities": {
                    "sphere": { "kind": "distance", "a": "ground", "b": "bead", "min": radius },
                    "plane": { "kind": "half-plane", "body": "bead", "normal": [0, 1, 0], "offset": -radius }
                }
            })
        };
        let at = |out: &Value, key: &str| reals(&out["bodies"]["bead"][key]);
        let (leaves, lands) = (value("detachment time"), value("landing time"));
        let out = run(&scene(0.0, v0), lands + 0.01);
        near("leaves", events(&out, "sphere", "released")[0][0], leaves, 1e-10);
        near("lands", events(&out, "plane", "impact")[0][0], lands, 1e-10);
        let left = run(&scene(0.0, v0), leaves);
        let (x, v) = (at(&left, "position"), at(&left, "velocity"));
        near("angle", x[0].atan2(x[1]), value("detachment angle"), 1e-10);
        near("speed", v[0].hypot(v[1]), value("speed at detachment"), 1e-10);
        near("landing place", at(&run(&scene(0.0, v0), lands), "position")[0], value("landing x"), 1e-9);
        // Half-way to where it leaves, at the speed of that height.
        let half = 0.5 * value("detachment angle");
        let speed = (v0 * v0 + 2.0 * 9.81 * radius * (1.0 - half.cos())).sqrt();
        let pressed = strain(&solve(&scene(half, speed)), "sphere");
        near("force", pressed, value("contact force per unit mass"), 1e-12);
    }
}

#[test]
fn a_knee_rebounds_and_stays_closed_as_the_reference_has_it() {
    let knee = bundled_scenes().into_iter().find(|(name, _)| name == "knee-stop").expect("the scene").1;
    for id in ["double_pendulum_stop", "double_pendulum_stop_plastic"] {
        let p = problem(id);
        let text =
            knee.replace("restitution = 0.5", &format!("restitution = {}", p["parameters"]["restitution"]));
        let at = |until: f64| cardan(&["run", "-", "--json", "--until", &format!("{until:?}")], &text);
        let angles = |out: &Value, key: &str| {
            let [hip, knee] = ["hip", "knee"].map(|joint| real(&out["joints"][joint][key][0]));
            [hip, hip + knee]
        };
        let out = at(0.8);
        let hits = events(&out, "knee", "limit");
        let entries = p["reference"].as_array().expect("a list");
        let impacts: Vec<&Value> = entries.iter().filter(|entry| entry["event"] == "impact").collect();
        assert_eq!(hits.len(), impacts.len());
        for (hit, impact) in hits.iter().zip(impacts) {
            near("time", hit[0], real(&impact["t"]), 1e-9);
            near("rate", hit[1], real(&impact["relative_rate_before"]), 1e-8);
            near("impulse", hit[2], real(&impact["impulse"]), 1e-9);
        }
        for entry in entries.iter().filter(|entry| entry["quantity"].is_string()) {
            let rates = entry["quantity"] == "rates";
            let found = angles(&at(real(&entry["t"])), if rates { "rates" } else { "coordinates" });
            for (found, wanted) in found.iter().zip(reals(&entry["value"])) {
                near(&entry["quantity"].to_string(), *found, wanted, 2e-9);
            }
        }
    }
}

/// Balls in a row, just touching.
fn row(p: &Value, impacts: &str) -> Value {
    let masses = reals(&p["parameters"]["masses"]);
    let speeds = reals(&p["initial_conditions"]["velocities"]);
    let bodies: serde_json::Map<String, Value> = (0..masses.len())
        .map(|i| {
            let at = [0.1 * i as f64, 0.0, 0.0];
            let ball = json!({ "kind": "particle", "mass": masses[i], "position": at, "velocity": [speeds[i], 0, 0] });
            (format!("b{i}"), ball)
        })
        .collect();
    let pairs: serde_json::Map<String, Value> = (1..masses.len())
        .map(|i| {
            let (a, b) = (format!("b{}", i - 1), format!("b{i}"));
            let e = &p["parameters"]["restitution"];
            (
                format!("p{}", i - 1),
                json!({ "kind": "distance", "a": a, "b": b, "min": 0.1, "restitution": e }),
            )
        })
        .collect();
    let scene = json!({
        "gravity": [0, 0, 0], "simulation": { "until": 1, "impacts": impacts },
        "bodies": bodies, "inequalities": pairs
    });
    run(&scene, 1e-3)
}

/// One impact at a time as the reference has it, with the impulse that each pair passed on; and all at once, by which momentum and, at e = 1, energy
/// stay.
#[test]
fn rows_of_balls_pass_impulses_on_as_the_reference_has_it() {
    for id in ["newton_cradle_5", "newton_cradle_6_three", "ball_row_unequal"] {
        let p = problem(id);
        let out = row(&p, "sequential");
        for (i, wanted) in reals(known(&p, "final velocities", None)).iter().enumerate() {
            near("velocity", real(&out["bodies"][format!("b{i}")]["velocity"][0]), *wanted, 2e-14);
        }
        let mut impulses = vec![0.0; reals(&p["parameters"]["masses"]).len() - 1];
        for entry in known(&p, "impulse sequence", None).as_array().expect("a list") {
            impulses[real(&entry[0]) as usize] += real(&entry[1]);
        }
        for (i, wanted) in impulses.iter().enumerate() {
            let hits = events(&out, &format!("p{i}"), "impact");
            assert_eq!(hits.len(), 1, "{id}: pair {i} is listed {} times", hits.len());
            near("impulse", hits[0][2], *wanted, 2e-14);
        }
        let energies = reals(known(&p, "kinetic energy", None));
        near("energy", real(&out["energy"]["kinetic"]), energies[1], 2e-14);
        for impacts in ["sequential", "propagating", "simultaneous"] {
            let out = row(&p, impacts);
            near("momentum", real(&out["momentum"]["linear"][0]), real(known(&p, "momentum", None)), 2e-14);
            let kinetic = real(&out["energy"]["kinetic"]);
            assert!(kinetic <= energies[0] * (1.0 + 1e-14), "{id}, {impacts}: {kinetic} J");
            if energies[0] == energies[1] {
                near("energy", kinetic, energies[0], 2e-14);
            }
        }
    }
}

#[test]
fn a_break_is_as_the_reference_has_it() {
    let p = problem("billiard_symmetric_break");
    let (r, away) = (0.03, 0.06 * std::f64::consts::FRAC_PI_6.cos());
    let ball = |x: f64, y: f64, v: f64| json!({ "kind": "planar-particle", "mass": 1, "position": [x, y], "velocity": [v, 0] });
    let apart =
        |a: &str, b: &str| json!({ "kind": "distance", "a": a, "b": b, "min": 2.0 * r, "restitution": 1 });
    let scene = json!({
        "gravity": [0, 0, 0], "simulation": { "until": 1 },
        "bodies": { "cue": ball(-away - 0.01, 0.0, 2.0), "left": ball(0.0, r, 0.0), "right": ball(0.0, -r, 0.0) },
        "inequalities": { "cl": apart("cue", "left"), "cr": apart("cue", "right"), "lr": apart("left", "right") }
    });
    let out = run(&scene, 0.02);
    let value = |name: &str| known(&p, name, None);
    let v = |name: &str| reals(&out["bodies"][name]["velocity"]);
    near("cue", v("cue")[0], real(value("cue ball velocity")), 1e-12);
    for name in ["left", "right"] {
        near("target", v(name)[0].hypot(v(name)[1]), real(value("speed of each target")), 1e-12);
    }
    for pair in ["cl", "cr"] {
        near("impulse", events(&out, pair, "impact")[0][2], real(value("impulse at each contact")), 1e-12);
    }
    near("energy", real(&out["energy"]["kinetic"]), reals(value("kinetic energy"))[1], 1e-13);
}

/// All eight cases of the acute corner, by the scene itself; and what is said of them: in F⁺ is what pushes.
#[test]
fn corners_are_as_the_reference_has_them() {
    let p = problem("grapp_acute_corner");
    let cases = p["reference"].as_array().expect("cases");
    assert_eq!(cases.len(), 8);
    for entry in cases {
        let force = reals(&entry["case"]["force"]);
        let force = format!("forces.push.force=[{}, {}, 0]", force[0], force[1]);
        let mass = format!("bodies.particle.mass={}", entry["case"]["mass"]);
        let out = cardan(&["solve", "corner", "--json", "--set", &force, "--set", &mass], "");
        let acceleration = reals(&out["bodies"]["particle"]["acceleration"]);
        for (found, wanted) in acceleration.iter().zip(reals(&entry["acceleration"])) {
            near("acceleration", *found, wanted, 1e-15);
        }
        for (i, wanted) in reals(&entry["multipliers"]).into_iter().enumerate() {
            let at = &out["inequalities"][i];
            near("multiplier", real(&at["strain"]), wanted, 4e-15);
            assert_eq!(
                (&at["state"], &at["set"]),
                (&json!("active"), &json!(if wanted > 0.0 { "F+" } else { "F-" }))
            );
        }
    }
}

/// States and sets in JSON, in tables and in what people read: with the exact answer, and with the rule that glues.
#[test]
fn the_active_set_of_inequalities_is_reported() {
    let table = |rule: &str| {
        let set = format!("simulation.inequality_study={rule}");
        let euler = "simulation.integrator=explicit-euler";
        let file = format!("handled-{rule}.csv");
        let columns = "inequalities.ramp.state,inequalities.ramp.handled";
        let args = ["--set", &set, "--set", euler, "--until", "0.1", "--out", &file, "--columns", columns];
        let out = command(&[&["run", "obtuse-corner"][..], &args].concat(), b"");
        assert_eq!((out.code, out.stderr.as_str()), (0, ""));
        let json = cardan(&[&["run", "obtuse-corner", "--json"][..], &args[..6]].concat(), "");
        let rows = std::fs::read_to_string(scratch(&file)).expect("a table");
        let last = rows.lines().last().expect("a row").to_string();
        (out.stdout, json, last)
    };
    let (text, json, last) = table("exact");
    assert!(text.contains("F⁺ 1, F⁻ 1; satisfied 1, active 1, violated 0"), "{text}");
    let said = |json: &Value| {
        let all = json["inequalities"].as_array().expect("a list").iter();
        all.map(|i| [i["name"].clone(), i["state"].clone(), i["set"].clone()]).collect::<Vec<_>>()
    };
    assert_eq!(said(&json), [["floor", "active", "F+"], ["ramp", "satisfied", "F-"]]);
    assert!(last.ends_with(",1e0,0e0"), "{last}");
    let (text, json, last) = table("algorithm-3");
    assert!(text.contains("F⁺ 2, F⁻ 0; satisfied 0, active 2, violated 0"), "{text}");
    assert_eq!(said(&json), [["floor", "active", "F+"], ["ramp", "active", "F+"]]);
    assert!(last.ends_with(",0e0,1e0"), "{last}");
    // What Platt's rule lets pass is violated for a while, and the certificate says how far.
    let args =
        ["--set", "simulation.inequality_study=platt-1", "--set", "simulation.integrator=explicit-euler"];
    let at = |until: &str| cardan(&[&["run", "corner", "--json", "--until", until][..], &args].concat(), "");
    assert_eq!(said(&at("0.004"))[1], ["floor", "violated", "F+"]);
    near("passed", real(&at("0.02")["certificate"]["max_overlap"]), 1.5e-6, 1e-9);
}

/// Eleven balls, two walls for each and a distance for each pair: 77, and none of them is passed in any frame.
#[test]
fn no_frame_of_the_billiard_overlaps() {
    let out = command(&["run", "billiard", "--out", "billiard-gaps.csv", "--quiet"], b"");
    assert_eq!((out.code, out.stderr.as_str()), (0, ""));
    let table = std::fs::read_to_string(scratch("billiard-gaps.csv")).expect("a table");
    let mut rows = table.lines();
    let names = rows.next().expect("names").split(',');
    let gaps: Vec<usize> =
        names.enumerate().filter(|(_, name)| name.contains(".gap")).map(|(i, _)| i).collect();
    assert_eq!(gaps.len(), 77);
    let mut frames = 0;
    for row in rows {
        let numbers: Vec<&str> = row.split(',').collect();
        for &i in &gaps {
            let gap: f64 = numbers[i].parse().expect("a number");
            assert!(gap >= -1e-12, "{gap:e} m in {row}");
        }
        frames += 1;
    }
    assert!(frames > 1000, "{frames}");
    let out = cardan(&["run", "billiard", "--json"], "");
    assert_eq!(out["counts"]["inequalities"], 77);
    let kinds = out["inequalities"].as_array().expect("a list");
    assert_eq!(kinds.iter().filter(|i| i["kind"] == "half-space").count(), 22);
}

/// The step stops on the separated side: in no scene that is followed from event to event anything is passed by more than rounding.
#[test]
fn scenes_with_events_do_not_overlap() {
    let mut seen = 0;
    for (name, text) in bundled_scenes() {
        if !has_contacts(&text)
            || takes_impulses(&text)
            || crate::support::changes(&text)
            || crate::support::is_first_order(&text)
        {
            continue;
        }
        let out = cardan(&["run", "-", "--json"], &text);
        let overlap = real(&out["certificate"]["max_overlap"]);
        assert!((0.0..=1e-12).contains(&overlap), "{name}: {overlap:e} m");
        seen += 1;
    }
    assert!(seen >= 13, "{seen}");
}

/// Loop, motor, limit and contacts in one solve: what the stop carries, when it lets go and what its impact takes, by hand. The box goes along as if it were glued on,
/// since 0.546 of its impulse across is less than its friction.
#[test]
fn the_mixed_linkage_lifts_and_drops_its_load() {
    let (arm, angle, masses) = (0.3, 0.5_f64, 1.0 + 2.0 + 3.0);
    let weight = 9.81 * arm * angle.cos() * masses;
    let stop = |out: &Value| real(&out["joints"]["motor"]["parts"]["limit"]["torque"][2]);
    let on_box = |out: &Value| {
        let all = out["contacts"].as_array().expect("contacts").iter();
        all.map(|c| real(&c["force"][1])).sum::<f64>()
    };
    let at_first = cardan(&["solve", "mixed-linkage", "--json"], "");
    near("the stop", stop(&at_first), weight - 12.0, 1e-12);
    near("the box", on_box(&at_first), 3.0 * 9.81, 1e-12);
    let out = cardan(&["run", "mixed-linkage", "--json"], "");
    let released = events(&out, "motor", "released");
    let x = (released[0][0] - 0.2) / 0.2;
    near("the motor", 12.0 + 6.0 * x * x * x * (10.0 + x * (6.0 * x - 15.0)), weight, 1e-9);
    let inertia = arm * arm * (2.0 / 3.0 + 2.0 + 3.0);
    let [.., speed, impulse] = events(&out, "motor", "limit")[0];
    near("the impact", impulse, -speed * inertia, 1e-12);
    assert_eq!((released.len(), events(&out, "motor", "limit").len()), (1, 1));
    near("the stop", stop(&out), weight - 10.0, 1e-10);
    near("the box", on_box(&out), 3.0 * 9.81, 1e-9);
    near("the angle", real(&out["joints"]["motor"]["coordinates"][0]), 0.0, 1e-15);
}

/// The tyre table, row by row: what it brakes with from 10 m/s, and the slope on which it holds.
#[test]
fn the_surfaces_of_the_tyre_table_brake_and_hold() {
    let table = [
        ("asphalt-clean", 0.97, 0.86),
        ("asphalt-wet", 0.90, 0.88),
        ("stone-clean", 0.68, 0.65),
        ("stone-wet", 0.62, 0.61),
        ("rail-clean", 0.45, 0.42),
        ("rail-wet-clean", 0.38, 0.38),
        ("rail-wet-dirty", 0.35, 0.34),
    ];
    for (name, at_rest, sliding) in table {
        let scene = |slope: f64, speed: f64| {
            json!({
                "gravity": [-9.81 * slope.sin(), 0, -9.81 * slope.cos()], "simulation": { "until": 1 },
                "ground": { "shapes": [{ "kind": "plane", "normal": [0, 0, 1], "material": name }] },
                "bodies": { "block": {
                    "shape": { "kind": "box", "size": [0.4, 0.4, 0.1], "material": name }, "mass": 1,
                    "position": [0, 0, 0.05], "velocity": [speed, 0, 0]
                } }
            })
        };
        let out = run(&scene(0.0, 10.0), 4.0);
        let way = 100.0 / (2.0 * 9.81 * sliding);
        near(name, real(&out["bodies"]["block"]["position"][0]), way, 1e-9 * way);
        for (factor, holds) in [(0.999, true), (1.001, false)] {
            let out = run(&scene(f64::atan(factor * at_rest), 0.0), 0.1);
            let moved = real(&out["bodies"]["block"]["position"][0]);
            assert_eq!(moved.abs() < 1e-14, holds, "{name}: {moved} m at {factor}");
        }
    }
}

/// Every shape falls on every other, on a plane and on hills, by events and by impulses. Nothing overlaps, and energy is only lost.
#[test]
fn every_shape_falls_on_every_other_by_events() {
    all_fall_on_each_other("rk4", 0.3);
}

#[test]
fn every_shape_falls_on_every_other_by_time_stepping() {
    all_fall_on_each_other("time-stepping", 0.4);
}

/// Every shape falls on every other, to the end of the motion: bodies that have fallen roll on.
#[test]
#[ignore = "soak: cargo test --release -p cardan -p cardan-cli -- --ignored"]
fn every_shape_falls_on_every_other_for_longer() {
    for integrator in ["rk4", "time-stepping"] {
        all_fall_on_each_other(integrator, 0.6);
    }
}

fn all_fall_on_each_other(integrator: &str, until: f64) {
    let signs = [-0.1, 0.1];
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [signs[i >> 2 & 1], signs[i >> 1 & 1], signs[i & 1]]).collect();
    let shapes = [
        json!({ "kind": "sphere", "radius": 0.1 }),
        json!({ "kind": "capsule", "radius": 0.08, "length": 0.2 }),
        json!({ "kind": "box", "size": [0.2, 0.2, 0.2] }),
        json!({ "kind": "cylinder", "radius": 0.1, "length": 0.2 }),
        json!({ "kind": "hull", "vertices": corners }),
        json!({ "kind": "rod", "length": 0.3, "radius": 0.02 }),
        json!({ "kind": "plate", "size": [0.3, 0.3], "thickness": 0.02 }),
        json!({ "kind": "mesh", "vertices": corners, "triangles": [
            [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
            [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
        ] }),
    ];
    let rough = |shape: &Value| {
        let mut shape = shape.clone();
        shape["material"] = "m".into();
        shape
    };
    let body = |shape: &Value, x: f64, z: f64, axis: [f64; 3], angle: f64| json!({ "shape": rough(shape), "mass": 1, "position": [x, 0.6 * x, z], "orientation": { "axis": axis, "angle": angle } });
    let plane = json!({ "kind": "plane" });
    let heights = vec![[0.05, 0.0, 0.02, 0.0, 0.05]; 5];
    let hills = json!({ "kind": "terrain", "corner": [-1, -1], "spacing": [0.5, 0.5], "heights": heights });
    let mut complaints = Vec::new();
    let mut fall = |ground: &Value, bodies: Value| {
        let what = format!("{integrator}: {bodies} on {}", ground["kind"]);
        let scene = json!({
            "gravity": [0, 0, -9.81], "simulation": { "until": until, "dt": 0.002, "integrator": integrator },
            "ground": { "shapes": [rough(ground)] }, "materials": { "m": { "friction": 0.5 } }, "bodies": bodies
        });
        let out = command(&["run", "-", "--json"], scene.to_string().as_bytes());
        if out.code != 0 {
            return complaints.push(format!("{what}: {}", out.stderr));
        }
        let out = out.json();
        let (energy, overlap) = (&out["energy"], real(&out["certificate"]["max_overlap"]));
        let by_events = integrator == "rk4";
        // By impulses to 1e-10 of the length of the scene in six rounds, but where rims or surfaces meet.
        let deepest = if by_events { 1e-12 } else { 1e-5 };
        if overlap > deepest {
            complaints.push(format!("{what}: overlaps by {overlap:e} m"));
        }
        let left = real(&energy["kinetic"]) + real(&energy["potential"]);
        if left >= real(&energy["initial"]) {
            complaints.push(format!("{what}: {left} J of {}", energy["initial"]));
        }
        // Contact lost and found in every step costs digits, but the books are kept.
        let off = real(&energy["balance_error"]);
        if off > if by_events { 1e-3 } else { 1e-2 } {
            complaints.push(format!("{what}: energy is off by {off:e}"));
        }
        if out["events"].as_array().is_none_or(Vec::is_empty) {
            complaints.push(format!("{what}: nothing happened"));
        }
    };
    for (i, one) in shapes.iter().enumerate() {
        for ground in [&plane, &hills] {
            fall(ground, json!({ "a": body(one, 0.0, 0.3, [1.0, 0.3, 0.2], 0.1) }));
        }
        for two in &shapes[i..] {
            let bodies = json!({
                "a": body(one, 0.0, 0.25, [1.0, 0.3, 0.2], 0.1),
                "b": body(two, 0.03, 0.6, [0.2, 1.0, 0.1], 0.2)
            });
            fall(&plane, bodies);
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// A robot that its servos hold comes to rest and then does not move by a bit; the ground carries its weight.
#[test]
fn a_humanoid_on_two_feet_comes_to_rest() {
    let at = |until: &str| {
        let out = cardan(&["run", "standing-humanoid", "--json", "--until", until], "");
        assert_eq!(out["status"], "completed");
        let certificate = &out["certificate"];
        assert!(real(&certificate["max_overlap"]) < 1e-9, "{certificate}");
        assert!(real(&certificate["max_contact_residual"]) < 1e-8, "{certificate}");
        assert!(real(&certificate["max_position_error"]) < 1e-12, "{certificate}");
        out
    };
    let (early, late) = (at("4"), at("4.5"));
    for (name, body) in early["bodies"].as_object().expect("bodies by name") {
        for what in ["position", "orientation", "velocity", "angular_velocity"] {
            assert_eq!(body[what], late["bodies"][name][what], "{name} moved");
        }
        assert_eq!(reals(&body["velocity"]), [0.0; 3], "{name}");
    }
    let mass = 62.5;
    let forces = late["contacts"].as_array().expect("a list").iter();
    let lift: f64 = forces.map(|contact| reals(&contact["force"])[2]).sum();
    near("the weight", lift, mass * 9.81, 1e-6);
}
