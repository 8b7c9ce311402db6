//! Applied impulses in reports: work, and the impulses of joints and contacts.

use crate::report::without_noise;
use cardan::{ImpulseRecord, Model};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Serialize)]
pub(crate) struct AppliedImpulseJson<'a> {
    name: &'a str,
    time: f64,
    work: f64,
    dissipated: f64,
    /// Jumps of the velocities.
    bodies: BTreeMap<&'a str, VelocityJumpJson>,
    /// On b, at b's anchor, world axes.
    joints: BTreeMap<&'a str, JointImpulseJson>,
    /// On each body of a constraint, at its centre of mass.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    constraints: BTreeMap<&'a str, Vec<ConstraintImpulseJson<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contacts: Vec<ContactImpulseJson<'a>>,
}

#[derive(Serialize)]
struct VelocityJumpJson {
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
}

#[derive(Serialize)]
struct JointImpulseJson {
    impulse: [f64; 3],
    angular_impulse: [f64; 3],
}

#[derive(Serialize)]
struct ConstraintImpulseJson<'a> {
    body: &'a str,
    impulse: [f64; 3],
    angular_impulse: [f64; 3],
}

#[derive(Serialize)]
struct ContactImpulseJson<'a> {
    name: &'a str,
    normal: f64,
    impulse: [f64; 3],
}

pub(crate) fn json<'a>(
    model: &'a Model,
    applied_impulses: &'a [ImpulseRecord],
) -> Vec<AppliedImpulseJson<'a>> {
    let json = |applied: &'a ImpulseRecord| AppliedImpulseJson {
        name: &applied.name,
        time: applied.time,
        work: applied.work,
        dissipated: applied.dissipated,
        bodies: model
            .bodies()
            .iter()
            .zip(&applied.bodies)
            .map(|(body, jump)| {
                let (velocity, angular_velocity) =
                    (jump.velocity.to_array(), jump.angular_velocity.to_array());
                (body.name.as_str(), VelocityJumpJson { velocity, angular_velocity })
            })
            .collect(),
        joints: applied
            .joints
            .iter()
            .map(|joint| {
                let (impulse, angular_impulse) = (joint.on_b.force.to_array(), joint.on_b.torque.to_array());
                (joint.name.as_str(), JointImpulseJson { impulse, angular_impulse })
            })
            .collect(),
        constraints: applied
            .constraints
            .iter()
            .map(|constraint| {
                let load = |(body, wrench): &(cardan::BodyId, cardan::Wrench)| ConstraintImpulseJson {
                    body: &model[*body].name,
                    impulse: wrench.force.to_array(),
                    angular_impulse: wrench.torque.to_array(),
                };
                (constraint.name.as_str(), constraint.on.iter().map(load).collect())
            })
            .collect(),
        contacts: applied
            .contacts
            .iter()
            .map(|contact| ContactImpulseJson {
                name: &contact.name,
                normal: contact.normal,
                impulse: contact.impulse.to_array(),
            })
            .collect(),
    };
    applied_impulses.iter().map(json).collect()
}

/// The summary for people.
pub(crate) fn summary(out: &mut String, applied_impulses: &[ImpulseRecord]) {
    /// Joints shown of an impulse; JSON has them all.
    const SHOWN: usize = 8;
    for applied in applied_impulses {
        let lost = if applied.dissipated == 0.0 {
            String::new()
        } else {
            format!(", {:.6} J lost", applied.dissipated)
        };
        let _ = writeln!(
            out,
            "\nimpulse {} at t = {:.9} s: work {:.6} J{lost}; joint impulses (N·s)",
            applied.name, applied.time, applied.work
        );
        let size = applied.joints.iter().map(|joint| joint.on_b.force.norm()).fold(0.0, f64::max);
        for joint in applied.joints.iter().take(SHOWN) {
            let [x, y, z] = joint.on_b.force.to_array().map(|x| without_noise(x, size));
            let _ = writeln!(out, "  {}: [{x}, {y}, {z}]", joint.name);
        }
        if applied.joints.len() > SHOWN {
            let _ = writeln!(out, "  and {} more", applied.joints.len() - SHOWN);
        }
    }
}
