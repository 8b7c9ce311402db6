//! Complementarity problems: rows whose multipliers have bounds or lie in a friction cone.
//!
//! ```text
//! a = A λ + b
//!
//! Held            1 row    a = 0, λ free
//! OneSided        1 row    a ≥ 0  ⟂  λ ≥ 0
//! Bounded{lo,hi}  1 row    lo ≤ λ ≤ hi;  a ≥ 0 at lo, a ≤ 0 at hi, a = 0 between
//! Cone{mu}        3 rows   |λ_t| ≤ μ λ_n;  a_n ≥ 0 ⟂ λ_n ≥ 0;  λ_t = −μ λ_n a_t / |a_t| where a_t ≠ 0
//! Wedge{mu}       2 rows   a cone with one tangent
//! Scaled{n,mu}    1 row    |λ| ≤ μ λ_n with n the row of a normal;  λ = −μ λ_n sign(a) where a ≠ 0
//! ```
//!
//! A is k × k, dense, row by row; symmetric and positive semidefinite for all but [`lemke`]. In dynamics it
//! is the Delassus matrix J M⁻¹ Jᵀ, and a are velocities or accelerations of contacts. The cone condition is
//! De Saxcé's: with the shift â = (a_n + μ |a_t|, a_t) its three lines are K ∋ λ ⟂ â ∈ K*, a complementarity
//! over the cone K alone.
//!
//! | module | problems | method |
//! |---|---|---|
//! | [`active_set`] | rows without cones, A may be singular | dual active set, exact; finds contradictions |
//! | [`cones`] | all of the above | Gauss–Seidel, semismooth Newton, interior point; to a stated residual |
//! | [`factored`] | contacts of one mechanism, A = C Cᵀ by its factor | proximal point, semismooth Newton of the rank |
//! | [`lemke`] | rows without cones, any A | Lemke's method; there may be no solution |
//! | [`many_contacts`] | free blocks with many contacts | A is never formed |
//! | [`study`] | particles in corners | three historical rules, kept for comparison |
//!
//! Rows carry the size of the terms that formed them ([`Problem::matrix_formed`], [`Problem::bias_formed`]):
//! a zero that is the difference of large numbers is known only to their rounding, and everything is judged
//! relative to that. The same input gives the same bits; ties go to the lower row; workspaces allocate only
//! when a problem is larger than all before; no input panics.

pub mod active_set;
mod cholesky;
pub mod cones;
mod error;
pub mod factored;
pub mod lemke;
mod local;
pub mod many_contacts;
mod problem;
pub mod study;

pub use active_set::{ActiveSet, RowState};
pub use cones::{ConeSolver, GroupState, Method, Outcome};
pub use error::ComplementarityError;
pub use factored::{BodyRows, FactoredCones, FactoredOutcome, FactoredProblem};
pub use lemke::{Lemke, LemkeOutcome};
pub use many_contacts::{ConstraintKind, ContactMethod, ContactOutcome, ContactProblem, ManyContacts};
pub use problem::{Group, Problem};
pub use study::Study;
