//! Tolerances with a reason: a comparison without one cannot be written.
//!
//! ```
//! use cardan_testkit::{Tolerance, assert_close};
//!
//! let sum: f64 = (0..1000).map(|_| 0.1).sum();
//! assert_close(sum, 100.0, Tolerance::rounding(1000, 100.0));
//! ```

/// The largest difference of two numbers, and its reason.
#[derive(Copy, Clone, Debug)]
pub struct Tolerance {
    bound: f64,
    reason: &'static str,
}

impl Tolerance {
    /// `operations` roundings of numbers of about `size`.
    pub fn rounding(operations: usize, size: f64) -> Self {
        Tolerance { bound: operations as f64 * f64::EPSILON * size, reason: "rounding" }
    }

    /// The error of a method of `order` with steps of `h`: `constant` hᵒʳᵈᵉʳ.
    pub fn truncation(order: u32, h: f64, constant: f64) -> Self {
        let power = (0..order).fold(1.0, |power, _| power * h);
        Tolerance { bound: constant * power, reason: "truncation of the method" }
    }

    /// Any other bound, with its reason in words.
    pub fn because(reason: &'static str, bound: f64) -> Self {
        Tolerance { bound, reason }
    }
}

/// Panics unless `x` and `y` are within the tolerance; a number that is not finite never is.
#[track_caller]
pub fn assert_close(x: f64, y: f64, tolerance: Tolerance) {
    let Tolerance { bound, reason } = tolerance;
    let apart = (x - y).abs();
    assert!(apart <= bound, "{x:e} and {y:e} are {apart:.1e} apart, more than {bound:.1e} ({reason})");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_within_the_tolerance_pass() {
        assert_close(1.0, 1.0 + f64::EPSILON, Tolerance::rounding(1, 1.0));
        assert_close(1.0, 1.001, Tolerance::truncation(2, 0.1, 0.2));
    }

    #[test]
    #[should_panic(expected = "truncation of the method")]
    fn numbers_beyond_the_tolerance_name_its_reason() {
        assert_close(1.0, 1.1, Tolerance::truncation(1, 0.01, 1.0));
    }

    #[test]
    #[should_panic(expected = "NaN")]
    fn nan_is_never_close() {
        assert_close(f64::NAN, 1.0, Tolerance::because("any", f64::INFINITY));
    }
}
