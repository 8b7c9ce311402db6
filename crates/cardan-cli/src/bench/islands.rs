//! Islands on threads: two hundred independent mechanisms, stepped by one thread and by more, alternating.

use crate::Failure;
use cardan::math::vec3;
use cardan::{Body, End, Gravity, Joint, World, WorldError};
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

const NAME: &str = "islands";
/// How many there are, and of how many rods the longest is.
const MECHANISMS: usize = 200;
const LONGEST: usize = 10;
const THREADS: [usize; 3] = [1, 2, 4];
/// Turns, and steps of each.
const TURNS: usize = 5;
const STEPS: usize = 60;

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    [NAME].into_iter()
}

/// So many threads.
#[derive(Serialize)]
pub(super) struct IslandRow {
    workload: &'static str,
    n: usize,
    what: &'static str,
    threads: usize,
    ns_per_body: f64,
    ns_per_body_min: f64,
    samples: usize,
    /// How many times as fast as one thread, by the least times.
    speedup: f64,
    state_hash: String,
}

/// Chains of 1 to ten rods on hinges, each on its own.
fn build() -> Result<World, WorldError> {
    let mut world = World::new(Gravity::new(0.0, 0.0, -9.81));
    for m in 0..MECHANISMS {
        let mut last = End::Ground;
        for i in 0..1 + m % LONGEST {
            let at = vec3(i as f64, m as f64, 0.0);
            let rod = world.add_body(Body { pos: at + vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) })?;
            let axis = vec3(0.1 * (i % 3) as f64, 1.0, 0.0);
            world.add_joint(Joint::revolute(last, rod, at, axis))?;
            last = End::Body(rod);
        }
    }
    Ok(world)
}

pub(super) fn measure(filter: &str) -> Result<Vec<IslandRow>, Failure> {
    if !NAME.contains(filter) {
        return Ok(Vec::new());
    }
    run().map_err(|error| Failure::Run(format!("{NAME}: {error}")))
}

fn run() -> Result<Vec<IslandRow>, WorldError> {
    let mut worlds = Vec::new();
    for threads in THREADS {
        let mut world = build()?;
        world.set_threads(threads)?;
        world.step(1e-3)?;
        worlds.push((world, Vec::new()));
    }
    let bodies = worlds[0].0.body_ids().count();
    for _ in 0..TURNS {
        for (world, times) in &mut worlds {
            let clock = Instant::now();
            for _ in 0..STEPS {
                world.step(1e-3)?;
            }
            times.push(clock.elapsed().as_secs_f64() * 1e9 / (STEPS * bodies) as f64);
        }
    }
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    let one = least(&worlds[0].1);
    let row = |((world, times), threads): (&mut (World, Vec<f64>), usize)| {
        times.sort_by(f64::total_cmp);
        IslandRow {
            workload: NAME,
            n: MECHANISMS,
            what: "step",
            threads,
            ns_per_body: times[times.len() / 2],
            ns_per_body_min: least(times),
            samples: TURNS,
            speedup: one / least(times),
            state_hash: format!("{:016x}", world.state_hash()),
        }
    };
    Ok(worlds.iter_mut().zip(THREADS).map(row).collect())
}

pub(super) fn table(rows: &[IslandRow]) -> String {
    let mut text = String::new();
    if rows.is_empty() {
        return text;
    }
    let _ =
        writeln!(text, "\n{MECHANISMS} mechanisms of 1 to {LONGEST} rods on threads, a whole step of rk4:");
    let _ =
        writeln!(text, "{:>8} {:>14} {:>14} {:>8}  state", "threads", "median [ns]", "least [ns]", "speed");
    for row in rows {
        let IslandRow { threads, ns_per_body, ns_per_body_min, speedup, state_hash, .. } = row;
        let _ = writeln!(
            text,
            "{threads:>8} {ns_per_body:>14.0} {ns_per_body_min:>14.0} {speedup:>7.2}×  {state_hash}"
        );
    }
    text
}
