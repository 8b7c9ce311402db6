//! Blows in reports: what each gave, and what joints and contacts answered with.

use crate::report::without_noise;
use cardan::{Model, Strike};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Serialize)]
pub(crate) struct StrikeJson<'a> {
    name: &'a str,
    time: f64,
    work: f64,
    dissipated: f64,
    /// By how much velocities jumped.
    bodies: BTreeMap<&'a str, JumpJson>,
    /// On b, at b's anchor, world axes.
    joints: BTreeMap<&'a str, ImpulseJson>,
    /// On each body of a constraint, at its centre of mass.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    constraints: BTreeMap<&'a str, Vec<LoadJson<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contacts: Vec<TouchJson<'a>>,
}

#[derive(Serialize)]
struct JumpJson {
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
}

#[derive(Serialize)]
struct ImpulseJson {
    impulse: [f64; 3],
    angular_impulse: [f64; 3],
}

#[derive(Serialize)]
struct LoadJson<'a> {
    body: &'a str,
    impulse: [f64; 3],
    angular_impulse: [f64; 3],
}

#[derive(Serialize)]
struct TouchJson<'a> {
    name: &'a str,
    normal: f64,
    impulse: [f64; 3],
}

pub(crate) fn json<'a>(model: &'a Model, strikes: &'a [Strike]) -> Vec<StrikeJson<'a>> {
    let json = |strike: &'a Strike| StrikeJson {
        name: &strike.name,
        time: strike.time,
        work: strike.work,
        dissipated: strike.dissipated,
        bodies: model
            .bodies()
            .iter()
            .zip(&strike.bodies)
            .map(|(body, jump)| {
                let (velocity, angular_velocity) =
                    (jump.velocity.to_array(), jump.angular_velocity.to_array());
                (body.name.as_str(), JumpJson { velocity, angular_velocity })
            })
            .collect(),
        joints: strike
            .joints
            .iter()
            .map(|joint| {
                let (impulse, angular_impulse) = (joint.on_b.force.to_array(), joint.on_b.torque.to_array());
                (joint.name.as_str(), ImpulseJson { impulse, angular_impulse })
            })
            .collect(),
        constraints: strike
            .constraints
            .iter()
            .map(|constraint| {
                let load = |(body, wrench): &(usize, cardan::Wrench)| LoadJson {
                    body: &model.bodies()[*body].name,
                    impulse: wrench.force.to_array(),
                    angular_impulse: wrench.torque.to_array(),
                };
                (constraint.name.as_str(), constraint.on.iter().map(load).collect())
            })
            .collect(),
        contacts: strike
            .touches
            .iter()
            .map(|touch| TouchJson {
                name: &touch.name,
                normal: touch.normal,
                impulse: touch.impulse.to_array(),
            })
            .collect(),
    };
    strikes.iter().map(json).collect()
}

/// What people read of it.
pub(crate) fn summary(out: &mut String, strikes: &[Strike]) {
    /// Joints of a blow that are shown; JSON has them all.
    const SHOWN: usize = 8;
    for strike in strikes {
        let lost = if strike.dissipated == 0.0 {
            String::new()
        } else {
            format!(", {:.6} J lost", strike.dissipated)
        };
        let _ = writeln!(
            out,
            "\nblow {} at t = {:.9} s: {:.6} J given{lost}; joints answered (N·s)",
            strike.name, strike.time, strike.work
        );
        let size = strike.joints.iter().map(|joint| joint.on_b.force.norm()).fold(0.0, f64::max);
        for joint in strike.joints.iter().take(SHOWN) {
            let [x, y, z] = joint.on_b.force.to_array().map(|x| without_noise(x, size));
            let _ = writeln!(out, "  {}: [{x}, {y}, {z}]", joint.name);
        }
        if strike.joints.len() > SHOWN {
            let _ = writeln!(out, "  and {} more", strike.joints.len() - SHOWN);
        }
    }
}
