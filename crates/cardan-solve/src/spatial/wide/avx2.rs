//! Three numbers in one register of AVX2, and nothing else: the only file with `unsafe`.
//!
//! A [`Quad`] is made with a [`Wide`], which exists only where AVX2 was found, and everything here is inlined into
//! [`Wide::run`], which is compiled for it. No operation is fused: each gives the bits of its scalar twin.
#![allow(unsafe_code)]

use crate::math::{Six, Sym3, Sym6, Vec3};
use crate::spatial::Limb;
use core::arch::x86_64::*;
use core::mem::{offset_of, size_of};
use core::ops::{Add, Mul, Neg, Sub};
use std::cell::Cell;

thread_local! {
    static SCALAR: Cell<bool> = const { Cell::new(false) };
}

/// Proof that this machine has AVX2.
#[derive(Copy, Clone, Debug)]
pub struct Wide(());

/// What is to be done with wide registers. `run` must be `#[inline(always)]`, and what it calls too.
pub trait Work {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run(self, wide: Wide) -> Self::Output;
}

impl Wide {
    /// If this machine has AVX2, and nobody has asked for the scalar way.
    #[inline(always)]
    pub fn here() -> Option<Self> {
        (std::arch::is_x86_feature_detected!("avx2") && !SCALAR.get()).then_some(Wide(()))
    }
    /// Whether this thread goes the scalar way from now on, for comparisons: the bits are the same.
    #[doc(hidden)]
    pub fn forbid(scalar: bool) {
        SCALAR.set(scalar);
    }
    /// Does something compiled for AVX2.
    #[inline(always)]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: there is a `Wide` only where AVX2 was found.
        unsafe { work.run_wide(self) }
    }
}

/// Work as a method of its own type: the compiler takes it with the module of that type, and not one after another with all others here.
trait RunWide: Work {
    /// # Safety
    /// There must be AVX2.
    unsafe fn run_wide(self, wide: Wide) -> Self::Output;
}

impl<W: Work> RunWide for W {
    #[target_feature(enable = "avx2")]
    unsafe fn run_wide(self, wide: Wide) -> W::Output {
        self.run(wide)
    }
}

/// Three numbers, and a fourth that means nothing.
#[derive(Copy, Clone, Debug)]
pub struct Quad(__m256d);

/// The same in memory.
#[derive(Copy, Clone, Debug, Default)]
#[repr(align(32))]
pub struct Padded(pub [f64; 4]);

/// Blends of three: x of the first, y of the second, z of the third.
#[inline(always)]
pub fn pick(x: Quad, y: Quad, z: Quad) -> Quad {
    // SAFETY: a `Quad` exists only where AVX2 was found.
    Quad(unsafe { _mm256_blend_pd::<0b0100>(_mm256_blend_pd::<0b0010>(x.0, y.0), z.0) })
}

impl Quad {
    /// The same number thrice.
    #[inline(always)]
    pub fn splat(_: Wide, number: f64) -> Self {
        // SAFETY: the `Wide` says that AVX2 was found.
        Quad(unsafe { _mm256_set1_pd(number) })
    }
    /// Three numbers.
    #[inline(always)]
    pub fn new(_: Wide, x: f64, y: f64, z: f64) -> Self {
        // The last one twice: a zero would be moved in by an instruction that old versions of valgrind do not know.
        // SAFETY: the `Wide` says that AVX2 was found.
        Quad(unsafe { _mm256_setr_pd(x, y, z, z) })
    }
    /// Three numbers in a row.
    #[inline(always)]
    pub fn three(_: Wide, from: &[f64; 3]) -> Self {
        // SAFETY: as above; the mask leaves the fourth number unread.
        Quad(unsafe { _mm256_maskload_pd(from.as_ptr(), _mm256_set_epi64x(0, -1, -1, -1)) })
    }
    /// A vector.
    #[inline(always)]
    pub fn load(wide: Wide, v: &Vec3) -> Self {
        // SAFETY: `Vec3` is three numbers in a row.
        Quad::three(wide, unsafe { &*core::ptr::from_ref(v).cast() })
    }
    /// The diagonal, and the entries beside it.
    #[inline(always)]
    pub fn load_sym(wide: Wide, m: &Sym3) -> [Self; 2] {
        // SAFETY: `Sym3` is six numbers in a row.
        let [diagonal, beside]: &[[f64; 3]; 2] = unsafe { &*core::ptr::from_ref(m).cast() };
        [Quad::three(wide, diagonal), Quad::three(wide, beside)]
    }
    /// Both halves, in the pieces that [`store_six`](Quad::store_six) wrote.
    #[inline(always)]
    pub fn load_six(_: Wide, v: &Six) -> [Self; 2] {
        let from = core::ptr::from_ref(v).cast::<f64>();
        // SAFETY: `Six` is six numbers in a row, and the `Wide` says that AVX2 was found.
        unsafe {
            let first = _mm256_loadu_pd(from);
            let rest = _mm256_castpd128_pd256(_mm_loadu_pd(from.add(4)));
            let ang = _mm256_permute4x64_pd::<0b11_11_10_01>(_mm256_permute2f128_pd::<0x21>(first, rest));
            [Quad(first), Quad(ang)]
        }
    }
    /// Both halves to memory.
    #[inline(always)]
    pub fn store_six([lin, ang]: [Self; 2], out: &mut [f64; 6]) {
        let to = out.as_mut_ptr();
        // SAFETY: four numbers and two more are the six of `out`; a `Quad` exists only where AVX2 was found.
        unsafe {
            let turned = _mm256_permute4x64_pd::<0b00_11_10_01>(ang.0);
            _mm256_storeu_pd(to, _mm256_blend_pd::<0b1000>(lin.0, turned));
            _mm_storeu_pd(to.add(4), _mm256_castpd256_pd128(turned));
        }
    }
    /// Both halves to memory.
    #[inline(always)]
    pub fn write_six(six: [Self; 2], out: &mut Six) {
        // SAFETY: `Six` is six numbers in a row.
        Quad::store_six(six, unsafe { &mut *core::ptr::from_mut(out).cast() });
    }
    /// The diagonal, and the entries beside it, to memory.
    #[inline(always)]
    pub fn store_sym(sym: [Self; 2], out: &mut Sym3) {
        // SAFETY: `Sym3` is six numbers in a row.
        Quad::store_six(sym, unsafe { &mut *core::ptr::from_mut(out).cast() });
    }
    /// Three of them to memory, one behind the other.
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
    /// The three, and the fourth.
    #[inline(always)]
    pub fn four(self) -> [f64; 4] {
        let mut out = [0.0; 4];
        // SAFETY: four numbers; a `Quad` exists only where AVX2 was found.
        unsafe { _mm256_storeu_pd(out.as_mut_ptr(), self.0) }
        out
    }
    /// The same back.
    #[inline(always)]
    pub fn from_four(_: Wide, from: &[f64; 4]) -> Self {
        // SAFETY: four numbers; the `Wide` says that AVX2 was found.
        Quad(unsafe { _mm256_loadu_pd(from.as_ptr()) })
    }
    /// From its padded form.
    #[inline(always)]
    pub fn from_padded(_: Wide, from: &Padded) -> Self {
        // SAFETY: four numbers, aligned; the `Wide` says that AVX2 was found.
        Quad(unsafe { _mm256_load_pd(from.0.as_ptr()) })
    }
    /// To its padded form.
    #[inline(always)]
    pub fn pad(self, to: &mut Padded) {
        // SAFETY: four numbers, aligned; a `Quad` exists only where AVX2 was found.
        unsafe { _mm256_store_pd(to.0.as_mut_ptr(), self.0) }
    }
    /// (y, z, x).
    #[inline(always)]
    pub fn next(self) -> Self {
        // SAFETY: a `Quad` exists only where AVX2 was found.
        Quad(unsafe { _mm256_permute4x64_pd::<0b11_00_10_01>(self.0) })
    }
    /// (z, x, y).
    #[inline(always)]
    pub fn last(self) -> Self {
        // SAFETY: as above.
        Quad(unsafe { _mm256_permute4x64_pd::<0b11_01_00_10>(self.0) })
    }
    /// One of the three, thrice.
    #[inline(always)]
    pub fn only<const K: usize>(self) -> Self {
        // SAFETY: as above.
        Quad(unsafe {
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
        Quad(unsafe { _mm256_sqrt_pd(self.0) })
    }
    /// x + y + z.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        let [x, y, z] = self.numbers();
        x + y + z
    }
    /// The three.
    #[inline(always)]
    pub fn numbers(self) -> [f64; 3] {
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
        Quad(x) + Quad(y) + Quad(z)
    }
    /// To a vector.
    #[inline(always)]
    pub fn vec3(self) -> Vec3 {
        let [x, y, z] = self.numbers();
        Vec3::new(x, y, z)
    }
}

impl Add for Quad {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        // SAFETY: a `Quad` exists only where AVX2 was found.
        Quad(unsafe { _mm256_add_pd(self.0, o.0) })
    }
}
impl Sub for Quad {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        // SAFETY: a `Quad` exists only where AVX2 was found.
        Quad(unsafe { _mm256_sub_pd(self.0, o.0) })
    }
}
impl Mul for Quad {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        // SAFETY: a `Quad` exists only where AVX2 was found.
        Quad(unsafe { _mm256_mul_pd(self.0, o.0) })
    }
}
impl Neg for Quad {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: a `Quad` exists only where AVX2 was found.
        Quad(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

/// Vectors that a limb begins with: D by columns, F, γ, d, the first column and its image.
pub(super) const KEPT: usize = 16;
const _: () = assert!(
    offset_of!(Limb, diag) == 0
        && size_of::<Sym6>() == 7 * size_of::<Vec3>()
        && offset_of!(Limb, force) == 7 * size_of::<Vec3>()
        && offset_of!(Limb, gamma) == 9 * size_of::<Vec3>()
        && offset_of!(Limb, shift) == 11 * size_of::<Vec3>()
        && offset_of!(Limb, first) == 12 * size_of::<Vec3>()
        && offset_of!(Limb, carried_image) == 14 * size_of::<Vec3>()
        && size_of::<Limb>() > KEPT * size_of::<Vec3>() + size_of::<f64>()
);

/// Writes what a limb begins with. Each vector is written with a fourth number, which the next one covers; the last covers `inverse`,
/// to be written after this.
#[inline(always)]
pub(super) fn keep(limb: &mut Limb, all: [Quad; KEPT]) {
    let to = core::ptr::from_mut(limb).cast::<f64>();
    let mut k = 0;
    while k < KEPT {
        // SAFETY: the limb begins with so many vectors and has a number behind them (see above), and all of it is numbers there.
        unsafe { _mm256_storeu_pd(to.add(3 * k), all[k].0) }
        k += 1;
    }
}
