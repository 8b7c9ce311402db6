//! Cones: bricks, boxes and wedges with known answers, thousands of random problems by their conditions.

use super::random::{self, SINGLE, Shape};
use super::{Group, Owned};
use crate::common::Random;
use cardan_solve::cone::{Cones, GroupState, Problem};

/// Shapes of all kinds, masses over six decades in half of them.
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
    let mut solver = Cones::new();
    let (mut worst, mut off_most, mut missed): (f64, f64, usize) = (0.0, 0.0, 0);
    let count = 4000;
    for case in 0..count {
        let shape = shape(&mut random);
        let problem = random::problem(&mut random, shape);
        let outcome = solver.solve(&problem.view(), None).unwrap();
        if !outcome.converged {
            missed += 1;
            continue;
        }
        let off = problem.violation(solver.lambda());
        assert!(off < 1e-9, "case {case}: {off:e} {outcome:?} {shape:?}");
        worst = worst.max(outcome.residual);
        off_most = off_most.max(off);
    }
    println!("residual {worst:.1e}, conditions {off_most:.1e}, {missed} of {count} not converged");
    assert!(missed * 100 <= count, "{missed}");
}
