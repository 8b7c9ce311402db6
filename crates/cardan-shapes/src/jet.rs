//! Second-order jets: a number with its first two time derivatives along a motion (forward-mode
//! differentiation).
//!
//! ```text
//! (f g)¨ = f̈ g + 2 ḟ ġ + f g̈,      s = √f:  ṡ = ḟ / 2s,  s̈ = (f̈/2 − ṡ²) / s
//! ```
//!
//! A function written over [`Lane`] then gives its own rates exactly.

use cardan_solve::Lane;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// Value, first and second derivative.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Jet {
    /// The value.
    pub value: f64,
    /// First derivative.
    pub first: f64,
    /// Second derivative.
    pub second: f64,
}

const fn jet(value: f64, first: f64, second: f64) -> Jet {
    Jet { value, first, second }
}

impl Add for Jet {
    type Output = Jet;
    #[inline]
    fn add(self, o: Jet) -> Jet {
        jet(self.value + o.value, self.first + o.first, self.second + o.second)
    }
}
impl Sub for Jet {
    type Output = Jet;
    #[inline]
    fn sub(self, o: Jet) -> Jet {
        jet(self.value - o.value, self.first - o.first, self.second - o.second)
    }
}
impl Mul for Jet {
    type Output = Jet;
    #[inline]
    fn mul(self, o: Jet) -> Jet {
        jet(
            self.value * o.value,
            self.first * o.value + self.value * o.first,
            self.second * o.value + 2.0 * self.first * o.first + self.value * o.second,
        )
    }
}
impl Div for Jet {
    type Output = Jet;
    #[inline]
    fn div(self, o: Jet) -> Jet {
        // q o = self, differentiated twice.
        let value = self.value / o.value;
        let first = (self.first - value * o.first) / o.value;
        jet(value, first, (self.second - 2.0 * first * o.first - value * o.second) / o.value)
    }
}
impl Neg for Jet {
    type Output = Jet;
    #[inline]
    fn neg(self) -> Jet {
        jet(-self.value, -self.first, -self.second)
    }
}
impl AddAssign for Jet {
    fn add_assign(&mut self, o: Jet) {
        *self = *self + o;
    }
}
impl SubAssign for Jet {
    fn sub_assign(&mut self, o: Jet) {
        *self = *self - o;
    }
}
impl MulAssign for Jet {
    fn mul_assign(&mut self, o: Jet) {
        *self = *self * o;
    }
}

impl Lane for Jet {
    const ZERO: Jet = jet(0.0, 0.0, 0.0);
    const ONE: Jet = jet(1.0, 0.0, 0.0);
    #[inline]
    fn splat(value: f64) -> Jet {
        jet(value, 0.0, 0.0)
    }
    #[inline]
    fn sqrt(self) -> Jet {
        let value = self.value.sqrt();
        let first = self.first / (2.0 * value);
        jet(value, first, (0.5 * self.second - first * first) / value)
    }
    #[inline]
    fn abs(self) -> Jet {
        if self.value.is_sign_negative() { -self } else { self }
    }
    #[inline]
    fn with_sign_of(self, other: Jet) -> Jet {
        let up = self.abs();
        if other.value.is_sign_negative() { -up } else { up }
    }
    #[inline]
    fn magnitude(self) -> f64 {
        self.value.abs()
    }
}
