//! Point on a line: a point of b stays on the z axis of a's frame; 2 rows, 1 between planar bodies.
//!
//!   C = (y_x, y_y)                 rows: shift x, y of a's frame; in the plane the one across the line
//!
//! Coordinate: the shift y_z; rate: ẏ_z. How b is turned does not matter, so b may be a point mass.

use super::description::{Anchor, Coordinate, Description, Fit, Kind, Planar, Symbol};
use super::drive::{CoordinateRow, shift_along};
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct PointOnLine;

impl Kind for PointOnLine {
    const ABOUT: Description = Description {
        coordinates: &[Coordinate::SHIFT],
        anchor: Anchor::Along,
        planar: Planar {
            rows: 1,
            fit: Fit::InPlane("its line must lie in the x–y plane (one along z is a revolute joint there)"),
        },
        symbol: Symbol::Sleeve,
        ..Description::of("point-on-line", Locks::new([true, true, false], [false; 3]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        match plane {
            None => [Vec3::X, Vec3::Y].iter().for_each(|&e| out.lock_shift(at, e)),
            Some(p) => out.lock_shift(at, p.normal.cross(Vec3::Z)),
        }
    }

    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        out.set(0, at.shift.z, at.rate.z, Wrench { force: Vec3::Z, torque: Vec3::ZERO });
    }

    fn coordinate_row(self, _k: usize, at: &Relative) -> CoordinateRow {
        shift_along(at, Vec3::Z)
    }
}
