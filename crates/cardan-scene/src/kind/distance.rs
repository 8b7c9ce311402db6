//! Distances: two points, as far apart as `length` says, or as they are posed.

use cardan::JointKind;

use crate::kind::{Pair, Size};

pub(crate) const DISTANCE: Pair = Pair {
    fields: &["a", "b", "point_in_a", "point_in_b", "length"],
    size: Some(Size {
        given: |desc| desc.length,
        posed: |shift| shift.norm(),
        zero: (
            "the two points coincide in the pose of the file: the distance has no length",
            "move the bodies apart, give `point_in_a` and `point_in_b`, or a `length`",
        ),
    }),
    ..Pair::of(JointKind::Distance { length: 1.0 })
};
