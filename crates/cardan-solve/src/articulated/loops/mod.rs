//! Links that close loops, as travellers: their rows L are carried towards the root and eliminated where their ends meet.
//!
//! With N made D-orthogonal (n_k, δ_k), w_k = D n_k and r = F − D γ as on the module page, a closure with rows L, bias c
//! and a piece B of the square root of its compliance G = B Bᵀ passes a link in freedoms form as
//!
//! ```text
//! B gains a column (L n_k)/√δ_k for every freedom
//! c += L (γ + Σ n_k (n_k·r)/δ_k)
//! L_p += (L − Σ (L n_k)/δ_k w_kᵀ) X
//! ```
//!
//! and a link in rows form (D = R Rᵀ, z_k = D⁻¹ j_k, t_k = c_k + z_k·F) as
//!
//! ```text
//! B gains six columns: R⁻¹ Lᵀ less its parts along R⁻¹ j_k
//! c += L D⁻¹ F − Σ (L z_k) t_k/σ_k
//! L_p += Σ (L z_k)/σ_k j_kᵀ X
//! ```
//!
//! Where its ends meet, at block a or on the ground, reflections make its rows of B lower triangular, [T 0], and those of
//! the others that share columns [A B']. Then
//!
//! ```text
//! L̂ = T⁻¹ L,  ĉ = T⁻¹ c          D_a += L̂ᵀ L̂,   F_a −= L̂ᵀ ĉ
//! others:  L_o −= A L̂,   c_o −= A ĉ,   B_o ← B'
//! back:  μ = −T⁻ᵀ (ĉ + L̂ x_a + Aᵀ μ_o)          then F + Σ Lᵀ μ takes the place of F at the blocks it passed
//! ```
//!
//! Only the rows that the plan keeps travel; the others depend on them (`rank_plan.rs`).

pub(crate) mod ball_pass;
mod front;
mod lanes;
mod rhs;
mod sqrt_block;
pub(crate) mod symbolic;
#[cfg(test)]
mod tests;

pub use lanes::{GroundLoops, LoopEnd};

use crate::articulated::{Form, MAX_COLUMNS, Node, NodeExtra};
use crate::graph::{Link, NONE};
use crate::kernel::forward;
use crate::lane::{Lane, Task};
use crate::math::{Six, Vec3};
use ball_pass::RunColumns;
use front::{DenseFront, lower_four};
use sqrt_block::{
    CarryOverFreedoms, CarryRows, PassingRows, SymbolicLists, copy_few, copy_inputs, triangularize,
    triangularize_any,
};
use std::ops::Range;
use symbolic::{LoopElimination, LoopMember, LoopPass, SymbolicLoops};

/// Rows that a closure can have at most.
pub const MAX_LOOP_ROWS: usize = 6;

/// What of c is noise. Of a row with the part s² left (s is a sine: near a singular pose it vanishes) c makes an answer of c/s.
/// Where c is no more than noise, but c/s more than can be meant, the row is left alone instead.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Noise {
    /// Sizes up to which c of a row is noise.
    pub size: [f64; MAX_LOOP_ROWS],
    /// Whether that is to be taken over s: c depends on a pose that is itself only that well known.
    pub over_sine: bool,
    /// c/s up to this is meant.
    pub meant: f64,
}

/// The part of a row that is left near a singular pose, squared: above it nothing is taken for noise.
pub const NEARLY_SINGULAR: f64 = 1e-4;

impl Noise {
    /// Whether `c` of row `r` is noise, given the part of the row that is left, squared.
    fn covers(&self, r: usize, c: f64, left: f64) -> bool {
        let s = left.sqrt();
        let noise = if self.over_sine { c * s } else { c };
        left < NEARLY_SINGULAR && noise <= self.size[r] && c > self.meant * s
    }
}

/// A link that closes a loop.
#[derive(Clone, Debug)]
pub struct LoopClosure<T: Lane = f64> {
    /// In: the rows of J on its two ends, each at that block's own centre; zero where the end is the ground.
    pub rows: [[Six<T>; MAX_LOOP_ROWS]; 2],
    /// In: c.
    pub bias: [T; MAX_LOOP_ROWS],
    /// Out: λ; zero for rows that the plan drops.
    pub answers: [T; MAX_LOOP_ROWS],
    /// In, for a solve: what of c is noise and is not followed where a row has nearly lost its independence.
    pub noise: Option<Noise>,
    /// c and λ of an answer that is being improved.
    pub(crate) asked: [T; MAX_LOOP_ROWS],
    pub(crate) answered: [T; MAX_LOOP_ROWS],
    /// λ of both right sides, kept rows only.
    pub(crate) found: [[T; MAX_LOOP_ROWS]; 2],
    /// The rows that the plan keeps, and how many.
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
    /// Its number of rows.
    pub fn len(&self) -> usize {
        self.count as usize
    }
    /// True if it has no rows.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// The link that it is.
    pub fn link(&self) -> Link {
        self.link
    }
    /// Places of its two ends in elimination order; `None` is the ground.
    pub fn places(&self) -> [Option<usize>; 2] {
        self.places.map(|p| if p == NONE { None } else { Some(p as usize) })
    }
    /// Sets which rows are kept, one bit each: a decision of an earlier plan.
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
    /// The rows that are kept; the others depend on them and on other closures.
    pub fn kept(&self) -> &[u8] {
        &self.kept[..self.kept_count as usize]
    }
    /// Smallest remainder of a kept row and largest of a dropped one, relative to the terms that formed them.
    pub fn remainders(&self) -> (f64, f64) {
        self.remainders
    }
}

/// What is added up along the way of a closure.
#[derive(Copy, Clone, Debug)]
pub(crate) struct LoopAccumulator<T: Lane> {
    /// c of the kept rows as others are eliminated; ĉ in the end.
    /// The second is of a second right side.
    pub(crate) rhs: [[T; MAX_LOOP_ROWS]; 2],
    /// Squares of the lengths that the kept rows of B would have if nothing had cancelled in their entries.
    pub(crate) formed: [T; MAX_LOOP_ROWS],
}

impl<T: Lane> LoopAccumulator<T> {
    pub(crate) const ZERO: Self =
        LoopAccumulator { rhs: [[T::ZERO; MAX_LOOP_ROWS]; 2], formed: [T::ZERO; MAX_LOOP_ROWS] };
}

/// All closures of a forest, on their ways.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopClosures<T: Lane> {
    pub(crate) all: Vec<LoopClosure<T>>,
    /// One per closure; of strands (`loop_end.rs`) one per slot.
    pub(crate) sums: Vec<LoopAccumulator<T>>,
    pub(crate) are_loop_ends: bool,
    pub(crate) symbolic: SymbolicLoops,
    /// Rows at every slot.
    pub(crate) carried: Vec<Six<T>>,
    /// L n_k of every carried row, for links in freedoms form; C⁻¹ a for balls (`ball_pass.rs`).
    pub(crate) along: Vec<[T; MAX_COLUMNS]>,
    /// Pieces of B of the elements.
    pub(crate) entries: Vec<T>,
    /// Columns of runs of balls that have not ended (`ball_pass.rs`): one within another.
    pub(crate) runs: Vec<RunColumns<T>>,
    /// T (diagonal inverted) and A of the meetings, L̂ of the meetings.
    pub(crate) factors: Vec<T>,
    images: Vec<Six<T>>,
    pub(crate) front: DenseFront<T>,
    /// First row of each closure in the front under work.
    pub(crate) first: Vec<u32>,
    /// Least part of a kept row that was left when its turn came, in the last elimination.
    pub(crate) least_pivot: f64,
    /// Whether rows were left alone in the last solve ([`Noise`]).
    pub(crate) ignored_rows: bool,
    /// The first closure whose rows could not be told apart in the last elimination, or [`NONE`].
    pub(crate) failed: u32,
}

impl<T: Lane> LoopClosures<T> {
    /// Plans the ways; returns also the stop of each place.
    pub(crate) fn new(parents: &[u32], all: Vec<LoopClosure<T>>) -> (Self, Vec<u32>) {
        let (symbolic, loop_steps) = SymbolicLoops::new(parents, &all);
        let closures = LoopClosures {
            sums: vec![LoopAccumulator::ZERO; all.len()],
            are_loop_ends: false,
            carried: vec![Six::ZERO; symbolic.carried],
            along: vec![[T::ZERO; MAX_COLUMNS]; symbolic.carried],
            entries: vec![T::ZERO; symbolic.entries],
            runs: Vec::with_capacity(symbolic.loop_steps.len()),
            factors: vec![T::ZERO; symbolic.factors],
            images: vec![Six::ZERO; symbolic.images],
            front: DenseFront::with_room(symbolic.front),
            first: vec![0; all.len()],
            least_pivot: 1.0,
            ignored_rows: false,
            failed: NONE,
            all,
            symbolic,
        };
        (closures, loop_steps)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<LoopClosure<T>>()
            + self.sums.capacity() * size_of::<LoopAccumulator<T>>()
            + self.symbolic.bytes()
            + (self.carried.capacity() + self.images.capacity()) * size_of::<Six<T>>()
            + self.along.capacity() * size_of::<[T; MAX_COLUMNS]>()
            + (self.entries.capacity() + self.factors.capacity()) * size_of::<T>()
            + self.runs.capacity() * size_of::<RunColumns<T>>()
            + self.front.bytes()
            + self.first.capacity() * size_of::<u32>()
    }

    /// Puts the kept rows of every closure on the blocks of its ends.
    pub(crate) fn load_rows(&mut self) {
        for slot in &self.symbolic.slots {
            let closure = &self.all[slot.closure as usize];
            let carried = &mut self.carried[slot.at as usize..];
            for (to, &r) in carried.iter_mut().zip(closure.kept()) {
                *to = slot.end.map_or(Six::ZERO, |end| closure.rows[end as usize][r as usize]);
            }
        }
        self.least_pivot = 1.0;
        self.failed = NONE;
        self.runs.clear();
        for sum in &mut self.sums {
            sum.formed = [T::ZERO; MAX_LOOP_ROWS];
        }
        self.load_rhs();
    }

    /// c of the kept rows, as given.
    pub(crate) fn load_rhs(&mut self) {
        self.ignored_rows = false;
        if self.are_loop_ends {
            return self.clear_sums(0);
        }
        for (closure, sum) in self.all.iter().zip(&mut self.sums) {
            for k in 0..closure.kept_count as usize {
                sum.rhs[0][k] = closure.bias[closure.kept[k] as usize];
            }
        }
    }

    /// The same for the second right side, times `part`.
    pub(crate) fn load_second_rhs(&mut self, part: T) {
        if self.are_loop_ends {
            return self.clear_sums(1);
        }
        for (closure, sum) in self.all.iter().zip(&mut self.sums) {
            for k in 0..closure.kept_count as usize {
                sum.rhs[1][k] = closure.bias[closure.kept[k] as usize] * part;
            }
        }
    }

    /// A strand begins with nothing: with −0, to which any number is added without a trace.
    fn clear_sums(&mut self, side: usize) {
        for sum in &mut self.sums {
            sum.rhs[side] = [T::splat(-0.0); MAX_LOOP_ROWS];
        }
    }

    /// Gives every member its rows in the front; returns how many there are.
    pub(crate) fn assign_rows(&mut self, members: &Range<u32>, mut row: usize, plan: bool) -> usize {
        for m in &self.symbolic.members[members.start as usize..members.end as usize] {
            self.first[m.closure as usize] = row as u32;
            let closure = &self.all[m.closure as usize];
            row += if plan { closure.count } else { closure.kept_count } as usize;
        }
        row
    }

    /// Clears the front and copies the inputs into it, side by side; returns the first column that is left free.
    pub(crate) fn assemble(&mut self, inputs: &Range<u32>, rows: usize, own: usize, plan: bool) -> usize {
        let cols = self.width(inputs) + own;
        let LoopClosures { all, symbolic, entries, front, first, .. } = self;
        front.clear(rows, cols);
        let lists = SymbolicLists { all, members: &symbolic.members, elements: &symbolic.elements, first };
        copy_inputs(&lists, symbolic.inputs(inputs), entries, (front.entries_mut(), cols), plan)
    }

    /// Stores the rows from `row` on, columns from `col` on, as an element.
    pub(crate) fn store(&mut self, out: u32, row: usize, rows: usize, col: usize) {
        let LoopClosures { symbolic, entries, front, .. } = self;
        let element = &mut symbolic.elements[out as usize];
        let left = front.cols().saturating_sub(col);
        let cols = if left < rows - row { left } else { rows - row };
        element.cols = cols as u32;
        element.is_triangle = false;
        if cols == 0 {
            return;
        }
        let to = entries[element.at as usize..].chunks_exact_mut(cols);
        for (to, from) in to.zip(front.rows().skip(row)) {
            copy_few(to, &from[col..col + cols]);
        }
    }

    /// Eliminates the closures that meet at a stop; false if one cannot be.
    pub(crate) fn eliminate_at(&mut self, loop_step: u32, node: &mut Node<T>) -> bool {
        let mut fine = true;
        for m in self.symbolic.loop_steps[loop_step as usize].eliminations.clone() {
            let elimination = self.symbolic.eliminations[m as usize].clone();
            if node.is_point {
                let at = self.symbolic.slots[elimination.pivot.slot as usize].at as usize;
                self.carried[at..at + self.all[elimination.pivot.closure as usize].len()]
                    .iter_mut()
                    .for_each(|row| row.ang = Vec3::ZERO);
            }
            fine &= self.eliminate_closure(&elimination) || self.note_failed(elimination.pivot.closure);
            let kept = self.all[elimination.pivot.closure as usize].kept_count as usize;
            for image in &self.images[elimination.image_at as usize..elimination.image_at as usize + kept] {
                node.diag = node.diag.minus_outer(image, -T::ONE);
            }
            self.eliminate_bias::<1>(m, Some([&mut node.force]));
        }
        fine
    }

    /// Eliminates the closures that meet on the ground.
    pub(crate) fn eliminate_on_ground(&mut self) -> bool {
        let mut fine = true;
        for m in self.symbolic.on_ground.clone() {
            let elimination = self.symbolic.eliminations[m as usize].clone();
            fine &= self.eliminate_closure(&elimination) || self.note_failed(elimination.pivot.closure);
            self.eliminate_bias::<1>(m, None);
        }
        fine
    }

    /// The same without their right sides.
    pub(crate) fn factor_on_ground(&mut self) -> bool {
        let mut fine = true;
        for m in self.symbolic.on_ground.clone() {
            let elimination = self.symbolic.eliminations[m as usize].clone();
            fine &= self.eliminate_closure(&elimination) || self.note_failed(elimination.pivot.closure);
        }
        fine
    }

    /// Remembers the first; says no.
    fn note_failed(&mut self, closure: u32) -> bool {
        if self.failed == NONE {
            self.failed = closure;
        }
        false
    }

    /// [`eliminate_closure`](LoopClosures::eliminate_closure) on the ground of a closure with two rows that has two pieces of two columns in common with another one: a
    /// planar loop beside a planar loop. `None` if it is not.
    fn eliminate_planar_pair(&mut self, elimination: &LoopElimination) -> Option<bool> {
        let LoopClosures { all, sums, symbolic, entries, factors, least_pivot, .. } = self;
        let (&[left, right], [other]) =
            (symbolic.inputs(&elimination.inputs), symbolic.members(&elimination.others))
        else {
            return None;
        };
        let pivot = &all[elimination.pivot.closure as usize];
        if elimination.pivot.slot != NONE
            || pivot.kept_count != 2
            || all[other.closure as usize].kept_count != 2
        {
            return None;
        }
        let mut front = [[T::ZERO; 4]; 4];
        let [a, b, c, d] = &mut front;
        let (left, right) = (&symbolic.elements[left as usize], &symbolic.elements[right as usize]);
        if left.cols != 2 || right.cols != 2 {
            return None;
        }
        let rows = entries[left.at as usize..].as_chunks::<2>().0.as_chunks::<2>().0;
        for (m, [one, two]) in symbolic.members(&left.members).iter().zip(rows) {
            let (to_one, to_two) =
                if m.closure == elimination.pivot.closure { (&mut *a, &mut *b) } else { (&mut *c, &mut *d) };
            ([to_one[0], to_one[1]], [to_two[0], to_two[1]]) = (*one, *two);
        }
        let rows = entries[right.at as usize..].as_chunks::<2>().0.as_chunks::<2>().0;
        for (m, [one, two]) in symbolic.members(&right.members).iter().zip(rows) {
            let (to_one, to_two) =
                if m.closure == elimination.pivot.closure { (&mut *a, &mut *b) } else { (&mut *c, &mut *d) };
            ([to_one[2], to_one[3]], [to_two[2], to_two[3]]) = (*one, *two);
        }
        lower_four(&mut front);
        let [a, b, c, d] = &front;
        let mut fine = true;
        let formed = &sums[elimination.pivot.closure as usize].formed;
        for (pivot, formed) in [(a[0], formed[0]), (b[1], formed[1])] {
            let left = (pivot * pivot / formed).magnitude();
            fine &= left > 0.0;
            if left < *least_pivot {
                *least_pivot = left;
            }
        }
        let out = &mut symbolic.elements[elimination.out as usize];
        (out.cols, out.is_triangle) = (2, false);
        let factor = [T::ONE / a[0], a[1], b[0], T::ONE / b[1], c[0], c[1], d[0], d[1]];
        factors[elimination.factor_at as usize..].first_chunk_mut::<8>().map(|to| *to = factor)?;
        entries[out.at as usize..].first_chunk_mut::<4>().map(|to| *to = [c[2], c[3], d[2], d[3]])?;
        Some(fine)
    }

    fn eliminate_closure(&mut self, elimination: &LoopElimination) -> bool {
        if let Some(fine) = self.eliminate_planar_pair(elimination) {
            return fine;
        }
        let pivot = elimination.pivot.closure as usize;
        let kept = self.all[pivot].kept_count as usize;
        self.first[pivot] = 0;
        let rows = self.assign_rows(&elimination.others, kept, false);
        self.assemble(&elimination.inputs, rows, 0, false);
        self.front.lower(0, rows);
        if self.front.cols() < kept {
            return false;
        }
        let mut fine = true;
        if kept > 0 {
            let LoopClosures { sums, factors, front, least_pivot, .. } = self;
            let to = factors[elimination.factor_at as usize..].chunks_exact_mut(kept);
            for (r, (to, from)) in to.zip(front.rows()).enumerate() {
                copy_few(to, &from[..kept]);
                if r < kept {
                    let left = (to[r] * to[r] / sums[pivot].formed[r]).magnitude();
                    fine &= left > 0.0;
                    if left < *least_pivot {
                        *least_pivot = left;
                    }
                    to[r] = T::ONE / to[r];
                }
            }
        }
        self.store(elimination.out, kept, rows, kept);
        if elimination.pivot.slot == NONE {
            return fine;
        }
        // L̂ = T⁻¹ L, and L_o −= A L̂.
        let LoopClosures { all, symbolic, carried, factors, images, .. } = self;
        let factor = &factors[elimination.factor_at as usize..];
        let images = &mut images[elimination.image_at as usize..];
        let from = symbolic.slots[elimination.pivot.slot as usize].at as usize;
        for i in 0..kept {
            let mut image = carried[from + i];
            for j in 0..i {
                image -= images[j].scaled(factor[i * kept + j]);
            }
            images[i] = image.scaled(factor[i * kept + i]);
        }
        let mut row = kept;
        for m in symbolic.members(&elimination.others) {
            let at = m.at as usize;
            for k in 0..all[m.closure as usize].kept_count as usize {
                for j in 0..kept {
                    carried[at + k] -= images[j].scaled(factor[row * kept + j]);
                }
                row += 1;
            }
        }
        fine
    }

    /// ĉ = T⁻¹ c;  c_o −= A ĉ;  F −= L̂ᵀ ĉ; of the first `N` right sides.
    #[inline(always)]
    fn eliminate_bias<const N: usize>(&mut self, elimination: u32, forces: Option<[&mut Six<T>; N]>) {
        match self.all[self.symbolic.eliminations[elimination as usize].pivot.closure as usize].kept_count {
            1 => self.eliminate_bias_rows::<N, 1>(elimination, forces),
            2 => self.eliminate_bias_rows::<N, 2>(elimination, forces),
            3 => self.eliminate_bias_rows::<N, 3>(elimination, forces),
            4 => self.eliminate_bias_rows::<N, 4>(elimination, forces),
            5 => self.eliminate_bias_rows::<N, 5>(elimination, forces),
            6 => self.eliminate_bias_rows::<N, 6>(elimination, forces),
            _ => {}
        }
    }

    /// The same for so many rows.
    fn eliminate_bias_rows<const N: usize, const K: usize>(
        &mut self,
        elimination: u32,
        forces: Option<[&mut Six<T>; N]>,
    ) {
        let LoopClosures { all, sums, symbolic, factors, images, ignored_rows, .. } = self;
        let elimination = &symbolic.eliminations[elimination as usize];
        let rows = factors[elimination.factor_at as usize..].as_chunks::<K>().0;
        let Some((own, below)) = rows.split_first_chunk::<K>() else { return };
        let pivot = &all[elimination.pivot.closure as usize];
        let sum = &mut sums[elimination.pivot.closure as usize];
        let mut rhs: [[T; K]; N] = std::array::from_fn(|n| std::array::from_fn(|k| sum.rhs[n][k]));
        for (n, side) in rhs.iter_mut().enumerate() {
            for i in 0..K {
                let mut c = side[i];
                for j in 0..i {
                    c -= own[i][j] * side[j];
                }
                let inverse = own[i][i];
                side[i] = c * inverse;
                if let (Some(noise), 0) = (&pivot.noise, n) {
                    let left = (T::ONE / (inverse * inverse * sum.formed[i])).magnitude();
                    if noise.covers(pivot.kept[i] as usize, c.magnitude(), left) {
                        side[i] = T::ZERO;
                        *ignored_rows = true;
                    }
                }
            }
            sum.rhs[n][..K].copy_from_slice(side);
        }
        if let Some(forces) = forces {
            for (force, side) in forces.into_iter().zip(&rhs) {
                for (image, &side) in images[elimination.image_at as usize..].iter().zip(side) {
                    *force -= image.scaled(side);
                }
            }
        }
        let mut below = below.iter();
        for m in symbolic.members(&elimination.others) {
            let kept = all[m.closure as usize].kept_count as usize;
            let other = &mut sums[m.closure as usize];
            for (k, row) in (0..kept).zip(&mut below) {
                for (to, side) in other.rhs.iter_mut().zip(&rhs) {
                    for (&a, &side) in row.iter().zip(side) {
                        to[k] -= a * side;
                    }
                }
            }
        }
    }

    /// The same with the factor at hand.
    #[inline(always)]
    pub(crate) fn eliminate_bias_at<const N: usize>(&mut self, loop_step: u32, mut forces: [&mut Six<T>; N]) {
        for m in self.symbolic.loop_steps[loop_step as usize].eliminations.clone() {
            self.eliminate_bias::<N>(m, Some(forces.each_mut().map(|force| &mut **force)));
        }
    }

    /// What c gains at a block, of both right sides; the second has its own force and projections.
    #[inline(always)]
    pub(crate) fn pass_both(
        &mut self,
        loop_step: u32,
        node: &Node<T>,
        extra: &NodeExtra<T>,
        (force, projections): (&Six<T>, &[T; MAX_COLUMNS]),
        part: T,
    ) {
        let first = [node.projection, extra.projections[0], extra.projections[1]];
        let both = (&first, projections);
        match node.form {
            Form::Freedoms(0) => self.gain_both::<0>(loop_step, &node.gamma, both, part),
            Form::Freedoms(1) => self.gain_both::<1>(loop_step, &node.gamma, both, part),
            Form::Freedoms(2) => self.gain_both::<2>(loop_step, &node.gamma, both, part),
            Form::Freedoms(_) => self.gain_both::<3>(loop_step, &node.gamma, both, part),
            Form::Rows(m) => self.gain_both_by_rows(loop_step, node, extra, (force, projections, m as usize)),
        }
    }

    /// The same by so many freedoms.
    #[inline(always)]
    fn gain_both<const F: usize>(
        &mut self,
        loop_step: u32,
        gamma: &Six<T>,
        (first, second): (&[T; MAX_COLUMNS], &[T; MAX_COLUMNS]),
        part: T,
    ) {
        let LoopClosures { all, sums, symbolic, carried, along, .. } = self;
        let Some(LoopPass { members, .. }) = &symbolic.loop_steps[loop_step as usize].pass else { return };
        for m in symbolic.members(members) {
            let (at, kept) = (m.at as usize, all[m.closure as usize].kept_count as usize);
            let [rhs, second_sides] = &mut sums[m.sum as usize].rhs;
            let rows = carried[at..at + kept].iter().zip(&along[at..at + kept]);
            for ((row, along), (side, second_side)) in rows.zip(rhs.iter_mut().zip(second_sides)) {
                let gain = row.dot(gamma);
                let (mut sum, mut second_sum) = (gain, gain * part);
                for k in 0..F {
                    sum += along[k] * first[k];
                    second_sum += along[k] * second[k];
                }
                *side += sum;
                *second_side += second_sum;
            }
        }
    }

    /// The same by rows.
    #[inline(never)]
    fn gain_both_by_rows(
        &mut self,
        loop_step: u32,
        node: &Node<T>,
        extra: &NodeExtra<T>,
        (force, projections, count): (&Six<T>, &[T; MAX_COLUMNS], usize),
    ) {
        let LoopClosures { all, sums, symbolic, carried, along, .. } = self;
        let Some(LoopPass { members, .. }) = &symbolic.loop_steps[loop_step as usize].pass else { return };
        for m in symbolic.members(members) {
            let at = m.at as usize;
            for k in 0..all[m.closure as usize].kept_count as usize {
                let row = &carried[at + k];
                let mut gain = row.dot(&extra.solve_diag(*force));
                for k in 0..count {
                    gain -= row.dot(&extra.row_images[k]) * projections[k];
                }
                let [rhs, second_sides] = &mut sums[m.sum as usize].rhs;
                rhs[k] += node.gain(extra, row, &along[at + k]);
                second_sides[k] += gain;
            }
        }
    }

    /// Whether closures meet at a stop.
    pub(crate) fn has_elimination_at(&self, loop_step: u32) -> bool {
        !self.symbolic.loop_steps[loop_step as usize].eliminations.is_empty()
    }

    /// What closures that meet on the ground leave of the first `N` right sides.
    pub(crate) fn eliminate_bias_on_ground<const N: usize>(&mut self) {
        for m in self.symbolic.on_ground.clone() {
            self.eliminate_bias::<N>(m, None);
        }
    }

    /// The same of a ball, `next` being what closures do at its parent if that is one, too.
    pub(crate) fn pass_over_ball(&mut self, node: &Node<T>, next: u32) {
        T::run_vectorized(PassBallTask(self, node, next));
    }

    /// Carries the closures that pass a block on to its parent.
    pub(crate) fn pass(&mut self, loop_step: u32, node: &Node<T>, extra: &NodeExtra<T>) {
        T::run_vectorized(PassNodeTask(self, loop_step, node, extra));
    }

    #[inline(always)]
    fn pass_inlined(&mut self, loop_step: u32, node: &Node<T>, extra: &NodeExtra<T>) {
        let Some(pass) = self.symbolic.loop_steps[loop_step as usize].pass.clone() else { return };
        match node.form {
            Form::Freedoms(1) if !node.is_point => {
                self.pass_by::<1>(&pass, &CarryOverFreedoms::<T, 1>(node, extra))
            }
            Form::Freedoms(2) if !node.is_point => {
                self.pass_by::<2>(&pass, &CarryOverFreedoms::<T, 2>(node, extra))
            }
            Form::Freedoms(3) if !node.is_point => {
                self.pass_by::<3>(&pass, &CarryOverFreedoms::<T, 3>(node, extra))
            }
            _ => self.pass_any(&pass, node, extra),
        }
    }

    /// The same by so many freedoms, in the order of [`pass_any`](LoopClosures::pass_any).
    ///
    /// A piece of B that is not wider than high stays what it is, and is put together where it is kept. A triangle of the same closures
    /// takes the new columns up row by row. Anything else goes through a front.
    #[inline(always)]
    pub(crate) fn pass_by<const F: usize>(&mut self, pass: &LoopPass, over: &impl CarryRows<T>) {
        let here = self.symbolic.members(&pass.members);
        let rows = here.iter().map(|m| self.all[m.closure as usize].kept_count as usize).sum();
        let width = self.width(&pass.inputs);
        let cols = width + F;
        if cols <= rows {
            return self.pass_narrow::<F>(pass, over, (rows, width));
        }
        let triangle = self.triangle_below(pass, rows);
        if triangle.is_none() {
            self.assign_rows(&pass.members, 0, false);
            self.assemble(&pass.inputs, rows, F, false);
        }
        let LoopClosures { all, sums, symbolic, carried, along, entries, front, .. } = self;
        symbolic.elements[pass.out as usize].is_triangle = true;
        let passing_rows =
            PassingRows { all, sums, members: symbolic.members(&pass.members), carried, along };
        let Some(from) = triangle else {
            over.carry(passing_rows, (front.entries_mut(), cols, width));
            front.lower(0, rows);
            self.store(pass.out, 0, rows, 0);
            self.symbolic.elements[pass.out as usize].is_triangle = true;
            return;
        };
        let mut own = [[T::ZERO; F]; MAX_LOOP_ROWS];
        over.carry(passing_rows, (own.as_flattened_mut(), F, 0));
        let piece = &mut symbolic.elements[pass.out as usize];
        piece.cols = rows as u32;
        let to = piece.at as usize;
        match rows {
            2 => triangularize::<T, 2, F>(entries, from, to, &mut own),
            3 => triangularize::<T, 3, F>(entries, from, to, &mut own),
            _ => triangularize_any::<T, F>(entries, from, to, &mut own[..rows]),
        }
    }

    #[inline(always)]
    fn pass_narrow<const F: usize>(
        &mut self,
        pass: &LoopPass,
        over: &impl CarryRows<T>,
        (rows, width): (usize, usize),
    ) {
        let cols = width + F;
        if width > 0 {
            self.assign_rows(&pass.members, 0, false);
        }
        let LoopClosures { all, sums, symbolic, carried, along, entries, first, .. } = self;
        let piece = &mut symbolic.elements[pass.out as usize];
        (piece.cols, piece.is_triangle) = (cols as u32, false);
        let (below, target) = entries.split_at_mut(piece.at as usize);
        if width > 0 {
            target[..rows * cols].iter_mut().for_each(|x| *x = T::ZERO);
            let lists =
                SymbolicLists { all, members: &symbolic.members, elements: &symbolic.elements, first };
            copy_inputs(&lists, symbolic.inputs(&pass.inputs), below, (&mut *target, cols), false);
        }
        let passing_rows =
            PassingRows { all, sums, members: symbolic.members(&pass.members), carried, along };
        over.carry(passing_rows, (target, cols, width));
    }

    /// Columns of the inputs, side by side.
    #[inline(always)]
    fn width(&self, inputs: &Range<u32>) -> usize {
        self.symbolic.inputs(inputs).iter().map(|&e| self.symbolic.elements[e as usize].cols as usize).sum()
    }

    /// Where the entries of the only element from below begin, if it is a triangle of the same closures in the same order.
    #[inline(always)]
    fn triangle_below(&self, pass: &LoopPass, rows: usize) -> Option<usize> {
        let &[input] = self.symbolic.inputs(&pass.inputs) else { return None };
        let element = &self.symbolic.elements[input as usize];
        let same = |(a, b): (&LoopMember, &LoopMember)| a.closure == b.closure;
        let (below, here) = (self.symbolic.members(&element.members), self.symbolic.members(&pass.members));
        let fits = element.is_triangle && element.cols as usize == rows && rows <= MAX_LOOP_ROWS;
        (fits && below.len() == here.len() && below.iter().zip(here).all(same)).then_some(element.at as usize)
    }

    /// The same for any link.
    fn pass_any(&mut self, pass: &LoopPass, node: &Node<T>, extra: &NodeExtra<T>) {
        let own = match node.form {
            Form::Freedoms(f) => f as usize,
            Form::Rows(_) => 6,
        };
        let rows = self.assign_rows(&pass.members, 0, false);
        let col = self.assemble(&pass.inputs, rows, own, false);
        let roots = node.square_roots(extra);
        let sizes = node.column_sizes(extra);
        for m in pass.members.clone() {
            let LoopMember { closure, slot, sum, .. } = self.symbolic.members[m as usize];
            let slot = &self.symbolic.slots[slot as usize];
            let first = self.first[closure as usize] as usize;
            for k in 0..self.all[closure as usize].kept_count as usize {
                if node.is_point {
                    self.carried[slot.at as usize + k].ang = Vec3::ZERO;
                }
                let row = self.carried[slot.at as usize + k];
                let along = &mut self.along[slot.at as usize + k];
                let up = node.pass(extra, &roots, &row, along, &mut self.front.row_mut(first + k)[col..]);
                let (lin, ang) = (row.lin.dot(row.lin), row.ang.dot(row.ang));
                for size in &sizes[..own.min(MAX_COLUMNS)] {
                    self.sums[sum as usize].formed[k] += lin * size.0 + ang * size.1;
                }
                self.sums[sum as usize].rhs[0][k] += node.gain(extra, &row, along);
                if slot.above != NONE {
                    let above = self.symbolic.slots[slot.above as usize].at as usize;
                    self.carried[above + k] += up;
                }
            }
        }
        if self.front.cols() > rows {
            self.front.lower(0, rows);
        }
        self.store(pass.out, 0, rows, 0);
    }

    /// What c gains at a block, with the factor at hand.
    #[inline(always)]
    pub(crate) fn pass_bias(&mut self, loop_step: u32, node: &Node<T>, extra: &NodeExtra<T>) {
        match node.form {
            Form::Freedoms(1) => self.gain_by::<1>(loop_step, node, extra),
            Form::Freedoms(3) => self.gain_by::<3>(loop_step, node, extra),
            _ => self.gain_by::<0>(loop_step, node, extra),
        }
    }

    /// The same by so many freedoms; zero stands for anything.
    #[inline(always)]
    fn gain_by<const F: usize>(&mut self, loop_step: u32, node: &Node<T>, extra: &NodeExtra<T>) {
        let LoopClosures { all, sums, symbolic, carried, along, .. } = self;
        let Some(LoopPass { members, .. }) = &symbolic.loop_steps[loop_step as usize].pass else { return };
        for m in symbolic.members(members) {
            let (at, kept) = (m.at as usize, all[m.closure as usize].kept_count as usize);
            let rows = carried[at..at + kept].iter().zip(&along[at..at + kept]);
            for ((row, along), side) in rows.zip(&mut sums[m.sum as usize].rhs[0]) {
                *side += match F {
                    0 => node.gain(extra, row, along),
                    _ => node.gain_freedoms::<F>(extra, row, along),
                };
            }
        }
    }

    /// Σ (L n_k)ᵀ μ of the closures that pass a block: what they push along its freedoms.
    #[inline(always)]
    pub(crate) fn push_along<const F: usize>(&self, loop_step: u32) -> [T; F] {
        let mut sums = [T::ZERO; F];
        let Some(pass) = &self.symbolic.loop_steps[loop_step as usize].pass else { return sums };
        for m in self.symbolic.members(&pass.members) {
            let at = m.at as usize;
            let closure = &self.all[m.closure as usize];
            let rows = self.along[at..at + closure.kept_count as usize].iter();
            for (along, &answer) in rows.zip(&closure.found[0]) {
                for (sum, &along) in sums.iter_mut().zip(along) {
                    *sum += along * answer;
                }
            }
        }
        sums
    }

    /// The same of both right sides.
    #[inline(always)]
    pub(crate) fn push_both<const F: usize>(&self, loop_step: u32) -> ([T; F], [T; F]) {
        let (mut sums, mut seconds) = ([T::ZERO; F], [T::ZERO; F]);
        let Some(pass) = &self.symbolic.loop_steps[loop_step as usize].pass else { return (sums, seconds) };
        for m in self.symbolic.members(&pass.members) {
            let at = m.at as usize;
            let closure = &self.all[m.closure as usize];
            let answers = closure.found[0].iter().zip(&closure.found[1]);
            let rows = self.along[at..at + closure.kept_count as usize].iter();
            for (along, (&answer, &second)) in rows.zip(answers) {
                for k in 0..F {
                    sums[k] += along[k] * answer;
                    seconds[k] += along[k] * second;
                }
            }
        }
        (sums, seconds)
    }

    /// Σ Lᵀ μ of the closures that pass a block, of the first or the second right side.
    #[inline(always)]
    pub(crate) fn push(&self, loop_step: u32, side: usize) -> Six<T> {
        let mut sum = Six::ZERO;
        let Some(pass) = &self.symbolic.loop_steps[loop_step as usize].pass else { return sum };
        for m in self.symbolic.members(&pass.members) {
            let at = m.at as usize;
            let closure = &self.all[m.closure as usize];
            let answers = &closure.found[side];
            for (row, &answer) in self.carried[at..at + closure.kept_count as usize].iter().zip(answers) {
                sum += row.scaled(answer);
            }
        }
        sum
    }

    /// μ of the closures that met at a stop, from x there, of the first `N` right sides; last one first.
    #[inline(always)]
    pub(crate) fn answer_at<const N: usize>(&mut self, loop_step: u32, x: [&Six<T>; N]) {
        for m in self.symbolic.loop_steps[loop_step as usize].eliminations.clone().rev() {
            self.answer::<N>(m, Some(x));
        }
    }

    /// μ of the closures that met on the ground.
    pub(crate) fn answer_on_ground<const N: usize>(&mut self) {
        for m in self.symbolic.on_ground.clone().rev() {
            self.answer::<N>(m, None);
        }
    }

    #[inline(always)]
    fn answer<const N: usize>(&mut self, elimination: u32, x: Option<[&Six<T>; N]>) {
        let pivot = self.symbolic.eliminations[elimination as usize].pivot.closure as usize;
        match self.all[pivot].kept_count {
            1 => self.answer_rows::<N, 1>(elimination, x),
            2 => self.answer_rows::<N, 2>(elimination, x),
            3 => self.answer_rows::<N, 3>(elimination, x),
            4 => self.answer_rows::<N, 4>(elimination, x),
            5 => self.answer_rows::<N, 5>(elimination, x),
            6 => self.answer_rows::<N, 6>(elimination, x),
            _ => self.all[pivot].answers = [T::ZERO; MAX_LOOP_ROWS],
        }
    }

    /// The same for so many rows.
    fn answer_rows<const N: usize, const K: usize>(&mut self, elimination: u32, x: Option<[&Six<T>; N]>) {
        let LoopClosures { all, sums: all_sums, symbolic, factors, images, .. } = self;
        let elimination = &symbolic.eliminations[elimination as usize];
        let rows = factors[elimination.factor_at as usize..].as_chunks::<K>().0;
        let Some((own, below)) = rows.split_first_chunk::<K>() else { return };
        let pivot = &all_sums[elimination.pivot.closure as usize];
        let mut sums: [[T; K]; N] = std::array::from_fn(|n| std::array::from_fn(|k| pivot.rhs[n][k]));
        if let Some(x) = x {
            for (sum, x) in sums.iter_mut().zip(x) {
                for (sum, image) in sum.iter_mut().zip(&images[elimination.image_at as usize..]) {
                    *sum += image.dot(x);
                }
            }
        }
        let mut below = below.iter();
        for m in symbolic.members(&elimination.others) {
            let other = &all[m.closure as usize];
            for (k, row) in (0..other.kept_count as usize).zip(&mut below) {
                for (sum, found) in sums.iter_mut().zip(&other.found) {
                    for (sum, &a) in sum.iter_mut().zip(row) {
                        *sum += a * found[k];
                    }
                }
            }
        }
        let pivot = &mut all[elimination.pivot.closure as usize];
        for (sum, found) in sums.iter_mut().zip(&mut pivot.found) {
            for i in (0..K).rev() {
                let mut mu = sum[i];
                for j in i + 1..K {
                    mu -= own[j][i] * sum[j];
                }
                sum[i] = mu * own[i][i];
                found[i] = -sum[i];
            }
        }
        pivot.answers = [T::ZERO; MAX_LOOP_ROWS];
        for (&r, &mu) in pivot.kept.iter().zip(&pivot.found[0][..K]) {
            pivot.answers[r as usize] = mu;
        }
    }
}

struct PassBallTask<'c, T: Lane>(&'c mut LoopClosures<T>, &'c Node<T>, u32);
impl<T: Lane> Task for PassBallTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let PassBallTask(closures, node, next) = self;
        if let Some(pass) = closures.symbolic.loop_steps[node.loop_step as usize].pass.clone() {
            closures.pass_ball(&pass, node, next);
        }
    }
}

struct PassNodeTask<'c, T: Lane>(&'c mut LoopClosures<T>, u32, &'c Node<T>, &'c NodeExtra<T>);
impl<T: Lane> Task for PassNodeTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.pass_inlined(self.1, self.2, self.3);
    }
}

impl<T: Lane> Node<T> {
    /// √(1/δ_k) or √(1/σ_k).
    fn square_roots(&self, extra: &NodeExtra<T>) -> [T; 3] {
        let first = self.inverse.sqrt();
        if let Form::Freedoms(0 | 1) = self.form {
            return [first, T::ZERO, T::ZERO];
        }
        [first, extra.inverses[0].sqrt(), extra.inverses[1].sqrt()]
    }

    /// |n_k|²/δ_k, its linear and its angular part; in rows form what D⁻¹ makes of unit rows, or about that.
    fn column_sizes(&self, extra: &NodeExtra<T>) -> [(T, T); MAX_COLUMNS] {
        let square = |v: Vec3<T>| v.dot(v);
        match self.form {
            Form::Freedoms(f) => {
                let mut sizes = [(T::ZERO, T::ZERO); MAX_COLUMNS];
                for (k, size) in sizes.iter_mut().enumerate().take(f as usize) {
                    let (n, _, inverse) = self.column(extra, k);
                    *size = (square(n.lin) * inverse, square(n.ang) * inverse);
                }
                sizes
            }
            Form::Rows(_) => {
                let (a, c) = (&self.diag.a, &self.diag.c);
                let third = T::splat(1.0 / 3.0);
                let mean = |x: T, y: T, z: T| (T::ONE / x + T::ONE / y + T::ONE / z) * third;
                [(mean(a.xx, a.yy, a.zz), mean(c.xx, c.yy, c.zz)); MAX_COLUMNS]
            }
        }
    }

    /// A row that passes: what it is for the parent; its parts along the freedoms are written to `parts`, its columns of B
    /// to `out`.
    #[inline]
    fn pass(
        &self,
        extra: &NodeExtra<T>,
        roots: &[T; 3],
        row: &Six<T>,
        parts: &mut [T; MAX_COLUMNS],
        out: &mut [T],
    ) -> Six<T> {
        match self.form {
            Form::Freedoms(f) => {
                let f = f as usize;
                let mut up = row.carried_back(self.shift);
                for k in 0..f {
                    let (n, image, inverse) = self.column(extra, k);
                    let along = row.dot(n);
                    parts[k] = along;
                    out[k] = along * roots[k];
                    up -= image.scaled(along * inverse);
                }
                up
            }
            Form::Rows(m) => {
                let mut y = [T::ZERO; 6];
                row.write(&mut y);
                forward(&extra.root, &mut y);
                let mut up = Six::ZERO;
                for k in 0..m as usize {
                    let (j, z, inverse) = self.row(extra, k);
                    let along = row.dot(&z);
                    up += j.scaled(along * inverse);
                    let mut unit = [T::ZERO; 6];
                    j.write(&mut unit);
                    forward(&extra.root, &mut unit);
                    for (y, &u) in y.iter_mut().zip(&unit) {
                        *y -= along * inverse * u;
                    }
                }
                out[..6].copy_from_slice(&y);
                up.carried_back(self.shift)
            }
        }
    }

    /// What c of a passing row gains by so many freedoms.
    #[inline(always)]
    fn gain_freedoms<const F: usize>(
        &self,
        extra: &NodeExtra<T>,
        row: &Six<T>,
        along: &[T; MAX_COLUMNS],
    ) -> T {
        let mut gain = row.dot(&self.gamma);
        for k in 0..F {
            gain += along[k] * if k == 0 { self.projection } else { extra.projections[k - 1] };
        }
        gain
    }

    /// What c of a passing row gains, given its parts along the freedoms.
    fn gain(&self, extra: &NodeExtra<T>, row: &Six<T>, along: &[T; MAX_COLUMNS]) -> T {
        match self.form {
            Form::Freedoms(f) => {
                let mut gain = row.dot(&self.gamma);
                for k in 0..f as usize {
                    gain += along[k] * if k == 0 { self.projection } else { extra.projections[k - 1] };
                }
                gain
            }
            Form::Rows(m) => {
                let mut gain = row.dot(&extra.solve_diag(self.force));
                for k in 0..m as usize {
                    let t = if k == 0 { self.projection } else { extra.projections[k - 1] };
                    gain -= row.dot(&extra.row_images[k]) * t;
                }
                gain
            }
        }
    }

    /// n_k, Xᵀ w_k and 1/δ_k.
    #[inline(always)]
    pub(crate) fn column<'a>(&'a self, extra: &'a NodeExtra<T>, k: usize) -> (&'a Six<T>, &'a Six<T>, T) {
        match k {
            0 => (&self.first, &self.carried_image, self.inverse),
            _ => (&extra.columns[k - 1], &extra.carried_images[k - 1], extra.inverses[k - 1]),
        }
    }

    /// Adds Σ Lᵀ μ to the force before the way back.
    #[inline(always)]
    pub(crate) fn push(&mut self, extra: &mut NodeExtra<T>, push: &Six<T>) {
        self.force += *push;
        match self.form {
            Form::Freedoms(f) => {
                if f > 0 {
                    self.projection += self.first.dot(push) * self.inverse;
                }
                for k in 1..f as usize {
                    extra.projections[k - 1] += extra.columns[k - 1].dot(push) * extra.inverses[k - 1];
                }
            }
            Form::Rows(m) => {
                if m > 0 {
                    self.projection += extra.row_images[0].dot(push) * self.inverse;
                }
                for k in 1..m as usize {
                    extra.projections[k - 1] += extra.row_images[k].dot(push) * extra.inverses[k - 1];
                }
            }
        }
    }
}
