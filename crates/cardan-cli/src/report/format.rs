//! Numbers as text.

use crate::tolerances::{SHOWN_ROUNDING, SHOWN_ZERO};
use cardan::math::Vec3;

/// The largest magnitude; NaN if one is NaN.
pub(crate) fn worst(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |w, v| if v.abs() > w || v.is_nan() { v.abs() } else { w })
}

pub(crate) fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Five significant digits; NaN is a dash.
pub(crate) fn format_number(x: f64) -> String {
    digits(x, 5)
}

/// Two significant digits, for times of the clock.
pub(super) fn format_rough(x: f64) -> String {
    digits(format!("{x:.1e}").parse().unwrap_or(x), 2)
}

fn digits(x: f64, count: i32) -> String {
    if x == 0.0 {
        return "0".to_string();
    }
    if x.is_nan() {
        return "–".to_string();
    }
    let size = x.abs();
    if !(1e-4..1e6).contains(&size) {
        return format!("{x:.*e}", count.min(4) as usize - 1);
    }
    let decimals = (count - 1 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// An error, with two digits: its power of ten matters.
pub(crate) fn format_error(x: f64) -> String {
    if x == 0.0 {
        "0".to_string()
    } else if x.is_nan() {
        "–".to_string()
    } else {
        format!("{x:.1e}")
    }
}

/// The largest length among finite vectors.
pub(super) fn largest(all: impl Iterator<Item = Vec3>) -> f64 {
    all.map(Vec3::norm).filter(|n| n.is_finite()).fold(0.0, f64::max)
}

/// A number; rounding relative to `size` is shown as zero.
pub(crate) fn without_noise(x: f64, size: f64) -> String {
    if x.abs() <= (SHOWN_ROUNDING * size).max(SHOWN_ZERO) { "0".to_string() } else { format_number(x) }
}

/// A vector; components that are rounding relative to `size` are shown as zero.
pub(super) fn format_vector(v: Vec3, size: f64) -> String {
    let [x, y, z] = v.to_array().map(|x| without_noise(x, size));
    format!("{x}, {y}, {z}")
}
