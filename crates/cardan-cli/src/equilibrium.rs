//! `cardan equilibrium`: the pose of static equilibrium, its stability, and the reactions.

use crate::Failure;
use crate::args::EquilibriumArgs;
use crate::load::LoadedScene;
use crate::output::{self, print};
use crate::picture::drawing::draw;
use crate::reach::{at_limits, limit_names};
use crate::report::{Report, format_error, plural};
use crate::warnings;
use cardan::{Equilibrium, EquilibriumKind, Simulation};
use cardan_view::sketch;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

pub(crate) fn equilibrium(args: &EquilibriumArgs) -> Result<(), Failure> {
    check(args.output.as_deref())?;
    let loaded = LoadedScene::new(&args.scene)?;
    let mut sim = loaded.static_simulation()?;
    let mut notes = warnings::of_model(&loaded.model);
    notes.extend(velocity_warning(&mut sim));
    let clock = Instant::now();
    let outcome = sim.equilibrium(seek(args.nearest));
    let wall = clock.elapsed().as_secs_f64();
    if let (Some(file), Ok(_)) = (&args.output, &outcome) {
        drawing(file, &loaded, &mut sim)?;
    }
    if let (Some(file), Ok(found)) = (&args.save, &outcome) {
        std::fs::write(file, found.state.to_bytes()).map_err(|error| output::cannot_write(file, &error))?;
    }
    let status = status(&outcome);
    let mut report = Report::new(&loaded, &mut sim, status, wall);
    report.warnings = notes;
    report.certify_instant();
    report.extra.push(("equilibrium", outcome.as_ref().map_or(Value::Null, |found| as_json(&loaded, found))));
    if args.json {
        print(&report.json())?;
    } else {
        let found =
            outcome.as_ref().map_or(String::new(), |found| format!("  {}\n", in_words(&loaded, found)));
        print(&format!(
            "{}{}{}{found}{}{}",
            report.head(),
            report.warning_lines(),
            report.failure(),
            report.tables(),
            report.pose_text()
        ))?;
    }
    outcome.map(|_| ()).map_err(|error| Failure::Run(format!("{}: {error}", loaded.name)))
}

/// Which equilibrium is wanted.
pub(crate) fn seek(nearest: bool) -> EquilibriumKind {
    if nearest { EquilibriumKind::Nearest } else { EquilibriumKind::Stable }
}

/// The word that reports have for an outcome.
pub(crate) fn status<T, E: std::fmt::Display>(outcome: &Result<T, E>) -> String {
    match outcome {
        Ok(_) => "completed".to_string(),
        Err(error) => format!("failed: {error}"),
    }
}

/// Checks the picture file before the search, not after it.
pub(crate) fn check(file: Option<&Path>) -> Result<(), Failure> {
    file.map_or(Ok(()), output::check_picture)
}

pub(crate) fn drawing(file: &Path, loaded: &LoadedScene, sim: &mut Simulation) -> Result<(), Failure> {
    let trails = vec![Vec::new(); loaded.model.probes().len()];
    output::picture(file, &draw(&sketch(loaded.title(), &loaded.all, sim, &trails)))
}

/// Warns that velocities in the file are ignored in statics.
pub(crate) fn velocity_warning(sim: &mut Simulation) -> Option<String> {
    let speeds = sim.state().velocities().iter().any(|v| *v != 0.0);
    speeds.then(|| "the velocities of the file are ignored: this is a problem of statics".to_string())
}

pub(crate) fn as_json(loaded: &LoadedScene, found: &Equilibrium) -> Value {
    json!({
        "stability": found.stability.name(),
        "freedoms": found.freedoms,
        "stable": found.stable,
        "neutral": found.neutral,
        "unstable": found.unstable,
        "limits": limit_names(&loaded.model, &found.held),
        "least_stiffness": found.least_stiffness,
        "iterations": found.iterations,
        "residual": found.residual,
        "unbalanced": found.unbalanced,
        "potential": found.potential,
    })
}

/// One line: what was found, and how well.
pub(crate) fn in_words(loaded: &LoadedScene, found: &Equilibrium) -> String {
    let freedoms = match found.freedoms {
        0 => "nothing can move".to_string(),
        n => {
            let parts = [(found.stable, "stable"), (found.neutral, "neutral"), (found.unstable, "unstable")];
            let parts = parts.iter().filter(|(count, _)| *count > 0);
            let parts: Vec<String> = parts.map(|(count, word)| format!("{count} {word}")).collect();
            format!("{}: {}", plural(n, "freedom", "freedoms"), parts.join(", "))
        }
    };
    format!(
        "at rest after {}, {} of the forces left over; {} ({freedoms}){}",
        plural(found.iterations as usize, "iteration", "iterations"),
        format_error(found.residual),
        found.stability,
        at_limits(", leaning on", &limit_names(&loaded.model, &found.held))
    )
}
