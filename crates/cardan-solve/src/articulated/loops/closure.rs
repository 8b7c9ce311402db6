//! One loop closure: its rows and biases, which of its rows are independent, and its multipliers.
//!
//! A loop-closure link has two ends. A coupling has any number: a row is then a sum over blocks, or over
//! joint coordinates of tree links. A row G on the coordinates of the link between child c and parent p is
//!
//! ```text
//! G (x_c − X x_p)        L_c = G,   L_p = −G X
//! ```
//!
//! Carried by X alone it vanishes at p, which the rank plan takes as exact.

use crate::graph::{Block, Link, NONE};
use crate::lane::Lane;
use crate::math::Six;

/// Most rows that a loop closure can have.
pub const MAX_LOOP_ROWS: usize = 6;

/// Which biases are noise. A row of which the part s² is left (s: a sine, which vanishes at a singular pose)
/// turns c into a multiplier of size c/s. The row is ignored if c is noise but c/s is more than can be meant.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Noise {
    /// Sizes up to which c of a row is noise.
    pub size: [f64; MAX_LOOP_ROWS],
    /// Whether these sizes are divided by s: c then depends on a pose that is known only to that accuracy.
    pub over_sine: bool,
    /// c/s up to this is meant.
    pub meant: f64,
}

/// Remainder of a row, squared and relative, below which a pose is nearly singular; above it no bias is
/// noise. At 1e-4 the sine is 0.01 and a multiplier has lost two digits.
pub const NEARLY_SINGULAR: f64 = 1e-4;

impl Noise {
    /// Whether `c` of row `r` is noise, given the remainder of the row, squared.
    pub(super) fn covers(&self, r: usize, c: f64, left: f64) -> bool {
        let s = left.sqrt();
        let noise = if self.over_sine { c * s } else { c };
        left < NEARLY_SINGULAR && noise <= self.size[r] && c > self.meant * s
    }
}

/// What an end of a coupling is to the rank plan.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EndKind {
    /// A block by itself.
    Block,
    /// The child of a tree link whose coordinates the rows are on.
    Child,
    /// The parent of that link: its rows are those of the child, carried back and negated.
    Parent,
}

/// An end of a coupling.
#[derive(Clone, Debug)]
pub struct CouplingEnd<T: Lane = f64> {
    /// In: the rows of J on this end, about the block's own centre.
    pub rows: [Six<T>; MAX_LOOP_ROWS],
    pub(crate) place: u32,
    pub(crate) kind: EndKind,
    /// Index of its first row among all carried ones.
    pub(crate) at: u32,
}

impl<T: Lane> CouplingEnd<T> {
    /// Index of its node in elimination order.
    pub fn place(&self) -> usize {
        self.place as usize
    }
    /// What it is to the rank plan.
    pub fn kind(&self) -> EndKind {
        self.kind
    }
}

/// Rows between any number of blocks: a coupling that is eliminated like a loop closure.
#[derive(Clone, Debug)]
pub struct Coupling {
    /// The link that errors name.
    pub link: Link,
    /// Number of rows, at most [`MAX_LOOP_ROWS`].
    pub rows: usize,
    /// Blocks with their kinds, in the order of [`LoopClosure::ends`].
    pub ends: Vec<(Block, EndKind)>,
    /// Whether the rows change if all blocks move as one: they are then carried to the ground.
    pub is_absolute: bool,
}

/// A loop closure: a link that the spanning forest leaves out, or a coupling.
#[derive(Clone, Debug)]
pub struct LoopClosure<T: Lane = f64> {
    /// In: the rows of J on its two ends, each about that block's own centre; zero where the end is the
    /// ground.
    pub rows: [[Six<T>; MAX_LOOP_ROWS]; 2],
    /// The ends of a coupling; empty for a link, which has two.
    pub ends: Vec<CouplingEnd<T>>,
    /// In: c.
    pub bias: [T; MAX_LOOP_ROWS],
    /// Out: λ; zero for rows that the rank plan drops.
    pub answers: [T; MAX_LOOP_ROWS],
    /// In, for a solve: which biases are noise and are ignored at a nearly singular pose.
    pub noise: Option<Noise>,
    /// c and λ of the solution that is being refined.
    pub(crate) asked: [T; MAX_LOOP_ROWS],
    pub(crate) answered: [T; MAX_LOOP_ROWS],
    /// λ of both right-hand sides, kept rows only.
    pub(crate) found: [[T; MAX_LOOP_ROWS]; 2],
    /// The rows that the rank plan keeps, and their number.
    pub(crate) kept: [u8; MAX_LOOP_ROWS],
    pub(crate) kept_count: u8,
    pub(crate) count: u8,
    pub(crate) link: Link,
    pub(crate) places: [u32; 2],
    /// The rows of a coupling are carried to the ground.
    pub(crate) is_absolute: bool,
    /// Smallest remainder of a kept row and largest of a dropped one, relative to what formed them.
    pub(crate) remainders: (f64, f64),
}

impl<T: Lane> LoopClosure<T> {
    pub(crate) fn new(link: Link, places: [u32; 2], rows: usize) -> Self {
        LoopClosure {
            rows: [[Six::ZERO; MAX_LOOP_ROWS]; 2],
            ends: Vec::new(),
            bias: [T::ZERO; MAX_LOOP_ROWS],
            answers: [T::ZERO; MAX_LOOP_ROWS],
            noise: None,
            asked: [T::ZERO; MAX_LOOP_ROWS],
            answered: [T::ZERO; MAX_LOOP_ROWS],
            found: [[T::ZERO; MAX_LOOP_ROWS]; 2],
            kept: [0, 1, 2, 3, 4, 5],
            kept_count: rows as u8,
            count: rows as u8,
            link,
            places,
            is_absolute: false,
            remainders: (1.0, 0.0),
        }
    }
    /// A coupling; `place` gives the node of a block.
    pub(crate) fn coupling(coupling: &Coupling, place: impl Fn(Block) -> u32) -> Self {
        let end = |&(block, kind): &(Block, EndKind)| CouplingEnd {
            rows: [Six::ZERO; MAX_LOOP_ROWS],
            place: place(block),
            kind,
            at: NONE,
        };
        LoopClosure {
            ends: coupling.ends.iter().map(end).collect(),
            is_absolute: coupling.is_absolute,
            ..LoopClosure::new(coupling.link, [NONE; 2], coupling.rows)
        }
    }
    /// Nodes and rows of all ends, those of a link or those of a coupling.
    pub fn each_end(&self) -> impl Iterator<Item = (usize, &[Six<T>; MAX_LOOP_ROWS])> {
        let link = self.places.iter().zip(&self.rows).filter(|(place, _)| **place != NONE);
        let link = link.map(|(place, rows)| (*place as usize, rows));
        link.chain(self.ends.iter().map(|end| (end.place as usize, &end.rows)))
    }
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.count as usize
    }
    /// True if it has no rows.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// The link of the graph.
    pub fn link(&self) -> Link {
        self.link
    }
    /// Indices of the nodes of its two ends in elimination order; `None` is the ground.
    pub fn places(&self) -> [Option<usize>; 2] {
        self.places.map(|p| if p == NONE { None } else { Some(p as usize) })
    }
    /// Sets which rows are kept, one bit each: a decision of an earlier rank plan.
    pub fn keep(&mut self, mask: u8) {
        let mut count = 0;
        for r in 0..self.count {
            if mask & (1 << r) != 0 {
                self.kept[count] = r;
                count += 1;
            }
        }
        self.kept_count = count as u8;
    }
    /// The rows that are kept, one bit each.
    pub fn kept_mask(&self) -> u8 {
        self.kept().iter().fold(0, |mask, r| mask | 1 << r)
    }
    /// The rows that are kept; the others depend on them and on other loop closures.
    pub fn kept(&self) -> &[u8] {
        &self.kept[..self.kept_count as usize]
    }
    /// Smallest remainder of a kept row and largest of a dropped one, relative to the terms that formed them.
    pub fn remainders(&self) -> (f64, f64) {
        self.remainders
    }
}
