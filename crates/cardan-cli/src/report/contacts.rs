//! Inequalities, contacts and events in reports.

use cardan::measure::Instant;
use cardan::{BodyId, Event, InequalityId, Model};
use serde::Serialize;
use std::fmt::Write;

/// The summary shows this many events; JSON has them all.
const SHOWN: usize = 8;

#[derive(Serialize)]
pub(crate) struct ContactJson<'a> {
    bodies: [&'a str; 2],
    /// Names of the shapes, where they have one.
    #[serde(skip_serializing_if = "nameless")]
    shapes: [Option<&'a str>; 2],
    point: [f64; 3],
    normal: [f64; 3],
    force: [f64; 3],
    /// Moment of rolling and torsional resistance, on the second body.
    #[serde(skip_serializing_if = "Option::is_none")]
    moment: Option<[f64; 3]>,
    slides: bool,
}

#[derive(Clone, Serialize)]
pub(crate) struct EventJson {
    pub(crate) time: f64,
    constraint: String,
    what: &'static str,
    /// Rate of the gap just before an impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impulse: Option<f64>,
    /// Of a limit: which coordinate, and which end of its range.
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinate: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
}

#[derive(Serialize)]
pub(crate) struct InequalityJson<'a> {
    name: &'a str,
    kind: &'static str,
    gap: f64,
    rate: f64,
    /// λ: the force that holds it.
    multiplier: f64,
    /// The multiplier again, under the name of earlier versions.
    strain: f64,
    state: &'static str,
    /// F⁺: in the active set (treated as an equality); F⁻: not.
    set: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinate: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    /// Load on each body, at its centre of mass.
    loads: Vec<InequalityLoadJson<'a>>,
}

#[derive(Serialize)]
struct InequalityLoadJson<'a> {
    body: &'a str,
    force: [f64; 3],
    torque: [f64; 3],
}

fn nameless(shapes: &[Option<&str>; 2]) -> bool {
    shapes.iter().all(Option::is_none)
}

fn name_of(model: &Model, body: Option<BodyId>) -> &str {
    body.map_or("ground", |id| &model[id].name)
}

/// Coordinate and side of a limit.
fn limit_of(model: &Model, index: usize) -> (Option<usize>, Option<&'static str>) {
    use cardan::inequality::InequalityOrigin;
    match model.inequalities()[index].origin {
        InequalityOrigin::Declared => (None, None),
        InequalityOrigin::Limit { coordinate, side, .. } => (Some(coordinate), Some(side_name(side))),
    }
}

fn side_name(side: cardan::inequality::LimitSide) -> &'static str {
    match side {
        cardan::inequality::LimitSide::Low => "low",
        cardan::inequality::LimitSide::High => "high",
    }
}

pub(crate) fn contacts<'a>(model: &'a Model, instant: &Instant<'_>) -> Vec<ContactJson<'a>> {
    let json = |contact: cardan::measure::ContactReport| ContactJson {
        bodies: contact.bodies.map(|body| name_of(model, body)),
        shapes: contact.shapes.map(|shape| model.shape(shape).and_then(cardan::contact::ModelShape::name)),
        point: contact.point.to_array(),
        normal: contact.normal.to_array(),
        force: contact.force.to_array(),
        moment: Some(contact.moment.to_array()).filter(|moment| *moment != [0.0; 3]),
        slides: contact.slides,
    };
    instant.contacts().map(json).collect()
}

pub(crate) fn inequalities<'a>(model: &'a Model, instant: &Instant<'_>) -> Vec<InequalityJson<'a>> {
    let json = |(i, id): (usize, InequalityId)| {
        let (inequality, at) = (&model.inequalities()[i], instant.inequality(id));
        let (coordinate, side) = limit_of(model, i);
        let load = |(body, wrench): &(BodyId, cardan::Wrench)| InequalityLoadJson {
            body: &model[*body].name,
            force: wrench.force.to_array(),
            torque: wrench.torque.to_array(),
        };
        InequalityJson {
            name: &inequality.name,
            kind: inequality.kind(),
            gap: at.gap,
            rate: at.rate,
            multiplier: at.multiplier,
            strain: at.multiplier,
            state: at.state.name(),
            set: if at.in_active_set { "F+" } else { "F-" },
            coordinate,
            side,
            loads: at.loads.iter().map(load).collect(),
        }
    };
    model.inequality_ids().enumerate().map(json).collect()
}

impl EventJson {
    /// An event of a condition.
    pub(crate) fn new(event: &cardan::WorldEvent) -> Self {
        let has_impulse = event.impulse != 0.0 || event.speed != 0.0;
        let is_applied = event.kind == cardan::step::EventKind::Impulse;
        EventJson {
            speed: (has_impulse && !is_applied).then_some(event.speed),
            impulse: has_impulse.then_some(event.impulse),
            coordinate: event.coordinate,
            side: event.side.map(side_name),
            ..EventJson::without_impulse(event.time, event.name.clone(), event.kind.name())
        }
    }

    /// An event without impulse.
    pub(crate) fn without_impulse(time: f64, constraint: String, what: &'static str) -> Self {
        EventJson { time, constraint, what, speed: None, impulse: None, coordinate: None, side: None }
    }
}

pub(crate) fn events(model: &Model, events: &[Event]) -> Vec<EventJson> {
    events.iter().map(|event| EventJson::new(&cardan::WorldEvent::of(model, event))).collect()
}

/// The summary for people.
pub(crate) fn summary(out: &mut String, model: &Model, instant: &Instant<'_>, events: &[EventJson]) {
    if !model.has_inequalities() {
        return;
    }
    let pressing: Vec<_> = contacts(model, instant);
    let all = inequalities(model, instant);
    let active: Vec<_> = all.iter().filter(|i| i.multiplier != 0.0).collect();
    let mut counts = Vec::new();
    if model.shapes().len() > 1 {
        counts.push(format!("active contacts {}", pressing.len()));
    }
    if !model.inequalities().is_empty() {
        counts.push(format!("active inequalities {} of {}", active.len(), model.inequalities().len()));
    }
    counts.push(format!("events {}", events.len()));
    let _ = writeln!(out, "\n{}", counts.join(", "));
    if !all.is_empty() {
        let count = |is: &dyn Fn(&InequalityJson<'_>) -> bool| all.iter().filter(|i| is(i)).count();
        let [handled, ignored] = ["F+", "F-"].map(|set| count(&|i| i.set == set));
        let states = ["satisfied", "active", "violated"];
        let [satisfied, active, violated] = states.map(|state| count(&|i| i.state == state));
        let _ = writeln!(
            out,
            "  F⁺ {handled}, F⁻ {ignored}; satisfied {satisfied}, active {active}, violated {violated}"
        );
    }
    for contact in pressing.iter().take(SHOWN) {
        let [x, y, z] = contact.force;
        let slides = if contact.slides { ", slides" } else { "" };
        let side = |i: usize| match contact.shapes[i] {
            Some(shape) => format!("{}/{shape}", contact.bodies[i]),
            None => contact.bodies[i].to_string(),
        };
        let _ = writeln!(out, "  {} on {}: [{x:.6}, {y:.6}, {z:.6}] N{slides}", side(0), side(1));
    }
    for inequality in active.iter().take(SHOWN) {
        let _ = writeln!(out, "  {}: multiplier {:.6}", inequality.name, inequality.multiplier);
    }
    if events.len() > SHOWN {
        let _ = writeln!(out, "  the last {SHOWN} events:");
    }
    for event in &events[events.len().saturating_sub(SHOWN)..] {
        let _ = writeln!(out, "  t = {:.9} s  {}  {}", event.time, event.constraint, event.what);
    }
}
