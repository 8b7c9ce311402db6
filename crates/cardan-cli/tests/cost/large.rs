//! Long chains by the command alone: 512 random joints checked from the outside, 100 000 bodies within time and memory.

use crate::support;

use crate::support::outside::check_outside;
use crate::support::{command, solve};
use serde::Deserialize;
use std::process::{Command, Stdio};
use std::time::Instant;

fn generated(family: &str, n: usize, seed: u64) -> String {
    let (n, seed) = (n.to_string(), seed.to_string());
    let out = command(&["generate", family, "--n", &n, "--seed", &seed], b"");
    assert_eq!(out.code, 0, "{family}: {}", out.stderr);
    out.stdout
}

/// Forces, accelerations and joints of 512 bodies in a row, to the bound that holds for a single one.
#[test]
fn chains_of_512_random_joints_obey_newton_and_their_joints() {
    for family in ["spherical-chain", "chain"] {
        for seed in 1..=4 {
            let text = generated(family, 512, seed);
            let printed = solve(&text);
            assert_eq!(printed["counts"]["joints"], 512);
            let report = check_outside(&text, &printed);
            let what = format!("{family}, seed {seed}");
            println!("{what}: {:?}", report.worst());
            assert!(report.beyond(1e-11).is_empty(), "{what}:\n{}", report.beyond(1e-11).join("\n"));
            assert!(report.skipped.is_empty(), "{what}: {:?}", report.skipped);
            // Per body two balances, per joint acceleration, turning and reaction at the least: nothing was left out.
            assert!(report.items.len() >= 512 * 4, "{what}: {} items", report.items.len());
        }
    }
}

/// What is read of the output; bodies and joints are some hundred megabytes of text.
#[derive(Deserialize)]
struct Printed {
    status: String,
    counts: Counts,
    certificate: Certificate,
}

#[derive(Deserialize)]
struct Counts {
    bodies: usize,
    rank: usize,
    freedoms: usize,
}

#[derive(Deserialize)]
struct Certificate {
    max_position_error: f64,
    max_velocity_error: f64,
    max_equation_residual: f64,
}

/// 2 GB in KiB, as `ulimit` counts.
const MOST_MEMORY: &str = "1953125";
/// Ten times what it takes, for machines that have other work; quadratic time would take hours.
const MOST_SECONDS: f64 = 60.0;

#[test]
fn a_hundred_thousand_bodies_are_solved_within_time_and_two_gigabytes() {
    let cardan = env!("CARGO_BIN_EXE_cardan");
    let clock = Instant::now();
    let mut writer = Command::new(cardan)
        .args(["generate", "chain", "--n", "100000"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the cardan command starts");
    // On Linux a limit on the address space holds the memory in use down for certain; elsewhere that is not enforced.
    let mut reader = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {MOST_MEMORY} && exec \"$0\" \"$@\""), cardan]);
        shell
    } else {
        Command::new(cardan)
    };
    let scene = writer.stdout.take().expect("piped");
    let out = reader.args(["solve", "-", "--json"]).stdin(scene).output().expect("the cardan command starts");
    let seconds = clock.elapsed().as_secs_f64();
    assert!(writer.wait().expect("it ends").success());
    assert!(out.status.success(), "{}: {}", out.status, String::from_utf8_lossy(&out.stderr));

    let printed: Printed = serde_json::from_slice(&out.stdout).expect("one JSON value");
    let Certificate { max_position_error, max_velocity_error, max_equation_residual } = printed.certificate;
    println!(
        "{seconds:.2} s, {} MB of JSON, residual {max_equation_residual:e}",
        out.stdout.len() / 1_000_000
    );
    assert_eq!(printed.status, "completed");
    let counts = (printed.counts.bodies, printed.counts.rank, printed.counts.freedoms);
    assert_eq!(counts, (100_000, 500_000, 100_000));
    assert!(max_equation_residual < 1e-11, "{max_equation_residual:e}");
    // The places as written, some hundred metres from the origin.
    assert!(
        max_position_error < 1e-11 && max_velocity_error < 1e-9,
        "{max_position_error:e}, {max_velocity_error:e}"
    );
    assert!(seconds < MOST_SECONDS, "took {seconds:.1} s");
}

/// The check of the check: what needs more than the limit does fail under it.
#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_of_that_test_bites() {
    let line = "ulimit -v 100000 && exec \"$0\" \"$@\"";
    let cardan = env!("CARGO_BIN_EXE_cardan");
    let scene = generated("chain", 20_000, 1);
    std::fs::write(support::scratch("limited.toml"), scene).expect("a file");
    let args = ["-c", line, cardan, "solve", "limited.toml", "--json"];
    let out =
        Command::new("sh").args(args).current_dir(env!("CARGO_TARGET_TMPDIR")).output().expect("a shell");
    assert!(!out.status.success(), "a hundred megabytes were enough for 20 000 bodies");
}
