//! The sparse solver against the dense one and against singular values, on mechanisms with loops.

use std::sync::Arc;

use crate::common::mechanism::{Mechanism, mechanism};
use crate::common::{
    PLAIN, Random, Shape, SingularValues, difference, fill, largest, random_forest, solved, times_transposed,
};
use cardan_solve::{
    Block, ConjugateGradient, Dense, Graph, Link, ROUNDING_OF_GEOMETRY, Rank, Refiner, Solver, Sparse,
    System, residual,
};
use nalgebra::DMatrix;

/// The rigid rows, each divided by what formed it, and the number of other rows.
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
                matrix[(k, column)] +=
                    system.jac(link, end)[row * dim + j] / if formed == 0.0 { 1.0 } else { formed };
            }
        }
    }
    (matrix, graph.rows() - places.len())
}

/// Rank, and per row whether the null space of Jᵀ is zero there; `None` if the singular values leave the rank
/// in doubt.
///
/// Two independent computations of the rank: nalgebra's, whose null vectors are sometimes wrong (by 1e-2 for
/// one of 1200 mechanisms here), and Jacobi rotations of pairs of rows, slow and reliable.
fn by_singular_values(system: &System) -> Option<(usize, Vec<bool>)> {
    let ours = SingularValues::of(system);
    if ours.values.iter().any(|&value| value > 1e-12 && value < 1e-6) {
        return None;
    }
    let (matrix, compliant) = scaled_rows(system);
    if matrix.nrows() > 0 && matrix.ncols() > 0 {
        let reference = matrix.singular_values().iter().filter(|&&value| value > 1e-9).count();
        assert_eq!(ours.rank, compliant + reference, "two opinions on the rank");
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

/// Checks everything that must agree on one system; false if the rank itself is in doubt.
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
    inner.geometry_mut().level(&vec![1.0; graph.rows()], &mut lambda, &mut vec![0.0; graph.rows()]);
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
fn forests_and_links_on_many_blocks_have_one_answer() {
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

/// A four-bar in a rotated plane with hinges in space: three rows too many.
fn four_bar(seed: u64) -> System {
    let mut random = Random::new(seed);
    loop {
        // A flat chain of three closed to the ground is a four-bar; take the first whose graph is one.
        let shape = Mechanism { bodies: 3, loops: 1, flat: true, ..USUAL };
        let system = mechanism(&mut random, shape);
        let graph = system.graph();
        let hinges = graph.all_links().all(|link| graph.link_rows(link) == 5);
        let grounded = graph.all_links().filter(|&link| graph.ends(link).contains(&None)).count();
        let chain = graph.all_blocks().all(|block| graph.incident(block).count() == 2);
        if hinges && chain && grounded == 2 {
            return system;
        }
    }
}

#[test]
fn every_four_bar_has_three_rows_too_many_and_its_circuits_say_which() {
    for seed in 0..200 {
        let system = four_bar(seed);
        let graph = system.graph();
        let mut rank: Rank = Rank::new(graph);
        rank.decide(&system).unwrap();
        assert_eq!((rank.rank(), rank.redundant()), (17, 3), "seed {seed}");
        let (least, most) = (rank.smallest_accepted(), rank.largest_dropped());
        assert!(least > 1e-4 && most < 1e-13, "seed {seed}: {least:e} accepted, {most:e} dropped");
        rank.refresh_circuits();
        let mut names: Vec<(Link, usize)> = (0..3).map(|k| rank.dropped_row(k)).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 3, "seed {seed}: {names:?}");
        for k in 0..3 {
            let mut lambda = vec![0.0; graph.rows()];
            rank.null_vector(k, &mut lambda);
            let push = largest(&times_transposed(&system, &lambda));
            assert!(push <= 1e-13 * largest(&lambda), "seed {seed}: {push:e}");
            let (link, row) = rank.dropped_row(k);
            assert_eq!(lambda[graph.row_range(link).start + row], 1.0);
        }
    }
}

#[test]
fn without_the_dropped_rows_the_others_are_independent() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let flat = random.chance(50);
        let shape = Mechanism { bodies: 2 + random.below(10), loops: 1 + random.below(5), flat, ..USUAL };
        let system = mechanism(&mut random, shape);
        if by_singular_values(&system).is_none() {
            continue;
        }
        let mut sparse: Sparse = Sparse::new(system.graph());
        sparse.factor(&system).unwrap();
        // Dropped rows become rows of zeros.
        let mut fewer = system.clone();
        for dropped in sparse.dropped() {
            for end in 0..system.graph().ends(dropped.link).len() {
                let entries = fewer.jac_mut(dropped.link, end);
                let dim = entries.len() / system.graph().link_rows(dropped.link);
                entries[dropped.row * dim..(dropped.row + 1) * dim].fill(0.0);
            }
        }
        let mut rank: Rank = Rank::new(system.graph());
        rank.decide(&fewer).unwrap();
        assert_eq!(rank.rank(), sparse.rank(), "seed {seed}");
    }
}

#[test]
fn a_conflict_is_named_in_a_loop() {
    for seed in 0..100 {
        let mut system = four_bar(seed);
        let graph = Arc::clone(system.graph());
        let mut sparse: Sparse = Sparse::new(&graph);
        sparse.factor(&system).unwrap();
        solved(&system, |f, c, x, l| sparse.solve(f, c, x, l));
        assert!(sparse.dropped().iter().all(|dropped| !dropped.conflicts(1e-10)), "seed {seed}");
        // A row that takes part in null(Jᵀ) gets a bias of its own.
        let unique = by_singular_values(&system).expect("clear").1;
        let row = unique.iter().position(|unique| !unique).unwrap();
        system.bias_mut()[row] += 0.5;
        solved(&system, |f, c, x, l| sparse.solve(f, c, x, l));
        let conflicts: Vec<_> = sparse.dropped().iter().filter(|dropped| dropped.conflicts(1e-6)).collect();
        assert!(!conflicts.is_empty(), "seed {seed}: {:?}", sparse.dropped());
        for conflict in conflicts {
            let at = graph.row_range(conflict.link).start + conflict.row;
            assert!(!unique[at], "seed {seed}: row {at} has a unique multiplier");
        }
        // A correction keeps the leftovers.
        let before = sparse.dropped().to_vec();
        let (mut x, mut lambda) = (vec![0.0; graph.unknowns()], vec![0.0; graph.rows()]);
        sparse.correct(&vec![0.0; graph.unknowns()], &vec![0.0; graph.rows()], &mut x, &mut lambda);
        assert_eq!(before, sparse.dropped());
    }
}

#[test]
fn a_kept_decision_drops_what_it_dropped() {
    for seed in 0..100 {
        let system = four_bar(seed);
        // The same mechanism, slightly open: more than rounding, so a new decision finds twenty independent
        // rows.
        let mut open = system.clone();
        let mut random = Random::new(seed);
        for link in system.graph().all_links() {
            for end in 0..2 {
                open.jac_mut(link, end).iter_mut().for_each(|entry| *entry += 1e-6 * random.unit());
            }
        }
        for mut solver in [
            Solver::Sparse(Sparse::new(system.graph())),
            Solver::Dense(Dense::new(system.graph())),
            Solver::ConjugateGradient(ConjugateGradient::new(system.graph())),
        ] {
            let what = format!("seed {seed}: {}", solver.name());
            let mut idle = vec![false; system.graph().rows()];
            solver.factor(&system).unwrap();
            let (x, _) = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
            solver.decide(&system, ROUNDING_OF_GEOMETRY, &mut idle).unwrap();
            assert_eq!(idle.iter().filter(|&&idle| idle).count(), 3, "{what}");
            solver.factor_without(&open, &idle).unwrap();
            let (near, lambda) = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
            assert!(lambda.iter().zip(&idle).all(|(l, &idle)| !idle || *l == 0.0), "{what}");
            // A change of one millionth, times its amplification.
            assert!(difference(&x, &near) < 1e-2, "{what}: {:e}", difference(&x, &near));
            solver.factor(&open).unwrap();
            if !matches!(solver, Solver::ConjugateGradient(_)) {
                assert_eq!(solver.rank(), 18, "{what}: eighteen unknowns hold no more");
            }
        }
    }
}

#[test]
fn conjugate_gradients_state_what_they_leave() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let shape = Mechanism { bodies: 6, loops: 3, flat: seed % 2 == 0, mass_decades: 9.0, size: 1e-2 };
        let mut system = mechanism(&mut random, shape);
        let mut iterated = ConjugateGradient::new(system.graph());
        iterated.factor(&system).unwrap();
        let (x, lambda) = solved(&system, |f, c, x, l| iterated.solve(f, c, x, l));
        let stated = iterated.relative_residual();
        assert!(stated.is_finite() && iterated.iterations() <= 20 * system.graph().rows() as u64 + 100);
        // Forces balance whatever the rows do: x is computed from λ.
        let left = residual(&system, system.force(), system.bias(), &x, &lambda);
        assert!(left.balance < 1e-10, "seed {seed}: {left:?}");
        // Contradictions end it too.
        system.bias_mut()[0] += 1.0;
        let (x, _) = solved(&system, |f, c, x, l| iterated.solve(f, c, x, l));
        assert!(x.iter().all(|x| x.is_finite()), "seed {seed}");
    }
}

#[test]
fn every_rod_twice_changes_nothing_for_conjugate_gradients() {
    // Witkin 1997, section 4.4: redundant constraints are tolerated.
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let plain = mechanism(&mut random, Mechanism { bodies: 6, loops: 1, ..USUAL });
        let graph = plain.graph();
        let mut doubled = Graph::new();
        graph.all_blocks().for_each(|block| {
            doubled.add_block(graph.block_dim(block));
        });
        for _ in 0..2 {
            for link in graph.all_links() {
                doubled.add_link(graph.link_rows(link), graph.ends(link));
            }
        }
        let mut twice: System = System::new(Arc::new(doubled));
        for block in graph.all_blocks() {
            twice.mass_mut(block).copy_from_slice(plain.mass(block));
        }
        twice.force_mut().copy_from_slice(plain.force());
        for copy in 0..2 {
            for link in graph.all_links() {
                let to = Link(link.0 + copy * graph.links() as u32);
                for end in 0..graph.ends(link).len() {
                    twice.jac_mut(to, end).copy_from_slice(plain.jac(link, end));
                }
                twice.bias_of_mut(to).copy_from_slice(plain.bias_of(link));
            }
        }
        let answer = |system: &System| {
            let mut iterated = ConjugateGradient::new(system.graph());
            iterated.factor(system).unwrap();
            solved(system, |f, c, x, l| iterated.solve(f, c, x, l)).0
        };
        let off = difference(&answer(&plain), &answer(&twice));
        assert!(off < 1e-9, "seed {seed}: {off:e}");
    }
}

/// Two blocks of six in a chain: three rows link the first to the ground, and three rows link both. One of
/// these acts on the first block, in the directions that the others leave free, by `small` only, as in a net
/// or with a planar joint between moving bodies.
fn nearly_dependent(seed: u64, small: f64) -> System {
    let mut random = Random::new(seed);
    let mut graph = Graph::new();
    let (a, b) = (graph.add_block(6), graph.add_block(6));
    let ground = graph.add_link(3, &[None, Some(a)]);
    let between = graph.add_link(3, &[Some(a), Some(b)]);
    let mut system = fill(&mut random, Arc::new(graph), PLAIN);
    let first = system.jac(ground, 1).to_vec();
    let aside: Vec<f64> = (0..6).map(|_| small * random.unit()).collect();
    for (k, entry) in system.jac_mut(between, 0)[..6].iter_mut().enumerate() {
        *entry = 0.3 * first[k] - 0.5 * first[6 + k] + 0.2 * first[12 + k] + aside[k];
    }
    system.compliance_mut(ground).fill(0.0);
    system.compliance_mut(between).fill(0.0);
    system
}

#[test]
fn rows_that_nearly_depend_on_a_blocks_other_rows_cost_no_digits() {
    // Whichever block is eliminated first. On ties the order of least fill takes the block with the lower
    // index.
    for seed in 0..40 {
        for decade in 0..15 {
            let system = nearly_dependent(seed, format!("1e-{decade}").parse().unwrap());
            let mut sparse: Sparse = Sparse::new(system.graph());
            sparse.factor(&system).unwrap_or_else(|error| panic!("seed {seed}, 1e-{decade}: {error}"));
            assert_eq!(sparse.rank(), 6, "seed {seed}, 1e-{decade}");
            let (x, lambda) = solved(&system, |f, c, x, l| sparse.solve(f, c, x, l));
            let left = residual(&system, system.force(), system.bias(), &x, &lambda).worst();
            assert!(left < 1e-11, "seed {seed}, 1e-{decade}: {left:e}");
        }
    }
}

#[test]
fn the_rank_does_not_depend_on_units() {
    for seed in 0..60 {
        let usual = four_bar(seed);
        for scale in [1e-9, 1e-5, 1.0, 1e6] {
            // Unknowns 3 to 5 are rotations: at another size arms are shorter, and so are the lengths in
            // rows.
            let mut system = usual.clone();
            let graph = Arc::clone(system.graph());
            for link in graph.all_links() {
                for (end, block) in graph.ends(link).iter().enumerate() {
                    if block.is_some() {
                        let turns =
                            system.jac_mut(link, end).chunks_exact_mut(6).filter(|row| row[..3] != [0.0; 3]);
                        turns.for_each(|row| row[3..].iter_mut().for_each(|entry| *entry *= scale));
                    }
                }
            }
            for block in graph.all_blocks() {
                let range = graph.block_range(block);
                system.units_mut()[range][3..].fill(1.0 / scale);
            }
            let what = format!("seed {seed}, {scale:e}");
            let (mut sparse, mut dense) = (Sparse::new(&graph), Dense::new(&graph));
            let mut idle = vec![false; graph.rows()];
            sparse.decide(&system, ROUNDING_OF_GEOMETRY, &mut idle).unwrap();
            assert_eq!(idle.iter().filter(|&&idle| idle).count(), 3, "{what}: sparse");
            dense.decide(&system, ROUNDING_OF_GEOMETRY, &mut idle).unwrap();
            assert_eq!(idle.iter().filter(|&&idle| idle).count(), 3, "{what}: dense");
        }
    }
}
