//! Multipliers of a graph of blocks: linear algebra for systems of the form
//!
//! ```text
//! M x = F + Jᵀ λ              M block diagonal, positive definite
//! J x + E λ + c = 0           E diagonal, zero (rigid) or positive (compliant)
//!
//! H = ⎡  M  −Jᵀ ⎤             H (x, λ) = (F, c)
//!     ⎣ −J  −E  ⎦
//! ```
//!
//! where the rows of J come in groups, the *links*, each of which touches few blocks of x. This crate knows
//! sizes and numbers, and nothing of what they stand for.
//!
//! A [`Graph`] says what is connected to what, a [`System`] puts numbers on it, and a solver answers it:
//!
//! * [`Tree`]: graphs without loops in linear time, after Baraff 1996; the module's page has his appendix beside the code;
//! * [`Sparse`]: any graph, loops and nets, block by block in the order of least fill; linear time where loops are local;
//! * [`ConjugateGradient`]: any graph by iteration on J M⁻¹ Jᵀ + E, which is never formed, after Witkin 1997;
//! * [`Dense`]: any graph in cubic time; slow, obvious, and written apart from the others, so that they
//!   check each other;
//! * [`AuxiliarySchur`]: rows of any kind on top of any of these, also such whose forces act elsewhere (K ≠ Jᵀ), after Baraff's §8: one
//!   factor, a solve per row, and two more;
//! * [`Solver`]: whichever fits.
//!
//! Rows that push one way only, or within a cone, are in [`complementarity`].
//!
//! The direct ones find redundant rows by geometry alone: never by masses, and relative to what formed each row.
//! They drop them, answer the rest exactly, and say afterwards whether a dropped row contradicts the others
//! ([`Dropped`]). Conjugate gradients bear with them. [`Rank`] is that geometry by itself: rank, null space, circuits of
//! dependent rows, uniqueness. [`residual`] judges an answer, [`Refiner`] improves one.
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

/// Cholesky's factor of a small dense matrix: a packed lower triangle, row by row, with the reciprocals of the diagonal.
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
