//! How a workload is measured.

use super::split::{AuxiliarySplit, split};
use super::workload::Workload;
use crate::Failure;
use cardan::solve::FactorError;
use cardan::{Integrator, LinearSolve, Model, Settings, Simulation, State, StepError};
use serde::Serialize;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Different states that a measurement cycles through.
const STATES: usize = 64;
/// Different states for mechanisms of more than [`LARGE`] bodies: fewer, since states would not fit into memory.
const STATES_OF_LARGE: usize = 8;
const LARGE: usize = 10_000;
/// Steps from one such state to the next, and their size [s].
const STEPS_BETWEEN_STATES: usize = 4;
const STEP: f64 = 1e-3;
/// A sample is repeated work of at least this long: a thousand times the grain of the clock.
const SAMPLE: Duration = Duration::from_micros(200);
/// Samples are taken for this long, then until there are this many or the time limit is reached.
const BUDGET: Duration = Duration::from_millis(250);
const LEAST_SAMPLES: usize = 15;
const LONGEST_SAMPLING: Duration = Duration::from_secs(2);

/// One line of the result. Times are medians and minima over the samples, per body and solve (or step).
#[derive(Serialize)]
pub(crate) struct Measurement {
    pub(crate) workload: String,
    pub(crate) n: usize,
    pub(crate) what: &'static str,
    pub(crate) ns_per_body: f64,
    pub(crate) ns_per_body_min: f64,
    pub(crate) bytes_per_body: f64,
    /// Of one elimination, per body; 0 where they are not counted.
    pub(crate) operations: f64,
    pub(crate) samples: usize,
    /// Of solves: the linear solve alone.
    #[serde(flatten)]
    pub(crate) linear: Option<LinearSolveTimes>,
    /// Of solves with auxiliary rows: what the pieces of the linear solve take.
    #[serde(flatten)]
    pub(crate) split: Option<AuxiliarySplit>,
}

impl Measurement {
    /// At so many nanoseconds per body.
    pub(super) fn steps_per_second(&self, per_body: f64) -> f64 {
        1e9 / (per_body * self.n as f64)
    }
}

/// The elimination alone, from given M, F, J, c (or what stands for them) to accelerations and loads: with a fresh factor,
/// and once more with the factor at hand.
#[derive(Serialize)]
pub(crate) struct LinearSolveTimes {
    #[serde(rename = "factor_and_solve_ns_per_body")]
    pub(crate) both: f64,
    #[serde(rename = "further_solve_ns_per_body")]
    pub(crate) further: f64,
    /// The least of the first, of all bodies together.
    #[serde(skip)]
    pub(crate) least: f64,
    /// (both − further) / further, from the least times.
    pub(crate) factor_over_solve: f64,
}

/// Solves, steps with RK4, steps with semi-implicit Euler; all with projection.
pub(crate) fn measure(workload: &Workload) -> Result<Vec<Measurement>, Failure> {
    let name = workload.name;
    let failed = |error: StepError| Failure::Run(format!("{name}: {error}"));
    let model = workload.model()?;
    let states = states(&model).map_err(failed)?;
    let mut sim = start(workload, &model, Integrator::Rk4).map_err(failed)?;
    let n = model.bodies().len();
    let per_body = |x: f64| x / n as f64;

    let operations =
        sim.diagnostics().elimination_operations().map_or(0.0, |count| per_body(count.total() as f64));
    let bytes_per_body = per_body(sim.diagnostics().bytes() as f64);
    let row = |workload: String, what, operations, times: Times| Measurement {
        workload,
        n,
        what,
        ns_per_body: per_body(times.median),
        ns_per_body_min: per_body(times.least),
        bytes_per_body,
        operations,
        samples: times.samples,
        linear: None,
        split: None,
    };
    let solve = time(states.iter().cycle(), |state| solve(&mut sim, state)).map_err(failed)?;
    let unsolved = |error: FactorError| Failure::Run(format!("{name}: {error}"));
    let mut alone = sim.diagnostics().linear_solve().map_err(failed)?;
    let linear = linear(&mut alone, n).map_err(unsolved)?;
    let split = split(&mut alone).map_err(unsolved)?;
    let solve = row(name.to_string(), "solve", operations, solve);
    let mut rows = vec![Measurement { linear: Some(linear), split, ..solve }];
    if workload.steps {
        let rk4 = time(repeated_run(&states), |state| step(&mut sim, state)).map_err(failed)?;
        rows.push(row(name.to_string(), "step", 0.0, rk4));
        let mut sim = start(workload, &model, Integrator::SemiImplicitEuler).map_err(failed)?;
        let euler = time(repeated_run(&states), |state| step(&mut sim, state)).map_err(failed)?;
        rows.push(row(format!("{name}-semi-implicit-euler"), "step", 0.0, euler));
    }
    Ok(rows)
}

fn start(workload: &Workload, model: &Arc<Model>, integrator: Integrator) -> Result<Simulation, StepError> {
    let settings = Settings { integrator, ..workload.settings() };
    let mut sim = Simulation::with_settings(model.clone(), settings)?;
    sim.assemble()?;
    Ok(sim)
}

/// Snapshots of a run with the usual settings.
fn states(model: &Arc<Model>) -> Result<Vec<State>, StepError> {
    let mut sim = Simulation::new(model.clone());
    let large = model.bodies().len() > LARGE;
    let (count, apart) = if large { (STATES_OF_LARGE, 1) } else { (STATES, STEPS_BETWEEN_STATES) };
    let mut states = Vec::with_capacity(count);
    for _ in 0..count {
        for _ in 0..apart {
            sim.step(STEP)?;
        }
        states.push(sim.state().clone());
    }
    Ok(states)
}

/// One whole acceleration solve: kinematics, inertias, biases, elimination; every acceleration and every load is used.
fn solve(sim: &mut Simulation, state: &State) -> Result<(), StepError> {
    let answer = sim.accelerations_at(state)?;
    // Six independent sums, by value: one long chain of additions, or sums in memory, would be slower than what is measured.
    let add = |mut sums: [f64; 6], six: [f64; 6]| {
        sums.iter_mut().zip(six).for_each(|(sum, x)| *sum += x);
        sums
    };
    let (sixes, rest) = answer.values().as_chunks::<6>();
    let sums = sixes.iter().fold([0.0; 6], |sums, six| add(sums, *six));
    let sums = answer.joint_loads().fold(sums, |sums, load| {
        let (f, t) = (load.wrench.force, load.wrench.torque);
        add(sums, [f.x, f.y, f.z, t.x, t.y, t.z])
    });
    black_box(rest);
    black_box(sums);
    Ok(())
}

/// A running simulation over and over: the first state, and then steps on from the present state, about as far as the states go.
fn repeated_run(states: &[State]) -> impl Iterator<Item = Option<&State>> {
    (0..states.len() * STEPS_BETWEEN_STATES).map(|k| (k == 0).then(|| &states[0])).cycle()
}

/// One whole step, projection, certificate and balances included; from a given state, or from where the last one ended.
fn step(sim: &mut Simulation, state: Option<&State>) -> Result<(), StepError> {
    if let Some(state) = state {
        sim.restore(state).unwrap();
    }
    black_box(sim.step(STEP)?);
    Ok(())
}

/// One state is enough here: no decision of an elimination depends on it.
fn linear(solve: &mut LinearSolve, n: usize) -> Result<LinearSolveTimes, FactorError> {
    let both = time(std::iter::repeat(()), |()| {
        solve.factor_and_solve()?;
        black_box(&*solve);
        Ok::<(), FactorError>(())
    })?;
    let further = time(std::iter::repeat(()), |()| {
        solve.solve_again();
        black_box(&*solve);
        Ok::<(), FactorError>(())
    })?;
    Ok(LinearSolveTimes {
        both: both.median / n as f64,
        further: further.median / n as f64,
        least: both.least,
        factor_over_solve: (both.least - further.least) / further.least,
    })
}

/// Nanoseconds of one piece of work.
struct Times {
    median: f64,
    least: f64,
    samples: usize,
}

/// Times one piece of work on one input after the other, from a list without end.
fn time<I, E>(
    mut inputs: impl Iterator<Item = I>,
    mut work: impl FnMut(I) -> Result<(), E>,
) -> Result<Times, E> {
    let mut sample = |repeats: usize| -> Result<Duration, E> {
        let begin = Instant::now();
        for input in inputs.by_ref().take(repeats) {
            work(black_box(input))?;
        }
        Ok(begin.elapsed())
    };
    // Warms up, and finds how much makes a sample.
    let mut repeats = 1;
    while sample(repeats)? < SAMPLE {
        repeats *= 2;
    }
    let mut times = Vec::with_capacity(4 * BUDGET.as_micros() as usize / SAMPLE.as_micros() as usize);
    let begin = Instant::now();
    loop {
        times.push(sample(repeats)?.as_nanos() as f64 / repeats as f64);
        let elapsed = begin.elapsed();
        if elapsed >= LONGEST_SAMPLING || (elapsed >= BUDGET && times.len() >= LEAST_SAMPLES) {
            break;
        }
    }
    times.sort_by(f64::total_cmp);
    let (half, samples) = (times.len() / 2, times.len());
    let median = if samples % 2 == 1 { times[half] } else { 0.5 * (times[half - 1] + times[half]) };
    Ok(Times { median, least: times[0], samples })
}
