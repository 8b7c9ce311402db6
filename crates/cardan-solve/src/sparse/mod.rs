//! Elimination of any graph: loops, nets, links on many blocks, redundant rows.
//!
//! Blocks go one by one, in the order of least fill (`fronts.rs`). [`Rank`] brings the rows of J to block
//! triangular form on the way, from their geometry alone: at block c it accepts as many combinations of rows as c has room
//! for, and hands the rest on to the blocks o that share a link with c by then, its border. The accepted ones,
//!
//! ```text
//! R₁ x₁ + R₂ x₂ + R_o x_o + c' = 0          (x₁, x₂) = x_c with pivot columns first, R₁ triangular
//! ```
//!
//! and x₁ are eliminated together. With y = (x₂, x_o), W = R₁⁻¹ [R₂ R_o], h = R₁⁻¹ c' and D the mass that c and its
//! border have by now:
//!
//! ```text
//! x₁  = −h − W y                                       whatever the masses are
//! K   = D_y1 − Wᵀ D_11
//! D_yy −= K W + Wᵀ D_1y                                congruence: stays symmetric and positive definite
//! F_y  += K h − Wᵀ F_1
//! back:  λ' = R₁⁻ᵀ (Kᵀ y − D_11 h − F_1)
//! ```
//!
//! then x₂, what c is still free to do, by Cholesky: D_22 = T Tᵀ, Y = T⁻¹ D_2o, D_oo −= YᵀY, F_o −= Yᵀ T⁻¹ F_2.
//!
//! This is a block LDLᵀ of H with the rows of J combined: its pivots are D_22, positive definite, and
//!
//! ```text
//! ⎡ D_11  −R₁ᵀ ⎤
//! ⎣ −R₁    0   ⎦
//! ```
//!
//! which is regular because R₁ is, and of as many positive as negative signs. No pivot depends on how masses compare. In a tree
//! it is the elimination by freedoms of `spatial`: x₂ is what a joint leaves free, D_oo the articulated inertia. Compliance
//! is mass as well ([`Rank`] says how), so a soft row is no special case and a stiff one no danger.
//!
//! Against Tasora, section 5, who keeps the order of rows of an LDLᵀ and forces null pivots to 1e34: there a null pivot is one
//! that happens to be small beside the masses, the multiplier of the row that is hit becomes zero, and which row is
//! hit depends on the order. Here null pivots do not occur, and λ = Q (λ', 0) is the least multiplier (of norm Σ (λ × what
//! formed the row)²), whatever the order.
//!
//! # A decision can be kept
//!
//! [`Sparse::factor`] decides the rank anew. A mechanism may lose rank only where its loops are exactly closed (a Bennett
//! linkage) and a state on the way of an integrator is not: [`Sparse::decide`] names rows to do without, at a closed state, and
//! [`Sparse::factor_without`] does without them. What is left out are rows, not combinations or pivots, so the answer
//! changes smoothly from state to state however these are eliminated.
//!
//! Inside, unknowns and masses are in the units of [`System::units`](crate::System::units).

mod factor;
mod solve;

use std::sync::Arc;

use crate::dropped::Dropped;
use crate::graph::{Graph, Link};
use crate::lane::Lane;
use crate::rank::Rank;

/// Direct solver for any graph; linear time on trees and rings, near it on nets.
#[derive(Clone, Debug)]
pub struct Sparse<T: Lane = f64> {
    graph: Arc<Graph>,
    rank: Rank<T>,
    factor: SparseFactor<T>,
    /// F as it gathers, and x: unknowns, then those of compliant rows.
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

/// What the elimination leaves for solves.
#[derive(Clone, Debug)]
struct SparseFactor<T> {
    /// Cholesky factors of the masses alone, to see that they are positive.
    mass: Vec<T>,
    parts: Vec<FrontFactor>,
    /// Per front: R₁, Wᵀ, K, D_11, T, Yᵀ.
    values: Vec<T>,
    /// Per front, its own columns in order of pivots, then delayed ones: unknowns, or their number and a compliant row.
    ids: Vec<u32>,
    /// Of the unknowns.
    units: Vec<f64>,
    /// Masses of borders that parents have not taken yet.
    waiting: Vec<T>,
    /// One front's D.
    mass_of_front: Vec<T>,
    place: Vec<u32>,
    product: Vec<T>,
    is_roomy: bool,
}

/// Where a front's numbers start, and how many there are of what.
#[derive(Copy, Clone, Debug, Default)]
struct FrontFactor {
    values: usize,
    ids: usize,
    /// In `h` and `force_1`; in `force_2`.
    first: usize,
    second: usize,
    /// Length of x₁, x₂, x_o; the latter with delayed columns at its end.
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

    /// What the last factorisation found out about the rows.
    pub fn geometry(&self) -> &Rank<T> {
        &self.rank
    }

    /// The same, for questions that need memory of their own.
    pub fn geometry_mut(&mut self) -> &mut Rank<T> {
        &mut self.rank
    }

    /// Rows answered: all rows less the redundant ones.
    pub fn rank(&self) -> usize {
        self.rank.rank()
    }

    /// Redundant rows of the last factorisation, with their leftovers after a solve.
    ///
    /// Which rows stand for redundant combinations is found when their number changes, and then kept.
    pub fn dropped(&self) -> &[Dropped<T>] {
        &self.dropped
    }

    /// Whether a row stands for a redundant combination.
    pub fn row_is_dropped(&self, link: Link, row: usize) -> bool {
        self.dropped.iter().any(|dropped| (dropped.link, dropped.row) == (link, row))
    }

    /// Multiplications of a factorisation, roughly, by counts alone.
    pub fn predicted_cost(&self) -> u64 {
        self.rank.fronts.predicted_cost()
    }

    /// Numbers stored for the last factorisation, reflectors of rows apart.
    pub fn stored(&self) -> usize {
        self.factor.values.len()
    }

    /// Memory held, in bytes.
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
