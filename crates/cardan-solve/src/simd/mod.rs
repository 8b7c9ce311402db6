//! Numbers of several systems in SIMD lanes, and decisions lane by lane.
//!
//! A [`Simd`] is a [`Lane`] whose lanes can be read one by one. `f64` has one lane; [`run_simd4`] chooses the
//! best type of four lanes that the machine has. Lanes do not change the order of operations within a system,
//! so each has the bits that it would have alone.

mod array;
#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod lines;

pub use array::F64x4;

use crate::lane::Lane;
use std::cell::Cell;
use std::ops::{BitAnd, BitOr, Not};

thread_local! {
    static ARRAY_LANES: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread makes lanes of arrays from now on, whatever the machine has, in every layout: those
/// that are worth their while with AVX2 registers only too. For tests: the bits are the same, and machines
/// without AVX2 run the same code.
#[doc(hidden)]
pub fn use_array_lanes(on: bool) {
    ARRAY_LANES.set(on);
}

/// Whether layouts that need fast lanes are used: with AVX2, or where [`use_array_lanes`] asks for them.
pub fn has_fast_lanes() -> bool {
    ARRAY_LANES.get() || crate::articulated::f64x3::Avx2::detect().is_some()
}

/// A boolean per lane.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// False in every lane.
    const NONE: Self;
    /// True in some lane.
    fn any(self) -> bool;
    /// The boolean of one lane.
    fn lane(self, i: usize) -> bool;
}

impl Mask for bool {
    const NONE: bool = false;
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn lane(self, _: usize) -> bool {
        self
    }
}

/// Numbers in lanes that can be compared and selected lane by lane.
pub trait Simd: Lane {
    /// Number of lanes.
    const LANES: usize;
    /// A boolean per lane.
    type Mask: Mask;
    /// From a function of the lane's index.
    fn from_lanes(each: impl FnMut(usize) -> f64) -> Self;
    /// The number of one lane.
    fn lane(self, i: usize) -> f64;
    /// The number of one lane, by reference: only that number is read.
    #[inline(always)]
    fn at(&self, i: usize) -> f64 {
        self.lane(i)
    }
    /// Sets the number of one lane.
    fn set_lane(&mut self, i: usize, x: f64);
    /// True where it is greater than the other; false for NaN.
    fn above(self, other: Self) -> Self::Mask;
    /// True where it is not less than or equal to the other; true for NaN on either side.
    fn exceeds(self, other: Self) -> Self::Mask;
    /// True where it is NaN.
    fn is_nan(self) -> Self::Mask;
    /// `yes` where the mask is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

impl Simd for f64 {
    const LANES: usize = 1;
    type Mask = bool;
    #[inline(always)]
    fn from_lanes(mut each: impl FnMut(usize) -> f64) -> f64 {
        each(0)
    }
    #[inline(always)]
    fn lane(self, _: usize) -> f64 {
        self
    }
    #[inline(always)]
    fn set_lane(&mut self, _: usize, x: f64) {
        *self = x;
    }
    #[inline(always)]
    fn above(self, other: f64) -> bool {
        self > other
    }
    #[inline(always)]
    fn exceeds(self, other: f64) -> bool {
        self > other || self.is_nan() || other.is_nan()
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        f64::is_nan(self)
    }
    #[inline(always)]
    fn select(mask: bool, yes: f64, no: f64) -> f64 {
        if mask { yes } else { no }
    }
}

/// Four lanes that are gathered from four rows of one array, and scattered to them.
pub trait Simd4: Simd {
    /// The first N numbers of four rows that begin at `at`: the k-th of every row in the k-th result.
    fn gather<const N: usize>(all: &[f64], at: [u32; 4]) -> [Self; N];
    /// Writes such numbers back. Where rows coincide, the last lane is kept.
    fn scatter<const N: usize>(numbers: [Self; N], all: &mut [f64], at: [u32; 4]);
    /// [`gather`](Simd4::gather) of sums over rows: each entry of `rows` has where the terms of all lanes
    /// begin.
    fn gather_sums<const N: usize>(all: &[f64], rows: &[[u32; 4]]) -> [Self; N];
}

/// Work with four lanes, generic over the type.
pub trait Simd4Task {
    /// The result.
    type Output;
    /// Does the work.
    fn run<T: Simd4>(self) -> Self::Output;
}

/// Runs work with the best type of four lanes that this machine has; the bits do not depend on which.
pub fn run_simd4<W: Simd4Task>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if avx2::is_available() && !ARRAY_LANES.get() {
        return work.run::<avx2::Avx2F64x4>();
    }
    work.run::<F64x4>()
}

/// Runs work with AVX2 registers, or with arrays where [`use_array_lanes`] asks for them; `None` if this
/// machine has no AVX2.
pub fn run_simd4_avx2<W: Simd4Task>(work: W) -> Option<W::Output> {
    has_fast_lanes().then(|| run_simd4(work))
}

/// Runs work with lanes in arrays, whatever the machine has: the reference for comparisons.
pub fn run_simd4_array<W: Simd4Task>(work: W) -> W::Output {
    work.run::<F64x4>()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct AllOperations;

    /// Bits of every operation on two operands.
    impl Simd4Task for AllOperations {
        type Output = Vec<u64>;
        fn run<T: Simd4>(self) -> Vec<u64> {
            let numbers = [1.5, -2.25, 0.0, 1e300, -0.0, f64::NAN, f64::INFINITY, 3e-310];
            let mut out = Vec::new();
            for shift in 0..numbers.len() {
                let a = T::from_lanes(|i| numbers[i]);
                let b = T::from_lanes(|i| numbers[(i + shift) % numbers.len()]);
                let (mut sum, mut less, mut times) = (a, a, a);
                sum += b;
                less -= b;
                times *= b;
                let mut set = a;
                set.set_lane(1, 7.0);
                let chosen = T::select(a.above(b) & !b.is_nan() | a.is_nan(), a, b);
                let results =
                    [a + b, a - b, a * b, a / b, -a, a.sqrt(), a.abs(), sum, less, times, set, chosen];
                let more = [a.with_sign_of(b), T::splat(0.1), T::ZERO, T::ONE, T::default()];
                for x in results.into_iter().chain(more) {
                    // Which NaN an operation makes is not specified.
                    out.extend((0..4).map(|i| if x.lane(i).is_nan() { 1 } else { x.lane(i).to_bits() }));
                }
                out.extend((0..4).map(|i| u64::from(a.above(b).lane(i))));
                assert!((0..4).all(|i| chosen.at(i).to_bits() == chosen.lane(i).to_bits()));
                out.extend((0..4).map(|i| u64::from(a.exceeds(b).lane(i))));
                let words = [a.is_positive(), (a * a + T::ONE).is_positive(), a == b, a.above(b).any()];
                out.extend(words.map(u64::from));
                out.push(a.magnitude().to_bits());
            }
            let all: Vec<f64> = (0..64).map(|k| f64::from(k) * 0.37 - 3.0).collect();
            let mut back = vec![0.5; 64];
            let mut note =
                |numbers: &[T]| out.extend(numbers.iter().flat_map(|x| (0..4).map(|i| x.lane(i).to_bits())));
            let (six, seven) = (T::gather::<6>(&all, [3, 58, 0, 17]), T::gather::<7>(&all, [57, 1, 1, 30]));
            note(&six);
            note(&seven);
            note(&T::gather_sums::<8>(&all, &[[1, 2, 3, 4], [56, 55, 9, 0], [20, 20, 21, 5]]));
            T::scatter(six, &mut back, [3, 58, 0, 17]);
            T::scatter(seven, &mut back, [40, 30, 23, 40]);
            T::scatter(T::gather::<4>(&all, [0, 4, 8, 12]), &mut back, [9, 47, 51, 13]);
            out.extend(back.iter().map(|x| x.to_bits()));
            out
        }
    }

    #[test]
    fn rows_are_read_and_written_number_by_number() {
        let all: Vec<f64> = (0..40).map(f64::from).collect();
        let six = F64x4::gather::<6>(&all, [3, 34, 0, 17]);
        for (k, x) in six.iter().enumerate() {
            for (lane, at) in [3, 34, 0, 17].into_iter().enumerate() {
                assert_eq!(x.lane(lane), (at + k) as f64);
            }
        }
        let sums = F64x4::gather_sums::<4>(&all, &[[0, 1, 2, 3], [10, 10, 20, 30]]);
        assert_eq!((sums[2].lane(0), sums[3].lane(3)), (2.0 + 12.0, 6.0 + 33.0));
        let mut back = vec![-1.0; 40];
        F64x4::scatter(six, &mut back, [0, 6, 12, 20]);
        assert_eq!(back[..6], all[3..9]);
        assert_eq!(back[6..12], all[34..40]);
        assert_eq!((back[18], back[20], back[25], back[26]), (-1.0, 17.0, 22.0, -1.0));
    }

    #[test]
    fn all_types_of_four_lanes_give_the_same_bits() {
        assert_eq!(run_simd4(AllOperations), run_simd4_array(AllOperations));
    }

    #[test]
    fn every_lane_has_the_bits_of_a_scalar() {
        let (a, b) = ([1.5, -2.0, 0.1, 7.0], [0.3, 4.0, -5.0, 1e-3]);
        let four = |x: [f64; 4]| F64x4::from_lanes(|i| x[i]);
        let x = (four(a) * four(b) - four(a) / four(b)) + four(a).abs().sqrt();
        for i in 0..4 {
            assert_eq!(x.lane(i), (a[i] * b[i] - a[i] / b[i]) + a[i].abs().sqrt());
        }
        assert!(!four([1.0, 0.0, 2.0, 3.0]).is_positive() && four([1.0, 0.5, 2.0, 3.0]).is_positive());
        assert!(!four([1.0, f64::NAN, 2.0, 3.0]).is_positive());
        assert!(four([1.0, f64::NAN, 2.0, 3.0]).magnitude().is_nan());
    }
}
