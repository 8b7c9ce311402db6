//! How well (x, λ) answers a system, independent of who computed it.

use crate::graph::packed_len;
use crate::system::System;

/// Worst violations, each relative to the magnitudes of the terms that form the entry (0/0 = 0).
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Residual {
    /// Worst |M x − F − Jᵀ λ|, with K in the place of Jᵀ where a link pushes elsewhere.
    pub balance: f64,
    /// Worst |J x + E λ + c|.
    pub rows: f64,
}

impl Residual {
    /// The larger of the two; NaN if either is.
    pub fn worst(self) -> f64 {
        larger(self.balance, self.rows)
    }
}

/// A sum together with the sum of its terms' magnitudes.
#[derive(Default)]
struct Sum {
    value: f64,
    formed: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        self.value += term;
        self.formed += term.abs();
    }

    fn relative(&self) -> f64 {
        if self.formed == 0.0 { 0.0 } else { self.value.abs() / self.formed }
    }
}

fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

/// Residual of H (x, λ) = (F, c) with the right side given apart. Allocates nothing.
///
/// # Panics
/// If a vector has the wrong length.
pub fn residual(system: &System<f64>, force: &[f64], bias: &[f64], x: &[f64], lambda: &[f64]) -> Residual {
    let graph = &**system.graph();
    assert_eq!((force.len(), x.len()), (graph.unknowns(), graph.unknowns()), "length of force, x");
    assert_eq!((bias.len(), lambda.len()), (graph.rows(), graph.rows()), "length of bias, lambda");
    Residual { balance: balance(system, force, x, lambda, false), rows: rows(system, bias, x, lambda, None) }
}

/// Like [`residual`], but fair to a system at rest.
///
/// Where forces cancel exactly, x should be zero and is rounding, and a row made of such x has a relative
/// residual near one that means nothing. Here an x counts as no smaller than what the forces on it could
/// make of it if they did not cancel: (|F| + Σ|Jᵀ λ|) / M_ii. Likewise an entry of the balance on which nothing
/// but rounding acts (across the plane of a flat mechanism, say) counts as no smaller than the largest of its
/// block, compared as F_i/√M_ii so that forces and torques have one unit. `scratch` has the length of x.
///
/// # Panics
/// If a slice has the wrong length.
pub fn residual_beside_forces(
    system: &System<f64>,
    right: (&[f64], &[f64]),
    x: &[f64],
    lambda: &[f64],
    scratch: &mut [f64],
) -> Residual {
    let graph = &**system.graph();
    let (force, bias) = right;
    assert_eq!((force.len(), x.len()), (graph.unknowns(), graph.unknowns()), "length of force, x");
    assert_eq!((bias.len(), lambda.len()), (graph.rows(), graph.rows()), "length of bias, lambda");
    assert_eq!(scratch.len(), graph.unknowns(), "length of scratch");
    for block in graph.all_blocks() {
        let range = graph.block_range(block);
        let formed = system.force_formed().get(range.clone());
        let (reach, force) = (&mut scratch[range.clone()], &force[range]);
        let dim = reach.len();
        for (i, reach) in reach.iter_mut().enumerate() {
            let mut sum = larger(force[i].abs(), formed.map_or(0.0, |formed| formed[i]));
            for (link, end) in graph.incident(block) {
                let push = system.push(link, end);
                for (row, lambda) in lambda[graph.row_range(link)].iter().enumerate() {
                    sum += (push[row * dim + i] * lambda).abs();
                }
            }
            *reach = sum;
        }
        // The largest force of the block in the metric of its mass, s = max |F_j|/√M_jj, can make x_i of s/√M_ii.
        let unit = |i: usize| system.mass(block)[packed_len(i) + i].sqrt();
        let mut largest = 0.0;
        for (i, reach) in reach.iter().enumerate() {
            largest = larger(largest, reach / unit(i));
        }
        for (i, reach) in reach.iter_mut().enumerate() {
            *reach = largest / unit(i);
        }
    }
    Residual {
        balance: balance(system, force, x, lambda, true),
        rows: rows(system, bias, x, lambda, Some(scratch)),
    }
}

fn rows(system: &System<f64>, bias: &[f64], x: &[f64], lambda: &[f64], reach: Option<&[f64]>) -> f64 {
    let graph = &**system.graph();
    let mut worst = 0.0;
    for link in graph.all_links() {
        for (row, at) in graph.row_range(link).enumerate() {
            let mut sum = Sum::default();
            sum.add(bias[at]);
            sum.add(system.compliance(link)[row] * lambda[at]);
            for (end, block) in graph.ends(link).iter().enumerate() {
                let Some(block) = *block else { continue };
                let range = graph.block_range(block);
                let (dim, start) = (range.len(), range.start);
                for (i, j) in system.jac(link, end)[row * dim..][..dim].iter().enumerate() {
                    let x = x[start + i];
                    let reach = reach.map_or(0.0, |reach| reach[start + i]);
                    sum.value += j * x;
                    sum.formed += j.abs() * larger(x.abs(), reach);
                }
            }
            worst = larger(worst, sum.relative());
        }
    }
    worst
}

fn balance(system: &System<f64>, force: &[f64], x: &[f64], lambda: &[f64], by_block: bool) -> f64 {
    let graph = &**system.graph();
    let mut worst = 0.0;
    for block in graph.all_blocks() {
        let range = graph.block_range(block);
        let formed = system.force_formed().get(range.clone()).filter(|_| by_block);
        let (dim, x, force) = (range.len(), &x[range.clone()], &force[range]);
        let mass = system.mass(block);
        // The largest |residual| and the largest sum of terms of the block, both over √M_ii.
        let (mut block_left, mut block_formed) = (0.0, 0.0);
        for i in 0..dim {
            let mut sum = Sum::default();
            sum.add(-force[i]);
            sum.formed += formed.map_or(0.0, |formed| formed[i]);
            for j in 0..dim {
                let (low, high) = if i < j { (i, j) } else { (j, i) };
                sum.add(mass[packed_len(high) + low] * x[j]);
            }
            for (link, end) in graph.incident(block) {
                let push = system.push(link, end);
                for (row, lambda) in lambda[graph.row_range(link)].iter().enumerate() {
                    sum.add(-(push[row * dim + i] * lambda));
                }
            }
            if by_block {
                let unit = mass[packed_len(i) + i].sqrt();
                block_left = larger(block_left, sum.value.abs() / unit);
                block_formed = larger(block_formed, sum.formed / unit);
            } else {
                worst = larger(worst, sum.relative());
            }
        }
        worst = larger(worst, Sum { value: block_left, formed: block_formed }.relative());
    }
    worst
}
