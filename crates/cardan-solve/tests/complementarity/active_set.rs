//! The dual active set: thousands of random problems, corners with known solutions, contradictions that name
//! their rows.

use super::random::{self, SINGLE, Shape};
use super::{Group, Owned};
use crate::common::Random;
use cardan_solve::complementarity::{ActiveSet, ComplementarityError, Problem, RowState};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

/// The a of any solution, found by trying all sets of rows that are solved for; for one-sided rows.
fn by_trying(problem: &Owned) -> Option<Vec<f64>> {
    let k = problem.bias.len();
    for set in 0..1u32 << k {
        let rows: Vec<usize> = (0..k).filter(|&i| set >> i & 1 == 1).collect();
        let n = rows.len();
        let matrix = nalgebra::DMatrix::from_fn(n, n, |i, j| problem.matrix[rows[i] * k + rows[j]]);
        let bias = nalgebra::DVector::from_fn(n, |i, _| -problem.bias[rows[i]]);
        let Some(chol) = matrix.cholesky() else { continue };
        let push = chol.solve(&bias);
        let mut lambda = vec![0.0; k];
        rows.iter().zip(push.iter()).for_each(|(&row, &push)| lambda[row] = push);
        if problem.violation(&lambda) < 1e-10 {
            return Some(problem.rates(&lambda).0);
        }
    }
    None
}

#[test]
fn rows_with_bounds_meet_all_conditions() {
    let mut random = Random::new(1);
    let mut solver = ActiveSet::new();
    let (mut worst, mut most, mut flagged): (f64, usize, usize) = (0.0, 0, 0);
    for case in 0..7500 {
        let shape = Shape {
            rows: 1 + random.below(60),
            decades: 6.0 * random.below(2) as f64,
            redundant: [0, 0, 30, 60][random.below(4)],
            degenerate: [0, 0, 30, 100][random.below(4)],
            ..SINGLE
        };
        let problem = random::problem(&mut random, shape);
        solver.solve(&problem.view()).unwrap_or_else(|error| panic!("case {case}: {error} {shape:?}"));
        let off = problem.violation(solver.lambda());
        assert!(off < 1e-9, "case {case}: {off:e} {shape:?}");
        worst = worst.max(off);
        most = most.max(solver.iterations());
        if case % 8 == 0 {
            flagged += solver.unique(&problem.view()).iter().filter(|unique| !**unique).count();
        }
    }
    println!("worst {worst:.1e}, at most {most} iterations, {flagged} rows not unique");
    assert!(worst < 1e-10 && flagged > 0);
}

#[test]
fn small_problems_agree_with_trying_all_sets() {
    let mut random = Random::new(2);
    let mut solver = ActiveSet::new();
    let mut compared = 0;
    for case in 0..1500 {
        let shape = Shape {
            rows: 1 + random.below(7),
            redundant: [0, 40][random.below(2)],
            degenerate: [0, 40][random.below(2)],
            held: 0,
            bounded: 0,
            ..SINGLE
        };
        let problem = random::problem(&mut random, shape);
        solver.solve(&problem.view()).unwrap();
        // Where sets are singular within rounding, trying may fail.
        let Some(a) = by_trying(&problem) else { continue };
        compared += 1;
        for (row, (ours, reference)) in solver.a().iter().zip(&a).enumerate() {
            assert!((ours - reference).abs() < 1e-7, "case {case}, row {row}: {ours} {reference}");
        }
    }
    assert!(compared > 1400, "{compared}");
}

/// The same problem as min ½ λᵀ A λ + bᵀ λ over the bounds, by the interior-point method of Clarabel; rows
/// are scaled to a diagonal of one. `None` where it misses its tolerance.
fn by_clarabel(problem: &Owned) -> Option<Vec<f64>> {
    let k = problem.bias.len();
    let scale: Vec<f64> = (0..k).map(|i| 1.0 / problem.matrix[i * k + i].sqrt()).collect();
    let columns = |entry: &dyn Fn(usize, usize) -> f64, rows: usize| {
        let dense: Vec<Vec<f64>> = (0..rows).map(|i| (0..k).map(|j| entry(i, j)).collect()).collect();
        CscMatrix::from(&dense)
    };
    let a = columns(&|i, j| if i <= j { scale[i] * problem.matrix[i * k + j] * scale[j] } else { 0.0 }, k);
    let b: Vec<f64> = problem.bias.iter().zip(&scale).map(|(b, s)| b * s).collect();
    // ±λ / s ≤ bound.
    let mut sides: Vec<(usize, f64, f64)> = Vec::new();
    for (row, group) in problem.groups.iter().enumerate() {
        let (lo, hi) = match *group {
            Group::OneSided => (0.0, f64::INFINITY),
            Group::Bounded { lo, hi } => (lo, hi),
            _ => continue,
        };
        let bounds = [(-1.0, -lo), (1.0, hi)].into_iter().filter(|(_, bound)| bound.is_finite());
        sides.extend(bounds.map(|(sign, bound)| (row, sign, bound / scale[row])));
    }
    let rows = columns(&|i, j| if sides[i].0 == j { sides[i].1 } else { 0.0 }, sides.len());
    let bounds: Vec<f64> = sides.iter().map(|side| side.2).collect();
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(1e-12)
        .tol_gap_rel(1e-12)
        .tol_feas(1e-10)
        .build()
        .expect("settings");
    let cones = [SupportedConeT::NonnegativeConeT(sides.len())];
    let mut solver = DefaultSolver::new(&a, &b, &rows, &bounds, &cones, settings).expect("a problem");
    solver.solve();
    let is_solved = solver.solution.status == SolverStatus::Solved;
    is_solved.then(|| solver.solution.x.iter().zip(&scale).map(|(x, s)| x * s).collect())
}

/// Up to sixty rows, redundant and degenerate ones among them: a = A λ + b is unique, and λ where A is definite.
#[test]
fn large_problems_agree_with_an_interior_point_method_of_others() {
    let mut random = Random::new(3);
    let mut solver = ActiveSet::new();
    let (mut worst, mut compared, mut definite): (f64, usize, usize) = (0.0, 0, 0);
    let count = 1000;
    for case in 0..count {
        let shape = Shape {
            rows: 8 + random.below(53),
            decades: 3.0 * random.below(2) as f64,
            redundant: [0, 0, 30, 60][random.below(4)],
            degenerate: [0, 0, 30, 100][random.below(4)],
            ..SINGLE
        };
        let problem = random::problem(&mut random, shape);
        let k = problem.bias.len();
        solver.solve(&problem.view()).unwrap();
        let Some(reference) = by_clarabel(&problem) else { continue };
        compared += 1;
        let (a, size) = problem.rates(&reference);
        let root = |row: usize| problem.matrix[row * k + row].sqrt();
        // In units in which A has a diagonal of one, ½ Δλᵀ A Δλ is an energy, which is accurate to 1e-12; so
        // a is to its root.
        let most = (0..k).map(|row| size[row] / root(row)).fold(1.0, f64::max);
        for row in 0..k {
            let off = (solver.a()[row] - a[row]).abs() / root(row) / most;
            worst = worst.max(off);
            assert!(off < 2e-6, "case {case}, row {row}: {off:e} {shape:?}");
        }
        let unit = |i: usize, j: usize| {
            problem.matrix[i * k + j] / (problem.matrix[i * k + i] * problem.matrix[j * k + j]).sqrt()
        };
        let least = nalgebra::DMatrix::from_fn(k, k, unit).symmetric_eigenvalues().min();
        if least > 1e-3 {
            definite += 1;
            let most = (0..k).map(|row| reference[row].abs() * root(row)).fold(1.0, f64::max);
            for row in 0..k {
                let off = (solver.lambda()[row] - reference[row]).abs() * root(row);
                // By the same energy, and the least eigenvalue.
                assert!(off <= 1e-4 * most, "case {case}, row {row}: {off:e} of {most:e} {shape:?}");
            }
        }
    }
    println!("a off by {worst:.1e} in {compared}; A definite in {definite}");
    assert!(20 * compared >= 19 * count && definite >= 40, "{compared} {definite}");
}

#[test]
fn a_particle_slides_out_of_an_obtuse_corner() {
    // SPEC T5: g1 = y, g2 = 0.4359 x + 0.9 y, f = (1.8353, −1).
    let (x, y) = (0.4359, 0.9);
    let matrix = [1.0, y, y, x * x + y * y];
    let bias = [-1.0, 1.8353 * x - y];
    let mut solver = ActiveSet::new();
    solver.solve(&Problem::new(&[Group::OneSided; 2], &matrix, &bias)).unwrap();
    assert!((solver.lambda()[0] - 1.0).abs() < 1e-15 && solver.lambda()[1] == 0.0);
    assert_eq!(solver.states(), [RowState::Active, RowState::AtLo]);
}

#[test]
fn four_legs_share_a_load_in_more_than_one_way() {
    // A plate of mass 1 with height z, and rotations about x and y of inertia 1, on four corners: one leg too
    // many.
    let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0f64]];
    let rows: Vec<[f64; 3]> = corners.iter().map(|[x, y]| [1.0, *y, -x]).collect();
    let matrix: Vec<f64> = (0..16).map(|i| (0..3).map(|c| rows[i / 4][c] * rows[i % 4][c]).sum()).collect();
    let mut solver = ActiveSet::new();
    let mut with_load = |load: [f64; 3]| {
        let bias: Vec<f64> = rows.iter().map(|row| -(0..3).map(|c| row[c] * load[c]).sum::<f64>()).collect();
        let problem = Problem::new(&[Group::OneSided; 4], &matrix, &bias);
        solver.solve(&problem).unwrap();
        let total: f64 = solver.lambda().iter().sum();
        assert!((total - load[0]).abs() < 1e-14, "{total}");
        let unique = solver.unique(&problem).to_vec();
        (solver.states().to_vec(), unique)
    };
    // In the middle nothing is unique; above a leg everything is, since all others could only pull.
    assert_eq!(with_load([1.0, 0.0, 0.0]).1, [false; 4]);
    let (states, unique) = with_load([1.0, 1.0, -1.0]);
    assert_eq!(unique, [true; 4]);
    assert_eq!(states[0], RowState::Active);
    assert_eq!(states[1..], [RowState::Degenerate; 3]);
}

#[test]
fn opposed_walls_are_named() {
    // Rows 1 and 3 squeeze a particle along x; rows 0 and 2 support another one, and are not to be named.
    let jac = [[0.0, 1.0], [1.0, 0.0], [0.0, 2.0], [-1.0, 0.0]];
    let matrix: Vec<f64> = (0..16).map(|i| (0..2).map(|c| jac[i / 4][c] * jac[i % 4][c]).sum()).collect();
    let bias = [-1.0, -1.0, -1.0, -1.0];
    let mut solver = ActiveSet::new();
    let error = solver.solve(&Problem::new(&[Group::OneSided; 4], &matrix, &bias)).unwrap_err();
    assert_eq!(error, ComplementarityError::Infeasible { rows: vec![1, 3] });
    assert_eq!(error.to_string(), "rows [1, 3] contradict each other");
    // A row that no impulse moves.
    let error = solver.solve(&Problem::new(&[Group::OneSided], &[0.0], &[-1.0])).unwrap_err();
    assert_eq!(error, ComplementarityError::Infeasible { rows: vec![0] });
    // Two contradicting equalities.
    let error = solver.solve(&Problem::new(&[Group::Held; 2], &[1.0; 4], &[1.0, 2.0])).unwrap_err();
    assert_eq!(error, ComplementarityError::Infeasible { rows: vec![0, 1] });
}

#[test]
fn a_motor_with_a_limit_gives_all_it_has() {
    let bounded = [Group::Bounded { lo: -1.0, hi: 2.0 }];
    let mut solver = ActiveSet::new();
    for (bias, lambda, a, state) in [
        (-8.0, 2.0, -4.0, RowState::AtHi),
        (-2.0, 1.0, 0.0, RowState::Active),
        (4.0, -1.0, 2.0, RowState::AtLo),
        (-4.0, 2.0, 0.0, RowState::Degenerate),
        (0.0, 0.0, 0.0, RowState::Active),
    ] {
        solver.solve(&Problem::new(&bounded, &[2.0], &[bias])).unwrap();
        assert_eq!((solver.lambda()[0], solver.a()[0], solver.states()[0]), (lambda, a, state));
    }
}

#[test]
fn nonsense_is_refused_in_words() {
    let mut solver = ActiveSet::new();
    let mut refuse = |groups: &[Group], matrix: &[f64], bias: &[f64]| {
        solver.solve(&Problem::new(groups, matrix, bias)).unwrap_err().to_string()
    };
    let one = [Group::OneSided];
    assert_eq!(refuse(&one, &[1.0], &[f64::NAN]), "the bias of row 0 is not finite");
    assert_eq!(refuse(&one, &[f64::INFINITY], &[1.0]), "the matrix of row 0 is not finite");
    assert_eq!(refuse(&one, &[], &[1.0]), "the matrix has 0 numbers where the groups need 1");
    assert_eq!(refuse(&one, &[1.0], &[]), "the bias has 0 numbers where the groups need 1");
    assert_eq!(refuse(&one, &[-1.0], &[1.0]), "the matrix is not positive semidefinite in row 0");
    assert_eq!(
        refuse(&[Group::Bounded { lo: 2.0, hi: 1.0 }], &[1.0], &[1.0]),
        "group 0 is invalid: its lower bound is above its upper bound"
    );
    assert_eq!(
        refuse(&[Group::OneSided; 2], &[1.0, 0.5, 0.4, 1.0], &[1.0; 2]),
        "the matrix is not symmetric in rows 0 and 1"
    );
    assert!(
        refuse(&[Group::Wedge { mu: 0.1 }], &[1.0, 0.0, 0.0, 1.0], &[1.0; 2]).contains("single rows only")
    );
}
