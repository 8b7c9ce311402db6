//! What the black-box tests share: running the command, and reading scenes and results without the engine.
//!
//! Nothing here uses an engine crate: a mistake in the engine cannot hide behind the same mistake in its test.
#![allow(dead_code)] // every test binary uses its own part

pub(crate) mod constraints;
mod couplings;
mod curves;
pub(crate) mod icon;
pub(crate) mod laws;
pub(crate) mod math;
pub(crate) mod outside;
pub(crate) mod rolling;
pub(crate) mod scene;
pub(crate) mod schema;

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// `cardan solve - --json` on the scene text.
pub(crate) fn solve(scene: &str) -> Value {
    cardan(&["solve", "-", "--json"], scene)
}

/// `cardan run - --until T --dt H --json` on the scene text.
pub(crate) fn run(scene: &str, until: f64, dt: f64) -> Value {
    run_in(Mode::Bodies, scene, until, dt)
}

/// What a run integrates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mode {
    Bodies,
    Joints,
}

/// `cardan run - --until T --dt H --json` on the scene text, in a mode.
pub(crate) fn run_in(mode: Mode, scene: &str, until: f64, dt: f64) -> Value {
    run_with(mode, scene, until, dt, &[])
}

/// The same from a state that was saved, or from the start; the state at the end is saved.
pub(crate) fn run_on(mode: Mode, scene: &str, from: Option<&str>, until: f64, dt: f64, save: &str) -> Value {
    let more = ["--save", save, "--from", from.unwrap_or_default()];
    run_with(mode, scene, until, dt, if from.is_some() { &more } else { &more[..2] })
}

fn run_with(mode: Mode, scene: &str, until: f64, dt: f64, more: &[&str]) -> Value {
    // `{:?}` prints the shortest decimal that reads back to the same bits
    let (until, dt) = (format!("{until:?}"), format!("{dt:?}"));
    let mut args = vec!["run", "-", "--until", &until, "--dt", &dt, "--json"];
    args.extend(more);
    args.extend(match mode {
        Mode::Joints => ["--set", "simulation.coordinates=joints"],
        Mode::Bodies => ["--set", "simulation.coordinates=bodies"],
    });
    let out = cardan(&args, scene);
    let word = if mode == Mode::Joints { "joints" } else { "bodies" };
    assert_eq!(out["coordinates_mode"], word, "the report does not say what was integrated");
    assert_eq!(out["status"], "completed", "the run to {until} s at {dt} s did not complete");
    out
}

/// Runs the command with the scene on standard input; its standard output must be one JSON value.
pub(crate) fn cardan(args: &[&str], scene: &str) -> Value {
    let out = command(args, scene.as_bytes());
    let errors = &out.stderr;
    assert!(out.code == 0, "cardan {args:?} failed ({}): {errors}\nscene:\n{scene}", out.code);
    serde_json::from_str(&out.stdout).unwrap_or_else(|e| {
        panic!("cardan {args:?} did not print one JSON value: {e}\n{errors}\nscene:\n{scene}")
    })
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The exit code; −1 if a signal ended it.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) seconds: f64,
}

impl Outcome {
    /// Standard output as one JSON value.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("not one JSON value: {e}\n{}\n{}", self.stdout, self.stderr))
    }
}

/// Runs the command, whatever comes of it.
pub(crate) fn command(args: &[&str], input: &[u8]) -> Outcome {
    let clock = std::time::Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardan"))
        .args(args)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the cardan command starts");
    // A command that stops early closes the pipe; its message says more than the broken pipe would.
    let _ = child.stdin.take().expect("piped").write_all(input);
    let out = child.wait_with_output().expect("the cardan command ends");
    Outcome {
        code: out.status.code().unwrap_or(-1),
        stdout: String::from_utf8(out.stdout).expect("standard output is UTF-8"),
        stderr: String::from_utf8(out.stderr).expect("standard error is UTF-8"),
        seconds: clock.elapsed().as_secs_f64(),
    }
}

/// A file for a test to write or read, in the folder where [`command`] runs; the name must be the test's own.
pub(crate) fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Whether a scene has limits, inequalities, contacts or dry friction that holds.
pub(crate) fn has_contacts(text: &str) -> bool {
    let words = ["\n[inequalities.", "\n[ground]", "\nlimits = ", "material = ", "\n[contacts]"];
    let holds = |line: &str| line.contains("coulomb = ") && !line.contains("regularization_speed");
    words.iter().any(|word| text.contains(word)) || text.lines().any(holds)
}

/// Whether a scene has bodies of the general kinds, which joint coordinates and RATTLE do not know (the latter knows affine and soft ones).
pub(crate) fn is_general(text: &str) -> bool {
    let kinds = ["shaft", "scaled", "scaled3", "affine", "soft", "internal-mass", "bead", "formula"];
    kinds.iter().any(|kind| text.contains(&format!("\nkind = \"{kind}\"")))
}

/// Whether a scene is stepped at the level of velocities: it has more contacts than an integrator with events is meant for.
pub(crate) fn takes_impulses(text: &str) -> bool {
    text.contains("integrator = \"time-stepping\"")
}

/// Those whose parts stay as they are: `worlds.rs` is about the others.
pub(crate) fn steady_scenes() -> Vec<(String, String)> {
    bundled_scenes().into_iter().filter(|(_, text)| !changes(text)).collect()
}

/// Whether parts of a scene come and go.
pub(crate) fn changes(text: &str) -> bool {
    text.contains("\n[[script]]")
}

/// Whether forces give velocities in a scene: f = m v.
pub(crate) fn is_first_order(text: &str) -> bool {
    text.contains("integrator = \"first-order\"")
}

/// Every bundled scene: name and text, in alphabetical order.
pub(crate) fn bundled_scenes() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no scenes in {}", folder.display());
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (name, text)
    };
    files.into_iter().map(read).collect()
}
