//! Impact: conditions that are reached at speed push with impulses, through the factor at hand.
//!
//! ```text
//! ġ⁺ = A p + ġ⁻          0 ≤ p ⟂ ġ⁺ + e ġ⁻ ≥ 0        Newton: e of the speed of approach is left
//! v⁺ = v + M̂⁻¹ Jᵀ p
//! ```
//!
//! Joints and loops are in M̂⁻¹, so they are as closed after the blow as before. What several conditions do at once is a matter of
//! law ([`Impacts`]):
//!
//! * **propagating**: those that approach are answered together; if that makes others approach, they follow in the next round. A row of
//!   balls passes the blow on, and what is symmetric stays so.
//! * **sequential**: one at a time, in the order of the model, until none approaches.
//! * **simultaneous**: all that touch at once; a row of balls parts as a whole.
//!
//! Conditions without rebound take part in every round, since their turn would come for ever. Slower than
//! [`Settings::rest_speed`] nothing rebounds. With one e for all a blow never makes energy; with several it
//! could, and then the least of them counts for all in that round.

use super::respond::respond;
use super::rows::Sheet;
use super::{Event, Key, Touch, What};
use crate::body::MAX_DIM;
use crate::inequality::Origin;
use crate::math::Vec3;
use crate::model::Model;
use crate::state::{Ledger, State};
use crate::step::multipliers::world_reactions;
use crate::step::{Impacts, LedgerRate, Settings, StepError, Workspace, limbs};

/// Rounds after which what is left loses its rebound.
const MOST: u32 = 400;
/// A speed of approach below this many roundings of its terms is none.
const NOISE: f64 = 256.0 * f64::EPSILON;
/// Nor is one below this [m/s, rad/s].
const NOTHING: f64 = 1e-15;

/// Whether a row approaches faster than rounding explains.
pub(super) fn approaches(rate: f64, scale: f64) -> bool {
    rate < -(NOISE * scale + NOTHING)
}

impl Touch {
    /// Answers the blows of `keys`, all of them reached, at the pose of `state` whose factor is at hand. Whether there were any; they go to the
    /// log.
    pub(super) fn strike(
        &mut self,
        model: &Model,
        settings: &Settings,
        (state, work): (&mut State, &mut Workspace),
        keys: &[Key],
        is_calm: bool,
        log: &mut Vec<Event>,
    ) -> Result<bool, StepError> {
        self.sheet.write(model, state, &work.motions, keys.iter().copied());
        let k = keys.len();
        let noise = |sheet: &Sheet, row: usize, rate: f64| approaches(rate, sheet.rows[row].rate_scale);
        let mut rates: Vec<f64> = self.sheet.rows.iter().map(|row| row.rate).collect();
        if !(0..k).any(|row| noise(&self.sheet, row, rates[row])) {
            return Ok(false);
        }
        self.write_matrix(model, work);
        self.whole.clone_from(&self.problem.matrix);
        self.whole_formed.clone_from(&self.problem.matrix_formed);
        let first = rates.clone();
        let mut total = vec![0.0; k];
        let (mut lost, mut work_in) = (0.0, 0.0);
        for round in 0..=MOST {
            let coming: Vec<bool> = (0..k).map(|row| noise(&self.sheet, row, rates[row])).collect();
            let Some(lowest) = coming.iter().position(|c| *c) else { break };
            let rebound = |row: usize| {
                let slow = -rates[row] <= settings.rest_speed;
                let e = model.inequalities[keys[row].0 as usize].restitution;
                if !coming[row] || slow || is_calm || round == MOST { 0.0 } else { e }
            };
            let taken = |row: usize| {
                let plastic = model.inequalities[keys[row].0 as usize].restitution == 0.0 || is_calm;
                plastic
                    || round == MOST
                    || match settings.impacts {
                        Impacts::Simultaneous => true,
                        Impacts::Propagating => coming[row],
                        Impacts::Sequential => row == lowest,
                    }
            };
            let part: Vec<usize> = (0..k).filter(|row| taken(*row)).collect();
            let mut e: Vec<f64> = part.iter().map(|&row| rebound(row)).collect();
            loop {
                self.answer(model, keys, &part, &rates, &e, state.time)?;
                let p = self.solver.lambda();
                let (mut gain, mut size) = (0.0, 0.0);
                for (i, &row) in part.iter().enumerate() {
                    let change: f64 = part
                        .iter()
                        .enumerate()
                        .map(|(j, &other)| self.whole[row * k + other] * p[j])
                        .sum();
                    gain += p[i] * (rates[row] + 0.5 * change);
                    size += (p[i] * rates[row]).abs();
                }
                let least = e.iter().zip(&part).filter(|(_, row)| coming[**row]).fold(1.0, |l, (e, _)| {
                    if *e < l { *e } else { l }
                });
                if gain <= 1e-12 * size || e.iter().all(|e| *e == least || *e == 0.0) {
                    lost -= gain;
                    break;
                }
                e.iter_mut().for_each(|e| *e = if *e > least { least } else { *e });
            }
            let p: Vec<f64> = self.solver.lambda().to_vec();
            for (j, &other) in part.iter().enumerate() {
                total[other] += p[j];
                work_in -= p[j] * self.sheet.rows[other].time_rate;
                for row in 0..k {
                    rates[row] += self.whole[row * k + other] * p[j];
                }
            }
        }
        let force = work.system.force_mut();
        force.fill(0.0);
        for (row, &p) in total.iter().enumerate() {
            self.sheet.add_to(model, row, p, force);
        }
        let mut shift = std::mem::take(&mut work.shift);
        respond(model, work, &mut shift);
        work.shift = shift;
        state.v.iter_mut().zip(&work.shift).for_each(|(v, dv)| *v += dv);
        state.ledger.dissipated += lost;
        state.ledger.work += work_in;
        let mut ledger = state.ledger;
        book_impulse(model, work, &self.sheet, &total, &mut ledger);
        state.ledger = ledger;
        for (row, key) in keys.iter().enumerate() {
            // What only keeps the others where they are is no blow.
            if noise(&self.sheet, row, first[row]) && -first[row] > settings.rest_speed {
                let inequality = key.0 as usize;
                let is_limit = matches!(model.inequalities[inequality].origin, Origin::Limit { .. });
                let what = if is_limit { What::Limit } else { What::Impact };
                let (time, speed, impulse) = (state.time, first[row], total[row]);
                log.push(Event { time, inequality, what, speed, impulse });
            }
        }
        Ok(true)
    }

    /// p of the rows `part` alone.
    fn answer(
        &mut self,
        model: &Model,
        keys: &[Key],
        part: &[usize],
        rates: &[f64],
        e: &[f64],
        time: f64,
    ) -> Result<(), StepError> {
        let k = keys.len();
        self.problem.begin(part.len());
        self.problem.matrix.clear();
        self.problem.matrix_formed.clear();
        for &row in part {
            for &other in part {
                self.problem.matrix.push(self.whole[row * k + other]);
            }
            self.problem.matrix_formed.push(self.whole_formed[row]);
        }
        for (&row, e) in part.iter().zip(e) {
            self.problem.push((1.0 + e) * rates[row], self.sheet.rows[row].rate_scale);
        }
        let outcome = self.solver.solve(&self.problem.problem());
        outcome.map_err(|error| {
            let names: Vec<Key> = part.iter().map(|&row| keys[row]).collect();
            super::respond::said(model, &names, time, error)
        })
    }
}

/// What comes from outside with impulses p of the rows: through joints (those of the last response) and through the rows.
pub(super) fn book_impulse(model: &Model, work: &Workspace, sheet: &Sheet, p: &[f64], ledger: &mut Ledger) {
    let mut rate = LedgerRate::default();
    if work.limbs.is_some() {
        (rate.force, rate.moment) = limbs::ground_load(model, work);
        rate.work = limbs::drive_work(model, work);
    } else {
        world_reactions(model, work, &work.row_answer, &mut rate);
    }
    for (row, &p) in p.iter().enumerate() {
        for block in sheet.blocks(row) {
            let body = block.body as usize;
            let kind = model.bodies[body].kind;
            let mut pull = [0.0; MAX_DIM];
            pull.iter_mut().zip(&block.jac).for_each(|(pull, j)| *pull = p * j);
            rate.book(kind, &work.motions[body], Vec3::ZERO, kind.as_wrench(&pull));
        }
    }
    ledger.work += rate.work;
    ledger.impulse += rate.force;
    ledger.angular_impulse += rate.moment;
}
