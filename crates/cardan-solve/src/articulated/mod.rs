//! Linear-time elimination of a forest of six-dimensional blocks whose links carry the parent along.
//!
//! Here every link between child c and parent p is *relative*: its rows satisfy J_p = −J_c X with X the rigid carry
//! over the distance d (see [`Six::carried`]). Then it need not be given by its m rows; the f = 6 − m freedoms N
//! that span null(J_c), and one solution γ of J_c γ = −c, say the same:
//!
//!   x_c = X x_p + γ + N s
//!
//! **Freedoms form**, for f = 0 … 3. With D_c the mass of c and what its children added:
//!
//! ```text
//! U = D_c N,   Q = Nᵀ U,   P = D_c − U Q⁻¹ Uᵀ,   r = F_c − D_c γ
//! D_p += Xᵀ P X,          F_p += Xᵀ (r − U Q⁻¹ Nᵀ r)
//! back:  s = Q⁻¹ (Nᵀ r − Uᵀ X x_p),   x_c = X x_p + γ + N s,   load = D_c x_c − F_c
//! ```
//!
//! N is made D-orthogonal on the way (n_k, w_k = D n_k, δ_k = n_k·w_k), so that Q⁻¹ is f divisions. The load is
//! J_cᵀ λ: the reaction, without λ ever being formed.
//!
//! **Rows form**, for m = 1 … 3, where that is smaller: with j_k the rows made D⁻¹-orthogonal, z_k = D⁻¹ j_k,
//! σ_k = j_k·z_k, and biases c_k combined alike:
//!
//! ```text
//! D_p += Xᵀ (Σ j_k j_kᵀ/σ_k) X,   t_k = c_k + z_k·F_c,   F_p += Xᵀ Σ j_k t_k/σ_k
//! back:  λ_k = (j_k·X x_p − t_k)/σ_k,   x_c = D⁻¹ F_c + Σ z_k λ_k,   load = Σ j_k λ_k
//! ```
//!
//! Both are the same elimination; which is used is a matter of cost. A root that floats has D x = F alone.
//! Everything refers to each block's own centre, never to a common origin: long chains keep their digits.
//!
//! Links beyond the forest are [`LoopClosure`]s: their rows travel along the forest and are eliminated where their two ends
//! meet (`loop_closure.rs`), and which of them are independent is decided by geometry alone (`rank_plan.rs`).

mod ball;
mod eliminate;
pub mod f64x3;
mod fill;
mod forest;
mod kernel;
pub mod level_schedule;
mod loops;
mod node;
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
pub use loops::{GroundLoops, LoopClosure, LoopEnd, MAX_LOOP_ROWS, NEARLY_SINGULAR, Noise};
pub use node::{Form, MAX_COLUMNS, Node, NodeExtra, NodeInput};
pub use rank_plan::{JointGeometry, MAX_FREEDOMS};
pub use solution::{NodeExtras, NodeSolution, Results, SolutionStore};
pub use solve::{ALL_LOADS, NO_LOADS, ROOT_LOADS};
pub use two_rhs::TwoRhs;
