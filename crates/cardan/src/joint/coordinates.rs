//! Coordinates of a joint: their values, rates, and the wrench of a unit force along each.

use super::MAX_COORDINATES;
use crate::body::Wrench;

/// The free coordinates of one joint, their rates, and the wrench on b (a's axes, at b's frame) of
/// a unit generalised force along each.
#[derive(Copy, Clone, Debug, Default)]
pub struct JointCoordinates {
    /// Values \[m or rad\]; angles in (−π, π], before turns are counted.
    pub value: [f64; MAX_COORDINATES],
    /// Rates \[m/s or rad/s\]; for a spherical joint the relative angular velocity in a's axes.
    pub rate: [f64; MAX_COORDINATES],
    /// Wrench on b of a unit generalised force along the coordinate.
    pub direction: [Wrench; MAX_COORDINATES],
}

impl JointCoordinates {
    pub(super) fn set(&mut self, k: usize, value: f64, rate: f64, direction: Wrench) {
        self.value[k] = value;
        self.rate[k] = rate;
        self.direction[k] = direction;
    }
}
