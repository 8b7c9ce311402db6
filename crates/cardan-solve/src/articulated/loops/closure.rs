//! One loop-closure link: its rows and biases, which of its rows are independent, and its multipliers.

use crate::graph::{Link, NONE};
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

/// A loop closure: a link that the spanning forest leaves out.
#[derive(Clone, Debug)]
pub struct LoopClosure<T: Lane = f64> {
    /// In: the rows of J on its two ends, each about that block's own centre; zero where the end is the
    /// ground.
    pub rows: [[Six<T>; MAX_LOOP_ROWS]; 2],
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
    /// Smallest remainder of a kept row and largest of a dropped one, relative to what formed them.
    pub(crate) remainders: (f64, f64),
}

impl<T: Lane> LoopClosure<T> {
    pub(crate) fn new(link: Link, places: [u32; 2], rows: usize) -> Self {
        LoopClosure {
            rows: [[Six::ZERO; MAX_LOOP_ROWS]; 2],
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
            remainders: (1.0, 0.0),
        }
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
