//! Prismatic joint: b slides along a's z axis and does not turn; 5 rows, 2 between planar bodies.
//!
//!   C = (d_x, d_y, 2 q_v)    rows: shift x, y; turn x, y, z of a's frame
//!
//! Coordinate: d_z; rate: ḋ_z.

use super::description::{
    ClosedForm, Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant, Symbol,
};
use super::drive::{CoordinateRow, shift_along};
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct Prismatic;

impl JointEquations for Prismatic {
    const ABOUT: JointDescription = JointDescription {
        coordinates: &[Coordinate::SHIFT],
        planar: PlanarVariant { rows: 2, fit: PlanarFit::InPlane("its axis must lie in the x–y plane") },
        symbol: Symbol::Slider,
        closed_form: ClosedForm::Prismatic,
        ..JointDescription::of("prismatic", Locks::new([true, true, false], [true; 3]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        match plane {
            None => {
                [Vec3::X, Vec3::Y].iter().for_each(|&e| out.lock_shift(at, e));
                [Vec3::X, Vec3::Y, Vec3::Z].iter().for_each(|&e| out.lock_turn(at, e));
            }
            Some(p) => {
                out.lock_shift(at, p.normal.cross(Vec3::Z));
                out.lock_turn(at, p.normal);
            }
        }
    }

    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        out.set(0, at.shift.z, at.rate.z, Wrench { force: Vec3::Z, torque: Vec3::ZERO });
    }

    fn coordinate_row(self, _k: usize, at: &Relative) -> CoordinateRow {
        shift_along(at, Vec3::Z)
    }
}
