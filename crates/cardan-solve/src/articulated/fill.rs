//! Traits of what fills the nodes before they are eliminated, and of what takes the unknowns as they are found.

use super::f64x3::{Avx2, F64x3, NodeInputSimd};
use super::{Node, NodeExtra, NodeInput};
use crate::lane::Lane;
use crate::math::Six;

/// Whoever writes what goes into an elimination, place by place in its order, just before the numbers are used.
pub trait FillNodes<T: Lane> {
    /// The mass into `diag`, `force`, and for a link `shift`, the columns and `gamma` (or rows and biases).
    fn fill_node(&mut self, at: usize, node: &mut Node<T>, extra: &mut NodeExtra<T>);
    /// The same for a place that was made plain, or a `BALL`; `REVERSED` if it was said to be so ([`ArticulatedForest::set_reversed`]).
    #[inline(always)]
    fn input<const BALL: bool, const REVERSED: bool>(
        &mut self,
        at: usize,
        node: &mut Node<T>,
        extra: &mut NodeExtra<T>,
    ) -> NodeInput<T> {
        self.fill_node(at, node, extra);
        NodeInput {
            mass: node.diag.a.xx,
            inertia: node.diag.c,
            force: node.force,
            gamma: node.gamma,
            shift: node.shift,
            first: node.first,
        }
    }
    /// The same in wide registers, by those who can; where numbers are `f64`.
    #[inline(always)]
    fn input_simd<const BALL: bool>(&mut self, _wide: Avx2, _at: usize) -> Option<NodeInputSimd> {
        None
    }
    /// Takes the unknowns of a place as soon as they are known: in the reverse order.
    #[inline(always)]
    fn answer(&mut self, _at: usize, _x: &Six<T>) {}
    /// The same in wide registers, by those who can; false if it was not taken.
    #[inline(always)]
    fn answer_simd(&mut self, _wide: Avx2, _at: usize, _x: [F64x3; 2]) -> bool {
        false
    }
}

/// Whoever takes unknowns, place by place as soon as they are known.
pub trait TakeSolution<T: Lane> {
    /// Takes those of one place.
    fn take(&mut self, at: usize, x: &Six<T>);
    /// The same in wide registers, by those who can; false if they were not taken.
    #[inline(always)]
    fn take_simd(&mut self, _wide: Avx2, _at: usize, _x: [F64x3; 2]) -> bool {
        false
    }
}

impl<T: Lane, F: FnMut(usize, &Six<T>)> TakeSolution<T> for F {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        self(at, x);
    }
}

/// Whoever fills also takes.
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

/// From a closure.
#[derive(Debug)]
pub struct FillWith<F>(pub F);

impl<T: Lane, F: FnMut(usize, &mut Node<T>, &mut NodeExtra<T>)> FillNodes<T> for FillWith<F> {
    #[inline(always)]
    fn fill_node(&mut self, at: usize, node: &mut Node<T>, extra: &mut NodeExtra<T>) {
        (self.0)(at, node, extra);
    }
}
