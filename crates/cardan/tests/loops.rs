//! Loops at the fast way: the same answers as two other solvers, runs that stay closed, poses where rows lose their
//! independence, cost, and bits.
//!
//! The soaks are left out of the usual run: `cargo test --release -p cardan -- --ignored`.
#![allow(clippy::disallowed_methods)] // no bits are promised here but those of the engine

#[path = "loops/agree.rs"]
mod agree;
#[path = "loops/cost.rs"]
mod cost;
#[path = "loops/linkages.rs"]
mod linkages;
#[path = "loops/open.rs"]
mod open;
#[path = "loops/singular.rs"]
mod singular;
#[path = "loops/turning.rs"]
mod turning;
