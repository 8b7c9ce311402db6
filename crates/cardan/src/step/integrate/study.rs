//! A step by one of the three active-set rules of the GRAPP paper (`contact/study.rs`), instead of
//! event location: steps are not cut or rewound, as in the paper's figures.

use crate::math::larger;
use crate::model::Model;
use crate::settings::{InequalityStudy, Settings, StudyRule};
use crate::state::State;
use crate::step::contact::{ActiveContact, ContactKey, Event, EventKind, FrictionMode};
use crate::step::dynamics::kinematics::refresh_motions;
use crate::step::evaluate::accelerations;
use crate::step::integrate::events::SmoothStep;
use crate::step::report::StepReport;
use crate::step::workspace::{Evaluation, ForceResponse, Workspace};
use crate::step_error::{Stage, StepError};
use cardan_solve::complementarity::study::platt_after;

/// Chooses F⁺ at a state, for an evaluation there.
pub(crate) fn choose(
    model: &Model,
    settings: &Settings,
    how: InequalityStudy,
    state: &State,
    work: &mut Workspace,
    response: ForceResponse,
) -> Result<(), StepError> {
    refresh_motions(model, state, work);
    let Some(mut contacts) = work.contact.contacts.take() else { return Ok(()) };
    let is_new = contacts.begin_study(model, how, state, work);
    if is_new && how.rule == StudyRule::PlattImproved {
        // The second rule begins with the active inequalities that tend to be violated with an
        // empty F⁺.
        let active = contacts.study.as_ref().map_or_else(Vec::new, |study| study.handled.clone());
        if let Some(study) = &mut contacts.study {
            study.handled.fill(false);
        }
        work.contact.contacts = Some(contacts);
        work.stages.stage.copy_from(state);
        accelerations(model, settings, work, Evaluation { response, ..Stage::First.into() })?;
        let Some(taken) = work.contact.contacts.take() else { return Ok(()) };
        contacts = taken;
        contacts.update_tendency();
        if let Some(study) = &mut contacts.study {
            study.handled.iter_mut().zip(active).for_each(|(handled, active)| *handled &= active);
        }
        contacts.lambda.clear();
    }
    work.contact.contacts = Some(contacts);
    Ok(())
}

/// One step with the current F⁺; then F⁺ for the next step.
pub(crate) fn step(
    model: &Model,
    settings: &Settings,
    how: InequalityStudy,
    (state, work): (&mut State, &mut Workspace),
    h: f64,
    smooth_step: SmoothStep,
) -> Result<StepReport, StepError> {
    choose(model, settings, how, state, work, ForceResponse::Acceleration)?;
    let start = state.time;
    let begun: Vec<ContactKey> =
        state.held.iter().filter(|held| held.grip > 0.0).map(|held| held.key).collect();
    work.stages.stage.copy_from(state);
    accelerations(model, settings, work, Stage::First)?;
    // Multipliers and tendencies are those of the start of the step.
    let Some(contacts) = &mut work.contact.contacts else {
        return (smooth_step.step)(model, settings, state, h, work);
    };
    let keys: Vec<ContactKey> = contacts.set.iter().map(|item| item.key).collect();
    let current = contacts.study.as_ref().map_or_else(Vec::new, |study| study.handled.clone());
    let solved = contacts.study.as_ref().map(|study| study.solver.clone()).unwrap_or_default();
    let mut next = current.clone();
    if how.rule == StudyRule::PlattImproved {
        contacts.update_tendency();
        if let Some(study) = &mut contacts.study {
            next = core::mem::replace(&mut study.handled, current.clone());
        }
    }
    let mut report = (smooth_step.step)(model, settings, state, h, work)?;
    refresh_motions(model, state, work);
    let Some(contacts) = &mut work.contact.contacts else { return Ok(report) };
    contacts.observe(model, state, &work.kinematics.motions, 0.0);
    let declared_rows = contacts.all.iter().filter(|item| matches!(item.key, ContactKey::Declared(_)));
    // Avoids −0.0.
    report.overlap =
        declared_rows.fold(0.0, |most, item| larger(most, -contacts.all_rows.rows[item.row].gap)) + 0.0;
    let gap = |key: ContactKey| {
        contacts.all.iter().find(|item| item.key == key).map(|item| contacts.all_rows.rows[item.row].gap)
    };
    if how.rule == StudyRule::Platt {
        let violated: Vec<bool> = keys.iter().map(|&key| gap(key).is_some_and(|gap| gap < 0.0)).collect();
        platt_after(&solved, &violated, &mut next);
    }
    let handled = |set: &[bool], key: ContactKey| {
        keys.iter().zip(set).any(|(&other, &handled)| other == key && handled)
    };
    let mut events = work.contact.events.take().unwrap_or_default();
    let declared = || (0..model.inequalities.len()).map(|i| ContactKey::Declared(i as u32));
    let mut log = |time: f64, key: ContactKey, was: bool, is: bool| {
        let kind = if is { EventKind::Activated } else { EventKind::Released };
        if was != is {
            events.log.push(Event { time, subject: key.subject(model), kind, speed: 0.0, impulse: 0.0 });
        }
    };
    for key in declared() {
        log(start, key, begun.contains(&key), handled(&current, key));
    }
    for key in declared() {
        log(state.time, key, handled(&current, key), handled(&next, key));
    }
    state.held.clear();
    for key in declared() {
        let grip = if handled(&next, key) { 1.0 } else { 0.0 };
        state.held.push(ActiveContact {
            key,
            mode: FrictionMode::Frictionless,
            roll_spin: Default::default(),
            grip,
            push: [0.0; 3],
        });
    }
    work.contact.events = Some(events);
    Ok(report)
}
