//! Many mechanisms of one model, stepped side by side on some threads; with `commands` every servo of every
//! mechanism gets a new target before every step.

use crate::Failure;
use crate::measure::processor_seconds;
use cardan::joint::effort::EffortKind;
use cardan::joint_space::{OrderedPart, ServoEntry};
use cardan::{Batch, CommandSequence, Model, Simulation};
use serde_json::{Map, Value, json};
use std::time::Instant;

/// Targets swing about those of the servos: amplitude \[rad\] and angular frequency \[rad/s\], and phases by
/// joint and by mechanism. `mujoco_smooth.py` has the same numbers.
const WAVE: (f64, f64) = (0.05, 12.0);
const PHASES: (f64, f64) = (0.7, 0.01);

/// How a batch is stepped.
pub(crate) struct Size {
    pub(crate) count: usize,
    pub(crate) threads: usize,
    pub(crate) steps: usize,
    pub(crate) dt: f64,
    pub(crate) commands: bool,
    /// Of targets \[rad\].
    pub(crate) amplitude: f64,
}

impl Size {
    /// The usual amplitude.
    pub(crate) const AMPLITUDE: f64 = WAVE.0;
}

pub(crate) fn batch(one: &Simulation, size: &Size) -> Result<Value, Failure> {
    let &Size { count, threads, steps, dt, commands, amplitude } = size;
    let states = vec![one.state().clone(); count];
    let mut all = Batch::new(one.model().clone(), *one.settings(), &states)?;
    all.set_threads(threads)?;
    let servos = if commands { one.model().joint_order().servos() } else { &[] };
    let mut targets = Vec::with_capacity(count * steps * servos.len());
    for index in 0..count {
        (0..steps).for_each(|step| targets.extend(targets_of(one.model(), servos, index, (step as f64 * dt, amplitude))));
    }
    let sequence = CommandSequence { targets: commands.then_some(&targets), ..CommandSequence::default() };
    let (begin, before) = (Instant::now(), processor_seconds());
    match commands {
        true => all.steps_with(steps, dt, sequence)?,
        false => all.steps(steps as u64, dt)?,
    }
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
    let mut ends = Vec::new();
    for index in [0, count.saturating_sub(1)] {
        let mut alone = Simulation::with_settings(one.model().clone(), *one.settings())?;
        alone.restore(one.state())?;
        for step in 0..steps {
            if commands {
                let targets: Vec<f64> = targets_of(one.model(), servos, index, (step as f64 * dt, amplitude)).collect();
                alone.set_targets(&targets, None)?;
            }
            alone.step(dt)?;
        }
        if all.state(index)?.hash(one.model()) != alone.state_hash() {
            return Err(Failure::from("a mechanism in the batch has other bits than one alone"));
        }
        ends.push(positions_of(&mut alone));
    }
    Ok(json!({
        "seconds": seconds, "processor_seconds": processor, "steps": done, "steps_per_second": done as f64 / seconds,
        "in_lanes": all.in_lanes(), "ends": ends,
    }))
}

/// Targets of the servos of a mechanism at a time.
fn targets_of<'m>(
    model: &'m Model,
    servos: &'m [ServoEntry],
    index: usize,
    (time, amplitude): (f64, f64),
) -> impl Iterator<Item = f64> + 'm {
    servos.iter().map(move |servo| {
        let joint = servo.joint.index();
        let rest = model.joints()[joint].efforts.iter().find_map(|effort| match &effort.kind {
            EffortKind::Servo(own) => Some(own.law.at(0.0).value),
            _ => None,
        });
        let phase = PHASES.0 * joint as f64 + PHASES.1 * index as f64;
        rest.unwrap_or(0.0) + amplitude * (WAVE.1 * time + phase).sin()
    })
}

/// Positions of joints with one coordinate, by name.
fn positions_of(sim: &mut Simulation) -> Value {
    let (model, positions) = (sim.model().clone(), sim.joint_positions());
    let mut found = Map::new();
    for entry in model.joint_order().entries().iter().filter(|entry| entry.positions.len() == 1) {
        if let OrderedPart::Joint(joint) = entry.part {
            let name = model.joints()[joint.index()].name.clone();
            found.insert(name, positions[entry.positions.start].into());
        }
    }
    Value::Object(found)
}
