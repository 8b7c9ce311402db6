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
    /// An id of a part that has been removed, or of another world.
    #[error("there is no such {what} (any more): it was removed, or the id belongs to another world")]
    NoSuchPart {
        /// What it named.
        what: &'static str,
    },
    /// A part that needs another one that is not there.
    #[error(
        "`{of}` needs a {what} that is not there (any more): it was removed, or its id belongs to another world"
    )]
    Gone {
        /// What is not there.
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
