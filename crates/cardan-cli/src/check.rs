//! `cardan check`: examines a scene without running it.

use crate::Failure;
use crate::args::CheckArgs;
use crate::diagnosis::DiagnosisJson;
use crate::load::LoadedScene;
use crate::output::print;
use crate::report::{Report, format_error, format_number, role_name, worst as worst_of};
use crate::tolerances::OPEN_JOINT;
use crate::warnings;
use cardan::body::MassError;
use cardan::step::Overlap;
use cardan::{ConstraintId, JointId};
use cardan::{Diagnosis, Model};
use cardan_scene::columns::screws::sleeve_of;
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct CheckJson<'a> {
    scene: &'a str,
    ok: bool,
    naive_mobility: i64,
    mobility: Option<usize>,
    rank: usize,
    redundant_rows: usize,
    counts: &'a crate::report::CountsJson,
    solver: &'static str,
    solver_reason: String,
    joints: Vec<JointCheck<'a>>,
    #[serde(flatten)]
    findings: DiagnosisJson,
    overlaps: Vec<OverlapJson>,
    warnings: Vec<String>,
}

/// Shapes that overlap in the pose of the file.
#[derive(Serialize)]
struct OverlapJson {
    name: String,
    depth: f64,
    unit: &'static str,
    #[serde(skip)]
    text: String,
}

impl OverlapJson {
    fn new(found: &Overlap) -> Self {
        OverlapJson {
            name: found.name.clone(),
            depth: found.depth,
            unit: found.unit,
            text: found.to_string(),
        }
    }
}

#[derive(Serialize)]
struct JointCheck<'a> {
    name: &'a str,
    kind: &'static str,
    role: &'static str,
    rows: usize,
    a: &'a str,
    b: &'a str,
    position_error: f64,
    velocity_error: f64,
    unique: bool,
}

pub(crate) fn check(args: &CheckArgs) -> Result<(), Failure> {
    let loaded = LoadedScene::new(&args.scene)?;
    let (printed, is_ok) = examined(&loaded, |report, result| {
        let printed = match args.json {
            true => format!("{}\n", serde_json::to_string(result).unwrap_or_default()),
            false => text(report, result),
        };
        (printed, result.ok)
    })?;
    print(&printed)?;
    if is_ok { Ok(()) } else { Err(Failure::Reported) }
}

/// What `cardan check` prints of a scene.
pub(crate) fn examination(loaded: &LoadedScene) -> Result<String, Failure> {
    examined(loaded, text)
}

fn examined<T>(
    loaded: &LoadedScene,
    read: impl FnOnce(&Report<'_>, &CheckJson<'_>) -> T,
) -> Result<T, Failure> {
    let (mut sim, mut closed) = (loaded.simulation()?, loaded.simulation()?);
    // A scene can run if its equations have a solution and its joints can be closed.
    let solved = sim.evaluate().map(|_| ()).and_then(|()| closed.assemble());
    // Overlaps are those of the pose that the run would begin with.
    let overlaps: Vec<OverlapJson> = closed.overlaps().iter().map(OverlapJson::new).collect();
    let is_ok = solved.is_ok() && overlaps.is_empty();
    let solver_reason = sim.diagnostics().solver_reason();
    let diagnosis = sim.diagnose().ok().flatten();
    let report = Report::new(loaded, &mut sim, String::new(), 0.0);
    let mut warnings = scene_warnings(loaded, report.model);
    let joints = joint_checks(&report, diagnosis.as_ref(), &mut warnings);
    // The closed pose decides on rank; the one in the file may be open.
    let rank = diagnosis.as_ref().map_or(report.counts.rank, |diagnosis| diagnosis.rank);
    let counts = report.model.counts();
    if counts.rows > rank {
        let n = counts.rows - rank;
        let rows = if n == 1 { "1 row is".to_string() } else { format!("{n} rows are") };
        warnings.push(format!("{rows} redundant; reactions marked `shared` are not unique"));
        if diagnosis.is_none() {
            warnings
                .push("with more than 4000 rows it is not examined which joints these belong to".to_string());
        }
    }
    if let Err(error) = &solved {
        warnings.push(error.to_string());
    }
    for overlap in &overlaps {
        let help = "`overlaps = \"resolve\"` in [simulation] moves it apart";
        warnings.push(format!("{}; {help}", overlap.text));
    }
    let result = CheckJson {
        scene: &loaded.name,
        ok: is_ok,
        naive_mobility: counts.coordinates as i64 - counts.rows as i64,
        mobility: match &diagnosis {
            Some(diagnosis) => diagnosis.mobility(),
            None => Some(counts.coordinates - rank),
        },
        rank,
        redundant_rows: counts.rows - rank,
        counts: &report.counts,
        solver: report.solver,
        solver_reason,
        joints,
        overlaps,
        findings: diagnosis.as_ref().map_or_else(DiagnosisJson::default, DiagnosisJson::new),
        warnings,
    };
    Ok(read(&report, &result))
}

/// Warnings of the file and of the model, before anything is solved.
fn scene_warnings(loaded: &LoadedScene, model: &Model) -> Vec<String> {
    let mut warnings = warnings::of_old_words(&loaded.old_words());
    warnings.extend(loaded.import_reports().filter_map(warnings::of_import));
    warnings.extend(warnings::of_model(model));
    warnings.extend(warnings::of_times(&loaded.all, &loaded.script, loaded.scene.simulation.until()));
    for body in model.bodies() {
        if let Err(MassError::Triangle { moments }) = body.mass.check(body.kind, false) {
            let [x, y, z] = moments.map(format_number);
            warnings.push(format!(
                "no real body has the inertia of `{}`: its largest principal moment, {z} kg·m², exceeds the sum of the \
                 other two, {x} + {y}; the file allows it",
                body.name
            ));
        }
    }
    warnings
}

/// Every joint and constraint with its errors in the pose of the file. Those that are open are warned of.
fn joint_checks<'a>(
    report: &Report<'a>,
    diagnosis: Option<&Diagnosis>,
    warnings: &mut Vec<String>,
) -> Vec<JointCheck<'a>> {
    let model = report.model;
    let name_of = |body: Option<cardan::BodyId>| body.map_or("ground", |id| model[id].name.as_str());
    let mut joints: Vec<JointCheck<'a>> = Vec::new();
    let mut row = 0;
    // Largest position and velocity error of the next rows.
    let mut errors = |rows: usize| {
        let range = row..row + rows;
        row = range.end;
        let (position, velocity) = (report.instant.position_errors(), report.instant.velocity_errors());
        (worst_of(&position[range.clone()]), worst_of(&velocity[range]))
    };
    for (i, joint) in model.joints().iter().enumerate() {
        let (position_error, velocity_error) = errors(joint.rows());
        let unique = match diagnosis {
            Some(diagnosis) => diagnosis.unique[i],
            None => report.self_stresses.as_ref().is_some_and(|stresses| {
                let (force, torque) = report.instant.unique_joint_components(JointId::of_index(i), stresses);
                force.iter().chain(&torque).all(|&u| u)
            }),
        };
        warn_open(warnings, &joint.name, position_error, velocity_error);
        joints.push(JointCheck {
            name: &joint.name,
            kind: joint.kind.name(),
            role: role_name(model.joint_role(JointId::of_index(i))),
            rows: joint.rows(),
            a: name_of(joint.body_a()),
            b: name_of(joint.body_b()),
            position_error,
            velocity_error,
            unique,
        });
    }
    for (i, constraint) in model.constraints().iter().enumerate() {
        let (position_error, velocity_error) = errors(constraint.rows());
        if let Some(sleeve) = sleeve_of(model, i) {
            // A screw is one joint.
            let own: &mut JointCheck<'_> = &mut joints[sleeve];
            own.kind = "screw";
            own.rows += constraint.rows();
            own.position_error = worst_of(&[own.position_error, position_error]);
            own.velocity_error = worst_of(&[own.velocity_error, velocity_error]);
            warn_open(warnings, own.name, position_error, velocity_error);
            continue;
        }
        let unique = report.self_stresses.as_ref().is_some_and(|stresses| {
            let (force, torque) =
                report.instant.unique_constraint_components(ConstraintId::of_index(i), stresses);
            force.iter().chain(&torque).all(|&u| u)
        });
        warn_open(warnings, &constraint.name, position_error, velocity_error);
        let mut ends = constraint.bodies();
        let (first, last) = (ends.next().flatten(), ends.last().flatten());
        joints.push(JointCheck {
            name: &constraint.name,
            kind: constraint.kind(),
            role: role_name(model.constraint_role(ConstraintId::of_index(i))),
            rows: constraint.rows(),
            a: name_of(first),
            b: name_of(last),
            position_error,
            velocity_error,
            unique,
        });
    }
    joints
}

fn text(report: &Report<'_>, result: &CheckJson<'_>) -> String {
    let mut text = report.head();
    let counts = report.model.counts();
    let truth = match result.mobility {
        Some(mobility) => {
            format!("{mobility} by rank (rank {} of {} rows)", result.rank, counts.rows)
        }
        None => "none by rank: its joints cannot all be closed".to_string(),
    };
    let _ = writeln!(
        text,
        "  mobility: {} by Grübler's formula, {truth}\n  {} variables: {} accelerations, {} multipliers\n  solver: {}\n",
        result.naive_mobility, counts.variables, counts.coordinates, counts.rows, result.solver_reason
    );
    let wide = |f: fn(&JointCheck<'_>) -> usize, head: usize| {
        result.joints.iter().map(f).max().unwrap_or(0).max(head)
    };
    let (w, k) = (wide(|j| j.name.chars().count(), 5), wide(|j| j.kind.len(), 4));
    if !result.joints.is_empty() {
        let _ = writeln!(
            text,
            "{:w$}  {:k$}  {:9}  {:>4}  {:>9}  {:8}  from – to",
            "joint", "kind", "role", "rows", "open by", "reaction"
        );
    }
    for j in &result.joints {
        let reaction = if j.unique { "unique" } else { "shared" };
        let _ = writeln!(
            text,
            "{:w$}  {:k$}  {:9}  {:>4}  {:>9}  {:8}  {} – {}",
            j.name,
            j.kind,
            j.role,
            j.rows,
            format_error(j.position_error),
            reaction,
            j.a,
            j.b
        );
    }
    result.findings.write(&mut text);
    if !(result.joints.is_empty() || result.warnings.is_empty()) {
        text.push('\n');
    }
    for warning in &result.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    if !(result.joints.is_empty() && result.warnings.is_empty()) {
        text.push('\n');
    }
    let _ = writeln!(text, "{}", if result.ok { "it can run" } else { "it cannot run" });
    text
}

/// Warns of a joint that the pose or the velocities of the file violate.
fn warn_open(warnings: &mut Vec<String>, joint: &str, position_error: f64, velocity_error: f64) {
    if position_error > OPEN_JOINT {
        warnings.push(format!("joint `{joint}` is open by {position_error:.3e} (m or rad) in the file"));
    }
    if velocity_error > OPEN_JOINT {
        let text = "the velocities in the file break joint";
        warnings.push(format!("{text} `{joint}` by {velocity_error:.3e} (m/s or rad/s)"));
    }
}
