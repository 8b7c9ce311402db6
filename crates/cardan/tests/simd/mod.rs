//! Kernels in SIMD registers and lanes have the bits of the scalar ones.

mod batch;
mod level_lanes;
mod reduced;
mod registers;
mod subtree_lanes;
