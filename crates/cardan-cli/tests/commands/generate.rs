//! `cardan generate` and `cardan bench` from the outside.

use crate::support;

use crate::support::cardan;
use crate::support::outside::check_outside;
use serde_json::Value;
use std::process::{Command, Output};

fn call(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardan")).args(args).output().expect("the cardan command starts")
}

fn generate(args: &[&str]) -> String {
    let out = call(&[&["generate"], args].concat());
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

/// What is asked for, and the redundant rows that it must have: three for each loop of hinges in one plane.
const KINDS: [(&[&str], usize); 10] = [
    (&["chain", "--n", "40"], 0),
    (&["spherical-chain", "--n", "40"], 0),
    (&["star", "--n", "40"], 0),
    (&["comb", "--n", "40"], 0),
    (&["binary-tree", "--n", "40"], 0),
    (&["random-tree", "--n", "40"], 0),
    (&["humanoid"], 0),
    (&["n-four-bar", "--n", "6"], 18),
    (&["closed-chain", "--n", "20"], 0),
    (&["net", "--n", "5"], 0),
];

#[test]
fn generated_scenes_are_closed() {
    for (kind, redundant) in KINDS {
        let checked = cardan(&["check", "-", "--json"], &generate(kind));
        assert_eq!(checked["ok"], true, "{kind:?}");
        assert_eq!(checked["redundant_rows"], redundant, "{kind:?}");
        for joint in checked["joints"].as_array().expect("joints") {
            let errors = ["position_error", "velocity_error"].map(|e| joint[e].as_f64().expect("a number"));
            assert!(errors.iter().all(|&e| e < 1e-12), "{kind:?}: {joint}");
        }
    }
}

#[test]
fn generated_scenes_obey_newton_and_their_joints() {
    for (kind, _) in KINDS {
        let text = generate(kind);
        let report = check_outside(&text, &support::solve(&text));
        assert!(report.beyond(1e-11).is_empty(), "{kind:?}:\n{}", report.beyond(1e-11).join("\n"));
        assert!(report.skipped.is_empty(), "{kind:?}: {:?}", report.skipped);
    }
}

#[test]
fn wrong_kinds_and_sizes_exit_with_2() {
    for (args, want) in [
        (vec!["generate", "chian", "--n", "3"], "chain"),
        (vec!["generate", "chain", "--n", "0"], "--n"),
        (vec!["generate", "chain"], "--n"),
        (vec!["generate", "net"], "at least 2 columns; say how many with --n"),
        (vec!["generate", "closed-chain", "--n", "2"], "at least 3 bodies"),
        (vec!["bench", "--filter", "chian"], "chain"),
    ] {
        let out = call(&args);
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(want) && out.stdout.is_empty(), "{args:?}: {said}");
    }
}

#[test]
fn bench_prints_what_the_contract_says() {
    let out = call(&["bench", "--json", "--filter", "double-pendulum"]);
    assert!(out.status.success());
    let rows: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    let rows = rows.as_array().expect("an array");
    assert_eq!(rows.len(), 3);
    let number = |row: &Value, key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key} in {row}"));
    for row in rows {
        assert!(row["workload"].as_str().is_some_and(|name| name.contains("double-pendulum")));
        assert_eq!(row["n"], 2);
        assert!(row["what"] == "solve" || row["what"] == "step");
        let (median, least) = (number(row, "ns_per_body"), number(row, "ns_per_body_min"));
        assert!(0.0 < least && least <= median);
        assert!(number(row, "bytes_per_body") > 100.0 && number(row, "samples") >= 1.0);
        assert_eq!(number(row, "operations") > 0.0, row["what"] == "solve");
        // Beyond the contract: a solve says what its elimination costs alone, and what of that the factor is.
        assert_eq!(row.get("factor_over_solve").is_some(), row["what"] == "solve");
        if row["what"] == "solve" {
            let (both, further) =
                (number(row, "factor_and_solve_ns_per_body"), number(row, "further_solve_ns_per_body"));
            assert!(0.0 < further && 0.0 < both && number(row, "factor_over_solve").is_finite());
        }
    }
    assert_eq!(rows[0]["what"], "solve");
}

/// Baraff 1996: k contacts on a chain of n links take k + 2 solves with one factor, whatever n; and operations grow with n: O(n k). Contact scenes say what a step takes.
#[test]
fn bench_says_what_contacts_cost() {
    let out = call(&["bench", "--json", "--filter", "contacts-links"]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let rows: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    let rows = rows.as_array().expect("an array");
    let number = |row: &Value, key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key} in {row}"));
    assert_eq!(rows.len(), 3);
    let per_link = number(&rows[0], "operations") / 32.0;
    for (row, n) in rows.iter().zip([32.0, 64.0, 128.0]) {
        assert_eq!((number(row, "n"), number(row, "contacts")), (n, 3.0));
        assert_eq!(number(row, "solves"), 2.0 * (3.0 + 2.0), "{row}");
        assert!((number(row, "operations") / n / per_link - 1.0).abs() < 0.05, "{row}");
        for key in ["whole_ns", "factor_ns", "solve_ns", "small_ns", "without_ns"] {
            assert!(number(row, key) >= 0.0, "{row}");
        }
    }
    let out = call(&["bench", "--json", "--filter", "contacts-billiard"]);
    let rows: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    assert_eq!(rows.as_array().map(Vec::len), Some(1));
    assert!(number(&rows[0], "ns_per_step") >= number(&rows[0], "ns_per_step_min"));
    assert!(number(&rows[0], "steps") > 100.0 && number(&rows[0], "ns_per_step_min") > 0.0, "{rows}");
}
