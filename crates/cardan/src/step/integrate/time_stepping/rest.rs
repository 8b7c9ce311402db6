//! Rest: a step that changes nothing but the time need not be solved again.
//!
//! An island at rest is stopped (`solve.rs`), and its impulses start from those of the last step. So a mechanism that
//! stands still ends a step with the bits with which it began: poses, velocities, contact impulses, commands. If
//! nothing depends on time either, the next step is the same, and only its time and its entries in the ledger are
//! added. There is no threshold and no waking up: a command, an impulse or a new pose is another state, which is
//! solved as ever, and the bits are those without this file.

use crate::model::Model;
use crate::settings::Settings;
use crate::state::{Ledger, State};
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;

/// A step that led to where it began.
#[derive(Debug)]
pub(crate) struct RestingStep {
    /// The state, apart from time and ledger.
    at: State,
    h: f64,
    settings: Settings,
    /// What the step adds to the ledger.
    booked: Ledger,
    report: StepReport,
}

/// Takes the step of `h` again that led from this state to itself, if that was the last one.
pub(super) fn repeat(
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Option<StepReport> {
    let rest = work.integrator.rest.as_deref()?;
    if rest.h.to_bits() != h.to_bits() || rest.settings != *settings || !is_same_rest(&rest.at, state) {
        return None;
    }
    state.advance_time(h);
    state.ledger = state.ledger.with(&rest.booked);
    work.integrator.has_repeated = true;
    Some(rest.report)
}

/// Keeps a step to `state` if it changed nothing but the time; `work.stages.next` is the state before it.
pub(super) fn keep(
    model: &Model,
    settings: &Settings,
    state: &State,
    (h, booked): (f64, Ledger),
    work: &mut Workspace,
    report: &StepReport,
) {
    if !work.integrator.is_autonomous
        || state.v.iter().any(|v| *v != 0.0)
        || model.impulses.len() != state.impulses_applied
        || !is_same_rest(&work.stages.next, state)
    {
        work.integrator.rest = None;
        return;
    }
    let report = StepReport { newton_steps: 0, ..*report };
    match work.integrator.rest.as_deref_mut() {
        Some(rest) => {
            rest.at.copy_from(state);
            (rest.h, rest.booked, rest.report, rest.settings) = (h, booked, report, *settings);
        }
        None => {
            let rest = RestingStep { at: state.clone(), h, settings: *settings, booked, report };
            work.integrator.rest = Some(Box::new(rest));
        }
    }
}

/// Whether two states differ in time and ledger at most, and in signs of zero of commands and contact forces.
fn is_same_rest(a: &State, b: &State) -> bool {
    let same = |a: &[f64], b: &[f64]| {
        a.len() == b.len() && a.iter().zip(b).fold(true, |same, (a, b)| same & (a.to_bits() == b.to_bits()))
    };
    same(&a.v, &b.v)
        && same(&a.q, &b.q)
        && same(&a.joint_q, &b.joint_q)
        && same(&a.joint_v, &b.joint_v)
        && same(&a.turns, &b.turns)
        && a.held == b.held
        && a.plan == b.plan
        && a.commands == b.commands
        && (a.assembled, a.still, a.impulses_applied) == (b.assembled, b.still, b.impulses_applied)
}
