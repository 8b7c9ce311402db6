//! Semismooth Newton on the map of Alart and Curnier.
//!
//! ```text
//! z = y − a
//! normals       F_n = y_n − max(0, z_n)                      bounded rows: y − clamp(z)
//! tangents      F_t = y_t − P_R(z_t),  R = μ max(0, z_n)     P_R: onto the disc of radius R; scaled rows: onto [−R, R]
//! ```
//!
//! Each row of the derivative is one of A (λ > 0, sticking), one of the unit matrix (open, at a bound), or
//! for sliding, with u = z_t / |z_t|:
//!
//! ```text
//! dF_t = dy_t − μ u dz_n − (R / |z_t|) (1 − u uᵀ) dz_t           dz = dy − A dy
//! ```
//!
//! In the derivative A is replaced by A + δ, δ = 1e-9, so that dependent rows cause no singular matrix: the
//! step is that of a proximal-point method, with the same zeros of F.

use super::scaled::{ScaledGroup, ScaledKind, ScaledProblem, clamp};

#[derive(Clone, Debug, Default)]
pub(super) struct SemismoothNewton {
    map: Vec<f64>,
    derivative: Vec<f64>,
    start: Vec<f64>,
    weight: Vec<f64>,
    /// Rows in the order of pivots.
    order: Vec<usize>,
}

impl SemismoothNewton {
    /// One step with a line search. False if no step length reduces F. With `bold`, a full step whatever F
    /// becomes.
    pub(super) fn step(&mut self, problem: &mut ScaledProblem, bold: bool) -> bool {
        let k = problem.y.len();
        for array in [&mut self.map, &mut self.start, &mut self.weight] {
            array.clear();
            array.resize(k, 0.0);
        }
        for group in &problem.groups {
            let rows = group.rows();
            let weight = 1.0 / problem.size_of(group.row, rows);
            self.weight[group.row..group.row + rows].fill(weight);
        }
        // δ of the module page, larger where the step fails.
        for proximal in [1e-9, 1e-6, 1e-3] {
            let before = self.merit(problem);
            self.fill(problem, proximal);
            if !self.solve() {
                continue;
            }
            self.start.copy_from_slice(&problem.y);
            let mut length = 1.0;
            for _ in 0..8 {
                for i in 0..k {
                    problem.y[i] = self.start[i] - length * self.map[i];
                }
                problem.evaluate();
                let mut after = 0.0;
                for_each(problem, |row, value| {
                    let part = value * self.weight[row];
                    after += part * part;
                });
                if after < before * (1.0 - 0.1 * length) || bold {
                    return true;
                }
                length *= 0.5;
            }
            problem.y.copy_from_slice(&self.start);
            problem.evaluate();
        }
        false
    }

    /// F and the sum of its weighted squares.
    fn merit(&mut self, problem: &ScaledProblem) -> f64 {
        let mut sum = 0.0;
        for_each(problem, |row, value| {
            self.map[row] = value;
            let part = value * self.weight[row];
            sum += part * part;
        });
        sum
    }

    /// The derivative of F.
    fn fill(&mut self, problem: &ScaledProblem, proximal: f64) {
        let k = problem.y.len();
        self.derivative.clear();
        self.derivative.resize(k * k, 0.0);
        let z = |row: usize| problem.y[row] - problem.a[row];
        // row += factor × (row of A + δ), or of the unit matrix.
        let add_a = |out: &mut [f64], row: usize, factor: f64| {
            for (out, entry) in out.iter_mut().zip(&problem.matrix[row * k..][..k]) {
                *out += factor * entry;
            }
            out[row] += factor * proximal;
        };
        for group in &problem.groups {
            let &ScaledGroup { row, kind } = group;
            let (mu, normal, first, tangents) = match kind {
                ScaledKind::Bounded { lo, hi } => {
                    let out = &mut self.derivative[row * k..][..k];
                    if z(row) > lo && z(row) < hi {
                        add_a(out, row, 1.0)
                    } else {
                        out[row] = 1.0
                    }
                    continue;
                }
                ScaledKind::Scaled { normal, mu } => (mu, normal, row, 1),
                ScaledKind::Wedge { mu } => (mu, row, row + 1, 1),
                ScaledKind::Cone { mu } => (mu, row, row + 1, 2),
            };
            if normal == row {
                let out = &mut self.derivative[row * k..][..k];
                if z(row) > 0.0 { add_a(out, row, 1.0) } else { out[row] = 1.0 }
            }
            let radius = if z(normal) > 0.0 { mu * z(normal) } else { 0.0 };
            let t = [z(first), if tangents == 2 { z(first + 1) } else { 0.0 }];
            let length = (t[0] * t[0] + t[1] * t[1]).sqrt();
            for i in 0..tangents {
                let out = &mut self.derivative[(first + i) * k..][..k];
                if length <= radius && radius > 0.0 {
                    add_a(out, first + i, 1.0);
                    continue;
                }
                out[first + i] += 1.0;
                if radius <= 0.0 || radius.is_nan() {
                    continue;
                }
                // −μ u_i dz_n
                out[normal] -= mu * t[i] / length;
                add_a(out, normal, mu * t[i] / length);
                if tangents == 1 {
                    continue;
                }
                // −(R / |z|) (1 − u uᵀ)_ij dz_j
                for j in 0..2 {
                    let unit = if i == j { 1.0 } else { 0.0 };
                    let factor = radius / length * (unit - t[i] * t[j] / (length * length));
                    out[first + j] -= factor;
                    add_a(out, first + j, factor);
                }
            }
        }
    }

    /// map ← derivative⁻¹ map, with row pivoting.
    fn solve(&mut self) -> bool {
        let k = self.map.len();
        self.order.clear();
        self.order.extend(0..k);
        let matrix = &mut self.derivative;
        for c in 0..k {
            let mut best = c;
            for r in c + 1..k {
                if matrix[self.order[r] * k + c].abs() > matrix[self.order[best] * k + c].abs() {
                    best = r;
                }
            }
            self.order.swap(c, best);
            let p = self.order[c];
            let pivot = matrix[p * k + c];
            if pivot == 0.0 || pivot.is_nan() {
                return false;
            }
            for r in c + 1..k {
                let q = self.order[r];
                let factor = matrix[q * k + c] / pivot;
                if factor == 0.0 {
                    continue;
                }
                let (upper, lower) = two_rows(matrix, k, p, q);
                for (lower, upper) in lower[c + 1..].iter_mut().zip(&upper[c + 1..]) {
                    *lower -= factor * upper;
                }
                self.map[q] -= factor * self.map[p];
            }
        }
        for c in (0..k).rev() {
            let p = self.order[c];
            let mut sum = self.map[p];
            for j in c + 1..k {
                sum -= matrix[p * k + j] * self.start[j];
            }
            self.start[c] = sum / matrix[p * k + c];
        }
        self.map.copy_from_slice(&self.start);
        self.map.iter().all(|v| v.is_finite())
    }
}

impl ScaledGroup {
    pub(super) fn rows(&self) -> usize {
        match self.kind {
            ScaledKind::Cone { .. } => 3,
            ScaledKind::Wedge { .. } => 2,
            _ => 1,
        }
    }
}

/// Row p for reading, row q for writing.
fn two_rows(matrix: &mut [f64], k: usize, p: usize, q: usize) -> (&[f64], &mut [f64]) {
    if p < q {
        let (head, tail) = matrix.split_at_mut(q * k);
        (&head[p * k..][..k], &mut tail[..k])
    } else {
        let (head, tail) = matrix.split_at_mut(p * k);
        (&tail[..k], &mut head[q * k..][..k])
    }
}

/// F, row by row.
fn for_each(problem: &ScaledProblem, mut see: impl FnMut(usize, f64)) {
    let y = &problem.y;
    let z = |row: usize| y[row] - problem.a[row];
    for &ScaledGroup { row, kind } in &problem.groups {
        let (mu, normal) = match kind {
            ScaledKind::Bounded { lo, hi } => {
                see(row, y[row] - clamp(z(row), lo, hi));
                continue;
            }
            ScaledKind::Scaled { normal, mu } => (mu, normal),
            ScaledKind::Wedge { mu } | ScaledKind::Cone { mu } => (mu, row),
        };
        let onto = if z(normal) > 0.0 { z(normal) } else { 0.0 };
        let radius = mu * onto;
        match kind {
            ScaledKind::Cone { .. } => {
                see(row, y[row] - onto);
                let (t, u) = (z(row + 1), z(row + 2));
                let length = (t * t + u * u).sqrt();
                let scale = if length > radius { radius / length } else { 1.0 };
                see(row + 1, y[row + 1] - scale * t);
                see(row + 2, y[row + 2] - scale * u);
            }
            ScaledKind::Wedge { .. } => {
                see(row, y[row] - onto);
                see(row + 1, y[row + 1] - clamp(z(row + 1), -radius, radius));
            }
            _ => see(row, y[row] - clamp(z(row), -radius, radius)),
        }
    }
}
