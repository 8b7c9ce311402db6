//! The problem in units in which every group is about 1: y = λ / s, A ← s A s, b ← s b.

use super::GroupState;
use crate::complementarity::local;
use crate::complementarity::problem::{Group, Problem, floor};
use crate::tolerances::{CLEAR_STATE, MOST_SELF_STRESS, ZERO_DIAGONAL};

/// A group and its rows.
#[derive(Copy, Clone, Debug)]
pub(super) struct ScaledGroup {
    pub(super) row: usize,
    pub(super) kind: ScaledKind,
}

/// Bounds and coefficients in scaled units.
#[derive(Copy, Clone, Debug)]
pub(super) enum ScaledKind {
    /// Also equalities and one-sided rows.
    Bounded {
        lo: f64,
        hi: f64,
    },
    Cone {
        mu: f64,
    },
    Wedge {
        mu: f64,
    },
    Scaled {
        normal: usize,
        mu: f64,
    },
}

#[derive(Clone, Debug, Default)]
pub(super) struct ScaledProblem {
    pub(super) groups: Vec<ScaledGroup>,
    /// s, per row.
    scale: Vec<f64>,
    pub(super) matrix: Vec<f64>,
    pub(super) bias: Vec<f64>,
    /// The given b, while rows are lifted.
    given: Vec<f64>,
    formed: Vec<f64>,
    /// Terms that formed A_ii, scaled; zero where no impulse moves the row.
    diagonal: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) a: Vec<f64>,
    pub(super) size: Vec<f64>,
    /// Cap on the size of terms.
    most: f64,
    /// Rounding of terms above the cap, relative to it.
    rounding: f64,
}

impl ScaledProblem {
    pub(super) fn take(&mut self, problem: &Problem) {
        let k = problem.rows();
        self.scale.clear();
        for &group in problem.groups {
            let row = self.scale.len();
            let rows = group.rows();
            let sum = |value: &dyn Fn(usize) -> f64| (row..row + rows).map(value).sum::<f64>() / rows as f64;
            let own = sum(&|r| problem.matrix[r * k + r]);
            let own = if own > 0.0 { own } else { sum(&|r| problem.diagonal_formed(r)) };
            let scale = if own > 0.0 { 1.0 / own.sqrt() } else { 1.0 };
            // The root of the smallest numbers may be too large for its square to be finite.
            let scale = if (scale * scale).is_finite() { scale } else { 1.0 };
            self.scale.extend((0..rows).map(|_| scale));
        }
        self.groups.clear();
        let mut row = 0;
        for &group in problem.groups {
            let kind = match group {
                Group::Held => ScaledKind::Bounded { lo: f64::NEG_INFINITY, hi: f64::INFINITY },
                Group::OneSided => ScaledKind::Bounded { lo: 0.0, hi: f64::INFINITY },
                Group::Bounded { lo, hi } => {
                    ScaledKind::Bounded { lo: lo / self.scale[row], hi: hi / self.scale[row] }
                }
                Group::Cone { mu } => ScaledKind::Cone { mu },
                Group::Wedge { mu } => ScaledKind::Wedge { mu },
                Group::Scaled { normal_row, mu } => ScaledKind::Scaled {
                    normal: normal_row,
                    mu: mu * self.scale[normal_row] / self.scale[row],
                },
            };
            self.groups.push(ScaledGroup { row, kind });
            row += group.rows();
        }
        self.matrix.clear();
        for i in 0..k {
            let row = &problem.matrix[i * k..][..k];
            self.matrix.extend((0..k).map(|j| self.scale[i] * row[j] * self.scale[j]));
        }
        for array in [&mut self.bias, &mut self.formed, &mut self.diagonal] {
            array.clear();
        }
        for i in 0..k {
            let scale = self.scale[i];
            self.bias.push(scale * problem.bias[i]);
            self.formed.push(scale * problem.size(i));
            self.diagonal.push(if problem.is_immovable(i) {
                0.0
            } else {
                scale * scale * problem.diagonal_formed(i)
            });
        }
        for array in [&mut self.y, &mut self.a, &mut self.size] {
            array.clear();
            array.resize(k, 0.0);
        }
        self.most = MOST_SELF_STRESS * self.to_balance();
        self.given.clone_from(&self.bias);
        self.evaluate();
    }

    /// Adds this part of what is to be balanced to b of every row that can open: a motion then opens all of
    /// them. Zero restores b.
    pub(super) fn lift(&mut self, part: f64) {
        self.bias.copy_from_slice(&self.given);
        let by = part * self.most / MOST_SELF_STRESS;
        for &ScaledGroup { row, kind } in self.groups.iter().filter(|_| part > 0.0) {
            let opens = match kind {
                ScaledKind::Cone { .. } | ScaledKind::Wedge { .. } => true,
                ScaledKind::Bounded { lo, hi } => lo == 0.0 && hi == f64::INFINITY,
                ScaledKind::Scaled { .. } => false,
            };
            if opens {
                self.bias[row] += by;
            }
        }
        self.evaluate();
    }

    pub(super) fn guess(&mut self, lambda: &[f64]) {
        for (i, lambda) in lambda.iter().enumerate() {
            let y = lambda / self.scale[i];
            self.y[i] = if y.is_finite() { y } else { 0.0 };
        }
        self.evaluate();
    }

    /// Computes a and the size of its terms.
    pub(super) fn evaluate(&mut self) {
        let k = self.y.len();
        for i in 0..k {
            let (mut a, mut size) = (self.bias[i], self.formed[i]);
            for (entry, y) in self.matrix[i * k..][..k].iter().zip(&self.y) {
                let term = entry * y;
                a += term;
                size += term.abs();
            }
            (self.a[i], self.size[i]) = (a, size);
        }
        floor(&self.diagonal, &mut self.size);
        self.rounding = 0.0;
        for size in &mut self.size {
            if *size > self.most {
                // What is to be balanced is lost in the rounding of such terms.
                let rounding = 4.0 * f64::EPSILON * *size / self.most;
                self.rounding = if rounding > self.rounding { rounding } else { self.rounding };
                *size = self.most;
            }
        }
    }

    /// The size of what is to be balanced: b, and multipliers that bounds keep from zero.
    fn to_balance(&self) -> f64 {
        let k = self.y.len();
        let mut given = 0.0;
        for i in 0..k {
            let mut size = self.formed[i];
            for group in &self.groups {
                if let ScaledKind::Bounded { lo, hi } = group.kind {
                    size += (self.matrix[i * k + group.row] * clamp(0.0, lo, hi)).abs();
                }
            }
            given = if size > given { size } else { given };
        }
        given
    }

    /// The bound of a scaled row.
    #[inline]
    pub(super) fn reach(&self, normal: usize, mu: f64) -> f64 {
        if self.y[normal] > 0.0 { mu * self.y[normal] } else { 0.0 }
    }

    /// The size that a group is judged by.
    pub(super) fn size_of(&self, row: usize, rows: usize) -> f64 {
        self.size[row..row + rows].iter().fold(f64::MIN_POSITIVE, |most, &v| if v > most { v } else { most })
    }

    /// Residual of the natural map: the worst group relative to its size; NaN if anything is NaN.
    pub(super) fn residual(&self) -> f64 {
        let mut worst = self.rounding;
        for group in &self.groups {
            let row = group.row;
            let (y, a) = (&self.y[row..], &self.a[row..]);
            let (off, rows) = match group.kind {
                ScaledKind::Bounded { lo, hi } => ((y[0] - clamp(y[0] - a[0], lo, hi)).abs(), 1),
                ScaledKind::Scaled { normal, mu } => {
                    let most = self.reach(normal, mu);
                    ((y[0] - clamp(y[0] - a[0], -most, most)).abs(), 1)
                }
                ScaledKind::Wedge { mu } => {
                    let point = [y[0] - a[0] - mu * a[1].abs(), y[1] - a[1], 0.0];
                    let [n, t, _] = local::project(mu, point);
                    (((y[0] - n) * (y[0] - n) + (y[1] - t) * (y[1] - t)).sqrt(), 2)
                }
                ScaledKind::Cone { mu } => {
                    let slide = (a[1] * a[1] + a[2] * a[2]).sqrt();
                    let [n, t, u] = local::project(mu, [y[0] - a[0] - mu * slide, y[1] - a[1], y[2] - a[2]]);
                    let (n, t, u) = (y[0] - n, y[1] - t, y[2] - u);
                    ((n * n + t * t + u * u).sqrt(), 3)
                }
            };
            let part = off / self.size_of(row, rows);
            if part > worst || part.is_nan() {
                worst = part;
            }
            if worst.is_nan() {
                return f64::NAN;
            }
        }
        worst
    }

    /// One sweep of Gauss–Seidel.
    pub(super) fn sweep(&mut self) {
        let k = self.y.len();
        for index in 0..self.groups.len() {
            let ScaledGroup { row, kind } = self.groups[index];
            let entry = |i: usize, j: usize| self.matrix[(row + i) * k + row + j];
            let (y, a) = (&self.y[row..], &self.a[row..]);
            let (new, rows): ([f64; 3], usize) = match kind {
                ScaledKind::Bounded { .. } | ScaledKind::Scaled { .. } => {
                    let (lo, hi) = match kind {
                        ScaledKind::Scaled { normal, mu } => {
                            let most = self.reach(normal, mu);
                            (-most, most)
                        }
                        ScaledKind::Bounded { lo, hi } => (lo, hi),
                        _ => continue,
                    };
                    let own = entry(0, 0);
                    let step = if own > ZERO_DIAGONAL * self.diagonal[row] { a[0] / own } else { 0.0 };
                    ([clamp(y[0] - step, lo, hi), 0.0, 0.0], 1)
                }
                ScaledKind::Wedge { mu } => {
                    let w = [entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)];
                    let q = [a[0] - w[0] * y[0] - w[1] * y[1], a[1] - w[2] * y[0] - w[3] * y[1]];
                    let Some([n, t]) = local::wedge(&w, q, mu) else { continue };
                    ([n, t, 0.0], 2)
                }
                ScaledKind::Cone { mu } => {
                    let mut w = [0.0; 9];
                    let mut q = [0.0; 3];
                    for i in 0..3 {
                        q[i] = a[i];
                        for j in 0..3 {
                            w[3 * i + j] = entry(i, j);
                            q[i] -= w[3 * i + j] * y[j];
                        }
                    }
                    let Some(new) = local::cone(&w, q, mu) else { continue };
                    (new, 3)
                }
            };
            for r in 0..rows {
                let change = new[r] - self.y[row + r];
                if change != 0.0 && change.is_finite() {
                    self.y[row + r] = new[r];
                    for (a, entry) in self.a.iter_mut().zip(&self.matrix[(row + r) * k..][..k]) {
                        *a += entry * change;
                    }
                }
            }
        }
    }

    /// Projects y onto the set of all conditions; bounds of scaled rows by the present normals.
    pub(super) fn tidy(&mut self) {
        for index in 0..self.groups.len() {
            let ScaledGroup { row, kind } = self.groups[index];
            match kind {
                ScaledKind::Bounded { lo, hi } => self.y[row] = clamp(self.y[row], lo, hi),
                ScaledKind::Wedge { mu } => {
                    let [n, t, _] = local::project(mu, [self.y[row], self.y[row + 1], 0.0]);
                    (self.y[row], self.y[row + 1]) = (n, t);
                }
                ScaledKind::Cone { mu } => {
                    let point = local::project(mu, [self.y[row], self.y[row + 1], self.y[row + 2]]);
                    self.y[row..row + 3].copy_from_slice(&point);
                }
                ScaledKind::Scaled { .. } => {}
            }
        }
        for index in 0..self.groups.len() {
            if let ScaledGroup { row, kind: ScaledKind::Scaled { normal, mu } } = self.groups[index] {
                let most = self.reach(normal, mu);
                self.y[row] = clamp(self.y[row], -most, most);
            }
        }
    }

    pub(super) fn write(&self, lambda: &mut Vec<f64>, a: &mut Vec<f64>, states: &mut Vec<GroupState>) {
        lambda.clear();
        lambda.extend(self.y.iter().zip(&self.scale).map(|(y, scale)| y * scale));
        a.clear();
        a.extend(self.a.iter().zip(&self.scale).map(|(a, scale)| a / scale));
        states.clear();
        for group in &self.groups {
            states.push(self.state(group));
        }
    }

    /// Open, stick or slip, by the part of the projection that is active.
    fn state(&self, group: &ScaledGroup) -> GroupState {
        let row = group.row;
        let (y, a) = (&self.y[row..], &self.a[row..]);
        // Above rounding of the terms.
        let tell = |value: f64, rows: usize| value > CLEAR_STATE * self.size_of(row, rows);
        let (normal, push, slide, mu, rows) = match group.kind {
            ScaledKind::Bounded { lo, hi } => {
                return if tell(a[0], 1) {
                    if lo == 0.0 { GroupState::Open } else { GroupState::Slip }
                } else if tell(-a[0], 1) {
                    if hi == 0.0 { GroupState::Open } else { GroupState::Slip }
                } else if y[0] == 0.0 && (lo == 0.0 || hi == 0.0) {
                    GroupState::Open
                } else {
                    GroupState::Stick
                };
            }
            ScaledKind::Scaled { normal, mu } => (self.y[normal], y[0].abs(), a[0].abs(), mu, 1),
            ScaledKind::Wedge { mu } => (y[0], y[1].abs(), a[1].abs(), mu, 2),
            ScaledKind::Cone { mu } => {
                let push = (y[1] * y[1] + y[2] * y[2]).sqrt();
                (y[0], push, (a[1] * a[1] + a[2] * a[2]).sqrt(), mu, 3)
            }
        };
        if normal <= 0.0 {
            GroupState::Open
        } else if tell(slide, rows) || (mu > 0.0 && push >= mu * normal && slide > 0.0) {
            GroupState::Slip
        } else {
            GroupState::Stick
        }
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
