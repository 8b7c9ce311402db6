//! Bounding-volume hierarchy of triangles.

use crate::aabb::Aabb;

/// Most items of a leaf.
const LEAF: usize = 4;

#[derive(Copy, Clone, Debug, PartialEq)]
struct Node {
    aabb: Aabb,
    /// For a leaf, where its items start; else the second child. The first child follows its parent.
    at: u32,
    /// Items of a leaf; zero for a node with children.
    count: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bvh {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

impl Bvh {
    /// Halves the items by their centres along the longest side, recursively: the depth is at most the number
    /// of bits of their count.
    pub(crate) fn new(boxes: &[Aabb]) -> Self {
        let mut tree = Bvh { nodes: Vec::new(), items: (0..boxes.len() as u32).collect() };
        let mut items = std::mem::take(&mut tree.items);
        tree.split(boxes, &mut items, 0);
        tree.items = items;
        tree
    }

    fn split(&mut self, boxes: &[Aabb], items: &mut [u32], from: u32) {
        let aabb = items.iter().fold(Aabb::EMPTY, |b, &i| b.with(&boxes[i as usize]));
        let node = self.nodes.len();
        self.nodes.push(Node { aabb, at: from, count: items.len() as u32 });
        if items.len() <= LEAF {
            return;
        }
        let d = Aabb::of(items.iter().map(|&i| boxes[i as usize].center())).half();
        let k = if d.x >= d.y && d.x >= d.z {
            0
        } else if d.y >= d.z {
            1
        } else {
            2
        };
        let half = items.len() / 2;
        let key = |i: u32| boxes[i as usize].center()[k];
        items.select_nth_unstable_by(half, |&i, &j| key(i).total_cmp(&key(j)).then(i.cmp(&j)));
        let (low, high) = items.split_at_mut(half);
        // In order, so that the tree does not depend on how the halves were found.
        low.sort_unstable();
        high.sort_unstable();
        self.split(boxes, low, from);
        let second = self.nodes.len() as u32;
        self.split(boxes, high, from + half as u32);
        self.nodes[node] = Node { aabb, at: second, count: 0 };
    }

    pub(crate) fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |n| n.aabb)
    }

    /// Visits every item whose leaf meets the box.
    pub(crate) fn query(&self, b: &Aabb, see: &mut dyn FnMut(u32)) {
        self.walk(|node| node.meets(b), see);
    }

    /// Visits every item of leaves for which, and for whose ancestors, `enter` returns true.
    pub(crate) fn walk(&self, mut enter: impl FnMut(&Aabb) -> bool, see: &mut dyn FnMut(u32)) {
        let mut stack = [0_u32; 64];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let index = stack[depth];
            let Some(node) = self.nodes.get(index as usize) else { continue };
            if !enter(&node.aabb) {
                continue;
            }
            if node.count > 0 {
                for &i in &self.items[node.at as usize..(node.at + node.count) as usize] {
                    see(i);
                }
            } else {
                stack[depth] = node.at;
                stack[depth + 1] = index + 1;
                depth += 2;
            }
        }
    }
}
