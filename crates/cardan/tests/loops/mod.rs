//! Closed loops, redundant rows, and agreement of the solvers.
#![allow(clippy::disallowed_methods)] // no bits are promised here but those of the engine

mod agree;
mod closed_only;
mod cost;
mod efforts;
mod elimination_forms;
mod linkages;
mod open;
mod singular;
mod solvers;
mod turning;
