//! Solvers for constrained linear systems on a graph of blocks (saddle-point or KKT systems):
//!
//! ```text
//! M x = F + Jᵀ λ              M block diagonal, positive definite
//! J x + E λ + c = 0           E diagonal, zero (rigid) or positive (compliant)
//!
//! H = ⎡  M  −Jᵀ ⎤             H (x, λ) = (F, c)
//!     ⎣ −J  −E  ⎦
//! ```
//!
//! x: unknowns, in *blocks*. λ: multipliers, one per row of J. The rows come in groups, the *links*, each of
//! which acts on few blocks. In multibody dynamics a block is a body, a link is a joint, x are accelerations
//! and λ are joint forces; this crate knows sizes and numbers only.
//!
//! A [`Graph`] says which blocks a link acts on, a [`System`] has the numbers, and a solver factors and
//! solves it:
//!
//! | solver | graphs | method | cost |
//! |---|---|---|---|
//! | [`Tree`] | without loops | block LDLᵀ from the leaves to the roots (Baraff 1996) | linear |
//! | [`ArticulatedForest`] | six-dimensional blocks, relative links; loops too | articulated-body elimination | linear, plus loops |
//! | [`Sparse`] | any | multifrontal elimination in an order of least fill | linear where loops are local |
//! | [`ConjugateGradient`] | any | iteration on J M⁻¹ Jᵀ + E, never formed (Witkin 1997) | per iteration linear |
//! | [`Dense`] | any | one dense matrix; shares no code with the others, so that tests can compare | cubic |
//! | [`AuxiliarySchur`] | any of these, with auxiliary rows | Schur complement of the auxiliary rows (Baraff 1996, §8) | one solve per row |
//! | [`Solver`] | any | chooses `Tree`, `Sparse` or `AuxiliarySchur` by the graph | |
//!
//! Direct solvers find redundant rows by geometry alone: never by masses, and relative to the terms that
//! formed each row. They drop these rows, solve for the others exactly, and report whether a dropped row
//! contradicts the others ([`Dropped`]). [`ConjugateGradient`] tolerates redundant rows without finding them.
//!
//! ```
//! use cardan_solve::{Graph, Solver, System, residual};
//! use std::sync::Arc;
//!
//! // Two blocks of one unknown each; the first is tied to the ground, the second to the first.
//! let mut graph = Graph::new();
//! let (a, b) = (graph.add_block(1), graph.add_block(1));
//! let tie = graph.add_link(1, &[None, Some(a)]);
//! let join = graph.add_link(1, &[Some(a), Some(b)]);
//!
//! let mut system = System::new(Arc::new(graph));
//! system.mass_mut(a)[0] = 2.0;
//! system.mass_mut(b)[0] = 3.0;
//! system.force_of_mut(b)[0] = 6.0;
//! system.jac_mut(tie, 1)[0] = 1.0;
//! system.jac_mut(join, 0)[0] = -1.0;
//! system.jac_mut(join, 1)[0] = 1.0;
//! system.bias_of_mut(tie)[0] = 0.5;
//!
//! let mut solver = Solver::auto(system.graph());
//! solver.factor(&system)?;
//! let (mut x, mut lambda) = ([0.0; 2], [0.0; 2]);
//! solver.solve(system.force(), system.bias(), &mut x, &mut lambda);
//! assert!((x[0] + 0.5).abs() < 1e-14 && (x[1] + 0.5).abs() < 1e-14);
//! assert!((lambda[0] + 8.5).abs() < 1e-14 && (lambda[1] + 7.5).abs() < 1e-14);
//! assert!(residual(&system, system.force(), system.bias(), &x, &lambda).worst() < 1e-15);
//! # Ok::<(), cardan_solve::FactorError>(())
//! ```
//!
//! The same input gives the same bits: every sum has a fixed order, ties go to the lower index, and nothing
//! depends on addresses or time. No numeric input makes anything panic; a slice of the wrong length does.
//!
//! # Modules
//!
//! | module | |
//! |---|---|
//! | [`articulated`] | articulated-body elimination, loop closures, SIMD |
//! | [`tree`] | Baraff's elimination, with his appendix beside the code |
//! | [`complementarity`] | rows with inequalities: contact, friction, limits |
//! | [`eigen`] | eigenvalues of small dense matrices |
//! | [`math`] | 3-vectors, 3×3 matrices, six-vectors |
//! | [`simd`] | numbers in SIMD lanes, [`Lane`] is their scalar interface |
//! | [`triangle`] | small dense Cholesky factors |
//! | [`Rank`], [`NullSpaceBasis`] | rank, null space and circuits of dependent rows |
//! | [`residual`], [`Refiner`] | quality of a solution, iterative refinement |
//! | `tolerances.rs` | every shared threshold, with its reason |

pub mod articulated;
mod auxiliary;
pub mod complementarity;
mod conjugate_gradient;
mod dense;
mod dropped;
pub mod eigen;
mod error;
mod forest;
mod fronts;
mod graph;
mod kernel;
mod lane;
pub mod math;
mod null_space;
mod rank;
mod refine;
mod residual;
pub mod simd;
mod solver;
mod sparse;
mod system;
mod tolerances;
pub mod tree;

/// Cholesky factor of a small dense matrix: a packed lower triangle, row by row, with the reciprocals of the
/// diagonal.
pub mod triangle {
    pub use crate::kernel::{backward, cholesky, forward};
}

pub use articulated::ArticulatedForest;
pub use auxiliary::{AuxiliarySchur, SolveStage, Trace, TracedRow, Visits};
pub use conjugate_gradient::ConjugateGradient;
pub use dense::Dense;
pub use dropped::Dropped;
pub use error::{FactorError, NotATree, SystemEntry};
pub use forest::{Forest, Role};
pub use graph::{Block, Graph, Link};
pub use lane::{Counted, Lane, Operations, Task};
pub use null_space::NullSpaceBasis;
pub use rank::Rank;
pub use refine::Refiner;
pub use residual::{Residual, residual, residual_relative_to_forces};
pub use solver::Solver;
pub use sparse::Sparse;
pub use system::System;
pub use tolerances::ROUNDING_OF_GEOMETRY;
pub use tree::Tree;
