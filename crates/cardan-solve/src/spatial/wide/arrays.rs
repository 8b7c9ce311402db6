//! Where there is no AVX2: nothing is ever made of these.

use crate::math::{Six, Sym3, Vec3};
use crate::spatial::Limb;
use core::convert::Infallible;
use core::ops::{Add, Mul, Neg, Sub};

/// Proof that this machine has wide registers: there is none.
#[derive(Copy, Clone, Debug)]
pub struct Wide(Infallible);

/// What is to be done with wide registers.
pub trait Work {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run(self, wide: Wide) -> Self::Output;
}

impl Wide {
    /// Never.
    #[inline(always)]
    pub fn here() -> Option<Self> {
        None
    }
    #[doc(hidden)]
    pub fn forbid(_scalar: bool) {}
    /// Never called.
    pub fn run<W: Work>(self, _work: W) -> W::Output {
        match self.0 {}
    }
}

/// Three numbers, of which there are none.
#[derive(Copy, Clone, Debug)]
pub struct Quad(Infallible);

/// The same in memory.
#[derive(Copy, Clone, Debug, Default)]
pub struct Padded(pub [f64; 4]);

/// Never called, as all that follows.
pub fn pick(x: Quad, _: Quad, _: Quad) -> Quad {
    x
}

#[allow(missing_docs)]
impl Quad {
    pub fn splat(wide: Wide, _: f64) -> Self {
        match wide.0 {}
    }
    pub fn new(wide: Wide, _: f64, _: f64, _: f64) -> Self {
        match wide.0 {}
    }
    pub fn three(wide: Wide, _: &[f64; 3]) -> Self {
        match wide.0 {}
    }
    pub fn load(wide: Wide, _: &Vec3) -> Self {
        match wide.0 {}
    }
    pub fn load_sym(wide: Wide, _: &Sym3) -> [Self; 2] {
        match wide.0 {}
    }
    pub fn load_six(wide: Wide, _: &Six) -> [Self; 2] {
        match wide.0 {}
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
    pub fn four(self) -> [f64; 4] {
        match self.0 {}
    }
    pub fn from_four(wide: Wide, _: &[f64; 4]) -> Self {
        match wide.0 {}
    }
    pub fn from_padded(wide: Wide, _: &Padded) -> Self {
        match wide.0 {}
    }
    pub fn pad(self, _: &mut Padded) {
        match self.0 {}
    }
    pub fn next(self) -> Self {
        self
    }
    pub fn last(self) -> Self {
        self
    }
    pub fn only<const K: usize>(self) -> Self {
        self
    }
    pub fn sqrt(self) -> Self {
        self
    }
    pub fn sum(self) -> f64 {
        match self.0 {}
    }
    pub fn numbers(self) -> [f64; 3] {
        match self.0 {}
    }
    pub fn sums(a: Self, _: Self, _: Self) -> Self {
        a
    }
    pub fn vec3(self) -> Vec3 {
        match self.0 {}
    }
}

impl Add for Quad {
    type Output = Self;
    fn add(self, _: Self) -> Self {
        self
    }
}
impl Sub for Quad {
    type Output = Self;
    fn sub(self, _: Self) -> Self {
        self
    }
}
impl Mul for Quad {
    type Output = Self;
    fn mul(self, _: Self) -> Self {
        self
    }
}
impl Neg for Quad {
    type Output = Self;
    fn neg(self) -> Self {
        self
    }
}

pub(super) const KEPT: usize = 16;

pub(super) fn keep(_: &mut Limb, all: [Quad; KEPT]) {
    match all[0].0 {}
}
