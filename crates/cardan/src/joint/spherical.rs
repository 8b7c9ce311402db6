//! Spherical joint: two points kept together; 3 rows, 2 between planar bodies.
//!
//!   C = y                    rows: x, y, z of a's frame            (Baraff 1996, §4)
//!
//! Coordinates: the rotation vector of b seen from a; rates: w.

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

pub(super) fn rows(at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    match plane {
        None => [Vec3::X, Vec3::Y, Vec3::Z].iter().for_each(|&e| out.lock_shift(at, e)),
        Some(p) => p.in_plane.iter().for_each(|&e| out.lock_shift(at, e)),
    }
}

pub(super) fn coordinates(at: &Relative, out: &mut JointCoordinates) {
    let turn = at.turn.log();
    for (k, e) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        out.set(k, turn[k], at.spin[k], Wrench { force: Vec3::ZERO, torque: e });
    }
}
