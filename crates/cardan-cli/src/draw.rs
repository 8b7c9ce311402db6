//! `cardan draw`: the mechanism as a line drawing, at one or more times.

use crate::Failure;
use crate::args::DrawArgs;
use crate::load::LoadedScene;
use crate::output;
use crate::picture::drawing::{StripFrame, draw_from, strip};
use crate::report::format_number;
use cardan::measure::Instant;
use cardan::{Model, ProbeId, WorldError};
use cardan_view::sketch;

pub(crate) fn draw(args: &DrawArgs) -> Result<(), Failure> {
    let as_json = args.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    if !as_json {
        output::check_picture(&args.output)?;
    }
    let mut loaded = LoadedScene::new(&args.scene)?;
    let dt = loaded.set_time_step(args.dt);
    let mut runner = loaded.runner(None)?;
    let failed = |error: WorldError| Failure::Run(format!("{}: {error}", loaded.name));
    let mut times = args.at.clone();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let until = loaded.scene.simulation.until();
    if let Some(last) = times.last().filter(|last| **last > until) {
        eprintln!(
            "warning: t = {} s is past the end of the scene, until = {} s: it was run on",
            format_number(*last),
            format_number(until)
        );
    }
    let last = times.last().copied().unwrap_or(0.0);
    loaded.refuse_endless([0.0, last], dt, "a longer --dt or an earlier --at")?;
    let mut strip_frames = Vec::new();
    let mut trails = vec![Vec::new(); loaded.all.probes().len()];
    // What cannot be put together is drawn as the file has it at t = 0; it does not run.
    for &time in &times {
        match runner.assemble() {
            Err(error) if time > 0.0 => return Err(failed(error)),
            _ => {}
        }
        while runner.has_next(time, dt) {
            let before = runner.time();
            runner.step_toward(time, dt).map_err(failed)?;
            let sim = runner.sim().map_err(failed)?;
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
            runner.apply_script().map_err(failed)?;
        }
        let (sketch, time) = (
            sketch(loaded.title(), &loaded.all, runner.sim().map_err(failed)?, &trails),
            format_number(time),
        );
        strip_frames.push(StripFrame { time: format!("t = {time} s"), sketch });
    }
    if as_json {
        // The data of the drawing, one entry per time.
        let text = serde_json::to_string(&strip_frames).map_err(|error| Failure::Run(error.to_string()))?;
        return std::fs::write(&args.output, text + "\n")
            .map_err(|error| output::cannot_write(&args.output, &error));
    }
    let svg = match &strip_frames[..] {
        [one] => draw_from(&one.sketch, args.view),
        many => strip(many, args.view),
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
            trail.push(now.probe(ProbeId::of_index(i)).position.to_array());
        }
    }
}
