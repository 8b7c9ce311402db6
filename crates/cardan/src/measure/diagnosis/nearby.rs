//! A closed pose after a small motion: rows that are redundant or locked there, too, are so
//! independently of the pose.
//!
//! With rows and columns at unit size, a motion that the joints leave free, to about √μ,
//!
//! ```text
//! u = r − (Jᵀ J + μ 1)⁻¹ Jᵀ J r          r any vector
//! ```
//!
//! is followed over a short distance, and the joints are closed again by iterating x = −(Jᵀ J + μ
//! 1)⁻¹ Jᵀ C. Rows that a misalignment locks by less than √μ are free there.

use super::nearest::solve;
use crate::math::{Vec3, larger};
use crate::model::Model;
use crate::state::State;
use crate::step::{Settings, Workspace, assemble, observe_rows};

/// The largest number of coordinates: the equations are solved densely.
pub(super) const MOST_COORDINATES: usize = 300;
/// μ: motions resisted by less than its root count as free.
const FREE: f64 = 1e-8;
/// Distance of the motion: radians, and parts of the mechanism's extent.
const FAR: f64 = 0.02;

/// J over all coordinates, lengths in units of the extent, and C; every row at unit size.
struct ScaledRows {
    n: usize,
    jac: Vec<f64>,
    err: Vec<f64>,
}

/// Rows in a pose near `pose` whose joints are closed as well as there. `None` if nothing moves, or
/// no such pose is found.
pub(super) fn find(model: &Model, settings: &Settings, pose: &State) -> Option<Workspace> {
    let n = model.v_len;
    if n == 0 || n > MOST_COORDINATES {
        return None;
    }
    let mut work = Workspace::new(model, settings).ok()?;
    [FAR, -FAR, 0.2 * FAR].into_iter().find_map(|far| {
        let next = moved(model, settings, pose, far, &mut work)?;
        observe_rows(model, settings, &next, &mut work);
        let worst = work
            .equations
            .err
            .iter()
            .zip(&work.equations.err_scale)
            .fold(0.0, |w, (e, s)| larger(w, e.abs() / s));
        (worst < 1e-6).then_some(())
    })?;
    Some(work)
}

/// `pose` moved by `far`, and closed again.
fn moved(model: &Model, settings: &Settings, pose: &State, far: f64, work: &mut Workspace) -> Option<State> {
    observe_rows(model, settings, pose, work);
    let units = units(model, work);
    let rows = ScaledRows::new(model, work, &units);
    let any = numbers(rows.n);
    let held = rows.solve(&rows.transpose(&rows.times(&any)))?;
    let free: Vec<f64> = any.iter().zip(&held).map(|(r, x)| r - x).collect();
    let most = free.iter().fold(0.0, |w, u| larger(w, u.abs()));
    // Constrained motions keep at most √μ of r.
    if most < 1e-2 {
        return None;
    }
    let mut next = pose.clone();
    let shift: Vec<f64> = free.iter().zip(&units).map(|(u, unit)| far * u / most * unit).collect();
    advance(model, pose, &shift, &mut next);
    for _ in 0..40 {
        observe_rows(model, settings, &next, work);
        let rows = ScaledRows::new(model, work, &units);
        let x = rows.solve(&rows.transpose(&rows.err))?;
        let size = x.iter().fold(0.0, |w, x| larger(w, x.abs()));
        if size.is_nan() || size >= 1.0 {
            return None;
        }
        let back: Vec<f64> = x.iter().zip(&units).map(|(x, unit)| -x * unit).collect();
        let from = next.clone();
        advance(model, &from, &back, &mut next);
        if size < 1e-14 {
            break;
        }
    }
    // To rounding, unless that returns it to the start: then it is locked by a misalignment.
    let mut closed = next.clone();
    closed.assembled = false;
    let apart = |a: &State, b: &State| {
        let differences = a.q.iter().zip(&b.q).map(|(a, b)| (a - b).abs());
        differences.fold(0.0, larger)
    };
    let stays = |closed: &State| apart(closed, &next) < 0.1 * apart(pose, &next);
    if settings.projects() && assemble(model, settings, &mut closed, work).is_ok() && stays(&closed) {
        return Some(closed);
    }
    Some(next)
}

/// `from` ⊕ `shift`.
fn advance(model: &Model, from: &State, shift: &[f64], to: &mut State) {
    to.plan.fill(0);
    to.forget_joints();
    for body in &model.bodies {
        body.kind.advance(&from.q[body.q_range()], &shift[body.v_range()], &mut to.q[body.q_range()]);
    }
}

/// The unit of every coordinate: the mechanism's extent for a length, a radian for an angle.
pub(super) fn units(model: &Model, work: &Workspace) -> Vec<f64> {
    let middle =
        work.kinematics.motions[..model.bodies.len()].iter().fold(Vec3::ZERO, |sum, at| sum + at.pos)
            * (1.0 / model.bodies.len() as f64);
    let mut extent = 0.0;
    for at in &work.kinematics.motions[..model.bodies.len()] {
        extent = larger(extent, (at.pos - middle).largest());
    }
    for end in model.joints.iter().flat_map(|joint| [&joint.a, &joint.b]) {
        let from = if end.body().is_some() { Vec3::ZERO } else { middle };
        extent = larger(extent, (end.local.pos - from).largest());
    }
    let extent = if extent > 0.0 { extent } else { 1.0 };
    let mut units = vec![1.0; model.v_len];
    for body in &model.bodies {
        let own = &mut units[body.v_range()];
        if let Some(general) = &body.general {
            // A unit of its coordinates moves it by `general.units` metres.
            own.iter_mut().zip(&general.units).for_each(|(unit, metres)| *unit = extent / metres);
            continue;
        }
        // Lengths come first.
        let lengths = if body.kind.is_planar() { 2 } else { 3 };
        own[..lengths].fill(extent);
    }
    units
}

/// A fixed sequence of numbers between −1 and 1.
pub(super) fn numbers(n: usize) -> Vec<f64> {
    let mut seed: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

impl ScaledRows {
    fn new(model: &Model, work: &Workspace, units: &[f64]) -> Self {
        let (graph, n) = (&model.graph, model.v_len);
        let mut rows = ScaledRows { n, jac: vec![0.0; graph.rows() * n], err: work.equations.err.clone() };
        for link in graph.all_links() {
            for (row, at) in graph.row_range(link).enumerate() {
                let out = &mut rows.jac[at * n..(at + 1) * n];
                for (end, block) in graph.ends(link).iter().enumerate() {
                    let Some(block) = *block else { continue };
                    let dim = graph.block_dim(block);
                    let values = &work.equations.system.jac(link, end)[row * dim..][..dim];
                    for (i, value) in graph.block_range(block).zip(values) {
                        out[i] += value * units[i];
                    }
                }
                let size = out.iter().map(|x| x * x).sum::<f64>().sqrt();
                if size > 0.0 {
                    out.iter_mut().for_each(|x| *x /= size);
                    rows.err[at] /= size;
                }
            }
        }
        rows
    }

    /// J x.
    fn times(&self, x: &[f64]) -> Vec<f64> {
        self.jac.chunks(self.n).map(|row| row.iter().zip(x).map(|(j, x)| j * x).sum()).collect()
    }

    /// Jᵀ y.
    fn transpose(&self, y: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.n];
        for (row, y) in self.jac.chunks(self.n).zip(y) {
            out.iter_mut().zip(row).for_each(|(out, j)| *out += j * y);
        }
        out
    }

    /// (Jᵀ J + μ 1)⁻¹ side.
    fn solve(&self, side: &[f64]) -> Option<Vec<f64>> {
        let n = self.n;
        let mut normal = vec![0.0; n * n];
        for row in self.jac.chunks(n) {
            let some: Vec<(usize, f64)> = row.iter().copied().enumerate().filter(|e| e.1 != 0.0).collect();
            for &(i, a) in &some {
                some.iter().for_each(|&(j, b)| normal[i * n + j] += a * b);
            }
        }
        (0..n).for_each(|i| normal[i * n + i] += FREE);
        let mut x = side.to_vec();
        solve(&mut normal, &mut x).then_some(x)
    }
}
