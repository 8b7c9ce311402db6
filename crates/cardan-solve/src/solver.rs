//! One name for all solvers: whichever suits the graph.

use std::sync::Arc;

use crate::dense::Dense;
use crate::dropped::Dropped;
use crate::error::FactorError;
use crate::graph::{Graph, Link};
use crate::system::System;
use crate::tree::Tree;

/// A solver, chosen by the graph.
#[derive(Clone, Debug)]
pub enum Solver {
    /// Linear time; forests only.
    Tree(Tree),
    /// Cubic time; any graph.
    Dense(Dense),
}

impl Solver {
    /// The tree solver if the graph is a forest, else the dense one.
    pub fn auto(graph: &Arc<Graph>) -> Solver {
        match Tree::new(graph) {
            Ok(tree) => Solver::Tree(tree),
            Err(_) => Solver::Dense(Dense::new(graph)),
        }
    }

    /// `"tree"` or `"dense"`.
    pub fn name(&self) -> &'static str {
        match self {
            Solver::Tree(_) => "tree",
            Solver::Dense(_) => "dense",
        }
    }

    /// Prepares [`solve`](Solver::solve) for the masses, rows and compliances of `system`.
    ///
    /// # Errors
    /// When the numbers cannot be factored; the solver then answers NaN until the next success.
    pub fn factor(&mut self, system: &System) -> Result<(), FactorError> {
        match self {
            Solver::Tree(tree) => tree.factor(system),
            Solver::Dense(dense) => dense.factor(system),
        }
    }

    /// Solves H (x, λ) = (F, c) with the last factor.
    pub fn solve(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        match self {
            Solver::Tree(tree) => tree.solve(force, bias, x, lambda),
            Solver::Dense(dense) => dense.solve(force, bias, x, lambda),
        }
    }

    /// Like [`solve`](Solver::solve), for a correction: leaves the notes on dropped rows as they are.
    pub fn correct(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        match self {
            Solver::Tree(tree) => tree.correct(force, bias, x, lambda),
            Solver::Dense(dense) => dense.correct(force, bias, x, lambda),
        }
    }

    /// Rows answered: all rows less the redundant ones.
    pub fn rank(&self) -> usize {
        match self {
            Solver::Tree(tree) => tree.rank(),
            Solver::Dense(dense) => dense.rank(),
        }
    }

    /// The redundant rows, with their leftovers after a solve.
    pub fn dropped(&self) -> &[Dropped] {
        match self {
            Solver::Tree(tree) => tree.dropped(),
            Solver::Dense(dense) => dense.dropped(),
        }
    }

    /// Whether a row is among the redundant ones.
    pub fn row_is_dropped(&self, link: Link, row: usize) -> bool {
        self.dropped().iter().any(|dropped| (dropped.link, dropped.row) == (link, row))
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Solver::Tree(tree) => tree.bytes(),
            Solver::Dense(dense) => dense.bytes(),
        }
    }
}
