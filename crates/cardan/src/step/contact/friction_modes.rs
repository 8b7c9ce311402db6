//! Friction modes of contacts from velocities, and how sticking contacts begin to slide or roll.
//!
//! ```text
//! stick → slip   |a_t| > 0      slides along a_t
//! slip → stick   |u_t| ≈ 0      until a_t shows otherwise
//! ```
//!
//! u_t, a_t: relative velocity and acceleration across the normal. Rolling and spinning have these
//! modes, with angular velocities and accelerations.

use crate::math::Vec3;
use crate::model::Model;
use crate::state::State;
use crate::step::Workspace;
use crate::step::contact::rows::slides_to;
use crate::step::contact::{ContactEntry, ContactKey, ContactSet, FrictionMode, RollingMode};

/// A relative acceleration above this, relative to the size of its terms, opens or starts to slide.
pub(crate) const OPENS: f64 = 1e-12;
/// A contact that slides more slowly than this, relative to its terms, may stick [m/s].
const SLOW: f64 = 1e-9;

impl ContactSet {
    /// Friction modes of the set from the velocities of `work`: sticking, or sliding and in which
    /// direction.
    pub(crate) fn choose_modes(&mut self, model: &Model, state: &State, work: &Workspace, h: f64) {
        for item in &mut self.set {
            item.mode = if item.has_friction() { FrictionMode::Stick } else { FrictionMode::Frictionless };
            item.rests();
        }
        self.contact_rows.write(model, state, &work.kinematics.motions, &mut self.set);
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

    /// How fast friction of a contact turns or stops sliding velocities [m/s²]: μ λ_n A_tt or, where that is more, half of
    /// μ λ_n Σ √(A_ii A_tt) over the friction rows of contacts that share a body with it, itself included.
    ///
    /// A force across the slide of one corner of a body moves all of them, by no more than √(A_ii A_tt). So the columns of
    /// h A diag(μ λ_n / stiff) add up to two at most, within the stability limit of the rules: no mode of several corners, a yaw of
    /// the body among them, outruns a step.
    pub(crate) fn grip(&self, item: &ContactEntry) -> f64 {
        if item.tangents == 0 {
            return 0.0;
        }
        let written = &self.contact_rows;
        let bodies = |item: &ContactEntry| written.blocks(&written.rows[item.row]);
        let meets = |other: &&ContactEntry| {
            other.tangents > 0 && bodies(other).iter().any(|a| bodies(item).iter().any(|b| a.body == b.body))
        };
        let others = self.set.iter().filter(meets).map(|other| self.responses[other.row + 1].sqrt());
        let own = self.responses[item.row + 1];
        let response = crate::math::larger(own, 0.5 * own.sqrt() * others.sum::<f64>());
        item.material.kinetic_friction * self.lambda[item.row] * response
    }

    /// A contact that slides more slowly than `speed` sticks, until its acceleration shows
    /// otherwise.
    pub(crate) fn stop_slow(&mut self, speed: f64) {
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
    pub(crate) fn turning_acceleration(
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
    pub(crate) fn starting_acceleration(&self, item: &ContactEntry) -> (f64, f64) {
        // Relative to what its friction could do: where nothing moves the joint, the rest is
        // rounding.
        let could = self.responses.get(item.row).map_or(0.0, |a| a * item.static_friction());
        let size = crate::math::larger(self.formed(item.row), could);
        (self.acc[item.row], crate::math::larger(OPENS, 1e2 * self.complementarity.residual) * size)
    }

    /// The acceleration with which a sticking contact begins to slide, and the size of its terms.
    pub(crate) fn sliding_acceleration(&self, item: &ContactEntry) -> (Vec3, f64) {
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
pub(crate) fn slip_direction(rate: f64) -> FrictionMode {
    FrictionMode::Slip(Vec3::new(if rate < 0.0 { -1.0 } else { 1.0 }, 0.0, 0.0))
}
