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
//! Links beyond the forest are [`Closure`]s: their rows travel along the forest and are eliminated where their two ends
//! meet (`closure.rs`), and which of them are independent is decided by geometry alone (`plan.rs`).

mod ball;
mod ball_pass;
pub mod braid;
mod closure;
mod front;
mod kernel;
#[cfg(test)]
mod loop_tests;
mod loops;
mod pair;
mod piece;
mod plan;
mod route;
mod strand;
#[cfg(test)]
mod tests;
pub mod wide;

pub use closure::{Closure, MOST_ROWS, NEARLY_SINGULAR, Noise};
pub use pair::Sides;
pub use plan::{Geometry, INDEPENDENT, MOST_FREEDOMS};
pub use strand::{Landing, Strand};

use closure::Closures;
use pair::Second;
use plan::Screws;

use crate::error::{FactorError, Place};
use crate::forest::{Forest, Role};
use crate::graph::{Block, Graph, Link, NONE, index_u32};
use crate::lane::{Lane, Task};
use crate::math::{Six, Sym3, Sym6, Vec3};
use std::mem::size_of;
use wide::{Quad, Quads, Sum, Wide};

/// A relative pivot of D below this has lost all its digits.
const LEAST_PIVOT: f64 = 1e-15;
/// Freedoms or rows that a link can have in these forms at most.
pub const MOST: usize = 3;

/// Which loads are found in a solve: all of them,
pub const ALL: u8 = 2;
/// those of links to the ground,
pub const ROOTS: u8 = 1;
/// or none.
pub const NO_LOADS: u8 = 0;

/// What a place with one or three freedoms has to do: everything;
const INNER: u8 = 0;
/// no children, and a mass diag(m 1, I) of its own;
const LEAF: u8 = 1;
/// no parent to hand anything to.
const ROOT: u8 = 2;

/// What a place is that goes in as [`Plain`] numbers, with one freedom: the short way is taken;
const PLAIN: u8 = 1;
/// the same, but closures pass it: the short way is taken with wide registers.
const PASSED: u8 = 2;
/// The link is the other way round ([`Spatial::make_turned`]).
const TURNED: u8 = 4;

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
pub struct Limb<T: Lane = f64> {
    // in, and kept; `wide` writes these in this order
    /// In: the mass M. After elimination: D = M + what the children added, or what a ball keeps (`ball.rs`).
    pub diag: Sym6<T>,
    /// In: F. During a solve: F + what the children added.
    pub force: Six<T>,
    /// In, freedoms form: γ. In rows form the biases are in `bias`.
    pub gamma: Six<T>,
    /// In: d, from the parent's centre to this one's; zero without a parent.
    pub shift: Vec3<T>,
    /// In: a column of N, or a row of J_c. Kept: made orthogonal. For a ball ([`Spatial::make_ball`]) the arm of its point, `first.lin`.
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
    /// [`PLAIN`], [`PASSED`], or 0; and [`TURNED`].
    plain: u8,
    /// A link that holds one point (`ball.rs`).
    is_ball: bool,
    /// [`INNER`], [`LEAF`] or [`ROOT`].
    kind: u8,
    /// What closures do here, or [`NONE`].
    stop: u32,
}

/// What a link with one freedom does not need, kept apart so that long chains of hinges fit the cache: columns or rows
/// beyond the first, biases and the factor of D.
#[derive(Copy, Clone, Debug)]
pub struct More<T: Lane = f64> {
    /// In: columns of N, or rows of J_c. Kept: made orthogonal.
    pub columns: [Six<T>; MOST - 1],
    /// In, rows form: biases of all rows.
    pub bias: [T; MOST],
    /// Out: s or λ of the columns or rows beyond the first.
    pub answers: [T; MOST - 1],
    /// Freedoms form: Xᵀ w_k beyond the first; likewise.
    carried_images: [Six<T>; MOST - 1],
    /// Rows form: z_k = D⁻¹ j_k of all rows.
    row_images: [Six<T>; MOST],
    inverses: [T; MOST - 1],
    projections: [T; MOST - 1],
    /// What was subtracted in the orthogonalisation: 2 less 1; 3 less 1, 2.
    mixed: [T; 3],
    /// Cholesky factor of D, packed, diagonal inverted: roots and rows form.
    root: [T; 21],
}

/// What goes into a place where a mass about its own centre hangs on a link with one freedom, or on one that holds a point: most places of
/// most mechanisms.
#[derive(Copy, Clone, Debug, Default)]
pub struct Plain<T: Lane = f64> {
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
pub trait Fill<T: Lane> {
    /// The mass into `diag`, `force`, and for a link `shift`, the columns and `gamma` (or rows and biases).
    fn any(&mut self, at: usize, limb: &mut Limb<T>, more: &mut More<T>);
    /// The same for a place that was made plain, or a `BALL`; `TURNED` if it was said to be so ([`Spatial::make_turned`]).
    #[inline(always)]
    fn plain<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        limb: &mut Limb<T>,
        more: &mut More<T>,
    ) -> Plain<T> {
        self.any(at, limb, more);
        Plain {
            mass: limb.diag.a.xx,
            inertia: limb.diag.c,
            force: limb.force,
            gamma: limb.gamma,
            shift: limb.shift,
            first: limb.first,
        }
    }
    /// The same in wide registers, by those who can; where numbers are `f64`.
    #[inline(always)]
    fn quads<const BALL: bool>(&mut self, _wide: Wide, _at: usize) -> Option<Quads> {
        None
    }
    /// Takes the unknowns of a place as soon as they are known: in the reverse order.
    #[inline(always)]
    fn answer(&mut self, _at: usize, _x: &Six<T>) {}
    /// The same in wide registers, by those who can; false if it was not taken.
    #[inline(always)]
    fn answer_quads(&mut self, _wide: Wide, _at: usize, _x: [Quad; 2]) -> bool {
        false
    }
}

/// Whoever takes unknowns, place by place as soon as they are known.
pub trait Take<T: Lane> {
    /// Takes those of one place.
    fn take(&mut self, at: usize, x: &Six<T>);
    /// The same in wide registers, by those who can; false if they were not taken.
    #[inline(always)]
    fn take_quads(&mut self, _wide: Wide, _at: usize, _x: [Quad; 2]) -> bool {
        false
    }
}

impl<T: Lane, F: FnMut(usize, &Six<T>)> Take<T> for F {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        self(at, x);
    }
}

/// Whoever fills also takes.
struct Filler<'f, F>(&'f mut F);

impl<T: Lane, F: Fill<T>> Take<T> for Filler<'_, F> {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        self.0.answer(at, x);
    }
    #[inline(always)]
    fn take_quads(&mut self, wide: Wide, at: usize, x: [Quad; 2]) -> bool {
        self.0.answer_quads(wide, at, x)
    }
}

/// From a closure.
#[derive(Debug)]
pub struct FillWith<F>(pub F);

impl<T: Lane, F: FnMut(usize, &mut Limb<T>, &mut More<T>)> Fill<T> for FillWith<F> {
    #[inline(always)]
    fn any(&mut self, at: usize, limb: &mut Limb<T>, more: &mut More<T>) {
        (self.0)(at, limb, more);
    }
}

/// What a solve leaves, in elimination order.
#[derive(Debug)]
pub struct Results<'s, T: Lane = f64> {
    /// The limbs.
    pub limbs: &'s [Limb<T>],
    /// What they have beyond their first column or row.
    pub more: Further<'s, T>,
    /// J_cᵀ λ.
    pub loads: &'s mut [Six<T>],
}

/// What limbs have beyond their first column or row, by their places.
#[derive(Copy, Clone, Debug)]
pub struct Further<'s, T: Lane = f64> {
    all: &'s [More<T>],
    at: &'s [u32],
}

impl<'s, T: Lane> Further<'s, T> {
    /// That of a place; see [`Spatial::more`].
    #[inline(always)]
    pub fn of(&self, place: usize) -> &'s More<T> {
        &self.all[self.at[place] as usize]
    }
}

/// An answer that is being improved.
#[derive(Copy, Clone, Debug)]
pub struct Answer<T: Lane = f64> {
    /// The unknowns.
    pub x: Six<T>,
    /// J_cᵀ λ.
    pub load: Six<T>,
    /// F and what the children added.
    pub force: Six<T>,
    /// s or λ of the first column or row.
    pub first: T,
    /// The same of the others, where the place has any.
    pub others: [T; MOST - 1],
}

/// Whoever keeps answers while they are improved.
pub trait Keep<T: Lane> {
    /// Keeps that of a place: one after another.
    fn keep(&mut self, at: usize, answer: &Answer<T>);
    /// What was kept.
    fn kept(&self, at: usize) -> Answer<T>;
    /// Takes the unknowns as they are in the end; what was kept of the place is no longer needed.
    fn improved(&mut self, _at: usize, _x: &Six<T>) {}
}

impl<T: Lane> Keep<T> for Vec<Answer<T>> {
    fn keep(&mut self, at: usize, answer: &Answer<T>) {
        self.truncate(at);
        self.push(*answer);
    }
    fn kept(&self, at: usize) -> Answer<T> {
        self[at]
    }
}

/// Linear-time solver of such a forest; numbers of type `T`.
#[derive(Clone, Debug)]
pub struct Spatial<T: Lane = f64> {
    /// In elimination order, a postorder: a parent is behind its children, a subtree in one piece.
    limbs: Vec<Limb<T>>,
    /// What they have beyond that. The first entry belongs to no place: those that need none share it, and never read it.
    more: Vec<More<T>>,
    /// Where each place has its own.
    more_at: Vec<u32>,
    /// Out: J_cᵀ λ, what the link of each place exerts on its block.
    loads: Vec<Six<T>>,
    /// Sums for parents whose children are being eliminated: as deep as the branches nest, one for a chain.
    sums: Vec<(Sym6<T>, Six<T>)>,
    wide_sums: Vec<Sum>,
    /// The same of a second right side, and what places keep of it: all of them a number, those with an entry in `more` the rest. Made when first needed.
    second_sums: Vec<Six<T>>,
    second_projections: Vec<T>,
    seconds: Vec<Second<T>>,
    /// The block of each limb, and the limb of each block.
    blocks: Vec<Block>,
    places: Vec<u32>,
    /// The link of each limb, if it has one.
    links: Vec<Option<Link>>,
    closures: Closures<T>,
    /// Scratch of a solve for closures alone: whether something is handed to a place.
    reached: Vec<bool>,
    screws: Screws,
}

impl<T: Lane> Spatial<T> {
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
            (ends.next().is_none() && rows <= MOST_ROWS).then(|| Closure::new(link, both, rows))
        };
        let closures = beyond.iter().map(closure).collect::<Option<Vec<_>>>()?;
        let mut spatial = Spatial::of_places(&parents, &forms, closures);
        spatial.links = forest.order().iter().map(|b| link_of[b.0 as usize]).collect();
        spatial.blocks = forest.order().to_vec();
        spatial.places = places;
        Some(spatial)
    }

    /// Place by place, in elimination order; blocks are numbered like places, and links have no names.
    fn of_places(parents: &[u32], forms: &[Form], closures: Vec<Closure<T>>) -> Self {
        let (closures, stops) = Closures::new(parents, closures);
        let mut begun = vec![false; parents.len()];
        let limb = |at: usize| Limb {
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
            stop: stops[at],
            ..Limb::default()
        };
        let limbs: Vec<Limb<T>> = (0..parents.len()).map(limb).collect();
        let (mut depth, mut deepest) = (0, 0);
        for limb in &limbs {
            depth -= usize::from(limb.has_children);
            depth += usize::from(limb.is_first);
            deepest = deepest.max(depth);
        }
        Spatial {
            // Everything for everyone, unless it gets known who needs nothing (`trim`); made when first needed.
            more: Vec::new(),
            more_at: (1..=index_u32(limbs.len())).collect(),
            loads: vec![Six::ZERO; limbs.len()],
            reached: vec![false; limbs.len()],
            sums: vec![(Sym6::ZERO, Six::ZERO); deepest + 1],
            wide_sums: vec![Sum::default(); deepest + 1],
            second_sums: vec![Six::ZERO; deepest + 1],
            second_projections: Vec::new(),
            seconds: Vec::new(),
            links: vec![None; limbs.len()],
            blocks: (0..index_u32(limbs.len())).map(Block).collect(),
            places: (0..index_u32(limbs.len())).collect(),
            limbs,
            closures,
            screws: Screws::default(),
        }
    }

    /// How many parents at most wait for children at a time: one in a chain.
    pub fn depth(&self) -> usize {
        self.sums.len()
    }
    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.limbs.len()
    }
    /// True if there is nothing to solve.
    pub fn is_empty(&self) -> bool {
        self.limbs.is_empty()
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
    pub fn limbs(&self) -> &[Limb<T>] {
        &self.limbs
    }
    /// Whether a place has more than its first column or row.
    pub fn has_further(&self) -> bool {
        self.more.len() > 1
    }
    /// What the limb at a place has beyond its first column or row. Of a limb with one freedom nothing can be read there.
    pub fn more(&self, place: usize) -> &More<T> {
        &self.more[self.more_at[place] as usize]
    }
    /// Gives the memory for further columns back where it is not needed: of plain places ([`make_plain`](Spatial::make_plain)) with one child at most. Once these are
    /// known, and before anything is solved.
    pub fn trim(&mut self) {
        let mut children = vec![0u8; self.limbs.len()];
        for limb in self.limbs.iter().filter(|limb| limb.parent != NONE) {
            let count = &mut children[limb.parent as usize];
            *count = count.saturating_add(1);
        }
        let mut last = 0;
        for ((at, limb), children) in self.more_at.iter_mut().zip(&self.limbs).zip(children) {
            let is_needed = !limb.is_plain() || children > 1;
            last += u32::from(is_needed);
            *at = if is_needed { last } else { 0 };
        }
        self.more = vec![More::default(); last as usize + 1];
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
            limbs: &self.limbs,
            more: Further { all: &self.more, at: &self.more_at },
            loads: &mut self.loads,
        }
    }
    /// Makes the block at a place a point, which does not turn: the angular halves of its mass, force and unknowns count
    /// as nothing. Its link may be in rows form or have no freedoms.
    pub fn make_point(&mut self, place: usize) {
        self.limbs[place].is_point = true;
        self.limbs[place].plain = 0;
        self.limbs[place].is_ball = false;
        if self.limbs[place].kind == LEAF {
            self.limbs[place].kind = INNER;
        }
    }
    /// Promises that the mass at a place is always diag(m 1, I): less is computed where it has no children.
    pub fn make_lump(&mut self, place: usize) {
        let limb = &mut self.limbs[place];
        let meets = limb.stop != NONE && self.closures.meet_at_stop(limb.stop);
        if let (Form::Freedoms(1 | 3), INNER) = (limb.form, limb.kind)
            && !(limb.has_children || limb.is_point || meets)
        {
            limb.kind = LEAF;
        }
    }
    /// Promises that the mass at a place is always diag(m 1, I): it is eliminated the short way if its link has one freedom and no
    /// closure passes.
    pub fn make_plain(&mut self, place: usize) {
        let limb = &mut self.limbs[place];
        let turned = limb.plain & TURNED;
        limb.plain = turned
            | match (limb.form, limb.stop) {
                (Form::Freedoms(1), NONE) if !limb.is_point => PLAIN,
                (Form::Freedoms(1), stop) if !(limb.is_point || self.closures.meet_at_stop(stop)) => PASSED,
                _ => 0,
            };
    }
    /// The same for a link that holds one point and leaves all turns free, whose arm is given in the place of the columns. False if closures
    /// meet there, or strands pass: then columns it is.
    pub fn make_ball(&mut self, place: usize) -> bool {
        let limb = &mut self.limbs[place];
        let is_passed = limb.stop != NONE;
        let is_met = is_passed && (self.closures.are_strands || self.closures.meet_at_stop(limb.stop));
        limb.is_ball = limb.form == Form::Freedoms(3) && !(is_met || limb.is_point);
        limb.is_ball
    }
    /// Says that the link at a place is the other way round, whatever that means to whoever fills in the numbers: it is told so ([`Fill::plain`]), and the others
    /// are spared a decision.
    pub fn make_turned(&mut self, place: usize) {
        self.limbs[place].plain |= TURNED;
    }
    /// The links beyond the forest.
    pub fn closures(&self) -> &[Closure<T>] {
        &self.closures.all
    }
    /// The links beyond the forest, to write what goes in: before a plan or an elimination their rows and biases, before
    /// a solve their biases.
    pub fn closures_mut(&mut self) -> &mut [Closure<T>] {
        &mut self.closures.all
    }
    /// The least part that was left of a kept row of a closure when its turn came in the last elimination, squared: near
    /// zero the plan is due.
    pub fn least_pivot(&self) -> f64 {
        self.closures.least_pivot
    }
    /// Whether rows were left alone in the last solve, since they asked for noise ([`Noise`]).
    pub fn left_rows_alone(&self) -> bool {
        self.closures.left_alone
    }
    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    /// The same by what it is for.
    pub fn bytes_by_part(&self) -> [(&'static str, usize); 5] {
        let sums = self.sums.capacity() * size_of::<(Sym6<T>, Six<T>)>()
            + self.wide_sums.capacity() * size_of::<Sum>()
            + self.second_sums.capacity() * size_of::<Six<T>>()
            + self.second_projections.capacity() * size_of::<T>()
            + self.seconds.capacity() * size_of::<Second<T>>();
        let places = self.blocks.capacity() * size_of::<Block>()
            + self.places.capacity() * size_of::<u32>()
            + self.links.capacity() * size_of::<Option<Link>>();
        [
            ("elimination: first column", self.limbs.capacity() * size_of::<Limb<T>>()),
            (
                "elimination: further columns",
                self.more.capacity() * size_of::<More<T>>() + self.more_at.capacity() * size_of::<u32>(),
            ),
            ("elimination: sums over children", sums),
            ("elimination: loads", self.loads.capacity() * size_of::<Six<T>>()),
            (
                "elimination: loops, order",
                self.closures.bytes() + self.screws.bytes() + self.reached.capacity() + places,
            ),
        ]
    }

    /// Eliminates leaves to roots and solves on the way, then back.
    ///
    /// # Errors
    /// When a pivot is not positive: a mass is not, or the columns of N or rows of J_c depend on each other.
    #[inline(always)]
    pub fn factor_and_solve(&mut self, fill: &mut impl Fill<T>) -> Result<(), FactorError> {
        self.factor(fill)?;
        T::backward::<ALL, _>(self, Filler(fill));
        Ok(())
    }

    /// Eliminates leaves to roots, as [`factor_and_solve`](Spatial::factor_and_solve) does, and leaves it at that: for
    /// right sides to come.
    ///
    /// # Errors
    /// As there.
    #[inline(always)]
    pub fn factor(&mut self, fill: &mut impl Fill<T>) -> Result<(), FactorError> {
        self.make_room();
        self.closures.depart();
        let sick = T::eliminate(self, fill);
        self.outcome(sick)
    }

    /// Eliminates all places one number at a time; the first that has a pivot that is not positive, or [`NONE`].
    #[inline(always)]
    pub(crate) fn eliminate_all(&mut self, fill: &mut impl Fill<T>) -> u32 {
        let mut depth = 0;
        let mut sick = NONE;
        let nothing = (Sym6::ZERO, Six::ZERO);
        for at in 0..self.limbs.len() {
            let limb = &mut self.limbs[at];
            depth -= usize::from(limb.has_children);
            let more = &mut self.more[self.more_at[at] as usize];
            let sums = &mut self.sums;
            // Every kernel is given its numbers and hands on what is left by itself: where ways meet all of it would go through memory.
            let fine = if limb.is_turned() && (limb.is_plain() || limb.is_ball) {
                self.eliminate_turned(at, depth, fill)
            } else if limb.is_plain() {
                let given = fill.plain::<false, false>(at, limb, more);
                if limb.has_children {
                    let (fine, left, force) = limb.eliminate_plain::<INNER>(&given, &sums[depth]);
                    hand_over(limb, sums, depth, left, force);
                    fine
                } else {
                    let (fine, left, force) = limb.eliminate_plain::<LEAF>(&given, &nothing);
                    hand_over(limb, sums, depth, left, force);
                    fine
                }
            } else if limb.is_ball {
                let given = fill.plain::<true, false>(at, limb, more);
                let fine = if limb.has_children {
                    let (fine, left, force) = limb.eliminate_ball::<INNER>(&given, &sums[depth]);
                    hand_over(limb, sums, depth, left, force);
                    fine
                } else {
                    let (fine, left, force) = limb.eliminate_ball::<LEAF>(&given, &nothing);
                    hand_over(limb, sums, depth, left, force);
                    fine
                };
                if limb.stop != NONE {
                    let next = Closures::next_stop(&self.limbs, at);
                    self.closures.pass_over_ball(&self.limbs[at], next);
                }
                fine
            } else {
                fill.any(at, limb, more);
                let (fine, left, force) = self.eliminate(at, depth);
                hand_over(&self.limbs[at], &mut self.sums, depth, left, force);
                fine
            };
            depth += usize::from(self.limbs[at].is_first);
            if !fine && sick == NONE {
                sick = index_u32(at);
            }
        }
        sick
    }

    /// The same of a place that is plain or a ball, the other way round.
    #[inline(never)]
    fn eliminate_turned<F: Fill<T>>(&mut self, at: usize, depth: usize, fill: &mut F) -> bool {
        T::within(EliminateTurned(self, at, depth, fill))
    }

    #[inline(always)]
    fn eliminate_turned_within<F: Fill<T>>(&mut self, at: usize, depth: usize, fill: &mut F) -> bool {
        let (limb, more) = (&mut self.limbs[at], &mut self.more[self.more_at[at] as usize]);
        let nothing = (Sym6::ZERO, Six::ZERO);
        let sum = if limb.has_children { &self.sums[depth] } else { &nothing };
        let (fine, left, force) = if limb.is_ball {
            let given = fill.plain::<true, true>(at, limb, more);
            match limb.has_children {
                true => limb.eliminate_ball::<INNER>(&given, sum),
                false => limb.eliminate_ball::<LEAF>(&given, sum),
            }
        } else {
            let given = fill.plain::<false, true>(at, limb, more);
            match limb.has_children {
                true => limb.eliminate_plain::<INNER>(&given, sum),
                false => limb.eliminate_plain::<LEAF>(&given, sum),
            }
        };
        hand_over(limb, &mut self.sums, depth, left, force);
        if limb.stop != NONE {
            let next = Closures::next_stop(&self.limbs, at);
            self.closures.pass_over_ball(&self.limbs[at], next);
        }
        fine
    }

    /// What came of an elimination: closures that meet on the ground are the last of it.
    fn outcome(&mut self, sick: u32) -> Result<(), FactorError> {
        if sick != NONE {
            return Err(match self.closures.sick {
                NONE => self.sick(sick as usize),
                _ => self.sick_closure(),
            });
        }
        if !self.closures.meet_on_ground() {
            return Err(self.sick_closure());
        }
        Ok(())
    }

    /// Eliminates any place, with what its children have left at `depth`; false if a pivot is not positive.
    #[inline(never)]
    fn eliminate(&mut self, at: usize, depth: usize) -> (bool, Sym6<T>, Six<T>) {
        T::within(Eliminate(self, at, depth))
    }

    #[inline(always)]
    fn eliminate_within(&mut self, at: usize, depth: usize) -> (bool, Sym6<T>, Six<T>) {
        let (limb, more) = (&mut self.limbs[at], &mut self.more[self.more_at[at] as usize]);
        if limb.has_children {
            let (diag, force) = &self.sums[depth];
            limb.diag = limb.diag + *diag;
            limb.force += *force;
        }
        if limb.is_point {
            limb.hold_still();
        }
        let met = limb.stop == NONE || self.closures.meet_at(limb.stop, limb);
        let (fine, left, force) = match (limb.form, limb.kind) {
            (Form::Freedoms(1), ROOT) => limb.eliminate_freedoms::<1, ROOT>(more),
            (Form::Freedoms(1), LEAF) => limb.eliminate_freedoms::<1, LEAF>(more),
            (Form::Freedoms(1), _) => limb.eliminate_freedoms::<1, INNER>(more),
            (Form::Freedoms(0), _) => limb.eliminate_freedoms::<0, INNER>(more),
            (Form::Freedoms(2), _) => limb.eliminate_freedoms::<2, INNER>(more),
            (Form::Freedoms(_), ROOT) => limb.eliminate_freedoms::<3, ROOT>(more),
            (Form::Freedoms(_), LEAF) => limb.eliminate_freedoms::<3, LEAF>(more),
            (Form::Freedoms(_), _) => limb.eliminate_freedoms::<3, INNER>(more),
            (Form::Rows(m), _) => limb.eliminate_rows(more, m as usize),
        };
        if limb.stop != NONE {
            self.closures.pass(limb.stop, limb, more);
        }
        (fine && met, left, force)
    }

    /// Eliminates one place by itself, with what its children have left if it has any: false if a pivot is not positive, and what is left to its parent.
    pub fn eliminate_alone(
        &mut self,
        at: usize,
        sum: Option<(Sym6<T>, Six<T>)>,
        fill: &mut impl Fill<T>,
    ) -> (bool, Sym6<T>, Six<T>) {
        self.make_room();
        fill.any(at, &mut self.limbs[at], &mut self.more[self.more_at[at] as usize]);
        if let Some(sum) = sum {
            self.sums[0] = sum;
        }
        self.eliminate(at, 0)
    }

    /// And its answer, with that of its parent.
    pub fn back_alone(&mut self, at: usize, parent: Six<T>) -> Six<T> {
        self.back::<ALL>(at, parent)
    }

    /// Memory for further columns, if there is none yet.
    fn make_room(&mut self) {
        if self.more.is_empty() {
            let most = self.more_at.iter().copied().max().unwrap_or(0);
            self.more.resize(most as usize + 1, More::default());
        }
    }

    /// Solves with the factor at hand. `fill` writes `force` and `gamma` (or biases), as in
    /// [`factor_and_solve`](Spatial::factor_and_solve).
    #[inline(always)]
    pub fn solve(&mut self, fill: impl FnMut(usize, &mut Limb<T>, &mut More<T>)) {
        self.solve_to::<ALL>(fill, |_: usize, _: &Six<T>| {});
    }

    /// The same, and `answer` takes the unknowns of every place as soon as they are known. `LOADS` says which loads are found
    /// ([`ALL`], [`ROOTS`], [`NO_LOADS`]); the others stay as they were.
    #[inline(always)]
    pub fn solve_to<const LOADS: u8>(
        &mut self,
        mut fill: impl FnMut(usize, &mut Limb<T>, &mut More<T>),
        answer: impl FnMut(usize, &Six<T>),
    ) {
        let mut depth = 0;
        self.closures.load_sides();
        for at in 0..self.limbs.len() {
            let (limb, more) = (&mut self.limbs[at], &mut self.more[self.more_at[at] as usize]);
            fill(at, limb, more);
            if limb.has_children {
                depth -= 1;
                limb.force += self.sums[depth].1;
            }
            let force = match (limb.is_plain(), limb.has_children) {
                (true, true) => limb.forward_freedoms::<1, INNER>(more),
                (true, false) => limb.forward_freedoms::<1, LEAF>(more),
                (false, _) => self.forward(at),
            };
            let limb = &self.limbs[at];
            if limb.parent != NONE {
                if limb.is_first {
                    self.sums[depth].1 = force;
                    depth += 1;
                } else {
                    self.sums[depth - 1].1 += force;
                }
            }
        }
        self.closures.meet_bias_on_ground::<1>();
        self.backward::<LOADS>(answer);
    }

    /// What any place leaves to its parent of the right side.
    #[inline(never)]
    fn forward(&mut self, at: usize) -> Six<T> {
        T::within(Forward(self, at))
    }

    #[inline(always)]
    fn forward_within(&mut self, at: usize) -> Six<T> {
        let (limb, more) = (&mut self.limbs[at], &mut self.more[self.more_at[at] as usize]);
        if limb.is_ball {
            let force = limb.forward_ball();
            if limb.stop != NONE {
                self.closures.pass_bias_of_ball(limb);
            }
            return force;
        }
        if limb.is_point {
            limb.force.ang = Vec3::ZERO;
        }
        if limb.stop != NONE {
            self.closures.meet_bias_at(limb.stop, [&mut limb.force]);
        }
        let force = match (limb.form, limb.kind) {
            (Form::Freedoms(1), ROOT) => limb.forward_freedoms::<1, ROOT>(more),
            (Form::Freedoms(1), LEAF) => limb.forward_freedoms::<1, LEAF>(more),
            (Form::Freedoms(1), _) => limb.forward_freedoms::<1, INNER>(more),
            (Form::Freedoms(0), _) => limb.forward_freedoms::<0, INNER>(more),
            (Form::Freedoms(2), _) => limb.forward_freedoms::<2, INNER>(more),
            (Form::Freedoms(_), ROOT) => limb.forward_freedoms::<3, ROOT>(more),
            (Form::Freedoms(_), LEAF) => limb.forward_freedoms::<3, LEAF>(more),
            (Form::Freedoms(_), _) => limb.forward_freedoms::<3, INNER>(more),
            (Form::Rows(m), _) => limb.forward_rows(more, m as usize),
        };
        if limb.stop != NONE {
            self.closures.pass_bias(limb.stop, limb, more);
        }
        force
    }

    /// The way back of a [`factor`](Spatial::factor) that was given a right side, as in [`solve_to`](Spatial::solve_to).
    #[inline(always)]
    pub fn backward<const LOADS: u8>(&mut self, answer: impl Take<T>) {
        T::backward::<LOADS, _>(self, answer);
    }

    /// The same one number at a time.
    #[inline(always)]
    pub(crate) fn back_all<const LOADS: u8>(&mut self, mut answer: impl Take<T>) {
        self.closures.answer_on_ground::<1>();
        // The parent is mostly the place before: then its answer is at hand.
        let mut last = Six::ZERO;
        for at in (0..self.limbs.len()).rev() {
            let (here, above) = self.limbs.split_at_mut(at + 1);
            let limb = &mut here[at];
            let parent = match limb.parent {
                NONE => Six::ZERO,
                parent if parent as usize == at + 1 => last,
                parent => above[parent as usize - at - 1].x,
            };
            last = if limb.is_plain() || limb.is_ball {
                let has_load = LOADS == ALL || (LOADS == ROOTS && limb.parent == NONE);
                if limb.is_ball {
                    if limb.stop != NONE {
                        limb.push_ball(&self.closures, has_load);
                    }
                    let (x, y) = limb.back_ball(&parent);
                    if has_load {
                        self.loads[at] = limb.load_of_ball(y);
                    }
                    x
                } else {
                    let x = limb.back_one(&parent);
                    if has_load {
                        self.loads[at] = limb.load_of_one(&x);
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
        T::within(Back::<T, LOADS>(self, at, parent))
    }

    #[inline(always)]
    fn back_within<const LOADS: u8>(&mut self, at: usize, parent: Six<T>) -> Six<T> {
        let (limb, more) = (&mut self.limbs[at], &mut self.more[self.more_at[at] as usize]);
        if limb.stop != NONE {
            // Whoever finds no load does without the force.
            let has_load = LOADS == ALL || (LOADS == ROOTS && limb.parent == NONE);
            match limb.form {
                Form::Freedoms(1) if !has_load => {
                    let [push] = self.closures.push_along::<1>(limb.stop);
                    limb.projection += push * limb.inverse;
                }
                Form::Freedoms(3) if !has_load => {
                    let push = self.closures.push_along::<3>(limb.stop);
                    limb.projection += push[0] * limb.inverse;
                    more.projections[0] += push[1] * more.inverses[0];
                    more.projections[1] += push[2] * more.inverses[1];
                }
                _ => {
                    let push = self.closures.push(limb.stop, 0);
                    limb.push(more, &push);
                }
            }
        }
        let load = match (limb.form, limb.kind) {
            (Form::Freedoms(1), ROOT) => limb.back_freedoms::<1, ROOT, LOADS>(more, &parent),
            (Form::Freedoms(1), _) => limb.back_freedoms::<1, INNER, LOADS>(more, &parent),
            (Form::Freedoms(0), _) => limb.back_freedoms::<0, INNER, LOADS>(more, &parent),
            (Form::Freedoms(2), _) => limb.back_freedoms::<2, INNER, LOADS>(more, &parent),
            (Form::Freedoms(_), ROOT) => limb.back_freedoms::<3, ROOT, LOADS>(more, &parent),
            (Form::Freedoms(_), _) => limb.back_freedoms::<3, INNER, LOADS>(more, &parent),
            (Form::Rows(m), _) => limb.back_rows(more, m as usize, parent),
        };
        if LOADS == ALL || (LOADS == ROOTS && limb.parent == NONE) {
            self.loads[at] = load;
        }
        if limb.is_point {
            limb.x.ang = Vec3::ZERO;
        }
        if limb.stop != NONE {
            self.closures.answer_at::<1>(limb.stop, [&limb.x]);
        }
        limb.x
    }

    /// Multiplications that closures add to an elimination, roughly, by counts alone; without closures none.
    pub fn predicted_cost_of_closures(&self) -> u64 {
        self.closures.route.cost
    }

    /// A closure whose rows the plan takes for independent and the numbers do not.
    fn sick_closure(&self) -> FactorError {
        let link = self.closures.all.get(self.closures.sick as usize).map_or(Link(0), Closure::link);
        FactorError::Vanished { link, row: 0 }
    }

    fn sick(&self, at: usize) -> FactorError {
        let limb = &self.limbs[at];
        let finite = |entry: &T| entry.magnitude().is_finite();
        let block = self.blocks[at];
        if !limb.diag.packed().iter().all(finite) {
            return FactorError::NotFinite { place: Place::Mass(block) };
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
    pub fn refine(&mut self, given: impl Fn(usize) -> (Sym6<T>, Six<T>), last: &mut impl Keep<T>) {
        if self.closures.all.is_empty() {
            self.forward_left(given, last);
            self.backward::<ALL>(|_: usize, _: &Six<T>| {});
        } else {
            self.solve_left(given, last);
        }
        for at in 0..self.limbs.len() {
            let own = self.more_at[at] as usize;
            let (limb, before) = (&mut self.limbs[at], last.kept(at));
            self.loads[at] += before.load;
            limb.x += before.x;
            limb.force = before.force;
            limb.first_answer += before.first;
            for (answer, last) in self.more[own].answers.iter_mut().zip(before.others) {
                *answer += last;
            }
            last.improved(at, &limb.x);
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
    fn answer_at(&self, at: usize) -> Answer<T> {
        let (limb, more) = (&self.limbs[at], &self.more[self.more_at[at] as usize]);
        Answer {
            x: limb.x,
            load: limb.held_load(more, self.loads[at]),
            force: limb.force,
            first: limb.first_answer,
            others: more.answers,
        }
    }

    /// Where there are no closures: what is left over is found on the way up, place by place as it is needed.
    fn forward_left(&mut self, given: impl Fn(usize) -> (Sym6<T>, Six<T>), last: &mut impl Keep<T>) {
        let mut depth = 0;
        for at in 0..self.limbs.len() {
            let answer = self.answer_at(at);
            last.keep(at, &answer);
            let (mass, force) = given(at);
            let (limb, more) = (&mut self.limbs[at], &mut self.more[self.more_at[at] as usize]);
            depth -= usize::from(limb.has_children);
            // What the children's loads have taken; what is left over of F takes its place.
            let mut left = if limb.has_children { self.second_sums[depth] } else { Six::ZERO };
            left += force - mass.mul(&answer.x) + answer.load;
            limb.force = left;
            // γ is kept by the answer to be improved.
            limb.gamma = Six::ZERO;
            more.bias = [T::ZERO; MOST];
            if limb.has_children {
                limb.force += self.sums[depth].1;
            }
            let handed = match (limb.is_plain(), limb.has_children) {
                (true, true) => limb.forward_freedoms::<1, INNER>(more),
                (true, false) => limb.forward_freedoms::<1, LEAF>(more),
                (false, _) => self.forward(at),
            };
            let limb = &self.limbs[at];
            if limb.parent == NONE {
                continue;
            }
            let felt = answer.load.carried_back(limb.shift);
            if limb.is_first {
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
    fn solve_left(&mut self, given: impl Fn(usize) -> (Sym6<T>, Six<T>), last: &mut impl Keep<T>) {
        for at in 0..self.limbs.len() {
            last.keep(at, &self.answer_at(at));
        }
        // What is left over takes the place of F.
        self.limbs.iter_mut().for_each(|limb| limb.force = Six::ZERO);
        for at in 0..self.limbs.len() {
            let (mass, force) = given(at);
            let Answer { x, load, .. } = last.kept(at);
            let limb = &mut self.limbs[at];
            limb.force += force - mass.mul(&x) + load;
            if limb.parent != NONE {
                let (parent, felt) = (limb.parent as usize, load.carried_back(limb.shift));
                self.limbs[parent].force -= felt;
            }
        }
        for closure in &mut self.closures.all {
            let count = closure.len();
            for (end, place) in closure.places().into_iter().enumerate() {
                let Some(place) = place else { continue };
                for r in 0..count {
                    self.limbs[place].force += closure.rows[end][r].scaled(closure.answers[r]);
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
        self.solve(|_, limb, more| {
            limb.gamma = Six::ZERO;
            more.bias = [T::ZERO; MOST];
        });
    }
}

struct Eliminate<'s, T: Lane>(&'s mut Spatial<T>, usize, usize);
impl<T: Lane> Task for Eliminate<'_, T> {
    type Output = (bool, Sym6<T>, Six<T>);
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.eliminate_within(self.1, self.2)
    }
}

struct EliminateTurned<'s, T: Lane, F>(&'s mut Spatial<T>, usize, usize, &'s mut F);
impl<T: Lane, F: Fill<T>> Task for EliminateTurned<'_, T, F> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        self.0.eliminate_turned_within(self.1, self.2, self.3)
    }
}

struct Forward<'s, T: Lane>(&'s mut Spatial<T>, usize);
impl<T: Lane> Task for Forward<'_, T> {
    type Output = Six<T>;
    #[inline(always)]
    fn run(self) -> Six<T> {
        self.0.forward_within(self.1)
    }
}

struct Back<'s, T: Lane, const LOADS: u8>(&'s mut Spatial<T>, usize, Six<T>);
impl<T: Lane, const LOADS: u8> Task for Back<'_, T, LOADS> {
    type Output = Six<T>;
    #[inline(always)]
    fn run(self) -> Six<T> {
        self.0.back_within::<LOADS>(self.1, self.2)
    }
}

/// Adds what is left of a place to its parent's sum, the last of `depth` or a new one.
#[inline(always)]
fn hand_over<T: Lane>(
    limb: &Limb<T>,
    sums: &mut [(Sym6<T>, Six<T>)],
    depth: usize,
    left: Sym6<T>,
    force: Six<T>,
) {
    if limb.parent == NONE {
        return;
    }
    if limb.is_first {
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

impl<T: Lane> Default for Limb<T> {
    fn default() -> Self {
        Limb {
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
            plain: 0,
            is_ball: false,
            kind: INNER,
            stop: NONE,
        }
    }
}

impl<T: Lane> Default for More<T> {
    fn default() -> Self {
        More {
            columns: [Six::ZERO; MOST - 1],
            bias: [T::ZERO; MOST],
            answers: [T::ZERO; MOST - 1],
            carried_images: [Six::ZERO; MOST - 1],
            row_images: [Six::ZERO; MOST],
            inverses: [T::ZERO; MOST - 1],
            projections: [T::ZERO; MOST - 1],
            mixed: [T::ZERO; 3],
            root: [T::ZERO; 21],
        }
    }
}

impl<T: Lane> Limb<T> {
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
    fn is_plain(&self) -> bool {
        self.plain & !TURNED == PLAIN
    }
    #[inline(always)]
    fn is_passed(&self) -> bool {
        self.plain & !TURNED == PASSED
    }
    #[inline(always)]
    fn is_turned(&self) -> bool {
        self.plain & TURNED != 0
    }
    /// Whether its arm goes in, in the place of columns ([`Spatial::make_ball`]).
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
