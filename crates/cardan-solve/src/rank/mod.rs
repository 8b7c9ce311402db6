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
//! Remainders up to 1e-9 are rounding. Where rows L are zero, or more than the border has columns, they are triangulated on the
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

use crate::error::{FactorError, Place};
use crate::fronts::Fronts;
use crate::graph::{Graph, Link, NONE, index_u32};
use crate::lane::Lane;
use crate::system::System;
use circuits::Circuits;
use reflect::{Pivots, Reflectors, Window, triangulate};

/// Remainders up to this are rounding of the geometry.
const ROUNDING_OF_GEOMETRY: f64 = 1e-9;
/// A pivot that a kept decision demands must be larger than this.
const LOST_PIVOT: f64 = 1e-12;

/// Independent and redundant combinations of the rows of a system.
#[derive(Clone, Debug)]
pub struct Rank<T: Lane = f64> {
    graph: Arc<Graph>,
    pub(crate) fronts: Arc<Fronts>,
    /// Per row, the magnitude that formed it (one for a row of zeros), and whether it is compliant.
    formed: Vec<f64>,
    compliant: Vec<bool>,
    pub(crate) parts: Vec<Part>,
    /// Reflectors of all fronts.
    reflectors: Reflectors<T>,
    /// Pivot columns of all fronts, own then border.
    picks: Vec<u32>,
    /// The last decision, while it is followed.
    old_parts: Vec<Part>,
    old_picks: Vec<u32>,
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
    stacked: Vec<T>,
    scratch: Vec<T>,
    circuits: Circuits,
    decided: bool,
    /// Remainders up to this are taken for rounding.
    rounding: f64,
}

/// What a decision made of a front.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Part {
    /// Stacked rows; own columns, compliant ones of its rows included.
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    /// Rows accepted here; handed on; rows that were triangulated on the border, or [`NONE`] if they were not.
    pub(crate) rank: u32,
    pub(crate) handed: u32,
    border_rank: u32,
    /// Where its things start.
    reflectors: usize,
    picks: usize,
    handed_at: usize,
    pub(crate) accepted_at: usize,
    redundant_at: usize,
}

impl Part {
    fn redundant(&self) -> usize {
        (self.rows - self.rank - self.handed) as usize
    }
}

/// The accepted rows of one front, as they leave the triangulation.
pub(crate) struct Accepted<'a, T> {
    /// Row-major, `part.rank` rows of this width: own columns in the order of `order`, then the border's.
    pub(crate) rows: &'a [T],
    pub(crate) width: usize,
    /// Which own column stands at each place; columns from the block's dimension on are those of compliant rows.
    pub(crate) order: &'a [u32],
    pub(crate) part: Part,
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
            parts: Vec::with_capacity(count),
            reflectors: Reflectors::default(),
            picks: Vec::with_capacity(rows),
            old_parts: Vec::with_capacity(count),
            old_picks: Vec::with_capacity(rows),
            waiting: Vec::new(),
            handed: Vec::new(),
            accepted: Vec::with_capacity(rows),
            redundant: Vec::new(),
            vanished_at: Vec::new(),
            smallest_accepted: 0.0,
            largest_dropped: 0.0,
            front: Vec::new(),
            order: Vec::new(),
            stacked: Vec::new(),
            scratch: Vec::new(),
            circuits: Circuits::default(),
            decided: false,
            rounding: ROUNDING_OF_GEOMETRY,
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
        self.run(system, false, |_, _| Ok(()))
    }

    /// The same with another bound on remainders than 1e-9, for this decision only: which rows *would* be redundant if the
    /// geometry were right to so much.
    ///
    /// # Errors
    /// As [`decide`](Rank::decide).
    pub fn decide_within(&mut self, system: &System<T>, rounding: f64) -> Result<(), FactorError> {
        self.rounding = rounding;
        let outcome = self.decide(system);
        self.rounding = ROUNDING_OF_GEOMETRY;
        outcome
    }

    /// All rows less the redundant ones.
    pub fn rank(&self) -> usize {
        self.graph.rows() - self.vanished_at.len()
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

    /// Works through the fronts; `each` sees the accepted rows of every front in turn.
    pub(crate) fn run(
        &mut self,
        system: &System<T>,
        keep: bool,
        mut each: impl FnMut(usize, &Accepted<'_, T>) -> Result<(), FactorError>,
    ) -> Result<(), FactorError> {
        let keep = keep && self.decided;
        self.decided = false;
        if !Arc::ptr_eq(&self.graph, system.graph()) && self.graph != *system.graph() {
            return Err(FactorError::OtherGraph);
        }
        self.weigh_rows(system)?;
        std::mem::swap(&mut self.parts, &mut self.old_parts);
        std::mem::swap(&mut self.picks, &mut self.old_picks);
        self.clear();
        for at in 0..self.fronts.fronts.len() {
            self.stack_rows(system, at);
            let part = self.triangulate_front(at, keep)?;
            self.parts.push(part);
            let width = (part.columns + self.fronts.fronts[at].border_dim) as usize;
            let accepted =
                Accepted { rows: &self.front[..part.rank as usize * width], width, order: &self.order, part };
            each(at, &accepted)?;
            self.hand_on(at, part, width);
        }
        let total = self.parts.last().map_or((0, 0, 0), |part| {
            (
                part.accepted_at + part.rank as usize,
                part.handed_at + part.handed as usize,
                part.redundant_at + part.redundant(),
            )
        });
        // A pose with many zeros, at the start say, must not be the measure of what later ones need.
        let entries = |part: &Part| {
            let reflectors = part.rank + if part.border_rank == NONE { 0 } else { part.border_rank };
            (0..reflectors).map(|k| (part.rows - k) as usize).sum::<usize>()
        };
        self.reflectors.make_room(self.parts.iter().map(entries).sum());
        self.accepted.resize(total.0, T::ZERO);
        self.handed.resize(total.1, T::ZERO);
        self.redundant.resize(total.2, T::ZERO);
        self.circuits.stale();
        self.decided = true;
        Ok(())
    }

    fn clear(&mut self) {
        self.parts.clear();
        self.picks.clear();
        self.reflectors.clear();
        self.waiting.clear();
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
                    return Err(FactorError::NotFinite { place: Place::Row(link, row) });
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

    /// Fills `front` with the rows of the front's links and those its children handed on, and pushes its part.
    fn stack_rows(&mut self, system: &System<T>, at: usize) {
        let Rank { graph, fronts, formed, compliant, parts, front, waiting, order, .. } = self;
        let node = &fronts.fronts[at];
        let rows_of = |link: Link| graph.row_range(link);
        let extra =
            fronts.links_of(at).iter().flat_map(|&link| rows_of(link)).filter(|&row| compliant[row]).count();
        let taken: usize = fronts.children(at).map(|child| parts[child].handed as usize).sum();
        let dim = node.dim as usize;
        let columns = dim + extra;
        let (rows, width) = (node.rows as usize + taken, columns + node.border_dim as usize);
        front.clear();
        front.resize(rows * width, T::ZERO);
        let (mut to, mut own_column) = (0, dim);
        for &link in fronts.links_of(at) {
            for (row, position) in graph.row_range(link).enumerate() {
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
                    for (out, &entry) in out[start..].iter_mut().zip(entries) {
                        *out += entry / scale;
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
        let size = |child: usize| parts[child].handed as usize * fronts.fronts[child].border_dim as usize;
        let base = waiting.len() - fronts.children(at).map(size).sum::<usize>();
        let mut from = base;
        for child in fronts.children(at) {
            let child_width = fronts.fronts[child].border_dim as usize;
            for _ in 0..parts[child].handed {
                let entries = &waiting[from..from + child_width];
                let out = &mut front[to * width..][..width];
                for (k, bordering) in fronts.border_of(child).iter().enumerate() {
                    let end =
                        fronts.border_of(child).get(k + 1).map_or(child_width, |next| next.column as usize);
                    let piece = &entries[bordering.column as usize..end];
                    let start = match bordering.in_parent {
                        NONE => 0,
                        column => columns + column as usize,
                    };
                    out[start..start + piece.len()].copy_from_slice(piece);
                }
                from += child_width;
                to += 1;
            }
        }
        waiting.truncate(base);
        order.clear();
        order.extend(0..index_u32(columns));
    }

    /// Triangulates the stacked rows, on the own columns and where it pays on the border.
    fn triangulate_front(&mut self, at: usize, keep: bool) -> Result<Part, FactorError> {
        let border = self.fronts.fronts[at].border_dim as usize;
        let columns = self.order.len();
        let width = columns + border;
        let rows = self.front.len().checked_div(width).unwrap_or_else(|| self.rows_without_columns(at));
        let before = self.parts.last().copied().unwrap_or_default();
        let mut part = Part {
            rows: index_u32(rows),
            columns: index_u32(columns),
            border_rank: NONE,
            reflectors: self.reflectors.len(),
            picks: self.picks.len(),
            handed_at: before.handed_at + before.handed as usize,
            accepted_at: before.accepted_at + before.rank as usize,
            redundant_at: before.redundant_at + before.redundant(),
            ..Part::default()
        };
        let old = if keep { self.old_parts.get(at).copied() } else { None };
        // Rows that have become compliant, or rigid, are another problem.
        let old = old.filter(|old| (old.rows, old.columns) == (part.rows, part.columns));
        let fixed = |old: &Part, from: u32, count: u32| {
            old.picks + from as usize..old.picks + (from + count) as usize
        };

        let window = Window { width, rows: 0..rows, cols: 0..columns };
        let pivots = match &old {
            Some(old) => Pivots::Fixed(&self.old_picks[fixed(old, 0, old.rank)], LOST_PIVOT),
            None => Pivots::Above(self.rounding),
        };
        // Combinations have no name; the last link that joined in is near.
        let near = self.fronts.links[..self.fronts.fronts[at].links.end as usize].last();
        let lost = FactorError::Vanished { link: near.copied().unwrap_or(Link(0)), row: 0 };
        let found = triangulate(
            &mut self.front,
            &window,
            pivots,
            &mut self.picks,
            &mut self.reflectors,
            &mut self.scratch,
        )
        .map_err(|()| lost)?;
        let rank = self.picks.len() - part.picks;
        part.rank = index_u32(rank);
        self.note(found);

        let left = rows - rank;
        let triangulate_border = match &old {
            Some(old) => old.border_rank != NONE,
            None => left > border || self.some_row_vanished(rank..rows, columns, width),
        };
        part.handed = index_u32(left);
        if triangulate_border {
            let picks = old.map_or(0..0, |old| fixed(&old, old.rank, old.border_rank));
            self.triangulate_border(at, rank..rows, width, old.map(|_| picks)).map_err(|()| lost)?;
            part.border_rank = index_u32(self.picks.len() - part.picks - rank);
            part.handed = part.border_rank;
            self.vanished_at.extend(std::iter::repeat_n(index_u32(at), part.redundant()));
        }
        self.bring_pivots_forward(part, width);
        Ok(part)
    }

    /// Triangulates rows on the border, block by block in the order of elimination: as its blocks would do it later. Rows
    /// that a child triangulated stay so.
    fn triangulate_border(
        &mut self,
        at: usize,
        rows: Range<usize>,
        width: usize,
        kept: Option<Range<usize>>,
    ) -> Result<(), ()> {
        let border = self.fronts.fronts[at].border_dim as usize;
        let first = self.picks.len();
        let mut kept = kept;
        let fronts = Arc::clone(&self.fronts);
        for (k, bordering) in fronts.border_of(at).iter().enumerate() {
            let end = fronts.border_of(at).get(k + 1).map_or(border, |next| next.column as usize);
            let top = rows.start + self.picks.len() - first;
            let cols = width - border + bordering.column as usize..width - border + end;
            let pivots = match &mut kept {
                Some(picks) => {
                    let here = self.old_picks[picks.clone()].iter();
                    let count = here.take_while(|&&pick| (pick as usize) < cols.end).count();
                    let pivots = &self.old_picks[picks.start..picks.start + count];
                    picks.start += count;
                    Pivots::Fixed(pivots, LOST_PIVOT)
                }
                None => Pivots::Above(self.rounding),
            };
            let window = Window { width, rows: top..rows.end, cols };
            let found = triangulate(
                &mut self.front,
                &window,
                pivots,
                &mut self.picks,
                &mut self.reflectors,
                &mut self.scratch,
            )?;
            self.note(found);
        }
        Ok(())
    }

    /// A front without any column still has rows, all of them redundant.
    fn rows_without_columns(&self, at: usize) -> usize {
        let taken: u32 = self.fronts.children(at).map(|child| self.parts[child].handed).sum();
        (self.fronts.fronts[at].rows + taken) as usize
    }

    fn note(&mut self, found: reflect::Found) {
        if found.smallest < self.smallest_accepted {
            self.smallest_accepted = found.smallest;
        }
        if found.largest_left > self.largest_dropped {
            self.largest_dropped = found.largest_left;
        }
    }

    fn some_row_vanished(&self, rows: Range<usize>, from: usize, width: usize) -> bool {
        let square = self.rounding * self.rounding;
        rows.into_iter().any(|row| {
            let entries = &self.front[row * width + from..(row + 1) * width];
            entries.iter().map(|entry| entry.magnitude() * entry.magnitude()).sum::<f64>() <= square
        })
    }

    /// Exchanges own columns so that the pivots come first and the accepted rows are upper triangular.
    fn bring_pivots_forward(&mut self, part: Part, width: usize) {
        let picks = &self.picks[part.picks..][..part.rank as usize];
        for (place, &pick) in picks.iter().enumerate() {
            // `pick` may have been moved away by an earlier exchange.
            let Some(from) = self.order.iter().position(|&column| column == pick) else { continue };
            self.order.swap(place, from);
            for row in 0..part.rank as usize {
                self.front.swap(row * width + place, row * width + from);
            }
        }
    }

    /// Leaves the rows handed on for the parent.
    fn hand_on(&mut self, at: usize, part: Part, width: usize) {
        let border = self.fronts.fronts[at].border_dim as usize;
        for row in part.rank as usize..(part.rank + part.handed) as usize {
            self.waiting.extend_from_slice(&self.front[(row + 1) * width - border..(row + 1) * width]);
        }
    }

    /// Qᵀ of values per row, each divided by what formed its row: fills `accepted` and `redundant`.
    pub(crate) fn transform(&mut self, values: &[T]) {
        for at in 0..self.fronts.fronts.len() {
            let part = self.parts[at];
            self.stacked.clear();
            for &link in self.fronts.links_of(at) {
                for row in self.graph.row_range(link) {
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
    fn reflect(&mut self, part: Part, back: bool) {
        let border = if part.border_rank == NONE { 0 } else { part.border_rank };
        let all = part.reflectors..part.reflectors + (part.rank + border) as usize;
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
            + (self.parts.capacity() + self.old_parts.capacity()) * size_of::<Part>()
            + (self.picks.capacity() + self.old_picks.capacity()) * size_of::<u32>()
            + (self.vanished_at.capacity() + self.order.capacity()) * size_of::<u32>()
            + self.fronts.bytes()
            + self.circuits.bytes()
    }
}
