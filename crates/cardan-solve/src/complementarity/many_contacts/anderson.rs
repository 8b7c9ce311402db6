//! Anderson acceleration of Gauss–Seidel sweeps (Anderson 1965).
//!
//! A sweep takes λ to g(λ) and leaves f = g(λ) − λ. If it were linear, the λ with f = 0 would be a
//! combination of earlier ones:
//!
//! ```text
//! λ ← g_k − Σ γ_j (g_{j+1} − g_j),     γ least squares of f_k − Σ γ_j (f_{j+1} − f_j), in the metric of W
//! ```
//!
//! v is linear in λ, so the same combination of velocities belongs to it. The next sweep brings λ back into
//! its cones.

use super::ManyContacts;
use super::contact_problem::{ContactProblem, DIM};

/// Number of earlier sweeps that are used.
const DEPTH: usize = 5;

#[derive(Clone, Debug, Default)]
pub(super) struct Anderson {
    /// Number of stored differences; the next one overwrites the oldest.
    count: usize,
    next: usize,
    /// λ before the sweep, and √W per row.
    pub(super) start: Vec<f64>,
    weights: Vec<f64>,
    /// √W f, g and v of the last sweep, and whether there is one.
    known: bool,
    last: Vec<f64>,
    last_lambda: Vec<f64>,
    last_velocity: Vec<[f64; DIM]>,
    /// Differences of these.
    change: [Vec<f64>; DEPTH],
    lambda: [Vec<f64>; DEPTH],
    velocity: [Vec<[f64; DIM]>; DEPTH],
    /// Products of the differences of √W f.
    products: [[f64; DEPTH]; DEPTH],
    /// |√W f|² of the last sweep.
    size: f64,
}

impl ManyContacts {
    /// Forgets earlier sweeps.
    pub(super) fn reset_anderson(&mut self, problem: &ContactProblem) {
        let anderson = &mut self.anderson;
        (anderson.count, anderson.next, anderson.known, anderson.size) = (0, 0, false, f64::INFINITY);
        anderson.weights.clear();
        for (slot, contact) in problem.slots.iter().zip(&self.local_delassus) {
            anderson.weights.extend((0..slot.kind.rows()).map(|_| contact.mean_diagonal.sqrt()));
        }
    }

    /// After a sweep from `anderson.start`: extrapolates λ and v.
    pub(super) fn accelerate(&mut self) {
        let anderson = &mut self.anderson;
        let rows = self.lambda.len();
        let mut now = std::mem::take(&mut anderson.last);
        // What is stored of the sweep before becomes the difference.
        let slot = anderson.next;
        let old = if anderson.known { Some(&now) } else { None };
        let change = &mut anderson.change[slot];
        change.clear();
        change.resize(rows, 0.0);
        let mut size = 0.0;
        if let Some(old) = old {
            change.copy_from_slice(old);
        }
        now.clear();
        for row in 0..rows {
            let f = anderson.weights[row] * (self.lambda[row] - anderson.start[row]);
            size += f * f;
            change[row] = f - change[row];
            now.push(f);
        }
        anderson.last = now;
        let grew = size > 4.0 * anderson.size;
        anderson.size = size;
        if anderson.known {
            let lambda = &mut anderson.lambda[slot];
            lambda.clear();
            lambda.extend(self.lambda.iter().zip(&anderson.last_lambda).map(|(a, b)| a - b));
            let velocity = &mut anderson.velocity[slot];
            velocity.clear();
            velocity.extend(self.velocity.iter().zip(&anderson.last_velocity).map(|(a, b)| {
                let mut out = *a;
                out.iter_mut().zip(b).for_each(|(out, b)| *out -= b);
                out
            }));
            anderson.next = (slot + 1) % DEPTH;
            anderson.count = if anderson.count < DEPTH { anderson.count + 1 } else { DEPTH };
        }
        anderson.known = true;
        anderson.last_lambda.clear();
        anderson.last_lambda.extend_from_slice(&self.lambda);
        anderson.last_velocity.clear();
        anderson.last_velocity.extend_from_slice(&self.velocity);
        if grew {
            // The extrapolation made it worse: restart.
            (anderson.count, anderson.next) = (0, 0);
            return;
        }
        if anderson.count == 0 {
            return;
        }
        for i in 0..anderson.count {
            let product = dot(&anderson.change[slot], &anderson.change[i]);
            (anderson.products[slot][i], anderson.products[i][slot]) = (product, product);
        }
        let Some(gamma) =
            combine(&anderson.products, anderson.count, |i| dot(&anderson.change[i], &anderson.last))
        else {
            (anderson.count, anderson.next) = (0, 0);
            return;
        };
        for (i, gamma) in gamma[..anderson.count].iter().enumerate() {
            self.lambda.iter_mut().zip(&anderson.lambda[i]).for_each(|(x, d)| *x -= gamma * d);
            for (x, d) in self.velocity.iter_mut().zip(&anderson.velocity[i]) {
                x.iter_mut().zip(d).for_each(|(x, d)| *x -= gamma * d);
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a_four, a_rest) = a.as_chunks::<4>();
    let (b_four, b_rest) = b.as_chunks::<4>();
    for (a, b) in a_four.iter().zip(b_four) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    let mut sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (a, b) in a_rest.iter().zip(b_rest) {
        sum += a * b;
    }
    sum
}

/// γ of (products + regularisation) γ = right. `None` if γ is too large.
fn combine(
    products: &[[f64; DEPTH]; DEPTH],
    count: usize,
    right: impl Fn(usize) -> f64,
) -> Option<[f64; DEPTH]> {
    let mut a = *products;
    let mut x = [0.0; DEPTH];
    let mut trace = 0.0;
    for i in 0..count {
        x[i] = right(i);
        trace += a[i][i];
    }
    for c in 0..count {
        // Regularisation: differences that are parallel to ten digits count as one.
        a[c][c] += 1e-10 * trace;
        // Positive definite: no pivoting is needed.
        let pivot = 1.0 / a[c][c];
        if !pivot.is_finite() {
            return None;
        }
        for r in c + 1..count {
            let factor = a[r][c] * pivot;
            for j in c..count {
                a[r][j] -= factor * a[c][j];
            }
            x[r] -= factor * x[c];
        }
    }
    for c in (0..count).rev() {
        for j in c + 1..count {
            x[c] -= a[c][j] * x[j];
        }
        x[c] /= a[c][c];
    }
    x[..count].iter().all(|x| x.abs() < 1e4).then_some(x)
}
