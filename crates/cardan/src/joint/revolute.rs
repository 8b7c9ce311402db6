//! Revolute joint: a hinge about the common z axis; 5 rows, 2 between planar bodies.
//!
//!   C = (y, −z_y, z_x)       z: b's axis seen from a; rows: shift x, y, z; tilt about x, y of a's frame
//!
//! Coordinate: the angle of b about the axis, turns counted; rate: w·z.

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

pub(super) fn rows(at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    super::spherical::rows(at, plane, out);
    if plane.is_none() {
        out.lock_axis(at);
    }
}

pub(super) fn coordinates(at: &Relative, out: &mut JointCoordinates) {
    let z = at.turn * Vec3::Z;
    out.set(0, at.turn.twist_angle(Vec3::Z), at.spin.dot(z), Wrench { force: Vec3::ZERO, torque: z });
}
