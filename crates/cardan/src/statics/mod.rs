//! Inverse problems on the manifold of closed poses: where a mechanism rests, how it swings there,
//! how it reaches a place.
//!
//! All three look at a closed pose through its *tangent* (`tangent.rs`): with Z a basis of what the
//! joints leave free,
//!
//! ```text
//! J Z = 0,    g = Zᵀ F,    F + Jᵀ λ ≈ 0 (least squares),    K = −Zᵀ ∂(F + Jᵀ λ)/∂x Z     (λ held)
//! ```
//!
//! g is the force that the mechanism can follow, K the stiffness that it feels: that of springs, of
//! weight, and through λ of the joints' own curvature (a pendulum's gravity is constant, and yet it
//! swings). Where g = 0, K is the second derivative of the energy along closed poses, and which of
//! several λ is taken does not matter.
//!
//! | problem | file | what is done |
//! |---|---|---|
//! | equilibrium | `equilibrium.rs` | energy goes down along closed poses until g = 0; K says whether it is stable |
//! | modes | `modes.rs` | M ÿ + C ẏ + K y = 0 in the freedoms y |
//! | reach | `reach.rs` | the same descent with one spring: from the named point to its target |
//!
//! `search.rs` goes down, `bounds.rs` keeps it within limits, `problem.rs` evaluates. Time stands
//! still, velocities are zero, forces that need motion (dampers, friction, drag) are silent.
//! Everything is dense and meant for up to some hundred freedoms.

mod bounds;
mod equilibrium;
mod error;
mod modes;
mod problem;
mod reach;
mod search;
mod tangent;

pub use equilibrium::{Equilibrium, EquilibriumKind, Stability};
pub use error::StaticsError;
pub use modes::{Mode, ModeKind, Modes};
pub use reach::{Goal, Metric, Reach};
