//! Applied impulses: an instantaneous change of velocities, with the factor of the current pose.
//!
//! ```text
//! H (Δv, p) = (P, 0)         v ← v + Δv            M Δv = P + Jᵀ p,  J Δv = 0
//! ```
//!
//! P: applied impulse [N·s, N·m·s]; p: impulses of joints and constraints.
//!
//! J v + ∂C/∂t = 0 holds before and after: loops stay consistent. Closed contacts, limits and
//! inequalities respond to the new velocities as in any impact (`contact/impact.rs`), with
//! restitution and friction. Forces have no part: their impulse in no time is zero.
//!
//! The energy ½ P·(u⁻ + u⁺) is booked as work, u being the velocity of the point of application.
//! Momentum is booked together with the impulse of the ground.

use crate::body::{FrameMotion, Wrench};
use crate::force::Heading;
use crate::impulse::{ConstraintImpulse, Impulse, ImpulseRecord, JointImpulse, VelocityJump};
use crate::measure::Instant;
use crate::model::{Attachment, ConstraintId, Model};
use crate::settings::{Coordinates, Integrator, Settings};
use crate::state::State;
use crate::step::contact::Event;
use crate::step::contact::delassus::constrained_response;
use crate::step::dynamics::constraint_rows::{RowContent, write_constraint_rows};
use crate::step::dynamics::kinematics::{frame, motions, refresh_motions};
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::dynamics::multipliers::{driven, reaction, world_reactions};
use crate::step::dynamics::rank_plan;
use crate::step::evaluate::accelerations;
use crate::step::project::general::project;
use crate::step::report::StepReport;
use crate::step::workspace::Equations;
use crate::step::workspace::Workspace;
use crate::step::{articulated, contact};
use crate::step_error::{Stage, StepError};

/// Impulses at the same instant, with their points of application.
type AttachedImpulses<'b> = &'b [(Attachment, Impulse)];

/// An impulse in world axes [N·s, N·m·s].
fn wrench_of(applied: &Impulse, at: &FrameMotion) -> Wrench {
    match applied.heading {
        Heading::World => Wrench { force: applied.linear, torque: applied.angular },
        Heading::Body => Wrench { force: at.rot * applied.linear, torque: at.rot * applied.angular },
    }
}

/// Applies impulses to `state`, which is on its joints. On failure it is unchanged.
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
    let mut events = work.contact.events.take().unwrap_or_default();
    let logged = events.log.len();
    let outcome = apply_at_once(model, settings, state, impulses, work, &mut events.log);
    if outcome.is_err() {
        events.log.truncate(logged);
        state.copy_from(&before);
    }
    work.contact.events = Some(events);
    // Dense output of the last step does not fit the new velocities.
    crate::step::integrate::forget_last(work);
    work.kinematics.motions_are_current = false;
    outcome
}

/// Applies impulses; the state may be changed on failure.
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
    // With an empty active set: only the factor is needed.
    work.contact.contacts.iter_mut().for_each(|contacts| contacts.set.clear());
    work.stages.stage.copy_from(state);
    accelerations(model, settings, work, Stage::First)?;
    write_constraint_rows(model, settings, work, RowContent::Errors);
    let before: Vec<VelocityJump> =
        work.kinematics.motions[..model.bodies.len()].iter().map(speeds).collect();

    // P, and the response to it.
    let pushes: Vec<(Attachment, Wrench)> = impulses
        .iter()
        .map(|(at, applied)| (*at, wrench_of(applied, &frame(&work.kinematics.motions, at))))
        .collect();
    work.equations.system.open_force();
    work.equations.system.force_mut().fill(0.0);
    let mut rate = LedgerRate::default();
    for (at, wrench) in &pushes {
        let at_point = frame(&work.kinematics.motions, at);
        done.work += 0.5 * power(&at_point, *wrench);
        rate.book_at(model, &work.kinematics.motions, at, &at_point, *wrench);
        work.push(model, at, at_point.arm, *wrench);
    }
    let applied: Vec<f64> = work.equations.system.force().to_vec();
    let mut change = vec![0.0; model.v_len];
    constrained_response(model, work, &mut change);
    if let Some(i) = change.iter().position(|x| !x.is_finite()) {
        return Err(crate::step_error::not_finite(model, i, state.time, Stage::First));
    }
    if work.solvers.articulated.is_some() {
        let (force, moment) = articulated::ground_load(model, work);
        (rate.force, rate.moment) = (rate.force + force, rate.moment + moment);
        rate.work = articulated::drive_work(model, work);
    } else {
        let mean: Vec<f64> = state.v.iter().zip(&change).map(|(v, dv)| v + 0.5 * dv).collect();
        work.stages.stage.v.copy_from_slice(&mean);
        world_reactions(model, work, &work.equations.row_solution, &mut rate);
        rate.book_grounded(model, &work.kinematics.motions, &change, true);
    }
    state.v.iter_mut().zip(&change).for_each(|(v, dv)| *v += dv);
    work.stages.stage.copy_from(state);
    motions(model, work);
    for (at, wrench) in &pushes {
        done.work += 0.5 * power(&frame(&work.kinematics.motions, at), *wrench);
    }
    state.ledger.work += done.work + rate.work;
    state.ledger.impulse += rate.force;
    state.ledger.angular_impulse += rate.moment;

    // Closed contacts respond.
    let heat = state.ledger.dissipated;
    let answered = contact::respond_to_impulse(model, settings, state, work, log)?;
    done.dissipated = state.ledger.dissipated - heat;

    // All impulses once more, together, for the impulses of joints and constraints.
    let force = work.equations.system.force_mut();
    force.copy_from_slice(&applied);
    if let Some((contacts, pushed)) = answered {
        done.contacts = contacts;
        force.iter_mut().zip(&pushed).for_each(|(f, x)| *f += x);
    }
    constrained_response(model, work, &mut change);
    record_reactions(model, work, state, &mut done);

    // Rounding of the velocity jump is projected away like that of a step.
    let mut report = StepReport::default();
    if settings.projects() {
        let ledger = state.ledger;
        work.stages.next.copy_from(state);
        work.integrator.passes_singular_pose = false;
        let measured = project(model, settings, work, &mut report, false)?;
        (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
        state.v.copy_from_slice(&work.stages.next.v);
        state.ledger = ledger;
    }
    refresh_motions(model, state, work);
    let after: Vec<VelocityJump> = work.kinematics.motions[..model.bodies.len()].iter().map(speeds).collect();
    done.bodies = after
        .iter()
        .zip(&before)
        .map(|(after, before)| VelocityJump {
            velocity: after.velocity - before.velocity,
            angular_velocity: after.angular_velocity - before.angular_velocity,
        })
        .collect();
    if settings.coordinates == Coordinates::Joints {
        let ledger = state.ledger;
        crate::step::integrate::assemble::assemble(model, settings, state, work)?;
        state.ledger = ledger;
    }
    Ok((done, report))
}

/// Velocity and angular velocity of a body.
fn speeds(at: &crate::body::Motion) -> VelocityJump {
    VelocityJump { velocity: at.vel, angular_velocity: at.omega }
}

/// Power of a wrench at a frame \[W\], or work of an impulse \[J\].
fn power(at: &FrameMotion, wrench: Wrench) -> f64 {
    wrench.force.dot(at.vel) + wrench.torque.dot(at.omega)
}

/// Records the impulses of joints and constraints for the last right-hand side.
fn record_reactions(model: &Model, work: &mut Workspace, state: &State, done: &mut ImpulseRecord) {
    if work.solvers.articulated.is_some() {
        articulated::write_multipliers(model, work);
        articulated::least_norm_multipliers(model, work);
    } else {
        let Equations { lambda, row_solution, .. } = &mut work.equations;
        lambda.copy_from_slice(row_solution);
        rank_plan::least_norm_rows(model, work);
    }
    let joint = |(j, joint): (usize, &crate::model::ModelJoint)| JointImpulse {
        name: joint.name.clone(),
        on_b: reaction(model, work, &work.equations.lambda, j),
        by_drives: driven(model, work, &work.equations.lambda, j),
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
