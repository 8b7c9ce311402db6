//! Four numbers in one register of 256 bits.
//!
//! [`Wide`] is not named outside this folder. The only way to it is [`with_four`](super::with_four), which asks [`is_here`] first: whoever holds one runs on a
//! machine with AVX2. That is why every `unsafe` below is sound. Operations are inlined into what runs [`within`](Lane::within), where they are single
//! instructions. There is no FMA: it would be another rounding. [`Four`](super::Four) is the twin, and a test holds the two together.

#![allow(unsafe_code)]

use super::{Mask, Pack};
use crate::lane::{Lane, Task};
use core::arch::x86_64::*;
use std::fmt;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Sub, SubAssign};

/// Whether this machine has what [`Wide`] needs.
pub(super) fn is_here() -> bool {
    std::is_x86_feature_detected!("avx2")
}

/// Four numbers side by side.
#[derive(Copy, Clone)]
#[repr(transparent)]
pub(super) struct Wide(__m256d);

/// Four answers: all bits of a lane, or none.
#[derive(Copy, Clone)]
#[repr(transparent)]
pub(super) struct WideMask(__m256d);

#[target_feature(enable = "avx2")]
fn enter<W: Task>(work: W) -> W::Output {
    work.run()
}

/// The numbers, first lane first.
#[inline(always)]
fn array(x: Wide) -> [f64; 4] {
    // SAFETY: both are 32 bytes of plain numbers, in the order of lanes.
    unsafe { core::mem::transmute(x.0) }
}

#[inline(always)]
const fn wide(x: [f64; 4]) -> Wide {
    // SAFETY: as above.
    Wide(unsafe { core::mem::transmute::<[f64; 4], __m256d>(x) })
}

impl Add for Wide {
    type Output = Wide;
    #[inline(always)]
    fn add(self, o: Wide) -> Wide {
        // SAFETY: there is AVX2 where a `Wide` is (see above); so in all that follows.
        Wide(unsafe { _mm256_add_pd(self.0, o.0) })
    }
}
impl Sub for Wide {
    type Output = Wide;
    #[inline(always)]
    fn sub(self, o: Wide) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_sub_pd(self.0, o.0) })
    }
}
impl Mul for Wide {
    type Output = Wide;
    #[inline(always)]
    fn mul(self, o: Wide) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_mul_pd(self.0, o.0) })
    }
}
impl Div for Wide {
    type Output = Wide;
    #[inline(always)]
    fn div(self, o: Wide) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_div_pd(self.0, o.0) })
    }
}
impl Neg for Wide {
    type Output = Wide;
    #[inline(always)]
    fn neg(self) -> Wide {
        // SAFETY: as above. Only the sign changes, also of zero and NaN.
        Wide(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}
impl AddAssign for Wide {
    #[inline(always)]
    fn add_assign(&mut self, o: Wide) {
        *self = *self + o;
    }
}
impl SubAssign for Wide {
    #[inline(always)]
    fn sub_assign(&mut self, o: Wide) {
        *self = *self - o;
    }
}
impl MulAssign for Wide {
    #[inline(always)]
    fn mul_assign(&mut self, o: Wide) {
        *self = *self * o;
    }
}
impl PartialEq for Wide {
    #[inline(always)]
    fn eq(&self, o: &Wide) -> bool {
        array(*self) == array(*o)
    }
}
impl Default for Wide {
    #[inline(always)]
    fn default() -> Wide {
        Wide::ZERO
    }
}
impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        array(*self).fmt(f)
    }
}

impl Lane for Wide {
    const ZERO: Wide = wide([0.0; 4]);
    const ONE: Wide = wide([1.0; 4]);
    #[inline(always)]
    fn splat(value: f64) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_set1_pd(value) })
    }
    #[inline(always)]
    fn sqrt(self) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn abs(self) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
    }
    #[inline(always)]
    fn with_sign_of(self, other: Wide) -> Wide {
        // SAFETY: as above.
        Wide(unsafe {
            let sign = _mm256_set1_pd(-0.0);
            _mm256_or_pd(_mm256_andnot_pd(sign, self.0), _mm256_and_pd(sign, other.0))
        })
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        array(self).iter().fold(0.0, |most, x| if x.abs() > most || x.is_nan() { x.abs() } else { most })
    }
    #[inline(always)]
    fn is_positive(self) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, _mm256_setzero_pd())) == 0b1111 }
    }
    #[inline(always)]
    fn within<W: Task>(work: W) -> W::Output {
        // SAFETY: as above.
        unsafe { enter(work) }
    }
}

impl Pack for Wide {
    const LANES: usize = 4;
    type Mask = WideMask;
    #[inline(always)]
    fn from_lanes(each: impl FnMut(usize) -> f64) -> Wide {
        wide(std::array::from_fn(each))
    }
    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        array(self)[i]
    }
    #[inline(always)]
    fn at(&self, i: usize) -> f64 {
        // SAFETY: both are 32 bytes of plain numbers, in the order of lanes, and the stricter alignment is that of `self`.
        let all = unsafe { &*core::ptr::from_ref(self).cast::<[f64; 4]>() };
        all[i]
    }
    #[inline(always)]
    fn set_lane(&mut self, i: usize, x: f64) {
        // SAFETY: both are 32 bytes of plain numbers, in the order of lanes, and the stricter alignment is that of `self`. One number is written: reading all of them
        // right after they were written one by one would wait for that.
        let all = unsafe { &mut *core::ptr::from_mut(self).cast::<[f64; 4]>() };
        all[i] = x;
    }
    #[inline(always)]
    fn above(self, other: Wide) -> WideMask {
        // SAFETY: as above.
        WideMask(unsafe { _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn exceeds(self, other: Wide) -> WideMask {
        // SAFETY: as above.
        WideMask(unsafe { _mm256_cmp_pd::<_CMP_NLE_UQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn is_nan(self) -> WideMask {
        // SAFETY: as above.
        WideMask(unsafe { _mm256_cmp_pd::<_CMP_UNORD_Q>(self.0, self.0) })
    }
    #[inline(always)]
    fn select(mask: WideMask, yes: Wide, no: Wide) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_blendv_pd(no.0, yes.0, mask.0) })
    }
}

impl BitAnd for WideMask {
    type Output = WideMask;
    #[inline(always)]
    fn bitand(self, o: WideMask) -> WideMask {
        // SAFETY: as above.
        WideMask(unsafe { _mm256_and_pd(self.0, o.0) })
    }
}
impl BitOr for WideMask {
    type Output = WideMask;
    #[inline(always)]
    fn bitor(self, o: WideMask) -> WideMask {
        // SAFETY: as above.
        WideMask(unsafe { _mm256_or_pd(self.0, o.0) })
    }
}
impl Not for WideMask {
    type Output = WideMask;
    #[inline(always)]
    fn not(self) -> WideMask {
        // SAFETY: as above. The NaN of all bits is what a yes is.
        WideMask(unsafe { _mm256_xor_pd(self.0, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))) })
    }
}
impl Mask for WideMask {
    const NONE: WideMask = WideMask(Wide::ZERO.0);
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_movemask_pd(self.0) != 0 }
    }
    #[inline(always)]
    fn lane(self, i: usize) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_movemask_pd(self.0) >> i & 1 == 1 }
    }
}
