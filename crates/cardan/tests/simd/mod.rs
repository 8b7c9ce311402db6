//! Kernels in SIMD registers and lanes have the bits of the scalar ones.

mod batch;
mod layouts;
mod level_lanes;
mod reduced;
mod registers;
mod subtree_lanes;

/// Whether this machine has AVX2, whatever kernels are made of it.
pub(crate) fn machine_has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has_it = std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    let has_it = false;
    has_it
}
