//! Redundant rows, contradicting rows, rows that are noise; loops and links on many blocks.

use std::sync::Arc;

use crate::common::{
    PLAIN, Random, Shape, difference, fill, make_consistent, rank_by_singular_values, solved,
};
use cardan_solve::{
    Block, Dense, Graph, Link, Role, Solver, Sparse, System, Tree, residual, residual_relative_to_forces,
};

fn unit_masses(graph: Graph) -> System {
    let mut system = System::new(Arc::new(graph));
    for block in system.graph().clone().all_blocks() {
        let dim = system.graph().block_dim(block);
        for i in 0..dim {
            system.mass_mut(block)[i * (i + 1) / 2 + i] = 1.0;
        }
    }
    system
}

/// The direct solvers, factored.
fn direct(system: &System) -> [Solver; 3] {
    let mut solvers = [
        Solver::Tree(Tree::new(system.graph()).unwrap()),
        Solver::Dense(Dense::new(system.graph())),
        Solver::Sparse(Sparse::new(system.graph())),
    ];
    for solver in &mut solvers {
        solver.factor(system).unwrap();
    }
    solvers
}

/// Three blocks of one unknown in a chain from the ground, with a repeated middle link.
fn shafts(repeat_bias: f64) -> System {
    let mut graph = Graph::new();
    let blocks = [(); 3].map(|()| graph.add_block(1));
    graph.add_link(1, &[None, Some(blocks[0])]);
    graph.add_link(1, &[Some(blocks[0]), Some(blocks[1])]);
    graph.add_link(1, &[Some(blocks[0]), Some(blocks[1])]);
    graph.add_link(1, &[Some(blocks[1]), Some(blocks[2])]);
    let mut system = unit_masses(graph);
    system.jac_mut(Link(0), 1)[0] = 1.0;
    for link in 1..4 {
        system.jac_mut(Link(link), 0)[0] = -1.0;
        system.jac_mut(Link(link), 1)[0] = 1.0;
    }
    system.bias_of_mut(Link(1))[0] = 3.0;
    system.bias_of_mut(Link(2))[0] = repeat_bias;
    system.force_mut().copy_from_slice(&[1.0, 2.0, 5.0]);
    system
}

#[test]
fn a_row_said_twice_is_dropped_and_does_not_conflict() {
    let system = shafts(3.0);
    for mut solver in direct(&system) {
        let (x, lambda) = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
        assert_eq!((solver.rank(), solver.dropped().len()), (3, 1), "{}", solver.name());
        assert!(solver.row_is_dropped(solver.dropped()[0].link, 0));
        assert!(!solver.dropped()[0].conflicts(1e-13), "{:?}", solver.dropped());
        assert!(difference(&x, &[0.0, -3.0, -3.0]) < 1e-14, "{}: {x:?}", solver.name());
        // x₂ = F₂ + λ₃, and x₁ = F₁ + λ₁ + λ₂ − λ₃
        assert!(
            (lambda[3] + 8.0).abs() < 1e-13 && (lambda[1] + lambda[2] + 13.0).abs() < 1e-13,
            "{lambda:?}"
        );
    }
}

#[test]
fn the_dense_multiplier_is_the_least_one() {
    let system = shafts(3.0);
    let mut dense = Dense::new(system.graph());
    dense.factor(&system).unwrap();
    let (_, lambda) = solved(&system, |f, c, x, l| dense.solve(f, c, x, l));
    assert!((lambda[1] - lambda[2]).abs() < 1e-13, "two equal rows share the load: {lambda:?}");
    let unique: Vec<bool> = (0..4).map(|link| dense.lambda_is_unique(Link(link), 0)).collect();
    assert_eq!(unique, [true, false, false, true]);
}

#[test]
fn a_contradiction_is_reported_with_its_size() {
    let system = shafts(3.5);
    for mut solver in direct(&system) {
        solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
        let dropped = solver.dropped()[0];
        assert!(dropped.conflicts(1e-6), "{}", solver.name());
        assert!(
            (dropped.leftover.abs() - 0.5).abs() < 1e-13 && (dropped.formed - 6.5).abs() < 1e-12,
            "{dropped:?}"
        );
    }
}

#[test]
fn rows_beyond_the_dimension_of_a_block_are_solved_at_its_parent() {
    // A block of one unknown has three rows to a block of six: two must go up.
    let mut graph = Graph::new();
    let (parent, child) = (graph.add_block(6), graph.add_block(1));
    graph.add_link(2, &[None, Some(parent)]);
    graph.add_link(3, &[Some(child), Some(parent)]);
    let system = fill(&mut Random::new(5), Arc::new(graph), Shape { compliant: 0, ..PLAIN });
    let [mut tree, mut dense, mut sparse] = direct(&system);
    assert_eq!((tree.rank(), dense.rank(), sparse.rank()), (5, 5, 5));
    let Solver::Tree(inner) = &tree else { unreachable!() };
    assert_eq!(inner.handed_up(), 2);
    let (x, lambda) = solved(&system, |f, c, x, l| tree.solve(f, c, x, l));
    let (x_dense, lambda_dense) = solved(&system, |f, c, x, l| dense.solve(f, c, x, l));
    assert!(difference(&x, &x_dense) < 1e-12 && difference(&lambda, &lambda_dense) < 1e-11);
    let (x_sparse, lambda_sparse) = solved(&system, |f, c, x, l| sparse.solve(f, c, x, l));
    assert!(difference(&x, &x_sparse) < 1e-12 && difference(&lambda, &lambda_sparse) < 1e-11);
}

#[test]
fn a_row_that_cancelled_to_noise_is_noise() {
    // The second row is 1e-16 of what formed it, in a direction of its own.
    for (scale, rank) in [(1.0, 1), (0.0, 2)] {
        let mut graph = Graph::new();
        let block = graph.add_block(2);
        let link = graph.add_link(2, &[Some(block)]);
        let mut system = unit_masses(graph);
        system.jac_mut(link, 0).copy_from_slice(&[1.0, 0.0, 0.0, 1e-16]);
        system.row_scale_mut(link)[1] = scale;
        for solver in direct(&system) {
            assert_eq!(solver.rank(), rank, "{} with scale {scale}", solver.name());
        }
    }
}

#[test]
fn noise_stays_noise_on_its_way_up() {
    // Two equal rows on the child whose parts on the parent are equal but for rounding.
    let mut graph = Graph::new();
    let (parent, child) = (graph.add_block(3), graph.add_block(2));
    let link = graph.add_link(2, &[Some(child), Some(parent)]);
    let mut system = unit_masses(graph);
    system.jac_mut(link, 0).copy_from_slice(&[1.0, 2.0, 3.0, 6.0]);
    system.jac_mut(link, 1).copy_from_slice(&[0.1, 0.2, 0.3, 0.3, 0.6, 0.3 * 3.0 + 1e-15]);
    for solver in direct(&system) {
        assert_eq!(solver.rank(), 1, "{}", solver.name());
    }
}

#[test]
fn rank_does_not_depend_on_masses_or_units() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut graph = Graph::new();
        let blocks = [(); 4].map(|()| graph.add_block(3));
        for pair in blocks.windows(2) {
            graph.add_link(2, &[Some(pair[0]), Some(pair[1])]);
            graph.add_link(2, &[Some(pair[0]), Some(pair[1])]);
        }
        graph.add_link(3, &[None, Some(blocks[0])]);
        let mut system =
            fill(&mut random, Arc::new(graph), Shape { compliant: 0, mass_decades: 9.0, ..PLAIN });
        // Each second link repeats the first, mixed and in other units.
        for link in [0, 2, 4] {
            let mix: Vec<f64> = (0..4).map(|_| random.unit() * 1e-3).collect();
            for end in 0..2 {
                let from = system.jac(Link(link), end).to_vec();
                let to = system.jac_mut(Link(link + 1), end);
                for j in 0..3 {
                    to[j] = mix[0] * from[j] + mix[1] * from[3 + j];
                    to[3 + j] = mix[2] * from[j] + mix[3] * from[3 + j];
                }
            }
        }
        make_consistent(&mut random, &mut system);
        for mut solver in direct(&system) {
            assert_eq!(solver.rank(), 9, "seed {seed}: {}", solver.name());
            solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
            assert!(
                solver.dropped().iter().all(|d| !d.conflicts(1e-11)),
                "seed {seed}: {:?}",
                solver.dropped()
            );
        }
    }
}

#[test]
fn loops_take_the_sparse_solver_and_links_on_many_blocks_are_auxiliary() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut graph = Graph::new();
        let blocks: Vec<Block> =
            (0..4 + random.below(4)).map(|_| graph.add_block([3, 6, 1][random.below(3)])).collect();
        for _ in 0..blocks.len() + 3 {
            let width = 1 + random.below(4);
            let ends: Vec<Option<Block>> = (0..width)
                .map(|_| (!random.chance(20)).then(|| blocks[random.below(blocks.len())]))
                .collect();
            graph.add_link(1 + random.below(3), &ends);
        }
        graph.add_link(1, &[Some(blocks[0]), Some(blocks[1])]);
        graph.add_link(1, &[Some(blocks[1]), Some(blocks[2])]);
        graph.add_link(1, &[Some(blocks[2]), Some(blocks[0])]);
        let system = fill(&mut random, Arc::new(graph), PLAIN);
        let not_a_tree = Tree::<f64>::new(system.graph()).expect_err("three blocks in a ring");
        let forest = cardan_solve::Forest::grow(system.graph());
        assert!(forest.links_with(Role::Loop).eq(not_a_tree.loops));
        assert!(forest.links_with(Role::Auxiliary).eq(not_a_tree.auxiliary));
        let mut solver = Solver::auto(system.graph());
        let wide = forest.links_with(Role::Auxiliary).count() > 0;
        assert_eq!(solver.name(), if wide { "sparse with auxiliary rows" } else { "sparse" });
        solver.factor(&system).unwrap();
        assert_eq!(solver.rank(), rank_by_singular_values(&system), "seed {seed}: rank");
        let (x, lambda) = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
        let left = residual(&system, system.force(), system.bias(), &x, &lambda);
        assert!(left.worst() < 1e-10, "seed {seed}: {left:?}");
    }
}

/// A chain of `n` planar links, both ends pinned to the ground; straight, or with its joints off the line.
fn pinned_chain(n: usize, straight: bool) -> System {
    let mut graph = Graph::new();
    let blocks: Vec<Block> = (0..n).map(|_| graph.add_block(3)).collect();
    graph.add_link(2, &[None, Some(blocks[0])]);
    for pair in blocks.windows(2) {
        graph.add_link(2, &[Some(pair[0]), Some(pair[1])]);
    }
    graph.add_link(2, &[Some(blocks[n - 1]), None]);
    let mut system = unit_masses(graph);
    let mut random = Random::new(11);
    for link in 0..=n as u32 {
        for end in 0..2 {
            let (sign, y) = (if end == 0 { -1.0 } else { 1.0 }, random.unit());
            let x = if straight { 0.5 + 0.3 * y } else { random.unit() };
            let pin = [1.0, 0.0, -y, 0.0, 1.0, x];
            if system.graph().ends(Link(link))[end].is_some() {
                system.jac_mut(Link(link), end).iter_mut().zip(pin).for_each(|(j, pin)| *j = sign * pin);
            }
        }
    }
    system.force_mut().iter_mut().for_each(|f| *f = random.unit());
    make_consistent(&mut random, &mut system);
    system
}

#[test]
fn a_straight_chain_pinned_at_both_ends_has_one_row_too_many() {
    // Baraff 1996, footnote 5. The row is handed up to the middle of the chain before it is found to be
    // redundant.
    for n in [2, 3, 10, 100, 4000] {
        for (straight, redundant) in [(true, 1), (false, 0)] {
            let system = pinned_chain(n, straight);
            assert!(Tree::<f64>::new(system.graph()).is_err());
            let tree = Solver::Tree(Tree::without_ground(system.graph()).unwrap());
            for mut solver in [tree, Solver::Sparse(Sparse::new(system.graph()))] {
                let what = format!("{}, {n} links, straight: {straight}", solver.name());
                solver.factor(&system).unwrap();
                assert_eq!(solver.dropped().len(), redundant, "{what}");
                let (x, lambda) = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
                let left = residual(&system, system.force(), system.bias(), &x, &lambda);
                assert!(left.worst() < 1e-9, "{what}: {left:?}");
                if n <= 10 {
                    assert_eq!(solver.rank(), rank_by_singular_values(&system), "{what}");
                }
            }
        }
    }
}

#[test]
fn a_system_at_rest_has_no_residual_beside_its_forces() {
    // The links fix all three unknowns: x = 0, and every row is rounding of zero.
    let mut system = shafts(0.0);
    system.bias_mut().fill(0.0);
    system.mass_mut(Block(1))[0] = 3.0;
    for mut solver in direct(&system) {
        let (x, lambda) = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
        let right = (system.force(), system.bias());
        let left = residual_relative_to_forces(&system, right, &x, &lambda, &mut [0.0; 3]);
        assert!(left.worst() < 1e-15, "{}: {left:?}", solver.name());
        // A wrong x is still seen.
        let wrong = residual_relative_to_forces(&system, right, &[0.0, 0.0, 1e-3], &lambda, &mut [0.0; 3]);
        assert!(wrong.worst() > 1e-5, "{}: {wrong:?}", solver.name());
    }
}

#[test]
fn residual_of_an_unloaded_block_is_relative_to_its_neighbours() {
    // A chain of blocks from the ground. A force acts on the first alone, which is fixed: every multiplier
    // but the first should be zero, and is rounding of the first.
    let (n, rounding) = (100, 1e-16);
    let mut graph = Graph::new();
    let blocks: Vec<Block> = (0..n).map(|_| graph.add_block(1)).collect();
    graph.add_link(1, &[None, Some(blocks[0])]);
    for pair in blocks.windows(2) {
        graph.add_link(1, &[Some(pair[0]), Some(pair[1])]);
    }
    // One more block, without a link.
    graph.add_block(1);
    let mut system = unit_masses(graph);
    system.jac_mut(Link(0), 1)[0] = 1.0;
    for link in 1..n as u32 {
        system.jac_mut(Link(link), 0)[0] = -1.0;
        system.jac_mut(Link(link), 1)[0] = 1.0;
    }
    system.force_mut()[0] = 5.0;
    let mut lambda = vec![rounding; n];
    lambda[0] = -5.0;
    let left = |system: &System, lambda: &[f64], x: &[f64]| {
        let right = (system.force(), system.bias());
        residual_relative_to_forces(system, right, x, lambda, &mut vec![0.0; n + 1]).worst()
    };
    let mut x = vec![0.0; n + 1];
    // All masses are one: the forces on the first block, 5 from outside and 5 from the ground, count for all
    // blocks that it is linked to.
    assert_eq!(left(&system, &lambda, &x), rounding / 10.0);
    // What is more than rounding is still seen: a wrong multiplier, far from the force and near it,
    for link in 1..n {
        let wrong: Vec<f64> = (0..n).map(|l| if l == link { 1e-6 } else { lambda[l] }).collect();
        assert!(left(&system, &wrong, &x) > 1e-8, "{link}");
    }
    // and any error of a block that is not linked to the others.
    x[n] = rounding;
    assert_eq!(left(&system, &lambda, &x), 1.0);
}

#[test]
fn many_children_may_hand_up_rows_to_one_parent() {
    let n = 3000;
    let mut graph = Graph::new();
    let hub = graph.add_block(6);
    for _ in 0..n {
        let child = graph.add_block(1);
        graph.add_link(2, &[Some(hub), Some(child)]);
    }
    let system = fill(&mut Random::new(3), Arc::new(graph), Shape { compliant: 0, ..PLAIN });
    let mut tree: Tree = Tree::new(system.graph()).unwrap();
    tree.factor(&system).unwrap();
    // Six of the n rows that go up fix the hub, the others repeat them.
    assert_eq!((tree.handed_up(), tree.rank(), tree.dropped().len()), (n, n + 6, n - 6));
    let (x, lambda) = solved(&system, |f, c, x, l| tree.solve(f, c, x, l));
    let left = residual(&system, system.force(), system.bias(), &x, &lambda);
    assert!(left.balance < 1e-8, "{left:?}");
    assert!(tree.dropped().iter().all(|dropped| !dropped.conflicts(1e-10)));
}
