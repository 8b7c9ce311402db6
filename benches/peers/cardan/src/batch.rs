//! Many mechanisms of one model, each a simulation of its own, on some threads. A `Batch` of lanes would take its place here.

use crate::Failure;
use cardan::{Simulation, StepError};
use serde_json::{Value, json};
use std::time::Instant;

pub(crate) fn batch(
    one: &Simulation,
    count: usize,
    threads: usize,
    steps: usize,
    dt: f64,
) -> Result<Value, Failure> {
    // Each thread takes one mechanism after the other through all its steps: its numbers stay in the cache.
    let share = count.div_ceil(threads.max(1));
    let begin = Instant::now();
    let done = std::thread::scope(|scope| {
        let work = || -> Result<usize, StepError> {
            let (settings, model, first) = (*one.settings(), one.model().clone(), one.state());
            let mut sim = Simulation::with_settings(model, settings)?;
            let mut done = 0;
            for _ in 0..share {
                sim.restore(first)?;
                for _ in 0..steps {
                    sim.step(dt)?;
                    done += 1;
                }
            }
            Ok(done)
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let results = workers
            .into_iter()
            .map(|worker| worker.join().map_err(|_| Failure::from("a thread ended early")));
        let mut done = 0;
        for result in results {
            done += result??;
        }
        Ok::<usize, Failure>(done)
    })?;
    let seconds = begin.elapsed().as_secs_f64();
    Ok(json!({ "seconds": seconds, "steps": done, "steps_per_second": done as f64 / seconds }))
}
