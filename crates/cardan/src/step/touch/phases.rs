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

use super::impact::approaches;
use super::{Event, Held, Key, Touch, What};
use crate::model::Model;
use crate::state::State;
use crate::step::multipliers::accelerations;
use crate::step::{Settings, Stage, StepError, StepReport, Workspace, refresh_motions};

/// A condition as close as this touches, if it does not move away [m, rad].
const TOUCHING: f64 = 1e-9;
/// What is reached is found this close, beside the size of what formed it.
const REACHED: f64 = 16.0 * f64::EPSILON;
/// g below this many roundings of what formed it is negative.
const NEGATIVE: f64 = 8.0 * f64::EPSILON;
/// An acceleration of this part of what formed it opens.
const OPENS: f64 = 1e-12;
/// Events in a step after which nothing rebounds any more.
const MOST_EVENTS: u32 = 500;
/// And after which it is given up.
const TOO_MANY: u32 = 4000;
/// Trials to find one event.
const MOST_TRIALS: u32 = 90;

/// One condition at the end of a trial.
#[derive(Copy, Clone, Debug)]
struct Watch {
    /// What must not be negative.
    value: f64,
    /// Its rate, where that is known.
    rate: Option<f64>,
    /// Below minus this it is negative.
    noise: f64,
    /// Up to this it counts as reached.
    reached: f64,
}

/// Scratch of the events of a step.
#[derive(Debug, Default)]
pub(crate) struct Phases {
    /// The start of the step, of the phase, and the two ends of the search.
    origin: State,
    start: State,
    low: State,
    high: State,
    at_low: Vec<Watch>,
    at_high: Vec<Watch>,
    at_trial: Vec<Watch>,
    /// Conditions that must press, since without that no time passes.
    forced: Vec<Key>,
    /// What happened, since it was last asked.
    pub(crate) log: Vec<Event>,
}

/// The integrator without events.
pub(in crate::step) type Inner =
    fn(&Model, &Settings, &mut State, f64, &mut Workspace) -> Result<StepReport, StepError>;

/// Advances `state` by `h`, through whatever happens on the way. On failure the state is that of the start.
pub(in crate::step) fn step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
    inner: Inner,
) -> Result<StepReport, StepError> {
    let mut phases = work.phases.take().unwrap_or_default();
    phases.origin.clone_from(state);
    let logged = phases.log.len();
    let outcome = phases.run(model, settings, state, h, work, inner);
    if outcome.is_err() {
        state.copy_from(&phases.origin);
        phases.log.truncate(logged);
    }
    work.phases = Some(phases);
    outcome
}

/// Which conditions press at a state, for an evaluation there.
pub(in crate::step) fn choose(model: &Model, state: &State, work: &mut Workspace) {
    let Some(mut touch) = work.touch.take() else { return };
    refresh_motions(model, state, work);
    touch.observe(model, state, work);
    touch.set.clear();
    for (i, row) in touch.all.rows.iter().enumerate() {
        if row.gap <= TOUCHING && rests(row.rate, row.rate_scale) {
            touch.set.push(Key(i as u32));
        }
    }
    touch.lambda.clear();
    touch.sheet.rows.clear();
    work.touch = Some(touch);
}

/// Whether a touching condition does not open: rates up to rounding.
fn rests(rate: f64, scale: f64) -> bool {
    !approaches(-rate, scale) || rate < 0.0
}

impl Touch {
    /// Rows of all conditions at the motions of `work`.
    fn observe(&mut self, model: &Model, state: &State, work: &Workspace) {
        let all = (0..model.inequalities.len()).map(|i| Key(i as u32));
        self.all.write(model, state, &work.motions, all);
    }
}

impl Phases {
    fn run(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &mut State,
        h: f64,
        work: &mut Workspace,
        inner: Inner,
    ) -> Result<StepReport, StepError> {
        let mut total = StepReport::default();
        let mut left = h;
        self.forced.clear();
        for events in 0..TOO_MANY {
            self.begin(model, settings, state, work, events >= MOST_EVENTS)?;
            self.start.clone_from(state);
            let report = inner(model, settings, state, left, work)?;
            self.watch(model, settings, state, work)?;
            std::mem::swap(&mut self.at_trial, &mut self.at_high);
            if !is_negative(&self.at_high) {
                total.include(&report);
                (state.time, state.time_rest) = (self.origin.time, self.origin.time_rest);
                state.advance_time(h);
                total.size = h;
                return Ok(total);
            }
            self.high.clone_from(state);
            let (passed, report) = self.locate(model, settings, (state, work), (left, report), inner)?;
            total.include(&report);
            left -= passed;
        }
        Err(StepError::TooManyEvents { time: state.time, events: TOO_MANY })
    }

    /// Answers blows, and decides what may press in the phase that begins.
    fn begin(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &mut State,
        work: &mut Workspace,
        is_calm: bool,
    ) -> Result<(), StepError> {
        refresh_motions(model, state, work);
        let Some(mut touch) = work.touch.take() else { return Ok(()) };
        touch.set.clear();
        touch.observe(model, state, work);
        let mut reached: Vec<Key> = Vec::new();
        let mut is_blow = false;
        for (i, row) in touch.all.rows.iter().enumerate() {
            let key = Key(i as u32);
            let coming = approaches(row.rate, row.rate_scale);
            // At speed a condition is reached where it is found to be; at rest it may be a little way off.
            let is_slow = -row.rate <= settings.rest_speed;
            let near = if coming && !is_slow { 2.0 * REACHED * (row.scale + work.length) } else { TOUCHING };
            if row.gap <= near || self.forced.contains(&key) {
                reached.push(key);
                is_blow |= coming;
            }
        }
        if is_blow {
            work.touch = Some(touch);
            work.stage.copy_from(state);
            accelerations(model, settings, work, Stage::First)?;
            touch = work.touch.take().unwrap_or_default();
            touch.strike(model, settings, (state, work), &reached, is_calm, &mut self.log)?;
            refresh_motions(model, state, work);
            touch.observe(model, state, work);
        }
        for &key in &reached {
            let row = &touch.all.rows[key.0 as usize];
            if rests(row.rate, row.rate_scale) || self.forced.contains(&key) {
                touch.set.push(key);
            }
        }
        work.touch = Some(touch);
        self.release(model, settings, state, work)
    }

    /// Of what may press, keeps what does not open by itself; notes what changed.
    fn release(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &mut State,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        let is_any = work.touch.as_ref().is_some_and(|touch| !touch.set.is_empty());
        if is_any {
            work.stage.copy_from(state);
            accelerations(model, settings, work, Stage::First)?;
        }
        let Some(touch) = &mut work.touch else { return Ok(()) };
        let mut kept = 0;
        for i in 0..touch.set.len() {
            let opens = touch.lambda[i] == 0.0 && touch.acc[i] > OPENS * touch.solver.sizes()[i];
            if !opens || self.forced.contains(&touch.set[i]) {
                touch.set[kept] = touch.set[i];
                kept += 1;
            }
        }
        touch.set.truncate(kept);
        touch.lambda.clear();
        let time = state.time;
        let mut note = |key: Key, what: What| {
            self.log.push(Event { time, inequality: key.0 as usize, what, speed: 0.0, impulse: 0.0 });
        };
        for held in state.held.iter().filter(|held| !touch.set.contains(&held.key)) {
            note(held.key, What::Released);
        }
        for key in touch.set.iter().filter(|key| !state.held.iter().any(|held| held.key == **key)) {
            note(*key, What::Activated);
        }
        state.held.clear();
        state.held.extend(touch.set.iter().map(|key| Held { key: *key }));
        Ok(())
    }

    /// Looks at every condition at a state.
    fn watch(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &State,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        let presses = work.touch.as_ref().is_some_and(|touch| !touch.set.is_empty());
        if presses {
            work.stage.copy_from(state);
            accelerations(model, settings, work, Stage::First)?;
        } else {
            refresh_motions(model, state, work);
        }
        let Some(mut touch) = work.touch.take() else { return Ok(()) };
        touch.observe(model, state, work);
        self.at_trial.clear();
        for row in &touch.all.rows {
            // Near the origin positions are small, and yet no better known than the mechanism is large.
            let size = row.scale + work.length;
            let (noise, reached) = (NEGATIVE * size, REACHED * size);
            self.at_trial.push(Watch { value: row.gap, rate: Some(row.rate), noise, reached });
        }
        let k = touch.set.len();
        for (i, key) in touch.set.iter().enumerate() {
            let diagonal = touch.problem.matrix[i * k + i];
            let push = if diagonal > 0.0 { touch.acc[i] / diagonal } else { touch.acc[i] };
            let size = if diagonal > 0.0 { touch.solver.sizes()[i] / diagonal } else { 0.0 };
            self.at_trial[key.0 as usize] = Watch {
                value: touch.lambda[i] - push,
                rate: None,
                noise: OPENS * size,
                reached: 0.0,
            };
        }
        work.touch = Some(touch);
        Ok(())
    }

    /// The first event between the start of the phase and its end, where one is known to be. The state is left there; returns the time
    /// that has passed.
    fn locate(
        &mut self,
        model: &Model,
        settings: &Settings,
        (state, work): (&mut State, &mut Workspace),
        (left, report): (f64, StepReport),
        inner: Inner,
    ) -> Result<(f64, StepReport), StepError> {
        let (mut low, mut high) = (0.0, left);
        let (mut low_report, mut high_report) = (StepReport::default(), report);
        self.low.clone_from(&self.start);
        state.copy_from(&self.start);
        self.watch(model, settings, state, work)?;
        std::mem::swap(&mut self.at_trial, &mut self.at_low);
        // Which end moved last, and how often in a row: the other's value is then halved (Illinois).
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
            let report = inner(model, settings, state, s, work)?;
            self.watch(model, settings, state, work)?;
            let side = if is_negative(&self.at_trial) { -1 } else { 1 };
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
        let meets = |watch: &Watch| watch.rate.is_some() && watch.value < -watch.noise;
        let is_met = self.at_high.iter().any(meets);
        if low <= fine && is_met {
            // What is reached at once, though it seemed to open, has to press.
            let forced = self.at_high.iter().enumerate().filter(|(_, watch)| meets(watch));
            self.forced.extend(forced.map(|(i, _)| Key(i as u32)));
        } else {
            self.forced.clear();
        }
        if is_met {
            state.copy_from(&self.low);
            Ok((low, low_report))
        } else {
            state.copy_from(&self.high);
            Ok((high, high_report))
        }
    }

    /// Whether what is negative at the upper end is as good as zero at the lower one.
    fn is_reached(&self) -> bool {
        let mut pairs = self.at_high.iter().zip(&self.at_low);
        // Right after a blow it is as near, and leaves.
        let comes = |low: &Watch| low.rate.is_some_and(|rate| rate < 0.0) && low.value <= low.reached;
        pairs.any(|(high, low)| high.rate.is_some() && high.value < -high.noise && comes(low))
    }

    /// Where, from 0 to 1, the first of the conditions that are negative at the upper end is expected to vanish.
    fn first_crossing(&self, (weight_low, weight_high): (f64, f64)) -> f64 {
        let mut first = 1.0;
        for (low, high) in self.at_low.iter().zip(&self.at_high) {
            if high.value >= -high.noise {
                continue;
            }
            // Aims at the middle of what counts as reached.
            let aim = 0.5 * low.reached;
            let (from, to) = (weight_low * (low.value - aim), weight_high * (high.value - aim));
            // What leaves first has most of its way before it.
            let leaves = low.rate.is_some_and(|rate| rate > 0.0) && low.value <= low.reached;
            let at = match from > 0.0 {
                _ if leaves => 0.5,
                true => from / (from - to),
                false => 0.0,
            };
            first = if at < first { at } else { first };
        }
        first
    }
}

fn is_negative(watches: &[Watch]) -> bool {
    watches.iter().any(|watch| watch.value < -watch.noise || watch.value.is_nan())
}
