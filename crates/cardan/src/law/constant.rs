//! Constant law:  f = c,   ∫₀ᵗ f = c t,   ∫∫ f = c t²/2.

pub(super) fn integrals(c: f64, t: f64) -> [f64; 2] {
    [c * t, 0.5 * c * t * t]
}
