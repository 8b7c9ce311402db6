//! A 3-vector in one AVX2 register. The `unsafe` code of the articulated kernels is in this file alone.
//!
//! A [`F64x3`] is made with an [`Avx2`] token, which exists only where AVX2 was detected, and everything here
//! is inlined into [`Avx2::run`], which is compiled for AVX2. No operation is fused: each gives the bits of
//! its scalar twin.
#![allow(unsafe_code)]

use crate::articulated::Node;
use crate::math::{Six, Sym3, Sym6, Vec3};
use core::arch::x86_64::*;
use core::mem::{offset_of, size_of};
use core::ops::{Add, Mul, Neg, Sub};
use std::cell::Cell;

thread_local! {
    static SCALAR: Cell<bool> = const { Cell::new(false) };
}

/// Token: this machine has AVX2.
#[derive(Copy, Clone, Debug)]
pub struct Avx2(());

/// Work compiled for AVX2. `run` must be `#[inline(always)]`, and so must everything that it calls.
pub trait Avx2Task {
    /// The result.
    type Output;
    /// Does the work.
    fn run(self, avx2: Avx2) -> Self::Output;
}

impl Avx2 {
    /// A token, if this machine has AVX2 and [`disable`](Avx2::disable) was not called on this thread.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        (std::arch::is_x86_feature_detected!("avx2") && !SCALAR.get()).then_some(Avx2(()))
    }
    /// Whether this thread uses the scalar kernels from now on, for comparisons: the bits are the same.
    #[doc(hidden)]
    pub fn disable(scalar: bool) {
        SCALAR.set(scalar);
    }
    /// Runs work compiled for AVX2.
    #[inline(always)]
    pub fn run<W: Avx2Task>(self, work: W) -> W::Output {
        // SAFETY: there is a `Avx2` only where AVX2 was found.
        unsafe { work.run_avx2(self) }
    }
}

/// The work as a method of its own type, so that the compiler puts it into the codegen unit of that type and
/// not all of it into this one.
trait RunAvx2: Avx2Task {
    /// # Safety
    /// The machine must have AVX2.
    unsafe fn run_avx2(self, avx2: Avx2) -> Self::Output;
}

impl<W: Avx2Task> RunAvx2 for W {
    #[target_feature(enable = "avx2")]
    unsafe fn run_avx2(self, avx2: Avx2) -> W::Output {
        self.run(avx2)
    }
}

/// Three numbers, with a fourth as padding.
#[derive(Copy, Clone, Debug)]
pub struct F64x3(__m256d);

/// Three numbers and padding in memory, aligned.
#[derive(Copy, Clone, Debug, Default)]
#[repr(align(32))]
pub struct PaddedF64x3(pub [f64; 4]);

/// (x of the first, y of the second, z of the third).
#[inline(always)]
pub fn blend(x: F64x3, y: F64x3, z: F64x3) -> F64x3 {
    // SAFETY: a `F64x3` exists only where AVX2 was found.
    F64x3(unsafe { _mm256_blend_pd::<0b0100>(_mm256_blend_pd::<0b0010>(x.0, y.0), z.0) })
}

impl F64x3 {
    /// The same number three times.
    #[inline(always)]
    pub fn splat(_: Avx2, number: f64) -> Self {
        // SAFETY: the `Avx2` says that AVX2 was found.
        F64x3(unsafe { _mm256_set1_pd(number) })
    }
    /// (x, y, z).
    #[inline(always)]
    pub fn new(_: Avx2, x: f64, y: f64, z: f64) -> Self {
        // The last one twice: a zero would be moved in by an instruction that old versions of valgrind do not know.
        // SAFETY: the `Avx2` says that AVX2 was found.
        F64x3(unsafe { _mm256_setr_pd(x, y, z, z) })
    }
    /// Three contiguous numbers.
    #[inline(always)]
    pub fn from_array(_: Avx2, from: &[f64; 3]) -> Self {
        // SAFETY: as above; the mask leaves the fourth number unread.
        F64x3(unsafe { _mm256_maskload_pd(from.as_ptr(), _mm256_set_epi64x(0, -1, -1, -1)) })
    }
    /// A vector.
    #[inline(always)]
    pub fn load(avx2: Avx2, v: &Vec3) -> Self {
        // SAFETY: `Vec3` is three numbers in a row.
        F64x3::from_array(avx2, unsafe { &*core::ptr::from_ref(v).cast() })
    }
    /// The diagonal, and the off-diagonal entries.
    #[inline(always)]
    pub fn load_sym(avx2: Avx2, m: &Sym3) -> [Self; 2] {
        // SAFETY: `Sym3` is six numbers in a row.
        let [diagonal, beside]: &[[f64; 3]; 2] = unsafe { &*core::ptr::from_ref(m).cast() };
        [F64x3::from_array(avx2, diagonal), F64x3::from_array(avx2, beside)]
    }
    /// Both halves, in the parts that [`store_six`](F64x3::store_six) wrote: a load that spans two stores
    /// would stall.
    #[inline(always)]
    pub fn load_six(_: Avx2, v: &Six) -> [Self; 2] {
        let from = core::ptr::from_ref(v).cast::<f64>();
        // SAFETY: `Six` is six numbers in a row, and the `Avx2` says that AVX2 was found.
        unsafe {
            let first = _mm256_loadu_pd(from);
            let rest = _mm256_castpd128_pd256(_mm_loadu_pd(from.add(4)));
            let ang = _mm256_permute4x64_pd::<0b11_11_10_01>(_mm256_permute2f128_pd::<0x21>(first, rest));
            [F64x3(first), F64x3(ang)]
        }
    }
    /// Both halves to memory.
    #[inline(always)]
    pub fn store_six([lin, ang]: [Self; 2], out: &mut [f64; 6]) {
        let to = out.as_mut_ptr();
        // SAFETY: four numbers and two more are the six of `out`; a `F64x3` exists only where AVX2 was found.
        unsafe {
            let cyclic_shifts = _mm256_permute4x64_pd::<0b00_11_10_01>(ang.0);
            _mm256_storeu_pd(to, _mm256_blend_pd::<0b1000>(lin.0, cyclic_shifts));
            _mm_storeu_pd(to.add(4), _mm256_castpd256_pd128(cyclic_shifts));
        }
    }
    /// Both halves to memory.
    #[inline(always)]
    pub fn write_six(six: [Self; 2], out: &mut Six) {
        // SAFETY: `Six` is six numbers in a row.
        F64x3::store_six(six, unsafe { &mut *core::ptr::from_mut(out).cast() });
    }
    /// Writes the diagonal and the off-diagonal entries.
    #[inline(always)]
    pub fn store_sym(sym: [Self; 2], out: &mut Sym3) {
        // SAFETY: `Sym3` is six numbers in a row.
        F64x3::store_six(sym, unsafe { &mut *core::ptr::from_mut(out).cast() });
    }
    /// Writes three rows, contiguous.
    #[inline(always)]
    pub fn store_rows([a, b, c]: [Self; 3], out: &mut [[f64; 3]; 3]) {
        let to = out.as_mut_ptr().cast::<f64>();
        // SAFETY: nine numbers; the fourth of the first two is covered by what follows, and the last is written as two and one.
        unsafe {
            _mm256_storeu_pd(to, a.0);
            _mm256_storeu_pd(to.add(3), b.0);
            _mm_storeu_pd(to.add(6), _mm256_castpd256_pd128(c.0));
            _mm_store_sd(to.add(8), _mm256_extractf128_pd::<1>(c.0));
        }
    }
    /// All four numbers, padding included.
    #[inline(always)]
    pub fn to_array4(self) -> [f64; 4] {
        let mut out = [0.0; 4];
        // SAFETY: four numbers; a `F64x3` exists only where AVX2 was found.
        unsafe { _mm256_storeu_pd(out.as_mut_ptr(), self.0) }
        out
    }
    /// From four numbers, padding included.
    #[inline(always)]
    pub fn from_array4(_: Avx2, from: &[f64; 4]) -> Self {
        // SAFETY: four numbers; the `Avx2` says that AVX2 was found.
        F64x3(unsafe { _mm256_loadu_pd(from.as_ptr()) })
    }
    /// From memory with padding.
    #[inline(always)]
    pub fn from_padded(_: Avx2, from: &PaddedF64x3) -> Self {
        // SAFETY: four numbers, aligned; the `Avx2` says that AVX2 was found.
        F64x3(unsafe { _mm256_load_pd(from.0.as_ptr()) })
    }
    /// To memory with padding.
    #[inline(always)]
    pub fn pad(self, to: &mut PaddedF64x3) {
        // SAFETY: four numbers, aligned; a `F64x3` exists only where AVX2 was found.
        unsafe { _mm256_store_pd(to.0.as_mut_ptr(), self.0) }
    }
    /// (y, z, x).
    #[inline(always)]
    pub fn yzx(self) -> Self {
        // SAFETY: a `F64x3` exists only where AVX2 was found.
        F64x3(unsafe { _mm256_permute4x64_pd::<0b11_00_10_01>(self.0) })
    }
    /// (z, x, y).
    #[inline(always)]
    pub fn zxy(self) -> Self {
        // SAFETY: as above.
        F64x3(unsafe { _mm256_permute4x64_pd::<0b11_01_00_10>(self.0) })
    }
    /// One of the three numbers, three times.
    #[inline(always)]
    pub fn broadcast<const K: usize>(self) -> Self {
        // SAFETY: as above.
        F64x3(unsafe {
            match K {
                0 => _mm256_permute4x64_pd::<0b00_00_00_00>(self.0),
                1 => _mm256_permute4x64_pd::<0b01_01_01_01>(self.0),
                _ => _mm256_permute4x64_pd::<0b10_10_10_10>(self.0),
            }
        })
    }
    /// Square roots.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        // SAFETY: as above.
        F64x3(unsafe { _mm256_sqrt_pd(self.0) })
    }
    /// x + y + z.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        let [x, y, z] = self.to_array();
        x + y + z
    }
    /// The three.
    #[inline(always)]
    pub fn to_array(self) -> [f64; 3] {
        // SAFETY: as above.
        unsafe {
            let low = _mm256_castpd256_pd128(self.0);
            let high = _mm256_extractf128_pd::<1>(self.0);
            [_mm_cvtsd_f64(low), _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)), _mm_cvtsd_f64(high)]
        }
    }
    /// Sums of three: (Σ a, Σ b, Σ c), each x + y + z.
    #[inline(always)]
    pub fn sums(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        let (x, y, z) = unsafe {
            let (low, high) = (_mm256_unpacklo_pd(a.0, b.0), _mm256_unpackhi_pd(a.0, b.0));
            let swapped = _mm256_permute_pd::<0b0101>(c.0);
            (
                _mm256_permute2f128_pd::<0x20>(low, c.0),
                _mm256_permute2f128_pd::<0x20>(high, swapped),
                _mm256_permute2f128_pd::<0x31>(low, c.0),
            )
        };
        F64x3(x) + F64x3(y) + F64x3(z)
    }
    /// To a vector.
    #[inline(always)]
    pub fn vec3(self) -> Vec3 {
        let [x, y, z] = self.to_array();
        Vec3::new(x, y, z)
    }
}

impl Add for F64x3 {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        // SAFETY: a `F64x3` exists only where AVX2 was found.
        F64x3(unsafe { _mm256_add_pd(self.0, o.0) })
    }
}
impl Sub for F64x3 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        // SAFETY: a `F64x3` exists only where AVX2 was found.
        F64x3(unsafe { _mm256_sub_pd(self.0, o.0) })
    }
}
impl Mul for F64x3 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        // SAFETY: a `F64x3` exists only where AVX2 was found.
        F64x3(unsafe { _mm256_mul_pd(self.0, o.0) })
    }
}
impl Neg for F64x3 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: a `F64x3` exists only where AVX2 was found.
        F64x3(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

/// 3-vectors at the start of a node: D by columns, F, γ, d, the first column and its image.
pub(super) const STORED: usize = 16;
const _: () = assert!(
    offset_of!(Node, diag) == 0
        && size_of::<Sym6>() == 7 * size_of::<Vec3>()
        && offset_of!(Node, force) == 7 * size_of::<Vec3>()
        && offset_of!(Node, gamma) == 9 * size_of::<Vec3>()
        && offset_of!(Node, shift) == 11 * size_of::<Vec3>()
        && offset_of!(Node, first) == 12 * size_of::<Vec3>()
        && offset_of!(Node, carried_image) == 14 * size_of::<Vec3>()
        && size_of::<Node>() > STORED * size_of::<Vec3>() + size_of::<f64>()
);

/// Writes the vectors at the start of a node. Each is written with a fourth number, which the next one
/// overwrites; the last overwrites `inverse`, which must be written after this.
#[inline(always)]
pub(super) fn store_node(node: &mut Node, all: [F64x3; STORED]) {
    let to = core::ptr::from_mut(node).cast::<f64>();
    let mut k = 0;
    while k < STORED {
        // SAFETY: a node begins with this many vectors and one more number (see above), all of type `f64`.
        unsafe { _mm256_storeu_pd(to.add(3 * k), all[k].0) }
        k += 1;
    }
}
