//! Many contacts: walls and stacks of boxes, joints among them; three methods that agree.

use super::contact_problem::{self, Box3};
use crate::common::Random;
use cardan_solve::complementarity::{
    ComplementarityError, ConeSolver, ConstraintKind, ContactMethod, ContactProblem, Group, GroupState,
    ManyContacts, Problem,
};

fn solver(method: ContactMethod, tolerance: f64) -> ManyContacts {
    let mut many = ManyContacts::new();
    many.method = method;
    many.tolerance = tolerance;
    many.newton_steps = 300;
    many.admm_steps = 20_000;
    many.sweeps = 20_000;
    many
}

/// A = J M⁻¹ Jᵀ and b of a contact problem, by unit impulses.
fn dense(
    boxes: &[Box3],
    problem: &ContactProblem,
    constraints: &[ConstraintKind],
) -> (Vec<Group>, Vec<f64>, Vec<f64>) {
    let k = problem.rows();
    let groups = constraints
        .iter()
        .map(|constraint| match *constraint {
            ConstraintKind::Cone { mu } => Group::Cone { mu },
            _ => Group::OneSided,
        })
        .collect();
    // The velocities after a unit impulse, from a solver that makes no step.
    let mut still = solver(ContactMethod::GaussSeidel, f64::INFINITY);
    let mut rates = |push: &[f64]| {
        let _ = still.solve(problem, Some(push)).unwrap();
        still.a().to_vec()
    };
    let bias = rates(&vec![0.0; k]);
    let mut matrix = vec![0.0; k * k];
    for j in 0..k {
        let mut push = vec![0.0; k];
        push[j] = 1.0;
        let column = rates(&push);
        for i in 0..k {
            matrix[i * k + j] = column[i] - bias[i];
        }
    }
    assert!(!boxes.is_empty());
    (groups, matrix, bias)
}

#[test]
fn contacts_carry_the_weight_of_a_box_at_rest() {
    let boxes = contact_problem::stack(&[2.0]);
    let (h, mu) = (0.01, 0.5);
    let problem = contact_problem::problem(&boxes, mu, h, 0.0, &mut Random::new(1));
    for method in
        [ContactMethod::GaussSeidel, ContactMethod::Admm, ContactMethod::Newton, ContactMethod::Auto]
    {
        let mut many = solver(method, 1e-12);
        let reached = many.solve(&problem, None).unwrap();
        assert!(reached.converged, "{method:?} {reached:?}");
        let total: f64 = many.lambda().iter().step_by(3).sum();
        assert!((total - 2.0 * 9.81 * h).abs() < 1e-11, "{method:?} {total}");
        assert!(many.velocity(0).unwrap().iter().all(|v| v.abs() < 1e-11));
    }
}

#[test]
fn a_box_that_slides_loses_what_friction_takes() {
    // Flat, so that it does not tip.
    let of = Box3 { centre: [0.0, 0.0, 0.05], half: [0.5, 0.5, 0.05], mass: 2.0 };
    let (h, mu, speed) = (0.01, 0.3, 1.0);
    let mut problem = ContactProblem::new();
    let mut inverse = [0.0; 36];
    for i in 0..3 {
        let others: f64 = (0..3).filter(|&j| j != i).map(|j| of.half[j] * of.half[j]).sum();
        inverse[i * 7] = 1.0 / of.mass;
        inverse[(i + 3) * 7] = 3.0 / (of.mass * others);
    }
    problem.add_block(&inverse, &[speed, 0.0, -9.81 * h, 0.0, 0.0, 0.0]).unwrap();
    for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
        let rows = contact_problem::rows(&of, [x, y, 0.0], 1.0);
        problem
            .add_constraint(ConstraintKind::Cone { mu }, [Some(0), None], [&rows, &[]], &[0.0; 3])
            .unwrap();
    }
    for method in [ContactMethod::GaussSeidel, ContactMethod::Admm, ContactMethod::Newton] {
        let mut many = solver(method, 1e-10);
        let reached = many.solve(&problem, None).unwrap();
        assert!(reached.converged, "{method:?} {reached:?}");
        let v = many.velocity(0).unwrap()[0];
        assert!((v - (speed - mu * 9.81 * h)).abs() < 1e-8, "{method:?} {v}");
        assert!(
            many.states().iter().all(|state| *state == GroupState::Slip),
            "{method:?} {:?}",
            many.states()
        );
    }
}

#[test]
fn a_wall_of_bricks_is_solved_to_the_last_digits() {
    let boxes = contact_problem::wall(5, 6);
    for (mu, noise) in [(0.5, 0.0), (0.5, 0.01), (0.1, 0.01), (0.1, 0.3), (0.0, 0.01)] {
        let first = contact_problem::problem(&boxes, mu, 0.01, noise, &mut Random::new(7));
        assert_eq!((first.blocks(), first.constraints()), (30, 200));
        let mut many = solver(ContactMethod::Auto, 1e-10);
        let cold = many.solve(&first, None).unwrap();
        assert!(cold.converged, "{mu} {noise} {cold:?}");
        // One step later, from the solution of this one.
        let second = contact_problem::problem(&boxes, mu, 0.0101, 1.01 * noise, &mut Random::new(7));
        let guess = many.lambda().to_vec();
        many.tolerance = 1e-6;
        let warm = many.solve(&second, Some(&guess)).unwrap();
        println!("μ {mu}, noise {noise}: cold {} Newton, warm {}", cold.newton_steps, warm.newton_steps);
        assert!(warm.converged && warm.newton_steps <= 40, "{mu} {noise} {warm:?}");
    }
}

#[test]
fn a_hundred_times_heavier_box_on_top_of_ten_stands_still() {
    let mut masses = [1.0; 11];
    masses[10] = 100.0;
    let boxes = contact_problem::stack(&masses);
    let problem = contact_problem::problem(&boxes, 0.5, 0.01, 0.0, &mut Random::new(1));
    let mut many = solver(ContactMethod::Auto, 1e-12);
    let reached = many.solve(&problem, None).unwrap();
    assert!(reached.converged, "{reached:?}");
    for block in 0..11 {
        let fastest = many.velocity(block).unwrap().iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        assert!(fastest < 1e-9, "{block}: {fastest:e} {reached:?}");
    }
    let ground: f64 = many.lambda()[..12].iter().step_by(3).sum();
    assert!((ground - 110.0 * 9.81 * 0.01).abs() < 1e-7, "{ground}");
}

#[test]
fn the_dense_solver_agrees_where_velocities_are_unique() {
    // Without sliding the problem is convex, and velocities are unique: boxes with small velocities stick.
    let mut cones = ConeSolver::new();
    for seed in 0..10 {
        let boxes = contact_problem::wall(2, 2);
        let problem = contact_problem::problem(&boxes, 3.0, 0.01, 0.02, &mut Random::new(seed));
        let constraints = vec![ConstraintKind::Cone { mu: 3.0 }; problem.constraints()];
        let (groups, matrix, bias) = dense(&boxes, &problem, &constraints);
        let outcome = cones.solve(&Problem::new(&groups, &matrix, &bias), None).unwrap();
        let mut many = solver(ContactMethod::Auto, 1e-11);
        let reached = many.solve(&problem, None).unwrap();
        assert!(outcome.converged && reached.converged, "{seed} {outcome:?} {reached:?}");
        // Each solution satisfies the conditions of the other.
        let again = cones.solve(&Problem::new(&groups, &matrix, &bias), Some(many.lambda())).unwrap();
        assert!(again.sweeps <= 20 && again.residual < 1e-9, "{seed} {again:?}");
        let stuck = many.states().iter().all(|state| *state != GroupState::Slip);
        for (row, (ours, reference)) in many.a().iter().zip(cones.a()).enumerate() {
            assert!(!stuck || (ours - reference).abs() < 1e-8, "{seed}, row {row}: {ours} {reference}");
        }
    }
}

#[test]
fn joints_are_solved_in_the_same_sweep_and_factor_as_contacts() {
    // Two neighbouring boxes on the ground, welded to each other.
    let half = [0.5; 3];
    let boxes = [
        Box3 { centre: [0.0, 0.0, 0.5], half, mass: 1.0 },
        Box3 { centre: [1.5, 0.0, 0.5], half, mass: 3.0 },
    ];
    let mut random = Random::new(3);
    // Without friction, where velocities are unique.
    let mut problem = contact_problem::problem(&boxes, 0.0, 0.01, 0.05, &mut random);
    // The weld: position of the middle and all rotations, six rows.
    let middle = [0.75, 0.0, 0.5];
    let weld = |of: &Box3, sign: f64| {
        let mut rows = contact_problem::rows(of, middle, sign);
        for i in 0..3 {
            let mut turn = [0.0; 6];
            turn[3 + i] = sign;
            rows.extend(turn);
        }
        rows
    };
    let (a, b) = (weld(&boxes[0], 1.0), weld(&boxes[1], -1.0));
    problem
        .add_constraint(ConstraintKind::Held { rows: 6 }, [Some(0), Some(1)], [&a, &b], &[0.0; 6])
        .unwrap();
    // A motor at its limit.
    let spin = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    problem
        .add_constraint(
            ConstraintKind::Bounded { lo: -0.01, hi: 0.01 },
            [Some(1), None],
            [&spin, &[]],
            &[-5.0],
        )
        .unwrap();
    let mut found: Vec<Vec<f64>> = Vec::new();
    for method in [ContactMethod::GaussSeidel, ContactMethod::Admm, ContactMethod::Newton] {
        let mut many = solver(method, 1e-10);
        let reached = many.solve(&problem, None).unwrap();
        assert!(reached.converged, "{method:?} {reached:?}");
        let weld_row = problem.row_of(8).unwrap();
        assert!(many.a()[weld_row..weld_row + 6].iter().all(|a| a.abs() < 1e-9), "{method:?}");
        assert_eq!(many.lambda()[weld_row + 6], 0.01, "{method:?}");
        found.push((0..2).flat_map(|block| *many.velocity(block).unwrap()).collect());
    }
    for other in &found[1..] {
        for (a, b) in found[0].iter().zip(other) {
            assert!((a - b).abs() < 1e-7, "{found:?}");
        }
    }
}

#[test]
fn the_same_problem_gives_the_same_bits_and_nonsense_is_refused() {
    let boxes = contact_problem::wall(3, 3);
    let problem = contact_problem::problem(&boxes, 0.5, 0.01, 0.1, &mut Random::new(9));
    let (mut first, mut second) = (solver(ContactMethod::Auto, 1e-8), solver(ContactMethod::Auto, 1e-8));
    let _ = first.solve(&problem, None).unwrap();
    let other = contact_problem::problem(&contact_problem::wall(2, 2), 0.5, 0.01, 0.1, &mut Random::new(9));
    let _ = second.solve(&other, None).unwrap();
    let _ = second.solve(&problem, None).unwrap();
    assert_eq!(first.lambda(), second.lambda());

    let mut problem = ContactProblem::new();
    assert!(problem.add_block(&[1.0], &[f64::NAN]).is_err());
    assert!(problem.add_block(&[1.0; 3], &[0.0; 2]).is_err());
    assert!(problem.add_block(&[1.0; 49], &[0.0; 7]).is_err());
    let block = problem.add_block(&[1.0], &[-1.0]).unwrap();
    let constraint = |problem: &mut ContactProblem, kind, ends, jac: [&[f64]; 2]| {
        problem.add_constraint(kind, ends, jac, &[0.0])
    };
    let error =
        constraint(&mut problem, ConstraintKind::OneSided, [Some(5), None], [&[1.0], &[]]).unwrap_err();
    assert_eq!(error.to_string(), "group 0 is invalid: a block of it does not exist");
    assert!(
        constraint(&mut problem, ConstraintKind::OneSided, [Some(block), Some(block)], [&[1.0], &[1.0]])
            .is_err()
    );
    assert!(
        constraint(&mut problem, ConstraintKind::Cone { mu: -1.0 }, [Some(block), None], [&[1.0; 3], &[]])
            .is_err()
    );
    assert!(
        constraint(&mut problem, ConstraintKind::Held { rows: 7 }, [Some(block), None], [&[1.0; 7], &[]])
            .is_err()
    );
    let mut sick = ContactProblem::new();
    assert_eq!(sick.add_block(&[-1.0], &[0.0]), Err(ComplementarityError::NotSemidefinite { row: 0 }));
    assert_eq!(
        sick.add_block_with_mass(&[1.0, 2.0, 1.0], &[0.0; 2]),
        Err(ComplementarityError::NotSemidefinite { row: 0 })
    );
    assert!(sick.add_block_with_mass(&[1.0, 2.0], &[0.0; 2]).is_err());
    // An empty problem is solved at once.
    assert!(ManyContacts::new().solve(&ContactProblem::new(), None).unwrap().converged);
}

#[test]
fn one_constraint_alone_takes_one_sweep() {
    let mut random = Random::new(17);
    let mut many = solver(ContactMethod::GaussSeidel, 1e-12);
    many.sweeps = 1;
    let mut slipped = 0;
    for case in 0..3000 {
        let mut problem = ContactProblem::new();
        let mut inverse = [0.0; 36];
        for i in 0..6 {
            inverse[i * 7] = random.decades(2.0);
        }
        let v: Vec<f64> = (0..6).map(|_| random.unit()).collect();
        problem.add_block(&inverse, &v).unwrap();
        let of = Box3 { centre: [0.0; 3], half: [1.0; 3], mass: 1.0 };
        let place = [random.unit(), random.unit(), -0.3];
        let rows = contact_problem::rows(&of, place, 1.0);
        let mu = [0.0, 0.1, 0.5, 1.0, 3.0][random.below(5)];
        if random.chance(50) {
            problem
                .add_constraint(ConstraintKind::Cone { mu }, [Some(0), None], [&rows, &[]], &[0.0; 3])
                .unwrap();
        } else {
            problem
                .add_constraint(ConstraintKind::Wedge { mu }, [Some(0), None], [&rows[..12], &[]], &[0.0; 2])
                .unwrap();
        }
        let reached = many.solve(&problem, None).unwrap();
        assert!(reached.converged, "case {case}: {reached:?}");
        slipped += usize::from(many.states()[0] == GroupState::Slip);
    }
    assert!(slipped > 500, "{slipped}");
}
