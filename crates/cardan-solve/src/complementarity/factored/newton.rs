//! Newton's method on the map of Alart and Curnier, with linear systems of the size of the rank.
//!
//! With ẑ = y − a the map is F = y − P(ẑ): normals onto λ_n ≥ 0, tangents onto the disc of radius μ max(0, ẑ_n),
//! bounded rows onto their interval. E is the derivative of P, block by block. Since da = C dz and dz = Cᵀ dy,
//!
//! ```text
//! (1 − E) dy + E C dz = −F      ⇒      (1 + Cᵀ M⁻¹ E C) dz = −Cᵀ M⁻¹ F,     M = 1 − E + δ E
//! dy = −M⁻¹ (F + E C dz)
//! ```
//!
//! δ > 0 keeps M regular where a contact sticks (E = 1): of many λ with the same a, the step takes the nearest one.

use super::body_rows::NO_BODY;
use super::lu::SmallLu;
use super::scaled::{FactoredRows, RowKind, own_rates};
use crate::articulated::f64x3::run_vectorized;
use crate::lane::Task;
use crate::simd::lines::{add_scaled, add_three};

/// δ, larger where a step fails.
const PROXIMAL: [f64; 3] = [1e-9, 1e-6, 1e-3];
/// Halvings of a step.
const HALVINGS: usize = 8;

#[derive(Clone, Debug, Default)]
pub(super) struct RankNewton {
    /// F, by row, and E and M⁻¹ by group.
    map: Vec<f64>,
    slopes: Vec<[[f64; 3]; 3]>,
    inverses: Vec<[[f64; 3]; 3]>,
    jacobian: SmallLu,
    weighted: Vec<f64>,
    dz: Vec<f64>,
    dy: Vec<f64>,
    start: Vec<f64>,
}

impl RankNewton {
    pub(super) fn begin(&mut self, rank: usize, rows: usize, groups: usize) {
        // Lengths only: every number is written before it is read.
        for array in [&mut self.map, &mut self.dy, &mut self.start] {
            array.resize(rows, 0.0);
        }
        for array in [&mut self.slopes, &mut self.inverses] {
            array.resize(groups, [[0.0; 3]; 3]);
        }
        self.jacobian.resize(rank);
        self.weighted.resize(3 * rank, 0.0);
        self.dz.resize(rank, 0.0);
    }

    /// One step with a line search, from y of `rows`. Returns whether it was taken; otherwise y is as before.
    pub(super) fn step(&mut self, rows: &mut FactoredRows, steps: &mut usize) -> bool {
        let before = self.evaluate(rows, true);
        self.start.copy_from_slice(&rows.y);
        for proximal in PROXIMAL {
            *steps += 1;
            if !self.solve(rows, proximal) {
                continue;
            }
            let mut length = 1.0;
            for _ in 0..HALVINGS {
                let moved = self.start.iter().zip(&self.dy);
                rows.y.iter_mut().zip(moved).for_each(|(y, (start, dy))| *y = start + length * dy);
                rows.evaluate();
                let after = self.evaluate(rows, false);
                if after < before * (1.0 - 0.1 * length) {
                    return true;
                }
                length *= 0.5;
            }
            rows.y.copy_from_slice(&self.start);
            rows.evaluate();
        }
        false
    }

    /// One whole step, whatever it does to F. Returns false if there is none; y is then as before.
    pub(super) fn whole_step(&mut self, rows: &mut FactoredRows, steps: &mut usize) -> bool {
        self.evaluate(rows, true);
        *steps += 1;
        if !self.solve(rows, PROXIMAL[0]) {
            return false;
        }
        rows.y.iter_mut().zip(&self.dy).for_each(|(y, dy)| *y += dy);
        rows.evaluate();
        true
    }

    /// The sum of squares of F; with `keep`, F and E too.
    fn evaluate(&mut self, rows: &FactoredRows, keep: bool) -> f64 {
        let mut sum = 0.0;
        for (index, &(row, kind)) in rows.groups.iter().enumerate() {
            let count = kind.rows();
            let mut hat = [0.0; 3];
            for (r, hat) in hat[..count].iter_mut().enumerate() {
                *hat = rows.y[row + r] - rows.a[row + r];
            }
            let point = onto(kind, hat);
            for r in 0..count {
                let off = rows.y[row + r] - point[r];
                sum += off * off;
                if keep {
                    self.map[row + r] = off;
                }
            }
            if keep {
                self.slopes[index] = onto_derivative(kind, hat);
            }
        }
        sum
    }

    /// dy of F and E with this δ.
    fn solve(&mut self, rows: &mut FactoredRows, proximal: f64) -> bool {
        run_vectorized(SolveTask { newton: self, rows, proximal })
    }

    #[inline(always)]
    fn solve_inlined(&mut self, rows: &mut FactoredRows, proximal: f64) -> bool {
        let FactoredRows { groups, bodies, factor, rank, .. } = rows;
        let rank = *rank;
        self.jacobian.set_to_one();
        self.dz.fill(0.0);
        bodies.clear_wrenches();
        bodies.clear_stiffness();
        // Friction of a sliding contact depends on its normal force, not the other way round.
        let mut is_symmetric = true;
        for (index, &(row, kind)) in groups.iter().enumerate() {
            let slope = &self.slopes[index];
            let inverse = inverse(slope, proximal, kind.rows());
            self.inverses[index] = inverse;
            // M⁻¹ F and M⁻¹ E.
            let off = times(&inverse, FactoredRows::three(&self.map, row, kind));
            let is_open = slope[0][0] == 0.0;
            is_symmetric &= slope[1][0] == 0.0 && slope[2][0] == 0.0;
            let mut d = [[0.0; 3]; 3];
            if !is_open {
                for (d, row) in d.iter_mut().zip(&inverse) {
                    for (c, d) in d.iter_mut().enumerate() {
                        *d = (row[0] * slope[0][c] + row[1] * slope[1][c]) + row[2] * slope[2][c];
                    }
                }
            }
            if bodies.of_group[index] == NO_BODY {
                self.add_own(&factor[row * rank..(row + kind.rows()) * rank], rank, off, &d, is_open);
                continue;
            }
            bodies.push(index, [-off[0], -off[1], -off[2]]);
            if !is_open {
                bodies.stiffen(index, &d);
            }
        }
        bodies.add_to(&mut self.dz);
        bodies.add_squares(&mut self.jacobian.matrix, rank, is_symmetric);
        let is_solved = match is_symmetric {
            true => self.jacobian.factor_symmetric() && self.jacobian.solve_symmetric(&mut self.dz),
            false => self.jacobian.factor() && self.jacobian.solve(&mut self.dz),
        };
        is_solved && self.step_back(rows)
    }

    /// Adds a group with rows of its own to the linear system.
    #[inline(always)]
    fn add_own(&mut self, lines: &[f64], rank: usize, off: [f64; 3], d: &[[f64; 3]; 3], is_open: bool) {
        let count = lines.len() / rank;
        for (r, line) in lines.chunks_exact(rank).enumerate() {
            if off[r] != 0.0 {
                add_scaled(&mut self.dz, -off[r], line);
            }
            if is_open {
                continue;
            }
            let weighted = &mut self.weighted[r * rank..][..rank];
            weighted.fill(0.0);
            for (c, line) in lines.chunks_exact(rank).enumerate() {
                if d[r][c] != 0.0 {
                    add_scaled(weighted, d[r][c], line);
                }
            }
        }
        let weighted = [0, 1, 2].map(|r| &self.weighted[r * rank..][..rank]);
        match count {
            _ if is_open => {}
            3 => {
                let [first, second, third] = [0, 1, 2].map(|r| &lines[r * rank..][..rank]);
                for (i, out) in self.jacobian.matrix.chunks_exact_mut(rank).enumerate() {
                    // Columns of other bodies' joints are zero.
                    let factors = [first[i], second[i], third[i]];
                    if factors != [0.0; 3] {
                        add_three(out, factors, weighted);
                    }
                }
            }
            _ => {
                for (r, weighted) in weighted.into_iter().enumerate().take(count) {
                    let line = &lines[r * rank..][..rank];
                    for (i, out) in self.jacobian.matrix.chunks_exact_mut(rank).enumerate() {
                        add_scaled(out, line[i], weighted);
                    }
                }
            }
        }
    }

    /// dy of dz.
    #[inline(always)]
    fn step_back(&mut self, rows: &mut FactoredRows) -> bool {
        let FactoredRows { groups, bodies, factor, rank, .. } = rows;
        bodies.set_from(&self.dz);
        let mut is_finite = true;
        for (index, &(row, kind)) in groups.iter().enumerate() {
            let rate = match bodies.of_group[index] {
                NO_BODY => own_rates(factor, *rank, row, kind, &self.dz),
                _ => bodies.rates(index),
            };
            let map = FactoredRows::three(&self.map, row, kind);
            let moved = times(&self.slopes[index], rate);
            let sum = times(&self.inverses[index], [map[0] + moved[0], map[1] + moved[1], map[2] + moved[2]]);
            for (dy, sum) in self.dy[row..row + kind.rows()].iter_mut().zip(sum) {
                *dy = -sum;
                is_finite &= sum.is_finite();
            }
        }
        is_finite
    }
}

#[inline(always)]
fn times(m: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    let along = |row: &[f64; 3]| (row[0] * v[0] + row[1] * v[1]) + row[2] * v[2];
    [along(&m[0]), along(&m[1]), along(&m[2])]
}

/// [`RankNewton::solve`], compiled for the vector unit.
struct SolveTask<'s> {
    newton: &'s mut RankNewton,
    rows: &'s mut FactoredRows,
    proximal: f64,
}

impl Task for SolveTask<'_> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        self.newton.solve_inlined(self.rows, self.proximal)
    }
}

/// P of the map.
#[inline]
fn onto(kind: RowKind, hat: [f64; 3]) -> [f64; 3] {
    match kind {
        RowKind::Bounded { .. } => super::scaled::project(kind, &hat),
        RowKind::Cone { mu, .. } => {
            let normal = if hat[0] > 0.0 { hat[0] } else { 0.0 };
            let radius = mu * normal;
            let length = (hat[1] * hat[1] + hat[2] * hat[2]).sqrt();
            let scale = if length > radius { radius / length } else { 1.0 };
            [normal, scale * hat[1], scale * hat[2]]
        }
    }
}

/// E.
#[inline]
fn onto_derivative(kind: RowKind, hat: [f64; 3]) -> [[f64; 3]; 3] {
    let mut d = [[0.0; 3]; 3];
    match kind {
        RowKind::Bounded { lo, hi } => {
            d[0][0] = if hat[0] > lo && hat[0] < hi { 1.0 } else { 0.0 };
        }
        RowKind::Cone { mu, tangents } => {
            if hat[0] <= 0.0 || hat[0].is_nan() {
                return d;
            }
            d[0][0] = 1.0;
            let radius = mu * hat[0];
            let length = (hat[1] * hat[1] + hat[2] * hat[2]).sqrt();
            if length <= radius {
                (d[1][1], d[2][2]) = (1.0, if tangents == 2 { 1.0 } else { 0.0 });
                return d;
            }
            let (x, y) = (hat[1] / length, hat[2] / length);
            (d[1][0], d[2][0]) = (mu * x, mu * y);
            if tangents == 2 {
                let across = radius / length;
                d[1][1] = across * y * y;
                d[2][2] = across * x * x;
                (d[1][2], d[2][1]) = (-across * x * y, -across * x * y);
            }
        }
    }
    d
}

/// (1 − E + δ E)⁻¹. The normal does not depend on the tangents, so the block is lower triangular in them.
#[inline(always)]
fn inverse(slope: &[[f64; 3]; 3], proximal: f64, rows: usize) -> [[f64; 3]; 3] {
    let less = 1.0 - proximal;
    let mut m = [[0.0; 3]; 3];
    let normal = 1.0 / (1.0 - less * slope[0][0]);
    m[0][0] = normal;
    if rows == 1 {
        return m;
    }
    let (a, b, c) = (1.0 - less * slope[1][1], -less * slope[1][2], 1.0 - less * slope[2][2]);
    let (x, y) = (-less * slope[1][0] * normal, -less * slope[2][0] * normal);
    let over = 1.0 / (a * c - b * b);
    (m[1][1], m[1][2], m[2][1], m[2][2]) = (c * over, -b * over, -b * over, a * over);
    m[1][0] = -(m[1][1] * x + m[1][2] * y);
    m[2][0] = -(m[2][1] * x + m[2][2] * y);
    m
}
