//! What the command prints and writes: tables, plots, drawings, and the keys of its JSON.

use crate::support::scene::to_value;
use crate::support::schema::misfit;
use crate::support::{bundled_scenes, cardan, changes, command, scratch, steady_scenes};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A scene that moves in every way that is recorded: a hinge, a slide, a ball joint, a distance, a probe, a spring.
const SCENE: &str = r#"gravity = [0, 0, -9.81]

[simulation]
until = 0.2
dt = "1 ms"
record = "10 ms"

[bodies.bar]
shape = { kind = "cylinder", length = 1.0, radius = 0.02 }
mass = 1.2
position = [0.5, 0, 0]

[bodies.bead]
shape = { kind = "sphere", radius = 0.05 }
mass = 0.3
position = [0.3, 0, 0]

[bodies.bob]
kind = "particle"
mass = 0.1
position = [1, 0.3, -1]

[joints.hinge]
kind = "revolute"
a = "ground"
b = "bar"
anchor = [0, 0, 0]
axis = [0, 1, 0]
spring = { stiffness = 0.5, damping = 0.1 }

[joints.slide]
kind = "prismatic"
a = "bar"
b = "bead"
anchor = [0.3, 0, 0]
axis = [1, 0, 0]

[joints.string]
kind = "distance"
a = "bar"
b = "bob"
point_in_a = [0.5, 0, 0]

[probes.tip]
body = "bar"
point = [0.5, 0, 0]
"#;

/// Reads a table: names, and rows of numbers.
fn table(file: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = std::fs::read_to_string(scratch(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut lines = text.lines();
    let name = |head: &str| head.split_once(" [").map_or(head, |(name, _)| name).to_string();
    let names: Vec<String> = lines.next().expect("a header").split(',').map(name).collect();
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|x| x.parse().expect("a number")).collect()).collect();
    for row in &rows {
        assert_eq!(row.len(), names.len(), "{file} has a row of another length");
    }
    (names, rows)
}

/// The number of the JSON that a column stands for; `None` for what only the table has.
fn in_json(end: &Value, column: &str) -> Option<f64> {
    let mut parts: Vec<&str> = column.split('.').collect();
    if parts.contains(&"rotation_vector") || column == "energy.total" || parts.contains(&"norm") {
        return None;
    }
    // Forces along a line are in the JSON by the same name; loads and sums are not.
    let is_load = parts[0] == "forces" && parts.len() > 3;
    if is_load
        || parts[0] == "contacts"
        || (parts[0] == "joints" && ["spring", "friction"].contains(&parts[2]))
    {
        return None;
    }
    if let ["joints", joint, what @ ("drive" | "drive_power"), k] = parts[..] {
        let drives = end["joints"][joint]["drives"].as_array().expect("drives");
        let of = |drive: &&Value| drive["coordinate"].as_u64() == k.parse().ok();
        let drive = drives.iter().find(of).unwrap_or_else(|| panic!("{column} is not in {drives:?}"));
        return drive[if what == "drive" { "force" } else { "power" }].as_f64();
    }
    let of_inequality = |of: &dyn Fn(&Value) -> bool, what: &str| {
        let all = end["inequalities"].as_array().expect("inequalities");
        all.iter().find(|i| of(i)).unwrap_or_else(|| panic!("{column}: not in {all:?}"))[what].as_f64()
    };
    if let ["inequalities", name, what] = parts[..] {
        return of_inequality(&|i| i["name"] == name && i["kind"] != "limit", what);
    }
    if let ["joints", name, "limits", k, side, what] = parts[..] {
        let k = k.parse::<u64>().ok();
        return of_inequality(
            &|i| i["name"] == name && i["coordinate"].as_u64() == k && i["side"] == side,
            what,
        );
    }
    if parts[0] == "probes" && parts.len() == 3 {
        parts.insert(2, "position");
    }
    let index = |part: &str| match part {
        "x" => "0".to_string(),
        "y" => "1".to_string(),
        "z" => "2".to_string(),
        other => other.to_string(),
    };
    let pointer: String = parts.iter().map(|part| format!("/{}", index(part))).collect();
    let value = end.pointer(&pointer).unwrap_or_else(|| panic!("{column}: no {pointer}"));
    // With f = m v there are no accelerations.
    let is_none = value.is_null() && column.contains("acceleration");
    Some(if is_none { f64::NAN } else { value.as_f64().expect("a number") })
}

#[test]
fn the_last_row_of_a_table_has_the_bits_of_the_json() {
    let scenes = steady_scenes().into_iter().filter(|(name, _)| name != "star" && name != "hanging-chain");
    for (name, text) in scenes.chain([("own".to_string(), SCENE.to_string())]) {
        let file = format!("bits-{name}.csv");
        let end = cardan(&["run", "-", "--until", "0.05", "--json", "--out", &file], &text);
        let (names, rows) = table(&file);
        assert_eq!(names[0], "time");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{name}: a column twice");
        let last = rows.last().expect("a row");
        for (column, &x) in names.iter().zip(last) {
            if let Some(y) = in_json(&end, column) {
                assert_eq!(
                    x.to_bits(),
                    y.to_bits(),
                    "{name}: {column} is {x:e} in the table, {y:e} in the JSON"
                );
            }
        }
        let at = |column: &str| last[names.iter().position(|n| n == column).expect("a column")];
        assert_eq!(at("energy.total"), at("energy.kinetic") + at("energy.potential"));
    }
}

#[test]
fn a_table_has_a_row_per_interval_and_one_for_each_end() {
    // (--until, --set simulation.record, rows)
    for (until, record, rows) in [
        ("0.2", "10 ms", 21),
        ("0.205", "10 ms", 22), // the end is always there
        ("0.2", "1 ms", 201),   // every step
        ("0.01", "0.1 ms", 11), // steps are not divided
        ("0.2", "3 ms", 68),    // 0, 3, …, 198, 200
        ("0.2", "1 s", 2),      // both ends
        ("0", "1 ms", 1),       // no time at all
    ] {
        let set = format!("simulation.record={record}");
        let out = command(
            &["run", "-", "--until", until, "--set", &set, "--out", "rows.csv", "--quiet"],
            SCENE.as_bytes(),
        );
        assert_eq!(out.code, 0, "{}", out.stderr);
        let (_, table) = table("rows.csv");
        assert_eq!(table.len(), rows, "{until} s every {record}");
        assert_eq!(table[0][0], 0.0);
        assert_eq!(table.last().expect("a row")[0], until.parse::<f64>().expect("a number"));
        assert!(
            table.windows(2).all(|pair| pair[0][0] < pair[1][0]),
            "{until} s every {record}: times do not rise"
        );
    }
}

#[test]
fn rows_that_cannot_be_evenly_spaced_are_warned_about() {
    for (record, integrator, warns) in [
        ("2.5 ms", "rk4", true),
        ("0.5 ms", "rk4", true),
        ("3 ms", "rk4", false),
        ("2.5 ms", "dopri5", false),
    ] {
        let (record, integrator) =
            (format!("simulation.record={record}"), format!("simulation.integrator={integrator}"));
        let mut args = vec!["run", "-", "--until", "0.02", "--json", "--set", &record, "--set", &integrator];
        let warned = |out: &Value| {
            let warnings = out["warnings"].as_array().expect("warnings");
            warnings.iter().any(|w| w.as_str().is_some_and(|w| w.contains("record")))
        };
        // No rows were asked for.
        assert!(!warned(&cardan(&args, SCENE)));
        args.extend(["--out", "uneven.csv"]);
        assert_eq!(warned(&cardan(&args, SCENE)), warns, "{record}, {integrator}");
    }
}

#[test]
fn adaptive_steps_are_read_off_at_the_interval() {
    for (until, record, rows) in
        [("0.2", "10 ms", 21), ("0.205", "10 ms", 22), ("0.2", "0.1 ms", 2001), ("0", "1 ms", 1)]
    {
        let set = format!("simulation.record={record}");
        let args = ["run", "-", "--until", until, "--set", "simulation.integrator=dopri5", "--json"];
        let plain = cardan(&args, SCENE);
        let recorded = cardan(&[&args[..], &["--set", &set, "--out", "dense.csv"]].concat(), SCENE);
        // Recording does not change the steps.
        assert_eq!(plain["state_hash"], recorded["state_hash"]);
        let steps = recorded["steps"].as_u64().expect("steps");
        assert!(steps < 60 && recorded["counts"]["rejected"].is_u64(), "{steps} steps");
        assert_eq!(recorded["time"].as_f64(), until.parse().ok());
        let (names, table) = table("dense.csv");
        assert_eq!(table.len(), rows, "{until} s every {record}");
        let column = |name: &str| names.iter().position(|n| n == name).expect("a column");
        let interval = if record == "0.1 ms" { 1e-4 } else { 1e-2 };
        let energy = |row: &[f64]| {
            let part = |name: &str| row[column(&format!("energy.{name}"))];
            part("total") + part("dissipated") - part("work")
        };
        for (k, row) in table.iter().enumerate() {
            let last = k + 1 == table.len();
            assert!(last || row[0] == k as f64 * interval, "row {k} at {}", row[0]);
            // The energy balance of every row closes to the tolerance of 1e-8, with the order that the extension lacks.
            assert!(
                (energy(row) - energy(&table[0])).abs() < 1e-6,
                "row {k}: {}",
                energy(row) - energy(&table[0])
            );
        }
    }
}

#[test]
fn a_table_has_at_most_ten_thousand_rows_unless_the_scene_says_how_often() {
    let text = "[bodies.p]\nkind = \"particle\"\nmass = 1\n";
    for (until, rows) in [("9.999", 10_000), ("10", 5_001), ("25", 8_334 + 1)] {
        let out = command(&["run", "-", "--until", until, "--out", "most.csv", "--quiet"], text.as_bytes());
        assert_eq!(out.code, 0, "{}", out.stderr);
        let found = table("most.csv").1.len();
        assert_eq!(found, rows, "{until} s at 1 ms");
        assert!(found <= 10_000);
    }
}

#[test]
fn recording_changes_no_bits() {
    let plain = cardan(&["run", "-", "--json"], SCENE);
    let recorded = cardan(&["run", "-", "--json", "--out", "same.csv", "--plot", "same.svg"], SCENE);
    assert_eq!(plain["state_hash"], recorded["state_hash"]);
    for key in ["bodies", "joints", "probes", "energy", "momentum", "certificate"] {
        assert_eq!(plain[key], recorded[key], "{key}");
    }
}

#[test]
fn plots_show_the_columns_asked_for() {
    let plot = |args: &[&str]| {
        let out = command(&[&["run", "-", "--quiet", "--plot", "plot.svg"], args].concat(), SCENE.as_bytes());
        assert_eq!((out.code, out.stdout.as_str(), out.stderr.as_str()), (0, "", ""), "{args:?}");
        std::fs::read_to_string(scratch("plot.svg")).expect("a plot")
    };
    let usual = plot(&[]);
    assert!(usual.contains("<svg"));
    for column in ["energy.kinetic", "energy.potential", "energy.total", "joints.hinge.coordinates.0"] {
        assert!(usual.contains(column), "the plot lacks {column}");
    }
    let prefix = plot(&["--columns", "joints.hinge.torque,probes.tip.x"]);
    for column in ["joints.hinge.torque.x", "joints.hinge.torque.y", "joints.hinge.torque.z", "probes.tip.x"]
    {
        assert!(prefix.contains(column), "the plot lacks {column}");
    }
    assert!(!prefix.contains("energy.total") && !prefix.contains("probes.tip.y"));
    let png = command(&["run", "-", "--quiet", "--plot", "plot.png"], SCENE.as_bytes());
    assert_eq!(png.code, 0, "{}", png.stderr);
    let bytes = std::fs::read(scratch("plot.png")).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() > 5_000, "{} bytes", bytes.len());
}

/// Curves that would be flat lines beside others have a panel of their own: the torques of the arm's motors beside that of its elbow.
#[test]
fn small_curves_are_not_lost_beside_large_ones() {
    let args = ["run", "full-arm", "--quiet", "--until", "0.3", "--dt", "2 ms", "--plot", "sizes.svg"];
    let out = command(&args, b"");
    assert_eq!((out.code, out.stderr.as_str()), (0, ""));
    let svg = std::fs::read_to_string(scratch("sizes.svg")).expect("a plot");
    let panels: Vec<&str> = svg.split("<g class=\"panel\"").skip(1).collect();
    let of = |column: &str| panels.iter().position(|panel| panel.contains(column)).expect("a panel");
    assert_eq!(of("joints.motor-1.drive.0"), of("joints.motor-2.drive.0"));
    assert_ne!(of("joints.motor-1.drive.0"), of("joints.elbow.drive.0"));
    // Energies are parts of a sum and stay together.
    assert_eq!(of("energy.kinetic"), of("energy.total"));
    assert_eq!(of("energy.kinetic"), panels.len() - 1);
}

#[test]
fn drawings_are_made_of_every_scene() {
    for (i, (name, text)) in bundled_scenes().into_iter().enumerate() {
        for (file, at) in [("drawing.svg", "0,0.02,25 ms"), ("drawing.png", "0.01")] {
            // The same drawing as pixels: every fourth shows it.
            if file.ends_with("png") && i % 4 != 0 {
                continue;
            }
            let out = command(&["draw", "-", "--at", at, "-o", file], text.as_bytes());
            assert_eq!((out.code, out.stdout.as_str(), out.stderr.as_str()), (0, "", ""), "{name}");
            let bytes = std::fs::read(scratch(file)).expect("a picture");
            let start: &[u8] = if file.ends_with("svg") { b"<svg" } else { b"\x89PNG" };
            assert!(bytes.starts_with(start) && bytes.len() > 1_000, "{name}: {} bytes", bytes.len());
            if at.contains(',') {
                let svg = String::from_utf8(bytes).expect("text");
                for time in ["t = 0 s", "t = 0.02 s", "t = 0.025 s"] {
                    assert!(svg.contains(time), "{name}: the strip lacks {time}");
                }
            }
        }
    }
}

/// Bodies of several pieces were drawn as one, from their common centre of mass: arms by two angles as rods whose lengths changed.
#[test]
fn every_piece_of_a_body_is_drawn() {
    let (_, text) =
        bundled_scenes().into_iter().find(|(name, _)| name == "hybrid-pendulum").expect("a scene");
    let out = command(&["draw", "-", "-o", "pieces.svg"], text.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let svg = std::fs::read_to_string(scratch("pieces.svg")).expect("a picture");
    for name in ["arms", "arms/1", "block", "bob"] {
        assert!(svg.contains(&format!("aria-label=\"{name}\"")), "`{name}` is not drawn");
    }
}

#[test]
fn the_last_step_is_shortened_to_end_exactly() {
    for (until, dt, steps) in [
        ("0.01234567", "0.001", 13),
        ("1", "0.3", 4),
        ("0.1", "0.001", 100),
        ("0.7", "0.1", 7),
        ("0.001", "1", 1),
        ("3 min", "30 s", 6),
        ("0", "0.001", 0),
        ("1e-9", "0.001", 1),
        ("1e-300", "1", 1),
    ] {
        let text = "[bodies.p]\nkind = \"particle\"\nmass = 1\nvelocity = [1, 0, 0]\n";
        let end = cardan(&["run", "-", "--until", until, "--dt", dt, "--json"], text);
        let exact = if until == "3 min" { 180.0 } else { until.parse::<f64>().expect("a number") };
        assert_eq!(end["time"].as_f64(), Some(exact), "{until} in steps of {dt}");
        assert_eq!(end["steps"].as_u64(), Some(steps), "{until} in steps of {dt}");
        assert!((end["bodies"]["p"]["position"][0].as_f64().expect("x") - exact).abs() <= 1e-14 * exact);
    }
}

#[test]
fn standard_input_takes_toml_and_json() {
    let toml = cardan(&["run", "-", "--json"], SCENE);
    // Names in the order of the file, as the hash goes through bodies in that order.
    let json = to_value(SCENE);
    let ordered = format!(
        "\n {{\"gravity\":{},\"simulation\":{},\"bodies\":{{\"bar\":{},\"bead\":{},\"bob\":{}}},\"joints\":{{\"hinge\":{},\
         \"slide\":{},\"string\":{}}},\"probes\":{}}}",
        json["gravity"],
        json["simulation"],
        json["bodies"]["bar"],
        json["bodies"]["bead"],
        json["bodies"]["bob"],
        json["joints"]["hinge"],
        json["joints"]["slide"],
        json["joints"]["string"],
        json["probes"]
    );
    let same = cardan(&["run", "-", "--json"], &ordered);
    assert_eq!(toml["scene"], "standard input");
    assert_eq!(toml["state_hash"], same["state_hash"]);
    // And from a file, by path.
    std::fs::write(scratch("ordered.json"), &ordered).expect("a scratch file");
    let file = command(&["run", "ordered.json", "--json"], b"").json();
    assert_eq!(file["state_hash"], toml["state_hash"]);
    assert_eq!(file["scene"], "ordered.json");
}

#[test]
fn overrides_change_what_they_name() {
    let force = |set: &[&str]| {
        let out = command(&[&["solve", "pendulum", "--json"], set].concat(), b"").json();
        out["joints"]["hinge"]["force"][2].as_f64().expect("a force")
    };
    let (light, heavy) = (force(&[]), force(&["--set", "bodies.bar.mass=2400 g"]));
    assert!((heavy / light - 2.0).abs() < 1e-14, "{light} {heavy}");
    let none = force(&["--set", "gravity=[0, 0, 0]"]);
    assert_eq!(none, 0.0);
    let one = force(&["--set", "gravity.2=-1", "--set", "bodies.bar.mass=4"]);
    assert!((one - 1.0).abs() < 2e-3, "{one}"); // a quarter of the weight, if the bar were thin
}

#[test]
fn quiet_says_nothing_and_json_says_nothing_else() {
    let out = command(&["run", "pendulum", "--until", "0.01", "--quiet"], b"");
    assert_eq!((out.code, out.stdout.as_str(), out.stderr.as_str()), (0, "", ""));
    let out = command(&["run", "pendulum", "--until", "0.01", "--quiet", "--json"], b"");
    assert_eq!((out.code, out.stderr.as_str()), (0, ""));
    assert_eq!(out.json()["scene"], "pendulum");
    assert_eq!(out.stdout.trim_end().lines().count(), 1);
    let out = command(&["run", "pendulum", "--until", "0.01"], b"");
    assert_eq!((out.code, out.stderr.as_str()), (0, ""), "no progress bar without a terminal");
    assert!(out.stdout.contains("certificate") && out.stdout.contains("state hash"), "{}", out.stdout);
}

#[test]
fn every_text_summary_is_free_of_noise() {
    for (name, text) in bundled_scenes() {
        for args in [&["run", "-", "--until", "0.1"][..], &["solve", "-"]] {
            let out = command(args, text.as_bytes());
            assert_eq!((out.code, out.stderr.as_str()), (0, ""), "{name}: {args:?}");
            for line in out.stdout.lines() {
                assert!(!line.ends_with(' ') && line.chars().count() <= 140, "{name}: {args:?}: {line}");
                // A hash may look like a number.
                let words = line.split([' ', ',']).filter(|_| !line.starts_with("state hash"));
                let number = words.filter_map(|word| word.parse::<f64>().ok());
                let certificate = ["error", "residual", "balance", "overlap"];
                let table = !certificate.iter().any(|word| line.contains(word));
                for x in number.filter(|_| table) {
                    assert!(x == 0.0 || (1e-12..1e12).contains(&x.abs()), "{name}: {args:?}: {line}");
                }
            }
        }
    }
}

#[test]
fn list_names_every_scene() {
    let mut names: Vec<String> = bundled_scenes().into_iter().map(|(name, _)| name).collect();
    names.sort();
    names.extend(["delta", "desk-arm", "five-bar-walker", "four-bar-walker"].map(String::from));
    let list = command(&["list", "--json"], b"").json();
    let listed = list.as_array().expect("an array");
    assert_eq!(listed.iter().map(|s| s["name"].as_str().expect("a name")).collect::<Vec<_>>(), names);
    for scene in listed {
        assert_eq!(keys(scene), set(&["name", "title", "description"]));
        assert!(scene["title"].as_str().is_some_and(|t| !t.is_empty()), "{scene}");
        assert!(scene["description"].as_str().is_some_and(|t| !t.is_empty()), "{scene}");
    }
    let text = command(&["list"], b"").stdout;
    assert_eq!(text.lines().count(), names.len());
    assert!(names.iter().all(|name| text.contains(name.as_str())), "{text}");
}

#[test]
fn every_scene_fits_the_schema_and_mistakes_do_not() {
    let schema = command(&["schema"], b"").json();
    assert!(
        schema["$schema"].as_str().is_some_and(|s| s.starts_with("https://json-schema.org/draft/2020-12"))
    );
    assert_eq!(schema["type"], "object");
    for (name, text) in bundled_scenes() {
        assert_eq!(misfit(&schema, &to_value(&text)), None, "{name}");
    }
    assert_eq!(misfit(&schema, &to_value(SCENE)), None);
    for (what, pointer, value) in [
        ("an unknown field", "/bodies/bar/mas", json!(1)),
        ("an unknown table", "/body", json!({})),
        ("a kind of its own", "/joints/hinge/kind", json!("knee")),
        ("a list for a number", "/bodies/bar/mass", json!([1])),
        ("an axis of two", "/joints/hinge/axis", json!([0, 1])),
        ("no kind", "/joints/other", json!({ "a": "ground", "b": "bar" })),
        ("a sentence for a table", "/simulation", json!("fast")),
    ] {
        let mut scene = to_value(SCENE);
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        scene.pointer_mut(parent).expect("a table")[key] = value;
        assert!(misfit(&schema, &scene).is_some(), "{what} fits the schema");
    }
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| name.to_string()).collect()
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap_or_else(|| panic!("not an object: {value}")).keys().cloned().collect()
}

/// The JSON contract, key by key; `solver` and `coordinates_mode` are additions.
#[test]
fn the_json_has_the_keys_of_the_contract() {
    let wrench = set(&["force", "torque"]);
    for (name, text) in bundled_scenes().into_iter().chain([("own".to_string(), SCENE.to_string())]) {
        for args in [&["run", "-", "--until", "0.01", "--json"][..], &["solve", "-", "--json"]] {
            let out = cardan(args, &text);
            assert_eq!(
                keys(&out),
                set(&[
                    "scene",
                    "status",
                    "time",
                    "steps",
                    "wall_seconds",
                    "real_time_factor",
                    "solver",
                    "integrator",
                    "coordinates_mode",
                    "warnings",
                    "bodies",
                    "joints",
                    "probes",
                    "forces",
                    "contacts",
                    "inequalities",
                    "energy",
                    "momentum",
                    "certificate",
                    "counts",
                    "events",
                    "state_hash",
                ]),
                "{name}"
            );
            let file = to_value(&text);
            for table in ["bodies", "joints", "forces", "probes"] {
                let given = file.get(table).map_or(BTreeSet::new(), keys);
                if changes(&text) {
                    // Of what is there at the time.
                    assert!(keys(&out[table]).is_subset(&given), "{name}: {table}");
                    continue;
                }
                assert_eq!(keys(&out[table]), given, "{name}: {table}");
            }
            let vector = |v: &Value, n: usize| assert_eq!(v.as_array().map(Vec::len), Some(n), "{name}: {v}");
            for body in out["bodies"].as_object().expect("bodies").values() {
                let vectors = [
                    "position",
                    "frame_position",
                    "velocity",
                    "angular_velocity",
                    "acceleration",
                    "angular_acceleration",
                ];
                // General bodies have fields of their own.
                let own = set(&["u", "u_rates", "scale", "deformation"]);
                let mut found = keys(body);
                if crate::support::is_general(&text) {
                    found = &found - &own;
                }
                assert_eq!(found, &set(&vectors) | &set(&["orientation"]));
                vectors.iter().for_each(|key| vector(&body[*key], 3));
                vector(&body["orientation"], 4);
            }
            for (joint_name, joint) in out["joints"].as_object().expect("joints") {
                // Constraints also have the load on each of their bodies.
                let mut found = keys(joint);
                assert_eq!(
                    found.remove("loads"),
                    crate::support::constraints::is_constraint(&file["joints"][joint_name])
                );
                assert_eq!(
                    found,
                    set(&[
                        "kind",
                        "role",
                        "coordinates",
                        "rates",
                        "accelerations",
                        "force",
                        "torque",
                        "force_unique",
                        "torque_unique",
                        "parts",
                        "drives",
                        "multipliers",
                    ])
                );
                assert_eq!(joint["kind"], file["joints"][joint_name]["kind"]);
                assert!(["primary", "loop", "auxiliary"].contains(&joint["role"].as_str().expect("a role")));
                assert_eq!(keys(&joint["parts"]), set(&["structural", "drive", "limit", "friction"]));
                joint["parts"]
                    .as_object()
                    .expect("parts")
                    .values()
                    .for_each(|part| assert_eq!(keys(part), wrench));
                ["force", "torque", "force_unique", "torque_unique"]
                    .iter()
                    .for_each(|key| vector(&joint[*key], 3));
                assert_eq!(
                    joint["coordinates"].as_array().map(Vec::len),
                    joint["rates"].as_array().map(Vec::len)
                );
                for axis in 0..3 {
                    for kind in ["force", "torque"] {
                        let parts = joint["parts"].as_object().expect("parts").values();
                        let sum: f64 = parts.map(|part| part[kind][axis].as_f64().expect("a number")).sum();
                        let total = joint[kind][axis].as_f64().expect("a number");
                        assert!(
                            (sum - total).abs() <= 1e-14 * (1.0 + total.abs()),
                            "{name}: {joint_name}.{kind}"
                        );
                    }
                }
            }
            for probe in out["probes"].as_object().expect("probes").values() {
                assert_eq!(keys(probe), set(&["position", "velocity", "acceleration"]));
            }
            if !crate::support::has_contacts(&text) {
                assert_eq!((&out["contacts"], &out["events"]), (&json!([]), &json!([])));
            }
            for event in out["events"].as_array().expect("events") {
                assert!(
                    event["time"].is_number() && event["constraint"].is_string() && event["what"].is_string()
                );
            }
            for contact in out["contacts"].as_array().expect("contacts") {
                assert_eq!(keys(contact), set(&["bodies", "point", "normal", "force", "slides"]));
            }
            assert_eq!(
                keys(&out["energy"]),
                set(&["kinetic", "potential", "dissipated", "work", "initial", "balance_error"])
            );
            assert_eq!(keys(&out["momentum"]), set(&["linear", "angular", "balance_error"]));
            let mut certificate = keys(&out["certificate"]);
            let of_runs = ["accounts", "energy_balance_error", "momentum_balance_error"];
            for of_some in ["max_contact_residual", "max_overlap"].into_iter().chain(of_runs) {
                certificate.remove(of_some);
            }
            assert_eq!(
                certificate,
                set(&["max_position_error", "max_velocity_error", "max_equation_residual", "instants"])
            );
            let counts = &out["counts"];
            assert_eq!(
                keys(counts),
                set(&[
                    "bodies",
                    "joints",
                    "coordinates",
                    "rows",
                    "variables",
                    "rank",
                    "redundant_rows",
                    "freedoms",
                    "inequalities",
                    "factorizations",
                    "solves",
                    "iterations",
                    "rejected",
                    "divided",
                    "handed_over",
                    "events",
                ])
            );
            let n = |key: &str| counts[key].as_u64().unwrap_or_else(|| panic!("{name}: counts.{key}"));
            assert_eq!(n("variables"), n("coordinates") + n("rows"));
            assert_eq!(n("redundant_rows") + n("rank"), n("rows"));
            assert_eq!(n("freedoms") + n("rank"), n("coordinates"));
            let multipliers = out["joints"].as_object().expect("joints").values();
            let rows: usize = multipliers.map(|j| j["multipliers"].as_array().expect("a list").len()).sum();
            assert_eq!(n("rows"), rows as u64);
            let hash = out["state_hash"].as_str().expect("a hash");
            assert!(hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()));
            assert_eq!(out["status"], "completed");
        }
    }
}

#[test]
fn check_reports_counts_roles_and_warnings() {
    for (name, text) in bundled_scenes() {
        let out = cardan(&["check", "-", "--json"], &text);
        assert_eq!(
            keys(&out),
            set(&[
                "overlaps",
                "scene",
                "ok",
                "naive_mobility",
                "mobility",
                "rank",
                "redundant_rows",
                "counts",
                "solver",
                "solver_reason",
                "joints",
                "groups",
                "duplicates",
                "conflict",
                "special",
                "warnings",
            ]),
            "{name}"
        );
        assert_eq!(out["ok"], true);
        let solved = cardan(&["solve", "-", "--json"], &text);
        for key in ["coordinates", "rows", "rank", "freedoms", "redundant_rows"] {
            assert_eq!(out["counts"][key], solved["counts"][key], "{name}: {key}");
        }
        assert_eq!(out["mobility"], out["counts"]["freedoms"]);
        let naive =
            out["counts"]["coordinates"].as_i64().zip(out["counts"]["rows"].as_i64()).map(|(c, r)| c - r);
        assert_eq!(out["naive_mobility"].as_i64(), naive);
        for joint in out["joints"].as_array().expect("joints") {
            let joint_keys =
                ["name", "kind", "role", "rows", "a", "b", "position_error", "velocity_error", "unique"];
            assert_eq!(keys(joint), set(&joint_keys));
            let own = &solved["joints"][joint["name"].as_str().expect("a name")];
            assert_eq!(joint["role"], own["role"]);
            assert_eq!(joint["rows"].as_u64(), own["multipliers"].as_array().map(|m| m.len() as u64));
        }
    }
}

/// A joint that is open in the file: `check` says so, `solve` leaves it open, `run` closes it first.
#[test]
fn a_joint_open_in_the_file_is_reported_by_check_and_solve_and_closed_by_run() {
    let open = SCENE.replace(
        "anchor = [0, 0, 0]\naxis = [0, 1, 0]",
        "anchor_in_a = [0, 0, 0]\nanchor_in_b = [-0.49, 0, 0]\naxis = [0, 1, 0]",
    );
    let moving = open.replace("position = [0.5, 0, 0]", "position = [0.5, 0, 0]\nvelocity = [0, 0.25, 0]");
    let check = cardan(&["check", "-", "--json"], &moving);
    let warnings = check["warnings"].to_string();
    assert!(warnings.contains("`hinge` is open by 1.000e-2"), "{warnings}");
    assert!(warnings.contains("velocities") && warnings.contains("2.500e-1"), "{warnings}");
    let hinge = &check["joints"][0];
    assert!((hinge["position_error"].as_f64().expect("a number") - 0.01).abs() < 1e-15);
    assert!((hinge["velocity_error"].as_f64().expect("a number") - 0.25).abs() < 1e-15);

    let certificate = cardan(&["solve", "-", "--json"], &moving)["certificate"].clone();
    assert!((certificate["max_position_error"].as_f64().expect("a number") - 0.01).abs() < 1e-15);
    assert!((certificate["max_velocity_error"].as_f64().expect("a number") - 0.25).abs() < 1e-15);

    for until in ["0", "0.02"] {
        let run = cardan(&["run", "-", "--until", until, "--json"], &moving);
        let certificate = &run["certificate"];
        assert!(certificate["max_position_error"].as_f64().expect("a number") < 1e-14, "{certificate}");
        assert!(certificate["max_velocity_error"].as_f64().expect("a number") < 1e-13, "{certificate}");
        assert!(
            run["energy"]["balance_error"].as_f64().expect("a number") < 1e-9,
            "closing is not part of the run"
        );
    }
}

/// A flat four-bar of spatial hinges, at rest: nothing moves, nothing acts across its plane, three rows are redundant, and
/// the certificate must not take rounding for an error.
#[test]
fn a_linkage_at_rest_has_a_clean_certificate() {
    let bar = "shape = { kind = \"rod\", length = 1, radius = 0.01 }, mass = 1";
    let upright = "orientation = { axis = [0, 0, 1], angle = \"90 deg\" }";
    let scene = format!(
        "gravity = [0, -9.81, 0]\n[bodies]\na = {{ {bar}, position = [0, 0.5, 0], {upright} }}\n\
         b = {{ {bar}, position = [0.5, 1, 0] }}\nc = {{ {bar}, position = [1, 0.5, 0], {upright} }}\n[joints]\n\
         A = {{ kind = \"revolute\", a = \"ground\", b = \"a\", anchor = [0, 0, 0], axis = [0, 0, 1] }}\n\
         B = {{ kind = \"revolute\", a = \"a\", b = \"b\", anchor = [0, 1, 0], axis = [0, 0, 1] }}\n\
         C = {{ kind = \"revolute\", a = \"b\", b = \"c\", anchor = [1, 1, 0], axis = [0, 0, 1] }}\n\
         D = {{ kind = \"revolute\", a = \"c\", b = \"ground\", anchor = [1, 0, 0], axis = [0, 0, 1] }}\n"
    );
    let end = cardan(&["run", "-", "--until", "0.1", "--json"], &scene);
    let certificate = &end["certificate"];
    for key in ["max_position_error", "max_velocity_error", "max_equation_residual"] {
        assert!(certificate[key].as_f64().expect("a number") < 1e-12, "{certificate}");
    }
    assert_eq!(
        (end["counts"]["redundant_rows"].as_u64(), end["counts"]["freedoms"].as_u64()),
        (Some(3), Some(1))
    );
    let text = command(&["run", "-", "--until", "0.1"], scene.as_bytes()).stdout;
    assert!(text.contains("a      0, 0.5, 0      0, 0, 0"), "{text}");
}

/// A run of no steps has solved its equations once, for the report, and certifies that solve.
#[test]
fn a_run_without_steps_certifies_the_solve_it_prints() {
    let end = cardan(&["run", "double-pendulum", "--until", "0", "--json"], "");
    let solved = cardan(&["solve", "double-pendulum", "--json"], "");
    // `solve` has the residual of its rows, a run that of its kernel.
    for out in [&end, &solved] {
        let residual = out["certificate"]["max_equation_residual"].as_f64();
        assert!(residual.is_some_and(|r| r > 0.0 && r < 1e-14), "{residual:?}");
    }
}
