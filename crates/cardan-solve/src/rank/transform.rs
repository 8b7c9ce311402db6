//! Q and Qᵀ of the rank decision applied to one value per row: right-hand sides, multipliers.

use super::{FrontRank, Rank};
use crate::lane::Lane;

impl<T: Lane> Rank<T> {
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

    /// [`transform_back`](Rank::transform_back) for fronts from `first` up to, not including, `end`; nothing
    /// is handed to these from above.
    pub(super) fn transform_back_below(&mut self, end: usize, first: usize, values: &mut [T]) {
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
}
