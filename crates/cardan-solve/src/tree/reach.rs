//! The response to a force on few blocks, where few of its entries are wanted.
//!
//! A force on block b changes y and u only on the path from b to its root. And x of a block follows from x of
//! its ancestors alone, so only the paths to the wanted blocks are substituted back:
//!
//! ```text
//! up     y_c = R⁻¹ F_c,  u = T⁻¹ Bᵀ y_c,  F_p −= Cᵀ u          on the paths of the loaded blocks
//! down   λ' = −T⁻ᵀ (u + C x_p),  x_c = R⁻ᵀ (y_c + B λ')          on the paths of the blocks whose x is wanted
//! ```
//!
//! There are no biases, so rows that were handed up or dropped need nothing: their biases are zero too.

use std::mem::size_of;

use super::Tree;
use crate::graph::{Block, NONE};
use crate::lane::Lane;

/// The blocks on the paths from some blocks to their roots, in elimination order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    nodes: Vec<u32>,
}

impl Reach {
    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Union of both.
    pub fn join(&self, other: &Reach) -> Reach {
        let mut nodes = self.nodes.clone();
        nodes.extend_from_slice(&other.nodes);
        nodes.sort_unstable();
        nodes.dedup();
        Reach { nodes }
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<u32>()
    }
}

impl<T: Lane> Tree<T> {
    /// The paths from some blocks to their roots.
    ///
    /// # Panics
    /// If a block is not in the graph.
    pub fn reach(&self, blocks: &[Block]) -> Reach {
        let mut nodes = Vec::new();
        for &block in blocks {
            let mut at = self.place[block.0 as usize];
            while at != NONE {
                nodes.push(at);
                at = self.nodes[at as usize].parent;
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        Reach { nodes }
    }

    /// Solves H (x, λ) = (F, 0) with the last factor for an F that is zero outside of a few blocks. F is
    /// given as entries of these, which are summed; `up` must contain the paths of all of them, and `down`
    /// those of all blocks whose x is read with [`response`](Tree::response) afterwards. Allocates nothing.
    ///
    /// Without a successful [`factor`](Tree::factor) before it, the result is NaN.
    ///
    /// # Panics
    /// If a reach is of another graph, or F has the wrong length.
    pub fn solve_response<'a>(
        &mut self,
        force: impl Iterator<Item = (Block, &'a [T])>,
        up: &Reach,
        down: &Reach,
    ) {
        let start = if self.ready { T::ZERO } else { T::splat(f64::NAN) };
        for &at in down.nodes.iter().chain(&up.nodes) {
            let node = &self.nodes[at as usize];
            self.work[node.work..][..node.dim as usize].fill(start);
            if let Some(part) = self.parts.get(at as usize) {
                self.multiplier[part.multiplier..][..part.accepted as usize].fill(T::ZERO);
            }
        }
        if !self.ready {
            return;
        }
        for (block, force) in force {
            let node = &self.nodes[self.place[block.0 as usize] as usize];
            let work = &mut self.work[node.work..][..node.dim as usize];
            assert_eq!(work.len(), force.len(), "length of the force on {block}");
            for (work, &force) in work.iter_mut().zip(force) {
                *work += force;
            }
        }
        for &at in &up.nodes {
            self.forward_node(at as usize);
        }
        for &at in down.nodes.iter().rev() {
            self.backward_node(at as usize);
        }
    }

    /// x of a block after [`solve_response`](Tree::solve_response), if `down` contains it.
    pub fn response(&self, block: Block) -> &[T] {
        let node = &self.nodes[self.place[block.0 as usize] as usize];
        &self.work[node.work..][..node.dim as usize]
    }
}
