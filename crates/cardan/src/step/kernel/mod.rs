//! Whole steps and accelerations of simple trees, written once for several layouts in SIMD registers.

pub(crate) mod level_accel;
pub(crate) mod level_lanes;
pub(crate) mod loop_lanes;
pub(crate) mod subtree_lanes;
pub(crate) mod sweep;
