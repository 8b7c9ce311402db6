//! Impact: constraints that are reached at speed respond with impulses, with the current factor.
//!
//! ```text
//! ġ⁺ = A p + ġ⁻,   v⁺ = v + M̂⁻¹ Jᵀ p
//!
//! Newton:   0 ≤ p ⟂ ġ⁺ + e ġ⁻ ≥ 0        e of the approach speed is left
//! Poisson:  0 ≤ c ⟂ A c + ġ⁻ ≥ 0         compression stops the approach,
//!           e c ≤ p − c ⟂ ġ⁺ ≥ 0         expansion returns e of its impulse (`restitution.rs`)
//! ```
//!
//! A: Delassus matrix; p: impulse [N·s]; ġ⁻, ġ⁺: gap rates before and after; e: restitution.
//!
//! Both laws include dry friction, Poisson's by the sliding velocity at the end of each phase.
//! Without friction, and for one contact, they agree; for a rod that hits the ground obliquely they
//! do not ([`RestitutionLaw`]).
//!
//! Joints and loops are in M̂⁻¹, so they stay consistent. What several impacts at once do is a
//! matter of law ([`Impacts`]):
//!
//! * **propagating**: contacts that approach are solved together; those that approach as a result
//!   follow in the next round. A row of balls passes the impulse on, and symmetry is kept.
//! * **sequential**: one contact at a time, in the order of the model, until none approaches.
//! * **simultaneous**: all closed contacts at once; a row of balls separates as a whole.
//!
//! Contacts without restitution take part in every round, since otherwise the rounds would not end.
//! Below [`Settings::restitution_threshold`] nothing rebounds. Without friction and with one e for all, an
//! impact never gains energy. With several e it could: then the least of them is used for all in
//! that round. With friction it could, too (Kane 1984: where the sliding direction reverses): then
//! all e of the round are reduced until there is no gain.

use crate::math::larger;
use crate::model::Model;
use crate::settings::{Impacts, RestitutionLaw, Settings};
use crate::state::{Ledger, State};
use crate::step::articulated;
use crate::step::contact::complementarity::ContactProblem;
use crate::step::contact::contact_forces::book_block;
use crate::step::contact::rows::ContactRows;
use crate::step::contact::{ContactSet, Event, EventKind};
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::dynamics::multipliers::world_reactions;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;

/// Rounds after which restitution is zero.
const MAX_RESTITUTION_ROUNDS: u32 = 400;
/// An approach below this, relative to the fastest one, is solver residual.
const LEFT_OVER: f64 = 1e-10;
/// An approach below this, relative to the size of its terms, is rounding.
const NOISE: f64 = 256.0 * f64::EPSILON;
/// An approach below this is rounding [m/s, rad/s].
const ZERO_APPROACH: f64 = 1e-15;
/// An energy gain below this, relative to the work of the impulses, is rounding.
const NO_GAIN: f64 = 1e-12;
/// Bisections for the largest restitution without a gain of energy.
const HALVINGS: u32 = 50;

/// Whether a row approaches faster than rounding explains.
pub(crate) fn approaches(rate: f64, scale: f64) -> bool {
    rate < -(NOISE * scale + ZERO_APPROACH)
}

impl ContactSet {
    /// Resolves the impacts of the set, whose gaps are all closed, at the pose of `state` with the
    /// current factor. Logs them, and returns whether there were any.
    pub(crate) fn resolve_impacts(
        &mut self,
        model: &Model,
        settings: &Settings,
        (state, work): (&mut State, &mut Workspace),
        is_calm: bool,
        log: &mut Vec<Event>,
    ) -> Result<bool, StepError> {
        self.contact_rows.write(model, state, &work.kinematics.motions, &mut self.set);
        let all = self.contact_rows.rows.len();
        let mut rates: Vec<f64> = self.contact_rows.rows.iter().map(|row| row.rate).collect();
        let normal: Vec<usize> = self.set.iter().map(|item| item.row).collect();
        let is_approaching = |contact_rows: &ContactRows, rates: &[f64], row: usize, floor: f64| {
            approaches(rates[row], contact_rows.rows[row].rate_scale) && rates[row] < -floor
        };
        if !normal.iter().any(|&row| is_approaching(&self.contact_rows, &rates, row, 0.0)) {
            return Ok(false);
        }
        self.write_delassus(model, work);
        let first = rates.clone();
        // Fastest approach of each contact in all rounds.
        let mut fastest_rates = first.clone();
        let fastest = normal.iter().fold(0.0, |most, &row| larger(most, -first[row]));
        let mut total = vec![0.0; all];
        let (mut lost, mut work_in) = (0.0, 0.0);
        for round in 0..=MAX_RESTITUTION_ROUNDS {
            // The residual of the cone solver is not an impact.
            let floor = if round == 0 { 0.0 } else { LEFT_OVER * fastest };
            let approaching: Vec<bool> =
                normal.iter().map(|&row| is_approaching(&self.contact_rows, &rates, row, floor)).collect();
            let Some(lowest) = approaching.iter().position(|c| *c) else { break };
            for (&row, _) in normal.iter().zip(&approaching).filter(|(_, approaching)| **approaching) {
                fastest_rates[row] =
                    if rates[row] < fastest_rates[row] { rates[row] } else { fastest_rates[row] };
            }
            let last = round == MAX_RESTITUTION_ROUNDS || is_calm;
            let restitution = |i: usize| if last { 0.0 } else { self.set[i].material.restitution };
            let mut e: Vec<f64> = (0..normal.len())
                .map(|i| {
                    let slow = -rates[normal[i]] <= settings.restitution_threshold;
                    if approaching[i] && !slow { restitution(i) } else { 0.0 }
                })
                .collect();
            let part: Vec<usize> = (0..normal.len())
                .filter(|&i| {
                    restitution(i) == 0.0
                        || match settings.impacts {
                            Impacts::Simultaneous => true,
                            Impacts::Propagating => approaching[i],
                            Impacts::Sequential => i == lowest,
                        }
                })
                .collect();
            if settings.restitution_law == RestitutionLaw::Poisson && !last {
                // Contacts that do not approach may be compressed too, and expand.
                let is_fast = normal.iter().any(|&row| -rates[row] > settings.restitution_threshold);
                for (i, e) in e.iter_mut().enumerate() {
                    *e = if approaching[i] {
                        *e
                    } else if is_fast {
                        restitution(i)
                    } else {
                        0.0
                    };
                }
            }
            let law = settings.restitution_law;
            let (mut gain, mut size) = self.impact_round(model, &part, &rates, (&e, law), state.time)?;
            let among = part.iter().filter(|&&i| approaching[i]);
            let least = among.fold(1.0, |least, &i| if e[i] < least { e[i] } else { least });
            if gain > NO_GAIN * size && e.iter().any(|e| *e > least) {
                e.iter_mut().for_each(|e| *e = if *e > least { least } else { *e });
                (gain, size) = self.impact_round(model, &part, &rates, (&e, law), state.time)?;
            }
            if gain > NO_GAIN * size {
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (low + high);
                    let part_of: Vec<f64> = e.iter().map(|e| middle * e).collect();
                    let (gain, size) =
                        self.impact_round(model, &part, &rates, (&part_of, law), state.time)?;
                    *(if gain > NO_GAIN * size { &mut high } else { &mut low }) = middle;
                }
                e.iter_mut().for_each(|e| *e *= low);
                (gain, _) = self.impact_round(model, &part, &rates, (&e, law), state.time)?;
            }
            lost -= gain;
            for (row, &p) in self.lambda.iter().enumerate() {
                if p != 0.0 {
                    total[row] += p;
                    work_in -= p * self.contact_rows.rows[row].time_rate;
                    for other in 0..all {
                        rates[other] += self.matrix[other * all + row] * p;
                    }
                }
            }
        }
        self.respond_to(model, work, &total);
        state.v.iter_mut().zip(&work.stages.shift).for_each(|(v, dv)| *v += dv);
        state.ledger.dissipated += lost;
        state.ledger.work += work_in;
        let mut ledger = state.ledger;
        book_impulse(model, work, &self.contact_rows, &total, &mut ledger);
        state.ledger = ledger;
        for item in &self.set {
            // A contact that only supports others has no impact.
            let (speed, impulse) = (fastest_rates[item.row], total[item.row]);
            if is_approaching(&self.contact_rows, &fastest_rates, item.row, settings.restitution_threshold) {
                let kind = if item.key.is_limit(model) { EventKind::Limit } else { EventKind::Impact };
                log.push(Event { time: state.time, subject: item.key.subject(model), kind, speed, impulse });
            }
        }
        self.lambda.clear();
        self.impact_impulses = total;
        Ok(true)
    }
}

impl ContactSet {
    /// Solves one round: impulses of the items numbered in `part`, in `lambda`, from the rates
    /// before it. Returns the energy gain and the size of its terms \[J\].
    fn impact_round(
        &mut self,
        model: &Model,
        part: &[usize],
        rates: &[f64],
        (e, law): (&[f64], RestitutionLaw),
        time: f64,
    ) -> Result<(f64, f64), StepError> {
        let all = self.contact_rows.rows.len();
        self.bias.clear();
        self.bias.extend_from_slice(rates);
        self.bias_formed.clear();
        self.bias_formed.extend(self.contact_rows.rows.iter().map(|row| row.rate_scale));
        if law == RestitutionLaw::Newton {
            for (item, e) in self.set.iter().zip(e) {
                self.bias[item.row] += e * rates[item.row];
            }
        }
        self.solve_complementarity(model, part, ContactProblem::Impact, true, time)?;
        if law == RestitutionLaw::Poisson {
            self.expand(model, part, rates, e, time)?;
        }
        let (mut gain, mut size) = (0.0, 0.0);
        for (row, &p) in self.lambda.iter().enumerate() {
            let change: f64 =
                self.lambda.iter().enumerate().map(|(j, p)| self.matrix[row * all + j] * p).sum();
            gain += p * (rates[row] + 0.5 * change);
            size += (p * rates[row]).abs();
        }
        Ok((gain, size))
    }
}

/// Books work and impulses from outside for impulses p of the rows: through joints (those of the
/// last response) and through the rows themselves.
pub(crate) fn book_impulse(
    model: &Model,
    work: &Workspace,
    contact_rows: &ContactRows,
    p: &[f64],
    ledger: &mut Ledger,
) {
    let mut rate = through_joints(model, work);
    for (row, &p) in p.iter().enumerate() {
        for block in contact_rows.blocks(&contact_rows.rows[row]) {
            book_block(model, work, (block.body as usize, contact_rows.jac(block)), p, &mut rate);
        }
    }
    take_jump(ledger, &rate);
}

/// Books the last response in the same way, from the forces Σ Jᵀ p that it was for, body by body.
pub(crate) fn book_response(model: &Model, work: &Workspace, ledger: &mut Ledger) {
    let mut rate = through_joints(model, work);
    let force = work.equations.system.force();
    for (i, body) in model.bodies.iter().enumerate() {
        let force = &force[body.v_range()];
        if force.iter().any(|x| *x != 0.0) {
            book_block(model, work, (i, force), 1.0, &mut rate);
        }
    }
    take_jump(ledger, &rate);
}

/// Impulses from outside through joints, those of the last response.
fn through_joints(model: &Model, work: &Workspace) -> LedgerRate {
    let mut rate = LedgerRate::default();
    if work.solvers.articulated.is_some() {
        (rate.force, rate.moment) = articulated::ground_load(model, work);
        rate.work = articulated::drive_work(model, work);
    } else {
        world_reactions(model, work, &work.equations.row_solution, &mut rate);
        rate.book_grounded(model, &work.kinematics.motions, &work.stages.shift, true);
    }
    rate
}

fn take_jump(ledger: &mut Ledger, rate: &LedgerRate) {
    ledger.work += rate.work;
    ledger.impulse += rate.force;
    ledger.angular_impulse += rate.moment;
}
