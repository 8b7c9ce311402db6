//! Dry and viscous friction in a joint. It holds at rest, |f| ≤ F_s, and while it slides f = −F_c sign(ẋ) − c ẋ: the dry part is then a condition
//! like a contact's (`step/touch/`), with events where it sticks and slips.
//!
//! With a creep speed the jump at rest is made smooth, and it is a law of force:
//!
//!   f = −(F_c + (F_s − F_c) exp(−(ẋ/10 v)²)) tanh(ẋ/v) − c ẋ          v: creep
//!
//! Below the speed v friction falls off, so that a load which real friction would hold creeps at a fraction of v: F_c tanh(ẋ/v) is the load.
//! Steps must resolve F/(m v).

/// Dry friction.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DryFriction {
    /// F_c: while it moves [N or N·m].
    pub coulomb: f64,
    /// F_s: when it starts to move [N or N·m]; F_c where that is larger, or nothing is known.
    pub breakaway: f64,
    /// v: the speed below which it falls off, and nothing is held [m/s or rad/s]; 0: it holds.
    pub creep: f64,
    /// c: N·s/m or N·m·s/rad.
    pub viscous: f64,
}

impl DryFriction {
    /// Whether it holds at rest.
    pub(crate) fn holds(&self) -> bool {
        self.creep == 0.0 && (self.coulomb > 0.0 || self.breakaway > 0.0)
    }

    /// The part of it that is a law of the speed.
    pub(super) fn force(&self, rate: f64) -> f64 {
        if self.creep == 0.0 {
            return -self.viscous * rate;
        }
        let slow = rate / (10.0 * self.creep);
        let dry = self.coulomb + (self.breakaway - self.coulomb) * libm::exp(-slow * slow);
        -dry * libm::tanh(rate / self.creep) - self.viscous * rate
    }

    pub(super) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        vec![
            ("coulomb", self.coulomb, true),
            ("static", self.breakaway, true),
            ("creep", self.creep, true),
            ("viscous", self.viscous, true),
        ]
    }
}
