//! Distances: two points, as far apart as `length` says, or as they are posed.

use cardan::JointKind;

use crate::kind::{KinematicPair, PairSize};

pub(crate) const DISTANCE: KinematicPair = KinematicPair {
    fields: &["a", "b", "point_in_a", "point_in_b", "length"],
    size: Some(PairSize {
        given: |desc| desc.length,
        posed: |shift| shift.norm(),
        zero: (
            "the two points coincide in the pose of the file: the distance is zero",
            "move the bodies apart, give `point_in_a` and `point_in_b`, or a `length`",
        ),
    }),
    ..KinematicPair::of(JointKind::Distance { length: 1.0 })
};
