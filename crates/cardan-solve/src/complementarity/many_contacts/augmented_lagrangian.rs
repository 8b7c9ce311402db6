//! The augmented Lagrangian: v by Newton's method for fixed λ and s; then λ and s are updated.

use super::block_cholesky::{Block6, BlockCholesky};
use super::contact_problem::{ConstraintKind, ContactProblem, DIM, NONE};
use super::sweep::{bounds, clamp, dot};
use super::{ContactOutcome, ManyContacts};
use crate::complementarity::local;
use crate::tolerances::ZERO_GRADIENT;

#[derive(Clone, Debug, Default)]
pub(super) struct AugmentedLagrangian {
    /// ρ in units of 1 / W: a large one needs few updates of λ, but makes φ hard to minimise.
    pub(super) weight: f64,
    velocity: Vec<[f64; DIM]>,
    pub(super) gradient: Vec<[f64; DIM]>,
    pub(super) step: Vec<[f64; DIM]>,
    /// J step, per row.
    pub(super) along: Vec<f64>,
    /// P(λ̂).
    pub(super) projected: Vec<f64>,
    /// v and a at the start of the Newton iteration on Coulomb's law, and at the start of its last step.
    pub(super) start: Vec<[f64; DIM]>,
    pub(super) start_a: Vec<f64>,
    pub(super) before: Vec<[f64; DIM]>,
    pub(super) before_a: Vec<f64>,
}

/// Below this residual, updates that do not help are the last: the remaining digits may be rounding.
const ROUNDED: f64 = 1e-9;

impl ManyContacts {
    pub(super) fn solve_newton(&mut self, problem: &ContactProblem, outcome: &mut ContactOutcome) {
        self.plan(problem);
        let rows = problem.rows();
        let newton = &mut self.newton;
        for array in [&mut newton.along, &mut newton.projected] {
            array.clear();
            array.resize(rows, 0.0);
        }
        for array in [&mut newton.gradient, &mut newton.step] {
            array.clear();
            array.resize(problem.blocks(), [0.0; DIM]);
        }
        let slides = problem
            .slots
            .iter()
            .any(|slot| matches!(slot.kind, ConstraintKind::Cone { mu } | ConstraintKind::Wedge { mu } if mu > 0.0));
        self.newton.weight = 30.0;
        let mut last = f64::INFINITY;
        let (mut stalled, mut idle) = (0, 0);
        while outcome.newton_steps < self.newton_steps {
            self.update_rates(problem);
            let before = outcome.newton_steps;
            let coulomb_newton = slides && self.coulomb_newton(problem, outcome);
            if !coulomb_newton {
                self.update_shift(problem);
                self.minimise(problem, outcome);
            }
            let steps = outcome.newton_steps - before;
            let (push, shift) = self.changes(problem);
            // The residual is that of the v that follows from λ; the iteration then continues with its own v.
            self.lambda.copy_from_slice(&self.newton.projected);
            self.newton.velocity.clear();
            self.newton.velocity.extend_from_slice(&self.velocity);
            self.update_velocity(problem);
            let before = outcome.residual;
            let residual = self.record_residual(problem, outcome);
            idle = if outcome.residual > 0.5 * before { idle + 1 } else { 0 };
            if outcome.converged {
                return;
            }
            let is_slow = outcome.residual > 0.1 * before;
            if is_slow
                && outcome.newton_steps >= self.relax_after
                && outcome.residual <= self.relaxed_tolerance
            {
                return;
            }
            std::mem::swap(&mut self.velocity, &mut self.newton.velocity);
            // Larger ρ where λ still changes most, smaller where s does, or where φ is hard to minimise.
            let change = if slides && !coulomb_newton {
                0.1
            } else if steps > 12 || shift > 10.0 * push {
                1.0 / 3.0
            } else if (coulomb_newton && steps <= 4) || (!slides && steps <= 6 && residual > 0.03 * last) {
                4.0
            } else {
                1.0
            };
            self.newton.weight = clamp(self.newton.weight * change, 10.0, 1e8);
            stalled = if steps == 0 { stalled + 1 } else { 0 };
            // The last digits may be lost in rounding.
            if stalled > 20 || (idle > 10 && outcome.residual <= ROUNDED) {
                return;
            }
            last = residual;
        }
    }

    /// Remaining changes of a and s in the metric of W; that of a by the update of λ that follows.
    fn changes(&self, problem: &ContactProblem) -> (f64, f64) {
        let (mut push, mut shift) = (0.0, 0.0);
        for (slot, contact) in problem.slots.iter().zip(&self.local_delassus) {
            let row = slot.row;
            for r in row..row + slot.kind.rows() {
                let change = (self.newton.projected[r] - self.lambda[r]).abs() * contact.mean_diagonal.sqrt();
                push = if change > push { change } else { push };
            }
            let a = &self.a[row..];
            let now = match slot.kind {
                ConstraintKind::Cone { mu } => mu * (a[1] * a[1] + a[2] * a[2]).sqrt(),
                ConstraintKind::Wedge { mu } => mu * a[1].abs(),
                _ => 0.0,
            };
            let change = (now - self.shift[row]).abs() * contact.inverse_mean_diagonal.sqrt();
            shift = if change > shift { change } else { shift };
        }
        (push / self.newton.weight, shift)
    }

    /// The pattern of M + Jᵀ D J.
    pub(super) fn plan(&mut self, problem: &ContactProblem) {
        self.factor.plan(problem.blocks(), problem.slots.iter().map(|slot| (slot.ends[0], slot.ends[1])));
    }

    /// s = μ |a_t|.
    pub(super) fn update_shift(&mut self, problem: &ContactProblem) {
        for slot in &problem.slots {
            let a = &self.a[slot.row..];
            self.shift[slot.row] = match slot.kind {
                ConstraintKind::Cone { mu } => mu * (a[1] * a[1] + a[2] * a[2]).sqrt(),
                ConstraintKind::Wedge { mu } => mu * a[1].abs(),
                _ => 0.0,
            };
        }
    }

    /// v that minimises φ; leaves P(λ̂) in `projected`.
    fn minimise(&mut self, problem: &ContactProblem, outcome: &mut ContactOutcome) {
        let mut first = f64::INFINITY;
        for step in 0..30 {
            let size = self.slope(problem);
            let square = self.newton.gradient.iter().flatten().fold(0.0, |sum, g| sum + g * g);
            let length = square.sqrt();
            if step == 0 {
                first = length;
            }
            // Rounding of the impulses that balance.
            if length <= ZERO_GRADIENT * size
                || (step > 0 && length <= 0.1 * first)
                || !length.is_finite()
                || outcome.newton_steps >= self.newton_steps
            {
                return;
            }
            self.fill(problem, true);
            outcome.newton_steps += 1;
            if !self.factor.factor() {
                return;
            }
            self.newton.step.copy_from_slice(&self.newton.gradient);
            self.factor.solve(&mut self.newton.step);
            self.update_step_rates(problem);
            let t = self.search(problem);
            for (velocity, step) in self.velocity.iter_mut().zip(&self.newton.step) {
                for i in 0..DIM {
                    velocity[i] -= t * step[i];
                }
            }
            for (a, along) in self.a.iter_mut().zip(&self.newton.along) {
                *a += t * along;
            }
        }
        self.slope(problem);
    }

    /// Step length that minimises φ: Newton's method on its slope, with a bracket.
    fn search(&mut self, problem: &ContactProblem) -> f64 {
        // The quadratic part: slope + t curve.
        let (mut slope, mut curve) = (0.0, 0.0);
        for block in 0..problem.blocks() {
            let step = &self.newton.step[block];
            for i in 0..DIM {
                let mut moved = 0.0;
                let mut off = 0.0;
                for j in 0..DIM {
                    moved += problem.mass[block][i][j] * step[j];
                    off += problem.mass[block][i][j] * (self.velocity[block][j] - problem.free[block][j]);
                }
                slope -= step[i] * off;
                curve += step[i] * moved;
            }
        }
        let at = |t: f64| {
            let (mut first, mut second) = (slope + t * curve, curve);
            for (slot, contact) in problem.slots.iter().zip(&self.local_delassus) {
                let rho = self.newton.weight * contact.inverse_mean_diagonal;
                let row = slot.row;
                let along = &self.newton.along[row..];
                let mut hat = [0.0; 6];
                for r in 0..slot.kind.rows() {
                    hat[r] =
                        self.lambda[row + r] - rho * (self.a[row + r] + self.shift[row + r] + t * along[r]);
                }
                let (slope, curve) = along_a_line(slot.kind, &hat, along, rho);
                first -= slope;
                second += curve;
            }
            (first, second)
        };
        let (mut lo, mut hi) = (0.0, f64::INFINITY);
        let mut t = 1.0;
        let (start, _) = at(0.0);
        for _ in 0..12 {
            let (first, second) = at(t);
            if first.abs() <= 0.2 * start.abs() {
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

    /// ∇φ and P(λ̂), from the present a. Returns the size of the impulses in it.
    pub(super) fn slope(&mut self, problem: &ContactProblem) -> f64 {
        let mut size = 0.0;
        for block in 0..problem.blocks() {
            let mut off = [0.0; DIM];
            for j in 0..DIM {
                off[j] = self.velocity[block][j] - problem.free[block][j];
            }
            for i in 0..DIM {
                let push = dot(&problem.mass[block][i], &off);
                self.newton.gradient[block][i] = push;
                size += push * push;
            }
        }
        for (slot, contact) in problem.slots.iter().zip(&self.local_delassus) {
            let rho = self.newton.weight * contact.inverse_mean_diagonal;
            let row = slot.row;
            let mut hat = [0.0; 6];
            for r in 0..slot.kind.rows() {
                hat[r] = self.lambda[row + r] - rho * (self.a[row + r] + self.shift[row + r]);
            }
            let projected = onto(slot.kind, &hat);
            for r in 0..slot.kind.rows() {
                self.newton.projected[row + r] = projected[r];
                size += projected[r] * projected[r];
                for e in 0..2 {
                    if let Some(gradient) = self.newton.gradient.get_mut(slot.ends[e] as usize) {
                        for i in 0..DIM {
                            gradient[i] -= problem.jac[row + r][e][i] * projected[r];
                        }
                    }
                }
            }
        }
        size.sqrt()
    }

    /// M + Jᵀ D J, with D = ρ P' at λ̂, or ρ.
    pub(super) fn fill(&mut self, problem: &ContactProblem, exact: bool) {
        self.factor.clear();
        for (block, mass) in problem.mass.iter().enumerate() {
            *self.factor.diagonal_of(block) = *mass;
        }
        for (index, (slot, contact)) in problem.slots.iter().zip(&self.local_delassus).enumerate() {
            let rho =
                if exact { self.newton.weight } else { self.admm.weight } * contact.inverse_mean_diagonal;
            let row = slot.row;
            let rows = slot.kind.rows();
            let mut derivative = [[0.0; 6]; 6];
            if exact {
                let mut hat = [0.0; 6];
                for r in 0..rows {
                    hat[r] = self.lambda[row + r] - rho * (self.a[row + r] + self.shift[row + r]);
                }
                derivative = project(slot.kind, &hat, rho).1;
                if derivative.iter().flatten().all(|d| *d == 0.0) {
                    continue;
                }
            } else {
                for r in 0..rows {
                    derivative[r][r] = rho;
                }
            }
            if rows == 3 {
                add_three(&mut self.factor, problem, index, &derivative);
                continue;
            }
            // D J, per end.
            let mut weighted = [[[0.0; DIM]; 2]; 6];
            for r in 0..rows {
                for c in 0..rows {
                    let factor = derivative[r][c];
                    if factor == 0.0 {
                        continue;
                    }
                    for e in 0..2 {
                        for i in 0..DIM {
                            weighted[r][e][i] += factor * problem.jac[row + c][e][i];
                        }
                    }
                }
            }
            for e in 0..2 {
                if slot.ends[e] == NONE {
                    continue;
                }
                let target = self.factor.diagonal_of(slot.ends[e] as usize);
                for r in 0..rows {
                    add_lower(target, &problem.jac[row + r][e], &weighted[r][e]);
                }
            }
            if let Some((target, first_is_row)) = self.factor.pair(index) {
                let (rows_of, columns_of) = if first_is_row { (0, 1) } else { (1, 0) };
                for r in 0..rows {
                    add_outer(target, &problem.jac[row + r][rows_of], &weighted[r][columns_of]);
                }
            }
        }
    }
}

/// Jᵀ D J of a contact of three rows: each entry is written once.
fn add_three(factor: &mut BlockCholesky, problem: &ContactProblem, index: usize, d: &[[f64; 6]; 6]) {
    let slot = &problem.slots[index];
    let jac = [&problem.jac[slot.row], &problem.jac[slot.row + 1], &problem.jac[slot.row + 2]];
    let mut weighted = [[[0.0; DIM]; 3]; 2];
    for e in 0..2 {
        if slot.ends[e] == NONE {
            continue;
        }
        for r in 0..3 {
            for i in 0..DIM {
                weighted[e][r][i] = d[r][0] * jac[0][e][i] + d[r][1] * jac[1][e][i] + d[r][2] * jac[2][e][i];
            }
        }
        let target = factor.diagonal_of(slot.ends[e] as usize);
        let w = &weighted[e];
        for (rows, width) in [(0..2, 2), (2..4, 4), (4..6, DIM)] {
            for i in rows {
                let (a, b, c) = (jac[0][e][i], jac[1][e][i], jac[2][e][i]);
                for j in 0..width {
                    target[i][j] += a * w[0][j] + b * w[1][j] + c * w[2][j];
                }
            }
        }
    }
    if let Some((target, first_is_row)) = factor.pair(index) {
        let (row, column) = if first_is_row { (0, 1) } else { (1, 0) };
        let w = &weighted[column];
        for i in 0..DIM {
            let (a, b, c) = (jac[0][row][i], jac[1][row][i], jac[2][row][i]);
            for j in 0..DIM {
                target[i][j] += a * w[0][j] + b * w[1][j] + c * w[2][j];
            }
        }
    }
}

/// Adds the lower triangle only, in rows of four and two numbers.
#[inline]
fn add_lower(target: &mut Block6, left: &[f64; DIM], right: &[f64; DIM]) {
    for i in 0..2 {
        for j in 0..2 {
            target[i][j] += left[i] * right[j];
        }
    }
    for i in 2..4 {
        for j in 0..4 {
            target[i][j] += left[i] * right[j];
        }
    }
    for i in 4..DIM {
        for j in 0..DIM {
            target[i][j] += left[i] * right[j];
        }
    }
}

#[inline]
pub(super) fn add_outer(target: &mut Block6, left: &[f64; DIM], right: &[f64; DIM]) {
    for i in 0..DIM {
        for j in 0..DIM {
            target[i][j] += left[i] * right[j];
        }
    }
}

/// P(λ̂).
pub(super) fn onto(kind: ConstraintKind, hat: &[f64; 6]) -> [f64; 6] {
    match kind {
        ConstraintKind::Held { .. } => *hat,
        ConstraintKind::Cone { mu } => {
            let [n, t, u] = local::project(mu, [hat[0], hat[1], hat[2]]);
            [n, t, u, 0.0, 0.0, 0.0]
        }
        ConstraintKind::Wedge { mu } => {
            let [n, t, _] = local::project(mu, [hat[0], hat[1], 0.0]);
            [n, t, 0.0, 0.0, 0.0, 0.0]
        }
        ConstraintKind::OneSided | ConstraintKind::Bounded { .. } => {
            let (lo, hi) = bounds(kind);
            [clamp(hat[0], lo, hi), 0.0, 0.0, 0.0, 0.0, 0.0]
        }
    }
}

/// d · P(λ̂) and ρ d · P'(λ̂) d.
#[inline]
fn along_a_line(kind: ConstraintKind, hat: &[f64; 6], d: &[f64], rho: f64) -> (f64, f64) {
    match kind {
        ConstraintKind::Held { rows } => {
            let (mut slope, mut square) = (0.0, 0.0);
            for r in 0..rows {
                slope += d[r] * hat[r];
                square += d[r] * d[r];
            }
            (slope, rho * square)
        }
        ConstraintKind::OneSided | ConstraintKind::Bounded { .. } => {
            let (lo, hi) = bounds(kind);
            let curve = if hat[0] > lo && hat[0] < hi { rho * d[0] * d[0] } else { 0.0 };
            (d[0] * clamp(hat[0], lo, hi), curve)
        }
        ConstraintKind::Cone { mu } | ConstraintKind::Wedge { mu } => {
            let both = matches!(kind, ConstraintKind::Cone { .. });
            let (t, u) = (hat[1], if both { hat[2] } else { 0.0 });
            let (d_t, d_u) = (d[1], if both { d[2] } else { 0.0 });
            let length = (t * t + u * u).sqrt();
            let square = d_t * d_t + d_u * d_u;
            if length <= mu * hat[0] {
                (d[0] * hat[0] + d_t * t + d_u * u, rho * (d[0] * d[0] + square))
            } else if mu * length <= -hat[0] {
                (0.0, 0.0)
            } else {
                let over = 1.0 / (1.0 + mu * mu);
                let normal = (hat[0] + mu * length) * over;
                if length <= 0.0 {
                    return (d[0] * normal, rho * d[0] * d[0] * over);
                }
                let outward = (d_t * t + d_u * u) / length;
                let rim = d[0] + mu * outward;
                let across = if both { mu * normal / length * (square - outward * outward) } else { 0.0 };
                (normal * rim, rho * (rim * rim * over + across))
            }
        }
    }
}

/// P(λ̂) and ρ P'(λ̂).
pub(super) fn project(kind: ConstraintKind, hat: &[f64; 6], rho: f64) -> ([f64; 6], [[f64; 6]; 6]) {
    let projected = onto(kind, hat);
    let mut d = [[0.0; 6]; 6];
    match kind {
        ConstraintKind::Held { rows } => {
            for r in 0..rows {
                d[r][r] = rho;
            }
        }
        ConstraintKind::OneSided | ConstraintKind::Bounded { .. } => {
            let (lo, hi) = bounds(kind);
            d[0][0] = if hat[0] > lo && hat[0] < hi { rho } else { 0.0 };
        }
        ConstraintKind::Cone { mu } | ConstraintKind::Wedge { mu } => {
            let tangents = kind.rows() - 1;
            let t = [hat[1], if tangents == 2 { hat[2] } else { 0.0 }];
            let length = (t[0] * t[0] + t[1] * t[1]).sqrt();
            if length <= mu * hat[0] {
                for r in 0..=tangents {
                    d[r][r] = rho;
                }
            } else if mu * length > -hat[0] {
                // On the boundary: n' = (n + μ |t|) / (1 + μ²), t' = μ n' u.
                let over = rho / (1.0 + mu * mu);
                d[0][0] = over;
                if length > 0.0 {
                    let u = [t[0] / length, t[1] / length];
                    let across = rho * mu * projected[0] / length;
                    for i in 0..tangents {
                        d[0][1 + i] = mu * u[i] * over;
                        d[1 + i][0] = mu * u[i] * over;
                        for j in 0..tangents {
                            let unit = if i == j { 1.0 } else { 0.0 };
                            let straight = if tangents == 2 { across * (unit - u[i] * u[j]) } else { 0.0 };
                            d[1 + i][1 + j] = mu * mu * u[i] * u[j] * over + straight;
                        }
                    }
                }
            }
        }
    }
    (projected, d)
}
