//! Couplings of random forests: rows on joint coordinates and on blocks, with efforts, joint inertias and loop
//! closures, held against the equations themselves.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use super::random::Rng;
use super::tests::{Case, case, check_efforts, fill, places, right_side};
use super::*;
use crate::forest::Forest;
use crate::graph::{Block, Link};
use crate::math::{Six, Sym6};

/// A random coupling: rows on the coordinates of `links` tree links, on blocks, or on both.
fn coupling(case: &Case, articulated: &ArticulatedForest, rng: &mut Rng, k: usize) -> Coupling {
    let mut ends: Vec<(Block, EndKind)> = Vec::new();
    let children: Vec<usize> = (0..articulated.len()).filter(|&at| articulated.at(at).1.is_some()).collect();
    let is_absolute = rng.below(3) == 0 || children.len() < 3;
    if is_absolute {
        for _ in 0..1 + rng.below(3) {
            ends.push((Block(rng.below(case.graph.blocks()) as u32), EndKind::Block));
        }
    }
    if !is_absolute || rng.below(2) == 0 {
        for _ in 0..(2 + rng.below(2)).min(children.len()) {
            let at = children[rng.below(children.len())];
            ends.push((articulated.at(at).0, EndKind::Child));
            if let Some(parent) = articulated.nodes()[at].parent() {
                ends.push((articulated.at(parent).0, EndKind::Parent));
            }
        }
    }
    let rows = 1 + rng.below(2);
    Coupling { link: Link(1000 + k as u32), rows, ends, is_absolute }
}

/// Random rows and biases; those of a parent follow from its child.
fn fill_rows(case: &Case, articulated: &mut ArticulatedForest, seed: u64) {
    let mut rng = Rng(seed ^ 0x7777);
    let shift_of: Vec<_> = (0..articulated.len())
        .map(|at| articulated.at(at).1.map(|link| case.shifts[link.0 as usize]))
        .collect();
    for closure in articulated.closures_mut() {
        for r in 0..closure.len() {
            closure.bias[r] = rng.next();
            let mut child = Six::ZERO;
            for end in &mut closure.ends {
                let row = rng.six();
                let shift = shift_of[end.place()].unwrap_or_default();
                end.rows[r] = match end.kind() {
                    EndKind::Parent => child,
                    _ => row,
                };
                child = -row.carried_back(shift);
            }
        }
    }
}

/// Every row of a coupling holds.
fn check_rows(articulated: &ArticulatedForest, biases: &[[f64; MAX_LOOP_ROWS]], what: &str) {
    let largest = articulated.nodes().iter().fold(1.0, |w: f64, node| w.max(node.x.dot(&node.x).sqrt()));
    for (closure, biases) in articulated.closures().iter().zip(biases) {
        for &r in closure.kept() {
            let r = r as usize;
            let sum =
                closure.each_end().map(|(at, rows)| rows[r].dot(&articulated.nodes()[at].x)).sum::<f64>();
            assert!((sum + biases[r]).abs() < 1e-10 * largest, "{what}, row {r}: {:e}", sum + biases[r]);
        }
    }
}

#[test]
fn couplings_satisfy_the_equations() {
    let (mut kept, mut dropped) = (0, 0);
    for seed in 0..1200u64 {
        let case = case(seed, 3 + (seed % 11) as usize, |rng| match rng.below(8) {
            k @ 0..=3 => Form::Freedoms(k as u8),
            4 => Form::Rows(1),
            5 => Form::Rows(2),
            _ => Form::Freedoms(1),
        });
        let mut rng = Rng(seed ^ 0xabcdef);
        let forest = Forest::grow(&case.graph);
        let bare: ArticulatedForest = ArticulatedForest::new(&case.graph, &forest, &case.forms).unwrap();
        let count = 1 + rng.below(4);
        let couplings: Vec<Coupling> = (0..count).map(|k| coupling(&case, &bare, &mut rng, k)).collect();
        let mut articulated: ArticulatedForest =
            ArticulatedForest::with_couplings(&case.graph, &forest, &case.forms, &couplings).unwrap();
        let places = places(&articulated);
        fill_rows(&case, &mut articulated, seed);
        let biases: Vec<_> = articulated.closures().iter().map(|closure| closure.bias).collect();
        let dependent = articulated.plan(RANK_TOLERANCE, 0.0, |at, geometry| {
            let Some(link) = places[at].1 else {
                // A block that floats moves in six ways.
                geometry.count = 6;
                for (k, column) in geometry.columns.iter_mut().enumerate() {
                    let mut unit = [0.0; 6];
                    unit[k] = 1.0;
                    *column = Six::from_slice(&unit);
                }
                return;
            };
            geometry.shift = case.shifts[link.0 as usize];
            let columns = case.free_columns(link);
            geometry.count = columns.len();
            geometry.columns[..columns.len()].copy_from_slice(&columns);
        });
        dropped += dependent;
        kept += articulated.closures().iter().map(|closure| closure.kept().len()).sum::<usize>();
        let inputs: Vec<[[f64; 3]; 2]> = (0..case.shifts.len())
            .map(|_| [[rng.next(), rng.next(), rng.next()], [rng.next(); 3].map(|x| 10.0 * x * x)])
            .collect();
        if seed % 2 == 0 {
            (0..articulated.len()).for_each(|at| articulated.use_leaf_kernel(at));
            let hinges = (0..articulated.len()).filter(|&at| articulated.nodes[at].form == Form::Freedoms(1));
            for at in hinges.collect::<Vec<_>>() {
                articulated.use_one_dof_kernel(at);
            }
        }
        let joint = |at: usize, node: &mut Node, extra: &mut NodeExtra| {
            let (Some(link), Form::Freedoms(_)) = (places[at].1, node.form()) else { return };
            let [[first, rest @ ..], [inertia, inertias @ ..]] = inputs[link.0 as usize];
            (node.effort, extra.efforts) = (first, rest);
            (node.joint_inertia, extra.joint_inertias) = (inertia, inertias);
        };
        let what = |which: &str| format!("seed {seed}, {which}");
        articulated
            .factor_and_solve(&mut FillWith(|at: usize, node: &mut Node, extra: &mut NodeExtra| {
                fill(&case, places[at], node, extra);
                joint(at, node, extra);
            }))
            .unwrap();
        check_efforts(&case, &articulated, &inputs, &what("factor and solve"));
        check_rows(&articulated, &biases, &what("factor and solve"));
        let first: Vec<Six> = articulated.nodes().iter().map(|node| node.x).collect();
        articulated.solve(|at, node, extra| {
            right_side(&case, places[at], node, extra);
            joint(at, node, extra);
        });
        check_efforts(&case, &articulated, &inputs, &what("solve"));
        check_rows(&articulated, &biases, &what("solve"));
        // Two right-hand sides: the second is a part of the biases alone.
        let part = -0.3;
        let mut both = vec![(Six::ZERO, Six::ZERO); articulated.len()];
        articulated.solve_two_rhs(
            part,
            &mut (
                |at: usize, node: &mut Node, extra: &mut NodeExtra| {
                    right_side(&case, places[at], node, extra);
                    joint(at, node, extra);
                },
                |at: usize, x: &Six, second: &Six| both[at] = (*x, *second),
            ),
        );
        for closure in articulated.closures() {
            for &r in closure.kept() {
                let r = r as usize;
                let ends = closure.each_end();
                let sum =
                    ends.map(|(at, rows)| rows[r].dot(&both[at].1)).sum::<f64>() + part * closure.bias[r];
                assert!(sum.abs() < 1e-9, "{}: {sum:e}", what("second right-hand side"));
            }
        }
        for (at, first) in first.iter().enumerate() {
            let off = both[at].0 - *first;
            assert!(off.dot(&off).sqrt() < 1e-9 * (1.0 + first.dot(first).sqrt()), "{}", what("both"));
        }
    }
    assert!(kept > 1500 && dropped > 20, "{kept} rows kept, {dropped} dropped");
}

impl Case {
    /// Freedoms of a link, whatever its form.
    fn free_columns(&self, link: Link) -> Vec<Six> {
        match self.forms[link.0 as usize] {
            Some(Form::Rows(_)) => {
                // The orthogonal complement of the rows.
                let mut all: Vec<Six> = Vec::new();
                for row in &self.columns[link.0 as usize] {
                    let mut v = *row;
                    all.iter().for_each(|b| v -= b.scaled(b.dot(&v)));
                    all.push(v.scaled(1.0 / v.dot(&v).sqrt()));
                }
                let rows = all.len();
                for k in 0..6 {
                    let mut unit = [0.0; 6];
                    unit[k] = 1.0;
                    let mut v = Six::from_slice(&unit);
                    (0..2).for_each(|_| all.iter().for_each(|b| v -= b.scaled(b.dot(&v))));
                    let size = v.dot(&v).sqrt();
                    if size > 1e-2 && all.len() < 6 {
                        all.push(v.scaled(1.0 / size));
                    }
                }
                all.split_off(rows)
            }
            _ => self.columns[link.0 as usize].clone(),
        }
    }
}

/// A coupling of the joints of two wheels has the closed form of a gear train: I₁ + n² I₂.
#[test]
fn a_gear_train_has_its_closed_form() {
    let (i1, i2, n, torque) = (0.3, 0.02, 3.5, 1.7);
    let mut graph = crate::graph::Graph::new();
    let blocks = [graph.add_block(6), graph.add_block(6)];
    for &block in &blocks {
        graph.add_link(5, &[None, Some(block)]);
    }
    let forms = [Some(Form::Freedoms(1)); 2];
    let ends = blocks.map(|block| (block, EndKind::Child)).to_vec();
    let gear = Coupling { link: Link(2), rows: 1, ends, is_absolute: false };
    let mut articulated: ArticulatedForest =
        ArticulatedForest::with_couplings(&graph, &Forest::grow(&graph), &forms, &[gear]).unwrap();
    let axis = Six::new(Default::default(), crate::math::Vec3::Z);
    let places = places(&articulated);
    let closure = &mut articulated.closures_mut()[0];
    // φ₂ = n φ₁
    (closure.ends[0].rows[0], closure.ends[1].rows[0]) = (axis.scaled(n), axis.scaled(-1.0));
    let inertia = |at: usize| if places[at].0 == blocks[0] { i1 } else { i2 };
    articulated
        .factor_and_solve(&mut FillWith(|at: usize, node: &mut Node, _: &mut NodeExtra| {
            let i = inertia(at);
            node.diag = Sym6::of_mass(1.0, crate::math::Sym3::diagonal(i, i, i));
            node.first = axis;
            node.effort = if places[at].0 == blocks[0] { torque } else { 0.0 };
        }))
        .unwrap();
    let turning = torque / (i1 + n * n * i2);
    for at in 0..2 {
        let want = if places[at].0 == blocks[0] { turning } else { n * turning };
        assert!((articulated.nodes()[at].x.ang.z - want).abs() < 1e-14 * want);
    }
    // The torque of the coupling on the second wheel: −λ.
    let mu = articulated.closures()[0].answers[0];
    assert!((-mu - i2 * n * turning).abs() < 1e-14);
}
