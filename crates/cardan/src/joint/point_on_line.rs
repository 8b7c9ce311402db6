//! Point on a line: a point of b stays on the z axis of a's frame; 2 rows, 1 between planar bodies.
//!
//!   C = (y_x, y_y)                 rows: shift x, y of a's frame; in the plane the one across the line
//!
//! Coordinate: the shift y_z; rate: ẏ_z. How b is turned does not matter, so b may be a point mass.

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

pub(super) fn rows(at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    match plane {
        None => [Vec3::X, Vec3::Y].iter().for_each(|&e| out.lock_shift(at, e)),
        Some(p) => out.lock_shift(at, p.normal.cross(Vec3::Z)),
    }
}

pub(super) fn coordinates(at: &Relative, out: &mut JointCoordinates) {
    out.set(0, at.shift.z, at.rate.z, Wrench { force: Vec3::Z, torque: Vec3::ZERO });
}
