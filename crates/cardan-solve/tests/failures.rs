//! Bad numbers give typed errors, never a panic; empty and degenerate shapes are no special case.

use std::sync::Arc;

use crate::common::{PLAIN, Random, Shape, difference, random_forest, solved};
use cardan_solve::{
    Block, ConjugateGradient, Dense, FactorError, Graph, Link, Solver, Sparse, System, SystemEntry, Tree,
    residual,
};

fn solvers(graph: &Arc<Graph>) -> [Solver; 3] {
    [
        Solver::Tree(Tree::new(graph).unwrap()),
        Solver::Sparse(Sparse::new(graph)),
        Solver::Dense(Dense::new(graph)),
    ]
}

fn all_solvers(graph: &Arc<Graph>) -> [Solver; 4] {
    let [tree, sparse, dense] = solvers(graph);
    [tree, sparse, dense, Solver::ConjugateGradient(ConjugateGradient::new(graph))]
}

#[test]
fn a_bad_number_anywhere_is_an_error_that_names_the_place() {
    let shape = Shape { blocks: 5, crowded: 40, parallel: 30, ..PLAIN };
    for seed in 0..40 {
        let good = random_forest(&mut Random::new(seed), shape);
        let graph = Arc::clone(good.graph());
        let mut places: Vec<(SystemEntry, System)> = Vec::new();
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for block in graph.all_blocks() {
                for k in 0..good.mass(block).len() {
                    let mut system = good.clone();
                    system.mass_mut(block)[k] = bad;
                    places.push((SystemEntry::Mass(block), system));
                }
            }
            for link in graph.all_links() {
                for row in 0..graph.link_rows(link) {
                    let mut system = good.clone();
                    system.compliance_mut(link)[row] = bad;
                    places.push((SystemEntry::Row(link, row), system));
                    let mut system = good.clone();
                    system.row_scale_mut(link)[row] = bad;
                    places.push((SystemEntry::Row(link, row), system));
                    for end in 0..graph.ends(link).len() {
                        let dim = graph.ends(link)[end].map_or(0, |block| graph.block_dim(block));
                        for j in 0..dim {
                            let mut system = good.clone();
                            system.jac_mut(link, end)[row * dim + j] = bad;
                            places.push((SystemEntry::Row(link, row), system));
                        }
                    }
                }
            }
        }
        let mut all = all_solvers(&graph);
        for (place, system) in &places {
            for solver in &mut all {
                let error = solver.factor(system).expect_err("a number is not finite");
                assert_eq!(error, FactorError::NotFinite { place: *place }, "seed {seed}: {}", solver.name());
                let (x, lambda) = solved(system, |f, c, x, l| solver.solve(f, c, x, l));
                assert!(x.iter().chain(&lambda).all(|v| v.is_nan()), "no factor, no answer");
            }
        }
        // A good system afterwards is solved as if nothing had happened.
        for solver in &mut all {
            solver.factor(&good).unwrap();
            let (x, lambda) = solved(&good, |f, c, x, l| solver.solve(f, c, x, l));
            assert!(residual(&good, good.force(), good.bias(), &x, &lambda).worst() < 1e-8, "seed {seed}");
        }
    }
}

#[test]
fn bad_right_hand_sides_do_not_panic() {
    for seed in 0..100 {
        let mut system = random_forest(&mut Random::new(seed), PLAIN);
        let mut all = all_solvers(&Arc::clone(system.graph()));
        for solver in &mut all {
            solver.factor(&system).unwrap();
        }
        let mut random = Random::new(seed);
        let rows = system.graph().rows();
        if rows > 0 {
            system.bias_mut()[random.below(rows)] = f64::NAN;
        }
        system.force_mut()[0] = f64::INFINITY;
        for solver in &mut all {
            let (x, lambda) = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
            let left = residual(&system, system.force(), system.bias(), &x, &lambda);
            assert!(left.worst().is_nan(), "seed {seed}: {} hides the damage: {left:?}", solver.name());
        }
    }
}

#[test]
fn wild_magnitudes_do_not_panic() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let mut system = random_forest(&mut random, Shape { crowded: 50, parallel: 30, ..PLAIN });
        let graph = Arc::clone(system.graph());
        for link in graph.all_links() {
            for end in 0..graph.ends(link).len() {
                for j in system.jac_mut(link, end) {
                    *j *= [0.0, 1e-300, 1e-160, 1.0, 1e160, 1e300][random.below(6)];
                }
            }
            if random.chance(30) {
                system.compliance_mut(link).fill([1e-320, 1e-200, 1e300][random.below(3)]);
            }
        }
        for block in graph.all_blocks() {
            let size = [1e-300, 1e-150, 1.0, 1e150, 1e300][random.below(5)];
            system.mass_mut(block).iter_mut().for_each(|m| *m *= size);
        }
        for mut solver in all_solvers(&graph) {
            if solver.factor(&system).is_ok() {
                solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
            }
        }
    }
}

#[test]
fn masses_must_be_positive_and_compliances_not_negative() {
    let mut graph = Graph::new();
    let block = graph.add_block(2);
    let link = graph.add_link(1, &[None, Some(block)]);
    let graph = Arc::new(graph);
    let mut system: System = System::new(Arc::clone(&graph));
    system.jac_mut(link, 1).copy_from_slice(&[1.0, 1.0]);
    for mut solver in all_solvers(&graph) {
        for mass in [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 2.0, 1.0], [-1.0, 0.0, 1.0]] {
            system.mass_mut(block).copy_from_slice(&mass);
            assert_eq!(solver.factor(&system), Err(FactorError::NotPositive { block }), "{mass:?}");
        }
        system.mass_mut(block).copy_from_slice(&[1.0, 0.0, 1.0]);
        system.compliance_mut(link)[0] = -1e-30;
        assert_eq!(solver.factor(&system), Err(FactorError::NegativeCompliance { link, row: 0 }));
        system.compliance_mut(link)[0] = 0.0;
        assert_eq!(solver.factor(&system), Ok(()));
        let other: System = System::new(Arc::new(Graph::new()));
        assert_eq!(solver.factor(&other), Err(FactorError::OtherGraph));
    }
}

#[test]
fn empty_things_are_solved_too() {
    let mut graph = Graph::new();
    let nothing = graph.add_block(0);
    let one = graph.add_block(1);
    graph.add_block(2);
    let on_nothing = graph.add_link(2, &[Some(nothing)]);
    graph.add_link(0, &[Some(one), Some(nothing)]);
    let afloat = graph.add_link(3, &[None, None]);
    graph.add_link(1, &[]);
    let mut system = System::new(Arc::new(graph));
    system.mass_mut(one)[0] = 2.0;
    system.mass_mut(Block(2)).copy_from_slice(&[1.0, 0.0, 4.0]);
    system.force_mut().copy_from_slice(&[6.0, 5.0, 8.0]);
    system.compliance_mut(on_nothing)[1] = 0.5;
    system.bias_of_mut(on_nothing)[1] = 3.0;
    system.compliance_mut(afloat)[0] = 2.0;
    system.bias_of_mut(afloat).copy_from_slice(&[4.0, 7.0, 0.0]);
    for mut solver in solvers(system.graph()) {
        solver.factor(&system).unwrap();
        let (x, lambda) = solved(&system, |f, c, x, l| solver.solve(f, c, x, l));
        let (wanted_x, wanted_lambda) = ([3.0, 5.0, 2.0], [0.0, -6.0, -2.0, 0.0, 0.0, 0.0]);
        assert!(difference(&x, &wanted_x) < 1e-15, "{}: {x:?}", solver.name());
        assert!(difference(&lambda, &wanted_lambda) < 1e-15, "{}: {lambda:?}", solver.name());
        let conflicts: Vec<(Link, usize)> = solver
            .dropped()
            .iter()
            .filter(|dropped| dropped.conflicts(1e-12))
            .map(|dropped| (dropped.link, dropped.row))
            .collect();
        assert_eq!((solver.rank(), conflicts), (2, vec![(afloat, 1)]), "{}", solver.name());
    }
}
