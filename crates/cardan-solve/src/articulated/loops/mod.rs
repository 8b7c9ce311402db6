//! Loop closures: links that the forest leaves out, and couplings between any number of blocks. Their rows L are
//! carried towards the root and eliminated where all their ends meet.
//!
//! Legend, with the symbols of the module page of [`articulated`](crate::articulated): N is D-orthogonal
//! (n_k, δ_k), w_k = D n_k, r = F − D γ. A loop closure has rows L, a bias c, and a block B of the square
//! root of its compliance, G = B Bᵀ. Past a link in freedoms form:
//!
//! ```text
//! B gains a column (L n_k)/√δ_k for every freedom
//! c += L (γ + Σ n_k (n_k·r)/δ_k)
//! L_p += (L − Σ (L n_k)/δ_k w_kᵀ) X
//! ```
//!
//! Past a link in rows form (D = R Rᵀ, z_k = D⁻¹ j_k, t_k = c_k + z_k·F):
//!
//! ```text
//! B gains six columns: R⁻¹ Lᵀ without its parts along R⁻¹ j_k
//! c += L D⁻¹ F − Σ (L z_k) t_k/σ_k
//! L_p += Σ (L z_k)/σ_k j_kᵀ X
//! ```
//!
//! Where the ends meet, at block a or on the ground, reflections make the rows of B lower triangular, [T 0],
//! and those of other loop closures with the same columns [A B']. Then
//!
//! ```text
//! L̂ = T⁻¹ L,  ĉ = T⁻¹ c          D_a += L̂ᵀ L̂,   F_a −= L̂ᵀ ĉ
//! others:  L_o −= A L̂,   c_o −= A ĉ,   B_o ← B'
//! back:  μ = −T⁻ᵀ (ĉ + L̂ x_a + Aᵀ μ_o)          F ← F + Σ Lᵀ μ at the blocks on the path
//! ```
//!
//! Only rows that the rank plan keeps are carried; the others depend on them (`rank_plan.rs`). G is never
//! formed, and nothing is subtracted from B, so nothing cancels.
//!
//! | file | |
//! |---|---|
//! | `symbolic.rs` | the path of every loop and the order of elimination, once per forest |
//! | `closure.rs` | one loop closure, of a link or of a coupling: rows, bias, multipliers |
//! | `pass.rs`, `ball_pass.rs` | rows past a block; past a spherical link in closed form |
//! | `eliminate.rs` | elimination where the ends meet |
//! | `forward.rs`, `backward.rs` | right-hand sides and multipliers |
//! | `rhs.rs` | a right-hand side of the loops alone |
//! | `sqrt_block.rs`, `front.rs` | blocks of B, and dense fronts made of them |
//! | `lanes.rs` | loops between identical trees in SIMD lanes |

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

pub use closure::{Coupling, CouplingEnd, EndKind, LoopClosure, MAX_LOOP_ROWS, NEARLY_SINGULAR, Noise};
pub use lanes::{GroundLoops, LoopEnd};

use crate::articulated::{Form, MAX_COLUMNS};
use crate::graph::NONE;
use crate::lane::Lane;
use crate::math::Six;
use ball_pass::RunColumns;
use front::DenseFront;
use sqrt_block::{SymbolicLists, copy_few, copy_inputs};
use std::ops::Range;
use symbolic::SymbolicLoops;

/// Least pivot of a leg that is eliminated at its platform, squared and relative to what formed it: a sine of
/// 0.03.
const LEAST_LEG_PIVOT: f64 = 1e-3;

/// Sums along the path of a loop closure.
#[derive(Copy, Clone, Debug)]
pub(crate) struct LoopAccumulator<T: Lane> {
    /// c of the kept rows while others are eliminated; ĉ in the end. First and second right-hand side.
    pub(crate) rhs: [[T; MAX_LOOP_ROWS]; 2],
    /// Squares of the lengths that the kept rows of B would have if nothing had cancelled in their entries.
    pub(crate) formed: [T; MAX_LOOP_ROWS],
}

impl<T: Lane> LoopAccumulator<T> {
    pub(crate) const ZERO: Self =
        LoopAccumulator { rhs: [[T::ZERO; MAX_LOOP_ROWS]; 2], formed: [T::ZERO; MAX_LOOP_ROWS] };
}

/// All loop closures of a forest, with the numbers of their elimination.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopClosures<T: Lane> {
    pub(crate) all: Vec<LoopClosure<T>>,
    /// One per loop closure; for loop ends in lanes (`lanes.rs`) one per slot.
    pub(crate) sums: Vec<LoopAccumulator<T>>,
    pub(crate) are_loop_ends: bool,
    pub(crate) symbolic: SymbolicLoops,
    /// The plan that is not in use, if there are legs (`symbolic.rs`), and whether that in use eliminates them
    /// at their platforms.
    other: Option<Box<SymbolicLoops>>,
    pub(crate) has_legs: bool,
    /// Rows at every slot.
    pub(crate) carried: Vec<Six<T>>,
    /// L n_k of every carried row, for links in freedoms form; C⁻¹ a for spherical links (`ball_pass.rs`).
    pub(crate) along: Vec<[T; MAX_COLUMNS]>,
    /// Blocks of B of the elements.
    pub(crate) entries: Vec<T>,
    /// Columns of unfinished runs of spherical links (`ball_pass.rs`): a stack.
    pub(crate) runs: Vec<RunColumns<T>>,
    /// T (diagonal inverted) and A of the eliminations; L̂ of the eliminations.
    pub(crate) factors: Vec<T>,
    images: Vec<Six<T>>,
    pub(crate) front: DenseFront<T>,
    /// First row of each loop closure in the front under work.
    pub(crate) first: Vec<u32>,
    /// Smallest remainder of a kept row in the last elimination, squared and relative to what formed it.
    pub(crate) least_pivot: f64,
    /// Whether the last solve ignored rows whose bias was noise ([`Noise`]).
    pub(crate) ignored_rows: bool,
    /// The first loop closure whose pivot vanished in the last elimination, or [`NONE`].
    pub(crate) failed: u32,
}

impl<T: Lane> LoopClosures<T> {
    /// Plans the paths. Returns also the loop step of each node.
    pub(crate) fn new(parents: &[u32], forms: &[Form], all: Vec<LoopClosure<T>>) -> (Self, Vec<u32>) {
        let mut all = all;
        let (symbolic, loop_steps) = SymbolicLoops::new(parents, &all);
        let freedoms = |form: &Form| match form {
            Form::Freedoms(f) => *f as usize,
            Form::Rows(_) => 0,
        };
        let freedoms: Vec<usize> = forms.iter().map(freedoms).collect();
        let other = SymbolicLoops::with_legs(parents, &freedoms, &all, &loop_steps).map(Box::new);
        let room = |of: fn(&SymbolicLoops) -> usize| {
            let (first, second) = (of(&symbolic), other.as_deref().map_or(0, of));
            if first > second { first } else { second }
        };
        for slot in &symbolic.slots {
            let ends = all[slot.closure as usize].ends.iter_mut();
            ends.filter(|end| end.place == slot.place).for_each(|end| end.at = slot.at);
        }
        let closures = LoopClosures {
            sums: vec![LoopAccumulator::ZERO; all.len()],
            are_loop_ends: false,
            carried: vec![Six::ZERO; room(|plan| plan.carried)],
            along: vec![[T::ZERO; MAX_COLUMNS]; room(|plan| plan.carried)],
            entries: vec![T::ZERO; room(|plan| plan.entries)],
            runs: Vec::with_capacity(symbolic.loop_steps.len()),
            factors: vec![T::ZERO; room(|plan| plan.factors)],
            images: vec![Six::ZERO; room(|plan| plan.images)],
            front: DenseFront::with_room(room(|plan| plan.front)),
            first: vec![0; all.len()],
            least_pivot: 1.0,
            ignored_rows: false,
            failed: NONE,
            all,
            symbolic,
            other,
            has_legs: false,
        };
        (closures, loop_steps)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<LoopClosure<T>>()
            + self.sums.capacity() * size_of::<LoopAccumulator<T>>()
            + self.symbolic.bytes()
            + self.other.as_ref().map_or(0, |other| size_of::<SymbolicLoops>() + other.bytes())
            + (self.carried.capacity() + self.images.capacity()) * size_of::<Six<T>>()
            + self.along.capacity() * size_of::<[T; MAX_COLUMNS]>()
            + (self.entries.capacity() + self.factors.capacity()) * size_of::<T>()
            + self.runs.capacity() * size_of::<RunColumns<T>>()
            + self.front.bytes()
            + self.first.capacity() * size_of::<u32>()
    }

    /// Whether there are two plans.
    pub(crate) fn may_have_legs(&self) -> bool {
        self.other.is_some()
    }

    /// Takes the plan that eliminates legs at their platforms, if there is one, or the other one.
    #[inline]
    pub(crate) fn eliminate_legs(&mut self, at_platforms: bool) {
        if let Some(other) = &mut self.other
            && self.has_legs != at_platforms
        {
            std::mem::swap(&mut self.symbolic, other);
            self.has_legs = at_platforms;
        }
    }

    /// Keeps only the plan that eliminates all loop closures where their ends meet.
    pub(crate) fn forget_legs(&mut self) {
        self.eliminate_legs(false);
        self.other = None;
    }

    /// Whether an elimination of legs at their platforms must be repeated without: a pivot is small.
    #[inline]
    pub(crate) fn leaves_legs(&mut self) -> bool {
        let leaves = self.has_legs && (self.failed != NONE || self.least_pivot < LEAST_LEG_PIVOT);
        if leaves {
            self.eliminate_legs(false);
        }
        leaves
    }

    /// Puts the kept rows of every loop closure on the blocks of its ends.
    pub(crate) fn load_rows(&mut self) {
        for slot in &self.symbolic.slots {
            let closure = &self.all[slot.closure as usize];
            let carried = &mut self.carried[slot.at as usize..];
            for (to, &r) in carried.iter_mut().zip(closure.kept()) {
                *to = slot.end.map_or(Six::ZERO, |end| closure.rows[end as usize][r as usize]);
            }
        }
        for closure in &self.all {
            for end in &closure.ends {
                let carried = &mut self.carried[end.at as usize..];
                for (to, &r) in carried.iter_mut().zip(closure.kept()) {
                    *to += end.rows[r as usize];
                }
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

    /// Gives every member its rows in the front; returns the number of rows.
    pub(crate) fn assign_rows(&mut self, members: &Range<u32>, mut row: usize, plan: bool) -> usize {
        for m in &self.symbolic.members[members.start as usize..members.end as usize] {
            self.first[m.closure as usize] = row as u32;
            let closure = &self.all[m.closure as usize];
            row += if plan { closure.count } else { closure.kept_count } as usize;
        }
        row
    }

    /// Clears the front and copies the inputs into it, column block by column block; returns the first free
    /// column.
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

    /// Whether loop closures are eliminated at a loop step, by one plan or the other.
    pub(crate) fn may_eliminate_at(&self, loop_step: u32) -> bool {
        let other = self.other.as_ref().map(|other| &other.loop_steps[loop_step as usize]);
        self.has_elimination_at(loop_step) || other.is_some_and(|other| !other.eliminations.is_empty())
    }

    /// Whether loop closures are eliminated at a loop step.
    pub(crate) fn has_elimination_at(&self, loop_step: u32) -> bool {
        !self.symbolic.loop_steps[loop_step as usize].eliminations.is_empty()
    }

    /// Number of columns of all inputs.
    #[inline(always)]
    fn width(&self, inputs: &Range<u32>) -> usize {
        self.symbolic.inputs(inputs).iter().map(|&e| self.symbolic.elements[e as usize].cols as usize).sum()
    }
}
