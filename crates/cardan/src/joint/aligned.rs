//! Aligned: b's z axis stays parallel to a's, the origins are free; 2 rows, 1 between planar
//! bodies.
//!
//!   C = (−z_y, z_x)                z: b's axis seen from a; rows: tilt about x, y of a's frame
//!
//! Coordinate: the angle of b about the axis, turns counted; rate: w·z. The shifts are free but not
//! reported. Between planar bodies the axis lies in their plane, and the row is the tilt about its
//! normal.

use super::description::{Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant};
use super::drive::{CoordinateRow, twist};
use super::revolute::Revolute;
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct Aligned;

impl JointEquations for Aligned {
    const ABOUT: JointDescription = JointDescription {
        coordinates: &[Coordinate::ANGLE.in_space_only()],
        aligned_axis: Some(Vec3::Z),
        planar: PlanarVariant {
            rows: 1,
            fit: PlanarFit::InPlane("its axis must lie in the x–y plane; along z it would hold nothing"),
        },
        ..JointDescription::of("aligned", Locks::new([false; 3], [true, true, false]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        match plane {
            None => out.lock_axis(at),
            Some(p) => out.lock_tilt(at, p.normal),
        }
    }

    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        Revolute.coordinates(at, out);
    }

    fn coordinate_row(self, _k: usize, at: &Relative) -> CoordinateRow {
        twist(at)
    }
}
