//! Cylindrical joint: b slides along and turns about the common z axis; 4 rows, 2 between planar
//! bodies.
//!
//!   C = (d_x, d_y, −z_y, z_x)      z: b's axis seen from a; rows: shift x, y; tilt about x, y of a's frame
//!
//! Coordinates: the shift d_z, and the angle of b about the axis, turns counted; rates: ḋ_z, w·z.
//! Between planar bodies the axis lies in the plane, and the rows are the shift across it and the
//! tilt about the plane's normal.

use super::aligned::Aligned;
use super::description::{
    ClosedForm, Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant, Symbol,
};
use super::drive::{CoordinateRow, shift_along, twist};
use super::point_on_line::PointOnLine;
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct Cylindrical;

impl JointEquations for Cylindrical {
    const ABOUT: JointDescription = JointDescription {
        coordinates: &[Coordinate::SHIFT, Coordinate::ANGLE.in_space_only()],
        aligned_axis: Some(Vec3::Z),
        planar: PlanarVariant {
            rows: 2,
            fit: PlanarFit::InPlane(
                "its axis must lie in the x–y plane (one along z is a revolute joint there)",
            ),
        },
        symbol: Symbol::Sleeve,
        closed_form: ClosedForm::Cylindrical,
        ..JointDescription::of("cylindrical", Locks::new([true, true, false], [true, true, false]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        PointOnLine.rows(at, plane, out);
        Aligned.rows(at, plane, out);
    }

    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        let z = at.turn * Vec3::Z;
        out.set(0, at.shift.z, at.rate.z, Wrench { force: Vec3::Z, torque: Vec3::ZERO });
        out.set(1, at.turn.twist_angle(Vec3::Z), at.spin.dot(z), Wrench { force: Vec3::ZERO, torque: z });
    }

    fn coordinate_row(self, k: usize, at: &Relative) -> CoordinateRow {
        if k == 0 { shift_along(at, Vec3::Z) } else { twist(at) }
    }
}
