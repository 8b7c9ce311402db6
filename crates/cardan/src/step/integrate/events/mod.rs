//! Phases: a step is cut where a condition is reached or let go.
//!
//! Between two events the same conditions may press, and the integrator sees a smooth problem. After a trial of all that is left of the step each
//! condition is looked at:
//!
//! ```text
//! one that does not press   g ≥ 0
//! one that presses          λ − a / A_ii ≥ 0     λ while it is held, minus the acceleration with which it opens afterwards
//! ```
//!
//! If one is negative, the first time at which that happens is found by stepping again from the start of the phase (the integrator itself is
//! its own dense output), and the step is rewound to it: a condition that is reached, to the side where it still holds; one that lets go, to where it
//! has. There blows are answered and it is decided anew what presses.

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

/// And after which a part of the step is taken with impulses, and again after as many.
const BUSY: u32 = 60;
/// And after which it is given up.
const TOO_MANY: u32 = 4000;
/// Parts that a step may be cut into where something fast is near something thin.
const MOST_CUTS: u32 = 100_000;
/// The part of a step that is taken with impulses where forces have no answer.
const PART: f64 = 0.125;

/// Scratch of the events of a step.
#[derive(Debug, Default)]
pub(crate) struct EventLocator {
    /// The start of the step, of the phase, and the two ends of the search.
    origin: State,
    start: State,
    low: State,
    high: State,
    at_low: EventValues,
    at_high: EventValues,
    at_trial: EventValues,
    /// Conditions that must press, since without that no time passes.
    forced: Vec<ContactKey>,
    /// The length of the step, and of what of it may be taken at once where forces change fast \[s\].
    whole: f64,
    part: f64,
    /// How often a part of it was taken again.
    tries: u32,
    /// What happened, since it was last asked.
    pub(crate) log: Vec<Event>,
}

/// A step of an integrator without events.
type StepFn = fn(&Model, &Settings, &mut State, f64, &mut Workspace) -> Result<StepReport, StepError>;

/// The integrator without events, and the one to take where there is friction: that is too sharp for an error that decides about the size of steps.
#[derive(Copy, Clone)]
pub(crate) struct SmoothStep {
    pub(crate) step: StepFn,
    pub(crate) with_friction: StepFn,
}

/// Advances `state` by `h`, through whatever happens on the way. On failure the state is that of the start.
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
    let mut events = work.events.take().unwrap_or_default();
    events.origin.clone_from(state);
    let logged = events.log.len();
    let outcome = events.run(model, settings, state, h, work, smooth_step);
    if outcome.is_err() {
        state.copy_from(&events.origin);
        events.log.truncate(logged);
    }
    work.events = Some(events);
    outcome
}

/// Errors that forces have and impulses may not have.
fn has_no_forces(error: &StepError) -> bool {
    matches!(error, StepError::FrictionParadox { .. } | StepError::Complementarity { .. })
}

impl EventLocator {
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
        while events < TOO_MANY && cuts < MOST_CUTS {
            self.start.clone_from(state);
            let chatter_policy = ChatterPolicy::after(events);
            // Where events come without end, a part of the step is taken through them.
            let is_stuck = events % BUSY == BUSY - 1;
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
                trouble => {
                    // No forces will do; impulses may.
                    state.copy_from(&self.start);
                    let part = if left < PART * h { left } else { PART * h };
                    if let Some(Err(error)) = trouble {
                        self.note_paradox(&error, state, work);
                    }
                    let report = time_stepping::step(model, settings, state, part, work)?;
                    if let Some(own) = &mut work.events {
                        self.log.append(&mut own.log);
                    }
                    total.include(&report);
                    left -= part;
                }
            }
            if left <= 4.0 * f64::EPSILON * h {
                (state.time, state.time_rest) = (self.origin.time, self.origin.time_rest);
                state.advance_time(h);
                total.size = h;
                return Ok(total);
            }
        }
        Err(StepError::TooManyEvents { time: state.time, events: events + cuts })
    }

    /// What slides where forces have no answer goes into the log.
    fn note_paradox(&mut self, error: &StepError, state: &State, work: &Workspace) {
        let (StepError::FrictionParadox { .. }, Some(contacts)) = (error, &work.contacts) else { return };
        let slides = |item: &&ContactEntry| matches!(item.mode, FrictionMode::Slip(_));
        if let Some(item) = contacts.set.iter().find(slides) {
            let (time, subject, what) = (state.time, item.key.subject(), EventKind::Paradox);
            self.log.push(Event { time, subject, what, speed: 0.0, impulse: 0.0 });
        }
    }
}
