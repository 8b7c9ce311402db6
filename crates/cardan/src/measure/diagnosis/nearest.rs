//! The pose with the smallest errors, where the joints cannot be closed.
//!
//! Levenberg–Marquardt on ½ |C|², with damping μ:
//!
//! ```text
//! (Jᵀ J + μ 1) x = −Jᵀ C         q ← q ⊕ x
//! ```
//!
//! Masses have no influence. Lengths are in metres and angles in radians.

use crate::model::Model;
use crate::state::State;
use crate::step::{Settings, Workspace, observe_rows};
use crate::tolerances::CLOSED;

/// The largest number of coordinates: the equations are solved densely.
const MOST_COORDINATES: usize = 300;
const MOST_ROUNDS: usize = 200;

/// Moves `pose` to where the errors of the joints are smallest; false if there are too many
/// coordinates.
pub(super) fn minimize_gaps(
    model: &Model,
    settings: &Settings,
    pose: &mut State,
    work: &mut Workspace,
) -> bool {
    let fits = (1..=MOST_COORDINATES).contains(&model.v_len);
    if fits {
        minimise(model, settings, pose, work, None);
    }
    fits
}

/// The length with which a rod could be closed: the distance of its points where all other joints
/// are closed and its own error is smallest. From the pose with the smallest errors; `None` if the
/// others contradict each other, too.
pub(super) fn closing_length(
    model: &Model,
    settings: &Settings,
    pose: &State,
    work: &mut Workspace,
    rod: usize,
) -> Option<f64> {
    if model.v_len > MOST_COORDINATES {
        return None;
    }
    let mut pose = pose.clone();
    let row = model.joints[rod].row_at();
    // First with a small weight, which leads near the solution; then with weight zero, so that the
    // others close.
    minimise(model, settings, &mut pose, work, Some((row, 1e-3)));
    minimise(model, settings, &mut pose, work, Some((row, 0.0)));
    observe_rows(model, settings, &pose, work);
    let closed = |(at, err): (usize, &f64)| at == row || err.abs() <= CLOSED * work.equations.err_scale[at];
    work.equations.err.iter().enumerate().all(closed).then(|| work.kinematics.relatives[rod].offset.norm())
}

/// Moves `pose` to the minimum of ½ |C|², with a weight on one row if given.
fn minimise(
    model: &Model,
    settings: &Settings,
    pose: &mut State,
    work: &mut Workspace,
    weighted: Option<(usize, f64)>,
) {
    let n = model.v_len;
    let mut trust = 1e-3;
    let mut next = pose.clone();
    observe_rows(model, settings, pose, work);
    let mut open = square(&work.equations.err, weighted);
    for _ in 0..MOST_ROUNDS {
        let (mut normal, mut side) = (vec![0.0; n * n], vec![0.0; n]);
        add_rows(model, work, weighted, &mut normal, &mut side);
        if square(&side, None).sqrt() <= 1e-14 * (1.0 + open.sqrt()) {
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
            let now = square(&work.equations.err, weighted);
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

fn weight(weighted: Option<(usize, f64)>, row: usize) -> f64 {
    weighted.filter(|(at, _)| *at == row).map_or(1.0, |(_, weight)| weight)
}

fn square(v: &[f64], weighted: Option<(usize, f64)>) -> f64 {
    let size = |(row, v): (usize, &f64)| v * weight(weighted, row);
    v.iter().enumerate().map(size).map(|v| v * v).sum()
}

/// Jᵀ J and Jᵀ C.
fn add_rows(
    model: &Model,
    work: &Workspace,
    weighted: Option<(usize, f64)>,
    normal: &mut [f64],
    side: &mut [f64],
) {
    let (graph, n) = (&model.graph, side.len());
    for link in graph.all_links() {
        for (row, at) in graph.row_range(link).enumerate() {
            let mut entries: Vec<(usize, f64)> = Vec::new();
            for (end, block) in graph.ends(link).iter().enumerate() {
                let Some(block) = *block else { continue };
                let dim = graph.block_dim(block);
                let values = &work.equations.system.jac(link, end)[row * dim..][..dim];
                entries.extend(graph.block_range(block).zip(values.iter().copied()));
            }
            let weight = weight(weighted, at);
            entries.iter_mut().for_each(|entry| entry.1 *= weight);
            for &(i, a) in &entries {
                side[i] += a * weight * work.equations.err[at];
                for &(j, b) in &entries {
                    normal[i * n + j] += a * b;
                }
            }
        }
    }
}

/// Cholesky factorisation in place, then the solution in place; false if a pivot is not positive.
pub(super) fn solve(a: &mut [f64], x: &mut [f64]) -> bool {
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
