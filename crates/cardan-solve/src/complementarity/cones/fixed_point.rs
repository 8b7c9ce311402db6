//! The fixed point of Acary and Cadoux: a sequence of convex problems.
//!
//! ```text
//! s = μ |a_t| fixed:   min  ½ yᵀ A y + (b + s)ᵀ y   over the cones and bounds           then s, and bounds of scaled rows, are updated
//! ```

use super::interior_point::InteriorPoint;
use super::scaled::{ScaledGroup, ScaledKind, ScaledProblem};

#[derive(Clone, Debug, Default)]
pub(super) struct FixedPointIteration {
    interior: InteriorPoint,
    shift: Vec<f64>,
    kept: Vec<f64>,
}

impl FixedPointIteration {
    /// Solves one convex problem, with s from the present a; after some rounds s is updated by half. Returns
    /// the number of inner steps.
    pub(super) fn run(&mut self, problem: &mut ScaledProblem, round: usize) -> usize {
        if round == 0 {
            self.shift.clear();
            self.shift.resize(problem.y.len(), 0.0);
        }
        let part = if round < 5 { 1.0 } else { 0.5 };
        for &ScaledGroup { row, kind } in &problem.groups {
            let shift = match kind {
                ScaledKind::Wedge { mu } => mu * problem.a[row + 1].abs(),
                ScaledKind::Cone { mu } => {
                    let (t, u) = (problem.a[row + 1], problem.a[row + 2]);
                    mu * (t * t + u * u).sqrt()
                }
                ScaledKind::Scaled { normal, mu } => problem.reach(normal, mu),
                ScaledKind::Bounded { .. } => 0.0,
            };
            self.shift[row] += part * (shift - self.shift[row]);
        }
        let steps = self.interior.run(problem, &self.shift);
        problem.tidy();
        problem.evaluate();
        self.kept.clear();
        self.kept.extend_from_slice(&problem.y);
        steps
    }

    /// Restores the end of the last convex problem.
    pub(super) fn restore(&self, problem: &mut ScaledProblem) {
        if self.kept.len() == problem.y.len() {
            problem.y.copy_from_slice(&self.kept);
            problem.evaluate();
        }
    }
}
