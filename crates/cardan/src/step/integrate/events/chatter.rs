//! Chatter.

/// Events in a step after which nothing rebounds any more.
const MOST_EVENTS: u32 = 500;
/// Events in a step after which what opens no faster than `rest_speed` is not taken to open, and after twice and thrice as many ten and a hundred times that: two
/// corners that lift each other by turns have no end.
const CHATTER: u32 = 16;

/// How events are taken after many of them in one step.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct ChatterPolicy {
    /// What touches and opens slower than this many times `rest_speed` does not open.
    pub(super) opens: f64,
    /// Nothing rebounds.
    pub(super) is_calm: bool,
}

impl ChatterPolicy {
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
