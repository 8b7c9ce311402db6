//! What a solve leaves, node by node, and where solutions are stored while they are refined.

use super::{MAX_COLUMNS, Node, NodeExtra};
use crate::lane::Lane;
use crate::math::Six;

/// Result of a solve, in elimination order.
#[derive(Debug)]
pub struct Results<'s, T: Lane = f64> {
    /// The nodes.
    pub nodes: &'s [Node<T>],
    /// Their columns or rows beyond the first.
    pub extra: NodeExtras<'s, T>,
    /// J_cᵀ λ, the load of each node's link on its block.
    pub loads: &'s mut [Six<T>],
}

/// Columns or rows beyond the first, by node.
#[derive(Copy, Clone, Debug)]
pub struct NodeExtras<'s, T: Lane = f64> {
    pub(super) all: &'s [NodeExtra<T>],
    pub(super) at: &'s [u32],
}

impl<'s, T: Lane> NodeExtras<'s, T> {
    /// Those of one node; see [`ArticulatedForest::extra`](super::ArticulatedForest::extra).
    #[inline(always)]
    pub fn of(&self, place: usize) -> &'s NodeExtra<T> {
        &self.all[self.at[place] as usize]
    }
}

/// Solution of one node while it is refined.
#[derive(Copy, Clone, Debug)]
pub struct NodeSolution<T: Lane = f64> {
    /// The unknowns.
    pub x: Six<T>,
    /// J_cᵀ λ, the load of the link on the block.
    pub load: Six<T>,
    /// F with what the children added.
    pub force: Six<T>,
    /// s or λ of the first column or row.
    pub first: T,
    /// s or λ of the columns or rows beyond the first, where the node has any.
    pub others: [T; MAX_COLUMNS - 1],
}

/// Storage of a solution while it is refined.
pub trait SolutionStore<T: Lane> {
    /// Stores the solution of a node. Called for all nodes in order.
    fn keep(&mut self, at: usize, answer: &NodeSolution<T>);
    /// Returns what was stored of a node.
    fn kept(&self, at: usize) -> NodeSolution<T>;
    /// Takes the refined unknowns of a node; what was stored of it is no longer needed.
    fn improved(&mut self, _at: usize, _x: &Six<T>) {}
}

impl<T: Lane> SolutionStore<T> for Vec<NodeSolution<T>> {
    fn keep(&mut self, at: usize, answer: &NodeSolution<T>) {
        self.truncate(at);
        self.push(*answer);
    }
    fn kept(&self, at: usize) -> NodeSolution<T> {
        self[at]
    }
}
