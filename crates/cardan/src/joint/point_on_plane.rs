//! Point on a plane: a point of b stays on the x–y plane of a's frame; 1 row, also between planar
//! bodies.
//!
//!   C = d_z                        row: shift z of a's frame, along the plane's normal
//!
//! Coordinates: the shifts d_x, d_y; rates: ḋ_x, ḋ_y. How b is turned does not matter, so b may be
//! a point mass. Between planar bodies the normal lies in their plane.

use super::description::{Anchor, Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant};
use super::drive::{CoordinateRow, shift_along};
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct PointOnPlane;

impl JointEquations for PointOnPlane {
    const ABOUT: JointDescription = JointDescription {
        coordinates: &[Coordinate::SHIFT.in_space_only(); 2],
        anchor: Anchor::Along,
        planar: PlanarVariant {
            rows: 1,
            fit: PlanarFit::InPlane("its normal must lie in the x–y plane; along z it would hold nothing"),
        },
        ..JointDescription::of("point-on-plane", Locks::new([false, false, true], [false; 3]))
    };

    fn rows(self, at: &Relative, _plane: Option<&Plane>, out: &mut JointRows) {
        out.lock_shift(at, Vec3::Z);
    }

    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        out.set(0, at.shift.x, at.rate.x, Wrench { force: Vec3::X, torque: Vec3::ZERO });
        out.set(1, at.shift.y, at.rate.y, Wrench { force: Vec3::Y, torque: Vec3::ZERO });
    }

    fn coordinate_row(self, k: usize, at: &Relative) -> CoordinateRow {
        shift_along(at, if k == 0 { Vec3::X } else { Vec3::Y })
    }
}
