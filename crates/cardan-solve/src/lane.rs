//! The number type of the elimination kernels.
//!
//! Everything numeric in [`Tree`](crate::Tree) and [`ArticulatedForest`] is written once over [`Lane`]. With
//! `f64` it solves one system; with several numbers in lanes it solves as many systems of the same graph in
//! lock step; with [`Counted`] it counts its own arithmetic, which is how the tests show linear cost.

use crate::articulated::{ArticulatedForest, FillNodes, TakeSolution, f64x3};
use std::cell::Cell;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// A number, or several numbers in SIMD lanes.
///
/// Decisions (is this pivot large enough?) look at [`magnitude`](Lane::magnitude) only, so that they cost
/// nothing in the arithmetic and can be shared by all lanes.
pub trait Lane:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// Zero in every lane.
    const ZERO: Self;
    /// One in every lane.
    const ONE: Self;
    /// The same value in every lane.
    fn splat(value: f64) -> Self;
    /// Square root; NaN for a negative number.
    fn sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// Its own magnitude with the sign of another number.
    fn with_sign_of(self, other: Self) -> Self;
    /// Largest magnitude over the lanes, for decisions (NaN stays NaN).
    fn magnitude(self) -> f64;
    /// Above zero in every lane; false for NaN.
    #[inline(always)]
    fn is_positive(self) -> bool {
        self == self.abs() && self != Self::ZERO
    }
    /// Runs a task compiled for the widest registers that suit the type. A function that is not inlined into
    /// such a task must start its own.
    #[inline(always)]
    fn run_vectorized<W: Task>(work: W) -> W::Output {
        work.run()
    }
    /// Elimination of an [`ArticulatedForest`] by the fastest kernels of this type. Returns the first node
    /// whose pivot is not positive, or `NONE`.
    #[doc(hidden)]
    #[inline(always)]
    fn eliminate<F: FillNodes<Self>>(articulated: &mut ArticulatedForest<Self>, fill: &mut F) -> u32 {
        articulated.eliminate_all(fill)
    }
    /// Back substitution of an [`ArticulatedForest`] by the fastest kernels of this type.
    #[doc(hidden)]
    #[inline(always)]
    fn backward<const LOADS: u8, A: TakeSolution<Self>>(
        articulated: &mut ArticulatedForest<Self>,
        answer: A,
    ) {
        articulated.back_all::<LOADS>(answer);
    }
}

/// Work for [`Lane::run_vectorized`]. A trait and not a Rust closure, because `run` must always be inlined to
/// be compiled for wide registers.
pub trait Task {
    /// The result.
    type Output;
    /// Does the work; `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

impl Lane for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    #[inline]
    fn splat(value: f64) -> f64 {
        value
    }
    #[inline]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    #[inline]
    fn abs(self) -> f64 {
        f64::abs(self)
    }
    #[inline]
    fn with_sign_of(self, other: f64) -> f64 {
        f64::copysign(self, other)
    }
    #[inline]
    fn magnitude(self) -> f64 {
        f64::abs(self)
    }
    #[inline(always)]
    fn eliminate<F: FillNodes<f64>>(articulated: &mut ArticulatedForest, fill: &mut F) -> u32 {
        f64x3::eliminate(articulated, fill)
    }
    #[inline(always)]
    fn backward<const LOADS: u8, A: TakeSolution<f64>>(articulated: &mut ArticulatedForest, answer: A) {
        f64x3::backward::<LOADS, A>(articulated, answer);
    }
}

/// Numbers of arithmetic operations.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Additions and subtractions.
    pub add: u64,
    /// Multiplications.
    pub mul: u64,
    /// Divisions.
    pub div: u64,
    /// Square roots.
    pub sqrt: u64,
}

impl Operations {
    /// Sum of all operations.
    pub fn total(self) -> u64 {
        self.add + self.mul + self.div + self.sqrt
    }
}

thread_local! {
    static COUNTER: Cell<Operations> = const { Cell::new(NO_OPERATIONS) };
}

fn count(one: Operations) {
    COUNTER.with(|counter| {
        let so_far = counter.get();
        counter.set(Operations {
            add: so_far.add + one.add,
            mul: so_far.mul + one.mul,
            div: so_far.div + one.div,
            sqrt: so_far.sqrt + one.sqrt,
        });
    });
}

const NO_OPERATIONS: Operations = Operations { add: 0, mul: 0, div: 0, sqrt: 0 };
const AN_ADD: Operations = Operations { add: 1, ..NO_OPERATIONS };
const A_MUL: Operations = Operations { mul: 1, ..NO_OPERATIONS };
const A_DIV: Operations = Operations { div: 1, ..NO_OPERATIONS };
const A_SQRT: Operations = Operations { sqrt: 1, ..NO_OPERATIONS };

/// An `f64` that counts every operation done with it on this thread.
///
/// Sign changes, absolute values and comparisons are not counted.
#[derive(Copy, Clone, Debug, Default, PartialEq, PartialOrd)]
pub struct Counted(pub f64);

impl Counted {
    /// Sets this thread's counter to zero.
    pub fn reset() {
        COUNTER.with(|counter| counter.set(Operations::default()));
    }

    /// Operations on this thread since the last [`reset`](Counted::reset).
    pub fn operations() -> Operations {
        COUNTER.with(Cell::get)
    }
}

impl Add for Counted {
    type Output = Counted;
    fn add(self, other: Counted) -> Counted {
        count(AN_ADD);
        Counted(self.0 + other.0)
    }
}
impl Sub for Counted {
    type Output = Counted;
    fn sub(self, other: Counted) -> Counted {
        count(AN_ADD);
        Counted(self.0 - other.0)
    }
}
impl Mul for Counted {
    type Output = Counted;
    fn mul(self, other: Counted) -> Counted {
        count(A_MUL);
        Counted(self.0 * other.0)
    }
}
impl Div for Counted {
    type Output = Counted;
    fn div(self, other: Counted) -> Counted {
        count(A_DIV);
        Counted(self.0 / other.0)
    }
}
impl Neg for Counted {
    type Output = Counted;
    fn neg(self) -> Counted {
        Counted(-self.0)
    }
}
impl AddAssign for Counted {
    fn add_assign(&mut self, other: Counted) {
        *self = *self + other;
    }
}
impl SubAssign for Counted {
    fn sub_assign(&mut self, other: Counted) {
        *self = *self - other;
    }
}
impl MulAssign for Counted {
    fn mul_assign(&mut self, other: Counted) {
        *self = *self * other;
    }
}

impl Lane for Counted {
    const ZERO: Counted = Counted(0.0);
    const ONE: Counted = Counted(1.0);
    fn splat(value: f64) -> Counted {
        Counted(value)
    }
    fn sqrt(self) -> Counted {
        count(A_SQRT);
        Counted(self.0.sqrt())
    }
    fn abs(self) -> Counted {
        Counted(self.0.abs())
    }
    fn with_sign_of(self, other: Counted) -> Counted {
        Counted(self.0.copysign(other.0))
    }
    fn magnitude(self) -> f64 {
        self.0.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_numbers_count() {
        Counted::reset();
        let mut a = Counted(2.0) + Counted(1.0) * Counted(2.0) - Counted(1.0) / Counted(2.0);
        a += Counted(0.5).sqrt();
        a *= -a.abs();
        let n = Counted::operations();
        assert_eq!((n.add, n.mul, n.div, n.sqrt, n.total()), (3, 2, 1, 1, 7));
        Counted::reset();
        assert_eq!(Counted::operations(), Operations::default());
    }
}
