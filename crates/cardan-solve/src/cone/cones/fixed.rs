//! The fixed point of Acary and Cadoux: a sequence of convex problems.
//!
//! ```text
//! s = μ |a_t| held:   min  ½ yᵀ A y + (b + s)ᵀ y   over the cones and bounds           then s, and bounds of scaled rows, follow
//! ```

use super::interior::Interior;
use super::scaled::{Kind, Piece, Scaled};

#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    interior: Interior,
    shift: Vec<f64>,
    kept: Vec<f64>,
}

impl Fixed {
    /// One convex problem, with s from a as it is; after some rounds it follows by half. The number of steps inside.
    pub(super) fn run(&mut self, problem: &mut Scaled, round: usize) -> usize {
        if round == 0 {
            self.shift.clear();
            self.shift.resize(problem.y.len(), 0.0);
        }
        let part = if round < 5 { 1.0 } else { 0.5 };
        for &Piece { row, kind } in &problem.pieces {
            let shift = match kind {
                Kind::Wedge { mu } => mu * problem.a[row + 1].abs(),
                Kind::Cone { mu } => {
                    let (t, u) = (problem.a[row + 1], problem.a[row + 2]);
                    mu * (t * t + u * u).sqrt()
                }
                Kind::Scaled { normal, mu } => problem.reach(normal, mu),
                Kind::Bounded { .. } => 0.0,
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

    /// Back to where the last convex problem ended.
    pub(super) fn restore(&self, problem: &mut Scaled) {
        if self.kept.len() == problem.y.len() {
            problem.y.copy_from_slice(&self.kept);
            problem.evaluate();
        }
    }
}
