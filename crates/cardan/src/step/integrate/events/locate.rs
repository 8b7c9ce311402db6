//! Event location: bracketing and root finding of the first event in a trial step.
//!
//! A bracket [low, high] has no negative event function at `low` and at least one at `high`. It is
//! narrowed by regula falsi with Illinois weights, every sixth time by bisection. Each trial is a
//! step of the integrator from the start of the phase.
//!
//! A contact may be passed and left again within one trial. The cubic Hermite interpolant of gap
//! and gap rate at both ends shows where to look for its penetration.

use crate::model::Model;
use crate::settings::Settings;
use crate::state::State;
use crate::step::integrate::events::functions::{EventFunction, EventValue};
use crate::step::integrate::events::{EventLocator, StepFn};
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;

/// Number of contacts that are searched for a penetration within the trial.
const MOST_MISSES: usize = 4;
/// Largest number of trials to locate one event.
const MOST_TRIALS: u32 = 90;

impl EventLocator {
    /// Steps from the start of the phase to the first event within `left`, or to its end. Returns
    /// the time that has passed \[s\], and whether there was an event.
    pub(super) fn trial(
        &mut self,
        model: &Model,
        settings: &Settings,
        (state, work): (&mut State, &mut Workspace),
        left: f64,
        smooth_step: StepFn,
    ) -> Result<(f64, StepReport, bool), StepError> {
        let mut report = smooth_step(model, settings, state, left, work)?;
        self.evaluate_events(model, settings, state, work)?;
        std::mem::swap(&mut self.at_trial, &mut self.at_high);
        self.high.clone_from(state);
        let mut end = left;
        report.overlap = self.at_high.overlap;
        if !self.at_high.any_negative() {
            match self.near_miss(model, settings, (state, work), left, smooth_step)? {
                Some(found) => (end, report) = found,
                None => return Ok((left, report, false)),
            }
        }
        let (passed, report) = self.locate(model, settings, (state, work), (end, report), smooth_step)?;
        Ok((passed, report, true))
    }

    /// Searches for a contact that was passed and left again within a trial without a negative
    /// event function at its end. Returns a time at which it penetrates, which becomes the upper
    /// end of the bracket. Candidates are contacts that separate so fast that they may have come
    /// from the other side.
    fn near_miss(
        &mut self,
        model: &Model,
        settings: &Settings,
        (state, work): (&mut State, &mut Workspace),
        left: f64,
        smooth_step: StepFn,
    ) -> Result<Option<(f64, StepReport)>, StepError> {
        let leaves = |event_value: &&EventValue| {
            event_value.function == EventFunction::Gap
                && event_value.rate > 0.0
                && event_value.value < event_value.rate * left
        };
        let leaving: Vec<EventValue> = self.at_high.event_values.iter().filter(leaves).copied().collect();
        if leaving.is_empty() {
            return Ok(None);
        }
        state.copy_from(&self.start);
        self.evaluate_events(model, settings, state, work)?;
        std::mem::swap(&mut self.at_trial, &mut self.at_low);
        for high in leaving.into_iter().take(MOST_MISSES) {
            let mut at = match self.low_of(&high) {
                Some(low) if low.rate >= 0.0 || low.value <= 0.0 => continue,
                Some(low) => {
                    let (at, least) = lowest([low.value, high.value], [left * low.rate, left * high.rate]);
                    // The cubic is an approximation: a minimum slightly above zero may be below it.
                    if least > 0.01 * left * (high.rate - low.rate) {
                        continue;
                    }
                    at
                }
                // Another feature pair was nearest then: extrapolate this one backwards.
                None => 1.0 - high.value / (left * high.rate),
            };
            let (mut after, mut rate) = (1.0, high.rate);
            for _ in 0..2 {
                if !(at > 0.0 && at < 1.0) {
                    break;
                }
                state.copy_from(&self.start);
                let report = smooth_step(model, settings, state, at * left, work)?;
                self.evaluate_events(model, settings, state, work)?;
                if self.at_trial.any_negative() {
                    std::mem::swap(&mut self.at_trial, &mut self.at_high);
                    self.high.clone_from(state);
                    return Ok(Some((at * left, report)));
                }
                // Secant step to where the rate of this gap vanishes.
                let same =
                    self.at_trial.event_values.iter().find(|event_value| event_value.name() == high.name());
                let Some(now) = same.filter(|now| now.rate > 0.0 && now.rate < rate) else { break };
                let before = at - now.rate * (after - at) / (rate - now.rate);
                (after, rate, at) = (at, now.rate, before);
            }
        }
        state.copy_from(&self.high);
        Ok(None)
    }

    /// Locates the first event between the start of the phase and its end, where one is known to
    /// exist. Leaves the state there and returns the time that has passed \[s\].
    fn locate(
        &mut self,
        model: &Model,
        settings: &Settings,
        (state, work): (&mut State, &mut Workspace),
        (left, report): (f64, StepReport),
        smooth_step: StepFn,
    ) -> Result<(f64, StepReport), StepError> {
        let (mut low, mut high) = (0.0, left);
        let (mut low_report, mut high_report) = (StepReport::default(), report);
        self.low.clone_from(&self.start);
        state.copy_from(&self.start);
        self.evaluate_events(model, settings, state, work)?;
        std::mem::swap(&mut self.at_trial, &mut self.at_low);
        // Which end moved last, and how often in a row: the value at the other end is halved
        // (Illinois).
        let (mut last, mut repeats) = (0, 0);
        let fine = 4.0 * f64::EPSILON * (self.start.time.abs() + left) + 1e-14 * left;
        for trial in 0..MOST_TRIALS {
            let width = high - low;
            if width <= fine || self.is_reached() {
                break;
            }
            let mut s = low + 0.5 * width;
            if trial % 6 != 5 {
                let weights = match last {
                    1 => (1.0, libm::ldexp(1.0, -repeats)),
                    -1 => (libm::ldexp(1.0, -repeats), 1.0),
                    _ => (1.0, 1.0),
                };
                s = low + width * self.first_crossing(weights);
                let margin = 1e-3 * width;
                s = if s < low + margin { low + margin } else { s };
                s = if s > high - margin { high - margin } else { s };
            }
            state.copy_from(&self.start);
            let report = smooth_step(model, settings, state, s, work)?;
            self.evaluate_events(model, settings, state, work)?;
            let side = if self.at_trial.any_negative() { -1 } else { 1 };
            repeats = if side == last { repeats + 1 } else { 0 };
            last = side;
            if side < 0 {
                high = s;
                high_report = report;
                self.high.clone_from(state);
                std::mem::swap(&mut self.at_trial, &mut self.at_high);
            } else {
                low = s;
                low_report = report;
                self.low.clone_from(state);
                std::mem::swap(&mut self.at_trial, &mut self.at_low);
            }
        }
        let meets = |event_value: &&EventValue| {
            event_value.function == EventFunction::Gap && event_value.is_negative()
        };
        let is_met = self.at_high.event_values.iter().any(|event_value| meets(&event_value));
        let forced = &mut self.forced;
        if low <= fine && is_met {
            // A constraint that is reached at once, though it seemed to open, is forced into the
            // active set.
            forced.extend(self.at_high.event_values.iter().filter(meets).map(|event_value| event_value.key));
        } else {
            forced.clear();
        }
        if is_met {
            state.copy_from(&self.low);
            low_report.overlap = self.at_low.overlap;
            Ok((low, low_report))
        } else {
            state.copy_from(&self.high);
            high_report.overlap = self.at_high.overlap;
            Ok((high, high_report))
        }
    }

    /// This event function at the lower end of the bracket.
    fn low_of(&self, event_value: &EventValue) -> Option<&EventValue> {
        let event_values = &self.at_low.event_values;
        event_values
            .binary_search_by_key(&event_value.name(), EventValue::name)
            .ok()
            .map(|i| &event_values[i])
    }

    /// Whether a gap that is negative at the upper end is zero up to rounding at the lower one.
    fn is_reached(&self) -> bool {
        // Right after an impact the gap is as small, but grows.
        let comes = |low: &EventValue| low.rate < 0.0 && low.value <= low.reached;
        let mut gaps =
            self.at_high.event_values.iter().filter(|event_value| {
                event_value.function == EventFunction::Gap && event_value.is_negative()
            });
        gaps.any(|event_value| self.low_of(event_value).is_some_and(comes))
    }

    /// Fraction of the bracket, from 0 to 1, at which the first negative event function is expected
    /// to vanish.
    fn first_crossing(&self, (weight_low, weight_high): (f64, f64)) -> f64 {
        let mut first = 1.0;
        for high in self.at_high.event_values.iter().filter(|event_value| event_value.is_negative()) {
            let at = match self.low_of(high) {
                Some(low) if high.function != EventFunction::Presence => {
                    // The target is the middle of the interval that counts as reached.
                    let target = 0.5 * low.reached;
                    let (from, to) = (weight_low * (low.value - target), weight_high * (high.value - target));
                    // A gap that grows first comes back late in the bracket.
                    let leaves = low.rate > 0.0 && low.value <= low.reached;
                    match from > 0.0 {
                        _ if leaves => 0.5,
                        true => from / (from - to),
                        false => 0.0,
                    }
                }
                _ => 0.5,
            };
            first = if at < first { at } else { first };
        }
        first
    }
}

/// Position, from 0 to 1, and value of the minimum of the cubic with these values and slopes at its
/// ends.
fn lowest([from, to]: [f64; 2], [start, end]: [f64; 2]) -> (f64, f64) {
    // Coefficients of x³ and x²; those of x and 1 are `start` and `from`.
    let cube = 2.0 * (from - to) + start + end;
    let square = 3.0 * (to - from) - 2.0 * start - end;
    let value = |x: f64| ((cube * x + square) * x + start) * x + from;
    let root = square * square - 3.0 * cube * start;
    // The larger root of 3 cube x² + 2 square x + start, where the slope rises; without
    // cancellation.
    let at = if root < 0.0 {
        0.5
    } else if square > 0.0 {
        -start / (square + root.sqrt())
    } else {
        (root.sqrt() - square) / (3.0 * cube)
    };
    let at = if at > 0.0 && at < 1.0 { at } else { 0.5 };
    (at, value(at))
}
