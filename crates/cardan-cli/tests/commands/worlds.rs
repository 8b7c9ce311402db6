//! Scenes whose parts are switched on and off, and islands on threads, through the command.

use crate::support::{bundled_scenes, cardan, command, scratch};
use serde_json::Value;

fn scene(name: &str) -> String {
    bundled_scenes().into_iter().find(|(known, _)| known == name).expect("a bundled scene").1
}

#[track_caller]
fn near(found: &Value, wanted: f64, tolerance: f64) {
    let found = found.as_f64().expect("a number");
    assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted} (off by {:e})", found - wanted);
}

/// I₁ = 1.8, I₂ = 0.05, m r² = 0.05 kg·m²: a clutch that takes hold at 20 and 0 rad/s leaves 1.8 · 20/1.9, and ½ · 1.8 · 0.1/1.9 · 20² is heat.
#[test]
fn the_clutch_obeys_angular_momentum() {
    let text = scene("clutch");
    let until = |time: &str| cardan(&["run", "-", "--until", time, "--json"], &text);
    let before = until("0.4999");
    near(&before["joints"]["flywheel-shaft"]["rates"][0], 20.0, 1e-12);
    near(&before["joints"]["drum-shaft"]["rates"][0], 0.0, 1e-12);
    assert!(before["joints"]["clutch"].is_null() && before["joints"]["brake"].is_object());
    // The brake holds the weight: 5 · 9.81 · 0.1 N·m.
    near(&before["joints"]["brake"]["multipliers"][0].as_f64().expect("a number").abs().into(), 4.905, 1e-12);
    // The report is of what is so from then on; one second of m g r/(I₁ + I₂ + m r²) later.
    let after = until("0.5");
    let speed = 1.8 * 20.0 / 1.9;
    near(&after["joints"]["flywheel-shaft"]["rates"][0], speed, 1e-12);
    near(&after["joints"]["drum-shaft"]["rates"][0], speed, 1e-12);
    near(&after["energy"]["dissipated"], 0.5 * (1.8 * 0.1 / 1.9) * 400.0, 1e-11);
    let later = until("0.9");
    near(&later["joints"]["flywheel-shaft"]["rates"][0], speed - 0.4 * 4.905 / 1.9, 1e-10);
    let end = until("4");
    near(&end["energy"]["balance_error"], 0.0, 1e-11);
    near(&end["certificate"]["max_position_error"], 0.0, 1e-13);
    let log: Vec<(f64, &str, &str)> = end["events"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| {
            (
                e["time"].as_f64().expect("a time"),
                e["what"].as_str().expect("a word"),
                e["constraint"].as_str().expect("a name"),
            )
        })
        .collect();
    let wanted = [
        (0.5, "disabled", "brake"),
        (0.5, "enabled", "clutch"),
        (1.0, "disabled", "clutch"),
        (1.8, "enabled", "brake"),
        (2.5, "disabled", "brake"),
        (2.5, "enabled", "clutch"),
    ];
    assert_eq!(log, wanted);
}

/// Parts that are off are not in reports, and have no numbers in tables; energy adds up over building, catching and cutting.
#[test]
fn tinkertoys_are_built_and_cut() {
    let text = scene("tinkertoys");
    let table = scratch("tinkertoys.csv");
    let file = table.to_string_lossy().into_owned();
    let columns = "bodies.rocker.position,joints.C.force,energy";
    let end = cardan(&["run", "-", "--json", "--out", &file, "--columns", columns], &text);
    assert!(end["joints"]["C"].is_null() && end["joints"]["D"].is_object());
    near(&end["energy"]["balance_error"], 0.0, 1e-8);
    near(&end["certificate"]["max_position_error"], 0.0, 1e-13);
    assert!(end["energy"]["dissipated"].as_f64().expect("a number") > 10.0, "the catch cost nothing");
    let rows = std::fs::read_to_string(&table).expect("a table");
    let mut lines = rows.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let at = |name: &str| {
        head.iter().position(|column| column.split(" [").next() == Some(name)).expect("a column")
    };
    let (place, force, total, heat, work) = (
        at("bodies.rocker.position.x"),
        at("joints.C.force.x"),
        at("energy.total"),
        at("energy.dissipated"),
        at("energy.work"),
    );
    let number = |row: &[&str], i: usize| row[i].parse::<f64>().expect("a number");
    for line in lines {
        let row: Vec<&str> = line.split(',').collect();
        let time = number(&row, 0);
        assert_eq!(number(&row, place).is_nan(), time < 0.5999, "{line}");
        assert_eq!(number(&row, force).is_nan(), !(0.5999..3.5999).contains(&time), "{line}");
        let sum = number(&row, total) + number(&row, heat) - number(&row, work);
        assert!(sum.abs() < 1e-8 * 26.0, "{line}: {sum}");
    }
    // Other commands see what is on at the start.
    let start = cardan(&["solve", "-", "--json"], &text);
    assert_eq!(start["counts"]["bodies"], 1);
    assert_eq!(start["counts"]["joints"], 1);
}

#[test]
fn any_number_of_threads_gives_the_same_hash() {
    let text = scene("lower-pairs");
    let run = |threads: &str| {
        let out = cardan(&["run", "-", "--until", "0.5", "--threads", threads, "--json"], &text);
        assert_eq!(out["status"], "completed");
        out["state_hash"].as_str().expect("a hash").to_string()
    };
    let one = run("1");
    for threads in ["2", "3", "16"] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
    let out = command(&["run", "-", "--threads", "0"], text.as_bytes());
    assert_eq!(out.code, 2, "{}", out.stderr);
}

#[test]
fn mistakes_in_a_script_are_shown() {
    let text = scene("tinkertoys");
    let cases = [
        ("disable = [\"C\"]", "disable = [\"E\"]", "there is no `E` to switch"),
        ("disable = [\"C\"]", "disable = [\"rockr\"]", "did you mean `rocker`?"),
        ("disable = [\"C\"]", "disable = [\"joints.rocker\"]", "there is no `joints.rocker` to switch"),
        ("at = 3.6\ndisable = [\"C\"]", "at = 3.6", "nothing changes here"),
        ("at = 3.6", "at = -1", "-1 s is before the start"),
        // It was switched off and on again, and the run said both.
        (
            "disable = [\"C\"]",
            "disable = [\"C\"]\nenable = [\"joints.C\"]",
            "`C` is switched on and off at once",
        ),
        ("at = 3.6\n", "", "the field `at` is missing"),
        ("at = 3.6", "at = \"3 m\"", "3 m"),
        ("disable = [\"C\"]", "disabel = [\"C\"]", "disabel"),
        ("[joints.catch]", "[joints.crank]", "several parts are called"),
    ];
    for (from, to, words) in cases {
        assert!(text.contains(from), "{from}");
        let mut changed = text.replacen(from, to, 1);
        if to == "[joints.crank]" {
            changed = changed.replace("\"catch\"", "\"crank\"");
        }
        let out = command(&["run", "-", "--json"], changed.as_bytes());
        assert_eq!(out.code, 2, "{to}: {}", out.stderr);
        assert!(out.stderr.contains(words), "{to}: {}", out.stderr);
        assert!(out.stdout.is_empty());
    }
}

/// A joint that is switched on where it cannot be closed ends the run at that time, with its name and what there was.
#[test]
fn a_script_that_cannot_be_followed_fails_in_time() {
    let text = "[simulation]\nuntil = 1\n[bodies.bar]\nkind = \"rigid\"\nshape = { kind = \"rod\", length = 1, radius = 0.02 }\nmass = 1\n\
        position = [0.5, 0, 0]\n[joints.hinge]\nkind = \"revolute\"\na = \"ground\"\nb = \"bar\"\nanchor = [0, 0, 0]\naxis = [0, 1, 0]\n\
        [joints.far]\nkind = \"spherical\"\na = \"ground\"\nb = \"bar\"\nframe_in_a = { position = [9, 0, 0] }\nframe_in_b = { position = [0.5, 0, 0] }\n\
        [[script]]\nat = 0\ndisable = [\"far\"]\n[[script]]\nat = 0.3\nenable = [\"far\"]\n";
    let out = command(&["run", "-", "--json"], text.as_bytes());
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(out.stderr.contains("joint `far` cannot be closed"), "{}", out.stderr);
    assert!(out.stderr.contains("nearer than 8.0000 m"), "{}", out.stderr);
    let report = out.json();
    assert!(report["status"].as_str().expect("a word").starts_with("failed: "));
    near(&report["time"], 0.3, 1e-12);
}

/// A run that is saved and continued has the bits of an unbroken one, for every scene; the state of another scene is refused.
#[test]
fn a_run_goes_on_from_a_file() {
    for (name, cut, until) in [
        ("double-pendulum", "0.3", "0.5"),
        ("clutch", "0.7", "1.9"),
        ("pile", "0.3", "0.35"),
        ("hammer-blow", "0.2", "0.6"),
        ("ratchet", "0.3", "0.5"),
    ] {
        let text = scene(name);
        let file = format!("{name}.state");
        let straight = cardan(&["run", "-", "--until", until, "--json"], &text);
        cardan(&["run", "-", "--until", cut, "--save", &file, "--json"], &text);
        let on = cardan(&["run", "-", "--until", until, "--from", &file, "--json"], &text);
        assert_eq!(on["time"], straight["time"], "{name}");
        assert_eq!(on["state_hash"], straight["state_hash"], "{name}");
        assert_eq!(on["joints"], straight["joints"], "{name}");
    }
    let refused = |args: &[&str], text: &str, words: &str| {
        let out = command(args, text.as_bytes());
        assert_eq!(out.code, 2, "{}", out.stderr);
        assert!(out.stderr.contains(words), "{}", out.stderr);
    };
    refused(&["run", "-", "--from", "ratchet.state"], &scene("pile"), "belongs to another model");
    refused(&["run", "-", "--from", "clutch.state"], &scene("pile"), "is that of a world");
    refused(&["run", "-", "--from", "nowhere.state"], &scene("pile"), "nowhere.state");
    std::fs::write(scratch("text.state"), "something else").expect("a file");
    refused(&["run", "-", "--from", "text.state"], &scene("pile"), "no saved state of cardan");
}

/// A run to before the saved state said that it had completed, with steps and speed of the run before.
#[test]
fn a_run_to_before_the_saved_state_is_refused() {
    for name in ["double-pendulum", "clutch"] {
        let (text, file) = (scene(name), format!("{name}-later.state"));
        let saved = cardan(&["run", "-", "--until", "0.4", "--save", &file, "--json"], &text);
        let out = command(&["run", "-", "--until", "0.3", "--from", &file, "--json"], text.as_bytes());
        assert_eq!(out.code, 2, "{name}: {}", out.stderr);
        assert!(
            out.stderr.contains("is of t = 0.4 s, and the run would end before, at 0.3 s"),
            "{}",
            out.stderr
        );
        assert!(out.stdout.is_empty());
        // There is nothing to do where it ends, and nothing wrong.
        let same = cardan(&["run", "-", "--until", "0.4", "--from", &file, "--json"], &text);
        assert_eq!(same["state_hash"], saved["state_hash"], "{name}");
    }
}

/// The text of a run did not mention the script at all.
#[test]
fn the_report_tells_what_the_script_does() {
    let text = scene("clutch");
    let out = command(&["run", "-", "--until", "0.7"], text.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let script: Vec<&str> =
        out.stdout.lines().skip_while(|line| *line != "script").take_while(|line| !line.is_empty()).collect();
    assert_eq!(script.len(), 6, "{}", out.stdout);
    assert!(script[1].starts_with("  t = 0 s: disable joint `clutch`"), "{script:?}");
    assert!(
        script[2].starts_with("  t = 0.5 s: ") && script[2].contains("enable joint `clutch`"),
        "{script:?}"
    );
    assert!(!script[2].ends_with("(not yet)") && script[3].ends_with("(not yet)"), "{script:?}");
    let out = command(&["run", "-", "--until", "0.1"], scene("double-pendulum").as_bytes());
    assert!(!out.stdout.lines().any(|line| line == "script"), "{}", out.stdout);
}

/// Script entries and impulses after the end of a run were accepted in silence.
#[test]
fn entries_and_impulses_after_the_end_are_warned_of() {
    let text = "gravity = [0, 0, 0]\n[simulation]\nuntil = 1\n[bodies.ball]\nkind = \"particle\"\nmass = 1\n\
        [forces.push]\nkind = \"constant\"\nbody = \"ball\"\nforce = [1, 0, 0]\n\
        [impulses.early]\nbody = \"ball\"\ntime = 0.5\nimpulse = [0, 1, 0]\n[impulses.late]\nbody = \"ball\"\ntime = 3\nimpulse = [0, 1, 0]\n\
        [[script]]\nat = 0.2\ndisable = [\"push\"]\n[[script]]\nat = 2.5\nenable = [\"push\"]\n";
    for args in [&["run", "-", "--json"][..], &["check", "-", "--json"][..]] {
        let out = command(args, text.as_bytes());
        assert_eq!(out.code, 0, "{}", out.stderr);
        let told = out.json()["warnings"].clone();
        let told: Vec<&str> = told.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let late: Vec<&&str> = told.iter().filter(|line| line.contains("until = 1 s")).collect();
        assert_eq!(late.len(), 2, "{told:?}");
        assert!(late[0].contains("t = 2.5 s") && late[0].contains("enable force `push`"), "{told:?}");
        assert!(late[1].contains("`late`") && late[1].contains("t = 3 s"), "{told:?}");
    }
    let out = command(&["run", "-", "--json", "--until", "4"], text.as_bytes());
    assert_eq!(out.json()["warnings"].as_array().map(Vec::len), Some(0), "{}", out.stdout);
}
