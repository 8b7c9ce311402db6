//! Which rows of the loop closures are independent: decided by geometry alone, never by masses.
//!
//! ```text
//! K = L N        entries scaled by |L| |N|
//! ```
//!
//! L: rows of a loop closure, carried to a block by X alone. N: the freedoms of the link there. Rows and
//! columns are scaled by the magnitudes that formed the entries, never by the entries, so that a row which
//! cancels to noise stays noise. Where all links turn about one point, to rounding, arms are noise as well;
//! so the arm of a row counts as at least `lever`, a length of the model. Then the loops are eliminated in
//! the order of the symbolic plan, rows with the largest remainder first. A row is kept if more than the
//! tolerance (1e-9) of it is left; otherwise it depends on the others.

use super::ArticulatedForest;
use super::loops::{EndKind, LoopClosures, MAX_LOOP_ROWS};
use crate::graph::NONE;
use crate::math::{Six, Vec3, larger};

/// Most freedoms that a link can have.
pub const MAX_FREEDOMS: usize = 6;

/// The motion subspace of a link, as geometry.
#[derive(Copy, Clone, Debug)]
pub struct JointGeometry {
    /// From the parent's centre to the block's.
    pub shift: Vec3,
    /// Columns of N.
    pub columns: [Six; MAX_FREEDOMS],
    /// Number of columns.
    pub count: usize,
}

/// Scratch memory of the plan.
#[derive(Clone, Debug, Default)]
pub(super) struct RankScratch {
    /// K and |L| |N| of every carried row, six columns each.
    entries: Vec<[f64; MAX_FREEDOMS]>,
    sizes: Vec<[f64; MAX_FREEDOMS]>,
    /// Rows of couplings on the coordinates of a link, at the slot of its child; sizes of the linear and angular
    /// terms that formed the carried rows of couplings.
    own: Vec<Six>,
    formed: Vec<(f64, f64)>,
    /// Scale of every row of every loop closure, and of every column of every loop step.
    rows: Vec<[f64; MAX_LOOP_ROWS]>,
    columns: Vec<[f64; MAX_FREEDOMS]>,
    column_sums: Vec<[f64; MAX_FREEDOMS]>,
    /// Freedoms at every loop step.
    counts: Vec<usize>,
}

impl RankScratch {
    pub(super) fn bytes(&self) -> usize {
        (self.entries.capacity()
            + self.sizes.capacity()
            + self.rows.capacity()
            + self.columns.capacity()
            + self.column_sums.capacity())
            * size_of::<[f64; 6]>()
            + self.own.capacity() * size_of::<Six>()
            + self.formed.capacity() * size_of::<(f64, f64)>()
            + self.counts.capacity() * size_of::<usize>()
    }
}

/// Lengths of the linear and of the angular part: what forms a product, whichever way the axes lie. Formed
/// component by component, the product of vectors along different axes would be rounding, and would count as
/// much.
fn lengths(v: &Six) -> (f64, f64) {
    (v.lin.norm(), v.ang.norm())
}

impl ArticulatedForest {
    /// Decides which rows of the loop closures are kept, from their rows and from the freedoms of the tree
    /// links, which `fill` writes for a node. A row is kept if more than `tolerance` of it is left
    /// ([`RANK_TOLERANCE`](super::RANK_TOLERANCE) where the links are closed). Its arm counts as at least
    /// `lever`. Returns how many rows depend on others.
    ///
    /// Allocates the first time only.
    pub fn plan(
        &mut self,
        tolerance: f64,
        lever: f64,
        mut fill: impl FnMut(usize, &mut JointGeometry),
    ) -> usize {
        let ArticulatedForest { nodes, closures, rank_scratch, .. } = self;
        if closures.all.is_empty() {
            return 0;
        }
        closures.eliminate_legs(false);
        rank_scratch.entries.resize(closures.carried.len(), [0.0; MAX_FREEDOMS]);
        rank_scratch.sizes.resize(closures.carried.len(), [0.0; MAX_FREEDOMS]);
        rank_scratch.rows.resize(closures.all.len(), [1.0; MAX_LOOP_ROWS]);
        rank_scratch.columns.resize(closures.symbolic.loop_steps.len(), [1.0; MAX_FREEDOMS]);
        rank_scratch.column_sums.resize(closures.symbolic.loop_steps.len(), [0.0; MAX_FREEDOMS]);
        rank_scratch.counts.resize(closures.symbolic.loop_steps.len(), 0);
        closures.load_all_rows(rank_scratch);
        for (at, node) in nodes.iter().enumerate() {
            if node.loop_step != NONE {
                closures.measure(node.loop_step, lever, rank_scratch, |geometry| fill(at, geometry));
            }
        }
        closures.scale(rank_scratch);
        for loop_step in 0..closures.symbolic.loop_steps.len() {
            for m in closures.symbolic.loop_steps[loop_step].eliminations.clone() {
                closures.choose(m, tolerance);
            }
            closures.pass_geometry(loop_step, rank_scratch);
        }
        for m in closures.symbolic.on_ground.clone() {
            closures.choose(m, tolerance);
        }
        closures.all.iter().map(|c| c.len() - c.kept().len()).sum()
    }

    /// Copies the decision to another forest of the same graph.
    pub fn adopt_plan<T: crate::Lane>(&self, other: &mut ArticulatedForest<T>) {
        for (from, to) in self.closures.all.iter().zip(&mut other.closures.all) {
            (to.kept, to.kept_count) = (from.kept, from.kept_count);
        }
    }
}

impl LoopClosures<f64> {
    /// Puts all rows of every loop closure on the blocks of its ends.
    fn load_all_rows(&mut self, rank_scratch: &mut RankScratch) {
        for slot in &self.symbolic.slots {
            let closure = &self.all[slot.closure as usize];
            for r in 0..closure.len() {
                self.carried[slot.at as usize + r] =
                    slot.end.map_or(Six::ZERO, |end| closure.rows[end as usize][r]);
            }
        }
        if self.all.iter().all(|closure| closure.ends.is_empty()) {
            return;
        }
        let RankScratch { own, formed, .. } = rank_scratch;
        own.clear();
        own.resize(self.carried.len(), Six::ZERO);
        formed.clear();
        formed.resize(self.carried.len(), (0.0, 0.0));
        for closure in &self.all {
            for end in &closure.ends {
                for (at, row) in (end.at as usize..).zip(&end.rows[..closure.len()]) {
                    match end.kind {
                        EndKind::Block => {
                            self.carried[at] += *row;
                            let (lin, ang) = lengths(row);
                            formed[at] = (formed[at].0 + lin, formed[at].1 + ang);
                        }
                        EndKind::Child => own[at] += *row,
                        // Cancels what the child would pass on.
                        EndKind::Parent => {}
                    }
                }
            }
        }
    }

    /// K and |L| |N| at one loop step; the rows are carried on by X alone.
    ///
    /// A point rotates with its parent here. Links on a point leave rotations free, so this says nothing
    /// about motions; but only if a subtree moves with its root as one body do the two ends of a loop cancel
    /// where they meet.
    fn measure(
        &mut self,
        loop_step: u32,
        lever: f64,
        rank_scratch: &mut RankScratch,
        fill: impl FnOnce(&mut JointGeometry),
    ) {
        let Some(pass) = &self.symbolic.loop_steps[loop_step as usize].pass else { return };
        let mut geometry = JointGeometry { shift: Vec3::ZERO, columns: [Six::ZERO; MAX_FREEDOMS], count: 0 };
        fill(&mut geometry);
        rank_scratch.counts[loop_step as usize] = geometry.count;
        for m in self.symbolic.members(&pass.members) {
            let slot = &self.symbolic.slots[m.slot as usize];
            let is_coupling = !self.all[m.closure as usize].ends.is_empty();
            for r in 0..self.all[m.closure as usize].len() {
                let passed = self.carried[slot.at as usize + r];
                let (mut row, mut size) = (passed, lengths(&passed));
                if is_coupling {
                    // Rows that cancel to rounding count as what formed them.
                    let formed = rank_scratch.formed[slot.at as usize + r];
                    row += rank_scratch.own[slot.at as usize + r];
                    let (lin, ang) = lengths(&row);
                    size = (larger(lin, formed.0), larger(ang, formed.1));
                    if slot.above != NONE {
                        let above = self.symbolic.slots[slot.above as usize].at as usize;
                        let to = &mut rank_scratch.formed[above + r];
                        *to = (to.0 + formed.0, to.1 + formed.1 + geometry.shift.norm() * formed.0);
                    }
                }
                size.1 = larger(size.1, lever * size.0);
                for k in 0..geometry.count {
                    rank_scratch.entries[slot.at as usize + r][k] = row.dot(&geometry.columns[k]);
                    let (lin, ang) = lengths(&geometry.columns[k]);
                    rank_scratch.sizes[slot.at as usize + r][k] = size.0 * lin + size.1 * ang;
                }
                if slot.above != NONE {
                    let above = self.symbolic.slots[slot.above as usize].at as usize;
                    self.carried[above + r] += passed.carried_back(geometry.shift);
                }
            }
        }
    }

    /// Scales of rows and columns such that both have about unit length, measured by what formed the entries.
    fn scale(&self, rank_scratch: &mut RankScratch) {
        let RankScratch { sizes, rows, columns, column_sums, counts, .. } = rank_scratch;
        columns.fill([1.0; MAX_FREEDOMS]);
        let unit = |sum: f64| if sum > 0.0 { 1.0 / sum.sqrt() } else { 1.0 };
        for round in 0..3 {
            rows.fill([0.0; MAX_LOOP_ROWS]);
            self.each_row(|loop_step, closure, r, at| {
                for k in 0..counts[loop_step] {
                    let size = sizes[at][k] * columns[loop_step][k];
                    rows[closure][r] += size * size;
                }
            });
            rows.iter_mut().flatten().for_each(|x| *x = unit(*x));
            if round == 2 {
                break;
            }
            column_sums.fill([0.0; MAX_FREEDOMS]);
            self.each_row(|loop_step, closure, r, at| {
                for k in 0..counts[loop_step] {
                    let size = sizes[at][k] * columns[loop_step][k] * rows[closure][r];
                    column_sums[loop_step][k] += size * size;
                }
            });
            for (scale, sum) in columns.iter_mut().flatten().zip(column_sums.iter().flatten()) {
                *scale *= unit(*sum);
            }
        }
    }

    /// Visits every row at every loop step that it passes: loop step, loop closure, row, index among the
    /// carried rows.
    fn each_row(&self, mut visit: impl FnMut(usize, usize, usize, usize)) {
        for (s, loop_step) in self.symbolic.loop_steps.iter().enumerate() {
            let Some(pass) = &loop_step.pass else { continue };
            for m in self.symbolic.members(&pass.members) {
                let at = self.symbolic.slots[m.slot as usize].at as usize;
                for r in 0..self.all[m.closure as usize].len() {
                    visit(s, m.closure as usize, r, at + r);
                }
            }
        }
    }

    /// Gives the loop closures that pass a loop step its columns of K.
    fn pass_geometry(&mut self, loop_step: usize, rank_scratch: &RankScratch) {
        let Some(pass) = self.symbolic.loop_steps[loop_step].pass.clone() else { return };
        let count = rank_scratch.counts[loop_step];
        let rows = self.assign_rows(&pass.members, 0, true);
        let col = self.assemble(&pass.inputs, rows, count, true);
        for m in self.symbolic.members(&pass.members) {
            let at = self.symbolic.slots[m.slot as usize].at as usize;
            let first = self.first[m.closure as usize] as usize;
            for r in 0..self.all[m.closure as usize].len() {
                let out = &mut self.front.row_mut(first + r)[col..];
                for k in 0..count {
                    let scale = rank_scratch.rows[m.closure as usize][r] * rank_scratch.columns[loop_step][k];
                    out[k] = rank_scratch.entries[at + r][k] * scale;
                }
            }
        }
        self.front.lower(0, rows);
        self.store(pass.out, 0, rows, 0);
    }

    /// Keeps the independent rows of one loop closure, largest remainder first.
    fn choose(&mut self, elimination: u32, tolerance: f64) {
        let elimination = self.symbolic.eliminations[elimination as usize].clone();
        let pivot = elimination.pivot.closure as usize;
        let count = self.all[pivot].len();
        self.first[pivot] = 0;
        let rows = self.assign_rows(&elimination.others, count, true);
        self.assemble(&elimination.inputs, rows, 0, true);
        let mut order: [u8; MAX_LOOP_ROWS] = [0, 1, 2, 3, 4, 5];
        let (mut kept, mut smallest, mut largest) = (0, 1.0, 0.0);
        while kept < count {
            let mut best = (kept, -1.0);
            for r in kept..count {
                let left = self.front.remainder_squared(r, kept);
                if left > best.1 {
                    best = (r, left);
                }
            }
            let left = larger(best.1, 0.0).sqrt();
            if left.is_nan() || left <= tolerance {
                largest = left;
                break;
            }
            if left < smallest {
                smallest = left;
            }
            self.front.swap(kept, best.0);
            order.swap(kept, best.0);
            self.front.reflect(kept, kept);
            kept += 1;
        }
        for r in count..rows {
            let at = kept + r - count;
            if at < self.front.cols() {
                self.front.reflect(r, at);
            }
        }
        self.store(elimination.out, count, rows, kept);
        order[..kept].sort_unstable();
        let closure = &mut self.all[pivot];
        closure.kept = order;
        closure.kept_count = kept as u8;
        closure.remainders = (smallest, largest);
    }
}
