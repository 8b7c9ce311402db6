//! Random mechanisms: the conditions themselves, evaluated apart from the solver.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use super::{BodyRows, FactoredCones, FactoredProblem};
use crate::complementarity::Group;

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn signed(&mut self) -> f64 {
        2.0 * self.next() - 1.0
    }
    fn below(&mut self, n: usize) -> usize {
        ((self.next() * n as f64) as usize).min(n - 1)
    }
}

/// Contacts of some touched bodies whose G = B Bᵀ has the given rank.
struct Case {
    groups: Vec<Group>,
    factor: Vec<f64>,
    rank: usize,
    bias: Vec<f64>,
    /// B, J and the body of each group.
    lines: Vec<f64>,
    jacobian: Vec<[f64; 6]>,
    of_group: Vec<u32>,
}

impl Case {
    fn problem(&self) -> FactoredProblem<'_> {
        let Case { groups, factor, rank, bias, .. } = self;
        FactoredProblem { groups, factor, rank: *rank, bias, body_rows: BodyRows::default() }
    }
}

fn case(numbers: &mut Numbers, bodies: usize, rank: usize, contacts: usize) -> Case {
    let size = 6 * bodies;
    // Masses over three decades.
    let weights: Vec<f64> = (0..rank).map(|_| 10f64.powf(1.5 * numbers.signed())).collect();
    let b: Vec<f64> = (0..size * rank).map(|i| numbers.signed() * weights[i % rank]).collect();
    // A velocity that the joints allow, so that contacts can be satisfied by standing still.
    let start: Vec<f64> = (0..rank).map(|_| numbers.signed()).collect();
    let free: Vec<f64> =
        b.chunks_exact(rank).map(|line| line.iter().zip(&start).map(|(b, z)| b * z).sum()).collect();
    let (mut groups, mut factor, mut bias) = (Vec::new(), Vec::new(), Vec::new());
    let (mut jacobian, mut of_group) = (Vec::new(), Vec::new());
    let mut add = |numbers: &mut Numbers, group: Group, body: usize, rows: &[[f64; 6]]| {
        groups.push(group);
        jacobian.extend_from_slice(rows);
        of_group.push(body as u32);
        for (r, row) in rows.iter().enumerate() {
            let at = 6 * body;
            factor.extend((0..rank).map(|c| (0..6).map(|i| row[i] * b[(at + i) * rank + c]).sum::<f64>()));
            let rate: f64 = (0..6).map(|i| row[i] * free[at + i]).sum();
            let gap = if numbers.next() < 0.5 { 0.0 } else { numbers.next() };
            bias.push(rate + if r == 0 { gap } else { 0.01 * numbers.signed() });
        }
    };
    for _ in 0..contacts {
        let body = numbers.below(bodies);
        let arm = [numbers.signed(), numbers.signed(), 0.1 * numbers.signed()];
        // Axes z, x, y at the arm: n and n × arm as the force sees them.
        let row = |axis: usize| {
            let mut row = [0.0; 6];
            row[axis] = 1.0;
            let (y, z) = ((axis + 1) % 3, (axis + 2) % 3);
            (row[3 + y], row[3 + z]) = (arm[z], -arm[y]);
            row
        };
        let mu = [0.0, 0.3, 0.8, 1.5][numbers.below(4)];
        match numbers.below(8) {
            0 => add(numbers, Group::OneSided, body, &[row(2)]),
            1 => add(numbers, Group::Wedge { mu }, body, &[row(2), row(0)]),
            2 => add(numbers, Group::Bounded { lo: -0.3, hi: 0.2 }, body, &[row(0)]),
            _ => add(numbers, Group::Cone { mu }, body, &[row(2), row(0), row(1)]),
        }
    }
    Case { groups, factor, rank, bias, lines: b, jacobian, of_group }
}

/// The largest violation of a condition, and the size of the impulses and rates that it is judged by.
fn violation(case: &Case, lambda: &[f64]) -> (f64, f64) {
    let rank = case.rank;
    let mut z = vec![0.0; rank];
    for (row, l) in case.factor.chunks_exact(rank).zip(lambda) {
        z.iter_mut().zip(row).for_each(|(z, c)| *z += c * l);
    }
    let rate = |row: usize| {
        case.bias[row] + case.factor[row * rank..][..rank].iter().zip(&z).map(|(c, z)| c * z).sum::<f64>()
    };
    let (mut worst, mut size, mut row) = (0.0f64, 0.0f64, 0);
    for group in &case.groups {
        let rows = group.rows();
        let own: f64 = case.factor[row * rank..(row + rows) * rank].iter().map(|c| c * c).sum();
        let scale = (own / rows as f64).sqrt();
        let y: Vec<f64> = lambda[row..row + rows].iter().map(|l| l * scale).collect();
        let a: Vec<f64> = (row..row + rows).map(|r| rate(r) / scale).collect();
        (row..row + rows).for_each(|r| size = size.max((case.bias[r] / scale).abs()));
        y.iter().for_each(|y| size = size.max(y.abs()));
        let off = match *group {
            Group::OneSided => (-y[0]).max(-a[0]).max(y[0].min(a[0])),
            Group::Bounded { lo, hi } => {
                let (lo, hi) = (lo * scale, hi * scale);
                (lo - y[0]).max(y[0] - hi).max((y[0] - lo).min(a[0])).max((hi - y[0]).min(-a[0]))
            }
            Group::Cone { mu } | Group::Wedge { mu } => {
                let length = |v: &[f64]| v[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
                let (push, slide) = (length(&y), length(&a));
                let power: f64 = y[1..].iter().zip(&a[1..]).map(|(y, a)| y * a).sum();
                // Friction is opposite to sliding and as large as it can be, unless there is none.
                let lost = (mu * y[0] * slide + power).max(0.0).sqrt() * 1e-5;
                (-y[0]).max(-a[0]).max(y[0].min(a[0])).max(push - mu * y[0]).max(lost)
            }
            _ => 0.0,
        };
        worst = worst.max(off);
        row += rows;
    }
    (worst, size)
}

#[test]
fn random_mechanisms_satisfy_their_conditions() {
    let mut numbers = Numbers(7);
    let mut solver = FactoredCones::new();
    let (mut others, mut unsolved) = (0, 0);
    let count = 1000;
    for index in 0..count {
        let bodies = 1 + numbers.below(4);
        let rank = 3 + numbers.below(6 * bodies - 2);
        let contacts = 1 + numbers.below(16);
        let case = case(&mut numbers, bodies, rank, contacts);
        // All rows as they are, all through their bodies, or those of some bodies.
        let blocks: Vec<(u32, u32)> = (0..bodies as u32).map(|body| (6 * body, 6)).collect();
        let way = index % 3;
        let is_body = |body: u32| way == 1 || way == 2 && body.is_multiple_of(2);
        let of_group: Vec<u32> =
            case.of_group.iter().map(|body| if is_body(*body) { *body } else { BodyRows::NONE }).collect();
        let (mut factor, mut jacobian, mut row) = (Vec::new(), Vec::new(), 0);
        for (group, body) in case.groups.iter().zip(&of_group) {
            for row in row..row + group.rows() {
                match *body {
                    BodyRows::NONE => factor.extend_from_slice(&case.factor[row * rank..][..rank]),
                    _ => jacobian.push(case.jacobian[row]),
                }
            }
            row += group.rows();
        }
        let body_rows =
            BodyRows { lines: &case.lines, bodies: &blocks, of_group: &of_group, jacobian: &jacobian };
        let outcome = solver.solve(&FactoredProblem { factor: &factor, body_rows, ..case.problem() }, None);
        let outcome = outcome.unwrap();
        let (off, size) = violation(&case, solver.lambda());
        others += usize::from(outcome.other.is_some());
        unsolved += usize::from(!outcome.converged);
        assert!(!outcome.converged || off <= 1e-8 * size, "{index} {way}: {off:e} of {size:e}, {outcome:?}");
    }
    // Wedged between many contacts of large friction some have no solution that is found; their residual is reported.
    assert!(unsolved * 400 <= count, "{unsolved} of {count} were not solved");
    assert!(others * 8 <= count, "{others} of {count} needed the other solver");
}

/// From the solution of a problem one that differs little is solved in few steps.
#[test]
fn a_warm_start_needs_few_steps() {
    let mut numbers = Numbers(11);
    let mut solver = FactoredCones::new();
    let (mut steps, mut count) = (0, 0);
    for _ in 0..200 {
        let mut case = case(&mut numbers, 2, 12, 8);
        let solve = |solver: &mut FactoredCones, case: &Case, guess: Option<&[f64]>| {
            solver.solve(&case.problem(), guess).unwrap()
        };
        if !solve(&mut solver, &case, None).converged {
            continue;
        }
        let guess = solver.lambda().to_vec();
        case.bias.iter_mut().for_each(|b| *b += 1e-6 * numbers.signed());
        let outcome = solve(&mut solver, &case, Some(&guess));
        assert!(outcome.converged, "{outcome:?}");
        steps += outcome.newton_steps;
        count += 1;
    }
    assert!(steps <= 6 * count, "{steps} steps for {count} problems");
}

#[test]
fn bad_numbers_are_named() {
    let mut solver = FactoredCones::new();
    let groups = [Group::Cone { mu: 0.5 }];
    let problem = FactoredProblem {
        groups: &groups,
        factor: &[1.0; 6],
        rank: 2,
        bias: &[0.0; 2],
        body_rows: BodyRows::default(),
    };
    assert!(solver.solve(&problem, None).unwrap_err().to_string().contains("the bias has 2 numbers"));
    let problem = FactoredProblem {
        groups: &groups,
        factor: &[1.0; 5],
        rank: 2,
        bias: &[0.0; 3],
        body_rows: BodyRows::default(),
    };
    assert!(solver.solve(&problem, None).unwrap_err().to_string().contains("the factor has 5 numbers"));
    let problem = FactoredProblem {
        groups: &groups,
        factor: &[f64::NAN; 6],
        rank: 2,
        bias: &[0.0; 3],
        body_rows: BodyRows::default(),
    };
    assert!(solver.solve(&problem, None).unwrap_err().to_string().contains("the factor of row 0"));
    let groups = [Group::Cone { mu: -0.5 }];
    let problem = FactoredProblem {
        groups: &groups,
        factor: &[1.0; 6],
        rank: 2,
        bias: &[0.0; 3],
        body_rows: BodyRows::default(),
    };
    assert!(solver.solve(&problem, None).unwrap_err().to_string().contains("coefficient is negative"));
    let body_rows =
        BodyRows { lines: &[f64::NAN; 12], bodies: &[(0, 6)], of_group: &[0], jacobian: &[[1.0; 6]; 3] };
    let groups = [Group::Cone { mu: 0.5 }];
    let problem = FactoredProblem { groups: &groups, factor: &[], rank: 2, bias: &[0.0; 3], body_rows };
    assert!(solver.solve(&problem, None).unwrap_err().to_string().contains("the factor of row 0"));
    let body_rows = BodyRows { jacobian: &[[1.0; 6]; 2], ..body_rows };
    let problem = FactoredProblem { body_rows, ..problem };
    assert!(
        solver
            .solve(&problem, None)
            .unwrap_err()
            .to_string()
            .contains("the Jacobian of bodies has 2 numbers")
    );
    // Nothing moves: what closes stays so, and is reported.
    let groups = [Group::OneSided];
    let problem = FactoredProblem {
        groups: &groups,
        factor: &[],
        rank: 0,
        bias: &[-1.0],
        body_rows: BodyRows::default(),
    };
    assert!(!solver.solve(&problem, None).unwrap().converged);
}
