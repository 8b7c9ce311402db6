//! Scenes with couplings against their laws: `couplings`, `planetary`, `pulley-block`, and the prosthetic arm.

use crate::support::{bundled_scenes, cardan, command, run, scratch, solve};
use serde_json::Value;

fn real(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("not a number: {v}"))
}

/// Both shafts of an Oldham coupling turn alike; a cross between shafts at an angle β turns as tan(out) = cos β tan(in), and hands over
/// ω_out = ω_in cos β / (1 − sin² β sin² in).
#[test]
fn an_oldham_coupling_is_even_and_a_cross_is_hookes() {
    let (_, text) = bundled_scenes().into_iter().find(|(name, _)| name == "couplings").expect("the scene");
    for until in [0.05, 0.3, 1.0, 2.5] {
        let out = run(&text, until, 1e-3);
        let turn = |joint: &str, key: &str| real(&out["joints"][joint][key][0]);
        let (angle, rate) = (turn("input-bearing", "coordinates"), turn("input-bearing", "rates"));
        let (found, found_rate) = (turn("output-bearing", "coordinates"), turn("output-bearing", "rates"));
        // The same branch as the angle: add what the ratio of the tangents takes away.
        let (s, c) = angle.sin_cos();
        let wanted = angle + (-0.2 * s * c).atan2(c * c + 0.8 * s * s);
        assert!((found - wanted).abs() < 1e-11, "at {until}: {found}, {wanted}");
        let wanted = rate * 0.8 / (1.0 - 0.36 * s * s);
        assert!((found_rate - wanted).abs() < 1e-10 * rate, "at {until}: {found_rate}, {wanted}");
        let spins = ["input", "middle"].map(|body| real(&out["bodies"][body]["angular_velocity"][0]));
        assert!((spins[0] - spins[1]).abs() < 1e-12 * rate, "at {until}: {spins:?}");
        // The cross takes one multiplier and carries no force.
        assert_eq!(out["joints"]["cross"]["multipliers"].as_array().map(Vec::len), Some(1));
        assert!((0..3).all(|i| real(&out["joints"]["cross"]["force"][i]) == 0.0));
    }
}

fn scene(name: &str) -> String {
    bundled_scenes().into_iter().find(|(own, _)| own == name).expect("the scene").1
}

/// 24 (ω_sun − ω_carrier) = −60 (ω_ring − ω_carrier), while all three turn; the planets turn alike.
#[test]
fn a_planetary_gear_obeys_willis() {
    let text = scene("planetary");
    for until in [0.1, 0.5, 2.0] {
        let out = run(&text, until, 1e-3);
        let spin = |body: &str| real(&out["bodies"][body]["angular_velocity"][0]);
        let (sun, ring, carrier) = (spin("sun"), spin("ring"), spin("carrier"));
        assert!(sun > 10.0 && carrier > 1.0 && ring < -0.1, "at {until}: {sun}, {carrier}, {ring}");
        let rest = 24.0 * (sun - carrier) + 60.0 * (ring - carrier);
        assert!(rest.abs() < 1e-13 * 60.0 * sun, "at {until}: {rest:e}");
        let planet = carrier - 24.0 / 18.0 * (sun - carrier);
        for name in ["planet-1", "planet-2", "planet-3"] {
            assert!((spin(name) - planet).abs() < 1e-12 * sun, "at {until}: {name}");
        }
        // Angles keep the ratio as well, as far as rates summed over the run do.
        let angle = |joint: &str| real(&out["joints"][joint]["coordinates"][0]);
        let rest = 24.0 * (angle("motor") - angle("output")) + 60.0 * (angle("brake") - angle("output"));
        assert!(rest.abs() < 1e-8 * 60.0 * angle("motor"), "at {until}: {rest:e}");
    }
}

/// g/3 up and 2g/3 down, from the first instant on and in the first step.
#[test]
fn the_pulley_problem_gives_a_third_and_two_thirds_of_g_from_the_first_step() {
    let text = scene("pulley-block");
    let start = solve(&text);
    let fall = |out: &Value, body: &str, what: &str| real(&out["bodies"][body][what][2]);
    for out in [&start, &run(&text, 1e-3, 1e-3), &run(&text, 0.3, 1e-3)] {
        assert!((fall(out, "pulley", "acceleration") - 9.81 / 3.0).abs() < 1e-14 * 9.81);
        assert!((fall(out, "weight", "acceleration") + 2.0 * 9.81 / 3.0).abs() < 1e-14 * 9.81);
    }
    let out = run(&text, 1e-3, 1e-3);
    assert!((fall(&out, "pulley", "velocity") - 9.81e-3 / 3.0).abs() < 1e-16);
    assert!((fall(&out, "weight", "velocity") + 2.0 * 9.81e-3 / 3.0).abs() < 1e-16);
}

/// Three shafts turn alike to the last digits, whatever the joints are bent by.
#[test]
fn constant_velocity_joints_hand_speeds_over_one_to_one() {
    let text = scene("constant-velocity");
    for until in [0.3, 1.0, 1.7] {
        let out = run(&text, until, 1e-3);
        let (motor, hub) = (&out["joints"]["motor"], &out["joints"]["hub"]);
        let (angle, rate) = (real(&motor["coordinates"][0]), real(&motor["rates"][0]));
        assert!((real(&hub["coordinates"][1]) / angle - 1.0).abs() < 1e-12, "at {until}");
        assert!((real(&hub["rates"][1]) / rate - 1.0).abs() < 1e-12, "at {until}");
    }
}

/// The counts of Tasora's paper: 7 bodies, 8 links, 82 variables; 9 bodies, 104 variables.
#[test]
fn the_prosthetic_arm_has_the_counts_of_the_paper() {
    for (name, bodies, joints, coordinates, rows) in
        [("differential-shoulder", 7, 8, 42, 40), ("full-arm", 9, 10, 54, 50)]
    {
        let out = cardan(&["check", "-", "--json"], &scene(name));
        let counts = &out["counts"];
        let have = ["bodies", "joints", "coordinates", "rows"].map(|field| counts[field].as_u64());
        assert_eq!(have, [bodies, joints, coordinates, rows].map(Some), "{name}: {counts}");
        assert_eq!(counts["variables"].as_u64(), Some(coordinates + rows), "{name}");
    }
}

/// Motors that turn alike swing the shoulder about its second axis, motors that turn against each other about its first.
#[test]
fn the_differential_adds_and_subtracts_its_motors() {
    let text = scene("differential-shoulder");
    let out = run(&text, 1.0, 1e-3);
    let angle = |out: &Value, joint: &str| real(&out["joints"][joint]["coordinates"][0]);
    let [first, second, one, two] =
        ["first-axis", "second-axis", "motor-1", "motor-2"].map(|joint| angle(&out, joint));
    // The rotors spin with the arm, so that the suspension feels their gyroscopic torque.
    assert!(first.abs() < 1e-4 && second < -0.4, "{first}, {second}");
    assert!((second + 0.01 * (one + two)).abs() < 1e-14);
    let out = run(&text, 2.5, 1e-3);
    let [first, second, one, two] =
        ["first-axis", "second-axis", "motor-1", "motor-2"].map(|joint| angle(&out, joint));
    assert!(first > 0.3 && second > -0.3, "{first}, {second}");
    assert!((first - 0.01 * (one - two)).abs() < 1e-14 && (second + 0.01 * (one + two)).abs() < 1e-14);
}

/// The torques of both motors are in the report, in the table and in the plot; at rest they hold the weight, by virtual work.
#[test]
fn a_wrist_on_a_path_tells_the_torques_of_both_motors() {
    let text = scene("shoulder-path");
    let out = run(&text, 2.5, 1e-3);
    // At rest: τ_i = Σ m g ∂z/∂m_i with θ₁ = (m₁ − m₂)/100, θ₂ = −(m₁ + m₂)/100; heights z = −l cos θ₁ cos θ₂ and so on.
    let angle = |joint: &str| real(&out["joints"][joint]["coordinates"][0]);
    let (first, second) = (angle("first-axis"), angle("second-axis"));
    let height = |first: f64, second: f64| {
        // Of the arm, forearm and rotors, which lie at ±20 mm beside the second axis.
        let weight = 9.81 * (1.2 * 0.15 + 1.4 * 0.45 + 0.24 * 0.12);
        -weight * first.cos() * second.cos()
    };
    let h = 1e-5;
    let slope = |a: f64, b: f64| {
        (height(first + h * a, second + h * b) - height(first - h * a, second - h * b)) / (2.0 * h)
    };
    for (motor, wanted) in [("motor-1", slope(0.01, -0.01)), ("motor-2", slope(-0.01, -0.01))] {
        let given = real(&out["joints"][motor]["drives"][0]["force"]);
        assert!((given - wanted).abs() < 1e-9, "{motor}: {given} or {wanted}");
    }
    let file = scratch("wrist.csv");
    std::fs::write(scratch("wrist.toml"), &text).expect("a scratch file");
    let columns = "joints.motor-1.drive,joints.motor-2.drive";
    let args = [
        "run",
        "wrist.toml",
        "--until",
        "0.1",
        "--out",
        "wrist.csv",
        "--plot",
        "wrist.svg",
        "--columns",
        columns,
    ];
    let done = command(&args, b"");
    assert_eq!(done.code, 0, "{}", done.stderr);
    let table = std::fs::read_to_string(file).expect("a table");
    assert!(table.lines().next().is_some_and(|head| head.contains("joints.motor-1.drive")), "{table}");
    let plot = std::fs::read_to_string(scratch("wrist.svg")).expect("a plot");
    assert!(plot.contains("motor-2"), "no second motor in the plot");
}
