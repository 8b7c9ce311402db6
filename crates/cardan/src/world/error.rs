//! What can go wrong with a world.

use crate::bytes::SaveError;
use crate::model::BuildError;
use crate::step::StepError;

/// An edit or a step that failed; the world is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A part that is wrong.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A step that failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// Bytes that are no state of this world.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// An id of a part that has been removed, or never was.
    #[error("there is no such {what} (any more): it was removed, or going back to a snapshot undid it")]
    NoSuchPart {
        /// What it named.
        what: &'static str,
    },
    /// A part that needs another one that is not there.
    #[error(
        "`{of}` needs a {what} that is not there (any more): it was removed, or going back to a snapshot undid it"
    )]
    Gone {
        /// What is not there.
        what: &'static str,
        /// What needs it.
        of: String,
    },
    /// A new joint, or one that was switched on or put elsewhere, that cannot be closed.
    #[error(
        "joint `{joint}` cannot be closed at t = {time} s: it is open by {open:.4} (m or rad){}; take the edit back, or move the parts nearer first ({why})",
        nearer(*nearest)
    )]
    CannotClose {
        /// Which, of those that came or changed since the last step.
        joint: String,
        /// When.
        time: f64,
        /// How far it is from closed as the bodies stand [m or rad].
        open: f64,
        /// How near the others let the points come that it should hold together \[m\]; none where that is not what is wrong, or not known.
        nearest: Option<f64>,
        /// What the assembly says.
        why: Box<StepError>,
    },
    /// A hand that leads a point where the joints do not let it go.
    #[error(
        "the target ({:.4}, {:.4}, {:.4}) of the hand on body `{body}` is out of reach by {by:.4} m: the joints let the point come no nearer (t = {time} s); \
         release it, drag it elsewhere, or pull by a spring ({why})",
        target[0], target[1], target[2]
    )]
    OutOfReach {
        /// The body that is led.
        body: String,
        /// Where the hand is going \[m\].
        target: [f64; 3],
        /// The least distance to it that the joints allow \[m\].
        by: f64,
        /// When.
        time: f64,
        /// What the step says.
        why: Box<StepError>,
    },
    /// A hand that leads a point along a line that the joints do not let it go.
    #[error(
        "the hand on body `{body}` cannot lead it straight to ({:.4}, {:.4}, {:.4}): the place can be reached, and the joints do not let the point go along the line \
         beyond t = {time} s; drag it there in several moves, or pull by a spring ({why})",
        target[0], target[1], target[2]
    )]
    BlockedPath {
        /// The body that is led.
        body: String,
        /// Where the hand is going \[m\].
        target: [f64; 3],
        /// When.
        time: f64,
        /// What the step says.
        why: Box<StepError>,
    },
    /// An id that another world, or the description of another one, gave.
    #[error(
        "this id names a {what} of another world: ids are good in the world that gave them, and where a snapshot of it is restored"
    )]
    OtherWorld {
        /// What it names there.
        what: &'static str,
    },
    /// A part that needs one of another world.
    #[error("`{of}` needs a {what} of this world, and its id names one of another")]
    NeedsOtherWorld {
        /// What it names there.
        what: &'static str,
        /// What needs it.
        of: String,
    },
    /// A body that is switched off has no motion to be read, and no place among others.
    #[error("{what} `{name}` is switched off; enable it first")]
    Off {
        /// What it is.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// Numbers for a body that it has no room for.
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
    /// Numbers that are none.
    #[error("body `{body}`: {what} must be finite numbers")]
    NotFinite {
        /// Which body.
        body: String,
        /// What is given.
        what: &'static str,
    },
    /// A number of an edit that is finite and yet none that is meant.
    #[error("body `{body}`: {what} is {value}; it must be {want}")]
    Number {
        /// Which body.
        body: String,
        /// What the number is.
        what: &'static str,
        /// The number.
        value: f64,
        /// What would be right.
        want: &'static str,
    },
    /// More than one thread without the feature that brings them.
    #[error("{count} threads were asked for, and the crate was built without its feature `parallel`")]
    NoThreads {
        /// How many.
        count: usize,
    },
    /// The system gave no threads.
    #[error("{count} threads cannot be had: {why}")]
    ThreadsRefused {
        /// How many.
        count: usize,
        /// What the system says.
        why: String,
    },
}

fn nearer(nearest: Option<f64>) -> String {
    nearest.map_or(String::new(), |d| {
        format!(", and the others do not let its points come nearer than {d:.4} m")
    })
}
