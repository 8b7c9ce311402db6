//! Elimination from the leaves to the roots: D and F of every node, with what its children add.

use super::fill::FillerAsTaker;
use super::loops::LoopClosures;
use super::node::{INNER, LEAF, ROOT};
use super::{ALL_LOADS, ArticulatedForest, FillNodes, Form, LoopClosure, Node, NodeExtra};
use crate::error::{FactorError, SystemEntry};
use crate::graph::{Link, NONE, index_u32};
use crate::lane::{Lane, Task};
use crate::math::{Six, Sym6};

impl<T: Lane> ArticulatedForest<T> {
    /// Eliminates from the leaves to the roots with forward substitution, then substitutes back.
    ///
    /// # Errors
    /// A pivot is not positive: a mass is not positive definite, or columns of N or rows of J_c depend on
    /// each other.
    #[inline(always)]
    pub fn factor_and_solve(&mut self, fill: &mut impl FillNodes<T>) -> Result<(), FactorError> {
        self.factor(fill)?;
        T::backward::<ALL_LOADS, _>(self, FillerAsTaker(fill));
        Ok(())
    }

    /// Eliminates from the leaves to the roots, with forward substitution of the given right-hand side and
    /// without back substitution ([`backward`](ArticulatedForest::backward)).
    ///
    /// # Errors
    /// As [`factor_and_solve`](ArticulatedForest::factor_and_solve).
    #[inline(always)]
    pub fn factor(&mut self, fill: &mut impl FillNodes<T>) -> Result<(), FactorError> {
        self.make_room();
        self.closures.eliminate_legs(true);
        let failed = loop {
            self.closures.load_rows();
            let failed = T::eliminate(self, fill);
            if !self.closures.leaves_legs() {
                break failed;
            }
        };
        self.outcome(failed)
    }

    /// Eliminates all nodes by the scalar kernels. Returns the first whose pivot is not positive, or
    /// [`NONE`].
    #[inline(always)]
    pub(crate) fn eliminate_all(&mut self, fill: &mut impl FillNodes<T>) -> u32 {
        let mut depth = 0;
        let mut failed = NONE;
        let nothing = (Sym6::ZERO, Six::ZERO);
        for at in 0..self.nodes.len() {
            let node = &mut self.nodes[at];
            depth -= usize::from(node.has_children);
            let extra = &mut self.extra[self.extra_at[at] as usize];
            let sums = &mut self.sums;
            // Every branch gets its input and hands on its remainder itself. Merged branches would pass all
            // of it through memory.
            let fine = if node.is_reversed() && (node.is_one_dof() || node.is_ball) {
                self.eliminate_reversed(at, depth, fill)
            } else if node.is_one_dof() {
                let mut given = fill.input::<false, false>(at, node, extra);
                if let Some(&inertia) = self.joint_inertias.get(at) {
                    given.joint_inertia = inertia;
                }
                if node.has_children {
                    let (fine, left, force) = node.eliminate_one_dof::<INNER>(&given, &sums[depth]);
                    add_to_parent(node, sums, depth, left, force);
                    fine
                } else {
                    let (fine, left, force) = node.eliminate_one_dof::<LEAF>(&given, &nothing);
                    add_to_parent(node, sums, depth, left, force);
                    fine
                }
            } else if node.is_ball {
                let given = fill.input::<true, false>(at, node, extra);
                let fine = if node.has_children {
                    let (fine, left, force) = node.eliminate_ball::<INNER>(&given, &sums[depth]);
                    add_to_parent(node, sums, depth, left, force);
                    fine
                } else {
                    let (fine, left, force) = node.eliminate_ball::<LEAF>(&given, &nothing);
                    add_to_parent(node, sums, depth, left, force);
                    fine
                };
                if node.loop_step != NONE {
                    let next = LoopClosures::next_loop_step(&self.nodes, at);
                    self.closures.pass_over_ball(&self.nodes[at], next);
                }
                fine
            } else {
                node.clear_joint_input(extra);
                fill.fill_node(at, node, extra);
                node.take_joint_inertia(&self.joint_inertias, at);
                let (fine, left, force) = self.eliminate(at, depth);
                add_to_parent(&self.nodes[at], &mut self.sums, depth, left, force);
                fine
            };
            depth += usize::from(self.nodes[at].is_first);
            if !fine && failed == NONE {
                failed = index_u32(at);
            }
        }
        failed
    }

    /// Eliminates a node of the one-freedom or the spherical kernel whose link is reversed.
    #[inline(never)]
    fn eliminate_reversed<F: FillNodes<T>>(&mut self, at: usize, depth: usize, fill: &mut F) -> bool {
        T::run_vectorized(EliminateReversed(self, at, depth, fill))
    }

    #[inline(always)]
    fn eliminate_reversed_inlined<F: FillNodes<T>>(&mut self, at: usize, depth: usize, fill: &mut F) -> bool {
        let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
        let nothing = (Sym6::ZERO, Six::ZERO);
        let sum = if node.has_children { &self.sums[depth] } else { &nothing };
        let (fine, left, force) = if node.is_ball {
            let given = fill.input::<true, true>(at, node, extra);
            match node.has_children {
                true => node.eliminate_ball::<INNER>(&given, sum),
                false => node.eliminate_ball::<LEAF>(&given, sum),
            }
        } else {
            let mut given = fill.input::<false, true>(at, node, extra);
            if let Some(&inertia) = self.joint_inertias.get(at) {
                given.joint_inertia = inertia;
            }
            match node.has_children {
                true => node.eliminate_one_dof::<INNER>(&given, sum),
                false => node.eliminate_one_dof::<LEAF>(&given, sum),
            }
        };
        add_to_parent(node, &mut self.sums, depth, left, force);
        if node.loop_step != NONE {
            let next = LoopClosures::next_loop_step(&self.nodes, at);
            self.closures.pass_over_ball(&self.nodes[at], next);
        }
        fine
    }

    /// Result of an elimination, after loops whose ends meet on the ground have been eliminated.
    fn outcome(&mut self, failed: u32) -> Result<(), FactorError> {
        if failed != NONE {
            return Err(match self.closures.failed {
                NONE => self.failed(failed as usize),
                _ => self.failed_closure(),
            });
        }
        if !self.closures.eliminate_on_ground() {
            return Err(self.failed_closure());
        }
        Ok(())
    }

    /// Eliminates a node by the general kernels, with the sums of its children at `depth`; false if a pivot
    /// is not positive.
    #[inline(never)]
    pub(super) fn eliminate(&mut self, at: usize, depth: usize) -> (bool, Sym6<T>, Six<T>) {
        T::run_vectorized(EliminateNodeTask(self, at, depth))
    }

    #[inline(always)]
    fn eliminate_inlined(&mut self, at: usize, depth: usize) -> (bool, Sym6<T>, Six<T>) {
        let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
        if node.has_children {
            let (diag, force) = &self.sums[depth];
            node.diag = node.diag + *diag;
            node.force += *force;
        }
        if node.is_point {
            node.clear_rotation();
        }
        let met = node.loop_step == NONE || self.closures.eliminate_at(node.loop_step, node);
        let (fine, left, force) = match (node.form, node.kind) {
            (Form::Freedoms(1), ROOT) => node.eliminate_freedoms::<1, ROOT>(extra),
            (Form::Freedoms(1), LEAF) => node.eliminate_freedoms::<1, LEAF>(extra),
            (Form::Freedoms(1), _) => node.eliminate_freedoms::<1, INNER>(extra),
            (Form::Freedoms(0), _) => node.eliminate_freedoms::<0, INNER>(extra),
            (Form::Freedoms(2), _) => node.eliminate_freedoms::<2, INNER>(extra),
            (Form::Freedoms(_), ROOT) => node.eliminate_freedoms::<3, ROOT>(extra),
            (Form::Freedoms(_), LEAF) => node.eliminate_freedoms::<3, LEAF>(extra),
            (Form::Freedoms(_), _) => node.eliminate_freedoms::<3, INNER>(extra),
            (Form::Rows(m), _) => node.eliminate_rows(extra, m as usize),
        };
        if node.loop_step != NONE {
            self.closures.pass(node.loop_step, node, extra);
        }
        (fine && met, left, force)
    }

    /// Eliminates one node, given the sum of its children if it has any. Returns whether all pivots are
    /// positive, and D and F for its parent.
    pub fn eliminate_node(
        &mut self,
        at: usize,
        sum: Option<(Sym6<T>, Six<T>)>,
        fill: &mut impl FillNodes<T>,
    ) -> (bool, Sym6<T>, Six<T>) {
        self.make_room();
        let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
        node.clear_joint_input(extra);
        fill.fill_node(at, node, extra);
        node.take_joint_inertia(&self.joint_inertias, at);
        if let Some(sum) = sum {
            self.sums[0] = sum;
        }
        self.eliminate(at, 0)
    }

    /// Allocates memory for further columns, if that has not been done.
    fn make_room(&mut self) {
        if self.extra.is_empty() {
            let most = self.extra_at.iter().copied().max().unwrap_or(0);
            self.extra.resize(most as usize + 1, NodeExtra::default());
        }
    }

    /// Error for a loop closure whose rows the rank plan keeps but whose pivot vanished.
    fn failed_closure(&self) -> FactorError {
        let link = self.closures.all.get(self.closures.failed as usize).map_or(Link(0), LoopClosure::link);
        FactorError::Vanished { link, row: 0 }
    }

    fn failed(&self, at: usize) -> FactorError {
        let node = &self.nodes[at];
        let finite = |entry: &T| entry.magnitude().is_finite();
        let block = self.blocks[at];
        if !node.diag.packed().iter().all(finite) {
            return FactorError::NotFinite { place: SystemEntry::Mass(block) };
        }
        match self.links[at] {
            Some(link) => FactorError::Vanished { link, row: 0 },
            None => FactorError::NotPositive { block },
        }
    }
}

struct EliminateNodeTask<'s, T: Lane>(&'s mut ArticulatedForest<T>, usize, usize);

impl<T: Lane> Task for EliminateNodeTask<'_, T> {
    type Output = (bool, Sym6<T>, Six<T>);
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.eliminate_inlined(self.1, self.2)
    }
}

struct EliminateReversed<'s, T: Lane, F>(&'s mut ArticulatedForest<T>, usize, usize, &'s mut F);

impl<T: Lane, F: FillNodes<T>> Task for EliminateReversed<'_, T, F> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        self.0.eliminate_reversed_inlined(self.1, self.2, self.3)
    }
}

/// Adds what is left of a node to its parent's sum: the last one below `depth`, or a new one.
#[inline(always)]
fn add_to_parent<T: Lane>(
    node: &Node<T>,
    sums: &mut [(Sym6<T>, Six<T>)],
    depth: usize,
    left: Sym6<T>,
    force: Six<T>,
) {
    if node.parent == NONE {
        return;
    }
    if node.is_first {
        sums[depth] = (left, force);
        return;
    }
    let sum = &mut sums[depth - 1];
    sum.0 = sum.0 + left;
    sum.1 += force;
}
