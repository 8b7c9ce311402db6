//! Coordinates of a joint: values, rates and directions.

use super::MAX_COORDINATES;
use crate::body::Wrench;

/// The free coordinates of one joint, their rates, and the wrench on b (in a's axes, at b's frame)
/// of a unit force along each.
#[derive(Copy, Clone, Debug, Default)]
pub struct JointCoordinates {
    /// Values; angles in (−π, π], turns not counted yet.
    pub value: [f64; MAX_COORDINATES],
    /// Rates; for a spherical joint the relative angular velocity in a's axes.
    pub rate: [f64; MAX_COORDINATES],
    /// Direction of a unit generalised force.
    pub direction: [Wrench; MAX_COORDINATES],
}

impl JointCoordinates {
    pub(super) fn set(&mut self, k: usize, value: f64, rate: f64, direction: Wrench) {
        self.value[k] = value;
        self.rate[k] = rate;
        self.direction[k] = direction;
    }
}
