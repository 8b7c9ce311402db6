//! Elimination order of any graph, and the front of each block.
//!
//! Eliminating a block connects all blocks it shares a link with: the rows handed on, and the masses that it
//! changes, are on these. They are the *border* of the block's front, and the first of them to be eliminated
//! is its parent. The block with the smallest border is eliminated next (minimum degree; Tinney 1967,
//! Amestoy, Davis and Duff 1996), ties to the lower index:
//!
//! ```text
//! border(v) = ⋃ { blocks of link l : l acts on v }  ∪  ⋃ { border(u) : u eliminated, v ∈ border(u) }  −  {u}  −  v
//! ```
//!
//! Links and borders of eliminated blocks are treated alike: sets of blocks that are all connected. A block
//! keeps the list of its sets; eliminating it replaces them by one. A forest gets borders of one block, a
//! ring of two.
//!
//! The final order is a postorder of parents, so that the blocks below any block are contiguous and before
//! it, and what children hand on can be kept on a stack.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use crate::graph::{Block, DistinctBlocks, Graph, Link, NONE, index_u32};

/// One step of the elimination: a block, or a link to the ground alone.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    pub(crate) block: Option<Block>,
    /// Columns of the block and of its border.
    pub(crate) dim: u32,
    pub(crate) border_dim: u32,
    /// The border's blocks, with their columns, in `Fronts::border`.
    pub(crate) border: Range<u32>,
    /// Links whose first block this is, in `Fronts::links`.
    pub(crate) links: Range<u32>,
    /// Rows of those links.
    pub(crate) rows: u32,
    /// Index of the parent, or [`NONE`].
    pub(crate) parent: u32,
    /// First of the fronts below this one; itself if there is none.
    pub(crate) first: u32,
}

/// A block of a border.
#[derive(Copy, Clone, Debug)]
pub(crate) struct BorderBlock {
    pub(crate) block: Block,
    /// First column within this border.
    pub(crate) column: u32,
    /// First column within the parent's border, or [`NONE`] if it is the parent's own block.
    pub(crate) in_parent: u32,
}

/// The elimination order of a graph, with its fronts.
#[derive(Clone, Debug)]
pub(crate) struct Fronts {
    /// Children before parents, everything below a front contiguous.
    pub(crate) fronts: Vec<Front>,
    pub(crate) border: Vec<BorderBlock>,
    pub(crate) links: Vec<Link>,
    /// Per end of every link: the first column within the border of the link's front, or [`NONE`] on the front's own block.
    pub(crate) end_column: Vec<u32>,
    /// Per front, its children in order, as lists threaded through the fronts.
    pub(crate) first_child: Vec<u32>,
    pub(crate) next_sibling: Vec<u32>,
}

impl Fronts {
    /// Orders the blocks of a graph.
    pub(crate) fn new(graph: &Graph) -> Fronts {
        let (order, borders) = minimum_degree(graph);
        lay_out(graph, &order, &borders)
    }

    /// The children of a front, in order.
    pub(crate) fn children(&self, front: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = self.first_child[front];
        std::iter::from_fn(move || {
            let child = at as usize;
            at = *self.next_sibling.get(child)?;
            Some(child)
        })
    }

    pub(crate) fn border_of(&self, front: usize) -> &[BorderBlock] {
        let range = &self.fronts[front].border;
        &self.border[range.start as usize..range.end as usize]
    }

    pub(crate) fn links_of(&self, front: usize) -> &[Link] {
        let range = &self.fronts[front].links;
        &self.links[range.start as usize..range.end as usize]
    }

    /// Estimated multiplications of an elimination, for the choice of a solver.
    pub(crate) fn predicted_cost(&self) -> u64 {
        let cost = |front: &Front| {
            let (dim, border) = (u64::from(front.dim), u64::from(front.border_dim));
            let (rows, all) = (u64::from(front.rows) + dim, dim + border);
            2 * rows * dim * all + 2 * dim * all * all
        };
        self.fronts.iter().map(cost).sum()
    }

    /// Allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.fronts.capacity() * size_of::<Front>()
            + self.border.capacity() * size_of::<BorderBlock>()
            + self.links.capacity() * size_of::<Link>()
            + (self.first_child.capacity() + self.next_sibling.capacity()) * size_of::<u32>()
            + self.end_column.capacity() * size_of::<u32>()
    }
}

/// Sets of connected blocks: the state of the ordering.
struct EliminationSets<'a> {
    graph: &'a Graph,
    /// Links first, then borders of eliminated blocks; empty once absorbed.
    sets: Vec<Vec<u32>>,
    /// Per block: its sets, some of them absorbed; the number of these.
    of_block: Vec<Vec<u32>>,
    absorbed: Vec<u32>,
    eliminated: Vec<bool>,
    mark: Vec<u32>,
    stamp: u32,
}

/// Blocks in order of elimination, and the border of each (in that order, unsorted).
fn minimum_degree(graph: &Graph) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut sets = EliminationSets::new(graph);
    let mut degree: Vec<u64> = (0..graph.blocks()).map(|block| sets.degree(block)).collect();
    let mut queue: BinaryHeap<Reverse<(u64, u32)>> =
        degree.iter().enumerate().map(|(block, &degree)| Reverse((degree, index_u32(block)))).collect();
    let mut order = Vec::with_capacity(graph.blocks());
    let mut borders = Vec::with_capacity(graph.blocks());
    while let Some(Reverse((key, block))) = queue.pop() {
        let v = block as usize;
        if sets.eliminated[v] || key != degree[v] {
            continue; // an entry from before its degree changed
        }
        let border = sets.eliminate(v);
        for &i in &border {
            let i = i as usize;
            // A block in more than this many sets is not next anyway; a bound suffices until it is in few.
            const EXACT_DEGREE_SETS: usize = 64;
            let now = if sets.live(i) <= EXACT_DEGREE_SETS {
                sets.degree(i)
            } else {
                let gone = graph.block_dim(Block(block)) + graph.block_dim(Block(index_u32(i)));
                (degree[i] + dims(graph, &border)).saturating_sub(gone as u64)
            };
            if now != degree[i] {
                degree[i] = now;
                queue.push(Reverse((now, index_u32(i))));
            }
        }
        order.push(block);
        borders.push(border);
    }
    (order, borders)
}

fn dims(graph: &Graph, blocks: &[u32]) -> u64 {
    blocks.iter().map(|&block| graph.block_dim(Block(block)) as u64).sum()
}

impl<'a> EliminationSets<'a> {
    fn new(graph: &'a Graph) -> EliminationSets<'a> {
        let mut sets: Vec<Vec<u32>> = Vec::with_capacity(graph.links() + graph.blocks());
        let mut of_block = vec![Vec::new(); graph.blocks()];
        for link in graph.all_links() {
            let mut blocks: Vec<u32> = graph.ends(link).iter().flatten().map(|block| block.0).collect();
            blocks.sort_unstable();
            blocks.dedup();
            // A block alone is not connected to any.
            if blocks.len() > 1 {
                for &block in &blocks {
                    of_block[block as usize].push(index_u32(sets.len()));
                }
                sets.push(blocks);
            }
        }
        let blocks = graph.blocks();
        EliminationSets {
            graph,
            sets,
            of_block,
            absorbed: vec![0; blocks],
            eliminated: vec![false; blocks],
            mark: vec![0; blocks],
            stamp: 0,
        }
    }

    /// Number of sets of a block that are not absorbed.
    fn live(&self, block: usize) -> usize {
        self.of_block[block].len() - self.absorbed[block] as usize
    }

    /// Columns of the border that eliminating `block` now would leave.
    fn degree(&mut self, block: usize) -> u64 {
        dims(self.graph, &self.border(block))
    }

    fn border(&mut self, block: usize) -> Vec<u32> {
        self.stamp += 1;
        self.mark[block] = self.stamp;
        let mut border = Vec::new();
        for &set in &self.of_block[block] {
            for &other in &self.sets[set as usize] {
                if !self.eliminated[other as usize] && self.mark[other as usize] != self.stamp {
                    self.mark[other as usize] = self.stamp;
                    border.push(other);
                }
            }
        }
        border
    }

    /// Eliminates a block and returns its border.
    fn eliminate(&mut self, block: usize) -> Vec<u32> {
        let border = self.border(block);
        self.eliminated[block] = true;
        for set in std::mem::take(&mut self.of_block[block]) {
            for other in std::mem::take(&mut self.sets[set as usize]) {
                self.absorbed[other as usize] += 1;
            }
        }
        let joined = border.len() > 1;
        for &other in &border {
            let other = other as usize;
            if joined {
                self.of_block[other].push(index_u32(self.sets.len()));
            }
            if 2 * self.absorbed[other] as usize > self.of_block[other].len() {
                self.of_block[other]
                    .retain(|&set| self.sets.get(set as usize).is_none_or(|blocks| !blocks.is_empty()));
                self.absorbed[other] = 0;
            }
        }
        if joined {
            self.sets.push(border.clone());
        }
        border
    }
}

/// Fronts in postorder.
fn lay_out(graph: &Graph, order: &[u32], borders: &[Vec<u32>]) -> Fronts {
    let blocks = graph.blocks();
    let mut turn = vec![NONE; blocks];
    for (at, &block) in order.iter().enumerate() {
        turn[block as usize] = index_u32(at);
    }
    // By turn: the parent, and the children as threaded lists with the earliest first.
    let parent: Vec<u32> = borders
        .iter()
        .map(|border| border.iter().map(|&block| turn[block as usize]).min().unwrap_or(NONE))
        .collect();
    let (mut first_child, mut next_sibling) = (vec![NONE; blocks], vec![NONE; blocks]);
    let mut roots = Vec::new();
    for at in (0..blocks).rev() {
        match parent[at] {
            NONE => roots.push(index_u32(at)),
            parent => {
                next_sibling[at] = first_child[parent as usize];
                first_child[parent as usize] = index_u32(at);
            }
        }
    }
    // Parents before children, then reversed: a postorder without recursion.
    let mut walk = Vec::with_capacity(blocks);
    let mut stack = roots;
    stack.reverse();
    while let Some(at) = stack.pop() {
        walk.push(at as usize);
        let mut child = first_child[at as usize];
        while child != NONE {
            stack.push(child);
            child = next_sibling[child as usize];
        }
    }
    walk.reverse();
    let mut place = vec![NONE; blocks];
    for (new, &at) in walk.iter().enumerate() {
        place[order[at] as usize] = index_u32(new);
    }

    let mut fronts = Fronts {
        fronts: Vec::with_capacity(blocks),
        border: Vec::with_capacity(borders.iter().map(Vec::len).sum()),
        links: Vec::with_capacity(graph.links()),
        end_column: Vec::new(),
        first_child: Vec::new(),
        next_sibling: Vec::new(),
    };
    let links_of = links_by_front(graph, &place);
    for (new, &at) in walk.iter().enumerate() {
        let block = Block(order[at]);
        let mut blocks = borders[at].clone();
        blocks.sort_unstable_by_key(|&block| place[block as usize]);
        let start = fronts.border.len();
        let mut column = 0;
        for block in blocks {
            fronts.border.push(BorderBlock { block: Block(block), column, in_parent: NONE });
            column += index_u32(graph.block_dim(Block(block)));
        }
        let first_link = fronts.links.len();
        fronts.links.extend_from_slice(&links_of[new]);
        fronts.fronts.push(Front {
            block: Some(block),
            dim: index_u32(graph.block_dim(block)),
            border_dim: column,
            border: index_u32(start)..index_u32(fronts.border.len()),
            links: index_u32(first_link)..index_u32(fronts.links.len()),
            rows: rows_of(graph, &links_of[new]),
            parent: match parent[at] {
                NONE => NONE,
                parent => place[order[parent as usize] as usize],
            },
            first: index_u32(new),
        });
    }
    fronts.add_ground_links(graph);
    fronts.find_children();
    fronts.find_places_in_parents();
    fronts.find_end_columns(graph);
    fronts
}

fn rows_of(graph: &Graph, links: &[Link]) -> u32 {
    links.iter().map(|&link| index_u32(graph.link_rows(link))).sum()
}

/// Each link with the first of its blocks to be eliminated.
fn links_by_front(graph: &Graph, place: &[u32]) -> Vec<Vec<Link>> {
    let mut links = vec![Vec::new(); graph.blocks()];
    for link in graph.all_links() {
        if let Some(first) = graph.ends(link).iter().flatten().map(|block| place[block.0 as usize]).min() {
            links[first as usize].push(link);
        }
    }
    links
}

impl Fronts {
    /// Adds links to the ground alone, each as a front of its own.
    fn add_ground_links(&mut self, graph: &Graph) {
        for link in graph.all_links().filter(|&link| graph.distinct_blocks(link) == DistinctBlocks::None) {
            let (at, border) = (index_u32(self.links.len()), index_u32(self.border.len()));
            self.links.push(link);
            self.fronts.push(Front {
                block: None,
                dim: 0,
                border_dim: 0,
                border: border..border,
                links: at..at + 1,
                rows: rows_of(graph, &[link]),
                parent: NONE,
                first: index_u32(self.fronts.len()),
            });
        }
    }

    fn find_children(&mut self) {
        let count = self.fronts.len();
        self.first_child = vec![NONE; count];
        self.next_sibling = vec![NONE; count];
        for at in (0..count).rev() {
            let parent = self.fronts[at].parent;
            if parent != NONE {
                self.next_sibling[at] = self.first_child[parent as usize];
                self.first_child[parent as usize] = index_u32(at);
            }
        }
        for at in 0..count {
            let parent = self.fronts[at].parent;
            if parent != NONE {
                let first = self.fronts[at].first;
                let of_parent = &mut self.fronts[parent as usize].first;
                *of_parent = first.min(*of_parent);
            }
        }
    }

    fn find_end_columns(&mut self, graph: &Graph) {
        self.end_column = vec![NONE; graph.all_links().map(|link| graph.ends(link).len()).sum()];
        let mut column = vec![NONE; graph.blocks()];
        for at in 0..self.fronts.len() {
            for bordering in self.border_of(at) {
                column[bordering.block.0 as usize] = bordering.column;
            }
            if let Some(block) = self.fronts[at].block {
                column[block.0 as usize] = NONE;
            }
            let range = self.fronts[at].links.clone();
            for k in range.start as usize..range.end as usize {
                let link = self.links[k];
                for (end, block) in graph.end_range(link).zip(graph.ends(link)) {
                    self.end_column[end] = block.map_or(NONE, |block| column[block.0 as usize]);
                }
            }
        }
    }

    /// Borders are sorted and a child's is part of its parent's: one pass along both.
    fn find_places_in_parents(&mut self) {
        for at in 0..self.fronts.len() {
            let parent = self.fronts[at].parent;
            if parent == NONE {
                continue;
            }
            let above = self.fronts[parent as usize].border.clone();
            let mut look = above.start as usize;
            let own = self.fronts[at].border.clone();
            for here in own.start as usize..own.end as usize {
                let block = self.border[here].block;
                if self.fronts[parent as usize].block == Some(block) {
                    continue;
                }
                while look < above.end as usize && self.border[look].block != block {
                    look += 1;
                }
                debug_assert!(look < above.end as usize, "a child's border is among its parent's");
                self.border[here].in_parent = self.border.get(look).map_or(NONE, |found| found.column);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(n: usize) -> Graph {
        let mut graph = Graph::new();
        let blocks: Vec<Block> = (0..n * n).map(|_| graph.add_block(3)).collect();
        for i in 0..n {
            for j in 0..n {
                if i + 1 < n {
                    graph.add_link(1, &[Some(blocks[i * n + j]), Some(blocks[(i + 1) * n + j])]);
                }
                if j + 1 < n {
                    graph.add_link(1, &[Some(blocks[i * n + j]), Some(blocks[i * n + j + 1])]);
                }
            }
        }
        graph
    }

    #[test]
    fn borders_are_what_elimination_joins() {
        for n in [2, 3, 6] {
            let graph = grid(n);
            let fronts = Fronts::new(&graph);
            // Textbook elimination: sets of neighbours, connected pair by pair.
            let mut joined: Vec<std::collections::BTreeSet<u32>> = vec![Default::default(); graph.blocks()];
            for link in graph.all_links() {
                let [Some(a), Some(b)] = graph.ends(link)[..] else { unreachable!() };
                joined[a.0 as usize].insert(b.0);
                joined[b.0 as usize].insert(a.0);
            }
            for (at, front) in fronts.fronts.iter().enumerate() {
                let block = front.block.unwrap().0;
                let border: std::collections::BTreeSet<u32> =
                    fronts.border_of(at).iter().map(|b| b.block.0).collect();
                assert_eq!(border, joined[block as usize], "{n}: border of {block}");
                for &other in &border {
                    joined[other as usize].extend(&border);
                    joined[other as usize].remove(&other);
                    joined[other as usize].remove(&block);
                }
                assert!(front.parent == NONE || front.parent as usize > at);
                for b in fronts.border_of(at) {
                    let parent = &fronts.fronts[front.parent as usize];
                    let found = fronts.border_of(front.parent as usize).iter().find(|p| p.block == b.block);
                    assert_eq!(b.in_parent, found.map_or(NONE, |p| p.column));
                    assert!(found.is_some() || parent.block == Some(b.block));
                }
                for below in front.first as usize..at {
                    let mut up = below;
                    while up < at {
                        up = fronts.fronts[up].parent as usize;
                    }
                    assert_eq!(up, at, "what lies below is contiguous");
                }
            }
            assert_eq!(fronts.links.len(), graph.links());
        }
    }

    #[test]
    fn forests_have_borders_of_one_and_rings_of_two() {
        let (mut tree, mut ring) = (Graph::new(), Graph::new());
        let blocks: Vec<Block> = (0..200).map(|_| (tree.add_block(6), ring.add_block(6)).0).collect();
        for i in 0..200 {
            if i > 0 {
                tree.add_link(3, &[Some(blocks[i]), Some(blocks[(i * 7 + 3) % i])]);
            }
            ring.add_link(3, &[Some(blocks[i]), Some(blocks[(i + 1) % 200])]);
        }
        let widest = |graph: &Graph| {
            let fronts = Fronts::new(graph);
            (0..fronts.fronts.len()).map(|at| fronts.border_of(at).len()).max()
        };
        assert_eq!((widest(&tree), widest(&ring)), (Some(1), Some(2)));
    }

    #[test]
    fn a_star_of_many_blocks_is_ordered_at_once() {
        let mut graph = Graph::new();
        let hub = graph.add_block(6);
        for _ in 0..100_000 {
            let block = graph.add_block(6);
            graph.add_link(3, &[Some(hub), Some(block)]);
        }
        let fronts = Fronts::new(&graph);
        // The last leaf ties with the hub.
        let hub_at = fronts.fronts.iter().position(|front| front.block == Some(hub)).unwrap();
        assert!(hub_at >= 99_999 && fronts.fronts.iter().all(|front| front.border.len() <= 1));
    }
}
