//! Cones: bricks, boxes and wedges with known solutions; thousands of random problems checked by their
//! conditions.

use super::random::{self, SINGLE, Shape};
use super::{Group, Owned};
use crate::common::Random;
use cardan_solve::complementarity::{ActiveSet, ConeSolver, GroupState, Problem};

/// Problems of all kinds, half of them with masses over six decades.
fn shape(random: &mut Random) -> Shape {
    let mixed = random.below(2);
    Shape {
        rows: 1 + random.below(60),
        decades: 6.0 * random.below(2) as f64,
        redundant: [0, 0, 30, 60][random.below(4)],
        degenerate: [0, 0, 30, 100][random.below(4)],
        held: 5 + 5 * mixed,
        bounded: 10 * mixed,
        cones: 50,
        wedges: 15,
        scaled: 10 * mixed,
    }
}

#[test]
fn random_cones_meet_all_conditions() {
    let mut random = Random::new(21);
    let mut solver = ConeSolver::new();
    let (mut worst, mut off_most): (f64, f64) = (0.0, 0.0);
    for case in 0..2500 {
        let shape = shape(&mut random);
        let problem = random::problem(&mut random, shape);
        let outcome = solver.solve(&problem.view(), None).unwrap();
        assert!(outcome.converged, "case {case}: {outcome:?} {shape:?}");
        let off = problem.violation(solver.lambda());
        assert!(off < 1e-9, "case {case}: {off:e} {outcome:?} {shape:?}");
        worst = worst.max(outcome.residual);
        off_most = off_most.max(off);
    }
    println!("residual {worst:.1e}, conditions {off_most:.1e}");
}

#[test]
fn single_rows_agree_with_the_active_set() {
    let mut random = Random::new(22);
    let (mut cones, mut exact) = (ConeSolver::new(), ActiveSet::new());
    for case in 0..500 {
        let shape = Shape { rows: 1 + random.below(40), redundant: [0, 40][random.below(2)], ..SINGLE };
        let problem = random::problem(&mut random, shape);
        exact.solve(&problem.view()).unwrap();
        let outcome = cones.solve(&problem.view(), None).unwrap();
        assert!(outcome.converged, "case {case} {outcome:?}");
        for row in 0..problem.bias.len() {
            let off = (cones.a()[row] - exact.a()[row]).abs() / exact.sizes()[row];
            assert!(off < 1e-7, "case {case}, row {row}: {off}");
        }
    }
}

/// All solutions of a problem of wedges, by trying open, stick and slip in either direction for each.
fn by_trying(problem: &Owned) -> Vec<Vec<f64>> {
    let k = problem.bias.len();
    let count = problem.groups.len();
    let mut found: Vec<Vec<f64>> = Vec::new();
    for code in 0..4usize.pow(count as u32) {
        // Unknowns per wedge: none, (n, t), or n with t = ±μ n.
        let mut matrix = nalgebra::DMatrix::identity(k, k);
        let mut right = nalgebra::DVector::zeros(k);
        let mut rest = code;
        for (wedge, group) in problem.groups.iter().enumerate() {
            let Group::Wedge { mu } = *group else { unreachable!() };
            let (n, t) = (2 * wedge, 2 * wedge + 1);
            let state = rest % 4;
            rest /= 4;
            if state == 0 {
                continue;
            }
            for j in 0..k {
                matrix[(n, j)] = problem.matrix[n * k + j];
                matrix[(t, j)] = if state == 1 { problem.matrix[t * k + j] } else { 0.0 };
            }
            right[n] = -problem.bias[n];
            if state == 1 {
                right[t] = -problem.bias[t];
            } else {
                matrix[(t, t)] = 1.0;
                matrix[(t, n)] = if state == 2 { -mu } else { mu };
            }
        }
        let Some(lambda) = matrix.lu().solve(&right) else { continue };
        let lambda: Vec<f64> = lambda.iter().copied().collect();
        if problem.violation(&lambda) < 1e-9
            && !found.iter().any(|other| other.iter().zip(&lambda).all(|(a, b)| (a - b).abs() < 1e-6))
        {
            found.push(lambda);
        }
    }
    found
}

#[test]
fn wedges_agree_with_trying_all_states() {
    let mut random = Random::new(23);
    let mut cones = ConeSolver::new();
    let (mut unique, mut several) = (0, 0);
    for case in 0..300 {
        let shape = Shape { rows: 2 * (1 + random.below(4)), held: 0, bounded: 0, wedges: 100, ..SINGLE };
        let problem = random::problem(&mut random, shape);
        let outcome = cones.solve(&problem.view(), None).unwrap();
        assert!(outcome.converged, "case {case} {outcome:?}");
        let found = by_trying(&problem);
        let near = |other: &Vec<f64>| other.iter().zip(cones.lambda()).all(|(a, b)| (a - b).abs() < 1e-6);
        match found.len() {
            1 => {
                unique += 1;
                // Unless A is singular, and other solutions are no corners.
                let (a, _) = problem.rates(&found[0]);
                let close = a.iter().zip(cones.a()).all(|(a, b)| (a - b).abs() < 1e-6);
                assert!(near(&found[0]) || close, "case {case} {found:?} {:?}", cones.lambda());
            }
            _ => several += 1,
        }
    }
    println!("{unique} unique, {several} not");
    assert!(unique > 200, "{unique}");
}

/// A brick of mass 1 on an incline: rows n, t, u; weight along the slope and into it.
fn brick(slope: [f64; 2], mu: f64) -> (Vec<GroupState>, Vec<f64>, Vec<f64>) {
    let matrix = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let bias = [-1.0, slope[0], slope[1]];
    let mut cones = ConeSolver::new();
    let outcome = cones.solve(&Problem::new(&[Group::Cone { mu }], &matrix, &bias), None).unwrap();
    assert!(outcome.residual < 1e-14, "{outcome:?}");
    (cones.states().to_vec(), cones.lambda().to_vec(), cones.a().to_vec())
}

#[test]
fn a_brick_sticks_below_its_angle_and_slides_above() {
    let (states, lambda, a) = brick([0.3, 0.399], 0.5);
    assert_eq!(states, [GroupState::Stick]);
    assert!((lambda[1] + 0.3).abs() < 1e-15 && a.iter().all(|a| a.abs() < 1e-15));
    // tan = 1 along (0.6, 0.8): slides down with 1 − μ, friction against it.
    let (states, lambda, a) = brick([0.6, 0.8], 0.5);
    assert_eq!(states, [GroupState::Slip]);
    assert!((lambda[1] + 0.3).abs() < 1e-14 && (lambda[2] + 0.4).abs() < 1e-14);
    assert!((a[1] - 0.3).abs() < 1e-14 && (a[2] - 0.4).abs() < 1e-14 && a[0].abs() < 1e-14);
    // No friction at all.
    let (states, lambda, _) = brick([0.6, 0.8], 0.0);
    assert_eq!((states[0], lambda[1], lambda[2]), (GroupState::Slip, 0.0, 0.0));
}

#[test]
fn a_box_on_four_corners_is_carried_however_the_load_is_shared() {
    // Mass 1, half sides 1, half height h; A is singular: twelve rows on six unknowns.
    for mu in [0.0, 0.5, 100.0] {
        let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0f64]];
        let inertia = 2.0 / 3.0;
        let mut rows: Vec<[f64; 6]> = Vec::new();
        for [x, y] in corners {
            let arm = [x, y, -1.0];
            for along in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0f64]] {
                let turn = [
                    arm[1] * along[2] - arm[2] * along[1],
                    arm[2] * along[0] - arm[0] * along[2],
                    arm[0] * along[1] - arm[1] * along[0],
                ];
                rows.push([along[0], along[1], along[2], turn[0], turn[1], turn[2]]);
            }
        }
        let inverse = [1.0, 1.0, 1.0, 1.0 / inertia, 1.0 / inertia, 1.0 / inertia];
        let k = rows.len();
        let matrix: Vec<f64> =
            (0..k * k).map(|e| (0..6).map(|c| rows[e / k][c] * inverse[c] * rows[e % k][c]).sum()).collect();
        let free = [0.1, 0.0, -1.0, 0.0, 0.0, 0.0];
        let bias: Vec<f64> = rows.iter().map(|row| (0..6).map(|c| row[c] * free[c]).sum()).collect();
        let groups = [Group::Cone { mu }; 4];
        let mut cones = ConeSolver::new();
        let outcome = cones.solve(&Problem::new(&groups, &matrix, &bias), None).unwrap();
        assert!(outcome.converged, "{mu} {outcome:?}");
        let total = |i: usize| (0..4).map(|c| cones.lambda()[3 * c + i]).sum::<f64>();
        assert!((total(0) - 1.0).abs() < 1e-10, "{mu}: {}", total(0));
        // The part of a speed of 0.1 that friction takes.
        let taken = if mu == 0.0 { 0.0 } else { -0.1 };
        assert!((total(1) - taken).abs() < 1e-10, "{mu}: {}", total(1));
        // From its own solution no iteration is needed.
        let guess = cones.lambda().to_vec();
        let again = cones.solve(&Problem::new(&groups, &matrix, &bias), Some(&guess)).unwrap();
        assert!(again.converged && again.sweeps <= 20, "{again:?}");
    }
}

#[test]
fn rolling_resistance_is_a_part_of_the_load() {
    // Normal multiplier 2, and a spin that the resistance 0.1 × 2 slows down but does not stop.
    let matrix = [1.0, 0.0, 0.0, 4.0];
    let groups = [Group::OneSided, Group::Scaled { normal_row: 0, mu: 0.1 }];
    let mut cones = ConeSolver::new();
    let outcome = cones.solve(&Problem::new(&groups, &matrix, &[-2.0, 3.0]), None).unwrap();
    assert!(outcome.converged);
    assert!((cones.lambda()[1] + 0.2).abs() < 1e-14 && (cones.a()[1] - 2.2).abs() < 1e-14);
    assert_eq!(cones.states()[1], GroupState::Slip);
    let outcome = cones.solve(&Problem::new(&groups, &matrix, &[-2.0, 0.3]), None).unwrap();
    assert!(outcome.converged && cones.a()[1].abs() < 1e-14 && cones.states()[1] == GroupState::Stick);
    // Open: no load, no resistance.
    let outcome = cones.solve(&Problem::new(&groups, &matrix, &[2.0, 0.3]), None).unwrap();
    assert!(outcome.converged && cones.lambda() == [0.0, 0.0] && cones.states()[1] == GroupState::Open);
    let wrong = [Group::Held, Group::Scaled { normal_row: 0, mu: 0.1 }];
    assert!(cones.solve(&Problem::new(&wrong, &matrix, &[0.0; 2]), None).is_err());
}

#[test]
fn what_has_no_answer_is_said_to_have_none() {
    // Walls that approach a particle from both sides: no multiplier satisfies them, however large.
    let matrix = [1.0, -1.0, -1.0, 1.0];
    let mut cones = ConeSolver::new();
    let outcome = cones.solve(&Problem::new(&[Group::OneSided; 2], &matrix, &[-1.0; 2]), None).unwrap();
    assert!(!outcome.converged, "{outcome:?}");
}
