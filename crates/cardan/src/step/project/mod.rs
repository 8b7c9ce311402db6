//! Projection: brings positions and velocities back onto the constraints after a step.
//!
//! | file | content |
//! |---|---|
//! | `general.rs` | mass-orthogonal projection of any mechanism, with repeated corrections |
//! | `euler.rs` | Euler steps on the articulated path, with one factorization per step |
//! | `tree.rs` | position projection of tree joints, body by body from the roots |
//! | `velocity.rs` | velocity projection of a mechanism whose tree joints are closed |

pub(crate) mod euler;
pub(crate) mod general;
pub(crate) mod tree;
pub(crate) mod velocity;
