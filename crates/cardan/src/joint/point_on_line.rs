//! Point on a line: a point of b stays on the z axis of a's frame; 2 rows, 1 between planar bodies.
//!
//!   C = (d_x, d_y)                 rows: shift x, y of a's frame; in the plane the one across the line
//!
//! Coordinate: the shift d_z; rate: ḋ_z. How b is turned does not matter, so b may be a point mass.

use super::description::{
    Anchor, Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant, Symbol,
};
use super::drive::{CoordinateRow, shift_along};
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct PointOnLine;

impl JointEquations for PointOnLine {
    const ABOUT: JointDescription = JointDescription {
        coordinates: &[Coordinate::SHIFT],
        anchor: Anchor::Along,
        planar: PlanarVariant {
            rows: 1,
            fit: PlanarFit::InPlane(
                "its line must lie in the x–y plane (one along z is a revolute joint there)",
            ),
        },
        symbol: Symbol::Sleeve,
        ..JointDescription::of("point-on-line", Locks::new([true, true, false], [false; 3]))
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
