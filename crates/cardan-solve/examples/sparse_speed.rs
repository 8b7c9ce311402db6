//! Time of one factorisation and one solve: mechanisms with loops, sparse against dense.
//!
//! The dense solver is left out above 200 rows: its time is cubic, a hundred four-bars take it minutes.
//!
//! `cargo run --release -p cardan-solve --example sparse_speed`

use std::sync::Arc;
use std::time::Instant;

use cardan_solve::{Block, Dense, Graph, Link, Solver, Sparse, System};

/// Rows of a hinge with its axis along z (in space: five rows), or of a pin (in the plane: two), anchor minus
/// position.
fn write(rows: &mut [f64], dim: usize, sign: f64, arm: [f64; 2]) {
    let put =
        |rows: &mut [f64], row: usize, column: usize, value: f64| rows[row * dim + column] = sign * value;
    let [x, y] = arm;
    if dim == 3 {
        for (row, column, value) in [(0, 0, 1.0), (0, 2, -y), (1, 1, 1.0), (1, 2, x)] {
            put(rows, row, column, value);
        }
        return;
    }
    for (row, column, value) in [
        (0, 0, 1.0),
        (0, 5, -y),
        (1, 1, 1.0),
        (1, 5, x),
        (2, 2, 1.0),
        (2, 3, y),
        (2, 4, -x),
        (3, 3, 1.0),
        (4, 4, 1.0),
    ] {
        put(rows, row, column, value);
    }
}

/// Bodies by their centres and pins by the bodies they connect (none is the ground).
fn mechanism(dim: usize, bodies: &[[f64; 2]], pins: &[([Option<usize>; 2], [f64; 2])]) -> System {
    let mut graph = Graph::new();
    for _ in bodies {
        graph.add_block(dim);
    }
    for (ends, _) in pins {
        graph.add_link(if dim == 3 { 2 } else { 5 }, &ends.map(|end| end.map(|i| Block(i as u32))));
    }
    let mut system: System = System::new(Arc::new(graph));
    for i in 0..bodies.len() {
        for j in 0..dim {
            system.mass_mut(Block(i as u32))[j * (j + 3) / 2] = if 2 * j < dim { 1.0 } else { 0.1 };
        }
        system.force_of_mut(Block(i as u32))[1] = -9.81;
    }
    for (k, (ends, anchor)) in pins.iter().enumerate() {
        for (end, body) in ends.iter().enumerate() {
            let Some(body) = *body else { continue };
            let arm = [anchor[0] - bodies[body][0], anchor[1] - bodies[body][1]];
            write(system.jac_mut(Link(k as u32), end), dim, if end == 0 { -1.0 } else { 1.0 }, arm);
        }
    }
    system
}

/// `n` four-bars in a row: crank, coupler and rocker each, every rocker the next one's ground link.
fn four_bars(n: usize, dim: usize) -> System {
    let (mut bodies, mut pins) = (Vec::new(), Vec::new());
    for k in 0..n {
        let (x, last) = (2.0 * k as f64, 3 * k);
        bodies.extend([[x + 0.1, 0.4], [x + 0.9, 0.9], [x + 1.7, 0.45]]);
        let before = k.checked_sub(1).map(|_| last - 1);
        pins.push(([before, Some(last)], [x, 0.0]));
        pins.push(([Some(last), Some(last + 1)], [x + 0.2, 0.8]));
        pins.push(([Some(last + 1), Some(last + 2)], [x + 1.6, 1.0]));
        pins.push(([Some(last + 2), before], [x + 1.8, -0.1]));
    }
    mechanism(dim, &bodies, &pins)
}

/// Seven bodies in the plane and ten pins, three loops: the shape of Andrews' squeezing mechanism.
fn seven_bodies() -> System {
    let bodies = [[0.1, 0.0], [0.5, 0.4], [1.0, 0.9], [1.5, 0.3], [1.9, 0.8], [1.2, -0.5], [1.8, -0.6]];
    let pins = [
        ([None, Some(0)], [0.0, 0.0]),
        ([Some(0), Some(1)], [0.2, 0.1]),
        ([Some(1), Some(2)], [0.8, 0.7]),
        ([Some(2), None], [1.3, 1.2]),
        ([Some(1), Some(3)], [0.8, 0.7]),
        ([Some(3), Some(4)], [1.8, 0.5]),
        ([Some(4), None], [2.1, 1.0]),
        ([Some(1), Some(5)], [0.8, 0.7]),
        ([Some(5), Some(6)], [1.5, -0.9]),
        ([Some(6), None], [2.1, 1.0]),
    ];
    mechanism(3, &bodies, &pins)
}

fn measure(system: &System, mut solver: Solver) -> (f64, f64) {
    let graph = system.graph();
    let (mut x, mut lambda) = (vec![0.0; graph.unknowns()], vec![0.0; graph.rows()]);
    let mut best = (f64::INFINITY, f64::INFINITY);
    let rounds = 2_000_000 / (graph.unknowns() + graph.rows()).pow(2).max(200) + 5;
    for _ in 0..rounds {
        let start = Instant::now();
        solver.factor(system).expect("sound numbers");
        let factored = start.elapsed().as_secs_f64() * 1e6;
        let start = Instant::now();
        solver.solve(system.force(), system.bias(), &mut x, &mut lambda);
        let solved = start.elapsed().as_secs_f64() * 1e6;
        best = (
            if factored < best.0 { factored } else { best.0 },
            if solved < best.1 { solved } else { best.1 },
        );
    }
    best
}

fn main() {
    println!(
        "{:<28} {:>6} {:>5} {:>12} {:>12} {:>12} {:>12}",
        "", "rows", "rank", "sparse µs", "+ solve", "dense µs", "+ solve"
    );
    for (name, system) in [
        ("four-bar in space", four_bars(1, 6)),
        ("four-bar in the plane", four_bars(1, 3)),
        ("seven bodies in the plane", seven_bodies()),
        ("ten four-bars in space", four_bars(10, 6)),
        ("a hundred four-bars in space", four_bars(100, 6)),
        ("a thousand in space", four_bars(1000, 6)),
    ] {
        let graph = system.graph();
        let sparse = measure(&system, Solver::Sparse(Sparse::new(graph)));
        let dense = if graph.rows() <= 200 {
            measure(&system, Solver::Dense(Dense::new(graph)))
        } else {
            (f64::NAN, f64::NAN)
        };
        let mut rank = Sparse::new(graph);
        rank.factor(&system).expect("sound numbers");
        println!(
            "{name:<28} {:>6} {:>5} {:>12.1} {:>12.1} {:>12.1} {:>12.1}",
            graph.rows(),
            rank.rank(),
            sparse.0,
            sparse.1,
            dense.0,
            dense.1
        );
    }
}
