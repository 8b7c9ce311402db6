//! `cardan run`: a scene through time.

use crate::Failure;
use crate::args::RunArgs;
use crate::load::Loaded;
use crate::output;
use crate::record::Recorder;
use crate::report::Report;
use crate::warnings::{self, Start};
use cardan::{Simulation, StepError};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Instant;

/// Rows written by default at most, if the scene does not say how often.
const MOST_ROWS: f64 = 10_000.0;

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let mut loaded = Loaded::new(&args.scene)?;
    let until = args.until.unwrap_or(loaded.scene.simulation.until());
    let dt = loaded.take_step(args.dt);
    let interval = match loaded.scene.simulation.record {
        Some(time) => time.0,
        // Whole steps, so that the rows are evenly spaced; the row at the start counts too.
        None => dt * (until / dt / (MOST_ROWS - 1.0)).ceil().max(1.0),
    };
    let mut sim = loaded.start()?;
    let mut recorder = Recorder::new(&loaded, args, interval)?;
    let bar = progress_bar(args, until);

    let start = Start::of(&mut sim);
    let mut warnings = warnings::of_model(&loaded.model);
    if (args.out.is_some() || args.plot.is_some()) && !loaded.settings.integrator.is_adaptive() {
        warnings.extend(warnings::of_rows(interval, dt));
    }
    let clock = Instant::now();
    let mut outcome = Ok(());
    let mut assembled = sim.assemble().map_err(Stop::Step);
    if assembled.is_ok() {
        warnings.extend(start.after_assembly(&mut sim));
        warnings.extend(warnings::of_geometry(&mut sim));
        assembled = advance(&mut sim, until, dt, &mut recorder, &bar);
    }
    if let Err(error) = assembled {
        match error {
            Stop::Step(error) => outcome = Err(error),
            Stop::Output(failure) => return Err(failure),
        }
    }
    let wall = clock.elapsed().as_secs_f64();
    bar.finish_and_clear();
    recorder.finish()?;

    let status = match &outcome {
        Ok(()) => "completed".to_string(),
        Err(error) => format!("failed: {error}"),
    };
    warnings.extend(warnings::of_run(&mut sim));
    let mut report = Report::new(&loaded, &mut sim, status, wall);
    report.warnings = warnings;
    if outcome.is_err() && report.steps == 0 {
        // Not one state was accepted, so nothing can be certified.
        let unknown = f64::NAN;
        report.certificate = cardan::Certificate {
            max_position_error: unknown,
            max_velocity_error: unknown,
            max_equation_residual: unknown,
            ..cardan::Certificate::default()
        };
    }
    if outcome.is_ok() && report.steps == 0 {
        // No step was certified; the solve of this report was the only one.
        report.certificate.max_equation_residual = report.instant.equation_residual();
    }
    if args.json {
        output::print(&report.json())?;
    } else if !args.quiet {
        let text = [
            report.head(),
            report.timing(dt, &loaded.settings),
            report.warning_lines(),
            report.failure(),
            report.tables(),
            report.certificate_text(),
        ];
        output::print(&text.concat())?;
        recorder.mention_files(&mut std::io::stdout().lock());
    }
    outcome.map_err(|error| Failure::Run(format!("{}: {error}", loaded.name)))
}

/// Why a run ended before its time.
pub(crate) enum Stop {
    Step(StepError),
    Output(Failure),
}

fn advance(
    sim: &mut Simulation,
    until: f64,
    dt: f64,
    recorder: &mut Recorder,
    bar: &ProgressBar,
) -> Result<(), Stop> {
    recorder.note(sim)?;
    // Steps between looks at the clock: the bar must cost nothing.
    const STRIDE: u64 = 64;
    while sim.next_step(until, dt).is_some() {
        sim.step_toward(until, dt).map_err(Stop::Step)?;
        recorder.note(sim)?;
        if sim.steps().is_multiple_of(STRIDE) {
            bar.set_position((sim.time() / until * 1000.0) as u64);
        }
    }
    recorder.note_last(sim).map_err(Stop::Output)
}

/// With time left on a terminal; hidden otherwise.
fn progress_bar(args: &RunArgs, until: f64) -> ProgressBar {
    let target = if args.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(1000), target);
    let template = format!("{{bar:40}} {{percent:>3}} % of {} s, {{eta}} left", crate::report::short(until));
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
