//! The numbers of a problem on a [`Graph`]:
//!
//! ```text
//! M x = F + Jᵀ λ,   J x + E λ + c = 0
//! H = [[M, −Jᵀ], [−J, −E]],   H (x, λ) = (F, c)
//! ```
//!
//! M is block diagonal and positive definite, E ≥ 0 is diagonal. λ acts as +Jᵀ λ. (Baraff 1996 prints J with
//! either sign, eq. 8 against eq. 9 and appendix A; this crate has one convention.) Links with force columns
//! of their own ([`Graph::set_force_columns`]) have K in place of Jᵀ: M x = F + Jᵀ λ + K μ.

use std::sync::Arc;

use crate::graph::{Block, Graph, Link};
use crate::lane::Lane;
use crate::tolerances::ROUNDING_OF_GEOMETRY;

/// M, F, J, c and E on a graph, in flat arrays.
#[derive(Clone, Debug)]
pub struct System<T: Lane = f64> {
    graph: Arc<Graph>,
    mass: Vec<T>,
    force: Vec<T>,
    jac: Vec<T>,
    bias: Vec<T>,
    compliance: Vec<T>,
    row_scale: Vec<T>,
    /// K, laid out like `jac`; empty unless some link has force columns of its own.
    push: Vec<T>,
    units: Vec<f64>,
    /// Sizes of the terms that F is the sum of; empty where they are no larger than F.
    formed: Vec<f64>,
    /// Sizes of the terms that c is the sum of; empty where they are no larger than c.
    bias_formed: Vec<f64>,
}

impl<T: Lane> System<T> {
    /// A system of zeros.
    pub fn new(graph: Arc<Graph>) -> System<T> {
        System {
            mass: vec![T::ZERO; graph.mass_len()],
            force: vec![T::ZERO; graph.unknowns()],
            jac: vec![T::ZERO; graph.jac_len()],
            bias: vec![T::ZERO; graph.rows()],
            compliance: vec![T::ZERO; graph.rows()],
            row_scale: vec![T::ZERO; graph.rows()],
            push: vec![T::ZERO; if graph.first_with_force_columns().is_some() { graph.jac_len() } else { 0 }],
            units: vec![1.0; graph.unknowns()],
            formed: Vec::new(),
            bias_formed: Vec::new(),
            graph,
        }
    }

    /// A system without memory for its numbers: [`System::open`] allocates all of them,
    /// [`System::open_force`] F alone. Nothing else may be read or written before.
    pub fn closed(graph: Arc<Graph>) -> System<T> {
        System {
            mass: Vec::new(),
            force: Vec::new(),
            jac: Vec::new(),
            bias: Vec::new(),
            compliance: Vec::new(),
            row_scale: Vec::new(),
            push: Vec::new(),
            units: Vec::new(),
            formed: Vec::new(),
            bias_formed: Vec::new(),
            graph,
        }
    }

    /// Allocates all numbers as zeros, if that has not been done; F keeps its values.
    pub fn open(&mut self) {
        if self.is_open() {
            return;
        }
        let force = std::mem::take(&mut self.force);
        *self = System::new(self.graph.clone());
        if !force.is_empty() {
            self.force = force;
        }
    }

    /// Whether all numbers are allocated.
    pub fn is_open(&self) -> bool {
        self.units.len() == self.graph.unknowns()
    }

    /// Allocates F, if that has not been done.
    pub fn open_force(&mut self) {
        if self.force.is_empty() {
            self.force.resize(self.graph.unknowns(), T::ZERO);
        }
    }

    /// Copies the numbers of a system on an equal graph. Allocates nothing.
    pub(crate) fn copy_from(&mut self, other: &System<T>) {
        self.mass.copy_from_slice(&other.mass);
        self.force.copy_from_slice(&other.force);
        self.jac.copy_from_slice(&other.jac);
        self.bias.copy_from_slice(&other.bias);
        self.compliance.copy_from_slice(&other.compliance);
        self.row_scale.copy_from_slice(&other.row_scale);
        self.push.copy_from_slice(&other.push);
        self.units.copy_from_slice(&other.units);
    }

    /// Copies M, and J, E and scales of some links of another system with the same blocks. Allocates nothing.
    pub(crate) fn copy_links(&mut self, other: &System<T>, links: &[Link]) {
        self.mass.copy_from_slice(&other.mass);
        for (own, &link) in self.graph.all_links().zip(links) {
            for end in 0..self.graph.ends(own).len() {
                let range = self.graph.jac_range(own, end);
                self.jac[range].copy_from_slice(other.jac(link, end));
            }
            let rows = self.graph.row_range(own);
            self.compliance[rows.clone()].copy_from_slice(other.compliance(link));
            self.row_scale[rows].copy_from_slice(other.row_scale(link));
        }
    }

    /// Allocated memory in bytes, without the graph.
    pub fn bytes(&self) -> usize {
        let Self {
            graph: _,
            mass,
            force,
            jac,
            bias,
            compliance,
            row_scale,
            push,
            units,
            formed,
            bias_formed,
        } = self;
        let numbers = [mass, force, jac, bias, compliance, row_scale, push];
        numbers.iter().map(|v| v.capacity() * size_of::<T>()).sum::<usize>()
            + (units.capacity() + formed.capacity() + bias_formed.capacity()) * size_of::<f64>()
    }

    /// The graph these numbers belong to.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// M_i as a packed lower triangle, row by row: (0,0), (1,0), (1,1), (2,0) …
    #[inline]
    pub fn mass(&self, block: Block) -> &[T] {
        &self.mass[self.graph.mass_range(block)]
    }

    /// M_i for writing.
    pub fn mass_mut(&mut self, block: Block) -> &mut [T] {
        &mut self.mass[self.graph.mass_range(block)]
    }

    /// F, all blocks.
    pub fn force(&self) -> &[T] {
        &self.force
    }

    /// F for writing.
    pub fn force_mut(&mut self) -> &mut [T] {
        &mut self.force
    }

    /// Sizes of the terms that F was summed from, where they nearly cancel: a residual is judged relative to
    /// these too. Empty, or one per unknown.
    pub fn force_formed(&self) -> &[f64] {
        &self.formed
    }

    /// Sizes of the terms that F was summed from, for writing. Any other length than one per unknown counts
    /// as none.
    pub fn force_formed_mut(&mut self) -> &mut Vec<f64> {
        &mut self.formed
    }

    /// Sizes of the terms that c was summed from, where they nearly cancel: a row that is rounding alone is
    /// judged relative to these. Empty, or one per row.
    pub fn bias_formed(&self) -> &[f64] {
        &self.bias_formed
    }

    /// Sizes of the terms that c was summed from, for writing; zeros where there were none.
    pub fn bias_formed_mut(&mut self) -> &mut [f64] {
        self.bias_formed.resize(self.graph.rows(), 0.0);
        &mut self.bias_formed
    }

    /// F_i.
    pub fn force_of(&self, block: Block) -> &[T] {
        &self.force[self.graph.block_range(block)]
    }

    /// F_i for writing.
    pub fn force_of_mut(&mut self, block: Block) -> &mut [T] {
        &mut self.force[self.graph.block_range(block)]
    }

    /// J of a link on one of its ends, row-major rows × dim; empty for the ground.
    #[inline]
    pub fn jac(&self, link: Link, end: usize) -> &[T] {
        &self.jac[self.graph.jac_range(link, end)]
    }

    /// J of a link on one of its ends, for writing.
    pub fn jac_mut(&mut self, link: Link, end: usize) -> &mut [T] {
        &mut self.jac[self.graph.jac_range(link, end)]
    }

    /// Force columns of a link on one of its ends, transposed, row-major rows × dim: Kᵀ, which is J unless
    /// the link has force columns of its own.
    #[inline]
    pub fn force_columns(&self, link: Link, end: usize) -> &[T] {
        let range = self.graph.jac_range(link, end);
        if self.graph.has_force_columns(link) { &self.push[range] } else { &self.jac[range] }
    }

    /// Kᵀ of a link with force columns of its own, on one of its ends, for writing.
    ///
    /// # Panics
    /// If the link has no force columns of its own.
    pub fn force_columns_mut(&mut self, link: Link, end: usize) -> &mut [T] {
        assert!(self.graph.has_force_columns(link), "{link} pushes along its rows");
        &mut self.push[self.graph.jac_range(link, end)]
    }

    /// c, all links.
    pub fn bias(&self) -> &[T] {
        &self.bias
    }

    /// c for writing.
    pub fn bias_mut(&mut self) -> &mut [T] {
        &mut self.bias
    }

    /// c of one link.
    pub fn bias_of(&self, link: Link) -> &[T] {
        &self.bias[self.graph.row_range(link)]
    }

    /// c of one link, for writing.
    pub fn bias_of_mut(&mut self, link: Link) -> &mut [T] {
        &mut self.bias[self.graph.row_range(link)]
    }

    /// Diagonal of E for one link; zero is rigid.
    #[inline]
    pub fn compliance(&self, link: Link) -> &[T] {
        &self.compliance[self.graph.row_range(link)]
    }

    /// Diagonal of E for one link, for writing.
    pub fn compliance_mut(&mut self, link: Link) -> &mut [T] {
        &mut self.compliance[self.graph.row_range(link)]
    }

    /// Per row, the magnitude of the terms that formed its entries; see [`row_scale_mut`](System::row_scale_mut).
    #[inline]
    pub fn row_scale(&self, link: Link) -> &[T] {
        &self.row_scale[self.graph.row_range(link)]
    }

    /// Per row, the magnitude of the terms that formed its entries, for writing.
    ///
    /// Rank decisions are relative to it: a row whose entries cancelled is noise only relative to what it was
    /// formed from. Zero (the default) means the largest entry of the row over all ends, each times the unit
    /// of its unknown; a smaller value counts as that.
    pub fn row_scale_mut(&mut self, link: Link) -> &mut [T] {
        &mut self.row_scale[self.graph.row_range(link)]
    }

    /// Per unknown, the size of a change that counts as one; see [`units_mut`](System::units_mut).
    #[inline]
    pub fn units(&self) -> &[f64] {
        &self.units
    }

    /// Per unknown, the size of a change that counts as one, for writing; one by default.
    ///
    /// Independence of rows is judged with entries of J times these, so that unknowns of different kinds
    /// compare. For rotations beside displacements it is one over a length of the problem; the unit of length
    /// then does not matter. Powers of two cost no rounding.
    pub fn units_mut(&mut self) -> &mut [f64] {
        &mut self.units
    }

    /// The formed magnitude that rank decisions use for row `row` of `link`. NaN if any entry is NaN.
    pub fn formed(&self, link: Link, row: usize) -> f64 {
        let mut formed = self.row_scale(link)[row].magnitude();
        for (end, block) in self.graph.ends(link).iter().enumerate() {
            let columns = block.map_or(0..0, |block| self.graph.block_range(block));
            let dim = columns.len();
            for (entry, unit) in
                self.jac(link, end)[row * dim..(row + 1) * dim].iter().zip(&self.units[columns])
            {
                let entry = entry.magnitude() * unit;
                // A NaN is taken, and stays.
                if entry.is_nan() || entry > formed {
                    formed = entry;
                }
            }
        }
        formed
    }

    /// Whether a row is rounding alone, relative to the terms that formed its entries. Such a row is ignored:
    /// no solution changes its residual.
    pub fn is_void(&self, link: Link, row: usize) -> bool {
        let scale = self.row_scale(link)[row].magnitude();
        let mut largest = 0.0;
        for (end, block) in self.graph.ends(link).iter().enumerate() {
            let columns = block.map_or(0..0, |block| self.graph.block_range(block));
            let dim = columns.len();
            let entries = &self.jac(link, end)[row * dim..(row + 1) * dim];
            for (entry, unit) in entries.iter().zip(&self.units[columns]) {
                let entry = entry.magnitude() * unit;
                if entry.is_nan() || entry > largest {
                    largest = entry;
                }
            }
        }
        largest <= ROUNDING_OF_GEOMETRY * scale
    }
}
