//! Statics on the manifold of closed poses: equilibria, normal modes and inverse kinematics.
//!
//! All three use the *tangent space* of a closed pose (`tangent.rs`): with Z a basis of the free
//! motions,
//!
//! ```text
//! J Z = 0,    g = Zᵀ F,    F + Jᵀ λ ≈ 0 (least squares),    K = −Zᵀ ∂(F + Jᵀ λ)/∂x Z     (λ constant)
//! ```
//!
//! g is the force along the freedoms, K their stiffness: of springs, of weight, and through λ of
//! the curvature of the constraints (the weight of a pendulum is constant, and yet it oscillates).
//! Where g = 0, K is the second derivative of the energy along closed poses, and does not depend on
//! the choice of λ.
//!
//! | problem | file | method |
//! |---|---|---|
//! | equilibrium | `equilibrium.rs` | descent of the energy along closed poses until g = 0; K gives the stability |
//! | modes | `modes.rs` | M ÿ + C ẏ + K y = 0 in the freedoms y |
//! | reach | `reach.rs` | the same descent with one spring: from the named point to its target |
//!
//! `search.rs` has the descent, `bounds.rs` the inequalities, `problem.rs` the evaluation. Time
//! does not pass, velocities are zero, and forces that need motion (dampers, friction, drag)
//! vanish. All matrices are dense, for up to some hundred freedoms.

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
