//! Describes scenes and times cardan on them: one JSON object in per line of standard input, one out per
//! line.
//!
//! | `do` | fields | answer |
//! |---|---|---|
//! | `generate` | `family`, `n` | `text`: the scene that `cardan generate` writes |
//! | `describe` | `scene`; `after` so many steps of `dt` | bodies, joints, and accelerations at that state, numbers only |
//! | `accelerations`, `evaluate`, `evaluate-rows`, `kinematics`, `step` | `scene`, `seconds`; `dt`, `integrator` for steps | ns of one call: least, median |
//! | | `sway` for steps, also of `repeat`: the targets of all servos move by as much before every step | |
//! | `run` | `scene`, `dt`, `until`, `integrator` | seconds, steps, widest joint, worst limit, energy balance, where bodies end |
//! | `repeat` | `scene`, `what` (one of these), `times`; `dt`, `integrator` for steps | how often: for counters of instructions |
//! | `batch` | `scene`, `count`, `threads`, `steps`, `dt`; `commands`: new targets of servos every step, `amplitude` of these | steps per second of all together, where joints of the first and last end |
//! | `robot` | `file`, `floating`, `states` of joints (and of the root) by name, `seconds` | joint accelerations at each, mass, centre and inertia at the first, ns of reading and of one call |
//! | `model` | the same, `keep` (names of joints), `actuation` | the same with springs, dampers and armatures, and the notes of the reader |
//! | `chain` | `n`, `seconds` | ns of one solve and one step, bytes held, peak memory of this process |
//!
//! Where `coordinates` is `joints` the coordinates of joints are carried, otherwise poses. `accounts` is what
//! scene files call so (`simulation.accounts`); an engine without that setting answers with an error.

mod batch;
mod chain;
mod describe;
mod measure;
mod robot;

use cardan::{Model, Settings, Simulation};
use cardan_scene::{Document, Family, Scene, SceneError};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::sync::Arc;

type Failure = Box<dyn std::error::Error>;

/// Of generated scenes, as the command has it.
const SEED: u64 = 1;

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
        "generate" => {
            let family: Family = text(asked, "family")?.parse()?;
            let n = asked["n"].as_u64().map(|n| n as usize).or(family.fixed_size()).unwrap_or(0);
            Ok(json!({ "text": family.generate(n, SEED)? }))
        }
        "describe" => match asked["after"].as_u64() {
            // As the file poses it: nothing is projected.
            None => describe::describe(&mut Simulation::new(loaded(asked)?.0)),
            Some(steps) => {
                let (mut sim, dt) = (start(asked)?, number(asked, "dt")?);
                for _ in 0..steps {
                    sim.step(dt)?;
                }
                describe::describe(&mut sim)
            }
        },
        "robot" => robot::robot(asked),
        "model" => robot::model(asked),
        "export" => robot::export(asked),
        "accelerations" => measure::accelerations(&mut start(asked)?, number(asked, "seconds")?),
        "evaluate" => measure::evaluations(&mut start(asked)?, number(asked, "seconds")?, false),
        "evaluate-rows" => measure::evaluations(&mut start(asked)?, number(asked, "seconds")?, true),
        "kinematics" => measure::kinematics(&mut start(asked)?, number(asked, "seconds")?),
        "step" => {
            let sway = asked["sway"].as_f64().unwrap_or(0.0);
            measure::steps(&mut start(asked)?, number(asked, "dt")?, number(asked, "seconds")?, sway)
        },
        "repeat" => {
            let (what, times) = (text(asked, "what")?, number(asked, "times")? as usize);
            let sway = asked["sway"].as_f64().unwrap_or(0.0);
            measure::repeat(&mut start(asked)?, what, times, asked["dt"].as_f64().unwrap_or(1e-3), sway)
        }
        "run" => measure::run(&mut start(asked)?, number(asked, "dt")?, number(asked, "until")?),
        "batch" => {
            let count = |name| number(asked, name).map(|count| count as usize);
            let size = batch::Size {
                count: count("count")?,
                threads: count("threads")?,
                steps: count("steps")?,
                dt: number(asked, "dt")?,
                commands: asked["commands"].as_bool().unwrap_or(false),
                amplitude: asked["amplitude"].as_f64().unwrap_or(batch::Size::AMPLITUDE),
            };
            batch::batch(&start(asked)?, &size)
        }
        "chain" => {
            let settings = settings_alone(asked)?;
            chain::chain(number(asked, "n")? as usize, number(asked, "seconds")?, settings)
        }
        other => Err(format!("do: `{other}` is not known").into()),
    }
}

/// The mechanism of a scene file, and its settings with what is asked for in their place.
fn loaded(asked: &Value) -> Result<(Arc<Model>, Settings), Failure> {
    let path = text(asked, "scene")?;
    let content = std::fs::read_to_string(path)?;
    let read = || -> Result<(Model, Settings), SceneError> {
        let (scene, document) = scene(path, content, asked)?;
        Ok((scene.to_model(&document)?, scene.settings(&document)?))
    };
    read().map(|(model, settings)| (Arc::new(model), settings)).map_err(|error| error.render().into())
}

/// The settings alone, where the mechanism comes from no file.
fn settings_alone(asked: &Value) -> Result<Settings, Failure> {
    let read = || -> Result<Settings, SceneError> {
        let (scene, document) =
            scene("settings", "[bodies.any]\nkind = \"particle\"\nmass = 1.0\n".to_string(), asked)?;
        scene.settings(&document)
    };
    read().map_err(|error| error.render().into())
}

/// The scene in words, so that settings which an engine lacks are found when it runs, not when it is built.
fn scene(name: &str, content: String, asked: &Value) -> Result<(Scene, Document), SceneError> {
    let mut document = Document::parse(name, content)?;
    let integrator = match asked["integrator"].as_str().unwrap_or("rk4") {
        "euler" => "semi-implicit-euler",
        other => other,
    };
    document.set(&format!("simulation.integrator={integrator}"))?;
    document.set(&format!("simulation.coordinates={}", asked["coordinates"].as_str().unwrap_or("bodies")))?;
    if let Some(accounts) = asked["accounts"].as_str() {
        document.set(&format!("simulation.accounts={accounts}"))?;
    }
    Ok((Scene::from_document(&document)?, document))
}

/// Where it starts.
fn start(asked: &Value) -> Result<Simulation, Failure> {
    let (model, settings) = loaded(asked)?;
    let mut sim = Simulation::with_settings(model, settings)?;
    sim.assemble()?;
    Ok(sim)
}

fn text<'a>(asked: &'a Value, name: &str) -> Result<&'a str, Failure> {
    asked[name].as_str().ok_or_else(|| format!("{name}: a text is expected").into())
}

fn number(asked: &Value, name: &str) -> Result<f64, Failure> {
    asked[name].as_f64().ok_or_else(|| format!("{name}: a number is expected").into())
}
