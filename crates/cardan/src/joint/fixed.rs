//! Fixed joint: b welded to a; 6 rows, 3 between planar bodies.
//!
//!   C = (y, 2 q_v)           rows: shift x, y, z; turn x, y, z of a's frame

use super::description::{Axes, Description, Fit, Kind, Planar, Shape, Symbol};
use super::spherical::Spherical;
use super::{JointRows, Locks, Plane, Relative};
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct Fixed;

impl Kind for Fixed {
    const ABOUT: Description = Description {
        axes: Axes::None,
        planar: Planar { rows: 3, fit: Fit::Any },
        symbol: Symbol::Weld,
        shape: Shape::Weld,
        ..Description::of("fixed", Locks::new([true; 3], [true; 3]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        Spherical.rows(at, plane, out);
        match plane {
            None => [Vec3::X, Vec3::Y, Vec3::Z].iter().for_each(|&e| out.lock_turn(at, e)),
            Some(p) => out.lock_turn(at, p.normal),
        }
    }
}
