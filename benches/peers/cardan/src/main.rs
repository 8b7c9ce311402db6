//! Describes scenes and times cardan on them: one JSON object in per line of standard input, one out per line.
//!
//! | `do` | fields | answer |
//! |---|---|---|
//! | `describe` | `scene` | bodies, joints, and accelerations at the start, numbers only |
//! | `accelerations`, `evaluate`, `step` | `scene`, `seconds`; `dt`, `integrator` for steps | ns of one call: least, median |
//! | `run` | `scene`, `dt`, `until`, `integrator` | seconds, steps, widest joint, energy balance |
//! | `repeat` | `scene`, `what` (one of the three), `times`; `dt`, `integrator` for steps | how often: for counters of instructions |
//! | `batch` | `scene`, `count`, `threads`, `steps`, `dt` | steps per second of all together |
//! | `chain` | `n`, `seconds` | ns of one solve and one step, bytes held, peak memory of this process |
//!
//! Where `coordinates` is `joints` the coordinates of joints are carried, otherwise poses.

mod batch;
mod chain;
mod describe;
mod measure;

use cardan::{Coordinates, Integrator, Model, Settings, Simulation};
use cardan_scene::{Document, Scene, SceneError};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::sync::Arc;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line?)?;
        let answer = answer(&asked).unwrap_or_else(|error| json!({ "error": error.to_string() }));
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(asked: &Value) -> Result<Value, Failure> {
    match text(asked, "do")? {
        "describe" => describe::describe(&model(asked)?),
        "accelerations" => measure::accelerations(&mut start(asked)?, number(asked, "seconds")?),
        "evaluate" => measure::evaluations(&mut start(asked)?, number(asked, "seconds")?),
        "step" => measure::steps(&mut start(asked)?, number(asked, "dt")?, number(asked, "seconds")?),
        "repeat" => {
            let (what, times) = (text(asked, "what")?, number(asked, "times")? as usize);
            measure::repeat(&mut start(asked)?, what, times, asked["dt"].as_f64().unwrap_or(1e-3))
        }
        "run" => measure::run(&mut start(asked)?, number(asked, "dt")?, number(asked, "until")?),
        "batch" => {
            let count = |name| number(asked, name).map(|count| count as usize);
            batch::batch(
                &start(asked)?,
                count("count")?,
                count("threads")?,
                count("steps")?,
                number(asked, "dt")?,
            )
        }
        "chain" => chain::chain(number(asked, "n")? as usize, number(asked, "seconds")?),
        other => Err(format!("do: `{other}` is not known").into()),
    }
}

/// The mechanism of a scene file.
fn model(asked: &Value) -> Result<Arc<Model>, Failure> {
    let path = text(asked, "scene")?;
    let content = std::fs::read_to_string(path)?;
    let build = || -> Result<Model, SceneError> {
        let document = Document::parse(path, &content)?;
        Scene::from_document(&document)?.to_model(&document)
    };
    build().map(Arc::new).map_err(|error| error.render().into())
}

/// Where it starts, with the usual settings but for the integrator and what it carries.
fn start(asked: &Value) -> Result<Simulation, Failure> {
    let integrator = match asked["integrator"].as_str() {
        Some("euler") => Integrator::SemiImplicitEuler,
        _ => Integrator::Rk4,
    };
    let coordinates = match asked["coordinates"].as_str() {
        Some("joints") => Coordinates::Joints,
        _ => Coordinates::Bodies,
    };
    let settings = Settings { integrator, coordinates, ..Settings::default() };
    let mut sim = Simulation::with_settings(model(asked)?, settings)?;
    sim.assemble()?;
    Ok(sim)
}

fn text<'a>(asked: &'a Value, name: &str) -> Result<&'a str, Failure> {
    asked[name].as_str().ok_or_else(|| format!("{name}: a text is expected").into())
}

fn number(asked: &Value, name: &str) -> Result<f64, Failure> {
    asked[name].as_f64().ok_or_else(|| format!("{name}: a number is expected").into())
}
