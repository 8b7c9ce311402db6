//! Which of many shapes are near each other.
//!
//! Every item has a box that is larger than what it needs by a skin. Until it leaves that box nothing has to be looked up, so most steps cost
//! a comparison per item. An item that has left gets a new box and is looked up in grids, one per power of two of size: it
//! lies in one cell of its own grid, and whoever meets it has its middle in one of the cells around. Half-spaces and everything that is
//! infinite are tested against all.
//!
//! What [`Broad::pairs`] gives depends on the boxes alone, not on how they came about: pairs whose own boxes meet, in order.

mod grid;

use crate::aabb::Aabb;
use crate::pose::Pose;
use crate::shape::Shape;
use cardan_solve::math::Vec3;
use grid::Grid;

/// What a shape is known by here.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Bounds {
    /// It lies in a box.
    Box(Aabb),
    /// It is everything below a plane: n·x ≤ offset.
    HalfSpace {
        /// Unit vector out of it.
        normal: Vec3,
        /// How far the plane is from the origin.
        offset: f64,
    },
}

impl Bounds {
    /// The bounds of a shape, grown by a margin.
    pub fn of(shape: &Shape, pose: &Pose, margin: f64) -> Self {
        match shape {
            Shape::Plane => {
                let normal = pose.rot.z;
                Bounds::HalfSpace { normal, offset: normal.dot(pose.pos) + margin }
            }
            _ => Bounds::Box(shape.aabb(pose).grown(margin)),
        }
    }

    /// True if they have a point in common; two half-spaces are never compared.
    pub fn meets(&self, other: &Bounds) -> bool {
        match (self, other) {
            (Bounds::Box(a), Bounds::Box(b)) => a.meets(b),
            (Bounds::Box(b), Bounds::HalfSpace { normal, offset })
            | (Bounds::HalfSpace { normal, offset }, Bounds::Box(b)) => {
                let low = |k: usize| if normal[k] > 0.0 { b.min[k] } else { b.max[k] };
                // Zero times an infinite edge is nothing.
                let part = |k: usize| if normal[k] == 0.0 { 0.0 } else { normal[k] * low(k) };
                part(0) + part(1) + part(2) <= *offset
            }
            (Bounds::HalfSpace { .. }, Bounds::HalfSpace { .. }) => false,
        }
    }
}

/// Boxes with longer edges have no end.
const HUGE: f64 = 1e100;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum State {
    /// Not there.
    Absent,
    /// In a grid.
    Inside,
    /// In a grid, and its box has changed since the last look.
    Moved,
    /// Infinite.
    Apart,
}

#[derive(Clone, Debug)]
struct Item {
    bounds: Bounds,
    state: State,
}

/// What the last look cost.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct BroadCounts {
    /// Items that are there.
    pub items: usize,
    /// Items that had left their box.
    pub moved: usize,
    /// Cells that were looked into.
    pub cells: usize,
    /// Boxes that were compared.
    pub compared: usize,
    /// Pairs given.
    pub pairs: usize,
}

/// Pairs of items that are near each other, kept from step to step.
#[derive(Clone, Debug)]
pub struct Broad {
    skin: f64,
    items: Vec<Item>,
    /// Boxes with the skin, by item.
    loose: Vec<Aabb>,
    grid: Grid,
    moved: Vec<u32>,
    apart: Vec<u32>,
    /// Pairs whose loose boxes meet, in order.
    near: Vec<(u32, u32)>,
    fresh: Vec<(u32, u32)>,
    merged: Vec<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
    counts: BroadCounts,
}

impl Broad {
    /// None yet; boxes are given a skin of this width. Wider means fewer look-ups and more pairs to compare: what items move in some ten steps
    /// is a good choice.
    pub fn new(skin: f64) -> Self {
        Broad {
            skin: if skin > 0.0 && skin.is_finite() { skin } else { 0.0 },
            items: Vec::new(),
            loose: Vec::new(),
            grid: Grid::default(),
            moved: Vec::new(),
            apart: Vec::new(),
            near: Vec::new(),
            fresh: Vec::new(),
            merged: Vec::new(),
            pairs: Vec::new(),
            counts: BroadCounts::default(),
        }
    }

    /// Puts an item where it is now. Items are numbered by the caller, from zero and without large gaps. Bounds that are not numbers
    /// meet nothing.
    pub fn set(&mut self, id: u32, bounds: Bounds) {
        let i = id as usize;
        if self.items.len() <= i {
            let none = Item { bounds: Bounds::Box(Aabb::NOTHING), state: State::Absent };
            self.items.resize(i + 1, none);
            self.loose.resize(i + 1, Aabb::NOTHING);
        }
        let finite = match bounds {
            Bounds::Box(b) if b.is_finite() && (b.max - b.min).reach() < HUGE => Some(b),
            _ => None,
        };
        self.items[i].bounds = bounds;
        match (finite, self.items[i].state) {
            (Some(b), State::Inside | State::Moved) if self.loose[i].holds(&b) => {}
            (Some(b), state) => {
                if state == State::Apart {
                    self.apart.retain(|&j| j != id);
                }
                if state != State::Moved {
                    self.moved.push(id);
                }
                self.loose[i] = b.grown(self.skin);
                self.grid.place(id, &self.loose);
                self.items[i].state = State::Moved;
            }
            (None, State::Apart) => {}
            (None, _) => {
                self.remove(id);
                self.items[i].state = State::Apart;
                self.apart.push(id);
            }
        }
    }

    /// Takes an item out.
    pub fn remove(&mut self, id: u32) {
        let Some(item) = self.items.get_mut(id as usize) else { return };
        let was = item.state;
        item.state = State::Absent;
        match was {
            State::Apart => self.apart.retain(|&j| j != id),
            State::Inside | State::Moved => {
                self.moved.retain(|&j| j != id);
                self.near.retain(|&(i, j)| i != id && j != id);
                self.grid.take(id);
            }
            State::Absent => {}
        }
    }

    /// Pairs (i, j), i < j, whose bounds meet, in order; those that `skip` is true of are left out.
    pub fn pairs(&mut self, mut skip: impl FnMut(u32, u32) -> bool) -> &[(u32, u32)] {
        self.refresh();
        self.pairs.clear();
        self.fresh.clear();
        for &i in &self.apart {
            let mine = &self.items[i as usize];
            for (j, other) in self.items.iter().enumerate() {
                let j = j as u32;
                // Of two infinite ones, once.
                let once = other.state == State::Apart && j <= i;
                if other.state != State::Absent && !once && mine.bounds.meets(&other.bounds) {
                    self.fresh.push((if i < j { i } else { j }, if i < j { j } else { i }));
                }
            }
        }
        self.counts.compared += self.apart.len() * self.items.len() + self.near.len();
        self.fresh.sort_unstable();
        // Two ordered lists into one.
        let mut apart = self.fresh.iter().copied().peekable();
        for &(i, j) in &self.near {
            while let Some(&p) = apart.peek().filter(|&&p| p < (i, j)) {
                apart.next();
                if !skip(p.0, p.1) {
                    self.pairs.push(p);
                }
            }
            if self.items[i as usize].bounds.meets(&self.items[j as usize].bounds) && !skip(i, j) {
                self.pairs.push((i, j));
            }
        }
        for (i, j) in apart {
            if !skip(i, j) {
                self.pairs.push((i, j));
            }
        }
        self.counts.pairs = self.pairs.len();
        &self.pairs
    }

    /// What the last call of [`pairs`](Broad::pairs) cost.
    pub fn counts(&self) -> BroadCounts {
        self.counts
    }

    /// Looks up those that have moved, and brings `near` up to date.
    fn refresh(&mut self) {
        let Broad { items, loose, grid, moved, near, fresh, merged, .. } = self;
        self.counts =
            BroadCounts { items: grid.count() + self.apart.len(), moved: moved.len(), ..Default::default() };
        if moved.is_empty() {
            return;
        }
        fresh.clear();
        let has_moved = |i: u32| items[i as usize].state == State::Moved;
        grid.count_still(has_moved, items.len());
        for &i in moved.iter() {
            let mine = loose[i as usize];
            let (cells, compared) = grid.around(i, &mine, |j, above| {
                // Two that have both moved are found once: by the smaller one, or by the one of lower number.
                let taken = if has_moved(j) {
                    above == std::cmp::Ordering::Greater || (above.is_eq() && i < j)
                } else {
                    i != j
                };
                if taken && mine.meets(&loose[j as usize]) {
                    fresh.push(if i < j { (i, j) } else { (j, i) });
                }
            });
            self.counts.cells += cells;
            self.counts.compared += compared;
        }
        fresh.sort_unstable();
        merged.clear();
        let mut new = fresh.iter().copied().peekable();
        for &(i, j) in near.iter().filter(|&&(i, j)| !has_moved(i) && !has_moved(j)) {
            while let Some(&p) = new.peek().filter(|&&p| p < (i, j)) {
                new.next();
                merged.push(p);
            }
            merged.push((i, j));
        }
        merged.extend(new);
        std::mem::swap(near, merged);
        for i in moved.drain(..) {
            items[i as usize].state = State::Inside;
        }
    }
}
