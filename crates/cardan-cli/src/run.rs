//! `cardan run`: a scene through time.

use crate::Failure;
use crate::args::RunArgs;
use crate::load::Loaded;
use crate::output;
use crate::record::Recorder;
use crate::report::Report;
use crate::script;
use crate::stage::Stage;
use crate::warnings::{self, Start};
use cardan::WorldError;
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
    let mut stage = loaded.stage(args.threads.map(usize::from))?;
    if let Some(path) = &args.from {
        let cannot =
            |why: &dyn std::fmt::Display| Failure::Input(format!("error: {}: {why}", path.display()));
        let bytes = std::fs::read(path).map_err(|error| cannot(&error))?;
        stage.go_on_from(&bytes).map_err(|error| cannot(&error))?;
        let now = stage.time();
        if now > until {
            let why = format!(
                "the saved state is of t = {now} s, and the run would end before, at {until} s; say `--until` with a later time"
            );
            return Err(cannot(&why));
        }
    }
    let mut recorder = Recorder::new(&loaded, args, interval)?;
    let bar = progress_bar(args, until);

    // A state that was saved fits its joints.
    let start = if args.from.is_none() { Some(Start::of(&mut loaded.start()?)) } else { None };
    let mut warnings = warnings::of_model(&loaded.model);
    // What is saved may go on, and who asks for less than the scene knows what he asks for.
    if args.save.is_none() && until >= loaded.scene.simulation.until() {
        warnings.extend(warnings::of_times(&loaded.all, &loaded.script, until));
    }
    if (args.out.is_some() || args.plot.is_some()) && !loaded.settings.integrator.is_adaptive() {
        warnings.extend(warnings::of_rows(interval, dt));
    }
    let clock = Instant::now();
    let mut outcome = Ok(());
    let mut assembled = stage
        .assemble()
        .and_then(|()| {
            stage.sim().map(|sim| {
                warnings.extend(start.iter().flat_map(|start| start.after_assembly(sim)));
                warnings.extend(warnings::of_geometry(sim));
            })
        })
        .map_err(Stop::Step);
    if assembled.is_ok() {
        assembled = advance(&mut stage, until, (dt, args.save.is_some()), &mut recorder, &bar);
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

    // At the end of a run things are as the script has them from then on.
    if outcome.is_ok()
        && let Err(error) = stage.catch_up()
    {
        outcome = Err(error);
    }
    let status = match &outcome {
        Ok(()) => "completed".to_string(),
        Err(error) => format!("failed: {error}"),
    };
    if let Some(path) = args.save.as_ref().filter(|_| outcome.is_ok()) {
        let bytes = stage.save().map_err(|error| Failure::Run(format!("{}: {error}", loaded.name)))?;
        std::fs::write(path, bytes).map_err(|error| output::cannot_write(path, &error))?;
    }
    let books = stage.books();
    let failed = |error| Failure::Run(format!("{}: {error}", loaded.name));
    let sim = stage.sim().map_err(failed)?;
    match &books {
        None => warnings.extend(warnings::of_run(sim)),
        Some(books) => {
            warnings.extend(warnings::of_energy(books.balance.energy_error, loaded.settings.integrator))
        }
    }
    let mut report = Report::new(&loaded, sim, status, wall);
    report.warnings = warnings;
    if let Some(books) = books {
        report.take_books(books);
    }
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
            script::lines(&loaded.script, report.instant.time()),
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
    Step(WorldError),
    Output(Failure),
}

fn advance(
    stage: &mut Stage,
    until: f64,
    (dt, goes_on): (f64, bool),
    recorder: &mut Recorder,
    bar: &ProgressBar,
) -> Result<(), Stop> {
    recorder.note(stage)?;
    // Steps between looks at the clock: the bar must cost nothing.
    const STRIDE: u64 = 64;
    while stage.has_next(until, dt) {
        let step = if goes_on { Stage::step_past } else { Stage::step_toward };
        step(stage, until, dt).map_err(Stop::Step)?;
        recorder.note(stage)?;
        if stage.steps().is_multiple_of(STRIDE) {
            bar.set_position((stage.time() / until * 1000.0) as u64);
        }
    }
    recorder.note_last(stage)
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
