//! Cost and memory: no fill, no recursion, nothing allocated twice.

use std::sync::Arc;

use crate::common::{PLAIN, Random, Shape, counted, fill, random_forest, solved};
use cardan_solve::{Block, Counted, Forest, Graph, Operations, Sparse, System, Tree, residual};

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
        // A block costs the same wherever it is; only the root, on the ground, is cheaper.
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

/// Operations of one factorisation and one solve of the sparse solver, and numbers it stores.
fn sparse_cost(system: &System) -> (u64, u64, usize) {
    let system = counted(system);
    let graph = system.graph();
    let mut sparse: Sparse<Counted> = Sparse::new(graph);
    let zero = Counted(0.0);
    let (mut x, mut lambda) = (vec![zero; graph.unknowns()], vec![zero; graph.rows()]);
    Counted::reset();
    sparse.factor_without_circuits(&system).unwrap();
    let factor = Counted::operations();
    Counted::reset();
    sparse.correct(system.force(), system.bias(), &mut x, &mut lambda);
    (factor.total(), Counted::operations().total(), sparse.stored())
}

/// Blocks of `dim` unknowns and links of `rows` rows between pairs of them, or to the ground.
fn net(blocks: usize, dim: usize, rows: usize, pairs: &[(usize, Option<usize>)]) -> System {
    let mut graph = Graph::new();
    for _ in 0..blocks {
        graph.add_block(dim);
    }
    let block = |i: usize| Some(Block(i as u32));
    for &(a, b) in pairs {
        graph.add_link(rows, &[block(a), b.and_then(block)]);
    }
    let shape = Shape { compliant: 0, tame: true, ..PLAIN };
    fill(&mut Random::new(blocks as u64), Arc::new(graph), shape)
}

#[test]
fn trees_and_rings_cost_the_sparse_solver_as_much_per_block_at_any_size() {
    type Family = fn(usize) -> System;
    let families: [(&str, Family); 5] = [
        ("chain", chain),
        ("star", |n| mechanism(n, |i| i.checked_sub(1).map(|_| 0))),
        ("binary", |n| mechanism(n, |i| i.checked_sub(1).map(|i| i / 2))),
        ("ring", |n| net(n, 6, 3, &(0..n).map(|i| (i, Some((i + 1) % n))).collect::<Vec<_>>())),
        ("ladder of loops", |n| {
            // Three blocks a rung, each rung a loop through the one before: a row of four-bars.
            let rung = |i: usize| {
                [
                    (3 * i, i.checked_sub(1).map(|i| 3 * i + 2)),
                    (3 * i + 1, Some(3 * i)),
                    (3 * i + 2, Some(3 * i + 1)),
                    (3 * i + 2, None),
                ]
            };
            net(n / 3 * 3, 6, 4, &(0..n / 3).flat_map(rung).collect::<Vec<_>>())
        }),
    ];
    for (name, family) in families {
        let costs = [96, 768, 6144].map(|n| sparse_cost(&family(n)));
        let growth = |small: u64, large: u64| large as f64 / (8 * small) as f64;
        for (small, large) in [(costs[0], costs[1]), (costs[1], costs[2])] {
            // The ends of a chain are cheaper than its middle, so short ones are slightly cheaper per block.
            let grown =
                [growth(small.0, large.0), growth(small.1, large.1), growth(small.2 as u64, large.2 as u64)];
            assert!(grown.iter().all(|&g| g < 1.1), "{name}: {costs:?} grew {grown:?}");
        }
        assert!(costs[2].0 / 6144 < 20_000, "{name}: {} operations per block", costs[2].0 / 6144);
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "an exponent for people")]
fn nets_cost_the_sparse_solver_little_more_than_linear() {
    // Square grids of particles held by rods: two rods each, with diagonals three; the first column on the ground.
    for (name, dim, diagonals) in [("cloth in space", 3, false), ("truss in the plane", 2, true)] {
        let grid = |n: usize| {
            let at = |i: usize, j: usize| i * n + j;
            let mut rods = Vec::new();
            for i in 0..n {
                rods.push((at(i, 0), None));
                for j in 0..n {
                    if i + 1 < n {
                        rods.push((at(i, j), Some(at(i + 1, j))));
                    }
                    if j + 1 < n {
                        rods.push((at(i, j), Some(at(i, j + 1))));
                    }
                    if diagonals && i + 1 < n && j + 1 < n {
                        rods.push((at(i, j), Some(at(i + 1, j + 1))));
                    }
                }
            }
            net(n * n, dim, 1, &rods)
        };
        let sizes = [16, 32, 64];
        let costs = sizes.map(|n| sparse_cost(&grid(n)));
        println!("{name}: {costs:?}");
        for k in 1..sizes.len() {
            // Four times the blocks. No order of a square net takes less than n^1.5 (nested dissection, George 1973); the
            // borders of minimum degree alone, squared, grow as n^1.76 here.
            let exponent = (costs[k].0 as f64 / costs[k - 1].0 as f64).log(4.0);
            let stored = (costs[k].2 as f64 / costs[k - 1].2 as f64).log(4.0);
            assert!(exponent < 1.75 && stored < 1.35, "{name}: exponents {exponent:.2}, {stored:.2}");
        }
    }
}

#[test]
fn a_second_sparse_factorisation_needs_no_more_memory_and_gives_the_same_bits() {
    let shape = Shape { crowded: 60, parallel: 40, rings: true, ..PLAIN };
    for seed in 0..100 {
        let system = random_forest(&mut Random::new(seed), shape);
        let mut sparse: Sparse = Sparse::new(system.graph());
        sparse.factor(&system).unwrap();
        let first = solved(&system, |f, c, x, l| sparse.solve(f, c, x, l));
        sparse.factor(&system).unwrap();
        let bytes = sparse.bytes();
        for _ in 0..4 {
            sparse.factor(&system).unwrap();
            let second = solved(&system, |f, c, x, l| sparse.solve(f, c, x, l));
            assert_eq!(first, second, "seed {seed}: same input, other bits");
            assert_eq!(sparse.bytes(), bytes, "seed {seed}: grew");
        }
    }
}
