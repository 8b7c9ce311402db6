//! Distance joint: two points a fixed length apart, a massless rod; 1 row.
//!
//!   C = |y| − ℓ              G = n = y/|y|         h = (|ẏ|² − (n·ẏ)²)/|y|
//!
//! The multiplier is the force along the rod, positive when the rod pushes.

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

pub(super) fn rows(length: f64, at: &Relative, _plane: Option<&Plane>, out: &mut JointRows) {
    let size = at.shift.norm();
    // Points on top of each other have no direction: any will do to push them apart.
    let n = if size > 0.0 { at.shift / size } else { Vec3::X };
    let along = n.dot(at.rate);
    let curve = if size > 0.0 { (at.rate.dot(at.rate) - along * along) / size } else { 0.0 };
    out.push(size - length, Wrench { force: n, torque: Vec3::ZERO }, curve, at.reach + length);
}

pub(super) fn coordinates(_length: f64, _at: &Relative, _out: &mut JointCoordinates) {}
