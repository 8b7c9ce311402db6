//! Drives through the command: the reference problems of given motion, the double cardan shaft, reports, tables, plots.

use crate::support::{bundled_scenes, cardan, command, run, scratch};
use serde_json::{Value, json};

fn problem(id: &str) -> Value {
    let path = format!("{}/tests/laws/reference/{id}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn real(v: &Value) -> f64 {
    v.as_f64().unwrap_or(f64::NAN)
}

fn bundled(name: &str) -> String {
    bundled_scenes().into_iter().find(|s| s.0 == name).unwrap_or_else(|| panic!("no scene {name}")).1
}

/// Largest difference met, relative to max(1, |value|).
struct Worst(f64);
impl Worst {
    fn see(&mut self, what: &str, seen: f64, wanted: f64, bound: f64) {
        let off = (seen - wanted).abs() / wanted.abs().max(1.0);
        assert!(off <= bound, "{what}: {seen} is not {wanted}: {off:.1e} > {bound:.0e}");
        self.0 = self.0.max(off);
    }
}

/// The slider-crank of the reference, flat or in space. Nothing is given of its speeds: the drive makes them.
fn slider_crank(p: &Value, planar: bool) -> Value {
    let (r, l) = (real(&p["r"]), real(&p["l"]));
    let body = |mass: &str, inertia: f64, x: f64| {
        let kind = if planar { "planar" } else { "rigid" };
        let inertia = if planar { json!(inertia) } else { json!([inertia, inertia, inertia]) };
        json!({ "kind": kind, "mass": p[mass], "inertia": inertia, "position": [x, 0, 0] })
    };
    let joint = |kind: &str, a: &str, b: &str, x: f64, axis: [i32; 3]| json!({ "kind": kind, "a": a, "b": b, "anchor": [x, 0, 0], "axis": axis });
    let mut shaft = joint("revolute", "ground", "crank", 0.0, [0, 0, 1]);
    shaft["drive"] = json!({ "level": "speed", "law": { "constant": p["omega"] } });
    let mut guide = joint("prismatic", "ground", "slider", r + l, [1, 0, 0]);
    guide["zero"] = json!([r + l]);
    json!({
        "gravity": [0, -real(&p["g"]), 0],
        "bodies": {
            "crank": body("crank_mass", real(&p["crank_inertia_com"]), r / 2.0),
            "rod": body("rod_mass", real(&p["rod_inertia_com"]), r + l / 2.0),
            "slider": body("slider_mass", 1.0, r + l),
        },
        "joints": {
            "shaft": shaft,
            "pin": joint("revolute", "crank", "rod", r, [0, 0, 1]),
            "gudgeon": joint("revolute", "rod", "slider", r + l, [0, 0, 1]),
            "guide": guide,
        },
    })
}

#[test]
fn the_driven_slider_crank_of_the_reference() {
    let problem = problem("slider_crank_driven");
    let (p, mut worst) = (&problem["parameters"], Worst(0.0));
    for planar in [true, false] {
        let scene = slider_crank(p, planar).to_string();
        for entry in problem["reference"].as_array().expect("a list") {
            let t = real(&entry["t"]);
            let out = run(&scene, t, 1e-4);
            let what = format!("planar {planar}, {} deg", entry["crank_angle_deg"]);
            let joints = &out["joints"];
            // Of a force that is the difference of others, the size of those counts: the inertia of the parts.
            let mut see = |name: &str, seen: &Value, wanted: &str, bound: f64| {
                worst.see(&format!("{what}: {name}"), real(seen), real(&entry[wanted]), bound);
            };
            see("position", &joints["guide"]["coordinates"][0], "slider_position", 1e-13);
            see("velocity", &joints["guide"]["rates"][0], "slider_velocity", 2e-13);
            see("acceleration", &out["bodies"]["slider"]["acceleration"][0], "slider_acceleration", 1e-12);
            see("torque", &joints["shaft"]["drives"][0]["force"], "crank_torque", 1e-10);
            see("torque as a part", &joints["shaft"]["parts"]["drive"]["torque"][2], "crank_torque", 1e-10);
            see("guide", &joints["guide"]["force"][1], "guide_normal_force_on_slider", 1e-10);
            assert_eq!(joints["shaft"]["drives"][0]["prescribed"], true);
            let counts = &out["counts"];
            let rows = if planar { (9, 9, 0, 0) } else { (21, 18, 3, 0) };
            let seen =
                ["rows", "rank", "redundant_rows", "freedoms"].map(|key| counts[key].as_u64().unwrap());
            assert_eq!(seen, [rows.0, rows.1, rows.2, rows.3]);
        }
    }
    println!("slider-crank: worst {:.1e}", worst.0);
}

#[test]
fn the_arm_of_the_reference_carries_its_hand_along_a_line() {
    let problem = problem("arm2r_line");
    let mut worst = Worst(0.0);
    let scene = bundled("arm-line");
    for entry in problem["reference"].as_array().expect("a list") {
        let t = real(&entry["t"]);
        let out = run(&scene, t, 1e-3);
        for (k, joint) in ["shoulder", "elbow"].into_iter().enumerate() {
            let seen = &out["joints"][joint];
            let bound = 1e-12;
            worst.see("angle", real(&seen["coordinates"][0]), real(&entry["joint_angles"][k]), bound);
            worst.see("rate", real(&seen["rates"][0]), real(&entry["joint_rates"][k]), bound);
            worst.see("torque", real(&seen["drives"][0]["force"]), real(&entry["torques"][k]), bound);
        }
        for axis in 0..2 {
            let wanted = (real(&entry["wrist"][axis]), real(&entry["shoulder_force_on_link1"][axis]));
            worst.see("wrist", real(&out["probes"]["wrist"]["position"][axis]), wanted.0, 1e-13);
            worst.see("reaction", real(&out["joints"]["shoulder"]["force"][axis]), wanted.1, 1e-12);
        }
        let spin = |body: &str| real(&out["bodies"][body]["angular_acceleration"][2]);
        worst.see("acceleration", spin("upper"), real(&entry["joint_accelerations"][0]), 1e-12);
        worst.see(
            "acceleration",
            spin("fore") - spin("upper"),
            real(&entry["joint_accelerations"][1]),
            1e-12,
        );
    }
    println!("arm on a line: worst {:.1e}", worst.0);
}

#[test]
fn a_driven_double_cardan_shaft_turns_at_ratio_one() {
    let mut scene: toml::Table = toml::from_str(&bundled("double-cardan")).unwrap();
    let front = scene["joints"]["front"].as_table_mut().unwrap();
    let drive: toml::Table = toml::from_str(
        "drive = { level = \"speed\", law = { sine = { amplitude = 10, frequency = 1, offset = 20 } } }",
    )
    .unwrap();
    front.extend(drive);
    let text = toml::to_string(&scene).unwrap();
    for t in [0.1, 0.7, 1.0] {
        let out = run(&text, t, 5e-4);
        let of = |joint: &str, key: &str| real(&out["joints"][joint][key][0]);
        let ratio = of("rear", "rates") / of("front", "rates");
        assert!((ratio - 1.0).abs() < 1e-9, "at {t}: {ratio}");
        assert!((of("rear", "coordinates") - of("front", "coordinates")).abs() < 1e-9, "at {t}");
        assert!(real(&out["energy"]["balance_error"]) < 1e-8, "{}", out["energy"]);
    }
}

#[test]
fn a_hinge_under_a_motor_of_two_newton_metres_reports_two() {
    let scene = r#"
        gravity = [0, 0, -9.81]
        [bodies.wheel]
        shape = { kind = "sphere", radius = 0.1 }
        mass = 1
        [joints.hinge]
        kind = "revolute"
        a = "ground"
        b = "wheel"
        anchor = [0, 0, 0]
        axis = [0, 0, 1]
        drive = { level = "force", law = { constant = "2 Nm" } }
    "#;
    for out in [cardan(&["solve", "-", "--json"], scene), run(scene, 0.3, 1e-3)] {
        let hinge = &out["joints"]["hinge"];
        assert_eq!(hinge["parts"]["drive"]["torque"], json!([0.0, 0.0, 2.0]));
        assert_eq!(hinge["torque"][2], 2.0);
        assert_eq!(
            (&hinge["drives"][0]["force"], &hinge["drives"][0]["prescribed"]),
            (&json!(2.0), &json!(false))
        );
        assert_eq!(out["counts"]["rows"], 5);
    }
}

#[test]
fn tables_and_plots_show_what_drives_give() {
    let (table, plot) = (scratch("drives-run.csv"), scratch("drives-run.svg"));
    let path = |p: &std::path::Path| p.to_str().unwrap().to_string();
    let args = ["run", "arm-line", "--quiet", "--out", &path(&table), "--plot", &path(&plot)];
    let outcome = command(&args, b"");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let text = std::fs::read_to_string(&table).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let column = |name: &str| {
        names
            .iter()
            .position(|n| n.split(" [").next() == Some(name))
            .unwrap_or_else(|| panic!("no {name} in {names:?}"))
    };
    let (torque, power) = (column("joints.elbow.drive.0"), column("joints.elbow.drive_power.0"));
    let row = lines.find(|row| (row[0].parse::<f64>().unwrap() - 0.5).abs() < 1e-9).expect("a row at 0.5 s");
    assert!((row[torque].parse::<f64>().unwrap() - 4.721248268013741).abs() < 1e-11, "{row:?}");
    assert!((row[power].parse::<f64>().unwrap() - 4.721248268013741 * 0.7697370086861781).abs() < 1e-11);
    let svg = std::fs::read_to_string(&plot).unwrap();
    assert!(
        svg.contains("joints.shoulder.drive.0") && svg.contains("N·m"),
        "the torque is in the usual plot"
    );
}

#[test]
fn a_law_without_a_value_ends_the_run_with_its_name() {
    let set = "joints.A.drive.law={ expression = \"6 + 0*ln(0.5 - t)\" }";
    let outcome = command(&["run", "driven-four-bar", "--json", "--set", set], b"");
    assert_eq!(outcome.code, 1);
    let out: Value = serde_json::from_str(&outcome.stdout).expect("JSON of what there is");
    let status = out["status"].as_str().unwrap();
    assert!(
        status.contains("the expression law that drives joint `A` is not a finite number at t = 0.5"),
        "{status}"
    );
    assert!(real(&out["time"]) < 0.5);
}
