//! Random numbers that are the same on every machine.
//!
//! SplitMix64 (Steele, Lea, Flood 2014): a counter in steps of the golden ratio, mixed. No elementary functions: directions
//! and orientations are drawn from the unit ball by rejection.

use cardan::math::{Quat, Vec3, vec3};

pub(super) struct Random(u64);

/// The decimal nearest to `x` with as many places as `scale` (a power of ten) has zeros; never −0.
pub(super) fn rounded(x: f64, scale: f64) -> f64 {
    (x * scale).round() / scale + 0.0
}

pub(super) fn rounded3(v: Vec3, scale: f64) -> Vec3 {
    vec3(rounded(v.x, scale), rounded(v.y, scale), rounded(v.z, scale))
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// At least `low`, less than `high`.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// One of 0, 1, …, n − 1.
    pub(super) fn below(&mut self, n: usize) -> usize {
        // The high half of a 128-bit product: even to n in 2⁶⁴.
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// Each component between −size and size.
    pub(super) fn vector(&mut self, size: f64) -> Vec3 {
        vec3(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    /// A direction to four decimals; its length is not one.
    pub(super) fn axis(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            let square = v.dot(v);
            if square > 0.1 && square <= 1.0 {
                return rounded3(v, 1e4);
            }
        }
    }

    /// An orientation, and the four short decimals that it is written with.
    pub(super) fn orientation(&mut self) -> (Quat, [f64; 4]) {
        loop {
            let four = [0; 4].map(|_| rounded(self.between(-1.0, 1.0), 1e3));
            let [w, x, y, z] = four;
            let square = w * w + x * x + y * y + z * z;
            if square > 0.1
                && square <= 1.0
                && let Some(rot) = Quat::from_wxyz(w, x, y, z)
            {
                return (rot, four);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of SplitMix64 for seed 1234567, as published with its reference code.
    #[test]
    fn the_generator_is_splitmix64() {
        let mut random = Random::new(1_234_567);
        let first = [0; 3].map(|_| random.bits());
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn decimals_are_short_and_never_minus_zero() {
        assert_eq!(rounded(0.123456789, 1e6).to_string(), "0.123457");
        assert_eq!(rounded(-1e-9, 1e6).to_bits(), 0.0f64.to_bits());
    }
}
