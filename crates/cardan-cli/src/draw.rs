//! `cardan draw`: the mechanism as a line drawing, at one or more times.

use crate::Failure;
use crate::args::DrawArgs;
use crate::load::Loaded;
use crate::output;
use crate::picture::drawing::{Moment, draw as draw_one, strip};
use crate::report::short;
use crate::sketch::sketch;
use cardan::measure::Instant;
use cardan::{Model, WorldError};

pub(crate) fn draw(args: &DrawArgs) -> Result<(), Failure> {
    output::check_picture(&args.output)?;
    let mut loaded = Loaded::new(&args.scene)?;
    let dt = loaded.take_step(args.dt);
    let mut stage = loaded.stage(None)?;
    let failed = |error: WorldError| Failure::Run(format!("{}: {error}", loaded.name));
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
    let mut trails = vec![Vec::new(); loaded.all.probes().len()];
    // As the file has it at t = 0, even if it cannot run; on its joints after that.
    for &time in &times {
        if time > 0.0 {
            stage.assemble().map_err(failed)?;
        }
        while stage.has_next(time, dt) {
            let before = stage.time();
            stage.step_toward(time, dt).map_err(failed)?;
            let sim = stage.sim().map_err(failed)?;
            // Long steps are drawn as the curves that they are.
            for part in 1..8 {
                let between = before + (sim.time() - before) * (f64::from(part) / 8.0);
                if let Some(state) = sim.state_at(between).map_err(|error| failed(error.into()))? {
                    let then = sim.observe_at(&state);
                    follow(&loaded.all, &then, &mut trails);
                }
            }
            follow(&loaded.all, &sim.kinematics(), &mut trails);
        }
        if time > 0.0 {
            stage.catch_up().map_err(failed)?;
        }
        let (sketch, time) = (sketch(&loaded, stage.sim().map_err(failed)?, &trails), short(time));
        moments.push(Moment { time: format!("t = {time} s"), sketch });
    }
    let svg = match &moments[..] {
        [one] => draw_one(&one.sketch),
        many => strip(many),
    };
    output::picture(&args.output, &svg)
}

/// Probes that are there leave their trails.
fn follow(all: &Model, now: &Instant<'_>, trails: &mut [Vec<[f64; 3]>]) {
    for (i, probe) in now.model().probes().iter().enumerate() {
        let at = match all.probes().get(i).is_some_and(|same| same.name == probe.name) {
            true => Some(i),
            false => all.probes().iter().position(|other| other.name == probe.name),
        };
        if let Some(trail) = at.and_then(|at| trails.get_mut(at)) {
            trail.push(now.probe(i).position.to_array());
        }
    }
}
