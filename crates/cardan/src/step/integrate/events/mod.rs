//! Event-driven integration of unilateral constraints: event location and rewind.
//!
//! Between two events the set of active constraints is fixed, so the integrator sees a smooth
//! problem. Such an interval is called a phase. After a trial step over the rest of the step the
//! event functions are evaluated; all of them must stay nonnegative:
//!
//! ```text
//! inactive constraint   g ≥ 0
//! active constraint     λ − a / A_ii ≥ 0
//! ```
//!
//! g: gap; λ: multiplier while the constraint is active, otherwise zero; a: relative acceleration
//! with which it opens; A_ii: diagonal of the Delassus matrix. Friction, rolling and spinning have
//! event functions of their own (`functions.rs`).
//!
//! If one is negative, its first zero is located by stepping again from the start of the phase (the
//! integrator is its own dense output), and the step is rewound to that time: to just before it for
//! a constraint that is reached, to just after it for one that is released. Impacts are resolved
//! there and the active set is chosen again. Rewinding to the first activation: GRAPP 2007, §3.
//!
//! | file | what is in it |
//! |---|---|
//! | `phase.rs` | one phase: impacts, active set, trial step, energy check, log |
//! | `active_set.rs` | choice of the active set at a state |
//! | `functions.rs` | event functions at a state |
//! | `locate.rs` | bracketing and root finding of the first event |
//! | `chatter.rs` | what changes after many events in one step |

mod active_set;
mod chatter;
mod functions;
mod locate;
mod phase;

pub(crate) use active_set::choose;

use crate::model::Model;
use crate::settings::Settings;
use crate::state::State;
use crate::step::contact::{ContactEntry, ContactKey, Event, EventKind, FrictionMode};
use crate::step::integrate::events::chatter::ChatterPolicy;
use crate::step::integrate::events::functions::EventValues;
use crate::step::integrate::events::phase::PhaseResult;
use crate::step::integrate::{study, time_stepping};
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;
use crate::tolerances::NO_TIME;

/// Events in one step after which a part of it is taken by time stepping; repeated after as many
/// more.
const TIME_STEP_AFTER: u32 = 60;
/// Events in one step after which the step fails.
const TOO_MANY: u32 = 4000;
/// Cuts of one step after which the rest of it is handed over to time stepping, where that is allowed: after
/// [`TIME_STEP_AFTER`] events, too.
const HAND_OVER_AFTER: u32 = 1000;
/// Largest number of cuts of one step by continuous collision detection or by the energy check.
const MOST_CUTS: u32 = 100_000;
/// Fraction of the step that is taken by time stepping where no contact forces exist.
const TIME_STEPPED_PART: f64 = 0.125;

/// Scratch of event location, and the event log.
#[derive(Debug, Default)]
pub(crate) struct EventLocator {
    /// States at the start of the step, at the start of the phase, and at both ends of the bracket.
    origin: State,
    start: State,
    low: State,
    high: State,
    /// Event functions at both ends of the bracket, and at the last trial.
    at_low: EventValues,
    at_high: EventValues,
    at_trial: EventValues,
    /// Constraints that are forced into the active set, since otherwise no time would pass.
    forced: Vec<ContactKey>,
    /// Length of the step, and of the longest phase allowed where forces change fast \[s\].
    whole: f64,
    part: f64,
    /// Number of phases that were repeated with a shorter length.
    tries: u32,
    /// Events since the log was last read.
    pub(crate) log: Vec<Event>,
}

/// One step of an integrator without event location.
type StepFn = fn(&Model, &Settings, &mut State, f64, &mut Workspace) -> Result<StepReport, StepError>;

/// The integrator without event location, and the one used where a contact has friction: friction
/// changes too abruptly for a step-size controller that follows an error estimate.
#[derive(Copy, Clone)]
pub(crate) struct SmoothStep {
    pub(crate) step: StepFn,
    pub(crate) with_friction: StepFn,
}

/// Advances `state` by `h` \[s\] through all events. On failure the state is that of the start.
pub(crate) fn step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
    smooth_step: SmoothStep,
) -> Result<StepReport, StepError> {
    if let Some(how) = settings.inequality_study {
        return study::step(model, settings, how, (state, work), h, smooth_step);
    }
    crate::step::contact::study::end(work);
    let mut events = work.contact.events.take().unwrap_or_default();
    events.origin.clone_from(state);
    let logged = events.log.len();
    let outcome = events.run(model, settings, state, h, work, smooth_step);
    if outcome.is_err() {
        state.copy_from(&events.origin);
        events.log.truncate(logged);
    }
    work.contact.events = Some(events);
    outcome
}

/// Whether the problem has no solution in forces, but may have one in impulses.
fn has_no_forces(error: &StepError) -> bool {
    matches!(error, StepError::FrictionParadox { .. } | StepError::Complementarity { .. })
}

impl EventLocator {
    /// Runs phase by phase to the end of the step.
    fn run(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &mut State,
        h: f64,
        work: &mut Workspace,
        smooth_step: SmoothStep,
    ) -> Result<StepReport, StepError> {
        let mut total = StepReport::default();
        let mut left = h;
        (self.whole, self.part, self.tries) = (h, f64::INFINITY, 0);
        self.forced.clear();
        let (mut events, mut cuts) = (0, 0);
        let may_hand_over = settings.is_chosen() && settings.can_take_impulses(model);
        while events < TOO_MANY && cuts < MOST_CUTS {
            self.start.clone_from(state);
            let chatter_policy = ChatterPolicy::after(events);
            // Where events accumulate, a part of the step is taken by time stepping, or all that is left.
            let hands_over = may_hand_over && (events >= TIME_STEP_AFTER - 1 || cuts >= HAND_OVER_AFTER);
            let is_stuck = hands_over || events % TIME_STEP_AFTER == TIME_STEP_AFTER - 1;
            let outcome = match is_stuck {
                true => None,
                false => {
                    Some(self.run_phase(model, settings, (state, work), (left, chatter_policy), smooth_step))
                }
            };
            let is_cut = matches!(outcome, Some(Ok(Some(PhaseResult { is_cut: true, .. }))));
            *(if is_cut { &mut cuts } else { &mut events }) += 1;
            match outcome {
                Some(Ok(Some(PhaseResult { passed, report, .. }))) => {
                    total.include(&report);
                    left -= passed;
                }
                Some(Err(error)) if !has_no_forces(&error) => return Err(error),
                failure => {
                    // There is no solution in forces; there may be one in impulses.
                    state.copy_from(&self.start);
                    let part =
                        if hands_over || left < TIME_STEPPED_PART * h { left } else { TIME_STEPPED_PART * h };
                    if let Some(Err(error)) = failure {
                        self.log_paradox(model, &error, state, work);
                    }
                    let report = time_stepping::step(model, settings, state, part, work)?;
                    work.counts.handed_over += u64::from(hands_over);
                    if let Some(own) = &mut work.contact.events {
                        self.log.append(&mut own.log);
                    }
                    total.include(&report);
                    left -= part;
                }
            }
            if left <= NO_TIME * h {
                (state.time, state.time_remainder) = (self.origin.time, self.origin.time_remainder);
                state.advance_time(h);
                total.size = h;
                return Ok(total);
            }
        }
        Err(StepError::TooManyEvents { time: state.time, events: events + cuts })
    }

    /// Logs the sliding contact for which no force exists (Painlevé's paradox).
    fn log_paradox(&mut self, model: &Model, error: &StepError, state: &State, work: &Workspace) {
        let (StepError::FrictionParadox { .. }, Some(contacts)) = (error, &work.contact.contacts) else {
            return;
        };
        let slides = |item: &&ContactEntry| matches!(item.mode, FrictionMode::Slip(_));
        if let Some(item) = contacts.set.iter().find(slides) {
            let (time, subject, kind) = (state.time, item.key.subject(model), EventKind::Paradox);
            self.log.push(Event { time, subject, kind, speed: 0.0, impulse: 0.0 });
        }
    }
}
