//! Tolerances that several solvers share, each with its reason. All are relative: to the terms that formed a number, or to
//! the diagonal of a matrix.
//!
//! Double precision rounds to 1.1e-16 of every operand. A tolerance says how many digits the operations before it may
//! lose. Constants of one algorithm alone are in its file.

/// Remainders of unit rows of J up to this are rounding of the geometry: such rows are redundant.
///
/// Reflections do not amplify rounding, so remainders are known to some 1e-16 (`rank/mod.rs`). The bound leaves seven digits for
/// the coordinates of a model: a nanometre in a metre does not make a row independent.
pub const ROUNDING_OF_GEOMETRY: f64 = 1e-9;

/// The remainder, at unit scale of row and column, below which a row of a loop closure depends on others.
///
/// It is [`ROUNDING_OF_GEOMETRY`], so that all solvers drop the same rows.
pub const RANK_TOLERANCE: f64 = ROUNDING_OF_GEOMETRY;

/// Where rows are known to be independent, only remainders up to this are rounding.
///
/// The rank has been decided before, at another pose. A remainder between this and [`ROUNDING_OF_GEOMETRY`] still has four
/// digits, and the row is kept.
pub(crate) const LOST_PIVOT: f64 = 1e-12;

/// A pivot of a positive definite matrix below this part of its diagonal entry has lost all its digits.
///
/// Some ten roundings (1e-16) of the diagonal entry accumulate in its pivot.
pub(crate) const LEAST_PIVOT: f64 = 1e-15;

/// A residual up to this, relative to the terms that form it, is rounding of the elimination: it is not refined.
///
/// It is a thousand roundings.
pub(crate) const ROUNDING_OF_ELIMINATION: f64 = 1e-13;

/// A row of a complementarity problem depends on others when this part of its diagonal is left beside them.
///
/// A is a square, J M⁻¹ Jᵀ: the remainder is the squared sine of the angle between the row and the others, so the sine is
/// 3e-5.
pub(crate) const DEPENDENT_ROW: f64 = 1e-9;

/// a = A λ + b of a row is zero up to this part of the terms that form it.
///
/// It is 1e5 roundings: the factor of the rows solved for may lose five digits.
pub(crate) const ZERO_RESIDUAL: f64 = 1e-11;

/// A diagonal entry of A is zero up to this part of the terms that formed it: no impulse moves the row.
///
/// It is 1e4 roundings: the terms are sums over blocks and links.
pub(crate) const ZERO_DIAGONAL: f64 = 1e-12;

/// λ of a row is unique if null vectors of Jᵀ have at most this there, relative to their largest entry.
///
/// It is [`ROUNDING_OF_GEOMETRY`], to which null vectors are known.
pub(crate) const NOT_UNIQUE: f64 = ROUNDING_OF_GEOMETRY;

/// Entries of a null vector above this part of its longest entry, in the metric of A, name a row that takes part in the
/// dependence. Smaller ones may be rounding.
pub(crate) const NULL_VECTOR_ENTRY: f64 = 1e-7;

/// The terms of a row count as at least this part of the largest terms of all rows, in the metric of A, when its residual is
/// judged. A row whose own terms are tiny would otherwise be judged by rounding of its neighbours.
pub(crate) const LEAST_TERMS: f64 = 1e-5;

/// Terms of impulses that are larger than what is to be balanced by more than this factor do not count.
///
/// Impulses that cancel each other (self-stress) may grow without bound; a residual relative to them would mean nothing. With this
/// cap, 1e-16 of the terms is 1e-9 of what is balanced.
pub(crate) const MOST_SELF_STRESS: f64 = 1e7;

/// a and λ above this part of the terms decide whether a contact is open, sticks or slips.
///
/// It is ten times the default tolerance of [`ConeSolver`](crate::complementarity::ConeSolver).
pub(crate) const CLEAR_STATE: f64 = 1e-9;

/// The gradient of the augmented Lagrangian is zero up to this part of the impulses in it: a thousand roundings.
pub(crate) const ZERO_GRADIENT: f64 = 1e-13;
