//! `cardan sweep`: a study. One scene, many values, all cores; rows go to a log as they finish, so that a study that was
//! killed goes on. The log and the digest are those of `cardan.sweep` in Python (docs/studies.md).

mod table;
mod values;

use crate::Failure;
use crate::args::SweepArgs;
use crate::output::{self, print};
use crate::table_file::part_of;
use cardan_scene::study::{LogError, Study, StudyLog, StudyRow, digest};
use cardan_scene::{Columns, Source, bundled};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

/// The log waits for the disk this often \[s\].
const SYNC: f64 = 1.0;

pub(crate) fn sweep(args: &SweepArgs) -> Result<(), Failure> {
    if let Some(path) = &args.plot {
        output::check_chart(path)?;
    }
    if let Some(path) = args.out.as_ref().filter(|path| !has_ending(path, "csv")) {
        return Err(output::unknown_ending(path, ".csv"));
    }
    let (study, varied) = study_of(args)?;
    if args.plot.is_some() {
        table::check_axis(&study, &varied)?;
    }
    let mut rows = Rows::open(args, &study)?;
    let missing = rows.missing();
    let clock = Instant::now();
    let threads = args
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let outcome = run_all(&study, &missing, threads.min(missing.len()).max(1), &mut rows, args.quiet);
    let wall = clock.elapsed().as_secs_f64();
    outcome.map_err(|error| failed(&error))?;
    let finished = rows.finished();
    let summary = table::Summary {
        study: &study,
        varied: varied.clone(),
        rows: &finished,
        digest: digest(finished.iter()),
        ran: missing.len(),
        wall,
        threads,
    };
    if let Some(path) = &args.out {
        summary.write_csv(path)?;
    }
    rows.close(args)?;
    if args.json {
        print(&summary.json())?;
    } else if !args.quiet {
        print(&summary.text())?;
    }
    if let Some(path) = &args.plot {
        output::chart(path, &summary.chart()?)?;
    }
    if !args.json && !args.quiet {
        for (what, path) in [("table", &args.out), ("plot", &args.plot), ("log", &args.log)] {
            if let Some(path) = path {
                print(&format!("{what}: {}\n", path.display()))?;
            }
        }
    }
    match finished.iter().filter(|row| row.outcome.is_err()).count() {
        0 => Ok(()),
        n => Err(Failure::Run(format!("{}: {n} of {} rows failed", study.name(), finished.len()))),
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

fn failed(error: &LogError) -> Failure {
    Failure::Run(error.to_string().replace("`resume`", "`--resume`"))
}

/// The study, and which of its parameters vary: those that `--set` gives come before them.
fn study_of(args: &SweepArgs) -> Result<(Study, std::ops::Range<usize>), Failure> {
    let bad = |why: String| Failure::Input(format!("error: {why}"));
    let source = Source::resolve(&args.scene);
    let (name, text) = text_of(&source)?;
    let grid = match &args.rows {
        Some(path) => values::from_file(path)?,
        None => values::grid(&args.vary)?,
    };
    let (mut parameters, mut rows) = (grid.parameters, grid.rows);
    let mut first: Vec<(&str, &str)> = Vec::new();
    for set in args.set.iter().rev() {
        let Some((path, value)) = set.split_once('=') else {
            return Err(bad(format!("--set: `{set}` is not PATH=VALUE")));
        };
        if !parameters.iter().any(|name| name == path) && !first.iter().any(|(name, _)| *name == path) {
            first.push((path, value));
        }
    }
    first.reverse();
    let varied = first.len()..first.len() + parameters.len();
    parameters.splice(0..0, first.iter().map(|(path, _)| (*path).to_string()));
    for row in &mut rows {
        row.splice(0..0, first.iter().map(|(_, value)| (*value).to_string()));
    }
    let make = |measures: Vec<String>| -> Result<Study, Failure> {
        let study = Study::new(&name, &text, parameters.clone(), rows.clone(), measures);
        let mut study = study.map_err(|error| bad(error.to_string()))?;
        if let Source::Path(path) = &source {
            study = study.in_folder(path.parent().unwrap_or(Path::new("")));
        }
        if let Some(until) = args.until {
            study = study.until(until);
        }
        Ok(if let Some(dt) = args.dt { study.dt(dt) } else { study })
    };
    let study = make(args.measure.clone())?;
    // What is wrong with the scene itself is said once, with its place; a value that does not fit fails its row.
    let document = study.document(usize::MAX).map_err(crate::load::show)?;
    let scene = cardan_scene::Scene::from_document(&document).map_err(crate::load::show)?;
    if !scene.script().is_empty() {
        return Err(bad(format!("{name}: studies do not follow a script; leave it out")));
    }
    // A name that no scene has, and a measure that is none, before the first row is run: by the first row that can be,
    // since a value that does not fit fails its row alone.
    let built = |row: usize| -> Result<_, cardan_scene::SceneError> {
        let mut document = study.document(row)?;
        document.set("simulation.start=pose")?;
        let model = cardan_scene::Scene::from_document(&document)?.to_model(&document)?;
        Ok((document, model))
    };
    let first = (1..study.rows().len()).fold(built(0), |first, row| match first {
        Ok(built) => Ok(built),
        Err(error) => built(row).map_err(|_| error),
    });
    let (document, model) = first.map_err(crate::load::show)?;
    refuse_endless(&name, &document, args)?;
    let columns = Columns::naming(&model, args.measure.iter().map(|measure| column_of(measure)));
    let study = match args.measure.is_empty() {
        true => make(usual(&columns))?,
        false => study,
    };
    for measure in study.measures() {
        cardan_scene::study::Measure::read(measure).map_err(|error| bad(format!("--measure: {error}")))?;
        columns.select([column_of(measure)]).map_err(|error| bad(format!("--measure: {error}")))?;
    }
    Ok((study, varied))
}

/// Refuses a study whose first row cannot end. Others that cannot fail alone.
fn refuse_endless(name: &str, document: &cardan_scene::Document, args: &SweepArgs) -> Result<(), Failure> {
    let scene = cardan_scene::Scene::from_document(document).map_err(crate::load::show)?;
    let settings = scene.settings(document).map_err(crate::load::show)?;
    if settings.integrator.is_adaptive() {
        return Ok(());
    }
    let until = args.until.unwrap_or(scene.simulation.until());
    let dt = args.dt.unwrap_or(scene.simulation.dt());
    crate::steps::refuse_endless(name, [0.0, until], dt, "a longer --dt or an earlier --until")
}

fn column_of(measure: &str) -> &str {
    measure.split_once(':').map_or(measure, |(_, column)| column)
}

/// What is measured unless it is said: peaks of drives, forces and reactions, or the energy at the end.
fn usual(columns: &Columns) -> Vec<String> {
    let peaks = crate::extremes::Extremes::usual(columns);
    let name = |i: usize| format!("peak:{}", columns.all()[i].name);
    if peaks.is_empty() {
        return vec!["energy.total".to_string()];
    }
    peaks.into_iter().map(name).collect()
}

/// Name and text of a scene.
fn text_of(source: &Source) -> Result<(String, String), Failure> {
    let cannot = |name: &str, error: &dyn std::fmt::Display| {
        Failure::Input(format!("error: {name}: cannot read the scene: {error}"))
    };
    match source {
        Source::Bundled(name) => {
            if let Some(scene) = bundled().iter().find(|scene| scene.name == name) {
                return Ok((format!("{name}.toml"), scene.text.to_string()));
            }
            // The reader's message, with a suggestion.
            source.read().map_err(crate::load::show)?;
            Err(cannot(name, &"a robot file; `cardan import` makes a scene of it"))
        }
        Source::Path(path) => {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|error| cannot(&name, &error))?;
            if text.trim_start().starts_with('<') {
                return Err(cannot(&name, &"it is a robot file; `cardan import` makes a scene of it"));
            }
            Ok((name, text))
        }
        Source::Stdin => {
            let mut text = String::new();
            let read = std::io::stdin().lock().read_to_string(&mut text);
            read.map_err(|error| cannot("standard input", &error))?;
            Ok(("standard input".to_string(), text))
        }
    }
}

/// Finished rows: in a log, if there is one, else in memory.
enum Rows {
    Log { log: StudyLog, path: PathBuf, is_part: bool, synced: Instant },
    Memory(Vec<Option<StudyRow>>),
}

impl Rows {
    /// The log that was named, or that of the table; without a table in memory.
    fn open(args: &SweepArgs, study: &Study) -> Result<Self, Failure> {
        let path = args.log.clone().or_else(|| args.out.as_deref().map(part_of));
        let Some(path) = path else {
            if args.resume {
                let why =
                    "error: --resume goes on with a log: name it (--log FILE), or the table (--out FILE)";
                return Err(Failure::Input(why.to_string()));
            }
            return Ok(Rows::Memory(vec![None; study.rows().len()]));
        };
        let log = StudyLog::open(&path, study, args.resume).map_err(|error| failed(&error))?;
        Ok(Rows::Log { log, path, is_part: args.log.is_none(), synced: Instant::now() })
    }
    fn missing(&self) -> Vec<usize> {
        match self {
            Rows::Log { log, .. } => log.missing().collect(),
            Rows::Memory(rows) => (0..rows.len()).collect(),
        }
    }
    fn append(&mut self, row: StudyRow) -> Result<(), LogError> {
        match self {
            Rows::Log { log, synced, .. } => {
                log.append(row)?;
                if synced.elapsed().as_secs_f64() > SYNC {
                    log.sync()?;
                    *synced = Instant::now();
                }
                Ok(())
            }
            Rows::Memory(rows) => {
                let at = row.row;
                rows[at] = Some(row);
                Ok(())
            }
        }
    }
    fn finished(&self) -> Vec<StudyRow> {
        let rows = match self {
            Rows::Log { log, .. } => log.rows(),
            Rows::Memory(rows) => rows,
        };
        rows.iter().flatten().cloned().collect()
    }
    /// A log that was named stays; that of a table has served.
    fn close(self, _args: &SweepArgs) -> Result<(), Failure> {
        if let Rows::Log { log, path, is_part, .. } = self {
            log.sync().map_err(|error| failed(&error))?;
            drop(log);
            if is_part {
                std::fs::remove_file(&path).map_err(|error| output::cannot_write(&path, &error))?;
            }
        }
        Ok(())
    }
}

/// Runs rows on all threads; the first that is not begun is taken next. What finishes is logged at once.
fn run_all(
    study: &Study,
    missing: &[usize],
    threads: usize,
    rows: &mut Rows,
    is_quiet: bool,
) -> Result<(), LogError> {
    let target = if is_quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(missing.len() as u64), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} rows, {eta} left{msg}") {
        bar.set_style(style);
    }
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let outcome = std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Some(&row) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    if sender.send(study.run(row)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut failures = 0;
        for row in &receiver {
            failures += usize::from(row.outcome.is_err());
            if let Err(error) = rows.append(row) {
                stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
            bar.inc(1);
            if failures > 0 {
                bar.set_message(format!(", {failures} failed"));
            }
        }
        Ok(())
    });
    bar.finish_and_clear();
    outcome
}
