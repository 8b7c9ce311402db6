//! Prismatic joint: b slides along a's z axis and does not turn; 5 rows, 2 between planar bodies.
//!
//!   C = (y_x, y_y, 2 q_v)    rows: shift x, y; turn x, y, z of a's frame
//!
//! Coordinate: y_z; rate: ẏ_z.

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

pub(super) fn rows(at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    match plane {
        None => {
            [Vec3::X, Vec3::Y].iter().for_each(|&e| out.lock_shift(at, e));
            [Vec3::X, Vec3::Y, Vec3::Z].iter().for_each(|&e| out.lock_turn(at, e));
        }
        Some(p) => {
            out.lock_shift(at, p.normal.cross(Vec3::Z));
            out.lock_turn(at, p.normal);
        }
    }
}

pub(super) fn coordinates(at: &Relative, out: &mut JointCoordinates) {
    out.set(0, at.shift.z, at.rate.z, Wrench { force: Vec3::Z, torque: Vec3::ZERO });
}
