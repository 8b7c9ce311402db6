//! The pose that leaves the joints least open, where they cannot be closed.
//!
//! Levenberg and Marquardt's way on ½ |C|²: with a trust μ,
//!
//! ```text
//! (Jᵀ J + μ 1) x = −Jᵀ C         q ← q ⊕ x
//! ```
//!
//! Masses have no part in it. Lengths count in metres and angles in radians.

use crate::model::Model;
use crate::state::State;
use crate::step::{Settings, Workspace, observe_rows};

/// Beyond so many coordinates the pose stays as it is: the equations are solved densely.
const MOST_COORDINATES: usize = 300;
const MOST_ROUNDS: usize = 200;

/// Moves `pose` to where the joints are least open.
pub(super) fn least_open(model: &Model, settings: &Settings, pose: &mut State, work: &mut Workspace) {
    let n = model.v_len;
    if n == 0 || n > MOST_COORDINATES {
        return;
    }
    let mut trust = 1e-3;
    let mut next = pose.clone();
    observe_rows(model, settings, pose, work);
    let mut open = square(&work.err);
    for _ in 0..MOST_ROUNDS {
        let (mut normal, mut side) = (vec![0.0; n * n], vec![0.0; n]);
        add_rows(model, work, &mut normal, &mut side);
        if square(&side).sqrt() <= 1e-14 * (1.0 + open.sqrt()) {
            break;
        }
        let mut improved = false;
        for _ in 0..12 {
            let mut factor = normal.clone();
            (0..n).for_each(|i| factor[i * n + i] += trust);
            let mut x: Vec<f64> = side.iter().map(|s| -s).collect();
            if !solve(&mut factor, &mut x) {
                trust *= 10.0;
                continue;
            }
            for body in &model.bodies {
                body.kind.advance(&pose.q[body.q_range()], &x[body.v_range()], &mut next.q[body.q_range()]);
            }
            observe_rows(model, settings, &next, work);
            let now = square(&work.err);
            if now < open {
                open = now;
                pose.q.copy_from_slice(&next.q);
                trust *= 0.1;
                improved = true;
                break;
            }
            trust *= 10.0;
        }
        if !improved {
            break;
        }
    }
}

fn square(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum()
}

/// Jᵀ J and Jᵀ C.
fn add_rows(model: &Model, work: &Workspace, normal: &mut [f64], side: &mut [f64]) {
    let (graph, n) = (&model.graph, side.len());
    for link in graph.all_links() {
        for (row, at) in graph.row_range(link).enumerate() {
            let mut entries: Vec<(usize, f64)> = Vec::new();
            for (end, block) in graph.ends(link).iter().enumerate() {
                let Some(block) = *block else { continue };
                let dim = graph.block_dim(block);
                let values = &work.system.jac(link, end)[row * dim..][..dim];
                entries.extend(graph.block_range(block).zip(values.iter().copied()));
            }
            for &(i, a) in &entries {
                side[i] += a * work.err[at];
                for &(j, b) in &entries {
                    normal[i * n + j] += a * b;
                }
            }
        }
    }
}

/// Cholesky's factor in place, then the solution in place; false if a pivot is not positive.
fn solve(a: &mut [f64], x: &mut [f64]) -> bool {
    let n = x.len();
    for i in 0..n {
        for j in 0..=i {
            let mut sum = a[i * n + j];
            for k in 0..j {
                sum -= a[i * n + k] * a[j * n + k];
            }
            if i == j {
                if sum.is_nan() || sum <= 0.0 {
                    return false;
                }
                a[i * n + i] = sum.sqrt();
            } else {
                a[i * n + j] = sum / a[j * n + j];
            }
        }
        for k in 0..i {
            x[i] -= a[i * n + k] * x[k];
        }
        x[i] /= a[i * n + i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= a[k * n + i] * x[k];
        }
        x[i] /= a[i * n + i];
    }
    true
}
