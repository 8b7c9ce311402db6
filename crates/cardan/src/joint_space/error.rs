//! Why a command, or a pose set by joint coordinates, is refused. Nothing has changed then.

use crate::step_error::StepError;

/// A command or a joint-space array that is refused; the state is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// An id of another model.
    #[error("the model has no such {what}: its id is of another model")]
    NoSuchPart {
        /// Joint or body.
        what: &'static str,
    },
    /// A coordinate that the joint does not have, or that measures no freedom of it.
    #[error("{kind} joint `{joint}` has no coordinate {coordinate} for an effort: {}", have_coordinates(*have))]
    NoSuchCoordinate {
        /// Which joint.
        joint: String,
        /// Its kind.
        kind: &'static str,
        /// The coordinate that was named, from 0.
        coordinate: usize,
        /// How many it has.
        have: usize,
    },
    /// An array of another length.
    #[error("{have} {what} are given; it takes {want}")]
    Length {
        /// What is given.
        what: String,
        /// How many.
        have: usize,
        /// How many there must be.
        want: usize,
    },
    /// NaN or infinity.
    #[error("{what} {index} of `{part}` is {value}; it must be a finite number")]
    NotFinite {
        /// What the number is: an effort, a target, a position, a rate, a wrench.
        what: &'static str,
        /// The joint, or the body that floats.
        part: String,
        /// Which of its numbers, from 0.
        index: usize,
        /// The number.
        value: f64,
    },
    /// Four numbers that are no rotation.
    #[error("the quaternion of `{part}` has length {length:e}; it must be 1 (w x y z)")]
    Quaternion {
        /// The joint or the body.
        part: String,
        /// Its length.
        length: f64,
    },
    /// A target for a coordinate without a servo.
    #[error(
        "joint `{joint}` has no servo on coordinate {coordinate}; add one to its efforts, or command an effort"
    )]
    NoServo {
        /// Which joint.
        joint: String,
        /// Which coordinate.
        coordinate: usize,
    },
    /// A coordinate that a law prescribes.
    #[error("coordinate {coordinate} of joint `{joint}` is driven by a law, which alone sets it")]
    Driven {
        /// Which joint.
        joint: String,
        /// Which coordinate.
        coordinate: usize,
    },
    /// A joint that closes a loop, or is no lower pair.
    #[error(
        "joint `{joint}` is not in the spanning tree: its coordinates follow from those of the tree and cannot be set"
    )]
    NotInTree {
        /// Which joint.
        joint: String,
    },
    /// Loops that do not let a coordinate have a value.
    #[error("the loops do not let coordinate {coordinate} of joint `{joint}` have the value {wanted}: it comes to {reached}{}", because(why.as_deref()))]
    OutOfReach {
        /// Which joint.
        joint: String,
        /// Which coordinate.
        coordinate: usize,
        /// The value asked for [m, rad, or their rates].
        wanted: f64,
        /// The nearest that was found.
        reached: f64,
        /// What the assembly says, if it failed.
        why: Option<Box<StepError>>,
    },
    /// A body with coordinates of its own.
    #[error("body `{body}` is of the kind `{kind}`, which joint-space {what} do not cover")]
    GeneralBody {
        /// Which body.
        body: String,
        /// Its kind.
        kind: &'static str,
        /// What was asked for.
        what: &'static str,
    },
    /// A joint that is no lower pair where a tree of lower pairs is needed.
    #[error("joint-space {what} need a mechanism of lower pairs; `{part}` is none")]
    NotALowerPair {
        /// The joint or constraint.
        part: String,
        /// What was asked for.
        what: &'static str,
    },
    /// A freedom without mass.
    #[error("the freedom at rate {rate} of the joint order moves no mass")]
    NoInertia {
        /// Its place in the joint order.
        rate: usize,
    },
    /// A linearisation about a moving state.
    #[error("`{part}` moves: a spherical joint or a floating body must be at rest for a linearisation")]
    Moving {
        /// The joint or body.
        part: String,
    },
    /// A pose that cannot be closed, or an evaluation that failed.
    #[error(transparent)]
    Step(#[from] StepError),
}

fn have_coordinates(have: usize) -> String {
    match have {
        0 => "it has none".into(),
        1 => "it has 1, coordinate 0".into(),
        n => format!("it has {n}, 0 to {}", n - 1),
    }
}

fn because(why: Option<&StepError>) -> String {
    why.map_or(String::new(), |why| format!(" ({why})"))
}
