//! The time step, one file per stage.
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | propagate | `propagate/` | the integrators, one file each: ask for accelerations, move the state along the manifold |
//! | coordinates | `coordinates/` | on request: joint coordinates for the integrator instead of poses |
//! | accumulate | `accumulate.rs` | poses; gravity, forces, gyroscopic terms: F and M |
//! | aim | `aim.rs` | where driven coordinates should be |
//! | constrain | `constrain.rs` | every joint writes its rows: C, Ċ, J, c |
//! | multipliers | `multipliers.rs`, `limbs/` | factor H, solve for v̇ and λ; `limbs/` is the fast way |
//! | plan | `plan.rs` | which rows do without, because others say the same; decided at closed states, kept over stages |
//! | stabilise | `stabilise.rs` | projects positions and velocities back onto the joints with the factor at hand |
//! | settle | `settle.rs` | the same for Euler's rules, with one factor a step |
//! | touch | `touch/` | inequalities: what presses, blows, events found and rewound to |
//! | first | `first.rs` | f = m v: velocities in the place of accelerations |
//! | strike | `strike.rs` | blows: velocities jump, steps are cut where one is due |
//! | completed | `completed.rs` | after the fast way: rows, written when they are read |
//! | divide | `divide.rs` | a step that is too long for the mechanism is taken in parts |
//!
//! `linear.rs` takes the linear solve of an instant out of all this, to be measured alone.
//!
//! A step that fails leaves the state as it was.

mod accumulate;
mod aim;
mod completed;
mod conflict;
mod constrain;
mod coordinates;
mod divide;
mod error;
mod first;
mod limbs;
mod linear;
mod multipliers;
mod plan;
mod propagate;
mod settings;
mod settle;
mod stabilise;
mod stiff;
mod strike;
mod touch;
mod workspace;

pub(crate) use accumulate::{frame, write_motions};
pub(crate) use error::{MISALIGNED, offered_tolerance};
pub use error::{Stage, StepError, TooLong};
pub(crate) use limbs::lanes::{Lanes, Structure};
pub(crate) use limbs::operations;
pub use linear::LinearSolve;
pub(crate) use multipliers::{LedgerRate, driven, reaction, solver_error, structural, write_rows};
#[doc(hidden)]
pub use settings::Fault;
pub use settings::{
    Coordinates, Elimination, ErrorControl, Impacts, InequalityStudy, Integrator, Overlaps, RestitutionLaw,
    Settings, SolverChoice, Stabilization, StudyRule,
};
pub(crate) use strike::strike;
pub(crate) use touch::apart::overlaps;
pub use touch::overlap::{Overlap, OverlapFound, OverlapKind};
pub use touch::{Event, Subject, What};
pub(crate) use touch::{Held, Key, Sheet, TOUCHING};
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
    match stiff::parts(model, settings, h)? {
        1 => step_at_once(model, settings, state, h, work),
        parts => stiff::in_parts(state, (h, parts), work, |state, h, work| {
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
    match strike::time_left(model, state) {
        Some(left) if left < h => strike::step_between(model, settings, state, h, work),
        _ => step_without_blows(model, settings, state, h, work),
    }
}

/// The same where no blow is due on the way.
fn step_without_blows(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let inner = if settings.integrator.is_adaptive() { propagate::adapt::step_exactly } else { divide::step };
    let first_order = settings.integrator == Integrator::FirstOrder;
    if settings.integrator == Integrator::Stepping || (first_order && model.has_inequalities()) {
        return stepping(model, settings, state, h, work);
    }
    if model.has_inequalities() {
        return touch::step(model, settings, state, h, work, inner);
    }
    let outcome = inner(model, settings, state, h, work);
    if settings.integrator.is_adaptive() {
        return outcome;
    }
    outcome.map_err(|error| divide::advised(model, settings, state, (h, error), work))
}

/// One step of a fixed size, whole; it is left undone if it can be seen to be too long for the mechanism and `allowed` to be divided.
fn whole_step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
    allowed: divide::Allowed,
) -> Result<divide::Outcome, StepError> {
    work.knows_motions = false;
    if let Some(mut bundle) = work.bundle.take() {
        let outcome = bundle.step(model, state, h, work);
        work.bundle = Some(bundle);
        if let Some(report) = outcome {
            conclude(model, settings, state, h, work);
            work.knows_motions = true;
            return Ok(divide::Outcome::Done(report));
        }
    }
    match settings.coordinates {
        Coordinates::Bodies => {
            propagate::propagate(model, settings, state, h, work)?;
            work.next.forget_joints();
        }
        Coordinates::Joints => coordinates::propagate_joints(model, settings, state, h, work)?,
    }
    let ledger = work.next.ledger;
    let equation_residual = work.equation_residual;
    let mut report = StepReport { equation_residual, size: h, steps: 1, ..StepReport::default() };
    // The projection asks first whether the step is worth it.
    (work.may_divide, work.division) = (Some((allowed, h)), None);
    let outcome = stabilise::stabilise(model, settings, Some(state), work, &mut report);
    work.may_divide = None;
    outcome?;
    if let Some(division) = work.division.take() {
        return Ok(divide::Outcome::Undone(division));
    }
    touch::hold(model, settings, work, &mut report)?;
    if settings.integrator == Integrator::FirstOrder {
        first::set_velocities(model, settings, work, &mut report, Stage::Inner(5))?;
        // Corrections of velocities that were found anew are nobody's work.
        work.next.ledger = ledger;
    }
    conclude(model, settings, state, h, work);
    Ok(divide::Outcome::Done(report))
}

/// One step at the level of velocities.
pub(crate) fn stepping(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let first_order = settings.integrator == Integrator::FirstOrder;
    if settings.coordinates != Coordinates::Bodies {
        let integrator = if first_order { "first-order" } else { "stepping" };
        return Err(StepError::OnlyBodies { integrator });
    }
    let outcome = if first_order {
        // Forces in the place of impulses, from rest.
        let mut rest = work.rest.take().unwrap_or_else(|| Box::new(state.clone()));
        rest.copy_from(state);
        rest.v.fill(0.0);
        let outcome = touch::stepping::propagate(model, settings, &rest, h, work);
        work.rest = Some(rest);
        outcome
    } else {
        touch::stepping::spanning(h, work, |work| touch::stepping::propagate(model, settings, state, h, work))
    };
    outcome?;
    let ledger = work.next.ledger;
    work.next.forget_joints();
    let equation_residual = work.equation_residual;
    let mut report = StepReport { equation_residual, size: h, steps: 1, ..StepReport::default() };
    (work.may_divide, work.division) = (None, None);
    stabilise::stabilise(model, settings, None, work, &mut report)?;
    let mut phases = work.phases.take().unwrap_or_default();
    let logged = phases.log.len();
    let outcome = touch::stepping::part(model, settings, state, work, &mut report, &mut phases.log);
    if outcome.is_err() {
        phases.log.truncate(logged);
    }
    work.phases = Some(phases);
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
        coordinates::keep_turns(model, work);
    }
    aim::carry_sums(model, work);
    work.next.plan.copy_from_slice(&work.plan);

    // The projection has measured them; events look at other poses after it.
    work.knows_motions = settings.coordinates == Coordinates::Bodies && !model.has_inequalities();
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
    match strike::time_left(model, state) {
        Some(0.0) => strike::step_after(model, settings, state, (first, most), work),
        Some(left) if left < most => {
            propagate::adapt::step_within(model, settings, state, (first, left), work)
        }
        _ => propagate::adapt::step_within(model, settings, state, (first, most), work),
    }
}

/// The state at a time within the last step, in `work.next`; false if that is not known.
pub(crate) fn interpolate(
    model: &Model,
    settings: &Settings,
    time: f64,
    work: &mut Workspace,
) -> Result<bool, StepError> {
    let Some(mut ladder) = work.ladder.take() else { return Ok(false) };
    let known = ladder.accepted && ladder.spans(time);
    let outcome = if known { ladder.interpolate(model, settings, time, work) } else { Ok(()) };
    work.ladder = Some(ladder);
    outcome.map(|()| known)
}

/// What lies before the present state is no longer known.
pub(crate) fn forget_last(work: &mut Workspace) {
    if let Some(ladder) = &mut work.ladder {
        ladder.accepted = false;
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
        return first::evaluate(model, settings, state, work);
    }
    touch::choose(model, settings, state, work)?;
    work.forget_rows();
    work.stage.copy_from(state);
    multipliers::accelerations(model, settings, work, Stage::First)?;
    limbs::level(model, work);
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
        return first::evaluate_bare(model, settings, state, work);
    }
    touch::choose(model, settings, state, work)?;
    multipliers::bare_accelerations(model, settings, state, work)
}

/// The same, and nothing but accelerations and loads is left in the workspace: the fastest way there is to them.
pub(crate) fn accelerate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if limbs::plait::accelerate(model, settings, state, work)
        || limbs::straight::accelerate(model, state, work)
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
    aim::write_targets(model, state, &mut work.targets);
    constrain::constrain(model, settings, work, constrain::Want::Errors);
    work.acc.fill(f64::NAN);
    work.lambda.fill(f64::NAN);
    work.equation_residual = f64::NAN;
}

/// Kinematics of a state with J and c of all rows; nothing is solved.
pub(crate) fn observe_rows(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) {
    work.stage.copy_from(state);
    refresh_motions(model, state, work);
    aim::write_targets(model, state, &mut work.targets);
    constrain::constrain(model, settings, work, constrain::Want::Rows);
}

/// What is left of the row that has least left when those it depends on are taken away, of rows that are not redundant.
pub(crate) fn least_left(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) -> f64 {
    if work.limbs.is_some() {
        work.stage.copy_from(state);
        refresh_motions(model, state, work);
        return limbs::least_left(model, work);
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
    aim::aim(model, work, Stage::First)?;
    accumulate::accumulate(model, work, Stage::First, &mut LedgerRate::default())?;
    constrain::constrain(model, settings, work, constrain::Want::Rows);
    constrain::check_finite(model, work, Stage::First)
}

/// Pose and velocity of every body of `state`, in the workspace.
pub(crate) fn refresh_motions(model: &Model, state: &State, work: &mut Workspace) {
    accumulate::write_motions(model, state, &mut work.motions);
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
            stabilise::assemble(model, settings, work, &mut report)?;
            if settings.overlaps == Overlaps::Resolve {
                touch::apart::resolve(model, settings, work, &mut report)?;
            }
        }
        Coordinates::Joints => coordinates::enter(model, settings, work, &mut report)?,
    }
    // Nothing has flowed yet: the account opens with the assembled state.
    work.next.ledger = state.ledger;
    // What the open pose told about redundancy is not good enough for the closed one.
    work.next.plan.fill(0);
    if settings.integrator == Integrator::FirstOrder {
        first::set_velocities(model, settings, work, &mut report, Stage::First)?;
    }
    core::mem::swap(state, &mut work.next);
    let is_euler = matches!(settings.integrator, Integrator::ExplicitEuler | Integrator::SemiImplicitEuler);
    if is_euler && let Some(limbs) = &mut work.limbs {
        limbs.release_gaps();
        if model.bodies.len() >= limbs::MANY {
            work.stage.release();
        }
    }
    Ok(report)
}
