//! Random numbers of the tests in this folder.

use crate::math::{Six, Vec3};

/// A linear congruential generator, equal on every platform.
pub(in crate::articulated) struct Rng(pub(super) u64);

impl Rng {
    /// Uniform in [−1, 1).
    pub(in crate::articulated) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    }
    /// An integer below `n`.
    pub(in crate::articulated) fn below(&mut self, n: usize) -> usize {
        (((self.next() + 1.0) * 0.5) * n as f64) as usize % n
    }
    /// A vector with components in [−1, 1).
    pub(in crate::articulated) fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
    /// Two such vectors.
    pub(in crate::articulated) fn six(&mut self) -> Six {
        Six::new(self.vec3(), self.vec3())
    }
    /// A unit vector.
    pub(in crate::articulated) fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vec3();
            if v.norm() > 0.2 {
                return v * (1.0 / v.norm());
            }
        }
    }
}
