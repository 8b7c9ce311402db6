//! The fixed point of Acary and Cadoux: a sequence of convex problems.
//!
//! ```text
//! s = μ |a_t| held:   min  ½ yᵀ A y + (b + s)ᵀ y   over the cones and bounds           then s and bounds follow
//!
//! inside, alternating directions:   y ← (A + ρ)⁻¹ (ρ (z − u) − b − s),   z ← P(y + u),   u ← u + y − z
//! ```

use super::scaled::{Kind, Piece, Scaled, clamp};

#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    factor: Vec<f64>,
    rho: f64,
    shift: Vec<f64>,
    dual: Vec<f64>,
    x: Vec<f64>,
    kept: Vec<f64>,
}

impl Fixed {
    /// Some steps; y is left in the cones. The number of steps made, zero if A + ρ could not be factored.
    pub(super) fn run(&mut self, problem: &mut Scaled, steps: usize) -> usize {
        let k = problem.y.len();
        if self.dual.len() != k {
            self.rho = 0.0;
        }
        for array in [&mut self.shift, &mut self.dual, &mut self.x] {
            array.clear();
            array.resize(k, 0.0);
        }
        self.rho = 0.1;
        if !self.make_factor(problem) {
            return 0;
        }
        problem.tidy();
        problem.evaluate();
        for i in 0..k {
            self.dual[i] = -problem.a[i] / self.rho;
        }
        let mut made = 0;
        while made < steps {
            self.take_shift(problem);
            let (mut primal, mut dual) = (0.0, 0.0);
            for _ in 0..10 {
                for i in 0..k {
                    self.x[i] = self.rho * (problem.y[i] - self.dual[i]) - problem.bias[i] - self.shift[i];
                }
                self.solve(k);
                (primal, dual) = (0.0, 0.0);
                for i in 0..k {
                    // Over-relaxed.
                    self.x[i] = 1.6 * self.x[i] - 0.6 * problem.y[i];
                    self.kept[i] = problem.y[i];
                    problem.y[i] = self.x[i] + self.dual[i];
                }
                problem.tidy();
                for i in 0..k {
                    let off = self.x[i] - problem.y[i];
                    self.dual[i] += off;
                    primal += off * off;
                    let moved = self.rho * (problem.y[i] - self.kept[i]);
                    dual += moved * moved;
                }
            }
            made += 10;
            problem.evaluate();
            let ratio = primal.sqrt() / dual.sqrt();
            if !(0.2..=5.0).contains(&ratio) && ratio > 0.0 && ratio.is_finite() {
                let factor = clamp(ratio.sqrt(), 0.2, 5.0);
                let rho = clamp(self.rho * factor, 1e-8, 1e4);
                for dual in &mut self.dual {
                    *dual *= self.rho / rho;
                }
                self.rho = rho;
                if !self.make_factor(problem) {
                    return made;
                }
            }
        }
        made
    }

    pub(super) fn keep(&mut self, y: &[f64]) {
        self.kept.copy_from_slice(y);
    }

    pub(super) fn restore(&mut self, problem: &mut Scaled) {
        problem.y.copy_from_slice(&self.kept);
        problem.evaluate();
    }

    /// s, from a as it is.
    fn take_shift(&mut self, problem: &Scaled) {
        for &Piece { row, kind } in &problem.pieces {
            self.shift[row] = match kind {
                Kind::Wedge { mu } => mu * problem.a[row + 1].abs(),
                Kind::Cone { mu } => {
                    let (t, u) = (problem.a[row + 1], problem.a[row + 2]);
                    mu * (t * t + u * u).sqrt()
                }
                _ => 0.0,
            };
        }
    }

    /// L Lᵀ = A + ρ.
    fn make_factor(&mut self, problem: &Scaled) -> bool {
        let k = problem.y.len();
        self.kept.resize(k, 0.0);
        self.factor.clear();
        self.factor.extend_from_slice(&problem.matrix);
        for i in 0..k {
            self.factor[i * k + i] += self.rho;
            for j in 0..=i {
                let mut sum = self.factor[i * k + j];
                for c in 0..j {
                    sum -= self.factor[i * k + c] * self.factor[j * k + c];
                }
                if i > j {
                    self.factor[i * k + j] = sum / self.factor[j * k + j];
                } else if sum > 0.0 {
                    self.factor[i * k + i] = sum.sqrt();
                } else {
                    return false;
                }
            }
        }
        true
    }

    fn solve(&mut self, k: usize) {
        for i in 0..k {
            let row = &self.factor[i * k..][..k];
            for j in 0..i {
                self.x[i] -= row[j] * self.x[j];
            }
            self.x[i] /= row[i];
        }
        for i in (0..k).rev() {
            let row = &self.factor[i * k..][..k];
            self.x[i] /= row[i];
            for j in 0..i {
                self.x[j] -= row[j] * self.x[i];
            }
        }
    }
}
