//! Time stepping: a whole step at the level of velocities and impulses (Moreau 1988; Stewart and
//! Trinkle 1996). For many contacts, and for states at which no contact forces exist.
//!
//! ```text
//! v⁺ = v + h v̇₀ + M̂⁻¹ Jᵀ p
//! 0 ≤ p_n ⟂ g / h + ġ⁺ ≥ 0          a contact that is not reached within the step has p = 0
//! 0 ≤ p_n ⟂ ġ⁺ + e ġ⁻ ≥ 0           instead, where an impact at speed ġ⁻ rebounds (Newton)
//! |p_t| ≤ μ p_n                     opposite to the sliding velocity
//! q⁺ = q ⊕ h v⁺
//! ```
//!
//! v̇₀: acceleration without contacts; M̂⁻¹: inverse mass with joints and loops held; p: impulse
//! [N·s]; g: gap; e: restitution; μ: friction coefficient.
//!
//! With f = m v (`first_order.rs`) v̇₀ is the velocity without contacts and its factor h is 1: v⁺ =
//! v₀ + M̂⁻¹ Jᵀ λ, with forces λ instead of impulses.
//!
//! On joint coordinates p the last line is p⁺ = p ⊕ h ṗ⁺ with the rates of v⁺: the joints of the forest stay closed, and
//! only loops are projected.
//!
//! First order, with gap errors of h², which are removed at the end of the step. A solution exists
//! wherever the friction cones are pointed, and the cost does not depend on the number of events.
//!
//! | file | what is in it |
//! |---|---|
//! | `solve.rs` | contact impulses of the step |
//! | `impacts.rs` | which contacts rebound; impacts by Poisson's law |
//! | `separate.rs` | removal of penetrations after the step |
//! | `rest.rs` | a step that changes nothing is not solved again |
//! | `record.rs` | contact impulses in the state and in the event log |

mod impacts;
mod record;
pub(crate) mod rest;
mod separate;
mod solve;

use crate::model::Model;
use crate::settings::{Coordinates, Integrator, Settings};
use crate::state::{Ledger, State};
use crate::step::dynamics::joint_coordinates::{ReducedQuantity, rebuild_next, reduce, set_driven};
use crate::step::dynamics::kinematics::{advance, motions};
use crate::step::dynamics::ledger::{LedgerRate, book};
use crate::step::dynamics::step_efforts::joint_efforts_change;
use crate::step::evaluate;
use crate::step::evaluate::accelerations;
use crate::step::integrate::{conclude, joint_coordinates};
use crate::step::project::general;
use crate::step::project::general::DriftCheck;
use crate::step::report::StepReport;
use crate::step::workspace::{Equations, Evaluation, Kinematics, StageBuffers};
use crate::step::workspace::{Workspace, undone_on_failure};
use crate::step_error::{Stage, StepError};

/// Speeds below this, relative to the velocity change by contacts, are rounding and solver
/// residual.
const RESTS: f64 = 1e-7;

/// One time step at the level of velocities.
pub(crate) fn step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let first_order = settings.integrator == Integrator::FirstOrder;
    let on_joints = settings.coordinates == Coordinates::Joints;
    if first_order && on_joints {
        return Err(StepError::NotForJoints { integrator: settings.integrator });
    }
    if on_joints && !state.has_joints() {
        return undone_on_failure(state, work, |state, work| {
            joint_coordinates::begin(model, settings, state, work)?;
            core::mem::swap(state, &mut work.stages.next);
            step(model, settings, state, h, work)
        });
    }
    // As a part of a step of another integrator, or with f = m v, entries are added to the ledger one by one.
    let is_whole = settings.integrator == Integrator::TimeStepping;
    if is_whole && let Some(report) = rest::repeat(settings, state, h, work) {
        return Ok(report);
    }
    let outcome = if first_order {
        // Forces instead of impulses, from rest.
        let mut rest = work.stages.rest_state.take().unwrap_or_else(|| Box::new(state.clone()));
        rest.copy_from(state);
        rest.v.fill(0.0);
        let outcome = time_step(model, settings, &rest, h, work);
        work.stages.rest_state = Some(rest);
        outcome
    } else {
        with_time_span(h, work, |work| time_step(model, settings, state, h, work))
    };
    outcome?;
    let ledger = work.stages.next.ledger;
    if !on_joints {
        work.stages.next.forget_joints();
    }
    let equation_residual = work.equations.equation_residual;
    let mut report = StepReport { equation_residual, size: h, steps: 1, ..StepReport::default() };
    if !separate::needs_no_projection(model, settings, work) {
        general::project_general(model, settings, None, work, &mut report, &mut DriftCheck::default())?;
    }
    let mut events = work.contact.events.take().unwrap_or_default();
    let logged = events.log.len();
    let outcome = separate::separate(model, settings, state, work, &mut report, &mut events.log);
    if outcome.is_err() {
        events.log.truncate(logged);
    }
    work.contact.events = Some(events);
    outcome?;
    if first_order {
        work.stages.next.ledger = ledger;
    }
    let booked = work.stages.next.ledger;
    if is_whole {
        work.stages.next.ledger = state.ledger.with(&booked);
    }
    conclude(model, settings, state, h, work);
    if is_whole {
        rest::keep(model, settings, state, (h, booked), work, &report);
    }
    Ok(report)
}

/// From `state`, the state after `h` in `work.stages.next`, not yet projected. Impulses stay in the
/// contact set.
fn time_step(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if settings.integrator == Integrator::FirstOrder {
        clear_contacts(work);
        integrate_first_order(model, settings, state, h, work)?;
        move_poses(model, state, h, work);
        return Ok(());
    }
    let mut at = Evaluation { step: Some(h), ..Stage::First.into() };
    loop {
        // Accelerations are those without contacts, also when the step is solved again.
        clear_contacts(work);
        work.stages.stage.copy_from(state);
        let rate = accelerations(model, settings, work, at)?;
        work.stages.next.copy_from(state);
        work.stages.next.advance_time(h);
        if settings.integrator == Integrator::TimeStepping {
            work.stages.next.ledger = Ledger::default();
        }
        for (v, a) in work.stages.next.v.iter_mut().zip(&work.equations.acc) {
            *v += h * a;
        }
        book(&mut work.stages.next.ledger, h, &rate);
        if let Some(mut contacts) = work.contact.contacts.take() {
            let outcome = contacts.solve_step(model, settings, state, h, work);
            work.contact.contacts = Some(contacts);
            outcome?;
        }
        if !efforts_change_by_contacts(state, h, work, at) {
            break;
        }
        at.keeps_efforts = true;
    }
    if settings.coordinates == Coordinates::Joints {
        move_joints(model, state, h, work);
    } else {
        move_poses(model, state, h, work);
    }
    Ok(())
}

fn clear_contacts(work: &mut Workspace) {
    if let Some(contacts) = &mut work.contact.contacts {
        contacts.set.clear();
        contacts.has_prescribed_forces = false;
    }
}

/// Books what joint efforts do at the velocities after contacts instead of those without. Returns whether some of
/// them would end beyond their limits, so that the step must be solved again.
fn efforts_change_by_contacts(state: &State, h: f64, work: &mut Workspace, at: Evaluation) -> bool {
    let Workspace { solvers, kinematics, stages, equations, .. } = work;
    let StageBuffers { next, shift, stage, .. } = stages;
    let Some(joint_efforts) = solvers.joint_efforts.as_ref().filter(|efforts| efforts.has_any(stage)) else {
        return false;
    };
    let (mut without, mut with) = (LedgerRate::default(), LedgerRate::default());
    joint_efforts.book(&equations.acc, h, &mut without);
    for (mean, (after, before)) in shift.iter_mut().zip(next.v.iter().zip(&state.v)) {
        *mean = (after - before) / h;
    }
    joint_efforts.book(shift, h, &mut with);
    book(&mut next.ledger, -h, &without);
    book(&mut next.ledger, h, &with);
    joint_efforts_change(solvers, &kinematics.motions, stage, at, shift)
}

/// q⁺ = q ⊕ h v⁺.
fn move_poses(model: &Model, state: &State, h: f64, work: &mut Workspace) {
    let StageBuffers { next, shift, .. } = &mut work.stages;
    shift.iter_mut().zip(&next.v).for_each(|(u, v)| *u = h * v);
    advance(model, &state.q, shift, &mut next.q);
}

/// p⁺ = p ⊕ h ṗ⁺ with ṗ⁺ = ṗ + h p̈, p̈ from the mean accelerations of the bodies in the step. Poses and velocities follow.
fn move_joints(model: &Model, state: &State, h: f64, work: &mut Workspace) {
    let Workspace { stages: StageBuffers { next, .. }, equations: Equations { acc, .. }, .. } = work;
    for (acc, (after, before)) in acc.iter_mut().zip(next.v.iter().zip(&state.v)) {
        *acc = (after - before) / h;
    }
    reduce(model, work, ReducedQuantity::Accelerations);
    let Workspace {
        stages: StageBuffers { next, shift, .. },
        equations: Equations { acc, .. },
        kinematics: Kinematics { chart, .. },
        ..
    } = work;
    for (rate, acc) in next.joint_v.iter_mut().zip(&*acc) {
        *rate += h * acc;
    }
    if let Some(chart) = chart {
        chart.stop_resting(model, &next.v, &mut next.joint_v);
    }
    shift.iter_mut().zip(&next.joint_v).for_each(|(u, rate)| *u = h * rate);
    advance(model, &state.joint_q, shift, &mut next.joint_q);
    rebuild_next(model, work);
    if !model.drives.is_empty() {
        set_driven(model, work);
        rebuild_next(model, work);
    }
}

/// Velocities of the step by f = m v, from a state at rest.
fn integrate_first_order(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    work.stages.stage.copy_from(state);
    let solved = evaluate::solve_at_rest(model, settings, work, Stage::First)?.work;
    work.stages.next.copy_from(state);
    work.stages.next.advance_time(h);
    work.stages.next.v.copy_from_slice(&work.equations.acc);
    let before = state.ledger;
    if let Some(mut contacts) = work.contact.contacts.take() {
        // Work of rows whose force acts elsewhere is booked below, with all of λ.
        work.stages.stage.v.fill(0.0);
        work.equations.row_solution.fill(0.0);
        let outcome = contacts.solve_step(model, settings, state, h, work);
        work.contact.contacts = Some(contacts);
        outcome?;
        let Equations { lambda, row_solution, .. } = &mut work.equations;
        lambda.iter_mut().zip(row_solution).for_each(|(lambda, more)| *lambda += *more);
    }
    let StageBuffers { stage, next, .. } = &mut work.stages;
    stage.v.copy_from_slice(&next.v);
    let pushed = next.ledger;
    let mut rate = LedgerRate {
        work: solved + (pushed.work - before.work),
        dissipated: pushed.dissipated - before.dissipated,
        ..LedgerRate::default()
    };
    motions(model, work);
    evaluate::book_power(model, work, &mut rate);
    work.stages.next.ledger = before;
    work.stages.next.ledger.work += h * rate.work;
    work.stages.next.ledger.dissipated += h * rate.dissipated;
    Ok(())
}

/// Runs `done` with force bounds multiplied by `h`: the bounds of impulses over the step.
fn with_time_span<R>(h: f64, work: &mut Workspace, done: impl FnOnce(&mut Workspace) -> R) -> R {
    let set = |work: &mut Workspace, span: f64| {
        work.contact.contacts.iter_mut().for_each(|contacts| contacts.span = span)
    };
    set(work, h);
    let outcome = done(work);
    set(work, 1.0);
    outcome
}
