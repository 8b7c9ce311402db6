//! Substep: everything that cuts an interval into steps, from the outside in.
//!
//! | what | why |
//! |---|---|
//! | stiff bodies | the natural frequency of a general body is too high for the step: equal parts, by its frequency |
//! | applied impulses | velocities jump at a given time: the step ends there |
//! | events | a contact or limit closes or opens (`integrate/events/`) |
//! | step size control | an adaptive integrator chooses its own steps (`integrate/step_size.rs`) |
//! | division | a step turns out too long for the mechanism and is repeated in parts |
//!
//! **Division.** A light link under a large tension T vibrates at ω = √(T/(m l)): 10⁴ rad/s for a gram that carries a tonne.
//! RK4 is stable up to ω h = 2√2; beyond that rounding grows by (ω h)⁴/24 a step until the joints cannot be closed. The accelerations of
//! the stages give an estimate of ω, similar to Collatz's rule, at any phase of the fast motion: with z = ω h
//!
//! ```text
//! a₂ − a₁ = −ω² (h/2) v        a₃ − a₂ = −z²/4 a₁        a₄ − a₃ = −ω² (h/2) v (1 − z²/2) − z²/4 a₁
//! ```
//!
//! as soon as the fast motion dominates them. The estimate is made only after a step that opened the joints by more than usual,
//! so that other steps cost nothing extra. The step is then repeated in n = 2, 4, 8 … equal parts with ω h/n ≤ 1, where RK4
//! damps the fast motion slightly. A step whose joints cannot be closed is divided in the same way. The result depends only on the
//! state and h; the report counts the parts.
//!
//! With f = m v nothing oscillates, but a stiff spring on a light body decays fast, v̇ = −(k/m) v, and RK4 is stable up to
//! k h/m = 2.8. Such steps are divided so that k h/m ≤ 1 in a part.
//!
//! A step with a stage at a pose where a loop loses rank is divided into two unequal parts: near such a pose the errors of the stage
//! dominate its accelerations and its projected velocities. At an end of the step a short part keeps these errors small; for a
//! pose in the middle, no stage of the two parts is at the pose.
//!
//! **Stiff bodies.** Integrators with a fixed step are stable up to ω h of about 2. ω of every general body is computed when the
//! model is built (`body/general/`), so the step is divided beforehand. Adaptive integrators choose their step by its error.

use crate::math::larger;
use crate::model::Model;
use crate::settings::{Coordinates, Integrator, Settings};
use crate::state::State;
use crate::step::articulated::LARGE_SYSTEM;
use crate::step::contact::limits::limits_are_clear;
use crate::step::contact::{Event, EventKind, EventSubject};
use crate::step::integrate::events::SmoothStep;
use crate::step::integrate::impulse::apply_impulses;
pub(crate) use crate::step::integrate::{self, SingularStage};
use crate::step::observe::evaluate;
use crate::step::workspace::undone_on_failure;
use crate::step::{StepReport, Workspace, kernel_step, single_step};
use crate::step_error::{Stage, StepError, TooLong};
use crate::tolerances::{NO_TIME, TOO_FAST};

/// Advances `state` by `h` \[s\]: in one step, or with an adaptive integrator in as many as its tolerance needs.
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
    match stiff_parts(model, settings, h)? {
        1 => step_at_once(model, settings, state, h, work),
        parts => in_equal_parts(state, (h, parts), work, |state, h, work| {
            step_at_once(model, settings, state, h, work)
        }),
    }
}

/// A step of `h` that is short enough for every stiff body.
fn step_at_once(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    match time_left(model, state) {
        Some(left) if left < h => step_through_impulses(model, settings, state, h, work),
        _ => step_without_impulses(model, settings, state, h, work),
    }
}

/// A step of `h` during which no impulse is due.
fn step_without_impulses(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let smooth_step =
        if settings.integrator.is_adaptive() { integrate::step_size::step_exactly } else { divided_step };
    let first_order = settings.integrator == Integrator::FirstOrder;
    if settings.integrator == Integrator::TimeStepping || (first_order && model.has_inequalities()) {
        return integrate::time_stepping::step(model, settings, state, h, work);
    }
    if model.has_inequalities() && settings.coordinates == Coordinates::Joints {
        return step_on_joints_with_inequalities(model, settings, state, h, work);
    }
    if model.has_inequalities() {
        return integrate::events::step(
            model,
            settings,
            state,
            h,
            work,
            SmoothStep { step: smooth_step, with_friction: divided_step },
        );
    }
    let outcome = smooth_step(model, settings, state, h, work);
    if settings.integrator.is_adaptive() {
        return outcome;
    }
    outcome.map_err(|error| with_step_advice(model, settings, state, (h, error), work))
}

/// A step on joint coordinates of a model with inequalities. The kernel takes limits of hinges, active or not. Elsewhere,
/// if the inequalities are limits of joints and the step ends without touching one, it is a step like any other. Otherwise
/// it is taken on poses, and joint coordinates are read from where it leads.
fn step_on_joints_with_inequalities(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    if let Some(report) = kernel_step(model, settings, state, h, work) {
        return Ok(report);
    }
    if !settings.integrator.is_adaptive() && model.has_only_joint_limits() && state.held.is_empty() {
        let before = state.clone();
        let outcome = divided_step(model, settings, state, h, work);
        if outcome.is_ok() && limits_are_clear(model, state, 0.0, work) {
            return outcome;
        }
        state.copy_from(&before);
    }
    let on_bodies = Settings { coordinates: Coordinates::Bodies, ..*settings };
    undone_on_failure(state, work, |state, work| {
        state.forget_joints();
        let mut report = step_without_impulses(model, &on_bodies, state, h, work)?;
        work.stages.next.copy_from(state);
        integrate::joint_coordinates::enter(model, settings, work, &mut report)?;
        core::mem::swap(state, &mut work.stages.next);
        Ok(report)
    })
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
    match time_left(model, state) {
        Some(0.0) => step_after_impulses(model, settings, state, (first, most), work),
        Some(left) if left < most => {
            integrate::step_size::step_within(model, settings, state, (first, left), work)
        }
        _ => integrate::step_size::step_within(model, settings, state, (first, most), work),
    }
}

// Applied impulses.

/// Time until the next impulse of the model that has not been applied yet, if there is one; zero if it is due [s].
pub(crate) fn time_left(model: &Model, state: &State) -> Option<f64> {
    let next = model.impulses.get(state.impulses_applied)?;
    let left = (next.time - state.time) - state.time_remainder;
    // A difference within the rounding of the time counts as zero.
    Some(if left <= NO_TIME * next.time.abs() { 0.0 } else { left })
}

/// Applies all impulses of the model that are due.
pub(crate) fn apply_due_impulses(
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
        let subject = EventSubject::Impulse(applied.id);
        let (speed, impulse) = (0.0, applied.impulse.linear.norm());
        let events = work.contact.events.get_or_insert_default();
        events.log.push(Event { time: state.time, subject, kind: EventKind::Impulse, speed, impulse });
        work.contact.impulse_records.push(done);
        state.impulses_applied += 1;
        report.include(&more);
    }
    Ok(())
}

/// A step of `h` with impulses during it: it is cut at their times. On failure the state is that of the start.
pub(crate) fn step_through_impulses(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let step = step_without_impulses;
    undone_on_failure(state, work, |state, work| {
        // A remainder this short after an impulse is not a step of its own; the impulse is left to the next step.
        const SLIVER: f64 = 1e-9;
        let (time, rest) = (state.time, state.time_remainder);
        let (mut report, mut passed) = (StepReport::default(), 0.0);
        loop {
            apply_due_impulses(model, settings, state, work, &mut report)?;
            match time_left(model, state) {
                Some(left) if left < (h - passed) - SLIVER * h => {
                    report.include(&step(model, settings, state, left, work)?);
                    passed += left;
                    (state.time, state.time_remainder) = (model.impulses[state.impulses_applied].time, 0.0);
                }
                _ => break,
            }
        }
        report.include(&step(model, settings, state, h - passed, work)?);
        // Time advances by h in one sum, independent of the rounding of the parts.
        (state.time, state.time_remainder) = (time, rest);
        state.advance_time(h);
        report.size = h;
        Ok(report)
    })
}

/// Impulses that are due, and then one step of an adaptive integrator. On failure the state is that of the start.
pub(crate) fn step_after_impulses(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    (first, most): (f64, f64),
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    undone_on_failure(state, work, |state, work| {
        let mut report = StepReport::default();
        apply_due_impulses(model, settings, state, work, &mut report)?;
        let next = step_within(model, settings, state, first, most, work)?;
        report.include(&next);
        Ok(report)
    })
}

// Stiff bodies.

/// ω h in a part: RK4 damps the fastest oscillation by 1e-4 per part.
const FINE: f64 = 0.5;

/// Largest number of parts for a stiff body.
pub(crate) const MOST_STIFF_PARTS: u32 = 64;

/// Largest ω h for RATTLE, which is not divided.
const LONGEST: f64 = 1.8;

/// Number of parts that stiff bodies need in a step of `h`.
pub(crate) fn stiff_parts(model: &Model, settings: &Settings, h: f64) -> Result<u32, StepError> {
    let Some((body, omega)) = model.stiffest_body else { return Ok(1) };
    let turn = omega * h;
    // With f = m v nothing oscillates; fast decay is found from the stages instead.
    if turn <= TOO_FAST || settings.integrator.is_adaptive() || settings.integrator == Integrator::FirstOrder
    {
        return Ok(1);
    }
    let refuse = |most: f64| {
        // One digit, rounded down; zero for infinite stiffness.
        let ten = if most > 0.0 { libm::pow(10.0, libm::floor(libm::log10(most))) } else { 1.0 };
        StepError::TooStiff {
            body: model.bodies[body].name.clone(),
            frequency: omega / core::f64::consts::TAU,
            h,
            advised: ten * libm::floor(most / ten),
        }
    };
    if settings.integrator == Integrator::Rattle {
        return if turn > LONGEST { Err(refuse(FINE / omega)) } else { Ok(1) };
    }
    let mut parts = 2;
    while turn > FINE * f64::from(parts) {
        parts *= 2;
        if parts > MOST_STIFF_PARTS {
            return Err(refuse(FINE / omega));
        }
    }
    Ok(parts)
}

/// A step in equal parts; on failure the state is that of the start.
#[cold]
pub(crate) fn in_equal_parts(
    state: &mut State,
    (h, parts): (f64, u32),
    work: &mut Workspace,
    mut step: impl FnMut(&mut State, f64, &mut Workspace) -> Result<StepReport, StepError>,
) -> Result<StepReport, StepError> {
    undone_on_failure(state, work, |state, work| {
        let (time, rest) = (state.time, state.time_remainder);
        let mut total = StepReport::default();
        for _ in 0..parts {
            total.include(&step(state, h / f64::from(parts), work)?);
        }
        work.counts.divided += 1;
        // Time advances by h in one sum, independent of the rounding of the parts.
        (state.time, state.time_remainder) = (time, rest);
        state.advance_time(h);
        total.size = h;
        Ok(total)
    })
}

// Division.

/// Largest number of parts of a divided step.
const MOST_PARTS: u32 = 1024;

/// Relative joint error of a step beyond which it is divided instead of projected.
const TOO_FAR: f64 = 0.1;

/// Relative joint error below which a step is surely short enough.
const SUSPICIOUS: f64 = 1e-11;

/// Largest k h of a decaying motion before a step is divided; RK4 is unstable beyond 2.8.
const TOO_STIFF: f64 = 2.0;

/// Motions in a step below this are not judged [m, rad].
const NEGLIGIBLE_MOTION: f64 = 1e-10;

/// How a step is divided.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Substeps {
    /// Into this many equal parts.
    Equal(u32),
    /// Into two parts such that a singular pose is in a short part, or at none of the stages.
    Around(SingularStage),
}

impl SingularStage {
    /// Length of the first part, relative to the step. Parts of 2/5 and 3/5 have their stages at 0, 0.2, 0.4, 0.7 and 1, so none is
    /// at the middle of the step.
    fn first_part(self) -> f64 {
        match self {
            SingularStage::First => 0.0625,
            SingularStage::Middle => 0.4,
            SingularStage::Last => 0.9375,
        }
    }
}

impl Substeps {
    fn parts(self) -> u32 {
        match self {
            Substeps::Equal(parts) => parts,
            Substeps::Around(_) => 2,
        }
    }

    /// Size of the part `k` of a step of `h`.
    fn size(self, h: f64, k: u32) -> f64 {
        match self {
            Substeps::Equal(parts) => h / f64::from(parts),
            Substeps::Around(met) if k == 0 => met.first_part() * h,
            Substeps::Around(met) => h - met.first_part() * h,
        }
    }

    /// Further divisions that a part may request.
    fn allows(self) -> AllowedSubsteps {
        AllowedSubsteps { equal: self.parts() < MOST_PARTS, around: false }
    }
}

/// Divisions that a step may request.
#[derive(Copy, Clone, Debug)]
pub(crate) struct AllowedSubsteps {
    equal: bool,
    around: bool,
}

/// Outcome of a step.
pub(crate) enum StepOutcome {
    /// The state has moved.
    Done(StepReport),
    /// The state has not moved: the step has to be divided.
    Undone(Substeps),
}

/// One step of a fixed size, divided into parts only if necessary. On failure the state is that of the start.
pub(crate) fn divided_step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    // A symplectic integrator needs steps of one size.
    let fixed = settings.integrator == Integrator::Rattle;
    // Memory for the state at the start is allocated in the first step rather than in the step that needs it, except for very many
    // bodies, where it is large and seldom used.
    if !fixed && work.stages.substep_origin.is_none() && model.bodies.len() < LARGE_SYSTEM {
        work.stages.substep_origin = Some(Box::new(state.clone()));
    }
    match single_step(model, settings, state, h, work, AllowedSubsteps { equal: !fixed, around: !fixed }) {
        Ok(StepOutcome::Done(report)) => Ok(report),
        Ok(StepOutcome::Undone(substeps)) => in_parts(model, settings, state, (h, substeps, None), work),
        Err(error) if !fixed && may_be_too_long(&error) => {
            in_parts(model, settings, state, (h, Substeps::Equal(2), Some(error)), work)
        }
        Err(error) => Err(error),
    }
}

/// Errors that a shorter step may not have.
fn may_be_too_long(error: &StepError) -> bool {
    match error {
        StepError::NotFinite { stage, .. } | StepError::JointNotFinite { stage, .. } => {
            *stage != Stage::First
        }
        StepError::CannotClose { .. } | StepError::Conflict { .. } | StepError::JointSingular { .. } => true,
        _ => false,
    }
}

/// The error of a step from `state`, with advice if a body rotates too far in one step.
///
/// Motion under gravity scales: lengths by s and times by √s. A linkage of a nanometre makes about ten turns in a millisecond.
#[cold]
pub(crate) fn with_step_advice(
    model: &Model,
    settings: &Settings,
    state: &State,
    (h, mut error): (f64, StepError),
    work: &mut Workspace,
) -> StepError {
    // Rotation per step \[rad\] beyond which no integrator converges; a twentieth of it is advised.
    const TOO_MUCH: f64 = 1.0;
    let StepError::CannotClose { too_long, .. } = &mut error else { return error };
    let turns = |v: &[f64]| {
        let turn = |body: &crate::model::ModelBody| body.sizes(&v[body.v_range()]).1;
        model.bodies.iter().map(turn).fold(0.0, larger)
    };
    let mut fastest = turns(&state.v);
    if evaluate(model, settings, state, work).is_ok() {
        fastest = larger(fastest, turns(&work.equations.acc).sqrt());
    }
    let turn = h * fastest;
    if turn > TOO_MUCH && turn.is_finite() {
        // One digit, rounded down.
        let wanted = 0.05 * TOO_MUCH / fastest;
        let ten = libm::pow(10.0, libm::floor(libm::log10(wanted)));
        *too_long = Some(TooLong { h, turn, advised: ten * libm::floor(wanted / ten) });
    }
    error
}

#[cold]
fn in_parts(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    (h, mut substeps, mut trouble): (f64, Substeps, Option<StepError>),
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let mut origin = work.stages.substep_origin.take().unwrap_or_else(|| Box::new(state.clone()));
    origin.copy_from(state);
    let outcome = loop {
        let parts = substeps.parts();
        match try_parts(model, settings, state, (h, substeps), work) {
            Ok(StepOutcome::Done(report)) => break Ok(report),
            Ok(StepOutcome::Undone(more)) => {
                let parts = parts * more.parts();
                substeps = Substeps::Equal(if parts < MOST_PARTS { parts } else { MOST_PARTS });
            }
            Err(error) if parts < MOST_PARTS && may_be_too_long(&error) => {
                trouble.get_or_insert(error);
                substeps = Substeps::Equal(2 * parts);
            }
            // The error of the undivided step is closer to the cause.
            Err(error) => break Err(trouble.unwrap_or(error)),
        }
        state.copy_from(&origin);
    };
    if outcome.is_err() {
        state.copy_from(&origin);
    } else {
        work.counts.divided += u64::from(matches!(substeps, Substeps::Equal(_)));
        // Time advances by h in one sum, independent of the rounding of the parts.
        (state.time, state.time_remainder) = (origin.time, origin.time_remainder);
        state.advance_time(h);
    }
    work.stages.substep_origin = Some(origin);
    outcome
}

/// Takes all parts, or stops at one that requests a further division.
fn try_parts(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    (h, substeps): (f64, Substeps),
    work: &mut Workspace,
) -> Result<StepOutcome, StepError> {
    let mut total = StepReport::default();
    for k in 0..substeps.parts() {
        match single_step(model, settings, state, substeps.size(h, k), work, substeps.allows())? {
            StepOutcome::Done(report) => total.include(&report),
            undone => return Ok(undone),
        }
    }
    total.size = h;
    Ok(StepOutcome::Done(total))
}

/// How the step that was just projected has to be divided; `None` if it is short enough.
pub(crate) fn needed_substeps(
    settings: &Settings,
    allowed: AllowedSubsteps,
    (h, drift): (f64, f64),
    singular_stage: Option<SingularStage>,
    work: &Workspace,
) -> Option<Substeps> {
    // With joint coordinates tree joints have no error.
    let carried = settings.coordinates == Coordinates::Joints;
    if !settings.projects() && !carried {
        return None;
    }
    if allowed.around
        && let Some(met) = singular_stage
    {
        return Some(Substeps::Around(met));
    }
    if settings.integrator == Integrator::FirstOrder && allowed.equal {
        let stiff = stiffness(&work.stages.stage_acc, h);
        let mut parts = if drift > TOO_FAR { 2 } else { 1 };
        while stiff > TOO_STIFF && f64::from(parts) < stiff && parts < MOST_PARTS {
            parts *= 2;
        }
        return (parts > 1).then_some(Substeps::Equal(parts));
    }
    // A prescribed motion is not a vibration, however fast its accelerations change.
    let is_driven = !work.kinematics.targets.is_empty() || work.integrator.has_timed_constraints;
    if !allowed.equal || (drift <= SUSPICIOUS && (!carried || is_driven)) {
        return None;
    }
    let mut parts = if drift > TOO_FAR { 2 } else { 1 };
    if matches!(settings.integrator, Integrator::Rk4 | Integrator::Auto) {
        let turn = fast_turn(&work.stages.stage_acc, &work.equations.acc, h);
        while turn > TOO_FAST && f64::from(parts) < turn && parts < MOST_PARTS {
            parts *= 2;
        }
    }
    (parts > 1).then_some(Substeps::Equal(parts))
}

/// k h of the fastest decay v̇ = −k v, estimated from the velocities of the stages of f = m v: v₂ and v₃ are at the same time and at
/// poses that differ by (h/2)(v₂ − v₁), so v₃ − v₂ = −(k h/2)(v₂ − v₁).
fn stiffness([first, second, third]: &[Vec<f64>; 3], h: f64) -> f64 {
    let (mut change, mut next) = (0.0, 0.0);
    for ((a, b), c) in first.iter().zip(second).zip(third) {
        change += (b - a) * (b - a);
        next += (c - b) * (c - b);
    }
    let [change, next] = [change, next].map(f64::sqrt);
    if next * h < NEGLIGIBLE_MOTION { 0.0 } else { 2.0 * next / change }
}

/// ω h of the fastest motion if it dominates the accelerations of the four stages; otherwise a number below 1.4.
fn fast_turn([first, second, third]: &[Vec<f64>; 3], fourth: &[f64], h: f64) -> f64 {
    let (mut size, mut change, mut next, mut last) = (0.0, 0.0, 0.0, 0.0);
    for (((a, b), c), d) in first.iter().zip(second).zip(third).zip(fourth) {
        size += a * a;
        change += (b - a) * (b - a);
        next += (c - b) * (c - b);
        last += (d - c) * (d - c);
    }
    let [size, change, next, last] = [size, change, next, last].map(f64::sqrt);
    // Rounding of a mechanism at rest.
    if larger(next, last) * h * h < NEGLIGIBLE_MOTION {
        return 0.0;
    }
    let (mut turn, before) = (0.0, change + next);
    if size > 0.0 {
        turn = 2.0 * (next / size).sqrt();
    }
    // Slow motion changes accelerations little, and by equal amounts in both halves of a step.
    if last > 0.25 * size && last > 1.5 * before && before > 0.0 {
        turn = larger(turn, (2.0 + 2.0 * last / before).sqrt());
    }
    turn
}
