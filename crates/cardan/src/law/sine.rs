//! Harmonic law.
//!
//!   f = o + A sin(ω t + φ),   ω = 2π frequency
//!   ∫₀ᵗ f = o t − A/ω (cos(ω t + φ) − cos φ)            ∫∫ f = o t²/2 − A/ω² (sin(ω t + φ) − sin φ − ω t cos φ)

use super::{Jet, LawError, constant, finite};

/// offset + amplitude · sin(2π · frequency · t + phase).
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sine {
    /// Amplitude A.
    pub amplitude: f64,
    /// Frequency \[Hz\].
    pub frequency: f64,
    /// Phase φ \[rad\].
    pub phase: f64,
    /// Mean value o.
    pub offset: f64,
}

impl Sine {
    pub(super) fn check(&self) -> Result<(), LawError> {
        finite("amplitude", self.amplitude)?;
        finite("frequency", self.frequency)?;
        finite("phase", self.phase)?;
        finite("offset", self.offset).map(|_| ())
    }

    fn omega(&self) -> f64 {
        core::f64::consts::TAU * self.frequency
    }

    pub(super) fn at(&self, t: f64) -> Jet {
        let w = self.omega();
        let (s, c) = libm::sincos(w * t + self.phase);
        let a = self.amplitude;
        Jet::new(self.offset + a * s, a * w * c, -a * w * w * s)
    }

    pub(super) fn integrals(&self, t: f64) -> [f64; 2] {
        let w = self.omega();
        let (s0, c0) = libm::sincos(self.phase);
        if w == 0.0 {
            return constant::integrals(self.offset + self.amplitude * s0, t);
        }
        let (s, c) = libm::sincos(w * t + self.phase);
        let [a, b] = constant::integrals(self.offset, t);
        let arm = self.amplitude / w;
        [a - arm * (c - c0), b - arm / w * (s - s0 - w * t * c0)]
    }
}
