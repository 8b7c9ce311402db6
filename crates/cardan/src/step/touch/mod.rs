//! Touch: inequalities in the time step. What is reached pushes, what is left lets go, and each of these instants is found.
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | rows | `rows.rs` | g, ġ, J and g̈ at rest of every condition |
//! | respond | `respond.rs` | M̂⁻¹ Jᵀ: how everything answers a unit push, once joints and loops have reacted (Baraff 1996, §8) |
//! | react | `react.rs` | λ ≥ 0 ⟂ g̈ ≥ 0 of the conditions that press: part of every evaluation of accelerations |
//! | impact | `impact.rs` | p ≥ 0 ⟂ ġ⁺ + e ġ⁻ ≥ 0 of those reached at speed |
//! | hold | `hold.rs` | g = 0 and ġ = 0 of those that press, after a step |
//! | phases | `phases.rs` | a step is cut where a condition is reached or let go: the first such time is found, the step rewound to it |
//!
//! With A = J M̂⁻¹ Jᵀ, where M̂⁻¹ already holds every joint and loop, everything is a small problem in the conditions that touch; its cost is one
//! solve with the factor at hand for each of them.

mod hold;
mod impact;
mod phases;
mod react;
mod respond;
mod rows;

pub(super) use hold::hold;
pub(super) use phases::{Phases, choose, step};
pub(super) use react::{act, react};

use crate::model::Model;
use cardan_solve::cone::ActiveSet;
use rows::Sheet;

/// Which condition: its index among the inequalities of the model.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(pub(crate) u32);

/// What happened to a condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// It presses from now on.
    Activated,
    /// It presses no longer.
    Released,
    /// It was reached at speed.
    Impact,
    /// The same, for a limit of a joint.
    Limit,
}

impl What {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            What::Activated => "activated",
            What::Released => "released",
            What::Impact => "impact",
            What::Limit => "limit",
        }
    }
}

/// An instant at which something changed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Event {
    /// When \[s\].
    pub time: f64,
    /// Which condition: an index into [`Model::inequalities`].
    pub inequality: usize,
    /// What happened.
    pub what: What,
    /// ġ just before, where it was reached at speed [m/s, rad/s].
    pub speed: f64,
    /// The impulse of the blow [N·s, N·m·s].
    pub impulse: f64,
}

/// A condition that presses, as a state keeps it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) key: Key,
}

/// Scratch of everything here.
#[derive(Debug, Default)]
pub(crate) struct Touch {
    /// Conditions that may press until the next event.
    pub(crate) set: Vec<Key>,
    /// Their rows at the last evaluation.
    pub(crate) sheet: Sheet,
    /// λ and g̈ of the last evaluation, row by row.
    pub(crate) lambda: Vec<f64>,
    pub(crate) acc: Vec<f64>,
    /// M̂⁻¹ Jᵀ, one column after another.
    columns: Vec<f64>,
    /// F without what the conditions push with.
    force: Vec<f64>,
    solver: ActiveSet,
    problem: respond::Small,
    /// A of all rows of a blow, of which some take part at a time.
    whole: Vec<f64>,
    whole_formed: Vec<f64>,
    /// Of all conditions, pressing or not.
    all: Sheet,
}

impl Touch {
    pub(super) fn new(model: &Model) -> Option<Box<Touch>> {
        model.has_inequalities().then(Box::default)
    }

    /// The multiplier of a condition in the last evaluation: zero unless it presses.
    pub(crate) fn strain(&self, key: Key) -> f64 {
        self.set.iter().position(|k| *k == key).map_or(0.0, |i| self.lambda.get(i).copied().unwrap_or(0.0))
    }
}
