//! Times of calls on a running mechanism. Inputs cycle through states of a run, so that no branch learns one
//! of them by heart.

use crate::Failure;
use cardan::{Simulation, State, StepError};
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// States that a measurement cycles through, at most; for mechanisms that are large, fewer.
const STATES: usize = 64;
const NUMBERS: usize = 400_000;
/// Steps from one state to the next, and their size [s].
const APART: usize = 4;
const STEP: f64 = 1e-3;
/// A sample lasts at least so long.
const SAMPLE: Duration = Duration::from_micros(200);
const LEAST_SAMPLES: usize = 3;

/// All accelerations and all joint loads, every one of them read.
pub(crate) fn accelerations(sim: &mut Simulation, seconds: f64) -> Result<Value, Failure> {
    let states = states(sim)?;
    let mut inputs = states.iter().cycle();
    time(seconds, || {
        let Some(state) = inputs.next() else { return Ok(()) };
        let answer = sim.accelerations_at(state)?;
        // Sums side by side: one long chain of additions would be slower than what is measured.
        let (sixes, _) = answer.values().as_chunks::<6>();
        let sums = sixes.iter().fold([0.0; 6], |sums, six| add(sums, *six));
        let sums = answer.joint_loads().fold(sums, |sums, load| {
            let (f, t) = (load.wrench.force, load.wrench.torque);
            add(sums, [f.x, f.y, f.z, t.x, t.y, t.z])
        });
        black_box(sums);
        Ok(())
    })
}

fn add(mut sums: [f64; 6], six: [f64; 6]) -> [f64; 6] {
    sums.iter_mut().zip(six).for_each(|(sum, x)| *sum += x);
    sums
}

/// The evaluation that reports are read from: accelerations and poses, no rows. With `rows` besides multipliers
/// by row, and the certificate of the answer.
pub(crate) fn evaluations(sim: &mut Simulation, seconds: f64, rows: bool) -> Result<Value, Failure> {
    let states = states(sim)?;
    let mut inputs = states.iter().cycle();
    time(seconds, || {
        let Some(state) = inputs.next() else { return Ok(()) };
        let now = sim.observe_at(state);
        black_box(now.accelerations());
        if rows {
            black_box((now.multipliers(), now.equation_residual()));
        }
        Ok(())
    })
}

/// Poses and velocities of all bodies of the present state, without a solve.
pub(crate) fn kinematics(sim: &mut Simulation, seconds: f64) -> Result<Value, Failure> {
    let mut all = Vec::new();
    time(seconds, || {
        sim.body_motions(&mut all);
        black_box(&all);
        black_box(sim.kinematics().accelerations());
        Ok(())
    })
}

/// Whole steps of a run, projection, certificate and balances included; from the start again after a while. With
/// `sway` the targets of all servos move before every step, by as much [rad, m], as those of a controller do: a
/// mechanism that stands still is not solved again.
pub(crate) fn steps(sim: &mut Simulation, dt: f64, seconds: f64, sway: f64) -> Result<Value, Failure> {
    let first = sim.state().clone();
    let mut done = 0;
    let mut targets = vec![0.0; sim.model().joint_order().servos().len()];
    time(seconds, || {
        if done == STATES * APART {
            sim.restore(&first)?;
            done = 0;
        }
        done += 1;
        move_targets(sim, sway, &mut targets)?;
        black_box(sim.step(dt)?);
        Ok(())
    })
}

fn move_targets(sim: &mut Simulation, sway: f64, targets: &mut [f64]) -> Result<(), Failure> {
    if sway > 0.0 {
        let at = 12.0 * sim.time();
        targets.iter_mut().enumerate().for_each(|(k, target)| *target = sway * (at + k as f64).sin());
        sim.set_targets(targets, None)?;
    }
    Ok(())
}

/// The same work so many times over, from the same state; `sway` as in [`steps`].
pub(crate) fn repeat(
    sim: &mut Simulation,
    what: &str,
    times: usize,
    dt: f64,
    sway: f64,
) -> Result<Value, Failure> {
    let first = sim.state().clone();
    let mut targets = vec![0.0; sim.model().joint_order().servos().len()];
    for k in 0..times {
        match what {
            "accelerations" => {
                black_box(sim.accelerations()?.values());
            }
            "evaluate" => {
                black_box(sim.evaluate()?.accelerations());
            }
            "evaluate-rows" => {
                let now = sim.evaluate()?;
                black_box((now.multipliers(), now.equation_residual()));
            }
            "kinematics" => {
                black_box(sim.kinematics().accelerations());
            }
            "step" => {
                if k % (STATES * APART) == 0 {
                    sim.restore(&first)?;
                }
                move_targets(sim, sway, &mut targets)?;
                black_box(sim.step(dt)?);
            }
            other => return Err(format!("what: `{other}` is not known").into()),
        }
    }
    Ok(json!({ "times": times, "bodies": sim.model().counts().bodies }))
}

/// A whole run, and what it left open.
pub(crate) fn run(sim: &mut Simulation, dt: f64, until: f64) -> Result<Value, Failure> {
    let begin = Instant::now();
    sim.run(until, dt)?;
    let seconds = begin.elapsed().as_secs_f64();
    let (certificate, balance) = (sim.certificate(), sim.balance());
    let (now, mut speed) = (sim.kinematics(), 0.0_f64);
    let mut ends = Vec::new();
    for id in now.model().body_ids() {
        let at = now.body(id);
        ends.push([at.position.x, at.position.y, at.position.z]);
        speed = speed.max(at.velocity.norm()).max(at.angular_velocity.norm());
    }
    Ok(json!({
        "seconds": seconds,
        "positions": ends,
        "speed": speed,
        "overlap": certificate.max_overlap,
        "steps": sim.steps(),
        "gap": certificate.max_position_error,
        "energy_error": balance.energy_error,
    }))
}

/// Snapshots along a run.
pub(crate) fn states(sim: &mut Simulation) -> Result<Vec<State>, StepError> {
    let count = (NUMBERS / sim.model().counts().variables.max(1)).clamp(2, STATES);
    let first = sim.state().clone();
    let mut states = Vec::with_capacity(count);
    for _ in 0..count {
        let apart = if count < STATES { 1 } else { APART };
        for _ in 0..apart {
            sim.step(STEP)?;
        }
        states.push(sim.state().clone());
    }
    sim.restore(&first)?;
    Ok(states)
}

/// Processor time of this process so far [s], where the system tells: on a machine that others use too, long
/// work says more by it than by the clock. It counts threads that have ended, too, which a sum over
/// `/proc/self/task` does not.
pub(crate) fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may have blanks; user and system time are fields 14 and 15, in
    // hundredths.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

/// Nanoseconds of one piece of work, which is done over and over for so long.
pub(crate) fn time(seconds: f64, mut work: impl FnMut() -> Result<(), Failure>) -> Result<Value, Failure> {
    let mut sample = |repeats: u32| -> Result<Duration, Failure> {
        let begin = Instant::now();
        for _ in 0..repeats {
            work()?;
        }
        Ok(begin.elapsed())
    };
    // Warms up, and finds how much makes a sample.
    let mut repeats = 1;
    while sample(repeats)? < SAMPLE {
        repeats *= 2;
    }
    let mut times = Vec::new();
    let begin = Instant::now();
    while begin.elapsed().as_secs_f64() < seconds || times.len() < LEAST_SAMPLES {
        times.push(sample(repeats)?.as_nanos() as f64 / f64::from(repeats));
    }
    times.sort_by(f64::total_cmp);
    Ok(json!({ "least": times[0], "median": times[times.len() / 2], "samples": times.len() }))
}
