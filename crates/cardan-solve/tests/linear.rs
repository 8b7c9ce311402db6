//! Cost and memory: no fill, no recursion, nothing allocated twice.

mod common;

use std::sync::Arc;

use cardan_solve::{Block, Counted, Forest, Graph, Operations, System, Tree, residual};
use common::{PLAIN, Random, Shape, counted, fill, random_forest, solved};

/// Six-dimensional blocks, three rows to the parent: `parent(i)` of block i, or the ground.
fn mechanism(n: usize, parent: impl Fn(usize) -> Option<usize>) -> System {
    let mut graph = Graph::new();
    for i in 0..n {
        let block = graph.add_block(6);
        graph.add_link(3, &[parent(i).map(|p| Block(p as u32)), Some(block)]);
    }
    let shape = Shape { compliant: 0, tame: true, ..PLAIN };
    fill(&mut Random::new(n as u64), Arc::new(graph), shape)
}

fn chain(n: usize) -> System {
    mechanism(n, |i| i.checked_sub(1))
}

/// Operations of one factorisation and one solve.
fn cost(system: &System) -> (Operations, Operations) {
    let system = counted(system);
    let graph = system.graph();
    let mut tree: Tree<Counted> = Tree::new(graph).unwrap();
    let zero = Counted(0.0);
    let (mut x, mut lambda) = (vec![zero; graph.unknowns()], vec![zero; graph.rows()]);
    Counted::reset();
    tree.factor(&system).unwrap();
    let factor = Counted::operations();
    Counted::reset();
    tree.solve(system.force(), system.bias(), &mut x, &mut lambda);
    (factor, Counted::operations())
}

#[test]
fn twice_the_blocks_cost_twice_the_operations() {
    type Family = fn(usize) -> System;
    let families: [(&str, Family); 4] = [
        ("chain", chain),
        ("star", |n| mechanism(n, |i| i.checked_sub(1).map(|_| 0))),
        ("comb", |n| mechanism(n, |i| if i % 2 == 1 { Some(i - 1) } else { i.checked_sub(2) })),
        ("binary", |n| mechanism(n, |i| i.checked_sub(1).map(|i| i / 2))),
    ];
    for (name, family) in families {
        let costs = [8, 16, 32, 64, 1024].map(|n| cost(&family(n)));
        let totals = costs.map(|(factor, solve)| (factor.total() as i64, solve.total() as i64));
        // A block costs the same wherever it hangs; only the root, on the ground, is cheaper.
        let per_block = ((totals[1].0 - totals[0].0) / 8, (totals[1].1 - totals[0].1) / 8);
        for (k, n) in [8, 16, 32, 64, 1024].into_iter().enumerate() {
            let expected = (totals[0].0 + per_block.0 * (n - 8), totals[0].1 + per_block.1 * (n - 8));
            assert_eq!(totals[k], expected, "{name} of {n}");
        }
        assert!(per_block.0 < 600 && per_block.1 < 250, "{name}: {per_block:?} operations per block");
    }
}

#[test]
fn the_figure_of_the_paper_is_ordered_and_does_not_fill_in() {
    // Baraff 1996, figure 2: blocks 1–6 and links 7–11 as 1-2, 2-3, 2-4, 1-5, 5-6.
    let mut graph = Graph::new();
    let blocks = [(); 6].map(|()| graph.add_block(6));
    let pairs = [(1, 2), (2, 3), (2, 4), (1, 5), (5, 6)];
    for (a, b) in pairs {
        graph.add_link(3, &[Some(blocks[a - 1]), Some(blocks[b - 1])]);
    }
    let system = fill(&mut Random::new(2), Arc::new(graph), Shape { compliant: 0, ..PLAIN });
    let forest = Forest::grow(system.graph());
    let place = |block: Block| forest.order().iter().position(|&other| other == block).unwrap();
    assert!(forest.is_tree());
    for block in blocks {
        if let Some(parent) = forest.parent(block) {
            assert!(place(block) < place(parent), "{block} before {parent}");
            let joined = |&(a, b): &(usize, usize)| {
                [(block, parent), (parent, block)].contains(&(blocks[a - 1], blocks[b - 1]))
            };
            assert!(pairs.iter().any(joined), "{block} hangs on {parent}");
        }
    }
    // One triangle per block, and per link two blocks and a triangle: as many numbers as H has.
    let mut tree: Tree = Tree::new(system.graph()).unwrap();
    tree.factor(&system).unwrap();
    assert_eq!(tree.stored(), 6 * 21 + 5 * (18 + 18 + 6));
    let (x, lambda) = solved(&system, |f, c, x, l| tree.solve(f, c, x, l));
    let left = residual(&system, system.force(), system.bias(), &x, &lambda);
    assert!(left.worst() < 1e-12, "{left:?}");
}

#[test]
fn a_hundred_thousand_blocks_need_no_stack() {
    let work = || {
        let system = chain(100_000);
        let mut tree: Tree = Tree::new(system.graph()).unwrap();
        tree.factor(&system).unwrap();
        let (x, lambda) = solved(&system, |f, c, x, l| tree.solve(f, c, x, l));
        let left = residual(&system, system.force(), system.bias(), &x, &lambda);
        (left.worst(), tree.bytes() / 100_000)
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap();
    let (left, bytes) = thread.join().unwrap();
    assert!(left < 1e-12, "{left:e}");
    assert!(bytes < 1000, "{bytes} bytes per block");
}

#[test]
fn a_second_factorisation_needs_no_more_memory() {
    let shape = Shape { crowded: 60, parallel: 40, ..PLAIN };
    for seed in 0..100 {
        let system = random_forest(&mut Random::new(seed), shape);
        let mut tree: Tree = Tree::new(system.graph()).unwrap();
        let regular = tree.bytes();
        tree.factor(&system).unwrap();
        let (x, lambda) = solved(&system, |f, c, x, l| tree.solve(f, c, x, l));
        let first = tree.bytes();
        if tree.split_blocks() == 0 {
            assert_eq!(first, regular, "seed {seed}: grew without need");
        }
        for _ in 0..3 {
            tree.factor(&system).unwrap();
            let again = solved(&system, |f, c, x, l| tree.solve(f, c, x, l));
            assert_eq!(again, (x.clone(), lambda.clone()), "seed {seed}: same input, other bits");
            assert_eq!(tree.bytes(), first, "seed {seed}: grew the second time");
        }
    }
}

#[test]
fn redundant_rows_along_a_chain_stay_linear() {
    // Every link twice: a thousand blocks drop three rows each, at once and not at the root.
    let costs = [500, 1000].map(|n| {
        let plain = chain(n);
        let mut graph = Graph::new();
        for _ in 0..n {
            graph.add_block(6);
        }
        for _ in 0..2 {
            for link in plain.graph().all_links() {
                graph.add_link(3, plain.graph().ends(link));
            }
        }
        let mut system: System = System::new(Arc::new(graph));
        for block in plain.graph().all_blocks() {
            system.mass_mut(block).copy_from_slice(plain.mass(block));
        }
        for link in plain.graph().all_links() {
            for copy in [link, cardan_solve::Link(link.0 + n as u32)] {
                for end in 0..2 {
                    system.jac_mut(copy, end).copy_from_slice(plain.jac(link, end));
                }
            }
        }
        let mut tree: Tree = Tree::new(system.graph()).unwrap();
        tree.factor(&system).unwrap();
        assert_eq!((tree.rank(), tree.handed_up(), tree.dropped().len()), (3 * n, 0, 3 * n));
        cost(&system).0.total()
    });
    assert!(costs[1] <= 2 * costs[0] + costs[0] / 100, "{costs:?}");
}
