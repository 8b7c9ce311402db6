//! Universal joint (Cardan, Hooke): a cross whose arms are the z axis of a's frame and the x axis of b's; 4 rows.
//!
//!   C = (y, −z_a·x_b)              rows: shift x, y, z; turn about n = z_a × x_b
//!
//! Coordinates: b's frame is a's, turned by `first` about z_a and then by `second` about x_b, R = R_z(first) R_x(second);
//! both count turns. With x, y, z the axes of b's frame seen from a, and ρ² = x_x² + x_y² (1 where closed):
//!
//!   first  = atan2(x_y, x_x)       rate: w_z − x_z (x_x w_x + x_y w_y)/ρ²
//!   second = atan2(y_z, z_z)       rate: (x_x w_x + x_y w_y)/ρ²
//!
//! so that where it is closed w = first˙ z_a + second˙ x_b. Planar bodies cannot turn about both arms: it does not fit
//! between them.

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::{Vec3, vec3};

pub(super) fn rows(at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    super::spherical::rows(at, plane, out);
    out.lock_cross(at);
}

pub(super) fn coordinates(at: &Relative, out: &mut JointCoordinates) {
    let (x, y, z) = (at.turn * Vec3::X, at.turn * Vec3::Y, at.turn * Vec3::Z);
    let square = x.x * x.x + x.y * x.y;
    // With both arms in line (far from closed) the second angle has no direction.
    let second = if square > 0.0 { vec3(x.x, x.y, 0.0) / square } else { Vec3::ZERO };
    let first = Vec3::Z - second * x.z;
    let about = |e: Vec3| Wrench { force: Vec3::ZERO, torque: e };
    out.set(0, libm::atan2(x.y, x.x), first.dot(at.spin), about(first));
    out.set(1, libm::atan2(y.z, z.z), second.dot(at.spin), about(second));
}
