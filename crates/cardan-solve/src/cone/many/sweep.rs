//! What every touch needs of its blocks, Gauss–Seidel on it, and the residual.

use super::Many;
use super::pile::{DIM, NONE, Pile, Place, ROWS, Touch};
use crate::cone::cones::{GroupState, MOST_STRAIN};
use crate::cone::error::ConeError;
use crate::cone::local;

/// A touch: M⁻¹ Jᵀ per row and end, its own part W of A, and the inverse of that if it holds.
#[derive(Clone, Debug)]
pub(super) struct Contact {
    pub(super) push: [[[f64; DIM]; 2]; ROWS],
    pub(super) own: [[f64; ROWS]; ROWS],
    /// The mean of the diagonal of W, and its inverse.
    pub(super) stiff: f64,
    pub(super) soft: f64,
    /// The size of J v_free + b, in the metric of W.
    pub(super) size: f64,
    /// W⁻¹ of rows that hold, rows that depend on others left out.
    inverse: [[f64; ROWS]; ROWS],
}

const EMPTY: Contact = Contact {
    push: [[[0.0; DIM]; 2]; ROWS],
    own: [[0.0; ROWS]; ROWS],
    stiff: 0.0,
    soft: 0.0,
    size: 0.0,
    inverse: [[0.0; ROWS]; ROWS],
};

#[inline]
pub(super) fn dot(a: &[f64; DIM], b: &[f64; DIM]) -> f64 {
    let even = a[0] * b[0] + a[2] * b[2] + a[4] * b[4];
    let odd = a[1] * b[1] + a[3] * b[3] + a[5] * b[5];
    even + odd
}

impl Many {
    /// W and M⁻¹ Jᵀ of all touches.
    pub(super) fn prepare(&mut self, pile: &Pile) -> Result<(), ConeError> {
        self.contacts.resize(pile.touches(), EMPTY);
        for (index, place) in pile.places.iter().enumerate() {
            let rows = place.kind.rows();
            // Of what stood there before, only these rows count.
            let contact = &mut self.contacts[index];
            let mut trace = 0.0;
            let mut size = 0.0;
            for r in 0..rows {
                let mut terms = pile.bias[place.row + r].abs();
                for e in 0..2 {
                    if place.ends[e] == NONE {
                        contact.push[r][e] = [0.0; DIM];
                        continue;
                    }
                    let block = place.ends[e] as usize;
                    let jac = &pile.jac[place.row + r][e];
                    for i in 0..DIM {
                        contact.push[r][e][i] = dot(&pile.inverse[block][i], jac);
                        terms += (jac[i] * pile.free[block][i]).abs();
                    }
                }
                size = if terms > size { terms } else { size };
            }
            for r in 0..rows {
                for c in 0..=r {
                    let jac = &pile.jac[place.row + r];
                    let sum = dot(&jac[0], &contact.push[c][0]) + dot(&jac[1], &contact.push[c][1]);
                    contact.own[r][c] = sum;
                    contact.own[c][r] = sum;
                }
                trace += contact.own[r][r];
            }
            let stiff = trace / rows as f64;
            if !stiff.is_finite() {
                return Err(ConeError::NotFinite { what: "what moves touch", row: index });
            }
            contact.stiff = stiff;
            contact.soft = if stiff > 0.0 { 1.0 / stiff } else { 0.0 };
            contact.size = size * contact.soft.sqrt();
            if let Touch::Held { rows } = place.kind {
                invert(&contact.own, rows, &mut contact.inverse);
            }
        }
        Ok(())
    }

    /// v = v_free + M⁻¹ Jᵀ λ.
    pub(super) fn follow(&mut self, pile: &Pile) {
        self.velocity.clear();
        self.velocity.extend_from_slice(&pile.free);
        for (place, contact) in pile.places.iter().zip(&self.contacts) {
            for r in 0..place.kind.rows() {
                let lambda = self.lambda[place.row + r];
                if lambda == 0.0 {
                    continue;
                }
                for e in 0..2 {
                    if let Some(velocity) = self.velocity.get_mut(place.ends[e] as usize) {
                        for i in 0..DIM {
                            velocity[i] += contact.push[r][e][i] * lambda;
                        }
                    }
                }
            }
        }
    }

    /// a = J v + b.
    pub(super) fn take_rates(&mut self, pile: &Pile) {
        for place in &pile.places {
            for row in place.row..place.row + place.kind.rows() {
                self.a[row] = rate(pile, place, row, &self.velocity);
            }
        }
    }

    /// One round over all touches.
    pub(super) fn sweep(&mut self, pile: &Pile) {
        for (place, contact) in pile.places.iter().zip(&self.contacts) {
            let row = place.row;
            let own = &contact.own;
            match place.kind {
                Touch::Cone { mu } => {
                    let w = [
                        own[0][0], own[0][1], own[0][2], own[1][0], own[1][1], own[1][2], own[2][0],
                        own[2][1], own[2][2],
                    ];
                    let before = [self.lambda[row], self.lambda[row + 1], self.lambda[row + 2]];
                    let mut q = [rate(pile, place, row, &self.velocity), 0.0, 0.0];
                    if q[0] >= 0.0 && before == [0.0; 3] {
                        // It leaves, and nothing pushes.
                        continue;
                    }
                    for i in 0..3 {
                        if i > 0 {
                            q[i] = rate(pile, place, row + i, &self.velocity);
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
                        if let Some(velocity) = self.velocity.get_mut(place.ends[e] as usize) {
                            for i in 0..DIM {
                                velocity[i] += contact.push[0][e][i] * change[0]
                                    + contact.push[1][e][i] * change[1]
                                    + contact.push[2][e][i] * change[2];
                            }
                        }
                    }
                }
                _ => {
                    let rows = place.kind.rows();
                    let mut a = [0.0; ROWS];
                    for r in 0..rows {
                        a[r] = rate(pile, place, row + r, &self.velocity);
                    }
                    let before = &self.lambda[row..row + rows];
                    let mut after = [0.0; ROWS];
                    after[..rows].copy_from_slice(before);
                    match place.kind {
                        Touch::Held { rows } => {
                            for r in 0..rows {
                                for c in 0..rows {
                                    after[r] -= contact.inverse[r][c] * a[c];
                                }
                            }
                        }
                        Touch::Wedge { mu } => {
                            let w = [own[0][0], own[0][1], own[1][0], own[1][1]];
                            let q = [
                                a[0] - w[0] * before[0] - w[1] * before[1],
                                a[1] - w[2] * before[0] - w[3] * before[1],
                            ];
                            let Some(new) = local::wedge(&w, q, mu) else { continue };
                            after[..2].copy_from_slice(&new);
                        }
                        _ => {
                            let (lo, hi) = bounds(place.kind);
                            after[0] = clamp(before[0] - contact.soft * a[0], lo, hi);
                        }
                    }
                    for r in 0..rows {
                        let change = after[r] - self.lambda[row + r];
                        if change == 0.0 || !change.is_finite() {
                            continue;
                        }
                        self.lambda[row + r] = after[r];
                        for e in 0..2 {
                            if let Some(velocity) = self.velocity.get_mut(place.ends[e] as usize) {
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

    /// The natural map, the worst touch beside its size.
    pub(super) fn residual(&mut self, pile: &Pile) -> f64 {
        self.sizes.clear();
        // What is to be balanced: b, velocities, and pushes that bounds do not let be zero.
        let mut given = 0.0;
        for (place, contact) in pile.places.iter().zip(&self.contacts) {
            let least = match place.kind {
                Touch::Bounded { lo, hi } => clamp(0.0, lo, hi).abs() * contact.stiff.sqrt(),
                _ => 0.0,
            };
            given = if contact.size + least > given { contact.size + least } else { given };
        }
        let cap = MOST_STRAIN * given;
        let (mut most, mut drowned) = (0.0, 0.0);
        for (place, contact) in pile.places.iter().zip(&self.contacts) {
            let rows = place.kind.rows();
            let mut push = 0.0;
            for r in 0..rows {
                push += self.lambda[place.row + r].abs();
            }
            let size = contact.size + push * contact.stiff.sqrt();
            // What is to be balanced drowns in the rounding of larger pushes.
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
        for (index, (place, contact)) in pile.places.iter().zip(&self.contacts).enumerate() {
            let row = place.row;
            let (lambda, a) = (&self.lambda[row..], &self.a[row..]);
            let soft = contact.soft;
            let off = match place.kind {
                Touch::Held { rows } => {
                    let mut sum = 0.0;
                    for a in &a[..rows] {
                        sum += a * a;
                    }
                    sum.sqrt() * soft
                }
                Touch::Cone { mu } => {
                    let slide = (a[1] * a[1] + a[2] * a[2]).sqrt();
                    let point = [
                        lambda[0] - soft * (a[0] + mu * slide),
                        lambda[1] - soft * a[1],
                        lambda[2] - soft * a[2],
                    ];
                    let [n, t, u] = local::project(mu, point);
                    let (n, t, u) = (lambda[0] - n, lambda[1] - t, lambda[2] - u);
                    (n * n + t * t + u * u).sqrt()
                }
                Touch::Wedge { mu } => {
                    let point = [lambda[0] - soft * (a[0] + mu * a[1].abs()), lambda[1] - soft * a[1], 0.0];
                    let [n, t, _] = local::project(mu, point);
                    ((lambda[0] - n) * (lambda[0] - n) + (lambda[1] - t) * (lambda[1] - t)).sqrt()
                }
                _ => {
                    let (lo, hi) = bounds(place.kind);
                    (lambda[0] - clamp(lambda[0] - soft * a[0], lo, hi)).abs()
                }
            };
            let least = 1e-5 * most;
            let size = if self.sizes[index] > least { self.sizes[index] } else { least };
            let off = off * contact.stiff.sqrt();
            if off > worst * size || off.is_nan() {
                worst = off / size;
            }
            if worst.is_nan() {
                return f64::NAN;
            }
        }
        worst
    }

    pub(super) fn take_states(&mut self, pile: &Pile) {
        self.states.clear();
        for (index, place) in pile.places.iter().enumerate() {
            let row = place.row;
            let (lambda, a) = (&self.lambda[row..], &self.a[row..]);
            let small = 1e-3 * self.tolerance + 1e-9;
            let tell = |value: f64| {
                value * self.contacts[index].soft.sqrt()
                    > small * self.sizes.get(index).copied().unwrap_or(0.0)
            };
            let state = match place.kind {
                Touch::Held { .. } => GroupState::Stick,
                Touch::OneSided | Touch::Bounded { .. } => {
                    let (lo, hi) = bounds(place.kind);
                    if lambda[0] == 0.0 && (lo == 0.0 || hi == 0.0) {
                        GroupState::Open
                    } else if lambda[0] <= lo || lambda[0] >= hi {
                        GroupState::Slip
                    } else {
                        GroupState::Stick
                    }
                }
                Touch::Cone { mu } => {
                    let push = (lambda[1] * lambda[1] + lambda[2] * lambda[2]).sqrt();
                    told(lambda[0], push, tell((a[1] * a[1] + a[2] * a[2]).sqrt()), mu)
                }
                Touch::Wedge { mu } => told(lambda[0], lambda[1].abs(), tell(a[1].abs()), mu),
            };
            self.states.push(state);
        }
    }
}

/// Slides if it moves and pushes with all it has.
fn told(normal: f64, push: f64, moves: bool, mu: f64) -> GroupState {
    if normal <= 0.0 {
        GroupState::Open
    } else if moves && push >= 0.999 * mu * normal {
        GroupState::Slip
    } else {
        GroupState::Stick
    }
}

#[inline]
fn rate(pile: &Pile, place: &Place, row: usize, velocity: &[[f64; DIM]]) -> f64 {
    let jac = &pile.jac[row];
    let mut a = pile.bias[row];
    for e in 0..2 {
        if let Some(velocity) = velocity.get(place.ends[e] as usize) {
            a += dot(&jac[e], velocity);
        }
    }
    a
}

pub(super) fn bounds(kind: Touch) -> (f64, f64) {
    match kind {
        Touch::OneSided => (0.0, f64::INFINITY),
        Touch::Bounded { lo, hi } => (lo, hi),
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

/// W⁻¹ of the rows that are independent, in order; zero for the others.
fn invert(own: &[[f64; ROWS]; ROWS], rows: usize, inverse: &mut [[f64; ROWS]; ROWS]) {
    // Gauss–Jordan with symmetric pivots, skipping what is left of dependent rows.
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
            if left > 1e-9 && best.is_none_or(|(_, most)| left > most) {
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
