//! Auxiliary rows by anticipation (Baraff 1996, §8): links that the primary elimination leaves out, answered with its factor.
//!
//! ```text
//! M x = F + Jᵀ λ + K μ          primary links λ, auxiliary links μ; K = Jᵃᵀ unless a link pushes elsewhere
//! J x + E λ + c = 0
//! Jᵃ x + Eᵃ μ + cᵃ = 0
//! ```
//!
//! Let M̂⁻¹ f be the x of the primary links' answer to a force f, with all biases zero: how things respond *once the primary
//! links have reacted*. It is never formed; each product with it is one solve. Then x = x̂ + M̂⁻¹ K μ, where x̂ is the answer
//! without auxiliary links, and μ follows from k equations in k unknowns. The recipe of §8.2:
//!
//! ```text
//! 1  factor H of the primary links
//! 2  H (x̂, ·) = (F, c)                                   1 solve
//! 3  A = Jᵃ M̂⁻¹ K + Eᵃ,  column by column                k solves
//! 4  A μ = −(Jᵃ x̂ + cᵃ)                                 dense, k × k
//! 5  H (x, λ) = (F + K μ, c)                              1 solve
//! 6  x is the answer; F + K μ + Jᵀ λ is the net force
//! ```
//!
//! Steps 1 and 3 do not depend on the right side: they are [`Anticipation::factor`]. Each [`Anticipation::solve`] is then two solves of the primary
//! links, whatever k is.
//!
//! # What is not done twice
//!
//! On a [`Tree`](crate::Tree) a column of step 3 goes up only from the blocks that are pushed, and comes down only to blocks whose rows
//! are asked ([`Reach`]). Where K = Jᵃᵀ, A is symmetric (Rosenthal's remark at the end of the paper), so that column j is
//! asked only for the rows from j on. All other primary solvers do k full solves.
//!
//! # Redundant rows
//!
//! A workless row (K = Jᵃᵀ) that depends on others, primary or auxiliary, is dropped like everywhere in this crate: μ is zero, and what
//! the row leaves over is noted. How many there are is decided by geometry ([`Rank`]), which is asked only if a pivot of A is
//! suspiciously small; which of them is dropped, by the order of the pivots. With forces that push elsewhere this is an
//! error: if such a row depends on others then x is not determined ([`FactorError::Dependent`]), and if no force can act on
//! a row then it cannot be held ([`FactorError::Powerless`]).

mod small;
mod trace;

use std::mem::size_of;
use std::ops::Range;
use std::sync::Arc;

use crate::dropped::Dropped;
use crate::error::{FactorError, NotATree, Place};
use crate::graph::{Block, Graph, Link, packed_len};
use crate::rank::Rank;
use crate::solver::Solver;
use crate::system::System;
use crate::tree::Reach;
use small::Small;
pub use trace::{Trace, TracedRow};

/// Pivots of the scaled A above this are not made of rounding, which is some 1e-16 and grows little.
const PLAIN: f64 = 1e-9;
/// Below this a pivot is nothing but rounding.
const LEAST: f64 = 1e-13;

/// A primary solver, and links that are answered on top of it.
#[derive(Clone, Debug)]
pub struct Anticipation {
    graph: Arc<Graph>,
    primary: Box<Solver>,
    /// M and the primary links, and which links these are.
    system: System,
    links: Vec<Link>,
    auxiliary: Vec<Auxiliary>,
    /// Jᵃ and Kᵀ, link by link, row by row, end by end.
    jac: Vec<f64>,
    push: Vec<f64>,
    /// A and its factor.
    small: Small,
    geometry: Option<Box<Rank>>,
    dropped: Vec<Dropped>,
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

/// A link that is answered apart.
#[derive(Clone, Debug)]
struct Auxiliary {
    link: Link,
    pushed: bool,
    /// Its rows among all auxiliary ones, and in the vectors of the whole system.
    rows: Range<usize>,
    at: usize,
    /// Where its first row starts in `jac` and `push`, and the length of a row.
    start: usize,
    width: usize,
    ends: Vec<End>,
    /// On a tree: where a push of it is felt, and where its response is wanted.
    up: Reach,
    down: Reach,
}

/// A block that an auxiliary link touches.
#[derive(Clone, Debug)]
struct End {
    block: Block,
    /// Where the block is in x.
    unknowns: Range<usize>,
    /// Where its entries start in a row.
    offset: usize,
}

/// A piece of work that has just been done, for those who measure.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Step 1: the factor of the primary links.
    Factor,
    /// Step 3: one column M̂⁻¹ k.
    Column,
    /// Step 3: its products with the rows, one column of A.
    Products,
    /// Step 4: the factor of A and, once per right side, μ.
    Small,
    /// Step 2: the answer without auxiliary forces.
    Without,
    /// Step 5: the answer with them.
    With,
}

/// Blocks that step 3 passes through, of all columns together.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Visits {
    /// Towards the roots.
    pub up: usize,
    /// And back.
    pub down: usize,
    /// What k full solves would pass through, either way.
    pub all: usize,
}

impl Auxiliary {
    fn row_start(&self, row: usize) -> usize {
        self.start + row * self.width
    }
}

impl Anticipation {
    /// Takes the links apart that `apart` names, those that push elsewhere in any case; the others get whichever solver suits them.
    pub fn new(graph: &Arc<Graph>, apart: impl Fn(Link) -> bool) -> Anticipation {
        let primary = |graph: &Arc<Graph>| Ok(Solver::auto_plain(graph));
        match Anticipation::on(graph, apart, primary) {
            Ok(anticipation) => anticipation,
            Err(NotATree { .. }) => unreachable!("the automatic choice fits every graph"),
        }
    }

    /// The same on a given solver for the primary links.
    ///
    /// # Errors
    /// Those of `primary`, in terms of the whole graph.
    pub fn on(
        graph: &Arc<Graph>,
        apart: impl Fn(Link) -> bool,
        primary: impl FnOnce(&Arc<Graph>) -> Result<Solver, NotATree>,
    ) -> Result<Anticipation, NotATree> {
        let is_apart = |link: Link| graph.is_pushed(link) || apart(link);
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
        plan_ways(&primary, &mut auxiliary);
        Ok(Anticipation {
            graph: Arc::clone(graph),
            primary: Box::new(primary),
            links,
            auxiliary,
            jac: vec![0.0; start],
            push: vec![0.0; start],
            small: Small::new(k),
            geometry: None,
            dropped: Vec::new(),
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

    /// k: how many rows are answered apart.
    pub fn columns(&self) -> usize {
        self.mu.len()
    }

    /// Rows answered: all less the redundant ones.
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

    /// What step 3 passes through on a tree; `None` on any other solver.
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

    /// Memory held, in bytes.
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
            .map(|aux| aux.up.bytes() + aux.down.bytes() + aux.ends.capacity() * size_of::<End>());
        numbers.iter().map(|v| v.capacity() * size_of::<f64>()).sum::<usize>()
            + ways.sum::<usize>()
            + self.auxiliary.capacity() * size_of::<Auxiliary>()
            + self.links.capacity() * size_of::<Link>()
            + self.dropped.capacity() * size_of::<Dropped>()
            + self.small.bytes()
            + self.system.bytes()
            + self.system.graph().bytes()
            + self.primary.bytes()
            + self.geometry.as_ref().map_or(0, |geometry| geometry.bytes())
    }

    /// Steps 1 and 3: factors the primary links and A.
    ///
    /// # Errors
    /// When the numbers cannot be factored, or the auxiliary forces cannot hold their rows; until the next success,
    /// [`solve`](Anticipation::solve) then answers NaN.
    pub fn factor(&mut self, system: &System) -> Result<(), FactorError> {
        self.factor_marked(system, &mut |_| {})
    }

    /// Like [`factor`](Anticipation::factor); `mark` is called after each piece of the work.
    ///
    /// # Errors
    /// As [`factor`](Anticipation::factor).
    pub fn factor_marked(
        &mut self,
        system: &System,
        mark: &mut impl FnMut(Piece),
    ) -> Result<(), FactorError> {
        self.factor_primary(system)?;
        mark(Piece::Factor);
        self.respond(mark);
        self.factor_small(system)?;
        mark(Piece::Small);
        self.ready = true;
        Ok(())
    }

    /// Step 1.
    fn factor_primary(&mut self, system: &System) -> Result<(), FactorError> {
        self.ready = false;
        self.dropped.clear();
        self.small.rank = 0;
        if !Arc::ptr_eq(&self.graph, system.graph()) && self.graph != *system.graph() {
            return Err(FactorError::OtherGraph);
        }
        self.system.copy_links(system, &self.links);
        self.primary.factor(&self.system).map_err(|error| self.in_whole(error))?;
        self.dropped.extend(self.primary.dropped());
        for dropped in &mut self.dropped {
            dropped.link = self.links[dropped.link.0 as usize];
        }
        self.take_rows(system)
    }

    /// An error of the primary solver in terms of the whole graph.
    fn in_whole(&self, error: FactorError) -> FactorError {
        let whole = |link: Link| self.links[link.0 as usize];
        match error {
            FactorError::NotFinite { place: Place::Row(link, row) } => {
                FactorError::NotFinite { place: Place::Row(whole(link), row) }
            }
            FactorError::NegativeCompliance { link, row } => {
                FactorError::NegativeCompliance { link: whole(link), row }
            }
            FactorError::Vanished { link, row } => FactorError::Vanished { link: whole(link), row },
            other => other,
        }
    }

    /// Jᵃ, K and the scales of A.
    fn take_rows(&mut self, system: &System) -> Result<(), FactorError> {
        for aux in &self.auxiliary {
            let compliance = system.compliance(aux.link);
            for row in 0..aux.rows.len() {
                let (mut held, mut pushed) = (compliance[row], compliance[row]);
                let mut at = aux.row_start(row);
                for (end, block) in self.graph.ends(aux.link).iter().enumerate() {
                    let Some(block) = *block else { continue };
                    let (dim, mass) = (self.graph.block_dim(block), system.mass(block));
                    let entries = row * dim..(row + 1) * dim;
                    let jac = &system.jac(aux.link, end)[entries.clone()];
                    let push = &system.push(aux.link, end)[entries];
                    for i in 0..dim {
                        let unit = mass[packed_len(i) + i];
                        held += jac[i] * jac[i] / unit;
                        pushed += push[i] * push[i] / unit;
                        (self.jac[at], self.push[at]) = (jac[i], push[i]);
                        at += 1;
                    }
                }
                if compliance[row] < 0.0 {
                    return Err(FactorError::NegativeCompliance { link: aux.link, row });
                }
                if !(held.is_finite() && pushed.is_finite() && system.formed(aux.link, row).is_finite()) {
                    return Err(FactorError::NotFinite { place: Place::Row(aux.link, row) });
                }
                let scale = |square: f64| if square > 0.0 { square.sqrt() } else { 1.0 };
                self.small.row_scale[aux.rows.start + row] = scale(held);
                self.small.col_scale[aux.rows.start + row] = scale(pushed);
                self.gap[aux.rows.start + row] = compliance[row];
            }
        }
        Ok(())
    }

    /// Step 3: A, column by column; Eᵃ waits in `gap`.
    fn respond(&mut self, mark: &mut impl FnMut(Piece)) {
        let k = self.columns();
        for a in 0..self.auxiliary.len() {
            for row in 0..self.auxiliary[a].rows.len() {
                self.respond_to(a, row);
                mark(Piece::Column);
                let aux = &self.auxiliary[a];
                let j = aux.rows.start + row;
                for other in &self.auxiliary {
                    let symmetric = !aux.pushed && !other.pushed;
                    for (r, i) in other.rows.clone().enumerate() {
                        if symmetric && i < j {
                            continue;
                        }
                        let mut entry = if i == j { self.gap[j] } else { 0.0 };
                        let jac = &self.jac[other.row_start(r)..][..other.width];
                        for end in &other.ends {
                            let x = match &*self.primary {
                                Solver::Tree(tree) => tree.response(end.block),
                                _ => &self.x[end.unknowns.clone()],
                            };
                            for (jac, x) in jac[end.offset..].iter().zip(x) {
                                entry += jac * x;
                            }
                        }
                        self.small.a[i * k + j] = entry;
                        if symmetric {
                            self.small.a[j * k + i] = entry;
                        }
                    }
                }
                mark(Piece::Products);
            }
        }
    }

    /// M̂⁻¹ k of one auxiliary row, in the tree or in `x`.
    fn respond_to(&mut self, a: usize, row: usize) {
        let aux = &self.auxiliary[a];
        let push = &self.push[aux.row_start(row)..][..aux.width];
        if let Solver::Tree(tree) = &mut *self.primary {
            let force = aux.ends.iter().map(|end| (end.block, &push[end.offset..][..end.unknowns.len()]));
            tree.respond(force, &aux.up, &aux.down);
            return;
        }
        self.force.fill(0.0);
        for end in &aux.ends {
            for (force, push) in self.force[end.unknowns.clone()].iter_mut().zip(&push[end.offset..]) {
                *force += push;
            }
        }
        self.primary.correct(&self.force, &self.zero_bias, &mut self.x, &mut self.lambda);
    }

    /// Which link and which of its rows an auxiliary row is.
    fn row_of(&self, i: usize) -> (&Auxiliary, usize) {
        let a = self.auxiliary.partition_point(|aux| aux.rows.end <= i);
        let aux = &self.auxiliary[a];
        (aux, i - aux.rows.start)
    }

    /// The factor of A, and which rows are dropped.
    fn factor_small(&mut self, system: &System) -> Result<(), FactorError> {
        let k = self.columns();
        if let Some(at) = self.small.a.iter().position(|entry| !entry.is_finite()) {
            let (aux, row) = self.row_of(at / k);
            return Err(FactorError::NotFinite { place: Place::Row(aux.link, row) });
        }
        self.small.factor();
        let pivots = self.small.rank;
        if pivots == k && self.small.least_pivot() > PLAIN {
            return Ok(());
        }
        let dependent = self.dependent_rows(system)?;
        let rank = k - dependent.min(k);
        if let Some(place) = (0..rank).find(|&place| self.small.pivot(place) <= LEAST) {
            return Err(self.cannot_hold(place));
        }
        self.small.rank = rank;
        self.check_left_over()?;
        for i in rank..k {
            let (aux, row) = self.row_of(self.small.row_at(i));
            let link = aux.link;
            self.dropped.push(Dropped { link, row, leftover: 0.0, formed: 0.0 });
        }
        Ok(())
    }

    /// How many auxiliary rows depend on others, by geometry.
    fn dependent_rows(&mut self, system: &System) -> Result<usize, FactorError> {
        let geometry = self.geometry.get_or_insert_with(|| Box::new(Rank::new(&self.graph)));
        geometry.decide(system)?;
        let primary = match &*self.primary {
            Solver::ConjugateGradient(_) => {
                let mut primary = Rank::new(self.system.graph());
                primary.decide(&self.system)?;
                primary.redundant()
            }
            direct => self.system.graph().rows() - direct.rank(),
        };
        Ok(geometry.redundant().saturating_sub(primary))
    }

    /// Why there is no pivot at a place, although geometry says that its row is independent of the others.
    fn cannot_hold(&self, place: usize) -> FactorError {
        let k = self.columns();
        // A row on which nothing acts says it best; else one that pushes elsewhere, whose force does not reach.
        let rows = || (place..k).map(|place| self.small.row_at(place));
        let empty = rows().find(|&i| self.small.is_empty_row(i, LEAST));
        let cols = (place..k).map(|place| self.small.col_at(place));
        let pushed = rows().chain(cols).find(|&i| self.row_of(i).0.pushed);
        let i = empty.or(pushed).unwrap_or(self.small.row_at(place));
        let (aux, row) = self.row_of(i);
        let link = aux.link;
        if self.auxiliary.iter().any(|aux| aux.pushed) {
            FactorError::Powerless { link, row }
        } else {
            FactorError::Vanished { link, row }
        }
    }

    /// A row may be dropped only if no force that pushes elsewhere has to do with it: x is determined then all the same.
    fn check_left_over(&mut self) -> Result<(), FactorError> {
        let (k, rank) = (self.columns(), self.small.rank);
        if rank == k || !self.auxiliary.iter().any(|aux| aux.pushed) {
            return Ok(());
        }
        let pushed = (rank..k).map(|p| self.small.row_at(p)).find(|&i| self.row_of(i).0.pushed);
        if let Some(i) = pushed.or((!self.small.leaves_pairs()).then(|| self.small.row_at(rank))) {
            let (aux, row) = self.row_of(i);
            return Err(FactorError::Dependent { link: aux.link, row });
        }
        for place in rank..k {
            let i = self.small.row_at(place);
            self.balance_column(i);
            let scaled = |j: usize| (self.mu[j] * self.small.col_scale[j]).abs();
            let largest = (0..k).map(scaled).fold(self.small.col_scale[i], |w, m| if m > w { m } else { w });
            if let Some(j) = (0..k).find(|&j| self.row_of(j).0.pushed && scaled(j) > 1e-7 * largest) {
                let (aux, row) = self.row_of(j);
                return Err(FactorError::Dependent { link: aux.link, row });
            }
        }
        Ok(())
    }

    /// μ of the rows in use that undoes what column `i` of A does to them.
    fn balance_column(&mut self, i: usize) {
        let k = self.columns();
        for row in 0..k {
            self.gap[row] = self.small.a[row * k + i];
        }
        self.small.solve(&self.gap, &mut self.mu);
    }

    /// Steps 2, 4 and 5: solves the whole with the last factor. Rows that were dropped get λ = 0.
    ///
    /// Allocates nothing. Without a successful [`factor`](Anticipation::factor) before it, the answer is NaN.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn solve(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        self.substitute((force, bias), x, lambda, true, &mut |_| {});
    }

    /// Like [`solve`](Anticipation::solve), for a correction: leaves the notes on dropped rows as they are.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn correct(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        self.substitute((force, bias), x, lambda, false, &mut |_| {});
    }

    /// Like [`solve`](Anticipation::solve); `mark` is called after each piece of the work.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn solve_marked(
        &mut self,
        right: (&[f64], &[f64]),
        x: &mut [f64],
        lambda: &mut [f64],
        mark: &mut impl FnMut(Piece),
    ) {
        self.substitute(right, x, lambda, true, mark);
    }

    fn substitute(
        &mut self,
        right: (&[f64], &[f64]),
        x: &mut [f64],
        lambda: &mut [f64],
        note: bool,
        mark: &mut impl FnMut(Piece),
    ) {
        let (force, bias) = right;
        let (unknowns, rows) = (self.graph.unknowns(), self.graph.rows());
        assert_eq!((force.len(), x.len()), (unknowns, unknowns), "length of force, x");
        assert_eq!((bias.len(), lambda.len()), (rows, rows), "length of bias, lambda");
        if !self.ready {
            x.fill(f64::NAN);
            lambda.fill(f64::NAN);
            return;
        }
        self.take_biases(bias);
        if self.columns() > 0 {
            self.primary.correct(force, &self.bias, x, &mut self.lambda);
            mark(Piece::Without);
            self.open_by(bias, x);
            self.small.solve(&self.gap, &mut self.mu);
            mark(Piece::Small);
        }
        self.push_on(force);
        if note {
            self.primary.solve(&self.force, &self.bias, x, &mut self.lambda);
        } else {
            self.primary.correct(&self.force, &self.bias, x, &mut self.lambda);
        }
        self.write_multipliers(lambda);
        if note {
            self.note_dropped(bias, x);
        }
        mark(Piece::With);
    }

    /// c of the primary links.
    fn take_biases(&mut self, bias: &[f64]) {
        for (own, &link) in self.system.graph().all_links().zip(&self.links) {
            let range = self.system.graph().row_range(own);
            self.bias[range].copy_from_slice(&bias[self.graph.row_range(link)]);
        }
    }

    /// b = Jᵃ x + cᵃ.
    fn open_by(&mut self, bias: &[f64], x: &[f64]) {
        for aux in &self.auxiliary {
            for (row, i) in aux.rows.clone().enumerate() {
                self.gap[i] = bias[aux.at + row] + self.row_times(aux, row, x).0;
            }
        }
    }

    /// Jᵃ x of a row, and the sum of the magnitudes of its terms.
    fn row_times(&self, aux: &Auxiliary, row: usize, x: &[f64]) -> (f64, f64) {
        let jac = &self.jac[aux.row_start(row)..][..aux.width];
        let (mut sum, mut formed) = (0.0, 0.0);
        for end in &aux.ends {
            for (jac, x) in jac[end.offset..].iter().zip(&x[end.unknowns.clone()]) {
                sum += jac * x;
                formed += (jac * x).abs();
            }
        }
        (sum, formed)
    }

    /// F + K μ, in `force`.
    fn push_on(&mut self, force: &[f64]) {
        self.force.copy_from_slice(force);
        for aux in &self.auxiliary {
            for (row, i) in aux.rows.clone().enumerate() {
                let push = &self.push[aux.row_start(row)..][..aux.width];
                for end in &aux.ends {
                    let force = &mut self.force[end.unknowns.clone()];
                    for (force, push) in force.iter_mut().zip(&push[end.offset..]) {
                        *force += push * self.mu[i];
                    }
                }
            }
        }
    }

    /// λ of the primary links and μ, each in its place.
    fn write_multipliers(&self, lambda: &mut [f64]) {
        for (own, &link) in self.system.graph().all_links().zip(&self.links) {
            lambda[self.graph.row_range(link)]
                .copy_from_slice(&self.lambda[self.system.graph().row_range(own)]);
        }
        for aux in &self.auxiliary {
            lambda[aux.at..][..aux.rows.len()].copy_from_slice(&self.mu[aux.rows.clone()]);
        }
    }

    /// What the answer leaves over of dropped rows.
    fn note_dropped(&mut self, bias: &[f64], x: &[f64]) {
        let primary = self.primary.dropped();
        for (note, dropped) in self.dropped.iter_mut().zip(primary) {
            (note.leftover, note.formed) = (dropped.leftover, dropped.formed);
        }
        for k in self.primary.dropped().len()..self.dropped.len() {
            let Dropped { link, row, .. } = self.dropped[k];
            let Some(aux) = self.auxiliary.iter().find(|aux| aux.link == link) else { continue };
            let c = bias[aux.at + row];
            let (sum, formed) = self.row_times(aux, row, x);
            (self.dropped[k].leftover, self.dropped[k].formed) = (sum + c, formed + c.abs());
        }
    }

    /// The λ that the `k`-th dropped row leaves free: nothing is pushed in all, with λ = 1 on that row.
    ///
    /// # Panics
    /// If there is no such dropped row or `lambda` has the wrong length.
    pub fn null_vector(&mut self, k: usize, lambda: &mut [f64]) {
        assert!(k < self.dropped.len(), "only {} rows were dropped", self.dropped.len());
        assert_eq!(lambda.len(), self.graph.rows(), "length of lambda");
        self.mu.fill(0.0);
        if k < self.primary.dropped().len() {
            self.primary.null_vector(k, &mut self.lambda);
        } else {
            let Dropped { link, row, .. } = self.dropped[k];
            let free = self.auxiliary.iter().find(|aux| aux.link == link).map(|aux| aux.rows.start + row);
            if let Some(free) = free {
                self.balance_column(free);
                self.mu[free] = 1.0;
            }
            self.x.fill(0.0);
            let nothing = std::mem::take(&mut self.x);
            self.push_on(&nothing);
            self.x = nothing;
            self.primary.correct(&self.force, &self.zero_bias, &mut self.x, &mut self.lambda);
        }
        self.write_multipliers(lambda);
    }
}

/// Where an auxiliary link's numbers are; its ways come later.
fn lay_out(graph: &Graph, link: Link, first: usize, start: usize) -> Auxiliary {
    let mut ends = Vec::new();
    let mut width = 0;
    for &block in graph.ends(link).iter().flatten() {
        ends.push(End { block, unknowns: graph.block_range(block), offset: width });
        width += graph.block_dim(block);
    }
    Auxiliary {
        link,
        pushed: graph.is_pushed(link),
        rows: first..first + graph.link_rows(link),
        at: graph.row_range(link).start,
        start,
        width,
        ends,
        up: Reach::default(),
        down: Reach::default(),
    }
}

/// On a tree: where each push goes, and where its response is asked for.
fn plan_ways(primary: &Solver, auxiliary: &mut [Auxiliary]) {
    let Solver::Tree(tree) = primary else { return };
    let mut pushed = Reach::default();
    for aux in auxiliary.iter_mut() {
        let blocks: Vec<Block> = aux.ends.iter().map(|end| end.block).collect();
        aux.up = tree.reach(&blocks);
        if aux.pushed {
            pushed = pushed.join(&aux.up);
        }
    }
    // Rows from this one on, and those whose column is not their row.
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
