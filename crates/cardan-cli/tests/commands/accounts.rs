//! `accounts`: when a run takes certificate, energy and momentum, and that the report says so.

use crate::support::{cardan, command};

const SCENES: [&str; 16] = [
    "double-pendulum",
    "spinning-top",
    "tennis-racket",
    "four-bar",
    "excavator",
    "oblique-rod",
    "mixed-bodies",
    "strandbeest",
    "heavy-on-light",
    "stewart-platform",
    "newton-cradle",
    "motors",
    "ragdoll",
    "gear-train",
    "on-off",
    "knee-stop",
];

/// Numbers of a report that must not depend on the accounts.
fn motion(out: &serde_json::Value) -> serde_json::Value {
    let mut energy = out["energy"].clone();
    energy.as_object_mut().expect("energies").remove("balance_error");
    let (momentum, hash) = (&out["momentum"], &out["state_hash"]);
    serde_json::json!([hash, energy, momentum["linear"], momentum["angular"], out["steps"], out["bodies"]])
}

#[test]
fn scenes_of_every_kind_move_alike_whatever_the_accounts() {
    for scene in SCENES {
        let run = |more: &[&str]| {
            let args = [&["run", scene, "--until", "0.05", "--json"], more].concat();
            cardan(&args, "")
        };
        let usual = run(&[]);
        assert_eq!(usual["certificate"]["accounts"], "every-step", "{scene}");
        assert_eq!(usual["certificate"]["instants"], usual["steps"], "{scene}");
        for accounts in ["recorded", "end", "off"] {
            let other = run(&["--accounts", accounts]);
            assert_eq!(motion(&usual), motion(&other), "{scene}, {accounts}");
            assert_eq!(other["certificate"]["accounts"], accounts, "{scene}");
        }
    }
}

#[test]
fn the_report_says_which_instants_the_certificate_covers() {
    let run = |accounts: &str| {
        let args =
            ["run", "double-pendulum", "--until", "0.1", "--set", "simulation.record=0.02", "--accounts"];
        let told = command(&[&args[..], &[accounts]].concat(), b"");
        let json = command(&[&args[..], &[accounts, "--json"]].concat(), b"").json();
        (told.stdout, json["certificate"].clone())
    };
    for (accounts, instants, heading) in [
        ("every-step", 100, "certificate (worst over the run)"),
        ("recorded", 6, "certificate (worst over 6 recorded instants)"),
        ("end", 1, "certificate (at the end of the run)"),
        ("off", 0, "certificate (accounts: off; no error was measured)"),
    ] {
        let (text, json) = run(accounts);
        assert!(text.contains(heading), "{text}");
        assert_eq!(json["instants"], instants, "{accounts}: {json}");
        assert_eq!(json["max_equation_residual"].is_null(), instants == 0, "{json}");
        assert_eq!(text.contains("equation residual"), instants > 0, "{text}");
        assert!(text.contains("energy balance"), "{text}");
        if let Some(residual) = json["max_equation_residual"].as_f64() {
            assert!(residual > 0.0 && residual < 1e-12, "{json}");
        }
    }
}

#[test]
fn worlds_keep_accounts_too() {
    for (accounts, instants) in [("every-step", 100), ("recorded", 6), ("end", 1), ("off", 0)] {
        let args = ["run", "double-pendulum", "--until", "0.1", "--threads", "1", "--json"];
        let more = ["--set", "simulation.record=0.02", "--accounts", accounts];
        let out = cardan(&[&args[..], &more[..]].concat(), "");
        assert_eq!(out["certificate"]["instants"], instants, "{accounts}");
    }
}

#[test]
fn a_scene_states_its_accounts_and_the_command_overrides_them() {
    let run = |more: &[&str]| {
        let args =
            ["run", "double-pendulum", "--until", "0.01", "--json", "--set", "simulation.accounts=end"];
        cardan(&[&args[..], more].concat(), "")["certificate"]["accounts"].clone()
    };
    assert_eq!(run(&[]), "end");
    assert_eq!(run(&["--accounts", "off"]), "off");
}

#[test]
fn an_unknown_word_is_an_error_that_names_the_choices() {
    for args in [["--set", "simulation.accounts=sometimes"], ["--accounts", "sometimes"]] {
        let told = command(&[&["run", "double-pendulum"], &args[..]].concat(), b"");
        assert_ne!(told.code, 0);
        for word in ["sometimes", "every-step", "recorded", "end", "off"] {
            assert!(told.stderr.contains(word), "{}", told.stderr);
        }
    }
}
