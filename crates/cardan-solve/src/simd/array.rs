//! Four numbers in an array: for machines without AVX2, and the scalar twin of `avx2.rs`.

use super::{Mask, Simd, Simd4};
use crate::lane::Lane;
use std::array::from_fn;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Sub, SubAssign};

/// Four numbers in lanes.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(align(32))]
pub struct F64x4([f64; 4]);

/// Four booleans in lanes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct F64x4Mask([bool; 4]);

impl Add for F64x4 {
    type Output = F64x4;
    #[inline(always)]
    fn add(self, o: F64x4) -> F64x4 {
        let (F64x4([a, b, c, d]), F64x4([p, q, r, s])) = (self, o);
        F64x4([a + p, b + q, c + r, d + s])
    }
}
impl Sub for F64x4 {
    type Output = F64x4;
    #[inline(always)]
    fn sub(self, o: F64x4) -> F64x4 {
        let (F64x4([a, b, c, d]), F64x4([p, q, r, s])) = (self, o);
        F64x4([a - p, b - q, c - r, d - s])
    }
}
impl Mul for F64x4 {
    type Output = F64x4;
    #[inline(always)]
    fn mul(self, o: F64x4) -> F64x4 {
        let (F64x4([a, b, c, d]), F64x4([p, q, r, s])) = (self, o);
        F64x4([a * p, b * q, c * r, d * s])
    }
}
impl Div for F64x4 {
    type Output = F64x4;
    #[inline(always)]
    fn div(self, o: F64x4) -> F64x4 {
        let (F64x4([a, b, c, d]), F64x4([p, q, r, s])) = (self, o);
        F64x4([a / p, b / q, c / r, d / s])
    }
}
impl Neg for F64x4 {
    type Output = F64x4;
    #[inline(always)]
    fn neg(self) -> F64x4 {
        let F64x4([a, b, c, d]) = self;
        F64x4([-a, -b, -c, -d])
    }
}
impl AddAssign for F64x4 {
    #[inline(always)]
    fn add_assign(&mut self, o: F64x4) {
        *self = *self + o;
    }
}
impl SubAssign for F64x4 {
    #[inline(always)]
    fn sub_assign(&mut self, o: F64x4) {
        *self = *self - o;
    }
}
impl MulAssign for F64x4 {
    #[inline(always)]
    fn mul_assign(&mut self, o: F64x4) {
        *self = *self * o;
    }
}

impl Lane for F64x4 {
    const ZERO: F64x4 = F64x4([0.0; 4]);
    const ONE: F64x4 = F64x4([1.0; 4]);
    #[inline(always)]
    fn splat(value: f64) -> F64x4 {
        F64x4([value; 4])
    }
    #[inline(always)]
    fn sqrt(self) -> F64x4 {
        let F64x4([a, b, c, d]) = self;
        F64x4([a.sqrt(), b.sqrt(), c.sqrt(), d.sqrt()])
    }
    #[inline(always)]
    fn abs(self) -> F64x4 {
        let F64x4([a, b, c, d]) = self;
        F64x4([a.abs(), b.abs(), c.abs(), d.abs()])
    }
    #[inline(always)]
    fn with_sign_of(self, other: F64x4) -> F64x4 {
        let (F64x4([a, b, c, d]), F64x4([p, q, r, s])) = (self, other);
        F64x4([a.copysign(p), b.copysign(q), c.copysign(r), d.copysign(s)])
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

impl Simd for F64x4 {
    const LANES: usize = 4;
    type Mask = F64x4Mask;
    #[inline(always)]
    fn from_lanes(mut each: impl FnMut(usize) -> f64) -> F64x4 {
        F64x4([each(0), each(1), each(2), each(3)])
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
    fn above(self, other: F64x4) -> F64x4Mask {
        let (F64x4([a, b, c, d]), F64x4([p, q, r, s])) = (self, other);
        F64x4Mask([a > p, b > q, c > r, d > s])
    }
    #[inline(always)]
    fn exceeds(self, other: F64x4) -> F64x4Mask {
        let (F64x4([a, b, c, d]), F64x4([p, q, r, s])) = (self, other);
        F64x4Mask([a.exceeds(p), b.exceeds(q), c.exceeds(r), d.exceeds(s)])
    }
    #[inline(always)]
    fn is_nan(self) -> F64x4Mask {
        let F64x4([a, b, c, d]) = self;
        F64x4Mask([f64::is_nan(a), f64::is_nan(b), f64::is_nan(c), f64::is_nan(d)])
    }
    #[inline(always)]
    fn select(mask: F64x4Mask, yes: F64x4, no: F64x4) -> F64x4 {
        let one = |i: usize| if mask.0[i] { yes.0[i] } else { no.0[i] };
        F64x4([one(0), one(1), one(2), one(3)])
    }
}

impl Simd4 for F64x4 {
    #[inline(always)]
    fn gather<const N: usize>(all: &[f64], at: [u32; 4]) -> [F64x4; N] {
        let rows = at.map(|at| &all[at as usize..][..N]);
        from_fn(|k| F64x4(from_fn(|lane| rows[lane][k])))
    }
    #[inline(always)]
    fn scatter<const N: usize>(numbers: [F64x4; N], all: &mut [f64], at: [u32; 4]) {
        for (lane, at) in at.into_iter().enumerate() {
            for (to, from) in all[at as usize..][..N].iter_mut().zip(&numbers) {
                *to = from.0[lane];
            }
        }
    }
    #[inline(always)]
    fn gather_sums<const N: usize>(all: &[f64], rows: &[[u32; 4]]) -> [F64x4; N] {
        let Some((first, others)) = rows.split_first() else { return [F64x4::ZERO; N] };
        let mut sums = F64x4::gather::<N>(all, *first);
        for row in others {
            for (sum, x) in sums.iter_mut().zip(F64x4::gather::<N>(all, *row)) {
                *sum += x;
            }
        }
        sums
    }
}

impl BitAnd for F64x4Mask {
    type Output = F64x4Mask;
    #[inline(always)]
    fn bitand(self, o: F64x4Mask) -> F64x4Mask {
        let (F64x4Mask([a, b, c, d]), F64x4Mask([p, q, r, s])) = (self, o);
        F64x4Mask([a & p, b & q, c & r, d & s])
    }
}
impl BitOr for F64x4Mask {
    type Output = F64x4Mask;
    #[inline(always)]
    fn bitor(self, o: F64x4Mask) -> F64x4Mask {
        let (F64x4Mask([a, b, c, d]), F64x4Mask([p, q, r, s])) = (self, o);
        F64x4Mask([a | p, b | q, c | r, d | s])
    }
}
impl Not for F64x4Mask {
    type Output = F64x4Mask;
    #[inline(always)]
    fn not(self) -> F64x4Mask {
        let F64x4Mask([a, b, c, d]) = self;
        F64x4Mask([!a, !b, !c, !d])
    }
}
impl Mask for F64x4Mask {
    const NONE: F64x4Mask = F64x4Mask([false; 4]);
    #[inline(always)]
    fn any(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }
    #[inline(always)]
    fn lane(self, i: usize) -> bool {
        self.0[i]
    }
}
