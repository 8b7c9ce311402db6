//! Servo: proportional and derivative (PD) control of a coordinate x towards a law s.
//!
//!   f = k (s − x) + c (ṡ − ẋ)          within ± limit

use super::limited;
use crate::law::Law;
use crate::state::State;

/// A PD servo along a joint coordinate.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Servo {
    /// k: proportional gain \[N/m or N·m/rad\].
    pub stiffness: f64,
    /// c: derivative gain \[N·s/m or N·m·s/rad\].
    pub damping: f64,
    /// Target of the coordinate over time \[m or rad\].
    pub law: Law,
    /// The largest force or torque \[N or N·m\]; may be infinite.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub limit: f64,
}

impl Servo {
    /// The force; a commanded `target` (value and rate) takes the place of the law.
    pub(super) fn force(&self, state: &State, target: Option<[f64; 2]>, value: f64, rate: f64) -> f64 {
        let [wanted, wanted_rate] = target.unwrap_or_else(|| {
            let wanted = self.law.at(state.time);
            [wanted.value, wanted.rate]
        });
        // In statics time does not pass, and the target does not move.
        let wanted_rate = if state.still { 0.0 } else { wanted_rate };
        let force = self.stiffness * (wanted - value) + self.damping * (wanted_rate - rate);
        limited(force, self.limit)
    }

    /// The force without its damping part.
    pub(super) fn force_at_rest(&self, time: f64, target: Option<[f64; 2]>, value: f64) -> f64 {
        let wanted = target.map_or_else(|| self.law.at(time).value, |[wanted, _]| wanted);
        limited(self.stiffness * (wanted - value), self.limit)
    }
}
