//! What an engineer reads off: forces over time, equilibria of springs alone, runs that cannot end; each beside a hand
//! calculation.

use crate::support::{cardan, command, scratch};
use serde_json::Value;

/// A slider on a rail along x, held by a spring from the origin; no gravity.
const SLIDER: &str = r#"gravity = [0, 0, 0]

[bodies.slider]
shape = { kind = "box", size = [0.1, 0.1, 0.1] }
mass = 2
position = [0.18, 0, 0]

[joints.rail]
kind = "prismatic"
a = "ground"
b = "slider"
anchor = [0.18, 0, 0]
axis = [1, 0, 0]

[forces.spring]
kind = "spring"
a = "ground"
b = "slider"
stiffness = 800
rest_length = 0.1
damping = 6

[simulation]
until = 0.3
dt = "1 ms"
integrator = "rk4"
"#;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Names with units, and rows of a table.
fn table(file: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = std::fs::read_to_string(scratch(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut lines = text.lines();
    let heads = lines.next().expect("a head").split(',').map(str::to_string).collect();
    let row = |line: &str| line.split(',').map(|x| x.parse().expect("a number")).collect();
    (heads, lines.map(row).collect())
}

fn at(heads: &[String], head: &str) -> usize {
    heads.iter().position(|h| h == head).unwrap_or_else(|| panic!("no {head} in {heads:?}"))
}

/// A spring alone holds the slider where it is slack; the force there vanishes together with everything that it could be
/// compared with.
#[test]
fn a_spring_alone_rests_at_its_slack_length() {
    for rest in [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5] {
        let set = format!("forces.spring.rest_length={rest}");
        let out = command(&["equilibrium", "-", "--json", "--set", &set], SLIDER.as_bytes());
        let found = out.json();
        assert_eq!(
            (out.code, &found["equilibrium"]["stability"]),
            (0, &Value::from("stable")),
            "{rest}: {}",
            out.stderr
        );
        let x = number(&found["bodies"]["slider"]["position"][0]);
        // 800 N/m: rounding of the pose, of the order of 1e-16 m, is a force of 1e-13 N.
        assert!((x - rest).abs() < 1e-12, "{rest}: {x}");
        assert!(number(&found["equilibrium"]["residual"]) < 1e-12, "{found}");
        assert!((number(&found["equilibrium"]["least_stiffness"]) - 800.0).abs() < 1e-6);
    }
    // A constant force that nothing holds is still no equilibrium, beside however stiff a spring.
    let push = "[bodies.other]\nkind = \"particle\"\nmass = 1\n[forces.push]\nkind = \"constant\"\nbody = \"other\"\nforce = [1e-6, 0, 0]\n";
    let text = SLIDER.replace("[simulation]", &format!("{push}\n[simulation]")).replace("800", "8e9");
    let out = command(&["equilibrium", "-", "--json"], text.as_bytes());
    assert!(out.code == 1 && out.stderr.contains("other"), "{}", out.stderr);
}

#[test]
fn a_run_starts_from_the_equilibrium_of_the_scene_or_from_one_that_was_saved() {
    // The boom of a crane: the weight is held by a spring.
    let hangs = SLIDER.replace("gravity = [0, 0, 0]", "gravity = [9.81, 0, 0]");
    let sag = 0.1 + 2.0 * 9.81 / 800.0;
    let starts = hangs.replace("until = 0.3", "until = 0.3\nstart = \"equilibrium\"");
    let run = cardan(&["run", "-", "--json"], &starts);
    // Rounding of the pose lets it move by some 1e-16 m, of which nothing grows.
    assert!((number(&run["bodies"]["slider"]["position"][0]) - sag).abs() < 1e-13, "{run}");
    assert!(number(&run["bodies"]["slider"]["velocity"][0]).abs() < 1e-13);
    assert!((number(&run["forces"]["spring"]["force"]) - 2.0 * 9.81).abs() < 1e-10);
    let threads = cardan(&["run", "-", "--json", "--threads", "1"], &starts);
    assert!((number(&threads["bodies"]["slider"]["position"][0]) - sag).abs() < 1e-13);
    let saved = command(&["equilibrium", "-", "--save", "hangs.state"], hangs.as_bytes());
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    let from = cardan(&["run", "-", "--json", "--from", "hangs.state"], &hangs);
    assert!((number(&from["bodies"]["slider"]["position"][0]) - sag).abs() < 1e-13);
    // What cannot be: a velocity at rest, an equilibrium of nothing that holds.
    let moving = starts.replace("mass = 2", "mass = 2\nvelocity = [1, 0, 0]");
    let free = starts.replace("stiffness = 800", "stiffness = 0");
    for (text, words) in [(moving, ["velocities", "at rest"]), (free, ["no equilibrium", "slider"])] {
        let out = command(&["run", "-"], text.as_bytes());
        assert_eq!(out.code, 2, "{}", out.stderr);
        assert!(words.iter().all(|word| out.stderr.contains(word)), "{}", out.stderr);
    }
}

/// Length, rate, force and power of a spring and damper over time, from the positions of the same rows; and its work is
/// what the energies say.
#[test]
fn the_force_of_a_spring_is_a_column() {
    let args = ["run", "-", "--json", "--out", "spring.csv", "--set", "simulation.record=1 ms"];
    let end = cardan(&args, SLIDER);
    let (heads, rows) = table("spring.csv");
    let column = |head: &str| at(&heads, head);
    let [time, x, v, a] = [
        "time [s]",
        "bodies.slider.position.x [m]",
        "bodies.slider.velocity.x [m/s]",
        "joints.rail.accelerations.0 [m/s²]",
    ]
    .map(column);
    let [force, length, rate, power] = ["force [N]", "length [m]", "rate [m/s]", "power [W]"]
        .map(|field| column(&format!("forces.spring.{field}")));
    let [kinetic, potential, norm] =
        ["energy.kinetic [J]", "energy.potential [J]", "joints.rail.force.norm [N]"].map(column);
    let (mut work, mut before, mut peak) = (0.0, None, 0.0f64);
    for row in &rows {
        let pull = 800.0 * (row[x] - 0.1) + 6.0 * row[v];
        assert!(
            (row[force] - pull).abs() < 1e-11
                && (row[length] - row[x]).abs() < 1e-15
                && (row[rate] - row[v]).abs() < 1e-15
        );
        assert!((row[power] + pull * row[v]).abs() < 1e-10 && (row[a] + pull / 2.0).abs() < 1e-10, "{row:?}");
        // The rail carries nothing: the spring pulls along it.
        assert!(row[norm].abs() < 1e-12, "{}", row[norm]);
        if let Some((t, p)) = before {
            work += 0.5 * (row[time] - t) * (row[power] + p);
        }
        before = Some((row[time], row[power]));
        peak = peak.max(row[force].abs());
    }
    // The trapezoidal rule with 1 ms on an oscillation of 20 rad/s: (ω h)² / 12 of some joules.
    let (first, last) = (&rows[0], rows.last().expect("a row"));
    let gained = last[kinetic] - first[kinetic];
    assert!((work - gained).abs() < 1e-3, "{work} J and {gained} J");
    assert!(last[potential] < first[potential]);
    // The same numbers at the end, and peaks in the report.
    let spring = &end["forces"]["spring"];
    assert_eq!(number(&spring["force"]).to_bits(), last[force].to_bits());
    assert_eq!(number(&spring["length"]).to_bits(), last[length].to_bits());
    let over = &end["columns"]["forces.spring.force"];
    let most = number(&over["greatest"]).max(-number(&over["least"]));
    assert!((most - peak).abs() < 1e-12 && number(&over["greatest_time"]) == 0.0, "{over}");
    for key in ["energy_balance_error", "momentum_balance_error"] {
        assert!(number(&end["certificate"][key]) < 1e-6, "{}", end["certificate"]);
    }
    // A phase portrait: any column against any other, and only one to the right.
    let portrait = ["run", "-", "--quiet", "--plot", "phase.svg", "--columns", "joints.rail.rates"];
    let out = command(&[&portrait[..], &["--x", "joints.rail.coordinates.0"]].concat(), SLIDER.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(
        std::fs::read_to_string(scratch("phase.svg"))
            .expect("a plot")
            .contains("joints.rail.coordinates.0 [m]")
    );
    let out = command(&[&portrait[..], &["--x", "bodies.slider.position"]].concat(), SLIDER.as_bytes());
    assert!(out.code == 2 && out.stderr.contains("several columns"), "{}", out.stderr);
    // Columns alone are reported, without a file.
    let text = command(&["run", "-", "--columns", "forces.spring.force,probes"], SLIDER.as_bytes());
    assert!(text.code == 2 && text.stderr.contains("`probes`"), "{}", text.stderr);
    let text = command(&["run", "-", "--columns", "forces.spring.force"], SLIDER.as_bytes()).stdout;
    assert!(
        text.contains("forces.spring.force [N]") && text.contains("root mean square") && text.contains("64 "),
        "{text}"
    );
}

/// A block on a slope: normal m g cos α, friction m g sin α, by bodies and by the name of the shape; planar zeros are left
/// out, and named all the same.
#[test]
fn contact_forces_are_columns_by_pair_and_by_shape() {
    let text = r#"gravity = [-3, -9, 0]
[ground]
shapes = [{ kind = "plane", name = "slope", normal = [0, 1, 0], material = "wood" }]
[materials.wood]
friction = 0.6
[bodies.block]
kind = "planar"
shape = { kind = "box", size = [0.2, 0.2, 0.2], material = "wood" }
mass = 2
position = [0, 0.1]
[simulation]
until = 0.05
"#;
    let end = cardan(&["run", "-", "--json", "--out", "block.csv"], text);
    let (heads, rows) = table("block.csv");
    let last = rows.last().expect("a row");
    let value = |head: &str| last[at(&heads, head)];
    for pair in ["contacts.block/ground", "contacts.block/slope"] {
        assert!((value(&format!("{pair}.normal [N]")) - 18.0).abs() < 1e-8, "{last:?}");
        assert!((value(&format!("{pair}.friction [N]")) - 6.0).abs() < 1e-8);
        assert!((value(&format!("{pair}.force.x [N]")) - 6.0).abs() < 1e-8);
        assert!((value(&format!("{pair}.force.norm [N]")) - 360f64.sqrt()).abs() < 1e-8);
        assert!(value(&format!("{pair}.points")) >= 2.0);
    }
    assert!((value("contacts.block.force.y [N]") - 18.0).abs() < 1e-8);
    for zero in [
        "bodies.block.position.z [m]",
        "bodies.block.angular_velocity.x [rad/s]",
        "contacts.block.force.z [N]",
    ] {
        assert!(!heads.iter().any(|head| head == zero), "{zero} is in the table");
    }
    assert!(number(&end["columns"]["contacts.block/slope.normal"]["greatest"]) > 17.0);
    let named = [
        "run",
        "-",
        "--quiet",
        "--out",
        "named.csv",
        "--columns",
        "bodies.block.position.z,contacts.block/slope",
    ];
    let out = command(&named, text.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let (heads, _) = table("named.csv");
    assert_eq!(heads[1], "bodies.block.position.z [m]");
    assert!(heads.iter().any(|head| head == "contacts.block/slope.friction [N]"));
}

/// Springs and friction of joints, drag, and a force with a torque.
#[test]
fn what_acts_along_joints_and_on_bodies_is_a_column() {
    let text = r#"gravity = [0, 0, 0]
[bodies.wheel]
shape = { kind = "cylinder", radius = 0.2, length = 0.1 }
mass = 3
angular_velocity = [0, 0, 4]
[joints.axle]
kind = "revolute"
a = "ground"
b = "wheel"
anchor = [0, 0, 0]
axis = [0, 0, 1]
spring = { stiffness = 5, damping = 0.5, rest = "0.2 rad" }
friction = { viscous = 0.25 }
[forces.push]
kind = "constant"
body = "wheel"
force = [3, 4, 0]
torque = [0, 0, 2]
[simulation]
until = 0.2
"#;
    let out = command(&["run", "-", "--json", "--out", "wheel.csv"], text.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let (heads, rows) = table("wheel.csv");
    let column = |head: &str| at(&heads, head);
    let names = [
        "coordinates.0 [rad]",
        "rates.0 [rad/s]",
        "accelerations.0 [rad/s²]",
        "spring.0 [N·m]",
        "friction.0 [N·m]",
    ];
    let [angle, rate, second, spring, friction] = names.map(|name| column(&format!("joints.axle.{name}")));
    let [norm, torque, power] =
        ["force.norm [N]", "torque.z [N·m]", "power [W]"].map(|name| column(&format!("forces.push.{name}")));
    for row in &rows {
        let (spring_torque, heat) = (-5.0 * (row[angle] - 0.2) - 0.5 * row[rate], -0.25 * row[rate]);
        assert!(
            (row[spring] - spring_torque).abs() < 1e-12 && (row[friction] - heat).abs() < 1e-12,
            "{row:?}"
        );
        assert!(
            (row[norm] - 5.0).abs() < 1e-12
                && row[torque] == 2.0
                && (row[power] - 2.0 * row[rate]).abs() < 1e-9
        );
        // Its axis is x: I = m (3 r² + h²) / 12 = 0.0325 kg·m²
        assert!((row[second] - (spring_torque + heat + 2.0) / 0.0325).abs() < 1e-9, "{row:?}");
    }
}

/// A shaft has one coordinate: the doctor takes the size of its motion from its mass, not from three lengths.
#[test]
fn a_shaft_welded_to_a_body_is_examined() {
    let text = r#"gravity = [0, 0, -9.81]
[bodies.rotor]
kind = "shaft"
axis = [0, 0, 1]
mass = 2
inertia = [0.1, 0.1, 0.2]
[bodies.arm]
shape = { kind = "box", size = [1, 0.1, 0.1] }
mass = 1
position = [0.5, 0, 0]
[joints.weld]
kind = "fixed"
a = "rotor"
b = "arm"
anchor = [0, 0, 0]
[joints.again]
kind = "fixed"
a = "rotor"
b = "arm"
anchor = [0, 0, 0]
"#;
    let out = command(&["check", "-", "--json"], text.as_bytes());
    assert!(out.code != 101 && !out.stderr.contains("panicked"), "{}", out.stderr);
    assert_eq!(out.json()["mobility"], 1, "{}", out.stdout);
}

/// Before a run the number of its steps is known: 1e12 of them start only where that is meant, and `--force` is taken.
#[test]
fn what_cannot_end_does_not_start() {
    let out = command(&["run", "-", "--dt", "1e-12", "--until", "1"], SLIDER.as_bytes());
    assert!(
        out.code == 2 && out.stderr.contains("1.000e12 steps") && out.stderr.contains("--force"),
        "{}",
        out.stderr
    );
    let out =
        command(&["run", "-", "--dt", "1e-12", "--until", "1e-10", "--force", "--quiet"], SLIDER.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
}

/// A crank and rod by two lengths with units; the study varies one of them, and a row that makes no sense fails alone.
#[test]
fn parameters_are_worked_out_with_their_units() {
    let text = r#"gravity = [0, 0, 0]
[parameters]
L = "20 cm"
half = "=L / 2"
n = 3
[bodies.rod]
shape = { kind = "rod", length = "=2*L + 5 mm", radius = "1 cm" }
mass = "=n * 400 g"
position = ["=half + 25 mm", "=sqrt(L^2) * sin(30 deg)", "=-(L - half)"]
[simulation]
until = "=n * 1 ms"
"#;
    let out = cardan(&["run", "-", "--json"], text);
    let at = out["bodies"]["rod"]["position"].as_array().expect("a position");
    for (x, want) in at.iter().zip([0.125, 0.1, -0.1]) {
        assert!((number(x) - want).abs() < 1e-16, "{at:?}");
    }
    assert!((number(&out["time"]) - 3e-3).abs() < 1e-18);
    let set = cardan(&["run", "-", "--json", "--set", "parameters.L=40 cm"], text);
    assert!((number(&set["bodies"]["rod"]["position"][1]) - 0.2).abs() < 1e-16);
    for (from, to, words) in [
        ("=2*L + 5 mm", "=2*L + 5 kg", ["m and kg cannot be added", "unit"]),
        ("=2*L + 5 mm", "=2*M", ["no parameter `M`", "L"]),
        ("=n * 400 g", "=2 * L", ["expected a mass", "length"]),
        ("=L / 2", "=half", ["made of itself", "half"]),
        ("=-(L - half)", "=(L - half", ["`)`", "bracket"]),
        ("=-(L - half)", "=L/0", ["finite", "zero"]),
    ] {
        let out = command(&["run", "-"], text.replace(from, to).as_bytes());
        assert!(out.code == 2 && words.iter().all(|word| out.stderr.contains(word)), "{to}: {}", out.stderr);
    }
}

/// What a motor puts in and a load takes out are two numbers, not their difference.
#[test]
fn motors_and_loads_have_accounts_of_their_own() {
    let text = SLIDER
        .replace(
            "axis = [1, 0, 0]",
            "axis = [1, 0, 0]\ndrive = { level = \"position\", law = { quintic = [[0, 0], [0.3, 2]] } }",
        )
        .replace("stiffness = 800", "stiffness = 0")
        .replace("damping = 6", "damping = 0")
        .replace(
            "[simulation]",
            "[forces.cut]\nkind = \"constant\"\nbody = \"slider\"\nforce = [-50, 0, 0]\n[simulation]",
        );
    let out = command(&["compare", "-", "--json", "--until", "0.3"], text.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let run = &out.json()[0];
    let (motor, load) = (number(&run["motor_work"]), number(&run["load_work"]));
    // 50 N over 2 m; the slider ends at the speed that it began with.
    assert!((load + 100.0).abs() < 0.1, "{run}");
    assert!((motor + load - number(&run["work"])).abs() < 1e-9, "{run}");
}

fn digest(text: &str) -> String {
    let at = text.find("digest").unwrap_or_else(|| panic!("no digest in {text}"));
    let words = text[at..].split([' ', '"', ':', '\n']);
    words.into_iter().find(|word| word.len() == 16).expect("a digest").to_string()
}

/// A grid on all cores, its table, a log that is cut in the middle and goes on, and the same digest whatever happened.
#[test]
fn a_study_goes_on_where_it_was_cut() {
    let vary = ["--vary", "forces.spring.stiffness=400:1200:5", "--vary", "bodies.slider.mass=1,2"];
    let measure = ["--measure", "peak:forces.spring.force,last:bodies.slider.position.x"];
    let args = [&["sweep", "slider.toml", "--until", "0.05"][..], &vary, &measure].concat();
    std::fs::write(scratch("slider.toml"), SLIDER).expect("a scene");
    for file in ["study.log", "study.csv", "study.csv.part"] {
        let _ = std::fs::remove_file(scratch(file));
    }
    let whole = command(
        &[&args[..], &["--log", "study.log", "--out", "study.csv", "--plot", "study.svg"]].concat(),
        b"",
    );
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    let table = std::fs::read_to_string(scratch("study.csv")).expect("a table");
    assert_eq!(table.lines().count(), 11);
    // The peak is where it starts: k (0.18 − 0.1).
    for (line, k) in
        table.lines().skip(1).zip([400.0, 400.0, 600.0, 600.0, 800.0, 800.0, 1000.0, 1000.0, 1200.0, 1200.0])
    {
        let peak: f64 =
            line.split(',').nth(3).and_then(|x| x.parse().ok()).unwrap_or_else(|| panic!("{line}"));
        assert!((peak - 0.08 * k).abs() < 1e-9, "{line}");
    }
    assert!(
        std::fs::read_to_string(scratch("study.svg")).expect("a plot").contains("bodies.slider.mass = 2")
    );
    // In memory, by one thread; and from a log that lost its last rows and half a line.
    let plain = command(&[&args[..], &["--threads", "1", "--json"]].concat(), b"");
    assert_eq!(digest(&plain.stdout), digest(&whole.stdout));
    let log = std::fs::read_to_string(scratch("study.log")).expect("a log");
    let kept: usize = log.split_inclusive('\n').take(5).map(str::len).sum();
    std::fs::write(scratch("study.csv.part"), &log[..kept + 30]).expect("a torn log");
    let refused = command(&[&args[..], &["--out", "study.csv"]].concat(), b"");
    assert!(refused.code == 1 && refused.stderr.contains("--resume"), "{}", refused.stderr);
    let resumed = command(&[&args[..], &["--out", "study.csv", "--resume"]].concat(), b"");
    assert!(
        resumed.code == 0 && resumed.stdout.contains("4 from the log"),
        "{} {}",
        resumed.stdout,
        resumed.stderr
    );
    assert_eq!(digest(&resumed.stdout), digest(&whole.stdout));
    assert_eq!(std::fs::read_to_string(scratch("study.csv")).expect("a table"), table);
    assert!(!scratch("study.csv.part").exists());
    // A row that fails is a row; the others are there.
    let bad = ["sweep", "slider.toml", "--until", "0.01", "--vary", "bodies.slider.mass=-1,1", "--json"];
    let out = command(&bad, b"");
    let found = out.json();
    assert!(
        out.code == 1 && found["failed"] == 1 && out.stderr.contains("1 of 2 rows failed"),
        "{}",
        out.stderr
    );
    assert!(found["rows"][0]["error"].as_str().is_some_and(|error| error.contains("mass")), "{found}");
    assert!(found["rows"][1]["results"].as_object().is_some_and(|results| !results.is_empty()), "{found}");
    // One that cannot end fails alone, and what cannot be drawn is told before anything is run.
    let bad = ["sweep", "slider.toml", "--until", "0.01", "--vary", "simulation.dt=1e-3,1e-12", "--json"];
    let found = command(&bad, b"").json();
    assert!(found["rows"][1]["error"].as_str().is_some_and(|error| error.contains("steps")), "{found}");
    for vary in ["simulation.integrator=rk4,dopri5", "bodies.slider.mass=1 kg,500 g"] {
        let out = command(&["sweep", "slider.toml", "--vary", vary, "--plot", "study.svg"], b"");
        assert!(out.code == 2 && out.stderr.contains("axis") && out.stdout.is_empty(), "{}", out.stderr);
    }
    for (bad, word) in
        [("bodies.slider.mass=0:1:1", "at least 2"), ("bodies.slidr.mass=1,2", "slidr"), ("mass", "PATH=")]
    {
        let out = command(&["sweep", "slider.toml", "--vary", bad], b"");
        assert!(out.code != 0 && out.stderr.contains(word), "{bad}: {}", out.stderr);
    }
}

/// Starts a run and ends it by a signal once its table has so many lines, or when it has ended by itself.
#[cfg(unix)]
fn killed(args: &[&str], part: &str, lines: usize, signal: &str) -> std::process::Output {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardan"))
        .args(args)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let count = || std::fs::read_to_string(scratch(part)).map_or(0, |text| text.lines().count());
    // A run that writes no rows is killed all the same, and the rows are missed then.
    for _ in 0..60_000 {
        if count() >= lines || child.try_wait().expect("a child").is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).status();
    child.wait_with_output().expect("it ends")
}

/// Killed at several instants, by signals that can be caught and by one that cannot: every row that was finished is
/// whole, and the run that goes on ends in the same table and the same bits as one without a break.
#[cfg(unix)]
#[test]
fn a_run_that_was_killed_goes_on_to_the_same_table() {
    std::fs::write(scratch("kill.toml"), SLIDER).expect("a scene");
    let all = ["run", "kill.toml", "--until", "2", "--dt", "0.5 ms", "--set", "simulation.record=1 ms"];
    let whole = ["--out", "whole.csv", "--save", "whole.state", "--quiet"];
    let out = command(&[&all[..], &whole].concat(), b"");
    assert_eq!(out.code, 0, "{}", out.stderr);
    let table = std::fs::read_to_string(scratch("whole.csv")).expect("a table");
    assert!(!scratch("whole.csv.part").exists());
    for (k, signals) in [["-INT", "-KILL"], ["-KILL", "-TERM"], ["-KILL", "-KILL"]].into_iter().enumerate() {
        let [csv, part, state] = ["csv", "csv.part", "state"].map(|ending| format!("kill-{k}.{ending}"));
        for file in [&csv, &part, &state] {
            let _ = std::fs::remove_file(scratch(file));
        }
        let files = ["--out", &csv, "--save", &state, "--checkpoint", "0.2", "--resume", "--quiet"];
        let args = [&all[..], &files].concat();
        for (signal, lines) in signals.into_iter().zip([150 + 300 * k, 1200]) {
            killed(&args, &part, lines, signal);
            if scratch(&csv).exists() {
                continue;
            }
            let rows = std::fs::read_to_string(scratch(&part)).expect("rows");
            assert!(
                rows.ends_with('\n') && table.starts_with(&rows),
                "{k}: a torn or other row after {signal}"
            );
        }
        let out = command(&args, b"");
        assert_eq!(out.code, 0, "{}", out.stderr);
        assert!(std::fs::read_to_string(scratch(&csv)).expect("a table") == table, "{k}: another table");
        let states = ["whole.state", &state].map(|file| std::fs::read(scratch(file)).expect("a state"));
        assert!(states[0] == states[1], "{k}: another state");
        assert!(!scratch(&part).exists());
    }
}

/// Runs the slider to 0.55 s with a row each 0.1 s, and goes on to 1 s: the table has the bytes of a run without a break.
/// Another scene, another step or lost rows are refused, and leave state and rows as they are.
#[test]
fn a_run_goes_on_as_the_run_that_was_begun() {
    std::fs::write(scratch("on.toml"), SLIDER).expect("a scene");
    for file in ["on.csv", "on.csv.part", "on.csv.part.old", "on.state", "straight.csv.part"] {
        let _ = std::fs::remove_file(scratch(file));
    }
    let read = |file: &str| std::fs::read(scratch(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let run = ["run", "on.toml", "--quiet", "--columns", "forces.spring.force", "--set"];
    let run = [&run[..], &["simulation.record=0.1", "--x", "joints.rail.coordinates.0", "--plot"]].concat();
    let files = ["on.svg", "--out", "on.csv", "--save", "on.state", "--resume", "--until"];
    let on = |more: &[&str]| command(&[&run[..], &files, more].concat(), b"");
    // With --save the last step is as long as the others.
    let whole = ["straight.svg", "--out", "straight.csv", "--save", "straight.state", "--until", "1"];
    let straight = command(&[&run[..], &whole].concat(), b"");
    assert_eq!(straight.code, 0, "{}", straight.stderr);
    let out = on(&["0.55"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    // 0, 0.1, … 0.5 and the end.
    assert_eq!(table("on.csv").1.len(), 7);
    let (rows, state) = (read("on.csv"), read("on.state"));
    for (more, word) in [
        (&["1", "--set", "forces.spring.stiffness=900"][..], "another version of the scene"),
        (&["1", "--dt", "2 ms"], "another version of the scene"),
        (&["0.55", "--set", "bodies.slider.mass=3"], "another version of the scene"),
    ] {
        let out = on(more);
        assert!(out.code == 2 && out.stderr.contains(word), "{more:?}: {}", out.stderr);
    }
    std::fs::write(scratch("on.toml"), SLIDER.replace("damping = 6", "damping = 7")).expect("a scene");
    let out = on(&["1"]);
    assert!(out.code == 2 && out.stderr.contains("another version of the scene"), "{}", out.stderr);
    std::fs::write(scratch("on.toml"), format!("# A comment changes nothing.\n{SLIDER}")).expect("a scene");
    // Rows that end before the state.
    let cut = rows.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(3).expect("rows").0;
    std::fs::write(scratch("on.csv"), &rows[..=cut]).expect("a table");
    let out = on(&["1"]);
    assert!(out.code == 2 && out.stderr.contains("they end at"), "{}", out.stderr);
    assert!(!scratch("on.csv.part").exists());
    std::fs::write(scratch("on.csv"), &rows).expect("a table");
    assert!(read("on.state") == state);
    // Nothing left to do, and then to the end.
    let out = on(&["0.55"]);
    assert!(out.code == 0 && read("on.csv") == rows && read("on.state") == state, "{}", out.stderr);
    let out = on(&["1"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert_eq!(String::from_utf8(read("on.csv")), String::from_utf8(read("straight.csv")));
    assert!(read("on.svg") == read("straight.svg"), "another plot");
    assert!(read("on.state") == read("straight.state"), "another state");
    assert!(!scratch("on.csv.part").exists());
}

/// A run that fails keeps its rows apart, and the whole table of before stays; the next run says where they went.
#[test]
fn a_failed_run_leaves_the_table_of_before() {
    for file in ["fails.csv", "fails.csv.part", "fails.csv.part.old"] {
        let _ = std::fs::remove_file(scratch(file));
    }
    let text = |file: &str| std::fs::read_to_string(scratch(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let run = ["run", "-", "--until", "0.05", "--out", "fails.csv"];
    assert_eq!(command(&run, SLIDER.as_bytes()).code, 0);
    let whole = text("fails.csv");
    // A step far beyond what is stable: numbers overflow after some rows.
    let stiff = SLIDER.replace("stiffness = 800", "stiffness = 1e14");
    let out = command(&run, stiff.as_bytes());
    assert!(out.code == 1 && out.stdout.contains("fails.csv.part"), "{} {}", out.stdout, out.stderr);
    let rows = text("fails.csv.part");
    assert!(rows.lines().count() >= 2 && text("fails.csv") == whole);
    let out = command(&run, SLIDER.as_bytes());
    assert!(out.code == 0 && out.stderr.contains("fails.csv.part.old"), "{}", out.stderr);
    assert!(text("fails.csv.part.old") == rows && text("fails.csv") == whole);
}

/// Ctrl-C ends a run with its report, and says how to go on.
#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_what_was_done() {
    std::fs::write(scratch("long.toml"), SLIDER).expect("a scene");
    for file in ["long.csv", "long.csv.part", "long.state"] {
        let _ = std::fs::remove_file(scratch(file));
    }
    let args = ["run", "long.toml", "--until", "1000", "--out", "long.csv", "--save", "long.state", "--json"];
    let out = killed(&args, "long.csv.part", 3, "-INT");
    let (text, errors) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text} {errors}"));
    assert!(report["status"].as_str().is_some_and(|s| s.starts_with("interrupted at")), "{report}");
    assert!(out.status.code() == Some(1) && errors.contains("--resume"), "{errors}");
    assert!(errors.contains("long.csv.part"), "{errors}");
    assert!(scratch("long.state").exists() && !scratch("long.csv").exists());
}

/// A page to hand in: everything in one file, with nothing to load; and a plot as a page.
#[test]
fn a_report_is_one_page() {
    let out = command(&["report", "-", "-o", "slider.html", "--columns", "forces.spring"], SLIDER.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let page = std::fs::read_to_string(scratch("slider.html")).expect("a page");
    for part in [
        "<svg",
        "Grübler",
        "forces.spring.force [N]",
        "certificate (worst over the run)",
        "state hash",
        "drawChart(",
    ] {
        assert!(page.contains(part), "no {part} in the page");
    }
    assert!(!page.contains("src=") && !page.contains("href="), "the page loads something");
    let bad = command(&["report", "-", "-o", "slider.pdf"], SLIDER.as_bytes());
    assert!(bad.code == 2 && bad.stderr.contains(".html"), "{}", bad.stderr);
    let out = command(&["run", "-", "--quiet", "--plot", "plot.html"], SLIDER.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let page = std::fs::read_to_string(scratch("plot.html")).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.contains("joints.rail.coordinates.0"));
    // A browser makes a global of every id: an element of the function's name would hide it.
    assert!(page.contains("window.drawChart =") && !page.contains("id=\"drawChart\""));
}

/// The page on the suspension: one equation, integrated here by RK4 with 20 µs, has the forces of the run.
#[test]
fn the_strut_pushes_as_its_one_equation_says() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/suspension.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let scene = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the scene");
    let out = cardan(&["run", "-", "--json", "--columns", "forces.strut.force"], scene);
    let (m, k, c, g) = (300.0, 30e3, 2e3, 9.81);
    let blend = |s: f64| [s * s * s * (10.0 - 15.0 * s + 6.0 * s * s), 30.0 * s * s * (1.0 - s) * (1.0 - s)];
    let bump = |t: f64| match t {
        t if t < 0.075 => blend(t / 0.075).map(|x| 0.05 * x),
        t if t < 0.15 => blend((0.15 - t) / 0.075).map(|x| 0.05 * x),
        _ => [0.0; 2],
    };
    let rate = |t: f64, [x, v]: [f64; 2]| {
        let [y, slope] = bump(t);
        let w = slope / 0.075 * if t < 0.075 { 1.0 } else { -1.0 };
        [v, -(k * (x - y) + c * (v - w)) / m]
    };
    let (h, mut at, mut most, mut least) = (2e-5, [0.0, 0.0], 0.0f64, 0.0f64);
    for step in 0..50_000 {
        let t = f64::from(step) * h;
        let add = |d: [f64; 2], h: f64| [at[0] + h * d[0], at[1] + h * d[1]];
        let k1 = rate(t, at);
        let k2 = rate(t + 0.5 * h, add(k1, 0.5 * h));
        let k3 = rate(t + 0.5 * h, add(k2, 0.5 * h));
        let k4 = rate(t + h, add(k3, h));
        (most, least) = (most.max(k1[1]), least.min(k1[1]));
        at = [0, 1].map(|i| at[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    let force = &out["columns"]["forces.strut.force"];
    // Rows are a millisecond apart: a peak of 60 rad/s is missed by (60 · 0.5e-3)² / 2 of its height at most.
    assert!((number(&force["least"]) + m * (g + most)).abs() < 3.0, "{force}, {most}");
    assert!((number(&force["greatest"]) + m * (g + least)).abs() < 3.0, "{force}, {least}");
    let last = -m * (g + rate(1.0, at)[1]);
    assert!((number(&out["forces"]["strut"]["force"]) - last).abs() < 1e-4, "{last}: {}", out["forces"]);
    assert!((number(&out["bodies"]["car"]["position"][1]) - (0.9 - m * g / k) - at[0]).abs() < 1e-8);
}

/// The floor is drawn, from every side; a plane is a line below planar bodies.
#[test]
fn planes_of_the_ground_are_drawn() {
    let out = command(&["draw", "oblique-rod", "--at", "0", "-o", "floor.json"], b"");
    assert_eq!(out.code, 0, "{}", out.stderr);
    let drawn: Value =
        serde_json::from_str(&std::fs::read_to_string(scratch("floor.json")).expect("data")).expect("JSON");
    let lines = drawn[0]["sketch"]["lines"].as_array().expect("lines");
    let heights = lines[0].as_array().expect("points").iter().map(|point| number(&point[1]));
    assert!(
        lines.len() > 10 && heights.clone().count() == 2 && heights.into_iter().all(|y| y == 0.0),
        "{lines:?}"
    );
    let mut seen = std::collections::BTreeSet::new();
    for view in ["front", "top", "iso", "-30,10"] {
        let out = command(&["draw", "bouncing-ball", "-o", "side.svg", "--view", view], b"");
        assert_eq!(out.code, 0, "{}", out.stderr);
        seen.insert(std::fs::read_to_string(scratch("side.svg")).expect("a picture"));
    }
    assert_eq!(seen.len(), 4);
    let out = command(&["draw", "bouncing-ball", "-o", "side.svg", "--view", "up"], b"");
    assert!(out.code == 2 && out.stderr.contains("front"), "{}", out.stderr);
}
