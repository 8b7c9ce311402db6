//! Level scheduling: nodes of one forest in SIMD lanes, four at a time.
//!
//! Nodes of which none is an ancestor of another are independent. Four of the same kind (form of the link,
//! with or without children) can be eliminated at once, wherever in the forest they are. The schedule is made
//! once, from the structure alone: among nodes whose children are done, those with the longest path to the
//! root go first (Hu 1961), which needs the fewest groups of four where all nodes are of one kind.
//!
//! A *lane node* is such a group of four. Sums for parents, and solutions for children, are rows of an array
//! with one row per node: a lane node gathers the rows of its four nodes into lanes ([`Simd4`]). Children are
//! summed in the order in which the scalar forest eliminates them, so every node has the bits of the scalar
//! forest.

use super::fill::FillerAsTaker;
use super::node::{INNER, LEAF};
use super::two_rhs::SecondRhs;
use super::{
    ALL_LOADS, ArticulatedForest, FillNodes, Form, LoopClosure, Node, NodeExtra, ROOT_LOADS, TakeSolution,
    TwoRhs,
};
use crate::graph::{NONE, index_u32};
use crate::lane::Lane;
use crate::math::{Mat3, Six, Sym3, Sym6, Vec3};
use crate::simd::Simd4;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::mem::size_of;
use std::ops::Range;

/// Lanes of a lane node.
const LANES: usize = 4;
/// Numbers of a row: F and D, and one as padding.
const SUM_LEN: usize = 28;
/// Numbers of a solution: six for each of two right-hand sides.
pub const SOLUTION_LEN: usize = 12;

/// What nodes must have in common to be in one lane node.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeKind {
    /// The link to the parent.
    pub parent_link: ParentLink,
    /// The link is reversed ([`ArticulatedForest::set_reversed`]).
    pub is_reversed: bool,
    /// The parent is the ground.
    pub on_ground: bool,
    /// Any further distinction that the filler of the nodes needs.
    pub class: u32,
}

/// The link of a block to its parent.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ParentLink {
    /// One freedom.
    Hinge,
    /// A spherical link.
    Ball,
    /// No link: the block floats.
    Floating,
    /// Any other link: the node is eliminated alone, in scalar arithmetic ([`ScalarNodes`]).
    Other,
}

/// Eliminates the nodes that are not in lanes, in scalar arithmetic.
pub trait ScalarNodes {
    /// Eliminates a node, given the sum of its children if it has any. Returns whether all pivots are
    /// positive, and D and F for its parent.
    fn eliminate(&mut self, place: usize, sum: Option<(Sym6, Six)>) -> (bool, Sym6, Six);
    /// Unknowns of a node, given those of its parent.
    fn back(&mut self, place: usize, parent: Six) -> Six;
}

/// For forests whose nodes are all in lanes.
impl ScalarNodes for () {
    fn eliminate(&mut self, _: usize, _: Option<(Sym6, Six)>) -> (bool, Sym6, Six) {
        (false, Sym6::ZERO, Six::ZERO)
    }
    fn back(&mut self, _: usize, _: Six) -> Six {
        Six::ZERO
    }
}

/// Four nodes in lanes.
#[derive(Clone, Debug)]
struct LaneNode {
    /// Offsets of their rows; of their solutions and those of their parents.
    rows: [u32; LANES],
    answers: [u32; LANES],
    parents: [u32; LANES],
    /// Rows of their children.
    children: Range<u32>,
    /// The node of a lane node that is eliminated alone.
    scalar_node: Option<u32>,
}

/// The elimination of a forest with its nodes in lanes.
#[derive(Clone, Debug)]
pub struct ScheduledForest<T: Simd4> {
    /// One node per lane node.
    articulated: ArticulatedForest<T>,
    lane_nodes: Vec<LaneNode>,
    children: Vec<[u32; LANES]>,
    /// What each node adds to its parent; after these a row of −0, for lanes with fewer children.
    rows: Vec<f64>,
    /// The solution of each node; after these that of the ground.
    answers: Vec<f64>,
    /// What a lane node keeps of the second right-hand side.
    seconds: Vec<Six<T>>,
}

/// Nodes of one kind whose children are done: the deepest first, then the lowest index.
type ReadyHeap = BinaryHeap<(u32, Reverse<u32>)>;

/// Which nodes share a lane node, from the leaves to the roots; unused lanes repeat another node.
#[derive(Clone, Debug)]
pub struct LevelSchedule {
    /// The nodes of every lane node.
    pub lane_nodes: Vec<[u32; LANES]>,
}

impl LevelSchedule {
    /// Schedules a forest given by parents, which come after their children, and by kinds.
    pub fn new(parents: &[Option<u32>], kinds: &[NodeKind]) -> Self {
        // With several kinds neither rule is always better.
        let (deepest, fullest) =
            (Self::with_rule(parents, kinds, false), Self::with_rule(parents, kinds, true));
        if fullest.lane_nodes.len() < deepest.lane_nodes.len() { fullest } else { deepest }
    }

    /// The deepest first; or, with `full_first`, kinds with four nodes ready before them.
    fn with_rule(parents: &[Option<u32>], kinds: &[NodeKind], full_first: bool) -> Self {
        let count = parents.len();
        let (mut pending, mut depth) = (vec![0u32; count], vec![0u32; count]);
        for at in (0..count).rev() {
            if let Some(parent) = parents[at] {
                depth[at] = depth[parent as usize] + 1;
                pending[parent as usize] += 1;
            }
        }
        // By kind.
        let key: Vec<(NodeKind, bool)> =
            kinds.iter().zip(&pending).map(|(&kind, &pending)| (kind, pending == 0)).collect();
        let mut ready: BTreeMap<(NodeKind, bool), ReadyHeap> = BTreeMap::new();
        for at in (0..count).filter(|&at| pending[at] == 0) {
            ready.entry(key[at]).or_default().push((depth[at], Reverse(index_u32(at))));
        }
        let mut lane_nodes = Vec::new();
        loop {
            let best = ready
                .iter()
                .max_by_key(|(_, alike)| (full_first && alike.len() >= LANES, alike.peek().copied()));
            let Some(best) = best.map(|(key, _)| *key) else { break };
            let Some(alike) = ready.get_mut(&best) else { break };
            let most = if best.0.parent_link == ParentLink::Other { 1 } else { LANES };
            let mut taken: Vec<u32> = Vec::with_capacity(LANES);
            while taken.len() < most
                && let Some((_, Reverse(at))) = alike.pop()
            {
                taken.push(at);
            }
            if alike.is_empty() {
                ready.remove(&best);
            }
            for parent in taken.iter().filter_map(|&at| parents[at as usize]) {
                let at = parent as usize;
                pending[at] -= 1;
                if pending[at] == 0 {
                    ready.entry(key[at]).or_default().push((depth[at], Reverse(parent)));
                }
            }
            let last = taken.len() - 1;
            lane_nodes.push(std::array::from_fn(|lane| taken[lane.min(last)]));
        }
        LevelSchedule { lane_nodes }
    }
}

impl<T: Simd4> ScheduledForest<T> {
    /// Prepares the elimination of a forest given by parents and kinds, in the order of a schedule.
    pub fn new(parents: &[Option<u32>], kinds: &[NodeKind], schedule: &LevelSchedule) -> Self {
        let count = parents.len();
        let mut children_of = vec![Vec::new(); count];
        let mut lane_node_of = vec![0; count];
        for (at, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children_of[*parent as usize].push(index_u32(at));
            }
        }
        for (lane_node, places) in schedule.lane_nodes.iter().enumerate() {
            places.iter().for_each(|&at| lane_node_of[at as usize] = index_u32(lane_node));
        }
        let first = |places: &[u32; LANES]| places[0] as usize;
        // The SIMD forest only needs to know whether a lane node has parents.
        let above: Vec<u32> = schedule
            .lane_nodes
            .iter()
            .map(|places| parents[first(places)].map_or(NONE, |parent| lane_node_of[parent as usize]))
            .collect();
        let forms: Vec<Form> = schedule
            .lane_nodes
            .iter()
            .map(|places| match kinds[first(places)].parent_link {
                ParentLink::Hinge => Form::Freedoms(1),
                ParentLink::Ball => Form::Freedoms(3),
                ParentLink::Floating | ParentLink::Other => Form::Rows(0),
            })
            .collect();
        let mut articulated: ArticulatedForest<T> =
            ArticulatedForest::from_parents(&above, &forms, Vec::<LoopClosure<T>>::new());
        let (mut lane_nodes, mut children) = (Vec::new(), Vec::new());
        for (lane_node, places) in schedule.lane_nodes.iter().enumerate() {
            let NodeKind { parent_link, is_reversed, .. } = kinds[first(places)];
            articulated.nodes[lane_node].has_children = !children_of[first(places)].is_empty();
            match parent_link {
                ParentLink::Hinge => articulated.use_one_dof_kernel(lane_node),
                ParentLink::Ball => {
                    articulated.use_ball_kernel(lane_node);
                }
                ParentLink::Floating | ParentLink::Other => {}
            }
            if is_reversed {
                articulated.set_reversed(lane_node);
            }
            let most = places.iter().map(|&at| children_of[at as usize].len()).max().unwrap_or(0);
            let begin = index_u32(children.len());
            for k in 0..most {
                // Lanes with fewer children read the row of −0.
                children.push(places.map(|at| {
                    children_of[at as usize].get(k).map_or(index_u32(count), |&child| child) * SUM_LEN as u32
                }));
            }
            lane_nodes.push(LaneNode {
                rows: places.map(|at| at * SUM_LEN as u32),
                answers: places.map(|at| at * SOLUTION_LEN as u32),
                parents: places
                    .map(|at| parents[at as usize].unwrap_or(index_u32(count)) * SOLUTION_LEN as u32),
                children: begin..index_u32(children.len()),
                scalar_node: (parent_link == ParentLink::Other).then_some(places[0]),
            });
        }
        // Only floating nodes have more than their first column.
        let mut last = 0;
        for (at, form) in articulated.extra_at.iter_mut().zip(&forms) {
            let floats = *form == Form::Rows(0);
            last += u32::from(floats);
            *at = if floats { last } else { 0 };
        }
        articulated.extra = vec![NodeExtra::default(); last as usize + 1];
        let mut rows = vec![0.0; (count + 1) * SUM_LEN];
        // −0 added to a number leaves every bit of it.
        rows[count * SUM_LEN..].fill(-0.0);
        ScheduledForest {
            seconds: vec![Six::ZERO; lane_nodes.len()],
            answers: vec![0.0; (count + 1) * SOLUTION_LEN],
            lane_nodes,
            children,
            rows,
            articulated,
        }
    }

    /// Number of lane nodes.
    pub fn len(&self) -> usize {
        self.lane_nodes.len()
    }
    /// True if there are no lane nodes.
    pub fn is_empty(&self) -> bool {
        self.lane_nodes.is_empty()
    }
    /// The node of each lane node, with four lanes.
    pub fn nodes(&self) -> &[Node<T>] {
        &self.articulated.nodes
    }
    /// A lane node with the columns of its link after the first.
    pub fn node_with_extra(&self, lane_node: usize) -> (&Node<T>, &NodeExtra<T>) {
        let ArticulatedForest { nodes, extra, extra_at, .. } = &self.articulated;
        (&nodes[lane_node], &extra[extra_at[lane_node] as usize])
    }
    /// Loads of the links of each lane node.
    pub fn loads(&self) -> &[Six<T>] {
        &self.articulated.loads
    }
    /// Offsets of the four nodes of a lane node in an array with [`SOLUTION_LEN`] numbers per node, and
    /// offsets of their parents; the ground comes after all nodes.
    pub fn offsets(&self, lane_node: usize) -> ([u32; LANES], [u32; LANES]) {
        (self.lane_nodes[lane_node].answers, self.lane_nodes[lane_node].parents)
    }
    /// Offsets of the children of a lane node, for all lanes at once; a lane with fewer children gets the row
    /// after that of the last node.
    pub fn children(&self, lane_node: usize) -> impl Iterator<Item = [u32; LANES]> + '_ {
        let Range { start, end } = self.lane_nodes[lane_node].children;
        let rows = &self.children[start as usize..end as usize];
        rows.iter().map(|row| row.map(|at| at / SUM_LEN as u32 * SOLUTION_LEN as u32))
    }
    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.articulated.bytes()
            + self.lane_nodes.capacity() * size_of::<LaneNode>()
            + self.children.capacity() * size_of::<[u32; LANES]>()
            + (self.rows.capacity() + self.answers.capacity()) * size_of::<f64>()
            + self.seconds.capacity() * size_of::<Six<T>>()
    }

    /// [`ArticulatedForest::factor_and_solve`]; false if a pivot is not positive.
    #[inline(always)]
    pub fn factor_and_solve(
        &mut self,
        fill: &mut impl FillNodes<T>,
        scalar_nodes: &mut impl ScalarNodes,
    ) -> bool {
        let is_fine = self.factor(fill, scalar_nodes);
        if is_fine {
            self.backward::<ALL_LOADS>(FillerAsTaker(fill), scalar_nodes);
        }
        is_fine
    }

    /// [`ArticulatedForest::factor`]; false if a pivot is not positive.
    #[inline(always)]
    pub fn factor(&mut self, fill: &mut impl FillNodes<T>, scalar_nodes: &mut impl ScalarNodes) -> bool {
        let nothing = (Sym6::ZERO, Six::ZERO);
        let mut is_fine = true;
        for at in 0..self.lane_nodes.len() {
            let ScheduledForest { articulated, lane_nodes, children, rows, .. } = self;
            let node = &mut articulated.nodes[at];
            let extra = &mut articulated.extra[articulated.extra_at[at] as usize];
            let lane_node = &lane_nodes[at];
            let children = &children[lane_node.children.start as usize..lane_node.children.end as usize];
            // Every branch hands on its remainder itself, as in the scalar elimination.
            if node.is_one_dof() {
                let given = match node.is_reversed() {
                    true => fill.input::<false, true>(at, node, extra),
                    false => fill.input::<false, false>(at, node, extra),
                };
                let (fine, left, force) = match node.has_children {
                    true => node.eliminate_one_dof::<INNER>(&given, &sum::<T>(rows, children)),
                    false => node.eliminate_one_dof::<LEAF>(&given, &nothing),
                };
                is_fine &= fine;
                scatter_to_parents(node, rows, lane_node, left, force);
            } else if node.is_ball {
                let given = match node.is_reversed() {
                    true => fill.input::<true, true>(at, node, extra),
                    false => fill.input::<true, false>(at, node, extra),
                };
                let (fine, left, force) = match node.has_children {
                    true => node.eliminate_ball::<INNER>(&given, &sum::<T>(rows, children)),
                    false => node.eliminate_ball::<LEAF>(&given, &nothing),
                };
                is_fine &= fine;
                scatter_to_parents(node, rows, lane_node, left, force);
            } else if let Some(place) = lane_node.scalar_node {
                let sum = node.has_children.then(|| sum_of_one(rows, children));
                let (fine, left, force) = scalar_nodes.eliminate(place as usize, sum);
                is_fine &= fine;
                if node.parent != NONE {
                    rows[lane_node.rows[0] as usize..][..SUM_LEN].copy_from_slice(&to_row(left, force));
                }
            } else {
                node.clear_joint_input(extra);
                fill.fill_node(at, node, extra);
                if node.has_children {
                    articulated.sums[0] = sum::<T>(rows, children);
                }
                is_fine &= articulated.eliminate(at, 0).0;
            }
        }
        is_fine
    }

    /// [`ArticulatedForest::backward`].
    #[inline(always)]
    pub fn backward<const LOADS: u8>(
        &mut self,
        mut answer: impl TakeSolution<T>,
        scalar_nodes: &mut impl ScalarNodes,
    ) {
        for at in (0..self.lane_nodes.len()).rev() {
            let ScheduledForest { articulated, lane_nodes, answers, .. } = self;
            let (node, lane_node) = (&mut articulated.nodes[at], &lane_nodes[at]);
            if let Some(place) = lane_node.scalar_node {
                let parent = match node.parent {
                    NONE => Six::ZERO,
                    _ => Six::from_slice(&answers[lane_node.parents[0] as usize..][..6]),
                };
                let x = scalar_nodes.back(place as usize, parent);
                x.write(&mut answers[lane_node.answers[0] as usize..][..6]);
                continue;
            }
            let parent =
                if node.parent == NONE { Six::ZERO } else { six(T::gather(answers, lane_node.parents)) };
            let has_load = LOADS == ALL_LOADS || (LOADS == ROOT_LOADS && node.parent == NONE);
            let x = if node.is_one_dof() {
                let x = node.back_one_dof(&parent);
                if has_load {
                    articulated.loads[at] = node.load_of_one_dof(&x);
                }
                x
            } else if node.is_ball {
                let (x, y) = node.back_ball(&parent);
                if has_load {
                    articulated.loads[at] = node.load_of_ball(y);
                }
                x
            } else {
                articulated.back::<LOADS>(at, parent)
            };
            if self.articulated.nodes[at].has_children {
                T::scatter(numbers(&x), answers, lane_node.answers);
            }
            answer.take(at, &x);
        }
    }

    /// [`ArticulatedForest::solve_two_rhs`].
    #[inline(always)]
    pub fn solve_two_rhs(&mut self, part: T, rhs: &mut impl TwoRhs<T>) {
        self.articulated.seconds.resize(self.articulated.extra.len(), SecondRhs::default());
        for at in 0..self.lane_nodes.len() {
            let ScheduledForest { articulated, lane_nodes, children, rows, seconds, .. } = self;
            let node = &mut articulated.nodes[at];
            let own = articulated.extra_at[at] as usize;
            let lane_node = &lane_nodes[at];
            let children = &children[lane_node.children.start as usize..lane_node.children.end as usize];
            node.clear_effort(&mut articulated.extra[own]);
            rhs.write_rhs(at, node, &mut articulated.extra[own]);
            let second = &mut seconds[at];
            let mut handed = Six::ZERO;
            if node.has_children {
                let (force, extra) = both(T::gather_sums(rows, children));
                node.force += force;
                handed = extra;
            }
            let left = if node.is_one_dof() {
                let kept = &mut second.lin.x;
                match node.has_children {
                    true => node.forward_one_dof::<INNER>(&handed, kept, part),
                    false => node.forward_one_dof::<LEAF>(&handed, kept, part),
                }
            } else if node.is_ball {
                *second = handed;
                let first = node.forward_ball();
                (first, node.forward_ball_second(second, part))
            } else {
                articulated.seconds[own].force = handed;
                articulated.forward_both(at, part)
            };
            if articulated.nodes[at].parent != NONE {
                T::scatter(pair(&left.0, &left.1), rows, lane_node.rows);
            }
        }
        for at in (0..self.lane_nodes.len()).rev() {
            let ScheduledForest { articulated, lane_nodes, answers, seconds, .. } = self;
            let (node, lane_node) = (&mut articulated.nodes[at], &lane_nodes[at]);
            let (parent, second) = match node.parent {
                NONE => (Six::ZERO, Six::ZERO),
                _ => both(T::gather(answers, lane_node.parents)),
            };
            let (x, x_second) = if node.is_one_dof() {
                (node.back_one_dof(&parent), node.back_one_dof_second(seconds[at].lin.x, &second, part))
            } else if node.is_ball {
                (node.back_ball(&parent).0, node.back_ball_second(&seconds[at], &second, part))
            } else {
                articulated.back_both(at, &parent, &second, part)
            };
            if self.articulated.nodes[at].has_children {
                T::scatter(pair(&x, &x_second), answers, lane_node.answers);
            }
            rhs.answer(at, &x, &x_second);
        }
    }
}

/// Sum of what the children of four nodes add.
#[inline(always)]
fn sum<T: Simd4>(rows: &[f64], children: &[[u32; LANES]]) -> (Sym6<T>, Six<T>) {
    from_row(T::gather_sums(rows, children))
}

/// Sum of what the children of a scalar node add.
fn sum_of_one(rows: &[f64], children: &[[u32; LANES]]) -> (Sym6, Six) {
    let mut sum = [0.0; SUM_LEN];
    for (k, child) in children.iter().enumerate() {
        let row = &rows[child[0] as usize..][..SUM_LEN];
        if k == 0 {
            sum.copy_from_slice(row);
        } else {
            sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
    }
    from_row(sum)
}

/// Writes D and F for the parents.
#[inline(always)]
fn scatter_to_parents<T: Simd4>(
    node: &Node<T>,
    rows: &mut [f64],
    lane_node: &LaneNode,
    left: Sym6<T>,
    force: Six<T>,
) {
    if node.parent != NONE {
        T::scatter(to_row(left, force), rows, lane_node.rows);
    }
}

#[inline(always)]
fn to_row<T: Lane>(Sym6 { a, b, c }: Sym6<T>, Six { lin, ang }: Six<T>) -> [T; SUM_LEN] {
    [
        lin.x,
        lin.y,
        lin.z,
        ang.x,
        ang.y,
        ang.z, //
        a.xx,
        a.yy,
        a.zz,
        a.xy,
        a.xz,
        a.yz, //
        b.x.x,
        b.x.y,
        b.x.z,
        b.y.x,
        b.y.y,
        b.y.z,
        b.z.x,
        b.z.y,
        b.z.z, //
        c.xx,
        c.yy,
        c.zz,
        c.xy,
        c.xz,
        c.yz,
        T::ZERO,
    ]
}

#[inline(always)]
fn from_row<T: Lane>(row: [T; SUM_LEN]) -> (Sym6<T>, Six<T>) {
    let [f, g, h, i, j, k, axx, ayy, azz, axy, axz, ayz, bxx, bxy, bxz, byx, byy, byz, rest @ ..] = row;
    let [bzx, bzy, bzz, cxx, cyy, czz, cxy, cxz, cyz, _] = rest;
    let diag = Sym6 {
        a: Sym3 { xx: axx, yy: ayy, zz: azz, xy: axy, xz: axz, yz: ayz },
        b: Mat3 { x: Vec3::new(bxx, bxy, bxz), y: Vec3::new(byx, byy, byz), z: Vec3::new(bzx, bzy, bzz) },
        c: Sym3 { xx: cxx, yy: cyy, zz: czz, xy: cxy, xz: cxz, yz: cyz },
    };
    (diag, Six::new(Vec3::new(f, g, h), Vec3::new(i, j, k)))
}

#[inline(always)]
fn six<T: Simd4>([a, b, c, d, e, f]: [T; 6]) -> Six<T> {
    Six::new(Vec3::new(a, b, c), Vec3::new(d, e, f))
}
#[inline(always)]
fn numbers<T: Simd4>(x: &Six<T>) -> [T; 6] {
    [x.lin.x, x.lin.y, x.lin.z, x.ang.x, x.ang.y, x.ang.z]
}
#[inline(always)]
fn both<T: Simd4>([a, b, c, d, e, f, g, h, i, j, k, l]: [T; SOLUTION_LEN]) -> (Six<T>, Six<T>) {
    (six([a, b, c, d, e, f]), six([g, h, i, j, k, l]))
}
#[inline(always)]
fn pair<T: Simd4>(x: &Six<T>, second: &Six<T>) -> [T; SOLUTION_LEN] {
    let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (numbers(x), numbers(second));
    [a, b, c, d, e, f, g, h, i, j, k, l]
}
