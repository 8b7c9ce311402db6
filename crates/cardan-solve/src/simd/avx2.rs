//! Four numbers in one register of 256 bits.
//!
//! [`Avx2F64x4`] is not visible outside this folder. It is reached only through
//! [`run_simd4`](super::run_simd4), which checks [`is_available`] first: a value of it exists only on a
//! machine with AVX2. That is why every `unsafe` below is sound. Operations are inlined into tasks of
//! [`Lane::run_vectorized`], where they are single instructions. FMA is not used: it rounds differently.
//! [`F64x4`](super::F64x4) is the scalar twin, and a test compares the two.

#![allow(unsafe_code)]

use super::{Mask, Simd, Simd4};
use crate::lane::{Lane, Task};
use core::arch::x86_64::*;
use std::fmt;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Sub, SubAssign};

/// Whether this machine has AVX2.
pub(super) fn is_available() -> bool {
    std::is_x86_feature_detected!("avx2")
}

/// Four numbers in lanes.
#[derive(Copy, Clone)]
#[repr(transparent)]
pub(super) struct Avx2F64x4(__m256d);

/// Four booleans in lanes: all bits of a lane, or none.
#[derive(Copy, Clone)]
#[repr(transparent)]
pub(super) struct Avx2F64x4Mask(__m256d);

/// The work as a method of its own type, so that the compiler puts it into the codegen unit of that type and
/// not all of it into this one.
trait RunTaskAvx2: Task {
    /// # Safety
    /// The machine must have AVX2.
    unsafe fn run_avx2(self) -> Self::Output;
}

impl<W: Task> RunTaskAvx2 for W {
    #[target_feature(enable = "avx2")]
    unsafe fn run_avx2(self) -> W::Output {
        self.run()
    }
}

/// The numbers, first lane first.
#[inline(always)]
fn to_array(x: Avx2F64x4) -> [f64; 4] {
    // SAFETY: both are 32 bytes of plain numbers, in the order of lanes.
    unsafe { core::mem::transmute(x.0) }
}

#[inline(always)]
const fn from_array(x: [f64; 4]) -> Avx2F64x4 {
    // SAFETY: as above.
    Avx2F64x4(unsafe { core::mem::transmute::<[f64; 4], __m256d>(x) })
}

impl Add for Avx2F64x4 {
    type Output = Avx2F64x4;
    #[inline(always)]
    fn add(self, o: Avx2F64x4) -> Avx2F64x4 {
        // SAFETY: a value of `Avx2F64x4` exists only where there is AVX2 (see above); so below.
        Avx2F64x4(unsafe { _mm256_add_pd(self.0, o.0) })
    }
}
impl Sub for Avx2F64x4 {
    type Output = Avx2F64x4;
    #[inline(always)]
    fn sub(self, o: Avx2F64x4) -> Avx2F64x4 {
        // SAFETY: as above.
        Avx2F64x4(unsafe { _mm256_sub_pd(self.0, o.0) })
    }
}
impl Mul for Avx2F64x4 {
    type Output = Avx2F64x4;
    #[inline(always)]
    fn mul(self, o: Avx2F64x4) -> Avx2F64x4 {
        // SAFETY: as above.
        Avx2F64x4(unsafe { _mm256_mul_pd(self.0, o.0) })
    }
}
impl Div for Avx2F64x4 {
    type Output = Avx2F64x4;
    #[inline(always)]
    fn div(self, o: Avx2F64x4) -> Avx2F64x4 {
        // SAFETY: as above.
        Avx2F64x4(unsafe { _mm256_div_pd(self.0, o.0) })
    }
}
impl Neg for Avx2F64x4 {
    type Output = Avx2F64x4;
    #[inline(always)]
    fn neg(self) -> Avx2F64x4 {
        // SAFETY: as above. Only the sign changes, also of zero and NaN.
        Avx2F64x4(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}
impl AddAssign for Avx2F64x4 {
    #[inline(always)]
    fn add_assign(&mut self, o: Avx2F64x4) {
        *self = *self + o;
    }
}
impl SubAssign for Avx2F64x4 {
    #[inline(always)]
    fn sub_assign(&mut self, o: Avx2F64x4) {
        *self = *self - o;
    }
}
impl MulAssign for Avx2F64x4 {
    #[inline(always)]
    fn mul_assign(&mut self, o: Avx2F64x4) {
        *self = *self * o;
    }
}
impl PartialEq for Avx2F64x4 {
    #[inline(always)]
    fn eq(&self, o: &Avx2F64x4) -> bool {
        to_array(*self) == to_array(*o)
    }
}
impl Default for Avx2F64x4 {
    #[inline(always)]
    fn default() -> Avx2F64x4 {
        Avx2F64x4::ZERO
    }
}
impl fmt::Debug for Avx2F64x4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        to_array(*self).fmt(f)
    }
}

impl Lane for Avx2F64x4 {
    const ZERO: Avx2F64x4 = from_array([0.0; 4]);
    const ONE: Avx2F64x4 = from_array([1.0; 4]);
    #[inline(always)]
    fn splat(value: f64) -> Avx2F64x4 {
        // SAFETY: as above.
        Avx2F64x4(unsafe { _mm256_set1_pd(value) })
    }
    #[inline(always)]
    fn sqrt(self) -> Avx2F64x4 {
        // SAFETY: as above.
        Avx2F64x4(unsafe { _mm256_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn abs(self) -> Avx2F64x4 {
        // SAFETY: as above.
        Avx2F64x4(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
    }
    #[inline(always)]
    fn with_sign_of(self, other: Avx2F64x4) -> Avx2F64x4 {
        // SAFETY: as above.
        Avx2F64x4(unsafe {
            let sign = _mm256_set1_pd(-0.0);
            _mm256_or_pd(_mm256_andnot_pd(sign, self.0), _mm256_and_pd(sign, other.0))
        })
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        to_array(self).iter().fold(0.0, |most, x| if x.abs() > most || x.is_nan() { x.abs() } else { most })
    }
    #[inline(always)]
    fn is_positive(self) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, _mm256_setzero_pd())) == 0b1111 }
    }
    #[inline(always)]
    fn run_vectorized<W: Task>(work: W) -> W::Output {
        // SAFETY: as above.
        unsafe { work.run_avx2() }
    }
}

impl Simd for Avx2F64x4 {
    const LANES: usize = 4;
    type Mask = Avx2F64x4Mask;
    #[inline(always)]
    fn from_lanes(each: impl FnMut(usize) -> f64) -> Avx2F64x4 {
        from_array(std::array::from_fn(each))
    }
    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        to_array(self)[i]
    }
    #[inline(always)]
    fn at(&self, i: usize) -> f64 {
        // SAFETY: both are 32 bytes of plain numbers, in the order of lanes, and the stricter alignment is that of `self`.
        let all = unsafe { &*core::ptr::from_ref(self).cast::<[f64; 4]>() };
        all[i]
    }
    #[inline(always)]
    fn set_lane(&mut self, i: usize, x: f64) {
        // SAFETY: both are 32 bytes of plain numbers, in the order of lanes, and the stricter alignment is
        // that of `self`. Only one number is written: a vector load right after scalar stores would stall.
        let all = unsafe { &mut *core::ptr::from_mut(self).cast::<[f64; 4]>() };
        all[i] = x;
    }
    #[inline(always)]
    fn above(self, other: Avx2F64x4) -> Avx2F64x4Mask {
        // SAFETY: as above.
        Avx2F64x4Mask(unsafe { _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn exceeds(self, other: Avx2F64x4) -> Avx2F64x4Mask {
        // SAFETY: as above.
        Avx2F64x4Mask(unsafe { _mm256_cmp_pd::<_CMP_NLE_UQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn is_nan(self) -> Avx2F64x4Mask {
        // SAFETY: as above.
        Avx2F64x4Mask(unsafe { _mm256_cmp_pd::<_CMP_UNORD_Q>(self.0, self.0) })
    }
    #[inline(always)]
    fn select(mask: Avx2F64x4Mask, yes: Avx2F64x4, no: Avx2F64x4) -> Avx2F64x4 {
        // SAFETY: as above.
        Avx2F64x4(unsafe { _mm256_blendv_pd(no.0, yes.0, mask.0) })
    }
}

/// Transposes a 4×4 matrix.
#[inline(always)]
fn transposed(rows: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: as above.
    unsafe {
        let (low, high) = (_mm256_unpacklo_pd(rows[0], rows[1]), _mm256_unpackhi_pd(rows[0], rows[1]));
        let (low2, high2) = (_mm256_unpacklo_pd(rows[2], rows[3]), _mm256_unpackhi_pd(rows[2], rows[3]));
        [
            _mm256_permute2f128_pd::<0x20>(low, low2),
            _mm256_permute2f128_pd::<0x20>(high, high2),
            _mm256_permute2f128_pd::<0x31>(low, low2),
            _mm256_permute2f128_pd::<0x31>(high, high2),
        ]
    }
}

/// Transposes four rows of two numbers.
#[inline(always)]
fn transposed_pairs(rows: [__m128d; 4]) -> [__m256d; 2] {
    // SAFETY: as above.
    unsafe {
        let even = _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(rows[0]), rows[2]);
        let odd = _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(rows[1]), rows[3]);
        [_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd)]
    }
}

/// Whether rows of `count` numbers that begin at `at` are within an array of `len`.
#[inline(always)]
fn are_within(len: usize, count: usize, at: [u32; 4]) -> bool {
    let [a, b, c, d] = at;
    let most = a.max(b).max(c.max(d)) as usize;
    most + count <= len
}

impl Simd4 for Avx2F64x4 {
    #[inline(always)]
    fn gather<const N: usize>(all: &[f64], at: [u32; 4]) -> [Avx2F64x4; N] {
        Avx2F64x4::gather_sums(all, &[at])
    }

    #[inline(always)]
    fn scatter<const N: usize>(numbers: [Avx2F64x4; N], all: &mut [f64], at: [u32; 4]) {
        assert!(are_within(all.len(), N, at), "a row goes on behind the array");
        let to = all.as_mut_ptr();
        let mut k = 0;
        while k + 4 <= N {
            let rows = transposed([numbers[k].0, numbers[k + 1].0, numbers[k + 2].0, numbers[k + 3].0]);
            let mut lane = 0;
            while lane < 4 {
                // SAFETY: as above; all N numbers of a row are within the array.
                unsafe { _mm256_storeu_pd(to.add(at[lane] as usize + k), rows[lane]) };
                lane += 1;
            }
            k += 4;
        }
        if k + 2 <= N {
            // SAFETY: as above, both times.
            unsafe {
                let low = _mm256_unpacklo_pd(numbers[k].0, numbers[k + 1].0);
                let high = _mm256_unpackhi_pd(numbers[k].0, numbers[k + 1].0);
                _mm_storeu_pd(to.add(at[0] as usize + k), _mm256_castpd256_pd128(low));
                _mm_storeu_pd(to.add(at[1] as usize + k), _mm256_castpd256_pd128(high));
                _mm_storeu_pd(to.add(at[2] as usize + k), _mm256_extractf128_pd::<1>(low));
                _mm_storeu_pd(to.add(at[3] as usize + k), _mm256_extractf128_pd::<1>(high));
            }
            k += 2;
        }
        if k < N {
            let last = to_array(numbers[k]);
            let mut lane = 0;
            while lane < 4 {
                all[at[lane] as usize + k] = last[lane];
                lane += 1;
            }
        }
    }

    #[inline(always)]
    fn gather_sums<const N: usize>(all: &[f64], rows: &[[u32; 4]]) -> [Avx2F64x4; N] {
        let mut out = [Avx2F64x4::ZERO; N];
        let Some((first, others)) = rows.split_first() else { return out };
        for row in rows {
            assert!(are_within(all.len(), N, *row), "a row goes on behind the array");
        }
        let from = all.as_ptr();
        let mut k = 0;
        while k + 4 <= N {
            // SAFETY: as above; all N numbers of a row are within the array. So below.
            let columns = unsafe {
                let [a, b, c, d] = *first;
                let mut four = [
                    _mm256_loadu_pd(from.add(a as usize + k)),
                    _mm256_loadu_pd(from.add(b as usize + k)),
                    _mm256_loadu_pd(from.add(c as usize + k)),
                    _mm256_loadu_pd(from.add(d as usize + k)),
                ];
                for &[a, b, c, d] in others {
                    four[0] = _mm256_add_pd(four[0], _mm256_loadu_pd(from.add(a as usize + k)));
                    four[1] = _mm256_add_pd(four[1], _mm256_loadu_pd(from.add(b as usize + k)));
                    four[2] = _mm256_add_pd(four[2], _mm256_loadu_pd(from.add(c as usize + k)));
                    four[3] = _mm256_add_pd(four[3], _mm256_loadu_pd(from.add(d as usize + k)));
                }
                transposed(four)
            };
            out[k] = Avx2F64x4(columns[0]);
            out[k + 1] = Avx2F64x4(columns[1]);
            out[k + 2] = Avx2F64x4(columns[2]);
            out[k + 3] = Avx2F64x4(columns[3]);
            k += 4;
        }
        if k + 2 <= N {
            // SAFETY: as above.
            let [low, high] = unsafe {
                let [a, b, c, d] = *first;
                let mut pairs = [
                    _mm_loadu_pd(from.add(a as usize + k)),
                    _mm_loadu_pd(from.add(b as usize + k)),
                    _mm_loadu_pd(from.add(c as usize + k)),
                    _mm_loadu_pd(from.add(d as usize + k)),
                ];
                for &[a, b, c, d] in others {
                    pairs[0] = _mm_add_pd(pairs[0], _mm_loadu_pd(from.add(a as usize + k)));
                    pairs[1] = _mm_add_pd(pairs[1], _mm_loadu_pd(from.add(b as usize + k)));
                    pairs[2] = _mm_add_pd(pairs[2], _mm_loadu_pd(from.add(c as usize + k)));
                    pairs[3] = _mm_add_pd(pairs[3], _mm_loadu_pd(from.add(d as usize + k)));
                }
                transposed_pairs(pairs)
            };
            (out[k], out[k + 1]) = (Avx2F64x4(low), Avx2F64x4(high));
            k += 2;
        }
        if k < N {
            let mut last = [0.0; 4];
            for (lane, &at) in first.iter().enumerate() {
                last[lane] = all[at as usize + k];
            }
            for row in others {
                for (lane, &at) in row.iter().enumerate() {
                    last[lane] += all[at as usize + k];
                }
            }
            out[k] = from_array(last);
        }
        out
    }
}

impl BitAnd for Avx2F64x4Mask {
    type Output = Avx2F64x4Mask;
    #[inline(always)]
    fn bitand(self, o: Avx2F64x4Mask) -> Avx2F64x4Mask {
        // SAFETY: as above.
        Avx2F64x4Mask(unsafe { _mm256_and_pd(self.0, o.0) })
    }
}
impl BitOr for Avx2F64x4Mask {
    type Output = Avx2F64x4Mask;
    #[inline(always)]
    fn bitor(self, o: Avx2F64x4Mask) -> Avx2F64x4Mask {
        // SAFETY: as above.
        Avx2F64x4Mask(unsafe { _mm256_or_pd(self.0, o.0) })
    }
}
impl Not for Avx2F64x4Mask {
    type Output = Avx2F64x4Mask;
    #[inline(always)]
    fn not(self) -> Avx2F64x4Mask {
        // SAFETY: as above. True is all bits of a lane.
        Avx2F64x4Mask(unsafe { _mm256_xor_pd(self.0, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))) })
    }
}
impl Mask for Avx2F64x4Mask {
    const NONE: Avx2F64x4Mask = Avx2F64x4Mask(Avx2F64x4::ZERO.0);
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
