//! Traits of what fills the nodes before they are eliminated, and of what takes the unknowns as they are found.

use super::f64x3::{Avx2, F64x3, NodeInputSimd};
use super::{Node, NodeExtra, NodeInput};
use crate::lane::Lane;
use crate::math::Six;

/// Writes the input of an elimination, node by node in elimination order, just before it is used.
pub trait FillNodes<T: Lane> {
    /// Writes the mass to `diag`, the force, and for a link `shift`, the columns and `gamma` (or rows and
    /// biases).
    fn fill_node(&mut self, at: usize, node: &mut Node<T>, extra: &mut NodeExtra<T>);
    /// Input of a node with the one-freedom kernel, or, with `BALL`, of a spherical link. `REVERSED` repeats
    /// what [`ArticulatedForest::set_reversed`](super::ArticulatedForest::set_reversed) was told.
    #[inline(always)]
    fn input<const BALL: bool, const REVERSED: bool>(
        &mut self,
        at: usize,
        node: &mut Node<T>,
        extra: &mut NodeExtra<T>,
    ) -> NodeInput<T> {
        node.clear_joint_input(extra);
        self.fill_node(at, node, extra);
        NodeInput {
            mass: node.diag.a.xx,
            inertia: node.diag.c,
            force: node.force,
            gamma: node.gamma,
            shift: node.shift,
            first: node.first,
            effort: node.effort,
            joint_inertia: node.joint_inertia,
        }
    }
    /// Input of such a node in AVX2 registers, or `None` if this type only writes scalars.
    #[inline(always)]
    fn input_simd<const BALL: bool>(&mut self, _avx2: Avx2, _at: usize) -> Option<NodeInputSimd> {
        None
    }
    /// Takes the unknowns of a node as soon as they are known: parents first.
    #[inline(always)]
    fn answer(&mut self, _at: usize, _x: &Six<T>) {}
    /// Takes the unknowns of a node in AVX2 registers; false if this type only takes scalars.
    #[inline(always)]
    fn answer_simd(&mut self, _avx2: Avx2, _at: usize, _x: [F64x3; 2]) -> bool {
        false
    }
}

/// Takes the unknowns, node by node as soon as they are known: parents first.
pub trait TakeSolution<T: Lane> {
    /// Takes the unknowns of the node at `at`.
    fn take(&mut self, at: usize, x: &Six<T>);
    /// Takes the unknowns of a node in AVX2 registers; false if this type only takes scalars.
    #[inline(always)]
    fn take_simd(&mut self, _avx2: Avx2, _at: usize, _x: [F64x3; 2]) -> bool {
        false
    }
}

impl<T: Lane, F: FnMut(usize, &Six<T>)> TakeSolution<T> for F {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        self(at, x);
    }
}

/// Passes the unknowns to the type that filled the nodes.
pub(super) struct FillerAsTaker<'f, F>(pub(super) &'f mut F);

impl<T: Lane, F: FillNodes<T>> TakeSolution<T> for FillerAsTaker<'_, F> {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        self.0.answer(at, x);
    }
    #[inline(always)]
    fn take_simd(&mut self, avx2: Avx2, at: usize, x: [F64x3; 2]) -> bool {
        self.0.answer_simd(avx2, at, x)
    }
}

/// Fills nodes by calling a function.
#[derive(Debug)]
pub struct FillWith<F>(pub F);

impl<T: Lane, F: FnMut(usize, &mut Node<T>, &mut NodeExtra<T>)> FillNodes<T> for FillWith<F> {
    #[inline(always)]
    fn fill_node(&mut self, at: usize, node: &mut Node<T>, extra: &mut NodeExtra<T>) {
        (self.0)(at, node, extra);
    }
}
