//! Jets: numbers with their first two derivatives by time (second-order forward differentiation).
//!
//!   f(x)˙ = f' ẋ            f(x)¨ = f' ẍ + f'' ẋ²            (x y)¨ = ẍ y + 2 ẋ ẏ + x ÿ

use core::ops::{Add, Div, Mul, Neg, Sub};

/// A value with its rate and second derivative.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Jet {
    /// The value.
    pub value: f64,
    /// Its first derivative.
    pub rate: f64,
    /// Its second derivative.
    pub second: f64,
}

impl Jet {
    /// A jet from value, rate and second derivative.
    pub const fn new(value: f64, rate: f64, second: f64) -> Self {
        Jet { value, rate, second }
    }
    /// A constant.
    pub const fn constant(value: f64) -> Self {
        Jet::new(value, 0.0, 0.0)
    }
    /// Time itself.
    pub const fn time(t: f64) -> Self {
        Jet::new(t, 1.0, 0.0)
    }
    /// f(x) from f, f' and f'' at x.
    #[inline]
    pub fn chain(self, f: f64, first: f64, second: f64) -> Self {
        // An infinite derivative at a constant argument is ignored, as of sqrt at a constant 0.
        let part = |derivative: f64, by: f64| if by == 0.0 { 0.0 } else { derivative * by };
        Jet::new(f, part(first, self.rate), part(first, self.second) + part(second, self.rate * self.rate))
    }
    /// 1/x.
    #[inline]
    pub fn recip(self) -> Self {
        let r = 1.0 / self.value;
        self.chain(r, -r * r, 2.0 * r * r * r)
    }
    /// Whether value and both derivatives are finite.
    pub fn is_finite(&self) -> bool {
        self.value.is_finite() && self.rate.is_finite() && self.second.is_finite()
    }
    /// Whether both derivatives are zero.
    pub fn is_constant(&self) -> bool {
        self.rate == 0.0 && self.second == 0.0
    }
}

impl Add for Jet {
    type Output = Jet;
    fn add(self, o: Jet) -> Jet {
        Jet::new(self.value + o.value, self.rate + o.rate, self.second + o.second)
    }
}
impl Sub for Jet {
    type Output = Jet;
    fn sub(self, o: Jet) -> Jet {
        Jet::new(self.value - o.value, self.rate - o.rate, self.second - o.second)
    }
}
impl Mul for Jet {
    type Output = Jet;
    fn mul(self, o: Jet) -> Jet {
        Jet::new(
            self.value * o.value,
            self.rate * o.value + self.value * o.rate,
            self.second * o.value + 2.0 * self.rate * o.rate + self.value * o.second,
        )
    }
}
impl Div for Jet {
    type Output = Jet;
    fn div(self, o: Jet) -> Jet {
        // q = x/y:  q̇ = (ẋ − q ẏ)/y,  q̈ = (ẍ − 2 q̇ ẏ − q ÿ)/y
        let value = self.value / o.value;
        let rate = (self.rate - value * o.rate) / o.value;
        Jet::new(value, rate, (self.second - 2.0 * rate * o.rate - value * o.second) / o.value)
    }
}
impl Neg for Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        Jet::new(-self.value, -self.rate, -self.second)
    }
}
impl Mul<f64> for Jet {
    type Output = Jet;
    fn mul(self, by: f64) -> Jet {
        Jet::new(self.value * by, self.rate * by, self.second * by)
    }
}
