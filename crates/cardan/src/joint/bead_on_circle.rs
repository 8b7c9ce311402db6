//! Bead on a circle: a point of b on the circle of radius r about a's z axis; 2 rows, 1 in the plane.
//!
//!   C = ((y_x² + y_y² − r²)/(2 r), y_z)        G = ((y_x, y_y, 0)/r, e_z)        h = ((ẏ_x² + ẏ_y²)/r, 0)
//!
//! With r = 1 the first row is Witkin's C = (x·x − 1)/2 (Constrained dynamics, eq. 1), and its multiplier his λ.
//! Coordinate: the polar angle, turns counted.

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::{Vec3, vec3};

pub(super) fn rows(radius: f64, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    let y = vec3(at.shift.x, at.shift.y, 0.0);
    let err = (y.dot(y) - radius * radius) / (2.0 * radius);
    let curve = (at.rate.x * at.rate.x + at.rate.y * at.rate.y) / radius;
    let scale = at.reach * y.norm() / radius + radius;
    out.push(err, Wrench { force: y / radius, torque: Vec3::ZERO }, curve, scale);
    if plane.is_none() {
        out.lock_shift(at, Vec3::Z);
    }
}

pub(super) fn coordinates(_radius: f64, at: &Relative, out: &mut JointCoordinates) {
    let (x, y) = (at.shift.x, at.shift.y);
    let r2 = x * x + y * y;
    // The unit generalised force turns the bead about the axis: force along the tangent over the arm.
    let tangent = if r2 > 0.0 { vec3(-y, x, 0.0) / r2 } else { Vec3::ZERO };
    let direction = Wrench { force: tangent, torque: Vec3::ZERO };
    out.set(0, libm::atan2(y, x), tangent.dot(at.rate), direction);
}
