//! Planar joint: b slides on the x–y plane of a's frame and turns about its normal z; 3 rows, 2 between planar bodies.
//!
//!   C = (y_z, −z_y, z_x)           z: b's axis seen from a; rows: shift z; tilt about x, y of a's frame
//!
//! Coordinates: the shifts y_x, y_y, and the angle of b about the normal, turns counted; rates: ẏ_x, ẏ_y, w·z.
//! Between planar bodies the normal lies in their plane, and the rows are the shift along it and the tilt about the
//! normal of their plane.

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

pub(super) fn rows(at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    super::point_on_plane::rows(at, plane, out);
    super::aligned::rows(at, plane, out);
}

pub(super) fn coordinates(at: &Relative, out: &mut JointCoordinates) {
    let z = at.turn * Vec3::Z;
    super::point_on_plane::coordinates(at, out);
    out.set(2, at.turn.twist_angle(Vec3::Z), at.spin.dot(z), Wrench { force: Vec3::ZERO, torque: z });
}
