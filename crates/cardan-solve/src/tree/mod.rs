//! Linear-time elimination of a forest, rank-revealing at every block (Baraff 1996).
//!
//! Blocks are eliminated leaves first. At block c with parent p the rows to be eliminated are stacked: those
//! of the links between c and p (or the ground, or c alone), and *pending* rows that could not be eliminated
//! at c's children. A_c, A_p: the stacked rows on c and on p. D_c: the mass of c plus what its children
//! added. If all rows can be eliminated at c:
//!
//! ```text
//! S    = A_c D_c⁻¹ A_cᵀ + E                     SPD
//! D_p += A_pᵀ S⁻¹ A_p
//! F_p −= A_pᵀ S⁻¹ (c + A_c D_c⁻¹ F_c)
//! back:  λ = −S⁻¹ (c + A_c D_c⁻¹ F_c + A_p x_p),   x_c = D_c⁻¹ (F_c + A_cᵀ λ)
//! ```
//!
//! Square roots are stored, so that a solve is substitution only: D_c = R Rᵀ, B = R⁻¹ A_cᵀ, S = BᵀB + E = T
//! Tᵀ, C = T⁻¹ A_p. Then D_p += CᵀC, and with y = R⁻¹ F_c, u = T⁻¹ (c + Bᵀ y): F_p −= Cᵀ u;  back λ = −T⁻ᵀ (u
//! + C x_p),  x_c = R⁻ᵀ (y + B λ).
//!
//! # Rows that cannot be eliminated at c
//!
//! Three rows on a block of dimension one cannot all be satisfied by it. `row_split.rs` finds W with A_dep =
//! W A_acc from the geometry of the rigid rows alone. Subtracting W times the accepted rows leaves rows on p
//! alone,
//!
//! ```text
//! L_p x_p + c' = 0,   L_p = A_p,dep − W A_p,acc,   c' = c_dep − W c_acc
//! λ_acc = λ'_acc − Wᵀ μ,   λ_dep = μ            (congruence: H keeps its form)
//! ```
//!
//! which are pending at p. Their formed magnitude goes with them, |dep| + |W| |acc|: a row that cancels to
//! noise stays noise. A row with nothing left on p, or without a p, is redundant: it is dropped, and c' is
//! stored.
//!
//! # The fast test
//!
//! Most blocks have no pending rows and can satisfy all their own. So the Cholesky factor of S is tried
//! first, and accepted when every pivot exceeds 1e-6 of its diagonal entry and every row has more than 1e-6
//! of its formed magnitude on c. A row that depends on the others to rounding (1e-16 in geometry) could pass
//! that only if cond(D_c) > 1e26, for the square root of a relative pivot is a remainder in the metric of
//! D_c⁻¹ and √cond(D_c) is the most by which the metric can stretch it. All other cases are decided by
//! geometry, and T then comes from orthogonalising B itself (twice), not from S, whose condition number is
//! the square.
//!
//! # The paper and the code
//!
//! Baraff 1996, appendix A, keeps one list of body and constraint nodes. Here a block and the rows to its
//! parent are one step, because a constraint node's D is never positive and its sign is best settled once.
//!
//! | paper | here |
//! |---|---|
//! | `ordermatrix(n)`, recursive | [`Forest::order`], iterative: Forward is the order, Backward its reverse |
//! | `n.D = M` / `n.D = 0` | start of [`Tree::factor`]: D = M; a row's D is −E, E = 0 in the paper |
//! | `n.J = n.isconstraint ? J_pq : J_pqᵀ` | `gather`: A_c and A_p, always the link's own block on that block |
//! | `n.D −= c.Jᵀ c.D c.J`, n a constraint | S = BᵀB + E, which is minus the paper's D |
//! | `n.D −= c.Jᵀ c.D c.J`, n a body | D_p += CᵀC; the two minus signs cancel |
//! | `n.Dinv = n.D⁻¹`, `n.J = n.Dinv n.J` | Cholesky factors R and T; B and C instead of products with inverses |
//! | `solve`, Forward loop | `forward_pass`: u and F_p |
//! | `solve`, Backward loop | `backward_pass`: λ, then x |
//!
//! Two errors in the paper's text are not followed. For a body node it takes J_pq with p the body and q the
//! constraint: the block needed is the constraint's on that body, transposed. And with +J stored and +b on
//! the right-hand side its `solve` returns −λ; section 6 has −J and −b. One copy of the paper in circulation
//! has also lost the `−=`. With H = [[M, −Jᵀ], [−J, −E]] and (F, c) on the right no correction is needed.

mod factor;
mod reach;
mod row_split;
mod solve;

use std::mem::size_of;
use std::ops::Range;
use std::sync::Arc;

use crate::dropped::Dropped;
use crate::error::NotATree;
use crate::forest::{Forest, Role};
use crate::graph::{Block, DistinctBlocks, Graph, Link, NONE, index_u32, packed_len};
use crate::lane::Lane;
pub use reach::Reach;
use row_split::RowSplit;

/// Relative pivots and rows above this are accepted without a decision by geometry; the section on the fast
/// test has the reason.
const PLAINLY_INDEPENDENT: f64 = 1e-6;

/// Linear-time solver of a forest; numbers of type `T`.
#[derive(Clone, Debug)]
pub struct Tree<T: Lane = f64> {
    graph: Arc<Graph>,
    /// In elimination order: a parent comes after its children.
    nodes: Vec<TreeNode>,
    /// Per block, its index in that order.
    place: Vec<u32>,
    /// The links of all nodes, node by node.
    own: Vec<NodeLink>,
    /// D, then R: packed, in elimination order.
    diag: Vec<T>,
    /// F, then y, then x, in elimination order.
    work: Vec<T>,
    /// Result of the last factorisation for each node's rows.
    parts: Vec<NodeFactor>,
    /// B, C, T, W of each node, in elimination order.
    values: Vec<T>,
    /// c, then u, then λ', in elimination order.
    multiplier: Vec<T>,
    /// For nodes that were split: accepted, handed up, dropped rows of the stack.
    orders: Vec<u32>,
    pending: PendingRows<T>,
    split: RowSplit<T>,
    /// Scratch of solves: a stack of biases, then of multipliers, with what formed them.
    stacked: Vec<T>,
    stacked_formed: Vec<f64>,
    dropped: Vec<Dropped<T>>,
    /// Rows that are left out: they count as rows of zeros.
    idle: Vec<bool>,
    rank: usize,
    ready: bool,
}

/// A block, or a link to the ground alone, in elimination order.
#[derive(Clone, Debug)]
struct TreeNode {
    block: Option<Block>,
    /// Index of the parent's node, or [`NONE`].
    parent: u32,
    dim: u32,
    parent_dim: u32,
    /// Rows of its own links.
    rows: u32,
    /// Its links in `own`.
    own: Range<u32>,
    /// Where its block starts in `diag` and in `work`.
    diag: usize,
    work: usize,
}

/// One link of a node.
#[derive(Clone, Debug)]
struct NodeLink {
    link: Link,
    rows: u32,
    /// Index of its first row in λ and c.
    start: usize,
}

/// Result of a factorisation for the rows stacked at a node.
#[derive(Copy, Clone, Debug, Default)]
struct NodeFactor {
    /// Where B, C, T, W start in `values`.
    values: usize,
    /// Where its accepted rows start in `multiplier`.
    multiplier: usize,
    /// Where its rows are listed in `orders`; unused if not split.
    orders: usize,
    split: bool,
    /// Rows taken from the children.
    pending: u32,
    /// Accepted rows; those of them that are rigid and have a column in W.
    accepted: u32,
    rigid: u32,
    /// Dependent rows: handed to the parent, or dropped.
    handed: u32,
    dropped: u32,
    /// First of its entries in the tree's list of dropped rows.
    first_dropped: u32,
    /// Depth of the stack of pending rows below those of this node.
    slot: u32,
}

/// Rows that children handed up, as a stack: subtrees are contiguous in elimination order, so the rows of a
/// node are on top. Grows only when rows are handed up; the memory is then kept.
#[derive(Clone, Debug, Default)]
struct PendingRows<T> {
    /// Entries on the block where the row is pending.
    rows: Vec<T>,
    formed: Vec<f64>,
    origin: Vec<(Link, u32)>,
    /// Per node, the number of rows pending there.
    count: Vec<u32>,
    /// Biases during the forward pass of a solve, multipliers during the backward pass.
    value: Vec<T>,
    value_formed: Vec<f64>,
}

impl<T: Lane> Tree<T> {
    /// Prepares the elimination of a graph: order, sizes, memory.
    ///
    /// # Errors
    /// If a link closes a loop (also one through the ground) or acts on three or more blocks.
    pub fn new(graph: &Arc<Graph>) -> Result<Tree<T>, NotATree> {
        Tree::with_forest(graph, &Forest::grow(graph))
    }

    /// Prepares the elimination of a graph in which loops may close through the ground.
    ///
    /// The ground has no unknowns, so such a ring is a tree to H; its redundant rows are found during
    /// factorisation.
    ///
    /// # Errors
    /// If a link closes a loop of blocks or acts on three or more.
    pub fn without_ground(graph: &Arc<Graph>) -> Result<Tree<T>, NotATree> {
        Tree::with_forest(graph, &Forest::grow_without_ground(graph))
    }

    fn with_forest(graph: &Arc<Graph>, forest: &Forest) -> Result<Tree<T>, NotATree> {
        if !forest.is_tree() {
            return Err(NotATree {
                loops: forest.links_with(Role::Loop).collect(),
                auxiliary: forest.links_with(Role::Auxiliary).collect(),
            });
        }
        let (nodes, own, place) = lay_out(graph, forest);
        let regular: usize = nodes.iter().map(TreeNode::regular_len).sum();
        Ok(Tree {
            graph: Arc::clone(graph),
            diag: vec![T::ZERO; graph.mass_len()],
            work: vec![T::ZERO; graph.unknowns()],
            parts: Vec::with_capacity(nodes.len()),
            values: Vec::with_capacity(regular),
            multiplier: Vec::with_capacity(graph.rows()),
            orders: Vec::new(),
            pending: PendingRows { count: vec![0; nodes.len()], ..PendingRows::default() },
            split: RowSplit::default(),
            stacked: Vec::new(),
            stacked_formed: Vec::new(),
            dropped: Vec::new(),
            idle: vec![false; graph.rows()],
            rank: 0,
            ready: false,
            nodes,
            place,
            own,
        })
    }

    /// The graph this solver was built for.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Number of rows that the last factorisation solves for: all but the dropped ones.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Redundant rows of the last factorisation, with their leftovers after a solve.
    pub fn dropped(&self) -> &[Dropped<T>] {
        &self.dropped
    }

    /// Whether a row was dropped as redundant.
    pub fn row_is_dropped(&self, link: Link, row: usize) -> bool {
        self.dropped.iter().any(|dropped| (dropped.link, dropped.row) == (link, row))
    }

    /// Number of rows that were handed to a parent in the last factorisation.
    pub fn handed_up(&self) -> usize {
        self.parts.iter().map(|part| part.handed as usize).sum()
    }

    /// Number of blocks whose rows were decided by geometry, not by the fast test, in the last factorisation.
    pub fn split_blocks(&self) -> usize {
        self.parts.iter().filter(|part| part.split).count()
    }

    /// Numbers stored for the last factorisation: R, B, C, T and W.
    pub fn stored(&self) -> usize {
        self.diag.len() + self.values.len()
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let Tree { pending, split, .. } = self;
        let numbers = [&self.diag, &self.work, &self.values, &self.multiplier, &self.stacked];
        let handed = [&pending.rows, &pending.value];
        let scratch = split.bytes();
        let lanes: usize = numbers.into_iter().chain(handed).map(Vec::capacity).sum();
        lanes * size_of::<T>()
            + (self.stacked_formed.capacity() + pending.formed.capacity()) * size_of::<f64>()
            + pending.value_formed.capacity() * size_of::<f64>()
            + pending.origin.capacity() * size_of::<(Link, u32)>()
            + (self.orders.capacity() + pending.count.capacity() + self.place.capacity()) * size_of::<u32>()
            + self.nodes.capacity() * size_of::<TreeNode>()
            + self.own.capacity() * size_of::<NodeLink>()
            + self.parts.capacity() * size_of::<NodeFactor>()
            + self.dropped.capacity() * size_of::<Dropped<T>>()
            + self.idle.capacity()
            + scratch
    }
}

impl TreeNode {
    /// Length of B, C and T when all own rows are accepted and nothing is pending.
    fn regular_len(&self) -> usize {
        let rows = self.rows as usize;
        rows * (self.dim + self.parent_dim) as usize + packed_len(rows)
    }
}

/// Nodes in elimination order, each with its links.
fn lay_out(graph: &Graph, forest: &Forest) -> (Vec<TreeNode>, Vec<NodeLink>, Vec<u32>) {
    let mut place = vec![NONE; graph.blocks()];
    for (i, block) in forest.order().iter().enumerate() {
        place[block.0 as usize] = index_u32(i);
    }
    let (mut nodes, mut own) = (Vec::with_capacity(graph.blocks()), Vec::with_capacity(graph.links()));
    let (mut diag, mut work) = (0, 0);
    for &block in forest.order() {
        let parent = forest.parent(block);
        let first = own.len();
        let mut last = None;
        for (link, _) in graph.incident(block) {
            let here = match graph.distinct_blocks(link) {
                DistinctBlocks::One(_) => true,
                DistinctBlocks::Two(a, b) => parent == Some(if a == block { b } else { a }),
                DistinctBlocks::None | DistinctBlocks::Many => false,
            };
            // A link that names a block twice occurs twice in a row.
            if here && last.replace(link) != Some(link) {
                own.push(NodeLink::new(graph, link));
            }
        }
        let dim = graph.block_dim(block);
        nodes.push(TreeNode {
            block: Some(block),
            parent: parent.map_or(NONE, |parent| place[parent.0 as usize]),
            dim: index_u32(dim),
            parent_dim: index_u32(parent.map_or(0, |parent| graph.block_dim(parent))),
            rows: own[first..].iter().map(|own: &NodeLink| own.rows).sum(),
            own: index_u32(first)..index_u32(own.len()),
            diag,
            work,
        });
        diag += packed_len(dim);
        work += dim;
    }
    // Links to the ground alone have multipliers if they are compliant.
    for link in graph.all_links().filter(|&link| graph.distinct_blocks(link) == DistinctBlocks::None) {
        let at = index_u32(own.len());
        own.push(NodeLink::new(graph, link));
        let rows = index_u32(graph.link_rows(link));
        nodes.push(TreeNode {
            block: None,
            parent: NONE,
            dim: 0,
            parent_dim: 0,
            rows,
            own: at..at + 1,
            diag,
            work,
        });
    }
    (nodes, own, place)
}

impl NodeLink {
    fn new(graph: &Graph, link: Link) -> NodeLink {
        let range = graph.row_range(link);
        NodeLink { link, rows: index_u32(range.len()), start: range.start }
    }
}
