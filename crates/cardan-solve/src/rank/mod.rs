//! Which rows of J are independent: geometry alone, never masses.
//!
//! Every rigid row is divided by the magnitude that formed it, and the blocks' columns are eliminated in the order of
//! least fill. At block c, with the rows stacked that touch it first (its own links', and what its children could not
//! answer), a Householder triangulation, largest remainder first, gives
//!
//! ```text
//! Q_cᵀ [ A_c  A_o ] = ⎡ R_c  R_o ⎤    accepted: as many as c has room for
//!                     ⎣  0    L  ⎦    handed on to the border o of c
//! ```
//!
//! Remainders up to 1e-9 are rounding. A row that c could answer only with a small pivot (below 1e-2 of what the row has on the
//! border) is handed on too, and with it the columns of c that it still touches: these *delayed* columns become columns
//! of the parent's front. So R_c⁻¹ R_o never grows beyond some hundred, however a mechanism stands; rows that depend on each
//! other at c alone and only in exactly closed poses are then no danger on the way of an integrator. Where rows L are zero, or more than the border has columns, they are triangulated on the
//! border at once, block by block as later fronts would do it, and what is left of them is redundant: combinations of rows that
//! vanish.
//!
//! # Why reflections, and not elimination with row pivots
//!
//! All combinations stay orthonormal. So the size of a remainder means the same after a thousand blocks as after one (the
//! distance of a combination of unit length from vanishing, which bounds a singular value of the scaled J from above), and rounding stays
//! at some 1e-16 without bounds that grow from block to block. With row pivots the combinations grow, and with bounds on
//! that growth everything far from the leaves looks like noise. Squares (J Jᵀ) would lose half of the digits. And Q is
//! worth having: λ = Q (λ', 0) is the multiplier of least norm, the vanishing combinations are an orthonormal basis of
//! null(Jᵀ), and Qᵀ c of theirs says whether redundant rows contradict each other.
//!
//! What is given up is that accepted and dropped rows are rows of the system: they are combinations. Where rows must be
//! named, [`Rank::refresh_circuits`] brings the basis of null(Jᵀ) to echelon form.
//!
//! # Compliant rows
//!
//! A row with E > 0 can always be answered: J x + E λ + c = 0 is a rigid row on one more unknown s of its own,
//!
//! ```text
//! J x + w s + c = 0,   (w²/E) s = w λ           w: the magnitude that formed the row
//! ```
//!
//! which is how it appears here: with a one in a column of its own. Its E is a matter of masses.

mod circuits;
mod reflect;

use std::ops::Range;
use std::sync::Arc;

use crate::error::{FactorError, SystemEntry};
use crate::fronts::Fronts;
use crate::graph::{Graph, Link, NONE, index_u32};
use crate::lane::Lane;
use crate::system::System;
use circuits::Circuits;
use reflect::{PivotRule, Reflectors, Window, triangulate};

/// Remainders up to this are rounding of the geometry.
pub const ROUNDING_OF_GEOMETRY: f64 = 1e-9;
/// Where rows are known to be independent, only remainders up to this are taken for rounding.
pub(crate) const LOST_PIVOT: f64 = 1e-12;
/// A pivot below this part of what its rows have on the border is left to a later front.
const DELAY: f64 = 1e-2;
/// Entries of a unit row up to this are as good as zero.
const NEGLIGIBLE: f64 = 1e-13;

/// Half as much again as was needed, or at least so much.
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
    /// Where each redundant combination vanished: the front.
    vanished_at: Vec<u32>,
    smallest_accepted: f64,
    largest_dropped: f64,
    /// Scratch: one front's rows, columns in order of pivots, a stack of values.
    front: Vec<T>,
    order: Vec<u32>,
    /// Whose the own columns of the front are; of columns delayed and not taken yet.
    ids: Vec<u32>,
    delayed: Vec<u32>,
    stacked: Vec<T>,
    scratch: Vec<T>,
    circuits: Circuits,
    is_roomy: bool,
}

/// What a decision made of a front.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct FrontRank {
    /// Stacked rows; own columns, with those of its compliant rows and those that children delayed.
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    /// Own columns that are left to the parent.
    pub(crate) delayed: u32,
    /// Rows accepted here; handed on; reflectors of rows that were triangulated on the border.
    pub(crate) rank: u32,
    pub(crate) handed: u32,
    border_rank: u32,
    /// Where its things start.
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

/// The accepted rows of one front, as they leave the triangulation.
pub(crate) struct AcceptedRows<'a, T> {
    /// Row-major, `part.rank` rows of this width: own columns that are eliminated here, the border's, delayed ones.
    pub(crate) rows: &'a [T],
    pub(crate) width: usize,
    /// The own columns in that order, delayed ones at the end: the block's, those of its compliant rows, those that its
    /// children delayed.
    pub(crate) order: &'a [u32],
    /// Per own column, the unknown; for a compliant row's the number of unknowns and the row.
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

    /// The same with another bound on remainders than 1e-9, for this decision only: which rows *would* be redundant if the
    /// geometry were right to so much.
    ///
    /// # Errors
    /// As [`decide`](Rank::decide).
    pub fn decide_within(&mut self, system: &System<T>, rounding: f64) -> Result<(), FactorError> {
        self.run(system, None, rounding, |_, _| Ok(()))
    }

    /// All rows less the redundant ones and those left out.
    pub fn rank(&self) -> usize {
        let idle = self.idle.iter().filter(|&&idle| idle).count();
        self.graph.rows() - idle - self.vanished_at.len()
    }

    /// Redundant combinations: the dimension of null(Jᵀ), compliant rows apart.
    pub fn redundant(&self) -> usize {
        self.vanished_at.len()
    }

    /// The smallest remainder that was accepted; infinite without rows. Far above 1e-9 where the rank is clear; between
    /// 1e-9 and 1e-5 the geometry is nearly redundant.
    pub fn smallest_accepted(&self) -> f64 {
        self.smallest_accepted
    }

    /// The largest remainder that was taken for rounding; at most 1e-9.
    pub fn largest_dropped(&self) -> f64 {
        self.largest_dropped
    }

    /// Works through the fronts; `each` sees the accepted rows of every front in turn. Rows that are `idle` are left out.
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
        // A pose with many zeros, at the start say, must not be the measure of what later ones need.
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

    /// The first time, room for poses that delay more than this one.
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

    /// What formed each row, and which rows are compliant.
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

    /// Fills `front` with the rows of the front's links and those its children handed on; returns how many.
    fn stack_rows(&mut self, system: &System<T>, at: usize) -> usize {
        let Rank { graph, fronts, formed, compliant, idle, parts, front, waiting, delayed, ids, .. } = self;
        let node = &fronts.fronts[at];
        // Own columns: the block's, those of compliant rows, those that the children delayed.
        ids.clear();
        if let Some(block) = node.block {
            ids.extend(graph.block_range(block).map(index_u32));
        }
        let dim = ids.len();
        let rows_of = |&link: &Link| graph.row_range(link).filter(|&row| !idle[row]);
        let mut own_rows = 0;
        for row in fronts.links_of(at).iter().flat_map(rows_of) {
            own_rows += 1;
            if compliant[row] {
                ids.push(index_u32(graph.unknowns() + row));
            }
        }
        let mut delayed_column = ids.len();
        let (mut taken, mut late) = (0, 0);
        for child in fronts.children(at) {
            taken += parts[child].handed as usize;
            late += parts[child].delayed as usize;
        }
        ids.extend(delayed.drain(delayed.len() - late..));
        let columns = ids.len();
        let (rows, width) = (own_rows + taken, columns + node.border_dim as usize);
        front.clear();
        front.resize(rows * width, T::ZERO);
        let (mut to, mut own_column) = (0, dim);
        for &link in fronts.links_of(at) {
            for (row, position) in graph.row_range(link).enumerate() {
                if idle[position] {
                    continue;
                }
                let out = &mut front[to * width..][..width];
                let scale = T::splat(formed[position]);
                for (end, block) in graph.ends(link).iter().enumerate() {
                    let Some(block) = *block else { continue };
                    let size = graph.block_dim(block);
                    let start = match fronts.end_column[graph.end_range(link).start + end] {
                        NONE => 0,
                        column => columns + column as usize,
                    };
                    let entries = &system.jac(link, end)[row * size..][..size];
                    let units = &system.units()[graph.block_range(block)];
                    for ((out, &entry), &unit) in out[start..].iter_mut().zip(entries).zip(units) {
                        *out += entry * T::splat(unit) / scale;
                    }
                }
                if compliant[position] {
                    out[own_column] = T::ONE;
                    own_column += 1;
                }
                to += 1;
            }
        }
        // What the children left is on top of the stack, the first child's lowest.
        let size = |child: usize| parts[child].handed as usize * parts[child].handed_width(fronts, child);
        let base = waiting.len() - fronts.children(at).map(size).sum::<usize>();
        let mut from = base;
        for child in fronts.children(at) {
            let (child_border, child_width) =
                (fronts.fronts[child].border_dim as usize, parts[child].handed_width(fronts, child));
            for _ in 0..parts[child].handed {
                let entries = &waiting[from..from + child_width];
                let out = &mut front[to * width..][..width];
                for (k, bordering) in fronts.border_of(child).iter().enumerate() {
                    let end =
                        fronts.border_of(child).get(k + 1).map_or(child_border, |next| next.column as usize);
                    let piece = &entries[bordering.column as usize..end];
                    let start = match bordering.in_parent {
                        NONE => 0,
                        column => columns + column as usize,
                    };
                    out[start..start + piece.len()].copy_from_slice(piece);
                }
                out[delayed_column..][..child_width - child_border].copy_from_slice(&entries[child_border..]);
                from += child_width;
                to += 1;
            }
            delayed_column += child_width - child_border;
        }
        waiting.truncate(base);
        rows
    }

    /// Triangulates the stacked rows, on the own columns and where it pays on the border.
    fn triangulate_front(&mut self, at: usize, rows: usize, rounding: f64) -> FrontRank {
        let border = self.fronts.fronts[at].border_dim as usize;
        let columns = self.ids.len();
        let width = columns + border;
        let before = self.parts.last().copied().unwrap_or_default();
        let mut part = FrontRank {
            rows: index_u32(rows),
            columns: index_u32(columns),
            reflectors: self.reflectors.len(),
            handed_at: before.handed_at + before.handed as usize,
            accepted_at: before.accepted_at + before.rank as usize,
            redundant_at: before.redundant_at + before.redundant(),
            ..FrontRank::default()
        };
        self.picks.clear();
        let window = Window { width, rows: 0..rows, cols: 0..columns };
        let found = triangulate(
            &mut self.front,
            &window,
            PivotRule { above: rounding, beside: DELAY, negligible: NEGLIGIBLE },
            &mut self.picks,
            &mut self.reflectors,
            &mut self.scratch,
        );
        let rank = self.picks.len();
        part.rank = index_u32(rank);
        self.note(&found, rounding);
        if found.is_zero_below {
            self.bring_pivots_forward(rank, width);
        } else {
            part.delayed = self.put_delayed_last(rank, rows, width);
        }
        let left = rows - rank;
        let beyond = border + part.delayed as usize;
        part.handed = index_u32(left);
        if left > beyond || self.some_row_vanished(rank..rows, width - beyond, width, rounding) {
            self.triangulate_border(at, rank..rows, width, part.delayed as usize, rounding);
            part.border_rank = index_u32(self.picks.len() - rank);
            part.handed = part.border_rank;
            self.vanished_at.extend(std::iter::repeat_n(index_u32(at), part.redundant()));
        }
        part
    }

    /// Triangulates rows on the border, block by block in the order of elimination: as its blocks would do it later. Rows
    /// that a child triangulated stay so.
    fn triangulate_border(
        &mut self,
        at: usize,
        rows: Range<usize>,
        width: usize,
        delayed: usize,
        rounding: f64,
    ) {
        let border = self.fronts.fronts[at].border_dim as usize;
        let first = self.picks.len();
        let fronts = Arc::clone(&self.fronts);
        let start = width - border - delayed;
        let starts = fronts.border_of(at).iter().map(|bordering| start + bordering.column as usize);
        let mut starts = starts.chain((delayed > 0).then_some(width - delayed)).peekable();
        while let Some(from) = starts.next() {
            let cols = from..starts.peek().copied().unwrap_or(width);
            let top = rows.start + self.picks.len() - first;
            let window = Window { width, rows: top..rows.end, cols };
            let found = triangulate(
                &mut self.front,
                &window,
                PivotRule { above: rounding, beside: 0.0, negligible: f64::INFINITY },
                &mut self.picks,
                &mut self.reflectors,
                &mut self.scratch,
            );
            self.note(&found, rounding);
        }
    }

    fn note(&mut self, found: &reflect::TriangulationReport, rounding: f64) {
        if found.smallest < self.smallest_accepted {
            self.smallest_accepted = found.smallest;
        }
        if found.largest_left > self.largest_dropped && found.largest_left <= rounding {
            self.largest_dropped = found.largest_left;
        }
    }

    fn some_row_vanished(&self, rows: Range<usize>, from: usize, width: usize, rounding: f64) -> bool {
        let square = rounding * rounding;
        rows.into_iter().any(|row| {
            let entries = &self.front[row * width + from..(row + 1) * width];
            entries.iter().map(|entry| entry.magnitude() * entry.magnitude()).sum::<f64>() <= square
        })
    }

    /// Exchanges own columns so that the pivots come first and the accepted rows are upper triangular. The other rows are
    /// zero there.
    fn bring_pivots_forward(&mut self, rank: usize, width: usize) {
        self.order.clear();
        self.order.extend(0..index_u32(self.ids.len()));
        for (place, &pick) in self.picks.iter().enumerate() {
            // `pick` may have been moved away by an earlier exchange.
            let Some(from) = self.order.iter().position(|&column| column == pick) else { continue };
            self.order.swap(place, from);
            for row in 0..rank {
                self.front.swap(row * width + place, row * width + from);
            }
        }
    }

    /// The same where the rows that are left touch own columns: these go behind the border. Returns how many they are.
    fn put_delayed_last(&mut self, rank: usize, rows: usize, width: usize) -> u32 {
        let Rank { order, picks, front, scratch, ids, .. } = self;
        let columns = ids.len();
        let is_touched =
            |column: u32| (rank..rows).any(|row| front[row * width + column as usize] != T::ZERO);
        let others = || (0..index_u32(columns)).filter(|column| !picks.contains(column));
        order.clear();
        order.extend_from_slice(picks);
        order.extend(others().filter(|&column| !is_touched(column)));
        let here = order.len();
        order.extend(others().filter(|&column| is_touched(column)));
        for row in front.chunks_exact_mut(width) {
            scratch.clear();
            scratch.extend(order[..here].iter().map(|&column| row[column as usize]));
            scratch.extend_from_slice(&row[columns..]);
            scratch.extend(order[here..].iter().map(|&column| row[column as usize]));
            row.copy_from_slice(scratch);
        }
        index_u32(columns - here)
    }

    /// Leaves the rows handed on, and the columns delayed, for the parent.
    fn hand_on(&mut self, part: FrontRank, width: usize) {
        let here = (part.columns - part.delayed) as usize;
        for row in part.rank as usize..(part.rank + part.handed) as usize {
            self.waiting.extend_from_slice(&self.front[row * width + here..(row + 1) * width]);
        }
        self.delayed.extend(self.order[here..].iter().map(|&column| self.ids[column as usize]));
    }

    /// Qᵀ of values per row, each divided by what formed its row: fills `accepted` and `redundant`.
    pub(crate) fn transform(&mut self, values: &[T]) {
        for at in 0..self.fronts.fronts.len() {
            let part = self.parts[at];
            self.stacked.clear();
            for &link in self.fronts.links_of(at) {
                for row in self.graph.row_range(link).filter(|&row| !self.idle[row]) {
                    self.stacked.push(values[row] / T::splat(self.formed[row]));
                }
            }
            for child in self.fronts.children(at) {
                let child = self.parts[child];
                self.stacked.extend_from_slice(&self.handed[child.handed_at..][..child.handed as usize]);
            }
            self.reflect(part, false);
            let (accepted, rest) = self.stacked.split_at(part.rank as usize);
            let (handed, redundant) = rest.split_at(part.handed as usize);
            self.accepted[part.accepted_at..][..accepted.len()].copy_from_slice(accepted);
            self.handed[part.handed_at..][..handed.len()].copy_from_slice(handed);
            self.redundant[part.redundant_at..][..redundant.len()].copy_from_slice(redundant);
        }
    }

    /// Q of `accepted` and `redundant`, divided by what formed each row: multipliers of the rows themselves.
    pub(crate) fn transform_back(&mut self, values: &mut [T]) {
        self.transform_back_below(self.fronts.fronts.len(), 0, values);
    }

    /// The same for fronts from `first` up to, not including, `end`; nothing is handed to these from above.
    fn transform_back_below(&mut self, end: usize, first: usize, values: &mut [T]) {
        for at in (first..end).rev() {
            let part = self.parts[at];
            self.stacked.clear();
            self.stacked.extend_from_slice(&self.accepted[part.accepted_at..][..part.rank as usize]);
            self.stacked.extend_from_slice(&self.handed[part.handed_at..][..part.handed as usize]);
            self.stacked.extend_from_slice(&self.redundant[part.redundant_at..][..part.redundant()]);
            self.reflect(part, true);
            let mut from = 0;
            for &link in self.fronts.links_of(at) {
                for row in self.graph.row_range(link) {
                    if self.idle[row] {
                        values[row] = T::ZERO;
                        continue;
                    }
                    values[row] = self.stacked[from] / T::splat(self.formed[row]);
                    from += 1;
                }
            }
            for child in self.fronts.children(at) {
                let child = self.parts[child];
                let count = child.handed as usize;
                self.handed[child.handed_at..][..count].copy_from_slice(&self.stacked[from..from + count]);
                from += count;
            }
        }
    }

    /// `stacked` ← Q_cᵀ `stacked`, or Q_c.
    fn reflect(&mut self, part: FrontRank, back: bool) {
        let all = part.reflectors..part.reflectors + (part.rank + part.border_rank) as usize;
        if back {
            all.rev().for_each(|k| self.reflectors.apply(k, &mut self.stacked));
        } else {
            all.for_each(|k| self.reflectors.apply(k, &mut self.stacked));
        }
    }

    /// Memory held, in bytes.
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
