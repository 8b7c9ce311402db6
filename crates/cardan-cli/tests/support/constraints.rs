//! Joints that are not pairs of frames, such as gears and knife edges, checked from the scene's text and the printed JSON.
//!
//! Of every kind: what it exerts on its bodies enters their balance, and together it does no work. Of each kind: how it lets
//! its bodies accelerate.

use super::math::*;
use super::outside::{ForceBalance, Report};
use super::scene::{Scene, vector};
use serde_json::Value;

/// Nonholonomic joints: they constrain velocities but not poses.
pub(crate) const ON_VELOCITIES: &[&str] = &["gear", "knife-edge", "rolling"];

pub(crate) fn kind(joint: &Value) -> &str {
    joint.get("kind").and_then(Value::as_str).unwrap_or_default()
}

pub(crate) fn is_constraint(joint: &Value) -> bool {
    let is_pair = cardan_scene::joint_kinds().any(|known| known.name == kind(joint) && known.is_pair);
    !is_pair || joint.get("assembly_time").is_some()
}

/// Adds the printed loads to the balances, and checks their power.
pub(super) fn apply(
    name: &str,
    joint: &Value,
    printed: &Value,
    balance: &mut ForceBalance,
    report: &mut Report,
) {
    let loads = printed["loads"].as_array().unwrap_or_else(|| panic!("joints.{name} has no loads"));
    let (mut power, mut size) = (0.0, 0.0);
    for load in loads {
        let body = load["body"].as_str().expect("a body");
        let [point, force, torque] = ["position", "force", "torque"].map(|field| vector(&load[field], field));
        let motion = balance.motion(body);
        let velocity = motion.at(point).0;
        power += dot(force, velocity) + dot(torque, motion.omega);
        size += norm(force) * (balance.scale.speed + norm(velocity)) + norm(torque) * balance.scale.turning;
        balance.load(body, point, force, torque);
        // What several rows exert on one body may cancel; it is as good as the largest of them.
        if joint.get("equations").is_some() {
            let of = |m: &Value| m.as_f64().map_or(0.0, f64::abs);
            balance.size(body, printed["multipliers"].as_array().into_iter().flatten().map(of).sum());
        }
    }
    // What follows a law of time does work.
    if !["follow", "orient"].contains(&kind(joint)) && joint.get("assembly_time").is_none() {
        report.push(format!("joints.{name}: power"), power.abs(), size);
    }
}

/// How the bodies may not accelerate.
pub(super) fn check(
    name: &str,
    joint: &Value,
    printed: &Value,
    scene: &Scene,
    balance: &ForceBalance,
    report: &mut Report,
) {
    match kind(joint) {
        "coupler" | "rack-pinion" | "worm" | "belt" => {
            super::couplings::coupler(name, joint, printed, scene, balance, report)
        }
        "rope" => super::couplings::rope(name, joint, scene, balance, report),
        "constant-velocity" => super::couplings::constant_velocity(name, joint, scene, balance, report),
        "follow" => super::couplings::follow(name, joint, printed, balance, report),
        "spherical" => closing(name, joint, scene, balance, report),
        "gear" => gear(name, joint, scene, balance, report),
        "knife-edge" => knife_edge(name, joint, scene, balance, report),
        "point-on-curve" | "point-on-surface" | "tangent" | "cam" => {
            super::curves::check(name, joint, balance, report)
        }
        "orient" => orient(name, joint, scene, balance, report),
        "rolling" => super::rolling::check(name, joint, scene, balance, report),
        // What it exerts is in the balance and does no work; its rows are held against differences in `derivatives.rs`, its law in `couplings.rs`.
        "geneva" => {}
        other => report.skipped.push(format!("{name}: {other}")),
    }
}

pub(super) fn list<'a>(joint: &'a Value, field: &str) -> &'a [Value] {
    joint.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A direction of the file's pose, as it has turned with the body since.
pub(super) fn carried(direction: V, body: &str, scene: &Scene, balance: &ForceBalance) -> V {
    let start = scene.bodies.get(body).map_or(IDENTITY, |b| b.rot);
    rotate(balance.motion(body).rot, rotate(conjugate(start), direction))
}

/// The orientation by products of turns about given axes, for laws that are quintics, cubics between two rows, or sines.
fn orient(name: &str, joint: &Value, scene: &Scene, balance: &ForceBalance, report: &mut Report) {
    let [a, b] = ["a", "b"].map(|end| joint[end].as_str().expect("a body"));
    let number = |v: &Value| super::scene::number(v, "an angle");
    let mut wanted = IDENTITY;
    for turn in list(joint, "turns") {
        let law = &turn["law"];
        let angle = if let Some(sine) = law.get("sine") {
            let part = |key: &str| sine.get(key).map_or(0.0, number);
            part("offset")
                + part("amplitude")
                    * (2.0 * std::f64::consts::PI * part("frequency") * balance.time + part("phase")).sin()
        } else {
            let quintic = law.get("quintic").is_some();
            let rows = list(law, if quintic { "quintic" } else { "cubic" });
            let at = |i: usize| [number(&rows[i][0]), number(&rows[i][1])];
            let i = (0..rows.len() - 1).rev().find(|&i| at(i)[0] <= balance.time).unwrap_or(0);
            let ([t, x], [u, y]) = (at(i), at(i + 1));
            let s = ((balance.time - t) / (u - t)).clamp(0.0, 1.0);
            let share =
                if quintic { s * s * s * (10.0 + s * (6.0 * s - 15.0)) } else { s * s * (3.0 - 2.0 * s) };
            x + (y - x) * share
        };
        let axis = unit(vector(&turn["axis"], "an axis"));
        let (sin, cos) = (0.5 * angle).sin_cos();
        wanted = quat_mul(wanted, [cos, sin * axis[0], sin * axis[1], sin * axis[2]]);
    }
    for e in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        // A direction of the file's pose, as b carries it, and as a and the laws do.
        let is = carried(e, b, scene, balance);
        let should = carried(rotate(wanted, e), a, scene, balance);
        report.push(format!("joints.{name}: orientation"), norm(sub(is, should)), 1.0);
    }
}

fn gear(name: &str, joint: &Value, scene: &Scene, balance: &ForceBalance, report: &mut Report) {
    let [mut speed, mut speed_size, mut change, mut change_size] = [0.0; 4];
    for ((body, axis), ratio) in
        list(joint, "bodies").iter().zip(list(joint, "axes")).zip(list(joint, "ratios"))
    {
        let (body, ratio) = (body.as_str().expect("a body"), ratio.as_f64().expect("a ratio"));
        let motion = balance.motion(body);
        let axis = carried(unit(vector(axis, "an axis")), body, scene, balance);
        speed += ratio * dot(axis, motion.omega);
        speed_size += ratio.abs() * norm(motion.omega);
        change += ratio * dot(axis, motion.alpha);
        change_size += ratio.abs() * (norm(motion.alpha) + motion.alpha_scale);
    }
    report.push(format!("joints.{name}: speeds"), speed.abs(), speed_size);
    report.push(format!("joints.{name}: accelerations"), change.abs(), change_size);
}

/// Two points that approach each other along 1 − 10 s³ + 15 s⁴ − 6 s⁵ and then stay together.
fn closing(name: &str, joint: &Value, scene: &Scene, balance: &ForceBalance, report: &mut Report) {
    let duration = super::scene::number(&joint["assembly_time"], "assembly_time");
    let s = (balance.time / duration).min(1.0);
    let left = [
        1.0 - s * s * s * (10.0 - s * (15.0 - 6.0 * s)),
        -30.0 * s * s * (1.0 - s) * (1.0 - s) / duration,
        -60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (duration * duration),
    ];
    let end = |end: &str, anchor: &str| {
        let body = joint[end].as_str().expect("a body");
        let local = vector(&joint[anchor], anchor);
        let first = scene.bodies.get(body).map_or(local, |b| add(b.position, rotate(b.rot, local)));
        let motion = balance.motion(body);
        let now = motion.world(local);
        (first, now, motion.at(now), motion.sizes_at(now))
    };
    let (a, b) = (end("a", "anchor_in_a"), end("b", "anchor_in_b"));
    let gap = sub(b.0, a.0);
    let off = |now: V, left: f64| norm(sub(now, scale(left, gap)));
    let reach = balance.scale.reach + norm(a.1) + norm(b.1) + norm(gap);
    report.push(format!("joints.{name}: gap"), off(sub(b.1, a.1), left[0]), reach);
    let size = a.3.0 + b.3.0 + norm(gap) / duration;
    report.push(format!("joints.{name}: rate of the gap"), off(sub(b.2.0, a.2.0), left[1]), size);
    let size = a.3.1 + b.3.1 + norm(gap) / (duration * duration);
    report.push(format!("joints.{name}: acceleration of the gap"), off(sub(b.2.1, a.2.1), left[2]), size);
}

/// On the ground: the edge's velocity and acceleration across itself.
fn knife_edge(name: &str, joint: &Value, scene: &Scene, balance: &ForceBalance, report: &mut Report) {
    let (a, b) = (joint["a"].as_str().expect("a body"), joint["b"].as_str().expect("a body"));
    if a != "ground" {
        return report.skipped.push(format!("joints.{name} (a knife edge on a body)"));
    }
    let along = carried(unit(vector(&joint["direction"], "direction")), b, scene, balance);
    let normal = joint.get("axis").map_or([0.0, 0.0, 1.0], |v| unit(vector(v, "axis")));
    let side = cross(carried(normal, b, scene, balance), along);
    let (motion, body) = (balance.motion(b), &scene.bodies[b]);
    let point = match (joint.get("anchor_in_b"), joint.get("anchor")) {
        (Some(own), _) => motion.world(vector(own, "anchor_in_b")),
        (None, Some(world)) => {
            motion.world(rotate(conjugate(body.rot), sub(vector(world, "anchor"), body.position)))
        }
        (None, None) => motion.world(ZERO),
    };
    let (velocity, acceleration) = motion.at(point);
    let (speed_size, size) = motion.sizes_at(point);
    report.push(format!("joints.{name}: slip"), dot(side, velocity).abs(), speed_size + balance.scale.speed);
    let turned = cross(motion.omega, side);
    let change = dot(side, acceleration) + dot(turned, velocity);
    report.push(format!("joints.{name}: change of slip"), change.abs(), size + norm(turned) * speed_size);
}
