//! `cardan jog`: moves a point up, down, left, right, nearer or farther by inverse kinematics and prints the joint coordinates.
//!
//! Commands come from the command line or, one per line, from standard input, so that keys, a joystick or another program may send them. Each is a
//! reach (`cardan reach`) from the present pose; a target out of reach is refused, and the pose stays.

use crate::Failure;
use crate::args::JogArgs;
use crate::load::LoadedScene;
use crate::output::print;
use crate::reach::{at_limits, limit_names};
use crate::report::{format_number, plural};
use cardan::math::Vec3;
use cardan::{Goal, JointId, ProbeId, Simulation, StaticsError};
use cardan_scene::{Dimension, Quantity, nearest};
use serde_json::json;
use std::io::BufRead;

const DIRECTIONS: [&str; 6] = ["up", "down", "left", "right", "nearer", "farther"];

pub(crate) fn jog(args: &JogArgs) -> Result<(), Failure> {
    let loaded = LoadedScene::new(&args.scene)?;
    let input = |text: String| Failure::Input(format!("error: {}: {text}", loaded.name));
    let model = &loaded.model;
    let Some(probe) = model.find_probe(&args.probe) else {
        let known: Vec<&str> = model.probes().iter().map(|p| p.name.as_str()).collect();
        let help = match nearest(&args.probe, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "the scene has no probe; add [probes.hand]".to_string(),
            None => format!("there is {}", known.join(", ")),
        };
        return Err(input(format!("there is no probe `{}`; {help}", args.probe)));
    };
    let directions = JogDirections::new(model.gravity(), Vec3::from(args.ahead)).ok_or_else(|| {
        input("--ahead must not be along gravity: it is the direction of `farther`".to_string())
    })?;
    let index = model.probes().iter().position(|p| p.name == args.probe).unwrap_or(0);
    let mut joints = Vec::new();
    for name in &args.joints {
        match model.joints().iter().position(|j| j.name == *name) {
            Some(joint) => joints.push(joint),
            None => {
                let known = model.joints().iter().map(|j| j.name.as_str());
                let help = nearest(name, known).map_or(String::new(), |n| format!("; did you mean `{n}`?"));
                return Err(input(format!("there is no joint `{name}`{help}")));
            }
        }
    }
    if joints.is_empty() {
        joints = (0..model.joints().len()).filter(|&j| model.joints()[j].kind.coordinates() > 0).collect();
    }
    // Bad moves are reported before the first one is made.
    for line in &args.moves {
        parse_move(line, args.by).map_err(&input)?;
    }
    let mut sim = loaded.static_simulation()?;
    let failed = |error: &dyn std::fmt::Display| Failure::Run(format!("{}: {error}", loaded.name));
    sim.assemble().map_err(|error| failed(&error))?;
    print_pose(args, &mut sim, "start", None, index, &joints)?;
    let execute = |line: &str, sim: &mut Simulation| -> Result<(), Failure> {
        let Some((word, step)) = parse_move(line, args.by).map_err(&input)? else { return Ok(()) };
        let from = sim.kinematics().probe(ProbeId::of_index(index)).position;
        let before = sim.state().clone();
        let goal = Goal::probe(&loaded.model, probe, from + directions.along(word) * step)
            .ok_or_else(|| input("the probe does not move".to_string()))?;
        let stopped = match sim.reach(&goal) {
            Ok(found) if found.reached => None,
            Ok(found) => Some(limit_names(&loaded.model, &found.held)),
            // Only a pose that cannot be closed means out of reach; other errors end the command.
            Err(StaticsError::Step(_)) => Some(Vec::new()),
            Err(error) => return Err(failed(&error)),
        };
        if stopped.is_some() {
            sim.restore(&before).map_err(|error| failed(&error))?;
        }
        print_pose(
            args,
            sim,
            &format!("{word} {} m", format_number(step)),
            stopped.as_deref(),
            index,
            &joints,
        )
    };
    if args.moves.is_empty() {
        let mut rejected_lines = 0;
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| failed(&error))?;
            if ["q", "quit", "exit"].contains(&line.trim()) {
                break;
            }
            // A mistyped line is reported, and the next one read.
            match parse_move(&line, args.by) {
                Ok(_) => execute(&line, &mut sim)?,
                Err(text) => {
                    eprintln!("{text}");
                    rejected_lines += 1;
                }
            }
        }
        return match rejected_lines {
            0 => Ok(()),
            n => Err(input(format!("{} not understood", plural(n, "line was", "lines were")))),
        };
    }
    args.moves.iter().try_for_each(|line| execute(line, &mut sim))
}

/// A word and a length; nothing for an empty line.
fn parse_move(line: &str, usual: f64) -> Result<Option<(&'static str, f64)>, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(None);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let Some(known) = DIRECTIONS.into_iter().find(|known| *known == word) else {
        let help =
            nearest(word, DIRECTIONS).map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
        return Err(format!("`{word}` is not a direction{help}; there are {}", DIRECTIONS.join(", ")));
    };
    if rest.trim().is_empty() {
        return Ok(Some((known, usual)));
    }
    Quantity::parse(rest.trim(), Some(Dimension::Length))
        .and_then(|length| length.expect(Dimension::Length))
        .map(|length| Some((known, length)))
        .map_err(|error| format!("{} ({})", error.message, error.help))
}

/// Directions of the moves, in the world.
struct JogDirections {
    up: Vec3,
    ahead: Vec3,
}

impl JogDirections {
    fn new(gravity: Vec3, ahead: Vec3) -> Option<Self> {
        let up = (-gravity).normalized().unwrap_or(Vec3::Z);
        let ahead = (ahead - up * up.dot(ahead)).normalized()?;
        Some(JogDirections { up, ahead })
    }

    fn along(&self, word: &str) -> Vec3 {
        match word {
            "up" => self.up,
            "down" => -self.up,
            "left" => self.up.cross(self.ahead),
            "right" => self.ahead.cross(self.up),
            "nearer" => -self.ahead,
            _ => self.ahead,
        }
    }
}

/// One line: position of the point and joint coordinates; out of reach, also the limits that are in the way.
fn print_pose(
    args: &JogArgs,
    sim: &mut Simulation,
    what: &str,
    stopped: Option<&[String]>,
    probe: usize,
    joints: &[usize],
) -> Result<(), Failure> {
    let model = sim.model().clone();
    let now = sim.kinematics();
    let place = now.probe(ProbeId::of_index(probe)).position;
    let coordinates: Vec<(&str, Vec<f64>)> = joints
        .iter()
        .map(|&j| {
            let joint = now.joint(JointId::of_index(j));
            (model.joints()[j].name.as_str(), joint.coordinates[..joint.count].to_vec())
        })
        .collect();
    if args.json {
        let all: serde_json::Map<String, serde_json::Value> =
            coordinates.into_iter().map(|(name, values)| (name.to_string(), json!(values))).collect();
        let line = json!({ "move": what, "reached": stopped.is_none(), "limits": stopped.unwrap_or_default(), "position": place.to_array(), "coordinates": all });
        return print(&format!("{line}\n"));
    }
    // A hundredth of a millimetre and of a milliradian.
    let number = |x: f64| format_number((x * 1e5).round() / 1e5 + 0.0);
    let at = place.to_array().map(number).join(", ");
    let list: Vec<String> = coordinates
        .iter()
        .map(|(name, values)| {
            let values: Vec<String> = values.iter().map(|&x| number(x)).collect();
            format!("{name} {}", values.join(" "))
        })
        .collect();
    let refused = match stopped {
        None => String::new(),
        Some(limits) => format!(" out of reach{}, stays", at_limits(" for", limits)),
    };
    print(&format!("{what:14}{refused} at {at}; {}\n", list.join(", ")))
}
