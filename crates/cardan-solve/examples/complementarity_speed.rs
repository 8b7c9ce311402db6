//! Times of the complementarity solvers: by number of rows, and for walls of bricks.
//!
//! `cargo run --release -p cardan-solve --example complementarity_speed`

use std::time::{Duration, Instant};

use cardan_solve::complementarity::{
    ActiveSet, ConeSolver, ConstraintKind, ContactMethod, ContactProblem, Group, Lemke, ManyContacts, Problem,
};

/// SplitMix64, in [−1, 1).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// J Jᵀ and J v, with three unknowns per four rows.
fn dense(random: &mut Random, k: usize) -> (Vec<f64>, Vec<f64>) {
    let n = (3 * k).div_ceil(4);
    let jac: Vec<f64> = (0..k * n).map(|_| random.unit()).collect();
    let v: Vec<f64> = (0..n).map(|_| random.unit()).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let matrix = (0..k * k).map(|e| dot(&jac[e / k * n..][..n], &jac[e % k * n..][..n])).collect();
    let bias = (0..k).map(|i| dot(&jac[i * n..][..n], &v)).collect();
    (matrix, bias)
}

fn least(mut run: impl FnMut()) -> f64 {
    let mut least = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        run();
        least = least.min(start.elapsed());
    }
    least.as_secs_f64() * 1e6
}

/// Bricks 2 × 1 × 1, every other layer shifted by half of one, after a free step of 10 ms.
fn wall(wide: usize, high: usize, mu: f64, h: f64, noise: f64) -> ContactProblem {
    let mut random = Random(7);
    let mut problem = ContactProblem::new();
    let mut centres = Vec::new();
    for layer in 0..high {
        for column in 0..wide {
            centres.push([2.0 * column as f64 + (layer % 2) as f64, 0.0, layer as f64 + 0.5]);
            let mut inverse = [0.0; 36];
            for (i, inertia) in [1.0, 1.0, 1.0, 1.0 / 6.0, 5.0 / 12.0, 5.0 / 12.0].into_iter().enumerate() {
                inverse[i * 7] = 1.0 / inertia;
            }
            let mut v: Vec<f64> = (0..6).map(|_| noise * random.unit()).collect();
            v[2] -= 9.81 * h;
            problem.add_block(&inverse, &v).expect("a brick");
        }
    }
    let rows = |centre: [f64; 3], at: [f64; 3], sign: f64| -> Vec<f64> {
        let [x, y, z] = [0, 1, 2].map(|i| at[i] - centre[i]);
        let rows = [[0.0, 0.0, 1.0, y, -x, 0.0], [1.0, 0.0, 0.0, 0.0, z, -y], [0.0, 1.0, 0.0, -z, 0.0, x]];
        rows.iter().flatten().map(|v| sign * v).collect()
    };
    for (k, &centre) in centres.iter().enumerate() {
        let mut constraint = |under: Option<usize>, x: [f64; 2]| {
            for at in [[x[0], -0.5], [x[1], -0.5], [x[1], 0.5], [x[0], 0.5]] {
                let at = [at[0], at[1], centre[2] - 0.5];
                let jac_below = under.map_or(Vec::new(), |u| rows(centres[u], at, -1.0));
                let jac = [&rows(centre, at, 1.0)[..], &jac_below];
                problem
                    .add_constraint(ConstraintKind::Cone { mu }, [Some(k), under], jac, &[0.0; 3])
                    .expect("a valid contact");
            }
        };
        if k < wide {
            constraint(None, [centre[0] - 1.0, centre[0] + 1.0]);
            continue;
        }
        for (u, under) in centres.iter().enumerate() {
            let shift = under[0] - centre[0];
            if under[2] + 1.0 == centre[2] && (-1.0..=1.0).contains(&shift) {
                constraint(
                    Some(u),
                    if shift < 0.0 { [centre[0] - 1.0, centre[0]] } else { [centre[0], centre[0] + 1.0] },
                );
            }
        }
    }
    problem
}

fn main() {
    let mut random = Random(1);
    println!("microseconds, least of 5; 20 problems each\n");
    println!(
        "{:>5} {:>12} {:>12} {:>12}   iterations, pivots, sweeps + Newton + interior",
        "rows", "active set", "Lemke", "cones"
    );
    for k in [3, 6, 12, 24, 36, 48, 60, 99] {
        let (mut exact, mut lemke, mut cones) = (ActiveSet::new(), Lemke::new(), ConeSolver::new());
        let (mut times, mut counts) = ([0.0; 3], [0usize; 5]);
        for _ in 0..20 {
            let (matrix, bias) = dense(&mut random, k);
            let single = vec![Group::OneSided; k];
            let cone = vec![Group::Cone { mu: 0.5 }; k / 3];
            let single = Problem::new(&single, &matrix, &bias);
            let cone = Problem::new(&cone, &matrix, &bias);
            times[0] += least(|| exact.solve(&single).expect("an answer"));
            times[1] += least(|| {
                let _ = lemke.solve(&single).expect("an answer");
            });
            let mut outcome = None;
            times[2] += least(|| outcome = cones.solve(&cone, None).ok());
            let outcome = outcome.expect("an answer");
            counts[0] += exact.iterations();
            counts[1] += lemke.pivots();
            counts[2] += outcome.sweeps;
            counts[3] += outcome.newton_steps;
            counts[4] += outcome.fixed_steps;
        }
        let [a, l, c] = times.map(|t| t / 20.0);
        let [i, p, s, n, f] = counts.map(|c| c as f64 / 20.0);
        println!("{k:>5} {a:>12.1} {l:>12.1} {c:>12.1}   {i:.1}, {p:.1}, {s:.0} + {n:.1} + {f:.1}");
    }
    println!(
        "\nwalls of bricks: least of 5, to 1e-6 and to 1e-10; warm: from the answer of a step that was 1 % gentler"
    );
    for (wide, high) in [(5, 6), (10, 10)] {
        for (mu, noise) in [(0.5, 0.0), (0.5, 0.01), (0.1, 0.01), (0.1, 0.3)] {
            let first = wall(wide, high, mu, 0.01, noise);
            let second = wall(wide, high, mu, 0.0101, 1.01 * noise);
            print!(
                "{} bricks, {} contacts, friction {mu}, noise {noise} m/s:",
                first.blocks(),
                first.constraints()
            );
            for (method, tolerance) in
                [(ContactMethod::Auto, 1e-6), (ContactMethod::Auto, 1e-10), (ContactMethod::Admm, 1e-6)]
            {
                let mut many = ManyContacts::new();
                (many.method, many.tolerance, many.newton_steps) = (method, tolerance, 300);
                let mut cold = None;
                let cold_time = least(|| cold = many.solve(&first, None).ok());
                let guess = many.lambda().to_vec();
                let mut warm = None;
                let warm_time = least(|| warm = many.solve(&second, Some(&guess)).ok());
                let (cold, warm) = (cold.expect("an answer"), warm.expect("an answer"));
                let mark = |converged: bool| if converged { "" } else { "!" };
                print!(
                    "  {method:?} {tolerance:.0e}: {:.2}{} / {:.2}{} ms",
                    cold_time / 1e3,
                    mark(cold.converged),
                    warm_time / 1e3,
                    mark(warm.converged)
                );
            }
            println!();
        }
    }
}
