//! `cardan modes`: frequencies, damping and shapes of small motions about an equilibrium.

use crate::Failure;
use crate::args::ModesArgs;
use crate::equilibrium::{as_json, check, in_words, seek, status, velocity_warning};
use crate::load::LoadedScene;
use crate::output::{self, print};
use crate::picture::drawing::{StripFrame, strip};
use crate::report::{format_error, format_number, plural, table};
use crate::warnings;
use cardan::math::Vec3;
use cardan::{BodyId, Equilibrium, Mode, ModeKind, Model, Modes, Simulation, StaticsError};
use cardan_view::sketch;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Amplitude of a drawn mode, relative to the length of the mechanism.
const SWING: f64 = 0.25;

pub(crate) fn modes(args: &ModesArgs) -> Result<(), Failure> {
    check(args.output.as_deref())?;
    let loaded = LoadedScene::new(&args.scene)?;
    let mut sim = loaded.static_simulation()?;
    let mut notes = warnings::of_model(&loaded.model);
    notes.extend(velocity_warning(&mut sim));
    let outcome = find(args, &mut sim);
    if let (Some(file), Ok((_, found))) = (&args.output, &outcome) {
        picture(file, args.mode, &loaded, &mut sim, found)?;
    }
    if args.json {
        let (rest, found) =
            outcome.as_ref().map_or((None, None), |(rest, found)| (rest.as_ref(), Some(found)));
        let result = json!({
            "scene": loaded.name,
            "status": status(&outcome),
            "warnings": notes,
            "equilibrium": rest.map_or(Value::Null, |rest| as_json(&loaded, rest)),
            "freedoms": found.map(|modes| modes.freedoms),
            "damped": found.map(|modes| modes.damped),
            "without_energy": found.map(|modes| modes.nonsymmetric),
            "accuracy": found.map(|modes| modes.accuracy),
            "modes": found.map_or(Vec::new(), |modes| {
                modes.modes.iter().map(|mode| mode_json(&loaded.model, mode)).collect()
            }),
        });
        print(&format!("{result}\n"))?;
    } else if let Ok((rest, found)) = &outcome {
        print(&text(&loaded, &notes, rest.as_ref(), found))?;
    }
    outcome.map(|_| ()).map_err(|error| Failure::Run(format!("{}: {error}", loaded.name)))
}

fn find(args: &ModesArgs, sim: &mut Simulation) -> Result<(Option<Equilibrium>, Modes), StaticsError> {
    let rest = if args.as_posed { None } else { Some(sim.equilibrium(seek(args.nearest))?) };
    Ok((rest, sim.modes()?))
}

fn mode_json(model: &Model, mode: &Mode) -> Value {
    let mut bodies = Map::new();
    for (id, body) in model.body_ids().zip(model.bodies()) {
        let [(shift, turn), (shift_ahead, turn_ahead)] = mode.of_body(model, id).unwrap_or_default();
        let mut entry = json!({ "translation": shift.to_array(), "rotation": turn.to_array() });
        if mode.shape_ahead.iter().any(|x| *x != 0.0) {
            entry["translation_ahead"] = json!(shift_ahead.to_array());
            entry["rotation_ahead"] = json!(turn_ahead.to_array());
        }
        bodies.insert(body.name.clone(), entry);
    }
    json!({
        "kind": mode.kind.name(),
        "frequency": mode.frequency,
        "damping_ratio": mode.damping_ratio,
        "growth_rate": mode.growth_rate,
        "eigenvalue": [mode.eigenvalue.re, mode.eigenvalue.im],
        "bodies": bodies,
    })
}

fn text(loaded: &LoadedScene, notes: &[String], rest: Option<&Equilibrium>, found: &Modes) -> String {
    let mut text = format!("{}\n", loaded.title());
    for note in notes {
        text.push_str(&format!("  warning: {note}\n"));
    }
    if let Some(rest) = rest {
        text.push_str(&format!("  {}\n", in_words(loaded, rest)));
    }
    let damping = if found.damped { "damped" } else { "undamped" };
    let energy = if found.nonsymmetric { ", with non-conservative forces" } else { "" };
    text.push_str(&format!(
        "  {}, {damping}{energy}; squares of frequencies are right to {} of the largest\n",
        plural(found.modes.len(), "mode", "modes"),
        format_error(found.accuracy)
    ));
    let numbers: Vec<String> = (1..=found.modes.len()).map(|k| k.to_string()).collect();
    let heads = ["kind", "frequency [Hz]", "damping ratio", "growth [1/s]", "moves most"];
    table(&mut text, "mode", &heads, numbers.iter().map(String::as_str), |k| {
        let mode = &found.modes[k];
        let only = |shown: bool, x: f64| if shown { format_number(x) } else { "–".to_string() };
        let grows = matches!(mode.kind, ModeKind::Unstable | ModeKind::Decaying) || found.damped;
        vec![
            mode.kind.name().to_string(),
            only(mode.kind != ModeKind::Decaying, mode.frequency),
            only(mode.kind == ModeKind::Oscillating, mode.damping_ratio),
            only(grows && mode.kind != ModeKind::Zero, mode.growth_rate),
            moves_most(&loaded.model, mode),
        ]
    });
    text
}

/// The body with the largest share of the kinetic energy, of translation and rotation.
fn moves_most(model: &Model, mode: &Mode) -> String {
    let energy = |id: BodyId| {
        let body = &model[id];
        let spin = |turn: Vec3| {
            let inertia = body.mass.inertia;
            [Vec3::X, Vec3::Y, Vec3::Z].iter().map(|&e| e.dot(inertia * e)).fold(0.0, f64::max)
                * turn.dot(turn)
        };
        mode.of_body(model, id)
            .unwrap_or_default()
            .iter()
            .map(|(shift, turn)| body.mass.mass * shift.dot(*shift) + spin(*turn))
            .sum()
    };
    let energies: Vec<f64> = model.body_ids().map(energy).collect();
    let most = energies.iter().copied().fold(0.0, f64::max);
    // The first of those that are equal but for rounding.
    let first = energies.iter().position(|e| *e >= most * (1.0 - 1e-6));
    first.map_or(String::new(), |i| model.bodies()[i].name.clone())
}

fn picture(
    file: &Path,
    number: usize,
    loaded: &LoadedScene,
    sim: &mut Simulation,
    found: &Modes,
) -> Result<(), Failure> {
    let Some(mode) = number.checked_sub(1).and_then(|k| found.modes.get(k)) else {
        let all = plural(found.modes.len(), "mode", "modes");
        return Err(Failure::Input(format!(
            "error: --mode {number}: `{}` has {all}, counted from 1",
            loaded.name
        )));
    };
    let failed = |error: &dyn std::fmt::Display| Failure::Run(format!("{}: {error}", loaded.name));
    let rest = sim.state().clone();
    let trails = vec![Vec::new(); loaded.model.probes().len()];
    let what = match mode.kind {
        ModeKind::Oscillating => format!("mode {number}: {} Hz", format_number(mode.frequency)),
        other => format!("mode {number}: {}", other.name()),
    };
    let mut strip_frames = Vec::new();
    for (amplitude, label) in [(-SWING, "one way"), (0.0, what.as_str()), (SWING, "the other")] {
        let state = sim.pose_along_mode(mode, amplitude).map_err(|error| failed(&error))?;
        sim.restore(&state).map_err(|error| failed(&error))?;
        strip_frames.push(StripFrame {
            time: label.to_string(),
            sketch: sketch(loaded.title(), &loaded.all, sim, &trails),
        });
        sim.restore(&rest).map_err(|error| failed(&error))?;
    }
    output::picture(file, &strip(&strip_frames, None))
}
