//! A spanning forest of the graph, and the role of each link in it.
//!
//! The forest is grown breadth-first from the ground, so that branches are as short as possible, over the
//! links that act on at most two distinct blocks. Links between the same child and parent are parallel, not
//! loops: their rows are stacked and eliminated together. Links marked as auxiliary are left out. A component
//! without a link to the ground is rooted near its middle. The elimination order is a postorder: every block
//! comes after its children, and every subtree is contiguous and ends with its root.

use crate::graph::{Block, DistinctBlocks, Graph, Link, NONE, index_u32};

/// Role of a link in the forest.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Between a block and its parent (or the ground, or itself): eliminated with that block.
    Primary,
    /// Between two blocks that the forest connects by another path.
    Loop,
    /// Acts on three or more blocks, or is marked as auxiliary.
    Auxiliary,
}

/// Parents, roles and elimination order.
#[derive(Clone, Debug)]
pub struct Forest {
    parent: Vec<u32>,
    depth: Vec<u32>,
    order: Vec<Block>,
    role: Vec<Role>,
}

impl Forest {
    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        (self.parent.capacity() + self.depth.capacity() + self.order.capacity()) * size_of::<u32>()
            + self.role.capacity() * size_of::<Role>()
    }

    /// Grows the forest breadth-first from the ground: every block linked to the ground is a root.
    pub fn grow(graph: &Graph) -> Forest {
        let mut growth = ForestBuilder::new(graph);
        for link in graph.all_links() {
            if let DistinctBlocks::One(block) = graph.distinct_blocks(link)
                && is_on_ground(graph, link)
                && !graph.is_auxiliary(link)
            {
                growth.plant(block);
            }
        }
        growth.spread();
        growth.finish()
    }

    /// Grows the forest as [`grow`](Forest::grow) does, but over preferred links first: a block that is
    /// reached brings along all blocks that preferred links connect it with, so that a preferred link
    /// closes a loop only where all links of that loop are preferred or lead to the ground.
    pub fn grow_preferring(graph: &Graph, prefers: impl Fn(Link) -> bool) -> Forest {
        let mut growth = ForestBuilder::new(graph);
        growth.is_preferred = graph.all_links().map(prefers).collect();
        for link in graph.all_links() {
            if let DistinctBlocks::One(block) = graph.distinct_blocks(link)
                && is_on_ground(graph, link)
                && !graph.is_auxiliary(link)
            {
                growth.plant(block);
            }
        }
        for at in 0..growth.reached.len() {
            growth.reach_preferred(growth.reached[at]);
        }
        growth.spread();
        growth.finish()
    }

    /// Grows the forest as [`grow_preferring`](Forest::grow_preferring) does, and lets other links to the
    /// ground give way, too: a link that is kept closes a loop only where all links of that loop are kept. A
    /// link to the ground closes a loop if its block was reached over kept links.
    pub fn grow_keeping(graph: &Graph, keeps: impl Fn(Link) -> bool) -> Forest {
        let mut growth = ForestBuilder::new(graph);
        growth.is_preferred = graph.all_links().map(keeps).collect();
        growth.is_strict = true;
        for is_kept in [true, false] {
            for link in graph.all_links().filter(|&link| is_on_ground(graph, link)) {
                if let DistinctBlocks::One(block) = graph.distinct_blocks(link)
                    && growth.is_preferred[link.0 as usize] == is_kept
                    && !graph.is_auxiliary(link)
                    && growth.plant(block)
                {
                    growth.reach_preferred(block);
                }
            }
        }
        growth.spread();
        growth.finish()
    }

    /// Grows the forest over blocks alone, every component from near its middle.
    ///
    /// The ground has dimension zero, so H has no entry for it: rows on one block are eliminated with that
    /// block, wherever it is in the forest. A ring that closes through the ground is a tree in this view, and
    /// each component has one root.
    pub fn grow_without_ground(graph: &Graph) -> Forest {
        ForestBuilder::new(graph).finish()
    }

    /// The role of a link.
    pub fn role(&self, link: Link) -> Role {
        self.role[link.0 as usize]
    }

    /// The parent of a block; `None` for a root.
    pub fn parent(&self, block: Block) -> Option<Block> {
        match self.parent[block.0 as usize] {
            NONE => None,
            parent => Some(Block(parent)),
        }
    }

    /// Number of links between a block and its root.
    pub fn depth(&self, block: Block) -> usize {
        self.depth[block.0 as usize] as usize
    }

    /// Blocks in elimination order: each after all its children, each subtree contiguous.
    pub fn order(&self) -> &[Block] {
        &self.order
    }

    /// Whether every link is primary.
    pub fn is_tree(&self) -> bool {
        self.role.iter().all(|&role| role == Role::Primary)
    }

    /// The links of a role, in order.
    pub fn links_with(&self, role: Role) -> impl Iterator<Item = Link> + '_ {
        (0..index_u32(self.role.len())).map(Link).filter(move |&link| self.role(link) == role)
    }
}

fn is_on_ground(graph: &Graph, link: Link) -> bool {
    let ends = graph.ends(link);
    ends.len() == 1 || ends.iter().any(Option::is_none)
}

/// A forest under construction.
struct ForestBuilder<'a> {
    graph: &'a Graph,
    parent: Vec<u32>,
    depth: Vec<u32>,
    /// Blocks in the order they were reached; also the queue of the search.
    reached: Vec<Block>,
    /// Number of entries of `reached` that have been processed.
    done: usize,
    /// By link: whether it is followed as soon as one of its blocks is reached. Empty if no link is.
    is_preferred: Vec<bool>,
    /// Preferred links come before links to the ground.
    is_strict: bool,
}

const UNSEEN: u32 = u32::MAX;

impl<'a> ForestBuilder<'a> {
    fn new(graph: &'a Graph) -> ForestBuilder<'a> {
        let blocks = graph.blocks();
        ForestBuilder {
            graph,
            parent: vec![NONE; blocks],
            depth: vec![UNSEEN; blocks],
            reached: Vec::with_capacity(blocks),
            done: 0,
            is_preferred: Vec::new(),
            is_strict: false,
        }
    }

    /// Makes a block a root, unless it was reached before; then it returns false.
    fn plant(&mut self, block: Block) -> bool {
        let is_new = self.depth[block.0 as usize] == UNSEEN;
        if is_new {
            self.depth[block.0 as usize] = 0;
            self.reached.push(block);
        }
        is_new
    }

    /// Breadth-first from everything reached so far.
    fn spread(&mut self) {
        while let Some(&block) = self.reached.get(self.done) {
            self.done += 1;
            for (link, _) in self.graph.incident(block) {
                let DistinctBlocks::Two(a, b) = self.graph.distinct_blocks(link) else { continue };
                if self.graph.is_auxiliary(link) {
                    continue;
                }
                let other = if a == block { b } else { a };
                if self.reach(block, other) {
                    self.reach_preferred(other);
                }
            }
        }
    }

    /// Makes a block a child of another, unless it was reached before; then it returns false.
    fn reach(&mut self, parent: Block, child: Block) -> bool {
        let is_new = self.depth[child.0 as usize] == UNSEEN;
        if is_new {
            self.depth[child.0 as usize] = self.depth[parent.0 as usize] + 1;
            self.parent[child.0 as usize] = parent.0;
            self.reached.push(child);
        }
        is_new
    }

    /// Reaches all blocks that preferred links connect a block with.
    fn reach_preferred(&mut self, block: Block) {
        if self.is_preferred.is_empty() {
            return;
        }
        let mut stack = vec![block];
        while let Some(block) = stack.pop() {
            for (link, _) in self.graph.incident(block) {
                let DistinctBlocks::Two(a, b) = self.graph.distinct_blocks(link) else { continue };
                if self.graph.is_auxiliary(link) || !self.is_preferred[link.0 as usize] {
                    continue;
                }
                let other = if a == block { b } else { a };
                if self.reach(block, other) {
                    stack.push(other);
                }
            }
        }
    }

    /// Roots the component of `start`, which was not reached so far, near its middle.
    ///
    /// The block farthest from `start` is one end of a longest path (exactly so in a tree), the block
    /// farthest from there is the other end, and the root is half way between.
    fn plant_middle(&mut self, start: Block) {
        let before = self.reached.len();
        let end = self.farthest_from(start);
        self.forget_after(before);
        let mut middle = self.farthest_from(end);
        for _ in 0..self.depth[middle.0 as usize] / 2 {
            middle = Block(self.parent[middle.0 as usize]);
        }
        self.forget_after(before);
        self.plant(middle);
        if self.is_strict {
            self.reach_preferred(middle);
        }
        self.spread();
    }

    fn farthest_from(&mut self, start: Block) -> Block {
        self.plant(start);
        self.spread();
        *self.reached.last().unwrap_or(&start)
    }

    fn forget_after(&mut self, len: usize) {
        for block in self.reached.drain(len..) {
            self.depth[block.0 as usize] = UNSEEN;
            self.parent[block.0 as usize] = NONE;
        }
        self.done = len;
    }

    fn finish(mut self) -> Forest {
        for block in self.graph.all_blocks() {
            if self.depth[block.0 as usize] == UNSEEN {
                self.plant_middle(block);
            }
        }
        let role = self.graph.all_links().map(|link| self.role(link)).collect();
        let order = self.order();
        Forest { parent: self.parent, depth: self.depth, order, role }
    }

    fn role(&self, link: Link) -> Role {
        if self.graph.is_auxiliary(link) {
            return Role::Auxiliary;
        }
        match self.graph.distinct_blocks(link) {
            DistinctBlocks::One(block) if self.is_strict && self.parent[block.0 as usize] != NONE => {
                Role::Loop
            }
            DistinctBlocks::None | DistinctBlocks::One(_) => Role::Primary,
            DistinctBlocks::Two(a, b) => {
                if self.parent[a.0 as usize] == b.0 || self.parent[b.0 as usize] == a.0 {
                    Role::Primary
                } else {
                    Role::Loop
                }
            }
            DistinctBlocks::Many => Role::Auxiliary,
        }
    }

    /// A depth-first walk from the roots, reversed: Baraff's `Forward` list, without recursion.
    fn order(&self) -> Vec<Block> {
        // Lists of children, threaded through the blocks.
        let blocks = self.graph.blocks();
        let (mut first_child, mut next_sibling) = (vec![NONE; blocks], vec![NONE; blocks]);
        let mut stack = Vec::new();
        for &block in self.reached.iter().rev() {
            match self.parent[block.0 as usize] {
                NONE => stack.push(block),
                parent => {
                    next_sibling[block.0 as usize] = first_child[parent as usize];
                    first_child[parent as usize] = block.0;
                }
            }
        }
        let mut order = Vec::with_capacity(blocks);
        while let Some(block) = stack.pop() {
            order.push(block);
            let mut child = first_child[block.0 as usize];
            while child != NONE {
                stack.push(Block(child));
                child = next_sibling[child as usize];
            }
        }
        order.reverse();
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(graph: &mut Graph, blocks: &[Block]) {
        for pair in blocks.windows(2) {
            graph.add_link(1, &[Some(pair[0]), Some(pair[1])]);
        }
    }

    #[test]
    fn a_floating_chain_is_rooted_in_its_middle() {
        let mut graph = Graph::new();
        let blocks: Vec<Block> = (0..9).map(|_| graph.add_block(1)).collect();
        chain(&mut graph, &blocks);
        let forest = Forest::grow(&graph);
        assert!(forest.is_tree());
        assert_eq!(forest.order().last(), Some(&blocks[4]));
        assert_eq!(blocks.iter().map(|&b| forest.depth(b)).max(), Some(4));
    }

    #[test]
    fn a_ring_through_the_ground_is_a_loop_only_if_the_ground_is_a_node() {
        let mut graph = Graph::new();
        let blocks: Vec<Block> = (0..3).map(|_| graph.add_block(3)).collect();
        graph.add_link(2, &[None, Some(blocks[0])]);
        chain(&mut graph, &blocks);
        graph.add_link(2, &[Some(blocks[2]), None]);
        let forest = Forest::grow(&graph);
        assert_eq!(forest.links_with(Role::Loop).collect::<Vec<_>>(), [Link(2)]);
        assert!(Forest::grow_without_ground(&graph).is_tree());
    }

    #[test]
    fn a_link_to_the_ground_gives_way_to_links_that_are_kept() {
        // A ring through the ground, 0 – 1 – 2, of which the links 1 and 2 are kept.
        let mut graph = Graph::new();
        let blocks: Vec<Block> = (0..3).map(|_| graph.add_block(3)).collect();
        graph.add_link(2, &[None, Some(blocks[0])]);
        chain(&mut graph, &blocks);
        graph.add_link(2, &[Some(blocks[2]), None]);
        let loops = |forest: &Forest| forest.links_with(Role::Loop).collect::<Vec<_>>();
        let kept = Forest::grow_keeping(&graph, |link| link == Link(1) || link == Link(2));
        assert_eq!(loops(&kept), [Link(3)]);
        assert_eq!(kept.depth(blocks[2]), 2);
        // The other end of the ring is the root if its link is kept, and all links but one can be.
        let kept = Forest::grow_keeping(&graph, |link| link != Link(0));
        assert_eq!(loops(&kept), [Link(0)]);
        assert_eq!(kept.depth(blocks[0]), 2);
        let plain = Forest::grow_keeping(&graph, |_| false);
        assert_eq!(loops(&plain), loops(&Forest::grow(&graph)));
        assert_eq!(plain.order(), Forest::grow(&graph).order());
    }

    #[test]
    fn preferred_links_are_in_the_forest_and_close_no_loop() {
        // A square on two grounded blocks: 0 – 1 – 2 – 3, where breadth first leaves out 1 – 2.
        let mut graph = Graph::new();
        let blocks: Vec<Block> = (0..4).map(|_| graph.add_block(3)).collect();
        graph.add_link(2, &[None, Some(blocks[0])]);
        chain(&mut graph, &blocks);
        graph.add_link(2, &[Some(blocks[3]), None]);
        assert_eq!(Forest::grow(&graph).links_with(Role::Loop).collect::<Vec<_>>(), [Link(2)]);
        let forest = Forest::grow_preferring(&graph, |link| link == Link(2));
        assert_eq!(forest.role(Link(2)), Role::Primary);
        assert_eq!(forest.links_with(Role::Loop).count(), 1);
        let plain = Forest::grow_preferring(&graph, |_| false);
        assert_eq!(plain.order(), Forest::grow(&graph).order());
    }

    #[test]
    fn children_come_before_parents_and_subtrees_are_contiguous() {
        let mut graph = Graph::new();
        let blocks: Vec<Block> = (0..40).map(|_| graph.add_block(1)).collect();
        for i in 1..40 {
            if i % 13 != 0 {
                graph.add_link(1, &[Some(blocks[i]), Some(blocks[(i * 7 + 3) % i])]);
            }
        }
        graph.add_link(1, &[Some(blocks[5])]);
        let forest = Forest::grow(&graph);
        let place = |b: Block| forest.order().iter().position(|&o| o == b).unwrap();
        let mut size = [1; 40];
        for (i, &block) in forest.order().iter().enumerate() {
            let first = i + 1 - size[block.0 as usize];
            if let Some(parent) = forest.parent(block) {
                assert!(place(parent) > i);
                size[parent.0 as usize] += size[block.0 as usize];
            }
            for &inside in &forest.order()[first..i] {
                let mut up = inside;
                while up != block {
                    up = forest.parent(up).expect("a run holds one subtree");
                }
            }
        }
    }

    #[test]
    fn parallel_links_are_primary_and_links_on_many_blocks_auxiliary() {
        let mut graph = Graph::new();
        let [a, b, c] = [2, 2, 2].map(|dim| graph.add_block(dim));
        graph.add_link(1, &[Some(a), Some(b)]);
        graph.add_link(1, &[Some(b), Some(a)]);
        graph.add_link(1, &[Some(b), Some(b)]);
        graph.add_link(1, &[None, None]);
        let wide = graph.add_link(1, &[Some(a), Some(b), Some(c)]);
        let forest = Forest::grow(&graph);
        assert_eq!(forest.links_with(Role::Primary).count(), 4);
        assert_eq!(forest.role(wide), Role::Auxiliary);
        assert!(!forest.is_tree() && forest.parent(c).is_none());
    }
}
