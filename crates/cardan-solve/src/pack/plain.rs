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

impl Add for Four {
    type Output = Four;
    #[inline(always)]
    fn add(self, o: Four) -> Four {
        let (Four([a, b, c, d]), Four([p, q, r, s])) = (self, o);
        Four([a + p, b + q, c + r, d + s])
    }
}
impl Sub for Four {
    type Output = Four;
    #[inline(always)]
    fn sub(self, o: Four) -> Four {
        let (Four([a, b, c, d]), Four([p, q, r, s])) = (self, o);
        Four([a - p, b - q, c - r, d - s])
    }
}
impl Mul for Four {
    type Output = Four;
    #[inline(always)]
    fn mul(self, o: Four) -> Four {
        let (Four([a, b, c, d]), Four([p, q, r, s])) = (self, o);
        Four([a * p, b * q, c * r, d * s])
    }
}
impl Div for Four {
    type Output = Four;
    #[inline(always)]
    fn div(self, o: Four) -> Four {
        let (Four([a, b, c, d]), Four([p, q, r, s])) = (self, o);
        Four([a / p, b / q, c / r, d / s])
    }
}
impl Neg for Four {
    type Output = Four;
    #[inline(always)]
    fn neg(self) -> Four {
        let Four([a, b, c, d]) = self;
        Four([-a, -b, -c, -d])
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
        let Four([a, b, c, d]) = self;
        Four([a.sqrt(), b.sqrt(), c.sqrt(), d.sqrt()])
    }
    #[inline(always)]
    fn abs(self) -> Four {
        let Four([a, b, c, d]) = self;
        Four([a.abs(), b.abs(), c.abs(), d.abs()])
    }
    #[inline(always)]
    fn with_sign_of(self, other: Four) -> Four {
        let (Four([a, b, c, d]), Four([p, q, r, s])) = (self, other);
        Four([a.copysign(p), b.copysign(q), c.copysign(r), d.copysign(s)])
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
    fn from_lanes(mut each: impl FnMut(usize) -> f64) -> Four {
        Four([each(0), each(1), each(2), each(3)])
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
        let (Four([a, b, c, d]), Four([p, q, r, s])) = (self, other);
        FourMask([a > p, b > q, c > r, d > s])
    }
    #[inline(always)]
    fn exceeds(self, other: Four) -> FourMask {
        let (Four([a, b, c, d]), Four([p, q, r, s])) = (self, other);
        FourMask([a.exceeds(p), b.exceeds(q), c.exceeds(r), d.exceeds(s)])
    }
    #[inline(always)]
    fn is_nan(self) -> FourMask {
        let Four([a, b, c, d]) = self;
        FourMask([f64::is_nan(a), f64::is_nan(b), f64::is_nan(c), f64::is_nan(d)])
    }
    #[inline(always)]
    fn select(mask: FourMask, yes: Four, no: Four) -> Four {
        let one = |i: usize| if mask.0[i] { yes.0[i] } else { no.0[i] };
        Four([one(0), one(1), one(2), one(3)])
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
        let (FourMask([a, b, c, d]), FourMask([p, q, r, s])) = (self, o);
        FourMask([a & p, b & q, c & r, d & s])
    }
}
impl BitOr for FourMask {
    type Output = FourMask;
    #[inline(always)]
    fn bitor(self, o: FourMask) -> FourMask {
        let (FourMask([a, b, c, d]), FourMask([p, q, r, s])) = (self, o);
        FourMask([a | p, b | q, c | r, d | s])
    }
}
impl Not for FourMask {
    type Output = FourMask;
    #[inline(always)]
    fn not(self) -> FourMask {
        let FourMask([a, b, c, d]) = self;
        FourMask([!a, !b, !c, !d])
    }
}
impl Mask for FourMask {
    const NONE: FourMask = FourMask([false; 4]);
    #[inline(always)]
    fn any(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }
    #[inline(always)]
    fn lane(self, i: usize) -> bool {
        self.0[i]
    }
}
