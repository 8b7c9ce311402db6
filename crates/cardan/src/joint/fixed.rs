//! Fixed joint: b welded to a; 6 rows, 3 between planar bodies.
//!
//!   C = (y, 2 q_v)           rows: shift x, y, z; turn x, y, z of a's frame

use super::{JointCoordinates, JointRows, Plane, Relative};
use crate::math::Vec3;

pub(super) fn rows(at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    super::spherical::rows(at, plane, out);
    match plane {
        None => [Vec3::X, Vec3::Y, Vec3::Z].iter().for_each(|&e| out.lock_turn(at, e)),
        Some(p) => out.lock_turn(at, p.normal),
    }
}

pub(super) fn coordinates(_at: &Relative, _out: &mut JointCoordinates) {}
