//! Limits, contacts, friction, impacts and applied impulses.

mod faceted;
mod formulas;
mod heaps;
mod impulses;
mod machines;
mod restitution;
mod rolling_friction;
mod study;
mod unilateral;
