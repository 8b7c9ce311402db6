//! Eigenvalues of small dense matrices, row-major slices of n × n numbers.
//!
//! | matrix | method | file |
//! |---|---|---|
//! | symmetric | Jacobi's rotations: slow for hundreds of rows, and as accurate as it gets | `symmetric.rs` |
//! | symmetric, from 49 rows on | three diagonals, then QL | `tridiagonal.rs` |
//! | any real | Hessenberg's form, then QR with a shift in complex numbers, down to Schur's triangle | `general.rs` |

mod complex;
mod general;
mod symmetric;
mod tridiagonal;

pub use complex::Complex;
pub use general::{Spectrum, eigen};
pub use symmetric::{SymmetricSpectrum, eigen_symmetric};
