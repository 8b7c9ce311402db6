//! Residual of (x, λ), independent of the solver that computed it.

use crate::graph::{Block, Link, index_u32, packed_len};
use crate::system::System;
use crate::tolerances::ROUNDING_OF_ELIMINATION;

/// Worst violations, each relative to the magnitudes of the terms that form the entry (0/0 = 0).
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Residual {
    /// Worst |M x − F − Jᵀ λ|, with K in place of Jᵀ for links with force columns of their own.
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
struct FormedSum {
    value: f64,
    formed: f64,
}

impl FormedSum {
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

/// Residual of H (x, λ) = (F, c) with the right-hand side given separately. Allocates nothing.
///
/// # Panics
/// If a vector has the wrong length.
pub fn residual(system: &System<f64>, force: &[f64], bias: &[f64], x: &[f64], lambda: &[f64]) -> Residual {
    let graph = &**system.graph();
    assert_eq!((force.len(), x.len()), (graph.unknowns(), graph.unknowns()), "length of force, x");
    assert_eq!((bias.len(), lambda.len()), (graph.rows(), graph.rows()), "length of bias, lambda");
    Residual {
        balance: balance(system, force, x, lambda, ResidualScale::Terms),
        rows: rows(system, bias, x, lambda, None),
    }
}

/// Like [`residual`], but meaningful for a system at rest.
///
/// Where forces cancel exactly, x should be zero and is rounding, and a row made of such x has a relative
/// residual near one that means nothing. Here an x counts as no smaller than what the forces on it would
/// cause if they did not cancel: (|F| + Σ|Jᵀ λ|) / M_ii. Likewise an entry of the balance on which only
/// rounding acts (normal to the plane of a planar mechanism) counts as no smaller than the largest of its
/// block, compared as F_i/√M_ii so that forces and torques have one unit.
///
/// Where a residual remains, neighbours count too: the multipliers of a block on which nothing acts, and
/// which cannot move, are rounding of what acts on the blocks that it is linked to. What a row could transmit
/// of that is added, from link to link. `scratch` has the length of x.
///
/// # Panics
/// If a slice has the wrong length.
pub fn residual_relative_to_forces(
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
                let push = system.force_columns(link, end);
                for (row, lambda) in lambda[graph.row_range(link)].iter().enumerate() {
                    sum += (push[row * dim + i] * lambda).abs();
                }
            }
            *reach = sum;
        }
        // The largest force of the block in the metric of its mass, s = max |F_j|/√M_jj, can cause x_i =
        // s/√M_ii.
        let unit = |i: usize| system.mass(block)[packed_len(i) + i].sqrt();
        let mut largest = 0.0;
        for (i, reach) in reach.iter().enumerate() {
            largest = larger(largest, reach / unit(i));
        }
        for (i, reach) in reach.iter_mut().enumerate() {
            *reach = largest / unit(i);
        }
    }
    let left = Residual {
        balance: balance(system, force, x, lambda, ResidualScale::Block),
        rows: rows(system, bias, x, lambda, Some(scratch)),
    };
    if left.worst() <= ROUNDING_OF_ELIMINATION {
        return left;
    }
    spread(system, scratch);
    Residual {
        balance: balance(system, force, x, lambda, ResidualScale::Reach(scratch)),
        rows: rows(system, bias, x, lambda, Some(scratch)),
    }
}

/// Most sweeps forth and back along all links.
const ROUNDS: usize = 16;

/// Transmits forces along the links. Given forces s_a on block a (in the metric of its mass), one row alone
/// has at most
///
/// ```text
/// λ = n_a s_a / max (n_e p_e, E),        n_e = Σ |J_ei|/√M_ii,  p_e = Σ |K_ei|/√M_ii        (K = Jᵀ unless the link has its own)
/// ```
///
/// and acts on block b with p_b λ; λ is known to rounding of that, and no better.
fn spread(system: &System<f64>, reach: &mut [f64]) {
    let links = system.graph().links();
    for _ in 0..ROUNDS {
        let mut has_changed = false;
        for link in (0..links).chain((0..links).rev()) {
            has_changed |= spread_along(system, Link(index_u32(link)), reach);
        }
        if !has_changed {
            return;
        }
    }
}

/// Transmits forces along one link; true if that changed any.
fn spread_along(system: &System<f64>, link: Link, reach: &mut [f64]) -> bool {
    // A smaller gain is rounding: forces transmitted back and forth must not grow by it.
    const MORE: f64 = 1.0 + 1e-9;
    let graph = &**system.graph();
    let ends = || {
        let blocks = graph.ends(link).iter().enumerate().filter_map(|(end, block)| Some((end, (*block)?)));
        blocks.filter(|(_, block)| !graph.block_range(*block).is_empty())
    };
    let unit = |block: Block, i: usize| system.mass(block)[packed_len(i) + i].sqrt();
    // Σ |J_i|/√M_ii of one row.
    let size = |jac: &[f64], block: Block, row: usize| {
        let dim = graph.block_range(block).len();
        let jac = &jac[row * dim..][..dim];
        jac.iter().enumerate().fold(0.0, |sum, (i, j)| sum + j.abs() / unit(block, i))
    };
    let mut has_changed = false;
    for row in 0..graph.row_range(link).len() {
        let answer = ends().fold(system.compliance(link)[row].abs(), |most, (end, block)| {
            larger(
                most,
                size(system.jac(link, end), block, row) * size(system.force_columns(link, end), block, row),
            )
        });
        if answer == 0.0 {
            continue;
        }
        for (from, a) in ends() {
            let acts = reach[graph.block_range(a).start] * unit(a, 0);
            let asks = size(system.jac(link, from), a, row);
            for (to, b) in ends().filter(|(to, _)| *to != from) {
                let part = asks * size(system.force_columns(link, to), b, row) / answer;
                // At most all of it, if the link acts along its rows.
                let passed = acts * if part < 1.0 { part } else { 1.0 };
                let range = graph.block_range(b);
                if passed > MORE * reach[range.start] * unit(b, 0) {
                    has_changed = true;
                    reach[range].iter_mut().enumerate().for_each(|(i, reach)| *reach = passed / unit(b, i));
                }
            }
        }
    }
    has_changed
}

/// What an entry of the balance is compared with.
#[derive(Copy, Clone)]
enum ResidualScale<'a> {
    /// Its own terms.
    Terms,
    /// The terms of its block.
    Block,
    /// The terms of its block, and the forces that could act on it.
    Reach(&'a [f64]),
}

fn rows(system: &System<f64>, bias: &[f64], x: &[f64], lambda: &[f64], reach: Option<&[f64]>) -> f64 {
    let graph = &**system.graph();
    let mut worst = 0.0;
    for link in graph.all_links() {
        for (row, at) in graph.row_range(link).enumerate() {
            let mut sum = FormedSum::default();
            sum.add(bias[at]);
            sum.add(system.compliance(link)[row] * lambda[at]);
            // A row of rounding alone leaves rounding of what formed it, whatever the solution.
            if let Some(formed) = system.bias_formed().get(at)
                && system.is_void(link, row)
            {
                sum.formed +=
                    formed + system.row_scale(link)[row] * largest_relative_to_units(system, link, x, reach);
            }
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

/// The largest x of a link's blocks, or that forces could cause there, each over its unit.
fn largest_relative_to_units(system: &System<f64>, link: Link, x: &[f64], reach: Option<&[f64]>) -> f64 {
    let graph = &**system.graph();
    let unknowns = graph.ends(link).iter().flatten().flat_map(|block| graph.block_range(*block));
    let size = |i: usize| larger(x[i].abs(), reach.map_or(0.0, |reach| reach[i])) / system.units()[i];
    unknowns.fold(0.0, |most, i| larger(most, size(i)))
}

fn balance(system: &System<f64>, force: &[f64], x: &[f64], lambda: &[f64], scale: ResidualScale<'_>) -> f64 {
    let graph = &**system.graph();
    let by_block = !matches!(scale, ResidualScale::Terms);
    let mut worst = 0.0;
    for block in graph.all_blocks() {
        let range = graph.block_range(block);
        let formed = system.force_formed().get(range.clone()).filter(|_| by_block);
        let (start, dim) = (range.start, range.len());
        let (x, force) = (&x[range.clone()], &force[range]);
        let mass = system.mass(block);
        // The largest |residual| and the largest sum of terms of the block, both over √M_ii.
        let (mut block_left, mut block_formed) = (0.0, 0.0);
        if let (ResidualScale::Reach(reach), true) = (scale, dim > 0) {
            block_formed = reach[start] * mass[0].sqrt();
        }
        for i in 0..dim {
            let mut sum = FormedSum::default();
            sum.add(-force[i]);
            sum.formed += formed.map_or(0.0, |formed| formed[i]);
            for j in 0..dim {
                let (low, high) = if i < j { (i, j) } else { (j, i) };
                sum.add(mass[packed_len(high) + low] * x[j]);
            }
            for (link, end) in graph.incident(block) {
                let push = system.force_columns(link, end);
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
        worst = larger(worst, FormedSum { value: block_left, formed: block_formed }.relative());
    }
    worst
}
