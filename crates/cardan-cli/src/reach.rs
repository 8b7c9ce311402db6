//! `cardan reach`: a point of a body, or a probe, is brought to a place with every joint closed.

use crate::Failure;
use crate::args::ReachArgs;
use crate::equilibrium::{check, drawing, status, velocity_warning};
use crate::load::LoadedScene;
use crate::output::print;
use crate::report::{Report, format_number, plural};
use crate::warnings;
use cardan::math::{Quat, Vec3};
use cardan::statics::Metric;
use cardan::{Frame, Goal, InequalityId, Model, Reach, StaticsError};
use cardan_scene::nearest;
use serde_json::{Value, json};
use std::time::Instant;

pub(crate) fn reach(args: &ReachArgs) -> Result<(), Failure> {
    check(args.output.as_deref())?;
    let loaded = LoadedScene::new(&args.scene)?;
    let goal = goal(args, &loaded.model)
        .map_err(|text| Failure::Input(format!("error: {}: {text}", loaded.name)))?;
    let mut sim = loaded.static_simulation()?;
    let mut notes = warnings::of_model(&loaded.model);
    notes.extend(velocity_warning(&mut sim));
    let clock = Instant::now();
    let outcome = sim.reach(&goal);
    let wall = clock.elapsed().as_secs_f64();
    if let Err(StaticsError::BadGoal { what }) = &outcome {
        return Err(Failure::Input(format!("error: {}: {what}", loaded.name)));
    }
    if let (Some(file), Ok(_)) = (&args.output, &outcome) {
        drawing(file, &loaded, &mut sim)?;
    }
    let mut report = Report::new(&loaded, &mut sim, status(&outcome), wall);
    report.warnings = notes;
    report.certify_instant();
    let limits = outcome.as_ref().map_or(Vec::new(), |found| limit_names(&loaded.model, &found.held));
    report.extra.push(("reach", outcome.as_ref().map_or(Value::Null, |found| as_json(found, &limits))));
    if args.json {
        print(&report.json())?;
    } else {
        let found =
            outcome.as_ref().map_or(String::new(), |found| format!("  {}\n", in_words(found, &limits)));
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

/// The target of the options.
fn goal(args: &ReachArgs, model: &Model) -> Result<Goal, String> {
    let unknown = |kind: &str, name: &str, known: Vec<&str>| {
        let help = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => format!("the scene has no {kind}"),
            None => format!("there is {}", known.join(", ")),
        };
        format!("there is no {kind} `{name}`; {help}")
    };
    let turn = match args.orientation {
        Some([w, x, y, z]) => Some(Quat::from_wxyz(w, x, y, z).ok_or("the orientation is no quaternion")?),
        None => None,
    };
    let goal = if let Some(name) = &args.probe {
        let known = || model.probes().iter().map(|p| p.name.as_str()).collect();
        let probe = model.find_probe(name).ok_or_else(|| unknown("probe", name, known()))?;
        let target = args.target.ok_or("a probe needs a --target")?;
        let goal = Goal::probe(model, probe, Vec3::from(target)).ok_or("the probe does not exist")?;
        turn.map_or(goal, |turn| goal.with_orientation(turn))
    } else {
        let name = args.body.as_deref().unwrap_or("");
        let known = || model.bodies().iter().map(|b| b.name.as_str()).collect();
        let body = model.find_body(name).ok_or_else(|| unknown("body", name, known()))?;
        let point = Vec3::from(args.point.unwrap_or([0.0; 3]));
        match (args.target, turn) {
            (Some(target), None) => Goal::point(body, point, Vec3::from(target)),
            (Some(target), Some(turn)) => Goal::frame(body, Frame::at(point), Vec3::from(target), turn),
            (None, Some(turn)) => Goal::orientation(body, turn),
            (None, None) => return Err("no target: give a --target, or an --orientation".into()),
        }
    };
    Ok(goal.with_metric(if args.by_mass { Metric::Mass } else { Metric::Geometry }))
}

/// Names of inequalities, each once: both ends of a coordinate have one.
pub(crate) fn limit_names(model: &Model, held: &[InequalityId]) -> Vec<String> {
    let mut limit_names: Vec<String> =
        held.iter().filter_map(|&id| Some(model.inequality(id)?.name.clone())).collect();
    limit_names.dedup();
    limit_names
}

/// `A`, `B` and so on, as a tail of a sentence; nothing for none.
pub(crate) fn at_limits(before: &str, limits: &[String]) -> String {
    match limits {
        [] => String::new(),
        [one] => format!("{before} the limit of `{one}`"),
        many => format!("{before} the limits of `{}`", many.join("`, `")),
    }
}

fn as_json(found: &Reach, limits: &[String]) -> Value {
    json!({
        "reached": found.reached,
        "miss": found.miss.to_array(),
        "miss_distance": found.miss.norm(),
        "miss_turn": found.miss_turn.to_array(),
        "miss_angle": found.miss_turn.norm(),
        "iterations": found.iterations,
        "freedoms": found.freedoms,
        "limits": limits,
    })
}

fn in_words(found: &Reach, limits: &[String]) -> String {
    let after = plural(found.iterations as usize, "iteration", "iterations");
    if found.reached {
        return format!("reached after {after}");
    }
    let turn = match found.miss_turn.norm() {
        0.0 => String::new(),
        angle => format!(" and {} rad", format_number(angle)),
    };
    let stop = at_limits(", stopped by", limits);
    format!(
        "out of reach: the nearest pose, after {after}, misses by {} m{turn}{stop}",
        format_number(found.miss.norm())
    )
}
