//! Driven joint coordinates: rows, forms, motion, forces, accounts, mistakes.
#![allow(clippy::disallowed_methods, reason = "the largest of some errors needs no reproducible bits")]

mod agree;
mod mistakes;
mod motion;
