//! `cardan draw`: the mechanism as a line drawing, at one or more times.

use crate::Failure;
use crate::args::DrawArgs;
use crate::load::Loaded;
use crate::output;
use crate::picture::drawing::{Moment, draw as draw_one, strip};
use crate::report::short;
use crate::sketch::sketch;

pub(crate) fn draw(args: &DrawArgs) -> Result<(), Failure> {
    output::check_picture(&args.output)?;
    let mut loaded = Loaded::new(&args.scene)?;
    let dt = loaded.take_step(args.dt);
    let mut sim = loaded.start()?;
    let failed = |error| Failure::Run(format!("{}: {error}", loaded.name));
    let mut times = args.at.clone();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let until = loaded.scene.simulation.until();
    if let Some(last) = times.last().filter(|last| **last > until) {
        eprintln!(
            "warning: t = {} s is past the end of the scene, until = {} s: it was run on",
            short(*last),
            short(until)
        );
    }
    let mut moments = Vec::new();
    let mut trails = vec![Vec::new(); loaded.model.probes().len()];
    // As the file has it at t = 0, even if it cannot run; on its joints after that.
    for &time in &times {
        if time > 0.0 {
            sim.assemble().map_err(failed)?;
        }
        while sim.next_step(time, dt).is_some() {
            let before = sim.time();
            sim.step_toward(time, dt).map_err(failed)?;
            // Long steps are drawn as the curves that they are.
            for part in 1..8 {
                let between = before + (sim.time() - before) * (f64::from(part) / 8.0);
                if let Some(state) = sim.state_at(between).map_err(failed)? {
                    let then = sim.observe_at(&state);
                    for (i, trail) in trails.iter_mut().enumerate() {
                        trail.push(then.probe(i).position.to_array());
                    }
                }
            }
            let now = sim.kinematics();
            for (i, trail) in trails.iter_mut().enumerate() {
                trail.push(now.probe(i).position.to_array());
            }
        }
        let sketch = sketch(&loaded, &mut sim, &trails);
        moments.push(Moment { time: format!("t = {} s", short(time)), sketch });
    }
    let svg = match &moments[..] {
        [one] => draw_one(&one.sketch),
        many => strip(many),
    };
    output::picture(&args.output, &svg)
}
