//! Stepping: a whole step at the level of velocities, for many contacts, and for instants that forces have no answer for.
//!
//! ```text
//! v⁺ = v + h v̇₀ + M̂⁻¹ Jᵀ p         v̇₀ without contacts
//! g / h + ġ⁺ ≥ 0 ⟂ p ≥ 0            what is not reached within the step does not push
//! ġ⁺ + e ġ⁻ ≥ 0                     in its place where it is touched at speed ġ⁻
//! |p_t| ≤ μ p_n                     against the slide
//! q⁺ = q ⊕ h v⁺                     (Moreau 1988; Stewart and Trinkle 1996)
//! ```
//!
//! Of first order, with errors of h² in the gaps, which are taken away at the end of the step; but it has an answer wherever the cones are
//! pointed, and takes the same time whatever happens in it.

use super::answer::Ask;
use super::impact::{approaches, book_impulse};
use super::{Event, Held, Item, Mode, Touch, What};
use crate::math::larger;
use crate::model::Model;
use crate::state::State;
use crate::step::multipliers::accelerations;
use crate::step::propagate::advance;
use crate::step::stabilise::{bound, measure, project, refactor};
use crate::step::{Settings, Stage, StepError, StepReport, Workspace, limbs, refresh_motions};

/// Rounds that overlaps are taken away in.
const MOST: u32 = 6;

/// From `state`, the state after `h`, in `work.next`; not yet on its joints. What pushed is left in the set.
pub(in crate::step) fn propagate(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if let Some(touch) = &mut work.touch {
        touch.set.clear();
    }
    work.stage.copy_from(state);
    let rate = accelerations(model, settings, work, Stage::First)?;
    work.next.copy_from(state);
    work.next.advance_time(h);
    for (v, a) in work.next.v.iter_mut().zip(&work.acc) {
        *v += h * a;
    }
    let ledger = &mut work.next.ledger;
    ledger.work += h * rate.work;
    ledger.dissipated += h * rate.dissipated;
    ledger.impulse += rate.force * h;
    ledger.angular_impulse += rate.moment * h;
    if let Some(mut touch) = work.touch.take() {
        let outcome = touch.push(model, settings, state, h, work);
        work.touch = Some(touch);
        outcome?;
    }
    let Workspace { next, shift, .. } = work;
    shift.iter_mut().zip(&next.v).for_each(|(u, v)| *u = h * v);
    advance(model, &state.q, shift, &mut next.q);
    Ok(())
}

/// Takes overlaps of `work.next` away, which is on its joints; notes what happened.
pub(in crate::step) fn part(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    report: &mut StepReport,
    log: &mut Vec<Event>,
) -> Result<(), StepError> {
    let Some(mut touch) = work.touch.take() else { return Ok(()) };
    touch.note_pushes(state, &mut work.next, report.size, log);
    let outcome = touch.part(model, settings, work, report);
    touch.set.clear();
    touch.lambda.clear();
    work.touch = Some(touch);
    outcome
}

impl Touch {
    /// Adds to the velocities of `work.next` what contacts push with.
    fn push(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &State,
        h: f64,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        refresh_motions(model, state, work);
        let fastest = work.next.v.iter().chain(&state.v).fold(0.0, |most, v| larger(most, v.abs()));
        self.observe(model, state, &work.motions, 2.0 * h * fastest * (1.0 + work.length) + 1e-6);
        // What may be reached within the step, by the speeds at its start and without contacts at its end.
        let mut set: Vec<Item> = Vec::with_capacity(self.all.len());
        for item in &self.all {
            let row = &self.all_rows.rows[item.row];
            let free = self.all_rows.dot(model, item.row, &work.next.v).0 + row.time_rate;
            let rate = if free < row.rate { free } else { row.rate };
            if row.gap + 2.0 * h * if rate < 0.0 { rate } else { 0.0 } <= 1e-6 {
                set.push(*item);
            }
        }
        self.set = set;
        self.choose_modes(model, state, work, 0.0);
        for item in &mut self.set {
            item.rests();
            if let Mode::Slip(_) = item.mode {
                item.mode = Mode::Stick;
                item.material.static_friction = item.material.kinetic_friction;
            }
        }
        if self.set.is_empty() {
            self.lambda.clear();
            return Ok(());
        }
        self.sheet.write(model, state, &work.motions, &mut self.set);
        self.write_matrix(model, work);
        self.bias.clear();
        self.bias_formed.clear();
        for row in 0..self.sheet.rows.len() {
            let (rate, size) = self.sheet.dot(model, row, &work.next.v);
            let at = &self.sheet.rows[row];
            self.bias.push(rate + at.time_rate);
            self.bias_formed.push(size + at.rate_scale);
        }
        let before = self.bias.clone();
        for item in &self.set {
            let row = &self.sheet.rows[item.row];
            let touches = row.gap <= 1e-6 * (row.scale + work.length);
            let is_blow = touches && -row.rate > settings.rest_speed && approaches(row.rate, row.rate_scale);
            let more = match is_blow {
                true => item.material.restitution * row.rate,
                false if row.gap > 0.0 => row.gap / h,
                false => 0.0,
            };
            self.bias[item.row] += more;
            self.bias_formed[item.row] = larger(self.bias_formed[item.row], more.abs());
        }
        let part: Vec<usize> = (0..self.set.len()).collect();
        let before_push = |key: super::Key| state.held.iter().find(|held| held.key == key);
        self.seed(|_, item| before_push(item.key).map_or([0.0; 3], |held| held.push.map(|f| h * f)));
        self.answer(model, &part, Ask::Press, true, state.time)?;
        let p = std::mem::take(&mut self.lambda);
        self.respond_to(model, work, &p);
        work.next.v.iter_mut().zip(&work.shift).for_each(|(v, dv)| *v += dv);
        let all = self.sheet.rows.len();
        let mut ledger = work.next.ledger;
        for (row, &push) in p.iter().enumerate() {
            let change: f64 = p.iter().enumerate().map(|(j, p)| self.matrix[row * all + j] * p).sum();
            let (first, last) = (self.sheet.rows[row].rate, before[row] + change);
            ledger.dissipated -= 0.5 * push * (first + last);
            ledger.work -= push * self.sheet.rows[row].time_rate;
        }
        book_impulse(model, work, &self.sheet, &p, &mut ledger);
        work.next.ledger = ledger;
        self.lambda = p;
        Ok(())
    }

    /// What pushes now and did not, and the other way round.
    fn note_pushes(&self, before: &State, next: &mut State, h: f64, log: &mut Vec<Event>) {
        let pushes = |item: &Item| self.lambda.get(item.row).is_some_and(|p| *p > 0.0);
        let mut note = |key: super::Key, what: What, speed: f64, impulse: f64| {
            log.push(Event { time: next.time, subject: key.subject(), what, speed, impulse });
        };
        for held in &before.held {
            if !self.set.iter().any(|item| item.key == held.key && pushes(item)) {
                note(held.key, What::Released, 0.0, 0.0);
            }
        }
        for item in self.set.iter().filter(|item| pushes(item)) {
            if !before.held.iter().any(|held| held.key == item.key) {
                let (speed, impulse) = (self.sheet.rows[item.row].rate, self.lambda[item.row]);
                note(item.key, What::Activated, speed, impulse);
            }
        }
        next.held.clear();
        let held = self.set.iter().filter(|item| pushes(item));
        next.held.extend(held.map(|item| {
            let mut push = [0.0; 3];
            let rows = self.lambda[item.row..=item.row + item.tangents].iter();
            push.iter_mut().zip(rows).for_each(|(push, p)| *push = p / h);
            Held { key: item.key, mode: item.mode, turning: item.turning, grip: 0.0, push }
        }));
    }

    fn part(
        &mut self,
        model: &Model,
        settings: &Settings,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        if !settings.projects() {
            return Ok(());
        }
        let mut last = f64::INFINITY;
        for round in 0..MOST {
            let measured = measure(model, settings, work)?;
            (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            self.observe(model, &work.stage, &work.motions, 1e-6 * work.length);
            let deepest = self.all.iter().fold(0.0, |most, item| {
                let row = &self.all_rows.rows[item.row];
                larger(most, -row.gap / bound(row.scale + work.length))
            });
            if deepest <= 4.0 || (deepest < 64.0 && deepest > 0.5 * last) {
                return Ok(());
            }
            last = deepest;
            if round == 0 && !limbs::is_factored(work) {
                refactor(model, settings, work, None)?;
            }
            self.set.clone_from(&self.all);
            self.sheet.write(model, &work.stage, &work.motions, &mut self.set);
            self.write_matrix(model, work);
            self.bias.clear();
            self.bias_formed.clear();
            for row in &self.sheet.rows {
                self.bias.push(row.gap);
                self.bias_formed.push(row.scale + row.gap.abs());
            }
            let part: Vec<usize> = (0..self.set.len()).collect();
            self.answer(model, &part, Ask::Strike, false, work.stage.time)?;
            let p = std::mem::take(&mut self.lambda);
            self.respond_to(model, work, &p);
            let Workspace { stage, shift, next, .. } = work;
            advance(model, &stage.q, shift, &mut next.q);
            if !model.joints.is_empty() || !model.constraints.is_empty() {
                let measured = project(model, settings, work, report, false)?;
                (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            }
        }
        Ok(())
    }
}
