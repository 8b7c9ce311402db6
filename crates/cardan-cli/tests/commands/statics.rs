//! `cardan equilibrium`, `cardan modes` and `cardan reach`, judged from outside: by Newton and Euler, by closed forms, and by
//! what `cardan solve` says of the same pose.

use crate::support;

use crate::support::outside::check_outside;
use crate::support::{bundled_scenes, cardan, command, scratch, steady_scenes};
use serde_json::Value;
use std::f64::consts::PI;

const G: f64 = 9.81;

/// A boom on a hinge in the plane, held by a spring; its joint is given in the bodies' own frames, so that any pose may be written.
const BOOM: &str = r#"gravity = [0, -9.81, 0]

[bodies.boom]
kind = "planar"
mass = 20
inertia = 7.0
position = [1, 0]

[joints.foot]
kind = "revolute"
a = "ground"
b = "boom"
anchor_in_a = [0, 0, 0]
anchor_in_b = [-1, 0, 0]
axis = [0, 0, 1]

[forces.stay]
kind = "spring"
a = "ground"
b = "boom"
point_in_a = [0, 1.5, 0]
point_in_b = [0.5, 0, 0]
stiffness = 600
rest_length = 1.2

[probes.tip]
body = "boom"
point = [1, 0, 0]
"#;

/// Scenes whose forces have no equilibrium, and what they turn for ever: the wind the crank of the beast, a motor its wheel, pinion or car.
/// All bodies of the beast share its one freedom, and which of them is named depends on where the search ends.
/// A weight falls as far as its rope lets it, and the coin would fall flat, and then touches everywhere.
const RESTLESS: [(&str, &str); 11] = [
    ("corner", "particle"),
    ("obtuse-corner", "particle"),
    ("strandbeest", "body `"),
    ("motors", "motor"),
    ("gear-train", "pinion"),
    ("rolling-coin", "coin"),
    ("ackermann", "rear-right"),
    ("planetary", "sun"),
    ("transmissions", "rotor"),
    ("pulley-block", "weight"),
    ("rocker-bogie", "left-rear"),
];
/// Scenes with motors that hold a point on its path: forces elsewhere, which have no energy to be least.
const PUSHED: [&str; 4] = ["shoulder-path", "take-a-book", "shoulder-ball-screws", "on-off"];
/// Scenes with limits, walls or dry friction and no contacts of shapes.
const WITHIN: [&str; 5] = ["billiard", "corner", "knee-stop", "obtuse-corner", "sticking-joints"];
/// Too many freedoms for a test on a busy machine, and soft bodies far from any rest.
const SLOW: [&str; 2] = ["figure-3", "any-body"];

#[test]
fn every_bundled_scene_rests_in_balance_or_says_that_nothing_holds_it() {
    for (name, text) in steady_scenes().iter().filter(|(name, _)| !SLOW.contains(&name.as_str())) {
        let out = command(&["equilibrium", "-", "--json"], text.as_bytes());
        let printed = out.json();
        if crate::support::has_contacts(text) && !WITHIN.contains(&name.as_str()) {
            assert!(out.code == 1 && out.stderr.contains("no part in equilibria"), "{name}: {}", out.stderr);
            continue;
        }
        if let Some((_, body)) = RESTLESS.iter().find(|(restless, _)| restless == name) {
            assert_eq!(out.code, 1, "{name}");
            assert!(out.stderr.contains("no equilibrium") && out.stderr.contains(body), "{}", out.stderr);
            assert!(printed["status"].as_str().is_some_and(|s| s.contains("no equilibrium")));
            assert_eq!(printed["equilibrium"], Value::Null);
            continue;
        }
        if PUSHED.contains(&name.as_str()) {
            assert!(out.code == 1 && out.stderr.contains("held by a force elsewhere"), "{}", out.stderr);
            continue;
        }
        assert_eq!((out.code, &printed["status"]), (0, &Value::from("completed")), "{name}: {}", out.stderr);
        let found = &printed["equilibrium"];
        assert!(found["residual"].as_f64().is_some_and(|r| r < 1e-12), "{name}: {found}");
        for (body, motion) in printed["bodies"].as_object().expect("bodies") {
            for key in ["velocity", "angular_velocity"] {
                assert!(numbers(&motion[key]).iter().all(|x| *x == 0.0), "{name}: {body} has a {key}");
            }
        }
        // Newton, Euler and the joints, from the text and the JSON alone. Accelerations are rounding, and so are their terms: the
        // balance of forces is what counts.
        // At rest forces are those of f = m a, whatever the law of the run.
        let report = check_outside(&text.replace("\"first-order\"", "\"rk4\""), &printed);
        let beyond = report.beyond(1e-11);

        assert!(beyond.is_empty(), "{name}: {beyond:#?}");
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|x| x.as_f64().expect("a number")).collect()
}

#[test]
fn reactions_at_rest_are_those_that_solve_finds_at_the_same_pose() {
    let rest = cardan(&["equilibrium", "-", "--json"], BOOM);
    assert_eq!(rest["equilibrium"]["stability"], "stable");
    let boom = &rest["bodies"]["boom"];
    let place = numbers(&boom["frame_position"]);
    let turn = numbers(&boom["orientation"]);
    let angle = 2.0 * turn[3].atan2(turn[0]);
    let position = format!("bodies.boom.position=[{:?}, {:?}]", place[0], place[1]);
    let orientation = format!("bodies.boom.orientation={angle:?}");
    let solved = cardan(&["solve", "-", "--json", "--set", &position, "--set", &orientation], BOOM);
    for key in ["force", "torque"] {
        let (a, b) = (numbers(&rest["joints"]["foot"][key]), numbers(&solved["joints"]["foot"][key]));
        for (a, b) in a.iter().zip(&b) {
            // The pose as printed and read again is right to a rounding; the load is 200 N, the stiffness 600 N/m.
            assert!((a - b).abs() < 1e-11, "{key}: {a} and {b}");
        }
    }
    for x in numbers(&solved["bodies"]["boom"]["acceleration"]) {
        assert!(x.abs() < 1e-12, "{x}");
    }
}

#[test]
fn the_boom_swings_as_the_second_derivative_of_its_energy_says() {
    let printed = cardan(&["modes", "-", "--json"], BOOM);
    assert_eq!((&printed["damped"], &printed["freedoms"]), (&Value::from(false), &Value::from(1)));
    // U(θ) by geometry; its least value by bisection of a difference, its curvature by another.
    let energy = |angle: f64| {
        let (x, y) = (1.5 * angle.cos(), 1.5 * angle.sin() - 1.5);
        let stretch = (x * x + y * y).sqrt() - 1.2;
        20.0 * G * angle.sin() + 300.0 * stretch * stretch
    };
    let slope = |a: f64| (energy(a + 1e-4) - energy(a - 1e-4)) / 2e-4;
    let (mut low, mut high) = (-1.5, 1.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    let h = 1e-3;
    let curvature = (slope(low + h) - slope(low - h)) / (2.0 * h);
    let want = (curvature / (7.0 + 20.0)).sqrt() / (2.0 * PI);
    let got = printed["modes"][0]["frequency"].as_f64().expect("a frequency");
    // Differences of a difference: 1e-16 · 1e3 J / 1e-7.
    assert!((got / want - 1.0).abs() < 1e-5, "{got} instead of {want}");
    let rest = cardan(&["equilibrium", "-", "--json"], BOOM);
    let angle = numbers(&rest["joints"]["foot"]["coordinates"])[0];
    assert!((angle - low).abs() < 1e-6, "{angle} instead of {low}");
}

#[test]
fn a_pendulum_has_its_textbook_frequency_hanging_and_its_growth_standing() {
    let hanging = cardan(&["modes", "pendulum", "--json"], "");
    let mode = &hanging["modes"][0];
    assert_eq!(mode["kind"], "oscillating");
    let rod = &mode["bodies"]["bar"];
    let frequency = mode["frequency"].as_f64().expect("a frequency");
    // The bar's inertia is that of its shape: from the shape of the mode, v = ω d for d = 0.5, φᵀ M φ = 1.
    let (v, w) = (numbers(&rod["translation"]), numbers(&rod["rotation"]));
    let speed = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let spin = w.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((speed / spin - 0.5).abs() < 1e-12);
    let text = bundled_scenes().into_iter().find(|s| s.0 == "pendulum").expect("bundled").1;
    let mass = support::scene::to_value(&text)["bodies"]["bar"]["mass"].as_f64().expect("a mass");
    // 1 = m v² + I ω², so I + m d² = 1/ω²; and (2π f)² = m g d / (I + m d²).
    let want = (mass * G * 0.5 * spin * spin).sqrt() / (2.0 * PI);
    assert!((frequency / want - 1.0).abs() < 1e-10, "{frequency} instead of {want}");
    // On its head: the same size, as a growth.
    let turned = ["--set", "gravity=[0,0,9.81]"];
    let down = cardan(&["modes", "pendulum", "--json", turned[0], turned[1], "--nearest"], "");
    let kind = down["modes"][0]["kind"].as_str().expect("a kind").to_string();
    let up = cardan(&["equilibrium", "pendulum", "--json", "--nearest", turned[0], turned[1]], "");
    assert_eq!(up["equilibrium"]["stability"] == "unstable", kind == "unstable");
    let rate = down["modes"][0]["eigenvalue"].as_array().expect("s");
    let size = rate.iter().map(|x| x.as_f64().expect("a number").abs()).fold(0.0, f64::max);
    assert!((size / (2.0 * PI * frequency) - 1.0).abs() < 1e-10);
}

/// A place in the tilted plane of the five-bar.
const HEAD: &str = "0.08191520442889918,0.0573576436351046,-0.4";

#[test]
fn a_five_bar_draws_its_head_to_a_place_and_says_what_is_too_far() {
    let near = cardan(&["reach", "five-bar", "--probe", "head", "--target", HEAD, "--json"], "");
    assert_eq!(near["reach"]["reached"], true, "{}", near["reach"]);
    let head = numbers(&near["probes"]["head"]["position"]);
    let want: Vec<f64> = HEAD.split(',').map(|x| x.parse().expect("a number")).collect();
    assert!(head.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-12), "{head:?}");
    assert!(near["certificate"]["max_position_error"].as_f64().is_some_and(|e| e < 1e-14));
    // By body and point it is the same, with units.
    let body =
        ["reach", "five-bar", "--body", "left-rod", "--point", "25 cm,0,0 mm", "--target", HEAD, "--json"];
    let again = cardan(&body, "");
    assert_eq!(again["probes"]["head"], near["probes"]["head"]);
    let far = command(&["reach", "five-bar", "--probe", "head", "--target", "5,5,-1", "--json"], b"");
    assert_eq!(far.code, 0);
    let far = far.json();
    assert_eq!(far["reach"]["reached"], false);
    let (miss, head) = (numbers(&far["reach"]["miss"]), numbers(&far["probes"]["head"]["position"]));
    assert!((miss[0] + head[0] - 5.0).abs() < 1e-12 && (miss[2] + head[2] + 1.0).abs() < 1e-12);
    let said = command(&["reach", "five-bar", "--probe", "head", "--target", "5,5,-1"], b"").stdout;
    assert!(said.contains("out of reach") && said.contains("misses by"), "{said}");
}

#[test]
fn poses_and_modes_are_drawn() {
    for args in [
        vec!["equilibrium", "four-bar", "-o", "statics-rest.svg"],
        vec!["modes", "double-pendulum", "-o", "statics-mode.svg", "--mode", "2"],
        vec!["reach", "five-bar", "--probe", "head", "--target", HEAD, "-o", "statics-reach.svg"],
    ] {
        let out = command(&args, b"");
        assert_eq!(out.code, 0, "{args:?}: {}", out.stderr);
        let file = args[args.iter().position(|a| *a == "-o").expect("-o") + 1];
        let svg = std::fs::read_to_string(scratch(file)).expect("a picture");
        assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{file}");
        assert_eq!(svg.contains("mode 2: "), args[0] == "modes");
    }
}

#[test]
fn impossible_values_are_refused_with_help() {
    const INPUT: i32 = 2;
    const FAILED: i32 = 1;
    let falling = "gravity = [0, 0, -9.81]\n[bodies.stone]\nkind = \"particle\"\nmass = 1\n";
    let cases: [(&[&str], &str, i32, &str); 14] = [
        (
            &["reach", "five-bar", "--body", "left-rood", "--target", "0,0"],
            "",
            INPUT,
            "did you mean `left-rod`?",
        ),
        (&["reach", "five-bar", "--probe", "haed", "--target", "0,0"], "", INPUT, "did you mean `head`?"),
        (&["reach", "five-bar", "--body", "left-rod"], "", INPUT, "--target"),
        (&["reach", "five-bar", "--target", "0,0"], "", INPUT, "--body"),
        (&["reach", "five-bar", "--body", "left-rod", "--target", "1"], "", INPUT, "3 coordinates"),
        (&["reach", "five-bar", "--body", "left-rod", "--target", "0,0,inf"], "", INPUT, "finite"),
        (&["reach", "five-bar", "--body", "left-rod", "--target", "1 kg,0,0"], "", INPUT, "kg"),
        (
            &["reach", "five-bar", "--body", "left-rod", "--orientation", "0,0,0,0"],
            "",
            INPUT,
            "no rotation is 1,0,0,0",
        ),
        (
            &["reach", "-", "--body", "stone", "--orientation", "1,0,0,0"],
            falling,
            INPUT,
            "`stone` is a particle",
        ),
        (&["modes", "pendulum", "-o", "no.svg", "--mode", "9"], "", INPUT, "1 mode, counted from 1"),
        (&["modes", "pendulum", "-o", "no.gif"], "", INPUT, ".svg or .png"),
        (&["modes", "double-pendulum", "--as-posed"], "", FAILED, "no equilibrium"),
        (&["equilibrium", "-"], falling, FAILED, "`stone` has gone"),
        (&["modes", "-", "--json"], falling, FAILED, "what should hold it?"),
    ];
    for (args, scene, code, said) in cases {
        let out = command(args, scene.as_bytes());
        assert_eq!(out.code, code, "{args:?}: {}{}", out.stdout, out.stderr);
        assert!(out.stderr.contains(said), "{args:?} does not say {said:?}: {}", out.stderr);
        assert!(code == FAILED || out.stdout.is_empty(), "{args:?} prints {}", out.stdout);
        assert!(!out.stderr.contains("panicked"), "{args:?}");
    }
    let printed = command(&["modes", "-", "--json"], falling.as_bytes()).json();
    assert!(printed["status"].as_str().is_some_and(|s| s.contains("stone")));
    assert_eq!(printed["modes"], Value::Array(Vec::new()));
}

/// The boom with a stop below it: it leans there with what its spring does not carry, reaches no farther, and the command says so.
#[test]
fn limits_are_kept_and_named() {
    let stopped =
        BOOM.replace("axis = [0, 0, 1]\n", "axis = [0, 0, 1]\nlimits = [[\"-10 deg\", \"20 deg\"]]\n");
    let slack = ["--set", "forces.stay.stiffness=1"];
    let rest = cardan(&[&["equilibrium", "-", "--json"][..], &slack].concat(), &stopped);
    let found = &rest["equilibrium"];
    assert_eq!((&found["stability"], &found["freedoms"]), (&"stable".into(), &0.into()));
    assert_eq!(found["limits"], serde_json::json!(["foot"]));
    let foot = &rest["joints"]["foot"];
    let angle = -10f64.to_radians();
    assert!((foot["coordinates"][0].as_f64().expect("an angle") - angle).abs() < 1e-14);
    // 20 kg at 1 m, and a spring of 1 N/m from (0, 1.5) to 1.5 m along the boom.
    let (end, arm) = ([1.5 * angle.cos(), 1.5 * angle.sin()], 1.5);
    let way = [end[0], end[1] - 1.5];
    let length = way[0].hypot(way[1]);
    let pull = 1.0 * (length - 1.2) / length;
    let moment = 20.0 * G * angle.cos() + pull * (end[0] * way[1] - end[1] * way[0]);
    let torque = foot["parts"]["limit"]["torque"][2].as_f64().expect("a torque");
    assert!((torque - moment).abs() < 1e-9, "{torque} {moment} {arm}");
    let words = command(&[&["equilibrium", "-"][..], &slack].concat(), stopped.as_bytes());
    assert!(
        words.stdout.contains("stable (nothing can move), leaning on the limit of `foot`"),
        "{}",
        words.stdout
    );
    // Up to 20 degrees, and no farther.
    let far = ["reach", "-", "--probe", "tip", "--target", "0,2", "--json"];
    let reach = cardan(&far, &stopped);
    assert_eq!(
        (&reach["reach"]["reached"], &reach["reach"]["limits"]),
        (&false.into(), &serde_json::json!(["foot"]))
    );
    let angle = reach["joints"]["foot"]["coordinates"][0].as_f64().expect("an angle");
    assert!((angle - 20f64.to_radians()).abs() < 1e-12, "{angle}");
    let words = command(&far[..6], stopped.as_bytes());
    assert!(words.stdout.contains("stopped by the limit of `foot`"), "{}", words.stdout);
    let jog = ["jog", "-", "--probe", "tip", "--ahead", "1,0,0", "--moves", "up 2 m"];
    let words = command(&jog, stopped.as_bytes());
    assert!(
        words.stdout.contains("out of reach for the limit of `foot`, stays at 2, 0, 0"),
        "{}",
        words.stdout
    );
}
