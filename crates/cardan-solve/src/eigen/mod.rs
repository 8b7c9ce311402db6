//! Eigenvalues of small dense matrices, row-major slices of n × n numbers.
//!
//! | matrix | method | file |
//! |---|---|---|
//! | symmetric | Jacobi rotations: slow for hundreds of rows, most accurate | `symmetric.rs` |
//! | symmetric, from 49 rows on | tridiagonal form, then QL | `tridiagonal.rs` |
//! | any real | Hessenberg form, then QR with complex shifts to Schur form | `general.rs` |

mod complex;
mod general;
mod symmetric;
mod tridiagonal;

pub use complex::Complex;
pub use general::{Spectrum, eigen};
pub use symmetric::{SymmetricSpectrum, eigen_symmetric};
