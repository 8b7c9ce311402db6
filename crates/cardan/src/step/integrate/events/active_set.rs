//! Active set: which constraints may exert forces at a state, and in which friction mode.
//!
//! A constraint is a candidate if its gap is closed and its rate does not open it. With the
//! accelerations of the candidates, 0 ≤ λ ⟂ a ≥ 0 decides which of them stay:
//!
//! ```text
//! λ = 0 and a_n > 0          released: leaves the set
//! |a_t| > 0 while sticking   begins to slide along a_t; solved again with the new mode
//! ```
//!
//! λ: multiplier; a_n, a_t: relative accelerations along and across the normal. Rolling and
//! spinning are treated like sliding, with moments and angular accelerations.

use crate::model::Model;
use crate::settings::{Integrator, Settings};
use crate::state::State;
use crate::step::contact::friction_modes::{OPENS, slip_direction};
use crate::step::contact::impact::approaches;
use crate::step::contact::{ContactEntry, ContactKey, ContactSet, FrictionMode, RollingMode};
use crate::step::dynamics::kinematics::refresh_motions;
use crate::step::evaluate::accelerations;
use crate::step::integrate::study;
use crate::step::workspace::{Evaluation, ForceResponse, Workspace};
use crate::step_error::{Stage, StepError};
use crate::tolerances::CONTACT_GAP;

/// Chooses the active set at a state, for an evaluation there.
pub(crate) fn choose(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    response: ForceResponse,
) -> Result<(), StepError> {
    if let Some(how) = settings.inequality_study {
        return study::choose(model, settings, how, state, work, response);
    }
    crate::step::contact::study::end(work);
    let Some(mut contacts) = work.contact.contacts.take() else { return Ok(()) };
    refresh_motions(model, state, work);
    let steps = matches!(settings.integrator, Integrator::TimeStepping | Integrator::FirstOrder);
    contacts.has_prescribed_forces = steps && !state.held.is_empty();
    if contacts.has_prescribed_forces {
        contacts.recall(model, state, work);
        work.contact.contacts = Some(contacts);
        return Ok(());
    }
    contacts.observe(model, state, &work.kinematics.motions, 10.0 * CONTACT_GAP);
    let ContactSet { all, all_rows, .. } = &*contacts;
    let rests = |item: &&ContactEntry| {
        if item.is_joint_friction() {
            return true;
        }
        let row = &all_rows.rows[item.row];
        row.gap <= CONTACT_GAP && rests(row.rate, row.rate_scale)
    };
    let set: Vec<ContactEntry> = all.iter().filter(rests).copied().collect();
    contacts.set = set;
    contacts.choose_modes(model, state, work, 0.0);
    work.contact.contacts = Some(contacts);
    resolve_active_set(model, settings, state, work, (&[], response, 0.0))
}

/// Of the candidates, keeps those that do not open, and finds those that begin to slide.
/// Accelerations are those at `state`; `h` is the length of the phase that begins there \[s\].
pub(super) fn resolve_active_set(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    (forced, response, h): (&[ContactKey], ForceResponse, f64),
) -> Result<(), StepError> {
    // Each round starts sliding or rolling somewhere; the last one only releases.
    for _ in 0..8 {
        let Some(contacts) = &mut work.contact.contacts else { return Ok(()) };
        contacts.grips.clear();
        if contacts.set.is_empty() {
            return Ok(());
        }
        work.stages.stage.copy_from(state);
        accelerations(model, settings, work, Evaluation { response, ..Stage::First.into() })?;
        let Some(contacts) = &mut work.contact.contacts else { return Ok(()) };
        let mut is_new = false;
        let mut kept = Vec::with_capacity(contacts.set.len());
        for item in &contacts.set {
            if item.is_joint_friction() {
                let (acc, noise) = contacts.starting_acceleration(item);
                let starts = item.mode == FrictionMode::Stick && acc.abs() > noise;
                is_new |= starts;
                kept.push(if starts { ContactEntry { mode: slip_direction(acc), ..*item } } else { *item });
                continue;
            }
            let opens = contacts.lambda[item.row] <= 0.0
                && contacts.acc[item.row] > OPENS * contacts.formed(item.row);
            if opens && !forced.contains(&item.key) {
                continue;
            }
            let mut item = *item;
            if item.mode == FrictionMode::Stick {
                let (slide, size) = contacts.sliding_acceleration(&item);
                let magnitude = slide.norm();
                if magnitude > crate::math::larger(OPENS, 1e2 * contacts.complementarity.residual) * size {
                    item.mode = FrictionMode::Slip(slide * (1.0 / magnitude));
                    // Within the phase velocities are small, and those of a stage may point anywhere.
                    item.stiff = if item.tangents > 1 { h * contacts.grip(&item) } else { f64::INFINITY };
                    is_new = true;
                }
            }
            for (k, (turn, mu, rows)) in item.resistances().into_iter().enumerate() {
                let (axis, noise, _) = contacts.turning_acceleration(&item, mu, rows);
                let magnitude = axis.norm();
                if turn == RollingMode::Rest && magnitude > noise {
                    let turns = RollingMode::Turns(axis * (1.0 / magnitude));
                    *[&mut item.roll_spin.roll, &mut item.roll_spin.spin][k] = turns;
                    is_new = true;
                    // The rows after it have moved; they are checked in the next round.
                    break;
                }
            }
            kept.push(item);
        }
        if !is_new {
            // Released constraints had λ = 0: the solution holds for the others.
            contacts.grips.clear();
            for item in &kept {
                let grip = contacts.grip(item);
                let mut push = [0.0; 3];
                let rows = contacts.lambda[item.row..=item.row + item.tangents].iter();
                push.iter_mut().zip(rows).for_each(|(push, l)| *push = *l);
                contacts.grips.push((grip, push));
            }
        }
        contacts.set = kept;
        if !is_new {
            let grips = std::mem::take(&mut contacts.grips);
            contacts.seed(|i, _| grips[i].1);
            contacts.grips = grips;
        }
        contacts.lambda.clear();
        if !is_new {
            return Ok(());
        }
    }
    Ok(())
}

/// Whether a closed gap does not open, up to rounding of its rate.
pub(super) fn rests(rate: f64, scale: f64) -> bool {
    !approaches(-rate, scale) || rate < 0.0
}
