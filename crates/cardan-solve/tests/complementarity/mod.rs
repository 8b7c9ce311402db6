//! Complementarity problems: random ones by their conditions, known ones by their numbers.
#![allow(missing_docs, unreachable_pub, clippy::disallowed_methods)]

mod active_set;
mod cones;
mod contact_problem;
mod lemke;
mod many_contacts;
mod no_panic;
mod random;
mod study;

use cardan_solve::complementarity::{Group, Problem};

/// A problem that owns its numbers.
#[derive(Clone, Debug, Default)]
pub struct Owned {
    pub groups: Vec<Group>,
    pub matrix: Vec<f64>,
    pub bias: Vec<f64>,
    pub matrix_formed: Vec<f64>,
    pub bias_formed: Vec<f64>,
}

impl Owned {
    pub fn view(&self) -> Problem<'_> {
        Problem {
            groups: &self.groups,
            matrix: &self.matrix,
            bias: &self.bias,
            matrix_formed: &self.matrix_formed,
            bias_formed: &self.bias_formed,
        }
    }

    /// a = A λ + b, and the size of its terms.
    pub fn rates(&self, lambda: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let k = self.bias.len();
        let mut a = self.bias.clone();
        let mut size = self.bias_formed.clone();
        for i in 0..k {
            for j in 0..k {
                a[i] += self.matrix[i * k + j] * lambda[j];
                size[i] += (self.matrix[i * k + j] * lambda[j]).abs();
            }
        }
        // No row is known better than to the rounding of the largest.
        let root = |i: usize| self.matrix_formed[i].sqrt();
        let most = (0..k).filter(|&i| root(i) > 0.0).map(|i| size[i] / root(i)).fold(0.0, f64::max);
        for i in 0..k {
            size[i] = size[i].max(1e-5 * most * root(i));
        }
        (a, size)
    }

    /// Violation of all conditions: signs, bounds and cones relative to the multipliers, a and its products
    /// relative to its terms.
    pub fn violation(&self, lambda: &[f64]) -> f64 {
        let k = self.bias.len();
        let (a, mut size) = self.rates(lambda);
        let mut row = 0;
        // The rows of a cone are judged together.
        for &group in &self.groups {
            let rows = row..row + group.rows();
            let most = rows.clone().map(|r| size[r]).fold(0.0, f64::max);
            size[rows].fill(most);
            row += group.rows();
        }
        let size = size;
        let own = |row: usize| self.matrix[row * k + row];
        // Violation of a bound, as a rate relative to the terms of the row.
        let excess = |row: usize, out: f64| if out > 0.0 { out * own(row) / size[row] } else { 0.0 };
        // A condition "a ≥ 0" or "a = 0"; both sides zero is fine.
        let part = |row: usize, off: f64| if off > 0.0 { off / size[row] } else { 0.0 };
        // Complementarity: the smaller of the distance to the bound and of a.
        let both = |row: usize, room: f64, a: f64| {
            if room.is_infinite() {
                return part(row, a);
            }
            part(row, a).min(excess(row, room))
        };
        let mut worst: f64 = 0.0;
        let mut row = 0;
        for &group in &self.groups {
            match group {
                Group::Held => worst = worst.max(part(row, a[row].abs())),
                Group::OneSided => worst = worst.max(one_sided(lambda, &a, row, &part, &excess, &both)),
                Group::Bounded { lo, hi } => {
                    worst = worst.max(excess(row, lo - lambda[row])).max(excess(row, lambda[row] - hi));
                    worst = worst.max(both(row, lambda[row] - lo, a[row]));
                    worst = worst.max(both(row, hi - lambda[row], -a[row]));
                }
                Group::Cone { .. } | Group::Wedge { .. } | Group::Scaled { .. } => {
                    let (mu, normal, tangents) = match group {
                        Group::Cone { mu } => (mu, row, row + 1..row + 3),
                        Group::Wedge { mu } => (mu, row, row + 1..row + 2),
                        Group::Scaled { normal_row, mu } => (mu, normal_row, row..row + 1),
                        _ => unreachable!(),
                    };
                    if normal == row {
                        worst = worst.max(one_sided(lambda, &a, row, &part, &excess, &both));
                    }
                    let radius = mu * lambda[normal];
                    let norm = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
                    let push = &lambda[tangents.clone()];
                    let slide = &a[tangents.clone()];
                    let most = tangents.clone().map(|r| size[r]).fold(size[row], f64::max);
                    let stiff = tangents.clone().map(own).fold(0.0, f64::max);
                    let out = (norm(push) - radius) * stiff / most.max(f64::MIN_POSITIVE);
                    worst = worst.max(out);
                    if norm(slide) > 0.0 {
                        // Sliding: the multiplier is at the boundary of the cone, against the motion.
                        let miss: Vec<f64> =
                            push.iter().zip(slide).map(|(l, a)| l + radius * a / norm(slide)).collect();
                        // The violation in the natural map, whose terms are 1 / stiff.
                        let off = norm(&miss) * stiff * norm(slide) / (radius.max(0.0) * stiff + norm(slide));
                        worst = worst.max(off / most);
                    }
                }
            }
            row += group.rows();
        }
        worst
    }
}

fn one_sided(
    lambda: &[f64],
    a: &[f64],
    row: usize,
    part: &impl Fn(usize, f64) -> f64,
    excess: &impl Fn(usize, f64) -> f64,
    both: &impl Fn(usize, f64, f64) -> f64,
) -> f64 {
    part(row, -a[row]).max(excess(row, -lambda[row])).max(both(row, lambda[row], a[row]))
}
