//! Four numbers in an array: for machines without wide registers, and the twin of those with them.

use super::{Mask, Pack, Quartet};
use crate::lane::Lane;
use std::array::from_fn;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Sub, SubAssign};

/// Four numbers side by side.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(align(32))]
pub struct Four([f64; 4]);

/// Four answers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct FourMask([bool; 4]);

impl Four {
    #[inline(always)]
    fn both(self, o: Four, f: impl Fn(f64, f64) -> f64) -> Four {
        Four(from_fn(|i| f(self.0[i], o.0[i])))
    }
}

impl Add for Four {
    type Output = Four;
    #[inline(always)]
    fn add(self, o: Four) -> Four {
        self.both(o, |a, b| a + b)
    }
}
impl Sub for Four {
    type Output = Four;
    #[inline(always)]
    fn sub(self, o: Four) -> Four {
        self.both(o, |a, b| a - b)
    }
}
impl Mul for Four {
    type Output = Four;
    #[inline(always)]
    fn mul(self, o: Four) -> Four {
        self.both(o, |a, b| a * b)
    }
}
impl Div for Four {
    type Output = Four;
    #[inline(always)]
    fn div(self, o: Four) -> Four {
        self.both(o, |a, b| a / b)
    }
}
impl Neg for Four {
    type Output = Four;
    #[inline(always)]
    fn neg(self) -> Four {
        Four(self.0.map(|x| -x))
    }
}
impl AddAssign for Four {
    #[inline(always)]
    fn add_assign(&mut self, o: Four) {
        *self = *self + o;
    }
}
impl SubAssign for Four {
    #[inline(always)]
    fn sub_assign(&mut self, o: Four) {
        *self = *self - o;
    }
}
impl MulAssign for Four {
    #[inline(always)]
    fn mul_assign(&mut self, o: Four) {
        *self = *self * o;
    }
}

impl Lane for Four {
    const ZERO: Four = Four([0.0; 4]);
    const ONE: Four = Four([1.0; 4]);
    #[inline(always)]
    fn splat(value: f64) -> Four {
        Four([value; 4])
    }
    #[inline(always)]
    fn sqrt(self) -> Four {
        Four(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn abs(self) -> Four {
        Four(self.0.map(f64::abs))
    }
    #[inline(always)]
    fn with_sign_of(self, other: Four) -> Four {
        self.both(other, f64::copysign)
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        self.0.iter().fold(0.0, |most, x| if x.abs() > most || x.is_nan() { x.abs() } else { most })
    }
    #[inline(always)]
    fn is_positive(self) -> bool {
        self.0.iter().all(|x| *x > 0.0)
    }
}

impl Pack for Four {
    const LANES: usize = 4;
    type Mask = FourMask;
    #[inline(always)]
    fn from_lanes(each: impl FnMut(usize) -> f64) -> Four {
        Four(from_fn(each))
    }
    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        self.0[i]
    }
    #[inline(always)]
    fn set_lane(&mut self, i: usize, x: f64) {
        self.0[i] = x;
    }
    #[inline(always)]
    fn above(self, other: Four) -> FourMask {
        FourMask(from_fn(|i| self.0[i] > other.0[i]))
    }
    #[inline(always)]
    fn exceeds(self, other: Four) -> FourMask {
        FourMask(from_fn(|i| self.0[i].exceeds(other.0[i])))
    }
    #[inline(always)]
    fn is_nan(self) -> FourMask {
        FourMask(self.0.map(f64::is_nan))
    }
    #[inline(always)]
    fn select(mask: FourMask, yes: Four, no: Four) -> Four {
        Four(from_fn(|i| if mask.0[i] { yes.0[i] } else { no.0[i] }))
    }
}

impl Quartet for Four {
    #[inline(always)]
    fn gather<const N: usize>(all: &[f64], at: [u32; 4]) -> [Four; N] {
        let rows = at.map(|at| &all[at as usize..][..N]);
        from_fn(|k| Four(from_fn(|lane| rows[lane][k])))
    }
    #[inline(always)]
    fn scatter<const N: usize>(numbers: [Four; N], all: &mut [f64], at: [u32; 4]) {
        for (lane, at) in at.into_iter().enumerate() {
            for (to, from) in all[at as usize..][..N].iter_mut().zip(&numbers) {
                *to = from.0[lane];
            }
        }
    }
    #[inline(always)]
    fn gather_sums<const N: usize>(all: &[f64], rows: &[[u32; 4]]) -> [Four; N] {
        let Some((first, others)) = rows.split_first() else { return [Four::ZERO; N] };
        let mut sums = Four::gather::<N>(all, *first);
        for row in others {
            for (sum, x) in sums.iter_mut().zip(Four::gather::<N>(all, *row)) {
                *sum += x;
            }
        }
        sums
    }
}

impl BitAnd for FourMask {
    type Output = FourMask;
    #[inline(always)]
    fn bitand(self, o: FourMask) -> FourMask {
        FourMask(from_fn(|i| self.0[i] & o.0[i]))
    }
}
impl BitOr for FourMask {
    type Output = FourMask;
    #[inline(always)]
    fn bitor(self, o: FourMask) -> FourMask {
        FourMask(from_fn(|i| self.0[i] | o.0[i]))
    }
}
impl Not for FourMask {
    type Output = FourMask;
    #[inline(always)]
    fn not(self) -> FourMask {
        FourMask(self.0.map(|x| !x))
    }
}
impl Mask for FourMask {
    const NONE: FourMask = FourMask([false; 4]);
    #[inline(always)]
    fn any(self) -> bool {
        self.0.contains(&true)
    }
    #[inline(always)]
    fn lane(self, i: usize) -> bool {
        self.0[i]
    }
}
