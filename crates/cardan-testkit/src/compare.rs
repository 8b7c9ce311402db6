//! Comparison of lists of numbers, and derivatives of functions.

/// The largest magnitude; NaN if one is NaN.
pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |w: f64, x| if x.abs() > w || x.is_nan() { x.abs() } else { w })
}

/// The largest difference of two lists of the same length; NaN if one is NaN.
///
/// # Panics
/// If the lengths differ.
pub fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "lists of different length");
    a.iter().zip(b).fold(0.0, |w: f64, (a, b)| {
        let d = (a - b).abs();
        if d > w || d.is_nan() { d } else { w }
    })
}

/// Derivatives at 0 of a vector of functions; error about ε⁴ f⁽⁵⁾/30 + rounding/ε, about 1e-12 for
/// smooth functions of size one.
pub fn slopes(mut f: impl FnMut(f64) -> Vec<f64>) -> Vec<f64> {
    let eps = 2e-4;
    let [far_minus, minus, plus, far_plus] = [-2.0, -1.0, 1.0, 2.0].map(|k| f(k * eps));
    (0..plus.len())
        .map(|r| (8.0 * (plus[r] - minus[r]) - (far_plus[r] - far_minus[r])) / (12.0 * eps))
        .collect()
}
