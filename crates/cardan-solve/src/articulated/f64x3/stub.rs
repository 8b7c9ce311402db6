//! Stand-in for `avx2.rs` on machines that cannot have AVX2. No value of these types exists.

use crate::articulated::Node;
use crate::math::{Six, Sym3, Vec3};
use core::convert::Infallible;
use core::ops::{Add, Mul, Neg, Sub};

/// Token: this machine has AVX2. None exists here.
#[derive(Copy, Clone, Debug)]
pub struct Avx2(Infallible);

/// Work compiled for AVX2.
pub trait Avx2Task {
    /// The result.
    type Output;
    /// Does the work.
    fn run(self, avx2: Avx2) -> Self::Output;
}

impl Avx2 {
    /// Always `None`.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        None
    }
    #[doc(hidden)]
    pub fn disable(_scalar: bool) {}
    /// Never called: no token exists.
    pub fn run<W: Avx2Task>(self, _work: W) -> W::Output {
        match self.0 {}
    }
}

/// A 3-vector in a register. None exists here.
#[derive(Copy, Clone, Debug)]
pub struct F64x3(Infallible);

/// Three numbers and padding in memory.
#[derive(Copy, Clone, Debug, Default)]
pub struct PaddedF64x3(pub [f64; 4]);

/// Never called, as all functions below.
pub fn blend(x: F64x3, _: F64x3, _: F64x3) -> F64x3 {
    x
}

#[allow(missing_docs)]
impl F64x3 {
    pub fn splat(avx2: Avx2, _: f64) -> Self {
        match avx2.0 {}
    }
    pub fn new(avx2: Avx2, _: f64, _: f64, _: f64) -> Self {
        match avx2.0 {}
    }
    pub fn from_array(avx2: Avx2, _: &[f64; 3]) -> Self {
        match avx2.0 {}
    }
    pub fn load(avx2: Avx2, _: &Vec3) -> Self {
        match avx2.0 {}
    }
    pub fn load_sym(avx2: Avx2, _: &Sym3) -> [Self; 2] {
        match avx2.0 {}
    }
    pub fn load_six(avx2: Avx2, _: &Six) -> [Self; 2] {
        match avx2.0 {}
    }
    pub fn store_six([lin, _]: [Self; 2], _: &mut [f64; 6]) {
        match lin.0 {}
    }
    pub fn write_six([lin, _]: [Self; 2], _: &mut Six) {
        match lin.0 {}
    }
    pub fn store_sym([diagonal, _]: [Self; 2], _: &mut Sym3) {
        match diagonal.0 {}
    }
    pub fn store_rows([a, ..]: [Self; 3], _: &mut [[f64; 3]; 3]) {
        match a.0 {}
    }
    pub fn to_array4(self) -> [f64; 4] {
        match self.0 {}
    }
    pub fn from_array4(avx2: Avx2, _: &[f64; 4]) -> Self {
        match avx2.0 {}
    }
    pub fn from_padded(avx2: Avx2, _: &PaddedF64x3) -> Self {
        match avx2.0 {}
    }
    pub fn pad(self, _: &mut PaddedF64x3) {
        match self.0 {}
    }
    pub fn yzx(self) -> Self {
        self
    }
    pub fn zxy(self) -> Self {
        self
    }
    pub fn broadcast<const K: usize>(self) -> Self {
        self
    }
    pub fn sqrt(self) -> Self {
        self
    }
    pub fn sum(self) -> f64 {
        match self.0 {}
    }
    pub fn to_array(self) -> [f64; 3] {
        match self.0 {}
    }
    pub fn sums(a: Self, _: Self, _: Self) -> Self {
        a
    }
    pub fn vec3(self) -> Vec3 {
        match self.0 {}
    }
}

impl Add for F64x3 {
    type Output = Self;
    fn add(self, _: Self) -> Self {
        self
    }
}
impl Sub for F64x3 {
    type Output = Self;
    fn sub(self, _: Self) -> Self {
        self
    }
}
impl Mul for F64x3 {
    type Output = Self;
    fn mul(self, _: Self) -> Self {
        self
    }
}
impl Neg for F64x3 {
    type Output = Self;
    fn neg(self) -> Self {
        self
    }
}

pub(super) const STORED: usize = 16;

pub(super) fn store_node(_: &mut Node, all: [F64x3; STORED]) {
    match all[0].0 {}
}
