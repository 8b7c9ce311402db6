//! Hierarchical grids, one per power of two, in one hash table.
//!
//! An item whose longest edge is between 2^(l−1) and 2^l is stored in the cell of grid l that contains its
//! centre, so the centre of any item that it meets is at most half a cell outside its own box. Cells along x
//! are neighbours in the table too.

use crate::aabb::{Aabb, greater};
use cardan_solve::math::Vec3;
use std::cmp::Ordering;

const NONE: u32 = u32::MAX;

#[derive(Copy, Clone, Debug)]
struct Cell {
    level: i32,
    at: [i64; 3],
    /// First item of the cell; an unused slot has the level `FREE`.
    first: u32,
}

const FREE: i32 = i32::MAX;
const UNUSED: Cell = Cell { level: FREE, at: [0; 3], first: NONE };

#[derive(Copy, Clone, Debug)]
struct GridEntry {
    level: i32,
    at: [i64; 3],
    slot: u32,
    next: u32,
    previous: u32,
}

const NO_ENTRY: GridEntry = GridEntry { level: FREE, at: [0; 3], slot: NONE, next: NONE, previous: NONE };

/// One grid: number of items, and of those that have not moved.
#[derive(Copy, Clone, Debug)]
struct GridLevel {
    level: i32,
    count: usize,
    unmoved: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    /// A power of two of slots, with linear probing.
    cells: Vec<Cell>,
    used: usize,
    entries: Vec<GridEntry>,
    levels: Vec<GridLevel>,
    count: usize,
}

impl Grid {
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Stores an item in the cell of its box.
    pub(super) fn place(&mut self, id: u32, boxes: &[Aabb]) {
        let i = id as usize;
        if self.entries.len() <= i {
            self.entries.resize(i + 1, NO_ENTRY);
        }
        let b = &boxes[i];
        let level = level_of(b);
        let at = cell_of(b.center(), level);
        let was = self.entries[i];
        if was.slot != NONE && was.level == level && was.at == at {
            return;
        }
        self.remove(id);
        self.count += 1;
        match self.levels.iter_mut().find(|l| l.level == level) {
            Some(l) => l.count += 1,
            None => {
                self.levels.push(GridLevel { level, count: 1, unmoved: 0 });
                self.levels.sort_unstable_by_key(|l| l.level);
            }
        }
        self.entries[i] = GridEntry { level, at, ..NO_ENTRY };
        if 2 * (self.used + 1) > self.cells.len() {
            self.rebuild();
        }
        self.link(id);
    }

    pub(super) fn remove(&mut self, id: u32) {
        let Some(&GridEntry { level, slot, next, previous, .. }) = self.entries.get(id as usize) else {
            return;
        };
        if slot == NONE {
            return;
        }
        if previous == NONE {
            self.cells[slot as usize].first = next;
        } else {
            self.entries[previous as usize].next = next;
        }
        if next != NONE {
            self.entries[next as usize].previous = previous;
        }
        self.entries[id as usize] = NO_ENTRY;
        self.count -= 1;
        if let Some(l) = self.levels.iter_mut().find(|l| l.level == level) {
            l.count -= 1;
        }
    }

    /// Removes empty cells, and reserves memory for twice as many items as there are.
    fn rebuild(&mut self) {
        let mut size = 64;
        while size < 4 * (self.count + 1) {
            size *= 2;
        }
        if size < self.cells.len() {
            size = self.cells.len();
        }
        self.cells.clear();
        self.cells.resize(size, UNUSED);
        self.used = 0;
        for id in 0..self.entries.len() {
            // The item that is being placed has no slot yet.
            if self.entries[id].slot != NONE {
                self.link(id as u32);
            }
        }
    }

    /// Adds an item to the list of its cell.
    fn link(&mut self, id: u32) {
        let GridEntry { level, at, .. } = self.entries[id as usize];
        let slot = self.find(level, at);
        let cell = &mut self.cells[slot];
        if cell.level == FREE {
            *cell = Cell { level, at, first: NONE };
            self.used += 1;
        }
        let next = cell.first;
        cell.first = id;
        if next != NONE {
            self.entries[next as usize].previous = id;
        }
        self.entries[id as usize] = GridEntry { level, at, slot: slot as u32, next, previous: NONE };
    }

    /// The slot of a cell, or the free one where it would be. The table is never full.
    #[inline]
    fn find(&self, level: i32, at: [i64; 3]) -> usize {
        let mask = self.cells.len() - 1;
        let row = (at[1] as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add((at[2] as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
            .wrapping_add((level as u64).wrapping_mul(0x1656_67b1_9e37_79f9));
        let row = (row ^ (row >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mut slot = ((row >> 32).wrapping_add(at[0] as u64)) as usize & mask;
        loop {
            let cell = &self.cells[slot];
            if cell.level == FREE || (cell.level == level && cell.at == at) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Counts the items of each grid that have not moved.
    pub(super) fn count_unmoved(&mut self, moved: impl Fn(u32) -> bool, items: usize) {
        for l in &mut self.levels {
            l.unmoved = l.count;
        }
        for id in 0..items.min(self.entries.len()) {
            let place = &self.entries[id];
            if place.slot != NONE
                && moved(id as u32)
                && let Some(l) = self.levels.iter_mut().find(|l| l.level == place.level)
            {
                l.unmoved -= 1;
            }
        }
    }

    /// Calls `visit` with every item that may meet item `id`, which has the box `b`, and with how their grids
    /// compare: all of its own grid and of coarser ones, of finer ones at least those that have not moved.
    /// Returns the number of cells and of items visited.
    pub(super) fn for_each_around(
        &self,
        id: u32,
        b: &Aabb,
        mut visit: impl FnMut(u32, Ordering),
    ) -> (usize, usize) {
        let (mut cells, mut items) = (0, 0);
        let own = self.entries[id as usize].level;
        for l in self.levels.iter().filter(|l| l.count > 0) {
            let above = l.level.cmp(&own);
            if above.is_lt() && l.unmoved == 0 {
                continue;
            }
            let reach = 0.5 * power(l.level);
            let grown = b.grown(reach);
            let (low, high) = (cell_of(grown.min, l.level), cell_of(grown.max, l.level));
            let mut number = 1.0;
            for k in 0..3 {
                number *= high[k] as f64 - low[k] as f64 + 1.0;
            }
            if number > l.count as f64 + 27.0 {
                // More cells than items: visit all items instead.
                for (j, place) in self.entries.iter().enumerate() {
                    if place.slot != NONE && place.level == l.level {
                        visit(j as u32, above);
                    }
                }
                items += l.count;
                continue;
            }
            for z in low[2]..=high[2] {
                for y in low[1]..=high[1] {
                    for x in low[0]..=high[0] {
                        cells += 1;
                        let mut j = self.cells[self.find(l.level, [x, y, z])].first;
                        while j != NONE {
                            items += 1;
                            visit(j, above);
                            j = self.entries[j as usize].next;
                        }
                    }
                }
            }
        }
        (cells, items)
    }
}

/// The grid of a box: the exponent of the first power of two above its longest edge.
fn level_of(b: &Aabb) -> i32 {
    let d = b.max - b.min;
    let edge = greater(greater(d.x, d.y), d.z);
    let exponent = (edge.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    // Sizes below a nanometre, and beyond any scene, need not be distinguished.
    (exponent + 1).clamp(-30, 900)
}

/// 2^l for the levels that there are.
fn power(level: i32) -> f64 {
    f64::from_bits(((level + 1023) as u64) << 52)
}

fn cell_of(p: Vec3, level: i32) -> [i64; 3] {
    let per = power(-level);
    let cell = |x: f64| {
        let scaled = x * per;
        let down = scaled as i64; // toward zero, and saturating
        if (down as f64) > scaled { down.saturating_sub(1) } else { down }
    };
    [cell(p.x), cell(p.y), cell(p.z)]
}
