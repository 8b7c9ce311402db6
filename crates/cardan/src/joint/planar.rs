//! Planar joint: b slides on the x–y plane of a's frame and turns about its normal z; 3 rows, 2
//! between planar bodies.
//!
//!   C = (d_z, −z_y, z_x)           z: b's axis seen from a; rows: shift z; tilt about x, y of a's frame
//!
//! Coordinates: the shifts d_x, d_y, and the angle of b about the normal, turns counted; rates:
//! ḋ_x, ḋ_y, w·z. Between planar bodies the normal lies in their plane, and the rows are the shift
//! along it and the tilt about the normal of their plane.

use super::aligned::Aligned;
use super::description::{
    ClosedForm, Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant,
};
use super::drive::{CoordinateRow, twist};
use super::point_on_plane::PointOnPlane;
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct Planar;

impl JointEquations for Planar {
    const ABOUT: JointDescription = JointDescription {
        coordinates: &[
            Coordinate::SHIFT.in_space_only(),
            Coordinate::SHIFT.in_space_only(),
            Coordinate::ANGLE.in_space_only(),
        ],
        aligned_axis: Some(Vec3::Z),
        planar: PlanarVariant {
            rows: 2,
            fit: PlanarFit::InPlane("its normal must lie in the x–y plane; along z it would hold nothing"),
        },
        closed_form: ClosedForm::Planar,
        ..JointDescription::of("planar", Locks::new([false, false, true], [true, true, false]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        PointOnPlane.rows(at, plane, out);
        Aligned.rows(at, plane, out);
    }

    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        let z = at.turn * Vec3::Z;
        PointOnPlane.coordinates(at, out);
        out.set(2, at.turn.twist_angle(Vec3::Z), at.spin.dot(z), Wrench { force: Vec3::ZERO, torque: z });
    }

    fn coordinate_row(self, k: usize, at: &Relative) -> CoordinateRow {
        if k < 2 { PointOnPlane.coordinate_row(k, at) } else { twist(at) }
    }
}
