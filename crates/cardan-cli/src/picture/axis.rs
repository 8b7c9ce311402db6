//! Axes: ranges, round ticks and how their numbers are written.

/// What is larger counts as not finite, what is smaller as zero: no later arithmetic can leave the finite numbers.
const LARGEST: f64 = 1e300;
const SMALLEST: f64 = 1e-300;

/// The value if it can be drawn.
pub(crate) fn drawable(value: f64) -> Option<f64> {
    if !value.is_finite() || value.abs() > LARGEST {
        None
    } else if value.abs() < SMALLEST {
        Some(0.0)
    } else {
        Some(value)
    }
}

/// 1, 2 or 5 times a power of ten: the largest that is not above `length`, as (digit, exponent).
pub(crate) fn round_below(length: f64) -> (f64, i32) {
    let exponent = decade(length);
    let lead = length / ten(exponent);
    let digit = if lead >= 5.0 {
        5.0
    } else if lead >= 2.0 {
        2.0
    } else {
        1.0
    };
    (digit, exponent)
}

/// `floor(log10)` of a positive number, right also at the exact powers.
pub(crate) fn decade(value: f64) -> i32 {
    let guess = value.log10().floor() as i32;
    if ten(guess + 1) <= value {
        guess + 1
    } else if ten(guess) > value {
        guess - 1
    } else {
        guess
    }
}

pub(crate) fn ten(exponent: i32) -> f64 {
    // parsed, so that every power is the nearest number to it
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

/// `×10ⁿ`, or nothing for n = 0.
pub(crate) fn power_text(exponent: i32) -> String {
    if exponent == 0 {
        return String::new();
    }
    let digits = exponent.unsigned_abs().to_string();
    let above: String = digits
        .chars()
        .map(|c| ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][c.to_digit(10).unwrap_or(0) as usize])
        .collect();
    format!("×10{}{above}", if exponent < 0 { "⁻" } else { "" })
}

/// A number with a true minus sign, and no sign on zero.
pub(crate) fn number_text(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let bare = text.trim_start_matches('-');
    if bare.len() < text.len() && bare.chars().any(|c| ('1'..='9').contains(&c)) {
        format!("−{bare}")
    } else {
        bare.into()
    }
}

/// A range of values with its ticks: `value = offset + shown · 10^exponent`.
#[derive(Clone, Debug)]
pub(crate) struct PlotAxis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Values of the ticks and their numbers.
    pub(crate) ticks: Vec<(f64, String)>,
    /// What the numbers must be multiplied by and added to; empty if they are plain.
    pub(crate) note: String,
}

impl PlotAxis {
    /// An axis around `low … high`, widened by a share of its length at both ends, with about `count` ticks.
    pub(crate) fn new(low: f64, high: f64, pad: f64, count: f64) -> PlotAxis {
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        let size = low.abs().max(high.abs());
        // differences that are only rounding are a constant
        let constant = high - low <= 1e-12 * size;
        let (low, high) = if size == 0.0 {
            (-1.0, 1.0)
        } else if constant {
            let middle = low + (high - low) / 2.0;
            (middle - 0.1 * size, middle + 0.1 * size)
        } else {
            (low - pad * (high - low), high + pad * (high - low))
        };
        let span = high - low;
        // the smallest of 1, 2, 5 · 10ⁿ that is not below span / count
        let (digit, exponent) = match round_below(span / count) {
            (digit, e) if digit * ten(e) >= span / count => (digit, e),
            (1.0, e) => (2.0, e),
            (2.0, e) => (5.0, e),
            (_, e) => (1.0, e + 1),
        };
        // far from zero the common part is written once
        let offset = if span < 1e-4 * low.abs().max(high.abs()) {
            let coarse = ten(exponent + 2);
            (low / coarse).round() * coarse
        } else {
            0.0
        };
        let shown = (low - offset).abs().max((high - offset).abs());
        let lead = decade(shown);
        let power = if (-3..5).contains(&lead) { 0 } else { lead };
        let decimals = (power - exponent).max(0) as usize;
        let step = digit * ten(exponent);
        let first = ((low - offset) / step - 1e-9).ceil();
        let last = ((high - offset) / step + 1e-9).floor();
        let ticks = (0..=((last - first).clamp(0.0, 100.0) as usize))
            .map(|i| {
                let multiple = first + i as f64;
                // the number comes from the integer multiple, so it never shows rounding
                let text = number_text(multiple * digit * ten(exponent - power), decimals);
                (offset + multiple * step, text)
            })
            .collect();
        let mut note = power_text(power);
        if offset != 0.0 {
            let digits = (decade(offset.abs()) - exponent - 2).clamp(0, 15) as usize;
            let text = if (-3..7).contains(&decade(offset.abs())) {
                number_text(offset.abs(), (-(exponent + 2)).clamp(0, 15) as usize)
            } else {
                let e = decade(offset.abs());
                number_text(offset.abs() / ten(e), digits) + &power_text(e)
            };
            note = format!("{note} {} {text}", if offset < 0.0 { '−' } else { '+' });
        }
        PlotAxis { low, high, ticks, note: note.trim().to_owned() }
    }

    /// Where a value lies, 0 at the low end and 1 at the high one.
    pub(crate) fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}
