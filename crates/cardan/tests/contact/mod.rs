//! Limits, contacts, friction, impacts and applied impulses.

mod chosen;
mod faceted;
mod formulas;
mod heaps;
mod impulses;
mod joint_limits;
mod machines;
mod restitution;
mod rolling_friction;
mod shared_load;
mod slow_slides;
mod study;
mod unilateral;
