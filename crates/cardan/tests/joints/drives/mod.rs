//! Driven joint coordinates: rows, eliminations, motion, forces, balances, refusals.
#![allow(clippy::disallowed_methods, reason = "the largest of some errors needs no reproducible bits")]

mod agree;
mod mistakes;
mod motion;
