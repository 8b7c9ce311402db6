//! Pin in a slot: b slides along the x axis of a's frame and turns about z, which stays across the
//! slot; 4 rows, 1 between planar bodies.
//!
//!   C = (d_y, d_z, −z_y, z_x)      z: b's axis seen from a; rows: shift y, z; tilt about x, y of a's frame
//!
//! Coordinates: the shift d_x along the slot, and the angle of b about the pin, turns counted;
//! rates: ḋ_x, w·(z_a + z)/(1 + z_z). A cylindrical joint slides along the axis that it turns
//! about, this one across it. Between planar bodies the pin stands on their plane, and the row is
//! the shift across the slot.

use super::aligned::Aligned;
use super::description::{
    Axes, Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant, Symbol,
};
use super::drive::{CoordinateRow, shift_along, twist};
use super::{JointRows, Locks, Plane, Relative};
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct PinSlot;

impl JointEquations for PinSlot {
    const ABOUT: JointDescription = JointDescription {
        coordinates: &[Coordinate::SHIFT, Coordinate::ANGLE],
        axes: Axes::Two,
        aligned_axis: Some(Vec3::Z),
        planar: PlanarVariant { rows: 1, fit: PlanarFit::AlongNormal("its pin must be along z") },
        symbol: Symbol::Pin,
        ..JointDescription::of("pin-slot", Locks::new([false, true, true], [true, true, false]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        out.lock_shift(at, Vec3::Y);
        if plane.is_none() {
            out.lock_shift(at, Vec3::Z);
            Aligned.rows(at, plane, out);
        }
    }

    fn coordinate_row(self, k: usize, at: &Relative) -> CoordinateRow {
        if k == 0 { shift_along(at, Vec3::X) } else { twist(at) }
    }
}
