//! Chatter: how events are treated after many of them in one step.
//!
//! Two corners that lift each other by turns have no last event (Zeno behaviour). The more events a
//! step has had, the faster a contact must separate to count as opening; finally nothing rebounds.

/// Events in one step after which nothing rebounds.
const MOST_EVENTS: u32 = 500;
/// Events in one step after which a contact that opens more slowly than `restitution_threshold` stays closed;
/// after twice and three times as many the bound is ten and a hundred times `restitution_threshold`.
const CHATTER: u32 = 16;

/// How events are treated after a number of them in one step.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct ChatterPolicy {
    /// A contact that opens more slowly than this many times `restitution_threshold` stays closed.
    pub(super) opens: f64,
    /// Whether restitution is zero.
    pub(super) is_calm: bool,
}

impl ChatterPolicy {
    /// The policy after this many events in the step.
    pub(super) fn after(events: u32) -> Self {
        let opens = match events / CHATTER {
            0 => 0.0,
            1 => 1.0,
            2 => 10.0,
            _ => 100.0,
        };
        ChatterPolicy { opens, is_calm: events >= MOST_EVENTS }
    }
}
