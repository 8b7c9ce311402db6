//! Frames of robot files: products, inverses, and fields of a scene.

use cardan::Frame;
use cardan::math::{Quat, Vec3, vec3};

use crate::quantity::{Length, Number};
use crate::scene::{FrameDesc, Orientation, Planar};

/// The frame `inner`, which is given in `outer`, in the frame that `outer` is given in.
pub(crate) fn compose(outer: &Frame, inner: &Frame) -> Frame {
    Frame { pos: outer.pos + outer.rot * inner.pos, rot: outer.rot * inner.rot }
}

pub(crate) fn inverse(frame: &Frame) -> Frame {
    let back = frame.rot.inverse();
    Frame { pos: -(back * frame.pos), rot: back }
}

/// Roll, pitch and yaw about the fixed axes x, y, z, in this order: R = R_z(yaw) R_y(pitch) R_x(roll).
pub(crate) fn from_rpy([roll, pitch, yaw]: [f64; 3]) -> Quat {
    let turn = |axis: Vec3, angle: f64| Quat::from_axis_angle(axis, angle).unwrap_or(Quat::IDENTITY);
    turn(Vec3::Z, yaw) * turn(Vec3::Y, pitch) * turn(Vec3::X, roll)
}

pub(crate) fn numbers<const N: usize>(all: [f64; N]) -> [Number; N] {
    // −0 reads as 0.
    all.map(|x| Number(x + 0.0))
}

pub(crate) fn lengths<const N: usize>(all: [f64; N]) -> [Length; N] {
    all.map(|x| Length(x + 0.0))
}

pub(crate) fn place(pos: Vec3) -> Option<Planar<Length>> {
    (pos != Vec3::ZERO).then(|| Planar::Space(lengths(pos.to_array())))
}

/// The rotation as a field; `None` for no rotation.
pub(crate) fn orientation(rot: Quat) -> Option<Orientation> {
    let q = rot.to_wxyz();
    (q != [1.0, 0.0, 0.0, 0.0]).then(|| Orientation::Quaternion { quaternion: numbers(q) })
}

pub(crate) fn frame_desc(frame: &Frame) -> FrameDesc {
    let position = (frame.pos != Vec3::ZERO).then(|| lengths(frame.pos.to_array()));
    FrameDesc { position, orientation: orientation(frame.rot) }
}

/// The rotation that takes z to the axis; none at all for z itself, so that usual files stay readable.
pub(crate) fn z_to(axis: Vec3) -> Quat {
    if axis == vec3(0.0, 0.0, 1.0) {
        return Quat::IDENTITY;
    }
    Quat::with_z_along(axis, None).unwrap_or(Quat::IDENTITY)
}
