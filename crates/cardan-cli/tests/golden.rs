//! State hashes of every bundled scene: the same in debug and release builds and in every version.
//!
//! `golden.txt` has one line per run: scene, steps, step, state hash; first with the scene's integrator, then with others.
//! `golden-joints.txt` has the same by joint coordinates, `golden-robots.txt` the bundled robot files. A change that is meant to change bits rewrites them:
//!
//! ```text
//! CARDAN_BLESS=1 cargo test -p cardan-cli --test golden
//! ```
//!
//! and the unoptimised and the optimised build must agree with what the test build wrote:
//!
//! ```text
//! cargo test --profile plain -p cardan-cli --test golden
//! cargo test --release -p cardan-cli --test golden
//! ```

mod support;

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use support::scene::Scene;
use support::{Mode, bundled_scenes, cardan, has_contacts, is_first_order, is_general, run, run_in};

/// The start of every run.
const STEPS: f64 = 200.0;

/// Runs of at most so many steps times bodies are also taken to their end; the unoptimised build does them in seconds.
const SHORT: f64 = 25_000.0;

/// One line per run, as in the file; by joint coordinates only the starts.
fn hashes(mode: Mode) -> String {
    let scenes = bundled_scenes();
    let mut lines = String::from("# scene, steps, step [s], state hash; see golden.rs\n");
    lines.extend(side_by_side(&scenes, |name, text| by_its_own_integrator(mode, name, text)));
    lines.extend(side_by_side(&scenes, |name, text| by_other_integrators(mode, name, text)));
    lines
}

/// The lines of every scene, in order; on all cores, since one test would otherwise run alone at the end.
fn side_by_side(scenes: &[(String, String)], lines: impl Fn(&str, &str) -> String + Sync) -> Vec<String> {
    let found: Vec<OnceLock<String>> = scenes.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let i = next.fetch_add(1, Relaxed);
            let Some((name, text)) = scenes.get(i) else { break };
            found[i].set(lines(name, text)).expect("each scene once");
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    found.into_iter().map(|lines| lines.into_inner().expect("every scene")).collect()
}

fn by_its_own_integrator(mode: Mode, name: &str, text: &str) -> String {
    let mut lines = String::new();
    let scene = Scene::parse(text);
    if mode == Mode::Joints && (has_contacts(text) || is_general(text) || is_first_order(text)) {
        return lines;
    }
    let whole = scene.until / scene.dt;
    let mut ends = vec![STEPS * scene.dt];
    if mode == Mode::Bodies && whole > STEPS && whole * scene.bodies.len() as f64 <= SHORT {
        ends.push(scene.until);
    }
    for until in ends {
        let end = run_in(mode, text, until, scene.dt);
        let hash = end["state_hash"].as_str().expect("a hash");
        let _ = writeln!(lines, "{name} {} {:?} {hash}", end["steps"], scene.dt);
    }
    lines
}

fn by_other_integrators(mode: Mode, name: &str, text: &str) -> String {
    let mut lines = String::new();
    let scene = Scene::parse(text);
    // RATTLE integrates poses of bodies only. The file of hashes keeps its old word, `long`.
    const RATTLE: (&str, &str) = ("rattle", "long");
    const DOPRI5: (&str, &str) = ("dopri5", "dopri5");
    let others: &[(&str, &str)] = if mode == Mode::Bodies { &[DOPRI5, RATTLE] } else { &[DOPRI5] };
    for &(integrator, label) in others {
        let is_rattle = integrator == RATTLE.0;
        // RATTLE refuses nonholonomic joints.
        if is_rattle && scene.holds_velocities() {
            continue;
        }
        // Neither joint coordinates nor RATTLE have inequalities; time stepping has steps of one size.
        if is_general(text) && (mode == Mode::Joints || is_rattle) {
            continue;
        }
        let is_stepped = text.contains("integrator = \"time-stepping\"");
        if has_contacts(text) && (mode == Mode::Joints || is_rattle || is_stepped) {
            continue;
        }
        let set = format!("simulation.integrator={integrator}");
        // A symplectic step is not divided, and a millisecond is too long for links that ring at 10 000 rad/s.
        let size = if name == "heavy-chain" && is_rattle { 1e-4 } else { scene.dt };
        let (until, dt) = (format!("{:?}", 100.0 * size), format!("{size:?}"));
        let word = if mode == Mode::Joints { "joints" } else { "bodies" };
        let coordinates = format!("simulation.coordinates={word}");
        let settings = ["--set", &set, "--set", &coordinates, "--json"];
        let end = cardan(&[&["run", "-", "--until", &until, "--dt", &dt], &settings[..]].concat(), text);
        let hash = end["state_hash"].as_str().expect("a hash");
        let _ = writeln!(lines, "{name}/{label} {} {dt} {hash}", end["steps"]);
    }
    lines
}

#[test]
fn state_hashes_are_those_written_down() {
    compare("tests/golden.txt", Mode::Bodies);
}

#[test]
fn state_hashes_by_joint_coordinates_are_those_written_down() {
    compare("tests/golden-joints.txt", Mode::Joints);
}

/// Robot files, walkers with a floating root: the file, the reader and the run.
#[test]
fn state_hashes_of_robots_are_those_written_down() {
    let mut lines = String::from("# robot, steps, step [s], state hash; see golden.rs\n");
    for robot in cardan_scene::bundled_robots() {
        let dt = 1e-3;
        let (until, size) = (format!("{:?}", STEPS * dt), format!("{dt:?}"));
        let mut args = vec!["run", robot.name, "--until", &until, "--dt", &size, "--json"];
        if robot.name.contains("walker") {
            args.push("--floating");
        }
        let end = cardan(&args, "");
        let hash = end["state_hash"].as_str().expect("a hash");
        let _ = writeln!(lines, "{} {} {dt:?} {hash}", robot.name, end["steps"]);
    }
    compare_lines("tests/golden-robots.txt", &lines);
}

fn compare(file: &str, mode: Mode) {
    compare_lines(file, &hashes(mode));
}

fn compare_lines(file: &str, found: &str) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("CARDAN_BLESS").is_some() {
        std::fs::write(&file, found).expect("the file can be written");
        return;
    }
    let written = std::fs::read_to_string(&file).expect("the file of hashes");
    let differ: Vec<String> = written
        .lines()
        .map(Some)
        .chain(std::iter::repeat(None))
        .zip(found.lines().map(Some).chain(std::iter::repeat(None)))
        .take(written.lines().count().max(found.lines().count()))
        .filter(|(old, new)| old != new)
        .map(|(old, new)| format!("  - {}\n  + {}", old.unwrap_or("nothing"), new.unwrap_or("nothing")))
        .collect();
    assert!(
        differ.is_empty(),
        "the bits changed:\n{}\nif that is meant, CARDAN_BLESS=1 writes them down",
        differ.join("\n")
    );
}

#[test]
fn a_run_repeated_repeats_its_bits() {
    for (name, text) in bundled_scenes() {
        let scene = Scene::parse(&text);
        let hash = || run(&text, 7.0 * scene.dt, scene.dt)["state_hash"].clone();
        assert_eq!(hash(), hash(), "{name}");
    }
}
