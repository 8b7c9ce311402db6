//! Universal joint (Cardan, Hooke): a cross whose arms are the z axis of a's frame and the x axis
//! of b's; 4 rows.
//!
//!   C = (d, −z_a·x_b)              rows: shift x, y, z; turn about n = z_a × x_b
//!
//! Coordinates: b's frame is a's, turned by `first` about z_a and then by `second` about x_b, R =
//! R_z(first) R_x(second); both count turns. x, y, z: axes of b's frame seen from a; ρ² is x_x² +
//! x_y² (1 where closed):
//!
//!   first  = atan2(x_y, x_x)       rate: w_z − x_z (x_x w_x + x_y w_y)/ρ²
//!   second = atan2(y_z, z_z)       rate: (x_x w_x + x_y w_y)/ρ²
//!
//! Where the joint is closed, w = first˙ z_a + second˙ x_b. Planar bodies cannot turn about both
//! arms, so the joint does not fit between them.

use super::description::{
    Axes, ClosedForm, Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant,
};
use super::drive::{CoordinateRow, about};
use super::spherical::Spherical;
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::math::{Vec3, vec3};

#[derive(Copy, Clone)]
pub(super) struct Universal;

impl JointEquations for Universal {
    const ABOUT: JointDescription = JointDescription {
        coordinates: &[Coordinate::ANGLE; 2],
        axes: Axes::Cross,
        planar: PlanarVariant {
            rows: 0,
            fit: PlanarFit::Never(
                "one of its two axes would turn them out of the x–y plane; use a revolute joint",
            ),
        },
        closed_form: ClosedForm::Universal,
        ..JointDescription::of("universal", Locks::new([true; 3], [false, true, false]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        Spherical.rows(at, plane, out);
        out.lock_cross(at);
    }

    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        let (x, y, z) = (at.turn * Vec3::X, at.turn * Vec3::Y, at.turn * Vec3::Z);
        let square = x.x * x.x + x.y * x.y;
        // With both arms parallel (far from closed) the second angle is undefined.
        let second = if square > 0.0 { vec3(x.x, x.y, 0.0) / square } else { Vec3::ZERO };
        let first = Vec3::Z - second * x.z;
        out.set(0, libm::atan2(x.y, x.x), first.dot(at.spin), about(first));
        out.set(1, libm::atan2(y.z, z.z), second.dot(at.spin), about(second));
    }

    fn coordinate_row(self, k: usize, at: &Relative) -> CoordinateRow {
        let (x, y, z) = (at.turn * Vec3::X, at.turn * Vec3::Y, at.turn * Vec3::Z);
        let rate = at.spin.cross(x);
        let flat = vec3(x.x, x.y, 0.0);
        let square = flat.dot(flat);
        let n = flat / square;
        let n_rate = (vec3(rate.x, rate.y, 0.0) - n * (2.0 * flat.dot(rate))) / square;
        if k == 0 {
            let velocity_term = -(n_rate * x.z + n * rate.z).dot(at.spin);
            let gradient = about(Vec3::Z - n * x.z);
            return CoordinateRow {
                value: libm::atan2(x.y, x.x),
                gradient,
                velocity_term,
                column: about(Vec3::Z),
            };
        }
        let velocity_term = n_rate.dot(at.spin);
        CoordinateRow { value: libm::atan2(y.z, z.z), gradient: about(n), velocity_term, column: about(x) }
    }
}
