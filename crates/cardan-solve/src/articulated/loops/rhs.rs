//! A right-hand side of the loop closures alone: F, γ, efforts and all biases of the forest are zero.
//!
//! Below the blocks where loops are eliminated there is nothing to substitute, so most of the forward sweep
//! is skipped.

use crate::articulated::{ArticulatedForest, Form, MAX_COLUMNS, NO_LOADS};
use crate::graph::NONE;
use crate::lane::Lane;
use crate::math::Six;

impl<T: Lane> ArticulatedForest<T> {
    /// Solves with the factor of the last elimination for the biases of the loop closures: F, γ, efforts and all
    /// other biases are zero. Loads are not computed. `answer` takes the unknowns of every node.
    pub fn solve_closures(&mut self, answer: impl FnMut(usize, &Six<T>)) {
        let mut depth = 0;
        self.closures.load_rhs();
        self.reached.fill(false);
        for at in 0..self.nodes.len() {
            let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
            node.clear_effort(extra);
            (node.force, node.gamma, node.projection) = (Six::ZERO, Six::ZERO, T::ZERO);
            extra.projections = [T::ZERO; MAX_COLUMNS - 1];
            if node.is_ball {
                node.carried_image = Six::ZERO;
            }
            if let Form::Rows(_) = node.form {
                extra.bias = [T::ZERO; MAX_COLUMNS];
            }
            let mut is_reached = self.reached[at];
            if node.has_children {
                depth -= 1;
                if is_reached {
                    node.force = self.sums[depth].1;
                }
            }
            is_reached |= node.loop_step != NONE && self.closures.has_elimination_at(node.loop_step);
            let force = if is_reached { self.forward(at) } else { Six::ZERO };
            let node = &self.nodes[at];
            if node.parent != NONE {
                self.reached[node.parent as usize] |= is_reached;
                if node.is_first {
                    self.sums[depth].1 = force;
                    depth += 1;
                } else {
                    self.sums[depth - 1].1 += force;
                }
            }
        }
        self.closures.eliminate_bias_on_ground::<1>();
        self.backward::<NO_LOADS>(answer);
    }
}
