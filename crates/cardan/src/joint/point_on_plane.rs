//! Point on a plane: a point of b stays on the x–y plane of a's frame; 1 row, also between planar bodies.
//!
//!   C = y_z                        row: shift z of a's frame, along the plane's normal
//!
//! Coordinates: the shifts y_x, y_y; rates: ẏ_x, ẏ_y. How b is turned does not matter, so b may be a point mass.
//! Between planar bodies the normal lies in their plane.

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

pub(super) fn rows(at: &Relative, _plane: Option<&Plane>, out: &mut JointRows) {
    out.lock_shift(at, Vec3::Z);
}

pub(super) fn coordinates(at: &Relative, out: &mut JointCoordinates) {
    out.set(0, at.shift.x, at.rate.x, Wrench { force: Vec3::X, torque: Vec3::ZERO });
    out.set(1, at.shift.y, at.rate.y, Wrench { force: Vec3::Y, torque: Vec3::ZERO });
}
