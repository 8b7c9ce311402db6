//! The local Delassus matrix of every constraint, Gauss–Seidel with it, and the residual.

use super::ManyContacts;
use super::contact_problem::{ConstraintKind, ConstraintSlot, ContactProblem, DIM, NONE, ROWS};
use crate::complementarity::cones::GroupState;
use crate::complementarity::error::ComplementarityError;
use crate::complementarity::local;
use crate::tolerances::{CLEAR_STATE, DEPENDENT_ROW, LEAST_TERMS, MOST_SELF_STRESS};

/// A constraint: M⁻¹ Jᵀ per row and end, its block W of A, and W⁻¹ for equalities.
#[derive(Clone, Debug)]
pub(super) struct LocalDelassus {
    pub(super) push: [[[f64; DIM]; 2]; ROWS],
    pub(super) own: [[f64; ROWS]; ROWS],
    /// The mean of the diagonal of W, and its inverse.
    pub(super) mean_diagonal: f64,
    pub(super) inverse_mean_diagonal: f64,
    /// The size of J v_free + b, in the metric of W.
    pub(super) size: f64,
    /// W⁻¹ of equality rows; zero for rows that depend on others.
    inverse: [[f64; ROWS]; ROWS],
}

const EMPTY: LocalDelassus = LocalDelassus {
    push: [[[0.0; DIM]; 2]; ROWS],
    own: [[0.0; ROWS]; ROWS],
    mean_diagonal: 0.0,
    inverse_mean_diagonal: 0.0,
    size: 0.0,
    inverse: [[0.0; ROWS]; ROWS],
};

#[inline]
pub(super) fn dot(a: &[f64; DIM], b: &[f64; DIM]) -> f64 {
    let even = a[0] * b[0] + a[2] * b[2] + a[4] * b[4];
    let odd = a[1] * b[1] + a[3] * b[3] + a[5] * b[5];
    even + odd
}

impl ManyContacts {
    /// Computes W and M⁻¹ Jᵀ of all constraints.
    pub(super) fn prepare(&mut self, problem: &ContactProblem) -> Result<(), ComplementarityError> {
        self.local_delassus.resize(problem.constraints(), EMPTY);
        for (index, slot) in problem.slots.iter().enumerate() {
            let rows = slot.kind.rows();
            // Only these rows of the reused entry are valid.
            let contact = &mut self.local_delassus[index];
            let mut trace = 0.0;
            let mut size = 0.0;
            for r in 0..rows {
                let mut terms = problem.bias[slot.row + r].abs();
                for e in 0..2 {
                    if slot.ends[e] == NONE {
                        contact.push[r][e] = [0.0; DIM];
                        continue;
                    }
                    let block = slot.ends[e] as usize;
                    let jac = &problem.jac[slot.row + r][e];
                    for i in 0..DIM {
                        contact.push[r][e][i] = dot(&problem.inverse[block][i], jac);
                        terms += (jac[i] * problem.free[block][i]).abs();
                    }
                }
                size = if terms > size { terms } else { size };
            }
            for r in 0..rows {
                for c in 0..=r {
                    let jac = &problem.jac[slot.row + r];
                    let sum = dot(&jac[0], &contact.push[c][0]) + dot(&jac[1], &contact.push[c][1]);
                    contact.own[r][c] = sum;
                    contact.own[c][r] = sum;
                }
                trace += contact.own[r][r];
            }
            let mean_diagonal = trace / rows as f64;
            if !mean_diagonal.is_finite() {
                return Err(ComplementarityError::NotFinite {
                    what: "the response of a constraint",
                    row: index,
                });
            }
            contact.mean_diagonal = mean_diagonal;
            contact.inverse_mean_diagonal = if mean_diagonal > 0.0 { 1.0 / mean_diagonal } else { 0.0 };
            contact.size = size * contact.inverse_mean_diagonal.sqrt();
            if let ConstraintKind::Held { rows } = slot.kind {
                invert(&contact.own, rows, &mut contact.inverse);
            }
        }
        Ok(())
    }

    /// v = v_free + M⁻¹ Jᵀ λ.
    pub(super) fn update_velocity(&mut self, problem: &ContactProblem) {
        self.velocity.clear();
        self.velocity.extend_from_slice(&problem.free);
        for (slot, contact) in problem.slots.iter().zip(&self.local_delassus) {
            for r in 0..slot.kind.rows() {
                let lambda = self.lambda[slot.row + r];
                if lambda == 0.0 {
                    continue;
                }
                for e in 0..2 {
                    if let Some(velocity) = self.velocity.get_mut(slot.ends[e] as usize) {
                        for i in 0..DIM {
                            velocity[i] += contact.push[r][e][i] * lambda;
                        }
                    }
                }
            }
        }
    }

    /// a = J v + b.
    pub(super) fn update_rates(&mut self, problem: &ContactProblem) {
        for slot in &problem.slots {
            for row in slot.row..slot.row + slot.kind.rows() {
                self.a[row] = rate(problem, slot, row, &self.velocity);
            }
        }
    }

    /// One sweep over all constraints.
    pub(super) fn sweep(&mut self, problem: &ContactProblem) {
        for (slot, contact) in problem.slots.iter().zip(&self.local_delassus) {
            let row = slot.row;
            let own = &contact.own;
            match slot.kind {
                ConstraintKind::Cone { mu } => {
                    let w = [
                        own[0][0], own[0][1], own[0][2], own[1][0], own[1][1], own[1][2], own[2][0],
                        own[2][1], own[2][2],
                    ];
                    let before = [self.lambda[row], self.lambda[row + 1], self.lambda[row + 2]];
                    let mut q = [rate(problem, slot, row, &self.velocity), 0.0, 0.0];
                    if q[0] >= 0.0 && before == [0.0; 3] {
                        // The contact separates, and λ is zero.
                        continue;
                    }
                    for i in 0..3 {
                        if i > 0 {
                            q[i] = rate(problem, slot, row + i, &self.velocity);
                        }
                        q[i] -= w[3 * i] * before[0] + w[3 * i + 1] * before[1] + w[3 * i + 2] * before[2];
                    }
                    let Some(after) = local::cone(&w, q, mu) else { continue };
                    let change = [after[0] - before[0], after[1] - before[1], after[2] - before[2]];
                    if !(change[0] + change[1] + change[2]).is_finite() {
                        continue;
                    }
                    self.lambda[row..row + 3].copy_from_slice(&after);
                    for e in 0..2 {
                        if let Some(velocity) = self.velocity.get_mut(slot.ends[e] as usize) {
                            for i in 0..DIM {
                                velocity[i] += contact.push[0][e][i] * change[0]
                                    + contact.push[1][e][i] * change[1]
                                    + contact.push[2][e][i] * change[2];
                            }
                        }
                    }
                }
                _ => {
                    let rows = slot.kind.rows();
                    let mut a = [0.0; ROWS];
                    for r in 0..rows {
                        a[r] = rate(problem, slot, row + r, &self.velocity);
                    }
                    let before = &self.lambda[row..row + rows];
                    let mut after = [0.0; ROWS];
                    after[..rows].copy_from_slice(before);
                    match slot.kind {
                        ConstraintKind::Held { rows } => {
                            for r in 0..rows {
                                for c in 0..rows {
                                    after[r] -= contact.inverse[r][c] * a[c];
                                }
                            }
                        }
                        ConstraintKind::Wedge { mu } => {
                            let w = [own[0][0], own[0][1], own[1][0], own[1][1]];
                            let q = [
                                a[0] - w[0] * before[0] - w[1] * before[1],
                                a[1] - w[2] * before[0] - w[3] * before[1],
                            ];
                            let Some(new) = local::wedge(&w, q, mu) else { continue };
                            after[..2].copy_from_slice(&new);
                        }
                        _ => {
                            let (lo, hi) = bounds(slot.kind);
                            after[0] = clamp(before[0] - contact.inverse_mean_diagonal * a[0], lo, hi);
                        }
                    }
                    for r in 0..rows {
                        let change = after[r] - self.lambda[row + r];
                        if change == 0.0 || !change.is_finite() {
                            continue;
                        }
                        self.lambda[row + r] = after[r];
                        for e in 0..2 {
                            if let Some(velocity) = self.velocity.get_mut(slot.ends[e] as usize) {
                                for i in 0..DIM {
                                    velocity[i] += contact.push[r][e][i] * change;
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Residual of the natural map: the worst constraint relative to its size.
    pub(super) fn residual(&mut self, problem: &ContactProblem) -> f64 {
        self.sizes.clear();
        // What is to be balanced: b, velocities, and multipliers that bounds keep from zero.
        let mut given = 0.0;
        for (slot, contact) in problem.slots.iter().zip(&self.local_delassus) {
            let least = match slot.kind {
                ConstraintKind::Bounded { lo, hi } => clamp(0.0, lo, hi).abs() * contact.mean_diagonal.sqrt(),
                _ => 0.0,
            };
            given = if contact.size + least > given { contact.size + least } else { given };
        }
        let cap = MOST_SELF_STRESS * given;
        let (mut most, mut drowned) = (0.0, 0.0);
        for (slot, contact) in problem.slots.iter().zip(&self.local_delassus) {
            let rows = slot.kind.rows();
            let mut push = 0.0;
            for r in 0..rows {
                push += self.lambda[slot.row + r].abs();
            }
            let size = contact.size + push * contact.mean_diagonal.sqrt();
            // What is to be balanced is lost in the rounding of larger impulses.
            let size = if size > cap {
                let rounding = 4.0 * f64::EPSILON * size / cap;
                drowned = if rounding > drowned { rounding } else { drowned };
                cap
            } else {
                size
            };
            most = if size > most { size } else { most };
            self.sizes.push(size);
        }
        let mut worst = drowned;
        for (index, (slot, contact)) in problem.slots.iter().zip(&self.local_delassus).enumerate() {
            let row = slot.row;
            let (lambda, a) = (&self.lambda[row..], &self.a[row..]);
            let inverse_mean_diagonal = contact.inverse_mean_diagonal;
            let off = match slot.kind {
                ConstraintKind::Held { rows } => {
                    let mut sum = 0.0;
                    for a in &a[..rows] {
                        sum += a * a;
                    }
                    sum.sqrt() * inverse_mean_diagonal
                }
                ConstraintKind::Cone { mu } => {
                    let slide = (a[1] * a[1] + a[2] * a[2]).sqrt();
                    let point = [
                        lambda[0] - inverse_mean_diagonal * (a[0] + mu * slide),
                        lambda[1] - inverse_mean_diagonal * a[1],
                        lambda[2] - inverse_mean_diagonal * a[2],
                    ];
                    let [n, t, u] = local::project(mu, point);
                    let (n, t, u) = (lambda[0] - n, lambda[1] - t, lambda[2] - u);
                    (n * n + t * t + u * u).sqrt()
                }
                ConstraintKind::Wedge { mu } => {
                    let point = [
                        lambda[0] - inverse_mean_diagonal * (a[0] + mu * a[1].abs()),
                        lambda[1] - inverse_mean_diagonal * a[1],
                        0.0,
                    ];
                    let [n, t, _] = local::project(mu, point);
                    ((lambda[0] - n) * (lambda[0] - n) + (lambda[1] - t) * (lambda[1] - t)).sqrt()
                }
                _ => {
                    let (lo, hi) = bounds(slot.kind);
                    (lambda[0] - clamp(lambda[0] - inverse_mean_diagonal * a[0], lo, hi)).abs()
                }
            };
            let least = LEAST_TERMS * most;
            let size = if self.sizes[index] > least { self.sizes[index] } else { least };
            let off = off * contact.mean_diagonal.sqrt();
            if off > worst * size || off.is_nan() {
                worst = off / size;
            }
            if worst.is_nan() {
                return f64::NAN;
            }
        }
        worst
    }

    pub(super) fn update_states(&mut self, problem: &ContactProblem) {
        self.states.clear();
        for (index, slot) in problem.slots.iter().enumerate() {
            let row = slot.row;
            let (lambda, a) = (&self.lambda[row..], &self.a[row..]);
            let small = 1e-3 * self.tolerance + CLEAR_STATE;
            let tell = |value: f64| {
                value * self.local_delassus[index].inverse_mean_diagonal.sqrt()
                    > small * self.sizes.get(index).copied().unwrap_or(0.0)
            };
            let state = match slot.kind {
                ConstraintKind::Held { .. } => GroupState::Stick,
                ConstraintKind::OneSided | ConstraintKind::Bounded { .. } => {
                    let (lo, hi) = bounds(slot.kind);
                    if lambda[0] == 0.0 && (lo == 0.0 || hi == 0.0) {
                        GroupState::Open
                    } else if lambda[0] <= lo || lambda[0] >= hi {
                        GroupState::Slip
                    } else {
                        GroupState::Stick
                    }
                }
                ConstraintKind::Cone { mu } => {
                    let push = (lambda[1] * lambda[1] + lambda[2] * lambda[2]).sqrt();
                    sliding_state(lambda[0], push, tell((a[1] * a[1] + a[2] * a[2]).sqrt()), mu)
                }
                ConstraintKind::Wedge { mu } => {
                    sliding_state(lambda[0], lambda[1].abs(), tell(a[1].abs()), mu)
                }
            };
            self.states.push(state);
        }
    }
}

/// Slips if it moves and λ_t is at the friction limit.
fn sliding_state(normal: f64, push: f64, moves: bool, mu: f64) -> GroupState {
    if normal <= 0.0 {
        GroupState::Open
    } else if moves && push >= 0.999 * mu * normal {
        GroupState::Slip
    } else {
        GroupState::Stick
    }
}

#[inline]
fn rate(problem: &ContactProblem, slot: &ConstraintSlot, row: usize, velocity: &[[f64; DIM]]) -> f64 {
    let jac = &problem.jac[row];
    let mut a = problem.bias[row];
    for e in 0..2 {
        if let Some(velocity) = velocity.get(slot.ends[e] as usize) {
            a += dot(&jac[e], velocity);
        }
    }
    a
}

pub(super) fn bounds(kind: ConstraintKind) -> (f64, f64) {
    match kind {
        ConstraintKind::OneSided => (0.0, f64::INFINITY),
        ConstraintKind::Bounded { lo, hi } => (lo, hi),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

pub(super) fn clamp(value: f64, lo: f64, hi: f64) -> f64 {
    if value < lo {
        lo
    } else if value > hi {
        hi
    } else {
        value
    }
}

/// W⁻¹ of the independent rows, in order; zero for the others.
fn invert(own: &[[f64; ROWS]; ROWS], rows: usize, inverse: &mut [[f64; ROWS]; ROWS]) {
    // Gauss–Jordan with symmetric pivots; remainders of dependent rows are skipped.
    let mut work = *own;
    let mut done = [false; ROWS];
    *inverse = [[0.0; ROWS]; ROWS];
    for c in 0..rows {
        inverse[c][c] = 1.0;
    }
    for _ in 0..rows {
        let mut best: Option<(usize, f64)> = None;
        for c in (0..rows).filter(|&c| !done[c]) {
            let left = work[c][c] / own[c][c];
            if left > DEPENDENT_ROW && best.is_none_or(|(_, most)| left > most) {
                best = Some((c, left));
            }
        }
        let Some((c, _)) = best else { break };
        done[c] = true;
        let over = 1.0 / work[c][c];
        for j in 0..rows {
            work[c][j] *= over;
            inverse[c][j] *= over;
        }
        for i in (0..rows).filter(|&i| i != c) {
            let factor = work[i][c];
            for j in 0..rows {
                work[i][j] -= factor * work[c][j];
                inverse[i][j] -= factor * inverse[c][j];
            }
        }
    }
    for i in 0..rows {
        for j in 0..rows {
            if !done[i] || !done[j] {
                inverse[i][j] = 0.0;
            }
        }
    }
}
