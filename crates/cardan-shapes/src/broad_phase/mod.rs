//! Broad phase: which of many shapes are near each other.
//!
//! Every item has a bounding box enlarged by a skin. Until it leaves that box nothing is looked up, so most
//! steps cost one comparison per item. An item that has left gets a new box and is looked up in hierarchical
//! grids, one per power of two of size: it is in one cell of its own grid, and the centre of any item that it
//! meets is in one of the cells around. Half-spaces and infinite boxes are tested against all.
//!
//! The result of [`BroadPhase::pairs`] depends on the present boxes alone, not on their history: pairs whose
//! own boxes meet, in order.

mod grid;

use crate::aabb::Aabb;
use crate::pose::Pose;
use crate::shape::Shape;
use cardan_solve::math::Vec3;
use grid::Grid;

/// Bounds of a shape.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Bounds {
    /// An axis-aligned box.
    Box(Aabb),
    /// A half-space n·x ≤ offset.
    HalfSpace {
        /// Outward unit normal.
        normal: Vec3,
        /// Distance of the plane from the origin \[m\].
        offset: f64,
    },
}

impl Bounds {
    /// The bounds of a shape, enlarged by a margin \[m\].
    pub fn of(shape: &Shape, pose: &Pose, margin: f64) -> Self {
        match shape {
            Shape::Plane => {
                let normal = pose.rot.z;
                Bounds::HalfSpace { normal, offset: normal.dot(pose.pos) + margin }
            }
            _ => Bounds::Box(shape.aabb(pose).grown(margin)),
        }
    }

    /// True if the bounds have a point in common; two half-spaces are never compared.
    pub fn meets(&self, other: &Bounds) -> bool {
        match (self, other) {
            (Bounds::Box(a), Bounds::Box(b)) => a.meets(b),
            (Bounds::Box(b), Bounds::HalfSpace { normal, offset })
            | (Bounds::HalfSpace { normal, offset }, Bounds::Box(b)) => {
                let low = |k: usize| if normal[k] > 0.0 { b.min[k] } else { b.max[k] };
                // Zero times an infinite edge is zero here.
                let part = |k: usize| if normal[k] == 0.0 { 0.0 } else { normal[k] * low(k) };
                part(0) + part(1) + part(2) <= *offset
            }
            (Bounds::HalfSpace { .. }, Bounds::HalfSpace { .. }) => false,
        }
    }
}

/// Boxes with longer edges count as infinite.
const HUGE: f64 = 1e100;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum ItemState {
    /// Removed, or never added.
    Absent,
    /// In a grid.
    InGrid,
    /// In a grid, and its box has changed since the last query.
    Moved,
    /// Infinite.
    Unbounded,
}

#[derive(Clone, Debug)]
struct Item {
    bounds: Bounds,
    state: ItemState,
}

/// Work of the last query.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct BroadPhaseCounts {
    /// Number of items.
    pub items: usize,
    /// Items that had left their enlarged box.
    pub moved: usize,
    /// Cells that were visited.
    pub cells: usize,
    /// Boxes that were compared.
    pub compared: usize,
    /// Pairs returned.
    pub pairs: usize,
}

/// Pairs of items that are near each other, updated from step to step.
#[derive(Clone, Debug)]
pub struct BroadPhase {
    skin: f64,
    items: Vec<Item>,
    /// Boxes with the skin, by item.
    fat: Vec<Aabb>,
    grid: Grid,
    moved: Vec<u32>,
    unbounded: Vec<u32>,
    /// Pairs whose enlarged boxes meet, in order.
    overlapping: Vec<(u32, u32)>,
    new_pairs: Vec<(u32, u32)>,
    merged: Vec<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
    counts: BroadPhaseCounts,
}

impl BroadPhase {
    /// An empty broad phase; boxes are enlarged by this skin \[m\]. A wider skin means fewer queries and more
    /// pairs to compare; what items move in about ten steps is a good choice.
    pub fn new(skin: f64) -> Self {
        BroadPhase {
            skin: if skin > 0.0 && skin.is_finite() { skin } else { 0.0 },
            items: Vec::new(),
            fat: Vec::new(),
            grid: Grid::default(),
            moved: Vec::new(),
            unbounded: Vec::new(),
            overlapping: Vec::new(),
            new_pairs: Vec::new(),
            merged: Vec::new(),
            pairs: Vec::new(),
            counts: BroadPhaseCounts::default(),
        }
    }

    /// Sets the bounds of an item. Items are numbered by the caller, from zero and without large gaps. Bounds
    /// with NaN meet nothing.
    pub fn set(&mut self, id: u32, bounds: Bounds) {
        let i = id as usize;
        if self.items.len() <= i {
            let none = Item { bounds: Bounds::Box(Aabb::EMPTY), state: ItemState::Absent };
            self.items.resize(i + 1, none);
            self.fat.resize(i + 1, Aabb::EMPTY);
        }
        let finite = match bounds {
            Bounds::Box(b) if b.is_finite() && (b.max - b.min).reach() < HUGE => Some(b),
            _ => None,
        };
        self.items[i].bounds = bounds;
        match (finite, self.items[i].state) {
            (Some(b), ItemState::InGrid | ItemState::Moved) if self.fat[i].holds(&b) => {}
            (Some(b), state) => {
                if state == ItemState::Unbounded {
                    self.unbounded.retain(|&j| j != id);
                }
                if state != ItemState::Moved {
                    self.moved.push(id);
                }
                self.fat[i] = b.grown(self.skin);
                self.grid.place(id, &self.fat);
                self.items[i].state = ItemState::Moved;
            }
            (None, ItemState::Unbounded) => {}
            (None, _) => {
                self.remove(id);
                self.items[i].state = ItemState::Unbounded;
                self.unbounded.push(id);
            }
        }
    }

    /// Removes an item.
    pub fn remove(&mut self, id: u32) {
        let Some(item) = self.items.get_mut(id as usize) else { return };
        let was = item.state;
        item.state = ItemState::Absent;
        match was {
            ItemState::Unbounded => self.unbounded.retain(|&j| j != id),
            ItemState::InGrid | ItemState::Moved => {
                self.moved.retain(|&j| j != id);
                self.overlapping.retain(|&(i, j)| i != id && j != id);
                self.grid.remove(id);
            }
            ItemState::Absent => {}
        }
    }

    /// Pairs (i, j), i < j, whose bounds meet, in order; pairs for which `skip` returns true are left out.
    pub fn pairs(&mut self, mut skip: impl FnMut(u32, u32) -> bool) -> &[(u32, u32)] {
        self.refresh();
        self.pairs.clear();
        self.new_pairs.clear();
        for &i in &self.unbounded {
            let item = &self.items[i as usize];
            for (j, other) in self.items.iter().enumerate() {
                let j = j as u32;
                // A pair of infinite items occurs once.
                let once = other.state == ItemState::Unbounded && j <= i;
                if other.state != ItemState::Absent && !once && item.bounds.meets(&other.bounds) {
                    self.new_pairs.push((if i < j { i } else { j }, if i < j { j } else { i }));
                }
            }
        }
        self.counts.compared += self.unbounded.len() * self.items.len() + self.overlapping.len();
        self.new_pairs.sort_unstable();
        // Merges two ordered lists.
        let mut unbounded = self.new_pairs.iter().copied().peekable();
        for &(i, j) in &self.overlapping {
            while let Some(&p) = unbounded.peek().filter(|&&p| p < (i, j)) {
                unbounded.next();
                if !skip(p.0, p.1) {
                    self.pairs.push(p);
                }
            }
            if self.items[i as usize].bounds.meets(&self.items[j as usize].bounds) && !skip(i, j) {
                self.pairs.push((i, j));
            }
        }
        for (i, j) in unbounded {
            if !skip(i, j) {
                self.pairs.push((i, j));
            }
        }
        self.counts.pairs = self.pairs.len();
        &self.pairs
    }

    /// Work of the last call of [`pairs`](BroadPhase::pairs).
    pub fn counts(&self) -> BroadPhaseCounts {
        self.counts
    }

    /// Queries the items that have moved, and updates `overlapping`.
    fn refresh(&mut self) {
        let BroadPhase { items, fat, grid, moved, overlapping, new_pairs, merged, .. } = self;
        self.counts = BroadPhaseCounts {
            items: grid.count() + self.unbounded.len(),
            moved: moved.len(),
            ..Default::default()
        };
        if moved.is_empty() {
            return;
        }
        new_pairs.clear();
        let has_moved = |i: u32| items[i as usize].state == ItemState::Moved;
        grid.count_unmoved(has_moved, items.len());
        for &i in moved.iter() {
            let own_box = fat[i as usize];
            let (cells, compared) = grid.for_each_around(i, &own_box, |j, above| {
                // A pair of which both have moved is found once: by the smaller one, or by the lower index.
                let taken = if has_moved(j) {
                    above == std::cmp::Ordering::Greater || (above.is_eq() && i < j)
                } else {
                    i != j
                };
                if taken && own_box.meets(&fat[j as usize]) {
                    new_pairs.push(if i < j { (i, j) } else { (j, i) });
                }
            });
            self.counts.cells += cells;
            self.counts.compared += compared;
        }
        new_pairs.sort_unstable();
        merged.clear();
        let mut new = new_pairs.iter().copied().peekable();
        for &(i, j) in overlapping.iter().filter(|&&(i, j)| !has_moved(i) && !has_moved(j)) {
            while let Some(&p) = new.peek().filter(|&&p| p < (i, j)) {
                new.next();
                merged.push(p);
            }
            merged.push((i, j));
        }
        merged.extend(new);
        std::mem::swap(overlapping, merged);
        for i in moved.drain(..) {
            items[i as usize].state = ItemState::InGrid;
        }
    }
}
