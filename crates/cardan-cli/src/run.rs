//! `cardan run`: simulates a scene.

use crate::Failure;
use crate::accounts::AccountSchedule;
use crate::args::RunArgs;
use crate::extremes;
use crate::load::LoadedScene;
use crate::output;
use crate::record::Recorder;
use crate::report::{Report, format_number};
use crate::runner::Runner;
use crate::saved_run::RunMark;
use crate::script;
use crate::table_file::Resumed;
use crate::warnings::{self, InitialPose};
use cardan::WorldError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Rows written by default at most, if the scene does not say how often.
const MOST_ROWS: f64 = 10_000.0;

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let mut loaded = LoadedScene::new(&args.scene)?;
    warn_of_file(&loaded, args.quiet);
    let until = args.until.unwrap_or(loaded.scene.simulation.until());
    let dt = loaded.set_time_step(args.dt);
    if let Some(accounts) = args.accounts {
        loaded.settings.accounts = accounts.into();
    }
    let interval = row_interval(&loaded, until, dt);
    let mark = args.save.as_ref().map(|_| RunMark::new(&loaded, dt, interval));
    let mut runner = loaded.runner(args.threads.map(usize::from))?;
    let saved = args.save.as_deref().filter(|path| args.resume && path.exists());
    if let Some(path) = args.from.as_deref().or(saved) {
        restore(&mut runner, path, until, mark.filter(|_| args.resume))?;
    }
    if !args.force {
        let remedy = "a longer --dt or an earlier --until; --force runs it all the same";
        loaded.refuse_endless([runner.time(), until], dt, remedy)?;
    }
    let time = saved.map(|_| runner.time());
    let resumed = args.resume.then(|| Resumed { time, goes_on: runner.has_next(until, dt) });
    let mut recorder = Recorder::new(&loaded, args, interval, resumed)?;
    let interrupt = Interrupt::new();
    let bar = progress_bar(args, until);

    // A state that was saved fits its joints.
    let start = if args.from.is_none() && saved.is_none() {
        Some(InitialPose::of(&mut loaded.simulation()?))
    } else {
        None
    };
    let mut warnings = warnings::of_model(&loaded.model);
    // A saved run may be continued, and an `--until` before the scene's own end is meant.
    if args.save.is_none() && until >= loaded.scene.simulation.until() {
        warnings.extend(warnings::of_times(&loaded.all, &loaded.script, until));
    }
    if (args.out.is_some() || args.plot.is_some()) && !loaded.settings.integrator.is_adaptive() {
        warnings.extend(warnings::of_rows(interval, dt));
    }
    let clock = Instant::now();
    let (mut outcome, mut is_interrupted) = (Ok(()), false);
    let mut assembled = runner
        .assemble()
        .and_then(|()| {
            runner.sim().map(|sim| {
                warnings.extend(start.iter().flat_map(|start| start.assembly_warnings(sim)));
                warnings.extend(warnings::of_geometry(sim));
            })
        })
        .map_err(RunError::Step);
    if assembled.is_ok() {
        let mut schedule = AccountSchedule::new(loaded.settings.accounts, interval);
        let mut checkpoint = Checkpoint::new(args, mark, runner.time());
        let books = (&mut recorder, &mut schedule, &mut checkpoint);
        let ends = Ends { until, dt, goes_on: args.save.is_some(), interrupt: &interrupt };
        assembled = advance(&mut runner, &ends, books, &bar).map(|ended| is_interrupted = ended);
    }
    if let Err(error) = assembled {
        match error {
            RunError::Step(error) => outcome = Err(error),
            RunError::Output(failure) => return Err(failure),
        }
    }
    let wall = clock.elapsed().as_secs_f64();
    bar.finish_and_clear();
    recorder.finish(outcome.is_ok() && !is_interrupted)?;

    // Changes of the script at the end time are applied before the report.
    if outcome.is_ok()
        && !is_interrupted
        && let Err(error) = runner.apply_script()
    {
        outcome = Err(error);
    }
    let status = match &outcome {
        Ok(()) if is_interrupted => format!("interrupted at {} s", format_number(runner.time())),
        Ok(()) => "completed".to_string(),
        Err(error) => format!("failed: {error}"),
    };
    if let Some(path) = args.save.as_ref().filter(|_| outcome.is_ok()) {
        save(&mut runner, path, mark, &loaded.name)?;
    }
    let totals = runner.totals();
    let failed = |error| Failure::Run(format!("{}: {error}", loaded.name));
    let sim = runner.sim().map_err(failed)?;
    match &totals {
        None => warnings.extend(warnings::of_run(sim)),
        Some(totals) => {
            warnings.extend(warnings::of_energy(totals.balance.energy_error, loaded.settings.integrator))
        }
    }
    warnings.extend(start.iter().flat_map(|start| start.ground_warnings(sim)));
    let mut report = Report::new(&loaded, sim, status, wall);
    report.warnings = warnings;
    if let Some(totals) = totals {
        report.set_totals(totals);
    }
    certify_no_steps(&mut report, outcome.is_ok());
    report.extremes = recorder.extremes();
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
            extremes::text(&report.extremes),
            report.certificate_text(),
        ];
        output::print(&text.concat())?;
        recorder.print_files(&mut std::io::stdout().lock());
    }
    if is_interrupted {
        return Err(Failure::Run(interrupted(args, &loaded.name, &recorder)));
    }
    outcome.map_err(|error| Failure::Run(format!("{}: {error}", loaded.name)))
}

/// The interval of the rows: the scene's own, or so that there are at most [`MOST_ROWS`].
pub(crate) fn row_interval(loaded: &LoadedScene, until: f64, dt: f64) -> f64 {
    match loaded.scene.simulation.record {
        Some(time) => time.0,
        // Whole steps, so that the rows are evenly spaced; the row at the start counts too.
        None => dt * (until / dt / (MOST_ROWS - 1.0)).ceil().max(1.0),
    }
}

/// What to do after an interruption.
fn interrupted(args: &RunArgs, name: &str, recorder: &Recorder) -> String {
    let mut rows = match recorder.resumed() {
        0 => String::new(),
        rows => format!(" ({rows} rows were there before)"),
    };
    if let Some(place) = recorder.table_place() {
        rows += &format!("; the rows so far are in {}", place.display());
    }
    match args.save {
        Some(_) => format!("{name}: interrupted{rows}; the same command with --resume goes on"),
        None => format!("{name}: interrupted{rows}; with --save FILE the next run could go on with --resume"),
    }
}

/// Writes the present state; the file is always a whole one.
fn save(runner: &mut Runner, path: &Path, mark: Option<RunMark>, name: &str) -> Result<(), Failure> {
    let mut bytes = runner.save().map_err(|error| Failure::Run(format!("{name}: {error}")))?;
    if let Some(mark) = mark {
        mark.put(&mut bytes);
    }
    output::replace(path, &bytes)
}

/// Set by the first Ctrl-C or SIGTERM; the second ends the program at once.
struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    fn new() -> Self {
        let flag = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            // Without a handler a signal ends the program, and the rows so far are there all the same.
            let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, flag.clone());
            let _ = signal_hook::flag::register(signal, flag.clone());
        }
        Interrupt(flag)
    }
    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The state that is written while a run goes on.
struct Checkpoint<'a> {
    path: Option<&'a Path>,
    mark: Option<RunMark>,
    every: f64,
    next: f64,
}

impl<'a> Checkpoint<'a> {
    fn new(args: &'a RunArgs, mark: Option<RunMark>, now: f64) -> Self {
        let every = args.checkpoint.unwrap_or(f64::INFINITY);
        Checkpoint {
            path: args.save.as_deref().filter(|_| args.checkpoint.is_some()),
            mark,
            every,
            next: now + every,
        }
    }
    fn after_step(&mut self, runner: &mut Runner, recorder: &Recorder) -> Result<(), RunError> {
        let Some(path) = self.path.filter(|_| runner.time() >= self.next) else { return Ok(()) };
        // The rows first: a state whose rows are lost cannot be gone on from.
        recorder.sync().map_err(RunError::Output)?;
        save(runner, path, self.mark, "checkpoint").map_err(RunError::Output)?;
        self.next = runner.time() + self.every;
        Ok(())
    }
}

/// Where a run ends.
struct Ends<'a> {
    until: f64,
    dt: f64,
    /// Whether it will be continued.
    goes_on: bool,
    interrupt: &'a Interrupt,
}

/// Puts the runner into a saved state; with a mark, into one of the same run.
fn restore(runner: &mut Runner, path: &Path, until: f64, mark: Option<RunMark>) -> Result<(), Failure> {
    let cannot = |why: &dyn std::fmt::Display| Failure::Input(format!("error: {}: {why}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| cannot(&error))?;
    let (state, saved) = RunMark::split(&bytes);
    runner.restore(state).map_err(|error| cannot(&error))?;
    let now = runner.time();
    if now > until {
        let why = format!(
            "the saved state is of t = {now} s, and the run would end before, at {until} s; say `--until` with a later time"
        );
        return Err(cannot(&why));
    }
    match mark.and_then(|mark| mark.refuse(saved)) {
        Some(why) => Err(cannot(&why)),
        None => Ok(()),
    }
}

/// The certificate of a run that has accepted no step.
fn certify_no_steps(report: &mut Report<'_>, is_ok: bool) {
    if report.steps > 0 {
        return;
    }
    if is_ok {
        if report.certificate.accounts == cardan::Accounts::EveryStep {
            // The solve of this report was the only one.
            report.certificate.max_equation_residual = report.instant.equation_residual();
            report.certificate.instants = 1;
        }
    } else {
        // No state was accepted, so nothing can be certified.
        let unknown = f64::NAN;
        report.certificate = cardan::Certificate {
            max_position_error: unknown,
            max_velocity_error: unknown,
            max_equation_residual: unknown,
            accounts: report.certificate.accounts,
            ..cardan::Certificate::default()
        };
    }
}

/// Warns of old words and of what a robot file lost on standard error, once. The report is about the run and does not
/// have them.
fn warn_of_file(loaded: &LoadedScene, is_quiet: bool) {
    let words = warnings::of_old_words(&loaded.old_words());
    if !words.is_empty() && !is_quiet {
        eprintln!("warning: {}; old words are still read", words.join("; "));
    }
    if !is_quiet {
        loaded.import_reports().filter_map(warnings::of_import).for_each(|line| eprintln!("warning: {line}"));
    }
}

/// Why a run ended before its time.
pub(crate) enum RunError {
    Step(WorldError),
    Output(Failure),
}

/// Runs to the end; true if it was interrupted before.
fn advance(
    runner: &mut Runner,
    &Ends { until, dt, goes_on, interrupt }: &Ends<'_>,
    (recorder, schedule, checkpoint): (&mut Recorder, &mut AccountSchedule, &mut Checkpoint<'_>),
    bar: &ProgressBar,
) -> Result<bool, RunError> {
    recorder.record_row(runner)?;
    schedule.after_step(runner).map_err(RunError::Step)?;
    // Steps between looks at the clock: the bar must cost nothing.
    const STRIDE: u64 = 64;
    while runner.has_next(until, dt) {
        let step = if goes_on { Runner::step_past } else { Runner::step_toward };
        step(runner, until, dt).map_err(RunError::Step)?;
        recorder.record_row(runner)?;
        schedule.after_step(runner).map_err(RunError::Step)?;
        checkpoint.after_step(runner, recorder)?;
        if runner.steps().is_multiple_of(STRIDE) {
            bar.set_position((runner.time() / until * 1000.0) as u64);
        }
        if interrupt.is_set() {
            schedule.at_end(runner).map_err(RunError::Step)?;
            return Ok(true);
        }
    }
    recorder.record_last_row(runner)?;
    schedule.at_end(runner).map_err(RunError::Step)?;
    Ok(false)
}

/// Progress with time left, on a terminal; hidden otherwise.
fn progress_bar(args: &RunArgs, until: f64) -> ProgressBar {
    let target = if args.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(1000), target);
    let template = format!("{{bar:40}} {{percent:>3}} % of {} s, {{eta}} left", format_number(until));
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
