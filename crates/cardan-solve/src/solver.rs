//! One type for all solvers, chosen by the graph.

use std::sync::Arc;

use crate::auxiliary::AuxiliarySchur;
use crate::conjugate_gradient::ConjugateGradient;
use crate::dense::Dense;
use crate::dropped::Dropped;
use crate::error::{FactorError, NotATree};
use crate::forest::{Forest, Role};
use crate::graph::{Graph, Link};
use crate::sparse::Sparse;
use crate::system::System;
use crate::tolerances::NOT_UNIQUE;
use crate::tree::Tree;

/// A solver, chosen by the graph.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "one per mechanism, never in arrays")]
pub enum Solver {
    /// Linear time; forests only.
    Tree(Tree),
    /// Any graph; linear time on rings, nearly linear on nets.
    Sparse(Sparse),
    /// Any graph, by iteration; the residual is reported, not guaranteed.
    ConjugateGradient(ConjugateGradient),
    /// Cubic time; any graph.
    Dense(Dense),
    /// Any of these, with a Schur complement for auxiliary rows.
    WithAuxiliary(Box<AuxiliarySchur>),
}

/// Up to this many rows on three or more blocks are auxiliary without an estimate of what the sparse solver
/// would cost, which may take as long as the solve.
const MAX_UNWEIGHED_ROWS: usize = 32;
/// Estimated multiplications of the response to an auxiliary row, per block that it passes and per square of
/// the block's dimension.
const RESPONSE: u64 = 4;

impl Solver {
    /// The tree solver if the graph is a forest, else the sparse one. Links marked as auxiliary are solved
    /// for by a Schur complement, and so are those on three or more blocks, unless they are so many that the
    /// sparse solver is cheaper. Depends on the graph alone.
    pub fn auto(graph: &Arc<Graph>) -> Solver {
        let forest = Forest::grow(graph);
        if forest.is_tree() {
            return Solver::auto_plain(graph);
        }
        let wide: Vec<Link> = forest.links_with(Role::Auxiliary).collect();
        if wide.is_empty() {
            return Solver::auto_plain(graph);
        }
        let schur = AuxiliarySchur::new(graph, |link| forest.role(link) == Role::Auxiliary);
        if schur.columns() <= MAX_UNWEIGHED_ROWS
            || predicted_cost(&schur) <= Sparse::<f64>::new(graph).predicted_cost()
        {
            return Solver::WithAuxiliary(Box::new(schur));
        }
        if graph.has_auxiliary() {
            return Solver::WithAuxiliary(Box::new(AuxiliarySchur::new(graph, |link| {
                graph.is_auxiliary(link)
            })));
        }
        Solver::auto_plain(graph)
    }

    /// The tree solver if the graph is a forest, else the sparse one.
    pub(crate) fn auto_plain(graph: &Arc<Graph>) -> Solver {
        match Tree::new(graph) {
            Ok(tree) => Solver::Tree(tree),
            Err(_) => Solver::Sparse(Sparse::new(graph)),
        }
    }

    /// A given solver for all links but the auxiliary ones, with a Schur complement for these.
    ///
    /// # Errors
    /// Those of `primary`, in terms of the whole graph.
    pub fn on(
        graph: &Arc<Graph>,
        primary: impl FnOnce(&Arc<Graph>) -> Result<Solver, NotATree>,
    ) -> Result<Solver, NotATree> {
        if !graph.has_auxiliary() {
            return primary(graph);
        }
        let schur = AuxiliarySchur::on(graph, |link| graph.is_auxiliary(link), primary)?;
        Ok(Solver::WithAuxiliary(Box::new(schur)))
    }

    /// Solves per factorisation: one per auxiliary row.
    pub fn solves_per_factor(&self) -> usize {
        match self {
            Solver::WithAuxiliary(schur) => schur.columns(),
            _ => 0,
        }
    }

    /// Passes over the graph per solve: two with auxiliary rows.
    pub fn passes_per_solve(&self) -> usize {
        match self {
            Solver::WithAuxiliary(schur) if schur.columns() > 0 => 2,
            _ => 1,
        }
    }

    /// `"tree"`, `"sparse"`, `"conjugate-gradient"` or `"dense"`, each possibly with auxiliary rows.
    pub fn name(&self) -> &'static str {
        match self {
            Solver::Tree(_) => "tree",
            Solver::Sparse(_) => "sparse",
            Solver::ConjugateGradient(_) => "conjugate-gradient",
            Solver::Dense(_) => "dense",
            Solver::WithAuxiliary(schur) => match schur.primary() {
                Solver::Tree(_) => "tree with auxiliary rows",
                Solver::Sparse(_) => "sparse with auxiliary rows",
                Solver::ConjugateGradient(_) => "conjugate-gradient with auxiliary rows",
                Solver::Dense(_) => "dense with auxiliary rows",
                Solver::WithAuxiliary(inner) => inner.primary().name(),
            },
        }
    }

    /// The reason for this solver, in a sentence: what the graph has and what that costs.
    pub fn why(&self) -> String {
        match self {
            Solver::Tree(_) => "no loops: eliminated from the leaves to the roots, in linear time".into(),
            Solver::Sparse(sparse) => {
                let forest = Forest::grow(sparse.graph());
                let count = |role: Role| forest.links_with(role).count();
                let (loops, wide, cost) =
                    (count(Role::Loop), count(Role::Auxiliary), sparse.predicted_cost());
                let have = match (loops, wide) {
                    (0, 0) => "no loops, but asked for".into(),
                    (1, 0) => "1 loop".into(),
                    (n, 0) => format!("{n} loops"),
                    (0, n) => format!("{n} links on three or more blocks"),
                    (n, m) => format!("{n} loops and {m} links on three or more blocks"),
                };
                format!("{have}: eliminated in an order of least fill, about {cost} multiplications a time")
            }
            Solver::ConjugateGradient(_) => {
                "asked for: iterations on J M⁻¹ Jᵀ, as exact as the certificate says".into()
            }
            Solver::Dense(_) => "asked for: one dense matrix, whose cost is cubic".into(),
            Solver::WithAuxiliary(schur) => {
                let (k, n) = (schur.columns(), schur.graph().blocks());
                let below = schur.primary().why();
                let cost = match schur.visits() {
                    Some(visits) => format!("passing {} places of {}", visits.up + visits.down, 2 * k * n),
                    None => "in full".into(),
                };
                format!(
                    "{below}; {k} auxiliary rows by a Schur complement on its factor, one solve each, {cost}"
                )
            }
        }
    }

    /// Iterations so far; zero for direct solvers.
    pub fn iterations(&self) -> u64 {
        match self {
            Solver::ConjugateGradient(iterated) => iterated.iterations(),
            Solver::Tree(_) | Solver::Sparse(_) | Solver::Dense(_) => 0,
            Solver::WithAuxiliary(schur) => schur.primary().iterations(),
        }
    }

    /// Decides which rows are redundant: those of which at most `rounding` is left beside the others. Their
    /// entry of `idle` becomes true, that of the others false. By geometry alone; [`factor`](Solver::factor)
    /// takes 1e-9. The tree decides while it factors, with 1e-9 whatever `rounding` says. Until the next
    /// factor [`solve`](Solver::solve) may return NaN.
    ///
    /// # Errors
    /// When a number is not finite; for the tree as [`factor`](Solver::factor).
    pub fn decide(&mut self, system: &System, rounding: f64, idle: &mut [bool]) -> Result<(), FactorError> {
        match self {
            Solver::Sparse(sparse) => sparse.decide(system, rounding, idle),
            Solver::ConjugateGradient(iterated) => iterated.decide(system, rounding, idle),
            Solver::Dense(dense) => dense.decide(system, rounding, idle),
            Solver::WithAuxiliary(schur) => schur.decide(system, rounding, idle),
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

    /// Factors without the rows that are `idle`, one entry per row: their λ is zero. The others should be
    /// independent, as they are where [`decide`](Solver::decide) said so and in states nearby.
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
            Solver::WithAuxiliary(schur) => schur.factor_without(system, idle),
        }
    }

    /// Smallest remainder of a row that the last factor accepted, relative to what formed it; infinite where
    /// the solver does not measure it.
    pub fn smallest_accepted(&self) -> f64 {
        match self {
            Solver::Sparse(sparse) => sparse.geometry().smallest_accepted(),
            Solver::Dense(dense) => dense.smallest_accepted(),
            Solver::WithAuxiliary(schur) => schur.primary().smallest_accepted(),
            Solver::Tree(_) | Solver::ConjugateGradient(_) => f64::INFINITY,
        }
    }

    /// Prepares [`solve`](Solver::solve) for the masses, rows and compliances of `system`.
    ///
    /// # Errors
    /// When the numbers cannot be factored; the solver then returns NaN until the next success.
    pub fn factor(&mut self, system: &System) -> Result<(), FactorError> {
        match self {
            Solver::Tree(tree) => tree.factor(system),
            Solver::Sparse(sparse) => sparse.factor(system),
            Solver::ConjugateGradient(iterated) => iterated.factor(system),
            Solver::Dense(dense) => dense.factor(system),
            Solver::WithAuxiliary(schur) => schur.factor(system),
        }
    }

    /// Solves H (x, λ) = (F, c) with the last factor.
    pub fn solve(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        match self {
            Solver::Tree(tree) => tree.solve(force, bias, x, lambda),
            Solver::Sparse(sparse) => sparse.solve(force, bias, x, lambda),
            Solver::ConjugateGradient(iterated) => iterated.solve(force, bias, x, lambda),
            Solver::Dense(dense) => dense.solve(force, bias, x, lambda),
            Solver::WithAuxiliary(schur) => schur.solve(force, bias, x, lambda),
        }
    }

    /// Solves H (x, λ) = (F, c) for a correction: the leftovers of dropped rows keep their values.
    pub fn correct(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        match self {
            Solver::Tree(tree) => tree.correct(force, bias, x, lambda),
            Solver::Sparse(sparse) => sparse.correct(force, bias, x, lambda),
            Solver::ConjugateGradient(iterated) => iterated.solve(force, bias, x, lambda),
            Solver::Dense(dense) => dense.correct(force, bias, x, lambda),
            Solver::WithAuxiliary(schur) => schur.correct(force, bias, x, lambda),
        }
    }

    /// Number of rows that are solved for: all but the redundant ones.
    pub fn rank(&self) -> usize {
        match self {
            Solver::Tree(tree) => tree.rank(),
            Solver::Sparse(sparse) => sparse.rank(),
            Solver::ConjugateGradient(iterated) => iterated.graph().rows(),
            Solver::Dense(dense) => dense.rank(),
            Solver::WithAuxiliary(schur) => schur.rank(),
        }
    }

    /// The redundant rows, with their leftovers after a solve.
    pub fn dropped(&self) -> &[Dropped] {
        match self {
            Solver::Tree(tree) => tree.dropped(),
            Solver::Sparse(sparse) => sparse.dropped(),
            Solver::ConjugateGradient(iterated) => iterated.dropped(),
            Solver::Dense(dense) => dense.dropped(),
            Solver::WithAuxiliary(schur) => schur.dropped(),
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
            Solver::WithAuxiliary(schur) => schur.null_vector(k, lambda),
        }
    }

    /// Per row, whether its λ is the same in every solution: whether all null vectors of Jᵀ are zero there.
    ///
    /// `system` is the one factored; `scratch` and `unique` have one entry per row. Costs as many passes over
    /// the graph as there are dropped rows, two for the sparse solver. Not available for conjugate gradients.
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
            // Relative to the magnitude that formed the row, so that units do not matter. A row of zeros has
            // none.
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
                *unique &= *share <= NOT_UNIQUE * largest;
            }
        }
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Solver::Tree(tree) => tree.bytes(),
            Solver::Sparse(sparse) => sparse.bytes(),
            Solver::ConjugateGradient(iterated) => iterated.bytes(),
            Solver::Dense(dense) => dense.bytes(),
            Solver::WithAuxiliary(schur) => schur.bytes(),
        }
    }
}

/// Estimated multiplications of a factorisation with auxiliary rows.
fn predicted_cost(schur: &AuxiliarySchur) -> u64 {
    let graph = schur.graph();
    let (k, blocks) = (schur.columns() as u64, graph.blocks().max(1) as u64);
    let unknowns = graph.unknowns() as u64;
    // The square of a mean dimension is accurate enough.
    let (per_block, primary) = match schur.primary() {
        Solver::Sparse(sparse) => (0, sparse.predicted_cost()),
        _ => (unknowns * unknowns / (blocks * blocks), unknowns * unknowns * unknowns / (blocks * blocks)),
    };
    let passed = schur.visits().map_or(0, |visits| (visits.up + visits.down) as u64);
    let full = if passed == 0 { k * primary / 4 } else { 0 };
    primary + full + RESPONSE * per_block * passed + k * k * k / 3
}
