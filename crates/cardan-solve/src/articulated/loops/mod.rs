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

mod backward;
pub(crate) mod ball_pass;
mod closure;
mod eliminate;
mod forward;
mod front;
mod lanes;
mod pass;
mod rhs;
mod sqrt_block;
pub(crate) mod symbolic;
#[cfg(test)]
mod tests;

pub use closure::{LoopClosure, MAX_LOOP_ROWS, NEARLY_SINGULAR, Noise};
pub use lanes::{GroundLoops, LoopEnd};

use crate::articulated::MAX_COLUMNS;
use crate::graph::NONE;
use crate::lane::Lane;
use crate::math::Six;
use ball_pass::RunColumns;
use front::DenseFront;
use sqrt_block::{SymbolicLists, copy_few, copy_inputs};
use std::ops::Range;
use symbolic::SymbolicLoops;

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

    /// Whether closures meet at a stop.
    pub(crate) fn has_elimination_at(&self, loop_step: u32) -> bool {
        !self.symbolic.loop_steps[loop_step as usize].eliminations.is_empty()
    }

    /// Columns of the inputs, side by side.
    #[inline(always)]
    fn width(&self, inputs: &Range<u32>) -> usize {
        self.symbolic.inputs(inputs).iter().map(|&e| self.symbolic.elements[e as usize].cols as usize).sum()
    }
}
