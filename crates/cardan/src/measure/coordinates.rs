//! Joint coordinates with their turns counted.
//!
//! A pose gives an angle only up to full turns. The state therefore keeps the unwrapped angle of everything that turns about an axis, and
//! each step moves it to the congruent value nearest to the one expected from the rate.

use crate::body::Motion;
use crate::joint::{JointCoordinates, Relative};
use crate::math::unwrap_near;
use crate::model::{Model, ModelJoint};
use crate::state::State;
use crate::step::Workspace;

/// The coordinates of a joint as its pose gives them, turns not counted.
pub(crate) fn raw(joint: &ModelJoint, relative: &Relative) -> JointCoordinates {
    let mut out = JointCoordinates::default();
    joint.kind.write_coordinates(relative, &mut out);
    out
}

/// The coordinate as users see it: turns counted, offset added.
pub(crate) fn full_value(model: &Model, j: usize, k: usize, raw: f64, turns: &[f64]) -> f64 {
    let joint = &model.joints[j];
    let value = match joint.turn_at[k] {
        Some(at) => unwrap_near(raw, turns[at]),
        None => raw,
    };
    value + joint.zero[k]
}

fn counts_turns(joint: &ModelJoint) -> bool {
    joint.turn_at.iter().any(Option::is_some)
}

fn relative_at(motions: &[Motion], joint: &ModelJoint) -> Relative {
    use crate::step::frame;
    Relative::new(&frame(motions, &joint.a), &frame(motions, &joint.b))
}

/// Sets the turns of a state from its poses: the angles within half a turn.
pub(crate) fn start_turns(model: &Model, state: &mut State) {
    let mut motions = vec![Motion::GROUND; model.bodies.len()];
    crate::step::write_motions(model, state, &mut motions);
    for joint in &model.joints {
        if !counts_turns(joint) {
            continue;
        }
        let now = raw(joint, &relative_at(&motions, joint));
        for (at, value) in joint.turn_at.iter().zip(now.value) {
            if let Some(at) = *at {
                state.turns[at] = value;
            }
        }
    }
}

/// Rates of everything in `turns`, from the motions of all bodies.
pub(crate) fn write_turn_rates(model: &Model, motions: &[Motion], out: &mut [f64]) {
    for joint in model.joints.iter().filter(|joint| counts_turns(joint)) {
        let now = raw(joint, &relative_at(motions, joint));
        for (at, rate) in joint.turn_at.iter().zip(now.rate) {
            if let Some(at) = *at {
                out[at] = rate;
            }
        }
    }
}

/// Moves the turns of `work.next`, which are integrated rates, to the angles of its poses (those of `work.motions`).
pub(crate) fn settle_turns(model: &Model, work: &mut Workspace) {
    for joint in model.joints.iter().filter(|joint| counts_turns(joint)) {
        let now = raw(joint, &relative_at(&work.motions, joint));
        for (k, at) in joint.turn_at.iter().enumerate() {
            if let Some(at) = *at {
                work.next.turns[at] = unwrap_near(now.value[k], work.next.turns[at]);
            }
        }
    }
}

/// After a step: from the motions of `work`, the turns of `work.next`, near what the rate at its
/// end predicts.
pub(crate) fn follow_turns(model: &Model, before: &State, h: f64, work: &mut Workspace) {
    for joint in &model.joints {
        if !counts_turns(joint) {
            continue;
        }
        let now = raw(joint, &relative_at(&work.motions, joint));
        for (k, at) in joint.turn_at.iter().enumerate() {
            if let Some(at) = *at {
                let expected = before.turns[at] + h * now.rate[k];
                work.next.turns[at] = unwrap_near(now.value[k], expected);
            }
        }
    }
}
