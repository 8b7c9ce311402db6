//! Solves with the factor of the last elimination: forward substitution from the leaves to the roots, back
//! substitution from the roots to the leaves.

use super::node::{INNER, LEAF, ROOT};
use super::{ArticulatedForest, Form, Node, NodeExtra, TakeSolution};
use crate::graph::NONE;
use crate::lane::{Lane, Task};
use crate::math::{Six, Vec3};

/// `LOADS` of a solve: the loads of all links are computed.
pub const ALL_LOADS: u8 = 2;
/// `LOADS` of a solve: the loads of links to the ground are computed.
pub const ROOT_LOADS: u8 = 1;
/// `LOADS` of a solve: no loads are computed.
pub const NO_LOADS: u8 = 0;

impl<T: Lane> ArticulatedForest<T> {
    /// Solves with the factor of the last elimination. `fill` writes `force` and `gamma` (or biases), as in
    /// [`factor_and_solve`](ArticulatedForest::factor_and_solve).
    #[inline(always)]
    pub fn solve(&mut self, fill: impl FnMut(usize, &mut Node<T>, &mut NodeExtra<T>)) {
        self.solve_to::<ALL_LOADS>(fill, |_: usize, _: &Six<T>| {});
    }

    /// Solves with the factor of the last elimination; `answer` takes the unknowns of every node as soon as
    /// they are known. `LOADS` says which loads are computed ([`ALL_LOADS`], [`ROOT_LOADS`], [`NO_LOADS`]);
    /// the others keep their values.
    #[inline(always)]
    pub fn solve_to<const LOADS: u8>(
        &mut self,
        mut fill: impl FnMut(usize, &mut Node<T>, &mut NodeExtra<T>),
        answer: impl FnMut(usize, &Six<T>),
    ) {
        let mut depth = 0;
        self.closures.load_rhs();
        for at in 0..self.nodes.len() {
            let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
            node.clear_effort(extra);
            fill(at, node, extra);
            if node.has_children {
                depth -= 1;
                node.force += self.sums[depth].1;
            }
            let force = match (node.is_one_dof(), node.has_children) {
                (true, true) => node.forward_freedoms::<1, INNER>(extra),
                (true, false) => node.forward_freedoms::<1, LEAF>(extra),
                (false, _) => self.forward(at),
            };
            let node = &self.nodes[at];
            if node.parent != NONE {
                if node.is_first {
                    self.sums[depth].1 = force;
                    depth += 1;
                } else {
                    self.sums[depth - 1].1 += force;
                }
            }
        }
        self.closures.eliminate_bias_on_ground::<1>();
        self.backward::<LOADS>(answer);
    }

    /// Forward substitution at one node: what it adds to the force of its parent.
    #[inline(never)]
    pub(super) fn forward(&mut self, at: usize) -> Six<T> {
        T::run_vectorized(ForwardNodeTask(self, at))
    }

    #[inline(always)]
    fn forward_inlined(&mut self, at: usize) -> Six<T> {
        let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
        if node.is_ball {
            let force = node.forward_ball();
            if node.loop_step != NONE {
                self.closures.pass_bias_of_ball(node);
            }
            return force;
        }
        if node.is_point {
            node.force.ang = Vec3::ZERO;
        }
        if node.loop_step != NONE {
            self.closures.eliminate_bias_at(node.loop_step, [&mut node.force]);
        }
        let force = match (node.form, node.kind) {
            (Form::Freedoms(1), ROOT) => node.forward_freedoms::<1, ROOT>(extra),
            (Form::Freedoms(1), LEAF) => node.forward_freedoms::<1, LEAF>(extra),
            (Form::Freedoms(1), _) => node.forward_freedoms::<1, INNER>(extra),
            (Form::Freedoms(0), _) => node.forward_freedoms::<0, INNER>(extra),
            (Form::Freedoms(2), _) => node.forward_freedoms::<2, INNER>(extra),
            (Form::Freedoms(_), ROOT) => node.forward_freedoms::<3, ROOT>(extra),
            (Form::Freedoms(_), LEAF) => node.forward_freedoms::<3, LEAF>(extra),
            (Form::Freedoms(_), _) => node.forward_freedoms::<3, INNER>(extra),
            (Form::Rows(m), _) => node.forward_rows(extra, m as usize),
        };
        if node.loop_step != NONE {
            self.closures.pass_bias(node.loop_step, node, extra);
        }
        force
    }

    /// Back substitution after [`factor`](ArticulatedForest::factor), with `LOADS` as in
    /// [`solve_to`](ArticulatedForest::solve_to).
    #[inline(always)]
    pub fn backward<const LOADS: u8>(&mut self, answer: impl TakeSolution<T>) {
        T::backward::<LOADS, _>(self, answer);
    }

    /// Back substitution of all nodes by the scalar kernels.
    #[inline(always)]
    pub(crate) fn back_all<const LOADS: u8>(&mut self, mut answer: impl TakeSolution<T>) {
        self.closures.answer_on_ground::<1>();
        // In a chain the parent is the node before: its unknowns need not be read from memory.
        let mut last = Six::ZERO;
        for at in (0..self.nodes.len()).rev() {
            let (here, above) = self.nodes.split_at_mut(at + 1);
            let node = &mut here[at];
            let parent = match node.parent {
                NONE => Six::ZERO,
                parent if parent as usize == at + 1 => last,
                parent => above[parent as usize - at - 1].x,
            };
            last = if node.is_one_dof() || node.is_ball {
                let has_load = LOADS == ALL_LOADS || (LOADS == ROOT_LOADS && node.parent == NONE);
                if node.is_ball {
                    if node.loop_step != NONE {
                        node.push_ball(&self.closures, has_load);
                    }
                    let (x, y) = node.back_ball(&parent);
                    if has_load {
                        self.loads[at] = node.load_of_ball(y);
                    }
                    x
                } else {
                    let x = node.back_one_dof(&parent);
                    if has_load {
                        self.loads[at] = node.load_of_one_dof(&x);
                    }
                    x
                }
            } else {
                self.back::<LOADS>(at, parent)
            };
            answer.take(at, &last);
        }
    }

    /// Back substitution at one node, given the unknowns of its parent.
    #[inline(never)]
    pub(super) fn back<const LOADS: u8>(&mut self, at: usize, parent: Six<T>) -> Six<T> {
        T::run_vectorized(BackNodeTask::<T, LOADS>(self, at, parent))
    }

    #[inline(always)]
    fn back_inlined<const LOADS: u8>(&mut self, at: usize, parent: Six<T>) -> Six<T> {
        let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
        if node.loop_step != NONE {
            // Without the load the force is not needed, only its part along the freedoms.
            let has_load = LOADS == ALL_LOADS || (LOADS == ROOT_LOADS && node.parent == NONE);
            match node.form {
                Form::Freedoms(1) if !has_load => {
                    let [push] = self.closures.push_along::<1>(node.loop_step);
                    node.projection += push * node.inverse;
                }
                Form::Freedoms(3) if !has_load => {
                    let push = self.closures.push_along::<3>(node.loop_step);
                    node.projection += push[0] * node.inverse;
                    extra.projections[0] += push[1] * extra.inverses[0];
                    extra.projections[1] += push[2] * extra.inverses[1];
                }
                _ => {
                    let push = self.closures.push(node.loop_step, 0);
                    node.push(extra, &push);
                }
            }
        }
        let load = match (node.form, node.kind) {
            (Form::Freedoms(1), ROOT) => node.back_freedoms::<1, ROOT, LOADS>(extra, &parent),
            (Form::Freedoms(1), _) => node.back_freedoms::<1, INNER, LOADS>(extra, &parent),
            (Form::Freedoms(0), _) => node.back_freedoms::<0, INNER, LOADS>(extra, &parent),
            (Form::Freedoms(2), _) => node.back_freedoms::<2, INNER, LOADS>(extra, &parent),
            (Form::Freedoms(_), ROOT) => node.back_freedoms::<3, ROOT, LOADS>(extra, &parent),
            (Form::Freedoms(_), _) => node.back_freedoms::<3, INNER, LOADS>(extra, &parent),
            (Form::Rows(m), _) => node.back_rows(extra, m as usize, parent),
        };
        if LOADS == ALL_LOADS || (LOADS == ROOT_LOADS && node.parent == NONE) {
            self.loads[at] = load;
        }
        if node.is_point {
            node.x.ang = Vec3::ZERO;
        }
        if node.loop_step != NONE {
            self.closures.answer_at::<1>(node.loop_step, [&node.x]);
        }
        node.x
    }

    /// Back substitution at one node, with all loads, given the unknowns of its parent.
    pub fn back_node(&mut self, at: usize, parent: Six<T>) -> Six<T> {
        self.back::<ALL_LOADS>(at, parent)
    }
}

struct ForwardNodeTask<'s, T: Lane>(&'s mut ArticulatedForest<T>, usize);

impl<T: Lane> Task for ForwardNodeTask<'_, T> {
    type Output = Six<T>;
    #[inline(always)]
    fn run(self) -> Six<T> {
        self.0.forward_inlined(self.1)
    }
}

struct BackNodeTask<'s, T: Lane, const LOADS: u8>(&'s mut ArticulatedForest<T>, usize, Six<T>);

impl<T: Lane, const LOADS: u8> Task for BackNodeTask<'_, T, LOADS> {
    type Output = Six<T>;
    #[inline(always)]
    fn run(self) -> Six<T> {
        self.0.back_inlined::<LOADS>(self.1, self.2)
    }
}
