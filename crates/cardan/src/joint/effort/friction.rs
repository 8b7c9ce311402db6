//! Dry and viscous friction in a joint, with the jump at rest made smooth:
//!
//!   f = −(F_c + (F_s − F_c) exp(−(ẋ/10 v)²)) tanh(ẋ/v) − c ẋ          v: creep
//!
//! Below the speed v friction falls off, so that a load which real friction would hold creeps at a fraction of v: F_c tanh(ẋ/v) is the load.
//! Steps must resolve F/(m v). Friction that holds exactly needs inequalities and is another element.

/// Dry friction, regularised.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct DryFriction {
    /// F_c: while it moves [N or N·m].
    pub coulomb: f64,
    /// F_s: when it starts to move [N or N·m]; as F_c where nothing is known.
    pub breakaway: f64,
    /// v: the speed below which it falls off, positive [m/s or rad/s].
    pub creep: f64,
    /// c: N·s/m or N·m·s/rad.
    pub viscous: f64,
}

impl DryFriction {
    pub(super) fn force(&self, rate: f64) -> f64 {
        let slow = rate / (10.0 * self.creep);
        let dry = self.coulomb + (self.breakaway - self.coulomb) * libm::exp(-slow * slow);
        -dry * libm::tanh(rate / self.creep) - self.viscous * rate
    }

    pub(super) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        // A creep of zero is the jump itself.
        let creep = if self.creep > 0.0 { self.creep } else { f64::NAN };
        vec![
            ("coulomb", self.coulomb, true),
            ("static", self.breakaway, true),
            ("creep", creep, true),
            ("viscous", self.viscous, true),
        ]
    }
}
