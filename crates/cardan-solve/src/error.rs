//! Errors: the shape of the graph, or its numbers.

use std::fmt;

use crate::graph::{Block, Link};

/// The graph is not a forest, so [`Tree`](crate::Tree) cannot eliminate it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a tree: {} links close loops and {} act on three or more blocks or are marked as auxiliary",
    loops.len(), auxiliary.len()
)]
pub struct NotATree {
    /// Links that close a loop.
    pub loops: Vec<Link>,
    /// Links that act on three or more blocks or are marked as auxiliary.
    pub auxiliary: Vec<Link>,
}

/// A place in a system.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SystemEntry {
    /// The mass of a block.
    Mass(Block),
    /// The Jacobian entries, scale or compliance of a link's row.
    Row(Link, usize),
}

impl fmt::Display for SystemEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SystemEntry::Mass(block) => write!(f, "the mass of {block}"),
            SystemEntry::Row(link, row) => write!(f, "row {row} of {link}"),
        }
    }
}

/// The numbers of a system cannot be factored.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
pub enum FactorError {
    /// A mass block, with what its children add, has no Cholesky factor.
    #[error("the mass of {block} is not positive definite")]
    NotPositive {
        /// Which block.
        block: Block,
    },
    /// NaN or infinity, given or by overflow while eliminating.
    #[error("{place} is not finite")]
    NotFinite {
        /// Where it was found.
        place: SystemEntry,
    },
    /// E must be zero (rigid) or positive.
    #[error("row {row} of {link} has a negative compliance")]
    NegativeCompliance {
        /// Which link.
        link: Link,
        /// Which of its rows.
        row: usize,
    },
    /// A row is independent by its geometry, but the numbers under- or overflow relative to the masses.
    #[error("row {row} of {link} vanished: its numbers under- or overflow relative to the masses")]
    Vanished {
        /// Which link.
        link: Link,
        /// Which of its rows.
        row: usize,
    },
    /// The auxiliary rows depend on each other, and force columns of their own act on them: x is then not
    /// determined.
    #[error("row {row} of {link} depends on other rows, so its own force columns cannot satisfy it")]
    Dependent {
        /// Which link.
        link: Link,
        /// Which of its rows.
        row: usize,
    },
    /// An auxiliary row that the force columns of the auxiliary rows cannot act on.
    #[error(
        "the auxiliary forces cannot satisfy row {row} of {link}: they do not act on it, or only together with another row"
    )]
    Powerless {
        /// Which link.
        link: Link,
        /// Which of its rows.
        row: usize,
    },
    /// A link has force columns of its own, which only [`AuxiliarySchur`](crate::AuxiliarySchur) solves for.
    #[error("{link} has force columns of its own; solve it as an auxiliary link")]
    OwnForceColumns {
        /// Which link.
        link: Link,
    },
    /// The system was built on another graph than the solver.
    #[error("the system belongs to another graph")]
    OtherGraph,
}
