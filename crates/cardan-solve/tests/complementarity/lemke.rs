//! Lemke's method: matrices of any kind, rays where there is no solution.

use super::random::{self, SINGLE, Shape};
use super::{Group, Owned};
use crate::common::Random;
use cardan_solve::complementarity::{ActiveSet, Lemke, LemkeOutcome, Problem};

#[test]
fn symmetric_problems_agree_with_the_active_set() {
    let mut random = Random::new(11);
    let (mut lemke, mut exact) = (Lemke::new(), ActiveSet::new());
    let mut worst: f64 = 0.0;
    for case in 0..2000 {
        let shape = Shape {
            rows: 1 + random.below(30),
            redundant: [0, 30][random.below(2)],
            degenerate: [0, 30][random.below(2)],
            held: 0,
            ..SINGLE
        };
        let problem = random::problem(&mut random, shape);
        exact.solve(&problem.view()).unwrap();
        let path = lemke.solve(&problem.view()).unwrap();
        assert_eq!(path, LemkeOutcome::Solved, "case {case} {shape:?}");
        worst = worst.max(lemke.residual());
        assert!(lemke.residual() < 1e-8, "case {case}: {} {shape:?}", lemke.residual());
        for row in 0..problem.bias.len() {
            let most = exact.sizes().iter().copied().fold(0.0, f64::max);
            let off = (lemke.a()[row] - exact.a()[row]).abs() / exact.sizes()[row].max(1e-5 * most).max(1e-6);
            assert!(off < 1e-7, "case {case}, row {row}: {off}");
        }
    }
    println!("worst {worst:.1e}");
}

/// Positive principal minors, not symmetric: exactly one solution.
fn unsymmetric(random: &mut Random, k: usize) -> Owned {
    let root: Vec<f64> = (0..k * k).map(|_| random.unit()).collect();
    let skew: Vec<f64> = (0..k * k).map(|_| 3.0 * random.unit()).collect();
    let matrix = (0..k * k)
        .map(|e| {
            let (i, j) = (e / k, e % k);
            let sum: f64 = (0..k).map(|c| root[i * k + c] * root[j * k + c]).sum();
            sum + skew[i * k + j] - skew[j * k + i] + if i == j { 0.1 } else { 0.0 }
        })
        .collect();
    let bias: Vec<f64> = (0..k).map(|_| if random.chance(20) { 0.0 } else { random.unit() }).collect();
    let formed = bias.iter().map(|b: &f64| b.abs()).collect();
    Owned { groups: vec![Group::OneSided; k], matrix, bias, matrix_formed: vec![1.0; k], bias_formed: formed }
}

#[test]
fn one_answer_is_found_where_minors_are_positive() {
    let mut random = Random::new(12);
    let mut lemke = Lemke::new();
    for case in 0..1000 {
        let k = 1 + random.below(30);
        let mut problem = unsymmetric(&mut random, k);
        for group in &mut problem.groups {
            *group = match random.below(6) {
                0 => Group::Held,
                1 => Group::Bounded { lo: -0.1, hi: 0.2 },
                2 => Group::Bounded { lo: f64::NEG_INFINITY, hi: 0.1 },
                _ => Group::OneSided,
            };
        }
        assert_eq!(lemke.solve(&problem.view()).unwrap(), LemkeOutcome::Solved, "case {case}");
        let off = problem.violation(lemke.lambda());
        assert!(off < 1e-9 && lemke.residual() < 1e-9, "case {case}: {off:e} {:e}", lemke.residual());
        assert!(lemke.pivots() <= 10 * k + 10, "case {case}: {} pivots, {k} rows", lemke.pivots());
    }
}

#[test]
fn a_paradox_ends_in_a_ray() {
    // A negative entry without a solution: w = −z − 1. And one with two solutions, z = 0 and z = 1.
    let mut lemke = Lemke::new();
    let one = [Group::OneSided];
    assert_eq!(lemke.solve(&Problem::new(&one, &[-1.0], &[-1.0])).unwrap(), LemkeOutcome::Ray);
    assert_eq!(lemke.lambda(), [0.0]);
    assert_eq!(lemke.solve(&Problem::new(&one, &[-1.0], &[1.0])).unwrap(), LemkeOutcome::Solved);
    // Painlevé's rod, 2 m long, mass 1, sliding at an angle θ with friction μ: A = (1 + 3 c² − 3 μ s c) / m,
    // s = sin θ, c = cos θ. With μ = 1.8 and s = 0.8 it is negative; then no force keeps a penetrating rod
    // from sinking in.
    let (s, c, mu) = (0.8, 0.6, 1.8);
    let a = 1.0 + 3.0 * c * c - 3.0 * mu * s * c;
    assert!(a < 0.0);
    assert_eq!(lemke.solve(&Problem::new(&one, &[a], &[-9.81])).unwrap(), LemkeOutcome::Ray);
    assert!(lemke.residual().is_infinite());
    // Opposed walls that both approach.
    let walls = [1.0, -1.0, -1.0, 1.0];
    assert_eq!(
        lemke.solve(&Problem::new(&[Group::OneSided; 2], &walls, &[-1.0; 2])).unwrap(),
        LemkeOutcome::Ray
    );
}

#[test]
fn ties_do_not_cycle() {
    // All constants equal, all columns equal but for one entry: ties at every pivot.
    let k = 12;
    let matrix: Vec<f64> = (0..k * k).map(|e| if e / k == e % k { 2.0 } else { 1.0 }).collect();
    let mut lemke = Lemke::new();
    let groups = vec![Group::OneSided; k];
    assert_eq!(lemke.solve(&Problem::new(&groups, &matrix, &vec![-1.0; k])).unwrap(), LemkeOutcome::Solved);
    for lambda in lemke.lambda() {
        assert!((lambda - 1.0 / (k + 1) as f64).abs() < 1e-14);
    }
    // Murty's example, which takes 2ⁿ pivots at worst, and ends all the same.
    let k = 8;
    let matrix: Vec<f64> = (0..k * k)
        .map(|e| match (e / k).cmp(&(e % k)) {
            std::cmp::Ordering::Less => 2.0,
            std::cmp::Ordering::Equal => 1.0,
            std::cmp::Ordering::Greater => 0.0,
        })
        .collect();
    let groups = vec![Group::OneSided; k];
    assert_eq!(lemke.solve(&Problem::new(&groups, &matrix, &vec![-1.0; k])).unwrap(), LemkeOutcome::Solved);
    assert!(lemke.residual() < 1e-14, "{}", lemke.residual());
}
