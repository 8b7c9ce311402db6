//! Cylindrical joint: b slides along and turns about the common z axis; 4 rows, 2 between planar bodies.
//!
//!   C = (y_x, y_y, −z_y, z_x)      z: b's axis seen from a; rows: shift x, y; tilt about x, y of a's frame
//!
//! Coordinates: the shift y_z, and the angle of b about the axis, turns counted; rates: ẏ_z, w·z. Between planar
//! bodies the axis lies in the plane, and the rows are the shift across it and the tilt about the plane's normal.

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

pub(super) fn rows(at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    super::point_on_line::rows(at, plane, out);
    super::aligned::rows(at, plane, out);
}

pub(super) fn coordinates(at: &Relative, out: &mut JointCoordinates) {
    let z = at.turn * Vec3::Z;
    out.set(0, at.shift.z, at.rate.z, Wrench { force: Vec3::Z, torque: Vec3::ZERO });
    out.set(1, at.turn.twist_angle(Vec3::Z), at.spin.dot(z), Wrench { force: Vec3::ZERO, torque: z });
}
