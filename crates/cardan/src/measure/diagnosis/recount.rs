//! Recomputes the rank with some joints replaced by other kinds.
//!
//! Two sets of rows allow the same motions if and only if each consists of combinations of the
//! other:
//!
//! ```text
//! rank J = rank J' = rank [J; J']
//! ```
//!
//! Rows of a group are independent of rows outside of it, so that it is enough to count within the
//! group.

use crate::joint::{JointKind, JointRows};
use crate::model::Model;
use crate::step::{Workspace, frame};
use cardan_solve::{Block, Graph, Link, Rank, System};
use std::sync::Arc;

/// A joint and its new kind; `None` if it is removed.
pub(super) type Swap = (usize, Option<JointKind>);

/// The rows of some links in the pose of a workspace, and their rank.
pub(super) struct Recount<'m> {
    model: &'m Model,
    work: &'m Workspace,
    members: &'m [usize],
    /// A bound on remainders, if it is not the default.
    within: Option<f64>,
    rows: usize,
    rank: usize,
}

/// A link to be counted, as it is or as another kind.
#[derive(Copy, Clone)]
enum CountedLink {
    Given(usize),
    As(usize, JointKind),
}

impl<'m> Recount<'m> {
    /// Counts the links as they are; `None` if a number is not finite.
    pub(super) fn new(
        model: &'m Model,
        work: &'m Workspace,
        members: &'m [usize],
        within: Option<f64>,
    ) -> Option<Self> {
        let mut recount = Recount { model, work, members, within, rows: 0, rank: 0 };
        let given: Vec<CountedLink> = members.iter().map(|&link| CountedLink::Given(link)).collect();
        (recount.rows, recount.rank) = recount.count(&given)?;
        Some(recount)
    }

    /// Number of redundant rows.
    pub(super) fn redundant(&self) -> usize {
        self.rows - self.rank
    }

    /// Number of redundant rows after the replacements, if these preserve all motions.
    pub(super) fn after(&self, swaps: &[Swap]) -> Option<usize> {
        let swapped = |link: usize| swaps.iter().find(|swap| swap.0 == link).map(|swap| swap.1);
        let part = |&link: &usize| match swapped(link) {
            None => Some(CountedLink::Given(link)),
            Some(kind) => kind.map(|kind| CountedLink::As(link, kind)),
        };
        let new: Vec<CountedLink> = self.members.iter().filter_map(part).collect();
        let (rows, rank) = self.count(&new)?;
        let mut both: Vec<CountedLink> = self.members.iter().map(|&link| CountedLink::Given(link)).collect();
        both.extend(new.into_iter().filter(|part| matches!(part, CountedLink::As(..))));
        (rank == self.rank && self.count(&both)?.1 == self.rank).then_some(rows - rank)
    }

    /// Rows and rank of some links.
    fn count(&self, parts: &[CountedLink]) -> Option<(usize, usize)> {
        let (model, work, given) = (self.model, self.work, &self.model.graph);
        let ends_of = |part: &CountedLink| match *part {
            CountedLink::Given(link) | CountedLink::As(link, _) => given.ends(Link(link as u32)),
        };
        let mut negligible: Vec<u32> =
            parts.iter().flat_map(ends_of).flatten().map(|block| block.0).collect();
        negligible.sort_unstable();
        negligible.dedup();
        let mut graph = Graph::new();
        let blocks: Vec<Block> =
            negligible.iter().map(|&block| graph.add_block(given.block_dim(Block(block)))).collect();
        let here = |block: &Option<Block>| {
            block.and_then(|block| negligible.binary_search(&block.0).ok()).map(|at| blocks[at])
        };
        let mut links = Vec::with_capacity(parts.len());
        let mut written = Vec::with_capacity(parts.len());
        for part in parts {
            let rows = match *part {
                CountedLink::Given(link) => given.link_rows(Link(link as u32)),
                CountedLink::As(link, kind) => {
                    let mut rows = JointRows::default();
                    kind.write_rows(
                        &work.kinematics.relatives[link],
                        model.joints[link].plane.as_deref(),
                        &mut rows,
                    );
                    let count = rows.count;
                    written.push(rows);
                    count
                }
            };
            let ends: Vec<Option<Block>> = ends_of(part).iter().map(here).collect();
            links.push(graph.add_link(rows, &ends));
        }
        let graph = Arc::new(graph);
        let mut system: System = System::new(graph.clone());
        let mut written = written.iter();
        for (part, &to) in parts.iter().zip(&links) {
            match *part {
                CountedLink::Given(link) => {
                    let from = Link(link as u32);
                    for end in 0..given.ends(from).len() {
                        system.jac_mut(to, end).copy_from_slice(work.equations.system.jac(from, end));
                    }
                    system.row_scale_mut(to).copy_from_slice(work.equations.system.row_scale(from));
                }
                CountedLink::As(link, _) => {
                    let rows = written.next()?;
                    write(model, work, link, rows, &mut system, to);
                }
            }
        }
        let mut rank = Rank::new(&graph);
        match self.within {
            None => rank.decide(&system).ok()?,
            Some(bound) => rank.decide_within(&system, bound).ok()?,
        }
        Some((graph.rows(), rank.rank()))
    }
}

/// Writes the rows of a joint on its two bodies.
fn write(model: &Model, work: &Workspace, j: usize, rows: &JointRows, system: &mut System, link: Link) {
    let (joint, relative) = (&model.joints[j], &work.kinematics.relatives[j]);
    let (a, b) = (frame(&work.kinematics.motions, &joint.a), frame(&work.kinematics.motions, &joint.b));
    for r in 0..rows.count {
        let on_b = relative.to_world(rows.gradient[r]);
        for (end, at, arm, wrench) in
            [(0, &joint.a, a.arm, relative.carried_to_a(on_b)), (1, &joint.b, b.arm, on_b)]
        {
            if let Some(body) = at.body() {
                let dim = model.bodies[body].kind.dim();
                let row = &mut system.jac_mut(link, end)[r * dim..(r + 1) * dim];
                work.kinematics.motions.pull_back(model, at, arm, wrench, row);
            }
        }
    }
}
