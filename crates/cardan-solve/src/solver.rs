//! One name for all solvers: whichever suits the graph.

use std::sync::Arc;

use crate::conjugate_gradient::ConjugateGradient;
use crate::dense::Dense;
use crate::dropped::Dropped;
use crate::error::FactorError;
use crate::forest::{Forest, Role};
use crate::graph::{Graph, Link};
use crate::sparse::Sparse;
use crate::system::System;
use crate::tree::Tree;

/// A solver, chosen by the graph.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "one per mechanism, never in arrays")]
pub enum Solver {
    /// Linear time; forests only.
    Tree(Tree),
    /// Any graph; linear time on rings, near it on nets.
    Sparse(Sparse),
    /// Any graph, by iteration; stated instead of exact.
    ConjugateGradient(ConjugateGradient),
    /// Cubic time; any graph.
    Dense(Dense),
}

impl Solver {
    /// The tree solver if the graph is a forest, else the sparse one. Depends on the graph alone.
    pub fn auto(graph: &Arc<Graph>) -> Solver {
        match Tree::new(graph) {
            Ok(tree) => Solver::Tree(tree),
            Err(_) => Solver::Sparse(Sparse::new(graph)),
        }
    }

    /// `"tree"`, `"sparse"`, `"conjugate-gradient"` or `"dense"`.
    pub fn name(&self) -> &'static str {
        match self {
            Solver::Tree(_) => "tree",
            Solver::Sparse(_) => "sparse",
            Solver::ConjugateGradient(_) => "conjugate-gradient",
            Solver::Dense(_) => "dense",
        }
    }

    /// Why this one, in a sentence: what the graph has and what that costs.
    pub fn why(&self) -> String {
        match self {
            Solver::Tree(_) => {
                "no loops: what hangs on nothing else is eliminated first, in linear time".into()
            }
            Solver::Sparse(sparse) => {
                let forest = Forest::grow(sparse.graph());
                let count = |role: Role| forest.links_with(role).count();
                let (loops, wide, cost) =
                    (count(Role::Loop), count(Role::Auxiliary), sparse.predicted_cost());
                let have = match (loops, wide) {
                    (0, 0) => "no loops, but asked for".into(),
                    (1, 0) => "1 loop".into(),
                    (n, 0) => format!("{n} loops"),
                    (0, n) => format!("{n} × three or more held together"),
                    (n, m) => format!("{n} loops and {m} × three or more held together"),
                };
                format!("{have}: eliminated in the order of least fill, about {cost} multiplications a time")
            }
            Solver::ConjugateGradient(_) => {
                "asked for: iterations on J M⁻¹ Jᵀ, as exact as the certificate says".into()
            }
            Solver::Dense(_) => "asked for: one dense matrix, whose cost is cubic".into(),
        }
    }

    /// Iterations so far: those of conjugate gradients, none of the others.
    pub fn iterations(&self) -> u64 {
        match self {
            Solver::ConjugateGradient(iterated) => iterated.iterations(),
            Solver::Tree(_) | Solver::Sparse(_) | Solver::Dense(_) => 0,
        }
    }

    /// Decides which rows are redundant, those of which no more than `rounding` is left beside the others: `idle` of these
    /// becomes true, of the others false. By geometry alone; [`factor`](Solver::factor) takes 1e-9. The tree decides
    /// while it factors, with 1e-9 whatever `rounding` says. Until the next factor [`solve`](Solver::solve) may answer NaN.
    ///
    /// # Errors
    /// When a number is not finite; for the tree as [`factor`](Solver::factor).
    pub fn decide(&mut self, system: &System, rounding: f64, idle: &mut [bool]) -> Result<(), FactorError> {
        match self {
            Solver::Sparse(sparse) => sparse.decide(system, rounding, idle),
            Solver::ConjugateGradient(iterated) => iterated.decide(system, rounding, idle),
            Solver::Dense(dense) => dense.decide(system, rounding, idle),
            Solver::Tree(tree) => {
                tree.factor(system)?;
                idle.fill(false);
                for dropped in tree.dropped() {
                    idle[system.graph().row_range(dropped.link).start + dropped.row] = true;
                }
                Ok(())
            }
        }
    }

    /// Like [`factor`](Solver::factor) without the rows that are `idle`, one entry per row: their λ is zero, whatever they want. The
    /// others should be independent, as they are where [`decide`](Solver::decide) said so and in states near by.
    ///
    /// # Errors
    /// As [`factor`](Solver::factor).
    ///
    /// # Panics
    /// If there is not one entry per row.
    pub fn factor_without(&mut self, system: &System, idle: &[bool]) -> Result<(), FactorError> {
        match self {
            Solver::Tree(tree) => tree.factor_without(system, idle),
            Solver::Sparse(sparse) => sparse.factor_without(system, idle),
            Solver::ConjugateGradient(iterated) => iterated.factor_without(system, idle),
            Solver::Dense(dense) => dense.factor_without(system, idle),
        }
    }

    /// The smallest remainder of a row that the last factor was content with, beside what formed it; infinite where the solver
    /// does not look.
    pub fn smallest_accepted(&self) -> f64 {
        match self {
            Solver::Sparse(sparse) => sparse.geometry().smallest_accepted(),
            Solver::Dense(dense) => dense.smallest_accepted(),
            Solver::Tree(_) | Solver::ConjugateGradient(_) => f64::INFINITY,
        }
    }

    /// Prepares [`solve`](Solver::solve) for the masses, rows and compliances of `system`.
    ///
    /// # Errors
    /// When the numbers cannot be factored; the solver then answers NaN until the next success.
    pub fn factor(&mut self, system: &System) -> Result<(), FactorError> {
        match self {
            Solver::Tree(tree) => tree.factor(system),
            Solver::Sparse(sparse) => sparse.factor(system),
            Solver::ConjugateGradient(iterated) => iterated.factor(system),
            Solver::Dense(dense) => dense.factor(system),
        }
    }

    /// Solves H (x, λ) = (F, c) with the last factor.
    pub fn solve(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        match self {
            Solver::Tree(tree) => tree.solve(force, bias, x, lambda),
            Solver::Sparse(sparse) => sparse.solve(force, bias, x, lambda),
            Solver::ConjugateGradient(iterated) => iterated.solve(force, bias, x, lambda),
            Solver::Dense(dense) => dense.solve(force, bias, x, lambda),
        }
    }

    /// Like [`solve`](Solver::solve), for a correction: leaves the notes on dropped rows as they are.
    pub fn correct(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        match self {
            Solver::Tree(tree) => tree.correct(force, bias, x, lambda),
            Solver::Sparse(sparse) => sparse.correct(force, bias, x, lambda),
            Solver::ConjugateGradient(iterated) => iterated.solve(force, bias, x, lambda),
            Solver::Dense(dense) => dense.correct(force, bias, x, lambda),
        }
    }

    /// Rows answered: all rows less the redundant ones.
    pub fn rank(&self) -> usize {
        match self {
            Solver::Tree(tree) => tree.rank(),
            Solver::Sparse(sparse) => sparse.rank(),
            Solver::ConjugateGradient(iterated) => iterated.graph().rows(),
            Solver::Dense(dense) => dense.rank(),
        }
    }

    /// The redundant rows, with their leftovers after a solve.
    pub fn dropped(&self) -> &[Dropped] {
        match self {
            Solver::Tree(tree) => tree.dropped(),
            Solver::Sparse(sparse) => sparse.dropped(),
            Solver::ConjugateGradient(iterated) => iterated.dropped(),
            Solver::Dense(dense) => dense.dropped(),
        }
    }

    /// Whether a row is among the redundant ones.
    pub fn row_is_dropped(&self, link: Link, row: usize) -> bool {
        self.dropped().iter().any(|dropped| (dropped.link, dropped.row) == (link, row))
    }

    /// The λ that the `k`-th dropped row leaves free: Jᵀ λ = 0 with λ = 1 on that row.
    ///
    /// # Panics
    /// If there is no such dropped row or `lambda` has the wrong length.
    pub fn null_vector(&mut self, k: usize, lambda: &mut [f64]) {
        match self {
            Solver::Tree(tree) => tree.null_vector(k, lambda),
            Solver::Sparse(sparse) => sparse.null_vector(k, lambda),
            Solver::ConjugateGradient(_) => {
                panic!("conjugate gradients drop no row, so there is no row {k} of {}", lambda.len())
            }
            Solver::Dense(dense) => dense.null_vector(k, lambda),
        }
    }

    /// Per row, whether its λ is the same in every solution: whether no null vector of Jᵀ touches it.
    ///
    /// `system` is the one factored; `scratch` and `unique` have one entry per row. Costs as many passes
    /// over the graph as there are dropped rows, two for the sparse solver. Conjugate gradients do not know.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn compute_unique(&mut self, system: &System, scratch: &mut [f64], unique: &mut [bool]) {
        let graph = system.graph();
        assert_eq!((scratch.len(), unique.len()), (graph.rows(), graph.rows()), "length of scratch, unique");
        if let Solver::Sparse(sparse) = self {
            return sparse.geometry_mut().compute_unique(scratch, unique);
        }
        unique.fill(true);
        for k in 0..self.dropped().len() {
            self.null_vector(k, scratch);
            // Beside the magnitude that formed it, so that units do not matter. A row of zeros has none.
            let dropped = self.dropped()[k];
            unique[graph.row_range(dropped.link).start + dropped.row] = false;
            let mut largest = 0.0;
            for link in graph.all_links() {
                for (row, at) in graph.row_range(link).enumerate() {
                    scratch[at] = scratch[at].abs() * system.formed(link, row);
                    if scratch[at] > largest {
                        largest = scratch[at];
                    }
                }
            }
            for (unique, share) in unique.iter_mut().zip(scratch.iter()) {
                *unique &= *share <= 1e-9 * largest;
            }
        }
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Solver::Tree(tree) => tree.bytes(),
            Solver::Sparse(sparse) => sparse.bytes(),
            Solver::ConjugateGradient(iterated) => iterated.bytes(),
            Solver::Dense(dense) => dense.bytes(),
        }
    }
}
