//! A generator of random numbers (splitmix64), equal on every platform for equal seeds.

use cardan::math::{Quat, Vec3, vec3};

/// Random numbers from a seed.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1))
    }
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// Uniform in [low, high).
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
    /// An integer below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
    /// A vector with components in [−size, size).
    pub fn vector(&mut self, size: f64) -> Vec3 {
        vec3(self.range(-size, size), self.range(-size, size), self.range(-size, size))
    }
    /// A random unit vector.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            let n = v.norm();
            if n > 0.1 && n < 1.0 {
                return v / n;
            }
        }
    }
    /// A random orientation.
    pub fn rotation(&mut self) -> Quat {
        Quat::exp(self.direction() * self.range(0.0, 3.0))
    }
}
