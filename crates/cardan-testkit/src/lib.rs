//! Shared by tests and benches: random numbers with seeds, random mechanisms, assertions.

mod random;
mod trees;

pub use random::Rng;
pub use trees::{fits, random_body, random_joint_frame, random_pair, random_tree};
