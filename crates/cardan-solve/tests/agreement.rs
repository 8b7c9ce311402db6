//! Tree and dense solver, written apart, give the same answer.

mod common;

use cardan_solve::{Dense, Link, System, Tree, residual};
use common::{PLAIN, Random, Shape, difference, random_forest, rank_by_singular_values, solved};

struct Limits {
    x: f64,
    lambda: f64,
    residual: f64,
}

/// Solves one system both ways and compares everything that must be equal.
fn compare(seed: u64, system: &System, tree: &mut Tree, limits: &Limits) {
    let graph = system.graph();
    let mut dense = Dense::new(graph);
    tree.factor(system).unwrap_or_else(|error| panic!("seed {seed}: tree: {error}"));
    dense.factor(system).unwrap_or_else(|error| panic!("seed {seed}: dense: {error}"));
    assert_eq!(tree.rank(), dense.rank(), "seed {seed}: rank");
    assert_eq!(tree.rank() + tree.dropped().len(), graph.rows(), "seed {seed}: rows are answered or dropped");

    let (x, lambda) = solved(system, |f, c, x, l| tree.solve(f, c, x, l));
    let (x_dense, lambda_dense) = solved(system, |f, c, x, l| dense.solve(f, c, x, l));
    let off = difference(&x, &x_dense);
    assert!(off <= limits.x, "seed {seed}: x differs by {off:e}");
    for (who, x, lambda) in [("tree", &x, &lambda), ("dense", &x_dense, &lambda_dense)] {
        let left = residual(system, system.force(), system.bias(), x, lambda);
        assert!(left.worst() <= limits.residual, "seed {seed}: {who} leaves {left:?}");
    }
    let size = lambda_dense.iter().fold(0.0, |size: f64, l| if l.abs() > size { l.abs() } else { size });
    for link in graph.all_links() {
        for (row, at) in graph.row_range(link).enumerate() {
            if dense.lambda_is_unique(link, row) {
                let off = (lambda[at] - lambda_dense[at]).abs() / size;
                assert!(off <= limits.lambda, "seed {seed}: multiplier {row} of {link} differs by {off:e}");
            }
        }
    }
    for dropped in tree.dropped().iter().chain(dense.dropped()) {
        assert!(!dropped.conflicts(1e-11), "seed {seed}: {dropped:?}");
    }
}

fn run(cases: u64, shape: Shape, limits: Limits, singular_values: u64) {
    for seed in 0..cases {
        let system = random_forest(&mut Random::new(seed), shape);
        let graph = system.graph();
        let mut tree =
            if shape.rings { Tree::past_ground(graph) } else { Tree::new(graph) }.expect("built as a forest");
        compare(seed, &system, &mut tree, &limits);
        if seed % singular_values == 0 {
            assert_eq!(tree.rank(), rank_by_singular_values(&system), "seed {seed}: rank by singular values");
        }
    }
}

#[test]
fn random_forests_have_one_answer() {
    run(3000, PLAIN, Limits { x: 1e-10, lambda: 1e-9, residual: 1e-12 }, 10);
}

#[test]
fn crowded_forests_have_one_answer() {
    let shape = Shape { crowded: 80, parallel: 40, compliant: 5, blocks: 8, ..PLAIN };
    run(2000, shape, Limits { x: 1e-10, lambda: 1e-9, residual: 1e-12 }, 10);
}

#[test]
fn masses_over_six_decades_change_nothing() {
    let shape = Shape { mass_decades: 6.0, crowded: 30, ..PLAIN };
    run(1500, shape, Limits { x: 1e-8, lambda: 1e-8, residual: 1e-10 }, 10);
}

#[test]
fn rings_through_the_ground_are_trees_to_the_elimination() {
    let shape = Shape { rings: true, crowded: 30, ..PLAIN };
    run(2000, shape, Limits { x: 1e-10, lambda: 1e-9, residual: 1e-12 }, 10);
}

#[test]
fn null_vectors_push_nothing() {
    let shape = Shape { crowded: 80, parallel: 40, compliant: 5, ..PLAIN };
    let mut seen = 0;
    for seed in 0..500 {
        let system = random_forest(&mut Random::new(seed), shape);
        let graph = system.graph();
        let mut tree: Tree = Tree::new(graph).unwrap();
        let mut dense = Dense::new(graph);
        tree.factor(&system).unwrap();
        dense.factor(&system).unwrap();
        let (zero_x, zero_c) = (vec![0.0; graph.unknowns()], vec![0.0; graph.rows()]);
        let mut lambda = vec![0.0; graph.rows()];
        for k in 0..tree.dropped().len() {
            let mut check = |lambda: &[f64], link: Link, row: usize| {
                let left = residual(&system, &zero_x, &zero_c, &zero_x, lambda);
                assert!(left.balance <= 1e-12, "seed {seed}: {left:?}");
                assert_eq!(lambda[graph.row_range(link).start + row], 1.0);
                for link in graph.all_links() {
                    for (row, at) in graph.row_range(link).enumerate() {
                        assert!(lambda[at].abs() < 1e-9 || !dense.lambda_is_unique(link, row), "seed {seed}");
                    }
                }
                seen += 1;
            };
            tree.null_vector(k, &mut lambda);
            check(&lambda, tree.dropped()[k].link, tree.dropped()[k].row);
            dense.null_vector(k, &mut lambda);
            check(&lambda, dense.dropped()[k].link, dense.dropped()[k].row);
        }
    }
    assert!(seen > 200, "only {seen}");
}
