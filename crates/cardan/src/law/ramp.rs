//! Ramp: linear between two constants.
//!
//!   f = from before `start`,   from + (to − from) (t − start)/duration,   to after start + duration
//!
//! Its rate jumps at both ends.

use super::{Jet, LawError, Smoothness, finite};

/// A law that is linear between two constants.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ramp {
    /// Value before the start.
    pub from: f64,
    /// Value after the end.
    pub to: f64,
    /// Start \[s\].
    pub start: f64,
    /// Duration \[s\], positive.
    pub duration: f64,
}

impl Ramp {
    pub(super) fn check(&self) -> Result<(), LawError> {
        finite("value at the start", self.from)?;
        finite("value at the end", self.to)?;
        finite("start", self.start)?;
        finite("duration", self.duration)?;
        if self.duration > 0.0 { Ok(()) } else { Err(LawError::NoDuration { value: self.duration }) }
    }

    fn slope(&self) -> f64 {
        (self.to - self.from) / self.duration
    }

    pub(super) fn at(&self, t: f64) -> Jet {
        let past = t - self.start;
        if past < 0.0 {
            Jet::constant(self.from)
        } else if past < self.duration {
            Jet::new(self.from + past * self.slope(), self.slope(), 0.0)
        } else {
            Jet::constant(self.to)
        }
    }

    /// Both ends are kinks, unless they lie before t = 0.
    pub(super) fn smoothness(&self) -> Smoothness {
        let over = self.start + self.duration <= 0.0;
        if self.from == self.to || over { Smoothness::All } else { Smoothness::Value }
    }

    /// ∫ and ∫∫ of the difference to `from`.
    fn added(&self, t: f64) -> [f64; 2] {
        let past = t - self.start;
        if past <= 0.0 {
            return [0.0; 2];
        }
        let (slope, d) = (self.slope(), self.duration);
        if past < d {
            let first = 0.5 * slope * past * past;
            return [first, first * past / 3.0];
        }
        let (half, rest, height) = (0.5 * slope * d * d, past - d, self.to - self.from);
        [half + height * rest, half * d / 3.0 + half * rest + 0.5 * height * rest * rest]
    }

    pub(super) fn integrals(&self, t: f64) -> [f64; 2] {
        let ([a0, b0], [a, b]) = (self.added(0.0), self.added(t));
        [self.from * t + (a - a0), 0.5 * self.from * t * t + (b - b0 - a0 * t)]
    }
}
