//! Iterative refinement: one more solve, with the residual of the equations as its right-hand side.

use super::node::{INNER, LEAF};
use super::{ALL_LOADS, ArticulatedForest, MAX_COLUMNS, NodeSolution, SolutionStore};
use crate::graph::NONE;
use crate::lane::Lane;
use crate::math::{Six, Sym6};

impl<T: Lane> ArticulatedForest<T> {
    /// Adds to the last solution the solution for its residual. Rows and columns must be those of the factor.
    /// `given` returns M and F of a node as they were before the elimination; `last` stores the solution
    /// meanwhile.
    ///
    /// Loads first lose their parts along the freedoms, which are rounding; the residual of the forces then
    /// contains the whole error.
    pub fn refine(&mut self, given: impl Fn(usize) -> (Sym6<T>, Six<T>), last: &mut impl SolutionStore<T>) {
        // The efforts of the right-hand side come back after the solve for the residual, which has none.
        let (mut efforts, mut further) = (Vec::new(), Vec::new());
        if self.nodes.iter().any(|node| node.effort != T::ZERO) {
            efforts.extend(self.nodes.iter().map(|node| node.effort));
            further.extend(self.extra.iter().map(|extra| extra.efforts));
        }
        if self.closures.all.is_empty() {
            self.forward_left(given, last);
            self.backward::<ALL_LOADS>(|_: usize, _: &Six<T>| {});
        } else {
            self.solve_left(given, last);
        }
        for at in 0..self.nodes.len() {
            let own = self.extra_at[at] as usize;
            let (node, before) = (&mut self.nodes[at], last.kept(at));
            self.loads[at] += before.load;
            node.x += before.x;
            node.force = before.force;
            node.first_answer += before.first;
            for (answer, last) in self.extra[own].answers.iter_mut().zip(before.others) {
                *answer += last;
            }
            last.improved(at, &node.x);
        }
        self.nodes.iter_mut().zip(efforts).for_each(|(node, effort)| node.effort = effort);
        self.extra.iter_mut().zip(further).for_each(|(extra, efforts)| extra.efforts = efforts);
        for closure in &mut self.closures.all {
            closure.bias = closure.asked;
            for (answer, last) in closure.answers.iter_mut().zip(closure.answered) {
                *answer += last;
            }
        }
    }

    /// The solution of a node; its load without the parts along the freedoms, which are rounding.
    #[inline(always)]
    fn answer_at(&self, at: usize) -> NodeSolution<T> {
        let (node, extra) = (&self.nodes[at], &self.extra[self.extra_at[at] as usize]);
        NodeSolution {
            x: node.x,
            load: node.constraint_load(extra, self.loads[at]),
            force: node.force,
            first: node.first_answer,
            others: extra.answers,
        }
    }

    /// Without loops: computes the residual of each node during the forward substitution.
    fn forward_left(&mut self, given: impl Fn(usize) -> (Sym6<T>, Six<T>), last: &mut impl SolutionStore<T>) {
        let mut depth = 0;
        for at in 0..self.nodes.len() {
            let answer = self.answer_at(at);
            last.keep(at, &answer);
            let (mass, force) = given(at);
            let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
            depth -= usize::from(node.has_children);
            // F is replaced by the residual. The loads of the children have been subtracted.
            let mut left = if node.has_children { self.second_sums[depth] } else { Six::ZERO };
            left += force - mass.mul(&answer.x) + answer.load;
            node.force = left;
            // The last solution satisfies γ; the correction has none.
            node.gamma = Six::ZERO;
            extra.bias = [T::ZERO; MAX_COLUMNS];
            node.clear_effort(extra);
            if node.has_children {
                node.force += self.sums[depth].1;
            }
            let handed = match (node.is_one_dof(), node.has_children) {
                (true, true) => node.forward_freedoms::<1, INNER>(extra),
                (true, false) => node.forward_freedoms::<1, LEAF>(extra),
                (false, _) => self.forward(at),
            };
            let node = &self.nodes[at];
            if node.parent == NONE {
                continue;
            }
            let felt = answer.load.carried_back(node.shift);
            if node.is_first {
                self.sums[depth].1 = handed;
                self.second_sums[depth] = Six::ZERO - felt;
                depth += 1;
            } else {
                self.sums[depth - 1].1 += handed;
                self.second_sums[depth - 1] -= felt;
            }
        }
    }

    /// With loops, whose multipliers act on nodes anywhere in the forest: computes all residuals first, then
    /// solves.
    fn solve_left(&mut self, given: impl Fn(usize) -> (Sym6<T>, Six<T>), last: &mut impl SolutionStore<T>) {
        for at in 0..self.nodes.len() {
            last.keep(at, &self.answer_at(at));
        }
        // F is replaced by the residual.
        self.nodes.iter_mut().for_each(|node| node.force = Six::ZERO);
        for at in 0..self.nodes.len() {
            let (mass, force) = given(at);
            let NodeSolution { x, load, .. } = last.kept(at);
            let node = &mut self.nodes[at];
            node.force += force - mass.mul(&x) + load;
            if node.parent != NONE {
                let (parent, felt) = (node.parent as usize, load.carried_back(node.shift));
                self.nodes[parent].force -= felt;
            }
        }
        for closure in &mut self.closures.all {
            for (place, rows) in closure.each_end() {
                for r in 0..closure.len() {
                    self.nodes[place].force += rows[r].scaled(closure.answers[r]);
                }
            }
        }
        for closure in &mut self.closures.all {
            closure.asked = closure.bias;
            closure.answered = closure.answers;
            let mut bias = closure.bias;
            for (place, rows) in closure.each_end() {
                let x = last.kept(place).x;
                for r in 0..closure.len() {
                    bias[r] += rows[r].dot(&x);
                }
            }
            closure.bias = bias;
        }
        self.solve(|_, node, extra| {
            node.gamma = Six::ZERO;
            extra.bias = [T::ZERO; MAX_COLUMNS];
        });
    }
}
