//! A right side of closures alone: no force acts and no link of the forest asks for anything.
//!
//! Below the places where closures meet there is then nothing to hand on, and the way towards the root is hardly one.

use super::{Form, MOST, NO_LOADS, Spatial};
use crate::graph::NONE;
use crate::lane::Lane;
use crate::math::Six;

impl<T: Lane> Spatial<T> {
    /// Solves with the factor at hand for the biases of the closures: F, γ and all other biases are zero. Loads are not found. `answer` takes
    /// the unknowns of every place.
    pub fn solve_closures(&mut self, answer: impl FnMut(usize, &Six<T>)) {
        let mut depth = 0;
        self.closures.load_sides();
        self.reached.fill(false);
        for at in 0..self.limbs.len() {
            let (limb, more) = (&mut self.limbs[at], &mut self.more[self.more_at[at] as usize]);
            (limb.force, limb.gamma, limb.projection) = (Six::ZERO, Six::ZERO, T::ZERO);
            more.projections = [T::ZERO; MOST - 1];
            if limb.is_ball {
                limb.carried_image = Six::ZERO;
            }
            if let Form::Rows(_) = limb.form {
                more.bias = [T::ZERO; MOST];
            }
            let mut is_reached = self.reached[at];
            if limb.has_children {
                depth -= 1;
                if is_reached {
                    limb.force = self.sums[depth].1;
                }
            }
            is_reached |= limb.stop != NONE && self.closures.meet_at_stop(limb.stop);
            let force = if is_reached { self.forward(at) } else { Six::ZERO };
            let limb = &self.limbs[at];
            if limb.parent != NONE {
                self.reached[limb.parent as usize] |= is_reached;
                if limb.is_first {
                    self.sums[depth].1 = force;
                    depth += 1;
                } else {
                    self.sums[depth - 1].1 += force;
                }
            }
        }
        self.closures.meet_bias_on_ground::<1>();
        self.backward::<NO_LOADS>(answer);
    }
}
