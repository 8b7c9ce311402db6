//! Blocks and the contacts between them: the numbers of a large problem.

use super::block_cholesky::{Block6, cholesky};
use crate::complementarity::error::ComplementarityError;

/// Most unknowns of a block; smaller blocks are padded with zeros.
pub(crate) const DIM: usize = 6;
/// Most rows of a constraint.
pub(crate) const ROWS: usize = 6;

/// Kind of a constraint: the condition on its multipliers.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum ConstraintKind {
    /// a = 0, one to six rows: an equality such as a joint.
    Held {
        /// Number of rows.
        rows: usize,
    },
    /// One row, a ≥ 0 ⟂ λ ≥ 0.
    OneSided,
    /// One row, lo ≤ λ ≤ hi.
    Bounded {
        /// Least λ.
        lo: f64,
        /// Greatest λ.
        hi: f64,
    },
    /// Normal and two tangents.
    Cone {
        /// μ ≥ 0.
        mu: f64,
    },
    /// Normal and one tangent.
    Wedge {
        /// μ ≥ 0.
        mu: f64,
    },
}

impl ConstraintKind {
    /// Number of rows.
    pub fn rows(self) -> usize {
        match self {
            ConstraintKind::Held { rows } => rows,
            ConstraintKind::OneSided | ConstraintKind::Bounded { .. } => 1,
            ConstraintKind::Cone { .. } => 3,
            ConstraintKind::Wedge { .. } => 2,
        }
    }
}

/// Where the numbers of a constraint are.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ConstraintSlot {
    pub(crate) kind: ConstraintKind,
    /// First row.
    pub(crate) row: usize,
    /// Blocks, `NONE` for the ground.
    pub(crate) ends: [u32; 2],
}

/// No block: the ground.
pub(crate) const NONE: u32 = u32::MAX;

/// Free blocks with their inverse masses and velocities, and constraints between two of them or one and the
/// ground.
///
/// ```text
/// v = v_free + M⁻¹ Jᵀ λ,   a = J v + b
/// ```
#[derive(Clone, Debug, Default)]
pub struct ContactProblem {
    pub(crate) dims: Vec<usize>,
    /// M (ones where padded), M⁻¹ and v_free, padded.
    pub(super) mass: Vec<Block6>,
    pub(super) inverse: Vec<Block6>,
    pub(crate) free: Vec<[f64; DIM]>,
    pub(crate) slots: Vec<ConstraintSlot>,
    /// J per row and end, padded; b per row.
    pub(crate) jac: Vec<[[f64; DIM]; 2]>,
    pub(crate) bias: Vec<f64>,
}

impl ContactProblem {
    /// An empty problem.
    pub fn new() -> ContactProblem {
        ContactProblem::default()
    }

    /// Removes all blocks and constraints, keeps memory.
    pub fn clear(&mut self) {
        self.dims.clear();
        self.mass.clear();
        self.inverse.clear();
        self.free.clear();
        self.slots.clear();
        self.jac.clear();
        self.bias.clear();
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.dims.len()
    }

    /// Number of constraints.
    pub fn constraints(&self) -> usize {
        self.slots.len()
    }

    /// Number of rows of all constraints.
    pub fn rows(&self) -> usize {
        self.bias.len()
    }

    /// The first row of a constraint, in the order they were added.
    pub fn row_of(&self, constraint: usize) -> Option<usize> {
        self.slots.get(constraint).map(|slot| slot.row)
    }

    /// J M⁻¹ Jᵀ of one row of a constraint: its diagonal entry of the Delassus matrix.
    pub fn response(&self, constraint: usize, row: usize) -> Option<f64> {
        let slot = self.slots.get(constraint)?;
        let jac = self.jac.get(slot.row + row).filter(|_| row < slot.kind.rows())?;
        let mut sum = 0.0;
        for (end, jac) in slot.ends.iter().zip(jac) {
            if let Some(inverse) = self.inverse.get(*end as usize) {
                for (j, line) in jac.iter().zip(inverse) {
                    sum += j * super::sweep::dot(line, jac);
                }
            }
        }
        Some(sum)
    }

    /// Adds a block of one to six unknowns: M⁻¹ row by row, positive definite, and v_free. Returns its
    /// number.
    pub fn add_block(
        &mut self,
        inverse_mass: &[f64],
        velocity: &[f64],
    ) -> Result<usize, ComplementarityError> {
        let inverse = self.take("the inverse mass of a block", inverse_mass, velocity)?;
        let mass = self.inverted(&inverse, velocity.len())?;
        Ok(self.push_block(mass, inverse, velocity))
    }

    /// Adds a block of one to six unknowns: M as its lower half, row by row, and v_free. Returns its number.
    pub fn add_block_with_mass(
        &mut self,
        mass: &[f64],
        velocity: &[f64],
    ) -> Result<usize, ComplementarityError> {
        let dim = velocity.len();
        if dim > DIM || mass.len() != dim * (dim + 1) / 2 {
            let (what, expected) = ("the mass of a block", dim.saturating_mul(dim + 1) / 2);
            return Err(ComplementarityError::Shape { what, expected, found: mass.len() });
        }
        let mut square = [0.0; DIM * DIM];
        for i in 0..dim {
            for j in 0..=i {
                let entry = mass[i * (i + 1) / 2 + j];
                (square[i * dim + j], square[j * dim + i]) = (entry, entry);
            }
        }
        let mass = self.take("the mass of a block", &square[..dim * dim], velocity)?;
        let inverse = self.inverted(&mass, velocity.len())?;
        Ok(self.push_block(mass, inverse, velocity))
    }

    fn push_block(&mut self, mut mass: Block6, mut inverse: Block6, velocity: &[f64]) -> usize {
        let dim = velocity.len();
        for i in dim..DIM {
            (mass[i][i], inverse[i][i]) = (1.0, 0.0);
        }
        let mut free = [0.0; DIM];
        free[..dim].copy_from_slice(velocity);
        self.dims.push(dim);
        self.mass.push(mass);
        self.inverse.push(inverse);
        self.free.push(free);
        self.blocks() - 1
    }

    /// A square matrix as given, made symmetric.
    fn take(
        &self,
        what: &'static str,
        square: &[f64],
        velocity: &[f64],
    ) -> Result<Block6, ComplementarityError> {
        let dim = velocity.len();
        let row = self.blocks();
        if dim == 0 || dim > DIM {
            return Err(ComplementarityError::Shape {
                what: "the velocity of a block",
                expected: DIM,
                found: dim,
            });
        }
        if square.len() != dim * dim {
            return Err(ComplementarityError::Shape { what, expected: dim * dim, found: square.len() });
        }
        if square.iter().any(|v| !v.is_finite()) {
            return Err(ComplementarityError::NotFinite { what, row });
        }
        if velocity.iter().any(|v| !v.is_finite()) {
            return Err(ComplementarityError::NotFinite { what: "the velocity of a block", row });
        }
        let mut out = [[0.0; DIM]; DIM];
        for i in 0..dim {
            for j in 0..dim {
                out[i][j] = 0.5 * (square[i * dim + j] + square[j * dim + i]);
            }
        }
        Ok(out)
    }

    /// The inverse of the first `dim` rows and columns.
    fn inverted(&self, square: &Block6, dim: usize) -> Result<Block6, ComplementarityError> {
        let row = self.blocks();
        let mut lower = *square;
        for i in dim..DIM {
            lower[i][i] = 1.0;
        }
        if !cholesky(&mut lower) {
            return Err(ComplementarityError::NotSemidefinite { row });
        }
        // Column by column, by two triangular solves.
        let mut out = [[0.0; DIM]; DIM];
        for c in 0..dim {
            let mut x = [0.0; DIM];
            x[c] = 1.0;
            for i in c..DIM {
                let mut sum = x[i];
                for j in c..i {
                    sum -= lower[i][j] * x[j];
                }
                x[i] = sum * lower[i][i];
            }
            for i in (0..DIM).rev() {
                x[i] *= lower[i][i];
                for j in 0..i {
                    x[j] -= lower[i][j] * x[i];
                }
            }
            for i in 0..dim {
                out[i][c] = x[i];
            }
        }
        if out.iter().flatten().any(|v| !v.is_finite()) {
            return Err(ComplementarityError::NotFinite { what: "the mass of a block", row });
        }
        Ok(out)
    }

    /// Adds a constraint: J on either end (rows × dim of the block, row by row; empty for the ground) and b.
    /// Returns its number.
    pub fn add_constraint(
        &mut self,
        kind: ConstraintKind,
        ends: [Option<usize>; 2],
        jac: [&[f64]; 2],
        bias: &[f64],
    ) -> Result<usize, ComplementarityError> {
        let index = self.constraints();
        let bad = |why| Err(ComplementarityError::BadGroup { group: index, why });
        let rows = kind.rows();
        match kind {
            ConstraintKind::Held { rows } if !(1..=ROWS).contains(&rows) => {
                return bad("it has no rows or more than six");
            }
            ConstraintKind::Cone { mu } | ConstraintKind::Wedge { mu } if !(mu >= 0.0 && mu.is_finite()) => {
                return bad("its coefficient is negative or not finite");
            }
            ConstraintKind::Bounded { lo, hi }
                if lo.is_nan()
                    || hi.is_nan()
                    || lo > hi
                    || lo == f64::INFINITY
                    || hi == f64::NEG_INFINITY =>
            {
                return bad("its lower bound is above its upper bound");
            }
            _ => {}
        }
        if ends[0] == ends[1] {
            return bad("both of its ends are the same");
        }
        if bias.len() != rows {
            return Err(ComplementarityError::Shape {
                what: "the bias of a constraint",
                expected: rows,
                found: bias.len(),
            });
        }
        if bias.iter().any(|v| !v.is_finite()) {
            return Err(ComplementarityError::NotFinite { what: "the bias of a constraint", row: index });
        }
        for (end, jac) in ends.iter().zip(jac) {
            let dim = match *end {
                None => 0,
                Some(block) if block < self.blocks() => self.dims[block],
                Some(_) => return bad("a block of it does not exist"),
            };
            if jac.len() != rows * dim {
                return Err(ComplementarityError::Shape {
                    what: "J of a constraint",
                    expected: rows * dim,
                    found: jac.len(),
                });
            }
            if jac.iter().any(|v| !v.is_finite()) {
                return Err(ComplementarityError::NotFinite { what: "J of a constraint", row: index });
            }
        }
        let row = self.rows();
        for r in 0..rows {
            let mut both = [[0.0; DIM]; 2];
            for e in 0..2 {
                if let Some(block) = ends[e] {
                    let dim = self.dims[block];
                    both[e][..dim].copy_from_slice(&jac[e][r * dim..(r + 1) * dim]);
                }
            }
            self.jac.push(both);
        }
        self.bias.extend_from_slice(bias);
        let ends = ends.map(|end| end.map_or(NONE, |block| block as u32));
        self.slots.push(ConstraintSlot { kind, row, ends });
        Ok(index)
    }
}
