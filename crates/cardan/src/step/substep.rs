//! Substep: everything that cuts an interval into steps, from the outside in.
//!
//! | what | why |
//! |---|---|
//! | stiff bodies | a general body oscillates faster by itself than the step can follow: equal parts, as many as its frequency asks for |
//! | applied impulses | velocities jump at a given time: the step ends there |
//! | events | a unilateral constraint is reached or let go (`integrate/events/`) |
//! | step size control | an adaptive integrator chooses its own steps (`integrate/step_size.rs`) |
//! | division | a step turns out too long for the mechanism, and is done again in parts |
//!
//! **Division.** A light link between heavy ones swings across its load at ω = √(T/(m l)), ten thousand radians a second for a gram under a tonne.
//! RK4 is stable up to ω h = 2√2; beyond that rounding grows by (ω h)⁴/24 a step until the joints cannot be closed. The accelerations of
//! its stages tell ω, somewhat as in Collatz's rule, whichever phase the fast motion is in: with z = ω h
//!
//! ```text
//! a₂ − a₁ = −ω² (h/2) v        a₃ − a₂ = −z²/4 a₁        a₄ − a₃ = −ω² (h/2) v (1 − z²/2) − z²/4 a₁
//! ```
//!
//! once the fast motion is most of what they show. That is looked at only after a step whose joints opened more than steps do
//! that fit the mechanism, so that others pay nothing. The whole step is then done again in n = 2, 4, 8 … equal parts with
//! ω h/n ≤ 1, where RK4 takes a little from the fast motion and gives it nothing. A step that cannot be closed at all is divided in the same way. The
//! outcome depends on nothing but the state and h, and the report says how many parts there were.
//!
//! With f = m v nothing swings, but a stiff spring on a light body decays fast, v̇ = −(k/m) v, and RK4 is stable up to k h/m = 2.8. Such steps are divided so
//! that k h/m ≤ 1 in a part.
//!
//! A step with a stage right at a pose where a loop loses rank is divided, too, unevenly: near such a pose the accelerations are made
//! of the stage's own errors, and so are the velocities, which cannot be projected well there. With a short part at that end the errors
//! are small; in the middle no stage needs to be there.
//!
//! **Stiff bodies.** Rules for steps of one size are stable up to ω h of about 2, and beyond that gain or lose energy. ω of every body is known when a model is
//! built (`body/general/`), so nothing has to go wrong first. Adaptive steps find their size themselves.

use crate::math::larger;
use crate::model::Model;
use crate::settings::{Coordinates, Integrator, Settings};
use crate::state::State;
use crate::step::articulated::LARGE_SYSTEM;
use crate::step::contact::{Event, EventKind, EventSubject};
use crate::step::integrate::events::SmoothStep;
use crate::step::integrate::impulse::apply_impulses;
pub(crate) use crate::step::integrate::{self, SingularStage};
use crate::step::observe::evaluate;
use crate::step::{StepReport, Workspace, single_step};
use crate::step_error::{Stage, StepError, TooLong};
use crate::tolerances::{NO_TIME, TOO_FAST};

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
    match stiff_parts(model, settings, h)? {
        1 => step_at_once(model, settings, state, h, work),
        parts => in_equal_parts(state, (h, parts), work, |state, h, work| {
            step_at_once(model, settings, state, h, work)
        }),
    }
}

/// A step of `h` where no body is too stiff for it.
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

/// A step of `h` where no impulse is due on the way.
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

/// The time left until the next impulse of the model that has not been applied yet, if there is one; zero: it is due [s].
pub(crate) fn time_left(model: &Model, state: &State) -> Option<f64> {
    let next = model.impulses.get(state.impulses_applied)?;
    let left = (next.time - state.time) - state.time_rest;
    // Rounding of the time itself is none.
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
        let subject = EventSubject::Impulse(state.impulses_applied);
        let (speed, impulse) = (0.0, applied.impulse.impulse.norm());
        let events = work.contact.events.get_or_insert_default();
        events.log.push(Event { time: state.time, subject, what: EventKind::Impulse, speed, impulse });
        work.contact.impulse_records.push(done);
        state.impulses_applied += 1;
        report.include(&more);
    }
    Ok(())
}

/// A step of `h` with impulses on the way: it is cut where they are applied. On failure the state is that of the start.
pub(crate) fn step_through_impulses(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let step = step_without_impulses;
    undone_on_failure(state, work, |state, work| {
        // What would be left of a step after an impulse at its end belongs to the next.
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

/// Does something with a state; on failure the state, the event log and the records of impulses are those of the start.
pub(crate) fn undone_on_failure(
    state: &mut State,
    work: &mut Workspace,
    go: impl FnOnce(&mut State, &mut Workspace) -> Result<StepReport, StepError>,
) -> Result<StepReport, StepError> {
    let (before, impulse_records) = (state.clone(), work.contact.impulse_records.len());
    let logged = work.contact.events.as_ref().map_or(0, |events| events.log.len());
    let outcome = go(state, work);
    if outcome.is_err() {
        state.clone_from(&before);
        work.contact.impulse_records.truncate(impulse_records);
        work.contact.events.iter_mut().for_each(|events| events.log.truncate(logged));
    }
    outcome
}

// Stiff bodies.

/// ω h in a part: RK4 takes a ten-thousandth of the fastest swing in one.
const FINE: f64 = 0.5;

/// Parts of a step for a stiff body, at most.
pub(crate) const MOST_STIFF_PARTS: u32 = 64;

/// ω h that the leapfrog of RATTLE stands, whose steps have one size.
const LONGEST: f64 = 1.8;

/// In how many parts a step of `h` has to be taken.
pub(crate) fn stiff_parts(model: &Model, settings: &Settings, h: f64) -> Result<u32, StepError> {
    let Some((body, omega)) = model.stiffest_body else { return Ok(1) };
    let turn = omega * h;
    // With f = m v nothing swings; what decays is divided by what it shows.
    if turn <= TOO_FAST || settings.integrator.is_adaptive() || settings.integrator == Integrator::FirstOrder
    {
        return Ok(1);
    }
    let refuse = |most: f64| {
        // One digit, rounded down; of what is infinitely stiff nothing is left.
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
        let (time, rest) = (state.time, state.time_rest);
        let mut total = StepReport::default();
        for _ in 0..parts {
            total.include(&step(state, h / f64::from(parts), work)?);
        }
        work.counts.divided += 1;
        // One sum, whatever the parts rounded to.
        (state.time, state.time_rest) = (time, rest);
        state.advance_time(h);
        total.size = h;
        Ok(total)
    })
}

// Division.

/// Parts that a step may be taken in, at most.
const MOST_PARTS: u32 = 1024;

/// Joints that open by this much, relative to the lengths that form the gap, were not meant to be closed by a correction.
const TOO_FAR: f64 = 0.1;

/// Joints open by no more than this in a step that fits, or nearly so.
const SUSPICIOUS: f64 = 1e-11;

/// The same of k h of a motion that decays; beyond 2.8 it would grow.
const TOO_STIFF: f64 = 2.0;

/// Motions of less than this in a step are nothing [m, rad].
const NEGLIGIBLE_MOTION: f64 = 1e-10;

/// How a step is divided.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Substeps {
    /// Into so many equal parts.
    Equal(u32),
    /// Into two such that a pose is met by a short part, or by none of the stages.
    Around(SingularStage),
}

impl SingularStage {
    /// What of the step comes first. The middle of a whole is neither an end nor a middle of two fifths and three.
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

    /// What a part may still ask for.
    fn allows(self) -> AllowedSubsteps {
        AllowedSubsteps { equal: self.parts() < MOST_PARTS, around: false }
    }
}

/// Which divisions a step may ask for.
#[derive(Copy, Clone, Debug)]
pub(crate) struct AllowedSubsteps {
    equal: bool,
    around: bool,
}

/// What came of a step.
pub(crate) enum StepOutcome {
    /// The state has moved.
    Done(StepReport),
    /// The state has not moved: the step should be taken in parts.
    Undone(Substeps),
}

/// One step of a fixed size, in as few parts as will do. On failure the state is that of the start.
pub(crate) fn divided_step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    // Symplectic steps have one size.
    let fixed = settings.integrator == Integrator::Rattle;
    // Room for the state of the start is made in the first step, and not in the one that needs it; of very many bodies it would be much, and hardly ever used.
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

/// An error of a step from `state`, which says so if a body turns by more than a rule can follow.
///
/// Lengths scaled by s and times by √s are the same motion under gravity: a linkage of a nanometre turns some ten times in a
/// millisecond, and what is left of that after a step is not the mechanism.
#[cold]
pub(crate) fn with_step_advice(
    model: &Model,
    settings: &Settings,
    state: &State,
    (h, mut error): (f64, StepError),
    work: &mut Workspace,
) -> StepError {
    // Beyond this no rule converges; a twentieth of it is a good step.
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
            // What the whole step had to say is nearer to the cause.
            Err(error) => break Err(trouble.unwrap_or(error)),
        }
        state.copy_from(&origin);
    };
    if outcome.is_err() {
        state.copy_from(&origin);
    } else {
        work.counts.divided += u64::from(matches!(substeps, Substeps::Equal(_)));
        // One sum, whatever the parts rounded to.
        (state.time, state.time_rest) = (origin.time, origin.time_rest);
        state.advance_time(h);
    }
    work.stages.substep_origin = Some(origin);
    outcome
}

/// All parts, or as many as go.
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

/// How the step that was just projected should be divided; `None` if it is well as it is.
pub(crate) fn needed_substeps(
    settings: &Settings,
    allowed: AllowedSubsteps,
    (h, drift): (f64, f64),
    singular_stage: Option<SingularStage>,
    work: &Workspace,
) -> Option<Substeps> {
    // Joint coordinates show no gap.
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
    // Nor do they where a law of time says how they change: that is no ringing, however fast.
    let is_driven = !work.kinematics.targets.is_empty() || work.integrator.has_timed_constraints;
    if !allowed.equal || (drift <= SUSPICIOUS && (!carried || is_driven)) {
        return None;
    }
    let mut parts = if drift > TOO_FAR { 2 } else { 1 };
    if settings.integrator == Integrator::Rk4 {
        let turn = fast_turn(&work.stages.stage_acc, &work.equations.acc, h);
        while turn > TOO_FAST && f64::from(parts) < turn && parts < MOST_PARTS {
            parts *= 2;
        }
    }
    (parts > 1).then_some(Substeps::Equal(parts))
}

/// k h of the fastest decay v̇ = −k v that the velocities of the stages of f = m v show: v₂ and v₃ are of the same time, and of poses that differ by
/// (h/2)(v₂ − v₁), so v₃ − v₂ = −(k h/2)(v₂ − v₁).
fn stiffness([first, second, third]: &[Vec<f64>; 3], h: f64) -> f64 {
    let (mut change, mut next) = (0.0, 0.0);
    for ((a, b), c) in first.iter().zip(second).zip(third) {
        change += (b - a) * (b - a);
        next += (c - b) * (c - b);
    }
    let [change, next] = [change, next].map(f64::sqrt);
    if next * h < NEGLIGIBLE_MOTION { 0.0 } else { 2.0 * next / change }
}

/// ω h of the fastest motion, if that is most of what the accelerations of the four stages show; else something below 1.4.
fn fast_turn([first, second, third]: &[Vec<f64>; 3], fourth: &[f64], h: f64) -> f64 {
    let (mut size, mut change, mut next, mut last) = (0.0, 0.0, 0.0, 0.0);
    for (((a, b), c), d) in first.iter().zip(second).zip(third).zip(fourth) {
        size += a * a;
        change += (b - a) * (b - a);
        next += (c - b) * (c - b);
        last += (d - c) * (d - c);
    }
    let [size, change, next, last] = [size, change, next, last].map(f64::sqrt);
    // What would move nothing: rounding of a mechanism at rest.
    if larger(next, last) * h * h < NEGLIGIBLE_MOTION {
        return 0.0;
    }
    let (mut turn, before) = (0.0, change + next);
    if size > 0.0 {
        turn = 2.0 * (next / size).sqrt();
    }
    // Changes of what moves slowly are small beside it, and alike in both halves of a step.
    if last > 0.25 * size && last > 1.5 * before && before > 0.0 {
        turn = larger(turn, (2.0 + 2.0 * last / before).sqrt());
    }
    turn
}
