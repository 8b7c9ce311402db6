//! Blocks and what touches them: the numbers of a large problem.

use super::factor::{Square, cholesky};
use crate::cone::error::ConeError;

/// Unknowns of a block at most; smaller ones are padded with zeros.
pub(crate) const DIM: usize = 6;
/// Rows of a touch at most.
pub(crate) const ROWS: usize = 6;

/// What a touch may push.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Touch {
    /// a = 0, one to six rows: a joint.
    Held {
        /// How many rows.
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

impl Touch {
    /// Number of rows.
    pub fn rows(self) -> usize {
        match self {
            Touch::Held { rows } => rows,
            Touch::OneSided | Touch::Bounded { .. } => 1,
            Touch::Cone { .. } => 3,
            Touch::Wedge { .. } => 2,
        }
    }
}

/// Where the numbers of a touch are.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    pub(crate) kind: Touch,
    /// First row.
    pub(crate) row: usize,
    /// Blocks, `NONE` for the ground.
    pub(crate) ends: [u32; 2],
}

/// No block: the ground.
pub(crate) const NONE: u32 = u32::MAX;

/// Free blocks with their inverse masses and velocities, and touches between two of them or one and the ground.
///
/// ```text
/// v = v_free + M⁻¹ Jᵀ λ,   a = J v + b
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pile {
    pub(crate) dims: Vec<usize>,
    /// M (ones where padded), M⁻¹ and v_free, padded.
    pub(super) mass: Vec<Square>,
    pub(super) inverse: Vec<Square>,
    pub(crate) free: Vec<[f64; DIM]>,
    pub(crate) places: Vec<Place>,
    /// J per row and end, padded; b per row.
    pub(crate) jac: Vec<[[f64; DIM]; 2]>,
    pub(crate) bias: Vec<f64>,
}

impl Pile {
    /// Nothing.
    pub fn new() -> Pile {
        Pile::default()
    }

    /// Forgets blocks and touches, keeps memory.
    pub fn clear(&mut self) {
        self.dims.clear();
        self.mass.clear();
        self.inverse.clear();
        self.free.clear();
        self.places.clear();
        self.jac.clear();
        self.bias.clear();
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.dims.len()
    }

    /// Number of touches.
    pub fn touches(&self) -> usize {
        self.places.len()
    }

    /// Number of rows of all touches.
    pub fn rows(&self) -> usize {
        self.bias.len()
    }

    /// The first row of a touch, in the order they were added.
    pub fn row_of(&self, touch: usize) -> Option<usize> {
        self.places.get(touch).map(|place| place.row)
    }

    /// J M⁻¹ Jᵀ of one row of a touch, by itself: how it answers a push of one.
    pub fn response(&self, touch: usize, row: usize) -> Option<f64> {
        let place = self.places.get(touch)?;
        let jac = self.jac.get(place.row + row).filter(|_| row < place.kind.rows())?;
        let mut sum = 0.0;
        for (end, jac) in place.ends.iter().zip(jac) {
            if let Some(inverse) = self.inverse.get(*end as usize) {
                for (j, line) in jac.iter().zip(inverse) {
                    sum += j * super::sweep::dot(line, jac);
                }
            }
        }
        Some(sum)
    }

    /// A block of one to six unknowns: M⁻¹ row by row, positive definite, and v_free. Its number.
    pub fn add_block(&mut self, inverse_mass: &[f64], velocity: &[f64]) -> Result<usize, ConeError> {
        let inverse = self.take("the inverse mass of a block", inverse_mass, velocity)?;
        let mass = self.inverted(&inverse, velocity.len())?;
        Ok(self.push_block(mass, inverse, velocity))
    }

    /// The same from M: its lower half, row by row.
    pub fn add_body(&mut self, mass: &[f64], velocity: &[f64]) -> Result<usize, ConeError> {
        let dim = velocity.len();
        if dim > DIM || mass.len() != dim * (dim + 1) / 2 {
            let (what, expected) = ("the mass of a block", dim.saturating_mul(dim + 1) / 2);
            return Err(ConeError::Shape { what, expected, found: mass.len() });
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

    fn push_block(&mut self, mut mass: Square, mut inverse: Square, velocity: &[f64]) -> usize {
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

    /// A square of numbers as it was given, made symmetric.
    fn take(&self, what: &'static str, square: &[f64], velocity: &[f64]) -> Result<Square, ConeError> {
        let dim = velocity.len();
        let row = self.blocks();
        if dim == 0 || dim > DIM {
            return Err(ConeError::Shape { what: "the velocity of a block", expected: DIM, found: dim });
        }
        if square.len() != dim * dim {
            return Err(ConeError::Shape { what, expected: dim * dim, found: square.len() });
        }
        if square.iter().any(|v| !v.is_finite()) {
            return Err(ConeError::NotFinite { what, row });
        }
        if velocity.iter().any(|v| !v.is_finite()) {
            return Err(ConeError::NotFinite { what: "the velocity of a block", row });
        }
        let mut out = [[0.0; DIM]; DIM];
        for i in 0..dim {
            for j in 0..dim {
                out[i][j] = 0.5 * (square[i * dim + j] + square[j * dim + i]);
            }
        }
        Ok(out)
    }

    /// The inverse of a square whose first `dim` rows count.
    fn inverted(&self, square: &Square, dim: usize) -> Result<Square, ConeError> {
        let row = self.blocks();
        let mut lower = *square;
        for i in dim..DIM {
            lower[i][i] = 1.0;
        }
        if !cholesky(&mut lower) {
            return Err(ConeError::NotSemidefinite { row });
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
            return Err(ConeError::NotFinite { what: "the mass of a block", row });
        }
        Ok(out)
    }

    /// A touch: J on either end (rows × dim of the block, row by row; empty for the ground) and b. Its number.
    pub fn add_touch(
        &mut self,
        kind: Touch,
        ends: [Option<usize>; 2],
        jac: [&[f64]; 2],
        bias: &[f64],
    ) -> Result<usize, ConeError> {
        let index = self.touches();
        let bad = |why| Err(ConeError::BadGroup { group: index, why });
        let rows = kind.rows();
        match kind {
            Touch::Held { rows } if !(1..=ROWS).contains(&rows) => {
                return bad("it has no rows or more than six");
            }
            Touch::Cone { mu } | Touch::Wedge { mu } if !(mu >= 0.0 && mu.is_finite()) => {
                return bad("its coefficient is negative or not finite");
            }
            Touch::Bounded { lo, hi }
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
            return Err(ConeError::Shape { what: "the bias of a touch", expected: rows, found: bias.len() });
        }
        if bias.iter().any(|v| !v.is_finite()) {
            return Err(ConeError::NotFinite { what: "the bias of a touch", row: index });
        }
        for (end, jac) in ends.iter().zip(jac) {
            let dim = match *end {
                None => 0,
                Some(block) if block < self.blocks() => self.dims[block],
                Some(_) => return bad("a block of it does not exist"),
            };
            if jac.len() != rows * dim {
                return Err(ConeError::Shape {
                    what: "J of a touch",
                    expected: rows * dim,
                    found: jac.len(),
                });
            }
            if jac.iter().any(|v| !v.is_finite()) {
                return Err(ConeError::NotFinite { what: "J of a touch", row: index });
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
        self.places.push(Place { kind, row, ends });
        Ok(index)
    }
}
