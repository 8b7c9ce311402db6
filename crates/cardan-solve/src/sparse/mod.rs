//! Sparse elimination of any graph: loops, nets, links on many blocks, redundant rows.
//!
//! Blocks are eliminated in an order of least fill (`fronts.rs`). [`Rank`] brings the rows of J to block
//! triangular form at the same time, from their geometry alone: at block c it accepts as many combinations of
//! rows as c has dimensions for, and hands the rest on to the border of c: the blocks o that share a link
//! with c by then. The accepted ones,
//!
//! ```text
//! R₁ x₁ + R₂ x₂ + R_o x_o + c' = 0          (x₁, x₂) = x_c with pivot columns first, R₁ triangular
//! ```
//!
//! and x₁ are eliminated together. With y = (x₂, x_o), W = R₁⁻¹ [R₂ R_o], h = R₁⁻¹ c' and D the mass of c and
//! its border with what was added before:
//!
//! ```text
//! x₁  = −h − W y                                       independent of the masses
//! K   = D_y1 − Wᵀ D_11
//! D_yy −= K W + Wᵀ D_1y                                congruence: stays symmetric and positive definite
//! F_y  += K h − Wᵀ F_1
//! back:  λ' = R₁⁻ᵀ (Kᵀ y − D_11 h − F_1)
//! ```
//!
//! then x₂, the remaining freedoms of c, by Cholesky: D_22 = T Tᵀ, Y = T⁻¹ D_2o, D_oo −= YᵀY, F_o −= Yᵀ T⁻¹
//! F_2.
//!
//! This is a block LDLᵀ of H with the rows of J combined: its pivots are D_22, positive definite, and
//!
//! ```text
//! ⎡ D_11  −R₁ᵀ ⎤
//! ⎣ −R₁    0   ⎦
//! ```
//!
//! which is regular because R₁ is, with as many positive as negative eigenvalues. No pivot depends on ratios
//! of masses. In a tree it is the elimination by freedoms of [`articulated`](crate::articulated): x₂ are the
//! freedoms of a joint, D_oo is the articulated inertia. Compliance is treated as mass ([`Rank`] says how),
//! so soft rows and stiff rows take the same path.
//!
//! Tasora, section 5, keeps the order of rows of an LDLᵀ and sets null pivots to 1e34. There a null pivot is
//! one that is small relative to the masses, the multiplier of that row becomes zero, and which row it is
//! depends on the order. Here null pivots do not occur, and λ = Q (λ', 0) is the multiplier of least norm Σ
//! (λ × what formed the row)², whatever the order.
//!
//! # A decision can be kept
//!
//! [`Sparse::factor`] decides the rank each time. A mechanism may lose rank only where its loops are exactly
//! closed (a Bennett linkage), which a state during an integration step is not: [`Sparse::decide`] names rows
//! to leave out, at a closed state, and [`Sparse::factor_without`] leaves them out. These are rows, not
//! combinations or pivots, so the solution changes smoothly from state to state, whatever the elimination
//! order.
//!
//! Inside, unknowns and masses are in the units of [`System::units`](crate::System::units).

mod factor;
mod solve;

use std::sync::Arc;

use crate::dropped::Dropped;
use crate::graph::{Graph, Link};
use crate::lane::Lane;
use crate::rank::Rank;

/// Direct solver for any graph; linear time on trees and rings, nearly linear on nets.
#[derive(Clone, Debug)]
pub struct Sparse<T: Lane = f64> {
    graph: Arc<Graph>,
    rank: Rank<T>,
    factor: SparseFactor<T>,
    /// F with what was added, and x: unknowns, then those of compliant rows.
    force: Vec<T>,
    x: Vec<T>,
    /// Per front: h, F_1 and T⁻¹ F_2.
    h: Vec<T>,
    force_1: Vec<T>,
    force_2: Vec<T>,
    /// y, and a vector of own columns.
    y: Vec<T>,
    own: Vec<T>,
    dropped: Vec<Dropped<T>>,
    ready: bool,
}

/// The factor.
#[derive(Clone, Debug)]
struct SparseFactor<T> {
    /// Cholesky factors of the masses alone, to check that they are positive.
    mass: Vec<T>,
    parts: Vec<FrontFactor>,
    /// Per front: R₁, Wᵀ, K, D_11, T, Yᵀ.
    values: Vec<T>,
    /// Per front, its own columns in order of pivots, then delayed ones: unknowns, or their number plus a
    /// compliant row.
    ids: Vec<u32>,
    /// Units of the unknowns.
    units: Vec<f64>,
    /// Masses of borders that parents have not taken yet.
    waiting: Vec<T>,
    /// D of one front.
    mass_of_front: Vec<T>,
    place: Vec<u32>,
    product: Vec<T>,
    is_roomy: bool,
}

/// Where a front's numbers start, and their counts.
#[derive(Copy, Clone, Debug, Default)]
struct FrontFactor {
    values: usize,
    ids: usize,
    /// Offset in `h` and `force_1`; in `force_2`.
    first: usize,
    second: usize,
    /// Length of x₁, x₂, x_o; the last with delayed columns at its end.
    rank: u32,
    free: u32,
    border: u32,
}

impl<T: Lane> Sparse<T> {
    /// Orders a graph and reserves memory.
    pub fn new(graph: &Arc<Graph>) -> Sparse<T> {
        let rank = Rank::new(graph);
        let count = rank.fronts.fronts.len();
        Sparse {
            graph: Arc::clone(graph),
            rank,
            factor: SparseFactor {
                mass: Vec::new(),
                parts: Vec::with_capacity(count),
                values: Vec::new(),
                ids: Vec::with_capacity(graph.unknowns()),
                units: vec![1.0; graph.unknowns()],
                waiting: Vec::new(),
                mass_of_front: Vec::new(),
                place: Vec::new(),
                product: Vec::new(),
                is_roomy: false,
            },
            force: vec![T::ZERO; graph.unknowns() + graph.rows()],
            x: vec![T::ZERO; graph.unknowns() + graph.rows()],
            h: Vec::with_capacity(graph.rows()),
            force_1: Vec::with_capacity(graph.rows()),
            force_2: Vec::with_capacity(graph.unknowns()),
            y: Vec::new(),
            own: Vec::new(),
            dropped: Vec::new(),
            ready: false,
        }
    }

    /// The graph this solver was built for.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The rank decision of the last factorisation.
    pub fn geometry(&self) -> &Rank<T> {
        &self.rank
    }

    /// The rank decision of the last factorisation, for queries that need scratch memory.
    pub fn geometry_mut(&mut self) -> &mut Rank<T> {
        &mut self.rank
    }

    /// Number of rows that are solved for: all but the redundant ones.
    pub fn rank(&self) -> usize {
        self.rank.rank()
    }

    /// Redundant rows of the last factorisation, with their leftovers after a solve.
    ///
    /// Which rows are named for redundant combinations is decided when their number changes, and then kept.
    pub fn dropped(&self) -> &[Dropped<T>] {
        &self.dropped
    }

    /// Whether a row is named for a redundant combination.
    pub fn row_is_dropped(&self, link: Link, row: usize) -> bool {
        self.dropped.iter().any(|dropped| (dropped.link, dropped.row) == (link, row))
    }

    /// Estimated multiplications of a factorisation, by counts alone.
    pub fn predicted_cost(&self) -> u64 {
        self.rank.fronts.predicted_cost()
    }

    /// Numbers stored for the last factorisation, without the reflectors of rows.
    pub fn stored(&self) -> usize {
        self.factor.values.len()
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let SparseFactor { mass, parts, values, ids, units, waiting, mass_of_front, place, product, .. } =
            &self.factor;
        let lanes = [mass, values, waiting, mass_of_front, product];
        let own = [&self.force, &self.x, &self.h, &self.force_1, &self.force_2, &self.y, &self.own];
        lanes.into_iter().chain(own).map(Vec::capacity).sum::<usize>() * size_of::<T>()
            + parts.capacity() * size_of::<FrontFactor>()
            + (ids.capacity() + place.capacity()) * size_of::<u32>()
            + units.capacity() * size_of::<f64>()
            + self.dropped.capacity() * size_of::<Dropped<T>>()
            + self.rank.bytes()
    }
}
