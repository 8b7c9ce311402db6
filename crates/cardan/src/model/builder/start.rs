//! The state that a model starts from.

use super::RunningState;
use super::bodies::BodyTable;
use super::constraints::PosedCoupler;
use super::joints::JointTable;
use crate::body::Body;
use crate::body::general::{self, GeneralMotion, Motions};
use crate::model::{Model, ModelBody, ModelConstraint, ModelInequality};
use crate::state::State;
use std::sync::Arc;

/// The state that descriptions start from, or that of parts that run already, with turns not counted yet; and the general body that
/// swings fastest by itself.
pub(super) fn initial_state(
    described: &[Body],
    table: &BodyTable,
    parts: (&JointTable, &[ModelConstraint], &[ModelInequality]),
    now: Option<&RunningState<'_>>,
) -> (State, Option<(usize, f64)>) {
    let (BodyTable { bodies, q_len, v_len, .. }, (joint_table, constraints, inequalities)) = (table, parts);
    let JointTable { joints, turn_len, sum_len, .. } = joint_table;
    let user_rows: usize = constraints.iter().map(|c| c.rows).sum();
    let mut initial = State::zeros(*q_len, *v_len, *turn_len, *sum_len, joints.len() + user_rows);
    initial.belong_to(bodies, joints, constraints, inequalities);
    for (body, entry) in described.iter().zip(bodies) {
        let (q, v) = (entry.q_range(), entry.v_range());
        body.kind.initial(body, &mut initial.q[q], &mut initial.v[v]);
    }
    // As described: what it is must not depend on when a model is built.
    let stiffest_body = stiffest_body(bodies, &initial, now.map(|now| now.natural_frequencies));
    if let Some(now) = now {
        initial.time = now.time;
        initial.time_remainder = now.time_remainder;
        initial.sums_time = now.time;
        for (entry, (q, v)) in bodies.iter().zip(now.bodies) {
            initial.q[entry.q_range()].copy_from_slice(q);
            initial.v[entry.v_range()].copy_from_slice(v);
        }
    }
    (initial, stiffest_body)
}

/// Counts turns, starts drives, and settles couplers that keep what was posed.
pub(super) fn start(model: &mut Model, as_posed: Vec<PosedCoupler>, now: Option<&RunningState<'_>>) {
    let mut initial = std::mem::take(&mut model.initial);
    crate::measure::coordinates::start_turns(model, &mut initial);
    let counted = now.iter().flat_map(|now| now.turns).zip(&model.joints);
    for (turns, joint) in counted.filter_map(|(turns, joint)| Some((turns.as_ref()?, joint))) {
        for (at, turn) in joint.turns_at().into_iter().zip(turns) {
            if let Some(at) = at {
                initial.turns[at] = *turn;
            }
        }
    }
    let starts = crate::measure::coordinates::starts_of_drives(model, &initial);
    model.drives.iter_mut().zip(starts).for_each(|(drive, start)| drive.start = start);
    if let Some(now) = now {
        model.drives.iter_mut().for_each(|drive| drive.start_at(now.time, &mut initial.sums));
    }
    if !as_posed.is_empty() {
        let mut motions = Motions::new(model);
        crate::step::write_motions(model, &initial, &mut motions);
        for (index, mut coupled, posed) in as_posed {
            let constraint = &mut model.constraints[index];
            let frames: Vec<_> =
                constraint.frames.iter().map(|at| crate::step::frame(&motions, at)).collect();
            coupled.set_posed_offsets(&frames, &initial.turns, &posed);
            model.coupler_offsets.push((index, coupled.offsets.clone()));
            let coupled = Arc::new(coupled);
            constraint.coupler = Some(coupled.clone());
            constraint.rule = coupled;
        }
    }
    model.initial = initial;
}

/// The general body that swings fastest by itself, and how fast; where that is known of each, it is not worked out again.
fn stiffest_body(bodies: &[ModelBody], initial: &State, known: Option<&[f64]>) -> Option<(usize, f64)> {
    let mut most: Option<(usize, f64)> = None;
    for (i, body) in bodies.iter().enumerate() {
        let Some(made) = &body.general else { continue };
        let omega = known.map(|known| known[i]).unwrap_or_else(|| {
            let mass = &body.mass;
            let size = (mass.inertia.trace() / (2.0 * mass.mass)).sqrt();
            let at = (&initial.q[body.q_range()], &initial.v[body.v_range()]);
            general::highest_natural_frequency(made, &mut GeneralMotion::new(i, made), at, size)
        });
        if omega > most.map_or(0.0, |most| most.1) {
            most = Some((i, omega));
        }
    }
    most
}
