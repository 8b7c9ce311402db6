//! AVX2 kernels against scalar kernels: the same bits. Spherical links against their three columns.

use super::Avx2;
use crate::articulated::random::Rng;
use crate::articulated::{ALL_LOADS, ArticulatedForest, FillWith, Form, MAX_COLUMNS, Node, NodeExtra};
use crate::graph::{Block, Graph, Link};
use crate::math::{Six, Sym3, Sym6, Vec3};
use crate::{FactorError, Forest};

/// Random forests of a test; Miri takes seconds for each.
const SEEDS: u64 = if cfg!(miri) { 12 } else { 3000 };

/// Input of a node; for a spherical link its columns and its arm.
struct Input {
    mass: Sym6,
    force: Six,
    gamma: Six,
    shift: Vec3,
    columns: [Six; MAX_COLUMNS],
    bias: [f64; MAX_COLUMNS],
    arm: Option<Vec3>,
}

/// A random forest with hinges, spherical links and links of every other form, floating roots and roots on
/// the ground; its inputs, by block. Every other forest has loop closures, most of them with three rows.
fn forest(seed: u64) -> (Graph, Vec<Option<Form>>, Vec<Input>) {
    let mut rng = Rng(seed.wrapping_mul(0x9e3779b97f4a7c15) ^ 0x1234);
    let n = 1 + rng.below(14);
    let mut graph = Graph::new();
    let blocks: Vec<Block> = (0..n).map(|_| graph.add_block(6)).collect();
    let (mut forms, mut inputs) = (Vec::new(), Vec::new());
    for i in 0..n {
        let parent = (i > 0 && rng.below(8) > 0).then(|| blocks[rng.below(i)]);
        let form = match rng.below(8) {
            0 => Form::Freedoms(0),
            1 => Form::Freedoms(2),
            2 => Form::Rows(1 + rng.below(3) as u8),
            3 | 4 => Form::Freedoms(3),
            _ => Form::Freedoms(1),
        };
        let is_ball = form == Form::Freedoms(3) && rng.below(4) > 0;
        if parent.is_some() || rng.below(3) > 0 {
            let rows = match form {
                Form::Freedoms(f) => 6 - f as usize,
                Form::Rows(m) => m as usize,
            };
            graph.add_link(rows, &[parent, Some(blocks[i])]);
            forms.push(Some(form));
        }
        let mut inertia = Sym3::diagonal(0.05, 0.04, 0.06);
        for _ in 0..2 {
            inertia = inertia + Sym3::of_point(rng.vec3()).scaled(0.3);
        }
        let arm = rng.vec3();
        let about = |e: Vec3| Six::new(arm.cross(e), e);
        inputs.push(Input {
            mass: Sym6::of_mass(1.1 + rng.next(), inertia),
            force: rng.six(),
            gamma: rng.six(),
            shift: rng.vec3(),
            columns: match is_ball {
                true => [about(Vec3::X), about(Vec3::Y), about(Vec3::Z)],
                false => [rng.six(), rng.six(), rng.six()],
            },
            bias: [rng.next(), rng.next(), rng.next()],
            arm: is_ball.then_some(arm),
        });
    }
    if seed % 2 == 1 {
        for _ in 0..1 + rng.below(2) {
            let (a, b) = (rng.below(n + 1), rng.below(n));
            if a != b {
                let rows = if rng.below(4) > 0 { 3 } else { 1 + rng.below(5) };
                graph.add_link(rows, &[blocks.get(a).copied(), Some(blocks[b])]);
                forms.push(None);
            }
        }
    }
    (graph, forms, inputs)
}

/// Random rows and biases of the loop closures.
fn close(seed: u64, articulated: &mut ArticulatedForest) {
    let mut rng = Rng(seed ^ 0x5eed);
    for closure in articulated.closures_mut() {
        let places = closure.places();
        for r in 0..closure.len() {
            for (end, place) in places.iter().enumerate() {
                closure.rows[end][r] = if place.is_some() { rng.six() } else { Six::ZERO };
            }
            closure.bias[r] = rng.next();
        }
    }
}

fn right(input: &Input, node: &mut Node, extra: &mut NodeExtra) {
    (node.force, node.gamma, extra.bias) = (input.force, input.gamma, input.bias);
}

fn write(input: &Input, node: &mut Node, extra: &mut NodeExtra) {
    (node.diag, node.shift) = (input.mass, input.shift);
    (node.first, extra.columns) = (input.columns[0], [input.columns[1], input.columns[2]]);
    if let (true, Some(arm)) = (node.is_ball(), input.arm) {
        node.first = Six::new(arm, Vec3::ZERO);
    }
    right(input, node, extra);
}

/// All solutions: of an elimination with its right-hand side, of a solve with its factor, and of two
/// right-hand sides.
fn answers(seed: u64, short: bool) -> Result<Vec<f64>, FactorError> {
    let (graph, forms, inputs) = forest(seed);
    let Some(mut articulated) = ArticulatedForest::new(&graph, &Forest::grow(&graph), &forms) else {
        // The spanning forest contains a link that was meant as a loop closure.
        return Ok(Vec::new());
    };
    close(seed, &mut articulated);
    let input: Vec<&Input> =
        (0..articulated.len()).map(|at| &inputs[articulated.at(at).0.0 as usize]).collect();
    for at in 0..articulated.len() {
        if short {
            articulated.use_leaf_kernel(at);
            articulated.use_one_dof_kernel(at);
        }
        if short && input[at].arm.is_some() {
            articulated.use_ball_kernel(at);
        }
    }
    let mut out = Vec::new();
    let mut note = |x: &Six| out.extend([x.lin.x, x.lin.y, x.lin.z, x.ang.x, x.ang.y, x.ang.z]);
    articulated.factor_and_solve(&mut FillWith(|at: usize, node: &mut Node, extra: &mut NodeExtra| {
        write(input[at], node, extra);
    }))?;
    for (node, load) in articulated.nodes().iter().zip(articulated.loads()) {
        note(&node.x);
        note(load);
    }
    articulated.solve_to::<ALL_LOADS>(
        |at, node, extra| {
            right(input[at], node, extra);
            node.force = node.force.scaled(0.7);
        },
        |_: usize, x: &Six| note(x),
    );
    for load in articulated.loads() {
        note(load);
    }
    articulated.solve_two_rhs(
        0.3,
        &mut (
            |at: usize, node: &mut Node, extra: &mut NodeExtra| right(input[at], node, extra),
            |_: usize, x: &Six, second: &Six| {
                note(x);
                note(second);
            },
        ),
    );
    articulated.solve_closures(|_: usize, x: &Six| note(x));
    for closure in articulated.closures() {
        out.extend(closure.answers);
    }
    Ok(out)
}

#[test]
fn avx2_kernels_give_the_bits_of_scalar_kernels() {
    for seed in 0..SEEDS {
        Avx2::disable(true);
        let scalar = answers(seed, true);
        Avx2::disable(false);
        let avx2 = answers(seed, true);
        match (scalar, avx2) {
            (Ok(scalar), Ok(avx2)) => {
                let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&scalar), bits(&avx2), "seed {seed}");
            }
            (Err(scalar), Err(avx2)) => assert_eq!(scalar.to_string(), avx2.to_string(), "seed {seed}"),
            (scalar, avx2) => panic!("seed {seed}: {scalar:?} against {avx2:?}"),
        }
    }
}

#[test]
fn special_kernels_agree_with_the_general_one() {
    let mut compared: u64 = 0;
    for seed in 0..SEEDS {
        let (Ok(short), Ok(long)) = (answers(seed, true), answers(seed, false)) else { continue };
        let largest = long.iter().fold(1.0, |most: f64, x| if x.abs() > most { x.abs() } else { most });
        // Random columns may be nearly dependent: then both kernels lose digits to the square of their
        // condition number.
        if largest > 1e3 {
            continue;
        }
        compared += 1;
        for (k, (a, b)) in short.iter().zip(&long).enumerate() {
            assert!((a - b).abs() < 1e-9 * largest, "seed {seed}, number {k}: {a} against {b}");
        }
    }
    assert!(compared > SEEDS / 3, "{compared}");
}

#[test]
fn a_pivot_that_is_not_positive_is_found_by_both_kernels() {
    let mut graph = Graph::new();
    let (a, b) = (graph.add_block(6), graph.add_block(6));
    graph.add_link(5, &[None, Some(a)]);
    graph.add_link(3, &[Some(a), Some(b)]);
    let forms = [Some(Form::Freedoms(1)), Some(Form::Freedoms(3))];
    for (scalar, failed) in [(true, 0), (false, 0), (true, 1), (false, 1)] {
        Avx2::disable(scalar);
        let mut articulated: ArticulatedForest =
            ArticulatedForest::new(&graph, &Forest::grow(&graph), &forms).expect("a tree");
        for at in 0..2 {
            articulated.use_one_dof_kernel(at);
            articulated.use_ball_kernel(at);
        }
        let blocks = [articulated.at(0).0, articulated.at(1).0];
        let error = articulated
            .factor_and_solve(&mut FillWith(|at: usize, node: &mut Node, _: &mut NodeExtra| {
                let i = if blocks[at].0 == failed { -1.0 } else { 1.0 };
                node.diag =
                    Sym6::of_mass(if blocks[at].0 == failed { 0.0 } else { 1.0 }, Sym3::diagonal(i, i, i));
                node.first = Six::new(Vec3::ZERO, Vec3::Z);
            }))
            .expect_err("a mass that is none");
        assert!(
            matches!(error, FactorError::Vanished { link: Link(l), .. } if l == failed),
            "{scalar} {error}"
        );
    }
    Avx2::disable(false);
}
