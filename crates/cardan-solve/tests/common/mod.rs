//! Random systems, and a third computation of the rank.
#![allow(dead_code, missing_docs, unreachable_pub)]

pub mod mechanism;

use std::sync::Arc;

use cardan_solve::{Block, Counted, Graph, Link, System};

/// SplitMix64: small, seedable, the same on every platform.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [−1, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Between 10^(−`decades`/2) and 10^(`decades`/2), each decade as likely as the next.
    pub fn decades(&mut self, decades: f64) -> f64 {
        let exponent = self.unit() * decades / 2.0;
        let (whole, part) = (exponent.floor(), exponent - exponent.floor());
        let step = if whole < 0.0 { 0.1 } else { 10.0 };
        (0..whole.abs() as usize).fold(1.0 + 9.0 * part, |value, _| value * step)
    }
}

/// Parameters of a random forest.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub blocks: usize,
    /// Percent of links that are compliant, that have more rows than they need, that are doubled.
    pub compliant: usize,
    pub crowded: usize,
    pub parallel: usize,
    pub mass_decades: f64,
    /// Blocks may also be linked to the ground far from their roots.
    pub rings: bool,
    /// Every link has an identity on each end plus small random numbers, so that no row is nearly dependent.
    pub tame: bool,
}

pub const PLAIN: Shape = Shape {
    blocks: 12,
    compliant: 20,
    crowded: 20,
    parallel: 10,
    mass_decades: 0.0,
    rings: false,
    tame: false,
};

/// A random forest; the rows of its links are dense and generic.
pub fn random_forest(random: &mut Random, shape: Shape) -> System {
    let mut graph = Graph::new();
    let count = 1 + random.below(shape.blocks);
    let mut blocks: Vec<Block> = Vec::new();
    let mut ends: Vec<(usize, [Option<Block>; 2])> = Vec::new();
    for _ in 0..count {
        let dim = [1, 2, 3, 4, 5, 6, 7, 12, 6, 3][random.below(10)];
        let block = graph.add_block(dim);
        let rows = 1 + if random.chance(shape.crowded) { random.below(6) } else { random.below(dim.min(6)) };
        let parent = match random.below(6) {
            _ if blocks.is_empty() => None,
            0 => None,
            1 => blocks.last().copied(),
            _ => Some(blocks[random.below(blocks.len())]),
        };
        // Some second roots float.
        if parent.is_some() || random.chance(60) {
            let pair = if random.chance(50) { [parent, Some(block)] } else { [Some(block), parent] };
            ends.push((rows, pair));
            if random.chance(shape.parallel) {
                ends.push((1 + random.below(3), pair));
            }
        }
        if random.chance(5) {
            ends.push((1, [Some(block), Some(block)]));
        }
        if shape.rings && random.chance(15) {
            ends.push((1 + random.below(3), [Some(block), None]));
        }
        blocks.push(block);
    }
    for k in (1..ends.len()).rev() {
        ends.swap(k, random.below(k + 1));
    }
    for (rows, pair) in &ends {
        graph.add_link(*rows, pair);
    }
    fill(random, Arc::new(graph), shape)
}

/// Generic numbers on a graph.
pub fn fill(random: &mut Random, graph: Arc<Graph>, shape: Shape) -> System {
    let mut system = System::new(Arc::clone(&graph));
    for block in graph.all_blocks() {
        let dim = graph.block_dim(block);
        let size = random.decades(shape.mass_decades);
        let root: Vec<f64> = (0..dim * dim).map(|_| random.unit()).collect();
        let mass = system.mass_mut(block);
        for i in 0..dim {
            for j in 0..=i {
                let product: f64 = (0..dim).map(|k| root[i * dim + k] * root[j * dim + k]).sum();
                mass[i * (i + 1) / 2 + j] = size * (product + if i == j { 0.5 } else { 0.0 });
            }
        }
        system.force_of_mut(block).iter_mut().for_each(|f| *f = size * random.unit());
    }
    for link in graph.all_links() {
        for end in 0..graph.ends(link).len() {
            let dim = graph.ends(link)[end].map_or(1, |block| graph.block_dim(block));
            for (at, j) in system.jac_mut(link, end).iter_mut().enumerate() {
                let identity = if at / dim == at % dim { 1.0 } else { 0.0 };
                *j = if shape.tame { identity + 0.2 * random.unit() } else { random.unit() };
            }
        }
        if random.chance(shape.compliant) {
            system.compliance_mut(link).iter_mut().for_each(|e| *e = random.decades(4.0));
        }
        system.bias_of_mut(link).iter_mut().for_each(|c| *c = random.unit());
    }
    make_consistent(random, &mut system);
    system
}

/// Sets c = −J x₀ for a random x₀ on all rows, so that rigid rows never contradict each other.
pub fn make_consistent(random: &mut Random, system: &mut System) {
    let graph = Arc::clone(system.graph());
    let x: Vec<f64> = (0..graph.unknowns()).map(|_| random.unit()).collect();
    for link in graph.all_links() {
        let product = times(system, link, &x);
        for (c, jx) in system.bias_of_mut(link).iter_mut().zip(product) {
            *c = -jx;
        }
    }
}

/// J x for one link.
pub fn times(system: &System, link: Link, x: &[f64]) -> Vec<f64> {
    let graph = system.graph();
    let mut product = vec![0.0; graph.link_rows(link)];
    for (end, block) in graph.ends(link).iter().enumerate() {
        let Some(block) = *block else { continue };
        let (x, jac) = (&x[graph.block_range(block)], system.jac(link, end));
        for (row, sum) in product.iter_mut().enumerate() {
            *sum += (0..x.len()).map(|j| jac[row * x.len() + j] * x[j]).sum::<f64>();
        }
    }
    product
}

/// The same numbers, counted.
pub fn counted(system: &System) -> System<Counted> {
    let graph = system.graph();
    let mut twin = System::new(Arc::clone(graph));
    let copy = |to: &mut [Counted], from: &[f64]| {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = Counted(*from));
    };
    for block in graph.all_blocks() {
        copy(twin.mass_mut(block), system.mass(block));
    }
    for link in graph.all_links() {
        for end in 0..graph.ends(link).len() {
            copy(twin.jac_mut(link, end), system.jac(link, end));
        }
        copy(twin.compliance_mut(link), system.compliance(link));
    }
    copy(twin.force_mut(), system.force());
    copy(twin.bias_mut(), system.bias());
    twin
}

/// Rank of the scaled rigid rows by one-sided Jacobi singular values, plus the compliant rows.
pub fn rank_by_singular_values(system: &System) -> usize {
    SingularValues::of(system).rank
}

/// One-sided Jacobi on the scaled rigid rows: rotations of pairs of rows until all are orthogonal.
pub struct SingularValues {
    /// Of the scaled rigid rows, plus the compliant rows.
    pub rank: usize,
    /// All of them, in no order.
    pub values: Vec<f64>,
    /// Per row of λ, whether the null space of Jᵀ is zero there.
    pub unique: Vec<bool>,
}

impl SingularValues {
    pub fn of(system: &System) -> SingularValues {
        let graph = system.graph();
        let unknowns = graph.unknowns();
        let mut places: Vec<usize> = Vec::new();
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for link in graph.all_links() {
            for (row, place) in graph.row_range(link).enumerate() {
                if system.compliance(link)[row] > 0.0 {
                    continue;
                }
                let formed = system.formed(link, row);
                let formed = if formed == 0.0 { 1.0 } else { formed };
                let mut entries = vec![0.0; unknowns];
                for (end, block) in graph.ends(link).iter().enumerate() {
                    let Some(block) = *block else { continue };
                    let range = graph.block_range(block);
                    let dim = range.len();
                    for (j, at) in range.enumerate() {
                        entries[at] += system.jac(link, end)[row * dim + j] / formed;
                    }
                }
                rows.push(entries);
                places.push(place);
            }
        }
        // After the entries of each row: the combination of rows that it is.
        let count = rows.len();
        for (k, row) in rows.iter_mut().enumerate() {
            row.extend((0..count).map(|j| if j == k { 1.0 } else { 0.0 }));
        }
        rotate(&mut rows, unknowns);
        let values: Vec<f64> =
            rows.iter().map(|row| row[..unknowns].iter().map(|e| e * e).sum::<f64>().sqrt()).collect();
        let mut unique = vec![true; graph.rows()];
        for (row, _) in rows.iter().zip(&values).filter(|(_, value)| **value <= 1e-9) {
            for (share, &place) in row[unknowns..].iter().zip(&places) {
                unique[place] &= share.abs() <= 1e-8;
            }
        }
        let rank = graph.rows() - values.iter().filter(|value| **value <= 1e-9).count();
        SingularValues { rank, values, unique }
    }
}

fn rotate(rows: &mut [Vec<f64>], unknowns: usize) {
    loop {
        let mut turned = false;
        for a in 0..rows.len() {
            for b in a + 1..rows.len() {
                let dot = |p: &[f64], q: &[f64]| {
                    p[..unknowns].iter().zip(&q[..unknowns]).map(|(p, q)| p * q).sum::<f64>()
                };
                let (aa, bb, ab) =
                    (dot(&rows[a], &rows[a]), dot(&rows[b], &rows[b]), dot(&rows[a], &rows[b]));
                if ab.abs() <= 1e-14 * (aa * bb).sqrt() || aa < 1e-26 || bb < 1e-26 {
                    continue;
                }
                turned = true;
                let zeta = (bb - aa) / (2.0 * ab);
                let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = c * t;
                for k in 0..rows[a].len() {
                    let (p, q) = (rows[a][k], rows[b][k]);
                    rows[a][k] = c * p - s * q;
                    rows[b][k] = s * p + c * q;
                }
            }
        }
        if !turned {
            return;
        }
    }
}

/// Jᵀ λ.
pub fn times_transposed(system: &System, lambda: &[f64]) -> Vec<f64> {
    let graph = system.graph();
    let mut force = vec![0.0; graph.unknowns()];
    for link in graph.all_links() {
        for (end, block) in graph.ends(link).iter().enumerate() {
            let Some(block) = *block else { continue };
            let (force, jac) = (&mut force[graph.block_range(block)], system.jac(link, end));
            let dim = force.len();
            for (row, lambda) in lambda[graph.row_range(link)].iter().enumerate() {
                for j in 0..dim {
                    force[j] += jac[row * dim + j] * lambda;
                }
            }
        }
    }
    force
}

/// Largest magnitude.
pub fn largest(values: &[f64]) -> f64 {
    values
        .iter()
        .fold(0.0, |most, value| if value.abs() > most || value.is_nan() { value.abs() } else { most })
}

/// Largest difference, relative to the largest entry.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    let apart: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let (apart, size) = (largest(&apart), largest(a));
    if size == 0.0 { apart } else { apart / size }
}

/// A solve's x and λ.
pub fn solved(
    system: &System,
    mut solve: impl FnMut(&[f64], &[f64], &mut [f64], &mut [f64]),
) -> (Vec<f64>, Vec<f64>) {
    let graph = system.graph();
    let (mut x, mut lambda) = (vec![0.0; graph.unknowns()], vec![0.0; graph.rows()]);
    solve(system.force(), system.bias(), &mut x, &mut lambda);
    (x, lambda)
}
