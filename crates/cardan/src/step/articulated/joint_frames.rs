//! Arms and axes of joints in world axes, kept as long as the pose stays the same.

use crate::body::Motion;
use crate::math::{Lane, Vec3};
use crate::step::articulated::tree_joint::TreeJoint;

/// Arms and z axes of a joint on a and b, in world axes.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct JointFrames<T: Lane = f64> {
    pub(crate) arm_a: Vec3<T>,
    pub(crate) arm_b: Vec3<T>,
    pub(crate) z_a: Vec3<T>,
    pub(crate) z_b: Vec3<T>,
}

/// Arms and axes of the joint of a node: from the cache, or computed from the same motions.
#[inline(always)]
pub(crate) fn frames_at(
    joint_frames: &[JointFrames],
    at: usize,
    tree_joint: &TreeJoint,
    motions: &[Motion],
) -> JointFrames {
    joint_frames.get(at).copied().unwrap_or_else(|| tree_joint.frames(motions))
}

/// Squared magnitudes of a body's position, velocity and angular velocity.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct SquaredSizes<T: Lane = f64> {
    pub(crate) pos: T,
    pub(crate) vel: T,
    pub(crate) omega: T,
}

impl<T: Lane> SquaredSizes<T> {
    /// Squared magnitudes of a motion.
    #[inline(always)]
    pub(crate) fn of(at: &Motion<T>) -> Self {
        SquaredSizes { pos: at.pos.dot(at.pos), vel: at.vel.dot(at.vel), omega: at.omega.dot(at.omega) }
    }
}

/// Velocity errors of a revolute or spherical joint: relative velocity of the anchors, and relative
/// angular velocity across the axis; with the position of b's anchor relative to a.
#[inline(always)]
pub(crate) fn slip<T: Lane>(
    (is_hinge, on_ground): (bool, bool),
    frames: &JointFrames<T>,
    a: &Motion<T>,
    b: &Motion<T>,
) -> (Vec3<T>, Vec3<T>, Vec3<T>) {
    let to_anchor = b.pos + frames.arm_b - a.pos;
    if on_ground {
        let rate = b.vel + b.omega.cross(frames.arm_b);
        let turn = if is_hinge { b.omega - frames.z_b * frames.z_b.dot(b.omega) } else { Vec3::ZERO };
        return (rate, turn, to_anchor);
    }
    let rate = (b.vel + b.omega.cross(frames.arm_b)) - (a.vel + a.omega.cross(to_anchor));
    if !is_hinge {
        return (rate, Vec3::ZERO, to_anchor);
    }
    let spin = b.omega - a.omega;
    (rate, spin - frames.z_b * frames.z_b.dot(spin), to_anchor)
}
