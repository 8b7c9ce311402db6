//! The forest: its nodes in elimination order, how it is built from a graph, and which kernel each node takes.

use super::f64x3::SimdChildSum;
use super::loops::LoopClosures;
use super::node::{INNER, LEAF, ONE_DOF, ONE_DOF_IN_LOOP, REVERSED, ROOT};
use super::rank_plan::RankScratch;
use super::two_rhs::SecondRhs;
use super::{Coupling, Form, LoopClosure, MAX_LOOP_ROWS, Node, NodeExtra, NodeExtras, Results};
use crate::forest::{Forest, Role};
use crate::graph::{Block, Graph, Link, NONE, index_u32};
use crate::lane::Lane;
use crate::math::{Six, Sym6};
use std::mem::size_of;

/// Linear-time solver of a forest of relative links ([module page](crate::articulated)); numbers of type `T`.
#[derive(Clone, Debug)]
pub struct ArticulatedForest<T: Lane = f64> {
    /// In elimination order, a postorder: a parent comes after its children, and a subtree is contiguous.
    pub(super) nodes: Vec<Node<T>>,
    /// Columns beyond the first. Nodes without any share the first entry, and never read it.
    pub(super) extra: Vec<NodeExtra<T>>,
    /// Index into `extra` of each node.
    pub(super) extra_at: Vec<u32>,
    /// Inertia of each link itself along its one freedom, in the place of what the filler writes; empty if no
    /// link has any.
    pub(super) joint_inertias: Vec<T>,
    /// Out: J_cᵀ λ, what the link of each node exerts on its block.
    pub(super) loads: Vec<Six<T>>,
    /// Sums for parents whose children are being eliminated; one for a chain, as many as branches nest
    /// otherwise.
    pub(super) sums: Vec<(Sym6<T>, Six<T>)>,
    pub(super) simd_sums: Vec<SimdChildSum>,
    /// Second right-hand side: sums for parents, the projection of the first column, and the rest for nodes
    /// with an entry in `extra`. Allocated when first needed.
    pub(super) second_sums: Vec<Six<T>>,
    pub(super) second_projections: Vec<T>,
    pub(super) seconds: Vec<SecondRhs<T>>,
    /// The block of each node, and the node of each block.
    pub(super) blocks: Vec<Block>,
    pub(super) places: Vec<u32>,
    /// The link of each node to its parent or the ground, if it has one.
    pub(super) links: Vec<Option<Link>>,
    pub(super) closures: LoopClosures<T>,
    /// Scratch of a solve for loops alone: whether a node receives any force.
    pub(super) reached: Vec<bool>,
    pub(super) rank_scratch: RankScratch,
}

impl<T: Lane> ArticulatedForest<T> {
    /// Prepares the elimination. `None` if it does not apply: links must have at most two blocks and six
    /// rows, and those of the forest need a form (`forms`, by link). Links that the forest leaves out, and
    /// all but the first between the same block and parent, become loop closures. Blocks count as
    /// six-dimensional, whatever the graph says.
    pub fn new(graph: &Graph, forest: &Forest, forms: &[Option<Form>]) -> Option<Self> {
        Self::with_couplings(graph, forest, forms, &[])
    }

    /// Prepares the elimination with couplings, which come after the loop closures of links. The graph has no
    /// links for them.
    pub fn with_couplings(
        graph: &Graph,
        forest: &Forest,
        forms: &[Option<Form>],
        couplings: &[Coupling],
    ) -> Option<Self> {
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
        // A block without a link floats: `Rows(0)` solves D x = F.
        let form = |block: &Block| link_of[block.0 as usize].and_then(|l: Link| forms[l.0 as usize]);
        let forms: Vec<Form> = forest.order().iter().map(|b| form(b).unwrap_or(Form::Rows(0))).collect();
        let closure = |&link: &Link| {
            let mut ends = graph.ends(link).iter().map(|end| end.map_or(NONE, |b| places[b.0 as usize]));
            let both = [ends.next().unwrap_or(NONE), ends.next().unwrap_or(NONE)];
            let rows = graph.row_range(link).len();
            (ends.next().is_none() && rows <= MAX_LOOP_ROWS).then(|| LoopClosure::new(link, both, rows))
        };
        let mut closures = beyond.iter().map(closure).collect::<Option<Vec<_>>>()?;
        if couplings.iter().any(|coupling| coupling.rows > MAX_LOOP_ROWS) {
            return None;
        }
        let place = |block: Block| places[block.0 as usize];
        closures.extend(couplings.iter().map(|coupling| LoopClosure::coupling(coupling, place)));
        let mut articulated = ArticulatedForest::from_parents(&parents, &forms, closures);
        articulated.links = forest.order().iter().map(|b| link_of[b.0 as usize]).collect();
        articulated.blocks = forest.order().to_vec();
        articulated.places = places;
        Some(articulated)
    }

    /// Builds the forest from parents in elimination order; blocks are numbered like nodes, and links are
    /// unknown.
    pub(super) fn from_parents(parents: &[u32], forms: &[Form], closures: Vec<LoopClosure<T>>) -> Self {
        let (closures, loop_steps) = LoopClosures::new(parents, forms, closures);
        let mut begun = vec![false; parents.len()];
        let node = |at: usize| Node {
            parent: parents[at],
            // Children come first, so a parent is marked by now.
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
            // One entry for every node, until `trim` tells which need none; allocated when first needed.
            extra: Vec::new(),
            extra_at: (1..=index_u32(nodes.len())).collect(),
            joint_inertias: Vec::new(),
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

    /// Inertias of the links themselves along their one freedom (A + h C + h² K), by node, for all further
    /// eliminations; none if it is empty. Links with another number of freedoms are left as the filler writes
    /// them.
    pub fn joint_inertias_mut(&mut self) -> &mut Vec<T> {
        &mut self.joint_inertias
    }

    /// Most parents whose children are being eliminated at a time: one in a chain.
    pub fn depth(&self) -> usize {
        self.sums.len()
    }

    /// Number of nodes, which is that of blocks.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there is nothing to solve.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The block and the link of a node, by its index in elimination order.
    pub fn at(&self, place: usize) -> (Block, Option<Link>) {
        (self.blocks[place], self.links[place])
    }

    /// Index of a block in elimination order.
    pub fn place(&self, block: Block) -> usize {
        self.places[block.0 as usize] as usize
    }

    /// The nodes, in elimination order.
    pub fn nodes(&self) -> &[Node<T>] {
        &self.nodes
    }

    /// Whether any node has columns or rows beyond the first.
    pub fn has_extra(&self) -> bool {
        self.extra.len() > 1
    }

    /// Columns or rows beyond the first of a node. Meaningless for a node with one freedom.
    pub fn extra(&self, place: usize) -> &NodeExtra<T> {
        &self.extra[self.extra_at[place] as usize]
    }

    /// Frees the memory for further columns of nodes that never need it: those of the one-freedom kernel
    /// ([`use_one_dof_kernel`](ArticulatedForest::use_one_dof_kernel)) with at most one child. Call it after
    /// the kernels are chosen and before the first solve.
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

    /// J_cᵀ λ of the last solve: what the link of each node exerts on its block.
    pub fn loads(&self) -> &[Six<T>] {
        &self.loads
    }

    /// Result of the last solve; loads that were not computed may be written here.
    #[inline(always)]
    pub fn results_mut(&mut self) -> Results<'_, T> {
        Results {
            nodes: &self.nodes,
            extra: NodeExtras { all: &self.extra, at: &self.extra_at },
            loads: &mut self.loads,
        }
    }

    /// Makes the block of a node a point, which does not rotate: the angular halves of its mass, force and
    /// unknowns are ignored. Its link may be in rows form or have no freedoms.
    pub fn make_point(&mut self, place: usize) {
        self.nodes[place].is_point = true;
        self.nodes[place].special_kernel = 0;
        self.nodes[place].is_ball = false;
        if self.nodes[place].kind == LEAF {
            self.nodes[place].kind = INNER;
        }
    }

    /// Promises that the mass of a node is always diag(m 1, I). Without children it is then eliminated with
    /// fewer operations.
    pub fn use_leaf_kernel(&mut self, place: usize) {
        let node = &mut self.nodes[place];
        let eliminations = node.loop_step != NONE && self.closures.may_eliminate_at(node.loop_step);
        if let (Form::Freedoms(1 | 3), INNER) = (node.form, node.kind)
            && !(node.has_children || node.is_point || eliminations)
        {
            node.kind = LEAF;
        }
    }

    /// Promises that the mass of a node is always diag(m 1, I). If its link has one freedom it is then
    /// eliminated by the one-freedom kernel (scalar if no loop passes, AVX2 otherwise).
    pub fn use_one_dof_kernel(&mut self, place: usize) {
        let node = &mut self.nodes[place];
        let reversed = node.special_kernel & REVERSED;
        node.special_kernel = reversed
            | match (node.form, node.loop_step) {
                (Form::Freedoms(1), NONE) if !node.is_point => ONE_DOF,
                (Form::Freedoms(1), loop_step)
                    if !(node.is_point || self.closures.may_eliminate_at(loop_step)) =>
                {
                    ONE_DOF_IN_LOOP
                }
                _ => 0,
            };
    }

    /// Promises that the mass of a node is always diag(m 1, I) and that its link is spherical: it keeps one
    /// point together and leaves all rotations free. The arm of the point is then given in place of the
    /// columns. False, with columns as before, if loops are eliminated at the node or if loop ends in lanes
    /// pass it.
    pub fn use_ball_kernel(&mut self, place: usize) -> bool {
        let node = &mut self.nodes[place];
        let is_passed = node.loop_step != NONE;
        let is_met =
            is_passed && (self.closures.are_loop_ends || self.closures.may_eliminate_at(node.loop_step));
        node.is_ball = node.form == Form::Freedoms(3) && !(is_met || node.is_point);
        node.is_ball
    }

    /// Marks the link of a node as reversed: its ends are exchanged, as the filler defines it.
    /// [`FillNodes::input`](super::FillNodes::input) is told so by a constant, which spares other nodes the decision.
    pub fn set_reversed(&mut self, place: usize) {
        self.nodes[place].special_kernel |= REVERSED;
    }

    /// The loop closures: links that the forest leaves out.
    pub fn closures(&self) -> &[LoopClosure<T>] {
        &self.closures.all
    }

    /// The loop closures, to write their input: rows and biases before a rank plan or an elimination, biases
    /// before a solve.
    pub fn closures_mut(&mut self) -> &mut [LoopClosure<T>] {
        &mut self.closures.all
    }

    /// Whether loop closures may be eliminated at a platform on legs, before their ends meet: where an
    /// elimination finds that the freedoms of every leg span the rows of its loop closure.
    pub fn may_have_legs(&self) -> bool {
        self.closures.may_have_legs()
    }

    /// Whether the last elimination did so.
    pub fn has_legs(&self) -> bool {
        self.closures.has_legs
    }

    /// Eliminates all loop closures where their ends meet. Kernels of nodes are to be chosen afterwards.
    pub fn forget_legs(&mut self) {
        self.closures.forget_legs();
    }

    /// Smallest remainder of a kept row of a loop closure in the last elimination, squared and relative to
    /// what formed the row. Near zero the rank plan should be made again.
    pub fn least_pivot(&self) -> f64 {
        self.closures.least_pivot
    }

    /// Whether the last solve ignored rows whose bias was noise ([`Noise`](super::Noise)).
    pub fn ignored_noisy_rows(&self) -> bool {
        self.closures.ignored_rows
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Allocated memory in bytes by purpose.
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

    /// Estimated multiplications that loop closures add to an elimination, by counts alone; zero without
    /// loops.
    pub fn predicted_cost_of_closures(&self) -> u64 {
        self.closures.symbolic.cost
    }
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
