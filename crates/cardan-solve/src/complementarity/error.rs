//! Errors of complementarity problems.

/// Why a problem has no solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ComplementarityError {
    /// An array does not fit the groups.
    #[error("{what} has {found} numbers where the groups need {expected}")]
    Shape {
        /// Which array.
        what: &'static str,
        /// How many numbers it should have.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// NaN or infinity where a finite number belongs, given or by overflow.
    #[error("{what} of row {row} is not finite")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// Index of the number.
        row: usize,
    },
    /// The numbers of a group are invalid.
    #[error("group {group} is invalid: {why}")]
    BadGroup {
        /// Which group, in the order given.
        group: usize,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The method does not know this kind of group.
    #[error("group {group} has a cone or depends on another row; this method solves single rows only")]
    Unsupported {
        /// Which group, in the order given.
        group: usize,
    },
    /// A is not symmetric, beyond rounding.
    #[error("the matrix is not symmetric in rows {row} and {column}")]
    NotSymmetric {
        /// The lower of the two.
        row: usize,
        /// The other one.
        column: usize,
    },
    /// A has a negative diagonal entry, or a row that couples with others but not with itself.
    #[error("the matrix is not positive semidefinite in row {row}")]
    NotSemidefinite {
        /// Which row.
        row: usize,
    },
    /// Rows contradict each other: a positive combination of them is zero on the left and negative on the
    /// right.
    #[error("rows {rows:?} contradict each other")]
    Infeasible {
        /// The rows that contradict each other, in ascending order.
        rows: Vec<usize>,
    },
    /// More iterations than any well-posed problem needs.
    #[error(
        "no solution after {iterations} iterations; the worst row is violated by {residual:e} of its size"
    )]
    Stalled {
        /// Iterations made.
        iterations: usize,
        /// Remaining residual, relative to the size of the terms that form the row.
        residual: f64,
    },
}
