//! Event functions: quantities that are nonnegative within a phase and change sign at an event.
//!
//! ```text
//! inactive            g                              reached
//! active, normal      λ_n − a_n / A_nn               released
//! sticking, at rest   μ_s λ_n − |λ_t|                zero where it is about to slide
//! sticking, moving    −|a_t| / A_tt                  begins to slide
//! sliding             u · d₀                         stops, or reverses
//! contact             ±1                             the feature pair no longer exists
//! ```
//!
//! g: gap; λ: multiplier; a: relative acceleration; A: Delassus matrix; u: sliding velocity; d₀:
//! sliding direction at the start of the phase. Rolling and spinning have the functions of sticking
//! and sliding, with moments and angular velocities.

use crate::math::Vec3;
use crate::model::Model;
use crate::settings::Settings;
use crate::state::State;
use crate::step::contact::friction_modes::OPENS;
use crate::step::contact::{ContactEntry, ContactKey, ContactSet, FrictionMode, RollingMode};
use crate::step::dynamics::kinematics::refresh_motions;
use crate::step::evaluate::accelerations;
use crate::step::integrate::events::EventLocator;
use crate::step::workspace::Workspace;
use crate::step_error::{Stage, StepError};

/// A gap counts as reached up to this, relative to the size of its terms.
pub(super) const REACHED: f64 = 16.0 * f64::EPSILON;
/// A gap below minus this is negative, relative to the size of its terms.
const NEGATIVE: f64 = 8.0 * f64::EPSILON;
/// Contacts are searched up to this gap, relative to the size of the mechanism.
const NEAR: f64 = 0.05;

/// Which event function of a constraint.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EventFunction {
    /// The gap g of an inactive constraint.
    Gap,
    /// Normal force of an active constraint, minus what it opens with: negative when released.
    Force,
    /// Distance to the friction cone while sticking, minus what it starts to slide with.
    Stick,
    /// Speed along the sliding direction: negative once it has stopped or reversed.
    Slip,
    /// Rolling: margin of the resisting moment at rest; speed about the axis while it rolls.
    Roll,
    /// Spinning about the normal: margin of the resisting moment at rest; speed while it spins.
    Spin,
    /// Whether the contact still exists: negative once it slid past an edge.
    Presence,
}

/// One event function of one constraint, at one state.
#[derive(Copy, Clone, Debug)]
pub(super) struct EventValue {
    pub(super) key: ContactKey,
    pub(super) function: EventFunction,
    /// The value, which must not be negative.
    pub(super) value: f64,
    /// Rate of a gap; zero for other functions.
    pub(super) rate: f64,
    /// Rounding: the value is negative below minus this.
    pub(super) noise: f64,
    /// Values up to this count as zero.
    pub(super) reached: f64,
}

impl EventValue {
    /// Whether it is negative by more than rounding, or not a number.
    pub(super) fn is_negative(&self) -> bool {
        self.value < -self.noise || self.value.is_nan()
    }
    /// Constraint and function, by which values are sorted.
    pub(super) fn name(&self) -> (ContactKey, EventFunction) {
        (self.key, self.function)
    }
}

/// All event functions at one state.
#[derive(Debug, Default)]
pub(super) struct EventValues {
    /// Sorted by constraint and function.
    pub(super) event_values: Vec<EventValue>,
    /// Deepest penetration of all constraints, active ones included \[m\]; zero if there is none.
    pub(super) overlap: f64,
}

impl EventValues {
    /// Whether some event function is negative.
    pub(super) fn any_negative(&self) -> bool {
        self.event_values.iter().any(EventValue::is_negative)
    }
}

impl EventLocator {
    /// Evaluates all event functions at a state.
    pub(super) fn evaluate_events(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &State,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        let presses = work.contact.contacts.as_ref().is_some_and(|contacts| !contacts.set.is_empty());
        if presses {
            work.stages.stage.copy_from(state);
            accelerations(model, settings, work, Stage::First)?;
        } else {
            refresh_motions(model, state, work);
        }
        let Some(mut contacts) = work.contact.contacts.take() else { return Ok(()) };
        contacts.observe(model, state, &work.kinematics.motions, NEAR * work.solvers.length);
        self.at_trial.event_values.clear();
        let deepest =
            |most, item: &ContactEntry| crate::math::larger(most, -contacts.all_rows.rows[item.row].gap);
        let conditions = contacts.all.iter().filter(|item| !item.is_joint_friction());
        // Avoids −0.0.
        self.at_trial.overlap = conditions.fold(0.0, deepest) + 0.0;
        for item in contacts.all.iter().filter(|item| !contacts.set.iter().any(|other| other.key == item.key))
        {
            let row = &contacts.all_rows.rows[item.row];
            // Near the origin positions are small, but they are known only relative to the size of
            // the mechanism.
            let size = row.scale + work.solvers.length;
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
        work.contact.contacts = Some(contacts);
        Ok(())
    }

    /// Evaluates the event functions of an active constraint.
    fn evaluate_active(&mut self, contacts: &ContactSet, item: &ContactEntry) {
        let inverse = |row: usize| {
            let diagonal = contacts.responses[row];
            if diagonal > 0.0 { 1.0 / diagonal } else { 0.0 }
        };
        let slid_before = self.before(item.key);
        let turned_before =
            self.start.held.iter().find(|held| held.key == item.key).map(|held| held.roll_spin);
        let mut push_value = |function: EventFunction, value: f64, noise: f64| {
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
                    push_value(
                        EventFunction::Slip,
                        slid.rate * slip_direction.x,
                        1e-13 * slid.rate_scale + 1e-15,
                    );
                }
                _ => {
                    let (acc, noise) = contacts.starting_acceleration(item);
                    if acc.abs() > noise {
                        push_value(EventFunction::Stick, -acc.abs() * mass, noise * mass);
                    } else {
                        let room = item.static_friction() - contacts.lambda[row].abs();
                        push_value(EventFunction::Stick, if room > 0.0 { room } else { 0.0 }, 0.0);
                    }
                }
            }
            return;
        }
        push_value(
            EventFunction::Force,
            contacts.lambda[row] - contacts.acc[row] * mass,
            OPENS * contacts.formed(row) * mass,
        );
        if matches!(item.key, ContactKey::Contact(..)) {
            let is_there = contacts.all.binary_search_by_key(&item.key, |other| other.key).is_ok();
            push_value(EventFunction::Presence, if is_there { 1.0 } else { -1.0 }, 0.0);
        }
        for (k, (turn, mu, rows)) in item.resistances().into_iter().enumerate() {
            let function = [EventFunction::Roll, EventFunction::Spin][k];
            match turn {
                RollingMode::Free => {}
                RollingMode::Rest => {
                    let (axis, noise, response) = contacts.turning_acceleration(item, mu, rows.clone());
                    let (magnitude, mass) = (axis.norm(), if response > 0.0 { 1.0 / response } else { 0.0 });
                    if magnitude > noise {
                        push_value(function, -magnitude * mass, noise * mass);
                    } else {
                        let most = contacts.lambda[rows]
                            .iter()
                            .fold(0.0, |most, l| crate::math::larger(most, l.abs()));
                        let room = mu * contacts.lambda[row] - most;
                        push_value(function, if room > 0.0 { room } else { 0.0 }, 0.0);
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
                    push_value(function, turned.rate * turned.direction.dot(before), noise);
                }
            }
        }
        match item.mode {
            FrictionMode::Frictionless => {}
            FrictionMode::Stick if item.tangents > 0 => {
                let (slide, size) = contacts.sliding_acceleration(item);
                let magnitude = slide.norm();
                let noise = crate::math::larger(OPENS, 1e2 * contacts.complementarity.residual) * size;
                let mass = inverse(row + 1);
                if magnitude > noise {
                    push_value(EventFunction::Stick, -magnitude * mass, noise * mass);
                } else {
                    let across = &contacts.lambda[row + 1..row + 1 + item.tangents];
                    let across = across.iter().map(|l| l * l).sum::<f64>().sqrt();
                    let room = item.static_friction() * contacts.lambda[row] - across;
                    push_value(EventFunction::Stick, if room > 0.0 { room } else { 0.0 }, 0.0);
                }
            }
            FrictionMode::Stick => {}
            FrictionMode::Slip(_) => {
                let slid = &contacts.contact_rows.rows[row + 1];
                let before = slid_before.unwrap_or(slid.direction);
                let noise = 1e-13 * slid.rate_scale + 1e-15;
                push_value(EventFunction::Slip, slid.rate * slid.direction.dot(before), noise);
            }
        }
    }

    /// Sliding direction of a contact at the start of the phase.
    fn before(&self, key: ContactKey) -> Option<Vec3> {
        self.start.held.iter().find(|held| held.key == key).and_then(|held| match held.mode {
            FrictionMode::Slip(direction) => Some(direction),
            _ => None,
        })
    }
}
