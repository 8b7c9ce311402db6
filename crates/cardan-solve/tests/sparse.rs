//! The sparse solver against the dense one and against singular values, on mechanisms with loops.

mod common;

use std::sync::Arc;

use cardan_solve::{
    Block, ConjugateGradient, Dense, Graph, Link, Rank, Refiner, Solver, Sparse, System, residual,
};
use common::mechanism::{Mechanism, mechanism};
use common::{
    PLAIN, Random, Shape, SingularValues, difference, fill, largest, random_forest, solved, times_transposed,
};
use nalgebra::DMatrix;

/// The rigid rows, each divided by what formed it, and how many rows there are besides.
fn scaled_rows(system: &System) -> (DMatrix<f64>, usize) {
    let graph = system.graph();
    let mut places = Vec::new();
    for link in graph.all_links() {
        for row in 0..graph.link_rows(link) {
            if system.compliance(link)[row] == 0.0 {
                places.push((link, row));
            }
        }
    }
    let mut matrix = DMatrix::zeros(places.len(), graph.unknowns());
    for (k, &(link, row)) in places.iter().enumerate() {
        for (end, block) in graph.ends(link).iter().enumerate() {
            let Some(block) = *block else { continue };
            let range = graph.block_range(block);
            let dim = range.len();
            for (j, column) in range.enumerate() {
                let formed = system.formed(link, row);
                matrix[(k, column)] += system.jac(link, end)[row * dim + j] / if formed == 0.0 { 1.0 } else { formed };
            }
        }
    }
    (matrix, graph.rows() - places.len())
}

/// Rank, and per row whether the null space of Jᵀ leaves it alone; none if the singular values leave room for doubt.
///
/// Two opinions on the rank: nalgebra's, whose null vectors are now and then wrong (one of 1200 mechanisms here pushed
/// by 1e-2), and rotations of pairs of rows, slow and sure.
fn by_singular_values(system: &System) -> Option<(usize, Vec<bool>)> {
    let ours = SingularValues::of(system);
    if ours.values.iter().any(|&value| value > 1e-12 && value < 1e-6) {
        return None;
    }
    let (matrix, compliant) = scaled_rows(system);
    if matrix.nrows() > 0 && matrix.ncols() > 0 {
        let theirs = matrix.singular_values().iter().filter(|&&value| value > 1e-9).count();
        assert_eq!(ours.rank, compliant + theirs, "two opinions on the rank");
    }
    Some((ours.rank, ours.unique))
}

fn refined(system: &System, solver: &mut Solver) -> (Vec<f64>, Vec<f64>, f64) {
    let right = (system.force(), system.bias());
    let (mut x, mut lambda) = solved(system, |f, c, x, l| solver.solve(f, c, x, l));
    let mut refiner = Refiner::new(system.graph());
    let left = refiner.refine(solver, system, right, &mut x, &mut lambda);
    (x, lambda, left.worst())
}

/// Everything that must agree on one system; false if the rank itself is in doubt.
fn compare(what: &str, system: &System, conjugate: bool) -> bool {
    let graph = system.graph();
    let Some((rank, unique)) = by_singular_values(system) else { return false };
    let (mut sparse, mut dense) = (Solver::Sparse(Sparse::new(graph)), Solver::Dense(Dense::new(graph)));
    for solver in [&mut sparse, &mut dense] {
        solver.factor(system).unwrap_or_else(|error| panic!("{what}: {}: {error}", solver.name()));
        assert_eq!(solver.rank(), rank, "{what}: {}: rank", solver.name());
        assert_eq!(solver.rank() + solver.dropped().len(), graph.rows(), "{what}: rows lost");
    }
    let mut verdict = vec![false; graph.rows()];
    sparse.compute_unique(system, &mut vec![0.0; graph.rows()], &mut verdict);
    assert_eq!(verdict, unique, "{what}: unique multipliers");

    let (x, mut lambda, left) = refined(system, &mut sparse);
    let (x_dense, lambda_dense, _) = refined(system, &mut dense);
    assert!(left <= 1e-12, "{what}: residual {left:e}");
    let off = difference(&x_dense, &x);
    assert!(off <= 1e-8, "{what}: x differs by {off:e}");
    let size = largest(&lambda_dense);
    for (at, unique) in unique.iter().enumerate() {
        let off = (lambda[at] - lambda_dense[at]).abs() / size;
        assert!(off <= 1e-8 || !unique, "{what}: multiplier {at} differs by {off:e}");
    }
    let Solver::Sparse(inner) = &mut sparse else { unreachable!() };
    inner.geometry_mut().level(&mut lambda, &mut vec![0.0; graph.rows()]);
    let off = difference(&lambda_dense, &lambda);
    assert!(off <= 1e-8, "{what}: least multiplier differs by {off:e}");
    for dropped in inner.dropped() {
        assert!(!dropped.conflicts(1e-9), "{what}: {dropped:?}");
    }
    if conjugate {
        let mut iterated = ConjugateGradient::new(graph);
        iterated.factor(system).unwrap();
        let (x, _) = solved(system, |f, c, x, l| iterated.solve(f, c, x, l));
        let off = difference(&x_dense, &x);
        let stated = iterated.relative_residual();
        assert!(off <= 1e-8, "{what}: x of conjugate gradients differs by {off:e}, stated {stated:e}");
    }
    true
}

fn run(cases: u64, shape: Mechanism, conjugate: bool) {
    let mut clear = 0;
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let shape = Mechanism {
            bodies: 1 + random.below(shape.bodies),
            loops: random.below(shape.loops + 1),
            ..shape
        };
        let system = mechanism(&mut random, shape);
        clear += u64::from(compare(&format!("seed {seed}, {shape:?}"), &system, conjugate));
    }
    assert!(10 * clear >= 9 * cases, "only {clear} of {cases} have a clear rank");
}

const USUAL: Mechanism = Mechanism { bodies: 8, loops: 4, flat: false, mass_decades: 0.0, size: 1.0 };

#[test]
fn mechanisms_in_space_have_one_answer() {
    run(600, USUAL, true);
}

#[test]
fn flat_mechanisms_with_hinges_in_space_have_one_answer() {
    run(600, Mechanism { flat: true, ..USUAL }, true);
}

#[test]
fn masses_over_six_decades_change_nothing() {
    run(400, Mechanism { mass_decades: 6.0, ..USUAL }, false);
    run(400, Mechanism { mass_decades: 6.0, flat: true, ..USUAL }, false);
}

#[test]
fn a_millimetre_is_as_good_as_a_metre() {
    run(300, Mechanism { size: 1e-3, ..USUAL }, false);
    run(300, Mechanism { size: 1e-3, flat: true, mass_decades: 6.0, ..USUAL }, false);
}

#[test]
fn forests_and_wide_links_have_one_answer() {
    let mut clear = 0;
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let system = if seed % 2 == 0 {
            random_forest(&mut random, Shape { crowded: 60, parallel: 40, rings: true, ..PLAIN })
        } else {
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
            fill(&mut random, Arc::new(graph), PLAIN)
        };
        clear += usize::from(compare(&format!("seed {seed}"), &system, false));
    }
    assert!(clear > 550, "only {clear} clear");
}
