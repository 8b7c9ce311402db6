//! Strike: a blow changes velocities at once, through the factor of the pose it finds.
//!
//! ```text
//! H (Δv, p) = (P, 0)         v ← v + Δv            M Δv = P + Jᵀ p,  J Δv = 0
//! ```
//!
//! J v + ∂C/∂t = 0 held before, and so it does afterwards: loops stay consistent. What touches at that instant (limits, inequalities, contacts) answers
//! the velocities that this leaves like any other blow (`contact/impact.rs`), with rebound and friction. Forces have no part in it: in no
//! time they give no impulse.
//!
//! The energy ½ P·(u⁻ + u⁺) of the blow, u being the velocity of the point that is struck, is work; momentum goes on the accounts with what the ground answers.

use super::constraint_rows::{RowContent, write_constraint_rows};
use super::contact::delassus::constrained_response;
use super::forces::{frame, motions};
use super::multipliers::{LedgerRate, accelerations, driven, reaction, world_reactions};
use super::project_general::project;
use super::{
    Coordinates, Event, EventKind, EventSubject, Integrator, Settings, Stage, StepError, StepReport,
    Workspace, articulated, contact, refresh_motions,
};
use crate::body::{FrameMotion, Wrench};
use crate::force::Heading;
use crate::impulse::{ConstraintImpulse, Impulse, ImpulseRecord, JointImpulse, VelocityJump};
use crate::measure::Instant;
use crate::model::{Attachment, ConstraintId, Model};
use crate::state::State;

/// Blows at the same instant, with where they strike.
type AttachedImpulses<'b> = &'b [(Attachment, Impulse)];

/// What a blow is in world axes.
fn wrench_of(applied: &Impulse, at: &FrameMotion) -> Wrench {
    match applied.heading {
        Heading::World => Wrench { force: applied.impulse, torque: applied.angular_impulse },
        Heading::Body => Wrench { force: at.rot * applied.impulse, torque: at.rot * applied.angular_impulse },
    }
}

/// Strikes `state`, which is on its joints. On failure it is as it was.
pub(crate) fn apply_impulses(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    impulses: AttachedImpulses<'_>,
    work: &mut Workspace,
) -> Result<(ImpulseRecord, StepReport), StepError> {
    if settings.integrator == Integrator::FirstOrder {
        return Err(StepError::NoImpulses);
    }
    let before = state.clone();
    let mut events = work.events.take().unwrap_or_default();
    let logged = events.log.len();
    let outcome = apply_at_once(model, settings, state, impulses, work, &mut events.log);
    if outcome.is_err() {
        events.log.truncate(logged);
        state.copy_from(&before);
    }
    work.events = Some(events);
    // What was known of the last step is of other velocities.
    super::forget_last(work);
    work.motions_are_current = false;
    outcome
}

fn apply_at_once(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    impulses: AttachedImpulses<'_>,
    work: &mut Workspace,
    log: &mut Vec<Event>,
) -> Result<(ImpulseRecord, StepReport), StepError> {
    let mut done = ImpulseRecord { time: state.time, ..ImpulseRecord::default() };
    state.forget_joints();
    // With nothing that presses: for its factor.
    work.contacts.iter_mut().for_each(|contacts| contacts.set.clear());
    work.stage.copy_from(state);
    accelerations(model, settings, work, Stage::First)?;
    write_constraint_rows(model, settings, work, RowContent::Errors);
    let was: Vec<VelocityJump> = work.motions[..model.bodies.len()].iter().map(speeds).collect();

    // P, and how everything answers.
    let pushes: Vec<(Attachment, Wrench)> =
        impulses.iter().map(|(at, applied)| (*at, wrench_of(applied, &frame(&work.motions, at)))).collect();
    work.system.open_force();
    work.system.force_mut().fill(0.0);
    let mut rate = LedgerRate::default();
    for (at, wrench) in &pushes {
        let at_point = frame(&work.motions, at);
        done.work += 0.5 * power(&at_point, *wrench);
        rate.book_at(model, &work.motions, at, &at_point, *wrench);
        work.push(model, at, at_point.arm, *wrench);
    }
    let applied: Vec<f64> = work.system.force().to_vec();
    let mut change = vec![0.0; model.v_len];
    constrained_response(model, work, &mut change);
    if let Some(i) = change.iter().position(|x| !x.is_finite()) {
        return Err(super::multipliers::not_finite(model, i, state.time, Stage::First));
    }
    if work.articulated.is_some() {
        let (force, moment) = articulated::ground_load(model, work);
        (rate.force, rate.moment) = (rate.force + force, rate.moment + moment);
        rate.work = articulated::drive_work(model, work);
    } else {
        let mean: Vec<f64> = state.v.iter().zip(&change).map(|(v, dv)| v + 0.5 * dv).collect();
        work.stage.v.copy_from_slice(&mean);
        world_reactions(model, work, &work.row_solution, &mut rate);
        rate.book_grounded(model, &work.motions, &change, true);
    }
    state.v.iter_mut().zip(&change).for_each(|(v, dv)| *v += dv);
    work.stage.copy_from(state);
    motions(model, work);
    for (at, wrench) in &pushes {
        done.work += 0.5 * power(&frame(&work.motions, at), *wrench);
    }
    state.ledger.work += done.work + rate.work;
    state.ledger.impulse += rate.force;
    state.ledger.angular_impulse += rate.moment;

    // What touches answers that.
    let heat = state.ledger.dissipated;
    let answered = contact::respond_to_impulse(model, settings, state, work, log)?;
    done.dissipated = state.ledger.dissipated - heat;

    // All impulses once more, together, for what joints and constraints answered with.
    let force = work.system.force_mut();
    force.copy_from_slice(&applied);
    if let Some((contacts, pushed)) = answered {
        done.contacts = contacts;
        force.iter_mut().zip(&pushed).for_each(|(f, x)| *f += x);
    }
    constrained_response(model, work, &mut change);
    record_reactions(model, work, state, &mut done);

    // Rounding of the jump is taken away like that of a step.
    let mut report = StepReport::default();
    if settings.projects() {
        let ledger = state.ledger;
        work.next.copy_from(state);
        (work.allowed_substeps, work.substeps, work.passes_singular_pose) = (None, None, false);
        let measured = project(model, settings, work, &mut report, false)?;
        (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
        state.v.copy_from_slice(&work.next.v);
        state.ledger = ledger;
    }
    refresh_motions(model, state, work);
    let is: Vec<VelocityJump> = work.motions[..model.bodies.len()].iter().map(speeds).collect();
    done.bodies = is
        .iter()
        .zip(&was)
        .map(|(is, was)| VelocityJump {
            velocity: is.velocity - was.velocity,
            angular_velocity: is.angular_velocity - was.angular_velocity,
        })
        .collect();
    if settings.coordinates == Coordinates::Joints {
        let ledger = state.ledger;
        super::assemble(model, settings, state, work)?;
        state.ledger = ledger;
    }
    Ok((done, report))
}

fn speeds(at: &crate::body::Motion) -> VelocityJump {
    VelocityJump { velocity: at.vel, angular_velocity: at.omega }
}

fn power(at: &FrameMotion, wrench: Wrench) -> f64 {
    wrench.force.dot(at.vel) + wrench.torque.dot(at.omega)
}

/// What joints and constraints answered the last right side with.
fn record_reactions(model: &Model, work: &mut Workspace, state: &State, done: &mut ImpulseRecord) {
    if work.articulated.is_some() {
        articulated::write_multipliers(model, work);
        articulated::least_norm_multipliers(model, work);
    } else {
        let Workspace { lambda, row_solution, .. } = work;
        lambda.copy_from_slice(row_solution);
        articulated::least_norm_rows(model, work);
    }
    let joint = |(j, joint): (usize, &crate::model::ModelJoint)| JointImpulse {
        name: joint.name.clone(),
        on_b: reaction(model, work, &work.lambda, j),
        by_drives: driven(model, work, &work.lambda, j),
    };
    done.joints = model.joints.iter().enumerate().map(joint).collect();
    let now = Instant { model, state, work };
    let constraint = |(c, constraint): (usize, &crate::model::ModelConstraint)| ConstraintImpulse {
        name: constraint.name.clone(),
        multipliers: now.constraint_multipliers(ConstraintId::of_index(c)).to_vec(),
        on: now
            .constraint_loads(ConstraintId::of_index(c))
            .filter_map(|load| Some((load.body?, load.wrench)))
            .collect(),
    };
    done.constraints = model.constraints.iter().enumerate().map(constraint).collect();
}

/// The time left until the next blow of the model that has not struck yet, if there is one; nothing or less: it is due.
pub(super) fn time_left(model: &Model, state: &State) -> Option<f64> {
    let next = model.impulses.get(state.impulses_applied)?;
    let left = (next.time - state.time) - state.time_rest;
    // Rounding of the time itself is none.
    Some(if left <= 4.0 * f64::EPSILON * next.time.abs() { 0.0 } else { left })
}

/// Strikes with all blows of the model that are due; whether there were any.
pub(super) fn apply_due_impulses(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<(), StepError> {
    while time_left(model, state) == Some(0.0) {
        let Some(applied) = model.impulses.get(state.impulses_applied) else { break };
        let (mut done, more) =
            apply_impulses(model, settings, state, &[(applied.at, applied.impulse)], work)?;
        done.name.clone_from(&applied.name);
        let subject = EventSubject::Impulse(state.impulses_applied);
        let (speed, impulse) = (0.0, applied.impulse.impulse.norm());
        let events = work.events.get_or_insert_default();
        events.log.push(Event { time: state.time, subject, what: EventKind::Impulse, speed, impulse });
        work.impulse_records.push(done);
        state.impulses_applied += 1;
        report.include(&more);
    }
    Ok(())
}

/// A step of `h` with blows on the way: it is cut where they strike. On failure the state is that of the start.
pub(super) fn step_through_impulses(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let step = super::step_without_impulses;
    undone_on_failure(state, work, |state, work| {
        // What would be left of a step after a blow at its end belongs to the next.
        const SLIVER: f64 = 1e-9;
        let (time, rest) = (state.time, state.time_rest);
        let (mut report, mut passed) = (StepReport::default(), 0.0);
        loop {
            apply_due_impulses(model, settings, state, work, &mut report)?;
            match time_left(model, state) {
                Some(left) if left < (h - passed) - SLIVER * h => {
                    report.include(&step(model, settings, state, left, work)?);
                    passed += left;
                    (state.time, state.time_rest) = (model.impulses[state.impulses_applied].time, 0.0);
                }
                _ => break,
            }
        }
        report.include(&step(model, settings, state, h - passed, work)?);
        // One sum, whatever the parts rounded to.
        (state.time, state.time_rest) = (time, rest);
        state.advance_time(h);
        report.size = h;
        Ok(report)
    })
}

/// Blows that are due, and then one step of an adaptive integrator. On failure the state is that of the start.
pub(super) fn step_after_impulses(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    (first, most): (f64, f64),
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    undone_on_failure(state, work, |state, work| {
        let mut report = StepReport::default();
        apply_due_impulses(model, settings, state, work, &mut report)?;
        let next = super::step_within(model, settings, state, first, most, work)?;
        report.include(&next);
        Ok(report)
    })
}

pub(super) fn undone_on_failure(
    state: &mut State,
    work: &mut Workspace,
    go: impl FnOnce(&mut State, &mut Workspace) -> Result<StepReport, StepError>,
) -> Result<StepReport, StepError> {
    let (before, impulse_records) = (state.clone(), work.impulse_records.len());
    let logged = work.events.as_ref().map_or(0, |events| events.log.len());
    let outcome = go(state, work);
    if outcome.is_err() {
        state.clone_from(&before);
        work.impulse_records.truncate(impulse_records);
        work.events.iter_mut().for_each(|events| events.log.truncate(logged));
    }
    outcome
}
