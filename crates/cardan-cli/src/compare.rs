//! `cardan compare`: runs several scenes, or one with a value varied, and compares them in a table.
//!
//! Each run is one row: the mass, the work of motors, the work of loads, the energy dissipated, and of every column that is asked for its peak
//! and its root mean square over time.
//!
//! Variants of a scene run in the lanes of a [`Batch`] where they can, with the bits of separate runs.

use crate::Failure;
use crate::args::{CompareArgs, SceneArgs};
use crate::load::LoadedScene;
use crate::output::{self, print};
use crate::picture::chart::{Chart, Panel, Series};
use crate::record::ColumnStatistics;
use crate::report::{format_number, table};
use cardan::{Batch, BatchError, Simulation, StepError};
use serde::Serialize;
use std::path::Path;

/// Work of loads below this part of the motors' is the error of the trapezoidal rule, which integrates the latter.
const ROUNDING_OF_WORK: f64 = 1e-4;

/// One run.
#[derive(Serialize)]
struct Outcome {
    /// The scene, and what was varied.
    run: String,
    mass: f64,
    time: f64,
    /// Work of all forces without a potential: that of motors and that of loads.
    work: f64,
    /// Of drives, servos and motors, by the trapezoidal rule.
    motor_work: f64,
    /// The rest: of loads and of other forces without a potential.
    load_work: f64,
    dissipated: f64,
    /// Part of the work put in, by motors or loads, that was not dissipated; `null` without such work.
    efficiency: Option<f64>,
    max_position_error: f64,
    energy_balance_error: f64,
    columns: Vec<ColumnSummary>,
    /// Name of the curves, and the curves of the columns.
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    label: String,
    #[serde(skip)]
    curves: Vec<Vec<[f64; 2]>>,
}

#[derive(Serialize)]
struct ColumnSummary {
    name: String,
    unit: &'static str,
    peak: f64,
    rms: f64,
}

pub(crate) fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let mut all = Vec::new();
    for scene in &args.scenes {
        all.extend(run_all(args, scene)?);
    }
    if let Some(path) = &args.plot {
        let vary = args.vary.as_deref().and_then(|vary| vary.split_once('=')).map(|(path, _)| path);
        plot(path, vary, &all)?;
    }
    if args.json {
        return print(&format!("{}\n", serde_json::to_string(&all).unwrap_or_default()));
    }
    print(&text(&all))
}

/// The variants of `--vary`: a label and an override each; one without either if nothing is varied.
fn variants(args: &CompareArgs) -> Result<Vec<(String, Option<String>)>, Failure> {
    let Some(vary) = &args.vary else { return Ok(vec![(String::new(), None)]) };
    let Some((path, values)) = vary.split_once('=') else {
        let text =
            format!("error: --vary: `{vary}` is not PATH=V1,V2,…\nfor example --vary bodies.rod.mass=1,2,4");
        return Err(Failure::Input(text));
    };
    let values = values.split(',').map(str::trim).filter(|value| !value.is_empty());
    let all: Vec<_> =
        values.map(|value| (format!(" {path}={value}"), Some(format!("{path}={value}")))).collect();
    if all.is_empty() {
        return Err(Failure::Input(format!("error: --vary: `{path}` is given no value")));
    }
    Ok(all)
}

/// A run in progress.
struct Run {
    loaded: LoadedScene,
    label: String,
    sim: Simulation,
    statistics: ColumnStatistics,
    until: f64,
    dt: f64,
    max_position_error: f64,
}

/// All variants of a scene.
fn run_all(args: &CompareArgs, scene: &str) -> Result<Vec<Outcome>, Failure> {
    let (mut runs, mut stop) = (Vec::new(), None);
    for (label, set) in variants(args)? {
        match Run::new(args, scene, label, set) {
            Ok(run) => runs.push(run),
            Err(error) => {
                // Errors of earlier variants are reported first.
                stop = Some(error);
                break;
            }
        }
    }
    if can_batch(&runs) {
        run_in_lanes(&mut runs)?;
    } else {
        runs.iter_mut().try_for_each(Run::run_alone)?;
    }
    match stop {
        Some(error) => Err(error),
        None => Ok(runs.into_iter().map(|run| run.outcome(args)).collect()),
    }
}

/// Whether all take the same steps of an integrator that runs in lanes.
fn can_batch(runs: &[Run]) -> bool {
    let [first, others @ ..] = runs else { return false };
    let key = |run: &Run| (run.until, run.dt, run.loaded.settings);
    let goes = |run: &Run| key(run) == key(first) && Batch::takes(&run.loaded.model, &run.loaded.settings);
    !others.is_empty() && runs.iter().all(goes)
}

/// Steps all runs together, four lanes at a time.
fn run_in_lanes(runs: &mut [Run]) -> Result<(), Failure> {
    let [first, ..] = runs else { return Ok(()) };
    let (settings, name) = (first.loaded.settings, first.loaded.name.clone());
    let bad = |error: BatchError| Failure::Run(format!("{name}: {error}"));
    let models: Vec<_> = runs.iter().map(|run| run.loaded.model.clone()).collect();
    let mut batch = Batch::of_models(models, settings).map_err(bad)?;
    let mut states: Vec<_> = runs.iter().map(|run| run.sim.state().clone()).collect();
    // The first run gives the time: all have the same steps. The error reported is that of the first variant that fails, as in
    // separate runs.
    while let Some(h) = runs[0].sim.next_step(runs[0].until, runs[0].dt) {
        batch.step(h).map_err(bad)?;
        for (i, (run, state)) in runs.iter_mut().zip(&mut states).enumerate() {
            match batch.failure(i).map_err(bad)? {
                Some(error) if i == 0 => return Err(run.failed(error)),
                Some(_) => continue,
                None => batch.copy_state(i, state).map_err(bad)?,
            }
            run.sim.follow(state).map_err(|error| run.failed(&error))?;
            if run.sim.next_step(run.until, run.dt).is_none() {
                run.sim.set_time(run.until);
            }
            run.statistics.record_row(&mut run.sim);
        }
    }
    for (i, run) in runs.iter_mut().enumerate() {
        if let Some(error) = batch.failure(i).map_err(bad)? {
            return Err(run.failed(error));
        }
        run.max_position_error = batch.certificate(i).map_err(bad)?.max_position_error;
    }
    Ok(())
}

impl Run {
    /// A run at its start.
    fn new(args: &CompareArgs, scene: &str, label: String, vary: Option<String>) -> Result<Self, Failure> {
        let set = args.set.iter().cloned().chain(vary).collect();
        let robot = args.robot.clone();
        let scene = SceneArgs { scene: scene.to_string(), set, geometry_tolerance: None, robot };
        let mut loaded = LoadedScene::new(&scene)?;
        let until = args.until.unwrap_or(loaded.scene.simulation.until());
        let dt = loaded.set_time_step(args.dt);
        // The comparison shows the worst errors of whole runs.
        loaded.settings.accounts = cardan::Accounts::EveryStep;
        loaded.refuse_endless([0.0, until], dt, "a longer --dt or an earlier --until")?;
        let sim = loaded.simulation()?;
        let statistics = ColumnStatistics::new(&loaded.model, &args.columns)?;
        let mut run = Run { loaded, label, sim, statistics, until, dt, max_position_error: 0.0 };
        run.sim.assemble().map_err(|error| run.failed(&error))?;
        run.statistics.record_row(&mut run.sim);
        Ok(run)
    }

    fn failed(&self, error: &StepError) -> Failure {
        Failure::Run(format!("{}{}: {error}", self.loaded.name, self.label))
    }

    fn run_alone(&mut self) -> Result<(), Failure> {
        while self.sim.next_step(self.until, self.dt).is_some() {
            self.sim.step_toward(self.until, self.dt).map_err(|error| self.failed(&error))?;
            self.statistics.record_row(&mut self.sim);
        }
        self.max_position_error = self.sim.certificate().max_position_error;
        Ok(())
    }

    fn outcome(self, args: &CompareArgs) -> Outcome {
        let Run { loaded, label, mut sim, mut statistics, max_position_error, .. } = self;
        let (energy, balance) = (sim.energy(), sim.balance());
        // What is left of the work where motors did all of it is the error of the rule that integrates theirs.
        let rest = energy.work - statistics.motor_work;
        let is_all = rest.abs() <= ROUNDING_OF_WORK * statistics.motor_work.abs();
        let (motor_work, load_work) = if is_all { (energy.work, 0.0) } else { (statistics.motor_work, rest) };
        let given: f64 = [motor_work, load_work].into_iter().filter(|work| *work > 0.0).sum();
        let curves = std::mem::take(&mut statistics.points);
        let columns = statistics.finish();
        Outcome {
            run: format!("{}{label}", loaded.name),
            mass: loaded.model.bodies().iter().map(|body| body.mass.mass).sum(),
            time: sim.time(),
            work: energy.work,
            motor_work,
            load_work,
            dissipated: energy.dissipated,
            efficiency: (given > 0.0).then(|| 1.0 - energy.dissipated / given),
            max_position_error,
            energy_balance_error: balance.energy_error,
            columns: columns
                .into_iter()
                .map(|(name, unit, peak, rms)| ColumnSummary { name, unit, peak, rms })
                .collect(),
            title: loaded.title().to_string(),
            label: match (label.split_once('='), args.scenes.len()) {
                (None, _) => loaded.name.clone(),
                (Some((_, value)), 1) => value.to_string(),
                (Some((_, value)), _) => format!("{} {value}", loaded.name),
            },
            curves,
        }
    }
}

/// A panel for every column, with a curve for every run.
fn plot(path: &Path, vary: Option<&str>, all: &[Outcome]) -> Result<(), Failure> {
    let mut panels: Vec<(&str, Panel)> = Vec::new();
    for outcome in all {
        for (column, points) in outcome.columns.iter().zip(&outcome.curves) {
            let series = Series { name: outcome.label.clone(), points: points.clone() };
            match panels.iter_mut().find(|(name, _)| *name == column.name) {
                Some((_, panel)) => panel.series.push(series),
                None => {
                    let y_label = format!("{} [{}]", column.name, column.unit);
                    panels.push((&column.name, Panel { y_label, series: vec![series] }));
                }
            }
        }
    }
    if panels.is_empty() {
        let text =
            "error: --plot: there is nothing to plot\n  --columns says what, such as bodies.rod.position.x";
        return Err(Failure::Input(text.to_string()));
    }
    let panels = panels.into_iter().map(|(_, panel)| panel).collect();
    let title = all.first().map_or(String::new(), |first| first.title.clone());
    let title = vary.map_or(title.clone(), |path| format!("{title}, by {path}"));
    output::chart(path, &Chart { title, x_label: "time [s]".to_string(), panels })
}

fn text(all: &[Outcome]) -> String {
    let mut text = String::new();
    let heads = [
        "mass [kg]",
        "time [s]",
        "motor work [J]",
        "load work [J]",
        "lost [J]",
        "efficiency",
        "open by",
        "energy off by",
    ];
    table(&mut text, "run", &heads, all.iter().map(|o| o.run.as_str()), |i| {
        let o = &all[i];
        let percent = o.efficiency.map_or("–".to_string(), |e| format!("{} %", format_number(100.0 * e)));
        let format_error = crate::report::format_error;
        vec![
            format_number(o.mass),
            format_number(o.time),
            format_number(o.motor_work),
            format_number(o.load_work),
            format_number(o.dissipated),
            percent,
            format_error(o.max_position_error),
            format_error(o.energy_balance_error),
        ]
    });
    // A table per column, since runs may have different ones.
    let mut names: Vec<(&str, &str)> = Vec::new();
    for column in all.iter().flat_map(|o| &o.columns) {
        if !names.iter().any(|(name, _)| *name == column.name) {
            names.push((&column.name, column.unit));
        }
    }
    for (name, unit) in names {
        let head = format!("{name} [{unit}]");
        let of = |i: usize| all[i].columns.iter().find(|c| c.name == name);
        table(&mut text, &head, &["peak", "root mean square"], all.iter().map(|o| o.run.as_str()), |i| {
            of(i).map_or(vec!["–".into(), "–".into()], |c| {
                vec![format_number(c.peak), format_number(c.rms)]
            })
        });
    }
    text
}
