//! The freedoms form, the rows form and the dense solver on the same random forests.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use super::random::Rng;
use super::*;
use crate::error::FactorError;
use crate::forest::Forest;
use crate::graph::{Block, Graph, Link, NONE};
use crate::lane::Lane;
use crate::math::{Six, Sym6, Vec3};
use crate::{Counted, Dense, System};
use std::sync::Arc;

/// An orthonormal basis of six-space.
fn basis(rng: &mut Rng) -> Vec<Six> {
    let mut all: Vec<Six> = Vec::new();
    while all.len() < 6 {
        let mut v = rng.six();
        for _ in 0..2 {
            for b in &all {
                v -= b.scaled(b.dot(&v));
            }
        }
        let size = v.dot(&v).sqrt();
        if size > 0.05 {
            all.push(v.scaled(1.0 / size));
        }
    }
    all
}

pub(super) struct Case {
    pub(super) graph: Arc<Graph>,
    system: System,
    pub(super) forms: Vec<Option<Form>>,
    pub(super) shifts: Vec<Vec3>,
    pub(super) columns: Vec<Vec<Six>>,
    gammas: Vec<Six>,
    masses: Vec<Sym6>,
    forces: Vec<Six>,
}

/// `pick` chooses the form of each link.
pub(super) fn case(seed: u64, n: usize, pick: impl Fn(&mut Rng) -> Form) -> Case {
    let mut rng = Rng(seed.wrapping_mul(0x9e3779b97f4a7c15) ^ 0x5555);
    let mut graph = Graph::new();
    let blocks: Vec<Block> = (0..n).map(|_| graph.add_block(6)).collect();
    let (mut links, mut forms) = (Vec::new(), Vec::new());
    for i in 0..n {
        let parent = if i == 0 { None } else { Some(blocks[rng.below(i)]) };
        // Some blocks float, some are linked to the ground.
        let choice = rng.below(8);
        let parent = match choice {
            0 => continue,
            1 => None,
            _ => parent,
        };
        let swapped = rng.below(2) == 0;
        let ends = if swapped { [Some(blocks[i]), parent] } else { [parent, Some(blocks[i])] };
        links.push((graph.add_link(0, &[]), i, parent, swapped, ends));
        forms.push(pick(&mut rng));
    }
    // The graph again, with the final numbers of rows.
    let mut graph = Graph::new();
    for _ in 0..n {
        graph.add_block(6);
    }
    let rows_of = |form: Form| match form {
        Form::Freedoms(f) => 6 - f as usize,
        Form::Rows(m) => m as usize,
    };
    for (link, form) in links.iter().zip(&forms) {
        graph.add_link(rows_of(*form), &link.4);
    }
    let graph = Arc::new(graph);
    let forest = Forest::grow(&graph);
    let mut system = System::new(Arc::clone(&graph));
    let (mut masses, mut forces) = (Vec::new(), Vec::new());
    for &block in &blocks {
        #[allow(clippy::disallowed_methods, reason = "a spread of masses needs no reproducible bits")]
        let m = 10f64.powf(rng.next());
        let (a, b, c) = (rng.vec3(), rng.vec3(), rng.vec3());
        let mut inertia = crate::math::Sym3::diagonal(0.05, 0.05, 0.05);
        for v in [a, b, c] {
            inertia = inertia + crate::math::Sym3::of_point(v).scaled(0.1);
        }
        let mass = Sym6::of_mass(m, inertia.scaled(m));
        let force = rng.six();
        system.mass_mut(block).copy_from_slice(&mass.packed());
        force.write(system.force_of_mut(block));
        masses.push(mass);
        forces.push(force);
    }
    let (mut shifts, mut columns, mut gammas) = (Vec::new(), Vec::new(), Vec::new());
    for (k, ((_, _, _, _, ends), &form)) in links.iter().zip(&forms).enumerate() {
        let link = Link(k as u32);
        let child = child_of(&graph, &forest, link).unwrap();
        let shift = rng.vec3();
        let axes = basis(&mut rng);
        let rows = rows_of(form);
        let (j, n) = axes.split_at(rows);
        // A skewed basis of the rows: the forms must not rely on orthonormal ones.
        let j: Vec<Six> = (0..rows).map(|r| j[r] + j[(r + 1) % rows.max(1)].scaled(0.3)).collect();
        let gamma = rng.six();
        for (end, block) in ends.iter().enumerate() {
            let Some(block) = block else { continue };
            for (r, row) in j.iter().enumerate() {
                let mut entry = *row;
                if *block != child {
                    // J_p = −J_c X, so a row becomes −Xᵀ row.
                    entry = -row.carried_back(shift);
                }
                entry.write(&mut system.jac_mut(link, end)[6 * r..6 * r + 6]);
            }
        }
        for (r, row) in j.iter().enumerate() {
            system.bias_of_mut(link)[r] = -row.dot(&gamma);
        }
        shifts.push(shift);
        columns.push(match form {
            Form::Freedoms(_) => {
                n.iter().enumerate().map(|(k, c)| *c + n[0].scaled(0.4 * k as f64)).collect()
            }
            Form::Rows(_) => j,
        });
        gammas.push(gamma);
    }
    let forms = forms.into_iter().map(Some).collect();
    Case { graph, system, forms, shifts, columns, gammas, masses, forces }
}

fn lane<T: Lane>(v: Six) -> Six<T> {
    let l = |v: Vec3| Vec3::new(T::splat(v.x), T::splat(v.y), T::splat(v.z));
    Six::new(l(v.lin), l(v.ang))
}

/// Writes the input of a node.
pub(super) fn fill<T: Lane>(
    case: &Case,
    (block, link): (Block, Option<Link>),
    node: &mut Node<T>,
    extra: &mut NodeExtra<T>,
) {
    let i = block.0 as usize;
    let (m, s) = (&case.masses[i], |x: f64| T::splat(x));
    let inertia = crate::math::Sym3 {
        xx: s(m.c.xx),
        yy: s(m.c.yy),
        zz: s(m.c.zz),
        xy: s(m.c.xy),
        xz: s(m.c.xz),
        yz: s(m.c.yz),
    };
    node.diag = Sym6::of_mass(s(m.a.xx), inertia);
    let Some(link) = link else { return right_side(case, (block, None), node, extra) };
    let k = link.0 as usize;
    node.shift = lane::<T>(Six::new(case.shifts[k], Vec3::ZERO)).lin;
    let columns = &case.columns[k];
    if let Some(first) = columns.first() {
        node.first = lane(*first);
    }
    for (place, column) in extra.columns.iter_mut().zip(columns.iter().skip(1)) {
        *place = lane(*column);
    }
    right_side(case, (block, Some(link)), node, extra);
}

pub(super) fn right_side<T: Lane>(
    case: &Case,
    (block, link): (Block, Option<Link>),
    node: &mut Node<T>,
    extra: &mut NodeExtra<T>,
) {
    node.force = lane(case.forces[block.0 as usize]);
    let Some(link) = link else { return };
    node.gamma = lane(case.gammas[link.0 as usize]);
    if let Form::Rows(m) = node.form() {
        for r in 0..m as usize {
            extra.bias[r] = T::splat(case.system.bias_of(link)[r]);
        }
    }
}

pub(super) fn places(articulated: &ArticulatedForest) -> Vec<(Block, Option<Link>)> {
    (0..articulated.len()).map(|at| articulated.at(at)).collect()
}

fn solved(case: &Case) -> ArticulatedForest {
    let forest = Forest::grow(&case.graph);
    let mut articulated =
        ArticulatedForest::new(&case.graph, &forest, &case.forms).expect("a forest of sixes");
    let places = places(&articulated);
    articulated
        .factor_and_solve(&mut FillWith(|at: usize, node: &mut _, extra: &mut _| {
            fill(case, places[at], node, extra)
        }))
        .unwrap();
    articulated
}

fn compare(case: &Case, seed: u64) {
    let mut articulated = solved(case);
    let mut dense = Dense::new(&case.graph);
    dense.factor(&case.system).unwrap();
    let (mut x, mut lambda) = (vec![0.0; case.graph.unknowns()], vec![0.0; case.graph.rows()]);
    dense.solve(case.system.force(), case.system.bias(), &mut x, &mut lambda);
    let largest = x.iter().fold(1.0, |w: f64, v| if v.abs() > w { v.abs() } else { w });
    let check = |articulated: &ArticulatedForest, what: &str| {
        for at in 0..articulated.len() {
            let (block, link) = articulated.at(at);
            let (node, extra) = (&articulated.nodes()[at], articulated.extra(at));
            let want = Six::from_slice(&x[case.graph.block_range(block)]);
            let off = node.x - want;
            assert!(off.dot(&off).sqrt() < 1e-10 * largest, "{what}: seed {seed}, {block}: {off:?}");
            let Some(link) = link else { continue };
            // load = J_cᵀ λ
            let end = case.graph.ends(link).iter().position(|e| *e == Some(block)).unwrap();
            let (jac, range) = (case.system.jac(link, end), case.graph.row_range(link));
            let mut load = Six::ZERO;
            for (r, row) in range.enumerate() {
                load += Six::from_slice(&jac[6 * r..]).scaled(lambda[row]);
            }
            let off = articulated.loads()[at] - load;
            let size = 1.0 + load.dot(&load).sqrt();
            assert!(off.dot(&off).sqrt() < 1e-9 * size * largest, "{what}: seed {seed}, {link}: {off:?}");
            // x_c = X x_p + γ + N s with the columns as given
            if let Form::Freedoms(f) = node.form() {
                let carried = match node.parent {
                    NONE => Six::ZERO,
                    p => articulated.nodes()[p as usize].x.carried(node.shift),
                };
                let mut made = carried + node.gamma;
                let answers = [node.first_answer, extra.answers[0], extra.answers[1]];
                for (column, s) in case.columns[link.0 as usize].iter().zip(answers).take(f as usize) {
                    made += column.scaled(s);
                }
                let off = node.x - made;
                assert!(off.dot(&off).sqrt() < 1e-10 * largest, "{what}: seed {seed}, {link}: joint rates");
            }
        }
        let left = articulated.balance(|at, x| {
            let block = articulated.at(at).0.0 as usize;
            (case.masses[block].mul(x), case.forces[block])
        });
        assert!(left < 1e-11, "{what}: seed {seed}: balance {left:e}");
    };
    check(&articulated, "factor and solve");
    // The same right-hand side again, with the factor.
    let places = places(&articulated);
    articulated.solve(|at, node, extra| {
        right_side(case, places[at], node, extra);
        node.x = Six::ZERO;
    });
    check(&articulated, "solve");
}

#[test]
fn every_form_equals_the_dense_solver() {
    for seed in 0..1500 {
        let size = 1 + (seed % 11) as usize;
        compare(
            &case(seed, size, |rng| match rng.below(7) {
                k @ 0..=3 => Form::Freedoms(k as u8),
                k => Form::Rows(k as u8 - 3),
            }),
            seed,
        );
    }
}

/// Parts of propagated forces give the inverse that solves give.
#[test]
fn propagated_forces_give_the_inverse_of_the_blocks() {
    for seed in 0..400 {
        let case = case(seed, 1 + (seed % 9) as usize, |rng| match rng.below(7) {
            f @ 0..4 => Form::Freedoms(f as u8),
            m => Form::Rows(m as u8 - 3),
        });
        let mut articulated = solved(&case);
        let count = articulated.len();
        let unit = |k: usize| {
            let mut all = [0.0; 6];
            all[k] = 1.0;
            Six::from_slice(&all)
        };
        let parts_of = |articulated: &ArticulatedForest, at: usize, k: usize| {
            let mut all = vec![[0.0; MAX_PARTS]; count];
            articulated.propagate(at, unit(k), |node, parts| all[node][..parts.len()].copy_from_slice(parts));
            all
        };
        for at in [0, count / 2, count - 1] {
            for k in 0..6 {
                articulated.solve(|node_at, node, extra| {
                    node.force = if node_at == at { unit(k) } else { Six::ZERO };
                    node.gamma = Six::ZERO;
                    extra.bias = [0.0; MAX_COLUMNS];
                });
                let given = parts_of(&articulated, at, k);
                for other in 0..count {
                    for i in 0..6 {
                        let parts = parts_of(&articulated, other, i);
                        let found: f64 =
                            parts.iter().flatten().zip(given.iter().flatten()).map(|(a, b)| a * b).sum();
                        let mut x = [0.0; 6];
                        articulated.nodes()[other].x.write(&mut x);
                        let size = 1.0 + x[i].abs();
                        assert!((found - x[i]).abs() < 1e-10 * size, "seed {seed}: {at} {k} {other} {i}");
                    }
                }
            }
        }
    }
}

/// Efforts and inertias along the freedoms of a link, and the equations that its solution must satisfy.
pub(super) fn check_efforts(
    case: &Case,
    articulated: &ArticulatedForest,
    inputs: &[[[f64; 3]; 2]],
    what: &str,
) {
    let largest = articulated.nodes().iter().fold(1.0, |w: f64, node| w.max(node.x.dot(&node.x).sqrt()));
    for at in 0..articulated.len() {
        let (node, extra) = (&articulated.nodes()[at], articulated.extra(at));
        let (Some(link), Form::Freedoms(f)) = (articulated.at(at).1, node.form()) else { continue };
        let [efforts, inertias] = inputs[link.0 as usize];
        let carried = match node.parent {
            NONE => Six::ZERO,
            p => articulated.nodes()[p as usize].x.carried(node.shift),
        };
        let mut made = carried + case.gammas[link.0 as usize];
        let answers = [node.first_answer, extra.answers[0], extra.answers[1]];
        for (k, column) in case.columns[link.0 as usize].iter().take(f as usize).enumerate() {
            made += column.scaled(answers[k]);
            // Nᵀ load = τ − E s
            let left = column.dot(&articulated.loads()[at]) - (efforts[k] - inertias[k] * answers[k]);
            assert!(left.abs() < 1e-10 * (largest + inertias[k]), "{what}, {link}, column {k}: {left:e}");
        }
        let off = node.x - made;
        assert!(off.dot(&off).sqrt() < 1e-10 * largest, "{what}, {link}: joint rates");
    }
    let left = articulated.balance(|at, x| {
        let block = articulated.at(at).0.0 as usize;
        (case.masses[block].mul(x), case.forces[block])
    });
    assert!(left < 1e-11, "{what}: balance {left:e}");
}

/// The equations have one solution, so it is enough that every block is in balance, that the link holds, and that
/// the load along the freedoms is the effort.
#[test]
fn efforts_and_joint_inertias_satisfy_the_equations() {
    for seed in 0..600 {
        let case = case(seed, 1 + (seed % 11) as usize, |rng| match rng.below(6) {
            k @ 0..=3 => Form::Freedoms(k as u8),
            _ => Form::Freedoms(1),
        });
        let mut rng = Rng(seed ^ 0xabcdef);
        let inputs: Vec<[[f64; 3]; 2]> = (0..case.shifts.len())
            .map(|_| {
                let stiff = if rng.below(2) == 0 { 0.0 } else { 100.0 };
                [
                    [rng.next(), rng.next(), rng.next()],
                    [rng.next(), rng.next(), rng.next()].map(|x| stiff * x * x),
                ]
            })
            .collect();
        let mut articulated: ArticulatedForest =
            ArticulatedForest::new(&case.graph, &Forest::grow(&case.graph), &case.forms).unwrap();
        let places = places(&articulated);
        if seed % 2 == 0 {
            (0..articulated.len()).for_each(|at| articulated.use_leaf_kernel(at));
            let hinges = (0..articulated.len()).filter(|&at| articulated.nodes[at].form == Form::Freedoms(1));
            for at in hinges.collect::<Vec<_>>() {
                articulated.use_one_dof_kernel(at);
            }
        }
        let joint = |at: usize, node: &mut Node, extra: &mut NodeExtra| {
            let Some(link) = places[at].1 else { return };
            let [[first, rest @ ..], [inertia, inertias @ ..]] = inputs[link.0 as usize];
            (node.effort, extra.efforts) = (first, rest);
            (node.joint_inertia, extra.joint_inertias) = (inertia, inertias);
        };
        let mut filler = FillWith(|at: usize, node: &mut Node, extra: &mut NodeExtra| {
            fill(&case, places[at], node, extra);
            joint(at, node, extra);
        });
        articulated.factor_and_solve(&mut filler).unwrap();
        check_efforts(&case, &articulated, &inputs, &format!("seed {seed}, factor and solve"));
        articulated.solve(|at, node, extra| {
            right_side(&case, places[at], node, extra);
            joint(at, node, extra);
        });
        check_efforts(&case, &articulated, &inputs, &format!("seed {seed}, solve"));
    }
}

#[test]
fn twice_the_blocks_cost_twice_the_operations() {
    let operations = |n: usize| {
        let mut graph = Graph::new();
        let mut last = None;
        for _ in 0..n {
            let block = graph.add_block(6);
            graph.add_link(5, &[last, Some(block)]);
            last = Some(block);
        }
        let forest = Forest::grow(&graph);
        let forms = vec![Some(Form::Freedoms(1)); n];
        let mut articulated: ArticulatedForest<Counted> =
            ArticulatedForest::new(&graph, &forest, &forms).unwrap();
        Counted::reset();
        let (zero, one) = (Counted(0.0), Counted(1.0));
        let filled =
            articulated.factor_and_solve(&mut FillWith(|_: usize, node: &mut Node<Counted>, _: &mut _| {
                node.diag = Sym6::of_mass(one, crate::math::Sym3::diagonal(one, one, one));
                node.first = Six::new(Vec3::new(zero, one, zero), Vec3::new(zero, zero, one));
                node.shift = Vec3::new(one, zero, zero);
            }));
        filled.unwrap();
        Counted::operations().total()
    };
    let (small, large) = (operations(50), operations(100));
    // The block at the ground has no parent to add to: a constant.
    let per_block = (large - small) / 50;
    assert_eq!(large - small, 50 * per_block);
    assert!(per_block < 620, "{per_block} operations per hinge");
}

#[test]
fn columns_that_depend_on_each_other_are_named() {
    let mut case = case(7, 3, |_| Form::Freedoms(2));
    for columns in &mut case.columns {
        columns[1] = columns[0];
    }
    let forest = Forest::grow(&case.graph);
    let mut articulated: ArticulatedForest =
        ArticulatedForest::new(&case.graph, &forest, &case.forms).unwrap();
    let places = places(&articulated);
    let error = articulated
        .factor_and_solve(&mut FillWith(|at: usize, node: &mut _, extra: &mut _| {
            fill(&case, places[at], node, extra)
        }))
        .unwrap_err();
    assert!(matches!(error, FactorError::Vanished { .. }), "{error}");
}

impl<T: Lane> ArticulatedForest<T> {
    /// Worst |M x − F − load + Σ Xᵀ load of the children − Lᵀ λ| over all blocks, forces and moments each
    /// relative to the largest terms. `given` returns M x and F of a node as they were given.
    pub(super) fn balance(&self, given: impl Fn(usize, &Six<T>) -> (Six<T>, Six<T>)) -> f64 {
        let size = |v: &Vec3<T>| v.x.magnitude() + v.y.magnitude() + v.z.magnitude();
        let mut sums = vec![(Six::ZERO, 0.0, 0.0); self.len()];
        for closure in &self.closures.all {
            for (place, rows) in closure.each_end() {
                for (row, &answer) in rows.iter().zip(&closure.answers).take(closure.len()) {
                    let (push, sum) = (row.scaled(answer), &mut sums[place]);
                    *sum = (sum.0 - push, sum.1 + size(&push.lin), sum.2 + size(&push.ang));
                }
            }
        }
        let mut worst: f64 = 0.0;
        for (at, node) in self.nodes.iter().enumerate() {
            let ((inertial, given), load) = (given(at, &node.x), self.loads[at]);
            let (handed, mut forces, mut moments) = sums[at];
            let left = inertial - given - load + handed;
            for term in [&inertial, &given, &load] {
                forces += size(&term.lin);
                moments += size(&term.ang);
            }
            for (left, size) in [(size(&left.lin), forces), (size(&left.ang), moments)] {
                worst = worst.max(if left == 0.0 { 0.0 } else { left / size });
            }
            if node.parent != NONE {
                let felt = load.carried_back(node.shift);
                let sum = &mut sums[node.parent as usize];
                *sum = (sum.0 + felt, sum.1 + size(&felt.lin), sum.2 + size(&felt.ang));
            }
        }
        worst
    }
}
