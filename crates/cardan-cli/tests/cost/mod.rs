//! What it costs: operations, bytes, allocations.

mod allocations;
mod budget;
mod large;
mod nets;
mod operations;
