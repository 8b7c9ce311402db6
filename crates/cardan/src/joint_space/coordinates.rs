//! Positions and rates of joints: from poses of bodies to arrays in joint order, and from arrays to the
//! coordinates that place the bodies.

use super::{CommandError, OrderEntry, is_ball};
use crate::body::general::Motions;
use crate::joint::{JointCoordinates, Relative};
use crate::math::{Quat, Vec3, larger};
use crate::measure::coordinates::{full_value, raw};
use crate::model::Model;
use crate::simulation::commands::{check_all_finite, check_length};
use crate::state::State;
use crate::step::{JointAxes, JointChart, frame, write_motions};

/// The joint of an entry that is one.
pub(crate) fn index(entry: &OrderEntry) -> usize {
    entry.joint.unwrap_or(0)
}

/// What is left to a goal, in rates of the joint: of a ball the rotation vector in a's frame.
pub(crate) fn left_to(model: &Model, entry: &OrderEntry, now: &[f64], goal: &[f64]) -> Vec<f64> {
    if entry.mix.is_none() && is_ball(model.joints[index(entry)].kind) {
        let quat = |p: &[f64]| Quat::from_wxyz(p[0], p[1], p[2], p[3]).unwrap_or(Quat::IDENTITY);
        return (quat(goal) * quat(now).inverse()).log().to_array().to_vec();
    }
    goal.iter().zip(now).map(|(goal, now)| goal - now).collect()
}

/// The largest change of the positions of an entry [m, rad]; driven coordinates do not count.
pub(crate) fn farthest(model: &Model, entry: &OrderEntry, wanted: &[f64], reached: &[f64]) -> f64 {
    let turned = |from: usize| {
        let quat = |p: &[f64]| Quat::from_wxyz(p[from], p[from + 1], p[from + 2], p[from + 3]);
        match (quat(wanted), quat(reached)) {
            (Some(a), Some(b)) => (a * b.inverse()).log().norm(),
            _ => 0.0,
        }
    };
    let plain = |count: usize| {
        let all = wanted.iter().zip(reached).take(count).enumerate().filter(|(k, _)| !entry.driven[*k]);
        all.fold(0.0, |most, (_, (a, b))| larger(most, (a - b).abs()))
    };
    match entry.joint {
        Some(j) if entry.mix.is_none() && is_ball(model.joints[j].kind) => turned(0),
        None if wanted.len() == 7 => larger(plain(3), turned(3)),
        _ => plain(wanted.len()),
    }
}

/// The freedom of a joint between planar bodies: its value.
fn mixed_value(model: &Model, state: &State, all: &JointCoordinates, j: usize, mix: [f64; 3]) -> f64 {
    if mix == [1.0, 0.0, 0.0] {
        return full_value(model, j, 0, all.value[0], &state.turns);
    }
    (0..3).map(|k| mix[k] * all.value[k]).sum()
}

/// Positions of one joint, in the tree or beyond it.
pub(crate) fn positions_at(model: &Model, state: &State, motions: &Motions, j: usize) -> Vec<f64> {
    let joint = &model.joints[j];
    let (a, b) = (frame(motions, &joint.a), frame(motions, &joint.b));
    let all = raw(joint, &Relative::new(&a, &b));
    match model.joint_order().joint_at(j).and_then(|entry| entry.mix) {
        Some(mix) => vec![mixed_value(model, state, &all, j, mix)],
        None if is_ball(joint.kind) => (a.rot.inverse() * b.rot).renormalized().to_wxyz().to_vec(),
        None => {
            let count = model.joint_order().efforts_of(j).len();
            (0..count).map(|k| full_value(model, j, k, all.value[k], &state.turns)).collect()
        }
    }
}

/// Rates of one joint, in the tree or beyond it.
pub(crate) fn rates_at(model: &Model, motions: &Motions, j: usize) -> Vec<f64> {
    let mix = model.joint_order().joint_at(j).and_then(|entry| entry.mix);
    let count = model.joint_order().efforts_of(j).len();
    JointAxes::new(model, motions, j, mix).rate[..count].to_vec()
}

/// Positions (without zeros) and rates of a joint that the state has as joint coordinates: exact, and without
/// kinematics. `None` of a ball, whose quaternion is read from poses, and between planar bodies.
fn carried<'s>(
    model: &Model,
    state: &'s State,
    entry: &OrderEntry,
    j: usize,
) -> Option<(&'s [f64], &'s [f64])> {
    if !state.has_joints() || entry.mix.is_some() || is_ball(model.joints[j].kind) {
        return None;
    }
    let body = &model.bodies[entry.body];
    let n = entry.rates.len();
    let (p, rates) = (state.joint_q.get(body.q_range())?, state.joint_v.get(body.v_range())?);
    Some((p.get(..n)?, rates.get(..n)?))
}

pub(crate) fn read_positions(model: &Model, state: &State, motions: &Motions, out: &mut [f64]) {
    for entry in model.joint_order().entries() {
        let out = &mut out[entry.positions.clone()];
        match entry.joint {
            None => out.copy_from_slice(&state.q[model.bodies[entry.body].q_range()]),
            Some(j) => {
                let joint = &model.joints[j];
                if let Some((p, _)) = carried(model, state, entry, j) {
                    out.iter_mut().zip(p).enumerate().for_each(|(k, (x, p))| *x = p + joint.zero(k));
                    continue;
                }
                let (a, b) = (frame(motions, &joint.a), frame(motions, &joint.b));
                if entry.mix.is_none() && is_ball(joint.kind) {
                    out.copy_from_slice(&(a.rot.inverse() * b.rot).renormalized().to_wxyz());
                    continue;
                }
                let all = raw(joint, &Relative::new(&a, &b));
                match entry.mix {
                    Some(mix) => out[0] = mixed_value(model, state, &all, j, mix),
                    None => out
                        .iter_mut()
                        .enumerate()
                        .for_each(|(k, x)| *x = full_value(model, j, k, all.value[k], &state.turns)),
                }
            }
        }
    }
}

pub(crate) fn read_rates(model: &Model, state: &State, motions: &Motions, out: &mut [f64]) {
    for entry in model.joint_order().entries() {
        let out = &mut out[entry.rates.clone()];
        match entry.joint {
            None => out.copy_from_slice(&state.v[model.bodies[entry.body].v_range()]),
            Some(j) => match carried(model, state, entry, j) {
                Some((_, rates)) => out.copy_from_slice(rates),
                None => {
                    let axes = JointAxes::new(model, motions, j, entry.mix);
                    out.copy_from_slice(&axes.rate[..out.len()]);
                }
            },
        }
    }
}

/// Positions of an entry, displaced by `x` along its freedom `k`.
pub(crate) fn shifted_positions(
    model: &Model,
    state: &State,
    motions: &Motions,
    entry: &OrderEntry,
    k: usize,
    x: f64,
) -> Vec<f64> {
    let mut out = match entry.joint {
        None => state.q[model.bodies[entry.body].q_range()].to_vec(),
        Some(j) => positions_at(model, state, motions, j),
    };
    let plain = match entry.joint {
        None => 3,
        Some(_) if entry.positions.len() != entry.rates.len() => 0,
        Some(_) => out.len(),
    };
    if k < plain || out.len() == entry.rates.len() {
        out[k] += x;
        return out;
    }
    let mut turn = Vec3::ZERO;
    turn[k - plain] = x;
    let p = &mut out[plain..];
    if let Some(rot) = Quat::from_wxyz(p[0], p[1], p[2], p[3]) {
        p.copy_from_slice(&(Quat::exp(turn) * rot).to_wxyz());
    }
    out
}

/// Four numbers as a rotation, within a millionth of length 1.
fn rotation(part: &str, p: &[f64]) -> Result<[f64; 4], CommandError> {
    let length = p.iter().fold(0.0, |sum, x| sum + x * x).sqrt();
    match Quat::from_wxyz(p[0], p[1], p[2], p[3]) {
        Some(rot) if (length - 1.0).abs() <= 1e-6 => Ok(rot.to_wxyz()),
        _ => Err(CommandError::Quaternion { part: part.into(), length }),
    }
}

/// Refuses positions of an entry that are not finite, or four numbers that are no rotation.
pub(crate) fn check_positions(
    model: &Model,
    entry: &OrderEntry,
    positions: &[f64],
) -> Result<(), CommandError> {
    check_all_finite("position", entry.name(model), positions)?;
    match entry.joint {
        None if positions.len() == 7 => rotation(entry.name(model), &positions[3..]).map(|_| ()),
        Some(j) if entry.mix.is_none() && is_ball(model.joints[j].kind) => {
            rotation(entry.name(model), positions).map(|_| ())
        }
        _ => Ok(()),
    }
}

/// Refuses rates of an entry that are not finite.
pub(crate) fn check_rates(model: &Model, entry: &OrderEntry, rates: &[f64]) -> Result<(), CommandError> {
    check_all_finite("rate", entry.name(model), rates)
}

/// Refuses arrays of positions and rates in joint order that no tree of the model can have.
pub(crate) fn check_joint_state(model: &Model, positions: &[f64], rates: &[f64]) -> Result<(), CommandError> {
    let order = model.joint_order();
    check_length("positions", positions.len(), order.position_count())?;
    check_length("rates", rates.len(), order.rate_count())?;
    for entry in order.entries() {
        check_positions(model, entry, &positions[entry.positions.clone()])?;
        check_rates(model, entry, &rates[entry.rates.clone()])?;
    }
    Ok(())
}

/// A tree with these positions and rates in joint order, which were checked: joint coordinates first, poses from
/// them. Nothing is projected, since joints that place their bodies cannot be open. Allocates nothing if the
/// state has joint coordinates.
pub(crate) fn place_tree(
    model: &Model,
    chart: &JointChart,
    motions: &mut Motions,
    (positions, rates): (&[f64], &[f64]),
    state: &mut State,
) -> Result<(), CommandError> {
    if !state.has_joints() {
        chart.read(model, state, motions);
    }
    for entry in model.joint_order().entries() {
        write_positions(model, entry, &positions[entry.positions.clone()], state)?;
        write_rates(model, entry, &rates[entry.rates.clone()], state)?;
    }
    chart.rebuild(model, state, motions);
    state.plan.fill(0);
    state.held.clear();
    (state.assembled, state.still) = (true, false);
    Ok(())
}

/// Writes positions of an entry into the joint coordinates of a state, which were read from its poses.
pub(crate) fn write_positions(
    model: &Model,
    entry: &OrderEntry,
    positions: &[f64],
    state: &mut State,
) -> Result<(), CommandError> {
    let name = entry.name(model);
    check_all_finite("position", name, positions)?;
    let range = model.bodies[entry.body].q_range();
    let Some(j) = entry.joint else {
        let own = &mut state.joint_q[range];
        let rot = if positions.len() == 7 { Some(rotation(name, &positions[3..])?) } else { None };
        own.copy_from_slice(positions);
        if let Some(rot) = rot {
            own[3..].copy_from_slice(&rot);
        }
        return Ok(());
    };
    let joint = &model.joints[j];
    let Some(mix) = entry.mix else {
        let p = &mut state.joint_q[range];
        if is_ball(joint.kind) {
            p[3..].copy_from_slice(&rotation(name, positions)?);
        } else {
            let free = positions.iter().enumerate().filter(|(k, _)| !entry.driven[*k]);
            free.for_each(|(k, x)| p[k] = x - joint.zero(k));
        }
        return Ok(());
    };
    if entry.driven[0] {
        return Ok(());
    }
    let mut motions = Motions::new(model);
    write_motions(model, state, &mut motions);
    let relative = Relative::new(&frame(&motions, &joint.a), &frame(&motions, &joint.b));
    let all = raw(joint, &relative);
    let now = mixed_value(model, state, &all, j, mix);
    state.joint_q[range.start] += plane_sign(model, entry, j) * (positions[0] - now);
    if let Some(at) = joint.turns_of(0) {
        state.turns[at] = positions[0] - joint.zero(0);
    }
    Ok(())
}

/// Writes rates of an entry into those of the joint coordinates of a state.
pub(crate) fn write_rates(
    model: &Model,
    entry: &OrderEntry,
    rates: &[f64],
    state: &mut State,
) -> Result<(), CommandError> {
    let name = entry.name(model);
    check_all_finite("rate", name, rates)?;
    let range = model.bodies[entry.body].v_range();
    let Some(j) = entry.joint else {
        state.joint_v[range].copy_from_slice(rates);
        return Ok(());
    };
    let first = if entry.mix.is_none() && is_ball(model.joints[j].kind) { 3 } else { 0 };
    let sign = if entry.mix.is_some() { plane_sign(model, entry, j) } else { 1.0 };
    let own = &mut state.joint_v[range];
    let free = rates.iter().enumerate().filter(|(k, _)| !entry.driven[*k]);
    free.for_each(|(k, x)| own[first + k] = sign * x);
    Ok(())
}

/// Sign of p₀ of a planar pair beside the coordinate of the joint: its angle is that of the child
/// relative to the parent about the world's z.
fn plane_sign(model: &Model, entry: &OrderEntry, j: usize) -> f64 {
    let joint = &model.joints[j];
    let onto_b = joint.b.body() == Some(entry.body);
    let up = joint.plane.as_deref().is_none_or(|plane| plane.normal.z > 0.0);
    let turns = joint.kind.about().coordinate(0).is_some_and(|c| c.is_angle);
    match (turns, is_ball(joint.kind)) {
        (false, _) => 1.0,
        (true, true) => {
            if onto_b {
                1.0
            } else {
                -1.0
            }
        }
        (true, false) => {
            if up == onto_b {
                1.0
            } else {
                -1.0
            }
        }
    }
}
