//! The plane of planar bodies, seen from a joint frame, and which joint frames fit it.

use super::JointKind;
use super::description::PlanarFit;
use crate::math::{Quat, Vec3};
use crate::tolerances::ALIGNED;

/// The plane of planar bodies, seen from a's joint frame.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Plane {
    /// Two directions in the plane.
    pub(crate) in_plane: [Vec3; 2],
    /// Its normal, world z.
    pub(crate) normal: Vec3,
}

impl Plane {
    /// The plane x–y of the world, seen from a joint frame with orientation `rot`.
    pub(crate) fn seen_from(rot: Quat) -> Option<Self> {
        let normal = rot.inverse() * Vec3::Z;
        // The frame's own x axis if it is near the plane, so that rows follow the frame's axes.
        let flat = Vec3::X - normal * normal.dot(Vec3::X);
        let first = if flat.norm() > 0.5 { flat.normalized()? } else { normal.any_perpendicular()? };
        Some(Plane { in_plane: [first, normal.cross(first)], normal })
    }

    /// Why a joint between planar bodies cannot have a frame of this orientation in the world;
    /// `None` if it can.
    pub(crate) fn misfit(kind: JointKind, rot: Quat) -> Option<&'static str> {
        let z = rot * Vec3::Z;
        let along_normal = z.x.abs() <= ALIGNED && z.y.abs() <= ALIGNED;
        let in_plane = z.z.abs() <= ALIGNED;
        let (fits, why) = match kind.about().planar.fit {
            PlanarFit::Any => return None,
            PlanarFit::AlongNormal(why) => (along_normal, why),
            PlanarFit::InPlane(why) => (in_plane, why),
            PlanarFit::Never(why) => (false, why),
            // Decided by both frames together in `Locks::misfit`.
            PlanarFit::ByLocks => return None,
        };
        if fits { None } else { Some(why) }
    }
}
