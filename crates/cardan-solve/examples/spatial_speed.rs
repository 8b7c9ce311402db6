//! Times the elimination of a chain of hinges alone: `cargo run --release -p cardan-solve --example spatial_speed`.
use cardan_solve::math::{Six, Sym3, Sym6, Vec3};
use cardan_solve::spatial::{FillWith, Form, Limb, Spatial};
use cardan_solve::{Forest, Graph};
use std::time::Instant;

fn main() {
    let sizes: Vec<usize> = match std::env::args().nth(1) {
        Some(n) => vec![n.parse().unwrap_or(1000)],
        None => vec![10, 100, 1000, 10_000, 100_000],
    };
    let samples = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(2000);
    for n in sizes {
        let mut graph = Graph::new();
        let mut last = None;
        for _ in 0..n {
            let block = graph.add_block(6);
            graph.add_link(5, &[last, Some(block)]);
            last = Some(block);
        }
        let forest = Forest::grow(&graph);
        let mut spatial: Spatial = Spatial::new(&graph, &forest, &vec![Some(Form::Freedoms(1)); n]).unwrap();
        let rounds = (3_000 / n).max(1);
        let mut best = f64::INFINITY;
        for _ in 0..samples {
            let clock = Instant::now();
            for _ in 0..rounds {
                spatial
                    .factor_and_solve(&mut FillWith(|_: usize, limb: &mut Limb, _: &mut _| {
                        limb.diag = Sym6::of_mass(1.0, Sym3::diagonal(0.1, 0.2, 0.15));
                        limb.force = Six::new(Vec3::new(0.0, 0.0, -9.81), Vec3::ZERO);
                        limb.first = Six::new(Vec3::new(0.0, 0.5, 0.0), Vec3::Z);
                        limb.shift = Vec3::new(1.0, 0.0, 0.0);
                        limb.gamma = Six::ZERO;
                    }))
                    .unwrap();
            }
            let ns = clock.elapsed().as_secs_f64() * 1e9 / (rounds * n) as f64;
            best = if ns < best { ns } else { best };
        }
        println!("{n}: {best:.1} ns per block");
    }
}
