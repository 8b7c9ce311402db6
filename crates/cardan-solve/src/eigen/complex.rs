//! Complex numbers, as far as eigenvalues need them.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// re + i im.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// Zero.
    pub const ZERO: Complex = Complex { re: 0.0, im: 0.0 };
    /// One.
    pub const ONE: Complex = Complex { re: 1.0, im: 0.0 };

    /// re + i im.
    pub const fn new(re: f64, im: f64) -> Complex {
        Complex { re, im }
    }
    /// The complex conjugate.
    pub fn conjugate(self) -> Complex {
        Complex { re: self.re, im: -self.im }
    }
    /// |z|, without intermediate overflow.
    pub fn norm(self) -> f64 {
        let (a, b) = (self.re.abs(), self.im.abs());
        let (large, small) = if a > b { (a, b) } else { (b, a) };
        if large == 0.0 || !large.is_finite() {
            return large + small;
        }
        let ratio = small / large;
        large * (1.0 + ratio * ratio).sqrt()
    }
    /// z times a real number.
    pub fn scaled(self, s: f64) -> Complex {
        Complex { re: self.re * s, im: self.im * s }
    }
    /// The square root in the right half plane.
    pub fn sqrt(self) -> Complex {
        let size = self.norm();
        if size == 0.0 {
            return Complex::ZERO;
        }
        // The part that does not cancel first, the other one from the product 2 a b = im.
        let large = ((size + self.re.abs()) / 2.0).sqrt();
        let small = self.im.abs() / (2.0 * large);
        let (re, im) = if self.re >= 0.0 { (large, small) } else { (small, large) };
        Complex { re, im: if self.im < 0.0 { -im } else { im } }
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, o: Complex) -> Complex {
        Complex { re: self.re + o.re, im: self.im + o.im }
    }
}
impl Sub for Complex {
    type Output = Complex;
    fn sub(self, o: Complex) -> Complex {
        Complex { re: self.re - o.re, im: self.im - o.im }
    }
}
impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex { re: -self.re, im: -self.im }
    }
}
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, o: Complex) -> Complex {
        Complex { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}
impl Div for Complex {
    type Output = Complex;
    /// Smith's algorithm: the larger part of the divisor is divided by first.
    fn div(self, o: Complex) -> Complex {
        if o.re.abs() >= o.im.abs() {
            let (r, d) = (o.im / o.re, o.re + o.im * (o.im / o.re));
            Complex { re: (self.re + self.im * r) / d, im: (self.im - self.re * r) / d }
        } else {
            let (r, d) = (o.re / o.im, o.re * (o.re / o.im) + o.im);
            Complex { re: (self.re * r + self.im) / d, im: (self.im * r - self.re) / d }
        }
    }
}
