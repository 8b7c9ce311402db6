//! Numbers that q(u) is written over: plain numbers, and numbers that carry derivatives (automatic
//! differentiation).
//!
//!   f(x)˙ = f' ẋ            f(x)¨ = f' ẍ + f'' ẋ²
//!
//! A function that is written once over [`Number`] gives values, columns ∂q/∂u and the bias J̇ u̇
//! exactly.

use crate::law::Jet;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A number with the functions that mechanisms need.
pub trait Number:
    Copy
    + core::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
{
    /// A constant.
    fn constant(value: f64) -> Self;
    /// The value.
    fn value(self) -> f64;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// √x.
    fn sqrt(self) -> Self;
    /// eˣ.
    fn exp(self) -> Self;
    /// ln x.
    fn ln(self) -> Self;
    /// f(x) from f, f' and f'' at x, for any other function.
    fn chain(self, f: f64, first: f64, second: f64) -> Self;
    /// The number with its derivatives; they are zero for a plain number.
    fn to_jet(self) -> Jet;
    /// The number from a value with derivatives.
    fn from_jet(jet: Jet) -> Self;

    /// sin x.
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    /// cos x.
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    /// x + c.
    fn plus(self, c: f64) -> Self {
        self + Self::constant(c)
    }
}

impl Number for f64 {
    fn constant(value: f64) -> f64 {
        value
    }
    fn value(self) -> f64 {
        self
    }
    fn sin_cos(self) -> (f64, f64) {
        libm::sincos(self)
    }
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    fn exp(self) -> f64 {
        libm::exp(self)
    }
    fn ln(self) -> f64 {
        libm::log(self)
    }
    fn chain(self, f: f64, _first: f64, _second: f64) -> f64 {
        f
    }
    fn to_jet(self) -> Jet {
        Jet::constant(self)
    }
    fn from_jet(jet: Jet) -> f64 {
        jet.value
    }
}

impl Number for Jet {
    fn constant(value: f64) -> Jet {
        Jet::constant(value)
    }
    fn value(self) -> f64 {
        self.value
    }
    fn sin_cos(self) -> (Jet, Jet) {
        let (s, c) = libm::sincos(self.value);
        (Jet::chain(self, s, c, -s), Jet::chain(self, c, -s, -c))
    }
    fn sqrt(self) -> Jet {
        let root = self.value.sqrt();
        Jet::chain(self, root, 0.5 / root, -0.25 / (root * self.value))
    }
    fn exp(self) -> Jet {
        let e = libm::exp(self.value);
        Jet::chain(self, e, e, e)
    }
    fn ln(self) -> Jet {
        let r = 1.0 / self.value;
        Jet::chain(self, libm::log(self.value), r, -r * r)
    }
    fn chain(self, f: f64, first: f64, second: f64) -> Jet {
        Jet::chain(self, f, first, second)
    }
    fn to_jet(self) -> Jet {
        self
    }
    fn from_jet(jet: Jet) -> Jet {
        jet
    }
}

/// Position and orientation of a piece: the columns of `axes` are the images of the piece's x, y
/// and z.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Pose<N> {
    /// Position of the piece's origin \[m\].
    pub pos: [N; 3],
    /// The axes, orthonormal.
    pub axes: [[N; 3]; 3],
}

impl<N: Number> Pose<N> {
    /// A pose at a position, not turned.
    pub fn at(pos: [N; 3]) -> Self {
        let (one, nil) = (N::constant(1.0), N::constant(0.0));
        Pose { pos, axes: [[one, nil, nil], [nil, one, nil], [nil, nil, one]] }
    }
    /// A pose at the origin, turned by an angle about a fixed axis e of unit length (Rodrigues):
    ///
    ///   a' = cos a + sin (e × a) + (1 − cos)(e·a) e
    pub fn turned(axis: [f64; 3], angle: N) -> Self {
        let (s, c) = angle.sin_cos();
        let rest = N::constant(1.0) - c;
        let [x, y, z] = axis;
        let column = |i: usize| {
            let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][i];
            let across = [y * unit[2] - z * unit[1], z * unit[0] - x * unit[2], x * unit[1] - y * unit[0]];
            core::array::from_fn(|k| c * unit[k] + s * across[k] + rest * (axis[i] * axis[k]))
        };
        Pose { axes: [column(0), column(1), column(2)], ..Pose::at([N::constant(0.0); 3]) }
    }
    /// The pose with another position.
    pub fn moved_to(self, pos: [N; 3]) -> Self {
        Pose { pos, ..self }
    }
    /// Position of a point of the piece, given in the piece's frame.
    pub fn point(&self, at: [N; 3]) -> [N; 3] {
        let carried = self.carry(at);
        core::array::from_fn(|k| self.pos[k] + carried[k])
    }
    /// A direction of the piece, in the axes that the pose is given in.
    pub fn carry(&self, v: [N; 3]) -> [N; 3] {
        let [x, y, z] = &self.axes;
        core::array::from_fn(|k| x[k] * v[0] + y[k] * v[1] + z[k] * v[2])
    }
    /// The composition with a pose that is given in this one's frame.
    pub fn then(&self, next: &Pose<N>) -> Pose<N> {
        Pose { pos: self.point(next.pos), axes: next.axes.map(|a| self.carry(a)) }
    }
}
