//! Errors of a world.

use crate::bytes::SaveError;
use crate::joint_space::CommandError;
use crate::model::BuildError;
use crate::step::StepError;

/// An edit or a step that failed; the world is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// An invalid part.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A step that failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A command, or a pose by joint coordinates, that is refused.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// Bytes that are not a state of this world.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// An id of a part that has been removed or never existed.
    #[error("there is no such {what} (any more): it was removed, or going back to a snapshot undid it")]
    NoSuchPart {
        /// What it named.
        what: &'static str,
    },
    /// A part that needs another part, which does not exist.
    #[error(
        "`{of}` needs a {what} that is not there (any more): it was removed, or going back to a snapshot undid it"
    )]
    Gone {
        /// The missing part.
        what: &'static str,
        /// The part that needs it.
        of: String,
    },
    /// A joint that was added, switched on or re-attached and cannot be closed.
    #[error(
        "joint `{joint}` cannot be closed at t = {time} s: it is open by {open:.4} (m or rad){}; take the edit back, or move the parts nearer first ({why})",
        nearer(*nearest)
    )]
    CannotClose {
        /// The joint or constraint.
        joint: String,
        /// When.
        time: f64,
        /// Its error in the present pose [m or rad].
        open: f64,
        /// Smallest distance between its two points that the other joints allow \[m\]; `None` if unknown or not the cause.
        nearest: Option<f64>,
        /// The error of the assembly.
        why: Box<StepError>,
    },
    /// An exact grab with a target that the joints do not allow.
    #[error(
        "the target ({:.4}, {:.4}, {:.4}) of the hand on body `{body}` is out of reach by {by:.4} m: the joints let the point come no nearer (t = {time} s); \
         release it, drag it elsewhere, or pull by a spring ({why})",
        target[0], target[1], target[2]
    )]
    OutOfReach {
        /// The grabbed body.
        body: String,
        /// The target \[m\].
        target: [f64; 3],
        /// Smallest distance to it that the joints allow \[m\].
        by: f64,
        /// When.
        time: f64,
        /// The error of the step.
        why: Box<StepError>,
    },
    /// An exact grab with a straight path to the target that the joints do not allow.
    #[error(
        "the hand on body `{body}` cannot lead it straight to ({:.4}, {:.4}, {:.4}): the place can be reached, and the joints do not let the point go along the line \
         beyond t = {time} s; drag it there in several moves, or pull by a spring ({why})",
        target[0], target[1], target[2]
    )]
    BlockedPath {
        /// The grabbed body.
        body: String,
        /// The target \[m\].
        target: [f64; 3],
        /// When.
        time: f64,
        /// The error of the step.
        why: Box<StepError>,
    },
    /// An id of another world, or of the description of another world.
    #[error(
        "this id names a {what} of another world: ids are good in the world that gave them, and where a snapshot of it is restored"
    )]
    OtherWorld {
        /// What it names there.
        what: &'static str,
    },
    /// A part that needs a part of another world.
    #[error("`{of}` needs a {what} of this world, and its id names one of another")]
    NeedsOtherWorld {
        /// What it names there.
        what: &'static str,
        /// The part that needs it.
        of: String,
    },
    /// A part that is switched off and has no motion to read.
    #[error("{what} `{name}` is switched off; enable it first")]
    Off {
        /// What it is.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A wrong number of coordinates or velocities for a body.
    #[error("body `{body}`: {have} {what} are given, and it has {want}")]
    Length {
        /// Which body.
        body: String,
        /// What is given.
        what: &'static str,
        /// How many.
        have: usize,
        /// How many there are.
        want: usize,
    },
    /// Numbers that are not finite.
    #[error("body `{body}`: {what} must be finite numbers")]
    NotFinite {
        /// Which body.
        body: String,
        /// What is given.
        what: &'static str,
    },
    /// A number of an edit that is out of range.
    #[error("body `{body}`: {what} is {value}; it must be {want}")]
    Number {
        /// Which body.
        body: String,
        /// What the number is.
        what: &'static str,
        /// The number.
        value: f64,
        /// The valid range.
        want: &'static str,
    },
    /// More than one thread without the feature `parallel`.
    #[error("{count} threads were asked for, and the crate was built without its feature `parallel`")]
    NoThreads {
        /// How many.
        count: usize,
    },
    /// Threads that the system refused.
    #[error("{count} threads cannot be had: {why}")]
    ThreadsRefused {
        /// How many.
        count: usize,
        /// The error of the system.
        why: String,
    },
}

fn nearer(nearest: Option<f64>) -> String {
    nearest.map_or(String::new(), |d| {
        format!(", and the others do not let its points come nearer than {d:.4} m")
    })
}
