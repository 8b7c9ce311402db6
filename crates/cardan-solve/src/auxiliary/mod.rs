//! Schur complement of auxiliary rows (Baraff 1996, §8): links that the primary elimination leaves out are
//! solved for with its factor.
//!
//! ```text
//! M x = F + Jᵀ λ + K μ          primary links λ, auxiliary links μ; K = Jᵃᵀ unless a link has force columns of its own
//! J x + E λ + c = 0
//! Jᵃ x + Eᵃ μ + cᵃ = 0
//! ```
//!
//! M̂⁻¹ f: the x of the primary links' solution for a force f with all biases zero, that is, the response of
//! the constrained system. It is never formed; each product with it is one solve. Then x = x̂ + M̂⁻¹ K μ,
//! where x̂ is the solution without auxiliary links, and μ follows from k equations in k unknowns. The steps
//! of §8.2:
//!
//! ```text
//! 1  factor H of the primary links
//! 2  H (x̂, ·) = (F, c)                                   1 solve
//! 3  A = Jᵃ M̂⁻¹ K + Eᵃ,  column by column                k solves
//! 4  A μ = −(Jᵃ x̂ + cᵃ)                                 dense, k × k
//! 5  H (x, λ) = (F + K μ, c)                              1 solve
//! 6  x is the solution; F + K μ + Jᵀ λ is the net force
//! ```
//!
//! Steps 1 and 3 do not depend on the right-hand side: they are [`AuxiliarySchur::factor`]. Each
//! [`AuxiliarySchur::solve`] is then two solves of the primary links, whatever k is.
//!
//! # Sparsity and symmetry
//!
//! On a [`Tree`](crate::Tree) a column of step 3 is substituted up only from the blocks it acts on, and down
//! only to blocks whose rows are needed ([`Reach`]). Where K = Jᵃᵀ, A is symmetric (Rosenthal's remark at the
//! end of the paper), so column j is needed only for the rows from j on. All other primary solvers do k full
//! solves.
//!
//! # Redundant rows
//!
//! A workless row (K = Jᵃᵀ) that depends on others, primary or auxiliary, is dropped as everywhere in this
//! crate: μ is zero, and the row's leftover is stored. Their number is decided by geometry ([`Rank`]), which
//! is computed only if a pivot of A is small; which of them are dropped, by the order of the pivots. With
//! force columns of its own this is an error: if such a row depends on others then x is not determined
//! ([`FactorError::Dependent`](crate::FactorError::Dependent)), and if no force can act on a row then it
//! cannot be satisfied ([`FactorError::Powerless`](crate::FactorError::Powerless)).

mod factor;
mod schur_lu;
mod solve;
mod trace;

use std::mem::size_of;
use std::ops::Range;
use std::sync::Arc;

use crate::dropped::Dropped;
use crate::error::NotATree;
use crate::graph::{Block, Graph, Link};
use crate::rank::Rank;
use crate::solver::Solver;
use crate::system::System;
use crate::tree::Reach;
use schur_lu::SchurLu;
pub use trace::{Trace, TracedRow};

/// A primary solver with a Schur complement for auxiliary links.
#[derive(Clone, Debug)]
pub struct AuxiliarySchur {
    graph: Arc<Graph>,
    primary: Box<Solver>,
    /// M and the primary links, and the indices of these links.
    system: System,
    links: Vec<Link>,
    auxiliary: Vec<AuxiliaryLink>,
    /// Jᵃ and Kᵀ, by link, row and end.
    jac: Vec<f64>,
    push: Vec<f64>,
    /// A and its factor.
    small: SchurLu,
    geometry: Option<Box<Rank>>,
    dropped: Vec<Dropped>,
    /// Rows of the primary links that are left out, if that was requested.
    idle: Vec<bool>,
    has_idle: bool,
    /// Scratch: F + K μ, c of the primary links, their λ; b and μ; x.
    force: Vec<f64>,
    bias: Vec<f64>,
    lambda: Vec<f64>,
    gap: Vec<f64>,
    mu: Vec<f64>,
    x: Vec<f64>,
    zero_bias: Vec<f64>,
    ready: bool,
}

/// An auxiliary link.
#[derive(Clone, Debug)]
struct AuxiliaryLink {
    link: Link,
    pushed: bool,
    /// Ranges of its rows among all auxiliary ones, and in the vectors of the whole system.
    rows: Range<usize>,
    at: usize,
    /// Where its first row starts in `jac` and `push`, and the length of a row.
    start: usize,
    width: usize,
    ends: Vec<AuxiliaryEnd>,
    /// On a tree: the path of its forces, and of the responses that are needed.
    up: Reach,
    down: Reach,
}

/// A block of an auxiliary link.
#[derive(Clone, Debug)]
struct AuxiliaryEnd {
    block: Block,
    /// Range of the block in x.
    unknowns: Range<usize>,
    /// Where its entries start in a row.
    offset: usize,
}

/// A part of the work that has just been done, for measurements.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SolveStage {
    /// Step 1: the factor of the primary links.
    Factor,
    /// Step 3: one column M̂⁻¹ k.
    Column,
    /// Step 3: its products with the rows, one column of A.
    Products,
    /// Step 4: the factor of A and, once per right-hand side, μ.
    Schur,
    /// Step 2: the solution without auxiliary forces.
    Without,
    /// Step 5: the solution with auxiliary forces.
    With,
}

/// Blocks that step 3 visits, of all columns together.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Visits {
    /// Towards the roots.
    pub up: usize,
    /// Towards the leaves.
    pub down: usize,
    /// Visits of k full solves, in either direction.
    pub all: usize,
}

impl AuxiliaryLink {
    fn row_start(&self, row: usize) -> usize {
        self.start + row * self.width
    }
}

impl AuxiliarySchur {
    /// The links that `is_auxiliary` names, and those with force columns of their own, become auxiliary; the
    /// others get the solver that [`Solver::auto`] would choose.
    pub fn new(graph: &Arc<Graph>, is_auxiliary: impl Fn(Link) -> bool) -> AuxiliarySchur {
        let primary = |graph: &Arc<Graph>| Ok(Solver::auto_plain(graph));
        match AuxiliarySchur::on(graph, is_auxiliary, primary) {
            Ok(schur) => schur,
            Err(NotATree { .. }) => unreachable!("the automatic choice fits every graph"),
        }
    }

    /// The links that `is_auxiliary` names become auxiliary, on a given solver for the primary links.
    ///
    /// # Errors
    /// Those of `primary`, in terms of the whole graph.
    pub fn on(
        graph: &Arc<Graph>,
        is_auxiliary: impl Fn(Link) -> bool,
        primary: impl FnOnce(&Arc<Graph>) -> Result<Solver, NotATree>,
    ) -> Result<AuxiliarySchur, NotATree> {
        let is_apart = |link: Link| graph.has_force_columns(link) || is_auxiliary(link);
        let links: Vec<Link> = graph.all_links().filter(|&link| !is_apart(link)).collect();
        let mut plain = Graph::new();
        graph.all_blocks().for_each(|block| {
            plain.add_block(graph.block_dim(block));
        });
        links.iter().for_each(|&link| {
            plain.add_link(graph.link_rows(link), graph.ends(link));
        });
        let plain = Arc::new(plain);
        let primary = primary(&plain).map_err(|error| {
            let back = |list: Vec<Link>| list.into_iter().map(|link| links[link.0 as usize]).collect();
            NotATree { loops: back(error.loops), auxiliary: back(error.auxiliary) }
        })?;
        let mut auxiliary = Vec::new();
        let (mut k, mut start) = (0, 0);
        for link in graph.all_links().filter(|&link| is_apart(link)) {
            let made = lay_out(graph, link, k, start);
            k = made.rows.end;
            start += made.rows.len() * made.width;
            auxiliary.push(made);
        }
        plan_reach(&primary, &mut auxiliary);
        Ok(AuxiliarySchur {
            graph: Arc::clone(graph),
            primary: Box::new(primary),
            links,
            auxiliary,
            jac: vec![0.0; start],
            push: vec![0.0; start],
            small: SchurLu::new(k),
            geometry: None,
            dropped: Vec::new(),
            idle: vec![false; plain.rows()],
            has_idle: false,
            force: vec![0.0; plain.unknowns()],
            bias: vec![0.0; plain.rows()],
            lambda: vec![0.0; plain.rows()],
            gap: vec![0.0; k],
            mu: vec![0.0; k],
            x: vec![0.0; plain.unknowns()],
            zero_bias: vec![0.0; plain.rows()],
            system: System::new(plain),
            ready: false,
        })
    }

    /// The graph of all links.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The solver of the primary links.
    pub fn primary(&self) -> &Solver {
        &self.primary
    }

    /// k: number of auxiliary rows.
    pub fn columns(&self) -> usize {
        self.mu.len()
    }

    /// Number of rows that are solved for: all but the redundant ones.
    pub fn rank(&self) -> usize {
        self.primary.rank() + self.small.rank
    }

    /// Redundant rows, with their leftovers after a solve.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// A = Jᵃ M̂⁻¹ K + Eᵃ of the last factorisation, row-major, in the order of the auxiliary links.
    pub fn coefficients(&self) -> &[f64] {
        &self.small.a
    }

    /// Blocks that step 3 visits on a tree; `None` on any other solver.
    pub fn visits(&self) -> Option<Visits> {
        let Solver::Tree(_) = &*self.primary else { return None };
        let mut visits = Visits::default();
        for aux in &self.auxiliary {
            visits.up += aux.rows.len() * aux.up.len();
            visits.down += aux.rows.len() * aux.down.len();
        }
        visits.all = self.columns() * self.graph.blocks();
        Some(visits)
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let numbers = [
            &self.jac,
            &self.push,
            &self.force,
            &self.bias,
            &self.lambda,
            &self.gap,
            &self.mu,
            &self.x,
            &self.zero_bias,
        ];
        let ways = self
            .auxiliary
            .iter()
            .map(|aux| aux.up.bytes() + aux.down.bytes() + aux.ends.capacity() * size_of::<AuxiliaryEnd>());
        numbers.iter().map(|v| v.capacity() * size_of::<f64>()).sum::<usize>()
            + ways.sum::<usize>()
            + self.auxiliary.capacity() * size_of::<AuxiliaryLink>()
            + self.links.capacity() * size_of::<Link>()
            + self.dropped.capacity() * size_of::<Dropped>()
            + self.idle.capacity()
            + self.small.bytes()
            + self.system.bytes()
            + self.system.graph().bytes()
            + self.primary.bytes()
            + self.geometry.as_ref().map_or(0, |geometry| geometry.bytes())
    }
}

/// Where an auxiliary link's numbers are; its paths are planned later.
fn lay_out(graph: &Graph, link: Link, first: usize, start: usize) -> AuxiliaryLink {
    let mut ends = Vec::new();
    let mut width = 0;
    for &block in graph.ends(link).iter().flatten() {
        ends.push(AuxiliaryEnd { block, unknowns: graph.block_range(block), offset: width });
        width += graph.block_dim(block);
    }
    AuxiliaryLink {
        link,
        pushed: graph.has_force_columns(link),
        rows: first..first + graph.link_rows(link),
        at: graph.row_range(link).start,
        start,
        width,
        ends,
        up: Reach::default(),
        down: Reach::default(),
    }
}

/// On a tree: the path of each link's forces, and of the responses that are needed.
fn plan_reach(primary: &Solver, auxiliary: &mut [AuxiliaryLink]) {
    let Solver::Tree(tree) = primary else { return };
    let mut pushed = Reach::default();
    for aux in auxiliary.iter_mut() {
        let blocks: Vec<Block> = aux.ends.iter().map(|end| end.block).collect();
        aux.up = tree.reach(&blocks);
        if aux.pushed {
            pushed = pushed.join(&aux.up);
        }
    }
    // Rows from this one on, and those with force columns of their own.
    let mut behind = pushed;
    for a in (0..auxiliary.len()).rev() {
        behind = behind.join(&auxiliary[a].up);
        auxiliary[a].down = behind.clone();
    }
    let all = behind;
    for aux in auxiliary.iter_mut().filter(|aux| aux.pushed) {
        aux.down = all.clone();
    }
}
