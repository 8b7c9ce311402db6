//! Times the elimination alone, of chains and binary trees of hinges and of balls, and of a ring of balls, with wide registers and without:
//! `cargo run --release -p cardan-solve --example spatial_speed [BLOCKS [SAMPLES]]`.
use cardan_solve::math::{Six, Sym3, Sym6, Vec3};
use cardan_solve::spatial::wide::{Quads, Wide};
use cardan_solve::spatial::{Fill, Form, Limb, More, Plain, Spatial};
use cardan_solve::{Forest, Graph};
use std::time::Instant;

/// What goes in was found before.
struct Given(Vec<Plain>);

impl Fill<f64> for Given {
    fn any(&mut self, at: usize, limb: &mut Limb, _: &mut More) {
        let plain = &self.0[at];
        limb.diag = Sym6::of_mass(plain.mass, plain.inertia);
        (limb.force, limb.gamma, limb.shift, limb.first) =
            (plain.force, plain.gamma, plain.shift, plain.first);
    }
    #[inline(always)]
    fn plain<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        _: &mut Limb,
        _: &mut More,
    ) -> Plain {
        self.0[at]
    }
    #[inline(always)]
    fn quads<const BALL: bool>(&mut self, wide: Wide, at: usize) -> Option<Quads> {
        Some(Quads::of(wide, &self.0[at]))
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
    let Some(mut spatial) = Spatial::new(&graph, &forest, &vec![Some(Form::Freedoms(freedoms)); n + 1])
    else {
        return f64::NAN;
    };
    for at in 0..n {
        if freedoms == 1 {
            spatial.make_plain(at);
        } else {
            spatial.make_ball(at);
        }
    }
    for closure in spatial.closures_mut() {
        let places = closure.places();
        for (rows, _) in closure.rows.iter_mut().zip(places).filter(|(_, place)| place.is_some()) {
            for (row, lin) in rows.iter_mut().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
                *row = Six::new(lin, Vec3::new(0.3, -0.2, 0.5).cross(lin));
            }
        }
        closure.bias = [0.1; 6];
    }
    let plain = |at: usize| Plain {
        mass: 1.0 + (at % 7) as f64 * 0.1,
        inertia: Sym3::diagonal(0.1, 0.2, 0.15),
        force: Six::new(Vec3::new(0.1, 0.0, -9.81), Vec3::new(0.01, 0.02, 0.03)),
        gamma: Six::new(Vec3::new(0.3, 0.1, -0.2), Vec3::ZERO),
        shift: Vec3::new(0.3, -0.8, 0.2),
        first: Six::new(Vec3::new(-0.2, 0.5, 0.1), Vec3::new(0.6, 0.0, 0.8)),
    };
    let mut given = Given((0..n).map(plain).collect());
    let rounds = (3_000 / n).max(1);
    let mut best = f64::INFINITY;
    for _ in 0..samples {
        let clock = Instant::now();
        for _ in 0..rounds {
            if spatial.factor_and_solve(&mut given).is_err() {
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
            Wide::forbid(false);
            let wide = time(n, samples, branches, freedoms, closes);
            Wide::forbid(true);
            let scalar = time(n, samples, branches, freedoms, closes);
            line += &format!("  {name} {wide:.1} ({scalar:.1})");
        }
        println!("{line}");
    }
}
