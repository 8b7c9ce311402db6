//! The null space of Jᵀ: redundant combinations expressed by rows.
//!
//! Qᵀ gives an orthonormal basis of null(Jᵀ), one vector for each combination that vanished, zero outside the
//! fronts below the one where it vanished. Reduced to echelon form, deepest first, each vector has a row of
//! its own, the *dropped* row:
//!
//! ```text
//! row_k = −Σ_i n_ki row_i          n_kk = 1, and n_jk = 0 for the vectors j after k
//! ```
//!
//! Without these rows the others are independent. The other rows of a vector are those it depends on: its
//! *circuit*.

use super::Rank;
use crate::graph::{Link, index_u32};
use crate::lane::Lane;
use crate::tolerances::NOT_UNIQUE;

/// An entry of a null vector below this part of the largest is rounding: a thousand roundings.
const ROUNDING: f64 = 1e-13;
/// Entries that agree to this are equal, and the later row is dropped.
const ALIKE: f64 = 1e-6;

/// Null vectors in echelon form, as lists of rows and values.
#[derive(Clone, Debug, Default)]
pub(super) struct Circuits {
    /// Where the lists start; one more entry than vectors.
    start: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
    /// The dropped row of each vector.
    dropped: Vec<u32>,
    /// Where the combinations vanished when `dropped` was computed.
    vanished_at: Vec<u32>,
    /// One vector at full length.
    full: Vec<f64>,
    /// Scratch of [`Rank::level`], one entry per vector.
    left: Vec<f64>,
    direction: Vec<f64>,
    fresh: bool,
}

impl Circuits {
    pub(super) fn stale(&mut self) {
        self.fresh = false;
    }

    pub(super) fn bytes(&self) -> usize {
        self.start.capacity() * size_of::<usize>()
            + (self.values.capacity() + self.full.capacity()) * size_of::<f64>()
            + (self.left.capacity() + self.direction.capacity()) * size_of::<f64>()
            + (self.rows.capacity() + self.dropped.capacity() + self.vanished_at.capacity())
                * size_of::<u32>()
    }
}

impl Rank<f64> {
    /// Computes the dropped rows and their circuits for the last decision, unless that was done.
    ///
    /// Takes time and memory with the sum of the circuits' lengths, and where circuits overlap with their
    /// products.
    pub fn refresh_circuits(&mut self) {
        if self.circuits.fresh {
            return;
        }
        let mut circuits = std::mem::take(&mut self.circuits);
        circuits.start.clear();
        circuits.start.push(0);
        circuits.rows.clear();
        circuits.values.clear();
        circuits.dropped.clear();
        circuits.full.clear();
        circuits.full.resize(self.graph.rows(), 0.0);
        let below = |&at: &u32| {
            let first = self.fronts.fronts[at as usize].first as usize;
            self.fronts.fronts[first..=at as usize].iter().map(|front| front.rows as usize).sum::<usize>()
        };
        let most: usize = self.vanished_at.iter().map(below).sum();
        circuits.rows.reserve(most);
        circuits.values.reserve(most);
        for k in 0..self.vanished_at.len() {
            self.write_null_vector(k, &mut circuits.full);
            self.reduce(k, &mut circuits);
        }
        circuits.vanished_at.clear();
        circuits.vanished_at.extend_from_slice(&self.vanished_at);
        circuits.fresh = true;
        self.circuits = circuits;
    }

    /// Whether the dropped rows are known: computed for the last decision, or for one with the same
    /// structure.
    pub(crate) fn has_names(&self) -> bool {
        self.circuits.fresh || self.circuits.vanished_at == self.vanished_at
    }

    /// The dropped row of the `k`-th redundant combination. Call [`refresh_circuits`](Rank::refresh_circuits)
    /// first.
    pub fn dropped_row(&self, k: usize) -> (Link, usize) {
        self.graph.link_of_row(self.circuits.dropped[k] as usize)
    }

    /// Writes which rows are dropped: true for these, false for the others.
    ///
    /// # Panics
    /// If there is not one entry per row.
    pub fn write_dropped(&mut self, idle: &mut [bool]) {
        assert_eq!(idle.len(), self.graph.rows(), "length of idle");
        self.refresh_circuits();
        idle.fill(false);
        for &row in &self.circuits.dropped {
            idle[row as usize] = true;
        }
    }

    /// Rows and values of the `k`-th circuit: Σ value × row of J = 0, the dropped row with value one. Call
    /// [`refresh_circuits`](Rank::refresh_circuits) first.
    pub fn circuit(&self, k: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.circuits.start[k]..self.circuits.start[k + 1];
        let rows = self.circuits.rows[range.clone()].iter().map(|&row| row as usize);
        rows.zip(self.circuits.values[range].iter().copied())
    }

    /// The `k`-th circuit as a vector of multipliers: Jᵀ λ = 0, λ = 1 on the dropped row.
    ///
    /// # Panics
    /// If there is no such circuit or `lambda` has the wrong length.
    pub fn null_vector(&mut self, k: usize, lambda: &mut [f64]) {
        assert!(k < self.redundant(), "only {} combinations are redundant", self.redundant());
        assert_eq!(lambda.len(), self.graph.rows(), "length of lambda");
        self.refresh_circuits();
        lambda.fill(0.0);
        for (row, value) in self.circuit(k) {
            lambda[row] = value;
        }
    }

    /// Row by row, whether λ is the same in every solution: whether all vectors of null(Jᵀ) are zero there.
    ///
    /// Two random combinations (of a fixed seed) of a basis of null(Jᵀ) are nonzero where any basis vector
    /// is; each takes one pass over the graph, however many rows are redundant.
    ///
    /// # Panics
    /// If `unique` does not have one entry per row.
    pub fn compute_unique(&mut self, scratch: &mut [f64], unique: &mut [bool]) {
        let rows = self.graph.rows();
        assert_eq!((scratch.len(), unique.len()), (rows, rows), "length of scratch, unique");
        unique.fill(true);
        if self.redundant() == 0 {
            return;
        }
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..2 {
            self.accepted.fill(0.0);
            for value in &mut self.redundant {
                // xorshift; between 1 and 2 with either sign, so that no vector is left out
                bits ^= bits << 13;
                bits ^= bits >> 7;
                bits ^= bits << 17;
                let size = 1.0 + (bits >> 12) as f64 / (1_u64 << 52) as f64;
                *value = if bits & 1 == 0 { size } else { -size };
            }
            self.transform_back(scratch);
            for (share, formed) in scratch.iter_mut().zip(&self.formed) {
                *share = share.abs() * formed;
            }
            let largest = largest(scratch);
            for (unique, share) in unique.iter_mut().zip(&*scratch) {
                *unique &= *share <= NOT_UNIQUE * largest;
            }
        }
    }

    /// The k-th vector of the orthonormal basis, in units of λ.
    fn write_null_vector(&mut self, k: usize, lambda: &mut [f64]) {
        let at = self.vanished_at[k] as usize;
        let first = self.fronts.fronts[at].first as usize;
        let (part, below) = (self.parts[at], self.parts[first]);
        self.accepted[below.accepted_at..part.accepted_at + part.rank as usize].fill(0.0);
        self.redundant[below.redundant_at..part.redundant_at + part.redundant()].fill(0.0);
        self.handed[part.handed_at..][..part.handed as usize].fill(0.0);
        self.redundant[k] = 1.0;
        self.transform_back_below(at + 1, first, lambda);
    }

    /// Subtracts earlier vectors from the one in `full`, chooses its row and stores it.
    fn reduce(&self, k: usize, circuits: &mut Circuits) {
        let Circuits { start, rows, values, dropped, full, .. } = circuits;
        let at = self.vanished_at[k] as usize;
        let first = self.fronts.fronts[at].first;
        // Vectors of other branches have no row in common with this one.
        for j in self.vanished_at.partition_point(|&other| other < first)..k {
            let share = full[dropped[j] as usize];
            if share != 0.0 {
                for at in start[j]..start[j + 1] {
                    full[rows[at] as usize] -= share * values[at];
                }
                full[dropped[j] as usize] = 0.0;
            }
        }
        let links = self.fronts.fronts[first as usize].links.start..self.fronts.fronts[at].links.end;
        let links = &self.fronts.links[links.start as usize..links.end as usize];
        let below = || links.iter().flat_map(|&link| self.graph.row_range(link));
        let share = |row: usize| full[row].abs() * self.formed[row];
        let most = below().fold(0.0, |most, row| if share(row) > most { share(row) } else { most });
        // Among equal entries the later row is dropped.
        let alike = below().filter(|&row| share(row) >= (1.0 - ALIKE) * most);
        let own = alike.max().unwrap_or(0);
        let unit = full[own];
        for row in below() {
            if share(row) > ROUNDING * most {
                rows.push(index_u32(row));
                values.push(full[row] / unit);
            }
        }
        start.push(rows.len());
        dropped.push(index_u32(own));
        below().for_each(|row| full[row] = 0.0);
    }

    /// Changes a multiplier to the one of least Σ (weight × λ)² among those with the same Jᵀ λ and E λ, by
    /// conjugate gradients in null(Jᵀ).
    ///
    /// Solvers use what formed each row as its weight; reports may want another, such as one over the unit of
    /// a row.
    ///
    /// # Panics
    /// If a slice does not have one entry per row.
    pub fn level(&mut self, weights: &[f64], lambda: &mut [f64], scratch: &mut [f64]) {
        let rows = self.graph.rows();
        assert_eq!(
            (weights.len(), lambda.len(), scratch.len()),
            (rows, rows, rows),
            "length of weights, lambda, scratch"
        );
        let count = self.redundant();
        if count == 0 || !lambda.iter().chain(weights).all(|value| value.is_finite()) {
            return;
        }
        // Minimise |W (λ + N t)|², N = D⁻¹ Q₂. The columns of W N are nearly orthonormal unless units differ
        // by orders of magnitude.
        let mut circuits = std::mem::take(&mut self.circuits);
        let Circuits { left, direction, .. } = &mut circuits;
        left.clear();
        left.resize(count, 0.0);
        self.gradient(weights, lambda, scratch, left);
        direction.clear();
        direction.extend(left.iter().map(|l| -l));
        let mut energy = square(left);
        let size = |lambda: &[f64]| lambda.iter().zip(weights).map(|(l, w)| (l * w) * (l * w)).sum::<f64>();
        for _ in 0..10 * count + 20 {
            // The gradient is rounding of λ: (1e-16)².
            if energy <= 1e-32 * size(lambda) {
                break;
            }
            self.redundant.copy_from_slice(direction);
            self.accepted.fill(0.0);
            self.transform_back(scratch);
            let along: f64 = -left.iter().zip(direction.iter()).map(|(l, d)| l * d).sum::<f64>();
            let step = along / size(scratch);
            if !step.is_finite() {
                break;
            }
            lambda.iter_mut().zip(&*scratch).for_each(|(l, s)| *l += step * s);
            // The true gradient in each iteration: it costs as much as the recursive one.
            self.gradient(weights, lambda, scratch, left);
            let next = square(left);
            // No further decrease, with twelve digits reached.
            if next >= energy && energy <= 1e-24 * size(lambda) {
                break;
            }
            let turn = next / energy;
            energy = next;
            direction.iter_mut().zip(left.iter()).for_each(|(d, l)| *d = turn * *d - l);
        }
        self.circuits = circuits;
    }

    /// Nᵀ W² λ.
    fn gradient(&mut self, weights: &[f64], lambda: &[f64], scratch: &mut [f64], out: &mut [f64]) {
        for (to, (lambda, weight)) in scratch.iter_mut().zip(lambda.iter().zip(weights)) {
            *to = lambda * weight * weight;
        }
        self.transform(scratch);
        out.copy_from_slice(&self.redundant);
    }
}

impl<T: Lane> Rank<T> {
    /// Qᵀ c of the redundant combinations after a transformation: zero if no row contradicts the others.
    pub(crate) fn leftovers(&self) -> &[T] {
        &self.redundant
    }

    /// Sets the multipliers of the redundant combinations to zero.
    pub(crate) fn clear_redundant(&mut self) {
        self.redundant.fill(T::ZERO);
    }

    /// What formed each row.
    pub(crate) fn formed(&self) -> &[f64] {
        &self.formed
    }
}

fn square(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum()
}

fn largest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |most, &value| if value > most { value } else { most })
}
