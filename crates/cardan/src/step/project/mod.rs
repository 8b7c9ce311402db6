//! Projection: brings positions and velocities back onto the joints after a step.

pub(crate) mod euler;
pub(crate) mod general;
pub(crate) mod tree;
pub(crate) mod velocity;
