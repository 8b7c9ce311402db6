//! `cardan compare`: several scenes, or one with a value varied, run and set side by side.
//!
//! Components are swapped by scenes that differ in them, or by a value that says how good they are; what each run takes and gives is one row:
//! the mass, the work put in, what friction took, and of every column that is asked for its peak and its root mean square over time.

use crate::Failure;
use crate::args::{CompareArgs, SceneArgs};
use crate::load::Loaded;
use crate::output::{self, print};
use crate::picture::chart::{Chart, Panel, Series};
use crate::record::Watch;
use crate::report::{short, table};
use serde::Serialize;
use std::path::Path;

/// One run.
#[derive(Serialize)]
struct Outcome {
    /// The scene, and what was varied.
    run: String,
    mass: f64,
    time: f64,
    work: f64,
    dissipated: f64,
    /// What of the work was not lost; `null` where none was put in.
    efficiency: Option<f64>,
    max_position_error: f64,
    energy_balance_error: f64,
    columns: Vec<Watched>,
    /// What a curve is called, and the curves of the columns.
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    label: String,
    #[serde(skip)]
    curves: Vec<Vec<[f64; 2]>>,
}

#[derive(Serialize)]
struct Watched {
    name: String,
    unit: &'static str,
    peak: f64,
    rms: f64,
}

pub(crate) fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let mut all = Vec::new();
    for scene in &args.scenes {
        for (label, set) in variants(args)? {
            all.push(run(args, scene, label, set)?);
        }
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

/// What `--vary` asks for: a label and an override each; one without either if nothing is varied.
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

fn run(args: &CompareArgs, scene: &str, label: String, vary: Option<String>) -> Result<Outcome, Failure> {
    let set = args.set.iter().cloned().chain(vary).collect();
    let scene = SceneArgs { scene: scene.to_string(), set, geometry_tolerance: None };
    let mut loaded = Loaded::new(&scene)?;
    let until = args.until.unwrap_or(loaded.scene.simulation.until());
    let dt = loaded.take_step(args.dt);
    let mut sim = loaded.start()?;
    let mut watch = Watch::new(&loaded.model, &args.columns)?;
    let failed = |error| Failure::Run(format!("{}{label}: {error}", loaded.name));
    sim.assemble().map_err(failed)?;
    watch.note(&mut sim);
    while sim.next_step(until, dt).is_some() {
        sim.step_toward(until, dt).map_err(failed)?;
        watch.note(&mut sim);
    }
    let (energy, balance) = (sim.energy(), sim.balance());
    let curves = std::mem::take(&mut watch.points);
    let columns = watch.finish();
    Ok(Outcome {
        run: format!("{}{label}", loaded.name),
        mass: loaded.model.bodies().iter().map(|body| body.mass.mass).sum(),
        time: sim.time(),
        work: energy.work,
        dissipated: energy.dissipated,
        efficiency: (energy.work > 0.0).then(|| 1.0 - energy.dissipated / energy.work),
        max_position_error: sim.certificate().max_position_error,
        energy_balance_error: balance.energy_error,
        columns: columns
            .into_iter()
            .map(|(name, unit, peak, rms)| Watched { name, unit, peak, rms })
            .collect(),
        title: loaded.title().to_string(),
        label: match (label.split_once('='), args.scenes.len()) {
            (None, _) => loaded.name.clone(),
            (Some((_, value)), 1) => value.to_string(),
            (Some((_, value)), _) => format!("{} {value}", loaded.name),
        },
        curves,
    })
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
    output::picture(path, &Chart { title, x_label: "time [s]".to_string(), panels }.svg())
}

fn text(all: &[Outcome]) -> String {
    let mut text = String::new();
    let heads = ["mass [kg]", "time [s]", "work [J]", "lost [J]", "efficiency", "open by", "energy off by"];
    table(&mut text, "run", &heads, all.iter().map(|o| o.run.as_str()), |i| {
        let o = &all[i];
        let percent = o.efficiency.map_or("–".to_string(), |e| format!("{} %", short(100.0 * e)));
        let tiny = crate::report::tiny;
        vec![
            short(o.mass),
            short(o.time),
            short(o.work),
            short(o.dissipated),
            percent,
            tiny(o.max_position_error),
            tiny(o.energy_balance_error),
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
            of(i).map_or(vec!["–".into(), "–".into()], |c| vec![short(c.peak), short(c.rms)])
        });
    }
    text
}
