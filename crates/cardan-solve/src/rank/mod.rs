//! Which rows of J are independent: decided by geometry alone, never by masses.
//!
//! Every rigid row is divided by the magnitude that formed it, and the blocks' columns are eliminated in an
//! order of least fill. At block c the rows are stacked whose first block it is (those of its own links, and
//! those that its children handed on). A Householder triangulation, largest remainder first, gives
//!
//! ```text
//! Q_cᵀ [ A_c  A_o ] = ⎡ R_c  R_o ⎤    accepted: at most the dimension of c
//!                     ⎣  0    L  ⎦    handed on to the border o of c
//! ```
//!
//! Remainders up to 1e-9 are rounding. A row with a small pivot at c (below 1e-2 of what the row has on the
//! border) is handed on too, and with it the columns of c where it is not zero: these *delayed* columns
//! become columns of the parent's front. So R_c⁻¹ R_o stays below some hundred in every pose; rows that
//! depend on each other at c alone, and only in exactly closed poses, then cause no large numbers during an
//! integration step. Where rows L are zero, or more than the border has columns, they are triangulated on the
//! border at once, block by block as later fronts would do it, and what is left of them is redundant:
//! combinations of rows that vanish.
//!
//! # Why reflections, and not elimination with row pivots
//!
//! All combinations stay orthonormal. So the size of a remainder means the same after a thousand blocks as
//! after one (the distance of a combination of unit length from vanishing, which bounds a singular value of
//! the scaled J from above), and rounding stays at some 1e-16 without bounds that grow from block to block.
//! With row pivots the combinations grow, and with bounds on that growth everything far from the leaves looks
//! like noise. Squares (J Jᵀ) would lose half of the digits. Q has further uses: λ = Q (λ', 0) is the
//! multiplier of least norm, the vanishing combinations are an orthonormal basis of null(Jᵀ), and their Qᵀ c
//! says whether redundant rows contradict each other.
//!
//! The price: accepted and dropped rows are combinations, not rows of the system. Where rows must be named,
//! [`Rank::refresh_circuits`] brings the basis of null(Jᵀ) to echelon form.
//!
//! # Compliant rows
//!
//! A row with E > 0 is always independent: J x + E λ + c = 0 is a rigid row on one more unknown s of its own,
//!
//! ```text
//! J x + w s + c = 0,   (w²/E) s = w λ           w: the magnitude that formed the row
//! ```
//!
//! which is how it appears here: with a one in a column of its own. Its E belongs to the masses.

mod circuits;
mod reflect;
mod transform;
mod triangulate;

use std::sync::Arc;

use crate::error::{FactorError, SystemEntry};
use crate::fronts::Fronts;
use crate::graph::Graph;
use crate::lane::Lane;
use crate::system::System;
use crate::tolerances::ROUNDING_OF_GEOMETRY;
use circuits::Circuits;
use reflect::Reflectors;

/// Reserves half as much again as was used, and at least `least`.
pub(crate) fn reserve<T>(values: &mut Vec<T>, least: usize) {
    let used = values.capacity();
    let wanted = (used + used / 2).max(least);
    values.reserve_exact(wanted.saturating_sub(values.len()));
}

/// Independent and redundant combinations of the rows of a system.
#[derive(Clone, Debug)]
pub struct Rank<T: Lane = f64> {
    graph: Arc<Graph>,
    pub(crate) fronts: Arc<Fronts>,
    /// Per row, the magnitude that formed it (one for a row of zeros), and whether it is compliant.
    formed: Vec<f64>,
    compliant: Vec<bool>,
    /// Rows that are left out.
    idle: Vec<bool>,
    pub(crate) parts: Vec<FrontRank>,
    /// Reflectors of all fronts.
    reflectors: Reflectors<T>,
    /// Pivot columns of one front, own then border.
    picks: Vec<u32>,
    /// Rows handed on and not taken yet; values of all rows handed on; accepted; redundant.
    waiting: Vec<T>,
    handed: Vec<T>,
    pub(crate) accepted: Vec<T>,
    redundant: Vec<T>,
    /// The front where each redundant combination vanished.
    vanished_at: Vec<u32>,
    smallest_accepted: f64,
    largest_dropped: f64,
    /// Scratch: one front's rows, columns in order of pivots, a stack of values.
    front: Vec<T>,
    order: Vec<u32>,
    /// Unknowns of the own columns of the front; of columns delayed and not taken yet.
    ids: Vec<u32>,
    delayed: Vec<u32>,
    stacked: Vec<T>,
    scratch: Vec<T>,
    circuits: Circuits,
    is_roomy: bool,
}

/// Result of a decision for a front.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct FrontRank {
    /// Stacked rows; own columns, with those of its compliant rows and those that children delayed.
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    /// Own columns that are delayed to the parent.
    pub(crate) delayed: u32,
    /// Rows accepted here; handed on; reflectors of rows that were triangulated on the border.
    pub(crate) rank: u32,
    pub(crate) handed: u32,
    border_rank: u32,
    /// Where its numbers start.
    reflectors: usize,
    handed_at: usize,
    pub(crate) accepted_at: usize,
    redundant_at: usize,
}

impl FrontRank {
    fn redundant(&self) -> usize {
        (self.rows - self.rank - self.handed) as usize
    }

    /// Columns of the rows handed on: the border's, then delayed ones.
    fn handed_width(&self, fronts: &Fronts, at: usize) -> usize {
        (fronts.fronts[at].border_dim + self.delayed) as usize
    }
}

/// The accepted rows of one front, after the triangulation.
pub(crate) struct AcceptedRows<'a, T> {
    /// Row-major, `part.rank` rows of this width: own columns that are eliminated here, the border's, delayed ones.
    pub(crate) rows: &'a [T],
    pub(crate) width: usize,
    /// The own columns in that order, delayed ones at the end: the block's, those of its compliant rows, those that its
    /// children delayed.
    pub(crate) order: &'a [u32],
    /// Per own column, the unknown; for that of a compliant row the number of unknowns plus the row.
    pub(crate) ids: &'a [u32],
    pub(crate) part: FrontRank,
}
impl<T: Lane> Rank<T> {
    /// Orders the graph and reserves memory.
    pub fn new(graph: &Arc<Graph>) -> Rank<T> {
        let fronts = Arc::new(Fronts::new(graph));
        let (rows, count) = (graph.rows(), fronts.fronts.len());
        Rank {
            graph: Arc::clone(graph),
            fronts,
            formed: vec![1.0; rows],
            compliant: vec![false; rows],
            idle: vec![false; rows],
            parts: Vec::with_capacity(count),
            reflectors: Reflectors::default(),
            picks: Vec::new(),
            waiting: Vec::new(),
            handed: Vec::new(),
            accepted: Vec::with_capacity(rows),
            redundant: Vec::new(),
            vanished_at: Vec::new(),
            smallest_accepted: 0.0,
            largest_dropped: 0.0,
            front: Vec::new(),
            order: Vec::new(),
            ids: Vec::new(),
            delayed: Vec::new(),
            stacked: Vec::new(),
            scratch: Vec::new(),
            circuits: Circuits::default(),
            is_roomy: false,
        }
    }

    /// The graph this was built for.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Decides which rows of J are independent; masses, forces and biases do not matter.
    ///
    /// # Errors
    /// When a number of a row is not finite or a compliance negative.
    pub fn decide(&mut self, system: &System<T>) -> Result<(), FactorError> {
        self.decide_within(system, ROUNDING_OF_GEOMETRY)
    }

    /// Decides with another bound on remainders than 1e-9, for this decision only: which rows *would* be
    /// redundant if the geometry were accurate to that bound.
    ///
    /// # Errors
    /// As [`decide`](Rank::decide).
    pub fn decide_within(&mut self, system: &System<T>, rounding: f64) -> Result<(), FactorError> {
        self.run(system, None, rounding, |_, _| Ok(()))
    }

    /// Number of independent rows: all but the redundant ones and those left out.
    pub fn rank(&self) -> usize {
        let idle = self.idle.iter().filter(|&&idle| idle).count();
        self.graph.rows() - idle - self.vanished_at.len()
    }

    /// Number of redundant combinations: the dimension of null(Jᵀ), without compliant rows.
    pub fn redundant(&self) -> usize {
        self.vanished_at.len()
    }

    /// The smallest remainder that was accepted; infinite without rows. Far above 1e-9 where the rank is clear; between
    /// 1e-9 and 1e-5 the geometry is nearly redundant.
    pub fn smallest_accepted(&self) -> f64 {
        self.smallest_accepted
    }

    /// Largest remainder that counted as rounding; at most 1e-9.
    pub fn largest_dropped(&self) -> f64 {
        self.largest_dropped
    }

    /// Decides front by front; `each` sees the accepted rows of every front in turn. Rows that are `idle` are
    /// left out.
    pub(crate) fn run(
        &mut self,
        system: &System<T>,
        idle: Option<&[bool]>,
        rounding: f64,
        mut each: impl FnMut(usize, &AcceptedRows<'_, T>) -> Result<(), FactorError>,
    ) -> Result<(), FactorError> {
        if !Arc::ptr_eq(&self.graph, system.graph()) && self.graph != *system.graph() {
            return Err(FactorError::OtherGraph);
        }
        match idle {
            Some(idle) => self.idle.copy_from_slice(idle),
            None => self.idle.fill(false),
        }
        self.weigh_rows(system)?;
        self.clear();
        for at in 0..self.fronts.fronts.len() {
            let rows = self.stack_rows(system, at);
            let part = self.triangulate_front(at, rows, rounding);
            self.parts.push(part);
            let width = (part.columns + self.fronts.fronts[at].border_dim) as usize;
            let rows = &self.front[..part.rank as usize * width];
            let accepted = AcceptedRows { rows, width, order: &self.order, ids: &self.ids, part };
            each(at, &accepted)?;
            self.hand_on(part, width);
        }
        let total = self.parts.last().map_or((0, 0, 0), |part| {
            (
                part.accepted_at + part.rank as usize,
                part.handed_at + part.handed as usize,
                part.redundant_at + part.redundant(),
            )
        });
        // Reserve a quarter more: a pose with many zeros, such as an initial one, needs less than later ones.
        let entries = |part: &FrontRank| {
            (0..part.rank + part.border_rank).map(|k| (part.rows - k) as usize).sum::<usize>()
        };
        let entries: usize = self.parts.iter().map(entries).sum();
        self.reflectors.make_room(entries + entries / 4);
        self.accepted.resize(total.0, T::ZERO);
        self.handed.resize(total.1, T::ZERO);
        self.redundant.resize(total.2, T::ZERO);
        self.circuits.stale();
        self.make_room();
        Ok(())
    }

    /// The first time, reserves memory for poses that delay more columns than this one.
    fn make_room(&mut self) {
        if self.is_roomy {
            return;
        }
        self.is_roomy = true;
        let widths = self.fronts.fronts.iter().map(|front| (front.dim + front.border_dim) as usize + 12);
        let least = widths.max().unwrap_or(0);
        for values in [&mut self.waiting, &mut self.front] {
            reserve(values, least * least);
        }
        for values in
            [&mut self.stacked, &mut self.scratch, &mut self.accepted, &mut self.handed, &mut self.redundant]
        {
            reserve(values, least);
        }
        for ids in [&mut self.picks, &mut self.order, &mut self.ids, &mut self.delayed, &mut self.vanished_at]
        {
            reserve(ids, least);
        }
    }

    fn clear(&mut self) {
        self.parts.clear();
        self.reflectors.clear();
        self.waiting.clear();
        self.delayed.clear();
        self.accepted.clear();
        self.handed.clear();
        self.redundant.clear();
        self.vanished_at.clear();
        self.smallest_accepted = f64::INFINITY;
        self.largest_dropped = 0.0;
    }

    /// Computes what formed each row, and which rows are compliant.
    fn weigh_rows(&mut self, system: &System<T>) -> Result<(), FactorError> {
        for link in self.graph.all_links() {
            for (row, at) in self.graph.row_range(link).enumerate() {
                let (formed, compliance) = (system.formed(link, row), system.compliance(link)[row]);
                if !formed.is_finite() || !compliance.magnitude().is_finite() {
                    return Err(FactorError::NotFinite { place: SystemEntry::Row(link, row) });
                }
                if compliance != compliance.abs() {
                    return Err(FactorError::NegativeCompliance { link, row });
                }
                self.formed[at] = if formed == 0.0 { 1.0 } else { formed };
                self.compliant[at] = compliance != T::ZERO;
            }
        }
        Ok(())
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let lanes = [
            &self.waiting,
            &self.handed,
            &self.accepted,
            &self.redundant,
            &self.front,
            &self.stacked,
            &self.scratch,
        ];
        lanes.into_iter().map(Vec::capacity).sum::<usize>() * size_of::<T>()
            + self.reflectors.bytes()
            + self.formed.capacity() * size_of::<f64>()
            + self.compliant.capacity()
            + self.idle.capacity()
            + self.parts.capacity() * size_of::<FrontRank>()
            + (self.picks.capacity() + self.ids.capacity() + self.delayed.capacity()) * size_of::<u32>()
            + (self.vanished_at.capacity() + self.order.capacity()) * size_of::<u32>()
            + self.fronts.bytes()
            + self.circuits.bytes()
    }
}
