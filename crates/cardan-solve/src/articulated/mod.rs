//! Linear-time elimination of a forest of six-dimensional blocks whose links carry the parent along.
//!
//! Here every link between child c and parent p is *relative*: its rows satisfy J_p = −J_c X with X the rigid carry
//! over the distance d (see [`Six::carried`]). Then it need not be given by its m rows; the f = 6 − m freedoms N
//! that span null(J_c), and one solution γ of J_c γ = −c, say the same:
//!
//!   x_c = X x_p + γ + N s
//!
//! **Freedoms form**, for f = 0 … 3. With D_c the mass of c and what its children added:
//!
//! ```text
//! U = D_c N,   Q = Nᵀ U,   P = D_c − U Q⁻¹ Uᵀ,   r = F_c − D_c γ
//! D_p += Xᵀ P X,          F_p += Xᵀ (r − U Q⁻¹ Nᵀ r)
//! back:  s = Q⁻¹ (Nᵀ r − Uᵀ X x_p),   x_c = X x_p + γ + N s,   load = D_c x_c − F_c
//! ```
//!
//! N is made D-orthogonal on the way (n_k, w_k = D n_k, δ_k = n_k·w_k), so that Q⁻¹ is f divisions. The load is
//! J_cᵀ λ: the reaction, without λ ever being formed.
//!
//! **Rows form**, for m = 1 … 3, where that is smaller: with j_k the rows made D⁻¹-orthogonal, z_k = D⁻¹ j_k,
//! σ_k = j_k·z_k, and biases c_k combined alike:
//!
//! ```text
//! D_p += Xᵀ (Σ j_k j_kᵀ/σ_k) X,   t_k = c_k + z_k·F_c,   F_p += Xᵀ Σ j_k t_k/σ_k
//! back:  λ_k = (j_k·X x_p − t_k)/σ_k,   x_c = D⁻¹ F_c + Σ z_k λ_k,   load = Σ j_k λ_k
//! ```
//!
//! Both are the same elimination; which is used is a matter of cost. A root that floats has D x = F alone.
//! Everything refers to each block's own centre, never to a common origin: long chains keep their digits.
//!
//! Links beyond the forest are [`LoopClosure`]s: their rows travel along the forest and are eliminated where their two ends
//! meet (`loop_closure.rs`), and which of them are independent is decided by geometry alone (`rank_plan.rs`).

mod ball;
pub mod f64x3;
mod kernel;
pub mod level_schedule;
mod loops;
mod rank_plan;
#[cfg(test)]
mod tests;
mod two_rhs;

pub use loops::{GroundLoops, LoopClosure, LoopEnd, MAX_LOOP_ROWS, NEARLY_SINGULAR, Noise};
pub use rank_plan::{JointGeometry, MAX_FREEDOMS, RANK_TOLERANCE};
pub use two_rhs::TwoRhs;

use loops::LoopClosures;
use rank_plan::RankScratch;
use two_rhs::SecondRhs;

use crate::error::{FactorError, SystemEntry};
use crate::forest::{Forest, Role};
use crate::graph::{Block, Graph, Link, NONE, index_u32};
use crate::lane::{Lane, Task};
use crate::math::{Six, Sym3, Sym6, Vec3};
use f64x3::{Avx2, F64x3, NodeInputSimd, SimdChildSum};
use std::mem::size_of;

/// A relative pivot of D below this has lost all its digits.
const LEAST_PIVOT: f64 = 1e-15;
/// Freedoms or rows that a link can have in these forms at most.
pub const MAX_COLUMNS: usize = 3;

/// Which loads are found in a solve: all of them,
pub const ALL_LOADS: u8 = 2;
/// those of links to the ground,
pub const ROOT_LOADS: u8 = 1;
/// or none.
pub const NO_LOADS: u8 = 0;

/// What a place with one or three freedoms has to do: everything;
const INNER: u8 = 0;
/// no children, and a mass diag(m 1, I) of its own;
const LEAF: u8 = 1;
/// no parent to hand anything to.
const ROOT: u8 = 2;

/// What a place is that goes in as [`NodeInput`] numbers, with one freedom: the short way is taken;
const ONE_DOF: u8 = 1;
/// the same, but closures pass it: the short way is taken with wide registers.
const ONE_DOF_IN_LOOP: u8 = 2;
/// The link is the other way round ([`ArticulatedForest::set_reversed`]).
const REVERSED: u8 = 4;

/// How a link is eliminated.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// By its freedoms: this many columns of N.
    Freedoms(u8),
    /// By its rows: this many.
    Rows(u8),
}

/// One block and the link to its parent: what goes in, what is kept, what comes out.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct Node<T: Lane = f64> {
    // in, and kept; `avx2` writes these in this order
    /// In: the mass M. After elimination: D = M + what the children added, or what a ball keeps (`ball.rs`).
    pub diag: Sym6<T>,
    /// In: F. During a solve: F + what the children added.
    pub force: Six<T>,
    /// In, freedoms form: γ. In rows form the biases are in `bias`.
    pub gamma: Six<T>,
    /// In: d, from the parent's centre to this one's; zero without a parent.
    pub shift: Vec3<T>,
    /// In: a column of N, or a row of J_c. Kept: made orthogonal. For a ball ([`ArticulatedForest::use_ball_kernel`]) the arm of its point, `first.lin`.
    pub first: Six<T>,
    /// Freedoms form: Xᵀ w₁ with w₁ = D n₁; w₁ itself for a [`ROOT`]; φ and z of a ball.
    carried_image: Six<T>,
    /// 1/δ₁ or 1/σ₁; then (Nᵀr)/δ₁ or t₁/σ₁.
    inverse: T,
    projection: T,
    // out
    /// Out: the unknowns.
    pub x: Six<T>,
    /// Out: s or λ of the first column or row.
    pub first_answer: T,
    /// Place of the parent, or [`NONE`].
    parent: u32,
    form: Form,
    /// Some block has this one as its parent.
    has_children: bool,
    /// The first of its parent's children in elimination order.
    is_first: bool,
    /// The block does not turn: the angular half of its unknowns is zero.
    is_point: bool,
    /// [`ONE_DOF`], [`ONE_DOF_IN_LOOP`], or 0; and [`REVERSED`].
    fast_kernel: u8,
    /// A link that holds one point (`ball.rs`).
    is_ball: bool,
    /// [`INNER`], [`LEAF`] or [`ROOT`].
    kind: u8,
    /// What closures do here, or [`NONE`].
    loop_step: u32,
}

/// What a link with one freedom does not need, kept apart so that long chains of hinges fit the cache: columns or rows
/// beyond the first, biases and the factor of D.
#[derive(Copy, Clone, Debug)]
pub struct NodeExtra<T: Lane = f64> {
    /// In: columns of N, or rows of J_c. Kept: made orthogonal.
    pub columns: [Six<T>; MAX_COLUMNS - 1],
    /// In, rows form: biases of all rows.
    pub bias: [T; MAX_COLUMNS],
    /// Out: s or λ of the columns or rows beyond the first.
    pub answers: [T; MAX_COLUMNS - 1],
    /// Freedoms form: Xᵀ w_k beyond the first; likewise.
    carried_images: [Six<T>; MAX_COLUMNS - 1],
    /// Rows form: z_k = D⁻¹ j_k of all rows.
    row_images: [Six<T>; MAX_COLUMNS],
    inverses: [T; MAX_COLUMNS - 1],
    projections: [T; MAX_COLUMNS - 1],
    /// What was subtracted in the orthogonalisation: 2 less 1; 3 less 1, 2.
    mixed: [T; 3],
    /// Cholesky factor of D, packed, diagonal inverted: roots and rows form.
    root: [T; 21],
}

/// What goes into a place where a mass about its own centre hangs on a link with one freedom, or on one that holds a point: most places of
/// most mechanisms.
#[derive(Copy, Clone, Debug, Default)]
pub struct NodeInput<T: Lane = f64> {
    /// M = diag(m 1, I).
    pub mass: T,
    /// I.
    pub inertia: Sym3<T>,
    /// F.
    pub force: Six<T>,
    /// γ.
    pub gamma: Six<T>,
    /// d.
    pub shift: Vec3<T>,
    /// N, or the arm of the point that is held in `first.lin`.
    pub first: Six<T>,
}

/// Whoever writes what goes into an elimination, place by place in its order, just before the numbers are used.
pub trait FillNodes<T: Lane> {
    /// The mass into `diag`, `force`, and for a link `shift`, the columns and `gamma` (or rows and biases).
    fn fill_node(&mut self, at: usize, node: &mut Node<T>, extra: &mut NodeExtra<T>);
    /// The same for a place that was made plain, or a `BALL`; `REVERSED` if it was said to be so ([`ArticulatedForest::set_reversed`]).
    #[inline(always)]
    fn input<const BALL: bool, const REVERSED: bool>(
        &mut self,
        at: usize,
        node: &mut Node<T>,
        extra: &mut NodeExtra<T>,
    ) -> NodeInput<T> {
        self.fill_node(at, node, extra);
        NodeInput {
            mass: node.diag.a.xx,
            inertia: node.diag.c,
            force: node.force,
            gamma: node.gamma,
            shift: node.shift,
            first: node.first,
        }
    }
    /// The same in wide registers, by those who can; where numbers are `f64`.
    #[inline(always)]
    fn input_simd<const BALL: bool>(&mut self, _wide: Avx2, _at: usize) -> Option<NodeInputSimd> {
        None
    }
    /// Takes the unknowns of a place as soon as they are known: in the reverse order.
    #[inline(always)]
    fn answer(&mut self, _at: usize, _x: &Six<T>) {}
    /// The same in wide registers, by those who can; false if it was not taken.
    #[inline(always)]
    fn answer_simd(&mut self, _wide: Avx2, _at: usize, _x: [F64x3; 2]) -> bool {
        false
    }
}

/// Whoever takes unknowns, place by place as soon as they are known.
pub trait TakeSolution<T: Lane> {
    /// Takes those of one place.
    fn take(&mut self, at: usize, x: &Six<T>);
    /// The same in wide registers, by those who can; false if they were not taken.
    #[inline(always)]
    fn take_simd(&mut self, _wide: Avx2, _at: usize, _x: [F64x3; 2]) -> bool {
        false
    }
}

impl<T: Lane, F: FnMut(usize, &Six<T>)> TakeSolution<T> for F {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        self(at, x);
    }
}

/// Whoever fills also takes.
struct FillerAsTaker<'f, F>(&'f mut F);

impl<T: Lane, F: FillNodes<T>> TakeSolution<T> for FillerAsTaker<'_, F> {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        self.0.answer(at, x);
    }
    #[inline(always)]
    fn take_simd(&mut self, avx2: Avx2, at: usize, x: [F64x3; 2]) -> bool {
        self.0.answer_simd(avx2, at, x)
    }
}

/// From a closure.
#[derive(Debug)]
pub struct FillWith<F>(pub F);

impl<T: Lane, F: FnMut(usize, &mut Node<T>, &mut NodeExtra<T>)> FillNodes<T> for FillWith<F> {
    #[inline(always)]
    fn fill_node(&mut self, at: usize, node: &mut Node<T>, extra: &mut NodeExtra<T>) {
        (self.0)(at, node, extra);
    }
}

/// What a solve leaves, in elimination order.
#[derive(Debug)]
pub struct Results<'s, T: Lane = f64> {
    /// The limbs.
    pub nodes: &'s [Node<T>],
    /// What they have beyond their first column or row.
    pub extra: NodeExtras<'s, T>,
    /// J_cᵀ λ.
    pub loads: &'s mut [Six<T>],
}

/// What limbs have beyond their first column or row, by their places.
#[derive(Copy, Clone, Debug)]
pub struct NodeExtras<'s, T: Lane = f64> {
    all: &'s [NodeExtra<T>],
    at: &'s [u32],
}

impl<'s, T: Lane> NodeExtras<'s, T> {
    /// That of a place; see [`ArticulatedForest::extra`].
    #[inline(always)]
    pub fn of(&self, place: usize) -> &'s NodeExtra<T> {
        &self.all[self.at[place] as usize]
    }
}

/// An answer that is being improved.
#[derive(Copy, Clone, Debug)]
pub struct NodeSolution<T: Lane = f64> {
    /// The unknowns.
    pub x: Six<T>,
    /// J_cᵀ λ.
    pub load: Six<T>,
    /// F and what the children added.
    pub force: Six<T>,
    /// s or λ of the first column or row.
    pub first: T,
    /// The same of the others, where the place has any.
    pub others: [T; MAX_COLUMNS - 1],
}

/// Whoever keeps answers while they are improved.
pub trait SolutionStore<T: Lane> {
    /// Keeps that of a place: one after another.
    fn keep(&mut self, at: usize, answer: &NodeSolution<T>);
    /// What was kept.
    fn kept(&self, at: usize) -> NodeSolution<T>;
    /// Takes the unknowns as they are in the end; what was kept of the place is no longer needed.
    fn improved(&mut self, _at: usize, _x: &Six<T>) {}
}

impl<T: Lane> SolutionStore<T> for Vec<NodeSolution<T>> {
    fn keep(&mut self, at: usize, answer: &NodeSolution<T>) {
        self.truncate(at);
        self.push(*answer);
    }
    fn kept(&self, at: usize) -> NodeSolution<T> {
        self[at]
    }
}

/// Linear-time solver of such a forest; numbers of type `T`.
#[derive(Clone, Debug)]
pub struct ArticulatedForest<T: Lane = f64> {
    /// In elimination order, a postorder: a parent is behind its children, a subtree in one piece.
    nodes: Vec<Node<T>>,
    /// What they have beyond that. The first entry belongs to no place: those that need none share it, and never read it.
    extra: Vec<NodeExtra<T>>,
    /// Where each place has its own.
    extra_at: Vec<u32>,
    /// Out: J_cᵀ λ, what the link of each place exerts on its block.
    loads: Vec<Six<T>>,
    /// Sums for parents whose children are being eliminated: as deep as the branches nest, one for a chain.
    sums: Vec<(Sym6<T>, Six<T>)>,
    simd_sums: Vec<SimdChildSum>,
    /// The same of a second right side, and what places keep of it: all of them a number, those with an entry in `extra` the rest. Made when first needed.
    second_sums: Vec<Six<T>>,
    second_projections: Vec<T>,
    seconds: Vec<SecondRhs<T>>,
    /// The block of each limb, and the limb of each block.
    blocks: Vec<Block>,
    places: Vec<u32>,
    /// The link of each limb, if it has one.
    links: Vec<Option<Link>>,
    closures: LoopClosures<T>,
    /// Scratch of a solve for closures alone: whether something is handed to a place.
    reached: Vec<bool>,
    rank_scratch: RankScratch,
}

impl<T: Lane> ArticulatedForest<T> {
    /// Prepares the elimination, if it can be done this way: links between at most two blocks and with at most six rows, and
    /// a form (`forms`, by link) for those that the forest is made of. Links beyond the forest, and all but the first
    /// between the same block and parent, become closures. Blocks count as six-dimensional here, whatever the graph says.
    pub fn new(graph: &Graph, forest: &Forest, forms: &[Option<Form>]) -> Option<Self> {
        let mut link_of = vec![None; graph.blocks()];
        let mut beyond = Vec::new();
        for link in graph.all_links() {
            let child = match forest.role(link) {
                Role::Primary => Some(child_of(graph, forest, link)?),
                Role::Loop => None,
                Role::Auxiliary => return None,
            };
            match child.map(|c| &mut link_of[c.0 as usize]) {
                Some(slot @ None) => {
                    forms[link.0 as usize]?;
                    *slot = Some(link);
                }
                _ => beyond.push(link),
            }
        }
        let mut places = vec![NONE; graph.blocks()];
        for (i, block) in forest.order().iter().enumerate() {
            places[block.0 as usize] = index_u32(i);
        }
        let parents: Vec<u32> =
            forest.order().iter().map(|&b| forest.parent(b).map_or(NONE, |p| places[p.0 as usize])).collect();
        // A block without a link floats: it is a root in no form; `Rows(0)` solves D x = F.
        let form = |block: &Block| link_of[block.0 as usize].and_then(|l: Link| forms[l.0 as usize]);
        let forms: Vec<Form> = forest.order().iter().map(|b| form(b).unwrap_or(Form::Rows(0))).collect();
        let closure = |&link: &Link| {
            let mut ends = graph.ends(link).iter().map(|end| end.map_or(NONE, |b| places[b.0 as usize]));
            let both = [ends.next().unwrap_or(NONE), ends.next().unwrap_or(NONE)];
            let rows = graph.row_range(link).len();
            (ends.next().is_none() && rows <= MAX_LOOP_ROWS).then(|| LoopClosure::new(link, both, rows))
        };
        let closures = beyond.iter().map(closure).collect::<Option<Vec<_>>>()?;
        let mut articulated = ArticulatedForest::from_parents(&parents, &forms, closures);
        articulated.links = forest.order().iter().map(|b| link_of[b.0 as usize]).collect();
        articulated.blocks = forest.order().to_vec();
        articulated.places = places;
        Some(articulated)
    }

    /// Place by place, in elimination order; blocks are numbered like places, and links have no names.
    fn from_parents(parents: &[u32], forms: &[Form], closures: Vec<LoopClosure<T>>) -> Self {
        let (closures, loop_steps) = LoopClosures::new(parents, closures);
        let mut begun = vec![false; parents.len()];
        let node = |at: usize| Node {
            parent: parents[at],
            // Children come first, so whoever has any is marked by now.
            has_children: begun[at],
            is_first: begun
                .get_mut(parents[at] as usize)
                .is_some_and(|begun| !std::mem::replace(begun, true)),
            form: forms[at],
            kind: match (forms[at], parents[at]) {
                (Form::Freedoms(1 | 3), NONE) => ROOT,
                _ => INNER,
            },
            loop_step: loop_steps[at],
            ..Node::default()
        };
        let nodes: Vec<Node<T>> = (0..parents.len()).map(node).collect();
        let (mut depth, mut deepest) = (0, 0);
        for node in &nodes {
            depth -= usize::from(node.has_children);
            depth += usize::from(node.is_first);
            deepest = deepest.max(depth);
        }
        ArticulatedForest {
            // Everything for everyone, unless it gets known who needs nothing (`trim`); made when first needed.
            extra: Vec::new(),
            extra_at: (1..=index_u32(nodes.len())).collect(),
            loads: vec![Six::ZERO; nodes.len()],
            reached: vec![false; nodes.len()],
            sums: vec![(Sym6::ZERO, Six::ZERO); deepest + 1],
            simd_sums: vec![SimdChildSum::default(); deepest + 1],
            second_sums: vec![Six::ZERO; deepest + 1],
            second_projections: Vec::new(),
            seconds: Vec::new(),
            links: vec![None; nodes.len()],
            blocks: (0..index_u32(nodes.len())).map(Block).collect(),
            places: (0..index_u32(nodes.len())).collect(),
            nodes,
            closures,
            rank_scratch: RankScratch::default(),
        }
    }

    /// How many parents at most wait for children at a time: one in a chain.
    pub fn depth(&self) -> usize {
        self.sums.len()
    }
    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// True if there is nothing to solve.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// The block and the link at a place in elimination order.
    pub fn at(&self, place: usize) -> (Block, Option<Link>) {
        (self.blocks[place], self.links[place])
    }
    /// Where a block stands in elimination order.
    pub fn place(&self, block: Block) -> usize {
        self.places[block.0 as usize] as usize
    }
    /// The limbs, in elimination order.
    pub fn nodes(&self) -> &[Node<T>] {
        &self.nodes
    }
    /// Whether a place has more than its first column or row.
    pub fn has_extra(&self) -> bool {
        self.extra.len() > 1
    }
    /// What the limb at a place has beyond its first column or row. Of a limb with one freedom nothing can be read there.
    pub fn extra(&self, place: usize) -> &NodeExtra<T> {
        &self.extra[self.extra_at[place] as usize]
    }
    /// Gives the memory for further columns back where it is not needed: of plain places ([`use_one_dof_kernel`](ArticulatedForest::use_one_dof_kernel)) with one child at most. Once these are
    /// known, and before anything is solved.
    pub fn trim(&mut self) {
        let mut children = vec![0u8; self.nodes.len()];
        for node in self.nodes.iter().filter(|node| node.parent != NONE) {
            let count = &mut children[node.parent as usize];
            *count = count.saturating_add(1);
        }
        let mut last = 0;
        for ((at, node), children) in self.extra_at.iter_mut().zip(&self.nodes).zip(children) {
            let is_needed = !node.is_one_dof() || children > 1;
            last += u32::from(is_needed);
            *at = if is_needed { last } else { 0 };
        }
        self.extra = vec![NodeExtra::default(); last as usize + 1];
        self.second_projections = Vec::new();
        self.seconds = Vec::new();
    }
    /// J_cᵀ λ of the last solve: what the link at each place exerts on its block.
    pub fn loads(&self) -> &[Six<T>] {
        &self.loads
    }
    /// What came of the last solve; whoever finds loads otherwise may write them.
    #[inline(always)]
    pub fn results_mut(&mut self) -> Results<'_, T> {
        Results {
            nodes: &self.nodes,
            extra: NodeExtras { all: &self.extra, at: &self.extra_at },
            loads: &mut self.loads,
        }
    }
    /// Makes the block at a place a point, which does not turn: the angular halves of its mass, force and unknowns count
    /// as nothing. Its link may be in rows form or have no freedoms.
    pub fn make_point(&mut self, place: usize) {
        self.nodes[place].is_point = true;
        self.nodes[place].fast_kernel = 0;
        self.nodes[place].is_ball = false;
        if self.nodes[place].kind == LEAF {
            self.nodes[place].kind = INNER;
        }
    }
    /// Promises that the mass at a place is always diag(m 1, I): less is computed where it has no children.
    pub fn use_leaf_kernel(&mut self, place: usize) {
        let node = &mut self.nodes[place];
        let eliminations = node.loop_step != NONE && self.closures.has_elimination_at(node.loop_step);
        if let (Form::Freedoms(1 | 3), INNER) = (node.form, node.kind)
            && !(node.has_children || node.is_point || eliminations)
        {
            node.kind = LEAF;
        }
    }
    /// Promises that the mass at a place is always diag(m 1, I): it is eliminated the short way if its link has one freedom and no
    /// closure passes.
    pub fn use_one_dof_kernel(&mut self, place: usize) {
        let node = &mut self.nodes[place];
        let reversed = node.fast_kernel & REVERSED;
        node.fast_kernel = reversed
            | match (node.form, node.loop_step) {
                (Form::Freedoms(1), NONE) if !node.is_point => ONE_DOF,
                (Form::Freedoms(1), loop_step)
                    if !(node.is_point || self.closures.has_elimination_at(loop_step)) =>
                {
                    ONE_DOF_IN_LOOP
                }
                _ => 0,
            };
    }
    /// The same for a link that holds one point and leaves all turns free, whose arm is given in the place of the columns. False if closures
    /// meet there, or strands pass: then columns it is.
    pub fn use_ball_kernel(&mut self, place: usize) -> bool {
        let node = &mut self.nodes[place];
        let is_passed = node.loop_step != NONE;
        let is_met =
            is_passed && (self.closures.are_loop_ends || self.closures.has_elimination_at(node.loop_step));
        node.is_ball = node.form == Form::Freedoms(3) && !(is_met || node.is_point);
        node.is_ball
    }
    /// Says that the link at a place is the other way round, whatever that means to whoever fills in the numbers: it is told so ([`FillNodes::input`]), and the others
    /// are spared a decision.
    pub fn set_reversed(&mut self, place: usize) {
        self.nodes[place].fast_kernel |= REVERSED;
    }
    /// The links beyond the forest.
    pub fn closures(&self) -> &[LoopClosure<T>] {
        &self.closures.all
    }
    /// The links beyond the forest, to write what goes in: before a plan or an elimination their rows and biases, before
    /// a solve their biases.
    pub fn closures_mut(&mut self) -> &mut [LoopClosure<T>] {
        &mut self.closures.all
    }
    /// The least part that was left of a kept row of a closure when its turn came in the last elimination, squared: near
    /// zero the plan is due.
    pub fn least_pivot(&self) -> f64 {
        self.closures.least_pivot
    }
    /// Whether rows were left alone in the last solve, since they asked for noise ([`Noise`]).
    pub fn ignored_noisy_rows(&self) -> bool {
        self.closures.ignored_rows
    }
    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    /// The same by what it is for.
    pub fn bytes_by_part(&self) -> [(&'static str, usize); 5] {
        let sums = self.sums.capacity() * size_of::<(Sym6<T>, Six<T>)>()
            + self.simd_sums.capacity() * size_of::<SimdChildSum>()
            + self.second_sums.capacity() * size_of::<Six<T>>()
            + self.second_projections.capacity() * size_of::<T>()
            + self.seconds.capacity() * size_of::<SecondRhs<T>>();
        let places = self.blocks.capacity() * size_of::<Block>()
            + self.places.capacity() * size_of::<u32>()
            + self.links.capacity() * size_of::<Option<Link>>();
        [
            ("elimination: first column", self.nodes.capacity() * size_of::<Node<T>>()),
            (
                "elimination: further columns",
                self.extra.capacity() * size_of::<NodeExtra<T>>()
                    + self.extra_at.capacity() * size_of::<u32>(),
            ),
            ("elimination: sums over children", sums),
            ("elimination: loads", self.loads.capacity() * size_of::<Six<T>>()),
            (
                "elimination: loops, order",
                self.closures.bytes() + self.rank_scratch.bytes() + self.reached.capacity() + places,
            ),
        ]
    }

    /// Eliminates leaves to roots and solves on the way, then back.
    ///
    /// # Errors
    /// When a pivot is not positive: a mass is not, or the columns of N or rows of J_c depend on each other.
    #[inline(always)]
    pub fn factor_and_solve(&mut self, fill: &mut impl FillNodes<T>) -> Result<(), FactorError> {
        self.factor(fill)?;
        T::backward::<ALL_LOADS, _>(self, FillerAsTaker(fill));
        Ok(())
    }

    /// Eliminates leaves to roots, as [`factor_and_solve`](ArticulatedForest::factor_and_solve) does, and leaves it at that: for
    /// right sides to come.
    ///
    /// # Errors
    /// As there.
    #[inline(always)]
    pub fn factor(&mut self, fill: &mut impl FillNodes<T>) -> Result<(), FactorError> {
        self.make_room();
        self.closures.load_rows();
        let failed = T::eliminate(self, fill);
        self.outcome(failed)
    }

    /// Eliminates all places one number at a time; the first that has a pivot that is not positive, or [`NONE`].
    #[inline(always)]
    pub(crate) fn eliminate_all(&mut self, fill: &mut impl FillNodes<T>) -> u32 {
        let mut depth = 0;
        let mut failed = NONE;
        let nothing = (Sym6::ZERO, Six::ZERO);
        for at in 0..self.nodes.len() {
            let node = &mut self.nodes[at];
            depth -= usize::from(node.has_children);
            let extra = &mut self.extra[self.extra_at[at] as usize];
            let sums = &mut self.sums;
            // Every kernel is given its numbers and hands on what is left by itself: where ways meet all of it would go through memory.
            let fine = if node.is_reversed() && (node.is_one_dof() || node.is_ball) {
                self.eliminate_reversed(at, depth, fill)
            } else if node.is_one_dof() {
                let given = fill.input::<false, false>(at, node, extra);
                if node.has_children {
                    let (fine, left, force) = node.eliminate_one_dof::<INNER>(&given, &sums[depth]);
                    add_to_parent(node, sums, depth, left, force);
                    fine
                } else {
                    let (fine, left, force) = node.eliminate_one_dof::<LEAF>(&given, &nothing);
                    add_to_parent(node, sums, depth, left, force);
                    fine
                }
            } else if node.is_ball {
                let given = fill.input::<true, false>(at, node, extra);
                let fine = if node.has_children {
                    let (fine, left, force) = node.eliminate_ball::<INNER>(&given, &sums[depth]);
                    add_to_parent(node, sums, depth, left, force);
                    fine
                } else {
                    let (fine, left, force) = node.eliminate_ball::<LEAF>(&given, &nothing);
                    add_to_parent(node, sums, depth, left, force);
                    fine
                };
                if node.loop_step != NONE {
                    let next = LoopClosures::next_loop_step(&self.nodes, at);
                    self.closures.pass_over_ball(&self.nodes[at], next);
                }
                fine
            } else {
                fill.fill_node(at, node, extra);
                let (fine, left, force) = self.eliminate(at, depth);
                add_to_parent(&self.nodes[at], &mut self.sums, depth, left, force);
                fine
            };
            depth += usize::from(self.nodes[at].is_first);
            if !fine && failed == NONE {
                failed = index_u32(at);
            }
        }
        failed
    }

    /// The same of a place that is plain or a ball, the other way round.
    #[inline(never)]
    fn eliminate_reversed<F: FillNodes<T>>(&mut self, at: usize, depth: usize, fill: &mut F) -> bool {
        T::run_vectorized(EliminateReversed(self, at, depth, fill))
    }

    #[inline(always)]
    fn eliminate_reversed_inlined<F: FillNodes<T>>(&mut self, at: usize, depth: usize, fill: &mut F) -> bool {
        let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
        let nothing = (Sym6::ZERO, Six::ZERO);
        let sum = if node.has_children { &self.sums[depth] } else { &nothing };
        let (fine, left, force) = if node.is_ball {
            let given = fill.input::<true, true>(at, node, extra);
            match node.has_children {
                true => node.eliminate_ball::<INNER>(&given, sum),
                false => node.eliminate_ball::<LEAF>(&given, sum),
            }
        } else {
            let given = fill.input::<false, true>(at, node, extra);
            match node.has_children {
                true => node.eliminate_one_dof::<INNER>(&given, sum),
                false => node.eliminate_one_dof::<LEAF>(&given, sum),
            }
        };
        add_to_parent(node, &mut self.sums, depth, left, force);
        if node.loop_step != NONE {
            let next = LoopClosures::next_loop_step(&self.nodes, at);
            self.closures.pass_over_ball(&self.nodes[at], next);
        }
        fine
    }

    /// What came of an elimination: closures that meet on the ground are the last of it.
    fn outcome(&mut self, failed: u32) -> Result<(), FactorError> {
        if failed != NONE {
            return Err(match self.closures.failed {
                NONE => self.failed(failed as usize),
                _ => self.failed_closure(),
            });
        }
        if !self.closures.eliminate_on_ground() {
            return Err(self.failed_closure());
        }
        Ok(())
    }

    /// Eliminates any place, with what its children have left at `depth`; false if a pivot is not positive.
    #[inline(never)]
    fn eliminate(&mut self, at: usize, depth: usize) -> (bool, Sym6<T>, Six<T>) {
        T::run_vectorized(EliminateNodeTask(self, at, depth))
    }

    #[inline(always)]
    fn eliminate_inlined(&mut self, at: usize, depth: usize) -> (bool, Sym6<T>, Six<T>) {
        let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
        if node.has_children {
            let (diag, force) = &self.sums[depth];
            node.diag = node.diag + *diag;
            node.force += *force;
        }
        if node.is_point {
            node.clear_rotation();
        }
        let met = node.loop_step == NONE || self.closures.eliminate_at(node.loop_step, node);
        let (fine, left, force) = match (node.form, node.kind) {
            (Form::Freedoms(1), ROOT) => node.eliminate_freedoms::<1, ROOT>(extra),
            (Form::Freedoms(1), LEAF) => node.eliminate_freedoms::<1, LEAF>(extra),
            (Form::Freedoms(1), _) => node.eliminate_freedoms::<1, INNER>(extra),
            (Form::Freedoms(0), _) => node.eliminate_freedoms::<0, INNER>(extra),
            (Form::Freedoms(2), _) => node.eliminate_freedoms::<2, INNER>(extra),
            (Form::Freedoms(_), ROOT) => node.eliminate_freedoms::<3, ROOT>(extra),
            (Form::Freedoms(_), LEAF) => node.eliminate_freedoms::<3, LEAF>(extra),
            (Form::Freedoms(_), _) => node.eliminate_freedoms::<3, INNER>(extra),
            (Form::Rows(m), _) => node.eliminate_rows(extra, m as usize),
        };
        if node.loop_step != NONE {
            self.closures.pass(node.loop_step, node, extra);
        }
        (fine && met, left, force)
    }

    /// Eliminates one place by itself, with what its children have left if it has any: false if a pivot is not positive, and what is left to its parent.
    pub fn eliminate_node(
        &mut self,
        at: usize,
        sum: Option<(Sym6<T>, Six<T>)>,
        fill: &mut impl FillNodes<T>,
    ) -> (bool, Sym6<T>, Six<T>) {
        self.make_room();
        fill.fill_node(at, &mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
        if let Some(sum) = sum {
            self.sums[0] = sum;
        }
        self.eliminate(at, 0)
    }

    /// And its answer, with that of its parent.
    pub fn back_node(&mut self, at: usize, parent: Six<T>) -> Six<T> {
        self.back::<ALL_LOADS>(at, parent)
    }

    /// Memory for further columns, if there is none yet.
    fn make_room(&mut self) {
        if self.extra.is_empty() {
            let most = self.extra_at.iter().copied().max().unwrap_or(0);
            self.extra.resize(most as usize + 1, NodeExtra::default());
        }
    }

    /// Solves with the factor at hand. `fill` writes `force` and `gamma` (or biases), as in
    /// [`factor_and_solve`](ArticulatedForest::factor_and_solve).
    #[inline(always)]
    pub fn solve(&mut self, fill: impl FnMut(usize, &mut Node<T>, &mut NodeExtra<T>)) {
        self.solve_to::<ALL_LOADS>(fill, |_: usize, _: &Six<T>| {});
    }

    /// The same, and `answer` takes the unknowns of every place as soon as they are known. `LOADS` says which loads are found
    /// ([`ALL_LOADS`], [`ROOT_LOADS`], [`NO_LOADS`]); the others stay as they were.
    #[inline(always)]
    pub fn solve_to<const LOADS: u8>(
        &mut self,
        mut fill: impl FnMut(usize, &mut Node<T>, &mut NodeExtra<T>),
        answer: impl FnMut(usize, &Six<T>),
    ) {
        let mut depth = 0;
        self.closures.load_rhs();
        for at in 0..self.nodes.len() {
            let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
            fill(at, node, extra);
            if node.has_children {
                depth -= 1;
                node.force += self.sums[depth].1;
            }
            let force = match (node.is_one_dof(), node.has_children) {
                (true, true) => node.forward_freedoms::<1, INNER>(extra),
                (true, false) => node.forward_freedoms::<1, LEAF>(extra),
                (false, _) => self.forward(at),
            };
            let node = &self.nodes[at];
            if node.parent != NONE {
                if node.is_first {
                    self.sums[depth].1 = force;
                    depth += 1;
                } else {
                    self.sums[depth - 1].1 += force;
                }
            }
        }
        self.closures.eliminate_bias_on_ground::<1>();
        self.backward::<LOADS>(answer);
    }

    /// What any place leaves to its parent of the right side.
    #[inline(never)]
    fn forward(&mut self, at: usize) -> Six<T> {
        T::run_vectorized(ForwardNodeTask(self, at))
    }

    #[inline(always)]
    fn forward_inlined(&mut self, at: usize) -> Six<T> {
        let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
        if node.is_ball {
            let force = node.forward_ball();
            if node.loop_step != NONE {
                self.closures.pass_bias_of_ball(node);
            }
            return force;
        }
        if node.is_point {
            node.force.ang = Vec3::ZERO;
        }
        if node.loop_step != NONE {
            self.closures.eliminate_bias_at(node.loop_step, [&mut node.force]);
        }
        let force = match (node.form, node.kind) {
            (Form::Freedoms(1), ROOT) => node.forward_freedoms::<1, ROOT>(extra),
            (Form::Freedoms(1), LEAF) => node.forward_freedoms::<1, LEAF>(extra),
            (Form::Freedoms(1), _) => node.forward_freedoms::<1, INNER>(extra),
            (Form::Freedoms(0), _) => node.forward_freedoms::<0, INNER>(extra),
            (Form::Freedoms(2), _) => node.forward_freedoms::<2, INNER>(extra),
            (Form::Freedoms(_), ROOT) => node.forward_freedoms::<3, ROOT>(extra),
            (Form::Freedoms(_), LEAF) => node.forward_freedoms::<3, LEAF>(extra),
            (Form::Freedoms(_), _) => node.forward_freedoms::<3, INNER>(extra),
            (Form::Rows(m), _) => node.forward_rows(extra, m as usize),
        };
        if node.loop_step != NONE {
            self.closures.pass_bias(node.loop_step, node, extra);
        }
        force
    }

    /// The way back of a [`factor`](ArticulatedForest::factor) that was given a right side, as in [`solve_to`](ArticulatedForest::solve_to).
    #[inline(always)]
    pub fn backward<const LOADS: u8>(&mut self, answer: impl TakeSolution<T>) {
        T::backward::<LOADS, _>(self, answer);
    }

    /// The same one number at a time.
    #[inline(always)]
    pub(crate) fn back_all<const LOADS: u8>(&mut self, mut answer: impl TakeSolution<T>) {
        self.closures.answer_on_ground::<1>();
        // The parent is mostly the place before: then its answer is at hand.
        let mut last = Six::ZERO;
        for at in (0..self.nodes.len()).rev() {
            let (here, above) = self.nodes.split_at_mut(at + 1);
            let node = &mut here[at];
            let parent = match node.parent {
                NONE => Six::ZERO,
                parent if parent as usize == at + 1 => last,
                parent => above[parent as usize - at - 1].x,
            };
            last = if node.is_one_dof() || node.is_ball {
                let has_load = LOADS == ALL_LOADS || (LOADS == ROOT_LOADS && node.parent == NONE);
                if node.is_ball {
                    if node.loop_step != NONE {
                        node.push_ball(&self.closures, has_load);
                    }
                    let (x, y) = node.back_ball(&parent);
                    if has_load {
                        self.loads[at] = node.load_of_ball(y);
                    }
                    x
                } else {
                    let x = node.back_one_dof(&parent);
                    if has_load {
                        self.loads[at] = node.load_of_one_dof(&x);
                    }
                    x
                }
            } else {
                self.back::<LOADS>(at, parent)
            };
            answer.take(at, &last);
        }
    }

    /// The answer at any place.
    #[inline(never)]
    fn back<const LOADS: u8>(&mut self, at: usize, parent: Six<T>) -> Six<T> {
        T::run_vectorized(BackNodeTask::<T, LOADS>(self, at, parent))
    }

    #[inline(always)]
    fn back_inlined<const LOADS: u8>(&mut self, at: usize, parent: Six<T>) -> Six<T> {
        let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
        if node.loop_step != NONE {
            // Whoever finds no load does without the force.
            let has_load = LOADS == ALL_LOADS || (LOADS == ROOT_LOADS && node.parent == NONE);
            match node.form {
                Form::Freedoms(1) if !has_load => {
                    let [push] = self.closures.push_along::<1>(node.loop_step);
                    node.projection += push * node.inverse;
                }
                Form::Freedoms(3) if !has_load => {
                    let push = self.closures.push_along::<3>(node.loop_step);
                    node.projection += push[0] * node.inverse;
                    extra.projections[0] += push[1] * extra.inverses[0];
                    extra.projections[1] += push[2] * extra.inverses[1];
                }
                _ => {
                    let push = self.closures.push(node.loop_step, 0);
                    node.push(extra, &push);
                }
            }
        }
        let load = match (node.form, node.kind) {
            (Form::Freedoms(1), ROOT) => node.back_freedoms::<1, ROOT, LOADS>(extra, &parent),
            (Form::Freedoms(1), _) => node.back_freedoms::<1, INNER, LOADS>(extra, &parent),
            (Form::Freedoms(0), _) => node.back_freedoms::<0, INNER, LOADS>(extra, &parent),
            (Form::Freedoms(2), _) => node.back_freedoms::<2, INNER, LOADS>(extra, &parent),
            (Form::Freedoms(_), ROOT) => node.back_freedoms::<3, ROOT, LOADS>(extra, &parent),
            (Form::Freedoms(_), _) => node.back_freedoms::<3, INNER, LOADS>(extra, &parent),
            (Form::Rows(m), _) => node.back_rows(extra, m as usize, parent),
        };
        if LOADS == ALL_LOADS || (LOADS == ROOT_LOADS && node.parent == NONE) {
            self.loads[at] = load;
        }
        if node.is_point {
            node.x.ang = Vec3::ZERO;
        }
        if node.loop_step != NONE {
            self.closures.answer_at::<1>(node.loop_step, [&node.x]);
        }
        node.x
    }

    /// Multiplications that closures add to an elimination, roughly, by counts alone; without closures none.
    pub fn predicted_cost_of_closures(&self) -> u64 {
        self.closures.symbolic.cost
    }

    /// A closure whose rows the plan takes for independent and the numbers do not.
    fn failed_closure(&self) -> FactorError {
        let link = self.closures.all.get(self.closures.failed as usize).map_or(Link(0), LoopClosure::link);
        FactorError::Vanished { link, row: 0 }
    }

    fn failed(&self, at: usize) -> FactorError {
        let node = &self.nodes[at];
        let finite = |entry: &T| entry.magnitude().is_finite();
        let block = self.blocks[at];
        if !node.diag.packed().iter().all(finite) {
            return FactorError::NotFinite { place: SystemEntry::Mass(block) };
        }
        match self.links[at] {
            Some(link) => FactorError::Vanished { link, row: 0 },
            None => FactorError::NotPositive { block },
        }
    }

    /// Improves the last answer by one more solve for what the equations leave over. Rows and columns must be those of
    /// the factor; `given` has M and F of a place as they went in; the answer so far is with `last` meanwhile.
    ///
    /// Loads are first freed of what rounding has put along the freedoms, so that the forces tell the whole error.
    pub fn refine(&mut self, given: impl Fn(usize) -> (Sym6<T>, Six<T>), last: &mut impl SolutionStore<T>) {
        if self.closures.all.is_empty() {
            self.forward_left(given, last);
            self.backward::<ALL_LOADS>(|_: usize, _: &Six<T>| {});
        } else {
            self.solve_left(given, last);
        }
        for at in 0..self.nodes.len() {
            let own = self.extra_at[at] as usize;
            let (node, before) = (&mut self.nodes[at], last.kept(at));
            self.loads[at] += before.load;
            node.x += before.x;
            node.force = before.force;
            node.first_answer += before.first;
            for (answer, last) in self.extra[own].answers.iter_mut().zip(before.others) {
                *answer += last;
            }
            last.improved(at, &node.x);
        }
        for closure in &mut self.closures.all {
            closure.bias = closure.asked;
            for (answer, last) in closure.answers.iter_mut().zip(closure.answered) {
                *answer += last;
            }
        }
    }

    /// The answer of a place, freed of what rounding has put along its freedoms.
    #[inline(always)]
    fn answer_at(&self, at: usize) -> NodeSolution<T> {
        let (node, extra) = (&self.nodes[at], &self.extra[self.extra_at[at] as usize]);
        NodeSolution {
            x: node.x,
            load: node.constraint_load(extra, self.loads[at]),
            force: node.force,
            first: node.first_answer,
            others: extra.answers,
        }
    }

    /// Where there are no closures: what is left over is found on the way up, place by place as it is needed.
    fn forward_left(&mut self, given: impl Fn(usize) -> (Sym6<T>, Six<T>), last: &mut impl SolutionStore<T>) {
        let mut depth = 0;
        for at in 0..self.nodes.len() {
            let answer = self.answer_at(at);
            last.keep(at, &answer);
            let (mass, force) = given(at);
            let (node, extra) = (&mut self.nodes[at], &mut self.extra[self.extra_at[at] as usize]);
            depth -= usize::from(node.has_children);
            // What the children's loads have taken; what is left over of F takes its place.
            let mut left = if node.has_children { self.second_sums[depth] } else { Six::ZERO };
            left += force - mass.mul(&answer.x) + answer.load;
            node.force = left;
            // γ is kept by the answer to be improved.
            node.gamma = Six::ZERO;
            extra.bias = [T::ZERO; MAX_COLUMNS];
            if node.has_children {
                node.force += self.sums[depth].1;
            }
            let handed = match (node.is_one_dof(), node.has_children) {
                (true, true) => node.forward_freedoms::<1, INNER>(extra),
                (true, false) => node.forward_freedoms::<1, LEAF>(extra),
                (false, _) => self.forward(at),
            };
            let node = &self.nodes[at];
            if node.parent == NONE {
                continue;
            }
            let felt = answer.load.carried_back(node.shift);
            if node.is_first {
                self.sums[depth].1 = handed;
                self.second_sums[depth] = Six::ZERO - felt;
                depth += 1;
            } else {
                self.sums[depth - 1].1 += handed;
                self.second_sums[depth - 1] -= felt;
            }
        }
    }

    /// Where there are closures, which push on places that are anywhere.
    fn solve_left(&mut self, given: impl Fn(usize) -> (Sym6<T>, Six<T>), last: &mut impl SolutionStore<T>) {
        for at in 0..self.nodes.len() {
            last.keep(at, &self.answer_at(at));
        }
        // What is left over takes the place of F.
        self.nodes.iter_mut().for_each(|node| node.force = Six::ZERO);
        for at in 0..self.nodes.len() {
            let (mass, force) = given(at);
            let NodeSolution { x, load, .. } = last.kept(at);
            let node = &mut self.nodes[at];
            node.force += force - mass.mul(&x) + load;
            if node.parent != NONE {
                let (parent, felt) = (node.parent as usize, load.carried_back(node.shift));
                self.nodes[parent].force -= felt;
            }
        }
        for closure in &mut self.closures.all {
            let count = closure.len();
            for (end, place) in closure.places().into_iter().enumerate() {
                let Some(place) = place else { continue };
                for r in 0..count {
                    self.nodes[place].force += closure.rows[end][r].scaled(closure.answers[r]);
                }
            }
        }
        for closure in &mut self.closures.all {
            closure.asked = closure.bias;
            closure.answered = closure.answers;
            for r in 0..closure.len() {
                for (end, place) in closure.places().into_iter().enumerate() {
                    if let Some(place) = place {
                        closure.bias[r] += closure.rows[end][r].dot(&last.kept(place).x);
                    }
                }
            }
        }
        self.solve(|_, node, extra| {
            node.gamma = Six::ZERO;
            extra.bias = [T::ZERO; MAX_COLUMNS];
        });
    }
}

struct EliminateNodeTask<'s, T: Lane>(&'s mut ArticulatedForest<T>, usize, usize);
impl<T: Lane> Task for EliminateNodeTask<'_, T> {
    type Output = (bool, Sym6<T>, Six<T>);
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.eliminate_inlined(self.1, self.2)
    }
}

struct EliminateReversed<'s, T: Lane, F>(&'s mut ArticulatedForest<T>, usize, usize, &'s mut F);
impl<T: Lane, F: FillNodes<T>> Task for EliminateReversed<'_, T, F> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        self.0.eliminate_reversed_inlined(self.1, self.2, self.3)
    }
}

struct ForwardNodeTask<'s, T: Lane>(&'s mut ArticulatedForest<T>, usize);
impl<T: Lane> Task for ForwardNodeTask<'_, T> {
    type Output = Six<T>;
    #[inline(always)]
    fn run(self) -> Six<T> {
        self.0.forward_inlined(self.1)
    }
}

struct BackNodeTask<'s, T: Lane, const LOADS: u8>(&'s mut ArticulatedForest<T>, usize, Six<T>);
impl<T: Lane, const LOADS: u8> Task for BackNodeTask<'_, T, LOADS> {
    type Output = Six<T>;
    #[inline(always)]
    fn run(self) -> Six<T> {
        self.0.back_inlined::<LOADS>(self.1, self.2)
    }
}

/// Adds what is left of a place to its parent's sum, the last of `depth` or a new one.
#[inline(always)]
fn add_to_parent<T: Lane>(
    node: &Node<T>,
    sums: &mut [(Sym6<T>, Six<T>)],
    depth: usize,
    left: Sym6<T>,
    force: Six<T>,
) {
    if node.parent == NONE {
        return;
    }
    if node.is_first {
        sums[depth] = (left, force);
        return;
    }
    let sum = &mut sums[depth - 1];
    sum.0 = sum.0 + left;
    sum.1 += force;
}

/// The end of a tree link that is farther from the root.
pub fn child_of(graph: &Graph, forest: &Forest, link: Link) -> Option<Block> {
    let mut ends = graph.ends(link).iter().flatten();
    match (ends.next(), ends.next(), ends.next()) {
        (Some(&only), None, None) => Some(only),
        (Some(&a), Some(&b), None) if forest.parent(b) == Some(a) => Some(b),
        (Some(&a), Some(&b), None) if forest.parent(a) == Some(b) => Some(a),
        _ => None,
    }
}

impl<T: Lane> Default for Node<T> {
    fn default() -> Self {
        Node {
            diag: Sym6::ZERO,
            force: Six::ZERO,
            gamma: Six::ZERO,
            shift: Vec3::ZERO,
            first: Six::ZERO,
            carried_image: Six::ZERO,
            inverse: T::ZERO,
            projection: T::ZERO,
            x: Six::ZERO,
            first_answer: T::ZERO,
            parent: NONE,
            form: Form::Rows(0),
            has_children: false,
            is_first: false,
            is_point: false,
            fast_kernel: 0,
            is_ball: false,
            kind: INNER,
            loop_step: NONE,
        }
    }
}

impl<T: Lane> Default for NodeExtra<T> {
    fn default() -> Self {
        NodeExtra {
            columns: [Six::ZERO; MAX_COLUMNS - 1],
            bias: [T::ZERO; MAX_COLUMNS],
            answers: [T::ZERO; MAX_COLUMNS - 1],
            carried_images: [Six::ZERO; MAX_COLUMNS - 1],
            row_images: [Six::ZERO; MAX_COLUMNS],
            inverses: [T::ZERO; MAX_COLUMNS - 1],
            projections: [T::ZERO; MAX_COLUMNS - 1],
            mixed: [T::ZERO; 3],
            root: [T::ZERO; 21],
        }
    }
}

impl<T: Lane> Node<T> {
    /// How the link is eliminated.
    #[inline(always)]
    pub fn form(&self) -> Form {
        self.form
    }
    /// Whether it is the parent of another one.
    #[inline(always)]
    pub fn has_children(&self) -> bool {
        self.has_children
    }
    /// Whether it is the first of its parent's children, in elimination order.
    #[inline(always)]
    pub fn is_first_child(&self) -> bool {
        self.is_first
    }
    #[inline(always)]
    fn is_one_dof(&self) -> bool {
        self.fast_kernel & !REVERSED == ONE_DOF
    }
    #[inline(always)]
    fn is_one_dof_in_loop(&self) -> bool {
        self.fast_kernel & !REVERSED == ONE_DOF_IN_LOOP
    }
    #[inline(always)]
    fn is_reversed(&self) -> bool {
        self.fast_kernel & REVERSED != 0
    }
    /// Whether its arm goes in, in the place of columns ([`ArticulatedForest::use_ball_kernel`]).
    #[inline(always)]
    pub fn is_ball(&self) -> bool {
        self.is_ball
    }
    /// Place of the parent, if there is one.
    #[inline(always)]
    pub fn parent(&self) -> Option<usize> {
        (self.parent != NONE).then_some(self.parent as usize)
    }
}
