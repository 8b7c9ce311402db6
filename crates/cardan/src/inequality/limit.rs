//! Limit of a joint coordinate: g = s − low, or g = high − s, turns counted.
//!
//! It is a coupler of one coordinate (`constraint/coupler.rs`): C = p₀ + p₁ s with p₁ = ±1.

use super::LimitSide;
use crate::constraint::{CoupledCoordinate, ModelCoupler};
use crate::model::ModelJoint;

/// The constraint of one limit, on the frames a and b of its joint.
pub(crate) fn limit(joint: &ModelJoint, coordinate: usize, side: LimitSide, value: f64) -> ModelCoupler {
    let sign = match side {
        LimitSide::Low => 1.0,
        LimitSide::High => -1.0,
    };
    let part = CoupledCoordinate {
        row: 0,
        pair: 0,
        kind: joint.kind,
        coordinate,
        turn_at: joint.turns_of(coordinate),
        zero: joint.zero(coordinate),
        polynomial: vec![0.0, sign],
    };
    ModelCoupler { kind: "limit", offsets: vec![sign * value], parts: vec![part], joints: Vec::new() }
}
