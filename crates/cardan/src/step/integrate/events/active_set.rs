//! Active set: which constraints may exert forces at a state, and in which friction mode.
//!
//! A constraint is a candidate if its gap is closed and its rate does not open it. With the
//! accelerations of the candidates, 0 ≤ λ ⟂ a ≥ 0 decides which of them stay:
//!
//! ```text
//! λ = 0 and a_n > 0          released: leaves the set
//! |a_t| > 0 while sticking   begins to slide along a_t; solved again with the new mode
//! ```
//!
//! λ: multiplier; a_n, a_t: relative accelerations along and across the normal. Rolling and
//! spinning are treated like sliding, with moments and angular accelerations.

use crate::math::Vec3;
use crate::model::Model;
use crate::settings::{Integrator, Settings};
use crate::state::State;
use crate::step::contact::impact::approaches;
use crate::step::contact::rows::slides_to;
use crate::step::contact::{ContactEntry, ContactKey, ContactSet, FrictionMode, RollingMode, TOUCHING};
use crate::step::dynamics::kinematics::refresh_motions;
use crate::step::evaluate::accelerations;
use crate::step::integrate::study;
use crate::step::workspace::{Evaluation, MotionLaw, Workspace};
use crate::step_error::{Stage, StepError};

/// A relative acceleration above this, relative to the size of its terms, opens or starts to slide.
pub(super) const OPENS: f64 = 1e-12;
/// A contact that slides more slowly than this, relative to its terms, may stick [m/s].
const SLOW: f64 = 1e-9;

/// Chooses the active set at a state, for an evaluation there.
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
    resolve_active_set(model, settings, state, work, (&[], law))
}

/// Of the candidates, keeps those that do not open, and finds those that begin to slide.
/// Accelerations are those at `state`.
pub(super) fn resolve_active_set(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    (forced, law): (&[ContactKey], MotionLaw),
) -> Result<(), StepError> {
    // Each round starts sliding or rolling somewhere; the last one only releases.
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
                let (acc, noise) = contacts.starting_acceleration(item);
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
                let (slide, size) = contacts.sliding_acceleration(&item);
                let magnitude = slide.norm();
                if magnitude > crate::math::larger(OPENS, 1e2 * contacts.complementarity.residual) * size {
                    item.mode = FrictionMode::Slip(slide * (1.0 / magnitude));
                    is_new = true;
                }
            }
            for (k, (turn, mu, rows)) in item.resistances().into_iter().enumerate() {
                let (axis, noise, _) = contacts.turning_acceleration(&item, mu, rows);
                let magnitude = axis.norm();
                if turn == RollingMode::Rest && magnitude > noise {
                    let turns = RollingMode::Turns(axis * (1.0 / magnitude));
                    *[&mut item.roll_spin.roll, &mut item.roll_spin.spin][k] = turns;
                    is_new = true;
                    // The rows after it have moved; they are checked in the next round.
                    break;
                }
            }
            kept.push(item);
        }
        if !is_new {
            // Released constraints had λ = 0: the solution holds for the others.
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

impl ContactSet {
    /// Friction modes of the set from the velocities of `work`: sticking, or sliding and in which
    /// direction.
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
                let slide = self.sliding_velocity(&item).0;
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
                // In the plane the sliding direction cannot turn.
                self.set[i].stiff = if item.tangents > 1 { stiff } else { f64::INFINITY };
            }
        }
        for i in 0..self.set.len() {
            let [roll, spin] = self.set[i].resistances().map(|(turn, _, rows)| {
                let (axis, size) = self.sum_about_axes(rows, |row| self.contact_rows.rows[row].rate);
                let magnitude = axis.norm();
                if turn == RollingMode::Rest && magnitude > SLOW * (1.0 + size) {
                    RollingMode::Turns(axis * (1.0 / magnitude))
                } else {
                    turn
                }
            });
            (self.set[i].roll_spin.roll, self.set[i].roll_spin.spin) = (roll, spin);
        }
        let before = |key: ContactKey| state.held.iter().find(|held| held.key == key);
        self.seed(|_, item| before(item.key).map_or([0.0; 3], |held| held.push));
    }

    /// A contact that slides more slowly than `speed` sticks, until its acceleration shows
    /// otherwise.
    pub(super) fn stop_slow(&mut self, speed: f64) {
        let slow = |contacts: &ContactSet, item: &ContactEntry| match item.mode {
            FrictionMode::Slip(_) if !item.is_joint_friction() => {
                contacts.sliding_velocity(item).0.norm() <= speed
            }
            _ => false,
        };
        for i in 0..self.set.len() {
            if slow(self, &self.set[i]) {
                self.set[i].mode = FrictionMode::Stick;
            }
        }
    }

    /// Whether the joint coordinate of a friction row moves.
    pub(crate) fn moves(&self, item: &ContactEntry) -> bool {
        let row = &self.contact_rows.rows[item.row];
        row.rate.abs() > SLOW * (1.0 + row.rate_scale)
    }

    /// Whether a contact slides.
    pub(crate) fn slides(&self, item: &ContactEntry) -> bool {
        let (slide, size) = self.sliding_velocity(item);
        slide.norm() > SLOW * (1.0 + size)
    }

    /// Sliding velocity of a contact, and the size of its terms [m/s].
    fn sliding_velocity(&self, item: &ContactEntry) -> (Vec3, f64) {
        let (mut slide, mut size) = (Vec3::ZERO, 0.0);
        for row in &self.contact_rows.rows[item.row + 1..item.row + 1 + item.tangents] {
            slide += row.direction * row.rate;
            size = row.rate_scale;
        }
        (slide, size)
    }

    /// Σ axis × value over rows of rolling or spinning, and the size of the speeds that form them.
    fn sum_about_axes(&self, rows: core::ops::Range<usize>, of: impl Fn(usize) -> f64) -> (Vec3, f64) {
        let (mut axis, mut size) = (Vec3::ZERO, 0.0);
        for row in rows {
            axis += self.contact_rows.rows[row].direction * of(row);
            size = self.contact_rows.rows[row].rate_scale;
        }
        (axis, size)
    }

    /// For rolling or spinning resistance at rest: the angular acceleration with which it begins to
    /// turn, the bound below which that is rounding, and the response to a unit moment.
    pub(super) fn turning_acceleration(
        &self,
        item: &ContactEntry,
        mu: f64,
        rows: core::ops::Range<usize>,
    ) -> (Vec3, f64, f64) {
        let response = rows.clone().fold(0.0, |most, row| {
            crate::math::larger(most, self.responses.get(row).copied().unwrap_or(0.0))
        });
        // Relative to what the moment could do: where nothing turns the contact, the rest is
        // rounding.
        let mut size = mu * self.lambda[item.row] * response;
        for row in rows.clone() {
            size = crate::math::larger(size, self.formed(row));
        }
        let (axis, _) = self.sum_about_axes(rows, |row| self.acc[row]);
        (axis, crate::math::larger(OPENS, 1e2 * self.complementarity.residual) * size, response)
    }

    /// The acceleration with which a sticking joint begins to slide, and the bound below which that
    /// is rounding.
    pub(super) fn starting_acceleration(&self, item: &ContactEntry) -> (f64, f64) {
        // Relative to what its friction could do: where nothing moves the joint, the rest is
        // rounding.
        let could = self.responses.get(item.row).map_or(0.0, |a| a * item.static_friction());
        let size = crate::math::larger(self.formed(item.row), could);
        (self.acc[item.row], crate::math::larger(OPENS, 1e2 * self.complementarity.residual) * size)
    }

    /// The acceleration with which a sticking contact begins to slide, and the size of its terms.
    pub(super) fn sliding_acceleration(&self, item: &ContactEntry) -> (Vec3, f64) {
        // Relative to the normal terms too: without a tangential load, as on a rolling ball, the
        // rest is their rounding.
        let (mut slide, mut size) = (Vec3::ZERO, self.formed(item.row));
        for row in item.row + 1..item.row + 1 + item.tangents {
            slide += self.contact_rows.rows[row].direction * self.acc[row];
            size = crate::math::larger(size, self.formed(row));
        }
        (slide, size)
    }
}

/// Sliding direction of a joint coordinate: (±1, 0, 0).
fn slip_direction(rate: f64) -> FrictionMode {
    FrictionMode::Slip(Vec3::new(if rate < 0.0 { -1.0 } else { 1.0 }, 0.0, 0.0))
}

/// Whether a closed gap does not open, up to rounding of its rate.
pub(super) fn rests(rate: f64, scale: f64) -> bool {
    !approaches(-rate, scale) || rate < 0.0
}
