//! Words of earlier versions run as before; `check` and `run` say what they are called now.

use crate::support::command;

const OLD: &str = include_str!("../../../cardan-scene/tests/data/old-words.toml");

fn new_words() -> String {
    let words =
        [("blows", "impulses"), ("rest_speed", "restitution_threshold"), ("creep", "regularization_speed")];
    words.iter().fold(OLD.replace("\"long\"", "\"rattle\""), |text, (old, new)| text.replace(old, new))
}

#[test]
fn old_words_run_alike_and_are_warned_of_once_on_standard_error() {
    // Dry friction without events is what RATTLE can carry, so the friction of the scene is regularized.
    let (old, new) = (
        command(&["run", "-", "--json"], OLD.as_bytes()),
        command(&["run", "-", "--json"], new_words().as_bytes()),
    );
    assert_eq!((old.code, new.code), (0, 0), "{}{}", old.stderr, new.stderr);
    assert_eq!(old.json()["state_hash"], new.json()["state_hash"]);
    assert_eq!(old.json()["warnings"], new.json()["warnings"]);
    assert_eq!(old.json()["impulses"][0]["name"], "push");
    assert!(new.stderr.is_empty(), "{}", new.stderr);
    assert_eq!(old.stderr.matches("warning: ").count(), 1, "{}", old.stderr);
    for words in [
        "standard input:6: `long` is an old word for `rattle`",
        "standard input:21: `blows` is an old word for `impulses`",
    ] {
        assert!(old.stderr.contains(words), "{}", old.stderr);
    }
    let quiet = command(&["run", "-", "--quiet"], OLD.as_bytes());
    assert_eq!((quiet.code, &*quiet.stderr), (0, ""));
}

#[test]
fn check_names_old_words_with_file_and_line() {
    let told = command(&["check", "-", "--json"], OLD.as_bytes());
    assert_eq!(told.code, 0, "{}", told.stderr);
    let warnings = told.json()["warnings"].to_string();
    for words in [
        "standard input:6: `long` is an old word for `rattle`",
        "standard input:7: `rest_speed` is an old word for `restitution_threshold`",
        "standard input:19: `creep` is an old word for `regularization_speed`",
        "standard input:21: `blows` is an old word for `impulses`",
    ] {
        assert!(warnings.contains(words), "{warnings}");
    }
    let text = command(&["check", "-"], OLD.as_bytes());
    assert!(text.stdout.contains("`long` is an old word for `rattle`"), "{}", text.stdout);
    let told = command(&["check", "-", "--json"], new_words().as_bytes());
    assert!(!told.stdout.contains("old word"), "{}", told.stdout);
}

#[test]
fn overrides_with_old_words_are_warned_of_too() {
    let args = ["run", "double-pendulum", "--until", "0.01", "--json", "--set", "simulation.integrator=long"];
    let old = command(&args, b"");
    assert_eq!(old.code, 0, "{}", old.stderr);
    assert!(old.stderr.contains("--set:1: `long` is an old word for `rattle`"), "{}", old.stderr);
    let new = command(&[&args[..6], &["simulation.integrator=rattle"]].concat(), b"");
    assert_eq!(old.json()["state_hash"], new.json()["state_hash"]);
    assert!(new.stderr.is_empty(), "{}", new.stderr);
}
