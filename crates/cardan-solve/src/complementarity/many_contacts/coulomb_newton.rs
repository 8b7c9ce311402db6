//! Newton's method on the map of Alart and Curnier: λ and the v that follows from it, at once.
//!
//! With λ̂ = λ − a / W the map is F = λ − P(λ̂): normals onto λ_n ≥ 0, tangents onto the disc of radius
//! μ max(0, λ̂_n), bounded rows onto their interval, equalities nowhere. E is the derivative of P. Since
//! da = J dv and M dv = Jᵀ dλ,
//!
//! ```text
//! (1 − E) dλ + E J dv / W = −F      ⇒      (M + Jᵀ K J) dv = −Jᵀ N F,    N = (1 − E + δ E)⁻¹,  K = N E / W
//! dλ = −N (F + E J dv / W)
//! ```
//!
//! δ > 0 keeps N regular where a contact sticks (E = 1): of many λ with the same a, the step takes the nearest
//! one. λ does not depend on δ where F vanishes, so unlike a penalty it costs no digits. The matrix has no
//! symmetry where contacts slide, since friction depends on the normal force and not the other way round.

use super::block_cholesky::{Block6, BlockCholesky};
use super::contact_problem::{ConstraintKind, ConstraintSlot, ContactProblem, DIM, NONE};
use super::sweep::{bounds, clamp};
use super::{ContactOutcome, ManyContacts};
use crate::articulated::f64x3::run_vectorized;
use crate::lane::Task;

/// Most rows of a constraint with friction.
const FRICTION_ROWS: usize = 3;
/// Lengths of a step that are tried.
const LENGTHS: [f64; 5] = [1.0, 0.5, 0.25, 0.125, 0.0625];
/// First δ, the least and the largest one.
const PROXIMAL: (f64, f64, f64) = (1e-3, 1e-6, 1e-1);
/// What δ is multiplied by after a whole step, and after one that was shortened to an eighth or less: then
/// the active set is not known yet.
const LOWER: f64 = 0.3;
const RAISE: f64 = 3.0;
/// Steps in a row without a better residual after which the iteration is given up.
const MOST_IDLE: usize = 12;

/// F, N and E of the constraints, and a step.
#[derive(Clone, Debug, Default)]
pub(super) struct CoulombNewton {
    map: Vec<f64>,
    inverses: Vec<[[f64; FRICTION_ROWS]; FRICTION_ROWS]>,
    slopes: Vec<[[f64; FRICTION_ROWS]; FRICTION_ROWS]>,
    step: Vec<[f64; DIM]>,
    /// J dv and dλ.
    along: Vec<f64>,
    change: Vec<f64>,
    start: Vec<f64>,
    start_a: Vec<f64>,
}

impl ManyContacts {
    /// Solves from the present λ, until the tolerance, the limit of steps or a standstill.
    pub(super) fn coulomb_newton(&mut self, problem: &ContactProblem, outcome: &mut ContactOutcome) {
        let newton = &mut self.coulomb;
        for array in [&mut newton.map, &mut newton.along, &mut newton.change] {
            array.clear();
            array.resize(problem.rows(), 0.0);
        }
        for array in [&mut newton.inverses, &mut newton.slopes] {
            array.resize(problem.constraints(), [[0.0; FRICTION_ROWS]; FRICTION_ROWS]);
        }
        newton.step.resize(problem.blocks(), [0.0; DIM]);
        let (mut proximal, mut idle) = (PROXIMAL.0, 0);
        self.update_rates(problem);
        while outcome.newton_steps < self.newton_steps {
            let before = run_vectorized(MapTask { many: self, problem });
            outcome.newton_steps += 1;
            if !before.is_finite() || !run_vectorized(StepTask { many: self, problem, proximal }) {
                return;
            }
            let length = self.search(problem, before);
            self.update_velocity(problem);
            let best = outcome.residual;
            self.record_residual(problem, outcome);
            if outcome.converged || self.is_good_enough(outcome, best) {
                return;
            }
            let change = match length {
                _ if length >= 1.0 => LOWER,
                _ if length < 0.2 => RAISE,
                _ => 1.0,
            };
            proximal = clamp(proximal * change, PROXIMAL.1, PROXIMAL.2);
            idle = if outcome.residual < 0.9 * best { 0 } else { idle + 1 };
            if idle > MOST_IDLE {
                return;
            }
        }
    }

    /// Takes the first length whose sum of squares of F is less by a tenth of it, or that with the least sum.
    fn search(&mut self, problem: &ContactProblem, before: f64) -> f64 {
        let newton = &mut self.coulomb;
        newton.start.clear();
        newton.start.extend_from_slice(&self.lambda);
        newton.start_a.clear();
        newton.start_a.extend_from_slice(&self.a);
        let mut best = (f64::INFINITY, LENGTHS[LENGTHS.len() - 1]);
        for length in LENGTHS {
            self.move_along(length);
            let after = run_vectorized(SizeTask { many: self, problem });
            if after < before * (1.0 - 0.1 * length) * (1.0 - 0.1 * length) {
                return length;
            }
            if after < best.0 {
                best = (after, length);
            }
        }
        self.move_along(best.1);
        best.1
    }

    fn move_along(&mut self, length: f64) {
        let newton = &self.coulomb;
        for (lambda, (start, change)) in self.lambda.iter_mut().zip(newton.start.iter().zip(&newton.change)) {
            *lambda = start + length * change;
        }
        for (a, (start, along)) in self.a.iter_mut().zip(newton.start_a.iter().zip(&newton.along)) {
            *a = start + length * along;
        }
    }

    /// F, N and E at the present λ and a. Returns the sum of squares of F in the metric of W.
    #[inline(always)]
    fn write_map(&mut self, problem: &ContactProblem) -> f64 {
        let mut sum = 0.0;
        for (index, (slot, contact)) in problem.slots.iter().zip(&self.local_delassus).enumerate() {
            let mut squares = 0.0;
            if let ConstraintKind::Held { rows } = slot.kind {
                for row in slot.row..slot.row + rows {
                    let off = contact.inverse_mean_diagonal * self.a[row];
                    self.coulomb.map[row] = off;
                    squares += off * off;
                }
            } else {
                let (lambda, hat) = local_rows(slot, contact.inverse_mean_diagonal, &self.lambda, &self.a);
                let point = onto(slot.kind, hat);
                for r in 0..slot.kind.rows() {
                    let off = lambda[r] - point[r];
                    self.coulomb.map[slot.row + r] = off;
                    squares += off * off;
                }
                self.coulomb.slopes[index] = onto_derivative(slot.kind, hat);
            }
            sum += squares * contact.mean_diagonal;
        }
        sum
    }

    /// The sum of squares of F in the metric of W.
    #[inline(always)]
    fn map_size(&self, problem: &ContactProblem) -> f64 {
        let mut sum = 0.0;
        for (slot, contact) in problem.slots.iter().zip(&self.local_delassus) {
            let mut squares = 0.0;
            if let ConstraintKind::Held { rows } = slot.kind {
                for a in &self.a[slot.row..slot.row + rows] {
                    let off = contact.inverse_mean_diagonal * a;
                    squares += off * off;
                }
            } else {
                let (lambda, hat) = local_rows(slot, contact.inverse_mean_diagonal, &self.lambda, &self.a);
                let point = onto(slot.kind, hat);
                for r in 0..FRICTION_ROWS {
                    let off = lambda[r] - point[r];
                    squares += off * off;
                }
            }
            sum += squares * contact.mean_diagonal;
        }
        sum
    }

    /// dλ and J dv of the map. False if the matrix is singular.
    #[inline(always)]
    fn newton_step(&mut self, problem: &ContactProblem, proximal: f64) -> bool {
        let ManyContacts { factor, local_delassus, coulomb, .. } = self;
        let CoulombNewton { map, inverses, slopes, step, along, change, .. } = coulomb;
        // Where nothing slides one half of the matrix is enough.
        let is_symmetric = slopes.iter().zip(&problem.slots).all(|(slope, slot)| {
            matches!(slot.kind, ConstraintKind::Held { .. }) || (slope[1][0] == 0.0 && slope[2][0] == 0.0)
        });
        if is_symmetric {
            factor.clear()
        } else {
            factor.clear_both()
        }
        for (block, mass) in problem.mass.iter().enumerate() {
            *factor.diagonal_of(block) = *mass;
        }
        step.fill([0.0; DIM]);
        for (index, (slot, contact)) in problem.slots.iter().zip(&*local_delassus).enumerate() {
            let inverse_diagonal = contact.inverse_mean_diagonal;
            if let ConstraintKind::Held { rows } = slot.kind {
                for row in slot.row..slot.row + rows {
                    push(step, slot, &problem.jac[row], -map[row] / proximal);
                    let stiffness = inverse_diagonal / proximal;
                    add_block::<1>(factor, problem, (index, row), &[[stiffness]], is_symmetric);
                }
                continue;
            }
            let slope = &slopes[index];
            let inverse = inverse(slope, proximal, slot.kind.rows());
            inverses[index] = inverse;
            let rows = slot.kind.rows();
            let mut off = [0.0; FRICTION_ROWS];
            off[..rows].copy_from_slice(&map[slot.row..slot.row + rows]);
            let off = times(&inverse, off);
            for r in 0..rows {
                if off[r] != 0.0 {
                    push(step, slot, &problem.jac[slot.row + r], -off[r]);
                }
            }
            if slope[0][0] == 0.0 {
                continue;
            }
            let mut k = [[0.0; FRICTION_ROWS]; FRICTION_ROWS];
            for (k, row) in k.iter_mut().zip(&inverse) {
                for (c, k) in k.iter_mut().enumerate() {
                    let sum = (row[0] * slope[0][c] + row[1] * slope[1][c]) + row[2] * slope[2][c];
                    *k = sum * inverse_diagonal;
                }
            }
            let at = (index, slot.row);
            match rows {
                3 => add_block::<3>(factor, problem, at, &k, is_symmetric),
                2 => add_block::<2>(
                    factor,
                    problem,
                    at,
                    &[[k[0][0], k[0][1]], [k[1][0], k[1][1]]],
                    is_symmetric,
                ),
                _ => add_block::<1>(factor, problem, at, &[[k[0][0]]], is_symmetric),
            }
        }
        let is_regular = if is_symmetric { factor.factor() } else { factor.factor_both() };
        if !is_regular {
            return false;
        }
        if is_symmetric {
            factor.solve(step)
        } else {
            factor.solve_both(step)
        }
        for (index, (slot, contact)) in problem.slots.iter().zip(&*local_delassus).enumerate() {
            let rows = slot.kind.rows();
            for row in slot.row..slot.row + rows {
                along[row] = rate_along(problem, slot, row, step);
            }
            let inverse_diagonal = contact.inverse_mean_diagonal;
            if let ConstraintKind::Held { .. } = slot.kind {
                for row in slot.row..slot.row + rows {
                    change[row] = -(map[row] + inverse_diagonal * along[row]) / proximal;
                }
                continue;
            }
            let (mut rate, mut off) = ([0.0; FRICTION_ROWS], [0.0; FRICTION_ROWS]);
            for r in 0..rows {
                (rate[r], off[r]) = (inverse_diagonal * along[slot.row + r], map[slot.row + r]);
            }
            let moved = times(&slopes[index], rate);
            let sum = times(&inverses[index], [off[0] + moved[0], off[1] + moved[1], off[2] + moved[2]]);
            for r in 0..rows {
                change[slot.row + r] = -sum[r];
            }
        }
        true
    }
}

/// λ and λ̂ of a constraint; rows that it lacks are zero.
#[inline(always)]
fn local_rows(
    slot: &ConstraintSlot,
    inverse_diagonal: f64,
    lambda: &[f64],
    a: &[f64],
) -> ([f64; FRICTION_ROWS], [f64; FRICTION_ROWS]) {
    let (mut own, mut hat) = ([0.0; FRICTION_ROWS], [0.0; FRICTION_ROWS]);
    for r in 0..slot.kind.rows() {
        own[r] = lambda[slot.row + r];
        hat[r] = own[r] - inverse_diagonal * a[slot.row + r];
    }
    (own, hat)
}

/// Adds Jᵀ λ of one row.
#[inline(always)]
fn push(sums: &mut [[f64; DIM]], slot: &ConstraintSlot, jac: &[[f64; DIM]; 2], lambda: f64) {
    for e in 0..2 {
        if let Some(sum) = sums.get_mut(slot.ends[e] as usize) {
            *sum = core::array::from_fn(|i| sum[i] + jac[e][i] * lambda);
        }
    }
}

#[inline(always)]
fn rate_along(problem: &ContactProblem, slot: &ConstraintSlot, row: usize, step: &[[f64; DIM]]) -> f64 {
    let mut along = 0.0;
    for e in 0..2 {
        if let Some(step) = step.get(slot.ends[e] as usize) {
            along += super::sweep::dot(&problem.jac[row][e], step);
        }
    }
    along
}

/// Adds Jᵀ K J of R rows from `row` on.
#[inline(always)]
fn add_block<const R: usize>(
    factor: &mut BlockCholesky,
    problem: &ContactProblem,
    (index, row): (usize, usize),
    k: &[[f64; R]; R],
    is_symmetric: bool,
) {
    let slot = &problem.slots[index];
    let Some(jac) = problem.jac[row..].first_chunk::<R>() else { return };
    let mut weighted = [[[0.0; DIM]; R]; 2];
    for e in 0..2 {
        if slot.ends[e] == NONE {
            continue;
        }
        for r in 0..R {
            let mut sum: [f64; DIM] = core::array::from_fn(|i| k[r][0] * jac[0][e][i]);
            for c in 1..R {
                sum = core::array::from_fn(|i| sum[i] + k[r][c] * jac[c][e][i]);
            }
            weighted[e][r] = sum;
        }
        add_products(factor.diagonal_of(slot.ends[e] as usize), jac, e, &weighted[e]);
    }
    if is_symmetric {
        if let Some((below, first_is_row)) = factor.pair(index) {
            let (i, j) = if first_is_row { (0, 1) } else { (1, 0) };
            add_products(below, jac, i, &weighted[j]);
        }
    } else if let Some((below, above, first_is_row)) = factor.both(index) {
        let (i, j) = if first_is_row { (0, 1) } else { (1, 0) };
        add_products(below, jac, i, &weighted[j]);
        add_products(above, jac, j, &weighted[i]);
    }
}

/// target += Jᵀ w.
#[inline(always)]
fn add_products<const R: usize>(
    target: &mut Block6,
    jac: &[[[f64; DIM]; 2]; R],
    end: usize,
    weighted: &[[f64; DIM]; R],
) {
    for (i, line) in target.iter_mut().enumerate() {
        let mut sum: [f64; DIM] = core::array::from_fn(|j| jac[0][end][i] * weighted[0][j]);
        for r in 1..R {
            sum = core::array::from_fn(|j| sum[j] + jac[r][end][i] * weighted[r][j]);
        }
        *line = core::array::from_fn(|j| line[j] + sum[j]);
    }
}

#[inline(always)]
fn times(m: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    let along = |row: &[f64; 3]| (row[0] * v[0] + row[1] * v[1]) + row[2] * v[2];
    [along(&m[0]), along(&m[1]), along(&m[2])]
}

/// P.
#[inline(always)]
fn onto(kind: ConstraintKind, hat: [f64; FRICTION_ROWS]) -> [f64; FRICTION_ROWS] {
    match kind {
        ConstraintKind::Cone { mu } | ConstraintKind::Wedge { mu } => {
            let normal = if hat[0] > 0.0 { hat[0] } else { 0.0 };
            let radius = mu * normal;
            let length = (hat[1] * hat[1] + hat[2] * hat[2]).sqrt();
            let scale = if length > radius { radius / length } else { 1.0 };
            [normal, scale * hat[1], scale * hat[2]]
        }
        _ => {
            let (lo, hi) = bounds(kind);
            [clamp(hat[0], lo, hi), 0.0, 0.0]
        }
    }
}

/// E.
#[inline(always)]
fn onto_derivative(kind: ConstraintKind, hat: [f64; FRICTION_ROWS]) -> [[f64; FRICTION_ROWS]; FRICTION_ROWS] {
    let mut d = [[0.0; FRICTION_ROWS]; FRICTION_ROWS];
    let (mu, has_two) = match kind {
        ConstraintKind::Cone { mu } => (mu, true),
        ConstraintKind::Wedge { mu } => (mu, false),
        _ => {
            let (lo, hi) = bounds(kind);
            d[0][0] = if hat[0] > lo && hat[0] < hi { 1.0 } else { 0.0 };
            return d;
        }
    };
    if hat[0] <= 0.0 || hat[0].is_nan() {
        return d;
    }
    d[0][0] = 1.0;
    let radius = mu * hat[0];
    let length = (hat[1] * hat[1] + hat[2] * hat[2]).sqrt();
    if length <= radius {
        (d[1][1], d[2][2]) = (1.0, if has_two { 1.0 } else { 0.0 });
        return d;
    }
    let (x, y) = (hat[1] / length, hat[2] / length);
    (d[1][0], d[2][0]) = (mu * x, mu * y);
    if has_two {
        let across = radius / length;
        (d[1][1], d[2][2]) = (across * y * y, across * x * x);
        (d[1][2], d[2][1]) = (-across * x * y, -across * x * y);
    }
    d
}

/// N. The normal does not depend on the tangents, so the block is lower triangular in them.
#[inline(always)]
fn inverse(
    slope: &[[f64; FRICTION_ROWS]; FRICTION_ROWS],
    proximal: f64,
    rows: usize,
) -> [[f64; FRICTION_ROWS]; FRICTION_ROWS] {
    let less = 1.0 - proximal;
    let mut m = [[0.0; FRICTION_ROWS]; FRICTION_ROWS];
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

/// [`ManyContacts::write_map`], compiled for the vector unit.
struct MapTask<'s> {
    many: &'s mut ManyContacts,
    problem: &'s ContactProblem,
}

impl Task for MapTask<'_> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        self.many.write_map(self.problem)
    }
}

/// [`ManyContacts::map_size`], compiled for the vector unit.
struct SizeTask<'s> {
    many: &'s ManyContacts,
    problem: &'s ContactProblem,
}

impl Task for SizeTask<'_> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        self.many.map_size(self.problem)
    }
}

/// [`ManyContacts::newton_step`], compiled for the vector unit.
struct StepTask<'s> {
    many: &'s mut ManyContacts,
    problem: &'s ContactProblem,
    proximal: f64,
}

impl Task for StepTask<'_> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        self.many.newton_step(self.problem, self.proximal)
    }
}
