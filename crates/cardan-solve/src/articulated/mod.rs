//! Articulated-body elimination: linear time for a forest of six-dimensional blocks whose links are
//! *relative*.
//!
//! A link between child c and parent p is relative if its rows satisfy J_p = −J_c X, with X the rigid carry
//! over the distance d ([`Six::carried`](crate::math::Six::carried)). Then the f = 6 − m columns N that span
//! null(J_c), and one solution γ of J_c γ = −c, say the same as its m rows:
//!
//! ```text
//! x_c = X x_p + γ + N s
//! ```
//!
//! **Freedoms form**, for f = 0 … 3. D_c is the mass of c with what its children added:
//!
//! ```text
//! U = D_c N,   Q = Nᵀ U + E,   P = D_c − U Q⁻¹ Uᵀ,   r = F_c − D_c γ,   u = Nᵀ r + τ
//! D_p += Xᵀ P X,          F_p += Xᵀ (r − U Q⁻¹ u)
//! back:  s = Q⁻¹ (u − Uᵀ X x_p),   x_c = X x_p + γ + N s,   load = D_c x_c − F_c
//! ```
//!
//! τ: effort along the freedoms. E: inertia of the joint itself, diagonal: A + h C + h² K of an implicit effort
//! with armature A, damping C and stiffness K. Both are zero for a passive joint; else Nᵀ load = τ − E s.
//!
//! N is made D-orthogonal (n_k, w_k = D n_k, δ_k = n_k·w_k), so Q⁻¹ is f divisions. The load is J_cᵀ λ, the
//! reaction; λ is never formed. This is Featherstone's articulated-body algorithm, with blocks at their own
//! centres.
//!
//! **Rows form**, for m = 1 … 3, where that is smaller. j_k: the rows made D⁻¹-orthogonal; z_k = D⁻¹ j_k; σ_k
//! = j_k·z_k; c_k: the biases, combined as the rows are:
//!
//! ```text
//! D_p += Xᵀ (Σ j_k j_kᵀ/σ_k) X,   t_k = c_k + z_k·F_c,   F_p += Xᵀ Σ j_k t_k/σ_k
//! back:  λ_k = (j_k·X x_p − t_k)/σ_k,   x_c = D⁻¹ F_c + Σ z_k λ_k,   load = Σ j_k λ_k
//! ```
//!
//! Both forms are the same elimination; the cheaper one is used. A root without a link solves D x = F. Every
//! block is written about its own centre, never about a common origin: long chains keep their digits.
//!
//! | file | |
//! |---|---|
//! | `node.rs`, `fill.rs`, `solution.rs` | one block with its link; traits that write its input and take its solution |
//! | `forest.rs` | the nodes in elimination order, built from a graph |
//! | `eliminate.rs`, `solve.rs`, `refine.rs` | elimination, solves with the factor, iterative refinement |
//! | `kernel.rs`, `ball.rs` | the arithmetic of the two forms at one node; of a spherical link |
//! | `propagate.rs` | inverse inertia of a few blocks, by forces along their paths |
//! | `two_rhs.rs` | two right-hand sides in one sweep |
//! | `loops/` | links that the forest leaves out ([`LoopClosure`]), couplings between any number of blocks |
//! | `rank_plan.rs` | which rows of these are independent, by geometry alone |
//! | `level_schedule.rs` | nodes of one tree in SIMD lanes, level by level |
//! | `f64x3/` | the kernels with one 3-vector per AVX2 register |

mod ball;
#[cfg(test)]
mod coupling_tests;
mod eliminate;
pub mod f64x3;
mod fill;
mod forest;
mod kernel;
pub mod level_schedule;
mod loops;
mod node;
mod propagate;
#[cfg(test)]
mod random;
mod rank_plan;
mod refine;
mod solution;
mod solve;
#[cfg(test)]
mod tests;
mod two_rhs;

pub use crate::tolerances::RANK_TOLERANCE;
pub use fill::{FillNodes, FillWith, TakeSolution};
pub use forest::{ArticulatedForest, child_of};
pub use loops::{
    Coupling, CouplingEnd, EndKind, GroundLoops, LoopClosure, LoopEnd, MAX_LOOP_ROWS, NEARLY_SINGULAR, Noise,
};
pub use node::{Form, MAX_COLUMNS, Node, NodeExtra, NodeInput};
pub use propagate::MAX_PARTS;
pub use rank_plan::{JointGeometry, MAX_FREEDOMS};
pub use solution::{NodeExtras, NodeSolution, Results, SolutionStore};
pub use solve::{ALL_LOADS, NO_LOADS, ROOT_LOADS};
pub use two_rhs::TwoRhs;
