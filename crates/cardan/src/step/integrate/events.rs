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

use crate::math::Vec3;
use crate::measure::{Energy, measure_energy, measure_with_magnitudes};
use crate::model::Model;
use crate::settings::{Integrator, Settings};
use crate::state::State;
use crate::step::contact::impact::approaches;
use crate::step::contact::overlap::{Overlap, OverlapFound};
use crate::step::contact::rows::slides_to;
use crate::step::contact::{
    ActiveContact, ContactEntry, ContactKey, ContactSet, Event, EventKind, FrictionMode, OVERLAPS,
    RollingMode, TOUCHING,
};
use crate::step::dynamics::kinematics::refresh_motions;
use crate::step::evaluate::accelerations;
use crate::step::integrate::{study, time_stepping};
use crate::step::report::StepReport;
use crate::step::workspace::{Evaluation, MotionLaw, Workspace};
use crate::step_error::{Stage, StepError};

/// What is reached is found this close, beside the size of what formed it.
const REACHED: f64 = 16.0 * f64::EPSILON;
/// g below this many roundings of what formed it is negative.
const NEGATIVE: f64 = 8.0 * f64::EPSILON;
/// An acceleration of this part of what formed it opens, or slides.
const OPENS: f64 = 1e-12;
/// What slides slower than this, beside the speeds that form it, may come to rest [m/s].
const SLOW: f64 = 1e-9;
/// Contacts are looked for up to this part of the size of the mechanism.
const NEAR: f64 = 0.05;
/// Events in a step after which nothing rebounds any more.
const MOST_EVENTS: u32 = 500;
/// And after which a part of the step is taken with impulses, and again after as many.
const BUSY: u32 = 60;
/// And after which it is given up.
const TOO_MANY: u32 = 4000;
/// Events in a step after which what opens no faster than `rest_speed` is not taken to open, and after twice and thrice as many ten and a hundred times that: two
/// corners that lift each other by turns have no end.
const CHATTER: u32 = 16;
/// Parts that a step may be cut into where something fast is near something thin.
const MOST_CUTS: u32 = 100_000;
/// Near misses that are looked into.
const MOST_MISSES: usize = 4;
/// What a phase may be off by in its energy, beside the energies that move in it. What fits is off by a thousandth of that; two bars that turn past each other's
/// direction while they touch, where they meet runs along them in no time, by all of it.
const BALANCED: f64 = 1e-5;
/// The shortest part of a step that is tried to have the energy right.
const SHORTEST: f64 = 1e-4;
/// How often parts of a step are taken again for that.
const MOST_TRIES: u32 = 200;
/// The part of a step that is taken with impulses where forces have no answer.
const PART: f64 = 0.125;
/// Trials to find one event.
const MOST_TRIALS: u32 = 90;

/// What of a condition is looked at.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum EventFunction {
    /// g: it is not to be passed.
    Gap,
    /// λ less what it opens with: it lets go.
    Force,
    /// Room in the cone less what it slides off with.
    Stick,
    /// The speed along where it slid: it comes to rest, or turns.
    Slip,
    /// Room for the moment that resists rolling, less what it begins to roll with; and the speed at which it rolls.
    Roll,
    /// The same of spinning.
    Spin,
    /// It is no longer there: it slid past an edge.
    Presence,
}

/// One aspect of one condition at the end of a trial.
#[derive(Copy, Clone, Debug)]
struct EventValue {
    key: ContactKey,
    function: EventFunction,
    /// What must not be negative.
    value: f64,
    /// Its rate, of a gap.
    rate: f64,
    /// Below minus this it is negative.
    noise: f64,
    /// Up to this it counts as reached.
    reached: f64,
}

impl EventValue {
    fn is_negative(&self) -> bool {
        self.value < -self.noise || self.value.is_nan()
    }
    fn name(&self) -> (ContactKey, EventFunction) {
        (self.key, self.function)
    }
}

/// Every aspect of every condition at one state.
#[derive(Debug, Default)]
struct EventValues {
    /// In order.
    event_values: Vec<EventValue>,
    /// How far the deepest condition is passed, pressing ones among them; zero if none is.
    overlap: f64,
}

impl EventValues {
    fn any_negative(&self) -> bool {
        self.event_values.iter().any(EventValue::is_negative)
    }
}

/// How events are taken after many of them in one step.
#[derive(Copy, Clone, Debug, PartialEq)]
struct ChatterPolicy {
    /// What touches and opens slower than this many times `rest_speed` does not open.
    opens: f64,
    /// Nothing rebounds.
    is_calm: bool,
}

impl ChatterPolicy {
    fn after(events: u32) -> Self {
        let opens = match events / CHATTER {
            0 => 0.0,
            1 => 1.0,
            2 => 10.0,
            _ => 100.0,
        };
        ChatterPolicy { opens, is_calm: events >= MOST_EVENTS }
    }
}

/// What came of a phase.
struct PhaseResult {
    /// How much time has passed.
    passed: f64,
    report: StepReport,
    /// Whether it ended for no event, but since something fast is near something, or forces change fast.
    is_cut: bool,
}

/// Where, from 0 to 1, and how low the cubic with these values and slopes at its ends is lowest between them.
fn lowest([from, to]: [f64; 2], [start, end]: [f64; 2]) -> (f64, f64) {
    // Its coefficients, with the slope at the start and the first value.
    let cube = 2.0 * (from - to) + start + end;
    let square = 3.0 * (to - from) - 2.0 * start - end;
    let value = |x: f64| ((cube * x + square) * x + start) * x + from;
    let root = square * square - 3.0 * cube * start;
    // The larger root of 3 cube x² + 2 square x + start, at which the slope rises, without cancellation.
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

/// Which conditions press at a state, for an evaluation there.
pub(crate) fn choose(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    law: MotionLaw,
) -> Result<(), StepError> {
    if let Some(how) = settings.inequality_study {
        return study::choose(model, settings, how, state, work, law);
    }
    crate::step::contact::study::end(work);
    let Some(mut contacts) = work.contacts.take() else { return Ok(()) };
    refresh_motions(model, state, work);
    let steps = matches!(settings.integrator, Integrator::TimeStepping | Integrator::FirstOrder);
    contacts.has_prescribed_forces = steps && !state.held.is_empty();
    if contacts.has_prescribed_forces {
        contacts.recall(model, state, work);
        work.contacts = Some(contacts);
        return Ok(());
    }
    contacts.observe(model, state, &work.motions, 10.0 * TOUCHING);
    let ContactSet { all, all_rows, .. } = &*contacts;
    let rests = |item: &&ContactEntry| {
        if item.is_joint_friction() {
            return true;
        }
        let row = &all_rows.rows[item.row];
        row.gap <= TOUCHING && rests(row.rate, row.rate_scale)
    };
    let set: Vec<ContactEntry> = all.iter().filter(rests).copied().collect();
    contacts.set = set;
    contacts.choose_modes(model, state, work, 0.0);
    work.contacts = Some(contacts);
    settle_active_set(model, settings, state, work, (&[], law))
}

/// How a joint coordinate slides.
fn slip_direction(rate: f64) -> FrictionMode {
    FrictionMode::Slip(Vec3::new(if rate < 0.0 { -1.0 } else { 1.0 }, 0.0, 0.0))
}

/// Errors that forces have and impulses may not have.
fn has_no_forces(error: &StepError) -> bool {
    matches!(error, StepError::FrictionParadox { .. } | StepError::Complementarity { .. })
}

/// Whether a touching condition does not open: rates up to rounding.
fn rests(rate: f64, scale: f64) -> bool {
    !approaches(-rate, scale) || rate < 0.0
}

impl ContactSet {
    /// Which of the set slide, and where to, by their speeds at the motions of `work`.
    pub(crate) fn choose_modes(&mut self, model: &Model, state: &State, work: &Workspace, h: f64) {
        for item in &mut self.set {
            item.mode = if item.has_friction() { FrictionMode::Stick } else { FrictionMode::Frictionless };
            item.rests();
        }
        self.contact_rows.write(model, state, &work.motions, &mut self.set);
        self.lambda.clear();
        for i in 0..self.set.len() {
            let item = self.set[i];
            if item.is_joint_friction() {
                if self.moves(&item) {
                    self.set[i].mode = slip_direction(self.contact_rows.rows[item.row].rate);
                }
            } else if item.mode == FrictionMode::Stick && self.slides(&item) {
                let slide = self.slide(&item).0;
                let speed = slide.norm();
                let held = state.held.iter().find(|held| held.key == item.key);
                let stiff = held.map_or(0.0, |held| held.grip * h);
                let direction = match held.map(|held| held.mode) {
                    Some(FrictionMode::Slip(before)) if item.tangents > 1 && slide.dot(before) > 0.0 => {
                        slides_to(slide, before, stiff)
                    }
                    _ => slide * (1.0 / speed),
                };
                self.set[i].mode = FrictionMode::Slip(direction);
                // In the plane there is nowhere to turn to.
                self.set[i].stiff = if item.tangents > 1 { stiff } else { f64::INFINITY };
            }
        }
        for i in 0..self.set.len() {
            let [roll, spin] = self.set[i].resistances().map(|(turn, _, rows)| {
                let (axis, size) = self.turn(rows, |row| self.contact_rows.rows[row].rate);
                let fast = axis.norm();
                if turn == RollingMode::Rest && fast > SLOW * (1.0 + size) {
                    RollingMode::Turns(axis * (1.0 / fast))
                } else {
                    turn
                }
            });
            (self.set[i].roll_spin.roll, self.set[i].roll_spin.spin) = (roll, spin);
        }
        let before = |key: ContactKey| state.held.iter().find(|held| held.key == key);
        self.seed(|_, item| before(item.key).map_or([0.0; 3], |held| held.push));
    }

    /// What slides slower than `speed` rests, until it is seen to slide off.
    fn stop_slow(&mut self, speed: f64) {
        let slow = |contacts: &ContactSet, item: &ContactEntry| match item.mode {
            FrictionMode::Slip(_) if !item.is_joint_friction() => contacts.slide(item).0.norm() <= speed,
            _ => false,
        };
        for i in 0..self.set.len() {
            if slow(self, &self.set[i]) {
                self.set[i].mode = FrictionMode::Stick;
            }
        }
    }

    /// Whether a joint coordinate of the sheet moves.
    pub(crate) fn moves(&self, item: &ContactEntry) -> bool {
        let row = &self.contact_rows.rows[item.row];
        row.rate.abs() > SLOW * (1.0 + row.rate_scale)
    }

    /// Whether a condition of the sheet slides.
    pub(crate) fn slides(&self, item: &ContactEntry) -> bool {
        let (slide, size) = self.slide(item);
        slide.norm() > SLOW * (1.0 + size)
    }

    /// How a condition of the sheet slides, and the size of what forms that.
    fn slide(&self, item: &ContactEntry) -> (Vec3, f64) {
        let (mut slide, mut size) = (Vec3::ZERO, 0.0);
        for row in &self.contact_rows.rows[item.row + 1..item.row + 1 + item.tangents] {
            slide += row.direction * row.rate;
            size = row.rate_scale;
        }
        (slide, size)
    }

    /// The sum of rows about their axes, and the size of the speeds that form them.
    fn turn(&self, rows: core::ops::Range<usize>, of: impl Fn(usize) -> f64) -> (Vec3, f64) {
        let (mut axis, mut size) = (Vec3::ZERO, 0.0);
        for row in rows {
            axis += self.contact_rows.rows[row].direction * of(row);
            size = self.contact_rows.rows[row].rate_scale;
        }
        (axis, size)
    }

    /// Of what resists turning and rests: the acceleration with which it begins to turn, below which that is noise, and what a moment gives.
    fn turn_off(&self, item: &ContactEntry, mu: f64, rows: core::ops::Range<usize>) -> (Vec3, f64, f64) {
        let response = rows.clone().fold(0.0, |most, row| {
            crate::math::larger(most, self.responses.get(row).copied().unwrap_or(0.0))
        });
        // Beside what the moment could do: where nothing turns it, all that is left is rounding.
        let mut size = mu * self.lambda[item.row] * response;
        for row in rows.clone() {
            size = crate::math::larger(size, self.formed(row));
        }
        let (axis, _) = self.turn(rows, |row| self.acc[row]);
        (axis, crate::math::larger(OPENS, 1e2 * self.complementarity.residual) * size, response)
    }

    /// The acceleration with which a joint that holds begins to slide, and below which that is noise.
    fn starts(&self, item: &ContactEntry) -> (f64, f64) {
        // Beside what its friction could do: where nothing moves it, all that is left is rounding.
        let could = self.responses.get(item.row).map_or(0.0, |a| a * item.static_friction());
        let size = crate::math::larger(self.formed(item.row), could);
        (self.acc[item.row], crate::math::larger(OPENS, 1e2 * self.complementarity.residual) * size)
    }

    /// The acceleration with which a condition of the sheet slides off, and the size of what forms it.
    fn slide_off(&self, item: &ContactEntry) -> (Vec3, f64) {
        // Beside what acts along the normal too: where nothing acts across, as on a ball that rolls, all that is left is rounding of that.
        let (mut slide, mut size) = (Vec3::ZERO, self.formed(item.row));
        for row in item.row + 1..item.row + 1 + item.tangents {
            slide += self.contact_rows.rows[row].direction * self.acc[row];
            size = crate::math::larger(size, self.formed(row));
        }
        (slide, size)
    }
}

/// Of what may press, keeps what does not open by itself, and finds out what begins to slide. The accelerations are those of `state`.
pub(crate) fn settle_active_set(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    (forced, law): (&[ContactKey], MotionLaw),
) -> Result<(), StepError> {
    // Each round lets go of something, or lets something slide.
    for _ in 0..8 {
        let Some(contacts) = &mut work.contacts else { return Ok(()) };
        contacts.grips.clear();
        if contacts.set.is_empty() {
            return Ok(());
        }
        work.stage.copy_from(state);
        accelerations(model, settings, work, Evaluation { law, ..Stage::First.into() })?;
        let Some(contacts) = &mut work.contacts else { return Ok(()) };
        let mut is_new = false;
        let mut kept = Vec::with_capacity(contacts.set.len());
        for item in &contacts.set {
            if item.is_joint_friction() {
                let (acc, noise) = contacts.starts(item);
                let starts = item.mode == FrictionMode::Stick && acc.abs() > noise;
                is_new |= starts;
                kept.push(if starts { ContactEntry { mode: slip_direction(acc), ..*item } } else { *item });
                continue;
            }
            let opens = contacts.lambda[item.row] <= 0.0
                && contacts.acc[item.row] > OPENS * contacts.formed(item.row);
            if opens && !forced.contains(&item.key) {
                continue;
            }
            let mut item = *item;
            if item.mode == FrictionMode::Stick {
                let (slide, size) = contacts.slide_off(&item);
                let fast = slide.norm();
                if fast > crate::math::larger(OPENS, 1e2 * contacts.complementarity.residual) * size {
                    item.mode = FrictionMode::Slip(slide * (1.0 / fast));
                    is_new = true;
                }
            }
            for (k, (turn, mu, rows)) in item.resistances().into_iter().enumerate() {
                let (axis, noise, _) = contacts.turn_off(&item, mu, rows);
                let fast = axis.norm();
                if turn == RollingMode::Rest && fast > noise {
                    let turns = RollingMode::Turns(axis * (1.0 / fast));
                    *[&mut item.roll_spin.roll, &mut item.roll_spin.spin][k] = turns;
                    is_new = true;
                    // The rows behind it are elsewhere now; they are looked at in the next round.
                    break;
                }
            }
            kept.push(item);
        }
        if !is_new {
            // What was left out did not push: the answer is still theirs.
            contacts.grips.clear();
            for item in &kept {
                let across = item.row + 1;
                let response = if item.tangents > 0 { contacts.responses[across] } else { 0.0 };
                let grip = item.material.kinetic_friction * contacts.lambda[item.row] * response;
                let mut push = [0.0; 3];
                let rows = contacts.lambda[item.row..=item.row + item.tangents].iter();
                push.iter_mut().zip(rows).for_each(|(push, l)| *push = *l);
                contacts.grips.push((grip, push));
            }
        }
        contacts.set = kept;
        if !is_new {
            let grips = std::mem::take(&mut contacts.grips);
            contacts.seed(|i, _| grips[i].1);
            contacts.grips = grips;
        }
        contacts.lambda.clear();
        if !is_new {
            return Ok(());
        }
    }
    Ok(())
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

    /// From the state to the next event, to where something may be passed unseen, to where forces change too fast for a longer step, or to the end. `None`
    /// if they change too fast for any.
    fn run_phase(
        &mut self,
        model: &Model,
        settings: &Settings,
        (state, work): (&mut State, &mut Workspace),
        (left, chatter_policy): (f64, ChatterPolicy),
        smooth_step: SmoothStep,
    ) -> Result<Option<PhaseResult>, StepError> {
        self.begin(model, settings, state, work, (left, chatter_policy))?;
        self.start.clone_from(state);
        let whole = left;
        let left =
            work.contacts.as_mut().map_or(left, |contacts| contacts.safe_step(model, &work.motions, left));
        let mut left = if left < self.part { left } else { self.part };
        let resists = |item: &ContactEntry| {
            !item.is_joint_friction() && (item.mode != FrictionMode::Frictionless || item.roll_spin.all() > 0)
        };
        let has_friction = |contacts: &ContactSet| contacts.set.iter().any(resists);
        let step = match work.contacts.as_deref().is_some_and(has_friction) {
            true => smooth_step.with_friction,
            false => smooth_step.step,
        };
        let presses = work
            .contacts
            .as_ref()
            .is_some_and(|contacts| contacts.set.iter().any(|item| !item.is_joint_friction()));
        // Rules of first order keep no books.
        let is_watched = presses && matches!(settings.integrator, Integrator::Rk4 | Integrator::Dopri5);
        if !is_watched {
            self.part = f64::INFINITY;
            let (passed, report, is_event) = self.trial(model, settings, (state, work), left, step)?;
            return Ok(Some(PhaseResult { passed, report, is_cut: !is_event && left < whole }));
        }
        let before = measure_energy(model, state, work);
        let forced = self.forced.clone();
        // Impulses are not for bodies of the general kinds.
        let is_last = |passed: f64, whole: f64| passed <= SHORTEST * whole;
        let takes_impulses = model.first_general().is_none();
        loop {
            let passed = match self.trial(model, settings, (state, work), left, step) {
                Ok((passed, report, is_event)) => {
                    let is_well = self.balances(model, &before, state, work);
                    if is_well || (is_last(passed, self.whole) && !takes_impulses) {
                        self.part *= 4.0;
                        return Ok(Some(PhaseResult { passed, report, is_cut: !is_event && left < whole }));
                    }
                    passed
                }
                Err(StepError::NotFinite { .. } | StepError::JointNotFinite { .. })
                    if takes_impulses || !is_last(left, self.whole) =>
                {
                    left
                }
                Err(error) => return Err(error),
            };
            self.tries += 1;
            if is_last(passed, self.whole) || (self.tries > MOST_TRIES && takes_impulses) {
                self.part = f64::INFINITY;
                return Ok(None);
            }
            left = 0.25 * passed;
            self.part = left;
            state.copy_from(&self.start);
            self.forced.clone_from(&forced);
        }
    }

    /// Whether the energy of the state is what the start of the phase had, less what was turned into heat, as far as a step that fits can tell.
    fn balances(&self, model: &Model, before: &Energy, state: &State, work: &mut Workspace) -> bool {
        refresh_motions(model, state, work);
        let (after, _, gross) = measure_with_magnitudes(model, state, work);
        let (heat, put_in) = (after.dissipated - before.dissipated, after.work - before.work);
        let moved = before.kinetic + after.kinetic + heat.abs() + put_in.abs();
        // Where next to nothing moves, energies are no better known than heights are.
        let known = gross.force * (work.length + gross.reach) + before.kinetic;
        (after.balance() - before.balance()).abs() <= BALANCED * moved + 1e-12 * known
    }

    /// From the start of the phase to the first event within `left`, or to its end: the time that has passed, and whether it was an event.
    fn trial(
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

    /// What was passed and left again within a trial, where nothing is to be seen at its end: a time at which it overlaps, which is then the upper end. By
    /// the cubic through gaps and rates at both ends, of those that leave so fast that they may have come from the other side.
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
                    // A cubic is not what it is: a little above may be below.
                    if least > 0.01 * left * (high.rate - low.rate) {
                        continue;
                    }
                    at
                }
                // Another feature was nearest then: where this one seems to come from,
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
                // and then where it is nearest, by how its rate has changed.
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

    /// Answers blows, and decides what may press in the phase that begins.
    fn begin(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &mut State,
        work: &mut Workspace,
        (h, chatter_policy): (f64, ChatterPolicy),
    ) -> Result<(), StepError> {
        let ChatterPolicy { opens, is_calm } = chatter_policy;
        let opens = opens * settings.rest_speed;
        refresh_motions(model, state, work);
        let Some(mut contacts) = work.contacts.take() else { return Ok(()) };
        contacts.observe(model, state, &work.motions, 10.0 * TOUCHING);
        let (mut reached, mut came, mut is_impact) = (Vec::new(), Vec::new(), false);
        for item in contacts.all.iter().filter(|item| !item.is_joint_friction()) {
            let row = &contacts.all_rows.rows[item.row];
            let coming = approaches(row.rate, row.rate_scale);
            let size = row.scale + work.length;
            if row.gap < -OVERLAPS * size {
                let found = if state.time == 0.0 { OverlapFound::AtStart } else { OverlapFound::InRun };
                let error = Overlap::error(model, item.key.subject(), -row.gap, state.time, found);
                work.contacts = Some(contacts);
                return Err(error);
            }
            // At speed a condition is reached where it is found to be; at rest it may be a little way off.
            let is_slow = -row.rate <= settings.rest_speed;
            let near = if coming && !is_slow { 2.0 * REACHED * size } else { TOUCHING };
            if row.gap <= near || self.forced.contains(&item.key) {
                reached.push(*item);
                is_impact |= coming;
                came.extend((coming && !is_slow).then_some(item.key));
            }
        }
        contacts.set.clear();
        if is_impact {
            work.contacts = Some(contacts);
            work.stage.copy_from(state);
            // With nothing that presses: for its factor.
            accelerations(model, settings, work, Stage::First)?;
            let Some(taken) = work.contacts.take() else { return Ok(()) };
            contacts = taken;
            contacts.set.clone_from(&reached);
            contacts.choose_modes(model, state, work, h);
            for item in &mut contacts.set {
                if let FrictionMode::Slip(_) = item.mode {
                    // A blow may stop what slides, at the friction of what slides.
                    item.mode = FrictionMode::Stick;
                    item.material.static_friction = item.material.kinetic_friction;
                }
            }
            let outcome = contacts.resolve_impacts(model, settings, (state, work), is_calm, &mut self.log);
            if let Err(error) = outcome {
                work.contacts = Some(contacts);
                return Err(error);
            }
            refresh_motions(model, state, work);
        }
        for item in &mut reached {
            item.mode = FrictionMode::Frictionless;
        }
        contacts.contact_rows.write(model, state, &work.motions, &mut reached);
        contacts.set.clear();
        let ContactSet { set, all, .. } = &mut *contacts;
        set.extend(all.iter().filter(|item| item.is_joint_friction()));
        for item in &reached {
            let row = &contacts.contact_rows.rows[item.row];
            // What rebounds opens, however slowly.
            let rebounds = item.material.restitution > 0.0 && came.contains(&item.key);
            let slow = if rebounds { 0.0 } else { opens };
            let is_slow = row.gap <= TOUCHING && row.rate <= slow;
            if rests(row.rate, row.rate_scale) || is_slow || self.forced.contains(&item.key) {
                contacts.set.push(*item);
            }
        }
        contacts.set.sort_unstable_by_key(|item| item.key);
        contacts.choose_modes(model, state, work, h);
        contacts.stop_slow(opens);
        work.contacts = Some(contacts);
        settle_active_set(model, settings, state, work, (&self.forced, MotionLaw::Acceleration))?;
        self.note(state, work);
        Ok(())
    }

    /// Writes down what changed, in the log and in the state.
    fn note(&mut self, state: &mut State, work: &Workspace) {
        let Some(contacts) = &work.contacts else { return };
        let time = state.time;
        let mut log = |key: ContactKey, what: EventKind| {
            self.log.push(Event { time, subject: key.subject(), what, speed: 0.0, impulse: 0.0 });
        };
        for held in state.held.iter().filter(|held| !contacts.set.iter().any(|item| item.key == held.key)) {
            log(held.key, EventKind::Released);
        }
        for item in &contacts.set {
            match state.held.iter().find(|held| held.key == item.key).map(|held| held.mode) {
                None if item.is_joint_friction() => {}
                None => log(item.key, EventKind::Activated),
                Some(FrictionMode::Stick) if matches!(item.mode, FrictionMode::Slip(_)) => {
                    log(item.key, EventKind::Slip)
                }
                Some(FrictionMode::Slip(_)) if item.mode == FrictionMode::Stick => {
                    log(item.key, EventKind::Stick)
                }
                Some(FrictionMode::Slip(before)) => match item.mode {
                    // It came to rest and slides back.
                    FrictionMode::Slip(now) if now.dot(before) < 0.0 => log(item.key, EventKind::Slip),
                    _ => {}
                },
                Some(_) => {}
            }
        }
        state.held.clear();
        let held = contacts.set.iter().enumerate();
        state.held.extend(held.map(|(i, item)| {
            let (grip, push) = contacts.grips.get(i).copied().unwrap_or_default();
            ActiveContact { key: item.key, mode: item.mode, roll_spin: item.roll_spin, grip, push }
        }));
    }

    /// Looks at every condition at a state.
    fn evaluate_events(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &State,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        let presses = work.contacts.as_ref().is_some_and(|contacts| !contacts.set.is_empty());
        if presses {
            work.stage.copy_from(state);
            accelerations(model, settings, work, Stage::First)?;
        } else {
            refresh_motions(model, state, work);
        }
        let Some(mut contacts) = work.contacts.take() else { return Ok(()) };
        contacts.observe(model, state, &work.motions, NEAR * work.length);
        self.at_trial.event_values.clear();
        let deepest =
            |most, item: &ContactEntry| crate::math::larger(most, -contacts.all_rows.rows[item.row].gap);
        let conditions = contacts.all.iter().filter(|item| !item.is_joint_friction());
        // Not minus zero.
        self.at_trial.overlap = conditions.fold(0.0, deepest) + 0.0;
        for item in contacts.all.iter().filter(|item| !contacts.set.iter().any(|other| other.key == item.key))
        {
            let row = &contacts.all_rows.rows[item.row];
            // Near the origin positions are small, and yet no better known than the mechanism is large.
            let size = row.scale + work.length;
            self.at_trial.event_values.push(EventValue {
                key: item.key,
                function: EventFunction::Gap,
                value: row.gap,
                rate: row.rate,
                noise: NEGATIVE * size,
                reached: REACHED * size,
            });
        }
        for item in &contacts.set {
            self.evaluate_active(&contacts, item);
        }
        self.at_trial.event_values.sort_unstable_by_key(EventValue::name);
        work.contacts = Some(contacts);
        Ok(())
    }

    /// Looks at one that presses.
    fn evaluate_active(&mut self, contacts: &ContactSet, item: &ContactEntry) {
        let inverse = |row: usize| {
            let diagonal = contacts.responses[row];
            if diagonal > 0.0 { 1.0 / diagonal } else { 0.0 }
        };
        let slid_before = self.before(item.key);
        let turned_before =
            self.start.held.iter().find(|held| held.key == item.key).map(|held| held.roll_spin);
        let mut see = |function: EventFunction, value: f64, noise: f64| {
            self.at_trial.event_values.push(EventValue {
                key: item.key,
                function,
                value,
                rate: 0.0,
                noise,
                reached: 0.0,
            });
        };
        let row = item.row;
        let mass = inverse(row);
        if item.is_joint_friction() {
            match item.mode {
                FrictionMode::Slip(slip_direction) => {
                    let slid = &contacts.contact_rows.rows[row];
                    see(EventFunction::Slip, slid.rate * slip_direction.x, 1e-13 * slid.rate_scale + 1e-15);
                }
                _ => {
                    let (acc, noise) = contacts.starts(item);
                    if acc.abs() > noise {
                        see(EventFunction::Stick, -acc.abs() * mass, noise * mass);
                    } else {
                        let room = item.static_friction() - contacts.lambda[row].abs();
                        see(EventFunction::Stick, if room > 0.0 { room } else { 0.0 }, 0.0);
                    }
                }
            }
            return;
        }
        see(
            EventFunction::Force,
            contacts.lambda[row] - contacts.acc[row] * mass,
            OPENS * contacts.formed(row) * mass,
        );
        if matches!(item.key, ContactKey::Contact(..)) {
            let is_there = contacts.all.binary_search_by_key(&item.key, |other| other.key).is_ok();
            see(EventFunction::Presence, if is_there { 1.0 } else { -1.0 }, 0.0);
        }
        for (k, (turn, mu, rows)) in item.resistances().into_iter().enumerate() {
            let function = [EventFunction::Roll, EventFunction::Spin][k];
            match turn {
                RollingMode::Free => {}
                RollingMode::Rest => {
                    let (axis, noise, response) = contacts.turn_off(item, mu, rows.clone());
                    let (fast, mass) = (axis.norm(), if response > 0.0 { 1.0 / response } else { 0.0 });
                    if fast > noise {
                        see(function, -fast * mass, noise * mass);
                    } else {
                        let most = contacts.lambda[rows]
                            .iter()
                            .fold(0.0, |most, l| crate::math::larger(most, l.abs()));
                        let room = mu * contacts.lambda[row] - most;
                        see(function, if room > 0.0 { room } else { 0.0 }, 0.0);
                    }
                }
                RollingMode::Turns(_) => {
                    let turned = &contacts.contact_rows.rows[rows.start];
                    let before = turned_before.map(|roll_spin| [roll_spin.roll, roll_spin.spin][k]);
                    let before = match before {
                        Some(RollingMode::Turns(axis)) => axis,
                        _ => turned.direction,
                    };
                    let noise = 1e-13 * turned.rate_scale + 1e-15;
                    see(function, turned.rate * turned.direction.dot(before), noise);
                }
            }
        }
        match item.mode {
            FrictionMode::Frictionless => {}
            FrictionMode::Stick if item.tangents > 0 => {
                let (slide, size) = contacts.slide_off(item);
                let fast = slide.norm();
                let noise = crate::math::larger(OPENS, 1e2 * contacts.complementarity.residual) * size;
                let mass = inverse(row + 1);
                if fast > noise {
                    see(EventFunction::Stick, -fast * mass, noise * mass);
                } else {
                    let across = &contacts.lambda[row + 1..row + 1 + item.tangents];
                    let across = across.iter().map(|l| l * l).sum::<f64>().sqrt();
                    let room = item.static_friction() * contacts.lambda[row] - across;
                    see(EventFunction::Stick, if room > 0.0 { room } else { 0.0 }, 0.0);
                }
            }
            FrictionMode::Stick => {}
            FrictionMode::Slip(_) => {
                let slid = &contacts.contact_rows.rows[row + 1];
                let before = slid_before.unwrap_or(slid.direction);
                let noise = 1e-13 * slid.rate_scale + 1e-15;
                see(EventFunction::Slip, slid.rate * slid.direction.dot(before), noise);
            }
        }
    }

    /// Where a condition slid at the start of the phase.
    fn before(&self, key: ContactKey) -> Option<Vec3> {
        self.start.held.iter().find(|held| held.key == key).and_then(|held| match held.mode {
            FrictionMode::Slip(direction) => Some(direction),
            _ => None,
        })
    }

    /// The first event between the start of the phase and its end, where one is known to be. The state is left there; returns the time
    /// that has passed.
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
            // What is reached at once, though it seemed to open, has to press.
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

    /// The same aspect at the lower end of the search.
    fn low_of(&self, event_value: &EventValue) -> Option<&EventValue> {
        let event_values = &self.at_low.event_values;
        event_values
            .binary_search_by_key(&event_value.name(), EventValue::name)
            .ok()
            .map(|i| &event_values[i])
    }

    /// Whether what is negative at the upper end is as good as zero at the lower one.
    fn is_reached(&self) -> bool {
        // Right after a blow it is as near, and leaves.
        let comes = |low: &EventValue| low.rate < 0.0 && low.value <= low.reached;
        let mut gaps =
            self.at_high.event_values.iter().filter(|event_value| {
                event_value.function == EventFunction::Gap && event_value.is_negative()
            });
        gaps.any(|event_value| self.low_of(event_value).is_some_and(comes))
    }

    /// Where, from 0 to 1, the first of the conditions that are negative at the upper end is expected to vanish.
    fn first_crossing(&self, (weight_low, weight_high): (f64, f64)) -> f64 {
        let mut first = 1.0;
        for high in self.at_high.event_values.iter().filter(|event_value| event_value.is_negative()) {
            let at = match self.low_of(high) {
                Some(low) if high.function != EventFunction::Presence => {
                    // Aims at the middle of what counts as reached.
                    let aim = 0.5 * low.reached;
                    let (from, to) = (weight_low * (low.value - aim), weight_high * (high.value - aim));
                    // What leaves first has most of its way before it.
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
