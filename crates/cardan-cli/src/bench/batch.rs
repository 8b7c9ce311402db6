//! A batch: humanoids in different states, stepped one by one and in lanes, on one thread and on two, alternating.

use super::workload::WORKLOADS;
use crate::Failure;
use cardan::{Batch, Coordinates, Integrator, Model, Settings, Simulation};
use serde::Serialize;
use std::fmt::{Display, Write};
use std::sync::Arc;
use std::time::Instant;

const NAME: &str = "batch";
/// How many there are, of which workload.
const MECHANISMS: usize = 64;
const OF: &str = "humanoid";
const THREADS: [usize; 2] = [1, 2];
/// Turns, and steps of each.
const TURNS: usize = 5;
const STEPS: u64 = 20;
const H: f64 = 1e-3;

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    [NAME].into_iter()
}

/// One way to step them.
#[derive(Serialize)]
pub(super) struct BatchRow {
    workload: &'static str,
    n: usize,
    what: &'static str,
    /// What is carried: `poses`, with projection, or `joints`.
    coordinates: &'static str,
    /// How many go in lanes; without any they are simulations one by one.
    in_lanes: usize,
    threads: usize,
    ns_per_body: f64,
    ns_per_body_min: f64,
    samples: usize,
    /// How many times as fast as one by one, by the least times.
    speedup: f64,
    /// The last one's.
    state_hash: String,
}

pub(super) fn measure(filter: &str) -> Result<Vec<BatchRow>, Failure> {
    let Some(workload) = WORKLOADS.iter().find(|w| w.name.contains(OF) && NAME.contains(filter)) else {
        return Ok(Vec::new());
    };
    let model = workload.model()?;
    let mut rows = measure_with(&model, ("poses", Coordinates::Bodies))?;
    rows.extend(measure_with(&model, ("joints", Coordinates::Joints))?);
    Ok(rows)
}

fn measure_with(
    model: &Arc<Model>,
    (name, coordinates): (&'static str, Coordinates),
) -> Result<Vec<BatchRow>, Failure> {
    let integrator = Integrator::SemiImplicitEuler;
    let settings = Settings { integrator, coordinates, ..Settings::default() };
    let mut alone = Vec::new();
    for i in 0..MECHANISMS {
        // Each is a step farther along the same motion.
        let mut sim = Simulation::with_settings(model.clone(), settings).map_err(bad)?;
        for _ in 0..=i {
            sim.step(H).map_err(bad)?;
        }
        alone.push(sim);
    }
    let states: Vec<_> = alone.iter().map(|sim| sim.state().clone()).collect();
    let mut batches = Vec::new();
    for threads in THREADS {
        let mut batch = Batch::new(model.clone(), settings, &states).map_err(bad)?;
        batch.set_threads(threads).map_err(bad)?;
        batches.push((batch, Vec::new()));
    }
    let per_body = 1e9 / (STEPS as usize * MECHANISMS * model.bodies().len()) as f64;
    let mut times = Vec::new();
    for _ in 0..TURNS {
        let clock = Instant::now();
        for sim in &mut alone {
            for _ in 0..STEPS {
                sim.step(H).map_err(bad)?;
            }
        }
        times.push(clock.elapsed().as_secs_f64() * per_body);
        for (batch, times) in &mut batches {
            let clock = Instant::now();
            batch.steps(STEPS, H).map_err(bad)?;
            times.push(clock.elapsed().as_secs_f64() * per_body);
        }
    }
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    let one = least(&times);
    let row = |in_lanes: usize, threads: usize, mut times: Vec<f64>, hash: u64| {
        times.sort_by(f64::total_cmp);
        BatchRow {
            workload: NAME,
            n: MECHANISMS,
            what: "step",
            coordinates: name,
            in_lanes,
            threads,
            ns_per_body: times[times.len() / 2],
            ns_per_body_min: least(&times),
            samples: times.len(),
            speedup: one / least(&times),
            state_hash: format!("{hash:016x}"),
        }
    };
    let mut rows = vec![row(0, 1, times, alone[MECHANISMS - 1].state_hash())];
    for ((batch, times), threads) in batches.into_iter().zip(THREADS) {
        let hash = batch.state(MECHANISMS - 1).map_err(bad)?.hash(model);
        rows.push(row(batch.in_lanes(), threads, times, hash));
    }
    Ok(rows)
}

fn bad(error: impl Display) -> Failure {
    Failure::Run(format!("{NAME}: {error}"))
}

pub(super) fn table(rows: &[BatchRow]) -> String {
    let mut text = String::new();
    if rows.is_empty() {
        return text;
    }
    let _ = writeln!(text, "\n{MECHANISMS} humanoids, a whole step of semi-implicit Euler:");
    let _ = writeln!(
        text,
        "{:<7} {:>8} {:>8} {:>14} {:>14} {:>8}  state of the last",
        "carried", "in lanes", "threads", "median [ns]", "least [ns]", "speed"
    );
    for row in rows {
        let BatchRow {
            coordinates,
            in_lanes,
            threads,
            ns_per_body,
            ns_per_body_min,
            speedup,
            state_hash,
            ..
        } = row;
        let _ = writeln!(
            text,
            "{coordinates:<7} {in_lanes:>8} {threads:>8} {ns_per_body:>14.1} {ns_per_body_min:>14.1} {speedup:>7.2}×  {state_hash}"
        );
    }
    text
}
