//! The time step, one file per stage.
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | propagate | `integrate/` | the integrators, one file each: ask for accelerations, move the state along the manifold |
//! | coordinates | `joint_coordinates/` | on request: joint coordinates for the integrator instead of poses |
//! | accumulate | `forces.rs` | poses; gravity, forces, gyroscopic terms: F and M |
//! | aim | `drive_targets.rs` | where driven coordinates should be |
//! | constrain | `constraint_rows.rs` | every joint writes its rows: C, Ċ, J, c |
//! | multipliers | `multipliers.rs`, `articulated/` | factor H, solve for v̇ and λ; `articulated/` is the fast way |
//! | plan | `rank_plan.rs` | which rows do without, because others say the same; decided at closed states, kept over stages |
//! | stabilise | `project_general.rs` | projects positions and velocities back onto the joints with the factor at hand |
//! | settle | `project_euler.rs` | the same for Euler's rules, with one factor a step |
//! | touch | `contact/` | inequalities: what presses, blows, events found and rewound to |
//! | first | `first_order.rs` | f = m v: velocities in the place of accelerations |
//! | strike | `impulse.rs` | blows: velocities jump, steps are cut where one is due |
//! | completed | `lazy_rows.rs` | after the fast way: rows, written when they are read |
//! | divide | `substep.rs` | a step that is too long for the mechanism is taken in parts |
//!
//! `linear_solve.rs` takes the linear solve of an instant out of all this, to be measured alone.
//!
//! A step that fails leaves the state as it was.

mod articulated;
mod conflict;
mod constraint_rows;
mod contact;
mod drive_targets;
mod error;
mod first_order;
mod forces;
mod impulse;
mod integrate;
mod joint_coordinates;
mod lazy_rows;
mod linear_solve;
mod multipliers;
mod project_euler;
mod project_general;
mod rank_plan;
mod settings;
mod substep;
mod substep_stiff;
mod workspace;

pub(crate) use articulated::operations;
pub(crate) use articulated::sweep::{MechanismLanes, TreeStructure};
pub(crate) use contact::depenetrate::overlaps;
pub use contact::overlap::{Overlap, OverlapFound, OverlapKind};
pub(crate) use contact::{ActiveContact, ContactKey, ContactRows, TOUCHING};
pub use contact::{Event, EventKind, EventSubject};
pub(crate) use error::{MISALIGNED, offered_tolerance};
pub use error::{Stage, StepError, TooLong};
pub(crate) use forces::{frame, write_motions};
pub(crate) use impulse::apply_impulses;
pub use linear_solve::LinearSolve;
pub(crate) use multipliers::{LedgerRate, driven, reaction, solver_error, structural, write_rows};
#[doc(hidden)]
pub use settings::Fault;
pub use settings::{
    Coordinates, Elimination, ErrorControl, Impacts, InequalityStudy, Integrator, Overlaps, RestitutionLaw,
    Settings, SolverChoice, Stabilization, StudyRule,
};
pub use workspace::{WorkCounts, Workspace};

use crate::model::Model;
use crate::state::State;

/// What one step did.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Worst |C| over all rows at the end of the step [m, rad].
    pub position_error: f64,
    /// Worst |J v| over all rows at the end of the step [m/s, rad/s].
    pub velocity_error: f64,
    /// Worst residual of the equations of motion at the start of the step, relative to the terms that form them.
    pub equation_residual: f64,
    /// Worst residual of contacts that were answered by iteration, relative to what they had to stop.
    pub contact_residual: f64,
    /// How far the deepest inequality or contact is passed at the end of the step, or of a part of it that an event ended [m, rad].
    pub overlap: f64,
    /// Systems that Newton's method factored for contacts, where they were many.
    pub newton_steps: u64,
    /// Rounds of projection.
    pub rounds: u32,
    /// Time that has passed \[s\].
    pub size: f64,
    /// Accepted steps that it took: one, unless an adaptive integrator was asked for an interval, or the step was too long
    /// for the mechanism and was taken in parts.
    pub steps: u64,
}

impl StepReport {
    /// Another step follows.
    fn include(&mut self, next: &StepReport) {
        let worst = crate::math::larger;
        self.position_error = worst(self.position_error, next.position_error);
        self.velocity_error = worst(self.velocity_error, next.velocity_error);
        self.equation_residual = worst(self.equation_residual, next.equation_residual);
        self.contact_residual = worst(self.contact_residual, next.contact_residual);
        self.overlap = worst(self.overlap, next.overlap);
        self.newton_steps += next.newton_steps;
        self.rounds = self.rounds.max(next.rounds);
        self.size += next.size;
        self.steps += next.steps;
    }
}

/// Advances `state` by `h`: in one step, or with an adaptive integrator in as many as its tolerance asks for.
pub fn step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    if !(h > 0.0 && h.is_finite()) {
        return Err(StepError::BadStep { h });
    }
    match substep_stiff::parts(model, settings, h)? {
        1 => step_at_once(model, settings, state, h, work),
        parts => substep_stiff::in_parts(state, (h, parts), work, |state, h, work| {
            step_at_once(model, settings, state, h, work)
        }),
    }
}

/// The same where no body is too stiff for it.
fn step_at_once(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    match impulse::time_left(model, state) {
        Some(left) if left < h => impulse::step_through_impulses(model, settings, state, h, work),
        _ => step_without_impulses(model, settings, state, h, work),
    }
}

/// The same where no blow is due on the way.
fn step_without_impulses(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let smooth_step =
        if settings.integrator.is_adaptive() { integrate::step_size::step_exactly } else { substep::step };
    let first_order = settings.integrator == Integrator::FirstOrder;
    if settings.integrator == Integrator::TimeStepping || (first_order && model.has_inequalities()) {
        return time_stepping(model, settings, state, h, work);
    }
    if model.has_inequalities() {
        return contact::step(model, settings, state, h, work, smooth_step);
    }
    let outcome = smooth_step(model, settings, state, h, work);
    if settings.integrator.is_adaptive() {
        return outcome;
    }
    outcome.map_err(|error| substep::with_step_advice(model, settings, state, (h, error), work))
}

/// One step of a fixed size, whole; it is left undone if it can be seen to be too long for the mechanism and `allowed` to be divided.
fn undivided_step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
    allowed: substep::AllowedSubsteps,
) -> Result<substep::StepOutcome, StepError> {
    work.motions_are_current = false;
    if let Some(mut step_kernel) = work.step_kernel.take() {
        let outcome = step_kernel.step(model, state, h, work);
        work.step_kernel = Some(step_kernel);
        if let Some(report) = outcome {
            conclude(model, settings, state, h, work);
            work.motions_are_current = true;
            return Ok(substep::StepOutcome::Done(report));
        }
    }
    match settings.coordinates {
        Coordinates::Bodies => {
            integrate::integrate(model, settings, state, h, work)?;
            work.next.forget_joints();
        }
        Coordinates::Joints => joint_coordinates::integrate_joints(model, settings, state, h, work)?,
    }
    let ledger = work.next.ledger;
    let equation_residual = work.equation_residual;
    let mut report = StepReport { equation_residual, size: h, steps: 1, ..StepReport::default() };
    // The projection asks first whether the step is worth it.
    (work.allowed_substeps, work.substeps) = (Some((allowed, h)), None);
    let outcome = project_general::project_general(model, settings, Some(state), work, &mut report);
    work.allowed_substeps = None;
    outcome?;
    if let Some(substeps) = work.substeps.take() {
        return Ok(substep::StepOutcome::Undone(substeps));
    }
    contact::project_contacts(model, settings, work, &mut report)?;
    if settings.integrator == Integrator::FirstOrder {
        first_order::set_velocities(model, settings, work, &mut report, Stage::Inner(5))?;
        // Corrections of velocities that were found anew are nobody's work.
        work.next.ledger = ledger;
    }
    conclude(model, settings, state, h, work);
    Ok(substep::StepOutcome::Done(report))
}

/// One step at the level of velocities.
pub(crate) fn time_stepping(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let first_order = settings.integrator == Integrator::FirstOrder;
    if settings.coordinates != Coordinates::Bodies {
        let integrator = if first_order { "first-order" } else { "time-stepping" };
        return Err(StepError::OnlyBodies { integrator });
    }
    let outcome = if first_order {
        // Forces in the place of impulses, from rest.
        let mut rest = work.rest_state.take().unwrap_or_else(|| Box::new(state.clone()));
        rest.copy_from(state);
        rest.v.fill(0.0);
        let outcome = contact::time_stepping::time_step(model, settings, &rest, h, work);
        work.rest_state = Some(rest);
        outcome
    } else {
        contact::time_stepping::with_time_span(h, work, |work| {
            contact::time_stepping::time_step(model, settings, state, h, work)
        })
    };
    outcome?;
    let ledger = work.next.ledger;
    work.next.forget_joints();
    let equation_residual = work.equation_residual;
    let mut report = StepReport { equation_residual, size: h, steps: 1, ..StepReport::default() };
    (work.allowed_substeps, work.substeps) = (None, None);
    project_general::project_general(model, settings, None, work, &mut report)?;
    let mut events = work.events.take().unwrap_or_default();
    let logged = events.log.len();
    let outcome =
        contact::time_stepping::separate(model, settings, state, work, &mut report, &mut events.log);
    if outcome.is_err() {
        events.log.truncate(logged);
    }
    work.events = Some(events);
    outcome?;
    if first_order {
        work.next.ledger = ledger;
    }
    conclude(model, settings, state, h, work);
    Ok(report)
}

/// The state that a step led to takes the place of the one it began with.
fn conclude(model: &Model, settings: &Settings, state: &mut State, h: f64, work: &mut Workspace) {
    crate::measure::coordinates::follow_turns(model, state, h, work);
    if settings.coordinates == Coordinates::Joints {
        joint_coordinates::keep_turns(model, work);
    }
    drive_targets::carry_sums(model, work);
    work.next.plan.copy_from_slice(&work.plan);

    // The projection has measured them; events look at other poses after it.
    work.motions_are_current = settings.coordinates == Coordinates::Bodies && !model.has_inequalities();
    core::mem::swap(state, &mut work.next);
}

/// One step of an adaptive integrator, of its own size but at most `most`; the very first of a state is `first`.
pub fn step_within(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    first: f64,
    most: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    if !settings.integrator.is_adaptive() || model.has_inequalities() {
        return step(model, settings, state, if most < first { most } else { first }, work);
    }
    match impulse::time_left(model, state) {
        Some(0.0) => impulse::step_after_impulses(model, settings, state, (first, most), work),
        Some(left) if left < most => {
            integrate::step_size::step_within(model, settings, state, (first, left), work)
        }
        _ => integrate::step_size::step_within(model, settings, state, (first, most), work),
    }
}

/// The state at a time within the last step, in `work.next`; false if that is not known.
pub(crate) fn interpolate(
    model: &Model,
    settings: &Settings,
    time: f64,
    work: &mut Workspace,
) -> Result<bool, StepError> {
    let Some(mut dopri5) = work.dopri5.take() else { return Ok(false) };
    let known = dopri5.accepted && dopri5.spans(time);
    let outcome = if known { dopri5.interpolate(model, settings, time, work) } else { Ok(()) };
    work.dopri5 = Some(dopri5);
    outcome.map(|()| known)
}

/// What lies before the present state is no longer known.
pub(crate) fn forget_last(work: &mut Workspace) {
    if let Some(dopri5) = &mut work.dopri5 {
        dopri5.accepted = false;
    }
}

/// Accelerations and multipliers at a state, left in the workspace; nothing moves.
pub(crate) fn evaluate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if settings.integrator == Integrator::FirstOrder {
        return first_order::evaluate(model, settings, state, work);
    }
    contact::choose(model, settings, state, work)?;
    work.forget_rows();
    work.stage.copy_from(state);
    multipliers::accelerations(model, settings, work, Stage::First)?;
    articulated::least_norm_rows(model, work);
    multipliers::complete(model, settings, work)
}

/// Accelerations and joint loads at a state, as cheaply as they can be had; left in the workspace.
pub(crate) fn evaluate_bare(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if settings.integrator == Integrator::FirstOrder {
        return first_order::evaluate_bare(model, settings, state, work);
    }
    contact::choose(model, settings, state, work)?;
    multipliers::bare_accelerations(model, settings, state, work)
}

/// The same, and nothing but accelerations and loads is left in the workspace: the fastest way there is to them.
pub(crate) fn accelerate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if articulated::level_accel::accelerate(model, settings, state, work)
        || articulated::state_accel::accelerate(model, state, work)
    {
        return Ok(());
    }
    evaluate_bare(model, settings, state, work)
}

/// Kinematics alone of a state whose equations have no answer.
pub(crate) fn observe_unsolved(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) {
    work.forget_rows();
    work.stage.copy_from(state);
    refresh_motions(model, state, work);
    drive_targets::write_targets(model, state, &mut work.targets);
    constraint_rows::write_constraint_rows(model, settings, work, constraint_rows::RowContent::Errors);
    work.acc.fill(f64::NAN);
    work.lambda.fill(f64::NAN);
    work.equation_residual = f64::NAN;
}

/// Kinematics of a state with J and c of all rows; nothing is solved.
pub(crate) fn observe_rows(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) {
    work.stage.copy_from(state);
    refresh_motions(model, state, work);
    drive_targets::write_targets(model, state, &mut work.targets);
    constraint_rows::write_constraint_rows(model, settings, work, constraint_rows::RowContent::Full);
}

/// What is left of the row that has least left when those it depends on are taken away, of rows that are not redundant.
pub(crate) fn rank_margin(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) -> f64 {
    if work.articulated.is_some() {
        work.stage.copy_from(state);
        refresh_motions(model, state, work);
        return articulated::rank_margin(model, work);
    }
    observe_rows(model, settings, state, work);
    let geometry = work.geometry.get_or_insert_with(|| Box::new(cardan_solve::Rank::new(&model.graph)));
    let left = geometry.decide(&work.system).map_or(1.0, |()| geometry.smallest_accepted());
    if left < 1.0 { left } else { 1.0 }
}

/// M, F, J and c of a state, in the workspace; nothing is solved.
pub(crate) fn write_equations(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    work.stage.copy_from(state);
    refresh_motions(model, state, work);
    drive_targets::refresh_targets(model, work, Stage::First)?;
    forces::accumulate_forces(model, work, Stage::First, &mut LedgerRate::default())?;
    constraint_rows::write_constraint_rows(model, settings, work, constraint_rows::RowContent::Full);
    constraint_rows::check_finite(model, work, Stage::First)
}

/// Pose and velocity of every body of `state`, in the workspace.
pub(crate) fn refresh_motions(model: &Model, state: &State, work: &mut Workspace) {
    forces::write_motions(model, state, &mut work.motions);
}

/// Brings a state onto its joints, poses first, then velocities; the result is in the same state.
pub(crate) fn assemble(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let mut report = StepReport::default();
    work.next.copy_from(state);
    if settings.integrator == Integrator::FirstOrder {
        // Those of the file mean nothing.
        work.next.v.fill(0.0);
    }
    match settings.coordinates {
        Coordinates::Bodies => {
            project_general::assemble(model, settings, work, &mut report)?;
            if settings.overlaps == Overlaps::Resolve {
                contact::depenetrate::resolve(model, settings, work, &mut report)?;
            }
        }
        Coordinates::Joints => joint_coordinates::enter(model, settings, work, &mut report)?,
    }
    // Nothing has flowed yet: the account opens with the assembled state.
    work.next.ledger = state.ledger;
    // What the open pose told about redundancy is not good enough for the closed one.
    work.next.plan.fill(0);
    if settings.integrator == Integrator::FirstOrder {
        first_order::set_velocities(model, settings, work, &mut report, Stage::First)?;
    }
    core::mem::swap(state, &mut work.next);
    let is_euler = matches!(settings.integrator, Integrator::ExplicitEuler | Integrator::SemiImplicitEuler);
    if is_euler && let Some(articulated) = &mut work.articulated {
        articulated.release_gaps();
        if model.bodies.len() >= articulated::LARGE_SYSTEM {
            work.stage.release();
        }
    }
    Ok(report)
}
