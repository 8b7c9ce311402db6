//! Anchors a hair off their places, and in the centres of bodies: the same motion, or a report that says why not.

use crate::support::math::{V, norm, sub};
use crate::support::{bundled_scenes, command, scene::to_value};
use cardan_testkit::Rng;
use serde_json::{Value, json};

/// A length of a scene file.
fn length(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| {
        let text = v.as_str().expect("a length");
        let millimetres = text.strip_suffix(" mm").unwrap_or_else(|| panic!("{text}: not in mm"));
        millimetres.parse::<f64>().expect("a number") * 1e-3
    })
}

fn scene(name: &str) -> Value {
    let scenes = bundled_scenes();
    to_value(&scenes.into_iter().find(|s| s.0 == name).unwrap_or_else(|| panic!("no scene {name}")).1)
}

/// A place off by up to `off` in every direction that the bodies of the joint can go.
fn moved(scene: &Value, joint: &Value, at: V, off: f64, rng: &mut Rng) -> Value {
    let is_flat = |end: &str| {
        let kind = &scene["bodies"][joint[end].as_str().expect("a name")]["kind"];
        kind.as_str().is_some_and(|kind| kind.starts_with("planar"))
    };
    let d = rng.vector(off);
    let z = if is_flat("a") || is_flat("b") { 0.0 } else { d.z };
    json!([at[0] + d.x, at[1] + d.y, at[2] + z])
}

/// Positions and velocities of all bodies after some steps, and the warnings; or what failed.
fn after(scene: &Value, solver: &str) -> Result<(Vec<V>, String), String> {
    let solver = format!("simulation.solver={solver}");
    let args = ["run", "-", "--until", "0.015", "--dt", "0.0005", "--json", "--set", &solver];
    let out = command(&args, scene.to_string().as_bytes());
    if out.code != 0 {
        return Err(out.stderr);
    }
    let report = out.json();
    let mut all = Vec::new();
    for body in report["bodies"].as_object().expect("bodies").values() {
        for key in ["position", "velocity"] {
            all.push([0, 1, 2].map(|i| body[key][i].as_f64().unwrap_or(0.0)));
        }
    }
    Ok((all, report["warnings"].to_string()))
}

fn apart(a: &[V], b: &[V]) -> f64 {
    a.iter().zip(b).map(|(a, b)| norm(sub(*a, *b))).fold(0.0, f64::max)
}

/// Whether a user learns of it.
fn is_told(text: &str) -> bool {
    text.contains("misalignment")
        || text.contains("contradicts joint")
        || text.contains("velocities of the file broke joints")
}

/// The guide of the cam holds the rod in its centre but for 2e-8 m. That arm was the only one of any joint, hence the
/// length that turns were measured by, and all rows but turns were nothing beside it.
#[test]
fn a_cam_with_anchors_almost_at_the_centres_of_mass_runs() {
    let cam = scene("cam");
    let mut rng = Rng::new(1);
    let centre = length(&cam["bodies"]["rod"]["position"][1]);
    let run = |y: f64, solver: &str| {
        let mut cam = cam.clone();
        cam["joints"]["guide"]["anchor"] = json!([0.0, y, 0.0]);
        after(&cam, solver).unwrap_or_else(|error| panic!("anchor at {y:?}, {solver}: {error}")).0
    };
    // Where on its line a guide holds does not matter.
    let known = run(0.18, "dense");
    let offs = [0.0, 1e-12, 1e-11, 1e-10, 1e-9, 2e-8, 1e-6];
    for off in offs.map(|off| off * rng.range(0.5, 1.0)) {
        for solver in ["auto", "dense", "conjugate-gradient"] {
            let away = apart(&run(centre - off, solver), &known);
            assert!(away < 1e-12, "off by {off:.1e}, {solver}: {away:.1e} from where it is");
        }
    }
}

#[test]
fn misaligned_anchors_change_the_motion_in_proportion_or_a_report_says_why() {
    let mut rng = Rng::new(2);
    let names = [
        "four-bar",
        "slider-crank",
        "constant-velocity",
        "kettle-handle",
        "three-hinge-door",
        "double-cardan",
    ];
    for name in names {
        let known = scene(name);
        let (at, _) = after(&known, "auto").expect("the scene runs");
        for off in [1e-12, 1e-11, 1e-9, 1e-8, 1e-7, 1e-6] {
            let mut off_scene = known.clone();
            for (key, joint) in known["joints"].as_object().expect("joints") {
                if joint.get("anchor").is_some() {
                    let place = [0, 1, 2].map(|i| length(&joint["anchor"][i]));
                    off_scene["joints"][key]["anchor"] = moved(&known, joint, place, off, &mut rng);
                }
            }
            match after(&off_scene, "auto") {
                // Lengths and arms are off by so much beside 0.1 m or so, and so are accelerations.
                Ok((now, warnings)) => assert!(
                    apart(&now, &at) < 1e3 * off + 1e-12 || is_told(&warnings),
                    "{name}, off by {off:e}: {:.1e} away, and nothing is said: {warnings}",
                    apart(&now, &at)
                ),
                Err(error) => assert!(is_told(&error), "{name}, off by {off:e}: {error}"),
            }
            // What is less than rounding of geometry locks nothing.
            assert!(off > 1e-11 || after(&off_scene, "auto").is_ok(), "{name}, off by {off:e}");
        }
    }
}

/// A loop of four hinges whose axes meet in the one point where all centres of mass are, to rounding.
#[test]
fn a_spherical_linkage_about_the_centres_of_its_bodies_turns_though_all_arms_are_rounding() {
    let axes = [[1.0, 0.0, 0.1], [0.6, 0.9, 0.2], [-0.2, 0.8, 0.9], [-0.3, -0.2, 1.0]];
    let linkage = |off: f64| {
        let mut rng = Rng::new(3);
        let body = json!({ "mass": 1.0, "inertia": [0.01, 0.02, 0.025], "position": [0, 0, 0] });
        let ends = ["ground", "p", "q", "r", "ground"];
        let mut joints = serde_json::Map::new();
        for (k, axis) in axes.iter().enumerate() {
            let anchor = rng.vector(off).to_array();
            let hinge =
                json!({ "kind": "revolute", "a": ends[k], "b": ends[k + 1], "anchor": anchor, "axis": axis });
            joints.insert(format!("h{k}"), hinge);
        }
        let spring = json!({ "kind": "spring", "a": "ground", "b": "p", "point_in_a": [0, 1, 1],
            "point_in_b": [0.1, 0, 0.1], "stiffness": 100.0, "rest_length": 0.2 });
        json!({ "title": "spherical", "gravity": [0, 0, 0], "joints": joints, "forces": { "pull": spring },
            "bodies": { "p": body, "q": body, "r": body } })
    };
    for solver in ["auto", "sparse", "dense"] {
        let (at, _) = after(&linkage(0.0), solver).expect("it runs");
        for off in [1e-14, 1e-13, 1e-12] {
            let (now, _) = after(&linkage(off), solver).unwrap_or_else(|e| panic!("{solver}, {off:e}: {e}"));
            assert!(apart(&now, &at) < 1e3 * off, "{solver}, off by {off:e}: {:.1e} away", apart(&now, &at));
        }
        // More than 1e-9 beside radii of gyration of 0.2 m is a misalignment.
        for off in [1e-9, 1e-8, 1e-7] {
            let told = after(&linkage(off), solver).map_or_else(|error| error, |out| out.1);
            assert!(is_told(&told), "{solver}, off by {off:e}: {told}");
        }
    }
}

/// The four-bar with lengths times s and times by √s, s a power of four: the same motion to the last bit.
fn scaled_four_bar(s: f64) -> Value {
    let mut four_bar = scene("four-bar");
    let bodies = four_bar["bodies"].as_object_mut().expect("bodies");
    for body in bodies.values_mut() {
        let times = |v: &Value, by: f64| json!([0, 1, 2].map(|i| v[i].as_f64().expect("a number") * by));
        for (key, by) in [("position", s), ("velocity", s.sqrt()), ("angular_velocity", 1.0 / s.sqrt())] {
            body[key] = times(&body[key], by);
        }
        for key in ["length", "radius"] {
            body["shape"][key] = json!(body["shape"][key].as_f64().expect("a length") * s);
        }
    }
    for joint in four_bar["joints"].as_object_mut().expect("joints").values_mut() {
        joint["anchor"] = json!([0, 1, 2].map(|i| joint["anchor"][i].as_f64().expect("a length") * s));
    }
    four_bar.as_object_mut().expect("a scene").remove("probes");
    four_bar
}

/// A mechanism knows no metre and no second. So at 1 ms a four-bar of a nanometre, which turns a dozen times in that, must not be taken for
/// one that cannot be closed, and the error says which step would do: that one does.
#[test]
fn a_four_bar_of_a_nanometre_moves_as_one_of_a_metre_and_a_step_too_long_for_it_is_reported() {
    let run = |s: f64, dt: f64, integrator: &str| {
        let (step, until) = (format!("{dt:?}"), format!("{:?}", 100.0 * dt));
        let integrator = format!("simulation.integrator={integrator}");
        let args = ["run", "-", "--json", "--dt", &step, "--until", &until, "--set", &integrator];
        command(&args, scaled_four_bar(s).to_string().as_bytes())
    };
    for integrator in ["rk4", "rattle"] {
        let known = run(1.0, 2f64.powi(-10), integrator).json();
        // 4 µm and 1 nm.
        for s in [2f64.powi(-18), 2f64.powi(-30)] {
            let same = run(s, 2f64.powi(-10) * s.sqrt(), integrator).json();
            for joint in ["A", "B", "C", "D"] {
                let angle = |out: &Value| out["joints"][joint]["coordinates"][0].as_f64().expect("an angle");
                assert_eq!(angle(&same), angle(&known), "{integrator}, {s:e}, {joint}");
            }
        }
    }
    for s in [2f64.powi(-18), 2f64.powi(-30)] {
        let error = run(s, 1e-3, "rattle");
        let words = "the step is too large for the motion";
        assert!(error.code == 1 && error.stderr.contains(words), "{s:e}: {}", error.stderr);
        let (_, advice) = error.stderr.split_once("try a step of ").expect("advice");
        let dt: f64 = advice.split(' ').next().expect("a number").parse().expect("a number");
        let out = run(s, dt, "rattle");
        assert_eq!(out.code, 0, "{s:e} at {dt:e} s: {}", out.stderr);
        assert!(out.json()["warnings"].as_array().is_some_and(|w| w.is_empty()), "{s:e} at {dt:e} s");
    }
}
