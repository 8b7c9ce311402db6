//! Linear algebra on a graph of blocks:
//!
//!   M x = F + Jᵀ λ,   J x + E λ + c = 0

mod dense;
mod dropped;
mod error;
mod forest;
mod graph;
mod kernel;
mod lane;
mod refine;
mod residual;
mod solver;
mod system;
mod tree;

pub use dense::Dense;
pub use dropped::Dropped;
pub use error::{FactorError, NotATree, Place};
pub use forest::{Forest, Role};
pub use graph::{Block, Graph, Link};
pub use lane::{Counted, Lane, Operations};
pub use refine::Refiner;
pub use residual::{Residual, residual};
pub use solver::Solver;
pub use system::System;
pub use tree::Tree;
