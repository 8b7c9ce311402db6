//! Spherical joint: two points kept together; 3 rows, 2 between planar bodies.
//!
//!   C = d                    rows: x, y, z of a's frame            (Baraff 1996, §4)
//!
//! Coordinates: the rotation vector of b seen from a; rates: w.

use super::description::{
    Axes, ClosedForm, Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant, Symbol,
};
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

/// A component of a rotation vector; it is not a freedom of its own.
const PART: Coordinate =
    Coordinate { is_angle: true, counts_turns: false, acts: false, acts_in_plane: false };

#[derive(Copy, Clone)]
pub(super) struct Spherical;

impl JointEquations for Spherical {
    const ABOUT: JointDescription = JointDescription {
        coordinates: &[PART; 3],
        needs_orientation: (false, false),
        axes: Axes::None,
        planar: PlanarVariant { rows: 2, fit: PlanarFit::Any },
        symbol: Symbol::Ball,
        closed_form: ClosedForm::Spherical,
        ..JointDescription::of("spherical", Locks::new([true; 3], [false; 3]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        match plane {
            None => [Vec3::X, Vec3::Y, Vec3::Z].iter().for_each(|&e| out.lock_shift(at, e)),
            Some(p) => p.in_plane.iter().for_each(|&e| out.lock_shift(at, e)),
        }
    }

    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        let turn = at.turn.log();
        for (k, e) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            out.set(k, turn[k], at.spin[k], Wrench { force: Vec3::ZERO, torque: e });
        }
    }
}
