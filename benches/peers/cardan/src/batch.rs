//! Many mechanisms of one model, stepped side by side on some threads.

use crate::Failure;
use crate::measure::processor_seconds;
use cardan::{Batch, Simulation};
use serde_json::{Value, json};
use std::time::Instant;

pub(crate) fn batch(
    one: &Simulation,
    count: usize,
    threads: usize,
    steps: usize,
    dt: f64,
) -> Result<Value, Failure> {
    let states = vec![one.state().clone(); count];
    let mut all = Batch::new(one.model().clone(), *one.settings(), &states)?;
    all.set_threads(threads)?;
    let (begin, before) = (Instant::now(), processor_seconds());
    all.steps(steps as u64, dt)?;
    let (seconds, after) = (begin.elapsed().as_secs_f64(), processor_seconds());
    let processor = after.zip(before).map(|(after, before)| after - before);
    let mut done = 0;
    for index in 0..count {
        if let Some(error) = all.failure(index)? {
            return Err(Failure::from(error.to_string().as_str()));
        }
        done += all.steps_of(index)?;
    }
    // The first and the last must have gone where one alone goes.
    let mut alone = Simulation::with_settings(one.model().clone(), *one.settings())?;
    alone.restore(one.state())?;
    for _ in 0..steps {
        alone.step(dt)?;
    }
    for index in [0, count.saturating_sub(1)] {
        if all.state(index)?.hash(one.model()) != alone.state_hash() {
            return Err(Failure::from("a mechanism in the batch has other bits than one alone"));
        }
    }
    Ok(json!({
        "seconds": seconds, "processor_seconds": processor, "steps": done, "steps_per_second": done as f64 / seconds, "in_lanes": all.in_lanes()
    }))
}
