//! Shared by tests and benches: seeded random numbers, random mechanisms, assertions.

mod allocations;
mod closed;
mod compare;
mod general;
mod loops;
mod random;
mod suite;
mod tolerance;
mod trees;

pub use allocations::CountingAllocator;
pub use closed::{MotionSpace, Parts, can_swap, closed_tree, random_pose_of_locks, shuffled};
pub use compare::{largest, largest_difference, slopes};
pub use general::{GENERAL, TwoAngles, is_point, random_general, random_general_couple, random_general_pair};
pub use loops::closed_loops;
pub use random::Rng;
pub use suite::assert_every_test_file_is_named;
pub use tolerance::{Tolerance, assert_close};
pub use trees::{eliminated, fits, random_body, random_joint_frame, random_pair, random_tree};
