//! The proximal point method on λ: z with F(z) = 0 for fixed λ, by Newton's method of the size of the rank.
//!
//! ```text
//! F(z) = z − Cᵀ P(λ̂) = 0,    λ̂ = λ − ρ (C z + b + s),     F' = 1 + Cᵀ ρ P'(λ̂) (1 + ∂s/∂a) C
//! λ ← P(λ̂)
//! ```
//!
//! s = μ |a_t| is De Saxcé's shift. Where Newton's method does not lead to the solution, s is fixed for a step: F is then
//! the gradient of a convex function, which an exact line search minimises.

use super::lu::SmallLu;
use super::scaled::{FactoredRows, RowKind, Slope, project, project_derivative};
use crate::simd::lines::dot;

/// How a proximal step was solved.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Solved {
    /// With Coulomb's law as a whole.
    Coulomb {
        /// Newton steps.
        steps: usize,
    },
    /// With a fixed shift.
    Convex,
}

/// Most Newton steps before λ is updated.
const MOST_STEPS: usize = 12;
/// Step lengths that are tried.
const LENGTHS: [f64; 4] = [1.0, 0.5, 0.25, 0.0625];
/// |F| relative to the impulses in it below which it is rounding.
const ROUNDED: f64 = 1e-14;
/// |F| relative to its first one at which λ is updated.
const ENOUGH: f64 = 1e-3;

#[derive(Clone, Debug, Default)]
pub(super) struct ProximalPoint {
    z: Vec<f64>,
    a: Vec<f64>,
    /// Fixed shifts by row, where they are fixed.
    shift: Vec<f64>,
    /// λ̂ and P(λ̂).
    hat: Vec<f64>,
    pub(super) projected: Vec<f64>,
    /// F, and the Newton step.
    map: Vec<f64>,
    step: Vec<f64>,
    along: Vec<f64>,
    jacobian: SmallLu,
    weighted: Vec<f64>,
    trial_z: Vec<f64>,
    trial_a: Vec<f64>,
}

impl ProximalPoint {
    pub(super) fn begin(&mut self, rank: usize, rows: usize) {
        // Lengths only: every number is written before it is read.
        for array in [&mut self.z, &mut self.map, &mut self.step, &mut self.trial_z] {
            array.resize(rank, 0.0);
        }
        for array in [
            &mut self.a,
            &mut self.shift,
            &mut self.hat,
            &mut self.projected,
            &mut self.along,
            &mut self.trial_a,
        ] {
            array.resize(rows, 0.0);
        }
        self.jacobian.resize(rank);
        self.weighted.resize(3 * rank, 0.0);
    }

    /// z of F(z) = 0 for the λ of `rows`, from its own z; leaves P(λ̂) in `projected`.
    pub(super) fn solve(
        &mut self,
        rows: &mut FactoredRows,
        weight: f64,
        most: usize,
        steps: &mut usize,
    ) -> Solved {
        self.z.copy_from_slice(&rows.z);
        self.a.copy_from_slice(&rows.a);
        let before = *steps;
        if self.solve_coulomb(rows, weight, most, steps) {
            return Solved::Coulomb { steps: *steps - before };
        }
        self.z.copy_from_slice(&rows.z);
        self.a.copy_from_slice(&rows.a);
        self.minimise(rows, weight, most, steps);
        Solved::Convex
    }

    /// Newton's method on the whole law. Returns whether it led to the solution.
    fn solve_coulomb(&mut self, rows: &FactoredRows, weight: f64, most: usize, steps: &mut usize) -> bool {
        let mut size = self.evaluate(rows, weight, false);
        let first = norm(&self.map);
        let mut length = first;
        for _ in 0..MOST_STEPS {
            if length <= ROUNDED * size || length <= ENOUGH * first {
                return true;
            }
            if *steps >= most || !length.is_finite() {
                return false;
            }
            *steps += 1;
            self.fill(rows, weight, false);
            self.step.copy_from_slice(&self.map);
            if !(self.jacobian.factor() && self.jacobian.solve(&mut self.step)) {
                return false;
            }
            rates_along(rows, &self.step, &mut self.along);
            std::mem::swap(&mut self.z, &mut self.trial_z);
            std::mem::swap(&mut self.a, &mut self.trial_a);
            let mut has_helped = false;
            for t in LENGTHS {
                for (z, (start, step)) in self.z.iter_mut().zip(self.trial_z.iter().zip(&self.step)) {
                    *z = start - t * step;
                }
                for (a, (start, along)) in self.a.iter_mut().zip(self.trial_a.iter().zip(&self.along)) {
                    *a = start - t * along;
                }
                size = self.evaluate(rows, weight, false);
                let now = norm(&self.map);
                if now <= (1.0 - 0.5 * t) * length {
                    (length, has_helped) = (now, true);
                    break;
                }
            }
            if !has_helped {
                return length <= ROUNDED * size;
            }
        }
        length <= 0.1 * first
    }

    /// Minimises the convex function of a fixed shift by Newton's method with an exact line search.
    fn minimise(&mut self, rows: &FactoredRows, weight: f64, most: usize, steps: &mut usize) {
        for &(row, kind) in &rows.groups {
            self.shift[row] = kind.shift(&rows.a[row..]);
        }
        let mut first = f64::INFINITY;
        for round in 0..30 {
            let size = self.evaluate(rows, weight, true);
            let length = norm(&self.map);
            if round == 0 {
                first = length;
            }
            if length <= ROUNDED * size
                || length <= 1e-2 * first && round > 0
                || !length.is_finite()
                || *steps >= most
            {
                return;
            }
            *steps += 1;
            self.fill(rows, weight, true);
            self.step.copy_from_slice(&self.map);
            if !(self.jacobian.factor() && self.jacobian.solve(&mut self.step)) {
                return;
            }
            rates_along(rows, &self.step, &mut self.along);
            let t = self.search(rows, weight);
            self.z.iter_mut().zip(&self.step).for_each(|(z, step)| *z -= t * step);
            self.a.iter_mut().zip(&self.along).for_each(|(a, along)| *a -= t * along);
        }
        self.evaluate(rows, weight, true);
    }

    /// The step length at which the convex function is least along the step.
    fn search(&self, rows: &FactoredRows, weight: f64) -> f64 {
        let (slope, curve) = (-dot(&self.step, &self.z), dot(&self.step, &self.step));
        let at = |t: f64| {
            let (mut first, mut second) = (slope + t * curve, curve);
            for &(row, kind) in &rows.groups {
                let (mut hat, mut moved) = ([0.0; 3], [0.0; 3]);
                for r in 0..kind.rows() {
                    let a = self.a[row + r] - t * self.along[row + r];
                    let shift = if r == 0 { self.shift[row] } else { 0.0 };
                    hat[r] = rows.y[row + r] - weight * (a + shift);
                    moved[r] = self.along[row + r];
                }
                let point = project(kind, &hat);
                for r in 0..kind.rows() {
                    first += point[r] * moved[r];
                }
                match project_derivative(kind, &hat) {
                    Slope::Zero => {}
                    Slope::Unit => second += weight * moved.iter().map(|m| m * m).sum::<f64>(),
                    Slope::Matrix(d) => {
                        for r in 0..3 {
                            for c in 0..3 {
                                second += weight * moved[r] * d[r][c] * moved[c];
                            }
                        }
                    }
                }
            }
            (first, second)
        };
        let (mut lo, mut hi) = (0.0, f64::INFINITY);
        let mut t = 1.0;
        let (start, _) = at(0.0);
        for _ in 0..12 {
            let (first, second) = at(t);
            if first.abs() <= 0.1 * start.abs() {
                break;
            }
            if first < 0.0 {
                lo = t;
            } else {
                hi = t;
            }
            let next = t - first / second;
            t = if next > lo && next < hi {
                next
            } else if hi < f64::INFINITY {
                0.5 * (lo + hi)
            } else {
                2.0 * t
            };
        }
        t
    }

    /// λ̂, P(λ̂) and F at the present z and a. Returns the size of the impulses in F.
    fn evaluate(&mut self, rows: &FactoredRows, weight: f64, is_fixed: bool) -> f64 {
        self.map.copy_from_slice(&self.z);
        let rank = rows.rank;
        for &(row, kind) in &rows.groups {
            let count = kind.rows();
            let shift = if is_fixed { self.shift[row] } else { kind.shift(&self.a[row..]) };
            for r in row..row + count {
                self.hat[r] = rows.y[r] - weight * self.a[r];
            }
            self.hat[row] -= weight * shift;
            let point = project(kind, &self.hat[row..]);
            for (r, &value) in point[..count].iter().enumerate() {
                self.projected[row + r] = value;
                if value != 0.0 {
                    let line = &rows.factor[(row + r) * rank..][..rank];
                    self.map.iter_mut().zip(line).for_each(|(map, c)| *map -= c * value);
                }
            }
        }
        norm(&self.z) + norm(&self.projected)
    }

    /// F'.
    fn fill(&mut self, rows: &FactoredRows, weight: f64, is_fixed: bool) {
        let rank = rows.rank;
        self.jacobian.set_to_one();
        for &(row, kind) in &rows.groups {
            let slope = project_derivative(kind, &self.hat[row..]);
            let d = match slope {
                Slope::Zero => continue,
                Slope::Unit => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                Slope::Matrix(d) => d,
            };
            let count = kind.rows();
            let d = if is_fixed { d } else { with_shift(kind, d, &self.a[row..]) };
            let lines = &rows.factor[row * rank..(row + count) * rank];
            // ρ D C of the group, then Cᵀ of it.
            for (r, weighted) in self.weighted.chunks_exact_mut(rank).take(count).enumerate() {
                weighted.fill(0.0);
                for (c, line) in lines.chunks_exact(rank).enumerate() {
                    let factor = weight * d[r][c];
                    if factor != 0.0 {
                        weighted.iter_mut().zip(line).for_each(|(out, c)| *out += factor * c);
                    }
                }
            }
            for (line, weighted) in lines.chunks_exact(rank).zip(self.weighted.chunks_exact(rank)) {
                for (&c, out) in line.iter().zip(self.jacobian.matrix.chunks_exact_mut(rank)) {
                    if c != 0.0 {
                        out.iter_mut().zip(weighted).for_each(|(out, w)| *out += c * w);
                    }
                }
            }
        }
    }
}

/// D (1 + n μ uᵀ), u: direction of a_t.
fn with_shift(kind: RowKind, mut d: [[f64; 3]; 3], a: &[f64]) -> [[f64; 3]; 3] {
    let RowKind::Cone { mu, tangents } = kind else { return d };
    let (x, y) = (a[1], if tangents == 2 { a[2] } else { 0.0 });
    let length = (x * x + y * y).sqrt();
    if length > 0.0 {
        for line in &mut d {
            let normal = line[0] * mu / length;
            line[1] += normal * x;
            line[2] += normal * y;
        }
    }
    d
}

/// C of a step, by row.
fn rates_along(rows: &FactoredRows, step: &[f64], out: &mut [f64]) {
    for (line, out) in rows.factor.chunks_exact(rows.rank).zip(out) {
        *out = dot(line, step);
    }
}

fn norm(values: &[f64]) -> f64 {
    dot(values, values).sqrt()
}
