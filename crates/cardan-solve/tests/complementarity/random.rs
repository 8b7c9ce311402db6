//! Random problems: blocks of one to six unknowns with masses over some decades, rows between two of them or one and the ground.

use super::Owned;
use crate::common::Random;
use cardan_solve::complementarity::Group;

/// Parameters of a random problem.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub rows: usize,
    pub decades: f64,
    /// Percent of rows that repeat or combine others.
    pub redundant: usize,
    /// Percent of rows with zero bias, and of blocks at rest.
    pub degenerate: usize,
    /// Percent of groups of each kind.
    pub held: usize,
    pub bounded: usize,
    pub cones: usize,
    pub wedges: usize,
    pub scaled: usize,
}

pub const SINGLE: Shape = Shape {
    rows: 20,
    decades: 0.0,
    redundant: 0,
    degenerate: 0,
    held: 10,
    bounded: 15,
    cones: 0,
    wedges: 0,
    scaled: 0,
};

/// J M⁻¹ Jᵀ and J v for rows that do not contradict each other.
pub fn problem(random: &mut Random, shape: Shape) -> Owned {
    let mut groups = Vec::new();
    let mut normals = Vec::new();
    let mut k = 0;
    while k < shape.rows {
        let mu = [0.0, 0.1, 0.5, 1.0, 3.0, 0.7][random.below(6)];
        let dice = random.below(100);
        let Shape { cones, wedges, scaled, held, bounded, .. } = shape;
        let among = |from: usize, count: usize| (from..from + count).contains(&dice);
        let group = if among(0, cones) && k + 3 <= shape.rows {
            Group::Cone { mu }
        } else if among(cones, wedges) && k + 2 <= shape.rows {
            Group::Wedge { mu }
        } else if among(cones + wedges, scaled) && !normals.is_empty() {
            Group::Scaled { normal_row: normals[random.below(normals.len())], mu: 0.3 * mu }
        } else if among(cones + wedges + scaled, held) {
            Group::Held
        } else if among(cones + wedges + scaled + held, bounded) {
            let most = random.decades(2.0);
            match random.below(4) {
                0 => Group::Bounded { lo: f64::NEG_INFINITY, hi: 0.0 },
                1 => Group::Bounded { lo: 0.0, hi: most },
                2 => Group::Bounded { lo: -2.0 * most, hi: -most },
                _ => Group::Bounded { lo: -most, hi: most },
            }
        } else {
            Group::OneSided
        };
        if matches!(group, Group::Cone { .. } | Group::Wedge { .. } | Group::OneSided) {
            normals.push(k);
        }
        k += group.rows();
        groups.push(group);
    }
    let dim = 1 + random.below(6);
    let blocks = 1 + random.below(shape.rows.div_ceil(dim) + 1);
    let n = dim * blocks;
    let masses: Vec<f64> = (0..blocks).map(|_| random.decades(shape.decades)).collect();
    let mut jac = vec![0.0; k * n];
    let mut formed = jac.clone();
    let mut row = 0;
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for group in &groups {
        let [first, second] = [random.below(blocks), random.below(blocks + 1)];
        let second = if second == first { blocks } else { second };
        for r in row..row + group.rows() {
            for (block, sign) in [(first, 1.0), (second, -1.0)] {
                if block < blocks {
                    // A direction of length one half to one: masses make rows differ in size.
                    let along: Vec<f64> = (0..dim).map(|_| random.unit()).collect();
                    let length = along.iter().map(|v| v * v).sum::<f64>().sqrt();
                    let scale = sign * (0.75 + 0.25 * random.unit()) / length;
                    for j in 0..dim {
                        jac[r * n + block * dim + j] = scale * along[j];
                        formed[r * n + block * dim + j] = (scale * along[j]).abs();
                    }
                }
            }
        }
        // Cones repeat as a whole; single rows repeat a row, scaled, or are made of three.
        let rows = group.rows();
        let earlier: Vec<usize> =
            starts.iter().filter(|(size, _)| *size == rows).map(|(_, row)| *row).collect();
        starts.push((rows, row));
        if rows > 1 && !earlier.is_empty() && random.chance(shape.redundant) {
            let from = earlier[random.below(earlier.len())];
            jac.copy_within(from * n..(from + rows) * n, row * n);
            formed.copy_within(from * n..(from + rows) * n, row * n);
        } else if rows == 1 && row > 0 && random.chance(shape.redundant) {
            let from = [random.below(row), random.below(row), random.below(row)];
            let weight = match random.below(3) {
                0 => [1.0, 0.0, 0.0],
                1 => [0.3 + random.unit().abs(), 0.0, 0.0],
                _ => [random.unit(), random.unit(), random.unit()],
            };
            for j in 0..n {
                jac[row * n + j] = (0..3).map(|i| weight[i] * jac[from[i] * n + j]).sum();
                formed[row * n + j] = (0..3).map(|i: usize| weight[i].abs() * formed[from[i] * n + j]).sum();
            }
        }
        row += group.rows();
    }
    let v: Vec<f64> = (0..n).map(|_| random.unit()).collect();
    let at_rest: Vec<bool> = (0..blocks).map(|_| random.chance(shape.degenerate)).collect();
    let mut out = Owned {
        groups,
        matrix: vec![0.0; k * k],
        bias: vec![0.0; k],
        matrix_formed: vec![0.0; k],
        bias_formed: vec![0.0; k],
    };
    for i in 0..k {
        for j in 0..=i {
            let sum: f64 = (0..n).map(|c| jac[i * n + c] * jac[j * n + c] / masses[c / dim]).sum();
            out.matrix[i * k + j] = sum;
            out.matrix[j * k + i] = sum;
        }
        for c in (0..n).filter(|c| !at_rest[c / dim]) {
            out.bias[i] += jac[i * n + c] * v[c];
            out.bias_formed[i] += formed[i * n + c] * v[c].abs();
        }
        out.matrix_formed[i] = (0..n).map(|c| formed[i * n + c] * formed[i * n + c] / masses[c / dim]).sum();
    }
    out
}
