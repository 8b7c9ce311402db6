//! Auxiliary rows on any number of blocks, with and without force columns of their own, against a dense solve
//! of the whole system that shares no code.

#![allow(clippy::disallowed_methods)] // no bits are promised here

use crate::common;

use std::sync::Arc;

use crate::common::mechanism::{Mechanism, mechanism};
use crate::common::{
    PLAIN, Random, Shape, counted, difference, fill, largest, make_consistent, random_forest, solved,
};
use cardan_solve::{
    AuxiliarySchur, Block, ConjugateGradient, Counted, Dense, FactorError, Graph, Link, Rank, Refiner,
    Solver, Sparse, System, SystemEntry, Tree, residual,
};
use nalgebra::{DMatrix, DVector};

/// The graph of `system` with `count` more links of one to three rows on one to five blocks. `pushed` percent
/// of them have force columns of their own.
fn with_auxiliary(random: &mut Random, system: &System, count: usize, pushed: usize) -> System {
    let plain = system.graph();
    let mut graph = (**plain).clone();
    let mut added = Vec::new();
    for _ in 0..count {
        let end_count = (1 + random.below(5)).min(plain.blocks());
        let mut ends: Vec<Option<Block>> =
            (0..end_count).map(|_| Some(Block(random.below(plain.blocks()) as u32))).collect();
        if random.chance(20) {
            ends.push(None);
        }
        let link = graph.add_link(1 + random.below(3), &ends);
        if random.chance(pushed) {
            graph.set_force_columns(link);
        } else {
            graph.set_auxiliary(link);
        }
        added.push(link);
    }
    let mut whole = System::new(Arc::new(graph));
    for block in plain.all_blocks() {
        whole.mass_mut(block).copy_from_slice(system.mass(block));
    }
    for link in plain.all_links() {
        for end in 0..plain.ends(link).len() {
            whole.jac_mut(link, end).copy_from_slice(system.jac(link, end));
        }
        whole.compliance_mut(link).copy_from_slice(system.compliance(link));
        whole.row_scale_mut(link).copy_from_slice(system.row_scale(link));
    }
    whole.force_mut().copy_from_slice(system.force());
    for link in added {
        let graph = Arc::clone(whole.graph());
        for end in 0..graph.ends(link).len() {
            whole.jac_mut(link, end).iter_mut().for_each(|j| *j = random.unit());
            if graph.has_force_columns(link) {
                whole.force_columns_mut(link, end).iter_mut().for_each(|k| *k = random.unit());
            }
        }
        if random.chance(20) {
            whole.compliance_mut(link).iter_mut().for_each(|e| *e = random.decades(4.0));
        }
    }
    make_consistent(random, &mut whole);
    whole
}

/// H of the whole system, with K where a link has force columns of its own, and its right-hand side.
fn dense(system: &System) -> (DMatrix<f64>, DVector<f64>) {
    let graph = system.graph();
    let n = graph.unknowns();
    let size = n + graph.rows();
    let mut h = DMatrix::zeros(size, size);
    for block in graph.all_blocks() {
        let range = graph.block_range(block);
        for i in 0..range.len() {
            for j in 0..=i {
                let m = system.mass(block)[i * (i + 1) / 2 + j];
                h[(range.start + i, range.start + j)] = m;
                h[(range.start + j, range.start + i)] = m;
            }
        }
    }
    for link in graph.all_links() {
        for (row, at) in graph.row_range(link).enumerate() {
            h[(n + at, n + at)] = -system.compliance(link)[row];
            for (end, block) in graph.ends(link).iter().enumerate() {
                let Some(block) = *block else { continue };
                let range = graph.block_range(block);
                let dim = range.len();
                for (i, c) in range.enumerate() {
                    h[(n + at, c)] -= system.jac(link, end)[row * dim + i];
                    h[(c, n + at)] -= system.force_columns(link, end)[row * dim + i];
                }
            }
        }
    }
    let right = system.force().iter().chain(system.bias()).copied();
    (h, DVector::from_iterator(size, right))
}

/// As the engine uses it: factor, solve, up to three rounds of refinement.
fn refined(solver: &mut Solver, system: &System) -> (Vec<f64>, Vec<f64>) {
    let (mut x, mut lambda) = solved(system, |f, c, x, l| solver.solve(f, c, x, l));
    let mut refiner = Refiner::new(system.graph());
    for _ in 0..3 {
        if residual(system, system.force(), system.bias(), &x, &lambda).worst() > 1e-13 {
            refiner.refine(solver, system, (system.force(), system.bias()), &mut x, &mut lambda);
        }
    }
    (x, lambda)
}

#[test]
fn random_auxiliary_rows_on_trees_and_loops_are_answered_like_a_dense_matrix() {
    let (mut pushed, mut wide, mut columns, mut loops, mut dropped) = (0, 0, 0, 0, 0);
    let (mut worst, mut close) = (0.0_f64, 0);
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let system = if seed % 3 == 2 {
            let shape = Mechanism {
                bodies: 4 + random.below(3),
                loops: 1 + random.below(2),
                flat: random.chance(30),
                mass_decades: 2.0,
                size: 1.0,
            };
            mechanism(&mut random, shape)
        } else {
            random_forest(&mut random, Shape { blocks: 8, mass_decades: 2.0, crowded: 10, ..PLAIN })
        };
        let free = system.graph().unknowns() - {
            let mut rank = Rank::new(system.graph());
            rank.decide(&system).unwrap();
            rank.rank() - compliant(&system)
        };
        // No more rigid auxiliary rows than there are freedoms left.
        let count = (free / 3).min(1 + random.below(3));
        if count == 0 {
            continue;
        }
        let share = [0, 50, 100][random.below(3)];
        let system = with_auxiliary(&mut random, &system, count, share);
        let graph = system.graph();
        let mut solver = Solver::auto(graph);
        if let Err(error) = solver.factor(&system) {
            // Random forces may fail to act on random rows, for example on another component. The dense
            // matrix must agree.
            assert!(
                matches!(error, FactorError::Powerless { .. } | FactorError::Dependent { .. }),
                "seed {seed}: {error}"
            );
            let (h, _) = dense(&system);
            let values = h.singular_values();
            assert!(values.min() < 1e-9 * values.max(), "seed {seed}: {error}, but {values}");
            continue;
        }
        let Solver::WithAuxiliary(schur) = &solver else { panic!("seed {seed}: {}", solver.name()) };
        columns += schur.columns();
        loops += usize::from(matches!(schur.primary(), Solver::Sparse(_)));
        dropped += schur.dropped().len();
        wide += graph.all_links().filter(|&l| graph.is_auxiliary(l) && graph.ends(l).len() > 2).count();
        pushed += graph.all_links().filter(|&l| graph.has_force_columns(l)).count();
        let unused = schur.dropped().len();

        let (x, lambda) = refined(&mut solver, &system);
        let left = residual(&system, system.force(), system.bias(), &x, &lambda).worst();
        let (h, right) = dense(&system);
        let svd = h.clone().svd(true, true);
        let rounding = 1e-14 * svd.singular_values.max();
        // Random numbers may give a nearly singular matrix, where the rank is a matter of tolerance.
        if svd.singular_values.iter().any(|&s| s > rounding && s < 1e5 * rounding) {
            close += 1;
            continue;
        }
        let condition = svd.singular_values.max()
            / svd.singular_values.iter().filter(|&&s| s > rounding).fold(f64::MAX, |a, &b| a.min(b));
        let mut answer = svd.solve(&right, rounding).unwrap();
        // The singular vectors of nalgebra sometimes have only five digits.
        for _ in 0..4 {
            let left = &right - &h * &answer;
            answer += svd.solve(&left, rounding).unwrap();
        }
        let exact = answer.as_slice();
        let n = graph.unknowns();
        let off = difference(&exact[..n], &x);
        // Both lose as many digits as the condition number says.
        let bound = 1e-8_f64.max(condition * 1e-14);
        assert!(off < bound, "seed {seed}: x off by {off:e}, condition {condition:e}, left over {left:e}");
        assert!(left < 1e-10, "seed {seed}: {left:e} left over");
        if condition < 1e6 {
            worst = worst.max(off);
        }
        let mut unique = vec![true; graph.rows()];
        solver.compute_unique(&system, &mut vec![0.0; graph.rows()], &mut unique);
        assert_eq!(unused == 0, unique.iter().all(|&u| u), "seed {seed}");
        let size = largest(&exact[n..]).max(largest(&lambda));
        for at in (0..graph.rows()).filter(|&at| unique[at]) {
            let off = (lambda[at] - exact[n + at]).abs() / size;
            assert!(off < bound, "seed {seed}: λ[{at}] {} or {}", lambda[at], exact[n + at]);
        }
    }
    println!(
        "{columns} columns, {pushed} links that push elsewhere, {wide} on three or more, {loops} with loops"
    );
    println!(
        "{dropped} redundant rows; {close} too close to call; worst x where the condition is below 1e6: {worst:e}"
    );
    assert!(columns > 5000 && pushed > 1000 && wide > 1000 && loops > 300 && dropped > 100);
    assert!(worst < 1e-9 && close < 30, "{worst:e}, {close}");
}

/// Rows that are compliant.
fn compliant(system: &System) -> usize {
    let graph = system.graph();
    graph.all_links().flat_map(|link| system.compliance(link)).filter(|&&e| e > 0.0).count()
}

#[test]
fn any_primary_solver_carries_auxiliary_rows_and_a_mark_alone_changes_nothing() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let shape = Shape { blocks: 10, crowded: 0, parallel: 0, compliant: 0, tame: true, ..PLAIN };
        let system = random_forest(&mut random, shape);
        let free = system.graph().unknowns() as i64 - system.graph().rows() as i64;
        if free < 4 {
            continue;
        }
        let system = with_auxiliary(&mut random, &system, 1, 0);
        let graph = system.graph();
        // Without force columns of their own: the sparse and the dense solver can solve the whole system.
        let mut whole = Dense::new(graph);
        whole.factor(&system).unwrap();
        let (x, lambda) = solved(&system, |f, c, x, l| whole.solve(f, c, x, l));
        type Make = fn(&Arc<Graph>) -> Solver;
        let primaries: [(&str, Make); 4] = [
            ("tree with auxiliary rows", |g| Solver::Tree(Tree::new(g).unwrap())),
            ("sparse with auxiliary rows", |g| Solver::Sparse(Sparse::new(g))),
            ("conjugate-gradient with auxiliary rows", |g| {
                Solver::ConjugateGradient(ConjugateGradient::new(g))
            }),
            ("dense with auxiliary rows", |g| Solver::Dense(Dense::new(g))),
        ];
        for (name, primary) in primaries {
            let mut solver = Solver::on(graph, |g| Ok(primary(g))).unwrap();
            assert_eq!(solver.name(), name);
            solver.factor(&system).unwrap();
            let (y, mu) = refined(&mut solver, &system);
            let (off, off_lambda) = (difference(&x, &y), difference(&lambda, &mu));
            assert!(off < 1e-9, "{name}, seed {seed}: {off:e}");
            let iterated = name.starts_with("conjugate");
            assert!(iterated || solver.rank() == whole.rank(), "{name}, seed {seed}");
            assert!(whole.rank() < graph.rows() || off_lambda < 1e-8, "{name}, seed {seed}: {off_lambda:e}");
        }
    }
}

#[test]
fn redundant_rows_along_their_forces_are_dropped_and_contradictions_noted() {
    // Three blocks in a row; a row on all of them twice, once doubled: one is redundant.
    let mut graph = Graph::new();
    let blocks = [(); 3].map(|()| graph.add_block(3));
    graph.add_link(2, &[None, Some(blocks[0])]);
    graph.add_link(2, &[Some(blocks[0]), Some(blocks[1])]);
    graph.add_link(2, &[Some(blocks[1]), Some(blocks[2])]);
    let ends = blocks.map(Some);
    let [one, two] = [(); 2].map(|()| graph.add_link(1, &ends));
    let mut random = Random::new(3);
    let mut system = fill(&mut random, Arc::new(graph), Shape { compliant: 0, ..PLAIN });
    for end in 0..3 {
        let row: Vec<f64> = system.jac(one, end).iter().map(|j| 2.0 * j).collect();
        system.jac_mut(two, end).copy_from_slice(&row);
    }
    let c = system.bias_of(one)[0];
    system.bias_of_mut(two)[0] = 2.0 * c;
    let mut solver = Solver::auto(system.graph());
    assert_eq!(solver.name(), "tree with auxiliary rows");
    solver.factor(&system).unwrap();
    let (x, lambda) = refined(&mut solver, &system);
    assert_eq!((solver.rank(), solver.dropped().len()), (7, 1));
    assert!(!solver.dropped()[0].conflicts(1e-12), "{:?}", solver.dropped());
    let mut whole = Dense::new(system.graph());
    whole.factor(&system).unwrap();
    let (exact, _) = solved(&system, |f, c, x, l| whole.solve(f, c, x, l));
    assert!(difference(&exact, &x) < 1e-12);
    // The null vector: (−2, 1) on the two rows, or (1, −1/2).
    let mut null = vec![0.0; 8];
    solver.null_vector(0, &mut null);
    assert!(largest(&common::times_transposed(&system, &null)) < 1e-12, "{null:?}");
    assert!(largest(&null[..6]) < 1e-12 && null[6].abs() > 0.1, "{null:?}");
    let mut unique = vec![true; 8];
    solver.compute_unique(&system, &mut [0.0; 8], &mut unique);
    assert_eq!(unique, [true, true, true, true, true, true, false, false]);
    let before = lambda[6] + 2.0 * lambda[7];
    let mut levelled = lambda;
    let mut geometry = Rank::new(system.graph());
    geometry.decide(&system).unwrap();
    geometry.level(&[1.0; 8], &mut levelled, &mut [0.0; 8]);
    assert!((levelled[6] + 2.0 * levelled[7] - before).abs() < 1e-12 * before.abs());
    assert!((levelled[7] - 2.0 * levelled[6]).abs() < 1e-12 * before.abs(), "{levelled:?}");

    // The same rows, contradicting each other.
    system.bias_of_mut(two)[0] = 2.0 * c + 1.0;
    solver.factor(&system).unwrap();
    solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
    assert!(solver.dropped()[0].conflicts(1e-3), "{:?}", solver.dropped());
}

/// Two free blocks of three unknowns, a row on the first; its force is `push` on both.
fn two_blocks(push: [f64; 6]) -> (System, Link) {
    let mut graph = Graph::new();
    let (a, b) = (graph.add_block(3), graph.add_block(3));
    let join = graph.add_link(1, &[Some(a), Some(b)]);
    let held = graph.add_link(1, &[Some(a), Some(b)]);
    graph.set_force_columns(held);
    let mut system = System::new(Arc::new(graph));
    for block in [a, b] {
        system.mass_mut(block).copy_from_slice(&[2.0, 0.0, 2.0, 0.0, 0.0, 2.0]);
    }
    system.jac_mut(join, 0).copy_from_slice(&[0.0, 0.0, 1.0]);
    system.jac_mut(join, 1).copy_from_slice(&[0.0, 0.0, -1.0]);
    system.jac_mut(held, 0).copy_from_slice(&[1.0, 0.0, 1.0]);
    system.force_columns_mut(held, 0).copy_from_slice(&push[..3]);
    system.force_columns_mut(held, 1).copy_from_slice(&push[3..]);
    system.force_mut().copy_from_slice(&[6.0, 0.0, 2.0, 0.0, 0.0, 4.0]);
    (system, held)
}

#[test]
fn a_force_on_one_block_satisfies_a_row_on_another_through_the_links_between() {
    // z of both is common, mass 4. The row asks for x + z = 0 of the first; only z of the second can be acted
    // on.
    let (system, held) = two_blocks([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let mut solver = Solver::auto(system.graph());
    solver.factor(&system).unwrap();
    let (x, lambda) = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
    // x = 6/2 = 3, so z must be −3: 6 + μ = 4 · (−3), μ = −18; the link transmits 2·(−3) − 2 = −8 to the
    // first.
    assert!((lambda[1] + 18.0).abs() < 1e-12 && (lambda[0] + 8.0).abs() < 1e-12, "{lambda:?}");
    assert!(difference(&[3.0, 0.0, -3.0, 0.0, 0.0, -3.0], &x) < 1e-14, "{x:?}");
    assert!(residual(&system, system.force(), system.bias(), &x, &lambda).worst() < 1e-14);

    let Solver::WithAuxiliary(mut schur) = solver else { panic!() };
    assert_eq!(schur.coefficients(), [0.25]);
    let trace = schur.trace(&system).unwrap();
    assert!((trace.rows[0].missed_by - 4.5).abs() < 1e-14 && trace.whole.worst() < 1e-14, "{trace:?}");
    let text = trace.text(|link| link.to_string());
    for step in ["  1  factor", "  2  v'", "  3  1 responses", "  4  A μ", "  5  primary", "  6  net"] {
        assert!(text.contains(step), "{step}: {text}");
    }
    assert!(text.contains("link 1") && text.contains("-18.0"), "{text}");

    // Solvers without auxiliary rows return an error.
    let pushed = Err(FactorError::OwnForceColumns { link: held });
    assert_eq!(Sparse::new(system.graph()).factor(&system), pushed);
    assert_eq!(Dense::new(system.graph()).factor(&system), pushed);
    assert_eq!(ConjugateGradient::new(system.graph()).factor(&system), pushed);
}

#[test]
fn forces_that_cannot_satisfy_their_rows_are_named() {
    let refused = |system: &System, error: FactorError| {
        let mut solver = Solver::auto(system.graph());
        assert_eq!(solver.factor(system), Err(error));
        // And the solution is NaN.
        let (x, lambda) = solved(system, |f, c, x, l| solver.solve(f, c, x, l));
        assert!(x.iter().chain(&lambda).all(|v| v.is_nan()));
    };
    // Normal to the row, and on another block along an unlinked direction.
    for push in [[0.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 1.0, 0.0], [0.0; 6]] {
        let (system, held) = two_blocks(push);
        refused(&system, FactorError::Powerless { link: held, row: 0 });
    }
    // A row of zeros cannot be satisfied by any force.
    let (mut system, held) = two_blocks([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    system.jac_mut(held, 0).fill(0.0);
    refused(&system, FactorError::Dependent { link: held, row: 0 });
    // A row that repeats the joint.
    system.jac_mut(held, 0).copy_from_slice(&[0.0, 0.0, 3.0]);
    system.jac_mut(held, 1).copy_from_slice(&[0.0, 0.0, -3.0]);
    refused(&system, FactorError::Dependent { link: held, row: 0 });
    // Invalid numbers.
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let (mut system, held) = two_blocks([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let error = FactorError::NotFinite { place: SystemEntry::Row(held, 0) };
        system.force_columns_mut(held, 1)[2] = bad;
        refused(&system, error);
        let (mut system, _) = two_blocks([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        system.jac_mut(held, 0)[1] = bad;
        refused(&system, error);
    }
    let (mut system, held) = two_blocks([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    system.compliance_mut(held)[0] = -1.0;
    refused(&system, FactorError::NegativeCompliance { link: held, row: 0 });
    // Two forces along the same column for two rows.
    let (one, _) = two_blocks([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let mut graph = (**one.graph()).clone();
    let second = graph.add_link(1, &[Some(Block(0))]);
    graph.set_force_columns(second);
    let mut system = System::new(Arc::new(graph));
    for block in [Block(0), Block(1)] {
        system.mass_mut(block).copy_from_slice(one.mass(block));
    }
    for link in one.graph().all_links() {
        for end in 0..2 {
            system.jac_mut(link, end).copy_from_slice(one.jac(link, end));
        }
    }
    system.force_columns_mut(Link(1), 0).copy_from_slice(&[1.0, 0.0, 0.0]);
    system.jac_mut(second, 0).copy_from_slice(&[1.0, 1.0, 0.0]);
    system.force_columns_mut(second, 0).copy_from_slice(&[2.0, 0.0, 0.0]);
    let mut solver = Solver::auto(system.graph());
    assert!(matches!(solver.factor(&system), Err(FactorError::Powerless { .. })));
    // Another graph.
    assert_eq!(solver.factor(&one), Err(FactorError::OtherGraph));
}

/// Blocks of six, three rows to the parent, and `k` auxiliary rows between the given blocks, the ground or three blocks.
fn long(n: usize, parent: impl Fn(usize) -> Option<usize>, ends: &[Vec<usize>], pushed: bool) -> System {
    let mut graph = Graph::new();
    for i in 0..n {
        let block = graph.add_block(6);
        graph.add_link(3, &[parent(i).map(|p| Block(p as u32)), Some(block)]);
    }
    for ends in ends {
        let ends: Vec<Option<Block>> = ends.iter().map(|&i| Some(Block(i as u32))).collect();
        let link = graph.add_link(1, &ends);
        if pushed {
            graph.set_force_columns(link);
        } else {
            graph.set_auxiliary(link);
        }
    }
    let mut random = Random::new(n as u64);
    let mut system = fill(&mut random, Arc::new(graph), Shape { compliant: 0, tame: true, ..PLAIN });
    if pushed {
        let graph = Arc::clone(system.graph());
        for link in graph.all_links().skip(n) {
            for end in 0..graph.ends(link).len() {
                system.force_columns_mut(link, end).iter_mut().for_each(|k| *k = random.unit());
            }
        }
    }
    system
}

fn visits(system: &System) -> (usize, usize, usize) {
    let mut solver = Solver::auto(system.graph());
    solver.factor(system).unwrap();
    let Solver::WithAuxiliary(schur) = &solver else { panic!() };
    let visits = schur.visits().unwrap();
    assert_eq!(visits.all, schur.columns() * system.graph().blocks());
    (visits.up, visits.down, visits.all)
}

#[test]
fn only_the_paths_of_the_rows_to_the_root_are_visited() {
    // A star: whatever n is, a row on three arms passes three arms and the hub.
    for n in [10, 100, 1000] {
        let hub = |i: usize| i.checked_sub(1).map(|_| 0);
        let rows = [vec![1, 2, 3], vec![4, 5, 6]];
        // Without force columns of their own: the first is needed for both rows, the second for its own.
        assert_eq!(visits(&long(n, hub, &rows, false)), (8, 7 + 4, 2 * n));
        // With force columns of their own: both are needed for both.
        assert_eq!(visits(&long(n, hub, &rows, true)), (8, 7 + 7, 2 * n));
    }
    // A binary tree: the depth.
    let (up, down, all) =
        visits(&long(1023, |i| i.checked_sub(1).map(|i| i / 2), &[vec![600, 700, 1000]], false));
    assert!(up <= 30 && down == up && all == 1023, "{up} {down}");
    // A chain whose ends are linked has one path; rows near the root do not visit the tip.
    let chain = |i: usize| i.checked_sub(1);
    assert_eq!(visits(&long(500, chain, &[vec![499, 0, 250]], false)), (500, 500, 500));
    assert_eq!(visits(&long(500, chain, &[vec![2, 3, 4], vec![9, 8, 5]], false)), (5 + 10, 10 + 10, 1000));
}

#[test]
fn k_rows_on_n_blocks_cost_n_times_k() {
    // The worst shape: a chain, every row from its tip. Twice the blocks take twice the operations; so do
    // twice the rows.
    let operations = |n: usize, k: usize| {
        let rows: Vec<Vec<usize>> = (0..k).map(|i| vec![n - 1 - i, n / 2, 0]).collect();
        let system = long(n, |i| i.checked_sub(1), &rows, true);
        let mut plain = Graph::new();
        (0..n).for_each(|_| {
            plain.add_block(6);
        });
        for link in system.graph().all_links().take(n) {
            plain.add_link(3, system.graph().ends(link));
        }
        let mut primary = System::new(Arc::new(plain));
        for block in primary.graph().clone().all_blocks() {
            primary.mass_mut(block).copy_from_slice(system.mass(block));
        }
        for link in primary.graph().clone().all_links() {
            for end in 0..2 {
                primary.jac_mut(link, end).copy_from_slice(system.jac(link, end));
            }
        }
        let primary = counted(&primary);
        let mut tree: Tree<Counted> = Tree::new(primary.graph()).unwrap();
        tree.factor(&primary).unwrap();
        Counted::reset();
        let all: Vec<Block> = rows.iter().flatten().map(|&i| Block(i as u32)).collect();
        let down = tree.reach(&all);
        let push = [Counted(1.0); 6];
        for row in &rows {
            let blocks: Vec<Block> = row.iter().map(|&i| Block(i as u32)).collect();
            let up = tree.reach(&blocks);
            tree.solve_response(blocks.iter().map(|&block| (block, &push[..])), &up, &down);
        }
        Counted::operations().total() as f64
    };
    for (n, k) in [(50, 4), (100, 8), (400, 16)] {
        let (base, longer, more) = (operations(n, k), operations(2 * n, k), operations(n, 2 * k));
        assert!((longer / base - 2.0).abs() < 0.1, "{n} {k}: {longer} of {base}");
        assert!((more / base - 2.0).abs() < 0.1, "{n} {k}: {more} of {base}");
        // A response costs as much as a solve.
        assert!(base < (n * k) as f64 * 250.0, "{base}");
    }
}

#[test]
fn a_response_is_a_solve_that_leaves_out_what_is_not_asked_for() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let system = random_forest(&mut random, PLAIN);
        let graph = system.graph();
        let mut tree: Tree = Tree::new(graph).unwrap();
        tree.factor(&system).unwrap();
        let pick = |random: &mut Random| Block(random.below(graph.blocks()) as u32);
        let (pushed, asked) =
            ([pick(&mut random), pick(&mut random)], [pick(&mut random), pick(&mut random)]);
        let mut force = vec![0.0; graph.unknowns()];
        let pushes: Vec<Vec<f64>> =
            pushed.iter().map(|&b| (0..graph.block_dim(b)).map(|_| random.unit()).collect()).collect();
        for (&block, push) in pushed.iter().zip(&pushes) {
            for (f, p) in force[graph.block_range(block)].iter_mut().zip(push) {
                *f += p;
            }
        }
        let (mut x, mut lambda) = (vec![0.0; graph.unknowns()], vec![0.0; graph.rows()]);
        let (up, down) = (tree.reach(&pushed), tree.reach(&asked));
        tree.solve_response(pushed.iter().zip(&pushes).map(|(&b, p)| (b, &p[..])), &up, &down);
        let answers = asked.map(|block| tree.response(block).to_vec());
        tree.solve(&force, &vec![0.0; graph.rows()], &mut x, &mut lambda);
        for (block, answer) in asked.iter().zip(answers) {
            // The same operations, except sums with zeros.
            assert_eq!(answer, x[graph.block_range(*block)], "seed {seed}");
        }
    }
}

#[test]
fn the_same_rows_give_the_same_bits_and_nothing_depends_on_earlier_ones() {
    let mut random = Random::new(11);
    let shape = Shape { crowded: 0, tame: true, blocks: 20, ..PLAIN };
    let forest = random_forest(&mut random, shape);
    let system = with_auxiliary(&mut random, &forest, 1, 100);
    let mut solver = Solver::auto(system.graph());
    solver.factor(&system).unwrap();
    let first = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
    let mut other = system.clone();
    other.force_mut().iter_mut().for_each(|f| *f *= 3.0);
    solved(&other, |f, c, x, l| solver.solve(f, c, x, l));
    solver.factor(&system).unwrap();
    let again = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
    assert_eq!(first, again);
    let Solver::WithAuxiliary(schur) = &mut solver else { panic!() };
    schur.trace(&system).unwrap();
    assert_eq!(first, solved(&system, |f, c, x, l| solver.solve(f, c, x, l)));
}

#[test]
fn loops_may_be_auxiliary_too() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let shape = Mechanism { bodies: 6, loops: 3, flat: seed % 2 == 0, mass_decades: 2.0, size: 1.0 };
        let system = mechanism(&mut random, shape);
        let graph = system.graph();
        let forest = cardan_solve::Forest::grow(graph);
        let schur = AuxiliarySchur::new(graph, |link| forest.role(link) != cardan_solve::Role::Primary);
        assert!(matches!(schur.primary(), Solver::Tree(_)));
        let mut solver = Solver::WithAuxiliary(Box::new(schur));
        let mut whole = Dense::new(graph);
        whole.factor(&system).unwrap();
        solver.factor(&system).unwrap();
        assert_eq!(solver.rank(), whole.rank(), "seed {seed}");
        let (x, _) = refined(&mut solver, &system);
        let (exact, _) = solved(&system, |f, c, x, l| whole.solve(f, c, x, l));
        let off = difference(&exact, &x);
        assert!(off < 1e-8, "seed {seed}: {off:e}");
        for dropped in solver.dropped() {
            assert!(!dropped.conflicts(1e-8), "seed {seed}: {dropped:?}");
        }
    }
}
