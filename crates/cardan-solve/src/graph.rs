//! Structure of a system: sizes and connections, no numbers.
//!
//! Blocks are the unknowns x_i (dimension d_i); links are groups of rows that act on one or more blocks. The
//! graph fixes where every number of a [`System`](crate::System) is stored.

use std::fmt;
use std::ops::Range;

/// An unknown block x_i, numbered from zero in the order of [`Graph::add_block`].
#[derive(Copy, Clone, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub struct Block(pub u32);

/// A group of rows, numbered from zero in the order of [`Graph::add_link`].
#[derive(Copy, Clone, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub struct Link(pub u32);

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {}", self.0)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "link {}", self.0)
    }
}

/// Blocks, links, and the ends of every link on blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Where each block starts in a vector of unknowns; one more entry than blocks.
    block_start: Vec<u32>,
    /// Where each block's packed lower triangle starts.
    mass_start: Vec<u32>,
    /// Where each link starts in a vector of rows.
    row_start: Vec<u32>,
    /// Where each link's ends start in `ends`.
    end_start: Vec<u32>,
    /// All ends of all links; `None` is the ground.
    ends: Vec<Option<Block>>,
    /// Where each end's rows × dim block starts; one more entry than ends.
    jac_start: Vec<u32>,
    /// The link of each end.
    end_link: Vec<Link>,
    /// The next end on the same block, or [`NONE`]: each block threads a list through the ends.
    next_end: Vec<u32>,
    /// First and last end of each block, or [`NONE`].
    block_ends: Vec<(u32, u32)>,
    /// Marks of links that are not eliminated with the others; as long as the last marked link requires.
    marks: Vec<LinkMark>,
}

/// How a link is solved for, besides what its ends say.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum LinkMark {
    None,
    /// Not part of the forest.
    Auxiliary,
    /// Not part of the forest, with force columns of its own: M x = F + Jᵀ λ + K μ.
    OwnForceColumns,
}

/// No such index.
pub(crate) const NONE: u32 = u32::MAX;

impl Default for Graph {
    fn default() -> Graph {
        Graph::new()
    }
}

impl Graph {
    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let starts = [&self.block_start, &self.mass_start, &self.row_start, &self.end_start, &self.jac_start];
        starts.iter().map(|v| v.capacity() * size_of::<u32>()).sum::<usize>()
            + self.ends.capacity() * size_of::<Option<Block>>()
            + self.end_link.capacity() * size_of::<Link>()
            + self.next_end.capacity() * size_of::<u32>()
            + self.block_ends.capacity() * size_of::<(u32, u32)>()
            + self.marks.capacity() * size_of::<LinkMark>()
    }

    /// Frees memory that was reserved for more blocks and links.
    pub fn shrink_to_fit(&mut self) {
        for starts in [
            &mut self.block_start,
            &mut self.mass_start,
            &mut self.row_start,
            &mut self.end_start,
            &mut self.jac_start,
            &mut self.next_end,
        ] {
            starts.shrink_to_fit();
        }
        self.ends.shrink_to_fit();
        self.end_link.shrink_to_fit();
        self.block_ends.shrink_to_fit();
    }

    /// A graph without blocks and links.
    pub fn new() -> Graph {
        Graph {
            block_start: vec![0],
            mass_start: vec![0],
            row_start: vec![0],
            end_start: vec![0],
            ends: Vec::new(),
            jac_start: vec![0],
            end_link: Vec::new(),
            next_end: Vec::new(),
            block_ends: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Adds an unknown block of dimension `dim` (zero is allowed).
    pub fn add_block(&mut self, dim: usize) -> Block {
        let block = Block(index_u32(self.blocks()));
        self.block_start.push(index_u32(self.unknowns() + dim));
        self.mass_start.push(index_u32(self.mass_len() + packed_len(dim)));
        self.block_ends.push((NONE, NONE));
        block
    }

    /// Adds `rows` rows on the given ends; `None` is the ground, which has dimension 0.
    ///
    /// A block may appear several times: its Jacobian blocks then add up.
    ///
    /// # Panics
    /// If an end names a block that was not added to this graph.
    pub fn add_link(&mut self, rows: usize, ends: &[Option<Block>]) -> Link {
        let link = Link(index_u32(self.links()));
        for end in ends {
            let dim = end.map_or(0, |block| {
                assert!((block.0 as usize) < self.blocks(), "{block} is not in this graph");
                self.block_dim(block)
            });
            let here = index_u32(self.ends.len());
            self.ends.push(*end);
            self.end_link.push(link);
            self.next_end.push(NONE);
            if let Some(block) = end {
                let (first, last) = &mut self.block_ends[block.0 as usize];
                match *last {
                    NONE => *first = here,
                    last => self.next_end[last as usize] = here,
                }
                *last = here;
            }
            self.jac_start.push(index_u32(self.jac_len() + rows * dim));
        }
        self.row_start.push(index_u32(self.rows() + rows));
        self.end_start.push(index_u32(self.ends.len()));
        link
    }

    /// Marks a link as auxiliary: whatever its ends, it is not part of the forest and is solved for by
    /// [`AuxiliarySchur`](crate::AuxiliarySchur).
    ///
    /// # Panics
    /// If there is no such link.
    pub fn set_auxiliary(&mut self, link: Link) {
        if self.mark(link) == LinkMark::None {
            self.set_mark(link, LinkMark::Auxiliary);
        }
    }

    /// Marks a link as auxiliary with force columns K of its own in place of Jᵀ, which are written to
    /// [`System::force_columns_mut`](crate::System::force_columns_mut).
    ///
    /// # Panics
    /// If there is no such link.
    pub fn set_force_columns(&mut self, link: Link) {
        self.set_mark(link, LinkMark::OwnForceColumns);
    }

    fn set_mark(&mut self, link: Link, mark: LinkMark) {
        assert!((link.0 as usize) < self.links(), "{link} is not in this graph");
        if self.marks.len() <= link.0 as usize {
            self.marks.resize(link.0 as usize + 1, LinkMark::None);
        }
        self.marks[link.0 as usize] = mark;
    }

    fn mark(&self, link: Link) -> LinkMark {
        self.marks.get(link.0 as usize).copied().unwrap_or(LinkMark::None)
    }

    /// Whether a link was marked as auxiliary, with or without force columns of its own.
    pub fn is_auxiliary(&self, link: Link) -> bool {
        self.mark(link) != LinkMark::None
    }

    /// Whether a link has force columns of its own.
    #[inline]
    pub fn has_force_columns(&self, link: Link) -> bool {
        self.mark(link) == LinkMark::OwnForceColumns
    }

    /// The first link with force columns of its own.
    pub fn first_with_force_columns(&self) -> Option<Link> {
        self.marks.iter().position(|&mark| mark == LinkMark::OwnForceColumns).map(|i| Link(index_u32(i)))
    }

    /// Whether any link was marked as auxiliary.
    pub fn has_auxiliary(&self) -> bool {
        self.marks.iter().any(|&mark| mark != LinkMark::None)
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.block_start.len() - 1
    }

    /// Number of links.
    pub fn links(&self) -> usize {
        self.row_start.len() - 1
    }

    /// Sum of the blocks' dimensions: the length of x and F.
    pub fn unknowns(&self) -> usize {
        last(&self.block_start)
    }

    /// Sum of the links' rows: the length of λ and c.
    pub fn rows(&self) -> usize {
        last(&self.row_start)
    }

    /// Dimension of a block.
    pub fn block_dim(&self, block: Block) -> usize {
        self.block_range(block).len()
    }

    /// Number of rows of a link.
    pub fn link_rows(&self, link: Link) -> usize {
        self.row_range(link).len()
    }

    /// The blocks of a link, in the order given to [`add_link`](Graph::add_link).
    pub fn ends(&self, link: Link) -> &[Option<Block>] {
        &self.ends[self.end_range(link)]
    }

    /// Range of a block in a vector of unknowns.
    #[inline]
    pub fn block_range(&self, block: Block) -> Range<usize> {
        let i = block.0 as usize;
        between(&self.block_start, i)
    }

    /// Range of a link in a vector of rows.
    #[inline]
    pub fn row_range(&self, link: Link) -> Range<usize> {
        let i = link.0 as usize;
        between(&self.row_start, i)
    }

    /// All blocks in order.
    pub fn all_blocks(&self) -> impl Iterator<Item = Block> + use<> {
        (0..index_u32(self.blocks())).map(Block)
    }

    /// All links in order.
    pub fn all_links(&self) -> impl Iterator<Item = Link> + use<> {
        (0..index_u32(self.links())).map(Link)
    }

    /// The ends on a block as (link, index of the end), by link.
    pub fn incident(&self, block: Block) -> impl Iterator<Item = (Link, usize)> + '_ {
        let mut at = self.block_ends[block.0 as usize].0;
        std::iter::from_fn(move || {
            let end = at as usize;
            let link = *self.end_link.get(end)?;
            at = self.next_end[end];
            Some((link, end - self.end_start[link.0 as usize] as usize))
        })
    }

    /// The link, and the row within it, of a position in a vector of rows.
    pub fn link_of_row(&self, position: usize) -> (Link, usize) {
        assert!(position < self.rows(), "row {position} is not in this graph");
        let i = self.row_start.partition_point(|&start| start as usize <= position) - 1;
        (Link(index_u32(i)), position - self.row_start[i] as usize)
    }

    #[inline]
    pub(crate) fn end_range(&self, link: Link) -> Range<usize> {
        let i = link.0 as usize;
        between(&self.end_start, i)
    }

    #[inline]
    pub(crate) fn mass_range(&self, block: Block) -> Range<usize> {
        let i = block.0 as usize;
        between(&self.mass_start, i)
    }

    #[inline]
    pub(crate) fn jac_range(&self, link: Link, end: usize) -> Range<usize> {
        let ends = self.end_range(link);
        assert!(end < ends.len(), "{link} has no end {end}");
        let i = ends.start + end;
        between(&self.jac_start, i)
    }

    pub(crate) fn mass_len(&self) -> usize {
        last(&self.mass_start)
    }

    pub(crate) fn jac_len(&self) -> usize {
        last(&self.jac_start)
    }

    /// The distinct blocks of a link: none, one, two, or "three or more".
    pub(crate) fn distinct_blocks(&self, link: Link) -> DistinctBlocks {
        let mut blocks = DistinctBlocks::None;
        for &block in self.ends(link).iter().flatten() {
            blocks = match blocks {
                DistinctBlocks::None => DistinctBlocks::One(block),
                DistinctBlocks::One(a) if a != block => DistinctBlocks::Two(a, block),
                DistinctBlocks::Two(a, b) if a != block && b != block => return DistinctBlocks::Many,
                same => same,
            };
        }
        blocks
    }
}

/// The distinct blocks of a link.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum DistinctBlocks {
    None,
    One(Block),
    Two(Block, Block),
    Many,
}

/// The last of a list of starts: the total.
fn last(starts: &[u32]) -> usize {
    starts[starts.len() - 1] as usize
}

/// The range from one start to the next.
#[inline]
fn between(starts: &[u32], i: usize) -> Range<usize> {
    starts[i] as usize..starts[i + 1] as usize
}

/// Length of a packed lower triangle.
#[inline]
pub(crate) fn packed_len(dim: usize) -> usize {
    dim * (dim + 1) / 2
}

pub(crate) fn index_u32(index: usize) -> u32 {
    u32::try_from(index).expect("a graph holds at most 2³² blocks, links or rows")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_place() {
        let mut graph = Graph::new();
        let a = graph.add_block(6);
        let b = graph.add_block(3);
        let ab = graph.add_link(2, &[Some(a), Some(b)]);
        let ga = graph.add_link(5, &[None, Some(a)]);
        assert_eq!((graph.unknowns(), graph.rows()), (9, 7));
        assert_eq!((graph.block_range(b), graph.row_range(ga)), (6..9, 2..7));
        assert_eq!((graph.mass_range(b), graph.mass_len()), (21..27, 27));
        assert_eq!((graph.jac_range(ab, 1), graph.jac_range(ga, 0)), (12..18, 18..18));
        assert_eq!((graph.jac_range(ga, 1), graph.jac_len()), (18..48, 48));
        assert!(graph.incident(a).eq([(ab, 0), (ga, 1)]) && graph.incident(b).eq([(ab, 1)]));
        assert_eq!((graph.link_of_row(1), graph.link_of_row(2)), ((ab, 1), (ga, 0)));
    }

    #[test]
    fn distinct_blocks_are_counted_once() {
        let mut graph = Graph::new();
        let [a, b, c] = [1, 1, 1].map(|dim| graph.add_block(dim));
        let cases: [(&[Option<Block>], DistinctBlocks); 6] = [
            (&[None], DistinctBlocks::None),
            (&[Some(a), None], DistinctBlocks::One(a)),
            (&[Some(a), Some(a)], DistinctBlocks::One(a)),
            (&[Some(a), Some(b), Some(a)], DistinctBlocks::Two(a, b)),
            (&[Some(a), Some(b), None], DistinctBlocks::Two(a, b)),
            (&[Some(a), Some(b), Some(c)], DistinctBlocks::Many),
        ];
        for (ends, expected) in cases {
            let link = graph.add_link(1, ends);
            assert_eq!(graph.distinct_blocks(link), expected, "{ends:?}");
        }
    }
}
