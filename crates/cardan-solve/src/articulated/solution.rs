//! What a solve leaves, node by node, and where solutions are stored while they are refined.

use super::{MAX_COLUMNS, Node, NodeExtra};
use crate::lane::Lane;
use crate::math::Six;

/// What a solve leaves, in elimination order.
#[derive(Debug)]
pub struct Results<'s, T: Lane = f64> {
    /// The limbs.
    pub nodes: &'s [Node<T>],
    /// What they have beyond their first column or row.
    pub extra: NodeExtras<'s, T>,
    /// J_cᵀ λ.
    pub loads: &'s mut [Six<T>],
}

/// What limbs have beyond their first column or row, by their places.
#[derive(Copy, Clone, Debug)]
pub struct NodeExtras<'s, T: Lane = f64> {
    pub(super) all: &'s [NodeExtra<T>],
    pub(super) at: &'s [u32],
}

impl<'s, T: Lane> NodeExtras<'s, T> {
    /// That of a place; see [`ArticulatedForest::extra`].
    #[inline(always)]
    pub fn of(&self, place: usize) -> &'s NodeExtra<T> {
        &self.all[self.at[place] as usize]
    }
}

/// An answer that is being improved.
#[derive(Copy, Clone, Debug)]
pub struct NodeSolution<T: Lane = f64> {
    /// The unknowns.
    pub x: Six<T>,
    /// J_cᵀ λ.
    pub load: Six<T>,
    /// F and what the children added.
    pub force: Six<T>,
    /// s or λ of the first column or row.
    pub first: T,
    /// The same of the others, where the place has any.
    pub others: [T; MAX_COLUMNS - 1],
}

/// Whoever keeps answers while they are improved.
pub trait SolutionStore<T: Lane> {
    /// Keeps that of a place: one after another.
    fn keep(&mut self, at: usize, answer: &NodeSolution<T>);
    /// What was kept.
    fn kept(&self, at: usize) -> NodeSolution<T>;
    /// Takes the unknowns as they are in the end; what was kept of the place is no longer needed.
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
