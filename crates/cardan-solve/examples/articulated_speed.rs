//! Times the elimination alone, of chains and binary trees of hinges and of spherical links, and of a ring of
//! spherical links, with AVX2 kernels and with scalar ones: `cargo run --release -p cardan-solve --example
//! articulated_speed [BLOCKS [SAMPLES]]`.
use cardan_solve::articulated::f64x3::{Avx2, NodeInputSimd};
use cardan_solve::articulated::{ArticulatedForest, FillNodes, Form, Node, NodeExtra, NodeInput};
use cardan_solve::math::{Six, Sym3, Sym6, Vec3};
use cardan_solve::{Forest, Graph};
use std::time::Instant;

/// Returns inputs that were computed before.
struct Given(Vec<NodeInput>);

impl FillNodes<f64> for Given {
    fn fill_node(&mut self, at: usize, node: &mut Node, _: &mut NodeExtra) {
        let input = &self.0[at];
        node.diag = Sym6::of_mass(input.mass, input.inertia);
        (node.force, node.gamma, node.shift, node.first) =
            (input.force, input.gamma, input.shift, input.first);
    }
    #[inline(always)]
    fn input<const BALL: bool, const REVERSED: bool>(
        &mut self,
        at: usize,
        _: &mut Node,
        _: &mut NodeExtra,
    ) -> NodeInput {
        self.0[at]
    }
    #[inline(always)]
    fn input_simd<const BALL: bool>(&mut self, avx2: Avx2, at: usize) -> Option<NodeInputSimd> {
        Some(NodeInputSimd::of(avx2, &self.0[at]))
    }
}

fn time(n: usize, samples: usize, branches: usize, freedoms: u8, closes: bool) -> f64 {
    let mut graph = Graph::new();
    let mut blocks = Vec::new();
    for i in 0..n {
        let block = graph.add_block(6);
        let parent = if i == 0 { None } else { Some(blocks[(i - 1) / branches]) };
        graph.add_link(6 - freedoms as usize, &[parent, Some(block)]);
        blocks.push(block);
    }
    if closes {
        graph.add_link(3, &[None, blocks.last().copied()]);
    }
    let forest = Forest::grow(&graph);
    let Some(mut articulated) =
        ArticulatedForest::new(&graph, &forest, &vec![Some(Form::Freedoms(freedoms)); n + 1])
    else {
        return f64::NAN;
    };
    for at in 0..n {
        if freedoms == 1 {
            articulated.use_one_dof_kernel(at);
        } else {
            articulated.use_ball_kernel(at);
        }
    }
    for closure in articulated.closures_mut() {
        let places = closure.places();
        for (rows, _) in closure.rows.iter_mut().zip(places).filter(|(_, place)| place.is_some()) {
            for (row, lin) in rows.iter_mut().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
                *row = Six::new(lin, Vec3::new(0.3, -0.2, 0.5).cross(lin));
            }
        }
        closure.bias = [0.1; 6];
    }
    let input = |at: usize| NodeInput {
        mass: 1.0 + (at % 7) as f64 * 0.1,
        inertia: Sym3::diagonal(0.1, 0.2, 0.15),
        force: Six::new(Vec3::new(0.1, 0.0, -9.81), Vec3::new(0.01, 0.02, 0.03)),
        gamma: Six::new(Vec3::new(0.3, 0.1, -0.2), Vec3::ZERO),
        shift: Vec3::new(0.3, -0.8, 0.2),
        first: Six::new(Vec3::new(-0.2, 0.5, 0.1), Vec3::new(0.6, 0.0, 0.8)),
        ..NodeInput::default()
    };
    let mut given = Given((0..n).map(input).collect());
    let rounds = (3_000 / n).max(1);
    let mut best = f64::INFINITY;
    for _ in 0..samples {
        let clock = Instant::now();
        for _ in 0..rounds {
            if articulated.factor_and_solve(&mut given).is_err() {
                return f64::NAN;
            }
        }
        let ns = clock.elapsed().as_secs_f64() * 1e9 / (rounds * n) as f64;
        best = if ns < best { ns } else { best };
    }
    best
}

fn main() {
    let sizes: Vec<usize> = match std::env::args().nth(1) {
        Some(n) => vec![n.parse().unwrap_or(1000)],
        None => vec![10, 100, 1000, 10_000],
    };
    let samples = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(1000);
    println!("ns per block, wide (scalar)");
    for n in sizes {
        let mut line = format!("{n}:");
        for (name, branches, freedoms, closes) in [
            ("chain", 1, 1, false),
            ("tree", 2, 1, false),
            ("chain of balls", 1, 3, false),
            ("tree of balls", 2, 3, false),
            ("ring of balls", 1, 3, true),
        ] {
            Avx2::disable(false);
            let avx2 = time(n, samples, branches, freedoms, closes);
            Avx2::disable(true);
            let scalar = time(n, samples, branches, freedoms, closes);
            line += &format!("  {name} {avx2:.1} ({scalar:.1})");
        }
        println!("{line}");
    }
}
