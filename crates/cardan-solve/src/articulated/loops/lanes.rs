//! Loops between identical trees in SIMD lanes.
//!
//! The *SIMD forest* has several identical trees of the *scalar forest* in the lanes of one. A loop closure
//! between such trees, or on the ground, is carried there as two *loop ends*, each from its block to the
//! ground. On the ground the lanes are unpacked: the sums of every loop end are added to its loop closure in
//! the scalar forest, the loop closures are eliminated there in scalar arithmetic (`eliminate.rs`), and their
//! multipliers are packed into the lanes again.
//!
//! The scalar forest sums the contributions to a loop closure node by node. So a loop end keeps the
//! contribution of each node apart, and [`GroundLoops`] adds them in that order: the result has the bits of
//! the scalar forest alone.

use super::symbolic::LoopMember;
use super::{LoopAccumulator, LoopClosure, LoopClosures, MAX_LOOP_ROWS};
use crate::articulated::{ArticulatedForest, Form, Node, NodeInput};
use crate::graph::{Link, NONE};
use crate::lane::{Lane, Task};
use crate::math::Sym6;
use crate::simd::Simd;

/// One end of a loop closure of the scalar forest.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LoopEnd {
    /// Index of the loop closure.
    pub closure: u32,
    /// Which of its ends: 0 or 1.
    pub end: u8,
}

impl<T: Lane> ArticulatedForest<T> {
    /// Trees given by parents in elimination order, with loop ends: each begins at a node and has at most so
    /// many rows. Loop ends of one path must be in the order of the loop closures of every lane.
    pub fn with_loop_ends(parents: &[Option<u32>], forms: &[Form], loop_ends: &[(u32, usize)]) -> Self {
        let parents: Vec<u32> = parents.iter().map(|parent| parent.unwrap_or(NONE)).collect();
        let closure = |&(place, rows): &(u32, usize)| LoopClosure::new(Link(0), [place, NONE], rows);
        let mut articulated =
            ArticulatedForest::from_parents(&parents, forms, loop_ends.iter().map(closure).collect());
        let closures = &mut articulated.closures;
        closures.are_loop_ends = true;
        closures.symbolic.on_ground = 0..0;
        closures.sums = vec![LoopAccumulator::ZERO; closures.symbolic.slots.len()];
        for member in closures.symbolic.members.iter_mut().filter(|member| member.slot != NONE) {
            member.sum = member.slot;
        }
        articulated
    }
}

impl<T: Lane> Node<T> {
    /// Writes the input of a node with mass diag(m 1, I).
    #[inline(always)]
    pub fn fill(&mut self, input: &NodeInput<T>) {
        self.diag = Sym6::of_mass(input.mass, input.inertia);
        (self.force, self.gamma) = (input.force, input.gamma);
        (self.shift, self.first) = (input.shift, input.first);
        (self.effort, self.joint_inertia) = (input.effort, input.joint_inertia);
    }
}

/// A block of B in one lane, and the element of the scalar forest that it is.
#[derive(Copy, Clone, Debug)]
struct LaneBlock {
    element: u32,
    lane: u32,
    in_scalar: u32,
}

/// What one node contributes to a loop closure.
#[derive(Copy, Clone, Debug)]
struct LaneContribution {
    closure: u32,
    sum: u32,
    lane: u32,
}

/// Loop closures on the ground, between loop ends in the lanes of a SIMD forest and the scalar forest.
#[derive(Clone, Debug)]
pub struct GroundLoops {
    lanes: usize,
    /// Of each loop end, the end of a loop closure that it is in every lane.
    loop_ends: Vec<LoopEnd>,
    /// In the order of the scalar forest.
    contributions: Vec<LaneContribution>,
    lane_blocks: Vec<LaneBlock>,
    /// Where the kept rows of every loop closure begin among those of all, and one past the last.
    first: Vec<u32>,
    /// By kept row: c of both right-hand sides, ĉ after elimination; λ.
    rhs: [Vec<f64>; 2],
    found: [Vec<f64>; 2],
    /// Number of kept rows if it is 2 or 3 for all loop closures and each is coupled to at most one other
    /// when it is eliminated; otherwise zero.
    uniform_rows: usize,
    /// In the uniform case: the loop closures in order of elimination, each with the one it is coupled to;
    /// their factors, contiguous.
    pivot_pairs: Vec<PivotPair>,
    factors: Vec<f64>,
}

/// A loop closure, and the one that it is coupled to when it is eliminated, or [`NONE`].
#[derive(Copy, Clone, Debug)]
struct PivotPair {
    pivot: u32,
    other: u32,
}

impl GroundLoops {
    /// Connects trees of `scalar_forest` with their lanes in `simd_forest`. `loop_ends` are those of the SIMD
    /// forest, lane by lane; `lane_of` gives the node and the lane of each node of the scalar forest. Lanes
    /// beyond the last tree repeat another tree and are not read. `None` if the paths are not the same in all
    /// lanes.
    pub fn new<T: Simd>(
        simd_forest: &ArticulatedForest<T>,
        scalar_forest: &ArticulatedForest,
        loop_ends: Vec<LoopEnd>,
        lane_of: impl Fn(usize) -> (usize, usize),
    ) -> Option<Self> {
        let (mut contributions, mut lane_blocks) = (Vec::new(), Vec::new());
        for (place, node) in scalar_forest.nodes.iter().enumerate() {
            let (node_index, lane) = lane_of(place);
            let stop_of = simd_forest.nodes.get(node_index)?.loop_step;
            if node.loop_step == NONE || stop_of == NONE {
                if node.loop_step != stop_of {
                    return None;
                }
                continue;
            }
            let (loop_step, stop_of) = (
                &scalar_forest.closures.symbolic.loop_steps[node.loop_step as usize],
                &simd_forest.closures.symbolic.loop_steps[stop_of as usize],
            );
            let (pass, pass_of) = (loop_step.pass.as_ref()?, stop_of.pass.as_ref()?);
            let members = scalar_forest.closures.symbolic.members(&pass.members);
            let members_of = simd_forest.closures.symbolic.members(&pass_of.members);
            let is_uniform = members.len() == members_of.len()
                && loop_step.eliminations.is_empty()
                && pass.inputs.len() == pass_of.inputs.len();
            if !is_uniform {
                return None;
            }
            for (member, member_of) in members.iter().zip(members_of) {
                if loop_ends.get(member_of.closure as usize * T::LANES + lane)?.closure != member.closure {
                    return None;
                }
                contributions.push(LaneContribution {
                    closure: member.closure,
                    sum: member_of.sum,
                    lane: lane as u32,
                });
            }
            if node.parent == NONE {
                lane_blocks.push(LaneBlock { element: pass_of.out, lane: lane as u32, in_scalar: pass.out });
            }
        }
        // All loop closures must meet on the ground, and be eliminated there.
        let all_on_ground = scalar_forest.closures.symbolic.on_ground.len()
            == scalar_forest.closures.all.len()
            && !scalar_forest.closures.may_have_legs();
        let (count, rows) =
            (scalar_forest.closures.all.len(), MAX_LOOP_ROWS * scalar_forest.closures.all.len());
        let room = || [Vec::with_capacity(rows), Vec::with_capacity(rows)];
        all_on_ground.then(|| GroundLoops {
            lanes: T::LANES,
            loop_ends,
            contributions,
            lane_blocks,
            first: Vec::with_capacity(count + 1),
            rhs: room(),
            found: room(),
            uniform_rows: 0,
            pivot_pairs: Vec::with_capacity(count),
            factors: Vec::with_capacity(2 * 3 * 3 * count),
        })
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.loop_ends.capacity() * size_of::<LoopEnd>()
            + self.contributions.capacity() * size_of::<LaneContribution>()
            + self.lane_blocks.capacity() * size_of::<LaneBlock>()
            + self.first.capacity() * size_of::<u32>()
            + self.pivot_pairs.capacity() * size_of::<PivotPair>()
            + self.factors.capacity() * size_of::<f64>()
            + self.rhs.iter().chain(&self.found).map(|all| all.capacity() * size_of::<f64>()).sum::<usize>()
    }

    /// Takes over which rows of the loop closures are kept; false if some loop closure has
    /// [`Noise`](super::Noise), which is not handled in lanes.
    pub fn plan(&mut self, scalar_forest: &ArticulatedForest) -> bool {
        self.first.clear();
        let mut rows = 0;
        self.first.push(rows);
        for closure in &scalar_forest.closures.all {
            rows += u32::from(closure.kept_count);
            self.first.push(rows);
        }
        for all in self.rhs.iter_mut().chain(&mut self.found) {
            all.clear();
            all.resize(rows as usize, 0.0);
        }
        let symbolic = &scalar_forest.closures.symbolic;
        let kept = scalar_forest.closures.all.first().map_or(0, |closure| closure.kept_count);
        let mut is_uniform = matches!(kept, 2 | 3);
        for closure in &scalar_forest.closures.all {
            is_uniform &= closure.kept_count == kept;
        }
        self.pivot_pairs.clear();
        for elimination in
            &symbolic.eliminations[symbolic.on_ground.start as usize..symbolic.on_ground.end as usize]
        {
            let others = symbolic.members(&elimination.others);
            is_uniform &= others.len() < 2;
            let other = others.first().map_or(NONE, |m| m.closure);
            self.pivot_pairs.push(PivotPair { pivot: elimination.pivot.closure, other });
        }
        self.uniform_rows = if is_uniform { kept as usize } else { 0 };
        scalar_forest.closures.all.iter().all(|closure| closure.noise.is_none())
    }

    /// Copies the factors of the uniform case into one array.
    fn pack_factors<const K: usize>(&mut self, scalar_forest: &ArticulatedForest) {
        let LoopClosures { symbolic, factors, .. } = &scalar_forest.closures;
        self.factors.clear();
        for elimination in
            &symbolic.eliminations[symbolic.on_ground.start as usize..symbolic.on_ground.end as usize]
        {
            let (rows, _) = factors[elimination.factor_at as usize..].as_chunks::<K>();
            let below = if elimination.others.is_empty() { &[][..] } else { &rows[K..2 * K] };
            self.factors.extend_from_slice(rows[..K].as_flattened());
            self.factors.extend_from_slice(below.as_flattened());
            self.factors.resize(self.factors.len() + (K - below.len()) * K, 0.0);
        }
    }

    /// In: c of the kept rows of a loop closure. It must be written before every right-hand side, which
    /// overwrites it.
    #[inline(always)]
    pub fn bias_mut(&mut self, closure: usize) -> &mut [f64] {
        let (from, to) = (self.first[closure] as usize, self.first[closure + 1] as usize);
        &mut self.rhs[0][from..to]
    }

    /// Out: λ of the kept rows of a closure.
    #[inline(always)]
    pub fn answers(&self, closure: usize) -> &[f64] {
        let (from, to) = (self.first[closure] as usize, self.first[closure + 1] as usize);
        &self.found[0][from..to]
    }

    /// After the elimination of the SIMD forest: eliminates the loop closures on the ground and solves for
    /// their multipliers. False if a pivot vanishes.
    pub fn eliminate<T: Simd>(
        &mut self,
        simd_forest: &ArticulatedForest<T>,
        scalar_forest: &mut ArticulatedForest,
    ) -> bool {
        let closures = &mut scalar_forest.closures;
        closures.least_pivot = 1.0;
        closures.failed = NONE;
        for sum in &mut closures.sums {
            sum.formed = [0.0; MAX_LOOP_ROWS];
        }
        match self.uniform_rows {
            2 => self.add_uniform_gains::<T, 2>(simd_forest, &mut closures.sums),
            3 => self.add_uniform_gains::<T, 3>(simd_forest, &mut closures.sums),
            _ => {}
        }
        let GroundLoops { contributions, lane_blocks, first, rhs: [rhs, _], uniform_rows, .. } = &mut *self;
        for &LaneContribution { closure, sum, lane } in contributions.iter().filter(|_| *uniform_rows == 0) {
            let (at, to) = (first[closure as usize] as usize, first[closure as usize + 1] as usize);
            let (formed, from) =
                (&mut closures.sums[closure as usize].formed, &simd_forest.closures.sums[sum as usize]);
            let gained = from.rhs[0].iter().zip(&from.formed);
            for ((side, formed), (gain, size)) in rhs[at..to].iter_mut().zip(formed).zip(gained) {
                *side += gain.at(lane as usize & 3);
                *formed += size.at(lane as usize & 3);
            }
        }
        for &LaneBlock { element, lane, in_scalar } in &*lane_blocks {
            let from = &simd_forest.closures.symbolic.elements[element as usize];
            let members = simd_forest.closures.symbolic.members(&from.members);
            let rows: usize = members
                .iter()
                .map(|m| simd_forest.closures.all[m.closure as usize].kept_count as usize)
                .sum();
            let to = &mut closures.symbolic.elements[in_scalar as usize];
            (to.cols, to.is_triangle) = (from.cols, from.is_triangle);
            let count = rows * from.cols as usize;
            let numbers = &simd_forest.closures.entries[from.at as usize..][..count];
            for (to, from) in closures.entries[to.at as usize..].iter_mut().zip(numbers) {
                *to = from.at(lane as usize & 3);
            }
        }
        let is_fine = closures.factor_on_ground();
        match self.uniform_rows {
            2 => self.pack_factors::<2>(scalar_forest),
            3 => self.pack_factors::<3>(scalar_forest),
            _ => {}
        }
        self.answer::<1>(scalar_forest);
        is_fine
    }

    /// Sums the contributions to all loop closures in the uniform case.
    fn add_uniform_gains<T: Simd, const K: usize>(
        &mut self,
        simd_forest: &ArticulatedForest<T>,
        sums: &mut [LoopAccumulator<f64>],
    ) {
        let rhs = self.rhs[0].as_chunks_mut::<K>().0;
        for &LaneContribution { closure, sum, lane } in &self.contributions {
            let (Some(side), Some(LoopAccumulator { formed, .. })) =
                (rhs.get_mut(closure as usize), sums.get_mut(closure as usize))
            else {
                continue;
            };
            let from = &simd_forest.closures.sums[sum as usize];
            for k in 0..K {
                side[k] += from.rhs[0][k].at(lane as usize & 3);
                formed[k] += from.formed[k].at(lane as usize & 3);
            }
        }
    }

    /// Sums the contributions to both right-hand sides of all loop closures in the uniform case.
    fn add_uniform_gains_two_rhs<T: Simd, const K: usize>(&mut self, simd_forest: &ArticulatedForest<T>) {
        let [rhs, seconds] = &mut self.rhs;
        let (rhs, seconds) = (rhs.as_chunks_mut::<K>().0, seconds.as_chunks_mut::<K>().0);
        for &LaneContribution { closure, sum, lane } in &self.contributions {
            let (Some(side), Some(second)) =
                (rhs.get_mut(closure as usize), seconds.get_mut(closure as usize))
            else {
                continue;
            };
            let [one, two] = &simd_forest.closures.sums[sum as usize].rhs;
            for k in 0..K {
                side[k] += one[k].at(lane as usize & 3);
                second[k] += two[k].at(lane as usize & 3);
            }
        }
    }

    /// λ in the uniform case.
    fn solve_uniform<const N: usize, const K: usize>(&mut self) {
        let GroundLoops { pivot_pairs, factors, rhs, found, .. } = self;
        let [first, second] = rhs.each_mut().map(|side| side.as_chunks_mut::<K>().0);
        let factors = factors.as_chunks::<K>().0.as_chunks::<K>().0.as_chunks::<2>().0;
        for (PivotPair { pivot, other }, [own, below]) in pivot_pairs.iter().zip(factors) {
            for rhs in [&mut *first, &mut *second].into_iter().take(N) {
                let Some(side) = rhs.get_mut(*pivot as usize) else { continue };
                for i in 0..K {
                    let mut c = side[i];
                    for j in 0..i {
                        c -= own[i][j] * side[j];
                    }
                    side[i] = c * own[i][i];
                }
                let side = *side;
                if let Some(to) = rhs.get_mut(*other as usize) {
                    for k in 0..K {
                        for j in 0..K {
                            to[k] -= below[k][j] * side[j];
                        }
                    }
                }
            }
        }
        let [answers, seconds] = found.each_mut().map(|found| found.as_chunks_mut::<K>().0);
        for (PivotPair { pivot, other }, [own, below]) in pivot_pairs.iter().zip(factors).rev() {
            for (rhs, found) in [(&*first, &mut *answers), (&*second, &mut *seconds)].into_iter().take(N) {
                let Some(side) = rhs.get(*pivot as usize) else { continue };
                let mut sum = *side;
                if let Some(found) = found.get(*other as usize) {
                    for k in 0..K {
                        for j in 0..K {
                            sum[j] += below[k][j] * found[k];
                        }
                    }
                }
                let Some(found) = found.get_mut(*pivot as usize) else { continue };
                for i in (0..K).rev() {
                    let mut mu = sum[i];
                    for j in i + 1..K {
                        mu -= own[j][i] * sum[j];
                    }
                    sum[i] = mu * own[i][i];
                    found[i] = -sum[i];
                }
            }
        }
    }

    /// After the forward substitution of both right-hand sides: solves for the multipliers of the loop
    /// closures.
    pub fn solve_two_rhs<T: Simd>(
        &mut self,
        simd_forest: &ArticulatedForest<T>,
        scalar_forest: &ArticulatedForest,
        part: f64,
    ) {
        let [rhs, seconds] = &mut self.rhs;
        for (second, side) in seconds.iter_mut().zip(&*rhs) {
            *second = *side * part;
        }
        match self.uniform_rows {
            2 => self.add_uniform_gains_two_rhs::<T, 2>(simd_forest),
            3 => self.add_uniform_gains_two_rhs::<T, 3>(simd_forest),
            _ => {}
        }
        let GroundLoops { contributions, first, rhs: [rhs, seconds], uniform_rows, .. } = &mut *self;
        for &LaneContribution { closure, sum, lane } in contributions.iter().filter(|_| *uniform_rows == 0) {
            let (at, to) = (first[closure as usize] as usize, first[closure as usize + 1] as usize);
            let [one, two] = &simd_forest.closures.sums[sum as usize].rhs;
            let rows = rhs[at..to].iter_mut().zip(&mut seconds[at..to]);
            for ((side, second), (one, two)) in rows.zip(one.iter().zip(two)) {
                *side += one.at(lane as usize & 3);
                *second += two.at(lane as usize & 3);
            }
        }
        self.answer::<2>(scalar_forest);
    }

    /// Solves for the multipliers of a right-hand side of the loop closures alone.
    pub fn solve_biases(&mut self, scalar_forest: &ArticulatedForest) {
        self.answer::<1>(scalar_forest);
    }

    /// λ of the first `N` right-hand sides from c: forward and back substitution of the loop closures on the
    /// ground.
    fn answer<const N: usize>(&mut self, scalar_forest: &ArticulatedForest) {
        match self.uniform_rows {
            2 => return self.solve_uniform::<N, 2>(),
            3 => return self.solve_uniform::<N, 3>(),
            _ => {}
        }
        let LoopClosures { symbolic, factors, .. } = &scalar_forest.closures;
        let GroundLoops { first, rhs, found, .. } = self;
        let eliminations =
            &symbolic.eliminations[symbolic.on_ground.start as usize..symbolic.on_ground.end as usize];
        for elimination in eliminations {
            let pivot = elimination.pivot.closure as usize;
            let factor = &factors[elimination.factor_at as usize..];
            let others = symbolic.members(&elimination.others);
            for side in &mut rhs[..N] {
                match first[pivot + 1] - first[pivot] {
                    1 => forward_substitute::<1>(first, factor, pivot, others, side),
                    2 => forward_substitute::<2>(first, factor, pivot, others, side),
                    3 => forward_substitute::<3>(first, factor, pivot, others, side),
                    4 => forward_substitute::<4>(first, factor, pivot, others, side),
                    5 => forward_substitute::<5>(first, factor, pivot, others, side),
                    6 => forward_substitute::<6>(first, factor, pivot, others, side),
                    _ => {}
                }
            }
        }
        for elimination in eliminations.iter().rev() {
            let pivot = elimination.pivot.closure as usize;
            let factor = &factors[elimination.factor_at as usize..];
            let others = symbolic.members(&elimination.others);
            for (side, found) in rhs.iter().zip(found.iter_mut()).take(N) {
                match first[pivot + 1] - first[pivot] {
                    1 => back_substitute::<1>(first, factor, pivot, others, (side, found)),
                    2 => back_substitute::<2>(first, factor, pivot, others, (side, found)),
                    3 => back_substitute::<3>(first, factor, pivot, others, (side, found)),
                    4 => back_substitute::<4>(first, factor, pivot, others, (side, found)),
                    5 => back_substitute::<5>(first, factor, pivot, others, (side, found)),
                    6 => back_substitute::<6>(first, factor, pivot, others, (side, found)),
                    _ => {}
                }
            }
        }
    }

    /// Packs the multipliers of the first `RHS_COUNT` right-hand sides into the lanes.
    pub fn scatter_answers<T: Simd, const RHS_COUNT: usize>(&self, simd_forest: &mut ArticulatedForest<T>) {
        T::run_vectorized(ScatterAnswers::<T, RHS_COUNT>(self, simd_forest));
    }

    #[inline(always)]
    fn scatter_inlined<T: Simd, const RHS_COUNT: usize>(&self, simd_forest: &mut ArticulatedForest<T>) {
        let all = self.loop_ends.chunks_exact(self.lanes).zip(&mut simd_forest.closures.all);
        for (lanes, loop_end) in all {
            let mut at = [0; 4];
            for (at, lane) in at.iter_mut().zip(lanes) {
                *at = self.first[lane.closure as usize] as usize;
            }
            for k in 0..loop_end.kept_count as usize {
                for side in 0..RHS_COUNT {
                    let found = &self.found[side];
                    loop_end.found[side][k] = T::from_lanes(|lane| found[at[lane] + k]);
                }
            }
        }
    }
}

/// ĉ = T⁻¹ c of a loop closure with `K` rows, and c_o −= A ĉ of the others.
#[inline(always)]
fn forward_substitute<const K: usize>(
    first: &[u32],
    factor: &[f64],
    pivot: usize,
    others: &[LoopMember],
    rhs: &mut [f64],
) {
    let Some((own, below)) = factor.as_chunks::<K>().0.split_first_chunk::<K>() else { return };
    let Some(side) = rhs[first[pivot] as usize..].first_chunk_mut::<K>() else { return };
    for i in 0..K {
        let mut c = side[i];
        for j in 0..i {
            c -= own[i][j] * side[j];
        }
        side[i] = c * own[i][i];
    }
    let (side, mut below) = (*side, below.iter());
    for m in others {
        let (at, to) = (first[m.closure as usize] as usize, first[m.closure as usize + 1] as usize);
        for (to, row) in rhs[at..to].iter_mut().zip(&mut below) {
            for (&a, &side) in row.iter().zip(&side) {
                *to -= a * side;
            }
        }
    }
}

/// μ = −T⁻ᵀ (ĉ + Aᵀ μ_o).
#[inline(always)]
fn back_substitute<const K: usize>(
    first: &[u32],
    factor: &[f64],
    pivot: usize,
    others: &[LoopMember],
    (rhs, found): (&[f64], &mut [f64]),
) {
    let Some((own, below)) = factor.as_chunks::<K>().0.split_first_chunk::<K>() else { return };
    let Some(side) = rhs[first[pivot] as usize..].first_chunk::<K>() else { return };
    let (mut sum, mut below) = (*side, below.iter());
    for m in others {
        let (at, to) = (first[m.closure as usize] as usize, first[m.closure as usize + 1] as usize);
        for (&found, row) in found[at..to].iter().zip(&mut below) {
            for (sum, &a) in sum.iter_mut().zip(row) {
                *sum += a * found;
            }
        }
    }
    let Some(found) = found[first[pivot] as usize..].first_chunk_mut::<K>() else { return };
    for i in (0..K).rev() {
        let mut mu = sum[i];
        for j in i + 1..K {
            mu -= own[j][i] * sum[j];
        }
        sum[i] = mu * own[i][i];
        found[i] = -sum[i];
    }
}

struct ScatterAnswers<'l, T: Simd, const RHS_COUNT: usize>(&'l GroundLoops, &'l mut ArticulatedForest<T>);
impl<T: Simd, const RHS_COUNT: usize> Task for ScatterAnswers<'_, T, RHS_COUNT> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.scatter_inlined::<T, RHS_COUNT>(self.1);
    }
}
