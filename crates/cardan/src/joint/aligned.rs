//! Aligned: b's z axis stays parallel to a's, the origins are free; 2 rows, 1 between planar bodies.
//!
//!   C = (−z_y, z_x)                z: b's axis seen from a; rows: tilt about x, y of a's frame
//!
//! Coordinate: the angle of b about the axis, turns counted; rate: w·z. The shifts are free but not reported. Between
//! planar bodies the axis lies in their plane, and the row is the tilt about its normal.

use super::{JointCoordinates, JointRows, Plane, Relative};

pub(super) fn rows(at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    match plane {
        None => out.lock_axis(at),
        Some(p) => out.lock_tilt(at, p.normal),
    }
}

pub(super) fn coordinates(at: &Relative, out: &mut JointCoordinates) {
    super::revolute::coordinates(at, out);
}
