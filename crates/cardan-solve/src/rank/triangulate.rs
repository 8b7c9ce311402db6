//! One front of the rank decision: its rows are stacked, triangulated, and what is left is handed on to the parent.

use std::ops::Range;
use std::sync::Arc;

use super::reflect::{PivotRule, TriangulationReport, Window, triangulate};
use super::{FrontRank, Rank};
use crate::graph::{Link, NONE, index_u32};
use crate::lane::Lane;
use crate::system::System;

/// A pivot below this part of what its rows have on the border is delayed to a later front: R_c⁻¹ R_o then stays below some
/// hundred.
const DELAY: f64 = 1e-2;
/// Entries of a unit row up to this are zero: a thousand roundings.
const NEGLIGIBLE: f64 = 1e-13;

impl<T: Lane> Rank<T> {
    /// Fills `front` with the rows of the front's links and those its children handed on; returns their
    /// number.
    pub(super) fn stack_rows(&mut self, system: &System<T>, at: usize) -> usize {
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
        // The children's rows are on top of the stack, the first child's lowest.
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

    /// Triangulates the stacked rows on the own columns, and on the border where rows vanish or are too many.
    pub(super) fn triangulate_front(&mut self, at: usize, rows: usize, rounding: f64) -> FrontRank {
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

    /// Triangulates rows on the border, block by block in the order of elimination, as its blocks would do it
    /// later. Rows that a child triangulated stay triangular.
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

    fn note(&mut self, found: &TriangulationReport, rounding: f64) {
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
            // `pick` may have been moved by an earlier exchange.
            let Some(from) = self.order.iter().position(|&column| column == pick) else { continue };
            self.order.swap(place, from);
            for row in 0..rank {
                self.front.swap(row * width + place, row * width + from);
            }
        }
    }

    /// Moves own columns where the remaining rows are not zero behind the border; the pivots come first.
    /// Returns the number of these columns.
    fn put_delayed_last(&mut self, rank: usize, rows: usize, width: usize) -> u32 {
        let Rank { order, picks, front, scratch, ids, .. } = self;
        let columns = ids.len();
        let is_nonzero =
            |column: u32| (rank..rows).any(|row| front[row * width + column as usize] != T::ZERO);
        let others = || (0..index_u32(columns)).filter(|column| !picks.contains(column));
        order.clear();
        order.extend_from_slice(picks);
        order.extend(others().filter(|&column| !is_nonzero(column)));
        let here = order.len();
        order.extend(others().filter(|&column| is_nonzero(column)));
        for row in front.chunks_exact_mut(width) {
            scratch.clear();
            scratch.extend(order[..here].iter().map(|&column| row[column as usize]));
            scratch.extend_from_slice(&row[columns..]);
            scratch.extend(order[here..].iter().map(|&column| row[column as usize]));
            row.copy_from_slice(scratch);
        }
        index_u32(columns - here)
    }

    /// Pushes the rows handed on, and the columns delayed, for the parent.
    pub(super) fn hand_on(&mut self, part: FrontRank, width: usize) {
        let here = (part.columns - part.delayed) as usize;
        for row in part.rank as usize..(part.rank + part.handed) as usize {
            self.waiting.extend_from_slice(&self.front[row * width + here..(row + 1) * width]);
        }
        self.delayed.extend(self.order[here..].iter().map(|&column| self.ids[column as usize]));
    }
}
