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

/// The pin of the crank is at (r cos α, d + r sin α) from the lever's pivot: that is where the slot points, and how far along it the pin is.
#[test]
fn a_pin_in_a_slot_swings_the_lever_where_it_is() {
    let (text, r, d) = (scene("quick-return"), 0.05f64, 0.13f64);
    for until in [0.03, 0.2, 0.7, 2.0] {
        let out = run(&text, until, 5e-4);
        let joint = |name: &str, key: &str, k: usize| real(&out["joints"][name][key][k]);
        let (alpha, rate) = (joint("shaft", "coordinates", 0), joint("shaft", "rates", 0));
        let (x, y) = (r * alpha.cos(), d + r * alpha.sin());
        let (phi, far) = (y.atan2(x), x.hypot(y));
        // A few roundings of lengths below one, and of angles up to thirty.
        assert!((joint("pivot", "coordinates", 0) - phi).abs() < 1e-13, "at {until}");
        assert!((joint("slot", "coordinates", 0) - (far - 0.12)).abs() < 1e-14, "at {until}");
        let turn = alpha + 5f64.atan2(12.0) - (phi - 12f64.atan2(5.0));
        assert!((joint("slot", "coordinates", 1) - turn).abs() < 1e-13, "at {until}");
        let swing = rate * r * (r + d * alpha.sin()) / (far * far);
        assert!((joint("pivot", "rates", 0) - swing).abs() < 1e-12 * rate, "at {until}");
        assert!(
            (joint("slot", "rates", 0) - rate * r * d * alpha.cos() / far).abs() < 1e-12 * rate,
            "at {until}"
        );
    }
}

/// tan β = −½ sin α/(1 − ½ cos α) while the pin is in a slot, and a sixth of a turn per turn; the wheel takes its energy from the crank:
/// (J_c + J_w f'²) α̇² is constant.
#[test]
fn a_geneva_wheel_goes_by_a_sixth_and_stands_still_in_between() {
    let text = scene("geneva");
    let (crank, wheel) = (0.5 * 6.0 * 0.09 * 0.09, 0.5 * 0.1 * 0.17 * 0.17);
    let sixth = std::f64::consts::PI / 3.0;
    for (until, moves) in [(0.15, false), (0.25, true), (0.32, true), (0.45, false), (0.95, true)] {
        let out = run(&text, until, 5e-4);
        let joint = |name: &str, key: &str| real(&out["joints"][name][key][0]);
        let (alpha, rate) = (joint("crank-hinge", "coordinates"), joint("crank-hinge", "rates"));
        let (sin, cos) = alpha.sin_cos();
        let (slope, place) = match moves {
            true => (0.5 * (cos - 0.5) / (1.25 - cos), -(0.5 * sin).atan2(1.0 - 0.5 * cos)),
            false => (0.0, 0.5 * sixth),
        };
        let steps = (joint("wheel-hinge", "coordinates") - place) / sixth;
        assert!((steps - steps.round()).abs() < 1e-13, "at {until}: {steps} steps");
        let turned = (alpha / std::f64::consts::TAU).round() - if moves || sin > 0.0 { 0.0 } else { 1.0 };
        assert!(moves || steps.round() == -turned, "at {until}: {steps} steps, {turned} turns");
        // Rounding of the projection, over the speed of the crank.
        assert!((joint("wheel-hinge", "rates") + slope * rate).abs() < 1e-12 * rate, "at {until}");
        // To what the scene's law allows of energy: the acceleration jumps where the pin enters and leaves.
        let wanted = 10.0 * (crank / (crank + wheel * slope * slope)).sqrt();
        assert!((rate - wanted).abs() < 1e-7 * wanted, "at {until}: {rate}, {wanted}");
    }
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
        let words = command(&["check", name], b"").stdout;
        let line =
            format!("{} variables: {coordinates} accelerations, {rows} multipliers", coordinates + rows);
        assert!(
            words.contains(&format!("{bodies} bodies, {joints} joints")) && words.contains(&line),
            "{words}"
        );
    }
}

/// A gear about another axis than its hinge's is most likely a slip: no bundled scene has one, and one that is made gets a warning.
#[test]
fn a_gear_about_another_axis_than_its_hinge_is_warned_of() {
    for (name, text) in bundled_scenes().iter().filter(|(_, text)| text.contains("\"gear\"")) {
        let check = command(&["check", "-"], text.as_bytes());
        assert!(!check.stdout.contains("counts a speed"), "{name}: {}", check.stdout);
    }
    let slip = ["check", "gear-train", "--set", "joints.spur.axes.0=[0, 0.5, 0.8660254037844386]"];
    let check = command(&slip, b"");
    let wanted = "gear `spur` counts a speed about an axis that is 30° off that of the hinge `motor`";
    assert!(check.stdout.contains(wanted), "{} {}", check.stdout, check.stderr);
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

/// Pan, tilt and roll by laws: the torque on the camera is what Euler's equations about the ball ask for; the outside checks hold the orientation.
#[test]
fn a_ball_joint_is_driven_and_says_its_torque() {
    let text = bundled_scenes().into_iter().find(|s| s.0 == "driven-ball-joint").expect("the scene").1;
    let out = run(&text, 0.7, 1e-3);
    assert_eq!(out["counts"]["freedoms"], 0);
    let (body, aim) = (&out["bodies"]["camera"], &out["joints"]["aim"]);
    let vector = |v: &Value| [0, 1, 2].map(|i| v[i].as_f64().expect("a number"));
    assert!(vector(&aim["force"]).iter().all(|x| x.abs() < 1e-12), "{aim}");
    // About the ball, by the parallel axes: d/dt of the angular momentum is the torque and that of the weight.
    let (r, a) = (vector(&body["position"]), vector(&body["acceleration"]));
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let q = [0, 1, 2, 3].map(|i| body["orientation"][i].as_f64().expect("a number"));
    let turn = |sign: f64, v: [f64; 3]| {
        let u = [sign * q[1], sign * q[2], sign * q[3]];
        let (c, d) = (cross(u, v), cross(u, cross(u, v)));
        [0, 1, 2].map(|i| v[i] + 2.0 * (q[0] * c[i] + d[i]))
    };
    let own =
        [0.12 * 0.12 + 0.14 * 0.14, 0.3 * 0.3 + 0.14 * 0.14, 0.3 * 0.3 + 0.12 * 0.12].map(|s| 2.5 * s / 12.0);
    let inertia = |v: [f64; 3]| {
        let v = turn(-1.0, v);
        turn(1.0, [0, 1, 2].map(|i| own[i] * v[i]))
    };
    let (w, alpha) = (vector(&body["angular_velocity"]), vector(&body["angular_acceleration"]));
    let (spin, swing, gyro) = (inertia(alpha), cross(r, a), cross(w, inertia(w)));
    let weight = cross(r, [0.0, 0.0, -2.5 * 9.81]);
    let torque = vector(&aim["torque"]);
    for i in 0..3 {
        let wanted = spin[i] + gyro[i] + 2.5 * swing[i] - weight[i];
        assert!((torque[i] - wanted).abs() < 1e-9, "{i}: {} is not {wanted}", torque[i]);
    }
    assert!(out["energy"]["balance_error"].as_f64().expect("a number").abs() < 1e-7, "{}", out["energy"]);
}

/// The same wrist, the same path, other reducers: the arm's joints move alike, the bearings of the suspension feel nearly the same, and the masses differ.
#[test]
fn reducers_are_swapped_and_compared() {
    let columns = "joints.second-axis.coordinates,joints.motor-1.rates,joints.motor-1.drive";
    let args =
        ["compare", "shoulder-path", "shoulder-ball-screws", "--until", "1.2", "--dt", "4 ms", "--json"];
    let out = command(&[&args[..], &["--columns", columns]].concat(), b"");
    assert_eq!(out.code, 0, "{}", out.stderr);
    let all: Vec<Value> = serde_json::from_str(&out.stdout).expect("JSON");
    let number = |v: &Value| v.as_f64().expect("a number");
    assert!((number(&all[1]["mass"]) - number(&all[0]["mass"]) - 0.12).abs() < 1e-12);
    for k in 0..2 {
        // Both follow one path with one ratio.
        let [worm, screw] = [0, 1].map(|i| number(&all[i]["columns"][k]["peak"]));
        assert!((worm - screw).abs() < 1e-7 * worm, "{worm}, {screw}");
    }
    for run in &all {
        let (work, lost) = (number(&run["work"]), number(&run["dissipated"]));
        assert!(lost > 0.0 && (number(&run["efficiency"]) - (1.0 - lost / work)).abs() < 1e-12, "{run}");
        assert!(number(&run["energy_balance_error"]) < 1e-6, "{run}");
    }
}

/// Up, left and back: the hand is where it was sent, and out of reach it stays.
#[test]
fn jog_moves_a_hand_in_space() {
    let moves = "up 3 cm,left 2 cm,right 2 cm,down 3 cm,farther 5 m";
    let args =
        ["jog", "full-arm", "--probe", "wrist", "--joints", "motor-1,motor-2", "--moves", moves, "--json"];
    let out = command(&args, b"");
    assert_eq!(out.code, 0, "{}", out.stderr);
    let lines: Vec<Value> =
        out.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 6);
    let place = |i: usize| [0, 1, 2].map(|k| lines[i]["position"][k].as_f64().expect("a number"));
    let moved = |i: usize| [0, 1, 2].map(|k| place(i)[k] - place(0)[k]);
    for (i, wanted) in
        [(1, [0.0, 0.0, 0.03]), (2, [0.0, 0.02, 0.03]), (3, [0.0, 0.0, 0.03]), (4, [0.0; 3]), (5, [0.0; 3])]
    {
        assert_eq!(lines[i]["reached"], i < 5, "{}", lines[i]);
        assert!(moved(i).iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-8), "{i}: {:?}", moved(i));
    }
    assert!(lines[1]["coordinates"]["motor-1"][0] != lines[0]["coordinates"]["motor-1"][0]);
    // The same from standard input.
    let again = command(&["jog", "full-arm", "--probe", "wrist"], b"up\n\nquit\nup\n");
    assert_eq!((again.code, again.stdout.lines().count()), (0, 2), "{}", again.stderr);
    // A line that is no command is told and passed over, and the command says so in the end.
    let slip = command(&["jog", "full-arm", "--probe", "wrist"], b"up\nupp\ndown\n");
    assert_eq!((slip.code, slip.stdout.lines().count()), (2, 3), "{}", slip.stderr);
    assert!(slip.stderr.contains("did you mean `up`?") && slip.stderr.contains("1 line was not understood"));
}

/// Switched motors come to the right place by a wrong way; commanded ones keep the line.
#[test]
fn on_and_off_strays_from_the_line() {
    let text = bundled_scenes().into_iter().find(|s| s.0 == "on-off").expect("the scene").1;
    let probe =
        |out: &Value, name: &str, k: usize| out["probes"][name]["position"][k].as_f64().expect("a number");
    let (middle, end) = (run(&text, 0.6, 2e-3), run(&text, 1.6, 2e-3));
    assert!((probe(&middle, "led", 0) - 1.85).abs() < 1e-9);
    assert!((probe(&middle, "switched", 0) - 0.45).abs() > 0.05, "{}", middle["probes"]);
    for (name, x) in [("led", 1.85), ("switched", 0.45)] {
        assert!(
            (probe(&end, name, 0) - x).abs() < 1e-6 && (probe(&end, name, 1) - 0.45).abs() < 1e-6,
            "{name}: {}",
            end["probes"]
        );
    }
}
