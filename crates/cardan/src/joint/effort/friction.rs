//! Dry and viscous friction in a joint. At rest it sticks, |f| ≤ F_s; while it slides f = −F(ẋ)
//! sign(ẋ) − c ẋ with F = F_c, or with a Stribeck speed v_s
//!
//!   F = F_c + (F_s − F_c) exp(−(ẋ/v_s)²)        Armstrong-Hélouvry 1994: from F_s at rest down to F_c
//!
//! The dry part is a set-valued law like that of a contact (`step/contact/`), with events where it
//! sticks and slips.
//!
//! With a regularization speed v the jump at rest is smoothed, and friction is a force law; without
//! a Stribeck speed, v_s is 10 v:
//!
//!   f = −F(ẋ) tanh(ẋ/v) − c ẋ
//!
//! Below the speed v friction falls off: a load that dry friction would stop keeps moving at the
//! speed where F_c tanh(ẋ/v) equals the load. Time steps must resolve F/(m v).

/// Dry and viscous friction along a joint coordinate.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DryFriction {
    /// F_c: sliding friction \[N or N·m\].
    pub coulomb: f64,
    /// F_s: breakaway friction \[N or N·m\]; F_c is used where that is larger.
    pub breakaway: f64,
    /// v: speed of the regularisation \[m/s or rad/s\], below which friction falls off; 0 for
    /// friction that sticks.
    #[cfg_attr(feature = "serde", serde(alias = "creep"))]
    pub regularization_speed: f64,
    /// v_s: Stribeck speed \[m/s or rad/s\], at which sliding friction has come down from F_s to F_c by
    /// all but 1/e of the difference; 0 for F_c at every speed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub stribeck_speed: f64,
    /// c: viscous coefficient \[N·s/m or N·m·s/rad\].
    pub viscous: f64,
}

impl DryFriction {
    /// Whether it sticks at rest: it has a set-valued part.
    pub(crate) fn holds(&self) -> bool {
        self.regularization_speed == 0.0 && (self.coulomb > 0.0 || self.breakaway > 0.0)
    }

    /// Whether it is viscous alone.
    pub(crate) fn is_viscous(&self) -> bool {
        self.regularization_speed == 0.0 && !self.holds()
    }

    /// Dry friction while it slides at a rate.
    pub(crate) fn sliding(&self, rate: f64) -> f64 {
        if self.stribeck_speed == 0.0 {
            return self.coulomb;
        }
        let slow = rate / self.stribeck_speed;
        self.coulomb + (self.breakaway - self.coulomb) * libm::exp(-slow * slow)
    }

    /// v_s of friction with a regularisation speed.
    fn falling_speed(&self) -> f64 {
        if self.stribeck_speed == 0.0 { 10.0 * self.regularization_speed } else { self.stribeck_speed }
    }

    /// The part of the friction that is a function of the speed.
    pub(super) fn force(&self, rate: f64) -> f64 {
        if self.regularization_speed == 0.0 {
            return -self.viscous * rate;
        }
        let slow = rate / self.falling_speed();
        let dry = self.coulomb + (self.breakaway - self.coulomb) * libm::exp(-slow * slow);
        -dry * libm::tanh(rate / self.regularization_speed) - self.viscous * rate
    }

    /// Slope of the force over the speed.
    pub(super) fn slope(&self, rate: f64) -> f64 {
        if self.regularization_speed == 0.0 {
            return -self.viscous;
        }
        let (slow, tanh) = (rate / self.falling_speed(), libm::tanh(rate / self.regularization_speed));
        let bell = (self.breakaway - self.coulomb) * libm::exp(-slow * slow);
        let bell_slope = -2.0 * slow / self.falling_speed() * bell;
        -(self.coulomb + bell) * (1.0 - tanh * tanh) / self.regularization_speed
            - bell_slope * tanh
            - self.viscous
    }

    pub(super) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        vec![
            ("coulomb", self.coulomb, true),
            ("static", self.breakaway, true),
            ("regularization_speed", self.regularization_speed, true),
            ("stribeck_speed", self.stribeck_speed, true),
            ("viscous", self.viscous, true),
        ]
    }
}
