//! Beads: a point of b on a circle of a, of the `radius` given, or as posed. The circle lies across z unless said otherwise.

use cardan::JointKind;
use cardan::math::Vec3;

use crate::kind::{KinematicPair, PairSize};

pub(crate) const BEAD_ON_CIRCLE: KinematicPair = KinematicPair {
    fields: &[
        "a",
        "b",
        "anchor",
        "axis",
        "anchor_in_a",
        "axis_in_a",
        "frame_in_a",
        "point_in_b",
        "radius",
        "zero",
        "drive",
        "servo",
        "motor",
    ],
    needs_axis: false,
    size: Some(PairSize {
        given: |desc| desc.radius,
        posed: |shift| Vec3::new(shift.x, shift.y, 0.0).norm(),
        zero: (
            "the bead lies on the axis in the pose of the file: the circle has no radius",
            "move the bead off the axis, or give a `radius`",
        ),
    }),
    ..KinematicPair::of(JointKind::BeadOnCircle { radius: 1.0 })
};
