//! Revolute joint: a hinge about the common z axis; 5 rows, 2 between planar bodies.
//!
//!   C = (d, −z_y, z_x)       z: b's axis seen from a; rows: shift x, y, z; tilt about x, y of a's frame
//!
//! Coordinate: the angle of b about the axis, turns counted; rate: w·z.

use super::description::{
    ClosedForm, Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant, Symbol,
};
use super::drive::{CoordinateRow, twist};
use super::spherical::Spherical;
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct Revolute;

impl JointEquations for Revolute {
    const ABOUT: JointDescription = JointDescription {
        coordinates: &[Coordinate::ANGLE],
        aligned_axis: Some(Vec3::Z),
        planar: PlanarVariant { rows: 2, fit: PlanarFit::AlongNormal("its axis must be along z") },
        symbol: Symbol::Pin,
        closed_form: ClosedForm::Revolute,
        ..JointDescription::of("revolute", Locks::new([true; 3], [true, true, false]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        Spherical.rows(at, plane, out);
        if plane.is_none() {
            out.lock_axis(at);
        }
    }

    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        let z = at.turn * Vec3::Z;
        out.set(0, at.turn.twist_angle(Vec3::Z), at.spin.dot(z), Wrench { force: Vec3::ZERO, torque: z });
    }

    fn coordinate_row(self, _k: usize, at: &Relative) -> CoordinateRow {
        twist(at)
    }
}
