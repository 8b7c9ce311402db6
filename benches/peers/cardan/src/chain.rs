//! A long chain of hinged rods, built straight from parts: a file of a million bodies would be most of what
//! is measured.

use crate::Failure;
use crate::measure::{processor_seconds, time};
use cardan::math::{Quat, Vec3, vec3};
use cardan::{Body, Coordinates, End, Gravity, Integrator, Joint, Model, ModelBuilder, Settings, Simulation};
use serde_json::{Value, json};
use std::hint::black_box;
use std::sync::Arc;

const STEP: f64 = 1e-3;
const STRETCH: usize = 100;

pub(crate) fn chain(n: usize, seconds: f64, settings: Settings) -> Result<Value, Failure> {
    let model = Arc::new(model(n)?);
    let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..settings };
    let mut sim = Simulation::with_settings(model, settings)?;
    let coordinates = if sim.settings().coordinates == Coordinates::Joints { "joints" } else { "bodies" };
    let built = peak();
    // Long chains never get so far, and a state more is memory that is not theirs.
    let first = (n <= 100_000).then(|| sim.state().clone());
    sim.step(STEP)?;
    let (mut done, mut all, before) = (0, 0_u32, processor_seconds());
    let step = time(seconds, || {
        // Short chains crack like whips after a while.
        if done == STRETCH
            && let Some(first) = &first
        {
            sim.restore(first)?;
            done = 0;
        }
        (done, all) = (done + 1, all + 1);
        black_box(sim.step(STEP)?);
        Ok(())
    })?;
    let processor =
        processor_seconds().zip(before).map(|(after, before)| 1e9 * (after - before) / f64::from(all));
    let (solves, steps) = (sim.diagnostics().work_counts().solves, sim.steps());
    let solve = time(seconds, || {
        let answer = sim.accelerations()?;
        black_box(answer.values().iter().sum::<f64>());
        black_box(answer.joint_loads().map(|load| load.wrench.force.x).sum::<f64>());
        Ok(())
    })?;
    Ok(json!({
        "n": n,
        "coordinates": coordinates,
        "solve": solve,
        "step": step,
        "step_processor": processor,
        "bytes_per_body": sim.diagnostics().bytes() as f64 / n as f64,
        "bytes_moved_per_body": sim.diagnostics().bytes_moved_per_body(),
        "parts": sim.diagnostics().bytes_by_part().iter().map(|(what, bytes)| json!([what, bytes / n])).collect::<Vec<_>>(),
        "gap": sim.certificate().max_position_error,
        "residual": sim.certificate().max_equation_residual,
        "solves_per_step": solves as f64 / steps as f64,
        "peak_built": built,
        "peak": peak(),
    }))
}

/// Rods of 10 cm that go round a wide ring, with axes that turn: hinges of all directions, nothing redundant.
fn model(n: usize) -> Result<Model, Failure> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let (mut end, mut before) = (Vec3::ZERO, End::Ground);
    for i in 0..n {
        let angle = 0.37 * i as f64;
        let along = vec3(angle.cos(), angle.sin(), -0.2);
        let along = along * (1.0 / along.norm());
        let turn = Quat::exp(vec3(0.0, 0.0, angle));
        let rod = parts.add_body(Body { pos: end + along * 0.05, rot: turn, ..Body::rod(0.1, 0.1, 0.005) });
        parts.add_joint(Joint::revolute(
            before,
            rod,
            [end.x, end.y, end.z],
            [angle.sin(), 1.0, 0.5 * angle.cos()],
        ));
        (end, before) = (end + along * 0.1, rod.into());
    }
    Ok(parts.build()?)
}

/// The most memory that this process has had, in bytes, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}
